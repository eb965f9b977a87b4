"""The drawings of twelve games by luck and by how far from even they are, and of the course of a monitor."""

from typing import TYPE_CHECKING

from gamebalance.publish.style import COLOURS

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

#: A mark for each game, and standard errors to each side of it that an error bar covers.
MARKS, ERROR_BAR = "os^DvPX*<>ph", 2
#: Labels of marks farther from even, in percentage points, stand to the left of them.
LABELS_LEFT = 35


def draw_luck(axes: "Axes", apart: "pandas.DataFrame", luck: "pandas.Series") -> None:
    """Luck over the distance from even, a labelled mark for each game; Sanguosha in a colour of its own.

    `apart`, by game, has the columns "off by, pp" and "s.e."; `luck` is in percent.
    """
    for (name, percent), mark in zip(luck.items(), MARKS, strict=True):
        off, error = abs(apart.loc[name, "off by, pp"]), apart.loc[name, "s.e."]
        bar = {"xerr": ERROR_BAR * error} if error else {}
        look = {"fmt": mark, "color": COLOURS[name == "Sanguosha"], "markersize": 7, "capsize": 3}
        axes.errorbar(off, percent, **bar, **look)
        left = off > LABELS_LEFT
        place = {"xytext": (-8 if left else 8, 10 if error else 0), "ha": "right" if left else "left"}
        axes.annotate(name, (off, percent), textcoords="offset points", va="center", fontsize=8.5, **place)
    axes.set(xlabel="farthest from even if all play at random, percentage points", ylabel="luck, %", xlim=(-2, None))


def draw_course(evidence: "Axes", shares: "Axes", course: "pandas.DataFrame", level: float = 0.05) -> None:
    """The evidence over the games, with the bound that decides, and each label's share with its interval.

    `course` is a `Monitor.course()`.
    """
    by_game = course.groupby("game")["evidence"].first()
    evidence.semilogy(by_game.index, by_game, color=COLOURS[0])
    evidence.axhline(1 / level, color=COLOURS[1], linestyle="--")
    evidence.set(xlabel="games", ylabel="evidence against equal chances")
    parts = list(course.groupby("label", sort=False))
    for (label, part), colour, line in zip(parts, COLOURS * 2, ("-", "--", ":", "-.") * 4, strict=False):
        shares.plot(part["game"], 100 * part["share"], color=colour, linestyle=line, label=str(label))
        shares.fill_between(part["game"], 100 * part["low"], 100 * part["high"], color=colour, alpha=0.15)
    shares.axhline(100 / len(parts), color="black", linewidth=0.8)
    shares.set(xlabel="games", ylabel="share won, %", ylim=(0, 100))
    shares.legend(loc="lower right", ncols=2)
