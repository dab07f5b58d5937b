"""Cards and their names, shared by every game.

A card is a number: ``4 * rank + suit`` with ranks ace, 2 … king (0 … 12) and suits C, D, H, S (0 … 3);
the jokers are 52 and 53. Four neighbouring bits of a mask are thus one rank. A set of cards is such a mask,
an ``int`` of at most 54 bits. This module imports nothing heavy, so that small commands start at once.

>>> card_text(parse_card("10♦")), card_text(parse_card("qs")), card_text(parse_card("X"))
('TD', 'QS', 'X')
>>> cards_text(mask_of(parse_cards("KH, 2c 10d")))
'2C TD KH'
"""

from collections.abc import Iterable, Iterator

from engines.errors import InputError, short

RANKS = "A23456789TJQK"
SUITS = "CDHS"
CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
ACE, TWO, TEN, JACK, QUEEN, KING = 0, 1, 9, 10, 11, 12
JOKERS = (52, 53)
SUIT_SYMBOLS = "♣♦♥♠"
RANK_NAMES = (
    *("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("jack", "queen", "king"),
)
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")

DECK = (1 << 52) - 1
DECK_AND_JOKERS = (1 << 54) - 1

_RANK_OF_NAME = {name: rank for rank, name in enumerate(RANKS)} | {"10": TEN}
_SUIT_OF_LETTER = {
    letter: suit for suit, letters in enumerate(("C♣♧", "D♦♢", "H♥♡", "S♠♤")) for letter in letters
}


def card_of(rank: int, suit: int) -> int:
    """Return the card of a rank (0 = ace … 12 = king) and a suit (0 … 3)."""
    return 4 * rank + suit


def rank_of(card: int) -> int:
    """Return the rank of a card: 0 = ace … 12 = king."""
    return card >> 2


def suit_of(card: int) -> int:
    """Return the suit of a card: its place in ``SUITS``."""
    return card & 3


def rank_mask(rank: int) -> int:
    """Return the four cards of a rank as a mask."""
    return 15 << (4 * rank)


def suit_mask(suit: int) -> int:
    """Return the thirteen cards of a suit as a mask."""
    return 0x1111111111111 << suit


def mask_of(cards: Iterable[int]) -> int:
    """Return the set of the given cards as a mask."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def cards_in(mask: int) -> Iterator[int]:
    """Yield the cards of a mask, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def parse_rank(text: str) -> int:
    """Read a rank: ``A``, ``2`` … ``10`` or ``T``, ``J``, ``Q``, ``K``, in either case."""
    rank = _RANK_OF_NAME.get(text.strip().upper())
    if rank is None:
        raise InputError(f"unknown rank {short(text)}: expected A, 2-10 (or T), J, Q or K")
    return rank


def parse_card(text: str) -> int:
    """Read one card: ``TD``, ``10d`` and ``10♦`` are the same; ``X`` is a joker (always the first one)."""
    name = text.strip().removesuffix("\ufe0f").upper()
    if name in ("X", "🃏"):
        return JOKERS[0]
    rank, suit = _RANK_OF_NAME.get(name[:-1]), _SUIT_OF_LETTER.get(name[-1:])
    if rank is None or suit is None:
        raise InputError(
            f"unknown card {short(text)}: expected a rank and a suit like 7H, TD or 10♦, or X for a joker"
        )
    return card_of(rank, suit)


def parse_cards(text: str) -> list[int]:
    """Read cards separated by spaces or commas, in order; a second ``X`` is the second joker."""
    cards: list[int] = []
    for word in text.replace(",", " ").split():
        card = parse_card(word)
        if card == JOKERS[0] and card in cards:
            card = JOKERS[1]
        cards.append(card)
    return cards


def parse_distinct(text: str) -> list[int]:
    """Read cards of which no two may be the same."""
    cards = parse_cards(text)
    for place, card in enumerate(cards):
        if card in cards[:place]:
            raise InputError(f"the card {card_text(card)} stands twice in {short(text)}")
    return cards


def card_text(card: int) -> str:
    """Return the short name of a card; ``parse_card`` reads it back."""
    return "X" if card >= 52 else RANKS[card >> 2] + SUITS[card & 3]


def card_symbol(card: int) -> str:
    """Return the name of a card with its suit's symbol, for pictures of a table."""
    return "X" if card >= 52 else RANKS[card >> 2].replace("T", "10") + SUIT_SYMBOLS[card & 3]


def cards_text(cards: int | Iterable[int]) -> str:
    """Return the names of cards, in the order given (lowest first for a mask)."""
    return " ".join(card_text(card) for card in (cards_in(cards) if isinstance(cards, int) else cards))
