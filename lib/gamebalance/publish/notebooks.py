"""Notebook files: as they are committed, what of them is source, their parameters, and which run outputs come from."""

import ast
import contextlib
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from gamebalance.publish.files import sha256

#: Where papermill puts the parameters of a run: below the cell with the defaults, anew in each run.
INJECTED = "injected-parameters"
#: What that cell says of itself.
COMMENT = "# The full run, whose outputs these are. To try other values, change these: they count, not those above."
#: The tag of a code cell whose input is folded, in JupyterLab and in the report.
HIDDEN = "hide-input"
#: What a widget leaves in an output; without the kernel that drew it, it is nothing but an error.
WIDGET = "application/vnd.jupyter.widget-view+json"
#: What a parameter with a default of a type has to be.
TYPES = {bool: "true or false", int: "a whole number", float: "a number", str: "a text", list: "a list"}
#: All that a committed notebook says of itself; the rest changes from run to run and tells a reader nothing.
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
LANGUAGE = {
    "codemirror_mode": {"name": "ipython", "version": 3},
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "name": "python",
    "nbconvert_exporter": "python",
    "pygments_lexer": "ipython3",
}


def read(file: Path) -> dict[str, Any]:
    """The content of a notebook; ValueError, in one line, if the file is none."""
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        if isinstance(content, dict) and isinstance(content["cells"], list):
            return content
    except (ValueError, KeyError):
        pass
    raise ValueError(f"{file.name} is no notebook, or a broken one; restore it with git checkout")


def text(notebook: dict[str, Any]) -> str:
    """The text of its file, as nbformat writes it."""
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def cells(file: Path) -> list[dict[str, Any]]:
    """The cells that are source: type, tags, text; what a run injected is none."""
    return [
        {"type": cell["cell_type"], "tags": _tags(cell), "source": "".join(cell["source"])}
        for cell in read(file)["cells"]
        if INJECTED not in _tags(cell)
    ]


def _tags(cell: dict[str, Any]) -> list[str]:
    return sorted(cell.get("metadata", {}).get("tags", []))


def normalised(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook as it is committed: sources, ids, counts and outputs, without a trace of when and where it ran."""
    metadata = {"kernelspec": KERNEL, "language_info": LANGUAGE}
    kept = [_cell(cell) for cell in notebook["cells"]]
    return {"cells": kept, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def _cell(cell: dict[str, Any]) -> dict[str, Any]:
    tags, source, name = cell.get("metadata", {}).get("tags", []), "".join(cell["source"]), cell["id"]
    folded = cell["cell_type"] == "code" and HIDDEN in tags
    if INJECTED in tags:  # papermill gives the cell it makes a random name, and no words that say what it is
        name, source = INJECTED, f"{COMMENT}\n{re.sub(r'^#.*', '', source).strip()}"
    result = {
        "cell_type": cell["cell_type"],
        "id": name,
        "metadata": {**({"tags": tags} if tags else {}), **({"jupyter": {"source_hidden": True}} if folded else {})},
        "source": _lines(source),
    }
    if cell["cell_type"] == "code":
        result["execution_count"] = cell.get("execution_count")
        result["outputs"] = [_output(output) for output in _merged(cell.get("outputs", []))]
    if cell.get("attachments"):
        result["attachments"] = cell["attachments"]
    return result


def _lines(source: str | list[str]) -> list[str]:
    return "".join(source).splitlines(keepends=True)


def _merged(outputs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The outputs with neighbouring pieces of one stream as one: how a stream is cut is an accident."""
    merged: list[dict[str, Any]] = []
    for output in outputs:
        last = merged[-1] if merged else {}
        if output["output_type"] == "stream" and last.get("name") == output["name"]:
            last["text"] = "".join(last["text"]) + "".join(output["text"])
        else:
            merged.append(dict(output))
    return merged


def _output(output: dict[str, Any]) -> dict[str, Any]:
    result = {key: value for key, value in output.items() if key != "transient"}
    if "text" in result:
        result["text"] = _lines(result["text"])
    if "data" in result:
        result["data"] = {
            kind: _lines(value) if kind.startswith("text/") or kind.endswith("+xml") else value
            for kind, value in result["data"].items()
            if kind != WIDGET
        }
    return result


def digest(file: Path) -> str:
    """The hash of a notebook's sources."""
    return sha256(json.dumps(cells(file), sort_keys=True, ensure_ascii=False))


def holds_run(notebook: dict[str, Any], parameters: dict[str, Any]) -> bool:
    """Whether the outputs of a notebook are those of a run with these parameters, as far as it says itself."""
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    injected = [cell for cell in code if INJECTED in _tags(cell)]
    found = literals("the full run", "".join(injected[0]["source"])) if injected else {}
    return found == parameters and all(cell.get("execution_count") for cell in code)


#: A picture inside an output.
PICTURE = re.compile(r"data:image/png;base64,[A-Za-z0-9+/=]*")


def texts(notebook: dict[str, Any]) -> list[str]:
    """All that the outputs of a notebook say in text, without pictures."""
    said = []
    for output in _outputs(notebook):
        said.append("".join(output.get("text", "")))
        said += ["".join(value) for kind, value in sorted(output.get("data", {}).items()) if kind.startswith("text/")]
    return [PICTURE.sub("data:image/png;base64,", text) for text in said]


def _outputs(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    return [output for cell in notebook["cells"] for output in cell.get("outputs", [])]


def shown(notebook: dict[str, Any]) -> dict[str, str]:
    """The HTML that a notebook shows of each item and finding, by the stem of their records."""
    content = {}
    for output in _outputs(notebook):
        about = output.get("metadata", {}).get("gamebalance", {})
        name = f"finding-{about['finding']}" if "finding" in about else about.get("item")
        if name and not about.get("caption"):
            content[name] = "".join(output.get("data", {}).get("text/html", ""))
    return content


def without_pictures(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook with every picture in its outputs replaced by an empty one: what nbval compares with."""
    bare = json.loads(PICTURE.sub("data:image/png;base64,", json.dumps(notebook, ensure_ascii=False)))
    for output in _outputs(bare):
        output.get("data", {}).update({kind: "" for kind in output.get("data", {}) if kind.startswith("image/")})
    return bare


def declared(file: Path) -> dict[str, Any]:
    """The parameters of a notebook and their defaults: literals that one cell tagged ``parameters`` assigns, if any."""
    tagged = [cell for cell in cells(file) if "parameters" in cell["tags"]]
    if len(tagged) > 1:
        raise ValueError(f"{file.name} has {len(tagged)} cells tagged parameters; one is allowed")
    return literals(file.name, tagged[0]["source"]) if tagged else {}


def literals(notebook: str, source: str) -> dict[str, Any]:
    """The values that a cell of parameters assigns; ValueError, which names the notebook, if it does anything else.

    papermill.inspect_notebook reads such a cell, too, but as texts: what is no literal passes.
    """
    values = {}
    statement: Any
    for statement in ast.parse(source).body:
        targets = getattr(statement, "targets", None) or [getattr(statement, "target", None)]
        try:
            (name,) = [target.id for target in targets]
            values[name] = ast.literal_eval(statement.value)
        except (AttributeError, ValueError):
            line = ast.unparse(statement)
            raise ValueError(f"{notebook}: the parameters cell may only hold name = literal, not {line}") from None
    return values


def describe(defaults: dict[str, Any]) -> str:
    """One line with all parameters and their defaults."""
    return ", ".join(f"{name}={_shown(value)}" for name, value in defaults.items()) or "it has no parameters"


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (list, bool)) or value is None else str(value)


def check_types(values: dict[str, Any], defaults: dict[str, Any]) -> dict[str, Any]:
    """The values, each of the type of its default; a ValueError ends with all parameters and their defaults."""
    known = f"parameters and defaults: {describe(defaults)}"
    for name, value in values.items():
        if name not in defaults:
            raise ValueError(f"unknown parameter {name!r}; {known}")
        if not _fits(value, defaults[name]):
            wanted = TYPES.get(type(defaults[name]), type(defaults[name]).__name__)
            raise ValueError(f"{name} must be {wanted}, not {_shown(value)}; {known}")
    return {name: float(value) if type(defaults[name]) is float else value for name, value in values.items()}


def _fits(value: Any, default: Any) -> bool:
    if default is None:
        return True
    if type(default) is float:
        return type(value) in (int, float) and value == value
    if isinstance(default, (list, tuple)):
        return isinstance(value, (list, tuple)) and (not default or all(_fits(entry, default[0]) for entry in value))
    return type(value) is type(default)


def parse(assignments: Iterable[str], defaults: dict[str, Any]) -> dict[str, Any]:
    """Read ``name=value`` arguments, values as in YAML; where the default is a text, ``0123`` keeps its zero."""
    values = {}
    for assignment in assignments:
        name, equals, text = assignment.partition("=")
        name = name.strip()
        if not equals or not name:
            raise ValueError(f"{assignment!r} is not of the form name=value; for example {describe(defaults)}")
        if name in values:
            raise ValueError(f"parameter {name!r} is given twice")
        values[name] = _read(text.strip(), defaults.get(name))
    return check_types(values, defaults)


def _read(text: str, default: Any) -> Any:
    import yaml

    if isinstance(default, str):
        return text
    # A list of texts keeps its texts too: YAML would read 0123 as the octal number 83.
    texts = isinstance(default, list) and default and isinstance(default[0], str)
    try:
        value = yaml.load(text, yaml.BaseLoader if texts else yaml.SafeLoader)
    except yaml.YAMLError:
        return text
    # 1_000_000 and 1e6 are numbers to a Python reader; YAML 1.1 takes the second for a text.
    if type(default) is float and isinstance(value, str):
        with contextlib.suppress(ValueError):
            return float(value)
    return value
