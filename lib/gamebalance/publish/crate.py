"""The collection as a research object (RO-Crate 1.1): its files, and beside them, for machines, what made each.

``ro-crate-metadata.json`` names every file with its caption, size and checksum, and for every record in
``data/results`` an action: the notebook that was run, with which parameters, from which tables, with which versions,
and the files that came of it. It is plain JSON-LD; the same collection gives the same bytes.
"""

import json
import mimetypes
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from gamebalance.publish import files, findings, fingerprint, printed, records
from gamebalance.publish.manifest import Manifest
from gamebalance.publish.paths import Project

METADATA = "ro-crate-metadata.json"
CONTEXT = ["https://w3id.org/ro/crate/1.1/context", {"sha256": "https://schema.org/sha256"}]
MIT = {"@id": "https://spdx.org/licenses/MIT", "@type": "CreativeWork", "name": "MIT License"}
PYTHON = {"@id": "#python", "@type": "ComputerLanguage", "name": "Python", "url": "https://www.python.org"}
LIBRARY = {"@id": "#gamebalance", "@type": "SoftwareApplication", "name": "gamebalance"}
LIBRARY |= {"description": "The library of the collection."}
#: Media types that not every system knows.
MEDIA = {".ipynb": "application/x-ipynb+json", ".md": "text/markdown", ".toml": "application/toml"}
MEDIA |= dict.fromkeys((".cff", ".yaml"), "application/yaml")
#: What belongs to it beside notebooks, data and figures, if it is there.
ABOUT = {
    "README.md": "What the collection is, and how to run it.",
    "LICENSE": "The licence.",
    "CITATION.cff": "How to cite the collection.",
    "collection.yaml": "Title, first page, sources, parts and the order of the notebooks.",
    "notebooks/glossary.yaml": "Words that not every reader knows.",
    "pyproject.toml": "The library and what it needs.",
    "uv.lock": "The versions of all packages.",
    "requirements.lock": "The versions of all packages, for pip.",
    "figures/report.html": "The whole report as one page.",
    "data/results/findings.csv": "All findings.",
    "data/published/systems.csv": "What the sources hold, where it stands here, and what became of it.",
}
#: The date of every file in an archive: none of today's, which would make equal archives differ.
DATE = (1980, 1, 1, 0, 0, 0)

Entity = dict[str, Any]


def write(project: Project, manifest: Manifest, target: Path) -> int:
    """Write the research object into an archive (``….zip``) or a new folder; return how many files it describes.

    Nothing is written, and a ValueError says why, if a result is missing or is not what its record says, a frozen table
    was edited, the folder of the target is missing or the target is a folder that holds something.
    """
    if not target.parent.is_dir():
        raise ValueError(f"{target}: there is no folder {target.parent}")
    archive = target.suffix == ".zip"
    if target.exists() and (target.is_dir() if archive else not target.is_dir() or any(target.iterdir())):
        raise ValueError(f"{target}: an archive (NAME.zip), or a folder that is new or empty, is needed")
    described = _described(project, manifest)
    contents = {METADATA: _metadata(project, manifest, described).encode()}
    contents |= {name: (project.root / name).read_bytes() for name in described}
    if archive:
        files.write(target, lambda file: _zip(contents, file))
    else:
        files.write_folder(target, lambda folder: [files.write(folder / name, contents[name]) for name in contents])
    return len(described)


def _zip(contents: dict[str, bytes], file: Path) -> None:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(contents):
            entry = zipfile.ZipInfo(name, DATE)
            entry.compress_type, entry.external_attr, entry.create_system = zipfile.ZIP_DEFLATED, 0o644 << 16, 3
            archive.writestr(entry, contents[name])


def _described(project: Project, manifest: Manifest) -> dict[str, str]:
    """What is in each file, by its path from the root; every result checked against its record."""
    printed.verify(project)
    records.check(project, manifest, "the crate")
    records.check_report(project)
    findings.assemble(project, manifest)
    texts = {name: text for name, text in ABOUT.items() if (project.root / name).is_file()}
    for folder, what in ((project.published, "Numbers as printed"), (project.observed, "Counts of recorded games")):
        for file in sorted(folder.glob("*")) if folder.is_dir() else []:
            texts.setdefault(project.relative(file), f"{what}: {file.stem.replace('_', ' ')}.")
    for notebook in manifest.notebooks:
        texts[notebook.path] = notebook.question
        texts[notebook.sheet] = f"Parameters, captions and findings of the notebook {notebook.name}."
        for item in notebook.items:
            *made, record = item.outputs()
            texts |= dict.fromkeys(made, f"{item.label}. {item.title}. {item.caption}")
            texts[record] = f"How {item.label} was made."
    for result in findings.collect(project, manifest):
        texts |= dict.fromkeys(result.finding.outputs(), result.row()["statement"])
    for table in manifest.heavy:
        texts |= dict.fromkeys(table.outputs(), f"{table.title}.")
    for name in texts:
        if not (project.root / name).is_file():
            raise ValueError(f"{name} is missing: make heavy or make figures writes it")
    return dict(sorted(texts.items()))


def _metadata(project: Project, manifest: Manifest, described: dict[str, str]) -> str:
    """The metadata as JSON-LD."""
    about = {"@id": METADATA, "@type": "CreativeWork", "about": {"@id": "./"}}
    about["conformsTo"] = {"@id": "https://w3id.org/ro/crate/1.1"}
    actions = list(_actions(project, manifest))
    citation, creators = _citation(project)
    year = re.search(r"\((\d{4})\)", manifest.citation)
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": manifest.title,
        "description": manifest.description,
        "license": {"@id": MIT["@id"]},
        "creditText": manifest.citation,
        **({"datePublished": year[1]} if year else {}),
        **citation,
        "hasPart": [{"@id": quote(name)} for name in described],
        "mentions": [{"@id": each["@id"]} for each in actions if each["@type"] == "CreateAction"],
    }
    sources = {notebook.path for notebook in manifest.notebooks}
    entities = [_file(project, name, text, name in sources) for name, text in described.items()]
    graph = {each["@id"]: each for each in (about, root, MIT, PYTHON, LIBRARY, *creators, *entities, *actions)}
    return json.dumps({"@context": CONTEXT, "@graph": [*graph.values()]}, indent=1, ensure_ascii=False) + "\n"


def _citation(project: Project) -> tuple[Entity, list[Entity]]:
    """What CITATION.cff says of the collection, and those who made it: an organisation has one name, a person two."""
    import yaml

    file = project.root / "CITATION.cff"
    given = yaml.safe_load(file.read_text(encoding="utf-8")) or {} if file.is_file() else {}
    creators = []
    for number, author in enumerate(given.get("authors", []), 1):
        person = " ".join(author[part] for part in ("given-names", "family-names") if part in author)
        about = {"@type": "Person", "name": person} if person else {"@type": "Organization", "name": author["name"]}
        creators.append({"@id": author.get("orcid", f"#creator-{number}"), **about})
    fields = {"date-released": "datePublished", "version": "version", "doi": "identifier"}
    known: Entity = {name: str(given[field]) for field, name in fields.items() if given.get(field)}
    if given.get("keywords"):
        known["keywords"] = ", ".join(given["keywords"])
    if creators:
        known |= {name: [{"@id": each["@id"]} for each in creators] for name in ("author", "creator")}
        known["publisher"] = [{"@id": each["@id"]} for each in creators if each["@type"] == "Organization"]
    return known, creators


def _file(project: Project, name: str, description: str, runs: bool) -> Entity:
    content = (project.root / name).read_bytes()
    media = MEDIA.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "text/plain"
    about: Entity = {"@id": quote(name), "@type": "File", "name": name, "description": description}
    about |= {"encodingFormat": media, "contentSize": str(len(content)), "sha256": files.sha256(content)}
    if runs:
        about |= {"@type": ["File", "SoftwareSourceCode", "ComputationalWorkflow"]}
        about |= {"programmingLanguage": {"@id": PYTHON["@id"]}, "softwareRequirements": {"@id": LIBRARY["@id"]}}
    return about


def _actions(project: Project, manifest: Manifest) -> Iterator[Entity]:
    """What was done for each record: the call of a notebook or a function, with what, and what came of it."""
    for notebook in manifest.notebooks:
        inputs = [project.relative(file) for file in fingerprint.inputs(project, manifest, notebook)]
        for entry in notebook.made:
            yield from _action(project, entry.outputs(), quote(notebook.path), sorted(inputs), notebook.name)
    for table in manifest.heavy:
        yield from _action(project, table.outputs(), LIBRARY["@id"], [], table.function)


def _action(project: Project, outputs: list[str], tool: str, inputs: list[str], called: str) -> Iterator[Entity]:
    """An action, the packages that shaped its results, and the values it was given."""
    *made, place = outputs
    record, stem = files.read_json(project.root / place), Path(place).stem
    values = {**record.get("parameters", {}), "hash of source, data and parameters": record.get("source")}
    given: list[Entity] = [
        {"@id": f"#{quote(f'{stem} {name}'.replace(' ', '-'))}", "@type": "PropertyValue", "name": name}
        | {"value": value if isinstance(value, int | float | str) else json.dumps(value, ensure_ascii=False)}
        for name, value in values.items()
        if value is not None
    ]
    packages: list[Entity] = [
        {"@id": f"https://pypi.org/project/{name}/{version}/", "@type": "SoftwareApplication", "name": name}
        | {"softwareVersion": version}
        for name, version in sorted(record.get("packages", {}).items())
    ]
    yield from (*given, *packages)
    yield {
        "@id": f"#run-{quote(stem)}",
        "@type": "CreateAction",
        "name": f"Run of {called}, for {stem}",
        "instrument": [{"@id": each} for each in (tool, *(package["@id"] for package in packages))],
        "object": [{"@id": each} for each in (*map(quote, inputs), *(each["@id"] for each in given))],
        "result": [{"@id": quote(name)} for name in made or outputs],
        "subjectOf": {"@id": quote(place)},
    }
