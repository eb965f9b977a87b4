"""Heavy runs: tables that take hours, computed row by row, resumable; full-size runs of the notebooks read them.

A heavy table of a sheet names a function and the arguments that its rows are about. After each row the table in
``data/results`` and the record beside it are replaced; what stands there is not computed again. The next record lies
beside them before the table is replaced, and takes its place afterwards: wherever a run was stopped, the table has one
that is about it. The record says which commit each row came from.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import groupby
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from gamebalance.base import scheduler
from gamebalance.base.rounding import meant
from gamebalance.base.workers import as_finished
from gamebalance.publish import files, provenance, records
from gamebalance.publish.entries import Heavy
from gamebalance.publish.jobs import duration
from gamebalance.publish.manifest import Manifest, load
from gamebalance.publish.paths import Project, project
from gamebalance.publish.progress_bar import progress, wanted

if TYPE_CHECKING:
    import pandas

#: About how many lines a table says on its way where nobody sees its bar.
LINES = 10


def results(identifier: str, text: Sequence[str] = ()) -> "pandas.DataFrame":
    """Return a heavy table, by its id in the sheet of a notebook, as far as it has been computed.

    `text` names columns that are text although they look like numbers, such as seatings.
    """
    import pandas

    where = project()
    name = load(where).heavy_table(identifier).outputs()[0]
    if not (where.root / name).is_file():
        raise ValueError(f"{name} is missing: make heavy computes it")
    return pandas.read_csv(where.root / name, dtype=dict.fromkeys(text, str))


def run(
    where: Project,
    manifest: Manifest,
    say: Callable[[str], None],
    workers: int = 1,
    only: tuple[str, ...] = (),
) -> None:
    """Compute the rows that are missing in the heavy tables, all or those with the ids in `only`.

    Rows are computed on the cluster that ``GAMEBALANCE_SCHEDULER`` names, else in so many processes as there are
    `workers`. They are finished in any order; the table is the same bytes.
    """
    if workers < 1:
        raise ValueError(f"workers = {workers}: a whole number, 1 or more, is needed")
    tables = [manifest.heavy_table(name) for name in only] or manifest.heavy
    files.check_writable(where.results)
    files.sweep([where.results])
    for table in tables:
        _complete(where, table, say, workers)


def _complete(where: Project, table: Heavy, say: Callable, workers: int) -> None:
    """Compute and store the missing rows of one table."""
    rows, origins = _stored(where, table)
    wanted_rows, name = table.rows(), table.outputs()[0]
    tasks = {key: (table.function, given) for key, given in wanted_rows.items() if key not in rows}
    if not tasks:
        say(f"{name} is complete: {len(rows)} rows")
        return
    work = duration(len(tasks) / len(wanted_rows) * table.seconds)
    far = scheduler.address()
    place = f"for each row at work on {far}" if far else f"in each of {workers} processes"
    say(
        f"{name}: {len(tasks)} of {len(wanted_rows)} rows to compute, about {work} of processor time, "
        f"up to {table.megabytes / 1024:.1f} GiB {place}"
    )
    made_by, began = provenance.commit(where.root), time.monotonic()
    finished: Any = as_finished(tasks, _row, workers)
    with closing(finished):
        for done, (key, row) in enumerate(progress(finished, table.id, total=len(tasks)), 1):
            rows[key], origins[key] = {table.key: key} | row, made_by
            _store(where, table, rows, origins)
            rest = len(tasks) - done
            if rest and done % max(len(tasks) // LINES, 1) == 0 and not wanted():
                left = duration((time.monotonic() - began) / done * rest)
                say(f"{name}: {len(rows)} of {len(wanted_rows)} rows, about {left} left")
    say(f"{name} is complete: {len(rows)} rows")


def _row(function: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """One row, its numbers rounded to the digits that are meant."""
    return {column: meant(value) for column, value in resolve_name(function)(**arguments).items()}


def _stored(where: Project, table: Heavy) -> tuple[dict[int, dict], dict[int, Any]]:
    """Rows by key, and the commit that each was made by; ValueError for a table that agrees with no record."""
    import pandas

    place, record_place = (where.root / name for name in table.outputs())
    if records.is_upcoming(where, table):
        files.move(records.upcoming(where, table), record_place)
    if not place.exists():
        return {}, {}
    records.check_heavy(where, [table])
    record, names = files.read_json(record_place), " and ".join(table.outputs())
    if (record.get("function"), record.get("parameters")) != (table.function, table.parameters):
        raise ValueError(f"{names} are of another function, or of other parameters, than the sheet names: remove them")
    frame = pandas.read_csv(place, dtype=object, keep_default_na=False)
    try:
        rows = {int(row[table.key]): row for row in frame.to_dict("records")}
        origins = {key: origin["git"] for origin in record["rows"] for key in origin["keys"]}
        return rows, {key: origins[key] for key in rows}
    except (KeyError, TypeError, ValueError):
        raise ValueError(f"{names} do not say which rows there are: restore them, or remove them") from None


def _store(where: Project, table: Heavy, rows: dict[int, dict], origins: dict[int, Any]) -> None:
    """Replace the table and its record."""
    import pandas

    name, record_name = table.outputs()
    keys = sorted(rows)
    text = pandas.DataFrame([rows[key] for key in keys], dtype=object).to_csv(index=False, lineterminator="\n")
    about = {"heavy": table.id, "function": table.function, "over": table.over}
    commits = [{"git": git, "keys": list(group)} for git, group in groupby(keys, origins.__getitem__)]
    hashes = {"sha256": {name: files.sha256(text)}}
    record = {**about, **provenance.record(table.parameters), "rows": commits, **hashes}
    upcoming = files.write_json(records.upcoming(where, table), record)
    files.write(where.root / name, text)
    files.move(upcoming, where.root / record_name)
