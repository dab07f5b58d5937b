"""What a tournament costs besides its games: against the bare compiled loop, and with two jobs against one.

    python -m benchmarks.bench_tournament [--repeats 3] [--seconds 10] [GAME ...]

`greedy` plays itself. The bare loop plays the same deals in one call and keeps only results; its CPU time is
that of this process. A tournament is the whole command with its processes, results file and ranking; its CPU
time is that of all processes. "Marginal" leaves out what a tournament of few games costs too: start-up and
ranking. Medians. Two jobs against one is wall-clock time of the games alone, and needs two idle processors.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from engines import registry
from engines.game import Game
from evaluation.match import Table
from solvers.agents import parse_agent

FEW = 50  # deals of a tournament that is nearly all start-up
OVERHEAD_GOAL, JOBS_GOAL = 0.8, 1.8
TOP = Path(__file__).parent.parent


def bare(game: Game, deals: int) -> float:
    """Return the CPU seconds of the compiled loop."""
    table = Table(game, game.rules(), [parse_agent("greedy", game)] * 2)
    table.play(0, 0, record=False)
    began = time.process_time()
    table.play(0, deals, record=False)
    return time.process_time() - began


def tournament(game: Game, deals: int, jobs: int) -> tuple[float, float, int]:
    """Return the CPU seconds and the seconds of a whole tournament, and the bytes of its file."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "results.db"
        words = ["tournament", game.name, "greedy", "--deals", str(deals), "--jobs", str(jobs)]
        began = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, str(TOP / "cli.py"), *words, "--out", str(out), "--json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert process.stdout is not None
        answer = json.load(process.stdout)
        _, _, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - began
        assert answer["games"] == 2 * deals
        return usage.ru_utime + usage.ru_stime, seconds, out.stat().st_size


def judged(ratio: float, goal: float) -> str:
    """Return a ratio and whether it is as large as it should be."""
    return f"{ratio:.2f} ({'met' if ratio >= goal else 'missed'})"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=10.0, help="of the bare loop, about")
    options = parser.parse_args()
    for name in options.games or registry.names():
        game = registry.load(name)
        pace = bare(game, 1000) / 1000
        deals = max(1000, int(options.seconds / pace))
        alone, cost, start, one, two, size = [], [], [], [], [], 0
        for _ in range(options.repeats):
            alone.append(bare(game, deals))
            few = [tournament(game, FEW, jobs) for jobs in (1, 2)]
            cpu, seconds, size = tournament(game, deals, 1)
            cost.append(cpu)
            start.append(few[0][0])
            one.append(seconds - few[0][1])
            two.append(tournament(game, deals, 2)[1] - few[1][1])
        loop, whole, least = (statistics.median(times) for times in (alone, cost, start))
        marginal = (whole - least) * deals / (deals - FEW)
        faster = statistics.median(one) / statistics.median(two)
        print(
            f"{name}: {2 * deals:,} games, bare loop {1e6 * loop / (2 * deals):.2f} µs a game;"
            f" tournament {judged(loop / whole, OVERHEAD_GOAL)} of its games per CPU second,"
            f" marginal {judged(loop / marginal, OVERHEAD_GOAL)};"
            f" two jobs {judged(faster, JOBS_GOAL)} × one;"
            f" {60 * 2 * deals / statistics.median(two):,.0f} games a minute,"
            f" {size / (2 * deals):.0f} bytes a game"
        )


if __name__ == "__main__":
    main()
