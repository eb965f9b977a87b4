"""Pure strategies: equilibria, the exact potential of a game, and best-response iteration.

In a best-response iteration the players change one after the other to a best reply, until nobody does or they go in
circles. It is a search in a game's normal form; Best-Reply Search, which looks ahead in a game tree, is in
`gamebalance.multiplayer.search`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gamebalance.base.checks import instance
from gamebalance.base.tabled import Tabled
from gamebalance.multiplayer.normal_form.game import TOLERANCE, NormalFormGame

if TYPE_CHECKING:
    import pandas


def pure_equilibria(game: NormalFormGame) -> np.ndarray:
    """All Nash equilibria in pure strategies: the number of each player's strategy, shape (equilibria, players)."""
    stable = np.ones(instance("game", game, NormalFormGame).counts, bool)
    for player, payoffs in enumerate(game.payoffs):
        stable &= payoffs >= payoffs.max(axis=player, keepdims=True) - TOLERANCE
    return np.argwhere(stable)


def potential(game: NormalFormGame) -> np.ndarray | None:
    """An exact potential (Monderer and Shapley 1996), shape `game.counts`, if the game has one; else None.

    It changes by as much as a player's payoff does whenever that player alone changes strategy, and is 0 where all play
    their first. A candidate is summed along paths on which the players leave their first strategies one after the
    other; it is a potential if and only if each payoff less it does not depend on the player's own strategy.
    """
    total = np.zeros(instance("game", game, NormalFormGame).counts)
    for player, payoffs in enumerate(game.payoffs):
        later = (Ellipsis, *(slice(0, 1) for _ in range(player + 1, game.players)))  # they are still at their first
        path = payoffs[later]
        total = total + path - path.take([0], axis=player)
    for player, payoffs in enumerate(game.payoffs):
        if np.ptp(payoffs - total, axis=player).max() > TOLERANCE:
            return None
    return total


@dataclass(frozen=True)
class ReplyPath(Tabled):
    """How a best-response iteration went.

    `status` is "converged" if nobody can gain any more, or "cycle" if the players have come back to an earlier
    situation; `profile` are the strategies at the end. `path` has all profiles from the start, each a change of one
    player from the one before, `cycle` those that return for ever. In each of `rounds`, every player is asked once.
    `nash_conv` is what all together could gain at the end, each by changing alone.
    """

    status: str
    profile: tuple[int, ...]
    path: tuple[tuple[int, ...], ...]
    cycle: tuple[tuple[int, ...], ...]
    rounds: int
    nash_conv: float

    def to_frame(self) -> "pandas.DataFrame":
        """A row for each profile of the path, from 0 on; a column for each player with the number of her strategy.

        Examples
        --------
        >>> best_response_iteration(NormalFormGame([[[2, 0], [0, 1]]] * 2), (0, 1)).to_frame().to_numpy().tolist()
        [[0, 1], [1, 1]]
        """
        import pandas

        names = [f"player {player}" for player in range(len(self.profile))]
        return pandas.DataFrame(self.path, pandas.RangeIndex(len(self.path), name="change"), names)

    def _about(self) -> str:
        end = "nobody can gain any more" if self.status == "converged" else "the players go in a cycle"
        return f"Best-response iteration, strategies by number: {end}; NashConv {self.nash_conv:.3g}"


def best_response_iteration(game: NormalFormGame, start: Sequence[int]) -> ReplyPath:
    """Let the players change in turn to the first of their best replies, from one strategy of each.

    What a player does depends on the profile and on whose turn it is. The first repetition of both is the beginning of
    a cycle that goes on for ever; as a finite game has only so many situations, one of the two ends comes. In a game
    with an exact potential every change raises the potential, so there is no cycle (Monderer and Shapley 1996).
    """
    profile = list(instance("game", game, NormalFormGame).check_strategies(start, "start"))
    seen: dict = {}
    path, cycle = [tuple(profile)], ()
    step = unchanged = 0
    while unchanged < game.players:
        player = step % game.players
        situation = tuple(profile), player
        if situation in seen:
            cycle = tuple(path[seen[situation] : -1])
            break
        seen[situation] = len(path) - 1
        values = game.payoffs[(player, *profile[:player], slice(None), *profile[player + 1 :])]
        step += 1
        unchanged += 1
        if values.max() > values[profile[player]] + TOLERANCE:
            profile[player] = int(values.argmax())
            path.append(tuple(profile))
            unchanged = 0
    end, rounds = tuple(profile), -(-step // game.players)
    return ReplyPath("cycle" if cycle else "converged", end, tuple(path), cycle, rounds, game.nash_conv(game.pure(end)))
