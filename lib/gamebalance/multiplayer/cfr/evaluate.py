"""What a profile is worth, and what each player could gain by leaving it: exact, for any number of players."""

from collections.abc import Hashable
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gamebalance.base.checks import whole_number
from gamebalance.base.jit import njit
from gamebalance.base.sums import dot, vanishing
from gamebalance.base.tabled import Tabled
from gamebalance.multiplayer.cfr.profile import Profile, to_strategy
from gamebalance.multiplayer.cfr.tree import GameTree

if TYPE_CHECKING:
    import pandas

#: What rounding may leave of two equal sums, in terms of the greatest payoff; so ties fall alike on every processor.
_ROUNDING = 1e-13


@dataclass(frozen=True)
class BestResponse(Tabled):
    """A best response of one player to what the others do, by information set, and what the player gets with it.

    Each move has probability 1 or 0; the first of the best is played, also where others never let the player come.
    Moves whose worth differs by what rounding leaves are equally good.
    """

    value: float
    strategy: dict[Hashable, dict[Hashable, float]]

    def to_frame(self) -> "pandas.DataFrame":
        """A row for each information set: the move that is played there.

        Examples
        --------
        >>> BestResponse(0.5, {"K": {"bet": 1.0, "pass": 0.0}}).to_frame()["move"].tolist()
        ['bet']
        """
        import pandas

        moves = [max(chances.items(), key=itemgetter(1))[0] for chances in self.strategy.values()]
        sets = pandas.Index(list(self.strategy), name="information", tupleize_cols=False)
        return pandas.DataFrame({"move": pandas.Series(moves, sets, dtype=object)})

    def _about(self) -> str:
        return f"A best response: payoff {self.value:.6g}"


class NashConv(NamedTuple):
    """How far a profile is from an equilibrium: the sum of what each player gains by a best response, and its parts.

    The sum is 0 in a Nash equilibrium, and only there. `values` is what each player gets in the profile itself.
    """

    total: float
    gains: tuple[float, ...]
    values: tuple[float, ...]


def expected_value(game: Any, profile: Profile) -> np.ndarray:
    """What each player gets on average when all follow the profile, in the units of the game's payoffs."""
    tree = GameTree.of(game)
    return values_of(tree, to_strategy(tree, profile))


def best_response(game: Any, profile: Profile, player: int) -> BestResponse:
    """A best response to the others' strategies, by one pass from the last information sets to the first."""
    tree = GameTree.of(game)
    player = whole_number("player", player, 0, tree.players - 1)
    value, choice = respond(tree, to_strategy(tree, profile, but=player), player)
    strategy = {
        each.information: {move: float(each.first + place == choice[number]) for place, move in enumerate(each.moves)}
        for number, each in enumerate(tree.information_sets)
        if each.player == player
    }
    return BestResponse(value, strategy)


def nash_conv(game: Any, profile: Profile) -> NashConv:
    """The sum over players of what a best response would gain, with its parts.

    In a two-player zero-sum game it is twice the exploitability. The name is of M. Lanctot and others, "A unified
    game-theoretic approach to multiagent reinforcement learning", NeurIPS 2017.
    """
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
    """`expected_value` of one probability per sequence."""
    return dot(_reach(tree, plans(tree, strategy), -1), tree.payoffs)


def respond(
    tree: GameTree, strategy: np.ndarray, player: int, payoffs: np.ndarray | None = None
) -> tuple[float, np.ndarray]:
    """Value of a best response, and the sequence chosen at each information set of the player (-1 at others').

    The player wants the most of its own payoff, or of `payoffs`, one number for each end of the game.
    """
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


@njit
def _multiply_down(set_parent, first, plan):
    # A set's parent sequence belongs to a set met earlier, so one pass in order is enough. Index -1, the empty
    # sequence, is the last place, which holds 1.
    for number in range(len(set_parent)):
        for sequence in range(first[number], first[number + 1]):
            plan[sequence] *= plan[set_parent[number]]


@njit
def _best_choices(player, set_player, set_parent, first, gathered, choice, slack):
    for number in range(len(set_parent) - 1, -1, -1):
        if set_player[number] != player:
            continue
        best = first[number]
        for sequence in range(first[number] + 1, first[number + 1]):
            if gathered[sequence + 1] > gathered[best + 1] + slack:
                best = sequence
        choice[number] = best
        gathered[set_parent[number] + 1] += gathered[best + 1]
