"""Every tree search comes to the exact value of small positions, and nearer with more simulations."""

import numpy as np
import pytest
from small_positions import SMALL, exact_values

from engines.notation import parse_position
from solvers.agents import parse_agent
from solvers.hint import hint

FEW, MANY = 100, 30_000
SPECS = ("ismcts:reach=0", "ismcts:c=0.6,greed=0,cut=0,reach=0", "pimc:worlds=4,reach=0")


def errors(text, spec, sims):
    """How far the value of the best move is off, and how much worse the move is than the best."""
    game, rules, view = parse_position(text)
    exact = exact_values(game, rules, view)
    best = max(exact.values())
    agent = parse_agent(spec, game)._replace(sims=sims)
    found = hint(game, rules, view, agent, seed=1, patient=True).moves[0]
    return abs(found.value - best), best - exact[found.move]


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("name", sorted(SMALL))
def test_search_converges_to_the_exact_value(name, spec):
    few, many = (np.array([errors(text, spec, sims) for text in SMALL[name]]) for sims in (FEW, MANY))
    assert many[:, 0].max() < 0.04
    assert many[:, 1].max() < 0.01
    assert many[:, 0].mean() < few[:, 0].mean() or few[:, 0].max() < 0.01


@pytest.mark.parametrize("name", sorted(SMALL))
def test_hints_are_exact_where_the_rest_is_small(name):
    for text in SMALL[name]:
        game, rules, view = parse_position(text)
        exact = exact_values(game, rules, view)
        found = hint(game, rules, view, parse_agent("ismcts:sims=100", game))
        assert found.stopped == "exact"
        assert {move.move: move.value for move in found.moves} == pytest.approx(exact, abs=1e-9)
        assert [move.move for move in found.rivals] == [
            move.move for move in found.moves[1:] if exact[move.move] > found.moves[0].value - 1e-9
        ]
