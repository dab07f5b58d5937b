"""Melds that lie on a River table: what may be added or replaced (V9, V10), and the best of it.

The record, ``find_additions`` and ``apply_addition`` are for compiled code and plain Python alike; the best
sequence is for people and plain Python.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from engines.compiled import helper
from solvers.melds.river_kernel import LINE, STEPS, WILD

TABLE = np.dtype((np.record, [("suit", "i8"), ("low", "i8"), ("high", "i8"), ("wilds", "i8")]))
"""A meld on the table. A run: its suit, lowest and highest step, and the steps, as bits, where wilds stand.
A set: ``suit`` = -1, its step as ``low``, its cards as ``high`` and how many of them are wild as ``wilds``,
which is only for people to look at. No meld: all 0."""

ADDITION = np.dtype((np.record, [("meld", "i8"), ("kind", "i8"), ("where", "i8")]))
"""A card of a kind goes to a meld: into a set, to a run's end, or in a wild's place, the wild to an end."""

INTO, LOW, REPLACE_LOW, HIGH, REPLACE_HIGH = range(5)
MAX_ADDITIONS = 28  # of one meld: a run has ten wilds to replace, each to two ends, and four ends to add to


@helper
def find_additions(ones: int, wilds: int, melds: np.ndarray, additions: np.ndarray) -> int:
    """Write every addition and replacement open to a hand, by meld, place and kind; return their number.

    ``additions`` needs ``MAX_ADDITIONS`` places for each meld. That a card must be left to discard (V11) is
    the caller's business.
    """
    count = 0
    for number in range(len(melds)):
        meld = melds[number]
        if meld.suit < 0:
            for suit in range(4):
                kind = STEPS * suit + meld.low
                if (ones >> kind) & 1:
                    count = _note(additions, count, number, kind, INTO)
            if wilds:
                count = _note(additions, count, number, WILD, INTO)
            continue
        if meld.high == 0:
            continue
        line = (ones >> (STEPS * meld.suit)) & LINE
        base = STEPS * meld.suit
        fitting = line & meld.wilds
        if meld.low > 0:
            if (line >> (meld.low - 1)) & 1:
                count = _note(additions, count, number, base + meld.low - 1, LOW)
            if wilds:
                count = _note(additions, count, number, WILD, LOW)
            for step in range(STEPS if fitting else 0):
                if (fitting >> step) & 1:
                    count = _note(additions, count, number, base + step, REPLACE_LOW)
        if meld.high < STEPS - 1:
            if (line >> (meld.high + 1)) & 1:
                count = _note(additions, count, number, base + meld.high + 1, HIGH)
            if wilds:
                count = _note(additions, count, number, WILD, HIGH)
            for step in range(STEPS if fitting else 0):
                if (fitting >> step) & 1:
                    count = _note(additions, count, number, base + step, REPLACE_HIGH)
    return count


@helper
def _note(additions: np.ndarray, count: int, meld: int, kind: int, where: int) -> int:
    additions[count].meld = meld
    additions[count].kind = kind
    additions[count].where = where
    return count + 1


@helper
def apply_addition(melds: np.ndarray, number: int, kind: int, where: int) -> None:
    """Change a meld as an addition says; the card leaves the hand, a replaced wild stays in its run."""
    if where == INTO:
        melds[number].high += 1
        melds[number].wilds += kind == WILD
        return
    if where <= REPLACE_LOW:
        melds[number].low -= 1
        end = melds[number].low
    else:
        melds[number].high += 1
        end = melds[number].high
    if where in (REPLACE_LOW, REPLACE_HIGH):
        melds[number].wilds &= ~(1 << (kind % STEPS))
    if where in (REPLACE_LOW, REPLACE_HIGH) or kind == WILD:
        melds[number].wilds |= 1 << end


# ---- the best sequence, in plain Python


class Addition(NamedTuple):
    """One addition or replacement: see ``ADDITION``."""

    meld: int
    kind: int
    where: int


class _Plan(NamedTuple):
    """Final ends of some runs: what they take off the hand, and how."""

    value: float
    left: tuple[int, ...]  # naturals of the suit still in hand, as counts by step
    ends: tuple[tuple[int, int, int, int], ...] = ()  # meld, low, high, steps of the naturals it takes


def best_additions(
    counts: Sequence[int], melds: np.ndarray, weights: Sequence[float], keep: int = 1
) -> list[Addition]:
    """Return the additions that take the most weight off a hand, in an order in which they can be made.

    ``counts`` has the number of cards of each kind and, last, of wilds. ``keep`` cards stay in hand (V11).
    A run ends as some longer interval; each new place takes one card off the hand, whether a natural, a
    wild, or the wild that a natural has replaced. So it is enough to choose each run's ends and naturals.
    """
    plan = _best_plan(counts, melds, weights)
    if sum(counts) - len(plan) >= keep or not plan:
        return plan
    # Everything can go: try each card as the one that stays.
    plans = []
    for kind, number in enumerate(counts):
        if number:
            fewer = list(counts)
            fewer[kind] -= 1
            plans.append(_best_plan(fewer, melds, weights))
    return max(plans, key=lambda plan: sum(weights[step.kind] for step in plan))


def _best_plan(counts: Sequence[int], melds: np.ndarray, weights: Sequence[float]) -> list[Addition]:
    wilds = counts[WILD]
    sets = {int(meld.low): number for number, meld in enumerate(melds) if meld.suit < 0}
    plans: dict[int, list[_Plan]] = {0: []}  # by wilds spent on runs: the best plan of each suit so far
    values: dict[int, float] = {0: 0.0}
    wild_value = 0.0 if sets else weights[WILD]  # with a set on the table, every wild finds a place
    for suit in range(4):
        runs = [(number, meld) for number, meld in enumerate(melds) if meld.suit == suit]
        own = tuple(counts[STEPS * suit : STEPS * (suit + 1)])
        worth = [0.0 if step in sets else weights[STEPS * suit + step] for step in range(STEPS)]
        choices = _suit_plans(own, runs, wilds, worth)
        next_values: dict[int, float] = {}
        next_plans: dict[int, list[_Plan]] = {}
        for spent, value in values.items():
            for more, plan in choices.items():
                total = value + plan.value + more * wild_value
                if spent + more <= wilds and total > next_values.get(spent + more, -1.0):
                    next_values[spent + more] = total
                    next_plans[spent + more] = [*plans[spent], plan]
        values, plans = next_values, next_plans
    spent = max(values, key=lambda spent: (values[spent], -spent))
    steps: list[Addition] = []
    for suit, plan in enumerate(plans[spent]):
        for number, low, high, taken in plan.ends:
            steps += _extend(melds[number], number, low, high, taken)
        for step, count in enumerate(plan.left):
            if step in sets:
                steps += [Addition(sets[step], STEPS * suit + step, INTO)] * count
    if sets:
        steps += [Addition(min(sets.values()), WILD, INTO)] * (wilds - spent)
    return steps


def _suit_plans(
    own: tuple[int, ...], runs: list[tuple[int, np.record]], wilds: int, worth: list[float]
) -> dict[int, _Plan]:
    """Return the best plan of one suit for each number of wilds spent on its runs."""
    states: dict[tuple[tuple[int, ...], int], _Plan] = {(own, 0): _Plan(0.0, own)}
    for number, run in runs:
        after = dict(states)
        for (left, spent), plan in states.items():
            for low, high, taken, used in _endings(run, left, wilds - spent):
                rest = tuple(count - (taken >> step & 1) for step, count in enumerate(left))
                value = plan.value + sum(worth[step] for step in range(STEPS) if taken >> step & 1)
                key = (rest, spent + used)
                if key not in after or value > after[key].value:
                    after[key] = _Plan(value, rest, (*plan.ends, (number, low, high, taken)))
        states = after
    best: dict[int, _Plan] = {}
    for (_, spent), plan in states.items():
        if spent not in best or plan.value > best[spent].value:
            best[spent] = plan
    return best


def _endings(run: np.record, left: Sequence[int], wilds: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield how a run can end: low, high, the steps of the naturals it takes, and the wilds from the hand."""
    held = sum(1 << step for step, count in enumerate(left) if count)
    for low in range(int(run.low), -1, -1):
        for high in range(int(run.high), STEPS):
            outside = (1 << (high + 1)) - (1 << low) & ~((1 << (int(run.high) + 1)) - (1 << int(run.low)))
            room = outside.bit_count()
            useful = held & (outside | int(run.wilds))
            taken = useful
            while room:
                if 0 <= room - taken.bit_count() <= wilds:
                    yield low, high, taken, room - taken.bit_count()
                if not taken:
                    break
                taken = (taken - 1) & useful


def _extend(run: np.record, number: int, low: int, high: int, taken: int) -> Iterator[Addition]:
    """Yield the additions that bring a run to its new ends, from the inside outwards."""
    base = STEPS * int(run.suit)
    replaced = [step for step in range(STEPS) if taken & int(run.wilds) & (1 << step)]
    downward = [(step, LOW, REPLACE_LOW) for step in range(int(run.low) - 1, low - 1, -1)]
    upward = [(step, HIGH, REPLACE_HIGH) for step in range(int(run.high) + 1, high + 1)]
    for step, add, replace in downward + upward:
        if taken >> step & 1:
            yield Addition(number, base + step, add)
        elif replaced:
            yield Addition(number, base + replaced.pop(), replace)
        else:
            yield Addition(number, WILD, add)
