"""Hold'em: opponents who play the best so many hands, and what is learned from watching them."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from gamebalance.games import holdem
from gamebalance.studies.multiplayer.holdem import habits
from tests.refusals import refuses

DECK = holdem.one_card([0, 1, 2, 3, 4], 2)
ORDER = np.array([4, 3, 2, 1, 0])


def learned(seen=3, player=0):
    return habits.learned_gain(holdem.PushFold(DECK), np.zeros((3, 5)), "p", ORDER, 0.5, seen, player)


@pytest.fixture(scope="module")
def game():
    return holdem.PushFold(DECK, stack=4)


@pytest.fixture(scope="module")
def push(game):
    return holdem.solve(game, 300).push


def test_hands_in_order_of_strength():
    assert habits.by_strength(DECK).tolist() == ORDER.tolist()
    # Four of five cards are ones: more is won with them in all, and less with each.
    assert habits.by_strength(holdem.one_card([1, 1, 1, 1, 2], 2)).tolist() == [1, 0]


@pytest.mark.parametrize("fraction", [0, 0.1, 0.35, 0.99, 1])
def test_a_habit_plays_its_fraction_of_the_best_hands(fraction):
    dealt = np.array([0.1, 0.3, 0.0, 0.2, 0.4])
    played = habits.top(ORDER, dealt, fraction)
    assert abs(played @ dealt - fraction) < 1e-12
    seen = played[ORDER][dealt[ORDER] > 0]
    assert (np.diff(seen) <= 0).all() and ((seen > 0) & (seen < 1)).sum() <= 1


@pytest.mark.parametrize(("played", "seen"), [(0, 0), (3, 10), (40, 40)])
def test_the_mean_habit_is_the_mean_over_the_posterior(played, seen):
    dealt = np.array([0.1, 0.3, 0.0, 0.35, 0.25])
    fractions = stats.beta.ppf((np.arange(4000) + 0.5) / 4000, 1 + played, 1 + seen - played)
    mean = np.mean([habits.top(ORDER, dealt, fraction) for fraction in fractions], axis=0)
    found = habits.expected_top(ORDER, dealt, played, seen)
    assert np.abs(found - mean).max() < 1e-3  # 4,000 steps of a bounded function
    assert abs(found @ dealt - (1 + played) / (2 + seen)) < 1e-12


def test_how_often_a_decision_comes_up(game, push):
    faced = habits.reached(game, push, "p")
    by_hand = np.bincount(DECK.hands[:, 1], DECK.weights * push[0, DECK.hands[:, 0]])
    assert np.allclose(faced, by_hand) and abs(faced.sum() - push[0].mean()) < 1e-12
    assert np.allclose(habits.reached(game, push, "f") + faced, 0.2)


def test_learning_ends_at_the_best_response(game, push):
    dealt = habits.reached(game, push, "p")
    true = habits.with_habit(game, push, "p", habits.top(ORDER, dealt, 0.1))
    best = holdem.evaluate(game, true).gains[0]
    gains = [habits.learned_gain(game, push, "p", ORDER, 0.1, seen, 0) for seen in (0, 10, 300)]
    assert gains[0].mean < gains[1].mean < gains[2].mean <= best + 1e-12
    assert abs(gains[2].mean - best) < 0.01 * best
    assert gains[0].deviation == 0 and gains[0].loss in (0, 1)


@pytest.mark.parametrize("seen", [1, 2, 3, 6])
@pytest.mark.parametrize("fraction", [0.25, 0.8])
def test_the_expected_gain_is_the_mean_of_what_may_happen(game, push, fraction, seen):
    dealt = habits.reached(game, push, "p")
    true = habits.with_habit(game, push, "p", habits.top(ORDER, dealt, fraction))
    before = holdem.evaluate(game, true).values[0]
    won = {}
    for shown in product((0, 1), repeat=seen):
        belief = habits.with_habit(game, push, "p", habits.expected_top(ORDER, dealt, sum(shown), seen))
        reply = true.copy()
        reply[0] = holdem.best_response(game, belief, 0)[0]
        chance = np.prod([fraction if played else 1 - fraction for played in shown])
        won[shown] = chance, holdem.evaluate(game, reply).values[0] - before
    chances, gains = np.array(list(won.values())).T
    found = habits.learned_gain(game, push, "p", ORDER, fraction, seen, 0)
    assert abs(found.mean - chances @ gains) < 1e-12
    assert abs(found.deviation**2 - chances @ (gains - found.mean) ** 2) < 1e-12
    assert abs(found.loss - chances @ (gains < -1e-9)) < 1e-12


def test_a_reply_that_changes_nothing_is_no_loss():
    """Who has posted all chips pushes whatever the caller may do."""
    game = holdem.PushFold(DECK, stack=1, small_blind=1)
    push = np.array([np.ones(5), np.zeros(5), np.full(5, 0.5)])
    assert habits.learned_gain(game, push, "p", ORDER, 0.5, 3, 0) == (0, 0, 0)


def test_nobody_gains_by_a_habit_against_an_equilibrium(game, push):
    value, gains = holdem.evaluate(game, push)
    for fraction in (0, 0.3, 0.7, 1):
        habit = habits.top(ORDER, habits.reached(game, push, "p"), fraction)
        assert holdem.evaluate(game, habits.with_habit(game, push, "p", habit)).values[1] <= value[1] + gains[1] + 1e-12


test_bad_input_is_refused_by_name = refuses(
    (lambda: habits.top(ORDER, np.ones(5), 1.1), "fraction = 1.1"),
    (lambda: habits.expected_top(ORDER, np.ones(5), 3, 2), "played = 3"),
    (lambda: habits.top([0, 0, 1, 2, 3], np.ones(5), 0.5), "order = "),
    (lambda: habits.top(ORDER, np.zeros(5), 0.5), "dealt = "),
    (lambda: habits.reached(holdem.PushFold(DECK), np.zeros((3, 5)), "x"), "actions = 'x'"),
    (lambda: learned(seen=10**6), "seen = 1000000"),
    (lambda: learned(player=1), "player = 1: another"),
)
