"""Ours beside the print: a wrong digit must be seen, and every count must be one of cells."""

from fractions import Fraction

import pandas as pd
import pytest

from chapters.mafia import printed_tables
from gamebalance import mafia
from gamebalance.publish import published
from tests.refusals import refused


@pytest.fixture(scope="module")
def cells():
    return printed_tables.balance_cells(printed_tables.study_tables())


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
        (Fraction(1900, 27), "70.4"),
        (0.05, "0.1"),
    ],
)
def test_as_printed(percent, text):
    """0.05 is no half: the double lies above it."""
    assert printed_tables.as_printed(percent) == text


def test_win_cells_by_hand():
    """19/27 and 5/9 with a detective, 1/4 without one; a wrong printed digit is seen."""
    found = printed_tables.win_cells(win_frame((1, 4, 1, 70.4), (0, 5, 1, 25.0), (0, 5, 1, 25.1)))
    assert found["ours"].tolist() == pytest.approx([1900 / 27, 25, 25], abs=1e-12)
    assert found["by the text"].tolist() == pytest.approx([500 / 9, 25, 25], abs=1e-12)
    assert found["equal"].tolist() == [True, True, False]
    assert found["changed"].tolist() == [True, False, False]


@pytest.mark.parametrize("row", [(0, 4, 4, 0.0), (0, 4, 9, 0.0), (3, 4, 2, 0.0)])
def test_win_cells_that_no_table_has(row):
    with refused(match=f"^mafiosi = {row[2]}, players = 4: the table has no such cell$"):
        printed_tables.win_cells(win_frame(row))


def test_rounding_ties_by_hand():
    table = pd.DataFrame(
        {2: [Fraction(1, 80), Fraction(1, 2)], 3: [Fraction(1, 3), None], 4: [Fraction(1, 8), Fraction(3, 2000)]}
    )
    assert printed_tables.rounding_ties(table) == {(0, 2): Fraction(1, 80), (1, 4): Fraction(3, 2000)}


def test_balance_cells_have_the_form_of_the_print(cells, printed):
    assert list(cells) == list(printed) and len(cells) == len(printed) == 174
    ours, theirs = (set(table[printed_tables.CELL].itertuples(index=False)) for table in (cells, printed))
    assert ours == theirs


@pytest.mark.parametrize("column", ["probability_percent", "mafiosi", "detectives"])
def test_same_cells_sees_one_wrong_number(cells, printed, column):
    wrong = printed.copy()
    wrong.loc[20, column] += 1
    alike = printed_tables.same_cells(cells, wrong)
    assert alike[~alike].index.tolist() == [tuple(printed.loc[20, printed_tables.CELL])]
    assert printed_tables.same_cells(cells, printed.sample(frac=1, random_state=1)).all()


def test_same_cells_needs_the_same_cells(cells, printed):
    with refused(match=r"^others = 173 cells: the same 174 cells"):
        printed_tables.same_cells(cells, printed.iloc[1:])


def test_nearest_to_fair(cells):
    table = printed_tables.nearest_to_fair(cells, "1:2")
    assert table.shape == (29, 7)
    assert table["", "players"].tolist() == list(range(2, 31))
    row = table[table["", "players"] == 5].iloc[0]
    assert row["closest, favours mafia"].tolist() == pytest.approx([250 / 9, 2, 1])
    assert row["closest, favours town"].tolist() == pytest.approx([1400 / 27, 2, 2])


def test_candidates_by_hand():
    found = printed_tables.candidates(4, detectives=1, most_mafiosi=15)
    assert found[["mafiosi", "detectives"]].to_numpy().tolist() == [[2, 1], [3, 1], [1, 1], [0, 1]]
    assert found["probability"].tolist() == pytest.approx([0, 0, 19 / 27, 1], abs=1e-15)


def test_candidates_are_all_set_ups_with_their_chances():
    found = printed_tables.candidates(7)
    expected = {(m, d) for m in range(5) for d in range(8 - m)}
    assert set(found[["mafiosi", "detectives"]].itertuples(index=False, name=None)) == expected
    for row in found.itertuples():
        setup = mafia.Setup.of_players(7, row.mafiosi, row.detectives)
        assert row.probability == pytest.approx(float(mafia.solve(setup, exact=True)), abs=1e-14)


def test_candidates_with_too_many_detectives():
    assert printed_tables.candidates(3, detectives=(4, 6)).empty
    with refused(match=r"^detectives = \(2, 1\): "):
        printed_tables.candidates(5, detectives=(2, 1))


def test_arbitrary_cells():
    """Those of the shorter tables are what the published program prints (version 0.8.0, run)."""
    found = printed_tables.arbitrary_cells().set_index(["detectives", "players", "side"])
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
    win = printed_tables.win_cells(win_frame((1, 4, 1, 70.4), (0, 5, 1, 25.0), (0, 5, 2, 99.0)))
    found = printed_tables.overview(
        win, printed_tables.same_cells(cells, wrong), printed_tables.same_cells(cells, printed)
    )
    counts = [[2, 1, 0], [1, 1, 1], [58, 58, 0], [58, 58, 0], [58, 0, 0], [177, 118, 1]]
    assert found.drop(columns="table").to_numpy().tolist() == counts


@pytest.mark.parametrize("detectives", [0, 1])
def test_all_164_winning_probabilities_of_a_table(detectives):
    table = mafia.win_table(20, detectives)
    cells = published("mafia_win_probability").query("detectives == @detectives")
    ours = [f"{100 * table.at[cell.mafiosi, cell.players]:.1f}" for cell in cells.itertuples()]
    assert ours == [f"{percent:.1f}" for percent in cells["probability_percent"]]
    # Blank where the study is blank, and nowhere else.
    assert len(ours) == table.notna().sum().sum() == 164 and table.shape == (11, 19)


@pytest.mark.parametrize(("rule", "detectives"), [("0", (0, 0)), ("1:2", (1, 2)), ("any", (0, None))])
def test_all_58_cells_of_a_balance_table(rule, detectives):
    table = mafia.balance_table(30, detectives)
    cells = published("mafia_balance").query("detective_rule == @rule")
    for cell in cells.itertuples():
        row = table.loc[cell.players]
        assert f"{100 * row[cell.side]:.1f}" == f"{cell.probability_percent:.1f}"
        people = row[f"{cell.side}_mafiosi"], row[f"{cell.side}_detectives"]
        assert people == (cell.mafiosi, cell.detectives)
    assert len(cells) == 58
