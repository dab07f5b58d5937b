"""The estimate of Royal Family against the rules themselves."""

import numpy as np
import pytest

from engines import contract
from engines.random import below, stream, uniform
from engines.royal import GAME
from engines.royal.rules import ACTING, DRAWING, REVEALING

VARIANTS = (
    {},
    {"castle_hp": 8, "king_bonus": 0},
    {"castle_hp": 12, "attack_suit": "own", "attack_needs_family": 0},
    {"jack_any_suit": "false"},
)


def wins_now(rules, state):
    """Whether the player, a card in hand, has a move that wins."""
    for code in GAME.legal(rules, state):
        after = state.copy()
        contract.play(rules, after[0], code)
        if after[0].winner == state[0].player:
            return True
    return False


def wins_by_a_pile(rules, state):
    """Whether the player, about to draw, can draw a card from a pile that wins."""
    for code in GAME.legal(rules, state):
        after = state.copy()
        contract.play(rules, after[0], code)
        if after[0].phase != REVEALING and wins_now(rules, after):
            return True
    return False


@pytest.mark.parametrize("changes", VARIANTS, ids=str)
def test_the_estimate_is_certain_exactly_if_a_win_is_at_hand(changes):
    rules = GAME.rules(**changes)
    found = 0
    for number in range(6):
        rng = stream(5, number)
        state = GAME.new(rules)
        while (seat := contract.mover(rules, state[0])) != contract.OVER:
            estimates = [contract.evaluate(rules, state[0], who) for who in range(2)]
            assert abs(sum(estimates) - 1) < 1e-12
            player, phase = state[0].player, state[0].phase
            wins = (phase == ACTING and wins_now(rules, state)) or (
                phase == DRAWING and wins_by_a_pile(rules, state)
            )
            assert (estimates[player] == 1) == wins
            found += wins
            if seat == contract.CHANCE:
                code = contract.roll(rules, state[0], uniform(rng))
            else:
                moves = np.array(GAME.legal(rules, state))
                code = moves[below(rng, len(moves))]
                if uniform(rng) < 0.7:
                    code = contract.suggest(rules, state[0], moves, len(moves), rng)
            contract.play(rules, state[0], int(code))
    assert found > 0


def test_a_lead_fades_towards_the_last_turn():
    rules = GAME.rules()
    state = GAME.new(rules)
    state[0].stands[0, 1] = 1
    leads = []
    for state[0].turns in (0, 200, 399, 400):
        leads.append(contract.evaluate(rules, state[0], 0))
    assert leads == sorted(leads, reverse=True)
    assert leads[0] > 0.7
    assert leads[-1] == 0.5
