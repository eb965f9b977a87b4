"""Nights beside chance: who counts, and what chance is."""

import pandas as pd
import pytest
from scipy import stats

from chapters.real import nights
from tests.refusals import refuses

NIGHTS = pd.DataFrame(
    [
        (1, 15, 3, 2, 2, 1, 0, "nobody", 6),
        (1, 15, 3, 2, 2, 1, 1, "nobody", 3),
        (1, 15, 3, 2, 1, 1, 0, "nobody", 5),  # both shots at one person
        (2, 12, 2, 1, 1, 1, 1, "mafioso", 2),
        (2, 11, 3, 2, 2, 0, 0, "townsman", 1),
        (2, 11, 3, 2, 2, 1, 0, "nobody", 9),
        (3, 8, 2, 1, 1, 1, 0, "unable", 7),
    ],
    columns="night alive mafiosi_alive shots targets medic_alive saved vigilante games".split(),
)
CHECKS = pd.DataFrame(
    [(1, 15, 3, 0, 10), (1, 15, 3, 1, 4), (2, 11, 2, 1, 3), (3, 6, 1, 0, 5)],
    columns=["night", "alive", "mafiosi_alive", "mafioso_found", "checks"],
)
VICTIMS = pd.DataFrame(
    [("cop", 0, 3), ("medic", 0, 2), ("no role", 0, 10), ("no role", 1, 5)], columns=["role", "saved", "victims"]
)


def test_what_is_seen_and_what_chance_gives():
    found = nights.against_chance(NIGHTS, CHECKS, VICTIMS)
    assert found["seen"].tolist() == [4, 3, 2, 3, 5] and found["of"].tolist() == [14, 8, 3, 9, 20]
    chances = [3 / 14, (3 * 2 / 10 + 5 / 5) / 8, (2 * 2 / 11 + 3 / 10) / 3, 2 / 15, 3 / 12]
    assert found["chance"].tolist() == pytest.approx(chances)
    assert found["share"].tolist() == pytest.approx((found["seen"] / found["of"]).tolist())
    cop = found.iloc[0]
    assert cop["p_value"] == pytest.approx(stats.binomtest(4, 14, 3 / 14).pvalue)
    assert cop["low"] < cop["share"] < cop["high"]


def test_a_vigilante_who_is_unable_does_not_count():
    assert nights.vigilante_shoots(NIGHTS).to_dict() == pytest.approx({1: 0, 2: 0.25})


test_refused = refuses(
    (lambda: nights.vigilante_shoots(NIGHTS.assign(vigilante="x")), "nights.vigilante = 'x': one of"),
    (lambda: nights.against_chance(NIGHTS, CHECKS.drop(columns="night"), VICTIMS), "a table with a column night"),
    (lambda: nights.against_chance(NIGHTS, CHECKS, VICTIMS.assign(role="don")), "first_victims.role = 'don': one of"),
)
