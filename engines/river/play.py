"""Up and Down the River: the rules, compiled.

A turn is a draw or a take, perhaps a buy by somebody else, then melds laid or cards added one at a time, then
the discard. Rounds follow each other within a game; the state holds the present one and the totals.
"""

from typing import Any

import numpy as np

from engines import contract
from engines.bits import lowest, popcount
from engines.compiled import helper
from engines.contract import CHANCE, NONE, OVER
from engines.river.heaps import (
    add_card,
    add_each,
    add_heap,
    cost,
    nth_card,
    remove_card,
    remove_each,
    set_heap,
    whole_deck,
)
from engines.river.moves import MAX_ADDING, additions, can_add, can_go_down, next_least, to_lay
from engines.river.rules import (
    ADD,
    ADDING,
    ALL_POINTS,
    BOUGHT,
    BUY,
    BUYING,
    CARDS,
    DEALING,
    DISCARD,
    DISCARDING,
    DOWN,
    DRAW,
    DRAWING,
    DRAWN,
    ENDED,
    JUST_DOWN,
    LAY_ALL,
    LAY_RUN,
    MAX_PLAYERS,
    NOT_DOWN,
    ONES,
    PLAYING,
    ROUND_POINTS,
    ROUNDS,
    RUNS,
    SETS,
    STOP,
    THIRTEEN,
    TURNING,
    TWOS,
    WILDS,
    RiverRules,
)
from solvers.melds.river_kernel import MAX_MELDS, RUN, SET, STEPS, WILD, open_code
from solvers.melds.river_table import apply_addition


@contract.seats.register
def river_seats(rules: RiverRules) -> int:
    """As many as the rules say."""
    return rules.players


@contract.private.register
def river_private(rules: RiverRules) -> bool:
    """Hands are private (V15)."""
    return True


@contract.start.register
def river_start(rules: RiverRules, s: Any) -> None:
    """Nobody has points yet; the first round is about to be dealt."""
    s.stage = rules.first_round - 1
    for seat in range(MAX_PLAYERS):
        s.totals[seat] = 0
    begin_round(rules, s)


@contract.mover.register
def river_mover(rules: RiverRules, s: Any) -> int:
    """The player decides, or who is asked to buy; cards that come up are chance."""
    if s.phase < DRAWING:
        return CHANCE
    if s.phase == BUYING:
        return s.asked
    return OVER if s.phase == ENDED else s.player


# ---- chance


@contract.outcomes.register
def river_outcomes(rules: RiverRules, s: Any, codes: np.ndarray, weights: np.ndarray) -> int:
    """Any kind of which the draw pile has cards."""
    n = 0
    rest = s.unseen[ONES]
    while rest:
        codes[n] = lowest(rest)
        weights[n] = 1 + ((s.unseen[TWOS] >> codes[n]) & 1)
        rest &= rest - 1
        n += 1
    if s.unseen[WILDS]:
        codes[n] = WILD
        weights[n] = s.unseen[WILDS]
        n += 1
    return n


@contract.roll.register
def river_roll(rules: RiverRules, s: Any, u: float) -> int:
    """Any card of the draw pile."""
    return nth_card(s.unseen, int(u * s.pile))


@contract.luck.register
def river_luck(rules: RiverRules, s: Any) -> int:
    """A card is the luck of the seat that gets it; the one turned up is nobody's."""
    if s.phase == TURNING:
        return rules.players
    return s.asked if s.phase == BOUGHT else s.player


# ---- a round


@contract.play.register
def river_play(rules: RiverRules, s: Any, code: int) -> None:
    """Deal, draw, buy, lay, add or discard."""
    if s.phase == DISCARDING:
        discard(rules, s, code - DISCARD)
    elif s.phase == DRAWING:
        if code == DRAW:
            ask_to_buy(rules, s)
        else:
            take_discard(s, s.player)
            begin_play(s)
    elif s.phase == DRAWN:
        from_pile(s, s.player, code)
        replenish(s)
        begin_play(s)
    elif s.phase == BUYING:
        answer(rules, s, code)
    elif s.phase == DEALING:
        deal(rules, s, code)
    elif s.phase == ADDING:
        add(s, code)
    elif s.phase == PLAYING:
        lay(rules, s, code)
    elif s.phase == BOUGHT:
        from_pile(s, s.asked, code)
        s.asked = NONE
        s.phase = DRAWN
    else:
        s.pile -= 1
        remove_card(s.unseen, code)
        s.top = code
        begin_turn(s)


@helper
def begin_round(rules: RiverRules, s: Any) -> None:
    """Gather all cards; the start passes to the left each round (V5)."""
    s.phase = DEALING
    s.player = s.stage % rules.players
    s.asked = NONE
    s.turn = 0
    s.least = 0
    for seat in range(MAX_PLAYERS):
        s.down[seat] = NOT_DOWN
        s.held[seat] = 0
        set_heap(s.hand[seat], 0, 0, 0)
        set_heap(s.known[seat], 0, 0, 0)
    s.pile = CARDS
    whole_deck(s.unseen)
    whole_deck(s.shuffled)
    s.top = NONE
    s.second = NONE
    set_heap(s.buried, 0, 0, 0)
    set_heap(s.laid, 0, 0, 0)
    for place in range(len(s.melds)):
        set_meld(s, place, 0, 0, 0, 0)


@helper
def set_meld(s: Any, place: int, suit: int, low: int, high: int, wilds: int) -> None:
    """Put a meld on the table: see ``solvers.melds.river_table.TABLE``."""
    s.melds[place].suit = suit
    s.melds[place].low = low
    s.melds[place].high = high
    s.melds[place].wilds = wilds


@helper
def deal(rules: RiverRules, s: Any, kind: int) -> None:
    """Give a card to a player, then to the next; after the last, one is turned up (V1)."""
    from_pile(s, s.player, kind)
    s.player = next_seat(rules, s.player)
    if s.held[s.player] == rules.deal:
        s.phase = TURNING


@helper
def next_seat(rules: RiverRules, seat: int) -> int:
    """The seat to the left."""
    return seat + 1 if seat + 1 < rules.players else 0


@helper
def from_pile(s: Any, seat: int, kind: int) -> None:
    """A card comes from the draw pile to a hand."""
    s.pile -= 1
    remove_card(s.unseen, kind)
    add_card(s.hand[seat], kind)
    s.held[seat] += 1


@helper
def begin_turn(s: Any) -> None:
    """Ask the player to draw or to take."""
    s.turn += 1
    s.phase = DRAWING


@helper
def take_discard(s: Any, seat: int) -> None:
    """The top discard goes openly to a hand (V6, V7)."""
    add_card(s.hand[seat], s.top)
    add_card(s.known[seat], s.top)
    s.held[seat] += 1
    s.top = s.second
    s.second = NONE


@helper
def ask_to_buy(rules: RiverRules, s: Any) -> None:
    """Before the draw the others are asked, if the draw pile has a card for each of the two (V7)."""
    if s.pile >= 2:
        s.asked = next_seat(rules, s.player)
        s.phase = BUYING
    else:
        s.phase = DRAWN


@helper
def answer(rules: RiverRules, s: Any, code: int) -> None:
    """Who buys gets the discard and a card of the pile; else the next is asked; then the draw (V7)."""
    if code == BUY:
        take_discard(s, s.asked)
        s.phase = BOUGHT
        return
    s.asked = next_seat(rules, s.asked)
    if s.asked == s.player:
        s.asked = NONE
        s.phase = DRAWN


@helper
def replenish(s: Any) -> None:
    """If the draw pile is empty, all discards but the top one are shuffled into it (V14)."""
    if s.pile > 0:
        return
    if s.second != NONE:
        add_card(s.buried, s.second)
        s.second = NONE
    add_heap(s.unseen, s.buried)
    s.pile = s.unseen[WILDS] + popcount(s.unseen[ONES]) + popcount(s.unseen[TWOS])
    set_heap(s.buried, 0, 0, 0)
    set_heap(s.shuffled, s.unseen[ONES], s.unseen[TWOS], s.unseen[WILDS])


@helper
def begin_play(s: Any) -> None:
    """Ask what is laid or added, if anything can be (V8, V9)."""
    seat = s.player
    hand = s.hand[seat]
    s.phase = DISCARDING
    if s.down[seat] == DOWN:
        if can_add(s):
            s.phase = ADDING
    elif can_go_down(hand[ONES], hand[TWOS], hand[WILDS], SETS[s.stage], RUNS[s.stage]):
        s.phase = PLAYING


@helper
def leave_hand(s: Any, seat: int, kinds: int) -> None:
    """One card of each natural kind of a mask leaves a hand; a known one first (V15)."""
    remove_each(s.hand[seat], kinds)
    remove_each(s.known[seat], kinds & s.known[seat, ONES])
    s.held[seat] -= popcount(kinds)


@helper
def wilds_leave(s: Any, seat: int, number: int) -> None:
    """Wilds leave a hand; known ones first (V15)."""
    s.hand[seat, WILDS] -= number
    s.known[seat, WILDS] = max(s.known[seat, WILDS] - number, 0)
    s.held[seat] -= number


@helper
def card_leaves(s: Any, seat: int, kind: int) -> None:
    """A card leaves a hand."""
    if kind == WILD:
        wilds_leave(s, seat, 1)
    else:
        leave_hand(s, seat, 1 << kind)


@helper
def lay(rules: RiverRules, s: Any, code: int) -> None:
    """Lay a meld of the contract, or some sets of one rank (V3, V8); or the whole hand (V12)."""
    seat = s.player
    if code == STOP:
        s.phase = DISCARDING
        return
    if code == LAY_ALL:
        add_heap(s.laid, s.hand[seat])
        set_heap(s.hand[seat], 0, 0, 0)
        set_heap(s.known[seat], 0, 0, 0)
        s.held[seat] = 0
        s.down[seat] = JUST_DOWN
        end_round(rules, s)
        return
    once, twice, wilds, sets, low = open_code(code - LAY_RUN)
    leave_hand(s, seat, once)
    leave_hand(s, seat, twice)
    wilds_leave(s, seat, wilds)
    add_each(s.laid, once)
    add_each(s.laid, twice)
    s.laid[WILDS] += wilds
    place = MAX_MELDS * seat
    while s.melds[place].high:
        place += 1
    if sets == 0:
        suit = low // STEPS
        step = low % STEPS
        gaps = (((1 << RUN) - 1) << step) & ~(once >> (STEPS * suit))
        set_meld(s, place, suit, step, step + RUN - 1, gaps)
    for number in range(sets):
        # Which set of a rank has which wilds matters to nobody; every one has a natural.
        filled = min(wilds, SET - 1)
        wilds -= filled
        set_meld(s, place + number, -1, low, SET, filled)
    left_sets, left_runs = to_lay(s, seat)
    s.least = next_least(code)
    if left_sets + left_runs == 0:
        s.least = 0
        s.down[seat] = JUST_DOWN
        s.phase = DISCARDING


@helper
def add(s: Any, code: int) -> None:
    """Add a card to a meld or replace a wild (V9, V10), and ask for more while a card is left over (V11)."""
    seat = s.player
    if code != STOP:
        kind = code & 63
        apply_addition(s.melds, (code - ADD) >> 9, kind, (code >> 6) & 7)
        card_leaves(s, seat, kind)
        add_card(s.laid, kind)
        s.least = next_least(code)
        if s.held[seat] > 1 and additions(s, np.empty(MAX_ADDING, np.int64)) > 1:
            return
    s.least = 0
    s.phase = DISCARDING


@helper
def discard(rules: RiverRules, s: Any, kind: int) -> None:
    """End the turn; the round is over when a hand is empty (V13), or after the last turn (V14)."""
    seat = s.player
    card_leaves(s, seat, kind)
    if s.second != NONE:
        add_card(s.buried, s.second)
    s.second = s.top
    s.top = kind
    if s.down[seat] == JUST_DOWN:
        s.down[seat] = DOWN
    if s.held[seat] == 0 or s.turn >= rules.max_turns:
        end_round(rules, s)
    else:
        replenish(s)
        s.player = next_seat(rules, seat)
        begin_turn(s)


@helper
def end_round(rules: RiverRules, s: Any) -> None:
    """Everybody scores the cards left (V13); the next round begins, if there is one."""
    for seat in range(rules.players):
        s.totals[seat] += cost(s.hand[seat])
    last = ROUNDS[1] if rules.rounds == THIRTEEN else ROUNDS[0]
    if rules.goal == ROUND_POINTS or s.stage + 1 == last:
        s.phase = ENDED
    else:
        s.stage += 1
        begin_round(rules, s)


# ---- the end


@contract.part.register
def river_part(rules: RiverRules, s: Any) -> int:
    """A round."""
    return s.stage


@contract.points.register
def river_points(rules: RiverRules, s: Any, seat: int) -> float:
    """The total of the rounds so far; if one round is played for, what is in hand."""
    return float(cost(s.hand[seat]) if rules.goal == ROUND_POINTS else s.totals[seat])


@contract.returns.register
def river_returns(rules: RiverRules, s: Any, seat: int) -> float:
    """The lowest total wins, equal ones share (V13); a round is worth the more the fewer points it cost."""
    if rules.goal == ROUND_POINTS:
        return 1.0 - cost(s.hand[seat]) / ALL_POINTS
    best = 0
    for other in range(rules.players):
        if s.totals[other] < s.totals[seat]:
            return 0.0
        best += s.totals[other] == s.totals[seat]
    return 1.0 / best
