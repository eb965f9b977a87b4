"""Files of results on the command line: the options that say how one is read, and reading it."""

import csv
import sys
from collections.abc import Callable
from typing import Any

import click

from gamebalance.fairness.games import Games
from gamebalance.fairness.reading import NAMED, read_games
from gamebalance.fairness.tables import cleaned

#: Which column an option names.
COLUMNS = {
    "game": "Column of what was one game; several, between commas, together.",
    "winner": "Column of who won, or of each player's result.",
    "side": "Column of sides; or, for a row each game, the columns of all sides.",
    "role": "Likewise of roles.",
    "seat": "Likewise of seats.",
    "player": "Likewise of players.",
    "score": "Column that decides who won, the highest; or those of all players.",
}


class Listed(click.ParamType):
    """``left,right``: texts between commas; in quotes, one that has a comma itself."""

    name = "names"

    def convert(self, value, param, ctx):
        """A list of texts."""
        if isinstance(value, list):
            return value
        parts = next(csv.reader([value.replace("\n", " ")], skipinitialspace=True), [])
        return [part.strip() for part in parts or [""]]


def options(command: Callable) -> Callable:
    """The options of a command that reads a file of results; they come to it under the names of `read`."""
    command = click.option("--lowest", is_flag=True, help="The lowest score wins.")(command)
    command = click.option("--labels", type=Listed(), help="Who takes part, where only winners are known.")(command)
    for name in reversed(NAMED):
        command = click.option(f"--{name}", type=Listed(), help=COLUMNS[name])(command)
    return click.option("--draws", is_flag=True, help="A game that nobody won is a draw, and no mistake.")(command)


def read(results: str, labels: list[str] | None, **named: Any) -> Games:
    """The games of a file; what is wrong with it is said with its name."""
    try:
        source = getattr(sys.stdin, "buffer", sys.stdin) if results == "-" else results
        return read_games(source, labels=labels or (), **named)
    except OSError as error:
        raise click.UsageError(f"{results}: {error.strerror or error}") from None
    except ValueError as error:
        raise ValueError(str(error) if cleaned(results) in str(error) else f"{results}: {error}") from error
