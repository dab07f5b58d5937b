"""Cards and their names, bit operations, and random numbers."""

import doctest

import numpy as np
import pytest
from digest_games import kept
from hypothesis import given
from hypothesis import strategies as st

from engines import cards
from engines.bits import lowest, nth_bit, popcount
from engines.cards import (
    DECK,
    DECK_AND_JOKERS,
    JOKERS,
    RANKS,
    SUIT_SYMBOLS,
    SUITS,
    card_of,
    card_symbol,
    card_text,
    cards_in,
    cards_text,
    mask_of,
    parse_card,
    parse_cards,
    parse_distinct,
    parse_rank,
    rank_mask,
    rank_of,
    suit_mask,
    suit_of,
)
from engines.errors import InputError
from engines.random import LOW_62, below, reseed, scramble, stream, uniform

SETS = st.integers(1, DECK_AND_JOKERS)


def test_the_examples():
    assert doctest.testmod(cards).failed == 0
    assert doctest.testmod(cards).attempted > 0


@pytest.mark.parametrize("card", range(52))
def test_every_spelling_of_a_card(card):
    rank, suit = RANKS[rank_of(card)], SUITS[suit_of(card)]
    assert card_of(rank_of(card), suit_of(card)) == card
    symbol = SUIT_SYMBOLS[suit_of(card)]
    spellings = [
        rank + suit,
        (rank + suit).lower(),
        f" {rank}{suit} ",
        rank + symbol,
        f"{rank}{symbol}\ufe0f",
    ]
    if rank == "T":
        spellings += [f"10{suit}", f"10{symbol}", f"10{suit.lower()}"]
    assert {parse_card(text) for text in spellings} == {card}
    assert parse_card(card_text(card)) == parse_card(card_symbol(card)) == card
    assert rank_mask(rank_of(card)) & suit_mask(suit_of(card)) == 1 << card


def test_ranks_suits_and_jokers():
    assert sum(rank_mask(rank) for rank in range(13)) == sum(suit_mask(suit) for suit in range(4)) == DECK
    assert [parse_rank(text) for text in ("a", "10", "T", " k ")] == [0, 9, 9, 12]
    assert parse_cards("X x,🃏")[:2] == list(JOKERS)
    assert card_text(52) == card_text(53) == card_symbol(53) == "X"


@given(SETS)
def test_sets_of_cards(mask):
    listed = list(cards_in(mask))
    assert listed == sorted(set(listed))
    assert mask_of(listed) == mask
    assert mask_of(parse_distinct(cards_text(mask))) in (mask, mask ^ (3 << 52))  # one joker is the first
    assert cards_text(mask) == cards_text(listed)


@given(st.text(max_size=60))
def test_any_text_is_cards_or_one_clear_line(text):
    for parse in (parse_card, parse_cards, parse_distinct, parse_rank):
        problem = ""
        try:
            parse(text)
        except InputError as mistake:
            problem = str(mistake)
        assert "\n" not in problem
        assert problem.isprintable()
        assert len(problem) < 600


@pytest.mark.parametrize(
    "text", ["", "1S", "11S", "S", "7", "7HH", "H7", "XX", "T0", "0S", "²S", "-1S", "7 H"]
)
def test_texts_that_are_no_card(text):
    with pytest.raises(InputError, match="unknown card"):
        parse_card(text)


def test_a_card_twice():
    with pytest.raises(InputError, match="TD stands twice"):
        parse_distinct("10D 2C TD")
    assert parse_distinct("X X") == list(JOKERS)
    with pytest.raises(InputError, match="X stands twice"):
        parse_distinct("X X X")


@given(st.integers(1, (1 << 63) - 1))
def test_bits(mask):
    places = [place for place in range(63) if (mask >> place) & 1]
    assert popcount(mask) == len(places)
    assert lowest(mask) == places[0]
    assert [nth_bit(mask, n) for n in range(len(places))] == places


@kept
def compiled_words(masks: np.ndarray, out: np.ndarray, rng: np.ndarray) -> None:
    for i in range(len(masks)):
        count = popcount(masks[i])
        out[i, 0] = count
        out[i, 1] = lowest(masks[i])
        out[i, 2] = nth_bit(masks[i], below(rng, count))
        out[i, 3] = scramble(masks[i])
        reseed(rng, masks[i], i)


def test_compiled_code_says_the_same():
    dice = np.random.default_rng(1)
    masks = dice.integers(1, 1 << 62, 3000) >> dice.integers(0, 61, 3000)
    masks = np.maximum(masks, 1)
    found, wanted, rng, plain = (
        np.zeros((3000, 4), np.int64),
        np.zeros((3000, 4), np.int64),
        stream(1),
        stream(1),
    )
    compiled_words(masks, found, rng)
    for i, mask in enumerate(masks.tolist()):
        chosen = nth_bit(mask, below(plain, popcount(mask)))
        wanted[i] = popcount(mask), lowest(mask), chosen, scramble(mask)
        reseed(plain, mask, i)
    assert (found == wanted).all()
    assert rng == plain


@given(st.integers(0, LOW_62), st.integers(0, LOW_62))
def test_streams(seed, number):
    first, again = stream(seed, number), stream(seed, number)
    numbers = [uniform(first) for _ in range(5)]
    assert numbers == [uniform(again) for _ in range(5)]
    assert all(0 <= one < 1 for one in numbers)
    assert len(set(numbers)) == 5
    assert 0 <= first[0] <= LOW_62
    assert uniform(stream(seed, number + 1)) != uniform(stream(seed, number))
    assert uniform(stream(seed + 1, number)) != uniform(stream(seed, number))


@given(st.integers(1, 1000), st.integers(0, LOW_62))
def test_below(n, seed):
    rng = stream(seed)
    assert all(0 <= below(rng, n) < n for _ in range(20))


def test_numbers_are_uniform():
    """In a stream, and across the first numbers of streams with neighbouring seeds or numbers."""
    rng = stream(3)
    samples = (
        [uniform(rng) for _ in range(8000)],
        [uniform(stream(5, number)) for number in range(8000)],
        [uniform(stream(seed)) for seed in range(8000)],
    )
    for sample in samples:
        counts = np.bincount((np.array(sample) * 40).astype(int), minlength=40)
        assert ((counts - 200) ** 2 / 200).sum() < 39 + 5 * np.sqrt(78)
        pairs = np.corrcoef(sample[:-1], sample[1:])[0, 1]
        assert abs(pairs) < 0.05
