"""``gamebalance seatings``: a season's schedule with even seats and meetings."""

import click

from gamebalance.commands import forms
from gamebalance.commands.fair import aligned
from gamebalance.fairness.season import Seatings, seatings


@click.command("seatings")
@click.option("--players", type=int, help="How many there are, called 1, 2 and so on.")
@click.option("--names", metavar="A,B,C", help="Their names instead, with commas between.")
@click.option("--rounds", type=int, required=True, help="In each, as many full tables play as there are players for.")
@click.option("--seats", type=int, default=4, show_default=True, help="How many play at a table.")
@click.option("--seed", type=int, default=0, show_default=True, help="Another one makes another schedule.")
@forms.option()
def seatings_command(players, names, rounds, seats, seed, form) -> None:
    """Who plays whom in which seat: everybody plays equally often, and equally often in each seat, up to one game.

    How even meetings are is what a search finds. The csv has a row for each player of each game: with a column won, 1
    for who won and 0 for the others, judge reads it if told --game round,table.
    """
    if (players is None) == (names is None):
        raise click.UsageError("either --players or --names is needed")
    season = seatings(players if names is None else names.split(","), rounds, seats, seed)
    forms.echo(form, lambda: _text(season), season.to_frame, lambda: _record(season))


def _text(season: Seatings) -> str:
    """The sentence, and a table for each round, with who sits out."""
    lines = [season.sentence]
    for number, games in season.frame.groupby("round"):
        seated = games.pivot(index="table", columns="seat", values="player")
        rows = [(f"round {number}", *(f"seat {seat}" for seat in seated.columns))]
        rows += [(f"table {table}", *row) for table, *row in seated.itertuples()]
        out = [name for name in season.seats.index if name not in set(games["player"])]
        lines += ["", *aligned(rows), *([f"sits out: {', '.join(out)}"] if out else [])]
    return "\n".join(lines)


def _record(season: Seatings) -> dict:
    """All of it."""
    parts = {"seats": season.seats.to_dict("index"), "meetings": season.meetings.to_dict("index")}
    return {"sentence": season.sentence, "games": forms.records(season.frame), **parts}
