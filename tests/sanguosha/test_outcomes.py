"""From endings to scores: the points by hand, means, and standard errors against real scatter."""

import numpy as np
import pytest

from gamebalance import balance, rationality
from gamebalance.sanguosha import REPORT_SCORING, Lineup, Outcomes, Scoring, simulate
from gamebalance.sanguosha.outcomes import mean_outcomes

SHARED = Scoring(share_consolation=True)
nan = float("nan")


def test_winners_by_hand():
    """The lord wins with the loyalists, dead or alive; the rebels with the dead ones; one renegade alone."""
    won = {
        (1, 0, 0, 0): [1, 1, 0, 0],
        (1, 1, 0, 0): [1, 1, 0, 0],
        (0, 0, 2, 1): [0, 0, 1, 0],
        (0, 0, 0, 1): [0, 0, 0, 1],
    }
    assert Outcomes(Lineup(1, 2, 1), dict.fromkeys(won, 0.25)).win_table.tolist() == list(won.values())


@pytest.mark.parametrize(
    ("lineup", "alive", "points"),
    [
        # The lord wins: 10, and 5 for each loyalist alive; a loyalist 10 alive, 7 dead; renegades 15 if no loyalist is.
        ("1-1-1-1", (1, 1, 0, 0), (15, 10, 0, 0)),
        ("1-1-1-1", (1, 0, 0, 0), (10, 7, 0, 15)),
        ("1-3-4-2", (1, 3, 0, 0), (25, 10, 0, 0)),
        ("1-3-4-2", (1, 2, 0, 0), (20, 9, 0, 0)),
        ("1-3-4-2", (1, 0, 0, 0), (10, 7, 0, 15)),
        ("1-0-2-1", (1, 0, 0, 0), (10, nan, 0, 15)),
        ("1-1-2-0", (1, 0, 0, 0), (10, 7, 0, nan)),
        # The rebels win: 12 alive, 9 dead; a living renegade 5 less the living rebels.
        ("1-1-1-1", (0, 0, 1, 0), (0, 0, 12, 0)),
        ("1-1-1-1", (0, 0, 1, 1), (0, 0, 12, 4)),
        ("1-1-2-1", (0, 0, 1, 0), (0, 0, 10.5, 0)),
        ("1-1-3-1", (0, 0, 3, 1), (0, 0, 12, 2)),
        ("1-1-2-2", (0, 0, 2, 1), (0, 0, 12, 1.5)),
        ("1-1-2-2", (0, 0, 2, 2), (0, 0, 12, 3)),
        ("1-3-4-2", (0, 0, 4, 2), (0, 0, 12, 1)),
        # The renegade wins: 35, the lord 3, nobody else anything; one of two renegades is dead then.
        ("1-1-1-1", (0, 0, 0, 1), (3, 0, 0, 35)),
        ("1-1-2-2", (0, 0, 0, 1), (3, 0, 0, 17.5)),
    ],
)
def test_points_by_hand(lineup, alive, points):
    assert REPORT_SCORING.scores(Lineup.parse(lineup), alive) == pytest.approx(points, nan_ok=True)


@pytest.mark.parametrize(("lineup", "each", "shared"), [("1-1-1-1", 15, 15), ("1-1-2-2", 15, 7.5), ("1-1-1-3", 15, 5)])
def test_consolation_to_each_or_shared(lineup, each, shared):
    """§6.3 does not say which; with one renegade there is no question."""
    lineup = Lineup.parse(lineup)
    assert REPORT_SCORING.scores(lineup, (1, 0, 0, 0))[3] == each
    assert SHARED.scores(lineup, (1, 0, 0, 0))[3] == pytest.approx(shared)
    assert SHARED.scores(lineup, (1, 1, 0, 0))[3] == 0


def outcomes(probability, lineup="1-1-1-1", games=None):
    return Outcomes(Lineup.parse(lineup), probability, games=games)


HALF = {(1, 1, 0, 0): 0.25, (1, 0, 0, 0): 0.25, (0, 0, 1, 1): 0.25, (0, 0, 0, 1): 0.25}


def test_means_by_hand():
    found = outcomes(HALF)
    assert found.survival == pytest.approx([0.5, 0.25, 0.25, 0.5])
    assert found.expected_scores() == pytest.approx([(15 + 10 + 3) / 4, 17 / 4, 12 / 4, (15 + 4 + 35) / 4])
    assert found.balance == pytest.approx(balance([0.5, 0.25, 0.25, 0.5])) == pytest.approx(0.0625)
    assert found.rationality() == pytest.approx(rationality([7, 4.25, 3, 13.5]))
    free = Scoring(consolation=0)
    assert found.rationality(free) == pytest.approx(rationality(found.expected_scores(free))) != found.rationality()


def test_chances_to_win_are_sums_over_the_endings_of_each_side():
    endings = {(1, 0, 0, 0): 0.1, (1, 1, 0, 0): 0.2, (0, 0, 0, 1): 0.3, (0, 0, 1, 0): 0.15, (0, 0, 1, 1): 0.25}
    assert Outcomes(Lineup(1, 1, 1), endings).winning == pytest.approx({"lord": 0.3, "rebels": 0.4, "renegade": 0.3})


def test_two_renegades_alive_have_not_won():
    assert Outcomes(Lineup(1, 1, 2), {(0, 0, 0, 2): 1.0}).winning == {"lord": 0, "rebels": 1, "renegade": 0}


def test_exact_has_no_error_and_no_counts():
    exact = outcomes(HALF)
    assert not exact.survival_error.any() and not exact.score_error.any()
    assert exact.balance_error == exact.rationality_error() == 0
    with pytest.raises(ValueError, match="exact"):
        _ = exact.counts


def test_errors_by_hand():
    """A lord is alive or not: the binomial error. A rebel's score is 12 in a quarter of the games, else 0."""
    found = outcomes(HALF, games=10_000)
    assert found.survival_error == pytest.approx(np.sqrt(found.survival * (1 - found.survival) / 10_000))
    assert found.score_error[2] == pytest.approx(12 * np.sqrt(0.25 * 0.75 / 10_000))
    assert found.expected_score_errors(Scoring(rebel_alive=24))[2] == pytest.approx(2 * found.score_error[2])
    assert found.counts == dict.fromkeys(HALF, 2500)


@pytest.mark.parametrize(("lineup", "missing"), [("1-0-2-1", 1), ("1-1-0-2", 2), ("1-1-2-0", 3)])
def test_absent_roles_are_nan(lineup, missing):
    found = simulate(lineup, 200, 81)
    for values in (found.survival, found.survival_error, found.expected_scores(), found.score_error):
        assert np.flatnonzero(np.isnan(values)).tolist() == [missing]
    for measure in ("balance", "rationality"):
        with pytest.raises(ValueError, match="one finite number for each role"):
            _ = found.balance if measure == "balance" else found.rationality()


@pytest.mark.parametrize("lineup", ["1-1-1-1", "1-2-3-2"])
def test_standard_errors_are_the_real_scatter(lineup):
    """200 simulations of 4000 games: their scatter over the stated error is chi with 199 degrees of freedom.

    Ten ratios per line-up; a ratio leaves 0.75 to 1.25 with probability below 2e-6.
    """
    runs = [simulate(lineup, 4000, 100 + seed) for seed in range(200)]
    stated = [*runs[0].survival_error, *runs[0].score_error, runs[0].balance_error, runs[0].rationality_error()]
    values = [[*run.survival, *run.expected_scores(), run.balance, run.rationality()] for run in runs]
    ratios = np.std(values, axis=0, ddof=1) / np.array(stated)
    assert ((ratios > 0.75) & (ratios < 1.25)).all(), ratios


def test_mean_of_seatings():
    first = Outcomes(Lineup(0, 1, 1), {(0, 0, 0, 1): 0.5, (0, 0, 1, 1): 0.5}, "023", error_bound=2e-14, turns=10)
    second = Outcomes(Lineup(0, 1, 1), {(0, 0, 0, 1): 1.0}, "032", error_bound=4e-14, turns=20)
    mean = mean_outcomes(Lineup(0, 1, 1), [first, second])
    assert mean.probability == {(0, 0, 0, 1): 0.75, (0, 0, 1, 1): 0.25}
    assert (mean.turns, mean.error_bound, mean.seating, mean.games) == (15, 3e-14, None, None)
