"""Small positions of each game, and their exact values by brute force.

The rest of each game is small, and whoever still decides in it knows all that matters: at every choice that
can come, only one state fits what the player sees. So the value under best play is that of a game with open
cards, and the recursion below, which shares no code with any search, finds it in exact fractions.
"""

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from engines import contract
from engines.contract import CHANCE, OVER
from engines.game import Game
from engines.random import stream

FOLDER = Path(__file__).parent / "small"


def _texts() -> dict[str, list[str]]:
    texts: dict[str, list[str]] = {}
    for path in sorted(FOLDER.glob("*.toml")):
        texts.setdefault(path.stem.rpartition("-")[0], []).append(path.read_text(encoding="utf-8"))
    return texts


SMALL = _texts()
"""By game: position files, from ``small/GAME-NUMBER.toml``."""


def exact_values(game: Game, rules: Any, state: np.ndarray) -> dict[int, float]:
    """Return the value to the mover of each legal move under best play of all, with open cards.

    A view is completed first; those of the small positions allow one completion only.
    """
    state = state.copy()
    contract.fill(rules, state[0], stream(0))
    seat = int(contract.mover(rules, state[0]))
    known: dict[bytes, tuple[Fraction, ...]] = {}
    return {
        move: float(_value(game, rules, _after(rules, state, move), known)[seat])
        for move in game.legal(rules, state)
    }


def _after(rules: Any, state: np.ndarray, code: int) -> np.ndarray:
    child = state.copy()
    contract.play(rules, child[0], code)
    return child


def _value(
    game: Game, rules: Any, state: np.ndarray, known: dict[bytes, tuple[Fraction, ...]]
) -> tuple[Fraction, ...]:
    """Return what a state is worth to each seat; of equally good moves the first is played."""
    name = state.tobytes()
    if name not in known:
        players = range(contract.seats(rules))
        seat = int(contract.mover(rules, state[0]))
        if seat == OVER:
            worth = tuple(Fraction(contract.returns(rules, state[0], player)) for player in players)
        elif seat == CHANCE:
            chances = game.outcomes(rules, state)
            total = sum(chances.values())
            parts = [
                (Fraction(weight, total), _value(game, rules, _after(rules, state, code), known))
                for code, weight in chances.items()
            ]
            worth = tuple(
                sum((share * part[player] for share, part in parts), Fraction()) for player in players
            )
        else:
            replies = [
                _value(game, rules, _after(rules, state, move), known) for move in game.legal(rules, state)
            ]
            worth = max(replies, key=lambda reply: reply[seat])
        known[name] = worth
    return known[name]
