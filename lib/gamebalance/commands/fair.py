"""``gamebalance judge``: what results of games say."""

import re

import click
import pandas as pd

from gamebalance.base.checks import shown
from gamebalance.commands import forms, results
from gamebalance.fairness import wording
from gamebalance.fairness.checking import KINDS
from gamebalance.fairness.games import Games
from gamebalance.fairness.ratings.rate import rate
from gamebalance.fairness.ratings.rating import Rating
from gamebalance.fairness.tables import cleaned
from gamebalance.fairness.verdicts import Verdict, judge

#: What the shell is told.
EXIT = {"fair": 0, "unfair": 1, "undecided": 3}


def count(text: str) -> tuple[str, tuple[int, int]]:
    """``wolves=30/55`` or ``wolves=1,030/2,055``: a label, wins and games."""
    match = re.fullmatch(r"(.+)[=\uff1d]([^=\uff1d/\uff0f]+)[/\uff0f]([^=\uff1d/\uff0f]+)", text.strip())
    if not match:
        raise click.BadParameter(f"{shown(text)} is no label with wins and games such as wolves=30/55")
    label, (won, played) = cleaned(match[1]), map(forms.whole, match.groups()[1:])
    if played == 0:
        raise click.BadParameter(f"{label}: it has 0 games, and 1 or more are needed")
    if won is None or played is None:
        wrong = cleaned(match[2] if won is None else match[3])
        raise click.BadParameter(f"{label}: whole numbers such as 30/55 or 1,030/2,055 are needed, and {wrong} is none")
    if won > played:
        raise click.BadParameter(f"{label}: {won:,} wins are more than {wording.games(played)}")
    return label, (won, played)


def games(text: str) -> tuple[int, ...]:
    """``55,900``: numbers of games between commas."""
    if not re.fullmatch(r"\d{1,15}(,\d{1,15})*", text):
        raise click.BadParameter(f"{shown(text)} is no list of numbers of games such as 55 or 55,900")
    return tuple(map(int, text.split(",")))


_FORMAT = forms.option()


@click.command("judge")
@click.argument("file", metavar="RESULTS", type=click.Path(), required=False)
@click.option(
    "--count",
    "counts",
    type=count,
    metavar="LABEL=WINS/GAMES",
    multiple=True,
    help="Wins and games of a label, instead of a file.",
)
@click.option("--by", type=click.Choice(KINDS), help="Whose chances: by default what is there first of these.")
@results.options
@click.option("--margin", type=float, default=0.05, show_default=True, help="How far from even is still fair.")
@click.option("--level", type=float, default=0.95, show_default=True, help="Confidence of all verdicts together.")
@click.option("--looks", type=int, help="How often the results are judged in all, if that was declared beforehand.")
@click.option("--looked-after", type=games, help="After how many games they were judged before.")
@click.option("--persons", is_flag=True, help="Judge how it would be between equally strong people.")
@click.option("--raw", is_flag=True, help="With --persons: judge what was seen, and only say the other.")
@_FORMAT
@click.pass_context
def judge_command(context, file, counts, by, margin, level, looks, looked_after, persons, raw, form, **reading) -> None:
    """Is it fair? What a table of RESULTS says: a file of text or of Excel, or - for standard input.

    It has a row for each player of each game, with what was one game, each player's result (in numbers or words; or a
    rank, or a score), and any of side, role, seat, player; or a row for each game, with its players by seat and its
    winner, a result such as 1-0, winner and loser, or what each label won; or the winners alone. What was read is said
    first; what can be read in two ways is refused with a question, and an option answers it.

    Exit code 0: fair within the margin; 1: unfair; 3: cannot tell; 2: something is wrong with the call, the file or
    where the answer should go.
    """
    if bool(file) == bool(counts):
        raise click.UsageError("either a file with results or --count LABEL=WINS/GAMES is needed")
    games = _counted(counts, reading["draws"]) if counts else results.read(file, **reading)
    looked_after = looked_after or ()
    verdict = judge(games, by, margin, level, looks, looked_after)
    found = {"raw": (verdict.verdict, verdict.said(lambda after: f"--looked-after {','.join(map(str, after))}"))}
    model = rate(games, verdict.by, level=level) if persons else None
    if model is not None:
        found["persons"] = model.judge(None, margin, looks, looked_after)
    first = "raw" if raw or model is None else "persons"
    told = (games.reading, verdict, model, found, first)
    forms.echo(form, *(lambda make=make: make(*told) for make in (_text, _table, _record)))
    context.exit(EXIT[found[first][0]])


def _counted(counts: tuple, draws: bool) -> Games:
    """The games of counts; those that nobody won, if they are draws."""
    table = dict(counts)
    if len(table) < len(counts):
        raise click.UsageError("--count: a label stands there twice")
    wins, games = sum(won for won, _ in table.values()), {played for _, played in table.values()}
    if draws and (len(games) > 1 or wins > max(games)):
        raise click.UsageError(
            "--draws: with --count all labels need the same number of games, and no fewer than their wins together"
        )
    return Games.from_counts(table, max(games) - wins if draws else 0)


def _text(reading: str, verdict: Verdict, model: Rating | None, found: dict, first: str) -> str:
    """The verdict in words, and a table; what is left of it between equally strong people, or what was seen."""
    rows: list[tuple[str, ...]] = [(f"by {verdict.by}", "games", "won", "share", verdict.interval, "even")]
    for label, row in verdict.to_frame().iterrows():
        interval = f"{100 * row['low']:.1f} to {100 * row['high']:.1f}%"
        share, even = (f"{100 * row[name]:.1f}%" for name in ("share", "even"))
        rows.append((str(label), f"{row['plays']:,.0f}", f"{row['wins']:,.6g}", share, interval, even))
    lines = aligned(rows)
    lines += ["", f"{wording.p_value(verdict.p_value, verdict.limit)} ({verdict.method})"]
    if model is not None:
        lines += ["", model.about(verdict.by) if first == "raw" else f"Whoever played: {found['raw'][1]}"]
    return "\n".join([*([f"{reading}.", ""] if reading else []), found[first][1], "", *lines])


def aligned(rows: list[tuple[str, ...]]) -> list[str]:
    """The lines of a table: names at the left, all else at the right of its column."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip() for row in rows]


def _table(reading: str, verdict: Verdict, model: Rating | None, found: dict, first: str) -> pd.DataFrame:
    """A row for each label."""
    frame = verdict.to_frame().assign(verdict=found[first][0], p_value=verdict.p_value, limit=verdict.limit)
    if model is not None:
        found_of = model.labels.loc[verdict.by][["chance", "error"]].assign(p_value=model.p_value)
        frame = frame.join(found_of.add_prefix("equal_persons_"))
    return frame.reset_index()


def _record(reading: str, verdict: Verdict, model: Rating | None, found: dict, first: str) -> dict:
    """All of it."""
    names = ("by", "games", "p_value", "limit", "equivalence_p_value", "equivalence_limit", "games_needed", "margin")
    words = {name: dict(zip(("verdict", "sentence"), each, strict=True)) for name, each in found.items()}
    record = words[first] | {"reading": reading}
    record |= {name: getattr(verdict, name) for name in (*names, "level", "looks", "looked_after", "method")}
    record["labels"] = forms.records(verdict.to_frame().reset_index())
    if model is not None:
        labels = forms.records(model.labels.loc[verdict.by].rename_axis(verdict.by).reset_index())
        record |= {"raw": words["raw"], "persons": words["persons"] | {"p_value": model.p_value, "labels": labels}}
    return record
