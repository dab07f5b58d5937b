"""Tournaments and death: process groups and single workers are killed, and no game is lost or doubled."""

import contextlib
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from harness import dump

from evaluation.store import Store

TOP = Path(__file__).parent.parent
# Some seconds of play with two jobs, so that there is time to interrupt it again and again.
COMMAND = [
    "tournament",
    "deckduel-basic",
    "greedy",
    "ismcts:sims=300",
    "random",
    "--deals",
    "700",
    "--jobs",
    "2",
]
GAMES = 700 * 2 * 3
ENVIRONMENT = os.environ | {"PYTHONPATH": os.pathsep.join([str(TOP), str(TOP / "tests")])}

pytestmark = pytest.mark.slow


def start(*words):
    """Start a command in a process group of its own."""
    return subprocess.Popen(
        [sys.executable, str(TOP / "cli.py"), *map(str, words)],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def finish(*words):
    """Run a command to its end and return what it printed."""
    process = start(*words)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    return out


def games_in(path):
    if not path.exists():
        return 0
    with Store(str(path)) as store:
        lineups = store.lineups()
        return sum((end - first) * 2 for lineup in lineups for first, end in store.spans(lineup))


def wait_for_more(path, process):
    """Wait until new games are in the file; return how many there are."""
    before = games_in(path)
    until = time.monotonic() + 120
    while (found := games_in(path)) == before:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until
        time.sleep(0.02)
    return found


def workers_of(process):
    """Return the processes that a command started to play, by what the system says of them, in full."""
    listed = subprocess.run(
        ["ps", "-ww", "-o", "pid=,args=", "--ppid", str(process.pid)], capture_output=True, text=True
    )
    lines = [line.split(None, 1) for line in listed.stdout.splitlines()]
    return [int(pid) for pid, words in lines if "spawn_main" in words]


def gone(pids):
    return not any(Path(f"/proc/{pid}").exists() and "Z" not in state(pid) for pid in pids)


def state(pid):
    with contextlib.suppress(OSError):
        return re.search(r"State:\s+(\S)", Path(f"/proc/{pid}/status").read_text(encoding="utf-8"))[1]
    return "Z"


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """What the command gives if nobody interrupts it."""
    path = tmp_path_factory.mktemp("whole") / "results.db"
    answer = json.loads(finish(*COMMAND, "--out", path, "--json"))
    with Store(str(path)) as store:
        return answer, dump(store)


def check(path, undisturbed):
    answer, games = undisturbed
    again = json.loads(finish(*COMMAND, "--out", path, "--json"))
    with Store(str(path)) as store:
        assert dump(store) == games
    assert len(games) == again["games"] == GAMES
    for name in ("crosstable", "seats", "efficiency", "games", "deals"):
        assert again[name] == answer[name]
    ranked = [[each[key] for key in ("agent", "rating", "score", "games")] for each in again["ranking"]]
    assert ranked == [
        [each[key] for key in ("agent", "rating", "score", "games")] for each in answer["ranking"]
    ]


def test_the_whole_group_is_killed_three_times(undisturbed, tmp_path):
    path = tmp_path / "results.db"
    dice = random.Random()
    kept = []
    for _ in range(3):
        process = start(*COMMAND, "--out", path)
        wait_for_more(path, process)
        time.sleep(dice.random() / 2)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        kept.append(games_in(path))
    assert kept == sorted(set(kept))  # each time it had gone on
    assert kept[0] < GAMES
    check(path, undisturbed)


def test_one_worker_is_killed(undisturbed, tmp_path):
    path = tmp_path / "results.db"
    process = start(*COMMAND, "--out", path, "--json")
    killed = 0
    for _ in range(2):
        wait_for_more(path, process)
        os.kill(workers_of(process)[0], signal.SIGKILL)
        killed += 1
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    assert json.loads(out)["games"] == GAMES
    assert killed == 2
    check(path, undisturbed)


def test_only_the_main_process_is_killed(undisturbed, tmp_path):
    """Its workers notice, and do not play on for nobody."""
    path = tmp_path / "results.db"
    process = start(*COMMAND, "--out", path)
    wait_for_more(path, process)
    workers = workers_of(process)
    assert len(workers) == 2
    process.kill()
    process.communicate()
    until = time.monotonic() + 10
    while not gone(workers):
        assert time.monotonic() < until
        time.sleep(0.1)
    check(path, undisturbed)


def test_an_interrupt_keeps_what_is_there(undisturbed, tmp_path):
    path = tmp_path / "results.db"
    process = start(*COMMAND, "--out", path)
    wait_for_more(path, process)
    workers = workers_of(process)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert re.search(rf"stopped: [\d,]+ of 4,200 games are kept in {path}; the same command continues", err)
    assert "rating" in out  # how it stands
    assert gone(workers)
    assert 0 < games_in(path) < GAMES
    check(path, undisturbed)


def test_a_player_that_kills_its_worker_loses_and_the_rest_is_played(tmp_path):
    path = tmp_path / "results.db"
    agents = ["random", "sample_players:KillsWorker:after=1", "greedy"]
    words = ["tournament", "deckduel-basic", *agents, "--deals", "2", "--jobs", "2", "--out", path, "--json"]
    answer = json.loads(finish(*words))
    assert answer["games"] == 12
    table = {each["agent"]: each for each in answer["ranking"]}
    assert table[agents[1]]["faults"] == 8
    assert table[agents[1]]["score"][0] == 0


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def cluster(tmp_path):
    """A Dask scheduler and two workers, real processes on this machine."""
    pytest.importorskip("distributed")
    address = f"tcp://127.0.0.1:{free_port()}"
    dask = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    scheduler = [*dask, "--host", "127.0.0.1", "--port", address.rpartition(":")[2], "--no-dashboard"]
    worker = [
        sys.executable,
        "-m",
        "distributed.cli.dask_worker",
        address,
        "--nworkers",
        "2",
        "--no-dashboard",
    ]
    started = []
    for words in (scheduler, [*worker, "--nthreads", "1", "--local-directory", str(tmp_path)]):
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        started.append(subprocess.Popen(words, env=ENVIRONMENT, start_new_session=True, **quiet))
    from distributed import Client

    with Client(address, timeout=60, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)
        yield address, client
    for process in started:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def test_a_dask_cluster_plays_the_same_games(undisturbed, cluster, tmp_path):
    """Also if one of its workers dies on the way."""
    address, client = cluster
    path = tmp_path / "results.db"
    process = start(*COMMAND, "--out", path, "--executor", f"dask={address}", "--json")
    wait_for_more(path, process)
    victim = next(iter(client.run(os.getpid).values()))
    os.kill(victim, signal.SIGKILL)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    assert json.loads(out)["games"] == GAMES
    check(path, undisturbed)


def test_a_cluster_without_a_scheduler_is_one_clear_line():
    pytest.importorskip("distributed")
    process = start(*COMMAND, "--executor", f"dask=tcp://127.0.0.1:{free_port()}")
    out, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert not out
    assert err.startswith("kibitz: --executor dask: no scheduler at")
    assert err.count("\n") == 1
