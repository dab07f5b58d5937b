"""Simulations a second of every game's search against OpenSpiel's information-set search, and of two threads.

``python -m benchmarks.bench_search [--repeats N]``. Both sides play random playouts to the end of the game;
below that, ours as hints run it: playouts by the policy, cut off by the estimate.
"""

import argparse
import statistics
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from benchmarks.bench_playouts import Contest, our_search, print_table, their_information_sets
from engines import contract, registry
from engines.game import Game
from engines.random import stream
from solvers.agents import parse_agent
from solvers.thinker import Thinker

THEIRS = {"gin_rummy": 200, "hearts": 2000, "euchre": 2000}  # and how many simulations
PLAYED = 8  # decisions before the search, so that set-ups are over
SIMULATIONS = 20_000


def default_search(game: Game) -> Contest:
    """The search of a hint, in one tree, with the settings that suit the game."""
    rules = game.rules()
    agent = parse_agent(f"ismcts:sims={SIMULATIONS}", game)

    def run(repeat: int) -> tuple[float, float, float]:
        view = some_view(game, repeat)
        thinker = Thinker(game, rules, view, agent, repeat)
        begin = time.process_time()
        while thinker.simulations < SIMULATIONS:
            thinker.think(None, 1, SIMULATIONS, 0.0)
        return SIMULATIONS, SIMULATIONS, time.process_time() - begin

    return run


def some_view(game: Game, seed: int) -> np.ndarray:
    """What the mover sees in a random position with a choice."""
    rules = game.rules()
    while True:
        state = game.random_position(rules, stream(seed), PLAYED)
        seat = contract.mover(rules, state[0])
        if seat >= 0 and len(game.legal(rules, state)) > 1:
            return game.view(rules, state, seat)
        seed += 1 << 31


def threads_factor(game: Game, repeats: int) -> float:
    """Return how many times more simulations two threads make in the same time: medians of wall time."""
    rules = game.rules()
    agent = parse_agent(f"ismcts:sims={2 * SIMULATIONS}", game)
    spent: dict[int, list[float]] = {1: [], 2: []}
    for repeat in range(-1, repeats):
        for threads in spent:
            thinker = Thinker(game, rules, some_view(game, max(repeat, 0)), agent, repeat + 1)
            with ThreadPoolExecutor(threads) as pool:
                begin = time.perf_counter()
                while thinker.simulations < agent.sims:
                    thinker.think(pool if threads > 1 else None, threads, agent.sims, 0.0)
                if repeat >= 0:
                    spent[threads].append(time.perf_counter() - begin)
    return statistics.median(spent[1]) / statistics.median(spent[2])


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description="Search against OpenSpiel's.")
    parser.add_argument("--repeats", type=int, default=9)
    repeats = parser.parse_args().repeats
    games = [registry.load(name) for name in registry.names()]
    contests = {f"OpenSpiel {name}": their_information_sets(name, sims) for name, sims in THEIRS.items()}
    contests |= {game.name: our_search(game, PLAYED) for game in games}
    contests |= {f"{game.name}, as in hints": default_search(game) for game in games}
    print_table("Information-set search", contests, "OpenSpiel gin_rummy", 1, repeats, by_games=True)
    for game in games:
        print(f"two threads, {game.name}: {threads_factor(game, repeats):.2f} × one")


if __name__ == "__main__":
    main()
