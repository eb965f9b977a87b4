"""Rows of line-ups and of seatings: what they hold is what the solver or the simulator said."""

import numpy as np
import pytest

from chapters import five_and_six_players_exactly as large
from chapters import five_to_ten_players as chapter
from chapters import the_smallest_fair_change_grid as grid
from gamebalance.publish import heavy
from gamebalance.sanguosha import LINEUPS, Lineup, simulate, solve


def test_a_row_of_four_players_is_exact_and_comes_out_again():
    outcomes = chapter.lineup_outcomes(chapter.row("1-1-1-1"))
    stored = chapter.known(heavy.results("sanguosha-line-ups", text=["shares", "moments"]))["1-1-1-1"]
    assert outcomes.games is None and outcomes.error_bound <= 1e-11 and not outcomes.survival_error.any()
    assert outcomes.survival == pytest.approx(stored.survival, abs=1e-9)


@pytest.mark.thorough
def test_a_simulated_row_keeps_all_errors(monkeypatch):
    """Five players are simulated here, in few and small tables: two loyalists more than the rows are for."""
    line = Lineup(3, 1, 0)
    for name, value in {"EXACT_PLAYERS": 4, "all_lineups": lambda: (Lineup(1, 1, 1), line), "GAMES": 3000}.items():
        monkeypatch.setattr(chapter, name, value)
    row = chapter.row(str(line))
    outcomes, played = chapter.lineup_outcomes(row), simulate(line, 3000, 1, endgame=True)
    assert (row["games"], row["seed"], outcomes.games) == (3000, 1, 3000)
    assert list(outcomes.probability) == list(played.probability)
    for name in ("survival", "survival_error"):
        ours, theirs = getattr(outcomes, name), getattr(played, name)
        assert np.allclose(ours, theirs, rtol=1e-9, atol=1e-11, equal_nan=True) and np.nanmax(ours) > 0


def test_a_row_of_a_seating_comes_back():
    solved = solve("023")
    back = chapter.seating_outcomes(large.columns_of(solved))
    assert back.probability == pytest.approx(solved.probability) and back.turns == solved.turns
    with pytest.raises(AssertionError, match="without a column"):
        large.columns_of(solve("0123", policies=grid.PLAYS["known"]))


@pytest.fixture(scope="module")
def five():
    return chapter.solved_seatings(heavy.results("sanguosha-exact-five", ["seating"]))


def test_line_ups_with_all_seatings_solved_are_exact(five):
    """And a mean needs all of them."""
    rows = heavy.results("sanguosha-line-ups", text=["shares", "moments"])
    seatings = heavy.results("sanguosha-exact-six", ["seating"])
    every = chapter.known(rows, seatings)
    assert len(every) == 84 and [every[str(line)].games is None for line in LINEUPS[:5]] == [True] * 4 + [False]
    mean = chapter.mean_of(five, LINEUPS[1])
    assert mean.survival == pytest.approx(every["1-1-2-1"].survival, abs=1e-8)
    with pytest.raises(AssertionError, match="1-1-2-1"):
        chapter.mean_of(five[1:], LINEUPS[1])
