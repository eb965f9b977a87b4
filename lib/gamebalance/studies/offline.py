"""Pages that need no network: one HTML text, put together from the files of a folder."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def document(folder: Path, names: Iterable[str], data: Any = None) -> str:
    """The page of a folder as one HTML text, the same for the same files and data.

    Parameters
    ----------
    folder : Path
        Where ``template.html``, ``style.css`` and the scripts are.
    names : iterable of str
        The scripts, without ``.js``; each goes where the template says ``{{ name }}``, the style to ``{{ style }}``,
        both without comments and indents.
    data : optional
        What goes to ``{{ data }}``, as JSON that cannot end the element around it.
    """
    text = (folder / "template.html").read_text(encoding="utf-8")
    for name in ("style.css", *(f"{script}.js" for script in names)):
        text = text.replace(f"{{{{ {name.partition('.')[0]} }}}}", _bare(folder / name))
    if data is None:
        return text
    written = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("{{ data }}", written.replace("</", "<\\/"))


def _bare(file: Path) -> str:
    """A script or a style sheet without indents, and without the lines that only its readers need."""
    lines = map(str.strip, file.read_text(encoding="utf-8").splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))
