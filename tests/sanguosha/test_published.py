"""The report's Monte Carlo tables 6 to 23: our games against its counts, its summary against its own counts."""

import numpy as np
import pytest

from gamebalance.collection import published
from gamebalance.sanguosha import LINEUPS, REPORT_SCORING, Outcomes, Role, simulate

from .reference import same

LINEUP_COLUMNS = ["loyalists", "rebels", "renegades"]
ALIVE_COLUMNS = ["lords_alive", "loyalists_alive", "rebels_alive", "renegades_alive"]
IDS = [str(lineup) for lineup in LINEUPS]

#: By which number the program divided the renegades' 15 points: the role in seat 3 of its last game, not their number.
DIVISORS = dict(zip(IDS, (2, 2, 2, 2, 2, 3, 1, 1, 1), strict=True))


def rows_of(name, lineup):
    table = published(name)
    return table[(table[LINEUP_COLUMNS] == list(lineup.counts[1:])).all(axis=1)]


def printed_outcomes(lineup):
    """The report's counts of a million games, as our own kind of result."""
    rows = rows_of("sanguosha_tables_6_to_22_outcome_counts", lineup)
    counts = dict(zip(rows[ALIVE_COLUMNS].itertuples(index=False, name=None), rows["count"], strict=True))
    assert sum(counts.values()) == 1_000_000
    return Outcomes(lineup, {alive: count / 1e6 for alive, count in counts.items()}, games=1_000_000)


def printed_summary(lineup, column):
    rows = rows_of("sanguosha_tables_7_to_23_role_summary", lineup).set_index("role")
    return rows.loc[[role.name.lower() for role in Role], column].to_numpy(float)


@pytest.mark.parametrize("lineup", LINEUPS, ids=IDS)
def test_our_games_come_from_the_same_distribution(lineup):
    """Two-sample chi-square, 400 000 games against the printed million; all nine together err with probability 1e-4."""
    assert same(simulate(lineup, 400_000, 61).counts, printed_outcomes(lineup).counts) > 1e-4 / 9


@pytest.mark.parametrize("lineup", LINEUPS, ids=IDS)
def test_printed_survival_follows_from_the_counts(lineup):
    """To the last printed digit, all 36; half a unit of it plus the noise of binary fractions."""
    difference = 100 * printed_outcomes(lineup).survival - printed_summary(lineup, "survival_percent")
    assert abs(difference).max() <= 0.005 + 1e-9


@pytest.mark.parametrize("lineup", LINEUPS, ids=IDS)
def test_printed_scores_of_lord_loyalist_and_rebel_follow_from_the_counts(lineup):
    difference = printed_outcomes(lineup).expected_scores() - printed_summary(lineup, "expected_score")
    assert abs(difference[:3]).max() <= 0.005 + 1e-9


@pytest.mark.parametrize("lineup", LINEUPS, ids=IDS)
def test_printed_score_of_the_renegade_has_the_programs_two_slips(lineup):
    """The consolation is divided by a role, and 35 / 2 is an integer division: both emulated, the digits agree.

    Without the slips the score is another one wherever the divisor is not 1, and with two renegades.
    """
    counts, renegades = printed_outcomes(lineup).counts, lineup.renegades
    points = 0.0
    for (lords, loyalists, rebels, alive), count in counts.items():
        if lords and not loyalists:
            points += 15 / DIVISORS[str(lineup)] * count
        elif not lords and (loyalists, rebels, alive) == (0, 0, 1):
            points += 35 // renegades * count
        elif not lords:
            points += (5 - rebels) * alive / renegades * count
    printed = printed_summary(lineup, "expected_score")[3]
    assert points / 1e6 == pytest.approx(printed, abs=0.005 + 1e-9)
    correct = printed_outcomes(lineup).expected_scores(REPORT_SCORING)[3]
    sound = DIVISORS[str(lineup)] == renegades == 1
    assert (abs(correct - printed) < 0.006) == sound == (str(lineup) == "1-3-4-1")


def test_printed_balance_follows_from_the_survival():
    table = published("sanguosha_table_4_balance_rationality").set_index(LINEUP_COLUMNS)
    for lineup in LINEUPS:
        bal, rat = table.loc[lineup.counts[1:], ["bal_percent", "rat"]]
        ours = printed_outcomes(lineup)
        assert 100 * ours.balance == pytest.approx(bal, abs=0.005 + 1e-9)
        assert (abs(ours.rationality() - rat) < 0.1) == (str(lineup) == "1-3-4-1")


def test_the_two_sample_test_would_notice():
    """One line-up's games are not taken for another's of the same size, nor a tenth of a percent for nothing."""
    six = [lineup for lineup in LINEUPS if lineup.players == 6]
    counts = printed_outcomes(six[0]).counts
    assert same(simulate(six[1], 400_000, 62).counts, counts) < 1e-100
    shifted = dict(counts)
    shifted[1, 0, 0, 0] += 3000
    shifted[1, 1, 0, 0] -= 3000
    assert same(shifted, counts) < 1e-6
    assert np.isclose(same(counts, counts), 1)
