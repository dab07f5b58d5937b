"""Up and Down the River: heaps of cards as three numbers (see ``rules``), changed in place."""

from typing import Any

import numpy as np

from engines.bits import popcount
from engines.compiled import helper
from engines.contract import NONE
from engines.river.rules import ACES, ALL_KINDS, ALL_WILDS, FIVES, ONES, TENS, TWOS, WILDS
from solvers.melds.river_kernel import WILD, naturals, put, take


@helper
def set_heap(cards: np.ndarray, ones: int, twos: int, wilds: int) -> None:
    """Make a heap of these."""
    cards[ONES] = ones
    cards[TWOS] = twos
    cards[WILDS] = wilds


@helper
def whole_deck(cards: np.ndarray) -> None:
    """Make a heap of all cards."""
    set_heap(cards, ALL_KINDS, ALL_KINDS, ALL_WILDS)


@helper
def size(cards: np.ndarray) -> int:
    """Return the number of cards."""
    return naturals(cards[ONES], cards[TWOS]) + cards[WILDS]


@helper
def copies(cards: np.ndarray, kind: int) -> int:
    """Return how many cards of a kind there are."""
    if kind == WILD:
        return cards[WILDS]
    return ((cards[ONES] >> kind) & 1) + ((cards[TWOS] >> kind) & 1)


@helper
def add_card(cards: np.ndarray, kind: int) -> None:
    """Add a card."""
    if kind == WILD:
        cards[WILDS] += 1
    else:
        ones, twos = put(cards[ONES], cards[TWOS], kind)
        cards[ONES] = ones
        cards[TWOS] = twos


@helper
def remove_card(cards: np.ndarray, kind: int) -> None:
    """Remove a card that is there."""
    if kind == WILD:
        cards[WILDS] -= 1
    else:
        remove_each(cards, 1 << kind)


@helper
def add_each(cards: np.ndarray, kinds: int) -> None:
    """Add one natural of each kind of a mask."""
    cards[TWOS] |= cards[ONES] & kinds
    cards[ONES] |= kinds


@helper
def remove_each(cards: np.ndarray, kinds: int) -> None:
    """Remove one natural of each kind of a mask; all must be there."""
    ones, twos = take(cards[ONES], cards[TWOS], kinds)
    cards[ONES] = ones
    cards[TWOS] = twos


@helper
def add_heap(cards: np.ndarray, more: np.ndarray) -> None:
    """Add all cards of another heap."""
    add_each(cards, more[ONES])
    add_each(cards, more[TWOS])
    cards[WILDS] += more[WILDS]


@helper
def remove_heap(cards: np.ndarray, less: np.ndarray) -> None:
    """Remove all cards of another heap, which must be there."""
    remove_each(cards, less[ONES])
    remove_each(cards, less[TWOS])
    cards[WILDS] -= less[WILDS]


@helper
def nth_card(cards: np.ndarray, n: int) -> int:
    """Return the kind of the n-th card from 0, counted from the lowest kind; there must be more than n."""
    ones = cards[ONES]
    twos = cards[TWOS]
    if n >= naturals(ones, twos):
        return WILD
    base = 0
    width = 32
    while width:  # halve the window, as ``nth_bit`` does
        low = (1 << width) - 1
        count = popcount(ones & low) + popcount(twos & low)
        if n >= count:
            n -= count
            ones >>= width
            twos >>= width
            base += width
        width >>= 1
    return base


@helper
def unseen_cards(players: int, s: Any, seat: int, cards: np.ndarray) -> None:
    """Make a heap of the cards that a seat does not know the place of; the same in a state and in a view."""
    whole_deck(cards)
    for other in range(players):
        remove_heap(cards, s.hand[seat] if other == seat else s.known[other])
    if s.top != NONE:
        remove_card(cards, s.top)
    if s.second != NONE:
        remove_card(cards, s.second)
    remove_heap(cards, s.buried)
    remove_heap(cards, s.laid)


@helper
def cost(cards: np.ndarray) -> int:
    """Return what the cards cost in hand (V13)."""
    ones = cards[ONES]
    twos = cards[TWOS]
    fives = popcount(ones & FIVES) + popcount(twos & FIVES)
    tens = popcount(ones & TENS) + popcount(twos & TENS)
    aces = popcount(ones & ACES) + popcount(twos & ACES)
    return 5 * fives + 10 * tens + 15 * aces + 20 * cards[WILDS]
