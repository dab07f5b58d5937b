"""A hint as text for the terminal, and the answers to requests of programs, one a line."""

import json
from typing import Any

import numpy as np

from engines import notation
from engines.errors import InputError, one_line, short
from engines.game import Game
from solvers.agents import parse_agent
from solvers.hint import Hint, RankedMove, hint

REQUEST = ("position", "agent", "time", "sims", "seed", "threads", "rules", "top", "id")


def report(game: Game, found: Hint, top: int | None = None) -> str:
    """Return a hint as a table, with what it means below."""
    why = {"decided": ", decided early", "only move": ", the only move", "budget": ""}
    what = "simulations" if found.stopped in why else "states"
    lines = [
        f"{game.title}, {game.seat_names[found.seat]} to move: {found.simulations:,} {what}"
        f" in {found.seconds:.1f} s{why.get(found.stopped, f', {found.stopped}')}"
    ]
    shown = found.moves[:top]
    width = max(len("move"), *(len(move.text) for move in shown))
    unit = "win" if found.most_points is None else "points"
    lines.append(f"  {'move':<{width}} {unit:>6}   ± s.e.  behind   visits  in words")
    for place, move in enumerate(shown):
        lines.append(f"  {move.text:<{width}} {_numbers(found, move, place == 0)}  {move.words}")
    if found.rivals:
        names = ", ".join(move.text for move in found.rivals[:4]) + (" …" if len(found.rivals) > 4 else "")
        verdict = "Equally good" if found.stopped == "exact" else "Toss-up, not told apart"
        lines.append(f"{verdict}: {found.moves[0].text}, {names}")
    if len(found.line) > 1:
        lines.append(f"Likely: {', '.join(found.line)}")
    lines.append(_forecast(game, found))
    return "\n".join(lines)


def _numbers(found: Hint, move: RankedMove, best: bool) -> str:
    points = found.points(move.value)
    value = f"{100 * move.value:5.1f}%" if points is None else f"{points:6.1f}"
    error = f"{100 * move.se:5.2f}%" if points is None else f"{(found.most_points or 0.0) * move.se:6.2f}"
    value = value if move.visits else "    - "
    error = error if np.isfinite(move.se) else "    - "
    behind = "best" if best else f"{move.behind:.1f} sd" if np.isfinite(move.se + move.behind) else "-"
    return f"{value}  {error}  {behind:>7} {move.visits:8,}"


def _forecast(game: Game, found: Hint) -> str:
    ends = found.forecast
    text = "By quick play from there"
    if found.most_points is None:
        text += f": win {ends.win:.0%}, draw {ends.draw:.0%}, loss {ends.loss:.0%}"
    if ends.points:
        scores = (f"{name} {number:.1f}" for name, number in zip(game.seat_names, ends.points, strict=False))
        text += f"; {game.points}: {', '.join(scores)}"
    return text


def answer(line: str, defaults: dict[str, Any]) -> dict[str, Any]:
    """Answer one request, a line of JSON, for a program: a hint, or what is wrong with the request.

    ``position`` is the text of a position file; ``time``, ``sims``, ``seed``, ``threads``, ``agent``,
    ``rules`` and ``top`` are as on the command line; an ``id`` comes back with the answer.
    """
    back: dict[str, Any] = {}
    try:
        try:
            request = json.loads(line)
        except (ValueError, RecursionError) as problem:
            raise InputError(f"not JSON: {one_line(problem)}") from None
        if not isinstance(request, dict):
            raise InputError("a request is one JSON object with a position")
        if "id" in request:
            back["id"] = request["id"]
        unknown = [key for key in request if key not in REQUEST]
        if unknown:
            raise InputError(f"{short(unknown[0])}: expected {', '.join(REQUEST)}")
        return back | _answer(defaults | request)
    except InputError as mistake:
        return back | {"error": str(mistake)}


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(request.get("position"), str):
        raise InputError("position: expected the text of a position file")
    rules = request.get("rules") or {}
    if not isinstance(rules, dict):
        raise InputError('rules: expected an object such as {"max_turns": 100}')
    game, parameters, view = notation.parse_position(request["position"], rules)
    agent = parse_agent(str(request["agent"]), game)
    sims, seconds = _number(request, "sims", 1, 10**8, whole=True), _number(request, "time", 0.001, 86_400)
    if sims is not None:
        agent, seconds = agent._replace(sims=int(sims)), None
    seed = int(_number(request, "seed", 0, 2**62, whole=True) or 0)
    threads = int(_number(request, "threads", 1, 64, whole=True) or 1)
    top = _number(request, "top", 1, 10**6, whole=True)
    found = hint(game, parameters, view, agent, seconds=seconds, seed=seed, threads=threads).as_json()
    return found | {"moves": found["moves"][: int(top) if top else None]}


def _number(request: dict[str, Any], key: str, low: float, high: float, whole: bool = False) -> float | None:
    value = request.get(key)
    if value is None:
        return None
    wanted = int if whole else (int, float)
    if isinstance(value, bool) or not isinstance(value, wanted) or not low <= value <= high:
        raise InputError(f"{key}: expected a {'whole ' if whole else ''}number from {low:g} to {high:g}")
    return value
