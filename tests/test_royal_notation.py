"""Position files of Royal Family: there and back, and one clear line for each mistake."""

import json

import pytest

from engines import contract
from engines.cards import DECK_AND_JOKERS, card_text, cards_text, mask_of, parse_card, parse_cards
from engines.contract import CHANCE, NONE, OVER
from engines.errors import InputError
from engines.notation import (
    parse_move,
    parse_position,
    read_position,
    state_from_json,
    state_to_json,
    write_position,
)
from engines.random import below, stream, uniform
from engines.royal import GAME
from engines.royal.rules import ACTING, DEALING, DEFENDING, DRAWING

DRAW = """
game = "royal"
to_move = "black"
draws = 14
extra_turn = true
spent = "AD"
piles = ["2C 3C", "5C AD", ""]
out = "7H 8H X"
deck = 33

[black.S]
fort = "2S 9S"
damage = "TS 7S"
family = "KS JS"
captives = "QH"

[black.C]

[red.H]
fort = "6H"
damage = "9D"
family = "JH"
captives = "QC"
"""

PLAIN = DRAW.replace("deck = 33\n", "")

ACT = """
game = "royal"
to_move = "red"
draws = 3
card = "X"
piles = ["AC", "4C 5C", "X"]

[black.S]
family = "KS"

[red.H]
"""

DEFEND = """
game = "royal"
to_move = "red"
draws = 8
attack = "7D"
castle = "H"
piles = ["2C", "3C", ""]

[black.S]
family = "JS"

[red.H]
fort = "3H 5H 9H"
family = "KH"

[red.D]
"""

SECOND = DEFEND.replace('castle = "H"', 'castle = "D"').replace("[red.D]", '[red.D]\nfort = "9D"')

OWN = """
game = "royal"
to_move = "black"
draws = 8
piles = ["2C", "3C", ""]

[black.S]
family = "JS"

[red.H]
damage = "4C 5S"

[rules]
attack_suit = "own"
captives = 2
"""


def same_table(state, other):
    """Whether two states differ at most in which joker is which."""
    texts = [write_position(GAME, RULES, one) for one in (state, other)]
    return texts[0] == texts[1] and state[0].phase == other[0].phase


RULES = GAME.rules()


@pytest.mark.parametrize(
    "changes",
    [
        {"max_turns": 120},
        {"attack_suit": "own", "attack_needs_family": 0, "castle_hp": 15, "max_turns": 90},
        {"captives": 3, "jack_any_suit": "false", "king_bonus": 5, "max_turns": 60},
    ],
)
def test_every_decision_of_random_games_round_trips(changes):
    rules = GAME.rules(**changes)
    seen = set()
    for number in range(4):
        rng, state = stream(5, number), GAME.new(rules)
        while (seat := contract.mover(rules, state[0])) != OVER:
            if seat == CHANCE:
                code = contract.roll(rules, state[0], uniform(rng))
                assert card_text(code) in GAME.notation.outcome_text(rules, state[0], code)
            else:
                seen.add(int(state[0].phase))
                text = write_position(GAME, rules, state)
                _, read_rules, copy = parse_position(text)
                assert read_rules == rules
                assert write_position(GAME, rules, copy) == text
                moves = GAME.legal(rules, state)
                assert GAME.legal(rules, copy) == moves
                for say in (GAME.notation.move_text, GAME.notation.move_words):
                    texts = [say(rules, state[0], move) for move in moves]
                    assert len(set(texts)) == len(moves)
                    assert texts == [say(rules, copy[0], move) for move in moves]
                code = moves[below(rng, len(moves))]
                spoken = GAME.notation.move_text(rules, state[0], code)
                assert parse_move(GAME, rules, state, f" {spoken.upper()} ") == code
            contract.play(rules, state[0], code)
    assert seen == {DRAWING, ACTING, DEFENDING}


def test_whole_states_round_trip_as_json():
    rules = GAME.rules(max_turns=100)
    for number in range(4):
        rng, state = stream(6, number), GAME.new(rules)
        while True:
            GAME.notation.check(rules, state[0])
            game, read_rules, copy = state_from_json(state_to_json(GAME, rules, state))
            assert (game.name, read_rules) == ("royal", rules)
            assert copy.tobytes() == state.tobytes()
            seat = contract.mover(rules, state[0])
            if seat == OVER:
                break
            if seat == CHANCE:
                code = contract.roll(rules, state[0], uniform(rng))
            else:
                moves = GAME.legal(rules, state)
                code = moves[below(rng, len(moves))]
            contract.play(rules, state[0], code)


def test_a_game_goes_on_from_its_position_file():
    """The copy read from a file and the original take the same course, jokers included."""
    for number in range(4):
        rng = stream(8, number)
        state = GAME.random_position(RULES, rng, 12 * number + 3)
        _, _, copy = parse_position(write_position(GAME, RULES, state))
        for _ in range(60):
            seat = contract.mover(RULES, state[0])
            assert contract.mover(RULES, copy[0]) == seat
            if seat == OVER:
                break
            if seat == CHANCE:
                assert GAME.outcomes(RULES, copy) == GAME.outcomes(RULES, state)
                code = contract.roll(RULES, state[0], uniform(rng))
            else:
                assert same_table(state, copy)
                moves = GAME.legal(RULES, state)
                code = moves[below(rng, len(moves))]
            contract.play(RULES, state[0], code)
            contract.play(RULES, copy[0], code)
            GAME.notation.check(RULES, copy[0])


def test_examples_are_read():
    _, _, state = parse_position(DRAW)
    s = state[0]
    assert (s.phase, s.player, s.turns, s.extra, s.card) == (DRAWING, 0, 14, 1, NONE)
    assert (cards_text(int(s.spent)), cards_text(int(s.out))) == ("AD", "7H 8H X")
    assert s.stands.tolist() == [[1, 1], [1, 0]]
    assert [cards_text(int(s[part][0, 0])) for part in ("fort", "hits", "family", "captives")] == [
        "2S 9S",
        "7S TS",
        "JS KS",
        "QH",
    ]
    assert cards_text(int(s.hits[1, 0])) == "9D"
    assert s.top.tolist() == [parse_card("3C"), parse_card("AD"), NONE]
    assert int(s.deck).bit_count() == 33
    _, _, state = parse_position(ACT)
    assert (state[0].phase, state[0].player, card_text(int(state[0].card))) == (ACTING, 1, "X")
    assert not state[0].deck >> 52
    _, _, state = parse_position(DEFEND)
    assert (state[0].phase, state[0].player, state[0].target) == (DEFENDING, 0, 0)
    assert contract.mover(RULES, state[0]) == 1
    _, rules, _ = parse_position(OWN)
    assert (rules.attack_suit, rules.captives) == (1, 2)


def test_other_spellings():
    _, _, state = parse_position(DRAW)
    again = DRAW.replace('"2S 9S"', '"9♠, 2s"').replace('"TS 7S"', '"7S 10S"').replace("deck = 33\n", "")
    assert parse_position(again)[2].tobytes() == state.tobytes()


def test_moves_in_words():
    def words(text):
        _, rules, state = parse_position(text)
        say = GAME.notation.move_words
        return [say(rules, state[0], move) for move in GAME.legal(rules, state)]

    assert words(DRAW) == ["draw from the deck", "take 3C from pile 1"]
    assert words(ACT) == ["assassinate KS"]
    assert words(DEFEND) == [
        "defend the castle of hearts with its five against 7D",
        "defend the castle of hearts with its nine against 7D",
    ]
    assert words(DEFEND.replace('attack = "7D"\ncastle = "H"', 'card = "4D"'))[2:] == [
        "discard 4D on pile 3 (empty)",
        "fortify the castle of diamonds with 4D",
    ]
    assert words(ACT.replace('card = "X"', 'card = "4S"').replace('"X"]', '""]'))[:2] == [
        "discard 4S on pile 1 (covering AC)",
        "discard 4S on pile 2 (covering 5C)",
    ]
    assert words(ACT.replace('card = "X"', 'card = "QS"'))[3:] == ["kidnap QS, held at the castle of hearts"]
    assert words(ACT.replace('card = "X"', 'card = "QH"'))[3:] == ["place QH in the castle of hearts"]
    assert words(ACT.replace('card = "X"', 'card = "AD"'))[3:] == [
        "build the castle of diamonds and take an extra turn"
    ]
    assert words(DEFEND.replace('"red"', '"black"').replace('attack = "7D"\ncastle = "H"', 'card = "7D"'))[
        3:
    ] == [
        "attack the castle of hearts with 7D",
        "attack the castle of diamonds with 7D",
    ]


@pytest.mark.parametrize(
    ("text", "old", "new", "message"),
    [
        # The file.
        (DRAW, DRAW, "", "empty"),
        (DRAW, DRAW, "\n \n", "empty"),
        (DRAW, "draws = 14", "draws = ", "TOML"),
        (DRAW, "draws = 14", "draws = 1\ndraws = 2", "TOML"),
        (DRAW, "[black.C]", "[black.S]", "TOML"),
        (DRAW, "[black.C]", "[black.C", "TOML"),
        (DRAW, "draws = 14", "x = " + "[" * 5000, "TOML"),
        (DRAW, '"royal"', '"chess"', "unknown game 'chess'"),
        (DRAW, '"royal"', "7", "game: a number"),
        (DRAW, 'game = "royal"', "", "unknown game"),
        # Keys and kinds of values.
        (DRAW, "draws = 14", "turns = 14", "turns: unknown key"),
        (DRAW, 'family = "KS JS"', 'familiy = "KS JS"', "black.S.familiy: unknown key"),
        (DRAW, "[black.C]", "[black.H]", "black.H: unknown key"),
        (ACT, "[red.H]", "[red.H]\n[green.H]", "green: unknown key"),
        (DRAW, "deck = 33", 'castle = "H"', "castle: unknown key"),
        (DRAW, "[black.C]", "[black]\nC = 1", "black.C is a number"),
        (ACT, "[black.S]", "[red.D]\n[black]\nC = 3\n[black.S]", "black.C is a number: expected a table"),
        (ACT, "draws = 3", "draws = 3\nblue = 1", "blue: unknown key"),
        (ACT, "[red.H]\n", "", "red.H: this castle stands from the start"),
        (ACT, "draws = 3", 'red = "H"\ndraws = 3', "TOML"),
        (ACT, '[black.S]\nfamily = "KS"\n', "black = 3\n", "TOML|black"),
        (DRAW, '"black"', '"Black"', "to_move: 'Black': expected black or red"),
        (DRAW, '"black"', "0", "to_move: a number"),
        (DRAW, 'to_move = "black"', "", "to_move: missing"),
        (DRAW, "draws = 14", "draws = -1", "draws: -1"),
        (DRAW, "draws = 14", "draws = 401", "draws: 401"),
        (DRAW, "draws = 14", "draws = 400", "draws: 400: the game ends"),
        (DRAW, "draws = 14", "draws = 1.5", "draws: a number"),
        (DRAW, "draws = 14", 'draws = "14"', "draws: a text"),
        (DRAW, "draws = 14", "draws = true", "draws"),
        (ACT, "draws = 3", "draws = 0", "draws: 0"),
        (DEFEND, "draws = 8", "", "draws: 0"),
        (DRAW, "extra_turn = true", "extra_turn = 1", "extra_turn: a number"),
        (DRAW, "extra_turn = true", 'extra_turn = "yes"', "extra_turn: a text"),
        (DRAW, "deck = 33", "deck = 32", "deck: 32 cards, but 33"),
        (DRAW, "deck = 33", "deck = 55", "deck: 55"),
        (DRAW, "deck = 33", 'deck = "KD"', "deck: a text"),
        # Cards.
        (DRAW, '"2S 9S"', '"2S 11S"', "black.S.fort: unknown card '11S'"),
        (DRAW, '"2S 9S"', '"2S9S"', "black.S.fort: unknown card"),
        (DRAW, '"2S 9S"', '"2S\\n1S"', "black.S.fort: unknown card"),
        (DRAW, '"2S 9S"', '["2S", "9S"]', "black.S.fort: a list"),
        (DRAW, '"2S 9S"', "29", "black.S.fort: a number"),
        (DRAW, '"2S 9S"', '"2S 9S 2S"', "2S is already in black.S.fort"),
        (DRAW, '"2S 9S"', '"2S 7S"', "7S is already in"),
        (DRAW, '"7H 8H X"', '"7H 8H KS"', "KS is already in out"),
        (DRAW, '"7H 8H X"', '"7H 8H 2C"', "out: 2C is already in pile 1"),
        (DRAW, '"7H 8H X"', '"X X X"', "X is already in"),
        (ACT, '"4C 5C"', '"4C X"', "X is already in"),
        (DRAW, '"7H 8H X"', '"7H AS"', "AS is already in"),
        (DRAW, '"7H 8H X"', '"7H AC"', "AC is already in"),
        (ACT, 'card = "X"', 'card = "AC"', "AC is already in the card in play"),
        # Piles.
        (DRAW, '["2C 3C", "5C AD", ""]', '["2C 3C", "5C AD"]', "piles: expected a list of three"),
        (DRAW, '["2C 3C", "5C AD", ""]', '["2C 3C", "5C AD", "", ""]', "piles"),
        (DRAW, '["2C 3C", "5C AD", ""]', '"2C 3C"', "piles"),
        (DRAW, '["2C 3C", "5C AD", ""]', "[1, 2, 3]", "pile 1: a number"),
        (DRAW, '["2C 3C", "5C AD", ""]', '["2C 3C", "5C AD", "ZZ"]', "pile 3: unknown card"),
        (DRAW, '["2C 3C", "5C AD", ""]', '["2C 3C", "5C AD", "2C"]', "pile 3: 2C is already in pile 1"),
        # Castles.
        (PLAIN, '"2S 9S"', '"2S 9C"', "black.S.fort: 9C: expected only 2 to 10 of spades"),
        (PLAIN, '"2S 9S"', '"2S QS"', "black.S.fort: QS"),
        (PLAIN, '"2S 9S"', '"X"', "black.S.fort: X"),
        (PLAIN, '"TS 7S"', '"TS 6S 4S"', "black.S.damage: 20, but it falls at 20"),
        (PLAIN, '"TS 7S"', '"TD"', "black.S.damage: TD"),
        (PLAIN, '"TS 7S"', '"AC"', "AC"),
        (PLAIN, '"KS JS"', '"KS QS JS"', "black has a full family"),
        (PLAIN, 'captives = "QH"', 'captives = "QS"', "black.S.captives: QS"),
        (PLAIN, 'captives = "QH"', 'captives = "TD"', "black.S.captives: TD"),
        (PLAIN, 'captives = "QH"', 'captives = "QH KH QD KD"', "black.S.captives: more than the 3"),
        (PLAIN, "[red.H]", "[red.D]", "red.D"),
        (ACT, "[red.H]", "[red.D]", "red.H: this castle stands from the start"),
        (ACT, 'piles = ["AC"', 'out = "AH"\npiles = ["AC"', "AH is already in out"),
        (ACT, "[red.H]", "[rules]", "red.H: this castle stands"),
        (OWN, 'damage = "4C 5S"', 'damage = "4H"', "red.H.damage: 4H"),
        (OWN, 'attack_suit = "own"', 'attack_suit = "enemy"', "red.H.damage: 4C 5S"),
        (OWN, "captives = 2", "castle_hp = 9", "red.H.damage: 9, but it falls at 9"),
        # The turn.
        (DRAW, 'spent = "AD"', 'spent = "AC"', "spent"),
        (DRAW, 'spent = "AD"', 'spent = "5C"', "spent"),
        (DRAW, 'spent = "AD"', 'spent = "A"', "spent: unknown card"),
        (DRAW, 'spent = "AD"', "spent = 1", "spent: a number"),
        (DRAW, "extra_turn = true", "extra_turn = false", "spent"),
        (DRAW, "extra_turn = true\n", "", "spent"),
        (ACT, 'card = "X"', 'card = ""', "card: no card"),
        (ACT, 'card = "X"', 'card = "X 2H"', "card: unknown card"),
        (ACT, 'card = "X"', "card = 7", "card: a number"),
        (DEFEND, 'attack = "7D"', 'attack = ""', "attack: no card"),
        (DEFEND, 'attack = "7D"', 'attack = "7D"\ncard = "8D"', "attack: expected only one"),
        (DEFEND, 'attack = "7D"', 'attack = "KD"', "attack: KD on H"),
        (DEFEND, 'attack = "7D"', 'attack = "AD"', "AD is already in the card in play"),
        (DEFEND, 'attack = "7D"', 'attack = "AC"', "attack: AC on H"),
        (DEFEND, 'attack = "7D"', 'attack = "X"', "attack: X on H"),
        (DEFEND, 'attack = "7D"', 'attack = "7S"', "attack: 7S cannot attack"),
        (DEFEND, '"JS"', '"QS"', "attack: 7D cannot attack the castle H"),
        (DEFEND, 'family = "JS"', "", "attack: 7D cannot attack"),
        (DEFEND, 'fort = "3H 5H 9H"', 'fort = "3H 4H"', "no fortification of H repels 7D"),
        (DEFEND, 'fort = "3H 5H 9H"', "", "no fortification"),
        (DEFEND, 'castle = "H"', 'castle = "D"', "no fortification of D"),
        (DEFEND, 'castle = "H"', 'castle = "S"', "castle: 'S': expected H or D"),
        (DEFEND, 'castle = "H"', "", "castle: missing"),
        (DEFEND, 'to_move = "red"', 'to_move = "black"', "castle: 'H'"),
        (DEFEND, "[red.D]", "[rules]\nking_bonus = 30", "king_bonus"),
        (SECOND, '[red.D]\nfort = "9D"\n', "", "attack: 7D on D: expected a 2 to 10 and a standing castle"),
        # The rules.
        (OWN, 'attack_suit = "own"', 'attack_suit = "both"', "attack_suit = 'both': expected enemy or own"),
        (OWN, 'attack_suit = "own"', "attack_suit = 1", "attack_suit"),
        (OWN, "captives = 2", "captives = -1", "captives"),
        (OWN, "captives = 2", "captives = [2]", "captives"),
        (OWN, "captives = 2", "prisoners = 2", "no rule 'prisoners'"),
        (OWN, "captives = 2", "jack_any_suit = 2", "jack_any_suit"),
        (OWN, "captives = 2", "max_turns = 8", "draws: 8: the game ends after 8"),
        (OWN, "captives = 2", "max_turns = 7", "draws: 8: expected a whole number from 0 to 7"),
        (OWN, "[rules]", "[[rules]]", "rules: a list"),
        (OWN, "captives = 2", "captives = 0x" + "1" * 5000, "captives = a huge number"),
        (OWN, "captives = 2", "self = 2", "no rule 'self'"),
        (OWN, "captives = 2", '"a\\nb" = 2', "no rule 'a.*nb'"),
        # Whatever else a file can hold.
        (PLAIN, '"KS JS"', '"KC JS"', "black.S.family: KC: expected only J, Q, K of spades"),
        (PLAIN, '"KS JS"', '"TC"', "black.S.family: TC"),
        (DRAW, "draws = 14", '"a\\nb" = 1', "'a.*nb': unknown key"),
        (DRAW, "draws = 14", f"{'a' * 500} = 1", "aaa...': unknown key"),
        (DRAW, "draws = 14", "draws = " + "1" * 5000, "TOML: a number of too many digits"),
        (DRAW, "draws = 14", "draws = 0x" + "1" * 5000, "draws: a huge number"),
        (DRAW, "draws = 14", "draws = 2026-01-01", "draws: a date"),
        (DRAW, "draws = 14", "draws = {}", "draws: a table"),
        (DRAW, '"black"', '"a\\nb"', "to_move: 'a.*nb'"),
        (DRAW, '"royal"', '"a\\nb"', "unknown game 'a.*nb'"),
    ],
)
def test_mistakes_are_one_clear_line(text, old, new, message):
    parse_position(text)
    assert old in text
    with pytest.raises(InputError, match=message) as mistake:
        parse_position(text.replace(old, new, 1))
    assert "\n" not in str(mistake.value)


@pytest.mark.parametrize("black", ["fallen", "spent"])
def test_games_that_are_over(black):
    text = 'game = "royal"\nto_move = "black"\ndraws = 9\n[red.H]\n'
    if black == "fallen":
        text = text.replace("[red", 'out = "AS"\n[red')
        message = "black has no castle"
    else:
        out = cards_text(DECK_AND_JOKERS & ~mask_of(parse_cards("AS AH")))
        text = text.replace("[red", f'out = "{out}"\n[black.S]\n[red')
        message = "nothing can be drawn"
    with pytest.raises(InputError, match=message):
        parse_position(text)


def test_an_extra_turn_on_which_only_spent_aces_lie():
    """The turn would have passed to the opponent (R12)."""
    out = cards_text(DECK_AND_JOKERS & ~mask_of(parse_cards("AS AH AD")))
    text = f"""
        game = "royal"
        to_move = "black"
        draws = 9
        extra_turn = true
        spent = "AD"
        piles = ["AD", "", ""]
        out = "{out}"
        [black.S]
        [red.H]
    """
    with pytest.raises(InputError, match="nothing can be drawn: only aces spent"):
        parse_position(text)


def test_files(tmp_path):
    path = tmp_path / "position.toml"
    with pytest.raises(InputError, match="cannot be read"):
        read_position(path)
    with pytest.raises(InputError, match="cannot be read"):
        read_position(tmp_path)
    with pytest.raises(InputError, match="cannot be read"):
        read_position("a\0b")
    with pytest.raises(InputError, match=r"'a\\nb': cannot be read"):
        read_position("a\nb")
    path.write_bytes(b"\xff\xfe\x00game")
    with pytest.raises(InputError, match="not a text file"):
        read_position(path)
    path.write_text(DRAW + "#" * (1 << 20))
    with pytest.raises(InputError, match="larger than 1 MB"):
        read_position(path)
    path.write_text(DRAW.replace("draws = 14", "draws = -1"))
    with pytest.raises(InputError, match=r"position\.toml: draws: -1"):
        read_position(path)
    path.write_text(DRAW)
    assert read_position(path)[2].tobytes() == parse_position(DRAW)[2].tobytes()


@pytest.mark.parametrize(
    "text",
    ["", "null", "[]", "7", "{", "[" * 100_000, "1" * 5000, '{"game": "royal"}', '{"game": []}', '"royal"'],
)
def test_json_that_is_no_state(text):
    with pytest.raises(InputError) as mistake:
        state_from_json(text)
    assert "\n" not in str(mistake.value)


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        (DRAW, {"phase": 9}),
        (DRAW, {"phase": -1}),
        (DRAW, {"phase": ACTING}),
        (DRAW, {"phase": DEFENDING}),
        (DRAW, {"phase": "drawing"}),
        (DRAW, {"player": 2}),
        (DRAW, {"turns": -1}),
        (DRAW, {"turns": 401}),
        (DRAW, {"turns": 10**30}),
        (DRAW, {"winner": 0}),
        (DRAW, {"winner": 2}),
        (DRAW, {"card": 4}),
        (DRAW, {"card": 99}),
        (DRAW, {"target": 0}),
        (DRAW, {"deck": 0}),
        (DRAW, {"deck": 1 << 54}),
        (DRAW, {"out": 0}),
        (DRAW, {"spent": 1}),
        (DRAW, {"spent": -1}),
        (DRAW, {"extra": 0}),
        (DRAW, {"top": [8, 8, -1]}),
        (DRAW, {"top": [1, 2]}),
        (DRAW, {"top": None}),
        (DRAW, {"below": [8] * 54}),
        (DRAW, {"stands": [[0, 1], [1, 0]]}),
        (DRAW, {"stands": [[1, 0], [1, 1]]}),
        (DRAW, {"fort": [[0, 0], [0, 1]]}),
        (DEFEND, {"target": NONE}),
        (DEFEND, {"card": NONE}),
        (DEFEND, {"player": 1}),
        (DEFEND, {"phase": DRAWING}),
        (DRAW, {"top": [99, -1, -1]}),
        (DRAW, {"top": [-7, -1, -1]}),
        (DRAW, {"top": 8}),
        (DRAW, {"card": -7}),
        (DRAW, {"out": -1}),
        (DRAW, {"deck": -1}),
        (DRAW, {"fort": [[-1, 0], [0, 0]]}),
        (DRAW, {"turns": 1.5}),
        (DRAW, {"turns": True}),
        (DRAW, {"turns": "14"}),
        (DRAW, {"extra": 2}),
        (DRAW, {"below": [NONE] * 53 + [0]}),
        (DRAW, {"phase": DEALING, "turns": 0, "extra": 0, "spent": 0, "top": [8, 16, 20]}),
        (DEFEND, {"target": 5}),
    ],
)
def test_json_of_a_state_that_cannot_be(text, changes):
    game, rules, state = parse_position(text)
    record = json.loads(state_to_json(game, rules, state))
    record["state"] |= changes
    with pytest.raises(InputError) as mistake:
        state_from_json(json.dumps(record))
    assert "\n" not in str(mistake.value)


@pytest.mark.parametrize("missing", ["game", "rules", "state"])
def test_json_that_lacks_a_part(missing):
    game, rules, state = parse_position(DRAW)
    record = json.loads(state_to_json(game, rules, state))
    del record[missing]
    with pytest.raises(InputError):
        state_from_json(json.dumps(record))
