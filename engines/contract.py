"""The contract between a game and everything that plays it.

A game is a ``NamedTuple`` of rule parameters (``rules``), a NumPy record type for its states, and one
implementation of each function below, registered under the class of its rules. Search, matches and tests
are written once against these names and compiled for each game.

A state ``s`` is one row of a record array; the caller owns it, ``s`` is changed in place, and
``work[0] = root[0]`` copies one. Moves and chance outcomes are whole numbers (``code``). The future is not
stored: a face-down deck is a set, and what comes off it is a chance event with known weights. Random numbers
come from a stream ``rng`` that is passed in (``engines.random``). Everything runs compiled and, with
``NUMBA_DISABLE_JIT=1``, as plain Python.
"""

from typing import Any

import numpy as np

from engines.compiled import generic

CHANCE = -1
"""``mover`` of a state that waits for a chance outcome."""
OVER = -2
"""``mover`` of a finished game."""
HIDDEN = -2
"""In a view: something is here that the seat cannot see. Also what ``shown`` gives for an unseen event."""
NONE = -1
"""Nothing is here."""
OUTCOMES = 64
"""Chance outcomes are numbers below this."""


def _no_game(rules: Any) -> TypeError:
    return TypeError(f"no game is registered for rules of type {type(rules).__name__}")


@generic
def seats(rules: Any) -> int:
    """Return the number of players."""
    raise _no_game(rules)


@generic
def private(rules: Any) -> bool:
    """Return whether a seat can ever know something that another does not."""
    raise _no_game(rules)


@generic
def most_moves(rules: Any) -> int:
    """Return a bound on the number of legal moves: the size of a buffer for ``legal``."""
    raise _no_game(rules)


@generic
def start(rules: Any, s: Any) -> None:
    """Set the state to the beginning of a game; whatever is dealt comes as chance events."""
    raise _no_game(rules)


@generic
def mover(rules: Any, s: Any) -> int:
    """Return the seat that decides now, or ``CHANCE``, or ``OVER``."""
    raise _no_game(rules)


@generic
def legal(rules: Any, s: Any, moves: np.ndarray) -> int:
    """Write the mover's legal moves into ``moves``, ascending, and return their number (at least 1).

    They depend only on what the mover can see.
    """
    raise _no_game(rules)


@generic
def outcomes(rules: Any, s: Any, codes: np.ndarray, weights: np.ndarray) -> int:
    """Write the outcomes of the chance event, ascending, and their whole-number weights; return how many."""
    raise _no_game(rules)


@generic
def roll(rules: Any, s: Any, u: float) -> int:
    """Return the outcome of the chance event at the fraction ``u`` (in [0, 1)) of the summed weights.

    It says the same as ``outcomes``, without the list.
    """
    raise _no_game(rules)


@generic
def luck(rules: Any, s: Any) -> int:
    """Return the seat whose luck the chance event is, or ``seats(rules)`` if it is nobody's.

    Matches give each seat a luck of its own, so that agents that swap seats meet the same.
    """
    raise _no_game(rules)


@generic
def play(rules: Any, s: Any, code: int) -> None:
    """Carry out a legal move or a chance outcome."""
    raise _no_game(rules)


@generic
def returns(rules: Any, s: Any, seat: int) -> float:
    """Return what a finished game is worth to a seat: 1 for a win, 0 for a loss, shares for ties."""
    raise _no_game(rules)


@generic
def points(rules: Any, s: Any, seat: int) -> float:
    """Return the points of a seat in a game that counts them, as they stand; nought in one that does not."""
    raise _no_game(rules)


@generic
def part(rules: Any, s: Any) -> int:
    """Return the number of the part of the game, such as a round, that the state is in.

    A search looks no further than to the end of a part: what comes then is dealt anew.
    """
    raise _no_game(rules)


@generic
def hide(rules: Any, s: Any, seat: int) -> None:
    """Blank what a seat cannot see; the result is that seat's view."""
    raise _no_game(rules)


@generic
def fill(rules: Any, s: Any, rng: np.ndarray) -> None:
    """Replace what is blank in a view by a random completion that fits all that the seat knows.

    Every completion that the rules allow can occur.
    """
    raise _no_game(rules)


@generic
def shown(rules: Any, s: Any, code: int, seat: int) -> int:
    """Return what a seat sees of the move or outcome that is about to be played: its code, or ``HIDDEN``."""
    raise _no_game(rules)


@generic
def suggest(rules: Any, s: Any, moves: np.ndarray, n: int, rng: np.ndarray) -> int:
    """Return one of the ``n`` legal moves by a quick, sensible policy that reads only what the mover sees."""
    raise _no_game(rules)


@generic
def evaluate(rules: Any, s: Any, seat: int) -> float:
    """Return a quick estimate of ``returns`` for a seat, in any state, in [0, 1]."""
    raise _no_game(rules)
