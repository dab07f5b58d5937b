"""Each ruling of Dukes Up! (D5-D25), on states set up by hand."""

import pytest

from engines import contract
from engines.cards import cards_in, cards_text, mask_of, parse_card, parse_cards
from engines.contract import CHANCE, HIDDEN, NONE, OVER
from engines.dukes import GAME
from engines.dukes import rules as d
from engines.dukes.check import anywhere, check
from engines.dukes.moves import meldable
from engines.dukes.play import score
from engines.errors import InputError
from engines.notation import parse_move
from engines.random import below, stream, uniform
from solvers.melds.dukes_check import in_any_meld

RULES = GAME.rules()
PHASES = {"draw": d.DRAWING, "play": d.PLAYING, "guard": d.GUARDING, "discard": d.DISCARDING}


class Table:
    """A state with the contract's functions at hand; the rest of each colour is the draw pile."""

    def __init__(
        self, black=None, red=None, table="", player=0, phase="draw", rules=RULES, turn=None, **fields
    ):
        self.rules, self.state = rules, GAME.new(rules)
        s = self.s = self.state[0]
        s.player, s.phase = player, PHASES[phase]
        s.turn = 3 + player if turn is None else turn
        s.table = mask(table)
        for seat, given in enumerate((black or {}, red or {})):
            given = {"dukes": ("AC AS", "3D KD")[seat], "fief": ("2S", "2D")[seat], "hand": ""} | given
            s.dukes[seat], s.hand[seat] = mask(given["dukes"]), mask(given["hand"])
            s.held[seat] = int(s.hand[seat]).bit_count()
            s.fief[seat], s.up[seat] = parse_card(given["fief"]), given.get("up", 0)
            heap = parse_cards(given.get("discards", ""))
            s.heap[seat][: len(heap)], s.height[seat] = heap, len(heap)
            s.burnt[seat] = given.get("burnt", 0)
            used = int(s.table | s.dukes[seat] | s.hand[seat]) | 1 << int(s.fief[seat]) | mask_of(heap)
            s.unseen[seat] = int(d.COLOUR[seat]) & ~used
            if (
                given.get("pile") == 0
            ):  # the cards that would be there lie on the table, whatever it looks like
                s.table |= s.unseen[seat]
                s.unseen[seat] = 0
            s.pile[seat] = int(s.unseen[seat]).bit_count() - s.burnt[seat]
            hidden = int(d.COLOUR[seat]) & ~int(s.table | s.dukes[seat])
            if s.up[seat]:
                hidden &= ~(1 << int(s.fief[seat]))
            for place in range(4):
                s.may[seat, place] = hidden if place in anywhere(s, seat) else 0
        for name, value in fields.items():
            s[name] = value

    @property
    def mover(self):
        return contract.mover(self.rules, self.s)

    def texts(self):
        return [
            GAME.notation.move_text(self.rules, self.s, move) for move in GAME.legal(self.rules, self.state)
        ]

    def say(self, *texts):
        """Play moves; the cards of a play may stand in any order."""
        for text in texts:
            if text.startswith("play ") and text != "play nothing":
                text = f"play {cards_text(mask(text[5:]))}"
            contract.play(self.rules, self.s, parse_move(GAME, self.rules, self.state, text))
        return self

    def come(self, *cards):
        for card in cards:
            assert self.mover == CHANCE
            assert parse_card(card) in self.outcomes()
            contract.play(self.rules, self.s, parse_card(card))
        return self

    def outcomes(self):
        return GAME.outcomes(self.rules, self.state)

    def view(self, seat):
        return GAME.view(self.rules, self.state, seat)[0]

    def text(self, name, seat=None):
        value = self.s[name] if seat is None else self.s[name][seat]
        return cards_text(int(value))

    def heap(self, seat=0):
        return cards_text([int(card) for card in self.s.heap[seat] if card != NONE])

    def result(self):
        assert self.mover == OVER
        return [contract.returns(self.rules, self.s, seat) for seat in range(2)]


def mask(text):
    return mask_of(parse_cards(text))


def deal(*cards):
    table = Table()
    table.state = GAME.new(RULES)
    table.s = table.state[0]
    return table.come(*cards)


RUN = "5C 6C 7H"  # on the table: two black cards, one red


def test_d1_colours():
    """D1: colours."""
    assert [int(cards).bit_count() for cards in d.COLOUR] == [26, 26]
    assert not int(d.COLOUR[0]) & int(d.COLOUR[1])
    assert mask("AC KS") & ~int(d.COLOUR[0]) == mask("AH KD") & ~int(d.COLOUR[1]) == 0


def test_d5_setup():
    """D5: setup."""
    table = deal("3C", "9S", "KC", "2S")
    assert [int(n) for n in table.s.held] == [4, 0]
    assert contract.luck(RULES, table.s) == 1
    table.come("3H", "9D", "KH", "2D")
    assert table.mover == 0
    assert len(table.texts()) == 12
    assert "fief 2S dukes 3C KC" in table.texts()
    table.say("fief 2S dukes 3C KC")
    assert table.mover == 1
    hidden = table.view(1)
    assert (hidden.plan[0], hidden.dukes[0], hidden.hand[0], hidden.held[0]) == (HIDDEN, 0, 0, 4)
    table.say("fief 3H dukes 9D KH")
    assert table.mover == CHANCE  # dukes are turned up together
    shown = contract.shown(RULES, table.s, 0, 1)
    assert cards_text(int(shown)) == "3C 9D KC KH"
    contract.play(RULES, table.s, 0)
    assert (table.text("dukes", 0), table.text("dukes", 1)) == ("3C KC", "9D KH")
    assert (table.text("hand", 0), table.text("hand", 1)) == ("9S", "2D")
    assert [int(n) for n in table.s.pile] == [22, 22]
    assert (table.mover, int(table.s.turn), table.s.up.tolist()) == (0, 1, [0, 0])


def test_d6_fief_without_dukes_is_turned_up_at_the_start_of_the_turn():
    """D6: fief without dukes is turned up at the start of the turn."""
    table = Table(red={"dukes": "8H"}, black={"hand": "8C 8S"}, phase="play")
    table.say("play 8C 8S 8H")
    assert table.s.up[1] == 0
    table.say("keep dukes", "burn")
    assert table.mover == CHANCE
    assert table.outcomes() == {parse_card("2D"): 1}
    table.come("2D")
    assert (table.s.up[1], table.mover) == (1, 1)


def test_d6_it_stays_face_up():
    """D6: it stays face up."""
    table = Table({"up": 1, "dukes": "AC"}, player=1).say("stop", "keep dukes", "burn")
    assert (table.s.up[0], table.mover) == (1, 0)


def test_d7_up_to_two_cards_one_at_a_time_from_one_pile():
    """D7: up to two cards one at a time from one pile."""
    table = Table({"hand": "KC", "discards": "9C TS JC"})
    assert table.texts() == ["stop", "draw pile", "draw discard"]
    table.say("draw discard")
    assert (table.text("hand", 0), table.heap()) == ("JC KC", "9C TS")
    assert table.texts() == ["stop", "draw discard"]
    table.say("draw discard")
    assert table.s.phase not in (d.DRAWING, d.TAKING)
    table = Table({"hand": "KC", "discards": "9C"}).say("draw pile").come("7S")
    assert table.texts() == ["stop", "draw pile"]


def test_d7_never_beyond_four():
    """D7: never beyond four."""
    assert Table({"hand": "KC TC 8S"}).say("draw pile").come("4C").s.phase == d.GUARDING
    table = Table({"hand": "KC TC 8S 4S"}, player=1).say("stop", "keep dukes", "burn")
    assert table.s.phase == d.GUARDING  # a full hand is not asked
    rules = GAME.rules(hand_limit=3, draw_limit=1)
    assert Table({"hand": "KC"}, rules=rules).say("draw pile").come("4C").s.phase == d.GUARDING


def test_d8_reshuffle_when_a_card_is_needed():
    """D8: reshuffle when a card is needed."""
    # All of black's other cards lie on the table, which need not be valid for this.
    table = Table({"hand": "KC", "discards": "9C TS JC", "pile": 0})
    table.say("draw pile")
    assert sorted(table.outcomes()) == sorted(parse_cards("9C TS JC"))
    assert (table.s.pile[0], table.s.height[0]) == (3, 0)
    table.come("TS")
    assert table.texts() == ["stop", "draw pile"]
    table = Table({"hand": "KC", "discards": "9C TS", "pile": 0}).say("draw discard")
    assert (table.text("hand", 0), table.s.pile[0], table.heap()) == ("TS KC", 0, "9C")


def test_d9_only_the_final_table_counts():
    """D9: only the final table counts."""
    table = Table({"hand": "6S 6C"}, {"dukes": "9D KD"}, table="3D 4S 5D 6D", phase="play")
    assert table.texts() == ["play nothing", "play 6C 6S"]  # one more six would fit nowhere
    assert table.say("play 6C 6S").s.table == mask("3D 4S 5D 6C 6D 6S")


def test_d10_any_hand_cards():
    """D10: any hand cards."""
    table = Table({"hand": "8C 9C 4C KS"}, table=RUN, phase="play")
    expected = ["play nothing", "play 4C", "play 8C", "play 4C 8C", "play 8C 9C", "play 4C 8C 9C"]
    assert table.texts() == expected


def test_d11_taken_dukes_score_for_their_owner():
    """D11: taken dukes score for their owner."""
    table = Table({"hand": "8C"}, {"dukes": "9H KD"}, table=RUN, phase="play")
    before = [score(RULES, table.s, seat) for seat in range(2)]
    table.say("play 8C 9H")
    assert [score(RULES, table.s, seat) for seat in range(2)] == [before[0] + 1, before[1]]
    assert table.text("dukes", 1) == "KD"


def test_d12_swap():
    """D12: swap."""
    table = Table({"hand": "8S", "dukes": "AC KC"}, phase="guard")
    assert set(table.texts()) == {
        *("keep dukes", "lift AC", "lift AC place 8S", "lift KC", "lift KC place 8S"),
        *("lift AC KC", "lift AC KC place 8S"),
    }
    table.say("lift AC place 8S")
    assert (table.text("dukes", 0), table.text("hand", 0)) == ("8S KC", "AC")
    assert table.texts() == ["burn", "discard AC"]


def test_d12_an_empty_slot_stays_empty():
    """D12: an empty slot stays empty."""
    table = Table({"hand": "8S", "dukes": "AC"}, phase="guard")
    assert "place 8S" not in table.texts()
    assert "lift AC place 8S" in table.texts()


def test_d12_a_duke_can_be_played_and_its_slot_refilled():
    """D12: a duke can be played and its slot refilled."""
    table = Table({"hand": "KS", "dukes": "8C AC"}, table=RUN, phase="play").say("play 8C")
    assert "place KS" in table.texts()
    table.say("place KS")
    assert (table.text("dukes", 0), table.text("hand", 0)) == ("AC KS", "")


def test_d12_the_limit_of_four_binds_only_drawing():
    """D12: the limit of four binds only drawing."""
    table = Table({"hand": "3S 8S TC KS"}, phase="guard").say("lift AC AS")
    assert int(table.s.held[0]) == 6
    assert "burn" in table.texts()


def test_d13_first_turn():
    """D13: first turn."""
    table = Table({"hand": "8S 9S", "dukes": "TS KC"}, turn=1, phase="play")
    assert table.texts() == ["play nothing", "play 8S 9S TS"]
    alone = Table({"hand": "8S 9S", "dukes": "TS KC"}, turn=1, phase="play").say("play nothing")
    assert alone.s.phase == d.DISCARDING  # no duke can be picked up
    table = Table({"hand": "8S 9S KS", "dukes": "TS KC"}, turn=1, phase="play").say("play 8S 9S TS")
    assert table.texts() == ["keep dukes", "place KS"]
    table.say("place KS")
    assert table.text("dukes", 0) == "KC KS"
    later = Table({"hand": "8S 9S", "dukes": "TS KC"}, turn=3, phase="play").say("play nothing")
    assert "lift KC" in later.texts()


def test_d14_protect():
    """D14: protect."""
    table = Table({"hand": "8S KC", "dukes": "", "up": 1}).say("stop")
    assert table.texts() == ["keep dukes", "place 8S", "place KC"]
    table.say("place 8S")
    assert (table.text("dukes", 0), table.s.acted) == ("8S", 1)
    one = Table({"hand": "8S KC", "dukes": "AC", "up": 1}).say("stop")
    assert all("8S KC" not in text.replace("lift AC ", "") for text in one.texts())  # never two again


def test_d14_not_while_the_fief_is_face_down():
    """D14: not while the fief is face down."""
    table = Table({"hand": "8S", "dukes": "8C"}, table=RUN, phase="play").say("play 8C", "keep dukes")
    assert (table.s.up[0], table.text("dukes", 0)) == (0, "")
    assert "place 8S" not in table.texts()


def test_d15_take_the_fief():
    """D15: take the fief."""
    foe = {"dukes": "9H", "fief": "TH", "up": 1}
    table = Table({"hand": "8C"}, foe, table=RUN, phase="play")
    assert table.texts() == ["play nothing", "play 8C", "play 8C 9H", "play 8C 9H TH"]
    table.say("play 8C 9H TH")
    assert table.s.phase == d.GUARDING
    table.say("keep dukes")
    assert (table.mover, table.s.attacker) == (OVER, 0)  # no discard
    down = Table({"hand": "8C"}, foe | {"up": 0}, table=RUN, phase="play")
    assert "play 8C 9H TH" not in down.texts()


def test_d15_every_duke_must_be_taken():
    """D15: every duke must be taken."""
    table = Table({"hand": "8C"}, {"dukes": "9H KD", "fief": "TH", "up": 1}, table=RUN, phase="play")
    assert not any("TH" in text for text in table.texts())


def test_d15_refills_count():
    """D15: refills count."""
    mine, foe = {"hand": "KS", "dukes": "8C"}, {"dukes": "9H", "fief": "TH", "up": 1}
    table = Table(mine, foe, table=RUN, phase="play").say("play 8C 9H TH")
    before = score(RULES, table.s, 0)
    assert score(RULES, table.say("place KS").s, 0) == before + 1


@pytest.mark.parametrize("up", [0, 1])
def test_d16_own_fief(up):
    """D16: own fief."""
    table = Table({"fief": "8C", "up": up}, {"dukes": "", "fief": "9H", "up": 1}, table=RUN, phase="play")
    assert table.texts() == ["play nothing", "play 8C 9H"]  # never alone
    table.say("play 8C 9H", "keep dukes")
    assert (table.s.fief[0], table.mover) == (NONE, OVER)


def test_d16_a_face_up_fief_with_dukes_is_accepted():
    """D16: a face up fief with dukes is accepted."""
    table = Table({"up": 1}, table=RUN)
    check(RULES, table.s)


def test_d17_the_defender_can_win_on_points():
    """D17: the defender can win on points."""
    table = Table(
        {"dukes": "", "up": 1}, {"dukes": "", "fief": "TH", "up": 1}, table="7H 8H 9H", phase="play"
    )
    table.s.table |= mask("2H 3H 4H 5H 6H")
    table.s.unseen[1] &= ~table.s.table
    table.s.pile[1] = int(table.s.unseen[1]).bit_count()
    table.say("play TH", *(["keep dukes"] if table.s.phase == d.GUARDING else []))
    assert table.s.attacker == 0
    assert table.result() == [0.0, 1.0]


def test_d18_one_card():
    """D18: one card."""
    table = Table({"hand": "KC 8S", "discards": "3C"}, phase="discard", acted=1)
    assert table.texts() == ["burn", "discard 8S", "discard KC"]
    table.say("discard 8S")
    assert (table.heap(), table.text("hand", 0), table.mover) == ("3C 8S", "KC", 1)


def test_d19_two_cards_if_nothing_was_done():
    """D19: two cards if nothing was done."""
    table = Table({"hand": "KC 8S"}, phase="discard")
    assert table.texts() == ["burn", "discard 8S", "discard KC", "discard 8S KC", "discard KC 8S"]
    table.say("discard KC 8S")
    assert (table.heap(), table.text("hand", 0)) == ("KC 8S", "")
    for swap in ("lift AC", "lift AC place 8S"):
        assert "discard KC 8S" not in Table({"hand": "KC 8S 9S"}, phase="guard").say(swap).texts()
    played = Table({"hand": "KC 8S 8C"}, table=RUN, phase="play").say("play 8C", "keep dukes")
    assert "discard KC 8S" not in played.texts()
    protected = Table({"hand": "KC 8S 9S", "dukes": "", "up": 1}, phase="guard", slots=1).say("place 9S")
    assert "discard KC 8S" not in protected.texts()


def test_d20_burn():
    """D20: burn."""
    table = Table({"hand": "KC", "discards": "3C"}, phase="discard")
    pile = int(table.s.pile[0])
    table.say("burn")
    assert (table.s.pile[0], table.s.burnt[0], table.heap()) == (pile - 1, 1, "3C")  # at the bottom
    empty = Table({"hand": "KC", "discards": "3C 4S", "pile": 0}, phase="discard").say("burn")
    assert (empty.s.pile[0], empty.s.burnt[0], empty.heap()) == (1, 1, "")  # D8


def test_d20_a_burnt_card_is_decided_when_it_is_seen():
    """D20: a burnt card is decided when it is seen."""
    table = Table({"hand": "KC", "discards": "3C", "burnt": 2})
    table.say("draw discard", "draw discard")
    assert table.mover == CHANCE
    assert table.outcomes() == dict.fromkeys(cards_in(int(table.s.unseen[0])), 1)
    table.come("9S")
    assert (table.s.burnt[0], table.text("hand", 0)) == (1, "3C 9S KC")


def test_d21_a_card_of_the_table():
    """D21: a card of the table."""
    table = Table({"discards": "3C"}, table="4C 5C 6C 7H", phase="discard")
    assert table.texts() == ["burn", "remove 4C"]  # 7H is red, the others hold the run together
    table.say("remove 4C")
    assert (table.heap(), table.s.table == mask("5C 6C 7H")) == ("3C 4C", True)
    played = Table({"hand": "8C"}, table=RUN, phase="play").say("play 8C", "keep dukes")
    assert "remove 8C" in played.texts()


def test_d22_last_turn():
    """D22: last turn."""
    table = last_turn_table({"dukes": "TH", "fief": "JH", "up": 1}).say("draw discard")
    assert table.texts() == ["play nothing", "play 8C", "play 9C", "play 8C 9C"]  # no takes, no own dukes
    before = score(RULES, table.s, 0)
    table.say("play 8C 9C")
    assert (table.mover, score(RULES, table.s, 0)) == (OVER, before + 2)


def last_turn_table(foe):
    """Black has all cards but a few on the table: runs of clubs and spades."""
    table = Table({"hand": "8C", "discards": "9C", "dukes": "AC AS", "fief": "2S"}, foe)
    s = table.s
    s.table = mask("2C 3C 4C 5C 6C 7C TC JC QC KC 3S 4S 5S 6S 7S 8S 9S TS JS QS KS")
    s.unseen[0] = s.pile[0] = 0
    s.may[0, d.PILE] = 0
    return table


def test_d22_stopping_short_of_the_last_card_goes_on():
    """D22: stopping short of the last card goes on."""
    table = last_turn_table({"dukes": "TH", "fief": "JH"})
    table.say("stop", "play nothing", "keep dukes")
    assert table.s.phase == d.DISCARDING


def test_d23_score():
    """D23: score."""
    table = Table({"hand": "8C"}, table=RUN)
    assert [score(RULES, table.s, seat) for seat in range(2)] == [2 + 2 + 1, 1 + 2 + 1]
    table.s.attacker = 1
    assert score(RULES, table.s, 1) == 7
    assert score(GAME.rules(fief_bonus=5), table.s, 1) == 9


@pytest.mark.parametrize(("attacker", "expected"), [(0, [1.0, 0.0]), (1, [0.0, 1.0]), (NONE, [0.5, 0.5])])
def test_d23_ties(attacker, expected):
    """D23: ties."""
    rules = GAME.rules(fief_bonus=0)
    table = Table(table="6S 6C 6H 6D", rules=rules)
    table.s.phase, table.s.attacker = d.ENDED, attacker
    assert table.result() == expected


def test_d24_max_turns():
    """D24: max turns."""
    rules = GAME.rules(max_turns=4)
    table = Table(table=RUN, player=1, rules=rules).say("stop", "keep dukes", "burn")
    assert table.result() == [1.0, 0.0]
    assert table.s.attacker == NONE
    taking = Table({"dukes": "", "fief": "8C", "up": 1}, table=RUN, player=1, rules=rules, phase="play")
    taking.say("play 8C", "keep dukes")
    assert (taking.s.attacker, taking.result()) == (1, [0.0, 1.0])


def test_d25_hidden_and_public():
    """D25: hidden and public."""
    table = Table({"hand": "KC 8S 9S", "discards": "3C"}, table="4C 5C 6C 7H", phase="discard")
    table.s.open[0] = 0
    view = table.view(1)
    assert (view.hand[0], view.held[0], view.fief[0], view.heap[0, 0]) == (0, 3, HIDDEN, HIDDEN)
    own = table.view(0)
    assert (own.hand[0], own.fief[0], own.heap[0, 0]) == (
        mask("KC 8S 9S"),
        parse_card("2S"),
        parse_card("3C"),
    )
    move = {text: parse_move(GAME, RULES, table.state, text) for text in table.texts()}
    assert contract.shown(RULES, table.s, move["discard KC"], 1) == d.DISCARD
    assert contract.shown(RULES, table.s, move["discard KC 8S"], 1) == d.DISCARD_TWO
    assert contract.shown(RULES, table.s, move["burn"], 1) == d.BURN
    assert contract.shown(RULES, table.s, move["remove 4C"], 1) == move["remove 4C"]
    table.say("remove 4C")
    assert table.view(1).heap[0].tolist()[:2] == [HIDDEN, parse_card("4C")]


def test_d25_a_drawn_card_is_its_owners():
    """D25: a drawn card is its owners."""
    table = Table({"hand": "KC"}).say("draw pile")
    assert contract.shown(RULES, table.s, parse_card("9S"), 1) == HIDDEN
    assert contract.shown(RULES, table.s, parse_card("9S"), 0) == parse_card("9S")


def fills(table, seat, count=300):
    for number in range(count):
        world = GAME.view(RULES, table.state, seat)
        contract.fill(RULES, world[0], stream(number))
        yield world[0]


def test_d25_a_duke_picked_up_is_known_to_be_in_hand():
    """D25: a duke picked up is known to be in hand."""
    table = Table({"hand": "KC 8S"}, phase="guard").say("lift AC place 8S")
    assert all(int(world.hand[0]) & mask("AC") for world in fills(table, 1, 50))
    table.say("discard AC")
    worlds = list(fills(table, 1))
    held = [bool(int(world.hand[0]) & mask("AC")) for world in worlds]
    assert {True, False} == set(held)
    for world, in_hand in zip(worlds, held, strict=True):
        assert in_hand != (world.heap[0, 0] == parse_card("AC"))


def test_d25_a_seen_discard_is_known_until_the_reshuffle():
    """D25: a seen discard is known until the reshuffle."""
    table = Table({"hand": "KC 8S", "dukes": "AC AS"}, table="4C 5C 6C 7H", phase="discard").say("remove 4C")
    assert all(world.heap[0, 0] == parse_card("4C") for world in fills(table, 1, 50))
    table.say("stop", "keep dukes", "burn", "draw discard")
    assert all(int(world.hand[0]) & mask("4C") for world in fills(table, 1, 50))


def test_d25_burnt_cards_are_unknown_to_their_owner_too():
    """D25: burnt cards are unknown to their owner too."""
    table = Table({"hand": "KC"}, phase="discard").say("burn")
    assert int(table.view(0).unseen[0]).bit_count() == table.s.pile[0] + 1


def test_fill_reaches_every_place():
    table = Table({"hand": "KC 8S", "discards": "3C"}, phase="discard").say("discard KC")
    hidden = [int(card) for card in cards_in(int(table.view(1).unseen[0]))]
    hands, fiefs, tops = set(), set(), set()
    for world in fills(table, 1, 1500):
        hands |= set(cards_in(int(world.hand[0])))
        fiefs.add(int(world.fief[0]))
        tops.add(int(world.heap[0, 1]))
    assert hands == fiefs == tops == set(hidden)


def test_meldable_is_what_some_meld_holds():
    rng = stream(8)
    for _ in range(2000):
        cards = sum(1 << card for card in range(52) if uniform(rng) < 0.35)
        expected = sum(1 << card for card in cards_in(cards) if in_any_meld(card, cards))
        assert meldable(cards) == expected


def test_the_enumeration_bound():
    assert contract.most_moves(RULES) == 384
    assert contract.most_moves(GAME.rules(hand_limit=6)) == 1536


@pytest.mark.parametrize(
    "changes", [{}, {"hand_limit": 6, "draw_limit": 6}, {"hand_limit": 1, "fief_bonus": 0}]
)
def test_random_games_keep_all_cards(changes):
    rules = GAME.rules(**changes)
    for seed in range(4):
        rng = stream(seed)
        state = GAME.new(rules)
        s = state[0]
        while (seat := contract.mover(rules, s)) != OVER:
            if seat == CHANCE:
                code = contract.roll(rules, s, uniform(rng))
            else:
                check(rules, s)
                view = GAME.view(rules, state, seat)
                moves = GAME.legal(rules, state)
                assert moves == sorted(set(moves)) == GAME.legal(rules, view)
                world = view.copy()
                contract.fill(rules, world[0], rng)
                check(rules, world[0])
                assert GAME.view(rules, world, seat) == view
                code = moves[below(rng, len(moves))]
            contract.play(rules, s, code)
        check(rules, s)


def test_bad_states_are_refused():
    changes = {
        "table": mask("5C 6C"),
        "attacker": 5,
        "turn": 999,
        "held": [1, 1],
        "hand": [1, 0],
        "player": 1,
    }
    check(RULES, Table(phase="discard").s)
    for name, value in changes.items():
        table = Table(phase="discard")
        table.s[name] = value
        with pytest.raises(InputError):
            check(RULES, table.s)
