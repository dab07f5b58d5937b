"""Deck Duel, basic ruleset: quicker and simpler than the core rules of ``engines.deckduel``."""

from engines.deckduel_basic import notation, play, policy
from engines.deckduel_basic.rules import ORDERED, PARAMETERS, STATE, BasicDuelRules
from engines.game import Game

__all__ = ["GAME", "notation", "play", "policy"]

GAME = Game(
    "deckduel-basic",
    "Deck Duel, basic ruleset",
    BasicDuelRules,
    STATE,
    notation.SEATS,
    notation,
    PARAMETERS,
    ORDERED,
    search={"ismcts": {"c": 0.5, "cut": 4}},
)
