"""Playing line-ups on many processors: here, on a cluster or on any executor, nothing lost or played twice.

Work is given out in pieces of about half a second, results come back packed, and one process writes them. A
worker that dies costs only its piece, which is played again. A piece that was there when workers died twice
is played alone; if the worker dies again, its deals are played one by one, and a deal that still does it is
given up: a player in Python loses its games, and where there are several or none they count as shared.
"""

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from multiprocessing import resource_tracker
from typing import Any

from engines import registry
from engines.errors import InputError, one_line, short
from evaluation.blocks import Packed, given_up, pack
from evaluation.entrants import seated
from evaluation.match import Table
from evaluation.store import PLAY, Lineup, Store
from solvers.players import is_built_in

PIECE = 0.5  # seconds of work in a piece
MOST_DEALS = 20_000  # in a piece
GROWTH = 16  # how much larger than the last a piece may be: the first deals may not be typical
SUSPECT = 2  # so many deaths of a worker in its presence, and a piece is played alone
COMMIT = 0.5  # seconds between two commits
TICK = 0.25  # seconds between two looks at the clock


@dataclass(frozen=True)
class Task:
    """Some deals of a line-up."""

    lineup: Lineup
    first: int
    deals: int
    move_time: float
    deaths: int = 0  # of workers while it was being played, or waiting beside one that was


def play_task(task: Task) -> tuple[Packed, float]:
    """Play some deals, in whatever process; return them packed and the seconds they took."""
    table = _table(task.lineup, task.move_time)
    began = time.perf_counter()
    packed = pack(table.play(task.first, task.deals))
    return packed, time.perf_counter() - began


def version() -> int:
    """Return which version of the games a worker plays."""
    return PLAY


def _table(lineup: Lineup, move_time: float) -> Table:
    game = registry.load(lineup.game)
    rules = lineup.rules_object()
    return Table(game, rules, seated(lineup.agents, game, rules, move_time), lineup.seed)


def end_with_parent() -> None:
    """End this process when the one that started it is gone, however that ended."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextlib.contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold interrupts back meanwhile; processes that are started now never get any.

    The main process decides what an interrupt means, also while a worker is still being started.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # its start would let interrupts through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Pool:
    """Workers: processes of this machine, which are replaced when they die, or an executor that is given."""

    def __init__(self, jobs: int, executor: Executor | None = None) -> None:
        self.jobs = jobs
        self._given = executor
        self._executor = executor

    @property
    def local(self) -> bool:
        """Whether the workers are processes of this machine that share our cache."""
        return self._given is None

    def submit(self, task: Task) -> Future:
        """Begin to play some deals."""
        return self._submit(play_task, task)

    def check(self) -> None:
        """Start the workers, and raise ``InputError`` if they cannot work."""
        try:
            found = self._submit(version).result()
        except BrokenExecutor:
            hint = "a script that starts a tournament needs if __name__ == '__main__'"
            raise InputError(f"the workers die before they play anything ({hint})") from None
        except Exception as problem:
            raise InputError(
                f"the workers cannot play: {type(problem).__name__}: {one_line(problem)}"
            ) from None
        if found != PLAY:
            raise InputError(f"the workers play version {found} of the games: expected {PLAY}")

    def _submit(self, function: Callable, *task: Task) -> Future:
        if self._executor is None:
            context = multiprocessing.get_context("spawn")
            self._executor = ProcessPoolExecutor(self.jobs, context, end_with_parent)
        with _interrupts_held() if self.local else contextlib.nullcontext():
            return self._executor.submit(function, *task)  # this is what starts processes

    def renew(self) -> None:
        """Replace workers after one has died."""
        if self._given is not None:
            raise InputError("the executor is broken; what was played is kept, the same command continues")
        self.stop()

    def stop(self) -> None:
        """End the workers at once; an executor that was given is left alone."""
        if self._given is None and self._executor is not None:
            workers = list((getattr(self._executor, "_processes", None) or {}).values())
            for worker in workers:
                worker.kill()
            self._executor.shutdown(wait=True, cancel_futures=True)
            self._executor = None


@contextlib.contextmanager
def open_pool(jobs: int, executor: str | None = None) -> Iterator[Pool]:
    """Open the workers that ``--jobs`` and ``--executor`` ask for, and end them afterwards."""
    if executor is None or executor == "local":
        pool = Pool(jobs)
        try:
            yield pool
        finally:
            pool.stop()
        return
    kind, _, address = executor.partition("=")
    if kind != "dask" or not address:
        raise InputError(f"--executor {short(executor)}: expected local or dask=tcp://HOST:PORT")
    with _dask(address) as pool:
        yield pool


@contextlib.contextmanager
def _dask(address: str) -> Iterator[Pool]:
    try:
        from distributed import Client
    except ImportError:
        raise InputError("--executor dask needs the extra: pip install 'kibitz[cluster]'") from None
    try:
        client = Client(address, timeout=10, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as problem:
        why = one_line(problem, 60)
        raise InputError(f"--executor dask: no scheduler at {short(address)} ({why})") from None
    with client:
        cores = sum(client.ncores().values())
        if not cores:
            raise InputError(f"--executor dask: the cluster at {short(address)} has no workers")
        yield Pool(cores, client.get_executor(pure=False))


class Work:
    """What is left to play of one line-up, and how long it takes."""

    def __init__(self, lineup: Lineup, spans: list[tuple[int, int]], deals: int) -> None:
        self.lineup = lineup
        self.pace: float | None = None  # seconds a deal
        self.size = 1  # deals of the largest piece so far
        self._gaps: list[tuple[int, int]] = []
        at = 0
        for first, end in [*spans, (deals, deals)]:
            if at < min(first, deals):
                self._gaps.append((at, min(first, deals)))
            at = max(at, end)

    @property
    def left(self) -> int:
        """How many deals are not given out."""
        return sum(end - first for first, end in self._gaps)

    @property
    def at(self) -> int:
        """The next deal."""
        return self._gaps[0][0]

    def take(self, seconds: float) -> tuple[int, int]:
        """Give out a piece of about so many seconds: its first deal and the number of deals."""
        first, end = self._gaps[0]
        wanted = int(seconds / self.pace) if self.pace else 1
        deals = max(1, min(wanted, GROWTH * self.size, MOST_DEALS, end - first))
        self._gaps[0] = (first + deals, end)
        if first + deals == end:
            del self._gaps[0]
        return first, deals

    def learn(self, deals: int, seconds: float) -> None:
        """Take note of how long a piece took."""
        self.size = max(self.size, deals)
        self.pace = max(seconds / deals, 1e-7)


def play_lineups(
    store: Store,
    lineups: list[Lineup],
    deals: int,
    pool: Pool,
    *,
    move_time: float = 60.0,
    arrived: Callable[[Lineup, Packed], bool | None] = lambda lineup, packed: None,
    tick: Callable[[], bool | None] = lambda: None,
) -> None:
    """Play what the store lacks of the first ``deals`` deals of each line-up, and keep it there.

    ``arrived`` is called with each block, ``tick`` every now and then; either ends the run by returning true.
    Whatever ends the run, all that arrived is in the store.
    """
    work = [Work(lineup, store.spans(lineup), deals) for lineup in lineups]
    by_lineup = {each.lineup: each for each in work}
    if not any(each.left for each in work):
        return
    if pool.local:  # compile once, before many processes would
        _table(lineups[0], move_time).play(0, 0)
    pool.check()
    again: list[Task] = []
    flying: dict[Future, Task] = {}
    committed = time.monotonic()
    try:
        while True:
            _launch(pool, work, again, flying, move_time)
            if not flying:
                return
            done, _ = wait(flying, TICK, FIRST_COMPLETED)
            dead: list[Task] = []
            for future in done:
                task = flying.pop(future)
                try:
                    packed, seconds = future.result()
                except Exception as problem:
                    _judge(problem)
                    dead.append(task)
                    continue
                by_lineup[task.lineup].learn(task.deals, seconds)
                store.add(task.lineup, packed)
                if arrived(task.lineup, packed):
                    return
            if dead:
                if pool.local:  # the others of a broken pool are lost with it
                    dead += flying.values()
                    flying.clear()
                    pool.renew()
                again += _retry(store, dead, arrived)
            if time.monotonic() - committed > COMMIT:
                store.commit()
                committed = time.monotonic()
            if tick():
                return
    finally:
        for future in flying:
            future.cancel()
        store.commit()


def _launch(
    pool: Pool, work: list[Work], again: list[Task], flying: dict[Future, Task], move_time: float
) -> None:
    """Keep the workers busy: first with what was lost, then with the line-up that is behind the others."""
    if any(task.deaths >= SUSPECT for task in flying.values()):
        return
    while len(flying) < 2 * pool.jobs:
        suspects = [task for task in again if task.deaths >= SUSPECT]
        innocent = [task for task in again if task.deaths < SUSPECT]
        if innocent:
            task = innocent[0]
            again.remove(task)
        elif suspects:
            if flying:
                return
            task = suspects[0]
            again.remove(task)
        else:
            open_work = [each for each in work if each.left]
            if not open_work:
                return
            each = min(open_work, key=lambda each: each.at)
            # Towards the end pieces get smaller, so that the workers end together.
            rest = sum(other.left * (other.pace or 0.0) for other in open_work)
            first, deals = each.take(min(PIECE, max(PIECE / 20, rest / (3 * pool.jobs))))
            task = Task(each.lineup, first, deals, move_time)
        try:
            flying[pool.submit(task)] = task
        except BrokenExecutor:
            again.append(task)
            if flying:
                return  # their results tell
            pool.renew()
        if task.deaths >= SUSPECT:
            return


def _judge(problem: Exception) -> None:
    """Return if a worker died; what else goes wrong in a worker is no agent's doing, and ends the run."""
    if isinstance(problem, BrokenExecutor) or type(problem).__name__ == "KilledWorker":
        return
    if isinstance(problem, InputError):
        raise problem
    raise InputError(f"a worker failed: {type(problem).__name__}: {one_line(problem)}") from problem


def _retry(store: Store, dead: list[Task], arrived: Callable[[Lineup, Packed], Any]) -> list[Task]:
    """Return what is to be played again; give up a deal that kills every worker."""
    again = []
    for task in dead:
        if task.deaths < SUSPECT:
            again.append(Task(task.lineup, task.first, task.deals, task.move_time, task.deaths + 1))
        elif task.deals > 1:
            deals = range(task.first, task.first + task.deals)
            again += [Task(task.lineup, deal, 1, task.move_time, SUSPECT) for deal in deals]
        else:
            seats = task.lineup.seats
            # Our own agents do not kill processes: if there is one stranger, it is to blame.
            strangers = [seat for seat in range(seats) if not is_built_in(task.lineup.agents[seat])]
            culprit = strangers[0] if len(strangers) == 1 else None
            packed = pack(given_up(task.first, 1, seats, culprit, "the process that played it died"))
            store.add(task.lineup, packed)
            arrived(task.lineup, packed)
    return again
