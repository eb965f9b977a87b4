"""``gamebalance rate``: who is strong, and what roles, sides and seats are worth."""

from collections.abc import Callable, Hashable

import click
import pandas as pd

from gamebalance.commands import forms, results
from gamebalance.commands.fair import aligned
from gamebalance.fairness import wording
from gamebalance.fairness.ratings.rate import KINDS, rate
from gamebalance.fairness.ratings.rating import Rating
from gamebalance.fairness.ratings.said import MOST_GAMES, label_cells


@click.command("rate")
@click.argument("file", metavar="RESULTS", type=click.Path())
@click.option("--by", type=results.Listed(), help=f"What is worth something beside persons, of {', '.join(KINDS)}.")
@results.options
@click.option("--over", help="Persons change: a column of periods, or how many games one is.")
@click.option("--level", type=float, default=0.95, show_default=True, help="Confidence of each interval.")
@click.option("--better", nargs=2, metavar="ONE OTHER", help="How sure it is that one is stronger, and how soon it is.")
@click.option("--match", type=results.Listed(), help="Those who play next: who takes which side, role and seat.")
@click.option("--of", type=click.Choice(("persons", "labels")), default="persons", help="What is in the csv.")
@click.option("--most", type=click.IntRange(1), default=20, show_default=True, help="Persons in the text.")
@forms.option("html")
@forms.output()
def rate_command(file, by, over, level, better, match, of, most, form, output, **reading) -> None:
    """Who is strong, and what is a role, a side or a seat worth? RESULTS are a file as for judge, with players.

    Strengths come with intervals, beside the chances between equally strong people; html is a page of the season.
    """
    if better and match:
        raise click.UsageError("either --better or --match is needed, not both")
    if form == "html" and (better or match):
        raise click.UsageError("--format html is the page of a season, without --better and --match")
    games = results.read(file, **reading)
    rating = rate(games, by, int(over) if (over or "").isdecimal() else over, level)
    people = {str(person): person for person in rating.persons.index}
    text, table, record = (
        _pair(rating, *(people.get(name, name) for name in better))
        if better
        else _match(rating, [people.get(name, name) for name in match])
        if match
        else (lambda: _text(rating, most), getattr(rating, of).reset_index, lambda: _record(rating))
    )
    forms.deliver(
        {
            "text": text,
            "csv": lambda: forms.as_csv(table()),
            "json": lambda: forms.as_json(record()),
            "html": rating.to_html,
        }[form](),
        output,
    )


def _pair(rating: Rating, one: Hashable, other: Hashable) -> tuple[Callable, Callable, Callable]:
    """Who of two is stronger, in each form."""
    sure, more = rating.better(one, other), rating.games_until_told(one, other)
    told = {"one": one, "other": other, "better": sure, "games_until_told": more}
    if sure < 0.5:
        one, other, sure = other, one, 1 - sure
    said = f"{one} is stronger than {other} with a probability of {wording.percent(sure)}%"
    if sure != sure:
        said = f"Who of {one} and {other} is stronger cannot be told: they never met, not even by way of others"
    elif more is None:
        said += "; these games do not show that anybody is" if not rating.is_seen else "; they seem equal"
    elif more:
        many = wording.games(min(more, MOST_GAMES), "more ")
        said += f"; {'about' if more <= MOST_GAMES else 'more than'} {many} of each until it is 95% sure"
    return lambda: f"{said}.", lambda: pd.DataFrame([told]), lambda: told


def _match(rating: Rating, players: list) -> tuple[Callable, Callable, Callable]:
    """A game that is as even as can be found, in each form."""
    frame = rating.even_match(players)
    rows = [(*map(str, row[:-1]), f"{wording.percent(row[-1])}%") for row in frame.itertuples(index=False, name=None)]
    lines = aligned([(*frame.columns,), *rows])
    if rating.draws:
        share = wording.percent(rating.drawn(frame).iloc[0])
        lines += ["", f"{share}% of such games would be draws, which count as in the results."]
    rated = rating.persons.index
    if strangers := [str(name) for name in players if name not in rated]:
        lines += ["", f"{', '.join(strangers)}: not among these players, and taken as strangers."]
    if not rating.have_met(players):
        lines += ["", "Not all of them ever met, even by way of others: their groups are taken as equally strong."]
    return lambda: "\n".join(lines), lambda: frame, lambda: forms.records(frame)


def _text(rating: Rating, most: int) -> str:
    """What was found in words, what labels are worth, and those who played most."""
    interval = f"{100 * rating.level:g}% interval"
    labels: list[tuple[str, ...]] = [("", "plays", "won, %", "chance, %", interval, "even, %")]
    labels += [label_cells(f"{kind} {label}", row) for (kind, label), row in rating.labels.iterrows()]
    rows: list[tuple[str, ...]] = [("person", "games", "won", "strength", interval, "adds, points")]
    for name, row in rating.standings(most).iterrows():
        between = f"{row['low']:+.2f} to {row['high']:+.2f}"
        numbers = f"{row['games']:,.0f}", f"{wording.percent(row['share'])}%", f"{round(row['strength'], 2) + 0.0:+.2f}"
        rows.append((str(name), *numbers, between, f"{round(100 * row['adds'], 1) + 0.0:+.1f}"))
    tables = [*aligned(labels), ""] * (len(labels) > 1) + aligned(rows)
    return "\n".join([f"{rating.reading}.", "", rating.sentence, "", *tables])


def _record(rating: Rating) -> dict:
    """All of it."""
    names = ["reading", "sentence", "games", "by", "level", "spread", "is_seen", "drift", "drift_is_seen"]
    record = {name: getattr(rating, name) for name in [*names, "members", "draws", "bits", "result_bits", "p_value"]}
    labels, persons = (forms.records(part.reset_index()) for part in (rating.labels, rating.persons))
    return record | {"p_values": rating.p_values.to_dict(), "labels": labels, "persons": persons}
