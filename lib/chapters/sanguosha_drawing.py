"""How the roles of Sanguosha are drawn in all chapters, and the table of a game as a picture."""

from math import cos, pi, sin
from typing import Any, NamedTuple

from matplotlib.patches import Circle, FancyBboxPatch

from gamebalance.publish.style import INK
from gamebalance.sanguosha.lineup import Role
from gamebalance.sanguosha.rules import MAX_HEALTH


class RoleStyle(NamedTuple):
    """A role and how it is drawn everywhere: no role is told by its colour alone."""

    role: Role
    colour: str
    marker: str
    linestyle: Any

    @property
    def key(self):
        """Its name in tables, such as ``lord``."""
        return self.role.key

    @property
    def label(self):
        """Its name in both languages, such as ``Lord 主公``."""
        return str(self.role)

    @property
    def line(self):
        """Keyword arguments for ``Axes.plot`` and ``Axes.errorbar``."""
        return {"color": self.colour, "marker": self.marker, "linestyle": self.linestyle, "label": self.label}


#: In the order of the role digits: a role is an index of it, too.
ROLES = [
    RoleStyle(Role.LORD, "#d55e00", "o", "-"),
    RoleStyle(Role.LOYALIST, "#0072b2", "s", (0, (5, 1.5))),
    RoleStyle(Role.REBEL, "#00805d", "^", (0, (1.2, 1.2))),
    RoleStyle(Role.RENEGADE, "#a64d8a", "D", (0, (5, 1.5, 1.2, 1.5))),
]


def seats_of(table):
    """What `draw_round_table` shows of each seat: the role's style, the player, whether it is his turn."""
    seats = enumerate(zip(table.roles, table.players, strict=True))
    return [(ROLES[role], player, place == table.seat) for place, (role, player) in seats]


def draw_round_table(axes, seats, title):
    """Players round a table, counter-clockwise from the bottom."""
    axes.set_axis_off()
    axes.set(xlim=(-2.5, 2.5), ylim=(-2.05, 2.05), aspect="equal")
    axes.set_title(title, loc="center")
    axes.add_patch(Circle((0, 0), 0.62, facecolor="#f3efe6", edgecolor="#b8a97e", linewidth=1.5))
    axes.text(0, 0, "play\n↺", ha="center", va="center", color="#7a6a3c", fontsize=11)
    for place, seat in enumerate(seats):
        angle = -pi / 2 + 2 * pi * place / len(seats)
        _draw_seat(axes, 1.62 * cos(angle), 1.42 * sin(angle), *seat)


def _draw_seat(axes, x, y, style, player, moves):
    """One seat: name, hearts, small cards side by side; dead players grey and dashed."""
    dead, middle = player.health == 0, {"ha": "center", "va": "center"}
    paper, edge, line = ("#eeeeee", "#999999", "--") if dead else ("white", style.colour, "-")
    box = {"boxstyle": "round,pad=0.02,rounding_size=0.08", "facecolor": paper, "edgecolor": edge, "linestyle": line}
    axes.add_patch(FancyBboxPatch((x - 0.72, y - 0.46), 1.44, 0.92, linewidth=3.2 if moves else 1.4, **box))
    name = style.label + " (dead)" * dead
    axes.text(x, y + 0.27, name, color="#666666" if dead else INK, fontsize=9.5, **middle)
    hearts = "♥" * player.health + "♡" * (MAX_HEALTH - player.health)
    axes.text(x, y, hearts, fontsize=12, color="#777777" if dead else "#b3122a", **middle)
    cards = ["闪"] * player.dodges + ["武器"] * bool(player.weapon)
    if not cards:
        axes.text(x, y - 0.27, "no cards", fontsize=8, color="#555555", **middle)
    frame = {"boxstyle": "round,pad=0.18", "facecolor": "#fff8dc", "edgecolor": "#8a6d00", "linewidth": 0.8}
    for place, card in enumerate(cards):
        aside = (place - (len(cards) - 1) / 2) * 0.3
        axes.text(x + aside, y - 0.27, card, fontsize=8, color=INK, bbox=frame, **middle)
    if moves:
        axes.text(x, y - 0.6, "to move", fontsize=8, color=INK, **middle)
