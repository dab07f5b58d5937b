"""The Dukes Up! automaton, compiled: for game engines, playouts and thousands of tables at once.

Helpers are called from compiled code, the ``batch_*`` entries from Python. Two ranks are read at a time,
from a table of 60 kB that Numba embeds in the compiled code (one above 1 MB it would not cache).
"""

import numpy as np

from engines.bits import lowest, popcount
from engines.cards import KING, TWO
from engines.compiled import entry, helper
from solvers.melds.dukes_automaton import ENDS, LOW_STATES, MOVES, STATES, low_choices
from solvers.melds.dukes_graph import FLOWERS, THORNS

MAX_OPTIONAL = 10
_AFTER_ACES = 4 * TWO
_PAIRS = (KING - TWO + 1) // 2

_one = np.frombuffer(MOVES, np.uint8).reshape(STATES, 16)
_PAIR = np.ascontiguousarray(_one[_one].transpose(0, 2, 1)).reshape(-1)  # [state, second rank, first rank]
_LAST = np.frombuffer(ENDS, np.uint8)[_one].reshape(-1)  # [state, aces at the high end] -> 1 if valid
_LOW = np.frombuffer(LOW_STATES, np.uint8)


def _fits(low: int, suits: int) -> bool:
    """Say whether the runs begun by these low aces can all go on with these cards."""
    return all((low & family).bit_count() <= (suits & family).bit_count() for family in (FLOWERS, THORNS))


# Sets of low-ace choices, as bits: those that differ given the aces, and those that a rank can carry on.
_CHOICES = np.array([sum(1 << low for low in low_choices(aces)) for aces in range(16)])
_CARRIED = np.array([sum(1 << low for low in range(16) if _fits(low, suits)) for suits in range(16)])


@helper
def _carried(table: int) -> int:
    """Return the choices of low aces, as bits, that find the twos and threes to go on with."""
    return _CARRIED[(table >> 4) & 15] & _CARRIED[(table >> 8) & 15]


@helper
def feasible(table: int) -> bool:
    """Say whether the cards of a mask can be partitioned into sets and runs (D4); no cards can."""
    lows = _CHOICES[table & 15] & _carried(table)
    while lows:
        low = lowest(lows)
        lows &= lows - 1
        state = np.int64(_LOW[low])
        cards = table >> _AFTER_ACES
        for _ in range(_PAIRS):
            state = np.int64(_PAIR[(state << 8) | (cards & 255)])
            cards >>= 8
        if _LAST[(state << 4) | ((table & 15) ^ low)]:
            return True
    return False


@helper
def removable(table: int, candidates: int) -> int:
    """Return those of the candidates, as a mask, whose removal alone leaves the table valid."""
    found = 0
    left = table & candidates
    while left:
        card = left & -left
        left ^= card
        if feasible(table ^ card):
            found |= card
    return found


@helper
def _walk_parts(state: int, fixed: int, optional: int, states: np.ndarray) -> int:
    """Walk from the twos to the kings with each part of the optional cards; return how many parts there are.

    ``states`` gets where each walk ends, in the rising order of the parts. All walk side by side: a step
    that meets k optional cards turns each walk into 2**k.
    """
    states[0] = state
    walks = 1
    for _ in range(_PAIRS):
        extra = optional & 255
        part = extra
        place = walks << popcount(extra)
        while True:  # downwards, so that the walks are overwritten only after their last use
            place -= walks
            step = (fixed & 255) | part
            for walk in range(walks):
                states[place + walk] = _PAIR[(np.int64(states[walk]) << 8) | step]
            if part == 0:
                break
            part = (part - 1) & extra
        walks <<= popcount(extra)
        fixed >>= 8
        optional >>= 8
    return walks


@helper
def feasible_subsets(table: int, optional: int, must: int, subsets: np.ndarray) -> int:
    """Write every part of ``optional`` that holds all of ``must`` and makes the table valid with it.

    Masks go to ``subsets``, in rising order; the number of them is returned. ``optional`` is at most
    ``MAX_OPTIONAL`` cards, none on the table, and ``must`` is among them; ``subsets`` needs a place for each
    part.
    """
    table |= must
    optional &= ~must
    aces = optional & 15
    ace_parts = 1 << popcount(aces)
    states = np.empty(1 << MAX_OPTIONAL, np.uint8)
    valid = np.zeros(1 << MAX_OPTIONAL, np.uint8)
    lows = _carried(table | optional)
    while lows:
        low = lowest(lows)
        lows &= lows - 1
        if low & ~(table | optional):
            continue
        walks = _walk_parts(np.int64(_LOW[low]), table >> _AFTER_ACES, optional >> _AFTER_ACES, states)
        ace_part = 0
        for place in range(ace_parts):
            held = (table & 15) | ace_part
            ace_part = (ace_part - aces) & aces  # the next part, in rising order
            if (_CHOICES[held] >> low) & 1:
                for walk in range(walks):
                    valid[walk * ace_parts + place] |= _LAST[(np.int64(states[walk]) << 4) | (held ^ low)]
    count = 0
    part = 0
    for place in range(1 << popcount(optional)):
        if valid[place]:
            subsets[count] = part | must
            count += 1
        part = (part - optional) & optional
    return count


@entry
def batch_feasible(tables: np.ndarray, answers: np.ndarray) -> None:
    """Judge many tables (int64) at once; ``answers`` (bool) is as long."""
    for place in range(len(tables)):
        answers[place] = feasible(tables[place])


@entry
def batch_removable(tables: np.ndarray, candidates: np.ndarray, answers: np.ndarray) -> None:
    """Find the removable cards of many tables (all arrays int64)."""
    for place in range(len(tables)):
        answers[place] = removable(tables[place], candidates[place])


@entry
def all_subsets(table: int, optional: int, must: int, subsets: np.ndarray) -> int:
    """Write the feasible parts of up to ten optional cards: see ``feasible_subsets``."""
    return feasible_subsets(table, optional, must, subsets)
