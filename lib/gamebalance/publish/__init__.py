"""The press around the science: manifest, frozen tables, figures and tables of a notebook, runner, report; no game.

Nothing is imported before it is used: ``gamebalance --help`` and a ``make figures`` with nothing to do start no
plotting library.
"""

import sys

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submodules=["style"],
    submod_attrs={
        "book": ["Book", "source"],
        "printed": ["observed", "published"],
        "progress_bar": ["progress"],
    },
)


def _tell(text: str) -> None:
    from gamebalance.publish.progress_bar import tell

    tell(text)


if "ipykernel" in sys.modules:  # elsewhere a line on standard error will do
    from gamebalance.base import announce

    announce.listen(_tell)
