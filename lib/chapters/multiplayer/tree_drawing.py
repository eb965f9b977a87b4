"""Drawings of small game trees: who moves where, what each node is worth, which way play goes, and what was cut."""

from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gamebalance.multiplayer.protocols import OVER
from gamebalance.publish.style import COLOURS, INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: A shape for each player, so that movers are told apart without colour.
SHAPES = ["s", "o", "^", "D"]
PALE = "#9a9a9a"


def places(tree: Any) -> dict[tuple, tuple[float, float]]:
    """Where the nodes of a `Tree` lie: leaves side by side, others amid their successors, the root at y = 0."""
    found: dict[tuple, tuple[float, float]] = {}
    leaves = 0

    def place(state: tuple) -> float:
        nonlocal leaves
        if tree.mover(state) == OVER:
            x, leaves = float(leaves), leaves + 1
        else:
            below = [place(tree.play(state, move)) for move in tree.moves(state)]
            x = (below[0] + below[-1]) / 2
        found[state] = x, -float(len(state))
        return x

    place(tree.start())
    return found


def draw_tree(
    axes: "Axes",
    tree: Any,
    values: Mapping[tuple, Sequence[float]],
    line: Collection[Hashable] = (),
    cut: Collection[tuple] = (),
) -> None:
    """Draw a game tree on axes, with payoffs beside the inner nodes that have `values`.

    The moves of `line` are drawn thick; the states in `cut` are pale and dashed, with a bar across the branch.
    """
    where = places(tree)
    line = tuple(line)
    for state, (x, y) in where.items():
        if state:
            _branch(axes, where[state[:-1]], (x, y), str(state[-1]), state == line[: len(state)], state in cut)
        payoffs = tree.payoffs(state) if tree.mover(state) == OVER else values.get(state)
        text = "" if payoffs is None else "(" + ", ".join(f"{value:g}" for value in payoffs) + ")"
        if tree.mover(state) == OVER:
            axes.text(x, y - 0.08, text, ha="center", va="top", fontsize=9, color=PALE if state in cut else INK)
            continue
        mover = tree.mover(state)
        axes.plot(x, y, SHAPES[mover], markersize=17, color=COLOURS[mover], markeredgecolor=INK, zorder=3)
        axes.text(x, y - 0.015, str(mover), ha="center", va="center", color="white", fontweight="bold", zorder=4)
        axes.text(x + 0.16, y + 0.07, text, ha="left", va="bottom", fontsize=9)
    right, bottom = max(x for x, _ in where.values()), min(y for _, y in where.values())
    axes.set(xlim=(-0.55, right + 0.55), ylim=(bottom - 0.3, 0.35))
    axes.set_axis_off()


def _branch(axes: "Axes", top: tuple, end: tuple, move: str, chosen: bool, cut: bool) -> None:
    style = {"linestyle": (0, (3, 2)), "color": PALE} if cut else {"linestyle": "-", "color": INK}
    axes.plot(*zip(top, end, strict=True), linewidth=3 if chosen else 1, zorder=1, **style)
    x, y = (top[0] + end[0]) / 2, (top[1] + end[1]) / 2
    aside = 0.1 if end[0] >= top[0] else -0.1
    axes.text(x + aside, y + 0.05, move, ha="center", style="italic", color=style["color"])
    if cut:
        axes.plot([x - 0.12, x + 0.12], [y - 0.06, y - 0.06], color=INK, linewidth=2)
