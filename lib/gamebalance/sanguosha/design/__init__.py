"""Points that make Sanguosha fair: the smallest change of the scoring rule after which all roles expect the same.

In the order in which to read it: `points` (what a role expects is affine in the points), `demands` (what a designer
wants kept), `nearest` (the smallest change, by linear, whole-number and least-distance programs), `fair` (the answer).
"""

from gamebalance.sanguosha.design.demands import DEMANDS
from gamebalance.sanguosha.design.fair import NORMS, FairPoints, fair_points, trade_off
from gamebalance.sanguosha.design.points import POINTS, envy, expected_points

__all__ = ["DEMANDS", "NORMS", "POINTS", "FairPoints", "envy", "expected_points", "fair_points", "trade_off"]
