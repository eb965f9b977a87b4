"""Seats: the test of random deals against simulated deals, and tables that agree with counts."""

import numpy as np
import pandas as pd
import pytest

from chapters.real import seats
from chapters.real.counts import ROLES
from gamebalance.fairness import judge, read_games
from tests.real import recorded
from tests.refusals import refuses

OTHER = {"town": "mafia", "mafia": "town"}


@pytest.fixture(scope="module")
def found():
    return recorded.seats()


def dealt(seed: int, tables: dict[str, int]) -> pd.DataFrame:
    """Counts of so many tables by winner, with all orders of the roles alike."""
    random, cards = np.random.default_rng(seed), np.repeat(list(ROLES), list(ROLES.values()))
    frames = []
    for side, count in tables.items():
        roles = random.permuted(np.tile(cards, (count, 1)), axis=1)
        frames.append(pd.DataFrame({"seat": np.tile(np.arange(1, 11), count), "role": roles.ravel(), "winner": side}))
    counted = pd.concat(frames).value_counts().rename("games").reset_index()
    return counted


def test_over_random_deals_the_statistics_have_the_mean_of_chi_square():
    """At four standard errors of 120 simulated sets; so the usual chi-square of the town's wins is a third of it."""
    sets = [dealt(seed, {"town": 45, "mafia": 55}) for seed in range(120)]
    for test in (seats.dealt_evenly, seats.equal_by_seat):
        statistics = pd.concat([test(each)["statistic"] for each in sets], axis=1)
        error = statistics.std(axis=1) / np.sqrt(len(sets))
        assert (abs(statistics.mean(axis=1) - [9, 9, 9, 27]) < 4 * error).all()
        assert (error < [0.5, 0.5, 0.5, 0.9]).all()
    usual = pd.concat([seats.as_if_independent(each)["statistic"] for each in sets], axis=1)
    error = usual.std(axis=1) / np.sqrt(len(sets))
    assert (abs(usual.mean(axis=1) - [3, 7, 9 * 7 / 3 / 10 / 0.2496]) < 4 * error + 0.03).all()


def test_p_values_of_random_deals_are_spread_evenly():
    """Ten p-values of a hundred are below .1; between 2 and 22 of them with chance above .999."""
    small = [seats.equal_by_seat(dealt(1000 + seed, {"town": 45, "mafia": 55})) for seed in range(100)]
    for group in seats.GROUPS:
        assert 2 <= sum(each.at[group, "p_value"] < 0.1 for each in small) <= 22


def test_recorded_seats_differ_neither_by_deal_nor_by_result(found):
    assert seats.dealt_evenly(found)["p_value"].round(2).tolist() == [0.94, 0.18, 0.58, 0.61]
    assert seats.equal_by_seat(found)["statistic"].round(2).tolist() == [6.17, 5.60, 5.02, 19.12]
    assert seats.equal_by_seat(found).at["town or mafia", "p_value"] == pytest.approx(0.7226, abs=1e-4)
    usual = seats.as_if_independent(found)
    assert usual["statistic"].round(1).tolist() == [2.1, 4.8, 5.5] and (usual["freedom"] == 9).all()


def test_a_role_that_always_sits_in_one_seat_is_found(found):
    """The don of one winner goes from seat 2 to seat 1, against citizens, and is found in all groups of dons."""
    moved = found.set_index(["seat", "role", "winner"])["games"].copy()
    for seat, other in ((1, 2), (2, 1)):
        moved[seat, "don", "town"] += 100 if seat == 1 else -100
        moved[other, "citizen", "town"] += 100 if seat == 1 else -100
    tested = seats.equal_by_seat(moved.reset_index())
    assert (tested.loc[["town or mafia", "don", "all four roles"], "p_value"] < 1e-6).all()
    assert tested.at["sheriff", "p_value"] == pytest.approx(seats.equal_by_seat(found).at["sheriff", "p_value"])


def test_tables_agree_with_all_counts_and_judge_tests_seats_by_the_deal(found):
    tables = seats.as_tables(found)
    won = tables.assign(winner=np.where(tables["won"] == 1, tables["side"], tables["side"].map(OTHER)))
    counted = won.groupby(["seat", "role", "winner"]).size()
    assert counted.to_dict() == found.set_index(["seat", "role", "winner"])["games"].to_dict()
    assert (tables.groupby("game")["role"].value_counts().unstack()[list(ROLES)] == list(ROLES.values())).all(axis=None)
    games = read_games(tables)
    verdict = judge(games, by="seat")
    results = tables.groupby("seat")["won"].sum()
    statistic = np.square(results - results.mean()).sum() / (2525 * 0.21 * 10 / 9)
    assert statistic == pytest.approx(5.843, abs=0.001)
    assert verdict.verdict == "fair" and verdict.p_value == pytest.approx(0.7556, abs=1e-4)
    assert judge(games, by="side").p_value == judge(games, by="role").p_value < 1e-5


ONE = dealt(1, {"town": 3, "mafia": 2})

test_refused = refuses(
    (lambda: seats.dealt_evenly(ONE.drop(columns="role")), "seats = DataFrame: a table with a column role is needed"),
    (
        lambda: seats.dealt_evenly(ONE.assign(seat=11)),
        r"seats.seat = 11: one of \[1, 2, 3, 4, 5, 6, 7, 8, 9, 10\] is needed",
    ),
    (lambda: seats.dealt_evenly(ONE.assign(role="citizen")), "seats: of the tables that the town won, every seat"),
    (lambda: seats.equal_by_seat(ONE[ONE["winner"] == "town"]), "seats: of the tables that the mafia won, every seat"),
)
