"""What a notebook does with its tables, figures, pages and findings: round, write, describe, show."""

import ast
import html
import inspect
import json
import re
import sys
import textwrap
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from gamebalance.base.controls import Controls, Model, read
from gamebalance.base.rounding import meant
from gamebalance.publish import explore, files, findings, pages, paths, provenance, tables, translations
from gamebalance.publish.entries import Item, Notebook
from gamebalance.publish.manifest import load

if TYPE_CHECKING:
    import pandas
    from IPython.display import Markdown
    from matplotlib.figure import Figure

#: Pixels per inch of the picture inside a notebook; the file in ``figures/`` is finer.
SCREEN_DPI, FILE_DPI = 110, 200
#: Parameters on which no result depends.
IDLE = {"workers"}
#: Where matplotlib writes or refers to a name, in an SVG, that ends in its hash.
SVG_NAME = re.compile(r'(\bid="|href="#|url\(#)(\w*?)([0-9a-f]{10})(?=["\)])')


class Book:
    """The tables, figures, pages and findings of one notebook, named by the ids of its sheet.

    A run with other parameters than the sheet's is no full run. It says so at once and in every table it writes, and
    states no finding. ValueError for a notebook or an id that the sheets do not know, or parameters with other names:
    ``book = publish.Book("five-to-ten-players", games=games, seed=seed)``.
    """

    def __init__(self, notebook: str, /, **parameters: Any) -> None:
        self._project = paths.project()
        self._notebook: Notebook = load(self._project).notebook(notebook)
        expected = self._notebook.parameters
        if set(parameters) != set(expected):
            raise ValueError(
                f"Book({notebook!r}) got the parameters {', '.join(parameters) or 'none'}; "
                f"{self._notebook.sheet} gives it {', '.join(expected) or 'none'}"
            )
        self._parameters = json.loads(json.dumps(parameters, default=_plain))
        self._note = size_note(self._parameters, expected)
        self.output = paths.output_root()
        if self._note:
            text = f"{self._note} Statements that need the full run are left out."
            _display({"text/html": f'<p class="gb-small"><strong>{html.escape(text)}</strong></p>', "text/plain": text})

    @property
    def full(self) -> bool:
        return self._note is None

    def state(self, sentence: str) -> None:
        """Show a sentence of Markdown that is true of the full run; any other run says that it leaves one out."""
        text = sentence if self.full else "*Left out: a statement that needs the full run.*"
        _display({"text/markdown": text, "text/plain": text})

    def table(
        self,
        item: str,
        frame: "pandas.DataFrame",
        formats: Mapping[Any, tables.Format] | None = None,
        index: bool = False,
        select: str | None = None,
    ) -> None:
        """Write a table with the digits that are meant and show it as a reader should see it.

        The numbers are rounded here, by `gamebalance.base.rounding.meant`. Two levels of columns become two header
        rows; `formats`, a format string (``"{:.2f}"``) or a function for a column, are for the display only, and so is
        `select`, the name of the first column: the rows of each of its values fold behind the value.
        """
        entry = self._entry(item, "table")
        if frame.columns.nlevels > 2:
            raise ValueError(f"table {item} has {frame.columns.nlevels} levels of columns; one or two are allowed")
        frame = meant(frame.reset_index() if index else frame)
        if select is not None and select != (first := tables.first_name(frame)):
            raise ValueError(f"table {item}: select = {select!r} is not its first column, {first!r}")
        texts = tables.formatted(frame, formats)
        content = (tables.to_parts if select else tables.to_html)(entry, frame, texts, self._note)
        self._record_item(entry, content, [self._write_csv(entry, frame)])
        _display({"text/html": content, "text/plain": tables.to_text(entry, texts, self._note)}, {"item": entry.id})

    def explore(
        self,
        item: str,
        controls: Controls,
        answer: Model,
        setting: str = "",
        page: str | None = None,
        prepare: Callable[[], object] | None = None,
    ) -> None:
        """Write and show the figure of one setting, as `figure` does; in a live notebook with controls.

        `answer` takes a value for each control, by name. `setting` is what differs from the defaults, as
        ``name=value&name=value``; a notebook with a parameter of this name can be run with any setting. `page` is where
        the page is that the links of the answers are about, and `prepare`, what makes later answers fast, is called in
        the background when there are controls. ValueError if the setting is none of these controls.
        """
        entry = self._entry(item, "figure")
        state = read(controls, setting)
        found, beside = answer(**state), None
        if explore.is_live():
            notebook = self._notebook.name if explore.PARAMETER in self._parameters else None
            caption = tables.caption(entry, self._note)
            beside = explore.Panel(controls, answer, state, found, notebook, page, caption).bundle()
            if prepare:
                Thread(target=prepare, daemon=True).start()
        self.figure(item, found.figure, found.data, beside)

    def figure(
        self, item: str, figure: "Figure", data: "pandas.DataFrame", beside: dict[str, Any] | None = None
    ) -> None:
        """Write a figure as PNG and SVG with the numbers it plots, which readers compare; show it and close it.

        Its output holds what is `beside`, by media type, for those who can show that.
        """
        from matplotlib import pyplot, rc_context

        entry = self._entry(item, "figure")
        folder = self.output / "figures"
        with rc_context({"svg.hashsalt": "gamebalance"}):
            png = files.write(folder / f"{entry.id}.png", lambda file: _save(figure, file, entry))
            svg = files.write(folder / f"{entry.id}.svg", lambda file: _save(figure, file, entry))
        written = [png, svg, self._write_csv(entry, meant(data))]
        source, width = explore.png(figure, SCREEN_DPI)
        # As HTML: JupyterLab drops the alt text of a bare picture, which a reader who cannot see it needs.
        content = (
            f'<figure class="gb-figure" style="margin: 0"><img src="{source}" '
            f'alt="{html.escape(entry.alt or "")}" width="{width}" style="max-width: 100%; background: white">'
            f"<figcaption>{tables.caption(entry, self._note)}</figcaption></figure>"
        )
        self._record_item(entry, content, written)
        text = "\n".join(filter(None, [f"{entry.label}. {entry.title}", self._note, entry.caption]))
        _display({"text/html": content, "text/plain": text, **(beside or {})}, {"item": entry.id})
        pyplot.close(figure)

    def page(self, item: str, content: str) -> None:
        """Write a page and show it in a frame without access to anything outside.

        It is a whole HTML document, styles, scripts and data included; a megabyte at most. Translations of its texts,
        from the catalogues of that name, are put into it.
        """
        entry = self._entry(item, "page")
        pages.check(entry.id, content)
        content = translations.filled(self._project, entry.id, pages.with_font(content))
        pages.check(entry.id, content)
        file = files.write(self.output / "figures" / f"{entry.id}.html", content)
        shown = pages.frame(entry, content)
        self._record_item(entry, shown, [file])
        _display({"text/html": shown, "text/plain": f"{entry.label}. {entry.title}"}, {"item": entry.id})
        caption = f'<p class="gb-caption">{tables.caption(entry, self._note)}</p>'
        _display({"text/html": caption, "text/plain": entry.caption}, {"item": entry.id, "caption": True})

    def finding(
        self,
        finding: str,
        /,
        value: float,
        error: float = 0.0,
        kind: str | None = None,
        printed: float | None = None,
        at: float | None = None,
        **more: float,
    ) -> None:
        """Write a finding, the numbers of a claim in the sheet, and show it as a sentence.

        Parameters
        ----------
        value : int or float
            The number, unrounded, in the unit that the sheet gives it. A whole number stays one.
        error : float
            In the same unit, 0 or more; none for the last three kinds.
        kind : {"exact", "s.e.", "interval", "judged", "one run"}, optional
            What the number is, by default what its method leads to. The error of an exact one is a bound, 0 where only
            rounding is left; *interval* is an end of a confidence interval, *one run* comes from its clock.
        printed : int or float, optional
            What a source prints for it.
        at : float, optional
            For the method "decided": how many standard errors the decision was taken at.
        **more : int or float
            The other numbers of the claim, by the names they have there.
        """
        entry = self._notebook.finding(finding)
        result = findings.checked(entry, self._notebook, value, error, kind, printed, more, at)
        content = result.to_html()
        self._record(f"finding-{finding}", {**result.record(), "shown_sha256": files.sha256(content)})
        if not self.full:
            text = "Left out: a finding of the full run."
            _display({"text/plain": text}, {"finding": finding})
            return
        _display({"text/html": content, "text/plain": result.to_text()}, {"finding": finding})

    def _entry(self, identifier: str, kind: str) -> Item:
        entry = self._notebook.item(identifier)
        if entry.kind != kind:
            raise ValueError(f"{identifier} is a {entry.kind} in {self._notebook.sheet}; call Book.{entry.kind} for it")
        return entry

    def _write_csv(self, entry: Item, frame: "pandas.DataFrame") -> Path:
        flat = frame.copy(deep=False)
        if flat.columns.nlevels > 1:
            flat.columns = [" ".join(str(part) for part in column if str(part)) for column in flat.columns]
        # to_csv writes the shortest text that reads back as the same double, which holds the digits that are meant.
        text = flat.to_csv(index=False, lineterminator="\n")
        text = f"# {self._note}\n{text}" if self._note else text
        return files.write(self.output / "data" / "results" / f"{entry.id}.csv", text)

    def _record_item(self, entry: Item, shown: str, written: Sequence[Path]) -> None:
        """The hash of what a notebook shows of an item lets a test see that both are of one run."""
        about = {"item": entry.id, "kind": entry.kind, "notebook": self._notebook.path}
        self._record(entry.id, {**about, "shown_sha256": files.sha256(shown)}, written)

    def _record(self, name: str, about: dict[str, Any], written: Sequence[Path] = ()) -> None:
        record = {**about, **({"run": self._note} if self._note else {}), **provenance.record(self._parameters)}
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


def _save(figure: "Figure", file: Path, entry: Item) -> None:
    """Save without dates and versions, which would make equal figures differ."""
    blank = {"Software": None} if file.suffix == ".png" else {"Date": None, "Creator": None, "Title": entry.title}
    figure.savefig(file, dpi=FILE_DPI, metadata=blank)
    if file.suffix == ".svg":
        file.write_text(named(file.read_text(encoding="utf-8"), entry.id), encoding="utf-8", newline="\n")


def _display(bundle: dict[str, Any], about: dict[str, Any] | None = None) -> None:
    if "IPython" not in sys.modules:  # a plain script has nowhere to show it, and writing is enough
        return
    from IPython.display import display

    display(bundle, raw=True, metadata={"gamebalance": about} if about else {})


def size_note(parameters: Mapping[str, Any], full: Mapping[str, Any]) -> str | None:
    """One sentence on how a run differs from the full run; None where it does not."""
    other = [name for name in full if name not in IDLE and parameters[name] != full[name]]
    if not other:
        return None
    smaller = any(_smaller(parameters[name], full[name]) for name in other)
    head = "Small run" if smaller else "Not the full run"
    return f"{head}: {'; '.join(_difference(name, parameters[name], full[name]) for name in other)}."


def _smaller(value: Any, full: Any) -> bool:
    """Whether a value asks for less work: a smaller number, a False for a True, a shorter list."""
    lists, numbers = ([isinstance(each, kind) for each in (value, full)] for kind in (list, int | float))
    return (all(lists) and len(value) < len(full)) or ((all(lists) or all(numbers)) and value < full)


def _difference(name: str, value: Any, full: Any) -> str:
    counts = all(type(number) is int and number > 0 for number in (value, full))
    if counts and value < full and name not in ("seed", "game"):
        return f"{name} {value:,} of {full:,}"
    return f"{name} {_text(value)} instead of {_text(full)}"


def _text(value: Any) -> str:
    if type(value) is int:
        return f"{value:,}"
    return ", ".join(map(_text, value)) if isinstance(value, list) else str(value) or "nothing"


def named(svg: str, figure: str) -> str:
    """An SVG with each hash in a name replaced by one of the figure's name and the order of appearance.

    matplotlib names clip paths, markers and hatches by a hash of their unrounded coordinates, which differ between
    processors where the coordinates that are written, with six decimals, do not.
    """
    numbers: dict[str, int] = {}

    def name(place: re.Match) -> str:
        number = numbers.setdefault(place[2] + place[3], len(numbers))
        return place[1] + place[2] + files.sha256(f"{figure} {number}")[:10]

    return SVG_NAME.sub(name, svg)


def source(*functions: Callable[..., Any]) -> "Markdown":
    """Show the code of some functions or methods, of each docstring its first line, as the last value of a cell."""
    from IPython.display import Markdown

    return Markdown("```python\n" + "\n\n".join(_short(function) for function in functions) + "\n```")


def _short(function: Callable[..., Any]) -> str:
    """The source of a function with the first line of its docstring alone."""
    text = textwrap.dedent(inspect.getsource(inspect.unwrap(function))).rstrip()
    definition: Any = ast.parse(text).body[0]
    first, lines = definition.body[0], text.splitlines()
    if not ast.get_docstring(definition) or first.lineno == first.end_lineno:
        return text
    summary = lines[first.lineno - 1].rstrip() + '"""'
    return "\n".join([*lines[: first.lineno - 1], summary, *lines[first.end_lineno :]])
