"""How rounds and games of Up and Down the River end, and what each seat knows on the way (V13-V15)."""

import pytest
from river_states import KINDS, Table, cards, roll_on

from engines import contract
from engines.contract import HIDDEN, NONE, OVER
from engines.random import stream, uniform
from engines.river import GAME
from engines.river import rules as r

TWO_SETS = ["7C 7D 7H", "9C 9D 9S"]
THREE_SETS = ["3C 3D 3S", *TWO_SETS]
SETS = " ".join(TWO_SETS)


# ---- scores and ends


def test_v13_the_round_ends_when_a_hand_is_empty():
    table = Table("3C", "9S TD JD QH KH AH *", "3D 3S", phase="discard", melds={0: TWO_SETS})
    table.say("discard 3C")
    assert table.s.totals[:3].tolist() == [0, 5 + 40 + 15 + 20, 10]
    assert table.s.stage == 1
    assert table.s.turn == 0  # the next deal


@pytest.mark.parametrize(
    ("cards_left", "points"),
    [("3C 4C 5C 6C 7C 8C 9C", 35), ("TC JC QC KC", 40), ("AC AC", 30), ("* *", 40), ("3D AS * KH", 50)],
)
def test_v13_what_cards_cost(cards_left, points):
    table = Table("3H", cards_left, phase="discard", melds={0: ["5C 5D 5H", "9H 9D 9S"]}).say("discard 3H")
    assert table.s.totals[1] == points


def test_v13_the_lowest_total_wins_and_equal_ones_share():
    rules = GAME.rules()
    state = GAME.new(rules)
    state[0].phase = r.ENDED
    for totals, shares in [
        ((40, 25, 30), [0, 1, 0]),
        ((0, 200, 300), [1, 0, 0]),
        ((40, 25, 25), [0, 0.5, 0.5]),
        ((25, 25, 25), [1 / 3, 1 / 3, 1 / 3]),
    ]:
        state[0].totals[:3] = totals
        assert [contract.returns(rules, state[0], seat) for seat in range(3)] == pytest.approx(shares)


def test_v13_a_round_played_for_points():
    """With the goal of a round the game ends with it, and fewer points are worth more."""
    table = Table("3C", "9S TD AH *", "3D", phase="discard", melds={0: TWO_SETS}, goal="round")
    table.say("discard 3C")
    assert table.mover == OVER
    points = [contract.points(table.rules, table.s, seat) for seat in range(3)]
    assert points == [0, 50, 5]
    worth = [contract.returns(table.rules, table.s, seat) for seat in range(3)]
    assert worth == pytest.approx([1 - number / r.ALL_POINTS for number in points])


def test_v13_totals_add_up_over_the_rounds():
    table = Table("3H", "AD *", phase="discard", melds={0: TWO_SETS})
    table.s.totals[:2] = (0, 0)
    table.say("discard 3H")
    assert table.s.totals[:2].tolist() == [0, 35]
    table = Table("3H", "AD *", phase="discard", player=1, melds={0: THREE_SETS}, number=4)
    table.s.totals[:2] = (100, 35)
    table.say("discard AD").say("take AD", "add 3H to 3s of one", "discard AD")
    assert table.s.totals[:2].tolist() == [100, 55]


def test_v14_an_empty_draw_pile_is_made_of_the_discards_but_the_top():
    table = Table("3C 8C", "3D", top="7C", below="KD", buried="QH QH *", pile=1).say("draw")
    roll_on(table, stream(1))
    assert table.s.pile == 4
    assert cards(table.s.unseen) == ["*", "KD", "QH", "QH"]
    assert table.s.top == KINDS.index("7C")
    assert table.s.second == NONE
    assert not table.s.buried.any()


def test_v14_after_a_buy_the_new_top_stays():
    table = Table("3C 8C", "3D", "4D", top="7C", below="KD", buried="QH *", pile=2).say("draw", "buy 7C")
    roll_on(table, stream(1))
    assert cards(table.s.unseen) == ["*", "QH"]
    assert table.s.top == KINDS.index("KD")


def test_v14_the_discard_that_covers_another_refills_an_empty_pile():
    table = Table("3C 8C", "3D", top="7C", pile=1).say("draw")
    roll_on(table, stream(1))
    assert table.s.pile == 0
    table.say("discard 8C")
    assert (table.s.pile, cards(table.s.unseen), table.s.top) == (1, ["7C"], KINDS.index("8C"))
    assert table.texts() == ["draw", "take 8C"]


def test_v14_while_it_stays_empty_everybody_takes_the_discard():
    table = Table("3C 8C", "3D", number=7, top="7C", pile=0)
    for seat in (0, 1, 0, 1):
        assert table.mover == seat
        assert table.texts() == [f"take {KINDS[table.s.top]}"]
        table.say(*table.texts())
        assert table.asked == "discard"
        table.say(table.texts()[0])
        assert table.s.pile == 0


def test_v14_nothing_is_shuffled_after_the_round_has_ended():
    table = Table("3C", "3D", top="7C", pile=0, phase="discard", melds={0: TWO_SETS}, goal="round")
    assert table.say("discard 3C").mover == OVER
    assert table.s.pile == 0
    assert table.s.top == KINDS.index("3C")


@pytest.mark.parametrize("limit", [1, 5, 200])
def test_v14_the_turn_limit_ends_the_round(limit):
    rules = GAME.rules(max_turns=limit, goal="round")
    state, rng = GAME.new(rules), stream(5)
    turns = set()
    while (seat := contract.mover(rules, state[0])) != OVER:
        turns.add(int(state[0].turn))
        moves = GAME.legal(rules, state) if seat >= 0 else []
        move = contract.roll(rules, state[0], uniform(rng)) if seat < 0 else moves[0]  # nobody goes down
        contract.play(rules, state[0], move)
    assert turns == set(range(limit + 1))
    assert all(contract.points(rules, state[0], seat) > 0 for seat in range(3))


# ---- what all know


def test_v15_taken_and_bought_cards_are_known_until_they_leave():
    table = Table("3C 4C", "3D 4D", top="7C", below="KD").say("draw", "buy 7C").come("8S", "9S")
    assert (table.known(0), table.known(1)) == ("", "7C")
    table.say("discard 4C", "take 4C")
    assert table.known(1) == "4C 7C"
    table.say("discard 7C")
    assert table.known(1) == "4C"


def test_v15_of_two_equal_cards_the_known_one_leaves():
    table = Table("3C 7C", "3D 4D", top="7C").say("take 7C")
    assert table.known(0) == "7C"
    table.say("discard 7C")
    assert (table.hand(0), table.known(0)) == ("3C 7C", "")
    table = Table("3C 8C * *", "3D 4D", top="*").say("take *", "discard *")
    assert (table.hand(0), table.known(0)) == ("* * 3C 8C", "")


def test_v15_melds_take_the_known_cards_first():
    table = Table(f"{SETS} 7C 3C", "3D", phase="lay", known={0: "7C 9C"})
    table.say("lay 7C 7D 7H", "lay 9C 9D 9S")
    assert (table.hand(0), table.known(0)) == ("3C 7C", "")
    table = Table("7S * 3C", "3D", phase="add", melds={0: TWO_SETS}, known={0: "7S *"})
    assert table.say("add 7S to 7s of one").known(0) == "*"
    assert table.say("add * to 9s of one").known(0) == ""


def test_v15_who_sees_what_comes_up():
    table = Table("3C", "3D", "3H", top="7C").say("draw", "buy 7C")
    code = KINDS.index("8S")
    assert [contract.shown(table.rules, table.s, code, seat) for seat in range(3)] == [HIDDEN, code, HIDDEN]
    table.come("8S")
    assert [contract.shown(table.rules, table.s, code, seat) for seat in range(3)] == [code, HIDDEN, HIDDEN]
    table.come("9S")
    move = r.DISCARD + KINDS.index("9S")
    assert [contract.shown(table.rules, table.s, move, seat) for seat in range(3)] == [move] * 3
    rules = GAME.rules(deal=1, players=2)
    state = GAME.new(rules)
    assert [contract.shown(rules, state[0], 5, seat) for seat in range(2)] == [5, HIDDEN]
    for _ in range(2):
        contract.play(rules, state[0], 5)
    assert [contract.shown(rules, state[0], 6, seat) for seat in range(2)] == [6, 6]  # turned up


def test_v15_a_view_hides_hands_and_the_order_of_the_pile():
    table = Table("3C 4C", "3D 4D *", "5H", top="7C", below="KD", buried="QH", known={1: "4D"})
    view = table.view(0)[0]
    assert (cards(view.hand[0]), cards(view.hand[1]), cards(view.hand[2])) == (["3C", "4C"], [], [])
    assert view.held.tolist()[:3] == [2, 3, 1]
    assert cards(view.known[1]) == ["4D"]
    assert cards(view.unseen) == sorted([*cards(table.s.unseen), "3D", "*", "5H"])
    assert (view.top, view.second, cards(view.buried)) == (table.s.top, table.s.second, ["QH"])


def test_v15_what_the_pile_holds_after_a_reshuffle_is_known():
    table = Table("3C 8C", "3D", top="7C", below="KD", buried="QH QH *", pile=1).say("draw")
    assert len(cards(table.s.shuffled)) == 108
    roll_on(table, stream(1))
    assert cards(table.s.shuffled) == ["*", "KD", "QH", "QH"]
    table.say("discard 3C", "take 3C")
    world = table.view(0)
    contract.fill(table.rules, world[0], stream(2))
    assert cards(world[0].unseen) == ["*", "KD", "QH", "QH"]
