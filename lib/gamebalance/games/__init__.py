"""Games to begin with: small ones with known answers, examples to copy, and adapters for other people's games.

Each is a module of its own, most of a hundred lines at most; `adapters` make games of this library out of those of
OpenSpiel and PettingZoo.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submodules=["adapters", "coalitions", "holdem"],
    submod_attrs={
        "auction": ["FirstPriceAuction"],
        "bang": ["Bang"],
        "cant_stop": ["CantStop"],
        "in_a_row": ["Board", "InARow", "tictactoe"],
        "kuhn": ["Kuhn"],
        "leduc": ["Leduc"],
        "liars_dice": ["LiarsDice"],
        "nim": ["Nim"],
        "pig": ["Pig"],
        "silent_werewolf": ["SilentWerewolf"],
        "skull": ["Skull"],
        "trees": ["RandomTree", "Tree", "deep_pruning_example"],
    },
)
