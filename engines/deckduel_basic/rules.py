"""Deck Duel, basic ruleset: rule parameters, the state, and the codes of moves (K20-K25)."""

from typing import NamedTuple

import numpy as np

from engines.game import Parameter


class BasicDuelRules(NamedTuple):
    """The rule parameters of the basic ruleset of Deck Duel."""

    start_health: int
    max_health: int
    start_actions: int
    max_actions: int
    max_rage: int
    ace_damage: int
    max_turns: int


PARAMETERS = (
    Parameter("start_health", 10, 1, 100, "health at the start"),
    Parameter("max_health", 12, 1, 100, "health that a queen cannot raise further"),
    Parameter("start_actions", 2, 0, 20, "actions at the start of every round"),
    Parameter("max_actions", 6, 0, 20, "the most actions there can be"),
    Parameter("max_rage", 3, 0, 9, "the most rage there can be"),
    Parameter("ace_damage", 2, 1, 9, "damage of an ace with focus; every other card deals 1"),
    Parameter("max_turns", 500, 1, 10_000, "complete turns after which the game is a draw"),
)
ORDERED = (("start_health", "max_health"), ("start_actions", "max_actions"))

# What happens next. Chance: both open what they have prepared, they reveal, a jack looks. Decisions: both
# prepare in secret, the loser of a fight defends, the winner takes a reward and may see a card.
OPENING, REVEALING, LOOKING, PREPARING, DEFENDING, REWARDING, SEEING, ENDED = range(8)

STATE = np.dtype(
    (
        np.record,
        [
            ("phase", "i8"),
            ("turns", "i8"),  # complete turns so far
            ("attacker", "i8"),  # the seat that won this turn's fight, or NONE
            ("winner", "i8"),  # a seat, or NONE for a draw or while the game goes on
            # Of each seat:
            ("health", "i8", (2,)),
            ("actions", "i8", (2,)),
            ("rage", "i8", (2,)),
            ("focus", "i8", (2,)),  # 1 with focus
            ("deck", "i8", (2,)),  # mask of the ranks that lie face down
            ("card", "i8", (2,)),  # the rank revealed this turn, or NONE
            ("top", "i8", (2,)),  # the rank on top of the deck if a jack showed it to its owner, or NONE
            ("choice", "i8", (2,)),  # PASS or ADD_RAGE, prepared but not yet opened, or NONE
        ],
    )
)

# Moves, in ascending order.
PASS = 0
ADD_RAGE = 1
BEAR = 2
DEFEND = 3
GAIN_ACTION = 4
FOCUS = 5
HEAL = 6
LOOK = 7
KEEP = 8
DISCARD = 9  # + rank on top, which all get to see
MOST_MOVES = 2
