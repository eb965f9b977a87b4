"""``make verify``: compute everything again, beside what is committed, and say item by item what came out the same.

Nothing is installed. An item is *same bytes* if all its files are (of a record, all but versions and hashes of code);
*equal within its stated error* if every number agrees in its first eight significant digits (nine are written, and the
last may fall to either side), in a drawing within a hundredth of a point, every text is the same and a picture differs
in a few pixels at most; else it *differs*.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from gamebalance.publish import files, notebooks
from gamebalance.publish.entries import Made
from gamebalance.publish.files import sha256
from gamebalance.publish.jobs import Job
from gamebalance.publish.paths import Project
from gamebalance.publish.runner import Echo, alone, make_job, ready, run_all

SAME, EQUAL, DIFFERS = "same bytes", "equal within its stated error", "differs"
#: Numbers that are written with nine significant digits agree if they differ by no more than this, relatively.
RELATIVE = 1e-8
#: Of a picture, the share of pixels that may differ by more than `SHADE` of 255.
PIXELS, SHADE = 0.001, 16
ORDER = (SAME, EQUAL, DIFFERS).index
#: By notebook, and there by what a reader calls the result.
Verdicts = dict[str, dict[str, str]]


def verify(project: Project, echo: Echo, workers: int = 2, only: Sequence[str] = ()) -> tuple[bool, Verdicts]:
    """Run the full-size notebooks below ``build/verify``; whether nothing differs, and the verdict on each result."""
    manifest, chosen = ready(project, workers, only)
    verdicts: Verdicts = {}
    with alone(project):
        jobs = [make_job(project, manifest, notebook, "verify") for notebook in chosen]
        done = [job for job in jobs if (files.read_json(_done_file(job)) or {}).get("fingerprint") == job.fingerprint]
        if done:
            echo(f"{len(done)} of {len(jobs)} notebooks were computed by the run that was stopped")
        for job in done:
            verdicts[job.notebook.name] = _compare(job)
        waiting = [job for job in jobs if job not in done]
        failed = run_all(waiting, chosen, workers, echo, lambda job, echo: _finish(job, echo, verdicts))
        if not failed:
            for job in jobs:  # a run that came to its end starts anew the next time
                _done_file(job).unlink(missing_ok=True)
    for notebook in chosen:
        for name, verdict in verdicts.get(notebook.name, {}).items():
            if verdict != SAME:
                echo(f"{verdict}: {name} ({notebook.path})")
    for name in failed:
        echo(f"failed: {name}")
    count = Counter(verdict for results in verdicts.values() for verdict in results.values())
    totals = f"{count[SAME]} same bytes, {count[EQUAL]} equal within their stated error, {count[DIFFERS]} differ"
    ended = f"; {len(failed)} notebooks failed" if failed else ""
    echo(f"{count.total()} results of {len(verdicts)} notebooks: {totals}{ended}")
    return not failed and not count[DIFFERS], verdicts


def _done_file(job: Job) -> Path:
    return job.folder / "done.json"


def _finish(job: Job, echo: Echo, verdicts: Verdicts) -> None:
    files.write_json(_done_file(job), {"fingerprint": job.fingerprint})
    verdicts[job.notebook.name] = _compare(job)
    for name, verdict in verdicts[job.notebook.name].items():
        echo(f"  {verdict:30} {name}")


def _compare(job: Job) -> dict[str, str]:
    """The verdict on each item and finding of a job, the worst on its files, and on its notebook."""
    root, notebook = job.project.root, job.notebook
    named: dict[str, Made] = {item.label: item for item in notebook.items}
    named |= {f"finding {finding.id}": finding for finding in notebook.findings}
    verdicts = {
        name: max((compare(root / file, job.folder / file) for file in entry.outputs()), key=ORDER)
        for name, entry in named.items()
    }
    return verdicts | {f"notebook {notebook.name}": compare(root / notebook.path, job.executed)}


def compare(committed: Path, computed: Path) -> str:
    """The verdict on one file."""
    if not committed.is_file() or not computed.is_file():
        return DIFFERS
    if sha256(committed) == sha256(computed):
        return SAME
    try:
        if committed.suffix == ".json" and _record(committed) == _record(computed):
            return SAME
        return EQUAL if _alike(committed, computed) else DIFFERS
    except (OSError, ValueError, SyntaxError):  # a broken file; a broken PNG is a SyntaxError
        return DIFFERS


def _alike(committed: Path, computed: Path) -> bool:
    if committed.suffix == ".png":
        from matplotlib import image

        one, other = image.imread(committed), image.imread(computed)
        return one.shape == other.shape and (abs(one - other) > SHADE / 255).any(axis=-1).mean() <= PIXELS
    if committed.suffix not in TEXTS:
        return False
    one, other = (TEXTS[committed.suffix](file) for file in (committed, computed))
    pairs = zip(NUMBER.findall(one), NUMBER.findall(other), strict=False)
    within = {"rel_tol": 0, "abs_tol": 0.01} if committed.suffix == ".svg" else {"rel_tol": RELATIVE}
    return NUMBER.sub("#", one) == NUMBER.sub("#", other) and all(
        each == its or math.isclose(float(each), float(its), **within) for each, its in pairs
    )


def _record(file: Path) -> str:
    """The numbers of a record; files are compared by themselves, and versions may be others."""
    record = json.loads(file.read_text(encoding="utf-8"))
    own = {"sha256", "shown_sha256", "packages", "source"}
    return json.dumps({name: value for name, value in record.items() if name not in own}, sort_keys=True)


def _notebook(file: Path) -> str:
    """The sources of a notebook and the texts in its outputs, however they are spaced."""
    said = [" ".join(text.split()) for text in notebooks.texts(notebooks.read(file))]
    return "\n".join([notebooks.digest(file).translate(LETTERS), *said])


def _plain(file: Path) -> str:
    return file.read_text(encoding="utf-8")


#: A number; what is left of a text without its numbers has to be the same.
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
#: Digits of a hash are none of a number.
LETTERS = str.maketrans("0123456789", "ghijklmnop")
#: By the end of a name: what is compared of two texts.
TEXTS = {".csv": _plain, ".svg": _plain, ".json": _record, ".ipynb": _notebook}
