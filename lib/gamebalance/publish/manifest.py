"""``collection.yaml`` and the sheet beside each notebook, checked before anything is run or written."""

import re
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from gamebalance.publish.parameters import check_types, declared
from gamebalance.publish.paths import Project

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
Value = bool | int | float | str | list[bool | int | float | str] | None


class Entry(BaseModel):
    """Anything in the manifest: unknown fields are mistakes, numbers stay the numbers they are."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Item(Entry):
    """A numbered figure, table or page: an HTML document of its own that needs no network."""

    id: Slug  # the stem of its files, such as sanguosha-table-4
    kind: Literal["figure", "table", "page"]
    label: Text  # its number as a reader cites it, such as Table 4
    title: Text  # a few words for lists
    caption: Text  # what it shows and how to read it; may hold Markdown emphasis and $mathematics$
    alt: Text | None = None  # what a reader who cannot see the figure needs to know

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
    "observed": "observed in recorded games",
    "decided": "decided",
}
#: Words that reach further than any computation does.
UNBOUNDED = re.compile(
    r"\bfrom\b[^.;]*\bon\b|\b(?:every|all|any)\s+\$?N\b|\bfor (?:every|any)\b|\balways\b|\bnever\b|\bin general\b"
)
#: A number in a sentence: {value}, or the name of another number with the way it is written, {lord:.1f}.
PLACEHOLDER = re.compile(r"\{([a-z_]\w*)(?::([^{}]*))?\}")


class Finding(Entry):
    """A statement that a reader quotes, with the numbers that its notebook computes; a dozen at most in a part."""

    id: Slug  # the stem of its file without finding-, such as fairest-lineup
    claim: Text  # one whole sentence with its numbers' places; may hold Markdown emphasis and $mathematics$
    unit: Annotated[str, StringConstraints(strip_whitespace=True)] = ""  # what the number counts, such as points
    decimals: Annotated[int, Field(ge=0, le=15)]
    source: Slug  # the item, of the same notebook, where the number stands
    method: Literal["proof", "exact", "computed", "simulated", "observed", "decided"]
    range: Text  # what it was found for, such as: four players, all six seatings

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


class Heavy(Entry):
    """A table that takes hours, computed row by row by ``make heavy`` and read by notebooks."""

    id: Slug  # the stem of its files in data/results
    title: Text
    function: Annotated[str, StringConstraints(pattern=r"^gamebalance(\.\w+){2,}$")]  # computes a row, a dict
    #: The argument that the rows are about, a whole number from `least` to `most`; or several arguments with the values
    #: of each: a row for each combination, the last changing fastest, numbered from 0 in a first column ``case``.
    over: Text | dict[Text, list[bool | int | float | str]]
    least: int | None = None
    most: int | None = None
    parameters: dict[str, Value] = Field(default_factory=dict)  # the other arguments
    seconds: Annotated[float, Field(gt=0, strict=False)]  # expected processor time of all rows together
    megabytes: Annotated[float, Field(gt=0, strict=False)]  # expected memory of the largest

    @model_validator(mode="after")
    def _ranges_where_they_belong(self) -> "Heavy":
        if [isinstance(self.over, dict)] * 2 != [self.least is None, self.most is None]:
            raise ValueError(f"heavy table {self.id}: least and most are needed for one argument, lists for several")
        if isinstance(self.over, dict) and "case" in self.over:
            raise ValueError(f"heavy table {self.id}: over = case: another name is needed, since case numbers the rows")
        return self

    @property
    def key(self) -> str:
        """The column that tells the rows apart."""
        return self.over if isinstance(self.over, str) else "case"

    def rows(self) -> dict[int, dict[str, Value]]:
        """By key: the arguments of the function for each row."""
        if isinstance(self.over, str):
            return {number: self.parameters | {self.over: number} for number in range(self.least, self.most + 1)}
        cases = enumerate(product(*self.over.values()))
        return {case: self.parameters | dict(zip(self.over, values, strict=True)) for case, values in cases}


class Notebook(Entry):
    """A notebook: what its sheet says, with its full-size parameters and what it produces, and what its path does."""

    name: Slug  # the stem of the file without its number
    path: str  # relative to the root
    part: Slug
    question: Text
    parameters: dict[str, Value] = Field(default_factory=dict)
    seconds: Annotated[float, Field(gt=0, strict=False)]
    megabytes: Annotated[float, Field(gt=0, strict=False)]
    items: list[Item] = Field(default_factory=list)
    findings: list[Finding] = Field(default_factory=list)
    heavy: list[Heavy] = Field(default_factory=list)

    @property
    def sheet(self) -> str:
        """The file beside it that holds all this, relative to the root."""
        return sheet(self.path)

    def item(self, identifier: str) -> Item:
        """Look an item up by its id."""
        missing = f"notebook {self.name} has no item {identifier!r}; its items in {self.sheet}"
        return _find({item.id: item for item in self.items}, identifier, missing)

    def finding(self, identifier: str) -> Finding:
        """Look a finding up by its id."""
        missing = f"notebook {self.name} has no finding {identifier!r}; its findings in {self.sheet}"
        return _find({finding.id: finding for finding in self.findings}, identifier, missing)


class Part(Entry):
    """A body of work and the notebooks about it."""

    key: Slug  # the folder of its notebooks
    title: Text
    source: Text
    notebooks: list[Slug] = Field(default_factory=list)  # stems of the files, in reading order


#: A number in a sentence of the first page: {finding-id}, or another number of it, {finding-id.lord:.1f}.
QUOTED = re.compile(r"\{([a-z0-9-]+)(?:\.([a-z_]\w*)(?::([^{}]*))?)?\}")


class Front(Entry):
    """The first page: the question, its answer, and what it rests on."""

    question: Text
    answer: Annotated[list[Text], Field(min_length=1, max_length=7)]  # plain sentences, with numbers of findings
    pictures: Annotated[list[Slug], Field(min_length=1, max_length=4)]  # figures, the first for the README, too
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

    @model_validator(mode="after")
    def _consistent(self) -> "Manifest":
        _unique("part", [part.key for part in self.parts])
        _unique("notebook", [notebook.name for notebook in self.notebooks])
        _unique("item or heavy table", [entry.id for entry in (*self.items, *self.heavy)])
        _unique("finding", [finding.id for finding in self.findings])
        for item in self.items:
            if item.id == "findings" or item.id.startswith("finding-"):
                raise ValueError(f"item {item.id!r}: findings and finding-… are the files of the findings")
        for notebook in self.notebooks:
            items = [item.id for item in notebook.items]
            for finding in notebook.findings:
                if finding.source not in items:
                    raise ValueError(
                        f"{notebook.sheet}: finding {finding.id}: source {finding.source!r} is none of its "
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
    def heavy(self) -> list[Heavy]:
        """All heavy tables in their order."""
        return [table for notebook in self.notebooks for table in notebook.heavy]

    @property
    def findings(self) -> list[Finding]:
        """All findings in their order."""
        return [finding for notebook in self.notebooks for finding in notebook.findings]

    def notebook(self, name: str) -> Notebook:
        """Look a notebook up by name."""
        known = {notebook.name: notebook for notebook in self.notebooks}
        return _find(known, name, f"no notebook is called {name!r}; known")

    def heavy_table(self, identifier: str) -> Heavy:
        """Look a heavy table up by its id."""
        known = {table.id: table for table in self.heavy}
        return _find(known, identifier, f"no heavy table is called {identifier!r}; known")

    def of_part(self, key: str) -> list[Notebook]:
        """The notebooks of one part, in their order."""
        return [notebook for notebook in self.notebooks if notebook.part == key]


def _find(known: dict[str, Any], name: str, missing: str) -> Any:
    """The entry of a name, or a complaint that ends with all there are."""
    if name not in known:
        raise ValueError(f"{missing}: {', '.join(known) or 'none'}")
    return known[name]


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


def sheet(notebook: str) -> str:
    """The path of the YAML beside a notebook."""
    return f"{notebook.removesuffix('.ipynb')}.yaml"


def load(project: Project) -> Manifest:
    """Read ``collection.yaml`` and the sheets it lists; ValueError, in one line, for the first thing wrong in them."""
    name = project.relative(project.manifest)
    content = _yaml(project, name)
    parts = [part for part in content.get("parts") or [] if isinstance(part, dict)]
    stems = [(part.get("key"), stem) for part in parts for stem in part.get("notebooks") or []]
    notebooks = [_notebook(project, f"notebooks/{part}/{stem}.ipynb", part) for part, stem in stems]
    labels = _labels(notebooks)
    content = _resolved(content, labels, name)
    content["notebooks"] = [_resolved(entry, labels, sheet(entry["path"])) for entry in notebooks]
    try:
        return Manifest.model_validate(content)
    except ValidationError as error:
        raise ValueError(_first(error, content, name)) from None


def _notebook(project: Project, path: str, part: str) -> dict[str, Any]:
    """What the sheet of a notebook says, and what its path does."""
    given = _yaml(project, sheet(path))
    for field in ("name", "path", "part"):
        if field in given:
            raise ValueError(f"{sheet(path)}: {field}: unknown field")
    return {"name": re.sub(r"^\d+-", "", Path(path).stem), "path": path, "part": part, **given}


def _yaml(project: Project, name: str) -> dict[str, Any]:
    """A mapping from a file of the project."""
    # Imported here: the kernel of every notebook loads this module, few of them need the parser again.
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


#: A reference to an item, in any text of the manifest: [[its-id]] becomes its label.
REFERENCE = re.compile(r"\[\[([^\[\]]*)\]\]")


def _labels(notebooks: list[dict[str, Any]]) -> dict[str, str]:
    """The label of each item, before anything is validated."""
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
    """Check that every notebook exists and takes the parameters that its sheet gives it."""
    for notebook in notebooks:
        file = project.root / notebook.path
        if not file.is_file():
            raise ValueError(f"{notebook.path} does not exist")
        defaults = declared(file)
        try:
            check_types(notebook.parameters, defaults)
        except ValueError as error:
            raise ValueError(f"{notebook.sheet}: {error}") from None


def _first(error: ValidationError, content: dict[str, Any], name: str) -> str:
    """The first error in one line, with the file and the names of the entries it lies in."""
    # A value of a parameter fails once for each type it might have had: one complaint is enough.
    problem = error.errors(include_url=False)[0]
    loc, place, node = problem["loc"], [], content
    if loc[:1] == ("notebooks",):
        node = content["notebooks"][loc[1]]
        loc, name = loc[2:], sheet(node["path"])
    for step in loc:
        node = _child(node, step)
        if isinstance(step, int) and isinstance(node, dict):
            place.append(str(node.get("name") or node.get("id") or node.get("key") or step))
        else:
            place.append(str(step))
    message = problem["msg"].removeprefix("Value error, ")
    if problem["type"] == "extra_forbidden":
        message = "unknown field"
    more = len(error.errors()) - 1
    return f"{name}: {'.'.join(place) + ': ' if place else ''}{message}" + (f" (and {more} more)" if more else "")


def _child(node: Any, step: int | str) -> Any:
    try:
        return node[step]
    except (KeyError, IndexError, TypeError):
        return None
