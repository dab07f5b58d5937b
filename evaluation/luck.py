"""Luck that belongs to a seat, so that agents that swap seats meet the same.

Each seat has a clock for every possible outcome, and the outcome whose clock rings first happens. A clock
keeps its time while its outcome stays possible with the same weight, and is set anew otherwise; as clocks are
exponential and have no memory, each event has exactly the probabilities of the rules. Two games of one deal
thus give a seat the same cards in the same order, as far as those cards can still come, even after the
play has parted.
"""

import math
from typing import Any

import numpy as np

from engines.compiled import helper
from engines.contract import OUTCOMES, luck, outcomes
from engines.random import scramble

STREAMS = 7  # six seats and nobody

LUCK = np.dtype(
    (
        np.record,
        [
            ("seed", "i8"),
            ("events", "i8", (STREAMS,)),  # chance events of each stream so far
            ("now", "f8", (STREAMS,)),  # when its last clock rang
            ("rings", "f8", (STREAMS, OUTCOMES)),  # when each clock will ring
            ("weight", "i8", (STREAMS, OUTCOMES)),  # the weight each clock was set for
            ("last", "i8", (STREAMS, OUTCOMES)),  # the last event in which its outcome was possible
            ("sets", "i8", (STREAMS, OUTCOMES)),  # how often it was set
        ],
    )
)


@helper
def new_luck(clocks: Any, seed: int, deal: int) -> None:
    """Set all clocks to the beginning of a deal."""
    clocks.seed = scramble(scramble(seed) ^ int(deal))
    for stream in range(STREAMS):
        clocks.events[stream] = 0
        clocks.now[stream] = 0.0
        for code in range(OUTCOMES):
            clocks.weight[stream, code] = 0
            clocks.last[stream, code] = 0
            clocks.sets[stream, code] = 0


@helper
def lucky(rules: Any, s: Any, clocks: Any, codes: np.ndarray, weights: np.ndarray) -> int:
    """Resolve a chance event by the clocks of the seat whose luck it is."""
    count = outcomes(rules, s, codes, weights)
    if count == 1:
        return codes[0]
    stream = luck(rules, s)
    clocks.events[stream] += 1
    event = clocks.events[stream]
    first = 0
    for i in range(count):
        code = codes[i]
        if clocks.weight[stream, code] != weights[i] or clocks.last[stream, code] != event - 1:
            clocks.sets[stream, code] += 1
            word = (clocks.sets[stream, code] * STREAMS + stream) * OUTCOMES + code
            chance = (scramble(clocks.seed ^ scramble(word)) + 0.5) / 2.0**63
            clocks.rings[stream, code] = clocks.now[stream] - math.log(chance) / weights[i]
            clocks.weight[stream, code] = weights[i]
        clocks.last[stream, code] = event
        if clocks.rings[stream, code] < clocks.rings[stream, codes[first]]:
            first = i
    clocks.now[stream] = clocks.rings[stream, codes[first]]
    clocks.weight[stream, codes[first]] = 0  # it rang: set it anew if the outcome stays possible
    return codes[first]
