"""What takes too much time or memory is refused in one line before it is begun; what takes long is announced."""

import sys

import pytest

from gamebalance import _announce, mafia
from gamebalance.mafia import Rules, Setup, _effort, balance, compare, theory, variants, worth
from gamebalance.mafia.simulate import simulate

DAYS = "2.0 days are allowed"
GIB = "2 GiB are allowed"

TOO_MUCH = {
    "fractions of a large town": (lambda: mafia.win_probability(500, 499, 1, exact=True), "exact = True, 500 maf", GIB),
    "fractions with memory": (
        lambda: mafia.win_probability(4, 5, 1, doctors=5, hunters=5, memory=True, exact=True),
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
    "candidates": (lambda: compare.candidates(100_000), "players = 100000", GIB),
    "arbitrary cells": (lambda: compare.arbitrary_cells(100_000), "most_players = 100000", DAYS),
    "roles": (lambda: worth.worth_table(100_000), "with memory", GIB),
    "memory": (lambda: variants.worth_of_memory([100_000], [1]), "with memory", GIB),
    "kept tables": (lambda: theory.exact_chances(range(100_000), 300, 300), "100000 tables of up to 300 mafiosi", GIB),
    "surprises": (lambda: theory.surprises(3000), "3001 tables", GIB),
}

NO_NUMBER = {
    "players of a table": (
        lambda: worth.worth_table(10**9),
        "max_players = 1000000000: a whole number",
    ),
    "players of chances": (lambda: theory.exact_chances([10**12], 3, 3), "players = 1000000000000"),
    "no list of players": (lambda: theory.exact_chances(5, 3, 3), "players = 5: a list is needed"),
    "text for detectives": (lambda: theory.fair_shares([100], ["a"]), "detectives = 'a': a whole number from 0"),
    "no cases": (lambda: theory.distances([100], []), "cases = []: pairs of"),
    "cases that are no pairs": (lambda: theory.distances([100], [5]), "cases = [5]: pairs of"),
    "a number without end": (lambda: theory.fair_share(10**3000), "detectives = 1000"),
    "an absurd share": (lambda: theory.limit(1e300), "share = 1e+300"),
    "an absurd drift": (lambda: theory.fluid_drift(1e308, 1), "mafiosi = 1e+308"),
    "exact as a text": (lambda: mafia.win_probability(1, 2, exact="no"), "exact = 'no': True or False is needed"),
    "exact table as a number": (lambda: mafia.win_table(5, exact=2), "exact = 2: True or False is needed"),
    "memory as a number": (lambda: Rules(memory=1), "memory = 1: True or False is needed"),
    "votes as a list": (lambda: Rules(votes=["every day"]), "votes = ['every day']: one of"),
    "half rule as None": (lambda: Rules(half_rule=None), "half_rule = None: one of"),
    "potion as a text": (lambda: Rules(potion="1/2"), "potion = '1/2': a probability"),
    "potion of no number": (lambda: Rules(potion=float("nan")), "potion = nan: a probability"),
    "potion as True": (lambda: Rules(potion=True), "potion = True: a probability"),
}


@pytest.mark.parametrize(("call", "named", "allowed"), TOO_MUCH.values(), ids=TOO_MUCH)
def test_too_much_is_refused_by_name_with_what_is_needed_and_allowed(call, named, allowed):
    with pytest.raises(ValueError) as refused:
        call()
    message = str(refused.value)
    assert named in message and allowed in message and "\n" not in message


@pytest.mark.parametrize(("call", "named"), NO_NUMBER.values(), ids=NO_NUMBER)
def test_what_is_no_such_argument_is_refused_by_name(call, named):
    with pytest.raises(ValueError) as refused:
        call()
    assert named in str(refused.value) and "\n" not in str(refused.value)


def test_a_long_simulation_is_announced_and_handed_out_in_pieces_that_end_soon(monkeypatch):
    told, pieces = [], []
    monkeypatch.setattr(_announce, "_listeners", [told.append])
    monkeypatch.setattr(_announce, "_said", set())
    monkeypatch.setattr(_effort, "PERSON", 1e-3)
    town = Setup(100, 1900)
    sample = simulate(town, 2500, 3, workers=2, progress=pieces.append)
    assert told == ["games = 2500, 2000 players: this takes about 83 minutes on one core"]
    assert sum(pieces) == 2500 and max(pieces) * town.players <= 1 << 21
    monkeypatch.setattr(sys.modules[simulate.__module__], "PERSONS", 1 << 40)
    assert simulate(town, 2500, 3).endings == sample.endings
