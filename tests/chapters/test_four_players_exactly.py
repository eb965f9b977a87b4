"""Our numbers beside printed ones: differences in the right unit; where rule sets differ at all."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from chapters.four_players_exactly import (
    ALIVE,
    RULE_SETS,
    compare_endings,
    compare_measures,
    compare_roles,
    differing_choices,
    same_distribution,
    z_score,
)
from gamebalance.sanguosha import AS_CODED, Lineup, Outcomes
from gamebalance.sanguosha.scoring import Scoring

SHARES = {(0, 0, 0, 1): 0.5, (0, 0, 1, 0): 0.1, (1, 0, 0, 0): 0.15, (1, 1, 0, 0): 0.25}
MADE_UP = Outcomes(Lineup(1, 1, 1), SHARES, games=10_000)


def printed_counts(shares):
    return pd.DataFrame([(*alive, round(share * 1e6)) for alive, share in shares.items()], columns=[*ALIVE, "count"])


def test_z_score_by_hand():
    assert z_score(5, 2, 1.5) == 2 and z_score(5, 2, 3, 4) == 0.6 and z_score(1, 1, 0) == 0
    assert np.isnan(z_score(1, 2, 0))
    assert z_score(1.02, 1, 0, unit=0.01) == pytest.approx(0.02 / (0.01 / 12**0.5))


def test_endings_of_equal_and_of_other_distributions():
    """One that only the report has seen is listed; a shifted distribution is noticed."""
    frame = compare_endings(MADE_UP, printed_counts(SHARES))
    assert frame["ours"].tolist() == [500_000, 100_000, 150_000, 250_000]
    assert not frame["difference in s.e."].any()
    assert frame["s.e."].iloc[0] == pytest.approx(1e6 * np.sqrt(0.25 / 10_000))
    assert same_distribution(frame, 10_000) == 1 and same_distribution(frame, None) == 1

    shifted = SHARES | {(0, 0, 0, 1): 0.47, (1, 1, 0, 0): 0.28, (0, 0, 1, 1): 4e-4}
    frame = compare_endings(MADE_UP, printed_counts(shifted))
    row = frame[frame["printed"] == 400].iloc[0]
    error = np.sqrt(4e-4 * (1 - 4e-4) * (1 / 10_000 + 1 / 1e6))
    assert row["ours"] == 0 and row["difference in s.e."] == pytest.approx(-4e-4 / error)
    assert frame["difference in s.e."].abs().max() > 5
    assert same_distribution(frame, 10_000) < 1e-6


def test_roles_and_measures_beside_printed_values():
    printed = pd.DataFrame({"survival_percent": [40.0, 25.0, 10.0, 55.0], "expected_score": [5.25, 3.55, 1.2, 19.75]})
    frame = compare_roles(MADE_UP, printed)
    assert frame["survival in %", "ours"].tolist() == pytest.approx([40, 25, 10, 50])
    # 10 points and 5 for the loyalist, or 3 when the renegade wins; 10 or 7; 12; 35, or 15 for consolation
    assert frame["expected score", "ours"].tolist() == pytest.approx([6.75, 3.55, 1.2, 19.75])
    z = frame["survival in %", "difference in s.e."]
    assert not z[:3].round(9).any() and z[3] == pytest.approx(-5 / np.sqrt(0.5**2 + 0.05**2 + 0.01**2 / 12))

    printed = pd.DataFrame({"bal_percent": [100 * MADE_UP.balance], "rat": [MADE_UP.rationality() + 1]})
    frame = compare_measures({"1-1-1-1": MADE_UP}, printed, Scoring(share_consolation=True))
    assert frame["Bal in %", "difference in s.e."][0] == 0 > frame["Rat", "difference in s.e."][0]


def test_situations_in_which_the_choice_differs():
    """By hand: all four of 0323 alive, the unarmed rebel opposite the lord, at any health.

    01223 without its loyalist: of two rebels and a renegade, the second rebel sits opposite the lord.
    """
    attacked = RULE_SETS["renegade attacked"]
    expected = [(2, health, False) for health in product(range(1, 5), repeat=4)]
    assert differing_choices("0323", AS_CODED, attacked) == expected
    expected = {(3, (*health[:1], 0, *health[1:]), False) for health in product(range(1, 5), repeat=4)}
    assert set(differing_choices("01223", AS_CODED, attacked)) == expected
    assert differing_choices("0123", AS_CODED, attacked) == []
