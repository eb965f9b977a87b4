"""What a notebook does with its tables, figures, pages and findings: write, describe how they came about, show."""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import files, findings, pages, paths, provenance, tables
from .manifest import Item, Notebook, load

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure

#: Pixels per inch of the picture inside a notebook; the file in ``figures/`` is finer.
SCREEN_DPI, FILE_DPI = 110, 200


class Book:
    """The tables, figures, pages and findings of one notebook.

    Parameters
    ----------
    notebook : str
        The name of the notebook in ``collection.yaml``.
    **parameters
        The values of its parameters in this run, as the provenance record shall name them.

    Raises
    ------
    ValueError
        If the manifest has no such notebook, or its parameters have other names.

    Examples
    --------
    ``book = collection.Book("five-to-ten-players", games=games, seed=seed)``
    """

    def __init__(self, notebook: str, /, **parameters: Any) -> None:
        self._project = paths.project()
        self._notebook: Notebook = load(self._project).notebook(notebook)
        expected = self._notebook.parameters
        if set(parameters) != set(expected):
            raise ValueError(
                f"Book({notebook!r}) got the parameters {', '.join(parameters) or 'none'}; "
                f"collection.yaml gives it {', '.join(expected) or 'none'}"
            )
        self._parameters = json.loads(json.dumps(parameters, default=_plain))
        self.output = paths.output_root()

    def table(
        self,
        item: str,
        frame: "pandas.DataFrame",
        formats: Mapping[Any, tables.Format] | None = None,
        index: bool = False,
    ) -> None:
        """Write a table with full precision and show it as a reader should see it.

        Parameters
        ----------
        item : str
            The id of the table in ``collection.yaml``.
        frame : DataFrame
            The numbers, unrounded. Two levels of columns become two header rows.
        formats : mapping, optional
            Column to format string (``"{:.2f}"``) or function, for the display only.
        index : bool
            Whether the index is part of the table.
        """
        entry = self._entry(item, "table")
        if frame.columns.nlevels > 2:
            raise ValueError(f"table {item} has {frame.columns.nlevels} levels of columns; one or two are allowed")
        texts = tables.formatted(frame, formats, index)
        content = tables.to_html(entry, frame, texts)
        data = self._write_csv(entry, frame, index)
        self._write_record(entry.id, self._about(entry), [data])
        _display({"text/html": content, "text/plain": tables.to_text(entry, texts)}, {"item": entry.id})

    def figure(self, item: str, figure: "Figure", data: "pandas.DataFrame") -> None:
        """Write a figure as PNG and SVG with the numbers it plots, show it and close it.

        Parameters
        ----------
        item : str
            The id of the figure in ``collection.yaml``.
        figure : Figure
            A matplotlib figure.
        data : DataFrame
            The plotted numbers, which are what tests and readers compare.
        """
        from matplotlib import pyplot, rc_context

        entry = self._entry(item, "figure")
        folder = self.output / "figures"
        with rc_context({"svg.hashsalt": "gamebalance"}):
            png = files.write(folder / f"{entry.id}.png", lambda file: _save(figure, file, entry))
            svg = files.write(folder / f"{entry.id}.svg", lambda file: _save(figure, file, entry))
        written = [png, svg, self._write_csv(entry, data, index=False)]
        self._write_record(entry.id, self._about(entry), written)
        _show_figure(figure, entry)
        pyplot.close(figure)

    def page(self, item: str, content: str) -> None:
        """Write a page, an HTML document that needs nothing else, and show it in a frame.

        Parameters
        ----------
        item : str
            The id of the page in ``collection.yaml``.
        content : str
            The whole document, styles, scripts and data included. It is shown without access to anything outside.

        Raises
        ------
        ValueError
            If the item is no page, or the content no HTML document or too large for a notebook.
        """
        entry = self._entry(item, "page")
        pages.check(entry.id, content)
        file = files.write(self.output / "figures" / f"{entry.id}.html", content)
        self._write_record(entry.id, self._about(entry), [file])
        shown = {"text/html": pages.frame(entry, content), "text/plain": f"{entry.label}. {entry.title}"}
        _display(shown, {"item": entry.id})
        _show_caption(entry)

    def finding(
        self, finding: str, value: float, error: float = 0.0, kind: str = "exact", printed: float | None = None
    ) -> None:
        """Write a finding, the number behind a claim of the manifest, and show it in one line.

        Parameters
        ----------
        finding : str
            The id of the finding in ``collection.yaml``.
        value : int or float
            The number, unrounded, in the unit that the manifest gives it. A whole number stays one.
        error : float
            In the same unit, 0 or more.
        kind : {"exact", "s.e."}
            What the error is: a bound on it, 0 where only rounding is left, or a standard error.
        printed : int or float, optional
            What a report prints for it.

        Raises
        ------
        ValueError
            If the notebook has no such finding, the value or the error is no finite number, the error is below 0 or
            the kind is another one.
        """
        result = findings.checked(self._notebook.finding(finding), self._notebook, value, error, kind, printed)
        self._write_record(f"finding-{finding}", result.record())
        _display({"text/html": result.to_html(), "text/plain": result.to_text()}, {"finding": finding})

    def _entry(self, identifier: str, kind: str) -> Item:
        entry = self._notebook.item(identifier)
        if entry.kind != kind:
            raise ValueError(f"{identifier} is a {entry.kind} in collection.yaml; call Book.{entry.kind} for it")
        return entry

    def _write_csv(self, entry: Item, frame: "pandas.DataFrame", index: bool) -> Path:
        flat = frame.reset_index() if index else frame.copy(deep=False)
        if flat.columns.nlevels > 1:
            flat.columns = [" ".join(str(part) for part in column if str(part)) for column in flat.columns]
        # to_csv writes the shortest text that reads back as the same double: full precision, the same on every run.
        text = flat.to_csv(index=False, lineterminator="\n")
        return files.write(self.output / "data" / "results" / f"{entry.id}.csv", text)

    def _about(self, entry: Item) -> dict[str, Any]:
        return {
            "item": entry.id,
            "kind": entry.kind,
            "label": entry.label,
            "title": entry.title,
            "notebook": self._notebook.path,
        }

    def _write_record(self, name: str, about: dict[str, Any], written: Sequence[Path] = ()) -> None:
        record = {**about, **provenance.record(self._project, self._parameters)}
        if written:
            hashes = {file.relative_to(self.output).as_posix(): files.sha256(file) for file in sorted(written)}
            record["sha256"] = hashes
        files.write_json(self.output / "data" / "results" / f"{name}.json", record)


def _plain(value: Any) -> Any:
    """numpy numbers and the like as JSON."""
    for convert in ("tolist", "item"):
        if hasattr(value, convert):
            return getattr(value, convert)()
    return str(value)


def _save(figure: "Figure", file: Path, entry: Item, dpi: int = FILE_DPI) -> None:
    """Save without dates and versions, which would make equal figures differ."""
    blank = {"Software": None} if file.suffix == ".png" else {"Date": None, "Creator": None, "Title": entry.title}
    figure.savefig(file, dpi=dpi, metadata=blank)


def _show_figure(figure: "Figure", entry: Item) -> None:
    import io

    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=SCREEN_DPI, metadata={"Software": None})
    _display(
        {"image/png": picture.getvalue(), "text/plain": f"{entry.label}. {entry.title}"},
        {"item": entry.id},
        {"image/png": {"alt": entry.alt}},
    )
    _show_caption(entry)


def _show_caption(entry: Item) -> None:
    caption = f'<p class="gb-caption"><strong>{entry.label}.</strong> {tables.inline(entry.caption)}</p>'
    _display({"text/html": caption, "text/plain": entry.caption}, {"item": entry.id, "caption": True})


def _display(bundle: dict[str, Any], about: dict[str, Any], more: dict[str, Any] | None = None) -> None:
    if "IPython" not in sys.modules:  # a plain script has nowhere to show it, and writing is enough
        return
    from IPython.display import display

    display(bundle, raw=True, metadata={"gamebalance": about, **(more or {})})
