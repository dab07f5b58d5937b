"""The graph of open runs: what an arrangement of a Dukes Up! table is, rank by rank.

Walk the ranks upwards. All that the future needs to know of the past is which runs are still open, and of
each only whether it has 1, 2 or at least 3 cards. A family (flowers: clubs, hearts; thorns: diamonds,
spades) has two cards a rank, so at most two open runs. A *node* is the open runs of both families, an
*edge* is how the cards of the next rank split over a set and the runs. A path from the low aces to a node
without short runs is an arrangement of the table; the table is valid if there is a path (D4).

A run is written as its length, 1, 2 or 3 (three or more), with a minus sign if it began with a low ace: at
the far end such a run must not take an ace as well (D3). Aces walk first, as low ones, and last; ``high``
remembers how many of each family wait for the end, where a set of aces is made too.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from math import comb, perm
from typing import Any, NamedTuple

from engines.cards import ACE, KING, TWO

Runs = tuple[int, ...]
Node = tuple[Runs, Runs]

LONG = 3
FLOWERS, THORNS = 0b0101, 0b1010  # the suits of a rank, as bits
SETS = ((0, 0), (1, 2), (2, 1), (2, 2))  # flowers and thorns that lie in a rank's set, if there is one (D2)


class Place(NamedTuple):
    """Where a walk stands: the open runs, and the aces kept for the far end."""

    node: Node
    high: tuple[int, int]


def grow(run: int) -> int:
    """Return a run with one more card."""
    return run if abs(run) == LONG else run + (1 if run > 0 else -1)


@cache
def family_steps(runs: Runs, cards: int, at_high_ace: bool = False) -> dict[Runs, int]:
    """Return what a family's open runs can become with so many cards of the next rank, and the ways to.

    Every card extends an open run or begins one; a run that gets no card ends, and must be long.
    """
    steps: Counter[Runs] = Counter()
    for size in range(min(cards, len(runs)) + 1):
        for extended in combinations(range(len(runs)), size):
            ended = [run for place, run in enumerate(runs) if place not in extended]
            if any(abs(run) < LONG for run in ended):
                continue
            if at_high_ace and any(runs[place] == -LONG for place in extended):
                continue
            after = [grow(runs[place]) for place in extended] + [1] * (cards - size)
            steps[tuple(sorted(after))] += perm(cards, size)  # which card goes to which run
    return dict(steps)


@cache
def steps(node: Node, flowers: int, thorns: int, at_high_ace: bool = False) -> dict[Node, int]:
    """Return the nodes after a rank with these many cards of each family, and the ways to get there."""
    after: Counter[Node] = Counter()
    for a, b in SETS:
        if a > flowers or b > thorns:
            continue
        choices = comb(flowers, a) * comb(thorns, b)
        for left, left_ways in family_steps(node[0], flowers - a, at_high_ace).items():
            for right, right_ways in family_steps(node[1], thorns - b, at_high_ace).items():
                after[left, right] += choices * left_ways * right_ways
    return dict(after)


def complete(node: Node) -> bool:
    """Say whether every open run is long enough to end here."""
    return all(abs(run) == LONG for runs in node for run in runs)


def counts(table: int, rank: int) -> tuple[int, int]:
    """Return how many flowers and thorns of a rank lie on the table."""
    cards = table >> (4 * rank)
    return (cards & FLOWERS).bit_count(), (cards & THORNS).bit_count()


def begin(table: int) -> dict[Place, int]:
    """Return the places after the low aces, and the ways to get there."""
    flowers, thorns = counts(table, ACE)
    return {
        Place(((-1,) * a, (-1,) * b), (flowers - a, thorns - b)): comb(flowers, a) * comb(thorns, b)
        for a in range(flowers + 1)
        for b in range(thorns + 1)
    }


def edges(table: int) -> Iterator[list[tuple[Place, Place, int]]]:
    """Yield the edges of a table's graph, layer by layer: the twos, … the kings, the high aces."""
    layer = list(begin(table))
    for rank in range(TWO, KING + 2):
        found = []
        for place in layer:
            high = rank > KING
            cards = place.high if high else counts(table, rank)
            left = (0, 0) if high else place.high
            for node, ways in steps(place.node, *cards, high).items():
                found.append((place, Place(node, left), ways))
        yield found
        layer = list({after: None for _, after, _ in found})


def count_arrangements(table: int) -> int:
    """Return in how many ways the table can be partitioned into sets and runs."""
    ways: Counter[Place] = Counter(begin(table))
    for layer in edges(table):
        after: Counter[Place] = Counter()
        for place, next_place, factor in layer:
            after[next_place] += ways[place] * factor
        ways = after
    return sum(number for place, number in ways.items() if complete(place.node))


def graph(table: int) -> Any:
    """Return the layered graph of a table as a networkx ``DiGraph`` from ``"start"`` to ``"end"``.

    Nodes are ``(rank, place)``; an edge's ``ways`` is the number of splits it stands for. Every path is
    an arrangement up to the choice of suits, so the table is valid if ``end`` can be reached.
    """
    import networkx as nx

    result = nx.DiGraph()
    result.add_nodes_from(["start", "end"])
    for place, ways in begin(table).items():
        result.add_edge("start", (ACE, place), ways=ways)
    for rank, layer in enumerate(edges(table), start=TWO):
        for place, after, ways in layer:
            result.add_edge((rank - 1, place), (rank, after), ways=ways)
            if rank > KING and complete(after.node):
                result.add_edge((rank, after), "end", ways=1)
    return result
