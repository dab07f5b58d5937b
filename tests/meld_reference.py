"""Slow answers written straight from the rulings, to hold the solvers against, sharing no code."""

from itertools import combinations

import numpy as np
from numba import njit


def dukes_melds() -> np.ndarray:
    """Every set and every run of 3 to 5 cards (longer ones fall into these), by their first place.

    A place is ``2 * rank + family``; which of a family's two cards of a rank a meld takes does not matter, as
    a set takes cards of different suits in any case. Rows of places are filled up with -1.
    """
    melds = [
        [2 * rank] * flowers + [2 * rank + 1] * thorns
        for rank in range(13)
        for flowers, thorns in ((1, 2), (2, 1), (2, 2))
    ]
    for length in (3, 4, 5):
        for low in range(15 - length):  # the last one ends with a high ace; none has two (D3)
            melds += [[2 * ((low + n) % 13) + family for n in range(length)] for family in range(2)]
    table = np.full((26, 12, 5), -1)
    for place in range(26):
        for number, meld in enumerate(meld for meld in melds if min(meld) == place):
            table[place, number, : len(meld)] = meld
    return table


@njit
def exact_cover(table, melds):
    """Say whether melds cover the table exactly: take its first place, try each meld that begins there."""
    left = np.zeros((20, 26), np.int64)  # cards at each place, depth by depth
    for card in range(52):
        left[0, 2 * (card // 4) + card % 2] += (table >> card) & 1
    tried = np.zeros(20, np.int64)
    depth = 0
    while depth >= 0:
        place = 0
        while place < 26 and left[depth, place] == 0:
            place += 1
        if place == 26:
            return True
        number = tried[depth]
        tried[depth] += 1
        if number == melds.shape[1] or melds[place, number, 0] < 0:
            depth -= 1
            continue
        left[depth + 1] = left[depth]
        fits = True
        for taken in melds[place, number]:
            if taken >= 0:
                left[depth + 1, taken] -= 1
                fits = fits and left[depth + 1, taken] >= 0
        if fits:
            depth += 1
            tried[depth] = 0
    return False


@njit
def exact_covers(tables, melds, answers):
    for place in range(len(tables)):
        answers[place] = exact_cover(tables[place], melds)


def partitions(cards: frozenset[int], is_meld) -> list[list[tuple[int, ...]]]:
    """All partitions of a few cards into melds."""
    if not cards:
        return [[]]
    first = min(cards)
    found = []
    for size in range(2, len(cards)):
        for others in combinations(sorted(cards - {first}), size):
            if is_meld((first, *others)):
                found += [[(first, *others), *rest] for rest in partitions(cards - {first, *others}, is_meld)]
    return found


@njit
def _one_meld(hand, mask, is_run, exact, length):
    """Return the length of the meld that these cards can be part of (exactly make), or 99."""
    count, naturals, low, high, suits, steps, double = 0, 0, 99, -1, 0, 0, False
    for place in range(len(hand)):
        if (mask >> place) & 1:
            count += 1
            if hand[place] < 48:
                step = hand[place] % 12
                naturals += 1
                low, high = min(low, step), max(high, step)
                suits |= 1 << (hand[place] // 12)
                double |= (steps >> step) & 1 == 1
                steps |= 1 << step
    size = 4 if is_run else 3
    if is_run:
        if double or suits & (suits - 1):
            return 99
        size = max(size, count)
        if naturals:
            size = max(size, high - low + 1)
        if naturals == 0 and size == count:
            size += 1  # room for a natural (V2)
        if size > (12 if length == 0 else length):
            return 99
    elif steps & (steps - 1) or count > 3 or (naturals == 0 and count == 3):
        return 99
    if exact and (naturals == 0 or (count != size)):
        return 99
    return size


@njit
def river(hand, sets, runs, weights):
    """Return the missing cards and the least weight left after going down (-1: it cannot).

    Every part of the hand is tried as each meld: 3**n steps a meld. ``hand`` is a list of kinds.
    """
    n = len(hand)
    full = 1 << n
    seven = runs == 3
    total = max(12, n) if seven else 3 * sets + 4 * runs
    best_part = 0
    least = -1.0
    for exact in range(2):
        cost = np.full(full, 99, np.int64)  # least length of the melds so far that hold these cards
        cost[0] = 0
        for meld in range(sets + runs):
            after = np.full(full, 99, np.int64)
            single = np.zeros(full, np.int64)
            for mask in range(full):
                single[mask] = _one_meld(
                    hand, mask, meld >= sets, exact == 1 and not seven, 0 if seven else 4
                )
            for mask in range(full):
                part = mask
                while True:
                    if single[part] < 99 and cost[mask ^ part] < 99:
                        after[mask] = min(after[mask], single[part] + cost[mask ^ part])
                    if part == 0:
                        break
                    part = (part - 1) & mask
            cost = after
        for mask in range(full):
            if cost[mask] > total:
                continue
            count = 0
            weight = 0.0
            for place in range(n):
                if (mask >> place) & 1:
                    count += 1
                else:
                    weight += weights[hand[place]]
            if exact == 0:
                best_part = max(best_part, count)
            elif not seven and count < n and (least < 0 or weight < least):
                least = weight
    if seven and total == best_part:
        least = 0.0
    return total - best_part, least


@njit
def rivers(hands, sets, runs, weights, missing, least):
    for place in range(len(hands)):
        missing[place], least[place] = river(hands[place], sets, runs, weights)
