"""Golden playthroughs: whole games as text, which change only when rules or policies are meant to change."""

import pytest
from golden_games import FOLDER, golden_rules, lines_of_game, path_of

from engines import contract, registry
from engines.contract import CHANCE, OVER
from engines.notation import parse_move


def test_every_game_has_a_playthrough():
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == sorted(registry.names())
    for name in registry.names():
        assert path_of(name).stat().st_size < 60_000


@pytest.mark.parametrize("greedy", [False, True], ids=["random", "greedy"])
@pytest.mark.parametrize("name", registry.names())
def test_games_run_as_written(name, greedy):
    """The random numbers, the policy and the texts are the same as ever."""
    written = path_of(name).read_text(encoding="utf-8").splitlines()
    start = written.index(f"game {'greedy' if greedy else 'random'}")
    count = 0
    for line, golden in zip(lines_of_game(registry.load(name), greedy), written[start:], strict=False):
        assert line == golden
        count += 1
    assert written[start + count - 1].startswith("result ")
    assert start + count == len(written) or written[start + count].startswith("game ")


@pytest.mark.parametrize("name", registry.names())
def test_games_can_be_played_from_the_text_alone(name):
    """Each line is a legal event when its turn comes, and the results are those written."""
    game = registry.load(name)
    rules = golden_rules(game)
    state = game.new(rules)
    for line in path_of(name).read_text(encoding="utf-8").splitlines():
        seat = contract.mover(rules, state[0])
        if line.startswith("game "):
            state = game.new(rules)
        elif line.startswith("result "):
            assert seat == OVER
            shares = [contract.returns(rules, state[0], player) for player in range(contract.seats(rules))]
            assert [float(word) for word in line.split()[1:]] == shares
        elif line.startswith("chance "):
            assert seat == CHANCE
            code = int(line.split()[1])
            chances = game.outcomes(rules, state)
            assert code in chances
            text = game.notation.outcome_text(rules, state[0], code)
            assert line == f"chance {code} of {len(chances)}/{sum(chances.values())}: {text}"
            contract.play(rules, state[0], code)
        else:
            who, _, rest = line.partition(": ")
            chosen, _, options = rest.partition(" < ")
            assert who == game.seat_names[seat]
            moves = [parse_move(game, rules, state, text) for text in options.split(", ")]
            assert moves == game.legal(rules, state)
            contract.play(rules, state[0], parse_move(game, rules, state, chosen))
