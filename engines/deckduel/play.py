"""Deck Duel: the rules, compiled. Only what a jack showed is private (K14)."""

from typing import Any

import numpy as np

from engines import contract
from engines.bits import popcount
from engines.cards import ACE, JACK, KING, QUEEN
from engines.compiled import helper
from engines.contract import CHANCE, HIDDEN, NONE, OVER
from engines.deckduel.decks import (
    any_bit,
    candidates,
    fight,
    fill_top,
    hide_top,
    random_rank,
    revealer,
    round_ends,
    shuffle,
    write_bits,
)
from engines.deckduel.rules import (
    ACTING,
    ADD_ATTACK,
    ADD_DEFENSE,
    DAMAGE,
    DEFEND,
    DEFENDING,
    DISCARD,
    ENDED,
    FIRST_PREP,
    FOCUS,
    GAIN_ENERGY,
    HEAL,
    HEAL_TWO,
    KEEP,
    LOOK,
    LOOK_ON,
    LOOKING,
    LOOKING_ON,
    MOST_MOVES,
    PASS,
    REVEALING,
    SECOND_PREP,
    SEEING,
    SEEING_BOTH,
    TOSSING,
    DuelRules,
)


@contract.seats.register
def duel_seats(rules: DuelRules) -> int:
    """Two play."""
    return 2


@contract.private.register
def duel_private(rules: DuelRules) -> bool:
    """What a jack showed is private (K14)."""
    return True


@contract.most_moves.register
def duel_most_moves(rules: DuelRules) -> int:
    """No state has more moves than this."""
    return MOST_MOVES


@contract.start.register
def duel_start(rules: DuelRules, s: Any) -> None:
    """Give each player a shuffled suit, health and energy; the initiative is about to be tossed for (K2)."""
    s.phase = TOSSING
    s.turns = 0
    s.initiative = NONE
    s.damage = 0
    s.winner = NONE
    for seat in range(2):
        s.health[seat] = rules.start_health
        s.attack[seat] = 0
        s.defense[seat] = 0
        s.card[seat] = NONE
        new_round(rules, s, seat)


@contract.mover.register
def duel_mover(rules: DuelRules, s: Any) -> int:
    """The player with initiative decides, but for the second preparation and the defense."""
    if s.phase < FIRST_PREP:
        return CHANCE
    if s.phase < SECOND_PREP:
        return s.initiative
    return OVER if s.phase == ENDED else 1 - s.initiative


@contract.legal.register
def duel_legal(rules: DuelRules, s: Any, moves: np.ndarray) -> int:
    """Preparations, actions of the winner, defenses, or what to do with the card that a jack shows."""
    if s.phase == FIRST_PREP:
        return preparations(rules, s, s.initiative, moves)
    if s.phase == SECOND_PREP:
        return preparations(rules, s, 1 - s.initiative, moves)
    if s.phase == ACTING:
        return actions(rules, s, moves)
    n = 0
    if s.phase == DEFENDING:
        for points in range(min(s.defense[1 - s.initiative], s.damage) + 1):
            moves[n] = DEFEND + points
            n += 1
        return n
    seat = s.initiative
    moves[n] = KEEP
    n += 1
    if s.phase == SEEING and s.energy[seat] and popcount(s.deck[seat]) > 1:
        moves[n] = LOOK_ON
        n += 1
    moves[n] = DISCARD + s.top[seat]
    return n + 1


@helper
def preparations(rules: DuelRules, s: Any, seat: int, moves: np.ndarray) -> int:
    """Nothing, or one energy for a point of attack or of defense (K3); who has none is not asked."""
    moves[0] = PASS
    n = 1
    if s.attack[seat] < rules.max_points:
        moves[n] = ADD_ATTACK
        n += 1
    if s.defense[seat] < rules.max_points:
        moves[n] = ADD_DEFENSE
        n += 1
    return n


@helper
def can_prepare(rules: DuelRules, s: Any, seat: int) -> bool:
    """Whether there is anything to decide in a seat's preparation."""
    return s.energy[seat] > 0 and min(s.attack[seat], s.defense[seat]) < rules.max_points


@helper
def actions(rules: DuelRules, s: Any, moves: np.ndarray) -> int:
    """Energy, the ability of the winning face card, or damage (K7, K9-K11)."""
    seat = s.initiative
    card = s.card[seat]
    n = 0
    if s.energy[seat] < rules.start_energy:
        moves[n] = GAIN_ENERGY
        n += 1
    if card == KING and not s.focus[seat]:
        moves[n] = FOCUS
        n += 1
    elif card == QUEEN:
        if s.health[seat] < rules.max_health:
            moves[n] = HEAL
            n += 1
        if s.health[seat] + 1 < rules.max_health and s.energy[seat]:
            moves[n] = HEAL_TWO
            n += 1
    elif card == JACK and s.deck[seat]:
        moves[n] = LOOK
        n += 1
    for points in range(s.attack[seat] + 1):
        moves[n] = DAMAGE + points
        n += 1
    return n


@helper
def draw(s: Any) -> int:
    """The outcomes of the chance event, all equally likely, as a mask."""
    if s.phase == TOSSING:
        return 0b11
    if s.phase == LOOKING_ON:
        return s.deck[s.initiative] & ~(1 << s.top[s.initiative])
    return candidates(s, drawer(s))


@helper
def drawer(s: Any) -> int:
    """The seat whose card comes up; a jack's looks are the winner's."""
    return revealer(s) if s.phase == REVEALING else s.initiative


@contract.outcomes.register
def duel_outcomes(rules: DuelRules, s: Any, codes: np.ndarray, weights: np.ndarray) -> int:
    """Either seat for the toss, otherwise any card that can be there."""
    return write_bits(draw(s), codes, weights)


@contract.roll.register
def duel_roll(rules: DuelRules, s: Any, u: float) -> int:
    """Either seat for the toss, otherwise any card that can be there."""
    return any_bit(draw(s), u)


@contract.luck.register
def duel_luck(rules: DuelRules, s: Any) -> int:
    """The toss is nobody's luck, a card its owner's."""
    return 2 if s.phase == TOSSING else drawer(s)


@contract.play.register
def duel_play(rules: DuelRules, s: Any, code: int) -> None:
    """Toss, prepare, reveal, act, defend or look."""
    if s.phase == REVEALING:
        reveal(rules, s, revealer(s), code)
    elif s.phase == FIRST_PREP:
        prepare(s, s.initiative, code)
        second_prep(rules, s)
    elif s.phase == SECOND_PREP:
        prepare(s, 1 - s.initiative, code)
        s.phase = REVEALING
    elif s.phase == ACTING:
        act(rules, s, code)
    elif s.phase == DEFENDING:
        take_damage(rules, s, code - DEFEND)
    elif s.phase == LOOKING:
        s.top[s.initiative] = code
        s.phase = SEEING
    elif s.phase == LOOKING_ON:
        s.second[s.initiative] = code
        s.phase = SEEING_BOTH
    elif s.phase == TOSSING:
        s.initiative = code
        begin_turn(rules, s)
    elif code == LOOK_ON:
        s.energy[s.initiative] -= 1
        s.phase = LOOKING_ON
    else:
        if code >= DISCARD:
            leave_deck(s, s.initiative, code - DISCARD)
        end_turn(rules, s)


@helper
def prepare(s: Any, seat: int, code: int) -> None:
    """Turn one energy into a point, or not (K3)."""
    if code == ADD_ATTACK:
        s.attack[seat] += 1
        s.energy[seat] -= 1
    elif code == ADD_DEFENSE:
        s.defense[seat] += 1
        s.energy[seat] -= 1


@helper
def leave_deck(s: Any, seat: int, rank: int) -> None:
    """Take the top card off a deck; what is known of the next one moves up."""
    s.deck[seat] &= ~(1 << rank)
    s.top[seat] = s.second[seat]
    s.second[seat] = NONE


@helper
def reveal(rules: DuelRules, s: Any, seat: int, rank: int) -> None:
    """Turn up a card; the second one decides the fight (K4-K7)."""
    leave_deck(s, seat, rank)
    s.card[seat] = rank
    if rank == ACE and not s.focus[seat]:
        lose_concentration(s, seat)
    if seat == 1:
        winner = fight(s)
        if winner == NONE:
            for side in range(2):
                s.attack[side] = min(s.attack[side] + 1, rules.max_points)
            end_turn(rules, s)
        else:
            s.initiative = winner
            s.phase = ACTING


@helper
def lose_concentration(s: Any, seat: int) -> None:
    """An ace without focus takes all points away (K5)."""
    s.attack[seat] = 0
    s.defense[seat] = 0


@helper
def act(rules: DuelRules, s: Any, code: int) -> None:
    """Carry out the winner's action."""
    seat = s.initiative
    if code >= DAMAGE:
        points = code - DAMAGE
        s.attack[seat] -= points
        s.damage = points + (rules.ace_damage if s.card[seat] == ACE else 1)
        if s.defense[1 - seat]:
            s.phase = DEFENDING
        else:
            take_damage(rules, s, 0)
    elif code == LOOK:
        s.phase = LOOKING
    else:
        if code == GAIN_ENERGY:
            s.energy[seat] += 1
        elif code == FOCUS:
            s.focus[seat] = 1
        elif code == HEAL:
            s.health[seat] += 1
        else:
            s.health[seat] += 2
            s.energy[seat] -= 1
        end_turn(rules, s)


@helper
def take_damage(rules: DuelRules, s: Any, points: int) -> None:
    """The loser spends defense points and bears the rest of the damage (K8, K13)."""
    seat = 1 - s.initiative
    left = s.damage - points
    s.damage = 0
    s.defense[seat] -= points
    if left:
        s.health[seat] -= left
        s.attack[seat] = 0
    if s.health[seat] < 1:
        s.winner = s.initiative
        s.phase = ENDED
    else:
        end_turn(rules, s)


@helper
def end_turn(rules: DuelRules, s: Any) -> None:
    """Start new rounds where they are due, then the next turn (K12)."""
    for seat in range(2):
        if round_ends(s, seat):
            if s.card[seat] == ACE and not s.focus[seat]:
                lose_concentration(s, seat)  # once more: two plain aces have just tied
            new_round(rules, s, seat)
        s.card[seat] = NONE
    s.turns += 1
    begin_turn(rules, s)


@helper
def new_round(rules: DuelRules, s: Any, seat: int) -> None:
    """Shuffle all cards of a seat and restore its energy (K12)."""
    shuffle(s, seat)
    s.second[seat] = NONE
    s.energy[seat] = rules.start_energy


@helper
def begin_turn(rules: DuelRules, s: Any) -> None:
    """Ask for the first preparation, unless there have been too many turns (K13) or nothing can be bought."""
    if s.turns >= rules.max_turns:
        s.phase = ENDED
    elif can_prepare(rules, s, s.initiative):
        s.phase = FIRST_PREP
    else:
        second_prep(rules, s)


@helper
def second_prep(rules: DuelRules, s: Any) -> None:
    """Ask for the second preparation, unless nothing can be bought."""
    s.phase = SECOND_PREP if can_prepare(rules, s, 1 - s.initiative) else REVEALING


@contract.returns.register
def duel_returns(rules: DuelRules, s: Any, seat: int) -> float:
    """Win, draw or loss."""
    if s.winner == NONE:
        return 0.5
    return 1.0 if s.winner == seat else 0.0


@contract.part.register
def duel_part(rules: DuelRules, s: Any) -> int:
    """The game is one."""
    return 0


@contract.points.register
def duel_points(rules: DuelRules, s: Any, seat: int) -> float:
    """No points are counted."""
    return 0.0


@contract.hide.register
def duel_hide(rules: DuelRules, s: Any, seat: int) -> None:
    """Blank what a jack showed the opponent (K14)."""
    hide_top(s, seat)
    if s.second[1 - seat] != NONE:
        s.second[1 - seat] = HIDDEN


@contract.fill.register
def duel_fill(rules: DuelRules, s: Any, rng: np.ndarray) -> None:
    """Cards that only their owner has seen can be any of the deck."""
    fill_top(s, rng)
    for seat in range(2):
        if s.second[seat] == HIDDEN:
            s.second[seat] = random_rank(s.deck[seat] & ~(1 << s.top[seat]), rng)


@contract.shown.register
def duel_shown(rules: DuelRules, s: Any, code: int, seat: int) -> int:
    """A jack's looks are its owner's alone (K11)."""
    looks = s.phase == LOOKING or s.phase == LOOKING_ON
    return HIDDEN if looks and seat != s.initiative else code
