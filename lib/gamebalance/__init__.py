"""Is a multiplayer game fair, and how would we know?

Game engines, solvers and measures behind the notebooks of this collection. The parts load on first use, so that a
program which needs one of them does not pay for the others.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submodules=["as_published", "countn", "fairness", "games", "mafia", "multiplayer", "publish", "sanguosha"],
    submod_attrs={"base.version": ["__version__"], "fairness.spreads": ["balance", "rationality"]},
)
