"""Four players, 1-1-1-1: the exact solver, an independent solution, a simulation and the report's own counts."""

from functools import cache

import pytest

from gamebalance.sanguosha import Lineup, simulate, solve
from gamebalance.sanguosha.outcomes import mean_outcomes
from tests.sanguosha.known import golden, printed_counts
from tests.sanguosha.reference import fit

LINEUP = Lineup(1, 1, 1)


#: Each statistical test below errs with probability 1e-5 for a random seed, all of this file's together with 1e-4.
ERROR = 1e-5


@cache
def exact(seating):
    return solve(seating)


@pytest.mark.parametrize("seating", LINEUP.seatings())
def test_an_independent_solution(seating):
    """All reachable states of the programs' rules (about 620 000), the distribution pushed until 1e-16 is left."""
    endings, turns = golden()[seating]
    assert exact(seating).probability == pytest.approx(endings, abs=2e-13)
    assert exact(seating).turns == pytest.approx(turns, abs=1e-9)
    assert abs(sum(exact(seating).probability.values()) - 1) < 1e-12
    assert 0 < exact(seating).error_bound < 1e-12


@pytest.mark.parametrize("source", ["ours", "Table 6"])
def test_a_million_games_of_random_seatings(source):
    """Those of the simulator and those of the report's Monte Carlo program come from this distribution."""
    probability = mean_outcomes(LINEUP, [exact(seating) for seating in LINEUP.seatings()]).probability
    counts = simulate(LINEUP, 1_000_000, 22).counts if source == "ours" else printed_counts(LINEUP)
    assert fit(counts, probability) > ERROR


def test_seat_matters_more_than_role():
    """The renegade survives 6% or 88% of the games, by seating; mirror images differ, for turns have a direction."""
    renegade = {seating: exact(seating).survival[3] for seating in LINEUP.seatings()}
    assert min(renegade.values()) < 0.07 and max(renegade.values()) > 0.87
    for right, left in (("0123", "0321"), ("0132", "0231"), ("0213", "0312")):
        assert abs(renegade[right] - renegade[left]) > 0.002
