"""How many games would show it: power summed over all tables, and beside other people's formulas."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.gof import chisquare_effectsize
from statsmodels.stats.power import GofChisquarePower

from gamebalance.fairness import games_needed, power_within
from gamebalance.fairness.equality import single_winner_p_value
from gamebalance.fairness.planning import DRAWS, games_of_shared_wins, plan, power, safe_from
from tests.oracles.equal_chances import tables
from tests.refusals import refuses

SEATS = [0.315, 0.242, 0.241, 0.202]
CASES = [
    ([0.55, 0.45], (1, 5, 8, 30, 77)),
    ([0.9, 0.1], (1, 4, 6, 25)),
    ([0.5, 0.5], (6, 17)),
    ([1.0, 0.0], (5, 6)),
    ([0.5, 0.3, 0.2], (1, 4, 9, 20)),
    ([0.6, 0.4, 0.0], (4, 11)),
    ([1 / 3] * 3, (10, 15)),
    (SEATS, (3, 8, 12)),
    ([0.1, 0.2, 0.3, 0.25, 0.15], (6, 8)),
]


def rejected(shares, games: int, level: float) -> float:
    """The chance of all tables that the test of `judge` rejects."""
    rows, chances = tables(games, shares)
    return sum(chance for row, chance in zip(rows, chances, strict=True) if single_winner_p_value(row)[0] <= level)


@pytest.mark.parametrize(("shares", "games"), CASES)
def test_exact_power_is_the_chance_of_all_tables_that_are_rejected(shares, games):
    for count in games:
        for level in (0.001, 0.03125, 0.05, 0.2, 0.6):
            found = power(shares, count, level)
            assert found == (pytest.approx(rejected(shares, count, level), abs=1e-9), 0), (count, level)


@pytest.mark.parametrize(
    ("shares", "games"),
    [([0.4, 0.3, 0.3], 500), (SEATS, 300), ([0.2, 0.3, 0.25, 0.15, 0.1], 150), ([0.13] * 7 + [0.09], 400)],
)
def test_the_formula_for_several_is_that_of_statsmodels(shares, games):
    effect = chisquare_effectsize(np.full(len(shares), 1 / len(shares)), shares)
    expected = GofChisquarePower().power(effect, games, 0.05, len(shares))
    assert power(shares, games, method="formula").value == pytest.approx(expected)
    needed = GofChisquarePower().solve_power(effect, None, 0.05, 0.8, len(shares))
    assert games_needed(shares, method="formula") == int(np.ceil(needed))


def binomial_powers(share: float, numbers: np.ndarray) -> np.ndarray:
    """Of the two-sided exact test at 5%, in words of its own."""
    reached = stats.binom.ppf(0.025, numbers, 0.5)
    most = reached - (stats.binom.cdf(reached, numbers, 0.5) > 0.025)
    return stats.binom.cdf(most, numbers, share) + stats.binom.sf(numbers - most - 1, numbers, share)


@pytest.mark.parametrize("share", [0.55, 0.6, 0.7, 0.9])
def test_of_two_the_power_stays_from_a_number_that_is_proved(share):
    """The number before it has less than 80%, and none of all up to ten times as many games."""
    shares = [share, 1 - share]
    games = games_needed(shares)
    safe, tried = safe_from(shares, games, 0.8, 0.05)
    enough = binomial_powers(share, np.arange(1, 10 * games)) >= 0.8
    assert tried is None and not enough[: games - 1].any() and enough[games - 1]
    assert enough[safe - 1 :].all() and (safe == games or not enough[safe - 2])
    if share == 0.55:
        assert safe == 820 and not enough[np.array([787, 800, 804, 806, 819]) - 1].any()


@pytest.mark.parametrize(
    ("shares", "margin"), [([0.5, 0.5], 0.2), ([0.52, 0.48], 0.15), ([0.3, 0.4, 0.3], 0.25), ([0.25] * 4, 0.2)]
)
def test_no_smaller_number_of_games_calls_it_fair_and_all_larger_ones_do(shares, margin):
    games = games_needed(shares, margin=margin)
    safe, tried = safe_from(shares, games, 0.8, 0.05, margin)
    powers = np.array([power_within(shares, count, margin) for count in range(1, (tried or 10 * games) + 1)])
    assert powers[: games - 1].max() < 0.8 <= powers[games - 1]
    assert powers[safe - 1 :].min() >= 0.8 and (safe == games or powers[safe - 2] < 0.8)
    assert (tried is None) == (len(shares) == 2)


def test_games_within_a_narrow_margin_are_rounded_up_and_say_so():
    games, method = plan([0.25] * 4, 0.8, 0.05, margin=0.01)
    assert method == "to three digits" and games % 100 == 0
    assert power_within([0.25] * 4, games, 0.01) == pytest.approx(0.8, abs=0.01)


@pytest.mark.parametrize(
    ("shares", "goal", "level"),
    [
        ([0.6, 0.4], 0.8, 0.05),
        ([0.5, 0.25, 0.25], 0.8, 0.05),
        ([0.7, 0.1, 0.1, 0.1], 0.99, 0.01),
        ([0.5, 0.2, 0.1, 0.1, 0.1], 0.8, 0.05),
    ],
)
def test_the_number_of_games_is_the_first_with_so_much_power(shares, goal, level):
    """Power goes up and down on its way, so all numbers of games below are tried."""
    found = games_needed(shares, goal, level)
    assert power(shares, found, level).value >= goal
    assert all(power(shares, games, level).value < goal for games in range(1, found))


def test_simulated_power_is_near_the_exact_one():
    for shares, games in ((SEATS, 400), ([0.4, 0.3, 0.3], 300), ([0.6, 0.4], 100), ([0.5, 0.3, 0.2], 12)):
        exact, drawn = power(shares, games, method="exact"), power(shares, games, method="simulated")
        assert drawn.error == pytest.approx(np.sqrt(drawn.value * (1 - drawn.value) / DRAWS), rel=1e-3)
        assert abs(exact.value - drawn.value) < 4.5 * drawn.error
    assert power(SEATS, 400, method="simulated") == power(SEATS, 400, method="simulated")


def test_games_of_one_winner_are_a_case_of_shared_wins():
    shares = np.array(SEATS)
    assert games_of_shared_wins(shares, 1 / 4) == games_needed(SEATS, method="formula")
    assert games_of_shared_wins(shares / 2, 1 / 8) == games_needed(SEATS, method="formula") * 2 - 1, "half are drawn"
    assert games_of_shared_wins(np.full(3, 0.5), 1 / 4) is None


test_what_is_no_question_is_refused = refuses(
    (lambda: power(3, 10), r"^shares = 3: chances from 0 to 1 of 2 to 10"),
    (lambda: power([0.5, 0.4], 10), r"^shares = \[0.5, 0.4\]: they add up to 0.9, and 1 is needed"),
    (lambda: power(SEATS, 0), r"^games = 0: a whole number from 1 to 1000000000 is needed"),
    (lambda: power(SEATS, 10, method="guessed"), r"^method = 'guessed': one of 'exact', 'simulated', 'formula'"),
    (lambda: power(SEATS, 10**6, method="exact"), r"1,000,000 wins among 4: .* of memory are needed"),
    (lambda: games_needed([0.5, 0.5]), r"^shares = \[0.5, 0.5\]: they are equal, and no number of games"),
    (lambda: games_needed(SEATS, 0.05), r"^power = 0.05: a number above the level, 0.05, is needed"),
    (lambda: games_needed([0.50001, 0.49999]), r"^shares = .*so near to equal that more than 1,000,000,000 games"),
    (lambda: games_needed([0.3334, 0.3333, 0.3333], method="exact"), r"number of games, about .* are needed"),
)
