"""Up and Down the River: the quick policy. It reads only what the mover sees.

It asks the meld kernel how many cards are missing for the contract: it takes and buys what makes fewer
missing, goes down as soon as it can, adds what can be added, and discards what promises least.
"""

from typing import Any

import numpy as np

from engines import contract
from engines.bits import lowest, popcount
from engines.compiled import helper
from engines.contract import NONE
from engines.river.heaps import unseen_cards
from engines.river.moves import to_lay, wanted
from engines.river.rules import (
    ADD,
    ADDING,
    BUY,
    BUYING,
    DISCARD,
    DRAW,
    DRAWING,
    LAY_RUN,
    NOT_DOWN,
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
from solvers.melds.river_kernel import (
    KINDS,
    LINE,
    MAX_MELDS,
    MAX_PIECES,
    MELD,
    RANK,
    RUN,
    STEPS,
    WILD,
    find_best,
    meld_gain,
    missing,
    missing_of,
    naturals,
    open_code,
    put,
    slots,
    take,
)
from solvers.melds.river_table import HIGH, LOW

COST = np.array([5.0] * 7 + [10.0] * 4 + [15.0])  # of a step (V13)


# The weights were chosen by matches of one changed seat against the policy, 8,000 rounds of each contract
# with two, three and four players. Promises go by the naturals of a rank in hand, and of a run's place.
IN_SET = np.array([0.0, 0.3, 1.2, 1.5, 0.6, 0.6, 0.6, 0.6, 0.6])
IN_RUN = np.array([0.0, 0.05, 0.35, 1.0, 1.2])
MISSING = 4.0  # a card missing, in the same measure
OUT = 0.2  # a card not seen yet that makes a run's place fuller,
OUT_ALL = 0.4  # and in round 7, where nothing else helps
POINT = 0.05  # a point of the card that goes
HELPS_OTHERS = 3.0  # a discard that others can add to a meld; shared by these, as only one can take it
HELPS_SELF = 3.0  # a discard that the player could add next turn
MANY = 4  # players from which on it is worth buying what only promises much; with fewer, rounds last longer
MUCH = 0.8


@contract.suggest.register
def river_suggest(rules: RiverRules, s: Any, moves: np.ndarray, n: int, rng: np.ndarray) -> int:
    """Draw, buy, lay, add and discard by what the meld kernel says of the hand."""
    if n == 1:
        return moves[0]
    if s.phase == DRAWING:
        return TAKE if wants_discard(s, s.player) else DRAW
    if s.phase == BUYING:
        return BUY if would_buy(rules, s) else PASS
    if s.phase == PLAYING:
        return best_lay(s, moves, n)
    if s.phase == ADDING:
        return best_addition(s, moves, n)
    return best_discard(rules, s, moves, n)


@helper
def on_table(s: Any) -> int:
    """The kinds that can be added to some meld, as a mask."""
    takes = 0
    for place in range(len(s.melds)):
        takes |= wanted(s.melds, place)
    return takes


@helper
def missing_with(hand: np.ndarray, kind: int, sets: int, runs: int) -> int:
    """How many cards are missing with one more of a kind."""
    if kind == WILD:
        return missing(hand[ONES], hand[TWOS], hand[WILDS] + 1, sets, runs)
    ones, twos = put(hand[ONES], hand[TWOS], kind)
    return missing(ones, twos, hand[WILDS], sets, runs)


@helper
def wants_discard(s: Any, seat: int) -> bool:
    """Whether the top discard is better for a player than an unknown card."""
    if s.down[seat] != NOT_DOWN:
        return (on_table(s) >> s.top) & 1 == 1
    if s.top == WILD:
        return True
    hand = s.hand[seat]
    sets = SETS[s.stage]
    runs = RUNS[s.stage]
    now = missing(hand[ONES], hand[TWOS], hand[WILDS], sets, runs)
    return missing_with(hand, s.top, sets, runs) < now


@helper
def would_buy(rules: RiverRules, s: Any) -> bool:
    """Whether the discard is worth two more cards in hand."""
    seat = s.asked
    if s.down[seat] != NOT_DOWN or RUNS[s.stage] == MAX_MELDS:
        return False
    hand = s.hand[seat]
    sets = SETS[s.stage]
    runs = RUNS[s.stage]
    now = missing(hand[ONES], hand[TWOS], hand[WILDS], sets, runs)
    if now == 0:
        return False
    if missing_with(hand, s.top, sets, runs) < now:
        return True
    if rules.players < MANY or now == 1:
        return False
    unseen = np.empty(3, np.int64)
    unseen_cards(rules.players, s, seat, unseen)
    ones, twos = put(hand[ONES], hand[TWOS], s.top)  # not a wild: that would make fewer missing
    return promise(ones, twos, unseen, s.top, sets, runs) > MUCH


# ---- going down


@helper
def lay_weights(s: Any, weights: np.ndarray) -> None:
    """What a card weighs that stays in hand: its points, less if it can be added next turn."""
    takes = on_table(s)
    for kind in range(KINDS):
        weights[kind] = COST[kind % STEPS] * (0.5 if (takes >> kind) & 1 else 1.0)
    weights[WILD] = 0.0


@helper
def best_lay(s: Any, moves: np.ndarray, n: int) -> int:
    """The meld to lay: of the way down that leaves least, or the one that takes most off the hand."""
    if RUNS[s.stage] == MAX_MELDS:
        return moves[n - 1]
    weights = np.empty(KINDS + 1, np.float64)
    lay_weights(s, weights)
    sets, runs = to_lay(s, s.player)
    if sets + runs > 1:
        hand = s.hand[s.player]
        pieces = np.empty(MAX_PIECES, MELD)
        ways = np.empty((1, MAX_MELDS), MELD)
        find_best(hand[ONES], hand[TWOS], hand[WILDS], sets, runs, weights, pieces, ways)
        for i in range(n):
            once, twice, _, count, low = open_code(moves[i] - LAY_RUN)
            way = ways[0, 0]
            if way.once == once and way.twice == twice and way.sets == count and way.low == low:
                return moves[i]
    best = -1e9
    choice = NONE
    for i in range(n):
        if moves[i] >= LAY_RUN:
            once, twice, _, _, _ = open_code(moves[i] - LAY_RUN)
            gain = meld_gain(once, weights) + meld_gain(twice, weights)
            if gain > best:
                best = gain
                choice = moves[i]
    return choice


@helper
def best_addition(s: Any, moves: np.ndarray, n: int) -> int:
    """The next natural that can be added, or a wild that makes room for one, or any wild; as melds come."""
    hand = s.hand[s.player]
    for i in range(n):
        if moves[i] == STOP:
            continue
        kind = moves[i] & 63
        if kind != WILD:
            return moves[i]
        meld = s.melds[(moves[i] - ADD) >> 9]
        where = (moves[i] >> 6) & 7
        line = (hand[ONES] >> (STEPS * max(meld.suit, 0))) & LINE
        if where == LOW and meld.low > 1 and (line >> (meld.low - 2)) & 1:
            return moves[i]
        if where == HIGH and meld.high < STEPS - 2 and (line >> (meld.high + 2)) & 1:
            return moves[i]
    return moves[n - 1]


# ---- discarding


@helper
def promise(ones: int, twos: int, unseen: np.ndarray, kind: int, sets: int, runs: int) -> float:
    """What a natural of a hand promises for the contract."""
    value = 0.0
    if sets:
        step = kind % STEPS
        held = popcount((ones >> step) & RANK) + popcount((twos >> step) & RANK)
        live = popcount((unseen[ONES] >> step) & RANK) + popcount((unseen[TWOS] >> step) & RANK)
        value += IN_SET[held] * (live + 1) / (9 - held)
    if runs and (twos >> kind) & 1 == 0:
        step = kind % STEPS
        for low in range(max(step - RUN + 1, 0), min(step, STEPS - RUN) + 1):
            base = kind - step + low
            line = (ones >> base) & 15
            held = popcount(line)
            gaps = (15 & ~line) << base
            live = popcount(unseen[ONES] & gaps) + popcount(unseen[TWOS] & gaps)
            value += IN_RUN[held] * (live + 1) / (2 * (RUN - held) + 1)
    return value


@helper
def run_outs(ones: int, twos: int, runs: int, melds: np.ndarray) -> int:
    """The kinds that would make a run's place fuller, given the places of the runs that hold most.

    A run may lie anywhere around its naturals.
    """
    found = 0
    for place in range(runs):
        window = melds[place]
        held = ones & window
        if held == 0:
            continue
        ones, twos = take(ones, twos, held)
        base = lowest(window) // STEPS * STEPS
        length = popcount(window)
        line = (held >> base) & LINE
        low = lowest(line)
        high = low
        while line >> (high + 1):
            high += 1
        least = max(high - length + 1, 0)
        most = min(low + length - 1, STEPS - 1)
        found |= (((2 << most) - (1 << least)) & ~line) << base
    return found


@helper
def best_discard(rules: RiverRules, s: Any, moves: np.ndarray, n: int) -> int:
    """The card that keeps the fewest missing, promises least and costs most."""
    seat = s.player
    hand = s.hand[seat]
    ones = hand[ONES]
    twos = hand[TWOS]
    wilds = hand[WILDS]
    sets = SETS[s.stage]
    runs = RUNS[s.stage]
    takes = on_table(s)
    unseen = np.empty(3, np.int64)
    unseen_cards(rules.players, s, seat, unseen)
    up = s.down[seat] == NOT_DOWN
    melds = np.zeros(MAX_MELDS, np.int64)
    best = -1e9
    choice = moves[0]
    for i in range(n):
        kind = moves[i] - DISCARD
        if kind == WILD:
            value = -15.0
        else:
            value = POINT * COST[kind % STEPS]
            if (takes >> kind) & 1:
                value -= HELPS_OTHERS / (rules.players - 1) if up else HELPS_SELF
            if up:
                fewer, singles = take(ones, twos, 1 << kind)
                size = slots(sets, runs, naturals(fewer, singles) + wilds)
                lack = missing_of(fewer, singles, wilds, sets, runs, size, melds)
                value -= MISSING * lack
                if runs and lack:
                    useful = run_outs(fewer, singles, runs, melds)
                    value += (OUT_ALL if runs == MAX_MELDS else OUT) * (
                        popcount(useful & unseen[ONES]) + popcount(useful & unseen[TWOS])
                    )
                value -= promise(ones, twos, unseen, kind, sets, runs)
        if value > best:
            best = value
            choice = moves[i]
    return choice
