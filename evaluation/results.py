"""The results of many games as arrays: what ratings, comparisons and reports are computed from."""

from dataclasses import dataclass, field, replace

import numpy as np

COLUMNS = ("deal", "table", "seating", "players", "returns", "seconds", "decisions", "fault")


@dataclass(frozen=True)
class Results:
    """Games under one set of rules, a row each, in an order that does not depend on when they were played.

    A *table* is a set of agents that met; each of its deals was played in every seating.
    """

    agents: list[str]  # the specs of the agents, in full
    deal: np.ndarray  # (games) which deal; games with equal numbers met the same luck, at whatever table
    table: np.ndarray  # (games) which combination of agents
    seating: np.ndarray  # (games) which rotation of the table
    players: np.ndarray  # (games, seats) the agent at each seat, as an index of ``agents``
    returns: np.ndarray  # (games, seats) 1 for a win, 0 for a loss, shares for ties; a row sums to 1
    seconds: np.ndarray  # (games, seats) thinking time; nought for agents that do not think
    decisions: np.ndarray  # (games, seats) moves made
    fault: np.ndarray  # (games) the seat that lost by breaking a rule or breaking down, or -1
    game: str = ""
    rules: dict[str, str] = field(default_factory=dict)  # the rules that differ from the game's own

    @property
    def seats(self) -> int:
        """The number of players at a table."""
        return self.players.shape[1]

    @property
    def length(self) -> np.ndarray:
        """The number of decisions in each game."""
        return self.decisions.sum(axis=1)

    def __len__(self) -> int:
        return len(self.deal)

    def where(self, chosen: np.ndarray) -> "Results":
        """Return some of the games; ``chosen`` is a mask or indices."""
        return replace(self, **{name: getattr(self, name)[chosen] for name in COLUMNS})
