"""A page within a page: how a self-contained HTML document is shown in a notebook and in the report."""

import base64
import html
import io
import re
from pathlib import Path

from gamebalance.publish.entries import Item

FONT = Path(__file__).parent / "assets" / "NotoSansCJKsc-subset.woff"
#: What many systems have no font for.
CHINESE = re.compile(r"[\u2e80-\u9fff\uff00-\uffef]")

#: Pixels; what does not fit scrolls inside the frame.
HEIGHT = 1060
#: Nearly all that the outputs of one notebook cell may take.
LARGEST = 1_000_000


def check(item: str, content: str) -> None:
    """Refuse, in one line, what is no whole HTML document or too large for a notebook."""
    if not isinstance(content, str) or not content.lower().startswith("<!doctype html>"):
        begins = " ".join(repr(content).split())[:40]
        raise ValueError(f"page {item} begins with {begins}: a whole document that begins <!doctype html> is needed")
    size = len(content.encode())
    if size > LARGEST:
        raise ValueError(f"page {item} has {size:,} bytes: at most {LARGEST:,} are allowed")


def with_font(content: str) -> str:
    """The document with a font of the Chinese characters in it, "Collection CJK", for systems that have none.

    Its style sheet has to name that font, and its policy to allow ``font-src data:``.
    """
    characters = "".join(sorted(set(CHINESE.findall(content))))
    if not characters:
        return content
    source = base64.b64encode(_subset(characters)).decode()
    face = f'@font-face{{font-family:"Collection CJK";src:url(data:font/woff;base64,{source}) format("woff")}}'
    return content.replace("</head>", f"<style>{face}</style>\n</head>", 1)


def _subset(characters: str) -> bytes:
    """The font of the report with these characters alone; always the same bytes."""
    from fontTools import subset

    options = subset.Options(layout_features=[], hinting=False)
    font = subset.load_font(io.BytesIO(FONT.read_bytes()), options)
    worker, file = subset.Subsetter(options), io.BytesIO()
    worker.populate(text=characters)
    worker.subset(font)
    font.flavor = "woff"
    font.save(file)
    return file.getvalue()


def frame(item: Item, content: str) -> str:
    """The document, which must not fetch anything, in an ``iframe`` that may run its script and nothing more."""
    title = html.escape(f"{item.label}. {item.title}")
    return (
        f'<iframe class="gb-page" title="{title}" sandbox="allow-scripts" width="100%" height="{HEIGHT}" '
        f'style="border: 1px solid #8888; border-radius: 6px" srcdoc="{html.escape(content)}"></iframe>'
    )
