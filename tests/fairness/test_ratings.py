"""Strengths beside labels: against sums, exact integration and statsmodels; made-up clubs are recovered."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse, special, stats
from statsmodels.genmod.bayes_mixed_glm import BinomialBayesMixedGLM

from gamebalance.fairness import Games, judge, rate, read_games
from gamebalance.fairness.ratings import matches
from gamebalance.fairness.ratings.choices import Choices, Model, fit
from gamebalance.fairness.ratings.lineups import Lineups
from tests.fairness.made_up import club

# --- the likelihood ---


def crowds(seed, sizes=(2, 3, 5, 4) * 10, effects=6):
    """Choices of different sizes with any effects, of which some are shared by two."""
    random = np.random.default_rng(seed)
    game = np.repeat(np.arange(len(sizes)), sizes)
    design = random.integers(0, 3, (len(game), effects)) / 2
    result = np.zeros(len(game))
    for number in range(len(sizes)):
        places = random.permutation(np.flatnonzero(game == number))[: 1 + (number % 4 == 0)]
        result[places] = 1 / len(places)
    return Choices(sparse.csr_array(design), result, game)


def moving(choices):
    """A model in which two of the six effects are free, and two persons play in periods 0 and 1, and in 0 and 3."""
    likings = np.array([[0.5], [0.5], [-1.0], [-1.0]])
    return Model(choices, likings, np.array([0, 0, 1, 1]), np.array([0, 1, 0, 3]))


@pytest.mark.parametrize("seed", range(3))
def test_the_likelihood_and_its_curvature_game_by_game(seed):
    choices, random = crowds(seed), np.random.default_rng(seed)
    strength, change = random.normal(size=(2, len(choices.game)))
    chance, height = choices.chances(strength)
    information, logs, rows = np.zeros((6, 6)), 0.0, choices.design.toarray()
    for number in range(choices.game[-1] + 1):
        here = choices.game == number
        shares = special.softmax(strength[here])
        np.testing.assert_allclose(chance[here], shares, rtol=1e-12)
        logs += choices.result[here] @ special.log_softmax(strength[here])
        information += rows[here].T @ (np.diag(shares) - np.outer(shares, shares)) @ rows[here]
    assert height == pytest.approx(logs, rel=1e-12)
    np.testing.assert_allclose(choices.information(chance), information, atol=1e-12)
    ends = [choices.information(choices.chances(strength + sign * 1e-6 * change)[0]) for sign in (1, -1)]
    np.testing.assert_allclose(choices.information(chance, change), (ends[0] - ends[1]) / 2e-6, atol=1e-7)


@pytest.mark.parametrize("spreads", [(0.1, 0.05), (0.6, 0.3), (2.5, 1.0)])
def test_slopes_are_those_of_differences_and_curvature_is_that_of_heights(spreads):
    model = moving(crowds(1))
    top = fit(model, spreads)
    for place in range(2):
        logs = np.log(spreads) + 1e-5 * np.array([[1.0], [-1.0]]) * (np.arange(2) == place)
        above, below = (fit(model, tuple(np.exp(each))).log_likelihood for each in logs)
        assert top.slope[place] == pytest.approx((above - below) / 2e-5, abs=1e-6)
    assert np.linalg.norm(top.step()[0]) < 1e-6
    np.testing.assert_allclose(top.hessian @ top.covariance, np.eye(model.size), atol=1e-9)


def duels(seed, people=5, games=80):
    """Games of two: who played, in the differences between the two, and who won."""
    random = np.random.default_rng(seed)
    pairs = np.array([random.choice(people, 2, replace=False) for _ in range(games)])
    apart = np.eye(people)[pairs[:, 0]] - np.eye(people)[pairs[:, 1]]
    won = random.random(games) < special.expit(apart @ random.normal(size=people))
    frame = pd.DataFrame({"game": np.repeat(np.arange(games), 2), "player": pairs.ravel()})
    frame["won"] = np.column_stack([won, ~won]).ravel().astype(int)
    return frame, apart, won.astype(float)


def test_the_top_is_that_of_statsmodels():
    """Where the gradient of its log-posterior vanishes, for random effects of this size."""
    frame, apart, won = duels(1)
    rating = rate(read_games(frame))
    assert rating.by == () and rating.labels.empty
    theirs = BinomialBayesMixedGLM(won, np.zeros((len(won), 0)), apart, [0] * 5, vcp_p=1.0, fe_p=1e9)
    place = np.concatenate([np.log([rating.spread]), rating._fit.effects])
    np.testing.assert_allclose(theirs.logposterior_grad(place)[1:], 0, atol=1e-6)
    assert rating.persons["strength"].sum() < 1 and (np.diff(rating.persons["strength"]) <= 0).all()


@pytest.mark.parametrize("seed", range(3))
def test_strengths_are_those_of_exact_integration(seed):
    """Of three persons in 200 games, over how far the second and the third are from the first, on a fine grid."""
    frame, apart, won = duels(seed, 3, 200)
    rating = rate(read_games(frame))
    ahead = np.stack(np.meshgrid(*[np.linspace(-6, 6, 401)] * 2, indexing="ij"), axis=-1).reshape(-1, 2)
    logs = -(ahead @ np.linalg.inv([[2.0, 1.0], [1.0, 2.0]]) * ahead).sum(axis=1) / (2 * rating.spread**2)
    for one, other in ((0, 1), (0, 2), (1, 2)):
        met = (apart[:, one] != 0) & (apart[:, other] != 0)
        first = (won[met] == (apart[met, one] > 0)).sum()
        gap = np.column_stack([np.zeros(len(ahead)), -ahead])[:, [one, other]] @ [1.0, -1.0]
        logs += first * special.log_expit(gap) + (met.sum() - first) * special.log_expit(-gap)
    weight = special.softmax(logs)
    for one, other in ((0, 1), (1, 2)):
        gap = np.column_stack([np.zeros(len(ahead)), -ahead])[:, [one, other]] @ [1.0, -1.0]
        mean = weight @ gap
        deviation = np.sqrt(weight @ gap**2 - mean**2)
        found, variance = rating._between(one, other)
        assert abs(found - mean) < 0.15 * deviation and np.sqrt(variance) == pytest.approx(deviation, rel=0.03)
        sure = weight @ ((gap > 0) + (np.abs(gap) < 1e-9) / 2)
        assert rating.better(one, other) == pytest.approx(sure, abs=0.01)


# --- line-ups, draws, places ---


def test_draws_and_places_are_choices_as_by_hand():
    rows = [
        (1, 1, "a", 1),
        (1, 2, "b", 2),
        (1, 3, "c", 2),
        (1, 4, "d", 4),
        (2, 1, "b", 1),
        (2, 2, "c", 2),
        (2, 3, "a", 3),
    ]
    frame = pd.DataFrame(rows, columns=["game", "seat", "player", "rank"])
    table = Lineups(read_games(frame), ("seat",))
    choices = table.choices(table.peopled(1.0))
    assert np.bincount(choices.game).tolist() == [4, 3, 3, 2, 2, 2, 2, 2]  # d comes last, whoever is chosen
    assert choices.result.tolist()[:12] == [1, 0, 0, 0, 1, 0, 0, 0.5, 0.5, 0, 1, 0]
    drawn = frame.assign(won=[0, 0, 0, 0, 1, 0, 0]).drop(columns="rank")
    table = Lineups(read_games(drawn, draws=True), ("seat",))
    strength = np.array([0.3, -0.2, 0.1, 0.4, 0.7])  # of four seats, and of a draw
    weights = np.exp([0.3, -0.2, 0.1, 0.4, 0.15 + 0.7]), np.exp([0.3, -0.2, 0.1, 0.2 / 3 + 0.7])
    shares = [weight / weight.sum() for weight in weights]
    expected = [*((shares[0][:3] + shares[1][:3]) / 2), shares[0][3]]
    np.testing.assert_allclose(table.chances(strength)[0], expected, rtol=1e-12)
    games = table.winners(table.design())
    assert games.result.tolist() == [0, 0, 0, 0, 1, 1, 0, 0, 0]


@pytest.mark.parametrize("draws", [False, True])
def test_chances_of_labels_line_up_by_line_up_and_their_slopes(draws):
    frame, _ = club(5, games=30, wolves=2, players=5)
    frame["role"] = np.where(frame["side"] == "wolves", "wolf", np.where(frame["seat"] == 1, "seer", "villager"))
    if draws:
        frame["won"] = frame["won"].where(frame["game"] % 7 > 0, 0.5)
    kinds = ("role", "seat")
    table = Lineups(read_games(frame, draws=draws), kinds)
    effects = np.random.default_rng(6).normal(size=len(table.labels) + draws)
    chance, slope = table.chances(effects)
    value = dict(zip(table.labels, effects[: len(table.labels)], strict=True))
    frame["strength"] = sum(frame[kind].map({b: each for (a, b), each in value.items() if a == kind}) for kind in kinds)
    sides = frame.groupby(["game", "side"])["strength"].mean().unstack()
    weights = np.exp(sides)
    draw = np.exp(sides.mean(axis=1) + effects[-1]) if draws else 0.0
    won = weights.add(draw / 2, axis=0).div(weights.sum(axis=1) + draw, axis=0).stack()
    frame["chance"] = won.loc[pd.MultiIndex.from_frame(frame[["game", "side"]])].to_numpy()
    expected = [frame.loc[frame[kind] == label, "chance"].mean() for kind, label in table.labels]
    np.testing.assert_allclose(chance, expected, rtol=1e-12)
    for place in range(len(effects)):
        step = 1e-6 * (np.arange(len(effects)) == place)
        differences = (table.chances(effects + step)[0] - table.chances(effects - step)[0]) / 2e-6
        np.testing.assert_allclose(slope[:, place], differences, atol=1e-8)


def test_what_a_stronger_person_adds_where_games_are_drawn():
    frame = pd.DataFrame(
        {"game": [1, 1, 2, 2, 2], "seat": [1, 2, 1, 2, 3], "player": [*"ababc"], "won": [1, 0, 0, 0, 0]}
    )
    table = Lineups(read_games(frame, draws=True), ("seat",))
    strength, more = np.array([0.3, -0.2, 0.1, 0.5]), 0.8  # of seats, and of a draw
    for place, seats in ((0, [0, 1]), (3, [0, 1, 2])):
        here, found = strength[seats], []
        for extra in (0.0, more):
            now = here + extra * (np.arange(len(seats)) == place % 2)
            found.append(special.softmax([*now, now.mean() + 0.5])[place % 2])
        added = table.added(strength, np.array([place]), np.array([more]))
        assert added == pytest.approx(found[1] - found[0], rel=1e-12)


# --- made-up clubs ---

#: Clubs of one kind, and what may happen in their numbers once in a thousand times on either side.
CLUBS, RARE = 40, 1e-3


def between(count, chance, of=CLUBS):
    """Whether so many of the clubs are no surprise if each has this chance."""
    low, high = stats.binom.ppf([RARE, 1 - RARE], of, chance)
    return low <= count <= high


@pytest.mark.thorough
@pytest.mark.parametrize(("games", "wolves", "players"), [(60, 1, 2), (120, 1, 2), (400, 2, 7)])
def test_intervals_and_p_values_keep_what_they_promise_where_strong_people_like_to_be_wolves(games, wolves, players):
    found, raw = [], []
    for seed in range(CLUBS):
        frame, truth = club(seed, 12, games, wolves=wolves, players=players)
        club_games = read_games(frame)
        rating = rate(club_games, "side")
        row = rating.sides.loc["wolves"]
        persons, level = (
            rating.persons,
            (truth[rating.persons.index] * rating.persons["games"]).sum() / (games * players),
        )
        inside = (persons["low"] < truth[persons.index] - level) & (truth[persons.index] - level < persons["high"])
        found.append((row["low"] < 0.5 < row["high"], rating.p_value, inside.mean()))
        raw.append(judge(club_games, "side").p_value < 0.05)
    covered, p_values, persons = np.array(found).T
    assert (
        persons.mean() > 0.9
        and between(covered.sum(), 0.95)
        and between((p_values < 0.05).sum(), 0.05)
        and np.mean(raw) > 0.3
    )


@pytest.mark.parametrize("spread", [0.0, 1.0])
def test_effects_of_labels_and_persons_are_found_within_their_errors(spread):
    frame, strengths = club(7, people=12, games=3000, spread=spread, effect=0.4)
    rating = rate(read_games(frame), "side")
    wolves = rating.sides.loc["wolves"]
    assert abs(wolves["chance"] - special.expit(0.4)) < 4 * wolves["error"] < 0.1 and rating.p_value < 1e-4
    truth = strengths[rating.persons.index]
    assert (abs(rating.persons["strength"] - (truth - truth.mean())) <= 4 * rating.persons["error"] + 0.01).all()
    if spread:
        assert rating.spread == pytest.approx(np.std(truth), rel=0.3) and 0 < rating.bits < rating.result_bits < 1
        assert np.corrcoef(rating.persons["strength"], truth)[0, 1] > 0.95
        best, worst = rating.persons.index[[0, -1]]
        assert (
            rating.better(best, worst) == 1 - rating.better(worst, best) == 1
            and rating.games_until_told(best, worst) == 0
        )
        assert 5 < rating.games_until_told() < rating.games_until_told(sure=0.99)
    else:
        assert rating.spread < 0.1


def test_after_so_many_games_it_is_sure_in_half_of_all_pairs():
    """Of a million made-up pairs; by chance the share is so far from half less than once in 100,000 times."""
    rating = rate(read_games(club(7, people=12, games=600, spread=0.5)[0]), "side")
    random, known = np.random.default_rng(0), rating.games_until_told() * np.median(rating._told_by_a_game)
    strengths = random.normal(scale=rating.spread, size=(2, 10**6))
    one, other = random.normal(strengths, known**-0.5)  # what the games look like
    precision = known + rating.spread**-2
    sure = special.ndtr(known * np.abs(one - other) / precision / np.sqrt(2 / precision))
    assert abs((sure > 0.95).mean() - 0.5) < 0.003


@pytest.mark.parametrize("power", [0.0, 1.0])
def test_how_members_make_up_a_side_is_found(power):
    frame, truth = club(3, people=20, games=2500, liking=0.0, wolves=2, players=9, power=power, spread=0.6)
    rating = rate(read_games(frame), "side")
    assert rating.members == power
    assert np.corrcoef(rating.persons["strength"], truth[rating.persons.index])[0, 1] > 0.9


def test_persons_who_change_are_followed():
    """One of ten gets stronger by 0.8 from each of five seasons to the next."""
    random = np.random.default_rng(3)
    season, pair = np.repeat(np.arange(1, 6), 400), np.array([random.choice(10, 2, replace=False) for _ in range(2000)])
    strength = np.where(pair == 0, 0.8 * (season[:, None] - 3), 0.0)
    won = random.random(2000) < special.expit(strength[:, 0] - strength[:, 1])
    frame = pd.DataFrame({"game": np.repeat(np.arange(2000), 2), "season": season.repeat(2), "player": pair.ravel()})
    frame["won"] = np.column_stack([won, ~won]).ravel().astype(int)
    games = read_games(frame)
    still, followed, counted = rate(games), rate(games, over="season"), rate(games, over=400)
    assert still.drift == 0 and abs(still.persons["strength"][0]) < 0.3
    last = followed.persons.loc[0]
    assert followed.drift > 0.1 and abs(last["strength"] - 1.6) < 4 * last["error"] < 1.5
    assert counted.persons.equals(followed.persons)
    nobody = games.rows.assign(won=random.permutation([0, 1] * 2000))
    nobody["won"] = np.where(nobody.index % 2, 1 - nobody["won"].shift(), nobody["won"])
    assert rate(Games(nobody), over="season").drift < 0.2


def test_a_player_without_a_name_is_of_mean_strength():
    frame, _ = club(4, people=6, games=80, wolves=2, players=5)
    games = read_games(frame.assign(player=frame["player"].where(frame.index % 9 > 0)))
    assert "player" not in games.kinds and "player is empty" in games.faults["player"]
    rating = rate(games, "side")
    assert "45 of 400 players have no name" in rating.sentence and len(rating.persons) == 6
    assert rating.persons["games"].sum() == 355


# --- games to come ---


def test_chances_to_come_are_means_over_what_is_not_known():
    frame, _ = club(8, people=9, games=90, wolves=2, players=5)
    rating = rate(read_games(frame), "side")
    coming = frame[frame["game"] == 0].drop(columns="won")
    chance = rating.chances(coming)
    assert not rating.drawn(coming).any()
    assert chance.groupby(coming["side"]).nunique().max() == 1 and chance.groupby(coming["side"]).first().sum() == 1
    effects, covariance = np.array([0.4, -0.1]), np.array([[0.5, 0.2], [0.2, 0.6]])
    drawn = special.expit(0.5 + np.sqrt(0.7) * np.linspace(-8, 8, 4001))
    weight = np.exp(-(np.linspace(-8, 8, 4001) ** 2) / 2)
    exact = (drawn * weight).sum() / weight.sum()
    assert matches.chances(effects, covariance)[0] == pytest.approx(exact, abs=1e-3)
    strangers = rating.chances(coming.assign(player=[f"new {place}" for place in range(5)]))
    assert strangers.equals(rating.chances(coming.assign(player=None)))
    assert strangers.iloc[0] == pytest.approx(rating.sides["chance"][coming["side"].iloc[0]], abs=0.05)


@pytest.mark.parametrize("wolves", [1, 2])
def test_an_even_match_is_found(wolves):
    frame, _ = club(8, people=9, games=300, wolves=wolves, players=2 * wolves, spread=1.5, liking=0)
    rating = rate(read_games(frame), "side")
    names = [*rating.persons.index[:wolves], *rating.persons.index[-wolves:]]
    match = rating.even_match(names)
    assert sorted(match["player"]) == sorted(names) and match["side"].value_counts().tolist() == [wolves, wolves]
    apart = match.groupby("side")["chance"].first().diff().abs().max()
    others = [rating.chances(match.assign(player=np.roll(match["player"], by))) for by in range(len(names))]
    assert apart <= min(abs(each.iloc[0] - each.iloc[-1]) for each in others) + 1e-6 and (wolves == 1 or apart < 0.3)


# --- words and refusals ---
