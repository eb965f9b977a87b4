"""Results that a notebook shows as a table: one base class, and the one place where they become HTML."""

import html
from collections.abc import Hashable, Mapping
from numbers import Integral, Rational, Real
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas

#: Significant digits of a number that is shown and of an error, and rows of a table; `to_frame` has all of them.
SHOWN_DIGITS, ERROR_DIGITS, MOST_ROWS = 6, 2, 60
#: How the heading of a column of standard errors begins.
ERROR = "±"


class Tabled:
    """A result with `to_frame`, a table of its numbers; a notebook shows that table under one sentence.

    Examples
    --------
    >>> import pandas
    >>> class Toss(Tabled):
    ...     def to_frame(self):
    ...         return pandas.DataFrame({"share": [0.5], "error": [0.1]}, index=pandas.Index(["heads"], name="side"))
    ...     def _about(self):
    ...         return "25 tosses"
    ...     def _headings(self):
    ...         return {"error": "± (s.e.)"}
    >>> Toss()._repr_html_().count('<th scope="row">'), "25 tosses</caption>" in Toss()._repr_html_()
    (1, True)
    """

    def to_frame(self) -> "pandas.DataFrame":
        """The numbers of the result."""
        raise NotImplementedError(f"{type(self).__name__} has no table of its numbers")

    def _about(self) -> str:
        """What the result is and how it was found, in one sentence."""
        return str(self)

    def _headings(self) -> Mapping[Any, str]:
        """What stands above a column, with its unit, where the name of the column does not say it."""
        return {}

    def _repr_html_(self) -> str:
        """The table of `to_frame` as HTML, for a notebook."""
        return _html(self.to_frame(), self._about(), self._headings())


def frame_by(name: str, columns: Mapping[str, Mapping[Hashable, Any]]) -> "pandas.DataFrame":
    """A frame with the columns that each give a value to the same labels; `name` is what the labels are.

    Examples
    --------
    >>> frame_by("player", {"share": {("A", 1): 0.4, ("B", 2): 0.6}})["share"].tolist()
    [0.4, 0.6]
    """
    import pandas

    index = pandas.Index(list(next(iter(columns.values()))), name=name, tupleize_cols=False)
    return pandas.DataFrame({column: list(values.values()) for column, values in columns.items()}, index)


def digits(value: Any, most: int = SHOWN_DIGITS) -> str:
    """A number as a reader sees it: fractions and whole numbers as they are, others with so many significant digits.

    >>> digits(1234), digits(2 / 3)
    ('1,234', '0.666667')
    """
    if isinstance(value, Rational) and not isinstance(value, Integral):
        return str(value)
    return f"{int(value):,}" if isinstance(value, Integral) else format(float(value), f",.{most}g")


def _html(frame: "pandas.DataFrame", about: str, headings: Mapping[Any, str]) -> str:
    """A table with a caption, and a header for each column and each row: the index, else the first column."""
    import pandas

    if not isinstance(frame.index, pandas.RangeIndex) or frame.index.name is not None:
        frame = frame.reset_index()
    rows = frame.astype(object).head(MOST_ROWS).itertuples(index=False, name=None)
    names = [html.escape(headings.get(name, str(name).replace("_", " "))) for name in frame.columns]
    head = "".join(f'<th scope="col">{name}</th>' for name in names)
    lines = [
        '<table class="gb-result">',
        f'<caption style="text-align: left">{html.escape(about)}</caption>',
        f"<thead><tr>{head}</tr></thead>",
        "<tbody>",
    ]
    shown = [ERROR_DIGITS if name.startswith(ERROR) else SHOWN_DIGITS for name in names]
    for row in rows:
        first, *rest = (_cell(*each) for each in zip(row, shown, strict=True))
        cells = "".join(f"<td>{text}</td>" for text in rest)
        lines.append(f'<tr><th scope="row">{first}</th>{cells}</tr>')
    lines += ["</tbody>", "</table>"]
    more = len(frame) - MOST_ROWS
    return "\n".join([*lines, f"<p>… and {more:,} more rows, in to_frame()</p>"] if more > 0 else lines)


def _cell(value: Any, most: int) -> str:
    """A value in a cell; an empty one where there is none."""
    if value is None or value != value or type(value).__name__ == "NAType":
        return ""
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    return digits(value, most) if is_number else html.escape(str(value))
