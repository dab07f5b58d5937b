"""What ``kibitz match``, ``tournament``, ``compare``, ``replay``, ``export`` and ``report`` do."""

import contextlib
import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from engines import registry
from engines.contract import seats
from engines.errors import InputError
from engines.game import Game
from evaluation import records
from evaluation.entrants import full_name, seated, short_names
from evaluation.match import Match
from evaluation.ratings import contrast, rank
from evaluation.report import Facts
from evaluation.report import report as page
from evaluation.results import Results
from evaluation.runner import Pool, open_pool
from evaluation.sprt import Test, deal_scores, judge, parse_test, verdict
from evaluation.store import PLAY, Lineup, Store
from evaluation.tables import clock, numbers, percent, ranking_json, ranking_text
from evaluation.tournament import Tournament

INTERRUPTED = 130  # what a shell gives a command that was interrupted
QUIET = 2.0  # seconds before anything is said
SAY = 10.0  # seconds between two lines where there is no terminal
REFRESH = 0.2  # seconds between two pictures where there is one
MOST_FAULTS = 10  # that are listed
MOVE_TIME = 60.0  # seconds that a player in Python may take for a move, if the user does not say


@dataclass(frozen=True)
class Settings:
    """What the commands that play have in common."""

    game: str
    rules: dict[str, str]
    deals: int | None
    seed: int
    jobs: int
    out: str | None
    merge: tuple[str, ...]
    executor: str | None
    move_time: float
    as_json: bool


@contextlib.contextmanager
def _store(settings: Settings) -> Iterator[Store]:
    with Store(settings.out, create=True) as store:
        for path in settings.merge:
            store.merge(path)
        yield store


Progress = Callable[[], contextlib.AbstractContextManager[Callable[[int, float], None] | None]]
"""Opens a bar, if there is a terminal, that is told what is done as a number and as a fraction."""


def match(
    game_name: str,
    agents: tuple[str, ...],
    deals: int,
    seed: int,
    changes: dict[str, str],
    as_json: bool,
    progress: Progress,
) -> int:
    """Let agents play each other in this process, and print the first one's score."""
    game = registry.load(game_name)
    rules = game.rules(**changes)
    if len(agents) != seats(rules):
        raise InputError(f"{game.title} is for {seats(rules)}: expected as many agents, not {len(agents)}")
    table = Match(
        game, rules, seated([full_name(agent, game) for agent in agents], game, rules, MOVE_TIME), seed
    )
    table.play(0)
    with progress() as tell:
        while len(table.results) < deals:
            table.play(min(deals - len(table.results), max(1, deals // 100)))
            if tell is not None:
                tell(len(table.results), len(table.results) / deals)
    score = table.score()
    if as_json:
        names = {"game": game_name, "agents": list(agents), "deals": score.deals, "games": score.games}
        _print_json(names | {"score": score.mean, "low": score.low, "high": score.high})
    else:
        click.echo(
            f"{agents[0]} wins {100 * score.mean:.2f} % against {', '.join(agents[1:])}"
            f" (95 % interval {100 * score.low:.2f} to {100 * score.high:.2f};"
            f" {score.games:,} games, {score.deals:,} deals)"
        )
    return 0


def tournament(settings: Settings, agents: tuple[str, ...], form: str) -> int:
    """Let every agent meet the others, and print the ranking."""
    game = registry.load(settings.game)
    rules = game.rules(**settings.rules)
    with _store(settings) as store:
        event = _event(settings, store, game, rules, list(agents), settings.deals or 200, form)
        with open_pool(settings.jobs, settings.executor) as pool:
            finished = _run(event, pool)
        if not event.played:
            return INTERRUPTED
        results = event.results()
        ranking = rank(results)
        if settings.as_json:
            _print_json(ranking_json(ranking, results) | {"finished": finished})
        else:
            _say_games(game, results, settings)
            click.echo("\n".join(ranking_text(ranking, game.seat_names)))
            _say_faults(event)
    return 0 if finished else INTERRUPTED


def compare(
    settings: Settings, agents: tuple[str, str], sprt: str | None, other_rules: dict[str, str]
) -> int:
    """Say which of two agents is better, or what other rules change for them."""
    game = registry.load(settings.game)
    test = parse_test(sprt) if sprt else None
    if other_rules:
        if test:
            raise InputError("--sprt and --rule2: expected only one of them")
        return _compare_rules(settings, game, agents, other_rules)
    if agents[0] == agents[1]:
        raise InputError("compare: expected two different agents, or --rule2")
    deals = settings.deals or (100_000 if test else 1000)
    with _store(settings) as store:
        event = _event(settings, store, game, game.rules(**settings.rules), list(agents), deals)
        with open_pool(settings.jobs, settings.executor) as pool:
            watch = _Watch(event, test)
            finished = watch.decided() or _run(event, pool, watch)
        results = event.results(watch.deals())
        found = verdict(results, test=test)
        if settings.as_json:
            fields = ("decision", "sentence", "deals", "more")
            answer: dict[str, Any] = {name: getattr(found, name) for name in fields}
            estimates = {"elo": numbers(found.elo), "score": numbers(found.score)}
            _print_json(answer | estimates | {"finished": finished})
        else:
            click.echo(found.sentence)
            _say_games(game, results, settings)
            _say_faults(event)
    return 0 if finished else INTERRUPTED


class _Watch:
    """Looks at a comparison while it is played, and says when it is decided.

    It looks at the deals that are there without a gap, so the answer does not depend on who was quicker.
    """

    def __init__(self, event: Tournament, test: Test | None) -> None:
        self._event = event
        self._test = test
        self._looked = 0
        self._stopped = 0

    def _whole(self) -> int:
        """Return how many deals are complete from the first one on."""
        spans = [self._event.store.spans(lineup) for lineup in self._event.lineups]
        ends = (each[0][1] if each and each[0][0] == 0 else 0 for each in spans)
        return min(self._event.deals, *ends)

    def decided(self) -> bool:
        """Return whether the test can stop."""
        deals = self._whole()
        if self._test is None or deals <= self._looked + self._looked // 50:
            return False
        self._looked = deals
        state = judge(deal_scores(self._event.results(deals)), self._test)
        self._stopped = state.deals if state.decision else 0
        return bool(state.decision)

    def deals(self) -> int:
        """Return how many deals the answer is to be based on."""
        return self._stopped or self._whole()


def _compare_rules(
    settings: Settings, game: Game, agents: tuple[str, str], other_rules: dict[str, str]
) -> int:
    """Play the same deals under two sets of rules and tell what changes."""
    names = list(dict.fromkeys(agents))
    both: list[Results] = []
    with _store(settings) as store, open_pool(settings.jobs, settings.executor) as pool:
        for changes in (settings.rules, settings.rules | other_rules):
            event = _event(settings, store, game, game.rules(**changes), names, settings.deals or 1000)
            if not _run(event, pool):
                return INTERRUPTED
            both.append(event.results())
    if both[0].seats != both[1].seats:
        raise InputError("--rule2: expected rules for as many players")
    lines = contrast(*both)
    if settings.as_json:
        rankings = [ranking_json(rank(results), results) for results in both]
        _print_json({"rules": rankings, "difference": {name: numbers(change) for name, change in lines}})
        return 0
    lines = lines if len(names) > 1 else lines[1:]  # one agent has all of the score under any rules
    shown = [name for name, change in lines if change.low > 0 or change.high < 0]
    click.echo("Shown to change (each at 95 %): " + (", ".join(shown) or "nothing") + ".")
    for results, which in zip(both, ("first", "second"), strict=True):
        _say_games(game, results, settings, f"{which} rules: ")
        ranking = rank(results)
        scores = [f"{standing.name} {percent(standing.score)}" for standing in ranking.standings]
        shares = zip(game.seat_names, ranking.seat_share, strict=False)
        by_seat = [f"{name} {percent(share)}" for name, share in shares]
        parts = [*(scores if len(scores) > 1 else []), *by_seat]
        click.echo(f"  {', '.join(parts)}; {results.length.mean():.1f} decisions a game")
    click.echo("second less first, deal by deal:")
    for name, change in lines:
        number = change if name.startswith("decisions") else change.scaled(100)
        unit = "" if name.startswith("decisions") else " %"
        click.echo(f"  {name:<30} {number.value:+.2f}{unit} ({number.low:+.2f} to {number.high:+.2f})")
    return 0


def _event(
    settings: Settings,
    store: Store,
    game: Game,
    rules: Any,
    agents: list[str],
    deals: int,
    form: str = "round-robin",
) -> Tournament:
    event = Tournament(
        store,
        game,
        rules,
        agents,
        deals=deals,
        seed=settings.seed,
        form=form,
        move_time=settings.move_time,
    )
    older = [lineup for lineup in store.lineups() if lineup.game == game.name and lineup.play != PLAY]
    if older:
        click.echo(f"kibitz: {store.path} also has games of an older version, which do not count", err=True)
    return event


def _run(event: Tournament, pool: Pool, watch: _Watch | None = None) -> bool:
    """Play, show how it stands, and return whether it was played to the end."""
    with _display(event) as show:

        def tick() -> bool:
            show()
            return watch is not None and watch.decided()

        try:
            event.run(pool, tick=tick)
        except KeyboardInterrupt:
            pass
        else:
            return True
    kept = f"are kept in {event.store.path}; the same command continues"
    lost = "were played; with --out FILE they would be kept, and the same command would continue"
    click.echo(
        f"kibitz: stopped: {event.played:,} of {event.total:,} games {kept if event.store.lasting else lost}",
        err=True,
    )
    return False


def _status(event: Tournament) -> str:
    """Return how far it is."""
    if event.played == event.found:
        return f"{event.played:,} of {event.total:,} games, starting"
    seconds = time.monotonic() - event.began
    rate = (event.played - event.found) / max(seconds, 0.001)
    left = f", {clock((event.total - event.played) / rate)} left"
    faults = f", {event.tally.faults} faults" if event.tally.faults else ""
    return f"{event.played:,} of {event.total:,} games, {rate:,.3g} a second{left}{faults}"


@contextlib.contextmanager
def _display(event: Tournament) -> Iterator[Any]:
    """Show progress and the ranking so far: live on a terminal, else a line now and then."""
    names = event.names()
    last = time.monotonic() - SAY + QUIET

    def standing() -> list[str]:
        return [f"{100 * score:5.1f} %  {names[agent]}" for agent, score in event.tally.ranking()]

    if not sys.stderr.isatty():

        def say() -> None:
            nonlocal last
            if time.monotonic() - last > SAY:
                last = time.monotonic()
                leaders = (" ".join(line.split()) for line in standing()[:3])
                click.echo("; ".join([_status(event), *leaders]), err=True)

        yield say
        return
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    with Live(console=Console(stderr=True), transient=True, auto_refresh=False) as live:

        def show() -> None:
            nonlocal last
            if time.monotonic() - last > REFRESH:
                last = time.monotonic()
                live.update(Text("\n".join([_status(event), *standing()])), refresh=True)

        yield show


def _say_games(game: Game, results: Results, settings: Settings, prefix: str = "") -> None:
    rules = "".join(f", {name}={value}" for name, value in results.rules.items())
    deals = len(set(results.deal.tolist()))
    click.echo(
        f"{prefix}{game.title}{rules}: {len(results):,} games on {deals:,} deals of seed {settings.seed}"
    )


def _say_faults(event: Tournament) -> None:
    """List games that were lost by a fault."""
    found = []
    for lineup in event.lineups:
        for (deal, seating), reason in event.store.faults(lineup).items():
            found.append(f"  {lineup.id}-{deal}-{seating}: {reason}")
    if found:
        click.echo(f"\nGames lost by a fault, or given up: {len(found):,}")
        click.echo("\n".join(found[:MOST_FAULTS]))
        if len(found) > MOST_FAULTS:
            click.echo("  ...")


def _print_json(value: object) -> None:
    click.echo(json.dumps(value, ensure_ascii=False))


def replay(path: str, game_id: str | None, as_json: bool) -> int:
    """Show a game move by move, or what there is to show."""
    with Store(path) as store:
        if game_id is None or "-" not in game_id:
            lineups = store.lineups() if game_id is None else [store.find(game_id)]
            click.echo("\n".join(records.overview(store, lineups)))
            return 0
        record = store.game(game_id)
        if as_json:
            _print_json(records.as_json(record) | {"steps": list(records.steps(record))})
        else:
            for line in records.story(record):
                click.echo(line)
    return 0


def export(path: str, out: str) -> int:
    """Write all games of a file to another, for other programs."""
    with Store(path) as store:
        games = records.export(store, store.lineups(), out)
    click.echo(f"{games:,} games written to {out}", err=True)
    return 0


def report(path: str, out: str, game: str | None, rules: dict[str, str], version: str) -> int:
    """Write a page about the games of a file under one set of rules."""
    with Store(path) as store:
        lineups = _chosen(store, game, rules)
        chosen = registry.load(lineups[0].game)
        results = store.results(lineups)
        results = replace(results, agents=short_names(results.agents, chosen))
        faults = [
            (f"{lineup.id}-{deal}-{seating}", reason)
            for lineup in lineups
            for (deal, seating), reason in store.faults(lineup).items()
        ]
        facts = Facts(
            title=chosen.title,
            seat_names=chosen.seat_names,
            commands=_commands(store, lineups, results),
            faults=faults,
            version=version,
        )
    try:
        Path(out).write_text(page(results, facts), encoding="utf-8")
    except OSError as problem:
        raise InputError(f"{out}: {problem.strerror}") from None
    click.echo(f"{len(results):,} games, {len(results.agents)} agents: {out}", err=True)
    return 0


def _commands(store: Store, lineups: list[Lineup], results: Results) -> list[str]:
    """Return a command for each seed that plays these games again."""
    rules = "".join(f" --rule {name}={value}" for name, value in results.rules.items())
    deals = {lineup.seed: 0 for lineup in lineups}
    for lineup in lineups:
        ends = [end for _, end in store.spans(lineup)]
        deals[lineup.seed] = max([deals[lineup.seed], *ends])
    return [
        f"kibitz tournament {results.game} {' '.join(results.agents)} --deals {count} --seed {seed}{rules}"
        for seed, count in sorted(deals.items())
    ]


def _chosen(store: Store, game: str | None, rules: dict[str, str]) -> list[Lineup]:
    """Return the line-ups of a file under one set of rules; say what to add if there are several."""
    groups: dict[tuple[str, tuple[tuple[str, int], ...]], list[Lineup]] = {}
    for lineup in store.lineups():
        if lineup.play == PLAY and game in (None, lineup.game):
            groups.setdefault((lineup.game, lineup.rules), []).append(lineup)
    if rules:
        wanted = {name: registry.load(name).rules(**rules)._asdict() for name in {name for name, _ in groups}}
        groups = {key: lineups for key, lineups in groups.items() if dict(key[1]) == wanted[key[0]]}
    if len(groups) == 1:
        return next(iter(groups.values()))
    if not groups:
        raise InputError(f"{store.path}: no such games")
    options = []
    for name, values in groups:
        parameters = {each.name: each for each in registry.load(name).parameters}
        changed = (
            f" --rule {rule}={parameters[rule].text(value)}"
            for rule, value in values
            if rule in parameters and value != parameters[rule].default
        )
        options.append(f"--game {name}{''.join(changed)}")
    raise InputError(f"{store.path} has games of several kinds: expected one of: {'; '.join(options)}")
