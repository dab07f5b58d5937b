"""The README keeps its promises: its commands, its Python, what it shows, and the files it links to."""

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from engines import notation, registry

TOP = Path(__file__).parent.parent
README = (TOP / "README.md").read_text()
EXAMPLES = sorted((TOP / "examples").glob("*.toml"))


def kibitz(*arguments: str) -> str:
    command = [sys.executable, "cli.py", *arguments]
    return subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=True).stdout


def shown(command: str) -> list[str]:
    """The lines that the README shows below a command."""
    block = README.split(f"$ kibitz {command}\n")[1].split("```")[0]
    return block.rstrip().splitlines()


def test_the_hint_command_works():
    (command,) = re.findall(r"&& \.venv/bin/kibitz (hint .*)", README)
    output = kibitz(*shlex.split(command))
    assert re.search(r"\d+\.\d%", output.splitlines()[2])


def test_the_hint_shown_is_the_hint_given():
    command = "hint examples/royal.toml --sims 20000"
    move = r"  (\S+ \S+) "
    best = re.match(move, kibitz(*shlex.split(command)).splitlines()[2])
    assert best
    assert best[1] == re.match(move, shown(command)[2])[1]


def test_the_check_shown_is_the_check_given():
    command = 'check "3S 4S 5S 6S" --add "6H 6D"'
    output = kibitz(*shlex.split(command))
    assert [line.rstrip() for line in output.rstrip().splitlines()] == shown(command)


def test_the_python_works(monkeypatch):
    monkeypatch.chdir(TOP)
    (block,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    test = doctest.DocTestParser().get_doctest(block, {}, "README.md", "README.md", 0)
    assert doctest.DocTestRunner().run(test).failed == 0


def test_every_command_and_game_is_listed():
    import cli

    commands = set(re.findall(r"`kibitz ([a-z]+)", README.split("## Commands")[1].split("##")[0]))
    assert commands == set(cli.main.commands)
    table = README.split("## Games")[1].split("##")[0]
    assert [name for name in registry.names() if f"| `{name}` |" not in table] == []


def test_ci_finds_both_commands():
    lines = re.findall(r"^python3 -m venv \.venv && .*$", README, re.MULTILINE)
    assert len(lines) == 2
    assert re.search(r"kibitz hint [^ ]+$", lines[0])
    assert re.search(r"pytest[^&]*$", lines[1])


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/design.md"])
def test_links_lead_somewhere(page):
    text = (TOP / page).read_text()
    targets = [target for target in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in target]
    assert [target for target in targets if not ((TOP / page).parent / target).exists()] == []


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_are_positions_with_a_choice(path):
    game, rules, view = notation.read_position(path)
    assert len(game.legal(rules, view)) > 1


def test_every_game_has_an_example():
    found = {notation.read_position(path)[0].name for path in EXAMPLES}
    assert found == set(registry.names())
