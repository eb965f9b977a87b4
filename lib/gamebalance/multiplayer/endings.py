"""How any game of the protocol ends when players move at random, or as a policy or a profile says."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from gamebalance.base.checks import shown
from gamebalance.base.rounding import meant
from gamebalance.fairness import walks
from gamebalance.fairness.endings import Endings
from gamebalance.fairness.estimates import Estimate
from gamebalance.fairness.measures import is_kingmaker
from gamebalance.multiplayer.protocols import (
    CHANCE,
    Game,
    Move,
    State,
    check_game,
    check_payoffs,
    check_probabilities,
    legal_moves,
)
from gamebalance.multiplayer.search.max_n import maxn_of

#: The chance of each legal move in a state, in their order; or a profile, by information set and move.
Policy = Callable[[State], Any] | Mapping


def endings(
    game: Game,
    policy: Policy | None = None,
    start: State | None = None,
    leader: Callable[[State], Any] | None = None,
) -> Endings:
    """How a game ends, exactly: who wins, what everybody gets, how long it takes, how often the lead goes over.

    Parameters
    ----------
    game : Game
        With `chances` if chance moves in it, and `information` if a profile is given.
    policy : callable or mapping, optional
        The chances of the legal moves of a state, in their order; or a profile such as `cfr.solve` finds. By default
        every move is equally likely.
    start : State, optional
        `game.start()` by default.
    leader : callable, optional
        Who leads in a state, or None.

    Returns
    -------
    Endings
        By seat, from 1: `points` are the payoffs, and whoever gets the most has won; those who share it, in equal
        parts, unless all do: then nobody has.

    Raises
    ------
    ValueError
        If game, policy or chances are no such things, or a part of the play never ends.

    Examples
    --------
    Three players who put their marks anywhere in tic-tac-toe: who begins gets three in a row in 9.5 % of the games.

    >>> from gamebalance.games import tictactoe
    >>> endings(tictactoe(3)).tally("seat").means.round(3).tolist()
    [0.095, 0.088, 0.088]
    """
    check_game(game)
    walk = walks.follow(game.start() if start is None else start, following(game, policy), leader)
    by_payoffs: dict[tuple, float] = {}
    for state, chance in walk.ends.items():
        payoffs = check_payoffs(game, game.payoffs(state), state)
        by_payoffs[payoffs] = by_payoffs.get(payoffs, 0.0) + chance
    points = np.array(list(by_payoffs), float)
    changes = Estimate(walk.lead_changes) if leader else None
    return Endings(
        {"seat": list(range(1, game.players + 1))},
        [1] * game.players,
        list(by_payoffs.values()),
        {"won": shares_of_the_win(points), "points": points},
        length=Estimate(walk.length),
        lead_changes=changes,
        step="moves",
    )


def kingmaking(game: Game, policy: Policy | None = None, start: State | None = None) -> float:
    """The chance that somebody becomes a kingmaker: decides between others, with nothing of the own at stake.

    Parameters are those of `endings`. What a move leads to is its MaxN value, to the end of the game and with ties
    broken at random; whose value is the same after all moves, and somebody else's is not, is a kingmaker
    (`measures.is_kingmaker`).

    Examples
    --------
    Whoever begins gets nothing, and chooses which of the others wins:

    >>> from gamebalance.games import Tree
    >>> kingmaking(Tree((0, [(0, 1, 0), (0, 0, 1)])), start=())
    1.0
    """
    check_game(game)
    value = maxn_of(game)

    def marked(state: State) -> bool:
        if game.is_over(state) or game.mover(state) == CHANCE:
            return False
        after = [value(game.play(state, move)) for move in legal_moves(game, state)]
        return is_kingmaker(np.array(after, float), game.mover(state))

    return meant(walks.follow(game.start() if start is None else start, following(game, policy), marked=marked).met)


def following(game: Game, policy: Policy | None = None) -> Callable[[State], dict[State, float]]:
    """The chance of each state that comes next, under a policy."""

    def after(state: State) -> dict[State, float]:
        found: dict[State, float] = {}
        moves = () if game.is_over(state) else legal_moves(game, state)
        for move, chance in zip(moves, _chances(game, state, moves, policy) if moves else (), strict=True):
            if chance:
                then = game.play(state, move)
                found[then] = found.get(then, 0.0) + float(chance)
        return found

    return after


def shares_of_the_win(points: np.ndarray) -> np.ndarray:
    """Who has won with these payoffs: 1, parts for those who share the most, 0 for all where all have the same."""
    most = meant(points) == meant(points).max(axis=1, keepdims=True)
    drawn = most.all(axis=1, keepdims=True)
    return np.where(drawn, 0.0, most / most.sum(axis=1, keepdims=True))


def _chances(game: Game, state: State, moves: list[Move], policy: Policy | None) -> tuple:
    """The chance of each move."""
    if game.mover(state) == CHANCE:
        return check_probabilities(f"chances({shown(state)})", game.chances(state))
    if policy is None:
        return (1 / len(moves),) * len(moves)
    if isinstance(policy, Mapping):
        chosen = policy.get(game.information(state))
        if chosen is None:
            raise ValueError(f"policy: it says nothing about {shown(game.information(state))}")
        chances = tuple(chosen.get(move, 0.0) for move in moves)
    else:
        chances = policy(state)
    chances = check_probabilities(f"policy in {shown(state)}", chances)
    if len(chances) != len(moves):
        raise ValueError(f"policy in {shown(state)}: {len(chances)} chances for {len(moves)} moves")
    return chances
