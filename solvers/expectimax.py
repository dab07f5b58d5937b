"""Expectimax: exact expectation over chance, and the best reply to the best reply, to a depth.

Depth is counted in plies. A ply is a decision between at least two moves. The first two chance events after
a decision come free, the last decision's too; each further one before the next decision takes a ply as well,
so that no chain of events without a decision goes on for ever. Forced moves and certain events count for
nothing. Where the depth is used up, the policy plays on for up to three decisions, but not past a chance
event, and ``evaluate`` is asked: an estimate in the midst of an action, of damage not yet dealt, misleads.

Two seats: values are the root seat's, the other minimises. Decisions are cut by alpha-beta, chance events by
Star1 (what the outcomes still to come can add at most or at least) and Star2 (a first look at one move of
each outcome). More seats: each maximises its own result, and only a certain win cuts anything off. A table
of states saves work and never changes a value: an entry counts only if it was searched to the same depth,
or if all below it were finished games.

Where information is hidden, the view is completed at random, each world is searched with open cards, and
the values of the root's moves are averaged. The known price is strategy fusion: the search believes that
everybody will know what is hidden when they come to decide, so it neither hides nor seeks information.

The result is called *exact* if it is the value of the game under best play: all leaves were finished games,
only one world fits the view, and wherever somebody had a choice, only one world fitted what they saw.
"""

from typing import Any

import numpy as np

from engines.clock import seconds as clock
from engines.compiled import entry, helper
from engines.contract import evaluate, fill, legal, mover, part, play, private, seats
from engines.random import LOW_62, reseed, scramble, uniform
from solvers.desk import DEPTH, DUEL, ESTIMATED, EXACT, IS_EXACT, PART, PLY, SEARCHES, WORLDS, Desk, new_desk
from solvers.star import after_decision, knows, solve

__all__ = ["Desk", "expectimax", "new_desk", "search_expectimax"]


@entry
def search_expectimax(
    rules: Any,
    view: np.ndarray,
    desk: Desk,
    worlds: int,
    deepest: int,
    nodes: int,
    seconds: float,
    rng: np.ndarray,
    values: np.ndarray,
) -> int:
    """Run ``expectimax`` from Python."""
    return expectimax(rules, view, desk, worlds, deepest, nodes, seconds, rng, values)


@helper
def expectimax(
    rules: Any,
    view: np.ndarray,
    desk: Desk,
    worlds: int,
    deepest: int,
    nodes: int,
    seconds: float,
    rng: np.ndarray,
    values: np.ndarray,
) -> int:
    """Search the view of the seat to move, deeper and deeper, and return the place of the best legal move.

    ``values[i]`` becomes the value of the legal move ``i`` to the mover, the mean over the worlds, at the
    last depth that was completed for all moves; ``desk.report`` says how deep that was, how many states were
    looked at, whether the values are exact, and how many worlds there were. The search ends at the
    depth ``deepest``, when deeper would be the same, or when ``nodes`` states or ``seconds`` are used up
    (0 or less: no limit); depth 1 is always completed. If the best move of the depth before and some others
    were finished at the depth that was broken off, the best of these is returned.
    """
    seat = mover(rules, view[0])
    n = legal(rules, view[0], desk.moves)
    desk.settings[SEARCHES] += 1
    desk.settings[PART] = part(rules, view[0])
    for place in range(len(desk.report)):
        desk.report[place] = 0
    deadline = clock() + seconds if seconds > 0.0 else np.inf
    seed = scramble(rng[0]) & LOW_62
    uniform(rng)
    reseed(desk.rng[1], seed, -1)
    alone = imagine(rules, view, desk, seed, 0) or knows(rules, desk, 0, seat)
    worlds = 1 if alone else max(worlds, 1)
    desk.report[WORLDS] = worlds
    desk.settings[DUEL] = int(is_duel(rules, desk.states[0]))
    column = 0 if desk.settings[DUEL] else seat
    for i in range(n):
        desk.order[i] = i
        values[i] = 0.0
    chosen = 0
    for depth in range(1, min(deepest, (len(desk.frames) - 1) // PLY) + 1):
        status = EXACT
        finished = 0
        budget = nodes if depth > 1 and nodes > 0 else 1 << 62
        limit = deadline if depth > 1 else np.inf
        while finished < n:
            i = desk.order[finished]
            total = 0.0
            world = 0
            while world < worlds:
                imagine(rules, view, desk, seed, world)
                play(rules, desk.states[0], desk.moves[i])
                if not solve(rules, desk, seat, after_decision(PLY * depth), budget, limit):
                    break
                total += desk.values[0, column]
                status = min(status, desk.frames[0].status)
                world += 1
            if world < worlds:
                break
            desk.fresh[i] = total / worlds
            finished += 1
        rank(desk, finished)
        if finished > 0:
            chosen = desk.order[0]
        if finished < n:
            break
        for i in range(n):
            values[i] = desk.fresh[i]
        desk.report[DEPTH] = depth
        desk.report[IS_EXACT] = int(alone and status == EXACT)
        if status != ESTIMATED:
            break
    return chosen


@helper
def is_duel(rules: Any, s: Any) -> bool:
    """Whether two play and what one wins the other loses, in which case the values of both add up to one."""
    return seats(rules) == 2 and abs(evaluate(rules, s, 0) + evaluate(rules, s, 1) - 1.0) < 1e-6


@helper
def imagine(rules: Any, view: np.ndarray, desk: Desk, seed: int, world: int) -> bool:
    """Put the completion of a number on the stack; return whether the game never has more than one."""
    desk.states[0] = view[0]
    if not private(rules):
        return True
    reseed(desk.rng[0], seed, world)
    fill(rules, desk.states[0], desk.rng[0])
    return False


@helper
def rank(desk: Desk, finished: int) -> None:
    """Sort the root's moves that an iteration has finished, which are the first, the best to the front."""
    for i in range(1, finished):
        move = desk.order[i]
        j = i
        while j > 0 and desk.fresh[desk.order[j - 1]] < desk.fresh[move]:
            desk.order[j] = desk.order[j - 1]
            j -= 1
        desk.order[j] = move
