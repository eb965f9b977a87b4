"""``gamebalance judge`` and ``gamebalance needed``: what results of games say, and how many games would say it."""

import math
import re
import sys

import click
import pandas as pd

from gamebalance.base.estimates import Estimate
from gamebalance.commands import forms
from gamebalance.fairness import wording
from gamebalance.fairness.checking import KINDS
from gamebalance.fairness.games import Games
from gamebalance.fairness.persons import PersonModel, with_persons
from gamebalance.fairness.planning import METHODS, games_needed, power, power_within
from gamebalance.fairness.reading import read_games
from gamebalance.fairness.verdicts import Verdict, judge

#: What the shell is told.
EXIT = {"fair": 0, "unfair": 1, "undecided": 3}


class _Numbers(click.ParamType):
    """``.315,.242,.241,.202``: numbers between commas."""

    name = "numbers"

    def convert(self, value, param, ctx):
        """A list of floats; a usage error that names the option for anything else."""
        if isinstance(value, list):
            return value
        try:
            found = [float(part) for part in value.split(",")]
        except ValueError:
            found = [math.nan]
        if not all(map(math.isfinite, found)):
            self.fail(f"{value!r} is no list of numbers such as .3,.3,.4", param, ctx)
        return found


class _Count(click.ParamType):
    """``wolves=30/55``: a label, wins and games."""

    name = "label=wins/games"

    def convert(self, value, param, ctx):
        """The label and the pair; a usage error that names the option for anything else."""
        if isinstance(value, tuple):
            return value
        match = re.fullmatch(r"(.+)=(\d{1,15})/(\d{1,15})", value.strip())
        if not match:
            self.fail(f"{value!r} is no label with wins and games such as wolves=30/55", param, ctx)
        return match[1].strip(), (int(match[2]), int(match[3]))


_FORMAT = forms.option()


@click.command("judge")
@click.argument("results", type=click.Path(), required=False)
@click.option("--count", "counts", type=_Count(), multiple=True, help="Wins and games of a label, instead of a file.")
@click.option("--by", type=click.Choice(KINDS), default="role", show_default=True, help="Whose chances are compared.")
@click.option("--draws", is_flag=True, help="A game that nobody won is a draw, and no mistake.")
@click.option("--margin", type=float, default=0.05, show_default=True, help="How far from even is still fair.")
@click.option("--level", type=float, default=0.95, show_default=True, help="Confidence of the verdict.")
@click.option("--looks", type=int, default=1, show_default=True, help="How often the results are looked at in all.")
@click.option("--persons", is_flag=True, help="Say as well how it would be between equally strong people.")
@_FORMAT
@click.pass_context
def judge_command(context, results, counts, by, draws, margin, level, looks, persons, form) -> None:
    """Is it fair? What a table of RESULTS says, a CSV file (- for standard input).

    A row for each player of each game, with the columns game, won (0, 1 or a share) and any of role, side, seat,
    player; or a row for each game, with the winner. Exit code 0: fair within the margin; 1: unfair; 3: cannot tell.
    """
    if bool(results) == bool(counts):
        raise click.UsageError("either a file with results or --count LABEL=WINS/GAMES is needed")
    if len(dict(counts)) < len(counts):
        raise click.UsageError("--count: a label stands there twice")
    games = Games.from_counts(dict(counts)) if counts else _read(results, draws)
    verdict = judge(games, by, margin, level, looks)
    model = with_persons(games, by, level) if persons else None
    forms.echo(form, *(lambda make=make: make(verdict, model) for make in (_text, _table, _record)))
    context.exit(EXIT[verdict.verdict])


def _read(results: str, draws: bool) -> Games:
    """The games of a file; one that cannot be read is an error of the call, since 1 is a verdict."""
    try:
        return read_games(sys.stdin if results == "-" else results, draws)
    except OSError as error:
        raise click.UsageError(f"{results}: {error.strerror or error}") from None


def _text(verdict: Verdict, model: PersonModel | None) -> str:
    """The verdict in words, and a table; what is left of it between equally strong people."""
    rows = [(verdict.by, "games", "won", "share", "interval", "even")]
    for label, row in verdict.to_frame().iterrows():
        interval = f"{100 * row['low']:.1f} to {100 * row['high']:.1f}%"
        share, even = (f"{100 * row[name]:.1f}%" for name in ("share", "even"))
        rows.append((str(label), f"{row['plays']:,.0f}", f"{row['wins']:,.6g}", share, interval, even))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip() for row in rows]
    rest = [] if model is None else ["", model.sentence]
    return "\n".join([verdict.sentence, "", *lines, "", f"p = {verdict.p_value:.4g} ({verdict.method})", *rest])


def _table(verdict: Verdict, model: PersonModel | None) -> pd.DataFrame:
    """A row for each label."""
    frame = verdict.to_frame().assign(verdict=verdict.verdict, p_value=verdict.p_value)
    if model is not None:
        frame = frame.join(model.frame[["chance", "error"]].add_prefix("equal_persons_"))
    return frame.reset_index()


def _record(verdict: Verdict, model: PersonModel | None) -> dict:
    """All of it."""
    names = ("verdict", "by", "games", "p_value", "equivalence_p_value", "games_needed", "margin", "level", "looks")
    record = {name: getattr(verdict, name) for name in names}
    record |= {
        "method": verdict.method,
        "sentence": verdict.sentence,
        "labels": forms.records(verdict.to_frame().reset_index()),
    }
    if model is not None:
        labels, strengths = (forms.records(part.reset_index()) for part in (model.frame, model.persons))
        record["persons"] = {"sentence": model.sentence, "p_value": model.p_value, "spread": model.spread}
        record["persons"] |= {"labels": labels, "strengths": strengths}
    return record


@click.command("needed")
@click.option("--shares", type=_Numbers(), required=True, help="True chances to win, such as .315,.242,.241,.202.")
@click.option("--power", "goal", type=float, default=0.8, show_default=True, help="How often the games show it.")
@click.option("--level", type=float, default=0.05, show_default=True, help="How often a fair game is called unfair.")
@click.option("--method", type=click.Choice(METHODS), help="Default: exact where that is quick, else simulated.")
@click.option("--margin", type=float, help="Ask for the games that call it fair within this margin instead.")
@click.option("--games", type=click.IntRange(1), help="Say what so many games would show instead.")
@_FORMAT
def needed_command(shares, goal, level, method, margin, games, form) -> None:
    """How many games would show that chances to win are not equal, if one of 2 to 10 roles wins each game."""
    record = {"shares": shares, "power": goal, "level": level, "margin": margin, "games": games}
    it = "it" if margin is None else f"that it is fair within {wording.points(margin)}"
    if games is None:
        record["games"] = games_needed(shares, goal, level, method, margin)
        text = f"{record['games']:,} games show {it} in {100 * goal:g} of 100 cases"
    else:
        within = None if margin is None else Estimate(power_within(shares, games, margin, level))
        found = within or power(shares, games, level, method)
        record |= {"power": found.value, "error": found.error}
        error = f" ± {100 * found.error:.1f}" if found.error else ""
        text = f"{games:,} games show {it} in {100 * found.value:.1f}{error} of 100 cases"
    cells = {**record, "shares": " ".join(map(str, shares))}
    text += f", at a risk of {100 * level:g} in 100 to say so wrongly."
    forms.echo(form, lambda: text, lambda: pd.DataFrame([cells], dtype=object), lambda: record)
