"""Agents of a user's own: found by name, shown only what their seat sees, and refused with one clear line."""

import importlib.metadata

import numpy as np
import pytest

from engines import contract, registry
from engines.errors import InputError
from engines.random import stream
from solvers import players
from solvers.players import Sight, is_built_in, load_player, read_player

ROYAL = registry.load("royal")


class Careless:
    def __init__(self, game, level="1"):
        self.game, self.level = game, int(level)


class Last(Careless):
    def choose(self, sight):
        return sight.legal[-1]


def sight_of(game, rules, state, seed=0):
    seat = int(contract.mover(rules, state[0]))
    return Sight(game, rules, seat, game.view(rules, state, seat), game.legal(rules, state), seed)


def test_a_class_by_module_and_name():
    player = load_player(f"{__name__}:Last:level=3", ROYAL)
    assert (player.game, player.level) == (ROYAL, 3)
    state = ROYAL.random_position(ROYAL.rules(), stream(1), 5)
    assert player.choose(sight_of(ROYAL, ROYAL.rules(), state)) == ROYAL.legal(ROYAL.rules(), state)[-1]


def test_an_entry_point(monkeypatch):
    point = importlib.metadata.EntryPoint("last", f"{__name__}:Last", players.GROUP)

    def points(group, name="last"):
        return [point] if (group, name) == (players.GROUP, "last") else []

    monkeypatch.setattr(importlib.metadata, "entry_points", points)
    assert players.installed() == ["last"]
    assert load_player("last:level=2", ROYAL).level == 2
    assert read_player("last:level=2") == players.PlayerText("last", {"level": "2"})


@pytest.mark.parametrize(
    "text",
    [
        *("nobody", "no.module:Class", "", ":", "a:b:c:d", f"{__name__}:Nothing", f"{__name__}:Careless"),
        *(f"{__name__}:Last:{option}" for option in ("level=x", "other=1", "level")),
    ],
)
def test_a_mistake_is_one_line(text):
    with pytest.raises(InputError) as mistake:
        load_player(text, ROYAL)
    assert "\n" not in str(mistake.value)
    assert not is_built_in(text)


@pytest.mark.parametrize("name", registry.names())
def test_the_example_plays_any_game_and_sees_only_its_view(name):
    game = registry.load(name)
    rules = game.rules()
    player = load_player("examples.careful:Careful:guesses=2", game)
    for number in range(6):
        state = game.random_position(rules, stream(8, number), 3 * number)
        sight = sight_of(game, rules, state, seed=number)
        other = sight.state.copy()
        contract.fill(rules, other[0], stream(number))
        move = player.choose(sight)
        assert move in sight.legal
        assert player.choose(sight_of(game, rules, other, seed=number)) == move
        assert sight.text(move) == game.notation.move_text(rules, state[0], move)
        after = sight.after(move, stream(1))
        assert after.dtype == np.dtype(game.state_type)
        game.notation.check(rules, after[0])
