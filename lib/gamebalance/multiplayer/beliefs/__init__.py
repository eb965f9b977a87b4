"""What a player can know: exact posteriors over roles and types, and how to judge such beliefs afterwards.

`Posterior` is Bayes' rule over finitely many hypotheses, `role_assignments` lists the hypotheses of a hidden-role game,
`TypeModel` and `CountModel` learn how an opponent plays, and `calibration` scores beliefs against the truth.
"""

from gamebalance.multiplayer.beliefs import calibration
from gamebalance.multiplayer.beliefs.posterior import CountModel, Posterior, TypeModel, entropy, role_assignments

__all__ = ["CountModel", "Posterior", "TypeModel", "calibration", "entropy", "role_assignments"]
