"""Judge a hand of Up and Down the River for people."""

from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from engines.cards import JOKERS, RANKS, SUITS, TWO, card_of, card_text, parse_card
from engines.errors import InputError
from solvers.melds import river_kernel, verify
from solvers.melds.river_kernel import CONTRACTS, KINDS, MAX_MELDS, MAX_PIECES, MELD, RUN, SET, STEPS, WILD
from solvers.melds.river_table import (
    ADDITION,
    HIGH,
    INTO,
    LOW,
    MAX_ADDITIONS,
    REPLACE_LOW,
    TABLE,
    Addition,
    best_additions,
    find_additions,
)

POINTS = tuple([*[5.0] * 7, *[10.0] * 4, 15.0] * 4 + [20.0])
"""What a card of each kind costs in hand: 3–9 five, 10–K ten, an ace 15, a wild 20 (V13)."""
MAX_HAND, MAX_WAYS = 100, 20_000


@dataclass
class Judgement:
    """What there is to say of a hand."""

    number: int
    counts: list[int]
    """Cards of each kind, wilds last."""
    missing: int
    outs: list[int]
    """Kinds of which one more card makes fewer missing."""
    ready: bool
    """The contract can be laid now, with a card left to discard where one is needed."""
    ways: list[list[list[str]]] = field(default_factory=list)
    """Ways down, the best first: melds as cards, ``*`` a wild in a set, ``*9H`` one for a card in a run."""
    left: list[list[int]] = field(default_factory=list)
    """For each way the kinds that stay in hand."""
    table: list[str] | None = None
    options: list[str] = field(default_factory=list)
    best: list[str] = field(default_factory=list)
    points_off: float = 0.0


def kind_of(card: int) -> int:
    """Return the kind of a card: twos and jokers are wild (V1)."""
    rank, suit = card >> 2, card & 3
    if card in JOKERS or rank == TWO:
        return WILD
    return STEPS * suit + (rank - 2) % 13


def kind_text(kind: int) -> str:
    """Return the name of a kind; a wild is ``*``."""
    return "*" if kind == WILD else card_text(card_of((kind % STEPS + 2) % 13, kind // STEPS))


def read_hand(text: str) -> list[int]:
    """Read a hand as counts of kinds; every card but a wild may come twice."""
    words = text[:2000].replace(",", " ").split()
    if not words:
        raise InputError("no cards: expected a hand like 7C 7D 2H KS X")
    if len(words) > MAX_HAND:
        raise InputError(f"more than {MAX_HAND} cards in a hand")
    cards = Counter(parse_card(word) for word in words)
    for card, number in cards.items():
        most = 4 if card in JOKERS else 2
        if number > most:
            raise InputError(f"{card_text(card)} {number} times: two decks have {most}")
    counts = [0] * (KINDS + 1)
    for card, number in cards.items():
        counts[kind_of(card)] += number
    return counts


def hand_of(counts: list[int]) -> np.ndarray:
    """Return a hand as the kernel wants it: kinds held, kinds held twice, wilds."""
    ones = sum(1 << kind for kind in range(KINDS) if counts[kind])
    twos = sum(1 << kind for kind in range(KINDS) if counts[kind] == 2)
    return np.array([ones, twos, counts[WILD]], np.int64)


def new_melds(*shape: int) -> np.ndarray:
    """Return room for melds of the kernel."""
    return np.zeros(shape, MELD)


def meld_lists(way: np.ndarray) -> list[list[str]]:
    """Return a way of the kernel as lists of cards, wilds in runs with what they stand for."""
    melds = []
    for piece in way:
        if not piece.once:
            break
        cards = [kind for mask in (piece.once, piece.twice) for kind in range(KINDS) if int(mask) >> kind & 1]
        if piece.sets == 0:
            line = range(int(piece.low), int(piece.low) + RUN)
            melds.append([("" if kind in cards else "*") + kind_text(kind) for kind in line])
            continue
        names = [kind_text(kind) for kind in sorted(cards)]
        for number in range(int(piece.sets), 0, -1):  # every set gets a natural, the first ones more
            take = min(SET, len(names) - (number - 1))
            melds.append(names[:take] + ["*"] * (SET - take))
            names = names[take:]
    return melds


def judge(text: str, number: int, table: str | None = None) -> Judgement:
    """Judge a hand for the contract of a round; with melds on the table, also what can be added to them."""
    counts = read_hand(text)
    sets, runs = CONTRACTS[number - 1]
    hand = hand_of(counts)
    answer = np.zeros(1, np.int64)
    river_kernel.batch_missing(hand[None], sets, runs, answer)
    missing = int(answer[0])
    river_kernel.batch_outs(hand[None], sets, runs, answer)
    outs = [kind for kind in range(KINDS + 1) if int(answer[0]) >> kind & 1]
    found = Judgement(number, counts, missing, outs, ready=False)
    if runs == MAX_MELDS:
        _judge_round7(found, hand)
    else:
        _judge_ways(found, hand, sets, runs)
    if table is not None:
        _judge_table(found, table)
    return found


def _judge_ways(found: Judgement, hand: np.ndarray, sets: int, runs: int) -> None:
    pieces = new_melds(MAX_PIECES)
    ways = new_melds(MAX_WAYS, MAX_MELDS)
    number = river_kernel.all_ways(hand, sets, runs, pieces, ways)
    best = new_melds(1, MAX_MELDS)  # also right if there are more ways than fit
    done = np.zeros(1, np.bool_)
    river_kernel.batch_best(hand[None], sets, runs, np.array(POINTS), pieces, best, done)
    listed = ([meld_lists(best[0])] if done[0] else []) + [meld_lists(way) for way in ways[:number]]
    seen = set()
    for melds in listed:
        left = verify.check_way_down(found.counts, melds, sets, runs)
        if str(melds) not in seen:
            seen.add(str(melds))
            found.ways.append(melds)
            found.left.append(left)
    order = sorted(range(len(found.ways)), key=lambda place: (points(found.left[place]), place))
    found.ways = [found.ways[place] for place in order]
    found.left = [found.left[place] for place in order]
    found.ready = bool(found.ways)


def _judge_round7(found: Judgement, hand: np.ndarray) -> None:
    windows = np.zeros(MAX_MELDS, np.int64)
    found.ready = bool(river_kernel.round7(hand, windows))
    if found.ready:
        melds = whole_hand(found.counts, [int(window) for window in windows])
        verify.check_round7(found.counts, melds)
        found.ways, found.left = [melds], [[]]


def whole_hand(counts: list[int], windows: list[int]) -> list[list[str]]:
    """Return the three runs that hold a whole hand (V12), given windows that hold its naturals."""
    wilds = counts[WILD]
    left = list(counts[:KINDS])
    runs: list[tuple[int, int, set[int]]] = []  # lowest and highest kind, naturals
    for window in windows:
        cards = {kind for kind in range(KINDS) if window >> kind & 1 and left[kind]}
        for kind in cards:
            left[kind] -= 1
        line = [kind for kind in range(KINDS) if window >> kind & 1]
        runs.append((line[0], line[-1], cards) if line else (0, 0, set()))
    for place, (_, _, cards) in enumerate(runs):
        if not cards:  # each run needs a natural (V2): take one from a run with more
            donor = max(range(len(runs)), key=lambda other: len(runs[other][2]))
            kind = min(runs[donor][2])
            runs[donor][2].discard(kind)
            low = kind - max(0, kind % STEPS + RUN - STEPS)
            runs[place] = (low, low + RUN - 1, {kind})
    spare = wilds - sum(high - low + 1 - len(cards) for low, high, cards in runs)
    melds = []
    for low, high, cards in runs:
        while spare and high % STEPS < STEPS - 1:
            high, spare = high + 1, spare - 1
        while spare and low % STEPS:
            low, spare = low - 1, spare - 1
        melds.append([("" if kind in cards else "*") + kind_text(kind) for kind in range(low, high + 1)])
    return melds


# ---- melds on the table


def read_table(text: str) -> tuple[np.ndarray, list[str]]:
    """Read melds separated by ``|``: ``4H 5H *6H 7H`` a run with a wild for the 6H, ``9S 9D *`` a set."""
    melds = []
    names = []
    for number, group in enumerate(text[:4000].split("|"), start=1):
        words = group.replace(",", " ").split()
        stands = [word.lstrip("*") for word in words]
        kinds = [kind_of(parse_card(word)) if word else WILD for word in stands]
        wild = [word.startswith("*") or kind == WILD for word, kind in zip(words, kinds, strict=True)]
        naturals = [kind for kind, is_wild in zip(kinds, wild, strict=True) if not is_wild]
        if len(words) < SET or not naturals:
            raise InputError(
                f"meld {number} on the table: expected 3 or more cards with a natural among them"
            )
        if len({kind % STEPS for kind in kinds if kind != WILD}) == 1:
            melds.append((-1, naturals[0] % STEPS, len(words), len(words) - len(naturals)))
            names.append(f"the set of {RANKS[(naturals[0] % STEPS + 2) % 13]}s")
            continue
        in_order = all(b - a == 1 for a, b in pairwise(kinds))
        if WILD in kinds or not in_order or kinds[0] // STEPS != kinds[-1] // STEPS or len(kinds) < RUN:
            raise InputError(
                f"meld {number} on the table is no set, and no run of 4 or more cards of a suit, lowest "
                "first, with wilds like *6H"
            )
        mask = sum(1 << kind % STEPS for kind, is_wild in zip(kinds, wild, strict=True) if is_wild)
        melds.append((kinds[0] // STEPS, kinds[0] % STEPS, kinds[-1] % STEPS, mask))
        names.append(f"the run {kind_text(kinds[0])}–{kind_text(kinds[-1])}")
    return np.array(melds, TABLE), names


def _judge_table(found: Judgement, text: str) -> None:
    melds, found.table = read_table(text)
    ones = int(hand_of(found.counts)[0])
    additions = np.zeros(MAX_ADDITIONS * len(melds), ADDITION)
    number = find_additions(ones, found.counts[WILD], melds, additions)
    steps = [Addition(int(a.meld), int(a.kind), int(a.where)) for a in additions[:number]]
    if sum(found.counts) > 1:  # the last card is discarded, never laid (V11)
        found.options = [addition_text(step, found.table) for step in steps]
    best = best_additions(found.counts, melds, POINTS)
    verify.check_additions(found.counts, melds.tolist(), best)
    found.best = [addition_text(step, found.table) for step in best]
    found.points_off = sum(POINTS[step.kind] for step in best)


def addition_text(step: Addition, names: list[str]) -> str:
    """Return an addition in words."""
    card = "a wild" if step.kind == WILD else kind_text(step.kind)
    if step.where == INTO:
        return f"{card} to {names[step.meld]}"
    if step.where in (LOW, HIGH):
        return f"{card} to the {'low' if step.where == LOW else 'high'} end of {names[step.meld]}"
    end = "low" if step.where == REPLACE_LOW else "high"
    return f"{card} for the wild in {names[step.meld]}, the wild to its {end} end"


# ---- words


def points(kinds: list[int]) -> float:
    """Return what cards cost in hand."""
    return sum(POINTS[kind] for kind in kinds)


def outs_text(outs: list[int]) -> str:
    """Return outs grouped by rank: ``7`` is any seven, ``8CH`` the 8C and the 8H."""
    words = []
    for step in range(STEPS):
        suits = [kind // STEPS for kind in outs if kind != WILD and kind % STEPS == step]
        if suits:
            rank = RANKS[(step + 2) % 13]
            words.append(rank + ("" if len(suits) == 4 else "".join(SUITS[suit] for suit in suits)))
    return " ".join(words + ["wild"] * (WILD in outs))


def report(found: Judgement, top: int) -> str:
    """Return the judgement as text for the terminal."""
    sets, runs = CONTRACTS[found.number - 1]
    names = [f"{n} {word}{'s' if n > 1 else ''}" for n, word in ((sets, "set"), (runs, "run")) if n]
    lines = [f"Round {found.number}: {' and '.join(names)}. {sum(found.counts)} cards in hand."]
    if found.ready:
        number = len(found.ways)
        more = f"; the best {top}" if number > top else ""
        lines.append(f"You can go down in {number} way{'s' if number > 1 else ''}{more}:" if number else "")
        for melds, left in list(zip(found.ways, found.left, strict=True))[:top]:
            rest = " ".join(map(kind_text, left)) or "nothing"
            lines.append(
                f"  {' | '.join(' '.join(meld) for meld in melds)}   leaves {points(left):g} points: {rest}"
            )
    elif found.missing:
        plural = "s" if found.missing > 1 else ""
        lines.append(
            f"{found.missing} card{plural} missing. Closer with: {outs_text(found.outs) or 'no single card'}"
        )
    else:
        lines.append("The melds are complete, but a card must be left to discard: draw first.")
    if found.table is not None:
        lines.append(f"On the table you can lay: {'; '.join(found.options) or 'nothing'}")
        if found.best:
            lines.append(f"Best, {found.points_off:g} points off your hand:")
            lines += [f"  {number}. {step}" for number, step in enumerate(found.best, start=1)]
    return "\n".join(lines)


def as_json(found: Judgement) -> dict[str, Any]:
    """Return the judgement for programs."""
    result: dict[str, Any] = {
        "round": found.number,
        "ready": found.ready,
        "missing": found.missing,
        "outs": [kind_text(kind) for kind in found.outs],
        "ways": [
            {"melds": melds, "left": [kind_text(kind) for kind in left], "points": points(left)}
            for melds, left in zip(found.ways, found.left, strict=True)
        ],
    }
    if found.table is not None:
        result |= {"options": found.options, "best": found.best, "points_off": found.points_off}
    return result
