"""The findings of the collection: each computed by a notebook, gathered in ``data/results/findings.csv``.

A notebook writes the record of a finding with `Book.finding`; value, error and kind come from there. Claim, unit and
source come from the manifest, as captions do, so that a better wording costs no simulation. Nothing computes with
``findings.csv``: it is made last, from all records, and is the same bytes as long as they say the same.
"""

import csv
import html
import io
import math
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from numbers import Integral, Real
from pathlib import Path
from typing import Any

from . import files, fingerprint
from .manifest import Finding, Item, Manifest, Notebook
from .paths import Project
from .tables import inline, mark_chinese

COLUMNS = ("finding", "claim", "value", "error", "kind", "printed", "unit", "notebook", "source")
#: What the error of a finding is: a bound on it (0 where only rounding is left), or a standard error.
KINDS = ("exact", "s.e.")
#: An error with more decimals than this is shown as a power of ten.
MOST_DECIMALS = 6
NO_BREAK = "\u00a0"


@dataclass(frozen=True)
class Result:
    """A finding with its number.

    Attributes
    ----------
    finding : Finding
        Its entry in the manifest: claim, unit, decimals.
    notebook : Notebook
        The notebook that computes it.
    value : int or float
        In the finding's unit.
    error : float
        In the same unit; what it means says `kind`.
    kind : {"exact", "s.e."}
        Whether the error is a bound (0 where only rounding is left) or a standard error.
    printed : int or float or None
        What a report prints for it; None where it prints nothing.
    """

    finding: Finding
    notebook: Notebook
    value: int | float
    error: float
    kind: str
    printed: int | float | None = None

    @property
    def item(self) -> Item:
        """The figure or table it is read from."""
        return self.notebook.item(self.finding.source)

    @property
    def value_text(self) -> str:
        """The value as it is quoted, with its unit, which no line break parts from it."""
        return self._with_unit(_number(self.value, self.finding.decimals))

    @property
    def printed_text(self) -> str:
        """The printed value with its unit; empty where there is none."""
        return "" if self.printed is None else f"printed\u00a0{self._with_unit(f'{self.printed:,.10g}')}"

    def _with_unit(self, number: str) -> str:
        unit = self.finding.unit
        return f"{number}{'' if unit in ('', '%') else NO_BREAK}{unit}"

    @property
    def error_text(self) -> str:
        """The error as it is quoted: ``± 0.014 s.e.``, ``≤ 1e-12`` or ``exact``."""
        if self.kind == "s.e.":
            return f"±\u00a0{_standard_error(self.error, self.finding.decimals)}\u00a0s.e."
        return f"≤\u00a0{_bound(self.error)}" if self.error else "exact"

    def record(self) -> dict[str, Any]:
        """What its file says about it; the key ``source`` is the hash of the run there, as in other records."""
        return {
            "finding": self.finding.id,
            "claim": self.finding.claim,
            "value": self.value,
            "error": self.error,
            "kind": self.kind,
            "printed": self.printed,
            "unit": self.finding.unit,
            "notebook": self.notebook.path,
            "source_item": self.finding.source,
        }

    def to_html(self, linked: bool = False) -> str:
        """One paragraph; `linked` makes the source a link and the paragraph the target of one."""
        label = _escaped(self.item.label).replace(" ", "\u00a0")
        place = f' id="finding-{self.finding.id}"' if linked else ""
        source = f'<a href="#{self.item.id}">{label}</a>' if linked else label
        about = "; ".join(filter(None, [self.error_text, _escaped(self.printed_text), source]))
        return (
            f'<p class="gb-finding"{place}><strong>Finding.</strong> {inline(self._claim)}: '
            f"<strong>{_escaped(self.value_text)}</strong> ({about}).</p>"
        )

    def to_text(self) -> str:
        """The same in plain text."""
        about = "; ".join(filter(None, [self.error_text, self.printed_text, self.item.label]))
        return f"Finding. {self._claim}: {self.value_text} ({about}).".replace(NO_BREAK, " ")

    @property
    def _claim(self) -> str:
        return self.finding.claim.removesuffix(".")


def checked(finding: Finding, notebook: Notebook, value: Any, error: Any, kind: str, printed: Any = None) -> Result:
    """Return the finding with its number.

    Raises
    ------
    ValueError
        In one line, for a value or printed value that is no finite number, an error below 0 or a kind not in `KINDS`.
    """
    if not _finite(value):
        raise ValueError(f"finding {finding.id}: value = {_shown(value)}: a finite number is needed")
    if not _finite(error) or error < 0:
        raise ValueError(f"finding {finding.id}: error = {_shown(error)}: a finite number, 0 or more, is needed")
    if kind not in KINDS:
        raise ValueError(f"finding {finding.id}: kind = {_shown(kind)}: one of {', '.join(map(repr, KINDS))} is needed")
    if printed is not None and not _finite(printed):
        raise ValueError(f"finding {finding.id}: printed = {_shown(printed)}: a finite number or None is needed")
    return Result(finding, notebook, _plain(value), float(error), kind, None if printed is None else _plain(printed))


def _plain(value: Any) -> int | float:
    return int(value) if isinstance(value, Integral) else float(value)


def findings_file(project: Project) -> Path:
    """Where the table of all findings lies."""
    return project.results / "findings.csv"


def collect(project: Project, manifest: Manifest) -> list[Result]:
    """The findings that have a record, in the order of the manifest."""
    found = []
    for notebook in manifest.notebooks:
        for finding in notebook.findings:
            record = files.read_json(project.root / finding.outputs()[0])
            if isinstance(record, dict) and {"value", "error", "kind"} <= record.keys():
                found.append(checked(finding, notebook, *map(record.get, ("value", "error", "kind", "printed"))))
    return found


def assemble(project: Project, manifest: Manifest) -> bool:
    """Bring ``findings.csv`` up to date; without any finding there is no such file.

    Returns
    -------
    bool
        Whether it was written or removed.
    """
    file, results = findings_file(project), collect(project, manifest)
    if not results:
        existed = file.is_file()
        file.unlink(missing_ok=True)
        return existed
    content = _csv(results).encode()
    if file.is_file() and file.read_bytes() == content:
        return False
    files.write(file, content)
    return True


def check_unread(project: Project, notebooks: Iterable[Notebook]) -> None:
    """Check that no notebook reads the table of findings, which its own findings would change."""
    for notebook in notebooks:
        for cell in fingerprint.cells(project.root / notebook.path):
            if cell["type"] == "code" and "findings.csv" in cell["source"]:
                raise ValueError(
                    f"{notebook.path} names findings.csv in its code; it is made from the findings of all notebooks, "
                    "so none may read it"
                )


def _csv(results: Iterable[Result]) -> str:
    # Python writes the shortest text that reads back as the same double: full precision, the same on every run.
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for result in results:
        record = result.record()
        writer.writerow([record["source_item" if column == "source" else column] for column in COLUMNS])
    return text.getvalue()


def _finite(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, Real):
        return False
    return isinstance(value, Integral) or math.isfinite(value)


def _shown(value: Any, most: int = 60) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= most else text[: most - 1] + "…"


def _escaped(text: str) -> str:
    return mark_chinese(html.escape(text, quote=False))


def _number(value: int | float, decimals: int) -> str:
    """Decimals as wanted, never minus zero; thousands are set apart from 10,000 on, as in tables."""
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


def _bound(error: float) -> str:
    """At most two significant digits, rounded up: what is shown must bound the error, too."""
    exact = Decimal(repr(error))
    shown = exact.quantize(Decimal(1).scaleb(exact.adjusted() - 1), ROUND_CEILING).normalize()
    return f"{shown:f}" if -MOST_DECIMALS < shown.adjusted() <= MOST_DECIMALS else f"{shown:e}"
