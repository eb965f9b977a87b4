"""Words of the glossary in a chapter: each becomes a link to its entry where it first stands."""

import re
from collections.abc import Iterable

from bs4 import BeautifulSoup, NavigableString, Tag

from gamebalance.publish.entries import Term

#: Where a reader meets running text, and what inside it is none.
PROSE = {"p", "li", "figcaption"}
NO_PLACE = {"a", "code", "pre", "h1", "h2", "h3", "h4", "h5", "h6", "table", "svg", "summary", "script", "style"}


def link_terms(soup: BeautifulSoup, glossary: list[Term]) -> None:
    """Link each term of the glossary once, at its first place in running text; the soup is changed."""
    left = {form: term for term in glossary for form in (term.term, *term.also)}
    if not left:
        return
    pattern = re.compile(words(left))
    seen: set[str] = set()
    for block in (tag for tag in soup.find_all(True) if tag.name in PROSE):
        for text in list(block.find_all(string=pattern)):
            if type(text) is NavigableString and not _inside(text):
                _link(soup, text, pattern, left, seen)


def words(forms: Iterable[str]) -> str:
    """A pattern for any of some forms, as words of their own; longer ones first: "best reply" before "best"."""
    longest = sorted(forms, key=len, reverse=True)
    return rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest))})(?![\w-])"


def _inside(text: NavigableString) -> bool:
    return any(isinstance(parent, Tag) and parent.name in NO_PLACE for parent in text.parents)


def _link(
    soup: BeautifulSoup, text: NavigableString, pattern: re.Pattern[str], left: dict[str, Term], seen: set[str]
) -> None:
    """Put links into one run of text, but not into its mathematics."""
    pieces: list[NavigableString | Tag] = []
    for part in re.split(r"(\$[^$]+\$)", str(text)):
        start = 0
        for found in () if part.startswith("$") else pattern.finditer(part):
            term = left[found.group()]
            if term.id in seen:
                continue
            seen.add(term.id)
            link = soup.new_tag("a", attrs={"class": "term", "href": f"#{term.id}", "title": plain(term.says)})
            link.string = found.group()
            pieces += [NavigableString(part[start : found.start()]), link]
            start = found.end()
        pieces.append(NavigableString(part[start:]))
    if any(isinstance(piece, Tag) for piece in pieces):
        text.replace_with(*pieces)


def plain(text: str) -> str:
    """A text without its Markdown."""
    return re.sub(r"[*`]", "", " ".join(text.split()))
