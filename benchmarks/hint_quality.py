"""How much a hint loses against a much longer search: ``python -m benchmarks.hint_quality GAME …``.

Positions come from games of the quick policy with some random moves. The loss is the difference, in the
reference's own values, between its best move and the hint's. The best of noisy values is too good, so the
figure is a little too high.
"""

import argparse
import time
from typing import Any

import numpy as np

from engines import contract, registry
from engines.game import Game
from engines.random import below, stream, uniform
from solvers.agents import parse_agent
from solvers.hint import hint

RANDOM_MOVES = 0.1


def position(game: Game, rules: Any, number: int) -> np.ndarray:
    """Return what the mover sees somewhere in a game, where there is a choice."""
    rng = stream(77, number)
    while True:
        views = []
        state = game.new(rules)
        while (seat := contract.mover(rules, state[0])) != contract.OVER:
            if seat == contract.CHANCE:
                contract.play(rules, state[0], contract.roll(rules, state[0], uniform(rng)))
                continue
            moves = game.legal(rules, state)
            if len(moves) > 1:
                views.append(game.view(rules, state, seat))
            code = moves[below(rng, len(moves))]
            if uniform(rng) >= RANDOM_MOVES:
                code = int(contract.suggest(rules, state[0], np.array(moves), len(moves), rng))
            contract.play(rules, state[0], code)
        if views:
            return views[below(rng, len(views))]


def losses(game: Game, rules: Any, positions: int, seconds: float, times: float) -> np.ndarray:
    """Return the loss of the hint in each position."""
    agent = parse_agent("ismcts", game)
    found = []
    for number in range(positions):
        view = position(game, rules, number)
        short = hint(game, rules, view, agent, seconds=seconds, seed=1)
        long = hint(game, rules, view, agent, seconds=times * seconds, seed=2, threads=2, patient=True)
        values = {move.move: move.value for move in long.moves if move.visits}
        found.append(values[long.moves[0].move] - values.get(short.moves[0].move, 0.0))
    return np.maximum(found, 0.0)


def main() -> None:
    """Print a line for each game."""
    parser = argparse.ArgumentParser(description="The loss of hints against a longer search.")
    parser.add_argument("games", nargs="*", default=registry.names())
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--time", type=float, default=1.0)
    parser.add_argument("--times", type=float, default=100.0)
    options = parser.parse_args()
    for name in options.games:
        began = time.perf_counter()
        game = registry.load(name)
        lost = losses(game, game.rules(), options.positions, options.time, options.times / 2)
        error = lost.std(ddof=1) / len(lost) ** 0.5
        print(
            f"{name}: mean loss {100 * lost.mean():.2f} points of winning chance"
            f" (± {196 * error:.2f}), most {100 * lost.max():.1f}, other move in {(lost > 0).mean():.0%};"
            f" {len(lost)} positions, {options.time:g} s against {options.times:g} times as much"
            f" ({time.perf_counter() - began:.0f} s)",
            flush=True,
        )


if __name__ == "__main__":
    main()
