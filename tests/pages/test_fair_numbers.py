"""The page that judges counted wins, in a browser: numbers and refusals are those of the library."""

from collections import Counter
from fractions import Fraction
from math import comb
from time import perf_counter

import numpy as np
import pytest
from scipy import special, stats

from gamebalance.base.rounding import meant
from gamebalance.fairness import Games, judge
from tests.pages.fair_tables import library, outlook, random_states, sentence, typed

pytestmark = pytest.mark.browser
PAGE = "fair"
METHODS = {
    "no test: no game was decided": 3,
    "exact binomial test": 10,
    "exact multinomial test": 30,
    "chi-square test": 15,
    "exact test of a table": 15,
    "chi-square test of a table": 25,
}
JUDGE = """tables => tables.map(([state, games]) => {
    const verdict = fairness.judge(reading.asked(state));
    if (verdict.nothing) return verdict;
    const outlook = fairness.outlook(verdict);
    return {...verdict, power: outlook.at(games / verdict.decided), formula: outlook.games, equal: outlook.equal};
})"""
REFUSED = """states => states.map((state) => {
    try { fairness.judge(reading.asked(state)); return "accepted"; } catch (error) { return error.message; }
})"""


@pytest.fixture(scope="module")
def page(asked):
    """One page for all of these tests, which ask for numbers alone."""
    return asked


def applied(page, name: str, arguments) -> list:
    """What a function of the page's gives for each list of arguments."""
    return page.evaluate(
        "([name, all]) => all.map((one) => ({...distributions, ...fairness})[name](...one))",
        [name, [list(map(float, one)) for one in arguments]],
    )


@pytest.mark.thorough
def test_two_hundred_tables_are_judged_alike(page):
    apart = typed([("a", 39, 78), ("b", 24, 32)])  # unfair, and its interval holds even
    tables = [(apart, library(apart)), *random_states(200)]
    games = np.random.default_rng(1).integers(2, 5_000, len(tables)).tolist()
    found = page.evaluate(JUDGE, [[state, count] for (state, _), count in zip(tables, games, strict=True)])
    compared = Counter()
    for (state, expected), count, ours in zip(tables, games, found, strict=True):
        told = [ours[name] for name in ("verdict", "method", "gamesNeeded", "games", "sentence")]
        assert told == [
            expected.verdict, expected.method, expected.games_needed, expected.games, sentence(expected),
        ], state  # fmt: skip
        assert ours["pValue"] == pytest.approx(expected.p_value, rel=2e-9, abs=1e-300), state
        assert ours["limits"] == pytest.approx([expected.limit, expected.equivalence_limit], rel=2e-9), state
        assert ours["equivalencePValue"] == pytest.approx(expected.equivalence_p_value, abs=1.1e-9), state
        for name in ("shares", "low", "high", "even"):
            assert ours[name] == pytest.approx(getattr(expected, name).tolist(), abs=1.1e-9), (state, name)
        chance, needed = outlook(expected, count)
        if chance is not None:
            assert ours["power"] == pytest.approx(chance, abs=1e-9), state
            assert ours["equal"] == (needed is None) and (needed is None or round(ours["formula"]) >= needed), state
            if ours["decided"] == 1:
                assert needed is None or ours["formula"] == needed, state
        rare = [*(["never won"] if 0 in ours["wins"] else []), *(["draws"] if state["draws"] else [])]
        rare += ["two and draws"] if len(ours["wins"]) == 2 and state["draws"] else []
        rare += ["tells nothing"] if ours["nothing"] else []
        rare += [f"look {len(expected.looked_after) + 1}"]
        compared.update([ours["method"], ours["verdict"], len(ours["wins"]), *rare])
    assert all(compared[name] >= least for name, least in METHODS.items()), compared
    assert min(compared[size] for size in range(2, 11)) > 10, compared
    assert min(compared[kind] for kind in ("fair", "unfair", "undecided", "never won", "draws")) > 15, compared
    assert min(compared[kind] for kind in ("two and draws", "tells nothing", "look 2", "look 3")) > 5, compared


@pytest.mark.parametrize(
    "wins",
    [
        [500_000_123, 499_999_877],
        [1_000_500, 999_700, 999_800],
        [99_000_000, 101_000_000, 100_000_000],
        [37, 0, 0, 0, 0, 0, 0, 0, 0, 1],
    ],
)
def test_very_many_games_and_very_uneven_ones(page, wins):
    state = typed([(f"side {k}", won) for k, won in enumerate(wins)], looks=50)
    expected, (ours,) = library(state), page.evaluate(JUDGE, [[state, 100]])
    assert (ours["sentence"], ours["method"]) == (sentence(expected), expected.method)
    assert ours["pValue"] == pytest.approx(expected.p_value, abs=1e-9)
    assert ours["low"] + ours["high"] == pytest.approx([*expected.low, *expected.high], abs=1e-9)


def test_counted_apart_has_the_power_of_its_table(page):
    """Two sides that win 30 and 40% of as many games: each adds 2 (0.05)^2 / (0.35 0.65) to Pearson's statistic."""
    state = typed([("one", 30, 100), ("other", 40, 100)], looks=1)
    (ours,) = page.evaluate(JUDGE, [[state, 250]])
    effect, critical = 2 * 0.05**2 / (0.35 * 0.65), stats.chi2.isf(0.05, 1)
    assert ours["power"] == pytest.approx(stats.ncx2.sf(critical, 1, 250 * effect), abs=1e-9)
    few, enough = (stats.ncx2.sf(critical, 1, games * effect) for games in (ours["formula"] - 1, ours["formula"]))
    assert few < 0.8 <= enough


def test_special_functions_are_scipys(page):
    z = np.linspace(-37, 9, 300)
    assert applied(page, "normalCdf", zip(z, strict=True)) == pytest.approx(special.ndtr(z), rel=3e-13)
    chances = [*np.logspace(-300, -1, 60), *np.linspace(0.1, 0.999, 60)]
    quantiles = applied(page, "normalQuantile", zip(chances, strict=True))
    assert quantiles == pytest.approx(special.ndtri(chances), rel=1e-12, abs=1e-12)
    tails = [(x, freedom) for x in (1e-6, 0.3, 2, 9, 40, 300, 1200) for freedom in range(1, 10)]
    assert applied(page, "chiSquareTail", tails) == pytest.approx([stats.chi2.sf(*one) for one in tails], rel=1e-12)
    levels = [(level, freedom) for level in (0.9, 0.05, 1e-3, 1e-9) for freedom in range(1, 10)]
    assert applied(page, "chiSquareCritical", levels) == pytest.approx(
        [stats.chi2.isf(*one) for one in levels], rel=1e-11
    )
    students = [(t, freedom) for t in (-3, 0, 0.5, 2, 8, 40) for freedom in (1, 2, 17, 1_000, 1e6, 1e9)]
    students += [(1.6383560438182505, 17), (1.6990563418645623, 51)]  # where the two chances add up to more than 1
    assert applied(page, "studentTail", students) == pytest.approx([stats.t.sf(*one) for one in students], rel=1e-10)


def test_noncentral_tails_and_their_inverse_are_scipys(page):
    cases = [(x, freedom, far) for x in (1, 9, 30) for freedom in (1, 2, 5, 9) for far in (1e-6, 0.5, 8, 60, 700)]
    assert applied(page, "noncentralTail", cases) == pytest.approx([stats.ncx2.sf(*one) for one in cases], abs=1e-12)
    cases = [(freedom, 0.8, level) for freedom in range(1, 10) for level in (0.1, 0.05, 0.0005)]
    for (freedom, goal, level), far in zip(cases, applied(page, "noncentrality", cases), strict=True):
        assert stats.ncx2.sf(stats.chi2.isf(level, freedom), freedom, far) == pytest.approx(goal, abs=1e-11)


def test_beta_distributions_are_scipys(page):
    cases = [
        (a, b, chance)
        for a in (0.5, 1, 2.5, 40, 3_000, 2e6, 4e8)
        for b in (0.5, 1, 17, 900, 5e5, 6e8)
        for chance in (1e-7, 0.001, 0.025, 0.4, 0.9)
    ]
    x = special.betaincinv(*np.array(cases).T)
    assert applied(page, "betaQuantile", [(chance, a, b) for a, b, chance in cases]) == pytest.approx(
        x, rel=1e-7, abs=1e-12
    )
    inside = (x > 1e-200) & (x < 1)
    cases, x = [case for case, kept in zip(cases, inside, strict=True) if kept], x[inside]
    found = applied(page, "betaCdf", [(at, 1 - at, a, b) for at, (a, b, _) in zip(x, cases, strict=True)])
    expected = [special.betainc(a, b, at) for at, (a, b, _) in zip(x, cases, strict=True)]
    assert found == pytest.approx(expected, rel=1e-11)
    assert len(cases) > 150


def test_binomial_chances_are_exact(page):
    cases = [(wins, games) for games in (1, 7, 55, 400) for wins in range(0, games, 1 + games // 20)]
    exact = [sum(Fraction(comb(games, k), 2**games) for k in range(wins + 1)) for wins, games in cases]
    found = applied(page, "binomialCdf", [(wins, games, 0.5) for wins, games in cases])
    assert found == pytest.approx([float(chance) for chance in exact], rel=1e-12)


def test_numbers_are_rounded_and_written_as_in_python(page):
    """Halves included, which JavaScript rounds up and Python to the even digit."""
    values = [
        0.0,
        1.0,
        31.25,
        12.5,
        0.5,
        1.5,
        2.5,
        99.95,
        0.05,
        6.25,
        2**-13,
        2**-40,
        1000000005.0,
        1 / 3,
        9.9999999999,
    ]
    values += np.random.default_rng(3).uniform(0, 100, 200).tolist()
    for digits in (0, 1):
        found = page.evaluate(
            "([values, digits]) => values.map((x) => distributions.fixed(x, digits))", [values, digits]
        )
        assert found == [f"{value:.{digits}f}" for value in values]
    both = [*values, *(-value for value in values)]
    for digits in (2, 3, 9):
        found = page.evaluate("([values, digits]) => values.map((x) => distributions.meant(x, digits))", [both, digits])
        assert found == meant(both, digits)
    chances = [1.0, 0.995, 0.9949, 0.125, 0.01, 0.00999, 0.00995, 0.0099, 0.00064, 0.0001, 1.1e-5, 9e-6, 0.0]
    told = applied(page, "often", zip(chances, strict=True))
    assert told[:4] == ["nearly always", "nearly always", "in 99 of 100 cases", "in 12 of 100 cases"]
    assert told[4:8] == ["in 1 of 100 cases"] * 3 + ["in 99 of 10,000 cases"]
    assert (
        told[8:]
        == ["in 6.4 of 10,000 cases", "in 1 of 10,000 cases", "in 0.11 of 10,000 cases"]
        + ["in less than 1 of 100,000 cases"] * 2
    )


def test_whole_numbers_as_names_are_said_with_their_kind(page):
    rows = [(1, 40), (2, 10)]
    for by in ("seat", "player", "side", "role"):
        (ours,) = page.evaluate(JUDGE, [[typed(rows, by=by), 10]])
        for first, second in ((1, 2), ("1", "2")):
            expected = judge(Games.from_counts({first: (40, 50), second: (10, 50)}), by)
            assert ours["sentence"] == sentence(expected) and f"{by} 1 won" in sentence(expected)
    (ours,) = page.evaluate(JUDGE, [[typed([("٠٧", 40), ("x", 10)]), 10]])
    assert ours["sentence"] == judge(Games.from_counts({"٠٧": (40, 50), "x": (10, 50)})).sentence
    assert "role ٠٧ won" in ours["sentence"]


#: Links to games that tell nothing yet: of each reason one.
UNTOLD_REASONS = {
    "silent": "#row=2__c&row=0__d",
    "last": "#row=300__e&row=280__f&looks=2&after=55",
    "equal": "#row=0__g&row=0__h&draws=7",
    "few": "#row=8__i&row=2__j",
    "few decided": "#row=12__k&row=8__l&draws=80",
    "": "#row=30__m&row=25__n",
}


def test_no_number_of_games_is_promised_without_reason(page):
    script = "all => all.map((hash) => fairness.judge(reading.asked(reading.fromHash(hash))))"
    for reason, ours in zip(UNTOLD_REASONS, page.evaluate(script, [*UNTOLD_REASONS.values()]), strict=True):
        assert ours["verdict"] == "undecided" and ours["untold"] == reason.partition(" ")[0], reason
        assert (ours["gamesNeeded"] is None) == bool(reason) == ("more games would probably" not in ours["sentence"])
    for won in ((8, 2), (19, 10), (12, 8, 80), (20, 10)):
        state = typed(zip("ab", won, strict=False), draws=won[2] if len(won) > 2 else "")
        assert page.evaluate(JUDGE, [[state, 10]])[0]["sentence"] == sentence(library(state))


def test_refusals_say_what_to_type_and_where(page):
    two = [("wolves", 30), ("village", 25)]
    needed = "Rows: type the wins of two or more, to 10, and not of"
    cases = [
        ("Wins of wolves: type a whole number, 0 or more", typed([("wolves", "abc"), two[1]])),
        ("Wins of wolves: type a whole number, 0 or more", typed([("wolves", 2.5), two[1]])),
        ("Wins of seat 1: type a whole number, 0 or more", typed([(1, -3), (2, 3)], by="seat")),
        ("Wins of wolves: type a number, 0 or more", typed([("wolves", "abc", 55), ("village", 25, 55)])),
        ("Wins of o'neil: type a number, 0 or more", typed([("o'neil", -3, 55), ("village", 25, 55)])),
        ("Games of wolves: type a whole number, 1 or more", typed([("wolves", 3, 0), ("village", 25, 55)])),
        ("Games of wolves: type a whole number, 1 or more", typed([("wolves", 3, 5.5), ("village", 25, 55)])),
        ("Wins of wolves: 1.000 can be read in two ways, so type it without a point or comma",
         typed([("wolves", "1.000"), two[1]])),
        ("Games of village: 2.055 can be read in two ways, so type it without a point or comma",
         typed([("wolves", 30, "2055"), ("village", 25, "2.055")])),
        ("Draws: 1.000 can be read in two ways, so type it without a point or comma", typed(two, draws="1.000")),
        ("wolves: 60 wins are more than 55 games", typed([("wolves", 60, 55), ("village", 25, 55)])),
        ("Row 2: type the name of a side", typed([two[0], ("", 3)], by="side")),
        ("Wins of village: type a whole number, 0 or more", typed([two[0], ("village", "")])),
        ("Games of wolves: type them in every row, or in none", typed([two[0], ("village", 25, 55)])),
        ("wolves stands there twice: type another name", typed([*two, ("wolves", 3)])),
        (f"{needed} 0", typed([("", ""), ("", "")])),
        (f"{needed} 1", typed([("wolves", 30, 55)])),
        (f"{needed} 11", typed([(f"r{k}", 3) for k in range(11)])),
        ("2,000,000,000 games: at most 1,000,000,000 are judged here", typed([("a", 10**9), ("b", 10**9)])),
        ("Two games or more are needed", typed([("wolves", 1), ("village", 0)])),
        ("Two games or more are needed", typed([("wolves", 0), ("village", 0)])),
        ("Draws: type a whole number, 0 or more", typed(two, draws="none")),
        ("Draws: wins and draws together are not the games that each has played",
         typed([("wolves", 30, 55), ("village", 25, 60)], draws=3)),
        ("Margin: type a number between 0 and 100", typed(two, margin="wide")),
        ("Margin: type less than 50 here, or every chance is within it", typed(two, margin=50)),
        ("Looks in all: type a whole number from 1 to 1,000,000", typed(two, looks=1.5)),
        ("Looked after: type numbers that rise, each below the 55 games there are now", typed(two, after="30, 20")),
        ("Looked after: with this look these are more than the 1 under Looks in all", typed(two, after=30, looks=1)),
        ("Looked after: 12,300 can be one number or several, so type 55, 900 for two", typed(two, after="12,300")),
        ("Looked after: 12 300 can be one number or several, so type 55, 900 for two", typed(two, after="12 300")),
        ("accepted", typed([two[0], ("", ""), two[1]])),
    ]  # fmt: skip
    assert page.evaluate(REFUSED, [state for _, state in cases]) == [message for message, _ in cases]


LINES = {
    "wolves 30\nvillage 25": [("wolves", "30", ""), ("village", "25", "")],
    "wolves, 30, 55\r\nvillage, 25, 55": [("wolves", "30", "55"), ("village", "25", "55")],
    "seat 1\t204\nseat 2\t157": [("seat 1", "204", ""), ("seat 2", "157", "")],
    "seat 1 204\nseat 2 157": [("seat 1", "204", ""), ("seat 2", "157", "")],
    "wolves 30 55\nvillage 25 55": [("wolves", "30", "55"), ("village", "25", "55")],
    "seat 1 204 648\nseat 2 157 648": [("seat 1", "204", "648"), ("seat 2", "157", "648")],
    "wolves: 30 of 55\nvillage 25/55\nlord of war; 3 ; 55": [
        ("wolves", "30", "55"),
        ("village", "25", "55"),
        ("lord of war", "3", "55"),
    ],
    "\n  role,wins  \n\n1,204\n2,157\n": [("1", "204", ""), ("2", "157", "")],
    '"the old king",3\nqueen | 2.5': [("the old king", "3", ""), ("queen", "2.5", "")],
    "a -3\nb +4": [("a", "-3", ""), ("b", "+4", "")],
    "狼人： １，０３０／２，０５５\n村民、1 025、2 055": [("狼人", "1,030", "2,055"), ("村民", "1 025", "2 055")],
    "loups 1\u202f030 sur 2\u202f055\nvillage 1 025 2 055": [("loups", "1030", "2055"), ("village", "1025", "2055")],
    "wolves 1.030\nvillage 1.025": [("wolves", "1.030", ""), ("village", "1.025", "")],
    "wolves: 1,030 of 2,055\nvillage\t1,025\t2,055": [("wolves", "1,030", "2,055"), ("village", "1,025", "2,055")],
}


def test_lines_that_can_be_pasted(page):
    script = (
        "texts => texts.map((text) => reading.lines(text).rows.map(({label, wins, games}) => [label, wins, games]))"
    )
    found = page.evaluate(script, [*LINES])
    assert [[tuple(row) for row in rows] for rows in found] == [*LINES.values()]
    assert page.evaluate("text => reading.lines(text).draws", "a 3\nb 4\ndraws: 12") == "12"
    for draws in ("Draws 12", "平局：12", "nulles 12", "Remis; 12"):
        assert page.evaluate("text => reading.lines(text)", f"a 3\nb 4\n{draws}")["draws"] == "12", draws


@pytest.mark.parametrize(
    ("typed_text", "message"),
    [
        ("wolves 30\nvillage", "Line 2, village: a name and its wins are needed"),
        ("wolves, many\nvillage 3", "Line 2, "),
        ("", "Nothing was pasted: lines with names and their wins are needed"),
        ("12\n13", "Line 1, 12: a name and its wins are needed"),
        ("\n".join(f"r{k} 3" for k in range(11)), "Rows: type the wins of two or more, to 10, and not of 11"),
        ("\n".join("a;3" for k in range(30_000)), "Rows: type the wins of two or more, to 10, and not of 30,000"),
        (";" * 100_000, "Line 1, ;;;"),
        ("a" + " ;" * 50_000 + "x", "Line 1, a ; ;"),
    ],
)
def test_lines_that_cannot_are_refused_at_once(page, typed_text, message):
    begin = perf_counter()
    script = "text => { try { return reading.lines(text); } catch (error) { return error.message; } }"
    told = page.evaluate(script, typed_text)
    if typed_text.startswith("wolves, many"):  # taken as a line of names, above one row
        assert told["rows"] == [{"label": "village", "wins": "3", "games": ""}]
    else:
        assert told.startswith(message) and "\n" not in told and len(told) < 200
    assert perf_counter() - begin < 2


def test_ten_roles_and_six_hundred_games_take_no_time(page):
    script = """state => Math.min(...Array.from({length: 5}, () => {
        const begin = performance.now();
        fairness.outlook(fairness.judge(reading.asked(state))).at(100);
        return performance.now() - begin;
    }))"""
    rows = [(f"r{k}", 60 + (-1) ** k * 9) for k in range(10)]
    assert library(typed(rows)).method == "exact multinomial test"
    assert page.evaluate(script, typed(rows)) < 300  # a tenth of it, on a machine that does nothing else
