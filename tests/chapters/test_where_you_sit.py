"""Seats: maps, parts, rules and the fairest seatings, against numbers worked out by hand and plain enumeration."""

import re

import numpy as np
import pandas as pd
import pytest

from chapters import where_you_sit as seats
from gamebalance.sanguosha import LINEUPS


def _rows(chances, errors=0.0, bal=0.1, games=0):
    """Rows from chances to win by seating: lord's side, rebels, renegade."""
    frame = pd.DataFrame(list(chances.values()), columns=seats.WINS)
    frame[seats.WIN_ERRORS] = errors
    frame = frame.assign(bal=bal, bal_error=0.0, bal_noise=0.0, games=games)
    frame.insert(0, "seating", list(chances))
    frame.insert(0, "lineup", ["-".join(str(name.count(digit)) for digit in "0123") for name in chances])
    return frame


@pytest.fixture(scope="module")
def made_up():
    """Chances of all seatings of four to ten players, drawn once."""
    rng = np.random.default_rng(5)
    names = [name for lineup in LINEUPS for name in lineup.seatings()]
    return _rows(dict(zip(names, rng.dirichlet((3, 2, 1), len(names)), strict=True)), bal=rng.random(len(names)))


@pytest.mark.parametrize("lineup", [LINEUPS[1], LINEUPS[3]])
@pytest.mark.parametrize("shared", [False, True])
def test_parts_by_enumeration(made_up, lineup, shared):
    """The law of total variance on a plain list of all players in all seatings."""
    people = []
    for row in made_up[made_up["lineup"] == str(lineup)].to_dict("records"):
        for seat, digit in enumerate(row["seating"]):
            chance = row[{"0": "win_lord", "1": "win_lord", "2": "win_rebels", "3": "win_renegade"}[digit]]
            people.append((digit, seat, chance / (lineup.renegades if shared and digit == "3" else 1)))
    people = pd.DataFrame(people, columns=["role", "seat", "chance"])
    by_role = people.groupby("role")["chance"].transform("mean")
    by_seat = people.groupby(["role", "seat"])["chance"].transform("mean")
    wanted = by_role.var(ddof=0), (by_seat - by_role).pow(2).mean(), (people["chance"] - by_seat).pow(2).mean()
    parts, total = seats.parts(made_up, lineup, shared), people["chance"].var(ddof=0)
    assert parts.variance.value == pytest.approx(total)
    assert [part.value for part in parts[1:]] == pytest.approx(np.array(wanted) / total)


def _counted(rng, here, games):
    """Rows as games would give them: counts by side, and standard errors from them."""
    noisy = rng.multinomial(games, here[seats.WINS].to_numpy()) / games
    rows = here.assign(games=games)
    rows[seats.WINS], rows[seats.WIN_ERRORS] = noisy, np.sqrt(noisy * (1 - noisy) / games)
    return rows


@pytest.mark.thorough
def test_noise_is_taken_off_and_errors_are_right(made_up):
    """500 repetitions with few games: the mean is the truth, the standard deviation is the standard error."""
    rng, here = np.random.default_rng(8), seats.of_lineup(made_up, LINEUPS[1])
    truth = seats.parts(here, LINEUPS[1])
    found = np.array([seats.parts(_counted(rng, here, 60), LINEUPS[1]) for _ in range(500)])
    scale = np.column_stack([np.ones(500), *[found[:, 0, 0]] * 3])
    values = found[:, :, 0] * scale
    wanted = np.array([part.value for part in truth]) * [1, *[truth.variance.value] * 3]
    assert (abs(values.mean(axis=0) - wanted) < 4 * values.std(axis=0) / np.sqrt(500)).all()
    errors = np.sqrt(np.square(found[:, :, 1]).mean(axis=0))
    np.testing.assert_allclose(found[:, :, 0].std(axis=0), errors, rtol=0.15)


def test_what_neighbours_explain(made_up):
    """By hand, and with the noise of games taken off."""
    pairs = {"0123": 0.2, "0321": 0.0, "0132": 0.7, "0231": 0.5, "0213": 0.6, "0312": 0.4}
    rows = _rows({name: (won, 0.0, 1 - won) for name, won in pairs.items()})
    between = np.var([0.1, 0.6, 0.5])
    part = seats.explained_by_neighbours(rows, LINEUPS[0], "win_lord")
    assert part == pytest.approx((between / (between + 0.01), 0))
    rng, lineup = np.random.default_rng(4), LINEUPS[3]
    here = seats.of_lineup(made_up, lineup)
    truth = seats.explained_by_neighbours(here, lineup, "win_rebels").value
    games = [seats.explained_by_neighbours(_counted(rng, here, 60), lineup, "win_rebels") for _ in range(300)]
    values, errors = np.array(games).T
    assert abs(values.mean() - truth) < 4 * values.std() / np.sqrt(len(values))
    assert values.std() == pytest.approx(errors.mean(), rel=0.15)


#: What a seating that obeys looks like, read from the lord on; {} is a role's digit.
LOOKS = {
    "A loyalist and a rebel sit beside the lord": "01.*2|02.*1",
    "A loyalist and a renegade sit beside the lord": "01.*3|03.*1",
    "A rebel and a renegade sit beside the lord": "02.*3|03.*2",
    "No two rebels sit side by side": "((?!22).)*",
    "The rebels sit in one row": "[^2]*2+[^2]*",
    "The lord and the loyalists sit in one row": "01*[^1]*1*",
    "No two players of one side sit side by side": "0(?!1)((?!11|22|33).)*(?<!1)",
}
for digit, name in enumerate(("loyalist", "rebel", "renegade"), 1):
    LOOKS[f"A {name} sits directly after the lord"] = f"0{digit}.*"
    LOOKS[f"A {name} sits directly before the lord"] = f".*{digit}"
    LOOKS[f"No {name} sits beside the lord"] = f"0(?!{digit}).*(?<!{digit})"
    LOOKS[f"A {name} sits opposite the lord"] = "|".join(
        f".{{{behind}}}{digit}.{{{before}}}" for before in range(1, 5) for behind in range(before, before + 3)
    )


@pytest.mark.parametrize("rule", seats.RULES)
def test_rules_against_patterns(rule):
    assert len(LOOKS) == len(seats.RULES) == 19
    for lineup in LINEUPS:
        for name in lineup.seatings():
            assert seats.RULES[rule](name) == bool(re.fullmatch(LOOKS[rule], name)), name


def test_bal_noise_is_what_games_add():
    """Mean of Bal over many short runs, less its noise: Bal of a long run."""
    short = pd.DataFrame(seats.simulated(LINEUPS[2].seatings()[0], 50, seed) for seed in range(1000))
    long = seats.simulated(LINEUPS[2].seatings()[0], 200_000, 9999)
    corrected, noise = short["bal"] - short["bal_noise"], short["bal_noise"].mean()
    error = np.hypot(corrected.std() / np.sqrt(1000), long["bal_error"])
    assert abs(corrected.mean() - long["bal"]) < 4 * error < noise


def test_attacks_of_the_first_round():
    """Of four, the lord's neighbours aim at seat 3 only, which aims at both of them, and so does the lord."""
    for name in LINEUPS[0].seatings():
        assert seats.aimed_at(name).tolist() == [0, 1, 2, 1]
    assert {tuple(seats.aimed_at(name)) for name in LINEUPS[4].seatings()} == {(0, 1, 1.5, 1, 1, 1.5, 1)}
