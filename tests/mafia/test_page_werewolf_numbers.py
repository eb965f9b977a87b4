"""The page that weighs a set-up of Werewolf, in a browser: its numbers are those of the library."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from gamebalance.mafia import HALF_RULES, PHASES, VOTES, Rules, Setup, length_distribution, solve
from tests.mafia.page_solver import FINISH, people, plain, solved

pytestmark = pytest.mark.browser
TOWNS = [
    Setup(1, 2), Setup(2, 7), Setup(2, 3, detectives=1), Setup(3, 9, detectives=2), Setup(1, 4, doctors=1),
    Setup(2, 4, doctors=2, hunters=1), Setup(2, 4, witches=1, hunters=1), Setup(1, 1, hunters=3),
    Setup(1, 0, doctors=1), Setup(2, 3, detectives=1, doctors=1, witches=1, hunters=1), Setup(0, 3), Setup(3, 0),
    Setup(0, 0),
]  # fmt: skip
ROLES = ("detectives", "doctors", "witches", "hunters")


def test_chances_are_the_librarys(solver):
    rules = [Rules(*each) for each in product(HALF_RULES, VOTES, (False, True), (Fraction(1, 2), Fraction(1)))]
    cases = list(product(TOWNS, rules, PHASES))
    found = solved(solver, cases)
    assert len(found) == len(TOWNS) * 36 * 2
    for (setup, each, phase), (chance, *_) in zip(cases, found, strict=True):
        assert chance == pytest.approx(solve(setup, each, phase), abs=1e-12), (setup, each, phase)
    assert len({round(chance, 9) for chance, *_ in found}) > 150


def test_larger_tables_have_the_same_chances(solver):
    cases = [
        (Setup(4, 15, detectives=1), Rules(), "evening"),
        (Setup(5, 18, detectives=1), Rules("always", "odd days"), "morning"),
        (Setup(3, 9, doctors=1, witches=1, hunters=2), Rules(), "evening"),
        (Setup(3, 8, detectives=2, doctors=1), Rules("never", memory=True), "evening"),
    ]
    for case, (chance, *_) in zip(cases, solved(solver, cases), strict=True):
        assert chance == pytest.approx(solve(*case), abs=1e-12), case


@pytest.mark.parametrize("votes", VOTES)
@pytest.mark.parametrize("phase", PHASES)
def test_games_are_as_long_as_the_library_says(solver, votes, phase):
    shares = (0.05, 0.1, 0.5, 0.9, 0.999)
    cases = [(setup, Rules(votes=votes), phase) for setup in TOWNS if setup.players]
    for (setup, rules, _), (_, mean, until) in zip(cases, solved(solver, cases, shares), strict=True):
        games = length_distribution(setup, rules, phase).sum(axis=1)
        assert mean == pytest.approx((games * games.index).sum(), abs=1e-9), setup
        over = games.cumsum().to_numpy()
        assert until == [int(np.argmax(over >= share - 1e-12)) for share in shares], setup


def test_the_fairest_set_ups_are_the_nearest_of_all(solver):
    """All sets of roles, and all numbers of mafiosi while the town wins one game in ten."""
    players, rules = 9, Rules("always")
    expected = []
    for size in range(len(ROLES) + 1):
        for roles in combinations(ROLES, size):
            for mafiosi in range(1, players // 2 + 1):
                setup = Setup(mafiosi, players - mafiosi - size, **dict.fromkeys(roles, 1))
                expected.append((solve(setup, rules), people(setup)))
    distances = sorted(abs(chance - 0.5) for chance, _ in expected if chance >= 0.1)
    script = (
        f"([players, roles, rules]) => {{ {FINISH} return finish(search.fairest(players, roles, rules, 'evening')); }}"
    )
    found = solver.evaluate(script, [players, list(ROLES), plain(rules)])
    assert [abs(each["chance"] - 0.5) for each in found] == pytest.approx(distances[:10], abs=1e-12)
    by_setup = {tuple(sorted(setup.items())): chance for chance, setup in expected}
    for each in found:
        assert by_setup[tuple(sorted(each["setup"].items()))] == pytest.approx(each["chance"], abs=1e-12)


def test_repairs_are_the_best_of_all_single_changes(solver):
    """One citizen, one role or one rule of three, each solved again by the library."""
    setup, rules = Setup(2, 5, doctors=1), Rules()
    near = {}
    for more in (1, -1):
        near["citizen", more] = solve(Setup(2, 5 + more, doctors=1), rules)
    counts = {"mafiosi": 2, "innocents": 5, "doctors": 1, "detectives": 0}
    for old, new in product(("mafiosi", "innocents", "doctors"), counts):
        if old != new:
            near[old, new] = solve(Setup(**(counts | {old: counts[old] - 1, new: counts[new] + 1})), rules)
    near |= {("half_rule", half): solve(setup, Rules(half)) for half in ("always", "never")}
    near |= {("votes", votes): solve(setup, Rules(votes=votes)) for votes in ("odd number", "odd days")}
    near["phase", "morning"] = solve(setup, rules, "morning")
    script = f"""([setup, rules, choices]) => {{
        {FINISH}
        const all = search.changes({{ setup, rules, phase: "evening", may: ["detectives"] }}, choices);
        const found = finish(search.tried(all));
        const name = ({{ kind, more, from, to, name, value }}) =>
            kind === "citizen" ? [kind, more] : kind === "role" ? [from, to] : [name, value];
        const tell = (change) => [...name(change), change.chance];
        return [found.map(tell), search.repairs(found, {solve(setup, rules)}, 3).map(tell)];
    }}"""
    choices = {"half_rule": list(HALF_RULES), "votes": list(VOTES), "phase": list(PHASES)}
    found, best = solver.evaluate(script, [people(setup), plain(rules), choices])
    assert {(one, other): chance for one, other, chance in found} == pytest.approx(near, abs=1e-12)
    nearest = sorted(near.values(), key=lambda chance: abs(chance - 0.5))[:3]
    assert [chance for *_, chance in best] == pytest.approx(nearest, abs=1e-12)
    assert max(abs(chance - 0.5) for chance in nearest) < abs(solve(setup, rules) - 0.5)


@pytest.mark.parametrize(("voters", "candidates"), [(2, 2), (3, 3), (4, 3), (5, 2), (5, 5), (6, 3)])
def test_ties_are_those_of_all_ballots(solver, voters, candidates):
    options = [[one for one in range(candidates) if one != voter] for voter in range(voters)]
    counts = np.zeros(candidates + 1)
    for ballot in product(*options):
        votes = np.bincount(ballot, minlength=candidates)
        counts[(votes == votes.max()).sum()] += 1
    found = solver.evaluate("given => chance.tied(...given)", [voters, candidates])
    assert found == pytest.approx(counts / counts.sum(), abs=1e-14)
    assert solver.evaluate("() => chance.tied(24, 24).reduce((a, b) => a + b)") == pytest.approx(1, abs=1e-13)
