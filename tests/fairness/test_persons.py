"""Labels between equally strong people: recovered from made-up clubs, and the same however results are written."""

from functools import cache

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats

from gamebalance.fairness import Games, judge, read_games, with_persons
from gamebalance.fairness.lineups import Comparison, Lineups
from gamebalance.fairness.persons import label_frame
from tests.fairness.test_lineups import club
from tests.refusals import refuses

#: Clubs of one kind, and what may happen in their numbers once in a thousand times on either side.
CLUBS, RARE = 40, 1e-3


@cache
def of_clubs():
    """For each of many fair clubs whose strong members like to be wolves: an interval, p-values with and without.

    Of the last it is only asked whether most are small: it is nan but for the first twenty clubs.
    """
    found = []
    for seed in range(CLUBS):
        games = read_games(club(seed, people=8, games=120)[0])
        compared = Comparison(Lineups(games, ("side",)))
        row = label_frame(compared, 0.95).loc["wolves"]
        raw = judge(games, "side").p_value if seed < 20 else np.nan
        found.append((row["low"], row["high"], compared.p_value(), raw))
    return np.array(found).T


def between(count, chance):
    """Whether so many of the clubs are no surprise if each has this chance."""
    low, high = stats.binom.ppf([RARE, 1 - RARE], CLUBS, chance)
    return low <= count <= high


@pytest.mark.thorough
def test_intervals_hold_the_truth_as_often_as_they_promise():
    low, high, _, _ = of_clubs()
    assert between(((low < 0.5) & (high > 0.5)).sum(), 0.95)
    assert (high - low).mean() < 0.3


def test_fair_games_of_strong_wolves_look_unfair_only_if_persons_are_forgotten():
    _, _, p_value, raw = of_clubs()
    assert (raw[:20] < 0.05).mean() > 0.5
    assert between((p_value < 0.05).sum(), 0.05) and between((p_value < 0.5).sum(), 0.5)


@pytest.mark.parametrize("spread", [0.0, 1.0])
def test_effects_of_labels_and_persons_are_found_within_their_errors(spread):
    frame, strengths = club(7, people=12, games=3000, spread=spread, effect=0.4)
    model = with_persons(read_games(frame), "side")
    truth = special.expit(0.4)
    wolves = model.frame.loc["wolves"]
    assert abs(wolves["chance"] - truth) < 4 * wolves["error"] < 0.1 and model.p_value < 1e-4
    truth = model.persons.index.map(strengths)
    assert (abs(model.persons["effect"] - truth) <= 4 * model.persons["error"] + 0.01).all()
    assert model.persons["effect"].sum() == pytest.approx(0, abs=1e-6)
    if spread:
        assert model.spread == pytest.approx(np.std(truth), rel=0.2)
        assert np.corrcoef(model.persons["effect"], truth)[0, 1] > 0.95
    else:
        assert model.spread < 0.1


# --- verdicts ---


def test_verdicts_between_equally_strong_people():
    strong_wolves = read_games(club(2, people=10, games=200, wolves=2, players=8)[0])
    model = with_persons(strong_wolves, "side")
    verdict, sentence = model.judge()
    assert verdict == "undecided" and judge(strong_wolves).verdict == "unfair"
    assert sentence == f"Cannot tell: b{model.sentence[1:]}" and sentence.startswith("Cannot tell: between equally")
    unfair = with_persons(read_games(club(7, people=12, games=900, effect=0.4)[0]), "side")
    assert unfair.judge()[0] == "unfair" and unfair.judge()[1].startswith("Unfair: between equally strong people ")
    even = with_persons(read_games(club(7, people=12, games=3000, spread=0.3)[0]), "side")
    wolves = even.frame.loc["wolves"]
    error = wolves["error"] / (wolves["chance"] * (1 - wolves["chance"]))
    reach = special.logit([wolves["chance"], 1 - wolves["chance"]]).max() + special.ndtri(0.955) * error
    edge = special.expit(reach) - 0.5
    assert 0.015 < edge < 0.1 and even.p_value > 0.05
    assert [even.judge(margin)[0] for margin in (edge - 0.001, edge + 0.001)] == ["undecided", "fair"]
    assert even.judge(edge + 0.001, looked_after=100)[0] == "undecided"


# --- what cannot be told, and what is refused ---


def test_it_says_that_it_cannot_be_told():
    pairs, howled = [("Ann", "Ben"), ("Cid", "Ben"), ("Ann", "Dan")] * 3, [1, 0, 1, 1, 1, 0, 1, 1, 1]
    rows = [
        (game, role, player, int((role == "wolf") == howled[game]))
        for game, pair in enumerate(pairs)
        for role, player in zip(("wolf", "village"), pair, strict=True)
    ]
    same = read_games(pd.DataFrame(rows, columns=["game", "role", "player", "won"]))
    model = with_persons(same)
    assert model.inseparable and model.frame["information"].min() == 0 and np.isnan(model.p_value)
    assert model.frame[["chance", "error", "low", "high", "difference"]].isna().all(axis=None)
    assert model.frame["share"].tolist() == pytest.approx([7 / 9, 2 / 9])
    assert model.sentence == (
        "It cannot be told how often wolf would win between equally strong people; 77.8% were seen. These games "
        "cannot tell wolf from village: what differs may be the strength of those who played."
    )
    assert model.judge(0.4) == ("undecided", f"Cannot tell: i{model.sentence[1:]}")


FRAME = club(15, games=20, wolves=2, players=5)[0]
CLUB = read_games(FRAME)
NOBODY = read_games(FRAME.assign(won=0), draws=True)
ALONE = Games(FRAME.assign(player="Ann"))
APART = read_games(FRAME.assign(role=np.where(FRAME["game"] % 2, "hen", "fox")))
COUNTED = Games.from_counts({"wolves": (30, 55), "village": (25, 55)})

test_refused = refuses(
    (lambda: with_persons(FRAME), "games = DataFrame: Games are needed"),
    (lambda: with_persons(COUNTED), "games: a column player is needed, .* they have only numbers"),
    (lambda: with_persons(CLUB), "by = 'role': these results have no column of that name, only side, seat, player"),
    (lambda: with_persons(CLUB, ()), r"by = \(\): one of side, role, seat, or several different ones, are needed"),
    (
        lambda: with_persons(CLUB, "seat"),
        r"by = 'seat': sides win these games, so that side is needed too: by = \('side'",
    ),
    (lambda: with_persons(CLUB, "side").judge(looked_after=20), "looked_after = 20: whole numbers are needed"),
    (lambda: with_persons(NOBODY, "side"), "games: nobody has won any of them"),
    (lambda: with_persons(APART), "by = 'role': these never differ within a game, so that there is nothing to compare"),
    (lambda: with_persons(ALONE, "side"), "games: 'Ann' is the only player, and two are needed to compare"),
)
