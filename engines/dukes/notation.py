"""Dukes Up! in text: moves, and the position file."""

from collections.abc import Sequence
from typing import Any

from engines.cards import JOKERS, card_text, cards_in, cards_text, mask_of
from engines.contract import HIDDEN, NONE
from engines.dukes.check import PLACES, SEATS, anywhere, check
from engines.dukes.rules import (
    BURN,
    CARDS,
    CARDS_EACH,
    CHOOSE,
    CHOOSING,
    COLOUR,
    DEALING,
    DISCARD,
    DISCARD_TWO,
    DISCARDING,
    DRAW,
    DRAWING,
    FLIPPING,
    GUARD,
    GUARDING,
    KIND,
    PILE,
    PLAY,
    PLAYING,
    REMOVE,
    REVEALING,
    STOP,
    TAKE,
    DukesRules,
)
from engines.notation import Placed, Section

__all__ = [
    "SEATS",
    "check",
    "move_text",
    "move_words",
    "outcome_text",
    "read_position",
    "write_position",
]

DECISIONS = {
    "choose": CHOOSING,
    "draw": DRAWING,
    "play": PLAYING,
    "guard": GUARDING,
    "discard": DISCARDING,
}
SOURCES = PLACES[:2]
UNSEEN = "hidden"
EFFORT = 1500  # steps to find the fewest moves of one play; see solvers.melds.dukes_arrange

# How people have laid out a table is no part of the game (D4), so it is kept here, by the table's cards.
_groupings: dict[int, list[list[int]]] = {}


def move_text(rules: DukesRules, s: Any, move: int) -> str:
    """Return a move as short text, such as ``draw pile``, ``play 6D 6H`` or ``lift 4C place 7S``."""
    cards = move & CARDS
    if move < PLAY:
        return "stop" if move == STOP else "draw pile" if move == DRAW + PILE else "draw discard"
    if move < GUARD:
        return f"play {cards_text(cards)}" if cards else "play nothing"
    if move < BURN:
        lifted = cards & int(s.dukes[s.player])
        texts = [f"{verb} {cards_text(part)}" for verb, part in guard_parts(cards, lifted) if part]
        return " ".join(texts) or "keep dukes"
    if move == BURN:
        return "burn"
    if move < DISCARD_TWO:
        return f"discard {card_text(move - DISCARD)}"
    if move < REMOVE:
        return f"discard {cards_text(divmod(move - DISCARD_TWO, 64))}"
    if move < CHOOSE:
        return f"remove {card_text(move - REMOVE)}"
    return f"fief {card_text((move - CHOOSE) // KIND)} dukes {cards_text(cards)}"


def guard_parts(cards: int, lifted: int) -> tuple[tuple[str, int], tuple[str, int]]:
    """Return the dukes picked up and the cards put down."""
    return ("lift", lifted), ("place", cards & ~lifted)


def move_words(rules: DukesRules, s: Any, move: int) -> str:
    """Say a move as one would at the table; for a play, which cards to move where."""
    if move < PLAY:
        source = "draw" if move == DRAW + PILE else "discard"
        return "draw no more" if move == STOP else f"draw a card from the {source} pile"
    if move < GUARD:
        return play_words(s, move)
    if move < BURN:
        lifted = move & CARDS & int(s.dukes[s.player])
        placed = move & CARDS & ~lifted
        if lifted and placed:
            return f"pick up {cards_text(lifted)} and put down {cards_text(placed)} as duke"
        if lifted:
            return f"pick up {cards_text(lifted)} and leave the place empty"
        return f"put down {cards_text(placed)} as duke" if placed else "leave your dukes as they are"
    if move == BURN:
        return "burn: the top of the draw pile goes unseen under the discard pile"
    if move < DISCARD_TWO:
        return f"discard {card_text(move - DISCARD)}"
    if move < REMOVE:
        below, top = divmod(move - DISCARD_TWO, 64)
        return f"discard {card_text(below)}, then {card_text(top)} on top of it"
    if move < CHOOSE:
        return f"discard {card_text(move - REMOVE)} from the table"
    fief, dukes = (move - CHOOSE) // KIND, move & CARDS
    kept = int(s.hand[s.player]) & ~dukes & ~(1 << fief)
    return f"{card_text(fief)} as FIEF, {cards_text(dukes)} as dukes, {cards_text(kept)} for the hand"


def play_words(s: Any, move: int) -> str:
    """Say which cards go where, with the fewest moves, and show the table before and after."""
    from solvers.melds.dukes_arrange import arrange
    from solvers.melds.dukes_check import steps

    cards = move & CARDS
    if not cards:
        return "put nothing on the table"
    groups = grouping(int(s.table))
    found = arrange(int(s.table) | cards, groups, effort=EFFORT)
    assert found is not None  # the move is legal
    before = groups_text(groups) if groups else "empty"
    text = "; ".join(steps(groups, found)) + f". Table: {before} → {groups_text(found.melds)}"
    taken = cards & int(s.dukes[1 - s.player])
    prefix = f"take {cards_text(taken)}: " if taken else ""
    return ("take the FIEF and end the game: " if move >= TAKE else prefix) + text


def outcome_text(rules: DukesRules, s: Any, code: int) -> str:
    """Return the card that comes up."""
    if s.phase == REVEALING:
        return "dukes up"
    return f"{'deal' if s.phase == DEALING else 'fief' if s.phase == FLIPPING else 'draw'} {card_text(code)}"


def grouping(table: int) -> list[list[int]]:
    """Return how a table lies: as a position file said, or some valid way."""
    from solvers.melds.dukes_arrange import arrange

    if table not in _groupings:
        found = arrange(table)
        return [list(meld) for meld in found.melds] if found else [list(cards_in(table))]
    return _groupings[table]


def groups_text(groups: Sequence[Sequence[int]]) -> str:
    """Return groups of cards, ready to be read by ``kibitz check -``."""
    return " | ".join(cards_text(group) for group in groups) or "empty"


# ---- position files


def write_position(rules: DukesRules, s: Any, seat: int) -> str:
    """Write all that a seat sees."""
    decision = next(name for name, phase in DECISIONS.items() if s.phase == phase)
    lines = [
        f'to_move = "{SEATS[seat]}"',
        f'decision = "{decision}"  # {", ".join(DECISIONS)}',
    ]
    if s.phase != CHOOSING:
        lines.append(f"turn = {s.turn}  # of both players together; black's are odd")
    if s.drawn:
        lines.append(f"drawn = {s.drawn}  # cards this turn")
        lines.append(f'from = "{SOURCES[s.source]}"')
    if s.acted:
        lines.append("acted = true  # did more than draw this turn")
    if s.slots:
        lines.append(f"slots = {s.slots}  # dukes that may be put down without picking another one up")
    if s.attacker != NONE:
        lines.append("taken = true  # the opponent's FIEF went to the table this turn")
    lines.append("table = [  # the groups as they lie; how they are grouped does not matter")
    lines += [f'  "{cards_text(group)}",' for group in grouping(int(s.table))]
    lines.append("]")
    for owner in range(2):
        lines += seat_lines(s, owner, owner == seat)
    return "\n".join(lines)


def seat_lines(s: Any, owner: int, own: bool) -> list[str]:
    """Write the part of a seat."""
    heap = [int(card) for card in s.heap[owner][: s.height[owner]]]
    fief = int(s.fief[owner])
    lines = ["", f"[{SEATS[owner]}]{'  # you' if own else ''}"]
    lines.append(
        f'hand = "{cards_text(int(s.hand[owner]))}"' if own else f"hand = {s.held[owner]}  # cards, unseen"
    )
    lines.append(f'dukes = "{cards_text(int(s.dukes[owner]))}"')
    lines.append(f'fief = "{UNSEEN if fief == HIDDEN else card_text(fief) if fief >= 0 else ""}"')
    if own and s.up[owner]:
        lines.append("fief_up = true")
    lines.append(f"draw_pile = {s.pile[owner]}")
    lines.append(f"burnt = {s.burnt[owner]}  # at the bottom of the discards, unseen by both")
    texts = [
        ("?" if card < 0 else card_text(card)) + ("*" if own and _is_open(s, owner, card) else "")
        for card in heap
    ]
    mark = "; *: seen by the opponent" if own else "; ?: unseen"
    lines.append(f'discards = "{" ".join(texts)}"  # above the burnt ones, the last on top{mark}')
    known = known_places(s, owner)
    if known:
        whose = "the opponent knows of your hidden cards" if own else "you know of the hidden cards"
        lines += [f"[{SEATS[owner]}.known]  # what {whose}: where they can be"]
        lines += [f'"{places}" = "{cards_text(cards)}"' for places, cards in known.items()]
    return lines


def _is_open(s: Any, owner: int, card: int) -> bool:
    return card >= 0 and bool(int(s.open[owner]) >> card & 1)


def known_places(s: Any, owner: int) -> dict[str, int]:
    """Return the hidden cards of a seat that cannot be anywhere, by the places they can be in."""
    default = anywhere(s, owner)
    known: dict[str, int] = {}
    every = 0
    for mask in s.may[owner]:
        every |= int(mask)
    for card in cards_in(every):
        places = [place for place in range(len(PLACES)) if int(s.may[owner, place]) >> card & 1]
        if places != default:
            name = ", ".join(PLACES[place] for place in places)
            known[name] = known.get(name, 0) | 1 << card
    return known


def read_position(rules: DukesRules, s: Any, section: Section) -> None:
    """Set a state from a position file."""
    placed = Placed()
    seat = section.choice("to_move", SEATS)
    s.player = seat
    s.phase = list(DECISIONS.values())[section.choice("decision", DECISIONS)]
    setting_up = s.phase == CHOOSING
    s.turn = 0 if setting_up else section.number("turn", 1, rules.max_turns)
    s.drawn = section.number("drawn", 0, rules.draw_limit, 0)
    s.source = section.choice("from", SOURCES) if s.drawn else NONE
    s.acted = section.flag("acted")
    s.slots = section.number("slots", 0, 2, 0)
    s.attacker = seat if section.flag("taken") else NONE
    s.table = read_table(section, placed)
    for owner, name in enumerate(SEATS):
        part = section.section(name)
        s.plan[owner] = HIDDEN if setting_up and owner < seat else NONE
        s.dukes[owner] = mask_of(placed.put(part.cards("dukes"), part.place("dukes")))
        read_fief(s, part, owner, placed)
        s.pile[owner] = part.number("draw_pile", 0, CARDS_EACH)
        s.burnt[owner] = part.number("burnt", 0, CARDS_EACH, 0)
        read_heap(s, part, owner, placed)
        if owner == seat:
            cards = placed.put(part.cards("hand"), part.place("hand"))
            s.hand[owner], s.held[owner] = mask_of(cards), len(cards)
        else:
            s.hand[owner], s.held[owner] = 0, part.number("hand", 0, CARDS_EACH)
        s.unseen[owner] = int(COLOUR[owner]) & ~placed.mask
        read_known(s, part, owner)
        part.finish()


def read_table(section: Section, placed: Placed) -> int:
    """Return the table's cards, given as groups or in one text, and remember the groups."""
    table = section.take("table", [])
    texts = [table] if isinstance(table, str) else table
    if not isinstance(texts, list):
        raise section.fail("table", "expected a list of texts, one a group")
    groups = [placed.put(Section({"table": text}).cards("table"), "table") for text in texts]
    if any(card in JOKERS for group in groups for card in group):
        raise section.fail("table", "a joker: Dukes Up! is played without them")
    cards = mask_of(card for group in groups for card in group)
    if not isinstance(table, str) and all(groups):
        _groupings[cards] = groups
    return cards


def read_fief(s: Any, part: Section, owner: int, placed: Placed) -> None:
    """Read a FIEF: the own one, the opponent's if it is face up, else hidden."""
    own = owner == s.player
    if not own and part.text("fief", UNSEEN if s.turn else "") == UNSEEN:
        s.fief[owner], s.up[owner] = HIDDEN, 0
        return
    s.fief[owner] = part.card("fief")
    placed.put([int(s.fief[owner])] if s.fief[owner] >= 0 else [], part.place("fief"))
    s.up[owner] = part.flag("fief_up") if own else int(s.turn > 0)


def read_heap(s: Any, part: Section, owner: int, placed: Placed) -> None:
    """Read the discards above the burnt ones: ``?`` is unseen, ``*`` marks what the opponent saw."""
    words = part.text("discards", "").replace(",", " ").split()
    if len(words) > CARDS_EACH:
        raise part.fail("discards", f"{len(words)} cards: expected at most {CARDS_EACH}")
    own = owner == s.player
    s.height[owner] = len(words)
    s.heap[owner] = NONE
    s.open[owner] = 0
    for place, word in enumerate(words):
        if word == "?" and not own:
            s.heap[owner, place] = HIDDEN
            continue
        card = Section({part.place("discards"): word.removesuffix("*")}).card(part.place("discards"))
        placed.put([card], part.place("discards"))
        s.heap[owner, place] = card
        if not own or word.endswith("*"):
            s.open[owner] |= 1 << card


def read_known(s: Any, part: Section, owner: int) -> None:
    """Read where hidden cards can be; those not named can be anywhere."""
    hidden = int(COLOUR[owner]) & ~int(s.table | s.dukes[owner] | s.open[owner])
    if s.up[owner] and s.fief[owner] >= 0:
        hidden &= ~(1 << int(s.fief[owner]))
    for place in range(len(PLACES)):
        s.may[owner, place] = hidden if place in anywhere(s, owner) else 0
    known = part.take("known", {})
    if not isinstance(known, dict):
        raise part.fail("known", 'expected a table such as {"hand" = "7D"}')
    listed = Section(known, part.place("known"))
    for key in known:
        cards = mask_of(listed.cards(key))
        names = [name.strip() for name in key.split(",")]
        if cards & ~hidden:
            raise listed.fail(key, f"{cards_text(cards & ~hidden)}: expected hidden cards of {SEATS[owner]}")
        for name in names:
            if name not in PLACES:
                raise listed.fail(key, f"{name[:40]!r}: expected {', '.join(PLACES)}")
        for place, name in enumerate(PLACES):
            s.may[owner, place] &= ~cards
            if name in names:
                s.may[owner, place] |= cards
