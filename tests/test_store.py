"""Results files: records that replay, nothing doubled or lost, and files of others left alone."""

import csv
import hashlib
import itertools
import json
import random
import sqlite3

import numpy as np
import pytest
from click.testing import CliRunner
from harness import dump, play

from cli import main
from engines import registry
from engines.errors import InputError
from evaluation.blocks import Block, joined, pack, united, unpack
from evaluation.match import Table, read_events, write_event
from evaluation.records import export, steps, story
from evaluation.store import Lineup, Store
from evaluation.tournament import make_lineups
from solvers.agents import parse_agent


def kibitz(*args):
    return CliRunner().invoke(main, [str(arg) for arg in args])


def test_numbers_of_a_record_come_back():
    numbers = [0, 1, 127, 128, 300, 16_383, 16_384, 2**31, 2**62]
    buffer, at = np.zeros(100, np.uint8), 0
    for number in numbers:
        at = write_event(buffer, at, number)
    assert read_events(buffer[:at].tobytes()) == numbers


@pytest.mark.parametrize("name", registry.names())
def test_records_replay_in_the_engine(name):
    """Plain Python goes through all that the compiled loop wrote, and comes to the same end."""
    game = registry.load(name)
    with Store() as store:
        event = play(store, ["greedy", "random"], 2, name, seed=5)
        lineup = event.lineups[0]
        for record in store.records(lineup):
            told = list(steps(record))
            assert [step["code"] for step in told] == record.events
            seats = [step["seat"] for step in told if step["seat"] is not None]
            assert [seats.count(seat) for seat in range(lineup.seats)] == record.decisions
            assert sum(record.returns) == pytest.approx(1)
            lines = list(story(record))
            assert len(lines) >= len(told) + 2
            assert lines[0].startswith(game.title)
            assert store.game(record.id) == record
        spoiled = record.__class__(**record.__dict__ | {"events": [*record.events, 0]})
        with pytest.raises(InputError, match="does not fit"):
            list(steps(spoiled))


def test_a_long_record_does_not_matter(monkeypatch):
    """The record's buffer grows in the middle of a game without a trace."""
    game = registry.load("royal")
    agents = [parse_agent("greedy", game), parse_agent("random", game)]
    whole = Table(game, game.rules(), agents).play(0, 3)
    monkeypatch.setattr("evaluation.match.FIRST_RECORD", 16)
    parts = Table(game, game.rules(), agents).play(0, 3)
    assert parts.record == whole.record
    assert (parts.sizes == whole.sizes).all()
    bare = Table(game, game.rules(), agents).play(0, 3, record=False)
    assert (bare.returns == whole.returns).all()
    assert not bare.record


def some_block(first=0, deals=4, seed=0, seats=2):
    dice = np.random.default_rng(seed)
    games = deals * seats
    sizes = dice.integers(0, 9, games)
    return Block(
        first,
        dice.random((games, seats)),
        dice.random((games, seats)).astype(np.float32),
        dice.integers(0, 300, (games, seats)),
        dice.integers(-1, seats, games),
        sizes,
        dice.bytes(int(sizes.sum())),
        {(first, 0): "why"},
    )


def same(one, other):
    names = ("first", "record", "reasons")
    arrays = ("returns", "seconds", "decisions", "fault", "sizes")
    return all(getattr(one, name) == getattr(other, name) for name in names) and all(
        (getattr(one, name) == getattr(other, name)).all() for name in arrays
    )


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_blocks_are_packed_cut_and_joined(seats):
    block = some_block(10, 5, seats=seats)
    assert same(unpack(pack(block), seats), block)
    assert same(joined([block.part(10, 11), block.part(11, 14), block.part(14, 15)]), block)
    with pytest.raises(InputError, match="damaged"):
        unpack(pack(block), seats + 1)
    packed = pack(block)
    with pytest.raises(InputError, match="damaged"):
        unpack(packed.__class__(**packed.__dict__ | {"results": packed.results[:-5]}), seats)


def test_of_two_different_games_always_the_same_is_kept():
    one, other = some_block(0, 4, 1), some_block(2, 5, 2)
    both = united(one, other)
    assert same(both, united(other, one))
    assert (both.first, both.end) == (0, 7)
    assert same(both.part(0, 2), one.part(0, 2))
    assert same(both.part(4, 7), other.part(4, 7))
    for deal in (2, 3):
        assert any(same(both.part(deal, deal + 1), each.part(deal, deal + 1)) for each in (one, other))


def lineup(**changes):
    game = registry.load("royal")
    return make_lineups(game, game.rules(), ["greedy", "random"], seed=3)[0].__class__(
        **make_lineups(game, game.rules(), ["greedy", "random"], seed=3)[0].__dict__ | changes
    )


def test_totals_do_not_depend_on_the_order_of_arrival():
    """Blocks come in any order, cut anywhere, some of them twice."""
    whole = some_block(0, 30, 7)
    whole.reasons = {(deal, 1): f"fault {deal}" for deal in range(0, 30, 4)}
    wanted = None
    for seed in range(12):
        dice = random.Random(seed)
        cuts = sorted({0, 30, *(dice.randrange(30) for _ in range(6))})
        parts = [whole.part(first, end) for first, end in itertools.pairwise(cuts)]
        first = dice.randrange(20)
        parts.append(whole.part(first, dice.randrange(first + 1, 31)))
        dice.shuffle(parts)
        with Store() as store:
            for part in parts:
                store.add(lineup(), pack(part))
                if dice.random() < 0.5:
                    store.commit()
            store.commit()
            assert store.spans(lineup()) == [(0, 30)]
            assert same(joined(list(store.blocks(lineup(), records=True))), whole)
            results = store.results([lineup()])
            wanted = wanted or results
            assert (results.returns == wanted.returns).all()
            assert (results.deal == np.repeat(np.arange(30), 2)).all()


def test_the_results_say_who_sat_where():
    with Store() as store:
        event = play(store, ["greedy", "random", "ismcts:sims=2"], 3)
        results = event.results()
        assert len(results) == 3 * 3 * 2
        assert results.agents == ["greedy", "random", "ismcts:sims=2"]
        for record in (record for each in event.lineups for record in store.records(each)):
            seats = [event.agents.index(agent) for agent in record.agents]
            rows = np.flatnonzero((results.players == seats).all(axis=1) & (results.deal == record.deal))
            assert len(rows) == 1
            assert results.returns[rows[0]].tolist() == record.returns
            assert results.decisions[rows[0]].tolist() == record.decisions
            assert results.seating[rows[0]] == record.seating
        searcher = results.players == 2
        assert (results.seconds[searcher] > 0).all()
        assert (results.seconds[~searcher] == 0).all()


def test_an_id_tells_everything_that_determines_a_game():
    base = lineup()
    game = registry.load("royal")
    other_rules = tuple((name, value + 1) for name, value in base.rules)
    changes = {"game": "dukes", "rules": other_rules, "seed": 4, "agents": ("greedy", "greedy"), "play": 2}
    ids = {base.id, *(lineup(**{name: value}).id for name, value in changes.items())}
    assert len(ids) == 1 + len(changes)
    swapped = make_lineups(game, game.rules(), ["random", "greedy"], seed=3)[0]
    assert swapped.id == base.id


def test_merging_gives_what_one_machine_would_have_played(tmp_path):
    here, there, whole = (str(tmp_path / name) for name in ("a.db", "b.db", "c.db"))
    for path, deals, seed in ((here, 12, 0), (there, 20, 0), (whole, 20, 0), (there, 5, 9), (whole, 5, 9)):
        with Store(path, create=True) as store:
            play(store, deals=deals, seed=seed)
    with Store(whole) as store, Store(here) as target:
        wanted = dump(store)
        assert len(wanted) == (20 + 5) * 3 * 2
        target.merge(there)
        assert dump(target) == wanted
        target.merge(there)  # once more changes nothing
        assert dump(target) == wanted
        assert all(target.spans(each) in ([(0, 20)], [(0, 5)]) for each in target.lineups())


def foreign_files(folder):
    """Files that are no results of ours, by what the message must say."""
    (folder / "text.db").write_text("dear diary\n" * 50, encoding="utf-8")
    (folder / "empty.db").write_bytes(b"")
    (folder / "header.db").write_bytes(b"SQLite format 3\0")
    with sqlite3.connect(folder / "other.db") as database:
        database.execute("CREATE TABLE recipes (name TEXT)")
    database.close()
    with Store(str(folder / "newer.db"), create=True) as store:
        play(store, ["greedy", "random"], 1)
    content = bytearray((folder / "newer.db").read_bytes())
    content[60:64] = (99).to_bytes(4, "big")
    (folder / "newer.db").write_bytes(content)
    (folder / "folder.db").mkdir()
    return {
        "text.db": "not a database",
        "empty.db": "not a database",
        "header.db": "not a database",
        "other.db": "another program",
        "newer.db": "format 99",
        "folder.db": "no such file",
    }


def test_files_of_others_are_refused_and_left_alone(tmp_path):
    expected = foreign_files(tmp_path)

    def state():
        files = [path for path in tmp_path.iterdir() if path.is_file()]
        return {
            path.name: (hashlib.sha256(path.read_bytes()).digest(), path.stat().st_mtime_ns) for path in files
        }

    before = state()
    for name, problem in expected.items():
        path = tmp_path / name
        for command in (
            ["tournament", "royal", "greedy", "random", "--deals", 1, "--out", path],
            ["tournament", "royal", "greedy", "random", "--deals", 1, "--merge", path],
            ["compare", "royal", "greedy", "random", "--deals", 1, "--out", path],
            ["replay", path],
            ["export", path, "-o", tmp_path / "x.csv"],
        ):
            result = kibitz(*command)
            assert result.exit_code == 2, result.output
            assert problem in result.stderr
            assert result.stderr.count("\n") == 1
            assert not result.stdout
    assert state() == before


def test_a_damaged_file_is_one_clear_line(tmp_path):
    path = tmp_path / "a.db"
    with Store(str(path), create=True) as store:
        play(store, ["greedy", "random"], 5)
    with sqlite3.connect(path) as database:
        database.execute("UPDATE blocks SET results = x'00'")
    database.close()
    result = kibitz("export", path, "-o", tmp_path / "x.csv")
    assert result.exit_code == 2
    assert "damaged" in result.stderr
    content = bytearray(path.read_bytes())
    content[100:] = random.Random(1).randbytes(len(content) - 100)
    path.write_bytes(content)
    result = kibitz("replay", path)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1


@pytest.fixture
def played(tmp_path):
    path = tmp_path / "results.db"
    with Store(str(path), create=True) as store:
        play(store, deals=4)
    return path


def test_export_and_back(played, tmp_path):
    for name in ("x.jsonl", "x.csv"):
        assert kibitz("export", played, "-o", tmp_path / name).exit_code == 0
    with Store(str(played)) as store:
        records = [record for each in store.lineups() for record in store.records(each)]
    lines = [json.loads(line) for line in (tmp_path / "x.jsonl").read_text(encoding="utf-8").splitlines()]
    with open(tmp_path / "x.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(lines) == len(rows) == len(records) == 4 * 3 * 2
    for record, line, row in zip(records, lines, rows, strict=True):
        assert line["id"] == row["id"] == record.id
        assert line["events"] == record.events
        assert line["rules"] == dict(record.lineup.rules)
        assert [float(row[f"return_{seat}"]) for seat in (1, 2)] == line["returns"] == record.returns
        assert [row[f"agent_{seat}"] for seat in (1, 2)] == line["agents"] == record.agents
        assert [int(row[f"decisions_{seat}"]) for seat in (1, 2)] == record.decisions
        known = Lineup(
            line["game"], tuple(line["rules"].items()), line["seed"], tuple(sorted(line["agents"]))
        )
        assert line["id"] == f"{known.id}-{line['deal']}-{line['seating']}"
    with Store(str(played)) as store, pytest.raises(InputError, match=r"\.jsonl or \.csv"):
        export(store, store.lineups(), "x.xml")


def test_replay_shows_a_game_by_the_beginning_of_its_id(played):
    listed = kibitz("replay", played)
    assert listed.exit_code == 0
    key = listed.stdout.split()[0]
    whole = kibitz("replay", played, f"{key}-3-1")
    assert whole.exit_code == 0
    assert "result: " in whole.stdout
    assert kibitz("replay", played, f"{key[:5]}-3-1").stdout == whole.stdout
    assert key in kibitz("replay", played, key[:5]).stdout
    answer = json.loads(kibitz("replay", played, f"{key}-3-1", "--json").stdout)
    assert [step["code"] for step in answer["steps"]] == answer["events"]
    for wrong in ("xyz-1-1", f"{key}-4-0", f"{key}-0-2", "-0-0", "123456789abc-0-0", "zzz"):
        result = kibitz("replay", played, "--", wrong)
        assert result.exit_code == 2, wrong
        assert result.stderr.count("\n") == 1


def test_a_file_that_may_not_be_written_can_be_read(played):
    played.chmod(0o444)
    assert kibitz("replay", played).exit_code == 0
