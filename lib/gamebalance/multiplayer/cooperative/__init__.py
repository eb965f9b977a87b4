"""Cooperative games: what coalitions are worth, how their members can share it, and which coalitions form.

A `TUGame` (transferable utility) gives every coalition of up to 16 players a number. Given whole numbers or fractions
it answers in fractions, exactly; given floats, in floats.
"""

from .game import TUGame
from .nucleolus import LeastCore
from .properties import Violation
from .sampled import SampledShapley
from .structures import Structure

__all__ = ["LeastCore", "SampledShapley", "Structure", "TUGame", "Violation"]
