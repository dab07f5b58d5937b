"""Digests of seeded games; renew with ``python -m tests.play_digests > tests/play_digests.txt``."""

import hashlib
import sys
from pathlib import Path

from engines import registry
from engines.contract import seats
from evaluation.match import Table
from evaluation.store import PLAY
from solvers.agents import KINDS, parse_agent

PATH = Path(__file__).with_suffix(".txt")


def digest(name: str) -> str:
    """Return a digest of some games in which every kind of agent plays."""
    game = registry.load(name)
    rules = game.rules(max_turns=30)
    found = hashlib.sha256()
    for kind in KINDS:
        options = {option.name for option in KINDS[kind].options}
        text = f"{kind}:sims=8" if "sims" in options else f"{kind}:depth=1" if "depth" in options else kind
        agents = [parse_agent(text, game), *[parse_agent("greedy", game)] * (seats(rules) - 1)]
        found.update(Table(game, rules, agents, 1).play(0, 2).record)
    return found.hexdigest()[:16]


def lines() -> list[str]:
    """Return what the file should hold."""
    return [f"play {PLAY}", *(f"{name} {digest(name)}" for name in registry.names())]


if __name__ == "__main__":
    sys.stdout.write("\n".join(lines()) + "\n")
