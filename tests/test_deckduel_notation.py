"""Position files of Deck Duel: there and back, and one clear line for each mistake."""

import numpy as np
import pytest

from engines import contract, registry
from engines.contract import CHANCE, HIDDEN, OVER
from engines.errors import InputError
from engines.notation import parse_position, state_from_json, state_to_json, write_position
from engines.random import below, stream, uniform

GAMES = ["deckduel", "deckduel-basic"]

CORE = """
game = "deckduel"
to_move = "two"
decision = "defend"
initiative = "one"
turns = 4
damage = 2
[one]
health = 10
energy = 1
attack = 0
defense = 1
focus = true
card = "9"
played = "K 7 J 9"
top = "hidden"
[two]
health = 8
energy = 2
attack = 1
defense = 2
card = "8"
played = "2 3 4 8"
"""

BASIC = """
game = "deckduel-basic"
to_move = "two"
decision = "prepare"
turns = 2
[one]
health = 9
actions = 2
rage = 1
played = "4 5"
[two]
health = 7
actions = 1
played = "2 J"
top = "A"
"""


@pytest.mark.parametrize("name", GAMES)
def test_every_decision_of_random_games_round_trips(name):
    game = registry.load(name)
    rules = game.rules(start_health=6)
    for number in range(12):
        rng, state = stream(5, number), game.new(rules)
        while (seat := contract.mover(rules, state[0])) != OVER:
            game.notation.check(rules, state[0])
            _, _, copy = state_from_json(state_to_json(game, rules, state))
            assert copy.tobytes() == state.tobytes()
            if seat == CHANCE:
                code = contract.roll(rules, state[0], uniform(rng))
                assert game.notation.outcome_text(rules, state[0], code)
            else:
                _, read_rules, view = parse_position(write_position(game, rules, state))
                assert read_rules == rules
                assert view.tobytes() == game.view(rules, state, seat).tobytes()
                moves = game.legal(rules, state)
                assert game.legal(rules, view) == moves
                for say in (game.notation.move_text, game.notation.move_words):
                    assert len({say(rules, state[0], move) for move in moves}) == len(moves)
                buffer = np.array(moves)
                advice = contract.suggest(rules, state[0], buffer, len(moves), stream(1))
                assert advice == contract.suggest(rules, view[0], buffer, len(moves), stream(1))
                code = moves[below(rng, len(moves))]
            contract.play(rules, state[0], code)
        game.notation.check(rules, state[0])


def test_examples_are_read():
    _, _, state = parse_position(CORE)
    assert (state[0].damage, state[0].top[0], state[0].focus[0]) == (2, HIDDEN, 1)
    _, _, state = parse_position(BASIC)
    assert (state[0].choice[0], state[0].top[1]) == (HIDDEN, 0)


@pytest.mark.parametrize(
    ("text", "old", "new", "message"),
    [
        (CORE, '"two"', '"three"', "to_move"),
        (CORE, '"defend"', '"attack"', "decision"),
        (CORE, 'initiative = "one"', 'initiative = "two"', "initiative"),
        (CORE, "damage = 2", "damage = 0", "damage"),
        (CORE, "damage = 2", "damage = 5", "damage: 5"),
        (CORE, "damage = 2", "", "damage"),
        (CORE, "turns = 4", "turns = 500", "turns"),
        (CORE, "health = 8", "health = 13", "two.health"),
        (CORE, "health = 8", "", "two.health"),
        (CORE, "energy = 1", "energy = 4", "one.energy"),
        (CORE, "defense = 2", "defense = 0", "nothing to choose"),
        (CORE, 'card = "9"', 'card = "7"', "not won by one"),
        (CORE, 'card = "9"', 'card = "T"', "expected it in played"),
        (CORE, 'card = "9"', 'card = "9 T"', "one.card"),
        (CORE, 'card = "9"', "", "one.card"),
        (CORE, 'card = "8"', 'card = "1"', "two.card: unknown rank"),
        (CORE, '"K 7 J 9"', '"7 J 9"', "K in played"),
        (CORE, '"K 7 J 9"', '"K 7 9"', "one.top"),
        (CORE, '"K 7 J 9"', '"K 7 J 9 9"', "stands twice"),
        (CORE, '"2 3 4 8"', '"A 2 3 4 8"', "an ace ends the round"),
        (CORE, '"hidden"', '"5"', "only its owner"),
        (CORE, "attack = 1", "strength = 1", "two.strength: unknown key"),
        (CORE, "focus = true", "focus = 1", "one.focus"),
        (CORE, 'top = "hidden"', 'second = "hidden"', "second"),
        (BASIC, "actions = 1", "actions = 0", "nothing to choose"),
        (BASIC, "actions = 2", "actions = 7", "one.actions"),
        (BASIC, "rage = 1", "rage = 4", "one.rage"),
        (BASIC, 'top = "A"', 'top = "2"', "not in the deck"),
        (BASIC, 'top = "A"', 'top = "hidden"', "two.top"),
        (BASIC, '"prepare"', '"reward"', "one.card"),
        (BASIC, '"prepare"', '"act"', "decision"),
        (BASIC, "turns = 2", "turns = -1", "turns"),
    ],
)
def test_mistakes_are_one_clear_line(text, old, new, message):
    assert old in text
    with pytest.raises(InputError, match=message) as mistake:
        parse_position(text.replace(old, new, 1))
    assert "\n" not in str(mistake.value)
