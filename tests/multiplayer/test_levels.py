"""Level-k, the cognitive hierarchy, and the beauty contest, by hand and by brute force."""

from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamebalance.games import matrix_games
from gamebalance.games.beauty import BeautyContest
from gamebalance.multiplayer.normal_form import NormalFormGame, cognitive_hierarchy, level_k
from tests.refusals import refuses

#: To show the same is worth 2 (heads) or 1 (tails) to player 0, anything else -1; player 1 gets the opposite.
BY_HAND = NormalFormGame.from_bimatrix([[2, -1], [-1, 1]])


def prizes(guesses, factor):
    target = factor * sum(guesses) / len(guesses)
    distances = [abs(guess - target) for guess in guesses]
    nearest = distances.count(min(distances))
    return [Fraction(int(d == min(distances)), nearest) for d in distances]


@pytest.mark.parametrize(("players", "factor", "highest"), [(2, "2/3", 7), (3, "2/3", 6), (3, "1/2", 5), (4, "4/5", 4)])
def test_beauty_contest_against_its_full_table(players, factor, highest):
    contest = BeautyContest(players, factor, highest)
    table = {g: prizes(g, Fraction(factor)) for g in product(range(highest + 1), repeat=players)}
    game = NormalFormGame.from_function([range(highest + 1)] * players, lambda *guesses: table[guesses])
    rng = np.random.default_rng(1)
    for weights in (*rng.dirichlet(np.ones(highest + 1), 3), np.eye(highest + 1)[2]):
        expected = game.strategy_payoffs([weights] * players, 0)
        np.testing.assert_allclose(contest.payoffs_against(weights), expected, atol=1e-12)
    for levels in (level_k, partial(cognitive_hierarchy, tau=1.5)):
        for own, profile in zip(levels(contest, levels=3), levels(game, levels=3), strict=True):
            np.testing.assert_allclose(profile, [own] * players, atol=1e-12)


def test_of_two_the_lower_guess_wins():
    """Grosskopf and Nagel (2008): with two players, 0 is at least as good as any guess against any."""
    contest = BeautyContest(2)
    for guess, row in enumerate(np.eye(101)):
        prize = contest.payoffs_against(row)
        assert (prize[:guess] == 1).all() and prize[guess] == 1 / 2 and (prize[guess + 1 :] == 0).all()
    assert [np.flatnonzero(mix).tolist() for mix in level_k(contest, 2)[1:]] == [[0], [0]]


def test_level_two_of_many_is_a_range_around_the_target():
    """If all others guess g, whoever is nearer to the target than g wins: a range, not one guess."""
    contest = BeautyContest(50)
    reply = contest.payoffs_against(np.eye(101)[60])
    winning = [own for own in range(101) if prizes([own] + [60] * 49, Fraction(2, 3))[0] == 1]
    # The target is 39.2 + own / 75, and own must be nearer to it than 60 is: above 18.9.
    assert np.flatnonzero(reply > 0.5).tolist() == winning == list(range(19, 60))
    assert reply[60] == pytest.approx(1 / 50)


@settings(max_examples=30)
@given(st.integers(2, 4), st.integers(0, 2**32 - 1))
def test_prizes_are_shared_out_whole(players, seed):
    """Drawn from the same weights, players get 1 / players each on average."""
    rng = np.random.default_rng(seed)
    weights = rng.dirichlet(np.full(12, 0.5))
    weights[rng.integers(12, size=3)] = 0
    weights /= weights.sum()
    assert weights @ BeautyContest(players, "3/5", 11).payoffs_against(weights) == pytest.approx(1 / players)


def test_level_k_by_hand():
    # L0 even: heads is worth 0.5 * 2 - 0.5 = 0.5 to player 0, tails 0; to player 1 tails is worth 0, heads -0.5.
    pure = [[own.tolist() for own in profile] for profile in level_k(BY_HAND, 4)]
    heads, tails = [1, 0], [0, 1]
    assert pure == [[[0.5, 0.5]] * 2, [heads, tails], [tails, tails], [tails, heads], [heads, heads]]
    # Uniform play leaves all rocks, papers and scissors equally good, so every level plays all three.
    assert all(np.allclose(own, 1 / 3) for profile in level_k(matrix_games.rock_paper_scissors(), 3) for own in profile)
    rock = [[1, 0, 0]] * 2
    levels = level_k(matrix_games.rock_paper_scissors(), 3, level0=rock)
    assert [profile[1].argmax() for profile in levels] == [0, 1, 2, 0]


def test_level_one_replies_to_the_distribution_not_to_a_sample():
    """Insurance is a best reply to the even mixture of two risks, and to neither of them."""
    game = NormalFormGame.from_bimatrix([[1, 0], [0, 1], [0.6, 0.6]], np.zeros((3, 2)))
    assert level_k(game, 1)[1][0].tolist() == [0, 0, 1]
    for sampled in (0, 1):
        assert level_k(game, 1, level0=game.pure((0, sampled)))[1][0].argmax() == sampled


def test_all_opponents_count():
    """Three players, the third payoff needs both others: 1/4 under uniform play, less than a sure 0.3."""
    worths = {"sure": lambda own: 0.3, "joint": lambda own: float(own.count("joint") == 3)}
    game = NormalFormGame.from_function([list(worths)] * 3, lambda *own: [worths[k](own) for k in own])
    assert [mix.tolist() for mix in level_k(game, 1)[1]] == [[1, 0]] * 3
    optimist = [[0.4, 0.6]] * 3
    assert [mix.tolist() for mix in level_k(game, 1, level0=optimist)[1]] == [[0, 1]] * 3


def test_cognitive_hierarchy_by_hand():
    found = cognitive_hierarchy(BY_HAND, 1.5, 3)
    assert [own.tolist() for own in found[1]] == [[1, 0], [0, 1]]
    # Level 2 faces levels 0 and 1 as 1 : 1.5. Player 1 plays heads with 0.4 / 2 = 0.2: heads is worth -0.4, tails 0.6.
    # Player 0 plays heads with 0.2 + 0.6 = 0.8: heads costs player 1 2 * 0.8 - 0.2 = 1.4, tails -0.6.
    assert [own.tolist() for own in found[2]] == [[0, 1], [0, 1]]
    # Level 3 faces 1 : 1.5 : 1.125. Player 0 plays heads with (0.5 + 1.5) / 3.625 = 0.55, player 1 with 0.14.
    assert [own.tolist() for own in found[3]] == [[0, 1], [0, 1]]


def test_many_levels_and_deep_thinkers():
    """Factorials of 171 and exp(-1000) are no floats; the shares of levels are."""
    assert all(own.sum() == pytest.approx(1) for own in cognitive_hierarchy(BY_HAND, 1.5, 200)[-1])
    # Each level meets the one below nearly always, so it answers it.
    np.testing.assert_array_equal(cognitive_hierarchy(BY_HAND, 1000, 3), level_k(BY_HAND, 3))


def test_with_few_thinkers_the_hierarchy_is_level_one():
    contest = BeautyContest(3, highest=20)
    few = cognitive_hierarchy(contest, 1e-6, 3)
    one = level_k(contest, 1)[1]
    assert all(mix.tolist() == one.tolist() for mix in few[1:])


test_what_is_refused = refuses(
    (lambda: BeautyContest(1), "players = 1: a whole number from 2 to 100"),
    (lambda: BeautyContest(3, 2 / 3), "factor = 0.666.*a fraction from 0 to 1, such as '2/3'"),
    (lambda: BeautyContest(3, "two thirds"), "factor = 'two thirds': a fraction from 0 to 1"),
    (lambda: BeautyContest(3).payoffs_against([1]), "weights = .*101 strategies"),
    (lambda: BeautyContest(6).payoffs_against(np.full(101, 1 / 101)), "comparisons are needed, 5e.09 are allowed"),
    (lambda: level_k(BeautyContest(3), -1), "levels = -1"),
    (lambda: level_k("chess", 1), "game = 'chess': a NormalFormGame or a SymmetricGame"),
    (lambda: level_k(matrix_games.jordan(), 1, [[1, 0]]), "level0 = .*3 players"),
    (lambda: cognitive_hierarchy(matrix_games.jordan(), 0, 1), "tau = 0: a finite number above 0"),
)
