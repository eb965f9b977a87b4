"""Fractions of whole games with all roles, from the readable rules and from the compiled solver, which share no code.

With the compiler off, the fractions show `make mutants` changes of a night or a day (see tools/mutants.toml).
"""

from fractions import Fraction as F

import pytest

from gamebalance.mafia.exact import solve_exactly
from gamebalance.mafia.rules import Rules
from gamebalance.mafia.setups import Setup
from gamebalance.mafia.win import chances_of

GAMES = {
    "a don looks for a sheriff who speaks each morning": (
        Setup(0, 3, dons=1, sheriffs=1),
        Rules("never", tells="every morning"),
        "evening",
        F(31, 32),
    ),
    "a don and a mafioso, a sheriff who speaks at a find": (
        Setup(1, 3, dons=1, sheriffs=1),
        Rules("never", tells="at a find"),
        "evening",
        F(121, 300),
    ),
    "a don, a sheriff who speaks at his death, detectives who remember": (
        Setup(0, 2, detectives=1, dons=1, sheriffs=1),
        Rules("never", memory=True, tells="at death"),
        "evening",
        F(1423, 1536),
    ),
    "two shots and a witch": (
        Setup(2, 3, witches=1),
        Rules("never", kills=2, potion=F(1, 3)),
        "evening",
        F(9973, 58320),
    ),
    "hunters and a vote that takes all": (
        Setup(2, 1, hunters=3),
        Rules("never", ties="all"),
        "evening",
        F(24437, 27648),
    ),
    "a bodyguard, a vigilante and a doctor": (
        Setup(1, 1, doctors=1, bodyguards=1, vigilantes=1),
        Rules("never", kills=2, shot=F(1, 3), bullets=2),
        "evening",
        F(101303, 207360),
    ),
    "shots aimed apart, a bodyguard and a witch": (
        Setup(1, 1, witches=1, bodyguards=1, doctors=1),
        Rules("never", kills=2, aim="apart", potion=F(1, 3)),
        "evening",
        F(1821009673, 3023308800),
    ),
    "odds, and ties in which nobody leaves": (
        Setup(1, 3, sheriffs=1),
        Rules(tells="at a find", odds=F(3), ties="nobody"),
        "morning",
        F(23446109, 30965760),
    ),
    "two mafiosi, and a sheriff whom a vote may find right": (
        Setup(2, 3, sheriffs=1),
        Rules("never", tells="at a find", ties="all"),
        "evening",
        F(150317, 276480),
    ),
    "a vigilante who knows what a sheriff has said": (
        Setup(2, 2, sheriffs=1, vigilantes=1),
        Rules("never", tells="every morning", shot=F(1, 2)),
        "evening",
        F(6049, 8640),
    ),
    "a mafia that may not agree, and a hunter": (
        Setup(2, 2, hunters=1),
        Rules("never", agreement=F(2, 3)),
        "evening",
        F(37, 81),
    ),
    "a bodyguard and a vigilante's shot": (
        Setup(1, 2, bodyguards=1, vigilantes=1),
        Rules("never", shot=F(1, 2)),
        "evening",
        F(455, 768),
    ),
    "a don who remembers whom he has seen": (
        Setup(1, 4, dons=1, sheriffs=1),
        Rules("never", tells="at death"),
        "evening",
        F(27559, 43200),
    ),
    "three mafiosi, of whom a dead sheriff names two": (
        Setup(3, 3, sheriffs=1),
        Rules("never", tells="at death", ties="nobody"),
        "evening",
        F(2508419, 38400000),
    ),
    "a sheriff who has nothing to say on the first day": (
        Setup(1, 3, sheriffs=1),
        Rules("never", tells="every morning"),
        "morning",
        F(11, 15),
    ),
}


@pytest.mark.parametrize(("setup", "rules", "phase", "chance"), GAMES.values(), ids=GAMES)
def test_fraction(setup, rules, phase, chance):
    assert solve_exactly(setup, rules, phase) == chance


@pytest.mark.parametrize(("setup", "rules", "phase", "chance"), GAMES.values(), ids=GAMES)
def test_the_compiled_solver_agrees(setup, rules, phase, chance):
    assert abs(chances_of([setup], setup, rules, phase)[0] - chance) < 1e-12
