"""Golden playthroughs: one random and one greedy game of each registered game, as text.

``python -m tests.golden_games`` from the top folder writes them anew; look at the difference before you
keep it. ``test_golden.py`` replays every line.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from engines import contract, registry
from engines.contract import CHANCE, OVER
from engines.game import Game
from engines.random import below, stream, uniform

FOLDER = Path(__file__).parent / "golden"
# Rules that keep the files short.
RULES = {"river": {"rounds": "13", "first_round": 12, "max_turns": 40}}
SEED = 2026


def path_of(name: str) -> Path:
    return FOLDER / f"{name}.txt"


def golden_rules(game: Game) -> Any:
    return game.rules(**{"max_turns": 120} | RULES.get(game.name, {}))


def lines_of_game(game: Game, greedy: bool) -> Iterator[str]:
    """Yield a seeded game: every event, all legal moves, the one chosen, and the result."""
    rules = golden_rules(game)
    rng, state = stream(SEED, int(greedy)), game.new(rules)
    yield f"game {'greedy' if greedy else 'random'}"
    while (seat := contract.mover(rules, state[0])) != OVER:
        if seat == CHANCE:
            chances = game.outcomes(rules, state)
            code = contract.roll(rules, state[0], uniform(rng))
            text = game.notation.outcome_text(rules, state[0], code)
            yield f"chance {code} of {len(chances)}/{sum(chances.values())}: {text}"
        else:
            moves = game.legal(rules, state)
            if greedy:
                code = int(contract.suggest(rules, state[0], np.array(moves), len(moves), rng))
            else:
                code = moves[below(rng, len(moves))]
            texts = {move: game.notation.move_text(rules, state[0], move) for move in moves}
            yield f"{game.seat_names[seat]}: {texts[code]} < {', '.join(texts.values())}"
        contract.play(rules, state[0], code)
    yield "result " + " ".join(
        str(contract.returns(rules, state[0], seat)) for seat in range(contract.seats(rules))
    )


def playthrough(game: Game) -> str:
    """Return the text of a game's file."""
    return "".join(f"{line}\n" for greedy in (False, True) for line in lines_of_game(game, greedy))


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in registry.names():
        path_of(name).write_text(playthrough(registry.load(name)), encoding="utf-8")


if __name__ == "__main__":
    main()
