"""What the commands share: the choice of a format, CSV, and a word beforehand when something takes long."""

import click
import pandas as pd

from gamebalance._checks import MOST_SECONDS, span
from gamebalance.collection.jobs import duration

#: From so many seconds on, a command says beforehand what it will take.
LONG_SECONDS = 10

format_option = click.option(
    "--format",
    "form",
    type=click.Choice(["text", "csv", "json"]),
    default="text",
    show_default=True,
    help="How to write the result.",
)


def announce(what: str, seconds: float) -> None:
    """Say on standard error what a long command will take; ValueError if nobody waits for that long."""
    if seconds > MOST_SECONDS:
        raise ValueError(f"{what}: about {span(seconds)} are needed, {span(MOST_SECONDS)} are allowed")
    if seconds >= LONG_SECONDS:
        click.echo(f"This takes about {duration(seconds)}.", err=True)


def csv_text(frame: pd.DataFrame) -> str:
    """A table as CSV, without a line end after the last line."""
    return frame.to_csv(index=False, lineterminator="\n").rstrip("\n")
