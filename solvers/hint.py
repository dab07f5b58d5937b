"""Hints: what to play in a position, with the winning chance of each move and how sure that is.

If the rest of the game is small, every end of it is looked at, and the answer is exact. Otherwise several
independent trees are grown (see ``solvers.thinker``), whose differences tell how sure the answer is; it
depends on the seed and the number of simulations, not on the number of threads.
"""

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from engines import contract
from engines.clock import seconds as clock
from engines.game import Game
from engines.random import stream
from solvers.agents import EXPECTIMAX, NO_LIMIT, Agent
from solvers.desk import DEPTH, IS_EXACT, NODES, WORLDS
from solvers.expectimax import new_desk, search_expectimax
from solvers.forecast import Forecast, forecast
from solvers.thinker import Thinker, compare, t_quantile

# When a search ends early: all moves are behind the best by so many joint standard deviations, and by so much
# in value that looking further would hardly change it; after so many simulations of each tree.
DECIDED, APART, SETTLED = 6.0, 0.2, 1024
TOSS_UP = 2.0  # joint standard deviations below which two moves are not told apart
TINY = 1e-9  # a difference of exact values that rounding makes
FORECAST_GAMES = 200
EXACT_DEPTH, EXACT_NODES = 16, 20_000  # how far a hint looks for an exact answer first,
EXACT_TIME = 0.1  # and for which part of its time


@dataclass(frozen=True)
class RankedMove:
    """A move with its estimated value to the mover (the chance to win; draws half), and how sure that is."""

    move: int
    text: str
    words: str
    value: float
    se: float  # standard error; infinite if it is not known
    behind: float  # joint standard deviations by which it is behind the best; infinite if surely
    visits: int  # simulations that chose it, or worlds in which it was looked at


@dataclass(frozen=True)
class Hint:
    """The moves of a position, best first."""

    game: str
    seat: int
    simulations: int  # or states looked at
    seconds: float
    trees: int
    stopped: str  # why the search ended: "only move", "exact", "decided", "depth N" or "budget"
    moves: list[RankedMove]
    line: list[str]  # the likely continuation, as far as nothing unforeseeable happens
    forecast: Forecast
    most_points: float | None = None  # a value of 0 if values stand for points, as in one round of River

    def points(self, value: float) -> float | None:
        """Return the expected points that a value stands for, if it does."""
        return None if self.most_points is None else self.most_points * (1.0 - value)

    @property
    def rivals(self) -> list[RankedMove]:
        """The moves that the evidence does not tell apart from the best."""
        return [move for move in self.moves[1:] if move.behind < TOSS_UP]

    def interval(self, move: RankedMove) -> tuple[float, float]:
        """Return the 95 % interval of a move's value."""
        reach = t_quantile(self.trees - 1) * move.se if move.se else 0.0
        return max(0.0, move.value - reach), min(1.0, move.value + reach)

    def as_json(self) -> dict[str, Any]:
        """Return the hint for programs; a number that is not known is null."""
        return {
            "game": self.game,
            "seat": self.seat,
            "simulations": self.simulations,
            "seconds": round(self.seconds, 3),
            "stopped": self.stopped,
            "toss_up": bool(self.rivals),
            "moves": [
                {
                    "move": move.text,
                    "value": move.value,
                    "se": finite(move.se),
                    "interval": list(self.interval(move)),
                    "behind": finite(move.behind),
                    "visits": move.visits,
                }
                | ({} if self.most_points is None else {"points": self.points(move.value)})
                for move in self.moves
            ],
            "line": self.line,
            "forecast": self.forecast.as_json(),
        }


def hint(
    game: Game,
    rules: Any,
    view: np.ndarray,
    agent: Agent,
    *,
    seconds: float | None = None,
    seed: int = 0,
    threads: int = 1,
    patient: bool = False,
    progress: Callable[[int, float], None] | None = None,
    watch: Callable[[Hint], None] | None = None,
) -> Hint:
    """Search a view, for the agent's budget or for some seconds, and rank the moves.

    It ends sooner when it is decided, unless ``patient``. ``progress`` is called now and then with the
    simulations done and the fraction of the budget spent, ``watch`` with the hint so far.
    """
    agent = agent if seconds is None else agent._replace(seconds=seconds)
    if agent.kind == EXPECTIMAX:
        return look_ahead(game, rules, view, agent, seed)
    thinker = Thinker(game, rules, view, agent, seed)
    compile_first(game, rules, view, agent)
    began = perf_counter()
    if not patient:
        brief = min(EXACT_TIME * agent.seconds, 1.0)
        looker = Agent(EXPECTIMAX, seconds=brief, depth=EXACT_DEPTH, nodes=EXACT_NODES)
        exact = look_ahead(game, rules, view, looker, seed)
        if exact.stopped == "exact":
            return exact
    deadline = clock() + agent.seconds if agent.seconds else 0.0
    most = agent.sims if not agent.seconds else NO_LIMIT
    stopped = "only move" if len(thinker.moves) == 1 else ""
    pool = ThreadPoolExecutor(threads) if threads > 1 else None
    look_at = SETTLED * thinker.agent.trees

    def answer() -> Hint:
        ranked = rank(game, rules, view, thinker)
        return Hint(
            game.name,
            thinker.seat,
            thinker.simulations,
            perf_counter() - began,
            thinker.agent.trees,
            stopped,
            ranked,
            thinker.line(game, ranked[0].move),
            forecast(game, rules, view, thinker.seat, ranked[0].move, FORECAST_GAMES, seed),
            game.expected(rules),
        )

    try:
        while not stopped:
            thinker.think(pool, threads, most, deadline)
            spent = thinker.simulations / most if not deadline else 1.0 - (deadline - clock()) / agent.seconds
            # Looking again and again would find a difference by chance: so only when the trees have doubled.
            settled = thinker.simulations >= look_at
            if settled:
                look_at = 2 * thinker.simulations
            if spent >= 1.0:
                stopped = "budget"
            elif not patient and settled and decided(thinker):
                stopped = "decided"
            if progress is not None:
                progress(thinker.simulations, min(spent, 1.0))
            if watch is not None:
                watch(answer())
    finally:
        if pool is not None:
            pool.shutdown()
    return answer()


def compile_first(game: Game, rules: Any, view: np.ndarray, agent: Agent) -> None:
    """Compile what a hint calls, or load it, so that this is not taken from its time."""
    thinker = Thinker(game, rules, view, agent._replace(sims=1, seconds=0.0), 0)
    thinker.think(None, 1, 1, 0.0)
    forecast(game, rules, view, thinker.seat, thinker.moves[0], 0, 0)
    look_ahead(game, rules, view, Agent(EXPECTIMAX, depth=1), 0)


def look_ahead(game: Game, rules: Any, view: np.ndarray, agent: Agent, seed: int) -> Hint:
    """Give a hint by expectimax."""
    began = perf_counter()
    moves = game.legal(rules, view)
    values = np.zeros(max(len(moves), contract.most_moves(rules)))
    desk = new_desk(game, rules, agent.depth)
    best = search_expectimax(
        rules, view, desk, agent.trees, agent.depth, agent.nodes, agent.seconds, stream(seed), values
    )
    exact = bool(desk.report[IS_EXACT])
    order = sorted(range(len(moves)), key=lambda i: (i != best, -values[i]))
    error = 0.0 if exact else math.inf
    behind = [math.inf if value < values[best] - TINY else 0.0 for value in values]
    worlds = int(desk.report[WORLDS])
    ranked = [
        describe(game, rules, view, moves[i], float(values[i]), error, behind[i], worlds) for i in order
    ]
    seat = int(contract.mover(rules, view[0]))
    return Hint(
        game.name,
        seat,
        int(desk.report[NODES]),
        perf_counter() - began,
        1,
        "exact" if exact else f"depth {desk.report[DEPTH]}",
        ranked,
        [ranked[0].text],
        forecast(game, rules, view, seat, ranked[0].move, FORECAST_GAMES, seed),
        game.expected(rules),
    )


def decided(thinker: Thinker) -> bool:
    """Return whether every other move is far behind the best."""
    visits, totals = thinker.statistics()
    values, _, behind, order = compare(visits, totals)
    others = order[1:]
    return bool(((behind >= DECIDED) & (values <= values[order[0]] - APART))[others].all())


def rank(game: Game, rules: Any, view: np.ndarray, thinker: Thinker) -> list[RankedMove]:
    """Return the moves as the trees rank them."""
    visits, totals = thinker.statistics()
    values, errors, behind, order = compare(visits, totals)
    tried = visits.sum(axis=0)
    return [
        describe(
            game,
            rules,
            view,
            thinker.moves[i],
            float(values[i]),
            float(errors[i]),
            float(behind[i]),
            int(tried[i]),
        )
        for i in order
    ]


def describe(
    game: Game, rules: Any, view: np.ndarray, move: int, value: float, se: float, behind: float, visits: int
) -> RankedMove:
    """Return a move with its texts."""
    text = game.notation.move_text(rules, view[0], move)
    return RankedMove(move, text, game.notation.move_words(rules, view[0], move), value, se, behind, visits)


def finite(number: float) -> float | None:
    """Return a number for JSON, which knows no infinity."""
    return number if math.isfinite(number) else None
