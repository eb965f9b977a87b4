"""Pages that need no network: one HTML text, put together from the files of a folder."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

#: What all pages share: the switch of their language, and links to the report.
SHARED = Path(__file__).parent
#: Where the press puts the translations of a page's texts, which it finds by the name of the page.
TEXTS = '<script type="application/json" id="texts">{}</script>\n'


def document(folder: Path, names: Iterable[str], data: Any = None) -> str:
    """The page of a folder as one HTML text, the same for the same files and data.

    Parameters
    ----------
    folder : Path
        Where ``template.html``, ``style.css`` and the scripts are.
    names : iterable of str
        The scripts, without ``.js``; each goes where the template says ``{{ name }}``, the style to ``{{ style }}``,
        both without comments and indents. What the template has at ``{{ language }}``, before its own scripts, is
        ``language.js`` of this package.
    data : optional
        What goes to ``{{ data }}``, as JSON that cannot end the element around it.
    """
    text = (folder / "template.html").read_text(encoding="utf-8")
    style = _bare(folder / "style.css")
    if "{{ language }}" in text:
        style += "\n" + _bare(SHARED / "language.css")
        text = text.replace("</head>", f"{TEXTS}</head>", 1)
        text = text.replace("{{ language }}", language())
    text = text.replace("{{ style }}", style)
    for name in names:
        text = text.replace(f"{{{{ {name} }}}}", _bare(folder / f"{name}.js"))
    if data is None:
        return text
    written = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("{{ data }}", written.replace("</", "<\\/"))


def language() -> str:
    """The script that pages share, as it stands in them."""
    return _bare(SHARED / "language.js")


def _bare(file: Path) -> str:
    """A script or a style sheet without indents, and without the lines that only its readers need."""
    lines = map(str.strip, file.read_text(encoding="utf-8").splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))
