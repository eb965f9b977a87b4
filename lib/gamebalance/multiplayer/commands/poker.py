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
#: Nodes of the trees, so that it can be said beforehand how long they take.
NODES = {("kuhn", 2): 58, ("kuhn", 3): 617, ("kuhn", 4): 7886, ("leduc", 2): 9457, ("leduc", 3): 1_831_601}


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
    nodes = NODES[name, players]
    announce(f"players = {players}, iterations = {iterations}", nodes * (LAY_OUT + VISIT * players * iterations))
    tree = cfr.GameTree(game)
    found = cfr.solve(tree, iterations, variant)
    strategy = _strategy(name, tree, found)
    if form == "csv":
        click.echo(csv_text(strategy))
    elif form == "json":
        record = {"game": name, "players": players, "variant": variant, "iterations": iterations, "value": found.value}
        record |= {"nash_conv": found.nash_conv, "gains": found.gains}
        sets = [{key: value for key, value in line.items() if value == value} for line in strategy.to_dict("records")]
        click.echo(json.dumps({**record, "average_strategy": sets}))
    else:
        click.echo(f"{name.title()} poker, {players} players, {iterations:,} iterations of {variant.upper()}\n")
        click.echo(_told(found))
        click.echo(strategy.to_string(index=False, na_rep="", float_format="{:.4f}".format))


def _told(found: cfr.Result) -> str:
    """Values and gains, a line for each player."""
    lines = ["player  value in antes  could gain"]
    for player, (value, gain) in enumerate(zip(found.value, found.gains, strict=True)):
        lines.append(f"{player:>6}  {value:>14.6f}  {gain:>10.2e}")
    return "\n".join([*lines, "", f"NashConv {found.nash_conv:.2e} antes", ""])


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
