"""Generated tables and hands for tests, sweeps and benchmarks of the meld solver."""

import random

from engines.cards import cards_in, mask_of

RIVER_DECK = [*range(48), *range(48), *[48] * 12]


def meld_table(rng: random.Random, size: int) -> int:
    """Return a table of about ``size`` cards laid meld by meld, so it is arrangeable."""
    table = 0
    for _ in range(400):
        if table.bit_count() >= size:
            break
        if rng.random() < 0.4:
            rank = rng.randrange(13)
            meld = mask_of(4 * rank + suit for suit in rng.sample(range(4), rng.choice((3, 4))))
        else:
            length, family = rng.randint(3, 8), rng.randrange(2)
            low = rng.randrange(15 - length)
            meld = mask_of(4 * ((low + step) % 13) + family + 2 * rng.randrange(2) for step in range(length))
        if not meld & table and (table | meld).bit_count() <= size + 2:
            table |= meld
    return table


def near_miss(rng: random.Random, table: int) -> int:
    """Return the table with one to three cards exchanged, added or removed."""
    for _ in range(rng.randint(1, 3)):
        table ^= 1 << rng.randrange(52)
        if rng.random() < 0.5:
            table ^= 1 << rng.choice(list(cards_in(table)) or [0])
    return table


def any_table(rng: random.Random) -> int:
    """Return a table of 6–52 cards: laid by melds, a near miss of one, or drawn at random."""
    size = rng.randint(6, 52)
    if rng.random() < 0.2:
        return mask_of(rng.sample(range(52), size))
    table = meld_table(rng, size)
    return table if rng.random() < 0.4 else near_miss(rng, table)


def river_hand(rng: random.Random, size: int) -> list[int]:
    """Return the kinds of a hand: drawn at random, or with many cards of two suits or few ranks."""
    style = rng.random()
    if style < 0.4:
        return rng.sample(RIVER_DECK, size)
    suits, ranks = rng.sample(range(4), 2), rng.sample(range(12), 4)
    near = [k for k in RIVER_DECK if k == 48 or (k // 12 in suits if style < 0.7 else k % 12 in ranks)]
    return rng.sample(near, size)


def built_hand(rng: random.Random, sets: int, runs: int, size: int) -> list[int]:
    """Return the kinds of a hand laid out for a contract, with wilds, then up to two cards exchanged."""
    while True:
        hand: list[int] = []
        for meld in range(sets + runs):
            if meld < sets:
                step = rng.randrange(12)
                cards = [12 * rng.randrange(4) + step for _ in range(3)]
            else:
                low = 12 * rng.randrange(4) + rng.randrange(9)
                cards = list(range(low, low + 4))
            hand += [48 if rng.random() < 0.25 else card for card in cards]
        hand = (hand + rng.sample(RIVER_DECK, max(0, size - len(hand))))[:size]
        for _ in range(rng.randint(0, 2)):
            hand[rng.randrange(size)] = rng.choice(RIVER_DECK)
        if hand.count(48) <= 12 and all(hand.count(kind) <= 2 for kind in hand if kind != 48):
            return hand
