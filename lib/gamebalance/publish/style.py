"""The one look of every figure: fonts with Chinese, sizes, and colours that colour-blind readers can tell apart."""

from functools import cache
from pathlib import Path
from typing import Any

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
from cycler import cycler
from matplotlib import font_manager, scale

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
SETTINGS: dict[Any, Any] = {
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


# Logarithmic axes that lie in the same place on every processor: matplotlib takes logarithms by numpy, whose last bits
# depend on the processor, and a point on the edge of a pixel, as every tick at a power of ten may be, then falls to one
# side or the other. Rounded to twelve decimals first, far below what a picture shows.


class _LogTransform(scale.LogTransform):
    def transform_non_affine(self, values: Any) -> Any:
        return np.round(np.asarray(super().transform_non_affine(values)), 12)


class _SymmetricalLogTransform(scale.SymmetricalLogTransform):
    def transform_non_affine(self, values: Any) -> Any:
        return np.round(np.asarray(super().transform_non_affine(values)), 12)


class LogScale(scale.LogScale):
    """matplotlib's "log"."""

    def __init__(self, *, base: float = 10, subs: Any = None, nonpositive: Any = "clip") -> None:
        super().__init__(base=base, subs=subs, nonpositive=nonpositive)
        self._transform = _LogTransform(base, nonpositive)


class SymmetricalLogScale(scale.SymmetricalLogScale):
    """matplotlib's "symlog"."""

    def __init__(self, *, base: float = 10, linthresh: float = 2, subs: Any = None, linscale: float = 1) -> None:
        super().__init__(base=base, linthresh=linthresh, subs=subs, linscale=linscale)
        self._transform = _SymmetricalLogTransform(base, linthresh, linscale)


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
    scale.register_scale(LogScale)
    scale.register_scale(SymmetricalLogScale)
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
