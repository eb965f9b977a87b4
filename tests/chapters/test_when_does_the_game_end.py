"""Comparison of rules: levels and differences, counts of changed cells, the worth of a memory."""

import pandas as pd
import pytest

from chapters import when_does_the_game_end as chapter
from gamebalance.mafia import Rules, Setup, solve, win_probability
from gamebalance.publish import published


def test_first_variant_is_a_level_and_the_others_are_differences():
    row = chapter.compare_variants([Setup(1, 2, 1)]).iloc[0]
    assert row["as coded"] == pytest.approx(1900 / 27)
    assert row["as written"] == pytest.approx(100 * (5 / 9 - 19 / 27))
    assert row["play on"] == pytest.approx(0, abs=1e-11)


def test_each_variant_changes_one_rule():
    (coded, first), *others = chapter.VARIANTS.values()
    assert (coded, first) == (Rules(), "evening")
    for rules, phase in others:
        assert sum(vars(rules)[name] != value for name, value in vars(coded).items()) + (phase != first) == 1


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


def test_worth_of_memory():
    table = chapter.worth_of_memory((10, 20), (1, 2))
    for players, detectives in ((10, 1), (10, 2), (20, 1), (20, 2)):
        mafiosi, chance, gain = table.loc[players, detectives]
        chances = [solve(Setup.of_players(players, m, detectives)) for m in range(players // 2)]
        assert abs(chance / 100 - 0.5) == pytest.approx(min(abs(value - 0.5) for value in chances), abs=1e-13)
        remembered = solve(Setup.of_players(players, int(mafiosi), detectives), Rules(memory=True))
        assert chance + gain == pytest.approx(100 * remembered) and gain > 3
