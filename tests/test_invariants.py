"""Random decisions with every invariant checked, under random rules.

Compiled code plays and keeps every state of the games; NumPy checks all of them at once, and the game's own
``check`` a sample.
"""

from typing import Any

import numpy as np
import pytest
from api import random_rules
from digest_games import kept

from engines import contract, registry
from engines.cards import DECK, DECK_AND_JOKERS, suit_mask
from engines.contract import CHANCE, NONE, OVER
from engines.deckduel import rules as duel_rules
from engines.deckduel_basic import rules as basic_rules
from engines.dukes.check import RANGES as DUKES_RANGES
from engines.dukes.rules import COLOUR
from engines.random import below, stream, uniform
from engines.river import rules as river_rules
from engines.river.check import RANGES as RIVER_RANGES
from engines.royal.notation import FAMILY, NUMBER_CARDS, RANGES
from engines.royal.rules import ACTING, CREST, DEFENDING, ENDED, OWN_SUIT
from solvers.melds.dukes_kernel import batch_feasible

CHUNK = 20_000  # states at a time


@kept
def record(rules: Any, states: np.ndarray, greed: float, rng: np.ndarray) -> int:
    """Play games until all states are written, one after each event; return the number of decisions."""
    moves = np.empty(contract.most_moves(rules), np.int64)
    decisions = 0
    contract.start(rules, states[0])
    for i in range(1, len(states)):
        states[i] = states[i - 1]
        s = states[i]
        seat = contract.mover(rules, s)
        if seat == OVER:
            contract.start(rules, s)
        elif seat == CHANCE:
            contract.play(rules, s, contract.roll(rules, s, uniform(rng)))
        else:
            n = contract.legal(rules, s, moves)
            decisions += 1
            if uniform(rng) < greed:
                contract.play(rules, s, contract.suggest(rules, s, moves, n, rng))
            else:
                contract.play(rules, s, moves[below(rng, n)])
    return decisions


def bits(cards: np.ndarray) -> np.ndarray:
    """One-card masks; nothing where there is no card."""
    return np.where(cards >= 0, np.int64(1) << np.maximum(cards, 0), 0)


def check_royal(rules: Any, s: np.ndarray) -> None:
    for name, low, high in RANGES:
        assert ((low <= s[name]) & (s[name] <= high)).all(), name
    piles = np.zeros((3, len(s)), np.int64)
    rows = np.arange(len(s))
    for pile in range(3):
        card = s["top"][:, pile].copy()
        for _ in range(55):
            if (card < 0).all():
                break
            piles[pile] |= bits(card)
            card = np.where(card >= 0, s["below"][rows, card], NONE)
        assert (card < 0).all(), "a pile without a bottom"
    crests = np.where(s["stands"] == 1, np.int64(1) << CREST, 0)
    parts = ("fort", "hits", "family", "captives")
    places = [s["deck"], s["out"], bits(s["card"]), *piles, *crests.reshape(-1, 4).T]
    places += [mask for part in parts for mask in s[part].reshape(-1, 4).T]
    # All 54 cards are somewhere, and none is in two places: masks that are disjoint add up to their union.
    assert (np.bitwise_or.reduce(places) == DECK_AND_JOKERS).all()
    assert (np.sum(places, axis=0) == DECK_AND_JOKERS).all()
    lying = np.bitwise_or.reduce(piles)
    under = mask_to_table(lying)
    assert (s["below"][~under] == NONE).all()
    assert ((s["spent"] & ~(lying & 15)) == 0).all()
    assert ((s["spent"] == 0) | (s["extra"] == 1)).all()
    members = np.zeros((len(s), 2), np.int64)
    for seat in range(2):
        colour = suit_mask(int(CREST[seat, 0])) | suit_mask(int(CREST[seat, 1]))
        for castle in range(2):
            own = suit_mask(int(CREST[seat, castle]))
            hitting = DECK & ~colour if rules.attack_suit == OWN_SUIT else colour
            allowed = (NUMBER_CARDS & own, NUMBER_CARDS & hitting, FAMILY & own, FAMILY & ~colour)
            for part, mask in zip(parts, allowed, strict=True):
                cards = s[part][:, seat, castle]
                assert (cards & ~mask == 0).all(), part
                assert ((cards == 0) | (s["stands"][:, seat, castle] == 1)).all(), part
            hits = mask_to_table(s["hits"][:, seat, castle])
            assert (hits @ (np.arange(54) // 4 + 1) < rules.castle_hp).all()
            captives = np.bitwise_count(s["captives"][:, seat, castle])
            assert (captives <= max(rules.captives, rules.captives_with_queen)).all()
            family = np.bitwise_count(s["family"][:, seat, castle])
            assert ((family < 3) | (s["winner"] == seat)).all()
            members[:, seat] = np.maximum(members[:, seat], family)
    fallen = ~s["stands"].any(axis=2)
    phase = s["phase"]
    for seat in range(2):
        won = s["winner"] == seat
        assert (phase[won] == ENDED).all()
        assert (fallen[:, 1 - seat] | (members[:, seat] == 3))[won].all()
        assert (won | ~fallen[:, 1 - seat]).all()
    assert ((s["card"] != NONE) == ((phase == ACTING) | (phase == DEFENDING))).all()
    assert ((s["target"] != NONE) == (phase == DEFENDING)).all()
    assert ((s["turns"] >= 0) & (s["turns"] <= rules.max_turns)).all()
    drawn = (phase == ENDED) & (s["winner"] == NONE)
    stuck = (s["deck"] == 0) & (s["top"] == NONE).all(axis=1)
    assert (stuck | (s["turns"] == rules.max_turns))[drawn].all()


def mask_to_table(masks: np.ndarray) -> np.ndarray:
    return (masks[:, None] >> np.arange(54)) & 1 == 1


def check_duel(rules: Any, s: np.ndarray) -> None:
    limits = {
        name: getattr(rules, limit)
        for name, limit in (
            ("energy", "start_energy"),
            ("attack", "max_points"),
            ("defense", "max_points"),
            ("actions", "max_actions"),
            ("rage", "max_rage"),
        )
        if name in s.dtype.names
    }
    for name, most in limits.items():
        assert ((s[name] >= 0) & (s[name] <= most)).all(), name
    over = s["phase"] == (basic_rules.ENDED if "rage" in limits else duel_rules.ENDED)
    assert (s["health"] <= rules.max_health).all()
    assert ((s["health"] >= 1).all(axis=1) | over).all()
    for seat in range(2):
        won = s["winner"] == seat
        assert (over & (s["health"][:, seat] >= 1) & (s["health"][:, 1 - seat] < 1))[won].all()
    drawn = over & (s["winner"] == NONE)
    assert (s["turns"][drawn] == rules.max_turns).all()
    assert ((s["turns"] >= 0) & (s["turns"] <= rules.max_turns)).all()
    assert ((s["turns"] < rules.max_turns) | over).all()
    deck, card, top, focus = s["deck"], s["card"], s["top"], s["focus"]
    assert ((deck >= 0) & (deck < 1 << 13)).all()
    assert ((card >= NONE) & (card < 13) & (top >= NONE) & (top < 13)).all()
    assert (deck & bits(card) == 0).all()
    assert (bits(top) & ~deck == 0).all()
    assert ((focus == 0) | (focus == 1)).all()
    assert (deck[focus == 1] & (1 << 12) == 0).all()
    assert (deck[top != NONE] & (1 << 10) == 0).all()
    assert ((deck != 0) | (card != NONE) | over[:, None]).all()
    if "second" in s.dtype.names:
        second = s["second"]
        assert (bits(second) & ~(deck & ~bits(top)) == 0).all()
        assert ((second == NONE) | (top != NONE)).all()
        assert (s["damage"] >= 0).all()


def check_dukes(rules: Any, s: np.ndarray) -> None:
    for name, low, high in DUKES_RANGES:
        assert ((low <= s[name]) & (s[name] <= high)).all(), name
    assert ((s["turn"] >= 0) & (s["turn"] <= rules.max_turns)).all()
    valid = np.zeros(len(s), bool)
    batch_feasible(np.ascontiguousarray(s["table"]), valid)
    assert valid.all()
    for seat in range(2):
        heap = s["heap"][:, seat]
        above = np.arange(heap.shape[1]) >= s["height"][:, seat, None]
        assert ((heap == NONE) == above).all()
        mine = [s[name][:, seat] for name in ("hand", "dukes", "unseen")]
        places = [*mine, s["table"] & COLOUR[seat], bits(s["fief"][:, seat]), *bits(heap).T]
        # All 26 cards are somewhere, and none is in two places.
        assert (np.bitwise_or.reduce(places) == COLOUR[seat]).all()
        assert (np.sum(places, axis=0) == COLOUR[seat]).all()
        assert (np.bitwise_count(s["hand"][:, seat]) == s["held"][:, seat]).all()
        assert (np.bitwise_count(s["unseen"][:, seat]) == s["pile"][:, seat] + s["burnt"][:, seat]).all()
        assert (np.bitwise_count(s["dukes"][:, seat]) <= 2).all()


def check_river(rules: Any, s: np.ndarray) -> None:
    for name, low, high in RIVER_RANGES:
        assert ((low <= s[name]) & (s[name] <= high)).all(), name
    over = s["phase"] == river_rules.ENDED
    assert ((s["turn"] >= 0) & (s["turn"] <= rules.max_turns)).all()
    assert (s["stage"] < river_rules.ROUNDS[rules.rounds]).all()
    assert (s["totals"] % 5 == 0).all()
    heaps = [s["hand"][:, seat] for seat in range(6)] + [s["unseen"], s["buried"], s["laid"]]
    for heap in [*heaps, s["shuffled"], *s["known"].transpose(1, 0, 2)]:
        assert (heap[:, 1] & ~heap[:, 0] == 0).all()
    # All cards are somewhere, each kind twice, and twelve wilds.
    kinds = np.zeros((len(s), 49), np.int64)
    for heap in heaps:
        kinds += heap_table(heap)
    for name in ("top", "second"):
        some = s[name] != NONE
        np.add.at(kinds, (np.flatnonzero(some), s[name][some]), 1)
    assert (kinds == [2] * 48 + [12]).all()
    for seat in range(6):
        hand, known = heap_table(s["hand"][:, seat]), heap_table(s["known"][:, seat])
        assert (hand.sum(axis=1) == s["held"][:, seat]).all()
        assert (known <= hand).all()
        assert ((s["held"][:, seat] > 0) | over | (s["turn"] == 0) | (seat >= rules.players)).all()
    unseen = heap_table(s["unseen"])
    assert (unseen.sum(axis=1) == s["pile"]).all()
    assert (unseen <= heap_table(s["shuffled"])).all()
    lying = heap_table(s["buried"]).sum(axis=1) + (s["top"] != NONE) + (s["second"] != NONE)
    assert ((s["pile"] > 0) | (lying <= 1) | over).all()  # V14
    # Each meld is one, with a natural; all together are the cards that were laid.
    melds = s["melds"]
    suit, low, high, wilds = (melds[name] for name in ("suit", "low", "high", "wilds"))
    sets, runs = suit < 0, (suit >= 0) & (high > 0)
    assert ((suit == -1) & (high >= 3) & (wilds < high))[sets].all()
    window = (np.int64(2) << high) - (np.int64(1) << low)
    assert ((high - low >= 3) & (high < 12) & (wilds & ~window == 0) & (wilds != window))[runs].all()
    size = np.where(sets, high, np.where(runs, high - low + 1, 0)).sum(axis=1)
    wild = np.where(sets, wilds, np.where(runs, np.bitwise_count(wilds), 0)).sum(axis=1)
    laid = heap_table(s["laid"])
    assert ((laid.sum(axis=1) == size) & (laid[:, 48] == wild) | over).all()
    for seat in range(6):  # who is down has laid the contract (V4)
        own = slice(3 * seat, 3 * seat + 3)
        down = (s["down"][:, seat] > 0) & ~over
        assert (sets[down, own].sum(axis=1) == river_rules.SETS[s["stage"][down]]).all()
        assert (runs[down, own].sum(axis=1) == river_rules.RUNS[s["stage"][down]]).all()


def heap_table(heap: np.ndarray) -> np.ndarray:
    """Return how many cards of each kind lie in heaps."""
    places = np.arange(48)
    naturals = (heap[:, :1] >> places & 1) + (heap[:, 1:2] >> places & 1)
    return np.concatenate([naturals, heap[:, 2:]], axis=1)


CHECKS = {
    "royal": check_royal,
    "deckduel": check_duel,
    "deckduel-basic": check_duel,
    "dukes": check_dukes,
    "river": check_river,
}
WRONG = {  # numbers that no state has in a field
    "dukes": [("unseen", -1), ("unseen", 1 << 60), ("turn", -1), ("turn", 10**6), ("hand", 1), ("table", 1)],
    "river": [
        *(("unseen", -1), ("known", 1 << 50), ("turn", -1), ("turn", 10**6), ("hand", 1), ("laid", 1)),
        *(("pile", 108), ("totals", 3), ("shuffled", 0), ("held", 0), ("top", 49)),
    ],
}


def sweep(name: str, wanted: int, sample: int, **fixed: object) -> None:
    """Check so many decisions, each chunk of states under other rules but for the fixed ones."""
    game = registry.load(name)
    states = np.zeros(CHUNK, game.state_type)
    decisions = 0
    chunk = 0
    while decisions < wanted:
        rules = random_rules(game, chunk, **fixed) if chunk % 4 else game.rules(**fixed)
        decisions += record(rules, states, (chunk % 3) / 2, stream(12, chunk))
        CHECKS[name](rules, states)
        for i in range(chunk % sample, CHUNK, sample):
            game.notation.check(rules, states[i])
        chunk += 1


@pytest.mark.parametrize("name", registry.names())
def test_invariants(name):
    sweep(name, 50_000, 200)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in registry.names() if name != "river"])
def test_invariants_of_a_million_decisions(name):
    sweep(name, 1_000_000, 20)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_invariants_of_a_million_decisions_of_river(players):
    sweep("river", 1_000_000, 200, players=players)


def test_every_game_has_its_invariants():
    assert sorted(CHECKS) == sorted(registry.names())


@pytest.mark.parametrize("name", registry.names())
def test_the_checks_would_notice(name):
    """A card that appears, vanishes or doubles in one state of many does not go unseen."""
    game = registry.load(name)
    rules = game.rules()
    states = np.zeros(CHUNK, game.state_type)
    record(rules, states, 0.5, stream(1))
    CHECKS[name](rules, states)
    wrong = WRONG.get(name, [("deck", -1), ("deck", 1 << 60), ("turns", -1), ("turns", 10**6), ("winner", 1)])
    for field, number in wrong:
        broken = states[:200].copy()
        broken[field][100] = number
        with pytest.raises(AssertionError):
            CHECKS[name](rules, broken)
    if name == "royal":
        broken = states[:200].copy()
        broken["deck"][100] ^= 1 << 20
        with pytest.raises(AssertionError):
            CHECKS[name](rules, broken)
