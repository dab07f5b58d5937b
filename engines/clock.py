"""A clock that compiled code can read: search stops by it, and matches measure thinking time with it."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numba.core import types
from numba.extending import overload

from engines.compiled import OPTIONS

# The C library's; a timespec is two 64-bit numbers on every 64-bit system that has the function.
_clock_gettime: Any = types.ExternalFunction("clock_gettime", types.int32(types.int32, types.intp))
_MONOTONIC = getattr(time, "CLOCK_MONOTONIC", 1)


def seconds() -> float:
    """Return the time in seconds since some moment in the past; it never goes back."""
    return time.monotonic()


@overload(seconds, jit_options=OPTIONS, strict=False)
def _seconds_compiled() -> Callable:
    def seconds_compiled() -> float:
        now = np.empty(2, np.int64)
        _clock_gettime(_MONOTONIC, now.ctypes.data)
        return now[0] + now[1] * 1e-9

    return seconds_compiled
