"""Ways to play and rules side by side: rows against separate solutions, tables against small cases by hand."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from chapters import play_it_differently as chapter
from chapters import the_smallest_fair_change_grid as grid
from gamebalance.fairness.spreads import balance, rationality
from gamebalance.publish import heavy, manifest, paths
from gamebalance.sanguosha import Outcomes, Role, Seating, solve
from gamebalance.sanguosha.lineup import ROLE_KEYS
from gamebalance.sanguosha.policies import REPORT_POLICY, ThreatPolicy

KEYS = list(ROLE_KEYS)


@pytest.fixture(scope="module")
def stored():
    return heavy.results("sanguosha-plays")


@pytest.fixture(scope="module")
def table(stored):
    return chapter.play_table(stored)


def test_each_role_plays_in_its_own_way(monkeypatch):
    asked, ended = [], Outcomes(grid.FOUR, {(1, 1, 0, 0): 1.0}, Seating("0123"), turns=5.0, error_bound=1e-13)

    def solved(lineup, policies):
        asked.append(policies)
        return dict.fromkeys(lineup.seatings(), ended)

    monkeypatch.setattr(chapter, "solve_seatings", solved)
    row = chapter.play_row("threat", "report", "known", "report")
    ways = [ThreatPolicy("own sight"), REPORT_POLICY, ThreatPolicy("everything"), REPORT_POLICY]
    assert asked == [dict(zip(Role, ways, strict=True))] and row["turns"] == 5
    assert [row[key] for key in KEYS] == ["threat", "report", "known", "report"]
    assert grid.mean_of(row, "endings").probability == ended.probability


def test_a_renegade_who_knows_all_roles_plays_no_other_way():
    one, other = (solve("0231", policies=chapter.policies_of(("known",) * 3 + (way,))) for way in ("threat", "known"))
    assert one.probability == other.probability


def test_the_stored_table_has_every_combination_once(stored):
    declared = manifest.load(paths.project()).heavy_table("sanguosha-plays").rows()
    assert [tuple(row) for row in stored[KEYS].to_numpy()] == list(product(*chapter.WAYS_OF.values()))
    for key, arguments in declared.items():
        assert {name: stored.loc[key, name] for name in arguments} == arguments


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


def test_how_many_roles_left_the_rule(table):
    assert table["left"].value_counts().to_dict() == {0: 1, 1: 7, 2: 18, 3: 20, 4: 8}
    alone = chapter.one_role_changes(table)
    assert alone["who"].tolist() == ["", "lord", "lord", "loyalist", "loyalist", "rebel", "rebel", "renegade"]
    for row in alone.to_dict("records"):
        assert [key for key in KEYS if row[key] != "report"] == [row["who"]] * (row["who"] != "")


def test_only_what_was_tried_is_in_the_table_of_rules():
    """Two settings: one tried under all three plays, one by the report's alone."""
    row = {"number": 0, "setting": "", "error_bound": 1e-12, "turns": 60.0}
    for play, lord in (("report", 0.25), ("threat", 0.5), ("known", 1.0)):
        shares = {(1, 1, 0, 0): lord, (0, 0, 0, 1): 1 - lord}
        row[play] = ";".join([" ".join(str(shares.get(ending, 0)) for ending in grid.ENDINGS)] * 6)
    table = chapter.rule_table(pd.DataFrame([row, row | {"number": 1, "threat": "", "known": float("nan")}]))
    assert table[["number", "play"]].to_numpy().tolist() == [[0, "report"], [0, "threat"], [0, "known"], [1, "report"]]
    assert table["changes"].tolist() == [0, 0, 0, 1] and table["steps"].tolist() == [0, 0, 0, 3]
    assert table["survival_lord"].tolist() == [0.25, 0.5, 1, 0.25] and (table["survival_rebel"] == 0).all()
    first = table.query("number == 0")
    wins = chapter.rules_or_play(pd.concat([first, first.assign(number=1)])).set_index("measure").loc["win_lord"]
    assert wins["rules"] == 0 and wins["play"] == pytest.approx(1)
    assert wins["deviation"] == pytest.approx(np.std([0.25, 0.5, 1]))


def test_variance_parts_by_hand():
    parts = chapter.variance_parts([[0, 1], [2, 3]])
    assert parts.variance == 1.25 and parts.together == pytest.approx(0)
    np.testing.assert_allclose(parts.alone, [0.8, 0.2])
    crossed = chapter.variance_parts([[0, 1], [1, 0]])
    assert list(crossed.alone) == [0, 0] and crossed.together == 1
    assert np.isnan(chapter.variance_parts(np.full((2, 3), 0.1 + 0.2)).alone).all()


def test_a_sum_of_four_factors_leaves_nothing_together():
    own = [np.array([0, 1, 5]), np.array([2, 2, 3]), np.array([0, 0, 0]), np.array([1, -4, 3])]
    parts, variances = chapter.variance_parts(sum(np.ix_(*own))), np.array([each.var() for each in own])
    assert parts.variance == pytest.approx(variances.sum()) and parts.together == pytest.approx(0, abs=1e-12)
    np.testing.assert_allclose(parts.alone, variances / variances.sum(), atol=1e-12)


def test_whose_way_is_that_of_the_factor(table):
    """Against group means of a data frame, which is another way to the same number."""
    parts = chapter.whose_way(table).set_index("measure").loc["survival_rebel", KEYS]
    groups = [table.groupby(key)["survival_rebel"].mean() for key in KEYS]
    wanted = [means.var(ddof=0) / table["survival_rebel"].var(ddof=0) for means in groups]
    assert parts.tolist() == pytest.approx(wanted)


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
