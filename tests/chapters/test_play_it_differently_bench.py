"""Sanguosha and its points with controls: answers are what the engines say, and every line of Python says it again."""

import warnings
from urllib.parse import parse_qsl

import numpy as np
import pytest
from matplotlib import pyplot

from chapters import play_it_differently_bench as bench
from chapters import the_smallest_fair_change_grid as grid
from chapters import the_smallest_fair_change_points as points
from chapters.where_play_settles import settled_mean
from gamebalance import sanguosha
from gamebalance.base.controls import Slider, read, written
from gamebalance.publish import heavy
from gamebalance.sanguosha import LINEUPS, REPORT_SCORING, Outcomes, Role, what_if
from gamebalance.sanguosha.design import DEMANDS, POINTS, fair_points
from tests.refusals import refused
from tests.sanguosha.made_up_designs import made_up, made_up_fives

CONTROLS, FOUR = bench.controls(), "1-1-1-1"


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
    return bench.Bench(made_up().iloc[:2].assign(**designs.iloc[:2]), plays, made_up_fives(cases))


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
    "draws=3&renegade_hearts=1&loyalist_hearts=2&lord_hearts=1&rebel_hearts=1&first=after+the+lord&lord_win=12",
    "lord_hearts=1&loyalist_hearts=1&rebel_hearts=1&renegade_hearts=1&rebel_play=known&renegade_play=threat",
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


def test_what_stands_in_the_tables_is_taken_from_there(model):
    """By one play of all, or by any ways under the report's rules; five by the report's play."""
    plays = heavy.results("sanguosha-plays").set_index(["lord", "loyalist", "rebel", "renegade"])
    ways, everybody = ("report", "known", "threat", "threat"), {f"{role.key}_hearts": 1 for role in Role}
    known = [(everybody, grid.mean_of(heavy.results("sanguosha-designs").iloc[1], "report"))]
    mixed = {f"{role.key}_play": way for role, way in zip(Role, ways, strict=True)}
    known.append((mixed, grid.mean_of(plays.loc[ways], "endings")))
    setting = grid.sentence_of(grid.settings()[5])
    known.append(({"lineup": "1-1-2-1", "lord_hearts": 2}, model.fives[setting]))
    for values, wanted in known:
        found = model.outcomes(*bench.setting_of(values))
        assert found.games is None and np.allclose(found.survival, wanted.survival)


def test_the_link_is_of_the_page_over_the_grid(model):
    """It names the changes as sentences in small letters; what the grid does not hold has no link."""
    everybody = {f"{role.key}_{what}": value for role in Role for what, value in (("hearts", 1), ("play", "threat"))}
    link = model.answer(**everybody, rebel_dead=11).link
    assert parse_qsl(link) == [("change", "everybody-has-1-heart"), ("play", "threat"), ("rebel_dead", "11")]
    assert model.answer().link == "" and model.answer(rebel_hearts=1, slash=61).link is None


def test_where_play_settles_is_told_where_it_is_known(model):
    wins = settled_mean(made_up()["settled"][1]).winning
    told = f"lord's side wins {wins['lord']:.1%} of the games, the rebel {wins['rebels']:.1%} and the renegade"
    hearts = {f"{role.key}_hearts": 1 for role in Role}
    assert told in model.answer(**hearts).sentence and "points by leaving" in model.answer().sentence
    for other in ({**hearts, "rebel_dead": 11}, {"slash": 61}, {"lineup": "1-1-2-1"}):
        assert "points by leaving" not in model.answer(**other).sentence


@pytest.fixture(scope="module")
def fair():
    stored = heavy.results("sanguosha-designs").iloc[0]
    five = Outcomes(sanguosha.Lineup(1, 2, 1), {(1, 1, 0, 0): 0.4, (0, 0, 2, 0): 0.3, (0, 0, 0, 1): 0.3})
    games = {(FOUR, play): grid.mean_of(stored, play) for play in grid.PLAYS}
    settled = Outcomes(sanguosha.Lineup.parse(FOUR), {(1, 1, 0, 0): 0.7, (0, 0, 1, 1): 0.2, (0, 0, 0, 1): 0.1})
    return points.PointsBench(games | {("1-1-2-1", "report"): five, (FOUR, "settled"): settled})


ASKED = {
    "": {},
    "norm=l2&within=2.5": {"norm": "l2", "within": 2.5},
    "norm=integer&within=0.5": {"norm": "integer"},
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


def test_fair_points_where_play_settles(fair):
    answer = fair.answer(play="settled", mean="free")
    assert answer.sentence.endswith("With these points all would play otherwise.") and answer.link is None
    code = answer.code.replace("settle_seatings", "solve_seatings").replace(", rounds=100", "").replace(".outcomes", "")
    assert eval(code, {"sanguosha": sanguosha}).spread == pytest.approx(0, abs=1e-6)


def test_fair_points_that_cannot_be_had(fair):
    with refused("play = 'known', lineup = '1-1-2-1'", "more than four"):
        fair.answer(lineup="1-1-2-1", play="known")
    with refused("within = 0.0: no whole points"):
        fair.answer(norm="integer")
    with refused("norm = 'x'"):
        fair.answer(norm="x")
