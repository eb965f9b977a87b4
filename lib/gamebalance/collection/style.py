"""The one look of every figure: fonts with Chinese, sizes, and colours that colour-blind readers can tell apart."""

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib
import matplotlib.pyplot as plt
from cycler import cycler
from matplotlib import font_manager

from . import scales

ASSETS = Path(__file__).parent / "assets"
FONTS = [ASSETS / "NotoSansCJKsc-subset.otf", ASSETS / "NotoSansCJKsc-subset-bold.otf"]
#: matplotlib looks for each glyph in these, in turn. Never put Chinese and ``$mathematics$`` into one string:
#: mathtext knows no second font.
FAMILIES = ["DejaVu Sans", "Noto Sans CJK SC"]
#: Okabe and Ito's palette, the two palest hues darkened so that thin lines stay visible on white.
COLOURS = ["#0072b2", "#d55e00", "#00805d", "#a64d8a", "#8a6d00", "#3f8fc4", "#5a5a5a"]
INK, GRID = "#222222", "#d9d9d9"
WIDTHS = {"full": 7.0, "half": 3.45}


class Role(NamedTuple):
    """A role of the game and how it is drawn everywhere."""

    key: str
    english: str
    chinese: str
    colour: str
    marker: str
    linestyle: Any

    @property
    def label(self) -> str:
        """The name in both languages, such as ``Lord 主公``."""
        return f"{self.english} {self.chinese}"

    @property
    def line(self) -> dict[str, Any]:
        """Keyword arguments for ``Axes.plot`` and ``Axes.errorbar``."""
        return {"color": self.colour, "marker": self.marker, "linestyle": self.linestyle, "label": self.label}


#: The four roles in the order of role digits: lord, loyalist, rebel, renegade.
ROLES = [
    Role("lord", "Lord", "主公", "#d55e00", "o", "-"),
    Role("loyalist", "Loyalist", "忠臣", "#0072b2", "s", (0, (5, 1.5))),
    Role("rebel", "Rebel", "反贼", "#00805d", "^", (0, (1.2, 1.2))),
    Role("renegade", "Renegade", "内奸", "#a64d8a", "D", (0, (5, 1.5, 1.2, 1.5))),
]

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
    for font in FONTS:
        font_manager.fontManager.addfont(font)


def use() -> None:
    """Make this style the one in force, for matplotlib and for seaborn on top of it."""
    _register_fonts()
    scales.register()
    matplotlib.rcParams.update(SETTINGS)


def new_figure(
    width: str = "full", height: float | None = None, rows: int = 1, cols: int = 1, **options: Any
) -> tuple[Any, Any]:
    """Return a figure of one of the two widths of the report, and its axes.

    Parameters
    ----------
    width : {"full", "half"}
        The width of the text, or half of it.
    height : float, optional
        Inches; by default 0.56 of the width of one column of axes, for each row.
    rows, cols : int
        The grid of axes.
    **options
        Passed on to ``matplotlib.pyplot.subplots`` (``sharex``, ``width_ratios`` …).

    Returns
    -------
    figure, axes
        As from ``matplotlib.pyplot.subplots``.
    """
    if width not in WIDTHS:
        raise ValueError(f"width must be one of {', '.join(map(repr, WIDTHS))}, not {width!r}")
    use()
    inches = WIDTHS[width]
    tall = height if height is not None else rows * 0.56 * inches / cols
    return plt.subplots(rows, cols, figsize=(inches, tall), **options)
