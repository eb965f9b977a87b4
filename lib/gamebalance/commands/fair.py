"""``gamebalance judge`` and ``gamebalance needed``: what results of games say, and how many games would say it."""

import math
import re

import click
import pandas as pd

from gamebalance.base.checks import shown
from gamebalance.base.estimates import Estimate
from gamebalance.commands import forms, results
from gamebalance.fairness import wording
from gamebalance.fairness.checking import KINDS
from gamebalance.fairness.games import Games
from gamebalance.fairness.persons import PersonModel, with_persons
from gamebalance.fairness.planning import METHODS, plan, power, power_within, safe_from
from gamebalance.fairness.tables import cleaned
from gamebalance.fairness.verdicts import Verdict, judge

#: What the shell is told.
EXIT = {"fair": 0, "unfair": 1, "undecided": 3}


def numbers(text: str) -> list[float]:
    """``.315,.242,.241,.202``, or in percent: ``31.5,24.2,24.1,20.2``, ``31.5%,24.2%,24.1%,20.2%``."""
    signs = {part.strip().endswith("%") for part in text.split(",")}
    try:
        parts = [float(part.strip().removesuffix("%")) for part in text.split(",")]
    except ValueError:
        parts = [math.nan]
    if not all(map(math.isfinite, parts)) or len(signs) > 1:
        raise click.BadParameter(f"{shown(text)} is no list of numbers such as .3,.3,.4")
    return [part / 100 for part in parts] if signs == {True} or abs(sum(parts) - 100) < 1e-4 else parts


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
    model = with_persons(games, verdict.by, level) if persons else None
    if model is not None:
        found["persons"] = model.judge(margin, looks, looked_after)
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


def _text(reading: str, verdict: Verdict, model: PersonModel | None, found: dict, first: str) -> str:
    """The verdict in words, and a table; what is left of it between equally strong people, or what was seen."""
    rows: list[tuple[str, ...]] = [(f"by {verdict.by}", "games", "won", "share", verdict.interval, "even")]
    for label, row in verdict.to_frame().iterrows():
        interval = f"{100 * row['low']:.1f} to {100 * row['high']:.1f}%"
        share, even = (f"{100 * row[name]:.1f}%" for name in ("share", "even"))
        rows.append((str(label), f"{row['plays']:,.0f}", f"{row['wins']:,.6g}", share, interval, even))
    lines = aligned(rows)
    lines += ["", f"{wording.p_value(verdict.p_value, verdict.limit)} ({verdict.method})"]
    if model is not None:
        lines += ["", model.sentence if first == "raw" else f"Whoever played: {found['raw'][1]}"]
    return "\n".join([*([f"{reading}.", ""] if reading else []), found[first][1], "", *lines])


def aligned(rows: list[tuple[str, ...]]) -> list[str]:
    """The lines of a table: names at the left, all else at the right of its column."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip() for row in rows]


def _table(reading: str, verdict: Verdict, model: PersonModel | None, found: dict, first: str) -> pd.DataFrame:
    """A row for each label."""
    frame = verdict.to_frame().assign(verdict=found[first][0], p_value=verdict.p_value, limit=verdict.limit)
    if model is not None:
        frame = frame.join(model.frame[["chance", "error"]].assign(p_value=model.p_value).add_prefix("equal_persons_"))
    return frame.reset_index()


def _record(reading: str, verdict: Verdict, model: PersonModel | None, found: dict, first: str) -> dict:
    """All of it."""
    names = ("by", "games", "p_value", "limit", "equivalence_p_value", "equivalence_limit", "games_needed", "margin")
    words = {name: dict(zip(("verdict", "sentence"), each, strict=True)) for name, each in found.items()}
    record = words[first] | {"reading": reading}
    record |= {name: getattr(verdict, name) for name in (*names, "level", "looks", "looked_after", "method")}
    record["labels"] = forms.records(verdict.to_frame().reset_index())
    if model is not None:
        labels, strengths = (forms.records(part.reset_index()) for part in (model.frame, model.persons))
        numbers = {"p_value": model.p_value, "spread": model.spread, "labels": labels, "strengths": strengths}
        record |= {"raw": words["raw"], "persons": words["persons"] | numbers}
    return record


@click.command("needed")
@click.option("--shares", type=numbers, required=True, help="True chances to win: .31,.26,.23,.20 or 31,26,23,20.")
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
    risk, more = f", at a risk of {100 * level:g} in 100 to say so wrongly.", ""
    if games is None:
        found = plan(shares, goal, level, method, margin)
        record |= {"games": found.games, "method": found.method, "safe_from": None, "tried_to": None}
        if found.method == "exact":
            safe, tried = safe_from(shares, found.games, goal, level, margin)
            record |= {"safe_from": safe, "tried_to": tried}
            if safe > found.games:
                none = "none does" if tried is None else f"none of those that were tried (to {tried:,}) does"
                more = f" A few more may show it less often; from {safe:,} games on {none}."
        many = {
            "exact": f"{found.games:,} games",
            "simulated": f"about {found.games:,} games (simulated, to three digits)",
            "to three digits": f"about {found.games:,} games (to three digits)",
            "formula": f"about {found.games:,} games (by the usual formula)",
        }
        text = f"{many[found.method]} show {it} in {100 * goal:g} of 100 cases"
    else:
        within = None if margin is None else Estimate(power_within(shares, games, margin, level))
        found = within or power(shares, games, level, method)
        kind = "exact" if within or method is None else method
        record |= {"power": found.value, "error": found.error, "method": "simulated" if found.error else kind}
        error = f" ± {100 * found.error:.1f}" if found.error else ""
        text = f"{games:,} games show {it} in {100 * found.value:.1f}{error} of 100 cases"
    text += risk + more
    cells = {**record, "shares": " ".join(map(str, shares))}
    forms.echo(form, lambda: text, lambda: pd.DataFrame([cells], dtype=object), lambda: record)
