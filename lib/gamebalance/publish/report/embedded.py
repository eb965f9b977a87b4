"""Files as addresses that hold them: what the report shows and hands out goes with it wherever it is taken.

Texts stand in it as they are, not compressed: without a script a reader saves them under their names, every machine
writes the same bytes, and the compression of a repository or a server does as well as one of ours.
"""

import base64
import mimetypes
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from gamebalance.publish.entries import Item
from gamebalance.publish.paths import Project

#: Larger drawings than this are embedded as pixels.
SVG_BYTES = 500_000
#: Dots per inch of the PNG files against those of a CSS pixel.
PIXELS = 200 / 96
#: Browsers follow no longer address than this.
LONGEST = 2_000_000
#: What each kind of text is called, and how it is offered.
TEXTS = {".csv": ("text/csv", "Data (CSV)"), ".json": ("application/json", "Record (JSON)")}
#: In the text of an address: what would end it, or a browser leaves out.
UNSAFE = {ord(sign): f"%{ord(sign):02X}" for sign in '%#"&<>\n\r\t'}
#: The value of an attribute, and what in a drawing is never seen.
VALUE = re.compile(r'="([^"]*)"')
UNSEEN = re.compile(r"<\?xml.*?\?>|<!DOCTYPE.*?>|<!--.*?-->|<metadata>.*?</metadata>", re.DOTALL)


def data_uri(file: Path) -> str:
    """A file as a ``data:`` address; a drawing or a table as text, all else in base 64."""
    if file.suffix == ".svg":
        return f"data:image/svg+xml,{_drawing(file.read_text(encoding='utf-8'))}"
    if file.suffix in TEXTS:
        text = file.read_bytes().decode("utf-8").translate(UNSAFE)
        return f"data:{TEXTS[file.suffix][0]};charset=utf-8,{text}"
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    return f"data:{kind};base64,{base64.b64encode(file.read_bytes()).decode()}"


def _drawing(svg: str) -> str:
    """An SVG as the text of an address: attributes in single quotes, so that few signs need three letters instead."""
    shorter = re.sub(r">\s+<", "><", " ".join(UNSEEN.sub("", svg).split()))
    quoted = re.sub(r"<[^>]*>", lambda tag: VALUE.sub(_in_single_quotes, tag[0]), shorter)
    # Attributes in HTML may hold these two, and every tag of the drawing has them.
    return quoted.translate({code: text for code, text in UNSAFE.items() if chr(code) not in "<>"})


def _in_single_quotes(value: re.Match) -> str:
    return "='{}'".format(value[1].replace("'", "&apos;"))


def files(project: Project, paths: Iterable[str]) -> list[dict[str, str]]:
    """Tables and records to save, from their paths relative to the root: text of the link, address and file name.

    ValueError for a file that is longer than an address may be.
    """
    found = []
    for path in paths:
        file = project.root / path
        if file.suffix not in TEXTS:
            continue
        address = data_uri(file)
        if len(address.encode()) > LONGEST:
            raise ValueError(f"{path}: the report offers no file of more than {LONGEST:,} bytes as an address")
        found.append({"text": TEXTS[file.suffix][1], "address": address, "name": file.name})
    return found


def drawing(project: Project, item: Item) -> dict[str, Any]:
    """The picture of a figure as an address that holds it, with its width and height on a page."""
    file, width, height = picture(project, item)
    return {"source": data_uri(file), "width": width, "height": height}


def picture(project: Project, item: Item) -> tuple[Path, int, int]:
    """The file of a figure that is shown on a page, with its width and height there."""
    png, svg = project.figures / f"{item.id}.png", project.figures / f"{item.id}.svg"
    width, height = _size(png)
    return svg if svg.stat().st_size <= SVG_BYTES else png, round(width / PIXELS), round(height / PIXELS)


def _size(png: Path) -> tuple[int, int]:
    """Width and height of a PNG, which stand in its first chunk."""
    with png.open("rb") as file:
        head = file.read(24)
    return int.from_bytes(head[16:20]), int.from_bytes(head[20:24])
