"""Dukes Up! melds: the graph, the automaton and the arrangements against exact cover and the rulings."""

import os
import random
import subprocess
import sys

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.meld_cases import any_table, meld_table
from engines.cards import DECK, cards_in, mask_of, parse_cards
from solvers.melds import dukes_automaton, dukes_kernel, verify
from solvers.melds.dukes_arrange import NEW, arrange
from solvers.melds.dukes_check import in_any_meld, judge, read_groups
from solvers.melds.dukes_graph import count_arrangements, graph
from tests.meld_reference import dukes_melds, exact_cover, exact_covers, partitions

MELDS = dukes_melds()
tables = st.integers(0, 2**32).map(lambda seed: any_table(random.Random(seed)))


def mask(text):
    return mask_of(parse_cards(text))


def judged(masks):
    answers = np.zeros(len(masks), np.bool_)
    dukes_kernel.batch_feasible(np.array(masks, np.int64), answers)
    return answers


@pytest.mark.parametrize(
    ("cards", "valid"),
    [
        ("KC KD KH KS", True),
        ("TS TC", False),
        ("9C TC JH QC", True),
        ("AD 2D 3D", True),
        ("2S 3S 4C", False),
        ("QH KC AH", True),
        ("KC AC 2C", False),  # D3: no wrapping
        ("AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AH", True),  # D3: two runs
        ("6C 6D 6H", True),
        ("5C 6C 7C 7H 8H 9H", True),
        ("", True),
    ],
)
def test_d2_d3_examples_of_melds(cards, valid):
    assert dukes_automaton.feasible(mask(cards)) is valid
    assert judged([mask(cards)])[0] == valid


def test_d1_the_whole_deck_of_52_distinct_cards_is_valid():
    assert dukes_automaton.feasible(DECK)
    verify.check_arrangement(range(52), arrange(DECK).melds)


def test_d3_a_run_never_has_an_ace_at_both_ends():
    fourteen = mask("AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AH")
    assert not verify.is_run(list(cards_in(fourteen)))
    found = arrange(fourteen, [list(cards_in(fourteen))])
    verify.check_arrangement(cards_in(fourteen), found.melds)
    assert len(found.melds) == 2
    assert count_arrangements(fourteen) == 2 * len(list(cuts(14)))  # either ace may be the low one


def cuts(length):
    """Ways to cut a line of cards into two or more runs of three or more."""

    def pieces(rest):
        if rest == 0:
            yield ()
        for first in range(3, rest + 1):
            for others in pieces(rest - first):
                yield (first, *others)

    return (cut for cut in pieces(length) if len(cut) > 1)


def test_d4_only_the_cards_matter_not_their_grouping():
    assert judge(read_groups(["3S 4S 5S 6S", "6H 6D"])).verdict == "regroup"
    assert judge(read_groups(["3S 4S 5S", "6S 6H 6D"])).verdict == "valid"


@pytest.mark.parametrize("ranks", [(0, 1, 2), (5, 6, 7), (0, 11, 12)])
def test_d4_every_subset_of_three_ranks_equals_exact_cover(ranks):
    places = [4 * rank + suit for rank in ranks for suit in range(4)]
    masks = [mask_of(places[b] for b in range(12) if s >> b & 1) for s in range(1 << 12)]
    expected = np.zeros(len(masks), np.bool_)
    exact_covers(np.array(masks), MELDS, expected)
    assert (judged(masks) == expected).all()


def test_generated_tables_equal_exact_cover():
    rng = random.Random(11)
    masks = [any_table(rng) for _ in range(20_000)]
    expected = np.zeros(len(masks), np.bool_)
    exact_covers(np.array(masks), MELDS, expected)
    assert (judged(masks) == expected).all()
    assert 4_000 < expected.sum() < 16_000  # both answers are really there


@given(tables)
@settings(max_examples=150, deadline=None)
def test_python_graph_kernel_and_count_agree(table):
    valid = dukes_automaton.feasible(table)
    assert judged([table])[0] == valid == bool(exact_cover(table, MELDS))
    assert nx.has_path(graph(table), "start", "end") == valid == (count_arrangements(table) > 0)


@given(st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_count_equals_listing_all_partitions(seed):
    rng = random.Random(seed)
    table = meld_table(rng, rng.randint(6, 10))
    listed = partitions(frozenset(cards_in(table)), verify.is_meld)
    assert count_arrangements(table) == len(listed)


@given(st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_fewest_moves_equals_trying_all_partitions(seed):
    rng = random.Random(seed)
    table = meld_table(rng, rng.randint(6, 10))
    cards = list(cards_in(table))
    rng.shuffle(cards)
    added = rng.randint(0, 2)
    edges = sorted(rng.sample(range(1, len(cards) - added), min(2, len(cards) - added - 1)))
    groups = [cards[a:b] for a, b in zip([0, *edges], [*edges, len(cards) - added], strict=True)]
    found = arrange(table, groups)
    verify.check_arrangement(cards, found.melds)
    kept = sum(
        len(set(m) & set(groups[h])) for m, h in zip(found.melds, found.homes, strict=True) if h != NEW
    )
    assert found.moves == len(cards) - kept
    homes = [h for h in found.homes if h != NEW]
    assert len(homes) == len(set(homes))
    assert found.proven
    best = max(most_kept(p, groups) for p in partitions(frozenset(cards), verify.is_meld))
    assert found.moves == len(cards) - best


def most_kept(melds, groups):
    if not groups:
        return 0
    first, *others = groups
    options = [most_kept(melds, others)]
    for place, meld in enumerate(melds):
        options.append(len(set(meld) & set(first)) + most_kept(melds[:place] + melds[place + 1 :], others))
    return max(options)


def test_d3_one_arrangement_of_every_valid_table():
    rng = random.Random(8)
    for _ in range(500):
        table = meld_table(rng, rng.randint(12, 50))
        verify.check_arrangement(cards_in(table), arrange(table).melds)


def test_effort_is_bounded_and_said():
    rng = random.Random(5)
    table = meld_table(rng, 44)
    cards = list(cards_in(table))
    rng.shuffle(cards)
    groups = [cards[n : n + 3] for n in range(0, len(cards), 3)]
    found = arrange(table, groups, effort=500)
    verify.check_arrangement(cards, found.melds)
    assert not found.proven


@given(tables, st.integers(0, 2**32))
@settings(max_examples=80, deadline=None)
def test_subsets_equal_trying_each_part(table, seed):
    rng = random.Random(seed)
    cards = list(cards_in(table))
    optional = mask_of(rng.sample(cards, min(len(cards), rng.randint(0, 7))))
    must = mask_of(c for c in cards_in(optional) if rng.random() < 0.2)
    rest = table & ~optional
    subsets = np.zeros(1 << 10, np.int64)
    number = dukes_kernel.all_subsets(rest, optional, must, subsets)
    parts = [p for p in range_of_parts(optional) if p & must == must]
    assert list(subsets[:number]) == [p for p in parts if dukes_automaton.feasible(rest | p)]


def range_of_parts(optional):
    part = 0
    while True:
        yield part
        part = (part - optional) & optional
        if not part:
            return


@given(tables)
@settings(max_examples=60, deadline=None)
def test_removable_cards(table):
    answer = np.zeros(1, np.int64)
    dukes_kernel.batch_removable(np.array([table]), np.array([DECK]), answer)
    assert answer[0] == mask_of(c for c in cards_in(table) if dukes_automaton.feasible(table ^ (1 << c)))


@given(st.integers(0, 2**32))
@settings(max_examples=30, deadline=None)
def test_largest_part_equals_trying_all_parts(seed):
    rng = random.Random(seed)
    table = mask_of(rng.sample(range(24), 11))
    must = mask_of(rng.sample(list(cards_in(table)), 2))
    valid = [p for p in range_of_parts(table) if dukes_automaton.feasible(p)]
    part = dukes_automaton.largest_part(table)
    assert part & ~table == 0
    assert dukes_automaton.feasible(part)
    assert part.bit_count() == max(p.bit_count() for p in valid)
    with_must = [p.bit_count() for p in valid if p & must == must]
    held = dukes_automaton.largest_part(table, must)
    assert (held.bit_count() if held is not None else None) == max(with_must, default=None)
    used = 0
    for p in valid:
        used |= p
    assert all(in_any_meld(c, table) == bool(used >> c & 1) for c in cards_in(table))


def test_a_second_process_finds_the_kernels_compiled(tmp_path):
    program = """
import numpy as np
from engines import compiled
compiled.announce = print
from solvers.melds import dukes_kernel
dukes_kernel.batch_feasible(np.zeros(1, np.int64), np.zeros(1, np.bool_))
dukes_kernel.all_subsets(0, 7, 0, np.zeros(8, np.int64))
"""
    environment = {**os.environ, "KIBITZ_CACHE": str(tmp_path), "NUMBA_DISABLE_JIT": "0"}
    command = [sys.executable, "-c", program]
    outputs = [
        subprocess.run(command, env=environment, capture_output=True, text=True).stdout for _ in range(2)
    ]
    assert "batch_feasible" in outputs[0]
    assert outputs[1] == ""


def test_automaton_is_small_and_minimal():
    assert dukes_automaton.STATES <= 256
    moves, accepting = dukes_automaton.determinise()
    classes = dukes_automaton.minimise(moves, accepting)
    assert len(set(classes)) == dukes_automaton.STATES
