"""Dukes Up!: the quick policy, and a quick estimate of the winning chances.

The policy takes a FIEF when that wins, plays what scores, takes dukes, and keeps as dukes what the opponent
can hardly reach. How far a card is from the table is asked of the meld kernel: does it fit as it is, and with
how many of the single cards around it that somebody may hold?
"""

import math
from typing import Any

import numpy as np

from engines import contract
from engines.bits import lowest, popcount
from engines.cards import rank_mask
from engines.compiled import helper
from engines.contract import NONE
from engines.dukes.moves import heap_size
from engines.dukes.play import score
from engines.dukes.rules import (
    BURN,
    CARDS,
    CHOOSE,
    CHOOSING,
    COLOUR,
    DISCARD,
    DISCARD_TWO,
    DRAW,
    DRAWING,
    ENDED,
    GUARDING,
    HEAP,
    KIND,
    PILE,
    PLAYING,
    REMOVE,
    STOP,
    TAKE,
    DukesRules,
)
from solvers.melds.dukes_kernel import feasible


def _near(card: int) -> int:
    """Return the cards that can be next to a card in a set or, at most two ranks away, in a run."""
    rank, family = card >> 2, 0b0101 << (card & 1)
    ranks = {place % 13 for place in range(rank - 2, rank + 3) if 0 <= place <= 13}
    if rank == 0:
        ranks |= {11, 12}
    run = sum(family << 4 * place for place in ranks - {rank})
    return run | rank_mask(rank) & ~(1 << card)


NEAR = np.array([_near(card) for card in range(52)])


@contract.suggest.register
def dukes_suggest(rules: DukesRules, s: Any, moves: np.ndarray, n: int, rng: np.ndarray) -> int:
    """Draw, play, guard and discard by worth; of equals the last."""
    if n == 1:
        return moves[0]
    if s.phase == DRAWING:
        return best_draw(rules, s, moves, n)
    worth = np.empty(52, np.float64)
    if s.phase != PLAYING:
        rate_cards(s, worth)
    best = -1e9
    choice = NONE
    for i in range(n):
        if s.phase == PLAYING:
            value = play_worth(rules, s, moves[i])
        elif s.phase == GUARDING:
            value = guard_worth(s, moves[i] & CARDS, worth)
        elif s.phase == CHOOSING:
            value = choice_worth(moves[i])
        else:
            value = discard_worth(rules, s, moves[i], worth)
        if value >= best:
            best = value
            choice = moves[i]
    return choice


@helper
def concealed(s: Any, seat: int) -> int:
    """The cards of a seat that its opponent does not see, as a mask; the same in a state and in a view."""
    cards = COLOUR[seat] & ~(s.table | s.dukes[seat] | s.open[seat])
    return cards & ~(1 << s.fief[seat]) if s.up[seat] and s.fief[seat] != NONE else cards


@helper
def reach(table: int, cards: int, sure: int, likely: int, chance: float) -> float:
    """How likely somebody can table cards who has all of ``sure`` and each of ``likely`` with a chance."""
    if feasible(table | cards):
        return 1.0
    near = 0
    rest = cards
    while rest:
        near |= NEAR[lowest(rest)]
        rest &= rest - 1
    rest = near & sure & ~cards
    while rest:
        if feasible(table | cards | (rest & -rest)):
            return 1.0
        rest &= rest - 1
    missed = 1.0
    rest = near & likely & ~cards
    while rest:
        if feasible(table | cards | (rest & -rest)):
            missed *= 1.0 - chance
        rest &= rest - 1
    return 1.0 - missed * 0.95


@helper
def danger(s: Any, seat: int, table: int, cards: int) -> float:
    """How likely the opponent of a seat can put cards of the seat on the table next turn."""
    foe = 1 - seat
    unknown = concealed(s, foe)
    chance = min(s.held[foe] + 2, 4) / max(popcount(unknown), 4)
    return reach(table, cards, s.dukes[foe], unknown, chance)


@helper
def best_draw(rules: DukesRules, s: Any, moves: np.ndarray, n: int) -> int:
    """Draw whenever possible: a discard that fits, else from the draw pile; not the last card if behind."""
    seat = s.player
    if s.pile[seat] + heap_size(s, seat) == 1 and score(rules, s, seat) < score(rules, s, 1 - seat):
        return STOP
    if moves[n - 1] == DRAW + HEAP and s.height[seat]:
        top = s.heap[seat, s.height[seat] - 1]
        if feasible(s.table | (1 << top)):
            return DRAW + HEAP
    return DRAW + PILE if moves[1] == DRAW + PILE else STOP


@helper
def rate_cards(s: Any, worth: np.ndarray) -> None:
    """What each card of the player's hand promises to score soon."""
    seat = s.player
    hand = s.hand[seat]
    chance = 2.0 / max(popcount(s.unseen[seat]), 2)
    rest = hand
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        others = hand & ~(1 << card)
        soon = reach(s.table, 1 << card, s.dukes[1 - seat], s.unseen[seat], chance)
        mates = popcount(NEAR[card] & others)
        hopes = popcount(NEAR[card] & (s.unseen[seat] | s.table))
        worth[card] = 0.55 * soon + 0.12 * mates + 0.01 * hopes


@helper
def play_worth(rules: DukesRules, s: Any, move: int) -> float:
    """Points, dukes taken, and what the new table does to the own dukes and FIEF."""
    seat = s.player
    foe = 1 - seat
    cards = move & CARDS
    points = popcount(cards & s.hand[seat])
    if move >= TAKE:
        lead = score(rules, s, seat) + points + rules.fief_bonus - score(rules, s, foe)
        return 100.0 + lead if lead >= 0 else -100.0 + lead
    table = s.table | cards
    taken = popcount(cards & s.dukes[foe])
    value = 1.0 * points + 0.6 * taken
    if taken and s.dukes[foe] & ~cards == 0:
        value += 0.5  # the FIEF is turned up, or stays bare
    if s.hand[seat] & ~cards:
        value += 0.3 * popcount(cards & s.dukes[seat])  # another card can stand there
    return value - 0.5 * exposure(rules, s, seat, table, s.dukes[seat] & ~cards)


@helper
def exposure(rules: DukesRules, s: Any, seat: int, table: int, dukes: int) -> float:
    """How badly a seat's dukes and FIEF stand beside a table."""
    total = 0.0
    rest = dukes
    while rest:
        total += danger(s, seat, table, rest & -rest)
        rest &= rest - 1
    if s.up[seat] and s.fief[seat] >= 0:
        foe = 1 - seat
        losing = score(rules, s, foe) + rules.fief_bonus >= score(rules, s, seat)
        total += (8.0 if losing else 1.0) * danger(s, seat, table, dukes | (1 << s.fief[seat]))
    return total


@helper
def guard_worth(s: Any, change: int, worth: np.ndarray) -> float:
    """Standing dukes count, the safer the more; hand cards count by what they promise."""
    seat = s.player
    value = 0.0
    dukes = s.dukes[seat] ^ change
    rest = dukes
    while rest:
        card = rest & -rest
        rest ^= card
        value += 1.2 - 0.7 * danger(s, seat, s.table, card)
    if s.up[seat] and s.fief[seat] >= 0:
        value -= 4.0 * danger(s, seat, s.table, dukes | (1 << s.fief[seat]))
    rest = s.hand[seat] & ~change
    while rest:
        value += worth[lowest(rest)]
        rest &= rest - 1
    return value + 0.1 * popcount(change & s.dukes[seat])


@helper
def choice_worth(move: int) -> float:
    """Cards with few neighbours as FIEF, then as dukes; those that go together apart."""
    fief = move // KIND - CHOOSE // KIND
    dukes = move & CARDS
    first = lowest(dukes)
    second = lowest(dukes & (dukes - 1))
    value = -2.0 * popcount(NEAR[fief]) - popcount(NEAR[first]) - popcount(NEAR[second])
    return value - 4.0 * popcount(NEAR[first] & dukes) - 2.0 * popcount(NEAR[fief] & dukes)


@helper
def discard_worth(rules: DukesRules, s: Any, move: int, worth: np.ndarray) -> float:
    """Room to draw beats a poor card; a card of the table goes only to save a duke or the FIEF."""
    seat = s.player
    if move == BURN:
        return room_worth(rules, s.held[seat])
    if move >= REMOVE:
        dukes = s.dukes[seat]
        saved = exposure(rules, s, seat, s.table, dukes)
        saved -= exposure(rules, s, seat, s.table & ~(1 << (move - REMOVE)), dukes)
        return room_worth(rules, s.held[seat]) + 0.5 * saved - 1.0
    if move >= DISCARD_TWO:
        lost = worth[(move - DISCARD_TWO) >> 6] + worth[(move - DISCARD_TWO) & 63]
        return room_worth(rules, s.held[seat] - 2) - lost
    return room_worth(rules, s.held[seat] - 1) - worth[move - DISCARD]


@helper
def room_worth(rules: DukesRules, held: int) -> float:
    """What the cards that a hand leaves room to draw are worth."""
    return 0.35 * min(rules.draw_limit, rules.hand_limit - held)


@contract.evaluate.register
def dukes_evaluate(rules: DukesRules, s: Any, seat: int) -> float:
    """Points, dukes, hands and exposure of both compared, on a logistic curve; reads what is public."""
    if s.phase == ENDED or s.attacker != NONE:
        return contract.returns(rules, s, seat)
    lead = standing(rules, s, seat) - standing(rules, s, 1 - seat)
    return 1.0 / (1.0 + math.exp(-lead))


@helper
def standing(rules: DukesRules, s: Any, seat: int) -> float:
    """What a seat has, in log-odds; the weights are fitted to games of the policy."""
    foe = 1 - seat
    points = score(rules, s, seat)
    total = 0.22 * (points + popcount(s.dukes[seat])) + 0.24 * min(s.held[seat], 2)
    rest = s.dukes[seat]
    while rest:
        total -= 0.1 * danger(s, seat, s.table, rest & -rest)
        rest &= rest - 1
    if s.up[seat] and s.fief[seat] >= 0:
        total -= 0.62
        weight = 0.1
        if score(rules, s, foe) + rules.fief_bonus >= points:
            weight = 1.5 if s.player == foe else 0.77
        total -= weight * danger(s, seat, s.table, s.dukes[seat] | (1 << s.fief[seat]))
    return total
