"""Up and Down the River: the legal moves, compiled.

A player goes down meld by meld, in the order of the kernel's codes: runs, then sets by rank, all sets of a
rank at once. Only melds after which the rest of the contract can be laid from higher codes are legal, so
every way down is reached in exactly one way. Additions go from meld to meld too, those to a run's low end
before those to its high end, which reaches every result (an end of a run does not care about the other).
"""

from typing import Any

import numpy as np

from engines import contract
from engines.bits import lowest, popcount
from engines.compiled import helper
from engines.river.rules import (
    ADD,
    ADDING,
    BUY,
    BUYING,
    DISCARD,
    DRAW,
    DRAWING,
    LAY_ALL,
    LAY_RUN,
    MAX_PLAYERS,
    ONES,
    PASS,
    PLAYING,
    RUNS,
    SETS,
    STOP,
    TAKE,
    TWOS,
    WILDS,
    RiverRules,
)

# As in Dukes Up!, the engine asks the meld solver what can be laid.
from solvers.melds.river_kernel import (
    KINDS,
    LINE,
    MAX_MELDS,
    MAX_PIECES,
    RANK,
    RUN,
    SET,
    SET_CODES,
    STEPS,
    WILD,
    best_sets,
    find_codes,
    missing_of,
    naturals,
    open_code,
    slots,
    take,
)
from solvers.melds.river_table import ADDITION, HIGH, INTO, LOW, MAX_ADDITIONS, REPLACE_LOW, find_additions


def _fullest(line: int) -> int:
    """Return the most naturals of a suit's line that a run of four can hold."""
    return max((line >> low & 15).bit_count() for low in range(STEPS - RUN + 1))


MAX_ADDING = MAX_PLAYERS * MAX_MELDS * MAX_ADDITIONS + 1  # all additions, and to stop
FULLEST = np.array([_fullest(line) for line in range(1 << STEPS)])


@contract.most_moves.register
@helper
def river_most_moves(rules: RiverRules) -> int:
    """All melds that a hand can make and a stop; additions (28 a meld) and discards (49) are fewer."""
    return MAX_PIECES + 1


@contract.legal.register
def river_legal(rules: RiverRules, s: Any, moves: np.ndarray) -> int:
    """What the mover can choose in this phase."""
    if s.phase == DRAWING:
        return draws(s, moves)
    if s.phase == BUYING:
        moves[0] = PASS
        moves[1] = BUY
        return 2
    if s.phase == PLAYING:
        return lays(s, moves)
    if s.phase == ADDING:
        moves[0] = STOP
        return additions(s, moves)
    return discards(s.hand[s.player], moves)


@helper
def draws(s: Any, moves: np.ndarray) -> int:
    """Draw, unless the pile is empty, or take the discard, which is always there (V6, V14)."""
    n = 0
    if s.pile > 0:
        moves[n] = DRAW
        n += 1
    moves[n] = TAKE
    return n + 1


@helper
def discards(hand: np.ndarray, moves: np.ndarray) -> int:
    """Any card in hand."""
    n = 0
    rest = hand[ONES]
    while rest:
        moves[n] = DISCARD + lowest(rest)
        rest &= rest - 1
        n += 1
    if hand[WILDS]:
        moves[n] = DISCARD + WILD
        n += 1
    return n


# ---- going down


@helper
def can_go_down(ones: int, twos: int, wilds: int, sets: int, runs: int) -> bool:
    """Whether a hand can lay the contract and keep a card (V8), or all its cards in round 7 (V12)."""
    held = naturals(ones, twos)
    cards = held + wilds
    if runs == MAX_MELDS:
        suits = 0
        for suit in range(4):
            suits += (ones >> (STEPS * suit)) & LINE != 0
        if suits > MAX_MELDS or cards < RUN * MAX_MELDS:
            return False
        return missing_of(ones, twos, wilds, 0, runs, cards, np.empty(MAX_MELDS, np.int64)) == 0
    size = slots(sets, runs, 0)
    if cards <= size or held < sets + runs:
        return False
    most = best_sets(ones, twos, sets)
    if runs:
        fullest = 0
        for suit in range(4):
            fullest = max(fullest, FULLEST[(ones >> (STEPS * suit)) & LINE])
        most += fullest * runs
    if most + wilds < size:  # most hands fail this easy test
        return False
    return runs == 0 or missing_of(ones, twos, wilds, sets, runs, size, np.empty(MAX_MELDS, np.int64)) == 0


@helper
def to_lay(s: Any, seat: int) -> tuple[int, int]:
    """Return the sets and runs of the contract that a player has not yet laid."""
    sets = SETS[s.stage]
    runs = RUNS[s.stage]
    for place in range(MAX_MELDS * seat, MAX_MELDS * seat + MAX_MELDS):
        if s.melds[place].suit < 0:
            sets -= 1
        elif s.melds[place].high:
            runs -= 1
    return sets, runs


@helper
def lays(s: Any, moves: np.ndarray) -> int:
    """The melds to begin or go on with; before the first, to stay up is a choice too."""
    if RUNS[s.stage] == MAX_MELDS:
        moves[0] = STOP
        moves[1] = LAY_ALL
        return 2
    hand = s.hand[s.player]
    ones = hand[ONES]
    twos = hand[TWOS]
    wilds = hand[WILDS]
    sets, runs = to_lay(s, s.player)
    found = find_codes(ones, twos, wilds, 0 if runs else sets, runs, moves[1:])
    n = 0
    if s.least == 0:
        moves[0] = STOP
        n = 1
    for place in range(1, found + 1):
        code = moves[place]
        if LAY_RUN + code >= s.least and can_follow(ones, twos, wilds, sets, runs, code):
            moves[n] = LAY_RUN + code
            n += 1
    return n


@helper
def can_follow(ones: int, twos: int, wilds: int, sets: int, runs: int, code: int) -> bool:
    """Whether the sets and runs to lay can be laid by a meld and others of higher codes."""
    once, twice, filled, count, low = open_code(code)
    ones, twos = take(ones, twos, once)
    ones, twos = take(ones, twos, twice)
    wilds -= filled
    if count:
        above = RANK * (LINE & ~((2 << low) - 1))
        return sets_fit(ones & above, twos & above, wilds, sets - count)
    if runs == 1:
        return sets_fit(ones, twos, wilds, sets)
    # One more run, from here on (there are never more, but in round 7). With the same place, its code counts.
    window = (ones >> low) & 15
    part = window
    while part >= code & 15:
        if RUN - popcount(part) <= wilds:
            fewer, singles = take(ones, twos, part << low)
            if sets_fit(fewer, singles, wilds - RUN + popcount(part), sets):
                return True
        part = (part - 1) & window
    if naturals(ones, twos) < sets + 1:
        return False
    # Further on, the run takes all naturals it can: it gives one back if a set would have none.
    for kind in range(low + 1, KINDS):
        window = (ones >> kind) & 15
        if kind % STEPS > STEPS - RUN or window == 0 or popcount(window) + wilds < RUN:
            continue
        fewer, singles = take(ones, twos, window << kind)
        if popcount(window) + wilds + best_sets(fewer, singles, sets) >= RUN + SET * sets:
            return True
    return False


@helper
def sets_fit(ones: int, twos: int, wilds: int, sets: int) -> bool:
    """Whether these cards make so many sets."""
    return naturals(ones, twos) >= sets and best_sets(ones, twos, sets) + wilds >= SET * sets


# ---- adding


@helper
def additions(s: Any, moves: np.ndarray) -> int:
    """Write what can be added or replaced behind the first of ``moves``; return the number of all."""
    found = np.empty(len(s.melds) * MAX_ADDITIONS, ADDITION)
    hand = s.hand[s.player]
    number = find_additions(hand[ONES], hand[WILDS], s.melds, found)
    n = 1
    for place in range(number):
        code = ADD + 512 * found[place].meld + 64 * found[place].where + found[place].kind
        if code >= s.least:
            moves[n] = code
            n += 1
    return n


@helper
def can_add(s: Any) -> bool:
    """Whether the player, at the beginning, can add anything; a card must be left to discard (V11)."""
    if s.held[s.player] < 2:
        return False
    hand = s.hand[s.player]
    have = hand[ONES] | int(hand[WILDS] > 0) << WILD
    takes = 0
    for place in range(len(s.melds)):
        takes |= wanted(s.melds, place)
    return have & takes != 0


@helper
def wanted(melds: np.ndarray, place: int) -> int:
    """Return the kinds that can be added to a meld, as a mask with bit 48 for a wild."""
    suit = melds[place].suit
    low = melds[place].low
    high = melds[place].high
    if suit < 0:
        return RANK << low | 1 << WILD
    if high == 0 or (low == 0 and high == STEPS - 1):
        return 0
    line = melds[place].wilds | ((1 << low) >> 1) | ((2 << high) & LINE)
    return line << (STEPS * suit) | 1 << WILD


@helper
def next_least(code: int) -> int:
    """Return the lowest code that may follow a move which lays a meld or adds to one."""
    if code >= ADD:
        where = (code >> 6) & 7
        if where == INTO:
            return code
        side = LOW if where <= REPLACE_LOW else HIGH
        return (code & ~511) + 64 * side
    piece = code - LAY_RUN
    return code if piece < SET_CODES else LAY_RUN + ((piece >> 10) + 1 << 10)
