"""Fair points with controls: what is answered is what `fair_points` finds, and the line of Python says it too."""

from urllib.parse import parse_qsl

import numpy as np
import pytest
from matplotlib import pyplot

from chapters.sanguosha.designs import points_bench, rows
from gamebalance import sanguosha
from gamebalance.base.controls import read
from gamebalance.publish import heavy
from gamebalance.sanguosha import REPORT_SCORING, Outcomes, mean_outcomes
from gamebalance.sanguosha.design import DEMANDS, POINTS, fair_points
from tests.refusals import refused

CONTROLS = points_bench.controls()
FOUR = "1-1-1-1"


pytestmark = pytest.mark.usefixtures("solved_once")


@pytest.fixture(autouse=True)
def _closed():
    yield
    pyplot.close("all")


@pytest.fixture(scope="module")
def model():
    stored = heavy.results("sanguosha-designs").iloc[0]
    games = {
        (FOUR, play): mean_outcomes(rows.FOUR, list(rows.outcomes_of(stored, play).values())) for play in rows.PLAYS
    }
    five = Outcomes(sanguosha.Lineup(1, 2, 1), {(1, 1, 0, 0): 0.4, (0, 0, 2, 0): 0.3, (0, 0, 0, 1): 0.3})
    return points_bench.PointsBench(games | {("1-1-2-1", "report"): five})


def new_points(answer):
    return answer.data[answer.data["what"] == "points"]["new"].tolist()


SETTINGS = {
    "": {},
    "norm=l2&within=2.5": {"norm": "l2", "within": 2.5},
    "norm=integer&within=0.5": {"norm": "integer"},
    "norm=integer&within=3": {"norm": "integer", "within": 3},
    "mean=free": {"level": None},
    "signs=free&within=5": {"kept": ("alive above dead", "winner above loser"), "within": 5},
    "order=kept&within=12": {"kept": tuple(DEMANDS), "within": 12},
    "play=threat": {},
}


@pytest.mark.parametrize("text", SETTINGS)
def test_the_answer_is_that_of_fair_points_and_its_code(model, text):
    play = "threat" if "play" in text else "report"
    answer, games = model.answer(**read(CONTROLS, text)), model._games[FOUR, play]
    found = fair_points(games, **SETTINGS[text])
    assert new_points(answer) == pytest.approx(list(found.points.values()))
    expected = answer.data[answer.data["what"] == "expected"]
    assert expected["new"].tolist() == pytest.approx(found.expected.tolist(), abs=1e-7)
    assert expected["report"].tolist() == pytest.approx(games.expected_scores().tolist())
    again = eval(answer.code, {"sanguosha": sanguosha})
    assert list(again.points.values()) == pytest.approx(list(found.points.values()), abs=1e-5)
    told = dict(parse_qsl(answer.link))
    assert told.pop("play", "report") == play
    new = {name: float(told.get(name, getattr(REPORT_SCORING, name))) for name in POINTS}
    assert list(new.values()) == pytest.approx(list(found.points.values()))
    apart = [np.ptp(other.expected_scores(found.scoring)) for key, other in model._games.items() if key[0] == FOUR]
    for way, difference in zip(rows.PLAYS, apart, strict=True):
        words = f"{points_bench._short(difference)} points ({rows.PLAY_NAMES[way]})"
        assert (words in answer.sentence) == (way != play)


def test_five_players(model):
    answer = model.answer(lineup="1-1-2-1")
    assert new_points(answer) == pytest.approx(list(fair_points(model._games["1-1-2-1", "report"]).points.values()))
    assert answer.link is None and answer.code == 'sanguosha.design.fair_points("1-1-2-1")'
    assert "differently" not in answer.sentence


def test_sentences(model):
    said = model.answer().sentence
    assert said.startswith(
        "The sum of changes is 251.23, the least there is: a living rebel's points when the rebels win"
    )
    assert "become 226.77 instead of 12; " in said and "and 2 more of the ten numbers change." in said
    assert "Each role then expects 7.98 points." in said
    assert model.answer(within=20.0).sentence.startswith(
        "Nothing has to change: two roles are at most 18.88 points apart."
    )
    assert model.answer().table.iloc[5].tolist() == ["points", "Rebel, alive", "12.00", "226.77"]
    said = model.answer(norm="integer", within=0.5).sentence
    assert said.startswith("The sum of changes in whole points is 229,") and "expects 7.18 to 7.67 points" in said


def test_the_figure_shows_the_numbers(model):
    answer = model.answer(within=4.0)
    for axes, what in zip(answer.figure.axes, ("points", "expected"), strict=True):
        own = answer.data[answer.data["what"] == what]
        marks = {line.get_label(): line.get_xdata() for line in axes.lines}
        assert np.allclose(marks["the Sanguosha report's points"], own["report"]) and np.allclose(
            marks["the new points"], own["new"]
        )
        assert [label.get_text() for label in axes.get_yticklabels()] == own["name"].tolist()


def test_what_cannot_be_had_is_refused_in_one_line(model):
    with refused("play = 'known', lineup = '1-1-2-1'", "more than four"):
        model.answer(lineup="1-1-2-1", play="known")
    with refused("within = 0.0: no whole points"):
        model.answer(norm="integer")
    with refused("kept = ('order',)", "10.7591 points are the least"):
        model.answer(order="kept")
    for name in CONTROLS:
        with refused(f"{name} = 'x'"):
            model.answer(**{name: "x"})


def test_labels_have_room():
    for control in CONTROLS.values():
        assert len(control.label) <= 19 and max([0, *map(len, getattr(control, "names", ()))]) <= 20, control.label
