"""Agents: what plays.

An agent is described by a text such as ``mcts:sims=1000`` and, to compiled code, by a tuple.
Because the description is a run-time value, a match is compiled once per game and not once per pair.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from engines.compiled import helper
from engines.contract import legal, private, suggest
from engines.errors import InputError
from engines.game import Game
from engines.random import below
from solvers.mcts import most_visited, search

RANDOM, GREEDY, MCTS = range(3)
NODES_A_SIMULATION = 12  # more is never needed in practice, and a full tree still learns
NO_LIMIT = 1 << 40


class Agent(NamedTuple):
    """An agent as compiled code sees it."""

    kind: int
    sims: int
    explore: float
    greed: float
    limit: int


@dataclass(frozen=True)
class Option:
    """A number that an agent's text can set."""

    name: str
    default: float
    low: float
    high: float
    meaning: str
    whole: bool = False

    def read(self, text: str) -> float:
        """Return the value that a user gave."""
        try:
            value = int(text) if self.whole else float(text)
        except ValueError:
            value = float("nan")
        if not self.low <= value <= self.high:
            kind = "whole number" if self.whole else "number"
            raise InputError(f"{self.name}={text[:40]}: expected a {kind} from {self.low:g} to {self.high:g}")
        return value


MCTS_OPTIONS = (
    Option("sims", 1000, 1, 10_000_000, "simulations a move", whole=True),
    Option("c", 0.2, 0, 100, "exploration: how much little-tried moves are favoured"),
    Option("greed", 1.0, 0, 1, "chance that a playout follows the greedy policy, not a random move"),
    Option(
        "depth", 1, 0, 1_000_000, "decisions until a playout is cut off (0 to 3 more); 0: never", whole=True
    ),
)
KINDS: dict[str, tuple[int, str, tuple[Option, ...]]] = {
    "random": (RANDOM, "any legal move", ()),
    "greedy": (GREEDY, "the game's hand-written quick policy", ()),
    "mcts": (MCTS, "Monte Carlo tree search over what the player can see", MCTS_OPTIONS),
}


def parse_agent(text: str, game: Game) -> Agent:
    """Read an agent's description: a kind, then options, as in ``mcts:sims=500,c=0.9``.

    What it does not say is the default, which a game may set for itself.
    """
    name, _, rest = text.partition(":")
    if name not in KINDS:
        raise InputError(f"unknown agent {name[:40]!r}: expected one of {', '.join(KINDS)}")
    kind, _, options = KINDS[name]
    known = {option.name: option for option in options}
    values = {option.name: option.default for option in MCTS_OPTIONS} | game.search
    for part in filter(None, rest.split(",")):
        key, _, value = part.partition("=")
        if key not in known:
            raise InputError(f"{name} has no option {key[:40]!r}: expected {', '.join(known) or 'none'}")
        values[key] = known[key].read(value)
    depth = int(values["depth"]) or NO_LIMIT
    return Agent(kind, int(values["sims"]), float(values["c"]), float(values["greed"]), depth)


def tree_room(agent: Agent) -> int:
    """Return how many nodes an agent's tree should have room for."""
    return 64 + NODES_A_SIMULATION * agent.sims if agent.kind == MCTS else 1


@helper
def choose(
    rules: Any,
    view: np.ndarray,
    world: np.ndarray,
    seat: int,
    agent: Agent,
    moves: np.ndarray,
    nodes: np.ndarray,
    used: np.ndarray,
    rng: np.ndarray,
) -> int:
    """Return an agent's move, given the view of the seat to move."""
    n = legal(rules, view[0], moves)
    if n == 1:
        return moves[0]
    if agent.kind == RANDOM:
        return moves[below(rng, n)]
    if agent.kind == GREEDY:
        return suggest(rules, view[0], moves, n, rng)
    used[0] = 0
    search(rules, view, world, nodes, used, agent.sims, (agent.explore, agent.greed, agent.limit), rng)
    root = seat if private(rules) else 0
    return nodes[most_visited(nodes, root)].code
