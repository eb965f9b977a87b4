"""Ways to play and rules side by side: rows against separate solutions, tables against small cases by hand."""

from itertools import product

import numpy as np
import pytest

from chapters import play_it_differently as chapter
from chapters import the_smallest_fair_change_grid as grid
from gamebalance.fairness.spreads import balance, rationality
from gamebalance.publish import heavy
from gamebalance.sanguosha.lineup import ROLE_KEYS

KEYS = list(ROLE_KEYS)


@pytest.fixture(scope="module")
def stored():
    return heavy.results("sanguosha-plays")


@pytest.fixture(scope="module")
def table(stored):
    return chapter.play_table(stored)


def test_stored_rows_are_those_of_another_long_run(stored):
    """One role, or all, by threat points: solved seating by seating for the notebook on better play."""
    threat = heavy.results("sanguosha-threat", text=["seating"])
    by_ways, compared = stored.set_index(KEYS), 0
    for (players, knows), seatings in threat[~threat["spares_friends"]].groupby(["players", "knows"]):
        way = {"own sight": "threat", "everything": "known"}[knows]
        row = by_ways.loc[chapter.differing([way if players in (key, "all") else "report" for key in KEYS])]
        outcomes = grid.outcomes_of(row, "endings")
        for each in seatings.to_dict("records"):
            scores = [each[f"score_{key}"] for key in KEYS]
            np.testing.assert_allclose(outcomes[each["seating"]].expected_scores(), scores, rtol=1e-7, atol=1e-8)
            compared += 1
        assert row["turns"] == pytest.approx(seatings["turns"].mean())
    assert compared == 10 * 6


def test_measures_are_those_of_the_mean_over_the_seatings(stored, table):
    every = grid.outcomes_of(stored.loc[40], "endings").values()
    survival = np.mean([outcomes.survival for outcomes in every], axis=0)
    scores = np.mean([outcomes.expected_scores() for outcomes in every], axis=0)
    wanted = [*survival, *scores, balance(survival), rationality(scores)]
    numbers = table.loc[40, [*grid.SURVIVAL, *grid.SCORES, "bal", "rat"]]
    np.testing.assert_allclose(numbers.astype(float), wanted)
    # Whoever wins: the lord lives only if his side wins, and a renegade who wins is alone.
    np.testing.assert_allclose(table["win_lord"], table["survival_lord"], rtol=1e-9)
    np.testing.assert_allclose(table[grid.WINS].sum(axis=1), 1)


def test_a_sum_of_four_factors_leaves_nothing_together():
    own = [np.array([0, 1, 5]), np.array([2, 2, 3]), np.array([0, 0, 0]), np.array([1, -4, 3])]
    parts, variances = chapter.variance_parts(sum(np.ix_(*own))), np.array([each.var() for each in own])
    assert parts.variance == pytest.approx(variances.sum()) and parts.together == pytest.approx(0, abs=1e-12)
    np.testing.assert_allclose(parts.alone, variances / variances.sum(), atol=1e-12)


@pytest.mark.parametrize("without", [(), ("known",), ("report",)])
def test_settled_is_where_nobody_gains_alone(table, without):
    allowed = {key: [way for way in ways if way not in without] for key, ways in chapter.WAYS_OF.items()}
    here, stable = table.set_index(KEYS).loc[list(product(*allowed.values()))], set()
    for profile, row in here.iterrows():
        others = [
            (score, here.loc[(*profile[:role], way, *profile[role + 1 :]), score])
            for role, score in enumerate(grid.SCORES)
            for way in allowed[KEYS[role]]
        ]
        if all(row[score] >= other - 1e-6 for score, other in others):
            stable.add(profile)
    assert set(map(tuple, chapter.settled(table, without)[KEYS].to_numpy())) == stable
