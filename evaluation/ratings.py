"""Ratings: strengths fitted to all games at once, and what else the games say of the agents.

One model serves any number of seats. Each game says who won, so by Luce's choice axiom the chance of the
agent at a seat is proportional to ``exp(strength + seat effect)``: Bradley–Terry for two seats, the first
stage of Plackett–Luce for more. A tie counts as parts of a win. A batch fit does not depend on the order of
games. A tiny ridge keeps the strength of an agent finite that never lost or never won, and changes that of
any other by about an Elo point or less; the far end of such an agent's interval is infinite. Intervals come
from resampling deals, with all games of a deal together.
"""

import math
from dataclasses import dataclass

import numpy as np

from engines.errors import InputError
from evaluation.intervals import Estimate, percentiles, ratio, resample, share
from evaluation.results import Results

ELO = 400 / math.log(10)
RIDGE = 0.01
RESAMPLES = 1000
LITTLE = 0.05  # of all weight


@dataclass(frozen=True)
class Standing:
    """An agent's place in the ranking."""

    agent: int  # index in ``Results.agents``
    name: str
    rating: Estimate  # Elo; the agents' mean is 0, weighted by ``weights``
    lead: Estimate | None  # Elo ahead of the next in the ranking
    score: Estimate  # mean share of a win in a game
    games: int
    think: float  # mean seconds a decision
    faults: int  # games lost by breaking a rule or breaking down


@dataclass(frozen=True)
class Ranking:
    """What the games say, best agent first."""

    standings: list[Standing]
    seat_share: list[Estimate]  # share of the wins of each seat, whoever sat there
    seat_rating: list[Estimate]  # Elo that a seat is worth, from the fit; the seats' mean is 0
    cross: list[list[Estimate | None]]  # by index of agent: score of the row against the column
    efficiency: Estimate  # one game of duplicate deals is worth so many on independent deals
    deals: int
    games: int
    connected: bool  # every two agents met, or met others that met, and so on


@dataclass(frozen=True)
class Counts:
    """Games counted by deal and lineup; a lineup says which agent sits at each seat."""

    players: np.ndarray  # (lineups, seats)
    games: np.ndarray  # (deals, lineups)
    shares: np.ndarray  # (deals, lineups, seats)

    @property
    def deals(self) -> int:
        """The number of deals."""
        return len(self.games)


def count(results: Results) -> Counts:
    """Count the games by deal and lineup."""
    seats = results.seats
    radix = len(results.agents) ** np.arange(seats)
    codes, first, lineup = np.unique(results.players @ radix, return_index=True, return_inverse=True)
    deals, deal = np.unique(results.deal, return_inverse=True)
    shape = (len(deals), len(codes))
    cell = deal * len(codes) + lineup
    size = shape[0] * shape[1]

    def total(weights: np.ndarray | None) -> np.ndarray:
        return np.bincount(cell, weights, minlength=size).reshape(shape).astype(float)

    shares = np.stack([total(results.returns[:, seat]) for seat in range(seats)], axis=2)
    return Counts(results.players[first], total(None), shares)


def fit(
    players: np.ndarray,
    games: np.ndarray,
    shares: np.ndarray,
    agents: int,
    seat_effects: bool = True,
    start: np.ndarray | None = None,
) -> np.ndarray:
    """Fit strengths to many sets of results at once, by Newton's method.

    ``games`` is (sets, lineups), ``shares`` (sets, lineups, seats). The answer is (sets, agents + seats), in
    natural units: the strengths, then the seat effects; each group has mean 0.
    """
    sets, lineups, seats = shares.shape
    size = agents + seats
    design = np.zeros((lineups, seats, size))
    np.put_along_axis(design, players[:, :, None], 1.0, axis=2)
    if seat_effects:
        design[:, np.arange(seats), agents + np.arange(seats)] = 1.0
    flat = design.reshape(-1, size)
    products = (flat[:, :, None] * flat[:, None, :]).reshape(-1, size * size)
    ridge = RIDGE * np.eye(size)
    x = np.zeros((sets, size)) if start is None else np.broadcast_to(start, (sets, size)).copy()
    for _ in range(100):
        logits = (x @ flat.T).reshape(shares.shape)
        chance = np.exp(logits - logits.max(axis=2, keepdims=True))
        chance /= chance.sum(axis=2, keepdims=True)
        expected = games[:, :, None] * chance
        slope = (shares - expected).reshape(sets, -1) @ flat - RIDGE * x
        mean = np.matmul(chance.transpose(1, 0, 2), design).transpose(1, 0, 2)
        bend = (expected.reshape(sets, -1) @ products).reshape(sets, size, size) + ridge
        bend -= np.matmul((mean * games[:, :, None]).transpose(0, 2, 1), mean)
        step = np.linalg.solve(bend, slope[:, :, None])[:, :, 0]
        longest = np.abs(step).max(axis=1, keepdims=True)
        # Full steps overshoot where chances are extreme; a step of at most 1 never does.
        x += step / np.maximum(longest, 1.0)
        if longest.max() < 1e-6:
            break
    x[:, :agents] -= x[:, :agents].mean(axis=1, keepdims=True)
    x[:, agents:] -= x[:, agents:].mean(axis=1, keepdims=True)
    return x


def bootstrap(
    counts: Counts, agents: int, resamples: int = RESAMPLES, seed: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Return the fit to all games (agents + seats) and the fits to resampled deals (resamples, …), in Elo.

    The strengths are counted from their weighted mean, see ``weights``.
    One deal more is among those that can be drawn, in parts: in each, another seat wins at every table.
    Without it an agent that won every game would seem to be known exactly.
    """
    lineups, seats = counts.players.shape
    games, shares = counts.games, counts.shares
    best = fit(counts.players, games.sum(axis=0)[None], shares.sum(axis=0)[None], agents)[0]
    few = games.mean(axis=0) / seats
    made_up = (few[:, None] * np.eye(seats)[:, None]).reshape(seats, -1)  # row: its seat wins everywhere
    columns = np.block([[games, shares.reshape(len(games), -1)], [np.tile(few, (seats, 1)), made_up]])
    sums = resample(columns, resamples, seed)
    fits = np.empty((resamples, agents + seats))
    at_once = max(1, 4_000_000 // (lineups * seats * (agents + seats)))
    for first in range(0, resamples, at_once):
        part = sums[first : first + at_once]
        part_shares = part[:, lineups:].reshape(len(part), lineups, seats)
        fits[first : first + at_once] = fit(
            counts.players, part[:, :lineups], part_shares, agents, start=best
        )
    centre = weights(counts, best)
    best[:agents] -= best[:agents] @ centre
    fits[:, :agents] -= (fits[:, :agents] @ centre)[:, None]
    return best * ELO, fits * ELO


def weights(counts: Counts, strengths: np.ndarray) -> np.ndarray:
    """Return how much each agent counts in the mean that is rated 0: by what its games tell, in sum 1.

    That is the variance of their results. In a plain mean, one agent that always loses, and of which nobody
    can say how weak it is, would make the rating of every other as uncertain as its own.
    """
    agents = len(strengths) - counts.players.shape[1]
    power = np.exp(strengths[counts.players] + strengths[agents:])
    chance = power / power.sum(axis=1, keepdims=True)
    told = counts.games.sum(axis=0)[:, None] * chance * (1 - chance)
    total = np.bincount(counts.players.ravel(), told.ravel(), minlength=agents)
    return total / total.sum()


def rank(results: Results, resamples: int = RESAMPLES, seed: int = 0) -> Ranking:
    """Rate the agents and sum up everything that the games say."""
    if not len(results):
        raise InputError("no games to rank: expected at least one finished game")
    counts = count(results)
    agents = len(results.agents)
    best, fits = bootstrap(counts, agents, resamples, seed)
    seats = results.seats
    taken, won = _by_agent(counts, agents)
    present = taken.sum(axis=0) > 0
    below, above = _open_ends(counts, best / ELO)
    order = np.argsort(np.where(present, -best[:agents], np.inf), kind="stable")
    standings = []
    for place, agent in enumerate(order):
        lead = None
        if place + 1 < present.sum():
            behind = order[place + 1]
            ahead = float(best[agent] - best[behind])
            lead = percentiles(ahead, fits[:, agent] - fits[:, behind], counts.deals)
            if above[agent] or below[behind]:
                lead = lead._replace(high=math.inf)
        rating = percentiles(float(best[agent]), fits[:, agent], counts.deals)
        rating = Estimate(
            rating.value,
            -math.inf if below[agent] else rating.low,
            math.inf if above[agent] else rating.high,
        )
        mine = results.players == agent
        decisions = int(results.decisions[mine].sum())
        standings.append(
            Standing(
                int(agent),
                results.agents[agent],
                rating if present[agent] else Estimate(math.nan, -math.inf, math.inf),
                lead,
                share(won[:, agent], taken[:, agent]),
                int(taken[:, agent].sum()),
                float(results.seconds[mine].sum()) / decisions if decisions else 0.0,
                int(mine[np.arange(len(results)), results.fault][results.fault >= 0].sum()),
            )
        )
    games = counts.games.sum(axis=1)
    by_seat = counts.shares.sum(axis=1)
    return Ranking(
        standings,
        [share(by_seat[:, seat], games) for seat in range(seats)],
        [
            percentiles(float(best[agents + seat]), fits[:, agents + seat], counts.deals)
            for seat in range(seats)
        ],
        crosstable(counts, agents),
        efficiency(counts, resamples, seed),
        counts.deals,
        len(results),
        _connected(counts.players, agents),
    )


def crosstable(counts: Counts, agents: int) -> list[list[Estimate | None]]:
    """Return the score of each agent against each other, ``None`` where they never met.

    At tables of three and more it is the part of the wins of the two that the first had, for each seat that
    they held: what the model takes to be the same whoever else sits there.
    """
    held = (counts.players[:, :, None] == np.arange(agents)).astype(float)  # (lineups, seats, agents)
    cross: list[list[Estimate | None]] = [[None] * agents for _ in range(agents)]
    for one in range(agents):
        for two in range(one + 1, agents):
            ones, twos = held[:, :, one].sum(axis=1), held[:, :, two].sum(axis=1)
            met = np.flatnonzero((ones > 0) & (twos > 0))
            if not len(met):
                continue
            shares = counts.shares[:, met]
            top = np.einsum("dls,ls->d", shares, held[met, :, one] / ones[met, None])
            rest = np.einsum("dls,ls->d", shares, held[met, :, two] / twos[met, None])
            cross[one][two] = found = share(top, top + rest)
            cross[two][one] = Estimate(1 - found.value, 1 - found.high, 1 - found.low)
    return cross


def efficiency(counts: Counts, resamples: int = RESAMPLES, seed: int = 0) -> Estimate:
    """Return how many games on independent deals one game of duplicate deals is worth.

    That is the variance of an agent's score if all games had been independent (in the same seats) over its
    variance clustered by deal, pooled over agents and tables. It is not a number if no result ever varied.
    """
    _, table = np.unique(np.sort(counts.players, axis=1), axis=0, return_inverse=True)
    table = table.ravel()
    alone = np.zeros(counts.deals)
    together = np.zeros(counts.deals)
    for number in range(table.max() + 1):
        lineups = np.flatnonzero(table == number)
        games = counts.games[:, lineups]
        total = games.sum(axis=0)
        played = int((games.sum(axis=1) > 0).sum())
        if played < 2 or total.min() < 2:
            continue
        for agent in np.unique(counts.players[lineups]):
            held = (counts.players[lineups] == agent).astype(float)
            won = np.einsum("dls,ls->dl", counts.shares[:, lineups], held)
            apart = won - games * (won.sum(axis=0) / total)
            alone += (apart**2 * (total / (total - 1))).sum(axis=1) / total.sum() ** 2
            joined = (won - games * (won.sum() / total.sum())).sum(axis=1)
            together += joined**2 * (played / (played - 1)) / total.sum() ** 2
    if together.sum() < 1e-15:
        return Estimate(math.nan, math.nan, math.nan)
    sums = resample(np.stack([alone, together], axis=1), resamples, seed)
    with np.errstate(divide="ignore", invalid="ignore"):
        samples = np.nan_to_num(sums[:, 0] / sums[:, 1], nan=np.inf)
    return percentiles(float(alone.sum() / together.sum()), samples, counts.deals)


def contrast(first: Results, second: Results) -> list[tuple[str, Estimate]]:
    """Return what changes from one set of rules to another, on the deals that both played.

    Each line is a name and the mean difference, second less first: the score of each agent in both, the share
    of each seat, and the length of a game.
    """
    both = np.intersect1d(first.deal, second.deal)
    sides = [side.where(np.isin(side.deal, both)) for side in (first, second)]
    games = [_by_deal(side, np.ones(len(side))) for side in sides]
    lines = []
    for name in (name for name in first.agents if name in second.agents):
        held = [side.players == side.agents.index(name) for side in sides]
        won = [
            _by_deal(side, (side.returns * mine).sum(axis=1)) for side, mine in zip(sides, held, strict=True)
        ]
        taken = [_by_deal(side, mine.sum(axis=1)) for side, mine in zip(sides, held, strict=True)]
        lines.append((f"score of {name}", _difference(won, taken)))
    for seat in range(min(first.seats, second.seats)):
        won = [_by_deal(side, side.returns[:, seat]) for side in sides]
        lines.append((f"share of seat {seat + 1}", _difference(won, games)))
    lengths = [_by_deal(side, side.length) for side in sides]
    lines.append(("decisions in a game", _difference(lengths, games)))
    return lines


def _by_deal(results: Results, values: np.ndarray) -> np.ndarray:
    _, deal = np.unique(results.deal, return_inverse=True)
    return np.bincount(deal, values)


def _difference(tops: list[np.ndarray], bottoms: list[np.ndarray]) -> Estimate:
    """Return the second ratio less the first, with an error clustered by deal."""
    if not all(bottom.any() for bottom in bottoms):
        return Estimate(math.nan, -math.inf, math.inf)
    values = [float(top.sum() / bottom.sum()) for top, bottom in zip(tops, bottoms, strict=True)]
    left = [
        (top - value * bottom) / bottom.mean()
        for top, bottom, value in zip(tops, bottoms, values, strict=True)
    ]
    around = ratio(left[1] - left[0], np.ones(len(left[0])))
    return Estimate(*(end + values[1] - values[0] for end in around))


def _by_agent(counts: Counts, agents: int) -> tuple[np.ndarray, np.ndarray]:
    """Return by deal and agent the seats held and the wins."""
    held = (counts.players[:, :, None] == np.arange(agents)).astype(float)
    won = counts.shares.reshape(counts.deals, -1) @ held.reshape(-1, agents)
    return counts.games @ held.sum(axis=1), won


def _open_ends(counts: Counts, strengths: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return which agents may be weaker, and which stronger, by any amount, for all that the games say.

    That is so if an agent took nothing from the others, nor from any that did, and so on, or they nothing
    from it. Others that hardly count in the mean do not matter.
    """
    centre = weights(counts, strengths)
    agents = len(centre)
    reaches = np.eye(agents, dtype=bool)
    won = counts.shares.sum(axis=0) > 0
    for lineup, winners in zip(counts.players, won, strict=True):
        reaches[np.ix_(lineup[winners], lineup)] = True
    for _ in range(agents.bit_length()):
        reaches = reaches @ reaches
    return ~reaches @ centre > LITTLE, ~reaches.T @ centre > LITTLE


def _connected(players: np.ndarray, agents: int) -> bool:
    """Return whether a chain of tables leads from every agent to every other."""
    met = np.eye(agents, dtype=bool)
    for lineup in players:
        met[np.ix_(lineup, lineup)] = True
    reached = met[0]
    for _ in range(agents):
        reached = met[reached].any(axis=0)
    return bool(reached.all())
