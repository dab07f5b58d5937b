"""Which of two agents is better: a sequential test on deals, and a verdict in a sentence.

A deal is played in every seating, and its score is the first agent's part of the wins: 0, ¼, ½, ¾ or 1 with
two seats (hence "pentanomial"). The games of a deal hang together, so the test counts deals, not games. Two
one-sided tests run side by side, one for each agent: "better by at most ``elo0``" against "better by ``elo1``
or more". If one accepts the latter, that agent is better; if both accept the former, there is no difference
of ``elo1``. The likelihood ratio is the generalised one: each hypothesis takes the distribution of deal
scores that has its mean and fits best. However large the lead is, ``elo1 = 10`` takes at least 127 deals: set
``elo1`` to the lead that matters. After an early stop the interval of the lead flatters the winner a little,
as with every test that stops on what it sees.
"""

import math
from dataclasses import dataclass

import numpy as np

from engines.errors import InputError, short
from evaluation.intervals import Estimate, share
from evaluation.results import Results

PAIRS = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
"""The scores that a deal can have with two seats."""
PRIOR = 1e-3
"""Deals of each possible score that are taken as seen, so that none seems impossible."""
MARGIN = 10.0
"""A difference of so many Elo is worth telling, if the user does not say."""
BISECTIONS = 26
AT_ONCE = 200
EVERY = 1000
"""So many deals are judged one by one; later ones at steps of a thousandth of the deals."""


@dataclass(frozen=True)
class Test:
    """What is tested.

    If the agents are within ``elo0``, the chance to call either better is at most ``alpha``; if one is better
    by ``elo1``, the chance to miss it is at most ``beta``.
    """

    __test__ = False  # its name looks like a test to pytest

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def upper(self) -> float:
        """The log-likelihood ratio from which an agent is better; each side has half of ``alpha``."""
        return math.log((1 - self.beta) / (self.alpha / 2))

    @property
    def lower(self) -> float:
        """The log-likelihood ratio below which an agent is not better."""
        return math.log(self.beta / (1 - self.alpha / 2))

    def __str__(self) -> str:
        return f"elo0={self.elo0:g},elo1={self.elo1:g},alpha={self.alpha:g},beta={self.beta:g}"


@dataclass(frozen=True)
class State:
    """How the test stands after so many deals."""

    test: Test
    deals: int
    ratios: tuple[float, float]  # log-likelihood ratios: the first agent better, the second better
    decision: str  # "first", "second", "none" (no difference), or "" (go on)


@dataclass(frozen=True)
class Verdict:
    """Which agent is better, and how sure that is."""

    sentence: str
    decision: str  # as in ``State``
    elo: Estimate  # the first agent's lead; infinite if it won or lost everything
    score: Estimate
    deals: int
    more: int  # about so many more deals are needed; 0 if decided
    state: State | None = None


def parse_test(text: str) -> Test:
    """Read a test such as ``elo0=0,elo1=10,alpha=0.05,beta=0.05``; what it leaves out is the default."""
    values: dict[str, float] = {}
    for part in text.split(","):
        name, _, number = (piece.strip() for piece in part.partition("="))
        if name not in ("elo0", "elo1", "alpha", "beta") or name in values:
            raise InputError(
                f"--sprt {short(part)}: expected each of elo0, elo1, alpha, beta at most once, as NAME=NUMBER"
            )
        try:
            values[name] = float(number)
        except ValueError:
            values[name] = math.nan
        low, high = (0.0, 1000.0) if name.startswith("elo") else (1e-6, 0.4)
        if not low <= values[name] <= high:
            raise InputError(f"--sprt {name}={short(number)}: expected a number from {low:g} to {high:g}")
    test = Test(**values)
    if test.elo0 >= test.elo1:
        raise InputError(f"--sprt elo0={test.elo0:g},elo1={test.elo1:g}: expected elo0 less than elo1")
    return test


def score_of(elo: float) -> float:
    """Return the score that a lead in Elo gives."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """Return the lead in Elo that a score shows."""
    if 0 < score < 1:
        return 400 * math.log10(score / (1 - score))
    return math.nan if math.isnan(score) else math.copysign(math.inf, score - 0.5)


def likelihood_ratio(counts: np.ndarray, elo0: float, elo1: float, values: np.ndarray = PAIRS) -> np.ndarray:
    """Return the generalised log-likelihood ratio of two leads of the first agent.

    ``counts`` are the deals of each score in ``values``, along the last axis.
    """
    seen = counts + PRIOR
    return _log_likelihood(seen, score_of(elo1), values) - _log_likelihood(seen, score_of(elo0), values)


def _log_likelihood(seen: np.ndarray, mean: float, values: np.ndarray) -> np.ndarray:
    """Return the best log-likelihood, less that without constraint, of a distribution with a mean.

    By Lagrange the best has chances proportional to ``seen / (1 + x (value - mean))``; ``x`` is where the
    mean is right. That function of ``x`` falls all the way, so bisection finds it, and an error in ``x``
    hardly matters: the likelihood is level there.
    """
    away = values - mean
    low = np.full(seen.shape[:-1], -1 / away.max())
    high = np.full(seen.shape[:-1], -1 / away.min())
    for _ in range(BISECTIONS):
        x = (low + high) / 2
        above = (seen * away / (1 + x[..., None] * away)).sum(axis=-1) > 0
        low, high = np.where(above, x, low), np.where(above, high, x)
    return -(seen * np.log1p(x[..., None] * away)).sum(axis=-1)


def deal_scores(results: Results, first: int = 0, second: int = 1) -> np.ndarray:
    """Return the first agent's part of the wins in each deal that two agents finished, in the deals' order.

    Both must have held as many seats in it; a deal of which seatings are missing is left out.
    """
    among = np.isin(results.players, (first, second))
    games = results.where(np.flatnonzero(among.all(axis=1)))
    if not len(games):
        return np.zeros(0)
    _, deal = np.unique(games.deal, return_inverse=True)
    ones = games.players == first
    lead = np.bincount(deal, ones.sum(axis=1) * 2 - games.seats)
    played = np.bincount(deal)
    whole = (lead == 0) & (played == played.max())
    return (np.bincount(deal, (games.returns * ones).sum(axis=1)) / played)[whole]


def judge(scores: np.ndarray, test: Test) -> State:
    """Return the state of the test: that after the first deal at which it was decided, or after all.

    So the answer depends on the deals and their order, and not on how many were played before anyone looked.
    """
    values = np.union1d(PAIRS, np.round(scores, 6))
    looks = _looks(len(scores))
    start, seen = 0, np.zeros(len(values))
    for part in range(0, len(looks), AT_ONCE):
        ends = looks[part : part + AT_ONCE]
        which = np.searchsorted(values, np.round(scores[start : ends[-1]], 6))
        cell = np.searchsorted(ends, np.arange(start, ends[-1]), side="right") * len(values) + which
        new = np.bincount(cell, minlength=len(ends) * len(values)).reshape(len(ends), -1)
        counts = seen + new.cumsum(axis=0)
        ratios = np.stack(
            [
                likelihood_ratio(counts, test.elo0, test.elo1, values),
                likelihood_ratio(counts, -test.elo0, -test.elo1, values),
            ]
        )
        better = ratios >= test.upper
        neither = np.asarray((ratios <= test.lower).all(axis=0))
        stops = np.flatnonzero(better.any(axis=0) | neither)
        at = int(stops[0]) if len(stops) else len(ends) - 1
        found = (float(ratios[0, at]), float(ratios[1, at]))
        if len(stops):
            decision = "none" if neither[at] else "first" if better[0, at] else "second"
            return State(test, int(ends[at]), found, decision)
        start, seen = int(ends[-1]), counts[-1]
    return State(test, len(scores), found if len(looks) else (0.0, 0.0), "")


def _looks(deals: int) -> np.ndarray:
    """Return after how many deals the test is looked at."""
    looks = list(range(1, min(deals, EVERY) + 1))
    while looks and looks[-1] < deals:
        looks.append(min(deals, looks[-1] + looks[-1] // EVERY))
    return np.array(looks, dtype=np.int64)


def verdict(
    results: Results, first: int = 0, second: int = 1, test: Test | None = None, margin: float = MARGIN
) -> Verdict:
    """Say which of two agents is better: by the sequential test, or without one by the interval of the score.

    Without a test, a difference below ``margin`` (Elo) does not matter.
    """
    scores = deal_scores(results, first, second)
    deals = len(scores)
    # Deals that were all shared alike show no spread, but the next may be won: two more stand for that.
    alike = deals > 0 and 0.0 < scores[0] < 1.0 and not scores.std()
    shown = np.concatenate([scores, [0.0, 1.0]]) if alike else scores
    score = share(shown, np.ones(len(shown)))
    elo = Estimate(*(elo_of(value) for value in score))
    names = results.agents[first], results.agents[second]
    state = judge(scores, test) if test else None
    decision = state.decision if state else _by_interval(elo, margin, deals)
    more = 0 if decision else _more(scores, elo, margin, state)
    why = ""
    if test and state:
        margin = test.elo1
        why = _why(state, names, deals)
    figures = f"{_lead(names, elo, score)} over {deals:,} deals{why}"
    if decision in ("first", "second"):
        better, worse = names if decision == "first" else names[::-1]
        sentence = f"{better} is better than {worse}: {figures}."
    elif decision == "none":
        most = margin if test else max(abs(elo.low), abs(elo.high))
        sentence = f"No difference larger than {most:.3g} Elo: {figures}."
    elif deals:
        sentence = f"Not enough games, about {_round(more):,} more deals needed: {figures}."
    else:
        sentence = f"Not enough games: no deal was finished in every seating by {names[0]} and {names[1]}."
    return Verdict(sentence, decision, elo, score, deals, more, state)


def _by_interval(elo: Estimate, margin: float, deals: int) -> str:
    if deals < 2:
        return ""
    if elo.low > 0 or elo.high < 0:
        return "first" if elo.low > 0 else "second"
    return "none" if -margin <= elo.low and elo.high <= margin else ""


def _more(scores: np.ndarray, elo: Estimate, margin: float, state: State | None) -> int:
    """Return about how many more deals will bring a decision, if they are like those so far."""
    deals = len(scores)
    if deals < 2:
        return 0
    if state is None:
        half = (elo.high - elo.low) / 2
        lead = abs(elo.value)
        if not math.isfinite(half):
            return deals
        # The interval shrinks with the root of the deals, until it excludes 0 or lies in the margin.
        target = max(lead, margin - lead)
        return max(1, math.ceil(deals * ((half / target) ** 2 - 1)))
    test = state.test
    step = score_of(test.elo1) - score_of(test.elo0)
    variance = max(float(scores.var()), 1e-6)
    idle = test.upper * -test.lower * variance / step**2  # at worst, when the truth lies halfway
    one, two = state.ratios
    better = min(_distance(test.upper, ratio, deals) for ratio in (one, two))
    neither = max(_distance(test.lower, ratio, deals) for ratio in (one, two))
    return max(1, math.ceil(min(idle, better, neither)))


def _distance(bound: float, ratio: float, deals: int) -> float:
    """Return after how many more deals a ratio that goes on as so far passes a bound."""
    if abs(ratio) >= abs(bound) and ratio * bound > 0:
        return 0.0
    return (bound - ratio) / ratio * deals if ratio * bound > 0 else math.inf


def _why(state: State, names: tuple[str, str], deals: int) -> str:
    """Say why the test stopped or goes on."""
    test = state.test
    one, two = state.ratios
    after = f" after {state.deals:,} deals" if state.deals < deals else ""
    if state.decision == "none":
        found = f"both log-likelihood ratios ({one:.2f} and {two:.2f}) fell below {test.lower:.2f}"
    elif state.decision:
        name, ratio = (names[0], one) if state.decision == "first" else (names[1], two)
        found = f"the log-likelihood ratio for {name} ({ratio:.2f}) passed {test.upper:.2f}"
    else:
        return (
            f"; the test {test} goes on: log-likelihood ratios {one:.2f} and {two:.2f}"
            f" lie between {test.lower:.2f} and {test.upper:.2f}"
        )
    return f"; the test {test} stopped{after} because {found}"


def _lead(names: tuple[str, str], elo: Estimate, score: Estimate) -> str:
    """Return the lead of the agent that is ahead."""
    ahead = names[0]
    if elo.value < 0:
        ahead = names[1]
        elo = Estimate(-elo.value, -elo.high, -elo.low)
        score = Estimate(1 - score.value, 1 - score.high, 1 - score.low)
    wins = f"{100 * score.value:.2f} % of the wins ({100 * score.low:.2f} to {100 * score.high:.2f})"
    if math.isinf(elo.value):
        return f"{ahead} has {wins}, at least {elo.low:+.0f} Elo"
    return f"{ahead} has {wins}, {elo.value:+.1f} Elo ({elo.low:+.1f} to {elo.high:+.1f})"


def _round(number: int) -> int:
    """Return a guess with two figures, for it is no more exact than that."""
    unit = 10 ** max(0, len(str(number)) - 2)
    return round(number / unit) * unit
