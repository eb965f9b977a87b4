"""Drawings that several notebooks share. They know colours and marks, but no game."""

from collections.abc import Mapping, Sequence
from math import cos, pi, sin
from typing import TYPE_CHECKING, Any

import numpy as np

from .style import COLOURS, INK, Role

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

#: Standard errors to each side of a mark that an error bar covers.
ERROR_BAR = 2


def compared_line(
    axes: "Axes", names: Sequence[str], ours: Any, errors: Any, printed: Any, role: Role | None = None
) -> None:
    """Our values as marks with error bars, the printed ones as hollow marks; categories, so nothing joins them.

    Parameters
    ----------
    axes : Axes
    names : sequence of str
        Labels of the horizontal axis, one for each value.
    ours, errors, printed : array_like
        Values, their standard errors, and the printed values.
    role : Role, optional
        Whose colour, mark and name to use; neutral ones by default.
    """
    line = role.line if role else {"color": COLOURS[0], "marker": "o", "label": "ours"}
    line = {**line, "linestyle": "none"}
    places = np.arange(len(names))
    axes.errorbar(places, ours, yerr=ERROR_BAR * np.asarray(errors, float), capsize=2.5, clip_on=False, **line)
    # Not clipped: a mark at zero would lose its lower half.
    hollow = {"marker": line["marker"], "linestyle": "none", "markersize": 11, "markerfacecolor": "none"}
    hollow["clip_on"] = False
    axes.plot(places, printed, **hollow, color=line["color"], markeredgewidth=1.1, label=None if role else "printed")
    axes.set_xticks(places, names)


def legend_above(axes: "Axes", columns: int = 4) -> None:
    """A legend over the axes, where it covers nothing; hollow marks are explained in it."""
    (mark,) = axes.plot([], [], marker="o", linestyle="none", markersize=11, markerfacecolor="none", color="#555555")
    handles, labels = axes.get_legend_handles_labels()
    axes.legend(
        [*handles, mark],
        [*labels, "printed"],
        loc="lower left",
        bbox_to_anchor=(0, 1.01),
        ncols=columns + 1,
        columnspacing=1.4,
        handlelength=2.6,
        borderaxespad=0.2,
    )


def plain(frame: "pandas.DataFrame") -> "pandas.DataFrame":
    """The frame with two levels of column names joined into one, for the CSV of a figure."""
    joined = frame.copy(deep=False)
    joined.columns = [" ".join(filter(None, map(str, name))) for name in frame.columns]
    return joined


def draw_round_table(axes: "Axes", seats: Sequence[Mapping[str, Any]], title: str) -> None:
    """Players round a table, counter-clockwise from the bottom.

    Parameters
    ----------
    axes : Axes
        Axes without ticks are made of it.
    seats : sequence of mapping
        ``label``, ``colour``, ``health``, ``most`` (health that a full row of hearts shows), ``dodges``, ``weapon``,
        and optionally ``turn`` (whose turn it is) and ``note`` (a line under the seat).
    title : str
    """
    from matplotlib.patches import Circle

    axes.set_axis_off()
    axes.set(xlim=(-2.5, 2.5), ylim=(-2.05, 2.05), aspect="equal")
    axes.set_title(title, loc="center")
    axes.add_patch(Circle((0, 0), 0.62, facecolor="#f3efe6", edgecolor="#b8a97e", linewidth=1.5))
    axes.text(0, 0, "play\n↺", ha="center", va="center", color="#7a6a3c", fontsize=11)
    for place, seat in enumerate(seats):
        angle = -pi / 2 + 2 * pi * place / len(seats)
        _draw_seat(axes, 1.62 * cos(angle), 1.42 * sin(angle), seat)


def _draw_seat(axes: "Axes", x: float, y: float, seat: Mapping[str, Any]) -> None:
    """One seat: name, hearts, cards."""
    from matplotlib.patches import FancyBboxPatch

    dead = seat["health"] == 0
    edge = "#999999" if dead else seat["colour"]
    axes.add_patch(
        FancyBboxPatch(
            (x - 0.72, y - 0.46),
            1.44,
            0.92,
            boxstyle="round,pad=0.02,rounding_size=0.08",
            facecolor="#eeeeee" if dead else "white",
            edgecolor=edge,
            linewidth=3.2 if seat.get("turn") else 1.4,
            linestyle="--" if dead else "-",
        )
    )
    name = seat["label"] + (" (dead)" if dead else "")
    axes.text(x, y + 0.27, name, ha="center", va="center", color="#666666" if dead else INK, fontsize=9.5)
    hearts = "♥" * seat["health"] + "♡" * (seat["most"] - seat["health"])
    axes.text(x, y, hearts, ha="center", va="center", fontsize=12, color="#777777" if dead else "#b3122a")
    _draw_cards(axes, x, y - 0.27, ["闪"] * seat["dodges"] + ["武器"] * bool(seat["weapon"]))
    if seat.get("note"):
        axes.text(x, y - 0.6, seat["note"], ha="center", va="center", fontsize=8, color=INK)


def _draw_cards(axes: "Axes", x: float, y: float, cards: Sequence[str]) -> None:
    """Small cards side by side; a dash when there are none."""
    if not cards:
        axes.text(x, y, "no cards", ha="center", va="center", fontsize=8, color="#555555")
    width = 0.3
    for place, card in enumerate(cards):
        axes.text(
            x + (place - (len(cards) - 1) / 2) * width,
            y,
            card,
            ha="center",
            va="center",
            fontsize=8,
            color=INK,
            bbox={"boxstyle": "round,pad=0.18", "facecolor": "#fff8dc", "edgecolor": "#8a6d00", "linewidth": 0.8},
        )


def draw_deviations(axes: "Axes", groups: Sequence[str], sources: Mapping[str, "pandas.DataFrame"]) -> None:
    """Differences in standard errors by group, on a scale that is linear near zero and logarithmic beyond.

    Parameters
    ----------
    axes : Axes
    groups : sequence of str
        Groups in order, along the horizontal axis.
    sources : mapping of str to DataFrame
        By name in the legend: the group in the first column, the difference in the second.
    """
    axes.axhspan(-3, 3, color="#e8eef4", zorder=0, label="within 3 s.e.")
    marks = zip(COLOURS, ("o", "X", "s", "^"), sources.items(), strict=False)
    for shift, (colour, mark, (name, frame)) in enumerate(marks):
        places = frame.iloc[:, 0].map({group: place for place, group in enumerate(groups)})
        offset = 0.24 * (shift - (len(sources) - 1) / 2)
        axes.plot(places + offset, frame.iloc[:, 1], mark, color=colour, label=name, alpha=0.85, markersize=6)
    axes.set_yscale("symlog", linthresh=3)
    ticks = [-300, -100, -30, -10, -3, 0, 3, 10, 30, 100, 300]
    axes.set_yticks(ticks, [f"{tick:+d}".replace("-", "−") if tick else "0" for tick in ticks])
    axes.minorticks_off()
    axes.set_xticks(range(len(groups)), groups)


def draw_waterfall(
    axes: "Axes", changes: Mapping[str, float], total: str, marks: Mapping[str, Sequence[float]]
) -> None:
    """Changes as bars, each beginning where the one before ended, and their sum as the last bar.

    Parameters
    ----------
    axes : Axes
    changes : mapping of str to float
        By name, in order.
    total : str
        Name of the last bar.
    marks : mapping of str to sequence of float
        By name in a legend: other values of the same changes, marked where the bar would end.
    """
    heights = np.array([*changes.values()])
    bottoms, names = np.concatenate([[0.0], np.cumsum(heights)]), [*changes, total]
    places, ends = np.arange(len(names)), [*bottoms[1:], bottoms[-1]]
    bottoms[-1] = 0.0
    bars = axes.bar(places, np.subtract(ends, bottoms), 0.6, bottoms, color=[*[COLOURS[0]] * len(changes), COLOURS[6]])
    bars[-1].set_hatch("//")
    bars[-1].set_edgecolor("white")
    for place, end in enumerate(ends[:-1]):
        axes.plot([place - 0.3, place + 1.3], [end, end], color=INK, linewidth=0.8)
    axes.axhline(0, color=INK, linewidth=0.8)
    for mark, (name, values) in zip(("o", "D"), marks.items(), strict=False):
        colour = {"color": COLOURS[1], "markerfacecolor": "white", "linestyle": "none", "markersize": 5}
        axes.plot(places[:-1], bottoms[:-1] + values, mark, label=name, zorder=4, **colour)
    axes.set_xticks(places, names)
    axes.grid(axis="x", visible=False)
    axes.margins(y=0.12)


def stacked_bars(axes: "Axes", frame: "pandas.DataFrame", names: Sequence[str]) -> None:
    """Bars over the index of a frame, its two columns on top of each other: plain below, hatched above.

    Parameters
    ----------
    axes : Axes
    frame : DataFrame
        Heights; two columns.
    names : sequence of str
        Of the columns, for a legend.
    """
    below, above = (frame.iloc[:, place] for place in (0, 1))
    axes.bar(frame.index, below, color=COLOURS[0], label=names[0])
    hatched = {"color": "white", "edgecolor": COLOURS[1], "hatch": "/////", "linewidth": 0.8}
    # An empty bar would still draw its edge.
    axes.bar(frame.index, above.where(above > 0), bottom=below, label=names[1], **hatched)


def draw_grid(
    axes: "Axes", shades: Any, texts: Any, hatched: Any = None, colour: str = COLOURS[0], size: float = 6.5
) -> None:
    """A square of cells with a text in each, the darker the greater its value.

    Parameters
    ----------
    axes : Axes
    shades : array_like, shape (rows, columns)
        From 0, white, to 1, the full colour.
    texts : array_like of str, shape (rows, columns)
        What stands in the cells: the numbers, so that no cell is told by its shade alone.
    hatched : array_like of bool, optional
        Cells to hatch.
    colour : str
    size : float
        Of the letters, in points.
    """
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.patches import Rectangle

    shades, texts = np.asarray(shades, float), np.asarray(texts)
    hatched = np.zeros(shades.shape, bool) if hatched is None else np.asarray(hatched)
    axes.pcolormesh(shades, cmap=LinearSegmentedColormap.from_list("grid", ["white", colour]), vmin=0, vmax=1)
    for (row, column), text in np.ndenumerate(texts):
        ink = "white" if shades[row, column] > 0.8 else INK
        axes.text(column + 0.5, row + 0.5, text, ha="center", va="center", fontsize=size, color=ink, linespacing=1.1)
    for row, column in np.argwhere(hatched):
        cell = Rectangle((column, row), 1, 1, fill=False, hatch="////", edgecolor="#9a9a9a", linewidth=0, zorder=1.5)
        axes.add_patch(cell)
    axes.set(xlim=(0, shades.shape[1]), ylim=(shades.shape[0], 0), xticks=[], yticks=[])
    axes.grid(False)
    axes.spines[:].set_visible(False)
    axes.hlines(range(1, shades.shape[0]), 0, shades.shape[1], colors="white", linewidth=0.6)
    axes.vlines(range(1, shades.shape[1]), 0, shades.shape[0], colors="white", linewidth=0.6)
