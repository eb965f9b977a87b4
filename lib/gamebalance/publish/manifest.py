"""``collection.yaml`` and the sheet beside each notebook, checked before anything is run or written."""

import re
from collections import Counter
from collections.abc import Container
from typing import Annotated, Any

from pydantic import Field, ValidationError, model_validator

from gamebalance.publish import entries
from gamebalance.publish.entries import Entry, Finding, Heavy, Item, Notebook, Text, find, sheet
from gamebalance.publish.notebooks import check_types, declared
from gamebalance.publish.paths import Project

#: The words that not every reader knows, and those that a first page may use.
GLOSSARY = "notebooks/glossary.yaml"
#: A reference in any text of the manifest: [[item-id]] becomes its label, [[notebook-name]] the number of its chapter.
REFERENCE = re.compile(r"\[\[([^\[\]]*)\]\]")


class Manifest(Entry):
    """The whole collection."""

    title: Text
    description: Text
    citation: Text
    front: entries.Front
    pages: list[entries.Page] = Field(default_factory=list)  # to use, without a notebook
    sources: list[entries.Source] = Field(default_factory=list)
    glossary: list[entries.Term] = Field(default_factory=list)
    parts: Annotated[list[entries.Part], Field(min_length=1)]
    notebooks: list[Notebook] = Field(default_factory=list)

    @model_validator(mode="after")
    def _consistent(self) -> "Manifest":
        _unique("part", [part.key for part in self.parts])
        _unique("notebook", [notebook.name for notebook in self.notebooks])
        _unique("item or heavy table", [*(item.id for item in self.items), *(table.id for table in self.heavy)])
        _unique("finding", [finding.id for finding in self.findings])
        for item in self.items:
            if item.id == "findings" or item.id.startswith("finding-"):
                raise ValueError(f"item {item.id!r}: findings and finding-… are the files of the findings")
        for notebook in self.notebooks:
            items = [item.id for item in notebook.items]
            for finding in notebook.findings:
                if finding.source not in items:
                    place = f"{notebook.sheet}: finding {finding.id}: source {finding.source!r}"
                    raise ValueError(f"{place} is none of its items, {', '.join(items) or 'of which there are none'}")
        self._check_front()
        places = [*(item.id for item in self.items), *(notebook.name for notebook in self.notebooks)]
        _known("glossary see", [term.see for term in self.glossary if term.see], places)
        return self

    def _check_front(self) -> None:
        numbers = {finding.id: finding.numbers() for finding in self.findings}
        _known("front.findings", self.front.findings, numbers)
        for finding, number in self.front.quoted():
            _known("front", [finding], numbers)
            _known(f"front: {{{finding}.{number}}}", [number], numbers[finding])
        figures = [item.id for item in self.items if item.kind == "figure"]
        _known("front.pictures", [entry.figure for entry in self.front.pictures], figures)

    @property
    def items(self) -> list[Item]:
        return [item for notebook in self.notebooks for item in notebook.items]

    @property
    def heavy(self) -> list[Heavy]:
        return [table for notebook in self.notebooks for table in notebook.heavy]

    @property
    def findings(self) -> list[Finding]:
        return [finding for notebook in self.notebooks for finding in notebook.findings]

    def notebook(self, name: str) -> Notebook:
        return find(self.notebooks, "name", name, "no notebook is called")

    def heavy_table(self, identifier: str) -> Heavy:
        return find(self.heavy, "id", identifier, "no heavy table is called")

    def of_part(self, key: str) -> list[Notebook]:
        """The notebooks of one part, in their order."""
        return [notebook for notebook in self.notebooks if notebook.part == key]

    def on_front(self) -> list[Notebook]:
        """The notebooks whose findings and figures stand on the first page."""
        ids = {*self.front.findings, *(finding for finding, _ in self.front.quoted())}
        ids |= {picture.figure for picture in self.front.pictures}
        return [book for book in self.notebooks if ids & {entry.id for entry in book.made}]


def _known(what: str, names: list[str], known: Container[str]) -> None:
    for name in names:
        if name not in known:
            raise ValueError(f"{what}: {name!r} is none of the collection's")


def _unique(what: str, names: list[str]) -> None:
    for name in sorted(names):
        if names.count(name) > 1:
            raise ValueError(f"{what} {name!r} stands in it twice; ids and names are unique")


def load(project: Project) -> Manifest:
    """Read ``collection.yaml`` and the sheets it lists; ValueError, in one line, for the first thing wrong in them."""
    name = project.relative(project.manifest)
    content = _yaml(project, name)
    parts = [part for part in content.get("parts") or [] if isinstance(part, dict)]
    ordinary, appendices = iter("123456789"), iter("ABCDEFGHI")
    for part in parts:
        number = next(appendices if part.get("appendix") is True else ordinary)
        _place(part, f"{name}: parts.{part.get('key')}", number=number)
    notebooks = [entry for part in parts for entry in _chapters(project, part)]
    labels = {str(item.get("id")): item["label"] for entry in notebooks for item in _items(entry)}
    labels |= {entry["name"]: f"chapter {entry['number']}" for entry in notebooks}
    content = _resolved(content, labels, name)
    if (project.root / GLOSSARY).is_file():
        content["glossary"] = _resolved(_yaml(project, GLOSSARY).get("terms"), labels, GLOSSARY)
    content["notebooks"] = [_resolved(entry, labels, sheet(entry["path"])) for entry in notebooks]
    try:
        return Manifest.model_validate(content)
    except ValidationError as error:
        raise ValueError(_first(error, content, name)) from None


def _chapters(project: Project, part: dict[str, Any]) -> list[dict[str, Any]]:
    """The notebooks of a part: what their sheets say, and what their places do."""
    chapters, seen = [], Counter[Any]()
    for place, stem in enumerate(part.get("notebooks") or [], 1):
        path = f"notebooks/{part.get('key')}/{stem}.ipynb"
        beside, name = sheet(path), re.sub(r"^\d+-", "", str(stem))
        given = _yaml(project, beside)
        _place(given, beside, name=name, path=path, part=part.get("key"), number=f"{part['number']}.{place}")
        for item in _items(given):
            kind = item.get("kind")
            seen[kind] += 1
            label = f"{str(kind).capitalize()} {part['number']}.{seen[kind]}"
            _place(item, f"{beside}: items.{item.get('id')}", label=label)
        chapters.append(given)
    return chapters


def _items(entry: dict[str, Any]) -> list[dict[str, Any]]:
    """The items of a notebook, before anything is validated."""
    return [item for item in entry.get("items") or [] if isinstance(item, dict)]


def _place(entry: dict[str, Any], place: str, **fields: Any) -> None:
    """Give an entry what follows from its place; refuse one that says it itself."""
    for field in fields:
        if field in entry:
            raise ValueError(f"{place}: {field}: unknown field")
    entry |= fields


def _yaml(project: Project, name: str) -> dict[str, Any]:
    """A mapping from a file of the project."""
    import yaml

    try:
        text = (project.root / name).read_text(encoding="utf-8")
        # The parser in C, ten times as fast, where PyYAML comes with it: every notebook reads all sheets.
        content = yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except OSError as error:
        raise ValueError(f"{name} cannot be read: {error.strerror}") from None
    except yaml.YAMLError as error:
        raise ValueError(f"{name} is no YAML: {' '.join(str(error).split())}") from None
    if not isinstance(content, dict):
        raise ValueError(f"{name} must be a mapping of fields to values")
    return content


def _resolved(node: Any, labels: dict[str, str], name: str) -> Any:
    """The same content with every reference as the number it stands for."""
    if isinstance(node, dict):
        return {key: _resolved(value, labels, name) for key, value in node.items()}
    if isinstance(node, list):
        return [_resolved(value, labels, name) for value in node]
    if not isinstance(node, str):
        return node
    for reference in REFERENCE.findall(node):
        if reference not in labels:
            raise ValueError(f"{name}: the reference [[{reference}]] names no item and no notebook")
    return REFERENCE.sub(lambda found: labels[found[1]].replace(" ", "\u00a0"), node)


def check_notebooks(project: Project, notebooks: list[Notebook]) -> None:
    """Check that every notebook exists and takes the parameters that its sheet gives it."""
    for notebook in notebooks:
        if not (project.root / notebook.path).is_file():
            raise ValueError(f"{notebook.path} does not exist")
        defaults = declared(project.root / notebook.path)
        try:
            check_types(notebook.parameters, defaults)
        except ValueError as error:
            raise ValueError(f"{notebook.sheet}: {error}") from None


def _first(error: ValidationError, content: dict[str, Any], name: str) -> str:
    """The first error in one line, with the file and the names of the entries it lies in."""
    # A value of a parameter fails once for each type it might have had: one complaint is enough.
    problem = error.errors(include_url=False)[0]
    loc, place = problem["loc"], []
    node: Any = content
    if loc[:1] == ("notebooks",):
        node = content["notebooks"][loc[1]]
        loc, name = loc[2:], sheet(node["path"])
    for step in loc:
        try:
            node = node[step]
        except (KeyError, IndexError, TypeError):
            node = None
        inside = isinstance(step, int) and isinstance(node, dict)
        place.append(str((inside and (node.get("name") or node.get("id") or node.get("key"))) or step))
    message = problem["msg"].removeprefix("Value error, ")
    if problem["type"] == "extra_forbidden":
        message = "unknown field"
    more = len(error.errors()) - 1
    return f"{name}: {'.'.join(place) + ': ' if place else ''}{message}" + (f" (and {more} more)" if more else "")
