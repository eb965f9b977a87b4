"""The study's tables, *Probabilités de victoire au jeu mafia*, and the set-ups from which they choose."""

from itertools import product

import pandas as pd

from gamebalance.mafia.balance import balance_table
from gamebalance.mafia.kernels.layers import last_layer
from gamebalance.mafia.rules import AS_CODED

#: How many detectives each of the three balance tables allows, by its name in the transcription; and in words.
DETECTIVE_RULES = {"0": (0, 0), "1:2": (1, 2), "any": (0, None)}
DETECTIVES_ALLOWED = {"0": "none", "1:2": "one or two", "any": "any number"}
#: How far the tables go.
WIN_TABLE_PLAYERS, BALANCE_TABLE_PLAYERS = 20, 30
#: Whom the two sides of a balance table favour: the study's deficit (Défaut) and excess (Excès).
FAVOURED = {"deficit": "favours mafia", "excess": "favours town"}
CELL = ["detective_rule", "players", "side"]
NUMBERS = ["probability_percent", "mafiosi", "detectives"]


def study_tables(rules=AS_CODED, most_players=BALANCE_TABLE_PLAYERS):
    """The three balance tables, by the name of the detective rule."""
    return {name: balance_table(most_players, allowed, rules=rules) for name, allowed in DETECTIVE_RULES.items()}


def balance_cells(tables):
    """Tables of `study_tables` cell by cell, in the form of the transcription but unrounded."""
    parts = []
    for (rule, table), side in product(tables.items(), FAVOURED):
        numbers = table[[side, f"{side}_mafiosi", f"{side}_detectives"]].set_axis(NUMBERS, axis=1).reset_index()
        numbers["probability_percent"] *= 100
        parts.append(numbers.assign(detective_rule=rule, side=side))
    return pd.concat(parts, ignore_index=True)[CELL + NUMBERS]


def nearest_to_fair(cells, rule):
    """One balance table, from its cells: for each side the town's percentage, mafiosi and detectives, by players."""
    columns = {}
    for side, favoured in FAVOURED.items():
        part = cells[(cells["detective_rule"] == rule) & (cells["side"] == side)].set_index("players")
        for head, number in zip(("% won", "mafiosi", "detectives"), NUMBERS, strict=True):
            columns[f"closest, {favoured}", head] = part[number]
    frame = pd.DataFrame(columns)
    frame.insert(0, ("", "players"), frame.index)
    return frame.reset_index(drop=True)


def candidates(players, detectives, most_mafiosi):
    """All set-ups among which a balance table chooses, sorted: the town's probability, mafiosi, detectives."""
    low, high = detectives
    high = players if high is None else min(high, players)
    most = min(most_mafiosi, players)
    table = last_layer(players, most, high, AS_CODED, "evening")
    rows = [(table[d, m], m, d) for d in range(low, high + 1) for m in range(min(most, players - d) + 1)]
    names = ["probability", "mafiosi", "detectives"]
    return pd.DataFrame(rows, columns=names).sort_values(names, ignore_index=True)
