"""Players written in Python, each in a process of its own.

There it can neither see the true state nor take the tournament with it: what raises, dies or takes too long
loses the game, and is started anew for the next. For each game the player is made anew, so that no result
depends on the games before. The two processes exchange lines of JSON.
"""

import atexit
import contextlib
import json
import operator
import os
import queue
import subprocess
import sys
import threading
import traceback
from typing import Any, TextIO

import numpy as np

from engines import registry
from engines.errors import InputError, one_line, short
from engines.game import Game
from evaluation.match import FaultError
from solvers.players import Sight, load_player

START = 60.0  # seconds until a player must be ready
BEGIN = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]);"
    " from evaluation.outside import serve; serve(*sys.argv[2:])"
)


class OutsidePlayer:
    """A player in a process of its own, as ``evaluation.match`` asks it."""

    def __init__(self, text: str, game: Game, rules: Any, limit: float) -> None:
        self._text = text
        self._limit = limit
        self._game = game.name
        self._rules = json.dumps(rules._asdict())
        self._process: subprocess.Popen[str] | None = None
        self._answers: queue.SimpleQueue[str] = queue.SimpleQueue()
        atexit.register(self.stop)

    def start(self) -> None:
        """Start the process; raise ``InputError`` if there can be no such player."""
        command = [sys.executable, "-c", BEGIN, json.dumps(sys.path), self._text, self._game, self._rules]
        self._answers = queue.SimpleQueue()
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            start_new_session=True,  # an interrupt is the main process's business
        )
        threading.Thread(target=_listen, args=(self._process.stdout, self._answers), daemon=True).start()
        try:
            answer = self._answer(START)
        except FaultError as problem:
            raise InputError(f"agent {short(self._text)}: {problem}") from None
        if "problem" in answer:
            self.stop()
            raise InputError(answer["problem"])

    def stop(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            with contextlib.suppress(OSError):
                self._process.stdin.close()  # type: ignore[union-attr]
            self._process = None

    def choose(self, seat: int, view: np.ndarray, moves: list[int], seed: int, fresh: bool) -> int:
        """Return the player's move, or raise ``FaultError``."""
        if self._process is None:
            try:
                self.start()
            except InputError as problem:
                raise FaultError(str(problem)) from None
        assert self._process is not None
        assert self._process.stdin is not None
        state = view.tobytes().hex()
        question = {"seat": seat, "state": state, "legal": moves, "seed": seed, "fresh": fresh}
        with contextlib.suppress(OSError):  # if it is dead, its answer will say so
            self._process.stdin.write(json.dumps(question) + "\n")
            self._process.stdin.flush()
        answer = self._answer(self._limit)
        if "problem" in answer:
            raise FaultError(answer["problem"])
        return answer["move"]

    def _answer(self, limit: float) -> dict[str, Any]:
        try:
            line = self._answers.get(timeout=limit)
        except queue.Empty:
            self.stop()
            raise FaultError(f"took longer than {limit:g} s") from None
        if not line:
            assert self._process is not None
            code = self._process.wait()
            self.stop()
            raise FaultError(f"its process died (exit code {code})")
        return json.loads(line)


def _listen(output: TextIO, answers: "queue.SimpleQueue[str]") -> None:
    with output:
        for line in output:
            answers.put(line)
    answers.put("")


def serve(text: str, game_name: str, rules_text: str) -> None:
    """Be the player: answer questions until there are no more."""
    from evaluation.runner import end_with_parent

    end_with_parent()
    # What the player prints or reads may not come between the two processes.
    questions = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)

    def say(**answer: object) -> None:
        print(json.dumps(answer), file=answers, flush=True)

    game = registry.load(game_name)
    rules = game.rules_type(**json.loads(rules_text))
    try:
        player = load_player(text, game)
    except InputError as problem:
        say(problem=str(problem))
        return
    say(ready=True)
    for line in questions:
        question = json.loads(line)
        state = np.frombuffer(bytes.fromhex(question["state"]), game.state_type).copy()
        sight = Sight(game, rules, question["seat"], state, question["legal"], question["seed"])
        try:
            if question["fresh"]:  # what it remembers may not depend on which games it played before
                player = load_player(text, game)
            move = player.choose(sight)
        except Exception as problem:
            place = traceback.extract_tb(problem.__traceback__)[-1]
            where = f"{os.path.basename(place.filename)} line {place.lineno}"
            say(problem=f"raised {type(problem).__name__}: {one_line(problem, 80)} ({where})")
            continue
        try:
            say(move=operator.index(move))
        except TypeError:
            say(problem=f"returned no move but {one_line(type(move).__name__, 40)}")
