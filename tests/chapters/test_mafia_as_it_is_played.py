"""What roles and rules of played Mafia are worth, against the solver itself."""

import pytest

from chapters import mafia_as_it_is_played as chapter
from gamebalance.mafia import Rules, Setup, solve


def test_worth_of_roles_by_hand():
    """Of bodyguard and guarded one dies either way."""
    worth = chapter.worth_of_cards(7)
    six, seven = worth[6], worth[7]
    assert (six["mafiosi"], seven["mafiosi"]) == (2, 1)
    assert six["the town wins"] == pytest.approx(solve(Setup(2, 4), Rules("always")), abs=1e-15)
    doctor = solve(Setup(1, 5, doctors=1), Rules("always")) - solve(Setup(1, 6), Rules("always"))
    assert seven["doctor"] == pytest.approx(doctor, abs=1e-14)
    remembered = solve(Setup(2, 3, 1), Rules("always", memory=True)) - solve(Setup(2, 4), Rules("always"))
    assert six["detective with memory"] == pytest.approx(remembered, abs=1e-14)
    searched = Rules("always", tells="at a find")
    don = solve(Setup(0, 5, dons=1, sheriffs=1), searched) - solve(Setup(1, 5, sheriffs=1), searched)
    assert seven[chapter.DON] == pytest.approx(don, abs=1e-14)
    assert worth.loc["bodyguard"].abs().max() < 1e-13
