"""The same set-ups under other rules about the end of the game: whose chances move, and by how much."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import product
from math import isqrt
from typing import NamedTuple

import pandas as pd

from chapters.mafia.printed_tables import as_printed
from gamebalance.mafia import effort
from gamebalance.mafia.balance import fairest_mafiosi
from gamebalance.mafia.rules import AS_CODED, AS_WRITTEN, Rules
from gamebalance.mafia.setups import Setup
from gamebalance.mafia.win import solve


class Variant(NamedTuple):
    """A way to play: under which rules, and whether the game begins with a night (evening) or with a vote."""

    rules: Rules = AS_CODED
    phase: str = "evening"


#: One change each from the rules of the published program, which come first.
VARIANTS = {
    "as coded": Variant(),
    "as written": Variant(AS_WRITTEN),
    "play on": Variant(Rules("never")),
    "vote first": Variant(phase="morning"),
    "no vote if even": Variant(Rules(votes="odd number")),
    "odd days only": Variant(Rules(votes="odd days")),
    "memory": Variant(Rules(memory=True)),
}


#: The largest changes are looked for among cells of at least so many players.
LEAST_PLAYERS = 4


def compare_variants(setups: Iterable[Setup]) -> pd.DataFrame:
    """The chance of the innocents under the first variant, and what each other variant adds to it.

    One row per set-up: ``players``, ``mafiosi``, ``detectives``, then a column per variant. The first is in percent,
    the others are differences from it in percentage points.
    """
    setups = list(setups)
    rows = {name: [100 * solve(setup, *variant) for setup in setups] for name, variant in VARIANTS.items()}
    table = pd.DataFrame(rows)
    table[table.columns[1:]] = table[table.columns[1:]].sub(table.iloc[:, 0], axis=0)
    for place, name in enumerate(("players", "mafiosi", "detectives")):
        table.insert(place, name, [getattr(setup, name) for setup in setups])
    return table


def changed_cells(printed: pd.DataFrame) -> pd.DataFrame:
    """How many cells of the study's tables each variant changes at one decimal, and the largest changes.

    One row per number of detectives and variant: ``cells`` in the table; how many are ``changed``, ``raised`` and
    ``lowered`` as printed; ``most gained`` and ``most lost`` in unrounded percentage points (missing where no cell
    gains or loses 1e-9 points) among cells of at least `LEAST_PLAYERS` players; and ``gained at`` and ``lost at``, the
    mafiosi and players of these cells. Of equal changes, that of fewest players and mafiosi is named.
    """
    cells = printed.sort_values(["detectives", "players", "mafiosi"], ignore_index=True)
    setups = [Setup.of_players(cell.players, cell.mafiosi, cell.detectives) for cell in cells.itertuples()]
    compared = compare_variants(setups)
    first, *others = VARIANTS
    rows = [
        {"detectives": detectives, "variant": name, **_changes(compared.loc[places], first, name)}
        for detectives, places in cells.groupby("detectives").groups.items()
        for name in others
    ]
    return pd.DataFrame(rows)


def _changes(compared: pd.DataFrame, first: str, name: str) -> dict:
    """A row of `changed_cells`, for the cells of one table."""
    steps = (compared[first] + compared[name]).map(_tenths) - compared[first].map(_tenths)
    counts = {"cells": len(steps), "changed": (steps != 0).sum(), "raised": (steps > 0).sum()}
    counts["lowered"] = counts["changed"] - counts["raised"]
    large = compared[compared["players"] >= LEAST_PLAYERS]
    extremes = {}
    for change, at, sign in (("most gained", "gained at", 1), ("most lost", "lost at", -1)):
        # Rounded, so that of equal changes the first is found whatever the last bits say.
        cell = large.loc[(sign * large[name]).round(9).idxmax()]
        there = sign * cell[name] > 1e-9
        extremes[change] = float(cell[name]) if there else float("nan")
        extremes[at] = f"{cell['mafiosi']:.0f} of {cell['players']:.0f}" if there else None
    return counts | extremes


def _tenths(percent: float) -> int:
    """A percentage as printed, in tenths of a percent."""
    return int(as_printed(percent).replace(".", ""))


def worth_of_memory(players: Iterable[int], detectives: Iterable[int]) -> pd.DataFrame:
    """What it is worth to the innocents that detectives never interrogate a cleared player again.

    Each number of players and detectives is joined by that number of mafiosi for which the game without memory is
    nearest to even. Index ``players``; two levels of columns: the number of ``detectives``, and for each ``mafiosi``,
    ``chance`` (percent, without memory) and ``gain`` (percentage points that memory adds).
    """
    players, detectives = list(players), list(detectives)
    for number, many in product(players, detectives):
        town = Setup.of_players(number, 0, many)
        effort.check_towns(replace(town, mafiosi=isqrt(number), innocents=town.innocents // 2), Rules(memory=True))
    table = {}
    for many in detectives:
        rows = [_memory_gain(number, many) for number in players]
        for column, values in zip(("mafiosi", "chance", "gain"), zip(*rows, strict=True), strict=True):
            table[many, column] = values
    result = pd.DataFrame(table, index=pd.Index(players, name="players"))
    return result.rename_axis(columns=["detectives", None])


def _memory_gain(players: int, detectives: int) -> tuple[int, float, float]:
    """A row of `worth_of_memory`, for one number of detectives."""
    mafiosi = fairest_mafiosi(players, detectives)
    town = Setup.of_players(players, mafiosi, detectives)
    chance, remembered = (100 * solve(town, Rules(memory=memory)) for memory in (False, True))
    return mafiosi, chance, remembered - chance
