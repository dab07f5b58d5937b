"""Simulated tournaments of agents with known strengths, whose games hang together within a deal."""

import itertools

import numpy as np

from evaluation.ratings import ELO
from evaluation.results import Results

STUDIES = {  # ratings, seat effects, deals, chance that a game takes the luck of its deal, ties
    "2 agents, 30 deals": ([0, 60], [20, -20], 30, 0.5, False),
    "3 agents, ties, 40 deals": ([0, 100, 300], [30, -30], 40, 0.7, True),
    "4 agents at 3 seats, ties, 30 deals": ([0, 50, 150, 300], [30, 0, -30], 30, 0.6, True),
    "500 Elo apart, 200 deals": ([0, 500], [0, 0], 200, 0.5, False),
}


def chances(elo, seat_elo, lineup):
    """The model: each seat's chance to win."""
    power = np.exp((np.asarray(elo, float)[list(lineup)] + seat_elo) / ELO)
    return power / power.sum()


def tournament(rng, elo, seat_elo, deals, shared=0.0, ties=False):
    """Play a round robin whose chances are exactly the model's.

    Whoever has the highest strength plus Gumbel luck wins. With chance ``shared`` a game takes the luck of
    its deal, which is the same at all tables and belongs to the seat, else luck of its own. With ``ties`` a
    game is two such contests and a win in each is half a win, which leaves the chances as they are.
    """
    elo, seat_elo = np.asarray(elo, float), np.asarray(seat_elo, float)
    seats, rounds = len(seat_elo), 1 + ties
    luck = rng.gumbel(size=(deals, rounds, seats))
    players, returns, tables, seatings = [], [], [], []
    for table, agents in enumerate(itertools.combinations(range(len(elo)), seats)):
        for seating in range(seats):
            lineup = np.roll(agents, -seating)
            own = rng.gumbel(size=luck.shape)
            takes = rng.random((deals, 1, 1)) < shared
            winner = ((elo[lineup] + seat_elo) / ELO + np.where(takes, luck, own)).argmax(axis=2)
            returns.append(np.eye(seats)[winner].mean(axis=1))
            players.append(np.tile(lineup, (deals, 1)))
            tables.append(np.full(deals, table))
            seatings.append(np.full(deals, seating))
    deal = np.tile(np.arange(deals), len(players))
    return games(deal, np.concatenate(players), np.concatenate(returns), len(elo), tables, seatings)


def games(deal, players, returns, agents, tables=(), seatings=()):
    """Return results of given games; every agent makes ten decisions in each and takes a second for all."""
    players = np.reshape(players, (len(deal), -1)) if len(deal) else np.zeros((0, 2), np.int64)
    count, seats = players.shape
    return Results(
        agents=[f"agent{number}" for number in range(agents)],
        deal=np.asarray(deal),
        table=np.concatenate(tables) if len(tables) else np.zeros(count, np.int64),
        seating=np.concatenate(seatings) if len(seatings) else np.zeros(count, np.int64),
        players=players,
        returns=np.reshape(np.asarray(returns, float), players.shape),
        seconds=np.ones((count, seats)),
        decisions=np.full((count, seats), 10),
        fault=np.full(count, -1),
    )
