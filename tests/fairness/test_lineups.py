"""Who stood against whom, and the likelihood: against ranks, quadrature, statsmodels."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.polynomial.hermite_e import hermegauss
from scipy import sparse, special
from statsmodels.genmod.bayes_mixed_glm import BinomialBayesMixedGLM

from gamebalance.fairness import lineups, read_games
from gamebalance.fairness.lineups import Comparison, Lineups


def club(seed, people=8, games=200, spread=0.8, liking=1.0, wolves=1, players=2, effect=0.0):
    """A row for each player of each game between wolves and a village; and the strengths by name.

    Those who are one `spread` of strengths stronger like to be wolves more by `liking`, in log odds; being wolves makes
    stronger by `effect`.
    """
    random = np.random.default_rng(seed)
    standard = random.normal(size=people)
    there = random.random((games, people)).argsort(axis=1)[:, :players]
    wish = liking * standard[there] + random.gumbel(size=there.shape)
    there = np.take_along_axis(there, (-wish).argsort(axis=1), axis=1)
    strength = spread * standard[there]
    ahead = effect + strength[:, :wolves].mean(axis=1) - strength[:, wolves:].mean(axis=1)
    howled = random.random(games) < special.expit(ahead)
    is_wolf = np.tile(np.arange(players) < wolves, games)
    frame = pd.DataFrame({"game": np.repeat(np.arange(games), players), "side": np.where(is_wolf, "wolves", "village")})
    frame["seat"] = (random.random((games, players)).argsort(axis=1) + 1).ravel()
    frame["player"] = [f"person {place}" for place in there.ravel()]
    frame["won"] = (np.repeat(howled, players) == is_wolf).astype(int)
    return frame, dict(zip((f"person {place}" for place in range(people)), spread * standard, strict=True))


def duels(seed, people=5, games=80, labels=2):
    """Games of two, columns of labels and people in the differences between the two, and who won."""
    random = np.random.default_rng(seed)
    pairs = np.array([random.choice(people, 2, replace=False) for _ in range(games)])
    labelled = random.normal(size=(games, labels))
    apart = np.eye(people)[pairs[:, 0]] - np.eye(people)[pairs[:, 1]]
    chance = special.expit(labelled.sum(axis=1) / 2 + apart @ random.normal(size=people))
    return labelled, apart, (random.random(games) < chance).astype(float)


def choices_of_duels(labelled, apart, won):
    """The same games as pairs of contestants, of whom the second has no effects."""
    rows = np.zeros((2 * len(won), labelled.shape[1] + apart.shape[1]))
    rows[::2] = np.hstack([labelled, apart])
    result = np.column_stack([won, 1 - won]).ravel()
    return lineups.Choices(sparse.csr_array(rows), result, np.repeat(np.arange(len(won)), 2))


def crowds(seed, sizes=(2, 3, 5, 4) * 10, effects=6):
    """Games of different sizes with any columns, of which some are shared by two winners."""
    random = np.random.default_rng(seed)
    game = np.repeat(np.arange(len(sizes)), sizes)
    design = random.integers(0, 3, (len(game), effects)) / 2
    result = np.zeros(len(game))
    for number in range(len(sizes)):
        places = random.permutation(np.flatnonzero(game == number))[: 1 + (number % 4 == 0)]
        result[places] = 1 / len(places)
    return lineups.Choices(sparse.csr_array(design), result, game)


def persons_alone(choices, persons, low=None, free=0):
    """A model with these persons, and some coordinates of the other effects."""
    size = choices.design.shape[1]
    return lineups.Model(choices, np.zeros((size, 0)) if low is None else low, free, persons)


@pytest.mark.parametrize("seed", range(3))
def test_the_likelihood_and_its_curvature_game_by_game(seed):
    choices = crowds(seed)
    strength = np.random.default_rng(seed).normal(size=len(choices.game))
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


@pytest.mark.parametrize("spread", [0.4, 1.3])
def test_the_top_is_that_of_statsmodels_with_persons_and_likings(spread):
    """Where the gradient of its log-posterior vanishes, for fixed effects and random ones; it is concave in both."""
    labelled, apart, won = duels(1)
    likings = np.random.default_rng(2).normal(size=(5, 1))
    low = np.zeros((7, 3))
    low[:2, :2], low[2:, 2:] = np.eye(2), 3.0 * likings
    found = lineups.fit(lineups.Model(choices_of_duels(labelled, apart, won), low, 2, 5), spread)
    exog_vc = np.hstack([apart @ likings, apart])
    theirs = BinomialBayesMixedGLM(won, labelled, exog_vc, [0] + 5 * [1], vcp_p=1.0, fe_p=1e9)
    random = np.append(3.0 * found.place[2], spread * found.place[3:])
    gradient = theirs.logposterior_grad(np.concatenate([found.place[:2], np.log([3.0, spread]), random]))
    np.testing.assert_allclose(np.delete(gradient, [2, 3]), 0, atol=1e-8)
    away = theirs.logposterior_grad(np.concatenate([found.place[:2] + 0.01, np.log([3.0, spread]), random]))
    assert np.abs(away[:2]).max() > 1e-3


def quadrature(offset, apart, won, spread, nodes):
    """The likelihood by Gauss and Hermite's rule for all differences between persons, whose mean changes nothing."""
    people = apart.shape[1]
    across = np.linalg.svd(np.ones((1, people)))[2][1:].T
    places, weights = hermegauss(nodes)
    grid = np.array(list(itertools.product(places, repeat=people - 1)))
    weight = np.array(list(itertools.product(weights / weights.sum(), repeat=people - 1))).prod(axis=1)
    ahead = offset + spread * grid @ (apart @ across).T
    logs = (won * special.log_expit(ahead) + (1 - won) * special.log_expit(-ahead)).sum(axis=1)
    return special.logsumexp(logs, b=weight)


@pytest.mark.parametrize(("people", "nodes"), [(2, 300), (3, 100)])
@pytest.mark.parametrize("spread", [0.3, 1.0])
def test_the_likelihood_of_few_persons_is_that_of_quadrature(people, nodes, spread):
    """Laplace's error is a small part of what the spread does to the likelihood."""
    labelled, apart, won = duels(5, people, 25, 1)
    apart, won, ahead = np.tile(apart, (8, 1)), np.tile(won, 8), np.tile(0.5 * labelled[:, 0], 8)
    choices = choices_of_duels(np.zeros((len(won), 0)), apart, won)
    offset = np.column_stack([ahead, np.zeros(len(won))]).ravel()
    model = lineups.Model(choices, np.zeros((people, 0)), 0, people, offset=offset)
    found, none = lineups.fit(model, spread), lineups.fit(model, 0.0)
    exact = quadrature(ahead, apart, won, spread, nodes)
    assert none.log_likelihood == pytest.approx(quadrature(ahead, apart, won, 0.0, 2), rel=1e-12)
    assert abs(found.log_likelihood - exact) < 0.01 * abs(exact - none.log_likelihood)


@pytest.mark.parametrize("spread", [0.05, 0.6, 2.5])
@pytest.mark.parametrize("seed", [0, 1])
def test_the_slope_is_that_of_differences(seed, spread):
    choices = crowds(seed)
    low = np.zeros((6, 3))
    low[0, 0], low[1, 1], low[2:, 2] = 1.0, 1.0, [0.5, 1.0, -1.0, 0.2]
    model = lineups.Model(choices, low, 1, 4)
    step = 1e-5
    above, below = (lineups.fit(model, spread + sign * step).log_likelihood for sign in (1, -1))
    assert lineups.fit(model, spread).slope == pytest.approx((above - below) / (2 * step), abs=1e-6)


#: Games of two to four contestants: for each its role and its person.
DESIGNS = st.lists(
    st.integers(2, 4).flatmap(
        lambda size: st.tuples(
            st.lists(st.integers(0, 3), min_size=size, max_size=size), st.permutations(range(5)).map(lambda p: p[:size])
        )
    ),
    min_size=1,
    max_size=6,
)


def differences(design, roles, persons):
    """Each contestant of each game less the first, in whole numbers: roles and persons."""
    labelled, who = [], []
    for role, person in design:
        for place in range(1, len(role)):
            labelled.append([(role[place] == one) - (role[0] == one) for one in roles])
            who.append([(person[place] == one) - (person[0] == one) for one in persons])
    return labelled, who


@pytest.mark.thorough
@settings(max_examples=30)
@given(DESIGNS)
def test_what_can_be_told_is_what_ranks_say(design):
    rows = [
        (game, f"role {role}", f"person {person}", int(place == 0))
        for game, (roles, persons) in enumerate(design + design)
        for place, (role, person) in enumerate(zip(roles, persons, strict=True))
    ]
    frame = pd.DataFrame(rows, columns=["game", "role", "player", "won"])
    frame["side"] = frame["player"]  # players win alone
    assume(frame["role"].nunique() > 1)
    seen = Comparison(Lineups(read_games(frame), ("role",)))
    roles, rank = [int(label.split()[1]) for _, label in seen.table.labels], np.linalg.matrix_rank
    labelled, who = differences(design, roles, range(5))
    joint = [one + other for one, other in zip(labelled, who, strict=True)]
    assert seen.contrasts.shape[1] == rank(labelled)
    assert seen.contrasts_without().shape[1] == rank(joint) - rank(who)
    groups = {label: number for number, group in enumerate(seen.groups("role")) for label in group}
    for one in range(len(roles)):
        for other in range(one):
            pair = [(place == one) - (place == other) for place in range(len(roles))]
            if rank([*labelled, pair]) == rank(labelled):  # else these two could not be compared anyway
                is_told = rank([*joint, pair + 5 * [0]]) == rank(joint)
                names = [f"role {roles[place]}" for place in (one, other)]
                assert (groups[names[0]] == groups[names[1]]) == is_told
    assert (len(seen.groups("role")) == 1) == (rank(joint) - rank(who) == rank(labelled))
    assert (seen.information > 0).all() == seen.is_told(seen.slopes).all()


@pytest.mark.parametrize("seed", range(3))
def test_information_is_the_part_of_the_variance_that_persons_do_not_explain(seed):
    """By least squares: a column for wolves, within games, and what columns for persons leave of it."""
    frame, _ = club(seed, people=7, games=60, wolves=2, players=5, liking=1.5)
    seen = Comparison(Lineups(read_games(frame), ("side",)))
    sides = frame.groupby(["game", "side"])["player"]
    names = sorted(frame["player"].unique())
    who = pd.DataFrame({key: group.value_counts(normalize=True) for key, group in sides}).T.reindex(columns=names)
    who = who.fillna(0.0)
    ahead = (who.xs("wolves", level=1) - who.xs("village", level=1)).to_numpy()
    column = np.ones(len(ahead))
    left = column - ahead @ np.linalg.lstsq(ahead, column, rcond=1e-10)[0]
    np.testing.assert_allclose(seen.information, np.square(left).sum() / len(ahead), rtol=1e-9)


@pytest.mark.parametrize("case", ["sides", "players"])
def test_chances_of_labels_line_up_by_line_up(case):
    if case == "sides":
        frame, _ = club(5, games=30, wolves=2, players=5)
        frame["role"] = np.where(frame["side"] == "wolves", "wolf", np.where(frame["seat"] == 1, "seer", "villager"))
        kinds, side = ("role", "seat"), "side"
    else:
        frame, _ = club(5, games=30, players=4)
        frame["won"] = (frame["seat"] == frame["game"] % 4 + 1).astype(int)
        frame = frame.drop(columns="side")
        kinds, side = ("seat",), "player"
    frame.loc[frame["game"] % 7 == 0, "won"] = 0
    table = Lineups(read_games(frame, draws=True), kinds)
    effects = np.random.default_rng(6).normal(size=len(table.labels))
    chance, slope = table.chances(effects)
    values = dict(zip(table.labels, effects, strict=True))
    frame["strength"] = sum(frame[kind].map({b: e for (a, b), e in values.items() if a == kind}) for kind in kinds)
    odds = np.exp(frame.groupby(["game", side])["strength"].transform("mean"))
    total = odds.groupby([frame["game"], frame[side]]).first().groupby(level=0).sum()
    frame["chance"] = odds / frame["game"].map(total) * (frame["game"] % 7 != 0)
    expected = [frame.loc[frame[kind] == label, "chance"].mean() for kind, label in table.labels]
    np.testing.assert_allclose(chance, expected, rtol=1e-12)
    for place in range(len(effects)):
        step = 1e-6 * (np.arange(len(effects)) == place)
        differences = (table.chances(effects + step)[0] - table.chances(effects - step)[0]) / 2e-6
        np.testing.assert_allclose(slope[:, place], differences, atol=1e-8)
