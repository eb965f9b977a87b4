"""``make verify``: compute everything again, beside what is committed, and say item by item what came out the same.

Nothing is installed. An item is *same bytes* if all its files are; *equal within its stated error* if every number
agrees in its first eight significant digits (nine are written, and the last may fall to either side), every text is the
same and a picture differs in a few pixels at most; else it *differs*.
"""

import csv
import io
import math
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from gamebalance.publish import files, fingerprint, notebooks
from gamebalance.publish.entries import Notebook
from gamebalance.publish.files import sha256
from gamebalance.publish.jobs import Job
from gamebalance.publish.manifest import Manifest
from gamebalance.publish.paths import Project
from gamebalance.publish.runner import Echo, alone, make_job, ready, run_all

SAME, EQUAL, DIFFERS = "same bytes", "equal within its stated error", "differs"
#: Numbers that are written with nine significant digits agree if they differ by no more than this, relatively.
RELATIVE = 1e-8
#: Of a picture, the share of pixels that may differ by more than `SHADE` of 255.
PIXELS, SHADE = 0.001, 16


def verify(
    project: Project,
    echo: Echo,
    workers: int = 2,
    only: Sequence[str] = (),
    found: dict[str, dict[str, str]] | None = None,
) -> bool:
    """Run the full-size notebooks below ``build/verify``, compare, and say whether nothing differs.

    The verdicts are put into `found`: by notebook, and there by what a reader calls the result.
    """
    manifest, chosen = ready(project, workers, only)
    found = {} if found is None else found
    with alone(project):
        jobs = [_job(project, manifest, notebook) for notebook in chosen]
        waiting = [job for job in jobs if not _is_done(job)]
        if len(waiting) < len(jobs):
            echo(f"{len(jobs) - len(waiting)} of {len(jobs)} notebooks were computed by the run that was stopped")
        for job in jobs:
            if job not in waiting:
                found[job.notebook.name] = _compare(job)
        failed = []
        if waiting:
            failed = run_all(waiting, chosen, workers, echo, lambda job, echo: _finish(job, echo, found))
        if not failed:
            for job in jobs:  # a run that came to its end starts anew the next time
                _done_file(job).unlink(missing_ok=True)
    return _summary(chosen, found, failed, echo)


def _job(project: Project, manifest: Manifest, notebook: Notebook) -> Job:
    return make_job(project, notebook, fingerprint.of(project, manifest, notebook), project.build / "verify")


def _done_file(job: Job) -> Path:
    return job.folder / "done.json"


def _is_done(job: Job) -> bool:
    return (files.read_json(_done_file(job)) or {}).get("fingerprint") == job.fingerprint


def _finish(job: Job, echo: Echo, found: dict[str, dict[str, str]]) -> None:
    files.write_json(_done_file(job), {"fingerprint": job.fingerprint})
    found[job.notebook.name] = _compare(job)
    for name, verdict in found[job.notebook.name].items():
        echo(f"  {verdict:30} {name}")


def _summary(chosen: list[Notebook], found: dict[str, dict[str, str]], failed: list[str], echo: Echo) -> bool:
    """Say everything that is not the same, in order, and one line of totals."""
    count = Counter(verdict for verdicts in found.values() for verdict in verdicts.values())
    for notebook in chosen:
        for name, verdict in found.get(notebook.name, {}).items():
            if verdict != SAME:
                echo(f"{verdict}: {name} ({notebook.path})")
    for name in failed:
        echo(f"failed: {name}")
    totals = f"{count[SAME]} same bytes, {count[EQUAL]} equal within their stated error, {count[DIFFERS]} differ"
    ended = f"; {len(failed)} notebooks failed" if failed else ""
    echo(f"{sum(count.values())} results of {len(found)} notebooks: {totals}{ended}")
    return not failed and not count[DIFFERS]


def _compare(job: Job) -> dict[str, str]:
    """The verdict on each item and finding of a job, and on its notebook, by what a reader calls them."""
    root, notebook = job.project.root, job.notebook
    verdicts = {}
    for item in notebook.items:
        verdicts[item.label] = worst([compare(root / name, job.folder / name) for name in item.outputs()])
    for finding in notebook.findings:
        pairs = [compare(root / name, job.folder / name) for name in finding.outputs()]
        verdicts[f"finding {finding.id}"] = worst(pairs)
    verdicts[f"notebook {notebook.name}"] = compare(root / notebook.path, job.executed)
    return verdicts


def worst(verdicts: Sequence[str]) -> str:
    """The verdict on a whole, from those on its parts."""
    return max(verdicts, key=(SAME, EQUAL, DIFFERS).index)


def compare(committed: Path, computed: Path) -> str:
    """The verdict on one file."""
    if not committed.is_file() or not computed.is_file():
        return DIFFERS
    if sha256(committed) == sha256(computed):
        return SAME
    same = {".csv": _equal_tables, ".json": _equal_records, ".png": _equal_pictures, ".svg": _equal_drawings}
    alike = same.get(computed.suffix, _equal_notebooks if computed.suffix == ".ipynb" else None)
    try:
        return EQUAL if alike and alike(committed, computed) else DIFFERS
    except (OSError, ValueError, SyntaxError):  # a broken file; a broken PNG is a SyntaxError
        return DIFFERS


def _equal_texts(one: str, other: str) -> bool:
    """Whether two texts are the same, or two numbers within what is meant."""
    if one == other:
        return True
    try:
        return math.isclose(float(one), float(other), rel_tol=RELATIVE, abs_tol=0)
    except ValueError:
        return False


def _equal_tables(committed: Path, computed: Path) -> bool:
    one, other = (list(csv.reader(io.StringIO(file.read_text(encoding="utf-8")))) for file in (committed, computed))
    return [len(row) for row in one] == [len(row) for row in other] and all(
        _equal_texts(*pair) for rows in zip(one, other, strict=True) for pair in zip(*rows, strict=True)
    )


def _equal_records(committed: Path, computed: Path) -> bool:
    """Whether two records hold the same numbers; files are compared by themselves, and versions may be others."""
    one, other = files.read_json(committed), files.read_json(computed)
    if not isinstance(one, dict) or not isinstance(other, dict):
        return False
    for record in (one, other):
        for name in ("sha256", "shown_sha256", "packages", "source"):
            record.pop(name, None)
    return _equal_values(one, other)


def _equal_values(one: object, other: object) -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_equal_values(one[name], other[name]) for name in one)
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=RELATIVE, abs_tol=0)
    return one == other


def _equal_pictures(committed: Path, computed: Path) -> bool:
    from matplotlib import image

    one, other = image.imread(committed), image.imread(computed)
    if one.shape != other.shape:
        return False
    far = (abs(one - other) > SHADE / 255).any(axis=-1)
    return bool(far.mean() <= PIXELS)


def _equal_drawings(committed: Path, computed: Path) -> bool:
    """Whether two SVG files have the same words and numbers within a hundredth of a point."""
    number = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
    one, other = (file.read_text(encoding="utf-8") for file in (committed, computed))
    if number.sub("#", one) != number.sub("#", other):
        return False
    pairs = zip(number.findall(one), number.findall(other), strict=True)
    return all(abs(float(first) - float(second)) <= 0.01 for first, second in pairs)


def _equal_notebooks(committed: Path, computed: Path) -> bool:
    """Whether two notebooks have the same sources and the same texts in their outputs, numbers within what is meant."""
    one, other = notebooks.texts(notebooks.read(committed)), notebooks.texts(notebooks.read(computed))
    words = [[word for text in texts for word in (*text.split(), "\n")] for texts in (one, other)]
    same_sources = notebooks.digest(committed) == notebooks.digest(computed)
    return same_sources and len(words[0]) == len(words[1]) and all(map(_equal_texts, *words))
