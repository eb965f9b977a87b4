"""Ours beside the print: a wrong digit must be seen, and every count must be one of cells."""

from fractions import Fraction

import pandas as pd
import pytest

from gamebalance import mafia
from gamebalance.collection import published
from gamebalance.mafia import Rules, compare


@pytest.fixture(scope="module")
def cells():
    return compare.balance_cells(compare.study_tables())


@pytest.fixture(scope="module")
def printed():
    return published("mafia_balance")


def win_frame(*rows):
    return pd.DataFrame(rows, columns=["detectives", "players", "mafiosi", "probability_percent"])


@pytest.mark.parametrize(
    ("percent", "text"),
    [
        (1.25, "1.2"),
        (Fraction(5, 4), "1.2"),
        (3.75, "3.8"),
        (100, "100.0"),
        (Fraction(190, 27) * 10, "70.4"),
        (0.05, "0.1"),
    ],
)
def test_as_printed(percent, text):
    """0.05 is no half: the double lies above it."""
    assert compare.as_printed(percent) == text


def test_win_cells_by_hand():
    """19/27 and 5/9 with a detective, 1/4 without one; a wrong printed digit is seen."""
    found = compare.win_cells(win_frame((1, 4, 1, 70.4), (0, 5, 1, 25.0), (0, 5, 1, 25.1)))
    assert found["ours"].tolist() == pytest.approx([1900 / 27, 25, 25], abs=1e-12)
    assert found["by the text"].tolist() == pytest.approx([500 / 9, 25, 25], abs=1e-12)
    assert found["equal"].tolist() == [True, True, False]
    assert found["changed"].tolist() == [True, False, False]


@pytest.mark.parametrize("row", [(0, 4, 4, 0.0), (1, 4, 4, 0.0), (0, 4, 9, 0.0), (3, 4, 2, 0.0)])
def test_win_cells_that_no_table_has(row):
    with pytest.raises(ValueError, match=f"^mafiosi = {row[2]}, players = 4: the table has no such cell$"):
        compare.win_cells(win_frame(row))


def test_rounding_ties_by_hand():
    table = pd.DataFrame(
        {2: [Fraction(1, 80), Fraction(1, 2)], 3: [Fraction(1, 3), None], 4: [Fraction(1, 8), Fraction(3, 2000)]}
    )
    assert compare.rounding_ties(table) == {(0, 2): Fraction(1, 80), (1, 4): Fraction(3, 2000)}


def test_balance_cells_have_the_form_of_the_print(cells, printed):
    assert list(cells) == list(printed)
    assert set(cells[compare.CELL].itertuples(index=False, name=None)) == set(
        printed[compare.CELL].itertuples(index=False, name=None)
    )
    assert len(cells) == len(printed) == 174


@pytest.mark.parametrize("column", ["probability_percent", "mafiosi", "detectives"])
def test_same_cells_sees_one_wrong_number(cells, printed, column):
    wrong = printed.copy()
    wrong.loc[20, column] += 1
    alike = compare.same_cells(cells, wrong)
    assert alike[~alike].index.tolist() == [tuple(printed.loc[20, compare.CELL])]
    assert compare.same_cells(cells, printed.sample(frac=1, random_state=1)).all()


def test_same_cells_needs_the_same_cells(cells, printed):
    with pytest.raises(ValueError, match=r"^others = 173 cells: the same 174 cells"):
        compare.same_cells(cells, printed.iloc[1:])


def test_beside_printed(cells, printed):
    both = compare.beside_printed(printed, cells.assign(mafiosi=cells["mafiosi"] + 1), "1:2")
    assert both.shape == (29, 13)
    assert both["", "players"].tolist() == list(range(2, 31))
    row = both[both["", "players"] == 5].iloc[0]
    assert row["favours mafia, printed"].tolist() == [27.8, 2, 1]
    assert row["favours innocents, printed"].tolist() == [51.9, 2, 2]
    assert row["favours mafia, ours"].tolist() == pytest.approx([250 / 9, 3, 1])
    assert row["favours innocents, ours"].tolist() == pytest.approx([1400 / 27, 3, 2])


def test_candidates_by_hand():
    found = compare.candidates(4, detectives=1, most_mafiosi=15)
    assert found[["mafiosi", "detectives"]].to_numpy().tolist() == [[2, 1], [3, 1], [1, 1], [0, 1]]
    assert found["probability"].tolist() == pytest.approx([0, 0, 19 / 27, 1], abs=1e-15)


@pytest.mark.parametrize("rules", [Rules(), mafia.AS_WRITTEN, Rules("never", "odd number")])
def test_candidates_are_all_set_ups_with_their_chances(rules):
    found = compare.candidates(7, rules=rules)
    expected = {(m, d) for m in range(5) for d in range(8 - m)}
    assert set(found[["mafiosi", "detectives"]].itertuples(index=False, name=None)) == expected
    for row in found.itertuples():
        setup = mafia.Setup.of_players(7, row.mafiosi, row.detectives)
        assert row.probability == pytest.approx(float(mafia.solve(setup, rules, exact=True)), abs=1e-14)


def test_candidates_with_too_many_detectives():
    assert compare.candidates(3, detectives=(4, 6)).empty


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"players": 1}, "players = 1: "),
        ({"players": 5, "detectives": (2, 1)}, r"detectives = \(2, 1\): "),
        ({"players": 5, "most_mafiosi": -1}, "most_mafiosi = -1: "),
        ({"players": 5, "rules": Rules(memory=True)}, "rules.memory = True: "),
    ],
)
def test_candidates_refuses(arguments, message):
    with pytest.raises(ValueError, match="^" + message) as refused:
        compare.candidates(**arguments)
    assert "\n" not in str(refused.value)


def test_arbitrary_cells():
    found = compare.arbitrary_cells().set_index(["detectives", "players", "side"])
    rows = [
        ("none", 2, "deficit", "2m, 0d", "1m, 0d", "1m, 0d", False),
        ("none", 3, "deficit", "3m, 0d", "1m, 0d; 2m, 0d", "2m, 0d", False),
        ("one or two", 2, "deficit", "2m, 0d", "", "2m, 0d", True),
        ("one or two", 2, "excess", "0m, 1d", "0m, 2d; 1m, 1d", "0m, 1d", False),
        ("one or two", 4, "deficit", "3m, 1d", "2m, 1d; 2m, 2d", "2m, 2d", False),
        ("any number", 2, "deficit", "2m, 0d", "1m, 0d", "1m, 0d", False),
        ("any number", 2, "excess", "0m, 0d", "0m, 1d; 0m, 2d; 1m, 1d", "0m, 0d", False),
    ]
    columns = ["chosen", "as good", "shorter table", "unreached"]
    assert found[columns].reset_index().to_numpy().tolist() == [list(row) for row in rows]


def test_overview_counts_cells(cells, printed):
    wrong = printed.copy()
    wrong.loc[wrong["detective_rule"] == "any", "mafiosi"] += 1
    win = compare.win_cells(win_frame((1, 4, 1, 70.4), (0, 5, 1, 25.0), (0, 5, 2, 99.0)))
    found = compare.overview(win, compare.same_cells(cells, wrong), compare.same_cells(cells, printed))
    assert found.drop(columns="table").to_numpy().tolist() == [
        [2, 1, 0],
        [1, 1, 1],
        [58, 58, 0],
        [58, 58, 0],
        [58, 0, 0],
        [177, 118, 1],
    ]
