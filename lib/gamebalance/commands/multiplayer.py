"""``gamebalance multiplayer …``: a game in coalitions of your own, and the table of methods."""

import re
from collections.abc import Iterable
from fractions import Fraction
from importlib.resources import files
from typing import Any

import click
import pandas as pd

from gamebalance.base.checks import shown
from gamebalance.commands import forms
from gamebalance.multiplayer.cooperative import TUGame

_format = forms.option()
#: The characters that a file may have; 16 players have 65,535 coalitions.
MOST_READ = 16 * 2**20
_RATIONAL = re.compile(r"[+-]?[0-9]+(/[0-9]+)?")
_METHOD = "{method}\n    {reference}; {module}; {status}\n    {how verified}"


@click.group()
def group() -> None:
    """Methods for games of three and more players, on a game that you give."""


@group.command("methods", short_help="Every method, and what it promises.")
@_format
def methods_command(form) -> None:
    """Every method for games of many players: reference, module, how it is verified, and what it promises."""
    frame = pd.read_csv(files("gamebalance.multiplayer") / "methods.csv", keep_default_na=False)
    records = forms.records(frame)
    forms.echo(form, lambda: "\n".join(_METHOD.format_map(each) for each in records), lambda: frame, lambda: records)


@group.command("coalition", short_help="Shares and stability of a game in coalitions.")
@click.argument("file", type=click.File(encoding="utf-8-sig"), metavar="FILE")
@_format
def coalition_command(file, form) -> None:
    """Shares and stability of a game in coalitions: Shapley, Banzhaf, nucleolus, core, best structure.

    FILE has a line such as "A+B: 1/3" for what each coalition of up to 16 players is worth; with - it is read from
    standard input. Whole numbers and fractions give exact answers.
    """
    try:
        text = file.read(MOST_READ + 1)
        if len(text) > MOST_READ:
            raise ValueError(f"{MOST_READ:,} characters are read, and there are more")
        game = _read(text.splitlines())
    except ValueError as error:
        raise ValueError(f"{file.name}: {error}") from error
    record = _solutions(game)
    forms.echo(form, lambda: _text(game, record), lambda: _shares(game, record), lambda: record)


def _read(lines: Iterable[str]) -> TUGame:
    """The game that the lines describe; its players in the order in which they first occur."""
    worths: dict[tuple[str, ...], Fraction | float] = {}
    for line in filter(None, map(str.strip, lines)):
        name, _, worth = line.rpartition(":")
        coalition = tuple(sorted(player.strip() for player in name.split("+")))
        if not all(coalition) or coalition in worths:
            raise ValueError(f"{shown(line)}: a coalition and its worth, once, such as 'A+B: 1/3', are needed")
        try:
            worths[coalition] = Fraction(worth.strip()) if _RATIONAL.fullmatch(worth.strip()) else float(worth)
        except (ValueError, ZeroDivisionError):
            raise ValueError(f"{shown(line)}: a number such as 2, 1/3 or 0.25 is needed after the colon") from None
    return TUGame(dict.fromkeys(player for coalition in worths for player in coalition), worths)


def _solutions(game: TUGame) -> dict[str, Any]:
    """All that is said about a game; None where there is no such thing."""
    weights, structure = game.balanced_weights(), game.best_structure()
    try:
        nucleolus = game.nucleolus()
    except ValueError:  # there is no imputation
        nucleolus = None
    return {
        "shapley": game.shapley(),
        "banzhaf": game.banzhaf(),
        "nucleolus": nucleolus,
        "prenucleolus": game.prenucleolus(),
        "core_allocation": game.core_allocation(),
        "balanced_weights": {_named(game, part): weight for part, weight in weights.items()} if weights else weights,
        "least_core_epsilon": game.least_core().epsilon if len(game.players) > 1 else None,
        "best_structure": {_named(game, part): game.worth(part) for part in structure.coalitions},
        "best_worth": structure.worth,
    }


def _named(game: TUGame, coalition: frozenset[str]) -> str:
    return "+".join(player for player in game.players if player in coalition)


def _shares(game: TUGame, record: dict[str, Any]) -> pd.DataFrame:
    """A row for each player; no value where there is no such share."""
    names = ("shapley", "banzhaf", "nucleolus", "prenucleolus", "core_allocation")
    rows = [{"player": player} | {name: (record[name] or {}).get(player) for name in names} for player in game.players]
    return pd.DataFrame(rows, dtype=object)


def _text(game: TUGame, record: dict[str, Any]) -> str:
    """The record as text: a table of the shares, and lines about stability."""
    shares = {name: record[name] for name in ("shapley", "banzhaf", "nucleolus", "prenucleolus") if record[name]}
    core, proof, least = record["core_allocation"], record["balanced_weights"], record["least_core_epsilon"]
    proven = f"not empty; it holds {_listed(core)}" if core else f"empty; balanced weights prove it: {_listed(proof)}"
    lines = [
        f"together worth {game.worth(game.players)}; {'exact' if game.exact else 'rounded'}\n",
        pd.DataFrame(shares).loc[list(game.players)].to_string() + "\n",
        record["nucleolus"] is None and "Nucleolus: none, the players are worth more alone than together.",
        f"Core: {proven}.",
        least is not None and f"Least core: the greatest excess of a coalition is at least {least}.",
        f"Best structure: {', '.join(record['best_structure'])}; together worth {record['best_worth']}.",
    ]
    return "\n".join(line for line in lines if line)


def _listed(values: dict[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items())
