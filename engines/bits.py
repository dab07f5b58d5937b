"""Bit operations on masks of at most 63 bits, the same in Python and in compiled code.

Numba has no ``bit_count`` or ``bit_length``; each function here has a Python body for plain runs and a
one-instruction body for compiled ones.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, overload

from engines.compiled import OPTIONS, helper


def popcount(mask: int) -> int:
    """Return how many bits are set."""
    return int(mask).bit_count()


def lowest(mask: int) -> int:
    """Return the number of the lowest set bit; the mask must not be empty."""
    return (int(mask) & -int(mask)).bit_length() - 1


@intrinsic
def _ctpop(typingctx: Any, mask: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), build


@intrinsic
def _cttz(typingctx: Any, mask: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), build


@overload(popcount, jit_options=OPTIONS, strict=False)
def _popcount_compiled(mask: Any) -> Callable:
    def popcount_compiled(mask: int) -> int:
        return _ctpop(mask)

    return popcount_compiled


@overload(lowest, jit_options=OPTIONS, strict=False)
def _lowest_compiled(mask: Any) -> Callable:
    def lowest_compiled(mask: int) -> int:
        return _cttz(mask)

    return lowest_compiled


@helper
def nth_bit(mask: int, n: int) -> int:
    """Return the number of the n-th set bit, counted from 0 at the low end; there must be more than n."""
    base = 0
    width = 32
    while width:  # halve the window: skip the low half while it holds too few bits
        low = mask & ((1 << width) - 1)
        count = popcount(low)
        if n >= count:
            n -= count
            mask >>= width
            base += width
        else:
            mask = low
        width >>= 1
    return base
