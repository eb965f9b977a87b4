"""What players who win and lose together can be sure of against one adversary, if they draw joint plans in secret.

This is TMECor of A. Celli and N. Gatti (AAAI 2018), the team-maxmin equilibrium with a correlation device. A guarantee
is in the mean payoff of the team's members, which the adversary makes small.
"""

from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.optimize import Bounds, LinearConstraint, linprog, milp

from gamebalance.base.checks import listed, shown
from gamebalance.multiplayer.cfr.evaluate import plans as realized
from gamebalance.multiplayer.cfr.evaluate import respond_to
from gamebalance.multiplayer.cfr.tree import GameTree

#: Plans that are tried before it stops with the bounds reached, and how far apart two bounds may stay.
MOST_PLANS, TOLERANCE = 500, 1e-7


class Guarantee(NamedTuple):
    """What a draw of plans guarantees, what none exceeds, and a realization plan of the adversary that proves it."""

    value: float
    upper: float
    adversary: np.ndarray


def correlated_maxmin(game, team):
    """The best secret draw among joint plans, by column generation; the team are all players but one.

    The two bounds differ by no more than 1e-6, the precision of the integer programs, unless `MOST_PLANS` are tried.
    """
    form, rng = Team(GameTree.of(game), team), np.random.default_rng(0)
    against = realized(form.tree, form.tree.even)
    plans, upper, holder = [form.good_plan(against, rng)[1]], np.inf, against
    while True:
        value, against = form.mix(plans)
        gain, plan = form.good_plan(against, rng)
        if gain <= value + TOLERANCE or len(plans) >= MOST_PLANS:
            # Nothing better was found quickly: the integer program finds it, or proves that there is nothing.
            best, gain, plan = form.best_plan(against)
            if best < upper:
                upper, holder = best, against
            if min(upper, gain) - value <= TOLERANCE or len(plans) >= MOST_PLANS:
                return Guarantee(value, float(max(upper, value)), holder)
        plans.append(plan)


class Team:
    """The sequence form of a team against one adversary.

    A realization plan has a number for each sequence, of members or of the adversary, then 1 for the empty one.
    """

    def __init__(self, tree, team):
        self.tree, self.team = tree, sorted(set(listed("team", team)))
        others = set(range(tree.players)) - set(self.team)
        if len(others) != 1 or not 0 < len(self.team) < tree.players:
            raise ValueError(f"team = {shown(team)}: all players of {tree.players} but one are needed")
        (self.adversary,) = others
        self.payoffs, self.last = tree.payoffs[:, self.team].mean(axis=1), tree.last_sequence[:, self.team]
        # At each information set the moves sum to the sequence before it: flows @ plan == 1 where that is empty.
        sets, inner = np.arange(len(tree.set_parent)), tree.set_parent >= 0
        rows = np.concatenate([np.repeat(sets, np.diff(tree.first)), sets[inner]])
        columns = np.concatenate([np.arange(tree.sequences), tree.set_parent[inner]])
        signs = np.repeat([1.0, -1.0], [tree.sequences, inner.sum()])
        self.flows = sparse.csr_array((signs, (rows, columns)), shape=(len(sets), tree.sequences))

    def mix(self, plans):
        """The best draw among plans: its guarantee, and an adversary that holds them down, by linear programming."""
        tree, own = self.tree, self.tree.set_player == self.adversary
        by_end = [tree.chance_reach * self.payoffs * plan[self.last].prod(axis=1) for plan in plans]
        places = tree.last_sequence[:, self.adversary] + 1
        worth = np.stack([np.bincount(places, each, tree.sequences + 1) for each in by_end], axis=1)
        # Rows @ least payoffs by information set <= worth of sequences; the last column, the worst case, is maximised.
        top = np.append(-(tree.set_parent[own] < 0).astype(float), 1.0)
        below = sparse.hstack([self.flows[own].T, sparse.csr_array((tree.sequences, 1))])
        matrix = sparse.hstack([sparse.csr_array(-worth), sparse.vstack([sparse.csr_array(top[None]), below])])
        cost = np.append(np.zeros(matrix.shape[1] - 1), -1.0)
        one = (np.arange(matrix.shape[1]) < len(plans)).astype(float)[None]
        bounds = [(0, None)] * len(plans) + [(None, None)] * len(top)
        found = linprog(cost, matrix, np.zeros(matrix.shape[0]), one, [1.0], bounds)
        plan = np.append(np.maximum(-found.ineqlin.marginals[1:], 0.0), 1.0)
        totals = np.repeat(np.add.reduceat(plan[:-1], tree.first[:-1]), np.diff(tree.first))
        return -found.fun, realized(tree, np.divide(plan[:-1], totals, out=tree.even, where=totals > 0))

    def good_plan(self, against, rng, starts=10):
        """What a joint plan brings in which no member alone can do better, and the plan; the best of some starts."""
        draws = rng.exponential(size=(starts, self.tree.sequences))
        totals = np.repeat(np.add.reduceat(draws, self.tree.first[:-1], axis=1), np.diff(self.tree.first), axis=1)
        settled = (self._settled(realized(self.tree, one), against) for one in draws / totals)
        return max(settled, key=lambda each: each[0])

    def _settled(self, plan, against):
        """Best responses of the members in turn, the last first, until none of them does better."""
        tree, value, before = self.tree, 0.0, -np.inf
        while value - before > TOLERANCE:
            before = value
            for k in reversed(range(len(self.team))):
                reach = tree.chance_reach * against[tree.last_sequence[:, self.adversary]]
                reach = reach * np.delete(plan[self.last], k, axis=1).prod(axis=1)
                value, choice = respond_to(tree, reach, self.team[k], self.payoffs)
                pure = np.zeros(tree.sequences)
                pure[choice[choice >= 0]] = 1.0
                mine = np.repeat(tree.set_player == self.team[k], np.diff(tree.first))
                plan = np.append(np.where(mine, realized(tree, pure)[:-1], plan[:-1]), 1.0)
        return value, plan

    def best_plan(self, against):
        """A bound of what joint plans bring against the adversary; what the best brings; it: by integer programming.

        The unknowns are the plan, and for each profile of members' sequences that ends a game their product.
        """
        tree, count = self.tree, len(self.team)
        ends, place = np.unique(self.last, axis=0, return_inverse=True)
        brings = tree.chance_reach * self.payoffs * against[tree.last_sequence[:, self.adversary]]
        cost = np.append(np.zeros(tree.sequences), -np.bincount(place.ravel(), brings))
        products = sparse.eye_array(len(ends), len(cost), k=tree.sequences, format="csr")
        total, below = products, []
        for own in ends.T:
            known = np.flatnonzero(own >= 0)
            pick = sparse.csr_array((np.ones(len(known)), (known, own[known])), shape=products.shape)
            below.append((products - pick)[known])
            total = total - pick
        right = (tree.set_parent < 0).astype(float)
        flows = sparse.hstack([self.flows, sparse.csr_array((len(right), len(ends)))])
        constraints = [
            LinearConstraint(flows, right, right),
            LinearConstraint(sparse.vstack(below), ub=0),
            # A product of numbers from 0 to 1 is at least their sum less one for all but one.
            LinearConstraint(total, lb=(ends < 0).sum(axis=1) - count + 1),
        ]
        # With all members but one playing whole plans, the best of that one is whole of itself.
        whole = np.append(np.repeat(np.isin(tree.set_player, self.team[:-1]), np.diff(tree.first)), 0 * ends[:, 0])
        exact = {"mip_rel_gap": 0.0}  # by default these programs stop within 1e-4 of the optimum
        found = milp(cost, constraints=constraints, integrality=whole, bounds=Bounds(0, 1), options=exact)
        # Without whole numbers it is a linear program, whose optimum is its own bound.
        bound = found.mip_dual_bound if whole.any() else found.fun
        return -bound, *self._settled(np.append(np.rint(found.x[: tree.sequences]), 1.0), against)
