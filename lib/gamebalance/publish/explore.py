"""A figure with controls: in a live notebook widgets, everywhere else the picture of one setting.

Whatever a reader has set can be taken away: as a line of Python, as the command that runs the notebook with it, as a
link to a page that knows the same names.
"""

import asyncio
import base64
import html
import io
import os
import shlex
from collections.abc import Mapping
from importlib.util import find_spec
from itertools import groupby
from typing import TYPE_CHECKING, Any

from gamebalance.base.controls import Answer, Choice, Controls, Model, Slider, written
from gamebalance.publish import tables
from gamebalance.publish.entries import Item

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: What a server of notebooks calls a kernel's session, and what it calls nobody else's.
SESSION = "JPY_SESSION_NAME"
#: The parameter of a notebook that holds a setting.
PARAMETER = "setting"
#: Seconds without a new value after which an answer is computed: a key that is held down asks for one answer.
QUIET = 0.15
#: Pixels per inch of the picture.
DPI = 110
#: One click selects the whole line.
SELECTED = 'style="user-select: all; white-space: pre-wrap"'

COMPUTING = (
    "<style>@keyframes gb-late { from { opacity: 0 } to { opacity: 1 } }</style>"
    '<span role="status" style="animation: gb-late 0s 0.4s both"><strong>Computing …</strong></span>'
)
TABLE = (
    "<style>.gb-numbers { overflow-x: auto } .gb-numbers table { border-collapse: collapse; "
    "font-variant-numeric: tabular-nums; line-height: 1.5; white-space: nowrap } "
    ".gb-numbers caption { text-align: left; padding: 0.6em 0 0.3em } "
    ".gb-numbers th { font-weight: 600; text-align: left; padding: 0 0.8em 0 0; vertical-align: bottom } "
    ".gb-numbers td { padding: 0 0.8em 0 0; text-align: right } .gb-numbers thead .n { text-align: right } "
    ".gb-numbers tbody tr { border-top: 1px solid var(--jp-border-color2, #ccc) }</style>"
)


def is_live() -> bool:
    """Whether somebody can use the controls: a server of notebooks has started this kernel for a reader.

    A run by papermill or nbval is nobody's session: the kernels of this project's runner are told to be silent, pytest
    names itself, and a program that belongs to a session hands on a name that is not its kernels'.
    """
    silent = os.environ.get("GAMEBALANCE_PROGRESS") == "0" or "PYTEST_VERSION" in os.environ
    return SESSION in os.environ and not silent and find_spec("ipywidgets") is not None and not _handed_on()


def _handed_on() -> bool:
    """Whether the program that started this kernel belongs to a session itself and has handed on its name."""
    import psutil

    try:
        return SESSION in psutil.Process(os.getppid()).environ()
    except (psutil.Error, OSError):
        return False


class Panel:
    """The controls beside the answer, which follows them.

    A ValueError of the `answer` is shown in one line, and the last answer stays. `setting` is where the controls stand
    at first, and `found` the answer to it. `notebook` is its name, for the command that runs it with a setting, `page`
    where the page is that the links of the answers are about, and `caption`, HTML, says what the figure is.
    """

    def __init__(
        self,
        controls: Controls,
        answer: Model,
        setting: Mapping[str, Any],
        found: Answer,
        notebook: str | None = None,
        page: str | None = None,
        caption: str = "",
    ) -> None:
        import ipywidgets

        self._controls, self._answer, self._notebook, self._page = controls, answer, notebook, page
        self._waiting: asyncio.TimerHandle | None = None
        self.widgets = {name: widget_of(control, setting[name]) for name, control in controls.items()}
        self.picture, self.numbers, self.exports, self.status = (ipywidgets.HTML() for _ in range(4))
        self.status.layout.min_height = "2em"
        self.caption = ipywidgets.HTML(caption)
        button = ipywidgets.Layout(flex="0 0 auto", width="24em")
        self.reset = ipywidgets.Button(description="Back to the start", layout=button)
        self.whole = self._arranged(ipywidgets)
        start = dict(setting)
        self._show(start, found)
        for widget in self.widgets.values():
            widget.observe(self._soon, "value")
        self.reset.on_click(lambda _: self.set(start))

    def bundle(self) -> dict[str, Any]:
        """What a live notebook shows of it, beside what every other reader sees."""
        return {kind: value for kind, value in self.whole._repr_mimebundle_().items() if kind != "text/plain"}

    @property
    def setting(self) -> dict[str, Any]:
        return {name: widget.value for name, widget in self.widgets.items()}

    def set(self, setting: Mapping[str, Any]) -> None:
        """Move all controls that are named, and answer once."""
        for name, value in setting.items():
            widget = self.widgets[name]
            widget.unobserve(self._soon, "value")
            widget.value = value
            widget.observe(self._soon, "value")
        self._soon()

    def follow(self) -> None:
        """Answer to where the controls stand."""
        from matplotlib.pyplot import close

        self._waiting, self.status.value, setting = None, COMPUTING, self.setting
        try:
            found = self._answer(**setting)
        except Exception as error:
            said = " ".join(str(error).split()) if isinstance(error, ValueError) else type(error).__name__
            self.status.value = f'<span role="alert"><strong>{html.escape(said)}</strong></span>'
            if isinstance(error, ValueError):
                return
            raise
        self._show(setting, found)
        close(found.figure)

    def _soon(self, _: Any = None) -> None:
        """Follow once the reader pauses; at once where no loop runs that could wait."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self.follow()
            return
        if self._waiting is not None:
            self._waiting.cancel()
        self._waiting = loop.call_later(QUIET, self.follow)

    def _show(self, setting: Mapping[str, Any], found: Answer) -> None:
        """Put an answer in the place of the last one; its sentence describes the figure to whom cannot see it."""
        (source, width), text = png(found.figure), html.escape(found.sentence)
        image = f'<img src="{source}" alt="{text}" width="{width}" style="max-width: 100%; background: white">'
        said = f'<p style="max-width: 50em; line-height: 1.4">{tables.mark_chinese(text)}</p>'
        self.picture.value = said + image
        item = Item(id="explored", kind="table", label="Numbers", title="Numbers", caption="What the figure shows.")
        frame = found.data if found.table is None else found.table
        table = tables.to_html(item, frame, tables.formatted(frame))
        self.numbers.value = f'{TABLE}<div class="gb-numbers">{table}</div>'
        self.exports.value = exports(written(self._controls, setting), found, self._notebook, self._page)
        self.status.value = ""

    def _arranged(self, ipywidgets: Any) -> Any:
        """Controls in a column that scrolls, the answer beside it or, where that is too narrow, below."""
        layout, parts = ipywidgets.Layout, [self.reset]
        for heading, group in groupby(self.widgets, lambda name: self._controls[name].group):
            title = ipywidgets.HTML(f"<strong>{tables.mark_chinese(html.escape(heading))}</strong>")
            column = [title, *(self.widgets[name] for name in group)]
            parts.append(ipywidgets.VBox(column, layout=layout(flex="0 0 auto", width="24em", overflow="hidden")))
        wrapped = {"flex_flow": "row wrap", "width": "auto"}
        scrolls = {"flex": "1 1 25em", "max_height": "41em", "overflow": "hidden auto", "align_content": "flex-start"}
        self.fields = ipywidgets.HBox(parts, layout=layout(**wrapped, **scrolls))
        answer = ipywidgets.VBox(
            [self.status, self.picture, self.caption, self.numbers], layout=layout(flex="9999 1 46em")
        )
        return ipywidgets.VBox([ipywidgets.HBox([self.fields, answer], layout=layout(**wrapped)), self.exports])


def widget_of(control: Slider | Choice, value: Any) -> Any:
    """The widget of a control, at this value; its label has room, and says what group it belongs to."""
    import ipywidgets

    spoken = ": ".join(filter(None, [control.group, control.hint or control.label]))
    look = {
        "description": control.label,
        "tooltip": spoken,
        "style": {"description_width": "10.5em"},
        "layout": ipywidgets.Layout(width="23.5em", flex="0 0 auto"),
    }
    if isinstance(control, Choice):
        return ipywidgets.Dropdown(options=control.options, value=value, **look)
    kind = ipywidgets.IntSlider if control.whole else ipywidgets.FloatSlider
    ends = {"min": control.least, "max": control.most, "step": control.step}
    return kind(value=value, **ends, **look, continuous_update=False)


def png(figure: "Figure", dpi: int = DPI) -> tuple[str, int]:
    """A figure as the source of an image, and its width in pixels."""
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=dpi, metadata={"Software": None})
    content = file.getvalue()
    width = int.from_bytes(content[16:20])  # stands in the first chunk of a PNG
    return f"data:image/png;base64,{base64.b64encode(content).decode()}", width


def exports(state: str, found: Answer, notebook: str | None = None, page: str | None = None) -> str:
    """A setting to take away: the line of Python, the command that runs the notebook with it, the link to a page."""
    lines = {"In Python": found.code}
    if notebook:
        lines["This notebook, run with it"] = f"make run NB={notebook} P={shlex.quote(f'{PARAMETER}={state}')}"
    if page and found.link is not None:
        lines["On the offline page"] = f"{page}#{found.link}" if found.link else page
    rows = (f"<strong>{name}:</strong> <code {SELECTED}>{html.escape(line)}</code>" for name, line in lines.items())
    return f'<p class="gb-exports" style="line-height: 1.5; overflow-wrap: anywhere">{"<br>".join(rows)}</p>'
