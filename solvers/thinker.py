"""Several independent trees for one view, and what they say together.

How far the trees differ tells how far another search would: that is the standard error. It says nothing of
what all trees have in common, the policy and the estimate at their leaves.
"""

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from engines import contract
from engines.contract import NONE
from engines.errors import InputError
from engines.game import Game
from engines.random import stream
from solvers.agents import NODES_A_SIMULATION, TREES, Agent, agent_rows
from solvers.mcts import count_trees, root_of, search
from solvers.tree import DONE, SIZE, Forest, new_forest, tally

HINT_TREES = 8
# Simulations of each tree between two looks at how it stands: at first, at most, and as a part of all so far.
# With rounds that stay short, threads would wait for each other most of the time.
FIRST_ROUND, LONGEST_ROUND, GROWTH = 64, 4096, 8
LONGEST_LINE = 8
CONTINUED = 16  # visits of a tree that make a move likely
SURE = 2.0  # standard errors below its value that a move is good for,
SERIOUS = 0.1  # if it has this part of the most visits


@dataclass
class _Tree:
    world: np.ndarray
    rng: np.ndarray
    forest: Forest  # replaced by a larger one as it grows

    @property
    def simulations(self) -> int:
        return int(self.forest.counts[DONE])


class Thinker:
    """A search that can be continued: independent trees for one view, grown by one or more threads."""

    def __init__(self, game: Game, rules: Any, view: np.ndarray, agent: Agent, seed: int) -> None:
        if agent.kind != TREES:
            raise InputError("a hint needs an agent that searches, such as ismcts or pimc")
        trees = agent.trees if agent.open or agent.trees > 1 else HINT_TREES
        self.agent = agent._replace(trees=min(trees, agent.sims) if not agent.seconds else trees)
        self.rules = rules
        self.view = view
        self.seat = int(contract.mover(rules, view[0]))
        self.moves = game.legal(rules, view)
        self._row = agent_rows([self.agent])[0]
        self._trees = [
            _Tree(np.zeros(2, game.state_type), stream(seed, number), new_forest(0, 0))
            for number in range(self.agent.trees)
        ]

    @property
    def simulations(self) -> int:
        """Simulations so far."""
        return sum(tree.simulations for tree in self._trees)

    def think(self, pool: ThreadPoolExecutor | None, threads: int, most: int, deadline: float) -> None:
        """Let each tree grow by a round of simulations, up to its part of ``most``, or until a time."""
        grown = max(tree.simulations for tree in self._trees)
        length = min(max(FIRST_ROUND, grown // GROWTH), LONGEST_ROUND)

        def some(first: int) -> None:
            for number in range(first, len(self._trees), threads):
                part = most // len(self._trees) + (number < most % len(self._trees))
                more = min(length, part - self._trees[number].simulations)
                if more > 0:
                    self._grow(self._trees[number], more, deadline)

        if pool is None:
            some(0)
        else:
            list(pool.map(some, range(threads)))

    def _grow(self, tree: _Tree, simulations: int, deadline: float) -> None:
        forest = tree.forest
        room = int(forest.counts[SIZE]) + 4096 + NODES_A_SIMULATION * simulations
        results = tree.simulations + simulations
        if room > len(forest.nodes) or results >= len(forest.sums):
            tree.forest = new_forest(2 * room, 2 * results)
            tree.forest.nodes[: len(forest.nodes)] = forest.nodes
            tree.forest.sums[: len(forest.sums)] = forest.sums
            tree.forest.counts[:] = forest.counts
        search(self.rules, self.view, self._row, tree.world, tree.forest, simulations, deadline, tree.rng)

    def statistics(self) -> tuple[np.ndarray, np.ndarray]:
        """Return visits and summed results, by tree and move."""
        visits = np.zeros((len(self._trees), len(self.moves)), np.int64)
        totals = np.zeros(visits.shape)
        for number, tree in enumerate(self._trees):
            if tree.simulations:
                root = root_of(self.rules, self._row, self.seat)
                tally(tree.forest, root, len(self.moves), visits[number], totals[number])
        return visits, totals

    def line(self, game: Game, best: int) -> list[str]:
        """Return the likely continuation behind a move, until chance or somebody's secrets decide."""
        tree = max(self._trees, key=lambda tree: tree.simulations)
        nodes = tree.forest.nodes
        state = self.view.copy()
        contract.fill(self.rules, state[0], stream(0))
        at = list(range(count_trees(self.rules, self._row)))
        found: list[str] = []
        code = best
        while len(found) < LONGEST_LINE:
            seat = contract.mover(self.rules, state[0])
            found.append(game.notation.move_text(self.rules, state[0], code))
            if seat != self.seat:
                found[-1] = f"{game.seat_names[seat]}: {found[-1]}"
            for number in range(len(at)):
                seen = code if len(at) == 1 else contract.shown(self.rules, state[0], code, number)
                at[number] = _child(nodes, at[number], seen)
            contract.play(self.rules, state[0], code)
            seat = contract.mover(self.rules, state[0])
            secret = len(at) > 1 and seat != self.seat
            if seat < 0 or secret or self.agent.open or min(at) == NONE:
                break
            legal = game.legal(self.rules, state)
            options = [
                (int(nodes[child].visits), move)
                for move in legal
                if (child := _child(nodes, at[seat % len(at)], move)) != NONE
            ]
            visits, code = max(options, default=(0, NONE))
            if visits < CONTINUED:
                break
        return found


def _child(nodes: np.ndarray, parent: int, code: int) -> int:
    node = int(nodes[parent].child) if parent != NONE and len(nodes) else NONE
    while node != NONE and nodes[node].code != code:
        node = int(nodes[node].sibling)
    return node


def compare(visits: np.ndarray, totals: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return each move's value, standard error, joint standard deviations behind the best, and the order.

    The estimate is a ratio of two sums over trees, so its error is that of a ratio: trees count by their
    visits. A move that fewer than three trees tried has no error that could be told. The best is the one of
    which most can be said for sure, among those that were tried enough: visits alone lag behind when a long
    search changes its mind. The others follow by the same, then those that were hardly tried.
    """
    trees = len(visits)
    tried = visits.sum(axis=0)
    values = np.where(tried > 0, totals.sum(axis=0) / np.maximum(tried, 1), 0.5)
    # What each tree adds to the error of each move:
    parts = (totals - visits * values) / np.maximum(tried, 1)
    scale = trees / max(trees - 1, 1)
    enough = (visits > 0).sum(axis=0) >= min(3, trees)
    errors = np.where(enough & (trees > 1), np.sqrt(scale * (parts**2).sum(axis=0)), np.inf)
    sure = np.where(np.isinf(errors), -1.0, values - SURE * errors)
    sure[tried < SERIOUS * tried.max()] = -1.0
    order = np.lexsort((-values, -tried, -sure))
    best = order[0]
    joint = np.sqrt(scale * ((parts - parts[:, [best]]) ** 2).sum(axis=0))
    joint = np.where(enough & enough[best] & (trees > 1), joint, np.inf)
    behind = np.where(np.isinf(joint), 0.0, (values[best] - values) / np.maximum(joint, 1e-12))
    behind[best] = 0.0
    return values, errors, behind, order


def t_quantile(freedom: int) -> float:
    """Return the 97.5 % point of Student's t, by the series of Cornish and Fisher."""
    if freedom < 1:
        return math.inf
    z = 1.959964
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
