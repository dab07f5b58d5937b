"""Depth-limited search of one world by an explicit stack: alpha-beta, Star1, Star2, and a table.

What is searched for, and what depth means, is told in ``solvers.expectimax``. ``solve`` is the loop; each
frame of the stack is a decision or a chance event, ``enter`` opens one, ``next_move`` and ``next_outcome``
say which child comes next, ``take_move`` and ``take_outcome`` accept its value, ``finish`` closes the frame.
Values are fail-soft: at or below the floor of the window a value is an upper bound, at or above its ceiling
a lower one.
"""

from typing import Any

import numpy as np

from engines.clock import seconds as clock
from engines.compiled import helper
from engines.contract import (
    CHANCE,
    NONE,
    OVER,
    evaluate,
    fill,
    hide,
    legal,
    mover,
    outcomes,
    part,
    play,
    private,
    returns,
    seats,
    suggest,
)
from engines.random import reseed
from solvers.desk import (
    ALPHA_BETA,
    DUEL,
    ESTIMATED,
    EXACT,
    FREE,
    NODES,
    NOTHING,
    ONE_MOVE,
    OPEN,
    PART,
    PLY,
    PRUNING,
    SEARCHES,
    STAR1,
    STAR2,
    UNKNOWN,
    WHOLE,
    Desk,
)
from solvers.transpositions import child_key, look_up, make_room, state_key

SAME_WORLDS = 64  # random completions that must agree before a view counts as having only one
LOOK_AT_CLOCK = 512  # nodes from one look to the next
PLAY_ON = 3  # decisions of the policy before an estimate


@helper
def solve(rules: Any, desk: Desk, root: int, left: int, budget: int, deadline: float) -> bool:
    """Search the state in the first row with so much depth left; return whether the budget was enough.

    The value is then in ``desk.values[0]`` and how sure it is in ``desk.frames[0].status``.
    """
    pruning = desk.settings[PRUNING] if desk.settings[DUEL] else min(desk.settings[PRUNING], ALPHA_BETA)
    floor, ceiling = (0.0, 1.0) if pruning > NOTHING else (-1.0, 2.0)
    if desk.report[NODES] >= budget:
        return False
    top = 0
    done = enter(rules, desk, top, root, left, floor, ceiling, False)
    while True:
        if not done:
            child = next_outcome(desk, top) if desk.frames[top].seat == CHANCE else next_move(desk, top)
            if child != NONE:
                count = desk.report[NODES]
                if count >= budget or (count % LOOK_AT_CLOCK == 0 and clock() >= deadline):
                    return False
                frame = desk.frames[top]
                frame.child = child
                desk.states[top + 1] = desk.states[top]
                play(rules, desk.states[top + 1], desk.codes[top, child])
                left = after_chance(frame.left) if frame.seat == CHANCE else after_decision(frame.left)
                floor = frame.child_floor
                ceiling = frame.child_ceiling
                glance = frame.seat == CHANCE and frame.probing == 1
                top += 1
                done = enter(rules, desk, top, root, left, floor, ceiling, glance)
                continue
            finish(rules, desk, top, root)
        if top == 0:
            return True
        top -= 1
        if desk.frames[top].seat == CHANCE:
            take_outcome(rules, desk, top, root)
        else:
            take_move(rules, desk, top, root)
        done = False


@helper
def after_decision(left: int) -> int:
    """Return the depth left after a decision: a ply less, and its free chance events."""
    return left // PLY * PLY - PLY + FREE


@helper
def after_chance(left: int) -> int:
    """Return the depth left after a chance event: one free event less, or a ply."""
    return left - 1 if left % PLY else left - PLY


@helper
def enter(
    rules: Any, desk: Desk, top: int, root: int, left: int, floor: float, ceiling: float, glance: bool
) -> bool:
    """Look at the state that was reached; return whether its value is known at once, else open a frame."""
    desk.report[NODES] += 1
    s = desk.states[top]
    codes = desk.codes[top]
    frame = desk.frames[top]
    frame.glance = WHOLE
    n = 1
    seat = mover(rules, s)
    while seat != OVER:
        # Neither free events nor plies are left, or no plies; or a new part of the game is dealt.
        if left < (1 if seat == CHANCE else PLY) or part(rules, s) > desk.settings[PART]:
            play_on(rules, s, codes, desk.rng[2])
            settle_value(rules, desk, top, root, False)
            return True
        n = outcomes(rules, s, codes, desk.weights[top]) if seat == CHANCE else legal(rules, s, codes)
        if n > 1:
            break
        play(rules, s, codes[0])
        seat = mover(rules, s)
    if seat == OVER:
        settle_value(rules, desk, top, root, True)
        return True
    if glance and seat == CHANCE:
        frame.glance = UNKNOWN
        frame.status = EXACT
        return True
    frame.left = left
    frame.floor = floor
    frame.ceiling = ceiling
    best = NONE
    if len(desk.table):
        if top == 0:
            frame.key = state_key(desk.words[0], desk.salts)
        else:
            frame.key = child_key(desk.frames[top - 1].key, desk.words[top - 1], desk.words[top], desk.salts)
        place = look_up(desk.table, frame.key, desk.settings[SEARCHES])
        if place != NONE:
            if recall(rules, desk, top, place):
                return True
            best = desk.table[place].best
    frame.seat = seat
    frame.count = n
    frame.next = 0
    frame.best = NONE
    frame.status = EXACT
    frame.alpha = floor
    frame.beta = ceiling
    if seat == CHANCE:
        open_event(rules, desk, top)
    elif desk.settings[DUEL]:
        if glance:
            frame.glance = ONE_MOVE
        if best == NONE:
            best = suggest(rules, s, codes, n, desk.rng[1])
        bring_forward(codes, n, best)
        if glance:
            frame.count = 1
    return False


@helper
def play_on(rules: Any, s: Any, moves: np.ndarray, rng: np.ndarray) -> None:
    """Let the policy decide on a little, so that no move is judged while its effect is still to come.

    Ends at a chance event. The stream begins anew each time: what comes out depends on the state only.
    """
    reseed(rng, 0, 0)
    for _ in range(PLAY_ON):
        if mover(rules, s) < 0:
            break
        play(rules, s, suggest(rules, s, moves, legal(rules, s, moves), rng))


@helper
def settle_value(rules: Any, desk: Desk, top: int, root: int, over: bool) -> None:
    """Give a leaf its value: what a finished game is worth, or an estimate."""
    s = desk.states[top]
    ended = mover(rules, s) == OVER
    if desk.settings[DUEL]:
        desk.values[top, 0] = returns(rules, s, root) if ended else evaluate(rules, s, root)
    else:
        for seat in range(seats(rules)):
            desk.values[top, seat] = returns(rules, s, seat) if ended else evaluate(rules, s, seat)
    desk.frames[top].status = EXACT if over else ESTIMATED


@helper
def recall(rules: Any, desk: Desk, top: int, place: int) -> bool:
    """Take a frame's value from an entry of the table, if it says enough."""
    frame = desk.frames[top]
    known = desk.table[place]
    if known.left != frame.left:
        less = known.left // PLY <= frame.left // PLY and known.left % PLY <= frame.left % PLY
        if known.status == ESTIMATED or not less:
            return False
    if desk.settings[DUEL]:
        low = desk.bounds[place, 0]
        high = desk.bounds[place, 1]
        if low < high and low < frame.ceiling and high > frame.floor:
            return False
        desk.values[top, 0] = low if low >= frame.ceiling else high
    else:
        for seat in range(seats(rules)):
            desk.values[top, seat] = desk.bounds[place, seat]
    frame.status = known.status
    return True


@helper
def bring_forward(codes: np.ndarray, n: int, move: int) -> None:
    """Put a move first and leave the order of the others."""
    i = 0
    while i < n - 1 and codes[i] != move:
        i += 1
    move = codes[i]
    while i > 0:
        codes[i] = codes[i - 1]
        i -= 1
    codes[0] = move


@helper
def open_event(rules: Any, desk: Desk, top: int) -> None:
    """Prepare the frame of a chance event: nothing is known of the outcomes' values."""
    frame = desk.frames[top]
    frame.total = 0
    for i in range(frame.count):
        frame.total += desk.weights[top, i]
        desk.lows[top, i] = 0.0
        desk.highs[top, i] = 1.0
    frame.low = 0.0
    frame.high = float(frame.total)
    # A first look pays only if the window can be missed, and if it costs less than the search after it.
    narrow = frame.alpha > 0.0 or frame.beta < 1.0
    frame.probing = int(desk.settings[PRUNING] == STAR2 and narrow and frame.left >= 2 * PLY)
    for seat in range(seats(rules)):
        desk.values[top, seat] = 0.0


@helper
def next_move(desk: Desk, top: int) -> int:
    """Return the next move to try and set its window, or NONE if there is none."""
    frame = desk.frames[top]
    if frame.next >= frame.count:
        return NONE
    frame.child_floor = frame.alpha
    frame.child_ceiling = frame.beta
    frame.next += 1
    return frame.next - 1


@helper
def next_outcome(desk: Desk, top: int) -> int:
    """Return the next outcome to look at and set its window, or NONE if there is none.

    What all other outcomes can add leaves each one a window of its own.
    """
    frame = desk.frames[top]
    lows = desk.lows[top]
    highs = desk.highs[top]
    while True:
        if frame.next == frame.count and frame.probing == 1:
            frame.probing = 0
            frame.next = 0
        if frame.next >= frame.count:
            return NONE
        i = frame.next
        frame.next += 1
        if lows[i] < highs[i]:
            break
    if desk.settings[PRUNING] < STAR1:
        frame.child_floor = 0.0 if desk.settings[PRUNING] > NOTHING else -1.0
        frame.child_ceiling = 1.0 if desk.settings[PRUNING] > NOTHING else 2.0
        return i
    weight = desk.weights[top, i]
    floor = (frame.alpha * frame.total - (frame.high - weight * highs[i])) / weight
    ceiling = (frame.beta * frame.total - (frame.low - weight * lows[i])) / weight
    frame.child_floor = max(floor, lows[i])
    frame.child_ceiling = min(ceiling, highs[i])
    return i


@helper
def take_move(rules: Any, desk: Desk, top: int, root: int) -> None:
    """Take the value of the move that was tried."""
    frame = desk.frames[top]
    below = desk.frames[top + 1]
    frame.status = min(frame.status, below.status)
    first = frame.best == NONE
    if not desk.settings[DUEL]:
        value = desk.values[top + 1, frame.seat]
        if first or value > desk.values[top, frame.seat]:
            for seat in range(seats(rules)):
                desk.values[top, seat] = desk.values[top + 1, seat]
            frame.best = desk.codes[top, frame.child]
        if value >= frame.ceiling:
            frame.next = frame.count
        return
    value = desk.values[top + 1, 0]
    if frame.seat == root:
        if first or value > desk.values[top, 0]:
            desk.values[top, 0] = value
            frame.best = desk.codes[top, frame.child]
        if desk.settings[PRUNING] > NOTHING:
            frame.alpha = max(frame.alpha, value)
    else:
        if first or value < desk.values[top, 0]:
            desk.values[top, 0] = value
            frame.best = desk.codes[top, frame.child]
        if desk.settings[PRUNING] > NOTHING:
            frame.beta = min(frame.beta, value)
    if frame.alpha >= frame.beta:
        frame.next = frame.count


@helper
def take_outcome(rules: Any, desk: Desk, top: int, root: int) -> None:
    """Take the value of the outcome that was looked at, or what a first look says of it."""
    frame = desk.frames[top]
    below = desk.frames[top + 1]
    i = frame.child
    weight = desk.weights[top, i]
    if not desk.settings[DUEL]:
        frame.status = min(frame.status, below.status)
        for seat in range(seats(rules)):
            desk.values[top, seat] += weight * desk.values[top + 1, seat]
        return
    if below.glance == UNKNOWN:
        if i == 0:
            frame.probing = 0
            frame.next = 0
        return
    frame.status = min(frame.status, below.status)
    value = desk.values[top + 1, 0]
    one_move = below.glance == ONE_MOVE
    low = desk.lows[top, i]
    high = desk.highs[top, i]
    if value > frame.child_floor and not (one_move and below.seat != root):
        desk.lows[top, i] = max(low, value)
    if value < frame.child_ceiling and not (one_move and below.seat == root):
        desk.highs[top, i] = min(high, value)
    frame.low += weight * (desk.lows[top, i] - low)
    frame.high += weight * (desk.highs[top, i] - high)
    if desk.settings[PRUNING] < STAR1:
        return
    missed = frame.probing == 0 and desk.lows[top, i] < desk.highs[top, i]
    if frame.high <= frame.alpha * frame.total or (missed and value <= frame.child_floor):
        # Never above alpha, whatever the rounding: the table must not take a bound for a value.
        desk.values[top, 0] = min(frame.high / frame.total, frame.alpha)
        close_event(frame)
    elif frame.low >= frame.beta * frame.total or missed:
        desk.values[top, 0] = max(frame.low / frame.total, frame.beta)
        close_event(frame)


@helper
def close_event(frame: Any) -> None:
    """Look at no more outcomes of a chance event: its value is known to lie outside the window."""
    frame.count = 0
    frame.next = 0
    frame.probing = 0


@helper
def finish(rules: Any, desk: Desk, top: int, root: int) -> None:
    """Work out the value of a frame that has seen all it must, and remember it."""
    frame = desk.frames[top]
    if frame.seat == CHANCE:
        if not desk.settings[DUEL]:
            for seat in range(seats(rules)):
                desk.values[top, seat] /= frame.total
        elif frame.count:
            total = 0.0
            for i in range(frame.count):
                total += desk.weights[top, i] * desk.lows[top, i]
            desk.values[top, 0] = total / frame.total
    elif frame.status == EXACT and private(rules) and not knows(rules, desk, top, frame.seat):
        frame.status = OPEN
    if len(desk.table):
        remember(rules, desk, top, root)


@helper
def remember(rules: Any, desk: Desk, top: int, root: int) -> None:
    """Write a frame's value, or the bound that it is, into the table."""
    frame = desk.frames[top]
    place = make_room(desk.table, frame.key, desk.settings[SEARCHES])
    known = desk.table[place]
    again = known.epoch == desk.settings[SEARCHES] and known.key == frame.key and known.left == frame.left
    status = frame.status
    if not desk.settings[DUEL]:
        for seat in range(seats(rules)):
            desk.bounds[place, seat] = desk.values[top, seat]
    else:
        value = desk.values[top, 0]
        one_move = frame.glance == ONE_MOVE
        low = value if value > frame.floor and not (one_move and frame.seat != root) else 0.0
        high = value if value < frame.ceiling and not (one_move and frame.seat == root) else 1.0
        if again:
            low = max(low, desk.bounds[place, 0])
            high = min(high, desk.bounds[place, 1])
            status = min(status, known.status)
        desk.bounds[place, 0] = low
        desk.bounds[place, 1] = high
    known.key = frame.key
    known.epoch = desk.settings[SEARCHES]
    known.left = frame.left
    known.status = status
    known.best = frame.best


@helper
def knows(rules: Any, desk: Desk, top: int, seat: int) -> bool:
    """Whether a seat knows all of a state: whether random completions of its view are all that state."""
    desk.spare[0] = desk.states[top]
    hide(rules, desk.spare[0], seat)
    if same(desk.words[top], desk.spare_words[0]):
        return True
    for _ in range(SAME_WORLDS):
        desk.spare[1] = desk.spare[0]
        fill(rules, desk.spare[1], desk.rng[1])
        if not same(desk.words[top], desk.spare_words[1]):
            return False
    return True


@helper
def same(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two states are equal, given as words."""
    equal = True
    for place in range(len(one)):
        equal = equal and one[place] == other[place]
    return equal
