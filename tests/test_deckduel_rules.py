"""Each ruling of Deck Duel, core (K1-K14) and basic (K20-K25), on states set up by hand."""

import numpy as np
import pytest

from engines import contract
from engines import deckduel as core
from engines import deckduel_basic as basic
from engines.contract import CHANCE, HIDDEN, NONE, OVER
from engines.deckduel import rules as k
from engines.deckduel.decks import FULL_SUIT
from engines.deckduel_basic import rules as b
from engines.errors import InputError
from engines.notation import parse_move
from engines.random import stream, uniform

A, SEVEN, EIGHT, TEN, J, Q, K = 0, 6, 7, 9, 10, 11, 12
RULES = core.GAME.rules()
BASIC = basic.GAME.rules()


class Table:
    """A state of either ruleset with the contract's functions at hand."""

    def __init__(self, game, rules, **fields):
        self.game, self.rules, self.state = game, rules, game.new(rules)
        self.s = self.state[0]
        for name, value in fields.items():
            self.s[name] = value

    def play(self, *codes):
        for code in codes:
            options = self.legal() if self.mover >= 0 else list(self.outcomes())
            assert code in options
            contract.play(self.rules, self.s, code)
        return self

    def say(self, text):
        return self.play(parse_move(self.game, self.rules, self.state, text))

    def legal(self):
        return self.game.legal(self.rules, self.state)

    def texts(self):
        return [self.game.notation.move_text(self.rules, self.s, move) for move in self.legal()]

    def outcomes(self):
        return self.game.outcomes(self.rules, self.state)

    def view(self, seat):
        return self.game.view(self.rules, self.state, seat)[0]

    @property
    def mover(self):
        return contract.mover(self.rules, self.s)

    def of(self, name):
        return self.s[name].tolist()


def duel(rules=RULES, **fields):
    """A core game just before the cards are revealed, seat 0 with initiative."""
    return Table(core.GAME, rules, **{"phase": k.REVEALING, "initiative": 0} | fields)


def brawl(rules=BASIC, **fields):
    """A basic game just before the cards are revealed."""
    return Table(basic.GAME, rules, **{"phase": b.REVEALING} | fields)


def test_k1_suits_and_values():
    """K1: suits and values."""
    table = duel()
    assert table.of("deck") == [FULL_SUIT, FULL_SUIT]
    assert table.outcomes() == dict.fromkeys(range(13), 1)
    for higher in range(1, 13):
        assert duel().play(higher, higher - 1).s.initiative == 0
        assert duel().play(higher - 1, higher).s.initiative == 1


def test_k1_ace_is_lowest_without_focus_and_highest_with_it():
    """K1: ace is lowest without focus and highest with it."""
    assert duel().play(A, 1).s.initiative == 1
    assert duel(focus=[1, 0], deck=[FULL_SUIT & ~(1 << K), FULL_SUIT]).play(A, K).s.initiative == 0
    tie = duel(focus=[1, 1], deck=FULL_SUIT & ~(1 << K)).play(A, A)
    assert tie.of("attack") == [1, 1]


def test_k2_start_and_toss():
    """K2: start and toss."""
    table = Table(core.GAME, RULES)
    assert table.of("health") == [10, 10]
    assert table.of("energy") == [3, 3]
    assert table.of("attack") == table.of("defense") == table.of("focus") == [0, 0]
    assert table.mover == CHANCE
    assert table.outcomes() == {0: 1, 1: 1}
    assert contract.luck(RULES, table.s) == 2
    assert Table(core.GAME, RULES).play(1).mover == 1
    assert Table(core.GAME, RULES).play(0).mover == 0


def test_k2_parameters():
    """K2: parameters."""
    rules = core.GAME.rules(start_health=7, max_health=9, start_energy=5)
    table = Table(core.GAME, rules)
    assert table.of("health") == [7, 7]
    assert table.of("energy") == [5, 5]
    with pytest.raises(InputError, match="start_health = 13: expected at most max_health = 12"):
        core.GAME.rules(start_health=13)
    with pytest.raises(InputError, match="start_actions"):
        basic.GAME.rules(start_actions=7)


def test_k3_prep_in_order_of_initiative():
    """K3: prep in order of initiative."""
    table = Table(core.GAME, RULES).play(1)
    assert table.texts() == ["pass", "attack", "defense"]
    table.say("attack")
    assert (table.of("attack"), table.of("energy"), table.mover) == ([0, 1], [3, 2], 0)
    assert table.view(0).attack[1] == 1  # the second sees the first's choice
    table.say("defense")
    assert (table.of("defense"), table.of("energy"), table.mover) == ([1, 0], [2, 2], CHANCE)
    assert contract.luck(RULES, table.s) == 0


def test_k3_pass_costs_nothing_and_limits_hold():
    """K3: pass costs nothing and limits hold."""
    table = duel(phase=k.FIRST_PREP, attack=[3, 0], defense=[0, 3])
    assert table.texts() == ["pass", "defense"]
    assert table.say("pass").texts() == ["pass", "attack"]
    assert table.say("pass").of("energy") == [3, 3]
    # Nobody is asked who can buy nothing: no energy, or all points.
    assert duel(energy=[0, 3], attack=[0, 3], defense=[0, 3]).play(SEVEN, SEVEN).mover == CHANCE


def test_k4_both_reveal_and_the_higher_wins():
    """K4: both reveal and the higher wins."""
    table = duel()
    assert contract.luck(RULES, table.s) == 0
    table.play(TEN)
    assert (table.mover, contract.luck(RULES, table.s)) == (CHANCE, 1)
    table.play(SEVEN)
    assert (table.mover, table.s.initiative, table.of("card")) == (0, 0, [TEN, SEVEN])
    assert table.of("deck") == [FULL_SUIT & ~(1 << TEN), FULL_SUIT & ~(1 << SEVEN)]


@pytest.mark.parametrize("seat", [0, 1])
def test_k5_plain_ace_loses_points_before_damage(seat):
    """K5: plain ace loses points before damage."""
    cards = [A, SEVEN] if seat == 0 else [SEVEN, A]
    table = duel(attack=[2, 2], defense=[3, 3]).play(*cards)
    assert table.s.attack[seat] == table.s.defense[seat] == 0
    assert table.s.attack[1 - seat] == 2
    table.say("strike 2")  # no defense is left to ask for
    assert table.s.health[seat] == 7


def test_k5_ace_with_focus_keeps_points():
    """K5: ace with focus keeps points."""
    table = duel(attack=[2, 0], defense=[3, 0], focus=[1, 0], deck=[1, FULL_SUIT]).play(A, SEVEN)
    assert (table.of("attack"), table.of("defense")) == ([2, 0], [3, 0])


def test_k6_tie():
    """K6: tie."""
    table = duel(attack=[1, 3], initiative=1).play(SEVEN, SEVEN)
    assert table.of("attack") == [2, 3]
    assert (table.s.initiative, table.s.turns, table.mover) == (1, 1, 1)
    assert table.of("health") == [10, 10]


def test_k7_winner_takes_initiative_and_one_action():
    """K7: winner takes initiative and one action."""
    table = duel(attack=[0, 2], energy=[0, 2]).play(SEVEN, EIGHT)
    assert (table.mover, table.s.initiative) == (1, 1)
    assert table.texts() == ["energy", "strike 0", "strike 1", "strike 2"]
    assert duel(energy=[3, 3]).play(EIGHT, SEVEN).texts() == ["strike 0"]
    gained = duel(energy=[2, 2]).play(EIGHT, SEVEN).say("energy")
    assert (gained.of("energy"), gained.of("health"), gained.s.turns) == ([3, 2], [10, 10], 1)
    table.say("strike 1")
    assert (table.of("attack"), table.of("health"), table.s.turns) == ([0, 1], [8, 10], 1)


def test_k7_ace_with_focus_deals_more():
    """K7: ace with focus deals more."""
    table = duel(attack=[3, 0], focus=[1, 0], deck=[1, FULL_SUIT]).play(A, SEVEN)
    assert table.say("strike 3").of("health") == [10, 5]
    rules = core.GAME.rules(ace_damage=4)
    table = duel(rules, focus=[1, 0], deck=[1, FULL_SUIT]).play(A, SEVEN)
    assert table.say("strike 0").of("health") == [10, 6]


def test_k8_defense():
    """K8: defense."""

    def struck():
        return duel(attack=[1, 2], defense=[0, 3]).play(EIGHT, SEVEN).say("strike 1")

    table = struck()
    assert (table.mover, table.s.damage) == (1, 2)
    assert table.texts() == ["defend 0", "defend 1", "defend 2"]  # no more than the damage
    part = struck().say("defend 1")
    assert (part.of("health"), part.of("defense"), part.of("attack")) == ([10, 9], [0, 2], [0, 0])
    full = struck().say("defend 2")
    assert (full.of("health"), full.of("defense"), full.of("attack")) == ([10, 10], [0, 1], [0, 2])
    assert full.s.damage == 0
    few = duel(attack=[3, 0], defense=[0, 1]).play(EIGHT, SEVEN).say("strike 3")
    assert few.texts() == ["defend 0", "defend 1"]


def test_k9_king_gives_focus():
    """K9: king gives focus."""
    table = duel().play(K, SEVEN)
    assert table.texts() == ["focus", "strike 0"]
    table.say("focus")
    assert (table.of("focus"), table.of("health"), table.s.turns) == ([1, 0], [10, 10], 1)
    assert not (table.s.deck[0] >> K) & 1
    assert "focus" not in duel(focus=[1, 0]).play(K, SEVEN).texts()
    assert "focus" not in duel().play(Q, SEVEN).texts()


def test_k10_queen_gives_health_that_fits():
    """K10: queen gives health that fits."""

    def options(health, energy):
        return duel(health=[health, 10], energy=[energy, 3]).play(Q, SEVEN).texts()

    assert options(10, 3) == ["heal 1", "heal 2", "strike 0"]
    assert options(10, 0) == ["energy", "heal 1", "strike 0"]
    assert options(11, 3) == ["heal 1", "strike 0"]
    assert options(12, 3) == ["strike 0"]
    one = duel().play(Q, SEVEN).say("heal 1")
    assert (one.of("health"), one.of("energy")) == ([11, 10], [3, 3])
    two = duel().play(Q, SEVEN).say("heal 2")
    assert (two.of("health"), two.of("energy")) == ([12, 10], [2, 3])


def test_k11_jack_looks_then_keeps_or_discards():
    """K11: jack looks then keeps or discards."""
    table = duel(energy=[1, 0]).play(J, SEVEN)
    assert table.texts() == ["energy", "look", "strike 0"]
    table.say("look")
    assert (table.mover, contract.luck(RULES, table.s)) == (CHANCE, 0)
    assert J not in table.outcomes()
    assert contract.shown(RULES, table.s, TEN, 0) == TEN
    assert contract.shown(RULES, table.s, TEN, 1) == HIDDEN
    table.play(TEN)
    assert table.texts() == ["keep", "look on", "discard T"]
    kept = Table(core.GAME, RULES)
    kept.state[0] = table.state[0]
    kept.say("keep")
    assert (kept.of("top"), kept.s.turns) == ([TEN, NONE], 1)
    table.say("discard T")
    assert (table.of("top"), table.s.turns) == ([NONE, NONE], 1)
    assert not (table.s.deck[0] >> TEN) & 1
    assert not (table.view(1).deck[0] >> TEN) & 1  # a discarded card is public


def test_k11_paying_for_the_second_card():
    """K11: paying for the second card."""
    table = duel(energy=[2, 3]).play(J, SEVEN).say("look").play(TEN).say("look on")
    assert table.of("energy") == [1, 3]
    assert TEN not in table.outcomes()
    assert contract.shown(RULES, table.s, K, 1) == HIDDEN
    table.play(K)
    assert table.texts() == ["keep", "discard T"]
    table.say("discard T")
    assert (table.of("top"), table.of("second")) == ([K, NONE], [NONE, NONE])
    assert duel(energy=[0, 3]).play(J, SEVEN).say("look").play(TEN).texts() == ["keep", "discard T"]


def test_k11_needs_cards():
    """K11: needs cards."""
    assert duel(deck=[1 << J, FULL_SUIT]).play(J, SEVEN).texts() == ["strike 0"]
    last = duel(deck=[1 << J | 1, FULL_SUIT]).play(J, SEVEN).say("look").play(A)
    assert last.texts() == ["keep", "discard A"]


def test_k11_discarded_ace_is_not_revealed():
    """K11: discarded ace is not revealed."""
    table = duel(attack=[2, 0], defense=[1, 0], energy=[1, 3]).play(J, SEVEN).say("look").play(A)
    table.say("discard A")
    assert (table.of("attack"), table.of("defense"), table.of("energy")) == ([2, 0], [1, 0], [1, 3])
    assert table.s.deck[0] == FULL_SUIT & ~(1 << J | 1)
    empty = duel(deck=[1 << J | 1, FULL_SUIT], energy=[1, 3]).play(J, SEVEN).say("look").play(A)
    assert empty.say("discard A").of("deck")[0] == FULL_SUIT  # no card left: a new round all the same


def test_k12_new_round_after_an_ace():
    """K12: new round after an ace."""
    fields = {"energy": [1, 1], "attack": [2, 2], "deck": [1 | 1 << K, 1 << SEVEN | 1 << TEN]}
    table = duel(**fields).play(A, SEVEN).say("strike 0")
    assert table.of("deck") == [FULL_SUIT, 1 << TEN]
    assert table.of("energy") == [3, 1]
    assert table.of("attack") == [0, 2]


def test_k12_points_carry_over_and_focus_ends():
    """K12: points carry over and focus ends."""
    table = duel(focus=[1, 0], attack=[2, 0], defense=[1, 0], energy=0, deck=[3, FULL_SUIT]).play(A, SEVEN)
    table.say("strike 1")
    assert (table.of("focus"), table.of("deck")[0]) == ([0, 0], FULL_SUIT)
    assert (table.of("attack"), table.of("defense"), table.of("energy")) == ([1, 0], [1, 0], [3, 0])


def test_k12_new_round_when_the_deck_is_empty():
    """K12: new round when the deck is empty."""
    table = duel(attack=[2, 0], defense=[1, 0], focus=[1, 0], energy=0, deck=[1 << TEN, FULL_SUIT])
    table.play(TEN, SEVEN).say("strike 0")
    assert (table.of("deck")[0], table.of("energy"), table.of("focus")) == (FULL_SUIT, [3, 0], [0, 0])
    assert (table.of("attack"), table.of("defense")) == ([2, 0], [1, 0])


def test_k12_tie_of_two_plain_aces_leaves_no_points():
    """K12: tie of two plain aces leaves no points."""
    table = duel(attack=[2, 1], defense=[1, 1]).play(A, A)
    assert table.of("attack") == table.of("defense") == [0, 0]
    assert table.of("deck") == [FULL_SUIT, FULL_SUIT]
    both = duel(focus=[1, 1], attack=[2, 1], deck=1).play(A, A)
    assert both.of("attack") == [3, 2]


def test_k12_knowledge_ends_with_the_round():
    """K12: knowledge ends with the round."""
    table = (
        duel(top=[NONE, TEN], second=[NONE, A], deck=[FULL_SUIT, 1 << TEN | 1]).play(K, TEN).say("strike 0")
    )
    assert (table.of("top"), table.of("second")) == ([NONE, A], [NONE, NONE])
    table.say("pass").say("pass").play(SEVEN, A).say("strike 0")
    assert table.of("top") == [NONE, NONE]


def test_k13_death_and_draw():
    """K13: death and draw."""
    table = duel(health=[10, 1]).play(EIGHT, SEVEN).say("strike 0")
    assert (table.mover, table.s.winner) == (OVER, 0)
    assert [contract.returns(RULES, table.s, seat) for seat in range(2)] == [1, 0]
    alive = duel(health=[10, 2]).play(EIGHT, SEVEN).say("strike 0")
    assert alive.mover >= 0
    last = duel(turns=RULES.max_turns - 1).play(SEVEN, SEVEN)
    assert last.mover == OVER
    assert [contract.returns(RULES, last.s, seat) for seat in range(2)] == [0.5, 0.5]
    assert duel(turns=RULES.max_turns - 2).play(SEVEN, SEVEN).mover == 0
    late = duel(turns=RULES.max_turns - 1, health=[10, 1]).play(EIGHT, SEVEN).say("strike 0")
    assert late.s.winner == 0


def test_k14_what_a_jack_showed_is_private_until_revealed():
    """K14: what a jack showed is private until revealed."""
    table = duel().play(J, SEVEN).say("look").play(TEN).say("look on").play(K).say("keep")
    assert (table.view(0).top[0], table.view(0).second[0]) == (TEN, K)
    assert (table.view(1).top[0], table.view(1).second[0]) == (HIDDEN, HIDDEN)
    assert (table.view(1).deck == table.s.deck).all()
    found = set()
    for seed in range(2000):
        filled = table.game.view(RULES, table.state, 1)
        contract.fill(RULES, filled[0], stream(seed))
        found.add((int(filled[0].top[0]), int(filled[0].second[0])))
    deck = [rank for rank in range(13) if rank != J]
    assert found == {(top, second) for top in deck for second in deck if top != second}
    table.say("pass").say("pass")
    assert table.outcomes() == {TEN: 1}
    table.play(TEN, 1).say("strike 0").say("pass").say("pass")
    assert table.outcomes() == {K: 1}


def test_k20_basic_start():
    """K20: basic start."""
    table = Table(basic.GAME, BASIC)
    assert (table.of("health"), table.of("actions"), table.of("rage")) == ([10, 10], [2, 2], [0, 0])
    assert table.mover == 0  # no toss
    rules = basic.GAME.rules(start_actions=3)
    assert Table(basic.GAME, rules).of("actions") == [3, 3]
    assert (BASIC.max_health, BASIC.max_actions, BASIC.max_rage) == (12, 6, 3)


def test_k20_preparations_are_hidden_until_both_are_made():
    """K20: preparations are hidden until both are made."""
    views = []
    for text in ("pass", "rage"):
        table = Table(basic.GAME, BASIC)
        move = parse_move(table.game, BASIC, table.state, text)
        assert contract.shown(BASIC, table.s, move, 1) == HIDDEN
        assert contract.shown(BASIC, table.s, move, 0) == move
        table.play(move)
        assert table.mover == 1
        views.append(table.view(1).tobytes())
        found = set()
        for seed in range(50):
            filled = table.game.view(BASIC, table.state, 1)
            contract.fill(BASIC, filled[0], stream(seed))
            found.add(int(filled[0].choice[0]))
        assert found == {b.PASS, b.ADD_RAGE}
        table.say("rage")
        assert table.view(0).choice[1] == HIDDEN
        code = move + 2 * b.ADD_RAGE
        assert table.outcomes() == {code: 1}
        assert contract.luck(BASIC, table.s) == 2
        assert contract.shown(BASIC, table.s, code, 1) == code
        table.play(code)
        assert table.of("rage") == [move, 1]
        assert table.of("actions") == [2 - move, 1]
    assert views[0] == views[1]


def test_k21_prep_needs_an_action_and_room():
    """K21: prep needs an action and room."""
    ready = {"attacker": 0, "phase": b.DEFENDING, "card": [EIGHT, SEVEN]}
    table = brawl(**ready, actions=[0, 1]).say("bear")
    assert (table.mover, table.texts()) == (1, ["pass", "rage"])
    filled = table.game.view(BASIC, table.state, 1)
    contract.fill(BASIC, filled[0], stream(1))
    assert filled[0].choice[0] == b.PASS  # seat 0 could not buy any
    assert brawl(**ready, actions=[0, 1]).say("defend").mover == CHANCE
    assert brawl(rage=[2, 2]).play(SEVEN, SEVEN).mover == CHANCE  # both have all the rage there is


def test_k22_damage_and_defense():
    """K22: damage and defense."""
    table = brawl(rage=[2, 1]).play(EIGHT, SEVEN)
    assert (table.mover, table.texts()) == (1, ["bear", "defend"])
    assert table.say("bear").of("health") == [10, 7]
    less = brawl(rage=[2, 1]).play(EIGHT, SEVEN).say("defend")
    assert (less.of("health"), less.of("actions")) == ([10, 8], [2, 1])
    assert brawl(actions=[2, 0]).play(EIGHT, SEVEN).of("health") == [10, 9]
    ace = brawl(focus=[1, 0], rage=[1, 0], deck=[1, FULL_SUIT]).play(A, SEVEN).say("bear")
    assert ace.of("health") == [10, 7]


def test_k22_death_comes_before_the_reward():
    """K22: death comes before the reward."""
    table = brawl(health=[5, 1], actions=[2, 0]).play(Q, SEVEN)
    assert (table.mover, table.s.winner, table.of("health")) == (OVER, 0, [5, 0])


def test_k23_rewards():
    """K23: rewards."""

    def options(card, **fields):
        return brawl(**{"actions": [2, 0]} | fields).play(card, SEVEN).texts()

    assert options(K) == ["action", "focus"]
    assert options(Q) == ["action", "heal"]
    assert options(J) == ["action", "look"]
    assert options(K, focus=[1, 0]) == ["action"]
    assert options(Q, health=[12, 10]) == ["action"]
    assert options(J, deck=[1 << J, FULL_SUIT]) == ["action"]
    assert options(K, actions=[6, 0]) == ["focus"]
    table = brawl(actions=[6, 0], health=[12, 10]).play(Q, SEVEN)
    assert table.s.turns == 1  # nothing is possible, so nobody is asked
    assert brawl(actions=[2, 0]).play(TEN, SEVEN).s.turns == 1
    heal = brawl(actions=[2, 0]).play(Q, SEVEN).say("heal")
    assert (heal.of("health"), heal.of("actions")) == ([11, 9], [2, 0])
    assert brawl(actions=[2, 0]).play(K, SEVEN).say("focus").of("focus") == [1, 0]
    assert brawl(actions=[2, 0]).play(K, SEVEN).say("action").of("actions") == [3, 0]


def test_k23_foresight():
    """K23: foresight."""
    table = brawl(actions=[2, 0]).play(J, SEVEN).say("look")
    assert (contract.luck(BASIC, table.s), contract.shown(BASIC, table.s, TEN, 1)) == (0, HIDDEN)
    table.play(TEN)
    assert table.texts() == ["keep", "discard T"]
    assert table.view(1).top[0] == HIDDEN
    kept = brawl(actions=[2, 0]).play(J, SEVEN).say("look").play(TEN).say("keep").say("pass").play(0)
    assert kept.outcomes() == {TEN: 1}
    table.say("discard T")
    assert (table.s.top[0], table.s.deck[0]) == (NONE, FULL_SUIT & ~(1 << J | 1 << TEN))


def test_k24_rage_after_ties_and_fights():
    """K24: rage after ties and fights."""
    assert brawl(rage=[1, 3]).play(SEVEN, SEVEN).of("rage") == [2, 3]
    assert brawl(rage=[1, 3], actions=0).play(EIGHT, SEVEN).of("rage") == [0, 0]
    assert brawl(rage=[1, 3], actions=0).play(SEVEN, EIGHT).of("rage") == [0, 0]


def test_k25_new_round():
    """K25: new round."""
    table = brawl(actions=[5, 4], rage=[1, 0]).play(A, SEVEN).say("bear")
    assert (table.of("actions"), table.of("deck")[0], table.of("health")) == ([2, 4], FULL_SUIT, [9, 10])
    aces = brawl(actions=[0, 1], rage=[1, 0]).play(A, A)
    assert (aces.of("rage"), aces.of("actions")) == ([2, 1], [2, 2])
    empty = brawl(deck=[1 << TEN, FULL_SUIT], actions=[0, 0], focus=[1, 0]).play(TEN, SEVEN)
    assert (empty.of("deck")[0], empty.of("actions"), empty.of("focus")) == (FULL_SUIT, [2, 0], [0, 0])
    draw = brawl(turns=BASIC.max_turns - 1).play(SEVEN, SEVEN)
    assert (draw.mover, contract.returns(BASIC, draw.s, 0)) == (OVER, 0.5)


@pytest.mark.parametrize("game", [core.GAME, basic.GAME])
def test_the_policy_beats_random_play(game):
    rules, wins = game.rules(), 0.0
    moves = np.zeros(contract.most_moves(rules), np.int64)
    for number in range(60):
        state, rng = game.new(rules), stream(7, number)
        while (seat := contract.mover(rules, state[0])) != OVER:
            if seat == CHANCE:
                code = contract.roll(rules, state[0], uniform(rng))
            else:
                n = contract.legal(rules, state[0], moves)
                if seat == number % 2:
                    code = contract.suggest(rules, state[0], moves, n, rng)
                else:
                    code = moves[int(uniform(rng) * n)]
            contract.play(rules, state[0], code)
        wins += contract.returns(rules, state[0], number % 2)
    assert wins > 36
