"""``gamebalance multiplayer push-fold``: equilibria of all-in-or-fold Hold'em as charts."""

import json
from typing import Any

import click
import numpy as np
import pandas as pd

from gamebalance.collection import heavy
from gamebalance.multiplayer.commands.writing import csv_text, format_option
from gamebalance.multiplayer.games import holdem
from gamebalance.multiplayer.games.holdem.survey import CHART, ERROR, VALUE

ITERATIONS = 1000
#: The tables in which equilibria for more than two players are stored.
STORED = {3: "holdem-three", 4: "holdem-four"}


@click.command("push-fold")
@click.option("--stack", type=float, required=True, help="Chips of each player before the blinds, in big blinds.")
@click.option("-p", "--players", type=click.IntRange(2, 4), default=2, show_default=True)
@click.option("--ante", type=float, default=0, show_default=True, help="Paid by each player, in big blinds.")
@format_option
def push_fold_command(stack, players, ante, form) -> None:
    """Equilibrium of Hold'em when every seat goes all-in or folds before the flop; the small blind is half a big one.

    For two players it is computed, on the exact equities of all pairs of hands. For three and four it is looked up
    among the stored equilibria: no ante, and stacks of whole big blinds from 2 to 20.
    """
    record = _heads_up(stack, ante) if players == 2 else _looked_up(stack, players, ante)
    if form == "text":
        return click.echo(_told_push_fold(record))
    if form == "json":
        return click.echo(json.dumps(record))
    lines = [{"after": after, "hand": hand, "percent": percent}
             for after, chart in record["charts"].items() for hand, percent in chart.items()]  # fmt: skip
    return click.echo(csv_text(pd.DataFrame(lines)))


def _heads_up(stack: float, ante: float) -> dict[str, Any]:
    for name, chips in (("stack", stack), ("ante", ante)):
        holdem.game.check_chips(name, chips)
    deals = holdem.heads_up(*holdem.equity.counts(heavy.results("holdem-pairs")))
    game = holdem.PushFold(deals, stack, ante=ante)
    found = holdem.solve(game, ITERATIONS)
    charts = {"first": found.chart(), "p": found.chart("p")}
    return {
        "players": 2,
        "stack": stack,
        "ante": ante,
        "value": dict(zip(game.seats, found.evaluation.values.tolist(), strict=True)),
        "nash_conv": found.evaluation.nash_conv,
        "charts": {after: dict(zip(holdem.HANDS, (100 * chart).tolist(), strict=True))
                   for after, chart in charts.items()},
    }  # fmt: skip


def _looked_up(stack: float, players: int, ante: float) -> dict[str, Any]:
    table = heavy.results(STORED[players]).set_index("stack")
    if ante or stack not in table.index:
        stored = ", ".join(map(str, table.index))
        raise ValueError(
            f"--stack {stack:g} --ante {ante:g}: for {players} players, equilibria are stored without ante and for "
            f"stacks of {stored} big blinds"
        )
    line = table.loc[int(stack)]

    def beginning(name):
        return {key.removeprefix(name): value for key, value in line.items() if key.startswith(name)}

    numbers = {"nash_conv_low": "low", "nash_conv_low_error": "low_error", "nash_conv_high": "high",
               "nash_conv_high_error": "high_error"}  # fmt: skip
    charts = {after: dict(zip(holdem.HANDS, map(float, chart.split()), strict=True))
              for after, chart in beginning(CHART).items()}  # fmt: skip
    record = {"players": players, "stack": stack, "ante": ante}
    record |= {"value": beginning(VALUE), "value_error": beginning(ERROR)}
    return {**record, **{name: float(line[key]) for name, key in numbers.items()}, "charts": charts}


def _told_push_fold(record: dict[str, Any]) -> str:
    blinds = "big blind" if record["stack"] == 1 else "big blinds"
    ante = f", ante {record['ante']:g}" if record["ante"] else ""
    lines = [f"All-in or fold, {record['players']} players with {record['stack']:g} {blinds}{ante}", ""]
    errors = record.get("value_error", {})
    for seat, value in record["value"].items():
        error = f" (s.e. {errors[seat]:.4f})" if seat in errors else ""
        lines.append(f"{seat:<12} {value:>8.4f} big blinds a hand{error}")
    if "nash_conv" in record:
        lines.append(f"NashConv {record['nash_conv']:.1e} big blinds, after {ITERATIONS:,} iterations of CFR+")
    else:
        low, high = (f"{record[f'nash_conv_{end}']:.4f} (s.e. {record[f'nash_conv_{end}_error']:.4f})"
                     for end in ("low", "high"))  # fmt: skip
        lines.append(f"NashConv between {low} and {high} big blinds, on sampled deals")
    lines += ["", "Percentages of going all-in; suited hands above the diagonal, pairs on it."]
    seats = list(record["value"])
    for after, chart in record["charts"].items():
        lines += ["", *_grid(seats, "" if after == "first" else after, np.array(list(chart.values())))]
    return "\n".join(lines)


def _grid(seats: list[str], actions: str, chart: np.ndarray) -> list[str]:
    """A 13 × 13 chart with the decision it is for."""
    ways = [6 if name[0] == name[1] else 4 if name.endswith("s") else 12 for name in holdem.HANDS]
    share = (chart * ways).sum() / 1326
    done = [f"{seat} {'all-in' if action == 'p' else 'folds'}" for seat, action in zip(seats, actions, strict=False)]
    before = f" after {', '.join(done)}" if done else ", first to act"
    title = f"{seats[len(actions)].capitalize()}{before}: {share:.1f}% of all hands"
    rows = [f"{rank}  " + " ".join(f"{percent:>3.0f}" for percent in row)
            for rank, row in zip(holdem.RANKS, chart.reshape(13, 13), strict=True)]  # fmt: skip
    return [title, "   " + " ".join(f"{rank:>3}" for rank in holdem.RANKS), *rows]
