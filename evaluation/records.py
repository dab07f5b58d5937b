"""Games that were kept: shown move by move, and written out for other programs."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from engines import contract, registry
from engines.errors import InputError, short
from evaluation.blocks import SHARED
from evaluation.store import Lineup, Record, Store

PER_SEAT = ("agent", "return", "seconds", "decisions")


def steps(record: Record) -> Iterator[dict[str, Any]]:
    """Play a game again and tell every event: who moved or ``chance``, the text, and the same in words."""
    game = registry.load(record.lineup.game)
    rules = record.lineup.rules_object()
    state = game.new(rules)
    s = state[0]
    for number, code in enumerate(record.events, start=1):
        seat = contract.mover(rules, s)
        if seat == contract.CHANCE and code in game.outcomes(rules, state):
            text = game.notation.outcome_text(rules, s, code)
            yield {"number": number, "seat": None, "code": code, "text": text, "words": ""}
        elif seat >= 0 and code in game.legal(rules, state):
            text, words = game.notation.move_text(rules, s, code), game.notation.move_words(rules, s, code)
            yield {"number": number, "seat": int(seat), "code": code, "text": text, "words": words}
        else:
            raise InputError(f"{record.id}: event {number} does not fit the rules that this kibitz plays")
        contract.play(rules, s, code)
    if record.fault == contract.NONE:
        ends = np.array([contract.returns(rules, s, seat) for seat in range(record.lineup.seats)])
        if contract.mover(rules, s) != contract.OVER or (ends != record.returns).any():
            raise InputError(f"{record.id}: the end does not fit the rules that this kibitz plays")


def story(record: Record) -> Iterator[str]:
    """Tell a game to people, line by line."""
    game = registry.load(record.lineup.game)
    changed = game.changed_rules(record.lineup.rules_object())
    names = game.seat_names
    where = f"deal {record.deal} of seed {record.lineup.seed}, seating {record.seating}"
    yield f"{game.title}, {where}: {record.id}"
    if changed:
        yield "rules: " + ", ".join(f"{name}={value}" for name, value in changed.items())
    for seat, agent in enumerate(record.agents):
        thought = f", thought {record.seconds[seat]:.3f} s" if record.seconds[seat] else ""
        yield f"{names[seat]}: {agent} ({record.decisions[seat]} decisions{thought})"
    width = max(len(name) for name in names)
    for step in steps(record):
        who = "" if step["seat"] is None else names[step["seat"]]
        told = f"{step['text']}  {step['words']}" if step["words"] else f"({step['text']})"
        yield f"{step['number']:5} {who:<{width}}  {told}"
    if record.fault == SHARED:
        yield f"given up: {record.reason}"
    elif record.fault != contract.NONE:
        yield f"{names[record.fault]} loses: {record.reason}"
    shares = (f"{name} {share:g}" for name, share in zip(names, record.returns, strict=False))
    yield "result: " + ", ".join(shares)


def as_json(record: Record) -> dict[str, Any]:
    """Return a game for programs."""
    return {
        "id": record.id,
        "game": record.lineup.game,
        "rules": dict(record.lineup.rules),
        "seed": record.lineup.seed,
        "deal": record.deal,
        "seating": record.seating,
        "agents": record.agents,
        "returns": record.returns,
        "seconds": [round(seconds, 6) for seconds in record.seconds],
        "decisions": record.decisions,
        "fault": None if record.fault == contract.NONE else record.fault,
        "reason": record.reason,
        "events": record.events,
    }


def overview(store: Store, lineups: list[Lineup], games: int = 3) -> Iterator[str]:
    """List what a file holds, with the ids of some games and of all that were lost by a fault."""
    for lineup in lineups:
        spans = store.spans(lineup)
        deals = sum(end - first for first, end in spans)
        yield f"{lineup.id}  {lineup.game}: {' - '.join(lineup.agents)}, seed {lineup.seed}, {deals:,} deals"
        if spans:
            first = spans[0][0]
            some = [(first + i // lineup.seats, i % lineup.seats) for i in range(games)]
            shown = [f"{lineup.id}-{deal}-{seat}" for deal, seat in some if deal < spans[0][1]]
            yield f"    games {', '.join(shown)} ..."
        for (deal, seating), reason in store.faults(lineup).items():
            yield f"    fault {lineup.id}-{deal}-{seating}: {reason}"


def export(store: Store, lineups: list[Lineup], path: str) -> int:
    """Write all games to a file, JSON lines or CSV by its name; return how many."""
    kinds = {".jsonl": _write_lines, ".csv": _write_csv}
    write = kinds.get(Path(path).suffix.lower())
    if write is None:
        raise InputError(f"{short(path)}: expected a name that ends with {' or '.join(kinds)}")
    try:
        with open(path, "w", encoding="utf-8", newline="") as file:
            return write(store, lineups, file)
    except OSError as problem:
        raise InputError(f"{path}: {problem.strerror}") from None


def _write_lines(store: Store, lineups: list[Lineup], file: TextIO) -> int:
    games = 0
    for lineup in lineups:
        for record in store.records(lineup):
            file.write(json.dumps(as_json(record), ensure_ascii=False) + "\n")
            games += 1
    return games


def _write_csv(store: Store, lineups: list[Lineup], file: TextIO) -> int:
    """Write a row for each game, without the moves; seats that a game does not have stay empty."""
    seats = max((lineup.seats for lineup in lineups), default=0)
    writer = csv.writer(file)
    columns = [f"{name}_{seat + 1}" for seat in range(seats) for name in PER_SEAT]
    writer.writerow(["id", "game", "rules", "seed", "deal", "seating", *columns, "fault", "reason"])
    games = 0
    for lineup in lineups:
        rules = " ".join(f"{name}={value}" for name, value in lineup.rules)
        for record in store.records(lineup):
            each = zip(record.agents, record.returns, record.seconds, record.decisions, strict=True)
            values = [
                value
                for agent, won, seconds, moves in each
                for value in (agent, won, f"{seconds:.6f}", moves)
            ]
            values += [""] * (len(columns) - len(values))
            fault = "" if record.fault == contract.NONE else record.fault
            place = (lineup.seed, record.deal, record.seating)
            writer.writerow([record.id, lineup.game, rules, *place, *values, fault, record.reason])
            games += 1
    return games
