"""Expected values, best responses and NashConv against enumeration of all pure strategies."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gamebalance.games.kuhn import Kuhn
from gamebalance.multiplayer import cfr
from tests.multiplayer.written_trees import (
    Written,
    plain_best,
    plain_value,
    pure_strategies,
    random_game,
    uniform_profile,
)
from tests.refusals import refuses

KUHN = Kuhn(2)
UNIFORM = uniform_profile(cfr.GameTree(KUHN))
UNIFORM_BUT_ONE = {each: chances for each, chances in UNIFORM.items() if each != "1pb"}


@settings(max_examples=40)
@given(seed=st.integers(0, 10**6))
def test_best_responses_equal_enumeration_of_pure_strategies(seed):
    game = random_game(seed)
    assume(max(pure_strategies(game, player) for player in range(3)) <= 100)
    tree = cfr.GameTree(game)
    profile = cfr.random_profile(tree, seed)
    values = plain_value(game, profile)
    assert cfr.expected_value(tree, profile) == pytest.approx(values, abs=1e-12)
    total = 0.0
    for player in range(3):
        best = plain_best(game, profile, player)
        found = cfr.best_response(tree, profile, player)
        assert found.value == pytest.approx(best, abs=1e-12)
        assert plain_value(game, {**profile, **found.strategy})[player] == pytest.approx(best, abs=1e-12)
        total += best - values[player]
    distance = cfr.nash_conv(game, profile)
    assert distance.total == pytest.approx(total, abs=1e-11) and sum(distance.gains) == pytest.approx(total, abs=1e-11)
    assert distance.values == pytest.approx(values, abs=1e-12)


def test_random_profiles_are_distributions_and_depend_on_the_seed():
    first, again, other = (cfr.random_profile(Kuhn(3), seed) for seed in (1, 1, 2))
    assert first == again != other
    for chances in first.values():
        assert sum(chances.values()) == pytest.approx(1) and min(chances.values()) > 0


def test_a_best_response_needs_only_the_others():
    others = {each: chances for each, chances in UNIFORM.items() if len(each) == 2}
    full, part = cfr.best_response(KUHN, UNIFORM, 0), cfr.best_response(KUHN, others, 0)
    assert full == part
    # Half of all bets are folded to: the lower cards had better bluff; facing one, the lowest folds, the highest calls.
    bets = {each: chances["b"] for each, chances in part.strategy.items()}
    assert [bets[each] for each in ("0", "1", "0pb", "2pb")] == [1, 1, 0, 1]
    assert set(part.strategy) == {"0", "1", "2", "0pb", "1pb", "2pb"}


def test_of_equally_good_moves_the_first_is_named():
    game = Written(1, (0, "?", {"x": (0,), "y": (1,), "z": (1,)}))
    assert cfr.best_response(game, {}, 0).strategy == {"?": {"x": 0.0, "y": 1.0, "z": 0.0}}


def test_moves_left_out_of_a_profile_have_no_chance():
    assert cfr.expected_value(KUHN, {**UNIFORM, "1": {"b": 1}}).sum() == pytest.approx(0)


test_profiles_that_do_not_fit_are_refused_by_name = refuses(
    (lambda: cfr.nash_conv(KUHN, UNIFORM_BUT_ONE), "1 information sets are missing: '1pb'"),
    (lambda: cfr.nash_conv(KUHN, {}), "12 information sets are missing: '0', '0b', '0p' and 9 more"),
    (lambda: cfr.nash_conv(KUHN, {**UNIFORM, "9": {"p": 1.0}}), "unknown: '9'"),
    (lambda: cfr.nash_conv(KUHN, {**UNIFORM, "1": {"p": 0.5, "b": 0.4}}), r"profile\['1'\].*sum to 0.9"),
    (lambda: cfr.nash_conv(KUHN, {**UNIFORM, "1": {"p": 0.5, "raise": 0.5}}), "'raise' is no move there"),
    (lambda: cfr.nash_conv(KUHN, {**UNIFORM, "1": 0.5}), "a mapping of moves"),
    (lambda: cfr.nash_conv(KUHN, None), "a mapping of information sets"),
    (lambda: cfr.best_response(KUHN, UNIFORM, 2), "player = 2"),
)
