"""Deck Duel, basic ruleset, in text: moves, and the position file."""

from typing import Any

from engines.cards import JACK, RANK_NAMES, RANKS
from engines.contract import HIDDEN, NONE
from engines.deckduel.table import (
    SEATS,
    check_cards,
    check_counters,
    check_revealed,
    check_won,
    read_seat,
    seat_lines,
)
from engines.deckduel_basic.play import can_enrage, preparer, rewarded
from engines.deckduel_basic.rules import (
    ADD_RAGE,
    BEAR,
    DEFEND,
    DEFENDING,
    DISCARD,
    ENDED,
    FOCUS,
    GAIN_ACTION,
    HEAL,
    KEEP,
    LOOK,
    OPENING,
    PASS,
    PREPARING,
    REVEALING,
    REWARDING,
    SEEING,
    BasicDuelRules,
)
from engines.errors import InputError
from engines.notation import Section

COUNTERS = ("health", "actions", "rage")
LOOKS = ("top",)
DECISIONS = {"prepare": PREPARING, "defend": DEFENDING, "reward": REWARDING, "see": SEEING}
TEXTS = {
    PASS: "pass",
    ADD_RAGE: "rage",
    BEAR: "bear",
    DEFEND: "defend",
    GAIN_ACTION: "action",
    FOCUS: "focus",
    HEAL: "heal",
    LOOK: "look",
    KEEP: "keep",
}
WORDS = {
    PASS: "prepare nothing",
    ADD_RAGE: "spend 1 action for 1 rage",
    BEAR: "take all the damage",
    DEFEND: "spend 1 action to take 1 damage less",
    GAIN_ACTION: "gain 1 action",
    FOCUS: "gain focus with the king",
    HEAL: "gain 1 health with the queen",
    LOOK: "look at the top card with the jack",
    KEEP: "leave the top card where it is",
}


def move_text(rules: BasicDuelRules, s: Any, move: int) -> str:
    """Return a move as short text, such as ``rage``, ``defend`` or ``discard 7``."""
    return f"discard {RANKS[move - DISCARD]}" if move >= DISCARD else TEXTS[move]


def move_words(rules: BasicDuelRules, s: Any, move: int) -> str:
    """Say a move as one would at the table."""
    return f"discard the {RANK_NAMES[move - DISCARD]} from the top" if move >= DISCARD else WORDS[move]


def outcome_text(rules: BasicDuelRules, s: Any, code: int) -> str:
    """Return what both have prepared, or the card that is revealed or looked at."""
    if s.phase == OPENING:
        return f"open {TEXTS[code & 1]} and {TEXTS[code >> 1]}"
    return f"{'reveal' if s.phase == REVEALING else 'see'} {RANKS[code]}"


def write_position(rules: BasicDuelRules, s: Any, seat: int) -> str:
    """Write all that a seat sees; the decks are whatever has not been played."""
    decision = next(name for name, phase in DECISIONS.items() if s.phase == phase)
    lines = [
        f'to_move = "{SEATS[seat]}"',
        f'decision = "{decision}"  # {", ".join(DECISIONS)}',
        f"turns = {s.turns}  # complete ones",
    ]
    for owner in range(2):
        lines += seat_lines(s, owner, COUNTERS, LOOKS)
    return "\n".join(lines)


def read_position(rules: BasicDuelRules, s: Any, section: Section) -> None:
    """Set a state from a position file; what the opponent has prepared is never in it."""
    seat = section.choice("to_move", SEATS)
    s.phase = list(DECISIONS.values())[section.choice("decision", DECISIONS)]
    s.turns = section.number("turns", 0, rules.max_turns - 1, 0)
    s.winner = s.attacker = NONE
    for owner, name in enumerate(SEATS):
        part = section.section(name)
        s.health[owner] = part.number("health", 1, rules.max_health)
        s.actions[owner] = part.number("actions", 0, rules.max_actions)
        s.rage[owner] = part.number("rage", 0, rules.max_rage, 0)
        s.choice[owner] = NONE
        read_seat(s, owner, part, seat, LOOKS)
        part.finish()
    if s.phase == PREPARING:
        # Seat 0 is asked first: its choice is made when seat 1 is to move, and unknown to it.
        s.choice[0] = HIDDEN if seat == 1 else NONE
        s.choice[1] = HIDDEN if seat == 0 and not can_enrage(rules, s, 1) else NONE
    else:
        s.attacker = 1 - seat if s.phase == DEFENDING else seat


def check(rules: BasicDuelRules, s: Any) -> None:
    """Raise ``InputError`` unless the state or view could stand on a table."""
    over = bool(s.phase == ENDED)
    if not OPENING <= s.phase <= ENDED or s.winner not in (NONE, 0, 1) or s.attacker not in (NONE, 0, 1):
        raise InputError("phase, winner or attacker out of range")
    if not 0 <= s.turns <= rules.max_turns or (s.turns == rules.max_turns and not over):
        raise InputError(f"turns: {s.turns}: the game ends after {rules.max_turns}")
    limits = (rules.max_health, rules.max_actions, rules.max_rage)
    check_counters(s, dict(zip(COUNTERS, limits, strict=True)), over)
    for seat in range(2):
        check_cards(s, seat, over)
        if s.top[seat] != NONE and s.card[seat] == JACK and not (s.phase == SEEING and s.attacker == seat):
            raise InputError(f"{SEATS[seat]}.top: the jack that shows it has only been revealed")
    check_choices(rules, s)
    if over:
        dead = [seat for seat in range(2) if s.health[seat] < 1]
        if dead != ([] if s.winner == NONE else [1 - s.winner]):
            raise InputError("winner: expected the one whose opponent's health is below 1")
    elif s.winner != NONE:
        raise InputError("the game is over: it has a winner")
    elif s.phase in (PREPARING, OPENING, REVEALING):
        check_revealed(s, int(s.phase == REVEALING and s.card[0] != NONE))
        if s.attacker != NONE:
            raise InputError("attacker: nobody has won a fight yet")
    else:
        check_basic_fight(rules, s)


def check_choices(rules: BasicDuelRules, s: Any) -> None:
    """Check what has been prepared but not opened."""
    made = [bool(s.choice[seat] != NONE) for seat in range(2)]
    if any(s.choice[seat] not in (HIDDEN, NONE, PASS, ADD_RAGE) for seat in range(2)):
        raise InputError("choice out of range")
    if s.phase == PREPARING:
        if not can_enrage(rules, s, preparer(s)) or all(made):
            raise InputError(
                f"{SEATS[preparer(s)]}.actions: no rage can be bought: there is nothing to choose"
            )
        if preparer(s) == 0 and made[1] == can_enrage(rules, s, 1):
            raise InputError("choice: the second seat chooses after the first, if it can at all")
    elif any(made) != (s.phase == OPENING) or any(made) != all(made):
        raise InputError("choice does not fit the phase")
    for seat in range(2):
        if s.choice[seat] == ADD_RAGE and not can_enrage(rules, s, seat):
            raise InputError(f"{SEATS[seat]}: has prepared rage that cannot be bought")


def check_basic_fight(rules: BasicDuelRules, s: Any) -> None:
    """Check what follows a fight: defense, reward, or the jack's look."""
    seat, foe = int(s.attacker), 1 - int(s.attacker)
    check_won(s, seat)
    if s.phase == DEFENDING:
        if not s.actions[foe]:
            raise InputError(f"{SEATS[foe]}.actions: 0: there is nothing to choose")
    elif s.phase == REWARDING:
        if not rewarded(rules, s):
            raise InputError(f"{SEATS[seat]}.card: {RANKS[s.card[seat]]} gives nothing to choose")
    elif s.card[seat] != JACK or not s.deck[seat] or (s.top[seat] != NONE) != (s.phase == SEEING):
        raise InputError(f"{SEATS[seat]}.top: expected the card that the jack shows, just when it does")
