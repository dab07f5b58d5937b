"""Whole turns of Dukes Up! against a second implementation, written straight from the rulings.

The enumerator knows single actions (play a card, take a duke, pick one up, put one down …) in any order (D9)
and collects every way a turn can end. The engine, asked decision by decision, must reach the same results,
each of them once. Chance is settled in advance: of the cards that can come, the first in a given order does.
"""

from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, count, permutations, product

import numpy as np
import pytest

from engines import contract
from engines.contract import CHANCE, NONE, OVER
from engines.dukes import GAME
from engines.dukes import rules as d
from engines.random import below, stream, uniform

BLACK, RED = (frozenset(c for c in range(52) if c & 3 in suits) for suits in ((0, 3), (1, 2)))
OWN = (BLACK, RED)


# ---- melds, by trying (D2-D4)


@cache
def valid(table):
    """Whether cards can be parted into melds, with any number of the aces above the kings (D3).

    The two suits of a family do the same, so a table is the numbers of flowers and thorns of each rank.
    """
    counts = [[0, 0] for _ in range(14)]
    for card in table:
        counts[card >> 2][card & 1] += 1
    flowers, thorns = counts[0]
    for high in product(range(flowers + 1), range(thorns + 1)):
        low = (flowers - high[0], thorns - high[1])
        if melds((low, *map(tuple, counts[1:13]), high)) or (sum(high) == 0 and melds_of_aces(counts)):
            return True
    return False


def melds_of_aces(counts):
    """Whether the table is valid with a set of aces, which may leave one at either end."""
    for taken in ((1, 2), (2, 1), (2, 2)):
        left = [counts[0][0] - taken[0], counts[0][1] - taken[1]]
        if min(left) >= 0:
            for low in ((0, 0), tuple(left)):
                high = (left[0] - low[0], left[1] - low[1])
                if melds((low, *map(tuple, counts[1:13]), high)):
                    return True
    return False


@cache
def melds(counts):
    """Whether cards can be parted: the lowest one is in a set, or in a run of 3 to 5; longer runs are two."""
    rank = next((rank for rank, pair in enumerate(counts) if any(pair)), None)
    if rank is None:
        return True
    family = 0 if counts[rank][0] else 1
    for pair in ((1, 2), (2, 1), (2, 2)):
        if 0 < rank < 13 and pair[0] <= counts[rank][0] and pair[1] <= counts[rank][1]:
            left = (counts[rank][0] - pair[0], counts[rank][1] - pair[1])
            if melds((*counts[:rank], left, *counts[rank + 1 :])):
                return True
    for length in (3, 4, 5):
        if rank + length <= 14 and all(pair[family] for pair in counts[rank : rank + length]):
            after = list(counts)
            for place in range(rank, rank + length):
                left = list(after[place])
                left[family] -= 1
                after[place] = tuple(left)
            if melds(tuple(after)):
                return True
    return False


# ---- turns, by the rulings


@dataclass(frozen=True)
class Turn:
    """The cards in the middle of a turn."""

    table: frozenset
    hand: frozenset
    mine: frozenset  # own dukes
    theirs: frozenset  # the opponent's dukes
    my_fief: int | None
    their_fief: int | None  # None if it cannot be taken
    emptied: int = 0  # slots emptied this turn and not yet refilled
    picked: frozenset = frozenset()
    acted: bool = False
    protected: bool = False


@dataclass(frozen=True)
class Piles:
    """The draw pile's size, the discard pile from the bottom (None: burnt), and the cards unseen in both."""

    pile: int
    heap: tuple
    unseen: frozenset
    draws: tuple = ()  # where each card came from


def first(cards, order):
    return min(cards, key=order.index)


def draws(rules, piles, hand, order):
    """Yield every way to draw (D7, D8)."""
    yield piles, hand
    if len(hand) >= rules.hand_limit or len(piles.draws) == rules.draw_limit:
        return
    if "heap" not in piles.draws and (piles.pile or piles.heap):
        after = piles
        if not piles.pile:
            known = frozenset(piles.heap) - {None}
            after = replace(piles, pile=len(piles.heap), heap=(), unseen=piles.unseen | known)
        card = first(after.unseen, order)
        after = replace(
            after, pile=after.pile - 1, unseen=after.unseen - {card}, draws=(*after.draws, "pile")
        )
        yield from draws(rules, after, hand | {card}, order)
    if "pile" not in piles.draws and piles.heap:
        card = piles.heap[-1]
        after = replace(piles, heap=piles.heap[:-1], draws=(*piles.draws, "heap"))
        if card is None:
            card = first(piles.unseen, order)
            after = replace(after, unseen=piles.unseen - {card})
        yield from draws(rules, after, hand | {card}, order)


def actions(turn, first_turn, face_up, assault):
    """Yield the state after each single action (D10-D16); the own FIEF is of use in an assault only."""
    t = replace(turn, acted=True)
    for card in turn.hand:
        rest = turn.hand - {card}
        yield replace(t, hand=rest, table=turn.table | {card})
        if turn.emptied:
            yield replace(t, hand=rest, mine=turn.mine | {card}, emptied=turn.emptied - 1)
        if face_up and turn.my_fief is not None and not turn.mine and not turn.protected:
            yield replace(t, hand=rest, mine=turn.mine | {card}, protected=True)
    for card in turn.theirs:
        yield replace(t, theirs=turn.theirs - {card}, table=turn.table | {card})
    for card in turn.mine:
        yield replace(
            t,
            mine=turn.mine - {card},
            hand=turn.hand | {card},
            emptied=turn.emptied + 1,
            picked=turn.picked | {card} if first_turn else turn.picked,
        )
    if turn.their_fief is not None and not turn.theirs:
        yield replace(t, their_fief=None, table=turn.table | {turn.their_fief})
    if assault and turn.my_fief is not None:
        yield replace(t, my_fief=None, table=turn.table | {turn.my_fief})


def endings(begin, first_turn, face_up):
    """Return every state that may stand before the discard, and whether the opponent's FIEF was taken."""
    seen, todo, found = {begin}, [begin], []
    while todo:
        turn = todo.pop()
        took = begin.their_fief is not None and turn.their_fief is None
        proper = took or turn.my_fief is not None  # D16
        few = len(turn.mine) <= max(len(begin.mine), 1 if not begin.mine else 0)  # D14
        if proper and few and (not first_turn or turn.picked <= turn.table) and valid(turn.table):
            found.append((turn, took))
        for after in actions(turn, first_turn, face_up, begin.their_fief is not None):
            if after not in seen:
                seen.add(after)
                todo.append(after)
    return found


def results(rules, state, order):
    """Return all results of the turn that is about to be drawn for."""
    s = state[0]
    seat = int(s.player)
    foe = 1 - seat
    cards = lambda mask: frozenset(c for c in range(52) if int(mask) >> c & 1)  # noqa: E731
    heap = (None,) * int(s.burnt[seat]) + tuple(int(c) for c in s.heap[seat] if c != NONE)
    piles = Piles(int(s.pile[seat]), heap, cards(s.unseen[seat]))
    their_fief = int(s.fief[foe]) if s.up[foe] else None
    found = set()
    for drawn, hand in draws(rules, piles, cards(s.hand[seat]), order):
        begin = Turn(
            cards(s.table),
            hand,
            cards(s.dukes[seat]),
            cards(s.dukes[foe]),
            int(s.fief[seat]),
            their_fief,
        )
        if not drawn.pile and not drawn.heap:  # D22
            for size in range(len(hand) + 1):
                for part in map(frozenset, combinations(hand, size)):
                    if valid(begin.table | part):
                        end = replace(begin, table=begin.table | part, hand=hand - part)
                        found.add(result(end, drawn, "over"))
            continue
        for turn, took in endings(begin, s.turn == 1, bool(s.up[seat])):
            if took:
                found.add(result(turn, drawn, "taken"))
                continue
            for card in turn.hand:  # D18
                found.add(result(turn, drawn, "one", turn.hand - {card}, (*drawn.heap, card)))
            if not turn.acted:  # D19
                for pair in permutations(turn.hand, 2):
                    found.add(result(turn, drawn, "two", turn.hand - set(pair), (*drawn.heap, *pair)))
            burning = drawn  # D20
            if not drawn.pile:
                known = frozenset(drawn.heap) - {None}
                burning = replace(drawn, pile=len(drawn.heap), heap=(), unseen=drawn.unseen | known)
            burning = replace(burning, pile=burning.pile - 1)
            found.add(result(turn, burning, "burn", turn.hand, (None, *burning.heap)))
            for card in turn.table & OWN[seat]:  # D21
                if valid(turn.table - {card}):
                    end = replace(turn, table=turn.table - {card})
                    found.add(result(end, drawn, "table", turn.hand, (*drawn.heap, card)))
    return found


def result(turn, piles, how, hand=None, heap=None):
    return (
        how,
        piles.draws,
        turn.table,
        turn.hand if hand is None else hand,
        turn.mine,
        turn.theirs,
        turn.my_fief,
        piles.heap if heap is None else heap,
        piles.pile,
        piles.unseen,
    )


# ---- the engine


def engine_results(rules, state, order):
    """Return all results that the engine reaches, as often as it reaches them."""
    seat, turn = int(state[0].player), int(state[0].turn)
    cards = cache(lambda mask: frozenset(c for c in range(52) if mask >> c & 1))
    found, todo = [], [(state, (), "")]
    while todo:
        state, path, how = todo.pop()
        s = state[0]
        if s.phase == d.ENDED or s.turn != turn:
            end = how or ("taken" if s.attacker == seat else "over")
            heap = (None,) * int(s.burnt[seat]) + tuple(int(c) for c in s.heap[seat] if c != NONE)
            found.append(
                (
                    end,
                    path,
                    cards(int(s.table)),
                    cards(int(s.hand[seat])),
                    cards(int(s.dukes[seat])),
                    cards(int(s.dukes[1 - seat])),
                    int(s.fief[seat]) if s.fief[seat] != NONE else None,
                    heap,
                    int(s.pile[seat]),
                    cards(int(s.unseen[seat])),
                )
            )
            continue
        if contract.mover(rules, s) == CHANCE:
            moves = [first(list(GAME.outcomes(rules, state)), order)]
        else:
            moves = GAME.legal(rules, state)
        for move in moves:
            after = state.copy()
            contract.play(rules, after[0], move)
            kind, trail = how, path
            if s.phase == d.DRAWING and move != d.STOP:
                trail = (*path, "pile" if move == d.DRAW + d.PILE else "heap")
            elif s.phase == d.DISCARDING:
                kind = {4: "burn", 5: "one", 6: "two", 7: "table"}[move // d.KIND]
            todo.append((after, trail, kind))
    return found


def hoard(rules, state, moves, rng):
    """Play as many cards as possible and never a FIEF, so that the piles run out (D22)."""
    if state[0].phase == d.PLAYING:
        return max((move for move in moves if move < d.TAKE), key=lambda move: move.bit_count())
    if state[0].phase == d.DISCARDING and d.BURN in moves and uniform(rng) < 0.5:
        return d.BURN
    if state[0].phase == d.DRAWING and uniform(rng) < 0.9:
        return moves[-1 if uniform(rng) < 0.3 else min(1, len(moves) - 1)]
    return moves[0] if state[0].phase == d.GUARDING else moves[below(rng, len(moves))]


def sensible(rules, state, moves, rng):
    """Follow the policy, with a random move now and then."""
    if uniform(rng) < 0.1:
        return moves[below(rng, len(moves))]
    return contract.suggest(rules, state[0], np.array(moves), len(moves), rng)


def anything(rules, state, moves, rng):
    return moves[below(rng, len(moves))]


def turns(rules, player, seed):
    """Yield the states of a game in which a turn begins."""
    rng = stream(seed, 4)
    state = GAME.new(rules)
    turn = 0
    while (seat := contract.mover(rules, state[0])) != OVER:
        s = state[0]
        if s.turn != turn and seat != CHANCE:
            turn = int(s.turn)
            yield state.copy()
        if seat == CHANCE:
            contract.play(rules, s, contract.roll(rules, s, uniform(rng)))
        else:
            contract.play(rules, s, player(rules, state, GAME.legal(rules, state), rng))


def kinds(state):
    """Return what is special about a turn that begins."""
    s = state[0]
    seat = int(s.player)
    last = s.pile[seat] + s.height[seat] + s.burnt[seat] <= 2 and s.held[seat] <= 2
    return {
        "first turn": bool(s.turn == 1),
        "last turn": bool(last),
        "their FIEF up": bool(s.up[1 - seat]),
        "own FIEF up": bool(s.up[seat]),
        "both up": bool(s.up.all()),
        "reshuffle": bool(s.pile[seat] < 2),
    }


def compare(rules, positions, rate):
    """Compare turns of games of each way to play, and count what was special."""
    rng = stream(5)
    special = dict.fromkeys(["first turn", "last turn", "their FIEF up", "both up", "reshuffle"], 0)
    for player in (anything, sensible, hoard):
        left = positions
        for seed in count():
            valid.cache_clear()
            melds.cache_clear()
            for state in turns(rules, player, seed):
                flags = kinds(state)
                rare = flags["first turn"] or flags["last turn"] or flags["their FIEF up"]
                if left == 0 or uniform(rng) > (5 * rate if rare else rate):
                    continue
                order = [card for _, card in sorted((uniform(rng), card) for card in range(52))]
                found = engine_results(rules, state, order)
                assert len(found) == len(set(found)), "a result is reached twice"
                assert set(found) == results(rules, state, order)
                left -= 1
                for name in special:
                    special[name] += flags[name]
            if left == 0:
                break
    return special


def test_whole_turns():
    special = compare(GAME.rules(), 40, 0.04)
    assert all(special.values())


@pytest.mark.slow
def test_many_whole_turns():
    special = compare(GAME.rules(), 670, 0.05)
    print(special)
    assert min(special.values()) >= 20


@pytest.mark.slow
def test_whole_turns_with_other_rules():
    compare(GAME.rules(hand_limit=2, draw_limit=1), 100, 0.1)
    compare(GAME.rules(hand_limit=5, draw_limit=3), 5, 0.03)
