"""A tournament as one page to look at: HTML that needs no network, no script and no other file."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape

import numpy as np

from engines import registry
from engines.errors import InputError
from evaluation.intervals import Estimate
from evaluation.plots import Curve, Row, curve_plot, histogram, interval_plot
from evaluation.ratings import RESAMPLES, Ranking, Standing, rank
from evaluation.results import Results
from evaluation.tables import duration, elo, percent, span
from solvers.agents import settings

BUDGETS = {
    "sims": "simulations a move",
    "time": "seconds a move",
    "worlds": "worlds a move",
    "depth": "depth",
}
"""Options that say how much an agent may think, and their unit."""
FAR = 800
"""Agents that are so much weaker than the best (Elo) are only hinted at in the plot."""
MOST_FAULTS = 50
"""So many are listed."""


@dataclass(frozen=True)
class Facts:
    """What the games themselves do not say."""

    title: str  # of the game
    seat_names: Sequence[str] = ()
    commands: Sequence[str] = ()  # that played the games
    rules: dict[str, str] = field(default_factory=dict)  # all of them, or those that were changed
    faults: Sequence[tuple[str, str]] = ()  # id of a game and why it was lost without being played out
    version: str = ""


def report(results: Results, facts: Facts) -> str:
    """Return the page."""
    ranking = rank(results)
    sections = [
        ("Ranking", _ranking(ranking)),
        ("Who beats whom", _cross(ranking)),
        ("Rating over budget", _budgets(ranking, results.game)),
        ("Thinking time", _thinking(ranking)),
        ("Seats", _seats(ranking, facts)),
        ("Length of games", _lengths(results)),
        ("Duplicate deals", _duplicates(ranking)),
        ("Games not played out", _faults(results, facts)),
        ("How it was made", _origin(results, facts)),
    ]
    body = "".join(
        f'<section aria-labelledby="s{place}"><h2 id="s{place}">{title}</h2>{text}</section>'
        for place, (title, text) in enumerate(sections)
        if text
    )
    title = f"{facts.title}: tournament"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n<h1>{escape(title)}</h1>\n{_summary(ranking, facts)}\n{body}\n"
        "</main>\n</body>\n</html>\n"
    )


def _summary(ranking: Ranking, facts: Facts) -> str:
    """Say the result in a sentence, then the figures that tell how far to trust it."""
    best = ranking.standings[0]
    sentence = f"<b>{escape(best.name)}</b> played."
    if best.lead is not None:
        second = escape(ranking.standings[1].name)
        lead = f"{best.lead.value:.0f} Elo ({span(best.lead)})"
        if best.lead.low > 0:
            sentence = f"<b>{escape(best.name)}</b> is the strongest, {lead} ahead of <b>{second}</b>."
        else:
            sentence = (
                f"<b>{escape(best.name)}</b> leads by {lead}, which does not show that it is stronger than"
                f" <b>{second}</b>."
            )
    tiles = [
        (f"{len(ranking.standings)}", "agents"),
        (f"{ranking.games:,}", "games"),
        (f"{ranking.deals:,}", "deals, each in every seating"),
        (f"{100 * ranking.seat_share[0].value:.1f} %", f"of the wins for {escape(_seat(facts, 0))}"),
    ]
    if math.isfinite(ranking.efficiency.value):
        tiles.append((f"{ranking.efficiency.value:.2f}", "independent games that one game is worth"))
    cells = "".join(f"<li><b>{figure}</b> {what}</li>" for figure, what in tiles)
    return f'<p class="verdict">{sentence}</p><ul class="tiles">{cells}</ul>'


def _ranking(ranking: Ranking) -> str:
    rows = [
        Row(_placed(place, each), each.rating, elo(each.rating.value)) for place, each in _places(ranking)
    ]
    least = ranking.standings[0].rating.value - FAR
    arrow = any(each.rating.value < least for each in ranking.standings)
    unit = "Elo; the mean is 0" + f"; arrow: more than {FAR} below the best" * arrow
    plot = interval_plot("Rating of each agent with its 95 % interval", rows, unit, least=least)
    faults = any(each.faults for each in ranking.standings)
    heads = [
        "",
        "agent",
        "rating",
        "ahead of the next by",
        "score",
        "games",
        "time a move",
        *["faults"] * faults,
    ]
    table = [
        [
            f"{place}",
            each.name,
            f"{elo(each.rating.value)} ({span(each.rating)})",
            f"{elo(each.lead.value)} ({span(each.lead)})" if each.lead else "",
            percent(each.score) if each.games else "-",
            f"{each.games:,}",
            duration(each.think),
            *[f"{each.faults:,}"] * faults,
        ]
        for place, each in _places(ranking)
    ]
    warning = ""
    if not ranking.connected:
        words = "Some agents never met, not even by way of others: their ratings cannot be compared."
        warning = f"<p><b>{words}</b></p>"
    note = (
        '<p class="note">In brackets: 95 % intervals. 400 Elo more make a win ten times as likely as a loss.'
        " The ratings are fitted to all games at once, with an effect of the seat; a tie counts as parts of a"
        " win. Their mean is 0, in which an agent counts as much as its games tell: one that always loses"
        f" hardly counts. Their intervals come from drawing deals anew, {RESAMPLES:,} times, with all games"
        " of a deal together. A question mark is an end that no games of this tournament set.</p>"
    )
    return f"{warning}<figure>{plot}</figure>{_table(heads, table, texts=(1,))}{note}"


def _cross(ranking: Ranking) -> str:
    if len(ranking.standings) < 2:
        return ""
    heads = "".join(
        f'<th scope="col" title="{escape(each.name, quote=True)}">{place}</th>'
        for place, each in _places(ranking)
    )
    rows = []
    for place, each in _places(ranking):
        cells = "".join(
            _cell(each, other, ranking.cross[each.agent][other.agent]) for other in ranking.standings
        )
        rows.append(f'<tr><th scope="row">{escape(_placed(place, each))}</th>{cells}</tr>')
    return (
        '<div class="wide"><table class="cross"><caption>Score of the row against the column in %, and half'
        " the width of its 95 % interval. Blue is above one half, orange below; the stronger, the further."
        f"</caption><thead><tr><td></td>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _cell(row: Standing, column: Standing, score: Estimate | None) -> str:
    if row is column:
        return '<td class="self" aria-label="itself"></td>'
    if score is None:
        return '<td title="never met">–</td>'
    words = escape(f"{row.name} against {column.name}: {percent(score)}", quote=True)
    colour = "var(--above)" if score.value > 0.5 else "var(--below)"
    strength = round(150 * abs(score.value - 0.5))
    value, low, high = score.scaled(100)
    return (
        f'<td title="{words}" style="background: color-mix(in srgb, {colour} {strength}%, transparent)">'
        f"{value:.1f} <small>±{(high - low) / 2:.1f}</small></td>"
    )


def _budgets(ranking: Ranking, game: str) -> str:
    """Return a plot for each option of which agents differ in nothing else."""
    figures = []
    for option, curves in budget_curves(ranking, game).items():
        label = f"Rating over {BUDGETS[option]}, with 95 % intervals"
        figures.append(f"<figure>{curve_plot(label, curves, BUDGETS[option], 'Elo')}</figure>")
    return "".join(figures)


def budget_curves(ranking: Ranking, game: str) -> dict[str, list[Curve]]:
    """Return by budget option the ratings of agents that differ only in it."""
    known = {each.agent: _settings(each.name, game) for each in ranking.standings}
    found: dict[str, list[Curve]] = {}
    for option in BUDGETS:
        groups: dict[tuple[object, ...], list[tuple[float, Estimate]]] = {}
        names: dict[tuple[object, ...], str] = {}
        for each in ranking.standings:
            kind, values = known[each.agent]
            if values.get(option, 0) > 0 and math.isfinite(each.rating.value):
                rest = tuple(sorted((name, value) for name, value in values.items() if name != option))
                groups.setdefault((kind, rest), []).append((values[option], each.rating))
                parts = each.name.rpartition(":")[2].split(",")
                others = ",".join(part for part in parts if "=" in part and not part.startswith(f"{option}="))
                names[kind, rest] = f"{kind}:{others}" if others else kind
        curves = [Curve(names[key], sorted(points)) for key, points in sorted(groups.items(), key=str)]
        curves = [curve for curve in curves if len({x for x, _ in curve.points}) > 1]
        if curves:
            found[option] = curves
    return found


def _settings(name: str, game: str) -> tuple[str, dict[str, float]]:
    """Return the kind of an agent and its options, with their defaults if it is one of our own."""
    try:
        return settings(name, registry.load(game))
    except InputError:
        kind, _, rest = name.rpartition(":")
        values = {}
        for part in rest.split(","):
            key, _, value = part.partition("=")
            try:
                values[key] = float(value)
            except ValueError:
                kind += f":{part}"
        return kind, values


def _thinking(ranking: Ranking) -> str:
    rows = [
        Row(_placed(place, each), Estimate(each.think, each.think, each.think), duration(each.think))
        for place, each in _places(ranking)
    ]
    if not any(row.estimate.value > 0 for row in rows):
        return ""
    plot = interval_plot(
        "Mean thinking time a decision, by agent", rows, "seconds a decision, mean; logarithmic", log=True
    )
    return f"<figure>{plot}</figure>"


def _seats(ranking: Ranking, facts: Facts) -> str:
    fair = 1 / len(ranking.seat_share)
    rows = [
        Row(_seat(facts, seat), share.scaled(100), percent(share))
        for seat, share in enumerate(ranking.seat_share)
    ]
    plot = interval_plot(
        "Share of the wins by seat, with 95 % intervals",
        rows,
        f"% of the wins; dashed: {100 * fair:.1f}",
        100 * fair,
    )
    first = ranking.seat_share[0]
    name = _seat(facts, 0)
    if first.low > fair or first.high < fair:
        sentence = f"{name[:1].upper()}{name[1:]} is at {'an ad' if first.value > fair else 'a disad'}vantage"
    else:
        sentence = f"No advantage or disadvantage of {name} is shown"
    rating = ranking.seat_rating[0]
    fitted = f"{elo(rating.value)} Elo ({span(rating)}) against the mean of all seats"
    words = f"{escape(sentence)}: {percent(first)} of the wins; in the fit {fitted}."
    return f"<p>{words}</p><figure>{plot}</figure>"


def _lengths(results: Results) -> str:
    lengths = results.length
    low, middle, high = np.quantile(lengths, [0.05, 0.5, 0.95])
    plot = histogram("How many decisions games take", lengths, "decisions of all players in a game")
    words = (
        f"Half of the games take at most {middle:,.0f} decisions; nine in ten take {low:,.0f} to {high:,.0f}."
    )
    return f"<p>{words}</p><figure>{plot}</figure>"


def _duplicates(ranking: Ranking) -> str:
    worth = ranking.efficiency
    if not math.isfinite(worth.value):
        return "<p>What duplicate deals are worth cannot be measured here: no score ever varied.</p>"
    interval = f"95 % interval {worth.low:.2f} to {worth.high:.2f}"
    return (
        f"<p>One game is worth <b>{worth.value:.2f}</b> games on independent deals ({interval}). Every deal"
        " is played in every seating, and each seat meets the same luck in all of them, so part of the luck"
        " cancels: the variance of the scores is smaller by this factor than if each game had had a deal of"
        " its own.</p>"
    )


def _faults(results: Results, facts: Facts) -> str:
    count = int((results.fault != -1).sum())
    if not count:
        return ""
    shown = list(facts.faults[:MOST_FAULTS])
    table = _table(["game", "why"], [[name, why] for name, why in shown], texts=(0, 1)) if shown else ""
    rest = f" The first {len(shown)} are listed." if shown and count > len(shown) else ""
    words = "game was" if count == 1 else "games were"
    return (
        f"<p>{count:,} {words} ended by an agent that broke a rule, ran out of time or broke down; it lost"
        f" the game, or all share it if it is not known whose fault it was.{rest}</p>{table}"
    )


def _origin(results: Results, facts: Facts) -> str:
    commands = "".join(f"<pre>{escape(command)}</pre>" for command in facts.commands)
    rules = facts.rules or results.rules
    listed = _table(["rule", "value"], [[name, value] for name, value in rules.items()], texts=(0, 1))
    version = f" Made by Kibitz {escape(facts.version)}." if facts.version else ""
    return (
        f"{commands}<p>Game: {escape(results.game or facts.title)}.{version}"
        f"{'' if rules else ' The rules are the usual ones.'}</p>{listed if rules else ''}"
    )


def _places(ranking: Ranking) -> Iterator[tuple[int, Standing]]:
    return enumerate(ranking.standings, start=1)


def _placed(place: int, standing: Standing) -> str:
    return f"{place} {standing.name}"


def _seat(facts: Facts, seat: int) -> str:
    return facts.seat_names[seat] if seat < len(facts.seat_names) else f"seat {seat + 1}"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], texts: Sequence[int] = ()) -> str:
    """Return a table; the columns in ``texts`` are words, all others figures."""

    def kind(column: int) -> str:
        return ' class="text"' if column in texts else ""

    top = "".join(f'<th scope="col"{kind(place)}>{escape(head)}</th>' for place, head in enumerate(heads))
    lines = "".join(
        f"<tr>{''.join(f'<td{kind(place)}>{escape(cell)}</td>' for place, cell in enumerate(row))}</tr>"
        for row in rows
    )
    return f'<div class="wide"><table><thead><tr>{top}</tr></thead><tbody>{lines}</tbody></table></div>'


STYLE = """
:root { color-scheme: light dark; --page: #fbfaf7; --card: #ffffff; --ink: #1c1d21; --soft: #5b5e66;
  --line: #e2e0da; --above: #2f74c8; --below: #d9722b; --first: #2f74c8; --second: #b4521a; --third: #2c7d57;
  --fourth: #8a4fb0; }
@media (prefers-color-scheme: dark) { :root { --page: #15171a; --card: #1d2024; --ink: #ecebe7;
  --soft: #a3a7af; --line: #33373d; --above: #5c9ded; --below: #e08a4a; --first: #6aa8f2; --second: #ec9a5f;
  --third: #67c497; --fourth: #c493e6; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 960px; margin: 0 auto; padding: 32px 20px 64px; }
h1 { font-size: 28px; line-height: 1.2; margin: 0 0 8px; }
h2 { font-size: 18px; margin: 0 0 12px; }
p { margin: 0 0 12px; }
.verdict { font-size: 18px; overflow-wrap: anywhere; }
.tiles { display: flex; flex-wrap: wrap; gap: 12px; list-style: none; margin: 20px 0 0; padding: 0; }
.tiles li { flex: 1 1 140px; padding: 12px 14px; background: var(--card); border: 1px solid var(--line);
  border-radius: 8px; color: var(--soft); font-size: 14px; line-height: 1.35; }
.tiles b { display: block; color: var(--ink); font-size: 22px; font-weight: 600; }
section { margin-top: 20px; padding: 20px; background: var(--card); border: 1px solid var(--line);
  border-radius: 8px; }
section > :last-child { margin-bottom: 0; }
figure { margin: 0 0 12px; overflow-x: auto; }
svg { display: block; width: 100%; min-width: 560px; height: auto; font: 13px system-ui, sans-serif; }
svg text { fill: var(--ink); }
svg .tick, svg .unit { fill: var(--soft); font-size: 12px; }
svg .figure { font-variant-numeric: tabular-nums; }
svg .grid { stroke: var(--line); }
svg .reference { stroke: var(--soft); stroke-dasharray: 4 4; stroke-width: 1.5; }
svg .mark { stroke: currentColor; stroke-width: 2; }
svg .dot { fill: currentColor; stroke: var(--card); stroke-width: 1.5; }
svg .bar { fill: currentColor; stroke: none; }
svg .line { fill: none; }
svg .first { color: var(--first); } svg .second { color: var(--second); }
svg .third { color: var(--third); } svg .fourth { color: var(--fourth); }
.wide { overflow-x: auto; margin-bottom: 12px; }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
th, td { padding: 6px 8px; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--soft); }
th.text, td.text, .cross th[scope=row] { text-align: left; }
td.text { white-space: normal; overflow-wrap: anywhere; min-width: 12em; }
caption { caption-side: bottom; padding-top: 10px; text-align: left; color: var(--soft); font-size: 14px; }
.cross td, .cross th { border: 2px solid var(--card); padding: 8px 10px; }
.cross th[scope=row] { color: var(--ink); font-weight: 400; white-space: normal; overflow-wrap: anywhere;
  min-width: 13em; }
.cross th[scope=col] { text-align: center; }
.cross td { text-align: center; }
.cross small { opacity: 0.8; font-size: 11px; }
.cross .self { background: var(--line); }
.note { color: var(--soft); font-size: 14px; }
pre { margin: 0 0 12px; padding: 10px 12px; background: var(--page); border: 1px solid var(--line);
  border-radius: 6px; overflow-x: auto; font: 13px/1.5 ui-monospace, monospace;
  white-space: pre-wrap; overflow-wrap: anywhere; }
@media print { section, .tiles li { break-inside: avoid; } }
"""
