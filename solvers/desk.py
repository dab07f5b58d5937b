"""The room that expectimax works in: a stack of frames, a table of states, and what it reports."""

from typing import Any, NamedTuple

import numpy as np

from engines.contract import OUTCOMES, most_moves, seats
from engines.game import Game
from solvers.transpositions import new_salts, new_table

# Depth that is left: PLY times the plies, plus the chance events that come free before the next decision.
FREE = 2  # after each decision: two cards are turned up
PLY = FREE + 1

# How sure a value is: some leaf was estimated; all were finished games, but somebody decided by what they
# cannot know; it is the value under best play.
ESTIMATED, OPEN, EXACT = range(3)

# How much is cut off; each does all that the one before does.
NOTHING, ALPHA_BETA, STAR1, STAR2 = range(4)

# Places in the settings: how much to cut off, the number of the last search, the part of the game that it is
# in, and whether two play for the same.
PRUNING, SEARCHES, PART, DUEL = range(4)

# Places in a report.
DEPTH, NODES, IS_EXACT, WORLDS = range(4)

FRAME = np.dtype(
    (
        np.record,
        [
            ("seat", "i8"),  # who decides, or CHANCE
            ("left", "i8"),  # depth left, in units
            ("count", "i8"),  # moves or outcomes
            ("next", "i8"),  # the first of them that has not been looked at
            ("child", "i8"),  # the one being looked at
            ("best", "i8"),  # the best move so far
            ("key", "i8"),
            ("status", "i8"),  # the least sure of all that was looked at
            ("glance", "i8"),  # see below
            ("probing", "i8"),  # a chance event: 1 while Star2 takes its first look
            ("total", "i8"),  # the sum of the weights
            ("floor", "f8"),  # the window as it was asked for: values outside need not be told apart
            ("ceiling", "f8"),
            ("alpha", "f8"),  # the window as it has become
            ("beta", "f8"),
            ("low", "f8"),  # a chance event: the sums of the weighted bounds of all outcomes
            ("high", "f8"),
            ("child_floor", "f8"),  # the window of the child
            ("child_ceiling", "f8"),
        ],
    )
)
# What a value returned to Star2's first look means: what it says; the best of one move only; nothing.
WHOLE, ONE_MOVE, UNKNOWN = range(3)


class Desk(NamedTuple):
    """The room that a search works in, for one game; rows are frames of the stack, the root's child first."""

    states: np.ndarray
    words: np.ndarray  # the same memory as the states, as whole numbers
    frames: np.ndarray
    codes: np.ndarray  # [frame, move or outcome]
    weights: np.ndarray  # [frame, outcome]
    lows: np.ndarray  # [frame, outcome]: bounds of its value, two seats only
    highs: np.ndarray
    values: np.ndarray  # [frame, 0]: the value to the root seat; for more than two seats [frame, seat]
    table: np.ndarray
    bounds: np.ndarray  # [entry, 0 or 1]: bounds of the value; for more than two seats [entry, seat]
    salts: np.ndarray
    spare: np.ndarray  # two states: a view, and a completion of it
    spare_words: np.ndarray  # the same memory, as whole numbers
    moves: np.ndarray  # of the root,
    order: np.ndarray  # the best first, as places in moves,
    fresh: np.ndarray  # and their values in the present iteration
    rng: np.ndarray  # streams: the worlds', the policy's for the order of moves, and at the leaves
    settings: np.ndarray  # PRUNING, SEARCHES, PART, DUEL
    report: np.ndarray  # DEPTH, NODES, IS_EXACT, WORLDS


def new_desk(game: Game, rules: Any, deepest: int = 32, entries: int = 1 << 16, pruning: int = STAR2) -> Desk:
    """Make the room for searches of up to a depth, with a table of so many states (0: none)."""
    rows = PLY * deepest + 1
    players = int(seats(rules))
    if players > 2:
        pruning = min(pruning, ALPHA_BETA)  # the others assume that what one wins another loses
    size = game.state_type.itemsize // 8
    width = max(int(most_moves(rules)), OUTCOMES)
    states, spare = np.zeros(rows, game.state_type), np.zeros(2, game.state_type)
    table = new_table(entries)
    return Desk(
        states=states,
        words=states.view(np.int64).reshape(rows, size),
        frames=np.zeros(rows, FRAME),
        codes=np.zeros((rows, width), np.int64),
        weights=np.zeros((rows, OUTCOMES), np.int64),
        lows=np.zeros((rows, OUTCOMES)),
        highs=np.zeros((rows, OUTCOMES)),
        values=np.zeros((rows, players)),
        table=table,
        bounds=np.zeros((len(table), players)),
        salts=new_salts(size),
        spare=spare,
        spare_words=spare.view(np.int64).reshape(2, size),
        moves=np.zeros(width, np.int64),
        order=np.zeros(width, np.int64),
        fresh=np.zeros(width),
        rng=np.zeros((3, 1), np.int64),
        settings=np.array([pruning, 0, 0, 0], np.int64),
        report=np.zeros(4, np.int64),
    )
