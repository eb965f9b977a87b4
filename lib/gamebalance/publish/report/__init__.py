"""``figures/report.html``: the whole collection as one file that needs nothing else, no network either."""

import html
import json
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from gamebalance.base.checks import check_workers
from gamebalance.publish import findings, fingerprint, notebooks, pages, stamps, tables
from gamebalance.publish.files import read_json, sha256, write, write_json
from gamebalance.publish.manifest import Manifest, kinds
from gamebalance.publish.paths import Project

ASSETS = Path(__file__).parents[1] / "assets"
SOURCES = Path(__file__).parent
STAMP = "report"


def missing(project: Project, manifest: Manifest) -> list[str]:
    """Names of the notebooks that do not hold a full run, or whose results are gone."""
    return [
        notebook.name
        for notebook in manifest.notebooks
        if not notebooks.holds_run(notebooks.read(project.root / notebook.path), notebook.parameters)
        or not all((project.root / output).is_file() for output in stamps.outputs(notebook))
    ]


def build(project: Project, manifest: Manifest, force: bool = False, workers: int = 1) -> bool:
    """Write the report if anything it shows has changed, or in any case; say whether it was written."""
    workers = check_workers(workers)
    target, stamp = project.figures / "report.html", stamps.stamp_file(project, STAMP)
    inputs, last = _inputs(project, manifest), read_json(stamp) or {}
    current = target.is_file() and last == {"inputs": inputs, "report": sha256(target)}
    if current and not force:
        return False
    stamp.unlink(missing_ok=True)
    write(target, page(project, manifest, workers))
    write_json(stamp, {"inputs": inputs, "report": sha256(target)})
    return True


def _inputs(project: Project, manifest: Manifest) -> str:
    files = [project.manifest]
    files += [project.root / place for notebook in manifest.notebooks for place in (notebook.path, notebook.sheet)]
    files += [project.root / item.outputs()[0] for item in manifest.items]
    files += [file for file in SOURCES.rglob("*") if file.suffix in (".py", ".j2", ".css", ".js")]
    files += [*ASSETS.iterdir(), *(Path(part.__file__) for part in (tables, findings, pages))]
    return fingerprint.digest(
        {
            "files": sorted((project.relative(file), sha256(file)) for file in files if file.is_file()),
            "findings": [result.row() for result in findings.collect(project, manifest)],
        }
    )


def page(project: Project, manifest: Manifest, workers: int = 1) -> str:
    """Return the report as one HTML document, whose chapters are made in so many processes."""
    from gamebalance.publish.report.chapters import data_uri, templates

    chapters = _chapters(project, manifest, workers)
    parts = [
        (part, [entry for entry in chapters if entry.notebook.part == part.key])
        for part in manifest.parts
        if manifest.of_part(part.key)
    ]
    inner = templates()
    results = findings.collect(project, manifest)
    return inner.get_template("report.html.j2").render(
        manifest=manifest,
        parts=parts,
        chapters=chapters,
        example=sorted(chapters, key=lambda entry: -len(entry.notebook.parameters))[:1],
        findings=results,
        front=_front(project, manifest, results),
        style=(SOURCES / "templates" / "style.css").read_text(encoding="utf-8"),
        script=(SOURCES / "templates" / "script.js").read_text(encoding="utf-8"),
        mathjax=(ASSETS / "mathjax-tex-svg-full.js").read_text(encoding="utf-8").replace("</script", "<\\/script"),
        font=data_uri(ASSETS / "NotoSansCJKsc-subset.woff2"),
        inline=tables.inline,
        text=lambda words: tables.mark_chinese(html.escape(words, quote=False)),
        value=_value,
        time=_time,
        kinds=kinds(manifest.items),
    )


def _chapters(project: Project, manifest: Manifest, workers: int) -> list[Any]:
    from gamebalance.publish.report.chapters import chapter

    work = partial(chapter, project, manifest)
    if workers == 1:
        return list(map(work, manifest.notebooks, count(1)))
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        return list(pool.map(work, manifest.notebooks, count(1)))


def _front(project: Project, manifest: Manifest, results: list[findings.Result]) -> dict[str, Any] | None:
    """The first page with its numbers in place; None where the manifest has none."""
    from gamebalance.publish.report.chapters import drawing

    front = manifest.front
    if front is None:
        return None
    by_id = {result.finding.id: result for result in results}
    answer = [tables.inline(findings.quoted(text, by_id)) for text in front.answer]
    items = {item.id: item for item in manifest.items}
    pictures = [{"item": items[name], **drawing(project, items[name])} for name in front.pictures]
    chosen = [by_id[name] for name in front.findings]
    return {"question": front.question, "answer": answer, "pictures": pictures, "findings": chosen}


def _value(value: Any) -> str:
    """A parameter's value with its thousands set apart."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10_000:
        return f"{value:,}".replace(",", "\u202f")
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _time(seconds: float) -> str:
    from gamebalance.publish.jobs import duration

    return duration(seconds).replace(" ", "\u00a0")
