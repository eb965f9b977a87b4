"""MaxN, with pruning and under all ties; Paranoid and Best-Reply Search; and what all searches share.

A MaxN value (Luckhardt and Irani, 1986) is the payoff vector of a subgame-perfect equilibrium in pure strategies of the
game cut off at the depth limit. It is unique if no player is ever indifferent; where one is, the value depends on the
rule that breaks the tie.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from operator import lt, mul
from typing import TYPE_CHECKING, Any

from gamebalance.base.checks import flag, listed, number, one_of, shown, whole_number
from gamebalance.base.kinds import Rational, Real
from gamebalance.base.tabled import Tabled
from gamebalance.multiplayer.protocols import (
    CHANCE,
    OVER,
    Game,
    Move,
    PassingGame,
    State,
    chances,
    check_game,
    check_payoffs,
    check_state,
    legal_moves,
    mover_of,
)

if TYPE_CHECKING:
    import pandas

#: How a player may choose among moves that are equally good for it.
TIES = ("first", "last", "paranoid", "optimistic", "even")


@dataclass(frozen=True)
class SearchResult(Tabled):
    """The answer of one search, and what it cost, in the units of the game's payoffs.

    `value` is the payoff of every player (MaxN, MCTS), or of the searching player alone (Paranoid, Best-Reply Search).
    `move` is None where there is nothing to move, or no ply to look ahead. `nodes` are the states that the search
    arrived at, each as often as it did, `leaves` those that were valued by the game's payoffs, `hits` the answers from
    the table. `principal_variation` is the line of play that the search expects, by its `movers`. Of MCTS alone:
    `visits` are the playouts through each move of the root, and `standard_error` is that of `value`, noise without
    bias.
    """

    value: Any
    move: Move | None
    nodes: int
    leaves: int
    principal_variation: tuple = ()
    movers: tuple = ()
    hits: int = 0
    visits: Mapping | None = None
    standard_error: tuple | None = None

    def to_frame(self) -> "pandas.DataFrame":
        """A row for each player whose payoff was found: `value`, and `error`, the standard error of playouts (MCTS)."""
        import pandas

        values = self.value if isinstance(self.value, tuple) else (self.value,)
        players = range(len(values)) if isinstance(self.value, tuple) else self.movers[:1] or ["searcher"]
        errors = [0.0] * len(values) if self.standard_error is None else self.standard_error
        return pandas.DataFrame({"value": values, "error": errors}, pandas.Index(players, name="player"))

    def _headings(self) -> dict[str, str]:
        return {"value": "payoff", "error": "± (s.e.)"}

    def _about(self) -> str:
        move = "no move" if self.move is None else f"move {shown(self.move)}"
        return f"Search: {move}, after {self.nodes:,} states"


class Walk:
    """One search's way down a game: counts what it meets and refuses what no search can use.

    A line of play is a linked triple ``(player, move, rest)``; a state's line shares memory with its successors'.
    """

    def __init__(self, game: Game, state: State, depth: int | None):
        self.game = check_game(game)
        check_state(game, state)
        self.depth = inf if depth is None else whole_number("depth", depth)
        self.nodes = self.leaves = self.hits = 0

    def arrive(self, state: State, depth: float) -> tuple | None:
        """Count the state; its payoffs if it is a leaf (ended, or no plies left), else None."""
        self.nodes += 1
        if depth > 0 and self.game.mover(state) != OVER:
            return None
        self.leaves += 1
        return check_payoffs(self.game, self.game.payoffs(state), state)

    def player(self, state: State) -> int:
        """The player to move; refused where chance moves, which not every method can take."""
        mover = mover_of(self.game, state)
        if mover == CHANCE:
            raise ValueError(f"state = {shown(state)}: chance moves there, and this method is for games without chance")
        return mover

    def moves(self, state: State) -> Iterator[tuple[Move, State]]:
        """Pairs of a legal move and the state after it, made one by one."""
        return ((move, self.game.play(state, move)) for move in legal_moves(self.game, state))

    def searcher(self, state: State, player: int | None = None) -> int:
        """Whose search it is: `player`, else the one to move; in an ended game without one, player 0."""
        if player is not None:
            return whole_number("player", player, 0, self.game.players - 1)
        return 0 if self.game.mover(state) == OVER else self.player(state)

    def result(self, visit: Callable[[], tuple]) -> SearchResult:
        """Run the search and unfold its value and line; ValueError if play goes on for longer than can be followed."""
        try:
            value, line = visit()
        except RecursionError:
            depth = None if self.depth == inf else self.depth
            raise ValueError(f"depth = {depth}: play goes on too long to be followed; fewer plies are needed") from None
        steps = []
        while line:
            *step, line = line
            steps.append(step)
        movers, moves = tuple(mover for mover, _ in steps), tuple(move for _, move in steps)
        return SearchResult(value, moves[0] if moves else None, self.nodes, self.leaves, moves, movers, self.hits)


def maxn(game: Game, state: State, depth: int | None = None, ties: str = "first", table: bool = False) -> SearchResult:
    """MaxN search (Luckhardt and Irani, 1986): each player takes the move that is best for itself.

    Looks `depth` plies ahead, moves of chance among them, or to the end of the game, and keeps values in a table if
    told to; the answer is the same. Of equally good moves, `ties` takes the first or the last in the game's order; the
    one that is worst ("paranoid") or best ("optimistic") for the searching player; or each with the same probability
    ("even"), as in Max-Prob (Hashavit and Markovitch, 2011), whose values are Fractions and an equilibrium in mixed
    strategies; its line takes the first.

    >>> from gamebalance.games import Tree
    >>> found = maxn(Tree((0, {"left": (3, 0), "right": (1, [(0, 2), (4, 1)])})), ())
    >>> found.value, found.move, found.nodes
    ((3, 0), 'left', 5)
    """
    walk = Walk(game, state, depth)
    root = 0 if game.mover(state) == CHANCE else walk.searcher(state)  # whose search it is
    even, known = one_of("ties", ties, TIES) == "even", dict[tuple, tuple]() if flag("table", table) else None
    better = _preference("first" if even else ties, root)

    def value(state: State, depth: float) -> tuple:
        if known is None:
            return searched(state, depth)
        key = state, depth
        if key in known:
            walk.hits += 1
        else:
            known[key] = searched(state, depth)
        return known[key]

    def searched(state: State, depth: float) -> tuple:
        payoffs = walk.arrive(state, depth)
        if payoffs is not None:
            return (_exact(payoffs) if even else payoffs), ()
        mover = mover_of(game, state)
        if mover == CHANCE:
            return expected(state, depth), ()
        best: tuple = ()
        options = []
        for move, after in walk.moves(state):
            found, line = value(after, depth - 1)
            options.append(found)
            if not best or better(found, best[0], mover):
                best = found, (mover, move, line)
        return (_mean_of_best(options, mover), best[1]) if even else best

    def expected(state: State, depth: float) -> tuple:
        moves = chances(game, state)
        weights: list = list(moves.values())
        if even:  # six times the float 1/6 is less than 1, and what is certain would not tie with a die
            fractions = [Fraction(chance) for chance in weights]
            weights = [chance / sum(fractions) for chance in fractions]
        values = [value(game.play(state, move), depth - 1)[0] for move in moves]
        return tuple(sum(map(mul, weights, column)) for column in zip(*values, strict=True))

    return walk.result(lambda: value(state, walk.depth))


def _preference(ties: str, root: int) -> Callable[[tuple, tuple, int], bool]:
    """Whether a player takes a new payoff vector instead of the one it has, as a function (new, old, player)."""
    if ties == "first":
        return lambda new, old, player: new[player] > old[player]
    if ties == "last":
        return lambda new, old, player: new[player] >= old[player]
    sign = -1 if ties == "paranoid" else 1
    return lambda new, old, player: (new[player], sign * new[root]) > (old[player], sign * old[root])


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


def maxn_shallow(
    game: Game,
    state: State,
    depth: int | None = None,
    most_sum: float | None = None,
    least: float | Sequence[float] | None = None,
) -> SearchResult:
    """MaxN with shallow and immediate pruning (Korf, 1991): the same value, move and line as `maxn`, from fewer nodes.

    Let a player p have a move worth b, and let another player q, after the next move of p, find a move worth c to q.
    Whatever q plays instead is worth at least c to q, so at most ``most_sum - c`` less the others' least to p. If that
    is at most b, p need not know more (*shallow* pruning): it would keep its earlier move, the first of equals. And a
    player who has all there is to have can stop (*immediate* pruning). The bound goes down one ply only: carried
    further down (*deep* pruning) it can change the value of the root, as in `games.deep_pruning_example`.

    The bounds are on payoffs where the search ends: by default those of the game, and 0 for `least`, one number or one
    a player. With floats whose sums are rounded, choose `most_sum` a little larger. ValueError if a payoff that is met
    breaks a bound.
    """
    walk = Walk(game, state, depth)
    most_sum = getattr(game, "most_sum", None) if most_sum is None else most_sum
    least = getattr(game, "least", 0) if least is None else least
    each = [least] * game.players if isinstance(least, Real) else listed("least", least)
    if len(each) != game.players:
        raise ValueError(f"least = {shown(least)}: one finite number, or one for each of {game.players} players")
    floor, most = [number("least", value) for value in each], number("most_sum", most_sum)
    if sum(floor) > most:
        raise ValueError(f"most_sum = {shown(most)}: at least the sum of least = {shown(floor)} is needed")

    spare = most - sum(floor)

    def left_over(*players: int) -> float:
        """The most that these players can have together."""
        return spare + sum(floor[player] for player in players)

    everything = [left_over(player) for player in range(game.players)]

    def value(state: State, depth: float, above: int = -1, held: float | None = None) -> tuple:
        """The value and line; () where the player `above`, who holds a move worth `held`, cannot want this state."""
        payoffs = walk.arrive(state, depth)
        if payoffs is not None:
            if sum(payoffs) > most or any(map(lt, payoffs, floor)):
                words = f"state {shown(state)} has the payoffs {shown(payoffs)}"
                raise ValueError(f"most_sum = {shown(most)}, least = {shown(floor)}: {words}")
            return payoffs, ()
        mover = walk.player(state)
        enough = None if held is None or above == mover else left_over(mover, above) - held
        best: tuple = ()
        own = None
        for move, after in walk.moves(state):
            found = value(after, depth - 1, mover, own)
            if not found or (best and found[0][mover] <= own):
                continue
            best, own = (found[0], (mover, move, found[1])), found[0][mover]
            if enough is not None and own >= enough:
                return ()
            if own == everything[mover]:
                break
        return best

    return walk.result(lambda: value(state, walk.depth))


def maxn_values(game: Game, state: State, depth: int | None = None) -> tuple:
    """Every MaxN value of a state, ascending: the payoffs of all its subgame-perfect equilibria in pure strategies.

    Ties are broken anew at every node of the tree, so a player may treat one state differently when it is reached on
    another way. A value `v` of a successor can be the choice of the mover `p` exactly if the other successors have
    values that give `p` no more. So with V(c) the set of the successor c,

        V = { v in the union of all V(c) :  v[p] >= max over c of min over w in V(c) of w[p] }.

    Soft-MaxN (Sturtevant and Bowling, 2006) keeps the whole set of every successor that is not strictly dominated,
    and so a superset of this.
    """
    walk = Walk(game, state, depth)
    known: dict = {}

    def every(state: State, depth: float) -> set:
        key = state, depth
        if key in known:
            return known[key]
        payoffs = walk.arrive(state, depth)
        if payoffs is not None:
            known[key] = {payoffs}
        else:
            mover = walk.player(state)
            after = [every(child, depth - 1) for _, child in walk.moves(state)]
            least = least_accepted(after, mover)
            known[key] = {value for values in after for value in values if value[mover] >= least}
        return known[key]

    return tuple(sorted(walk.result(lambda: (every(state, walk.depth), ())).value))


def least_accepted(successors: Iterable[Collection[tuple]], player: int) -> float:
    """The least that a mover accepts: the most it gets for certain, given the set of values of each successor."""
    return max(min(value[player] for value in values) for values in successors)


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
