"""Dukes Up!: runs, sets and a FIEF to take, for two."""

from engines.dukes import notation, play, policy
from engines.dukes.rules import PARAMETERS, STATE, DukesRules
from engines.game import Game

__all__ = ["GAME", "notation", "play", "policy"]

GAME = Game(
    "dukes",
    "Dukes Up!",
    DukesRules,
    STATE,
    notation.SEATS,
    notation,
    PARAMETERS,
    points="points, most win",
)
