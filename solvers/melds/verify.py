"""An independent check of every answer: cards conserved, each meld legal.

It is written from the rulings alone and shares no code with the solvers, so a mistake there cannot hide
here. It costs microseconds and stays on in the command line.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

FLOWERS, THORNS = {0, 2}, {1, 3}
ACE, KING = 0, 12


class WrongAnswer(AssertionError):
    """A solver gave an answer that the rules do not allow: a defect of Kibitz, not of the user."""


def is_set(cards: Sequence[int]) -> bool:
    """Say whether the cards are 3 or 4 different ones of one rank (D2)."""
    return 3 <= len(cards) == len(set(cards)) and len({card // 4 for card in cards}) == 1


def is_run(cards: Sequence[int]) -> bool:
    """Say whether the cards are 3 or more consecutive ranks of one family, an ace at one end only (D2, D3)."""
    suits = {card % 4 for card in cards}
    if len(cards) < 3 or not (suits <= FLOWERS or suits <= THORNS):
        return False
    ranks = sorted(card // 4 for card in cards)
    ace_high = sorted(KING + 1 if rank == ACE else rank for rank in ranks)
    return any(all(b - a == 1 for a, b in zip(r, r[1:], strict=False)) for r in (ranks, ace_high))


def is_meld(cards: Sequence[int]) -> bool:
    """Say whether the cards are one legal group of Dukes Up!."""
    return is_set(cards) or is_run(cards)


def check_arrangement(cards: Iterable[int], melds: Iterable[Sequence[int]]) -> None:
    """Raise ``WrongAnswer`` unless the melds are legal and hold exactly these cards."""
    melds = [list(meld) for meld in melds]
    for meld in melds:
        if not is_meld(meld):
            raise WrongAnswer(f"not a meld: {meld}")
    if Counter(card for meld in melds for card in meld) != Counter(cards):
        raise WrongAnswer("cards were lost, added or doubled")
