"""Methods against each other: every assignment of methods to seats, from given openings."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from gamebalance._checks import shown, whole_number
from gamebalance.multiplayer.protocols import Game, Move, State, check_game, check_payoffs
from gamebalance.multiplayer.search.walk import Walk

#: The most games of one tournament.
MOST_GAMES = 10**6

Policy = Callable[[Game, State], Move]


@dataclass(frozen=True)
class RoundRobin:
    """Payoffs of a tournament.

    Attributes
    ----------
    names : tuple of str
        The methods.
    seatings : tuple of tuple of int
        For each seating the method, by its place in `names`, of every player.
    payoffs : numpy.ndarray
        Mean payoff over the openings; shape (seatings, players).
    openings : int
        Games per seating.
    """

    names: tuple
    seatings: tuple
    payoffs: np.ndarray
    openings: int

    def means(self, mixed: bool = True) -> np.ndarray:
        """Mean payoff of every method over its seats in all seatings; shape (methods,).

        With `mixed`, seatings in which all players use one method are left out: nobody gains on anybody there
        (Sturtevant, 2003).
        """
        total, count = np.zeros(len(self.names)), np.zeros(len(self.names))
        for seating, payoffs in zip(self.seatings, self.payoffs, strict=True):
            if mixed and len(set(seating)) == 1:
                continue
            np.add.at(total, list(seating), payoffs)
            np.add.at(count, list(seating), 1)
        return total / np.where(count, count, np.nan)

    def alone(self) -> np.ndarray:
        """Mean payoff of one player of a method (row) when all others use one method (column), over all its seats.

        Shape (methods, methods); with one player, only the diagonal is a number.
        """
        total, count = np.zeros((2, len(self.names), len(self.names)))
        for seating, payoffs in zip(self.seatings, self.payoffs, strict=True):
            for seat, own in enumerate(seating):
                others = set(seating[:seat] + seating[seat + 1 :]) or {own}
                if len(others) == 1:
                    other = others.pop()
                    total[own, other] += payoffs[seat]
                    count[own, other] += 1
        return total / np.where(count, count, np.nan)


def play_game(game: Game, state: State, policies: Sequence[Policy], most_plies: int = 10_000) -> tuple:
    """The payoffs of the game in which player i moves as ``policies[i](game, state)`` says.

    Raises
    ------
    ValueError
        If there is not one policy for each player, a policy names no legal move, nobody at the table is to move, or the
        game has not ended after `most_plies`.
    """
    walk = Walk(game, None)
    if len(policies) != game.players:
        raise ValueError(f"policies: {len(policies)} of them, one for each of {game.players} players is needed")
    for _ in range(whole_number("most_plies", most_plies, 1)):
        if game.is_over(state):
            return check_payoffs(game, game.payoffs(state), state)
        player = walk.mover(state)
        move = policies[player](game, state)
        if move not in walk.legal(state):
            raise ValueError(f"policies[{player}]: it moves {shown(move)} in {shown(state)}, which is not legal there")
        state = game.play(state, move)
    raise ValueError(f"most_plies = {most_plies}: the game had not ended by then")


def round_robin(game: Game, openings: Sequence[State], policies: Mapping[str, Policy]) -> RoundRobin:
    """Play every seating of the methods from every opening.

    A policy is asked once for each state; so it has to depend on the state alone, as deterministic searches do.

    Parameters
    ----------
    game : Game
    openings : sequence of State
        Where games begin; each weighs the same.
    policies : mapping of str to callable
        The move of a method in a state, as a function (game, state).

    Returns
    -------
    RoundRobin
        All ``len(policies) ** players`` seatings.

    Raises
    ------
    ValueError
        If there are no openings or policies, or more than `MOST_GAMES` games.
    """
    check_game(game)
    names, openings = tuple(policies), tuple(openings)
    games = len(names) ** game.players * len(openings)
    if not 1 <= games <= MOST_GAMES:
        raise ValueError(f"openings, policies: they make {games} games, from 1 to {MOST_GAMES} are allowed")
    remembered = [_remembering(policies[name]) for name in names]
    seatings = tuple(product(range(len(names)), repeat=game.players))
    payoffs = np.array([_mean_payoffs(game, openings, [remembered[i] for i in seating]) for seating in seatings])
    return RoundRobin(names, seatings, payoffs, len(openings))


def _remembering(policy: Policy) -> Policy:
    known: dict = {}

    def remembering(game, state):
        if state not in known:
            known[state] = policy(game, state)
        return known[state]

    return remembering


def _mean_payoffs(game: Game, openings: Sequence[State], policies: Sequence[Policy]) -> np.ndarray:
    return np.mean([play_game(game, state, policies) for state in openings], axis=0)
