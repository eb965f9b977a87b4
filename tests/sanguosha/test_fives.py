"""Five players under each change of one rule: rows, means over seatings, and what tables make of them."""

import numpy as np
import pandas as pd
import pytest

from chapters.sanguosha import exact_rows, lineup_rows
from chapters.sanguosha.designs import grid, lineups, rows, search, tables
from chapters.sanguosha.exact_rows import COLUMNS, columns_of, outcomes
from gamebalance.publish import heavy
from gamebalance.sanguosha import Outcomes, Seating, changed, solve
from tests.refusals import refused
from tests.sanguosha.made_up_designs import made_up, made_up_fives, outcomes_of_five

SINGLE = 1 + len(list(grid.changes()))


def test_a_row_is_the_exact_solution():
    """Of the first change, one heart for everybody, which is soon solved."""
    found = lineups.five_row(1, "02312")
    assert found["setting"] == "Everybody has 1 heart." and found["error_bound"] <= 1e-7
    exact = solve("02312", changed(health=1))
    assert np.abs(outcomes(found).survival - exact.survival).max() < 1e-7
    assert outcomes(found).winning == pytest.approx(exact.winning, abs=1e-7)
    assert found["turns"] == pytest.approx(exact.turns, rel=1e-6)


def test_a_row_under_other_play(monkeypatch):
    """The rules, the seating and the policies reach the solver; games that end before a loyalist dies have a column."""
    asked = []

    def solved(*given, tail):
        asked.append(given)
        return Outcomes(lineups.FIVE, {(0, 1, 2, 1): 0.25, (0, 0, 0, 1): 0.75}, seating=Seating("02312"), turns=7.0)

    monkeypatch.setattr(lineups, "solve", solved)
    found = lineups.five_play_row(1, "known", "02312")
    assert asked == [("02312", changed(health=1), rows.PLAYS["known"])] and found["play"] == "known"
    assert outcomes(found).winning == {"lord": 0, "rebels": 0.25, "renegade": 0.75} and found["turns"] == 7


def test_a_row_with_more_cards(monkeypatch):
    monkeypatch.setattr(lineups, "solve", lambda seating, rules, policies, tail: solve("02", rules))
    monkeypatch.setattr(exact_rows, "columns_of", lambda found: {"turns": found.turns})
    found = lineups.five_card_row("slash", 30, "01223")
    assert found == {"card": "slash", "more": 30, "turns": solve("02", changed(deck={"slash": 60})).turns}


def test_rows_that_are_refused():
    with refused("number = 69: a whole number from 0 to 68 is needed"):
        lineups.five_row(SINGLE, "01223")
    with refused("seating = '0123': one of '01223', "):
        lineups.five_row(0, "0123")
    with refused("card = 'joker': one of 'dodge', "):
        lineups.five_card_row("joker", 1, "01223")
    with refused("more = -31: a whole number, -30 or more, is needed"):
        lineups.five_card_row("slash", -31, "01223")
    with refused("play = 'bold': one of 'report', 'threat', 'known' is needed"):
        lineups.five_play_row(0, "bold", "01223")


def test_an_ending_without_a_column_is_no_row():
    found = solve("0123", policies=rows.PLAYS["known"])
    assert not set(found.probability) <= set(COLUMNS)
    with pytest.raises(AssertionError, match="without a column"):
        columns_of(found)


@pytest.fixture(scope="module")
def fives():
    return made_up_fives("number", (0, 3, 5))


def test_means_over_the_seatings_that_a_rule_leaves(fives):
    found = lineups.fives(fives)
    assert len(found) == 3 * (1 + len(search.seating_rules(lineups.FIVE_SEATINGS)))
    assert "No two rebels sit side by side." in found  # which says nothing of four players
    own = fives[fives["number"] == 5]
    assert found["The lord has 2 hearts."].survival == pytest.approx(outcomes_of_five(own).survival)
    left = [seats for seats in lineups.FIVE_SEATINGS if seats[1] == "2"]
    rule = "A rebel sits directly after the lord."
    wanted = outcomes_of_five(own, left).survival
    assert found[f"The lord has 2 hearts. {rule}"].survival == pytest.approx(wanted) and 0 < len(left) < 12
    assert found[rule].survival == pytest.approx(outcomes_of_five(fives[fives["number"] == 0], left).survival)
    with refused("rows: 11 of 12 seatings of 1-1-2-1; all are needed, once each"):
        lineups.fives(own.iloc[1:])


def test_five_stand_beside_four(fives):
    """Where they were solved, under the same sentence; and a tornado spans them, too."""
    four, five = search.searched(made_up()), lineups.five_lines(fives)
    every = lineups.fives(fives)
    assert sorted(five["setting"]) == sorted(every)
    for line in five.to_dict("records"):
        measured = {name: line[f"{name}, five"] for name in search.UNFAIR}
        assert measured == pytest.approx(search.unfair(every[line["setting"]]))
    found = search.beside(four, five)
    assert found[four.columns].equals(four)
    known = found["setting"].isin(five["setting"])
    assert found["Bal, five"].notna().equals(known) and 0 < known.sum() < len(five)
    both = four.merge(five, on=["setting", "number", "rules", "changes", "steps"])
    assert len(both) == known.sum()  # what a setting is called and how far it is, four or five alike
    back = search.beside(five, four).set_index("setting")["Bal, known"].dropna()
    assert back.to_dict() == four.set_index("setting")["Bal, known"].loc[back.index].to_dict() and len(back) > 3
    ends = search.tornado(five)
    orders = five[(five["changes"] == 1) & (five["rules"] == "seating")]["Rat, five"]
    values = [*orders, five.iloc[0]["Rat, five"]]
    assert tuple(ends.loc["seating", "Rat, five"]) == (min(values), max(values)) and len(orders) > 12
    assert not search.tornado(four).columns.get_level_values(0).str.endswith("five").any()


def test_chances_to_win_are_weighed_by_players():
    """Of five players one side's two rebels count twice: by hand."""
    found = outcomes(
        {"seating": "01223", "error_bound": 0, "turns": 1} | dict.fromkeys(COLUMNS.values(), 0) | {"alive_0020": 1}
    )
    chances = np.array([0, 0, 1, 1, 0])
    assert search.unfair(found)["wins"] == pytest.approx(100 * chances.std())


def test_the_table_of_all_changes(fives, monkeypatch):
    some = [change for number, change in enumerate(grid.changes(), 1) if number in (3, 5)]
    monkeypatch.setattr(lineups, "changes", lambda: iter(some))
    table = lineups.five_table(fives)
    assert table["setting"].tolist() == [change.said for change in some] and table["bal_error"].isna().all()
    before, after = (outcomes_of_five(fives[fives["number"] == number]) for number in (0, 5))
    line = table.iloc[1]
    assert line["bal"] == pytest.approx(after.balance) and line["bal_more"] == pytest.approx(
        after.balance - before.balance
    )
    assert line["win_renegade_more"] == pytest.approx(after.winning["renegade"] - before.winning["renegade"])
    assert line["survival_rebel"] == pytest.approx(after.survival[2])
    shown = tables.lineup_table(table, best=1)
    assert shown["Bal, %", "then"].tolist() == pytest.approx([100 * table["bal"].min()])


def test_simulated_differences_in_standard_errors():
    exact = pd.DataFrame({"number": [1, 2, 3], "bal_more": [0.1, 0.0, 0.5]})
    played = pd.DataFrame(
        {
            "lineup": ["1-1-2-1", "1-1-2-1", "1-1-2-1", "1-1-3-1"],
            "number": [1, 2, 3, 1],
            "games": [9, 9, 0, 9],
            "bal_more": [0.13, 0.0, np.nan, 0.9],
            "bal_error": [0.01, 0.0, np.nan, 0.01],
        }
    )
    apart = tables.apart_from_exact(played, exact)
    assert apart.index.tolist() == [1, 2] and apart["bal"].tolist() == pytest.approx([3.0, 0.0])


def test_five_under_other_play(fives):
    every = lineups.fives(fives)
    shown = tables.fives_table({"as it is": "", "two": "The lord has 2 hearts."}, {"report": every, "known": every})
    assert shown["play"].tolist() == ["fixed rule", "threat, roles known"] * 2
    assert shown["Bal, %"].iloc[2] == pytest.approx(100 * every["The lord has 2 hearts."].balance)
    wins = shown.filter(like="wins").sum(axis=1)
    assert wins.tolist() == pytest.approx([100] * 4)


def test_the_stored_rows_are_complete_and_right():
    found = heavy.results("sanguosha-designs-five", text=["seating"])
    assert len(found) == SINGLE * len(lineups.FIVE_SEATINGS) and not found.duplicated(["number", "seating"]).any()
    assert found["error_bound"].max() <= 1e-6 and np.allclose(found[[*COLUMNS.values()]].sum(axis=1), 1, atol=1e-8)
    known = lineup_rows.known(heavy.results("sanguosha-line-ups"), pd.DataFrame())["1-1-2-1"]
    every = lineups.fives(found)
    assert every[""].survival == pytest.approx(known.survival, abs=1e-7)
    again = solve("03212", grid.rules_of(grid.settings()[1]))
    (line,) = found[(found["number"] == 1) & (found["seating"] == "03212")].to_dict("records")
    assert outcomes(line).survival == pytest.approx(again.survival, abs=1e-7)


def test_the_stored_cards_and_plays_are_complete():
    cards = heavy.results("sanguosha-designs-five-cards", text=["seating"])
    assert cards.groupby(["card", "more"]).size().tolist() == [len(lineups.FIVE_SEATINGS)] * 12
    played = heavy.results("sanguosha-designs-five-plays", text=["seating"])
    assert set(played["play"]) == {"threat", "known"} and 0 in set(played["number"])
    assert (played.groupby(["number", "play"]).size() == len(lineups.FIVE_SEATINGS)).all()
