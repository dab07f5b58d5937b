"""What both rulesets of Deck Duel do with cards: a suit is a mask of 13 ranks, ace lowest.

The states of both have the fields ``deck``, ``card``, ``top``, ``focus`` and ``health``.
"""

import math
from typing import Any

import numpy as np

from engines.bits import lowest, nth_bit, popcount
from engines.cards import ACE
from engines.compiled import helper
from engines.contract import HIDDEN, NONE
from engines.random import below

FULL_SUIT = (1 << 13) - 1
ACE_WITH_FOCUS = 14


@helper
def value(rank: int, focus: int) -> int:
    """The value of a card in combat (K1)."""
    return ACE_WITH_FOCUS if rank == ACE and focus else rank + 1


@helper
def fight(s: Any) -> int:
    """The seat whose revealed card is higher, or NONE if they tie (K4)."""
    lead = value(s.card[0], s.focus[0]) - value(s.card[1], s.focus[1])
    if lead == 0:
        return NONE
    return 0 if lead > 0 else 1


@helper
def revealer(s: Any) -> int:
    """The seat that reveals next; the cards are turned one after the other, as nobody decides in between."""
    return 0 if s.card[0] == NONE else 1


@helper
def candidates(s: Any, seat: int) -> int:
    """What the top card of a deck can be, as a mask: a card once looked at, or any."""
    return 1 << s.top[seat] if s.top[seat] >= 0 else s.deck[seat]


@helper
def shuffle(s: Any, seat: int) -> None:
    """All 13 cards go back into the deck, the king of the focus too (K12)."""
    s.deck[seat] = FULL_SUIT
    s.top[seat] = NONE
    s.focus[seat] = 0


@helper
def round_ends(s: Any, seat: int) -> bool:
    """Whether a new round begins for a seat at the end of this turn (K12)."""
    return s.card[seat] == ACE or s.deck[seat] == 0


@helper
def win_chance(s: Any, seat: int) -> float:
    """The chance that a seat's next card wins the next fight, by what the seat knows; a tie counts half."""
    mine = ranked(candidates(s, seat), s.focus[seat])
    foe = 1 - seat
    theirs = FULL_SUIT if round_ends(s, foe) else ranked(s.deck[foe], s.focus[foe])
    pairs = popcount(mine) * popcount(theirs)
    wins = 0
    while mine:
        card = mine & -mine
        wins += popcount(theirs & (card - 1)) + popcount(theirs & (2 * card - 1))
        mine ^= card
    return 0.5 * wins / pairs


@helper
def odds(s: Any, lead: float) -> float:
    """The winning chances with a lead in health; a point counts for more when little is left to lose."""
    return 1.0 / (1.0 + math.exp(-0.73 * lead / math.sqrt(1.0 + min(s.health[0], s.health[1]))))


@helper
def ranked(deck: int, focus: int) -> int:
    """A deck with the ace moved above the king if there is focus."""
    return (deck & ~1) | ((deck & 1) << 13) if focus else deck


@helper
def any_bit(mask: int, u: float) -> int:
    """The bit at the fraction ``u`` of a mask: every chance event here has equally likely outcomes."""
    return nth_bit(mask, int(u * popcount(mask)))


@helper
def write_bits(mask: int, codes: np.ndarray, weights: np.ndarray) -> int:
    """Write the bits of a mask as equally likely outcomes; return how many."""
    n = 0
    while mask:
        codes[n] = lowest(mask)
        weights[n] = 1
        mask &= mask - 1
        n += 1
    return n


@helper
def random_rank(deck: int, rng: np.ndarray) -> int:
    """A random card of a deck."""
    return nth_bit(deck, below(rng, popcount(deck)))


@helper
def hide_top(s: Any, seat: int) -> None:
    """What a jack showed the opponent of a seat is not seen by it (K14)."""
    if s.top[1 - seat] != NONE:
        s.top[1 - seat] = HIDDEN


@helper
def fill_top(s: Any, rng: np.ndarray) -> None:
    """A card that only its owner has seen can be any of the deck."""
    for seat in range(2):
        if s.top[seat] == HIDDEN:
            s.top[seat] = random_rank(s.deck[seat], rng)
