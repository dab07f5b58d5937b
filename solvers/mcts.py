"""Monte Carlo tree search over decisions and chance, for what one seat can see.

Each simulation fills the view with a random world, walks down the tree, plays the game out, and adds the
result to the moves it chose. Where information is private, every seat has a tree of its own whose edges are
what that seat sees, so that no seat's choices in the search depend on what it cannot know (information-set
search with multiple observers); where nothing is private one tree serves all.

The trees live in one flat array of nodes. A node is reached by one edge, whose statistics it holds; its
children form a list sorted by code.
"""

import math
from typing import Any

import numpy as np

from engines.compiled import entry, helper
from engines.contract import (
    CHANCE,
    NONE,
    OVER,
    evaluate,
    fill,
    legal,
    most_moves,
    mover,
    play,
    private,
    returns,
    roll,
    seats,
    shown,
    suggest,
)
from engines.random import below, uniform
from solvers.playout import playout

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
            ("square", "f8"),  # sum of their squares
        ],
    )
)
DEEPEST = 256  # decisions of one simulation inside the tree
LIMIT_SPREAD = 4


@entry
def search(
    rules: Any,
    view: np.ndarray,
    world: np.ndarray,
    nodes: np.ndarray,
    used: np.ndarray,
    simulations: int,
    settings: tuple[float, float, int],
    rng: np.ndarray,
) -> int:
    """Run simulations from a view and return the number of decisions in them.

    ``world`` is room for one state; ``nodes[:used[0]]`` is the tree, which grows until it is full. The
    settings are the exploration constant, the greed of playouts, and their limit in decisions.
    """
    trees = seats(rules) if private(rules) else 1
    if used[0] == 0:
        for _ in range(trees):
            new_node(nodes, used, NONE)
    moves = np.empty(most_moves(rules), np.int64)
    chosen = np.empty((DEEPEST, 2), np.int64)  # the nodes chosen, and by which seat
    at = np.empty(trees, np.int64)
    decisions = 0
    for _ in range(simulations):
        world[0] = view[0]
        fill(rules, world[0], rng)
        decisions += simulate(rules, world[0], nodes, used, settings, moves, chosen, at, rng)
    return decisions


@helper
def simulate(
    rules: Any,
    s: Any,
    nodes: np.ndarray,
    used: np.ndarray,
    settings: tuple[float, float, int],
    moves: np.ndarray,
    chosen: np.ndarray,
    at: np.ndarray,
    rng: np.ndarray,
) -> int:
    """Descend, play out, back up; return the number of decisions."""
    explore, greed, limit = settings
    for tree in range(len(at)):
        at[tree] = tree
    depth = 0
    inside = True
    while inside and depth < len(chosen):
        seat = mover(rules, s)
        if seat == OVER:
            break
        if seat == CHANCE:
            code = roll(rules, s, uniform(rng))
        else:
            n = legal(rules, s, moves)
            node = select(rules, s, nodes, used, at[seat % len(at)], moves, n, explore, rng)
            if node == NONE:
                break
            code = nodes[node].code
            chosen[depth, 0] = node
            chosen[depth, 1] = seat
            depth += 1
            inside = nodes[node].visits > 0
        for tree in range(len(at)):
            if inside:
                at[tree] = find(nodes, used, at[tree], NONE, shown(rules, s, code, tree))
                inside = at[tree] != NONE
        play(rules, s, code)
    # The limit varies, so that the estimates of no one phase of a turn decide.
    decisions = depth + playout(rules, s, moves, greed, limit + below(rng, LIMIT_SPREAD), rng)
    over = mover(rules, s) == OVER
    for i in range(depth):
        node = chosen[i, 0]
        value = returns(rules, s, chosen[i, 1]) if over else evaluate(rules, s, chosen[i, 1])
        nodes[node].visits += 1
        nodes[node].total += value
        nodes[node].square += value * value
    return decisions


@helper
def select(
    rules: Any,
    s: Any,
    nodes: np.ndarray,
    used: np.ndarray,
    parent: int,
    moves: np.ndarray,
    n: int,
    explore: float,
    rng: np.ndarray,
) -> int:
    """Return the child to try next, or NONE if there is no room for it.

    That is the best of mean result plus exploration (the PUCT rule). Half of the exploration goes to the
    move that the policy suggested on the first visit, which was tried first; an untried move counts as
    average.
    """
    tries = 0
    total = 0.0
    node = NONE
    for i in range(n):
        node = find(nodes, used, parent, node, moves[i])
        if node == NONE:
            return NONE
        nodes[node].seen += 1
        tries += nodes[node].visits
        total += nodes[node].total
    if tries == 0:
        node = find(nodes, used, parent, NONE, suggest(rules, s, moves, n, rng))
        nodes[node].favoured = n
        return node
    best = NONE
    best_score = -1.0
    node = NONE
    for i in range(n):
        node = find(nodes, used, parent, node, moves[i])
        visits = nodes[node].visits
        score = nodes[node].total / visits if visits else total / tries
        share = (1 + nodes[node].favoured) / (2 * n)
        score += explore * share * math.sqrt(nodes[node].seen) / (1 + visits)
        if score > best_score:
            best_score = score
            best = node
    return best


@helper
def find(nodes: np.ndarray, used: np.ndarray, parent: int, before: int, code: int) -> int:
    """Return the child of a code, made if need be, looking behind ``before``; NONE if out of room."""
    node = nodes[parent].child if before == NONE else nodes[before].sibling
    while node != NONE and nodes[node].code < code:
        before = node
        node = nodes[node].sibling
    if node != NONE and nodes[node].code == code:
        return node
    if used[0] == len(nodes):
        return NONE
    fresh = new_node(nodes, used, code)
    nodes[fresh].sibling = node
    if before == NONE:
        nodes[parent].child = fresh
    else:
        nodes[before].sibling = fresh
    return fresh


@helper
def new_node(nodes: np.ndarray, used: np.ndarray, code: int) -> int:
    """Take the next free node."""
    node = used[0]
    used[0] += 1
    nodes[node].code = code
    nodes[node].child = NONE
    nodes[node].sibling = NONE
    nodes[node].favoured = 0
    nodes[node].visits = 0
    nodes[node].seen = 0
    nodes[node].total = 0.0
    nodes[node].square = 0.0
    return node


@helper
def most_visited(nodes: np.ndarray, root: int) -> int:
    """Return the root's child with most visits (of equals, the better one): the move to play."""
    best = nodes[root].child
    node = nodes[best].sibling
    while node != NONE:
        more = nodes[node].visits - nodes[best].visits
        if more > 0 or (more == 0 and nodes[node].total > nodes[best].total):
            best = node
        node = nodes[node].sibling
    return best
