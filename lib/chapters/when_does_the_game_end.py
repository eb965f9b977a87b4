"""The same set-ups under other rules about the end of the game: whose chances move, and by how much."""

import pandas as pd

from gamebalance.mafia.balance import fairest_mafiosi
from gamebalance.mafia.rules import AS_CODED, AS_WRITTEN, Rules
from gamebalance.mafia.setups import Setup
from gamebalance.mafia.win import solve

#: Rules, and whether a night (evening) or a vote comes first: one change each from the published program's, the first.
VARIANTS = {
    "as coded": (AS_CODED, "evening"),
    "as written": (AS_WRITTEN, "evening"),
    "play on": (Rules("never"), "evening"),
    "vote first": (AS_CODED, "morning"),
    "no vote if even": (Rules(votes="odd number"), "evening"),
    "odd days only": (Rules(votes="odd days"), "evening"),
    "memory": (Rules(memory=True), "evening"),
}
#: The largest changes are looked for among cells of at least so many players.
LEAST_PLAYERS = 4


def compare_variants(setups):
    """The town's chance in percent under the first variant, and what each other adds to it in percentage points."""
    setups = list(setups)
    table = pd.DataFrame({name: [100 * solve(setup, *rules) for setup in setups] for name, rules in VARIANTS.items()})
    table[table.columns[1:]] = table[table.columns[1:]].sub(table.iloc[:, 0], axis=0)
    for place, name in enumerate(("players", "mafiosi", "detectives")):
        table.insert(place, name, [getattr(setup, name) for setup in setups])
    return table


def changed_cells(printed):
    """How many cells of the study's tables each variant changes at one decimal, and the largest changes."""
    cells = printed.sort_values(["detectives", "players", "mafiosi"], ignore_index=True)
    compared = compare_variants(Setup.of_players(c.players, c.mafiosi, c.detectives) for c in cells.itertuples())
    return pd.DataFrame(
        {"detectives": detectives, "variant": name, **changes(compared.loc[places], name)}
        for detectives, places in cells.groupby("detectives").groups.items()
        for name in list(VARIANTS)[1:]
    )


def changes(compared, name):
    """Counts of cells as printed, and the largest gain and loss: of equal ones that of fewest players and mafiosi."""
    before = compared["as coded"]
    now, then = (chances.map("{:.1f}".format).astype(float) for chances in (before, before + compared[name]))
    row = {
        "cells": len(now),
        "changed": (then != now).sum(),
        "raised": (then > now).sum(),
        "lowered": (then < now).sum(),
    }
    large = compared[compared["players"] >= LEAST_PLAYERS]
    for change, at, sign in (("most gained", "gained at", 1), ("most lost", "lost at", -1)):
        # Rounded, so that of equal changes the first is found whatever the last bits say.
        cell = large.loc[(sign * large[name]).round(9).idxmax()]
        there = sign * cell[name] > 1e-9
        row[change] = float(cell[name]) if there else float("nan")
        row[at] = f"{cell['mafiosi']:.0f} of {cell['players']:.0f}" if there else None
    return row


def worth_of_memory(players, detectives):
    """What it adds that detectives never ask a cleared player again, at the number of mafiosi most even without it."""
    table = {(many, column): [] for many in detectives for column in ("mafiosi", "chance", "gain")}
    for number in players:
        for many in detectives:
            town = Setup.of_players(number, fairest_mafiosi(number, many), many)
            chance, remembered = (100 * solve(town, Rules(memory=memory)) for memory in (False, True))
            for column, value in (("mafiosi", town.mafiosi), ("chance", chance), ("gain", remembered - chance)):
                table[many, column].append(value)
    frame = pd.DataFrame(table, index=pd.Index(players, name="players"))
    return frame.rename_axis(columns=["detectives", None])
