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

#: What is counted, by the maker of ``data/observed/make``: what it is, and from whose records.
COUNTED = {
    "sport_mafia": ("tables", "Rated tables of ten, from the sheets of Seezov/FamilyMafiaApp."),
    "forum_mafia": ("games", "Games of fifteen, from the records of dhon/mafia-allstars."),
    "avalon": ("games", "Games of five to ten, from the records of WhoaWhoa/avalonlogs."),
}


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


def _command(name: str) -> None:
    """The command of a maker."""
    noun, about = COUNTED[name]

    @click.argument("path", type=click.Path())
    @forms.option()
    @click.option("--out", type=click.Path(file_okay=False), help="Write CSV files into this folder instead.")
    def command(path, form, out, seasons=None) -> None:
        games = maker(name).read(path)
        if seasons:
            chosen = [table for table in games if seasons[0] <= table.season <= seasons[1]]
            if not chosen:
                recorded = f"{games[0].season} to {games[-1].season}"
                raise ValueError(f"--seasons {seasons[0]} {seasons[1]}: no table of these; recorded are {recorded}")
            games = chosen
        _show(name, f"{noun}: {len(games)}", maker(name).counts(games), form, out)

    about += "\n\nPATH is a checkout, a folder in it, or a zip or tar file of either."
    made = count.command(name.replace("_", "-"), help=about)(command)
    if name == "sport_mafia":
        told = "The first and the last; by default all."
        made.params.insert(2, click.Option(["--seasons"], type=(click.IntRange(0), click.IntRange(0)), help=told))


for _name in COUNTED:
    _command(_name)


def _show(name: str, games: str, tables: dict[str, pd.DataFrame], form: str, out: str | None) -> None:
    """Print the tables, or write them into a folder."""
    if out is None:
        named = {f"{name}_{table}": frame for table, frame in tables.items()}
        shown = [f"{table}\n{frame.to_string(index=False)}" for table, frame in named.items()]
        forms.echo(
            form,
            lambda: "\n\n".join([games, *shown]),
            lambda: pd.concat([frame.astype(object).assign(file=table) for table, frame in named.items()]),
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
