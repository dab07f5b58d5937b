"""What every game must do: ``api_test(game, rules)`` plays random games and asserts the whole contract."""

import itertools
import random
import zlib
from typing import Any

import numpy as np

from engines import contract
from engines.contract import CHANCE, HIDDEN, NONE, OUTCOMES, OVER
from engines.errors import InputError
from engines.game import Game
from engines.notation import parse_move, parse_position, state_from_json, state_to_json, write_position
from engines.random import below, stream, uniform

LONGEST = 100_000  # events of one game
MOST_COMPLETIONS = 400
# Games of many rounds: rules that make them short, for tests over all games, and turns of a round.
SHORT = {"river": {"players": 2, "rounds": "13", "first_round": 12, "max_turns": 24}}
TURNS = {"river": (5, 25)}


def short_rules(game: Game, **changes: object) -> Any:
    """Rules under which a game with two players is soon over."""
    return game.rules(**changes | SHORT.get(game.name, {}))


def random_rules(game: Game, seed: int, **fixed: object) -> Any:
    """Rules with every parameter anywhere in its range, but short games; some may be fixed."""
    choose = random.Random(zlib.crc32(game.name.encode()) + seed)
    while True:
        changes = {
            parameter.name: parameter.text(choose.randint(parameter.low, parameter.high))
            for parameter in game.parameters
        }
        changes["max_turns"] = choose.randint(*TURNS.get(game.name, (40, 80)))
        try:
            return game.rules(**changes | fixed)
        except InputError:  # parameters that do not fit together
            continue


# Games that hide sets of cards, too many to go through: their own tests show that every completion occurs.
HIDDEN_SETS = {"dukes": "test_dukes_knowledge.py", "river": "test_river_knowledge.py"}


def api_test(game: Game, rules: Any, *, games: int = 3, seed: int = 1, every: int = 4) -> None:
    """Play random games to the end and check every state on the way; costly checks on one in ``every``."""
    players = contract.seats(rules)
    assert len(game.seat_names) >= players
    views: dict[bytes, np.ndarray] = {}
    for number in range(games):
        rng, state = stream(seed, number), game.new(rules)
        for event in range(LONGEST):
            assert event < LONGEST - 1, "the game does not end"
            thorough = below(rng, every) == 0
            seat = contract.mover(rules, state[0])
            assert seat in (CHANCE, OVER, *range(players))
            before = state.tobytes()
            check_state(game, rules, state, thorough)
            if seat == OVER:
                break
            if seat == CHANCE:
                codes = check_chance(game, rules, state)
                code = contract.roll(rules, state[0], uniform(rng))
            else:
                codes = check_decision(game, rules, state, seat, thorough)
                code = codes[below(rng, len(codes))]
            if thorough:
                check_views(game, rules, state, rng, views)
            assert state.tobytes() == before, "looking at a state changed it"
            if thorough:
                check_copies(rules, state, codes)
            contract.play(rules, state[0], code)
        check_end(rules, state)
    if contract.private(rules) and game.name not in HIDDEN_SETS:
        check_completions(game, rules, list(views.values()))
    elif not contract.private(rules):
        assert not views, "something is hidden in a game without secrets"


def check_state(game: Game, rules: Any, state: np.ndarray, thorough: bool) -> None:
    """It could stand on a table, its estimate is a probability, and JSON keeps every bit."""
    game.notation.check(rules, state[0])
    for seat in range(contract.seats(rules)):
        assert 0 <= contract.evaluate(rules, state[0], seat) <= 1
    if thorough:
        found, read, copy = state_from_json(state_to_json(game, rules, state))
        assert (found, read) == (game, rules)
        assert copy.tobytes() == state.tobytes()


def check_end(rules: Any, state: np.ndarray) -> None:
    """What a finished game is worth is shared out, unless it is points, and the estimate says the same."""
    shares = [contract.returns(rules, state[0], seat) for seat in range(contract.seats(rules))]
    assert all(0 <= share <= 1 for share in shares)
    assert getattr(rules, "goal", 0) or abs(sum(shares) - 1) < 1e-12
    assert shares == [contract.evaluate(rules, state[0], seat) for seat in range(len(shares))]


def check_chance(game: Game, rules: Any, state: np.ndarray) -> list[int]:
    """Outcomes are ascending codes with weights; ``roll`` and ``luck`` agree with them."""
    chances = game.outcomes(rules, state)
    codes = list(chances)
    assert codes == sorted(codes)
    assert codes
    assert codes[0] >= 0
    assert codes[-1] < OUTCOMES
    assert all(weight > 0 for weight in chances.values())
    units = [code for code, weight in chances.items() for _ in range(weight)]
    rolled = [contract.roll(rules, state[0], (unit + 0.5) / len(units)) for unit in range(len(units))]
    assert rolled == units
    assert contract.roll(rules, state[0], 0.0) == units[0]
    assert contract.roll(rules, state[0], np.nextafter(1.0, 0.0)) == units[-1]
    assert 0 <= contract.luck(rules, state[0]) <= contract.seats(rules)
    texts = [game.notation.outcome_text(rules, state[0], code) for code in codes]
    assert all(texts)
    assert len(set(texts)) == len(codes)
    return codes


def check_decision(game: Game, rules: Any, state: np.ndarray, seat: int, thorough: bool) -> list[int]:
    """Moves are sorted and have texts; the mover's view allows and suggests the same."""
    moves = game.legal(rules, state)
    assert moves
    assert moves == sorted(set(moves))
    assert len(moves) <= contract.most_moves(rules)
    assert moves[0] >= 0
    assert all(contract.shown(rules, state[0], move, seat) == move for move in moves)
    texts = [game.notation.move_text(rules, state[0], move) for move in moves]
    words = [game.notation.move_words(rules, state[0], move) for move in moves]
    assert len({text.lower() for text in texts}) == len(set(words)) == len(moves)
    assert all("\n" not in text for text in texts + words)
    view = game.view(rules, state, seat)
    assert contract.mover(rules, view[0]) == seat
    assert game.legal(rules, view) == moves
    assert [game.notation.move_words(rules, view[0], move) for move in moves] == words
    buffer = np.array(moves, np.int64)
    advice = {contract.suggest(rules, s[0], buffer, len(moves), stream(7)) for s in (state, view)}
    assert len(advice) == 1, "the policy sees what the mover does not"
    assert advice <= set(moves)
    if thorough:
        for move, text in zip(moves, texts, strict=True):
            assert parse_move(game, rules, state, text) == move
            assert parse_move(game, rules, state, f" {text.upper().replace(' ', '  ')}\t") == move
        text = write_position(game, rules, state)
        found, read, copy = parse_position(text)
        assert (found, read) == (game, rules)
        assert write_position(game, rules, copy) == text
        assert contract.mover(rules, copy[0]) == seat
        assert game.legal(rules, copy) == moves
        if contract.private(rules):
            assert copy.tobytes() == view.tobytes()
    return moves


def check_views(
    game: Game, rules: Any, state: np.ndarray, rng: np.ndarray, views: dict[bytes, np.ndarray]
) -> None:
    """Hiding twice is hiding once; a completion could stand there and gives the same view."""
    for seat in range(contract.seats(rules)):
        view = game.view(rules, state, seat)
        assert game.view(rules, view, seat).tobytes() == view.tobytes()
        game.notation.check(rules, view[0])
        for _ in range(2):
            world = view.copy()
            contract.fill(rules, world[0], rng)
            game.notation.check(rules, world[0])
            assert game.view(rules, world, seat).tobytes() == view.tobytes()
            assert contract.mover(rules, world[0]) == contract.mover(rules, state[0])
        blank = view.view(np.int64) != state.view(np.int64)
        if blank.any() and (view.view(np.int64)[blank] == HIDDEN).all():  # only numbers, no sets, are hidden
            views[view.tobytes()] = view


def check_copies(rules: Any, state: np.ndarray, codes: list[int]) -> None:
    """A copy plays on by itself: the original stays, and the same code leads to the same state."""
    before = state.tobytes()
    for code in codes:
        ends = []
        for _ in range(2):
            work = np.zeros_like(state)
            work[0] = state[0]
            contract.play(rules, work[0], code)
            ends.append(work.tobytes())
        assert ends[0] == ends[1]
        assert ends[0] != before
        assert state.tobytes() == before


def completions(game: Game, rules: Any, view: np.ndarray) -> set[bytes]:
    """All states that fit a view, by brute force: every number in place of each hidden one.

    The view must be that of some seat; of which one is found out.
    """
    words = view.view(np.int64)
    places = np.flatnonzero(words == HIDDEN)
    seats = [
        seat
        for seat in range(contract.seats(rules))
        if game.view(rules, view, seat).tobytes() == view.tobytes()
    ]
    found = set()
    for numbers in itertools.product(range(NONE, 53), repeat=len(places)):
        state = view.copy()
        state.view(np.int64)[places] = numbers
        try:
            game.notation.check(rules, state[0])
        except ValueError:
            continue
        if any(game.view(rules, state, seat).tobytes() == view.tobytes() for seat in seats):
            found.add(state.tobytes())
    return found


def check_completions(game: Game, rules: Any, views: list[np.ndarray], sample: int = 4) -> None:
    """Every completion that the rules allow occurs among many, and no other."""
    rng = stream(3)
    small = [view for view in views if (view.view(np.int64) == HIDDEN).sum() <= 2]
    assert small, "nothing was ever hidden: play longer games"
    step = max(1, len(small) // sample)
    for view in small[::step][:sample]:
        wanted = completions(game, rules, view)
        assert 1 <= len(wanted) <= MOST_COMPLETIONS
        found = set()
        for _ in range(20 * len(wanted) + 20):
            world = view.copy()
            contract.fill(rules, world[0], rng)
            found.add(world.tobytes())
        assert found == wanted
