"""Heavy runs: tables that take hours, computed row by row, resumable; full-size runs of the notebooks read them.

A heavy table of a sheet names a function of the library and the arguments that its rows are about, with the range
of one or a list of values for each of several. After each row the table in ``data/results`` and the record beside it
are replaced; what stands there is not computed again. The next record lies beside them before the table is replaced,
and takes its place afterwards: wherever a run was stopped, the table has one that is about it. Rows are never mixed
silently: the record says which commit each of them came from.
"""

import importlib
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gamebalance.base import scheduler
from gamebalance.base.checks import shown
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
    file = _file(where, load(where).heavy_table(identifier))
    if not file.is_file():
        raise ValueError(f"{where.relative(file)} is missing: make heavy computes it")
    return pandas.read_csv(file, dtype=dict.fromkeys(text, str))


def run(
    where: Project,
    manifest: Manifest,
    say: Callable[[str], None],
    workers: int = 1,
    only: tuple[str, ...] = (),
    executor: Executor | None = None,
) -> None:
    """Compute the rows that are missing in the heavy tables, all or those with the ids in `only`.

    Rows are computed by the executor, else on the cluster that ``GAMEBALANCE_SCHEDULER`` names, else in so many
    processes as there are `workers`. They are finished in any order; the table is the same bytes.
    """
    if workers < 1:
        raise ValueError(f"workers = {workers}: a whole number, 1 or more, is needed")
    tables = [manifest.heavy_table(name) for name in only] or manifest.heavy
    files.check_writable(where.results)
    files.sweep([where.results])
    for table in tables:
        _complete(where, table, say, workers, executor)


def _complete(where: Project, table: Heavy, say: Callable, workers: int, executor: Executor | None) -> None:
    """Compute and store the missing rows of one table."""
    rows, origins = _stored(where, table)
    all_rows = table.rows()
    missing = [key for key in all_rows if key not in rows]
    name = where.relative(_file(where, table))
    if not missing:
        say(f"{name} is complete: {len(rows)} rows")
        return
    share = len(missing) / len(all_rows)
    far = scheduler.address() if executor is None else shown(executor)
    place = f"for each row at work on {far}" if far else f"in each of {workers} processes"
    say(
        f"{name}: {len(missing)} of {len(all_rows)} rows to compute, about {duration(share * table.seconds)} of "
        f"processor time, up to {table.megabytes / 1024:.1f} GiB {place}"
    )
    made_by = provenance.commit(where.root)
    tasks = {key: (table.function, all_rows[key]) for key in missing}
    began = time.monotonic()
    with closing(as_finished(tasks, _row, workers, executor)) as finished:
        for done, (key, row) in enumerate(progress(finished, table.id, total=len(tasks)), 1):
            rows[key], origins[key] = {table.key: key} | row, made_by
            _store(where, table, rows, origins)
            rest = len(tasks) - done
            if rest and done % max(len(tasks) // LINES, 1) == 0 and not wanted():
                left = duration((time.monotonic() - began) / done * rest)
                say(f"{name}: {len(rows)} of {len(all_rows)} rows, about {left} left")
    say(f"{name} is complete: {len(rows)} rows")


def _row(function: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """One row, its numbers rounded to the digits that are meant."""
    module, name = function.rsplit(".", 1)
    row = getattr(importlib.import_module(module), name)(**arguments)
    return {column: meant(value) for column, value in row.items()}


def _file(where: Project, table: Heavy) -> Path:
    return where.results / f"{table.id}.csv"


def _stored(where: Project, table: Heavy) -> tuple[dict[int, dict], dict[int, Any]]:
    """Rows by key, and the commit that each was made by; ValueError for a table that agrees with no record."""
    import pandas

    file = _file(where, table)
    if records.is_upcoming(where, table):
        files.move(records.upcoming(where, table), file.with_suffix(".json"))
    if not file.exists():
        return {}, {}
    records.check_heavy(where, [table])
    record, names = files.read_json(file.with_suffix(".json")), " and ".join(table.outputs())
    if (record.get("function"), record.get("parameters")) != (table.function, table.parameters):
        raise ValueError(f"{names} are of another function, or of other parameters, than the sheet names: remove them")
    frame = pandas.read_csv(file, dtype=object, keep_default_na=False)
    try:
        rows = {int(row[table.key]): row for row in frame.to_dict("records")}
        origins = {key: origin["git"] for origin in record["rows"] for key in origin["keys"]}
        return rows, {key: origins[key] for key in rows}
    except (KeyError, TypeError, ValueError):
        raise ValueError(f"{names} do not say which rows there are: restore them, or remove them") from None


def _store(where: Project, table: Heavy, rows: dict[int, dict], origins: dict[int, Any]) -> None:
    """Replace the table and its record."""
    import pandas

    file, ordered = _file(where, table), [rows[key] for key in sorted(rows)]
    text = pandas.DataFrame(ordered, dtype=object).to_csv(index=False, lineterminator="\n")
    commits = []
    for key in sorted(rows):
        if not commits or commits[-1]["git"] != origins[key]:
            commits.append({"git": origins[key], "keys": []})
        commits[-1]["keys"].append(key)
    about = {"heavy": table.id, "function": table.function, "over": table.over}
    record = {**about, **provenance.record(table.parameters), "rows": commits}
    record["sha256"] = {where.relative(file): files.sha256(text)}
    upcoming = files.write_json(records.upcoming(where, table), record)
    files.write(file, text)
    files.move(upcoming, file.with_suffix(".json"))
