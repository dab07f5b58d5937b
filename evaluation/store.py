"""Results in one SQLite file: line-ups of agents, and blocks of their games with full records.

The file holds blocks and not a row for each game, as a quick game takes less time than a row. A game's id is
a digest of the line-up, that is of all that determines its games, then the deal and the seating in clear:
``3fa9c1d2b7e4-17-0`` is deal 17 in seating 0. What is stored for an id does not depend on when, where or in
which order games were played.
"""

import contextlib
import hashlib
import json
import os
import re
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from engines import registry
from engines.errors import InputError, one_line, short
from evaluation.blocks import Block, Packed, pack, united, unpack
from evaluation.match import read_events
from evaluation.results import COLUMNS, Results

APPLICATION = 0x4B49425A  # in the header of the file, to know it by
FORMAT = 1  # of the file; another one is refused
PLAY = 1  # part of every id: raised when engines or agents come to play other games for the same id
SCHEMA = """
CREATE TABLE lineups (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, play INTEGER NOT NULL, game TEXT NOT NULL,
    rules TEXT NOT NULL, seed INTEGER NOT NULL, agents TEXT NOT NULL
);
CREATE TABLE blocks (
    lineup INTEGER NOT NULL REFERENCES lineups, first INTEGER NOT NULL, deals INTEGER NOT NULL,
    results BLOB NOT NULL, record BLOB NOT NULL, PRIMARY KEY (lineup, first)
);
CREATE TABLE faults (
    lineup INTEGER NOT NULL REFERENCES lineups, deal INTEGER NOT NULL, seating INTEGER NOT NULL,
    reason TEXT NOT NULL, PRIMARY KEY (lineup, deal, seating)
);
"""
PATIENCE = 60.0  # seconds to wait for another process that writes


@dataclass(frozen=True)
class Lineup:
    """Agents that meet, and under which conditions: all that determines their games."""

    game: str
    rules: tuple[tuple[str, int], ...]  # every parameter, sorted
    seed: int
    agents: tuple[str, ...]  # in full, sorted: seat i of seating k is played by number (i + k) % seats
    play: int = PLAY

    @property
    def id(self) -> str:
        """The first part of the ids of its games."""
        text = json.dumps([self.play, self.game, dict(self.rules), self.seed, self.agents])
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.agents)

    def rules_object(self) -> Any:
        """Return the rules for the engine; a file of an older version may have others."""
        game = registry.load(self.game)
        known = {parameter.name: parameter for parameter in game.parameters}
        if {name for name, _ in self.rules} != set(known):
            raise InputError(
                f"{self.id}: the rules of {self.game} have changed since these games were played"
            )
        return game.rules(**{name: known[name].text(value) for name, value in self.rules})


@dataclass(frozen=True)
class Record:
    """One game from beginning to end."""

    lineup: Lineup
    deal: int
    seating: int
    returns: list[float]
    seconds: list[float]
    decisions: list[int]
    fault: int
    reason: str
    events: list[int]

    @property
    def id(self) -> str:
        """The id of the game."""
        return f"{self.lineup.id}-{self.deal}-{self.seating}"

    @property
    def agents(self) -> list[str]:
        """The agent at each seat."""
        seats = self.lineup.seats
        return [self.lineup.agents[(seat + self.seating) % seats] for seat in range(seats)]


class Store:
    """An open results file; without a path, one in memory. Blocks are written when ``commit`` is called."""

    def __init__(self, path: str | None = None, create: bool = False) -> None:
        self.path = path or "results in memory"
        self.lasting = path is not None
        self._waiting: list[tuple[Lineup, Packed]] = []
        with self._clearly():
            if path is None:
                self._database = _connect(":memory:")
                _set_up(self._database)
                return
            if create and not os.path.lexists(path):
                _make(path)
            _identify(path)
            writable = os.access(path, os.W_OK)
            self._database = _connect(f"{Path(path).absolute().as_uri()}?mode={'rw' if writable else 'ro'}")

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *problem: object) -> None:
        self._database.close()

    @contextlib.contextmanager
    def _clearly(self) -> Iterator[None]:
        """Turn what SQLite or the system says into one line."""
        try:
            yield
        except sqlite3.Error as problem:
            raise InputError(f"{self.path}: {one_line(problem)}") from None
        except OSError as problem:
            raise InputError(f"{self.path}: {problem.strerror or one_line(problem)}") from None

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._database.execute("ROLLBACK")
            raise
        self._database.execute("COMMIT")

    def add(self, lineup: Lineup, packed: Packed) -> None:
        """Keep a block; it is safe in the file after the next ``commit``."""
        self._waiting.append((lineup, packed))

    def commit(self) -> None:
        """Write what was added."""
        if not self._waiting:
            return
        with self._clearly(), self._transaction():
            for lineup, packed in self._waiting:
                self._write(self._number(lineup), lineup.seats, packed)
        self._waiting.clear()

    def _number(self, lineup: Lineup) -> int:
        values = (lineup.id, lineup.play, lineup.game, json.dumps(dict(lineup.rules)), lineup.seed)
        self._database.execute(
            "INSERT OR IGNORE INTO lineups (id, play, game, rules, seed, agents) VALUES (?, ?, ?, ?, ?, ?)",
            (*values, json.dumps(lineup.agents)),
        )
        query = "SELECT number FROM lineups WHERE id = ?"
        return self._database.execute(query, (lineup.id,)).fetchone()[0]

    def _write(self, number: int, seats: int, packed: Packed) -> None:
        end = packed.first + packed.deals
        query = "SELECT first FROM blocks WHERE lineup = ? AND first < ? AND first + deals > ?"
        overlapping = self._database.execute(query, (number, end, packed.first)).fetchall()
        if overlapping:
            whole = unpack(packed, seats)
            for (first,) in overlapping:
                whole = united(whole, unpack(self._packed(number, first), seats))
                self._database.execute("DELETE FROM blocks WHERE lineup = ? AND first = ?", (number, first))
            span = (number, whole.first, whole.end)
            self._database.execute("DELETE FROM faults WHERE lineup = ? AND deal >= ? AND deal < ?", span)
            packed = pack(whole)
        self._database.execute(
            "INSERT INTO blocks VALUES (?, ?, ?, ?, ?)",
            (number, packed.first, packed.deals, packed.results, packed.record),
        )
        faults = ((number, *game, reason) for game, reason in packed.reasons.items())
        self._database.executemany("INSERT INTO faults VALUES (?, ?, ?, ?)", faults)

    def _packed(self, number: int, first: int) -> Packed:
        query = "SELECT deals, results, record FROM blocks WHERE lineup = ? AND first = ?"
        deals, results, record = self._database.execute(query, (number, first)).fetchone()
        query = "SELECT deal, seating, reason FROM faults WHERE lineup = ? AND deal >= ? AND deal < ?"
        faults = self._database.execute(query, (number, first, first + deals))
        return Packed(first, deals, results, record, {(deal, seating): why for deal, seating, why in faults})

    def merge(self, path: str) -> None:
        """Take over the games of another file."""
        with Store(path) as other, self._clearly():
            for lineup, number in other._lineups():
                firsts = other._database.execute("SELECT first FROM blocks WHERE lineup = ?", (number,))
                for (first,) in firsts.fetchall():
                    self.add(lineup, other._packed(number, first))
                    self.commit()

    def _lineups(self) -> list[tuple[Lineup, int]]:
        query = "SELECT id, number, game, rules, seed, agents, play FROM lineups ORDER BY id"
        found = []
        with self._clearly():
            for key, number, game, rules, seed, agents, play in self._database.execute(query):
                try:
                    parameters = tuple((str(name), int(value)) for name, value in json.loads(rules).items())
                    lineup = Lineup(game, parameters, seed, tuple(json.loads(agents)), play)
                except (ValueError, TypeError, AttributeError):
                    lineup = None
                if lineup is None or lineup.id != key:
                    raise InputError(f"{self.path}: the line-up {short(key)} is damaged")
                found.append((lineup, number))
        return found

    def lineups(self) -> list[Lineup]:
        """Return all line-ups, in an order that does not depend on when they came."""
        return [lineup for lineup, _ in self._lineups()]

    def spans(self, lineup: Lineup) -> list[tuple[int, int]]:
        """Return which deals of a line-up are there: first and end of each stretch."""
        query = (
            "SELECT first, first + deals FROM blocks JOIN lineups ON lineup = number"
            " WHERE id = ? ORDER BY first"
        )
        spans: list[tuple[int, int]] = []
        with self._clearly():
            for first, end in self._database.execute(query, (lineup.id,)):
                if spans and spans[-1][1] == first:
                    spans[-1] = (spans[-1][0], end)
                else:
                    spans.append((first, end))
        return spans

    def blocks(self, lineup: Lineup, records: bool = False) -> Iterator[Block]:
        """Return the games of a line-up, in the order of the deals."""
        with self._clearly():
            query = "SELECT number FROM lineups WHERE id = ?"
            number = self._database.execute(query, (lineup.id,)).fetchone()
            query = "SELECT first FROM blocks WHERE lineup = ? ORDER BY first"
            for (first,) in self._database.execute(query, number or (0,)).fetchall():
                yield unpack(self._packed(number[0], first), lineup.seats, records)

    def faults(self, lineup: Lineup) -> dict[tuple[int, int], str]:
        """Return why games were lost by a fault, by deal and seating."""
        query = "SELECT deal, seating, reason FROM faults JOIN lineups ON lineup = number WHERE id = ?"
        with self._clearly():
            rows = self._database.execute(query, (lineup.id,)).fetchall()
        return {(deal, seating): reason for deal, seating, reason in sorted(rows)}

    def results(self, lineups: Iterable[Lineup], deals: int | None = None) -> Results:
        """Return the games of line-ups that share game and rules; with ``deals``, only those before it."""
        chosen = sorted(lineups, key=lambda lineup: (lineup.agents, lineup.seed))
        agents = sorted({agent for lineup in chosen for agent in lineup.agents})
        combinations = sorted({lineup.agents for lineup in chosen})
        seeds = sorted({lineup.seed for lineup in chosen})
        seats = chosen[0].seats
        parts: dict[str, list[np.ndarray]] = {name: [np.zeros(0, np.int64)] for name in COLUMNS}
        for name in ("players", "returns", "seconds", "decisions"):
            parts[name] = [np.zeros((0, seats), np.float64 if name in ("returns", "seconds") else np.int64)]
        for lineup in chosen:
            turns = [[(seat + seating) % seats for seat in range(seats)] for seating in range(seats)]
            places = np.array([agents.index(agent) for agent in lineup.agents])[turns]
            for block in self.blocks(lineup):
                if deals is not None:
                    block = block.part(block.first, max(block.first, min(block.end, deals)))
                deal = np.repeat(np.arange(block.first, block.end), seats)
                parts["deal"].append(deal * len(seeds) + seeds.index(lineup.seed))
                parts["table"].append(np.full(len(deal), combinations.index(lineup.agents)))
                parts["seating"].append(np.tile(np.arange(seats), block.deals))
                parts["players"].append(np.tile(places, (block.deals, 1)))
                for name in ("returns", "seconds", "decisions", "fault"):
                    parts[name].append(getattr(block, name).astype(parts[name][0].dtype))
        game = registry.load(chosen[0].game)
        columns: dict[str, Any] = {name: np.concatenate(part) for name, part in parts.items()}
        rules = game.changed_rules(chosen[0].rules_object())
        return Results(agents=agents, game=game.name, rules=rules, **columns)

    def records(self, lineup: Lineup) -> Iterator[Record]:
        """Return the games of a line-up with all their moves, in the order of deals and seatings."""
        for block in self.blocks(lineup, records=True):
            yield from _records(lineup, block)

    def find(self, key: str) -> Lineup:
        """Return a line-up by the beginning of its id."""
        found = [lineup for lineup in self.lineups() if lineup.id.startswith(key.strip().lower())]
        if len(found) != 1:
            problem = f"{len(found)} line-ups have" if found else "no line-up has"
            raise InputError(f"{self.path}: {problem} an id that begins with {short(key)}: expected one")
        return found[0]

    def game(self, text: str) -> Record:
        """Return a game by its id; the beginning of the digest is enough if no other line-up shares it."""
        parts = re.fullmatch(r"([0-9a-f]{1,12})-(\d{1,18})-(\d)", text.strip().lower())
        if not parts:
            raise InputError(f"game {short(text)}: expected an id such as 3fa9c1d2b7e4-17-0")
        lineup = self.find(parts[1])
        deal, seating = int(parts[2]), int(parts[3])
        query = (
            "SELECT first, number FROM blocks JOIN lineups ON lineup = number"
            " WHERE id = ? AND first <= ? AND first + deals > ?"
        )
        with self._clearly():
            found = self._database.execute(query, (lineup.id, deal, deal)).fetchone()
            if found is None or seating >= lineup.seats:
                raise InputError(f"{self.path}: {lineup.id} has no deal {deal} in seating {seating}")
            block = unpack(self._packed(found[1], found[0]), lineup.seats)
        return list(_records(lineup, block.part(deal, deal + 1)))[seating]


def _records(lineup: Lineup, block: Block) -> Iterator[Record]:
    offsets = [0, *np.cumsum(block.sizes, dtype=np.int64).tolist()]
    for game in range(len(block.returns)):
        place = (block.first + game // lineup.seats, game % lineup.seats)
        yield Record(
            lineup,
            *place,
            block.returns[game].tolist(),
            block.seconds[game].tolist(),
            block.decisions[game].tolist(),
            int(block.fault[game]),
            block.reasons.get(place, ""),
            read_events(block.record[offsets[game] : offsets[game + 1]]),
        )


def _connect(address: str) -> sqlite3.Connection:
    return sqlite3.connect(address, uri=True, timeout=PATIENCE, isolation_level=None)


def _set_up(database: sqlite3.Connection) -> None:
    database.executescript(
        f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {FORMAT}; BEGIN; {SCHEMA} COMMIT;"
    )


def _make(path: str) -> None:
    """Make an empty results file, which appears whole or not at all."""
    folder = Path(path).absolute().parent
    handle, draft = tempfile.mkstemp(dir=folder, prefix=".draft-", suffix=".db")
    os.close(handle)
    try:
        with contextlib.closing(_connect(Path(draft).as_uri())) as database:
            _set_up(database)
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(draft, 0o666 & ~umask)
        with contextlib.suppress(FileExistsError):  # another process was faster
            os.link(draft, path)
    finally:
        os.unlink(draft)


def _identify(path: str) -> None:
    """Refuse a file that is not ours. SQLite is not asked, as it could change the file."""
    expected = "expected a results file of kibitz tournament"
    if not os.path.isfile(path):
        raise InputError(f"{path}: no such file; {expected}")
    with open(path, "rb") as file:
        header = file.read(100)
    if not header.startswith(b"SQLite format 3\0") or len(header) < 100:
        raise InputError(f"{path}: not a database; {expected}")
    if int.from_bytes(header[68:72]) != APPLICATION:
        raise InputError(f"{path}: a database of another program; {expected}")
    version = int.from_bytes(header[60:64])
    if version != FORMAT:
        raise InputError(
            f"{path}: a results file of format {version}; this version of kibitz reads format {FORMAT}"
        )
