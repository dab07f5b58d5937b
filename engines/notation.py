"""Text for people: position files, moves, and whole states as JSON.

Each game's ``notation`` module has the same six functions:

- ``move_text(rules, s, move)``: a short text, unique among the legal moves; ``parse_move`` reads it back;
- ``move_words(rules, s, move)``: the same for somebody at the table;
- ``outcome_text(rules, s, code)``: a chance outcome;
- ``write_position(rules, s, seat)``: what a seat sees, as the body of a TOML file;
- ``read_position(rules, s, section)``: the way back, into the state ``s``;
- ``check(rules, s)``: raise ``InputError`` unless the state or view could stand on a table.

A position file holds exactly what the player to move can see.
"""

import json
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from engines import contract, registry
from engines.cards import JOKERS, card_text, mask_of, parse_card, parse_cards
from engines.errors import InputError, one_line, short
from engines.game import Game

LARGEST_FILE = 1 << 20
NO_CHANGES: Mapping[str, object] = {}


class Section:
    """A table of a position file. It names the place of every mistake and knows which keys were read."""

    def __init__(self, table: object, place: str = "") -> None:
        if not isinstance(table, dict):
            raise InputError(
                f"{place or 'the position'} is {_kind(table)}: expected a table of keys and values"
            )
        self._table = table
        self._place = place
        self._unread = set(table)

    def __contains__(self, key: str) -> bool:
        return key in self._table

    def place(self, key: str) -> str:
        """Return the full name of a key, for messages."""
        name = key if key.isprintable() and 0 < len(key) <= 40 else short(key)
        return f"{self._place}.{name}" if self._place else name

    def fail(self, key: str, problem: str) -> InputError:
        """Make an error that names a key of this table."""
        return InputError(f"{self.place(key)}: {problem}")

    def take(self, key: str, default: Any = None) -> Any:
        """Return a raw value."""
        self._unread.discard(key)
        return self._table.get(key, default)

    def section(self, key: str) -> "Section":
        """Return a table inside this one; a missing one is empty."""
        return Section(self.take(key, {}), self.place(key))

    def text(self, key: str, default: str | None = None) -> str:
        """Return a text."""
        value = self.take(key, default)
        if not isinstance(value, str):
            raise self.fail(key, f"{_kind(value)}: expected a text in quotes")
        return value

    def choice(self, key: str, choices: Iterable[str], default: str | None = None) -> int:
        """Return the place of a text among the allowed ones."""
        options = list(choices)
        value = self.text(key, default)
        if value not in options:
            raise self.fail(key, f"{short(value)}: expected {' or '.join(options)}")
        return options.index(value)

    def number(self, key: str, low: int, high: int, default: int | None = None) -> int:
        """Return a whole number in a range."""
        value = self.take(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            shown = short(value) if isinstance(value, int) else _kind(value)
            raise self.fail(key, f"{shown}: expected a whole number from {low} to {high}")
        return value

    def flag(self, key: str, default: bool = False) -> bool:
        """Return true or false."""
        value = self.take(key, default)
        if not isinstance(value, bool):
            raise self.fail(key, f"{_kind(value)}: expected true or false")
        return value

    def cards(self, key: str) -> list[int]:
        """Return cards written in one text; none if the key is missing."""
        text = self.text(key, "")
        try:
            return parse_cards(text)
        except InputError as mistake:
            raise self.fail(key, str(mistake)) from None

    def card(self, key: str) -> int:
        """Return one card, or ``NONE`` if the key is missing or empty."""
        text = self.text(key, "")
        try:
            return parse_card(text) if text.strip() else contract.NONE
        except InputError as mistake:
            raise self.fail(key, str(mistake)) from None

    def finish(self) -> None:
        """Complain of a key that nobody read."""
        if self._unread:
            known = ", ".join(sorted(set(self._table) - self._unread)) or "none here"
            raise self.fail(min(self._unread), f"unknown key (known ones used: {known})")


class Placed:
    """Cards of a position as they are found: no card may stand in two places."""

    def __init__(self) -> None:
        self._places: dict[int, str] = {}

    def put(self, cards: Iterable[int], place: str) -> list[int]:
        """Note where cards lie and return them; a joker becomes the second one if the first is taken."""
        found = []
        for card in cards:
            if card in JOKERS and card in self._places:
                card = sum(JOKERS) - card
            if card in self._places:
                raise InputError(f"{place}: {card_text(card)} is already in {self._places[card]}")
            self._places[card] = place
            found.append(card)
        return found

    @property
    def mask(self) -> int:
        """All cards found so far."""
        return mask_of(self._places)


def read_position(
    path: str | Path, changes: Mapping[str, object] = NO_CHANGES
) -> tuple[Game, Any, np.ndarray]:
    """Read a position file (``-``: standard input): the game, its rules, and the view of the player to move.

    ``changes`` are rules that override those of the file.
    """
    name = str(path) if str(path).isprintable() else repr(str(path))
    try:
        with open(0 if path == "-" else path, "rb", closefd=path != "-") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as problem:
        raise InputError(f"{name}: cannot be read ({problem.strerror})") from None
    except ValueError as problem:  # a name that no file can have
        raise InputError(f"{name}: cannot be read ({problem})") from None
    if len(data) > LARGEST_FILE:
        raise InputError(f"{name}: larger than 1 MB: expected a position file of a few lines")
    try:
        return parse_position(data.decode(), changes)
    except UnicodeDecodeError:
        raise InputError(f"{name}: not a text file: expected a position in TOML") from None
    except InputError as mistake:
        raise InputError(f"{name}: {mistake}") from None


def parse_position(text: str, changes: Mapping[str, object] = NO_CHANGES) -> tuple[Game, Any, np.ndarray]:
    """Read the text of a position file."""
    if not text.strip():
        raise InputError("the file is empty: expected a position in TOML")
    try:
        top = Section(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, RecursionError) as problem:
        raise InputError(f"not valid TOML: {one_line(problem)}") from None
    except ValueError:  # tomllib lets the limit of int() through
        raise InputError("not valid TOML: a number of too many digits") from None
    game = registry.load(top.text("game", ""))
    given = top.take("rules", {})
    if not isinstance(given, dict):
        raise top.fail("rules", f"{_kind(given)}: expected a table such as [rules]")
    rules = game.rules(**{**given, **changes})
    state = game.blank()
    game.notation.read_position(rules, state[0], top)
    top.finish()
    game.notation.check(rules, state[0])
    if contract.mover(rules, state[0]) < 0:
        raise InputError("the game is over: expected a position in which somebody is to move")
    return game, rules, state


def write_position(game: Game, rules: Any, state: np.ndarray) -> str:
    """Write what the player to move can see as a position file."""
    seat = contract.mover(rules, state[0])
    view = game.view(rules, state, seat)
    lines = [f'game = "{game.name}"', game.notation.write_position(rules, view[0], seat).rstrip()]
    changed = game.changed_rules(rules)
    if changed:
        lines += ["", "[rules]", *(f"{name} = {_toml(value)}" for name, value in changed.items())]
    return "\n".join(lines) + "\n"


def parse_move(game: Game, rules: Any, state: np.ndarray, text: str) -> int:
    """Read a move of the player to move; spaces and case do not matter."""
    texts = {game.notation.move_text(rules, state[0], move): move for move in game.legal(rules, state)}
    wanted = " ".join(text.split()).lower()
    for name, move in texts.items():
        if name.lower() == wanted:
            return move
    shown = ", ".join(list(texts)[:12]) + (" …" if len(texts) > 12 else "")
    raise InputError(f"{short(text)} is not a legal move here: expected {shown}")


def state_to_json(game: Game, rules: Any, state: np.ndarray) -> str:
    """Write a whole state, hidden cards and chance included, as one line of JSON."""
    fields = {name: state[name][0].tolist() for name in game.state_type.names or ()}
    texts = {parameter.name: parameter.text(getattr(rules, parameter.name)) for parameter in game.parameters}
    return json.dumps({"game": game.name, "rules": texts, "state": fields}, separators=(",", ":"))


def state_from_json(text: str) -> tuple[Game, Any, np.ndarray]:
    """Read a state that ``state_to_json`` wrote."""
    try:
        record = json.loads(text)
        game = registry.load(record["game"])
        rules = game.rules(**record["rules"])
        state = game.blank()
        for name in game.state_type.names or ():
            values = np.array(record["state"][name])
            room = state[name]
            if room.dtype.names:  # records in a state are rows of numbers in its text
                room = room.view(np.int64).reshape(*room.shape, -1)
            if values.dtype.kind != "i" or values.shape != room.shape[1:]:
                raise InputError(f"{name}: expected whole numbers, {room.size} of them")
            room[0] = values
    except InputError:
        raise
    except KeyError as problem:
        raise InputError(f"not the JSON of a state: {one_line(problem)} is missing") from None
    except (TypeError, ValueError, AttributeError, OverflowError, RecursionError) as problem:
        raise InputError(f"not the JSON of a state: {one_line(problem)}") from None
    game.notation.check(rules, state[0])
    return game, rules, state


def check_ranges(s: Any, ranges: Iterable[tuple[str, int, int]]) -> None:
    """Raise ``InputError`` unless each of the named fields is within its range, all elements of it."""
    for name, low, high in ranges:
        if not ((low <= s[name]) & (s[name] <= high)).all():
            raise InputError(f"{name} out of range")


def _toml(value: str) -> str:
    return value if value.isdigit() else f'"{value}"'


def _kind(value: object) -> str:
    names = {
        str: "a text",
        int: "a number",
        float: "a number",
        bool: "true or false",
        list: "a list",
        dict: "a table",
    }
    return names.get(type(value), "missing" if value is None else "a date or a time")
