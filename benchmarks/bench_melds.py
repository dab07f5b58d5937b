"""Meld solver speed, with CP-SAT, HiGHS and exact_cover on the same tables in the same run (extra: bench).

    python -m benchmarks.bench_melds

CPU time of this process and its threads, medians over the tables. The other solvers run on one thread without
a limit, over all sets and all runs of 3 to 5 cards; their time is given with and without building the model.
"""

import contextlib
import random
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import combinations, product
from multiprocessing import get_context

import numpy as np

from benchmarks.meld_cases import RIVER_DECK, meld_table, near_miss
from engines.cards import cards_in
from engines.compiled import entry
from solvers.melds import dukes_automaton, dukes_kernel, river, river_kernel
from solvers.melds.river_kernel import MAX_MELDS, MAX_PIECES

TABLES, REPEATS = 40, 15


@cache
def melds() -> list[int]:
    """Return every set and every run of 3 to 5 cards as masks: enough to cover any valid table."""
    masks = [
        sum(1 << (4 * rank + suit) for suit in suits)
        for rank in range(13)
        for size in (3, 4)
        for suits in combinations(range(4), size)
    ]
    for length in (3, 4, 5):
        for low in range(15 - length):
            for family in ((0, 2), (1, 3)):
                for suits in product(family, repeat=length):
                    masks.append(sum(1 << (4 * ((low + n) % 13) + s) for n, s in enumerate(suits)))
    return masks


def tables_of(size: int, rng: random.Random) -> list[int]:
    """Return tables of exactly this size, half of them arrangeable by construction, half near misses."""
    found: list[int] = []
    while len(found) < TABLES:
        table = meld_table(rng, size)
        if len(found) % 2:
            table = near_miss(rng, table)
        if table.bit_count() == size:
            found.append(table)
    return found


def cpu(function: Callable[[], object]) -> float:
    """Return the CPU seconds of one call."""
    begin = time.process_time()
    function()
    return time.process_time() - begin


def by_cp_sat(table: int) -> tuple[Callable[[], object], Callable[[], bool]]:
    """Return the solver with its model built: how to run it, and then how to read the answer."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    chosen = [(mask, model.new_bool_var("")) for mask in melds() if mask & ~table == 0]
    for card in cards_in(table):
        model.add_exactly_one([var for mask, var in chosen if mask >> card & 1])
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    status: list[object] = []
    return lambda: status.append(
        solver.solve(model)
    ), lambda: status[-1] in (cp_model.OPTIMAL, cp_model.FEASIBLE)


def by_highs(table: int) -> tuple[Callable[[], object], Callable[[], bool]]:
    """Return the solver with its model built: how to run it, and then how to read the answer."""
    import highspy

    inside = [mask for mask in melds() if mask & ~table == 0]
    model = highspy.Highs()
    model.silent()
    model.setOptionValue("threads", 1)
    chosen = [model.addBinary() for _ in inside]
    for card in cards_in(table):
        row = [column.index for column, mask in zip(chosen, inside, strict=True) if mask >> card & 1]
        model.addRow(1.0, 1.0, len(row), np.array(row, np.int32), np.ones(len(row)))
    return model.run, lambda: model.getModelStatus() == highspy.HighsModelStatus.kOptimal


def by_exact_cover(table: int) -> tuple[Callable[[], object], Callable[[], bool]]:
    """Return the solver with its model built: how to run it, and then how to read the answer."""
    from exact_cover import get_exact_cover
    from exact_cover.error import NoSolution

    cards = list(cards_in(table))
    rows = [[mask >> card & 1 for card in cards] for mask in melds() if mask & ~table == 0]
    matrix = np.array(rows, bool).reshape(-1, len(cards))
    found: list[int] = []

    def solve() -> None:
        with contextlib.suppress(NoSolution):
            found.extend(get_exact_cover(matrix))

    return solve, lambda: bool(found)


def time_solver(solve: Callable, tables: list[int]) -> tuple[list[float], list[float]]:
    """Return the nanoseconds for each table, with and without building the model."""
    solve(tables[0])[0]()  # imports, and whatever is set up once
    whole, alone = [], []
    for table in tables:
        begin = time.process_time()
        run, answer = solve(table)
        alone.append(cpu(run) * 1e9)
        whole.append((time.process_time() - begin) * 1e9)
        assert answer() == dukes_automaton.feasible(table), (solve, table)
    return whole, alone


def per_call(function: Callable[[], object], calls: int) -> float:
    """Return the median CPU time of one of the calls that a function makes, in nanoseconds."""
    function()
    return statistics.median(cpu(function) for _ in range(REPEATS)) / calls * 1e9


@entry
def many_subsets(tables: np.ndarray, optional: np.ndarray, subsets: np.ndarray) -> None:
    """Ask for all subsets of many tables."""
    for place in range(len(tables)):
        dukes_kernel.feasible_subsets(tables[place], optional[place], 0, subsets)


def bench_dukes() -> None:
    """Feasibility and subsets."""
    rng = random.Random(3)
    for size in (20, 40):
        tables = tables_of(size, rng)
        masks = np.array([rng.choice(tables) for _ in range(100_000)])
        answers = np.zeros(len(masks), np.bool_)
        ours = per_call(lambda m=masks, a=answers: dukes_kernel.batch_feasible(m, a), len(masks))
        plain = per_call(lambda t=tables: [dukes_automaton.feasible(table) for table in t], len(tables))
        print(f"{size} cards: kernel {ours:.1f} ns, without Numba {plain / 1000:.1f} µs")
        best_whole = best_alone = float("inf")
        for name, solve in (("CP-SAT", by_cp_sat), ("HiGHS", by_highs), ("exact_cover", by_exact_cover)):
            # ortools and highspy hold two versions of one library, so each solver has a process of its own.
            with ProcessPoolExecutor(1, get_context("spawn")) as process:
                whole, alone = process.submit(time_solver, solve, tables).result()
            total, search = statistics.median(whole), statistics.median(alone)
            best_whole, best_alone = min(best_whole, total), min(best_alone, search)
            print(
                f"  {name:12} {total / 1e6:8.3f} ms from table to answer ({total / ours:,.0f} × the kernel), "
                f"{search / 1e6:8.3f} ms in the solver alone ({search / ours:,.0f} ×)"
            )
        print(
            f"  the best: {best_whole / ours:,.0f} × from table to answer, {best_alone / ours:,.0f} × alone"
        )
    laid = [meld_table(rng, 36) for _ in range(2000)]
    optional = np.array([sum(1 << c for c in rng.sample(list(cards_in(t)), 8)) for t in laid])
    rest = np.array(laid) & ~optional
    subsets = np.zeros(1 << dukes_kernel.MAX_OPTIONAL, np.int64)
    time_of = per_call(lambda: many_subsets(rest, optional, subsets), len(rest))
    print(f"256 subsets: {time_of / 1000:.2f} µs")


def bench_river() -> None:
    """Missing cards, best leftover and outs, for hands of 11 (before) and 12 cards (after the draw)."""
    rng = random.Random(4)
    weights = np.array(river.POINTS)
    for sets, runs in river.CONTRACTS:
        hands = {}
        for size in (11, 12):
            drawn = [rng.sample(RIVER_DECK, size) for _ in range(1000)]
            hands[size] = np.array([river.hand_of([hand.count(k) for k in range(49)]) for hand in drawn])
        answers, found = np.zeros(1000, np.int64), np.zeros(1000, np.bool_)
        ways, pieces = river.new_melds(1000, MAX_MELDS), river.new_melds(MAX_PIECES)
        contract = (sets, runs)
        missing = per_call(
            lambda h=hands, c=contract, a=answers: river_kernel.batch_missing(h[11], *c, a), 1000
        )
        outs = per_call(lambda h=hands, c=contract, a=answers: river_kernel.batch_outs(h[11], *c, a), 1000)
        line = f"River {sets} sets {runs} runs: missing {missing / 1000:.2f} µs, outs {outs / 1000:.1f} µs"
        if runs < MAX_MELDS:
            river_kernel.batch_missing(hands[12], sets, runs, answers)
            able = np.ascontiguousarray(hands[12][answers == 0])
            for name, some in (("all hands", hands[12]), (f"the {len(able)} that can", able)):
                if len(some) == 0:
                    continue
                best = per_call(
                    lambda h=some, c=contract, p=pieces, w=ways, f=found: river_kernel.batch_best(
                        h, *c, weights, p, w, f
                    ),
                    len(some),
                )
                line += f", best leftover ({name}) {best / 1000:.1f} µs"
        print(line)


if __name__ == "__main__":
    bench_dukes()
    bench_river()
