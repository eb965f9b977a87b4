"""Our numbers beside those that the study prints with one decimal, and what in them the game does not decide."""

from itertools import product

import pandas as pd

from chapters.who_wins_mafia import (
    BALANCE_TABLE_PLAYERS,
    CELL,
    DETECTIVE_RULES,
    DETECTIVES_ALLOWED,
    NUMBERS,
    candidates,
    study_tables,
)
from gamebalance.mafia.balance import balance_table, win_table
from gamebalance.mafia.rules import AS_CODED, AS_WRITTEN

#: As the study's program prints a percentage: an exact half goes to the even decimal.
as_printed = "{:.1f}".format
#: Mafiosi and detectives as the study writes them: 2m, 0d.
named = "{:.0f}m, {:.0f}d".format


def win_cells(printed):
    """Each printed chance beside ours, unrounded, under the program's rules and by the text, and what differs."""
    cells = printed[["detectives", "players", "mafiosi"]].reset_index(drop=True)
    cells["printed"] = printed["probability_percent"].to_numpy(float)
    places = list(cells.itertuples(index=False, name=None))
    for name, rules in (("ours", AS_CODED), ("by the text", AS_WRITTEN)):
        tables = {d: win_table(int(part["players"].max()), d, rules=rules) for d, part in cells.groupby("detectives")}
        cells[name] = [100 * float(tables[d].at[mafiosi, players]) for d, players, mafiosi, _ in places]
    cells["equal"] = cells["ours"].map(as_printed) == cells["printed"].map(as_printed)
    cells["changed"] = cells["by the text"].map(as_printed) != cells["ours"].map(as_printed)
    return cells


def same_cells(cells, others):
    """Whether each of the balance cells would be printed as its counterpart: percentage, mafiosi and detectives."""
    one, two = (frame.set_index(CELL)[NUMBERS] for frame in (cells, others))
    two = two.loc[one.index]
    alike = one["probability_percent"].map(as_printed) == two["probability_percent"].map(as_printed)
    return alike & (one[NUMBERS[1:]] == two[NUMBERS[1:]]).all(axis=1)


def arbitrary_cells():
    """The cells of the balance tables that the game alone does not decide.

    Those are ties, cells with no set-up on their side, and cells that another end of the table changes: the program
    looks only at half as many mafiosi as the largest number of players of the whole table.
    """
    rows = []
    for (rule, table), players in product(study_tables().items(), range(2, BALANCE_TABLE_PLAYERS + 1)):
        own = balance_table(players, DETECTIVE_RULES[rule], min_players=players).loc[players]
        every = candidates(players, DETECTIVE_RULES[rule], (BALANCE_TABLE_PLAYERS + 1) // 2)
        for side in ("deficit", "excess"):
            people = [f"{side}_mafiosi", f"{side}_detectives"]
            chance, *chosen = table.loc[players, [side, *people]]
            alike = every[every["probability"] == chance][["mafiosi", "detectives"]].to_numpy().tolist()
            row = {"detectives": DETECTIVES_ALLOWED[rule], "players": players, "side": side}
            row |= {"probability_percent": 100 * chance, "chosen": named(*chosen)}
            row |= {"as good": "; ".join(named(*each) for each in alike if each != chosen)}
            row |= {"shorter table": named(*own[people])}
            rows.append(row | {"unreached": bool(table.at[players, "unreached"]) and side == "deficit"})
    frame = pd.DataFrame(rows)
    moved = frame["shorter table"] != frame["chosen"]
    return frame[(frame["as good"] != "") | frame["unreached"] | moved].reset_index(drop=True)
