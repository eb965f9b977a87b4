"""What Sphinx has to know: items and findings as directives, words of the glossary, Chinese, languages of pages."""

import re
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

from docutils import nodes
from numpy.typing import ArrayLike
from pygments.formatters import HtmlFormatter
from pygments.styles import get_style_by_name
from pygments.token import STANDARD_TYPES, Name
from sphinx.application import Sphinx
from sphinx.highlighting import PygmentsBridge
from sphinx.search.en import SearchEnglish
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import stringify_annotation

from gamebalance.publish.tables import CHINESE

#: Where no word becomes a link, and no Chinese is marked.
NO_PROSE = (nodes.literal, nodes.literal_block, nodes.raw, nodes.math, nodes.math_block, nodes.comment)
NO_LINKS = (nodes.reference, nodes.title, nodes.table, nodes.term)

#: A link from the code of the library back to the reference; not all that is defined there stands in it.
BACK = re.compile(r'<a class="viewcode-back" href="[^"]*#([^"]+)">\[docs\]</a>')

#: What stands in signatures for whatever numpy makes an array of.
ARRAYS = stringify_annotation(ArrayLike, "smart")


class Item(SphinxDirective):
    """A figure, table or page: its first paragraph is the caption; below or above it what is seen, and the menu."""

    required_arguments = 1
    has_content = True
    option_spec = {"kind": str}  # noqa: RUF012 - Sphinx reads it from the class

    def run(self) -> list[nodes.Node]:
        kind = self.options.get("kind", "figure")
        figure = nodes.figure("", classes=["item", f"item-{kind}", *(["figure"] if kind == "figure" else [])])
        figure["names"].append(self.arguments[0])
        self.state.document.note_explicit_target(figure, figure)
        caption, *body = self.parse_content_to_nodes()
        caption = nodes.caption("", "", *caption.children)
        figure += [*body[:-1], caption, body[-1]] if kind == "figure" else [caption, *body]
        return [figure]


class Finding(SphinxDirective):
    """A finding: one paragraph that can be linked to."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        box = nodes.container("", *self.parse_content_to_nodes(), classes=["finding"])
        box["ids"].append(f"finding-{self.arguments[0]}")
        return [box]


class Coloured(HtmlFormatter):
    """Code with a class for each colour, and none where it is plain: a third of the tags."""

    def _get_css_class(self, ttype: Any) -> str:
        return _colour(ttype) if ttype in STANDARD_TYPES else super()._get_css_class(ttype)


@cache
def _colour(kind: Any) -> str:
    """The first class that looks the same in the light and in the dark."""
    styles = [get_style_by_name(f"a11y-high-contrast-{theme}") for theme in ("light", "dark")]
    looks = {other: [style.style_for_token(other) for style in styles] for other in STANDARD_TYPES}
    return next((STANDARD_TYPES[other] for other in looks if looks[kind] == looks[other] != looks[Name]), "")


class Search(SearchEnglish):
    """English, each of whose words is brought to its stem once."""

    def __init__(self, options: dict[str, str]) -> None:
        super().__init__(options)
        self.stem = cache(super().stem)  # type: ignore[method-assign]


def _mark(app: Sphinx, doctree: nodes.document) -> None:
    """Link the words of the glossary where each first stands in a chapter, and mark Chinese as such."""
    page = app.env.current_document.docname
    terms = dict(app.config.gamebalance_terms) if page.startswith("chapters/") else {}
    for text in list(doctree.findall(nodes.Text)):
        parents, parent = [], text.parent
        while parent is not None:
            parents.append(parent)
            parent = parent.parent
        if not any(isinstance(each, NO_PROSE) for each in parents):
            linked = not any(isinstance(each, NO_LINKS) for each in parents)
            pieces = _pieces(str(text), terms if linked else {}, page)
            if len(pieces) > 1 or not isinstance(pieces[0], nodes.Text):
                text.parent.replace(text, pieces)


def _pieces(text: str, terms: dict[str, tuple[str, str]], page: str) -> list[nodes.Node]:
    """A text with its Chinese in the language it is in, and each word of the glossary as a link, once."""
    pieces, start = [], 0
    for found in _pattern(tuple(terms)).finditer(text):
        before, word = text[start : found.start()], found.group()
        if CHINESE.fullmatch(word):
            piece = nodes.raw("", f'<span lang="zh-Hans">{word}</span>', format="html")
        elif word in terms:
            anchor, says = terms[word]
            address = "../" * page.count("/") + f"glossary.html#{anchor}"
            piece = nodes.reference("", word, refuri=address, reftitle=says, classes=["term"], internal=True)
            for form in [form for form, (other, _) in terms.items() if other == anchor]:
                del terms[form]
        else:
            continue
        pieces += [nodes.Text(before), piece] if before else [piece]
        start = found.end()
    return [*pieces, nodes.Text(text[start:])] if text[start:] or not pieces else pieces


@cache
def _pattern(forms: tuple[str, ...]) -> re.Pattern[str]:
    """Chinese, or one of some words, longer ones first: "best reply" before "best"."""
    longest = sorted(forms, key=len, reverse=True)
    words = [rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest))})(?![\w-])"] if forms else []
    return re.compile("|".join([CHINESE.pattern, *words]))


def _finish(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Say the theme's words of a page in its language, and leave out links that lead nowhere or to another one."""
    language, navigation = app.config.gamebalance_languages.get(page, (None, []))
    if language or page.startswith("source/"):
        context["prev"] = context["next"] = None
    if language:
        context |= {"language": language.tag, "gettext": language.text}
        context["theme_search_bar_text"] = language.text("Search")
        context["generate_header_nav_html"] = lambda **_: _head(navigation, page, context["pathto"])
    if page.startswith("_modules/"):
        known = app.env.domains.python_domain.objects
        context["body"] = BACK.sub(lambda link: link[0] if link[1] in known else "", context["body"])


def _head(navigation: list[tuple[str, str]], page: str, address: Callable[[str], str]) -> str:
    """The links in the head of a page, as the theme writes them."""
    links = []
    for target, title in navigation:
        name, sign, place = target.partition("#")
        here = ' aria-current="page"' if target == page else ""
        href = f"{address(name).removesuffix('#')}{sign}{place}" or "#"
        link = f'<a class="nav-link nav-internal" href="{href}"{here}>{title}</a>'
        links.append(f'<li class="nav-item{" current active" if here else ""}">{link}</li>')
    return "\n".join(links)


def _skip(app: Sphinx, what: str, name: str, thing: object, skip: bool, options: Any) -> bool | None:
    """Leave out fields of named tuples, which Python describes by their numbers alone."""
    return True if (getattr(thing, "__doc__", None) or "").startswith("Alias for field number") else None


def _readable(
    app: Sphinx, what: str, name: str, thing: object, options: Any, signature: str | None, returned: str | None
) -> tuple[str | None, str | None]:
    """A signature without what Python writes where a default is made anew, and with the name of what arrays can be."""
    return signature and signature.replace("<factory>", "...").replace(ARRAYS, "ArrayLike"), returned


def _defined(app: Sphinx, module: str, name: str) -> str | None:
    """The module where a public name is defined, whatever made one of its attributes."""
    origin = getattr(getattr(sys.modules[module], name.partition(".")[0], None), "__module__", None)
    return origin if origin and origin.startswith("gamebalance.") else module


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_config_value("gamebalance_terms", {}, "env")
    app.add_config_value("gamebalance_languages", {}, "html")
    app.add_directive("item", Item)
    app.add_directive("finding", Finding)
    app.add_search_language(Search)
    PygmentsBridge.html_formatter = Coloured
    if "sphinx.ext.autodoc" in app.extensions:
        app.connect("autodoc-skip-member", _skip)
        app.connect("autodoc-process-signature", _readable)
        app.connect("viewcode-follow-imported", _defined)
    app.connect("doctree-read", _mark)
    app.connect("html-page-context", _finish, priority=900)  # when the theme has had its say
    return {"parallel_read_safe": True, "parallel_write_safe": True}
