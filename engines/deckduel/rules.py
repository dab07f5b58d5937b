"""Deck Duel: rule parameters, the state, and the codes of moves. Ruling ids are those of docs/rules."""

from typing import NamedTuple

import numpy as np

from engines.game import Parameter


class DuelRules(NamedTuple):
    """The rule parameters of Deck Duel."""

    start_health: int
    max_health: int
    start_energy: int
    max_points: int
    ace_damage: int
    max_turns: int


PARAMETERS = (
    Parameter("start_health", 10, 1, 100, "health at the start"),
    Parameter("max_health", 12, 1, 100, "health that a queen cannot raise further"),
    Parameter("start_energy", 3, 0, 9, "energy at the start of every round, and the most there can be"),
    Parameter("max_points", 3, 0, 9, "the most attack points, and the most defense points"),
    Parameter("ace_damage", 2, 1, 9, "damage of an ace with focus; every other card deals 1"),
    Parameter("max_turns", 500, 1, 10_000, "complete turns after which the game is a draw"),
)
ORDERED = (("start_health", "max_health"),)

# What happens next. Decisions: of the player with initiative, of the other in the second preparation and in
# defense; the winner of a fight has taken the initiative (K7). Chance: the toss, reveals and a jack's looks.
(
    TOSSING,
    REVEALING,
    LOOKING,
    LOOKING_ON,
    FIRST_PREP,
    ACTING,
    SEEING,
    SEEING_BOTH,
    SECOND_PREP,
    DEFENDING,
    ENDED,
) = range(11)

STATE = np.dtype(
    (
        np.record,
        [
            ("phase", "i8"),
            ("turns", "i8"),  # complete turns so far
            ("initiative", "i8"),  # a seat, or NONE before the toss
            ("damage", "i8"),  # dealt but not yet defended against
            ("winner", "i8"),  # a seat, or NONE for a draw or while the game goes on
            # Of each seat:
            ("health", "i8", (2,)),
            ("energy", "i8", (2,)),
            ("attack", "i8", (2,)),
            ("defense", "i8", (2,)),
            ("focus", "i8", (2,)),  # 1 with focus
            ("deck", "i8", (2,)),  # mask of the ranks that lie face down
            ("card", "i8", (2,)),  # the rank revealed this turn, or NONE
            ("top", "i8", (2,)),  # what a jack showed its owner of the deck: the rank on top
            ("second", "i8", (2,)),  # and the one below, or NONE
        ],
    )
)

# Moves, in ascending order.
PASS = 0
ADD_ATTACK = 1
ADD_DEFENSE = 2
GAIN_ENERGY = 3
FOCUS = 4
HEAL = 5
HEAL_TWO = 6
LOOK = 7
KEEP = 8
LOOK_ON = 9
DISCARD = 10  # + rank on top, which all get to see
DEFEND = 23  # + defense points spent
DAMAGE = 33  # + attack points spent
MOST_MOVES = 16
