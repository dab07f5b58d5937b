"""Up and Down the River in text: moves, and the position file."""

from collections import Counter
from typing import Any

from engines.cards import RANK_NAMES, parse_card
from engines.contract import NONE
from engines.errors import InputError, short
from engines.notation import Section
from engines.river.check import (
    DECK,
    SEATS,
    card_name,
    check,
    heap_of,
    kinds_of,
    least_to_lay,
    meld_cards,
    places_of,
)
from engines.river.rules import (
    ADD,
    ADDING,
    BUY,
    BUYING,
    CARDS,
    DEALING,
    DISCARD,
    DISCARDING,
    DOWN,
    DRAW,
    DRAWING,
    JUST_DOWN,
    LAY_ALL,
    LAY_RUN,
    PASS,
    PLAYING,
    ROUNDS,
    RUNS,
    SETS,
    STOP,
    TAKE,
    TURNING,
    RiverRules,
)
from solvers.melds.river_kernel import KINDS, MAX_MELDS, RUN, SET, STEPS, WILD, open_code
from solvers.melds.river_table import HIGH, INTO, LOW, REPLACE_HIGH, REPLACE_LOW

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
    "draw": DRAWING,
    "buy": BUYING,
    "go down": PLAYING,
    "add": ADDING,
    "discard": DISCARDING,
}
ENDS = {LOW: "low", HIGH: "high"}


# ---- cards and melds


def card_text(kind: int, wild: bool = False) -> str:
    """Return a card as text; a wild is ``*``, with what it stands for in a run."""
    from solvers.melds.river import kind_text

    return "*" + kind_text(kind).strip("*") if wild else kind_text(kind)


def cards_text(cards: Counter[int]) -> str:
    """Return cards as text, by suit and rank, wilds last."""
    return " ".join(card_text(kind) for kind in sorted(cards.elements()))


def meld_text(meld: list[tuple[int, bool]]) -> str:
    """Return a meld as ``kibitz meld --table`` reads it."""
    return " ".join(card_text(kind, wild) for kind, wild in meld)


def meld_names(s: Any) -> dict[int, str]:
    """Return a name for each meld by its place, such as ``4H-7H of two``; no two melds have the same."""
    names: dict[int, str] = {}
    for place, (suit, low, high, _) in enumerate(s.melds.tolist()):
        if not high:
            continue
        owner = SEATS[place // MAX_MELDS]
        if suit < 0:
            name = f"{card_text(low)[0]}s of {owner}"
        else:
            name = f"{card_text(STEPS * suit + low)}-{card_text(STEPS * suit + high)} of {owner}"
        twins = sum(other.split(" #")[0] == name for other in names.values())
        names[place] = f"{name} #{twins + 1}" if twins else name
    return names


def opened(move: int) -> tuple[int, int, int]:
    """Return what an addition does: the meld's place, where in it, and the card's kind."""
    return (move - ADD) >> 9, (move >> 6) & 7, move & 63


def end_kind(s: Any, place: int, where: int) -> int:
    """Return the kind at which a run grows."""
    meld = s.melds[place]
    step = int(meld.low) - 1 if where in (LOW, REPLACE_LOW) else int(meld.high) + 1
    return STEPS * int(meld.suit) + step


def laid_text(move: int) -> str:
    """Return the melds that a move lays: a run, or some sets of a rank."""
    once, twice, wilds, sets, low = open_code(move - LAY_RUN)
    if sets == 0:
        return meld_text([(kind, not int(once) >> kind & 1) for kind in range(int(low), int(low) + RUN)])
    kinds = sorted(kinds_of((once, twice, 0)).elements())
    melds = []
    for _ in range(sets):  # every set gets a natural, the last ones more
        filled = min(int(wilds), SET - 1)
        melds.append([(kind, False) for kind in kinds[: SET - filled]] + [(WILD, True)] * filled)
        kinds, wilds = kinds[SET - filled :], wilds - filled
    return " | ".join(map(meld_text, melds))


# ---- moves


def move_text(rules: RiverRules, s: Any, move: int) -> str:
    """Return a move as short text: ``take 7C``, ``lay 4H 5H *6H 7H``, ``add 8H to 4H-7H of two``."""
    if move == STOP:
        return "stay up" if s.phase == PLAYING else "stop"
    if move < LAY_RUN:
        name = {DRAW: "draw", TAKE: "take", PASS: "pass", BUY: "buy"}[move]
        return name if move in (DRAW, PASS) else f"{name} {card_text(int(s.top))}"
    if move < LAY_ALL:
        return f"lay {laid_text(move)}"
    if move == LAY_ALL:
        return "lay all"
    if move >= DISCARD:
        return f"discard {card_text(move - DISCARD)}"
    place, where, kind = opened(move)
    name = meld_names(s)[place]
    if where == INTO:
        return f"add {card_text(kind)} to {name}"
    end = end_kind(s, place, where)
    if where in (LOW, HIGH):
        return f"add {card_text(end, kind == WILD)} to {name}"
    return f"replace {card_text(kind, True)} in {name} and move it to {card_text(end, True)}"


def move_words(rules: RiverRules, s: Any, move: int) -> str:
    """Say a move as one would at the table, with the melds that it changes."""
    top = card_words(int(s.top)) if s.top != NONE else ""
    simple = {
        DRAW: f"draw from the draw pile; the others may buy {top}" if s.pile > 1 else "draw the last card",
        TAKE: f"take {top} from the discard pile",
        PASS: f"leave {top} where it is",
        BUY: f"buy {top}, with a card from the draw pile",
    }
    if move in simple:
        return simple[move]
    if move == STOP:
        return "do not go down yet" if s.phase == PLAYING else "add nothing more"
    if move < LAY_ALL:
        return lay_words(s, move)
    if move == LAY_ALL:
        return f"go out: {whole_hand_text(s)}"
    if move >= DISCARD:
        return f"discard {card_words(move - DISCARD)}"
    return addition_words(s, move)


def card_words(kind: int) -> str:
    """Return a card for a sentence."""
    return "a wild" if kind == WILD else card_text(kind)


def lay_words(s: Any, move: int) -> str:
    """Say what is laid, and what else the contract asks for, or what stays in hand."""
    once, twice, wilds, sets, low = open_code(move - LAY_RUN)
    ranks = plural(RANK_NAMES[(int(low) % STEPS + 2) % 13])
    what = ("the run", f"a set of {ranks}", f"two sets of {ranks}", f"three sets of {ranks}")[sets]
    done = [s.melds[place] for place in places_of(int(s.player)) if s.melds[place].high]
    runs_left = int(RUNS[s.stage]) - sum(meld.suit >= 0 for meld in done) - (sets == 0)
    sets_left = int(SETS[s.stage]) - sum(meld.suit < 0 for meld in done) - sets
    if sets_left + runs_left:
        rest = f"then {melds_text(sets_left, runs_left)} more"
    else:
        rest = f"keep {cards_text(kinds_of(s.hand[s.player]) - kinds_of((once, twice, wilds)))}"
    return f"{'lay also' if done else 'go down with'} {what} {laid_text(move)}; {rest}"


def melds_text(sets: int, runs: int) -> str:
    """Return how many melds these are."""
    parts = [f"{n} {name}{'s' if n > 1 else ''}" for n, name in ((sets, "set"), (runs, "run")) if n]
    return " and ".join(parts)


def plural(rank: str) -> str:
    """Return the name of a rank for many cards of it."""
    return "sixes" if rank == "six" else f"{rank}s"


def whole_hand_text(s: Any) -> str:
    """Return the three runs that hold the whole hand (V12)."""
    import numpy as np

    from solvers.melds.river import whole_hand
    from solvers.melds.river_kernel import round7

    windows = np.zeros(MAX_MELDS, np.int64)
    round7(np.array(s.hand[s.player]), windows)
    hand = kinds_of(s.hand[s.player])
    melds = whole_hand([hand[kind] for kind in range(KINDS + 1)], windows.tolist())
    return " | ".join(" ".join(meld) for meld in melds)


def addition_words(s: Any, move: int) -> str:
    """Say where a card goes, and show the meld before and after."""
    place, where, kind = opened(move)
    owner = place // MAX_MELDS
    whose = "your own" if owner == s.player else f"{SEATS[owner]}'s"
    before = meld_cards(s)[place]
    twin = meld_names(s)[place].partition(" #")[2]
    meld = f"{whose} {'set' if where == INTO else 'run'}{f' (#{twin})' if twin else ''} {meld_text(before)}"
    card = card_words(kind)
    if where == INTO:
        after = [*before, (kind, kind == WILD)]
        return f"add {card} to {meld} → {meld_text(after)}"
    end = end_kind(s, place, where)
    low = where in (LOW, REPLACE_LOW)
    replaces = where in (REPLACE_LOW, REPLACE_HIGH)
    grown = (end, kind == WILD or replaces)
    if replaces:
        before = [(card, wild and card != kind) for card, wild in before]
        what = f"put {card} in place of the wild in {meld}, which moves to the {'low' if low else 'high'} end"
    else:
        stands = f" as {card_text(end)}" if kind == WILD else ""
        what = f"add {card}{stands} to {meld}"
    after = [grown, *before] if low else [*before, grown]
    return f"{what} → {meld_text(after)}"


def outcome_text(rules: RiverRules, s: Any, code: int) -> str:
    """Return the card that comes up, and for whom."""
    if s.phase == TURNING:
        return f"turn up {card_text(code)}"
    if s.phase == DEALING:
        return f"deal {card_text(code)} to {SEATS[s.player]}"
    return f"draw {card_text(code)}"


# ---- position files


def write_position(rules: RiverRules, s: Any, seat: int) -> str:
    """Write all that a seat sees."""
    decision = next(name for name, phase in DECISIONS.items() if s.phase == phase)
    lines = [
        f'to_move = "{SEATS[seat]}"',
        f'decision = "{decision}"  # {", ".join(DECISIONS)}',
        f"round = {s.stage + 1}  # {melds_text(int(SETS[s.stage]), int(RUNS[s.stage]))}",
        f"turn = {s.turn}  # of all players together",
    ]
    if s.down[s.player] == JUST_DOWN:
        lines.append("went_down = true  # in this turn")
    if s.phase == ADDING and s.least:
        lines.append(
            f'adding_from = "{place_text(s)}"  # where the last card was added; it goes on from there'
        )
    lines += [
        f"draw_pile = {s.pile}  # face-down cards",
        f'top = "{card_text(int(s.top)) if s.top != NONE else ""}"  # of the discard pile',
        f'below = "{card_text(int(s.second)) if s.second != NONE else ""}"  # the discard under it',
        f'discards = "{cards_text(kinds_of(s.buried))}"  # the others, in any order',
    ]
    if kinds_of(s.shuffled) != DECK:
        lines.append(f'reshuffled = "{cards_text(kinds_of(s.shuffled))}"  # the last new draw pile')
    melds = meld_cards(s)
    for owner in range(rules.players):
        lines += ["", f"[{SEATS[owner]}]", f"total = {s.totals[owner]}  # points of the rounds before"]
        if owner == seat:
            lines.append(f'hand = "{cards_text(kinds_of(s.hand[owner]))}"  # *: a wild')
        else:
            lines.append(f"hand = {s.held[owner]}")
        known = cards_text(kinds_of(s.known[owner]))
        lines.append(f'known = "{known}"  # of these, taken or bought for all to see')
        own = ", ".join(f'"{meld_text(melds[place])}"' for place in places_of(owner) if place in melds)
        lines.append(f"melds = [{own}]")
    return "\n".join(lines)


def place_text(s: Any) -> str:
    """Return from where on cards can be added: the owner, the number of the meld, an end of it or a card."""
    place, where, kind = opened(int(s.least))
    what = card_text(kind) if s.melds[place].suit < 0 else ENDS[where]
    return f"{SEATS[place // MAX_MELDS]} {place % MAX_MELDS + 1} {what}"


def read_position(rules: RiverRules, s: Any, section: Section) -> None:
    """Set a state from a position file."""
    players = SEATS[: rules.players]
    seat = section.choice("to_move", players)
    s.phase = list(DECISIONS.values())[section.choice("decision", DECISIONS)]
    s.stage = section.number("round", 1, ROUNDS[rules.rounds]) - 1
    s.turn = section.number("turn", 1, rules.max_turns)
    s.player = (s.stage + s.turn - 1) % rules.players
    s.asked = seat if s.phase == BUYING else NONE
    if s.phase != BUYING and s.player != seat:
        raise section.fail("turn", f"{s.turn}: expected a turn of {players[seat]}, not {players[s.player]}")
    s.pile = section.number("draw_pile", 0, CARDS)
    piles = {key: read_cards(section, key) for key in ("top", "below", "discards")}
    for key in ("top", "below"):
        if piles[key].total() > 1:
            raise section.fail(key, f"{piles[key].total()} cards: expected one, or none")
    s.top = next(iter(piles["top"]), NONE)
    s.second = next(iter(piles["below"]), NONE)
    s.buried = heap_of(piles["discards"])
    s.shuffled = heap_of(read_cards(section, "reshuffled") if "reshuffled" in section else DECK)
    seen = sum(piles.values(), Counter[int]())
    laid: Counter[int] = Counter()
    for owner, name in enumerate(players):
        part = section.section(name)
        s.totals[owner] = part.number("total", 0, CARDS * 20 * max(ROUNDS), 0)
        known = read_cards(part, "known")
        s.known[owner] = heap_of(known)
        if owner == seat:
            hand = read_cards(part, "hand")
            s.hand[owner], s.held[owner] = heap_of(hand), hand.total()
            seen += hand
        else:
            s.held[owner] = part.number("hand", 1, CARDS)
            seen += known
        laid += read_melds(s, part, owner)
        part.finish()
    seen += laid
    for kind in sorted(seen):
        if seen[kind] > DECK[kind]:
            raise InputError(f"{card_name(kind)}: {seen[kind]} of them: expected at most {DECK[kind]}")
    s.laid = heap_of(laid)
    s.unseen = heap_of(DECK - seen)
    just_down = section.flag("went_down")
    for owner in range(rules.players):
        has_melds = bool(s.melds[MAX_MELDS * owner].high)
        s.down[owner] = DOWN if has_melds and (owner != s.player or s.phase != PLAYING) else 0
    if just_down:
        s.down[s.player] = JUST_DOWN
    s.least = read_place(s, section) if s.phase == ADDING else least_to_lay(s)


def read_cards(section: Section, key: str) -> Counter[int]:
    """Read cards, none more often than in two decks; ``*``, ``X`` and any two are wild."""
    from solvers.melds.river import kind_of

    cards: Counter[int] = Counter()
    for word in section.text(key, "").replace(",", " ").split():
        try:
            cards[WILD if word == "*" else kind_of(parse_card(word))] += 1
        except InputError as mistake:
            raise section.fail(key, str(mistake)) from None
    for kind, number in cards.items():
        if number > DECK[kind]:
            raise section.fail(key, f"{card_name(kind)} {number} times: expected at most {DECK[kind]}")
    return cards


def read_melds(s: Any, part: Section, owner: int) -> Counter[int]:
    """Read the melds of a player, runs to the front, and return their cards."""
    from solvers.melds.river import kind_of, read_table

    texts = part.take("melds", [])
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise part.fail("melds", "expected a list of texts, one a meld")
    if len(texts) > MAX_MELDS:
        raise part.fail("melds", f"{len(texts)} melds: expected at most {MAX_MELDS}")
    found = []
    cards: Counter[int] = Counter()
    for number, text in enumerate(texts, start=1):
        try:
            melds, _ = read_table(text)
        except InputError as mistake:
            problem = str(mistake).replace("meld 1 on the table", f"meld {number}")
            raise part.fail("melds", problem) from None
        if len(melds) > 1:
            raise part.fail("melds", f"{short(text)}: expected one meld in a text")
        words = text.replace(",", " ").split()
        wild = [word.startswith("*") or kind_of(parse_card(word)) == WILD for word in words]
        cards.update(
            WILD if is_wild else kind_of(parse_card(word)) for word, is_wild in zip(words, wild, strict=True)
        )
        found.append(melds[0].tolist())
    found.sort(key=lambda meld: meld[0] < 0)
    for place, meld in zip(places_of(owner), found, strict=False):
        s.melds[place] = meld
    return cards


def read_place(s: Any, section: Section) -> int:
    """Read from where on cards can be added; nothing is anywhere."""
    text = section.text("adding_from", "")
    words = text.split()
    if not words:
        return 0
    problem = section.fail("adding_from", f"{short(text)}: expected a player, a meld and an end: two 1 high")
    if len(words) != 3 or words[0] not in SEATS or words[1] not in ("1", "2", "3"):
        raise problem
    place = MAX_MELDS * SEATS.index(words[0]) + int(words[1]) - 1
    ends = {name: 64 * where for where, name in ENDS.items()}
    if words[2] in ends:
        return ADD + 512 * place + ends[words[2]]
    kinds = read_cards(Section({"adding_from": words[2]}), "adding_from")
    return ADD + 512 * place + next(iter(kinds))
