"""What the tests of tournaments share."""

from concurrent.futures import Executor, Future

from engines import registry
from evaluation.store import Store
from evaluation.tournament import Tournament

GAME = "deckduel-basic"
AGENTS = ("greedy", "random", "ismcts:sims=4")


class Here(Executor):
    """Does the work at once, in this process."""

    def __init__(self):
        self.tasks = []

    def submit(self, function, *tasks):
        self.tasks += tasks
        future = Future()
        try:
            future.set_result(function(*tasks))
        except Exception as problem:
            future.set_exception(problem)
        return future


def tournament(store, agents=AGENTS, deals=20, game=GAME, **options):
    game = registry.load(game)
    rules = game.rules(**{"max_turns": 60} | options.pop("rules", {}))
    return Tournament(store, game, rules, list(agents), deals=deals, **options)


def play(store, *args, executor=None, **options):
    """Play a tournament and return it; the executor may also be a pool."""
    event = tournament(store, *args, **options)
    event.run(executor or Here())
    return event


def dump(store: Store):
    """All that is kept of every game and does not depend on the clock."""
    return {
        record.id: (record.returns, record.decisions, record.fault, record.reason, record.events)
        for lineup in store.lineups()
        for record in store.records(lineup)
    }
