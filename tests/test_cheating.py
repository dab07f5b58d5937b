"""Nobody can cheat: whatever the hidden cards are, an agent that sees the same plays the same.

Pairs of true states with equal views are made by filling a view anew. Each state is then handed on as a match
does it: it is hidden from the mover, the agent gets the view. Rooms that a search reuses are full of the true
state and of old numbers, so that nothing can leak through them either.
"""

import functools
import itertools

import numpy as np
import pytest

from engines import contract, registry
from engines.contract import CHANCE, OVER
from engines.random import below, stream, uniform
from solvers.agents import agent_rows, choose, parse_agent, workspace
from solvers.hint import hint

AGENTS = [
    "random",
    "greedy",
    "ismcts:sims=60",
    "ismcts:sims=40,greed=0.5,cut=6,trees=3",
    "pimc:sims=60,worlds=5",
]
PAIRS = 40


@functools.cache
def pairs_of_states(name):
    """Return seats to move, each with two true states that look the same to it; different if that can be."""
    game = registry.load(name)
    rules = game.rules()
    pairs = []
    for number in itertools.count():
        rng, state = stream(4, number), game.new(rules)
        while (seat := contract.mover(rules, state[0])) != OVER:
            if seat == CHANCE:
                contract.play(rules, state[0], contract.roll(rules, state[0], uniform(rng)))
                continue
            other = game.view(rules, state, seat)
            contract.fill(rules, other[0], rng)
            if other.tobytes() != state.tobytes() or (not contract.private(rules) and below(rng, 8) == 0):
                pairs.append((seat, state.copy(), other))
                if len(pairs) == PAIRS:
                    return pairs
            moves = game.legal(rules, state)
            contract.play(rules, state[0], moves[below(rng, len(moves))])


def decide(game, rules, state, seat, agent, seed):
    """Return the agent's move and its whole tree, the way a match asks for it."""
    work = workspace(game, rules, [agent])
    for part in (work.forest.nodes, work.visits, work.totals):  # left behind by an earlier search
        part.view(np.int64)[:] = int(state.view(np.int64).sum())
    work.world[:] = state[0]
    move = choose(rules, game.view(rules, state, seat), seat, agent_rows([agent])[0], work, stream(seed))
    return int(move), work.forest.nodes[: work.forest.counts[0]].tobytes()


@pytest.mark.parametrize("spec", AGENTS)
@pytest.mark.parametrize("name", registry.names())
def test_equal_views_give_equal_moves(name, spec):
    game = registry.load(name)
    rules = game.rules()
    agent = parse_agent(spec, game)
    different = 0
    for seed, (seat, state, other) in enumerate(pairs_of_states(name)):
        assert game.view(rules, state, seat).tobytes() == game.view(rules, other, seat).tobytes()
        different += state.tobytes() != other.tobytes()
        first, second = (decide(game, rules, true, seat, agent, seed) for true in (state, other))
        assert first == second
        assert first[0] in game.legal(rules, state)
    assert different == (PAIRS if contract.private(rules) else 0)


@pytest.mark.parametrize("name", registry.names())
def test_equal_views_give_equal_hints(name):
    """The statistics of every root move are the same, bit for bit."""
    game = registry.load(name)
    rules = game.rules()
    agent = parse_agent("ismcts:sims=80", game)
    for seat, state, other in pairs_of_states(name)[::4]:
        hints = [hint(game, rules, game.view(rules, true, seat), agent, seed=5) for true in (state, other)]
        assert hints[0].moves == hints[1].moves
        assert hints[0].seat == seat


@pytest.mark.parametrize("name", [name for name in registry.names() if name != "royal"])
def test_the_test_would_notice(name):
    """An agent that is given the true state instead of the view does play by what it should not know."""
    game = registry.load(name)
    rules = game.rules()
    agent = parse_agent("ismcts:sims=200", game)
    noticed = 0
    for seat, state, other in pairs_of_states(name):
        hints = [hint(game, rules, true, agent, seed=5) for true in (state, other)]
        noticed += hints[0].moves != hints[1].moves
        assert hints[0].seat == seat
    assert noticed > PAIRS // 4
