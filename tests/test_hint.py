"""Hints: what they say of their own uncertainty is true, and nothing but seed and budget decides them."""

import json
import math

import numpy as np
import pytest

from engines import contract, registry
from engines.notation import parse_position, write_position
from engines.random import stream
from solvers.agents import parse_agent
from solvers.hint import hint
from solvers.hint_text import answer, report
from solvers.thinker import Thinker, compare, t_quantile

REPEATS = 60


@pytest.fixture(params=registry.names())
def game(request):
    return registry.load(request.param)


def positions(game, number, decisions=12):
    """Views of random positions in which there is a choice."""
    rules = game.rules()
    found = []
    seed = 0
    while len(found) < number:
        state = game.random_position(rules, stream(21, seed), decisions)
        seed += 1
        seat = contract.mover(rules, state[0])
        if seat >= 0 and len(game.legal(rules, state)) > 1:
            found.append(game.view(rules, state, seat))
    return found


def coverage(game, spec, number, repeats):
    """How often the interval of a much-tried move covers what such searches say on average."""
    rules = game.rules()
    agent = parse_agent(spec, game)
    inside = []
    for view in positions(game, number):
        results = []
        for seed in range(repeats):
            thinker = Thinker(game, rules, view, agent, 1000 + seed)
            while thinker.simulations < agent.sims:
                thinker.think(None, 1, agent.sims, 0.0)
            visits, totals = thinker.statistics()
            values, errors, _, _ = compare(visits, totals)
            results.append((values, errors, visits.sum(axis=0)))
        values, errors, visits = map(np.array, zip(*results, strict=True))
        reach = t_quantile(thinker.agent.trees - 1) * errors
        covered = np.abs(values - values.mean(axis=0)) <= reach
        inside += covered[:, visits.mean(axis=0) > agent.sims / 4].ravel().tolist()
    return float(np.mean(inside))


def test_the_interval_covers(game):
    assert 0.9 <= coverage(game, "ismcts:sims=400", 4, REPEATS) <= 0.99


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["ismcts:sims=2000", "pimc:sims=2000,worlds=10"])
def test_the_interval_covers_in_more_positions(game, spec):
    assert 0.89 <= coverage(game, spec, 10, 2 * REPEATS) <= 0.99


def test_threads_do_not_change_the_answer(game):
    rules = game.rules()
    (view,) = positions(game, 1)
    agent = parse_agent("ismcts:sims=700", game)
    one, two, three, other = (
        hint(game, rules, view, agent, seed=seed, threads=threads)
        for seed, threads in ((1, 1), (1, 2), (1, 3), (2, 2))
    )
    assert one.moves == two.moves == three.moves
    assert one.line == two.line
    assert one.forecast == two.forecast
    assert one.moves != other.moves
    assert one.simulations == sum(move.visits for move in one.moves) == 700


def test_a_hint_says_all_that_it_should(game):
    rules = game.rules()
    (view,) = positions(game, 1)
    found = hint(game, rules, view, parse_agent("ismcts:sims=500", game))
    ends = found.forecast
    assert ends.win + ends.draw + ends.loss == pytest.approx(1)
    assert len(ends.points) == (contract.seats(rules) if game.points else 0)
    assert found.line[0] == found.moves[0].text
    text = report(game, found)
    assert all(move.text in text for move in found.moves)
    record = json.loads(json.dumps(found.as_json(), allow_nan=False))
    assert record["toss_up"] == bool(found.rivals) == ("Toss-up" in text)


def test_errors_of_known_trees():
    """Two moves in three trees, by hand: ratio estimates, and the error of their difference."""
    visits = np.array([[8, 2], [8, 2], [4, 6]])
    totals = np.array([[4.0, 1.0], [6.0, 0.0], [3.0, 2.0]])
    values, errors, behind, order = compare(visits, totals)
    assert values == pytest.approx([13 / 20, 3 / 10])
    assert order.tolist() == [0, 1]
    first = np.array([4 - 8 * 0.65, 6 - 8 * 0.65, 3 - 4 * 0.65]) / 20
    second = np.array([1 - 0.6, 0 - 0.6, 2 - 1.8]) / 10
    assert errors == pytest.approx([math.sqrt(1.5 * (part**2).sum()) for part in (first, second)])
    assert behind[1] == pytest.approx(0.35 / math.sqrt(1.5 * ((second - first) ** 2).sum()))
    assert behind[0] == 0
    lonely = compare(np.array([[5, 1], [5, 0], [5, 0]]), np.array([[3.0, 1.0], [2.0, 0.0], [1.0, 0.0]]))
    assert np.isinf(lonely[1][1])
    assert lonely[2][1] == 0  # nothing tells it apart


def test_student():
    for freedom, point in ((3, 3.182), (7, 2.365), (9, 2.262), (19, 2.093), (1000, 1.962)):
        assert t_quantile(freedom) == pytest.approx(point, rel=0.04 if freedom < 7 else 0.005)
    assert t_quantile(0) == math.inf


DECIDED = """
game = "deckduel"
to_move = "one"
decision = "defend"
initiative = "two"
damage = 3
[one]
health = 1
defense = 3
attack = 0
energy = 0
played = "2"
card = "2"
[two]
health = 1
energy = 0
played = "3"
card = "3"
"""


def test_a_search_stops_when_it_is_decided():
    """With one health left, only full defense survives three damage."""
    game, rules, view = parse_position(DECIDED)
    agent = parse_agent("ismcts:sims=200000", game)
    found = hint(game, rules, view, agent)
    assert found.stopped == "decided"
    assert found.simulations < 100_000
    assert found.moves[0].text == game.notation.move_text(rules, view[0], game.legal(rules, view)[-1])
    assert not found.rivals
    assert hint(game, rules, view, agent._replace(sims=9000), patient=True).stopped == "budget"


@pytest.mark.parametrize("name", [name for name in registry.names() if name != "deckduel-basic"])
def test_a_forced_move_needs_no_thought(name):
    game = registry.load(name)  # the basic ruleset never asks where there is no choice
    rules = game.rules()
    for number in range(400):
        state = game.random_position(rules, stream(5, number), number % 60)
        seat = contract.mover(rules, state[0])
        if seat >= 0 and len(game.legal(rules, state)) == 1:
            found = hint(game, rules, game.view(rules, state, seat), parse_agent("ismcts", game))
            assert (found.stopped, found.simulations, len(found.moves)) == ("only move", 0, 1)
            return
    pytest.fail(f"no forced move in 400 positions of {game.name}")


def test_requests_line_by_line(game):
    rules = game.rules()
    state = game.random_position(rules, stream(3), 8)
    defaults = {"agent": "ismcts", "time": 0.05}
    request = {"position": write_position(game, rules, state), "sims": 200, "id": [7], "top": 1, "threads": 2}
    found = answer(json.dumps(request), defaults)
    assert found["id"] == [7]
    assert (found["game"], found["simulations"], len(found["moves"])) == (game.name, 200, 1)
    json.dumps(found, allow_nan=False)


@pytest.mark.parametrize(
    "request_text",
    [
        *("", "{", "[]", "3", "{}", '{"pos": ""}', '{"position": 3}', '{"position": "", "sims": 0}'),
        *('{"position": "game = \\"chess\\""}', '{"position": "x", "agent": "random"}'),
    ],
)
def test_a_bad_request_gets_an_answer_too(request_text):
    found = answer(request_text, {"agent": "ismcts", "time": 0.05})
    assert list(found) == ["error"]
    assert "\n" not in found["error"]


@pytest.mark.parametrize(
    ("key", "value"), [("sims", 0), ("sims", 1.5), ("time", -1), ("top", 0), ("seed", "1")]
)
def test_numbers_of_a_request(key, value):
    game = registry.load("royal")
    text = write_position(game, game.rules(), game.random_position(game.rules(), stream(1), 4))
    found = answer(json.dumps({"position": text, key: value}), {"agent": "ismcts", "sims": 10})
    assert found["error"].startswith(key)
    assert answer(json.dumps({"position": text, "agent": "greedy"}), {})["error"]


def test_one_round_of_river_is_valued_in_points():
    game = registry.load("river")
    rules = game.rules(goal="round", players=2)
    state = game.random_position(rules, stream(3), 6)
    view = game.view(rules, state, contract.mover(rules, state[0]))
    found = hint(game, rules, view, parse_agent("ismcts:sims=200", game))
    for move in found.as_json()["moves"]:
        assert move["points"] == pytest.approx(960 * (1 - move["value"]))
    header = report(game, found).splitlines()[1]
    assert "points" in header
    assert "win" not in header
