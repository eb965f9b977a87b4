"""Fractions of whole games with all roles, from the readable rules and from the compiled solver, which share no code.

With the compiler off, the fractions show `make mutants` changes of a night or a day (see tools/mutants.toml).
"""

from fractions import Fraction as F

import pytest

from gamebalance.mafia.exact import solve_exactly
from gamebalance.mafia.rules import Rules
from gamebalance.mafia.setups import Setup
from gamebalance.mafia.win import chances_of

EVENINGS = [
    # A don looks for a sheriff who speaks each morning.
    (Setup(0, 3, dons=1, sheriffs=1), Rules("never", tells="every morning"), F(31, 32)),
    # A don and a mafioso, a sheriff who speaks at a find.
    (Setup(1, 3, dons=1, sheriffs=1), Rules("never", tells="at a find"), F(121, 300)),
    # A don, a sheriff who speaks at his death, detectives who remember.
    (Setup(0, 2, detectives=1, dons=1, sheriffs=1), Rules("never", memory=True, tells="at death"), F(1423, 1536)),
    # Two shots and a witch.
    (Setup(2, 3, witches=1), Rules("never", kills=2, potion=F(1, 3)), F(9973, 58320)),
    # Hunters and a vote that takes all.
    (Setup(2, 1, hunters=3), Rules("never", ties="all"), F(24437, 27648)),
    # A bodyguard, a vigilante and a doctor.
    (
        Setup(1, 1, doctors=1, bodyguards=1, vigilantes=1),
        Rules("never", kills=2, shot=F(1, 3), bullets=2),
        F(101303, 207360),
    ),
    # Shots aimed apart, a bodyguard and a witch.
    (
        Setup(1, 1, witches=1, bodyguards=1, doctors=1),
        Rules("never", kills=2, aim="apart", potion=F(1, 3)),
        F(1821009673, 3023308800),
    ),
    # Two mafiosi, and a sheriff whom a vote may find right.
    (Setup(2, 3, sheriffs=1), Rules("never", tells="at a find", ties="all"), F(150317, 276480)),
    # A vigilante who knows what a sheriff has said.
    (Setup(2, 2, sheriffs=1, vigilantes=1), Rules("never", tells="every morning", shot=F(1, 2)), F(6049, 8640)),
    # A mafia that may not agree, and a hunter.
    (Setup(2, 2, hunters=1), Rules("never", agreement=F(2, 3)), F(37, 81)),
    # A bodyguard and a vigilante's shot.
    (Setup(1, 2, bodyguards=1, vigilantes=1), Rules("never", shot=F(1, 2)), F(455, 768)),
    # A don who remembers whom he has seen.
    (Setup(1, 4, dons=1, sheriffs=1), Rules("never", tells="at death"), F(27559, 43200)),
    # Three mafiosi, of whom a dead sheriff names two.
    (Setup(3, 3, sheriffs=1), Rules("never", tells="at death", ties="nobody"), F(2508419, 38400000)),
]
MORNINGS = [
    # Odds, and ties in which nobody leaves.
    (Setup(1, 3, sheriffs=1), Rules(tells="at a find", odds=F(3), ties="nobody"), F(23446109, 30965760)),
    # A sheriff who has nothing to say on the first day.
    (Setup(1, 3, sheriffs=1), Rules("never", tells="every morning"), F(11, 15)),
]
GAMES = [(*game, "evening") for game in EVENINGS] + [(*game, "morning") for game in MORNINGS]


@pytest.mark.parametrize(("setup", "rules", "chance", "phase"), GAMES)
def test_fraction(setup, rules, chance, phase):
    assert solve_exactly(setup, rules, phase) == chance


@pytest.mark.parametrize(("setup", "rules", "chance", "phase"), GAMES)
def test_the_compiled_solver_agrees(setup, rules, chance, phase):
    assert abs(chances_of([setup], setup, rules, phase)[0] - chance) < 1e-12
