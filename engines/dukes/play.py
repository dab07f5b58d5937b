"""Dukes Up!: the rules, compiled.

The table is a set of cards (D4). After the draws a turn is three decisions: the cards that go to the table
(from the hand, from either side's dukes, FIEFs), the changes of the own dukes, the discard. An own duke that
goes to the table was picked up on the way; one that is picked up and put down again never moved. So each
result of a turn is reached in one way only.
"""

from typing import Any

import numpy as np

from engines import contract
from engines.bits import lowest, nth_bit, popcount
from engines.compiled import helper
from engines.contract import CHANCE, NONE, OVER
from engines.dukes.knowledge import drew, laid_aside, opened, reshuffled
from engines.dukes.moves import heap_size, last_turn, playable, plays, prize
from engines.dukes.rules import (
    BURN,
    CARDS,
    CARDS_EACH,
    CHOOSE,
    CHOOSING,
    COLOUR,
    DEALING,
    DEALT,
    DISCARD,
    DISCARD_TWO,
    DISCARDING,
    DRAW,
    DRAWING,
    ENDED,
    FIEF,
    FLIPPING,
    GUARDING,
    HAND,
    HEAP,
    KIND,
    PILE,
    PLAYING,
    REMOVE,
    REVEALING,
    STOP,
    TAKE,
    TAKING,
    DukesRules,
)


@contract.seats.register
def dukes_seats(rules: DukesRules) -> int:
    """Two play."""
    return 2


@contract.private.register
def dukes_private(rules: DukesRules) -> bool:
    """Hands, FIEFs and most discards are private (D25)."""
    return True


@contract.most_moves.register
@helper
def dukes_most_moves(rules: DukesRules) -> int:
    """All parts of what a player may put on the table.

    Hand and dukes together are never more than ``hand_limit + 2``, as draws stop at the limit and dukes come
    from the hand. With the opponent's two dukes that makes ``2 ** (hand_limit + 4)`` parts, and half as many
    that take the FIEF, where the opponent's dukes must be and the own FIEF may be among them. Discards are
    fewer: at most a hand, its ordered pairs, a burn and 26 cards of the table.
    """
    return max(3 << (rules.hand_limit + 3), 128)


@contract.start.register
def dukes_start(rules: DukesRules, s: Any) -> None:
    """Give each player a pile of 26; four cards each are about to be dealt (D5)."""
    s.phase = DEALING
    s.player = 0
    s.turn = 0
    s.drawn = 0
    s.source = NONE
    s.slots = 0
    s.acted = 0
    s.attacker = NONE
    s.table = 0
    for seat in range(2):
        s.plan[seat] = NONE
        s.hand[seat] = 0
        s.held[seat] = 0
        s.dukes[seat] = 0
        s.fief[seat] = NONE
        s.up[seat] = 0
        s.unseen[seat] = COLOUR[seat]
        s.pile[seat] = CARDS_EACH
        s.burnt[seat] = 0
        s.height[seat] = 0
        s.open[seat] = 0
        for place in range(CARDS_EACH):
            s.heap[seat, place] = NONE
        s.may[seat, PILE] = COLOUR[seat]
        s.may[seat, HEAP] = 0
        s.may[seat, HAND] = 0
        s.may[seat, FIEF] = 0


@contract.mover.register
def dukes_mover(rules: DukesRules, s: Any) -> int:
    """The player decides; cards that come up are chance."""
    if s.phase < CHOOSING:
        return CHANCE
    return OVER if s.phase == ENDED else s.player


# ---- chance


@helper
def coming(s: Any) -> int:
    """The cards that can come up, all equally likely, as a mask; what is turned up is certain."""
    if s.phase == FLIPPING:
        return 1 << s.fief[s.player]
    return 1 if s.phase == REVEALING else s.unseen[s.player]


@contract.outcomes.register
def dukes_outcomes(rules: DukesRules, s: Any, codes: np.ndarray, weights: np.ndarray) -> int:
    """Any card that can come up."""
    n = 0
    rest = coming(s)
    while rest:
        codes[n] = lowest(rest)
        weights[n] = 1
        rest &= rest - 1
        n += 1
    return n


@contract.roll.register
def dukes_roll(rules: DukesRules, s: Any, u: float) -> int:
    """Any card that can come up."""
    cards = coming(s)
    return nth_bit(cards, int(u * popcount(cards)))


@contract.luck.register
def dukes_luck(rules: DukesRules, s: Any) -> int:
    """A card is its owner's luck; what is turned up is nobody's."""
    return s.player if s.phase == DEALING or s.phase == TAKING else 2


# ---- a game


@contract.play.register
def dukes_play(rules: DukesRules, s: Any, code: int) -> None:
    """Deal, choose, draw, play, guard or discard."""
    if s.phase == DRAWING:
        if code == STOP:
            begin_play(rules, s)
        else:
            draw(rules, s, code - DRAW)
    elif s.phase == TAKING:
        take(rules, s, code)
    elif s.phase == PLAYING:
        put_on_table(s, code)
    elif s.phase == GUARDING:
        change_dukes(s, code & CARDS)
    elif s.phase == DISCARDING:
        discard(rules, s, code)
    elif s.phase == FLIPPING:
        s.up[s.player] = 1
        opened(s, s.player, 1 << code)
        begin_draw(rules, s)
    elif s.phase == DEALING:
        deal(s, code)
    elif s.phase == CHOOSING:
        s.plan[s.player] = code
        s.phase = CHOOSING if s.player == 0 else REVEALING
        s.player = 1 - s.player
    else:
        for seat in range(2):
            settle_in(s, seat)
        begin_turn(rules, s)


@helper
def deal(s: Any, card: int) -> None:
    """Give the player a card of the first four; then the other, then they choose (D5)."""
    to_hand(s, s.player, card)
    s.unseen[s.player] &= ~(1 << card)
    s.pile[s.player] -= 1
    drew(s, s.player, PILE)
    if s.held[s.player] == DEALT:
        if s.player == 1:
            s.phase = CHOOSING
        s.player = 1 - s.player


@helper
def settle_in(s: Any, seat: int) -> None:
    """Carry out what a seat chose: the dukes are turned up, the FIEF stays face down (D5)."""
    s.dukes[seat] = s.plan[seat] & CARDS
    s.fief[seat] = s.plan[seat] // KIND - CHOOSE // KIND
    s.hand[seat] &= ~(s.dukes[seat] | (1 << s.fief[seat]))
    s.held[seat] = 1
    s.plan[seat] = NONE
    s.may[seat, FIEF] = s.may[seat, HAND]
    opened(s, seat, s.dukes[seat])


@helper
def begin_turn(rules: DukesRules, s: Any) -> None:
    """A FIEF without dukes is turned up (D6)."""
    s.turn += 1
    s.drawn = 0
    s.source = NONE
    s.acted = 0
    if s.dukes[s.player] == 0 and s.up[s.player] == 0:
        s.phase = FLIPPING
    else:
        begin_draw(rules, s)


@helper
def begin_draw(rules: DukesRules, s: Any) -> None:
    """Ask for a draw while one is possible (D7)."""
    seat = s.player
    cards = heap_size(s, seat) + (0 if s.source == HEAP else s.pile[seat])
    if s.held[seat] < rules.hand_limit and s.drawn < rules.draw_limit and cards > 0:
        s.phase = DRAWING
    else:
        begin_play(rules, s)


@helper
def draw(rules: DukesRules, s: Any, source: int) -> None:
    """Draw from a pile: what is known lies on top of the heap, all else is chance."""
    seat = s.player
    s.source = source
    s.drawn += 1
    if source == HEAP and s.height[seat]:
        s.height[seat] -= 1
        card = s.heap[seat, s.height[seat]]
        s.heap[seat, s.height[seat]] = NONE
        to_hand(s, seat, card)
        if (s.open[seat] >> card) & 1:
            s.open[seat] &= ~(1 << card)
            s.may[seat, HAND] |= 1 << card
        else:
            drew(s, seat, HEAP)
        begin_draw(rules, s)
    else:
        if source == PILE and s.pile[seat] == 0:
            reshuffle(s, seat)
        s.phase = TAKING


@helper
def take(rules: DukesRules, s: Any, card: int) -> None:
    """A card of the draw pile, or a burnt one, comes to the hand."""
    seat = s.player
    to_hand(s, seat, card)
    s.unseen[seat] &= ~(1 << card)
    if s.source == PILE:
        s.pile[seat] -= 1
    else:
        s.burnt[seat] -= 1
    drew(s, seat, PILE)
    begin_draw(rules, s)


@helper
def to_hand(s: Any, seat: int, card: int) -> None:
    """Add a card to a hand."""
    s.hand[seat] |= 1 << card
    s.held[seat] += 1


@helper
def reshuffle(s: Any, seat: int) -> None:
    """The discard pile becomes the draw pile (D8)."""
    s.pile[seat] = heap_size(s, seat)
    s.burnt[seat] = 0
    reshuffled(s, seat)
    while s.height[seat]:
        s.height[seat] -= 1
        s.unseen[seat] |= 1 << s.heap[seat, s.height[seat]]
        s.heap[seat, s.height[seat]] = NONE


@helper
def begin_play(rules: DukesRules, s: Any) -> None:
    """Ask what goes to the table, if anything can."""
    if can_play(rules, s):
        s.phase = PLAYING
    elif last_turn(s):
        s.phase = ENDED
    else:
        begin_guard(s, 0)


@helper
def can_play(rules: DukesRules, s: Any) -> bool:
    """Whether any card can go to the table."""
    if playable(s) == 0 and prize(s) == 0:
        return False
    return plays(s, np.empty(dukes_most_moves(rules), np.int64)) > 1


@helper
def put_on_table(s: Any, code: int) -> None:
    """Cards go to the table: own ones, taken dukes, FIEFs."""
    cards = code & CARDS
    seat = s.player
    foe = 1 - seat
    final = last_turn(s)
    s.table |= cards
    s.acted = int(cards != 0)
    if code >= TAKE:
        s.attacker = seat
        s.fief[foe] = NONE
        if (cards >> s.fief[seat]) & 1:
            s.fief[seat] = NONE
    opened(s, seat, cards)
    leave_hand(s, seat, cards & s.hand[seat])
    s.dukes[foe] &= ~cards
    begin_guard(s, cards & s.dukes[seat])
    if final:
        s.phase = ENDED


@helper
def leave_hand(s: Any, seat: int, cards: int) -> None:
    """Take cards from a hand."""
    s.hand[seat] &= ~cards
    s.held[seat] -= popcount(cards)
    if s.held[seat] == 0:
        s.may[seat, HAND] = 0


@helper
def begin_guard(s: Any, played: int) -> None:
    """Note how many dukes may be put down (D12, D14) and ask, if there is a choice."""
    seat = s.player
    s.slots = popcount(played) if s.dukes[seat] else 1
    s.dukes[seat] &= ~played
    free = s.dukes[seat] != 0 and s.turn > 1
    if free or (s.slots > 0 and s.hand[seat] != 0):
        s.phase = GUARDING
    else:
        begin_discard(s)


@helper
def begin_discard(s: Any) -> None:
    """Ask for a discard, unless a FIEF was taken (D15)."""
    s.slots = 0
    s.phase = DISCARDING if s.attacker == NONE else ENDED


@helper
def change_dukes(s: Any, cards: int) -> None:
    """Pick up own dukes and put hand cards down (D12-D14)."""
    seat = s.player
    lifted = cards & s.dukes[seat]
    placed = cards & ~lifted
    if cards:
        s.acted = 1
        s.dukes[seat] ^= cards
        s.hand[seat] ^= cards
        s.held[seat] += popcount(lifted) - popcount(placed)
        opened(s, seat, placed)
        s.may[seat, HAND] |= lifted
        if s.held[seat] == popcount(lifted):
            s.may[seat, HAND] = lifted
    begin_discard(s)


@helper
def discard(rules: DukesRules, s: Any, code: int) -> None:
    """End the turn with a discard (D18-D21)."""
    seat = s.player
    if code == BURN:
        if s.pile[seat] == 0:
            reshuffle(s, seat)
        s.pile[seat] -= 1
        s.burnt[seat] += 1
    elif code >= REMOVE:
        card = code - REMOVE
        s.table &= ~(1 << card)
        s.open[seat] |= 1 << card
        put_on_heap(s, seat, card)
    elif code >= DISCARD_TWO:
        first = (code - DISCARD_TWO) >> 6
        second = (code - DISCARD_TWO) & 63
        put_on_heap(s, seat, first)
        put_on_heap(s, seat, second)
        laid_aside(s, seat)
        leave_hand(s, seat, (1 << first) | (1 << second))
    else:
        put_on_heap(s, seat, code - DISCARD)
        laid_aside(s, seat)
        leave_hand(s, seat, 1 << (code - DISCARD))
    if s.turn >= rules.max_turns:
        s.phase = ENDED
    else:
        s.player = 1 - seat
        begin_turn(rules, s)


@helper
def put_on_heap(s: Any, seat: int, card: int) -> None:
    """Lay a card on top of a discard pile."""
    s.heap[seat, s.height[seat]] = card
    s.height[seat] += 1


# ---- the end


@helper
def score(rules: DukesRules, s: Any, seat: int) -> int:
    """The points of a seat as they stand (D23)."""
    points = popcount(s.table & COLOUR[seat]) + popcount(s.dukes[seat])
    if s.fief[seat] != NONE:
        points += 1
    return points + (rules.fief_bonus if s.attacker == seat else 0)


@contract.part.register
def dukes_part(rules: DukesRules, s: Any) -> int:
    """The game is one."""
    return 0


@contract.points.register
def dukes_points(rules: DukesRules, s: Any, seat: int) -> float:
    """The points of a seat as they stand (D23)."""
    return float(score(rules, s, seat))


@contract.returns.register
def dukes_returns(rules: DukesRules, s: Any, seat: int) -> float:
    """The higher score wins, then the attacker (D23)."""
    lead = score(rules, s, seat) - score(rules, s, 1 - seat)
    if lead == 0:
        if s.attacker == NONE:
            return 0.5
        return 1.0 if s.attacker == seat else 0.0
    return 1.0 if lead > 0 else 0.0
