"""Players who win and lose together against one adversary: what they can guarantee, by how much they can coordinate.

Three guarantees, from the least coordination to the most. *Pure*: one plan for the whole team, known to the adversary.
*Independent*: each member mixes alone, the team-maxmin of von Stengel and Koller (1997); finding the best is not a
linear problem, and what is found here is a lower bound. *Correlated*: before the game the team draws a joint plan in
secret, which is TMECor of Celli and Gatti (2018), a linear program over plans, solved by generating columns.

What a guarantee is measured in is the mean payoff of the team's members; the adversary makes it small. Where the game
is constant-sum between team and adversary, that is what a selfish adversary does.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from gamebalance._checks import check_seed, whole_number
from gamebalance.multiplayer.cfr._team_form import TOLERANCE, Guarantee, TeamForm
from gamebalance.multiplayer.cfr.tree import GameTree

__all__ = ["MOST_PLANS", "TOLERANCE", "Guarantee", "correlated_maxmin", "independent_maxmin", "pure_maxmin"]

#: Plans that `correlated_maxmin` tries before it stops with the bounds reached.
MOST_PLANS = 500


def pure_maxmin(game: Any, team: Sequence[int]) -> Guarantee:
    """The best single joint plan without any chance in it, against an adversary who knows it.

    One mixed-integer program: the team's plan in zeros and ones, and the dual of the adversary's best response. A
    few hundred sequences can take minutes.

    Parameters
    ----------
    game : ExtensiveGame or GameTree
        The game.
    team : sequence of int
        The members: all players but one.

    Returns
    -------
    Guarantee

    Raises
    ------
    ValueError
        If the team is not all players but one.
    """
    form = TeamForm(GameTree.of(game), team)
    if not form.pays_something:
        return form.trivial()
    upper, plan = form.best_known_plan()
    return form.guarantee([1.0], [plan], upper=max(upper, form.guaranteed([1.0], [plan])[0]))


def correlated_maxmin(game: Any, team: Sequence[int], most_plans: int = MOST_PLANS) -> Guarantee:
    """The best secret draw among joint plans: the team-maxmin equilibrium with correlation, by column generation.

    Parameters
    ----------
    game : ExtensiveGame or GameTree
        The game.
    team : sequence of int
        The members: all players but one.
    most_plans : int
        Stop after so many plans, with the bounds reached.

    Returns
    -------
    Guarantee
        `value` and `upper` differ by no more than 1e-6, the precision of the integer programs, unless `most_plans` was
        reached.

    Raises
    ------
    ValueError
        If the team is not all players but one.

    References
    ----------
    A. Celli and N. Gatti, "Computational results for extensive-form adversarial team games", AAAI 2018.
    """
    most_plans = whole_number("most_plans", most_plans, 1)
    form = TeamForm(GameTree.of(game), team)
    if not form.pays_something:
        return form.trivial()
    rng = np.random.default_rng(0)
    plans, upper, holder = [form.good_plan(form.uniform_adversary, rng)[1]], np.inf, None
    while True:
        value, weights, against = form.mix(plans)
        gain, plan = form.good_plan(against, rng)
        if gain <= value + TOLERANCE or len(plans) >= most_plans:
            # Nothing better was found quickly: the integer program finds it, or proves that there is nothing.
            best, gain, plan = form.best_plan(against)
            if best < upper:
                upper, holder = best, against
            if min(upper, gain) - value <= TOLERANCE or len(plans) >= most_plans:
                return form.guarantee(weights, plans, upper=max(upper, value), adversary=holder)
        plans.append(plan)


def independent_maxmin(game: Any, team: Sequence[int], starts: int = 20, seed: int = 0) -> Guarantee:
    """A good plan of members who mix each on their own; a lower bound of the team-maxmin value.

    From random strategies all members move a little at a time, by the linear program that is best for the team
    against the worst adversary when the product of their strategies is replaced by its tangent; a step that does not
    help is tried again at a quarter of its length. The best of all starts counts.

    Parameters
    ----------
    game : ExtensiveGame or GameTree
        The game.
    team : sequence of int
        The members: all players but one.
    starts : int
        Random starts.
    seed : int
        For them.

    Returns
    -------
    Guarantee
        `upper` is infinite: the method proves none. The value of `correlated_maxmin` is one.

    Raises
    ------
    ValueError
        If the team is not all players but one, or a number is out of range.

    References
    ----------
    B. von Stengel and D. Koller, "Team-maxmin equilibria", Games and Economic Behavior 21 (1997) 309-321.
    """
    starts = whole_number("starts", starts, 1)
    rng = np.random.default_rng(check_seed(seed))
    form = TeamForm(GameTree.of(game), team)
    if not form.pays_something:
        return form.trivial()
    reached = [form.climb(form.random_plan(rng)) for _ in range(starts)]
    _, plan = max(reached, key=lambda each: each[0])
    return form.guarantee([1.0], [plan], upper=np.inf)
