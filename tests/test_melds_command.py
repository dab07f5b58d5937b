"""``kibitz check`` and ``kibitz meld`` as a user meets them."""

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

from cli import main
from engines.cards import mask_of, parse_cards
from solvers.melds.draw import graph_svg


def kibitz(*args, text=None):
    return CliRunner().invoke(main, args, input=text)


def test_valid_table_names_each_group():
    result = kibitz("check", "9C TC JH QC", "6S,6H,6D")
    assert result.exit_code == 0
    assert "run 9C–QC" in result.output
    assert "set of sixes" in result.output


def test_regrouping_in_words():
    result = kibitz("check", "3S 4S 5S 6S", "6H 6D")
    assert result.exit_code == 1
    assert "needs at least 3 cards" in result.output
    assert "move 6S from the run 3S–6S to the group 6H 6D, now the set of sixes" in result.output


def test_add_makes_a_new_set():
    result = kibitz("check", "3S 4S 5S 6S", "--add", "6H 6D", "--json")
    assert result.exit_code == 0
    answer = json.loads(result.output)
    assert answer["moves"] == 3
    assert answer["proven"] is True
    assert "move 6S from the run 3S–6S to a new set of sixes" in answer["steps"]


def test_impossible_names_what_stands_in_the_way():
    answer = json.loads(kibitz("check", "3S 4S 5S KD", "--json").output)
    assert (answer["verdict"], answer["left_out"], answer["hopeless"]) == ("impossible", "KD", "KD")
    assert answer["part"] == "3S 4S 5S"


@pytest.mark.parametrize(
    ("group", "says"),
    [
        ("2S 3S 4C", "4C is a flower"),
        ("KC AC 2C", "round the corner"),
        ("3C 4C 6C", "gap between 4C and 6C"),
        ("9H TH JH JC", "more than one jack"),
        ("TS TC", "at least 3"),
        ("AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AH", "one end"),
    ],
)
def test_each_bad_group_is_told_what_is_wrong(group, says):
    result = kibitz("check", group)
    assert result.exit_code == 1
    assert says in result.output


@pytest.mark.parametrize(
    "args",
    [
        ("check",),
        ("check", ""),
        ("check", "3S 3S 4S"),
        ("check", "3S 4S 5S", "5S 5H 5D"),
        ("check", "3S 4S 5S", "--add", "3S"),
        ("check", "1S 4S 5S"),
        ("check", "X 4S 5S"),
        ("check", "3S 4S 5S", "--pool", "6S"),
        ("check", "--pool", ""),
        ("check", "-", "--add", "6S"),
        ("check", "3S " * 100_000),
        ("check", "3S 4S 5S", "--draw", "table.gif"),
        ("check", "3S 4S 5S", "--draw", "no/such/folder/table.svg"),
        ("meld", "--round", "1", "3C 3C 3C"),
        ("meld", "--round", "1", ""),
        ("meld", "--round", "1", "3C", "--table", "4H 6H 7H 8H"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(args):
    result = kibitz(*args)
    assert result.exit_code == 2
    assert result.output.startswith("kibitz: ")
    assert result.output.count("\n") == 1
    assert len(result.output) < 250


def test_all_52_cards_as_a_pool():
    deck = " ".join(r + s for r in "A23456789TJQK" for s in "CDHS")
    assert kibitz("check", "--pool", deck).exit_code == 0
    assert kibitz("check", "--pool", deck + " 3S").exit_code == 2


def test_one_line_a_table():
    lines = "3S 4S 5S|6S 6H 6D\n3S 4S 5S 6S|6H 6D\n3S 4S\n\n3S 3S 3S\n"
    result = kibitz("check", "-", text=lines)
    assert result.exit_code == 2
    words = [line.split(":")[0] for line in result.output.splitlines()]
    assert words == ["valid", "regroup", "impossible", "error", "error"]
    verdicts = [
        json.loads(line)["verdict"] for line in kibitz("check", "-", "--json", text=lines).output.splitlines()
    ]
    assert verdicts == words


def test_drawing(tmp_path):
    path = tmp_path / "table.svg"
    assert kibitz("check", "3S 4S 5S 6S", "--add", "6H 6D", "--draw", str(path)).exit_code == 0
    drawing = path.read_text(encoding="utf-8")
    assert drawing.startswith("<svg")
    assert "6♠" in drawing
    assert "from run 3S–6S" in drawing


def test_drawing_of_the_graph():
    drawing = graph_svg(mask_of(parse_cards("3S 4S 5S 6S 6H 6D AC")))
    assert drawing.startswith("<svg")
    assert "+1A" in drawing


def test_check_needs_no_numba_numpy_or_networkx():
    program = "import sys, cli\ncli.main(['check', '3S 4S 5S 6S', '--add', '6H 6D'], standalone_mode=False)\n"
    code = f"try:\n    exec({program!r})\nexcept SystemExit:\n    pass\nheavy = "
    code += "{'numba', 'numpy', 'networkx', 'scipy'} & set(sys.modules)\nsys.exit(len(heavy))"
    assert (
        subprocess.run([sys.executable, "-c", "import sys\n" + code], stdout=subprocess.DEVNULL).returncode
        == 0
    )


def test_meld_shows_ways_missing_cards_and_additions():
    result = kibitz("meld", "--round", "5", "7C 7D 2H KS KH X 4D 5D 6D 9S 9H JC")
    assert result.exit_code == 0
    assert "4D 5D 6D 7D" in result.output
    answer = json.loads(kibitz("meld", "--round", "1", "7C 7D 9S 9H JC", "--json").output)
    assert (answer["ready"], answer["missing"]) == (False, 2)
    assert set(answer["outs"]) == {"7C", "7D", "7H", "7S", "9C", "9D", "9H", "9S", "*"}
    result = kibitz("meld", "--round", "2", "8H 6H KD", "--table", "4H 5H *6H 7H")
    assert result.exit_code == 0
    assert "6H for the wild" in result.output
