"""Judge a Dukes Up! table for people: which groups are wrong, why, and what to move where."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import Any

from engines.cards import (
    ACE,
    JOKERS,
    KING,
    RANK_NAMES,
    card_symbol,
    card_text,
    cards_in,
    cards_text,
    mask_of,
    parse_card,
)
from engines.errors import InputError
from solvers.melds import verify
from solvers.melds.dukes_arrange import NEW, Arrangement, arrange
from solvers.melds.dukes_automaton import feasible, largest_part
from solvers.melds.dukes_graph import count_arrangements

VALID, REGROUP, IMPOSSIBLE = "valid", "regroup", "impossible"


@dataclass
class Judgement:
    """What there is to say of a table."""

    verdict: str
    """``valid``: as it lies. ``regroup``: the same cards can lie right. ``impossible``: they cannot."""
    groups: list[list[int]]
    problems: list[str]
    """For each group what is wrong with it, or an empty text."""
    added: list[int] = field(default_factory=list)
    arrangement: Arrangement | None = None
    steps: list[str] = field(default_factory=list)
    part: list[int] = field(default_factory=list)
    """If impossible: a largest valid part (with --add: that keeps the table's cards, if there is one)."""
    left_out: list[int] = field(default_factory=list)
    hopeless: list[int] = field(default_factory=list)
    """Those of ``left_out`` that fit into no set or run of these cards at all."""
    arrangements: int = 0


@cache
def read_card(word: str) -> int:
    """Read a card of a Dukes Up! table, which has no jokers (D1)."""
    card = parse_card(word)
    if card in JOKERS:
        raise InputError("Dukes Up! is played without jokers")
    return card


def read_groups(texts: Iterable[str]) -> list[list[int]]:
    """Read groups of cards; no card may come twice and no group be empty."""
    seen = 0
    groups = []
    for number, text in enumerate(texts, start=1):
        group = []
        for word in text[:400].replace(",", " ").split():  # 52 cards need less
            card = read_card(word)
            if seen >> card & 1:
                raise InputError(f"the card {card_text(card)} is on the table twice")
            seen |= 1 << card
            group.append(card)
        if len(text) > 400 and not text[400:].isspace():
            raise InputError(f"group {number} is too long for one deck of cards: {len(text)} characters")
        if not group:
            raise InputError(f"group {number} is empty: expected cards like 7H 8H 9C")
        groups.append(group)
    return groups


def judge(groups: Sequence[Sequence[int]], added: Sequence[int] = ()) -> Judgement:
    """Judge groups, with cards to be added to them somewhere."""
    own = [list(group) for group in groups]
    cards = [card for group in groups for card in group] + list(added)
    table = mask_of(cards)
    found = Judgement(VALID, own, [problem(group) for group in groups], list(added))
    found.arrangements = count_arrangements(table)
    if not added and not any(found.problems):
        return found
    found.arrangement = arrange(table, groups)
    if found.arrangement:
        found.verdict = REGROUP
        verify.check_arrangement(cards, found.arrangement.melds)
        found.steps = steps(groups, found.arrangement)
        return found
    found.verdict = IMPOSSIBLE
    part = largest_part(table, must=table & ~mask_of(added)) if added else None
    part = largest_part(table) or 0 if part is None else part
    kept = arrange(part)
    verify.check_arrangement(cards_in(part), kept.melds if kept else [])
    found.part, found.left_out = list(cards_in(part)), list(cards_in(table & ~part))
    found.hopeless = [card for card in found.left_out if not in_any_meld(card, table)]
    return found


def quick_verdict(groups: Sequence[Sequence[int]]) -> str:
    """Return only the verdict, for thousands of tables."""
    if all(map(verify.is_meld, groups)):
        return VALID
    return REGROUP if feasible(mask_of(card for group in groups for card in group)) else IMPOSSIBLE


def in_any_meld(card: int, table: int) -> bool:
    """Say whether some set or run of the table's cards holds the card."""
    if (table >> (card & ~3) & 15).bit_count() >= 3:
        return True
    family = [bool(table >> 4 * (place % 13) & 5 << (card & 1)) for place in range(14)]
    places = (0, 13) if card >> 2 == ACE else (card >> 2,)
    return any(
        all(family[start : start + 3])
        for place in places
        for start in range(max(0, place - 2), min(place, 11) + 1)
    )


# ---- words


def ordered(cards: Iterable[int]) -> list[int]:
    """Return the cards by rank, an ace above the king if it stands there."""
    cards = sorted(cards)
    if cards[-1] >> 2 == KING and cards[0] >> 2 == ACE and not verify.is_set(cards):
        ranks = {card >> 2 for card in cards}
        if 1 not in ranks:
            cards.sort(key=lambda card: card >> 2 or KING + 1)
    return cards


def plural(rank: int) -> str:
    """Return the name of a rank's cards: aces, sixes."""
    return RANK_NAMES[rank] + ("es" if RANK_NAMES[rank] == "six" else "s")


def name(cards: Sequence[int]) -> str:
    """Return a meld's or group's name in a sentence."""
    if verify.is_set(cards):
        return f"set of {plural(cards[0] >> 2)}"
    if verify.is_run(cards):
        line = ordered(cards)
        return f"run {card_text(line[0])}–{card_text(line[-1])}"
    return f"group {cards_text(cards)}" if len(cards) <= 4 else f"group {cards_text(cards[:3])} …"


def problem(group: Sequence[int]) -> str:
    """Return what is wrong with a group, or an empty text."""
    if verify.is_meld(group):
        return ""
    ranks = sorted(card >> 2 for card in group)
    if len(group) < 3:
        return f"a set or run needs at least 3 cards, this has {len(group)}"
    if len(set(ranks)) == 1:
        return "a set needs different suits"
    for odd, family, other in (
        (1, "flowers (clubs, hearts)", "thorn"),
        (0, "thorns (spades, diamonds)", "flower"),
    ):
        strangers = [card for card in group if card & 1 == odd]
        if 0 < len(strangers) <= len(group) // 2:
            verb = "is a" if len(strangers) == 1 else "are"
            noun = other if len(strangers) == 1 else other + "s"
            return f"no set: the ranks differ; no run of {family}: {cards_text(strangers)} {verb} {noun}"
    for low, high in pairwise(ranks):
        if low == high and low != ACE:
            return f"a run has one card a rank, this has more than one {RANK_NAMES[low]}"
    line = ordered(group)
    if ranks.count(ACE) > 1:
        return "a run has an ace at one end only"
    for low, high in pairwise(line):
        if (high >> 2 or 13) - (low >> 2) != 1:
            if ranks[0] == ACE and ranks[-1] == KING:
                return "a run never goes round the corner: an ace is below the two or above the king"
            return f"a gap between {card_text(low)} and {card_text(high)}"
    return "neither a set nor a run"


def steps(groups: Sequence[Sequence[int]], arrangement: Arrangement) -> list[str]:
    """Return the moves in words, cards that go the same way together."""
    home_of = {card: number for number, group in enumerate(groups) for card in group}
    words = []
    for meld, home in zip(arrangement.melds, arrangement.homes, strict=True):
        moved: dict[int, list[int]] = {}
        for card in meld:
            if home_of.get(card, NEW) != home or home == NEW:
                moved.setdefault(home_of.get(card, NEW), []).append(card)
        staying = [card for card in meld if home != NEW and home_of.get(card) == home]
        target = f"a new {name(meld)}" if home == NEW else f"the {name(groups[home])}"
        for source, cards in moved.items():
            verb = "add" if source == NEW else "move"
            origin = "" if source == NEW else f" from the {name(groups[source])}"
            words.append(f"{verb} {cards_text(cards)}{origin} to {target}")
        if moved and staying and name(meld) != name(groups[home]):
            words[-1] += f", now the {name(meld)}"
    return words


def picture(melds: Iterable[Sequence[int]], moved: Iterable[int] = ()) -> str:
    """Return the table as lines of text, one meld each; cards that moved stand in brackets."""
    marked = set(moved)
    lines = []
    for meld in melds:
        cards = ordered(meld) if verify.is_run(meld) else list(meld)
        lines.append(
            "  " + " ".join(f"[{card_symbol(c)}]" if c in marked else f" {card_symbol(c)} " for c in cards)
        )
    return "\n".join(lines)


def moved_cards(found: Judgement) -> list[int]:
    """Return the cards that change their group or come in."""
    if not found.arrangement:
        return []
    home_of = {card: number for number, group in enumerate(found.groups) for card in group}
    return [
        card
        for meld, home in zip(found.arrangement.melds, found.arrangement.homes, strict=True)
        for card in meld
        if home == NEW or home_of.get(card, NEW) != home
    ]


def report(found: Judgement, pool: bool = False) -> str:
    """Return the judgement as text for the terminal."""
    lines = []
    if not pool:
        for group, wrong in zip(found.groups, found.problems, strict=True):
            lines.append(f"{'✗' if wrong else '✓'} {cards_text(group)}: {wrong or name(group)}")
    ways = f"{found.arrangements:,} arrangement{'s' if found.arrangements != 1 else ''}"
    if found.verdict == VALID:
        lines.append(f"The table is valid ({ways} of these cards).")
    elif found.arrangement and pool:
        lines += [f"These cards can be arranged ({ways}), for example:", picture(found.arrangement.melds)]
    elif found.arrangement:
        count = found.arrangement.moves
        bound = "" if found.arrangement.proven else " (the search was cut short: fewer may do)"
        lines.append(f"The cards can lie right ({ways}). Fewest cards to move: {count}{bound}")
        lines += [f"  {number}. {words}" for number, words in enumerate(found.steps, start=1)]
        lines += ["The table then, cards that moved in brackets:"]
        lines.append(picture(found.arrangement.melds, moved_cards(found)))
    else:
        lines.append("These cards cannot all lie in sets and runs, however they are grouped.")
        if found.hopeless:
            lines.append(f"No set or run of these cards can hold {cards_text(found.hopeless)}.")
        lines.append(f"In the way: {cards_text(found.left_out)}. Largest valid part: {len(found.part)} cards")
        kept = arrange(mask_of(found.part))
        lines.append(picture(kept.melds) if kept and kept.melds else "  (none)")
    return "\n".join(lines)


def as_json(found: Judgement) -> dict[str, Any]:
    """Return the judgement for programs."""
    result: dict[str, Any] = {
        "verdict": found.verdict,
        "groups": [
            {"cards": cards_text(group), "kind": "" if wrong else name(group), "problem": wrong}
            for group, wrong in zip(found.groups, found.problems, strict=True)
        ],
        "added": cards_text(found.added),
        "arrangements": found.arrangements,
    }
    if found.arrangement:
        result["melds"] = [cards_text(ordered(meld)) for meld in found.arrangement.melds]
        result["homes"] = [None if home == NEW else home + 1 for home in found.arrangement.homes]
        result |= {"moves": found.arrangement.moves, "proven": found.arrangement.proven, "steps": found.steps}
    if found.verdict == IMPOSSIBLE:
        result |= {
            "part": cards_text(found.part),
            "left_out": cards_text(found.left_out),
            "hopeless": cards_text(found.hopeless),
        }
    return result
