"""How the roles of Sanguosha are drawn, and the table of a game as a picture: seats, hearts and cards."""

from collections.abc import Mapping, Sequence
from math import cos, pi, sin
from typing import TYPE_CHECKING, Any, NamedTuple

from gamebalance.base.estimates import Estimate
from gamebalance.publish import style
from gamebalance.publish.style import INK
from gamebalance.sanguosha.lineup import Role
from gamebalance.sanguosha.rules import MAX_HEALTH

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

    from gamebalance.sanguosha.table import Table


class RoleStyle(NamedTuple):
    """A role and how it is drawn everywhere: no role is told by its colour alone."""

    role: Role
    colour: str
    marker: str
    linestyle: Any

    @property
    def key(self) -> str:
        """Its name in tables, such as ``lord``."""
        return self.role.key

    @property
    def label(self) -> str:
        """Its name in both languages, such as ``Lord 主公``."""
        return str(self.role)

    @property
    def line(self) -> dict[str, Any]:
        """Keyword arguments for ``Axes.plot`` and ``Axes.errorbar``."""
        return {"color": self.colour, "marker": self.marker, "linestyle": self.linestyle, "label": self.label}


#: In the order of the role digits: a role is an index of it, too.
ROLES = [
    RoleStyle(Role.LORD, "#d55e00", "o", "-"),
    RoleStyle(Role.LOYALIST, "#0072b2", "s", (0, (5, 1.5))),
    RoleStyle(Role.REBEL, "#00805d", "^", (0, (1.2, 1.2))),
    RoleStyle(Role.RENEGADE, "#a64d8a", "D", (0, (5, 1.5, 1.2, 1.5))),
]


#: The sides in the order of their drawings: the column of a table of wins, the name, and whose colour it has.
SIDES = (
    ("win_lord", "Lord 主公 and loyalist 忠臣", Role.LORD),
    ("win_rebels", "Rebel 反贼", Role.REBEL),
    ("win_renegade", "Renegade 内奸", Role.RENEGADE),
)


def draw_rules_and_play(
    lists: "Mapping[str, pandas.DataFrame]", named: "Mapping[str, pandas.Series]", usual: "pandas.Series"
) -> Any:
    """Each side's wins: a stroke for every game of each list, marks for named ones, a line for the usual game."""
    figure, axes = style.new_figure("narrow", 4.4)
    for place, (column, name, role) in enumerate(SIDES):
        top = -3.2 * place
        axes.text(0, top + 0.62, name, weight="bold", va="center")
        for row, group in enumerate(lists.values()):
            strokes = {"color": ROLES[role].colour, "markersize": 11, "alpha": 0.6}
            axes.plot(100 * group[column], [top - row] * len(group), "|", **strokes)
        line = {"color": INK, "label": None if place else "the game as it is, by the fixed rule"}
        axes.plot([100 * usual[column]] * 2, [top + 0.33, top - 1.33], **line)
        for row, mark, (said, game) in zip((0, 1, 1), "*DX", named.items(), strict=True):
            look = {"color": INK, "markerfacecolor": "#ffd21f", "markersize": 13 if mark == "*" else 8}
            axes.plot(100 * game[column], top - row, mark, linestyle="none", label=None if place else said, **look)
    heights = [-3.2 * place - row for place in range(len(SIDES)) for row in range(len(lists))]
    axes.set_yticks(heights, list(lists) * len(SIDES))
    axes.set(xlabel="games won, %", xlim=(-2, 102), ylim=(min(heights) - 0.7, 1.1))
    axes.grid(axis="y", visible=False)
    axes.tick_params(axis="y", length=0)
    title = "A few changed rules, and nearly every\nother way to play, change who wins"
    figure.suptitle(title, fontsize=11, weight="bold", x=0.02, ha="left")
    figure.legend(loc="outside lower left", ncols=1)
    return figure


def draw_lineups(axes: "Axes", ranks: "pandas.DataFrame") -> None:
    """Line-ups by Bal and Rat, marked by their players; filled and named: the report's. `ranks`: `claims.ranking`."""
    from matplotlib import colormaps

    for marker, (count, rows) in zip("osD^v<>", ranks.groupby("players"), strict=False):
        colour = colormaps["viridis"]((count - 4) / 7)
        look = {"color": colour, "marker": marker, "linestyle": "none", "markersize": 5}
        named = rows[rows["in the report"] == "yes"]
        others = rows.drop(named.index)
        axes.plot(others["Bal in %"], others["Rat"], **look, markerfacecolor="none")
        axes.plot(named["Bal in %"], named["Rat"], **look, label=f"{count} players")
        for name, bal, rat in zip(named["line-up"], named["Bal in %"], named["Rat"], strict=True):
            # Above and left, right, or left: where the other line-ups leave room.
            offset = (-5, 5) if rat > 30 else (6, -3) if rat > 20 else (-6, -3)
            place = {"xytext": offset, "ha": "left" if offset[0] > 0 else "right"}
            axes.annotate(name, (bal, rat), **place, textcoords="offset points", fontsize=8, color=INK)
    axes.set(xscale="log", yscale="log")
    axes.legend(loc="lower right", fontsize=8)


def seats_of(table: "Table") -> list[dict[str, Any]]:
    """What `draw_round_table` needs to know of each seat."""
    return [
        {
            "label": ROLES[role].label,
            "colour": ROLES[role].colour,
            **player._asdict(),
            "most": MAX_HEALTH,
            "turn": seat == table.seat,
            "note": "to move" if seat == table.seat else "",
        }
        for seat, (role, player) in enumerate(zip(table.roles, table.players, strict=True))
    ]


def draw_round_table(axes: "Axes", seats: Sequence[Mapping[str, Any]], title: str) -> None:
    """Players round a table, counter-clockwise from the bottom.

    A seat has ``label``, ``colour``, ``health``, ``most`` (health that a full row of hearts shows), ``dodges``,
    ``weapon``, and optionally ``turn`` (whose turn it is) and ``note`` (a line under the seat).
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


def draw_changed_game(numbers: "pandas.DataFrame", simulated: bool) -> Any:
    """A figure of a changed game beside the report's: what each role survives, wins and expects, a panel for each.

    `numbers`: `designs.answers.numbers_of`. Bars reach two standard errors to each side if the game was `simulated`.
    """
    from gamebalance.publish.style import new_figure

    measures = list(dict.fromkeys(numbers.columns.get_level_values(0)))[1:]
    figure, panels = new_figure("full", 2.8, cols=len(measures), sharey=True)
    for axes, measure in zip(panels, measures, strict=True):
        columns = numbers[measure].iloc[: len(ROLES)]
        for place, (role, now, error, report, _) in enumerate(zip(ROLES, *columns.to_numpy().T, strict=True)):
            look = {"color": role.colour, "marker": role.marker, "linestyle": "none", "clip_on": False, "zorder": 3}
            axes.plot([report, now], [place, place], color="#9a9a9a", linewidth=1.2, zorder=2)
            axes.plot([report], [place], **look, markersize=11, markerfacecolor="none", markeredgewidth=1.1)
            bars = {"xerr": [2 * error], "capsize": 2.5} if simulated else {}
            axes.errorbar([now], [place], **bars, **look)
        _label_changed(axes, measure, numbers[measure].iloc[-1])
    panels[0].set_yticks(range(len(ROLES)), [role.label for role in ROLES])
    panels[0].set_ylim(len(ROLES) - 0.5, -0.5)
    return figure


def _label_changed(axes: "Axes", measure: str, spread: "pandas.Series") -> None:
    """Title and axis of one panel; below it Bal or Rat, or what the hollow marks are."""
    share = measure.endswith("%")
    axes.set_title(f"{measure.removesuffix(', %').capitalize()}{', % of games' if share else ' expected'}")
    low, high = axes.dataLim.intervalx
    axes.set_xlim((0, 100) if share else (min(0, 1.05 * low), max(20, 1.05 * high)))
    if spread["now"] == spread["now"]:
        name, unit = ("Bal", "%") if share else ("Rat", "")
        now, report = Estimate(spread["now"], spread["s.e."]), Estimate(spread["report"], spread["its s.e."])
        axes.set_xlabel(f"{name} {now}{unit}\nreport: {report}{unit}")
    else:
        axes.set_xlabel("hollow marks:\nthe report's game")
    axes.grid(axis="y", visible=False)
