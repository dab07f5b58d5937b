"""Blocks of games: some deals of one line-up, each in every seating, as arrays and packed for a file."""

import zlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engines.errors import InputError

SHARED = -2  # in ``fault``: the game broke down and it is not known by whose fault
NO_FAULT = -1
# How each array is kept, in this order: its type, and numbers a game (0: one for each seat).
LAYOUT = (
    ("returns", "<f8", 0),
    ("seconds", "<f4", 0),
    ("decisions", "<u4", 0),
    ("fault", "<i1", 1),
    ("sizes", "<u4", 1),
)


@dataclass
class Block:
    """Deals ``first``, ``first + 1`` … of a line-up, in every seating: a row for each game."""

    first: int
    returns: np.ndarray  # (games, seats)
    seconds: np.ndarray  # (games, seats)
    decisions: np.ndarray  # (games, seats)
    fault: np.ndarray  # (games) the seat that lost by a fault, ``SHARED`` or ``NO_FAULT``
    sizes: np.ndarray  # (games) bytes of each game in the record
    record: bytes  # moves and chance outcomes of all games
    reasons: dict[tuple[int, int], str] = field(default_factory=dict)  # by deal and seating: the fault

    @property
    def seats(self) -> int:
        """The number of seats, and of seatings."""
        return self.returns.shape[1]

    @property
    def deals(self) -> int:
        """The number of deals."""
        return len(self.returns) // self.seats

    @property
    def end(self) -> int:
        """The first deal after these."""
        return self.first + self.deals

    def part(self, first: int, end: int) -> "Block":
        """Return some of the deals."""
        rows = slice((first - self.first) * self.seats, (end - self.first) * self.seats)
        offsets = np.concatenate([[0], np.cumsum(self.sizes, dtype=np.int64)])
        arrays: dict[str, Any] = {name: getattr(self, name)[rows] for name, _, _ in LAYOUT}
        record = self.record[offsets[rows.start] : offsets[rows.stop]]
        reasons = {game: reason for game, reason in self.reasons.items() if first <= game[0] < end}
        return Block(first=first, record=record, reasons=reasons, **arrays)


def joined(blocks: list[Block]) -> Block:
    """Return blocks that follow each other as one."""
    arrays: dict[str, Any] = {
        name: np.concatenate([getattr(block, name) for block in blocks]) for name, _, _ in LAYOUT
    }
    reasons = {game: reason for block in blocks for game, reason in block.reasons.items()}
    record = b"".join(block.record for block in blocks)
    return Block(first=blocks[0].first, record=record, reasons=reasons, **arrays)


def united(one: Block, other: Block) -> Block:
    """Return the deals of two blocks that overlap or touch; of what is in both, always the same is kept.

    Agents that watch the clock do not play twice alike. Which of two games is kept may then not depend on
    which was there first, so it is the one that is smaller, byte by byte.
    """
    parts = []
    for deal in range(min(one.first, other.first), max(one.end, other.end)):
        found = [block.part(deal, deal + 1) for block in (one, other) if block.first <= deal < block.end]
        parts.append(min(found, key=_bytes))
    return joined(parts)


def _bytes(block: Block) -> tuple[bytes, ...]:
    order = ("returns", "decisions", "fault", "seconds")
    return (block.record, *(getattr(block, name).tobytes() for name in order))


def given_up(first: int, deals: int, seats: int, culprit: int | None, reason: str) -> Block:
    """Return deals that could not be played.

    The culprit, by its place in the line-up, loses them; if nobody can be blamed, all have the same share.
    """
    games = deals * seats
    returns = np.full((games, seats), 1 / seats)
    fault = np.full(games, SHARED)
    if culprit is not None:
        fault = (culprit - np.arange(games) % seats) % seats
        returns = np.full((games, seats), 1 / (seats - 1))
        returns[np.arange(games), fault] = 0
    return Block(
        first,
        returns,
        np.zeros((games, seats)),
        np.zeros((games, seats), np.int64),
        fault,
        np.zeros(games, np.int64),
        b"",
        {(first + deal, seating): reason for deal in range(deals) for seating in range(seats)},
    )


@dataclass(frozen=True)
class Packed:
    """A block as it travels and is stored."""

    first: int
    deals: int
    results: bytes
    record: bytes
    reasons: dict[tuple[int, int], str]


def pack(block: Block) -> Packed:
    """Pack a block; the least compression costs a few per cent of the quickest games' time."""
    arrays = b"".join(getattr(block, name).astype(kind).tobytes() for name, kind, _ in LAYOUT)
    record = zlib.compress(block.record, 1)
    return Packed(block.first, block.deals, zlib.compress(arrays, 1), record, block.reasons)


def unpack(packed: Packed, seats: int, records: bool = True) -> Block:
    """Unpack a block, without the moves if they are not wanted."""
    games = packed.deals * seats
    try:
        data = zlib.decompress(packed.results)
        record = zlib.decompress(packed.record) if records else b""
    except zlib.error:
        raise InputError(f"the block of deal {packed.first} is damaged") from None
    arrays: dict[str, Any] = {}
    at = 0
    for name, kind, per_game in LAYOUT:
        count = games * (per_game or seats)
        size = count * np.dtype(kind).itemsize
        if at + size > len(data):
            raise InputError(f"the block of deal {packed.first} is damaged: it is too short")
        array = np.frombuffer(data, kind, count, at)
        arrays[name] = array if per_game else array.reshape(games, seats)
        at += size
    return Block(first=packed.first, record=record, reasons=packed.reasons, **arrays)
