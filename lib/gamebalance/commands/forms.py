"""``--format``: how a command writes what it found, the same in all of them."""

import io
import json
import os
import re
import sys
import unicodedata
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gamebalance.base.checks import shown
from gamebalance.publish import files

if TYPE_CHECKING:
    import pandas

FORMS = ("text", "csv", "json")
#: How a formula begins in a spreadsheet; the last four are as wide as Chinese characters.
FORMULA = tuple("=+-@\t\r\uff1d\uff0b\uff0d\uff20")


def option(*more: str) -> Callable:
    """The option, an argument ``form`` of the command: text, csv, json, and whatever else it can write."""
    forms = [*FORMS, *more]
    told = "In words; as a table for other programs (csv); all of it for other programs (json)."
    return click.option("--format", "form", type=click.Choice(forms), default="text", show_default=True, help=told)


def output() -> Callable:
    """The option, an argument ``output`` of the command, for `deliver`; looked at before anything is computed."""
    kind = click.Path(dir_okay=False, readable=False, writable=True, path_type=Path)
    told = "Write it into this file, whole or not at all."
    return click.option("--output", type=kind, callback=_with_folder, help=told)


def _with_folder(context: click.Context, parameter: click.Parameter, output: Path | None) -> Path | None:
    """The file, if its folder is there and can be written; none for -, which is standard output."""
    if output == Path("-"):
        return None
    if output is None or (files.is_stream(output) and not output.is_dir()):
        return output
    if output.is_dir() or not output.parent.is_dir():
        wrong = "a file is needed" if output.is_dir() else f"there is no folder {output.parent}"
        raise ValueError(f"--output {shown(str(output))}: {wrong}")
    if not os.access(folder := os.path.dirname(os.path.realpath(output)), os.W_OK):
        raise ValueError(f"--output {shown(str(output))}: nothing can be written into the folder {folder}")
    return output


def deliver(text: str, output: Path | None) -> None:
    """Write a text into a file, or on standard output where there is none."""
    if output is None:
        click.echo(text)
    else:
        files.write_to(output, text + "\n")


def whole(text: str) -> int | None:
    """A whole number as people write it: in any width of digits, 1000 or 1,000 or 1 000; None for 1.000 and others."""
    plain = unicodedata.normalize("NFKC", text).strip()
    is_one = re.fullmatch(r"\d{1,15}|[1-9]\d{0,2}([,' ’]\d{3}){1,4}", plain)
    return int(re.sub(r"\D", "", plain)) if is_one else None


def take_any_bytes() -> None:
    """Let standard input hold bytes that are no text: they come as surrogates, in every locale."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="surrogateescape")


def echo(
    form: str, text: Callable[[], str], table: Callable[[], "pandas.DataFrame"], record: Callable[[], Any]
) -> None:
    """Write what was found in the form that was asked for.

    That is words; a frame with a column for each kind of number, its index left out; or plain data, whose keys are the
    names of the columns.
    """
    if form == "text":
        click.echo(text())
    else:
        click.echo(as_csv(table()) if form == "csv" else as_json(record()))


def as_csv(frame: "pandas.DataFrame") -> str:
    """A frame as CSV, without its index and without a line break at the end; empty where there is no value.

    A text that a spreadsheet would take for a formula, and that is no number, gets an apostrophe before it.
    """
    return frame.rename(columns=_cell).map(_cell).to_csv(index=False, lineterminator="\n").rstrip("\n")


def _cell(value: Any) -> Any:
    if isinstance(value, tuple):
        value = " ".join(map(str, value))
    if not isinstance(value, str) or not value.startswith(FORMULA):
        return value
    try:
        float(value)
    except ValueError:
        return f"'{value}"
    return value


def as_json(record: Any) -> str:
    """Plain data as JSON: null where a number is missing or infinite, and a fraction as a text unless it is whole."""
    return json.dumps(_plain(record), ensure_ascii=False, allow_nan=False)


def records(frame: "pandas.DataFrame") -> list[dict[str, Any]]:
    """The rows of a frame as plain data, its index left out."""
    names = [str(name) for name in frame.columns]
    return [dict(zip(names, row, strict=True)) for row in frame.astype(object).itertuples(index=False, name=None)]


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(each) for each in value]
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else str(value)
    if hasattr(value, "tolist"):  # numpy's numbers and arrays
        return _plain(value.tolist())
    missing = type(value).__name__ == "NAType" or (isinstance(value, float) and not abs(value) < float("inf"))
    return None if missing else value
