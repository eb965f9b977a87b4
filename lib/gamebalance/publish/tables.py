"""A data frame as an accessible HTML table and as plain text.

Not pandas' Styler, whose headers have no scope, nor great_tables, whose title is no caption and whose first column has
no header; what would mend their HTML is longer than the template here.
"""

import html
import itertools
import math
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas

    from gamebalance.publish.entries import Item

Format = str | Callable[[Any], str]

#: Texts up to this length are not broken into lines; tables with more rows come in a box that scrolls, and with more
#: columns are set closer.
SHORT, LONG, WIDE = 30, 50, 15

# The style stands inline because JupyterLab loads no style sheet of ours; its colour follows the theme in use there.
BOX = (
    '<div class="gb-long" tabindex="0" role="region" aria-label="{label}" style="max-height: 32em; overflow: auto">\n'
    "{table}\n</div>"
)
STICKY = ' style="position: sticky; top: 0; background: var(--jp-layout-color0, Canvas)"'

# The shared name lets one part at a time be open, without a script.
PARTS = '<div class="gb-parts" id="{identifier}">\n<p class="gb-caption">{caption}</p>\n{parts}\n</div>'
PART = '<details name="{identifier}"{opened}>\n<summary>{value}</summary>\n{table}\n</details>'

TEMPLATE = """\
<table class="gb-table{{ dense }}"{% if identifier %} id="{{ identifier }}"{% endif %}>
<caption>{{ caption }}</caption>
<thead{{ sticky }}>
{%- for row in head %}
<tr>{% for text, across, down, kind in row %}<th scope="{{ 'colgroup' if across > 1 else 'col' }}"
{%- if across > 1 %} colspan="{{ across }}" style="text-align: center"{% endif %}
{%- if down > 1 %} rowspan="{{ down }}"{% endif %}
{%- if kind %} class="{{ kind }}"{% endif %}>{{ text }}</th>{% endfor %}</tr>
{%- endfor %}
</thead>
<tbody>
{%- for row in body %}
<tr>{% for text, kind in row %}{% if loop.first %}<th scope="row"{% else %}<td{% endif %}
{%- if kind %} class="{{ kind }}"{% endif %}>{{ text }}{{ '</th>' if loop.first else '</td>' }}{% endfor %}</tr>
{%- endfor %}
</tbody>
</table>"""

CHINESE = re.compile(r"[\u3400-\u9fff\uff01-\uff5e]+(?:[\s·、，]*[\u3400-\u9fff\uff01-\uff5e]+)*")


def _escaped(text: Any) -> str:
    return mark_chinese(html.escape(str(text)))


def mark_chinese(escaped: str) -> str:
    """Say which language a run of Chinese is in, so that a screen reader pronounces it and the right font shows it."""
    return CHINESE.sub(lambda run: f'<span lang="zh-Hans">{run.group()}</span>', escaped)


def inline(text: str) -> str:
    """HTML of a caption: escaped, with Markdown's ``*emphasis*``, ``**strong**`` and ```code```; mathematics stays."""
    parts = re.split(r"(\$[^$]+\$)", text)
    return "".join(html.escape(part, quote=False) if part.startswith("$") else _emphasis(part) for part in parts)


def _emphasis(text: str) -> str:
    text = mark_chinese(html.escape(text, quote=False))
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    text = re.sub(r"\*\*([^\s*](?:[^*]*[^\s*])?)\*\*", r"<strong>\1</strong>", text)
    return re.sub(r"\*([^\s*](?:[^*]*[^\s*])?)\*", r"<em>\1</em>", text)


def caption(item: "Item", note: str | None = None) -> str:
    """HTML of an item's label and caption, and of the note of a run that is not the full one."""
    small = f' <strong class="gb-small">{html.escape(note)}</strong>' if note else ""
    return f"<strong>{item.label}.</strong> {inline(item.caption)}{small}"


def _column(values: Any, form: Format | None) -> list[str]:
    """The texts of a column: its own format, or one that suits the column as a whole."""
    import pandas

    show = form if callable(form) else (form or _default(values)).format
    # pandas.NA is neither equal to itself nor different from itself.
    return ["–" if value is None or value is pandas.NA or value != value else show(value) for value in values]


def _default(values: Any) -> str:
    kind = values.dtype.kind
    if kind in "iu":
        # Thousands are set apart where there are any to speak of: 1,000,000 games, but the year or seed 2024.
        return "{:,}" if abs(values).max() >= 10_000 else "{}"
    if kind != "f":
        return "{}"
    # Four digits for the largest number, and the same number of decimals down the column, so that digits align.
    largest = abs(values[abs(values) < math.inf]).max()
    digits = 3 - math.floor(math.log10(largest)) if largest > 0 else 0
    return f"{{:,.{min(max(digits, 0), 8)}f}}"


def or_exact(form: str) -> Callable[[Any], str]:
    """A format for standard errors: numbers as `form` says, and the word "exact" for 0."""
    return lambda error: "exact" if error == 0 else form.format(error)


def formatted(frame: "pandas.DataFrame", formats: Mapping[Any, Format] | None = None) -> "pandas.DataFrame":
    """The frame as a reader sees it; columns of fractions without a format show four digits of their largest."""
    formats = dict(formats or {})
    unknown = [name for name in formats if name not in frame.columns]
    if unknown:
        known = ", ".join(map(str, frame.columns))
        raise ValueError(f"formats names the column {unknown[0]!r}, which the table lacks; its columns: {known}")
    texts = [_column(frame.iloc[:, place], formats.get(name)) for place, name in enumerate(frame.columns)]
    import pandas

    result = pandas.DataFrame(dict(enumerate(texts)), dtype=object)
    result.columns = frame.columns
    return result


def _head(columns: Any, kinds: list[str]) -> list[list[tuple[str, int, int, str]]]:
    """Rows of header cells (text, columns and rows spanned, kind); equal neighbours of the upper row become one."""
    if columns.nlevels == 1:
        return [[(_escaped(name), 1, 1, kind) for name, kind in zip(columns, kinds, strict=True)]]
    upper, lower = [], []
    for group, run in itertools.groupby(zip(columns, kinds, strict=True), key=lambda cell: cell[0][0]):
        cells = [(name, kind) for (_, name), kind in run]
        if group == "" or [name for name, _ in cells] == [""]:
            upper += [(_escaped(name or group), 1, 2, kind) for name, kind in cells]
        else:
            upper.append((_escaped(group), len(cells), 1, ""))
            lower += [(_escaped(name), 1, 1, kind) for name, kind in cells]
    return [upper, lower]


def to_html(item: "Item", frame: "pandas.DataFrame", texts: "pandas.DataFrame", note: str | None = None) -> str:
    """The table with caption and header scopes; a long one in a box that scrolls under its header."""
    table = _table(frame, texts, caption(item, note), item.id)
    return BOX.format(label=html.escape(item.label), table=table) if len(texts) > LONG else table


def first_name(frame: "pandas.DataFrame") -> str:
    """The name of the first column, the lower one of two levels."""
    name = frame.columns[0]
    return name[-1] or name[0] if isinstance(name, tuple) else name


def to_parts(item: "Item", frame: "pandas.DataFrame", texts: "pandas.DataFrame", note: str | None = None) -> str:
    """A table for each value of the first column, folded behind the value; the first one is open."""
    name, values = _escaped(first_name(texts)), texts.iloc[:, 0]
    parts: list[str] = []
    for value in values.unique():
        rows, shown = (values == value).to_numpy(), _cell(value)
        table = _table(frame.iloc[rows, 1:], texts.iloc[rows, 1:], f"{name} {shown}")
        parts.append(PART.format(identifier=item.id, opened="" if parts else ' open=""', value=shown, table=table))
    return PARTS.format(identifier=item.id, caption=caption(item, note), parts="\n".join(parts))


def _table(frame: "pandas.DataFrame", texts: "pandas.DataFrame", caption: str, identifier: str = "") -> str:
    """HTML of one table."""
    import jinja2

    kinds = [_kind(dtype.kind, texts.iloc[:, place]) for place, dtype in enumerate(frame.dtypes)]
    body = [
        [(_cell(text), kind) for text, kind in zip(row, kinds, strict=True)]
        for row in texts.itertuples(index=False, name=None)
    ]
    look = {"sticky": STICKY if len(body) > LONG else "", "dense": " dense" if texts.shape[1] > WIDE else ""}
    head = _head(texts.columns, kinds)
    template = jinja2.Environment(undefined=jinja2.StrictUndefined).from_string(TEMPLATE)
    return template.render(identifier=identifier, caption=caption, **look, head=head, body=body)


def _cell(text: str) -> str:
    """HTML of a cell; a long name of a module may be broken after its dots and underscores."""
    return re.sub(r"[\w.]{25,}", lambda name: re.sub(r"(?<=[._])(?=[A-Za-z])", "<wbr/>", name[0]), _escaped(text))


def _kind(dtype: str, texts: Any) -> str:
    """The class of a column: "n" for numbers, "s" for texts short enough to stay on one line, else none."""
    if dtype in "iufc":
        return "n"
    return "s" if max(map(len, texts), default=0) <= SHORT else ""


def to_text(item: "Item", texts: "pandas.DataFrame", note: str | None = None) -> str:
    """Return the table as aligned text under its label and title, and the note of a run that is not the full one."""
    import pandas

    with pandas.option_context("display.unicode.east_asian_width", True):
        table = texts.to_string(index=False, max_rows=None, max_cols=None, line_width=None)
    return "\n".join(filter(None, [f"{item.label}. {item.title}", note])) + f"\n\n{table}"
