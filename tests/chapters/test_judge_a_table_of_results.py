"""The made-up club: who plays, who wins, and that the file beside the tables is this club."""

from pathlib import Path

import pandas as pd

from chapters import judge_a_table_of_results as chapter


def test_the_file_is_the_club():
    file = Path(__file__).resolve().parents[2] / "data/examples/club.csv"
    pd.testing.assert_frame_equal(pd.read_csv(file), chapter.club_evenings())


def test_every_game_is_one_of_werewolf():
    games = chapter.club_evenings(3).groupby("game")
    assert len(games) == 120 and (games["player"].nunique() == 8).all()
    assert all(sorted(game["seat"]) == list(range(1, 9)) for _, game in games)
    roles = games["role"].value_counts().unstack()
    assert roles[["wolf", "seer", "villager"]].eq([2, 1, 5]).all(axis=None)
    won = chapter.club_evenings(3).groupby(["game", "side"])["won"].agg(["min", "max"])
    assert (won["min"] == won["max"]).all() and (won["max"].groupby("game").sum() == 1).all()


def test_without_strengths_it_is_fair(monkeypatch):
    """Within five standard errors of one half, in 3,000 games; and nobody is a wolf more often than another."""
    monkeypatch.setattr(chapter, "STRENGTHS", dict.fromkeys(chapter.STRENGTHS, 0.0))
    tables = pd.concat([chapter.club_evenings(seed) for seed in range(25)])
    assert abs(tables[tables["side"] == "wolves"]["won"].mean() - 0.5) < 5 * 0.5 / 3000**0.5
    shares = (tables["side"] == "wolves").groupby(tables["player"]).mean()
    assert abs(shares - 0.25).max() < 5 * (0.25 * 0.75 / 2400) ** 0.5
