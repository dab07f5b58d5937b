"""Seeded games whose digest must not depend on how they are run: ``python digest_games.py GAME`` prints it.

With ``NUMBA_DISABLE_JIT=1`` the very same code runs as plain Python.
"""

import hashlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from api import short_rules

from engines import contract, registry
from engines.compiled import entry
from engines.contract import CHANCE, OUTCOMES, OVER
from engines.random import below, stream, uniform
from evaluation.match import Table
from solvers.agents import parse_agent
from solvers.hint import hint
from solvers.playout import playouts

TABLES = (("random", "greedy"), ("ismcts:sims=6", "pimc:sims=6,worlds=2,greed=0.5,cut=5"))


def kept(function: Callable) -> Any:
    """Compile an entry point of the tests; the cache knows only of our sources, so its name tells of this."""
    function.__qualname__ += "_" + hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:16]
    return entry(function)


@kept
def trace(
    rules: Any, state: np.ndarray, view: np.ndarray, greed: float, rng: np.ndarray, log: np.ndarray
) -> int:
    """Play one game and write down everything that the contract says on the way; return how much."""
    moves = np.empty(contract.most_moves(rules), np.int64)
    codes = np.empty(OUTCOMES, np.int64)
    weights = np.empty(OUTCOMES, np.int64)
    n = 0
    contract.start(rules, state[0])
    seat = contract.mover(rules, state[0])
    while seat != OVER and n + 300 < len(log):
        log[n] = seat
        n += 1
        if seat == CHANCE:
            for i in range(contract.outcomes(rules, state[0], codes, weights)):
                log[n] = codes[i] * 64 + weights[i]
                n += 1
            log[n] = contract.luck(rules, state[0])
            n += 1
            code = contract.roll(rules, state[0], uniform(rng))
        else:
            count = contract.legal(rules, state[0], moves)
            for i in range(count):
                log[n] = moves[i]
                n += 1
            code = contract.suggest(rules, state[0], moves, count, rng)
            log[n] = code
            n += 1
            if uniform(rng) >= greed:
                code = moves[below(rng, count)]
        for player in range(contract.seats(rules)):
            log[n] = int(contract.evaluate(rules, state[0], player) * 1e12)
            log[n + 1] = contract.shown(rules, state[0], code, player)
            n += 2
            view[0] = state[0]
            contract.hide(rules, view[0], player)
            contract.fill(rules, view[0], rng)
            contract.play(rules, view[0], code if seat != CHANCE else contract.roll(rules, view[0], 0.4))
            log[n] = contract.mover(rules, view[0])
            n += 1
        contract.play(rules, state[0], code)
        seat = contract.mover(rules, state[0])
    for player in range(contract.seats(rules)):
        log[n] = int(contract.returns(rules, state[0], player) * 1e12)
        n += 1
    return n


def digests(name: str) -> list[str]:
    """Return the digests of traced games, of playouts, of matches and of a hint."""
    game = registry.load(name)
    short = short_rules(game, max_turns=60)
    found = []
    state, view, log = game.blank(), game.blank(), np.zeros(60_000, np.int64)
    for number in range(6):
        n = trace(short, state, view, number / 5, stream(1, number), log)
        found.append(log[:n].tobytes() + state.tobytes())
    won = np.zeros(contract.seats(short))
    decisions = [playouts(short, state, 4, greed, stream(2), won) for greed in (0.0, 0.5, 1.0)]
    found.append(repr((decisions, won.tolist())).encode() + state.tobytes())
    shortest = short_rules(game, max_turns=25)
    for table in TABLES:
        played = Table(game, shortest, [parse_agent(agent, game) for agent in table], seed=3).play(0, 2)
        found.append(played.returns.tobytes() + played.record)
    position = game.random_position(short, stream(4), 9)
    seat = contract.mover(short, position[0])
    advice = hint(game, short, game.view(short, position, seat), parse_agent("ismcts:sims=30", game), seed=5)
    found.append(repr([(move.move, move.visits, round(move.value, 12)) for move in advice.moves]).encode())
    return [hashlib.sha256(part).hexdigest()[:16] for part in found]


if __name__ == "__main__":
    print(" ".join(digests(sys.argv[1])))
