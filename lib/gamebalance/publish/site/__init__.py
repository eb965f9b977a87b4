"""``build/site/html``: the collection as a web site, one page for each chapter, made by Sphinx without a network.

The committed notebooks are shown as they stand; nothing is run. `pages` writes what Sphinx reads, into
``build/site/source``, from the notebooks and the manifest; `chapters` turns a notebook into a page; `library` lists the
public names of the package for the API reference; `extension` is what Sphinx has to know of items and of the glossary.
"""

import gc
import shutil
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gamebalance.base.checks import check_workers
from gamebalance.publish import files, translations
from gamebalance.publish.languages import Language
from gamebalance.publish.manifest import Manifest
from gamebalance.publish.paths import Project
from gamebalance.publish.site import pages
from gamebalance.publish.site.places import Places

STATIC = Path(__file__).parent / "static"
#: Templates of a page: of the site, and of the report, where it is its text alone.
WHOLE, BARE = (Path(__file__).parent / "templates" / name for name in ("whole", "bare"))
ASSETS = Path(__file__).parents[1] / "assets"
#: What Sphinx is extended by, and what of this shows the library.
EXTENSIONS = ["myst_nb", "numpydoc", *(f"sphinx.ext.{name}" for name in ("autodoc", "mathjax", "viewcode"))]
LIBRARY = ("numpydoc", "sphinx.ext.autodoc", "sphinx.ext.viewcode")
#: Everything comes from this machine; committed outputs are shown, nothing is run.
SETTINGS: dict[str, Any] = {
    "author": "The gamebalance authors",
    "language": "en",
    "exclude_patterns": [],
    "default_role": "code",
    "nb_execution_mode": "off",
    "nb_merge_streams": True,
    "nb_render_markdown_format": "myst",
    "nb_ipywidgets_js": {},
    "nb_code_prompt_show": "Code",
    "nb_code_prompt_hide": "Code",
    "myst_enable_extensions": ["amsmath", "colon_fence", "deflist", "dollarmath"],
    "myst_heading_anchors": 4,
    "suppress_warnings": ["mystnb.unknown_mime_type"],
    "html_theme": "pydata_sphinx_theme",
    "html_title": "gamebalance",
    "html_favicon": str(STATIC / "icon.svg"),
    "html_short_title": "gamebalance",
    "html_static_path": [str(STATIC), str(ASSETS)],
    "html_css_files": ["tables.css", "pictures.css", "site.css"],
    "html_js_files": [(name, {"defer": "defer"}) for name in ("near.js", "tables.js", "pictures.js", "site.js")],
    "html_copy_source": False,
    "html_search_scorer": str(STATIC / "scorer.js"),
    "html_domain_indices": False,
    "html_show_sourcelink": False,
    "html_show_sphinx": False,
    "html_context": {"default_mode": "auto"},
    "html_theme_options": {
        "logo": {"text": "gamebalance"},
        "navbar_align": "left",
        "header_links_before_dropdown": 8,
        "navigation_depth": 3,
        "show_nav_level": 1,
        "show_toc_level": 2,
        "secondary_sidebar_items": ["page-toc"],
        "footer_start": ["copyright"],
        "footer_end": [],
        "back_to_top_button": False,
        "pygments_light_style": "a11y-high-contrast-light",
        "pygments_dark_style": "a11y-high-contrast-dark",
    },
    "mathjax_path": "mathjax-tex-svg-full.js",
    "mathjax_options": {"type": "text/plain", "class": "mathjax"},  # near.js starts it
    "toc_object_entries_show_parents": "hide",
    "python_use_unqualified_type_names": True,
}
#: How the library is shown.
OF_LIBRARY = {
    "numpydoc_show_class_members": False,
    "autodoc_typehints": "signature",
    "autodoc_member_order": "bysource",
    "autodoc_preserve_defaults": True,
}


def build(project: Project, manifest: Manifest, workers: int = 1, whole: bool = True) -> tuple[Path, list[str]]:
    """Bring the site up to date, in so many processes; return its folder and what Sphinx warns of.

    If it is not to be `whole`, it has what the report shows: no library, no code of it, no search.
    """
    workers = check_workers(workers)
    folder = project.build / ("site" if whole else "report")
    source, target = folder / "source", folder / "html"
    complete = folder / "complete"  # only beside a site that was brought to its end
    if not complete.exists():
        for half in (target, folder / "doctrees"):
            shutil.rmtree(half, ignore_errors=True)
    complete.unlink(missing_ok=True)
    places = Places(project, manifest, folder, whole)
    with _few_collections():
        _write(source, pages.texts(places))
        pages.copy_files(places, folder / "files")
        lines = _sphinx(places, source, target, workers)
    complete.touch()
    return target, lines


@contextmanager
def _few_collections() -> Iterator[None]:
    """Let Python look for garbage more seldom: it would take a fifth of the time, among the nodes of large pages."""
    before = gc.get_threshold()
    gc.set_threshold(50_000, 20, 20)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _write(folder: Path, texts: dict[str, str]) -> None:
    """Write what has changed and remove what is no more, so that Sphinx reads again only what is new."""
    for name, text in texts.items():
        file = folder / name
        if not file.is_file() or file.read_text(encoding="utf-8") != text:
            files.write(file, text)
    for file in folder.rglob("*"):
        if file.is_file() and file.relative_to(folder).as_posix() not in texts:
            file.unlink()


def _sphinx(places: Places, source: Path, target: Path, workers: int) -> list[str]:
    """Run Sphinx; the lines of its warnings."""
    from io import StringIO

    from sphinx.application import Sphinx
    from sphinx.errors import SphinxError
    from sphinx.util.docutils import docutils_namespace

    lines, doctrees = StringIO(), places.folder / "doctrees"
    options: dict[str, Any] = {"confoverrides": settings(places), "status": None, "warning": lines, "parallel": workers}
    with docutils_namespace(), warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # among its own parts
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        app: Any = Sphinx(source, None, target, doctrees, "html", **options)
        app.builder.search = places.whole
        try:
            app.build()
        except SphinxError as error:  # what another process of its meets is no more than a text
            raise ValueError(f"{places.project.relative(target)}: {error}") from error
    shutil.rmtree(target / "_sources", ignore_errors=True)
    (target / "_static" / "webpack-macros.html").unlink(missing_ok=True)  # a template of the theme's
    return lines.getvalue().strip().splitlines()


def settings(places: Places) -> dict[str, Any]:
    """The configuration of Sphinx for the collection."""
    languages = [language for language in translations.all_of(places.project) if language.code != "en"]
    extensions = [name for name in EXTENSIONS if places.whole or name not in LIBRARY]
    # Pages that have no others beside them, so that their left side would be empty.
    alone = ["index", "findings", "items", "glossary", "from-the-sources", "about", "try/*"]
    alone += [f"{language.tag}/*" for language in languages]
    return {
        **SETTINGS,
        "project": places.manifest.title,
        "extensions": [*extensions, "gamebalance.publish.site.extension"],
        "html_extra_path": [str(places.folder / "files")],
        "html_sidebars": {name: [] for name in alone},
        "templates_path": [str(WHOLE if places.whole else BARE)],
        **(OF_LIBRARY if places.whole else {}),
        "gamebalance_terms": pages.terms(places),
        "gamebalance_languages": {
            f"{language.tag}/{page}": (language, _navigation(places, language))
            for language in languages
            for page in ("index", "findings", "glossary")
        },
    }


def _navigation(places: Places, language: Language) -> list[tuple[str, str]]:
    """The head of pages in a language beside English: each page, or a place on it, and its title."""
    say, start = language.text, f"{language.tag}/index"
    tools = [(places.tool(page), say(page.title)) for page in places.manifest.pages]
    texts = [(f"{language.tag}/{page.lower()}", say(page)) for page in ("Findings", "Glossary")]
    others = [other for other in translations.all_of(places.project) if other.code != language.code]
    starts = [("index" if other.code == "en" else f"{other.tag}/index", other.name) for other in others]
    return [(f"{start}#contents", say("Contents")), *tools, *texts, *starts]
