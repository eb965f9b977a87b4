"""The collection as a research object (RO-Crate 1.1): its files, and beside them, for machines, what made each.

``ro-crate-metadata.json`` names every file with its caption, size and checksum, and for every record in
``data/results`` an action: the notebook that was run, with which parameters, from which tables, with which versions,
and the files that came of it. It is plain JSON-LD and is written here: the package for it would be one more thing that
the results seem to rest on, and gives no more than a list of dicts. The same collection gives the same bytes.
"""

import json
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from gamebalance.publish import files, findings, fingerprint, printed, records, stamps
from gamebalance.publish.entries import Notebook
from gamebalance.publish.manifest import Manifest
from gamebalance.publish.paths import Project

METADATA = "ro-crate-metadata.json"
CONTEXT = ["https://w3id.org/ro/crate/1.1/context", {"sha256": "https://schema.org/sha256"}]
MIT = {
    "@id": "https://spdx.org/licenses/MIT",
    "@type": "CreativeWork",
    "name": "MIT License",
    "url": "https://opensource.org/license/mit",
}
PYTHON = {"@id": "#python", "@type": "ComputerLanguage", "name": "Python", "url": "https://www.python.org"}
LIBRARY = "#gamebalance"
#: Media types by the end of the name.
MEDIA = {
    ".cff": "application/yaml",
    ".csv": "text/csv",
    ".html": "text/html",
    ".ipynb": "application/x-ipynb+json",
    ".json": "application/json",
    ".md": "text/markdown",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".toml": "application/toml",
    ".yaml": "application/yaml",
}
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

    Raises
    ------
    ValueError
        If a result is missing or is not what its record says, a frozen table was edited, the folder of the target is
        missing or the target is a folder that holds something. Nothing is written then.
    """
    _check_target(target)
    described = _described(project, manifest)
    texts = {METADATA: _metadata(project, manifest, described)}
    if target.suffix == ".zip":
        files.write(target, lambda file: _archive(project, texts, described, file))
    else:
        files.write_folder(target, lambda folder: _folder(project, texts, described, folder))
    return len(described)


def _check_target(target: Path) -> None:
    if not target.parent.is_dir():
        raise ValueError(f"{target}: there is no folder {target.parent}")
    if target.suffix == ".zip":
        if target.is_dir():
            raise ValueError(f"{target}: this is a folder, and an archive or a new folder is needed")
    elif target.exists() and not (target.is_dir() and not any(target.iterdir())):
        raise ValueError(f"{target}: an archive (NAME.zip), or a folder that is new or empty, is needed")


def _folder(project: Project, texts: dict[str, str], described: dict[str, str], folder: Path) -> None:
    for name in described:
        files.write(folder / name, (project.root / name).read_bytes())
    for name, text in texts.items():
        files.write(folder / name, text)


def _archive(project: Project, texts: dict[str, str], described: dict[str, str], file: Path) -> None:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted([*texts, *described]):
            content = texts[name].encode() if name in texts else (project.root / name).read_bytes()
            entry = zipfile.ZipInfo(name, DATE)
            entry.compress_type, entry.external_attr, entry.create_system = zipfile.ZIP_DEFLATED, 0o644 << 16, 3
            archive.writestr(entry, content)


def _described(project: Project, manifest: Manifest) -> dict[str, str]:
    """What is in each file, by its path from the root; every result checked against its record."""
    printed.verify(project)
    records.check(project, manifest, "the crate")
    records.check_report(project)
    findings.assemble(project, manifest)
    found = {name: text for name, text in ABOUT.items() if (project.root / name).is_file()}
    for folder, what in ((project.published, "Numbers as printed"), (project.observed, "Counts of recorded games")):
        for file in sorted(folder.glob("*")) if folder.is_dir() else []:
            found.setdefault(project.relative(file), f"{what}: {file.stem.replace('_', ' ')}.")
    statements = {each.finding.id: each.row()["statement"] for each in findings.collect(project, manifest)}
    for notebook in manifest.notebooks:
        found[notebook.path] = notebook.question
        found[notebook.sheet] = f"Parameters, captions and findings of the notebook {notebook.name}."
        for item in notebook.items:
            found |= {name: _caption(item, name) for name in item.outputs()}
        for finding in notebook.findings:
            found |= dict.fromkeys(finding.outputs(), statements[finding.id])
    for table in manifest.heavy:
        found |= {name: f"{table.title}." for name in table.outputs()}
    for name in found:
        if not (project.root / name).is_file():
            raise ValueError(f"{name} is missing: make heavy or make figures writes it")
    return dict(sorted(found.items()))


def _caption(item: Any, name: str) -> str:
    return f"How {item.label} was made." if name.endswith(".json") else f"{item.label}. {item.title}. {item.caption}"


def _metadata(project: Project, manifest: Manifest, described: dict[str, str]) -> str:
    """The metadata as JSON-LD."""
    actions = list(_actions(project, manifest))
    runs = [each["@id"] for each in actions if each["@type"] == "CreateAction"]
    about = {
        "@id": METADATA,
        "@type": "CreativeWork",
        "conformsTo": {"@id": "https://w3id.org/ro/crate/1.1"},
        "about": {"@id": "./"},
    }
    creators = _creators(project)
    root = _root(project, manifest, creators)
    root |= {"hasPart": _references(map(_id, described)), "mentions": _references(runs)}
    library = {"@id": LIBRARY, "@type": "SoftwareApplication", "name": "gamebalance"}
    library |= {"description": "The library of the collection.", "softwareVersion": str(root.get("version", "unknown"))}
    entities = [_file(project, name, text) for name, text in described.items()]
    entities = [_with_notebook(project, manifest, entity) for entity in entities]
    graph = _once([about, root, MIT, PYTHON, library, *creators, *entities, *actions])
    return json.dumps({"@context": CONTEXT, "@graph": graph}, indent=1, ensure_ascii=False) + "\n"


def _once(entities: Sequence[Entity]) -> list[Entity]:
    """Each entity once; the same id never stands for two things."""
    known: dict[str, Entity] = {}
    for entity in entities:
        if known.setdefault(entity["@id"], entity) != entity:
            raise ValueError(f"{entity['@id']}: the records disagree: make figures")
    return list(known.values())


def _root(project: Project, manifest: Manifest, creators: Sequence[Entity]) -> Entity:
    """The collection as a whole; when it was published is said as exactly as it is known."""
    citation = _citation(project)
    year = re.search(r"\((\d{4})\)", manifest.citation)
    published = citation.get("date-released") or (year and year[1])
    known = {
        "datePublished": published and str(published),
        "version": citation.get("version") and str(citation["version"]),
        "identifier": citation.get("doi"),
        "keywords": ", ".join(citation.get("keywords", [])),
        **dict.fromkeys(("author", "creator"), _references(creator["@id"] for creator in creators)),
        "publisher": _references(each["@id"] for each in creators if each["@type"] == "Organization"),
    }
    root = {"@id": "./", "@type": "Dataset", "name": manifest.title, "description": manifest.description}
    root |= {"license": {"@id": MIT["@id"]}, "creditText": manifest.citation}
    return root | {name: value for name, value in known.items() if value}


def _citation(project: Project) -> dict[str, Any]:
    import yaml

    file = project.root / "CITATION.cff"
    return yaml.safe_load(file.read_text(encoding="utf-8")) or {} if file.is_file() else {}


def _creators(project: Project) -> list[Entity]:
    """Who made it, as CITATION.cff has them: an organisation has one name, a person two."""
    found = []
    for number, author in enumerate(_citation(project).get("authors", []), 1):
        person = [author[part] for part in ("given-names", "family-names") if part in author]
        kind, name = ("Person", " ".join(person)) if person else ("Organization", author["name"])
        found.append({"@id": author.get("orcid", f"#creator-{number}"), "@type": kind, "name": name})
    return found


def _file(project: Project, name: str, description: str) -> Entity:
    content = (project.root / name).read_bytes()
    return {
        "@id": _id(name),
        "@type": "File",
        "name": name,
        "description": description,
        "encodingFormat": MEDIA.get(Path(name).suffix, "text/plain"),
        "contentSize": str(len(content)),
        "sha256": files.sha256(content),
    }


def _with_notebook(project: Project, manifest: Manifest, entity: Entity) -> Entity:
    """The entity of a file; that of a notebook says that it can be run, in what, with which packages."""
    for notebook in manifest.notebooks:
        if notebook.path == entity["name"]:
            packages = _packages(project, notebook)
            return entity | {
                "@type": ["File", "SoftwareSourceCode", "ComputationalWorkflow"],
                "programmingLanguage": {"@id": PYTHON["@id"]},
                "softwareRequirements": _references([LIBRARY, *(each["@id"] for each in packages)]),
            }
    return entity


def _actions(project: Project, manifest: Manifest) -> Iterator[Entity]:
    """What was done for each record, with its parameters and packages."""
    for notebook in manifest.notebooks:
        yield from _packages(project, notebook)
        inputs = [_id(project.relative(file)) for file in sorted(fingerprint.inputs(project, manifest, notebook))]
        for entry in (*notebook.items, *notebook.findings):
            *_, record = entry.outputs()
            results = [name for name in entry.outputs() if name != record or len(entry.outputs()) == 1]
            yield from _action(project, record, notebook.path, results, inputs, f"Run of {notebook.name}")
    for table in manifest.heavy:
        result, record = table.outputs()
        yield from _action(project, record, None, [result], [], f"Call of {table.function} for each row")


def _action(
    project: Project, record: str, notebook: str | None, results: Sequence[str], inputs: Sequence[str], name: str
) -> Iterator[Entity]:
    """An action and the values it was given."""
    content, stem = files.read_json(project.root / record), Path(record).stem
    values = {**content.get("parameters", {}), "hash of source, data and parameters": content.get("source")}
    owner = Path(notebook).stem if notebook else stem
    given = [
        {"@id": f"#{quote(f'{owner} {key}'.replace(' ', '-'))}", "@type": "PropertyValue", "name": key}
        | {"value": _value(value)}
        for key, value in values.items()
        if value is not None
    ]
    yield from given
    yield {
        "@id": f"#run-{quote(stem)}",
        "@type": "CreateAction",
        "name": f"{name}, for {stem}",
        "instrument": {"@id": _id(notebook) if notebook else LIBRARY},
        "object": _references([*inputs, *(each["@id"] for each in given)]),
        "result": _references(map(_id, results)),
        "subjectOf": {"@id": _id(record)},
    }


def _packages(project: Project, notebook: Notebook) -> list[Entity]:
    """The packages that shaped the results of a notebook, in their versions."""
    versions: dict[str, str] = {}
    for name in stamps.outputs(notebook):
        if name.endswith(".json"):
            versions |= files.read_json(project.root / name).get("packages", {})
    return [
        {
            "@id": f"https://pypi.org/project/{name}/{version}/",
            "@type": "SoftwareApplication",
            "name": name,
            "softwareVersion": version,
            "url": f"https://pypi.org/project/{name}/{version}/",
        }
        for name, version in sorted(versions.items())
    ]


def _value(value: Any) -> Any:
    """A parameter as a property has it: a number, a text, or JSON in a text."""
    return value if isinstance(value, int | float | str) else json.dumps(value, ensure_ascii=False)


def _id(name: str) -> str:
    return quote(name)


def _references(identifiers: Iterable[str]) -> dict[str, str] | list[dict[str, str]]:
    """References to entities; a single one by itself, as the standard recommends."""
    found = [{"@id": each} for each in identifiers]
    return found[0] if len(found) == 1 else found
