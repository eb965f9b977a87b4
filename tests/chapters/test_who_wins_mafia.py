"""The study's printed tables, all cells; what they choose from; and what the audit says of them."""

import pandas as pd
import pytest

from chapters import audit_of_the_mafia_study as audit
from chapters import who_wins_mafia as chapter
from gamebalance import mafia
from gamebalance.publish import published


@pytest.fixture(scope="module")
def cells():
    return chapter.balance_cells(chapter.study_tables())


@pytest.fixture(scope="module")
def printed():
    return published("mafia_balance")


@pytest.mark.parametrize("detectives", [0, 1])
def test_all_164_winning_probabilities_of_a_table(detectives):
    """Blank where the study is blank, and nowhere else."""
    table = mafia.win_table(20, detectives)
    chances = published("mafia_win_probability").query("detectives == @detectives")
    ours = [f"{100 * table.at[cell.mafiosi, cell.players]:.1f}" for cell in chances.itertuples()]
    assert ours == [f"{percent:.1f}" for percent in chances["probability_percent"]]
    assert len(ours) == table.notna().sum().sum() == 164 and table.shape == (11, 19)


def test_all_174_cells_of_the_balance_tables(cells, printed):
    assert list(cells) == list(printed) and len(cells) == len(printed) == 174
    assert audit.same_cells(cells, printed.sample(frac=1, random_state=1)).all()


@pytest.mark.parametrize("column", ["probability_percent", "mafiosi", "detectives"])
def test_same_cells_sees_one_wrong_number(cells, printed, column):
    wrong = printed.copy()
    wrong.loc[20, column] += 1
    alike = audit.same_cells(cells, wrong)
    assert alike[~alike].index.tolist() == [tuple(printed.loc[20, chapter.CELL])]


def test_win_cells_by_hand():
    """19/27 and 5/9 with a detective, 1/4 without one; a wrong printed digit is seen."""
    rows = [(1, 4, 1, 70.4), (0, 5, 1, 25.0), (0, 5, 1, 25.1)]
    cells = audit.win_cells(pd.DataFrame(rows, columns=["detectives", "players", "mafiosi", "probability_percent"]))
    assert cells["ours"].tolist() == pytest.approx([1900 / 27, 25, 25], abs=1e-12)
    assert cells["by the text"].tolist() == pytest.approx([500 / 9, 25, 25], abs=1e-12)
    assert cells["equal"].tolist() == [True, True, False] and cells["changed"].tolist() == [True, False, False]


def test_candidates_are_all_set_ups_with_their_chances():
    rows = chapter.candidates(7, (0, None), 4)
    expected = {(m, d) for m in range(5) for d in range(8 - m)}
    assert set(rows[["mafiosi", "detectives"]].itertuples(index=False, name=None)) == expected
    for row in rows.itertuples():
        setup = mafia.Setup.of_players(7, row.mafiosi, row.detectives)
        assert row.probability == pytest.approx(float(mafia.solve(setup, exact=True)), abs=1e-14)


def test_arbitrary_cells():
    """Those of the shorter tables are what the published program prints (version 0.8.0, run)."""
    rows = audit.arbitrary_cells().set_index(["detectives", "players", "side"])
    columns = ["chosen", "as good", "shorter table", "unreached"]
    assert rows[columns].reset_index().to_numpy().tolist() == [
        ["none", 2, "deficit", "2m, 0d", "1m, 0d", "1m, 0d", False],
        ["none", 3, "deficit", "3m, 0d", "1m, 0d; 2m, 0d", "2m, 0d", False],
        ["one or two", 2, "deficit", "2m, 0d", "", "2m, 0d", True],
        ["one or two", 2, "excess", "0m, 1d", "0m, 2d; 1m, 1d", "0m, 1d", False],
        ["one or two", 4, "deficit", "3m, 1d", "2m, 1d; 2m, 2d", "2m, 2d", False],
        ["any number", 2, "deficit", "2m, 0d", "1m, 0d", "1m, 0d", False],
        ["any number", 2, "excess", "0m, 0d", "0m, 1d; 0m, 2d; 1m, 1d", "0m, 0d", False],
    ]
