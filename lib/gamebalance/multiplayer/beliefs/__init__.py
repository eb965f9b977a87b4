"""What a player can know: exact posteriors over roles and types, and how to judge such beliefs afterwards.

`Posterior` is Bayes' rule over finitely many hypotheses, `role_assignments` lists the hypotheses of a hidden-role game,
`calibration` scores beliefs against the truth, `opponents` learns which declared strategy an opponent plays.
"""

from gamebalance.multiplayer.beliefs import calibration, opponents
from gamebalance.multiplayer.beliefs.assignments import assignment_count, role_assignments
from gamebalance.multiplayer.beliefs.posterior import Posterior, entropy

__all__ = ["Posterior", "assignment_count", "calibration", "entropy", "opponents", "role_assignments"]
