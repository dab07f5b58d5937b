"""Playing a game to its end, quickly: the inner loop of search and the yardstick of an engine's speed."""

from typing import Any

import numpy as np

from engines.compiled import entry, helper
from engines.contract import CHANCE, OVER, legal, most_moves, mover, play, returns, roll, start, suggest
from engines.random import below, uniform


@helper
def settle(rules: Any, s: Any, rng: np.ndarray) -> int:
    """Resolve chance events until somebody decides or the game is over; return ``mover``."""
    seat = mover(rules, s)
    while seat == CHANCE:
        play(rules, s, roll(rules, s, uniform(rng)))
        seat = mover(rules, s)
    return seat


@helper
def playout(rules: Any, s: Any, moves: np.ndarray, greed: float, limit: int, rng: np.ndarray) -> int:
    """Play to the end of the game, or for ``limit`` decisions; return the number of decisions.

    Each decision is ``suggest``'s with the chance ``greed``, else a random one.
    """
    decisions = 0
    while settle(rules, s, rng) != OVER and decisions < limit:
        n = legal(rules, s, moves)
        if greed > 0.0 and (greed >= 1.0 or uniform(rng) < greed):
            play(rules, s, suggest(rules, s, moves, n, rng))
        else:
            play(rules, s, moves[below(rng, n)])
        decisions += 1
    return decisions


@entry
def playouts(
    rules: Any, state: np.ndarray, games: int, greed: float, rng: np.ndarray, won: np.ndarray
) -> int:
    """Play whole games from the start, add each seat's returns to ``won``, return the number of decisions."""
    moves = np.empty(most_moves(rules), np.int64)
    s = state[0]
    decisions = 0
    for _ in range(games):
        start(rules, s)
        decisions += playout(rules, s, moves, greed, 1 << 40, rng)
        for seat in range(len(won)):
            won[seat] += returns(rules, s, seat)
    return decisions
