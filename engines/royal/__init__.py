"""Royal Family: castles, attacks and kidnappings for two."""

from engines.game import Game
from engines.royal import notation, play, policy
from engines.royal.rules import PARAMETERS, STATE, RoyalRules

__all__ = ["GAME", "notation", "play", "policy"]

GAME = Game("royal", "Royal Family", RoyalRules, STATE, ("black", "red"), notation, PARAMETERS)
