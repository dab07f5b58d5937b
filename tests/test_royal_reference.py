"""Royal Family against a second implementation, written straight from the rulings as one plain generator.

It keeps cards as texts in lists, yields every question it has (who decides what, or which card can come up)
and is sent the answer. The engine must have the same question at the same moment, with the same cards in the
same places.
"""

from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass, field

import pytest

from engines import contract
from engines.cards import card_text, cards_in, cards_text, mask_of, parse_cards
from engines.contract import CHANCE, NONE, OVER
from engines.random import below, stream
from engines.royal import GAME
from engines.royal.notation import pile_cards
from engines.royal.rules import ACTING, CREST, DEFENDING, OWN_SUIT

NUMBERS = {"2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "T": 10}
COLOURS = ("SC", "HD")  # black and red, the first castle's suit first
ALL = [rank + suit for rank in "A23456789TJQK" for suit in "CDHS"] + ["X", "X"]


@dataclass
class Castle:
    suit: str
    fort: list[str] = field(default_factory=list)
    damage: list[str] = field(default_factory=list)
    family: list[str] = field(default_factory=list)
    captives: list[str] = field(default_factory=list)

    def cards(self) -> list[str]:
        return ["A" + self.suit, *self.fort, *self.damage, *self.family, *self.captives]


@dataclass
class Board:
    """All cards of a game; castles only while they stand."""

    deck: list[str]
    out: list[str] = field(default_factory=list)
    piles: list[list[str]] = field(default_factory=lambda: [[], [], []])
    castles: list[list[Castle]] = field(default_factory=lambda: [[Castle("S")], [Castle("H")]])
    hand: str = ""

    def home(self, seat: int) -> list[str]:
        return [member for castle in self.castles[seat] for member in castle.family]

    def has(self, seat: int, rank: str) -> bool:
        return any(member[0] == rank for member in self.home(seat))

    def castle(self, seat: int, suit: str) -> Castle | None:
        return next((castle for castle in self.castles[seat] if castle.suit == suit), None)


Question = tuple[
    int, Counter[str]
]  # a seat and its moves; CHANCE and cards with weights; OVER and the winner


def reference(rules, board: Board) -> Generator[Question, str, None]:
    """Play a game; the last item is the winner, or NONE."""
    for pile in board.piles:  # R1
        pile.append((yield CHANCE, Counter(board.deck)))
        board.deck.remove(pile[-1])
    seat, extra, draws = 0, False, 0
    spent: list[str] = []
    while draws < rules.max_turns:
        options = [
            f"draw {n}" for n in (1, 2, 3) if board.piles[n - 1] and board.piles[n - 1][-1] not in spent
        ]
        if board.deck:
            options.append("draw deck")
        if not options and not extra:  # R12
            break
        if not options:
            seat, extra, spent = 1 - seat, False, []
            continue
        source = (yield seat, Counter(options)).split()[1]
        draws += 1
        if source == "deck":  # R2
            board.hand = yield CHANCE, Counter(board.deck)
            board.deck.remove(board.hand)
        else:
            board.hand = board.piles[int(source) - 1].pop()
        card = board.hand
        choice = yield seat, Counter(moves(rules, board, seat, card))
        yield from act(rules, board, seat, card, choice.split())
        board.hand = ""
        if not board.castles[1 - seat]:  # R7
            yield OVER, Counter([str(seat)])
        if any(len(castle.family) == 3 for castle in board.castles[seat]):  # R8
            yield OVER, Counter([str(seat)])
        if card[0] == "A":  # R10
            extra = True
            if choice.startswith("discard"):
                spent.append(card)
        else:
            seat, extra, spent = 1 - seat, False, []
    yield OVER, Counter([str(NONE)])


def moves(rules, board: Board, seat: int, card: str) -> list[str]:
    """What a player may do with the card just drawn."""
    foe = 1 - seat
    discards = ["discard 1", "discard 2", "discard 3"]
    if card == "X":  # R11
        return [f"assassinate {victim}" for victim in board.home(foe)] or discards
    rank, suit = card
    if rank == "A":
        return discards + (["build"] if suit == COLOURS[seat][1] else [])
    if rank in NUMBERS:
        options = ["fortify"] if board.castle(seat, suit) else []  # R4
        if board.home(seat) or not rules.attack_needs_family:  # R5
            cunning = rules.jack_any_suit and board.has(seat, "J")
            for castle in board.castles[foe]:
                if rules.attack_suit == OWN_SUIT:
                    fits = board.castle(seat, suit) or (cunning and suit in COLOURS[seat])
                else:
                    fits = castle.suit == suit or (cunning and suit in COLOURS[foe])
                if fits:
                    options.append(f"attack {castle.suit}")
        return discards + options
    if board.castle(seat, suit):  # R8
        return [*discards, "place"]
    if board.castle(foe, suit):  # R9
        room = rules.captives_with_queen if board.has(seat, "Q") else rules.captives
        return discards + [f"kidnap {own.suit}" for own in board.castles[seat] if len(own.captives) < room]
    return discards


def act(rules, board: Board, seat: int, card: str, choice: list[str]) -> Generator[Question, str, None]:
    """Carry out an action; an attack may ask the opponent for a defence."""
    foe = 1 - seat
    match choice:
        case ["discard", pile]:
            board.piles[int(pile) - 1].append(card)
        case ["fortify"]:
            board.castle(seat, card[1]).fort.append(card)
        case ["place"]:
            board.castle(seat, card[1]).family.append(card)
        case ["build"]:
            board.castles[seat].append(Castle(card[1]))
        case ["kidnap", suit]:
            board.castle(seat, suit).captives.append(card)
        case ["assassinate", victim]:
            board.castle(foe, victim[1]).family.remove(victim)
            board.out += [card, victim]
        case ["attack", suit]:
            castle = board.castle(foe, suit)
            bonus = rules.king_bonus if board.has(foe, "K") else 0
            able = [own for own in castle.fort if NUMBERS[own[0]] + bonus >= NUMBERS[card[0]]]
            if able:  # R6
                answer = yield foe, Counter(f"defend {own[0]}" for own in able)
                used = answer.split()[1] + suit
                castle.fort.remove(used)
                board.out += [card, used]
                return
            castle.damage.append(card)
            if sum(NUMBERS[hit[0]] for hit in castle.damage) >= rules.castle_hp:  # R7
                board.castles[foe].remove(castle)
                board.out += castle.cards()


def on_table(s) -> dict[str, object]:
    """Where the engine has its cards."""
    holding = s.phase in (ACTING, DEFENDING)
    found: dict[str, object] = {
        "deck": cards_text(int(s.deck)),
        "out": cards_text(int(s.out)),
        "piles": [cards_text(pile_cards(s, pile)) for pile in range(3)],
        "hand": card_text(int(s.card)) if holding else "",
    }
    for seat in range(2):
        for castle in range(2):
            parts = ("fort", "hits", "family", "captives")
            cards = [cards_text(int(s[part][seat, castle])) for part in parts]
            if s.stands[seat, castle]:
                found["CDHS"[CREST[seat, castle]]] = cards
            else:
                assert not any(cards)
    return found


def expected(board: Board) -> dict[str, object]:
    """Where the reference has them."""

    def ascending(cards: list[str]) -> str:
        return cards_text(mask_of(parse_cards(" ".join(cards))))

    found: dict[str, object] = {
        "deck": ascending(board.deck),
        "out": ascending(board.out),
        "piles": [" ".join(pile) for pile in board.piles],
        "hand": board.hand,
    }
    for castle in board.castles[0] + board.castles[1]:
        parts = (castle.fort, castle.damage, castle.family, castle.captives)
        found[castle.suit] = [ascending(cards) for cards in parts]
    return found


def engine_options(rules, state) -> tuple[dict[str, int], Counter[str]]:
    """The engine's options by their texts: their codes, and their weights."""
    if contract.mover(rules, state[0]) == CHANCE:
        weights = GAME.outcomes(rules, state)
        codes = {card_text(code): code for code in weights}
        return codes, Counter({text: weights[code] for text, code in codes.items()})
    texts = [GAME.notation.move_text(rules, state[0], move) for move in GAME.legal(rules, state)]
    return dict(zip(texts, GAME.legal(rules, state), strict=True)), Counter(texts)


def thinned(state, rng, size: int) -> Board:
    """Take cards other than aces out before the game begins, in the engine and for the reference."""
    s = state[0]
    deck = list(cards_in(int(s.deck)))
    while len(deck) > size:
        place = below(rng, len(deck))
        if deck[place] > 3:
            s.out |= 1 << deck.pop(place)
    s.deck = mask_of(deck)
    return Board([card_text(card) for card in deck], [card_text(card) for card in cards_in(int(s.out))])


def choose(rng, options: Counter[str]) -> str:
    """Any option, but discards more rarely than their number."""
    texts = sorted(options)
    active = [text for text in texts if not text.startswith("discard")]
    if active and below(rng, 6):
        texts = active
    return texts[below(rng, len(texts))]


@pytest.mark.parametrize(("size", "draws", "games"), [(52, 400, 8), (20, 80, 6), (4, 20, 16)])
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"castle_hp": 7, "king_bonus": 0, "jack_any_suit": "false"},
        {"attack_suit": "own", "attack_needs_family": 0},
        {"attack_suit": "own", "jack_any_suit": "false", "castle_hp": 12, "captives": 2},
        {"attack_needs_family": 0, "captives": 0, "captives_with_queen": 1, "king_bonus": 5, "castle_hp": 40},
        {"captives": 3, "captives_with_queen": 0, "king_bonus": 20, "max_turns": 29},
    ],
)
def test_engine_and_reference_play_the_same_games(changes, size, draws, games):
    rules = GAME.rules(**{"max_turns": draws} | changes)
    for number in range(games):
        rng = stream(13, number)
        state = GAME.new(rules)
        board = thinned(state, rng, size)
        play = reference(rules, board)
        seat, options = next(play)
        while seat != OVER:
            assert contract.mover(rules, state[0]) == seat
            assert on_table(state[0]) == expected(board)
            codes, weights = engine_options(rules, state)
            assert weights == options
            choice = choose(rng, options)
            contract.play(rules, state[0], codes[choice])
            seat, options = play.send(choice)
        assert contract.mover(rules, state[0]) == OVER
        assert on_table(state[0]) == expected(board)
        assert Counter([str(state[0].winner)]) == options
        worth = {"0": [1, 0], "1": [0, 1], "-1": [0.5, 0.5]}[str(state[0].winner)]
        assert [contract.returns(rules, state[0], side) for side in range(2)] == worth
        places = [board.deck, board.out, *board.piles]
        places += [castle.cards() for castle in board.castles[0] + board.castles[1]]
        assert Counter(card for place in places for card in place) == Counter(ALL)
