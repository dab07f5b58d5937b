"""Deck Duel, basic ruleset: the quick policy, and a quick estimate of the winning chances.

An action spent in defense always saves a point of health, one spent on rage pays only if the fight is won.
So actions are kept for defense, unless the next fight is likely won or there are more than enough.
"""

from typing import Any

import numpy as np

from engines import contract
from engines.cards import ACE
from engines.compiled import helper
from engines.deckduel.decks import odds, win_chance
from engines.deckduel_basic.play import preparer
from engines.deckduel_basic.rules import (
    ADD_RAGE,
    DEFENDING,
    ENDED,
    FOCUS,
    GAIN_ACTION,
    HEAL,
    KEEP,
    PASS,
    PREPARING,
    REWARDING,
    BasicDuelRules,
)


@contract.suggest.register
def basic_suggest(rules: BasicDuelRules, s: Any, moves: np.ndarray, n: int, rng: np.ndarray) -> int:
    """Rage if the odds are good, always defend, take focus or health, discard a poor card."""
    if n == 1 or s.phase == DEFENDING:
        return moves[n - 1]
    if s.phase == PREPARING:
        seat = preparer(s)
        return ADD_RAGE if win_chance(s, seat) > rage_odds(s, seat) else PASS
    if s.phase == REWARDING:
        better = moves[1] == HEAL or (moves[1] == FOCUS and s.deck[s.attacker] & (1 << ACE))
        return moves[1] if better else GAIN_ACTION
    return KEEP if win_chance(s, s.attacker) >= 0.5 else moves[n - 1]


@helper
def rage_odds(s: Any, seat: int) -> float:
    """The chance to win from which rage is worth an action: lower, the more actions there are."""
    return 0.8 - 0.1 * s.actions[seat]


@contract.evaluate.register
def basic_evaluate(rules: BasicDuelRules, s: Any, seat: int) -> float:
    """Health and prospects of both compared, through a logistic curve; reads only what is public."""
    if s.phase == ENDED:
        return contract.returns(rules, s, seat)
    return odds(s, basic_prospects(s, seat) - basic_prospects(s, 1 - seat))


@helper
def basic_prospects(s: Any, seat: int) -> float:
    """What a seat has, counted in health; the weights are fitted to games of the policy."""
    total = s.health[seat] + 0.1 * s.rage[seat] + 0.25 * s.actions[seat]
    if s.focus[seat] and s.deck[seat] & (1 << ACE):
        total += 1.7
    return total
