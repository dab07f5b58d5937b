"""How a tournament stands, as text and for programs."""

import math
from collections.abc import Iterator
from typing import Any

from evaluation.intervals import Estimate
from evaluation.ratings import Ranking
from evaluation.results import Results


def ranking_text(ranking: Ranking, seat_names: tuple[str, ...]) -> Iterator[str]:
    """Tell a ranking: the agents, who beat whom, the seats, and what duplicate deals are worth."""
    names = [standing.name for standing in ranking.standings]
    width = max(len("agent"), *map(len, names))
    faults = any(standing.faults for standing in ranking.standings)
    head = f"{'':3} {'agent':<{width}}  rating  95 % interval    score  95 % interval    games   a move"
    yield head + ("  faults" if faults else "")
    for place, standing in enumerate(ranking.standings, start=1):
        rating, score = standing.rating, standing.score.scaled(100)
        yield (
            f"{place:3} {standing.name:<{width}} {elo(rating.value):>7}  {span(rating):<15}"
            f" {score.value:5.1f} %  {score.low:5.1f} to {score.high:5.1f} {standing.games:8,}"
            f" {duration(standing.think):>8}" + (f" {standing.faults:7,}" if faults else "")
        )
    if not ranking.connected:
        yield "Some agents never met, not even by way of others: their ratings cannot be compared."
    if len(names) > 1:
        yield ""
        yield "Score of the row against the column, in %"
        columns = range(1, len(names) + 1)
        yield f"{'':3} {'':<{width}}" + "".join(f"{column:7}" for column in columns)
        for place, standing in enumerate(ranking.standings, start=1):
            row = [ranking.cross[standing.agent][other.agent] for other in ranking.standings]
            cells = ("      -" if cell is None else f"{100 * cell.value:7.1f}" for cell in row)
            yield f"{place:3} {standing.name:<{width}}" + "".join(cells)
    yield ""
    shares = zip(seat_names, ranking.seat_share, strict=False)
    yield "Share of the wins by seat: " + ", ".join(f"{name} {percent(share)}" for name, share in shares)
    worth = ranking.efficiency
    if math.isfinite(worth.value):
        between = f"{worth.low:.2f} to {worth.high:.2f}"
        yield f"One game of duplicate deals is worth {worth.value:.2f} on independent deals ({between})."


def ranking_json(ranking: Ranking, results: Results) -> dict[str, Any]:
    """Return a ranking for programs."""
    order = [standing.agent for standing in ranking.standings]
    return {
        "game": results.game,
        "rules": results.rules,
        "deals": ranking.deals,
        "games": ranking.games,
        "ranking": [
            {
                "agent": standing.name,
                "rating": numbers(standing.rating),
                "score": numbers(standing.score),
                "games": standing.games,
                "seconds_a_move": standing.think,
                "faults": standing.faults,
            }
            for standing in ranking.standings
        ],
        "crosstable": [[numbers(ranking.cross[row][column]) for column in order] for row in order],
        "seats": [numbers(share) for share in ranking.seat_share],
        "efficiency": numbers(ranking.efficiency),
    }


def numbers(estimate: Estimate | None) -> list[float | None] | None:
    """Return the value and the ends of the interval; JSON knows no infinity."""
    return None if estimate is None else [value if math.isfinite(value) else None for value in estimate]


def elo(value: float) -> str:
    """Return a rating; where the games set no bound it is open."""
    return f"{value:+.0f}" if math.isfinite(value) else "?" if math.isnan(value) else "open"


def span(estimate: Estimate) -> str:
    """Return the interval of a rating."""
    return f"{elo(estimate.low)} to {elo(estimate.high)}"


def percent(estimate: Estimate) -> str:
    """Return a share with its interval."""
    value, low, high = estimate.scaled(100)
    return f"{value:.1f} % ({low:.1f} to {high:.1f})"


def duration(seconds: float) -> str:
    """Return a short time with a fitting unit; nothing for what was not measured."""
    for unit, length in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= length:
            return f"{seconds / length:.3g} {unit}"
    return "-"


def clock(seconds: float) -> str:
    """Return a longer time as hours, minutes and seconds."""
    whole = round(seconds)
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"
