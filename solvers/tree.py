"""The trees of a search: one flat array of nodes, no allocation in the loop.

A node is reached by one edge, a move or what somebody saw of an event, and holds that edge's statistics. The
children of a node form a list sorted by code.

At the root, the moves share their luck: the k-th simulation of every move meets the same world, and in it
every seat the same luck as far as that goes. A move is then compared with the policy's favourite over just
the simulations that it has had itself, which says far more than two means over different luck.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from engines.compiled import helper
from engines.contract import NONE, suggest

WIDEST = 256  # children to walk past: an event of more outcomes is not worth a tree behind each

NODE = np.dtype(
    (
        np.record,
        [
            ("code", "i8"),  # what the tree's owner saw happen
            ("child", "i8"),  # the first child, or NONE
            ("sibling", "i8"),  # the next child of the same parent, or NONE
            ("favoured", "i8"),  # how much the policy favours this move: the number of moves, or 0
            ("visits", "i8"),  # simulations that chose this move
            ("seen", "i8"),  # simulations in which it could have been chosen
            ("total", "f8"),  # sum of the chooser's results
        ],
    )
)

SIZE, DONE, SEED = range(3)  # what the counts of a forest are: nodes, simulations, the seed of their luck


class Forest(NamedTuple):
    """The trees of one search: nodes, what is counted, and the sums of the favourite's first results."""

    nodes: np.ndarray
    counts: np.ndarray
    sums: np.ndarray


def new_forest(nodes: int, simulations: int) -> Forest:
    """Make room for trees of so many nodes, and for the results of so many simulations."""
    return Forest(np.zeros(nodes, NODE), np.zeros(3, np.int64), np.zeros(simulations + 1))


@helper
def plant(forest: Forest, trees: int, seed: int) -> None:
    """Begin anew with the roots of some trees: nodes 0, 1 …"""
    forest.counts[SIZE] = 0
    forest.counts[SEED] = seed
    forest.sums[0] = 0.0
    for _ in range(trees):
        new_node(forest.nodes, forest.counts, NONE)


@helper
def favourite(nodes: np.ndarray, root: int) -> int:
    """Return the child of a root that the policy suggested, or NONE before the first simulation."""
    node = nodes[root].child
    while node != NONE and nodes[node].favoured == 0:
        node = nodes[node].sibling
    return node


@helper
def mean_result(forest: Forest, node: int, best: int) -> float:
    """Return the mean result of a root's move, corrected by how lucky the favourite was in the same luck."""
    nodes = forest.nodes
    visits = nodes[node].visits
    mean = nodes[node].total / visits
    if best != NONE and best != node:
        known = nodes[best].visits
        shared = min(visits, known, len(forest.sums) - 1)
        if shared:
            mean += nodes[best].total / known - forest.sums[shared] / shared
    return mean


@helper
def select(
    rules: Any,
    s: Any,
    forest: Forest,
    parent: int,
    at_root: bool,
    moves: np.ndarray,
    n: int,
    explore: float,
    rng: np.ndarray,
) -> int:
    """Return the child to try next, or NONE if there is no room for it.

    That is the best of mean result plus exploration (the PUCT rule). Half of the exploration goes to the
    move that the policy suggested on the first visit, which was tried first; an untried move counts as
    average. A move is compared by how often it could be chosen, as not every world allows every move.
    """
    nodes = forest.nodes
    count = forest.counts
    tries = 0
    total = 0.0
    node = NONE
    for i in range(n):
        node = find(nodes, count, parent, node, moves[i])
        if node == NONE:
            return NONE
        nodes[node].seen += 1
        tries += nodes[node].visits
        total += nodes[node].total
    if tries == 0:
        node = find(nodes, count, parent, NONE, suggest(rules, s, moves, n, rng))
        nodes[node].favoured = n
        return node
    liked = favourite(nodes, parent) if at_root else NONE
    best = NONE
    best_score = -9.0
    node = NONE
    for i in range(n):
        node = find(nodes, count, parent, node, moves[i])
        visits = nodes[node].visits
        score = mean_result(forest, node, liked) if visits else total / tries
        share = (1 + nodes[node].favoured) / (2 * n)
        score += explore * share * math.sqrt(nodes[node].seen) / (1 + visits)
        if score > best_score:
            best_score = score
            best = node
    return best


@helper
def find(nodes: np.ndarray, count: np.ndarray, parent: int, before: int, code: int) -> int:
    """Return the child of a code, made if need be, looking behind ``before``; NONE if there is no room."""
    node = nodes[parent].child if before == NONE else nodes[before].sibling
    steps = 0
    while node != NONE and nodes[node].code < code and steps < WIDEST:
        before = node
        node = nodes[node].sibling
        steps += 1
    if node != NONE and nodes[node].code == code:
        return node
    if count[0] == len(nodes) or steps == WIDEST:
        return NONE
    fresh = new_node(nodes, count, code)
    nodes[fresh].sibling = node
    if before == NONE:
        nodes[parent].child = fresh
    else:
        nodes[before].sibling = fresh
    return fresh


@helper
def new_node(nodes: np.ndarray, count: np.ndarray, code: int) -> int:
    """Take the next free node."""
    node = count[0]
    count[0] += 1
    nodes[node].code = code
    nodes[node].child = NONE
    nodes[node].sibling = NONE
    nodes[node].favoured = 0
    nodes[node].visits = 0
    nodes[node].seen = 0
    nodes[node].total = 0.0
    return node


@helper
def tally(forest: Forest, root: int, n: int, visits: np.ndarray, totals: np.ndarray) -> None:
    """Add what a root knows of its ``n`` moves, in their order, to some counts.

    A root's children are exactly the legal moves: they depend on the mover's view only.
    """
    nodes = forest.nodes
    liked = favourite(nodes, root)
    node = nodes[root].child
    for i in range(n):
        if node != NONE:
            if nodes[node].visits:
                visits[i] += nodes[node].visits
                totals[i] += nodes[node].visits * mean_result(forest, node, liked)
            node = nodes[node].sibling


@helper
def most_visited(n: int, visits: np.ndarray, totals: np.ndarray) -> int:
    """Return the place of the move with most visits (of equals, the better one): the move to play."""
    best = 0
    for i in range(1, n):
        more = visits[i] - visits[best]
        if more > 0 or (more == 0 and totals[i] > totals[best]):
            best = i
    return best
