"""What the rest of the toolkit needs to know of a game besides its compiled rules."""

from collections.abc import Callable
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np

from engines import contract
from engines.errors import InputError, short
from engines.random import below, uniform


@dataclass(frozen=True)
class Parameter:
    """One rule that a designer can change: its range (whole numbers) or its named choices."""

    name: str
    default: int
    low: int
    high: int
    meaning: str
    choices: tuple[str, ...] = ()

    @property
    def expected(self) -> str:
        """What values are allowed, in words."""
        return " or ".join(self.choices) if self.choices else f"a whole number from {self.low} to {self.high}"

    def text(self, value: int) -> str:
        """Return a value as it is written in a position file."""
        return self.choices[value] if self.choices else str(value)

    def read(self, value: object) -> int:
        """Return the value that a user gave, as a number."""
        if isinstance(value, bool):
            value = str(value).lower()
        text = value.strip().lower() if isinstance(value, str) else ""
        if self.choices and isinstance(value, int | np.integer):
            text = short(int(value))  # a choice may be a number
        number = int(value) if isinstance(value, int | np.integer) else self.low - 1
        if text.isascii() and text.isdigit() and len(text) < 10:
            number = int(text)
        if self.choices and text in self.choices:
            return self.choices.index(text)
        if not self.choices and self.low <= number <= self.high:
            return number
        raise InputError(f"rule {self.name} = {short(value)}: expected {self.expected}")


@dataclass(frozen=True)
class Game:
    """A registered game. ``notation`` is its module of texts for people; see ``engines.notation``."""

    name: str
    title: str
    rules_type: Callable[..., Any]
    state_type: np.dtype
    seat_names: tuple[str, ...]  # for the most players that the rules allow
    notation: ModuleType
    parameters: tuple[Parameter, ...]
    ordered: tuple[tuple[str, str], ...] = ()  # pairs of parameters: the first may not exceed the second
    # By kind of agent: the options that suit this game.
    search: dict[str, dict[str, float]] = field(default_factory=dict)
    valid: Callable[[Any], None] | None = None  # raises ``InputError`` for rules that do not fit together
    # By rules: how many points a value of 0 stands for, if values stand for points (1: none), else None.
    expected: Callable[[Any], float | None] = lambda rules: None
    points: str = ""  # what a game that counts points calls them, and who wins by them

    def rules(self, /, **changes: object) -> Any:
        """Make the rules, with some parameters changed; a wrong name or value is an ``InputError``."""
        known = {parameter.name: parameter for parameter in self.parameters}
        for name in changes:
            if name not in known:
                raise InputError(f"{self.name} has no rule {short(name)}: expected one of {', '.join(known)}")
        values = {
            name: parameter.read(changes[name]) if name in changes else parameter.default
            for name, parameter in known.items()
        }
        for low, high in self.ordered:
            if values[low] > values[high]:
                raise InputError(f"rule {low} = {values[low]}: expected at most {high} = {values[high]}")
        rules = self.rules_type(**values)
        if self.valid is not None:
            self.valid(rules)
        return rules

    def changed_rules(self, rules: Any) -> dict[str, str]:
        """Return the parameters that differ from the default, as text."""
        return {
            parameter.name: parameter.text(getattr(rules, parameter.name))
            for parameter in self.parameters
            if getattr(rules, parameter.name) != parameter.default
        }

    def blank(self) -> np.ndarray:
        """Make an array of one state, all zero."""
        return np.zeros(1, self.state_type)

    def new(self, rules: Any) -> np.ndarray:
        """Make an array of one state: the beginning of a game."""
        state = self.blank()
        contract.start(rules, state[0])
        return state

    def view(self, rules: Any, state: np.ndarray, seat: int) -> np.ndarray:
        """Return a copy of a state that holds only what a seat can see."""
        view = state.copy()
        contract.hide(rules, view[0], seat)
        return view

    def legal(self, rules: Any, state: np.ndarray) -> list[int]:
        """Return the legal moves."""
        moves = np.zeros(contract.most_moves(rules), np.int64)
        return moves[: contract.legal(rules, state[0], moves)].tolist()

    def outcomes(self, rules: Any, state: np.ndarray) -> dict[int, int]:
        """Return the outcomes of a chance event and their weights."""
        codes, weights = np.zeros((2, contract.OUTCOMES), np.int64)
        count = contract.outcomes(rules, state[0], codes, weights)
        return dict(zip(codes[:count].tolist(), weights[:count].tolist(), strict=True))

    def random_position(self, rules: Any, rng: np.ndarray, decisions: int) -> np.ndarray:
        """Play some random decisions from a new game, then to the next decision; the game may be over."""
        state = self.new(rules)
        while True:
            seat = contract.mover(rules, state[0])
            if seat == contract.CHANCE:
                contract.play(rules, state[0], contract.roll(rules, state[0], uniform(rng)))
            elif seat == contract.OVER or decisions == 0:
                return state
            else:
                moves = self.legal(rules, state)
                contract.play(rules, state[0], moves[below(rng, len(moves))])
                decisions -= 1
