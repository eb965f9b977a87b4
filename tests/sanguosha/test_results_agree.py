"""One quantity, one value: what several tables of the collection quote is the same number in each."""

import json
from pathlib import Path

import pandas as pd
import pytest

from gamebalance.publish import manifest, paths
from gamebalance.sanguosha import LINEUPS

RESULTS = Path(__file__).resolve().parents[2] / "data" / "results"
SAME_RESULTS = ("five-to-ten-players", "audit-of-the-report", "claims")


def table(name):
    return pd.read_csv(RESULTS / f"sanguosha-{name}.csv", comment="#")


def finding(name):
    return json.loads((RESULTS / f"finding-{name}.json").read_text(encoding="utf-8"))


def test_the_notebooks_that_quote_line_ups_read_the_same_results():
    notebooks = [manifest.load(paths.project()).notebook(name) for name in SAME_RESULTS]
    assert [notebook.parameters["stored"] for notebook in notebooks] == [True] * 3


@pytest.mark.parametrize("measure", ["Bal", "Rat"])
def test_bal_and_rat_of_a_line_up_are_the_same_in_table_4_the_audit_and_the_ranking(measure):
    unit = {"Bal": "Bal in %", "Rat": "Rat"}[measure]
    simulated = [str(lineup) for lineup in LINEUPS[1:]]  # four players are exact in the other two
    measured = table("table-4").set_index("line-up")[f"{unit} ours"].loc[simulated]
    audited = table("audit").query("place == 'Table 4'").set_index("quantity")["correct"]
    ranked = table("lineups").set_index("line-up")[unit].loc[simulated]
    assert measured.tolist() == ranked.tolist() == [audited[f"{line}: {measure}"] for line in simulated]


def test_the_renegade_of_eight_players_wins_as_often_in_every_chapter():
    """One share, of 1,000,000,000 games, and what other games by the same rule give rounds to it."""
    ends = table("lineup-endings").query("`line-up` == '1-2-4-1' and lord + loyalists + rebels == 0")
    share = ends["ours"].item() / 10_000  # of a million games, in percent
    records, alone, numbers, assumed, sides = (
        pd.read_csv(RESULTS / f"{name}.csv")
        for name in ("eight-records", "eight-alone", "tables-numbers", "tables-assumptions", "fair-wins-by-side")
    )
    same = [
        finding("eight-gap")["value"],
        records.set_index("side").at["renegade", "the Sanguosha report's model won"],
        *alone[alone["nearest at"] == 0]["renegade"],  # as it is in the report
        *numbers[numbers["share of"] == "renegade wins"][["model from, %", "model to, %"]].to_numpy().ravel(),
        *assumed[assumed["game"] == "Sanguosha"]["assumed, %"],
    ]
    assert len(same) == 10 and same == pytest.approx([share] * 10, abs=1e-5)
    seats = table("seat-maps").query("`line-up` == '1-2-4-1'").iloc[2]
    others = [sides.set_index("game").at["1-2-4-1", "renegade wins in %"], seats["mean, %"]]
    assert [round(other, 1) for other in others] == [round(share, 1)] * 2 == [17.3, 17.3]
