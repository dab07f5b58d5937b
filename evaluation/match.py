"""Matches: deals played in every seating, with an interval that is clustered by deal."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from engines.compiled import entry
from engines.contract import CHANCE, OUTCOMES, OVER, hide, most_moves, mover, play, returns, seats, start
from engines.game import Game
from engines.random import reseed
from evaluation.luck import LUCK, lucky, new_luck
from solvers.agents import Agent, choose, tree_room
from solvers.mcts import NODE


@entry
def play_deals(
    rules: Any,
    agents: tuple[Agent, ...],
    room: np.ndarray,
    nodes: np.ndarray,
    clocks: np.ndarray,
    seed: int,
    first: int,
    results: np.ndarray,
) -> int:
    """Play deals ``first``, ``first + 1`` … in every seating and return the number of decisions.

    In seating ``k``, seat ``i`` is played by agent ``(i + k) % seats``; ``results[deal, k, i]`` becomes that
    seat's return. ``room`` is space for three states.
    """
    players = seats(rules)
    state = room[0:1]
    view = room[1:2]
    world = room[2:3]
    moves = np.empty(most_moves(rules), np.int64)
    codes = np.empty(OUTCOMES, np.int64)
    weights = np.empty(OUTCOMES, np.int64)
    rng = np.empty((players, 1), np.int64)
    used = np.empty(1, np.int64)
    decisions = 0
    for deal in range(len(results)):
        for seating in range(players):
            new_luck(clocks[0], seed, first + deal)
            for seat in range(players):
                reseed(rng[seat], seed, (first + deal) * players + seat)
            start(rules, state[0])
            seat = mover(rules, state[0])
            while seat != OVER:
                if seat == CHANCE:
                    code = lucky(rules, state[0], clocks[0], codes, weights)
                else:
                    view[0] = state[0]
                    hide(rules, view[0], seat)
                    agent = agents[(seat + seating) % players]
                    code = choose(rules, view, world, seat, agent, moves, nodes, used, rng[seat])
                    decisions += 1
                play(rules, state[0], code)
                seat = mover(rules, state[0])
            for seat in range(players):
                results[deal, seating, seat] = returns(rules, state[0], seat)
    return decisions


@dataclass(frozen=True)
class Score:
    """The first agent's share of the wins, with its 95 % interval clustered by deal."""

    mean: float
    error: float
    deals: int
    games: int

    @property
    def low(self) -> float:
        """Lower end of the 95 % interval."""
        return self.mean - 1.96 * self.error

    @property
    def high(self) -> float:
        """Upper end of the 95 % interval."""
        return self.mean + 1.96 * self.error


class Match:
    """One table of agents that meets again and again: ``play`` adds deals, ``score`` says how it stands."""

    def __init__(self, game: Game, rules: Any, agents: list[Agent], seed: int = 0) -> None:
        players = seats(rules)
        if len(agents) != players:
            raise ValueError(f"{game.title} needs {players} agents, not {len(agents)}")
        self._rules = rules
        self._agents = tuple(agents)
        self._seed = seed
        self._room = np.zeros(3, game.state_type)
        self._nodes = np.zeros(max(tree_room(agent) for agent in agents), NODE)
        self._clocks = np.zeros(1, LUCK)
        self.results = np.zeros((0, players, players))

    def play(self, deals: int) -> None:
        """Play more deals, each in every seating."""
        more = np.zeros((deals, *self.results.shape[1:]))
        play_deals(
            self._rules,
            self._agents,
            self._room,
            self._nodes,
            self._clocks,
            self._seed,
            len(self.results),
            more,
        )
        self.results = np.concatenate([self.results, more])

    def score(self) -> Score:
        """Return the first agent's share of the wins over all deals played."""
        deals, players, _ = self.results.shape
        # In seating k the first agent sits at seat -k.
        own = np.stack([self.results[:, k, -k % players] for k in range(players)], axis=1).mean(axis=1)
        error = float(own.std(ddof=1)) / math.sqrt(deals) if deals > 1 else float("inf")
        return Score(float(own.mean()), error, deals, deals * players)
