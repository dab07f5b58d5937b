"""States of Up and Down the River from cards, and cards from states."""

from collections import Counter

import numpy as np
from river_reference import DECK, RANKS, SUITS, WILD, is_run

from engines import contract
from engines.contract import CHANCE, NONE
from engines.notation import parse_move
from engines.random import uniform
from engines.river import GAME
from engines.river import rules as r
from engines.river.play import begin_play

KINDS = [RANKS[kind % 12] + SUITS[kind // 12] for kind in range(48)] + [WILD]
PHASES = {"draw": r.DRAWING, "buy": r.BUYING, "lay": r.PLAYING, "add": r.ADDING, "discard": r.DISCARDING}


def cards(heap) -> list[str]:
    """The cards of a heap, sorted."""
    ones, twos, wilds = (int(number) for number in heap)
    found = [KINDS[kind] for kind in range(48) for mask in (ones, twos) if mask >> kind & 1]
    return sorted(found + [WILD] * wilds)


def heap(hand) -> list[int]:
    """Cards as a heap."""
    counts = Counter(hand)
    ones = sum(1 << kind for kind in range(48) if counts[KINDS[kind]])
    twos = sum(1 << kind for kind in range(48) if counts[KINDS[kind]] == 2)
    assert max(counts[name] for name in KINDS[:48]) <= 2
    return [ones, twos, counts[WILD]]


def run_of(meld) -> tuple[str, ...]:
    """A run on the engine's table, as the reference writes it."""
    steps = range(int(meld.low), int(meld.high) + 1)
    return tuple(
        (WILD if int(meld.wilds) >> step & 1 else "") + RANKS[step] + SUITS[meld.suit] for step in steps
    )


def melds_of(s, seat: int) -> list:
    """A seat's melds: runs as they lie, sets as rank, size and wilds."""
    melds = [s.melds[place] for place in range(3 * seat, 3 * seat + 3) if s.melds[place].high]
    return [(RANKS[m.low], int(m.high), int(m.wilds)) if m.suit < 0 else run_of(m) for m in melds]


def record_of(meld) -> tuple[int, int, int, int]:
    """A meld as the engine keeps it."""
    natural = next(card for card in meld if not card.startswith(WILD))
    wild = [card.startswith(WILD) for card in meld]
    if not is_run(meld):
        return -1, RANKS.index(natural[0]), len(meld), sum(wild)
    low = RANKS.index(meld[0].lstrip(WILD)[0])
    mask = sum(1 << low + step for step, is_wild in enumerate(wild) if is_wild)
    return SUITS.index(natural[1]), low, low + len(meld) - 1, mask


def laid_cards(melds) -> list[str]:
    return [WILD if card.startswith(WILD) else card for meld in melds for card in meld]


class Table:
    """A state made by hand, with the contract's functions at hand.

    Cards are texts such as ``"7C 7D *"``. What is not named is in the draw pile; if ``pile`` says how many
    cards that has, the rest is in the hand of the last player.
    """

    def __init__(
        self,
        *hands: str,
        number: int = 1,
        phase: str = "draw",
        player: int = 0,
        melds: dict[int, list[str]] | None = None,
        top: str = "",
        below: str = "",
        buried: str = "",
        pile: int | None = None,
        known: dict[int, str] | None = None,
        **changes,
    ):
        self.rules = GAME.rules(**{"players": len(hands)} | changes)
        self.state = GAME.new(self.rules)
        s = self.s = self.state[0]
        s.stage, s.player = number - 1, player
        s.turn = 1 + (player - number + 1) % len(hands)
        owned = {seat: [tuple(text.split()) for text in texts] for seat, texts in (melds or {}).items()}
        for seat, own in owned.items():
            s.down[seat] = r.DOWN
            for place, meld in enumerate(own):
                s.melds[3 * seat + place] = record_of(meld)
        laid = laid_cards(meld for own in owned.values() for meld in own)
        given = [hand.split() for hand in hands]
        lying = [*top.split(), *below.split(), *buried.split()]
        rest = Counter(DECK)
        for part in (*given, laid, lying):
            assert not Counter(part) - rest, "a card too often"
            rest -= Counter(part)
        unseen = sorted(rest.elements())
        if not top:
            top = next(card for card in unseen if card != WILD)
            unseen.remove(top)
        if pile is not None:
            given[-1] += unseen[pile:]
            unseen = unseen[:pile]
        for seat, hand in enumerate(given):
            s.hand[seat], s.held[seat] = heap(hand), len(hand)
        for seat, text in (known or {}).items():
            s.known[seat] = heap(text.split())
        s.top = KINDS.index(top) if top != "-" else NONE
        s.second = KINDS.index(below) if below else NONE
        s.buried, s.laid, s.unseen, s.pile = heap(buried.split()), heap(laid), heap(unseen), len(unseen)
        s.phase = PHASES[phase]
        if phase in ("lay", "add"):
            begin_play(s)
        self.check()

    def check(self) -> None:
        GAME.notation.check(self.rules, self.s)

    @property
    def mover(self) -> int:
        return contract.mover(self.rules, self.s)

    @property
    def asked(self) -> str:
        """What the mover decides about."""
        return next((name for name, phase in PHASES.items() if self.s.phase == phase), "")

    def texts(self) -> list[str]:
        return [
            GAME.notation.move_text(self.rules, self.s, move) for move in GAME.legal(self.rules, self.state)
        ]

    def say(self, *texts: str) -> "Table":
        for text in texts:
            contract.play(self.rules, self.s, parse_move(GAME, self.rules, self.state, text))
            self.check()
        return self

    def come(self, *names: str) -> "Table":
        """Cards come off the draw pile."""
        for name in names:
            assert self.mover == CHANCE
            assert KINDS.index(name) in GAME.outcomes(self.rules, self.state)
            contract.play(self.rules, self.s, KINDS.index(name))
            self.check()
        return self

    def hand(self, seat: int) -> str:
        return " ".join(cards(self.s.hand[seat]))

    def known(self, seat: int) -> str:
        return " ".join(cards(self.s.known[seat]))

    def melds(self, seat: int) -> list:
        return melds_of(self.s, seat)

    def view(self, seat: int) -> np.ndarray:
        return GAME.view(self.rules, self.state, seat)


def roll_on(table: Table, rng) -> None:
    """Let chance events happen."""
    while table.mover == CHANCE:
        contract.play(table.rules, table.s, contract.roll(table.rules, table.s, uniform(rng)))
