"""Forecasts, scores, made-up leagues and pods: by hand, by other solvers, and by what they must not know."""

import numpy as np
import openskill.models
import pandas as pd
import pytest
import trueskill
from scipy import optimize, special

from chapters import who_is_strong as chapter
from chapters.who_is_strong import Tables
from gamebalance import fairness, publish

LEAGUE = chapter.league(np.random.default_rng(3), 80, people=15, sizes=(3, 2)).tables
LEAGUE = LEAGUE._replace(rows=LEAGUE.rows.assign(season=LEAGUE.rows["game"] // 40))
PAST, COMING = (LEAGUE.where(LEAGUE.rows["season"] == season) for season in (0, 1))
#: Two of one side win against one of the other.
GAME = Tables(
    pd.DataFrame({"game": 0, "side": ["few", "many", "many"], "player": [7.0, 8.0, np.nan], "won": [0, 1, 1]}),
    ("many", "few"),
)


def test_recorded_tables_have_seven_against_three():
    tables = chapter.tables_of(publish.observed("sport_mafia_games"))
    assert all(len(town) == 7 and len(mafia) == 3 for town, mafia, _ in tables.teams())
    assert (tables.rows.groupby(["game", "side"])["won"].nunique() == 1).all()


def test_teams_are_those_of_the_sides_in_order():
    assert GAME.teams() == [([8.0, None], [7.0], True)]
    assert GAME.teams(standing=True) == [([8.0, None, ("many",)], [7.0, ("few",)], True)]


@pytest.mark.parametrize("name", chapter.FORECASTS)
def test_a_forecast_knows_only_what_was_before(name):
    forecast = chapter.FORECASTS[name]
    chance = forecast(PAST, COMING)
    turned = COMING._replace(rows=COMING.rows.assign(won=1 - COMING.rows["won"]))
    assert chance.shape == (40,) and ((chance > 0) & (chance < 1)).all()
    assert np.array_equal(forecast(PAST, turned), chance)


def test_a_season_is_foretold_from_those_before():
    foretold = chapter.foretold(LEAGUE, 1)
    turned = LEAGUE.rows["won"].where(LEAGUE.rows["season"] == 0, 1 - LEAGUE.rows["won"])
    others = chapter.foretold(LEAGUE._replace(rows=LEAGUE.rows.assign(won=turned)), 1)
    assert (foretold["won"] != others["won"]).all() and foretold.drop(columns="won").equals(others.drop(columns="won"))
    assert foretold["the side's share so far"].unique() == pytest.approx([PAST.won.mean()], abs=1e-6)


def test_what_foretold_best_so_far_is_taken():
    """A package that knows who wins beats one that does not, and each game is foretold before it is counted."""

    def package(chance):
        return chapter.Package(float, lambda teams, won: [[each + 1 for each in team] for team in teams], chance)

    sure, lost = package(lambda teams: 0.9), package(lambda teams: 0.2)
    won = PAST._replace(rows=PAST.rows.assign(won=(PAST.rows["side"] == "large").astype(int)))
    assert (chapter.packaged(won, COMING, [lost, sure]) == 0.9).all()
    score, games = chapter.rated(won, package(lambda teams: (1 + teams[0][0]) / 100))
    first = won.rows[won.rows["side"] == "large"].groupby("game")["player"].first()
    before = [(won.rows["player"] == who).to_numpy()[: 5 * place].sum() for place, who in enumerate(first)]
    assert score == pytest.approx(np.log((1 + np.array(before)) / 100).sum()) and sum(games.values()) == 200


@pytest.mark.parametrize("sides", [True, False])
def test_the_ridge_model_has_the_least_penalised_error(sides):
    people = PAST.rows["player"].unique()

    def differences(tables):
        rows = tables.rows
        weight = np.where(rows["side"] == "large", 1 / 3, -1 / 2)
        found = pd.DataFrame({"game": rows["game"], "player": rows["player"], "weight": weight})
        wide = found.pivot(index="game", columns="player", values="weight")
        return wide.reindex(columns=people).fillna(0.0).to_numpy()

    def lost(place):
        chance = special.expit(sides * place[0] + differences(PAST) @ place[1:])
        return -np.log(np.where(PAST.won, chance, 1 - chance)).sum() + chapter.RIDGE / 2 * (place[1:] ** 2).sum()

    best = optimize.minimize(lost, np.zeros(len(people) + 1), tol=1e-9).x
    ahead, strengths = chapter.ridge_strengths(PAST, sides)
    assert ahead == pytest.approx(sides * best[0], abs=1e-5)
    assert strengths[people].to_numpy() == pytest.approx(best[1:], abs=1e-5)
    if sides:
        expected = special.expit(best[0] + differences(COMING) @ best[1:])
        assert chapter.ridge(PAST, COMING) == pytest.approx(expected, abs=1e-5)


def test_elo_by_hand(monkeypatch):
    """Each won once, so that sides are even; then 7 has lost to 8 what the step times one half is, and won the rest."""
    monkeypatch.setattr(chapter, "STEPS", (20.0,))
    second = GAME.rows.assign(game=1, won=1 - GAME.rows["won"])
    past = GAME._replace(rows=pd.concat([GAME.rows, second]))
    (chance,) = chapter.by_elo(past, GAME)
    up = 20 * (1 - 1 / 2)  # the stranger counts half of the mean, and has no points
    down = 20 / (1 + 10 ** -((up / 2 + up) / 400))
    assert chance == pytest.approx(1 / (1 + 10 ** -(1.5 * (up - down) / 400)))


def test_packages_are_called_as_they_are_meant():
    (model, other), game = (openskill.models.PlackettLuce(), trueskill.TrueSkill(draw_probability=0)), GAME
    winners, losers = model.rate([[model.rating(), model.rating()], [model.rating()]])
    assert chapter.rated(game, chapter.with_openskill())[1][8.0].mu == winners[0].mu > losers[0].mu
    winners, losers = other.rate([(other.create_rating(),) * 2, (other.create_rating(),)])
    known = chapter.rated(game, chapter.with_trueskill())[1]
    assert known[8.0].mu == winners[0].mu and known[7.0].mu == losers[0].mu and None not in known
    one, two = other.create_rating(30, 4), other.create_rating(25, 6)
    random = np.random.default_rng(1)
    noise = np.sqrt([one.sigma**2 + other.beta**2, two.sigma**2 + other.beta**2])
    plays = random.normal([one.mu, two.mu], noise, (10**5, 2))
    chance = chapter.with_trueskill().chance([[one], [two]])
    assert chance == pytest.approx((plays[:, 0] > plays[:, 1]).mean(), abs=0.007)  # 4 errors


@pytest.mark.parametrize("package", [chapter.with_openskill(), chapter.with_trueskill()])
def test_packages_as_they_come_are_sure_that_seven_strangers_beat_three(package):
    teams = [[package.stranger() for _ in range(size)] for size in (7, 3)]
    assert package.chance(teams) > 0.99


def test_scores_by_hand():
    games = pd.DataFrame({name: [0.8, 0.25, 0.0, 0.5] for name in chapter.FORECASTS})
    games["won"] = [True, False, True, False]
    logs, squares = chapter.scores(games)
    assert logs["rate"].tolist() == pytest.approx(np.log([0.8, 0.75, chapter.EDGE, 0.5]))
    assert squares["rate"].tolist() == pytest.approx([0.04, 0.0625, 1, 0.25], abs=1e-5)


def test_calibration_groups_games_by_their_chance():
    chance = np.array([0.1, 0.9, 0.2, 0.8])
    frame = chapter.calibration(np.array([False, True, True, True]), chance, groups=2)
    assert frame["chance"].tolist() == pytest.approx([0.15, 0.85]) and frame["share"].tolist() == [0.5, 1]
    assert frame["reach"].tolist() == pytest.approx([2 * np.sqrt(1 / 8), 0])


def test_the_jackknife_of_a_mean_is_its_standard_error():
    values = np.array([1.0, 2.0, 6.0, 7.0])
    tables = Tables(pd.DataFrame({"season": range(4), "value": values}))
    found = chapter.jackknife(lambda each: each.rows["value"].mean(), tables)
    assert found == pytest.approx((4, values.std(ddof=1) / 2), abs=1e-6)


def test_people_are_ahead_of_what_their_sides_won():
    """One person wins all of three games, two for the town, which wins two."""
    rows = {"game": [0, 0, 1, 1, 2, 2], "side": ["town", "mafia"] * 3, "player": [1, 2, np.nan, 1, 1, 4]}
    ahead = chapter.ahead(Tables(pd.DataFrame(rows | {"won": [1, 0, 0, 1, 1, 0]})))
    of_one = ahead[ahead["player"] == 1]
    assert of_one["ahead"].tolist() == pytest.approx([100 / 3, 200 / 3, 100 / 3]) and len(ahead) == 5
    assert of_one["games"].tolist() == [3, 3, 3] and of_one["number"].tolist() == [1, 2, 3]


@pytest.mark.parametrize("liking", chapter.LIKINGS)
@pytest.mark.parametrize("power", [1.0, 0.0])
def test_leagues_are_as_they_are_said_to_be(liking, power):
    """Wins of the large side are within 4 errors of the sum of their chances."""
    made = chapter.league(np.random.default_rng(8), 4000, liking, power)
    rows = made.tables.rows.assign(strength=made.strengths[made.tables.rows["player"]].to_numpy())
    sides = rows.groupby(["game", "side"])["strength"].agg("mean" if power else "sum").unstack()
    chance = special.expit(sides["large"] - sides["small"] - 0.6)
    assert abs(made.tables.won.sum() - chance.sum()) < 4 * np.sqrt((chance * (1 - chance)).sum())
    small = rows["side"].eq("small").groupby(rows["player"]).mean()
    assert (rows.groupby("game")["player"].nunique() == 9).all()
    assert small.std() < 0.04 if liking == "by lot" else small.std() > 0.1
    assert (small.corr(made.strengths) > 0.9) == (liking == "the strong")


def test_pods_have_one_winner_each_and_the_shares_that_were_asked_for():
    seated, shares = fairness.seatings(8, 4, 4, seed=1).frame, np.array([0.4, 0.3, 0.2, 0.1])
    for by_lot in (False, True):
        games = chapter.pods(np.random.default_rng(2), seated, shares, 1.0, 2000, by_lot)
        assert (games.groupby("game")["won"].sum() == 1).all()
        assert (games.groupby("game")["seat"].agg(list).map(sorted).map(tuple) == (1, 2, 3, 4)).all()
        won = games[games["won"]].groupby("season")["seat"].value_counts().unstack(fill_value=0) / 8
        assert (abs(won.mean() - shares) < 4 * won.std() / np.sqrt(2000)).all()
        often = games.groupby(["season", "player"])["seat"].nunique()
        assert (often == 4).all() == (not by_lot)  # everybody sits once in each seat


def test_even_seats_save_nothing_between_equals():
    found = chapter.saved(np.random.default_rng(4), 8, 4, np.array([0.4, 0.3, 0.2, 0.1]), 0.0, 2000)
    assert abs(found["saved"]) < 4 * found["s.e."]
    assert found["even"] == pytest.approx(np.sqrt(0.4 * 0.6 / 8), rel=0.08)
