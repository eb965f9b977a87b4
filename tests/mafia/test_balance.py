"""Tables and set-ups: against a search that looks at every candidate as a fraction."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from gamebalance import mafia
from gamebalance.mafia.rules import Rules, Setup

HALF = Fraction(1, 2)


def searched(players, detectives, most_mafiosi, rules=mafia.PUBLISHED, phase="evening"):
    """Deficit and excess by the definition: the chance, then mafiosi, then detectives."""
    found = [
        (mafia.solve(Setup(m, players - m - d, d), rules, phase, exact=True), m, d)
        for m, d in product(range(most_mafiosi + 1), range(detectives[0], detectives[1] + 1))
        if m + d <= players
    ]
    return max((x for x in found if x[0] <= HALF), default=None), min((x for x in found if x[0] >= HALF), default=None)


@pytest.mark.parametrize(
    "rules", [mafia.PUBLISHED, Rules("always"), Rules("never", "odd number"), Rules(votes="odd days")]
)
@pytest.mark.parametrize("detectives", [(0, 0), (1, 2), (0, None), (3, 3)])
def test_balance_table_is_the_search(rules, detectives):
    for phase in mafia.PHASES:
        table = mafia.balance_table(11, detectives, rules=rules, phase=phase)
        for players, row in table.iterrows():
            high = players if detectives[1] is None else detectives[1]
            below, above = searched(players, (detectives[0], high), 6, rules, phase)
            if below is None:
                assert row["unreached"] == (players >= detectives[0])
                below = (0, players, 0) if row["unreached"] else None
            for side, expected in (("deficit", below), ("excess", above)):
                if expected is None:
                    assert np.isnan(row[side]) and row[[f"{side}_mafiosi", f"{side}_detectives"]].isna().all()
                else:
                    assert abs(row[side] - expected[0]) < 1e-15
                    assert (row[f"{side}_mafiosi"], row[f"{side}_detectives"]) == expected[1:]


def test_ranges_of_players():
    whole, end = mafia.balance_table(30, (1, 2)), mafia.balance_table(30, (1, 2), min_players=12)
    assert list(end.index) == list(range(12, 31)) and end.equals(whole.loc[12:])
    assert mafia.balance_table(9, 1).equals(mafia.balance_table(9, (1, 1)))


def test_win_table_has_the_cells_of_the_study():
    table = mafia.win_table(12, 2)
    assert list(table.index) == list(range(7)) and list(table.columns) == list(range(2, 13))
    for m, players in product(table.index, table.columns):
        if m < players and m + 2 <= players:
            assert table.loc[m, players] == mafia.win_probability(m, players - m - 2, 2)
        else:
            assert np.isnan(table.loc[m, players])  # never a silent 0
    exact = mafia.win_table(7, 1, min_players=4, exact=True, rules=Rules("always"))
    assert exact.loc[1, 4] == Fraction(5, 9) and list(exact.columns) == [4, 5, 6, 7]


@pytest.mark.parametrize("rules", [mafia.PUBLISHED, Rules("always", memory=True)])
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


def test_closest_lengths():
    row = mafia.closest(14, mafiosi=3, detectives=2).iloc[0]
    lengths = mafia.length_distribution(Setup(3, 9, 2)).sum(axis=1)
    assert row["nights"] == pytest.approx(sum(lengths.index * lengths), abs=1e-13)
    for share in (10, 50, 90):
        night = row[f"nights_{share}"]
        assert lengths.loc[: night - 1].sum() < share / 100 <= lengths.loc[:night].sum() + 1e-12


def test_parity_warning():
    """Without detectives one innocent more takes a vote's worth of luck away, whenever the number becomes odd."""
    found = mafia.closest(20, mafiosi=2, detectives=0)
    assert bool(found["parity_warning"].iloc[0]) and found["one_more"].iloc[0] < found["win_probability"].iloc[0]
    assert not mafia.closest(19, mafiosi=2, detectives=0)["parity_warning"].iloc[0]


BAD = {
    "no players": (lambda: mafia.win_table(1), "max_players = 1", "2 or more"),
    "empty players": (lambda: mafia.balance_table(3, min_players=5), "min_players = 5", "from 2 to 3"),
    "detectives": (lambda: mafia.win_table(10, 11), "detectives = 11", "from 0 to 10"),
    "negative": (lambda: mafia.balance_table(10, -1), "detectives = -1", "0 or more"),
    "fraction": (lambda: mafia.balance_table(10.5), "max_players = 10.5", "whole number"),
    "empty range": (lambda: mafia.balance_table(10, (3, 1)), "detectives = (3, 1)", "empty"),
    "three ends": (lambda: mafia.balance_table(10, (1, 2, 3)), "detectives = (1, 2, 3)", "smallest"),
    "text": (lambda: mafia.balance_table(10, "1:2"), "detectives = '1:2'", "whole number"),
    "beyond": (lambda: mafia.balance_table(4, (5, None)), "detectives = (5, None)", "max_players = 4"),
    "mafiosi": (lambda: mafia.balance_table(10, most_mafiosi=11), "most_mafiosi = 11", "from 0 to 10"),
    "memory": (lambda: mafia.win_table(10, 1, rules=Rules(memory=True)), "rules.memory = True", "closest"),
    "phase": (lambda: mafia.balance_table(10, phase="noon"), "phase = 'noon'", "'morning'"),
    "nothing fits": (lambda: mafia.closest(5, mafiosi=4, doctors=2), "mafiosi = 4", "players = 5"),
    "top": (lambda: mafia.closest(5, top=0), "top = 0", "1 or more"),
    "two witches": (lambda: mafia.closest(5, witches=2), "witches = 2", "from 0 to 1"),
}


@pytest.mark.parametrize(("call", "named", "allowed"), BAD.values(), ids=BAD)
def test_bad_input_is_named_in_one_line(call, named, allowed):
    with pytest.raises(ValueError) as error:
        call()
    assert named in str(error.value) and allowed in str(error.value) and "\n" not in str(error.value)
