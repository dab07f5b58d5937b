"""Each ruling of Up and Down the River (V1-V15), on states set up by hand."""

import re
from pathlib import Path

import numpy as np
import pytest
from river_reference import DECK
from river_states import KINDS, Table, cards, roll_on

from engines import contract
from engines.contract import CHANCE, OVER
from engines.errors import InputError
from engines.random import stream, uniform
from engines.river import GAME
from engines.river import rules as r

TWO_SETS = ["7C 7D 7H", "9C 9D 9S"]
SETS = " ".join(TWO_SETS)  # with another card a way down in round 1


def lays(table: Table) -> list[str]:
    return [text.removeprefix("lay ") for text in table.texts() if text.startswith("lay ")]


def adds(table: Table) -> list[str]:
    return [text for text in table.texts() if text != "stop"]


def test_every_ruling_has_a_test_and_stands_in_the_rules():
    folder = Path(__file__).parent
    tests = "".join((folder / f"test_river_{name}.py").read_text() for name in ("rules", "rounds"))
    page = (folder.parent / "docs" / "rules" / "river.md").read_text(encoding="utf-8")
    for number in range(1, 16):
        assert f"def test_v{number}_" in tests
        assert re.search(rf"\bV{number}\b", page)


# ---- material and melds


def test_v1_two_decks_and_four_jokers():
    rules = GAME.rules()
    state = GAME.new(rules)
    assert rules.players == 3
    weights = GAME.outcomes(rules, state)
    assert [weights[kind] for kind in range(49)] == [2] * 48 + [12]
    assert len(DECK) == 108


@pytest.mark.parametrize(("players", "number"), [(2, 1), (3, 3), (6, 5)])
def test_v1_cards_are_dealt_one_at_a_time_from_the_first_player(players, number):
    rules = GAME.rules(players=players, first_round=number)
    state, rng = GAME.new(rules), stream(1)
    order = []
    for _ in range(11 * players):
        assert contract.mover(rules, state[0]) == CHANCE
        before = state[0].held.copy()
        contract.play(rules, state[0], contract.roll(rules, state[0], uniform(rng)))
        order.append(int(np.flatnonzero(state[0].held != before)[0]))
    assert order == [(number - 1 + n) % players for n in range(11 * players)]
    assert contract.luck(rules, state[0]) == players  # the card turned up is nobody's luck
    contract.play(rules, state[0], 48)  # a wild may be turned up
    assert cards(state[0].unseen).count("*") == 12 - 1 - sum(cards(h).count("*") for h in state[0].hand)
    assert contract.mover(rules, state[0]) == (number - 1) % players
    assert state[0].top == 48
    assert GAME.legal(rules, state) == [r.DRAW, r.TAKE]


def test_v1_the_deal_must_leave_a_card_to_turn_up():
    for players in range(2, 7):
        for deal in (1, 17):
            assert players * GAME.rules(players=players, deal=deal).deal + 1 <= 108
    for wrong in ({"players": 1}, {"players": 7}, {"deal": 18}, {"deal": 0}):
        with pytest.raises(InputError):
            GAME.rules(**wrong)


def test_v2_sets_may_hold_any_suits_and_both_copies():
    table = Table("7C 7C 7D 9H 9H 9S 3C 4C", "3D", phase="lay")
    table.say("lay 7C 7C 7D", "lay 9H 9H 9S")
    assert table.melds(0) == [("7", 3, 0), ("9", 3, 0)]


def test_v2_runs_do_not_go_round_the_corner():
    """Twos are wild, so an ace is only high: Q K A * has no place for the wild but below."""
    table = Table("QH KH AH * 3H 5C 5D 5S 3C", "3D", number=2, phase="lay")
    runs = [text for text in lays(table) if "|" not in text and "KH" in text]
    assert "*JH QH KH AH" in runs
    assert all(text.split()[-1].lstrip("*") in ("KH", "AH") for text in runs)
    assert not any("AH 3H" in text for text in lays(table))


def test_v2_every_meld_needs_a_natural():
    """Two naturals and any number of wilds make two sets, but one natural does not."""
    assert Table("7C 9D * * * * *", "3D", phase="lay").asked == "lay"
    assert Table("7C * * * * * * *", "3D", phase="lay").asked == "discard"
    table = Table("7C 7D * * * * *", "3D", phase="lay")
    assert lays(table) == ["7C * * | 7D * *"]


def test_v3_sets_are_of_three_and_runs_of_four():
    table = Table("7C 7D 7H 7S 9C 9D 9H 9S", "3D", phase="lay")
    assert {len(text.split()) for text in lays(table)} == {3}
    table = Table("4H 5H 6H 7H 8H TC TD TH TS", "3D", number=2, phase="lay")
    assert lays(table) == ["4H 5H 6H 7H", "5H 6H 7H 8H"]
    table.say("lay 4H 5H 6H 7H")
    assert {len(text.split()) for text in lays(table)} == {3}


def test_v3_a_wild_in_a_run_stands_for_one_card():
    table = Table("4H 5H 6H * 9C 9D 9H 3D", "3D", number=2, phase="lay")
    assert lays(table) == ["*3H 4H 5H 6H", "4H 5H 6H *7H"]
    table.say("lay 4H 5H 6H *7H", "lay 9C 9D 9H")
    assert table.melds(0)[0] == ("4H", "5H", "6H", "*7H")


# ---- rounds


CONTRACTS = [(2, 0), (1, 1), (0, 2), (3, 0), (2, 1), (1, 2), (0, 3)]


@pytest.mark.parametrize("number", range(1, 14))
def test_v4_the_contract_of_each_round(number):
    """Thirteen rounds go up and down again."""
    sets, runs = CONTRACTS[number - 1] if number <= 7 else CONTRACTS[13 - number]
    hand = ["7C 7D 7H", "9C 9D 9S", "JC JD JH"][:sets] + ["3S 4S 5S 6S", "8H 9H TH JH", "QC KC AC *"][:runs]
    last = "3D" if runs < 3 else ""
    table = Table(f"{' '.join(hand)} {last}", "4D", number=number, phase="lay", rounds="13")
    assert table.asked == "lay"
    if runs == 3:
        assert table.texts() == ["stay up", "lay all"]
        return
    while table.asked == "lay":
        table.say(table.texts()[-1])
    laid = table.melds(0)
    assert (len([meld for meld in laid if len(meld) == 3]), len(laid)) == (sets, sets + runs)


def test_v4_a_game_has_seven_rounds_or_thirteen():
    for rounds in (7, 13):
        rules = GAME.rules(rounds=str(rounds), max_turns=1, deal=1)
        state, rng = GAME.new(rules), stream(2)
        stages = set()
        while (seat := contract.mover(rules, state[0])) != OVER:
            stages.add(int(state[0].stage))
            move = contract.roll(rules, state[0], uniform(rng)) if seat < 0 else GAME.legal(rules, state)[0]
            contract.play(rules, state[0], move)
        assert stages == set(range(rounds))


@pytest.mark.parametrize("players", [2, 3, 6])
def test_v5_the_start_passes_to_the_left(players):
    rules = GAME.rules(rounds="13", players=players, max_turns=1, deal=1)
    state, rng = GAME.new(rules), stream(2)
    first: dict[int, int] = {}
    while (seat := contract.mover(rules, state[0])) != OVER:
        if seat >= 0:
            first.setdefault(int(state[0].stage), seat)
        move = contract.roll(rules, state[0], uniform(rng)) if seat < 0 else GAME.legal(rules, state)[-1]
        contract.play(rules, state[0], move)
    assert first == {number: number % players for number in range(13)}


# ---- a turn


def test_v6_draw_or_take_and_the_choice_binds():
    table = Table("3C 4D", "3D 5D", "3H 6D", top="7C")
    assert table.texts() == ["draw", "take 7C"]
    taken = Table("3C 4D", "3D 5D", "3H 6D", top="7C").say("take 7C")
    assert (taken.mover, taken.asked) == (0, "discard")
    assert taken.texts() == ["discard 3C", "discard 7C", "discard 4D"]
    assert taken.say("discard 7C").s.top == KINDS.index("7C")  # the same card may go again
    assert taken.mover == 1
    table.say("draw", "pass", "pass").come("8S")
    assert table.hand(0) == "3C 4D 8S"
    assert (table.mover, table.asked) == (0, "discard")
    assert table.s.top == KINDS.index("7C")


def test_v7_others_are_asked_from_the_drawers_left():
    table = Table("3C", "3D", "3H", "3S", player=2, top="7C").say("draw")
    asked = []
    while table.asked == "buy":
        asked.append(table.mover)
        assert table.texts() == ["pass", "buy 7C"]
        table.say("pass")
    assert asked == [3, 0, 1]
    assert contract.luck(table.rules, table.s) == 2
    assert table.come("8S").hand(2) == "3H 8S"


def test_v7_the_first_who_wants_it_takes_it_and_a_card_of_the_pile():
    table = Table("3C", "3D", "3H", top="7C", below="KD", buried="KH").say("draw", "pass", "buy 7C")
    assert table.mover == CHANCE
    assert contract.luck(table.rules, table.s) == 2
    table.come("8S")
    assert table.hand(2) == "3H 7C 8S"
    assert contract.luck(table.rules, table.s) == 0  # nobody is asked again: one buy a turn
    table.come("9S")
    assert (table.hand(0), table.mover, table.asked) == ("3C 9S", 0, "discard")
    assert table.s.top == KINDS.index("KD")


def test_v7_who_takes_the_discard_leaves_nothing_to_buy():
    assert Table("3C", "3D", "3H", top="7C").say("take 7C").asked == "discard"


def test_v7_players_who_are_down_and_who_discarded_may_buy():
    table = Table("3C 4C", "3D 4D", melds={1: TWO_SETS}, top="8S").say("draw")
    assert (table.mover, table.texts()) == (1, ["pass", "buy 8S"])  # who is down
    table.say("pass").come("KH").say("discard 4C", "draw")
    assert (table.mover, table.texts()) == (0, ["pass", "buy 4C"])  # who discarded it
    assert table.say("buy 4C").come("KS").hand(0) == "3C 4C KH KS"


@pytest.mark.parametrize(("pile", "asked"), [(1, ""), (2, "buy"), (3, "buy")])
def test_v7_a_buy_needs_two_cards_in_the_draw_pile(pile, asked):
    table = Table("3C", "3D", "3H", top="7C", pile=pile).say("draw")
    assert table.asked == asked
    if asked:
        table.say("buy 7C")
    roll_on(table, stream(1))
    assert (table.mover, table.asked) == (0, "discard")


def test_v8_going_down_leaves_a_card():
    assert Table(f"{SETS}", "3D", phase="lay").asked == "discard"
    assert Table(f"{SETS} 3C", "3D", phase="lay").asked == "lay"


def test_v8_nothing_is_added_in_the_turn_of_going_down():
    table = Table(f"{SETS} 7S 3C", "8H QH", phase="lay", melds={1: ["3D 3H 3S", "4C 4D 4S"]})
    table.say("lay 7C 7D 7H", "lay 9C 9D 9S")
    assert table.texts() == ["discard 3C", "discard 7S"]
    table.say("discard 7S", "draw", "pass").come("KH").say("discard KH", "draw", "pass").come("7H")
    assert adds(table) == ["add 7H to 7s of one", "add 3C to 3s of two"]  # in an earlier turn now


def test_v8_going_down_is_a_choice_and_begins_with_any_meld():
    table = Table(f"{SETS} 3C", "3D", phase="lay")
    assert table.texts() == ["stay up", "lay 7C 7D 7H"]  # the order makes no difference: lower ranks first
    assert table.say("lay 7C 7D 7H").texts() == ["lay 9C 9D 9S"]  # and no way back
    assert Table(f"{SETS} 3C", "3D", phase="lay").say("stay up").asked == "discard"


# ---- additions and replacements


def test_v9_a_set_takes_its_rank_and_wilds():
    table = Table(
        "7C 8C * QD", "3D", melds={0: ["5C 5D 5H", "9C 9D 9S"], 1: ["7C 7D 7H", "KC KD *"]}, phase="add"
    )
    wanted = ["add * to 5s of one", "add * to 9s of one", "add 7C to 7s of two", "add * to 7s of two"]
    assert adds(table) == [*wanted, "add * to Ks of two"]
    table.say("add 7C to 7s of two", "add * to Ks of two")
    assert table.melds(1) == [("7", 4, 0), ("K", 4, 2)]
    assert table.texts() == ["discard 8C", "discard QD"]


def test_v9_a_run_grows_at_either_end_within_3_and_ace():
    melds = {0: ["3H 4H 5H 6H", "JS QS KS AS"], 1: ["6D *7D 8D 9D", "3C 4C 5C 6C"]}
    table = Table("7H TS 5D TD AH 3S *", "3D", number=3, phase="add", melds=melds)
    one = [
        "add 7H to 3H-6H of one",
        "add *7H to 3H-6H of one",
        "add TS to JS-AS of one",
        "add *TS to JS-AS of one",
    ]
    two = ["5D", "*5D", "TD", "*TD"]
    assert adds(table) == [*one, *(f"add {card} to 6D-9D of two" for card in two), "add *7C to 3C-6C of two"]
    table.say("add *7H to 3H-6H of one")
    assert table.melds(0)[0] == ("3H", "4H", "5H", "6H", "*7H")
    table = Table("8H *", "3D", number=3, phase="add", melds={0: ["4H 5H 6H *7H", "JS QS KS AS"]})
    assert "add 8H to 4H-7H of one" in adds(table)


def test_v9_any_number_of_cards_but_no_new_melds():
    table = Table(f"{SETS} JC JD JH 7S", "3D", phase="add", melds={0: ["5C 5D 5H", "7C 7D 7H"]})
    for text in ("7C", "7D", "7H", "7S"):
        table.say(f"add {text} to 7s of one")
    assert table.melds(0) == [("5", 3, 0), ("7", 7, 0)]
    assert all(text.startswith("discard") for text in table.texts())


def test_v9_who_is_not_down_adds_nothing():
    assert Table("7C 8C * QD", "3D", melds={1: TWO_SETS}, phase="lay").asked == "discard"


def test_v10_a_natural_replaces_the_wild_that_stands_for_it():
    melds = {1: ["5H *6H 7H 8H", "JS QS KS AS"]}
    table = Table("6H 6D QC", "3D", number=3, phase="add", melds={0: ["4C 5C 6C 7C", "4D 5D 6D 7D"]} | melds)
    moves = [
        "replace *6H in 5H-8H of two and move it to *4H",
        "replace *6H in 5H-8H of two and move it to *9H",
    ]
    assert adds(table) == moves
    low, high = (
        Table("6H 6D QC", "3D", number=3, phase="add", melds={0: ["4C 5C 6C 7C", "4D 5D 6D 7D"]} | melds)
        for _ in moves
    )
    assert low.say(moves[0]).melds(1)[0] == ("*4H", "5H", "6H", "7H", "8H")
    assert high.say(moves[1]).melds(1)[0] == ("5H", "6H", "7H", "8H", "*9H")
    assert low.hand(0) == high.hand(0) == "6D QC"  # the wild never comes to a hand


def test_v10_the_wild_needs_room_at_an_end():
    whole = "3H 4H 5H *6H 7H 8H 9H TH JH QH KH AH"
    own = ["4C 5C 6C 7C", "4D 5D 6D 7D"]
    table = Table("6H 3S QS", "3D", number=3, phase="add", melds={0: own, 1: [whole, "JS QS KS AS"]})
    assert table.asked == "discard"
    table = Table(
        "3H AC QS", "3D", number=3, phase="add", melds={0: own, 1: ["*3H 4H 5H 6H", "JC QC KC *AC"]}
    )
    assert adds(table) == [
        "replace *3H in 3H-6H of two and move it to *7H",
        "replace *AC in JC-AC of two and move it to *TC",
    ]


def test_v10_sets_have_no_replacement_and_who_just_went_down_does_not_replace():
    table = Table("7S 3C", "3D", phase="add", melds={0: ["7C 7D *", "9C 9D 9S"]})
    assert adds(table) == ["add 7S to 7s of one"]
    table = Table(
        "9C 9D 9S 4C 5C 6C 7C 6H 3S", "3D", number=2, phase="lay", melds={1: ["5H *6H 7H 8H", "KC KD KH"]}
    )
    table.say("lay 4C 5C 6C 7C", "lay 9C 9D 9S")
    assert table.asked == "discard"


def test_v10_a_wild_that_was_moved_can_be_replaced_again():
    melds = {0: ["5H *6H 7H 8H", "JS QS KS AS"]}
    table = Table("6H 9H 3C", "3D", number=3, phase="add", melds=melds)
    table.say("replace *6H in 5H-8H of one and move it to *9H")
    assert "replace *9H in 5H-9H of one and move it to *TH" in adds(table)
    table.say("replace *9H in 5H-9H of one and move it to *TH")
    assert table.melds(0)[0] == ("5H", "6H", "7H", "8H", "9H", "*TH")


def test_v11_the_last_card_is_discarded():
    table = Table("7S", "3D 4D", phase="add", melds={0: TWO_SETS})
    assert table.texts() == ["discard 7S"]
    table = Table("7S 9H", "3D 4D", phase="add", melds={0: TWO_SETS}).say("add 7S to 7s of one")
    assert table.texts() == ["discard 9H"]
    table = Table("6H 3C", "3D", number=2, phase="add", melds={0: ["5H *6H 7H 8H", "KC KD KH"]})
    table.say("replace *6H in 5H-8H of one and move it to *4H")
    assert table.texts() == ["discard 3C"]


def test_v11_every_turn_ends_with_a_discard():
    table = Table("3C", "3D 4D", top="8S").say("take 8S")
    assert table.texts() == ["discard 3C", "discard 8S"]


RUNS = "3C 4C 5C 6C 8D 9D TD JD QH KH AH *"


def test_v12_round_7_goes_out_with_three_runs_of_all_cards():
    table = Table(RUNS, "3D AS *", number=7, phase="lay", first_round=7, goal="round")
    assert table.texts() == ["stay up", "lay all"]
    assert table.say("lay all").mover == OVER
    assert [contract.points(table.rules, table.s, seat) for seat in range(2)] == [0, 40]


@pytest.mark.parametrize(
    ("hand", "asked"),
    [
        (f"{RUNS} 7C", "lay"),  # longer runs
        (f"{RUNS} 3S", "discard"),  # a card over
        (f"{RUNS} *", "lay"),
        (" ".join(RUNS.split()[1:]), "discard"),  # eleven cards
        ("3C 4C 5C 6C 3C 4C 5C 6C 8H 9H TH JH", "lay"),  # two runs of the same cards
        ("3C * * * 4D * * * 5H * * *", "lay"),
        ("3C * * * * * * * 5H * * *", "discard"),  # a run without a natural
        ("3C 4C 5C 6C 8D 9D TD QH KH AH * *", "lay"),
        ("3C 4C 5C 7C 8D 9D TD JD QH KH AH 9S", "discard"),
    ],
)
def test_v12_three_runs_of_four_or_more(hand, asked):
    assert Table(hand, "3D", number=7, phase="lay").asked == asked


def test_v12_until_then_every_turn_ends_with_a_discard():
    table = Table(RUNS, "3D", number=7, phase="lay").say("stay up")
    assert table.asked == "discard"
    assert table.say("discard *").mover == 1
