"""Fair points with controls: how fair they have to be, what counts as small, and what is kept."""

from urllib.parse import urlencode

import numpy as np
import pandas as pd

from chapters import the_smallest_fair_change_grid as grid
from chapters.play_it_differently_bench import POINT_NAMES, code_of, lineup_choice
from chapters.the_smallest_fair_change import largest_difference, short
from gamebalance.base.controls import Answer, Choice, Slider, checked
from gamebalance.base.rounding import meant
from gamebalance.publish.style import COLOURS, new_figure
from gamebalance.sanguosha.design import DEMANDS, KEPT, MOST_SOLVED, NORMS, POINTS, WHOLE_WITHIN, fair_points
from gamebalance.sanguosha.lineup import LINEUPS, Lineup, Role
from gamebalance.sanguosha.scoring import REPORT_SCORING

#: The line-ups whose games are solved exactly, so that their points can be made exactly fair.
SOLVED = LINEUPS[:4]
#: What each norm is called, with little room and in a sentence.
NORM_NAMES = {"l1": "sum of changes", "l2": "root of squares", "integer": "sum, whole points"}
NORM_WORDS = {
    "l1": "The sum of changes",
    "l2": "The root of the sum of squares",
    "integer": "The sum of changes in whole points",
}
#: What a demand is called where there is little room.
DEMAND_NAMES = {
    "signs": "No negative points",
    "alive above dead": "Alive above dead",
    "winner above loser": "Winner above loser",
    "order": "Order of the ten",
}
#: The ways to play whose points can be made fair: the last one where nobody gains by leaving, which new points change.
PLAYS = grid.PLAY_NAMES | {"settled": "nobody gains by leaving"}
#: After so many rounds games are cut in which nobody gains by leaving.
ROUNDS = 100
#: The farthest that two roles' expectations may be allowed to be apart, in points; changed points that are named.
MOST_APART, NAMED = 20, 3


def controls():
    """Whose points, how fair, what is small, what is kept; by default as `fair_points` has it, for four players."""
    whose, how, kept = "Which game", "How fair, how small", "What is kept"
    apart, small = "by how many points what two roles expect may differ", "what is as small as it can be"
    mean = "whether the players expect as much as before on average"
    return {
        "lineup": lineup_choice(SOLVED, whose),
        "play": Choice("Targets by", tuple(PLAYS), "report", tuple(PLAYS.values()), whose),
        "within": Slider("Points apart", 0, MOST_APART, 0, 0.5, how, apart),
        "norm": Choice("Smallest", NORMS, NORMS[0], tuple(NORM_NAMES.values()), how, small),
        "mean": Choice("Mean", ("kept", "free"), "kept", group=kept, hint=mean),
    } | {
        name.replace(" ", "_"): Choice(
            DEMAND_NAMES[name], ("kept", "free"), "kept" if name in KEPT else "free", group=kept, hint=hint
        )
        for name, hint in DEMANDS.items()
    }


class PointsBench:
    """What answers to the controls, from how games end, by line-up and play."""

    def __init__(self, games):
        self.games = games

    def answer(self, **values):
        """The smallest change of the points, and what the roles expect before and after it."""
        values = checked(controls(), values)
        lineup, play = values["lineup"], values["play"]
        if (lineup, play) not in self.games:
            raise ValueError(f"play = {play!r}, lineup = {lineup!r}: more than four players play by 'report' only")
        games, asked = self.games[lineup, play], asked_of(values)
        fair = fair_points(games, **asked)
        numbers = numbers_of(fair, games)
        shown = numbers.assign(**{when: numbers[when].map("{:.2f}".format) for when in ("report", "new")})
        words = f"{sentence(fair)} {self._otherwise(fair, lineup, play)}".rstrip()
        link = link_of(fair, play) if lineup == str(grid.FOUR) else None
        words += " With these points all would play otherwise." * (play == "settled")
        return Answer(draw_new_points(numbers), numbers, words, fair_code(lineup, play, asked), shown, link)

    def _otherwise(self, fair, lineup, play):
        """How far apart the roles are with the same points when they play in another way."""
        others = [other for whose, other in self.games if whose == lineup and other not in (play, "settled")]
        apart = {other: _short(largest_difference(self.games[lineup, other], fair.scoring)) for other in others}
        words = " and ".join(f"{points} points ({PLAYS[other]})" for other, points in apart.items())
        return f"If all four choose their targets differently, two roles are up to {words} apart." * bool(others)


def asked_of(values):
    """The arguments of `fair_points` that differ from its defaults."""
    kept = tuple(name for name in DEMANDS if values[name.replace(" ", "_")] == "kept")
    asked = {
        "norm": (values["norm"], NORMS[0]),
        "kept": (kept, KEPT),
        "level": (values["mean"], "kept"),
        "within": (values["within"], WHOLE_WITHIN if values["norm"] == "integer" else 0),
    }
    return {name: None if name == "level" else value for name, (value, usual) in asked.items() if value != usual}


def numbers_of(fair, games):
    """The ten points and what the four roles expect, by the report's rule and by the new one."""
    points = [("points", POINT_NAMES[name][0], getattr(REPORT_SCORING, name), fair.points[name]) for name in POINTS]
    before = games.expected_scores(REPORT_SCORING)
    expected = [("expected", str(role), before[role], fair.expected[role]) for role in Role]
    return meant(pd.DataFrame(points + expected, columns=["what", "name", "report", "new"]))


def sentence(fair):
    """The largest changes, how large all are, and what each role then expects."""
    changed = sorted((name for name in POINTS if fair.changes[name]), key=lambda name: -abs(fair.changes[name]))
    if not changed:
        return f"Nothing has to change: two roles are at most {_short(fair.spread)} points apart."
    words = {name: POINT_NAMES[name][1].replace("'s ", "'s points ", 1) for name in changed}
    old = {name: _short(getattr(REPORT_SCORING, name)) for name in changed}
    named = [f"{words[name]} become {_short(fair.points[name])} instead of {old[name]}" for name in changed[:NAMED]]
    left = len(changed) - NAMED
    more = f", and {left} more of the ten numbers {'changes' if left == 1 else 'change'}" if left > 0 else ""
    least, most = _short(np.nanmin(fair.expected)), _short(np.nanmax(fair.expected))
    each = f"{least} points" if least == most else f"{least} to {most} points"
    size = f"{NORM_WORDS[fair.norm]} is {_short(fair.change)}, the least there is"
    return f"{size}: {'; '.join(named)}{more}. Each role then expects {each}."


def _short(number):
    """`short`, without a minus zero."""
    return short(meant(float(number), residue=0.005))


def fair_code(lineup, play, asked):
    """The line of Python that gives the same points."""
    line = Lineup.parse(lineup)
    solved = f'"{lineup}"'
    if play == "settled":
        settled = f"sanguosha.settle_seatings({solved}, rounds={ROUNDS}).values()"
        solved = f"sanguosha.mean_outcomes(sanguosha.Lineup.parse({solved}), [each.outcomes for each in {settled}])"
    elif play != "report" or line.players > MOST_SOLVED:
        solved = code_of(line, {}, [play] * len(Role))
    return (
        f"sanguosha.design.fair_points({', '.join([solved, *(f'{name}={value!r}' for name, value in asked.items())])})"
    )


def link_of(fair, play):
    """How the offline page over the grid names these points."""
    points = [(name, meant(fair.points[name])) for name in POINTS if fair.changes[name]]
    return None if play == "settled" else urlencode([("play", play)] * (play != "report") + points)


def draw_new_points(numbers):
    """The ten points and what the roles expect: filled marks now, hollow ones by the report's rule of points."""
    figure, panels = new_figure(height=3.4, cols=2)
    titles = {"points": "What is paid", "expected": "What each role expects"}
    look = {"linestyle": "none", "marker": "o", "color": COLOURS[0], "clip_on": False, "zorder": 3}
    hollow = look | {"markersize": 9, "markerfacecolor": "none", "label": "the Sanguosha report's points"}
    for axes, (what, title) in zip(panels, titles.items(), strict=True):
        own = numbers[numbers["what"] == what]
        places = np.arange(len(own))
        axes.hlines(places, own["report"], own["new"], color="#9a9a9a", linewidth=1.2, zorder=2)
        axes.plot(own["report"], places, **hollow)
        axes.plot(own["new"], places, **look, markersize=5, label="the new points")
        axes.set_yticks(places, own["name"])
        axes.set_ylim(len(own) - 0.5, -0.5)
        axes.set_xlim(min(0, own[["report", "new"]].min(axis=None)), None)
        axes.set(title=title, xlabel="points")
        axes.grid(axis="y", visible=False)
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
    return figure
