"""What ``kibitz check`` and ``kibitz meld`` do: read, ask the solver, print, and return the exit code."""

import json

import click

from engines.errors import InputError


def check(groups: tuple[str, ...], pool: str | None, add: str, draw: str | None, as_json: bool) -> int:
    """Judge one table, or one a line of the standard input."""
    from solvers.melds import dukes_check

    if groups == ("-",):
        if pool is not None or add or draw:
            raise InputError("- takes no other options than --json")
        return _check_lines(as_json)
    if pool is not None and (groups or add):
        raise InputError("--pool stands alone: give groups and --add, or one heap of cards")
    if pool is None and not groups and not add:
        raise InputError('no cards: give groups like "9C TC JH QC" "6S 6H 6D", or --pool, or -')
    if add or pool is not None:
        *table, extra = dukes_check.read_groups([*groups, add if pool is None else pool])
        found = dukes_check.judge(table, extra)
    else:
        found = dukes_check.judge(dukes_check.read_groups(groups))
    if draw:
        from solvers.melds.draw import save

        save(found, draw)
    click.echo(
        json.dumps(dukes_check.as_json(found)) if as_json else dukes_check.report(found, pool is not None)
    )
    can = (dukes_check.VALID, dukes_check.REGROUP) if add or pool is not None else (dukes_check.VALID,)
    return 0 if found.verdict in can else 1


def _check_lines(as_json: bool) -> int:
    """Answer one line for each table; 2 if a line is no table, else 1 if a table is not valid."""
    from solvers.melds.dukes_check import VALID, quick_verdict, read_groups

    code = 0
    answers = []
    for number, line in enumerate(click.open_file("-", errors="replace"), start=1):
        mistake = ""
        try:
            verdict = quick_verdict(read_groups(line.split("|")))
            code = max(code, 0 if verdict == VALID else 1)
        except InputError as error:
            verdict, mistake, code = "error", str(error), 2
        if as_json:
            answers.append(
                json.dumps({"line": number, "verdict": verdict} | ({"error": mistake} if mistake else {}))
            )
        else:
            answers.append(f"{verdict}: {mistake}" if mistake else verdict)
        if len(answers) == 1000:
            click.echo("\n".join(answers))
            answers.clear()
    if answers:
        click.echo("\n".join(answers))
    return code


def meld(hand: str, number: int, table: str | None, top: int, as_json: bool) -> int:
    """Judge one River hand."""
    from solvers.melds import river

    found = river.judge(hand, number, table)
    click.echo(json.dumps(river.as_json(found)) if as_json else river.report(found, top))
    if found.table is not None:
        return 0 if found.options else 1
    return 0 if found.ready else 1
