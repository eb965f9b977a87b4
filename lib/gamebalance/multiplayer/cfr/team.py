"""Players who win and lose together against one adversary: what they can guarantee if they draw joint plans in secret.

This is TMECor of Celli and Gatti (2018), the team-maxmin equilibrium with a correlation device. A guarantee is measured
in the mean payoff of the team's members; the adversary makes it small. Where the game is constant-sum between team and
adversary, that is what a selfish adversary does.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse
from scipy.optimize import Bounds, LinearConstraint, linprog, milp

from gamebalance.base.checks import in_memory, listed, shown
from gamebalance.multiplayer.cfr.tree import GameTree, to_profile

#: Plans that `correlated_maxmin` tries before it stops with the bounds reached.
MOST_PLANS = 500
#: How far apart two bounds may stay, in units of payoff.
TOLERANCE = 1e-7
#: By default the integer programs stop within 1e-4 of the optimum; so they stop within 1e-6 of it, in units of payoff.
EXACT = {"mip_rel_gap": 0.0}


@dataclass(frozen=True)
class Guarantee:
    """The mean payoff of its members that a team can be sure of, whatever the adversary does.

    No draw of `plans` (probability, and the moves' probabilities by information set) guarantees more than `upper`,
    equal to `value` up to rounding where the optimum was proved; `adversary` is a strategy that holds the team to it.
    """

    value: float
    upper: float
    plans: tuple[tuple[float, dict[Hashable, dict[Hashable, float]]], ...]
    adversary: dict[Hashable, dict[Hashable, float]]


def correlated_maxmin(game: Any, team: Sequence[int]) -> Guarantee:
    """The best secret draw among joint plans: the team-maxmin equilibrium with correlation, by column generation.

    The team are all players but one. After `MOST_PLANS` plans the bounds reached are given; else `value` and `upper`
    differ by no more than 1e-6, the precision of the integer programs. A. Celli and N. Gatti, "Computational results
    for extensive-form adversarial team games", AAAI 2018.
    """
    form, rng = TeamForm(GameTree.of(game), team), np.random.default_rng(0)
    if not len(form.ends):  # nothing to gain or lose: any plan will do
        plan = form.random_plan(rng)
        return form.guarantee(np.ones(1), [plan], 0.0, plan)
    plans, upper, holder = [form.good_plan(form.even_adversary, rng)[1]], np.inf, form.even_adversary
    while True:
        value, weights, against = form.mix(plans)
        gain, plan = form.good_plan(against, rng)
        if gain <= value + TOLERANCE or len(plans) >= MOST_PLANS:
            # Nothing better was found quickly: the integer program finds it, or proves that there is nothing.
            best, gain, plan = form.best_plan(against)
            if best < upper:
                upper, holder = best, against
            if min(upper, gain) - value <= TOLERANCE or len(plans) >= MOST_PLANS:
                return form.guarantee(weights, plans, max(upper, value), holder)
        plans.append(plan)


class TeamForm:
    """The sequence form of a team against one adversary.

    A plan is the realization plan of all members: one number for each sequence, then 1 for the empty one. The columns
    of the programs are those numbers (without the last), then one for each profile of members' sequences that ends a
    game, meant to be the product.
    """

    def __init__(self, tree: GameTree, team: Sequence[int]):
        self.tree, self.team = tree, tuple(sorted(set(listed("team", team))))
        others = set(range(tree.players)) - set(self.team)
        if len(others) != 1 or not 0 < len(self.team) < tree.players:
            raise ValueError(f"team = {shown(team)}: all players of {tree.players} but one are needed")
        (self.adversary,) = others
        worth = tree.payoffs[:, list(self.team)].mean(axis=1) * tree.chance_reach
        ends, place = np.unique(tree.last_sequence[:, list(self.team)], axis=0, return_inverse=True)
        in_memory(f"the products of {tree!r}", 100.0 * len(ends) * len(self.team))
        #: Worth of each adversary sequence (row; 0 is the empty one) by profile of the members' last sequences.
        last = tree.last_sequence[:, self.adversary] + 1
        self.worth = sparse.csr_array((worth, (last, place.ravel())), shape=(tree.sequences + 1, len(ends)))
        self.worth.eliminate_zeros()
        used = np.flatnonzero(np.abs(self.worth).sum(axis=0))
        self.worth, self.ends = self.worth[:, used], ends[used]
        self.columns = tree.sequences + len(self.ends)
        self.products = sparse.hstack(
            [sparse.csr_array((len(self.ends), tree.sequences)), sparse.eye_array(len(self.ends))], format="csr"
        )
        # With all members but one playing whole plans, the best of that one is whole of itself.
        whole = np.repeat(np.isin(tree.set_player, self.team[:-1]), np.diff(tree.first))
        self.whole = np.append(whole, np.zeros(len(self.ends))).astype(int)

    def _constraints(self) -> list[LinearConstraint]:
        """What makes columns a plan and its products."""
        tree, ends = self.tree, self.ends
        rows, right = _flows(tree)
        flows = sparse.hstack([rows, sparse.csr_array((rows.shape[0], len(ends)))], format="csr")
        result = [LinearConstraint(flows, right, right)]
        total, below = self.products.copy(), []
        for k in range(len(self.team)):
            known = np.flatnonzero(ends[:, k] >= 0)
            pick = sparse.csr_array((np.ones(len(known)), (known, ends[known, k])), shape=(len(ends), self.columns))
            below.append((self.products - pick)[known])
            total = total - pick
        empty = (ends < 0).sum(axis=1)
        result.append(LinearConstraint(sparse.vstack(below), ub=0))
        # A product of numbers from 0 to 1 is at least their sum less one for all but one.
        result.append(LinearConstraint(total, lb=empty - len(self.team) + 1))
        return result

    def _by_adversary(self, plan: np.ndarray) -> np.ndarray:
        """What each sequence of the adversary (first the empty one) leaves to the team that follows a plan."""
        return self.worth @ plan[self.ends].prod(axis=1)

    @cached_property
    def _responses(self) -> sparse.csr_array:
        """The adversary's side: rows @ set values <= worth of sequences, where the last value is the worst case."""
        flows = _flows(self.tree)[0][self.tree.set_player == self.adversary]
        first = -(self.tree.set_parent[self.tree.set_player == self.adversary] < 0).astype(float)
        # The empty sequence's row is the worst case itself: the last column, without a bound of its own.
        top = sparse.csr_array(np.append(first, 1.0)[None])
        return sparse.vstack([top, sparse.hstack([flows.T, sparse.csr_array((self.tree.sequences, 1))])]).tocsr()

    def mix(self, plans: Sequence[np.ndarray]) -> tuple[float, np.ndarray, np.ndarray]:
        """The best draw among given plans: its guarantee, the weights, and an adversary that holds them down."""
        sets = self._responses.shape[1]
        worth = np.stack([self._by_adversary(plan) for plan in plans], axis=1)
        matrix = sparse.hstack([sparse.csr_array(-worth), self._responses])
        cost = np.append(np.zeros(len(plans) + sets - 1), -1.0)
        one = np.concatenate([np.ones(len(plans)), np.zeros(sets)])[None, :]
        bounds = [(0, None)] * len(plans) + [(None, None)] * sets
        found = linprog(cost, matrix, np.zeros(matrix.shape[0]), one, [1.0], bounds, method="highs")
        weights = np.maximum(found.x[: len(plans)], 0)
        return -found.fun, weights / weights.sum(), self._whole_plan(-found.ineqlin.marginals)

    def good_plan(self, against: np.ndarray, rng: np.random.Generator, starts: int = 10) -> tuple[float, np.ndarray]:
        """A pure joint plan in which no member alone can do better against the adversary, the best of some starts."""
        gain = self._gain(against)
        return max((self._settled(self.random_plan(rng), gain) for _ in range(starts)), key=lambda each: each[0])

    def best_plan(self, against: np.ndarray) -> tuple[float, float, np.ndarray]:
        """Against the adversary's realization plan: a bound of what joint plans bring; what the best brings; it."""
        gain = self._gain(against)
        cost = np.concatenate([np.zeros(self.tree.sequences), -gain])
        found = milp(cost, constraints=self._constraints(), integrality=self.whole, bounds=Bounds(0, 1), options=EXACT)
        # Without whole numbers it is a linear program, whose optimum is its own bound.
        bound = found.mip_dual_bound if self.whole.any() else found.fun
        return -bound, *self._settled(np.append(np.rint(found.x[: self.tree.sequences]), 1.0), gain)

    def _gain(self, against: np.ndarray) -> np.ndarray:
        """What each profile of members' sequences brings when the adversary follows a realization plan."""
        return self.worth.T @ np.concatenate([against[-1:], against[:-1]])

    def _settled(self, plan: np.ndarray, gain: np.ndarray) -> tuple[float, np.ndarray]:
        """Best responses of the members in turn, the last first, until none of them does better."""
        value = -np.inf
        while True:
            before = value
            for k in reversed(range(len(self.team))):
                value, plan = self._response(plan, gain, k)
            if value - before <= TOLERANCE:
                return value, plan

    def _response(self, plan: np.ndarray, gain: np.ndarray, k: int) -> tuple[float, np.ndarray]:
        """Member k's best pure plan against everyone else's."""
        worth = gain * self._others(plan, k)
        gathered = np.bincount(self.ends[:, k] + 1, worth, self.tree.sequences + 1)
        choice = self._choices(self.team[k], gathered, np.argmax)
        return float(gathered[0]), np.append(self._down(self.team[k], choice, plan), 1.0)

    def _choices(self, player: int, gathered: np.ndarray, best) -> np.ndarray:
        """Behaviour of a player, 1 for each chosen sequence; `gathered` (first the empty one) is summed up to it."""
        tree, choice = self.tree, np.zeros(self.tree.sequences)
        for number in range(len(tree.set_parent) - 1, -1, -1):
            if tree.set_player[number] == player:
                chosen = tree.first[number] + best(gathered[tree.first[number] + 1 : tree.first[number + 1] + 1])
                choice[chosen] = 1.0
                gathered[tree.set_parent[number] + 1] += gathered[chosen + 1]
        return choice

    def _down(self, player: int, behaviour: np.ndarray, plan: np.ndarray) -> np.ndarray:
        """Realization plan of one player's behaviour, the others' as in `plan`."""
        tree, result = self.tree, plan.copy()
        for number, parent in enumerate(tree.set_parent):
            if tree.set_player[number] == player:
                here = slice(tree.first[number], tree.first[number + 1])
                result[here] = behaviour[here] * result[parent]
        return result[:-1]

    def _others(self, plan: np.ndarray, k: int) -> np.ndarray:
        """The product of the members' sequences, member k's left out."""
        return np.delete(plan[self.ends], k, axis=1).prod(axis=1)

    def random_plan(self, rng: np.random.Generator) -> np.ndarray:
        """A realization plan drawn at random: at each information set a uniformly distributed mixture."""
        tree = self.tree
        plan = np.append(rng.exponential(size=tree.sequences), 1.0)
        for number, parent in enumerate(tree.set_parent):
            here = slice(tree.first[number], tree.first[number + 1])
            plan[here] *= plan[parent] / plan[here].sum()
        return plan

    @property
    def even_adversary(self) -> np.ndarray:
        """The realization plan of an adversary who plays all moves equally often."""
        return self._whole_plan(np.append(0.0, self.tree.even))

    def guarantee(
        self, weights: np.ndarray, plans: Sequence[np.ndarray], upper: float, holder: np.ndarray
    ) -> Guarantee:
        """What a draw leaves to the team against a best response, by the plain recursion, with names."""
        gathered = sum(weight * self._by_adversary(plan) for weight, plan in zip(weights, plans, strict=True))
        self._choices(self.adversary, gathered, np.argmin)
        drawn = [(float(weight), plan) for weight, plan in zip(weights, plans, strict=True) if weight > 0]
        used = tuple((weight, self._named(plan, self.team)) for weight, plan in drawn)
        return Guarantee(float(gathered[0]), float(upper), used, self._named(holder, (self.adversary,)))

    def _whole_plan(self, numbers: np.ndarray) -> np.ndarray:
        """A proper realization plan of the adversary from one with rounding errors, or from behaviour; empty last."""
        tree, plan = self.tree, np.append(np.maximum(numbers[1:], 0.0), 1.0)
        for number, parent in enumerate(tree.set_parent):
            here = slice(tree.first[number], tree.first[number + 1])
            share = plan[here].sum()
            even = np.full(here.stop - here.start, 1 / (here.stop - here.start))
            plan[here] = plan[parent] * (plan[here] / share if share > 0 else even)
        return plan

    def _named(self, plan: np.ndarray, players: Sequence[int]) -> dict[Hashable, dict[Hashable, float]]:
        """A plan as probabilities of moves, even where the player's own moves never lead."""
        tree = self.tree
        before = np.repeat(plan[tree.set_parent], np.diff(tree.first))
        profile = to_profile(tree, np.divide(plan[:-1], before, out=tree.even, where=before > 0))
        return {each.information: profile[each.information] for each in tree.information_sets if each.player in players}


def _flows(tree: GameTree) -> tuple[sparse.csr_array, np.ndarray]:
    """At each information set the sequences sum to the one before: `matrix` @ plan == right side."""
    numbers = np.arange(len(tree.set_parent))
    inner = np.flatnonzero(tree.set_parent >= 0)
    rows = np.concatenate([np.repeat(numbers, np.diff(tree.first)), inner])
    columns = np.concatenate([np.arange(tree.sequences), tree.set_parent[inner]])
    signs = np.concatenate([np.ones(tree.sequences), -np.ones(len(inner))])
    matrix = sparse.csr_array((signs, (rows, columns)), shape=(len(numbers), tree.sequences))
    return matrix, (tree.set_parent < 0).astype(float)
