"""A report as text, as JSON and as an HTML page that stands alone."""

import csv
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from textwrap import wrap
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from gamebalance.fairness.page import page
from gamebalance.fairness.reports.sentences import rows_of, told
from gamebalance.fairness.wording import named


class Measure(NamedTuple):
    """What a measure is: its definition, its unit, what its values are multiplied by for that, and its source."""

    definition: str
    unit: str
    scale: int
    source: str


HERE = Path(__file__).parent


def _rows(file: str) -> list[list[str]]:
    """The rows of a table that stands beside this module."""
    return list(csv.reader((HERE / file).read_text("utf-8").splitlines()))[1:]


MEASURES = {name: Measure(what, unit, int(scale), source) for name, what, unit, scale, source in _rows("measures.csv")}
#: Tables by title: what their numbers are.
CAPTIONS = dict(_rows("tables.csv"))
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
    shares, shape, worth, kind = report.shares, report.shape, report.worth, report.outlook.seats.kind
    kinds = shares.groupby("who")["by"].nunique()
    who = [
        named(by, label) if kinds[label] == 1 else f"{by} {label}"  # a role may be called as a side
        for by, label in rows_of(shares[["by", "who"]])
    ]
    worth_of = {
        "who": [named(kind, label) for label in worth["who"]],
        "with it": _texts(worth, "wins, %"),
        "without it": _texts(worth, "wins without, %"),
        "worth, pp": _texts(worth, "worth, points", "±", "low, points", "high, points"),
    }
    built = shape["measure"].isin(BUILT)
    like, how = (
        _wide("measure", rows["measure"] + ", " + rows["unit"], rows["all play"], _texts(rows, "value", "±", digits=2))
        for rows in (shape[~built], shape[built])
    )
    needed = report.needed
    cells = {
        "Who wins": _wide("who", who, shares["all play"], _texts(shares, "wins, %", "±", "low, %", "high, %")),
        "What players get": _wide("who", who, shares["all play"], _texts(shares, "mean payoff", "± payoff", digits=3)),
        "Luck against skill": _skill(report.skill),
        "What it is worth": worth[["without", "all play"]].assign(**worth_of),
        "What its games are like": like,
        "How it is built": how,
        "How games end": _wide(
            "end", report.ends["end"], report.ends["all play"], _texts(report.ends, "chance, %", "±")
        ),
        "How many real games would show it": _wide(
            "all play", needed["all play"], "games, by " + needed["by"], _texts(needed, "games", digits=0)
        ),
    }
    if report.steps is not None:
        cells |= {"What should I change?": report.steps}
    shown = [Table(title, CAPTIONS[title], each) for title, each in cells.items() if len(each)]
    return shown + [Table(title, *told) for title, told in report.games_told.items()]


def _texts(frame: pd.DataFrame, *columns: str, digits: int = 1) -> list[str]:
    """Numbers as they are shown: of one column, the errors of another, and their ends in equilibria of two more."""
    numbers = (frame[column].to_numpy(float, na_value=np.nan) for column in columns)
    return [told(*row, digits=digits) for row in zip(*numbers, strict=True)]


#: The columns of the table of skill: title, digits, and the columns of `Report.skill` with value and error.
SKILL = (
    ("wins, %", 1, "wins, %", "±"),
    ("even, %", 1, "even, %"),
    ("skill depth", 1, "skill depth, pp", "± depth"),
    ("more payoff", 3, "points more", "± points"),
    ("bits a game", 3, "bits a game", "± bits"),
    ("luck, %", 1, "luck, %", "± luck"),
    ("games to show it", 0, "games to show it"),
)


def _skill(skill: pd.DataFrame) -> pd.DataFrame:
    """The table of skill, as it is shown."""
    shown = {title: _texts(skill, *columns, digits=digits) for title, digits, *columns in SKILL}
    return skill[["one plays", "the others"]].assign(**shown)


def _wide(first: str, rows: Iterable[str], columns: Iterable[str], cells: Iterable[str]) -> pd.DataFrame:
    """Cells by row and column, in the order in which they come."""
    found: dict[str, dict[str, str]] = {}
    for row, column, cell in zip(rows, columns, cells, strict=True):
        found.setdefault(row, {})[column] = cell
    return pd.DataFrame.from_dict(found, orient="index").fillna("–").rename_axis(first).reset_index()


def _bars(report: Any) -> Iterator[tuple[str, list[tuple[str, float, str]]]]:
    """Of each way to play: who wins how often, for a picture."""
    shares = report.shares[report.shares["by"].isin(report.compared_by)]
    for level, rows in shares.groupby("all play", sort=False):
        bars = rows_of(rows[["by", "who", "wins, %", "±"]])
        yield level, [(named(by, who), value, f"{told(value, error)}%") for by, who, value, error in bars]


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
    frames = {name: getattr(report, name) for name in ("shares", "skill", "shape", "ends", "worth", "needed")}
    frames |= {"steps": report.steps} if report.steps is not None else {}
    frames |= {title: moves for title, (_, moves) in report.games_told.items()}
    for name, frame in frames.items():
        frame = frame.astype(object)
        record[name] = frame.where(frame.notna(), None).to_dict("records")
    return json.dumps(record, indent=1, ensure_ascii=False)


def html(report: Any) -> str:
    """The report as a page of its own, without scripts and without anything to be loaded."""
    parts = {"tables": tables(report), "bars": list(_bars(report)), "measures": _used(report)}
    return page("reports/page.html", report=report, notes=report.play.notes, **parts)
