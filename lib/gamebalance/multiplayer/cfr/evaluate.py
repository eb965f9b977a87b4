"""What a profile is worth, what each player could gain by leaving it, and replies between the best and the safest."""

from collections.abc import Hashable
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import scipy

from gamebalance.base.checks import number, shown, whole_number
from gamebalance.base.jit import njit
from gamebalance.base.sums import dot, vanishing
from gamebalance.base.tabled import Tabled
from gamebalance.multiplayer.cfr.tree import GameTree, Profile, to_profile, to_strategy

if TYPE_CHECKING:
    import pandas

#: What rounding may leave of two equal sums, in terms of the greatest payoff; so ties fall alike on every processor.
_ROUNDING = 1e-13
#: How exact the linear programs are, for payoffs of at most 1, and how near the best a second aim has to stay.
_EXACT = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
_SLACK = 1e-12


@dataclass(frozen=True)
class BestResponse(Tabled):
    """A best response of one player by information set, and its value; of equally good moves the first is played."""

    value: float
    strategy: dict[Hashable, dict[Hashable, float]]

    def to_frame(self) -> "pandas.DataFrame":
        """A row for each information set: the move that is played there."""
        import pandas

        moves = [max(chances.items(), key=itemgetter(1))[0] for chances in self.strategy.values()]
        sets = pandas.Index(list(self.strategy), name="information", tupleize_cols=False)
        return pandas.DataFrame({"move": pandas.Series(moves, sets, dtype=object)})

    def _about(self) -> str:
        return f"A best response: payoff {self.value:.6g}"


class NashConv(NamedTuple):
    """How far a profile is from an equilibrium, 0 there alone: what each player gains by a best response, and the sum.

    `values` is what each player gets in the profile itself.
    """

    total: float
    gains: tuple[float, ...]
    values: tuple[float, ...]


def best_response(game: Any, profile: Profile, player: int) -> BestResponse:
    """A best response to the others' strategies, by one pass from the last information sets to the first."""
    tree = GameTree.of(game)
    player = whole_number("player", player, 0, tree.players - 1)
    value, choice = respond(tree, to_strategy(tree, profile, but=player), player)
    pure = np.zeros(tree.sequences)
    pure[choice[choice >= 0]] = 1.0
    return BestResponse(value, _own(tree, pure, player))


def nash_conv(game: Any, profile: Profile) -> NashConv:
    """The sum over players of what a best response would gain, with its parts (M. Lanctot and others, NeurIPS 2017)."""
    tree = GameTree.of(game)
    return nash_conv_of(tree, to_strategy(tree, profile))


def nash_conv_of(tree: GameTree, strategy: np.ndarray) -> NashConv:
    """`nash_conv` of one probability per sequence."""
    values = values_of(tree, strategy)
    most = np.abs(tree.payoffs).max(initial=0)
    best = [respond(tree, strategy, player)[0] for player in range(tree.players)]
    gains = vanishing(best - values, most)
    return NashConv(float(sum(gains)), tuple(map(float, gains)), tuple(values.tolist()))


def values_of(tree: GameTree, strategy: np.ndarray) -> np.ndarray:
    """What each player gets on average, of one probability per sequence."""
    return dot(_reach(tree, plans(tree, strategy), -1), tree.payoffs)


def respond(
    tree: GameTree, strategy: np.ndarray, player: int, payoffs: np.ndarray | None = None
) -> tuple[float, np.ndarray]:
    """Value of a best response, of `payoffs` if they are given, and the sequence chosen at each own set, else -1."""
    return respond_to(tree, _reach(tree, plans(tree, strategy), player), player, payoffs)


def respond_to(
    tree: GameTree, reach: np.ndarray, player: int, payoffs: np.ndarray | None = None
) -> tuple[float, np.ndarray]:
    """`respond`, to the probability with which chance and the others lead to each end of the game."""
    worth = reach * (tree.payoffs[:, player] if payoffs is None else payoffs)
    # Place 0 collects what needs no further move of the player, place s + 1 what follows sequence s.
    gathered = np.bincount(tree.last_sequence[:, player] + 1, worth, tree.sequences + 1)
    choice = np.full(len(tree.information_sets), -1, dtype=np.int64)
    slack = _ROUNDING * np.abs(tree.payoffs).max(initial=0)
    _best_choices(player, tree.set_player, tree.set_parent, tree.first, gathered, choice, slack)
    return float(gathered[0]), choice


def plans(tree: GameTree, strategy: np.ndarray) -> np.ndarray:
    """The realization plan: the probability that a player's own moves allow a sequence; 1 for the empty one, last."""
    plan = np.append(strategy, 1.0)
    _multiply_down(tree.set_parent, tree.first, plan)
    return plan


def _reach(tree: GameTree, plan: np.ndarray, but: int) -> np.ndarray:
    """The probability of each end of the game, the moves of one player left out (-1: of none)."""
    reach = tree.chance_reach.copy()
    for player in range(tree.players):
        if player != but:
            reach *= plan[tree.last_sequence[:, player]]
    return reach


class RestrictedResponse(NamedTuple):
    """A strategy for one player, and what it gets if the model is right, and at least, whatever the adversary does."""

    strategy: dict[Hashable, dict[Hashable, float]]
    against_model: float
    at_least: float


def restricted_response(
    game: Any, model: Profile, player: int, weight: float, adversary: int | None = None
) -> RestrictedResponse:
    """The best strategy if a model of the others is right with probability `weight`, and else one of them knows better.

    With the rest of the probability that one, the adversary, knows the player's strategy and makes the player's payoff
    as small as it can; other opponents follow the model in any case. Found by linear programming over the player's
    sequences (Koller, Megiddo and von Stengel 1996); the source, M. Johanson, M. Zinkevich, M. Bowling, "Computing
    robust counter-strategies", NIPS 2007, has two players. A weight of 0 gives the safest strategy, 1 a best response
    to the model, of several the safest. `adversary` is not needed with two players.

    >>> from gamebalance.games import Kuhn
    >>> always_bets = {card + moves: {"b": 1} for card in "012" for moves in ("p", "b")}
    >>> found = [restricted_response(Kuhn(), always_bets, 0, weight) for weight in (0, 1)]
    >>> [(round(each.against_model, 4), round(each.at_least, 4)) for each in found]  # the game is worth -1/18
    [(0.1111, -0.0556), (0.3333, -0.1667)]
    """
    tree = GameTree.of(game)
    player = whole_number("player", player, 0, tree.players - 1)
    if adversary is None and tree.players == 2:
        adversary = 1 - player
    adversary = whole_number("adversary", adversary, 0, tree.players - 1)
    if adversary == player:
        raise ValueError(f"adversary = {adversary}: another player than the one who responds is needed")
    right = float(number("weight", weight, 0, 1))
    strategy = to_strategy(tree, model, but=player)
    plan = _best_plan(tree, plans(tree, strategy), player, adversary, right)
    for each in tree.information_sets:
        if each.player == player:
            chances = plan[each.sequences]
            total = chances.sum()
            strategy[each.sequences] = chances / total if total > 0 else 1 / len(each.moves)
    least = worst_case(tree, strategy, player, adversary)
    return RestrictedResponse(_own(tree, strategy, player), float(values_of(tree, strategy)[player]), least)


def worst_case(tree: GameTree, strategy: np.ndarray, player: int, adversary: int) -> float:
    """What a player gets, of one probability per sequence, if the adversary wants that to be as little as can be."""
    return -respond(tree, strategy, adversary, -tree.payoffs[:, player])[0]


def _best_plan(tree: GameTree, plan: np.ndarray, player: int, adversary: int, right: float) -> np.ndarray:
    """The player's realization plan; in `plan`, all others follow the model.

    Unknown are the plan, the empty sequence first, and the least that is still to come at each set of the adversary.
    """
    size, sets = tree.sequences + 1, len(tree.information_sets)
    own, other = tree.last_sequence[:, player] + 1, tree.last_sequence[:, adversary] + 1
    worth = tree.chance_reach * (tree.payoffs[:, player] / (np.abs(tree.payoffs[:, player]).max(initial=0) or 1.0))
    for third in set(range(tree.players)) - {player, adversary}:
        worth = worth * plan[tree.last_sequence[:, third]]
    table = scipy.sparse.csr_array((worth, (other, own)), shape=(size, size))
    # A row for each set: 1 for its moves, -1 for the sequence before it.
    of_set = np.repeat(np.arange(sets), np.diff(tree.first))
    cells = np.append(of_set, np.arange(sets)), np.append(np.arange(1, size), tree.set_parent + 1)
    flow = scipy.sparse.csr_array((np.repeat([1.0, -1.0], [size - 1, sets]), cells), shape=(sets, size))
    moved = np.append(-1, tree.set_player[of_set])
    mine, theirs = int((tree.set_player == player).sum()), tree.set_player == adversary
    least = flow[theirs].T.tocsr()
    known = np.append(np.bincount(own, worth * plan[other - 1], size), np.zeros(int(theirs.sum())))
    feared = np.append(table[[0]].toarray()[0], -least[[0]].toarray())
    bounds = [(0, 1 if who in (-1, player) else 0) for who in moved] + [(None, None)] * int(theirs.sum())
    balance = scipy.sparse.hstack([flow[tree.set_player == player], scipy.sparse.csr_array((mine, int(theirs.sum())))])
    start = scipy.sparse.csr_array(([1.0], ([0], [0])), shape=(1, balance.shape[1]))
    equal = scipy.sparse.vstack([balance, start]), np.append(np.zeros(mine), 1.0)
    limits = scipy.sparse.hstack([-table, least]).tocsr()[np.flatnonzero(moved == adversary)]
    most = np.zeros(limits.shape[0])
    for aim in (right * known + (1 - right) * feared, feared if right == 1 else known):
        found = scipy.optimize.linprog(-aim, limits, most, *equal, bounds, method="highs", options=_EXACT)
        if found.x is None:
            raise ValueError(f"game = {shown(tree.game)}: the linear program was not solved: {found.message}")
        limits = scipy.sparse.vstack([limits, scipy.sparse.csr_array(-aim[None])])
        most = np.append(most, found.fun + _SLACK)
    return found.x[1:size].clip(0, 1) + 0.0


def _own(tree: GameTree, strategy: np.ndarray, player: int) -> dict[Hashable, dict[Hashable, float]]:
    """The strategy of one player by information set."""
    profile = to_profile(tree, strategy)
    return {each.information: profile[each.information] for each in tree.information_sets if each.player == player}


@njit
def _multiply_down(set_parent, first, plan):
    # A set's parent sequence belongs to a set met earlier, so one pass in order is enough. Index -1, the empty
    # sequence, is the last place, which holds 1.
    for place in range(len(set_parent)):
        for sequence in range(first[place], first[place + 1]):
            plan[sequence] *= plan[set_parent[place]]


@njit
def _best_choices(player, set_player, set_parent, first, gathered, choice, slack):
    for place in range(len(set_parent) - 1, -1, -1):
        if set_player[place] != player:
            continue
        best = first[place]
        for sequence in range(first[place] + 1, first[place + 1]):
            if gathered[sequence + 1] > gathered[best + 1] + slack:
                best = sequence
        choice[place] = best
        gathered[set_parent[place] + 1] += gathered[best + 1]
