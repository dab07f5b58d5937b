"""Players written in Python: an agent of a user's own, by an entry point or as ``module:Class``.

A player is made with its game and the options of its text, and is asked for a move with a ``Sight``: what
its seat can see and no more.

>>> class First:
...     def __init__(self, game, **options): ...
...     def choose(self, sight):
...         return sight.legal[0]
"""

import importlib
import importlib.metadata
import sys
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from engines import contract
from engines.errors import InputError, one_line, short
from engines.game import Game
from solvers.agents import KINDS

GROUP = "kibitz.agents"


@dataclass(frozen=True)
class Sight:
    """What a player is shown when it has to move."""

    game: Game
    rules: Any
    seat: int
    state: np.ndarray  # one row: the position as this seat sees it
    legal: list[int]
    seed: int  # for players that throw dice: the same game gives the same seeds

    def text(self, move: int) -> str:
        """Return a move as text."""
        return self.game.notation.move_text(self.rules, self.state[0], move)

    def after(self, move: int, rng: np.ndarray) -> np.ndarray:
        """Return a state that may follow a move: what is hidden is filled in at random."""
        state = self.state.copy()
        contract.fill(self.rules, state[0], rng)
        contract.play(self.rules, state[0], move)
        return state


class Player(Protocol):
    """What a player must be able to do."""

    def choose(self, sight: Sight) -> int:
        """Return one of the legal moves."""


def is_built_in(text: str) -> bool:
    """Return whether an agent's text names one of our own agents."""
    return text.partition(":")[0] in KINDS


@dataclass(frozen=True)
class PlayerText:
    """An agent's text that names a player in Python, taken apart: where it is, and its options."""

    name: str
    options: dict[str, str] = field(default_factory=dict)


def read_player(text: str) -> PlayerText:
    """Take apart ``name:a=1,b=2`` (an entry point) or ``module:Class:a=1,b=2``."""
    parts = text.split(":")
    if parts[0] in installed():
        name, rest = parts[0], ":".join(parts[1:])
    else:
        name, rest = ":".join(parts[:2]), ":".join(parts[2:])
    options = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals or not key.isidentifier():
            raise InputError(f"agent {short(text)}: option {short(part)}: expected NAME=VALUE")
        options[key] = value
    return PlayerText(name, options)


def installed() -> list[str]:
    """Return the names of the agents that other packages brought."""
    return sorted({point.name for point in importlib.metadata.entry_points(group=GROUP)})


def load_player(text: str, game: Game) -> Player:
    """Make the player that an agent's text names."""
    wanted = read_player(text)
    make = _find(wanted.name)
    try:
        player = make(game, **wanted.options)
    except InputError:
        raise
    except Exception as problem:  # whatever a stranger's code may raise
        raise InputError(f"agent {short(text)}: cannot be made: {one_line(problem)}") from None
    if not callable(getattr(player, "choose", None)):
        raise InputError(f"agent {short(text)}: has no method choose(sight)")
    return player


def _find(name: str) -> Any:
    points = importlib.metadata.entry_points(group=GROUP, name=name)
    module, _, item = name.partition(":")
    known = ", ".join([*KINDS, *installed()])
    try:
        if points:
            return next(iter(points)).load()
        if module and item:
            if "" not in sys.path:
                sys.path.insert(0, "")  # a file beside the user, as with python -m
            return getattr(importlib.import_module(module), item)
    except Exception as problem:
        raise InputError(f"agent {short(name)}: cannot be loaded: {one_line(problem)}") from None
    raise InputError(f"unknown agent {short(name)}: expected one of {known}, or module:Class")
