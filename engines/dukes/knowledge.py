"""Dukes Up!: what each seat knows of the other's cards (D25), kept as play goes on.

Of every card that a player cannot see, ``may`` of its owner says where it can be: in the draw pile (burnt
cards count as part of it), face down in the heap, in the hand, or as the FIEF. A card that moves unseen from
one place to another lets every card of the first be in the second. So a duke that was picked up is known to
be in the hand until a card is laid aside unseen, then to be in the hand or the heap, and never again to be
the FIEF; a card discarded from the table stays known in its place of the heap until a reshuffle.
"""

from typing import Any

import numpy as np

from engines import contract
from engines.bits import nth_bit, popcount
from engines.compiled import helper
from engines.contract import HIDDEN, NONE
from engines.dukes.rules import (
    CARDS,
    CHOOSE,
    CHOOSING,
    COLOUR,
    DEALING,
    DISCARD,
    DISCARD_TWO,
    DISCARDING,
    FIEF,
    HAND,
    HEAP,
    KIND,
    PILE,
    REMOVE,
    REVEALING,
    TAKING,
    DukesRules,
)
from engines.random import below

PLACES = 3  # PILE, HEAP and HAND hold any number of cards


@helper
def opened(s: Any, seat: int, cards: int) -> None:
    """Cards come into view."""
    for owner in range(2):
        for place in range(PLACES + 1):
            s.may[owner, place] &= ~cards
    if s.fief[seat] == NONE or s.up[seat]:
        s.may[seat, FIEF] = 0


@helper
def drew(s: Any, seat: int, place: int) -> None:
    """A card has come to the hand unseen."""
    s.may[seat, HAND] |= s.may[seat, place]
    left = s.pile[seat] + s.burnt[seat] if place == PILE else face_down(s, seat)
    if left == 0:
        s.may[seat, place] = 0


@helper
def face_down(s: Any, seat: int) -> int:
    """How many cards of the heap, burnt ones aside, the opponent does not know."""
    return s.height[seat] - popcount(s.open[seat])


@helper
def laid_aside(s: Any, seat: int) -> None:
    """A hand card goes to the heap unseen."""
    s.may[seat, HEAP] |= s.may[seat, HAND]


@helper
def reshuffled(s: Any, seat: int) -> None:
    """The heap becomes the draw pile."""
    s.may[seat, PILE] |= s.may[seat, HEAP] | s.open[seat]
    s.may[seat, HEAP] = 0
    s.open[seat] = 0


@contract.hide.register
def dukes_hide(rules: DukesRules, s: Any, seat: int) -> None:
    """Blank the opponent's hand, face-down FIEF and discards; all these cards become one unseen set."""
    foe = 1 - seat
    hidden = COLOUR[foe] & ~(s.table | s.dukes[foe] | s.open[foe])
    if s.up[foe] and s.fief[foe] != NONE:
        hidden &= ~(1 << s.fief[foe])
    elif s.fief[foe] != NONE:
        s.fief[foe] = HIDDEN
    s.unseen[foe] = hidden
    s.hand[foe] = 0
    for place in range(s.height[foe]):
        card = s.heap[foe, place]
        if card == HIDDEN or (s.open[foe] >> card) & 1 == 0:
            s.heap[foe, place] = HIDDEN
    if s.plan[foe] != NONE:
        s.plan[foe] = HIDDEN


@contract.fill.register
def dukes_fill(rules: DukesRules, s: Any, rng: np.ndarray) -> None:
    """Deal the unseen cards to the places they can be in."""
    for seat in range(2):
        if popcount(s.unseen[seat]) != s.pile[seat] + s.burnt[seat]:
            got = np.zeros(PLACES, np.int64)
            while not deal_out(s, seat, got, rng):
                pass
            s.unseen[seat] = got[PILE]
            s.hand[seat] = got[HAND]
            for place in range(s.height[seat]):
                if s.heap[seat, place] == HIDDEN:
                    card = any_card(got[HEAP], rng)
                    got[HEAP] &= ~(1 << card)
                    s.heap[seat, place] = card
        if s.plan[seat] == HIDDEN:
            fief = any_card(s.hand[seat], rng)
            dukes = s.hand[seat] & ~(1 << fief)
            s.plan[seat] = CHOOSE + KIND * fief + (dukes & ~(1 << any_card(dukes, rng)))


@helper
def any_card(cards: int, rng: np.ndarray) -> int:
    """A random card of a mask."""
    return nth_bit(cards, below(rng, popcount(cards)))


@helper
def deal_out(s: Any, seat: int, got: np.ndarray, rng: np.ndarray) -> bool:
    """Deal a seat's unseen cards to FIEF, hand, heap and pile, or fail for want of room where one must be.

    Cards that can be in one place only come first, then those with a choice, by the room left, then all
    others.
    """
    rest = s.unseen[seat]
    fief = s.fief[seat]
    if fief == HIDDEN:
        fief = any_card(s.may[seat, FIEF] & rest, rng)
        rest &= ~(1 << fief)
    room = np.empty(PLACES, np.int64)
    room[HEAP] = face_down(s, seat)
    room[HAND] = s.held[seat]
    room[PILE] = popcount(rest) - room[HEAP] - room[HAND]
    bound = 0
    for place in range(PLACES):
        got[place] = 0
        if room[place]:
            bound |= rest & ~s.may[seat, place]
    for choices in range(2):
        left = bound
        while left:
            card = left & -left
            left ^= card
            kinds = 0
            total = 0
            for place in range(PLACES):
                if s.may[seat, place] & card:
                    kinds += 1
                    total += room[place]
            if (kinds > 1) == (choices == 1):
                if total == 0:
                    return False
                pick = below(rng, total)
                for place in range(PLACES):
                    if s.may[seat, place] & card:
                        if 0 <= pick < room[place]:
                            got[place] |= card
                            room[place] -= 1
                            pick = -1
                        elif pick >= 0:
                            pick -= room[place]
    rest &= ~bound
    for place in range(HEAP, PLACES):
        for _ in range(room[place]):
            card = 1 << any_card(rest, rng)
            rest ^= card
            got[place] |= card
    got[PILE] |= rest
    s.fief[seat] = fief
    return True


@contract.shown.register
def dukes_shown(rules: DukesRules, s: Any, code: int, seat: int) -> int:
    """Cards drawn, set-up choices and hand cards discarded are their owner's alone (D25)."""
    if s.phase == REVEALING:
        return (s.plan[0] | s.plan[1]) & CARDS
    if seat == s.player:
        return code
    if s.phase == DEALING or s.phase == TAKING or s.phase == CHOOSING:
        return HIDDEN
    if s.phase == DISCARDING and DISCARD <= code < REMOVE:
        return DISCARD if code < DISCARD_TWO else DISCARD_TWO
    return code
