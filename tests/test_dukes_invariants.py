"""Random games of Dukes Up!, compiled, with everything checked after every event."""

import numba
import numpy as np
import pytest

from engines.bits import popcount
from engines.compiled import entry, helper
from engines.contract import (
    CHANCE,
    NONE,
    OVER,
    evaluate,
    fill,
    hide,
    legal,
    most_moves,
    mover,
    play,
    returns,
    roll,
    start,
    suggest,
)
from engines.dukes import GAME
from engines.dukes.rules import COLOUR, ENDED, FIEF, HAND, HEAP, PILE
from engines.random import below, stream, uniform
from solvers.melds.dukes_kernel import feasible
from solvers.playout import playouts


@helper
def broken(rules, s):
    """Return the number of the first invariant that does not hold, or 0."""
    if not feasible(s.table):
        return 1
    for seat in range(2):
        heap = 0
        for place in range(26):
            card = s.heap[seat, place]
            if (card == NONE) != (place >= s.height[seat]):
                return 2
            if card != NONE:
                heap |= 1 << card
        fief = 1 << s.fief[seat] if s.fief[seat] >= 0 else 0
        lying = s.table & COLOUR[seat]
        whole = s.hand[seat] + s.dukes[seat] + s.unseen[seat] + lying + heap + fief
        count = popcount(s.hand[seat]) + popcount(s.dukes[seat]) + popcount(s.unseen[seat])
        count += popcount(lying) + popcount(heap) + popcount(fief)
        if whole != COLOUR[seat] or count != 26:
            return 3
        if s.held[seat] != popcount(s.hand[seat]):
            return 4
        if s.pile[seat] + s.burnt[seat] != popcount(s.unseen[seat]) or min(s.pile[seat], s.burnt[seat]) < 0:
            return 5
        if s.turn and (
            popcount(s.dukes[seat]) > 2 or s.held[seat] + popcount(s.dukes[seat]) > rules.hand_limit + 2
        ):
            return 6
        if s.phase != ENDED:
            if s.hand[seat] & ~s.may[seat, HAND] or s.unseen[seat] & ~s.may[seat, PILE]:
                return 7
            if heap & ~(s.may[seat, HEAP] | s.open[seat]) or s.open[seat] & ~heap:
                return 8
            if fief and s.up[seat] == 0 and s.may[seat, FIEF] & fief == 0:
                return 9
    return 0


@helper
def same(a, b):
    """Say whether two views are equal, by what a seat can see of hands, piles and knowledge."""
    for seat in range(2):
        for place in range(26):
            if a.heap[seat, place] != b.heap[seat, place]:
                return False
        if a.hand[seat] != b.hand[seat] or a.unseen[seat] != b.unseen[seat] or a.fief[seat] != b.fief[seat]:
            return False
        if a.plan[seat] != b.plan[seat] or a.held[seat] != b.held[seat] or a.pile[seat] != b.pile[seat]:
            return False
    return True


@entry
def check_games(rules, room, decisions, greed, rng, failure):
    """Play games until there were so many decisions; the number of a broken invariant goes to ``failure``."""
    moves = np.empty(most_moves(rules), np.int64)
    s = room[0]
    games = 0
    while decisions > 0:
        start(rules, s)
        games += 1
        seat = mover(rules, s)
        while seat != OVER:
            failure[0] = broken(rules, s)
            if failure[0]:
                return games
            if seat == CHANCE:
                code = roll(rules, s, uniform(rng))
            else:
                decisions -= 1
                n = legal(rules, s, moves)
                for i in range(1, n):
                    if moves[i] <= moves[i - 1]:
                        failure[0] = 10
                viewer = decisions & 1
                room[1] = room[0]
                hide(rules, room[1], viewer)
                room[2] = room[1]
                fill(rules, room[2], rng)
                failure[0] += 20 * broken(rules, room[2])
                estimate = evaluate(rules, room[1], viewer)
                if estimate != evaluate(rules, room[2], viewer) or not 0.0 <= estimate <= 1.0:
                    failure[0] = 11
                hide(rules, room[2], viewer)
                if not same(room[1], room[2]):
                    failure[0] = 12
                if failure[0]:
                    return games
                code = suggest(rules, s, moves, n, rng) if uniform(rng) < greed else moves[below(rng, n)]
            play(rules, s, code)
            seat = mover(rules, s)
        if returns(rules, s, 0) + returns(rules, s, 1) != 1.0:
            failure[0] = 13
            return games
    return games


CHANGES = [
    {},
    {"hand_limit": 6, "draw_limit": 6},
    {"hand_limit": 1, "draw_limit": 1},
    {"fief_bonus": 0, "max_turns": 40},
]


def run(decisions, greed, changes):
    failure = np.zeros(1, np.int64)
    room = np.zeros(3, GAME.state_type)
    games = check_games(GAME.rules(**changes), room, decisions, greed, stream(1), failure)
    assert failure[0] == 0
    return games


@pytest.mark.parametrize("changes", CHANGES)
def test_random_games(changes):
    decisions = 500 if numba.config.DISABLE_JIT else 40_000
    assert run(decisions, 0.0, changes)
    assert run(decisions, 0.7, changes)


@pytest.mark.parametrize("greed", [0.0, 1.0])
def test_compiled_and_plain_python_play_the_same_games(greed):
    ends = []
    for play_games in (playouts, getattr(playouts, "py_func", playouts)):
        state, won, rng = GAME.blank(), np.zeros(2), stream(11)
        decisions = play_games(GAME.rules(), state, 5, greed, rng, won)
        ends.append((decisions, won.tolist(), rng[0], state.tobytes()))
    assert ends[0] == ends[1]


@pytest.mark.slow
def test_a_million_random_decisions():
    for changes in CHANGES:
        assert run(1_000_000, 0.0, changes)
        assert run(1_000_000, 0.7, changes)
