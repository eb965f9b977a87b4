"""The texts that Sphinx reads: every page of the site but what the theme adds."""

import inspect
import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from gamebalance.publish import files, findings, front, systems, translations
from gamebalance.publish.entries import kinds
from gamebalance.publish.languages import ENGLISH, Language
from gamebalance.publish.site import items, library
from gamebalance.publish.site.chapters import chapter
from gamebalance.publish.site.places import Places
from gamebalance.publish.site.rendering import render

#: The first page of a collection that has none of its own.
BARE = """# {title}

{description}

```{{toctree}}
:hidden:

chapters/index
findings
glossary
items
about
```
"""
#: What the site offers as files, by folder.
OFFERED = {
    "data": ("*/*.csv", "results/*.json"),
    "figures": ("*.svg", "*.png", "*.html", "*.pdf"),
    "notebooks": ("*/*.ipynb",),
}


def texts(places: Places) -> dict[str, str]:
    """All texts by their paths in the folder that Sphinx reads."""
    results = {result.finding.id: result for result in findings.collect(places.project, places.manifest)}
    made = {f"{places.chapter(entry)}.ipynb": chapter(places, entry, results) for entry in places.manifest.notebooks}
    made |= {f"{places.part(part)}.md": _part(places, part, results) for part in places.manifest.parts}
    for language in translations.all_of(places.project):
        made |= _spoken(places, language)
    for page in places.manifest.pages:
        made[f"{places.tool(page)}.md"] = render(
            "page.md.j2", page=page, frame=items.frame(f"../{page.file}", page.title)
        )
    made["chapters/index.md"] = render("chapters.md.j2", parts=places.manifest.parts, places=places)
    made["items.md"] = render("items.md.j2", manifest=places.manifest, heading=kinds(places.manifest.items))
    made["about.md"] = _about(places)
    if systems.rows(places.project):
        made["from-the-sources.md"] = _map(places)
    if places.whole:
        made |= library.texts()
        # Last, when all links are known.
        made |= {f"source/{path}.md": _source(places, path) for path in sorted(places.sources)}
        made["source/index.md"] = render("sources.md.j2", paths=sorted(places.sources))
    return made


def _part(places: Places, part: Any, results: dict[str, findings.Result]) -> str:
    own = [result for result in results.values() if result.notebook.part == part.key]
    return render("part.md.j2", items=items, part=part, notebooks=places.manifest.of_part(part.key), findings=own)


def _spoken(places: Places, language: Language) -> dict[str, str]:
    """First page, findings and glossary in a language; the English ones stand at the top."""
    folder = "" if language == ENGLISH else f"{language.tag}/"
    results = front.spoken(findings.collect(places.project, places.manifest), language)
    values: dict[str, Any] = {
        "language": language,
        "say": language.text,
        "manifest": places.manifest,
        "places": places,
        "folder": folder,
        "others": [other for other in translations.all_of(places.project) if other.code != language.code],
        "up": "../" if folder else "",
        "items": items,
        "systems": systems,
        "total": len(results),
        "figure_pages": {item.id: entry.name for entry in places.manifest.notebooks for item in entry.items},
        "numbers": front.numbers(places.manifest, language),
        "heading": front.heading,
        "parts": [
            (part, [result for result in results if result.notebook.part == part.key]) for part in places.manifest.parts
        ],
    }
    made = {f"{folder}findings.md": render("findings.md.j2", **values)}
    made[f"{folder}glossary.md"] = render("glossary.md.j2", **values)
    if language == ENGLISH and not places.manifest.front:
        made["index.md"] = BARE.format(title=places.manifest.title, description=places.manifest.description)
    if places.manifest.front:
        index = f"{folder}index.md"
        first = front.first_page(places.project, places.manifest, language)
        made[index] = render("index.md.j2", page=first, index=index, tools=_tools(places), **values)
    return made


def _tools(places: Places) -> list[str]:
    return [places.tool(page) for page in places.manifest.pages]


def _about(places: Places) -> str:
    seeded = [entry for entry in places.manifest.notebooks if "seed" in entry.parameters]
    example = min(seeded or places.manifest.notebooks, key=lambda notebook: len(notebook.parameters))
    return render("about.md.j2", manifest=places.manifest, example=example)


def _map(places: Places) -> str:
    """The map of the sources, with the table that the report has."""
    chapters = {item.id: entry for entry in places.manifest.notebooks for item in entry.items}

    def address(place: str) -> str:
        if "." in place and not places.whole:
            return ""
        if "." in place:  # a function, whose file is shown
            path = places.project.relative(Path(inspect.getsourcefile(inspect.unwrap(resolve_name(place)))))
            places.sources.add(path)
            return f"source/{path}.html"
        notebook = chapters.get(place) or places.manifest.notebook(place)
        return f"{places.chapter(notebook)}.html" + f"#{place}" * (place in chapters)

    rows = systems.shown(places.project, places.manifest, address)
    table = render("systems.html.j2", rows=rows)
    says = f'{systems.INTRO} <a href="{systems.FILE}" download>Data (CSV)</a>'
    return render("page.md.j2", page={"title": systems.TITLE, "says": says}, frame=table)


def _source(places: Places, path: str) -> str:
    """A page that shows a text of the project."""
    kinds = {".py": "python", ".yaml": "yaml", ".toml": "toml", ".md": "markdown", ".sh": "sh"}
    file = places.project.root / path
    kind = kinds.get(file.suffix, "text")
    return render("source.md.j2", path=path, kind=kind, text=file.read_text(encoding="utf-8").rstrip())


def copy_files(places: Places, target: Path) -> None:
    """Bring the folder of offered files up to date: data, records, pictures, offline pages, notebooks."""
    wanted = dict(_offered(places, target))
    for copy, file in wanted.items():
        state = file.stat()
        if copy.is_file() and (copy.stat().st_size, copy.stat().st_mtime_ns) == (state.st_size, state.st_mtime_ns):
            continue
        files.write(copy, partial(shutil.copy2, file))
    for file in target.rglob("*"):
        if file.is_file() and file not in wanted:
            file.unlink()


def _offered(places: Places, target: Path) -> Iterator[tuple[Path, Path]]:
    root = places.project.root
    for folder, patterns in OFFERED.items():
        for pattern in patterns:
            for file in sorted((root / folder).glob(pattern)):
                yield target / file.relative_to(root), file
