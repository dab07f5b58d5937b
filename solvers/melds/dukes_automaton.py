"""The graph of open runs as a finite automaton: is a Dukes Up! table valid, in a few look-ups.

The graph's nodes do not depend on the rank, so a table is a word over the nine ways a rank can show (0–2
flowers, 0–2 thorns). The subset construction and minimisation turn the graph into an automaton of at most 256
states: one byte each. Everything here is plain Python on ``bytes`` and starts in milliseconds; the
compiled twin is ``dukes_kernel``.

Signs are dropped: a run from ace to ace is none (D3), but its fourteen cards make two runs, so it does not
matter to validity.
"""

from functools import cache
from itertools import combinations_with_replacement

from engines.cards import ACE, KING, TWO
from solvers.melds.dukes_graph import FLOWERS, LONG, THORNS, Node, Runs, complete, steps

FAMILY_RUNS: list[Runs] = [
    runs for size in range(3) for runs in combinations_with_replacement(range(1, LONG + 1), size)
]
NODES: list[Node] = [(flowers, thorns) for flowers in FAMILY_RUNS for thorns in FAMILY_RUNS]
SYMBOLS = [(flowers, thorns) for flowers in range(3) for thorns in range(3)]


def _symbol(suits: int) -> int:
    return 3 * (suits & FLOWERS).bit_count() + (suits & THORNS).bit_count()


def determinise() -> tuple[list[list[int]], list[bool]]:
    """Return the automaton of node sets: its transitions by symbol, and which states accept.

    A state is a set of nodes, as bits. It begins with each node alone, in the order of ``NODES``, so that a
    search can ask whether the node it has reached can still be completed.
    """
    place = {node: 1 << bit for bit, node in enumerate(NODES)}
    after = [[sum(place[n] for n in steps(node, *symbol)) for symbol in SYMBOLS] for node in NODES]
    accepting = sum(place[node] for node in NODES if complete(node))
    number = {mask: state for state, mask in enumerate(place.values())}
    sets, moves = list(number), []
    for mask in sets:  # grows while it is walked
        row = [0] * len(SYMBOLS)
        while mask:
            low = mask & -mask
            mask ^= low
            for symbol, reached in enumerate(after[low.bit_length() - 1]):
                row[symbol] |= reached
        for reached in row:
            if reached not in number:
                number[reached] = len(sets)
                sets.append(reached)
        moves.append([number[reached] for reached in row])
    return moves, [bool(mask & accepting) for mask in sets]


def minimise(moves: list[list[int]], accepting: list[bool]) -> list[int]:
    """Return the class of each state: two states share one if no word tells them apart (Moore)."""
    classes = [int(accepts) for accepts in accepting]
    number = 0
    while number < (number := len(set(classes))):
        seen: dict[tuple[int, ...], int] = {}
        classes = [
            seen.setdefault((classes[state], *(classes[after] for after in row)), len(seen))
            for state, row in enumerate(moves)
        ]
    return classes


def _build() -> tuple[bytes, bytes, dict[Node, int]]:
    moves, accepting = determinise()
    classes = minimise(moves, accepting)
    size = max(classes) + 1
    assert size <= 256
    table, ends = bytearray(16 * size), bytearray(size)
    for state, row in enumerate(moves):
        ends[classes[state]] = accepting[state]
        for suits in range(16):
            table[16 * classes[state] + suits] = classes[row[_symbol(suits)]]
    return bytes(table), bytes(ends), dict(zip(NODES, classes, strict=False))


MOVES, ENDS, STATE_OF = _build()
"""``MOVES[16 * state + suits]`` is the state after a rank whose cards are ``suits``; ``ENDS[state]`` says
whether a table may end there; ``STATE_OF[node]`` is where a walk that stands at one node of the graph is."""

STATES = len(ENDS)


@cache
def low_choices(aces: int) -> tuple[int, ...]:
    """Return the ways to put aces at the low end, one for each number of flowers and thorns."""
    by_symbol = {_symbol(low): low for low in range(15, -1, -1) if low & ~aces == 0}
    return tuple(sorted(by_symbol.values()))


def low_state(low: int) -> int:
    """Return the state after these aces at the low end: each begins a run."""
    return STATE_OF[(1,) * (low & FLOWERS).bit_count(), (1,) * (low & THORNS).bit_count()]


LOW_STATES = bytes(low_state(low) for low in range(16))


def read(state: int, cards: int, rank: int, last: int = KING) -> int:
    """Return the state after the ranks from ``rank`` to ``last``."""
    cards >>= 4 * rank
    for _ in range(rank, last + 1):
        state = MOVES[16 * state + (cards & 15)]
        cards >>= 4
    return state


def feasible(table: int) -> bool:
    """Say whether the cards of a mask can be partitioned into sets and runs (D4); no cards can.

    >>> from engines.cards import mask_of, parse_cards
    >>> feasible(mask_of(parse_cards("9C TC JH QC 6S 6H 6D"))), feasible(mask_of(parse_cards("KC AC 2C")))
    (True, False)
    """
    aces = table & 15
    return any(
        ENDS[MOVES[16 * read(LOW_STATES[low], table, TWO) + (aces ^ low)]] for low in low_choices(aces)
    )


def largest_part(table: int, must: int = 0) -> int | None:
    """Return a largest valid part of the table that holds all of ``must``, or None if there is none.

    The automaton is walked with, at each state, the largest part that leads there; fewer aces low and
    lower cards out are preferred, so the answer is always the same.
    """
    best: int | None = None
    aces = table & 15
    for low in range(16):
        if low & ~aces:
            continue
        reached = {LOW_STATES[low]: low}
        for rank in [*range(TWO, KING + 1), ACE]:
            suits = aces & ~low if rank == ACE else table >> (4 * rank) & 15
            needed = must >> (4 * rank) & suits
            following: dict[int, int] = {}
            for state, part in reached.items():
                for kept in range(16):
                    if kept & ~suits or needed & ~kept:
                        continue
                    after = MOVES[16 * state + kept]
                    whole = part | kept << (4 * rank)
                    known = following.get(after)
                    if known is None or whole.bit_count() > known.bit_count():
                        following[after] = whole
            reached = following
        for state, part in reached.items():
            if ENDS[state] and (best is None or part.bit_count() > best.bit_count()):
                best = part
    return best
