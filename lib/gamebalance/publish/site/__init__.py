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

from gamebalance.base.checks import check_workers
from gamebalance.publish import files
from gamebalance.publish.manifest import Manifest
from gamebalance.publish.paths import Project
from gamebalance.publish.site import pages
from gamebalance.publish.site.places import Places


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
        texts = pages.texts(places)
        _write(source, texts)
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

    from gamebalance.publish.site.settings import settings

    lines = StringIO()
    with docutils_namespace(), warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # among its own parts
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        app = Sphinx(
            source,
            None,
            target,
            places.folder / "doctrees",
            "html",
            confoverrides=settings(places),
            status=None,
            warning=lines,
            parallel=workers,
        )
        app.builder.search = places.whole
        try:
            app.build()
        except SphinxError as error:  # what another process of its meets is no more than a text
            raise ValueError(f"{places.project.relative(target)}: {error}") from error
    shutil.rmtree(target / "_sources", ignore_errors=True)
    (target / "_static" / "webpack-macros.html").unlink(missing_ok=True)  # a template of the theme's
    return lines.getvalue().strip().splitlines()
