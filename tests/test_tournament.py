"""Tournaments: who meets whom, results that do not depend on how they came, and agents that misbehave."""

import json
import math
import random
import re
import time
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import play_digests
import pytest
from click.testing import CliRunner
from harness import AGENTS, GAME, Here, dump, play, tournament

from cli import main
from engines import contract, registry
from engines.errors import InputError
from evaluation.blocks import SHARED
from evaluation.entrants import full_name, short_names
from evaluation.match import Table
from evaluation.ratings import rank
from evaluation.runner import Pool, Work, open_pool, play_task
from evaluation.store import PLAY, Store
from evaluation.tournament import combinations
from solvers.agents import parse_agent


def kibitz(*args):
    return CliRunner().invoke(main, [str(arg) for arg in args])


def refused(result, message):
    assert result.exit_code == 2, result.output
    assert not result.stdout
    assert result.stderr.count("\n") == 1, result.stderr
    assert message in result.stderr
    return True


def test_who_meets_whom():
    assert combinations("abc", 2) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert combinations("abcd", 3) == [tuple("abc"), tuple("abd"), tuple("acd"), tuple("bcd")]
    assert combinations("abc", 2, "gauntlet") == [("a", "b"), ("a", "c")]
    assert combinations("abc", 4, "gauntlet") == [tuple("abbb"), tuple("accc")]
    assert combinations("ab", 3) == [tuple("aab"), tuple("abb")]
    assert combinations("a", 2) == [("a", "a")]
    assert len(combinations("abcdef", 6)) == 1


@pytest.mark.parametrize("name", registry.names())
@pytest.mark.parametrize("agent", ["random", "ismcts:sims=3"])
def test_an_agent_against_itself_gets_exactly_one_half(name, agent):
    with Store() as store:
        event = play(store, [agent], 6, name)
        results = event.results()
        seatings = results.returns.reshape(6, results.seats, results.seats)
        assert (seatings == seatings[:, :1]).all()  # the same game in every seating
        assert rank(results).standings[0].score.value == pytest.approx(1 / results.seats, abs=1e-12)


@pytest.fixture(scope="module")
def wanted():
    with Store() as store:
        play(store)
        return dump(store)


def test_a_tournament_is_continued_and_extended(wanted, tmp_path):
    path = str(tmp_path / "results.db")
    played = []
    for deals in (3, 3, 11, 20):
        with Store(path, create=True) as store:
            here = Here()
            event = play(store, deals=deals, executor=here)
            assert event.played == event.total == deals * 6
            played += [(task.lineup.id, task.first + i) for task in here.tasks for i in range(task.deals)]
    assert len(set(played)) == len(played) == 60
    with Store(path) as store:
        assert dump(store) == wanted
        assert play(store, deals=5).played == 30  # fewer are asked for than are there
        assert len(tournament(store, deals=5).results()) == 30


def test_any_executor_gives_the_same_games(wanted):
    with Store() as store, ThreadPoolExecutor(3) as threads:
        play(store, executor=threads)
        assert dump(store) == wanted


def test_it_does_not_matter_how_agents_are_written(wanted):
    with Store() as store:
        play(store, ["ismcts:c=0.5,sims=4", "random:", "greedy"])
        assert dump(store) == wanted
    game = registry.load(GAME)
    full = full_name("ismcts:sims=1000000,c=0.123456789", game)
    assert "sims=1000000," in full
    assert full_name(full, game) == full
    assert short_names([full, "random"], game) == ["ismcts:sims=1000000,c=0.123456789", "random"]


def test_another_seed_or_rule_is_another_tournament(wanted):
    for change in ({"seed": 1}, {"rules": {"start_health": 9}}):
        with Store() as store:
            play(store, **change)
            other = dump(store)
            assert not set(other) & set(wanted)
            assert list(other.values()) != list(wanted.values())


def test_the_same_id_is_still_the_same_game():
    """If engines or agents are meant to play otherwise now: raise ``PLAY`` and renew the file of digests."""
    assert play_digests.PATH.read_text(encoding="utf-8").splitlines() == play_digests.lines()


class Crashing(Pool):
    """Workers that die: at random, or whenever they get certain deals. All that is under way is then lost."""

    def __init__(self, often=0.0, poison=(), seed=1):
        super().__init__(2)
        self.dice = random.Random(seed)
        self.often, self.poison = often, poison
        self.broken = False
        self.renewed = 0

    def submit(self, task):
        if self.broken:
            raise BrokenExecutor("broken")
        future = Future()
        bad = any((task.lineup.agents, task.first + i) in self.poison for i in range(task.deals))
        if bad or self.dice.random() < self.often:
            self.broken = True
            future.set_exception(BrokenExecutor("a worker died"))
        else:
            future.set_result(play_task(task))
        return future

    def check(self):
        pass

    def renew(self):
        self.broken = False
        self.renewed += 1


@pytest.mark.parametrize("seed", range(4))
def test_workers_that_die_at_random_change_nothing(wanted, seed):
    pool = Crashing(0.3, seed=seed)
    with Store() as store:
        play(store, executor=pool)
        found = dump(store)
    assert pool.renewed
    assert found == wanted


def test_a_deal_that_kills_every_worker_is_given_up(wanted):
    pool = Crashing(poison=[(("greedy", "random"), 7)])
    with Store() as store:
        event = play(store, executor=pool)
        found = dump(store)
        changed = {key for key in wanted if found[key] != wanted[key]}
        lineup = next(each for each in event.lineups if each.agents == ("greedy", "random"))
        assert changed == {f"{lineup.id}-7-0", f"{lineup.id}-7-1"}
        for key in changed:
            assert found[key] == ([0.5, 0.5], [0, 0], SHARED, "the process that played it died", [])
        assert len(found) == len(wanted)
        assert math.isfinite(rank(event.results()).standings[0].rating.value)
    assert pool.renewed < 10


def test_a_worker_that_fails_otherwise_ends_the_run_and_keeps_the_rest():
    class Failing(Here):
        def submit(self, function, *tasks):
            future = super().submit(function, *tasks)
            if len(self.tasks) == 9:
                future = Future()
                future.set_exception(MemoryError("no room"))
            return future

    with Store() as store:
        with pytest.raises(InputError, match="MemoryError: no room"):
            play(store, executor=Failing())
        kept = len(dump(store))
        assert 0 < kept < 120
        play(store)
        assert len(dump(store)) == 120


def test_workers_that_cannot_work_play_nothing():
    """Nothing may be given up because the workers never were in order."""

    class Unable(Here):
        def __init__(self, problem):
            super().__init__()
            self.problem = problem

        def submit(self, function, *tasks):
            future = Future()
            if self.problem:
                future.set_exception(self.problem)
            else:
                future.set_result(PLAY + 1)
            return future

    for problem, text in (
        (BrokenExecutor("gone"), "die before they play"),
        (ImportError("no module evaluation"), "no module evaluation"),
        (None, f"version {PLAY + 1}"),
    ):
        with Store() as store:
            with pytest.raises(InputError, match=text):
                play(store, executor=Unable(problem))
            assert not store.lineups()


def test_pieces_cover_the_gaps_and_grow_with_care():
    work = Work("line-up", [(3, 5), (8, 9), (20, 30)], 12)
    assert work.left == 3 + 3 + 3
    assert work.take(1.0) == (0, 1)  # nothing known: one deal
    work.learn(1, 1e-6)
    assert work.take(1.0) == (1, 2)
    assert [work.take(1.0), work.take(1.0)] == [(5, 3), (9, 3)]
    assert work.left == 0
    work = Work("line-up", [], 1000)
    work.take(1.0)
    work.learn(1, 1e-6)
    assert work.take(1.0)[1] == 16
    work.learn(16, 16.0)
    assert work.take(3.5)[1] == 3


BAD = {
    "Raises": "raised ValueError: nothing comes to mind (sample_players.py line",
    "Illegal": "illegal move",
    "Speechless": "returned no move but str",
    "Dies": "its process died (exit code 7)",
    "Hangs": "took longer than 0.3 s",
}


@pytest.mark.parametrize("kind", BAD)
def test_a_player_that_misbehaves_loses_its_games(kind):
    bad = f"sample_players:{kind}:after=2"
    with Store() as store:
        began = time.monotonic()
        event = play(store, ["random", bad], 1, move_time=0.3)
        assert time.monotonic() - began < 30
        results = event.results()
        assert len(results) == 2
        faults = store.faults(event.lineups[0])
        assert len(faults) == 2
        for game, reason in enumerate(faults.values()):
            assert BAD[kind] in reason
            seat = results.players[game].tolist().index(1)
            assert results.fault[game] == seat
            assert results.returns[game, seat] == 0
            assert results.returns[game].sum() == 1
            assert results.decisions[game, seat] == 2
        standings = {standing.name: standing for standing in rank(results).standings}
        assert standings[bad].faults == 2
        assert standings["random"].score.value == 1


@pytest.mark.parametrize("name", registry.names())
def test_an_agent_outside_is_shown_its_view_and_nothing_else(name):
    game = registry.load(name)
    rules = game.rules(max_turns=30)
    asked = []

    class Spy:
        def choose(self, seat, view, moves, seed, fresh):
            hidden = game.view(rules, view, seat)
            assert hidden.tobytes() == view.tobytes()
            assert contract.mover(rules, view[0]) == seat
            assert moves == game.legal(rules, view)
            asked.append((seat, seed, fresh))
            view[0] = np.zeros(1, game.state_type)[0]  # it has a copy
            return moves[seed % len(moves)]

    agents = [Spy(), *[parse_agent("greedy", game)] * (contract.seats(rules) - 1)]
    one, two = (Table(game, rules, agents, 3).play(0, 2) for _ in range(2))
    assert one.record == two.record
    assert (one.fault == -1).all()
    assert len(set(asked)) == len(asked) // 2 > 4
    assert sum(fresh for _, _, fresh in asked) == 2 * len(one.returns)


def test_players_in_python_play_the_same_whatever_came_before(wanted):
    """One process plays many games, another few: no game depends on it, and ours play as they always do."""
    agents = ["greedy", "sample_players:Seeded", "random"]
    with Store() as store, Store() as other:
        play(store, agents, 4)
        for deals in (1, 4):
            play(other, agents, deals)
        games = dump(store)
        assert games == dump(other)
        ours = [key for key in games if key in wanted]
        assert len(ours) == 8
        assert all(games[key] == wanted[key] for key in ours)
        assert not any(game[2] != -1 for game in games.values())


def test_a_player_that_kills_the_worker_loses():
    pool = Crashing(poison=[(("random", full_name("sample_players:First", registry.load(GAME))), 1)])
    with Store() as store:
        event = play(store, ["sample_players:First", "random"], 3, executor=pool)
        results = event.results()
        lost = results.deal == 1
        assert (results.returns[lost][results.players[lost] == 0] == 0).all()
        assert (results.returns[lost][results.players[lost] == 1] == 1).all()
        assert (results.fault[~lost] == -1).all()


def test_an_edited_player_is_another_agent(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    game = registry.load(GAME)
    source = "class Bot:\n    def __init__(self, game): ...\n"
    (tmp_path / "my_bot.py").write_text(source, encoding="utf-8")
    one = full_name("my_bot:Bot", game)
    (tmp_path / "my_bot.py").write_text(source + "\n", encoding="utf-8")
    other = full_name("my_bot:Bot", game)
    assert one != other
    assert short_names([one], game) == ["my_bot:Bot"]
    assert short_names([one, other], game) == [one, other]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["tournament", GAME, "greedy", "greedy"], "named twice"),
        (["tournament", GAME, "greedy", "clever"], "unknown agent"),
        (["tournament", GAME, "greedy", "no_module:Bot"], "unknown agent"),
        (["tournament", GAME, "greedy", "sample_players:Nobody"], "Nobody"),
        (["tournament", GAME, "greedy", "sample_players:CannotBeMade"], "CannotBeMade"),
        (["tournament", "chess", "greedy"], "unknown game"),
        (["tournament", GAME, "greedy", "random", "--executor", "mpi"], "expected local or dask"),
        (["tournament", GAME, "greedy", "random", "--out", "no/such/folder/x.db"], "No such file"),
        (["tournament", GAME, "greedy", "random", "--move-time", "soon"], "--move-time"),
        (["tournament", GAME, "greedy", "random", "--rule", "start_health=x"], "start_health"),
        (["compare", GAME, "greedy", "greedy"], "two different agents"),
        (["compare", GAME, "greedy", "random", "--sprt", "elo=3"], "--sprt"),
        (["compare", GAME, "greedy", "random", "--sprt", "elo1=3", "--rule2", "max_turns=9"], "only one"),
    ],
)
def test_mistakes_are_one_clear_line(words, message):
    assert refused(kibitz(*words), message)


def test_the_report_of_a_file_with_several_games(tmp_path):
    path, page = tmp_path / "x.db", tmp_path / "x.html"
    with Store(str(path), create=True) as store:
        play(store, deals=3)
        play(store, deals=3, rules={"start_health": 5})
    assert refused(kibitz("report", path, "-o", page), "--rule start_health=5")
    rules = ["--rule", "start_health=5", "--rule", "max_turns=60"]
    assert kibitz("report", path, "-o", page, *rules).exit_code == 0
    text = page.read_text(encoding="utf-8")
    assert "start_health" in text
    assert "kibitz tournament deckduel-basic" in text
    assert refused(kibitz("report", path, "-o", page, "--rule", "start_health=6"), "no such games")
    assert refused(kibitz("report", path, "-o", tmp_path, *rules), "directory")


@pytest.fixture
def here(monkeypatch):
    """The commands play in this process."""

    class HerePool(Pool):
        def stop(self):
            pass

    monkeypatch.setattr("evaluation.runner.Pool", lambda jobs: HerePool(jobs, Here()))


def test_the_tournament_command(here, tmp_path):
    command = [
        "tournament",
        GAME,
        *AGENTS,
        "--deals",
        20,
        "--rule",
        "max_turns=60",
        "--out",
        tmp_path / "x.db",
    ]
    text = kibitz(*command)
    assert text.exit_code == 0, text.output
    lines = text.stdout.splitlines()
    assert "120 games on 20 deals" in lines[0]
    assert all(any(line.split()[1:2] == [agent] for line in lines) for agent in AGENTS)
    assert "Share of the wins by seat" in text.stdout
    assert "duplicate deals" in text.stdout
    answer = json.loads(kibitz(*command, "--json").stdout)
    assert answer["games"] == 120
    assert {each["agent"] for each in answer["ranking"]} == set(AGENTS)
    ratings = [each["rating"][0] for each in answer["ranking"]]
    assert ratings == sorted(ratings, reverse=True)
    merged = kibitz(*command[:-1], tmp_path / "y.db", "--merge", tmp_path / "x.db", "--json")
    assert json.loads(merged.stdout)["crosstable"] == answer["crosstable"]


def test_compare_gives_the_verdict_first_and_stops_early(here, tmp_path):
    test = ["--sprt", "elo0=0,elo1=40"]
    command = ["compare", GAME, "random", "greedy", "--out", tmp_path / "x.db", "--deals", 5000]
    result = kibitz(*command, *test)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("greedy is better than random")
    assert "stopped" in result.stdout.splitlines()[0]
    answer = json.loads(kibitz(*command, *test, "--json").stdout)
    assert answer["decision"] == "second"
    assert answer["deals"] < 1000
    # Deals played in advance do not change the answer.
    other = [*command[:-3], tmp_path / "y.db", "--deals"]
    assert kibitz(*other, 2000).exit_code == 0
    again = kibitz(*other, 5000, *test, "--json")
    assert json.loads(again.stdout) == answer
    unsure = kibitz("compare", GAME, "ismcts:sims=20", "ismcts:sims=21", "--deals", 12)
    assert unsure.stdout.startswith("Not enough games, about ")


def test_compare_two_sets_of_rules_on_the_same_deals(here):
    command = ["compare", GAME, "greedy", "greedy", "--deals", 60, "--rule2", "start_health=3"]
    text = kibitz(*command)
    assert text.exit_code == 0, text.output
    assert text.stdout.startswith("Shown to change (each at 95 %): decisions in a game")
    answer = json.loads(kibitz(*command, "--json").stdout)
    assert answer["difference"]["decisions in a game"][0] < 0
    assert [rules["rules"] for rules in answer["rules"]] == [{}, {"start_health": "3"}]


def test_the_python_of_the_page_works(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    page = (Path(__file__).parent.parent / "docs" / "tournaments.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(compile(block, "tournaments.md", "exec"), {})
    assert capsys.readouterr().out.startswith("greedy Estimate(")
    assert (tmp_path / "results.db").exists()


def test_local_processes_play_the_same_games(wanted, tmp_path):
    with Store(str(tmp_path / "x.db"), create=True) as store, open_pool(2) as pool:
        play(store, executor=pool)
        assert dump(store) == wanted
