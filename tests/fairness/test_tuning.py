"""The smallest fair change: against brute force, against what the collection proved, and where games are played."""

import re
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chapters.what_should_i_change import Drawn, tuned
from gamebalance import fairness, mafia
from gamebalance.fairness.reports.playing import all_play
from gamebalance.fairness.tuning.knobs import grid
from gamebalance.games import Nim, Pig
from gamebalance.games.pig import PigState
from gamebalance.mafia.design import cheapest_repair
from gamebalance.mafia.setups import Setup
from gamebalance.multiplayer.protocols import CHANCE, OVER


class LatePig(Pig):
    """Pig in which the last to begin has some points."""

    def __init__(self, late=0, goal=8, sides=3):
        super().__init__(2, goal, sides)
        self.late = late

    def start(self):
        return PigState((0, self.late))


class Track:
    """Three go 1 or 2 steps in turn, by a coin; the first at the goal wins; the two others start ahead."""

    players = 3

    def __init__(self, ahead=0, more=0):
        self.starts = (0, ahead, ahead + more)

    def start(self):
        return self.starts, 0

    def mover(self, state):
        return OVER if max(state[0]) >= 5 else CHANCE

    def moves(self, state):
        return {1: 0.5, 2: 0.5}

    def play(self, state, move):
        steps, player = state
        return tuple(step + move * (seat == player) for seat, step in enumerate(steps)), (player + 1) % 3

    def payoffs(self, state):
        return tuple(float(step >= 5) for step in state[0])


class Bids:
    """Two bid 0, 1 or 2 for an object that is worth 2 to either, one after the other; of equal bids the first counts.

    Whoever is second has a compensation.
    """

    players = 2

    def __init__(self, compensation=0, worth=2):
        self.compensation, self.worth = compensation, worth

    def start(self):
        return ()

    def mover(self, state):
        return len(state) if len(state) < 2 else OVER

    def moves(self, state):
        return (0, 1, 2)

    def play(self, state, move):
        return (*state, move)

    def payoffs(self, state):
        first, second = (*state, 0, 0)[:2]
        got = [0.0, self.compensation]
        got[first < second] += self.worth - max(first, second)
        return tuple(got)


GAMES = {
    "pig": (LatePig, {"late": [0, 1, 2, 3, 4]}, 0.05, ("random", "best")),
    "nim": (
        partial(Nim, heaps=(2, 2)),
        {"heaps": [(2, 2), (3, 4)], "misere": [False, True]},
        0.1,
        ("random", "greedy"),
    ),
    "track": (Track, {"ahead": [0, 1, 2, 3], "more": [-3, -2, -1, 0, 1]}, 0.15, ("random",)),
    "bids": (Bids, {"compensation": [0, 0.5, 1, 1.5], "worth": [2, 3]}, 0.2, ("random", "searching")),
}


@pytest.mark.parametrize("name", GAMES)
def test_it_is_what_a_report_of_every_setting_says(name):
    make, vary, margin, ways = GAMES[name]
    found = fairness.tune(make, vary, margin=margin, ways=ways, everything=True)
    assert found.exact and len(found.rows) == found.grid.count == np.prod([len(values) for values in vary.values()])
    for row in found.rows:
        report = fairness.report(make(**row.setting.values), ways=ways, margin=margin)
        assert (row.verdict == "fair") == all(report.verdicts[way] == "fair" for way in found.ways)
    fair = [row.setting.size for row in found.rows if row.verdict == "fair"]
    assert fair and len(found.changes) == fair.count(min(fair))
    stopped = fairness.tune(make, vary, margin=margin, ways=ways)
    assert (stopped.change, stopped.changes) == (found.change, found.changes)
    assert {row.setting.size for row in stopped.rows} == {
        row.setting.size for row in found.rows if row.setting.size <= min(fair)
    }


def test_what_holds_under_one_way_only_is_said():
    found = fairness.tune(LatePig, {"late": [0, 1, 2, 3, 4]}, margin=0.05, ways=("random", "best"), everything=True)
    alone = {
        way: [row for row in found.rows if {look.way: look.verdict for look in row.looks}[way] == "fair"]
        for way in found.ways
    }
    for way, rows in alone.items():
        smaller = [row for row in rows if row.verdict != "fair" and row.setting.size < found.rows[0].setting.size]
        assert any(f"Fair if all {all_play(way)}, but" in said for said in found.sentences) == bool(smaller)


@given(st.lists(st.integers(1, 4), min_size=1, max_size=4), st.randoms())
def test_the_grid_has_each_setting_once_and_in_order(counts, random):
    vary = {f"k{place}": list(range(count)) for place, count in enumerate(counts)}
    today = {name: random.choice(values) for name, values in vary.items()}
    every = grid(dict, vary, today, None, None)
    settings = [setting for _, level in every.levels() for setting in level]
    sizes = [
        (
            sum(value != today[name] for name, value in each.values.items()),
            sum(abs(value - today[name]) for name, value in each.values.items()),
        )
        for each in settings
    ]
    assert len({each.places for each in settings}) == len(settings) == every.count == np.prod(counts)
    assert sizes == [each.size for each in settings] == sorted(sizes)


def test_mafia_is_repaired_as_by_design():
    def make(players, mafiosi, detectives, doctors, phase, half_rule):
        setup = Setup(mafiosi, players - mafiosi - detectives - doctors, detectives, doctors)
        town = float(mafia.solve(setup, mafia.Rules(half_rule=half_rule), phase))
        return {"town": town, "mafia": 1 - town}

    table = Setup(2, 7)
    vary = {"players": range(7, 12), "mafiosi": [1, 2, 3, 4], "detectives": [0, 1], "doctors": [0, 1]}
    vary |= {"phase": ["evening", "morning"], "half_rule": list(mafia.rules.HALF_RULES)}
    today = {"players": 9, "mafiosi": 2, "half_rule": mafia.AS_CODED.half_rule}
    found = fairness.tune(make, vary, today=today, cost={}, margin=0.02)
    known = cheapest_repair(table, within=0.02, shelf={"detectives": 1, "doctors": 1}).found
    assert found.rows[-1].setting.size == (len(known[0].steps),)
    chances = sorted(row.looks[0].chances[0][1] for row in found.rows if row.verdict == "fair")
    assert chances == pytest.approx(sorted(each.chance for each in known), abs=1e-9)


GAPS = np.array([[0.15, 0.10, 0.09], [0.12, 0.002, 0.0], [0.08, 0.01, 0.0]])


def test_games_tell_the_smallest_change_and_go_on_where_they_were_stopped(tmp_path):
    asked = {"vary": {"one": [0, 1, 2], "other": [0, 1, 2]}, "games": 40_000, "seed": 3}
    found = fairness.tune(partial(Drawn, GAPS), file=tmp_path / "kept", **asked)
    assert (found.verdict, found.change, found.exact) == ("fair", {"one": 1, "other": 1}, False)
    lines = (tmp_path / "kept").read_text().splitlines(keepends=True)
    (tmp_path / "kept").write_text("".join(lines[: len(lines) // 2]) + lines[-1][:9])  # as a kill leaves it
    again = fairness.tune(partial(Drawn, GAPS), file=tmp_path / "kept", **asked)
    assert (
        again.to_json() == found.to_json()
        and (tmp_path / "kept").read_text().splitlines(keepends=True)[-1] == lines[-1]
    )
    with pytest.raises(ValueError, match="it holds another search"):
        fairness.tune(partial(Drawn, GAPS), file=tmp_path / "kept", **asked | {"seed": 4})


@pytest.mark.parametrize("many", [40, pytest.param(1000, marks=pytest.mark.thorough)])
def test_at_most_one_of_twenty_is_wrong_and_a_quarter_cannot_tell(many):
    verdicts, wrong, games = zip(*(tuned(number, 100_000) for number in range(many)), strict=True)
    assert sum(wrong) <= 0.05 * many and verdicts.count("undecided") <= 0.25 * many and max(games) <= 100_000


ODD = {
    "vary = 3: a dict from arguments of Track": {"vary": 3},
    "vary: 'behind' is no argument of Track; its arguments are ahead, more": {"vary": {"behind": [1]}},
    "vary: 'ahead': a list of values is needed": {"vary": {"ahead": 3}},
    "vary: 'ahead': 1,000,000,000 values, and 100,000": {"vary": {"ahead": range(10**9)}},
    "vary: 1,000,000 settings, and 100,000 are allowed": {"vary": {"ahead": range(1000), "more": range(1000)}},
    "vary: 'ahead': different values": {"vary": {"ahead": [1, 1]}},
    "Track(ahead=9): game = ": {"vary": {"ahead": [9]}},
    "Track(ahead='a'): it is refused: TypeError": {"vary": {"ahead": ["a"]}},
    "today = {'far': 1}: a dict from some of 'ahead'": {"today": {"far": 1}},
    "cost['ahead'] = 0": {"cost": {"ahead": 0}},
    "keep = 'lenth': one of": {"keep": {"lenth": (1, 2)}},
    "keep: 'length': the least and the largest": {"keep": {"length": (2, 1)}},
    "ways = 'fast': one of": {"ways": ("fast",)},
    "Track(ahead=0): by = 'side': this game has no such names": {"by": "side"},
    "measure = 'bal': one of": {"measure": "bal"},
    "measure: games are played here": {"measure": "spread", "states": 0},
    "games = 9: a whole number from 2000": {"games": 9},
}


@pytest.mark.parametrize(("said", "odd"), ODD.items())
def test_what_is_odd_is_refused_in_one_line(said, odd):
    with pytest.raises(ValueError, match=rf"^{re.escape(said)}"):
        fairness.tune(Track, **{"vary": {"ahead": [0, 1]}, "ways": ("random",)} | odd)


def test_a_game_that_differs_from_run_to_run_is_refused():
    numbers = iter(range(1000))
    with pytest.raises(ValueError, match="gives another game each time"):
        fairness.tune(lambda ahead=0: {"a": 1 / (3 + next(numbers)), "b": 0.5}, {"ahead": [0, 1]})


def toss(ahead=0):
    """Two throw a die, and the second adds some points."""

    def play(rng, players):
        thrown = rng.integers(1, 7, 2)
        chosen = [player(None, ("a", "b")) for player in players]
        return [int(thrown[0]) + (chosen[0] == "a") + 1, int(thrown[1]) + (chosen[1] == "a") + ahead]

    return play


def test_a_function_is_tuned_the_same_with_processes_and_keeps_its_length():
    asked = {"players": 2, "ways": ("random", "searching"), "margin": 0.06, "games": 20_000}
    asked |= {"keep": {"length": (1.9, 2.1)}}
    found = fairness.tune(toss, {"ahead": [0, 1, 2]}, **asked)
    assert found.change == {"ahead": 1} and found.rows[1].looks[1].kept["length"][0] == 2
    assert fairness.tune(toss, {"ahead": [0, 1, 2]}, workers=2, **asked).to_json() == found.to_json()
    short = fairness.tune(toss, {"ahead": [0, 1, 2]}, **asked | {"keep": {"length": (0, 1)}})
    assert {row.verdict for row in short.rows} <= {"not kept", "unfair"} and short.change is None


def test_two_versions_are_compared_game_by_game():
    exact = fairness.compare(LatePig(), LatePig(late=2), ways="random").differences
    played = fairness.compare(LatePig(), LatePig(late=2), ways="random", states=0, games=4000, looks=0).differences
    wins = played["what"].str.startswith("wins of") | (played["what"] == "length")
    both = played[wins].merge(exact, on="what", suffixes=("", " exact"))
    assert len(both) == 3 and (both["± exact"] == 0).all() and (both["±"] > 0).all()
    assert ((both["difference"] - both["difference exact"]).abs() < 4 * both["±"]).all()
    with pytest.raises(ValueError, match="compare: the two games have other players"):
        fairness.compare(LatePig(), Track(), ways="random")


def test_a_typical_and_a_dramatic_game_are_told():
    steps = fairness.tune(LatePig, {"late": [0, 1]}, ways="random")
    report = fairness.report(LatePig(), ways="random", told=True, steps=steps.to_shown())
    typical, dramatic = (moves for _, moves in report.games_told.values())
    assert 1 < len(typical) and set(dramatic["chooses"]) <= {"'roll'", "'hold'"}
    for text in (report.to_text(), report.to_html()):
        assert all(title.casefold() in text.casefold() for title in ("A dramatic game", "What should I change?"))


def test_a_file_holds_one_search_and_not_that_of_other_arguments(tmp_path):
    kept = {"ways": "random", "file": tmp_path / "kept"}
    fairness.tune(partial(LatePig, goal=8), {"late": [0, 1]}, **kept)
    with pytest.raises(ValueError, match="it holds another search"):
        fairness.tune(partial(LatePig, goal=9), {"late": [0, 1]}, **kept)
    (tmp_path / "kept").write_bytes(b"\xff no lines of JSON\n")
    with pytest.raises(ValueError, match="it holds another search, or none"):
        fairness.tune(partial(LatePig, goal=8), {"late": [0, 1]}, **kept)


def test_what_is_at_the_edge_of_what_must_stay_is_not_dropped():
    asked = {"vary": {"ahead": [1, 0]}, "players": 2, "ways": "random", "games": 20_000, "margin": 0.06}
    asked |= {"today": {"ahead": 1}}
    found = fairness.tune(toss, **asked, keep={"drawishness": (5, 30)})
    assert found.verdict == "fair" and found.change == {}
    edge = fairness.tune(toss, **asked, keep={"length": (1, 2)})
    assert edge.verdict == "undecided" and edge.rows[0].verdict == "undecided"


def test_all_settings_are_looked_at_where_that_is_asked_for():
    asked = {"players": 2, "ways": "random", "games": 40_000, "margin": 0.06}
    found = fairness.tune(toss, {"ahead": [0, 1, 2]}, everything=True, **asked)
    assert [row.verdict for row in found.rows] == ["unfair", "fair", "unfair"]
