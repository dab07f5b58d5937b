"""Hold the meld solver against exact cover and brute force, on everything that fits into some minutes.

python -m benchmarks.sweep_melds            all of it
python -m benchmarks.sweep_melds --small    a hundredth, to try the script
"""

import argparse
import random
import time

import numpy as np

from benchmarks.meld_cases import any_table, built_hand, river_hand
from engines.cards import RANKS
from solvers.melds import dukes_automaton, dukes_kernel, river, river_kernel, verify
from solvers.melds.river_kernel import MAX_MELDS, MAX_PIECES
from tests.meld_reference import dukes_melds, exact_covers, rivers

WINDOWS = ((0, 1, 2, 3, 4), (1, 2, 3, 4, 5), (4, 5, 6, 7, 8), (9, 10, 11, 12, 0), (0, 1, 2, 11, 12))
BUILT_SHARE = (
    4  # one hand in so many is built for the contract, with a card or more to spare; the others are drawn
)


def compare_dukes(masks: np.ndarray, melds: np.ndarray) -> tuple[int, int]:
    """Return how many tables are valid, and on how many the kernel and exact cover differ."""
    fast, slow = np.zeros(len(masks), np.bool_), np.zeros(len(masks), np.bool_)
    dukes_kernel.batch_feasible(masks, fast)
    exact_covers(masks, melds, slow)
    return int(slow.sum()), int((fast != slow).sum())


def sweep_dukes(share: int) -> None:
    """All subsets of five ranks, and a million generated tables."""
    melds = dukes_melds()
    subsets = np.arange(0, 1 << 20, share, dtype=np.int64)
    for ranks in WINDOWS:
        masks = np.zeros_like(subsets)
        for place, rank in enumerate(ranks):
            masks |= (subsets >> (4 * place) & 15) << (4 * rank)
        valid, wrong = compare_dukes(masks, melds)
        name = "".join(RANKS[rank] for rank in ranks)
        print(f"Dukes, ranks {name}: {len(masks):,} tables, {valid:,} valid, {wrong} differences", flush=True)
    rng = random.Random(1)
    masks = np.array([any_table(rng) for _ in range(1_000_000 // share)])
    valid, wrong = compare_dukes(masks, melds)
    print(f"Dukes, generated: {len(masks):,} tables, {valid:,} valid, {wrong} differences", flush=True)
    fast = np.zeros(len(masks), np.bool_)
    dukes_kernel.batch_feasible(masks, fast)
    wrong = sum(
        dukes_automaton.feasible(int(mask)) != answer for mask, answer in zip(masks, fast, strict=True)
    )
    print(f"Dukes, the same tables without Numba: {wrong} differences", flush=True)


def sweep_river(sets: int, runs: int, number: int) -> None:
    """Random hands of one contract: missing cards, whether it can go down, and the least points left."""
    rng = random.Random(10 * sets + runs)
    weights = np.array(river.POINTS)
    large = max(9, 3 * sets + 4 * runs + (runs < MAX_MELDS))
    begin = time.process_time()
    wrong, ready = 0, 0
    built = [built_hand(rng, sets, runs, large) for _ in range(number // BUILT_SHARE)]
    drawn = [river_hand(rng, 9) for _ in range(number - len(built))]
    for kinds in (np.array(built), np.array(drawn)):
        amount = len(kinds)
        missing, least = np.zeros(amount, np.int64), np.zeros(amount)
        rivers(kinds, sets, runs, weights, missing, least)
        counts = [[int((hand == kind).sum()) for kind in range(49)] for hand in kinds]
        hands = np.array([river.hand_of(count) for count in counts])
        answers = np.zeros(amount, np.int64)
        river_kernel.batch_missing(hands, sets, runs, answers)
        wrong += int((answers != missing).sum())
        if runs == MAX_MELDS:
            ready += int((answers == 0).sum())
            continue
        ways, found = river.new_melds(amount, MAX_MELDS), np.zeros(amount, np.bool_)
        pieces = river.new_melds(MAX_PIECES)
        river_kernel.batch_best(hands, sets, runs, weights, pieces, ways, found)
        wrong += int((found != (least >= 0)).sum())
        ready += int(found.sum())
        for place in np.flatnonzero(found):
            left = verify.check_way_down(counts[place], river.meld_lists(ways[place]), sets, runs)
            wrong += river.points(left) != least[place]
    seconds = time.process_time() - begin
    print(
        f"River, {sets} sets {runs} runs: {number:,} hands of 9 (drawn) and {large} cards (built), "
        f"{ready:,} can go down, {wrong} differences ({seconds:.0f} s)",
        flush=True,
    )


def main() -> None:
    """Run the sweeps."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--only", choices=("dukes", "river"))
    arguments = parser.parse_args()
    share = 100 if arguments.small else 1
    if arguments.only != "river":
        sweep_dukes(share)
    for sets, runs in river.CONTRACTS if arguments.only != "dukes" else ():
        sweep_river(sets, runs, 100_000 // share)


if __name__ == "__main__":
    main()
