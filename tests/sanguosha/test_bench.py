"""Sanguosha with controls: what is answered is what the engines say, and every line of Python says it again."""

import unicodedata
import warnings
from dataclasses import replace
from urllib.parse import parse_qsl

import numpy as np
import pytest
from matplotlib import pyplot

from chapters.sanguosha.designs import bench, rows
from chapters.sanguosha.designs.answers import COLUMNS, MEASURES, estimates, numbers_of
from gamebalance import sanguosha
from gamebalance.base.controls import Slider, read, written
from gamebalance.sanguosha import AS_CODED, LINEUPS, REPORT_SCORING, Role, changed, solve, what_if
from gamebalance.sanguosha.policies import ThreatPolicy
from tests.refusals import refused
from tests.sanguosha.made_up_designs import made_up_fives, outcomes_of_five

CONTROLS = bench.controls()
REPORT = ("report",) * 4


pytestmark = pytest.mark.usefixtures("solved_once")


@pytest.fixture(autouse=True)
def _closed():
    yield
    pyplot.close("all")


@pytest.fixture(scope="module")
def row():
    """Of the grid: everybody has one heart, which is soon solved."""
    return rows.row(1)


@pytest.fixture(scope="module")
def model(row):
    return bench.Bench([row])


def test_the_start_is_the_game_of_the_report():
    setting = bench.Setting.of({})
    assert (setting.lineup, setting.changes, setting.plays) == (LINEUPS[0], {}, REPORT)
    assert setting.rules == AS_CODED and written(CONTROLS, {}) == ""


def test_every_control_changes_what_it_says():
    """Each alone, to its end or its last value: one field of the rules, the line-up, one role's play or one point."""
    seen = set()
    for name, control in CONTROLS.items():
        value = control.least if isinstance(control, Slider) else control.values[-1]
        setting = bench.Setting.of({name: value})
        seen.add((setting.lineup, setting.rules, setting.plays, str(setting.changes.get("points"))))
        if name in bench.POINT_NAMES:
            assert setting.changes == {"points": {name: value}} and hasattr(REPORT_SCORING, name)
        elif name.endswith("_play"):
            assert setting.plays[Role[name.removesuffix("_play").upper()]] == value and not setting.changes
        elif name.endswith("_hearts"):
            assert setting.rules.health[Role[name.removesuffix("_hearts").upper()]] == value
            assert sum(setting.rules.health) == 13
    assert len(seen) == len(CONTROLS) == 27
    assert changed(deck={"slash": 1}) == bench.Setting.of({"slash": 1}).rules
    assert changed(draws=1, first="after the lord") == bench.Setting.of({"draws": 1, "first": "after the lord"}).rules


@pytest.mark.parametrize("name", CONTROLS)
def test_what_a_control_cannot_take_is_refused(model, name):
    control = CONTROLS[name]
    wrong = [control.most + 1, control.least - 1, 1.5] if isinstance(control, Slider) else ["x", 3]
    for value in (*wrong, True, None):
        with refused(f"{name} = {value!r}"):
            model.answer(**{name: value})


def test_other_settings_that_are_refused(model):
    with refused("'hearts'", "lord_hearts"):
        model.answer(hearts=3)
    with refused("rebel_play = 'known'", "lineup = '1-1-2-1'", "four players"):
        model.answer(lineup="1-1-2-1", rebel_play="known")


@pytest.fixture(scope="module")
def report():
    return what_if()


SETTINGS = [
    "",
    "rebel_hearts=1&lord_hearts=1&slash=60&dodge=3",
    "draws=3&renegade_hearts=1&loyalist_hearts=2&lord_hearts=1&rebel_hearts=1&first=after+the+lord",
    "renegade_win=20&rebel_alive=30",
    "lord_hearts=1&loyalist_hearts=1&rebel_hearts=1&renegade_hearts=1&rebel_play=known&renegade_play=threat",
    "lord_hearts=1&loyalist_hearts=1&rebel_hearts=1&renegade_hearts=1&lord_win=12",
    "lineup=1-1-2-1&slash=45",
    "lineup=1-3-4-2&renegade_hearts=2&consolation=3",
]


@pytest.mark.parametrize("text", SETTINGS)
def test_the_line_of_python_gives_the_same(model, report, monkeypatch, text):
    monkeypatch.setattr(bench, "FAST_GAMES", 3000)
    monkeypatch.setattr(bench, "SLOW_GAMES", 2000)
    bench._played.cache_clear()
    answer = model.answer(**read(CONTROLS, text))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sanguosha.simulation.SlowSimulation)
        found = eval(answer.code, {"sanguosha": sanguosha})
    before = what_if(found.lineup, games=3000, seed=1) if found.games else report
    again = numbers_of(found, before)
    assert answer.data.iloc[:, 0].tolist() == again.iloc[:, 0].tolist() == [*map(str, Role), "Bal, Rat"]
    assert np.allclose(
        answer.data.iloc[:, 1:].astype(float), again.iloc[:, 1:].astype(float), atol=1e-4, equal_nan=True
    )
    bench._played.cache_clear()


def test_numbers_are_those_of_the_outcomes():
    """Every one of them, by the methods of `Outcomes`; two renegades share what one of them wins."""
    found = what_if("1-2-3-2", games=2000, seed=3, points={"renegade_win": 50})
    table = numbers_of(found, what_if("1-2-3-2", games=1000, seed=4))
    survives, wins, points = (table[measure] for measure in MEASURES)
    assert np.allclose(survives["now"], [*100 * found.survival, 100 * found.balance])
    assert np.allclose(survives["s.e."], [*100 * found.survival_error, 100 * found.balance_error])
    shares = found.winning
    expected = [shares["lord"], shares["lord"], shares["rebels"], shares["renegade"] / 2]
    assert np.allclose(wins["now"][:4], np.multiply(100, expected)) and np.isnan(wins["now"][4])
    assert np.allclose(wins["s.e."][0], 100 * (shares["lord"] * (1 - shares["lord"]) / 2000) ** 0.5, rtol=1e-3)
    assert np.allclose(points["now"], [*found.expected_scores(), found.rationality()])
    assert np.allclose(points["s.e."], [*found.score_error, found.rationality_error()])
    assert [*table.columns[1:5]] == [(MEASURES[0], column) for column in COLUMNS] and table.shape == (5, 13)


def test_what_stands_in_the_grid_is_not_solved(row, monkeypatch):
    """By the play of the report and by both others; a play that was not tried there, or only by some, is solved."""
    monkeypatch.setattr(bench, "_played", lambda lineup, rules, plays: (_ for _ in ()).throw(LookupError(plays)))
    hearts = {f"{role.key}_hearts": 1 for role in Role}
    for play in rows.PLAYS:
        values = hearts | {f"{role.key}_play": play for role in Role}
        for known in ([row], [row | {"number": "1"}]):
            found = bench.Bench(known).outcomes(bench.Setting.of(values))
            assert np.allclose(
                found.survival, np.mean([o.survival for o in rows.outcomes_of(row, play).values()], axis=0)
            )
        for untried in ("", float("nan")):
            with pytest.raises(LookupError):
                bench.Bench([row | {play: untried}]).outcomes(bench.Setting.of(values))
    with pytest.raises(LookupError):
        bench.Bench([row]).outcomes(bench.Setting.of(hearts | {"lord_play": "known"}))
    with pytest.raises(LookupError):
        bench.Bench([row]).outcomes(bench.Setting.of(hearts | {"lineup": "1-1-2-1"}))


def test_ways_to_play_by_the_report_s_rules_are_not_solved(row, monkeypatch):
    """Any combination that a table holds; what a renegade knows changes nothing for him."""
    monkeypatch.setattr(bench, "_played", lambda lineup, rules, plays: (_ for _ in ()).throw(LookupError(plays)))
    ways = {"lord": "report", "loyalist": "known", "rebel": "threat", "renegade": "threat"}
    model = bench.Bench(plays=[ways | {"endings": row["threat"], "error_bound": "1e-12"}])
    for renegade in ("threat", "known"):
        values = {f"{key}_play": way for key, way in (ways | {"renegade": renegade}).items()}
        found = model.outcomes(bench.Setting.of(values))
        assert np.allclose(
            found.survival, np.mean([o.survival for o in rows.outcomes_of(row, "threat").values()], axis=0)
        )
        with pytest.raises(LookupError):
            model.outcomes(bench.Setting.of(values | {"draws": 3}))
    with pytest.raises(LookupError):
        model.outcomes(bench.Setting.of({"lord_play": "known"}))
    everywhere = bench.Bench([row]).outcomes(
        bench.Setting.of({f"{role.key}_hearts": 1 for role in Role} | {f"{key}_play": "known" for key in ways})
    )
    assert everywhere.survival[0] == pytest.approx(
        np.mean([o.survival[0] for o in rows.outcomes_of(row, "known").values()])
    )


def test_a_renegade_need_not_know():
    """So that one answer does for both."""
    found = [solve("0132", changed(health=1), {Role.RENEGADE: ThreatPolicy(k)}) for k in ("own sight", "everything")]
    assert found[0].probability == found[1].probability


def test_the_grid_says_what_the_solver_says(row):
    setting = bench.Setting.of({f"{role.key}_hearts": 1 for role in Role})
    known, solved = bench.Bench([row]).outcomes(setting), bench.Bench().outcomes(setting)
    assert np.allclose(known.survival, solved.survival, atol=1e-8) and known.games is solved.games is None


def test_five_players_are_answered_from_their_table(monkeypatch):
    """By the report's play and what is in the table; everything else is played."""
    monkeypatch.setattr(bench, "_played", lambda lineup, rules, plays: (_ for _ in ()).throw(LookupError(rules)))
    rows_of_five = made_up_fives("number", (0, 5))
    model = bench.Bench(fives=rows_of_five)
    for number, values in ((0, {}), (5, {"lord_hearts": 2})):
        found = model.outcomes(bench.Setting.of({"lineup": "1-1-2-1", **values}))
        wanted = outcomes_of_five(rows_of_five[rows_of_five["number"] == number])
        assert found.games is None and found.survival == pytest.approx(wanted.survival)
    for values in ({"lord_hearts": 3}, {"slash": 31}, {"lineup": "1-1-3-1"}, {"lineup": "1-1-1-1"}):
        with pytest.raises(LookupError):
            model.outcomes(bench.Setting.of({"lineup": "1-1-2-1", **values}))


def test_points_are_not_solved_again(model, monkeypatch):
    values = {"lord_hearts": 1, "rebel_hearts": 1, "slash": 61}
    before = model.outcomes(bench.Setting.of(values))
    monkeypatch.setattr(bench, "solve_lineup", None)
    after = model.outcomes(bench.Setting.of(values | {"rebel_dead": 11}))
    assert after.probability == before.probability
    assert after.scoring == replace(REPORT_SCORING, rebel_dead=11)


def test_a_larger_remainder_keeps_its_word():
    exact, quick = solve("023"), solve("023", tail=1e-6)
    missed = sum(abs(share - quick.probability[ending]) for ending, share in exact.probability.items())
    assert 1e-13 < missed <= quick.error_bound < 1e-4 and exact.error_bound < 1e-12
    for tail in (0, 1, "x"):
        with refused(f"tail = {tail!r}", "between 0 and 1"):
            solve("023", tail=tail)


def test_the_sentence(model, report):
    assert model.answer().sentence.startswith(
        "The Sanguosha report's game: Bal, the spread of survival, is 13.34%; Rat,"
    )
    answer = model.answer(**{f"{role.key}_hearts": 1 for role in Role})
    now, then = (estimates(each)[MEASURES[0]] for each in (what_if(health=1), report))
    role = Role(int(np.argmax([abs(a.value - b.value) for a, b in zip(now[:4], then[:4], strict=True)])))
    moved = f"the {role.key} survives in {now[role]}% of games instead of {then[role]}% (exact)."
    assert answer.sentence.endswith(moved) and f"is {now[4]}% instead of 13.34%" in answer.sentence


def test_the_sentence_where_only_points_change(model, report):
    """A single rebel does not win dead, so that the points for it move nobody."""
    after = what_if("1-1-1-1", points={"consolation": 0}).expected_scores()[Role.RENEGADE]
    before = report.expected_scores()[Role.RENEGADE]
    moved = f"the renegade expects {after:.2f} points instead of {before:.2f} (exact)."
    assert after < before - 1 and model.answer(consolation=0).sentence.endswith(moved)
    assert "no role survives more or less often, or expects other points" in model.answer(rebel_dead=50).sentence


def test_the_sentence_of_a_simulation(model, monkeypatch):
    monkeypatch.setattr(bench, "FAST_GAMES", 1000)
    bench._played.cache_clear()
    answer = model.answer(lineup="1-1-2-1", slash=60)
    bench._played.cache_clear()
    assert "from 1,000 games, ± one standard error" in answer.sentence and answer.sentence.count("±") == 7
    assert all("±" in text for text in answer.table.iloc[:4, 1:].to_numpy().ravel())


@pytest.mark.parametrize("simulated", [False, True])
def test_the_figure_shows_the_numbers(model, monkeypatch, simulated):
    """Four marks a panel where the numbers are, hollow ones where the report's are, bars only if simulated."""
    monkeypatch.setattr(bench, "SLOW_GAMES", 500)
    bench._played.cache_clear()
    answer = model.answer(rebel_hearts=1, lord_hearts=1, lineup="1-1-2-1" if simulated else "1-1-1-1")
    bench._played.cache_clear()
    panels = answer.figure.axes
    assert [axes.get_title(loc="left") for axes in panels] == [
        "Survives, % of games",
        "Wins, % of games",
        "Points expected",
    ]
    assert [label.get_text() for label in panels[0].get_yticklabels()] == [*map(str, Role)]
    for axes, measure in zip(panels, MEASURES, strict=True):
        marks = [line for line in axes.lines if line.get_marker() in ("o", "s", "^", "D")]
        hollow = [line for line in marks if line.get_markerfacecolor() == "none"]
        filled = [line for line in marks if line not in hollow]
        assert [line.get_xdata()[0] for line in filled] == answer.data[measure]["now"][:4].tolist()
        assert [line.get_xdata()[0] for line in hollow] == answer.data[measure]["report"][:4].tolist()
        assert [line.get_ydata()[0] for line in filled] == [0, 1, 2, 3]
        assert len({line.get_marker() for line in filled}) == 4
        spans = [collection.get_segments()[0][:, 0] for collection in axes.collections]
        assert np.allclose(np.ptp(spans, axis=1) if spans else [], 4 * answer.data[measure]["s.e."][: 4 * simulated])
        low, high = axes.get_xlim()
        assert low <= axes.dataLim.x0 and axes.dataLim.x1 <= high


def test_the_link_is_of_the_page_over_the_grid(model):
    """It names the changes as sentences in small letters; what the grid does not hold has no link."""
    values = {f"{role.key}_hearts": 1 for role in Role} | {f"{role.key}_play": "threat" for role in Role}
    link = model.answer(**values, rebel_dead=11).link
    assert parse_qsl(link) == [("change", "everybody-has-1-heart"), ("play", "threat"), ("rebel_dead", "11")]
    assert model.answer().link == ""
    assert parse_qsl(model.answer(rebel_hearts=1, slash=15).link)[1] == ("change", "there-are-15-slashes-instead-of-30")
    assert model.answer(rebel_hearts=1, slash=61).link is None


def test_labels_have_room():
    """Chinese characters are twice as wide; the panel has room for 19 such halves."""
    for control in CONTROLS.values():
        wide = sum(1 + (unicodedata.east_asian_width(letter) == "W") for letter in control.label)
        assert wide <= 19 and max([0, *map(len, getattr(control, "names", ()))]) <= 20, control.label


def test_what_makes_later_answers_fast():
    bench._played.cache_clear()
    bench.Bench().prepare()
    assert bench._played.cache_info().currsize == len(rows.PLAYS)
    bench._played.cache_clear()
