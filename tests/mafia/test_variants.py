"""Comparison of rules: levels and differences, counts of changed cells, the worth of a memory."""

import pandas as pd
import pytest

from chapters.mafia.variants import VARIANTS, changed_cells, compare_variants, worth_of_memory
from gamebalance.mafia import Rules, Setup, solve, win_probability
from gamebalance.publish import published
from tests.refusals import refuses


@pytest.fixture(scope="module")
def changes():
    return changed_cells(published("mafia_win_probability")).set_index(["detectives", "variant"])


def test_first_variant_is_a_level_and_the_others_are_differences():
    row = compare_variants([Setup(1, 2, 1)]).iloc[0]
    assert (row["players"], row["mafiosi"], row["detectives"]) == (4, 1, 1)
    assert row["as coded"] == pytest.approx(1900 / 27)
    assert row["as written"] == pytest.approx(100 * (5 / 9 - 19 / 27))
    assert row["play on"] == pytest.approx(0, abs=1e-11)


def test_each_variant_changes_one_rule():
    coded = VARIANTS["as coded"]
    assert coded == (Rules(), "evening")
    for variant in list(VARIANTS.values())[1:]:
        differences = sum(vars(variant.rules)[name] != value for name, value in vars(coded.rules).items())
        assert differences + (variant.phase != coded.phase) == 1


def test_text_changes_half_of_one_table_and_nothing_of_the_other(changes):
    columns = ["cells", "changed", "raised", "lowered"]
    assert changes.loc[(0, "as written"), columns].tolist() == [164, 0, 0, 0]
    assert changes.loc[(1, "as written"), columns].tolist() == [164, 82, 0, 82]
    # (1, 2, 1): 19/27 becomes 5/9. Towns of two and three lose more, but are left out.
    assert changes.loc[(1, "as written"), "most lost"] == pytest.approx(-100 * 4 / 27)
    assert changes.loc[(1, "as written"), "lost at"] == "1 of 4"
    assert pd.isna(changes.loc[(1, "as written"), "most gained"])
    assert pd.isna(changes.loc[(1, "as written"), "gained at"])


def test_a_vote_first_moves_a_table_by_one_player(changes):
    """Without detectives a town is worth in the morning what a town of one more is worth in the evening."""
    row, coded = changes.loc[0, "vote first"], win_probability
    assert row["most gained"] == pytest.approx(100 * (coded(1, 5) - coded(1, 4)))
    assert (row["gained at"], row["lost at"]) == ("1 of 5", "1 of 6")


def test_memory_needs_a_detective(changes):
    assert changes.loc[(0, "memory"), "changed"] == 0
    assert changes.loc[(1, "memory"), "lowered"] == 0
    assert changes.loc[(1, "memory"), "raised"] > 50


def test_first_of_equal_changes_is_named():
    cells = pd.DataFrame(
        {"players": [6, 5, 5], "mafiosi": [0, 0, 1], "detectives": 0, "probability_percent": [100.0, 100.0, 25.0]}
    )
    row = changed_cells(cells).set_index("variant").loc["play on"]
    assert (row["cells"], row["changed"], row["gained at"]) == (3, 1, "1 of 5")


def test_worth_of_memory():
    table = worth_of_memory((10, 20), (1, 2))
    assert table.index.tolist() == [10, 20]
    for players in table.index:
        for detectives in (1, 2):
            mafiosi, chance, gain = table.loc[players, detectives]
            chances = [solve(Setup.of_players(players, m, detectives)) for m in range(players // 2)]
            assert abs(chance / 100 - 0.5) == pytest.approx(min(abs(value - 0.5) for value in chances), abs=1e-13)
            remembered = solve(Setup.of_players(players, int(mafiosi), detectives), Rules(memory=True))
            assert chance + gain == pytest.approx(100 * remembered)
            assert gain > 3


test_more_detectives_than_players_are_refused = refuses((lambda: worth_of_memory([4], [5]), "detectives = 5"))
