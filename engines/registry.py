"""The games by name. A game's module is imported when the game is first asked for."""

import functools
import importlib

from engines.errors import InputError, short
from engines.game import Game

MODULES = {
    "royal": "engines.royal",
    "deckduel": "engines.deckduel",
    "deckduel-basic": "engines.deckduel_basic",
    "dukes": "engines.dukes",
    "river": "engines.river",
}


def names() -> list[str]:
    """Return the names of all games."""
    return list(MODULES)


@functools.cache
def load(name: str) -> Game:
    """Return a game by its name."""
    if name not in MODULES:
        raise InputError(f"unknown game {short(name)}: expected one of {', '.join(MODULES)}")
    return importlib.import_module(MODULES[name]).GAME
