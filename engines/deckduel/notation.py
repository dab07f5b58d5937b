"""Deck Duel in text: moves, and the position file."""

from typing import Any

from engines.cards import ACE, JACK, RANK_NAMES, RANKS
from engines.contract import HIDDEN, NONE
from engines.deckduel.play import can_prepare
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
    LOOKING_ON,
    PASS,
    REVEALING,
    SECOND_PREP,
    SEEING,
    SEEING_BOTH,
    TOSSING,
    DuelRules,
)
from engines.deckduel.table import (
    SEATS,
    check_cards,
    check_counters,
    check_revealed,
    check_won,
    read_seat,
    seat_lines,
)
from engines.errors import InputError
from engines.notation import Section

COUNTERS = ("health", "energy", "attack", "defense")
LOOKS = ("top", "second")
DECISIONS = {
    "prepare": (FIRST_PREP, SECOND_PREP),
    "act": (ACTING,),
    "defend": (DEFENDING,),
    "see": (SEEING,),
    "see both": (SEEING_BOTH,),
}
TEXTS = {
    PASS: "pass",
    ADD_ATTACK: "attack",
    ADD_DEFENSE: "defense",
    GAIN_ENERGY: "energy",
    FOCUS: "focus",
    HEAL: "heal 1",
    HEAL_TWO: "heal 2",
    LOOK: "look",
    KEEP: "keep",
    LOOK_ON: "look on",
}
WORDS = {
    PASS: "prepare nothing",
    ADD_ATTACK: "spend 1 energy for an attack point",
    ADD_DEFENSE: "spend 1 energy for a defense point",
    GAIN_ENERGY: "gain 1 energy",
    FOCUS: "gain focus with the king",
    HEAL: "gain 1 health with the queen",
    HEAL_TWO: "gain 2 health with the queen, for 1 energy",
    LOOK: "look at the top card with the jack",
    KEEP: "leave the top card where it is",
    LOOK_ON: "spend 1 energy to look at the second card too",
}


def move_text(rules: DuelRules, s: Any, move: int) -> str:
    """Return a move as short text, such as ``attack``, ``strike 2`` (points spent) or ``defend 1``."""
    if move >= DAMAGE:
        return f"strike {move - DAMAGE}"
    if move >= DEFEND:
        return f"defend {move - DEFEND}"
    return f"discard {RANKS[move - DISCARD]}" if move >= DISCARD else TEXTS[move]


def move_words(rules: DuelRules, s: Any, move: int) -> str:
    """Say a move as one would at the table."""
    if move >= DAMAGE:
        points = move - DAMAGE
        damage = points + (rules.ace_damage if s.card[s.initiative] == ACE else 1)
        return f"deal {damage} damage" + (f", spending {_points(points, 'attack')}" if points else "")
    if move >= DEFEND:
        points = move - DEFEND
        lost = int(s.damage) - points
        if not points:
            return f"take all {lost} damage"
        return f"spend {_points(points, 'defense')} and take {lost or 'no'} damage"
    if move >= DISCARD:
        return f"discard the {RANK_NAMES[move - DISCARD]} from the top"
    return WORDS[move]


def outcome_text(rules: DuelRules, s: Any, code: int) -> str:
    """Return who wins the toss, or the card that is revealed or looked at."""
    if s.phase == TOSSING:
        return f"{SEATS[code]} takes the initiative"
    if s.phase == REVEALING:
        return f"reveal {RANKS[code]}"
    return f"see {RANKS[code]}"


def write_position(rules: DuelRules, s: Any, seat: int) -> str:
    """Write all that a seat sees; the decks are whatever has not been played."""
    decision = next(name for name, phases in DECISIONS.items() if s.phase in phases)
    lines = [
        f'to_move = "{SEATS[seat]}"',
        f'decision = "{decision}"  # {", ".join(DECISIONS)}',
        f'initiative = "{SEATS[s.initiative]}"  # the winner has it once cards are revealed',
        f"turns = {s.turns}  # complete ones",
    ]
    if s.phase == DEFENDING:
        lines.append(f"damage = {s.damage}  # to defend against")
    for owner in range(2):
        lines += seat_lines(s, owner, COUNTERS, LOOKS)
    return "\n".join(lines)


def read_position(rules: DuelRules, s: Any, section: Section) -> None:
    """Set a state from a position file."""
    seat = section.choice("to_move", SEATS)
    phases = list(DECISIONS.values())[section.choice("decision", DECISIONS)]
    s.initiative = section.choice("initiative", SEATS)
    s.phase = phases[-1] if s.initiative != seat else phases[0]
    s.turns = section.number("turns", 0, rules.max_turns - 1, 0)
    s.damage = section.number("damage", 1, rules.ace_damage + rules.max_points) if s.phase == DEFENDING else 0
    s.winner = NONE
    for owner, name in enumerate(SEATS):
        part = section.section(name)
        s.health[owner] = part.number("health", 1, rules.max_health)
        s.energy[owner] = part.number("energy", 0, rules.start_energy)
        s.attack[owner] = part.number("attack", 0, rules.max_points, 0)
        s.defense[owner] = part.number("defense", 0, rules.max_points, 0)
        read_seat(s, owner, part, seat, LOOKS)
        part.finish()
    decider = 1 - seat if s.phase in (SECOND_PREP, DEFENDING) else seat
    if s.initiative != decider:
        raise section.fail("initiative", f"expected {SEATS[decider]}, if {SEATS[seat]} is to decide this")


def check(rules: DuelRules, s: Any) -> None:
    """Raise ``InputError`` unless the state or view could stand on a table."""
    over = bool(s.phase == ENDED)
    if not TOSSING <= s.phase <= ENDED or s.winner not in (NONE, 0, 1):
        raise InputError("phase or winner out of range")
    if s.initiative not in ((NONE,) if s.phase == TOSSING else (0, 1)):
        raise InputError("initiative out of range")
    if not 0 <= s.turns <= rules.max_turns or (s.turns == rules.max_turns and not over):
        raise InputError(f"turns: {s.turns}: the game ends after {rules.max_turns}")
    limits = (rules.max_health, rules.start_energy, rules.max_points, rules.max_points)
    check_counters(s, dict(zip(COUNTERS, limits, strict=True)), over)
    for seat in range(2):
        check_cards(s, seat, over)
        check_second(s, seat)
        shows = s.phase in (SEEING, LOOKING_ON, SEEING_BOTH) and s.initiative == seat
        if s.top[seat] != NONE and s.card[seat] == JACK and not shows:
            raise InputError(f"{SEATS[seat]}.top: the jack that shows it has only been revealed")
        if s.card[seat] == ACE and not s.focus[seat] and (s.attack[seat] or s.defense[seat]):
            raise InputError(f"{SEATS[seat]}.attack: an ace without focus takes all points away")
    check_phase(rules, s)


def check_second(s: Any, seat: int) -> None:
    """Check the second card that a jack showed."""
    second, top, deck = int(s.second[seat]), int(s.top[seat]), int(s.deck[seat])
    if second == NONE:
        return
    if (top < 0) != (second < 0) or top == NONE:
        raise InputError(f"{SEATS[seat]}.second: seen without the top card")
    if second < HIDDEN or (second >= 0 and (second == top or not (deck >> second) & 1)):
        raise InputError(f"{SEATS[seat]}.second: expected another card of the deck")
    if deck.bit_count() < 2:
        raise InputError(f"{SEATS[seat]}.second: the deck has no second card")


def check_phase(rules: DuelRules, s: Any) -> None:
    """Check that the phase fits the rest."""
    if s.phase == ENDED:
        dead = [seat for seat in range(2) if s.health[seat] < 1]
        if dead != ([] if s.winner == NONE else [1 - s.winner]):
            raise InputError("winner: expected the one whose opponent's health is below 1")
        return
    if s.winner != NONE:
        raise InputError("the game is over: it has a winner")
    if (s.damage > 0) != (s.phase == DEFENDING) or s.damage < 0:
        raise InputError("damage does not fit the phase")
    if s.phase in (FIRST_PREP, SECOND_PREP):
        seat = int(s.initiative) if s.phase == FIRST_PREP else 1 - int(s.initiative)
        check_revealed(s, 0)
        if not can_prepare(rules, s, seat):
            raise InputError(f"{SEATS[seat]}.energy: nothing can be prepared: there is nothing to choose")
    elif s.phase in (TOSSING, REVEALING):
        check_revealed(s, int(s.phase == REVEALING and s.card[0] != NONE))
    else:
        check_fought(rules, s)


def check_fought(rules: DuelRules, s: Any) -> None:
    """Check what follows a fight: action, defense, or the jack's looks."""
    seat, foe = int(s.initiative), 1 - int(s.initiative)
    check_won(s, seat)
    if s.phase == DEFENDING:
        base = rules.ace_damage if s.card[seat] == ACE else 1
        if not base <= s.damage <= base + rules.max_points - s.attack[seat]:
            raise InputError(f"damage: {s.damage}: more or less than {SEATS[seat]} can deal")
        if not s.defense[foe]:
            raise InputError(f"{SEATS[foe]}.defense: 0: there is nothing to choose")
    elif s.phase != ACTING:
        if s.card[seat] != JACK or not s.deck[seat]:
            raise InputError(f"{SEATS[seat]}.card: expected a jack, and a card to look at")
        for name, phases in (("top", (SEEING, LOOKING_ON, SEEING_BOTH)), ("second", (SEEING_BOTH,))):
            if (s[name][seat] != NONE) != (s.phase in phases):
                raise InputError(
                    f"{SEATS[seat]}.{name}: expected {'it' if s.phase in phases else 'none'} now"
                )
        if s.phase == LOOKING_ON and int(s.deck[seat]).bit_count() < 2:
            raise InputError(f"{SEATS[seat]}.played: there is no second card to look at")


def _points(count: int, kind: str) -> str:
    return f"{count} {kind} point{'s' if count > 1 else ''}"
