"""Up and Down the River: sets and runs by contract, for two to six."""

from engines.game import Game
from engines.river import estimate, knowledge, notation, play, policy
from engines.river.rules import ALL_POINTS, PARAMETERS, ROUND_POINTS, STATE, RiverRules, valid_rules

__all__ = ["GAME", "estimate", "knowledge", "notation", "play", "policy"]

GAME = Game(
    "river",
    "Up and Down the River",
    RiverRules,
    STATE,
    notation.SEATS,
    notation,
    PARAMETERS,
    valid=valid_rules,
    # Playouts go on to the end of the round, whose points decide; the tree is shallow, as the policy is good.
    search={"ismcts": {"c": 0.1, "cut": 0, "reach": 2}, "pimc": {"c": 0.1, "cut": 0, "reach": 2}},
    expected=lambda rules: ALL_POINTS if rules.goal == ROUND_POINTS else None,
    points="points, fewest win",
)
