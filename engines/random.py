"""Random numbers that are passed in, cheap to seed, and the same in Python and in compiled code.

A stream is an ``int64`` array of one element. It is counter based (SplitMix64's finaliser over a Weyl
sequence), so a compiled loop over a million games can give each game a stream of its own for a few
nanoseconds; making a ``numpy.random.Generator`` costs as much as a whole fast game.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba.extending import overload

from engines.compiled import OPTIONS, helper

# Signed overflow is undefined in compiled code: a counter of 62 bits and a step of 61 never overflow.
LOW_62 = (1 << 62) - 1
LOW_63 = (1 << 63) - 1
LOW_64 = (1 << 64) - 1
STEP = 0x1E3779B97F4A7C15  # odd, so that the counter visits every state


def scramble(word: int) -> int:
    """Return 63 well-mixed bits of a whole number."""
    word = int(word) & LOW_64
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & LOW_64
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & LOW_64
    return (word ^ (word >> 31)) >> 1


@overload(scramble, jit_options=OPTIONS, strict=False)
def _scramble_compiled(word: Any) -> Callable:
    def scramble_compiled(word: int) -> int:
        z = np.uint64(word)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return int((z ^ (z >> np.uint64(31))) >> np.uint64(1))

    return scramble_compiled


@helper
def reseed(rng: np.ndarray, seed: int, stream: int) -> None:
    """Set a stream to the beginning that belongs to a seed and a number."""
    rng[0] = scramble(scramble(seed) ^ int(stream)) & LOW_62


@helper
def uniform(rng: np.ndarray) -> float:
    """Return the next number of a stream, in [0, 1)."""
    rng[0] = (int(rng[0]) + STEP) & LOW_62
    return (scramble(rng[0]) >> 10) * 2.0**-53


@helper
def below(rng: np.ndarray, n: int) -> int:
    """Return a whole number from 0 to n - 1, all equally likely."""
    return int(uniform(rng) * n)


def stream(seed: int, number: int = 0) -> np.ndarray:
    """Make a stream of random numbers; another number gives an independent one."""
    rng = np.zeros(1, np.int64)
    reseed(rng, seed & LOW_63, number)
    return rng
