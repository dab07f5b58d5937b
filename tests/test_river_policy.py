"""The quick policy of Up and Down the River and its estimate, where the right answer is plain."""

import numpy as np
import pytest
from river_states import Table

from engines import contract
from engines.contract import CHANCE, OVER
from engines.random import below, stream, uniform
from engines.river import GAME

TWO_SETS = {1: ["7C 7D 7H", "9C 9D 9S"]}


def advice(table: Table) -> str:
    """What the policy says, from the mover's view."""
    view = table.view(table.mover)
    moves = np.array(GAME.legal(table.rules, view), np.int64)
    move = contract.suggest(table.rules, view[0], moves, len(moves), stream(1))
    return GAME.notation.move_text(table.rules, view[0], move)


def estimates(table: Table) -> list[float]:
    return [contract.evaluate(table.rules, table.s, seat) for seat in range(table.rules.players)]


@pytest.mark.parametrize(("top", "wanted"), [("7H", "take"), ("*", "take"), ("3S", "draw")])
def test_it_takes_what_is_missing(top, wanted):
    assert advice(Table("7C 7D 9C 9D 4H 5S JS QD KH AC 3D", "8S", top=top)).split()[0] == wanted


@pytest.mark.parametrize(("top", "wanted"), [("7H", "buy"), ("*", "buy"), ("3S", "pass")])
def test_it_buys_what_is_missing(top, wanted):
    table = Table("4C 5C 6D 8H", "7C 7D 9C 9D 4H 5S JS QD KH AC 3D", top=top).say("draw")
    assert table.mover == 1
    assert advice(table).split()[0] == wanted


def test_nobody_buys_in_round_7_or_when_down():
    table = Table("4C 5C 6D 8H", "7C 8C 9C 4D 5D 6D JS QS KS", top="TC", number=7).say("draw")
    assert advice(table) == "pass"
    table = Table("4C 5C 6D 8H", "4H KS", melds=TWO_SETS, top="7S").say("draw")
    assert advice(table) == "pass"


def test_it_goes_down_at_once_and_keeps_the_cheaper_rest():
    table = Table("7C 7D 7H 9C 9D 9S KH KD KS 3C 4D 5H", "8S", phase="lay")
    while table.asked == "lay":
        table.say(advice(table))
    assert table.hand(0) in ("3C 4D 5H 7C 7D 7H", "3C 4D 5H 9C 9D 9S")  # no kings
    table = Table("3C 4C 5C 6C 7D 8D 9D TD JS QS KS AS", "8S", phase="lay", number=7)
    assert advice(table) == table.texts()[-1]


def test_it_adds_all_it_can_and_uses_a_wild_as_a_bridge():
    melds = {0: ["4H 5H 6H 7H", "JC JD JS"], 1: ["3C 4C 5C 6C", "QC QD QH"]}
    table = Table("* 9H TH KS 3D", "8C", melds=melds, number=2, player=0).say("draw", "pass").come("4S")
    while table.asked == "add":
        table.say(advice(table))
    assert table.hand(0) == "3D 4S KS"
    assert advice(table) == "discard KS"


def test_it_keeps_wilds_and_what_it_needs():
    table = Table("7C 7D 9C 9D * 4H 5S JS QD KH AC 3D", "8S", phase="discard")
    seen = []
    for _ in range(7):
        seen.append(advice(table))
        card = seen[-1].removeprefix("discard ")
        left = table.hand(0).split()
        left.remove(card)
        table = Table(" ".join([*left, "*"]), "8S", phase="discard")
    assert not {f"discard {card}" for card in ("*", "7C", "7D", "9C", "9D")} & set(seen)


def test_the_estimate_is_a_share_and_knows_who_is_ahead():
    table = Table("KH", "7H 7S 4C 5C 6D 8H JS QS KD AD AH", melds={0: ["8C 8D 8S", "9C 9D 9S"]})
    shares = estimates(table)
    assert sum(shares) == pytest.approx(1)
    assert shares[0] > 0.5
    table.s.totals[:2] = 300, 0
    assert estimates(table)[0] < 0.2
    assert sum(estimates(table)) == pytest.approx(1)


def test_the_estimate_of_a_round_is_in_points():
    table = Table("KH", "7H 7S 4C 5C 6D 8H JS QS KD AD AH", melds={0: ["8C 8D 8S", "9C 9D 9S"]}, goal="round")
    shares = estimates(table)
    points = [960 * (1 - share) for share in shares]
    assert 0 <= points[0] < 10 < points[1] < 120
    assert contract.points(table.rules, table.s, 1) == 90


@pytest.mark.parametrize(("players", "number"), [(2, 1), (2, 3), (2, 6), (3, 2), (4, 5)])
def test_it_pays_less_than_random_players(players, number):
    rules = GAME.rules(players=players, first_round=number, goal="round", max_turns=60)
    state, rng = GAME.new(rules), stream(3, number)
    while (seat := contract.mover(rules, state[0])) != OVER:
        if seat == CHANCE:
            code = contract.roll(rules, state[0], uniform(rng))
        else:
            moves = np.array(GAME.legal(rules, state), np.int64)
            pick = below(rng, len(moves))
            code = moves[pick] if seat else contract.suggest(rules, state[0], moves, len(moves), rng)
        contract.play(rules, state[0], code)
    returns = [contract.returns(rules, state[0], seat) for seat in range(players)]
    assert returns[0] == max(returns)
    assert returns == [contract.evaluate(rules, state[0], seat) for seat in range(players)]
