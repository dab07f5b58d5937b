"""Up and Down the River: rule parameters, the state, and the codes of moves. Rulings are in docs/rules.

A *kind* of card is ``12 * suit + step`` with steps 3 … K, ace, or 48 for a wild; see
``solvers.melds.river_kernel``. A heap of cards is three numbers: the kinds in it, those in it twice (a part
of them), and its wilds; in arrays they stand at ``ONES``, ``TWOS`` and ``WILDS``.
"""

from typing import NamedTuple

import numpy as np

from engines.errors import InputError
from engines.game import Parameter
from solvers.melds.river_kernel import CONTRACTS as UP
from solvers.melds.river_kernel import KINDS, MAX_MELDS, RANK, STEPS
from solvers.melds.river_table import TABLE


class RiverRules(NamedTuple):
    """The rule parameters of Up and Down the River."""

    players: int
    rounds: int
    deal: int
    max_turns: int
    goal: int
    first_round: int


PARAMETERS = (
    Parameter("players", 3, 2, 6, "players at the table"),
    Parameter("rounds", 0, 0, 1, "rounds of a game; 13 go up and down again", choices=("7", "13")),
    Parameter("deal", 11, 1, 17, "cards dealt to each player"),
    Parameter("max_turns", 200, 1, 10_000, "turns of all players after which a round ends"),
    Parameter(
        "goal", 0, 0, 1, "what is played for: to win the game, or one round's points", ("game", "round")
    ),
    Parameter("first_round", 1, 1, 13, "the round that a new game begins with"),
)
SEVEN, THIRTEEN = range(2)  # values of ``rounds``
ROUNDS = (7, 13)
GAME_WON, ROUND_POINTS = range(2)  # values of ``goal``


def valid_rules(rules: RiverRules) -> None:
    """Raise ``InputError`` if the rules' parameters do not fit together."""
    if rules.first_round > ROUNDS[rules.rounds]:
        raise InputError(
            f"rule first_round = {rules.first_round}: expected at most rounds = {ROUNDS[rules.rounds]}"
        )


MAX_PLAYERS = 6
ONES, TWOS, WILDS = range(3)
ALL_KINDS = (1 << KINDS) - 1
ALL_WILDS = 12
CARDS = 2 * KINDS + ALL_WILDS

# The contract of each round of thirteen: sets and runs (V4).
CONTRACTS = np.array(UP + UP[-2::-1])
SETS, RUNS = CONTRACTS[:, 0].copy(), CONTRACTS[:, 1].copy()

# Cards by what they cost in hand (V13).
TENS = sum(RANK << step for step in range(7, STEPS - 1))
ACES = RANK << (STEPS - 1)
FIVES = ALL_KINDS & ~TENS & ~ACES
ALL_POINTS = 960  # of the whole deck

# What happens next. Chance: the deal, the card turned up, the second card of a buyer, the card drawn.
# Decisions: draw or take, buy or pass, go down, add, discard.
DEALING, TURNING, BOUGHT, DRAWN, DRAWING, BUYING, PLAYING, ADDING, DISCARDING, ENDED = range(10)

STATE = np.dtype(
    (
        np.record,
        [
            ("phase", "i8"),
            ("player", "i8"),  # whose turn it is, or who gets the next card of the deal
            ("asked", "i8"),  # who may buy, or is buying; else NONE
            ("turn", "i8"),  # turns of this round so far, the present one included; 0 during the deal
            ("stage", "i8"),  # the round, 0 … 12 (a record has a method ``round``)
            ("least", "i8"),  # while melds are laid or added to: no move of a lower code but STOP; else 0
            ("totals", "i8", (MAX_PLAYERS,)),  # points of the rounds before, at the end of all
            ("down", "i8", (MAX_PLAYERS,)),  # NOT_DOWN, JUST_DOWN or DOWN
            ("held", "i8", (MAX_PLAYERS,)),  # cards in each hand
            ("hand", "i8", (MAX_PLAYERS, 3)),  # these; blank in another's view
            ("known", "i8", (MAX_PLAYERS, 3)),  # those of them that all know (V15)
            ("pile", "i8"),  # cards in the draw pile
            ("unseen", "i8", (3,)),  # these; in a view, all cards that the seat does not know the place of
            ("shuffled", "i8", (3,)),  # what the draw pile held at the last reshuffle; all cards before it
            ("top", "i8"),  # the kind on top of the discard pile, or NONE if there is none
            ("second", "i8"),  # the one below, while it can come to the top; else NONE
            ("buried", "i8", (3,)),  # the discards below, in no order
            ("laid", "i8", (3,)),  # all cards on the table
            ("melds", TABLE, (MAX_PLAYERS * MAX_MELDS,)),  # three places a seat, runs first; all 0: none
        ],
    )
)
NOT_DOWN, JUST_DOWN, DOWN = range(3)  # JUST_DOWN: in this very turn (V8)

# Why the order of the buried discards is no part of the state: a turn begins with a card just discarded (or
# turned up). At most one card leaves the discard pile in a turn, and one comes at its end. So the second may
# come to the top during a turn, but nobody can take it before it is covered, and what lies below it never
# comes to the top at all, but for a reshuffle, which mixes it (V14).

# Moves, ascending within each decision.
STOP, DRAW, TAKE, PASS, BUY = range(5)
SORT = 1 << 20
LAY_RUN = SORT  # + a piece of the kernel: the run's lowest kind and which naturals lie in it
LAY_SETS = 2 * SORT  # + a piece of the kernel: rank and number of sets, and their naturals
LAY_ALL = 3 * SORT  # all cards in three runs (V12)
ADD = 4 * SORT  # + 512 * meld + 64 * where + kind; where as in solvers.melds.river_table
DISCARD = 5 * SORT  # + kind
