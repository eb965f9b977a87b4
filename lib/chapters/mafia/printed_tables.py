"""Our numbers beside those that the study prints, and what in them depends on choices outside the game.

"The study" is *Probabilités de victoire au jeu mafia*; it prints percentages with one decimal.
"""

from collections.abc import Mapping
from fractions import Fraction

import numpy as np
import pandas as pd

from gamebalance.mafia.balance import Range, balance_table, range_of, win_table
from gamebalance.mafia.kernels.layers import last_layer
from gamebalance.mafia.rules import AS_CODED, AS_WRITTEN, Rules

#: How many detectives each of the study's three balance tables allows, by the name that its transcription gives it.
DETECTIVE_RULES: dict[str, tuple[int, int | None]] = {"0": (0, 0), "1:2": (1, 2), "any": (0, None)}
#: The same in words.
DETECTIVES_ALLOWED = {"0": "none", "1:2": "one or two", "any": "any number"}
#: How far the study's tables go.
WIN_TABLE_PLAYERS, BALANCE_TABLE_PLAYERS = 20, 30

#: Whom the two sides of a balance table favour: the study's deficit (Défaut) and excess (Excès).
FAVOURED = {"deficit": "favours mafia", "excess": "favours town"}

CELL = ["detective_rule", "players", "side"]
NUMBERS = ["probability_percent", "mafiosi", "detectives"]


def as_printed(percent) -> str:
    """A percentage (float or Fraction) as the study prints it, with one decimal of the nearest double.

    A value half-way between two decimals that a double holds exactly goes to the even one, as in the study's program:

    >>> as_printed(1.25)
    '1.2'
    """
    return f"{float(percent):.1f}"


def win_cells(printed: pd.DataFrame) -> pd.DataFrame:
    """The study's tables of winning probabilities, cell by cell.

    `printed` has the columns ``detectives``, ``players``, ``mafiosi``, ``probability_percent``. The first three stay,
    then percentages: ``printed``; ``ours`` and ``by the text``, unrounded, under the rules of the program and of the
    text. ``equal`` and ``changed`` say whether ours is the printed value, and whether the text's rule changes it, at
    the printed precision. A ValueError names a printed cell that is none of a table.
    """
    cells = printed[["detectives", "players", "mafiosi"]].reset_index(drop=True)
    cells["printed"] = printed["probability_percent"].to_numpy(float)
    for name, rules in (("ours", AS_CODED), ("by the text", AS_WRITTEN)):
        tables = {d: win_table(int(part["players"].max()), d, rules=rules) for d, part in cells.groupby("detectives")}
        places = cells[["detectives", "mafiosi", "players"]].itertuples(index=False, name=None)
        cells[name] = [100 * _cell(tables[d], mafiosi, players) for d, mafiosi, players in places]
    cells["equal"] = cells["ours"].map(as_printed) == cells["printed"].map(as_printed)
    cells["changed"] = cells["by the text"].map(as_printed) != cells["ours"].map(as_printed)
    return cells


def _cell(table: pd.DataFrame, mafiosi: int, players: int) -> float:
    """One cell of a table, if it is there."""
    there = mafiosi in table.index and players in table.columns
    if not there or np.isnan(table.at[mafiosi, players]):
        raise ValueError(f"mafiosi = {mafiosi}, players = {players}: the table has no such cell")
    return float(table.at[mafiosi, players])


def rounding_ties(table: pd.DataFrame) -> dict[tuple[int, int], Fraction]:
    """The cells that lie exactly half-way between two percentages with one decimal, by mafiosi and players.

    `table` is one of fractions, as from ``win_table(..., exact=True)``; missing cells are left out.
    """
    found = {}
    for (mafiosi, players), chance in table.stack().dropna().items():
        half_decimals = 2000 * Fraction(chance)
        if half_decimals.denominator == 1 and half_decimals % 2:
            found[mafiosi, players] = chance
    return found


def balance_cells(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Tables from `study_tables`, cell by cell, in the form of the transcription of the study's tables, unrounded."""
    parts = []
    for rule, table in tables.items():
        for side in ("deficit", "excess"):
            numbers = table[[side, f"{side}_mafiosi", f"{side}_detectives"]].set_axis(NUMBERS, axis=1).reset_index()
            numbers["probability_percent"] *= 100
            parts.append(numbers.assign(detective_rule=rule, side=side))
    return pd.concat(parts, ignore_index=True)[CELL + NUMBERS]


def study_tables(rules: Rules = AS_CODED, most_players: int = BALANCE_TABLE_PLAYERS) -> dict[str, pd.DataFrame]:
    """The study's three balance tables, as from `balance_table`, by the name of the detective rule."""
    return {name: balance_table(most_players, allowed, rules=rules) for name, allowed in DETECTIVE_RULES.items()}


def same_cells(cells: pd.DataFrame, others: pd.DataFrame) -> pd.Series:
    """Whether two lists of balance cells would be printed alike: percentage, mafiosi and detectives.

    Both are as from `balance_cells`, the same cells in any order. The answers are indexed by detective rule, players
    and side, in the order of `cells`.
    """
    one, two = (frame.set_index(CELL)[NUMBERS] for frame in (cells, others))
    if set(one.index) != set(two.index) or len(one) != len(two):
        raise ValueError(f"others = {len(two)} cells: the same {len(one)} cells are needed, each of them once")
    two = two.loc[one.index]
    alike = one["probability_percent"].map(as_printed) == two["probability_percent"].map(as_printed)
    return alike & (one[NUMBERS[1:]] == two[NUMBERS[1:]]).all(axis=1)


def nearest_to_fair(cells: pd.DataFrame, rule: str) -> pd.DataFrame:
    """One of the study's balance tables, by its rule of the detectives: the closest set-up on either side.

    `cells` are as from `balance_cells`. For each side that is favoured: "% won" by the town, "mafiosi", "detectives".
    """
    columns = {}
    for side, favoured in FAVOURED.items():
        part = cells[(cells["detective_rule"] == rule) & (cells["side"] == side)].set_index("players")
        for head, number in zip(("% won", "mafiosi", "detectives"), NUMBERS, strict=True):
            columns[f"closest, {favoured}", head] = part[number]
    frame = pd.DataFrame(columns)
    frame.insert(0, ("", "players"), frame.index)
    return frame.reset_index(drop=True)


def candidates(players: int, detectives: Range = (0, None), most_mafiosi: int | None = None) -> pd.DataFrame:
    """All set-ups among which a balance table chooses for one number of players; arguments as for `balance_table`.

    Columns ``probability`` (of the innocents' winning), ``mafiosi``, ``detectives``, sorted by them in this order: the
    deficit of the table is the last row at or below 1/2, the excess the first at or above.
    """
    low, high = range_of("detectives", detectives, players)
    most = min((players + 1) // 2 if most_mafiosi is None else most_mafiosi, players)
    high = min(high, players)
    table = last_layer(players, most, high, AS_CODED, "evening")
    rows = [(table[d, m], m, d) for d in range(min(low, high + 1), high + 1) for m in range(min(most, players - d) + 1)]
    names = ["probability", "mafiosi", "detectives"]
    return pd.DataFrame(rows, columns=names).sort_values(names, ignore_index=True)


def arbitrary_cells() -> pd.DataFrame:
    """The cells of the study's balance tables that the game alone does not decide.

    They are ties, cells in which no set-up lies on the side in question, and cells that change when the table ends
    earlier: the program looks only at half as many mafiosi as the largest number of players of the whole table.
    ``chosen`` is the set-up, such as "2m, 0d", ``as good`` the others with the same probability, ``shorter table`` what
    is chosen if the table ends with this number of players, ``unreached`` says that there is nothing on this side.
    """
    rows = []
    for name, table in study_tables().items():
        for players in table.index:
            own = balance_table(players, DETECTIVE_RULES[name], min_players=players)
            every = candidates(players, DETECTIVE_RULES[name], (BALANCE_TABLE_PLAYERS + 1) // 2)
            for side in ("deficit", "excess"):
                rows.append(_origin(name, players, side, table, own, every))
    frame = pd.DataFrame(rows)
    moved = frame["shorter table"] != frame["chosen"]
    return frame[(frame["as good"] != "") | frame["unreached"] | moved].reset_index(drop=True)


def _origin(rule: str, players: int, side: str, table, own, every: pd.DataFrame) -> dict:
    """A row of `arbitrary_cells`."""
    chance, *chosen = table.loc[players, [side, f"{side}_mafiosi", f"{side}_detectives"]]
    alike = every[every["probability"] == chance][["mafiosi", "detectives"]].to_numpy().tolist()
    shorter = own.loc[players, [f"{side}_mafiosi", f"{side}_detectives"]]
    return {
        "detectives": DETECTIVES_ALLOWED[rule],
        "players": players,
        "side": side,
        "probability_percent": 100 * chance,
        "chosen": named(chosen),
        "as good": "; ".join(named(setup) for setup in alike if setup != [int(count) for count in chosen]),
        "shorter table": named(shorter),
        "unreached": bool(table.at[players, "unreached"]) and side == "deficit",
    }


def named(setup) -> str:
    """Mafiosi and detectives as the study writes them, such as ``2m, 0d``."""
    mafiosi, detectives = setup
    return f"{mafiosi:.0f}m, {detectives:.0f}d"


def overview(win: pd.DataFrame, balance: pd.Series, text: pd.Series) -> pd.DataFrame:
    """How many cells of each of the study's tables come out, and how many the text's rule changes; last their sum.

    `win` is from `win_cells`; `balance` and `text` are from `same_cells`, ours against the printed cells and against
    those under the text's rule. Columns ``table``, ``cells``, ``reproduced``, ``changed``.
    """
    rows = []
    for detectives, part in win.groupby("detectives"):
        name = f"winning probability, {'one detective' if detectives else 'no detective'}"
        rows.append((name, len(part), int(part["equal"].sum()), int(part["changed"].sum())))
    for rule, allowed in DETECTIVES_ALLOWED.items():
        alike, kept = (series.xs(rule, level="detective_rule") for series in (balance, text))
        rows.append((f"balance, detectives: {allowed}", len(alike), int(alike.sum()), int((~kept).sum())))
    rows.append(("all", *(sum(row[place] for row in rows) for place in (1, 2, 3))))
    return pd.DataFrame(rows, columns=["table", "cells", "reproduced", "changed"])
