"""A report as text, as JSON and as an HTML page that stands alone."""

import json
from collections.abc import Iterator
from math import isfinite
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple

from gamebalance.base.estimates import Estimate
from gamebalance.fairness.reports.shape import BUILT, MEASURES, Measure
from gamebalance.fairness.reports.tables import ONE_NUMBER
from gamebalance.fairness.wording import named

if TYPE_CHECKING:
    import pandas

_PAGE = Path(__file__).with_name("page.html")
#: Measures that stand in tables of their own.
_ELSEWHERE = {"skill depth", "luck", "chance of each end", "chance to win", "turn"}


class Table(NamedTuple):
    """A table to be shown: a title, a sentence on what its numbers are, and cells of text."""

    title: str
    caption: str
    cells: "pandas.DataFrame"


def tables(report: Any) -> list[Table]:
    """The tables of a report, as they are shown; numbers with their standard errors."""
    found = [
        Table(
            "Who wins",
            "Share of all games in percent, if all play in the way of the column. Who gets the most wins, of sides the "
            "one that gets the most on average; a shared win counts in parts, and if all get the same nobody wins. Of "
            "best play the least and the most in the equilibria that were found.",
            _shares(report, 3),
        ),
        Table("What players get", "Mean payoff in a game, if all play in the way of the column.", _shares(report, 5)),
        Table(
            "Luck against skill",
            "One player plays in one way among others who play in a weaker one, in each seat in turn. Bits: what one "
            "game tells about which seat that is. Luck: the part of it that a game leaves open. Wins: of the games "
            "that somebody wins. Even: what a player at that table wins on average. Skill depth: the difference.",
            _skill(report),
        ),
        Table("What its games are like", "If all play in the way of the column.", _shape(report, built=False)),
        Table("How it is built", "If all play in the way of the column.", _shape(report, built=True)),
        Table("How games end", "Share of all games in percent, if all play in the way of the column.", _ends(report)),
        Table("How many real games would show it", "That chances to win differ, in 80 of 100 cases.", _needed(report)),
    ]
    if len(report.worth):
        found.insert(3, Table("What it is worth", "Chances to win with it and without, in percent.", _worth(report)))
    return [table for table in found if len(table.cells)]


def text(report: Any) -> str:
    """The report as plain text."""
    parts = [report.name, *(f"- {sentence}" for sentence in report.sentences), ""]
    for table in tables(report):
        parts += [table.title.upper(), *wrap(table.caption, 100), _aligned(table.cells), ""]
    parts += ["WAYS TO PLAY", *(f"{name}: {note}." for name, note in report.play.notes.items()), "", "MEASURES"]
    for name, measure in measures(report).items():
        parts += wrap(f"{name}: {measure.definition}.", 100, subsequent_indent="    ")
    return "\n".join(parts)


def measures(report: Any) -> dict[str, Measure]:
    """The measures that the report has, with their definitions."""
    used = set(report.shape["measure"]) | _ELSEWHERE
    return {name: measure for name, measure in MEASURES.items() if name in used}


def _aligned(cells: "pandas.DataFrame") -> str:
    """Cells in columns two spaces apart."""
    rows = [list(map(str, cells.columns)), *cells.astype(str).to_numpy().tolist()]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True)) for row in rows)


def as_json(report: Any) -> str:
    """The report as JSON: sentences, every number with its standard error, definitions and how each way plays."""
    frames = ("shares", "skill", "shape", "ends", "worth", "needed")
    records = {name: [_plain(row) for row in getattr(report, name).to_dict("records")] for name in frames}
    found = {
        "name": report.name,
        "exact": report.exact,
        "outlook": report.outlook.sentence,
        "verdict": report.verdict,
        "answers": [each._asdict() for answers in report.answers.values() for each in answers],
        "sentences": report.sentences,
        "ways to play": report.play.notes,
        "measures": {name: measure._asdict() for name, measure in MEASURES.items()},
        **records,
    }
    return json.dumps(found, indent=1, ensure_ascii=False)


def html(report: Any) -> str:
    """The report as a page of its own, without scripts and without anything to be loaded."""
    from jinja2 import Environment

    template = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(
        _PAGE.read_text(encoding="utf-8")
    )
    return template.render(
        report=report,
        tables=tables(report),
        bars=list(_bars(report)),
        notes=report.play.notes,
        measures=measures(report),
    )


def _plain(row: dict) -> dict:
    """A row that JSON can hold."""
    import pandas as pd

    values: dict[str, Any] = {str(name): None if pd.isna(value) else value for name, value in row.items()}
    return {name: value.item() if hasattr(value, "item") else value for name, value in values.items()}


def _shown(value: float, error: float = 0.0, digits: int = 1) -> str:
    """A number with its error."""
    if not isfinite(value):
        return "–"
    return str(Estimate(value, error)) if error and isfinite(error) else f"{value:z,.{digits}f}"


def _between(low: float, high: float) -> str:
    """From where to where a number goes in the equilibria found, if they differ."""
    return f"{low:z.1f} to {high:z.1f}" if high - low > ONE_NUMBER else ""


def _wide(rows: Iterator[tuple[str, str, str]], first: str) -> "pandas.DataFrame":
    """Cells from (row, column, text), in the order in which they come."""
    import pandas as pd

    found: dict[str, dict[str, str]] = {}
    for row, column, cell in rows:
        found.setdefault(row, {})[column] = cell
    return pd.DataFrame.from_dict(found, orient="index").fillna("–").rename_axis(first).reset_index()


def _shares(report: Any, place: int) -> "pandas.DataFrame":
    digits, kinds = 1 if place == 3 else 3, report.shares.groupby("who")["by"].nunique()

    def name(by: str, who: Any) -> str:
        return named(by, who) if kinds[who] == 1 else f"{by} {who}"  # a role may be called as a side is

    rows = report.shares.itertuples(index=False)

    def cell(row: tuple) -> str:
        return (place == 3 and _between(*row[-2:])) or _shown(row[place], row[place + 1], digits)

    return _wide(((name(row[1], row[2]), row[0], cell(row)) for row in rows), "who")


def _skill(report: Any) -> "pandas.DataFrame":
    import pandas as pd

    rows = [
        {
            "one plays": each.better,
            "the others": each.others,
            "wins, %": _shown(100 * each.share.value, 100 * each.share.error),
            "even, %": _shown(100 * each.even),
            "skill depth": _shown(100 * each.depth.value, 100 * each.depth.error),
            "more payoff": _shown(each.points.value, each.points.error, 3),
            "bits a game": _shown(each.bits.value, each.bits.error, 3),
            "luck, %": _shown(100 * each.luck, 100 * each.luck_error),
            "games to show it": _count(needed),
        }
        for each, needed in zip(report.contests, _counts(report.skill, "games to show it"), strict=True)
    ]
    return pd.DataFrame(rows)


def _counts(frame: "pandas.DataFrame", column: str) -> list[int | None]:
    """Whole numbers of a frame, None where there is none."""
    return list(frame[column].to_numpy(object, na_value=None)) if len(frame) else []


def _count(value: int | None) -> str:
    return "–" if value is None else f"{value:,}"


def _shape(report: Any, built: bool) -> "pandas.DataFrame":
    rows = report.shape[report.shape["measure"].isin(BUILT) == built].itertuples(index=False)
    return _wide(((f"{row[1]}, {row[2]}", row[0], _shown(row[3], row[4], 2)) for row in rows), "measure")


def _ends(report: Any) -> "pandas.DataFrame":
    rows = report.ends.itertuples(index=False)
    return _wide(((row[1], row[0], _shown(row[2], row[3])) for row in rows), "end")


def _worth(report: Any) -> "pandas.DataFrame":
    import pandas as pd

    kind = report.outlook.seats.kind
    rows = [
        (*row[:2], named(kind, row[2]), _shown(row[3]), _shown(row[4]), _between(*row[7:]) or _shown(*row[5:7]))
        for row in report.worth.itertuples(index=False)
    ]
    return pd.DataFrame(rows, columns=["without", "all play", "who", "with it", "without it", "worth, pp"])


def _needed(report: Any) -> "pandas.DataFrame":
    found = (each for answers in report.answers.values() for each in answers)
    return _wide(((each.level, f"games, by {each.by}", _count(each.games)) for each in found), "all play")


def _bars(report: Any) -> Iterator[tuple[str, list[tuple[str, float, str]]]]:
    """Of each way to play: who wins how often, for a picture."""
    for level, answers in report.answers.items():
        rows = report.shares[report.shares["all play"] == level]
        yield (
            level,
            [
                (named(each.by, who), value, f"{_shown(value, error)}%")
                for each in answers
                for who, value, error in rows[rows["by"] == each.by][["who", "wins, %", "±"]].itertuples(index=False)
            ],
        )
