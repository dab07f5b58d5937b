"""Up and Down the River: what each seat knows of the other hands and of the draw pile (V15).

A view holds the seat's own hand, all discards, the melds, the sizes of hands, the cards of each hand that
were taken or bought openly and have not left it, and what the draw pile held when it was last shuffled. A
completion honours all of these: known cards are in their hands, and of each kind at most as many cards are in
the draw pile as were shuffled into it, so that right after a reshuffle the pile is exactly what was shuffled.
Every such completion can occur, but not equally often: players collect what they need, so before a reshuffle
the hand of one who is not down is made as good as the turns so far. What is not told apart: whose draws since
the reshuffle a card can be from.
"""

from typing import Any

import numpy as np

from engines import contract
from engines.compiled import helper
from engines.contract import HIDDEN
from engines.random import below
from engines.river.heaps import (
    add_card,
    add_heap,
    nth_card,
    remove_card,
    remove_heap,
    set_heap,
    size,
    unseen_cards,
)
from engines.river.rules import (
    BOUGHT,
    DEALING,
    DRAWN,
    ENDED,
    NOT_DOWN,
    ONES,
    RUNS,
    SETS,
    TWOS,
    WILDS,
    RiverRules,
)
from solvers.melds.river_kernel import missing

TRIES = 2  # a turn; then sampled hands miss about as many cards as true ones do in games of the policy


@contract.hide.register
def river_hide(rules: RiverRules, s: Any, seat: int) -> None:
    """Blank the other hands; their cards that are not known join the draw pile's. At the end all is open."""
    if s.phase == ENDED:
        return
    unseen_cards(rules.players, s, seat, s.unseen)
    for other in range(rules.players):
        if other != seat:
            set_heap(s.hand[other], 0, 0, 0)


@contract.fill.register
def river_fill(rules: RiverRules, s: Any, rng: np.ndarray) -> None:
    """Deal the unseen cards to the hands; what is left is the draw pile."""
    # Cards that cannot be in the draw pile are in the hands for sure, the others where chance puts them.
    sure = np.empty(3, np.int64)
    loose = s.unseen
    set_heap(sure, s.unseen[ONES], s.unseen[TWOS], s.unseen[WILDS])
    ones = s.unseen[ONES] & s.shuffled[ONES]
    set_heap(loose, ones, s.unseen[TWOS] & s.shuffled[TWOS], min(s.unseen[WILDS], s.shuffled[WILDS]))
    remove_heap(sure, loose)
    sure_left = size(sure)
    loose_left = size(loose)
    free = sure_left == 0
    for seat in range(rules.players):
        if size(s.hand[seat]) == s.held[seat]:
            continue
        add_heap(s.hand[seat], s.known[seat])
        for _ in range(s.held[seat] - size(s.known[seat])):
            pick = below(rng, sure_left + loose_left - s.pile)
            if pick < sure_left:
                move_card(sure, s.hand[seat], below(rng, sure_left))
                sure_left -= 1
            else:
                move_card(loose, s.hand[seat], below(rng, loose_left))
                loose_left -= 1
        if free and s.down[seat] == NOT_DOWN and size(s.known[seat]) < s.held[seat] and loose_left:
            improve(rules, s, seat, loose, loose_left, rng)


@helper
def improve(rules: RiverRules, s: Any, seat: int, loose: np.ndarray, left: int, rng: np.ndarray) -> None:
    """Let a hand become as good as its turns have made it: new cards are kept if they are of use.

    Hands dealt at random would be too poor: who has had ten turns is nearer to going down than at first.
    """
    hand = s.hand[seat]
    sets = SETS[s.stage]
    runs = RUNS[s.stage]
    hidden = np.empty(3, np.int64)
    now = missing(hand[ONES], hand[TWOS], hand[WILDS], sets, runs)
    for _ in range(TRIES * (s.turn // rules.players)):
        set_heap(hidden, hand[ONES], hand[TWOS], hand[WILDS])
        remove_heap(hidden, s.known[seat])
        old = nth_card(hidden, below(rng, s.held[seat] - size(s.known[seat])))
        new = nth_card(loose, below(rng, left))
        remove_card(hand, old)
        add_card(hand, new)
        then = missing(hand[ONES], hand[TWOS], hand[WILDS], sets, runs)
        if then <= now:
            now = then
            remove_card(loose, new)
            add_card(loose, old)
        else:
            remove_card(hand, new)
            add_card(hand, old)


@helper
def move_card(source: np.ndarray, target: np.ndarray, n: int) -> None:
    """Move the n-th card of a heap to another."""
    kind = nth_card(source, n)
    remove_card(source, kind)
    add_card(target, kind)


@contract.shown.register
def river_shown(rules: RiverRules, s: Any, code: int, seat: int) -> int:
    """A card from the draw pile is seen by who gets it, but for the one turned up; all else is open."""
    if s.phase == DEALING or s.phase == DRAWN:
        return code if seat == s.player else HIDDEN
    if s.phase == BOUGHT:
        return code if seat == s.asked else HIDDEN
    return code
