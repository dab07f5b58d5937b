"""Fit the weights of a game's estimate to results: ``python -m benchmarks.fit_evaluate --agent greedy``.

Plays games, keeps some positions of each, and fits a logistic regression of the result (a draw counts half)
on the terms of the estimate. Prints the log-loss on games that the fit has not seen, of a constant, of
``evaluate`` as it is and of the fit; the weights; and how often positions were won by what was promised.
"""

import argparse
from typing import Any, NamedTuple

import numba
import numpy as np

from engines import registry
from engines.compiled import OPTIONS
from engines.contract import CHANCE, OVER, evaluate, hide, legal, mover, play, returns, roll, start
from engines.game import Game
from engines.random import below, reseed, uniform
from engines.royal.policy import TERMS, WEIGHTS, royal_terms
from solvers.agents import Workspace, agent_rows, choose, parse_agent, workspace

HELD_OUT = 0.25
SURE = 0.001  # for the log-loss, no estimate is nearer to 0 or 1 than this


class Sample(NamedTuple):
    """Positions of games that were played to the end, in the order of the games."""

    states: np.ndarray
    results: np.ndarray  # of the first seat
    weights: np.ndarray  # all positions of a game count as one


# Not an ``entry``: its cache does not know the sources of benchmarks.
@numba.njit(**OPTIONS)
def record(
    rules: Any,
    room: np.ndarray,
    agent: Any,
    work: Workspace,
    blunders: float,
    seed: int,
    each: int,
    into: Sample,
) -> int:
    """Play games of an agent with itself, keep ``each`` random positions of each; return how many."""
    rng = np.zeros(1, np.int64)
    s = room[0]
    found = 0
    for number in range(len(into.states) // each):
        reseed(rng, seed, number)
        start(rules, s)
        seen = 0
        while mover(rules, s) != OVER:
            seat = mover(rules, s)
            if seat == CHANCE:
                play(rules, s, roll(rules, s, uniform(rng)))
                continue
            place = seen if seen < each else below(rng, seen + 1)  # reservoir sampling
            if place < each:
                into.states[found + place] = room[0]
            seen += 1
            if uniform(rng) < blunders:
                code = work.moves[below(rng, legal(rules, s, work.moves))]
            else:
                room[1] = room[0]
                hide(rules, room[1], seat)
                code = choose(rules, room[1:], seat, agent, work, rng)
            play(rules, s, code)
        kept = min(seen, each)
        for i in range(found, found + kept):
            into.results[i] = returns(rules, s, 0)
            into.weights[i] = 1.0 / kept
        found += kept
    return found


@numba.njit(**OPTIONS)
def look(rules: Any, states: np.ndarray, terms: np.ndarray, estimates: np.ndarray) -> None:
    """Write the terms and the present estimate of each position."""
    for i in range(len(states)):
        royal_terms(rules, states[i], terms[i])
        estimates[i] = evaluate(rules, states[i], 0)


def positions(game: Game, rules: Any, text: str, blunders: float, games: int, each: int, seed: int) -> Sample:
    """Return positions of games that an agent plays with itself."""
    agent = parse_agent(text, game)
    room = np.zeros(2, game.state_type)
    n = games * each
    sample = Sample(np.zeros(n, game.state_type), np.zeros(n), np.zeros(n))
    work = workspace(game, rules, [agent])
    n = record(rules, room, agent_rows([agent])[0], work, blunders, seed, each, sample)
    return Sample(*(column[:n] for column in sample))


def logistic(values: np.ndarray) -> np.ndarray:
    """Return the chances of log-odds."""
    return 1.0 / (1.0 + np.exp(-values))


def fit(
    terms: np.ndarray, results: np.ndarray, weights: np.ndarray, ridge: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return the coefficients of a logistic regression without constant, and their standard errors."""
    found = np.zeros(terms.shape[1])
    for _ in range(20):  # Newton's method; it takes about six steps
        chances = logistic(terms @ found)
        slope = terms.T @ (weights * (results - chances)) - ridge * found
        bend = (terms * (weights * chances * (1 - chances))[:, None]).T @ terms + ridge * np.eye(len(found))
        found += np.linalg.solve(bend, slope)
    return found, np.sqrt(np.diag(np.linalg.inv(bend)))


def log_loss(chances: np.ndarray, results: np.ndarray, weights: np.ndarray) -> float:
    """Return the mean of minus the logarithm of the chance given to what happened."""
    chances = np.clip(chances, SURE, 1 - SURE)
    losses = -results * np.log(chances) - (1 - results) * np.log(1 - chances)
    return float(np.average(losses, weights=weights))


def main() -> None:
    """Play, fit and print."""
    parser = argparse.ArgumentParser(description="Fit the estimate of Royal Family to games.")
    parser.add_argument("--agent", default="greedy", help="who plays, with itself")
    parser.add_argument("--blunders", type=float, default=0.1, help="the share of random moves")
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--each", type=int, default=5, help="positions of a game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ridge", type=float, default=0.1)
    options = parser.parse_args()
    game = registry.load("royal")
    rules = game.rules()
    sample = positions(
        game, rules, options.agent, options.blunders, options.games, options.each, options.seed
    )
    terms = np.zeros((len(sample.states), len(TERMS)))
    present = np.zeros(len(sample.states))
    look(rules, sample.states, terms, present)
    report(terms, present, sample, options.ridge)


def report(terms: np.ndarray, present: np.ndarray, sample: Sample, ridge: float) -> None:
    """Fit to the first games, and print how that does in the others."""
    _, results, weights = sample
    split = int(len(results) * (1 - HELD_OUT))
    open_yet = (present > 0) & (present < 1)  # a win at hand is no matter of weights
    seen = open_yet & (np.arange(len(results)) < split)
    found, errors = fit(terms[seen], results[seen], weights[seen], ridge)
    fitted = np.where(open_yet, logistic(terms @ found), present)
    print(f"{len(results):,} positions, {np.average(results == 0.5, weights=weights):.1%} of the games drawn")
    columns = {"constant": np.full(len(results), 0.5), "evaluate": present, "fit": fitted}
    for name, chances in columns.items():
        loss = log_loss(chances[split:], results[split:], weights[split:])
        print(f"log-loss of {len(results) - split:,} held-out positions, {name:8}: {loss:.4f}")
    print(f"{'term':14} {'weight':>8} {'fit':>8} {'± 1 s.e.':>8}")
    for name, weight, value, error in zip(TERMS, WEIGHTS, found, errors, strict=True):
        print(f"{name:14} {weight:8.3f} {value:8.3f} {error:8.3f}")
    print("promised     evaluate: share, won      fit: share, won")
    for low in range(0, 100, 10):
        cells = []
        for chances in (present[split:], fitted[split:]):
            here = (100 * chances >= low) & ((100 * chances < low + 10) | (low == 90))
            won = np.average(results[split:][here], weights=weights[split:][here]) if here.any() else np.nan
            cells.append(f"{np.average(here, weights=weights[split:]):12.1%} {won:7.1%}")
        print(f"{low:3}–{low + 10:3} %   {cells[0]}  {cells[1]}")


if __name__ == "__main__":
    main()
