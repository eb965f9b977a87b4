"""Rows of line-ups: what they hold is what the solver or the simulator said."""

import numpy as np
import pandas as pd
import pytest

from chapters.claims import all_lineups
from chapters.sanguosha import exact_rows, lineup_rows
from gamebalance.sanguosha import LINEUPS, Lineup, simulate, solve_lineup
from tests.refusals import refused


def test_a_row_of_four_players_is_exact():
    row, solved = lineup_rows.row("1-1-1-1"), solve_lineup("1-1-1-1")
    found = lineup_rows.outcomes(row)
    assert row["games"] == 0 and found.games is None and found.error_bound <= 1e-11
    assert found.survival == pytest.approx(solved.survival, abs=1e-11) and not found.survival_error.any()


def test_a_simulated_row_keeps_all_errors(monkeypatch):
    """Five players are simulated here, in few and small tables: two loyalists more than the rows are for."""
    line = Lineup(3, 1, 0)
    monkeypatch.setattr(lineup_rows, "EXACT_PLAYERS", 4)
    monkeypatch.setattr(lineup_rows, "all_lineups", lambda: (Lineup(1, 1, 1), line))
    monkeypatch.setattr(lineup_rows, "GAMES", 3000)
    row = lineup_rows.row(str(line))
    found, played = lineup_rows.outcomes(row), simulate(line, 3000, 1, endgame=True)
    assert (row["games"], row["seed"], found.games) == (3000, 1, 3000)
    assert list(found.probability) == list(played.probability)
    for name in ("survival", "survival_error"):
        ours, theirs = getattr(found, name), getattr(played, name)
        assert np.allclose(ours, theirs, rtol=1e-9, atol=1e-11, equal_nan=True) and np.nanmax(ours) > 0


def test_other_line_ups_are_refused():
    with refused("lineup = '1-0-1-1'", "at least one of each role"):
        lineup_rows.row("1-0-1-1")


def test_line_ups_with_all_seatings_solved_are_exact():
    """Of six players one line-up with all its seatings, made up; the other rows stay. Some seatings are not enough."""
    names = ["1-1-1-1", "1-1-3-1", "1-1-2-2"]
    of_games = {"games": 4, "endings": "1000 0010", "shares": "0.25 0.75", "moments": "0.25 0 0.75"}
    rows = pd.DataFrame(
        [{"lineup": name, **of_games, "error_bound": 0.0, "turns": 9.0, "turns_error": 1.0} for name in names]
    )
    first, second = (Lineup.parse(name).seatings() for name in names[1:])
    blank = dict.fromkeys(exact_rows.COLUMNS.values(), 0.0)
    share = {str(seating): (place + 1) / 50 for place, seating in enumerate([*first, *second[1:]])}
    solved = pd.DataFrame(
        [
            {"seating": seating, "error_bound": 1e-12, "turns": 8.0} | blank | {"alive_1000": p, "alive_0010": 1 - p}
            for seating, p in share.items()
        ]
    )
    with refused("rows: 29 of 30 seatings of 1-1-2-2; all are needed, once each"):
        lineup_rows.known(rows, solved)
    found = lineup_rows.known(rows, solved[: len(first)])
    assert list(found) == names and [found[name].games for name in names] == [4, None, 4]
    assert found["1-1-3-1"].survival[0] == pytest.approx(sum(range(1, 21)) / 20 / 50)
    assert found["1-1-2-2"].survival[0] == pytest.approx(0.25)


def test_fewer_games_of_all_line_ups():
    found = lineup_rows.played(20, 10, 3, 1)
    assert list(found) == list(map(str, all_lineups()))
    assert all(its.games == (20 if its.lineup in LINEUPS else 10) for its in found.values())
    assert found["1-1-1-2"].counts == simulate("1-1-1-2", 10, 3 + list(found).index("1-1-1-2")).counts
