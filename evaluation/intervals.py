"""Estimates with 95 % intervals from results that hang together within a deal.

Games of one deal met the same luck, so the deal is what is independent: errors are summed by deal, and deals
are what the bootstrap draws. All functions take one row per deal.
"""

import math
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

BUNDLES = 10_000
"""More deals than this are resampled in bundles: as exact, and the time no longer grows."""
TAIL = 0.025


class Estimate(NamedTuple):
    """A figure and the ends of its 95 % interval."""

    value: float
    low: float
    high: float

    def scaled(self, factor: float) -> "Estimate":
        """Return the estimate in another unit."""
        return Estimate(*(factor * number for number in self))


def reach(deals: int) -> float:
    """Return how many standard errors a 95 % interval reaches to either side, with so few deals.

    The quantile of Student's t by its expansion in the normal quantile: within 0.2 % from five deals on.
    """
    free = deals - 1
    if free < 1:
        return math.inf
    if free < 4:
        return (12.706, 4.303, 3.182)[free - 1]
    z = NormalDist().inv_cdf(1 - TAIL)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / free + second / free**2 + third / free**3


def ratio(top: np.ndarray, bottom: np.ndarray) -> Estimate:
    """Estimate ``sum(top) / sum(bottom)`` with an error clustered by deal."""
    value, error, deals = _ratio(top, bottom)
    if math.isnan(value) or deals < 2:
        return Estimate(value, -math.inf, math.inf)
    half = reach(deals) * error
    return Estimate(value, value - half, value + half)


def share(top: np.ndarray, bottom: np.ndarray) -> Estimate:
    """Estimate a ratio that lies between 0 and 1.

    The interval is Wilson's, for as many independent games as the clustered error is worth. It stays within
    0 and 1, and is not empty when all games were won.
    """
    value, error, deals = _ratio(top, bottom)
    if math.isnan(value) or deals < 2:
        return Estimate(value, 0.0, 1.0)
    each = value * (1 - value)
    if each < 1e-12:
        games = float(bottom.sum())  # all won or all lost: no error to see, as if games were independent
    elif error < 1e-12:
        return Estimate(value, value, value)
    else:
        games = each / error**2
    pull = reach(deals) ** 2 / games
    middle = (value + pull / 2) / (1 + pull)
    half = math.sqrt(pull * (each + pull / 4)) / (1 + pull)
    return Estimate(value, min(value, max(0.0, middle - half)), max(value, min(1.0, middle + half)))


def _ratio(top: np.ndarray, bottom: np.ndarray) -> tuple[float, float, int]:
    """Return the ratio, its standard error, and the number of deals that bear on it."""
    took_part = bottom > 0
    deals = int(took_part.sum())
    if not deals:
        return math.nan, math.nan, 0
    value = float(top.sum() / bottom.sum())
    left = (top - value * bottom)[took_part]
    correction = deals / max(deals - 1, 1)
    return value, math.sqrt(correction * float(left @ left)) / float(bottom.sum()), deals


def resample(columns: np.ndarray, times: int, seed: int = 0) -> np.ndarray:
    """Draw deals with replacement, ``times`` over, and return the sums of the columns (times, columns)."""
    rows = len(columns)
    if rows > BUNDLES:
        order = np.arange(rows) * BUNDLES // rows
        starts = np.flatnonzero(np.diff(order, prepend=-1))
        columns = np.add.reduceat(columns, starts, axis=0)
        rows = BUNDLES
    rng = np.random.default_rng(seed)
    at_once = max(1, 2_000_000 // rows)
    sums = np.empty((times, columns.shape[1]))
    for first in range(0, times, at_once):
        count = min(at_once, times - first)
        drawn = rng.integers(0, rows, (count, rows)) + np.arange(count)[:, None] * rows
        weights = np.bincount(drawn.ravel(), minlength=count * rows).reshape(count, rows)
        sums[first : first + count] = weights.astype(float) @ columns
    return sums


def percentiles(value: float, samples: np.ndarray, deals: int) -> Estimate:
    """Return the interval that holds the middle of the bootstrap samples, widened as few deals demand.

    The plain percentiles are those of a normal quantile with the deals' own variance; the widened ones
    correspond to Student's t and the unbiased variance.
    """
    if deals < 2 or math.isnan(value):
        return Estimate(value, -math.inf, math.inf)
    tail = NormalDist().cdf(-reach(deals) * math.sqrt(deals / (deals - 1)))
    low, high = np.quantile(samples, [tail, 1 - tail])
    return Estimate(value, float(low), float(high))
