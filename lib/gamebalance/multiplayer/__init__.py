"""Methods for games of three and more players: search, equilibrium, coalitions, learning and beliefs.

Nothing here knows a particular game. A game is any object with the few methods that `protocols` names; textbook games
stand in `gamebalance.games`. The parts load on first use.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submodules=["beliefs", "cfr", "cooperative", "normal_form", "protocols", "search"],
    submod_attrs={"at_once": ["in_turn", "with_memory"], "protocols": ["CHANCE", "OVER"]},
)
