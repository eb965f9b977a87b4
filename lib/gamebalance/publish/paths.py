"""Every folder of the collection in one place."""

import os
from pathlib import Path

MANIFEST = "collection.yaml"
#: The package that runs, and its place in a checkout.
PACKAGE = Path(__file__).resolve().parents[1]
PLACE = Path("lib") / PACKAGE.name


class Project:
    """A folder, by its absolute path, with a ``collection.yaml`` and what stands beside it."""

    def __init__(self, root: Path):
        self.root = root
        self.manifest = root / MANIFEST
        self.published = root / "data" / "published"  # the printed tables, transcribed; never written by the code
        self.observed = root / "data" / "observed"  # counts from recorded games of people; likewise
        self.results = root / "data" / "results"  # CSV and records of the full-size runs
        self.figures = root / "figures"  # PNG, SVG and the report
        self.notebooks = root / "notebooks"
        self.pages = root / "pages"  # what the offline pages are made of: a folder each, by the id of its item
        self.build = root / "build"  # all that can be deleted: executed copies, logs, stamps, scratch output

    def relative(self, path: Path) -> str:
        """A path as people write it: relative to the root, with forward slashes."""
        path = Path(path)
        return path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else str(path)


def project() -> Project:
    """Find the project: ``GAMEBALANCE_ROOT``, the checkout of this package, or around the caller.

    A project, or a checkout around the caller, with a package of its own that is not the one that runs is refused: the
    results would be those of other code.
    """
    found = _found()
    if found is None:
        raise ValueError(f"no {MANIFEST} beside the package or above {Path.cwd()}; run this inside a checkout")
    return found


def with_tables() -> Project:
    """Where the frozen tables are: the project; without one the package, which carries them when it was installed."""
    found = _found()
    if found is None and (PACKAGE / "data").is_dir():
        return Project(PACKAGE)
    return found or project()


def _found() -> Project | None:
    """The project, None where there is none."""
    if named := os.environ.get("GAMEBALANCE_ROOT"):
        folder = Path(named).resolve()
        if not (folder / MANIFEST).is_file():
            raise ValueError(f"the project folder {folder} has no {MANIFEST}")
        return _own(Project(folder))
    here = Path.cwd()
    around = (_own(Project(folder)) for folder in (here, *here.parents) if (folder / MANIFEST).is_file())
    beside = (Project(folder) for folder in PACKAGE.parents if (folder / MANIFEST).is_file())
    found = next(around, None)  # refused even if it is not the one beside
    return next(beside, found)


def _own(found: Project) -> Project:
    """The project, unless it has a package of its own and another one runs."""
    package = found.root / PLACE
    if package.is_dir() and not package.samefile(PACKAGE):
        raise ValueError(
            f"{found.root} has its own {PLACE.as_posix()}, but the {PACKAGE.name} that runs is {PACKAGE}: "
            f"use the environment of {found.root} (make env, without VENV)"
        )
    return found


def output_root() -> Path:
    """``GAMEBALANCE_OUTPUT``, else ``build/scratch``: a run by hand or a test leaves the committed files alone."""
    named = os.environ.get("GAMEBALANCE_OUTPUT")
    return Path(named).resolve() if named else project().build / "scratch"
