"""Matches: luck is fair and belongs to the seat, equal agents share equally, the interval is right."""

import itertools
import math

import numpy as np
import pytest
from api import short_rules

from engines import contract, registry
from engines.contract import CHANCE, OUTCOMES, OVER
from engines.random import stream, uniform
from evaluation.luck import LUCK, lucky, new_luck
from evaluation.match import Match
from solvers.agents import parse_agent

BINS = 16


@pytest.fixture(params=registry.names())
def game(request):
    return registry.load(request.param)


def table(game, *agents, seed=1, **changes):
    rules = short_rules(game, **{"max_turns": 100} | changes)
    return Match(game, rules, [parse_agent(agent, game) for agent in agents], seed)


def chi_square(observed, expected):
    """How many standard deviations the chi-square statistic lies above its mean, about."""
    freedom = len(observed) - 1
    statistic = float(((np.array(observed) - expected) ** 2 / expected).sum())
    return (statistic - freedom) / math.sqrt(2 * freedom)


def test_luck_has_the_probabilities_of_the_rules(game):
    """Where each outcome falls in the summed weights is uniform, at every event and in sequence."""
    rules = game.rules()
    clocks, rng = np.zeros(1, LUCK), stream(9)
    codes, weights = np.zeros((2, OUTCOMES), np.int64)
    single = np.zeros(BINS)
    serial = np.zeros((4, 4))
    for deal in range(500):
        state = game.new(rules)
        new_luck(clocks[0], 7, deal)
        places = []
        while len(places) < 9 and (seat := contract.mover(rules, state[0])) != OVER:
            if seat != CHANCE:
                contract.play(rules, state[0], game.legal(rules, state)[0])
                continue
            code = lucky(rules, state[0], clocks[0], codes, weights)
            chances = game.outcomes(rules, state)
            before = sum(weight for other, weight in chances.items() if other < code)
            if len(chances) > 1:
                places.append((before + chances[code] * uniform(rng)) / sum(chances.values()))
            contract.play(rules, state[0], code)
        for place in places:
            single[int(BINS * place)] += 1
        for place, following in itertools.pairwise(places):
            serial[int(4 * place), int(4 * following)] += 1
    assert single.sum() > 3000
    assert chi_square(single, single.sum() / BINS) < 5
    assert chi_square(serial.ravel(), serial.sum() / 16) < 5


@pytest.mark.parametrize("agent", ["random", "greedy", "ismcts:sims=8", "pimc:sims=8,worlds=3"])
def test_an_agent_against_itself_gets_exactly_one_half(game, agent):
    match = table(game, agent, agent)
    match.play(12)
    assert match.score().mean == 0.5
    assert match.score().error == 0
    assert (match.results[:, 0] == match.results[:, 1]).all()
    assert (match.results.sum(axis=2) == 1).all()


def test_swapped_agents_play_the_same_games(game):
    """Seat by seat and deal by deal: it does not matter who is named first."""
    one, two = table(game, "greedy", "random"), table(game, "random", "greedy")
    one.play(30)
    two.play(30)
    assert (one.results[:, 0] == two.results[:, 1]).all()
    assert (one.results[:, 1] == two.results[:, 0]).all()
    assert one.score().mean == pytest.approx(1 - two.score().mean)
    assert one.score().error == pytest.approx(two.score().error)


def test_deals_can_be_added_bit_by_bit(game):
    whole, parts, other = (table(game, "random", "random", seed=seed) for seed in (1, 1, 2))
    whole.play(20)
    other.play(20)
    for deals in (3, 0, 10, 7):
        parts.play(deals)
    assert (whole.results == parts.results).all()
    assert (whole.results != other.results).any()


def test_greedy_beats_random(game):
    match = table(game, "greedy", "random", max_turns=400)
    match.play(300)
    assert match.score().low > 0.5


@pytest.mark.parametrize("players", [3, 4, 6])
def test_tables_of_more_than_two(players):
    """Every agent has every seat once a deal; the wins of a game are shared out; equal agents fare alike."""
    game = registry.load("river")
    rules = game.rules(players=players, first_round=7, max_turns=30)
    one, same = (
        Match(game, rules, [parse_agent(agent, game) for agent in agents], seed=1)
        for agents in (["greedy"] + ["random"] * (players - 1), ["random"] * players)
    )
    one.play(12)
    same.play(12)
    assert one.results.shape == (12, players, players)
    assert one.results.sum(axis=2) == pytest.approx(np.ones((12, players)))
    assert one.score().mean > 1 / players
    assert same.score().mean == pytest.approx(1 / players)
    assert (same.results == same.results[:, :1]).all()


def test_the_score_of_known_results():
    match = table(registry.load("royal"), "greedy", "random")
    # The first agent sits at seat 0, then at seat 1; it wins both, one, neither, and draws and wins.
    first = np.array([[1, 1], [1, 0], [0, 0], [0.5, 1]])
    match.results = np.stack(
        [np.stack([first[:, 0], 1 - first[:, 0]], 1), np.stack([1 - first[:, 1], first[:, 1]], 1)], 1
    )
    score = match.score()
    deals = np.array([1, 0.5, 0, 0.75])
    assert score.mean == pytest.approx(deals.mean())
    assert score.error == pytest.approx(deals.std(ddof=1) / 2)
    assert (score.deals, score.games) == (4, 8)
    assert score.low == pytest.approx(score.mean - 1.96 * score.error)
    assert score.high == pytest.approx(score.mean + 1.96 * score.error)


def test_the_interval_covers_when_the_games_of_a_deal_are_alike():
    match = table(registry.load("royal"), "greedy", "random")
    dice = np.random.default_rng(5)
    covered = 0
    for _ in range(1000):
        strength = dice.random((200, 1)) < 0.6  # decided by the deal: both games go the same way
        own = np.where(dice.random((200, 2)) < 0.8, strength, ~strength)
        match.results = np.stack(
            [np.stack([own[:, 0], ~own[:, 0]], 1), np.stack([~own[:, 1], own[:, 1]], 1)], 1
        ).astype(float)
        score = match.score()
        covered += score.low <= 0.6 * 0.8 + 0.4 * 0.2 <= score.high
    assert 925 <= covered <= 975


def test_a_table_needs_as_many_agents_as_seats():
    with pytest.raises(ValueError, match="2 agents"):
        table(registry.load("royal"), "greedy")
