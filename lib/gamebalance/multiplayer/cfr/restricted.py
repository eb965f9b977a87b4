"""Between the best reply to a model of an opponent and the safest strategy: restricted Nash responses."""

from collections.abc import Hashable
from typing import Any, NamedTuple

import numpy as np
from scipy import optimize, sparse

from gamebalance.base.checks import number, shown, whole_number
from gamebalance.multiplayer.cfr.evaluate import plans, respond, values_of
from gamebalance.multiplayer.cfr.profile import Profile, to_strategy
from gamebalance.multiplayer.cfr.tree import GameTree

#: How exact the solver is, for payoffs of at most 1, and how near the best a second aim has to stay.
_EXACT = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
_SLACK = 1e-12


class RestrictedResponse(NamedTuple):
    """A strategy for one player, and what it gets if the model is right, and at least, whatever the adversary does."""

    strategy: dict[Hashable, dict[Hashable, float]]
    against_model: float
    at_least: float


def restricted_response(
    game: Any, model: Profile, player: int, weight: float, adversary: int | None = None
) -> RestrictedResponse:
    """The best strategy if a model of the others is right with probability `weight`, and else one of them knows better.

    With the rest of the probability that one, the adversary, knows the player's strategy and makes the player's
    payoff as small as it can; the other opponents follow the model in any case. Found by linear programming over the
    player's sequences (Koller, Megiddo and von Stengel 1996), exact up to its tolerance. The source has two players.

    Parameters
    ----------
    model : mapping
        A strategy for each of the others, by information set.
    weight : float
        0 gives the safest strategy, 1 a best response to the model. Of several that are best for a weight, the one that
        gets most from the model is found; with 1, the safest.
    adversary : int, optional
        Not needed with two players.

    References
    ----------
    * Johanson, M., M. Zinkevich, M. Bowling, "Computing robust counter-strategies", NIPS 2007.

    Examples
    --------
    >>> from gamebalance.games import Kuhn
    >>> always_bets = {card + moves: {"b": 1} for card in "012" for moves in ("p", "b")}
    >>> found = [restricted_response(Kuhn(), always_bets, 0, weight) for weight in (0, 1)]
    >>> [(round(each.against_model, 4), round(each.at_least, 4)) for each in found]  # the game is worth -1/18
    [(0.1111, -0.0556), (0.3333, -0.1667)]
    """
    tree = GameTree.of(game)
    player = whole_number("player", player, 0, tree.players - 1)
    if tree.players < 2:
        raise ValueError(f"game.players = {tree.players}: two players or more are needed")
    if adversary is None and tree.players == 2:
        adversary = 1 - player
    adversary = whole_number("adversary", adversary, 0, tree.players - 1)
    if adversary == player:
        raise ValueError(f"adversary = {adversary}: another player than the one who responds is needed")
    right = float(number("weight", weight, 0, 1))
    strategy = to_strategy(tree, model, but=player)
    plan = _best_plan(tree, plans(tree, strategy), player, adversary, right)
    found = {}
    for each in tree.information_sets:
        if each.player == player:
            chances = plan[each.first : each.first + len(each.moves)]
            total = chances.sum()
            chances = chances / total if total > 0 else np.full(len(each.moves), 1 / len(each.moves))
            strategy[each.first : each.first + len(each.moves)] = chances
            found[each.information] = dict(zip(each.moves, chances.tolist(), strict=True))
    least = worst_case(tree, strategy, player, adversary)
    return RestrictedResponse(found, float(values_of(tree, strategy)[player]), least)


def worst_case(tree: GameTree, strategy: np.ndarray, player: int, adversary: int) -> float:
    """What a player gets, of one probability per sequence, if the adversary wants that to be as little as can be."""
    return -respond(tree, strategy, adversary, -tree.payoffs[:, player])[0]


def _best_plan(tree: GameTree, plan: np.ndarray, player: int, adversary: int, right: float) -> np.ndarray:
    """The player's realization plan; in `plan`, all others follow the model.

    The unknowns are the plan, the empty sequence first, and for each information set of the adversary the least that is
    still to come there: no more than any of its moves leaves.
    """
    size, sets = tree.sequences + 1, len(tree.information_sets)
    own, other = tree.last_sequence[:, player] + 1, tree.last_sequence[:, adversary] + 1
    worth = tree.chance_reach * (tree.payoffs[:, player] / (np.abs(tree.payoffs[:, player]).max(initial=0) or 1.0))
    for third in set(range(tree.players)) - {player, adversary}:
        worth = worth * plan[tree.last_sequence[:, third]]
    table = sparse.csr_array((worth, (other, own)), shape=(size, size))
    # A row for each set: 1 for its moves, -1 for the sequence before it.
    of_set = np.repeat(np.arange(sets), np.diff(tree.first))
    cells = np.append(of_set, np.arange(sets)), np.append(np.arange(1, size), tree.set_parent + 1)
    flow = sparse.csr_array((np.repeat([1.0, -1.0], [size - 1, sets]), cells), shape=(sets, size))
    moved = np.append(-1, tree.set_player[of_set])
    mine, theirs = int((tree.set_player == player).sum()), tree.set_player == adversary
    least = flow[theirs].T.tocsr()
    known = np.append(np.bincount(own, worth * plan[other - 1], size), np.zeros(int(theirs.sum())))
    feared = np.append(table[[0]].toarray()[0], -least[[0]].toarray())
    bounds = [(0, 1 if who in (-1, player) else 0) for who in moved] + [(None, None)] * int(theirs.sum())
    balance = sparse.hstack([flow[tree.set_player == player], sparse.csr_array((mine, int(theirs.sum())))])
    start = sparse.csr_array(([1.0], ([0], [0])), shape=(1, balance.shape[1]))
    equal = sparse.vstack([balance, start]), np.append(np.zeros(mine), 1.0)
    limits = sparse.hstack([-table, least]).tocsr()[np.flatnonzero(moved == adversary)]
    most = np.zeros(limits.shape[0])
    for aim in (right * known + (1 - right) * feared, feared if right == 1 else known):
        found = optimize.linprog(-aim, limits, most, *equal, bounds, method="highs", options=_EXACT)
        if found.x is None:
            raise ValueError(f"game = {shown(tree.game)}: the linear program was not solved: {found.message}")
        limits, most = sparse.vstack([limits, sparse.csr_array(-aim[None])]), np.append(most, found.fun + _SLACK)
    return found.x[1:size].clip(0, 1) + 0.0
