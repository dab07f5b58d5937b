"""Compiled code against the same code as plain Python, and the cache of compiled code."""

import ast
import inspect
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from digest_games import digests

from engines import compiled, contract, registry

TOP = Path(__file__).parent.parent
CONTRACT = [
    value
    for value in vars(contract).values()
    if hasattr(value, "registry") and value.__module__ == contract.__name__
]

PROBE = """
import sys
import numpy as np
from engines import compiled, registry
from engines.random import stream
from solvers.playout import playouts
announced = []
compiled.announce = announced.append
game = registry.load("deckduel-basic")
won = np.zeros(2)
count = playouts(game.rules(), game.blank(), 20, 0.5, stream(1), won)
print(count, *won.tolist(), "compiled" if announced else "loaded")
"""


def run(*args, wait=True, **environment):
    """Start Python in the top folder, with some variables of the environment changed."""
    variables = {key: value for key, value in os.environ.items() if key != "NUMBA_DISABLE_JIT"}
    process = subprocess.Popen(
        [sys.executable, *args],
        cwd=TOP,
        env=variables | {"PYTHONPATH": str(TOP)} | {key: str(value) for key, value in environment.items()},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    return finish(process) if wait else process


def finish(process):
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert not err
    return out.split()


@pytest.mark.parametrize("name", registry.names())
def test_compiled_and_plain_python_play_the_same_games(name):
    """Move by move: legal moves, chances, estimates, views, search trees and final states."""
    plain = run("tests/digest_games.py", name, wait=False, NUMBA_DISABLE_JIT=1)
    found = digests(name)
    assert finish(plain) == found
    assert len(set(found)) == len(found)


def test_every_game_implements_the_whole_contract():
    assert len(CONTRACT) == 18
    for name in registry.names():
        rules_type = registry.load(name).rules_type
        for function in CONTRACT:
            assert rules_type in function.registry, f"{name} lacks {function.__name__}"


def test_names_that_compiled_code_tells_apart():
    """Numba mangles a function by module and name, a NamedTuple by the name of its class."""
    games = [registry.load(name) for name in registry.names()]
    names = [game.rules_type.__name__ for game in games]
    assert len(set(names)) == len(names)
    for game in games:
        implementations = [function.registry[game.rules_type] for function in CONTRACT]
        places = Counter((inspect.getmodule(one).__name__, one.__name__) for one in implementations)
        assert max(places.values()) == 1
    for package in compiled.SOURCES:
        for path in (TOP / package).rglob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            defined = Counter(node.name for node in tree.body if isinstance(node, ast.FunctionDef))
            assert all(count == 1 for count in defined.values()), path


def test_the_second_process_loads_what_the_first_compiled_or_compiles_what_is_corrupt(tmp_path):
    first, rival = (run("-c", PROBE, wait=False, KIBITZ_CACHE=tmp_path) for _ in range(2))
    found = [finish(first), finish(rival)]  # two cold starts at once
    assert found[0][:3] == found[1][:3]
    assert "compiled" in (found[0][3], found[1][3])
    answer = found[0][:3]
    assert run("-c", PROBE, KIBITZ_CACHE=tmp_path) == [*answer, "loaded"]
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    assert all(path.suffix == ".bin" for path in files), "drafts are left behind"
    for path in files:
        whole = path.read_bytes()
        path.write_bytes(whole[: len(whole) // 2])
    assert run("-c", PROBE, KIBITZ_CACHE=tmp_path) == [*answer, "compiled"]
    assert run("-c", PROBE, KIBITZ_CACHE=tmp_path) == [*answer, "loaded"]
    for path in files:
        path.write_bytes(b"no pickle at all")
    blocked = tmp_path / "file"
    blocked.write_text("a file where the folder should be")
    others = [
        run("-c", PROBE, wait=False, KIBITZ_CACHE=folder) for folder in (tmp_path, blocked)
    ]  # corrupt, and unusable
    for process in others:
        assert finish(process) == [*answer, "compiled"]


def test_a_folder_that_others_can_write_to_is_not_trusted(tmp_path, monkeypatch):
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path))
    folder = compiled.cache_folder.__wrapped__()
    assert folder is not None
    assert folder.stat().st_mode & 0o077 == 0
    folder.chmod(0o777)
    assert compiled.cache_folder.__wrapped__() is None
    folder.chmod(0o700)
    assert compiled.cache_folder.__wrapped__() == folder


def test_the_cache_belongs_to_the_sources(tmp_path, monkeypatch):
    before = compiled.sources_digest()
    assert before == compiled.sources_digest()
    monkeypatch.setattr(compiled, "SOURCES", ("engines",))
    assert compiled.sources_digest() != before
