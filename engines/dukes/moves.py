"""Dukes Up!: the legal moves, compiled."""

from typing import Any

import numpy as np

from engines import contract
from engines.bits import lowest, nth_bit, popcount
from engines.compiled import helper
from engines.contract import NONE
from engines.dukes.rules import (
    BURN,
    CHOOSE,
    COLOUR,
    DEALT,
    DISCARD,
    DISCARD_TWO,
    DISCARDING,
    DRAW,
    DRAWING,
    GUARD,
    GUARDING,
    HEAP,
    KIND,
    PILE,
    PLAY,
    PLAYING,
    REMOVE,
    STOP,
    TAKE,
    DukesRules,
)

# The one place where an engine needs a solver: which cards can go to the table is the meld kernel's answer.
from solvers.melds.dukes_kernel import feasible_subsets, removable

ACES = 15
ONE_A_RANK = 0x1111111111111  # the lowest bit of each rank
FLOWER_SUITS = 0b0101


@contract.legal.register
def dukes_legal(rules: DukesRules, s: Any, moves: np.ndarray) -> int:
    """What the player can choose in this phase."""
    if s.phase == DRAWING:
        return draws(s, moves)
    if s.phase == PLAYING:
        return plays(s, moves)
    if s.phase == GUARDING:
        return guards(s, moves)
    if s.phase == DISCARDING:
        return discards(s, moves)
    return choices(s.hand[s.player], moves)


@helper
def choices(dealt: int, moves: np.ndarray) -> int:
    """One of the four cards as FIEF, another for the hand, the other two as dukes (D5)."""
    n = 0
    for i in range(DEALT):
        fief = nth_bit(dealt, i)
        for j in range(DEALT - 1, -1, -1):  # the higher the card for the hand, the lower the dukes
            if j != i:
                dukes = dealt & ~(1 << fief) & ~(1 << nth_bit(dealt, j))
                moves[n] = CHOOSE + KIND * fief + dukes
                n += 1
    return n


@helper
def draws(s: Any, moves: np.ndarray) -> int:
    """Stop, or one more card; all cards of a turn come from the same place (D7)."""
    moves[0] = STOP
    n = 1
    if s.source != HEAP and s.pile[s.player] + heap_size(s, s.player) > 0:
        moves[n] = DRAW + PILE
        n += 1
    if s.source != PILE and heap_size(s, s.player) > 0:
        moves[n] = DRAW + HEAP
        n += 1
    return n


@helper
def heap_size(s: Any, seat: int) -> int:
    """The number of cards in a discard pile, burnt ones included."""
    return s.height[seat] + s.burnt[seat]


@helper
def last_turn(s: Any) -> bool:
    """Whether the player has drawn the last card of both piles, so that this turn ends the game (D22)."""
    return s.pile[s.player] + heap_size(s, s.player) == 0


@helper
def meldable(cards: int) -> int:
    """Those of the cards that are in some set or run of them, as a mask."""
    reachable = 0
    for family in range(2):
        suits = FLOWER_SUITS << family
        ranks = (cards >> family) & ONE_A_RANK | (cards >> (family + 2)) & ONE_A_RANK
        ranks |= (ranks & 1) << 52  # the ace above the king
        runs = ranks & (ranks >> 4) & (ranks >> 8)
        runs |= (runs << 4) | (runs << 8)
        runs |= runs >> 52
        reachable |= (runs & ONE_A_RANK) * suits
    pairs = cards & (cards >> 1)  # neighbours of a rank: suits 0 and 1 at its bit 0, suits 2 and 3 at bit 2
    either = cards | (cards >> 1)
    sets = (pairs & (either >> 2) | either & (pairs >> 2)) & ONE_A_RANK
    return cards & (reachable | sets * ACES)


@helper
def playable(s: Any) -> int:
    """Cards but for FIEFs that the player might put on the table (D10-D12, D22), if they fit anywhere."""
    optional = s.hand[s.player]
    if not last_turn(s):
        optional |= s.dukes[0] | s.dukes[1]
    return meldable(s.table | optional) & optional


@helper
def prize(s: Any) -> int:
    """What must go to the table to take the opponent's FIEF, with all dukes before it, or 0 (D15)."""
    foe = 1 - s.player
    if s.up[foe] == 0 or s.fief[foe] == NONE or last_turn(s):
        return 0
    return s.dukes[foe] | (1 << s.fief[foe])


@helper
def plays(s: Any, moves: np.ndarray) -> int:
    """Every set of cards that makes a valid table (D9), those that take the FIEF last (D15, D16)."""
    n = parts(s.table, playable(s), 0, PLAY, moves, 0)
    must = prize(s)
    if must:
        optional = must | s.hand[s.player] | s.dukes[s.player] | (1 << s.fief[s.player])
        optional &= meldable(s.table | optional)
        if must & ~optional == 0:
            n = parts(s.table, optional, must, TAKE, moves, n)
    return n


@helper
def parts(table: int, optional: int, must: int, kind: int, moves: np.ndarray, n: int) -> int:
    """Add the parts of the optional cards that make the table valid, as moves of a kind."""
    if optional == 0:
        moves[n] = kind
        return n + 1
    end = n + feasible_subsets(table, optional, must, moves[n:])
    for i in range(n, end):
        moves[i] += kind
    return end


@helper
def guards(s: Any, moves: np.ndarray) -> int:
    """Own dukes picked up, hand cards put down for them or to protect the FIEF (D12-D14).

    The cards are walked in rising order as parts of all that could change place.
    """
    dukes = 0 if s.turn == 1 else s.dukes[s.player]
    cards = dukes | s.hand[s.player]
    n = 0
    part = 0
    while True:
        if popcount(part & ~dukes) <= s.slots + popcount(part & dukes):
            moves[n] = GUARD + part
            n += 1
        part = (part - cards) & cards
        if part == 0:
            return n


@helper
def discards(s: Any, moves: np.ndarray) -> int:
    """Burn, one or two hand cards, or an own card of the table (D18-D21)."""
    hand = s.hand[s.player]
    moves[0] = BURN  # always possible: with both piles empty the game has ended
    n = 1
    rest = hand
    while rest:
        moves[n] = DISCARD + lowest(rest)
        rest &= rest - 1
        n += 1
    if s.acted == 0:
        rest = hand
        while rest:
            first = lowest(rest)
            rest &= rest - 1
            others = hand & ~(1 << first)
            while others:
                moves[n] = DISCARD_TWO + 64 * first + lowest(others)
                others &= others - 1
                n += 1
    rest = removable(s.table, COLOUR[s.player])
    while rest:
        moves[n] = REMOVE + lowest(rest)
        rest &= rest - 1
        n += 1
    return n
