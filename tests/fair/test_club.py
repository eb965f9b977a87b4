"""The made-up club: who plays, who wins, and that the file beside the tables is this club."""

from pathlib import Path

import pandas as pd

from chapters.fair import club
from gamebalance.fairness import judge, read_games

FILE = Path(__file__).resolve().parent.parent.parent / "data/examples/club.csv"


def test_the_file_is_the_club():
    pd.testing.assert_frame_equal(pd.read_csv(FILE), club.evenings())
    assert judge(read_games(FILE), by="side").p_value == judge(read_games(club.evenings()), by="side").p_value


def test_every_game_is_one_of_werewolf():
    games = club.evenings(3).groupby("game")
    assert len(games) == 120
    assert (games["player"].nunique() == 8).all()
    assert all(sorted(game["seat"]) == list(range(1, 9)) for _, game in games)
    roles = games["role"].value_counts().unstack()
    assert (roles["wolf"] == 2).all() and (roles["seer"] == 1).all() and (roles["villager"] == 5).all()
    won = club.evenings(3).groupby(["game", "side"])["won"].agg(["min", "max"])
    assert (won["min"] == won["max"]).all() and (won["max"].groupby("game").sum() == 1).all()


def test_without_strengths_it_is_fair(monkeypatch):
    """Within five standard errors of one half, in 3,000 games; and nobody is a wolf more often than another."""
    monkeypatch.setattr(club, "STRENGTHS", dict.fromkeys(club.STRENGTHS, 0.0))
    tables = pd.concat([club.evenings(seed) for seed in range(25)])
    wolves = tables[tables["side"] == "wolves"]
    assert abs(wolves["won"].mean() - 0.5) < 5 * 0.5 / 3000**0.5
    shares = (tables["side"] == "wolves").groupby(tables["player"]).mean()
    assert abs(shares - 0.25).max() < 5 * (0.25 * 0.75 / 2400) ** 0.5
