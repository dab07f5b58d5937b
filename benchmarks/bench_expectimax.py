"""What each way to cut off saves expectimax, and its speed.

    python -m benchmarks.bench_expectimax [--positions 20]

Positions are those of random games, each handed over as the view of the seat to move, completed to one world.
Every contestant searches them to the same depth and finds the same values, by iterative deepening. Nodes are
states looked at, forced ones aside. CPU time of this process.
"""

import argparse
import time
from typing import Any

import numpy as np

from engines import contract, registry
from engines.game import Game
from engines.random import stream
from solvers.desk import ALPHA_BETA, NODES, NOTHING, STAR1, STAR2, Desk, new_desk
from solvers.expectimax import search_expectimax

DEPTHS = {"royal": 5, "deckduel": 4, "deckduel-basic": 3, "dukes": 5}
OTHER_DEPTH = 2
ENTRIES = 1 << 18
WAYS = {
    "nothing": (NOTHING, 0),
    "alpha-beta": (ALPHA_BETA, 0),
    "+ Star1": (STAR1, 0),
    "+ Star2": (STAR2, 0),
    "+ table": (STAR2, ENTRIES),
    "Star1, table": (STAR1, ENTRIES),
}


def positions(game: Game, rules: Any, number: int) -> list[np.ndarray]:
    """Return views in which somebody has a choice, from games of different length."""
    found: list[np.ndarray] = []
    game_number = 0
    while len(found) < number:
        game_number += 1
        state = game.random_position(rules, stream(77, game_number), 2 + 4 * (game_number % 20))
        seat = contract.mover(rules, state[0])
        if seat >= 0 and len(game.legal(rules, state)) > 1:
            found.append(game.view(rules, state, seat))
    return found


def search(rules: Any, view: np.ndarray, desk: Desk, depth: int) -> tuple[np.ndarray, int, float]:
    """Return the values, the nodes and the CPU seconds of one search."""
    values = np.zeros(contract.most_moves(rules))
    began = time.process_time()
    search_expectimax(rules, view, desk, 1, depth, 0, 0.0, stream(1), values)
    return values, int(desk.report[NODES]), time.process_time() - began


def measure(game: Game, number: int) -> None:
    """Print the rows of a game."""
    rules = game.rules()
    depth = DEPTHS.get(game.name, OTHER_DEPTH)
    views = positions(game, rules, number)
    first: list[np.ndarray] = []
    base = 0
    for way, (pruning, entries) in WAYS.items():
        desk = new_desk(game, rules, depth, entries, pruning)
        search(rules, views[0], desk, 1)  # compile, and touch the table
        results = [search(rules, view, desk, depth) for view in views]
        first = first or [values for values, _, _ in results]
        apart = max(
            float(np.abs(values - wanted).max())
            for (values, _, _), wanted in zip(results, first, strict=True)
        )
        if apart > 1e-12:
            raise RuntimeError(f"{game.name}, {way}: values differ by {apart}")
        nodes = sum(count for _, count, _ in results)
        seconds = sum(spent for _, _, spent in results)
        base = base or nodes
        print(
            f"  {game.name:15} {depth:5}  {way:13} {nodes:14,} {nodes / base:7.1%}"
            f" {seconds:8.2f} {nodes / seconds / 1e6:10.2f}"
        )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="What pruning saves expectimax.")
    parser.add_argument("--positions", type=int, default=20)
    parser.add_argument("--game", choices=registry.names())
    options = parser.parse_args()
    print(f"  {'':15} {'depth':>5}  {'':13} {'nodes':>14} {'':7} {'CPU s':>8} {'M nodes/s':>10}")
    for name in [options.game] if options.game else registry.names():
        measure(registry.load(name), options.positions)


if __name__ == "__main__":
    main()
