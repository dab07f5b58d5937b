"""Royal Family: rule parameters, the state, and the codes of moves. Ruling ids are those of docs/rules."""

from typing import NamedTuple

import numpy as np

from engines.cards import CLUBS, DIAMONDS, HEARTS, SPADES, rank_mask
from engines.game import Parameter


class RoyalRules(NamedTuple):
    """The rule parameters of Royal Family."""

    castle_hp: int
    king_bonus: int
    attack_needs_family: int
    attack_suit: int
    captives: int
    captives_with_queen: int
    jack_any_suit: int
    max_turns: int


ENEMY_SUIT, OWN_SUIT = 0, 1  # attack_suit

PARAMETERS = (
    Parameter("castle_hp", 20, 1, 200, "damage at which a castle falls"),
    Parameter("king_bonus", 2, 0, 20, "added to every own fortification while an own king is home"),
    Parameter("attack_needs_family", 1, 0, 1, "own family members at home that an attack needs"),
    Parameter("attack_suit", ENEMY_SUIT, 0, 1, "whose castle an attack card must match", ("enemy", "own")),
    Parameter("captives", 1, 0, 12, "captives a castle can hold"),
    Parameter("captives_with_queen", 3, 0, 12, "captives a castle can hold while an own queen is home"),
    Parameter(
        "jack_any_suit", 1, 0, 1, "an own jack lets both suits of the colour attack", ("false", "true")
    ),
    Parameter("max_turns", 400, 1, 10_000, "draws after which the game is a draw"),
)

# Castles: [seat, 0 or 1]; castle 0 stands from the start (R1).
CREST = np.array([[SPADES, CLUBS], [HEARTS, DIAMONDS]])
OWNER = np.array([0, 1, 1, 0])  # by suit
CASTLE = np.array([1, 1, 0, 0])  # by suit: which castle of its owner's

KINGS, QUEENS, JACKS = rank_mask(12), rank_mask(11), rank_mask(10)
FIRST_JOKER = 52

# What happens next: a chance event, a decision of the player or (DEFENDING) of the opponent, nothing.
DEALING, DRAWING, REVEALING, ACTING, DEFENDING, ENDED = range(6)

STATE = np.dtype(
    (
        np.record,
        [
            ("phase", "i8"),
            ("player", "i8"),  # whose turn it is
            ("card", "i8"),  # in the player's hand, or attacking; NONE if there is none
            ("target", "i8"),  # the opponent's castle under attack, else NONE
            ("extra", "i8"),  # 1 on an extra turn
            ("spent", "i8"),  # aces discarded in this chain of extra turns, not to be drawn again (mask)
            ("turns", "i8"),  # draws so far
            ("winner", "i8"),  # a seat, or NONE for a draw or while the game goes on
            ("deck", "i8"),  # mask
            ("out", "i8"),  # mask of the cards that left the game
            ("top", "i8", (3,)),  # the top card of each pile, or NONE
            ("below", "i8", (54,)),  # the card under each card of a pile, or NONE
            ("stands", "i8", (2, 2)),  # 1 while a castle stands
            ("fort", "i8", (2, 2)),  # masks: fortifications,
            ("hits", "i8", (2, 2)),  # attack cards that stayed as damage,
            ("family", "i8", (2, 2)),  # family members at home,
            ("captives", "i8", (2, 2)),  # and captives
        ],
    )
)

# Moves, in ascending order.
DRAW_DECK = 0
DRAW_PILE = 1  # + pile
DISCARD = 4  # + pile
FORTIFY = 7
ATTACK = 8  # + castle of the opponent
PLACE = 10
KIDNAP = 11  # + own castle
BUILD = 13
ASSASSINATE = 14  # + 3 * castle of the opponent + (0 jack, 1 queen, 2 king)
DEFEND = 20  # + rank of the fortification
MOST_MOVES = 16
