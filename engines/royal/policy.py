"""Royal Family: the quick policy, and a quick estimate of the winning chances.

The policy gives every action a worth. It draws the card of most worth, takes the action of most worth, and
discards where the opponent's best draw from the piles becomes worst.
"""

import math
from typing import Any

import numpy as np

from engines import contract
from engines.bits import lowest, popcount
from engines.compiled import helper
from engines.contract import NONE, returns
from engines.random import below
from engines.royal.play import actions, damage, defenders
from engines.royal.rules import (
    ACTING,
    ASSASSINATE,
    ATTACK,
    BUILD,
    CASTLE,
    CREST,
    DEFENDING,
    DISCARD,
    DRAW_DECK,
    DRAW_PILE,
    DRAWING,
    ENDED,
    FORTIFY,
    JACKS,
    KIDNAP,
    MOST_MOVES,
    PLACE,
    RoyalRules,
)

WINNING = 1000
DECK_WORTH = 16  # what an unknown card promises; found by matches of the policy against itself


@contract.suggest.register
def royal_suggest(rules: RoyalRules, s: Any, moves: np.ndarray, n: int, rng: np.ndarray) -> int:
    """Draw, act, discard and defend by worth; equal ones by chance."""
    if n == 1:
        return moves[0]
    if s.phase == DEFENDING:
        return moves[0]  # the smallest fortification that repels
    best = -(1 << 30)
    choice = NONE
    ties = 0
    for i in range(n):
        if s.phase == DRAWING:
            value = DECK_WORTH
            if moves[i] != DRAW_DECK:
                value = card_worth(rules, s, s.player, s.top[moves[i] - DRAW_PILE])
        elif moves[i] < FORTIFY:
            value = discard_worth(rules, s, moves[i] - DISCARD)
        else:
            value = 100 * action_worth(rules, s, s.player, s.card, moves[i])
        if value > best:
            best = value
            ties = 0
        if value == best:
            ties += 1
            if below(rng, ties) == 0:
                choice = moves[i]
    return choice


@helper
def card_worth(rules: RoyalRules, s: Any, seat: int, card: int) -> int:
    """The worth of the best action that a seat has with a card."""
    moves = np.empty(MOST_MOVES, np.int64)
    best = 0
    for i in range(actions(rules, s, seat, card, moves)):
        if moves[i] >= FORTIFY:
            best = max(best, action_worth(rules, s, seat, card, moves[i]))
    return max(best, 12) if card >> 2 == 0 else best  # an ace is an extra turn at least


@helper
def action_worth(rules: RoyalRules, s: Any, seat: int, card: int, move: int) -> int:
    """The worth of an action other than a discard."""
    foe = 1 - seat
    castle = CASTLE[card & 3]
    if move == PLACE:
        others = popcount(s.family[seat, castle])
        return WINNING if others == 2 else 40 + 25 * others
    if move >= ASSASSINATE:
        member = 10 + (move - ASSASSINATE) % 3
        return 45 + 40 * popcount(s.family[foe, (move - ASSASSINATE) // 3]) + member - 10
    if move == BUILD:
        return 60
    if move >= KIDNAP:
        return 20 + 50 * popcount(s.family[foe, castle])
    number = (card >> 2) + 1
    if move == FORTIFY:
        return 6 + number + damage(s.hits[seat, castle]) // 2
    target = move - ATTACK
    if defenders(rules, s, foe, target, card):
        return 8 + number // 2
    total = damage(s.hits[foe, target]) + number
    if total < rules.castle_hp:
        return 12 + 3 * number + total
    return WINNING if s.stands[foe, 1 - target] == 0 else 150


@helper
def discard_worth(rules: RoyalRules, s: Any, pile: int) -> int:
    """Minus the best draw that the opponent would have from the piles."""
    best = 0
    foe = 1 - s.player
    for other in range(3):
        card = s.card if other == pile else s.top[other]
        if card != NONE:
            best = max(best, card_worth(rules, s, foe, card))
    return -best


@contract.evaluate.register
def royal_evaluate(rules: RoyalRules, s: Any, seat: int) -> float:
    """Compare the two sides' strength, through a logistic curve."""
    if s.phase == ENDED:
        return returns(rules, s, seat)
    return 1.0 / (1.0 + math.exp(strength(rules, s, 1 - seat) - strength(rules, s, seat)))


@helper
def strength(rules: RoyalRules, s: Any, seat: int) -> float:
    """What a seat has, in log-odds; the weights are fitted to 400,000 positions of the policy's games."""
    lost = s.captives[1 - seat, 0] | s.captives[1 - seat, 1] | s.out
    total = prospects(rules, s, seat)
    for castle in range(2):
        if s.stands[seat, castle]:
            missing = family_cards(seat, castle) & ~s.family[seat, castle]
            if missing & lost == 0:  # the family can still become complete
                total += 0.35 + 0.2 * (3 - popcount(missing))
                if popcount(missing) == 1:
                    total += 0.2
            total -= 0.25 * damage(s.hits[seat, castle]) / rules.castle_hp
            if s.fort[seat, castle]:
                total += 0.02 * highest_rank(s.fort[seat, castle])
    home = s.family[seat, 0] | s.family[seat, 1]
    if home:
        total += 0.13
    if home & JACKS:
        total += 0.16
    return total


@helper
def prospects(rules: RoyalRules, s: Any, seat: int) -> float:
    """What the card in hand or the best one on a pile promises, in log-odds; the mover has more of it."""
    best = 0
    if s.phase == ACTING and s.player == seat:
        best = card_worth(rules, s, seat, s.card)
    else:
        for pile in range(3):
            if s.top[pile] != NONE:
                best = max(best, card_worth(rules, s, seat, s.top[pile]))
    if s.player == seat:
        return 2.5 if best >= WINNING else 0.006 * best
    return 1.0 if best >= WINNING else 0.004 * best


@helper
def highest_rank(mask: int) -> int:
    """The highest rank in a set of cards that is not empty."""
    rank = lowest(mask) >> 2
    while mask >> (4 * rank + 4):
        rank += 1
    return rank


@helper
def family_cards(seat: int, castle: int) -> int:
    """The king, queen and jack of a castle, as a mask."""
    return 0x111 << (4 * 10 + CREST[seat, castle])
