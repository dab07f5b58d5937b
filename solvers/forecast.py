"""How a game may end behind a move if everybody then plays by the quick policy: chances and points."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from engines.compiled import entry
from engines.contract import fill, most_moves, play, points, returns, seats
from engines.game import Game
from engines.random import stream
from solvers.playout import FOREVER, playout

WON, SHARED, LOST = range(3)


@dataclass(frozen=True)
class Forecast:
    """Chances of the mover to win, to share or draw, and to lose; points of each seat, if there are any."""

    win: float
    draw: float
    loss: float
    points: list[float]

    def as_json(self) -> dict[str, Any]:
        """Return the forecast for programs."""
        chances = {"win": self.win, "draw": self.draw, "loss": self.loss}
        return chances | ({"points": self.points} if self.points else {})


@entry
def play_on(
    rules: Any,
    view: np.ndarray,
    move: int,
    world: np.ndarray,
    games: int,
    seat: int,
    ends: np.ndarray,
    total: np.ndarray,
    rng: np.ndarray,
) -> None:
    """Play games to the end behind a move; count how they end for a seat, and add up everybody's points."""
    moves = np.empty(most_moves(rules), np.int64)
    s = world[0]
    for _ in range(games):
        world[0] = view[0]
        fill(rules, s, rng)
        play(rules, s, move)
        playout(rules, s, moves, 1.0, FOREVER, FOREVER, rng.reshape(1, 1))
        value = returns(rules, s, seat)
        ends[WON if value >= 1.0 else LOST if value <= 0.0 else SHARED] += 1
        for other in range(seats(rules)):
            total[other] += points(rules, s, other)


def forecast(
    game: Game, rules: Any, view: np.ndarray, seat: int, move: int, games: int, seed: int
) -> Forecast:
    """Play some games on from a view, behind a move of the seat to move."""
    ends = np.zeros(3, np.int64)
    total = np.zeros(seats(rules))
    play_on(rules, view, move, game.blank(), games, seat, ends, total, stream(seed, -1))
    played = max(games, 1)
    won, shared, lost = (float(number) / played for number in ends)
    return Forecast(won, shared, lost, [float(number) / played for number in total] if game.points else [])
