"""Best-response iteration: players change one after the other to a best reply, until nobody does or they go in circles.

The fixed points are the pure Nash equilibria. This is a search in a game's normal form; Best-Reply Search, which looks
ahead in a game tree, is in `gamebalance.multiplayer.search`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gamebalance._checks import listed, shown, whole_number

from .game import TOLERANCE, NormalFormGame, check_tolerance


@dataclass(frozen=True)
class ReplyPath:
    """How a best-response iteration went.

    Attributes
    ----------
    status : {"converged", "cycle", "stopped"}
        Whether nobody can gain any more, the players have come back to an earlier situation, or the rounds are used up.
    profile : tuple of int
        The strategies at the end.
    path : tuple of tuples of int
        All profiles from the start on, each a change of one player from the one before.
    cycle : tuple of tuples of int
        The profiles that return for ever, from the first one that did; empty unless the status is "cycle".
    rounds : int
        Rounds begun; in each, every player is asked once.
    regrets : ndarray, shape (players,)
        What each player could gain at the end by changing alone.
    """

    status: str
    profile: tuple[int, ...]
    path: tuple[tuple[int, ...], ...]
    cycle: tuple[tuple[int, ...], ...]
    rounds: int
    regrets: np.ndarray

    @property
    def nash_conv(self) -> float:
        """The sum of the regrets: 0 if converged, more if not."""
        return float(self.regrets.sum())


def best_response_iteration(
    game: NormalFormGame,
    start: Sequence[int],
    order: Sequence[int] | None = None,
    max_rounds: int | None = None,
    tolerance: float = TOLERANCE,
) -> ReplyPath:
    """Let the players change in turn to the first of their best replies.

    Parameters
    ----------
    game : NormalFormGame
    start : sequence of int
        The number of each player's strategy at the beginning.
    order : sequence of int, optional
        In which order the players are asked in each round; by default 0, 1, 2, …
    max_rounds : int, optional
        When to give up; by default never, as a finite game converges or cycles.
    tolerance : float
        A player who can gain no more than this stays.

    Returns
    -------
    ReplyPath

    Raises
    ------
    ValueError
        If the start is no profile, the order no permutation of the players, or `max_rounds` less than 1.

    Notes
    -----
    What a player does depends on the profile and on whose turn it is. The first repetition of both is the beginning of
    a cycle that goes on for ever. In a game with an exact potential every change raises the potential, so there is none
    (Monderer and Shapley 1996).
    """
    profile = list(game.check_strategies(start, "start"))
    turns = list(range(game.players)) if order is None else _check_order(game, order)
    most = None if max_rounds is None else whole_number("max_rounds", max_rounds, 1) * game.players
    tolerance = check_tolerance(tolerance)
    path, seen = [tuple(profile)], {}
    step = unchanged = 0
    status = "stopped"
    while step != most:
        situation = tuple(profile), step % game.players
        if situation in seen:
            status = "cycle"
            break
        seen[situation] = len(path) - 1
        player = turns[step % game.players]
        values = game.payoffs[(player, *profile[:player], slice(None), *profile[player + 1 :])]
        step += 1
        unchanged += 1
        if values.max() > values[profile[player]] + tolerance:
            profile[player] = int(values.argmax())
            path.append(tuple(profile))
            unchanged = 0
        if unchanged == game.players:
            status = "converged"
            break
    cycle = tuple(path[seen[situation] : -1]) if status == "cycle" else ()
    end = tuple(profile)
    return ReplyPath(status, end, tuple(path), cycle, -(-step // game.players), game.regrets(game.pure(end)))


def _check_order(game: NormalFormGame, order: Sequence[int]) -> list[int]:
    turns = [whole_number("order", player, 0, game.players - 1) for player in listed("order", order)]
    if sorted(turns) != list(range(game.players)):
        raise ValueError(f"order = {shown(order)}: each of {game.players} players once is needed")
    return turns
