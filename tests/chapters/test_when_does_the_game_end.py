"""Comparison of rules: levels and differences, counts of changed cells, the worth of a memory."""

import pandas as pd
import pytest

from chapters import when_does_the_game_end as chapter
from gamebalance.mafia import win_probability
from gamebalance.publish import published


def test_changed_cells_of_the_published_tables():
    """(1, 2, 1): 19/27 becomes 5/9 by the text; without detectives a vote first is worth one player."""
    changes = chapter.changed_cells(published("mafia_win_probability")).set_index(["detectives", "variant"])
    counts = changes[["cells", "changed", "raised", "lowered"]]
    assert counts.loc[(0, "as written")].tolist() == [164, 0, 0, 0]
    assert counts.loc[(1, "as written")].tolist() == [164, 82, 0, 82]
    assert counts.loc[(0, "memory"), "changed"] == counts.loc[(1, "memory"), "lowered"] == 0
    text, vote = changes.loc[(1, "as written")], changes.loc[(0, "vote first")]
    assert text["most lost"] == pytest.approx(-100 * 4 / 27) and text["lost at"] == "1 of 4"
    assert pd.isna(text["most gained"]) and pd.isna(text["gained at"])
    assert vote["most gained"] == pytest.approx(100 * (win_probability(1, 5) - win_probability(1, 4)))
    assert (vote["gained at"], vote["lost at"]) == ("1 of 5", "1 of 6")
