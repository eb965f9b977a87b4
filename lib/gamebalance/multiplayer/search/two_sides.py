"""Paranoid search and Best-Reply Search: the searching player on one side, all others on the other."""

from collections.abc import Callable, Iterator
from math import inf

from gamebalance._checks import shown
from gamebalance.multiplayer.protocols import Game, PassingGame, State, check_game
from gamebalance.multiplayer.search.result import SearchResult
from gamebalance.multiplayer.search.walk import Walk


def paranoid(
    game: Game, state: State, depth: int | None = None, pruning: bool = True, player: int | None = None
) -> SearchResult:
    """Paranoid search (Sturtevant and Korf, 2000): all other players join to hold down the searching one.

    Searched to the end of the game, the value is what the player can secure whatever the others do, so it is at most
    the player's component of any MaxN value. Alpha-beta pruning is sound, since there are two sides.

    Parameters
    ----------
    game : Game
    state : State
    depth : int, optional
        Plies to look ahead; None searches to the end of the game.
    pruning : bool
        Whether to prune by alpha-beta; value, move and principal variation are the same without.
    player : int, optional
        The searching player; the one to move if not given.

    Returns
    -------
    SearchResult
        `value` is the searching player's payoff alone. Ties go to the first move in the game's order.

    Raises
    ------
    ValueError
        If an argument is none of the allowed, a player who must move has no moves, or payoffs are not one number for
        each player.
    """
    walk = Walk(game, depth)
    us = walk.searcher(state, player)

    def options(state):
        mover = walk.mover(state)
        return mover == us, ((mover, move, after) for move, after in walk.moves(state))

    return _alpha_beta(walk, state, us, options, pruning)


def best_reply(game: PassingGame, state: State, depth: int | None = None, pruning: bool = True) -> SearchResult:
    """Best-Reply Search (Schadd and Winands, 2011): after each move of the searching player one opponent answers.

    Plies alternate between the searching player and its opponents. In an opponents' ply the strongest single answer is
    looked for among the moves of all of them; the others pass, and the turn returns to the searching player. With two
    players nobody passes, and the search is minimax.

    The states searched need not be reachable in play, as players do not pass there; and a game in which a pass leaves
    no sensible state cannot be searched this way.

    Parameters
    ----------
    game : PassingGame
        With two players who move in turn, `Game` is enough.
    state : State
        The searching player is the one to move.
    depth : int, optional
        Plies to look ahead, where an opponents' ply is one; None searches until every line has ended.
    pruning : bool
        Whether to prune by alpha-beta; value, move and principal variation are the same without.

    Returns
    -------
    SearchResult
        `value` is the searching player's payoff alone. Ties go to the first move; opponents' moves are tried in turn
        order, beginning with the player after the searching one.

    Raises
    ------
    ValueError
        As `paranoid`; also if the turn cannot be handed to a player.
    """
    walk = Walk(game, depth)
    if game.players > 2:
        check_game(game, PassingGame)
    us = walk.searcher(state)
    opponents = [(us + step) % game.players for step in range(1, game.players)]

    def answers(state) -> Iterator[tuple]:
        for player in opponents:
            turn = _hand(walk, state, player)
            for move, after in walk.moves(turn):
                yield player, move, after if game.is_over(after) else _hand(walk, after, us)

    def options(state):
        if walk.mover(state) == us:
            return True, ((us, move, after) for move, after in walk.moves(state))
        return False, answers(state)

    return _alpha_beta(walk, state, us, options, pruning)


def _hand(walk: Walk, state: State, player: int) -> State:
    """The state with the turn handed to the player, if the game knows how."""
    if walk.mover(state) == player:
        return state
    if not hasattr(walk.game, "hand_to"):
        check_game(walk.game, PassingGame)
    try:
        return walk.game.hand_to(state, player)
    except ValueError as error:
        raise ValueError(
            f"state = {shown(state)}: the turn cannot go to player {player}, as Best-Reply Search needs ({error})"
        ) from error


def _alpha_beta(walk: Walk, state: State, us: int, options: Callable, pruning: bool) -> SearchResult:
    """Two-sided depth-first search. `options(state)`: is it our side's turn, and triples (player, move, state after).

    Sides need not alternate. Only a strict improvement replaces a move, so that inside the window the first best move
    is found, as without pruning (Knuth and Moore, 1975).
    """

    def visit(state, depth, low, high):
        payoffs = walk.arrive(state, depth)
        if payoffs is not None:
            return payoffs[us], ()
        ours, successors = options(state)
        best = None
        for player, move, after in successors:
            value, line = visit(after, depth - 1, low, high)
            if best is None or (value > best[0] if ours else value < best[0]):
                best = value, (player, move, line)
            if ours:
                low = max(low, value)
            else:
                high = min(high, value)
            if pruning and low >= high:
                break
        return best

    return walk.result(lambda: visit(state, walk.depth, -inf, inf))
