"""The sequence form of a team against one adversary, and the linear and integer programs over it."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse
from scipy.optimize import Bounds, LinearConstraint, linprog, milp

from gamebalance._checks import in_memory, shown, whole_number
from gamebalance.multiplayer.cfr.profile import to_profile
from gamebalance.multiplayer.cfr.tree import GameTree

#: How far apart two bounds may stay, in units of payoff.
TOLERANCE = 1e-7
#: By default the integer programs stop within 1e-4 of the optimum; so they stop within 1e-6 of it, in units of payoff.
EXACT = {"mip_rel_gap": 0.0}


@dataclass(frozen=True)
class Guarantee:
    """What a team can be sure of.

    Attributes
    ----------
    value : float
        Mean payoff of the members that the team's plan below guarantees, whatever the adversary does.
    upper : float
        No plan of the same kind guarantees more than this; equal to `value` up to rounding where the optimum was
        proved.
    plans : tuple of (float, dict)
        The probability of each joint plan, and the plan: for each information set of the members, the probability of
        each move. A single plan unless correlated.
    adversary : dict
        A strategy of the adversary that holds the team to `value` against this plan ("correlated": to `upper`
        against every plan).
    """

    value: float
    upper: float
    plans: tuple[tuple[float, dict[Hashable, dict[Hashable, float]]], ...]
    adversary: dict[Hashable, dict[Hashable, float]]


@dataclass(frozen=True)
class _Responses:
    """The adversary's side: `rows` @ set values <= worth of sequences, and `root` @ set values is the worst case."""

    rows: sparse.csr_array
    root: np.ndarray
    sets: int


class TeamForm:
    """The sequence form of a team against one adversary.

    A plan is the realization plan of all members: one number for each sequence, then 1 for the empty one. The columns
    of the programs are those numbers (without the last), then one for each profile of members' sequences that ends a
    game, meant to be the product.
    """

    def __init__(self, tree: GameTree, team: Sequence[int]):
        self.tree, self.team = tree, _members(tree, team)
        (self.adversary,) = set(range(tree.players)) - set(self.team)
        worth = tree.payoffs[:, list(self.team)].mean(axis=1) * tree.chance_reach
        ends, place = np.unique(tree.last_sequence[:, list(self.team)], axis=0, return_inverse=True)
        self.place = place.ravel()
        in_memory(f"the products of {tree!r}", 100.0 * len(ends) * len(self.team))
        #: Worth of each adversary sequence (row; 0 is the empty one) by profile of the members' last sequences.
        last = tree.last_sequence[:, self.adversary] + 1
        self.worth = sparse.csr_array((worth, (last, self.place)), shape=(tree.sequences + 1, len(ends)))
        self.worth.eliminate_zeros()
        used = np.flatnonzero(np.abs(self.worth).sum(axis=0))
        self.worth, self.ends = self.worth[:, used], ends[used]
        self.columns = tree.sequences + len(self.ends)
        self.products = sparse.hstack(
            [sparse.csr_array((len(self.ends), tree.sequences)), sparse.eye_array(len(self.ends))], format="csr"
        )
        # With all members but one playing whole plans, the best of that one is whole of itself.
        self.whole = self._whole(self.team[:-1])

    def _whole(self, players: Sequence[int]) -> np.ndarray:
        """Which columns are to be whole numbers, 1 for those of these players' sequences."""
        chosen = np.isin(self.tree.set_player, players)
        return np.append(np.repeat(chosen, np.diff(self.tree.first)), np.zeros(len(self.ends))).astype(int)

    @property
    def pays_something(self) -> bool:
        return len(self.ends) > 0

    def trivial(self) -> Guarantee:
        """Nothing to gain or lose: any plan will do."""
        plan = self.random_plan(np.random.default_rng(0))
        return Guarantee(0.0, 0.0, ((1.0, self._named(plan, self.team)),), self._named(plan, (self.adversary,)))

    def constraints(self, extra: int = 0) -> list[LinearConstraint]:
        """What makes columns a plan and its products; `extra` columns follow that it does not concern."""
        tree, ends = self.tree, self.ends
        rows, right = _flows(tree)
        flows = _widened(rows, len(ends) + extra)
        result = [LinearConstraint(flows, right, right)]
        total, below = self.products.copy(), []
        for k in range(len(self.team)):
            known = np.flatnonzero(ends[:, k] >= 0)
            pick = sparse.csr_array((np.ones(len(known)), (known, ends[known, k])), shape=(len(ends), self.columns))
            below.append((self.products - pick)[known])
            total = total - pick
        empty = (ends < 0).sum(axis=1)
        result.append(LinearConstraint(_widened(sparse.vstack(below), extra), ub=0))
        # A product of numbers from 0 to 1 is at least their sum less one for all but one.
        result.append(LinearConstraint(_widened(total, extra), lb=empty - len(self.team) + 1))
        return result

    def plan(self, columns: np.ndarray) -> np.ndarray:
        """The pure realization plan in a solution of a program."""
        return np.append(np.rint(columns[: self.tree.sequences]), 1.0)

    def by_adversary(self, plan: np.ndarray) -> np.ndarray:
        """What each sequence of the adversary (first the empty one) leaves to the team that follows a plan."""
        return self.worth @ plan[self.ends].prod(axis=1)

    @cached_property
    def responses(self) -> _Responses:
        tree = self.tree
        own = np.flatnonzero(tree.set_player == self.adversary)
        rows, columns, signs = [], [], []
        for column, number in enumerate(own):
            sequences = np.arange(tree.first[number], tree.first[number + 1]) + 1
            rows += [*sequences, tree.set_parent[number] + 1]
            columns += [column] * (len(sequences) + 1)
            signs += [1.0] * len(sequences) + [-1.0]
        # The empty sequence's row is the worst case itself: the last column, without a bound of its own.
        rows, columns, signs = [*rows, 0], [*columns, len(own)], [*signs, 1.0]
        matrix = sparse.csr_array((signs, (rows, columns)), shape=(tree.sequences + 1, len(own) + 1))
        return _Responses(matrix, np.eye(len(own) + 1)[-1], len(own) + 1)

    def mix(self, plans: Sequence[np.ndarray]) -> tuple[float, np.ndarray, np.ndarray]:
        """The best draw among given plans: its guarantee, the weights, and an adversary that holds them down."""
        against = self.responses
        worth = np.stack([self.by_adversary(plan) for plan in plans], axis=1)
        matrix = sparse.hstack([sparse.csr_array(-worth), against.rows])
        cost = np.concatenate([np.zeros(len(plans)), -against.root])
        one = np.concatenate([np.ones(len(plans)), np.zeros(against.sets)])[None, :]
        bounds = [(0, None)] * len(plans) + [(None, None)] * against.sets
        found = linprog(cost, matrix, np.zeros(matrix.shape[0]), one, [1.0], bounds, method="highs")
        weights = np.maximum(found.x[: len(plans)], 0)
        return -found.fun, weights / weights.sum(), self._whole_plan(-found.ineqlin.marginals)

    def guaranteed(self, weights: Sequence[float], plans: Sequence[np.ndarray]) -> tuple[float, np.ndarray]:
        """What a draw leaves to the team against a best response, and that response, by the plain recursion."""
        gathered = sum(weight * self.by_adversary(plan) for weight, plan in zip(weights, plans, strict=True))
        choice = self._choices(self.adversary, gathered, np.argmin)
        return float(gathered[0]), choice

    def good_plan(self, against: np.ndarray, rng: np.random.Generator, starts: int = 10) -> tuple[float, np.ndarray]:
        """A pure joint plan in which no member alone can do better against the adversary, the best of some starts."""
        gain = self._gain(against)
        return max((self._settled(self.random_plan(rng), gain) for _ in range(starts)), key=lambda each: each[0])

    def best_plan(self, against: np.ndarray) -> tuple[float, float, np.ndarray]:
        """Against the adversary's realization plan: a bound of what joint plans bring; what the best brings; it."""
        gain = self._gain(against)
        cost = np.concatenate([np.zeros(self.tree.sequences), -gain])
        found = milp(cost, constraints=self.constraints(), integrality=self.whole, bounds=Bounds(0, 1), options=EXACT)
        # Without whole numbers it is a linear program, whose optimum is its own bound.
        bound = found.mip_dual_bound if self.whole.any() else found.fun
        return -bound, *self._settled(self.plan(found.x), gain)

    def best_known_plan(self) -> tuple[float, np.ndarray]:
        """The best pure joint plan against an adversary who knows it, and an upper bound of what it guarantees."""
        adversary = self.responses
        matrix = sparse.hstack([-self.worth @ self.products, adversary.rows])
        program = [LinearConstraint(matrix, ub=0), *self.constraints(extra=adversary.sets)]
        unbounded = np.full(adversary.sets, np.inf)
        bounds = Bounds(
            np.concatenate([np.zeros(self.columns), -unbounded]), np.concatenate([np.ones(self.columns), unbounded])
        )
        # Here the adversary answers, so the last member's plan must be asked to be whole too.
        whole = np.append(self._whole(self.team), np.zeros(adversary.sets))
        cost = np.concatenate([np.zeros(self.columns), -adversary.root])
        found = milp(cost, constraints=program, integrality=whole, bounds=bounds, options=EXACT)
        return -found.mip_dual_bound, self.plan(found.x)

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

    def climb(self, plan: np.ndarray, step: float = 0.5) -> tuple[float, np.ndarray]:
        """Improve a mixed plan by linear programs within shrinking steps, until no step helps."""
        value = self.guaranteed([1.0], [plan])[0]
        while step > 1e-4:
            other = self._stepped(plan, step)
            reached = self.guaranteed([1.0], [other])[0]
            if reached > value + TOLERANCE:
                value, plan = reached, other
            else:
                step /= 4
        return value, plan

    def _stepped(self, plan: np.ndarray, step: float) -> np.ndarray:
        """The best plan within a step, the product of members' sequences replaced by its tangent."""
        tree, against, members = self.tree, self.responses, len(self.team)
        tangent = sparse.csr_array((len(self.ends), tree.sequences + 1))
        for k in range(members):
            mine = np.where(self.ends[:, k] >= 0, self.ends[:, k], tree.sequences)
            shape = len(mine), tree.sequences + 1
            tangent = tangent + sparse.csr_array((self._others(plan, k), (np.arange(len(mine)), mine)), shape=shape)
        matrix = sparse.hstack([-(self.worth @ tangent), against.rows])
        rows, right = _flows(tree)
        low = np.concatenate([np.maximum(plan[:-1] - step, 0), [1.0], np.full(against.sets, -np.inf)])
        high = np.concatenate([np.minimum(plan[:-1] + step, 1), [1.0], np.full(against.sets, np.inf)])
        cost = np.concatenate([np.zeros(tree.sequences + 1), -against.root])
        offset = -(members - 1) * self.by_adversary(plan)
        flows = _widened(rows, 1 + against.sets)
        found = linprog(cost, matrix, offset, flows, right, np.stack([low, high], axis=1), method="highs")
        return np.append(np.clip(found.x[: tree.sequences], 0, 1), 1.0)

    def random_plan(self, rng: np.random.Generator) -> np.ndarray:
        """A realization plan drawn at random: at each information set a uniformly distributed mixture."""
        tree = self.tree
        plan = np.append(rng.exponential(size=tree.sequences), 1.0)
        for number, parent in enumerate(tree.set_parent):
            here = slice(tree.first[number], tree.first[number + 1])
            plan[here] *= plan[parent] / plan[here].sum()
        return plan

    @property
    def uniform_adversary(self) -> np.ndarray:
        sizes = np.diff(self.tree.first)
        return self._whole_plan(np.append(0.0, np.repeat(1 / sizes, sizes)), behaviour=True)

    def guarantee(self, weights, plans, upper: float, adversary: np.ndarray | None = None) -> Guarantee:
        value, choice = self.guaranteed(weights, plans)
        used = tuple(
            (float(weight), self._named(plan, self.team))
            for weight, plan in zip(weights, plans, strict=True)
            if weight > 0
        )
        against = np.append(choice, 1.0) if adversary is None else adversary
        named = self._named(against, (self.adversary,), behaviour=adversary is None)
        return Guarantee(value, float(upper), used, named)

    def _whole_plan(self, numbers: np.ndarray, behaviour: bool = False) -> np.ndarray:
        """A proper realization plan of the adversary from one with rounding errors, or from behaviour; empty last."""
        tree, plan = self.tree, np.append(np.maximum(numbers[1:], 0.0), 1.0)
        for number, parent in enumerate(tree.set_parent):
            here = slice(tree.first[number], tree.first[number + 1])
            share = plan[here].sum()
            even = np.full(here.stop - here.start, 1 / (here.stop - here.start))
            plan[here] = plan[parent] * (plan[here] / share if share > 0 else even)
        return plan

    def _named(self, plan: np.ndarray, players: Sequence[int], behaviour: bool = False):
        """A plan as probabilities of moves, even where the player's own moves never lead."""
        tree, sizes = self.tree, np.diff(self.tree.first)
        strategy = plan[:-1]
        if not behaviour:
            before = np.repeat(plan[tree.set_parent], sizes)
            strategy = np.divide(strategy, before, out=np.repeat(1 / sizes, sizes), where=before > 0)
        profile = to_profile(tree, strategy)
        return {each.information: profile[each.information] for each in tree.information_sets if each.player in players}


def _members(tree: GameTree, team: Sequence[int]) -> tuple[int, ...]:
    try:
        members = tuple(sorted({whole_number("team", player, 0, tree.players - 1) for player in team}))
    except TypeError:
        members = ()
    if len(members) != tree.players - 1 or not members:
        raise ValueError(f"team = {shown(team)}: all players of {tree.players} but one are needed")
    return members


def _flows(tree: GameTree) -> tuple[sparse.csr_array, np.ndarray]:
    """At each information set the sequences sum to the one before: `matrix` @ plan == right side."""
    numbers = np.arange(len(tree.set_parent))
    inner = np.flatnonzero(tree.set_parent >= 0)
    rows = np.concatenate([np.repeat(numbers, np.diff(tree.first)), inner])
    columns = np.concatenate([np.arange(tree.sequences), tree.set_parent[inner]])
    signs = np.concatenate([np.ones(tree.sequences), -np.ones(len(inner))])
    matrix = sparse.csr_array((signs, (rows, columns)), shape=(len(numbers), tree.sequences))
    return matrix, (tree.set_parent < 0).astype(float)


def _widened(matrix: sparse.csr_array, columns: int) -> sparse.csr_array:
    return sparse.hstack([matrix, sparse.csr_array((matrix.shape[0], columns))], format="csr") if columns else matrix
