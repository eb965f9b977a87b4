"""The offline pages: one HTML text each, put together from a folder of ``pages`` and from ``pages/shared``."""

import json
import re
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "pages"
#: What two pages or more use: the skeleton around their templates, styles and scripts.
SHARED = FOLDER / "shared"
#: Where texts to be translated stand in the data of pages.
IN_DATA = {
    "countn-explorer": "chapters.count_n_explorer:texts",
    "sanguosha-bench": "chapters.the_smallest_fair_change_page:texts",
    "werewolf": "chapters.mafia_as_it_is_played:texts",
}


def document(page: str, data: Any = None, ascii_only: bool = False) -> str:
    """The page of a folder as one HTML text, the same for the same files and data.

    The first line of ``template.html`` is the title. Where it says ``{{ name }}`` goes the script of that name, of the
    folder or shared, without comments and indents; to ``{{ data }}`` goes JSON that cannot end the element around it.
    """
    folder = FOLDER / page
    title, template = _read(folder / "template.html").split("\n", 1)
    style = "\n".join(_bare(place / "style.css") for place in (SHARED, folder))
    text = _read(SHARED / "page.html").replace("{{ title }}", title).replace("{{ style }}", style)
    text = text.replace("{{ template }}", template.rstrip())
    written = json.dumps(data, ensure_ascii=ascii_only, separators=(",", ":"), allow_nan=False).replace("</", "<\\/")
    return re.sub(r"\{\{ (\w+) \}\}", lambda name: written if name[1] == "data" else script(folder, name[1]), text)


def script(folder: Path, name: str) -> str:
    """A script as it stands in the pages: of the folder, or a shared one."""
    return _bare(next(file for place in (folder, SHARED) if (file := place / f"{name}.js").is_file()))


def every() -> dict[str, list[str]]:
    """The pages by name, and the texts in their data that are to be translated."""
    names = sorted(file.parent.name for file in FOLDER.glob("*/template.html"))
    return {name: resolve_name(IN_DATA[name])() if name in IN_DATA else [] for name in names}


def _bare(file: Path) -> str:
    """A script or a style sheet without indents, and without the lines that only its readers need."""
    lines = map(str.strip, _read(file).splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))


def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8")
