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


if __name__ == "__main__":
    main()
