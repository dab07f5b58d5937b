"""Royal Family: the quick policy, and a quick estimate of the winning chances.

The policy gives every action a worth. It draws the card of most worth, takes the action of most worth, and
discards where the opponent's best draw from the piles becomes worst.
"""

import math
from typing import Any

import numpy as np

from engines import contract
from engines.bits import lowest, popcount
from engines.cards import DECK
from engines.compiled import helper
from engines.contract import NONE, returns
from engines.random import below
from engines.royal.play import actions, damage, defenders, may_attack
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
    KINGS,
    MOST_MOVES,
    PLACE,
    RoyalRules,
)

WINNING = 1000
CLUB_NUMBERS = sum(1 << (4 * rank) for rank in range(1, 10))  # 2 to 10

# The terms of the estimate; each counts for the side that has it.
TERMS = (
    "castles",  # that stand
    "sites",  # second castles whose ace is in the deck
    "harm",  # damage, in castles
    "walls",  # the highest rank of the fortifications of an only castle
    "families",  # that can still become complete in a standing castle
    "close",  # those of them that lack one card
    "jack",  # at home
    "power",  # numbers on attack cards to come, in what is left of the opponent's only castle
    "sharp",  # attack cards to come that no fortification repels
    "winner",  # there is a card in the deck that would win,
    "win chance",  # and how likely it is the next one
    "threat",  # a card on a pile would win
    "offer",  # the worth of the card in hand or of the best one on a pile, in hundreds
    "later offer",  # the same for who is not on the move
)
CASTLES, SITES, HARM, WALLS, FAMILIES, CLOSE, JACK = range(7)
POWER, SHARP, WINNER, WIN_CHANCE, THREAT, OFFER, LATER_OFFER = range(7, 14)
# In log-odds, fitted to games of the policy and of small searches by benchmarks/fit_evaluate.py.
WEIGHTS = np.array([1.28, 0.6, -0.54, 0.067, 0.4, 0.44, 0.25, 0.235, 0.03, 0.4, 3.9, 1.5, 1.1, 0.62])
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
    """Compare what the two sides have, through a logistic curve; a win at hand is a win."""
    if s.phase == ENDED:
        return returns(rules, s, seat)
    if winners(rules, s, s.player) & at_hand(s):
        return 1.0 if s.player == seat else 0.0
    values = np.empty(len(WEIGHTS), np.float64)
    royal_terms(rules, s, values)
    lead = 0.0
    for term in range(len(WEIGHTS)):
        lead += WEIGHTS[term] * values[term]
    return 1.0 / (1.0 + math.exp(-lead if seat == 0 else lead))


@helper
def royal_terms(rules: RoyalRules, s: Any, values: np.ndarray) -> None:
    """Write each term of the estimate: what the first seat has less what the second has."""
    for term in range(len(WEIGHTS)):
        values[term] = 0.0
    time_left = 1.0 - s.turns / rules.max_turns  # a lead is worth less, the nearer the game is to a draw
    for seat in range(2):
        sign = time_left if seat == 0 else -time_left
        add_castles(rules, s, seat, sign, values)
        add_attacks(rules, s, seat, sign, values)
        add_prospects(rules, s, seat, sign, values)


@helper
def add_castles(rules: RoyalRules, s: Any, seat: int, sign: float, values: np.ndarray) -> None:
    """Add what a seat has at home and can still get there."""
    lost = s.captives[1 - seat, 0] | s.captives[1 - seat, 1] | s.out
    for castle in range(2):
        missing = family_cards(seat, castle) & ~s.family[seat, castle]
        if s.stands[seat, castle]:
            values[CASTLES] += sign
            values[HARM] += sign * damage(s.hits[seat, castle]) / rules.castle_hp
            if missing & lost == 0:
                values[FAMILIES] += sign
                if popcount(missing) == 1:
                    values[CLOSE] += sign
            if s.fort[seat, castle] and s.stands[seat, 1 - castle] == 0:
                values[WALLS] += sign * highest_rank(s.fort[seat, castle])
        elif (s.deck >> CREST[seat, castle]) & 1:
            values[SITES] += sign
    if (s.family[seat, 0] | s.family[seat, 1]) & JACKS:
        values[JACK] += sign


@helper
def add_attacks(rules: RoyalRules, s: Any, seat: int, sign: float, values: np.ndarray) -> None:
    """Add what a seat can still attack with."""
    foe = 1 - seat
    to_come = s.deck | top_cards(s)
    sharp = 0
    for target in range(2):
        if s.stands[foe, target]:
            usable = weapons(rules, s, seat, target) & to_come
            sharp |= usable & unrepelled(rules, s, foe, target)
            if s.stands[foe, 1 - target] == 0:
                left = rules.castle_hp - damage(s.hits[foe, target])
                values[POWER] += sign * min(3.0, damage(usable) / left)
    values[SHARP] += sign * popcount(sharp)


@helper
def add_prospects(rules: RoyalRules, s: Any, seat: int, sign: float, values: np.ndarray) -> None:
    """Add what the card in hand, the piles and the deck promise a seat."""
    winning = winners(rules, s, seat)
    if winning & s.deck:
        values[WINNER] += sign
        values[WIN_CHANCE] += sign * popcount(winning & s.deck) / popcount(s.deck)
    if winning & top_cards(s):
        values[THREAT] += sign
    best = 0
    if s.phase == ACTING and s.player == seat:
        best = card_worth(rules, s, seat, s.card)
    else:
        for pile in range(3):
            if s.top[pile] != NONE and (winning >> s.top[pile]) & 1 == 0:
                best = max(best, card_worth(rules, s, seat, s.top[pile]))
    values[OFFER if s.player == seat else LATER_OFFER] += sign * best / 100


@helper
def winners(rules: RoyalRules, s: Any, seat: int) -> int:
    """The cards with which a seat would win at once, as a mask: the last of a family, or a last hit."""
    foe = 1 - seat
    cards = 0
    for castle in range(2):
        missing = family_cards(seat, castle) & ~s.family[seat, castle]
        if s.stands[seat, castle] and popcount(missing) == 1:
            cards |= missing
        if s.stands[foe, castle] and s.stands[foe, 1 - castle] == 0:
            left = rules.castle_hp - damage(s.hits[foe, castle])
            cards |= weapons(rules, s, seat, castle) & unrepelled(rules, s, foe, castle) & from_rank(left - 1)
    return cards


@helper
def weapons(rules: RoyalRules, s: Any, seat: int, target: int) -> int:
    """The number cards with which a seat may attack a castle of the opponent, as a mask (R5)."""
    cards = 0
    for suit in range(4):
        if may_attack(rules, s, seat, suit, target):
            cards |= CLUB_NUMBERS << suit
    return cards


@helper
def unrepelled(rules: RoyalRules, s: Any, seat: int, castle: int) -> int:
    """The cards of ranks that no fortification of a castle repels, as a mask (R6)."""
    if s.fort[seat, castle] == 0:
        return DECK
    rank = highest_rank(s.fort[seat, castle]) + 1
    if (s.family[seat, 0] | s.family[seat, 1]) & KINGS:
        rank += rules.king_bonus
    return from_rank(rank)


@helper
def from_rank(rank: int) -> int:
    """All cards of a rank or a higher one, as a mask."""
    shift = 4 * min(max(rank, 0), 13)
    return (DECK >> shift) << shift


@helper
def top_cards(s: Any) -> int:
    """The cards on top of the piles, as a mask."""
    cards = 0
    for pile in range(3):
        if s.top[pile] != NONE:
            cards |= 1 << s.top[pile]
    return cards


@helper
def at_hand(s: Any) -> int:
    """The cards with which the player can act in this turn without luck, as a mask."""
    if s.phase == ACTING:
        return 1 << s.card
    return top_cards(s) if s.phase == DRAWING else 0


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
