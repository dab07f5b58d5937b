"""Playing deals in every seating, each seat with its own luck: the loop under matches and tournaments."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from engines.clock import seconds
from engines.compiled import entry, helper
from engines.contract import CHANCE, OUTCOMES, OVER, hide, legal, mover, play, returns, seats, start
from engines.game import Game
from engines.random import reseed, scramble
from evaluation.blocks import NO_FAULT, Block
from evaluation.luck import LUCK, lucky, new_luck
from solvers.agents import Agent, Workspace, agent_rows, choose, choose_quickly, thinks, workspace

OUTSIDE = -1  # the kind of an agent that is asked outside compiled code
FULL = -3  # the record has no room for another event
NO_ANSWER = -1
LONGEST = 10  # bytes of one event in a record
GAME, UNDER_WAY, BYTES, BEGAN, ANSWER, MOVES = range(6)  # places in a book's cursor
FIRST_RECORD = 1 << 16


class Book(NamedTuple):
    """What the loop writes, a row for each game, and where it is."""

    returns: np.ndarray  # (games, seats)
    seconds: np.ndarray  # (games, seats) thinking time of agents that search
    decisions: np.ndarray  # (games, seats)
    sizes: np.ndarray  # (games) bytes of each game in the record
    record: np.ndarray  # moves and chance outcomes in order, as LEB128; of length 0: not wanted
    cursor: np.ndarray  # so that the loop can stop anywhere and go on


class Room(NamedTuple):
    """Where the loop works; nothing in it outlives a game."""

    states: np.ndarray  # the game, and what the seat to move sees of it
    clocks: np.ndarray
    streams: np.ndarray  # (seats, 1) random numbers of the agents


@helper
def write_event(record: np.ndarray, at: int, code: int) -> int:
    """Append a number to a record, seven bits a byte, lowest first; return where the next one goes."""
    while code >= 128:
        record[at] = (code & 127) | 128
        code >>= 7
        at += 1
    record[at] = code
    return at + 1


def read_events(record: bytes) -> list[int]:
    """Return the numbers of a record."""
    events, code, shift = [], 0, 0
    for byte in record:
        code |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            events.append(code)
            code = shift = 0
    return events


@entry
def play_games(
    rules: Any, agents: np.ndarray, work: Workspace, room: Room, seed: int, first: int, book: Book
) -> int:
    """Play deals ``first``, ``first + 1`` … in every seating, until the book is full.

    In seating ``k``, seat ``i`` is played by agent ``(i + k) % seats``. Returns ``OVER`` when all is played,
    ``FULL``, or a seat whose agent must be asked elsewhere: its view and moves are in the room and the work
    space, the answer goes into the cursor. Called again, it goes on where it stopped.
    """
    players = seats(rules)
    state = room.states[0:1]
    view = room.states[1:2]
    clocks = room.clocks[0]
    cursor = book.cursor
    moves = work.moves
    codes = np.empty(OUTCOMES, np.int64)
    weights = np.empty(OUTCOMES, np.int64)
    while cursor[GAME] < len(book.returns):
        game = cursor[GAME]
        seating = game % players
        if cursor[UNDER_WAY] == 0:
            deal = first + game // players
            new_luck(clocks, seed, deal)
            for seat in range(players):
                reseed(room.streams[seat], seed, deal * players + seat)
            start(rules, state[0])
            cursor[UNDER_WAY] = 1
            cursor[BEGAN] = cursor[BYTES]
        at = cursor[BYTES]
        seat = mover(rules, state[0])
        while seat != OVER:
            if at + LONGEST > len(book.record) > 0:
                cursor[BYTES] = at
                return FULL
            if seat == CHANCE:
                code = lucky(rules, state[0], clocks, codes, weights)
            else:
                agent = agents[(seat + seating) % players]
                if agent.kind == OUTSIDE and cursor[ANSWER] != NO_ANSWER:
                    code = cursor[ANSWER]
                    cursor[ANSWER] = NO_ANSWER
                else:
                    view[0] = state[0]
                    hide(rules, view[0], seat)
                    if agent.kind == OUTSIDE:
                        cursor[BYTES] = at
                        cursor[MOVES] = legal(rules, view[0], moves)
                        return seat
                    if thinks(agent):
                        began = seconds()
                        code = choose(rules, view, seat, agent, work, room.streams[seat])
                        book.seconds[game, seat] += seconds() - began
                    else:  # no look at the clock, which would take longer than the move
                        code = choose_quickly(rules, view, agent, moves, room.streams[seat])
                book.decisions[game, seat] += 1
            if len(book.record) > 0:
                at = write_event(book.record, at, code)
            play(rules, state[0], code)
            seat = mover(rules, state[0])
        for seat in range(players):
            book.returns[game, seat] = returns(rules, state[0], seat)
        book.sizes[game] = at - cursor[BEGAN]
        cursor[BYTES] = at
        cursor[UNDER_WAY] = 0
        cursor[GAME] = game + 1
    return OVER


class FaultError(Exception):
    """An agent broke a rule or broke down, and loses the game; the text says how."""


class Outsider(Protocol):
    """An agent outside compiled code."""

    def choose(self, seat: int, view: np.ndarray, moves: list[int], seed: int, fresh: bool) -> int:
        """Return a move, given what the seat sees, or raise ``FaultError``.

        ``fresh`` is true at its first move in a game, before which it must forget all others.
        """


class Table:
    """Agents that meet under some rules; ``play`` plays deals."""

    def __init__(self, game: Game, rules: Any, agents: Sequence[Agent | Outsider], seed: int = 0) -> None:
        players = seats(rules)
        if len(agents) != players:
            raise ValueError(f"{game.title} needs {players} agents, not {len(agents)}")
        built_in = [agent if isinstance(agent, Agent) else Agent(OUTSIDE) for agent in agents]
        self._rules = rules
        self._seed = seed
        self._agents = agents
        self._rows = agent_rows(built_in)
        self._work = workspace(game, rules, built_in)
        self._room = Room(np.zeros(2, game.state_type), np.zeros(1, LUCK), np.zeros((players, 1), np.int64))

    def play(self, first: int, deals: int, record: bool = True) -> Block:
        """Play some deals; without a record only their results are kept."""
        players = len(self._agents)
        games = deals * players
        cursor = np.zeros(6, np.int64)
        cursor[ANSWER] = NO_ANSWER
        book = Book(
            returns=np.zeros((games, players)),
            seconds=np.zeros((games, players)),
            decisions=np.zeros((games, players), np.int64),
            sizes=np.zeros(games, np.int64),
            record=np.zeros(FIRST_RECORD if record else 0, np.uint8),
            cursor=cursor,
        )
        fault = np.full(games, NO_FAULT)
        reasons: dict[tuple[int, int], str] = {}
        while True:
            seat = play_games(self._rules, self._rows, self._work, self._room, self._seed, first, book)
            if seat == OVER:
                break
            if seat == FULL:
                book = book._replace(record=np.concatenate([book.record, np.zeros_like(book.record)]))
                continue
            try:
                self._ask(seat, book)
            except FaultError as mistake:
                game = int(cursor[GAME])
                fault[game] = seat
                reasons[first + game // players, game % players] = str(mistake)
                book.returns[game] = 1 / (players - 1)
                book.returns[game, seat] = 0
                book.sizes[game] = cursor[BYTES] - cursor[BEGAN]
                cursor[UNDER_WAY] = 0
                cursor[GAME] += 1
        return Block(
            first,
            book.returns,
            book.seconds,
            book.decisions,
            fault,
            book.sizes,
            book.record[: cursor[BYTES]].tobytes(),
            reasons,
        )

    def _ask(self, seat: int, book: Book) -> None:
        """Ask an agent outside for its move."""
        game = int(book.cursor[GAME])
        player = self._agents[(seat + game) % len(self._agents)]
        assert not isinstance(player, Agent)
        moves = self._work.moves[: book.cursor[MOVES]].tolist()
        decisions = int(book.decisions[game, seat])
        seed = scramble(int(self._room.streams[seat, 0]) ^ scramble(decisions))
        began = seconds()
        try:
            move = player.choose(seat, self._room.states[1:2].copy(), moves, seed, decisions == 0)
        finally:
            book.seconds[game, seat] += seconds() - began
        if move not in moves:
            raise FaultError(f"illegal move {move}")
        book.cursor[ANSWER] = move


@dataclass(frozen=True)
class Score:
    """The first agent's share of the wins, with its 95 % interval clustered by deal."""

    mean: float
    error: float
    deals: int
    games: int

    @property
    def low(self) -> float:
        """Lower end of the 95 % interval."""
        return self.mean - 1.96 * self.error

    @property
    def high(self) -> float:
        """Upper end of the 95 % interval."""
        return self.mean + 1.96 * self.error


class Match:
    """One table of agents that meets again and again: ``play`` adds deals, ``score`` says how it stands."""

    def __init__(self, game: Game, rules: Any, agents: Sequence[Agent | Outsider], seed: int = 0) -> None:
        self._table = Table(game, rules, agents, seed)
        self.results = np.zeros((0, len(agents), len(agents)))

    def play(self, deals: int) -> None:
        """Play more deals, each in every seating."""
        more = self._table.play(len(self.results), deals, record=False).returns
        self.results = np.concatenate([self.results, more.reshape(deals, *self.results.shape[1:])])

    def score(self) -> Score:
        """Return the first agent's share of the wins over all deals played."""
        deals, players, _ = self.results.shape
        # In seating k the first agent sits at seat -k.
        own = np.stack([self.results[:, k, -k % players] for k in range(players)], axis=1).mean(axis=1)
        error = float(own.std(ddof=1)) / math.sqrt(deals) if deals > 1 else float("inf")
        return Score(float(own.mean()), error, deals, deals * players)
