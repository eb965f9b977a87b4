"""Tables and set-ups: against a search that looks at every candidate as a fraction."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from gamebalance import mafia
from gamebalance.mafia.rules import Rules
from gamebalance.mafia.setups import Setup

HALF = Fraction(1, 2)


def searched(players, detectives, most_mafiosi, rules=mafia.AS_CODED, phase="evening"):
    """Deficit and excess by the definition: the chance, then mafiosi, then detectives."""
    found = [
        (mafia.solve(Setup(m, players - m - d, d), rules, phase, exact=True), m, d)
        for m, d in product(range(most_mafiosi + 1), range(detectives[0], detectives[1] + 1))
        if m + d <= players
    ]
    return max((x for x in found if x[0] <= HALF), default=None), min((x for x in found if x[0] >= HALF), default=None)


RULES = [mafia.AS_CODED, Rules("always"), Rules("never", "odd number"), Rules(votes="odd days")]


@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("detectives", [(0, 0), (1, 2), (0, None), (3, 3)])
def test_balance_table_is_the_search(rules, detectives):
    for phase in mafia.PHASES:
        table = mafia.balance_table(9, detectives, rules=rules, phase=phase)
        for players, row in table.iterrows():
            high = players if detectives[1] is None else detectives[1]
            below, above = searched(players, (detectives[0], high), 5, rules, phase)
            if below is None:
                assert row["unreached"] == (players >= detectives[0])
                below = (0, players, 0) if row["unreached"] else None
            for side, expected in (("deficit", below), ("excess", above)):
                if expected is None:
                    assert np.isnan(row[side]) and row[[f"{side}_mafiosi", f"{side}_detectives"]].isna().all()
                else:
                    assert abs(row[side] - expected[0]) < 1e-15
                    assert (row[f"{side}_mafiosi"], row[f"{side}_detectives"]) == expected[1:]


def test_win_tables_in_floats_and_fractions():
    """Blank, never a silent 0, where the table has no room for so many; `who-wins-mafia` has the study's own cells."""
    for detectives in (0, 1, 5, 6, 9):
        floats, exact = (mafia.win_table(9, detectives, exact=exact) for exact in (False, True))
        assert floats.isna().equals(exact.isna()) and np.abs((floats - exact.astype(float)).max().max()) < 1e-15
    assert mafia.win_table(9, 6).loc[:, :5].isna().all(axis=None)
    by_day = mafia.win_table(7, 1, phase="morning", exact=True)
    assert by_day.loc[1, 4] == mafia.win_probability(1, 2, 1, "morning", exact=True)
    exact = mafia.win_table(7, 1, min_players=4, exact=True, rules=Rules("always"))
    assert exact.loc[1, 4] == Fraction(5, 9) and list(exact.columns) == [4, 5, 6, 7]


@pytest.mark.parametrize("rules", [mafia.AS_CODED, Rules("always", memory=True)])
def test_closest_is_the_search(rules):
    found = mafia.closest(6, detectives=(0, 2), doctors=(0, 1), witches=1, rules=rules, top=1000)
    setups = [
        Setup(m, 6 - m - d - k - 1, d, k, 1) for m, d, k in product(range(1, 6), range(3), range(2)) if m + d + k < 6
    ]
    chance = {setup: mafia.solve(setup, rules, exact=True) for setup in setups}
    columns = ["mafiosi", "innocents", "detectives", "doctors", "witches", "hunters"]
    listed = [Setup(*map(int, row)) for row in found[columns].to_numpy()]
    assert sorted(map(str, listed)) == sorted(map(str, setups))
    assert np.all(np.diff(found["distance"]) > -1e-12)
    for setup, row in zip(listed, found.itertuples(), strict=True):
        assert abs(row.win_probability - chance[setup]) < 1e-14
        assert row.distance == abs(row.win_probability - 0.5)
        more = mafia.solve(Setup(**{**vars(setup), "innocents": setup.innocents + 1}), rules)
        assert abs(row.one_more - more) < 1e-14 and row.parity_warning == (more < chance[setup] - 1e-12)


def test_quantiles_include_the_night_by_which_exactly_half_have_ended():
    """A mafioso against a doctor, to the last, no vote among two: the game ends with 1/2 in each night."""
    row = mafia.closest(2, mafiosi=1, detectives=0, doctors=1, rules=Rules("never", "odd number")).iloc[0]
    assert (row["nights_10"], row["nights_50"], row["nights_90"]) == (1, 1, 4)
    assert row["nights"] == pytest.approx(2, abs=1e-12)
