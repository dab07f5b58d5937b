"""A table of states that a search has met: open-addressed, of fixed size, the same in Python and compiled.

The key of a state is the exclusive or of one scrambled number for each of its words, so the key of a child
follows from its parent's and the few words that changed. A table belongs to one search at a time: entries
carry the number of the search (``epoch``), and those of another count as empty, so that old ones neither
have to be cleared nor can change an answer.
"""

from typing import Any

import numpy as np

from engines.compiled import helper
from engines.contract import NONE
from engines.random import scramble

ENTRY = np.dtype(
    (
        np.record,
        [
            ("key", "i8"),  # all 63 bits of the state's key; the lowest are also its place
            ("epoch", "i8"),  # the search that wrote it
            ("left", "i8"),  # the remaining depth that it was searched to
            ("status", "i8"),  # how sure the value is; see solvers.expectimax
            ("best", "i8"),  # the best move found, or NONE
        ],
    )
)
BUCKET = 4  # places that a state may lie in


def new_table(entries: int) -> np.ndarray:
    """Make a table with room for so many entries, or some more: the size is a power of two, or nought."""
    return np.zeros(1 << (entries - 1).bit_length() if entries else 0, ENTRY)


def new_salts(words: int) -> np.ndarray:
    """Make the numbers by which equal words in different places of a state are told apart."""
    return np.array([scramble(place + 1) for place in range(words)], np.int64)


@helper
def state_key(words: np.ndarray, salts: np.ndarray) -> int:
    """Return the key of a state, given as words."""
    key = 0
    for place in range(len(words)):
        key ^= scramble(words[place] ^ salts[place])
    return key


@helper
def child_key(key: int, words: np.ndarray, child: np.ndarray, salts: np.ndarray) -> int:
    """Return the key of a state whose parent's key and words are known."""
    for place in range(len(words)):
        if child[place] != words[place]:
            key ^= scramble(words[place] ^ salts[place]) ^ scramble(child[place] ^ salts[place])
    return key


@helper
def look_up(table: Any, key: int, epoch: int) -> int:
    """Return the place of a state's entry, or NONE."""
    for step in range(BUCKET):
        place = ((key & (len(table) - 1)) + step) & (len(table) - 1)
        if table[place].key == key and table[place].epoch == epoch:
            return place
    return NONE


@helper
def make_room(table: Any, key: int, epoch: int) -> int:
    """Return the place where a state's entry is to be written.

    That is its own, else an empty one, else that of the state with the least depth below it.
    """
    worst = NONE
    for step in range(BUCKET):
        place = ((key & (len(table) - 1)) + step) & (len(table) - 1)
        if table[place].epoch != epoch:
            return place
        if table[place].key == key:
            return place
        if worst == NONE or table[place].left < table[worst].left:
            worst = place
    return worst
