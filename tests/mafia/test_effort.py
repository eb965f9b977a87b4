"""What is no such argument, or takes too much time or memory, is refused in one line; what takes long is announced."""

import sys
from itertools import product

import numpy as np
import pytest

from gamebalance import mafia
from gamebalance.base import announce
from gamebalance.mafia import Rules, Setup, balance, simulation, win
from gamebalance.mafia.kernels import values
from gamebalance.mafia.kernels.towns import cast, entries_of, number_of
from gamebalance.mafia.people import Town
from gamebalance.mafia.simulation import simulate
from tests.refusals import refused

DAYS = "2.0 days are allowed"
GIB = "2 GiB are allowed"

TELLING = Rules(memory=True, tells="every morning")

TOO_MUCH = {
    "fractions": (lambda: mafia.win_probability(1, 1500, exact=True), "players = 1501", "at most 1000 are"),
    "fractions with roles": (
        lambda: mafia.win_probability(1, 20, doctors=1, exact=True),
        "players = 22",
        "at most 20 w",
    ),
    "states": (
        lambda: mafia.win_probability(300, 600, 300, memory=True),
        "300 mafiosi, 600 innocents, 300 detectives, with memory",
        GIB,
    ),
    "a town of all roles": (
        lambda: mafia.solve(Setup(4, 10, 2, 2, 1, 2, 1, 1, 1, 1), TELLING),
        "4 mafiosi, 10 innocents, 2 detectives, 2 doctors, 1 witch, 2 hunters, 1 don, 1 sheriff, 1 vigilante",
        "a town takes 74 bits, 62 are allowed",
    ),
    "a town of many roles": (
        lambda: mafia.solve(Setup(3, 8, 1, 2, hunters=2, dons=1, sheriffs=1), TELLING),
        "3 mafiosi, 8 innocents, 1 detective, 2 doctors, 2 hunters, 1 don, 1 sheriff, with memory",
        GIB,
    ),
    "set-ups": (lambda: mafia.closest(2000), "4,002,000 combinations", "100,000 are allowed"),
    "a large table": (lambda: mafia.win_table(60_000), "max_players = 60000: 13.4 GiB", GIB),
    "fractions of a large town": (lambda: mafia.win_probability(500, 499, 1, exact=True), "exact = True, 500 maf", GIB),
    "fractions with memory": (
        lambda: mafia.solve(Setup(4, 4, 1, 4, hunters=4, sheriffs=1), TELLING, exact=True),
        "exact = True, 4 mafiosi",
        GIB,
    ),
    "a table of fractions": (lambda: mafia.win_table(1000, exact=True), "exact = True, max_players = 1000", DAYS),
    "a larger one": (lambda: mafia.win_table(1001, exact=True), "exact = True, max_players = 1001", "at most 1000"),
    "balance, any detectives": (lambda: mafia.balance_table(100_000, (0, None)), "100000 detectives", GIB),
    "games of a large town": (
        lambda: simulate(Setup(316, 99_684), 10**8, 1),
        "games = 100000000, 100000 players",
        DAYS,
    ),
    "lengths of a list": (lambda: mafia.closest(800, detectives=(0, 5), top=10**9), "top = 1000000000", DAYS),
    "the fairest": (lambda: balance.fairest_mafiosi(100_000, 1), "players = 100000", DAYS),
}

NO_SUCH = {
    "phase": (lambda: mafia.length_distribution(Setup(1, 2), phase=""), "phase = ''", "'evening'"),
    "rules": (lambda: mafia.length_distribution(Setup(1, 4), None), "rules = None", "a Rules object"),
    "players": (lambda: mafia.win_table(1), "max_players = 1", "from 2 to 100000"),
    "no players": (lambda: mafia.balance_table(3, min_players=5), "min_players = 5", "from 2 to 3"),
    "detectives": (lambda: mafia.win_table(10, 11), "detectives = 11", "from 0 to 10"),
    "empty range": (lambda: mafia.balance_table(10, (3, 1)), "detectives = (3, 1)", "empty"),
    "three ends": (lambda: mafia.balance_table(10, (1, 2, 3)), "detectives = (1, 2, 3)", "smallest"),
    "beyond": (lambda: mafia.balance_table(4, (5, None)), "detectives = (5, None)", "max_players = 4"),
    "memory": (lambda: mafia.win_table(10, 1, rules=Rules(memory=True)), "rules.memory = True", "without memory"),
    "nothing fits": (lambda: mafia.closest(5, mafiosi=4, doctors=2), "mafiosi = 4", "players = 5"),
    "top": (lambda: mafia.closest(5, top=0), "top = 0", "1 or more"),
    "two witches": (lambda: mafia.closest(5, witches=2), "witches = 2", "from 0 to 1"),
}


@pytest.mark.parametrize(
    ("call", "named", "allowed"), [*TOO_MUCH.values(), *NO_SUCH.values()], ids=[*TOO_MUCH, *NO_SUCH]
)
def test_what_is_refused_is_named_in_one_line_with_what_is_allowed(call, named, allowed):
    with refused(named, allowed):
        call()


def test_a_long_simulation_is_announced_and_handed_out_in_pieces_that_end_soon(monkeypatch):
    told, pieces = [], []
    monkeypatch.setattr(announce, "_listeners", [told.append])
    monkeypatch.setattr(announce, "_said", set())
    monkeypatch.setattr(simulation, "PERSON", 1e-3)
    town = Setup(100, 1900)
    sample = simulate(town, 2500, 3, workers=2, progress=pieces.append)
    told = [line for line in told if not line.startswith("compiling")]
    assert told == ["games = 2500, 2000 players: this takes about 83 minutes on one core"]
    assert sum(pieces) == 2500 and max(pieces) * town.players <= 1 << 21
    monkeypatch.setattr(sys.modules[simulate.__module__], "PERSONS", 1 << 40)
    assert simulate(town, 2500, 3).endings == sample.endings


def test_the_towns_that_come_about_are_foretold_within_a_factor_of_five():
    """Counted in the compiled solver, for tables with and without what a sheriff tells."""
    for written, rules in (
        ("10: don, 2 mafiosi, sheriff, 6 citizens", Rules("always")),
        ("10: don, 2 mafiosi, sheriff, 6 citizens", Rules("always", tells="at a find")),
        ("15: 3 mafiosi, cop, medic, vigilante, 9 citizens", Rules("always", tells="at death")),
        ("12: 2 mafiosi, 2 detectives, doctor, witch, 2 hunters, 4 citizens", Rules(memory=True)),
        ("12: don, 2 mafiosi, sheriff, vigilante, doctor, bodyguard, 5 citizens", Rules("always", tells="at death")),
    ):
        setup = Setup.read(written)
        people = cast(setup, rules)
        start = np.array([number_of(Town.of(setup, rules), people)])
        counted = entries_of(values.solve(start, people, rules, setup.players).towns)
        assert counted / 5 < win.towns(setup, rules) < 5 * counted
        assert win.towns(setup, rules, setup.players) == win.towns(setup, rules)
        less = win.towns(setup, rules, setup.players - 3)
        assert 0 < less < win.towns(setup, rules)


def test_towns_with_so_many_living_are_counted_one_by_one():
    """Up to three of two mafiosi and three innocents, one of whom may be a doctor: 2 x 3 x 4 x 2 less those of more."""
    bounds = Setup(2, 3, doctors=1)
    several = [people for people in product(range(3), range(4), range(2)) if sum(people) <= 3]
    assert win.towns(bounds, Rules(), 3) == pytest.approx(len(several))


def test_a_long_solution_is_announced(monkeypatch):
    told = []
    monkeypatch.setattr(announce, "_listeners", [told.append])
    monkeypatch.setattr(announce, "_said", set())
    monkeypatch.setattr(win, "TOWN", 1.0)
    mafia.solve(Setup(2, 5, doctors=1))
    assert [line for line in told if "takes about" in line] == [
        "up to 2 mafiosi, 5 innocents, 1 doctor: this takes about 36 seconds on one core"
    ]
