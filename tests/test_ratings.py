"""Ratings and their intervals: the fit against a plain one, the intervals against simulated tournaments."""

import dataclasses
import itertools
import math

import numpy as np
import pytest

from engines.errors import InputError
from evaluation.intervals import BUNDLES, percentiles, ratio, reach, resample, share
from evaluation.ratings import ELO, bootstrap, contrast, count, crosstable, efficiency, fit, rank, weights
from tests.simulated import STUDIES, chances, games, tournament


@pytest.fixture
def rng():
    return np.random.default_rng(7)


def by_iteration(results, agents):
    """Strengths by Hunter's minorise-maximise steps, game by game, without seat effects or ridge."""
    power = [1.0] * agents
    for _ in range(300):
        won, faced = [0.0] * agents, [0.0] * agents
        for lineup, returns in zip(results.players, results.returns, strict=True):
            total = sum(power[agent] for agent in lineup)
            for agent, part in zip(lineup, returns, strict=True):
                won[agent] += part
                faced[agent] += 1 / total
        power = [w / f for w, f in zip(won, faced, strict=True)]
    strengths = ELO * np.log(power)
    return strengths - strengths.mean()


def log_likelihood(results, x, agents):
    """The sum over games and seats of share times log chance, plainly."""
    total = 0.0
    for lineup, returns in zip(results.players, results.returns, strict=True):
        logits = [x[agent] + x[agents + seat] for seat, agent in enumerate(lineup)]
        norm = math.log(sum(math.exp(logit) for logit in logits))
        total += sum(part * (logit - norm) for part, logit in zip(returns, logits, strict=True))
    return total


def fitted(results, **options):
    counts = count(results)
    totals = counts.games.sum(axis=0)[None], counts.shares.sum(axis=0)[None]
    return fit(counts.players, *totals, len(results.agents), **options)[0]


@pytest.mark.parametrize("seats", [2, 3])
def test_the_fit_agrees_with_a_plain_iteration(rng, seats):
    results = tournament(rng, [0, 80, 150, 300], np.zeros(seats), 40, shared=0.5, ties=True)
    found = fitted(results, seat_effects=False)[:4] * ELO
    assert found == pytest.approx(by_iteration(results, 4), abs=0.5)


def test_the_fit_with_seat_effects_is_the_best(rng):
    results = tournament(rng, [0, 100, 250], [40, 0, -40], 60, shared=0.5, ties=True)
    best = fitted(results)
    peak = log_likelihood(results, best, 3)
    for direction in np.eye(6):
        for step in (-0.05, 0.05):
            assert log_likelihood(results, best + step * direction, 3) < peak


def test_two_agents_are_as_far_apart_as_their_score_says():
    results = games([0, 0, 1, 1], [[0, 1], [1, 0]] * 2, [[1, 0], [0, 1], [1, 0], [1, 0]], 2)
    strengths = fitted(results, seat_effects=False)[:2]
    assert strengths[0] - strengths[1] == pytest.approx(math.log(0.75 / 0.25), rel=0.02)


def test_many_fits_at_once_are_those_one_by_one(rng):
    counts = count(tournament(rng, [0, 100, 500], [20, -20], 30))
    sums = [
        (part.sum(axis=0), shares.sum(axis=0))
        for part, shares in ((counts.games[:n], counts.shares[:n]) for n in (1, 5, 30))
    ]
    together = fit(counts.players, *(np.stack(part) for part in zip(*sums, strict=True)), 3)
    for row, (part, shares) in zip(together, sums, strict=True):
        assert row == pytest.approx(fit(counts.players, part[None], shares[None], 3)[0], abs=1e-5)


def test_an_unbeaten_agent_is_finite_and_uncertain():
    players = [[0, 1], [1, 0]] * 50
    results = games(np.repeat(np.arange(50), 2), players, [[1, 0], [0, 1]] * 50, 2)
    best, worst = rank(results).standings
    assert best.agent == 0
    assert best.rating.high == best.lead.high == math.inf
    assert worst.rating.low == -math.inf
    assert worst.rating.high == pytest.approx(-best.rating.low)
    assert 500 < best.rating.value < 3000
    assert 150 < best.rating.low < best.rating.value - 100
    assert best.score == (1.0, pytest.approx(0.961, abs=0.005), 1.0)


def test_one_hopeless_agent_does_not_blur_the_others(rng):
    """Nobody knows how weak it is, and it must not matter."""
    fair = tournament(rng, [0, 60, 120], [0, 0], 100)
    both = tournament(rng, [0, 60, 120, -3000], [0, 0], 100)
    assert (both.returns[both.players == 3] == 0).all()
    widths = [
        [each.rating.high - each.rating.low for each in rank(results).standings[:3]]
        for results in (fair, both)
    ]
    assert max(widths[1]) < 1.2 * max(widths[0])
    last = rank(both).standings[-1]
    assert last.rating.low == -math.inf
    assert math.isfinite(last.rating.high)


def test_equal_play_gives_exactly_one_half():
    results = games(np.repeat(np.arange(50), 2), [[0, 1], [1, 0]] * 50, [[1, 0], [1, 0]] * 50, 2)
    ranking = rank(results)
    for standing in ranking.standings:
        assert standing.score == (0.5, 0.5, 0.5)
        assert standing.rating == pytest.approx((0, 0, 0), abs=1e-6)
    assert ranking.seat_share[0].value == 1.0
    assert math.isnan(ranking.efficiency.value)


def test_the_order_of_games_does_not_matter(rng):
    results = tournament(rng, [0, 50, 100], [10, -10], 50, shared=0.5)
    assert rank(results.where(rng.permutation(len(results)))) == rank(results)


def test_bootstrap_agrees_with_the_sandwich_error(rng):
    """The clustered sandwich error needs many deals and lost games; there it must say the same."""
    agents, deals = 4, 400
    counts = count(tournament(rng, [0, 50, 100, 150], [30, 0, -30], deals, shared=0.7, ties=True))
    best, fits = bootstrap(counts, agents)
    x = best / ELO
    slopes = np.zeros((deals, agents + 3))
    bend = np.zeros((agents + 3, agents + 3))
    for lineup, (players, total) in enumerate(zip(counts.players, counts.games.sum(axis=0), strict=True)):
        design = np.zeros((3, agents + 3))
        design[range(3), players] = design[range(3), agents + np.arange(3)] = 1
        chance = np.exp(design @ x) / np.exp(design @ x).sum()
        slopes += (counts.shares[:, lineup] - counts.games[:, lineup, None] * chance) @ design
        bend += total * design.T @ (np.diag(chance) - np.outer(chance, chance)) @ design
    bread = np.linalg.pinv(bend)
    error = np.sqrt(np.diag(bread @ slopes.T @ slopes @ bread)) * ELO
    assert fits.std(axis=0) == pytest.approx(error, rel=0.1)


def test_ranking_adds_up(rng):
    results = tournament(rng, [0, 200, 100], [30, -30], 100, shared=0.5)
    results.fault[3] = 1
    faulty = results.players[3, 1]
    ranking = rank(results)
    assert [standing.agent for standing in ranking.standings] == [1, 2, 0]
    centre = weights(count(results), fitted(results))
    assert sum(centre) == pytest.approx(1)
    assert sum(standing.rating.value * centre[standing.agent] for standing in ranking.standings) == (
        pytest.approx(0, abs=1e-6)
    )
    for standing in ranking.standings:
        mine = results.players == standing.agent
        assert standing.score.value == pytest.approx(results.returns[mine].mean())
        assert standing.games == mine.sum()
        assert standing.think == pytest.approx(0.1)
        assert standing.faults == (standing.agent == faulty)
        assert standing.rating.low < standing.rating.value < standing.rating.high
    first, second, last = ranking.standings
    assert first.lead.value == pytest.approx(first.rating.value - second.rating.value)
    assert last.lead is None
    assert (ranking.deals, ranking.games, ranking.connected) == (100, 600, True)
    assert sum(seat.value for seat in ranking.seat_share) == pytest.approx(1)
    assert ranking.seat_rating[0].value > 0 > ranking.seat_rating[1].value


@pytest.mark.parametrize("seats", [2, 3])
def test_crosstable(rng, seats):
    results = tournament(rng, [0, 50, 200, 100], np.zeros(seats), 60, shared=0.5, ties=True)
    cross = crosstable(count(results), 4)
    for one, two in itertools.permutations(range(4), 2):
        own = other = 0.0
        for lineup, returns in zip(results.players, results.returns, strict=True):
            if one in lineup and two in lineup:
                own += returns[list(lineup).index(one)]
                other += returns[list(lineup).index(two)]
        assert cross[one][two].value == pytest.approx(own / (own + other))
        assert cross[one][two].low < cross[one][two].value < cross[one][two].high
    assert cross[2][2] is None


def test_agents_that_never_met_are_told(rng):
    results = games([0, 0, 0, 0], [[0, 1], [1, 0], [2, 3], [3, 2]], [[1, 0], [1, 0]] * 2, 5)
    ranking = rank(results)
    assert not ranking.connected
    assert ranking.cross[0][2] is None
    *_, last, absent = ranking.standings
    assert absent.agent == 4
    assert last.lead is None
    assert math.isnan(absent.rating.value)
    assert absent.rating.high == math.inf
    assert absent.games == 0


def test_nothing_to_rank():
    with pytest.raises(InputError, match="no games"):
        rank(games([], np.zeros((0, 2), np.int64), np.zeros((0, 2)), 2))


def test_one_deal_says_nothing_of_errors():
    ranking = rank(games([0, 0], [[0, 1], [1, 0]], [[1, 0], [1, 0]], 2))
    assert ranking.standings[0].rating[1:] == (-math.inf, math.inf)
    assert ranking.standings[0].score == (0.5, 0, 1)


def lucky_pairs(rng, deals, luck):
    """Deals of two agents: with chance ``luck`` the same seat wins both games, else they are independent."""
    first = rng.random(deals) < 0.5
    second = np.where(rng.random(deals) < luck, first, rng.random(deals) < 0.5)
    wins = np.stack([first, second], axis=1).ravel()
    players = np.tile([[0, 1], [1, 0]], (deals, 1))
    return games(np.repeat(np.arange(deals), 2), players, np.stack([wins, ~wins], axis=1), 2)


def test_efficiency_is_that_of_the_correlation(rng):
    """The scores of one agent in the two games of a deal have correlation minus ``luck``."""
    for luck in (0.0, 0.5, 0.9):
        found = efficiency(count(lucky_pairs(rng, 4000, luck)))
        assert found.low < found.value < found.high
        assert found.value == pytest.approx(1 / (1 - luck), rel=0.15)


def test_contrast_is_paired_by_deal(rng):
    """Two rule sets on the same deals: a real difference shows, and shared luck cancels."""
    one = tournament(np.random.default_rng(5), [0, 50], [0, 0], 400, shared=0.9)
    two = tournament(np.random.default_rng(5), [0, 50], [60, 0], 500, shared=0.9)
    two = dataclasses.replace(two, decisions=two.decisions + 1)
    lines = dict(contrast(one, two))
    played = two.where(two.deal < 400)
    change = lines["share of seat 1"]
    assert change.value == pytest.approx(played.returns[:, 0].mean() - one.returns[:, 0].mean())
    assert 0 < change.low < change.value
    alone = share(*(np.bincount(one.deal, values) for values in (one.returns[:, 0], np.ones(len(one)))))
    assert change.high - change.low < alone.high - alone.low
    assert lines["decisions in a game"] == (2, 2, 2)
    assert set(lines) >= {"score of agent0", "score of agent1"}


def test_reach_is_the_quantile_of_students_t():
    for deals, quantile in ((2, 12.706), (4, 3.182), (6, 2.571), (11, 2.228), (31, 2.042), (10**6, 1.960)):
        assert reach(deals) == pytest.approx(quantile, rel=0.003)
    assert reach(1) == math.inf


def test_ratio_error_is_that_of_a_mean():
    values = np.array([1.0, 2.0, 4.0, 9.0])
    found = ratio(values, np.ones(4))
    assert found.value == 4
    assert found.high - 4 == pytest.approx(3.182 * values.std(ddof=1) / 2)


@pytest.mark.parametrize("deals", [50, 3 * BUNDLES + 7])
def test_resampled_sums_have_the_right_spread(rng, deals):
    columns = np.stack([np.ones(deals), rng.random(deals)], axis=1)
    sums = resample(columns, 400)
    means = sums[:, 1] / sums[:, 0]
    assert means.mean() == pytest.approx(columns[:, 1].mean(), abs=0.1 * columns[:, 1].std())
    assert means.std() == pytest.approx(columns[:, 1].std() / math.sqrt(deals), rel=0.12)


def test_percentiles_widen_for_few_deals(rng):
    samples = rng.normal(size=100_000)
    assert percentiles(0.0, samples, 10**6).high == pytest.approx(1.96, abs=0.03)
    assert percentiles(0.0, samples, 10).high == pytest.approx(2.262 * math.sqrt(10 / 9), abs=0.06)


def coverage(study, runs, resamples):
    """How often the intervals hold the truth: of ratings, seats' ratings, scores and seats' shares."""
    elo, seat_elo, deals, shared, ties = STUDIES[study]
    agents, seats = len(elo), len(seat_elo)
    score, times, seat_share = np.zeros(agents), 0, np.zeros(seats)
    for lineup in itertools.permutations(range(agents), seats):
        chance = chances(elo, seat_elo, lineup)
        np.add.at(score, list(lineup), chance)
        seat_share += chance
        times += 1
    score *= agents / (times * seats)
    rng = np.random.default_rng(11)
    held = np.zeros(2 * agents + 2 * seats)
    for run in range(runs):
        results = tournament(rng, elo, seat_elo, deals, shared, ties)
        ranking = rank(results, resamples, run)
        truth = elo - np.dot(weights(count(results), fitted(results)), elo)
        by_agent = sorted(ranking.standings, key=lambda standing: standing.agent)
        intervals = (
            [standing.rating for standing in by_agent]
            + ranking.seat_rating
            + [standing.score for standing in by_agent]
            + ranking.seat_share
        )
        values = [*truth, *seat_elo, *score, *(seat_share / times)]
        held += [low <= value <= high for (_, low, high), value in zip(intervals, values, strict=True)]
    return held / runs


def test_intervals_hold_the_truth_in_a_short_study():
    held = coverage("3 agents, ties, 40 deals", 100, 200)
    assert held[:3].mean() > 0.88


@pytest.mark.slow
@pytest.mark.parametrize("study", STUDIES)
def test_intervals_hold_the_truth(study):
    """95 % intervals hold the truth in 93 to 97 % of simulated tournaments."""
    held = coverage(study, 3000, 500)
    print(study, np.round(100 * held, 1))
    assert (held >= 0.93).all()
    assert (held <= 0.97).all()


@pytest.mark.slow
def test_efficiency_interval_holds_the_truth():
    rng = np.random.default_rng(3)
    held = 0
    for run in range(1000):
        found = efficiency(count(lucky_pairs(rng, 300, 0.5)), 500, run)
        held += found.low <= 2 <= found.high
    print("efficiency", held / 10)
    assert 930 <= held <= 970
