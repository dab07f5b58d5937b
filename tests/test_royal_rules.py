"""Each ruling of Royal Family (R1-R13) and each rule parameter, on states set up by hand."""

import numpy as np
import pytest

from engines import contract
from engines.cards import (
    DECK_AND_JOKERS,
    SUITS,
    card_text,
    cards_text,
    mask_of,
    parse_card,
    parse_cards,
)
from engines.contract import CHANCE, NONE, OVER
from engines.errors import InputError
from engines.notation import Placed, parse_move, parse_position, write_position
from engines.random import stream, uniform
from engines.royal import GAME
from engines.royal.notation import pile_cards
from engines.royal.rules import ACTING, CASTLE, DRAWING, OWNER

BLACK, RED = 0, 1
RULES = GAME.rules()
DISCARDS = ["discard 1", "discard 2", "discard 3"]
PARTS = {"fort": "fort", "damage": "hits", "family": "family", "captives": "captives"}


def at(**cards):
    """What lies at a castle: fort, damage, family, captives."""
    return cards


def mask(text):
    return mask_of(parse_cards(text))


class Table:
    """A state with the contract's functions at hand, black to move with a card in hand or about to draw.

    A castle is named by its suit; those of spades and hearts stand unless they are None. What is not
    mentioned is in the deck.
    """

    def __init__(
        self,
        hand="",
        seat=BLACK,
        *,
        rules=RULES,
        deck=None,
        piles=("", "", ""),
        out="",
        draws=9,
        extra=0,
        spent="",
        **castles,
    ):
        self.rules, self.state = rules, GAME.new(rules)
        s = self.s = self.state[0]
        named = Placed()

        def lay(text):
            return named.put(parse_cards(text), text)

        s.player, s.turns, s.extra, s.spent = seat, draws, extra, mask(spent)
        s.phase = ACTING if hand else DRAWING
        s.card = lay(hand)[0] if hand else NONE
        s.out = mask_of(lay(out))
        for suit, parts in ({"S": {}, "H": {}} | castles).items():
            where = self.castle(suit)
            s.stands[where] = parts is not None
            if parts is not None:
                lay("A" + suit)
            else:
                s.out |= mask_of(lay("A" + suit))
            for part, text in (parts or {}).items():
                s[PARTS[part]][where] = mask_of(lay(text))
        for pile, text in enumerate(piles):
            for card in lay(text):
                s.below[card], s.top[pile] = s.top[pile], card
        rest = DECK_AND_JOKERS & ~named.mask
        s.deck = rest if deck is None else mask_of(lay(deck))
        s.out |= rest & ~s.deck

    @staticmethod
    def castle(suit):
        return OWNER[SUITS.index(suit)], CASTLE[SUITS.index(suit)]

    def texts(self):
        return [
            GAME.notation.move_text(self.rules, self.s, move) for move in GAME.legal(self.rules, self.state)
        ]

    def actions(self):
        """The legal moves that are not discards."""
        return [text for text in self.texts() if text not in DISCARDS]

    def say(self, *texts):
        for text in texts:
            contract.play(self.rules, self.s, parse_move(GAME, self.rules, self.state, text))
        return self

    def turn_up(self, *cards):
        """Play chance outcomes."""
        for card in cards:
            code = parse_card(card)
            assert code in GAME.outcomes(self.rules, self.state)
            contract.play(self.rules, self.s, code)
        return self

    def at(self, suit, part):
        return cards_text(int(self.s[PARTS[part]][self.castle(suit)]))

    def stands(self, suit):
        return bool(self.s.stands[self.castle(suit)])

    def piles(self):
        return [cards_text(pile_cards(self.s, pile)) for pile in range(3)]

    @property
    def out(self):
        return cards_text(int(self.s.out))

    @property
    def deck(self):
        return cards_text(int(self.s.deck))

    @property
    def mover(self):
        return contract.mover(self.rules, self.s)

    def result(self):
        assert self.mover == OVER
        return [contract.returns(self.rules, self.s, seat) for seat in (BLACK, RED)]


def with_rules(**changes):
    return GAME.rules(**changes)


# R1


def test_r1_the_start():
    table = Table()
    s = table.s
    contract.start(RULES, s)
    assert contract.seats(RULES) == 2
    assert (table.stands("S"), table.stands("C"), table.stands("H"), table.stands("D")) == (1, 0, 1, 0)
    assert s.deck == DECK_AND_JOKERS & ~mask("AS AH")
    assert (table.piles(), table.out) == (["", "", ""], "")
    assert all(table.at(suit, part) == "" for suit in SUITS for part in PARTS)
    assert (s.extra, s.spent, s.card, s.target, s.winner) == (0, 0, NONE, NONE, NONE)
    for turned in range(3):
        assert table.mover == CHANCE
        assert contract.luck(RULES, s) == 2
        assert sum(GAME.outcomes(RULES, table.state).values()) == 52 - turned
        table.turn_up(["7H", "X", "KD"][turned])
    assert table.piles() == ["7H", "X", "KD"]
    assert (int(s.deck).bit_count(), table.mover, s.turns) == (49, BLACK, 0)
    assert table.texts() == ["draw deck", "draw 1", "draw 2", "draw 3"]


def test_r1_a_used_state_is_cleared():
    used = at(C=at(captives="KH"), S=at(family="KS"))
    table = Table("7H", RED, piles=("2H 3H", "AD", ""), out="4H X", extra=1, spent="AD", **used)
    contract.start(RULES, table.s)
    assert table.state.tobytes() == GAME.new(RULES).tobytes()


@pytest.mark.parametrize("jokers", ["", "X", "X X"])
def test_r1_every_card_of_the_deck_is_as_likely(jokers):
    deck = f"AC 5D TH KS {jokers}"
    table = Table(deck=deck, piles=("7H", "", "")).say("draw deck")
    outcomes = GAME.outcomes(RULES, table.state)
    assert {card_text(code): weight for code, weight in outcomes.items()} == {
        card: deck.split().count(card) for card in deck.split()
    }
    size = len(deck.split())
    codes = [code for code, weight in outcomes.items() for _ in range(weight)]
    assert [contract.roll(RULES, table.s, (place + 0.5) / size) for place in range(size)] == codes


def test_r1_there_are_two_jokers_whichever_comes_first():
    first = Table(deck="X X 5D").say("draw deck").turn_up("X")
    assert first.deck == "5D X"
    assert first.say("discard 1", "draw deck").turn_up("X").deck == "5D"
    assert first.say("discard 2").piles() == ["X", "X", ""]
    GAME.notation.check(RULES, first.s)
    # In a position file the joker that is named is the first; the deck holds the second.
    for other in ('out = "X"', 'piles = ["X", "", ""]'):
        _, _, state = parse_position(f'game = "royal"\nto_move = "red"\n{other}\n[black.S]\n[red.H]\n')
        contract.play(RULES, state[0], 0)
        contract.play(RULES, state[0], parse_card("X"))
        assert not any(code == parse_card("X") for code in GAME.outcomes(RULES, state))
        GAME.notation.check(RULES, state[0])


# R2


def test_r2_draw_from_a_pile():
    table = Table("", RED, piles=("2C 3C 4C", "5C", ""))
    assert table.texts() == ["draw deck", "draw 1", "draw 2"]
    size = int(table.s.deck).bit_count()
    table.say("draw 1")
    assert (table.mover, table.s.card, table.s.turns) == (RED, parse_card("4C"), 10)
    assert table.piles() == ["2C 3C", "5C", ""]
    assert table.s.below[parse_card("4C")] == NONE
    assert int(table.s.deck).bit_count() == size
    assert Table(piles=("2C 3C 4C", "5C", "")).say("draw 2").piles() == ["2C 3C 4C", "", ""]


def test_r2_draw_from_the_deck():
    table = Table("", RED, deck="4C KH", piles=("5C", "", "")).say("draw deck")
    assert (table.mover, contract.luck(RULES, table.s)) == (CHANCE, RED)
    code = parse_card("KH")
    assert [contract.shown(RULES, table.s, code, seat) for seat in (BLACK, RED)] == [code, code]
    table.turn_up("KH")
    assert (table.mover, table.s.card, table.deck, table.s.turns) == (RED, code, "4C", 10)
    assert contract.luck(RULES, Table(deck="4C").say("draw deck").s) == BLACK


@pytest.mark.parametrize("move", ["discard 2", "fortify"])
def test_r2_one_action_and_the_other_player_is_on(move):
    for seat, card in ((BLACK, "5S"), (RED, "5H")):
        table = Table(card, seat).say(move)
        assert (table.mover, table.s.card, table.s.turns, table.s.extra) == (1 - seat, NONE, 9, 0)
        assert "draw deck" in table.texts()


# R3


@pytest.mark.parametrize("pile", [0, 1, 2])
def test_r3_discards_go_to_any_pile(pile):
    table = Table(piles=("2C 3C", "4C", "")).say("draw 2")
    assert table.texts() == DISCARDS
    table.say(DISCARDS[pile])
    assert table.piles() == [["2C 3C 4C", "", ""], ["2C 3C", "4C", ""], ["2C 3C", "", "4C"]][pile]
    assert table.s.card == NONE


@pytest.mark.parametrize("card", ["5S", "KS", "KH", "5H", "AC", "AD"])
def test_r3_what_can_be_used_may_be_discarded(card):
    table = Table(card, S=at(family="QS"))
    assert table.texts()[:3] == DISCARDS
    assert table.say("discard 3").piles() == ["", "", card]


# R4


def test_r4_fortify_the_castle_of_the_suit():
    for card in ("2S", "TS"):
        table = Table(card, C=at())
        assert table.actions() == ["fortify"]
        assert table.say("fortify").at("S", "fort") == card
        assert table.at("C", "fort") == ""
    table = Table("5D", RED, D=at(fort="9D")).say("fortify")
    assert (table.at("D", "fort"), table.at("H", "fort"), table.out) == ("5D 9D", "", "")


def test_r4_only_a_standing_own_castle():
    assert Table("5C").actions() == []
    assert Table("5S", S=None, C=at()).actions() == []
    assert Table("5C", S=None, C=at()).actions() == ["fortify"]
    assert Table("5H", D=at()).actions() == []
    assert Table("5S", RED, C=at(), D=at()).actions() == []


def test_r4_only_number_cards():
    for card in ("JS", "QS", "KS"):
        assert "fortify" not in Table(card).texts()
    assert "fortify" not in Table("AC").texts()


# R5


def test_r5_attack_needs_family_at_home():
    assert Table("5H").actions() == []
    assert Table("5H", S=at(captives="KH")).actions() == []  # a captive is no family
    assert Table("5H", H=at(captives="KS")).actions() == []  # one's own captured king neither
    assert Table("5H", H=at(family="KH")).actions() == []
    for member in ("JS", "QS", "KS"):
        assert Table("5H", S=at(family=member)).actions() == ["attack H"]
    assert Table("5H", C=at(family="KC")).actions() == ["attack H"]  # in any own castle
    assert Table("5S", RED, D=at(family="QD")).actions() == ["attack S"]


def test_r5_the_suit_of_a_standing_castle():
    home = at(family="KS")
    assert Table("2H", S=home).actions() == ["attack H"]
    assert Table("TH", S=home, D=at()).actions() == ["attack H"]
    assert Table("5D", S=home).actions() == []
    assert Table("5D", S=home, D=at()).actions() == ["attack D"]
    assert Table("5H", S=home, H=None, D=at()).actions() == []
    assert Table("5S", S=home).actions() == ["fortify"]
    assert Table("5C", S=home, D=at()).actions() == []
    assert Table("5C", RED, H=at(family="KH"), C=at()).actions() == ["attack C"]


def test_r5_jack_attacks_with_both_suits():
    for card in ("5H", "5D"):
        for home in (at(S=at(family="JS")), at(C=at(family="JC"))):
            assert Table(card, **home).actions() == ["attack H"]
            assert Table(card, **home, D=at()).actions() == ["attack H", "attack D"]
            assert Table(card, **home, H=None, D=at()).actions() == ["attack D"]
    assert Table("5C", RED, H=at(family="JH")).actions() == ["attack S"]
    assert Table("5S", S=at(family="JS")).actions() == ["fortify"]
    assert Table("5C", S=at(family="JS")).actions() == []


def test_r5_other_jacks_do_not_help():
    assert Table("5D", S=at(family="KS QS")).actions() == []
    assert Table("5D", S=at(family="KS"), H=at(captives="JS")).actions() == []
    assert Table("5D", S=at(family="KS", captives="JH")).actions() == []
    assert Table("5D", S=at(family="KS"), H=at(family="JH")).actions() == []


def test_r5_captives_of_both_sides_alone_do_not_attack():
    assert (
        Table("5H", S=at(captives="JH"), C=at(captives="QH"), H=at(family="KH", captives="JS")).actions()
        == []
    )


# R6


def test_r6_an_attack_that_nothing_stops_stays_as_damage():
    table = Table("7H", S=at(family="QS"), H=at(fort="6H", damage="2H"), D=at(fort="9D")).say("attack H")
    assert (table.at("H", "damage"), table.at("H", "fort"), table.at("D", "damage")) == ("2H 7H", "6H", "")
    assert (table.out, table.mover, table.s.card, table.s.target) == ("", RED, NONE, NONE)
    assert table.piles() == ["", "", ""]


def test_r6_must_defend_and_chooses():
    table = Table("7H", S=at(family="QS"), H=at(fort="2H 6H 8H TH")).say("attack H")
    assert (table.mover, table.texts()) == (RED, ["defend 8", "defend T"])
    table.say("defend T")
    assert (table.at("H", "fort"), table.at("H", "damage"), table.out) == ("2H 6H 8H", "", "7H TH")
    assert (table.mover, table.s.player, table.s.card, table.s.target) == (RED, RED, NONE, NONE)
    assert "draw deck" in table.texts()


def test_r6_equal_numbers_defend():
    home = at(family="JS")
    assert Table("7D", S=home, H=at(fort="7H")).say("attack H").texts() == ["defend 7"]
    assert Table("7D", S=home, H=at(fort="6H")).say("attack H").mover == RED
    assert Table("7D", S=home, H=at(fort="6H")).say("attack H").at("H", "damage") == "7D"
    assert Table("TD", S=home, H=at(fort="TH 9H")).say("attack H").texts() == ["defend T"]
    assert Table("2D", S=home, H=at(fort="3H TH")).say("attack H").texts() == ["defend 3", "defend T"]


def test_r6_only_fortifications_of_that_castle_defend():
    table = Table("7D", S=at(family="JS"), H=at(fort="9H"), D=at(fort="8D"))
    assert table.texts() == [*DISCARDS, "attack H", "attack D"]
    table.say("attack D")
    assert table.texts() == ["defend 8"]
    table.say("defend 8")
    assert (table.at("H", "fort"), table.at("D", "fort"), table.out) == ("9H", "", "7D 8D")
    red = Table("7S", RED, H=at(family="QH"), S=at(fort="9S"), C=at(fort="8C")).say("attack S")
    assert (red.mover, red.texts()) == (BLACK, ["defend 9"])
    assert (red.say("defend 9").out, red.mover) == ("7S 9S", BLACK)


def test_r6_a_king_at_home_helps():
    def answer(fort, **castles):
        hearts = at(fort=fort) | castles.pop("H", {})
        return Table("7H", **{"S": at(family="QS"), "H": hearts} | castles).say("attack H").texts()

    assert answer("4H 5H 9H", H=at(family="KH")) == ["defend 5", "defend 9"]
    assert answer("4H 5H 9H", D=at(family="KD")) == ["defend 5", "defend 9"]  # in any castle
    assert answer("4H 5H 9H", H=at(family="KH"), D=at(family="KD")) == ["defend 5", "defend 9"]
    assert answer("4H 5H 9H", H=at(family="QH JH")) == ["defend 9"]
    assert answer("4H 5H 9H") == ["defend 9"]


def test_r6_a_captive_king_helps_nobody():
    home = at(family="QS", captives="KH")
    assert Table("7H", S=home, H=at(fort="5H 9H")).say("attack H").texts() == ["defend 9"]
    held = at(fort="5H 9H", captives="KS")
    assert Table("7H", S=at(family="QS"), H=held).say("attack H").texts() == ["defend 9"]
    king = at(family="KS")  # the attacker's king is no help to the defender
    assert Table("7H", S=king, H=at(fort="5H 9H")).say("attack H").texts() == ["defend 9"]


def test_r6_low_attacks_and_a_king():
    for attack in ("2H", "3H"):
        table = Table(attack, S=at(family="QS"), H=at(fort="4H TH", family="KH")).say("attack H")
        assert table.texts() == ["defend 4", "defend T"]
    assert Table("3H", S=at(family="QS"), H=at(fort="2H", family="KH")).say("attack H").texts() == [
        "defend 2"
    ]


# R7


def test_r7_castle_falls_at_twenty():
    alive = Table("9H", S=at(family="QS"), H=at(damage="TH")).say("attack H")
    assert (alive.stands("H"), alive.at("H", "damage"), alive.mover) == (True, "9H TH", RED)
    table = Table("TH", S=at(family="QS"), H=at(damage="8H 2H"), D=at()).say("attack H")
    assert (table.stands("H"), table.stands("D"), table.mover) == (False, True, RED)
    more = Table("9H", S=at(family="QS"), H=at(damage="8H 7H"), D=at()).say("attack H")
    assert (more.stands("H"), more.s.winner) == (False, NONE)


def test_r7_everything_at_the_castle_leaves():
    hearts = at(fort="2H 3H", damage="8H 7H", family="KH JH", captives="QC KC")
    diamonds = at(fort="2D", damage="9D", family="QD", captives="JS")
    table = Table("TH", S=at(family="QS"), H=hearts, D=diamonds, out="4S").say("attack H")
    assert table.out == cards_text(mask("AH 2H 3H TH 8H 7H KH JH QC KC 4S"))
    assert [table.at("H", part) for part in PARTS] == ["", "", "", ""]
    assert [table.at("D", part) for part in PARTS] == ["2D", "9D", "QD", "JS"]
    assert (table.stands("H"), table.stands("D"), table.stands("S"), table.mover) == (0, 1, 1, RED)
    assert table.s.target == table.s.card == NONE
    GAME.notation.check(RULES, table.s)


def test_r7_the_second_castle_can_fall_first():
    table = Table("5C", RED, H=at(family="QH"), C=at(damage="7C 8C", fort="4C"), S=at(damage="9S")).say(
        "attack C"
    )
    assert (table.stands("C"), table.stands("S"), table.s.winner, table.mover) == (0, 1, NONE, BLACK)
    assert table.out == cards_text(mask("AC 4C 5C 7C 8C"))
    # Damage counts castle by castle.
    both = Table("5C", RED, H=at(family="QH"), C=at(damage="7C"), S=at(damage="9S TS")).say("attack C")
    assert (both.stands("C"), both.stands("S")) == (1, 1)


def test_r7_the_last_castle_decides():
    won = Table("TH", S=at(family="QS"), H=at(damage="9H 8H")).say("attack H")
    assert won.result() == [1, 0]
    assert Table("TS", RED, H=at(family="QH"), S=at(damage="9S 8S")).say("attack S").result() == [0, 1]
    second = Table("TD", S=at(family="QS"), H=None, D=at(damage="9D 8D")).say("attack D")
    assert (second.result(), second.out) == ([1, 0], cards_text(mask("AH AD TD 9D 8D")))


def test_r7_a_fallen_castle_is_gone():
    gone = at(H=None, D=at(), S=at(family="QS"))
    assert Table("5H", RED, **gone).actions() == []
    assert Table("KH", RED, **gone).actions() == []
    assert Table("5H", **gone).actions() == []
    assert Table("KH", **gone).actions() == []
    assert Table("KD", **gone).actions() == ["kidnap S"]


# R8


@pytest.mark.parametrize("rank", "JQK")
def test_r8_place_at_home(rank):
    table = Table(rank + "S", C=at())
    assert table.actions() == ["place"]
    table.say("place")
    assert (table.at("S", "family"), table.at("C", "family"), table.mover) == (rank + "S", "", RED)
    assert Table(rank + "C", C=at()).say("place").at("C", "family") == rank + "C"
    assert Table(rank + "C").actions() == []
    assert Table(rank + "S", S=None, C=at()).actions() == []
    assert Table(rank + "D", RED, D=at()).say("place").at("D", "family") == rank + "D"


def test_r8_a_full_family_wins_at_once():
    for last, others in (("JS", "QS KS"), ("QS", "JS KS"), ("KS", "JS QS")):
        table = Table(last, S=at(family=others)).say("place")
        assert table.result() == [1, 0]
    assert Table("KD", RED, D=at(family="QD JD"), C=at(family="QC KC")).say("place").result() == [0, 1]
    two = Table("QS", S=at(family="KS")).say("place")
    assert (two.mover, two.s.winner) == (RED, NONE)


def test_r8_the_family_must_be_of_one_castle():
    table = Table("JC", S=at(family="QS KS"), C=at(family="QC")).say("place")
    assert (table.mover, table.s.winner) == (RED, NONE)
    three = Table("JC", S=at(family="QS KS"), C=at()).say("place")
    assert (three.mover, three.s.winner) == (RED, NONE)
    guests = Table("QS", S=at(family="JS", captives="KH")).say("place")
    assert (guests.mover, guests.s.winner) == (RED, NONE)


# R9


def test_r9_kidnap_below_an_own_castle():
    for card in ("JH", "QH", "KH"):
        table = Table(card, C=at())
        assert table.actions() == ["kidnap S", "kidnap C"]
        table.say("kidnap C")
        assert (table.at("C", "captives"), table.at("S", "captives"), table.mover) == (card, "", RED)
        assert table.at("H", "family") == ""
    assert Table("KH").say("kidnap S").at("S", "captives") == "KH"
    assert Table("QC", RED, C=at()).say("kidnap H").at("H", "captives") == "QC"
    assert Table("KH", S=None, C=at()).actions() == ["kidnap C"]


def test_r9_only_of_a_standing_castles_suit():
    assert Table("KD").actions() == []
    assert Table("KD", D=at()).actions() == ["kidnap S"]
    assert Table("KH", H=None, D=at()).actions() == []
    assert Table("KC", RED).actions() == []
    assert Table("KC").actions() == []
    assert Table("KC", D=at()).actions() == []


def test_r9_room_for_one():
    assert Table("KH", S=at(captives="QH")).actions() == []
    assert Table("KH", S=at(captives="QH"), C=at()).actions() == ["kidnap C"]
    assert Table("KH", S=at(captives="QH"), C=at(captives="JH")).actions() == []


def test_r9_room_for_three_with_a_queen():
    two, three = "JD QD", "JD QD KD"
    for home in (
        at(S=at(family="QS", captives=two)),
        at(S=at(captives=two), C=at(family="QC", captives="KD")),
    ):
        assert "kidnap S" in Table("KH", **home).actions()
    assert Table("KH", S=at(family="QS", captives=three)).actions() == []
    assert Table("KH", S=at(family="QS", captives=three), C=at(captives="JH QH")).actions() == ["kidnap C"]
    more = Table("KH", S=at(family="QS", captives="JH QH")).say("kidnap S")
    assert more.at("S", "captives") == "JH QH KH"
    # A queen that is somebody's captive, or the opponent's, is no hostess; nor is a king.
    assert Table("KH", S=at(captives="QH")).actions() == []
    assert Table("KH", S=at(captives="JH"), H=at(captives="QS")).actions() == []
    assert Table("KH", S=at(captives="JH"), H=at(family="QH")).actions() == []
    assert Table("KH", S=at(captives="JH", family="KS JS")).actions() == []


def test_r9_losing_the_queen_frees_nobody():
    table = Table("X", RED, S=at(family="QS", captives="JH QH")).say("assassinate QS")
    assert table.at("S", "captives") == "JH QH"
    assert Table("KH", S=at(captives="JH QH")).actions() == []
    GAME.notation.check(RULES, table.s)


# R10


def test_r10_build():
    table = Table("AC")
    assert table.texts() == [*DISCARDS, "build"]
    table.say("build")
    assert (table.stands("S"), table.stands("C"), table.piles()) == (True, True, ["", "", ""])
    assert (table.mover, table.s.player, table.s.card, table.s.extra, table.s.spent) == (
        BLACK,
        BLACK,
        NONE,
        1,
        0,
    )
    assert table.texts() == ["draw deck"]
    red = Table("AD", RED).say("build")
    assert (red.stands("D"), red.mover) == (True, RED)
    assert Table("AC", S=at(), D=at()).actions() == ["build"]
    lost = Table("AC", RED, H=at(family="KH"))
    assert lost.actions() == []


def test_r10_a_new_castle_is_like_the_first():
    table = Table("AC", piles=("5C", "KC", "KH")).say("build", "draw 1")
    assert table.actions() == ["fortify"]
    assert Table("AC", piles=("5C", "KC", "KH")).say("build", "draw 2").actions() == ["place"]
    assert Table("AC", piles=("5C", "KC", "KH")).say("build", "draw 3").actions() == ["kidnap S", "kidnap C"]


@pytest.mark.parametrize(("seat", "ace"), [(BLACK, "AD"), (BLACK, "AC"), (RED, "AC"), (RED, "AD")])
def test_r10_discard_and_extra_turn(seat, ace):
    table = Table(ace, seat, piles=("5H", "", ""))
    assert ("build" in table.texts()) == (ace == ("AC", "AD")[seat])
    table.say("discard 2")
    assert (table.mover, table.s.extra, table.s.turns) == (seat, 1, 9)
    assert table.piles() == ["5H", ace, ""]
    assert table.texts() == ["draw deck", "draw 1"]  # not the ace just discarded


def test_r10_the_extra_turn_is_a_turn():
    table = Table("AD", piles=("5S", "", "")).say("discard 2", "draw 1")
    assert (table.s.turns, table.texts()) == (10, [*DISCARDS, "fortify"])
    table.say("discard 2")  # to cover the ace
    assert (table.mover, table.s.extra, table.s.spent) == (RED, 0, 0)
    assert table.piles() == ["", "AD 5S", ""]


def test_r10_the_opponent_may_draw_the_ace():
    table = Table("AD", piles=("5S", "", "")).say("discard 2", "draw 1", "fortify")
    assert table.texts() == ["draw deck", "draw 2"]
    table.say("draw 2")
    assert (table.mover, table.texts()) == (RED, [*DISCARDS, "build"])
    # A turn later it may be drawn again by the one who discarded it.
    again = Table("AD", piles=("5S", "", "")).say("discard 2", "draw 1", "fortify", "draw deck").turn_up("2C")
    assert "draw 2" in again.say("discard 3").texts()


def test_r10_a_chain_spends_every_ace_in_it():
    table = Table("AD", piles=("AC", "", "")).say("discard 2")
    assert (table.texts(), table.s.extra) == (["draw deck", "draw 1"], 1)
    table.say("draw 1", "discard 3")
    assert (table.mover, table.s.extra) == (BLACK, 1)
    assert table.texts() == ["draw deck"]
    assert table.piles() == ["", "AD", "AC"]
    over = Table("AC", piles=("AD", "", "")).say("discard 1")
    assert over.texts() == ["draw deck"]
    assert over.piles() == ["AD AC", "", ""]


def test_r10_only_discarded_aces_are_spent():
    table = Table("AC", piles=("AD", "", "")).say("build")
    assert table.texts() == ["draw deck", "draw 1"]
    assert table.say("draw 1").texts() == DISCARDS


# R11


def test_r11_the_joker_must_kill():
    foe = at(H=at(family="JH KH", captives="QS"), D=at(family="QD"))
    table = Table("X", **foe)
    assert table.texts() == ["assassinate JH", "assassinate KH", "assassinate QD"]
    table.say("assassinate KH")
    assert (table.at("H", "family"), table.at("D", "family"), table.at("H", "captives")) == ("JH", "QD", "QS")
    assert (table.out, table.mover, table.s.extra) == ("KH X", RED, 0)
    assert Table("X", **foe).say("assassinate JH").out == "JH X"
    second = Table("X", **foe).say("assassinate QD")
    assert (second.at("D", "family"), second.out) == ("", "QD X")
    assert Table("X", D=at(family="QD")).texts() == ["assassinate QD"]
    assert Table("X", RED, C=at(family="KC")).texts() == ["assassinate KC"]
    queen = Table("X", RED, S=at(family="QS"), C=at(family="JC KC"))
    assert queen.texts() == ["assassinate QS", "assassinate JC", "assassinate KC"]
    assert queen.say("assassinate JC").at("C", "family") == "KC"


def test_r11_only_otherwise_discard():
    table = Table("X", S=at(family="KS", captives="QH"), H=at(captives="JS"))
    assert table.texts() == DISCARDS  # neither captives nor one's own family
    table.say("discard 1")
    assert (table.piles(), table.out, table.mover, table.s.spent) == (["X", "", ""], "", RED, 0)
    assert table.say("draw 1").texts() == ["assassinate KS"]


def test_r11_the_second_joker_is_as_good():
    table = Table(deck="X X", H=at(family="KH QH")).say("draw deck").turn_up("X").say("assassinate KH")
    assert table.out.split().count("X") == 1
    table.say("draw deck").turn_up("X").say("discard 1")
    assert (table.piles(), table.deck) == (["X", "", ""], "")
    assert table.say("draw 1").texts() == ["assassinate QH"]


# R12


def test_r12_an_empty_deck():
    table = Table(deck="", piles=("5H", "", "6C"))
    assert table.texts() == ["draw 1", "draw 3"]
    assert "draw deck" in Table(deck="2C", piles=("5H", "", "")).texts()
    assert Table(deck="2C").texts() == ["draw deck"]
    for pile in (1, 2, 3):  # one card is left, wherever it lies
        last = Table("5C", deck="").say(f"discard {pile}")
        assert (last.mover, last.texts()) == (RED, [f"draw {pile}"])


def test_r12_a_lost_extra_turn():
    table = Table("AD", deck="").say("discard 2")  # nothing but the ace, and that is spent
    assert (table.mover, table.s.extra, table.s.spent) == (RED, 0, 0)
    assert table.texts() == ["draw 2"]
    assert table.s.turns == 9
    other = Table("AC", RED, deck="").say("discard 1")
    assert (other.mover, other.texts()) == (BLACK, ["draw 1"])
    assert other.say("draw 1").actions() == ["build"]
    covered = Table("AD", deck="", piles=("2C", "3C", "4C")).say("discard 1")
    assert (covered.mover, covered.texts()) == (BLACK, ["draw 2", "draw 3"])


def test_r12_nothing_to_draw_is_a_draw():
    table = Table("5S", deck="", S=at(fort="9S", family="KS QS")).say("fortify")
    assert table.result() == [0.5, 0.5]
    # After the last ace is built the extra turn is lost, and the opponent has nothing either.
    assert Table("AC", deck="").say("build").result() == [0.5, 0.5]
    repelled = Table("7H", deck="", S=at(family="QS"), H=at(fort="8H")).say("attack H", "defend 8")
    assert repelled.result() == [0.5, 0.5]
    assert Table("X", deck="", H=at(family="KH")).say("assassinate KH").result() == [0.5, 0.5]
    # A win comes before.
    assert Table("JS", deck="", S=at(family="QS KS")).say("place").result() == [1, 0]


def test_r12_the_last_draw_is_resolved():
    last = RULES.max_turns
    assert last == 400
    table = Table(draws=last - 1, piles=("5S", "", "")).say("draw 1")
    assert (table.mover, table.s.turns) == (BLACK, last)
    assert table.say("fortify").result() == [0.5, 0.5]
    assert table.at("S", "fort") == "5S"
    assert Table("5S", draws=last - 1).say("fortify").mover == RED
    deck = Table(deck="5S", draws=last - 1).say("draw deck")
    assert deck.mover == CHANCE
    assert deck.turn_up("5S").mover == BLACK
    attacked = Table("7H", draws=last, S=at(family="QS"), H=at(fort="8H")).say("attack H")
    assert (attacked.mover, attacked.texts()) == (RED, ["defend 8"])
    assert attacked.say("defend 8").result() == [0.5, 0.5]
    assert Table("JS", draws=last, S=at(family="QS KS")).say("place").result() == [1, 0]
    assert Table("TH", draws=last, S=at(family="QS"), H=at(damage="9H 8H")).say("attack H").result() == [1, 0]


def test_r12_extra_turns_count():
    last = RULES.max_turns
    for move in ("build", "discard 1"):
        assert Table("AC", draws=last).say(move).result() == [0.5, 0.5]
        table = Table("AC", draws=last - 1, piles=("5S", "6S", "")).say(move, "draw 2")
        assert table.s.turns == last
        assert table.say("fortify").result() == [0.5, 0.5]


# R13


def test_r13_nothing_is_hidden():
    assert not contract.private(RULES)
    for number in range(6):
        state = GAME.random_position(RULES, stream(3, number), 15 * number)
        for seat in (BLACK, RED):
            view = GAME.view(RULES, state, seat)
            assert view.tobytes() == state.tobytes()
            contract.fill(RULES, view[0], stream(number))
            assert view.tobytes() == state.tobytes()
            if contract.mover(RULES, state[0]) >= 0:
                for move in GAME.legal(RULES, state):
                    assert contract.shown(RULES, state[0], move, seat) == move


def test_r13_covered_cards_are_known():
    table = Table(piles=("2C 3C KH", "", "X 4D"))
    text = write_position(GAME, RULES, table.state)
    assert '"2C 3C KH"' in text
    assert '"X 4D"' in text
    assert "deck = 47" in text


# Rule parameters


def test_defaults_and_ranges():
    assert RULES._asdict() == {
        "castle_hp": 20,
        "king_bonus": 2,
        "attack_needs_family": 1,
        "attack_suit": 0,
        "captives": 1,
        "captives_with_queen": 3,
        "jack_any_suit": 1,
        "max_turns": 400,
    }
    assert with_rules(attack_suit="own", jack_any_suit=False)[3::3] == (1, 0)
    for name, value in [
        ("castle_hp", 0),
        ("king_bonus", -1),
        ("attack_needs_family", 2),
        ("attack_suit", "both"),
        ("captives", 13),
        ("captives_with_queen", 13),
        ("jack_any_suit", "maybe"),
        ("max_turns", 0),
        ("castles", 2),
    ]:
        with pytest.raises(InputError, match=name):
            with_rules(**{name: value})


@pytest.mark.parametrize(("castle_hp", "falls"), [(1, True), (9, True), (10, False), (21, False)])
def test_castle_hp_on_the_first_hit(castle_hp, falls):
    table = Table("9H", rules=with_rules(castle_hp=castle_hp), S=at(family="QS")).say("attack H")
    assert table.stands("H") != falls
    assert (table.mover == OVER) == falls


def test_castle_hp_higher_than_twenty():
    home = at(family="QS")
    for castle_hp, stands in ((20, False), (21, True)):
        table = Table("TH", rules=with_rules(castle_hp=castle_hp), S=home, H=at(damage="8H 2H")).say(
            "attack H"
        )
        assert table.stands("H") == stands


@pytest.mark.parametrize(
    ("king_bonus", "answers"),
    [
        (0, ["defend 8"]),
        (1, ["defend 7", "defend 8"]),
        (2, ["defend 6", "defend 7", "defend 8"]),
        (6, ["defend 2", "defend 6", "defend 7", "defend 8"]),
        (20, ["defend 2", "defend 6", "defend 7", "defend 8"]),
    ],
)
def test_king_bonus(king_bonus, answers):
    rules = with_rules(king_bonus=king_bonus)
    home = at(family="QS")
    table = Table("8H", rules=rules, S=home, H=at(fort="2H 6H 7H", family="KH"), D=at(family="KD"))
    plain = Table("8H", rules=rules, S=home, H=at(fort="2H 6H 7H"))
    assert plain.say("attack H").at("H", "damage") == "8H"
    fort = at(fort="2H 6H 7H 9H", family="KH")
    texts = Table("8H", rules=rules, S=home, H=fort, D=at(family="KD")).say("attack H").texts()
    assert texts == [text for text in answers if text != "defend 8"] + ["defend 9"]
    assert (table.say("attack H").at("H", "damage") == "8H") == (king_bonus == 0)


def test_attack_needs_family_or_not():
    free = with_rules(attack_needs_family=0)
    assert Table("5H", rules=free).actions() == ["attack H"]
    assert Table("5H").actions() == []
    assert Table("5D", rules=free).actions() == []
    assert Table("5S", rules=free).actions() == ["fortify"]
    assert Table("5H", rules=free, H=None, D=at()).actions() == []
    assert Table("5S", RED, rules=free).actions() == ["attack S"]
    assert Table("5D", rules=free, S=at(family="JS")).actions() == ["attack H"]
    own = with_rules(attack_needs_family=0, attack_suit="own")
    assert Table("5S", rules=own).actions() == ["fortify", "attack H"]
    assert Table("5C", rules=own).actions() == []
    assert Table("5S", rules=with_rules(attack_suit="own")).actions() == ["fortify"]


def test_attack_suit_own():
    own = with_rules(attack_suit="own")
    home = at(family="KS")
    assert Table("5S", rules=own, S=home).actions() == ["fortify", "attack H"]
    assert Table("5S", rules=own, S=home, D=at()).actions() == ["fortify", "attack H", "attack D"]
    assert Table("5S", rules=own, S=home, H=None, D=at()).actions() == ["fortify", "attack D"]
    assert Table("5H", rules=own, S=home, D=at()).actions() == []
    assert Table("5D", rules=own, S=home, D=at()).actions() == []
    assert Table("5C", rules=own, S=home).actions() == []  # no castle of clubs
    assert Table("5C", rules=own, S=home, C=at()).actions() == ["fortify", "attack H"]
    assert Table("5S", rules=own, S=None, C=at(family="KC")).actions() == []
    assert Table("5C", rules=own, S=None, C=at(family="KC")).actions() == ["fortify", "attack H"]
    assert Table("5D", RED, rules=own, D=at(family="KD")).actions() == ["fortify", "attack S"]


def test_attack_suit_own_with_a_jack():
    own = with_rules(attack_suit="own")
    assert Table("5C", rules=own, S=at(family="JS")).actions() == ["attack H"]
    assert Table("5S", rules=own, S=None, C=at(family="JC"), D=at()).actions() == ["attack H", "attack D"]
    assert Table("5H", rules=own, S=at(family="JS")).actions() == []
    assert Table("5C", rules=own, S=at(family="KS", captives="JH")).actions() == []
    assert Table("5D", RED, rules=own, H=at(family="JH")).actions() == ["attack S"]


def test_attack_suit_own_is_defended_with_the_castles_cards():
    own = with_rules(attack_suit="own")
    table = Table("7S", rules=own, S=at(family="KS", fort="9S"), H=at(fort="8H")).say("attack H")
    assert table.texts() == ["defend 8"]
    assert table.say("defend 8").out == "7S 8H"
    hit = Table("9S", rules=own, S=at(family="KS"), H=at(fort="8H", damage="5C")).say("attack H")
    assert (hit.at("H", "damage"), hit.at("S", "fort")) == ("5C 9S", "")
    fallen = Table("9S", rules=own, S=at(family="KS"), H=at(damage="5C 7S")).say("attack H")
    assert fallen.result() == [1, 0]


def test_jack_any_suit_off():
    off = with_rules(jack_any_suit="false")
    home = at(family="JS")
    assert Table("5D", rules=off, S=home).actions() == []
    assert Table("5H", rules=off, S=home, D=at()).actions() == ["attack H"]
    assert Table("5D", rules=off, S=home, D=at()).actions() == ["attack D"]
    own = with_rules(jack_any_suit="false", attack_suit="own")
    assert Table("5C", rules=own, S=home).actions() == []
    assert Table("5S", rules=own, S=home, D=at()).actions() == ["fortify", "attack H", "attack D"]


@pytest.mark.parametrize("captives", [0, 1, 2, 6])
def test_captives(captives):
    rules = with_rules(captives=captives, captives_with_queen=0)
    cards = ["JD", "QD", "KD", "JH", "QH"]
    for held in range(6):
        room = Table("KH", rules=rules, S=at(captives=" ".join(cards[:held]))).actions() == ["kidnap S"]
        assert room == (held < captives)
    assert Table("KH", rules=rules, S=at(family="QS")).actions() == []  # the queen's number counts


@pytest.mark.parametrize("captives", [0, 1, 2, 6])
def test_captives_with_queen(captives):
    rules = with_rules(captives=0, captives_with_queen=captives)
    cards = ["JD", "QD", "KD", "JH", "QH"]
    for held in range(6):
        here = at(captives=" ".join(cards[:held]))
        for castles in (at(S=at(family="QS") | here), at(S=here, C=at(family="QC", captives=""))):
            assert ("kidnap S" in Table("KH", rules=rules, **castles).actions()) == (held < captives)
    assert Table("KH", rules=rules).actions() == []


@pytest.mark.parametrize("max_turns", [1, 7, 1000])
def test_max_turns(max_turns):
    rules = with_rules(max_turns=max_turns)
    table = Table(rules=rules, draws=max_turns - 1, piles=("5S", "", "")).say("draw 1")
    assert table.mover == BLACK
    assert table.say("discard 1").result() == [0.5, 0.5]
    if max_turns > 1:
        assert Table("5S", rules=rules, draws=max_turns - 1).say("discard 1").mover == RED


# The policy


def test_the_policy_beats_random_play():
    wins = 0.0
    for number in range(24):
        state, rng = GAME.new(RULES), stream(7, number)
        while (seat := contract.mover(RULES, state[0])) != OVER:
            if seat == CHANCE:
                code = contract.roll(RULES, state[0], uniform(rng))
            else:
                moves = GAME.legal(RULES, state)
                code = moves[int(uniform(rng) * len(moves))]
                if seat == number % 2:
                    buffer = np.array(moves)
                    code = contract.suggest(RULES, state[0], buffer, len(moves), rng)
            contract.play(RULES, state[0], code)
        wins += contract.returns(RULES, state[0], number % 2)
    assert wins > 18
