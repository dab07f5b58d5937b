"""Random playouts and tree search, with OpenSpiel's C++ in the same run (extra: bench).

    python -m benchmarks.bench_playouts [--repeats 15]

The unit is a player's decision, in the tree or in a playout; chance events are not counted. CPU time of this
process, medians over repeats in which all contestants take turns. OpenSpiel starts after the deal and after
forced moves, a new deal each repeat; our games start at the first decision, or before the deal (playouts).
"""

import argparse
import itertools
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel

from engines import contract, registry
from engines.game import Game
from engines.random import stream
from solvers.agents import NO_LIMIT, TREES, Agent, agent_rows, workspace
from solvers.mcts import search
from solvers.playout import playouts

SIMULATIONS = 10_000
ROLLOUTS = 20_000  # in one evaluation, so that Python is out of the loop
GAMES = 20_000
SAMPLES = 300  # random games that measure how many decisions a rollout has
EXPLORE = 0.7  # in units of the largest result, for all
MEGABYTES = 2_000
# The default bridge ends with the auction and asks a double-dummy solver; this one plays the cards.
BRIDGE = "bridge(use_double_dummy_result=false)"
HEARTS = "hearts"
RUMMY, RUMMY_GAMES = "gin_rummy", 300
ROLLOUT_GOAL, SEARCH_GOAL = 1.5, 1.0

Contest = Callable[[int], tuple[float, float, float]]
"""Given the number of the repeat: decisions, simulations or games, and CPU seconds."""


def our_playouts(game: Game) -> Contest:
    """Random games from before the deal to the end."""
    rules = game.rules()

    def run(repeat: int) -> tuple[float, float, float]:
        won = np.zeros(contract.seats(rules))
        begin = time.process_time()
        decisions = playouts(rules, game.blank(), GAMES, 0.0, stream(repeat), won)
        return decisions, GAMES, time.process_time() - begin

    return run


def our_search(game: Game, played: int = 0) -> Contest:
    """Tree search with random playouts to the end, from a game in which some decisions were played."""
    rules = game.rules()
    agent = Agent(TREES, sims=SIMULATIONS, explore=EXPLORE, limit=NO_LIMIT)
    row, work = agent_rows([agent])[0], workspace(game, rules, [agent])

    def run(repeat: int) -> tuple[float, float, float]:
        rng = stream(repeat)
        state = game.random_position(rules, rng, played)
        view = game.view(rules, state, contract.mover(rules, state[0]))
        work.forest.counts[0] = 0
        begin = time.process_time()
        decisions = search(rules, view, row, work.world, work.forest, SIMULATIONS, 0.0, rng)
        return decisions, SIMULATIONS, time.process_time() - begin

    return run


def dealt(name: str, seed: int) -> tuple[Any, Any]:
    """Return an OpenSpiel game and its first state in which somebody has a choice."""
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    rng = random.Random(seed)
    while state.is_chance_node() or len(state.legal_actions()) == 1:  # its search stops at a forced move
        random_step(state, rng)
    return game, state


def random_step(state: Any, rng: random.Random) -> int:
    """Play a random move or chance outcome; return how many decisions that was."""
    if state.is_chance_node():
        codes, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choices(codes, weights)[0])
        return 0
    state.apply_action(rng.choice(state.legal_actions()))
    return 1


def mean_decisions(state: Any, seed: int) -> float:
    """Return the mean number of decisions from a state to the end, by random games in Python."""
    rng = random.Random(seed)
    total = 0
    for _ in range(SAMPLES):
        game = state.clone()
        while not game.is_terminal():
            total += random_step(game, rng)
    return total / SAMPLES


def their_search(name: str, simulations: int, rollouts: int) -> Contest:
    """Run OpenSpiel's MCTSBot; with one simulation it only makes rollouts from the state itself."""

    def run(repeat: int) -> tuple[float, float, float]:
        game, state = dealt(name, repeat)
        evaluator = pyspiel.RandomRolloutEvaluator(rollouts, repeat)
        bot = pyspiel.MCTSBot(game, evaluator, EXPLORE, simulations, MEGABYTES, False, repeat, False)
        begin = time.process_time()
        root = bot.mcts_search(state)
        spent = time.process_time() - begin
        if root.explore_count != simulations:
            raise RuntimeError(f"{name}: {root.explore_count} simulations instead of {simulations}")
        games = simulations * rollouts
        return games * mean_decisions(state, repeat), games, spent

    return run


def their_information_sets(name: str, simulations: int) -> Contest:
    """Run OpenSpiel's ISMCTSBot with one rollout a simulation."""

    def run(repeat: int) -> tuple[float, float, float]:
        _, state = dealt(name, repeat)
        evaluator = pyspiel.RandomRolloutEvaluator(1, repeat)
        policy = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
        bot = pyspiel.ISMCTSBot(repeat, evaluator, EXPLORE, simulations, -1, policy, False, False)
        begin = time.process_time()
        bot.step(state)
        spent = time.process_time() - begin
        return simulations * mean_decisions(state, repeat), simulations, spent

    return run


def measure(contests: dict[str, Contest], repeats: int) -> dict[str, tuple[list[float], float, float]]:
    """Let all take turns; return each one's decisions a second, and the medians with simulations too."""
    speeds: dict[str, list[float]] = {name: [] for name in contests}
    rates: dict[str, list[float]] = {name: [] for name in contests}
    for repeat, (name, run) in itertools.product(range(-1, repeats), contests.items()):
        decisions, games, seconds = run(repeat % (1 << 31))
        if repeat >= 0:  # the first round compiles and warms up
            speeds[name].append(decisions / seconds)
            rates[name].append(games / seconds)
    return {
        name: (speeds[name], statistics.median(speeds[name]), statistics.median(rates[name]))
        for name in contests
    }


def print_table(
    title: str,
    contests: dict[str, Contest],
    yardstick: str,
    goal: float,
    repeats: int,
    by_games: bool = False,
) -> None:
    """Measure and print a table; the goal is a multiple of the yardstick's median decisions or games."""
    results = measure(contests, repeats)
    base = results[yardstick][1 + by_games]
    print(f"{title} (goal: {goal:g} × {yardstick}, {'games' if by_games else 'decisions'})")
    print(f"  {'':28} {'M decisions/s':>13}  {'range':>13}  {'k games/s':>9}  {'ratio':>6}")
    for name, (speeds, median, rate) in results.items():
        spread = f"{min(speeds) / 1e6:.1f}–{max(speeds) / 1e6:.1f}"
        ratio = (rate if by_games else median) / base
        row = f"  {name:28} {median / 1e6:13.2f}  {spread:>13}  {rate / 1e3:9,.1f}  {ratio:6.2f}"
        verdict = "" if name.startswith("OpenSpiel") else "  met" if ratio >= goal else "  missed"
        print(row + verdict)


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description="Playouts and search against OpenSpiel.")
    parser.add_argument("--repeats", type=int, default=15)
    repeats = parser.parse_args().repeats
    dukes = registry.load("dukes")
    games = [registry.load(name) for name in registry.names() if name != dukes.name]
    rollouts = {
        "OpenSpiel bridge": their_search(BRIDGE, 1, ROLLOUTS),
        "OpenSpiel hearts": their_search(HEARTS, 1, ROLLOUTS),
    }
    rollouts |= {game.name: our_playouts(game) for game in games}
    print_table("Random playouts", rollouts, "OpenSpiel bridge", ROLLOUT_GOAL, repeats)
    searches = {"OpenSpiel hearts": their_search(HEARTS, SIMULATIONS, 1)}
    searches |= {game.name: our_search(game) for game in games}
    print_table(f"MCTS, {SIMULATIONS:,} simulations", searches, "OpenSpiel hearts", SEARCH_GOAL, repeats)
    rummy = {"OpenSpiel gin_rummy": their_search(RUMMY, 1, RUMMY_GAMES), "dukes": our_playouts(dukes)}
    print_table("Rummies, random playouts", rummy, "OpenSpiel gin_rummy", 10, repeats)
    rummy = {
        "OpenSpiel gin_rummy ISMCTS": their_information_sets(RUMMY, RUMMY_GAMES),
        "dukes, at the set-up": our_search(dukes),
        "dukes, after the set-up": our_search(dukes, 2),
    }
    print_table("Rummies, MCTS over views", rummy, "OpenSpiel gin_rummy ISMCTS", 20, repeats, by_games=True)


if __name__ == "__main__":
    main()
