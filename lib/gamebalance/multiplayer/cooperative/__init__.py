"""Cooperative games: what coalitions are worth, how their members can share it, and which coalitions form.

A `TUGame` (transferable utility) gives every coalition of up to 16 players a number. Given whole numbers or fractions
it answers in fractions, exactly, and with certificates (balanced weights, Kohlberg's criterion). That is why it is
ours; `coopgame`, which answers in floats, is the peer in the tests.
"""

from gamebalance.multiplayer.cooperative.game import SampledShapley, Structure, TUGame
from gamebalance.multiplayer.cooperative.nucleolus import LeastCore

__all__ = ["LeastCore", "SampledShapley", "Structure", "TUGame"]
