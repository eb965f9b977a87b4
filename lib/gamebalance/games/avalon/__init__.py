"""Avalon: its rules, tables of five to ten people under any policies, exact chances, and bounds on best play."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submodules=["bounds", "posterior", "rules"],
    submod_attrs={
        "playing": ["Played", "Policy", "Public", "at_random", "games", "good_wins", "play", "simulate"],
        "policies": ["AtRandom", "Sensible"],
        "rules": ["BOARDS", "Board"],
    },
)
