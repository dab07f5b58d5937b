"""Monte Carlo tree search over decisions and chance, for two to six seats, for what one seat can see.

Each simulation takes a world that fits the view, walks down the tree, plays on for a while, and adds the
result to the moves it chose; every seat maximises its own. Two searches differ in what a world and a tree is:

- **Information-set search** (``ismcts``) fills the view anew for each simulation. Where information is
  private, every seat has a tree of its own whose edges are what that seat sees, so that no seat's choices in
  the search depend on what it cannot know; where nothing is private one tree serves all.
- **Determinized search** (``pimc``) fills the view once a tree and searches that world with open cards; many
  worlds vote. It sees further in each world, and thinks that everybody knows everything.

Chance is drawn by its weights; its outcomes are edges like moves.
"""

from typing import Any

import numpy as np

from engines.clock import seconds
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
    part,
    play,
    private,
    returns,
    seats,
    shown,
)
from engines.random import LOW_62, below, reseed, scramble
from solvers.playout import playout, throw
from solvers.tree import DONE, SEED, SIZE, Forest, find, plant, select

DEEPEST = 256  # decisions of one simulation inside the tree
LIMIT_SPREAD = 4
LOOK = 16  # simulations between two looks at the clock


@helper
def count_trees(rules: Any, agent: Any) -> int:
    """Return how many trees a search has: one a seat where each knows something else."""
    return seats(rules) if private(rules) and not agent.open else 1


@helper
def root_of(rules: Any, agent: Any, seat: int) -> int:
    """Return the root of a seat's tree."""
    return seat if count_trees(rules, agent) > 1 else 0


@entry
def search(
    rules: Any,
    view: np.ndarray,
    agent: Any,
    world: np.ndarray,
    forest: Forest,
    simulations: int,
    deadline: float,
    rng: np.ndarray,
) -> int:
    """Run simulations from a view, until a time if that is not 0; return the number of decisions in them.

    ``world`` is room for two states: the one that is played on, and the view, filled if it is searched with
    open cards. The trees grow until there is no more room; if there are no nodes they begin anew.
    """
    if forest.counts[SIZE] == 0:
        plant(forest, count_trees(rules, agent), scramble(rng[0]) & LOW_62)
        world[1] = view[0]
        if agent.open:
            fill(rules, world[1], rng)
    root = root_of(rules, agent, mover(rules, view[0]))
    moves = np.empty(most_moves(rules), np.int64)
    chosen = np.empty((DEEPEST, 2), np.int64)  # the nodes chosen, and by which seat
    at = np.empty(count_trees(rules, agent), np.int64)
    values = np.empty(seats(rules), np.float64)
    dice = np.empty((seats(rules) + 2, 1), np.int64)  # of each seat's luck, nobody's, and all else
    decisions = 0
    for number in range(simulations):
        if deadline > 0.0 and number % LOOK == 0 and seconds() >= deadline:
            break
        n = legal(rules, world[1], moves)
        first = select(rules, world[1], forest, root, True, moves, n, agent.explore, rng)
        for i in range(len(dice)):
            reseed(dice[i], forest.counts[SEED], forest.nodes[first].visits * len(dice) + i)
        world[0] = world[1]
        fill(rules, world[0], dice[len(dice) - 1])
        decisions += simulate(rules, world[0], agent, forest, first, moves, chosen, at, values, dice)
        forest.counts[DONE] += 1
    return decisions


@helper
def simulate(
    rules: Any,
    s: Any,
    agent: Any,
    forest: Forest,
    first: int,
    moves: np.ndarray,
    chosen: np.ndarray,
    at: np.ndarray,
    values: np.ndarray,
    dice: np.ndarray,
) -> int:
    """Descend by the move ``first``, play out, back up; return the number of decisions."""
    nodes = forest.nodes
    rng = dice[len(dice) - 1]
    for tree in range(len(at)):
        at[tree] = tree
    depth = 0
    inside = True
    end = part(rules, s) + 1
    while inside and depth < len(chosen) and part(rules, s) < end:
        seat = mover(rules, s)
        if seat == OVER:
            break
        if seat == CHANCE:
            code = throw(rules, s, dice)
        else:
            node = first
            if depth:
                n = legal(rules, s, moves)
                node = select(rules, s, forest, at[seat % len(at)], False, moves, n, agent.explore, rng)
                if node == NONE:
                    break
            code = nodes[node].code
            chosen[depth, 0] = node
            chosen[depth, 1] = seat
            depth += 1
            inside = nodes[node].visits > 0 and depth < agent.reach
        for tree in range(len(at)):
            if inside:
                seen = code if len(at) == 1 else shown(rules, s, code, tree)
                at[tree] = find(nodes, forest.counts, at[tree], NONE, seen)
                inside = at[tree] != NONE
        play(rules, s, code)
    # The limit varies, so that the estimates of no one phase of a turn decide.
    limit = agent.limit + below(rng, LIMIT_SPREAD)
    decisions = depth + playout(rules, s, moves, agent.greed, limit, end, dice)
    back_up(rules, s, forest, chosen, depth, values)
    return decisions


@helper
def back_up(rules: Any, s: Any, forest: Forest, chosen: np.ndarray, depth: int, values: np.ndarray) -> None:
    """Give each move that was chosen its chooser's result, or an estimate of it if the game goes on."""
    nodes = forest.nodes
    over = mover(rules, s) == OVER
    for seat in range(len(values)):
        values[seat] = -1.0
    for i in range(depth):
        seat = chosen[i, 1]
        if values[seat] < 0.0:
            values[seat] = returns(rules, s, seat) if over else evaluate(rules, s, seat)
        nodes[chosen[i, 0]].visits += 1
        nodes[chosen[i, 0]].total += values[seat]
    first = chosen[0, 0]
    if nodes[first].favoured and nodes[first].visits < len(forest.sums):
        forest.sums[nodes[first].visits] = nodes[first].total
