"""Dukes Up!: rule parameters, the state, and the codes of moves. Ruling ids are those of docs/rules."""

from typing import NamedTuple

import numpy as np

from engines.cards import CLUBS, DIAMONDS, HEARTS, SPADES, suit_mask
from engines.game import Parameter


class DukesRules(NamedTuple):
    """The rule parameters of Dukes Up!."""

    fief_bonus: int
    hand_limit: int
    draw_limit: int
    max_turns: int


PARAMETERS = (
    Parameter("fief_bonus", 3, 0, 20, "points for taking the opponent's FIEF"),
    Parameter("hand_limit", 4, 1, 6, "cards in hand beyond which nobody draws"),
    Parameter("draw_limit", 2, 1, 6, "the most cards drawn in a turn"),
    Parameter("max_turns", 300, 1, 10_000, "turns of both players after which the game ends by score"),
)

COLOUR = np.array(  # by seat: the 26 cards of black and of red (D1)
    [suit_mask(CLUBS) | suit_mask(SPADES), suit_mask(HEARTS) | suit_mask(DIAMONDS)]
)
CARDS_EACH = 26
DEALT = 4  # to choose a FIEF and two dukes from (D5)

# What happens next. Chance: the deal, the dukes turned up, a FIEF turned up, a card drawn. Decisions: the
# set-up, then in a turn draws, cards to the table, changes of the own dukes, the discard.
DEALING, REVEALING, FLIPPING, TAKING, CHOOSING, DRAWING, PLAYING, GUARDING, DISCARDING, ENDED = range(10)

STATE = np.dtype(
    (
        np.record,
        [
            ("phase", "i8"),
            ("player", "i8"),  # whose turn it is
            ("turn", "i8"),  # turns so far, the present one included; 0 during the set-up
            ("drawn", "i8"),  # cards drawn this turn
            ("source", "i8"),  # where they come from: PILE or HEAP, or NONE
            ("slots", "i8"),  # dukes that may be put down this turn (D12, D14)
            ("acted", "i8"),  # 1 if the player did more than draw this turn (D19)
            ("attacker", "i8"),  # who took the opponent's FIEF, or NONE
            ("table", "i8"),  # mask
            # Of each seat:
            ("plan", "i8", (2,)),  # the move chosen in the set-up and not yet turned up, or NONE
            ("hand", "i8", (2,)),  # mask; the opponent's is blank in a view,
            ("held", "i8", (2,)),  # so this is its size
            ("dukes", "i8", (2,)),  # mask
            ("fief", "i8", (2,)),  # a card; NONE before the choice and once it is on the table
            ("up", "i8", (2,)),  # 1 if the FIEF is face up
            # The draw pile and the burnt cards at the bottom of the heap (the discard pile) are exchangeable:
            (
                "unseen",
                "i8",
                (2,),
            ),  # the set of both; in a view, all cards of the opponent that may be anywhere
            ("pile", "i8", (2,)),  # cards in the draw pile
            ("burnt", "i8", (2,)),  # burnt cards
            ("height", "i8", (2,)),  # cards in the heap above the burnt ones
            ("heap", "i8", (2, CARDS_EACH)),  # these, the last on top; NONE above
            ("open", "i8", (2,)),  # mask of those that the opponent saw there (D21)
            ("may", "i8", (2, 4)),  # for the opponent: which hidden cards may be in each place, as masks
        ],
    )
)

# Places of a card that the opponent does not see, for ``may``; the first two are also where draws come from.
PILE, HEAP, HAND, FIEF = range(4)

# Moves: a kind above bit 52, and a mask or cards below. Ascending within each decision.
STOP = 0
DRAW = 1  # + PILE or HEAP
KIND = 1 << 52
CARDS = KIND - 1
PLAY = KIND  # + mask of the cards that go to the table
TAKE = 2 * KIND  # the same, the opponent's FIEF among them
GUARD = 3 * KIND  # + mask of own dukes picked up and of hand cards that become dukes
BURN = 4 * KIND
DISCARD = 5 * KIND  # + a hand card
DISCARD_TWO = 6 * KIND  # + 64 * the first hand card + the second, which ends on top
REMOVE = 7 * KIND  # + a card of the table
CHOOSE = 8 * KIND  # + KIND * the FIEF + mask of the dukes
