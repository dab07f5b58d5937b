"""Small plots as SVG text, for pages that need nothing else.

Colours come from the page's style sheet by class, so that a plot follows light and dark mode. Every plot says
what it shows in a label for screen readers, and every mark has its figures as a tooltip.
"""

import math
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

import numpy as np

from evaluation.intervals import Estimate

WIDTH = 760
ROW = 30
LETTER = 7.6  # width of a letter at the size of labels, about
FEWEST = 12  # places for bars in a histogram, so that a single value is not a wall
LONGEST = 34  # letters of a label
COLOURS = ("first", "second", "third", "fourth")  # classes of the style sheet


class Row(NamedTuple):
    """A line of a plot: its name, its estimate, and the figures in words."""

    name: str
    estimate: Estimate
    text: str


class Curve(NamedTuple):
    """Estimates over a budget."""

    name: str
    points: list[tuple[float, Estimate]]


class Axis(NamedTuple):
    """Maps values to places on the page."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def at(self, value: float) -> float:
        """Return the place of a value; one beyond the axis is at its end."""
        low, high = self.low, self.high
        value = min(max(value, low), high)
        if self.log:
            low, high, value = math.log(low), math.log(high), math.log(value)
        return self.start + (value - low) / (high - low) * (self.end - self.start)


def interval_plot(
    label: str,
    rows: Sequence[Row],
    unit: str,
    reference: float | None = None,
    least: float = -math.inf,
    log: bool = False,
) -> str:
    """Draw an estimate and its interval for each row, with an optional line to compare with.

    A value below ``least`` is an arrow at the edge. One that is not finite, or does not fit a logarithmic
    axis, is not drawn.
    """
    drawn = [row for row in rows if math.isfinite(row.estimate.value) and (row.estimate.value > 0 or not log)]
    near = (row.estimate for row in drawn if row.estimate.value >= least)
    finite = [max(value, least) for estimate in near for value in estimate if math.isfinite(value)]
    finite += [0.0] * (not finite) if reference is None else [reference]
    marks = log_ticks(min(finite), max(finite)) if log else ticks(min(finite), max(finite))
    axis, height, parts = _frame(rows, marks, unit, Axis(marks[0], marks[-1], *_room(rows), log))
    if reference is not None:
        x = axis.at(reference)
        parts.append(f'<line class="reference" x1="{x:.1f}" y1="4" x2="{x:.1f}" y2="{height - 44}"/>')
    for number, row in enumerate(rows):
        y = ROW * number + ROW / 2 + 4
        value, low, high = row.estimate
        if row not in drawn:
            continue
        if value < least:
            x = axis.start + 2
            mark = f'<polygon class="dot" points="{x},{y} {x + 10},{y - 6} {x + 10},{y + 6}"/>'
        else:
            whisker = _whisker(axis.at(low), axis.at(high), y) if high > low else ""
            mark = whisker + _symbol(0, axis.at(value), y)
        title = escape(f"{row.name}: {row.text}")
        parts.append(f'<g class="mark first"><title>{title}</title>{mark}</g>')
    return _svg(label, height, parts)


def histogram(label: str, values: np.ndarray, unit: str) -> str:
    """Draw how often each value occurs; a bar covers a round number of values."""
    low, high = int(values.min()), int(values.max())
    width = max(1, round(_nice((high - low + 1) / 30)))
    spare = max(0, FEWEST - (high - low) // width) // 2
    first = max(0, low // width - spare) * width
    edges = np.arange(first, high + (1 + spare) * width + 1, width)
    counts = np.histogram(values, edges)[0]
    height, bottom, top = 240, 196, 12
    across = Axis(first, float(edges[-1]), 56, WIDTH - 16)
    marks = ticks(0, counts.max() / len(values) * 100, 4)
    up = Axis(0, marks[-1], bottom, top)
    parts = [
        _grid(56, up.at(mark), WIDTH - 16, up.at(mark)) + _tick(mark, 48, up.at(mark) + 4, "end", " %")
        for mark in marks
    ]
    for mark in ticks(first, float(edges[-1]), 10):
        if first <= mark <= edges[-1]:
            parts.append(_tick(mark, across.at(mark), bottom + 18))
    for edge, count in zip(edges[:-1], counts, strict=True):
        share = 100 * count / len(values)
        x, y = across.at(float(edge)), up.at(share)
        span = f"{edge}" if width == 1 else f"{edge} to {edge + width - 1}"
        parts.append(
            f'<g class="mark first"><title>{span} {escape(unit)}: {share:.1f} % of the games</title>'
            f'<rect class="bar" x="{x + 0.75:.1f}" y="{y:.1f}"'
            f' width="{across.at(float(edge + width)) - x - 1.5:.1f}" height="{bottom - y:.1f}"/></g>'
        )
    parts.append(_unit(unit, (56 + WIDTH - 16) / 2, height - 6))
    return _svg(label, height, parts)


def curve_plot(label: str, curves: Sequence[Curve], across_unit: str, up_unit: str) -> str:
    """Draw estimates over a budget on a logarithmic axis.

    Each curve has its own symbol, and its name at the end.
    """
    budgets = sorted({x for curve in curves for x, _ in curve.points})
    finite = [
        value for curve in curves for _, point in curve.points for value in point if math.isfinite(value)
    ]
    marks = ticks(min(finite), max(finite))
    gutter = LETTER * max(len(_short(curve.name)) for curve in curves) + 28
    height, bottom = 320, 264
    spread = max((budgets[-1] / budgets[0]) ** 0.06, 1.05)
    across = Axis(budgets[0] / spread, budgets[-1] * spread, 64, WIDTH - gutter, log=True)
    up = Axis(marks[0], marks[-1], bottom, 26)
    parts = [
        _grid(64, up.at(mark), across.end, up.at(mark)) + _tick(mark, 56, up.at(mark) + 4, "end")
        for mark in marks
    ]
    for x in map(across.at, budgets):
        parts.append(_grid(x, bottom, x, bottom + 5))
    parts += [_tick(budget, across.at(budget), bottom + 20) for budget in budgets]
    parts.append(f'<text class="unit" x="8" y="14">{escape(up_unit)}</text>')
    parts.append(_unit(across_unit, (across.start + across.end) / 2, height - 10))
    ends = _apart([up.at(curve.points[-1][1].value) for curve in curves])
    for place, curve in enumerate(curves):
        places = [(across.at(x), up.at(point.value)) for x, point in curve.points]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(
            f'<g class="mark {COLOURS[place % len(COLOURS)]}"><polyline class="line" points="{line}"/>'
        )
        for (x, y), (budget, point) in zip(places, curve.points, strict=True):
            interval = f"({point.low:+.0f} to {point.high:+.0f})"
            text = f"{curve.name} at {number(budget)}: {point.value:+.0f} {interval}"
            parts.append(
                f"<g><title>{escape(text)}</title>"
                f"{_upright(x, up.at(point.low), up.at(point.high))}{_symbol(place, x, y)}</g>"
            )
        x, y = places[-1][0] + 14, ends[place] + 4
        parts.append(f'</g><text class="name" x="{x:.1f}" y="{y:.1f}">{escape(_short(curve.name))}</text>')
    return _svg(label, height, parts)


def ticks(low: float, high: float, most: int = 7) -> list[float]:
    """Return round numbers, evenly apart, from at most ``low`` to at least ``high``."""
    if high - low < 1e-9:
        low, high = low - 0.5, high + 0.5
    step = _nice((high - low) / most)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(step * place, 10) for place in range(first, last + 1)]


def log_ticks(low: float, high: float) -> list[float]:
    """Return powers of ten around positive numbers."""
    first, last = math.floor(math.log10(low) + 1e-9), math.ceil(math.log10(high) - 1e-9)
    return [10.0**power for power in range(first, max(last, first + 1) + 1)]


def number(value: float) -> str:
    """Return a number for an axis."""
    return f"{value:,.0f}" if abs(value) >= 1000 or value == round(value) else f"{value:.3g}"


def _nice(step: float) -> float:
    """Return the next of 1, 2, 5, 10, 20 … from a number on."""
    size = 10.0 ** math.floor(math.log10(step))
    return next(size * factor for factor in (1, 2, 5, 10) if size * factor >= step * (1 - 1e-9))


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else name[: LONGEST - 1] + "…"


def _room(rows: Sequence[Row]) -> tuple[float, float]:
    """Return where the axis of a plot with rows begins and ends."""
    start = 16 + LETTER * max(len(_short(row.name)) for row in rows)
    return start, WIDTH - 24 - LETTER * max(len(row.text) for row in rows)


def _frame(rows: Sequence[Row], marks: Sequence[float], unit: str, axis: Axis) -> tuple[Axis, int, list[str]]:
    """Return axis, height, and the parts that plots with rows have in common."""
    height = ROW * len(rows) + 52
    bottom = height - 44
    parts = []
    for x, mark in ((axis.at(mark), mark) for mark in marks):
        parts.append(_grid(x, 4, x, bottom) + _tick(mark, x, bottom + 16))
    parts.append(_unit(unit, (axis.start + axis.end) / 2, bottom + 36))
    for place, row in enumerate(rows):
        y = ROW * place + ROW / 2 + 8
        parts.append(
            f'<text class="name" x="{axis.start - 12:.1f}" y="{y}" text-anchor="end">'
            f"<title>{escape(row.name)}</title>{escape(_short(row.name))}</text>"
            f'<text class="figure" x="{WIDTH - 4}" y="{y}" text-anchor="end">{escape(row.text)}</text>'
        )
    return axis, height, parts


def _unit(text: str, x: float, y: float) -> str:
    return f'<text class="unit" x="{x:.1f}" y="{y}" text-anchor="middle">{escape(text)}</text>'


def _tick(value: float, x: float, y: float, anchor: str = "middle", sign: str = "") -> str:
    return f'<text class="tick" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{number(value)}{sign}</text>'


def _grid(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="grid" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _whisker(low: float, high: float, y: float) -> str:
    ends = "".join(f'<line x1="{x:.1f}" y1="{y - 5}" x2="{x:.1f}" y2="{y + 5}"/>' for x in (low, high))
    return f'<line class="whisker" x1="{low:.1f}" y1="{y}" x2="{high:.1f}" y2="{y}"/>{ends}'


def _upright(x: float, low: float, high: float) -> str:
    return f'<line class="whisker" x1="{x:.1f}" y1="{low:.1f}" x2="{x:.1f}" y2="{high:.1f}"/>'


def _symbol(kind: int, x: float, y: float) -> str:
    """Return a circle, a square, a triangle or a diamond, so that curves differ without colour too."""
    if kind % 4 == 0:
        return f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="5"/>'
    corners = (
        [(-4.5, -4.5), (4.5, -4.5), (4.5, 4.5), (-4.5, 4.5)],
        [(0, -6), (5.5, 4.5), (-5.5, 4.5)],
        [(0, -6.5), (5.5, 0), (0, 6.5), (-5.5, 0)],
    )[kind % 4 - 1]
    points = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in corners)
    return f'<polygon class="dot" points="{points}"/>'


def _apart(heights: Sequence[float], gap: float = 16) -> list[float]:
    """Return heights moved so far down that labels do not overlap."""
    placed: list[float] = list(heights)
    last = -math.inf
    for place in sorted(range(len(placed)), key=lambda index: placed[index]):
        placed[place] = last = max(placed[place], last + gap)
    return placed


def _svg(label: str, height: float, parts: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(label, quote=True)}">'
        f"{''.join(parts)}</svg>"
    )
