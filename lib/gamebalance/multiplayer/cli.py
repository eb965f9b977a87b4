"""``gamebalance multiplayer …``: a game in coalitions, poker, push or fold, and the table of methods."""

import click

from gamebalance.multiplayer import methods
from gamebalance.multiplayer.commands.coalition import coalition_command
from gamebalance.multiplayer.commands.poker import poker_command
from gamebalance.multiplayer.commands.push_fold import push_fold_command
from gamebalance.multiplayer.commands.writing import csv_text, format_option


@click.group()
def group() -> None:
    """Methods for games of three and more players, on games that you give and on poker."""


for _command in (coalition_command, poker_command, push_fold_command):
    group.add_command(_command)


@group.command("methods")
@format_option
def methods_command(form) -> None:
    """Every method of this part: reference, module, how it is verified, and what it promises."""
    frame = methods.table()
    if form == "text":
        for name, reference, module, verified, status in frame.itertuples(index=False):
            click.echo(f"{name}\n    {reference}; {module}; {status}\n    {verified}")
    else:
        click.echo(csv_text(frame) if form == "csv" else frame.to_json(orient="records", force_ascii=False))
