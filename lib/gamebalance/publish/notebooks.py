"""Notebook files: as they are committed, what of them is source, and which run their outputs come from."""

import ast
import json
import re
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
    tags = cell.get("metadata", {}).get("tags", [])
    folded = cell["cell_type"] == "code" and HIDDEN in tags
    result = {
        "cell_type": cell["cell_type"],
        # papermill gives the cell it makes a random name.
        "id": INJECTED if INJECTED in tags else cell["id"],
        "metadata": {**({"tags": tags} if tags else {}), **({"jupyter": {"source_hidden": True}} if folded else {})},
        "source": _lines(_full_run(cell["source"]) if INJECTED in tags else cell["source"]),
    }
    if cell["cell_type"] == "code":
        result["execution_count"] = cell.get("execution_count")
        result["outputs"] = [_output(output) for output in _merged(cell.get("outputs", []))]
    if cell.get("attachments"):
        result["attachments"] = cell["attachments"]
    return result


def _full_run(source: str | list[str]) -> str:
    """The cell that papermill makes, with words that say what it is."""
    return f"{COMMENT}\n{re.sub(r'^#.*', '', ''.join(source)).strip()}"


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


def literals(notebook: str, source: str) -> dict[str, Any]:
    """The values that a cell of parameters assigns; ValueError, which names the notebook, if it does anything else."""
    found = {}
    for statement in ast.parse(source).body:
        targets = getattr(statement, "targets", None) or [getattr(statement, "target", None)]
        try:
            value = ast.literal_eval(statement.value)
            (name,) = [target.id for target in targets]
        except (AttributeError, ValueError):
            line = ast.unparse(statement)
            raise ValueError(f"{notebook}: the parameters cell may only hold name = literal, not {line}") from None
        found[name] = value
    return found


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
    found = []
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            found.append("".join(output.get("text", "")))
            data = output.get("data", {})
            found += ["".join(value) for kind, value in sorted(data.items()) if kind.startswith("text/")]
    return [PICTURE.sub("data:image/png;base64,", text) for text in found]


def shown(notebook: dict[str, Any]) -> dict[str, str]:
    """The HTML that a notebook shows of each item and finding, by the stem of their records."""
    found = {}
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            about = output.get("metadata", {}).get("gamebalance", {})
            name = f"finding-{about['finding']}" if "finding" in about else about.get("item")
            if name and not about.get("caption"):
                found[name] = "".join(output.get("data", {}).get("text/html", ""))
    return found


def without_pictures(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook with every picture in its outputs replaced by an empty one: what nbval compares with."""
    bare = json.loads(PICTURE.sub("data:image/png;base64,", json.dumps(notebook, ensure_ascii=False)))
    for cell in bare["cells"]:
        for output in cell.get("outputs", []):
            for kind in [kind for kind in output.get("data", {}) if kind.startswith("image/")]:
                output["data"][kind] = ""
    return bare
