"""The figure of a table of Mafia with controls."""

from typing import TYPE_CHECKING

from gamebalance.publish.style import COLOURS, INK, new_figure

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure


def draw_neighbours(numbers: "pandas.DataFrame") -> "Figure":
    """The chance of the town by the number of players, the table itself marked; `numbers` as of `bench.neighbours`."""
    figure, axes = new_figure(height=3.2)
    axes.axhline(50, color=INK, linewidth=0.8)
    axes.plot(numbers["players"], 100 * numbers["chance"], "o-", color=COLOURS[0], markersize=5)
    own = numbers[numbers["more"] == 0]
    axes.plot(own["players"], 100 * own["chance"], "D", color=COLOURS[1], markersize=9)
    axes.set(xlabel="players, with innocents more or fewer", ylabel="the town wins, %", ylim=(-3, 100))
    axes.set_xticks(numbers["players"])
    return figure
