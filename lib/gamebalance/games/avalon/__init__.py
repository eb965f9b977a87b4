"""Avalon: its rules, tables of five to ten people under any policies, exact chances, and bounds on best play."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submodules=["bounds", "exact", "posterior", "rules"],
    submod_attrs={
        "exact": ["at_random", "outcomes"],
        "playing": ["Played", "Policy", "Public", "games", "good_wins", "play", "simulate"],
        "policies": ["AtRandom", "Sensible"],
        "rules": ["BOARDS", "Board"],
    },
)
