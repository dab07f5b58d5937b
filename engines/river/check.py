"""Up and Down the River: whether a state or view could stand on a table."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from engines import contract
from engines.contract import NONE
from engines.errors import InputError
from engines.notation import check_ranges
from engines.river.moves import can_go_down
from engines.river.rules import (
    ADD,
    ADDING,
    ALL_KINDS,
    ALL_POINTS,
    ALL_WILDS,
    BOUGHT,
    BUYING,
    CARDS,
    DEALING,
    DISCARDING,
    DOWN,
    DRAWING,
    DRAWN,
    ENDED,
    JUST_DOWN,
    LAY_RUN,
    LAY_SETS,
    MAX_PLAYERS,
    NOT_DOWN,
    ONES,
    PLAYING,
    ROUNDS,
    RUNS,
    SETS,
    TURNING,
    TWOS,
    WILDS,
    RiverRules,
)
from solvers.melds.river_kernel import KINDS, MAX_MELDS, RUN, SET, STEPS, WILD
from solvers.melds.river_table import HIGH, LOW

SEATS = ("one", "two", "three", "four", "five", "six")
RANGES = (
    ("phase", 0, ENDED),
    ("player", 0, MAX_PLAYERS - 1),
    ("asked", NONE, MAX_PLAYERS - 1),
    ("least", 0, ADD + 512 * MAX_PLAYERS * MAX_MELDS),
    ("totals", 0, ALL_POINTS * max(ROUNDS)),
    ("down", NOT_DOWN, DOWN),
    *((name, 0, CARDS) for name in ("held", "pile")),
    *((name, NONE, WILD) for name in ("top", "second")),
    *((name, 0, ALL_KINDS) for name in ("hand", "known", "unseen", "shuffled", "buried", "laid")),
)


def kinds_of(heap: Iterable[int]) -> Counter[int]:
    """Return how many cards of each kind a heap has."""
    ones, twos, wilds = (int(number) for number in heap)
    counts = Counter({kind: 1 + (twos >> kind & 1) for kind in range(KINDS) if ones >> kind & 1})
    return counts + Counter({WILD: wilds})


def heap_of(cards: Counter[int]) -> list[int]:
    """Return cards, none more often than in two decks, as a heap."""
    ones = sum(1 << kind for kind in range(KINDS) if cards[kind])
    twos = sum(1 << kind for kind in range(KINDS) if cards[kind] > 1)
    return [ones, twos, cards[WILD]]


DECK = kinds_of((ALL_KINDS, ALL_KINDS, ALL_WILDS))


def places_of(seat: int) -> range:
    """Return where the melds of a seat are kept."""
    return range(MAX_MELDS * seat, MAX_MELDS * (seat + 1))


def run_cards(suit: int, low: int, high: int, wilds: int) -> list[tuple[int, bool]]:
    """Return the kinds that a run stands for, lowest first, and whether a wild stands there."""
    return [(STEPS * suit + step, bool(wilds >> step & 1)) for step in range(low, high + 1)]


def meld_cards(s: Any) -> dict[int, list[tuple[int, bool]]]:
    """Return the cards of each meld by its place: kinds, and whether a wild stands there.

    Of several sets of a rank the state does not keep which natural lies in which; they are dealt out.
    """
    table = s.melds.tolist()  # records of NumPy are slow to look at
    melds = {place: run_cards(*meld) for place, meld in enumerate(table) if meld[0] >= 0 and meld[2]}
    left = kinds_of(s.laid)
    left.subtract(WILD if wild else kind for meld in melds.values() for kind, wild in meld)
    for place, (suit, step, size, wilds) in enumerate(table):
        if suit < 0:
            own = sorted(kind for kind in left.elements() if kind < KINDS and kind % STEPS == step)
            melds[place] = [(kind, False) for kind in own[: size - wilds]] + [(WILD, True)] * wilds
            left.subtract(kind for kind, _ in melds[place])
    short = any(len(meld) < table[place][2] for place, meld in melds.items() if table[place][0] < 0)
    if short or any(left.values()):
        raise InputError("melds: they are not the cards that lie on the table")
    return melds


def check(rules: RiverRules, s: Any) -> None:
    """Raise ``InputError`` unless the state or view could stand on a table."""
    check_ranges(s, RANGES)
    if not 0 <= s.stage < ROUNDS[rules.rounds]:
        raise InputError(f"round: {int(s.stage) + 1}: expected at most {ROUNDS[rules.rounds]}")
    if not 0 <= s.turn <= rules.max_turns:
        raise InputError(f"turn: {s.turn}: expected at most {rules.max_turns}")
    for name in ("hand", "known"):
        for seat in range(MAX_PLAYERS):
            check_heap(s[name][seat], f"{SEATS[seat]}.{name}")
    for name in ("unseen", "shuffled", "buried", "laid"):
        check_heap(s[name], name)
    check_seats(rules, s)
    check_melds(s)
    hidden = check_cards(rules, s)
    if s.turn == 0:
        check_deal(rules, s)
    else:
        check_turn(rules, s, hidden)


def check_heap(heap: np.ndarray, place: str) -> None:
    """Check that a heap's numbers belong together."""
    if int(heap[TWOS]) & ~int(heap[ONES]) or heap[WILDS] > ALL_WILDS:
        raise InputError(f"{place}: no cards of two decks and four jokers")


def check_seats(rules: RiverRules, s: Any) -> None:
    """Check totals, and that nobody sits where there is no player."""
    played = int(s.stage) + (s.phase == ENDED)
    if (s.totals % 5).any() or s.totals.sum() > ALL_POINTS * played:
        raise InputError(f"total: expected multiples of 5, {ALL_POINTS * played} together at most")
    absent = slice(rules.players, None)
    if max(s.player, s.asked) >= rules.players or any(
        s[name][absent].any() for name in ("totals", "down", "held", "hand", "known")
    ):
        raise InputError(f"players: expected {rules.players}")


def check_melds(s: Any) -> None:
    """Check each meld (V2), that the cards of all lie on the table, and that they are contracts (V4)."""
    table = s.melds.tolist()
    for place, (suit, low, high, wilds) in enumerate(table):
        if suit < 0:
            fits = suit == -1 and 0 <= low < STEPS and 0 <= wilds < high <= CARDS and high >= SET
        elif high == 0:
            fits = suit == low == wilds == 0
        else:
            window = (1 << (high + 1)) - (1 << low) if 0 <= low < high < STEPS else 0
            fits = suit < 4 and high - low + 1 >= RUN and wilds & ~window == 0 and wilds != window
        if not fits:
            raise InputError(f"{SEATS[place // MAX_MELDS]}.melds: neither a set nor a run")
    if s.phase != ENDED:
        meld_cards(s)
    contract_sets, contract_runs = int(SETS[s.stage]), int(RUNS[s.stage])
    for seat, down in enumerate(s.down.tolist()):
        melds = table[MAX_MELDS * seat : MAX_MELDS * (seat + 1)]
        sorts = [1 if meld[0] < 0 else 0 if meld[2] else 2 for meld in melds]
        sets, runs = sorts.count(1), sorts.count(0)
        whole = (sets, runs) == (contract_sets, contract_runs) and runs < MAX_MELDS
        laying = s.phase == PLAYING and seat == s.player
        if sorts != sorted(sorts) or sets > contract_sets or runs > contract_runs:
            raise InputError(f"{SEATS[seat]}.melds: expected those of the contract, runs first")
        partly = sets + runs > 0 and not whole
        if s.phase != ENDED and ((partly and not laying) or (down > 0) != whole):
            raise InputError(f"{SEATS[seat]}.melds: expected the whole contract, or none")


def check_cards(rules: RiverRules, s: Any) -> bool:
    """Check that all 108 cards are somewhere; return whether some hands are hidden."""
    unseen = kinds_of(s.unseen)
    places = unseen + kinds_of(s.buried) + kinds_of(s.laid)
    places.update(int(card) for card in (s.top, s.second) if card != NONE)
    lying = places.total() - unseen.total()
    covered = 0
    hidden = 0
    for seat in range(rules.players):
        hand, known = kinds_of(s.hand[seat]), kinds_of(s.known[seat])
        if hand.total() == s.held[seat]:
            places.update(hand)
            if known - hand:
                raise InputError(f"{SEATS[seat]}.known: expected cards of the hand")
            continue
        if hand:
            raise InputError(f"{SEATS[seat]}.hand: {hand.total()} cards: expected {s.held[seat]}")
        if known.total() > s.held[seat]:
            raise InputError(f"{SEATS[seat]}.known: more cards than the {s.held[seat]} of the hand")
        places.update(known)
        hidden += 1
        covered += int(s.held[seat]) - known.total()
    total = lying + int(s.pile) + int(s.held.sum())
    if total != CARDS:
        raise InputError(f"{total} cards in hands, piles and melds: expected {CARDS}")
    for kind in sorted(DECK):
        if places[kind] != DECK[kind]:
            name = card_name(kind)
            raise InputError(f"{name}: {places[kind]} in hands, piles and melds: expected {DECK[kind]}")
    if unseen.total() != s.pile + covered or hidden >= rules.players:
        raise InputError("draw_pile: expected as many cards as nobody sees")
    if (unseen & kinds_of(s.shuffled)).total() < s.pile:
        raise InputError("reshuffled: expected the cards of the draw pile among them")
    return hidden > 0


def card_name(kind: int) -> str:
    """Return the name of a kind for messages."""
    from solvers.melds.river import kind_text

    return "wild" if kind == WILD else kind_text(kind)


def check_deal(rules: RiverRules, s: Any) -> None:
    """Check a deal in progress (V1, V5)."""
    dealt = int(s.held.sum())
    first = int(s.stage) % rules.players
    held = [(dealt + rules.players - 1 - place) // rules.players for place in range(rules.players)]
    in_order = [int(s.held[(first + place) % rules.players]) for place in range(rules.players)]
    phase = TURNING if dealt == rules.deal * rules.players else DEALING
    if in_order != held or max(held) > rules.deal or s.phase != phase:
        raise InputError("turn: 0: expected a deal, a card at a time")
    if s.player != (first + dealt) % rules.players or s.asked != NONE or s.least:
        raise InputError("turn: 0: expected the next player to be dealt to")
    if s.top != NONE or s.second != NONE or s.buried.any() or s.laid.any() or s.known.any():
        raise InputError("turn: 0: expected cards nowhere but in the hands")
    if kinds_of(s.shuffled) != DECK:
        raise InputError("reshuffled: nothing yet")


def check_turn(rules: RiverRules, s: Any, hidden: bool) -> None:
    """Check that the phase fits the rest."""
    phase, seat = int(s.phase), int(s.player)
    expected = (int(s.stage) + int(s.turn) - 1) % rules.players
    if phase in (DEALING, TURNING) or seat != expected:
        raise InputError(f"turn: {s.turn}: expected it to be the turn of {SEATS[expected]}")
    asking = phase in (BUYING, BOUGHT)
    if (s.asked != NONE) != asking or s.asked == seat:
        raise InputError("to_move: expected another player than the one whose turn it is to buy")
    discards = sum(int(card != NONE) for card in (s.top, s.second)) + kinds_of(s.buried).total()
    begins = phase in (DRAWING, BUYING)
    if (begins or s.second != NONE) and s.top == NONE:
        raise InputError("top: expected the top of the discard pile")
    bare = (begins or s.top == NONE) and s.second == NONE and s.buried.any()
    if bare or (phase == BOUGHT and s.second != NONE):
        raise InputError("below: expected the discard below the top one, if there is one")
    if phase == ENDED:
        return
    if s.pile == 0 and discards > 1:
        raise InputError("draw_pile: 0: expected the discards to be shuffled into it")
    if s.pile < {BUYING: 2, BOUGHT: 2, DRAWN: 1}.get(phase, 0):
        raise InputError(f"draw_pile: {s.pile}: expected a card for the buyer and one for the drawer")
    if (s.held[: rules.players] < 1).any():
        raise InputError("hand: 0: the round is over: expected a card in every hand")
    check_play(rules, s, hidden)


def check_play(rules: RiverRules, s: Any, hidden: bool) -> None:
    """Check what is being laid or added, and who is down."""
    phase, seat = int(s.phase), int(s.player)
    for other in range(rules.players):
        if s.down[other] == JUST_DOWN and (other != seat or phase != DISCARDING):
            raise InputError(f"{SEATS[other]}: expected nobody to go down but in the own turn")
    if (phase == PLAYING and s.down[seat] != NOT_DOWN) or (phase == ADDING and s.down[seat] != DOWN):
        raise InputError(f"decision: expected {SEATS[seat]} to be down to add, and not to be to go down")
    if phase == ADDING and s.held[seat] < 2:
        raise InputError(f"decision: expected {SEATS[seat]} to have a card to discard besides one to add")
    if (phase != ADDING and s.least != least_to_lay(s)) or (
        phase == ADDING and not is_place(s, int(s.least))
    ):
        raise InputError("adding_from: expected a meld on the table, and an end of it or a card")
    if phase == PLAYING and hidden and kinds_of(s.hand[seat]):  # what others see does not tell
        whole = RUNS[s.stage] == MAX_MELDS
        if whole and not can_go_down(*s.hand[seat].tolist(), 0, MAX_MELDS):
            raise InputError(f"decision: {SEATS[seat]} cannot go out with this hand")
        if not contract.legal(rules, s, np.zeros(contract.most_moves(rules), np.int64)):
            raise InputError(f"decision: {SEATS[seat]} cannot complete the contract with this hand")


def least_to_lay(s: Any) -> int:
    """Return where a player who is laying melds goes on: behind the last one."""
    if s.phase != PLAYING:
        return 0
    melds = [s.melds[place] for place in places_of(int(s.player)) if s.melds[place].high]
    if not melds:
        return 0
    last = melds[-1]
    if last.suit < 0:
        return LAY_SETS + 1024 * (int(last.low) + 1)
    low, gaps = int(last.low), int(last.wilds) >> int(last.low)
    return LAY_RUN + 16 * (STEPS * int(last.suit) + low) + (~gaps & (1 << RUN) - 1)


def is_place(s: Any, least: int) -> bool:
    """Return whether additions can go on from here."""
    if least == 0:
        return True
    place, where, kind = (least - ADD) >> 9, (least >> 6) & 7, least & 63
    if least < ADD or place >= len(s.melds) or not s.melds[place].high:
        return False
    if s.melds[place].suit >= 0:
        return where in (LOW, HIGH) and kind == 0
    return where == 0 and (kind == WILD or (kind < KINDS and kind % STEPS == s.melds[place].low))
