"""Verdicts on counts in which somebody never won, or won hardly ever."""

import pandas as pd
import pytest
from scipy import stats

from gamebalance.fairness import Games, judge, read_games


def counted(**counts):
    return judge(Games.from_counts(counts))


def test_two_that_never_won_are_two():
    """Ten games, all won by the first of three: 3 of the 3^10 results are so uneven."""
    found = counted(a=(10, 10), b=(0, 10), c=(0, 10))
    assert found.even.tolist() == [0.333333333] * 3
    assert found.p_value == pytest.approx(3 / 3**10, abs=1e-12) and found.method == "exact multinomial test"
    rows = [{"game": game, "seat": seat, "won": int(seat == 1)} for game in range(10) for seat in (1, 2, 3)]
    seats = judge(read_games(pd.DataFrame(rows)), by="seat")
    assert seats.even.tolist() == [0.333333333] * 3 and seats.verdict == "unfair"


@pytest.mark.parametrize(
    ("one", "other"), [((150, 200), (90, 200)), ((100, 200), (90, 200)), ((2, 1000), (1, 1200)), ((0, 40_000), (3, 7))]
)
def test_counted_apart_as_by_fisher(one, other):
    """Of two labels, Pearson's statistic ranks tables as their chances do."""
    found = counted(a=one, b=other)
    fisher = stats.fisher_exact([[one[0], one[1] - one[0]], [other[0], other[1] - other[0]]]).pvalue
    assert found.method == "exact test of a table" and found.p_value == pytest.approx(fisher, rel=1e-6)


def test_few_wins_of_many_games_are_listed():
    """Three wins among three that played a thousand times: 3 of 27 ways, about, put all of them with one."""
    found = counted(a=(3, 1000), b=(0, 1000), c=(0, 1000))
    assert found.method == "exact test of a table"
    assert found.p_value == pytest.approx(stats.hypergeom.pmf(3, 3000, 3, 1000) * 3, rel=1e-8)


def test_four_games_show_no_fairness():
    """Whoever wins a third of the games wins none of four in 20 of 100 cases, and is 30 points from the others."""
    found = counted(a=(0, 4), b=(300, 10_000))
    assert found.verdict == "undecided" and found.equivalence_p_value > 0.05


def test_a_chance_just_below_a_hundredth_is_in_words():
    found = counted(a=(45, 119), b=(74, 119))
    assert 0.00995 <= found.p_value < 0.01 and "in 1 of 100 cases" in found.sentence
    found = counted(a=(127, 300), b=(173, 300))
    assert "in 93 of 10,000 cases" in found.sentence


@pytest.mark.parametrize(
    "games", [Games.from_counts({"a": (0, 5), "b": (0, 6)}), Games.from_counts({"a": (0, 9), "b": (0, 9)}, draws=9)]
)
def test_nobody_won(games):
    found = judge(games)
    assert found.verdict == "undecided" and found.games_needed is None and found.p_value == 1
    assert "these games tell nothing, and more like them would not" in found.sentence
