"""Our numbers beside those that the study prints, and what in them depends on choices outside the game.

"The study" is *Probabilités de victoire au jeu mafia*; it prints percentages with one decimal.
"""

from collections.abc import Mapping
from fractions import Fraction

import numpy as np
import pandas as pd

from gamebalance._checks import in_memory, in_time, whole_number
from gamebalance.mafia._layers import last_layer
from gamebalance.mafia.balance import Range, balance_table, range_of, win_table
from gamebalance.mafia.rules import AS_WRITTEN, MOST_PLAYERS, PUBLISHED, Rules, check_rules

#: How many detectives each of the study's three balance tables allows, by the name that its transcription gives it.
DETECTIVE_RULES: dict[str, tuple[int, int | None]] = {"0": (0, 0), "1:2": (1, 2), "any": (0, None)}
#: The same in words.
DETECTIVES_ALLOWED = {"0": "none", "1:2": "one or two", "any": "any number"}
#: How far the study's tables go.
WIN_TABLE_PLAYERS, BALANCE_TABLE_PLAYERS = 20, 30

#: What a row of `candidates` takes, as it is collected.
_ROW_BYTES = 250.0
#: Whom the two sides of a balance table favour: the study's deficit (Défaut) and excess (Excès).
FAVOURED = {"deficit": "favours mafia", "excess": "favours innocents"}

CELL = ["detective_rule", "players", "side"]
NUMBERS = ["probability_percent", "mafiosi", "detectives"]


def as_printed(percent) -> str:
    """A percentage as the study prints it, with one decimal.

    Parameters
    ----------
    percent : float or Fraction

    Returns
    -------
    str
        Of the nearest double: a value half-way between two decimals that a double holds exactly, such as 1.25, goes
        to the even one, as in the study's program.
    """
    return f"{float(percent):.1f}"


def win_cells(printed: pd.DataFrame) -> pd.DataFrame:
    """The study's tables of winning probabilities, cell by cell.

    Parameters
    ----------
    printed : DataFrame
        Columns ``detectives``, ``players``, ``mafiosi``, ``probability_percent``.

    Returns
    -------
    DataFrame
        The same three columns, then percentages: ``printed``; ``ours`` and ``by the text``, unrounded, under the rules
        of the program and of the text. ``equal`` and ``changed`` say whether ours is the printed value, and whether
        the text's rule changes it, at the printed precision.

    Raises
    ------
    ValueError
        If a printed cell is none of a table: as many mafiosi as players, or more roles than players.
    """
    cells = printed[["detectives", "players", "mafiosi"]].reset_index(drop=True)
    cells["printed"] = printed["probability_percent"].to_numpy(float)
    for name, rules in (("ours", PUBLISHED), ("by the text", AS_WRITTEN)):
        tables = {d: win_table(int(part["players"].max()), d, rules=rules) for d, part in cells.groupby("detectives")}
        places = cells[["detectives", "mafiosi", "players"]].itertuples(index=False, name=None)
        cells[name] = [100 * _cell(tables[d], mafiosi, players) for d, mafiosi, players in places]
    cells["equal"] = cells["ours"].map(as_printed) == cells["printed"].map(as_printed)
    cells["changed"] = cells["by the text"].map(as_printed) != cells["ours"].map(as_printed)
    return cells


def _cell(table: pd.DataFrame, mafiosi: int, players: int) -> float:
    there = mafiosi in table.index and players in table.columns
    if not there or np.isnan(table.at[mafiosi, players]):
        raise ValueError(f"mafiosi = {mafiosi}, players = {players}: the table has no such cell")
    return float(table.at[mafiosi, players])


def rounding_ties(table: pd.DataFrame) -> dict[tuple[int, int], Fraction]:
    """The cells that lie exactly half-way between two percentages with one decimal.

    Parameters
    ----------
    table : DataFrame
        Of fractions, as from ``win_table(..., exact=True)``; missing cells are left out.

    Returns
    -------
    dict of (int, int) to Fraction
        By mafiosi and players.
    """
    found = {}
    for (mafiosi, players), chance in table.stack().dropna().items():
        half_decimals = 2000 * Fraction(chance)
        if half_decimals.denominator == 1 and half_decimals % 2:
            found[mafiosi, players] = chance
    return found


def balance_cells(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Balance tables, cell by cell, in the form of the transcription of the study's tables.

    Parameters
    ----------
    tables : mapping of str to DataFrame
        From `balance_table`, by the name of the detective rule.

    Returns
    -------
    DataFrame
        Columns ``detective_rule``, ``players``, ``side`` ("deficit" or "excess"), ``probability_percent`` (unrounded),
        ``mafiosi``, ``detectives``.
    """
    parts = []
    for rule, table in tables.items():
        for side in ("deficit", "excess"):
            numbers = table[[side, f"{side}_mafiosi", f"{side}_detectives"]].set_axis(NUMBERS, axis=1).reset_index()
            numbers["probability_percent"] *= 100
            parts.append(numbers.assign(detective_rule=rule, side=side))
    return pd.concat(parts, ignore_index=True)[CELL + NUMBERS]


def study_tables(rules: Rules = PUBLISHED, most_players: int = BALANCE_TABLE_PLAYERS) -> dict[str, pd.DataFrame]:
    """The study's three balance tables, by the name of the detective rule.

    Parameters
    ----------
    rules : Rules
        Without memory.
    most_players : int
        How far they go; 2 or more.

    Returns
    -------
    dict of str to DataFrame
        As from `balance_table`.
    """
    return {name: balance_table(most_players, allowed, rules=rules) for name, allowed in DETECTIVE_RULES.items()}


def same_cells(cells: pd.DataFrame, others: pd.DataFrame) -> pd.Series:
    """Whether two lists of balance cells would be printed alike: percentage, mafiosi and detectives.

    Parameters
    ----------
    cells, others : DataFrame
        As from `balance_cells`, the same cells in any order.

    Returns
    -------
    Series of bool
        Indexed by detective rule, players and side, in the order of `cells`.

    Raises
    ------
    ValueError
        If the two do not list the same cells.
    """
    one, two = (frame.set_index(CELL)[NUMBERS] for frame in (cells, others))
    if set(one.index) != set(two.index) or len(one) != len(two):
        raise ValueError(f"others = {len(two)} cells: the same {len(one)} cells are needed, each of them once")
    two = two.loc[one.index]
    alike = one["probability_percent"].map(as_printed) == two["probability_percent"].map(as_printed)
    return alike & (one[NUMBERS[1:]] == two[NUMBERS[1:]]).all(axis=1)


def beside_printed(printed: pd.DataFrame, cells: pd.DataFrame, rule: str) -> pd.DataFrame:
    """One of the study's balance tables: printed and ours, for both sides.

    Parameters
    ----------
    printed, cells : DataFrame
        As from `balance_cells`.
    rule : str
        Of the detectives, a key of `DETECTIVE_RULES`.

    Returns
    -------
    DataFrame
        Two levels of columns. First ("", "players"); then, for "favours mafia, printed" and "favours mafia, ours"
        (the deficit), "favours innocents, printed" and "favours innocents, ours" (the excess), the columns "%", "m"
        (mafiosi) and "d" (detectives).
    """
    columns = {}
    sources = {"printed": printed, "ours": cells}
    for side, favoured in FAVOURED.items():
        for name, source in sources.items():
            part = source[(source["detective_rule"] == rule) & (source["side"] == side)].set_index("players")
            for short, number in zip(("%", "m", "d"), NUMBERS, strict=True):
                columns[f"{favoured}, {name}", short] = part[number]
    frame = pd.DataFrame(columns)
    frame.insert(0, ("", "players"), frame.index)
    return frame.reset_index(drop=True)


def candidates(
    players: int, detectives: Range = (0, None), most_mafiosi: int | None = None, rules: Rules = PUBLISHED
) -> pd.DataFrame:
    """All set-ups among which a balance table chooses for one number of players.

    Parameters
    ----------
    players : int
        2 or more, in the evening before the first night.
    detectives : int or (int, int or None)
        How many there are, or the smallest and largest number; None for any.
    most_mafiosi : int, optional
        Largest number of mafiosi; (players + 1) / 2, rounded down, by default.
    rules : Rules
        Without memory.

    Returns
    -------
    DataFrame
        Columns ``probability`` (of the innocents' winning), ``mafiosi``, ``detectives``, sorted by them in this order.
        The deficit of the table is the last row at or below 1/2, the excess the first at or above.

    Raises
    ------
    ValueError
        In one line that names the argument, its value and what is allowed.
    """
    players = whole_number("players", players, 2, MOST_PLAYERS)
    low, high = range_of("detectives", detectives, players)
    check_rules(rules, memory=False)
    most = (players + 1) // 2 if most_mafiosi is None else whole_number("most_mafiosi", most_mafiosi)
    most, high = min(most, players), min(high, players)
    in_memory(f"players = {players}, up to {most} mafiosi, {high} detectives", _ROW_BYTES * (most + 1) * (high + 1))
    table = last_layer(players, most, high, rules, "evening")
    rows = [(table[d, m], m, d) for d in range(min(low, high + 1), high + 1) for m in range(min(most, players - d) + 1)]
    names = ["probability", "mafiosi", "detectives"]
    return pd.DataFrame(rows, columns=names).sort_values(names, ignore_index=True)


def arbitrary_cells(most_players: int = BALANCE_TABLE_PLAYERS) -> pd.DataFrame:
    """The cells of the study's balance tables that the game alone does not decide.

    They are ties, cells in which no set-up lies on the side in question, and cells that change when the table ends
    earlier: the program looks only at half as many mafiosi as the largest number of players of the whole table.

    Parameters
    ----------
    most_players : int
        Largest number of players of the table; 2 or more.

    Returns
    -------
    DataFrame
        Columns ``detectives`` (how many are allowed), ``players``, ``side``, ``probability_percent``, ``chosen``
        (the set-up, such as "2m, 0d"), ``as good`` (the others with the same probability), ``shorter table`` (what
        is chosen if the table ends with this number of players) and ``unreached`` (nothing on this side).
    """
    most = whole_number("most_players", most_players, 2, MOST_PLAYERS)
    in_time(f"most_players = {most}", 2.5e-9 * most**4 + 1e-6 * most**3)
    rows = []
    for name, table in study_tables(most_players=most).items():
        for players in table.index:
            own = balance_table(players, DETECTIVE_RULES[name], min_players=players)
            every = candidates(players, DETECTIVE_RULES[name], (most + 1) // 2)
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
    """How many cells of each of the study's tables come out, and how many the text's rule changes.

    Parameters
    ----------
    win : DataFrame
        From `win_cells`.
    balance, text : Series of bool
        From `same_cells`: ours against the printed cells, and ours against those under the text's rule.

    Returns
    -------
    DataFrame
        Columns ``table``, ``cells``, ``reproduced``, ``changed``; the last row is the sum.
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
