"""The page that judges results: what its scripts compute, read and refuse is what the library does."""

import base64
import re
from collections import Counter
from itertools import product
from time import perf_counter

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats

from gamebalance.base.rounding import meant
from gamebalance.fairness import Monitor, judge, read_games
from tests.fairness.readings import CASES
from tests.pages.fair_cases import given, library, outlook, random_games, random_states, sentence, typed

pytestmark = pytest.mark.browser
PAGE = "fair"
JUDGE = """tables => tables.map(([state, games]) => {
    const verdict = fairness.judge(reading.asked(state));
    if (verdict.nothing) return verdict;
    const outlook = fairness.outlook(verdict);
    return {...verdict, power: outlook.at(games / verdict.decided), formula: outlook.games, equal: outlook.equal};
})"""
#: What a function gives for each of many cases, or why it refuses.
EACH = "(all) => all.map((one) => { try { return (%s)(one); } catch (error) { return error.message; } })"


@pytest.fixture(scope="module")
def page(asked):
    """One page for all of these tests, which ask for numbers alone."""
    return asked


def applied(page, name: str, arguments) -> list:
    """What a function of the page's gives for each list of arguments."""
    script = "([name, all]) => all.map((one) => ({...distributions, ...fairness})[name](...one))"
    return page.evaluate(script, [name, [list(map(float, one)) for one in arguments]])


def compare(ours: dict, expected, names=("shares", "low", "high", "even")) -> None:
    assert [ours[name] for name in ("verdict", "method", "gamesNeeded", "games", "sentence")] == [
        expected.verdict, expected.method, expected.games_needed, expected.games, sentence(expected),
    ], expected  # fmt: skip
    assert ours["pValue"] == pytest.approx(expected.p_value, rel=2e-9, abs=1e-300), expected
    assert ours["limits"] == pytest.approx([expected.limit, expected.equivalence_limit], rel=2e-9), expected
    assert ours["equivalencePValue"] == pytest.approx(expected.equivalence_p_value, abs=1.1e-9), expected
    for name in names:
        assert ours[name] == pytest.approx(getattr(expected, name).tolist(), abs=1.1e-9), (expected, name)


#: Each is met more than twice among the random tables.
METHODS = ["no test: no game was decided", "exact binomial test", "exact multinomial test", "chi-square test"]
METHODS += ["exact test of a table", "chi-square test of a table"]


def test_two_hundred_tables_are_judged_alike(page):
    apart = typed([("a", 39, 78), ("b", 24, 32)])  # unfair, and its interval holds even
    many = [[500_300_123, 499_699_877], [1_000_500, 999_700, 999_800], [37, 0, 0, 0, 0, 0, 0, 0, 0, 1]]
    named = [typed([(1, 40), (2, 10)], by=by) for by in ("seat", "side")]
    own = [apart, *(typed(enumerate(wins), looks=50) for wins in many), *named]
    tables = [*((state, library(state)) for state in own), *random_states(200)]
    games = np.random.default_rng(1).integers(2, 5_000, len(tables)).tolist()
    found = page.evaluate(JUDGE, [[state, played] for (state, _), played in zip(tables, games, strict=True)])
    compared = Counter()
    for (state, expected), played, ours in zip(tables, games, found, strict=True):
        compare(ours, expected)
        chance, needed = outlook(expected, played)
        if chance is not None:
            assert ours["power"] == pytest.approx(chance, abs=1e-9), state
            assert ours["equal"] == (needed is None) and (needed is None or round(ours["formula"]) >= needed), state
        compared.update([ours["method"], ours["verdict"], len(ours["wins"]), f"look {1 + len(ours['lookedAfter'])}"])
    assert min(compared[name] for name in METHODS) > 2, compared
    assert min(compared[size] for size in range(2, 11)) > 10, compared
    assert min(compared[kind] for kind in ("fair", "unfair", "undecided")) > 15, compared
    assert min(compared[kind] for kind in ("look 2", "look 3")) > 5, compared


def test_counted_apart_has_the_power_of_its_table(page):
    """Two sides that win 30 and 40% of as many games: each adds 2 (0.05)^2 / (0.35 0.65) to Pearson's statistic."""
    state = typed([("one", 30, 100), ("other", 40, 100)], looks=1)
    (ours,) = page.evaluate(JUDGE, [[state, 250]])
    effect, critical = 2 * 0.05**2 / (0.35 * 0.65), stats.chi2.isf(0.05, 1)
    assert ours["power"] == pytest.approx(stats.ncx2.sf(critical, 1, 250 * effect), abs=1e-9)
    few, enough = (stats.ncx2.sf(critical, 1, games * effect) for games in (ours["formula"] - 1, ours["formula"]))
    assert few < 0.8 <= enough


@pytest.mark.parametrize("count", [6, pytest.param(48, marks=pytest.mark.thorough)])
def test_results_row_by_row_are_judged_alike(page, count):
    """And watched, where all labels play in each game and one of them wins it."""
    cases = random_games(count)
    script = """all => all.map((given) => ({
        ...fairness.judge(given), watched: watching.winnersOf(contests.contestOf(given.rows, given.by)) }))"""
    found = page.evaluate(script, [given(games, **settings) for games, settings, _ in cases])
    counted = Counter()
    for (games, settings, expected), ours in zip(cases, found, strict=True):
        compare(ours, expected, ("shares", "low", "high", "even", "plays", "taken", "wins"))
        assert ours["labels"] == [*expected.shares.index]
        deals = "randomization" in expected.method
        error = np.sqrt(expected.p_value * (1 - expected.p_value) / 9_999) * deals
        assert ours["error"] == pytest.approx(error, rel=1e-6)
        counted.update([expected.method, expected.verdict, expected.by, ours["watched"] is not None])
        if ours["watched"]:
            assert (games.contest(settings["by"]).tally.played.toarray() > 0).all()
            wins, shares = np.sum(ours["watched"]["results"], axis=0), expected.shares.unique() * games.count
            assert sorted(set(wins.round(6))) == pytest.approx(sorted(set(shares.round(6))))
    assert counted[True] and counted[False]
    assert count < 48 or min(counted[name] for name in ("fair", "unfair", "side", "role", "seat", "player")) > 1


@pytest.mark.thorough
def test_twenty_thousand_rows_are_judged_alike_and_at_once(page):
    """Seats of which the last is sometimes empty, and three hundred people in them."""
    random, size = np.random.default_rng(7), 4
    winner = random.integers(1, size + 1, 5_200)
    rows = pd.DataFrame({"game": np.repeat(np.arange(5_200), size), "seat": np.tile(np.arange(1, size + 1), 5_200)})
    rows["player"] = [f"p{one}" for _ in range(5_200) for one in random.permutation(300)[:size]]
    rows["won"] = (rows["seat"] == np.repeat(winner, size)).astype(float)
    games = read_games(rows[(rows["seat"] < size) | (rows["won"] == 1) | (random.random(len(rows)) < 0.5)])
    script = """given => {
        const rows = {...given.rows, game: Int32Array.from(given.rows.game), won: Float64Array.from(given.rows.won)};
        const begin = performance.now();
        return {...fairness.judge({...given, rows}), took: performance.now() - begin};
    }"""
    for by in ("seat", "player"):
        ours, expected = page.evaluate(script, given(games, by)), judge(games, by)
        compare(ours, expected)
        assert expected.method == "Mantel-Haenszel test, game by game" and ours["took"] < 3_000


def random_courses(count: int) -> list[tuple]:
    """So many games of two to ten seats, some drawn and some with shared wins, with what is asked."""
    random, found = np.random.default_rng(20261124), []
    for _ in range(count):
        seats, games = int(random.integers(2, 11)), int(10 ** random.uniform(0.3, 3.2))
        chances = random.dirichlet(np.full(seats, random.choice([3, 60, 2_000])))
        parts = np.eye(seats)[random.choice(seats, games, p=chances)]
        shared, drawn = random.random((2, games)) < random.choice([0, 0.1], (2, 1))
        parts[shared] = (parts[shared] + parts[shared][:, ::-1]) / 2
        parts[drawn] = random.choice([0, 1 / seats])
        level, margin = float(random.choice([0.9, 0.95, 0.99])), float(random.choice([0.05, 0.2]))
        found.append(([*range(1, seats + 1)], parts, level, margin))
    return found


def test_sixty_courses_are_watched_alike(page):
    script = """all => all.map(([names, results, level, margin]) =>
        watching.watch({names, results}, {by: "number", level, margin}))"""
    courses = random_courses(60)
    found = page.evaluate(script, [[names, parts.tolist(), level, margin] for names, parts, level, margin in courses])
    verdicts = Counter()
    for (names, parts, level, margin), ours in zip(courses, found, strict=True):
        monitor = Monitor(names, level=round(1 - level, 9), margin=margin)
        for row in parts:
            drawn = np.ptp(row) == 0
            monitor.add(None if drawn else {name: part for name, part in zip(names, row, strict=True) if part})
        assert [ours[name] for name in ("verdict", "stoppedAt", "games", "draws", "sentence")] == [
            monitor.verdict, monitor.stopped_at, monitor.games, monitor.draws, monitor.sentence,
        ]  # fmt: skip
        assert ours["evidence"] == pytest.approx(monitor.log_evidence, rel=6e-9, abs=1e-9)
        if monitor.games > monitor.draws:
            for name in ("shares", "low", "high"):
                assert ours[name] == pytest.approx([*getattr(monitor, name).values()], abs=1.1e-9)
        assert max(ours["course"]) >= ours["bound"] or ours["verdict"] != "unfair"
        verdicts[monitor.verdict] += 1
    assert min(verdicts[verdict] for verdict in ("fair", "unfair", "undecided")) > 5, verdicts


def grid(*values):
    return list(product(*values))


BETAS = grid((0.5, 1, 2.5, 40, 3_000, 2e6, 4e8), (0.5, 1, 17, 900, 5e5, 6e8))
#: A function of the page's, one of SciPy's, what both are asked, and how far apart they may be: relatively, absolutely.
SCIPYS = [
    ("normalCdf", special.ndtr, grid(np.linspace(-37, 9, 300)), 3e-13, 0),
    ("normalQuantile", special.ndtri, grid([*np.logspace(-300, -1, 60), *np.linspace(0.1, 0.999, 60)]), 1e-12, 1e-12),
    ("chiSquareTail", stats.chi2.sf, grid((1e-6, 0.3, 2, 9, 40, 300, 1200), (0.3, *range(1, 10), 900.5)), 1e-11, 0),
    ("chiSquareCritical", stats.chi2.isf, grid((0.9, 0.05, 1e-3, 1e-9), range(1, 10)), 1e-11, 0),
    ("studentTail", stats.t.sf, grid((-3, 0, 0.5, 1.6383560438182505, 8, 40), (1, 2, 17, 1e3, 1e9)), 1e-10, 0),
    ("noncentralTail", stats.ncx2.sf, grid((1, 9, 30), (1, 2, 5, 9), (1e-6, 0.5, 8, 60, 700)), 1e-6, 1e-12),
    ("betaQuantile", lambda p, a, b: special.betaincinv(a, b, p),
     [(p, *ab) for p in (1e-7, 0.025, 0.4, 0.9) for ab in BETAS], 1e-7, 1e-12),
    ("betaCdf", lambda x, _, a, b: special.betainc(a, b, x),
     [(x, 1 - x, a, b) for a, b in BETAS for x in special.betaincinv(a, b, [0.001, 0.4, 0.9]) if 1e-200 < x < 1],
     1e-11, 0),
    ("binomialCdf", stats.binom.cdf,
     [(wins, games, 0.5) for games in (1, 7, 55, 400) for wins in range(0, games, 1 + games // 20)], 1e-11, 0),
]  # fmt: skip


@pytest.mark.parametrize(("name", "theirs", "asked_for", "rel", "apart"), SCIPYS, ids=lambda one: str(one)[:20])
def test_distributions_are_scipys(page, name, theirs, asked_for, rel, apart):
    found = applied(page, name, asked_for)
    assert found == pytest.approx([float(theirs(*one)) for one in asked_for], rel=rel, abs=apart)


def test_numbers_are_rounded_as_in_python(page):
    """Halves included, which JavaScript rounds up and Python to the even digit."""
    values = [31.25, 12.5, 0.5, 1.5, 2.5, 99.95, 0.05, 2**-13, 2**-40, 1000000005.0, 1 / 3]
    values += np.random.default_rng(3).uniform(0, 100, 200).tolist()
    for digits in (0, 1):
        found = applied(page, "fixed", [(value, digits) for value in values])
        assert found == [f"{value:.{digits}f}" for value in values]
    both = [*values, *(-value for value in values)]
    for digits in (2, 3, 9):
        assert applied(page, "meant", [(value, digits) for value in both]) == meant(both, digits)


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
    script = EACH % "(hash) => fairness.judge(reading.asked(reading.fromHash(hash)))"
    for reason, ours in zip(UNTOLD_REASONS, page.evaluate(script, [*UNTOLD_REASONS.values()]), strict=True):
        assert ours["verdict"] == "undecided" and ours["untold"] == reason.partition(" ")[0], reason
        assert (ours["gamesNeeded"] is None) == bool(reason) == ("more games would probably" not in ours["sentence"])


TWO = [("wolves", 30), ("village", 25)]
NEEDED = "Rows: type the wins of two or more, to 10, and not of"
UNSURE = "can be read in two ways, so type it without a point or comma"
SEVERAL = "can be one number or several, so type 55, 900 for two"
REFUSED = [
    ("Wins of wolves: type a whole number, 0 or more", typed([("wolves", "abc"), TWO[1]])),
    ("Wins of seat 1: type a whole number, 0 or more", typed([(1, -3), (2, 3)], by="seat")),
    (f"Wins of wolves: 1.000 {UNSURE}", typed([("wolves", "1.000"), TWO[1]])),
    ("wolves: 60 wins are more than 55 games", typed([("wolves", 60, 55), ("village", 25, 55)])),
    ("Row 2: type the name of a side", typed([TWO[0], ("", 3)], by="side")),
    ("Games of wolves: type them in every row, or in none", typed([TWO[0], ("village", 25, 55)])),
    ("wolves stands there twice: type another name", typed([*TWO, ("wolves", 3)])),
    (f"{NEEDED} 0", typed([("", ""), ("", "")])),
    (f"{NEEDED} 11", typed([(f"r{k}", 3) for k in range(11)])),
    ("2,000,000,000 games: at most 1,000,000,000 are judged here", typed([("a", 10**9), ("b", 10**9)])),
    ("Two games or more are needed", typed([("wolves", 1), ("village", 0)])),
    ("Draws: type a whole number, 0 or more", typed(TWO, draws="none")),
    ("Draws: wins and draws together are not the games that each has played",
     typed([("wolves", 30, 55), ("village", 25, 60)], draws=3)),
    ("Margin: type a number between 0 and 100", typed(TWO, margin="ⅷ")),
    ("Margin: type less than 50 here, or every chance is within it", typed(TWO, margin=50)),
    ("Looks in all: type a whole number from 1 to 1,000,000", typed(TWO, looks=1.5)),
    ("Looked after: type numbers of games, such as 55, 900", typed(TWO, after="many")),
    ("Looked after: type numbers that rise, each below the 55 games there are now", typed(TWO, after="30, 20")),
    ("Looked after: with this look these are more than the 1 under Looks in all", typed(TWO, after=30, looks=1)),
    (f"Looked after: 12,300 {SEVERAL}", typed(TWO, after="12,300")),
    ("accepted", typed([TWO[0], ("", ""), TWO[1]])),
]  # fmt: skip


def test_refusals_say_what_to_type(page):
    script = EACH % "(state) => fairness.judge(reading.asked(state)) && 'accepted'"
    assert page.evaluate(script, [state for _, state in REFUSED]) == [message for message, _ in REFUSED]


STATES = [
    typed([("wolves", 30, 60), ("village", 25, 60)], by="side", draws=5, margin="2.5", level=99, after="12, 30"),
    typed([("a_b & c=d#e%20", 3, 9), ("<b>“ü” 狼人</b>", "2.5", 8), ("+_+", 1, 7)], by="player"),
]
UNREADABLE = {
    "#nonsense": "rows of the form wins_games_name are needed",
    "#row=30__wolves&row=x__village": "Wins of village: type a whole number, 0 or more",
    "#by=colour&row=30__wolves&row=25__village": "by is colour, and not one of role, seat, side, player",
    "#level=50&row=30__wolves&row=25__village": "level is 50, and not one of 90, 95, 99",
    "#%%%&row=%FF": "rows of the form",
    "#row=30__wolves&row=25__village&margin=" + "9" * 3000: "Margin: type a number",
}


def test_a_link_brings_the_numbers_back_or_says_why_not(page):
    links = page.evaluate(EACH % "reading.hash", STATES)
    assert all(re.fullmatch(r"#[\w.*&=%+-]+", link) for link in links)
    assert page.evaluate(EACH % "reading.fromHash", links) == STATES
    for part, told in zip(UNREADABLE.values(), page.evaluate(EACH % "reading.fromHash", [*UNREADABLE]), strict=True):
        assert part in told and "\n" not in told


LINES = {
    "wolves 30\nvillage 25": [("wolves", "30", ""), ("village", "25", "")],
    "wolves, 30, 55\r\nvillage, 25, 55": [("wolves", "30", "55"), ("village", "25", "55")],
    "seat 1\t204\nseat 2\t157": [("seat 1", "204", ""), ("seat 2", "157", "")],
    "seat 1 204 648\nseat 2 157 648": [("seat 1", "204", "648"), ("seat 2", "157", "648")],
    "wolves: 30 of 55\nlord of war; 3 ; 55": [("wolves", "30", "55"), ("lord of war", "3", "55")],
    "\n  role,wins  \n\n1,204\n2,157\n": [("1", "204", ""), ("2", "157", "")],
    '"the old king",3\nqueen | 2.5': [("the old king", "3", ""), ("queen", "2.5", "")],
    "a -3\nb +4": [("a", "-3", ""), ("b", "+4", "")],
    "狼人： １，０３０／２，０５５\n村民、1 025、2 055": [("狼人", "1,030", "2,055"), ("村民", "1 025", "2 055")],
    "loups 1\u202f030 sur 2\u202f055\nvillage 1 025 2 055": [("loups", "1030", "2055"), ("village", "1025", "2055")],
    **{f"a 3\nb 4\n{draws}": [("a", "3", ""), ("b", "4", "")] for draws in ("Draws 12", "平局：12", "Remis; 12")},
}
NO_LINES = {
    "wolves 30\nvillage": "Line 2, village: a name and its wins are needed",
    "": "Nothing was pasted: lines with names and their wins are needed",
    "12\n13": "Line 1, 12: a name and its wins are needed",
    "\n".join("a;3" for k in range(30_000)): f"{NEEDED} 30,000",
    ";" * 100_000: "Line 1, ;;;",
    "a" + " ;" * 50_000 + "x": "Line 1, a ; ;",
}


def test_lines_that_can_be_pasted_and_those_that_cannot_are_refused_at_once(page):
    found = page.evaluate(EACH % "reading.lines", [*LINES])
    assert [[tuple(row.values()) for row in one["rows"]] for one in found] == [*LINES.values()]
    assert [one["draws"] for one in found] == [None] * (len(LINES) - 3) + ["12"] * 3
    begin = perf_counter()
    for message, told in zip(NO_LINES.values(), page.evaluate(EACH % "reading.lines", [*NO_LINES]), strict=True):
        assert told.startswith(message) and "\n" not in told and len(told) < 200
    assert perf_counter() - begin < 5


READ = """files => files.map(([content, options, by]) => {
    const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
    const found = {};
    try {
        const games = results.read(tables.read(bytes, "file.csv"), options);
        const {rows, counts, faults} = games;
        const own = by ?? [...results.kinds(games), ...Object.keys(faults)][0];
        Object.assign(found, {reading: games.reading, kinds: results.kinds(games)});
        const {labels, wins, plays} = counts ? {...counts, plays: counts.played}
            : rows[own] ? contests.contestOf(rows, own) : {labels: []};
        found.labels = labels.map((label, k) => [label, wins[k], plays[k]]);
        const settings = {by: own, margin: 0.05, level: 0.95, looks: null, lookedAfter: []};
        found.verdict = fairness.judge({...settings, ...(counts ?? {rows, faults})}).verdict;
    } catch (error) {
        if (!error.field) throw error;
        found.refused = error.message;
    }
    return found;
})"""
#: Where the page has words of its own, in the language chosen.
OWN = {
    "long, nobody won": ("game 7: nobody won it; tick Draws under How was it read?",),
    "an empty winner": ("game 2: nobody won it; tick Draws under How was it read?",),
    "a row that is too long": ("row 2 has 4 fields, more than the 3 of the rows above it",),
    "a column that is not there": ("Winner: no column is called “first”; the columns are game, seat, won",),
}


def test_files_are_read_as_the_library_reads_them(page):
    """And as their owners do."""
    files = [
        [
            base64.b64encode(case.content).decode(),
            {name: [value] if isinstance(value, str) else value for name, value in case.options.items()},
            case.by,
        ]
        for case in CASES.values()
    ]
    for (name, case), ours in zip(CASES.items(), page.evaluate(READ, files), strict=True):
        if case.refused:
            said = [re.sub(r"^by = '\w+'(: )?", "", part) for part in OWN.get(name, case.refused)]  # a field
            assert all(part in ours.get("refused", "") for part in said), (name, ours)
            assert "\n" not in ours["refused"], name
            continue
        assert ours.get("reading") == case.reading, (name, ours)
        assert {label: pytest.approx([won, played]) for label, won, played in ours["labels"]} == case.labels, name
        told = ours["refused"] if case.verdict == "refused" else ours["verdict"]
        assert told == ("Two games or more are needed" if case.verdict == "refused" else case.verdict), (name, ours)
