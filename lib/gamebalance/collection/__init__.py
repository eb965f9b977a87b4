"""The collection around the science: manifest, published tables, figures and tables of a notebook, runner, report.

Nothing here knows a game, and nothing here is imported before it is used: ``gamebalance --help`` and a second
``make figures`` with nothing to do start no plotting library.
"""

import sys
from typing import Any

from . import paths

__all__ = ["Book", "paths", "progress", "published", "style"]


def _tell(text: str) -> None:
    from .progress_bar import tell

    tell(text)


if "ipykernel" in sys.modules:  # the command line listens for itself
    from gamebalance import _announce

    _announce.listen(_tell)


def __getattr__(name: str) -> Any:
    if name == "Book":
        from .book import Book as value
    elif name == "published":
        from .printed import published as value
    elif name == "progress":
        from .progress_bar import progress as value
    elif name == "style":
        # "from . import style" would ask this very function for it, for ever.
        import gamebalance.collection.style as value
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
