"""Our games against the report's counts of a million games, Tables 6, 8, …, 22."""

import pytest

from gamebalance.sanguosha import LINEUPS, simulate
from tests.sanguosha.known import printed_counts
from tests.sanguosha.reference import same


@pytest.mark.parametrize("lineup", LINEUPS, ids=str)
def test_our_games_come_from_the_same_distribution(lineup):
    """Two-sample chi-square, 400 000 games against the printed million; all nine together err with probability 1e-4."""
    assert same(simulate(lineup, 400_000, 61).counts, printed_counts(lineup)) > 1e-4 / 9
