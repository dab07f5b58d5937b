"""Up and Down the River in text: positions, moves, the examples."""

from pathlib import Path

import numpy as np
import pytest
from river_states import Table

from engines import contract, notation
from engines.contract import CHANCE, OVER
from engines.errors import InputError
from engines.random import below, stream, uniform
from engines.river import GAME
from engines.river import rules as r
from solvers.melds.river import read_table

EXAMPLES = Path(__file__).parent.parent / "examples"


def decisions(rules, seed, every):
    """Yield states of a random game in which somebody decides; those in the middle of a turn more often."""
    rng, state = stream(seed, 9), GAME.new(rules)
    while (seat := contract.mover(rules, state[0])) != OVER:
        if seat == CHANCE:
            code = contract.roll(rules, state[0], uniform(rng))
            assert GAME.notation.outcome_text(rules, state[0], code)
        else:
            rare = state[0].least or state[0].phase in (r.PLAYING, r.ADDING)
            if rare or below(rng, every) == 0:
                yield state
            moves = GAME.legal(rules, state)
            code = moves[below(rng, len(moves))]
        contract.play(rules, state[0], code)


@pytest.mark.parametrize(
    ("changes", "seed"),
    [({"players": 2}, 1), ({"rounds": "13"}, 2), ({"players": 6, "deal": 17, "first_round": 5}, 3)],
)
def test_positions_and_moves_round_trip(changes, seed):
    rules = GAME.rules(**changes | {"max_turns": 40})
    seen = set()
    for state in decisions(rules, seed, 40):
        s = state[0]
        seat = contract.mover(rules, s)
        text = notation.write_position(GAME, rules, state)
        _, read, view = notation.parse_position(text)
        assert read == rules
        assert view.tobytes() == GAME.view(rules, state, seat).tobytes()
        moves = GAME.legal(rules, state)
        assert GAME.legal(rules, view) == moves
        for move in moves[:: 1 + len(moves) // 6]:
            name = GAME.notation.move_text(rules, s, move)
            assert notation.parse_move(GAME, rules, state, name) == move
            assert GAME.notation.move_words(rules, s, move)
        seen |= {int(s.phase), "going on" if s.least else "", "reshuffled" if "reshuffled" in text else ""}
    assert seen >= {r.DRAWING, r.PLAYING, r.ADDING, r.DISCARDING, "going on"}
    assert ("reshuffled" if "deal" in changes else r.BUYING) in seen


def test_melds_are_written_as_the_meld_command_reads_them():
    table = Table(
        "3C 4C", "3D 4D", number=2, melds={0: ["*3H 4H 5H *6H", "9C 9D *"], 1: ["TS JS QS KS", "AC * *"]}
    )
    lines = notation.write_position(GAME, table.rules, table.state).splitlines()
    melds = [line for line in lines if line.startswith("melds")]
    assert melds == ['melds = ["*3H 4H 5H *6H", "9C 9D *"]', 'melds = ["TS JS QS KS", "AC * *"]']
    records, _ = read_table("*3H 4H 5H *6H | 9C 9D *")
    assert records.tolist() == table.s.melds[:2].tolist()


def words(table: Table, text: str) -> str:
    return GAME.notation.move_words(
        table.rules, table.s, notation.parse_move(GAME, table.rules, table.state, text)
    )


def test_words_name_the_cards_and_show_the_melds():
    table = Table("3C", "3D", "3H", top="7C")
    assert words(table, "draw") == "draw from the draw pile; the others may buy 7C"
    assert words(table, "take 7C") == "take 7C from the discard pile"
    table.say("draw")
    assert words(table, "buy 7C") == "buy 7C, with a card from the draw pile"
    assert words(table, "pass") == "leave 7C where it is"
    table = Table("3C", "3D", "3H", top="*").say("draw")
    assert words(table, "buy *") == "buy a wild, with a card from the draw pile"
    table = Table("7C 7D 7H 9C 9D * 3C", "3D", phase="lay")
    assert words(table, "stay up") == "do not go down yet"
    assert words(table, "lay 7C 7D 7H") == "go down with a set of sevens 7C 7D 7H; then 1 set more"
    table.say("lay 7C 7D 7H")
    assert words(table, "lay 9C 9D *") == "lay also a set of nines 9C 9D *; keep 3C"
    table = Table("6H 6D 4H * QC", "3D", number=2, phase="add", melds={0: ["5H *6H 7H 8H", "6C 6S *"]})
    assert words(table, "add 4H to 5H-8H of one") == "add 4H to your own run 5H *6H 7H 8H → 4H 5H *6H 7H 8H"
    assert words(table, "add *9H to 5H-8H of one").startswith(
        "add a wild as 9H to your own run 5H *6H 7H 8H →"
    )
    assert words(table, "add 6D to 6s of one") == "add 6D to your own set 6C 6S * → 6C 6S * 6D"
    assert words(table, "replace *6H in 5H-8H of one and move it to *9H") == (
        "put 6H in place of the wild in your own run 5H *6H 7H 8H, which moves to the high end"
        " → 5H 6H 7H 8H *9H"
    )
    assert words(table.say("stop"), "discard *") == "discard a wild"


def test_words_of_going_out_show_the_three_runs():
    table = Table("3C 4C 5C 6C 8D 9D TD JD QH KH AH *", "3D", number=7, phase="lay")
    assert words(table, "lay all") == "go out: 3C 4C 5C 6C | 8D 9D TD JD | *JH QH KH AH"


def test_equal_melds_have_different_names():
    melds = {0: ["4H 5H 6H 7H", "4H *5H 6H 7H"], 1: ["TS JS QS KS", "3D 4D 5D 6D"]}
    table = Table("8H 8H 3C", "3C", number=3, phase="add", melds=melds)
    assert table.texts()[1:] == ["add 8H to 4H-7H of one", "add 8H to 4H-7H of one #2"]
    table.say("add 8H to 4H-7H of one #2")
    assert table.melds(0)[1] == ("4H", "*5H", "6H", "7H", "8H")


# ---- what a person may write


GOOD = (EXAMPLES / "river.toml").read_text()


def test_twos_jokers_and_stars_are_all_wild():
    _, rules, view = notation.parse_position(GOOD)
    hand = next(line for line in GOOD.splitlines() if line.startswith('hand = "') and "*" in line)
    for wild in ("X", "2C", "2S"):
        _, _, other = notation.parse_position(GOOD.replace(hand, hand.replace("*", wild, 1)))
        assert other == view
    assert contract.seats(rules) == 3


def test_the_order_of_melds_and_cards_does_not_matter():
    _, _, view = notation.parse_position(GOOD)
    for old, new in [
        ('melds = ["8D 9D TD *JD", "5C 5D *"]', 'melds = ["* 5D 5C", "8D,9D,10D,*JD"]'),
        ('discards = "3D 4C 6C 7S JC KH AD"', 'discards = "A♦ kh jc 7s 6c 4c 3d"'),
    ]:
        assert old in GOOD
        assert notation.parse_position(GOOD.replace(old, new))[2].tobytes() == view.tobytes()


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('"4H 5H 6H 7H 8H 9C', '"4H 5H 6H 7H 8H 1C', "two.hand: unknown card '1C'"),
        ('"4H 5H 6H 7H 8H 9C', '"4H 4H 4H 7H 8H 9C', "two.hand: 4H 3 times: expected at most 2"),
        ('"4H 5H 6H 7H 8H 9C', '"QC QC 6H 7H 8H 9C', "QC: 3 of them: expected at most 2"),
        ('"4H 5H 6H', '"4H 5H 6H 3S', "109 cards in hands, piles and melds: expected 108"),
        ("draw_pile = 65", "draw_pile = 64", "107 cards in hands, piles and melds: expected 108"),
        ("draw_pile = 65", "draw_pile = -1", "draw_pile: -1: expected a whole number from 0 to 108"),
        ("hand = 4", "hand = 0", "one.hand: 0: expected a whole number from 1"),
        ("hand = 4", 'hand = "3S 4S 5S 6S"', "one.hand: a text: expected a whole number"),
        ('known = "3C JS"', 'known = "KC KC"', "KC: 3 of them: expected at most 2"),
        ('known = "9C"', 'known = "9S"', "two.known: expected cards of the hand"),
        ("hand = 11", "hand = 1", "three.known: more cards than the 1 of the hand"),
        ('below = "TS"', 'below = "TS TS"', "below: 2 cards: expected one, or none"),
        ('top = "QC"', 'top = ""', "107 cards"),
        ('to_move = "two"', 'to_move = "four"', "to_move: 'four': expected one or two or three"),
        ("turn = 13", "turn = 14", "turn: 14: expected a turn of two, not three"),
        ("turn = 13", "turn = 0", "turn: 0: expected a whole number from 1 to 200"),
        ("round = 2", "round = 8", "round: 8: expected a whole number from 1 to 7"),
        ("total = 35", "total = 33", "total: expected multiples of 5"),
        ("total = 35", "total = 2000", "total: expected multiples of 5, 960 together at most"),
        ('decision = "go down"', 'decision = "meld"', "decision: 'meld': expected draw or buy"),
        ('decision = "go down"', 'decision = "add"', "decision: expected two to be down to add"),
        ('decision = "go down"', 'decision = "buy"', "to_move: expected another player"),
        (', "5C 5D *"]', "]", "one.melds: expected the whole contract, or none"),
        ('"8D 9D TD *JD"', '"8D 9D TD"', "one.melds: meld 1 is no set, and no run of 4"),
        ('"8D 9D TD *JD"', '"8D 9D JD *TD"', "one.melds: meld 1 is no set, and no run of 4"),
        ('"8D 9D TD *JD"', '"8D 9D TD *JD | 3S 3C 3H"', "expected one meld in a text"),
        ('"8D 9D TD *JD"', '"8D 9D TD ?"', "one.melds: unknown card '?'"),
        ('"8D 9D TD *JD"', '"9S 9H *", "* *"', "one.melds: meld 2: expected 3 or more cards with a natural"),
        ('["8D 9D TD *JD", "5C 5D *"]', '"8D 9D TD *JD"', "one.melds: expected a list of texts"),
        (
            '["8D 9D TD *JD", "5C 5D *"]',
            '["3S 3C 3H", "4S 4C 4D", "5C 5D 5S", "6C 6C 6D"]',
            "4 melds: expected at most 3",
        ),
        (
            "draw_pile = 65",
            'draw_pile = 65\nreshuffled = "3S 4S"',
            "reshuffled: expected the cards of the draw pile",
        ),
        ("draw_pile = 65", "draw_pile = 65\nwent_down = true", "two.melds: expected the whole contract"),
        ("draw_pile = 65", "draw_pile = 65\nsleeve = 1", "sleeve: unknown key"),
        ('game = "river"', 'game = "river"\n[rules]\nrounds = 9', "rule rounds = 9: expected 7 or 13"),
        (
            'game = "river"',
            'game = "river"\n[rules]\nfirst_round = 9',
            "rule first_round = 9: expected at most",
        ),
    ],
)
def test_mistakes_are_named(old, new, problem):
    assert old in GOOD
    text = GOOD.replace(old, new)
    if "[rules]" in new:
        text = GOOD + new.partition("\n")[2]
    with pytest.raises(InputError) as mistake:
        notation.parse_position(text)
    assert problem in str(mistake.value)
    assert "\n" not in str(mistake.value)


def test_who_cannot_go_on_laying_is_told_so():
    table = Table("4H 5H 6H 7H 9C 9D 9S 3C", "3D", number=2, phase="lay").say("lay 4H 5H 6H 7H")
    text = notation.write_position(GAME, table.rules, table.state)
    assert notation.parse_position(text)[2] == table.view(0)
    with pytest.raises(InputError, match="decision: one cannot complete the contract with this hand"):
        notation.parse_position(text.replace("9C 9D 9S", "9C TD JS"))
    table = Table("3C 4C 5C 6C 8D 9D TD JD QH KH AH *", "3D", number=7, phase="lay")
    text = notation.write_position(GAME, table.rules, table.state)
    assert notation.parse_position(text)[2] == table.view(0)
    with pytest.raises(InputError, match="decision: one cannot go out with this hand"):
        notation.parse_position(text.replace("QH", "7H"))


def test_a_finished_game_is_no_position():
    rules = GAME.rules(goal="round", max_turns=1)
    state, rng = GAME.new(rules), stream(1)
    while (seat := contract.mover(rules, state[0])) != OVER:
        move = contract.roll(rules, state[0], uniform(rng)) if seat < 0 else GAME.legal(rules, state)[0]
        contract.play(rules, state[0], move)
    GAME.notation.check(rules, state[0])
    for seat in range(3):
        assert GAME.view(rules, state, seat) == state  # hands are shown at the end
    _, _, again = notation.state_from_json(notation.state_to_json(GAME, rules, state))
    assert again == state


# ---- states that could not stand on a table


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("phase", r.BUYING, "to_move"),
        ("phase", r.BOUGHT, "to_move"),
        ("phase", r.ADDING, "decision"),
        ("phase", r.DEALING, "turn"),
        ("asked", 1, "to_move"),
        ("player", 1, "turn"),
        ("player", 3, "players"),
        ("turn", 0, "turn"),
        ("least", 5, "adding_from"),
        ("second", -1, "107 cards"),
        ("pile", 3, "cards"),
        ("shuffled", (1, 0, 0), "reshuffled"),
        ("unseen", (1 << 50, 0, 0), "unseen"),
        ("laid", (1, 0, 0), "melds"),
        ("down", [2, 0, 0, 0, 0, 0], "melds"),
        ("totals", [0, 0, 0, 5, 0, 0], "players"),
    ],
)
def test_states_that_cannot_be_are_refused(field, value, problem):
    table = Table("3C 4C", "3D 4D", "5D", number=3, player=2, top="7C", below="KD", buried="QH")
    table.s[field] = value
    with pytest.raises(InputError, match=problem) as mistake:
        table.check()
    assert "\n" not in str(mistake.value)


def test_a_laid_meld_must_be_a_meld():
    table = Table("3C 4C", "3D 4D", number=2, melds={1: ["5H *6H 7H 8H", "9C 9D *"]})
    for meld in (
        (2, 2, 4, 2),
        (2, 2, 5, 60),
        (2, 9, 12, 0),
        (4, 2, 5, 8),
        (-2, 6, 3, 0),
        (-1, 6, 3, 3),
        (-1, 12, 3, 1),
    ):
        state = table.state.copy()
        state[0].melds[3] = meld
        with pytest.raises(InputError, match=r"two\.melds: "):
            GAME.notation.check(table.rules, state[0])


# ---- the examples


@pytest.mark.parametrize("name", ["river", "river-buy"])
def test_examples_offer_a_real_choice(name):
    game, rules, view = notation.read_position(EXAMPLES / f"{name}.toml")
    moves = np.array(game.legal(rules, view))
    assert len(moves) > 1
    seat = contract.mover(rules, view[0])
    assert game.seat_names[seat] == "two"
    for number in range(5):
        world = view.copy()
        contract.fill(rules, world[0], stream(number))
        game.notation.check(rules, world[0])
        assert game.view(rules, world, seat) == view
