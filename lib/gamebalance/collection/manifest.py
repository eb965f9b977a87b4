"""``collection.yaml``: what the collection consists of, checked before anything is run or written."""

import re
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from .parameters import check_types, declared
from .paths import Project

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
Value = bool | int | float | str | list[bool | int | float | str] | None


class Entry(BaseModel):
    """Anything in the manifest: unknown fields are mistakes, numbers stay the numbers they are."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Item(Entry):
    """A numbered figure, table or page.

    Attributes
    ----------
    id : str
        The stem of its files, such as ``sanguosha-table-4``.
    kind : {"figure", "table", "page"}
        A page is an HTML document of its own that needs no network.
    label : str
        Its number as a reader cites it, such as ``Table 4``.
    title : str
        A few words for lists.
    caption : str
        What it shows and how to read it; may hold Markdown emphasis and ``$mathematics$``.
    alt : str
        What a reader who cannot see the figure needs to know; required for figures.
    """

    id: Slug
    kind: Literal["figure", "table", "page"]
    label: Text
    title: Text
    caption: Text
    alt: Text | None = None

    @model_validator(mode="after")
    def _figures_have_alt_text(self) -> "Item":
        if self.kind == "figure" and self.alt is None:
            raise ValueError(f"figure {self.id} needs an alt text (field alt)")
        return self

    def outputs(self) -> list[str]:
        """The files of the item, relative to the root, its provenance record last."""
        results = [f"data/results/{self.id}.csv", f"data/results/{self.id}.json"]
        if self.kind == "figure":
            return [f"figures/{self.id}.png", f"figures/{self.id}.svg", *results]
        return [f"figures/{self.id}.html", results[1]] if self.kind == "page" else results


#: How a finding was found, and the words for it. Only a proof covers what was not computed.
METHODS = {
    "proof": "proved",
    "exact": "computed exactly",
    "computed": "computed",
    "simulated": "simulated",
    "decided": "decided",
}
#: Words that reach further than any computation does.
UNBOUNDED = re.compile(
    r"\bfrom\b[^.;]*\bon\b|\b(?:every|all|any)\s+\$?N\b|\bfor (?:every|any)\b|\balways\b|\bnever\b|\bin general\b"
)
#: A number in a sentence: {value}, or the name of another number with the way it is written, {lord:.1f}.
PLACEHOLDER = re.compile(r"\{([a-z_]\w*)(?::([^{}]*))?\}")


class Finding(Entry):
    """A statement that a reader quotes, with the numbers that its notebook computes; a dozen at most in a part.

    Attributes
    ----------
    id : str
        The stem of its file without ``finding-``, such as ``fairest-lineup``.
    claim : str
        One whole sentence with ``{value}`` where the number stands, and ``{name:.1f}`` for each further number; may
        hold Markdown emphasis and ``$mathematics$``.
    unit : str
        What the number counts, such as ``points``; empty where there is nothing to say.
    decimals : int
        How many digits after the point are shown.
    source : str
        The id of the item, of the same notebook, where the number stands.
    method : {"proof", "exact", "computed", "simulated", "decided"}
        How it was found. A claim without bounds ("from N = 3 on", "every N") needs a proof.
    range : str
        What it was found for, such as ``N = 3 to 13`` or ``four players, all six seatings``.
    """

    id: Slug
    claim: Text
    unit: Annotated[str, StringConstraints(strip_whitespace=True)] = ""
    decimals: Annotated[int, Field(ge=0, le=15)]
    source: Slug
    method: Literal["proof", "exact", "computed", "simulated", "decided"]
    range: Text

    @model_validator(mode="after")
    def _as_wide_as_computed(self) -> "Finding":
        if "value" not in self.numbers():
            raise ValueError(f"finding {self.id}: its claim must hold {{value}}, the place of its number")
        wide = UNBOUNDED.search(self.claim)
        if wide and self.method != "proof":
            raise ValueError(f'finding {self.id}: "{wide.group()}" needs the method proof, not {self.method}')
        return self

    def numbers(self) -> list[str]:
        """The names of the numbers in its claim."""
        return [match.group(1) for match in PLACEHOLDER.finditer(self.claim)]

    def outputs(self) -> list[str]:
        """The file of the finding, relative to the root."""
        return [f"data/results/finding-{self.id}.json"]


class Notebook(Entry):
    """A notebook, its full-size parameters and what it produces.

    Attributes
    ----------
    name : str
        The stem of the file without its number.
    path : str
        Relative to the root.
    part : str
        The key of the part it belongs to.
    question : str
        What it answers, in one sentence.
    parameters : dict
        The full-size values.
    seconds, megabytes : float
        Expected run time and memory at full size.
    items : list of Item
        Its figures, tables and pages, in their order.
    findings : list of Finding
        What it finds, for the top of the report.
    """

    name: Slug
    path: Annotated[str, StringConstraints(pattern=r"^notebooks/[\w./-]+\.ipynb$")]
    part: Slug
    question: Text
    parameters: dict[str, Value] = Field(default_factory=dict)
    seconds: Annotated[float, Field(gt=0, strict=False)]
    megabytes: Annotated[float, Field(gt=0, strict=False)]
    items: list[Item] = Field(default_factory=list)
    findings: list[Finding] = Field(default_factory=list)

    @model_validator(mode="after")
    def _name_matches_path(self) -> "Notebook":
        stem = re.sub(r"^\d+-", "", Path(self.path).stem)
        if ".." in Path(self.path).parts:
            raise ValueError(f"path {self.path} must not contain ..")
        if stem != self.name:
            raise ValueError(f"name {self.name!r} must be the file's stem without its number, {stem!r}")
        return self

    def item(self, identifier: str) -> Item:
        """Look an item up by its id."""
        for item in self.items:
            if item.id == identifier:
                return item
        known = ", ".join(item.id for item in self.items) or "none"
        raise ValueError(f"notebook {self.name} has no item {identifier!r}; its items in collection.yaml: {known}")

    def finding(self, identifier: str) -> Finding:
        """Look a finding up by its id."""
        for finding in self.findings:
            if finding.id == identifier:
                return finding
        known = ", ".join(finding.id for finding in self.findings) or "none"
        raise ValueError(
            f"notebook {self.name} has no finding {identifier!r}; its findings in collection.yaml: {known}"
        )


class Heavy(Entry):
    """A table that takes hours, computed row by row by ``make heavy`` and read by notebooks.

    Attributes
    ----------
    id : str
        The stem of its files in ``data/results``.
    title : str
        A few words for lists.
    function : str
        What computes a row, a dict: ``gamebalance.part.module.function``.
    over : str
        The argument, a whole number, that the rows are about.
    least, most : int
        Its range, both ends included.
    parameters : dict
        The other arguments.
    seconds, megabytes : float
        Expected processor time of all rows together, and memory of the largest.
    """

    id: Slug
    title: Text
    function: Annotated[str, StringConstraints(pattern=r"^gamebalance(\.\w+){2,}$")]
    over: Text
    least: int
    most: int
    parameters: dict[str, Value] = Field(default_factory=dict)
    seconds: Annotated[float, Field(gt=0, strict=False)]
    megabytes: Annotated[float, Field(gt=0, strict=False)]

    def keys(self) -> range:
        """The values of the argument, one for each row."""
        return range(self.least, self.most + 1)


class Part(Entry):
    """A body of work and the notebooks about it."""

    key: Slug
    title: Text
    source: Text


#: A number in a sentence of the first page: {finding-id}, or another number of it, {finding-id.lord:.1f}.
QUOTED = re.compile(r"\{([a-z0-9-]+)(?:\.([a-z_]\w*)(?::([^{}]*))?)?\}")


class Front(Entry):
    """The first page: the question, its answer, and what it rests on.

    Attributes
    ----------
    question : str
    answer : list of str
        Plain sentences; ``{finding-id}`` is the value of a finding, ``{finding-id.lord:.1f}`` another number of it.
    pictures : list of str
        Ids of figures, the first of them for the README, too.
    findings : list of str
        Ids of at most ten findings.
    """

    question: Text
    answer: Annotated[list[Text], Field(min_length=1, max_length=7)]
    pictures: Annotated[list[Slug], Field(min_length=1, max_length=4)]
    findings: Annotated[list[Slug], Field(min_length=1, max_length=10)]

    def quoted(self) -> list[str]:
        """The findings whose numbers the answer quotes."""
        return [match.group(1) for text in self.answer for match in QUOTED.finditer(text)]


class Manifest(Entry):
    """The whole collection."""

    title: Text
    description: Text
    citation: Text
    front: Front | None = None
    parts: Annotated[list[Part], Field(min_length=1)]
    notebooks: list[Notebook] = Field(default_factory=list)
    heavy: list[Heavy] = Field(default_factory=list)

    @model_validator(mode="after")
    def _consistent(self) -> "Manifest":
        _unique("part", [part.key for part in self.parts])
        _unique("notebook", [notebook.name for notebook in self.notebooks])
        _unique("item or heavy table", [entry.id for entry in (*self.items, *self.heavy)])
        _unique("finding", [finding.id for finding in self.findings])
        for item in self.items:
            if item.id == "findings" or item.id.startswith("finding-"):
                raise ValueError(f"item {item.id!r}: findings and finding-… are the files of the findings")
        parts = [part.key for part in self.parts]
        for notebook in self.notebooks:
            if notebook.part not in parts:
                raise ValueError(f"notebook {notebook.name}: part {notebook.part!r} is none of {', '.join(parts)}")
            items = [item.id for item in notebook.items]
            for finding in notebook.findings:
                if finding.source not in items:
                    raise ValueError(
                        f"notebook {notebook.name}: finding {finding.id}: source {finding.source!r} is none of its "
                        f"items, {', '.join(items) or 'of which there are none'}"
                    )
        if self.front:
            _known("front.findings", self.front.findings, [finding.id for finding in self.findings])
            _known("front.answer", self.front.quoted(), [finding.id for finding in self.findings])
            _known("front.pictures", self.front.pictures, [item.id for item in self.items if item.kind == "figure"])
        return self

    @property
    def items(self) -> list[Item]:
        """All items in their order."""
        return [item for notebook in self.notebooks for item in notebook.items]

    @property
    def findings(self) -> list[Finding]:
        """All findings in their order."""
        return [finding for notebook in self.notebooks for finding in notebook.findings]

    def notebook(self, name: str) -> Notebook:
        """Look a notebook up by name."""
        for notebook in self.notebooks:
            if notebook.name == name:
                return notebook
        known = ", ".join(notebook.name for notebook in self.notebooks) or "none"
        raise ValueError(f"no notebook is called {name!r}; known: {known}")

    def heavy_table(self, identifier: str) -> Heavy:
        """Look a heavy table up by its id."""
        for table in self.heavy:
            if table.id == identifier:
                return table
        known = ", ".join(table.id for table in self.heavy) or "none"
        raise ValueError(f"no heavy table is called {identifier!r}; known: {known}")

    def of_part(self, key: str) -> list[Notebook]:
        """The notebooks of one part, in their order."""
        return [notebook for notebook in self.notebooks if notebook.part == key]


def kinds(items: list[Item]) -> str:
    """What a list of these items is headed."""
    pages = any(item.kind == "page" for item in items)
    return "Figures, tables and pages" if pages else "Figures and tables"


def _known(what: str, names: list[str], known: list[str]) -> None:
    unknown = [name for name in names if name not in known]
    if unknown:
        raise ValueError(f"{what}: {unknown[0]!r} is none of the collection's")


def _unique(what: str, names: list[str]) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"{what} {twice[0]!r} stands in it twice; ids and names are unique")


def load(project: Project) -> Manifest:
    """Read and validate the manifest.

    Raises
    ------
    ValueError
        In one line that names the field, for the first thing wrong.
    """
    # Imported here: the kernel of every notebook loads this module, few of them need the parser again.
    import yaml

    name = project.relative(project.manifest)
    try:
        content = yaml.safe_load(project.manifest.read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"{name} cannot be read: {error.strerror}") from None
    except yaml.YAMLError as error:
        raise ValueError(f"{name} is no YAML: {' '.join(str(error).split())}") from None
    if not isinstance(content, dict):
        raise ValueError(f"{name} must be a mapping with title, description, citation, parts and notebooks")
    try:
        return Manifest.model_validate(_resolved(content, _labels(content), name))
    except ValidationError as error:
        raise ValueError(f"{name}: {_first(error, content)}") from None


#: A reference to an item, in any text of the manifest: [[its-id]] becomes its label.
REFERENCE = re.compile(r"\[\[([^\[\]]*)\]\]")


def _labels(content: dict[str, Any]) -> dict[str, str]:
    """The label of each item, before anything is validated."""
    notebooks = [entry for entry in content.get("notebooks") or [] if isinstance(entry, dict)]
    items = [item for entry in notebooks for item in entry.get("items") or [] if isinstance(item, dict)]
    return {str(item.get("id")): str(item.get("label")) for item in items}


def _resolved(node: Any, labels: dict[str, str], name: str) -> Any:
    """The same content with every reference to an item as its label."""
    if isinstance(node, dict):
        return {key: _resolved(value, labels, name) for key, value in node.items()}
    if isinstance(node, list):
        return [_resolved(value, labels, name) for value in node]
    if not isinstance(node, str):
        return node
    unknown = [found for found in REFERENCE.findall(node) if found not in labels]
    if unknown:
        raise ValueError(f"{name}: the reference [[{unknown[0]}]] names no item")
    return REFERENCE.sub(lambda found: labels[found.group(1)].replace(" ", "\u00a0"), node)


def check_notebooks(project: Project, notebooks: list[Notebook]) -> None:
    """Check that every notebook exists and takes the parameters the manifest gives it."""
    for notebook in notebooks:
        file = project.root / notebook.path
        if not file.is_file():
            raise ValueError(f"collection.yaml: notebook {notebook.name}: {notebook.path} does not exist")
        try:
            check_types(notebook.parameters, declared(file))
        except ValueError as error:
            raise ValueError(f"collection.yaml: notebook {notebook.name}: {error}") from None


def _first(error: ValidationError, content: dict[str, Any]) -> str:
    """The first error in one line, with the names of the entries it lies in."""
    # A value of a parameter fails once for each type it might have had: one complaint is enough.
    problem = error.errors(include_url=False)[0]
    place, node = [], content
    for step in problem["loc"]:
        node = _child(node, step)
        if isinstance(step, int) and isinstance(node, dict):
            place.append(str(node.get("name") or node.get("id") or node.get("key") or step))
        else:
            place.append(str(step))
    message = problem["msg"].removeprefix("Value error, ")
    if problem["type"] == "extra_forbidden":
        message = "unknown field"
    more = len(error.errors()) - 1
    return f"{'.'.join(place) + ': ' if place else ''}{message}" + (f" (and {more} more)" if more else "")


def _child(node: Any, step: int | str) -> Any:
    try:
        return node[step]
    except (KeyError, IndexError, TypeError):
        return None
