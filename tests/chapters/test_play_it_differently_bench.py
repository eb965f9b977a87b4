"""Sanguosha and its points with controls: answers are what the engines say, and every line of Python says it again."""

import unicodedata
import warnings
from functools import lru_cache
from urllib.parse import parse_qsl

import numpy as np
import pytest
from matplotlib import pyplot

from chapters import play_it_differently_bench as bench
from chapters import the_smallest_fair_change_grid as grid
from chapters import the_smallest_fair_change_points as points
from gamebalance import sanguosha
from gamebalance.base.controls import Slider, read, written
from gamebalance.publish import heavy
from gamebalance.sanguosha import LINEUPS, REPORT_SCORING, Outcomes, Role, exact, what_if
from gamebalance.sanguosha.design import DEMANDS, POINTS, fair_points
from tests.refusals import refused
from tests.sanguosha.made_up_designs import made_up_fives

CONTROLS, FOUR = bench.controls(), "1-1-1-1"
HEARTS = {f"{role.key}_hearts": 1 for role in Role}
PLAYS = {play: {f"{role.key}_play": play for role in Role} for play in grid.PLAYS}


@pytest.fixture(scope="module", autouse=True)
def solved_once():
    """Each seating is solved once under the same rules and policies, whichever test asks first."""
    found, solve = {}, exact.solve

    def again(seating, rules, policies, *rest):
        key = str(seating), rules, frozenset((policies or {}).items()), rest
        if key not in found:
            found[key] = solve(seating, rules, policies, *rest)
        return found[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact, "solve", again)
        yield


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Few games, and nothing remembered of one test in the next."""
    for name, value in {"FAST_GAMES": 3000, "SLOW_GAMES": 2000, "_played": bench._played.__wrapped__}.items():
        monkeypatch.setattr(bench, name, value)
    yield
    pyplot.close("all")


@pytest.fixture(scope="module")
def model():
    """The first rows of the grid and of ways to play, and made-up games of five."""
    cases = [{"number": number, "setting": grid.sentence_of(grid.settings()[number])} for number in (0, 5)]
    designs, plays = heavy.results("sanguosha-designs"), heavy.results("sanguosha-plays")
    return bench.Bench(designs.iloc[:2], plays, made_up_fives(cases))


def test_every_control_changes_what_it_says():
    """Each alone, to its end or its last value: one field of the rules, the line-up, one role's play or one point."""
    assert bench.setting_of({}) == (LINEUPS[0], {}, bench.REPORT) and written(CONTROLS, {}) == ""
    seen = set()
    for name, control in CONTROLS.items():
        value = control.least if isinstance(control, Slider) else control.values[-1]
        lineup, changes, plays = bench.setting_of({name: value})
        seen.add((lineup, str(changes), plays))
        if name in bench.POINT_NAMES:
            assert changes == {"points": {name: value}} and hasattr(REPORT_SCORING, name)
        elif name.endswith("_play"):
            assert plays[Role[name.removesuffix("_play").upper()]] == value and not changes
        elif name.endswith("_hearts"):
            assert changes == {"health": {name.removesuffix("_hearts"): 1}}
    assert len(seen) == len(CONTROLS) == 27
    assert bench.setting_of({"slash": 1, "draws": 1})[1] == {"deck": {"slash": 1}, "draws": 1}


def test_what_is_refused(model):
    for name, control in CONTROLS.items():
        for value in (control.most + 1 if isinstance(control, Slider) else "x", True, None):
            with refused(f"{name} = {value!r}"):
                model.answer(**{name: value})
    with refused("'hearts'", "lord_hearts"):
        model.answer(hearts=3)
    with refused("rebel_play = 'known'", "lineup = '1-1-2-1'", "four players"):
        model.answer(lineup="1-1-2-1", rebel_play="known")


SETTINGS = [
    "",
    "rebel_hearts=1&lord_hearts=1&slash=60&dodge=3",
    "draws=3&renegade_hearts=1&loyalist_hearts=2&lord_hearts=1&rebel_hearts=1&first=after+the+lord&lord_win=12",
    "lord_hearts=1&loyalist_hearts=1&rebel_hearts=1&renegade_hearts=1&rebel_play=known&renegade_play=threat",
    "lineup=1-1-3-1&slash=45",
    "lineup=1-3-4-2&renegade_hearts=2&consolation=3",
]


@pytest.mark.parametrize("text", SETTINGS)
def test_the_line_of_python_gives_the_same(model, text):
    answer = model.answer(**read(CONTROLS, text))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sanguosha.simulation.SlowSimulation)
        outcomes = eval(answer.code, {"sanguosha": sanguosha})
    before = what_if(outcomes.lineup, games=3000, seed=1) if outcomes.games else what_if()
    again = bench.numbers_of(outcomes, before)
    assert answer.data.iloc[:, 0].tolist() == again.iloc[:, 0].tolist() == [*map(str, Role), "Bal, Rat"]
    ours, theirs = (table.iloc[:, 1:].astype(float) for table in (answer.data, again))
    assert np.allclose(ours, theirs, atol=1e-4, equal_nan=True)


def test_numbers_are_those_of_the_outcomes():
    """Every one of them, by the methods of `Outcomes`; two renegades share what one of them wins."""
    found = what_if("1-2-3-2", games=2000, seed=3, points={"renegade_win": 50})
    table = bench.numbers_of(found, what_if("1-2-3-2", games=1000, seed=4))
    survives, wins, scores = (table[measure] for measure in bench.MEASURES)
    assert np.allclose(survives["now"], [*100 * found.survival, 100 * found.balance])
    assert np.allclose(survives["s.e."], [*100 * found.survival_error, 100 * found.balance_error])
    lord, rebels, renegade = found.winning.values()
    assert np.allclose(wins["now"], np.multiply(100, [lord, lord, rebels, renegade / 2, np.nan]), equal_nan=True)
    assert np.allclose(wins["s.e."][0], 100 * (lord * (1 - lord) / 2000) ** 0.5, rtol=1e-3)
    assert np.allclose(scores["now"], [*found.expected_scores(), found.rationality()])
    assert np.allclose(scores["s.e."], [*found.score_error, found.rationality_error()])


def test_what_stands_in_the_tables_is_not_solved(model, monkeypatch):
    """By one play of all, or by any ways under the report's rules; five by the report's play."""

    def unknown(lineup, rules, plays):
        raise LookupError(plays)

    monkeypatch.setattr(bench, "_played", unknown)
    rows = heavy.results("sanguosha-designs")
    plays = heavy.results("sanguosha-plays").set_index(["lord", "loyalist", "rebel", "renegade"])
    ways = {"lord_play": "report", "loyalist_play": "known", "rebel_play": "threat"}
    known = {play: (HEARTS | own, grid.mean_of(rows.iloc[1], play)) for play, own in PLAYS.items()}
    mixed = grid.mean_of(plays.loc[("report", "known", "threat", "threat")], "endings")
    known |= {way: (ways | {"renegade_play": way}, mixed) for way in ("threat", "known")}
    for values, wanted in known.values():
        assert np.allclose(model.outcomes(*bench.setting_of(values)).survival, wanted.survival)
    for number, values in ((0, {}), (5, {"lord_hearts": 2})):
        five = model.outcomes(*bench.setting_of({"lineup": "1-1-2-1", **values}))
        assert (
            five.games is None
            and five.probability == model.fives[grid.sentence_of(grid.settings()[number])].probability
        )
    for values in (HEARTS | {"lord_play": "known"}, ways | {"draws": 3}, {"lineup": "1-1-2-1", "slash": 31}):
        with pytest.raises(LookupError):
            model.outcomes(*bench.setting_of(values))


def test_points_are_not_solved_again(model, monkeypatch):
    monkeypatch.setattr(bench, "_played", lru_cache(bench._played))
    values = {"lord_hearts": 1, "rebel_hearts": 1, "slash": 61}
    before = model.outcomes(*bench.setting_of(values))
    monkeypatch.setattr(bench, "solve_lineup", None)
    after = model.outcomes(*bench.setting_of(values | {"rebel_dead": 11}))
    assert after.probability == before.probability and after.scoring.rebel_dead == 11


def test_the_sentence(model):
    """A single rebel does not win dead, so that the points for it move nobody."""
    said = model.answer().sentence
    assert said.startswith("The Sanguosha report's game: Bal, the spread of survival, is 13.34%; Rat,")
    now, then = (bench.estimates(each)[bench.MEASURES[0]] for each in (what_if(health=1), what_if()))
    role = Role(int(np.argmax([abs(a.value - b.value) for a, b in zip(now[:4], then[:4], strict=True)])))
    said = model.answer(**HEARTS).sentence
    assert said.endswith(f"the {role.key} survives in {now[role]}% of games instead of {then[role]}% (exact).")
    after, before = (what_if(points=new).expected_scores()[3] for new in ({"consolation": 0}, None))
    moved = f"the renegade expects {after:.2f} points instead of {before:.2f} (exact)."
    assert model.answer(consolation=0).sentence.endswith(moved)
    assert "no role survives more or less often, or expects other points" in model.answer(rebel_dead=50).sentence
    answer = model.answer(lineup="1-1-3-1", slash=60)
    assert "from 3,000 games, ± one standard error" in answer.sentence and answer.sentence.count("±") == 7
    assert all("±" in text for text in answer.table.iloc[:4, 1:].to_numpy().ravel())


@pytest.mark.parametrize("lineup", [FOUR, "1-1-3-1"])
def test_the_figure_shows_the_numbers(model, lineup):
    """Four marks a panel where the numbers are, hollow ones where the report's are, bars only if simulated."""
    answer = model.answer(rebel_hearts=1, lord_hearts=1, lineup=lineup)
    for axes, measure in zip(answer.figure.axes, bench.MEASURES, strict=True):
        marks = [line for line in axes.lines if line.get_marker() in ("o", "s", "^", "D")]
        hollow = [line for line in marks if line.get_markerfacecolor() == "none"]
        filled = [line for line in marks if line not in hollow]
        for lines, column in ((filled, "now"), (hollow, "report")):
            assert [line.get_xdata()[0] for line in lines] == answer.data[measure][column][:4].tolist()
        assert [line.get_ydata()[0] for line in filled] == [0, 1, 2, 3]
        spans = [collection.get_segments()[0][:, 0] for collection in axes.collections]
        errors = answer.data[measure]["s.e."][: 4 * (lineup != FOUR)]
        assert np.allclose(np.ptp(spans, axis=1) if spans else [], 4 * errors)


def test_the_link_is_of_the_page_over_the_grid(model):
    """It names the changes as sentences in small letters; what the grid does not hold has no link."""
    link = model.answer(**HEARTS, **PLAYS["threat"], rebel_dead=11).link
    assert parse_qsl(link) == [("change", "everybody-has-1-heart"), ("play", "threat"), ("rebel_dead", "11")]
    assert model.answer().link == "" and model.answer(rebel_hearts=1, slash=61).link is None


def test_labels_have_room():
    """Chinese characters are twice as wide; the panel has room for 19 such halves."""
    for control in (*CONTROLS.values(), *points.controls().values()):
        wide = sum(1 + (unicodedata.east_asian_width(letter) == "W") for letter in control.label)
        assert wide <= 19 and max([0, *map(len, getattr(control, "names", ()))]) <= 20, control.label


def test_what_makes_later_answers_fast(model, monkeypatch):
    asked = []
    monkeypatch.setattr(bench, "_played", lambda *given: asked.append(given[-1]))
    model.prepare()
    assert asked == [("report",) * 4, ("threat",) * 4, ("known", "known", "known", "threat")]


@pytest.fixture(scope="module")
def fair():
    stored = heavy.results("sanguosha-designs").iloc[0]
    five = Outcomes(sanguosha.Lineup(1, 2, 1), {(1, 1, 0, 0): 0.4, (0, 0, 2, 0): 0.3, (0, 0, 0, 1): 0.3})
    games = {(FOUR, play): grid.mean_of(stored, play) for play in grid.PLAYS}
    return points.PointsBench(games | {("1-1-2-1", "report"): five})


ASKED = {
    "": {},
    "norm=l2&within=2.5": {"norm": "l2", "within": 2.5},
    "norm=integer&within=0.5": {"norm": "integer"},
    "mean=free": {"level": None},
    "signs=free&within=5": {"kept": ("alive above dead", "winner above loser"), "within": 5},
    "order=kept&within=12": {"kept": tuple(DEMANDS), "within": 12},
}


@pytest.mark.parametrize("text", ASKED)
def test_fair_points_and_their_code(fair, text):
    """What `fair_points` finds, how the page over the grid names it, and how far apart the roles are in other play."""
    answer, games = fair.answer(**read(points.controls(), text)), fair.games[FOUR, "report"]
    wanted = fair_points(games, **ASKED[text])
    new, expected = (answer.data[answer.data["what"] == what] for what in ("points", "expected"))
    assert new["new"].tolist() == pytest.approx(list(wanted.points.values()))
    assert expected["new"].tolist() == pytest.approx(wanted.expected.tolist(), abs=1e-7)
    assert expected["report"].tolist() == pytest.approx(games.expected_scores().tolist())
    again = eval(answer.code, {"sanguosha": sanguosha})
    assert list(again.points.values()) == pytest.approx(list(wanted.points.values()), abs=1e-5)
    told = dict(parse_qsl(answer.link))
    linked = [float(told.get(name, getattr(REPORT_SCORING, name))) for name in POINTS]
    assert linked == pytest.approx(list(wanted.points.values()))
    for way, name in grid.PLAY_NAMES.items():
        apart = points._short(np.ptp(fair.games[FOUR, way].expected_scores(wanted.scoring)))
        assert (f"{apart} points ({name})" in answer.sentence) == (way != "report")
    for axes, own in zip(answer.figure.axes, (new, expected), strict=True):
        marks = {line.get_label(): line.get_xdata() for line in axes.lines}
        assert np.allclose(marks["the Sanguosha report's points"], own["report"])
        assert np.allclose(marks["the new points"], own["new"])


def test_sentences_of_fair_points(fair):
    said = fair.answer().sentence
    begin = (
        "The sum of changes is 251.23, the least there is: a living rebel's points when the rebels win become 226.77"
    )
    assert (
        said.startswith(begin) and "and 2 more of the ten numbers change. Each role then expects 7.98 points." in said
    )
    said = fair.answer(within=20.0).sentence
    assert said.startswith("Nothing has to change: two roles are at most 18.88 points apart.")
    assert "expects 7.18 to 7.67 points" in fair.answer(norm="integer", within=0.5).sentence
    five = fair.answer(lineup="1-1-2-1")
    assert (five.link, five.code) == (None, 'sanguosha.design.fair_points("1-1-2-1")')
    assert "differently" not in five.sentence


def test_fair_points_that_cannot_be_had(fair):
    with refused("play = 'known', lineup = '1-1-2-1'", "more than four"):
        fair.answer(lineup="1-1-2-1", play="known")
    with refused("within = 0.0: no whole points"):
        fair.answer(norm="integer")
    with refused("norm = 'x'"):
        fair.answer(norm="x")
