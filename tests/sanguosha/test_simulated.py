"""Exact solver and simulator against each other, an independent solution, and the report's own million games."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from gamebalance.sanguosha import AS_CODED, AS_WRITTEN, LINEUPS, Lineup, Rules, Seating, simulate, solve
from tests.sanguosha.known import golden, printed_counts
from tests.sanguosha.reference import fit, same

FOUR = Lineup(1, 1, 1)


@pytest.mark.parametrize("seating", FOUR.seatings())
def test_an_independent_solution(seating):
    """All reachable states of the programs' rules (about 620 000), the distribution pushed until 1e-16 is left."""
    (endings, turns), exact = golden()[seating], solve(seating)
    assert exact.probability == pytest.approx(endings, abs=2e-13)
    assert exact.turns == pytest.approx(turns, abs=1e-9)
    assert abs(sum(exact.probability.values()) - 1) < 1e-12
    assert 0 < exact.error_bound < 1e-12


@pytest.mark.parametrize("lineup", LINEUPS, ids=str)
def test_our_games_come_from_the_same_distribution(lineup):
    """Two-sample chi-square, 400 000 games against the printed million; all nine together err with probability 1e-4."""
    assert same(simulate(lineup, 400_000, 61).counts, printed_counts(lineup)) > 1e-4 / 9


#: Seating and rules; one test each, and each errs with probability 1e-5 for a random seed.
CASES = [(seating, AS_CODED) for seating in (*Lineup(1, 1, 1).seatings(), "0133", "0223", "023")] + [
    ("0312", replace(AS_WRITTEN, opening="four cards")),
    ("012", Rules(deck=(3, 0, 9, 4, 2, 6))),
    ("032", AS_WRITTEN),
]
ERROR = 1e-5


def exact(seating, rules):
    """Endings and mean number of turns; of 1-1-1-1 those of the independent solution."""
    if rules == AS_CODED and seating in golden():
        return golden()[seating]
    outcomes = solve(seating, rules)
    return outcomes.probability, outcomes.turns


@pytest.mark.parametrize(("seating", "rules"), CASES, ids=[seating for seating, _ in CASES])
def test_all_endings_and_the_mean_number_of_turns(seating, rules):
    """Chi-square over 400 000 games; turns within five standard errors (100 batches: errs with probability 3e-6)."""
    lineup, (endings, turns) = Seating(seating).lineup, exact(seating, rules)
    assert fit(simulate(lineup, 400_000, 41, rules, seating=seating).counts, endings) > ERROR
    batches = [simulate(lineup, 1000, 50 + seed, rules, seating=seating).turns for seed in range(100)]
    assert abs(np.mean(batches) - turns) < 5 * np.std(batches, ddof=1) / 10


RESULTS = Path(__file__).resolve().parents[2] / "data" / "results"
SAME_RESULTS = ("five-to-ten-players", "audit-of-the-report", "claims")


def table(name):
    return pd.read_csv(RESULTS / f"sanguosha-{name}.csv", comment="#")


def finding(name):
    return json.loads((RESULTS / f"finding-{name}.json").read_text(encoding="utf-8"))


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
