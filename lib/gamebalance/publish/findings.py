"""The findings of the collection: each computed by a notebook, gathered in ``data/results/findings.csv``.

A notebook writes the record of a finding with `Book.finding`; its numbers come from there. The sentence around them,
unit, source, method and range come from its sheet, as captions do. Nothing computes with ``findings.csv``: it is
made last, from all records, and is the same bytes as long as they say the same.
"""

import contextlib
import csv
import html
import io
import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, Decimal
from pathlib import Path
from typing import Any

from gamebalance.base.kinds import Integral, Real
from gamebalance.base.rounding import DIGITS, at_least, at_most, meant
from gamebalance.publish import files, notebooks
from gamebalance.publish.entries import JUDGED, METHODS, PLACEHOLDER, QUOTED, Finding, Item, Notebook
from gamebalance.publish.languages import ENGLISH, Language
from gamebalance.publish.manifest import Manifest
from gamebalance.publish.paths import Project
from gamebalance.publish.tables import inline, mark_chinese

COLUMNS = ("finding", "statement", "value", "error", "kind", "printed", "unit", "method", "range", "notebook", "source")
#: What the number of a finding is, and so its error: a bound where it is exact (0 where only rounding is left), or a
#: standard error; none where the number is the end of an interval, was judged, or comes from the clock of one run.
KINDS = ("exact", "s.e.", "interval", "judged", "one run")
#: The kinds that a method leads to, the usual one first.
KINDS_OF = {
    "simulated": ("s.e.", "interval"),
    "observed": ("s.e.", "interval"),
    "decided": ("judged",),
    "measured": ("one run",),
}
#: An error with more decimals than this is shown as a power of ten.
MOST_DECIMALS = 6
#: A bound of less than this part of the last decimal shown says nothing that the decimals do not.
NEGLIGIBLE = 0.01
NO_BREAK = "\u00a0"
#: How a number is written, and to which side it is rounded where it is a bound.
FORM = re.compile(r"^(.*?) ?(up|down)?$")


@dataclass(frozen=True)
class Result:
    """A finding with its numbers, in its unit."""

    finding: Finding
    notebook: Notebook  # that computes it
    value: int | float
    error: float | None  # None where the kind has none
    kind: str  # one of KINDS
    printed: int | float | None = None  # what a source prints for it
    more: dict[str, int | float] = field(default_factory=dict)  # the other numbers of the sentence, by name
    at: float | None = None  # how many standard errors a decision was taken at
    language: Language = ENGLISH  # of its sentences

    @property
    def item(self) -> Item:
        return self.notebook.item(self.finding.source)

    @property
    def value_text(self) -> str:
        return self.quote("value")

    @property
    def printed_text(self) -> str:
        """The printed value with its unit; empty where there is none."""
        if self.printed is None:
            return ""
        number = self._with_unit(f"{self.printed:,.10g}", self.printed)
        return self.language.text("printed {number}").format(number=number).replace(" ", NO_BREAK)

    @property
    def label(self) -> str:
        return self.language.label(self.item.label)

    def _with_unit(self, number: str, value: float) -> str:
        unit = self.language.unit(self.finding.unit, value)
        close = unit in ("", "%") and self.language.code != "fr"
        return f"{self.language.number(number)}{'' if close else NO_BREAK}{unit}".rstrip(NO_BREAK)

    def _measured(self, error: str) -> str:
        """An error with its unit; that of a percentage is in percentage points."""
        unit = "percentage points" if self.finding.unit == "%" else self.finding.unit
        number = self.language.number(error)
        return f"{number}{NO_BREAK}{self.language.unit(unit, float(error.replace(',', '')))}" if unit else number

    @property
    def error_text(self) -> str:
        """The error as it is quoted: ``standard error 0.014``, ``error at most 0.1`` or ``exact``; empty for none."""
        say = self.language.text
        if self.error is None:
            return ""
        if self.kind == "s.e.":
            error = _standard_error(self.error, self.finding.decimals)
            return say("standard error {error}").format(error=self._measured(error))
        if self.error == 0:
            return say("exact")
        if self.error < NEGLIGIBLE * 10.0**-self.finding.decimals:
            return say("error far below the digits shown")
        return say("error at most {error}").format(error=self._measured(_bound(self.error)))

    @property
    def method_text(self) -> str:
        """How it was found and for what: ``simulated, standard error 0.014, for nine line-ups``."""
        say = self.language.text
        words = [say(METHODS[self.finding.method])]
        if self.at is not None:
            words[0] = say(JUDGED).format(number=self.language.number(f"{self.at:g}"))
        if self.kind == "s.e." or self.error:  # an exact number needs no error of 0
            words.append(self.error_text)
        return self.language.row([*words, say("for {range}").format(range=say(self.finding.range))])

    def about(self, source: str, shown: Callable[[str], str] = str) -> str:
        """How it was found, what is printed for it, and its source, its label or a link to it, in brackets."""
        return self.language.brackets(shown(self.method_text), shown(self.printed_text), source)

    def sentence(self, mark: str = "{}") -> str:
        """The claim with its numbers; `mark` is put around the value, such as ``**{}**``."""
        claim = self.language.marked(self.finding.claim)
        return PLACEHOLDER.sub(lambda place: self.quote(place.group(1), place.group(2), mark), claim)

    def quote(self, name: str, form: str | None = None, mark: str = "{}") -> str:
        """One number of the sentence as it is written there, or with another form."""
        if name == "value":
            side = form if form is not None else dict(PLACEHOLDER.findall(self.finding.claim))["value"]
            return mark.format(self._with_unit(_number(self.value, self.finding.decimals, side), self.value))
        shown, side = FORM.findall(form or "")[0]
        places = re.search(r"\.(\d+)", shown)
        decimals = (int(places[1]) if places else 0) + 2 * shown.endswith("%")
        return self.language.number(format(_to_side(self.more[name], decimals, side), shown or ","))

    def record(self) -> dict[str, Any]:
        """The numbers, as its file keeps them."""
        decided = {} if self.at is None else {"at": self.at}
        numbers = {"value": self.value, "error": self.error, "kind": self.kind, "printed": self.printed}
        return {"finding": self.finding.id, **numbers, "more": self.more, **decided, "notebook": self.notebook.path}

    def row(self) -> dict[str, Any]:
        """Its row of ``findings.csv``."""
        entry = self.finding
        about = {"unit": entry.unit, "method": entry.method, "range": entry.range, "source": entry.source}
        return {**self.record(), **about, "statement": self.sentence().replace(NO_BREAK, " ")}

    def to_html(self) -> str:
        """One paragraph."""
        label = _escaped(self.label).replace(" ", "\u00a0")
        return (
            f'<p class="gb-finding"><strong>Finding.</strong> {inline(self.sentence("**{}**"))} '
            f'<span class="gb-how">{self.about(label, _escaped)}</span></p>'
        )

    def to_text(self) -> str:
        """The same in plain text."""
        return f"Finding. {self.sentence()} {self.about(self.label)}".replace(NO_BREAK, " ")


def checked(
    finding: Finding,
    notebook: Notebook,
    value: Any,
    error: Any,
    kind: str | None,
    printed: Any = None,
    more: Mapping[str, Any] | None = None,
    at: Any = None,
) -> Result:
    """The finding with its numbers, each rounded to the digits that are meant; ValueError where one cannot be meant."""
    more, method = dict(more or {}), finding.method
    fitting = KINDS_OF.get(method, ("exact",))
    kind = fitting[0] if kind is None else kind
    bounded = kind in ("exact", "s.e.")
    error = error if bounded or error else None
    wanted = set(finding.numbers()) - {"value"}
    numbers = {"value": value, "printed": 0 if printed is None else printed, **more}
    an_error = error is None or (bounded and _finite(error) and error >= 0)
    no_error = "a finite number, 0 or more, is needed, and none for an end, a judgement or a clock"
    decided = f"how many standard errors is what a finding needs that was decided, and no other; its method is {method}"
    claim = f"its claim in {notebook.sheet} has {', '.join(sorted(wanted)) or 'none'}"
    for fits, name, given, needed in (
        *((_finite(number), name, number, "a finite number is needed") for name, number in numbers.items()),
        (kind in KINDS, "kind", kind, f"one of {', '.join(map(repr, KINDS))} is needed"),
        (an_error, "error", error, no_error),
        ((method == "decided") == (at is not None), "at", at, decided),
        (at is None or (_finite(at) and at > 0), "at", at, "a number above 0 is needed"),
        (kind in fitting, "kind", kind, f"it does not fit the method {method}"),
        (wanted == set(more), "further numbers", sorted(more), claim),
    ):
        if not fits:
            from gamebalance.base.checks import shown  # numpy comes with it

            raise ValueError(f"finding {finding.id}: {name} = {shown(given)}: {needed}")
    if error is not None:
        error = meant(float(error)) if kind == "s.e." else float(_rounded_up(error, DIGITS))
    plain = {name: _plain(number) for name, number in numbers.items()}
    shown_value, printed_value = plain.pop("value"), plain.pop("printed")
    return Result(finding, notebook, shown_value, error, kind, None if printed is None else printed_value, plain, at)


def quoted(text: str, results: Mapping[str, Result]) -> str:
    """A sentence of the first page with its numbers in place; KeyError where a finding has none yet."""
    return QUOTED.sub(lambda place: results[place[1]].quote(place[2] or "value", place[3]), text)


def findings_file(project: Project) -> Path:
    """Where the table of all findings lies."""
    return project.results / "findings.csv"


def collect(project: Project, manifest: Manifest) -> list[Result]:
    """The findings that have a record which fits their claim, in the order of the manifest."""
    found = []
    for notebook in manifest.notebooks:
        for finding in notebook.findings:
            record = files.read_json(project.root / finding.outputs()[0])
            if isinstance(record, dict) and {"value", "error", "kind"} <= record.keys():
                names = ("value", "error", "kind", "printed", "more", "at")
                with contextlib.suppress(ValueError):  # of a run before the claim got other numbers
                    found.append(checked(finding, notebook, *map(record.get, names)))
    return found


def assembled(project: Project, manifest: Manifest) -> bytes | None:
    """What ``findings.csv`` has to hold; None where there is no finding."""
    results, text = collect(project, manifest), io.StringIO()
    # Python writes the shortest text that reads back as the same double: full precision, the same on every run.
    writer = csv.DictWriter(text, COLUMNS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(result.row() for result in results)
    return text.getvalue().encode() if results else None


def assemble(project: Project, manifest: Manifest) -> bool:
    """Bring ``findings.csv`` up to date, and say whether it had to be; without any finding there is no such file."""
    file, wanted = findings_file(project), assembled(project, manifest)
    if files.content(file) == wanted:
        return False
    if wanted is None:
        file.unlink()
    else:
        files.write(file, wanted)
    return True


def check_unread(project: Project, chosen: Iterable[Notebook]) -> None:
    """Check that no notebook reads the table of findings, which its own findings would change."""
    for notebook in chosen:
        for cell in notebooks.cells(project.root / notebook.path):
            if cell["type"] == "code" and "findings.csv" in cell["source"]:
                why = "it is made from the findings of all notebooks, so none may read it"
                raise ValueError(f"{notebook.path} names findings.csv in its code; {why}")


def _finite(value: Any) -> bool:
    number = isinstance(value, Real) and not isinstance(value, bool)
    return number and (isinstance(value, Integral) or math.isfinite(value))


def _plain(value: Any) -> int | float:
    return int(value) if isinstance(value, Integral) else meant(float(value))


def _escaped(text: str) -> str:
    return mark_chinese(html.escape(text, quote=False))


def _to_side(value: int | float, decimals: int, side: str | None) -> int | float:
    """A bound, rounded to its safe side; any other number as it is."""
    if not side or isinstance(value, int):
        return value
    return {"up": at_most, "down": at_least}[side](value, decimals)


def _number(value: int | float, decimals: int, side: str = "") -> str:
    """Decimals as wanted, never minus zero; thousands are set apart from 10,000 on, as in tables."""
    value = _to_side(value, decimals, side)
    comma = "," if abs(value) >= 10_000 else ""
    if isinstance(value, int) and decimals == 0:
        return f"{value:{comma}d}"  # a double would not hold all digits of a large one
    return f"{value:z{comma}.{decimals}f}"


def _standard_error(error: float, decimals: int) -> str:
    """Two significant digits, or as many decimals as the value has where that is more."""
    if error == 0:
        return "0"
    places = max(decimals, 1 - math.floor(math.log10(error)))
    return _number(error, places) if places <= max(decimals, MOST_DECIMALS) else f"{Decimal(f'{error:.1e}'):e}"


def _rounded_up(error: float, digits: int) -> Decimal:
    """The least number of so many significant digits that is no smaller."""
    exact = Decimal(repr(float(error)))
    return exact.quantize(Decimal(1).scaleb(exact.adjusted() + 1 - digits), ROUND_CEILING).normalize()


def _bound(error: float) -> str:
    """At most two significant digits, rounded up: what is shown must bound the error, too."""
    shown = _rounded_up(error, 2)
    return f"{shown:f}" if -MOST_DECIMALS < shown.adjusted() <= MOST_DECIMALS else f"{shown:e}"
