"""Paranoid search and Best-Reply Search: the searching player on one side, all others on the other."""

from collections.abc import Callable, Iterator
from math import inf

from gamebalance.base.checks import flag, shown
from gamebalance.multiplayer.protocols import OVER, Game, PassingGame, State, check_game
from gamebalance.multiplayer.search.walk import SearchResult, Walk


def paranoid(
    game: Game, state: State, depth: int | None = None, pruning: bool = True, player: int | None = None
) -> SearchResult:
    """Paranoid search (Sturtevant and Korf, 2000): all others join to hold down `player`, by default the one to move.

    Searched to the end of the game, the value, the player's payoff alone, is what it can secure whatever the others do,
    so it is at most the player's component of any MaxN value. Alpha-beta pruning changes neither value nor line, since
    there are two sides. Ties go to the first move in the game's order.
    """
    walk = Walk(game, state, depth)
    us = walk.searcher(state, player)

    def options(state):
        mover = walk.player(state)
        return mover == us, ((mover, move, after) for move, after in walk.moves(state))

    return _alpha_beta(walk, state, us, options, flag("pruning", pruning))


def best_reply(game: PassingGame, state: State, depth: int | None = None, pruning: bool = True) -> SearchResult:
    """Best-Reply Search (Schadd and Winands, 2011): after each move of the searching player one opponent answers.

    Plies alternate between the searching player, who is to move, and its opponents. In an opponents' ply the strongest
    single answer is looked for among the moves of all of them, in turn order; the others pass, and the turn returns to
    the searching player, whose payoff alone is the value. With two players who move in turn nobody passes, any `Game`
    will do, and the search is minimax. Ties go to the first move.

    The states searched need not be reachable in play, as players do not pass there; and a game in which a pass leaves
    no sensible state cannot be searched this way.
    """
    walk = Walk(game, state, depth)
    if game.players > 2:
        check_game(game, PassingGame)
    us = walk.searcher(state)
    opponents = [(us + step) % game.players for step in range(1, game.players)]

    def answers(state) -> Iterator[tuple]:
        for player in opponents:
            turn = _hand(walk, state, player)
            for move, after in walk.moves(turn):
                yield player, move, after if game.mover(after) == OVER else _hand(walk, after, us)

    def options(state):
        if walk.player(state) == us:
            return True, ((us, move, after) for move, after in walk.moves(state))
        return False, answers(state)

    return _alpha_beta(walk, state, us, options, flag("pruning", pruning))


def _hand(walk: Walk, state: State, player: int) -> State:
    """The state with the turn handed to the player, if the game knows how."""
    if walk.player(state) == player:
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
