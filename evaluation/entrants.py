"""Who takes part: agents by their texts, in full for ids and in short for tables."""

import functools
import hashlib
import importlib.metadata
import importlib.util
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engines import registry
from engines.errors import InputError, short
from engines.game import Game
from evaluation.match import Outsider
from evaluation.outside import OutsidePlayer
from solvers.agents import KINDS, Agent, full_text, parse_agent, settings
from solvers.players import GROUP, is_built_in, read_player


def full_name(text: str, game: Game) -> str:
    """Return an agent's text with all that determines its play.

    For our own agents that is the value of every option. For one in Python it is a digest of its source
    file, so that an edited player is another agent and never continues its old results.
    """
    if is_built_in(text):
        return full_text(text, game)
    wanted = read_player(text)
    options = ",".join(f"{name}={value}" for name, value in sorted(wanted.options.items()))
    return "@".join([":".join(filter(None, [wanted.name, options])), _digest(wanted.name)])


def _digest(name: str) -> str:
    """Return a digest of the file in which a player in Python is written."""
    points = importlib.metadata.entry_points(group=GROUP, name=name)
    module = next(iter(points)).module if points else name.partition(":")[0]
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        found = importlib.util.find_spec(module)
        source = Path(found.origin).read_bytes() if found and found.origin else b""
    except (ImportError, ValueError, OSError):
        found = None
    if found is None:
        known = ", ".join(KINDS)
        raise InputError(f"unknown agent {short(name)}: expected one of {known}, or module:Class")
    return hashlib.sha256(source).hexdigest()[:8]


def short_names(agents: Sequence[str], game: Game) -> list[str]:
    """Return the texts of agents without what goes without saying: defaults, and digests of their code."""
    names = [_short_name(agent, game) for agent in agents]
    return [name if names.count(name) == 1 else agent for name, agent in zip(names, agents, strict=True)]


def _short_name(agent: str, game: Game) -> str:
    text = agent.rpartition("@")[0] or agent
    if not is_built_in(text):
        return text
    try:
        name, values = settings(text, game)
        _, usual = settings(name, game)
    except InputError:  # of another version of kibitz
        return agent
    special = ",".join(f"{key}={value:.15g}" for key, value in values.items() if value != usual[key])
    return ":".join(filter(None, [name, special]))


def seated(agents: Sequence[str], game: Game, rules: Any, move_time: float) -> list[Agent | Outsider]:
    """Return agents by their full names, ready to play; the same player at two seats is two."""
    seats: list[Agent | Outsider] = []
    for seat, agent in enumerate(agents):
        if is_built_in(agent):
            seats.append(parse_agent(agent, game))
        else:
            copy = (agents[:seat].count(agent), threading.get_ident())
            seats.append(_outsider(agent, game.name, rules, move_time, copy))
    return seats


@functools.cache
def _outsider(agent: str, game: str, rules: Any, move_time: float, copy: tuple[int, int]) -> OutsidePlayer:
    """Return a player in Python, whose process is kept from table to table."""
    text, _, digest = agent.rpartition("@")
    if _digest(read_player(text).name) != digest:
        raise InputError(f"agent {short(text)}: its file has changed or is another one on this machine")
    return OutsidePlayer(text, registry.load(game), rules, move_time)


def check_outsiders(agents: Sequence[str], game: Game, rules: Any) -> None:
    """Start every player in Python once, so that what is wrong with it is said before the first game."""
    for agent in agents:
        if not is_built_in(agent):
            player = OutsidePlayer(agent.rpartition("@")[0], game, rules, 1.0)
            player.start()
            player.stop()
