"""Up and Down the River against ``river_reference``: thousands of hands and tables, whole games in step."""

import random
from collections import Counter

import numpy as np
import pytest
import river_reference as reference
from river_reference import RANKS, SUITS, WILD, Board, Question
from river_states import KINDS, PHASES, cards, heap, laid_cards, melds_of, record_of, run_of

from engines import contract
from engines.contract import CHANCE, NONE, OVER
from engines.random import below, stream
from engines.river import GAME
from engines.river import rules as r
from engines.river.heaps import cost
from engines.river.play import begin_play

MOST = 1_500  # results of one decision that are compared one by one


def expected_melds(board: Board, seat: int) -> list:
    return [
        meld if reference.is_run(meld) else (reference.rank_of_set(meld), len(meld), meld.count(WILD))
        for owner, meld in board.table
        if owner == seat
    ]


# ---- going down


def ends_of_laying(rules, state) -> list[np.ndarray]:
    """All states in which going down can end, by trying every sequence of moves."""
    ends, open_states = [], [state]
    while open_states:
        work = open_states.pop()
        for move in GAME.legal(rules, work):
            after = work.copy()
            if move == r.STOP:
                continue
            contract.play(rules, after[0], move)
            (open_states if after[0].phase == r.PLAYING else ends).append(after)
    return ends


def result_of(s, seat: int) -> reference.Result:
    melds = melds_of(s, seat)
    ranks = [meld[0] for meld in melds if isinstance(meld[1], int)]
    runs = [meld for meld in melds if not isinstance(meld[1], int)]
    return tuple(cards(s.hand[seat])), tuple(sorted(ranks)), tuple(sorted(runs))


def compare_ways(rules, state, hand: list[str], number: int, ways: set | None = None) -> int:
    """Every distinct result of going down is reached, and in one way only."""
    seat = int(state[0].player)
    ways = reference.ways_down(hand, number) if ways is None else ways
    wanted = {reference.result(hand, way) for way in ways}
    if len(wanted) > MOST:
        return 0
    found = [result_of(end[0], seat) for end in ends_of_laying(rules, state)]
    assert len(found) == len(set(found))
    assert set(found) == wanted
    return len(wanted)


def state_with(hand: list[str], number: int, table=(), down=r.NOT_DOWN) -> np.ndarray:
    """The state of a table for two in which the first player, with this hand, has just drawn."""
    state = GAME.new(GAME.rules(players=2))
    s = state[0]
    s.stage, s.turn, s.player = number - 1, 2 - number % 2, 0
    s.hand[0], s.held[0], s.down[0] = heap(hand), len(hand), down
    for place, meld in enumerate(table):
        s.melds[place] = record_of(meld)
    laid = laid_cards(table)
    s.laid = heap(laid)
    rest = list((Counter(reference.DECK) - Counter(hand) - Counter(laid)).elements())
    s.top = KINDS.index(rest.pop(0))
    s.hand[1], s.held[1] = heap(rest[:5]), 5
    s.unseen, s.pile = heap(rest[5:]), len(rest) - 5
    begin_play(s)
    return state


def built_hand(dice: random.Random, number: int, spare: int, wild: float) -> list[str]:
    """A hand that nearly holds the melds of a contract: some of their cards are wild, and some wrong."""
    sets, runs = reference.CONTRACTS[number]
    while True:
        hand = []
        rank, low, suit = dice.choice(RANKS), dice.randrange(9), dice.choice(SUITS)
        for _ in range(sets):
            hand += [rank + dice.choice(SUITS) for _ in range(3)]
            rank = dice.choice([rank, *RANKS])  # two sets of a rank are a case of their own,
        for _ in range(runs):
            hand += [RANKS[low + step] + suit for step in range(4)]
            if dice.random() < 0.7:  # and so are two runs of the same cards
                low, suit = dice.randrange(9), dice.choice(SUITS)
        hand = [WILD if dice.random() < wild else card for card in hand]
        hand = [dice.choice(reference.DECK) if dice.random() < 0.04 else card for card in hand]
        hand += dice.sample(reference.DECK, spare)
        if not Counter(hand) - Counter(reference.DECK):
            return hand


def sweep_ways(number: int, positions: int) -> None:
    dice = random.Random(number)
    rules = GAME.rules(players=2)
    can = results = 0
    for place in range(positions):
        wild = (0.0, 0.1, 0.2, 0.3)[place % 4]
        spare = dice.choice([0, 1, 1, 2]) if number == 7 else dice.choice([0, 1, 1, 2, 3])
        hand = built_hand(dice, number, spare, wild)
        state = state_with(hand, number)
        if number == 7:
            out = reference.goes_out_in_round_7(hand)
            assert (state[0].phase == r.PLAYING) == out
            can += out
            if out:
                assert GAME.legal(rules, state) == [r.STOP, r.LAY_ALL]
                text = GAME.notation.move_words(rules, state[0], r.LAY_ALL).partition(": ")[2]
                melds = [tuple(meld.split()) for meld in text.split(" | ")]
                assert reference.is_round_7(hand, melds)
            continue
        ways = reference.ways_down(hand, number)
        assert (state[0].phase == r.PLAYING) == bool(ways)
        can += bool(ways)
        if ways:
            results += compare_ways(rules, state, hand, number, ways)
    assert positions / 5 < can < positions
    assert number == 7 or results > 1.5 * can


@pytest.mark.parametrize("number", range(1, 8))
def test_ways_down(number):
    """V2, V3, V8, V12: the engine finds what looking at every choice of cards finds."""
    sweep_ways(number, 40)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(1, 8))
def test_ways_down_of_2000_positions(number):
    sweep_ways(number, 2_000)


# ---- additions and replacements


def built_table(dice: random.Random, number: int) -> list[reference.Meld]:
    """Melds of a contract that have grown a little, runs first."""
    sets, runs = reference.CONTRACTS[number]
    table: list[reference.Meld] = []
    for _ in range(runs):
        length = dice.randrange(4, 9)
        low, suit = dice.randrange(13 - length), dice.choice(SUITS)
        line = [RANKS[low + step] + suit for step in range(length)]
        keep = dice.randrange(length)
        table.append(
            tuple(WILD + card if n != keep and dice.random() < 0.4 else card for n, card in enumerate(line))
        )
    for _ in range(sets):
        rank = dice.choice(RANKS)
        naturals = [rank + suit for suit in dice.sample(SUITS, dice.randint(1, 3))]
        table.append((*naturals, *[WILD] * (3 - len(naturals) + dice.randrange(2))))
    return table


def sweep_additions(number: int, positions: int) -> None:
    dice = random.Random(100 + number)
    rules = GAME.rules(players=2)
    done = moves = 0
    while done < positions:
        table = built_table(dice, number)
        laid = [WILD if card.startswith(WILD) else card for meld in table for card in meld]
        rest = list((Counter(reference.DECK) - Counter(laid)).elements())
        near = [card for card in rest if any(card.strip(WILD)[:1] in str(meld) for meld in table)]
        size = dice.choice([1, 2, 3, 5, 8, 12])
        hand = dice.sample(near if dice.random() < 0.5 and len(near) > size else rest, size)
        if Counter(laid) - Counter(reference.DECK):
            continue
        done += 1
        state = state_with(hand, number, table, r.DOWN)
        wanted = reference.additions(hand, table)
        assert (state[0].phase == r.ADDING) == bool(wanted)
        if not wanted:
            continue
        found = set()
        for move in GAME.legal(rules, state)[1:]:
            after = state.copy()
            contract.play(rules, after[0], move)
            (card,) = (Counter(hand) - Counter(cards(after[0].hand[0]))).elements()
            assert sum(after[0].held) == sum(state[0].held) - 1
            places = [n for n in range(len(table)) if after[0].melds[n] != state[0].melds[n]]
            assert len(places) == 1
            meld = after[0].melds[places[0]]
            larger = run_of(meld) if meld.suit >= 0 else (RANKS[meld.low], int(meld.high), int(meld.wilds))
            found.add((card, places[0], larger))
        moves += len(found)
        assert found == {
            (
                card,
                place,
                larger
                if reference.is_run(larger)
                else (reference.rank_of_set(larger), len(larger), larger.count(WILD)),
            )
            for card, place, larger in wanted
        }
        compare_ends(rules, state, hand, [(0, meld) for meld in table])
    assert moves > positions


def compare_ends(rules, state, hand: list[str], table: list) -> None:
    """All results that additions in any order can have are reached."""

    def shape(hand, melds) -> tuple:
        """The hand, the runs and the ranks of the sets, seat by seat."""
        names = [
            (owner, meld if reference.is_run(meld) else reference.rank_of_set(meld)) for owner, meld in melds
        ]
        return tuple(sorted(hand)), tuple(sorted(map(str, names)))

    start = (tuple(sorted(hand)), tuple(table))
    seen, open_ones = {start}, [start]
    while open_ones:
        cards_left, melds = open_ones.pop()
        for card, number, larger in reference.additions(cards_left, [meld for _, meld in melds]):
            grown = (*melds[:number], (melds[number][0], larger), *melds[number + 1 :])
            after = (tuple(sorted(reference.without(cards_left, [card]))), grown)
            if after not in seen:
                seen.add(after)
                open_ones.append(after)
        if len(seen) > 250:
            return
    wanted = {shape(*end) for end in seen}
    found = set()
    engine = [state]
    done = set()
    while engine:
        work = engine.pop()
        s = work[0]
        melds = []
        for seat in range(rules.players):
            for meld in melds_of(s, seat):
                melds.append((seat, meld if not isinstance(meld[1], int) else (meld[0] + "?",) * 3))
        found.add(shape(cards(s.hand[s.player]), melds))
        for move in GAME.legal(rules, work)[1:] if s.phase == r.ADDING else []:
            after = work.copy()
            contract.play(rules, after[0], move)
            if after.tobytes() not in done:
                done.add(after.tobytes())
                engine.append(after)
    assert found == wanted


@pytest.mark.parametrize("number", range(1, 7))
def test_additions_and_replacements(number):
    """V9, V10, V11: single steps, and all that a sequence of them can lead to."""
    sweep_additions(number, 40)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(1, 7))
def test_additions_and_replacements_of_2000_positions(number):
    sweep_additions(number, 2_000)


def test_scores_of_hands():
    """V13: what hands cost."""
    dice = random.Random(3)
    for _ in range(2_000):
        hand = dice.sample(reference.DECK, dice.randrange(30))
        assert cost(np.array(heap(hand))) == reference.points(hand)
    assert cost(np.array(heap(reference.DECK))) == reference.points(reference.DECK) == r.ALL_POINTS


# ---- whole games in step


def compare_tables(rules, state, board: Board) -> None:
    """The same cards are in the same places, and the same is known of them."""
    s = state[0]
    assert s.stage == board.number - 1
    assert s.turn == board.turn
    assert s.totals.tolist() == board.totals + [0] * (6 - rules.players)
    assert cards(s.unseen) == sorted(board.pile)
    assert s.pile == len(board.pile)
    assert cards(s.shuffled) == sorted(board.reshuffled)  # V15
    lying = cards(s.buried) + [KINDS[kind] for kind in (s.second, s.top) if kind != NONE]
    assert sorted(lying) == sorted(board.discards)
    assert (KINDS[s.top] if s.top != NONE else None) == (board.discards[-1] if board.discards else None)
    for seat in range(rules.players):
        assert cards(s.hand[seat]) == sorted(board.hands[seat])
        assert s.held[seat] == len(board.hands[seat])
        assert cards(s.known[seat]) == sorted(board.known[seat])  # V15
        assert Counter(melds_of(s, seat)) == Counter(expected_melds(board, seat))
    everything = [*board.pile, *board.discards, *(card for hand in board.hands for card in hand)]
    everything += [WILD if card.startswith(WILD) else card for _, meld in board.table for card in meld]
    assert Counter(everything) == Counter(reference.DECK)


class Steps:
    """Plays a game in the engine and in the reference at once; ``rng`` decides."""

    def __init__(self, rules, seed: int, buys: float):
        self.rules, self.rng, self.buys = rules, stream(21, seed), buys
        self.state = GAME.new(rules)
        self.board = Board(rules.players, [0] * rules.players)
        self.seen: Counter[str] = Counter()
        last = rules.first_round if rules.goal == r.ROUND_POINTS else r.ROUNDS[rules.rounds]
        self.game = reference.play_game(self.board, rules.first_round, last, rules.deal, rules.max_turns)

    def chance(self, part: float) -> bool:
        return below(self.rng, 1000) < 1000 * part

    def any_of(self, options):
        return options[below(self.rng, len(options))]

    def play(self) -> None:
        question = next(self.game)
        while question.seat != OVER:
            self.seen[question.about] += 1
            question = self.game.send(self.answer(question))
            self.seen["reshuffled"] += len(self.board.reshuffled) < 108
        compare_tables(self.rules, self.state, self.board)
        assert contract.mover(self.rules, self.state[0]) == OVER

    def answer(self, question: Question):
        """Compare what is asked, choose, tell the engine, and return the reference's answer."""
        s, rules = self.state[0], self.rules
        if question.about == "add" and s.phase != r.ADDING:
            assert self.added  # the engine goes from meld to meld and never back
            return "stop"
        if question.about != "add":
            self.added = False
        compare_tables(rules, self.state, self.board)
        assert contract.mover(rules, s) == question.seat
        if question.seat == CHANCE:
            weights = {KINDS[code]: weight for code, weight in GAME.outcomes(rules, self.state).items()}
            assert weights == Counter(question.options)
            card = self.any_of(sorted(question.options))
            contract.play(rules, s, KINDS.index(card))
            return card
        assert s.phase == PHASES[question.about]
        return getattr(self, question.about)(question)

    def simple(self, question: Question, codes: dict, choice):
        assert {codes[option] for option in question.options} == set(GAME.legal(self.rules, self.state))
        contract.play(self.rules, self.state[0], codes[choice])
        return choice

    def draw(self, question: Question):
        codes = {"draw": r.DRAW, "take": r.TAKE}
        return self.simple(question, codes, self.any_of(question.options))

    def buy(self, question: Question):
        return self.simple(
            question, {"pass": r.PASS, "buy": r.BUY}, "buy" if self.chance(self.buys) else "pass"
        )

    def discard(self, question: Question):
        codes = {card: r.DISCARD + KINDS.index(card) for card in question.options}
        return self.simple(question, codes, self.any_of(question.options))

    def lay(self, question: Question):
        stay = self.chance(0.25)
        if self.board.contract == 7:
            choice = "hold" if stay else "all"
            return self.simple(question, {"hold": r.STOP, "all": r.LAY_ALL}, choice)
        hand = list(self.board.hands[question.seat])
        ways = [way for way in question.options if way != "hold"]
        if self.chance(0.5):
            compare_ways(self.rules, self.state, hand, self.board.contract, set(ways))
        if stay:
            contract.play(self.rules, self.state[0], r.STOP)
            return "hold"
        while self.state[0].phase == r.PLAYING:
            moves = [move for move in GAME.legal(self.rules, self.state) if move != r.STOP]
            contract.play(self.rules, self.state[0], self.any_of(moves))
        found = result_of(self.state[0], question.seat)
        same = [way for way in ways if reference.result(hand, way) == found]
        mine = Counter(melds_of(self.state[0], question.seat))
        return next(way for way in same if Counter(self.as_melds(way)) == mine)

    def as_melds(self, way) -> list:
        return expected_melds(Board(1, [0], table=[(0, meld) for meld in way]), 0)

    def add(self, question: Question):
        s, board = self.state[0], self.board
        if not self.added and self.chance(0.3):
            compare_ends(self.rules, self.state, board.hands[question.seat], board.table)
        options = [option for option in question.options if option != "stop"]
        moves = GAME.legal(self.rules, self.state)
        assert moves[0] == r.STOP
        if self.chance(0.1):
            contract.play(self.rules, s, r.STOP)
            return "stop"
        move = self.any_of(moves[1:])
        place, kind = (move - r.ADD) >> 9, move & 63
        before = melds_of(s, place // 3)[place % 3]
        contract.play(self.rules, s, move)
        after = melds_of(s, place // 3)[place % 3]
        self.added = True
        for card, number, larger in options:
            owner, meld = board.table[number]
            one, two = (expected_melds(Board(1, [0], table=[(0, m)]), 0)[0] for m in (meld, larger))
            if (card, owner, one, two) == (KINDS[kind], place // 3, before, after):
                return card, number, larger
        raise AssertionError(f"{KINDS[kind]} to {before}: the reference does not allow it")


GAMES = [
    {"players": 2},
    {"players": 3, "rounds": "13"},
    {"players": 4},
    {"players": 6},
    {"players": 6, "deal": 17, "first_round": 6},  # the draw pile has five cards
    {"players": 5, "deal": 16, "first_round": 5},
    {"players": 2, "deal": 3, "first_round": 7, "goal": "round"},
]


@pytest.mark.parametrize("changes", GAMES, ids=str)
def test_whole_games(changes):
    """V1, V4-V8, V13-V15: the same questions at the same moments, with the same cards in the same places."""
    seen = play_in_step(changes | {"max_turns": 20}, 1, 0.12)
    assert seen["draw"] > 15


def play_in_step(changes: dict, games: int, buys: float) -> Counter[str]:
    rules = GAME.rules(**changes)
    seen: Counter[str] = Counter()
    for seed in range(games):
        steps = Steps(rules, seed, buys)
        steps.play()
        seen += steps.seen
        if rules.goal != r.ROUND_POINTS:
            worth = [contract.returns(rules, steps.state[0], seat) for seat in range(rules.players)]
            assert worth == pytest.approx(reference.shares(steps.board.totals))
        points = [contract.points(rules, steps.state[0], seat) for seat in range(rules.players)]
        assert points == steps.board.totals
    return seen


@pytest.mark.slow
@pytest.mark.parametrize("changes", GAMES, ids=str)
def test_many_whole_games(changes):
    seen = play_in_step(changes | {"max_turns": 80}, 3, 0.12)
    if changes.get("deal", 11) > 3:
        assert min(seen[about] for about in PHASES) > 5
    if changes.get("deal", 11) > 11:
        assert seen["reshuffled"] > 100
