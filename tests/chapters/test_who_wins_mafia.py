"""The study's printed tables, all cells; what they choose from; and what the audit says of them."""

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
