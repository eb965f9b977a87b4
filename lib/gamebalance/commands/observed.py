"""``gamebalance observed count …``: the tables of ``data/observed``, from the reader's own copy of the records."""

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import click
import pandas as pd

from gamebalance.commands import forms
from gamebalance.publish.files import check_writable, write
from gamebalance.publish.paths import PACKAGE

_PATH = click.argument("path", type=click.Path())
_FORMAT = forms.option()
_OUT = click.option("--out", type=click.Path(file_okay=False), help="Write CSV files into this folder instead.")


def maker(name: str) -> ModuleType:
    """A module of ``data/observed/make``, which comes with this package, in a checkout or installed."""
    places = (folder / "data" / "observed" for folder in (PACKAGE, *PACKAGE.parents))
    folder = str(next(place for place in places if (place / "make").is_dir()))
    if folder not in sys.path:
        sys.path.insert(0, folder)
    return import_module(f"make.{name}")


@click.group()
def group() -> None:
    """Recorded games of people, counted."""


@group.group("count")
def count() -> None:
    """Count the games in your own copy of a public repository."""


@count.command("sport-mafia")
@_PATH
@_FORMAT
@click.option("--seasons", type=(click.IntRange(0), click.IntRange(0)), help="The first and the last; by default all.")
@_OUT
def sport(path, form, seasons, out) -> None:
    """Rated tables of ten, from the sheets of Seezov/FamilyMafiaApp.

    PATH is a checkout, a folder in it, or a zip or tar file of either.
    """
    sport_mafia = maker("sport_mafia")
    tables = sport_mafia.read(path)
    if seasons:
        chosen = [table for table in tables if seasons[0] <= table.season <= seasons[1]]
        if not chosen:
            recorded = f"{tables[0].season} to {tables[-1].season}"
            raise ValueError(f"--seasons {seasons[0]} {seasons[1]}: no table of these; recorded are {recorded}")
        tables = chosen
    _show("sport_mafia", f"tables: {len(tables)}", sport_mafia.counts(tables), form, out)


@count.command("forum-mafia")
@_PATH
@_FORMAT
@_OUT
def forum(path, form, out) -> None:
    """Games of fifteen, from the records of dhon/mafia-allstars.

    PATH is a checkout, a folder in it, or a zip or tar file of either.
    """
    _count("forum_mafia", path, form, out)


@count.command("avalon")
@_PATH
@_FORMAT
@_OUT
def avalon(path, form, out) -> None:
    """Games of five to ten, from the records of WhoaWhoa/avalonlogs.

    PATH is a checkout, a folder in it, or a zip or tar file of either.
    """
    _count("avalon", path, form, out)


def _count(name: str, path: str, form: str, out: str | None) -> None:
    """Show the counts that a maker makes."""
    games = maker(name).read(path)
    _show(name, f"games: {len(games)}", maker(name).counts(games), form, out)


def _show(name: str, games: str, tables: dict[str, pd.DataFrame], form: str, out: str | None) -> None:
    """Print the tables, or write them into a folder."""
    if out is None:
        named = {f"{name}_{table}": frame for table, frame in tables.items()}
        shown = [f"{table}\n{frame.to_string(index=False)}" for table, frame in named.items()]
        forms.echo(
            form,
            lambda: "\n\n".join([games, *shown]),
            lambda: pd.concat([frame.astype(object).assign(table=table) for table, frame in named.items()]),
            lambda: {table: forms.records(frame) for table, frame in named.items()},
        )
        return
    if form != "text":
        raise click.UsageError(f"--format {form} and --out: one of them is needed; --out writes CSV files")
    folder = Path(out)
    check_writable(folder)
    for table, frame in tables.items():
        write(folder / f"{name}_{table}.csv", forms.as_csv(frame) + "\n")
    click.echo(f"{games}; {len(tables)} files written to {folder}")
