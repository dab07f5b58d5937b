"""Deck Duel: the quick policy, and a quick estimate of the winning chances.

Energy comes back with the next round, so it is spent as soon as it can be: on defense, which lasts until it
is needed, unless the odds of the next fight promise that attack pays at once. A winner strikes with all
points; only focus, and health if there is but one damage to deal, are better. Each number was found by
matches of the policy against itself.
"""

from typing import Any

import numpy as np

from engines import contract
from engines.cards import ACE, KING
from engines.compiled import helper
from engines.deckduel.decks import odds, win_chance
from engines.deckduel.rules import (
    ACTING,
    ADD_ATTACK,
    ADD_DEFENSE,
    DAMAGE,
    DEFENDING,
    ENDED,
    FIRST_PREP,
    FOCUS,
    HEAL,
    HEAL_TWO,
    KEEP,
    PASS,
    SECOND_PREP,
    DuelRules,
)


@contract.suggest.register
def duel_suggest(rules: DuelRules, s: Any, moves: np.ndarray, n: int, rng: np.ndarray) -> int:
    """Spend energy at once, strike with all points, defend with all points, discard a poor card."""
    if n == 1 or s.phase == DEFENDING:
        return moves[n - 1]
    if s.phase == FIRST_PREP:
        return best_preparation(rules, s, s.initiative)
    if s.phase == SECOND_PREP:
        return best_preparation(rules, s, 1 - s.initiative)
    if s.phase == ACTING:
        return best_action(rules, s, moves, n)
    return KEEP if win_chance(s, s.initiative) >= 0.5 else moves[n - 1]


@helper
def best_preparation(rules: DuelRules, s: Any, seat: int) -> int:
    """Attack if the next fight is likely won, the sooner the more defense there is; else defense."""
    if s.top[seat] == ACE and not s.focus[seat]:
        return PASS  # it would be lost at once (K5)
    guarded = s.defense[seat] >= rules.max_points
    eager = win_chance(s, seat) > 0.6 - 0.1 * s.defense[seat]
    if s.attack[seat] < rules.max_points and (eager or guarded):
        return ADD_ATTACK
    return PASS if guarded else ADD_DEFENSE


@helper
def best_action(rules: DuelRules, s: Any, moves: np.ndarray, n: int) -> int:
    """Kill, else gain focus while the ace is to come, else heal rather than deal one damage, else strike."""
    seat = s.initiative
    foe = 1 - seat
    strike = moves[n - 1]
    damage = strike - DAMAGE + (rules.ace_damage if s.card[seat] == ACE else 1)
    if damage >= s.health[foe] + s.defense[foe]:
        return strike
    if s.card[seat] == KING and s.deck[seat] & (1 << ACE) and not s.focus[seat] and damage <= 3:
        return FOCUS
    choice = strike
    for i in range(n):
        if damage == 1 and (moves[i] == HEAL or moves[i] == HEAL_TWO):
            choice = moves[i]
    return choice


@contract.evaluate.register
def duel_evaluate(rules: DuelRules, s: Any, seat: int) -> float:
    """Health, points and prospects of both compared, through a logistic curve; reads only what is public."""
    if s.phase == ENDED:
        return contract.returns(rules, s, seat)
    return odds(s, prospects(s, seat) - prospects(s, 1 - seat))


@helper
def prospects(s: Any, seat: int) -> float:
    """What a seat has, counted in health; the weights are fitted to games of the policy."""
    total = s.health[seat] + 0.5 * s.attack[seat] + 0.4 * s.defense[seat] + 0.4 * s.energy[seat]
    if s.focus[seat] and s.deck[seat] & (1 << ACE):
        total += 1.7
    return total
