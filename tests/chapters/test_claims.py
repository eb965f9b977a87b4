"""The verdicts on the report's claims: each turns with the numbers, and is withheld when they are too rough."""

from math import sqrt

import pytest

from chapters.claims import (
    Measures,
    all_lineups,
    measure,
    ranking,
)
from chapters.claims_verdicts import (
    DECISIONS,
    all_claims,
    claim_table,
    judge,
    verdict_table,
)
from gamebalance.base.estimates import Estimate
from gamebalance.sanguosha import LINEUPS, Lineup, Outcomes, Role, Scoring

#: The names in each part of the results.
NAMES = {
    "lineups": tuple(map(str, LINEUPS)),
    "seatings": Lineup(1, 1, 1).seatings(),
    "every": tuple(map(str, all_lineups())),
    "methods": ("transfer", "monte carlo", "exact"),
}
ROUGH = 1e9


def made_up(players, error, survival=(40, 20, 10, 30), scores=(8, 4, 2, 10), winning=(45, 45, 20, 35), **single):
    """Measures with these values; the four measures that are single numbers are 5 where nothing else is said."""
    roles = (tuple(Estimate(value, error) for value in values) for values in (survival, scores, winning))
    numbers = (Estimate(single.get(name, 5.0), error) for name in ("bal", "rat", "win_spread", "win_spread_each"))
    return Measures(players, *roles, *numbers)


def world(part, values, error=1e-3):
    """Measures by name in which `part` has these values: field -> value, or function of the name; methods by name."""
    found = {}
    for name in NAMES[part]:
        special = {field: of(name) if callable(of) else of for field, of in values.items()}
        if part == "methods":
            special = values.get(name, {})
        given = {field: value for field, value in special.items() if value is not None}
        found[name] = made_up(players(name) if part in ("lineups", "every") else 4, error, **given)
    return found


def players(name):
    return Lineup.parse(name).players


def at(special, value, otherwise=None):
    """One value for the line-ups named, another for the rest, which is that of `made_up` where none is given."""
    return lambda name: value if name in special else otherwise


def by_size(*values):
    """A value for each number of players, from four to ten."""
    return lambda name: values[players(name) - 4]


def role_by_size(role, *values, base=(40, 20, 10, 30)):
    """The four roles' values, with one role's by number of players."""
    return lambda name: tuple(values[players(name) - 4] if other == role else base[other] for other in Role)


FOUR, BEST = ("1-1-1-1",), ("1-1-2-2",)
LARGE = ("1-3-4-1", "1-3-4-2")
UP, DOWN = (1, 2, 3, 4, 5, 6, 7), (7, 6, 5, 4, 3, 2, 1)
BUMP, DIP = (1, 2, 3, 4, 3.5, 6, 7), (7, 6, 5, 4, 4.5, 2, 1)
NEAR, FAR = (40, 20, 19, 30), (40, 20, 10, 30)
OFF = {"survival": (42, 20, 10, 30), "scores": (9, 4, 2, 10)}

#: For readings of each kind: values, of the part of the results that it needs, that make it true, and others: false.
CASES = {
    "§6.3 (1a)": ({}, {"transfer": {"scores": (8, 4, 2, 10.02)}}),
    "§6.3 (3a)": ({"scores": at(FOUR, (8, 4, 2, 19))}, {"scores": at(LARGE, (19, 4, 2, 8))}),
    "§6.3 (3b)": ({"scores": (8, 4, 2, 10)}, {"scores": at(("0132",), (8, 4, 2, 7))}),
    "§8.2 (1a)": ({"bal": at(BEST, 1)}, {"bal": at(FOUR, 1)}),
    "§8.2 (2b)": (
        {"winning": at(FOUR, (40, 40, 10, 50), (40, 40, 20, 40))},
        {"winning": at(FOUR, (40, 40, 10, 8), (40, 40, 20, 40))},
    ),
    "§8.2 (2c)": ({"winning": (40, 40, 10, 50)}, {"winning": at(("0132",), (84, 84, 9, 7), (40, 40, 10, 50))}),
    "§8.2 (3a)": ({"bal": at((*LARGE, *FOUR), 9)}, {"bal": at((*LARGE, "1-2-3-1"), 9, 10)}),
    "§8.2 (3b)": ({"survival": at(LARGE, (60, 20, 10, 30))}, {"survival": at(LARGE, (40, 20, 10, 31))}),
    "§8.2 (4b)": ({"rat": by_size(9, 9, 9, 2, 2, 5, 5)}, {"rat": by_size(9, 9, 2, 2, 2, 5, 5)}),
    "§8.2 (5a)": ({"survival": role_by_size(0, *UP)}, {"survival": role_by_size(0, *BUMP)}),
    "§8.2 (5b)": ({"survival": role_by_size(0, *BUMP)}, {"survival": role_by_size(0, *DIP)}),
    "§8.2 (5c)": ({"survival": FAR}, {"survival": at(BEST, (40, 20, 31, 30))}),
    "§8.2 (6c)": (
        {"scores": role_by_size(3, *(10 + value for value in DOWN), base=(8, 4, 2, 10))},
        {"scores": role_by_size(3, *(10 + value for value in DIP), base=(8, 4, 2, 10))},
    ),
    "§9 (1a)": ({}, {"transfer": {"survival": (40, 20, 10, 41)}}),
    "§9 (1b)": ({"exact": OFF}, {"transfer": {"scores": (8, 4, 2, 10.1)}}),
    "§9 (2a)": ({"transfer": OFF}, {"exact": OFF}),
    "§9 (3a)": ({"exact": OFF}, {"transfer": OFF}),
    "§10 (2a)": ({"survival": at(FOUR, (50, 21, 0, 40))}, {"survival": at(FOUR, (50, 31, 9, 40))}),
    "§10 (3a)": ({"survival": at(LARGE, NEAR)}, {"survival": at((*LARGE[:1], "1-2-3-1"), NEAR)}),
    "§10 (4b)": (
        {"survival": role_by_size(3, 1, 2, 3, 9, 8, 7, 6)},
        {"survival": role_by_size(3, 9, 8, 7, 5, 4, 6, 3)},
    ),
    "§10 (5a)": ({"bal": by_size(5, 5, 1, 1, 1, 5, 5)}, {"bal": by_size(5, 3, 1, 4, 1, 5, 5)}),
    "§10 (5b)": ({"bal": by_size(9, 3, 1, 4, 1, 5, 5)}, {"bal": by_size(2, 2, 3, 3, 3, 9, 9)}),
    "§10 (5f)": ({"rat": at(BEST, 1)}, {"rat": at(LARGE, 1)}),
    "§10 (6a)": ({}, {"scores": at(("1-1-2-1",), (8, 1, 2, 10))}),
    "§10 (6b)": ({"survival": at(FOUR, (40, 30, 1, 40))}, {"survival": at(BEST, (40, 30, 1, 40))}),
    "§10 (7a)": (
        {"survival": (40, 20, 10, 30), "scores": (9, 4, 3, 8)},
        {"survival": at(LARGE[1:], (20, 20, 10, 20)), "scores": (9, 4, 3, 8)},
    ),
    "§10 (7b)": ({}, {"scores": at(LARGE[1:], (11, 4, 2, 10))}),
}
EXACTLY_TWO = {place for place in CASES if place.startswith("§9") and place != "§9 (1a)"}
PART_OF = {place: part for part, decisions in DECISIONS.items() for place in decisions}


def verdict_on(place, values, error=1e-3):
    """The verdict on a reading, and its numbers, where the part of the results that it needs has these values."""
    part = PART_OF[place]
    return judge(**{part: world(part, values, error)}).set_index("place").loc[place, ["verdict", "numbers"]].tolist()


def test_every_reading_has_a_decision():
    stated = [f"{claim['place'][:-1]}{letter})" for claim in all_claims() for letter in claim["readings"]]
    assert stated == judge(**{part: world(part, {}) for part in DECISIONS})["place"].tolist()
    assert set(CASES) < set(stated) == set(PART_OF)
    for claim in all_claims():
        assert "".join(claim["readings"]) == "abcdef"[: len(claim["readings"])]
        assert bool(claim["depends_on"]) == (len(claim["readings"]) > 1)


@pytest.mark.parametrize("place", CASES)
def test_each_verdict_turns_round_with_the_numbers(place):
    """Rough numbers decide nothing; in §9 they agree, which is the claim, and §6.3 (1a) does not look at errors."""
    for values, exactly in zip(CASES[place], ("true", "false"), strict=True):
        assert verdict_on(place, values)[0] == exactly
        expected = exactly if place == "§6.3 (1a)" else "true" if place in EXACTLY_TWO else "undecided"
        assert verdict_on(place, values, ROUGH)[0] == expected


# ---- Measures.


def test_measures_by_hand():
    """Ten games with two renegades; the chance to win and its spread, for roles and for members."""
    shares = {(1, 1, 0, 0): 0.2, (1, 0, 0, 0): 0.1, (0, 0, 0, 1): 0.6, (0, 0, 2, 2): 0.1}
    outcomes = Outcomes(Lineup(1, 2, 2), shares, games=10)
    found = measure(outcomes)
    assert [role.value for role in found.survival] == pytest.approx([30, 20, 10, 40])
    assert [role.value for role in found.winning] == pytest.approx([30, 30, 10, 60])
    assert found.winning[3].error == pytest.approx(100 * sqrt(0.6 * 0.4 / 10))
    assert found.win_spread.value == pytest.approx(100 * (2 * 0.025**2 + 0.225**2 + 0.275**2))
    assert found.win_spread_each.value == pytest.approx(100 * (3 * 0.05**2 + 0.15**2))
    assert found.bal == Estimate(pytest.approx(100 * (2 * 0.05**2 + 2 * 0.15**2)), 100 * outcomes.balance_error)
    shared = measure(outcomes, Scoring(share_consolation=True))
    assert found.scores[3].value - shared.scores[3].value == pytest.approx(0.1 * 7.5)


def test_ranks_know_their_limits():
    values = {"1-1-1-1": (1, 0.1), "1-1-2-1": (3, 0.2), "1-1-3-1": (3.1, 0.2), "1-3-1-1": (9, 0.3)}
    found = ranking({name: made_up(players(name), 0)._replace(bal=Estimate(*values[name])) for name in values})
    assert found["line-up"].tolist() == list(values)
    assert found[["rank", "at best", "at worst"]].to_numpy().tolist() == [[1, 1, 1], [2, 2, 3], [3, 2, 3], [4, 4, 4]]
    assert found["in the report"].tolist() == ["yes", "yes", "yes", "no"]


# ---- Tables of verdicts.


def test_a_claim_is_what_its_readings_are():
    table = verdict_table(*[judge(lineups=world("lineups", {}))] * 3)
    first = table["place"].str.startswith("§8.2 (1")
    for verdicts, whole in {
        "true true": "true",
        "false false": "false",
        "true false": "depends",
        "true undecided": "undecided",
        "depends true": "depends",
        "true false undecided": "depends",
    }.items():
        table.loc[first, "verdict"] = (verdicts.split() * 3)[: first.sum()]
        row = claim_table(table).set_index("place").loc["§8.2 (1)"]
        assert (verdicts, row["verdict"]) == (verdicts, whole)
        assert bool(row["depends on"]) == (whole == "depends")
    table.loc[first, "verdict"] = ["true", "false", "true"]
    assert claim_table(table).set_index("place").loc["§8.2 (1)", ["true in", "false in"]].tolist() == ["a, c", "b"]
