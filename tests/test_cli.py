"""The command line: hints for programs and people, and one clear line for each mistake."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli import main
from engines import compiled, registry
from engines.contract import seats

TOP = Path(__file__).parent.parent


def kibitz(*args):
    """Run a command in this process."""
    return CliRunner().invoke(main, [str(arg) for arg in args])


def shell(*args, **options):
    """Run Python in a process of its own, as a shell would."""
    return subprocess.run(
        [sys.executable, *args],
        cwd=TOP,
        env=os.environ | {"PYTHONPATH": str(TOP)},
        capture_output=True,
        timeout=120,
        **options,
    )


def refused(result, message=""):
    """Whether a command gave one line on standard error, nothing else, and exit code 2."""
    assert result.exit_code == 2, result.output
    assert not result.stdout
    assert result.stderr.startswith("kibitz: ")
    assert result.stderr.count("\n") == 1
    assert result.stderr.endswith("\n")
    assert "Traceback" not in result.stderr
    assert len(result.stderr) < 500
    assert message in result.stderr
    return True


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    """What a command sets to say that it compiles is gone when its test is over."""
    monkeypatch.setattr(compiled, "announce", compiled.silent)


@pytest.fixture(params=registry.names())
def game(request):
    return request.param


@pytest.fixture
def position(game, tmp_path):
    """A file that ``kibitz position`` printed."""
    result = kibitz("position", game, "--seed", 3, "--moves", 11)
    assert result.exit_code == 0, result.output
    path = tmp_path / "position.toml"
    path.write_text(result.stdout, encoding="utf-8")
    return path


def hint_json(path, *args):
    result = kibitz("hint", path, "--json", *args)
    assert result.exit_code == 0, result.output
    assert result.stdout.count("\n") == 1
    return json.loads(result.stdout)


def test_a_hint_for_programs(game, position):
    answer = hint_json(position, "--sims", 300, "--seed", 1)
    keys = ["game", "seat", "simulations", "seconds", "stopped", "toss_up", "moves", "line", "forecast"]
    assert list(answer) == keys
    assert (answer["game"], answer["simulations"]) == (game, 300)
    assert answer["seat"] in range(len(registry.load(game).seat_names))
    assert isinstance(answer["seconds"], float)
    assert answer["moves"]
    for move in answer["moves"]:
        assert list(move) == ["move", "value", "se", "interval", "behind", "visits"]
        assert isinstance(move["move"], str)
        assert 0 <= move["value"] <= 1
        assert move["se"] is None or move["se"] >= 0
        assert move["interval"][0] <= move["value"] <= move["interval"][1]
        assert isinstance(move["visits"], int)
    assert answer["moves"][0]["behind"] == 0  # moves are ranked by what is sure, not by visits
    assert sum(move["visits"] for move in answer["moves"]) == 300


def test_the_same_seed_gives_the_same_answer(game, position):
    answers = [hint_json(position, "--sims", 200, "--seed", seed) for seed in (1, 1, 2)]
    assert answers[0]["moves"] == answers[1]["moves"]
    assert answers[0]["moves"] != answers[2]["moves"]


def test_only_the_best_moves(game, position):
    everything = hint_json(position, "--sims", 100)["moves"]
    assert len(everything) > 1
    assert hint_json(position, "--sims", 100, "--top", 1)["moves"] == everything[:1]
    assert hint_json(position, "--sims", 100, "--top", 99)["moves"] == everything
    result = kibitz("hint", position, "--sims", 100, "--top", 1)
    assert result.exit_code == 0
    assert len([line for line in result.stdout.splitlines() if line.startswith("  ")]) == 2
    assert everything[0]["move"] in result.stdout


def test_a_time_is_kept(game, position):
    answer = hint_json(position, "--time", "50ms")
    assert answer["simulations"] >= 1
    assert answer["seconds"] < 5
    assert answer["seconds"] >= 0.05 or answer["stopped"] == "decided"


def test_a_rule_from_the_shell_and_in_the_file(game, tmp_path):
    result = kibitz("position", game, "--seed", 3, "--moves", 5, "--rule", "max_turns=77")
    assert "[rules]\nmax_turns = 77\n" in result.stdout
    path = tmp_path / "position.toml"
    path.write_text(result.stdout, encoding="utf-8")
    in_file = hint_json(path, "--sims", 50)["moves"]
    path.write_text(result.stdout.replace("max_turns = 77", "max_turns = 400"), encoding="utf-8")
    assert hint_json(path, "--sims", 50, "--rule", "max_turns=77")["moves"] == in_file
    assert refused(kibitz("hint", path, "--rule", "max_turns=0"), "max_turns")
    assert refused(kibitz("hint", path, "--rule", "max_turns=99999999999999999999"), "max_turns")


def test_every_seed_prints_a_position_that_can_be_asked_about(game, tmp_path):
    path = tmp_path / "position.toml"
    for seed in range(8):
        result = kibitz("position", game, "--seed", seed, "--moves", seed)
        assert result.stdout == kibitz("position", game, "--seed", seed, "--moves", seed).stdout
        path.write_text(result.stdout, encoding="utf-8")
        assert hint_json(path, "--sims", 5)["moves"]
    assert refused(kibitz("position", game, "--seed", 1, "--moves", 100_000), "over")


def test_lists():
    listed = json.loads(kibitz("games", "--json").stdout)
    assert list(listed) == registry.names()
    text = kibitz("games").stdout
    for name, about in listed.items():
        assert f"{name}: {about['title']}" in text
        for rule in about["rules"]:
            assert f"{rule}=" in text
    assert list(json.loads(kibitz("agents", "--json").stdout)) == [
        "random",
        "greedy",
        "ismcts",
        "pimc",
        "expectimax",
    ]
    assert "ismcts" in kibitz("agents").stdout


FOR_TWO = {"river": ("players=2", "first_round=7")}


def test_a_match(game):
    short = [part for rule in FOR_TWO.get(game, ()) for part in ("--rule", rule)]
    args = ("match", game, "greedy", "random", "--deals", 20, "--rule", "max_turns=40", *short)
    answer = json.loads(kibitz(*args, "--json").stdout)
    assert (answer["deals"], answer["games"]) == (20, 40)
    assert 0 <= answer["score"] <= 1
    assert answer["low"] <= answer["score"] <= answer["high"]
    assert "greedy wins" in kibitz(*args).stdout
    assert refused(kibitz("match", game, "greedy"), f"for {seats(registry.load(game).rules())}")
    if game in FOR_TWO:  # two agents are too few without these rules
        return
    assert refused(kibitz("match", game, "greedy", "clever"), "unknown agent 'clever'")
    assert refused(kibitz("match", game, "greedy", "ismcts:sims=0"), "sims=0")
    assert refused(kibitz("match", game, "greedy", "pimc:a\nb=0"), "no option")
    assert refused(kibitz("match", game, "greedy", "random:sims=3"), "no option")


BROKEN = {
    "empty": b"",
    "blank": b"\n\n",
    "binary": bytes(range(256)) * 10,
    "nul": b"\0" * 100,
    "large": b"#" * 10_000_000,
    "not TOML": b"to be or not to be",
    "half a line": b'game = "roy',
    "a list": b"[[[",
    "nested": b"x = " + b"[" * 100_000,
    "huge number": b"x = " + b"9" * 100_000,
    "no game": b'to_move = "black"',
    "unknown game": b'game = "poker"',
    "only the game": None,
    "UTF-16": 'game = "royal"'.encode("utf-16"),
    "Latin-1": 'game = "royal" # \xe9'.encode("latin-1"),
    "JSON": b'{"game": "royal"}',
}


@pytest.mark.parametrize("kind", BROKEN)
def test_files_that_are_no_position(kind, tmp_path):
    path = tmp_path / "position.toml"
    for name in registry.names():
        data = BROKEN[kind]
        path.write_bytes(f'game = "{name}"\n'.encode() if data is None else data)
        assert refused(kibitz("hint", path, "--sims", 5), "position.toml: ")


def test_files_that_cannot_be_read(tmp_path):
    assert refused(kibitz("hint", tmp_path / "nothing.toml"), "cannot be read")
    assert refused(kibitz("hint", tmp_path), "cannot be read")
    assert refused(kibitz("hint", "a\nb"), "cannot be read")
    assert refused(kibitz("hint", "x" * 300), "cannot be read")


CHANGES = {
    "royal": [
        ('to_move = "', 'to_move = "x', "to_move"),
        ("draws = ", "draws = -", "draws"),
        ("piles = [", 'piles = ["5H 5H",', "piles"),
        ('out = "', 'out = "KS KS ', "KS is already"),
        ('out = "', 'out = "ZZ ', "unknown card 'ZZ'"),
        ('out = "', 'out = "X X X ', "already"),
        ("deck = ", "deck = 1", "deck"),
        ('game = "royal"', 'game = "deckduel"', ""),
        ("draws =", "max_turns = 1\ndraws =", "unknown key"),
    ],
    "deckduel": [
        ('decision = "', 'decision = "x', "decision"),
        ("health = ", "health = 9", "health"),
        ('played = "', 'played = "7 7 ', "twice"),
        ('played = "', 'played = "1 ', "unknown rank '1'"),
        ('played = "', 'played = "A 2 3 4 5 6 7 8 9 T J Q K A ', "twice"),
        ("turns = ", "turns = 99", "turns"),
        ('game = "deckduel"', 'game = "royal"', ""),
        ("[two]", "[three]", ""),
    ],
    "deckduel-basic": [
        ('decision = "', 'decision = "x', "decision"),
        ("health = ", "health = 0 # ", "health"),
        ("actions = ", "actions = 9", "actions"),
        ('played = "', 'played = "7 7 ', "twice"),
        ('played = "', 'played = "ZZ ', "unknown rank 'ZZ'"),
        ('game = "deckduel-basic"', 'game = "deckduel"', ""),
    ],
}


def test_positions_that_cannot_be(game, position):
    text = position.read_text(encoding="utf-8")
    for old, new, message in CHANGES.get(game, []):
        assert old in text
        position.write_text(text.replace(old, new, 1), encoding="utf-8")
        assert refused(kibitz("hint", position, "--sims", 5), message)
    position.write_text(text + "\n[rules]\ncolour = 3\n", encoding="utf-8")
    assert refused(kibitz("hint", position, "--sims", 5), "no rule 'colour'")
    position.write_text(text + "\n[rules]\nmax_turns = 10001\n", encoding="utf-8")
    assert refused(kibitz("hint", position, "--sims", 5), "max_turns")


@pytest.mark.parametrize(
    "args",
    [
        *(("--time", text) for text in ("", "0", "1h", "-1s", "soon", "nan", "1e3", "²s", "99999999", "1\n")),
        ("--time", "1s", "--sims", "5"),
        ("--sims", "0"),
        ("--sims", "many"),
        ("--sims", "1000000000000"),
        ("--top", "0"),
        ("--seed", "-1"),
        ("--agent", "greedy"),
        ("--agent", "wizard"),
        ("--agent", "ismcts:sims=0"),
        ("--agent", "ismcts:c=nan"),
        ("--agent", "ismcts:magic=1"),
        ("--rule", "castle_hp"),
        ("--rule", "castle_hp="),
        ("--rule", "castle_hp=-1"),
        ("--rule", "castle_hp=201"),
        ("--rule", "=3"),
        ("--rule", "self=3"),
        ("--rule", "colour=3"),
        ("--rule", "a\nb=3"),
        ("--wrong",),
        ("another.toml",),
    ],
)
def test_options_that_cannot_be(args, tmp_path):
    path = tmp_path / "position.toml"
    path.write_text(kibitz("position", "royal", "--seed", 3).stdout, encoding="utf-8")
    if args == ("--time", "1\n"):  # a stray end of line does no harm
        assert hint_json(path, "--time", "0.01\n")["moves"]
        return
    assert refused(kibitz("hint", path, *args))


@pytest.mark.parametrize("args", [("hint",), ("position", "poker"), ("position",), ("nothing",), ("match",)])
def test_commands_that_cannot_be(args):
    assert refused(kibitz(*args))


def test_help_imports_nothing_heavy():
    code = (
        "import sys, click.testing, cli\n"
        "result = click.testing.CliRunner().invoke(cli.main, sys.argv[1:])\n"
        "assert result.exit_code == 0, result.output\n"
        "print(*({'numba', 'numpy', 'networkx', 'rich', 'llvmlite'} & set(sys.modules)))"
    )
    for args in (["--help"], ["hint", "--help"], ["position", "-h"]):
        result = shell("-c", code, *args)
        assert result.returncode == 0, result.stderr
        assert not result.stdout.split()


def test_real_processes(tmp_path):
    printed = shell("-m", "cli", "position", "deckduel", "--seed", "3", "--moves", "11")
    assert printed.returncode == 0
    hint = shell("-m", "cli", "hint", "-", "--sims", "20", "--json", input=printed.stdout)
    assert hint.returncode == 0, hint.stderr
    assert json.loads(hint.stdout)["simulations"] == 20
    for data in (b"", b"\xff", b'game = "deckduel"\n'):
        broken = shell("-m", "cli", "hint", "-", input=data)
        assert broken.returncode == 2
        assert not broken.stdout
        assert broken.stderr.startswith(b"kibitz: -: ")
        assert broken.stderr.count(b"\n") == 1
