"""A report as text, as JSON and as an HTML page that stands alone."""

import csv
import json
from collections.abc import Iterator
from math import isfinite
from pathlib import Path
from textwrap import wrap
from typing import Any, NamedTuple

import pandas as pd

from gamebalance.base.estimates import Estimate
from gamebalance.fairness.reports.sentences import between, rows_of
from gamebalance.fairness.wording import named

#: Tables by title: what their numbers are.
CAPTIONS = {
    "Who wins": (
        "Share of all games in percent, if all play in the way of the column. Who gets the most wins, of sides the "
        "one that gets the most on average; a shared win counts in parts, and if all get the same nobody wins. Of best "
        "play the least and the most in the equilibria that were found."
    ),
    "What players get": "Mean payoff in a game, if all play in the way of the column.",
    "Luck against skill": (
        "One player plays in one way among others who play in a weaker one, in each seat in turn. Bits: what one game "
        "tells about which seat that is. Luck: the part of it that a game leaves open. Wins: of the games that "
        "somebody wins. Even: what a player at that table wins on average. Skill depth: the difference."
    ),
    "What it is worth": "Chances to win with it and without, in percent.",
    "What its games are like": "If all play in the way of the column.",
    "How it is built": "If all play in the way of the column.",
    "How games end": "Share of all games in percent, if all play in the way of the column.",
    "How many real games would show it": "That chances to win differ, in 80 of 100 cases.",
}


class Measure(NamedTuple):
    """What a measure is: its definition, its unit, what its values are multiplied by for that, and its source."""

    definition: str
    unit: str
    scale: int
    source: str


HERE = Path(__file__).parent
MEASURES = {
    name: Measure(what, unit, int(scale), source)
    for name, what, unit, scale, source in list(csv.reader((HERE / "measures.csv").read_text("utf-8").splitlines()))[1:]
}
#: The measures of how a game is built, which stand in a table of their own.
BUILT = tuple(MEASURES)[tuple(MEASURES).index("branching factor") :]
#: Measures that stand in tables of their own.
ELSEWHERE = {"skill depth", "luck", "chance of each end", "chance to win", "turn"}


class Table(NamedTuple):
    """A table to be shown: a title, a sentence on what its numbers are, and cells of text."""

    title: str
    caption: str
    cells: pd.DataFrame


def tables(report: Any) -> list[Table]:
    """The tables of a report, as they are shown; numbers with their standard errors."""
    kinds, shape, kind = report.shares.groupby("who")["by"].nunique(), report.shape, report.outlook.seats.kind
    shares = [
        (named(row[1], row[2]) if kinds[row[2]] == 1 else f"{row[1]} {row[2]}", *row)  # a role may be called as a side
        for row in rows_of(report.shares)
    ]
    worth = [
        {
            "without": what,
            "all play": level,
            "who": named(kind, who),
            "with it": _shown(won),
            "without it": _shown(less),
            "worth, pp": between(low, high) or _shown(value, error),
        }
        for what, level, who, won, less, value, error, low, high in rows_of(report.worth)
    ]
    built = shape["measure"].isin(BUILT)
    like, how = (
        _wide("measure", ((f"{row[1]}, {row[2]}", row[0], _shown(row[3], row[4], 2)) for row in rows_of(rows)))
        for rows in (shape[~built], shape[built])
    )
    answers = (each for answers in report.answers.values() for each in answers)
    cells = {
        "Who wins": _wide("who", ((row[0], row[1], between(*row[-2:]) or _shown(*row[4:6])) for row in shares)),
        "What players get": _wide("who", ((row[0], row[1], _shown(row[6], row[7], 3)) for row in shares)),
        "Luck against skill": _skill(report.skill),
        "What it is worth": pd.DataFrame(worth),
        "What its games are like": like,
        "How it is built": how,
        "How games end": _wide("end", ((row[1], row[0], _shown(*row[2:])) for row in rows_of(report.ends))),
        "How many real games would show it": _wide(
            "all play", ((each.level, f"games, by {each.by}", _shown(each.games, digits=0)) for each in answers)
        ),
    }
    return [Table(title, CAPTIONS[title], each) for title, each in cells.items() if len(each)]


def _shown(value: float, error: float = 0.0, digits: int = 1) -> str:
    """A number with its error; a dash where there is none."""
    if value is None or not isfinite(value):
        return "–"
    return str(Estimate(value, error)) if error and isfinite(error) else f"{value:z,.{digits}f}"


#: The columns of the table of skill: title, and those of `Report.skill` with value and error; and digits.
SKILL = (
    ("wins, %", "wins, %", "±", 1),
    ("even, %", "even, %", None, 1),
    ("skill depth", "skill depth, pp", "± depth", 1),
    ("more payoff", "points more", "± points", 3),
    ("bits a game", "bits a game", "± bits", 3),
    ("luck, %", "luck, %", "± luck", 1),
    ("games to show it", "games to show it", None, 0),
)


def _skill(skill: pd.DataFrame) -> pd.DataFrame:
    """The table of skill, as it is shown."""
    shown = skill[["one plays", "the others"]].copy() if len(skill) else skill
    for title, value, error, digits in SKILL if len(skill) else ():
        errors = skill[error] if error else [0.0] * len(skill)
        values = skill[value].to_numpy(object, na_value=None)
        shown[title] = [_shown(*pair, digits) for pair in zip(values, errors, strict=True)]
    return shown


def _wide(first: str, rows: Iterator[tuple[str, str, str]]) -> pd.DataFrame:
    """Cells from (row, column, text), in the order in which they come."""
    found: dict[str, dict[str, str]] = {}
    for row, column, cell in rows:
        found.setdefault(row, {})[column] = cell
    return pd.DataFrame.from_dict(found, orient="index").fillna("–").rename_axis(first).reset_index()


def _bars(report: Any) -> Iterator[tuple[str, list[tuple[str, float, str]]]]:
    """Of each way to play: who wins how often, for a picture."""
    for level, answers in report.answers.items():
        rows = report.shares[report.shares["all play"] == level]
        rows = [
            row for each in answers for row in rows_of(rows.loc[rows["by"] == each.by, ["by", "who", "wins, %", "±"]])
        ]
        yield level, [(named(by, who), value, f"{_shown(value, error)}%") for by, who, value, error in rows]


def text(report: Any) -> str:
    """The report as plain text."""
    parts = [str(report), ""]
    for table in tables(report):
        rows = [list(map(str, table.cells.columns)), *table.cells.astype(str).to_numpy().tolist()]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(map(str.rjust, row, widths)) for row in rows]
        parts += [table.title.upper(), *wrap(table.caption, 100), *lines, ""]
    parts += ["WAYS TO PLAY", *(f"{name}: {note}." for name, note in report.play.notes.items()), "", "MEASURES"]
    for name, measure in _used(report).items():
        parts += wrap(f"{name}: {measure.definition}.", 100, subsequent_indent="    ")
    return "\n".join(parts)


def _used(report: Any) -> dict[str, Measure]:
    """The measures that the report has, with their definitions."""
    used = set(report.shape["measure"]) | ELSEWHERE
    return {name: measure for name, measure in MEASURES.items() if name in used}


def as_json(report: Any) -> str:
    """The report as JSON: sentences, every number with its standard error, definitions and how each way plays."""

    def plain(value: Any) -> Any:
        return None if pd.isna(value) else value.item() if hasattr(value, "item") else value

    frames = ("shares", "skill", "shape", "ends", "worth", "needed")
    record = {
        "name": report.name,
        "exact": report.exact,
        "outlook": report.outlook.sentence,
        "verdict": report.verdict,
        "answers": [each._asdict() for answers in report.answers.values() for each in answers],
        "sentences": report.sentences,
        "ways to play": report.play.notes,
        "measures": {name: measure._asdict() for name, measure in MEASURES.items()},
    }
    for name in frames:
        rows = getattr(report, name).to_dict("records")
        record[name] = [{str(column): plain(value) for column, value in row.items()} for row in rows]
    return json.dumps(record, indent=1, ensure_ascii=False)


def html(report: Any) -> str:
    """The report as a page of its own, without scripts and without anything to be loaded."""
    from jinja2 import Environment

    page = (HERE / "page.html").read_text("utf-8")
    template = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(page)
    parts = {"tables": tables(report), "bars": list(_bars(report)), "measures": _used(report)}
    return template.render(report=report, notes=report.play.notes, **parts)
