"""Charts that notebooks share; they know colours and marks, but no game.

Grids are seaborn's. Its strip plot has one mark for all groups, and pandas' stacked bars stand at places 0, 1, 2
instead of at their numbers: those are drawn here.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gamebalance.publish.style import COLOURS, INK

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

#: Standard errors to each side of a mark that an error bar covers.
ERROR_BAR = 2


def compared_line(
    axes: "Axes", names: Sequence[str], ours: Any, errors: Any, printed: Any, line: Mapping[str, Any] | None = None
) -> None:
    """Our values as marks with error bars, the printed ones as hollow marks; categories, so nothing joins them.

    `line` is the ``color``, ``marker`` and ``label`` of ours; by default neutral, with a label for the printed ones.
    """
    label = None if line else "printed"
    look: dict[str, Any] = {**(line or {"color": COLOURS[0], "marker": "o", "label": "ours"}), "linestyle": "none"}
    places = np.arange(len(names))
    axes.errorbar(places, ours, yerr=ERROR_BAR * np.asarray(errors, float), capsize=2.5, clip_on=False, **look)
    # Not clipped: a mark at zero would lose its lower half.
    hollow: dict[str, Any] = {"linestyle": "none", "markersize": 11, "markerfacecolor": "none", "markeredgewidth": 1.1}
    axes.plot(places, printed, marker=look["marker"], color=look["color"], clip_on=False, label=label, **hollow)
    axes.set_xticks(places, names)


def legend_above(axes: "Axes", printed: bool = True) -> None:
    """A legend over the axes, where it covers nothing; it explains hollow marks if there are `printed` ones."""
    handles, labels = axes.get_legend_handles_labels()
    if printed:
        hollow: dict[str, Any] = {"markerfacecolor": "none", "color": "#555555"}
        handles += axes.plot([], [], marker="o", linestyle="none", markersize=11, **hollow)
        labels.append("printed")
    look = {"ncols": 5, "columnspacing": 1.4, "handlelength": 2.6, "borderaxespad": 0.2}
    axes.legend(handles, labels, loc="lower left", bbox_to_anchor=(0, 1.01), **look)


def draw_deviations(axes: "Axes", groups: Sequence[str], sources: Mapping[str, "pandas.DataFrame"]) -> None:
    """Differences in standard errors by group, on a scale that is linear near zero and logarithmic beyond.

    `sources`, by name in the legend, hold the group in their first column and the difference in the second.
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
    """Changes as bars, each beginning where the one before ended, and their sum, `total`, as the last bar.

    `marks`, by name in a legend, are other values of the same changes, marked where the bar would end.
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
        colour: dict[str, Any] = {"color": COLOURS[1], "markerfacecolor": "white", "linestyle": "none", "markersize": 5}
        axes.plot(places[:-1], bottoms[:-1] + values, mark, label=name, zorder=4, **colour)
    axes.set_xticks(places, names)
    axes.grid(axis="x", visible=False)
    axes.margins(y=0.12)


def stacked_bars(axes: "Axes", frame: "pandas.DataFrame", names: Sequence[str]) -> None:
    """Bars over the index of a frame, its two columns on top of each other: plain below, hatched above."""
    below, above = (frame.iloc[:, place] for place in (0, 1))
    axes.bar(frame.index, below, color=COLOURS[0], label=names[0])
    hatched: dict[str, Any] = {"color": "white", "edgecolor": COLOURS[1], "hatch": "/////", "linewidth": 0.8}
    # An empty bar would still draw its edge.
    axes.bar(frame.index, above.where(above > 0), bottom=below, label=names[1], **hatched)


def draw_grid(
    axes: "Axes",
    shades: Any,
    texts: Any,
    hatched: Any = None,
    colour: str = COLOURS[0],
    size: float = 6.5,
    below: str | None = None,
) -> None:
    """A square of cells with a text in each, so that none is told by its shade alone, from 0, pale, to 1, full colour.

    `shades`, `texts` and `hatched`, true for cells to hatch, have the shape (rows, columns); `size` is in points. With
    `below`, the colour of negative shades, they go down to -1. Cells whose shade is nan stay empty.
    """
    # Imported here: a kernel that draws no grid need not wait for seaborn.
    import seaborn
    from matplotlib.patches import Rectangle

    shades = np.asarray(shades, float)
    letters = {"fontsize": size, "color": INK, "linespacing": 1.1}
    look = {"cmap": _palette(colour, below), "vmin": -1 if below else 0, "vmax": 1, "cbar": False}
    bare = {"linewidths": 0.6, "linecolor": "white", "xticklabels": False, "yticklabels": False}
    seaborn.heatmap(shades, annot=np.asarray(texts), fmt="", annot_kws=letters, ax=axes, **look, **bare)
    for text in np.asarray(axes.texts)[np.abs(shades[~np.isnan(shades)]) > 0.8]:
        text.set_color("white")
    for row, column in np.argwhere(np.zeros(shades.shape) if hatched is None else hatched):
        cell = Rectangle((column, row), 1, 1, fill=False, hatch="////", edgecolor="#9a9a9a", linewidth=0, zorder=1.5)
        axes.add_patch(cell)
    axes.grid(False)


def draw_scale(figure: Any, axes: Any, most: float, label: str, below: str, colour: str = COLOURS[0]) -> None:
    """A bar under a grid with shades on both sides of 0 that says what its full colours, `most` and -`most`, mean."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    shades = ScalarMappable(Normalize(-most, most), _palette(colour, below))
    bar = figure.colorbar(shades, ax=axes, location="bottom", shrink=0.6, aspect=40, pad=0.02, label=label)
    bar.outline.set_visible(False)


def _palette(colour: str, below: str | None) -> Any:
    """From pale to a colour, or from another one through pale."""
    import seaborn

    if below is None:
        return seaborn.light_palette(colour, as_cmap=True)
    return seaborn.blend_palette([below, "#f4f4f4", colour], as_cmap=True)


def draw_shares(axes: "Axes", frame: "pandas.DataFrame", margin: float) -> None:
    """Shares of wins with their intervals, each over the band that still counts as even, in percent.

    `frame`, by label, has the columns `share`, `low`, `high` and `even`, from 0 to 1; `margin` is that of the band.
    """
    places = np.arange(len(frame))[::-1]
    share, low, high, even = (100 * frame[name].to_numpy() for name in ("share", "low", "high", "even"))
    band: dict[str, Any] = {"height": 0.7, "color": "#dfe7ee", "label": f"even ± {100 * margin:g} points", "zorder": 1}
    axes.barh(places, 200 * margin, left=even - 100 * margin, **band)
    for place, middle in zip(places, even, strict=True):
        axes.plot([middle, middle], [place - 0.35, place + 0.35], color=INK, linewidth=1, zorder=2)
    bars: dict[str, Any] = {"color": COLOURS[0], "capsize": 4, "markersize": 7, "label": "share won, and interval"}
    axes.errorbar(share, places, xerr=[share - low, high - share], fmt="o", zorder=3, **bars)
    axes.set_yticks(places, [str(label) for label in frame.index])
    axes.set(xlabel="games won, %", ylim=(-0.6, len(frame) - 0.4))
    axes.grid(axis="y", visible=False)
