"""Arrangements of a Dukes Up! table for people: one, or the one that moves the fewest cards.

The graph of open runs is walked with the cards named and every meld tied to the group it grows from, its
*home*: a card that is in its meld's home need not move. Each group is home to at most one meld. Walks that
the automaton knows to be dead ends are dropped; of those that stand at the same place the cheapest is kept.
The walk is repeated with one more move allowed each time, so easy answers come at once; when the effort is
spent, a narrow walk gives a correct arrangement, and it says that fewer moves may be possible.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from engines.cards import ACE, KING, TWO, cards_in
from solvers.melds.dukes_automaton import ENDS, MOVES, STATE_OF, feasible, read
from solvers.melds.dukes_graph import LONG

EFFORT = 15_000
"""Steps of the search for the fewest moves, under a second of Python; docs/melds.md has measured times."""

NARROW = 10  # walks kept at each rank when the effort is spent
NEW = -1  # the home of a meld that starts a group of its own
CARD, MELD = 64, 1  # what moving a card and having one more meld cost: moves first, then fewer melds

Meld = tuple[int, ...]


class Run(NamedTuple):
    """A meld in the making: its cards so far, lowest first, and its home."""

    cards: Meld
    home: int

    def length(self) -> int:
        """Return what matters of an open run's length; negative if it began with an ace (D3)."""
        length = min(len(self.cards), LONG)
        return length if self.cards[0] >> 2 != ACE else -length


class Walk(NamedTuple):
    """A way to lay the ranks so far."""

    cost: int
    high: int  # the aces kept for the far end, as suits
    used: frozenset[int]  # the homes taken
    runs: tuple[Run, ...] = ()
    done: tuple[Run, ...] = ()  # the melds that are complete


class Arrangement(NamedTuple):
    """Melds with the number of the group each grows from (or ``NEW``), and how many cards move."""

    melds: list[Meld]
    homes: list[int]
    moves: int
    proven: bool
    """No arrangement moves fewer cards; if false, the effort ran out before that was known."""


def arrange(table: int, groups: Sequence[Iterable[int]] = (), effort: int = EFFORT) -> Arrangement | None:
    """Return the arrangement of the table that moves the fewest cards from the groups, or None.

    Cards of the table that are in no group count as moved wherever they go.
    """
    if not feasible(table):
        return None
    search = _Search(table, groups)
    size = table.bit_count()
    if not groups:
        return search.narrow(width=1)
    search.effort = effort
    for allowed in range(size - len(search.home_of), size + 1):
        found = search.walk(allowed)
        if found:
            return found
        if search.steps > effort:
            break
    return search.narrow(NARROW)._replace(proven=False)


class _Search:
    """One table, its groups, and the steps taken so far."""

    def __init__(self, table: int, groups: Sequence[Iterable[int]]) -> None:
        self.table = table
        self.home_of = {card: number for number, group in enumerate(groups) for card in group}
        # The last rank at which a group matters. Aces may wait for the far end.
        self.last = {
            home: max(card >> 2 or KING + 1 for card in self.home_of if self.home_of[card] == home)
            for home in self.home_of.values()
        }
        self.steps = 0
        self.effort: int | None = None
        self.limit = 0

    def walk(self, moves: int, width: int | None = None) -> Arrangement | None:
        """Return the best arrangement of at most so many moves, or None; ``width`` bounds the walks kept."""
        self.limit = CARD * (moves + 1)
        aces = self.table & 15
        walks = [Walk(0, high, frozenset()) for high in range(16) if high & ~aces == 0]
        for rank in range(ACE, KING + 2):
            best: dict[tuple, Walk] = {}
            for walk in walks:
                for after in self.lay(walk, rank):
                    self.steps += 1
                    live = tuple(sorted(home for home in after.used if self.last[home] > rank))
                    runs = tuple(sorted((run.cards[0] & 1, run.length(), run.home) for run in after.runs))
                    place = (runs, live, after.high)
                    if place not in best or after.cost < best[place].cost:
                        best[place] = after
                if self.effort is not None and self.steps > self.effort:
                    return None
            walks = [walk for walk in best.values() if self.alive(walk, rank)]
            if width is not None:
                walks = sorted(walks, key=lambda walk: walk.cost)[:width]
        if not walks:
            return None
        end = min(walks, key=lambda walk: walk.cost)
        melds = sorted(end.done + end.runs, key=lambda run: (run.home == NEW, run.home, run.cards))
        return Arrangement(
            [run.cards for run in melds], [run.home for run in melds], end.cost // CARD, proven=True
        )

    def narrow(self, width: int) -> Arrangement:
        """Return a good arrangement from few walks; the table must be valid.

        The automaton takes a run from ace to ace for a good one, so all of the few may come to nothing (D3).
        """
        self.effort = None
        while True:
            found = self.walk(self.table.bit_count(), width)
            if found:
                return found
            width *= 4

    def alive(self, walk: Walk, rank: int) -> bool:
        """Say whether the open runs can be completed with the ranks to come."""
        if rank > KING:
            return all(len(run.cards) >= LONG for run in walk.runs)
        lengths = sorted(abs(run.length()) + 8 * (run.cards[0] & 1) for run in walk.runs)
        node = tuple(n for n in lengths if n < 8), tuple(n - 8 for n in lengths if n >= 8)
        return bool(ENDS[MOVES[16 * read(STATE_OF[node], self.table, max(rank + 1, TWO)) + walk.high]])

    def lay(self, walk: Walk, rank: int) -> Iterator[Walk]:
        """Yield every way to lay the cards of a rank: a set or none, the others on runs."""
        if rank == ACE:
            suits = self.table & 15 & ~walk.high
        else:
            suits = walk.high if rank > KING else self.table >> (4 * rank) & 15
        cards = tuple(4 * (rank % 13) + suit for suit in cards_in(suits))
        cost, high, used, runs, done = walk
        yield from self.lay_runs(Walk(cost, high, used, (), done), runs, cards, rank)
        for size in (3, 4) if rank > ACE else ():
            for chosen in combinations(cards, size):
                rest = tuple(card for card in cards if card not in chosen)
                for home in ({self.home_of.get(card, NEW) for card in chosen} - used) | {NEW}:
                    moved = sum(self.moves(card, home) for card in chosen)
                    meld = Run(chosen, home)
                    after = Walk(cost + CARD * moved + MELD, high, used | ({home} - {NEW}), (), (*done, meld))
                    if after.cost < self.limit:
                        yield from self.lay_runs(after, runs, rest, rank)

    def lay_runs(self, walk: Walk, waiting: tuple[Run, ...], cards: Meld, rank: int) -> Iterator[Walk]:
        """Yield every way to lay cards of one rank on the runs that wait for one, or as new runs."""
        if not cards:
            if all(len(run.cards) >= LONG for run in waiting):
                yield walk._replace(done=walk.done + waiting)
            return
        card, rest = cards[0], cards[1:]
        for place, run in enumerate(waiting):
            if (run.cards[0] ^ card) & 1 or (rank > KING and run.cards[0] >> 2 == ACE):
                continue  # the other family, or a second ace (D3)
            still = waiting[:place] + waiting[place + 1 :]
            for after in self.extend(walk, run, card):
                yield from self.lay_runs(after, still, rest, rank)
        for after in self.extend(walk, Run((), NEW), card):
            yield from self.lay_runs(after, waiting, rest, rank)

    def extend(self, walk: Walk, run: Run, card: int) -> Iterator[Walk]:
        """Yield the walk with a card on a run; a run without a home may make the card's group its home."""
        own = self.home_of.get(card, NEW)
        homes = [run.home]
        if run.home == NEW and own != NEW and own not in walk.used:
            homes.append(own)
        for home in homes:
            cost = walk.cost + CARD * self.moves(card, home) + (0 if run.cards else MELD)
            if cost < self.limit:
                used = walk.used if home == run.home else walk.used | {home}
                yield Walk(cost, walk.high, used, (*walk.runs, Run((*run.cards, card), home)), walk.done)

    def moves(self, card: int, home: int) -> bool:
        """Say whether a card of a meld with this home has to be moved there."""
        return home == NEW or self.home_of.get(card, NEW) != home
