"""Deck Duel, basic ruleset: compiled. A preparation is private until both are made, a jack's look always."""

from typing import Any

import numpy as np

from engines import contract
from engines.cards import ACE, JACK, KING, QUEEN
from engines.compiled import helper
from engines.contract import CHANCE, HIDDEN, NONE, OVER
from engines.deckduel.decks import (
    any_bit,
    candidates,
    fight,
    fill_top,
    hide_top,
    revealer,
    round_ends,
    shuffle,
    write_bits,
)
from engines.deckduel.play import duel_private, duel_returns, duel_seats
from engines.deckduel_basic.rules import (
    ADD_RAGE,
    BEAR,
    DEFEND,
    DEFENDING,
    DISCARD,
    ENDED,
    FOCUS,
    GAIN_ACTION,
    HEAL,
    KEEP,
    LOOK,
    LOOKING,
    MOST_MOVES,
    OPENING,
    PASS,
    PREPARING,
    REVEALING,
    REWARDING,
    SEEING,
    BasicDuelRules,
)
from engines.random import below

contract.seats.register(BasicDuelRules, duel_seats)
contract.private.register(BasicDuelRules, duel_private)
contract.returns.register(BasicDuelRules, duel_returns)


@contract.most_moves.register
def basic_most_moves(rules: BasicDuelRules) -> int:
    """No state has more moves than this."""
    return MOST_MOVES


@contract.start.register
def basic_start(rules: BasicDuelRules, s: Any) -> None:
    """Give each player a shuffled suit, health and actions (K20)."""
    s.turns = 0
    s.attacker = NONE
    s.winner = NONE
    for seat in range(2):
        s.health[seat] = rules.start_health
        s.rage[seat] = 0
        s.card[seat] = NONE
        new_basic_round(rules, s, seat)
    begin_basic_turn(rules, s)


@contract.mover.register
def basic_mover(rules: BasicDuelRules, s: Any) -> int:
    """Both prepare, seat 0 first; the loser of the fight defends; the winner takes the reward."""
    if s.phase < PREPARING:
        return CHANCE
    if s.phase == PREPARING:
        return preparer(s)
    if s.phase == DEFENDING:
        return 1 - s.attacker
    return OVER if s.phase == ENDED else s.attacker


@contract.legal.register
def basic_legal(rules: BasicDuelRules, s: Any, moves: np.ndarray) -> int:
    """Preparations, defenses, rewards, or what to do with the card that a jack shows."""
    if s.phase == REWARDING:
        n = 0
        if s.actions[s.attacker] < rules.max_actions:
            moves[n] = GAIN_ACTION
            n += 1
        if ability(rules, s) != NONE:
            moves[n] = ability(rules, s)
            n += 1
        return n
    if s.phase == PREPARING:
        moves[0] = PASS
        moves[1] = ADD_RAGE
    elif s.phase == DEFENDING:
        moves[0] = BEAR
        moves[1] = DEFEND
    else:
        moves[0] = KEEP
        moves[1] = DISCARD + s.top[s.attacker]
    return 2


@helper
def can_enrage(rules: BasicDuelRules, s: Any, seat: int) -> bool:
    """Whether a seat has anything to decide in its preparation (K21)."""
    return s.actions[seat] > 0 and s.rage[seat] < rules.max_rage


@helper
def ability(rules: BasicDuelRules, s: Any) -> int:
    """The move that is the ability of the winning card, or NONE if it has none that is possible."""
    seat = s.attacker
    card = s.card[seat]
    if card == KING and not s.focus[seat]:
        return FOCUS
    if card == QUEEN and s.health[seat] < rules.max_health:
        return HEAL
    if card == JACK and s.deck[seat]:
        return LOOK
    return NONE


@helper
def rewarded(rules: BasicDuelRules, s: Any) -> bool:
    """Whether the winner has a face card and can do something with it (K23)."""
    return s.card[s.attacker] >= JACK and (
        s.actions[s.attacker] < rules.max_actions or ability(rules, s) != NONE
    )


@helper
def preparer(s: Any) -> int:
    """The seat that prepares next; seat 0 is asked first, but seat 1 does not see its choice."""
    return 0 if s.choice[0] == NONE else 1


@helper
def draw_basic(s: Any) -> int:
    """The outcomes of the chance event, all equally likely, as a mask.

    To open both preparations is an event with one outcome, so that the events tell each seat all it sees.
    """
    if s.phase == OPENING:
        return 1 << (s.choice[0] + 2 * s.choice[1])
    return candidates(s, revealer(s) if s.phase == REVEALING else s.attacker)


@contract.outcomes.register
def basic_outcomes(rules: BasicDuelRules, s: Any, codes: np.ndarray, weights: np.ndarray) -> int:
    """What has been prepared, or any card that can be there."""
    return write_bits(draw_basic(s), codes, weights)


@contract.roll.register
def basic_roll(rules: BasicDuelRules, s: Any, u: float) -> int:
    """What has been prepared, or any card that can be there."""
    return any_bit(draw_basic(s), u)


@contract.luck.register
def basic_luck(rules: BasicDuelRules, s: Any) -> int:
    """To open what was prepared is nobody's luck, a card its owner's."""
    if s.phase == OPENING:
        return 2
    return revealer(s) if s.phase == REVEALING else s.attacker


@contract.play.register
def basic_play(rules: BasicDuelRules, s: Any, code: int) -> None:
    """Prepare, open, reveal, defend, take the reward or look."""
    if s.phase == REVEALING:
        reveal_basic(rules, s, revealer(s), code)
    elif s.phase == PREPARING:
        s.choice[preparer(s)] = code
        if s.choice[1] != NONE:
            s.phase = OPENING
    elif s.phase == OPENING:
        for seat in range(2):
            s.choice[seat] = NONE
            if (code >> seat) & 1 == ADD_RAGE:
                s.actions[seat] -= 1
                s.rage[seat] += 1
        s.phase = REVEALING
    elif s.phase == DEFENDING:
        take_hit(rules, s, code == DEFEND)
    elif s.phase == LOOKING:
        s.top[s.attacker] = code
        s.phase = SEEING
    elif code == LOOK:
        s.phase = LOOKING
    else:
        if code == GAIN_ACTION:
            s.actions[s.attacker] += 1
        elif code == FOCUS:
            s.focus[s.attacker] = 1
        elif code == HEAL:
            s.health[s.attacker] += 1
        elif code >= DISCARD:
            leave_basic_deck(s, s.attacker, code - DISCARD)
        end_basic_turn(rules, s)


@helper
def leave_basic_deck(s: Any, seat: int, rank: int) -> None:
    """Take the top card off a deck; of the next one nothing is known."""
    s.deck[seat] &= ~(1 << rank)
    s.top[seat] = NONE


@helper
def reveal_basic(rules: BasicDuelRules, s: Any, seat: int, rank: int) -> None:
    """Turn up a card; the second one decides the fight (K22, K24)."""
    leave_basic_deck(s, seat, rank)
    s.card[seat] = rank
    if seat == 0:
        return
    s.attacker = fight(s)
    if s.attacker == NONE:
        for side in range(2):
            s.rage[side] = min(s.rage[side] + 1, rules.max_rage)
        end_basic_turn(rules, s)
    elif s.actions[1 - s.attacker]:
        s.phase = DEFENDING
    else:
        take_hit(rules, s, False)


@helper
def take_hit(rules: BasicDuelRules, s: Any, defended: bool) -> None:
    """The loser bears the damage; the winner's reward comes after, if the loser lives (K22)."""
    seat = 1 - s.attacker
    damage = (rules.ace_damage if s.card[s.attacker] == ACE else 1) + s.rage[s.attacker]
    if defended:
        s.actions[seat] -= 1
        damage -= 1
    s.health[seat] -= damage
    if s.health[seat] < 1:
        s.winner = s.attacker
        s.phase = ENDED
    elif rewarded(rules, s):
        s.phase = REWARDING
    else:
        end_basic_turn(rules, s)


@helper
def end_basic_turn(rules: BasicDuelRules, s: Any) -> None:
    """Calm both down unless they tied, start new rounds where they are due, then the next turn (K24, K25)."""
    for seat in range(2):
        if s.attacker != NONE:
            s.rage[seat] = 0
        if round_ends(s, seat):
            new_basic_round(rules, s, seat)
        s.card[seat] = NONE
    s.attacker = NONE
    s.turns += 1
    begin_basic_turn(rules, s)


@helper
def new_basic_round(rules: BasicDuelRules, s: Any, seat: int) -> None:
    """Shuffle all cards of a seat and reset its actions (K25)."""
    shuffle(s, seat)
    s.actions[seat] = rules.start_actions


@helper
def begin_basic_turn(rules: BasicDuelRules, s: Any) -> None:
    """Ask for secret preparations of those who can, unless there have been too many turns (K13, K21)."""
    first = can_enrage(rules, s, 0)
    second = can_enrage(rules, s, 1)
    s.choice[0] = NONE
    s.choice[1] = NONE
    if s.turns >= rules.max_turns:
        s.phase = ENDED
    elif first or second:
        if not first:
            s.choice[0] = PASS
        if not second:
            s.choice[1] = PASS
        s.phase = PREPARING
    else:
        s.phase = REVEALING


@contract.part.register
def basic_part(rules: BasicDuelRules, s: Any) -> int:
    """The game is one."""
    return 0


@contract.points.register
def basic_points(rules: BasicDuelRules, s: Any, seat: int) -> float:
    """No points are counted."""
    return 0.0


@contract.hide.register
def basic_hide(rules: BasicDuelRules, s: Any, seat: int) -> None:
    """Blank what the opponent has prepared and what a jack showed them (K20, K14)."""
    hide_top(s, seat)
    if s.choice[1 - seat] != NONE:
        s.choice[1 - seat] = HIDDEN


@contract.fill.register
def basic_fill(rules: BasicDuelRules, s: Any, rng: np.ndarray) -> None:
    """The opponent can have prepared anything, and have seen any card."""
    fill_top(s, rng)
    for seat in range(2):
        if s.choice[seat] == HIDDEN:
            s.choice[seat] = below(rng, 2) if can_enrage(rules, s, seat) else PASS


@contract.shown.register
def basic_shown(rules: BasicDuelRules, s: Any, code: int, seat: int) -> int:
    """Preparations and looks are their owner's alone."""
    if s.phase == PREPARING:
        return code if seat == preparer(s) else HIDDEN
    return HIDDEN if s.phase == LOOKING and seat != s.attacker else code
