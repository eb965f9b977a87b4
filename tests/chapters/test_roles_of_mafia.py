"""Mafia: the study's printed tables, all cells; what roles are worth, by hand and exactly; the table with controls."""

from dataclasses import replace

import pytest

from chapters import audit_of_the_mafia_study as audit
from chapters import more_roles as roles
from chapters import the_fair_table as fair
from chapters import who_wins_mafia as study
from gamebalance import mafia
from gamebalance.base.controls import checked
from gamebalance.mafia import Rules, Setup, solve
from gamebalance.publish import published


@pytest.fixture(scope="module")
def cells():
    return study.balance_cells(study.study_tables())


@pytest.fixture(scope="module")
def printed():
    return published("mafia_balance")


@pytest.mark.parametrize("detectives", [0, 1])
def test_all_164_winning_probabilities_of_a_table(detectives):
    """Blank where the study is blank, and nowhere else."""
    table = mafia.win_table(20, detectives)
    chances = published("mafia_win_probability").query("detectives == @detectives")
    ours = [f"{100 * table.at[cell.mafiosi, cell.players]:.1f}" for cell in chances.itertuples()]
    assert ours == [f"{percent:.1f}" for percent in chances["probability_percent"]]
    assert len(ours) == table.notna().sum().sum() == 164 and table.shape == (11, 19)


def test_all_174_cells_of_the_balance_tables(cells, printed):
    assert list(cells) == list(printed) and len(cells) == len(printed) == 174
    assert audit.same_cells(cells, printed.sample(frac=1, random_state=1)).all()


# ---- What roles are worth


CLOSE = 1e-13  # all values are sums of a few thousand rounded products below 1


def test_worth_by_hand():
    """1 mafioso, 2 innocents, 1 doctor: 3/4 * 1/3 + 1/4 * (1/4 + 1/2 * 1/3 * 1/3), below 1/3 without the doctor.

    1 mafioso, 2 innocents lose; as a hunter, one is the victim with 1/2 and hits the mafioso with 1/2. A detective asks
    the mafioso with 1/2, and else the morning is lost.
    """
    assert roles.worth_of_roles(Setup(1, 3))["doctor"] == pytest.approx(47 / 144 - 1 / 3, abs=CLOSE)
    three = roles.worth_of_roles(Setup(1, 2))
    assert (three["hunter"], three["detective"]) == pytest.approx((1 / 4, 1 / 2), abs=CLOSE)


@pytest.mark.parametrize("half_rule", mafia.HALF_RULES)
@pytest.mark.parametrize("setup", [Setup(2, 6, witches=1), Setup(2, 5, hunters=1, witches=1)])
def test_healing_in_the_first_night_is_an_innocent_more(setup, half_rule):
    """Nobody dies in that night: the game begins as if in the morning, with a witch who is an innocent from then on.

    Where all others are innocents, too, the town is then the one that an innocent more would have left.
    """
    rules = Rules(half_rule, potion=1)
    healing = roles.worth_of_potions(setup, rules)["healing"]
    plain = replace(setup, innocents=setup.innocents + 1, witches=0)
    assert healing == pytest.approx(solve(plain, rules, "morning") - solve(plain, rules), abs=CLOSE)
    if not setup.hunters:
        assert healing == pytest.approx(roles.worth_of_roles(plain, rules)["one innocent more"], abs=CLOSE)


# ---- The table with controls


SETTINGS = [
    {"players": 7, "mafiosi": 2, "sheriffs": 0, "detectives": 1},
    {"players": 8, "mafiosi": 2, "doctors": 1, "hunters": 1, "odds": 1.7},
    {"players": 6, "mafiosi": 1, "sheriffs": 0, "half_rule": "never", "phase": "morning"},
]


def answer(**setting):
    return fair.answer(**checked(fair.CONTROLS, setting))


@pytest.mark.parametrize("setting", SETTINGS)
def test_the_line_of_python_gives_the_numbers_that_are_shown(setting):
    shown = answer(**setting)
    chance = shown.data.set_index("more")["chance"]
    assert eval(shown.code, {"mafia": mafia})[1] == pytest.approx(chance[0], abs=1e-12)
    assert f"{chance[0]:.1%}" in shown.sentence and f"{chance[1]:.1%} with one innocent more" in shown.sentence
    assert (-1 in chance) == (f"{chance.get(-1, 0):.1%} with one innocent fewer" in shown.sentence)
