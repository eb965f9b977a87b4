"""What ``collection.yaml`` and the sheets hold, entry by entry, each checked for itself."""

import re
from collections.abc import Sequence
from itertools import product
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
Value = bool | int | float | str | list[bool | int | float | str] | None


class Entry(BaseModel):
    """Anything in the manifest: unknown fields are mistakes, numbers stay the numbers they are."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Made(Entry):
    """What a notebook or a heavy run writes."""

    id: Slug  # the stem of its files in data/results, such as sanguosha-table-4

    def outputs(self) -> list[str]:
        """Its files, relative to the root, its record last."""
        return [f"data/results/{self.id}.csv", f"data/results/{self.id}.json"]


class Item(Made):
    """A numbered figure, table or page: an HTML document of its own that needs no network."""

    kind: Literal["figure", "table", "page"]
    label: Text  # its number as a reader cites it, such as Table 2.4: given by its place, never typed
    title: Text  # a few words for lists
    caption: Text  # what it shows and how to read it; may hold Markdown emphasis and $mathematics$
    alt: Text | None = None  # what a reader who cannot see the figure needs to know

    @model_validator(mode="after")
    def _figures_have_alt_text(self) -> "Item":
        if self.kind == "figure" and self.alt is None:
            raise ValueError(f"figure {self.id} needs an alt text (field alt)")
        return self

    def outputs(self) -> list[str]:
        results = super().outputs()
        if self.kind == "figure":
            return [f"figures/{self.id}.png", f"figures/{self.id}.svg", *results]
        return [f"figures/{self.id}.html", results[1]] if self.kind == "page" else results


#: How a finding was found, and the words for it. Only a proof covers what was not computed, and what rests on chance,
#: on records or on a clock is neither exact nor computed: tests see to it.
METHODS = {
    "proof": "proved",
    "exact": "computed exactly",
    "computed": "computed",
    "simulated": "simulated",
    "observed": "observed in recorded games",
    "decided": "judged",
    "measured": "measured in one run",
}
#: The words for a finding that was decided at so many standard errors.
JUDGED = "judged, where differences of {number} standard errors and more count"
#: A number in a sentence: {value}, or the name of another number with the way it is written, {lord:.1f}. A bound is
#: rounded to its safe side, {value:up} or {least:.0f down}.
PLACEHOLDER = re.compile(r"\{([a-z_]\w*)(?::([^{}]*))?\}")


class Finding(Made):
    """A statement that a reader quotes, with the numbers that its notebook computes; a dozen at most in a part."""

    claim: Text  # one whole sentence with its numbers' places; may hold Markdown emphasis and $mathematics$
    unit: Annotated[str, StringConstraints(strip_whitespace=True)] = ""  # what the number counts, such as points
    decimals: Annotated[int, Field(ge=0, le=15)]
    source: Slug  # the item, of the same notebook, where the number stands
    method: Literal["proof", "exact", "computed", "simulated", "observed", "decided", "measured"]
    range: Text  # what it was found for, such as: four players, all six seatings

    @model_validator(mode="after")
    def _has_its_number(self) -> "Finding":
        if "value" not in self.numbers():
            raise ValueError(f"finding {self.id}: its claim must hold {{value}}, the place of its number")
        return self

    def numbers(self) -> list[str]:
        """The names of the numbers in its claim."""
        return [place[1] for place in PLACEHOLDER.finditer(self.claim)]

    def outputs(self) -> list[str]:
        return [f"data/results/finding-{self.id}.json"]


class Heavy(Made):
    """A table that takes hours, computed row by row by ``make heavy`` and read by notebooks."""

    title: Text
    function: Annotated[str, StringConstraints(pattern=r"^(gamebalance|chapters)(\.\w+){2,}$")]  # makes a row, a dict
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
            numbers = range(self.least or 0, (self.most or 0) + 1)
            return {number: self.parameters | {self.over: number} for number in numbers}
        cases = enumerate(product(*self.over.values()))
        return {case: self.parameters | dict(zip(self.over, values, strict=True)) for case, values in cases}


class Notebook(Entry):
    """A notebook: what its sheet says, with its full-size parameters and what it produces, and what its path does."""

    name: Slug  # the stem of the file without its number
    path: str  # relative to the root
    part: Slug
    number: Text  # of the chapter it is, such as 2.4: given by its place
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

    @property
    def made(self) -> list[Made]:
        return [*self.items, *self.findings]

    def outputs(self) -> list[str]:
        """All result files that it must leave, relative to the root."""
        return [output for entry in self.made for output in entry.outputs()]

    def item(self, identifier: str) -> Item:
        return find(self.items, "id", identifier, f"notebook {self.name} has no item", f"its items in {self.sheet}")

    def finding(self, identifier: str) -> Finding:
        missing = f"notebook {self.name} has no finding"
        return find(self.findings, "id", identifier, missing, f"its findings in {self.sheet}")


class Part(Entry):
    """A question and the notebooks about it."""

    key: Slug  # the folder of its notebooks
    number: Text  # 1, 2, ..., and A, B, ... for appendices: given by its place
    title: Text
    about: Text  # what it asks and of which games
    appendix: bool = False
    notebooks: list[Slug] = Field(default_factory=list)  # stems of the files, in reading order

    @property
    def heading(self) -> str:
        """Its number and title, as a reader finds them: ``2. One game end to end``."""
        return f"Appendix {self.number}. {self.title}" if self.appendix else f"{self.number}. {self.title}"


#: A number in a sentence of the first page: {finding-id}, or another number of it, {finding-id.lord:.1f}; a bound has
#: its side, {finding-id:up}.
QUOTED = re.compile(r"\{([a-z0-9-]+)(?:\.([a-z_]\w*))?(?::([^{}]*))?\}")


def places(text: str) -> list[str]:
    """The places of numbers and the targets of links in a text, which a translation has to keep."""
    return re.findall(r"\{[^{}]*\}|\]\([^()\s]+\)", text)


class Picture(Entry):
    figure: Slug  # of the first page
    says: Text  # one plain sentence on what it shows, in which findings may be quoted


class Door(Entry):
    title: Text  # where a reader goes on from the first page
    says: Text  # with links: [words](notebook-name), [words](item-id), [words](path/of/a/file)


class Start(Entry):
    says: Text  # what the notebook to start with holds beside the first page; Markdown: what to try first
    code: Text  # a cell to try it with
    chapters: Text  # Markdown above the list of all chapters, with links as in a door


class Shown(Entry):
    """A small table of the first page, its heads in the first row."""

    after: Annotated[int, Field(ge=1)]  # how many paragraphs of the answer stand above it
    rows: Annotated[list[list[Text]], Field(min_length=2)]  # in which findings may be quoted

    @model_validator(mode="after")
    def _rows_alike(self) -> "Shown":
        if len({len(row) for row in self.rows}) > 1:
            raise ValueError("first page, table: rows of the same length are needed")
        return self


class Front(Entry):
    """The first page: the question, its answer, what it rests on, and three ways on."""

    question: Text
    answer: Annotated[list[Text], Field(min_length=1, max_length=7)]  # plain sentences, with numbers of findings
    table: Shown
    pictures: Annotated[list[Picture], Field(min_length=1, max_length=4)]  # the first for the README, too
    doors: list[Door]
    findings: Annotated[list[Slug], Field(min_length=1, max_length=10)]
    start: Start

    def texts(self) -> list[str]:
        """All its sentences."""
        spoken = [*(picture.says for picture in self.pictures), *(door.says for door in self.doors)]
        cells = [cell for row in self.table.rows for cell in row]
        return [self.question, *self.answer, *cells, *(door.title for door in self.doors), *spoken]

    def quoted(self) -> list[tuple[str, str]]:
        """The findings whose numbers its sentences quote, each with the name of the number."""
        return [(place[1], place[2] or "value") for text in self.texts() for place in QUOTED.finditer(text)]


class Page(Entry):
    file: Text  # the path in the project of a self-contained page to use
    title: Text
    says: Text  # what to do with it


class Source(Entry):
    key: Slug  # of a study that the collection has grown from
    name: Text  # a few words that the map of the sources calls it by
    title: Text  # as printed, and in English
    summary: Text  # what it asks, finds and leaves open


class Term(Entry):
    """A word that not every reader knows."""

    term: Text
    also: list[Text] = Field(default_factory=list)  # other forms under which it stands in the text
    says: Text
    see: Slug | None = None  # the item or notebook where it is explained in full

    @property
    def id(self) -> str:
        """The place of its entry."""
        return "term-" + re.sub(r"[^\w]+", "-", self.term.lower()).strip("-")


def find(entries: Sequence[Entry], field: str, name: str, missing: str, known: str = "known") -> Any:
    """The entry of a name, or a complaint that ends with all there are."""
    named = {getattr(entry, field): entry for entry in entries}
    if name not in named:
        raise ValueError(f"{missing} {name!r}; {known}: {', '.join(named) or 'none'}")
    return named[name]


def sheet(notebook: str) -> str:
    return f"{notebook.removesuffix('.ipynb')}.yaml"
