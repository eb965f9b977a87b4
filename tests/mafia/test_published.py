"""The study's five tables, cell by cell: what is printed, and which rules and conventions it comes from."""

from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest

from gamebalance import mafia
from gamebalance.collection import published
from gamebalance.mafia import Rules

TEXT = Rules(half_rule="always")
RULES = {"0": (0, 0), "1:2": (1, 2), "any": (0, None)}


def one_decimal(percent):
    return f"{float(percent):.1f}"


def win_rows(detectives):
    table = published("mafia_win_probability").query("detectives == @detectives")
    return list(table[["mafiosi", "players", "probability_percent"]].itertuples(index=False, name=None))


def balance_rows(rule):
    """Printed percentage, mafiosi and detectives by players and side."""
    table = published("mafia_balance").query("detective_rule == @rule")
    return {
        (row.players, row.side): (one_decimal(row.probability_percent), row.mafiosi, row.detectives)
        for row in table.itertuples()
    }


def our_rows(table):
    """The same from one of our tables."""
    rows = {}
    for (players, row), side in product(table.iterrows(), ("deficit", "excess")):
        percent = one_decimal(100 * row[side])
        rows[players, side] = percent, int(row[f"{side}_mafiosi"]), int(row[f"{side}_detectives"])
    return rows


def setup_at(table, players, side):
    return int(table.loc[players, f"{side}_mafiosi"]), int(table.loc[players, f"{side}_detectives"])


@pytest.mark.parametrize("detectives", [0, 1])
def test_all_164_winning_probabilities(detectives):
    table, rows = mafia.win_table(20, detectives), win_rows(detectives)
    wrong = [row for row in rows if one_decimal(100 * table.at[row[0], row[1]]) != one_decimal(row[2])]
    assert wrong == []
    # Blank where the study is blank, and nowhere else.
    assert len(rows) == table.notna().sum().sum() == 164
    assert table.shape == (11, 19)


@pytest.mark.parametrize("detectives", [0, 1])
def test_they_are_the_fractions_rounded_once(detectives):
    exact = mafia.win_table(20, detectives, exact=True)
    assert (exact.astype(float) - mafia.win_table(20, detectives)).abs().max().max() < 1e-14
    wrong = [row for row in win_rows(detectives) if one_decimal(100 * exact.at[row[0], row[1]]) != one_decimal(row[2])]
    assert wrong == []


def test_one_cell_depends_on_how_halves_are_rounded():
    """Half to even gives the printed 1.2, half up 1.3; in the other 327 cells they agree."""
    differ = {}
    for detectives in (0, 1):
        exact = mafia.win_table(20, detectives, exact=True)
        for mafiosi, players, percent in win_rows(detectives):
            half_up = Fraction(int(1000 * exact.at[mafiosi, players] + Fraction(1, 2)), 10)
            if one_decimal(half_up) != one_decimal(percent):
                differ[detectives, players, mafiosi] = exact.at[mafiosi, players], percent, float(half_up)
    assert differ == {(0, 11, 4): (Fraction(1, 80), 1.2, 1.3)}


@pytest.mark.parametrize("rule", RULES)
def test_all_58_cells_of_each_balance_table(rule):
    assert our_rows(mafia.balance_table(30, RULES[rule])) == balance_rows(rule)
    assert len(balance_rows(rule)) == 58


@pytest.mark.parametrize("rule", RULES)
def test_they_follow_from_the_definition(rule):
    """In order of probability, mafiosi, detectives: the last up to 1/2, the first from it on; in fractions."""
    table = mafia.balance_table(30, RULES[rule])
    for players in range(2, 13):
        low, high = RULES[rule][0], min(players, 30 if RULES[rule][1] is None else RULES[rule][1])
        ordered = sorted(
            (mafia.win_probability(m, players - m - d, d, exact=True), m, d)
            for m, d in product(range(min(players, 15) + 1), range(low, high + 1))
            if m + d <= players
        )
        below = [setup for setup in ordered if setup[0] <= Fraction(1, 2)]
        above = [setup for setup in ordered if setup[0] >= Fraction(1, 2)]
        assert setup_at(table, players, "excess") == above[0][1:]
        assert table.at[players, "unreached"] == (not below)
        if below:
            assert setup_at(table, players, "deficit") == below[-1][1:]


def test_ties_are_few_and_certain():
    """No other two set-ups of a printed list are so near to each other that rounding could decide."""
    tied = {}
    for rule, allowed in RULES.items():
        table = mafia.balance_table(30, allowed)
        for players in range(2, 31):
            chances = chances_of(players, allowed)
            for side in ("deficit", "excess"):
                distance = np.abs(chances - table.at[players, side])
                assert not ((distance > 0) & (distance < 1e-6)).any()
                if (distance == 0).sum() > 1:
                    tied[rule, players, side] = table.at[players, side]
    assert tied == {
        ("0", 2, "deficit"): 0,
        ("0", 3, "deficit"): 0,
        ("1:2", 2, "excess"): 1,
        ("1:2", 4, "deficit"): 0,
        ("any", 2, "deficit"): 0,
        ("any", 2, "excess"): 1,
    }


@cache
def win_table_of(detectives):
    return mafia.win_table(30, detectives)


def chances_of(players, allowed):
    """All chances of a list of set-ups of the study, by the tables of fixed numbers of detectives."""
    high = players if allowed[1] is None else min(allowed[1], players)
    found = []
    for d, m in product(range(allowed[0], high + 1), range(16)):
        if m + d <= players:
            # A town of mafiosi only is no cell of a table of winning probabilities.
            found.append(0.0 if m == players else float(win_table_of(d).at[m, players]))
    return np.array(found)


@pytest.mark.parametrize(
    ("detectives", "players", "printed", "shorter"),
    [
        ((0, 0), 2, (2, 0), (1, 0)),
        ((0, 0), 3, (3, 0), (2, 0)),
        ((1, 2), 4, (3, 1), (2, 2)),
        ((0, None), 2, (2, 0), (1, 0)),
        # Not in a printed table, but the same effect.
        ((1, 1), 4, (3, 1), (2, 1)),
    ],
)
def test_deficits_that_depend_on_where_the_table_ends(detectives, players, printed, shorter):
    """The set-ups of the shorter tables are those that the published program prints (version 0.8.0, run)."""
    assert setup_at(mafia.balance_table(30, detectives), players, "deficit") == printed
    assert setup_at(mafia.balance_table(players, detectives), players, "deficit") == shorter


def test_no_other_cell_depends_on_where_the_table_ends():
    moved = set()
    for rule, allowed in RULES.items():
        long = our_rows(mafia.balance_table(30, allowed))
        for players in range(2, 31):
            short = our_rows(mafia.balance_table(players, allowed, min_players=players))
            moved |= {(rule, *cell) for cell, value in short.items() if long[cell] != value}
    assert moved == {("0", 2, "deficit"), ("0", 3, "deficit"), ("1:2", 4, "deficit"), ("any", 2, "deficit")}


def test_the_makeshift_of_two_players():
    """With a detective among two players the innocents always win; the program prints two mafiosi and no detective."""
    assert balance_rows("1:2")[2, "deficit"] == ("0.0", 2, 0)
    for mafiosi, innocents, detectives in ((0, 1, 1), (0, 0, 2), (1, 0, 1)):
        assert mafia.win_probability(mafiosi, innocents, detectives, exact=True) == 1
    unreached = {rule: mafia.balance_table(30, allowed)["unreached"] for rule, allowed in RULES.items()}
    assert {(rule, n) for rule, column in unreached.items() for n in column[column].index} == {("1:2", 2)}


@pytest.mark.parametrize(("detectives", "changed"), [(0, 0), (1, 82)])
def test_cells_that_the_texts_rule_changes(detectives, changed):
    table = mafia.win_table(20, detectives, rules=TEXT)
    rows = win_rows(detectives)
    assert sum(one_decimal(100 * table.at[row[0], row[1]]) != one_decimal(row[2]) for row in rows) == changed
    assert ((table < mafia.win_table(20, detectives)).sum().sum()) == changed


@pytest.mark.parametrize(("rule", "changed"), [("0", 0), ("1:2", 54), ("any", 53)])
def test_balance_cells_that_the_texts_rule_changes(rule, changed):
    ours = our_rows(mafia.balance_table(30, RULES[rule], rules=TEXT))
    assert sum(ours[cell] != value for cell, value in balance_rows(rule).items()) == changed
