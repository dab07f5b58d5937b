"""What the position files of both rulesets of Deck Duel share: the part of each seat, and its cards."""

from typing import Any

from engines.cards import ACE, JACK, KING, RANKS, cards_in, parse_rank
from engines.contract import HIDDEN, NONE
from engines.deckduel.decks import FULL_SUIT, fight
from engines.errors import InputError
from engines.notation import Section

SEATS = ("one", "two")
UNSEEN = "hidden"


def ranks_text(deck: int) -> str:
    """Return a set of ranks as text, lowest first."""
    return " ".join(RANKS[rank] for rank in cards_in(deck))


def seat_lines(s: Any, seat: int, counters: tuple[str, ...], looks: tuple[str, ...]) -> list[str]:
    """Write the part of a seat: its counters, its cards, and what a jack showed."""
    lines = ["", f"[{SEATS[seat]}]"]
    lines += [f"{name} = {s[name][seat]}" for name in counters]
    lines.append(f"focus = {'true' if s.focus[seat] else 'false'}")
    if s.card[seat] != NONE:
        lines.append(f'card = "{RANKS[s.card[seat]]}"  # revealed this turn')
    played = ranks_text(FULL_SUIT & ~int(s.deck[seat]))
    lines.append(f'played = "{played}"  # face up this round, the king of the focus and card included')
    for name in looks:
        rank = int(s[name][seat])
        if rank != NONE:
            text = UNSEEN if rank == HIDDEN else RANKS[rank]
            lines.append(f'{name} = "{text}"  # of the deck, seen by its owner')
    return lines


def read_seat(s: Any, seat: int, part: Section, viewer: int, looks: tuple[str, ...]) -> None:
    """Set the cards of a seat as the viewer sees them."""
    s.focus[seat] = part.flag("focus")
    s.card[seat] = read_ranks(part, "card", 1)[0] if "card" in part else NONE
    s.deck[seat] = FULL_SUIT
    for rank in read_ranks(part, "played") if "played" in part else []:
        if not (int(s.deck[seat]) >> rank) & 1:
            raise part.fail("played", f"{RANKS[rank]} stands twice")
        s.deck[seat] &= ~(1 << rank)
    for name in looks:
        s[name][seat] = NONE
        if name not in part:
            continue
        if seat == viewer:
            s[name][seat] = read_ranks(part, name, 1)[0]
        elif part.text(name) == UNSEEN:
            s[name][seat] = HIDDEN
        else:
            raise part.fail(name, f'only its owner has seen it: expected "{UNSEEN}"')


def read_ranks(part: Section, key: str, count: int = 0) -> list[int]:
    """Return the ranks written in one text: so many, or any number."""
    words = part.text(key).replace(",", " ").split()
    try:
        ranks = [parse_rank(word) for word in words]
    except InputError as mistake:
        raise part.fail(key, str(mistake)) from None
    if count and len(ranks) != count:
        raise part.fail(key, f"{len(ranks)} cards: expected {count}")
    return ranks


def check_counters(s: Any, limits: dict[str, int], over: bool) -> None:
    """Check that counters are in range; the loser's health may have fallen below 1."""
    for seat in range(2):
        for name, high in limits.items():
            number = int(s[name][seat])
            low = 1 if name == "health" and not over else 0
            if number > high or (number < low and not (over and name == "health")):
                raise InputError(
                    f"{SEATS[seat]}.{name}: {number}: expected a whole number from {low} to {high}"
                )


def check_cards(s: Any, seat: int, over: bool) -> None:
    """Check the cards of a seat: conserved, and possible in one round."""
    name = SEATS[seat]
    deck, card, top = int(s.deck[seat]), int(s.card[seat]), int(s.top[seat])
    if deck & ~FULL_SUIT or not NONE <= card <= KING or not HIDDEN <= top <= KING:
        raise InputError(f"{name}: cards that a suit does not have")
    if s.focus[seat] not in (0, 1):
        raise InputError(f"{name}.focus: expected true or false")
    if card != NONE and (deck >> card) & 1:
        raise InputError(f"{name}.card: {RANKS[card]} is revealed: expected it in played")
    if not deck and card == NONE and not over:
        raise InputError(f"{name}.played: all 13 cards: a new round would have begun")
    if s.focus[seat] and (deck >> KING) & 1:
        raise InputError(f"{name}.focus: the king that gave it lies aside: expected K in played")
    jack_played = not (deck >> JACK) & 1
    if not deck & (1 << ACE) and card != ACE and not jack_played:
        raise InputError(f"{name}.played: A, but an ace ends the round unless a jack discarded it")
    if top != NONE and not jack_played:
        raise InputError(f"{name}.top: only a jack shows it: expected J in played")
    if top >= 0 and not (deck >> top) & 1:
        raise InputError(f"{name}.top: {RANKS[top]} is not in the deck")
    if top == HIDDEN and not deck:
        raise InputError(f"{name}.top: the deck is empty")


def check_revealed(s: Any, count: int) -> None:
    """Check how many cards are face up in the middle: seat 0's comes first."""
    for seat in range(2):
        if (s.card[seat] != NONE) != (seat < count):
            expected = "expected the card revealed this turn" if seat < count else "expected none now"
            raise InputError(f"{SEATS[seat]}.card: {expected}")


def check_won(s: Any, seat: int) -> None:
    """Check that a seat has won the fight of the revealed cards."""
    check_revealed(s, 2)
    if fight(s) != seat:
        raise InputError(f"card: {RANKS[s.card[0]]} against {RANKS[s.card[1]]} is not won by {SEATS[seat]}")
