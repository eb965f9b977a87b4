"""Mafia as tables play it: what each role and each rule is worth to the town, and which set-ups are fair. Exact."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

from gamebalance.base.checks import whole_number
from gamebalance.mafia import Rules, Setup, closest, simulate, solve
from gamebalance.mafia.design import Table

if TYPE_CHECKING:
    import pandas

#: The rules from which changes depart: half of the living is enough for the mafia, and the sheriff tells at a find.
USUAL = Rules("always", tells="at a find")
#: What a citizen of a town of mafiosi and citizens can be instead: field of `Setup`, and the rule that makes the role.
CARDS = {
    "sheriff, tells at his death": ("sheriffs", {"tells": "at death"}),
    "sheriff, tells at a find": ("sheriffs", {"tells": "at a find"}),
    "sheriff, tells every morning": ("sheriffs", {"tells": "every morning"}),
    "detective": ("detectives", {}),
    "detective with memory": ("detectives", {"memory": True}),
    "doctor": ("doctors", {}),
    "bodyguard": ("bodyguards", {}),
    "vigilante, one bullet": ("vigilantes", {"bullets": 1, "shot": 1}),
    "vigilante, a bullet each night": ("vigilantes", {"bullets": 9, "shot": 1}),
    "witch": ("witches", {}),
    "hunter": ("hunters", {}),
}
#: And beside a sheriff who tells at a find: a mafioso who is a don.
DON = "don beside a sheriff"
#: Players of the tables of set-ups.
LEAST_PLAYERS, MOST_PLAYERS = 6, 16
#: Roles that a fair set-up may have, at most one of each.
ALLOWED = {"dons": (0, 1), "sheriffs": (0, 1), "doctors": (0, 1), "vigilantes": (0, 1)}


#: The two tables whose games were recorded.
TABLES = {
    "sport": Table(Setup.read("10: don, 2 mafiosi, sheriff, 6 citizens"), USUAL, "morning"),
    "forum": Table(
        Setup.read("15: 3 mafiosi, cop, medic, vigilante, 9 citizens"), replace(USUAL, kills=(1, 1, 2)), "evening"
    ),
}
#: One rule changed each.
CHANGES = {
    "as played": {},
    "the sheriff tells nobody": {"tells": "never"},
    "he tells at his death only": {"tells": "at death"},
    "he tells every morning": {"tells": "every morning"},
    "he tells at a find, roles of the dead are hidden": {"dead_roles": "hidden"},
    "after a tie nobody leaves": {"ties": "nobody"},
    "after a tie all leave": {"ties": "all"},
    "after two ties all leave": {"ties": "again, then all"},
    "one shot a night": {"kills": 1},
    "two shots a night": {"kills": 2},
    "two shots, aimed apart": {"kills": 2, "aim": "apart"},
    "in one night of ten the mafia does not agree": {"agreement": 0.9},
    "half of the living is not enough for the mafia": {"half_rule": "never"},
}
OTHER_PHASE = {
    "night first, where it was day; day first, where it was night": {"morning": "evening", "evening": "morning"}
}


def changed(odds: float = 1) -> "pandas.DataFrame":
    """The chances of both tables when one rule is changed: index the change, columns `TABLES`; the first row is whole.

    `odds` are those of votes, as in `Rules`. All other rows are differences from the first.
    """
    import pandas as pd

    rows = {}
    for change, fields in CHANGES.items():
        rows[change] = [
            solve(table.setup, replace(table.rules, odds=odds, **fields), table.phase) for table in TABLES.values()
        ]
    ((name, phases),) = OTHER_PHASE.items()
    rows[name] = [solve(table.setup, replace(table.rules, odds=odds), phases[table.phase]) for table in TABLES.values()]
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=list(TABLES))
    frame.iloc[1:] -= frame.iloc[0]
    return frame


def fairest_number(players: int) -> int:
    """The number of mafiosi that brings a town with a sheriff who tells at a find nearest to an even game."""
    players = whole_number("players", players, LEAST_PLAYERS, MOST_PLAYERS)
    return int(closest(players, (1, players // 2), 0, sheriffs=1, rules=USUAL, top=1, lengths=False)["mafiosi"].iloc[0])


def worth(least: int = LEAST_PLAYERS, most: int = MOST_PLAYERS) -> "pandas.DataFrame":
    """What a role is worth to the town, by players (columns): the change of its chance when a citizen has it.

    The first rows are the number of mafiosi, that of `fairest_number`, and the chance of the town without any role;
    then the differences for `CARDS`; the last that for a mafioso who is a don, in a town with a sheriff. Night first.
    """
    import pandas as pd

    columns = {}
    for players in range(least, most + 1):
        mafiosi = fairest_number(players)
        plain = Setup(mafiosi, players - mafiosi)
        chance = solve(plain, USUAL)
        column = {"mafiosi": mafiosi, "the town wins": chance}
        for card, (field, rules) in CARDS.items():
            setup = replace(plain, innocents=plain.innocents - 1, **{field: 1})
            column[card] = solve(setup, replace(USUAL, **rules)) - chance
        searched = replace(plain, innocents=plain.innocents - 1, sheriffs=1)
        led = replace(searched, mafiosi=mafiosi - 1, dons=1)
        column[DON] = solve(led, USUAL) - solve(searched, USUAL)
        columns[players] = column
    return pd.DataFrame(columns).rename_axis(columns="players")


def fairest(least: int = LEAST_PLAYERS, most: int = MOST_PLAYERS, odds: float = 1) -> "pandas.DataFrame":
    """The fairest set-up with at most one of each role of `ALLOWED`, by players, under `USUAL` with these odds.

    Columns ``set-up`` as people write it, ``chance`` of the town, and ``one_more``, the chance with one citizen more.
    """
    import pandas as pd

    rules, rows = replace(USUAL, odds=odds), {}
    for players in range(least, most + 1):
        near = closest(players, (1, players // 2), 0, **ALLOWED, rules=rules, top=5, lengths=False)
        found = near[near["dons"] <= near["sheriffs"]].iloc[0]  # a don without a sheriff is any mafioso
        setup = Setup(**{name: int(found[name]) for name in vars(Setup(0, 0)) if name in found.index})
        rows[players] = {
            "set-up": setup.written.split(": ")[1],
            "chance": found["win_probability"],
            "one_more": found["one_more"],
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("players")


def by_odds(table: Table, odds: Iterable[float]) -> list[float]:
    """The chance of the town at a table, for each of these odds of votes."""
    return [solve(table.setup, replace(table.rules, odds=each), table.phase) for each in odds]


def against_simulation(games: int, seed: int, workers: int = 1) -> "pandas.DataFrame":
    """Exact and simulated chances of the town at both tables, as played and under other rules.

    Columns ``table``, ``rules`` (a change of `CHANGES`), ``exact, %``, ``simulated, %``, ``error`` (a standard error,
    in percentage points) and ``errors apart``, the difference in standard errors.
    """
    import pandas as pd

    rows = []
    for (name, table), (change, fields) in product(TABLES.items(), CHANGES.items()):
        rules = replace(table.rules, **fields)
        sample = simulate(table.setup, games, seed + len(rows), rules, table.phase, workers)
        exact = solve(table.setup, rules, table.phase)
        apart = (sample.win_probability - exact) / sample.win_error
        rows.append((name, change, 100 * exact, 100 * sample.win_probability, 100 * sample.win_error, apart))
    return pd.DataFrame(rows, columns=["table", "rules", "exact, %", "simulated, %", "error", "errors apart"])


def side_by_side(found: "Mapping[float, pandas.DataFrame]") -> "pandas.DataFrame":
    """Tables of `fairest` for several odds of votes beside each other: players, then set-up and chance for each."""
    import pandas as pd

    parts = {}
    for odds, frame in found.items():
        parts[f"set-up, odds {odds:g}"] = frame["set-up"]
        parts[f"town wins, odds {odds:g}, %"] = 100 * frame["chance"]
    return pd.DataFrame(parts).reset_index()
