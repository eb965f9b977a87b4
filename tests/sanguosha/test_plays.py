"""Ways to play and rules side by side: rows against separate solutions, tables against small cases by hand."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from chapters.sanguosha.designs import play_tables, play_views, plays, rows
from gamebalance.fairness.spreads import balance, rationality
from gamebalance.publish import heavy, manifest, paths
from gamebalance.sanguosha import Role, solve
from gamebalance.sanguosha.lineup import ROLE_KEYS
from gamebalance.sanguosha.policies import ThreatPolicy
from tests.refusals import refused

KNOWS = {"threat": "own sight", "known": "everything"}


@pytest.fixture(scope="module")
def stored():
    return heavy.results("sanguosha-plays")


@pytest.fixture(scope="module")
def table(stored):
    return play_tables.play_table(stored)


# ---- Rows.


def test_each_role_plays_in_its_own_way():
    row = plays.play_row("threat", "report", "known", "report")
    assert [row[key] for key in ROLE_KEYS] == ["threat", "report", "known", "report"]
    policies = {Role.LORD: ThreatPolicy("own sight"), Role.REBEL: ThreatPolicy("everything")}
    found = rows.outcomes_of(row, "endings")
    for seating in ("0123", "0312"):
        alone = solve(seating, policies=policies)
        np.testing.assert_allclose(found[seating].survival, alone.survival, rtol=1e-8)
        np.testing.assert_allclose(found[seating].expected_scores(), alone.expected_scores(), rtol=1e-8)
    assert row["turns"] > 20 and 0 < row["error_bound"] < 1e-6


def test_a_renegade_who_knows_all_roles_plays_no_other_way():
    ways = [plays.policies_of(("threat", "report", "threat", way)) for way in KNOWS]
    one, other = (solve("0231", policies=policies) for policies in ways)
    assert one.probability == other.probability


def test_a_way_that_is_none_is_refused():
    with refused("rebel", "'bold'", "report"):
        plays.play_row("report", "report", "bold", "report")


def test_the_stored_table_has_every_combination_once(stored):
    declared = manifest.load(paths.project()).heavy_table("sanguosha-plays").rows()
    assert [tuple(row) for row in stored[list(ROLE_KEYS)].to_numpy()] == list(product(*plays.WAYS_OF.values()))
    for key, arguments in declared.items():
        assert {name: stored.loc[key, name] for name in arguments} == arguments


def test_stored_rows_are_those_of_another_long_run(stored):
    """One role, or all, by threat points: solved seating by seating for the notebook on better play."""
    threat = heavy.results("sanguosha-threat", text=["seating"])
    threat = threat[~threat["spares_friends"]]
    by_ways = stored.set_index(list(ROLE_KEYS))
    compared = 0
    for (players, knows), seatings in threat.groupby(["players", "knows"]):
        way = {name: key for key, name in KNOWS.items()}[knows]
        chosen = tuple(way if players in (key, "all") else "report" for key in ROLE_KEYS)
        row = by_ways.loc[(*chosen[:3], chosen[3].replace("known", "threat"))]
        found = rows.outcomes_of(row, "endings")
        for each in seatings.to_dict("records"):
            scores = [each[f"score_{key}"] for key in ROLE_KEYS]
            np.testing.assert_allclose(found[each["seating"]].expected_scores(), scores, rtol=1e-7, atol=1e-8)
            compared += 1
        assert row["turns"] == pytest.approx(seatings["turns"].mean())
    assert compared == 10 * 6


# ---- Tables.


def test_measures_are_those_of_the_mean_over_the_seatings(stored, table):
    row = stored.loc[40]
    every = rows.outcomes_of(row, "endings").values()
    survival = np.mean([outcomes.survival for outcomes in every], axis=0)
    scores = np.mean([outcomes.expected_scores() for outcomes in every], axis=0)
    np.testing.assert_allclose(table.loc[40, rows.SURVIVAL].astype(float), survival)
    np.testing.assert_allclose(table.loc[40, rows.SCORES].astype(float), scores)
    assert table.loc[40, "bal"] == pytest.approx(balance(survival))
    assert table.loc[40, "rat"] == pytest.approx(rationality(scores))
    # Whoever wins: the lord lives only if his side wins, and a renegade who wins is alone.
    np.testing.assert_allclose(table["win_lord"], table["survival_lord"], rtol=1e-9)
    np.testing.assert_allclose(table[rows.WINS].sum(axis=1), 1)


def test_how_many_roles_left_the_rule(table):
    assert table["left"].value_counts().to_dict() == {0: 1, 1: 7, 2: 18, 3: 20, 4: 8}
    alone = play_tables.one_role_changes(table)
    assert alone["who"].value_counts().to_dict() == {"": 1, "lord": 2, "loyalist": 2, "rebel": 2, "renegade": 1}
    for row in alone.to_dict("records"):
        assert [key for key in ROLE_KEYS if row[key] != "report"] == [row["who"]] * (row["who"] != "")


def made_up_rules():
    """Two settings: one tried under all three plays, one by the report's alone."""
    some = {"number": 0, "setting": "", "error_bound": 1e-12, "turns": 60.0}
    texts = {}
    for play, lord in (("report", 0.25), ("threat", 0.5), ("known", 1.0)):
        shares = {ending: 0.0 for ending in rows.ENDINGS} | {(1, 1, 0, 0): lord, (0, 0, 0, 1): 1 - lord}
        texts[play] = ";".join([" ".join(f"{share:.10g}" for share in shares.values())] * len(rows.SEATINGS))
    return pd.DataFrame([some | texts, some | texts | {"number": 1, "threat": "", "known": float("nan")}])


def test_only_what_was_tried_is_in_the_table_of_rules():
    table = play_tables.rule_table(made_up_rules())
    assert list(zip(table["number"], table["play"], strict=True)) == [
        (0, "report"),
        (0, "threat"),
        (0, "known"),
        (1, "report"),
    ]
    assert list(table["changes"]) == [0, 0, 0, 1] and list(table["steps"]) == [0, 0, 0, 3]  # one heart for everybody
    assert list(table["survival_lord"]) == [0.25, 0.5, 1.0, 0.25] and (table["survival_rebel"] == 0).all()
    np.testing.assert_array_equal(
        play_tables.by_rule_and_play(table.query("number == 0"), "win_renegade"), [[0.75, 0.5, 0]]
    )
    with refused("setting 1"):
        play_tables.by_rule_and_play(table, "bal")


# ---- Parts of the variance.


def test_variance_parts_by_hand():
    parts = play_tables.variance_parts([[0, 1], [2, 3]])
    assert parts.variance == 1.25 and parts.together == pytest.approx(0)
    np.testing.assert_allclose(parts.alone, [0.8, 0.2])
    crossed = play_tables.variance_parts([[0, 1], [1, 0]])
    assert list(crossed.alone) == [0, 0] and crossed.together == 1


def test_a_sum_of_four_factors_leaves_nothing_together():
    own = [np.array([0, 1, 5]), np.array([2, 2, 3]), np.array([0, 0, 0]), np.array([1, -4, 3])]
    parts = play_tables.variance_parts(sum(np.ix_(*own)))
    variances = np.array([each.var() for each in own])
    assert parts.variance == pytest.approx(variances.sum()) and parts.together == pytest.approx(0, abs=1e-12)
    np.testing.assert_allclose(parts.alone, variances / variances.sum(), atol=1e-12)


def test_nothing_varies():
    assert np.isnan(play_tables.variance_parts(np.full((2, 3), 0.1 + 0.2)).alone).all()


@pytest.mark.parametrize("values", [[1.0, 2.0], [[1.0, float("nan")]], np.zeros((0, 3))])
def test_what_has_no_parts_is_refused(values):
    with refused("values", "finite numbers"):
        play_tables.variance_parts(values)


def test_rules_or_play_of_one_that_only_plays_change():
    first = play_tables.rule_table(made_up_rules()).query("number == 0")
    table = pd.concat([first, first.assign(number=1)])
    found = play_tables.rules_or_play(table).set_index("measure")
    assert list(found.index) == rows.MEASURES
    row = found.loc["win_lord"]
    assert row["rules"] == 0 and row["play"] == pytest.approx(1) and row["rules_move"] == 0
    assert row["deviation"] == row["play_moves"] == pytest.approx(np.std([0.25, 0.5, 1]))


def test_whose_way_is_that_of_the_factor(table):
    """Against group means of a data frame, which is another way to the same number."""
    found = play_tables.whose_way(table).set_index("measure")
    for key in ROLE_KEYS:
        means = table.groupby(key)["survival_rebel"].mean()
        part = means.var(ddof=0) / table["survival_rebel"].var(ddof=0)
        assert found.loc["survival_rebel", key] == pytest.approx(part)


# ---- Equilibria.


def test_settled_is_where_nobody_gains_alone(table):
    for without in ((), ("known",), ("report",)):
        allowed = {key: [way for way in ways if way not in without] for key, ways in plays.WAYS_OF.items()}
        here = table.set_index(list(ROLE_KEYS)).loc[list(product(*allowed.values()))]
        stable = set()
        for profile, row in here.iterrows():
            others = [
                (score, here.loc[(*profile[:role], way, *profile[role + 1 :]), score])
                for role, score in enumerate(rows.SCORES)
                for way in allowed[ROLE_KEYS[role]]
            ]
            if all(row[score] >= other - 1e-6 for score, other in others):
                stable.add(profile)
        found = play_tables.settled(table, without)
        assert set(map(tuple, found[list(ROLE_KEYS)].to_numpy())) == stable


def test_incomplete_tables_and_ways_that_are_none_are_refused(table):
    with refused("report report report report"):
        play_tables.by_ways(table[table["left"] > 0], "bal")
    for without in (("bold",), ("report", "threat"), tuple(rows.WAYS)):
        with refused("without", without[0], "report, threat, known"):
            play_tables.game_of_ways(table, without)


# ---- As readers see them.


def test_who_leaves_the_rule_is_shown_with_his_own_gain(table):
    shown = play_views.alone_view(play_tables.one_role_changes(table))
    assert list(shown["who", ""])[:2] == ["nobody", "Lord"] and len(shown) == 8
    assert np.isnan(shown.loc[0, ("own points", "gain")])
    indexed = table.set_index(list(ROLE_KEYS))
    row = shown[(shown["who", ""] == "Rebel") & (shown["plays by", ""] == rows.PLAY_NAMES["known"])].iloc[0]
    after, before = (indexed.loc[("report", "report", way, "report")] for way in ("known", "report"))
    assert row["own points", "now"] == after["score_rebel"]
    assert row["own points", "gain"] == pytest.approx(after["score_rebel"] - before["score_rebel"])
    assert row["alive, %", "Loyalist"] == pytest.approx(100 * after["survival_loyalist"])
    assert row["wins, %", "rebel"] == pytest.approx(100 * after["win_rebels"]) and row["Rat", ""] == after["rat"]


def test_shown_parts_and_spreads_have_the_units_they_say(table):
    parts = play_tables.whose_way(table)
    shown = play_views.parts_view({"parts": parts}, {"lord": "Lord", "together": "together"}).set_index(("measure", ""))
    assert "Lord's side wins" not in shown.index and len(shown) == len(rows.MEASURES) - 1
    by_name = parts.set_index("measure")
    for label, name, times in (("Rat", "rat", 1), ("Bal", "bal", 100), ("Rebel's points", "score_rebel", 1)):
        assert shown.loc[label, ("parts", "s.d.")] == pytest.approx(times * by_name.loc[name, "deviation"])
        assert shown.loc[label, ("parts", "Lord")] == pytest.approx(100 * by_name.loc[name, "lord"])
    spread = play_views.spread_view({"all": table, "three": table.iloc[:3]})
    assert list(spread["number", ""]) == [54, 3]
    assert spread.loc[1, ("Bal, %", "median")] == pytest.approx(100 * sorted(table["bal"].iloc[:3])[1])
    assert spread.loc[0, ("Rat", "least")] == table["rat"].min()
    moves = play_views.moves_view({("ways", "all"): table, ("ways", "none"): table.iloc[:1]}).set_index(("measure", ""))
    assert moves.loc["Renegade wins", ("ways", "all")] == pytest.approx(100 * np.std(table["win_renegade"]))
    assert (moves["ways", "none"] == 0).all()


def test_profiles_are_shown_with_their_ways_and_points(table):
    shown = play_views.profile_view({"some": table.iloc[[4, 7]].to_dict("records")})
    assert list(shown["", "choice"]) == ["some", "some"]
    assert list(shown.loc[1, "plays by"]) == list(table.iloc[7][list(ROLE_KEYS)])
    assert list(shown.loc[1, "points"]) == list(table.iloc[7][rows.SCORES])
    assert shown.loc[0, ("", "Bal, %")] == pytest.approx(100 * table.iloc[4]["bal"])
