"""``figures/report.html``: the whole collection as one file that needs nothing else, no network either."""

import html
from functools import partial
from pathlib import Path
from typing import Any

from gamebalance.base.checks import check_workers
from gamebalance.base.workers import processes
from gamebalance.publish import findings, fingerprint, front, languages, pages, stamps, systems, tables, translations
from gamebalance.publish.entries import kinds
from gamebalance.publish.files import read_json, sha256, write, write_json
from gamebalance.publish.languages import Language
from gamebalance.publish.manifest import GLOSSARY, Manifest
from gamebalance.publish.paths import Project
from gamebalance.publish.report.embedded import data_uri, drawing, files
from gamebalance.publish.report.policy import policy
from gamebalance.publish.report.words import time, value
from gamebalance.publish.tables import inline

ASSETS = Path(__file__).parents[1] / "assets"
SOURCES = Path(__file__).parent
STAMP = "report"
#: Where the policy goes, which is known when all else is there.
POLICY = "{{policy}}"
#: Of fewer chapters each is made sooner than another process has started.
FEW = 8


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
    files = [project.manifest, project.root / systems.FILE]
    files += [project.root / place for notebook in manifest.notebooks for place in (notebook.path, notebook.sheet)]
    files += [project.root / output for item in manifest.items for output in item.outputs()]
    files += [file for file in SOURCES.rglob("*") if file.suffix in (".py", ".j2", ".css", ".js")]
    makers = (tables, findings, front, languages, translations, pages, systems)
    files += [*ASSETS.iterdir(), *(Path(part.__file__) for part in makers)]
    files += [project.root / GLOSSARY, *(project.notebooks / "locale").rglob("*.po")]
    return fingerprint.digest(
        {
            "files": sorted((project.relative(file), sha256(file)) for file in files if file.is_file()),
            "findings": [result.row() for result in findings.collect(project, manifest)],
        }
    )


def page(project: Project, manifest: Manifest, workers: int = 1) -> str:
    """Return the report as one HTML document, whose chapters, unless they are few, are made in so many processes."""
    from gamebalance.publish.report.chapters import templates

    chapters = _chapters(project, manifest, workers)
    parts = [
        (part, [entry for entry in chapters if entry.notebook.part == part.key])
        for part in manifest.parts
        if manifest.of_part(part.key)
    ]
    results = findings.collect(project, manifest)
    rows = systems.shown(project, manifest, lambda place: "" if "." in place else f"#{place}")
    document = (
        templates()
        .get_template("report.html.j2")
        .render(
            manifest=manifest,
            parts=parts,
            chapters=chapters,
            example=sorted(chapters, key=lambda entry: -len(entry.notebook.parameters))[:1],
            pages=[_front(project, manifest, results, language) for language in translations.all_of(project)],
            pictures=_pictures(project, manifest),
            all_findings=files(project, [project.relative(findings.findings_file(project))]),
            policy=POLICY,
            systems=systems,
            rows=rows,
            map_files=files(project, [systems.FILE] if rows else []),
            styles=_sources("style.css", "tables.css", "pictures.css", "print.css"),
            scripts=_sources("script.js", "tables.js", "pictures.js"),
            mathjax=(ASSETS / "mathjax-tex-svg-full.js").read_text(encoding="utf-8").replace("</script", "<\\/script"),
            font=data_uri(ASSETS / "NotoSansCJKsc-subset.woff"),
            inline=inline,
            text=lambda words: tables.mark_chinese(html.escape(words, quote=False)),
            value=value,
            time=time,
            heading=front.heading,
            kinds=kinds(manifest.items),
            records=translations.RECORDS,
        )
    )
    return document.replace(POLICY, policy(document), 1)


def _sources(*names: str) -> list[str]:
    """Scripts or styles of the report."""
    return [(SOURCES / "templates" / name).read_text(encoding="utf-8") for name in names]


def _chapters(project: Project, manifest: Manifest, workers: int) -> list[Any]:
    from gamebalance.publish.report.chapters import chapter

    work = partial(chapter, project, manifest)
    if workers == 1 or len(manifest.notebooks) < FEW:
        return list(map(work, manifest.notebooks))
    with processes(workers) as pool:
        return list(pool.map(work, manifest.notebooks))


def _front(project: Project, manifest: Manifest, results: list[findings.Result], language: Language) -> dict[str, Any]:
    """What the report says in a language: first page, all findings by part, glossary and sources."""
    from gamebalance.publish.report.inside import settled

    say = language.text

    def html_of(text: str) -> str:
        linked = front.to_html(text, lambda target: front.report_address(project, manifest, target))
        return settled(linked, manifest, "figures")

    spoken = front.spoken(results, language)
    page = {
        "language": language,
        "say": say,
        "description": inline(say(manifest.description)),
        "part_findings": {
            part.key: [result for result in spoken if result.notebook.part == part.key] for part in manifest.parts
        },
        "numbers": front.numbers(manifest, language),
        "glossary": [(term, inline(say(term.term)), inline(say(term.says))) for term in manifest.glossary],
        "sources": [
            (inline(say(source.title)), inline(say(source.summary)), systems.line(project, source.key, language))
            for source in manifest.sources
        ],
    }
    if manifest.front is None:
        return page
    first = front.first_page(project, manifest, language)
    return page | {
        "question": first.question,
        "answer": [html_of(text) for text in first.answer],
        "table": [[html_of(cell) for cell in row] for row in first.table],
        "after": first.after,
        "pictures": [html_of(says) for _, says in first.pictures],
        "doors": [(html_of(title), html_of(says)) for title, says in first.doors],
        "findings": first.findings,
    }


def _pictures(project: Project, manifest: Manifest) -> list[dict[str, Any]]:
    """The pictures of the first page, which are the same in all languages."""
    items = {item.id: item for item in manifest.items}
    chosen = [items[picture.figure] for picture in manifest.front.pictures] if manifest.front else []
    return [{"item": item, **drawing(project, item)} for item in chosen]
