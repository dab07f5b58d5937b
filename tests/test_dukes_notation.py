"""Dukes Up! in text: positions, moves, the examples."""

from pathlib import Path

import numpy as np
import pytest

from engines import contract, notation
from engines.contract import CHANCE, OVER
from engines.dukes import GAME
from engines.errors import InputError
from engines.random import below, stream, uniform
from solvers.agents import parse_agent
from solvers.hint import hint

RULES = GAME.rules()
EXAMPLES = Path(__file__).parent.parent / "examples"


def decisions(games, every):
    """Yield states of random games in which somebody decides."""
    for seed in range(games):
        rng = stream(seed, 9)
        state = GAME.new(RULES)
        while (seat := contract.mover(RULES, state[0])) != OVER:
            if seat == CHANCE:
                code = contract.roll(RULES, state[0], uniform(rng))
                assert GAME.notation.outcome_text(RULES, state[0], code)
            else:
                if below(rng, every) == 0:
                    yield state
                moves = GAME.legal(RULES, state)
                code = moves[below(rng, len(moves))]
            contract.play(RULES, state[0], code)


def test_positions_and_moves_round_trip():
    for state in decisions(8, 8):
        seat = contract.mover(RULES, state[0])
        _, rules, view = notation.parse_position(notation.write_position(GAME, RULES, state))
        assert rules == RULES
        assert view == GAME.view(RULES, state, seat)
        moves = GAME.legal(RULES, state)
        assert GAME.legal(RULES, view) == moves
        for move in moves[:: 1 + len(moves) // 8]:
            text = GAME.notation.move_text(RULES, state[0], move)
            assert notation.parse_move(GAME, RULES, state, text) == move
            assert GAME.notation.move_words(RULES, state[0], move)


def test_states_round_trip_as_json():
    for state in decisions(3, 10):
        _, _, again = notation.state_from_json(notation.state_to_json(GAME, RULES, state))
        assert again == state


@pytest.mark.parametrize(
    ("name", "best"),
    [
        ("set-from-run", "play 6D 6H"),
        ("take-duke", "play 7D 8S 9D"),
        ("own-fief", "play 9D TD JS"),
    ],
)
def test_the_hint_finds_the_move_of_each_picture(name, best):
    game, rules, view = notation.read_position(EXAMPLES / f"dukes-{name}.toml")
    found = hint(game, rules, view, parse_agent("ismcts:sims=1000", game))
    assert found.moves[0].text == best
    moves = np.array(GAME.legal(rules, view))
    policy = int(contract.suggest(rules, view[0], moves, len(moves), stream(0)))
    assert GAME.notation.move_text(rules, view[0], policy) == best


def test_words_move_the_fewest_cards_of_the_grouping_given():
    _, rules, view = notation.read_position(EXAMPLES / "dukes-set-from-run.toml")
    move = notation.parse_move(GAME, rules, view, "play 6D 6H")
    words = GAME.notation.move_words(rules, view[0], move)
    assert "move 6S from the run 3S–6S to a new set of sixes" in words
    assert "Table: 3S 4D 5S 6S → 3S 4D 5S | 6D 6H 6S" in words


def test_the_grouping_may_be_wrong_or_missing():
    text = (EXAMPLES / "dukes-take-duke.toml").read_text()
    flat = text.replace('table = [\n  "TC JC QH",\n  "4C 4H 4S",\n]', 'table = "TC JC QH 4C 4H 4S"')
    assert notation.parse_position(flat)[2] == notation.parse_position(text)[2]


GOOD = (EXAMPLES / "dukes-take-duke.toml").read_text()


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('"TC JC QH"', '"TC JC"', "table: the cards cannot be parted"),
        ('"TC JC QH"', '"TC JC X"', "table: a joker"),
        ('"TC JC QH"', '"TC JC 7D"', "red.hand: 7D is already in table"),
        ('hand = "7D 9D KD"', 'hand = "7D 9D KS"', "red.hand: KS: expected cards of red's colour"),
        ('hand = "7D 9D KD"', 'hand = "7D 9D"', "red: 25 cards on the table and in hand"),
        ("draw_pile = 17", "draw_pile = 27", "red.draw_pile: 27: expected a whole number from 0 to 26"),
        ("turn = 8", "turn = 7", "turn: 7: expected black to move"),
        ("turn = 8", "turn = 301", "turn: 301: expected a whole number from 1 to 300"),
        ('decision = "play"', 'decision = "pass"', "decision: 'pass': expected choose or draw"),
        ("drawn = 1", "drawn = 3", "drawn: 3: expected a whole number from 0 to 2"),
        ('from = "draw pile"', 'from = "deck"', "from: 'deck': expected draw pile or discards"),
        ('dukes = "2D 6H"', 'dukes = "2D 6H 7H"', "red.dukes: expected at most two"),
        ('dukes = "2D 6H"', 'dukes = ""', "red: 24 cards"),
        ('fief = "AD"', 'fief = ""', "red: 25 cards"),
        ('discards = "3H"', 'discards = "?"', "red.discards: unknown card '?'"),
        ('discards = "? 5C"', 'discards = "? 5C"\nknown = {hand = "2S 3S 3C 9S"}', "black.known: more cards"),
        ('discards = "? 5C"', 'discards = "? 5C"\nknown = {sleeve = "2S"}', "'sleeve': expected draw pile"),
        (
            'discards = "? 5C"',
            'discards = "? 5C"\nknown = {hand = "5C"}',
            "5C: expected hidden cards of black",
        ),
        ("hand = 3", 'hand = "2S 3S 3C"', "black.hand: a text: expected a whole number"),
        ("turn = 8", "turn = 8\ntaken = true", "taken: the game is over"),
        ("turn = 8", "turn = 8\ncolour = 1", "colour: unknown key"),
    ],
)
def test_mistakes_are_named(old, new, problem):
    assert old in GOOD
    with pytest.raises(InputError) as mistake:
        notation.parse_position(GOOD.replace(old, new))
    assert problem in str(mistake.value)
    assert "\n" not in str(mistake.value)
