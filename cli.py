"""The command line of Kibitz.

Each command imports what it needs when it runs, so that ``kibitz --help`` and the small commands start at
once. The work is done by ``solvers`` and ``evaluation``; this module only reads arguments and prints.
"""

import sys
from typing import Any

import click

from engines.errors import InputError


class Commands(click.Group):
    """The command group: a user's mistake becomes one clear line and exit code 2."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except InputError as mistake:
            click.echo(f"kibitz: {mistake}", err=True)
            sys.exit(2)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="kibitz")
def main() -> None:
    """Look over a card player's shoulder and say what to play."""


@main.command()
@click.argument("groups", nargs=-1)
@click.option("--pool", metavar="CARDS", help="Ask whether one heap of cards can be arranged.")
@click.option("--add", metavar="CARDS", default="", help="Cards to add to the groups.")
@click.option("--draw", metavar="FILE", help="Draw the table and what moved: .svg, or .png (extra: draw).")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
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
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
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
