"""MaxN with shallow and immediate pruning (Korf, 1991)."""

from collections.abc import Iterable, Sequence
from numbers import Real

from gamebalance._checks import one_of, shown
from gamebalance.multiplayer.protocols import Game, State
from gamebalance.multiplayer.search.maxn import TIES, preference
from gamebalance.multiplayer.search.result import SearchResult
from gamebalance.multiplayer.search.walk import Walk


class Bounds:
    """What is known of all payoffs beforehand: the most they sum to, and the least of each player.

    Where a game has the attributes `most_sum` and `least`, these are the defaults; else `least` is 0, and `most_sum`
    has to be given.
    """

    def __init__(self, game: Game, most_sum: float | None, least: float | Sequence[float] | None):
        most_sum = getattr(game, "most_sum", None) if most_sum is None else most_sum
        least = getattr(game, "least", 0) if least is None else least
        if not _number(most_sum):
            raise ValueError(f"most_sum = {shown(most_sum)}: the largest sum of payoffs, a finite number, is needed")
        given, least = least, (least,) * game.players if isinstance(least, Real) else least
        least = tuple(least) if isinstance(least, Iterable) else ()
        if len(least) != game.players or not all(map(_number, least)):
            raise ValueError(f"least = {shown(given)}: one finite number, or one for each of {game.players} players")
        if sum(least) > most_sum:
            raise ValueError(f"most_sum = {shown(most_sum)}: at least the sum of least = {shown(least)} is needed")
        self.most_sum, self.least = most_sum, least
        self._all_least = sum(least)

    def check(self, payoffs: tuple, state: State) -> None:
        """Refuse payoffs outside the bounds, with which pruning would be wrong."""
        if sum(payoffs) > self.most_sum:
            raise ValueError(
                f"most_sum = {shown(self.most_sum)}: the payoffs {shown(payoffs)} of state {shown(state)} sum to more"
            )
        if any(value < least for value, least in zip(payoffs, self.least, strict=True)):
            raise ValueError(f"least = {shown(self.least)}: state {shown(state)} has the payoffs {shown(payoffs)}")

    def left_over(self, *players: int) -> float:
        """The most that these players can have together."""
        return self.most_sum - self._all_least + sum(self.least[player] for player in players)


def _number(value) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and abs(value) < float("inf")


def maxn_shallow(
    game: Game,
    state: State,
    depth: int | None = None,
    most_sum: float | None = None,
    least: float | Sequence[float] | None = None,
    ties: str = "first",
    immediate: bool = True,
    player: int | None = None,
) -> SearchResult:
    """MaxN with shallow and immediate pruning (Korf, 1991): the same value, move and line as `maxn`, from fewer nodes.

    Let a player p have a move worth b, and let another player q, after the next move of p, find a move worth c to q.
    Whatever q plays instead is worth at least c to q, so at most ``most_sum - c`` less the others' least to p. If that
    is at most b, p need not know more (*shallow* pruning). With "first" ties p would keep its earlier move even if both
    were equal, so equality is enough; with any other tie rule the cut has to be strict. A player who has all there is
    to have can stop with "first" ties (*immediate* pruning).

    The bound goes down one ply only. Carried further down (*deep* pruning) it can change the value of the root (Korf,
    1991); `games.deep_pruning_example` is a tree in which it does.

    Parameters
    ----------
    game, state, depth, player
        As in `maxn`.
    most_sum : number, optional
        A bound on the sum of all players' payoffs in every state where the search ends; by default that of the game.
    least : number or sequence of numbers, optional
        A lower bound on each player's payoff; by default that of the game, else 0.
    ties : {"first", "last", "paranoid", "optimistic"}
        As in `maxn`.
    immediate : bool
        Whether to prune immediately too.

    Returns
    -------
    SearchResult
        Exactly that of `maxn` if sums of payoffs are exact, as those of whole numbers and Fractions are. With other
        floats, choose `most_sum` a little larger than the sums.

    Raises
    ------
    ValueError
        As `maxn`; also if no bound is known, or a payoff that is met breaks one.
    """
    walk = Walk(game, depth)
    bounds = Bounds(game, most_sum, least)
    one_of("ties", ties, TIES[:4])
    better = preference(ties, walk.searcher(state, player))
    first = ties == "first"
    most = [bounds.left_over(player) for player in range(game.players)]

    def visit(state, depth, above=None, held=None):
        """The value and line; None where the player `above`, who holds a move worth `held`, cannot want this state."""
        payoffs = walk.arrive(state, depth)
        if payoffs is not None:
            bounds.check(payoffs, state)
            return payoffs, ()
        mover = walk.mover(state)
        enough = None if held is None or above == mover else bounds.left_over(mover, above) - held
        best = None
        for move, after in walk.moves(state):
            found = visit(after, depth - 1, mover, best and best[0][mover])
            if found is None or (best is not None and not better(found[0], best[0], mover)):
                continue
            best = found[0], (mover, move, found[1])
            own = best[0][mover]
            if enough is not None and (own > enough or (first and own == enough)):
                return None
            if immediate and first and own == most[mover]:
                break
        return best

    return walk.result(lambda: visit(state, walk.depth))
