"""Four players, 1-1-1-1: the exact solver, an independent solution, a simulation and the report's own counts."""

import csv
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from gamebalance.publish import published
from gamebalance.sanguosha import Lineup, simulate, solve, solve_seatings
from gamebalance.sanguosha.outcomes import mean_outcomes

from .reference import fit

LINEUP = Lineup(1, 1, 1)
GOLDEN = Path(__file__).parent / "golden" / "four-players.csv"

#: Each statistical test below errs with probability 1e-5 for a random seed, all of this file's together with 1e-4.
ERROR = 1e-5


@cache
def exact(seating):
    return solve(seating)


def golden():
    """By seating: endings and mean number of turns, from `reference.Chain(seating).solve()` (80 s for each seating)."""
    found = {}
    for row in csv.DictReader(GOLDEN.read_text(encoding="utf-8").splitlines()):
        endings, _ = found.setdefault(row["seating"], ({}, float(row["turns"])))
        endings[tuple(int(digit) for digit in row["alive"])] = float(row["probability"])
    return found


@pytest.mark.parametrize("seating", LINEUP.seatings())
def test_an_independent_solution(seating):
    """All reachable states of the programs' rules (about 620 000), the distribution pushed until 1e-16 is left."""
    endings, turns = golden()[seating]
    assert exact(seating).probability == pytest.approx(endings, abs=2e-13)
    assert exact(seating).turns == pytest.approx(turns, abs=1e-9)


@pytest.mark.parametrize("seating", LINEUP.seatings())
def test_mass_and_error_bound(seating):
    assert abs(sum(exact(seating).probability.values()) - 1) < 1e-12
    assert 0 < exact(seating).error_bound < 1e-12


@pytest.mark.parametrize("seating", LINEUP.seatings())
def test_simulation(seating):
    """Chi-square over all endings of 400 000 games."""
    assert fit(simulate(LINEUP, 400_000, 21, seating=seating).counts, exact(seating).probability) > ERROR


def test_simulation_of_random_seatings():
    probability = mean_outcomes(LINEUP, [exact(seating) for seating in LINEUP.seatings()]).probability
    assert fit(simulate(LINEUP, 1_000_000, 22).counts, probability) > ERROR


def test_the_reports_counts():
    """Table 6, a million games of its Monte Carlo program, comes from this distribution."""
    table = published("sanguosha_tables_6_to_22_outcome_counts").query("players == 4")
    alive = table[["lords_alive", "loyalists_alive", "rebels_alive", "renegades_alive"]].itertuples(
        index=False, name=None
    )
    counts = dict(zip(alive, table["count"], strict=True))
    assert sum(counts.values()) == 1_000_000
    probability = mean_outcomes(LINEUP, [exact(seating) for seating in LINEUP.seatings()]).probability
    assert fit(counts, probability) > ERROR


def test_chi_square_would_notice():
    """The test above has teeth: Table 1's column for 0123 fails by far, and so does one seating taken for another."""
    counts = simulate(LINEUP, 400_000, 21, seating="0123").counts
    assert fit(counts, exact("0132").probability) < 1e-100
    printed = published("sanguosha_table_1_final_states_by_seating").query("seating == '0123'")
    share = {
        tuple(map(int, alive)): max(p, 0.001) / 100
        for alive, p in printed[["alive_pattern", "probability_percent"]].values
    }
    assert fit(counts, share) < 1e-100


def test_lord_and_loyalist_alive_in_0123():
    """Where the report prints 26.74 %, the coded rules without the program's three defects give 45.068 %."""
    assert exact("0123").probability[1, 1, 0, 0] == pytest.approx(0.45068, abs=5e-6)


@pytest.mark.parametrize("seating", ["0123", "0231"])
def test_mean_number_of_turns(seating):
    """100 batches of 1000 games: within five standard errors (Student, 99 degrees: errs with probability 3e-6)."""
    batches = [simulate(LINEUP, 1000, 30 + seed, seating=seating).turns for seed in range(100)]
    assert abs(np.mean(batches) - exact(seating).turns) < 5 * np.std(batches, ddof=1) / 10


def test_seat_matters_more_than_role():
    """The renegade survives 6 % or 88 % of the games, by seating; mirror images differ, for turns have a direction."""
    renegade = {seating: exact(seating).survival[3] for seating in LINEUP.seatings()}
    assert min(renegade.values()) < 0.07 and max(renegade.values()) > 0.87
    for right, left in (("0123", "0321"), ("0132", "0231"), ("0213", "0312")):
        assert abs(renegade[right] - renegade[left]) > 0.002


def test_solve_seatings_gives_these():
    parts = solve_seatings("1-0-0-2")
    assert {seating: part.probability for seating, part in parts.items()} == {"033": solve("033").probability}
