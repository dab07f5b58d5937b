"""An agent of one's own: kibitz tournament royal greedy examples.careful:Careful:guesses=4 --deals 50"""

from engines.contract import evaluate
from engines.random import stream


class Careful:
    """Plays the move behind which the quick estimate is best, averaged over guesses of what is hidden."""

    def __init__(self, game, guesses="8"):
        self.guesses = int(guesses)

    def choose(self, sight):
        """Return one of ``sight.legal``."""
        return max(sight.legal, key=lambda move: self.worth(sight, move))

    def worth(self, sight, move):
        """Return the mean estimate behind a move."""
        rng = stream(sight.seed)
        ends = (sight.after(move, rng) for _ in range(self.guesses))
        return sum(evaluate(sight.rules, end[0], sight.seat) for end in ends) / self.guesses
