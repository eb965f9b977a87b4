"""Exact solver and simulator against each other, an independent solution, and the report's own million games."""

from dataclasses import replace

import numpy as np
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


def test_the_reports_games_of_four_players():
    """Its Table 6 comes from the exact distribution."""
    parts = [golden()[seating][0] for seating in FOUR.seatings()]
    mean = {alive: sum(part[alive] for part in parts) / len(parts) for alive in parts[0]}
    assert fit(printed_counts(FOUR), mean) > ERROR


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
