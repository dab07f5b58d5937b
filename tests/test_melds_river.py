"""River melds against brute force and the rulings."""

import random
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from benchmarks.meld_cases import built_hand, river_hand
from engines.errors import InputError
from solvers.melds import river, river_kernel, verify
from solvers.melds.river_kernel import MAX_MELDS, MAX_PIECES, WILD
from solvers.melds.river_table import (
    ADDITION,
    HIGH,
    INTO,
    LOW,
    MAX_ADDITIONS,
    REPLACE_HIGH,
    REPLACE_LOW,
    TABLE,
    Addition,
    apply_addition,
    best_additions,
    find_additions,
)
from tests.meld_reference import rivers

POINTS = np.array(river.POINTS)
ODD = np.array(
    [(7 * kind) % 13 + 1.0 for kind in range(48)] + [2.5]
)  # wilds cheap, every card another weight


def hands_of(hands):
    counts = [[hand.count(kind) for kind in range(49)] for hand in hands]
    return np.array([river.hand_of(count) for count in counts])


def table_of(*melds):
    return np.array(list(melds), TABLE)


def text_ready(text, number):
    return river.judge(text, number).ready


def test_v1_twos_and_jokers_are_wild_and_two_decks_bound_a_hand():
    assert river.read_hand("2C 2C 2D X X X X 3C")[WILD] == 7
    for wrong in ("3C 3C 3C", "X X X X X", "", "1C"):
        with pytest.raises(InputError):
            river.read_hand(wrong)
    # Were a two natural, three of them would be a set.
    assert not text_ready("2C 2D 2H 2S 2C 2D 7C", 1)


def test_v2_v3_melds_when_going_down():
    assert text_ready("7C 7C 7H KS KH KD 3C", 1)  # V2: copies are free
    assert not text_ready("7C 7D 7H 7S KS KH 3C", 1)  # V3: exactly three a set
    assert text_ready("JH QH KH AH 9C 9D 9S 3C", 2)  # V2: ace high
    assert not text_ready("AH 3H 4H 5H 9C 9D 9S KC", 2)  # V2: never low
    assert not text_ready("JH QH KH AD 9C 9D 9S 3C", 2)  # V2: one suit
    assert text_ready("7C X X KS 2H 2D 3C", 1)  # V2: wilds unlimited beside a natural
    assert not text_ready("7C X X X X 2D 2H", 1)  # V2: each meld needs a natural
    found = river.judge("5H X 7H 8H 9C 9D 9S 3C", 2)
    assert ["5H", "*6H", "7H", "8H"] in found.ways[0]  # V3: the wild's rank is fixed


def test_a_card_is_left_for_the_discard():
    found = river.judge("7C 7C 7H KS KH KD", 1)
    assert (found.missing, found.ready) == (0, False)


@pytest.mark.parametrize("number", range(1, 8))
@pytest.mark.parametrize("weights", [POINTS, ODD], ids=["points", "odd"])
def test_missing_and_best_equal_brute_force(number, weights):
    sets, runs = river.CONTRACTS[number - 1]
    rng = random.Random(number)
    hands = [river_hand(rng, size) for size in (6, 8, 9) for _ in range(150)]
    hands += [built_hand(rng, sets, runs, size) for size in (9, 11, 12) for _ in range(20)]
    for size in {len(hand) for hand in hands}:
        some = [hand for hand in hands if len(hand) == size]
        missing, least = np.zeros(len(some), np.int64), np.zeros(len(some))
        rivers(np.array(some), sets, runs, weights, missing, least)
        answers = np.zeros(len(some), np.int64)
        river_kernel.batch_missing(hands_of(some), sets, runs, answers)
        assert (answers == missing).all()
        if runs == MAX_MELDS:
            continue
        ways, found = river.new_melds(len(some), MAX_MELDS), np.zeros(len(some), np.bool_)
        pieces = river.new_melds(MAX_PIECES)
        river_kernel.batch_best(hands_of(some), sets, runs, weights, pieces, ways, found)
        assert (found == (least >= 0)).all()
        for place in np.flatnonzero(found):
            counts = [some[place].count(kind) for kind in range(49)]
            left = verify.check_way_down(counts, river.meld_lists(ways[place]), sets, runs)
            assert sum(weights[kind] for kind in left) == pytest.approx(least[place])


@pytest.mark.parametrize("number", range(1, 8))
def test_outs_equal_trying_each_card(number):
    sets, runs = river.CONTRACTS[number - 1]
    rng = random.Random(50 + number)
    for _ in range(4):
        hand = river_hand(rng, 7 if runs < 3 else 8)
        outs = np.zeros(1, np.int64)
        river_kernel.batch_outs(hands_of([hand]), sets, runs, outs)
        more = [[*hand, kind] for kind in range(49)]
        missing, least = np.zeros(1, np.int64), np.zeros(1)
        rivers(np.array([hand]), sets, runs, POINTS, missing, least)
        after, least = np.zeros(len(more), np.int64), np.zeros(len(more))
        rivers(np.array(more), sets, runs, POINTS, after, least)
        held_twice = [kind < 48 and hand.count(kind) == 2 for kind in range(49)]
        expected = [k for k in range(49) if after[k] < missing[0] and not held_twice[k]]
        assert [k for k in range(49) if int(outs[0]) >> k & 1] == expected


def distinct_results(hand, sets, runs):
    """All results of going down, from every choice of cards and of windows."""
    results = set()

    def lay(cards, sets, runs, laid):
        if not sets and not runs:
            if cards:
                results.add((tuple(sorted(hand[c] for c in cards)), tuple(sorted(laid))))
            return
        for part in combinations(cards, 3 if sets else 4):
            rest = [card for card in cards if card not in part]
            naturals = [hand[card] for card in part if hand[card] != WILD]
            if not naturals:
                continue
            if sets:
                if len({kind % 12 for kind in naturals}) == 1:
                    lay(rest, sets - 1, runs, [*laid, (0, naturals[0] % 12)])
            elif len(set(naturals)) == len(naturals) and len({kind // 12 for kind in naturals}) == 1:
                suit = naturals[0] // 12
                for low in range(9):
                    if all(low <= kind % 12 < low + 4 for kind in naturals):
                        lay(rest, sets, runs - 1, [*laid, (1, 12 * suit + low, tuple(sorted(naturals)))])

    lay(range(len(hand)), sets, runs, [])
    return results


@pytest.mark.parametrize("contract", [(2, 0), (1, 1), (0, 2), (3, 0)])
def test_v3_every_distinct_way_once(contract):
    rng = random.Random(9)
    some = 0
    for _ in range(60 if contract != (3, 0) else 8):
        hand = built_hand(rng, *contract, 10 if contract == (3, 0) else 9)
        ways = river.new_melds(5000, MAX_MELDS)
        number = river_kernel.all_ways(hands_of([hand])[0], *contract, river.new_melds(MAX_PIECES), ways)
        found = []
        for way in ways[:number]:
            counts = [hand.count(kind) for kind in range(49)]
            left = verify.check_way_down(counts, river.meld_lists(way), *contract)
            laid = []
            for piece in way[way["once"] != 0]:
                kinds = tuple(kind for kind in range(48) if int(piece.once) >> kind & 1)
                if piece.sets == 0:
                    laid.append((1, int(piece.low), kinds))
                laid += [(0, int(piece.low))] * int(piece.sets)
            found.append((tuple(left), tuple(sorted(laid))))
        assert len(found) == len(set(found))
        assert set(found) == distinct_results(hand, *contract)
        some += number
    assert some > 20


def test_v12_round_seven_uses_every_card():
    assert text_ready("3C 4C 5C 6C 7D 8D 9D X 2C QS KS AS", 7)
    assert not text_ready("3C 4C 5C 6C 7D 8D 9D TD QS KS AS", 7)  # eleven cards
    assert not text_ready("3C 4C 5C 6C 7D 8D 9D TD JS QS KS AS 3H", 7)  # a card over
    assert text_ready("3C 4C 5C 6C 7C 7D 8D 9D TD JS QS KS AS", 7)  # a longer run
    assert text_ready("3C 4C 5C 6C 3C 4C 5C 6C 9C TC JC QC", 7)  # two copies
    assert text_ready("3C X X X 2C 2D 2H 4C 2S X 5C 2C", 7)  # one natural each is enough
    assert not text_ready("3C X X X 2C 2D 2H 4C 2S X 2C 2D", 7)


@given(st.integers(0, 2**32))
@settings(max_examples=100, deadline=None)
def test_v12_whole_hands_are_laid_and_verified(seed):
    rng = random.Random(seed)
    hand = []
    for _ in range(3):
        length = rng.randint(4, 6)
        low = 12 * rng.randrange(4) + rng.randrange(13 - length)
        wild = rng.sample(range(length), rng.randint(0, length - 1))
        hand += [WILD if place in wild else low + place for place in range(length)]
    counts = [hand.count(kind) for kind in range(49)]
    if max(counts[:48]) <= 2:
        windows = np.zeros(MAX_MELDS, np.int64)
        assert river_kernel.round7(river.hand_of(counts), windows)
        verify.check_round7(counts, river.whole_hand(counts, [int(window) for window in windows]))


def additions(counts, melds):
    found = np.zeros(MAX_ADDITIONS * len(melds), ADDITION)
    ones = int(river.hand_of(counts)[0])
    number = find_additions(ones, counts[WILD], melds, found)
    return {(int(a.meld), int(a.kind), int(a.where)) for a in found[:number]}


def test_v9_additions_to_sets_and_both_ends_of_runs():
    melds = table_of((2, 1, 4, 0), (-1, 6, 0, 0), (0, 0, 11, 0))  # 4H-7H, nines, clubs 3 to ace
    counts = river.read_hand("3H 8H 9C 9H 4H KD")
    h = 24
    assert additions(counts, melds) == {(0, h, LOW), (0, h + 5, HIGH), (1, 6, INTO), (1, h + 6, INTO)}
    wild = river.read_hand("X KD")
    assert additions(wild, melds) == {
        (0, WILD, LOW),
        (0, WILD, HIGH),
        (1, WILD, INTO),
    }  # the full run has no end


def test_v10_a_natural_replaces_a_wild_which_goes_to_an_end():
    melds = table_of((2, 1, 4, 0b01000), (-1, 6, 0, 0))  # 4H 5H *6H 7H
    counts = river.read_hand("6H KD")
    assert additions(counts, melds) == {(0, 27, REPLACE_LOW), (0, 27, REPLACE_HIGH)}
    apply_addition(melds, 0, 27, REPLACE_HIGH)
    assert melds[0].tolist() == (2, 1, 5, 0b100000)
    full = table_of((2, 0, 11, 0b01000))  # no room at either end
    assert additions(counts, full) == set()


@njit
def compiled_steps(ones, wilds, melds, found):
    number = find_additions(ones, wilds, melds, found)
    for place in range(number):
        if found[place].where == REPLACE_LOW:
            apply_addition(melds, found[place].meld, found[place].kind, found[place].where)
    return number


def test_v9_v10_compiled_code_finds_and_makes_the_same_additions():
    counts = river.read_hand("6H 3H 8H 9C X")
    melds = table_of((2, 1, 4, 0b01000), (-1, 6, 0, 0))
    found = np.zeros(2 * MAX_ADDITIONS, ADDITION)
    expected = additions(counts, melds)
    number = compiled_steps(int(river.hand_of(counts)[0]), 1, melds, found)
    assert {(int(a.meld), int(a.kind), int(a.where)) for a in found[:number]} == expected
    assert melds[0].tolist() == (2, 0, 4, 0b00001)


def all_sequences(counts, melds, weights):
    """The most weight that any sequence of additions takes off, leaving one card."""
    seen, best = set(), 0.0
    stack = [(tuple(counts), tuple(map(tuple, melds.tolist())), 0.0)]
    while stack:
        hand, table, off = stack.pop()
        if (hand, table) in seen:
            continue
        seen.add((hand, table))
        best = max(best, off)
        if sum(hand) > 1:
            for meld, kind, where in additions(list(hand), table_of(*table)):
                after = table_of(*table)
                apply_addition(after, meld, kind, where)
                fewer = list(hand)
                fewer[kind] -= 1
                stack.append((tuple(fewer), tuple(map(tuple, after.tolist())), off + weights[kind]))
    return best


@given(st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_v9_v10_best_sequence_equals_trying_all(seed):
    rng = random.Random(seed)
    melds = []
    for _ in range(rng.randint(1, 2)):
        if rng.random() < 0.3:
            melds.append((-1, rng.randrange(12), 0, 0))
        else:
            low = rng.randrange(8)
            wilds = sum(1 << (low + place) for place in rng.sample(range(4), rng.randint(0, 2)))
            melds.append((rng.randrange(2), low, low + 3, wilds))
    hand = rng.sample([*range(24), WILD, WILD], 5)
    counts = [hand.count(kind) for kind in range(49)]
    steps = best_additions(counts, table_of(*melds), river.POINTS)
    verify.check_additions(counts, melds, steps)
    off = sum(river.POINTS[step.kind] for step in steps)
    assert off == all_sequences(counts, table_of(*melds), river.POINTS)


def test_the_verifier_refuses_wrong_answers():
    counts = river.read_hand("7C 7C 7H KS KH KD 3C")
    good = [["7C", "7C", "7H"], ["KD", "KH", "KS"]]
    assert verify.check_way_down(counts, good, 2, 0) == [0]
    for wrong in (good[:1], [good[0], good[0]], [["7C", "7C", "KS"], good[1]], [["*", "*", "*"], good[1]]):
        with pytest.raises(verify.WrongAnswerError):
            verify.check_way_down(counts, wrong, 2, 0)
    with pytest.raises(verify.WrongAnswerError):
        verify.check_additions(counts, [(2, 1, 4, 0)], [Addition(0, 28, HIGH)])
    with pytest.raises(verify.WrongAnswerError):
        verify.check_arrangement([0, 4, 8], [[0, 4, 9]])
