"""``gamebalance multiplayer poker``: Kuhn and Leduc poker by counterfactual regret minimisation."""

import json
from typing import Any

import click
import numpy as np
import pandas as pd

from gamebalance.multiplayer import cfr
from gamebalance.multiplayer.commands.writing import announce, csv_text, format_option
from gamebalance.multiplayer.games import kuhn, leduc

POKER = {"kuhn": kuhn.Kuhn, "leduc": leduc.Leduc}
MOVES = {
    "kuhn": {kuhn.PASS: "pass", kuhn.BET: "bet"},
    "leduc": {leduc.FOLD: "fold", leduc.CALL: "call", leduc.RAISE: "raise"},
}

#: Seconds for each node, player and iteration, and for each node when the tree is laid out, on one core.
VISIT, LAY_OUT = 2e-8, 1e-5
#: Nodes of the only tree that takes long to lay out.
NODES = {("leduc", 3): 1_831_601}


@click.command("poker")
@click.argument("name", type=click.Choice(list(POKER)))
@click.option("-p", "--players", type=int, default=2, show_default=True, help="2 to 4; Leduc: 2 or 3.")
@click.option("--iterations", type=click.IntRange(1, 10**7), default=1000, show_default=True)
@click.option("--variant", type=click.Choice(cfr.VARIANTS), default="cfr+", show_default=True)
@format_option
def poker_command(name, players, iterations, variant, form) -> None:
    """Look for an equilibrium of Kuhn or Leduc poker by counterfactual regret minimisation.

    Chips are counted in antes. An information set is the own card and the moves so far: p pass, b bet in Kuhn poker;
    own card, public card, and the moves of each round in Leduc poker, f fold, c call or check, r raise. In Leduc poker
    card number c has rank c // 2 and suit c % 2. NashConv is what all players together could still gain, each by a
    best response; only with two players does it go to 0 for certain.
    """
    game = POKER[name](players)
    nodes = NODES.get((name, players), 0)
    announce(nodes * LAY_OUT + nodes * VISIT * players * iterations)
    tree = cfr.GameTree(game)
    if not nodes:
        announce(tree.nodes * VISIT * players * iterations)
    found = cfr.solve(tree, iterations, variant)
    strategy = _strategy(name, tree, found)
    if form == "csv":
        return click.echo(csv_text(strategy))
    if form == "json":
        record = {"game": name, "players": players, "variant": variant, "iterations": iterations, "value": found.value}
        record |= {"nash_conv": found.nash_conv, "gains": found.gains}
        sets = [{key: value for key, value in line.items() if value == value} for line in strategy.to_dict("records")]
        return click.echo(json.dumps({**record, "average_strategy": sets}))
    click.echo(f"{name.title()} poker, {players} players, {iterations:,} iterations of {variant.upper()}\n")
    worth = pd.DataFrame({"value in antes": found.value, "could gain": found.gains})
    click.echo(worth.rename_axis("player").to_string(float_format="{:.2e}".format,
                                                     formatters={"value in antes": "{:.6f}".format}))  # fmt: skip
    click.echo(f"\nNashConv {found.nash_conv:.2e} antes\n")
    click.echo(strategy.to_string(index=False, na_rep="", float_format="{:.4f}".format))
    return None


def _strategy(name: str, tree: cfr.GameTree, found: cfr.Result) -> pd.DataFrame:
    """The average strategy, a line for each information set."""
    lines = [
        {"player": each.player, "information": _information(each.information)}
        | {move: found.average_strategy[each.information].get(key, np.nan) for key, move in MOVES[name].items()}
        for each in tree.information_sets
    ]
    return pd.DataFrame(lines).sort_values(["player", "information"], ignore_index=True)


def _information(information: Any) -> str:
    if isinstance(information, str):
        return information
    own, public, *rounds = information
    return f"{own} {'-' if public is None else public} {'/'.join(rounds)}".rstrip()
