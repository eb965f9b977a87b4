"""What Sphinx is told: the theme, and that everything comes from this machine."""

from pathlib import Path
from typing import Any

from gamebalance.publish import translations
from gamebalance.publish.languages import Language
from gamebalance.publish.site.places import Places
from gamebalance.publish.site.rendering import plain

STATIC = Path(__file__).parent / "static"
#: A page that is its text alone, for the report.
BARE = Path(__file__).parent / "templates" / "bare"
ASSETS = Path(__file__).parents[1] / "assets"
STYLES, SCRIPTS = ("tables.css", "pictures.css"), ("tables.js", "pictures.js")
#: What shows the library.
LIBRARY = ("numpydoc", "sphinx.ext.autodoc", "sphinx.ext.viewcode")
EXTENSIONS = (
    "myst_nb",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.mathjax",
    "sphinx.ext.viewcode",
    "gamebalance.publish.site.extension",
)


def settings(places: Places) -> dict[str, Any]:
    """The configuration of Sphinx for the collection."""
    manifest = places.manifest
    return {
        "project": manifest.title,
        "author": "The gamebalance authors",
        "language": "en",
        "extensions": [name for name in EXTENSIONS if places.whole or name not in LIBRARY],
        "exclude_patterns": [],
        "default_role": "code",
        **_notebooks(),
        **_look(places),
        "mathjax_path": "mathjax-tex-svg-full.js",
        **(_library() if places.whole else {"templates_path": [str(BARE)]}),
        "toc_object_entries_show_parents": "hide",
        "python_use_unqualified_type_names": True,
        "gamebalance_terms": _terms(places),
        "gamebalance_languages": {
            f"{language.tag}/{page}": (language, _navigation(places, language))
            for language in translations.all_of(places.project)
            for page in ("index", "findings", "glossary")
            if language.code != "en"
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


def _notebooks() -> dict[str, Any]:
    """Committed outputs are shown, nothing is run."""
    return {
        "nb_execution_mode": "off",
        "nb_merge_streams": True,
        "nb_render_markdown_format": "myst",
        "nb_ipywidgets_js": {},
        "nb_code_prompt_show": "Code",
        "nb_code_prompt_hide": "Code",
        "myst_enable_extensions": ["amsmath", "colon_fence", "deflist", "dollarmath"],
        "myst_heading_anchors": 4,
        "suppress_warnings": ["mystnb.unknown_mime_type"],
    }


def _library() -> dict[str, Any]:
    return {
        "numpydoc_show_class_members": False,
        "autodoc_typehints": "signature",
        "autodoc_member_order": "bysource",
        "autodoc_preserve_defaults": True,
    }


def _look(places: Places) -> dict[str, Any]:
    return {
        "html_theme": "pydata_sphinx_theme",
        "html_title": "gamebalance",
        "html_favicon": str(STATIC / "icon.svg"),
        "html_short_title": "gamebalance",
        "html_static_path": [str(STATIC), str(ASSETS)],
        "html_extra_path": [str(places.folder / "files")],
        "html_css_files": [*STYLES, "site.css"],
        "html_js_files": [(name, {"defer": "defer"}) for name in (*SCRIPTS, "site.js")],
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
        "html_sidebars": {name: [] for name in _alone(places)},
    }


def _alone(places: Places) -> list[str]:
    """Pages that have no others beside them, so that their left side would be empty."""
    folders = [f"{language.tag}/*" for language in translations.all_of(places.project) if language.code != "en"]
    return ["index", "findings", "items", "glossary", "from-the-sources", "about", "try/*", *folders]


def _terms(places: Places) -> dict[str, tuple[str, str]]:
    """The forms of the glossary's words, each with its place in the glossary and what it means."""
    return {form: (term.id, plain(term.says)) for term in places.manifest.glossary for form in (term.term, *term.also)}
