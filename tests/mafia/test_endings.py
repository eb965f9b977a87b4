"""Who lives to see the end of Mafia, against the solver and towns that are played; and tables changed by name."""

import random
from fractions import Fraction

import numpy as np
import pytest

from gamebalance import mafia
from gamebalance.fairness.walks import follow
from gamebalance.mafia import Rules, Setup

TOWNS = [
    (Setup(1, 2), mafia.AS_CODED, "evening"),
    (Setup(2, 7), mafia.AS_CODED, "morning"),
    (Setup(2, 5, 1), mafia.AS_WRITTEN, "evening"),
    (Setup(2, 4, 1, 1), Rules(memory=True), "evening"),
    (Setup(1, 3, 0, 1), Rules(votes="odd days"), "evening"),
    (Setup(2, 3, 1, 0, 1, 1), mafia.AS_CODED, "evening"),
]


@pytest.mark.parametrize(("setup", "rules", "phase"), TOWNS, ids=lambda value: str(value)[:30])
def test_wins_are_those_of_the_solver(setup, rules, phase):
    found = mafia.endings(setup, rules, phase)
    sides = found.tally("side")
    assert sides.means[sides.labels.index("town")] == pytest.approx(mafia.solve(setup, rules, phase), abs=1e-9)
    lengths = mafia.length_distribution(setup, rules, phase).sum(axis=1)
    assert found.length.value >= (lengths.index * lengths).sum() - 1e-9
    assert sum(found.members) == setup.players and found.tally("role", "alive").means.max() <= 1


def play(dice: random.Random, mafiosi: int, innocents: int) -> tuple[int, int]:
    """Who is alive at the end of a town without special roles, with the stop at half in the morning."""
    while mafiosi and innocents:
        innocents -= 1
        if mafiosi >= innocents:
            break
        if dice.random() < mafiosi / (mafiosi + innocents):
            mafiosi -= 1
        else:
            innocents -= 1
    return mafiosi, innocents


def test_survival_as_played():
    """Within five standard errors of 20,000 towns."""
    dice = random.Random(3)
    alive = np.array([play(dice, 2, 9) for _ in range(20_000)]) / (2, 9)
    errors = alive.std(axis=0) / 20_000**0.5
    assert (abs(mafia.endings(Setup(2, 9)).tally("role", "alive").means - alive.mean(axis=0)) < 5 * errors).all()


def test_the_lead_goes_over_when_the_likelier_side_changes():
    """Two mafiosi and nine innocents, followed by hand with the solver's own chances of each town."""
    setup = Setup(2, 9)
    found = mafia.endings(setup)

    def following(state):
        mafiosi, innocents, phase = state
        if phase == "evening":
            return {} if not mafiosi else {(mafiosi, innocents - 1, "morning"): 1.0}
        if mafiosi >= innocents:
            return {}
        hit = mafiosi / (mafiosi + innocents)
        return {(mafiosi - 1, innocents, "evening"): hit, (mafiosi, innocents - 1, "evening"): 1 - hit}

    def leader(state):
        chance = mafia.win_probability(*state[:2], phase=state[2]) if all(state[:2]) else float(state[0] == 0)
        return None if chance == 0.5 else chance > 0.5

    walk = follow((2, 9, "evening"), following, leader)
    assert found.lead_changes.value == pytest.approx(walk.lead_changes) and walk.lead_changes > 0.1
    assert found.length.value == pytest.approx(walk.length)


TABLE = Setup(2, 5)


@pytest.mark.parametrize(
    ("changes", "setup", "rules"),
    [
        ({}, TABLE, Rules()),
        ({"detectives": 1}, Setup(2, 4, 1), Rules()),
        ({"mafiosi": 1, "doctors": 2}, Setup(1, 4, doctors=2), Rules()),
        ({"innocents": 6}, Setup(2, 6), Rules()),
        ({"innocents": 3, "hunters": 1}, Setup(2, 3, hunters=1), Rules()),
        ({"ties": "nobody", "odds": Fraction(3, 2)}, TABLE, Rules(ties="nobody", odds=Fraction(3, 2))),
        ({"dons": 1, "sheriffs": 1, "tells": "at death"}, Setup(2, 3, dons=1, sheriffs=1), Rules(tells="at death")),
    ],
)
def test_what_is_said_is_what_is_meant(changes, setup, rules):
    for phase in ("evening", "morning"):
        found, wanted = mafia.what_if(TABLE, phase=phase, **changes), mafia.endings(setup, rules, phase)
        assert found.labels == wanted.labels and list(found.members) == list(wanted.members)
        np.testing.assert_array_equal(found.tally("side").means, wanted.tally("side").means)
        np.testing.assert_array_equal(found.tally("role", of="alive").means, wanted.tally("role", of="alive").means)
        assert found.tally("side").means[1] == pytest.approx(mafia.solve(setup, rules, phase), abs=1e-12)
