"""Expectimax against brute force, with and without what makes it fast, under budgets, and compiled or not."""

import hashlib
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from small_positions import SMALL, exact_values
from test_cheating import pairs_of_states
from test_compiled import finish, run

from engines import contract, registry
from engines.contract import CHANCE, HIDDEN, OVER
from engines.game import Game, Parameter
from engines.notation import parse_position
from engines.random import stream
from solvers.desk import (
    ALPHA_BETA,
    DEPTH,
    IS_EXACT,
    NODES,
    NOTHING,
    STAR1,
    STAR2,
    WORLDS,
    new_desk,
)
from solvers.expectimax import search_expectimax
from solvers.transpositions import child_key, new_salts, state_key

POSITIONS = [pytest.param(text, id=f"{name}-{i}") for name in SMALL for i, text in enumerate(SMALL[name], 1)]
DEEP = 40
WAYS = (
    (NOTHING, 0),
    (ALPHA_BETA, 0),
    (STAR1, 0),
    (STAR2, 0),
    (NOTHING, 1 << 12),
    (STAR2, 16),
    (STAR2, 1 << 14),
)
"""What is cut off, and entries of the table; the first is plain search, the last does all."""


def search(game, rules, view, desk, *, worlds=1, deepest=DEEP, nodes=0, seconds=0.0, seed=1):
    """Return the values of the legal moves, the place of the best, and the report."""
    values = np.full(contract.most_moves(rules), np.nan)
    best = search_expectimax(rules, view, desk, worlds, deepest, nodes, seconds, stream(seed), values)
    return values[: len(game.legal(rules, view))], int(best), desk.report.tolist()


def random_states(name, number):
    """Yield random positions; a state with nothing blank is a view that allows one world only."""
    game = registry.load(name)
    rules = game.rules(**{"players": 2} if name == "river" else {})
    for i in range(number):
        state = game.random_position(rules, stream(31, i), 2 + 5 * i)
        if contract.mover(rules, state[0]) >= 0:
            yield game, rules, state


# ---- exact


def test_every_game_has_small_positions():
    assert sorted(SMALL) == sorted(registry.names())


@pytest.mark.parametrize("text", POSITIONS)
def test_small_positions_are_solved_exactly(text):
    game, rules, view = parse_position(text)
    began = time.process_time()
    wanted = list(exact_values(game, rules, view).values())
    assert time.process_time() - began < 2.5
    assert max(wanted) - min(wanted) > 1e-3
    for pruning, entries in ((STAR2, 1 << 12), (STAR2, 0), (NOTHING, 0), (STAR1, 16)):
        desk = new_desk(game, rules, DEEP, entries, pruning)
        values, best, report = search(game, rules, view, desk, worlds=5)
        assert np.abs(values - wanted).max() < 1e-9
        assert wanted[best] == pytest.approx(max(wanted), abs=1e-9)
        assert report[IS_EXACT] == 1
        assert report[WORLDS] == 1
        shallow = search(game, rules, view, desk, deepest=report[DEPTH] - 1)[2]
        assert shallow[IS_EXACT] == 0, "a search with estimates calls itself exact"


def test_secret_choices_are_not_exact():
    """Both prepare in secret: each world is searched to its end, but player two would know too much."""
    text = SMALL["deckduel-basic"][3].replace("actions = 0", "actions = 1")
    game, rules, view = parse_position(text)
    values, _, report = search(game, rules, view, new_desk(game, rules, DEEP))
    assert report[DEPTH] < DEEP
    assert np.abs(values - list(exact_values(game, rules, view).values())).max() < 1e-9, "open cards"
    assert report[IS_EXACT] == 0


def test_hidden_cards_are_averaged():
    """The last turn, and player two cannot see which of two cards a jack showed player one."""
    game, rules, view = parse_position(
        SMALL["deckduel"][0].replace("turns = 498", "turns = 499").replace("health = 3", "health = 1")
    )
    view[0].top[0] = HIDDEN
    game.notation.check(rules, view[0])
    worlds = {}
    for number in range(20):
        world = view.copy()
        contract.fill(rules, world[0], stream(number))
        worlds[world.tobytes()] = world
    found = [list(exact_values(game, rules, world).values()) for world in worlds.values()]
    assert len(found) == 2
    assert np.ptp(found, axis=0).max() > 0.1, "the hidden card does not matter"
    values, _, report = search(game, rules, view, new_desk(game, rules, DEEP), worlds=1000)
    assert np.abs(values - np.mean(found, axis=0)).max() < 0.05
    assert report[WORLDS] == 1000
    assert report[IS_EXACT] == 0


# ---- depth-limited


def limited(game, rules, state, root, plies, free=2):
    """Expectimax by its definition, for two seats, as a plain recursion."""
    seat = contract.mover(rules, state[0])
    if seat == OVER:
        return contract.returns(rules, state[0], root)
    if plies == 0 and (seat != CHANCE or free == 0):
        rng = stream(0)
        moves = np.zeros(contract.most_moves(rules), np.int64)
        for _ in range(3):
            if contract.mover(rules, state[0]) >= 0:
                n = contract.legal(rules, state[0], moves)
                contract.play(rules, state[0], contract.suggest(rules, state[0], moves, n, rng))
        return contract.evaluate(rules, state[0], root)
    chances = game.outcomes(rules, state) if seat == CHANCE else dict.fromkeys(game.legal(rules, state), 1)
    if len(chances) > 1:
        if seat != CHANCE:
            plies, free = plies - 1, 2
        elif free:
            free -= 1
        else:
            plies -= 1
    values = []
    for code in chances:
        child = state.copy()
        contract.play(rules, child[0], code)
        values.append(limited(game, rules, child, root, plies, free))
    if seat == CHANCE:
        return np.dot(values, list(chances.values())) / sum(chances.values())
    return max(values) if seat == root else min(values)


@pytest.mark.parametrize("name", registry.names())
def test_depth_limited_search_is_what_its_definition_says(name):
    compared = 0
    for game, rules, state in random_states(name, 12):
        desk = new_desk(game, rules, 3)
        seat = contract.mover(rules, state[0])
        for depth in (1, 2, 3):
            values, best, report = search(game, rules, state, desk, deepest=depth, nodes=1500)
            if report[DEPTH] < depth:
                break
            wanted = []
            for move in game.legal(rules, state):
                child = state.copy()
                contract.play(rules, child[0], move)
                wanted.append(limited(game, rules, child, seat, depth - 1))
            assert np.abs(values - wanted).max() < 1e-12
            assert values[best] == values.max()
            compared += len(wanted)
    assert compared > 20


def compare_ways(name, number):
    """Search positions in all ways and compare the values; return the nodes of each way."""
    nodes = np.zeros(len(WAYS), np.int64)
    for game, rules, state in random_states(name, number):
        desks = [new_desk(game, rules, 3, entries, pruning) for pruning, entries in WAYS]
        depth = search(game, rules, state, desks[-1], nodes=20_000, deepest=3)[2][DEPTH]
        first = None
        for way, desk in enumerate(desks):
            values, _, report = search(game, rules, state, desk, deepest=depth)
            first = values if first is None else first
            assert np.abs(values - first).max() < 1e-12, WAYS[way]
            assert report[DEPTH] == depth
            nodes[way] += report[NODES]
    return nodes


@pytest.mark.parametrize("name", registry.names())
def test_pruning_and_table_change_no_value(name):
    """Depths 1 to 3, tables too small and large enough; whatever is cut off, some nodes are saved."""
    nodes = compare_ways(name, 10)
    assert nodes[0] >= nodes[1] >= nodes[2]
    assert nodes[0] > nodes[-1]


@pytest.mark.slow
@pytest.mark.parametrize("name", registry.names())
def test_pruning_and_table_change_no_value_in_many_positions(name):
    nodes = compare_ways(name, 60)
    assert nodes[0] > nodes[-1]


@pytest.mark.parametrize("name", registry.names())
def test_keys_of_children_follow_from_their_parents(name):
    keys = {}
    for game, rules, state in random_states(name, 8):
        words = state.view(np.int64)
        salts = new_salts(len(words))
        key = state_key(words, salts)
        for move in game.legal(rules, state):
            child = state.copy()
            contract.play(rules, child[0], move)
            changed = child_key(key, words, child.view(np.int64), salts)
            assert changed == state_key(child.view(np.int64), salts)
            assert 0 <= changed < 1 << 63
            assert keys.setdefault(changed, child.tobytes()) == child.tobytes()
    assert len(keys) > 10


# ---- budgets, and who asks


@pytest.mark.parametrize("name", registry.names())
def test_a_budget_of_nodes_ends_the_search_with_a_completed_depth(name):
    game, rules, state = next(random_states(name, 1))
    desk = new_desk(game, rules, 12)
    depths = []
    for nodes in (1, 300, 3_000, 60_000):
        values, best, report = search(game, rules, state, desk, nodes=nodes)
        depths.append(report[DEPTH])
        again, _, whole = search(game, rules, state, desk, deepest=report[DEPTH])
        assert (values == again).all()
        assert whole[NODES] <= report[NODES] <= max(nodes, whole[NODES])
        assert 0 <= best < len(values)
    assert depths[0] == 1
    assert depths == sorted(depths)
    assert depths[-1] > 1


@pytest.mark.parametrize("name", registry.names())
def test_a_budget_of_time_ends_the_search(name):
    game, rules, state = next(random_states(name, 1))
    desk = new_desk(game, rules, 12)
    search(game, rules, state, desk, deepest=1)
    began = time.monotonic()
    _, _, report = search(game, rules, state, desk, seconds=0.1)
    assert 0.1 <= time.monotonic() - began < 2
    assert 1 <= report[DEPTH] < 12


def test_a_broken_off_depth_may_change_the_choice_but_not_the_values():
    """Among the moves that it finished, the best of the depth before included."""
    changed = 0
    for game, rules, state in random_states("royal", 30):
        desk = new_desk(game, rules, 4)
        _, shallow, _ = search(game, rules, state, desk, deepest=3)
        deep, deepest, whole = search(game, rules, state, desk, deepest=4)
        if shallow == deepest or whole[DEPTH] < 4:
            continue
        _, chosen, last = search(game, rules, state, desk, deepest=4, nodes=whole[NODES] - 1)
        assert last[DEPTH] == 3
        assert deep[chosen] >= deep[shallow]
        changed += chosen != shallow
    assert changed


@pytest.mark.parametrize("name", registry.names())
def test_equal_views_and_seeds_give_equal_answers(name):
    """Whatever is hidden, and whatever an earlier search has left behind."""
    game = registry.load(name)
    rules = game.rules()
    clean, dirty = new_desk(game, rules, 4, 256), new_desk(game, rules, 4, 256)
    for seat, state, other in pairs_of_states(name)[::4]:
        search(game, rules, state, dirty, nodes=500, seed=9)
        answers = [
            search(game, rules, game.view(rules, true, seat), desk, worlds=4, nodes=800, seed=3)
            for true, desk in ((state, clean), (other, dirty))
        ]
        assert answers[0][0].tobytes() == answers[1][0].tobytes()
        assert answers[0][1:] == answers[1][1:]


# ---- compiled or not


def digest(name):
    """Return a digest of all that searches of a game say."""
    game = registry.load(name)
    found = []
    for text in SMALL[name][:2]:
        _, rules, view = parse_position(text)
        found += search(game, rules, view, new_desk(game, rules, DEEP, 64), nodes=600)
    for _, rules, state in random_states(name, 3):
        view = game.view(rules, state, contract.mover(rules, state[0]))
        for pruning, entries in WAYS:
            found += search(
                game, rules, view, new_desk(game, rules, 3, entries, pruning), worlds=2, nodes=300
            )
    text = repr([part.tolist() if isinstance(part, np.ndarray) else part for part in found])
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize("name", registry.names())
def test_compiled_and_plain_python_search_alike(name):
    code = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
    code += f"from test_expectimax import digest; print(digest({name!r}))"
    plain = run("-c", code, wait=False, NUMBA_DISABLE_JIT=1)
    assert finish(plain) == [digest(name)]


# ---- more than two seats


class TokenRules(NamedTuple):
    """Three players take one or two of the tokens in turn; a die then adds or takes some."""

    tokens: int


# The cache of compiled code knows only of our sources, so the name tells of this file.
TokenRules.__name__ += "_" + hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:16]

TOKENS = np.dtype(
    (
        np.record,
        [("tokens", "i8"), ("player", "i8"), ("rolling", "i8"), ("last", "i8"), ("taken", "i8", (3,))],
    )
)


@contract.seats.register
def token_seats(rules: TokenRules) -> int:
    return 3


@contract.private.register
def token_private(rules: TokenRules) -> bool:
    return False


@contract.part.register
def token_part(rules: TokenRules, s: Any) -> int:
    return 0


@contract.most_moves.register
def token_most_moves(rules: TokenRules) -> int:
    return 2


@contract.start.register
def token_start(rules: TokenRules, s: Any) -> None:
    s.tokens = rules.tokens
    s.player = 0
    s.rolling = 0
    s.last = 0
    for seat in range(3):
        s.taken[seat] = 0


@contract.mover.register
def token_mover(rules: TokenRules, s: Any) -> int:
    if s.tokens <= 0:
        return OVER
    return CHANCE if s.rolling else s.player


@contract.legal.register
def token_legal(rules: TokenRules, s: Any, moves: np.ndarray) -> int:
    moves[0] = 1
    moves[1] = 2
    return min(2, s.tokens)


@contract.outcomes.register
def token_outcomes(rules: TokenRules, s: Any, codes: np.ndarray, weights: np.ndarray) -> int:
    for code in range(3):
        codes[code] = code
        weights[code] = 1 + code
    return 3


@contract.play.register
def token_play(rules: TokenRules, s: Any, code: int) -> None:
    if s.rolling:
        s.tokens -= code
        s.rolling = 0
    else:
        s.tokens -= code
        s.taken[s.player] += code * code
        s.last = s.player
        s.player = (s.player + 1) % 3
        s.rolling = 1


@contract.returns.register
def token_returns(rules: TokenRules, s: Any, seat: int) -> float:
    """Whoever took last has half; the rest is shared by what was taken."""
    total = s.taken[0] + s.taken[1] + s.taken[2]
    return 0.5 * (s.last == seat) + 0.5 * s.taken[seat] / total


@contract.evaluate.register
def token_evaluate(rules: TokenRules, s: Any, seat: int) -> float:
    return contract.returns(rules, s, seat)


@contract.fill.register
def token_fill(rules: TokenRules, s: Any, rng: np.ndarray) -> None:
    pass


@contract.hide.register
def token_hide(rules: TokenRules, s: Any, seat: int) -> None:
    pass


@contract.suggest.register
def token_suggest(rules: TokenRules, s: Any, moves: np.ndarray, n: int, rng: np.ndarray) -> int:
    return moves[n - 1]


@pytest.mark.parametrize(("pruning", "entries"), [(NOTHING, 0), (STAR2, 0), (STAR2, 32), (STAR2, 1 << 10)])
def test_three_seats_each_maximise_their_own(pruning, entries):
    parameter = Parameter("tokens", 9, 1, 99, "tokens at the start")
    game = Game("tokens", "Tokens", TokenRules, TOKENS, ("a", "b", "c"), sys.modules[__name__], (parameter,))
    for tokens in range(2, 13):
        rules = TokenRules(tokens)
        state = game.new(rules)
        values, _, report = search(game, rules, state, new_desk(game, rules, DEEP, entries, pruning))
        wanted = exact_values(game, rules, state)
        assert np.abs(values - list(wanted.values())).max() < 1e-9
        assert report[IS_EXACT] == 1
