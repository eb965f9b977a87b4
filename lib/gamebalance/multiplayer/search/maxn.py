"""MaxN: every player maximises its own payoff (Luckhardt and Irani, 1986), and the set of all its values under ties.

A MaxN value is the payoff vector of a subgame-perfect equilibrium in pure strategies of the game cut off at the depth
limit. It is unique if no player is ever indifferent; where one is, the value depends on the rule that breaks the tie.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational

from gamebalance._checks import one_of
from gamebalance.multiplayer.protocols import Game, State
from gamebalance.multiplayer.search.result import SearchResult
from gamebalance.multiplayer.search.walk import Walk

#: How a player may choose among moves that are equally good for it.
TIES = ("first", "last", "paranoid", "optimistic", "even")


def preference(ties: str, root: int) -> Callable[[tuple, tuple, int], bool]:
    """Whether a player takes a new payoff vector instead of the one it has, as a function (new, old, player)."""
    if ties == "first":
        return lambda new, old, player: new[player] > old[player]
    if ties == "last":
        return lambda new, old, player: new[player] >= old[player]
    sign = -1 if ties == "paranoid" else 1
    return lambda new, old, player: (new[player], sign * new[root]) > (old[player], sign * old[root])


def maxn(
    game: Game,
    state: State,
    depth: int | None = None,
    ties: str = "first",
    table: bool = False,
    player: int | None = None,
) -> SearchResult:
    """MaxN search (Luckhardt and Irani, 1986): each player takes the move that is best for itself.

    Parameters
    ----------
    game : Game
    state : State
    depth : int, optional
        Plies to look ahead; None searches to the end of the game. At the limit the game's `payoffs` stand in.
    ties : {"first", "last", "paranoid", "optimistic", "even"}
        What a player does with equally good moves: the first or the last in the game's order; the one that is worst or
        best for the searching player (first of these if there are several); or each with the same probability, as in
        Max-Prob (Hashavit and Markovitch, 2011), whose values are Fractions and an equilibrium in mixed strategies.
    table : bool
        Keep the value of each pair of a state and a number of plies left, and look it up when the state is met
        again. The answer is the same. Memory grows with the number of such pairs.
    player : int, optional
        Whose side "paranoid" and "optimistic" ties take; the player to move if not given.

    Returns
    -------
    SearchResult
        `value` holds the payoff of every player. With "even" ties, `move` and the principal variation take the first
        of the equally good moves.

    Raises
    ------
    ValueError
        If an argument is none of the allowed, a player who must move has no moves, or payoffs are not one number for
        each player.
    """
    walk = Walk(game, depth)
    one_of("ties", ties, TIES)
    better = preference("first" if ties == "even" else ties, walk.searcher(state, player))
    known: dict = {}

    def value_of(state, depth):
        if not table:
            return searched(state, depth)
        key = state, depth
        if key in known:
            walk.hits += 1
        else:
            known[key] = searched(state, depth)
        return known[key]

    def searched(state, depth):
        payoffs = walk.arrive(state, depth)
        if payoffs is not None:
            return (_exact(payoffs) if ties == "even" else payoffs), ()
        mover = walk.mover(state)
        best, options = None, []
        for move, after in walk.moves(state):
            value, line = value_of(after, depth - 1)
            options.append(value)
            if best is None or better(value, best[0], mover):
                best = value, (mover, move, line)
        return best if ties != "even" else (_mean_of_best(options, mover), best[1])

    return walk.result(lambda: value_of(state, walk.depth))


def _exact(payoffs: tuple) -> tuple:
    """Payoffs as Fractions, so that equal means compare equal; every finite float is a fraction."""
    try:
        return tuple(Fraction(value if isinstance(value, Rational) else float(value)) for value in payoffs)
    except (OverflowError, ValueError):
        raise ValueError(f"payoffs = {payoffs}: ties = 'even' needs finite numbers") from None


def _mean_of_best(options: list[tuple], player: int) -> tuple:
    """The mean of the vectors in which the player's component is largest."""
    most = max(value[player] for value in options)
    best = [value for value in options if value[player] == most]
    return tuple(sum(column) / len(best) for column in zip(*best, strict=True))


def least_accepted(successors: Iterable[Collection[tuple]], player: int) -> float:
    """The least that a mover accepts: the most it gets for certain, given the set of values of each successor."""
    return max(min(value[player] for value in values) for values in successors)


@dataclass(frozen=True)
class MaxNValues:
    """All MaxN values of a state.

    Attributes
    ----------
    values : tuple of tuple
        The payoff vectors that some way of breaking ties leads to, in ascending order.
    by_move : Mapping
        For each move of the root, the values of the state after it that the mover may accept: those of `values` that
        the move can lead to. Moves that no way of breaking ties makes best are left out.
    nodes, hits : int
        As in `SearchResult`.
    """

    values: tuple
    by_move: Mapping
    nodes: int
    hits: int


def maxn_values(game: Game, state: State, depth: int | None = None) -> MaxNValues:
    """Every MaxN value of a state: the payoffs of all its subgame-perfect equilibria in pure strategies.

    Ties are broken anew at every node of the tree, so a player may treat one state differently when it is reached on
    another way. A value `v` of a successor can be the choice of the mover `p` exactly if the other successors have
    values that give `p` no more. So with V(c) the set of the successor c,

        V = { v in the union of all V(c) :  v[p] >= max over c of min over w in V(c) of w[p] }.

    Soft-MaxN (Sturtevant and Bowling, 2006) keeps the whole set of every successor that is not strictly dominated,
    and so a superset of this. States are looked up in a table; equal states have equal sets.

    Parameters
    ----------
    game, state, depth
        As in `maxn`. The sets can grow with the number of different payoff vectors.

    Returns
    -------
    MaxNValues
    """
    walk = Walk(game, depth)
    known: dict = {}

    def values_of(state, depth):
        key = state, depth
        if key in known:
            walk.hits += 1
            return known[key]
        payoffs = walk.arrive(state, depth)
        known[key] = ({payoffs}, {}) if payoffs is not None else choices(state, depth)
        return known[key]

    def choices(state, depth):
        mover = walk.mover(state)
        after = {move: values_of(child, depth - 1)[0] for move, child in walk.moves(state)}
        least = least_accepted(after.values(), mover)
        kept = {move: {value for value in values if value[mover] >= least} for move, values in after.items()}
        return set().union(*kept.values()), {move: values for move, values in kept.items() if values}

    result = walk.result(lambda: (values_of(state, walk.depth), ()))
    values, by_move = result.value
    ordered = {move: tuple(sorted(values)) for move, values in by_move.items()}
    return MaxNValues(tuple(sorted(values)), ordered, result.nodes, result.hits)
