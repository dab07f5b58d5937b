"""An independent check of every answer: cards conserved, each meld legal.

It is written from the rulings alone and shares no code with the solvers, so a mistake there cannot hide
here. It costs microseconds and stays on in the command line.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

FLOWERS, THORNS = {0, 2}, {1, 3}
ACE, KING = 0, 12


class WrongAnswerError(AssertionError):
    """A solver gave an answer that the rules do not allow: a defect of Kibitz, not of the user."""


def is_set(cards: Sequence[int]) -> bool:
    """Say whether the cards are 3 or 4 different ones of one rank (D2)."""
    return 3 <= len(cards) == len(set(cards)) and len({card // 4 for card in cards}) == 1


def is_run(cards: Sequence[int]) -> bool:
    """Say whether the cards are 3 or more consecutive ranks of one family, an ace at one end (D2, D3)."""
    suits = {card % 4 for card in cards}
    if len(cards) < 3 or not (suits <= FLOWERS or suits <= THORNS):
        return False
    ranks = sorted(card // 4 for card in cards)
    ace_high = sorted(KING + 1 if rank == ACE else rank for rank in ranks)
    return any(all(b - a == 1 for a, b in pairwise(r)) for r in (ranks, ace_high))


def is_meld(cards: Sequence[int]) -> bool:
    """Say whether the cards are one legal group of Dukes Up!."""
    return is_set(cards) or is_run(cards)


def check_arrangement(cards: Iterable[int], melds: Iterable[Sequence[int]]) -> None:
    """Raise ``WrongAnswerError`` unless the melds are legal and hold exactly these cards."""
    melds = [list(meld) for meld in melds]
    for meld in melds:
        if not is_meld(meld):
            raise WrongAnswerError(f"not a meld: {meld}")
    if Counter(card for meld in melds for card in meld) != Counter(cards):
        raise WrongAnswerError("cards were lost, added or doubled")


# ---- Up and Down the River. A kind is 12 * suit + step (3 … ace), 48 a wild; * marks a wild in a meld.

_STEPS = {rank: step for step, rank in enumerate("3456789TJQKA")}


def _read_meld(meld: Sequence[str]) -> tuple[list[int], list[int]]:
    """Return the kinds that leave the hand, and the kinds they stand for (-1: a wild in a set)."""
    stand = [-1 if card == "*" else 12 * "CDHS".index(card[-1]) + _STEPS[card[-2]] for card in meld]
    return [48 if card[0] == "*" else kind for card, kind in zip(meld, stand, strict=True)], stand


def is_river_set(meld: Sequence[str]) -> bool:
    """Say whether the cards are a set: one rank, suits and copies free, a natural at least (V2)."""
    used, stand = _read_meld(meld)
    return any(kind != 48 for kind in used) and len({kind % 12 for kind in stand if kind >= 0}) == 1


def is_river_run(meld: Sequence[str]) -> bool:
    """Say whether the cards, in order, are consecutive ranks of one suit with a natural at least (V2)."""
    used, stand = _read_meld(meld)
    steps = all(b - a == 1 for a, b in pairwise(stand))
    return (
        -1 not in stand and steps and stand[0] // 12 == stand[-1] // 12 and any(kind != 48 for kind in used)
    )


def _left(counts: Sequence[int], melds: Iterable[Sequence[str]]) -> list[int]:
    left = Counter(dict(enumerate(counts)))
    left.subtract(kind for meld in melds for kind in _read_meld(meld)[0])
    if min(left.values()) < 0:
        raise WrongAnswerError("more cards laid than held")
    return sorted(left.elements())


def check_way_down(counts: Sequence[int], melds: Sequence[Sequence[str]], sets: int, runs: int) -> list[int]:
    """Raise ``WrongAnswerError`` unless this is a way down (V3) that leaves a card (V8); return the rest."""
    in_sets = [meld for meld in melds if len(meld) == 3 and is_river_set(meld)]
    in_runs = [meld for meld in melds if len(meld) == 4 and is_river_run(meld)]
    left = _left(counts, melds)
    if (len(in_sets), len(in_runs), len(melds)) != (sets, runs, sets + runs) or not left:
        raise WrongAnswerError(f"no way to go down with {sets} sets and {runs} runs: {melds}")
    return left


def check_round7(counts: Sequence[int], melds: Sequence[Sequence[str]]) -> None:
    """Raise ``WrongAnswerError`` unless these are three runs of four or more that use every card (V12)."""
    legal = all(len(meld) >= 4 and is_river_run(meld) for meld in melds)
    if len(melds) != 3 or not legal or _left(counts, melds):
        raise WrongAnswerError(f"not a whole hand in three runs: {melds}")


def check_additions(
    counts: Sequence[int], table: Sequence[tuple[int, int, int, int]], steps: Iterable[tuple[int, int, int]]
) -> None:
    """Raise ``WrongAnswerError`` unless the steps can be made one by one (V9, V10) and leave a card (V11)."""
    left = list(counts)
    runs = {
        n: {s: bool(wilds >> s & 1) for s in range(low, high + 1)}
        for n, (_, low, high, wilds) in enumerate(table)
    }
    for meld, kind, where in steps:
        suit, rank = table[meld][0], table[meld][1]
        run = runs[meld]
        left[kind] -= 1
        natural = kind != 48
        if suit < 0:
            legal = where == 0 and (not natural or kind % 12 == rank)
        else:
            end = min(run) - 1 if where in (1, 2) else max(run) + 1
            legal = where > 0 and 0 <= end <= 11 and (not natural or kind // 12 == suit)
            if where in (1, 3):
                legal = legal and (not natural or kind % 12 == end)
                run[end] = not natural
            else:
                legal = legal and natural and run.get(kind % 12) is True
                run[kind % 12] = False
                run[end] = True
        if not legal or left[kind] < 0:
            raise WrongAnswerError(f"addition not allowed: {(meld, kind, where)}")
    if sum(left) < 1 <= sum(counts):
        raise WrongAnswerError("no card left to discard")
