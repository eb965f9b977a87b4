"""Schedules: games and seats are even as proved, meetings are counted right, and perfect where a search finds that."""

import io
from collections import Counter
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from gamebalance.commands.seatings import seatings_command
from gamebalance.fairness import read_games
from gamebalance.fairness.season import _seated, seatings
from tests.refusals import refuses


def quickly(*arguments, effort=10**6):
    """A schedule from a search of milliseconds; without effort, from a single start."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(seatings.__globals__, "EFFORT", effort)
        return seatings(*arguments)


def squares(frame):
    """The sum of squares of the pairs' meetings, counted from the rows."""
    games = frame.groupby(["round", "table"])["player"]
    met = Counter(pair for _, game in games for pair in combinations(sorted(game), 2))
    return sum(count**2 for count in met.values())


@given(st.data(), st.integers(2, 24), st.integers(1, 12), st.integers(0, 9))
@settings(max_examples=150)
def test_everybody_plays_and_sits_equally_often(data, players, rounds, seed):
    seats = data.draw(st.integers(2, min(6, players)))
    season = quickly(players, rounds, seats, seed)
    frame, names = season.frame, [str(1 + player) for player in range(players)]
    assert len(frame) == rounds * (players // seats) * seats and set(frame["player"]) <= set(names)
    assert not frame.duplicated(["round", "player"]).any()
    assert all(game.tolist() == list(range(1, seats + 1)) for _, game in frame.groupby(["round", "table"])["seat"])
    for now in range(1, rounds + 1):
        played = frame.loc[frame["round"] <= now, "player"].value_counts().reindex(names, fill_value=0)
        assert played.max() - played.min() <= 1
    sat = pd.crosstab(frame["player"], frame["seat"]).reindex(names, fill_value=0)
    assert (sat.to_numpy() == season.seats.to_numpy()).all() and (np.ptp(sat.to_numpy(), axis=1) <= 1).all()


@given(st.integers(2, 5), st.lists(st.permutations(range(8)), min_size=1, max_size=25))
def test_seats_are_even_whoever_plays_whom(seats, orders):
    """Also where some play far more than others: whatever the tables are, and in each group of a player's games."""
    games = np.array([order[:seats] for order in orders])
    found = _seated(games, 8)
    assert (np.sort(found) == np.sort(games)).all()
    for player in range(8):
        places = np.nonzero(found == player)[1].tolist()
        groups = [places[start : start + seats] for start in range(0, len(places), seats)]
        assert all(len(set(group)) == len(group) for group in groups)


@pytest.mark.parametrize("setting", [(12, 4, 4), (13, 6, 4), (11, 5, 3), (7, 6, 4)])
def test_meetings_are_counted_and_no_exchange_in_the_last_round_is_better(setting):
    """Of two who play, or of one who plays and one who sits out and has played as often: tried one by one."""
    season = quickly(*setting, effort=0)
    frame, least, met = season.frame, squares(season.frame), season.meetings.to_numpy()
    assert (met == met.T).all() and not met.diagonal().any() and np.square(met).sum() == 2 * least
    assert (met.sum(axis=1) == season.seats.sum(axis=1) * (setting[2] - 1)).all()
    last = frame["round"] == setting[1]
    before, plays = frame.loc[~last, "player"].value_counts(), set(frame.loc[last, "player"])
    for pair in combinations(season.seats.index, 2):
        if plays.issuperset(pair) or before.get(pair[0], 0) == before.get(pair[1], 0):
            swapped = frame["player"].replace(dict(zip(pair, pair[::-1], strict=True)))
            assert squares(frame.assign(player=frame["player"].where(~last, swapped))) >= least


@pytest.mark.parametrize(
    ("setting", "meetings"),
    [((4, 3, 2), {1}), ((9, 4, 3), {1}), ((16, 5, 4), {1}), ((6, 15, 4), {6}), ((20, 5, 4), {0, 1}), ((2, 3, 2), {3})],
)
def test_a_search_finds_what_is_perfect(setting, meetings):
    assert {(season := seatings(*setting)).least_meetings, season.most_meetings} == meetings


def test_the_sentence_and_the_seed():
    season = seatings([f"P{player}" for player in range(12)], 9, seed=3)
    played = "12 players, 9 rounds at 3 tables: everybody plays 9 games and sits in each seat 2 or 3 times; two players"
    assert str(season) == f"{played} meet 2 or 3 times (2.45 on the average), as even as can be."
    assert "meet 0 to 2 times (0.82 on the average), the most even that a search found." in str(quickly(12, 3))
    assert season.to_frame().equals(seatings(season.seats.index, 9, seed=3).frame)
    assert {seatings(4, 1, seed=seed).frame["player"][0] for seed in range(30)} == set("1234")


def test_the_command_writes_what_can_be_judged():
    call = ["--names", "Ann,Bob, Cem,Dee,Eve", "--rounds", "5", "--seats", "2"]
    text, csv = (CliRunner().invoke(seatings_command, [*call, "--format", form]).output for form in ("text", "csv"))
    frame, season = pd.read_csv(io.StringIO(csv)), seatings(["Ann", "Bob", "Cem", "Dee", "Eve"], 5, 2)
    assert frame.equals(season.frame) and text.startswith(season.sentence) and text.count("sits out: ") == 5
    reading = read_games(frame.assign(won=frame["seat"] % 2), game=["round", "table"]).reading
    assert reading.startswith("10 games of 2 players")


test_is_refused = refuses(
    (lambda: seatings(3, 1), r"^players = 3: a whole number from 4 to 200"),
    (lambda: seatings(["A", "B "], 1), r"^len\(players\) = 2: a whole number from 4 to 200"),
    (lambda: seatings(["A", "A "], 1, 2), r"^players = \['A', 'A '\]: a number, or a list of different names"),
    (lambda: seatings("ABCD", 1), r"^players = 'ABCD': a number, or a list"),
    (lambda: seatings(4, 0), r"^rounds = 0: a whole number from 1 to 200"),
    (lambda: seatings(12, 1, 11), r"^seats = 11: a whole number from 2 to 10"),
)
