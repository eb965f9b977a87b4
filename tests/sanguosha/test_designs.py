"""The grid of changed rules: what is in it, what a row says, and what is found in it."""

from itertools import combinations, pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chapters.sanguosha.designs import grid, lineups, replies, rows, search, tables
from chapters.sanguosha.reply_tables import trace
from gamebalance.publish import heavy
from gamebalance.sanguosha import AS_CODED, LINEUPS, REPORT_SCORING, Outcomes, Scoring, Seating, changed, solve, what_if
from gamebalance.sanguosha.outcomes import mean_outcomes
from gamebalance.sanguosha.rules import REPORT_DECK
from gamebalance.sanguosha.simulation import SlowSimulation
from tests.refusals import refused
from tests.sanguosha.made_up_designs import made_up as made_up_rows
from tests.sanguosha.made_up_designs import made_up_fives, outcomes_of_five

SETTINGS = grid.settings()
NUMBER = {setting: number for number, setting in enumerate(SETTINGS)}


@pytest.fixture(scope="module")
def made_up():
    return search.searched(made_up_rows())


def test_every_setting_is_other_rules_and_is_said_otherwise():
    assert len({grid.rules_of(setting) for setting in SETTINGS}) == len(SETTINGS)
    assert len({" ".join(change.said for change in setting) for setting in SETTINGS}) == len(SETTINGS)
    assert all(grid.rules_of((change,)) != AS_CODED and change.steps > 0 for change in grid.changes())


def test_all_changes_and_all_pairs_of_different_rules_are_there():
    single = list(grid.changes())
    found = {grid.rules_of(setting) for setting in SETTINGS}
    wanted = {AS_CODED} | {grid.rules_of((change,)) for change in single}
    wanted |= {grid.rules_of(pair) for pair in combinations(single, 2) if pair[0].rule != pair[1].rule}
    assert found == wanted and [len(setting) for setting in SETTINGS[: len(single) + 1]] == [0] + [1] * len(single)
    assert [setting[0] for setting in SETTINGS[1 : len(single) + 1]] == single


def test_the_numbers_that_rules_are_tried_with():
    """Every number of hearts and dodges for all and for each role, every kind of card, every field of the rules."""
    by_rule = pd.Series([change.rule for change in grid.changes()]).value_counts()
    assert by_rule.filter(like="hearts").to_dict() == {
        f"hearts: {who}": 3 for who in ("everybody", "lord", "loyalist", "rebel", "renegade")
    }
    assert by_rule.filter(like="dodges").sum() == 5 * 4 + 1 and by_rule.filter(like="cards:").sum() == 6 * 4 - 1
    fields = {name for change in grid.changes() for name in change.news}
    assert fields == set(AS_CODED.__dataclass_fields__)


def test_what_changes_everybody_comes_before_what_changes_one():
    everybody = next(change for change in grid.changes() if change.said == "Everybody has 1 heart.")
    lord = next(change for change in grid.changes() if change.said == "The lord has 3 hearts.")
    assert grid.rules_of((everybody, lord)).health == (3, 1, 1, 1) and (everybody, lord) in NUMBER


def test_a_row_is_the_exact_solution_of_its_setting_by_all_three_plays():
    number = next(
        number for number, setting in enumerate(SETTINGS) if setting and setting[0].news == {"health": {"lord": 1}}
    )
    found = rows.row(number)
    assert found["setting"] == "The lord has 1 heart." and found["error_bound"] <= 1e-12
    for play, policies in rows.PLAYS.items():
        kept = rows.outcomes_of(found, play)
        assert tuple(kept) == rows.SEATINGS
        exact = solve("0312", changed(health={"lord": 1}), policies)
        assert np.abs(kept["0312"].survival - exact.survival).max() < 1e-9
        assert kept["0312"].winning == pytest.approx(exact.winning, abs=1e-9)
    whole = what_if("1-1-1-1", health={"lord": 1})
    assert found["turns"] == pytest.approx(whole.turns) and whole.balance < rows.TRIED_BELOW
    assert mean_outcomes(rows.FOUR, list(rows.outcomes_of(found).values())).balance == pytest.approx(whole.balance)


def test_two_changes_are_tried_by_the_next_play_while_they_can_be_the_fairest():
    first = {change.said: change for change in grid.changes()}
    for other, tried in (
        ("Each renegade has 2 hearts.", ["report"]),
        ("Each rebel has 2 hearts.", ["report", "known"]),
    ):
        found = rows.row(NUMBER[first["Everybody has 1 heart."], first[other]])
        assert [play for play in rows.TRIED if found[play]] == tried
        bals = [_bal(rows.outcomes_of(found, play)) for play in tried]
        assert bals[-1] >= rows.TRIED_BELOW > max(bals[:-1], default=0)


def _bal(by_seating):
    return mean_outcomes(rows.FOUR, list(by_seating.values())).balance


def test_a_sweep_changes_one_kind_of_card():
    found = rows.outcomes_of(rows.sweep_row("slash", 30), "report")["0123"]
    exact = solve("0123", changed(deck={"slash": 60}))
    assert np.abs(found.survival - exact.survival).max() < 1e-9
    with refused("more = -31: a whole number, -30 or more, is needed"):
        rows.sweep_row("slash", -31)
    with refused("card = 'joker': one of 'dodge', 'peach', 'weapon', 'snatch', 'dismantle', 'slash' is needed"):
        rows.sweep_row("joker", 1)


def test_seating_rules_leave_some_of_the_six():
    rules = search.seating_rules()
    assert len(set(rules.values())) == len(rules) and all(0 < len(left) < 6 for left in rules.values())
    assert {rows.SEATINGS[place] for place in rules["A renegade sits opposite the lord."]} == {"0132", "0231"}


SHARES = st.lists(st.floats(0.01, 1), min_size=len(rows.ENDINGS), max_size=len(rows.ENDINGS))


@settings(max_examples=50)
@given(SHARES, st.just(REPORT_SCORING.renegade_win) | st.floats(-50, 50))
def test_measures_are_those_of_outcomes(shares, points):
    scoring = Scoring(renegade_win=points)
    shares = np.array(shares) / sum(shares)
    outcomes = Outcomes(rows.FOUR, dict(zip(rows.ENDINGS, shares.tolist(), strict=True)))
    found = search.measured(shares, scoring)
    assert found["Bal"] == pytest.approx(100 * outcomes.balance)
    assert found["Rat"] == pytest.approx(outcomes.rationality(scoring))
    wins = list(outcomes.winning.values())
    assert [found[f"won_{key}"] for key in ("lord", "rebel", "renegade")] == pytest.approx(wins)
    assert found["won_loyalist"] == found["won_lord"]
    assert found["wins"] == pytest.approx(100 * np.std([wins[0], *wins]))
    assert found["score_renegade"] == pytest.approx(outcomes.expected_scores(scoring)[3])
    if points == REPORT_SCORING.renegade_win:
        assert search.unfair(outcomes) == pytest.approx({name: found[name] for name in search.UNFAIR})


def test_the_settings_that_are_searched(made_up):
    """All of the grid, and each of no or one change with each seating rule; nothing twice."""
    few = 1 + len(list(grid.changes()))
    assert len(made_up) == len(SETTINGS) + few * len(search.seating_rules())
    assert made_up["setting"].is_unique and made_up["changes"].max() == grid.MOST_CHANGES
    whole = made_up[(made_up["number"] == 0) & (made_up["changes"] == 0)].iloc[0]
    row = made_up_rows().iloc[0]
    for play in rows.PLAYS:
        mean = mean_outcomes(rows.FOUR, list(rows.outcomes_of(row, play).values()))
        assert whole[f"Bal, {play}"] == pytest.approx(100 * mean.balance)
    opposite = made_up[(made_up["number"] == 3) & made_up["setting"].str.endswith("A rebel sits opposite the lord.")]
    (line,) = opposite.to_dict("records")
    three = rows.outcomes_of(made_up_rows().iloc[3])
    mean = mean_outcomes(rows.FOUR, [three[seating] for seating in line["seatings"].split()])
    assert line["Bal, report"] == pytest.approx(100 * mean.balance) and line["seatings"] == "0123 0321"
    assert line["steps"] == SETTINGS[3][0].steps + 1 and line["rules"] == f"{SETTINGS[3][0].rule}, seating"


STEPS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 9) | st.none()), min_size=1, max_size=30)


@given(STEPS)
def test_nothing_smaller_than_a_setting_of_the_front_is_as_fair(lines):
    found = pd.DataFrame(lines, columns=["steps", "Bal, report"], dtype=float)
    front = search.front(found, "Bal, report")
    tried = found.dropna()
    wanted = {
        (steps, bal)
        for steps, bal in tried.itertuples(index=False)
        if not ((tried["steps"] <= steps) & (tried["Bal, report"] < bal)).any()
        and not ((tried["steps"] < steps) & (tried["Bal, report"] <= bal)).any()
    }
    assert list(front.itertuples(index=False, name=None)) == sorted(wanted)


def test_a_tornado_spans_all_numbers_of_a_rule(made_up):
    found = search.tornado(made_up)
    single = made_up[(made_up["changes"] == 1) & (made_up["rules"] == "cards drawn")]
    ends = [*single["Rat, known"], made_up.iloc[0]["Rat, known"]]
    assert tuple(found.loc["cards drawn", "Rat, known"]) == (min(ends), max(ends))
    assert "seating" in found.index and len(found) == made_up[made_up["changes"] == 1]["rules"].nunique()
    widths = found.xs("largest", axis=1, level=1) - found.xs("least", axis=1, level=1)
    assert widths.filter(like="Bal").max(axis=1).is_monotonic_decreasing


def test_a_row_of_a_larger_line_up():
    number = 1 + [change.said for change in grid.changes()].index("The lord has 2 hearts.")
    found = lineups.lineup_row("1-1-2-1", number, 20_000)
    with pytest.warns(SlowSimulation):
        new = what_if("1-1-2-1", games=200_000, seed=5, health={"lord": 2})
    old = what_if("1-1-2-1", games=200_000, seed=6)
    for name, value, before in (
        ("bal", new.balance, old.balance),
        ("win_rebels", new.winning["rebels"], old.winning["rebels"]),
        ("survival_lord", new.survival[0], old.survival[0]),
        ("score_renegade", new.expected_scores()[3], old.expected_scores()[3]),
    ):
        # Both are simulated: an error of ten times as many games, unpaired, is at most as large as that of the row.
        assert abs(found[f"{name}_more"] - (value - before)) < 5 * 2**0.5 * found[f"{name}_error"]
        assert found[name] - found[f"{name}_more"] == pytest.approx(before, rel=0.1)
    assert sum(found[f"win_{side}"] for side in lineups.WINNING) == pytest.approx(1)
    assert sum(found[f"win_{side}_more"] for side in lineups.WINNING) == pytest.approx(0, abs=1e-12)
    with refused("lineup = '1-1-1-1': one of '1-1-2-1', "):
        lineups.lineup_row("1-1-1-1", 1, 1000)
    with refused("number = 0: a whole number from 1 to 68 is needed"):
        lineups.lineup_row("1-1-2-1", 0, 1000)


def test_later_rounds_are_averaged():
    """Of the report's play and four rounds of replies the last two."""
    frame = pd.DataFrame({"wins": ["1 0 0;0 1 0;0 1 0;0 0 1;0 0 1", "0 0 1;0.5 0.5 0;0 1 0;1 0 0;0 1 0"]})
    assert replies.after_replies(frame, "wins").tolist() == pytest.approx([0.25, 0.25, 0.5])
    with refused("points = 'many': one of 'report', 'l1', 'l2', 'integer' is needed"):
        replies.reply_row(0, "many", "0123", 1)


def test_replies_without_a_change_are_those_of_the_long_run():
    """Two tables that were computed apart: the first rounds of the unchanged game, to the ten digits that are kept."""
    ours = heavy.results("sanguosha-designs-replies", text=["seating"]).query("number == 0").set_index("seating")
    long = trace(heavy.results("sanguosha-iterated-replies", text=["seating"]), "survival").set_index("seating")
    for seating, text in ours["survival"].items():
        rounds = np.array([part.split() for part in text.split(";")], float)
        wanted = long.loc[seating].iloc[: len(rounds), 1:].to_numpy(float)
        np.testing.assert_allclose(rounds, wanted, atol=1e-8)


def test_the_stored_grid_is_complete_and_two_rows_are_right():
    found = heavy.results("sanguosha-designs")
    assert found["number"].tolist() == list(range(len(SETTINGS))) and found["error_bound"].max() <= 1e-8
    lines = search.searched(found)
    pairs = lines[(lines["number"] > 68) & (lines["changes"] == 2)]
    for before, after in pairwise(rows.TRIED):
        below = pairs[f"Bal, {before}"] < 100 * rows.TRIED_BELOW
        assert (pairs[f"Bal, {after}"].notna() == below).all() and below.sum() < len(pairs)
    assert 0 < pairs["Bal, known"].notna().sum() < len(pairs)
    fair = [lines.query("number == @number and changes != 1")["Bal, report"].iloc[0] for number in (0, 500)]
    exact = [100 * what_if("1-1-1-1", rules=grid.rules_of(SETTINGS[number])).balance for number in (0, 500)]
    assert fair == pytest.approx(exact, abs=1e-7)


def test_larger_line_ups_are_stored_for_every_change():
    found = heavy.results("sanguosha-designs-lineups")
    assert len(found) == len(lineups.LARGER) * len(list(grid.changes())) and len(lineups.LARGER) == len(LINEUPS) - 1
    played = found[found["games"] > 0]
    assert (played.filter(regex="(bal|win|survival).*_error").max() < 0.002).all() and len(played) > 0.98 * len(found)


def test_points_that_are_equal_have_nobody_who_expects_most():
    even = Outcomes(rows.FOUR, {(1, 1, 0, 0): 1.0})
    level = Scoring(lord_win=5, lord_per_loyalist=5, loyalist_alive=10)
    nothing = Scoring(lord_win=0, lord_per_loyalist=0, loyalist_alive=0)
    shown = tables.points_under_play({"level": nothing}, {"play": even}, {})
    assert shown["play", "difference"].tolist() == [0.0] and shown["play", "most"].tolist() == [""]
    replied = pd.DataFrame({"scores": ["1 1 1 1;2 0 7 3;4 4 9 1"]})
    shown = tables.points_under_play({"level": level, "other": level}, {"play": even}, {"level": replied})
    assert shown["play", "difference"].tolist() == [10.0] * 2 and shown["play", "most"].tolist() == ["Lord"] * 2
    assert shown["replies to replies", "most"].tolist() == ["Rebel", ""]
    assert shown["replies to replies", "difference"].iloc[0] == 8


def test_envy_by_seating():
    shown = tables.envy_table({Seating("0123"): Outcomes(rows.FOUR, {(0, 0, 0, 1): 1.0})}, Scoring())
    assert shown.iloc[0].tolist() == ["0123", 3.0, 0.0, 0.0, 35.0, "Loyalist the Renegade", 35.0]


def test_slopes_by_cards():
    """Half of what one more and one fewer differ by, for every kind."""
    frame = pd.DataFrame(
        {"card": card, "more": more, "report": _text(0.1 + 0.01 * more * place), "threat": "", "known": ""}
        for place, card in enumerate(("dodge", "peach", "weapon", "snatch", "dismantle", "slash"))
        for more in (-1, 1)
    )
    fives = made_up_fives("card", ("dodge", "peach", "weapon", "snatch", "dismantle", "slash"), more=(-1, 1))
    shown = tables.card_gradients(frame, fives)
    ends = [search.measured(search.shares_of(frame))["wins"][place, 0, 0] for place in (10, 11)]
    wins = shown[shown["what"] == "chances to win"]
    assert wins["fixed rule"].iloc[-1] == pytest.approx((ends[1] - ends[0]) / 2)
    assert wins["fixed rule"].iloc[0] == 0 and shown["threat, roles known"].isna().all()
    assert len(shown) == len(search.UNFAIR) * len(REPORT_DECK)
    of_peach = fives[fives["card"] == "peach"]
    five = [outcomes_of_five(of_peach[of_peach["more"] == more]).balance for more in (-1, 1)]
    assert shown["five players"].iloc[1] == pytest.approx(100 * (five[1] - five[0]) / 2)


def _text(share: float) -> str:
    """A row's text: with this probability the rebels win in every seating, all but the lord alive, else his side."""
    ends = {(0, 1, 1, 1): share, (1, 1, 0, 0): 1 - share}
    return ";".join([" ".join(str(ends.get(ending, 0)) for ending in rows.ENDINGS)] * len(rows.SEATINGS))
