"""The report: a page that is whole, says what the ranking says, and shows every text as text."""

import dataclasses
import math
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import numpy as np
import pytest

from evaluation.intervals import Estimate
from evaluation.plots import Axis, Curve, Row, curve_plot, histogram, interval_plot, log_ticks, ticks
from evaluation.ratings import rank
from evaluation.report import Facts, budget_curves, report
from tests.simulated import games, tournament

EMPTY = {"meta", "br"}
NASTY = "<script>alert(\"1\")</script> & 'co'"


class Page(HTMLParser):
    """Checks that tags nest, and keeps the words and the attributes."""

    def __init__(self, text):
        super().__init__()
        self.open, self.words, self.attributes, self.tags = [], [], [], []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())


@pytest.fixture
def rng():
    return np.random.default_rng(4)


@pytest.fixture
def results(rng):
    played = tournament(rng, [0, 150, 260, 330], [25, -25], 80, 0.7, True)
    agents = ["random", "greedy", "ismcts:sims=100", "ismcts"]
    return dataclasses.replace(played, agents=agents, game="royal")


def drawings(text):
    return [ET.fromstring(each) for each in re.findall(r"<svg.*?</svg>", text, re.S)]


def test_the_page_says_what_the_ranking_says(results):
    facts = Facts(
        "Royal Family", ("first player", "second player"), ["kibitz tournament royal …"], version="9.9"
    )
    text = report(results, facts)
    page = Page(text)
    ranking = rank(results)
    assert "<title>Royal Family: tournament</title>" in text
    for standing in ranking.standings:
        assert standing.name in page.text
        assert f"{standing.rating.value:+.0f} ({standing.rating.low:+.0f} to" in page.text
        assert f"{100 * standing.score.value:.1f} %" in page.text
    for row in ranking.cross:
        for cell in filter(None, row):
            assert f"{100 * cell.value:.1f} ±" in page.text
    assert f"One game is worth {ranking.efficiency.value:.2f} games" in page.text
    assert "first player" in page.text
    assert "kibitz tournament royal …" in page.text
    assert "Made by Kibitz 9.9." in page.text
    assert "The rules are the usual ones." in page.text
    assert "Games not played out" not in page.text


def test_the_page_needs_nothing_else(results):
    text = report(results, Facts("Royal Family"))
    page = Page(text)
    assert not {"script", "link", "img", "iframe", "object"} & set(page.tags)
    assert "http" not in text
    assert "url(" not in text
    assert not [name for name, _ in page.attributes if name.startswith("on") or name in ("src", "href")]
    assert "prefers-color-scheme: dark" in text


def test_the_page_does_not_depend_on_the_order_of_games(rng, results):
    facts = Facts("Royal Family")
    assert report(results.where(rng.permutation(len(results))), facts) == report(results, facts)


def test_every_drawing_is_well_formed_and_named(results):
    found = drawings(report(results, Facts("Royal Family")))
    assert len(found) == 5  # ranking, budget, thinking time, seats, lengths
    for drawing in found:
        assert drawing.get("role") == "img"
        assert drawing.get("aria-label")
        width, height = (float(number) for number in drawing.get("viewBox").split()[2:])
        for mark in drawing.iter():
            for name in ("x", "x1", "x2", "cx"):
                assert -1 <= float(mark.get(name, 0)) <= width + 1
            for name in ("y", "y1", "y2", "cy"):
                assert -1 <= float(mark.get(name, 0)) <= height + 1


def test_every_text_is_shown_as_text(results):
    """Whatever agents, seats, rules, commands and faults are called, it stays a text."""
    agents = [*results.agents[:3], NASTY]
    nasty = dataclasses.replace(results, agents=agents, rules={NASTY: NASTY}, game=NASTY)
    nasty.fault[0] = 0
    facts = Facts(NASTY, (NASTY, NASTY), [NASTY], {}, [(NASTY, NASTY)], NASTY)
    page = Page(report(dataclasses.replace(nasty, game="royal"), facts))
    assert "script" not in page.tags
    assert page.text.count(NASTY) > 10


def test_faults_are_listed(results):
    results.fault[[3, 5]] = 1
    results.fault[7] = -2
    faults = [("abc-1-0", "took too long"), ("abc-2-0", "illegal move 17"), ("abc-3-0", "worker died")]
    text = Page(report(results, Facts("Royal Family", faults=faults))).text
    assert "3 games were ended" in text
    assert all(name in text and why in text for name, why in faults)
    assert "faults" in text


def test_changed_rules_are_listed(results):
    changed = dataclasses.replace(results, rules={"castle_hp": "15"})
    text = Page(report(changed, Facts("Royal Family"))).text
    assert "castle_hp 15" in text
    assert "usual" not in text


def test_small_tournaments_have_a_page_too():
    one_deal = games([0, 0], [[0, 1], [1, 0]], [[1, 0], [1, 0]], 2)
    alone = games([0, 0, 1, 1], [[0, 0]] * 4, [[1, 0], [1, 0], [0, 1], [0, 1]], 1)
    apart = games([0, 0, 0, 0], [[0, 1], [1, 0], [2, 3], [3, 2]], [[1, 0], [1, 0]] * 2, 5)
    for results, words in (
        (one_deal, "which does not show"),
        (alone, "agent0 played"),
        (apart, "cannot be compared"),
    ):
        text = report(dataclasses.replace(results, game="royal"), Facts("Royal Family"))
        assert words in Page(text).text
        assert "nan" not in Page(text).text
        assert drawings(text)


def test_budget_curves_join_agents_that_differ_in_one_budget(rng):
    agents = [
        "greedy",
        "ismcts:sims=100",
        "ismcts",
        "ismcts:sims=10000",
        "ismcts:c=0.9",
        "pimc:worlds=5",
        "pimc",
    ]
    agents += ["mine:Bot:time=0.5", "mine:Bot:time=2"]
    played = tournament(rng, np.arange(9) * 20, [0, 0], 10)
    curves = budget_curves(rank(dataclasses.replace(played, agents=agents)), "royal")
    found = {
        option: {curve.name: [x for x, _ in curve.points] for curve in group}
        for option, group in curves.items()
    }
    assert found == {
        "sims": {"ismcts": [100, 1000, 10000]},
        "worlds": {"pimc": [5, 20]},
        "time": {"mine:Bot": [0.5, 2]},
    }


def test_no_budgets_no_curves(results):
    two = results.where(np.isin(results.players, (0, 1)).all(axis=1))
    assert "Rating over budget" not in report(two, Facts("Royal Family"))


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-237.3, 128), (0.4999, 0.5001), (5, 5), (-3, 12345)])
def test_ticks_are_round_and_cover_the_values(low, high):
    marks = ticks(low, high)
    assert marks[0] <= low
    assert marks[-1] >= high
    assert 2 <= len(marks) <= 10
    steps = np.diff(marks)
    assert steps == pytest.approx(steps[0])
    leading = steps[0] / 10 ** math.floor(math.log10(steps[0]) + 1e-9)
    assert min(abs(leading - nice) for nice in (1, 2, 5)) < 1e-6


def test_log_ticks_cover_the_values():
    assert log_ticks(0.0011, 0.11) == pytest.approx([0.001, 0.01, 0.1, 1])
    assert log_ticks(1, 1) == [1, 10]


def test_axis():
    assert Axis(0, 10, 100, 200).at(5) == 150
    assert Axis(0, 10, 100, 200).at(math.inf) == 200
    assert Axis(1, 100, 0, 200, log=True).at(10) == pytest.approx(100)


def test_marks_are_where_their_values_are():
    rows = [Row("a", Estimate(10, 5, 20), "ten"), Row("b", Estimate(0, -math.inf, math.inf), "nought")]
    drawing = ET.fromstring(
        interval_plot("label", [*rows, Row("c", Estimate(math.nan, 0, 0), "")], "unit", 5)
    )
    dots = [float(dot.get("cx")) for dot in drawing.iter("circle")]
    whiskers = [mark for mark in drawing.iter("line") if mark.get("class") == "whisker"]
    assert len(dots) == 2
    assert dots[0] > dots[1]
    low, high = (float(whiskers[0].get(name)) for name in ("x1", "x2"))
    assert (dots[0] - low) / (high - low) == pytest.approx(1 / 3, abs=0.01)


def test_histogram_counts_every_game(rng):
    values = rng.integers(10, 500, 2000)
    titles = [title.text for title in ET.fromstring(histogram("label", values, "moves")).iter("title")]
    shares = [float(re.search(r": ([\d.]+) %", title)[1]) for title in titles]
    assert sum(shares) == pytest.approx(100, abs=0.05 * len(shares))
    first = re.match(r"(\d+) to (\d+) moves", titles[0])
    expected = 100 * ((values >= int(first[1])) & (values <= int(first[2]))).mean()
    assert shares[0] == pytest.approx(expected, abs=0.051)


def test_curves_differ_without_colour():
    points = [(10.0, Estimate(0, -5, 5)), (100.0, Estimate(20, 15, 25))]
    drawing = ET.fromstring(curve_plot("label", [Curve(name, points) for name in "abcd"], "budget", "Elo"))
    marks = [mark for mark in drawing.iter() if mark.get("class") == "dot"]
    shapes = {(mark.tag, len(mark.get("points", "").split())) for mark in marks}
    assert len(marks) == 8
    assert shapes == {("circle", 0), ("polygon", 4), ("polygon", 3)}
    labels = sorted(float(text.get("y")) for text in drawing.iter("text") if text.get("class") == "name")
    assert min(np.diff(labels)) >= 15
