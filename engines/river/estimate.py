"""Up and Down the River: a quick estimate of what a position is worth to a seat, all hands open.

First the points that the present round will cost each seat: who ends it is a race, in which a seat's
strength comes from the cards it is missing or, once down, has left; the others pay for what they hold by
then, which is the less the longer it takes. Then the totals are compared.
"""

import math
from typing import Any

import numpy as np

from engines import contract
from engines.bits import lowest, popcount
from engines.compiled import helper
from engines.river.heaps import cost, set_heap, size
from engines.river.moves import to_lay
from engines.river.policy import on_table, run_outs
from engines.river.rules import (
    ALL_POINTS,
    DEALING,
    DISCARDING,
    ENDED,
    MAX_PLAYERS,
    NOT_DOWN,
    ONES,
    PLAYING,
    ROUND_POINTS,
    ROUNDS,
    RUNS,
    TURNING,
    TWOS,
    WILDS,
    RiverRules,
)
from solvers.melds.river_kernel import MAX_MELDS, RANK, STEPS, WILD, best_sets, missing_of, put, slots, take

UP, LACK, LACKING, SPARE, WIDTH, RANKS, LEFT, CARD, ADDABLE, WAIT, STAYS, STAYS_RACE, STAYS_LACK = range(13)
PAYS, PAYS_SPARE, PAYS_DOWN, KEEPS, KEEPS_RACE, KEEPS_ANY, SHEDS = range(13, 20)

# A column for each contract, by least squares from the points of 5,000 rounds of the policy, with one move in
# 25 at random, for each of 2, 3, 4 and 6 players. Strengths and the part paid are logarithms. In round 7
# nobody is down before it ends.
FITTED = np.array(
    [
        [-2.33, -3.14, -2.19, -2.49, -2.03, -1.95, 0.00],  # UP: strength of one who is not down
        [0.34, 0.90, 0.99, 0.98, 1.23, 1.56, 1.04],  # LACK: less for each card missing,
        [0.27, 0.84, 0.54, 0.44, 0.53, 0.35, 0.60],  # LACKING: less for any card missing,
        [0.00, -0.03, 0.08, 0.05, 0.16, 0.40, 0.26],  # SPARE: less for each card beyond the contract,
        [0.00, 0.29, 0.25, 0.00, 0.19, 0.23, 0.18],  # WIDTH: more for each kind that makes a run fuller
        [0.08, 0.29, 0.00, 0.24, 0.35, 0.48, 0.00],  # RANKS: more for each rank that makes a set fuller
        [-0.36, -0.77, -0.75, -0.96, -0.56, -1.06, 0.00],  # LEFT: of a seat that is down, for any card left,
        [0.49, 0.67, 0.49, 0.52, 0.77, 0.83, 0.00],  # CARD: less for each card,
        [0.43, 0.65, 0.46, 0.39, 0.67, 0.87, 0.00],  # ADDABLE: more for each card that can be added
        [1.34, 0.82, 0.33, 0.91, 1.06, 0.81, 0.32],  # WAIT: less for each round of the table to wait
        [2.24, 1.39, 0.40, 1.99, 0.98, 1.15, 0.00],  # STAYS: whether it stays so (logistic): a constant,
        [2.96, 1.89, 1.97, 2.18, 1.79, 1.48, 0.00],  # STAYS_RACE: the logarithm of the others' strength,
        [1.50, 1.50, 1.21, 1.32, 1.33, 1.27, 0.00],  # STAYS_LACK: each card missing
        [0.96, 1.07, 1.17, 1.05, 1.10, 1.08, 1.08],  # PAYS: what it then pays of its cards
        [3.26, 5.30, 3.20, 3.20, 3.40, -0.23, 0.00],  # PAYS_SPARE: and if it goes down, for a spare card,
        [-2.71, -5.12, 11.66, 14.76, 25.10, 50.38, 0.00],  # PAYS_DOWN: and anyway
        [-0.19, 0.08, -0.15, 0.38, 0.17, 0.15, 0.00],  # KEEPS: the part that one who is down pays
        [0.92, 0.52, 0.55, 0.70, 0.55, 0.43, 0.00],  # KEEPS_RACE: the logarithm of the others' strength
        [5.84, 4.63, 4.65, 2.57, 2.44, 2.57, 0.00],  # KEEPS_ANY: and what it pays anyway
        [0.15, 0.38, 0.30, 0.03, 0.09, 0.06, 0.00],  # SHEDS: what it does not pay of cards it can add
    ]
)

OUT_NOW = 6.0  # strength of a seat that can end the round with its next move

# The chance to win falls by e with so many points more. As in 5,000 games of the policy, each round that is
# not over adds the square of its contract's number to that of the spread, which falls with more players.
_ROUND_SPREAD = np.array([12.0, 18.0, 24.0, 30.0, 35.0, 42.0, 44.0])
SPREAD = np.array(
    [
        [
            sum(_ROUND_SPREAD[6 - abs(6 - later)] ** 2 for later in range(stage, last)) ** 0.5
            for stage in range(13)
        ]
        for last in ROUNDS
    ]
)
AVERAGE = 32.0  # about what a round costs a seat


@helper
def expected_points(rules: RiverRules, s: Any, points: np.ndarray) -> None:
    """Estimate what the present round will cost each seat."""
    weights = FITTED[:, 6 - abs(6 - s.stage)]
    takes = on_table(s)
    strength = np.empty(MAX_PLAYERS, np.float64)
    lacks = np.empty(MAX_PLAYERS, np.int64)
    spares = np.empty(MAX_PLAYERS, np.int64)
    addable = np.empty(3, np.int64)
    melds = np.zeros(MAX_MELDS, np.int64)
    total = 0.0
    for seat in range(rules.players):
        hand = s.hand[seat]
        busy = seat == s.player and s.phase >= PLAYING
        held = s.held[seat] - int(busy)
        order = (seat - s.player) % rules.players
        if busy and s.phase == DISCARDING and held > 0:
            order = rules.players
        value = -weights[WAIT] * order / rules.players
        lacks[seat] = 0
        spares[seat] = 0
        if s.down[seat] == NOT_DOWN:
            sets, runs = to_lay(s, seat)
            need = slots(sets, runs, size(hand))
            lack = missing_of(hand[ONES], hand[TWOS], hand[WILDS], sets, runs, need, melds)
            lacks[seat] = lack
            spares[seat] = max(held - slots(sets, runs, 0), 0)
            value += weights[UP] - weights[LACK] * lack - weights[SPARE] * spares[seat]
            if lack:
                value -= weights[LACKING]
                if runs:
                    useful = run_outs(hand[ONES], hand[TWOS], runs, melds)
                    value += weights[WIDTH] * popcount(useful)
                if sets:
                    value += weights[RANKS] * rank_outs(hand[ONES], hand[TWOS], sets, runs, melds)
        elif held > 0:
            add_now(hand, takes, addable)
            value += weights[LEFT] - weights[CARD] * held + weights[ADDABLE] * size(addable)
        if busy and (held == 0 or (s.phase == PLAYING and RUNS[s.stage] == MAX_MELDS)):
            value = OUT_NOW
        strength[seat] = math.exp(value)
        total += strength[seat]
    for seat in range(rules.players):
        hand = s.hand[seat]
        rest = total - strength[seat]
        race = math.log(max(rest, 1e-300))
        if RUNS[s.stage] == MAX_MELDS:
            pays = weights[PAYS] * cost(hand)
        elif s.down[seat] == NOT_DOWN:
            stays = weights[STAYS] + weights[STAYS_RACE] * race + weights[STAYS_LACK] * lacks[seat]
            chance = 1.0 / (1.0 + math.exp(-stays))
            pays = chance * weights[PAYS] * cost(hand)
            pays += (1.0 - chance) * (weights[PAYS_SPARE] * spares[seat] + weights[PAYS_DOWN])
        else:
            add_now(hand, takes, addable)
            keeps = math.exp(min(weights[KEEPS] + weights[KEEPS_RACE] * race, 0.0))
            pays = weights[KEEPS_ANY] + keeps * (cost(hand) - weights[SHEDS] * cost(addable))
        points[seat] = min(max(pays * rest / total, 0.0), float(ALL_POINTS))


@helper
def rank_outs(ones: int, twos: int, sets: int, runs: int, melds: np.ndarray) -> int:
    """How many ranks would make the sets fuller, given the places of the runs that hold most."""
    for place in range(runs):
        ones, twos = take(ones, twos, ones & melds[place])
    now = best_sets(ones, twos, sets)
    found = 0
    for step in range(STEPS):
        free = (RANK << step) & ~twos
        if free:
            more, both = put(ones, twos, lowest(free))
            found += best_sets(more, both, sets) > now
    return found


@helper
def add_now(hand: np.ndarray, takes: int, cards: np.ndarray) -> None:
    """Make a heap of the cards of a hand that can be added to melds, given the kinds that these take."""
    set_heap(cards, hand[ONES] & takes, hand[TWOS] & takes, hand[WILDS] if (takes >> WILD) & 1 else 0)


@contract.evaluate.register
def river_evaluate(rules: RiverRules, s: Any, seat: int) -> float:
    """The chance to have the lowest total at the end, or what the round's points will be worth."""
    if s.phase == ENDED:
        return contract.returns(rules, s, seat)
    points = np.zeros(MAX_PLAYERS, np.float64)
    if s.phase != DEALING and s.phase != TURNING:
        expected_points(rules, s, points)
    elif rules.goal == ROUND_POINTS:
        return 1.0 - AVERAGE / ALL_POINTS
    if rules.goal == ROUND_POINTS:
        return 1.0 - points[seat] / ALL_POINTS
    spread = SPREAD[rules.rounds, s.stage] * (0.75 + 0.42 / (rules.players - 1))
    total = 0.0
    for other in range(rules.players):
        ahead = s.totals[seat] + points[seat] - s.totals[other] - points[other]
        total += math.exp(min(ahead / spread, 500.0))
    return 1.0 / total
