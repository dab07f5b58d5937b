"""Deck Duel: War for two with health, energy and face cards that can do something."""

from engines.deckduel import notation, play, policy
from engines.deckduel.rules import ORDERED, PARAMETERS, STATE, DuelRules
from engines.game import Game

__all__ = ["GAME", "notation", "play", "policy"]

GAME = Game("deckduel", "Deck Duel", DuelRules, STATE, notation.SEATS, notation, PARAMETERS, ORDERED)
