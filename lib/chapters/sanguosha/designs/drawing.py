"""Figures of the notebook on the smallest fair change, and of its panel."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from chapters.sanguosha.designs.rows import PLAY_NAMES, PLAYS
from gamebalance.publish.style import COLOURS, INK, new_figure
from gamebalance.sanguosha.rules import Card

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: How each play is drawn everywhere: no play is told by its colour alone.
LOOKS = {
    play: {"color": colour, "marker": marker, "linestyle": line, "label": PLAY_NAMES[play]}
    for play, colour, marker, line in zip(PLAYS, COLOURS[:3], "osD", ("-", (0, (5, 1.5)), (0, (1.2, 1.2))), strict=True)
}
#: Five players by the report's rule, beside the four of the plays.
LOOKS_OF_FIVE = {"color": COLOURS[3], "label": "five players, fixed rule"}
#: The worst of the plays.
WORST = {"color": INK, "marker": "X", "linestyle": (0, (5, 1.5, 1.2, 1.5)), "label": "the worst of the three"}


def draw_cost(axes: "Axes", curves: "pandas.DataFrame", whole: "pandas.DataFrame") -> None:
    """How much the points must change for how little difference, by play; whole points as dots."""
    looks = {look["label"]: look for look in LOOKS.values()}
    for name, curve in curves.groupby("play", sort=False):
        axes.plot(curve["change"], curve["largest difference"], **looks[name])
    dots = {"color": COLOURS[0], "marker": "o", "markerfacecolor": "white", "linestyle": "none", "markersize": 4}
    axes.plot(whole["change"], whole["largest difference"], label=whole["play"].iloc[0], zorder=3, **dots)
    axes.set_xscale("symlog", linthresh=10)
    axes.set(xlabel="sum of the changes of the ten points", ylabel="largest difference between\ntwo roles' points")
    axes.legend()


def draw_tornado(axes: "Axes", found: "pandas.DataFrame", name: str, old: Mapping[str, float]) -> None:
    """Bars from the least to the largest value that each rule alone can give a measure, of each of `search.MEASURED`.

    `found` as `search.tornado` gives it, `old` the value of the unchanged game by the same names.
    """
    height = 0.84 / len(old)
    for shift, (who, before) in enumerate(old.items()):
        least, largest = (found[f"{name}, {who}", end].to_numpy() for end in ("least", "largest"))
        places = np.arange(len(found))[::-1] + 0.42 - height * (shift + 0.5)
        look = LOOKS.get(who, LOOKS_OF_FIVE)
        bar = {"color": look["color"], "label": look["label"], "hatch": ("", "////", "....", "xxxx")[shift]}
        axes.barh(places, largest - least, height * 0.85, left=least, edgecolor="white", linewidth=0, **bar)
        axes.plot([before] * 2, [-0.5, len(found) - 0.5], color=look["color"], linewidth=0.9, zorder=0)
    axes.set_yticks(np.arange(len(found))[::-1], found.index)
    axes.set_ylim(-0.6, len(found) - 0.4)
    axes.grid(axis="y", visible=False)


def draw_sweeps(all_axes, lines: "pandas.DataFrame", name: str) -> None:
    """A measure against cards more or fewer, a panel for each kind, from `tables.sweep_lines`."""
    for axes, kind in zip(all_axes, Card, strict=True):
        own = lines[lines["card"] == kind.name.lower()]
        for play in PLAYS:
            axes.plot(own["more"], own[f"{name}, {play}"], markersize=3.5, **LOOKS[play])
        axes.axvline(0, color=INK, linewidth=0.8)
        axes.set_title(str(kind))


def draw_front(axes: "Axes", found: "pandas.DataFrame", fronts: Mapping[str, "pandas.DataFrame"], name: str) -> None:
    """All settings by their steps and a measure, and the front of each play as stairs."""
    shift = {"report": -0.18, "threat": 0.0, "known": 0.18}
    for play, shifted in shift.items():
        dots = {"color": LOOKS[play]["color"], "marker": ".", "linestyle": "none", "markersize": 2.5, "alpha": 0.25}
        axes.plot(found["steps"] + shifted, found[f"{name}, {play}"], **dots)
    for play, front in fronts.items():
        look, column = LOOKS.get(play, WORST), f"{name}, {play}"
        steps, heights = [*front["steps"], found["steps"].max()], [*front[column], front[column].iloc[-1]]
        axes.plot(
            steps, heights, drawstyle="steps-post", markevery=range(len(front)), markersize=5, linewidth=1.4, **look
        )
    axes.set(xlabel="size of the change, in steps", yscale="log")


def draw_new_points(numbers: "pandas.DataFrame") -> "Figure":
    """The ten points and what the roles expect: filled marks now, hollow ones by the report's rule of points.

    `numbers` as `points_bench.numbers_of` gives them.
    """
    figure, panels = new_figure(height=3.4, cols=2)
    titles = {"points": "What is paid", "expected": "What each role expects"}
    for axes, (what, title) in zip(panels, titles.items(), strict=True):
        own = numbers[numbers["what"] == what]
        places = np.arange(len(own))
        axes.hlines(places, own["report"], own["new"], color="#9a9a9a", linewidth=1.2, zorder=2)
        look = {"linestyle": "none", "marker": "o", "color": COLOURS[0], "clip_on": False, "zorder": 3}
        axes.plot(
            own["report"], places, **look, markersize=9, markerfacecolor="none", label="the Sanguosha report's points"
        )
        axes.plot(own["new"], places, **look, markersize=5, label="the new points")
        axes.set_yticks(places, own["name"])
        axes.set_ylim(len(own) - 0.5, -0.5)
        axes.set_xlim(min(0, own[["report", "new"]].min(axis=None)), None)
        axes.set(title=title, xlabel="points")
        axes.grid(axis="y", visible=False)
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
    return figure
