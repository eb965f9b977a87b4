"""The one look of every figure: fonts with Chinese, sizes, and colours that colour-blind readers can tell apart."""

from functools import cache
from pathlib import Path
from typing import Any

import matplotlib
import matplotlib.pyplot as plt
from cycler import cycler
from matplotlib import font_manager

from gamebalance.publish import scales

ASSETS = Path(__file__).parent / "assets"
FONTS = [ASSETS / "NotoSansCJKsc-subset.otf", ASSETS / "NotoSansCJKsc-subset-bold.otf"]
#: matplotlib looks for each glyph in these, in turn. Never put Chinese and ``$mathematics$`` into one string:
#: mathtext knows no second font.
FAMILIES = ["DejaVu Sans", "Noto Sans CJK SC"]
#: Okabe and Ito's palette, the two palest hues darkened so that thin lines stay visible on white.
COLOURS = ["#0072b2", "#d55e00", "#00805d", "#a64d8a", "#8a6d00", "#3f8fc4", "#5a5a5a"]
INK, GRID = "#222222", "#d9d9d9"
#: A narrow figure can be read on a phone: for the first page.
WIDTHS = {"full": 7.0, "narrow": 4.6, "half": 3.45}
SETTINGS = {
    "font.family": FAMILIES,
    "font.size": 9.5,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 9.5,
    "xtick.labelsize": 8.5,
    "ytick.labelsize": 8.5,
    "legend.fontsize": 8.5,
    "legend.frameon": False,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": "#555555",
    "xtick.color": "#444444",
    "ytick.color": "#444444",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "axes.prop_cycle": cycler(color=COLOURS),
    "lines.linewidth": 2.0,
    "lines.markersize": 6,
    "axes.unicode_minus": True,
    "figure.facecolor": "white",
    "figure.dpi": 110,
    "savefig.dpi": 200,
    "savefig.facecolor": "white",
    "figure.constrained_layout.use": True,
    # Without a fixed salt the ids inside an SVG differ from run to run.
    "svg.hashsalt": "gamebalance",
    "svg.fonttype": "path",
}


@cache
def _register_fonts() -> None:
    """Use the fonts that come with this package, also where the system has others of the same name."""
    manager = font_manager.fontManager
    for font in FONTS:
        manager.addfont(font)
    own = manager.ttflist[-len(FONTS) :]
    names = {entry.name for entry in own}
    manager.ttflist = [entry for entry in manager.ttflist if entry in own or entry.name not in names]


def use() -> None:
    """Make this style the one in force, for matplotlib and for seaborn on top of it."""
    _register_fonts()
    scales.register()
    matplotlib.rcParams.update(SETTINGS)


def new_figure(
    width: str = "full", height: float | None = None, rows: int = 1, cols: int = 1, **options: Any
) -> tuple[Any, Any]:
    """Return a figure and its axes as ``pyplot.subplots`` does: as wide as the report's text, narrow, or half as wide.

    Its height is in inches, by default 0.56 of the width of one column of axes, for each row.
    """
    if width not in WIDTHS:
        raise ValueError(f"width must be one of {', '.join(map(repr, WIDTHS))}, not {width!r}")
    use()
    inches = WIDTHS[width]
    tall = height if height is not None else rows * 0.56 * inches / cols
    return plt.subplots(rows, cols, figsize=(inches, tall), **options)
