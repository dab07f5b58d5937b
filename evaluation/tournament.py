"""Tournaments: which agents meet, playing it all, and how it stands."""

import itertools
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from engines.contract import seats
from engines.errors import InputError, short
from engines.game import Game
from evaluation.blocks import Block, Packed, unpack
from evaluation.entrants import check_outsiders, full_name, short_names
from evaluation.results import Results
from evaluation.runner import Pool, play_lineups
from evaluation.store import Lineup, Store

FORMATS = ("round-robin", "gauntlet")


def combinations(agents: Sequence[str], players: int, form: str = "round-robin") -> list[tuple[str, ...]]:
    """Return who meets whom at tables for some players.

    In a round robin every set of different agents meets; if there are fewer agents than seats, every way to
    fill the seats in which all take part. In a gauntlet the first agent meets each other one, at tables for
    more than two as the only one of its kind.
    """
    if form == "gauntlet" and len(agents) > 1:
        return [(agents[0], *[other] * (players - 1)) for other in agents[1:]]
    if len(agents) >= players:
        return list(itertools.combinations(agents, players))
    every = itertools.combinations_with_replacement(agents, players)
    return [table for table in every if set(table) == set(agents)]


def make_lineups(
    game: Game, rules: Any, agents: Sequence[str], seed: int = 0, form: str = "round-robin"
) -> list[Lineup]:
    """Return the line-ups of a tournament of agents with these full names."""
    for agent in agents:
        if agents.count(agent) > 1:
            raise InputError(f"agent {short(agent)} is named twice: expected different agents")
    values = tuple(sorted((each.name, int(getattr(rules, each.name))) for each in game.parameters))
    tables = combinations(agents, seats(rules), form)
    return [Lineup(game.name, values, seed, tuple(sorted(table))) for table in tables]


@dataclass
class Tally:
    """Running totals, for the display while it plays."""

    games: dict[str, float] = field(default_factory=dict)
    wins: dict[str, float] = field(default_factory=dict)
    faults: int = 0

    def add(self, lineup: Lineup, block: Block) -> None:
        """Count the games of a block."""
        totals = block.returns.reshape(block.deals, lineup.seats, lineup.seats).sum(axis=0)
        for seating, seat in itertools.product(range(lineup.seats), repeat=2):
            agent = lineup.agents[(seat + seating) % lineup.seats]
            self.games[agent] = self.games.get(agent, 0) + block.deals
            self.wins[agent] = self.wins.get(agent, 0) + float(totals[seating, seat])
        self.faults += int((block.fault != -1).sum())

    def ranking(self) -> list[tuple[str, float]]:
        """Return the agents and their share of the wins so far, best first."""
        scores = {agent: self.wins[agent] / games for agent, games in self.games.items()}
        return sorted(scores.items(), key=lambda item: (-item[1], item[0]))


class Tournament:
    """A tournament whose results live in a store; ``run`` plays what is missing."""

    def __init__(
        self,
        store: Store,
        game: Game,
        rules: Any,
        agents: Sequence[str],
        *,
        deals: int,
        seed: int = 0,
        form: str = "round-robin",
        move_time: float = 60.0,
    ) -> None:
        self.store = store
        self.game = game
        self.rules = rules
        self.agents = [full_name(agent, game) for agent in agents]
        self.lineups = make_lineups(game, rules, self.agents, seed, form)
        self.deals = deals
        self.move_time = move_time
        self.total = deals * seats(rules) * len(self.lineups)
        self.tally = Tally()
        for lineup in self.lineups:
            for block in store.blocks(lineup):
                self._count(lineup, block)
        self.found = self.played
        self.began = time.monotonic()

    @property
    def played(self) -> int:
        """How many games are there."""
        return round(sum(self.tally.games.values())) // seats(self.rules)

    def names(self) -> dict[str, str]:
        """Return the short name of each agent."""
        return dict(zip(self.agents, short_names(self.agents, self.game), strict=True))

    def _count(self, lineup: Lineup, block: Block) -> None:
        if block.end > self.deals:
            block = block.part(block.first, max(block.first, self.deals))
        if block.deals:
            self.tally.add(lineup, block)

    def run(
        self,
        pool: Pool | Executor,
        *,
        arrived: Callable[[Lineup, Block], bool | None] = lambda lineup, block: None,
        tick: Callable[[], bool | None] = lambda: None,
    ) -> None:
        """Play what the store lacks, on our own workers or on any executor.

        ``arrived`` is called with each new block, ``tick`` every now and then; either ends the run by
        returning true.
        """
        if self.played >= self.total:
            return
        check_outsiders(self.agents, self.game, self.rules)
        if isinstance(pool, Executor):
            pool = Pool(getattr(pool, "_max_workers", 4), pool)
        self.began = time.monotonic()

        def count(lineup: Lineup, packed: Packed) -> bool | None:
            block = unpack(packed, lineup.seats, records=False)
            self._count(lineup, block)
            return arrived(lineup, block)

        play_lineups(
            self.store,
            self.lineups,
            self.deals,
            pool,
            move_time=self.move_time,
            arrived=count,
            tick=tick,
        )

    def results(self, deals: int | None = None) -> Results:
        """Return the games, with the agents by their short names in the order in which they were given."""
        found = self.store.results(self.lineups, self.deals if deals is None else deals)
        place = np.array([self.agents.index(agent) for agent in found.agents])
        names = self.names()
        return replace(found, agents=[names[agent] for agent in self.agents], players=place[found.players])
