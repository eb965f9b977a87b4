"""The rule itself: the code of a function, as a cell shows it."""

import ast
import inspect
import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from IPython.display import Markdown


def source(*functions: Callable[..., Any]) -> "Markdown":
    """Show the code of some functions or methods, of each docstring its first line, as the last value of a cell."""
    from IPython.display import Markdown

    return Markdown("```python\n" + "\n\n".join(_short(function) for function in functions) + "\n```")


def _short(function: Callable[..., Any]) -> str:
    """The source of a function with the first line of its docstring alone."""
    text = textwrap.dedent(inspect.getsource(inspect.unwrap(function))).rstrip()
    (definition,) = ast.parse(text).body
    first, lines = definition.body[0], text.splitlines()
    if not ast.get_docstring(definition) or first.lineno == first.end_lineno:
        return text
    summary = lines[first.lineno - 1].rstrip() + '"""'
    return "\n".join([*lines[: first.lineno - 1], summary, *lines[first.end_lineno :]])
