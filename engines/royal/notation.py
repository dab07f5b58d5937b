"""Royal Family in text: moves, and the position file."""

from typing import Any

from engines.cards import (
    DECK,
    DECK_AND_JOKERS,
    RANK_NAMES,
    RANKS,
    SUIT_NAMES,
    SUITS,
    card_text,
    cards_in,
    cards_text,
    mask_of,
    suit_mask,
)
from engines.contract import NONE
from engines.errors import InputError
from engines.notation import Placed, Section, check_ranges
from engines.royal.play import can_draw, damage, defenders, may_attack
from engines.royal.policy import family_cards
from engines.royal.rules import (
    ACTING,
    ASSASSINATE,
    ATTACK,
    BUILD,
    CREST,
    DEALING,
    DEFEND,
    DEFENDING,
    DISCARD,
    DRAW_DECK,
    DRAW_PILE,
    DRAWING,
    ENDED,
    ENEMY_SUIT,
    FORTIFY,
    JACKS,
    KIDNAP,
    KINGS,
    PLACE,
    QUEENS,
    REVEALING,
    RoyalRules,
)

SEATS = ("black", "red")
NUMBER_CARDS = 0xFFFFFFFFF << 4  # 2 to 10
FAMILY = JACKS | QUEENS | KINGS
RANGES = (
    ("phase", DEALING, ENDED),
    ("player", 0, 1),
    ("card", NONE, 53),
    ("target", NONE, 1),
    ("extra", 0, 1),
    ("spent", 0, 15),
    ("winner", NONE, 1),
    ("top", NONE, 53),
    ("below", NONE, 53),
    ("stands", 0, 1),
    *((name, 0, DECK_AND_JOKERS) for name in ("deck", "out", "fort", "hits", "family", "captives")),
)


def move_text(rules: RoyalRules, s: Any, move: int) -> str:
    """Return a move as short text, such as ``draw 2``, ``attack S`` or ``defend 7``."""
    seat, foe = int(s.player), 1 - int(s.player)
    if move == DRAW_DECK:
        return "draw deck"
    if move < DISCARD:
        return f"draw {move - DRAW_PILE + 1}"
    if move < FORTIFY:
        return f"discard {move - DISCARD + 1}"
    if move == FORTIFY:
        return "fortify"
    if move < PLACE:
        return f"attack {SUITS[CREST[foe, move - ATTACK]]}"
    if move == PLACE:
        return "place"
    if move < BUILD:
        return f"kidnap {SUITS[CREST[seat, move - KIDNAP]]}"
    if move == BUILD:
        return "build"
    if move < DEFEND:
        return f"assassinate {card_text(victim(foe, move))}"
    return f"defend {RANKS[move - DEFEND]}"


def move_words(rules: RoyalRules, s: Any, move: int) -> str:
    """Say a move as one would at the table."""
    foe = 1 - int(s.player)
    card = card_text(int(s.card))
    if move == DRAW_DECK:
        return "draw from the deck"
    if move < DISCARD:
        return f"take {card_text(int(s.top[move - DRAW_PILE]))} from pile {move - DRAW_PILE + 1}"
    if move < FORTIFY:
        top = int(s.top[move - DISCARD])
        onto = "empty" if top == NONE else f"covering {card_text(top)}"
        return f"discard {card} on pile {move - DISCARD + 1} ({onto})"
    castle = SUIT_NAMES[int(s.card) & 3]
    if move == FORTIFY:
        return f"fortify the castle of {castle} with {card}"
    if move < PLACE:
        return f"attack the castle of {SUIT_NAMES[CREST[foe, move - ATTACK]]} with {card}"
    if move == PLACE:
        return f"place {card} in the castle of {castle}"
    if move < BUILD:
        return f"kidnap {card}, held at the castle of {SUIT_NAMES[CREST[s.player, move - KIDNAP]]}"
    if move == BUILD:
        return f"build the castle of {castle} and take an extra turn"
    if move < DEFEND:
        return f"assassinate {card_text(victim(foe, move))}"
    suit = CREST[foe, s.target]
    return f"defend the castle of {SUIT_NAMES[suit]} with its {RANK_NAMES[move - DEFEND]} against {card}"


def outcome_text(rules: RoyalRules, s: Any, code: int) -> str:
    """Return the card that is turned up."""
    return f"{'turn up' if s.phase == DEALING else 'reveal'} {card_text(code)}"


def victim(foe: int, move: int) -> int:
    """Return the family member that an assassination removes."""
    castle, member = divmod(move - ASSASSINATE, 3)
    return int(4 * (10 + member) + CREST[foe, castle])


def pile_cards(s: Any, pile: int) -> list[int]:
    """Return the cards of a pile from the bottom to the top."""
    cards: list[int] = []
    card = int(s.top[pile])
    while card != NONE and len(cards) <= 54:
        cards.append(card)
        card = int(s.below[card])
    return cards[::-1]


def write_position(rules: RoyalRules, s: Any, seat: int) -> str:
    """Write all that both players see; the deck is whatever is not mentioned."""
    lines = [
        f'to_move = "{SEATS[seat]}"',
        f"draws = {s.turns}  # so far, the present one included",
    ]
    if s.phase == ACTING:
        lines.append(f'card = "{card_text(int(s.card))}"  # just drawn; now act with it')
    if s.phase == DEFENDING:
        crest = SUITS[CREST[seat, s.target]]
        lines.append(f'attack = "{card_text(int(s.card))}"  # on the castle named next; defend')
        lines.append(f'castle = "{crest}"')
    if s.extra:
        lines.append("extra_turn = true")
        if s.spent:
            lines.append(
                f'spent = "{cards_text(int(s.spent))}"  # aces discarded in this chain of extra turns'
            )
    lines.append("piles = [  # bottom to top: the last card is the one that can be drawn")
    lines += [f'  "{cards_text(pile_cards(s, pile))}",' for pile in range(3)]
    lines.append("]")
    lines.append(f'out = "{cards_text(int(s.out))}"  # cards that left the game')
    lines.append(f"deck = {int(s.deck).bit_count()}  # face-down cards: all those not named in this file")
    for owner in range(2):
        for castle in range(2):
            if s.stands[owner, castle]:
                lines += [
                    "",
                    f"[{SEATS[owner]}.{SUITS[CREST[owner, castle]]}]  # a standing castle",
                    f'fort = "{cards_text(int(s.fort[owner, castle]))}"',
                    f'damage = "{cards_text(int(s.hits[owner, castle]))}"',
                    f'family = "{cards_text(int(s.family[owner, castle]))}"',
                    f'captives = "{cards_text(int(s.captives[owner, castle]))}"',
                ]
    return "\n".join(lines)


def read_position(rules: RoyalRules, s: Any, section: Section) -> None:
    """Set a state from a position file."""
    placed = Placed()
    seat = section.choice("to_move", SEATS)
    s.turns = section.number("draws", 0, rules.max_turns, 0)
    s.winner = s.card = s.target = NONE
    s.player = seat
    s.phase = DRAWING
    if "card" in section:
        s.card = section.card("card")
        s.phase = ACTING
    if "attack" in section:
        if s.phase == ACTING:
            raise section.fail(
                "attack", "expected only one of card (to act with) and attack (to defend against)"
            )
        s.card = section.card("attack")
        s.phase = DEFENDING
        s.player = 1 - seat
        crests = [SUITS[suit] for suit in CREST[seat]]
        s.target = section.choice("castle", crests)
    if s.phase != DRAWING:
        if s.card == NONE:
            raise section.fail("card" if s.phase == ACTING else "attack", "no card: expected one like 7H")
        placed.put([int(s.card)], "the card in play")
    s.extra = section.flag("extra_turn")
    s.spent = mask_of(section.cards("spent"))
    read_piles(s, section, placed)
    s.out = mask_of(placed.put(section.cards("out"), "out"))
    for owner, name in enumerate(SEATS):
        home = section.section(name)
        for castle in range(2):
            crest = SUITS[CREST[owner, castle]]
            s.stands[owner, castle] = crest in home
            part = home.section(crest)
            if crest in home:
                placed.put([int(CREST[owner, castle])], f"{name}.{crest}, the castle itself")
            for field, key in (
                ("fort", "fort"),
                ("hits", "damage"),
                ("family", "family"),
                ("captives", "captives"),
            ):
                s[field][owner, castle] = mask_of(placed.put(part.cards(key), part.place(key)))
            part.finish()
        home.finish()
    s.deck = DECK_AND_JOKERS & ~placed.mask
    size = int(s.deck).bit_count()
    if section.number("deck", 0, 54, size) != size:
        raise section.fail(
            "deck", f"{section.take('deck')} cards, but {size} cards are not named in this file"
        )


def read_piles(s: Any, section: Section, placed: Placed) -> None:
    """Set the three piles from a list of three texts."""
    piles = section.take("piles", ["", "", ""])
    if not isinstance(piles, list) or len(piles) != 3:
        raise section.fail("piles", "expected a list of three texts, one a pile, the last card on top")
    s.below[:] = NONE
    for pile, text in enumerate(piles):
        place = f"pile {pile + 1}"
        s.top[pile] = NONE
        for card in placed.put(Section({place: text}).cards(place), place):
            s.below[card] = s.top[pile]
            s.top[pile] = card


def check(rules: RoyalRules, s: Any) -> None:
    """Raise ``InputError`` unless the state could stand on a table."""
    check_ranges(s, RANGES)
    in_play = [int(s.card)] if s.card != NONE else []
    placed = Placed()
    placed.put(in_play, "the card in play")
    for pile in range(3):
        placed.put(pile_cards(s, pile), f"pile {pile + 1}")
    placed.put(cards_in(int(s.out)), "out")
    for seat in range(2):
        for castle in range(2):
            check_castle(rules, s, seat, castle, placed)
    placed.put(cards_in(int(s.deck)), "the deck")
    if placed.mask != DECK_AND_JOKERS:
        raise InputError(
            f"{cards_text(DECK_AND_JOKERS & ~placed.mask)}: nowhere, expected all 54 cards somewhere"
        )
    lying = {card for pile in range(3) for card in pile_cards(s, pile)}
    if any(s.below[card] != NONE for card in range(54) if card not in lying):
        raise InputError("below: a card that lies in no pile lies on another")
    check_turn(rules, s)


def check_castle(rules: RoyalRules, s: Any, seat: int, castle: int, placed: Placed) -> None:
    """Check one castle and note its cards."""
    suit = int(CREST[seat, castle])
    name = f"{SEATS[seat]}.{SUITS[suit]}"
    colour = suit_mask(suit) | suit_mask(int(CREST[seat, 1 - castle]))
    hitting = colour if rules.attack_suit == ENEMY_SUIT else DECK & ~colour
    parts = {
        "fort": (int(s.fort[seat, castle]), NUMBER_CARDS & suit_mask(suit), f"2 to 10 of {SUIT_NAMES[suit]}"),
        "damage": (int(s.hits[seat, castle]), NUMBER_CARDS & hitting, "2 to 10 of a suit that can attack it"),
        "family": (
            int(s.family[seat, castle]),
            int(family_cards(seat, castle)),
            f"J, Q, K of {SUIT_NAMES[suit]}",
        ),
        "captives": (int(s.captives[seat, castle]), FAMILY & ~colour, "J, Q, K of the opponent's colour"),
    }
    for part, (cards, allowed, expected) in parts.items():
        placed.put(cards_in(cards), f"{name}.{part}")
        if cards & ~allowed:
            raise InputError(f"{name}.{part}: {cards_text(cards & ~allowed)}: expected only {expected}")
        if cards and not s.stands[seat, castle]:
            raise InputError(f"{name}.{part}: cards at a castle that does not stand")
    if s.stands[seat, castle]:
        placed.put([suit], f"{name}, the castle itself")
        if damage(parts["damage"][0]) >= rules.castle_hp:
            raise InputError(
                f"{name}.damage: {damage(parts['damage'][0])}, but it falls at {rules.castle_hp}"
            )
        most = max(rules.captives, rules.captives_with_queen)
        if parts["captives"][0].bit_count() > most:
            raise InputError(f"{name}.captives: more than the {most} a castle can hold")
    elif castle == 0 and not (int(s.out) >> suit) & 1:
        raise InputError(f"{name}: this castle stands from the start: expected it, or its ace in out")


def check_turn(rules: RoyalRules, s: Any) -> None:
    """Check that the phase fits the rest."""
    if not 0 <= s.turns <= rules.max_turns:
        raise InputError(f"draws: {s.turns}: expected a whole number from 0 to {rules.max_turns}")
    discarded = mask_of(card for pile in range(3) for card in pile_cards(s, pile))
    if int(s.spent) & ~(discarded & 0xF) or (s.spent and not s.extra):
        raise InputError("spent: expected aces that lie in a pile, on an extra turn")
    if s.phase == ENDED:
        return
    if s.winner != NONE:
        raise InputError("the game is over: it has a winner")
    for seat in range(2):
        if not s.stands[seat].any():
            raise InputError(f"{SEATS[seat]} has no castle: the game is over")
        for castle in range(2):
            if int(s.family[seat, castle]).bit_count() == 3:
                raise InputError(f"{SEATS[seat]} has a full family: the game is over")
    if (s.card != NONE) != (s.phase in (ACTING, DEFENDING)) or (s.target != NONE) != (s.phase == DEFENDING):
        raise InputError("card or target does not fit the phase")
    if s.phase == DRAWING and s.turns == rules.max_turns:
        raise InputError(f"draws: {s.turns}: the game ends after {rules.max_turns}")
    if s.phase in (ACTING, DEFENDING, REVEALING) and s.turns == 0:
        raise InputError("draws: 0: expected at least 1, as a card has been drawn")
    if s.phase == DEALING and (s.turns or s.extra or s.top[2] != NONE or not s.deck):
        raise InputError("the three cards lie there: nothing to turn up")
    if s.phase == DRAWING and s.spent and not can_draw(s):
        raise InputError(
            "nothing can be drawn: only aces spent on this extra turn lie there, so the turn has passed"
        )
    if s.phase == DRAWING and not can_draw(s):
        raise InputError("nothing can be drawn: the game is over")
    if s.phase == REVEALING and not s.deck:
        raise InputError("the deck is empty: nothing to reveal")
    if s.phase == DEFENDING:
        check_attack(rules, s)


def check_attack(rules: RoyalRules, s: Any) -> None:
    """Check an attack that waits for its defence."""
    foe = 1 - int(s.player)
    card = int(s.card)
    crest = SUITS[CREST[foe, s.target]]
    if not (NUMBER_CARDS >> card) & 1 or not s.stands[foe, s.target]:
        raise InputError(f"attack: {card_text(card)} on {crest}: expected a 2 to 10 and a standing castle")
    if not may_attack(rules, s, int(s.player), card & 3, int(s.target)):
        raise InputError(f"attack: {card_text(card)} cannot attack the castle {crest} here")
    if not defenders(rules, s, foe, int(s.target), card):
        raise InputError(
            f"attack: no fortification of {crest} repels {card_text(card)}: there is nothing to choose"
        )
