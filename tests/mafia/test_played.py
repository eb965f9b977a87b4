"""What roles and rules of played Mafia are worth, against the solver itself."""

from dataclasses import replace

import pytest

from chapters.mafia import played
from chapters.ten_at_the_table_rules import odds_at
from gamebalance.mafia import Rules, Setup, closest, solve
from tests.refusals import refused


def test_one_rule_changed_each():
    changes = played.changed()
    assert list(changes.columns) == list(played.TABLES)
    for name, table in played.TABLES.items():
        level = solve(*table)
        assert changes[name].iloc[0] == level
        for change, fields in played.CHANGES.items():
            if fields:
                chance = solve(table.setup, replace(table.rules, **fields), table.phase)
                assert changes.at[change, name] == pytest.approx(chance - level, abs=1e-15)
    sport, forum = played.TABLES.values()
    assert changes["sport"].iloc[-1] == pytest.approx(solve(sport.setup, sport.rules) - solve(*sport), abs=1e-15)
    other = solve(forum.setup, forum.rules, "morning")
    assert changes["forum"].iloc[-1] == pytest.approx(other - solve(*forum), abs=1e-15)
    assert changes.at["one shot a night", "sport"] == 0  # it has no more


def test_odds_raise_both_tables():
    for table in played.TABLES.values():
        even = odds_at(0.5, *table)
        below, at, above = played.by_odds(table, [even / 1.01, even, even * 1.01])
        assert below < at < above and at == pytest.approx(0.5, abs=1e-8)
    assert played.changed(odds=2).iloc[0].to_list() == [
        played.by_odds(table, [2])[0] for table in played.TABLES.values()
    ]


def test_worth_of_roles_by_hand():
    worth = played.worth(6, 7)
    six, seven = worth[6], worth[7]
    assert (six["mafiosi"], seven["mafiosi"]) == (2, 1)
    assert six["the town wins"] == pytest.approx(solve(Setup(2, 4), Rules("always")), abs=1e-15)
    doctor = solve(Setup(1, 5, doctors=1), Rules("always")) - solve(Setup(1, 6), Rules("always"))
    assert seven["doctor"] == pytest.approx(doctor, abs=1e-14)
    remembered = solve(Setup(2, 3, 1), Rules("always", memory=True)) - solve(Setup(2, 4), Rules("always"))
    assert six["detective with memory"] == pytest.approx(remembered, abs=1e-14)
    searched = Rules("always", tells="at a find")
    don = solve(Setup(0, 5, dons=1, sheriffs=1), searched) - solve(Setup(1, 5, sheriffs=1), searched)
    assert seven[played.DON] == pytest.approx(don, abs=1e-14)
    # One member of the town dies either way.
    assert worth.loc["bodyguard"].abs().max() < 1e-13


def test_the_fairest_of_all():
    found = played.fairest(6, 8)
    for players, row in found.iterrows():
        setup = Setup.read(f"{players}: {row['set-up']}")
        assert row["chance"] == pytest.approx(solve(setup, played.USUAL), abs=1e-13)
        larger = replace(setup, innocents=setup.innocents + 1)
        assert row["one_more"] == pytest.approx(solve(larger, played.USUAL), abs=1e-13)
        assert setup.dons <= setup.sheriffs
        nearest = closest(players, (1, players // 2), 0, **played.ALLOWED, rules=played.USUAL, top=1)
        assert abs(row["chance"] - 0.5) == pytest.approx(nearest["distance"].iloc[0], abs=1e-12)
    both = played.side_by_side({1: found, 3: played.fairest(6, 8, 3)})
    assert list(both["players"]) == [6, 7, 8] and both["set-up, odds 1"].tolist() == found["set-up"].tolist()


def test_games_agree():
    """26 comparisons at 4 standard errors: a right program fails with a probability of 0.2%."""
    agree = played.against_simulation(20_000, 3)
    assert len(agree) == 2 * len(played.CHANGES) and (agree["errors apart"].abs() < 4).all()


def test_what_is_refused():
    with refused("players = 17", "from 6 to 16"):
        played.fairest_number(17)
