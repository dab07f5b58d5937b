"""The sequential test and the verdict: against plain computation, and error rates in simulation."""

import math

import numpy as np
import pytest

from engines.errors import InputError
from evaluation.sprt import (
    PAIRS,
    PRIOR,
    Test,
    deal_scores,
    elo_of,
    judge,
    likelihood_ratio,
    parse_test,
    score_of,
    verdict,
)
from tests.simulated import games, tournament


@pytest.fixture
def rng():
    return np.random.default_rng(5)


def pairs_of(scores):
    """Results of two agents with given deal scores (0, ¼, ½, ¾, 1)."""
    returns = []
    for score in scores:
        first = min(1.0, 2 * score)
        second = 2 * score - first
        returns += [[first, 1 - first], [1 - second, second]]
    return games(np.repeat(np.arange(len(scores)), 2), [[0, 1], [1, 0]] * len(scores), returns, 2)


def leaning(shape, score):
    """Chances of deal scores with a given mean, leaning away from a shape."""
    low, high = -50.0, 50.0
    for _ in range(80):
        lean = (low + high) / 2
        chance = np.array(shape) * np.exp(lean * PAIRS)
        chance /= chance.sum()
        low, high = (lean, high) if chance @ PAIRS < score else (low, lean)
    return chance


def best_of_three(seen, mean):
    """The best log-likelihood of losses, draws and wins with a mean, by golden section over the draws."""

    def value(draws):
        chances = (1 - mean - draws / 2, draws, mean - draws / 2)
        return sum(n * math.log(p) for n, p in zip(seen, chances, strict=True))

    low, high = 1e-12, 2 * min(mean, 1 - mean) - 1e-12
    golden = (math.sqrt(5) - 1) / 2
    for _ in range(200):
        one, two = high - golden * (high - low), low + golden * (high - low)
        low, high = (one, high) if value(one) < value(two) else (low, two)
    return value((low + high) / 2)


@pytest.mark.parametrize("counts", [(10, 30, 20), (0, 5, 40), (0, 100, 0), (1, 0, 0)])
def test_likelihood_ratio_agrees_with_a_plain_search(counts):
    seen = [count + PRIOR for count in counts]
    expected = best_of_three(seen, score_of(30)) - best_of_three(seen, score_of(0))
    found = likelihood_ratio(np.array(counts), 0, 30, np.array([0, 0.5, 1]))
    assert found == pytest.approx(expected, abs=1e-5)


def test_likelihood_ratio_is_nearly_normal_for_many_deals():
    counts = np.array([900, 2000, 4100, 2000, 1000])
    total = counts.sum()
    mean = counts @ PAIRS / total
    variance = counts @ (PAIRS - mean) ** 2 / total
    low, high = score_of(0), score_of(5)
    expected = total * (high - low) * (2 * mean - low - high) / (2 * variance)
    assert likelihood_ratio(counts, 0, 5) == pytest.approx(expected, rel=0.02)


def test_agents_can_be_exchanged(rng):
    scores = rng.choice(PAIRS, 300, p=leaning([1, 2, 4, 2, 1], score_of(50)))
    one, two = judge(scores, Test(0, 30)), judge(1 - scores, Test(0, 30))
    assert (one.decision, two.decision) == ("first", "second")
    assert one.ratios == pytest.approx(two.ratios[::-1])


def test_the_stop_does_not_depend_on_when_one_looks(rng):
    """The state is that of a plain loop over deals, however many were played."""
    test = Test(0, 60)
    for lead in (0, 60):
        scores = rng.choice(PAIRS, 800, p=leaning([1, 2, 4, 2, 1], score_of(lead)))
        for stop in range(1, 801):
            counts = np.array([(scores[:stop] == value).sum() for value in PAIRS])
            ratios = [likelihood_ratio(counts, sign * 0, sign * 60) for sign in (1, -1)]
            if max(ratios) >= test.upper or max(ratios) <= test.lower:
                break
        for deals in (stop, stop + 1, 800):
            state = judge(scores[:deals], test)
            assert state.deals == stop
            assert state.ratios == pytest.approx(ratios)
            assert state.decision == ("none" if max(ratios) < 0 else "first")
        assert judge(scores[: stop - 1], test).decision == ""


def test_no_deals_decide_nothing():
    assert judge(np.zeros(0), Test()).decision == ""
    assert verdict(pairs_of([])).sentence.startswith("Not enough games: no deal")


def test_deal_scores_leave_out_what_is_unfinished():
    results = games(
        [0, 0, 1, 2, 2, 3, 3],
        [[0, 1], [1, 0], [0, 1], [0, 1], [1, 0], [0, 2], [2, 0]],
        [[1, 0], [0.5, 0.5], [1, 0], [0, 1], [1, 0], [1, 0], [0, 1]],
        3,
    )
    assert deal_scores(results).tolist() == [0.75, 0]
    assert deal_scores(results, 1, 0).tolist() == [0.25, 1]
    assert deal_scores(results, 1, 2).tolist() == []


def test_deal_scores_at_tables_of_three():
    """Two agents share three seats evenly over two tables."""
    lineups = [[0, 0, 1], [0, 1, 0], [1, 0, 0], [0, 1, 1], [1, 1, 0], [1, 0, 1]]
    results = games([4] * 6, lineups, [[1, 0, 0]] * 6, 2)
    assert deal_scores(results).tolist() == [0.5]
    assert deal_scores(results.where(np.arange(3))).tolist() == []


def test_elo_and_score_are_inverse():
    assert score_of(0) == 0.5
    assert elo_of(score_of(123)) == pytest.approx(123)
    assert score_of(400) == pytest.approx(10 / 11)
    assert elo_of(1.0) == math.inf
    assert elo_of(0.0) == -math.inf


def test_verdict_of_a_clear_result(rng):
    scores = rng.choice(PAIRS, 400, p=leaning([1, 2, 4, 2, 1], score_of(100)))
    for test in (None, Test()):
        found = verdict(pairs_of(scores), test=test)
        assert found.decision == "first"
        assert found.sentence.startswith("agent0 is better than agent1: agent0 has 6")
        assert found.more == 0
        turned = verdict(pairs_of(1 - scores), test=test)
        assert turned.decision == "second"
        assert turned.sentence.startswith("agent1 is better than agent0: agent1 has 6")
    assert found.elo.low < 100 < found.elo.high
    assert f"({found.state.ratios[0]:.2f}) passed 3.64" in found.sentence


def test_verdict_of_no_difference(rng):
    scores = rng.choice(PAIRS, 6000, p=[0.01, 0.05, 0.88, 0.05, 0.01])
    plain, tested = verdict(pairs_of(scores)), verdict(pairs_of(scores), test=Test(0, 12))
    assert plain.decision == tested.decision == "none"
    bound = max(abs(plain.elo.low), abs(plain.elo.high))
    assert plain.sentence.startswith(f"No difference larger than {bound:.3g} Elo")
    assert tested.sentence.startswith("No difference larger than 12 Elo")
    assert "fell below -2.97" in tested.sentence


def test_verdict_of_too_few_games(rng):
    """The guess at what is missing is of the right order."""
    chance = leaning([1, 2, 4, 2, 1], score_of(25))
    needed, guessed = [], []
    for _ in range(40):
        scores = rng.choice(PAIRS, 3000, p=chance)
        state = judge(scores, Test(0, 20))
        some = scores[: state.deals // 2]
        found = verdict(pairs_of(some), test=Test(0, 20))
        if not found.decision:
            assert "more deals needed" in found.sentence
            assert found.more > 0
            needed.append(state.deals - len(some))
            guessed.append(found.more)
    assert len(needed) > 30
    assert 0.4 < np.median(guessed) / np.median(needed) < 2.5
    plain = verdict(pairs_of([0.5, 0.75, 0.25, 1, 0]))
    assert plain.decision == ""
    assert plain.more > 5


def test_verdict_when_all_is_won():
    found = verdict(pairs_of([1.0] * 30))
    assert found.decision == "first"
    assert "100.00 % of the wins" in found.sentence
    assert "at least +" in found.sentence


def test_a_test_in_words():
    assert parse_test("elo0=0,elo1=10") == Test()
    assert parse_test("elo1=5, alpha=0.1,beta=0.2") == Test(0, 5, 0.1, 0.2)
    assert parse_test(str(Test(1, 7, 0.01, 0.02))) == Test(1, 7, 0.01, 0.02)


@pytest.mark.parametrize(
    "text",
    ["", "elo1", "elo1=", "elo1=x", "elo1=nan", "elo1=inf", "elo0=-5", "elo0=10,elo1=10", "elo1=5,elo1=6",
     "alpha=0", "beta=0.5", "gamma=1", "elo0=0;elo1=10", "elo1=5,"],
)  # fmt: skip
def test_nonsense_is_refused_in_one_line(text):
    with pytest.raises(InputError, match="expected") as refused:
        parse_test(text)
    assert "\n" not in str(refused.value)


SHAPES = {
    "as a card game": (1, 2, 4, 2, 1),
    "no draws": (1, 0, 2, 0, 1),
    "nearly all deals shared": (1, 3, 60, 3, 1),
}


def decisions(shape, lead, test, runs):
    """How often the test ends how, and the mean number of deals."""
    rng = np.random.default_rng(8)
    chance = leaning(SHAPES[shape], score_of(lead))
    ends = [judge(rng.choice(PAIRS, 5000, p=chance), test) for _ in range(runs)]
    names = ("first", "second", "none", "")
    return [sum(end.decision == name for end in ends) / runs for name in names], np.mean(
        [end.deals for end in ends]
    )


def test_error_rates_in_a_short_study():
    test = Test(0, 60)
    (first, second, _, unsure), _ = decisions("as a card game", 0, test, 100)
    assert first + second <= 0.12
    assert unsure == 0
    (first, _, _, _), _ = decisions("as a card game", 60, test, 100)
    assert first >= 0.88


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_error_rates_are_within_bounds(shape):
    """False alarms at most alpha, misses at most beta, up to three standard errors of the study."""
    test = Test(0, 40)
    runs = 4000
    slack = 3 * math.sqrt(0.05 * 0.95 / runs)
    (first, second, _, unsure), deals = decisions(shape, 0, test, runs)
    print(f"{shape}: equal: called better {100 * (first + second):.1f} %, mean {deals:.0f} deals")
    assert first + second <= test.alpha + slack
    assert unsure == 0
    for lead, least in ((40, test.beta), (80, 0.0)):
        (first, second, _, _), deals = decisions(shape, lead, test, runs)
        print(f"{shape}: lead {lead}: missed {100 * (1 - first):.1f} %, mean {deals:.0f} deals")
        assert 1 - first <= least + slack
        assert second <= 0.005


@pytest.mark.slow
def test_verdict_without_a_test_is_seldom_wrong(rng):
    """Of equal agents, at most one in twenty is called better at a fixed number of deals."""
    wrong = sum(
        verdict(tournament(rng, [0, 0], [30, -30], 60, 0.6, True)).decision in ("first", "second")
        for _ in range(3000)
    )
    print(f"fixed number of deals: {wrong / 30:.1f} % wrong")
    assert 0.03 * 3000 <= wrong <= 0.07 * 3000


def test_deals_that_are_all_shared_prove_nothing_by_themselves():
    """Three ties are no evidence of equality; thousands are."""
    few, many = (verdict(pairs_of(np.full(deals, 0.5))) for deals in (3, 5_000))
    assert few.decision == ""
    assert few.sentence.startswith("Not enough games")
    assert many.decision == "none"
