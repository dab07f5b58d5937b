"""Playing a game to its end, quickly: the inner loop of search and the yardstick of an engine's speed."""

from typing import Any

import numpy as np

from engines.compiled import entry, helper
from engines.contract import CHANCE, legal, luck, most_moves, mover, part, play, returns, roll, start, suggest
from engines.random import below, uniform

FOREVER = 1 << 40


@helper
def throw(rules: Any, s: Any, dice: np.ndarray) -> int:
    """Resolve a chance event by the dice of the seat whose luck it is, if there are several."""
    return roll(rules, s, uniform(dice[luck(rules, s) if len(dice) > 1 else 0]))


@helper
def settle(rules: Any, s: Any, end: int, dice: np.ndarray) -> bool:
    """Resolve chance events; return whether somebody then decides, before the part ``end`` of the game."""
    seat = mover(rules, s)
    while seat == CHANCE and part(rules, s) < end:
        play(rules, s, throw(rules, s, dice))
        seat = mover(rules, s)
    return seat >= 0


@helper
def playout(
    rules: Any, s: Any, moves: np.ndarray, greed: float, limit: int, end: int, dice: np.ndarray
) -> int:
    """Play to the end of the game, for ``limit`` decisions, or to its part ``end``; return the decisions.

    Each decision is ``suggest``'s with the chance ``greed``, else a random one. ``dice`` is one stream of
    random numbers, or one for each seat's luck, nobody's, and the policy's.
    """
    decisions = 0
    rng = dice[len(dice) - 1]
    while settle(rules, s, end, dice) and decisions < limit:
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
        decisions += playout(rules, s, moves, greed, FOREVER, FOREVER, rng.reshape(1, 1))
        for seat in range(len(won)):
            won[seat] += returns(rules, s, seat)
    return decisions
