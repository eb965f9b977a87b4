"""The texts that Sphinx reads: every page of the site but what the theme adds; and the files that it offers."""

import inspect
import os
import re
import shutil
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from gamebalance.publish import files, findings, front, systems, translations
from gamebalance.publish.languages import ENGLISH, Language
from gamebalance.publish.site import chapters, library
from gamebalance.publish.site.places import Places

#: What the site offers as files, by folder.
OFFERED = {
    "data": ("*/*.csv", "results/*.json"),
    "figures": ("*.svg", "*.png", "*.html", "*.pdf"),
    "notebooks": ("*/*.ipynb",),
}
#: What the text of a file is written in, by its end.
WRITTEN_IN = {".py": "python", ".yaml": "yaml", ".toml": "toml", ".md": "markdown", ".sh": "sh"}


@cache
def _templates() -> Any:
    import jinja2

    loader = jinja2.FileSystemLoader(os.fspath(Path(__file__).parent / "templates"))
    return jinja2.Environment(loader=loader, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True)


def render(template: str, **values: Any) -> str:
    """A template with these values in it, and one end of line behind it."""
    return _templates().get_template(template).render(**values).strip() + "\n"


def texts(places: Places) -> dict[str, str]:
    """All texts by their paths in the folder that Sphinx reads."""
    manifest, results = places.manifest, findings.collect(places.project, places.manifest)
    known = {result.finding.id: result for result in results}
    made = {f"{places.chapter(entry)}.ipynb": chapters.chapter(places, entry, known) for entry in manifest.notebooks}
    for part in manifest.parts:
        own = [result for result in results if result.notebook.part == part.key]
        values = {"part": part, "notebooks": manifest.of_part(part.key), "findings": own}
        made[f"{places.part(part)}.md"] = render("part.md.j2", chapters=chapters, **values)
    for language in translations.all_of(places.project):
        made |= _spoken(places, language)
    for page in manifest.pages:
        made[f"{places.tool(page)}.md"] = _page(page.title, page.says, chapters.frame(f"../{page.file}", page.title))
    seeded = [entry for entry in manifest.notebooks if "seed" in entry.parameters]
    example = min(seeded or manifest.notebooks, key=lambda notebook: len(notebook.parameters))
    made["chapters/index.md"] = render("chapters.md.j2", parts=manifest.parts, places=places)
    made["items.md"] = render("items.md.j2", manifest=manifest)
    made["about.md"] = render("about.md.j2", manifest=manifest, example=example)
    if systems.rows(places.project):
        made["from-the-sources.md"] = _map(places)
    if places.whole:
        made |= library.texts()
        for path in sorted(places.sources):  # last, when all links are known
            file = places.project.root / path
            text, kind = file.read_text(encoding="utf-8").rstrip(), WRITTEN_IN.get(file.suffix, "text")
            made[f"source/{path}.md"] = render("source.md.j2", path=path, kind=kind, text=text)
        made["source/index.md"] = render("sources.md.j2", paths=sorted(places.sources))
    return made


def _page(title: str, says: str, frame: str) -> str:
    return render("page.md.j2", page={"title": title, "says": says}, frame=frame)


def _spoken(places: Places, language: Language) -> dict[str, str]:
    """First page, findings and glossary in a language; the English ones stand at the top."""
    manifest, folder = places.manifest, "" if language == ENGLISH else f"{language.tag}/"
    results = front.spoken(findings.collect(places.project, manifest), language)
    values: dict[str, Any] = {
        "language": language,
        "say": language.text,
        "manifest": manifest,
        "places": places,
        "folder": folder,
        "others": [other for other in translations.all_of(places.project) if other.code != language.code],
        "up": "../" if folder else "",
        "chapters": chapters,
        "systems": systems,
        "total": len(results),
        "figure_pages": {item.id: entry.name for entry in manifest.notebooks for item in entry.items},
        "numbers": front.numbers(manifest, language),
        "heading": front.heading,
        "parts": [(part, [one for one in results if one.notebook.part == part.key]) for part in manifest.parts],
    }
    made = {f"{folder}{page}.md": render(f"{page}.md.j2", **values) for page in ("findings", "glossary")}
    index, tools = f"{folder}index.md", [places.tool(page) for page in manifest.pages]
    first = front.first_page(places.project, manifest, language)
    made[index] = render("index.md.j2", page=first, index=index, tools=tools, **values)
    return made


def _map(places: Places) -> str:
    """The map of the sources, with the table that the report has."""
    notebooks = {item.id: entry for entry in places.manifest.notebooks for item in entry.items}

    def address(place: str) -> str:
        if "." in place and not places.whole:
            return ""
        if "." in place:  # a function, whose file is shown
            path = places.project.relative(Path(inspect.getfile(inspect.unwrap(resolve_name(place)))))
            places.sources.add(path)
            return f"source/{path}.html"
        notebook = notebooks.get(place) or places.manifest.notebook(place)
        return f"{places.chapter(notebook)}.html" + f"#{place}" * (place in notebooks)

    table = render("systems.html.j2", rows=systems.shown(places.project, places.manifest, address))
    return _page(systems.TITLE, f'{systems.INTRO} <a href="{systems.FILE}" download>Data (CSV)</a>', table)


def copy_files(places: Places, target: Path) -> None:
    """Bring the folder of offered files up to date: data, records, pictures, offline pages, notebooks."""
    wanted = dict(_offered(places.project.root, target))
    for copy, file in wanted.items():
        state = file.stat()
        if copy.is_file() and (copy.stat().st_size, copy.stat().st_mtime_ns) == (state.st_size, state.st_mtime_ns):
            continue
        files.write(copy, partial(shutil.copy2, file))
    for file in target.rglob("*"):
        if file.is_file() and file not in wanted:
            file.unlink()


def _offered(root: Path, target: Path) -> Iterator[tuple[Path, Path]]:
    for folder, patterns in OFFERED.items():
        for pattern in patterns:
            for file in sorted((root / folder).glob(pattern)):
                yield target / file.relative_to(root), file


def terms(places: Places) -> dict[str, tuple[str, str]]:
    """The forms of the glossary's words, each with its place in the glossary and what it means, without Markdown."""
    return {
        form: (term.id, re.sub(r"[*`]", "", " ".join(term.says.split())))
        for term in places.manifest.glossary
        for form in (term.term, *term.also)
    }
