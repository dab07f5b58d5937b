"""Royal Family: the rules, compiled. All is public but the deck's order, so nothing is ever hidden (R13)."""

from typing import Any

import numpy as np

from engines import contract
from engines.bits import lowest, nth_bit, popcount
from engines.cards import DECK, DECK_AND_JOKERS
from engines.compiled import helper
from engines.contract import CHANCE, NONE, OVER
from engines.royal.rules import (
    ACTING,
    ASSASSINATE,
    ATTACK,
    BUILD,
    CASTLE,
    CREST,
    DEALING,
    DEFEND,
    DEFENDING,
    DISCARD,
    DRAW_DECK,
    DRAW_PILE,
    DRAWING,
    ENDED,
    FIRST_JOKER,
    FORTIFY,
    JACKS,
    KIDNAP,
    KINGS,
    MOST_MOVES,
    OWN_SUIT,
    OWNER,
    PLACE,
    QUEENS,
    REVEALING,
    RoyalRules,
)


@contract.seats.register
def royal_seats(rules: RoyalRules) -> int:
    """Two play."""
    return 2


@contract.private.register
def royal_private(rules: RoyalRules) -> bool:
    """Nothing is private (R13)."""
    return False


@contract.most_moves.register
def royal_most_moves(rules: RoyalRules) -> int:
    """No state has more moves than this."""
    return MOST_MOVES


@contract.start.register
def royal_start(rules: RoyalRules, s: Any) -> None:
    """Give each player their first castle; three cards are about to be turned up (R1)."""
    s.phase = DEALING
    s.player = 0
    s.card = NONE
    s.target = NONE
    s.extra = 0
    s.spent = 0
    s.turns = 0
    s.winner = NONE
    s.out = 0
    s.deck = DECK_AND_JOKERS & ~(1 << CREST[0, 0]) & ~(1 << CREST[1, 0])
    for pile in range(3):
        s.top[pile] = NONE
    for card in range(54):
        s.below[card] = NONE
    for seat in range(2):
        for castle in range(2):
            s.stands[seat, castle] = 1 - castle
            s.fort[seat, castle] = 0
            s.hits[seat, castle] = 0
            s.family[seat, castle] = 0
            s.captives[seat, castle] = 0


@contract.mover.register
def royal_mover(rules: RoyalRules, s: Any) -> int:
    """The player draws and acts; the attacked opponent defends."""
    if s.phase == DRAWING or s.phase == ACTING:
        return s.player
    if s.phase == DEFENDING:
        return 1 - s.player
    return OVER if s.phase == ENDED else CHANCE


@contract.legal.register
def royal_legal(rules: RoyalRules, s: Any, moves: np.ndarray) -> int:
    """Draws, actions with the card drawn, or fortifications that repel the attack."""
    if s.phase == DRAWING:
        return draws(s, moves)
    if s.phase == ACTING:
        return actions(rules, s, s.player, s.card, moves)
    n = 0
    repelling = defenders(rules, s, 1 - s.player, s.target, s.card)
    while repelling:
        card = lowest(repelling)
        repelling &= repelling - 1
        moves[n] = DEFEND + (card >> 2)
        n += 1
    return n


@helper
def draws(s: Any, moves: np.ndarray) -> int:
    """The deck and every pile, but no ace that this chain of turns discarded (R2, R10, R12)."""
    n = 0
    if s.deck:
        moves[n] = DRAW_DECK
        n += 1
    for pile in range(3):
        if drawable(s, pile):
            moves[n] = DRAW_PILE + pile
            n += 1
    return n


@helper
def drawable(s: Any, pile: int) -> bool:
    """Whether a pile's top card may be drawn."""
    card = s.top[pile]
    return card != NONE and (s.spent >> card) & 1 == 0


@helper
def actions(rules: RoyalRules, s: Any, seat: int, card: int, moves: np.ndarray) -> int:
    """All that a seat may do with a card in hand (R3-R5, R8-R11)."""
    foe = 1 - seat
    n = 0
    if card >= FIRST_JOKER and s.family[foe, 0] | s.family[foe, 1]:
        for castle in range(2):
            for member in range(3):
                if (s.family[foe, castle] >> (4 * (member + 10) + CREST[foe, castle])) & 1:
                    moves[n] = ASSASSINATE + 3 * castle + member
                    n += 1
        return n
    for pile in range(3):
        moves[n] = DISCARD + pile
        n += 1
    if card >= FIRST_JOKER:
        return n
    rank = card >> 2
    suit = card & 3
    castle = CASTLE[suit]
    mine = OWNER[suit] == seat
    if rank == 0:
        if mine:
            moves[n] = BUILD
            n += 1
    elif rank < 10:
        if mine and s.stands[seat, castle]:
            moves[n] = FORTIFY
            n += 1
        for target in range(2):
            if s.stands[foe, target] and may_attack(rules, s, seat, suit, target):
                moves[n] = ATTACK + target
                n += 1
    elif mine:
        if s.stands[seat, castle]:
            moves[n] = PLACE
            n += 1
    elif s.stands[foe, castle]:
        for cell in range(2):
            if s.stands[seat, cell] and popcount(s.captives[seat, cell]) < room(rules, s, seat):
                moves[n] = KIDNAP + cell
                n += 1
    return n


@helper
def may_attack(rules: RoyalRules, s: Any, seat: int, suit: int, target: int) -> bool:
    """Whether a number card of a suit may attack a standing castle of the opponent (R5)."""
    family = s.family[seat, 0] | s.family[seat, 1]
    if rules.attack_needs_family and family == 0:
        return False
    cunning = rules.jack_any_suit == 1 and (family & JACKS) != 0
    if rules.attack_suit == OWN_SUIT:
        return OWNER[suit] == seat and (cunning or s.stands[seat, CASTLE[suit]] == 1)
    return OWNER[suit] != seat and (cunning or CASTLE[suit] == target)


@helper
def room(rules: RoyalRules, s: Any, seat: int) -> int:
    """How many captives each castle of a seat can hold (R9)."""
    if (s.family[seat, 0] | s.family[seat, 1]) & QUEENS:
        return rules.captives_with_queen
    return rules.captives


@helper
def defenders(rules: RoyalRules, s: Any, seat: int, castle: int, card: int) -> int:
    """The fortifications of a castle that repel an attack card (R6), as a mask."""
    needed = card >> 2
    if (s.family[seat, 0] | s.family[seat, 1]) & KINGS:
        needed -= rules.king_bonus
    if needed <= 0:
        return s.fort[seat, castle]
    return (s.fort[seat, castle] >> (4 * needed)) << (4 * needed)


@helper
def damage(hits: int) -> int:
    """The sum of the numbers on attack cards."""
    total = 0
    while hits:
        total += (lowest(hits) >> 2) + 1
        hits &= hits - 1
    return total


@contract.outcomes.register
def royal_outcomes(rules: RoyalRules, s: Any, codes: np.ndarray, weights: np.ndarray) -> int:
    """Any card of the deck, all alike; the jokers in it are one outcome."""
    n = 0
    rest = s.deck & DECK
    while rest:
        codes[n] = lowest(rest)
        weights[n] = 1
        rest &= rest - 1
        n += 1
    if s.deck >> FIRST_JOKER:
        codes[n] = FIRST_JOKER
        weights[n] = popcount(s.deck >> FIRST_JOKER)
        n += 1
    return n


@contract.roll.register
def royal_roll(rules: RoyalRules, s: Any, u: float) -> int:
    """Any card of the deck, all alike."""
    return min(FIRST_JOKER, nth_bit(s.deck, int(u * popcount(s.deck))))


@helper
def take_from_deck(s: Any, code: int) -> int:
    """Remove the card of a chance outcome from the deck and return it: the second joker if it is there."""
    card = code
    if code == FIRST_JOKER and s.deck >> (FIRST_JOKER + 1):
        card += 1
    s.deck &= ~(1 << card)
    return card


@contract.luck.register
def royal_luck(rules: RoyalRules, s: Any) -> int:
    """The first three cards are nobody's luck, a drawn one is its player's."""
    return 2 if s.phase == DEALING else s.player


@contract.play.register
def royal_play(rules: RoyalRules, s: Any, code: int) -> None:
    """Deal, draw, reveal, act or defend."""
    if s.phase == ACTING:
        act(rules, s, code)
    elif s.phase == DRAWING:
        s.turns += 1
        if code == DRAW_DECK:
            s.phase = REVEALING
        else:
            s.card = s.top[code - DRAW_PILE]
            s.top[code - DRAW_PILE] = s.below[s.card]
            s.below[s.card] = NONE
            s.phase = ACTING
    elif s.phase == REVEALING:
        s.card = take_from_deck(s, code)
        s.phase = ACTING
    elif s.phase == DEFENDING:
        foe = 1 - s.player
        used = 1 << (4 * (code - DEFEND) + CREST[foe, s.target])
        s.fort[foe, s.target] &= ~used
        s.out |= used | (1 << s.card)
        s.target = NONE
        end_turn(rules, s)
    else:
        pile = 0
        while s.top[pile] != NONE:
            pile += 1
        s.top[pile] = take_from_deck(s, code)
        if pile == 2:
            s.phase = DRAWING


@helper
def act(rules: RoyalRules, s: Any, code: int) -> None:
    """Carry out an action with the card in hand."""
    seat = s.player
    foe = 1 - seat
    card = s.card
    suit = card & 3
    rank = card >> 2
    ace = rank == 0
    if code < FORTIFY:
        s.below[card] = s.top[code - DISCARD]
        s.top[code - DISCARD] = card
        if ace:
            s.spent |= 1 << card
    elif code == FORTIFY:
        s.fort[seat, CASTLE[suit]] |= 1 << card
    elif code < PLACE:
        s.target = code - ATTACK
        if defenders(rules, s, foe, s.target, card):
            s.phase = DEFENDING
            return
        s.hits[foe, s.target] |= 1 << card
        if damage(s.hits[foe, s.target]) >= rules.castle_hp:
            fall(s, foe, s.target)
            if not (s.stands[foe, 0] or s.stands[foe, 1]):
                s.winner = seat
        s.target = NONE
    elif code == PLACE:
        castle = CASTLE[suit]
        s.family[seat, castle] |= 1 << card
        if popcount(s.family[seat, castle]) == 3:
            s.winner = seat
    elif code < BUILD:
        s.captives[seat, code - KIDNAP] |= 1 << card
    elif code == BUILD:
        s.stands[seat, CASTLE[suit]] = 1
    else:
        castle = (code - ASSASSINATE) // 3
        victim = 1 << (4 * ((code - ASSASSINATE) % 3 + 10) + CREST[foe, castle])
        s.family[foe, castle] &= ~victim
        s.out |= victim | (1 << card)
    if ace:
        s.card = NONE
        s.extra = 1
        begin_turn(rules, s)
    else:
        end_turn(rules, s)


@helper
def fall(s: Any, seat: int, castle: int) -> None:
    """A castle falls: its ace and every card at it leave the game (R7)."""
    s.stands[seat, castle] = 0
    s.out |= 1 << CREST[seat, castle]
    s.out |= s.fort[seat, castle] | s.hits[seat, castle]
    s.out |= s.family[seat, castle] | s.captives[seat, castle]
    s.fort[seat, castle] = 0
    s.hits[seat, castle] = 0
    s.family[seat, castle] = 0
    s.captives[seat, castle] = 0


@helper
def end_turn(rules: RoyalRules, s: Any) -> None:
    """Pass the turn to the opponent."""
    s.card = NONE
    s.player = 1 - s.player
    s.extra = 0
    s.spent = 0
    begin_turn(rules, s)


@helper
def begin_turn(rules: RoyalRules, s: Any) -> None:
    """Start a turn, unless the game is won, too long, or nothing can be drawn (R12)."""
    if s.winner != NONE or s.turns >= rules.max_turns:
        s.phase = ENDED
        return
    if not can_draw(s) and s.extra:
        s.player = 1 - s.player
        s.extra = 0
        s.spent = 0
    s.phase = DRAWING if can_draw(s) else ENDED


@helper
def can_draw(s: Any) -> bool:
    """Whether the player can draw anything."""
    return s.deck != 0 or drawable(s, 0) or drawable(s, 1) or drawable(s, 2)


@contract.returns.register
def royal_returns(rules: RoyalRules, s: Any, seat: int) -> float:
    """Win, draw or loss."""
    if s.winner == NONE:
        return 0.5
    return 1.0 if s.winner == seat else 0.0


@contract.part.register
def royal_part(rules: RoyalRules, s: Any) -> int:
    """The game is one."""
    return 0


@contract.points.register
def royal_points(rules: RoyalRules, s: Any, seat: int) -> float:
    """No points are counted."""
    return 0.0


@contract.hide.register
def royal_hide(rules: RoyalRules, s: Any, seat: int) -> None:
    """Nothing is hidden (R13)."""


@contract.fill.register
def royal_fill(rules: RoyalRules, s: Any, rng: np.ndarray) -> None:
    """Nothing is hidden (R13)."""


@contract.shown.register
def royal_shown(rules: RoyalRules, s: Any, code: int, seat: int) -> int:
    """Everybody sees everything (R13)."""
    return code
