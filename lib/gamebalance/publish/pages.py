"""A page within a page: how a self-contained HTML document is shown in a notebook and in the report."""

import html

from gamebalance.publish.entries import Item

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


def frame(item: Item, content: str) -> str:
    """The document, which must not fetch anything, in an ``iframe`` that may run its script and nothing more."""
    title = html.escape(f"{item.label}. {item.title}")
    return (
        f'<iframe class="gb-page" title="{title}" sandbox="allow-scripts" width="100%" height="{HEIGHT}" '
        f'style="border: 1px solid #8888; border-radius: 6px" srcdoc="{html.escape(content)}"></iframe>'
    )
