"""Up and Down the River, compiled: ways to go down, missing cards and outs.

A *kind* is ``12 * suit + step`` with suits C, D, H, S (0 … 3) and steps 3 … K, ace (0 … 11), so the twelve
bits of a suit are a line on which runs are windows; kind 48 is the wild card. There are two copies of a card,
so a hand is three numbers: ``ones``, the kinds held; ``twos``, those held twice (a part of ``ones``); and
the number of wilds. A contract is its number of sets and of runs.
"""

import numpy as np

from engines.bits import lowest, popcount
from engines.compiled import entry, helper

STEPS, KINDS, WILD = 12, 48, 48
SET, RUN = 3, 4  # cards of a meld when going down (V3)
MAX_MELDS = 3
CONTRACTS = ((2, 0), (1, 1), (0, 2), (3, 0), (2, 1), (1, 2), (0, 3))  # sets and runs of each round (V4)
LINE = (1 << STEPS) - 1
RANK = sum(1 << (STEPS * suit) for suit in range(4))  # the four kinds of step 0

_FIELDS = [("once", "i8"), ("twice", "i8"), ("wilds", "i8"), ("sets", "i8"), ("low", "i8"), ("gain", "f8")]
MELD = np.dtype((np.record, _FIELDS))
"""A meld to lay: natural kinds used (``twice``: with both copies), wilds, and what it is. With ``sets`` = 0
it is the run that begins at kind ``low``; else so many sets of step ``low``, sharing their cards."""

MAX_PIECES = 36 * 15 + STEPS * 3 * 80  # runs: windows × naturals; sets: ranks × how many × cards of the rank
SET_CODES = 1 << 20
MAX_WINDOWS = 4 * 45  # of 4 to 12 cards
_NEVER = -1e300


@helper
def put(ones: int, twos: int, kind: int) -> tuple[int, int]:
    """Return a hand's naturals with one more card of a natural kind."""
    bit = 1 << kind
    return ones | bit, twos | (ones & bit)


@helper
def take(ones: int, twos: int, mask: int) -> tuple[int, int]:
    """Return a hand's naturals without one card of each kind of the mask; all of them must be held."""
    return ones & ~(mask & ~twos), twos & ~mask


@helper
def naturals(ones: int, twos: int) -> int:
    """Return how many natural cards these are."""
    return popcount(ones) + popcount(twos)


@helper
def best_sets(ones: int, twos: int, sets: int) -> int:
    """Return the most naturals that this many sets of three can hold: the fullest first.

    The cards of all ranks are counted at once, a bit of each count in one number.
    """
    a, b, c, d = ones & LINE, (ones >> 12) & LINE, (ones >> 24) & LINE, ones >> 36
    e, f, g, h = twos & LINE, (twos >> 12) & LINE, (twos >> 24) & LINE, twos >> 36
    abc, def_, gh = a ^ b ^ c, d ^ e ^ f, g ^ h
    bit0 = abc ^ def_ ^ gh
    carry0 = (a & b) | (c & (a | b))
    carry1 = (d & e) | (f & (d | e))
    carry2 = g & h
    carry3 = (abc & def_) | (gh & (abc | def_))
    low = carry0 ^ carry1 ^ carry2
    high = (carry0 & carry1) | (carry2 & (carry0 | carry1))
    bit1 = low ^ carry3
    over = low & carry3
    bit2 = high ^ over
    bit3 = high & over
    full = popcount(bit3 | bit2 | (bit1 & bit0)) + popcount(bit3 | (bit2 & bit1))
    pairs = popcount((bit1 & ~bit0 & ~bit2) | (bit0 & ~bit1 & bit2) | bit3)
    singles = popcount((~bit1 & (bit0 ^ bit2)) | (bit0 & bit1 & bit2))
    threes = min(sets, full)
    twins = min(sets - threes, pairs)
    return SET * threes + 2 * twins + min(sets - threes - twins, singles)


@helper
def _find_windows(ones: int, longest: int, windows: np.ndarray) -> int:
    """Write the places a run can take, as mask and naturals held, fullest first; return their number."""
    number = 0
    for held in range(min(longest, STEPS), 0, -1):
        for suit in range(4):
            line = (ones >> (STEPS * suit)) & LINE
            if popcount(line) < held:
                continue
            for size in range(RUN, min(longest, STEPS) + 1):
                for low in range(STEPS - size + 1):
                    window = ((1 << size) - 1) << low
                    if popcount(line & window) == held:
                        windows[number, 0] = window << (STEPS * suit)
                        windows[number, 1] = held
                        number += 1
    return number


@helper
def most_naturals(ones: int, twos: int, sets: int, runs: int, length: int, melds: np.ndarray) -> int:
    """Return the most naturals that fit into the sets, and into runs of ``length`` cards together.

    ``melds`` (three int64) gets the windows of the runs, as masks; 0 for a run that holds no natural. Windows
    are tried fullest first. A natural is as good in a run as in a set, so runs take all they can.
    """
    windows = np.empty((MAX_WINDOWS, 2), np.int64)
    number = _find_windows(ones, length - RUN * (runs - 1), windows) if runs else 0
    in_sets = best_sets(ones, twos, sets)
    best = in_sets
    melds[:] = 0
    limit = naturals(ones, twos)
    for i in range(number):
        mask_i = windows[i, 0]
        held_i = windows[i, 1]
        if held_i * runs + in_sets <= best or best == limit:
            break
        room_i = length - popcount(mask_i)
        ones_i, twos_i = take(ones, twos, mask_i & ones)
        total = held_i + best_sets(ones_i, twos_i, sets) if sets else held_i
        if total > best:
            best = total
            melds[0] = mask_i
            melds[1] = 0
            melds[2] = 0
        if runs == 1:
            continue
        for j in range(i, number):
            mask_j = windows[j, 0]
            if held_i + windows[j, 1] * (runs - 1) + in_sets <= best:
                break
            room_j = room_i - popcount(mask_j)
            if room_j < RUN * (runs - 2):
                continue
            held_j = popcount(ones_i & mask_j)
            if held_i + held_j + (windows[j, 1] if runs == 3 else 0) + in_sets <= best:
                continue
            ones_j, twos_j = take(ones_i, twos_i, mask_j & ones_i)
            total = held_i + held_j + (best_sets(ones_j, twos_j, sets) if sets else 0)
            if total > best:
                best = total
                melds[0] = mask_i
                melds[1] = mask_j
                melds[2] = 0
            if runs == 2:
                continue
            for k in range(j, number):
                mask_k = windows[k, 0]
                if held_i + held_j + windows[k, 1] <= best:
                    break
                total = held_i + held_j + popcount(ones_j & mask_k)
                if total > best and popcount(mask_k) <= room_j:
                    best = total
                    melds[0] = mask_i
                    melds[1] = mask_j
                    melds[2] = mask_k
    return best


@helper
def slots(sets: int, runs: int, cards: int) -> int:
    """Return how many cards go down. Three runs are round 7, which takes all cards, twelve at least (V12)."""
    return max(RUN * runs, cards) if runs == MAX_MELDS else SET * sets + RUN * runs


@helper
def missing_of(ones: int, twos: int, wilds: int, sets: int, runs: int, size: int, melds: np.ndarray) -> int:
    """Return how many cards are missing for melds of ``size`` cards together: see ``missing``."""
    held = naturals(ones, twos)
    if held < sets + runs:  # each meld needs a natural (V2)
        return max(sets + runs - held, size - held - wilds)
    fitting = wilds + most_naturals(ones, twos, sets, runs, size - SET * sets, melds)
    return max(0, size - min(fitting, SET * sets + STEPS * runs))


@helper
def missing(ones: int, twos: int, wilds: int, sets: int, runs: int) -> int:
    """Return the least number of cards that must be drawn before the contract's melds are complete.

    In round 7 all cards count: it is the number of cards to exchange, or draw, until the whole hand, twelve
    cards at least, lies in three runs.
    """
    size = slots(sets, runs, naturals(ones, twos) + wilds)
    return missing_of(ones, twos, wilds, sets, runs, size, np.empty(MAX_MELDS, np.int64))


@helper
def outs(ones: int, twos: int, wilds: int, sets: int, runs: int) -> int:
    """Return the kinds, as a mask with bit 48 for a wild, of which one more card makes fewer missing.

    A kind held twice is none: there is no third card.
    """
    melds = np.empty(MAX_MELDS, np.int64)
    size = slots(sets, runs, naturals(ones, twos) + wilds)
    now = missing_of(ones, twos, wilds, sets, runs, size, melds)
    found = 0
    if now == 0:
        return found
    for kind in range(KINDS):
        if (twos >> kind) & 1:
            continue
        more, double = put(ones, twos, kind)
        if missing_of(more, double, wilds, sets, runs, size, melds) < now:
            found |= 1 << kind
    if missing_of(ones, twos, wilds + 1, sets, runs, size, melds) < now:
        found |= 1 << WILD
    return found


# ---- going down in rounds 1–6


@helper
def rank_part(cards: int, step: int) -> int:
    """Return which suits of a rank are among the kinds of a mask, as four bits."""
    line = (cards >> step) & RANK
    return (line | (line >> 11) | (line >> 22) | (line >> 33)) & 15


@helper
def rank_cards(suits: int, step: int) -> int:
    """Return the kinds of a rank of the suits given as four bits."""
    return ((suits & 1) | (suits & 2) << 11 | (suits & 4) << 22 | (suits & 8) << 33) << step


@helper
def find_codes(ones: int, twos: int, wilds: int, sets: int, runs: int, codes: np.ndarray) -> int:
    """Write the codes of every meld the hand can make, ascending; return their number.

    A run is ``16 * kind + naturals``: its lowest kind, and which of its four places hold naturals, as bits.
    From ``SET_CODES`` on, ``256 * (4 * step + sets) + 16 * once + twice`` are some sets of a rank with the
    suits of their naturals, those used at least once and twice.
    """
    number = 0
    for kind in range(KINDS if runs else 0):
        if kind % STEPS > STEPS - RUN:
            continue
        window = (ones >> kind) & 15
        part = -window & window
        while part:
            if RUN - popcount(part) <= wilds:
                codes[number] = 16 * kind + part
                number += 1
            part = (part - window) & window
    for step in range(STEPS if sets else 0):
        held = rank_part(ones, step)
        doubles = rank_part(twos, step)
        for count in range(1, sets + 1):
            if popcount(held) + popcount(doubles) + wilds < SET * count:
                break
            once = -held & held
            while once:
                both = doubles & once
                twice = 0
                while True:
                    cards = popcount(once) + popcount(twice)
                    if count <= cards <= SET * count <= cards + wilds:
                        codes[number] = SET_CODES + 256 * (4 * step + count) + 16 * once + twice
                        number += 1
                    twice = (twice - both) & both
                    if twice == 0:
                        break
                once = (once - held) & held
    return number


@helper
def open_code(code: int) -> tuple[int, int, int, int, int]:
    """Return what a meld's code says: ``once``, ``twice``, ``wilds``, ``sets`` and ``low`` of ``MELD``."""
    if code < SET_CODES:
        part = code & 15
        return part << (code >> 4), 0, RUN - popcount(part), 0, code >> 4
    once = (code >> 4) & 15
    twice = code & 15
    count = (code >> 8) & 3
    step = (code - SET_CODES) >> 10
    wilds = SET * count - popcount(once) - popcount(twice)
    return rank_cards(once, step), rank_cards(twice, step), wilds, count, step


@helper
def find_pieces(
    ones: int, twos: int, wilds: int, sets: int, runs: int, weights: np.ndarray, pieces: np.ndarray
) -> tuple[int, int]:
    """Write every meld the hand can make, runs first, then sets by rank; return where runs and sets end.

    All ways lay the same number of cards, so a meld's ``gain`` counts only its naturals, each by how
    much more it weighs than the wild that could stand there.
    """
    codes = np.empty(MAX_PIECES, np.int64)
    number = find_codes(ones, twos, wilds, sets, runs, codes)
    run_end = 0
    for place in range(number):
        once, twice, filled, count, low = open_code(codes[place])
        pieces[place].once = once
        pieces[place].twice = twice
        pieces[place].wilds = filled
        pieces[place].sets = count
        pieces[place].low = low
        pieces[place].gain = meld_gain(once, weights) + meld_gain(twice, weights)
        run_end += count == 0
    return run_end, number


@helper
def meld_gain(cards: int, weights: np.ndarray) -> float:
    """Return how much more the kinds of a mask weigh than as many wilds."""
    gain = 0.0
    while cards:
        gain += weights[lowest(cards)] - weights[WILD]
        cards &= cards - 1
    return gain


@helper
def _find_bounds(pieces: np.ndarray, number: int, sets: int, runs: int, wilds: int) -> np.ndarray:
    """Return the most gain of [sets, runs] still to lay with at most [wilds], were no card needed twice."""
    best = np.full((sets + 1, wilds + 1), _NEVER)  # of one piece; row 0 is a run
    for place in range(number):
        piece = pieces[place]
        best[piece.sets, piece.wilds] = max(best[piece.sets, piece.wilds], piece.gain)
    bounds = np.full((sets + 1, runs + 1, wilds + 1), _NEVER)
    bounds[0, 0, :] = 0.0
    for s in range(sets + 1):
        for r in range(runs + 1):
            for most in range(wilds + 1):
                for used in range(most + 1):
                    value = bounds[s, r, most]
                    if r:
                        value = max(value, best[0, used] + bounds[s, r - 1, most - used])
                    else:
                        for count in range(1, s + 1):
                            value = max(value, best[count, used] + bounds[s - count, 0, most - used])
                    bounds[s, r, most] = value
    return bounds


@helper
def _lay(
    ones: int,
    twos: int,
    wilds: int,
    sets: int,
    runs: int,
    weights: np.ndarray,
    pieces: np.ndarray,
    ways: np.ndarray,
    only_best: bool,
) -> int:
    """Write the ways to lay the contract to the rows of ``ways``; return their number (at most the rows).

    Pieces are tried in order, runs before sets, and equal ranks only once, so no result comes twice. With
    ``only_best`` each way found replaces the one before, and what cannot weigh more is not tried.
    """
    if naturals(ones, twos) + wilds <= slots(sets, runs, 0):
        return 0  # a card must be left for the discard (V8)
    run_end, number = find_pieces(ones, twos, wilds, sets, runs, weights, pieces)
    bounds = _find_bounds(pieces, number, sets, runs, wilds)
    # What is left before the meld of each depth: naturals, wilds, sets and runs to lay, the next piece.
    left = np.empty((MAX_MELDS + 1, 6), np.int64)
    gains = np.zeros(MAX_MELDS + 1)
    chosen = np.zeros(MAX_MELDS, np.int64)
    left[0, :] = (ones, twos, wilds, sets, runs, 0 if runs else run_end)
    best = _NEVER
    count = 0
    depth = 0
    while depth >= 0:
        ones, twos, wilds, sets, runs, place = left[depth]
        if place >= (run_end if runs else number):
            depth -= 1
            continue
        left[depth, 5] += 1
        piece = pieces[place]
        if piece.once & ~ones or piece.twice & ~twos or piece.wilds > wilds or piece.sets > sets:
            continue
        if depth and piece.sets:
            before = pieces[chosen[depth - 1]]
            if before.sets and before.low == piece.low:
                continue  # two sets of a rank are one piece
        wilds -= piece.wilds
        sets -= piece.sets
        runs -= piece.sets == 0
        gain = gains[depth] + piece.gain
        bound = gain + bounds[sets, runs, wilds]
        if bound <= best or bound < _NEVER / 2:
            continue
        chosen[depth] = place
        if sets + runs:
            ones, twos = take(ones, twos, piece.once)
            ones, twos = take(ones, twos, piece.twice)
            depth += 1
            left[depth, :] = (ones, twos, wilds, sets, runs, place if runs or piece.sets else run_end)
            gains[depth] = gain
            continue
        for meld in range(MAX_MELDS):
            if meld <= depth:
                ways[count, meld] = pieces[chosen[meld]]
            else:
                ways[count, meld].once = 0
        if only_best:
            best = gain
        else:
            count += 1
            if count == len(ways):
                break
    return int(best > _NEVER) if only_best else count


@helper
def find_ways(
    ones: int, twos: int, wilds: int, sets: int, runs: int, pieces: np.ndarray, ways: np.ndarray
) -> int:
    """Write every distinct way to go down (rounds 1–6) to the rows of ``ways``; return their number.

    Two ways differ if the hand left, the ranks of the sets, or the runs with their wilds' places do. A
    row holds up to three ``MELD`` (several sets of a rank are one); those not used have ``once`` = 0. It
    stops when ``ways`` is full. ``pieces`` is scratch of ``MAX_PIECES`` melds.
    """
    return _lay(ones, twos, wilds, sets, runs, np.zeros(KINDS + 1), pieces, ways, False)


@helper
def find_best(
    ones: int,
    twos: int,
    wilds: int,
    sets: int,
    runs: int,
    weights: np.ndarray,
    pieces: np.ndarray,
    ways: np.ndarray,
) -> bool:
    """Write the way down that leaves the least weight in hand to ``ways[0]``; return whether there is one.

    ``weights`` has one float for each kind and the last for a wild.
    """
    return _lay(ones, twos, wilds, sets, runs, weights, pieces, ways, True) > 0


# ---- for Python; ``hands`` are rows of ones, twos, wilds


@entry
def batch_missing(hands: np.ndarray, sets: int, runs: int, answers: np.ndarray) -> None:
    """Find how many cards each hand misses."""
    for place in range(len(hands)):
        answers[place] = missing(hands[place, 0], hands[place, 1], hands[place, 2], sets, runs)


@entry
def batch_outs(hands: np.ndarray, sets: int, runs: int, answers: np.ndarray) -> None:
    """Find the outs of each hand, as masks of kinds."""
    for place in range(len(hands)):
        answers[place] = outs(hands[place, 0], hands[place, 1], hands[place, 2], sets, runs)


@entry
def batch_best(
    hands: np.ndarray,
    sets: int,
    runs: int,
    weights: np.ndarray,
    pieces: np.ndarray,
    ways: np.ndarray,
    found: np.ndarray,
) -> None:
    """Find each hand's best way down: row by row in ``ways``, where ``found`` says so."""
    for place in range(len(hands)):
        ones, twos, wilds = hands[place]
        found[place] = find_best(ones, twos, wilds, sets, runs, weights, pieces, ways[place : place + 1])


@entry
def all_ways(hand: np.ndarray, sets: int, runs: int, pieces: np.ndarray, ways: np.ndarray) -> int:
    """Find every way down of one hand: see ``find_ways``."""
    return find_ways(hand[0], hand[1], hand[2], sets, runs, pieces, ways)


@entry
def round7(hand: np.ndarray, windows: np.ndarray) -> bool:
    """Say whether the whole hand lies in three runs (V12); ``windows`` gets where their naturals are."""
    size = slots(0, MAX_MELDS, naturals(hand[0], hand[1]) + hand[2])
    return missing_of(hand[0], hand[1], hand[2], 0, MAX_MELDS, size, windows) == 0
