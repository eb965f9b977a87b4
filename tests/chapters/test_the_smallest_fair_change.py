"""The grid of changed rules: that it is whole, what its rows hold, and the smallest change that is found in it."""

from itertools import combinations, pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chapters import the_smallest_fair_change as chapter
from chapters import the_smallest_fair_change_grid as grid
from chapters.five_to_ten_players import seating_outcomes
from chapters.playing_sanguosha_better import trace
from gamebalance.publish import heavy
from gamebalance.sanguosha import AS_CODED, Outcomes, changed, solve, what_if

SETTINGS, SINGLE = grid.settings(), list(grid.changes())


def test_all_changes_and_all_pairs_of_different_rules_are_there_once():
    rules = {grid.rules_of(setting) for setting in SETTINGS}
    wanted = {AS_CODED} | {grid.rules_of((change,)) for change in SINGLE}
    wanted |= {grid.rules_of(pair) for pair in combinations(SINGLE, 2) if pair[0].rule != pair[1].rule}
    assert rules == wanted and len(rules) == len({grid.sentence_of(setting) for setting in SETTINGS}) == len(SETTINGS)
    assert SETTINGS[: len(SINGLE) + 1] == ((), *((change,) for change in SINGLE))
    assert all(grid.rules_of((change,)) != AS_CODED and change.steps > 0 for change in SINGLE)
    assert {name for change in SINGLE for name in change.news} == set(AS_CODED.__dataclass_fields__)


@pytest.mark.thorough
def test_a_row_is_the_exact_solution_of_its_setting_by_all_three_plays():
    """Of the first change, one heart for everybody, which is soon solved."""
    row = grid.row(1)
    assert row["setting"] == "Everybody has 1 heart." and row["error_bound"] <= 1e-12
    for play, policies in grid.PLAYS.items():
        kept, exact = grid.outcomes_of(row, play)["0312"], solve("0312", changed(health=1), policies)
        assert np.abs(kept.survival - exact.survival).max() < 1e-9
        assert kept.winning == pytest.approx(exact.winning, abs=1e-9)
    whole = what_if("1-1-1-1", health=1)
    assert row["turns"] == pytest.approx(whole.turns) and grid.mean_of(row).balance == pytest.approx(whole.balance)


SHARES = st.lists(st.floats(0.01, 1), min_size=len(grid.ENDINGS), max_size=len(grid.ENDINGS))


@settings(max_examples=30)
@given(SHARES)
def test_measures_are_those_of_outcomes(shares):
    shares = np.array(shares) / sum(shares)
    outcomes = Outcomes(grid.FOUR, dict(zip(grid.ENDINGS, shares.tolist(), strict=True)))
    numbers, wins = chapter.measured(shares), list(outcomes.winning.values())
    assert numbers["Bal"] == pytest.approx(100 * outcomes.balance)
    assert numbers["Rat"] == pytest.approx(outcomes.rationality())
    assert [numbers[f"won_{key}"] for key in ("lord", "rebel", "renegade")] == pytest.approx(wins)
    assert numbers["won_loyalist"] == numbers["won_lord"]
    assert numbers["wins"] == pytest.approx(100 * np.std([wins[0], *wins]))
    assert numbers["score_renegade"] == pytest.approx(outcomes.expected_scores()[3])
    assert chapter.unfair(outcomes) == pytest.approx({name: numbers[name] for name in chapter.UNFAIR})


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 9) | st.none()), min_size=1, max_size=30))
def test_nothing_smaller_than_a_setting_of_the_front_is_as_fair(lines):
    lines = pd.DataFrame(lines, columns=["steps", "Bal"], dtype=float)
    tried = lines.dropna()
    wanted = {
        (steps, bal)
        for steps, bal in tried.itertuples(index=False)
        if not ((tried["steps"] <= steps) & (tried["Bal"] < bal)).any()
        and not ((tried["steps"] < steps) & (tried["Bal"] <= bal)).any()
    }
    assert list(chapter.front(lines, "Bal").itertuples(index=False, name=None)) == sorted(wanted)


def test_replies_without_a_change_are_those_of_the_long_run():
    """Two tables that were computed apart: the first rounds of the unchanged game, to the ten digits that are kept."""
    ours = heavy.results("sanguosha-designs-replies", text=["seating"]).query("number == 0").set_index("seating")
    long = trace(heavy.results("sanguosha-iterated-replies", text=["seating"]), "survival").set_index("seating")
    for seating, text in ours["survival"].items():
        rounds = np.array([part.split() for part in text.split(";")], float)
        np.testing.assert_allclose(rounds, long.loc[seating].iloc[: len(rounds), 1:].to_numpy(float), atol=1e-8)


@pytest.mark.thorough
def test_the_stored_grid_is_complete_and_right():
    rows = heavy.results("sanguosha-designs")
    assert rows["number"].tolist() == list(range(len(SETTINGS))) and rows["error_bound"].max() <= 1e-8
    lines = chapter.searched(rows)
    pairs = lines[(lines["number"] > len(SINGLE)) & (lines["changes"] == 2)]
    for before, after in pairwise(grid.TRIED):
        below = pairs[f"Bal, {before}"] < 100 * grid.TRIED_BELOW
        assert (pairs[f"Bal, {after}"].notna() == below).all() and below.sum() < len(pairs)
    exact = what_if("1-1-1-1", rules=grid.rules_of(SETTINGS[500])).balance
    assert grid.mean_of(rows.iloc[500]).balance == pytest.approx(exact, abs=1e-9)
    larger = heavy.results("sanguosha-designs-lineups")
    assert len(larger) == len(grid.LARGER) * len(SINGLE)
    fives = heavy.results("sanguosha-designs-five", text=["seating"])
    assert len(fives) == (1 + len(SINGLE)) * 12 and not fives.duplicated(["number", "seating"]).any()
    (line,) = fives[(fives["number"] == 1) & (fives["seating"] == "03212")].to_dict("records")
    assert seating_outcomes(line).survival == pytest.approx(solve("03212", changed(health=1)).survival, abs=1e-7)


def test_a_row_of_a_larger_line_up():
    """Against simulations of ten times as many games, unpaired: their error is at most as large as that of the row."""
    said = [grid.sentence_of(setting) for setting in SETTINGS]
    row = grid.lineup_row("1-1-2-1", said.index("The lord has 2 hearts."), 20_000)
    new = what_if("1-1-2-1", games=200_000, seed=5, health={"lord": 2})
    old = what_if("1-1-2-1", games=200_000, seed=6)
    after, before = grid.measures(new), grid.measures(old)
    for name in ("bal", "win_rebels", "survival_lord", "score_renegade"):
        assert abs(row[f"{name}_more"] - (after[name] - before[name])) < 5 * 2**0.5 * row[f"{name}_error"]
        assert row[name] - row[f"{name}_more"] == pytest.approx(before[name], rel=0.1)
    assert sum(row[name] for name in grid.WINS) == pytest.approx(1)
