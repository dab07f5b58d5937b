"""Hints: what to play in a position, with the winning chance of each move and how sure that is."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from engines import contract
from engines.game import Game
from engines.random import stream
from solvers.agents import NODES_A_SIMULATION, Agent
from solvers.mcts import NODE, search

CHUNK = 256  # simulations between two looks at the clock


@dataclass(frozen=True)
class RankedMove:
    """A move with its estimated chance to win (draws half), the standard error, and its simulations."""

    move: int
    text: str
    words: str
    value: float
    se: float
    visits: int


@dataclass(frozen=True)
class Hint:
    """The moves of a position, best first."""

    game: str
    seat: int
    simulations: int
    seconds: float
    moves: list[RankedMove]

    def as_json(self) -> dict[str, Any]:
        """Return the hint for programs."""
        keys = ("value", "se", "visits")
        return {
            "game": self.game,
            "seat": self.seat,
            "simulations": self.simulations,
            "seconds": round(self.seconds, 3),
            "moves": [{"move": move.text} | {key: getattr(move, key) for key in keys} for move in self.moves],
        }


def hint(
    game: Game,
    rules: Any,
    view: np.ndarray,
    agent: Agent,
    *,
    seconds: float | None = None,
    seed: int = 0,
    progress: Callable[[int, float], None] | None = None,
) -> Hint:
    """Search a view, for the agent's number of simulations or for some seconds, and rank the moves.

    ``progress`` is called now and then with the simulations done and the fraction of the budget spent.
    """
    seat = int(contract.mover(rules, view[0]))
    rng = stream(seed)
    world = game.blank()
    nodes = np.zeros(0, NODE)
    used = np.zeros(1, np.int64)
    settings = (agent.explore, agent.greed, agent.limit)
    search(rules, view, world, np.zeros(64, NODE), np.zeros(1, np.int64), 0, settings, rng)  # compile first
    began = time.perf_counter()
    done = 0
    spent = 0.0
    while spent < 1.0:
        chunk = CHUNK if seconds is not None else min(CHUNK, agent.sims - done)
        nodes = with_room(nodes, int(used[0]), chunk)
        search(rules, view, world, nodes, used, chunk, settings, rng)
        done += chunk
        spent = (time.perf_counter() - began) / seconds if seconds is not None else done / agent.sims
        if progress is not None:
            progress(done, min(spent, 1.0))
    root = seat if contract.private(rules) else 0
    moves = rank(game, rules, view, nodes, root)
    return Hint(game.name, seat, done, time.perf_counter() - began, moves)


def with_room(nodes: np.ndarray, used: int, simulations: int) -> np.ndarray:
    """Return the tree with room for more simulations."""
    needed = used + 4096 + NODES_A_SIMULATION * simulations
    if needed <= len(nodes):
        return nodes
    larger = np.zeros(2 * needed, NODE)
    larger[:used] = nodes[:used]
    return larger


def rank(game: Game, rules: Any, view: np.ndarray, nodes: np.ndarray, root: int) -> list[RankedMove]:
    """Return the root's moves, most visited first: the search spends its time on what it thinks best."""
    moves = []
    child = nodes[root].child
    while child != contract.NONE:
        node = nodes[child]
        visits = int(node.visits)
        mean = float(node.total / visits) if visits else 0.5
        # One extra observation at the far end keeps the error of a few equal results from being nil.
        spread = float(node.square) - visits * mean * mean + max(mean, 1.0 - mean) ** 2
        move = int(node.code)
        moves.append(
            RankedMove(
                move,
                game.notation.move_text(rules, view[0], move),
                game.notation.move_words(rules, view[0], move),
                mean,
                math.sqrt(max(spread, 0.0)) / (visits + 1),
                visits,
            )
        )
        child = node.sibling
    return sorted(moves, key=lambda move: (-move.visits, -move.value))
