"""No game of Up and Down the River hangs, whatever the contract, the table and the play."""

import numpy as np
import pytest
from test_invariants import record

from engines.random import stream
from engines.river import GAME
from engines.river import rules as r

EVENTS = 6_000
# A turn is a draw, at most five answers, three cards, and a discard; what is laid or added leaves a hand.
LONGEST_TURN = 10


def events_of(rules, greed: float, seed: int, events: int = EVENTS) -> np.ndarray:
    states = np.zeros(events, GAME.state_type)
    record(rules, states, greed, stream(17, seed))
    return states


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("greed", [0.0, 1.0], ids=["random", "greedy"])
def test_every_contract_ends(players, greed):
    """Rounds of every contract, with few cards dealt and with nearly all."""
    for number in range(1, 8):
        for deal in (11, 17):
            rules = GAME.rules(players=players, first_round=number, goal="round", deal=deal)
            states = events_of(rules, greed, number)
            (ends,) = np.nonzero(states["phase"] == r.ENDED)
            assert len(ends) >= 2
            turns = states["turn"][ends]
            assert (turns <= rules.max_turns).all()
            empty = (states["held"][ends, :players] == 0).any(axis=1)
            assert (empty | (turns == rules.max_turns)).all()
            longest = players * deal + 1 + LONGEST_TURN * turns.max() + 108
            assert np.diff(ends).max() <= longest


def test_the_turn_limit_is_reached_and_holds():
    """V14: nobody goes down with one card each, so all rounds end by the limit."""
    for limit in (1, 37, 200):
        rules = GAME.rules(players=4, deal=1, first_round=7, goal="round", max_turns=limit)
        states = events_of(rules, 1.0, limit)
        ended = states[states["phase"] == r.ENDED]
        assert len(ended)
        assert (ended["turn"] == limit).all()


@pytest.mark.parametrize("greed", [0.0, 0.5, 1.0])
def test_an_exhausted_draw_pile_ends_in_time(greed):
    """V14: buyers hold so many cards that turns go on without a draw pile."""
    rules = GAME.rules(players=5, deal=17, first_round=7, goal="round")
    states = events_of(rules, greed, 3, 20_000)
    deciding = (states["phase"] == r.DRAWING) & (states["turn"] > 1)
    assert (states["shuffled"][deciding, 0] != r.ALL_KINDS).any()
    assert (states["phase"] == r.ENDED).sum() > 2
    if greed == 0:  # the policy buys less
        empty = deciding & (states["pile"] == 0)
        assert empty.sum() > 0
        assert (states["second"][empty] == -1).all()


def test_long_hands_after_many_buys():
    """With two cards dealt and everybody buying, hands grow until the pile is gone, and rounds still end."""
    rules = GAME.rules(players=2, deal=2, first_round=6, goal="round")
    states = events_of(rules, 0.0, 5, 20_000)
    assert states["held"].max() >= 25
    assert (states["phase"] == r.ENDED).sum() > 2


def test_whole_games_end():
    rules = GAME.rules(players=3, rounds="13", max_turns=60)
    for greed in (0.0, 1.0):
        states = events_of(rules, greed, 1, 30_000)
        (ends,) = np.nonzero(states["phase"] == r.ENDED)
        assert len(ends)
        assert (states["stage"][ends] == 12).all()
        assert set(states["stage"].tolist()) == set(range(13))
