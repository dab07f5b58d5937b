"""Dukes Up!: whether a state or view could stand on a table."""

from itertools import combinations
from typing import Any

from engines.cards import DECK, cards_in, cards_text
from engines.contract import HIDDEN, NONE
from engines.dukes.rules import (
    CARDS,
    CARDS_EACH,
    CHOOSE,
    CHOOSING,
    COLOUR,
    DEALING,
    DEALT,
    DRAWING,
    ENDED,
    FLIPPING,
    GUARDING,
    HEAP,
    KIND,
    PILE,
    PLAYING,
    REVEALING,
    TAKING,
    DukesRules,
)
from engines.errors import InputError
from engines.notation import Placed, check_ranges

SEATS = ("black", "red")
RANGES = (
    ("phase", 0, ENDED),
    *((name, 0, 1) for name in ("player", "acted", "up")),
    ("source", NONE, HEAP),
    ("slots", 0, 2),
    ("attacker", NONE, 1),
    ("plan", HIDDEN, (1 << 62) - 1),
    *((name, HIDDEN, 51) for name in ("fief", "heap")),
    *((name, 0, CARDS_EACH) for name in ("drawn", "held", "pile", "burnt", "height")),
    *((name, 0, DECK) for name in ("table", "hand", "dukes", "unseen", "open", "may")),
)
PLACES = ("draw pile", "discards", "hand", "fief")  # by PILE, HEAP, HAND, FIEF


def rooms(s: Any, seat: int) -> list[int]:
    """Return how many cards that the opponent does not see lie in each place."""
    face_down = int(s.height[seat]) - int(s.open[seat]).bit_count()
    bare = s.up[seat] or s.fief[seat] == NONE
    return [int(s.pile[seat] + s.burnt[seat]), face_down, int(s.held[seat]), 0 if bare else 1]


def anywhere(s: Any, seat: int) -> list[int]:
    """Return the places where hidden cards lie."""
    return [place for place, room in enumerate(rooms(s, seat)) if room]


def check(rules: DukesRules, s: Any) -> None:
    """Raise ``InputError`` unless the state or view could stand on a table."""
    from solvers.melds.dukes_automaton import feasible

    check_ranges(s, RANGES)
    if not feasible(int(s.table)):
        raise InputError("table: the cards cannot be parted into sets and runs; see kibitz check")
    for seat in range(2):
        check_seat(rules, s, seat)
    check_turn(rules, s)


def check_seat(rules: DukesRules, s: Any, seat: int) -> None:
    """Check that a seat has its 26 cards, each once, in possible numbers."""
    name, colour = SEATS[seat], int(COLOUR[seat])
    fief, height = int(s.fief[seat]), int(s.height[seat])
    placed = Placed()
    placed.put(cards_in(int(s.table) & colour), "table")
    heap = [int(card) for card in s.heap[seat][:height]]
    parts = {
        "dukes": list(cards_in(int(s.dukes[seat]))),
        "fief": [fief] if fief >= 0 else [],
        "hand": list(cards_in(int(s.hand[seat]))),
        "discards": [card for card in heap if card >= 0],
        "draw_pile": list(cards_in(int(s.unseen[seat]))),
    }
    for part, cards in parts.items():
        for card in placed.put(cards, f"{name}.{part}"):
            if not colour >> card & 1:
                raise InputError(f"{name}.{part}: {cards_text([card])}: expected cards of {name}'s colour")
    if placed.mask != colour:
        raise InputError(f"{name}: {cards_text(colour & ~placed.mask)}: expected somewhere")
    if len(parts["dukes"]) > 2:
        raise InputError(f"{name}.dukes: expected at most two")
    total = int(s.table & colour).bit_count() + int(s.held[seat] + s.pile[seat] + s.burnt[seat]) + height
    total += len(parts["dukes"]) + (fief != NONE)
    if total != CARDS_EACH:
        raise InputError(
            f"{name}: {total} cards on the table and in hand, dukes, fief, draw pile, burnt and discards:"
            f" expected {CARDS_EACH}"
        )
    if min(s.held[seat], s.pile[seat], s.burnt[seat]) < 0:
        raise InputError(f"{name}: a pile of less than no cards")
    if s.turn and s.held[seat] + len(parts["dukes"]) > rules.hand_limit + 2:
        raise InputError(f"{name}.hand: more cards, with the dukes, than {rules.hand_limit + 2}")
    viewed = len(parts["draw_pile"]) != s.pile[seat] + s.burnt[seat]
    if not viewed and (fief == HIDDEN or HIDDEN in heap or s.held[seat] != len(parts["hand"])):
        raise InputError(f"{name}: hidden cards, but none are missing")
    if s.phase != ENDED:
        check_known(s, seat)


def check_known(s: Any, seat: int) -> None:
    """Check that the opponent's knowledge leaves a place for every hidden card (Hall's condition)."""
    room = rooms(s, seat)
    hidden = int(COLOUR[seat]) & ~int(s.table | s.dukes[seat] | s.open[seat])
    if any(int(cards) & ~hidden for cards in s.may[seat]):
        raise InputError(f"{SEATS[seat]}.known: expected hidden cards of {SEATS[seat]}")
    for size in range(1, len(PLACES) + 1):
        for places in combinations(range(len(PLACES)), size):
            elsewhere = 0
            within = 0
            for place in range(len(PLACES)):
                if place in places:
                    within |= int(s.may[seat, place])
                else:
                    elsewhere |= int(s.may[seat, place])
            names = ", ".join(PLACES[place] for place in places)
            if (within & ~elsewhere).bit_count() > sum(room[place] for place in places):
                raise InputError(f"{SEATS[seat]}.known: more cards must be in {names} than lie there")
            if within.bit_count() < sum(room[place] for place in places):
                raise InputError(f"{SEATS[seat]}.known: fewer cards can be in {names} than lie there")


def check_turn(rules: DukesRules, s: Any) -> None:
    """Check that the phase fits the rest."""
    seat, foe = int(s.player), 1 - int(s.player)
    name = SEATS[seat]
    if not 0 <= s.turn <= rules.max_turns:
        raise InputError(f"turn: {s.turn}: expected at most {rules.max_turns}")
    if s.turn == 0:
        if s.phase > CHOOSING or s.phase in (FLIPPING, TAKING):
            raise InputError("turn: 0: expected the set-up")
        if s.phase in (CHOOSING, REVEALING) and (s.held != DEALT).any():
            raise InputError(f"hand: expected {DEALT} cards each before the choice")
        if s.drawn or s.slots or s.acted or s.source != NONE or s.attacker != NONE:
            raise InputError("turn: 0: nobody has done anything yet")
        check_plans(s)
        return
    if (s.plan != NONE).any() or s.phase in (DEALING, REVEALING):
        raise InputError("plan: expected none after the set-up")
    if s.phase == ENDED:
        return
    if s.phase == CHOOSING or (s.turn - 1) % 2 != seat:
        raise InputError(f"turn: {s.turn}: expected {SEATS[(s.turn - 1) % 2]} to move")
    if not 0 <= s.drawn <= rules.draw_limit or (s.drawn > 0) != (s.source in (PILE, HEAP)):
        raise InputError(f"drawn: {s.drawn}: expected at most {rules.draw_limit}, and where they came from")
    for owner in range(2):
        gone = owner == foe and s.attacker == seat
        if s.fief[owner] == NONE and not gone and not (owner == seat and s.attacker == seat):
            raise InputError(f"{SEATS[owner]}.fief: expected a card, as the game goes on")
    if s.dukes[seat] == 0 and not s.up[seat] and s.phase != FLIPPING and not s.acted:
        raise InputError(f"{name}.fief_up: expected true, as {name} has no dukes at the start of the turn")
    if s.attacker != NONE and s.phase != GUARDING:
        raise InputError("taken: the game is over, but for a change of the dukes")
    left = int(s.pile[seat] + s.burnt[seat] + s.height[seat])
    if s.phase == DRAWING:
        source = int(s.height[seat] + s.burnt[seat]) if s.source == HEAP else left
        if s.held[seat] >= rules.hand_limit or s.drawn >= rules.draw_limit or not source:
            raise InputError("decision: nothing more can be drawn")
    elif s.phase not in (PLAYING, FLIPPING) and not left:
        raise InputError(f"{name}.draw_pile: both piles are empty: the game ends without a discard")
    elif s.phase == TAKING and not (
        s.pile[seat] if s.source == PILE else s.source == HEAP and s.burnt[seat] and not s.height[seat]
    ):
        raise InputError(f"{name}: no card is there to be taken")
    if s.slots and (s.phase != GUARDING or s.slots + int(s.dukes[seat]).bit_count() > 2):
        raise InputError(f"slots: {s.slots}: expected none now")


def check_plans(s: Any) -> None:
    """Check the choices made in the set-up and not yet turned up."""
    chosen = {CHOOSING: int(s.player), REVEALING: 2}.get(int(s.phase), 0)
    for seat in range(2):
        plan = int(s.plan[seat])
        if (plan != NONE) != (seat < chosen):
            raise InputError(f"plan: {SEATS[seat]}'s does not fit the phase")
        if plan >= 0:
            fief, dukes = (plan - CHOOSE) // KIND, plan & CARDS
            cards = dukes | 1 << max(fief, 0)
            if (
                plan < CHOOSE
                or cards & ~int(s.hand[seat])
                or dukes.bit_count() != 2
                or cards.bit_count() != 3
            ):
                raise InputError(f"plan: expected three of {SEATS[seat]}'s four cards, two of them dukes")
