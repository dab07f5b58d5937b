"""Which kind of interval holds the true ratings 95 times in 100? Simulated tournaments with known strengths.

    python -m benchmarks.study_intervals [--runs 2000]

The figure is the mean over agents of how often the interval held the truth, in %.
"""

import argparse
from collections.abc import Iterator
from statistics import NormalDist

import numpy as np

from evaluation.intervals import reach
from evaluation.ratings import ELO, Counts, bootstrap, count, weights
from tests.simulated import STUDIES, tournament

ALL_WON = {"600 Elo apart, 30 deals": ([0, 600], [0, 0], 30, 0.5, False)}  # often without a single loss


def sandwich(counts: Counts, best: np.ndarray, agents: int) -> np.ndarray:
    """Return the standard errors of the ratings by the sandwich formula, clustered by deal."""
    seats, deals = counts.players.shape[1], counts.deals
    x = best / ELO
    design = np.zeros((*counts.players.shape, agents + seats))
    np.put_along_axis(design, counts.players[:, :, None], 1.0, axis=2)
    design[:, np.arange(seats), agents + np.arange(seats)] = 1.0
    chance = np.exp(design @ x)
    chance /= chance.sum(axis=1, keepdims=True)
    slopes = np.einsum("dls,lsp->dp", counts.shares - counts.games[:, :, None] * chance, design)
    mean = np.einsum("ls,lsp->lp", chance, design)
    games = counts.games.sum(axis=0)
    bend = np.einsum("l,ls,lsp,lsq->pq", games, chance, design, design)
    bend -= np.einsum("l,lp,lq->pq", games, mean, mean)
    centred = np.eye(agents + seats)[:agents]
    centred[:, :agents] -= weights(counts, x)
    bread = centred @ np.linalg.pinv(bend)
    variance = np.diag(bread @ (slopes.T @ slopes) @ bread.T) * deals / (deals - 1)
    return np.sqrt(np.maximum(variance, 0)) * ELO


def intervals(counts: Counts, agents: int, seed: int) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Yield each kind of interval: its name, the lower ends and the upper ends."""
    best, fits = bootstrap(counts, agents, 500, seed)
    error = sandwich(counts, best, agents)
    best, fits = best[:agents], fits[:, :agents]
    far = reach(counts.deals)
    tail = NormalDist().cdf(-far * (counts.deals / (counts.deals - 1)) ** 0.5)
    yield "sandwich, normal", best - 1.96 * error, best + 1.96 * error
    yield "sandwich, Student", best - far * error, best + far * error
    low, high = np.quantile(fits, [0.025, 0.975], axis=0)
    yield "bootstrap percentiles", low, high
    low, high = np.quantile(fits, [tail, 1 - tail], axis=0)
    yield "the same, widened", low, high
    yield "bootstrap, mirrored", 2 * best - high, 2 * best - low


def main() -> None:
    """Run the studies."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2000)
    runs = parser.parse_args().runs
    for name, (elo, seat_elo, deals, shared, ties) in (STUDIES | ALL_WON).items():
        rng = np.random.default_rng(11)
        held: dict[str, float] = {}
        for run in range(runs):
            counts = count(tournament(rng, elo, seat_elo, deals, shared, ties))
            best, _ = bootstrap(counts, len(elo), 1)
            truth = elo - np.dot(weights(counts, best / ELO), elo)
            for kind, low, high in intervals(counts, len(elo), run):
                held[kind] = held.get(kind, 0) + float(((low <= truth) & (truth <= high)).mean())
        print(name)
        for kind, times in held.items():
            print(f"  {kind:<22} {100 * times / runs:5.1f}", flush=True)


if __name__ == "__main__":
    main()
