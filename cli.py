"""The command line of Kibitz.

Each command imports what it needs when it runs, so that ``kibitz --help`` and the small commands start at
once. The work is done by ``solvers`` and ``evaluation``; this module only reads arguments and prints.
"""

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import click

from engines.errors import InputError, one_line, short

VERSION = "0.1.0"


class Commands(click.Group):
    """The command group: a user's mistake becomes one clear line and exit code 2."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except InputError as mistake:
            click.echo(f"kibitz: {mistake}", err=True)
            sys.exit(2)
        except click.UsageError as mistake:
            command = mistake.ctx.command_path if mistake.ctx else "kibitz"
            text = one_line(mistake.format_message(), 200)
            click.echo(f"kibitz: {text} (see {command} --help)", err=True)
            sys.exit(2)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION)
def main() -> None:
    """Look over a card player's shoulder and say what to play."""


def json_option(command: Any) -> Any:
    """Add ``--json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")(command)


def rule_option(command: Any) -> Any:
    """Add ``--rule NAME=VALUE``, given to the command as a dictionary."""
    return click.option(
        "--rule",
        "rules",
        multiple=True,
        metavar="NAME=VALUE",
        callback=_rules,
        help="Change a rule of the game.",
    )(command)


def _rules(ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]) -> dict[str, str]:
    changes = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise InputError(f"--rule {short(text)}: expected NAME=VALUE, such as castle_hp=15")
        changes[name.strip()] = value.strip()
    return changes


def playing_options(command: Any) -> Any:
    """Add what the commands that play tournaments have in common."""
    options = (
        click.option(
            "--deals", type=click.IntRange(1, 10_000_000), help="Deals to play, each in every seating."
        ),
        click.option(
            "--seed", type=click.IntRange(0, 2**62), default=0, show_default=True, help="Which deals."
        ),
        click.option(
            "--jobs",
            type=click.IntRange(1, 1024),
            default=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
            help="Processes that play (all processors).",
        ),
        click.option("--out", metavar="RESULTS.db", help="Keep results here, and continue what is there."),
        click.option("--merge", multiple=True, metavar="OTHER.db", help="Take over another file's results."),
        click.option("--executor", metavar="WHERE", help="Where to play: local, or dask=tcp://HOST:PORT."),
        click.option(
            "--move-time",
            callback=_seconds,
            default="60s",
            show_default=True,
            metavar="TIME",
            help="Longest move of a player in Python.",
        ),
        rule_option,
        json_option,
    )
    for option in reversed(options):
        command = option(command)
    return command


def _seconds(ctx: click.Context, param: click.Parameter, text: str | None) -> float | None:
    if text is None:
        return None
    for unit, length in (("ms", 0.001), ("s", 1.0), ("m", 60.0), ("", 1.0)):
        number = text.strip().removesuffix(unit)
        if text.strip().endswith(unit) and number.replace(".", "", 1).isdecimal():
            value = float(number) * length
            if 0.001 <= value <= 86_400:
                return value
    raise InputError(
        f"{param.opts[0]} {short(text)}: expected a time from 1ms to 24h, such as 500ms, 2s or 1m"
    )


def _say_compiling(title: str) -> None:
    """Tell the user, once, when the game's code is being compiled."""
    from engines import compiled

    def announce(name: str) -> None:
        click.echo(f"compiling {title} (only once; this takes some seconds) ...", err=True)
        compiled.announce = compiled.silent

    compiled.announce = announce


def _json(value: object) -> None:
    import json

    click.echo(json.dumps(value, ensure_ascii=False))


@main.command()
@json_option
def games(as_json: bool) -> None:
    """List the games and the rules that can be changed."""
    from engines import registry

    listed = [registry.load(name) for name in registry.names()]
    if as_json:
        _json(
            {
                game.name: {
                    "title": game.title,
                    "seats": list(game.seat_names),
                    "rules": {
                        parameter.name: {
                            "default": parameter.text(parameter.default),
                            "expected": parameter.expected,
                            "meaning": parameter.meaning,
                        }
                        for parameter in game.parameters
                    },
                }
                for game in listed
            }
        )
        return
    for game in listed:
        click.echo(f"{game.name}: {game.title}")
        for parameter in game.parameters:
            setting = f"{parameter.name}={parameter.text(parameter.default)}"
            click.echo(f"  {setting:<26} {parameter.meaning} ({parameter.expected})")


@main.command()
@json_option
def agents(as_json: bool) -> None:
    """List the agents and their options."""
    from solvers.agents import KINDS
    from solvers.players import installed

    if as_json:
        _json(
            {
                name: {
                    "meaning": kind.meaning,
                    "options": {option.name: option.meaning for option in kind.options},
                }
                for name, kind in KINDS.items()
            }
        )
        return
    for name, kind in KINDS.items():
        click.echo(f"{name}: {kind.meaning}")
        for option in kind.options:
            click.echo(f"  {option.name + f'={option.default:g}':<12} {option.meaning}")
    for name in installed():
        click.echo(f"{name}: installed by another package")
    click.echo(
        "Options go behind a colon: ismcts:sims=5000,c=0.5. Some games have other defaults of their own.\n"
        "In tournaments an agent of your own in Python is module:Class (docs/agents.md)."
    )


@main.command()
@click.argument("game")
@click.option("--seed", type=click.IntRange(0, 2**62), help="Which random game; without it, any.")
@click.option(
    "--moves", type=click.IntRange(0, 100_000), default=20, show_default=True, help="Decisions to play."
)
@rule_option
def position(game: str, seed: int | None, moves: int, rules: dict[str, str]) -> None:
    """Print a position file from a random game, as a template to edit."""
    import random

    from engines import notation, registry
    from engines.contract import OVER, mover
    from engines.random import stream

    chosen = registry.load(game)
    parameters = chosen.rules(**rules)
    if seed is None:
        seed = random.randrange(1_000_000)
    state = chosen.random_position(parameters, stream(seed), moves)
    if mover(parameters, state[0]) == OVER:
        raise InputError(
            f"the random game of seed {seed} is over before {moves} decisions: expected fewer --moves"
        )
    click.echo(f"# {chosen.title}: what the player to move can see (seed {seed}, {moves} moves).")
    click.echo(notation.write_position(chosen, parameters, state), nl=False)


@main.command()
@click.argument("position", metavar="POSITION.toml", required=False)
@click.option("--time", "seconds", callback=_seconds, metavar="TIME", help="Think this long: 500ms, 2s, 1m.")
@click.option("--sims", type=click.IntRange(1, 100_000_000), help="Think for this many simulations instead.")
@click.option("--top", type=click.IntRange(1), help="Show only the best moves.")
@click.option(
    "--seed", type=click.IntRange(0, 2**62), default=0, show_default=True, help="Seed of the search."
)
@click.option("--agent", default="ismcts", show_default=True, help="The search and its options.")
@click.option(
    "--threads", type=click.IntRange(1, 64), help="Threads that search; by default one a core, at most 8."
)
@click.option("--watch", is_flag=True, help="Show the answer on the terminal as it gets better.")
@click.option("--lines", is_flag=True, help="Answer requests on standard input, one JSON object a line.")
@rule_option
@json_option
def hint(
    position: str | None,
    seconds: float | None,
    sims: int | None,
    top: int | None,
    seed: int,
    agent: str,
    threads: int | None,
    watch: bool,
    lines: bool,
    rules: dict[str, str],
    as_json: bool,
) -> None:
    """Say what to play in a position, with the winning chance of each move.

    POSITION.toml is a file such as `kibitz position` prints; - reads standard input. Without --time and
    --sims it thinks for one second, or less when the best move is clear. With --sims the same seed gives the
    same answer, whatever the number of threads.

    With --lines each line of standard input is a request such as {"position": "…", "sims": 5000}, where
    the position is the text of a file, and each line of the output an answer.
    """
    if seconds is not None and sims is not None:
        raise InputError("--time and --sims: expected only one of them")
    if seconds is None and sims is None:
        seconds = 1.0
    threads = threads or min(8, os.cpu_count() or 1)
    if lines:
        if position is not None or watch:
            raise InputError("--lines reads requests from standard input: expected no file and no --watch")
        _answer_lines(
            {"agent": agent, "time": seconds, "sims": sims, "seed": seed, "threads": threads, "top": top}
            | {"rules": rules}
        )
        return
    if position is None:
        raise InputError("no position: expected a file such as `kibitz position` prints, or - (see --help)")
    from engines import notation
    from solvers.agents import parse_agent
    from solvers.hint import hint as find_hint
    from solvers.hint_text import report

    game, parameters, view = notation.read_position(position, rules)
    searcher = parse_agent(agent, game)
    if sims is not None:
        searcher = searcher._replace(sims=sims)
    _say_compiling(game.title)
    with _watching(watch, lambda found: report(game, found, top)) as (progress, look):
        result = find_hint(
            game,
            parameters,
            view,
            searcher,
            seconds=seconds,
            seed=seed,
            threads=threads,
            progress=progress,
            watch=look,
        )
    if as_json:
        found = result.as_json()
        _json(found | {"moves": found["moves"][:top]})
    else:
        click.echo(report(game, result, top))


def _answer_lines(defaults: dict[str, Any]) -> None:
    """Answer requests until the input ends."""
    from solvers.hint_text import answer

    for line in click.open_file("-", errors="replace"):
        if line.strip():
            _json(answer(line, defaults))
            sys.stdout.flush()


@contextlib.contextmanager
def _watching(watch: bool, text: Callable[[Any], str]) -> Iterator[tuple[Any, Any]]:
    """Give what a hint calls on the way: a progress bar, or with --watch the answer so far on the screen."""
    if not watch:
        with _progress() as progress:
            yield progress, None
        return
    from rich.console import Console
    from rich.live import Live

    with Live(console=Console(stderr=True), transient=True, auto_refresh=False) as live:
        last = 0.0

        def look(found: Any) -> None:
            nonlocal last
            if time.monotonic() - last > 0.2:
                live.update(text(found), refresh=True)
                last = time.monotonic()

        yield None, look


@contextlib.contextmanager
def _progress() -> Iterator[Callable[[int, float], None] | None]:
    """Show a bar on a terminal, for whatever takes longer than two seconds."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), TextColumn("{task.fields[done]:,} done"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=1.0, done=0, visible=False)
        began = time.monotonic()

        def progress(done: int, fraction: float) -> None:
            bar.update(task, completed=fraction, done=done, visible=time.monotonic() - began > 1)

        yield progress


@main.command()
@click.argument("game")
@click.argument("agents", nargs=-1, required=True)
@click.option(
    "--deals", type=click.IntRange(2, 10_000_000), default=200, show_default=True, help="Deals to play."
)
@click.option("--seed", type=click.IntRange(0, 2**62), default=0, show_default=True, help="Which deals.")
@rule_option
@json_option
def match(
    game: str, agents: tuple[str, ...], deals: int, seed: int, rules: dict[str, str], as_json: bool
) -> None:
    """Let agents play each other: the same deals in every seating, with equal luck.

    Prints the first agent's share of the wins with its 95 % interval.
    """
    from evaluation import command

    _say_compiling(game)
    sys.exit(command.match(game, agents, deals, seed, rules, as_json, _progress))


@main.command()
@click.argument("game")
@click.argument("agents", nargs=-1, required=True)
@click.option(
    "--format",
    "form",
    type=click.Choice(["round-robin", "gauntlet"]),
    default="round-robin",
    show_default=True,
    help="All against all, or the first against each other.",
)
@playing_options
def tournament(agents: tuple[str, ...], form: str, **settings: Any) -> None:
    """Rank agents: every deal in every seating, with equal luck.

    Results go to --out as they arrive. The same command continues after an interruption, and with more
    --deals it plays only what is missing.
    """
    from evaluation import command

    _say_compiling(settings["game"])
    sys.exit(command.tournament(command.Settings(**settings), agents, form))


@main.command()
@click.argument("game")
@click.argument("first")
@click.argument("second")
@click.option(
    "--sprt", metavar="TEST", help="Stop when this test is decided: elo0=0,elo1=10,alpha=0.05,beta=0.05."
)
@click.option(
    "--rule2",
    "other_rules",
    multiple=True,
    metavar="NAME=VALUE",
    callback=_rules,
    help="Compare with the game under this rule, on the same deals.",
)
@playing_options
def compare(first: str, second: str, sprt: str | None, other_rules: dict[str, str], **settings: Any) -> None:
    """Say which of two agents is better, by how much, and how sure that is.

    With --rule2: what another rule changes for these agents. The agents may then be the same.
    """
    from evaluation import command

    _say_compiling(settings["game"])
    sys.exit(command.compare(command.Settings(**settings), (first, second), sprt, other_rules))


@main.command()
@click.argument("results", metavar="RESULTS.db")
@click.argument("game", metavar="[ID]", required=False)
@json_option
def replay(results: str, game: str | None, as_json: bool) -> None:
    """Show a game of a tournament move by move; without an ID, list what there is."""
    from evaluation import command

    sys.exit(command.replay(results, game, as_json))


@main.command()
@click.argument("results", metavar="RESULTS.db")
@click.option("-o", "--out", required=True, metavar="FILE", help="Where to: .jsonl (all moves) or .csv.")
def export(results: str, out: str) -> None:
    """Write the games of a tournament for other programs."""
    from evaluation import command

    sys.exit(command.export(results, out))


@main.command()
@click.argument("results", metavar="RESULTS.db")
@click.option("-o", "--out", required=True, metavar="REPORT.html", help="The page to write.")
@click.option("--game", help="Which game, if there are several.")
@rule_option
def report(results: str, out: str, game: str | None, rules: dict[str, str]) -> None:
    """Make a page about a tournament: ranking, crosstable, budgets, seats, lengths; it needs no network."""
    from evaluation import command

    sys.exit(command.report(results, out, game, rules, VERSION))


@main.command()
@click.argument("groups", nargs=-1)
@click.option("--pool", metavar="CARDS", help="Ask whether one heap of cards can be arranged.")
@click.option("--add", metavar="CARDS", default="", help="Cards to add to the groups.")
@click.option("--draw", metavar="FILE", help="Draw the table and what moved: .svg, or .png (extra: draw).")
@json_option
def check(groups: tuple[str, ...], pool: str | None, add: str, draw: str | None, as_json: bool) -> None:
    """Judge a Dukes Up! table; each argument is one group.

    \b
    kibitz check "9C TC JH QC" "6S 6H 6D"
    kibitz check "3S 4S 5S 6S" --add "6H 6D"
    kibitz check --pool "3S 4S 5S 6S 6H 6D"
    kibitz check - < tables.txt       one table a line, groups separated by |

    Exit code 0 if the table is valid (with --add or --pool: if it can be made), 1 if not, 2 for a mistake.
    """
    from solvers.melds import command

    sys.exit(command.check(groups, pool, add, draw, as_json))


@main.command()
@click.argument("hand", nargs=-1, required=True)
@click.option("--round", "number", type=click.IntRange(1, 7), required=True, help="The contract's number.")
@click.option("--table", metavar="MELDS", help="Melds on the table, separated by |; shows what can be added.")
@click.option("--top", type=click.IntRange(1), default=5, show_default=True, help="Ways to show.")
@json_option
def meld(hand: tuple[str, ...], number: int, table: str | None, top: int, as_json: bool) -> None:
    """Judge a hand of Up and Down the River: ways to go down, what is missing, which cards would help.

    \b
    kibitz meld --round 5 "7C 7D 2H KS KH X 4D 5D 6D 9S 9H JC"
    kibitz meld --round 2 "8H 9C 2S" --table "4H 5H *6H 7H | 9S 9D *"

    Twos and jokers (X) are wild; in a meld, * is a wild and *6H a wild that stands for the 6H.
    Exit code 0 if the hand can go down (with --table: if a card can be added), 1 if not, 2 for a mistake.
    """
    from solvers.melds import command

    sys.exit(command.meld(" ".join(hand), number, table, top, as_json))


if __name__ == "__main__":
    main()
