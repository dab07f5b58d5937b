"""Every registered game keeps the contract, with its default rules and with others."""

import json

import numpy as np
import pytest
from api import SHORT, api_test, completions, random_rules
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import contract, registry
from engines.contract import CHANCE, HIDDEN, NONE
from engines.errors import InputError
from engines.notation import parse_position, state_from_json, state_to_json, write_position
from engines.random import stream

RULES = {
    "royal": [
        {"max_turns": 150},
        {"attack_suit": "own", "attack_needs_family": 0, "castle_hp": 9, "max_turns": 80},
        {"captives": 0, "captives_with_queen": 12, "jack_any_suit": "false", "king_bonus": 20},
        {"castle_hp": 1, "king_bonus": 0, "attack_needs_family": 0},
        {"max_turns": 1},
    ],
    "deckduel": [
        {},
        {"start_health": 30, "max_health": 40, "max_turns": 60},
        {"start_health": 1, "max_health": 1, "ace_damage": 9},
        {"start_energy": 0, "max_points": 0},
        {"start_energy": 9, "max_points": 9, "start_health": 20, "max_health": 100},
        {"max_turns": 1},
    ],
    "deckduel-basic": [
        {},
        {"start_health": 30, "max_health": 40, "max_turns": 60},
        {"start_actions": 0, "max_actions": 1},
        {"start_actions": 20, "max_actions": 20, "max_rage": 9, "start_health": 40, "max_health": 100},
        {"max_actions": 0, "start_actions": 0, "max_rage": 0, "ace_damage": 9},
        {"max_turns": 1},
    ],
    "river": [
        {"max_turns": 9},
        {"players": 2, "goal": "round", "max_turns": 40},
        {"players": 6, "deal": 17, "first_round": 6, "max_turns": 20},
        {"players": 4, "deal": 1, "rounds": "13", "max_turns": 5},
        {"players": 5, "deal": 13, "first_round": 7, "max_turns": 30},
    ],
}
BRIEF = ({"max_turns": 1}, RULES["deckduel"][2])  # many games, for something to be hidden at all
DEFAULT = {name: [] if name in SHORT else [{}] for name in registry.names()}


CASES = [(name, changes) for name in registry.names() for changes in (*DEFAULT[name], *RULES.get(name, []))]


@pytest.mark.parametrize(("name", "changes"), CASES)
def test_api(name, changes):
    game = registry.load(name)
    rules = game.rules(**changes)
    games = 4 if contract.private(rules) and name not in SHORT else 1
    every = 4 if name not in SHORT else 12
    if changes in BRIEF:
        games, every = 60, 1
    api_test(game, rules, games=games, every=every)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", registry.names())
def test_api_with_random_rules(name, seed):
    game = registry.load(name)
    games, every = 8 if name.startswith("deckduel") else 1, 12 if name in SHORT else 4
    api_test(game, random_rules(game, seed), games=games, every=every, seed=seed)


def test_completions_of_known_positions():
    """The brute force that ``fill`` is measured by finds what one can count by hand."""
    _, rules, view = parse_position("""
        game = "deckduel"
        to_move = "two"
        decision = "prepare"
        initiative = "two"
        [one]
        health = 9
        energy = 1
        played = "J 2 3 4 5 6 7 8"
        top = "hidden"
        second = "hidden"
        [two]
        health = 9
        energy = 1
        played = "2 3 4 5 6 7 8 9"
    """)
    assert len(completions(registry.load("deckduel"), rules, view)) == 5 * 4
    _, rules, view = parse_position("""
        game = "deckduel-basic"
        to_move = "two"
        decision = "prepare"
        [one]
        health = 9
        actions = 1
        played = "J 2 3 4 5 6 7 8 9"
        top = "hidden"
        [two]
        health = 9
        actions = 1
        played = "2 3 4 5 6 7 8 9 T"
    """)
    assert view[0].choice[0] == HIDDEN
    assert len(completions(registry.load("deckduel-basic"), rules, view)) == 4 * 2


NUMBERS = st.one_of(
    st.integers(-3, 70), st.integers(-(1 << 63), (1 << 63) - 1), st.sampled_from([-1 << 63, 1 << 54, 1 << 62])
)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    name=st.sampled_from(registry.names()),
    position=st.integers(0, 400),
    changes=st.lists(st.tuples(st.integers(0, 1000), NUMBERS), min_size=1, max_size=3),
)
def test_a_state_with_any_numbers_is_refused_or_can_be_played(name, position, changes):
    game = registry.load(name)
    rules = game.rules()
    state = game.random_position(rules, stream(11, position), position % 50)
    words = state.view(np.int64)
    for place, number in changes:
        words[place % len(words)] = number
    record = state_to_json(game, rules, state)
    problem = ""
    try:
        _, _, read = state_from_json(record)
    except InputError as mistake:
        problem = str(mistake)
    assert "\n" not in problem
    if problem:
        return
    assert read.tobytes() == state.tobytes()
    contract.fill(rules, state[0], stream(1))
    game.notation.check(rules, state[0])
    seat = contract.mover(rules, state[0])
    if seat == CHANCE:
        codes = list(game.outcomes(rules, state))
    else:
        codes = game.legal(rules, state) if seat >= 0 else []
    for code in codes:
        after = state.copy()
        contract.play(rules, after[0], code)
        game.notation.check(rules, after[0])
    if seat >= 0:
        parse_position(write_position(game, rules, state))


@pytest.mark.parametrize("name", registry.names())
def test_json_fields_are_whole_numbers_of_the_right_shape(name):
    game = registry.load(name)
    rules = game.rules()
    record = json.loads(state_to_json(game, rules, game.random_position(rules, stream(2), 9)))
    for field, value in record["state"].items():
        for wrong in (
            None,
            "1",
            1.5,
            True,
            [],
            [[]],
            [1, [2]],
            {},
            10**30,
            1 << 63,
            [value, value],
            NONE - 9,
        ):
            if wrong == NONE - 9 and field == "turns":
                continue
            broken = record | {"state": record["state"] | {field: wrong}}
            with pytest.raises(InputError) as mistake:
                state_from_json(json.dumps(broken))
            assert "\n" not in str(mistake.value)
        left = {key: number for key, number in record["state"].items() if key != field}
        with pytest.raises(InputError, match=f"{field}.*missing"):
            state_from_json(json.dumps(record | {"state": left}))


@pytest.mark.parametrize("name", registry.names())
def test_rules_that_do_not_exist_or_are_out_of_range(name):
    game = registry.load(name)
    for wrong in ({"self": 1}, {"a\nb": 1}, {"": 1}, {"x" * 10_000: 1}):
        with pytest.raises(InputError, match="has no rule") as mistake:
            game.rules(**wrong)
        assert "\n" not in str(mistake.value)
        assert len(str(mistake.value)) < 300
    for parameter in game.parameters:
        wrong_values = [10**5000, -(10**5000), "1" * 5000, "a\nb", "", None, [], {}, 1.0, "²", "-1"]
        if not parameter.choices:
            wrong_values += [parameter.low - 1, parameter.high + 1, str(parameter.high + 1)]
        for value in wrong_values:
            with pytest.raises(InputError, match=f"rule {parameter.name} = ") as mistake:
                game.rules(**{parameter.name: value})
            assert "\n" not in str(mistake.value)
        for value in {parameter.low, parameter.default, parameter.high}:
            both = [parameter.text(value)] if parameter.choices else [value, np.int64(value), f" {value} "]
            for given_value in both:
                assert parameter.read(given_value) == value
