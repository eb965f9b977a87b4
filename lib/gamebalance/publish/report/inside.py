"""Links in a report that may lie anywhere: those into it lead there, others name what the collection holds."""

import html
import posixpath
import re
from urllib.parse import unquote, urlsplit

from bs4 import BeautifulSoup, Tag

from gamebalance.publish.manifest import Manifest

#: Paths of the files of an item.
OF_ITEM = re.compile(r"(?:figures|data/results)/([a-z0-9-]+)\.(?:png|svg|html|csv|json)")


def place(manifest: Manifest, path: str) -> str | None:
    """The address inside the report of a file of the collection, by its path from the root; None where it has none."""
    for notebook in manifest.notebooks:
        if path == notebook.path:
            return f"#{notebook.name}"
    found = OF_ITEM.fullmatch(path)
    return f"#{found[1]}" if found and found[1] in {item.id for item in manifest.items} else None


def settle(soup: BeautifulSoup, manifest: Manifest, folder: str) -> None:
    """Let no link lead out of the report but to the web; the soup, whose links start from `folder`, is changed."""
    for link in (link for link in soup.find_all("a") if link.has_attr("href")):
        parts = urlsplit(str(link["href"]))
        if parts.scheme or parts.netloc or not parts.path:
            continue
        path = posixpath.normpath(posixpath.join(folder, unquote(parts.path)))
        address = place(manifest, path)
        if address:
            link["href"] = address
        else:
            _name(soup, link, path)


def _name(soup: BeautifulSoup, link: Tag, path: str) -> None:
    """Put the path of a file after the words of a link to it, unless they are the path."""
    if link.get_text().strip() != path:
        code = soup.new_tag("code")
        code.string = path
        link.insert_after(" (", code, ")")
    link.unwrap()


def settled(text: str, manifest: Manifest, folder: str) -> str:
    """The same for a piece of HTML."""
    soup = BeautifulSoup(text, "html.parser")
    settle(soup, manifest, folder)
    return soup.decode(formatter=lambda content: html.escape(content, quote=False))
