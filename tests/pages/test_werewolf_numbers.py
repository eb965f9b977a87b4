"""The page that weighs a set-up of Werewolf, in a browser: its numbers are those of the library."""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from chapters.ten_at_the_table_counts import share
from chapters.ten_at_the_table_rules import odds_of_share
from gamebalance.mafia import HALF_RULES, PHASES, VOTES, Rules, Setup, length_distribution, solve
from tests.pages.solver import FINISH, people, plain, solved
from tests.pages.test_werewolf_rules import random_case

pytestmark = pytest.mark.browser
PAGE = "werewolf"
TOWNS = [
    Setup(1, 2), Setup(2, 7), Setup(2, 3, detectives=1), Setup(3, 9, detectives=2), Setup(1, 4, doctors=1),
    Setup(2, 4, doctors=2, hunters=1), Setup(2, 4, witches=1, hunters=1), Setup(1, 1, hunters=3),
    Setup(1, 0, doctors=1), Setup(2, 3, detectives=1, doctors=1, witches=1, hunters=1), Setup(0, 3), Setup(3, 0),
    Setup(0, 0),
]  # fmt: skip
QUICK = [("odd days", "morning"), ("every day", "evening")]
ROLES = ("detectives", "doctors", "witches", "hunters")


@pytest.mark.parametrize("step", [11, pytest.param(1, marks=pytest.mark.thorough)])
def test_chances_are_the_librarys(solver, step):
    rules = [Rules(*each) for each in product(HALF_RULES, VOTES, (False, True), (Fraction(1, 2), Fraction(1)))]
    cases = list(product(TOWNS, rules, PHASES))[::step]
    found = solved(solver, cases)
    for (setup, each, phase), (chance, *_) in zip(cases, found, strict=True):
        assert chance == pytest.approx(solve(setup, each, phase), abs=1e-12), (setup, each, phase)
    assert len({round(chance, 9) for chance, *_ in found}) > 150 / step


def test_larger_tables_have_the_same_chances(solver):
    cases = [
        (Setup(4, 15, detectives=1), Rules(), "evening"),
        (Setup(5, 18, detectives=1), Rules("always", "odd days"), "morning"),
        (Setup(3, 9, doctors=1, witches=1, hunters=2), Rules(), "evening"),
        (Setup(3, 8, detectives=2, doctors=1), Rules("never", memory=True), "evening"),
    ]
    for case, (chance, *_) in zip(cases, solved(solver, cases), strict=True):
        assert chance == pytest.approx(solve(*case), abs=1e-12), case


@pytest.mark.parametrize(
    ("votes", "phase"),
    [case if case in QUICK else pytest.param(*case, marks=pytest.mark.thorough) for case in product(VOTES, PHASES)],
)
def test_games_are_as_long_as_the_library_says(solver, votes, phase):
    shares = (0.05, 0.1, 0.5, 0.9, 0.999)
    cases = [(setup, Rules(votes=votes), phase) for setup in TOWNS if setup.players]
    for (setup, rules, _), (_, mean, until) in zip(cases, solved(solver, cases, shares), strict=True):
        games = length_distribution(setup, rules, phase).sum(axis=1)
        assert mean == pytest.approx((games * games.index).sum(), abs=1e-9), setup
        over = games.cumsum().to_numpy()
        assert until == [int(np.argmax(over >= share - 1e-12)) for share in shares], setup


def worst(chances) -> float:
    return max(abs(chance - 0.5) for chance in chances)


@pytest.mark.parametrize("odds", [(1.0,), (1.4, 3.0)])
def test_the_fairest_set_ups_are_the_nearest_of_all(solver, odds):
    """All sets of roles, and all numbers of mafiosi while the town wins one game in ten, by the worst of both ends."""
    players, rules = 9, Rules("always")
    expected = []
    for size in range(len(ROLES) + 1):
        for roles in combinations(ROLES, size):
            for mafiosi in range(1, players // 2 + 1):
                setup = Setup(mafiosi, players - mafiosi - size, **dict.fromkeys(roles, 1))
                expected.append(([solve(setup, replace(rules, odds=each)) for each in odds], people(setup)))
    distances = sorted(worst(chances) for chances, _ in expected if chances[0] >= 0.1)
    script = f"""([players, roles, rules, odds]) => {{
        {FINISH}
        return finish(search.fairest(players, roles, rules, 'evening', odds));
    }}"""
    found = solver.evaluate(script, [players, list(ROLES), plain(rules), odds])
    assert [worst(each["chances"]) for each in found] == pytest.approx(distances[:10], abs=1e-12)
    by_setup = {tuple(sorted(setup.items())): chances for chances, setup in expected}
    for each in found:
        assert by_setup[tuple(sorted(each["setup"].items()))] == pytest.approx(each["chances"], abs=1e-12)


@pytest.mark.parametrize("odds", [(1.0,), (1.4, 3.0), (1.5, 1.8)])
def test_repairs_are_the_best_of_all_single_changes(solver, odds):
    """One citizen, one role or one rule of three, each solved again by the library; those that help at worst."""
    setup, usual = Setup(2, 5, doctors=1), Rules()

    def chances(setup, rules=usual, phase="evening"):
        return [solve(setup, replace(rules, odds=each), phase) for each in odds]

    near = {("citizen", more): chances(Setup(2, 5 + more, doctors=1)) for more in (1, -1)}
    counts = {"mafiosi": 2, "innocents": 5, "doctors": 1, "detectives": 0}
    for old, new in product(("mafiosi", "innocents", "doctors"), counts):
        if old != new:
            near[old, new] = chances(Setup(**(counts | {old: counts[old] - 1, new: counts[new] + 1})))
    near |= {("half_rule", half): chances(setup, Rules(half)) for half in ("always", "never")}
    near |= {("votes", votes): chances(setup, Rules(votes=votes)) for votes in ("odd number", "odd days")}
    near["phase", "morning"] = chances(setup, phase="morning")
    script = f"""([setup, rules, choices, odds, now]) => {{
        {FINISH}
        const all = search.changes({{ setup, rules, phase: "evening", may: ["detectives"] }}, choices);
        const found = finish(search.tried(all, odds, search.worst(now)));
        const name = ({{ kind, more, from, to, name, value }}) =>
            kind === "citizen" ? [kind, more] : kind === "role" ? [from, to] : [name, value];
        const tell = (change) => [...name(change), change.chances];
        return [found.map(tell), search.repairs(found, now, 3).map(tell)];
    }}"""
    choices = {"half_rule": list(HALF_RULES), "votes": list(VOTES), "phase": list(PHASES)}
    now = chances(setup)
    found, best = solver.evaluate(script, [people(setup), plain(usual), choices, odds, now])
    assert len(found) == len(near)
    for one, other, ends in found:
        assert ends == pytest.approx(near[one, other][: len(ends)], abs=1e-12)
        assert len(ends) == len(odds) or worst(ends) >= worst(now)
    held = sorted(worst(ends) for ends in near.values() if worst(ends) <= worst(now) - 0.01)[:3]
    assert [worst(ends) for *_, ends in best] == pytest.approx(held, abs=1e-12)
    assert len(best) == (0 if odds == (1.4, 3.0) else 3) or held


VOTED = """([setup, rules, phase, won, games]) => {
    const finish = (work) => { for (;;) { const step = work.next(); if (step.done) return step.value; } };
    const chanceAt = function* (odds) {
        return (yield* mafia.game({ ...rules, odds }, [setup]).solve(setup, phase)).chance;
    };
    return { share: fit.interval(won, games), ...finish(fit.votes(fit.interval(won, games), chanceAt)) };
}"""
CLUB = Setup.read("10: don, 2 mafiosi, sheriff, 6 citizens")


@pytest.mark.parametrize(
    ("setup", "rules", "phase", "won", "games"),
    [
        (
            CLUB,
            Rules("always", tells="every morning", ties="again, then nobody", dead_roles="hidden"),
            "morning",
            1140,
            2520,
        ),
        (CLUB, Rules("always", tells="at a find", agreement=0.9), "evening", 7, 12),
        (Setup(2, 5, doctors=1, vigilantes=1), Rules(), "evening", 40, 100),
        (Setup(1, 2), Rules(), "morning", 1, 2),
        (Setup(1, 2), Rules(), "morning", 3, 3),
        (Setup(1, 4), Rules(), "evening", 0, 4),
        (Setup(2, 8, detectives=2), Rules(), "evening", 13, 40),
    ],
)
def test_results_are_fitted_as_in_chapter_5_4(solver, setup, rules, phase, won, games):
    """The share with its exact interval, and the odds of each of the three; 0.01 and 100 stand for what is beyond."""
    found = solver.evaluate(VOTED, [people(setup), plain(rules), phase, won, games])
    seen = share(won, games)
    assert found["share"] == pytest.approx([seen.low, seen.estimate, seen.high], abs=1e-6)
    chances = [solve(setup, replace(rules, odds=odds), phase) for odds in found["odds"]]
    assert found["partly"] == (np.abs(np.subtract(chances, found["share"])).max() > 0.0005)
    for wanted, odds, chance in zip(found["share"], found["odds"], chances, strict=True):
        beyond = (odds == 0.01 and wanted <= chance) or (odds == 100 and wanted >= chance)
        assert beyond or chance == pytest.approx(wanted, abs=1e-6)
    if 0 < won < games:
        best = odds_of_share(seen, setup, rules, phase)
        assert found["odds"][1] == pytest.approx(best.estimate, abs=1e-4)


def test_results_that_no_votes_explain(solver):
    """With a mafioso and a citizen left by night nobody votes any more."""
    found = solver.evaluate(VOTED, [people(Setup(3, 4)), plain(Rules("always")), "evening", 99, 100])
    assert found["odds"] is None
    ends = [solve(Setup(3, 4), Rules("always", odds=odds)) for odds in (0.01, 100)]
    assert found["ends"] == pytest.approx(ends, abs=1e-12) and ends[1] < found["share"][0]


@pytest.mark.parametrize("seed", [1, 2])
def test_better_votes_win_more_often(seed):
    """So that the two ends of a range of odds bound the chance between them: nothing is proved, this looks for more."""
    chooser = random.Random(seed)
    for _ in range(100):
        setup, rules, phase = random_case(chooser)
        chances = [solve(setup, replace(rules, odds=odds), phase) for odds in (0.01, 0.5, 1, 1.4, 1.65, 2, 3, 10, 100)]
        assert chances == sorted(chances) or np.diff(chances).min() > -1e-9, (setup, rules, phase)


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
