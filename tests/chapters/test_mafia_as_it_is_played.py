"""What roles and rules of played Mafia are worth, against the solver itself."""

from dataclasses import replace

import pytest

from chapters import mafia_as_it_is_played as chapter
from gamebalance.mafia import Rules, Setup, closest, solve


@pytest.mark.thorough
def test_one_rule_changed_each():
    changes = chapter.changed_rules()
    others = {"morning": "evening", "evening": "morning"}
    for name, (setup, rules, phase) in chapter.TABLES.items():
        level = solve(setup, rules, phase)
        assert changes[name].iloc[0] == level
        for change, fields in list(chapter.CHANGES.items())[1:]:
            chance = solve(setup, replace(rules, **fields), phase)
            assert changes.at[change, name] == pytest.approx(chance - level, abs=1e-15)
        assert changes[name].iloc[-1] == pytest.approx(solve(setup, rules, others[phase]) - level, abs=1e-15)
    assert changes.at["one shot a night", "sport"] == 0  # it has no more


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


def test_the_fairest_of_all():
    for players, row in chapter.fairest(8).iterrows():
        setup = Setup.read(f"{players}: {row['set-up']}")
        assert row["chance"] == pytest.approx(solve(setup, chapter.USUAL), abs=1e-13)
        larger = replace(setup, innocents=setup.innocents + 1)
        assert row["one_more"] == pytest.approx(solve(larger, chapter.USUAL), abs=1e-13)
        nearest = closest(players, (1, players // 2), 0, **chapter.ALLOWED, rules=chapter.USUAL, top=1)
        assert abs(row["chance"] - 0.5) == pytest.approx(nearest["distance"].iloc[0], abs=1e-12)
        assert setup.dons <= setup.sheriffs


@pytest.mark.thorough
def test_games_agree():
    """26 comparisons at 4 standard errors: a right program fails with a probability of 0.2%."""
    agree = chapter.against_simulation(20_000, 3)
    assert len(agree) == 2 * len(chapter.CHANGES) and (agree["errors apart"].abs() < 4).all()
