"""``gamebalance compare``: two versions of a game side by side."""

import click

from gamebalance import fairness
from gamebalance.commands import forms
from gamebalance.commands.fair import aligned
from gamebalance.commands.games import game_of, memory_of_games, policies_of


@click.command("compare")
@click.argument("first")
@click.argument("second")
@click.option("--players", type=int, help="How many play, if the games are functions play(rng, players).")
@click.option("--ways", help="Which of the built-in ways to play are tried, such as random,best; all by default.")
@click.option("--policies", multiple=True, help="Further ways to play, as of report.")
@click.option("--goal", type=click.Choice(["points", "win"]), default="points", help="What those who play best seek.")
@click.option("--seconds", type=float, default=60, show_default=True, help="How long each of the two may take.")
@click.option("--games", type=int, help="Games to be played at random, where they are played.")
@click.option("--contests", type=int, help="Games in each other way to play, where they are played.")
@click.option("--states", type=int, help="Follow a game exactly if it has no more states than this.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of the games that are played.")
@forms.option()
@forms.output()
def compare_command(first, second, players, ways, policies, form, output, **others) -> None:
    """What does a change do? FIRST and SECOND, two versions of a game as of report, side by side.

    Who wins how often, and what the games are like, with the differences; where games are played, those of both with
    the same random numbers, and the errors are those of the differences.
    """
    one, seats = game_of(first)
    other, _ = game_of(second)
    given = {"policies": policies_of(policies), **others}
    given |= {"ways": [way.strip() for way in ways.split(",")]} if ways else {}
    with memory_of_games(f"first = {first}, second = {second}"):
        found = fairness.compare(one, other, players or seats, **given)
        frame = found.to_frame()
    if form == "text":
        rows = [
            (way, what, f"{a:.4g}", f"{b:.4g}", f"{apart:+.3g}" + f" ± {error:.2g}" * (error > 0), unit)
            for way, what, unit, a, b, apart, error in frame.itertuples(index=False)
        ]
        head = ("all play", "what", "first", "second", "difference", "unit")
        text = "\n".join([str(found), "", *aligned([head, *rows])])
    else:
        record = {"sentences": found.sentences, "differences": forms.records(frame)}
        text = forms.as_csv(frame) if form == "csv" else forms.as_json(record)
    forms.deliver(text, output)
