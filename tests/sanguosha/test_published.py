"""Our games against the report's counts of a million games, Tables 6, 8, …, 22."""

import numpy as np
import pytest

from gamebalance.publish import published
from gamebalance.sanguosha import LINEUPS, simulate
from gamebalance.studies.sanguosha.printed_tables import printed_outcomes, rows_of

from .reference import same

#: By which number the program divided the renegades' 15 points: the role in seat 3 of its last game, not their number.
DIVISORS = dict(zip(map(str, LINEUPS), (2, 2, 2, 2, 2, 3, 1, 1, 1), strict=True))


def printed_counts(lineup):
    counts = printed_outcomes(lineup, rows_of(published("sanguosha_tables_6_to_22_outcome_counts"), lineup)).counts
    assert sum(counts.values()) == 1_000_000
    return counts


@pytest.mark.parametrize("lineup", LINEUPS, ids=str)
def test_our_games_come_from_the_same_distribution(lineup):
    """Two-sample chi-square, 400 000 games against the printed million; all nine together err with probability 1e-4."""
    assert same(simulate(lineup, 400_000, 61).counts, printed_counts(lineup)) > 1e-4 / 9


def test_the_two_sample_test_would_notice():
    """One line-up's games are not taken for another's of the same size, nor a tenth of a percent for nothing."""
    six = [lineup for lineup in LINEUPS if lineup.players == 6]
    counts = printed_counts(six[0])
    assert same(simulate(six[1], 400_000, 62).counts, counts) < 1e-100
    shifted = dict(counts)
    shifted[1, 0, 0, 0] += 3000
    shifted[1, 1, 0, 0] -= 3000
    assert same(shifted, counts) < 1e-6
    assert np.isclose(same(counts, counts), 1)
