"""Up and Down the River once more, plain and slow, straight from the rulings (V1 …).

Cards are texts in lists: ``7H``, or ``*`` for any wild, since twos and jokers are alike. A meld is a tuple of
texts; in a run ``*6H`` is a wild that stands for the 6H, in a set a wild is ``*``. Nothing here knows of the
engine or of the meld solver.
"""

from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from typing import Any

RANKS = "3456789TJQKA"  # ace high only (V2)
SUITS = "CDHS"
WILD = "*"
CHANCE, OVER = -1, -2
DECK = [rank + suit for rank in RANKS for suit in SUITS] * 2 + [WILD] * 12  # V1: eight twos and four jokers
CONTRACTS = {  # V4: sets and runs
    1: (2, 0),
    2: (1, 1),
    3: (0, 2),
    4: (3, 0),
    5: (2, 1),
    6: (1, 2),
    7: (0, 3),
}

Cards = Sequence[str]
Meld = tuple[str, ...]


def points(cards: Iterable[str]) -> int:
    """What cards cost in hand (V13)."""
    worth = dict.fromkeys("3456789", 5) | dict.fromkeys("TJQK", 10) | {"A": 15, WILD: 20}
    return sum(worth[card[0]] for card in cards)


# ---- melds (V2, V3)


def is_set(meld: Cards) -> bool:
    """Three or more cards of one rank, a natural at least."""
    ranks = {card[0] for card in meld if card != WILD}
    return len(meld) >= 3 and len(ranks) == 1


def is_run(meld: Cards) -> bool:
    """Four or more neighbouring ranks of a suit, lowest first, each wild with its rank, and a natural."""
    names = [card.lstrip(WILD) for card in meld]
    suits = {name[-1:] for name in names}
    line = "".join(name[:1] for name in names)
    natural = any(not card.startswith(WILD) for card in meld)
    return len(meld) >= 4 and len(suits) == 1 and "" not in names and line in RANKS and natural


def without(cards: Cards, gone: Iterable[str]) -> list[str]:
    """The cards that stay when some go; a wild goes whatever it stands for."""
    left = list(cards)
    for card in gone:
        left.remove(WILD if card.startswith(WILD) else card)
    return left


def sets_from(hand: Cards) -> set[Meld]:
    """Every set of three: all choices of three cards are looked at."""
    return {tuple(sorted(part)) for part in combinations(hand, 3) if is_set(part)}


def runs_from(hand: Cards) -> set[Meld]:
    """Every run of four: all choices of four cards, in each place of each suit."""
    found = set()
    for part in {tuple(sorted(part)) for part in combinations(hand, 4)}:
        naturals = {card for card in part if card != WILD}
        if not naturals or len(naturals) + part.count(WILD) < 4 or len({card[1] for card in naturals}) > 1:
            continue
        suit = min(naturals)[1]
        for low in range(len(RANKS) - 3):
            line = [rank + suit for rank in RANKS[low : low + 4]]
            run = tuple(name if name in naturals else WILD + name for name in line)
            if naturals <= set(line) and is_run(run):
                found.add(run)
    return found


def ways_down(hand: Cards, number: int) -> set[tuple[Meld, ...]]:
    """Every way to lay the contract of rounds 1–6 and keep a card to discard (V3, V8); melds sorted."""
    sets, runs = CONTRACTS[number]
    ways: set[tuple[Meld, ...]] = set()

    def lay(left: list[str], sets: int, runs: int, melds: tuple[Meld, ...]) -> None:
        if not sets + runs:
            if left:
                ways.add(tuple(sorted(melds)))
            return
        for meld in sets_from(left) if sets else runs_from(left):
            same = [other for other in melds if is_set(other) == bool(sets)]
            if not same or same[-1] <= meld:  # the order in which melds are named is free (V4)
                lay(without(left, meld), max(sets - 1, 0), runs if sets else runs - 1, (*melds, meld))

    lay(list(hand), sets, runs, ())
    return ways


Result = tuple[Meld, Meld, tuple[Meld, ...]]


def result(hand: Cards, way: Iterable[Meld]) -> Result:
    """What a way down leads to: the hand left, the ranks of the sets, the runs.

    Which cards lie in a set matters to nobody any more, as only its rank is ever asked for (V9, V10).
    """
    melds = list(way)
    left = without(hand, [card for meld in melds for card in meld])
    ranks = [rank_of_set(meld) for meld in melds if not is_run(meld)]
    return tuple(sorted(left)), tuple(sorted(ranks)), tuple(sorted(meld for meld in melds if is_run(meld)))


def rank_of_set(meld: Cards) -> str:
    return next(card[0] for card in meld if card != WILD)


def goes_out_in_round_7(hand: Cards) -> bool:
    """Whether three runs of four or more use every card (V12): each natural is tried in each run."""
    naturals = sorted(
        (card for card in hand if card != WILD), key=lambda card: (card[1], RANKS.index(card[0]))
    )

    @cache
    def fits(place: int, runs: tuple[tuple[str, ...], ...]) -> bool:
        if place == len(naturals):
            if () in runs:
                return False
            spans = [RANKS.index(run[-1][0]) - RANKS.index(run[0][0]) + 1 for run in runs]
            return sum(max(4, span) for span in spans) <= len(hand) <= 3 * len(RANKS)
        card = naturals[place]
        for number, run in enumerate(runs):
            if not run or (run[-1][1] == card[1] and run[-1] != card):
                changed = (*runs[:number], (*run, card), *runs[number + 1 :])
                if fits(place + 1, tuple(sorted(changed))):
                    return True
        return False

    return len(hand) >= 12 and fits(0, ((), (), ()))


def is_round_7(hand: Cards, melds: Sequence[Meld]) -> bool:
    """Whether these melds are a way down in round 7."""
    laid = [WILD if card.startswith(WILD) else card for meld in melds for card in meld]
    return len(melds) == 3 and all(map(is_run, melds)) and Counter(laid) == Counter(hand)


# ---- additions and replacements (V9, V10)


def next_to(name: str, step: int) -> str | None:
    """The neighbouring card of the suit, if there is one between 3 and ace."""
    place = RANKS.index(name[0]) + step
    return RANKS[place] + name[1] if 0 <= place < len(RANKS) else None


def larger_melds(meld: Meld, card: str) -> Iterator[Meld]:
    """Every meld that one card of a hand can make of a meld."""
    if not is_run(meld):
        if is_set((*meld, card)):
            yield (*meld, card)
        return
    low, high = next_to(meld[0].lstrip(WILD), -1), next_to(meld[-1].lstrip(WILD), 1)
    for end in (low, high):
        if end is None:
            continue

        def longer(cards: Meld, name: str, at_low: bool = end == low) -> Meld:
            return (name, *cards) if at_low else (*cards, name)

        if card in (end, WILD):
            yield longer(meld, end if card == end else WILD + end)
        if WILD + card in meld:  # the wild moves to this end
            place = meld.index(WILD + card)
            yield longer((*meld[:place], card, *meld[place + 1 :]), WILD + end)


def additions(hand: Cards, table: Sequence[Meld]) -> set[tuple[str, int, Meld]]:
    """Every addition and replacement: the card, the meld's number, and what becomes of it.

    The last card is always discarded, so there must be two (V11).
    """
    if len(hand) < 2:
        return set()
    return {
        (card, number, larger)
        for number, meld in enumerate(table)
        for card in set(hand)
        for larger in larger_melds(meld, card)
    }


# ---- a whole game


@dataclass
class Board:
    """All cards of a round, and the totals."""

    players: int
    totals: list[int]
    number: int = 1  # of the round, to 13
    turn: int = 0
    pile: list[str] = field(default_factory=list)
    discards: list[str] = field(default_factory=list)  # the last on top
    reshuffled: list[str] = field(default_factory=list)  # into the draw pile when it last was empty
    hands: list[list[str]] = field(default_factory=list)
    known: list[list[str]] = field(default_factory=list)  # of each hand, what all have seen go there (V15)
    down_since: list[int | None] = field(default_factory=list)  # the turn
    table: list[tuple[int, Meld]] = field(default_factory=list)  # whose, and what

    @property
    def contract(self) -> int:
        return self.number if self.number <= 7 else 14 - self.number  # V4

    def new_round(self) -> None:
        self.turn = 0
        self.pile, self.discards, self.table = list(DECK), [], []
        self.reshuffled = list(DECK)
        self.hands = [[] for _ in range(self.players)]
        self.known = [[] for _ in range(self.players)]
        self.down_since = [None] * self.players

    def refill(self) -> None:
        """V14: at once, whenever the pile is empty; a single discard stays."""
        if not self.pile:
            self.pile, self.discards = self.discards[:-1], self.discards[-1:]
            self.reshuffled = list(self.pile)

    def leave(self, seat: int, card: str) -> None:
        """A card leaves a hand; of two equal ones the known one (V15)."""
        card = WILD if card.startswith(WILD) else card
        self.hands[seat].remove(card)
        if card in self.known[seat]:
            self.known[seat].remove(card)

    def take_discard(self, seat: int) -> None:
        self.known[seat].append(self.discards[-1])
        self.hands[seat].append(self.discards.pop())

    def melds(self) -> list[Meld]:
        return [meld for _, meld in self.table]


@dataclass
class Question:
    """What happens next: a chance event (the cards that can come up), or a player's decision."""

    seat: int
    about: str  # deal, draw, buy, lay, add, discard, over
    options: list


Play = Generator[Question, Any, None]


def play_game(board: Board, first: int, last: int, deal: int, max_turns: int) -> Play:
    """Play the rounds; answer each question with one of its options."""
    for board.number in range(first, last + 1):
        yield from play_round(board, deal, max_turns)
        for seat, hand in enumerate(board.hands):
            board.totals[seat] += points(hand)  # V13
    yield Question(OVER, "over", [])


def play_round(board: Board, deal: int, max_turns: int) -> Play:
    board.new_round()
    start = (board.number - 1) % board.players  # V5
    for number in range(deal * board.players):  # V1
        yield from draw(board, (start + number) % board.players, "deal")
    turned_up = yield Question(CHANCE, "deal", board.pile)
    board.pile.remove(turned_up)
    board.discards.append(turned_up)
    for board.turn in range(1, max_turns + 1):  # V14
        seat = (start + board.turn - 1) % board.players
        yield from play_turn(board, seat)
        if not board.hands[seat]:  # V13
            return
        if board.turn < max_turns:
            board.refill()


def draw(board: Board, seat: int, about: str = "draw") -> Play:
    """The top of the draw pile, which may be any of its cards."""
    card = yield Question(CHANCE, about, board.pile)
    board.pile.remove(card)
    board.hands[seat].append(card)
    board.refill()


def play_turn(board: Board, seat: int) -> Play:
    choice = yield Question(seat, "draw", ["draw", "take"] if board.pile else ["take"])  # V6
    if choice == "take":
        board.take_discard(seat)
    else:
        for step in range(1, board.players):  # V7
            other = (seat + step) % board.players
            if len(board.pile) >= 2 and (yield Question(other, "buy", ["buy", "pass"])) == "buy":
                board.take_discard(other)
                yield from draw(board, other)
                break
        yield from draw(board, seat)
    hand = board.hands[seat]
    since = board.down_since[seat]
    if since is None and board.contract == 7:
        if goes_out_in_round_7(hand) and (yield Question(seat, "lay", ["all", "hold"])) == "all":  # V12
            hand.clear()
            return
    elif since is None:
        ways = ways_down(hand, board.contract)  # V8
        if ways:
            way = yield Question(seat, "lay", [*ways, "hold"])
            if way != "hold":
                for meld in way:
                    board.table.append((seat, meld))
                    for card in meld:
                        board.leave(seat, card)
                board.down_since[seat] = board.turn
    else:
        while options := additions(hand, board.melds()):  # V9, V10, V11
            choice = yield Question(seat, "add", [*options, "stop"])
            if choice == "stop":
                break
            card, number, larger = choice
            board.leave(seat, card)
            board.table[number] = (board.table[number][0], larger)
    card = yield Question(seat, "discard", sorted(set(hand)))
    board.leave(seat, card)
    board.discards.append(card)


def shares(totals: list[int]) -> list[float]:
    """The lowest total wins, equal ones share (V13)."""
    winners = totals.count(min(totals))
    return [1 / winners if total == min(totals) else 0.0 for total in totals]
