"""Players in Python for the tests of tournaments, good and bad."""

import os
import sys
import time


class First:
    """Plays the first legal move, and prints what must not disturb anybody."""

    def __init__(self, game, after="0"):
        self.after = int(after)  # the decision from which on a bad player shows what it is
        self.decisions = 0

    def choose(self, sight):
        print("noise")
        self.decisions += 1
        return self.bad(sight) if self.decisions > self.after else sight.legal[0]

    def bad(self, sight):
        return sight.legal[0]


class Seeded(First):
    """Plays a legal move by the seed it is given."""

    def bad(self, sight):
        return sight.legal[sight.seed % len(sight.legal)]


class Raises(First):
    def bad(self, sight):
        raise ValueError("nothing\ncomes to mind")


class Hangs(First):
    def bad(self, sight):
        while True:
            time.sleep(0.01)


class Illegal(First):
    def bad(self, sight):
        return max(sight.legal) + 1_000


class Speechless(First):
    def bad(self, sight):
        return "pass"


class Dies(First):
    def bad(self, sight):
        os._exit(7)


class KillsWorker(First):
    """Kills the process that plays the match, which no player should be able to, but somebody may."""

    def bad(self, sight):
        os.kill(os.getppid(), 9)
        time.sleep(60)


class CannotBeMade:
    def __init__(self, game):
        sys.exit("no")
