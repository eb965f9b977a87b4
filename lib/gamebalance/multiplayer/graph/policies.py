"""Ways to play a game whose graph is known: policies, the chance of each move of each set (`GameGraph.set_first`)."""

from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from itertools import permutations
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from gamebalance.base.checks import function, number, shown
from gamebalance.base.rounding import meant
from gamebalance.multiplayer import cfr
from gamebalance.multiplayer.at_once import printed
from gamebalance.multiplayer.graph.blocks import block_starts
from gamebalance.multiplayer.graph.course import course
from gamebalance.multiplayer.graph.horizon import CutGraph
from gamebalance.multiplayer.graph.kernels import forward, maxn_values
from gamebalance.multiplayer.graph.states import GameGraph
from gamebalance.multiplayer.protocols import CHANCE, Move, check_probabilities

if TYPE_CHECKING:
    import pandas

#: The most sweeps in which values of best play may settle, and the most steps, each over one move.
MOST_SWEEPS, MOST_STEPS = 1_000, 1_000_000_000
#: A gain is one only from so many times the tolerance of payoffs on: what is given away at each move adds up.
CLOSE = 100
#: Play in circles is no equilibrium if somebody could gain more of the range of payoffs in some position.
MOST_OFF = 0.02
#: Then the game is cut after so many moves, and these times those of the game are no more than the last.
FEWEST_MOVES, MOST_MOVES, MOST_CUT = 32, 256, 6_000_000
#: Counterfactual regret minimisation goes on for so many visits of nodes, or iterations; from further starts it has as
#: many visits for all together.
MOST_VISITS, MOST_ITERATIONS = 1_000_000_000, 5_000
#: Players are put into all orders if they are no more than this; and so many starts are drawn.
FEW_PLAYERS, SEEDS = 4, 10
#: Ties are mixed evenly.
EVEN = (0, -1)
#: Play is near enough to an equilibrium if all together could gain no more than this part of the range of payoffs.
NEAR = 0.01

#: The trees of hidden games, as long as their graphs are used.
_TREES: WeakKeyDictionary[GameGraph, cfr.GameTree] = WeakKeyDictionary()

_NO_CIRCLES = "A game that ends after so many rounds has no circles"

#: What to do with what one knows, among these moves: one of them, or the chance of each that is played.
Policy = Callable[[Hashable, tuple], Any] | Mapping


class Best(NamedTuple):
    """A policy that is best against itself, by "backward induction" or "counterfactual regret minimisation".

    `off` is how far it is from that, in payoffs: where something is hidden, what all players together could gain by
    leaving it alone (NashConv); else the most that somebody could, in any position.

    Where the `graph` is a `CutGraph`, play changes with the moves that are left, and `off` bounds what somebody gains
    in the whole game from its start, for all `begins` of the cut. Among these payoffs at the start have `moved` by so
    much, and the largest share of play that is cut is `unfinished`. The `start` says how ties are broken, as of
    `kernels.maxn_values`.
    """

    policy: np.ndarray
    method: str
    off: float
    graph: GameGraph
    moved: float = 0.0
    unfinished: float = 0.0
    start: tuple[int, int] = EVEN

    @property
    def cut(self) -> bool:
        """Whether this is play of the game cut."""
        return isinstance(self.graph, CutGraph)

    def table(self, least: float = 0.001) -> "pandas.DataFrame":
        """What is played where: a row for each move that is taken, those positions first that come up most.

        Moves with less than `least` of the chance of the likeliest one there are left out. Positions and moves are as
        ``game.printed(known)`` and ``game.name(state, move)`` say, if there are such methods; what each seat gets is
        the mean over the states that are possible for the player to move, as likely as play makes them. Numbers have
        four digits.

        >>> from gamebalance.games import Kuhn
        >>> table = find_best(GameGraph(Kuhn(2))).table()
        >>> table[table["position"] == "2b"][["seat", "move", "seat 2 gets"]].values.tolist()
        [[2, 'b', 2.0]]
        """
        import pandas

        number("least", least, 0, 1)
        graph, policy = self.graph, self.policy
        play, counts = course(graph, policy), np.diff(graph.set_first)
        moving = np.flatnonzero(graph.mover >= 0)
        begins = graph.slot[graph.first[moving]]  # the first entry of its set
        firsts = np.unique(begins, return_index=True)[1]  # the first state of each set
        often = meant(np.bincount(begins, play.visits[moving], len(policy))[graph.set_first[:-1]], residue=1e-12)
        worth = worth_to_all(graph, play.visits, play.values(graph.payoffs))
        most = np.repeat(np.maximum.reduceat(policy, graph.set_first[:-1]), counts)
        name = getattr(graph.game, "name", None)
        rows = []
        for place in np.argsort(-often, kind="stable"):
            state, entries = graph.states[moving[firsts[place]]], range(*graph.set_first[place : place + 2])
            for entry, move in zip(entries, graph.moves[place], strict=True):
                if policy[entry] >= least * most[entry]:
                    called = str(name(state, move)) if callable(name) else str(move)
                    position = printed(graph.game, graph.sets[place])
                    if isinstance(graph, CutGraph):
                        position += f", {graph.left[moving[firsts[place]]]} moves left"
                    who = position, often[place], int(graph.set_mover[place]) + 1
                    rows.append((*who, called, 100 * policy[entry], *worth[entry]))
        gets = [f"seat {seat} gets" for seat in range(1, graph.players + 1)]
        frame = pandas.DataFrame(rows, columns=["position", "comes up", "seat", "move", "chance, %", *gets])
        return meant(meant(frame, residue=1e-12), 4, residue=2 * self.off)


class Equilibria(NamedTuple):
    """Equilibria `found` from so many starts; `unique` if two opposed players get the same in every one."""

    found: tuple[Best, ...]
    tried: int
    unique: bool


def at_random(graph: GameGraph) -> np.ndarray:
    """Every move with the same chance."""
    counts = np.diff(graph.set_first)
    return np.repeat(1 / counts, counts)


def greedy(graph: GameGraph) -> np.ndarray:
    """One move ahead: the moves after which the own payoffs are highest, or would be if play stopped there.

    What is hidden, or chosen by others at the same point (`blocks`), counts as it would after random play.
    """
    play, standing = course(graph, at_random(graph)), graph.standing.copy()
    within = np.flatnonzero(block_starts(graph) != np.arange(len(standing)))
    place = np.argsort(graph.order)
    for state in within[np.argsort(-place[within])]:
        edges = slice(graph.first[state], graph.first[state + 1])
        standing[state] = play.chance[edges] @ standing[graph.after[edges]]
    return _of_the_most(graph, worth_to_all(graph, play.visits, standing))


def looking_ahead(graph: GameGraph, policy: np.ndarray | None = None) -> np.ndarray:
    """The moves that do best if all then play at random, or by `policy`: endlessly many playouts (Tesauro, 1996)."""
    play = course(graph, at_random(graph) if policy is None else policy)
    return _of_the_most(graph, worth_to_all(graph, play.visits, play.values(graph.payoffs)))


class NotFound(ValueError):
    """Best play of a game was not found; the text says why."""


def find_best(graph: GameGraph) -> Best:
    """Play that nobody gains by leaving alone, as far as it is found.

    Where all is seen, backward induction, of equals each alike (MaxN with even ties); if values of play in circles do
    not settle, or somebody gains by leaving it, that of the game cut (`CutGraph`), `NotFound` if that is too large.
    Where something is hidden, the average policy of CFR+, whose `off` says how near to an equilibrium it is; `NotFound`
    if the tree is too large, or somebody forgets.
    """
    if graph.hides:
        return _by_regret(graph, tree_of(graph), MOST_VISITS)
    spread, found, why = float(np.ptp(graph.payoffs[graph.over])), [], NotFound()
    for start in [EVEN, *other_starts(graph)]:
        try:
            found.append(_by_induction(graph, *start))
        except NotFound as error:
            why = error
        else:
            if found[-1].off <= MOST_OFF * spread:
                return found[-1]
    best = min(found, key=lambda each: each.off, default=None)
    if best is None:
        raise why
    if best.off >= spread:
        raise NotFound(f"play can go in circles, and somebody might gain all by leaving what is found. {_NO_CIRCLES}")
    return best


def find_equilibria(graph: GameGraph, tied: np.ndarray | None = None, first: Best | None = None) -> Equilibria:
    """Best play from several starts (`other_starts`); `first` is what `find_best` found, if that is known.

    Those are left out that are not found, or are too far from an equilibrium (`NEAR`, `MOST_OFF`).
    """
    first, starts = first or find_best(graph), other_starts(graph, tied)
    near = (NEAR if graph.hides else MOST_OFF) * float(np.ptp(graph.payoffs[graph.over]))
    found, tried, most = [first], 1 + len(starts), max(2 * first.off, near)
    if not graph.hides:  # before it `find_best` has tried those that are no nearer
        every = [EVEN, *starts]
        at = every.index(first.start)
        starts = every[at + 1 :] + every[:at] * (first.off > near)
    for start in starts:
        with suppress(NotFound):
            if graph.hides:
                other = _by_regret(graph, tree_of(graph), MOST_VISITS // len(starts), start)
            else:
                other = _by_induction(graph, *start)
            if other.off <= most:
                found.append(other)
    return Equilibria(tuple(found), tried, graph.zero_sum and not any(each.cut for each in found))


def other_starts(graph: GameGraph, tied: np.ndarray | None = None) -> list[Any]:
    """Where else equilibria are looked for: nowhere if one of two always wins as much.

    Where all is seen, ties for the first or last move, for and against each player. Else orders in which few players
    update, seeds of the first strategies, and the moves that are `tied` (`symmetry.Alike`), so that those alike play
    alike.
    """
    if graph.zero_sum and len(np.unique(meant(graph.payoffs[graph.over][:, 0]))) <= 2:
        return []
    players = range(graph.players)
    if not graph.hides:
        return [(sign, who) for who in (-1, *players) for sign in (1, -1)]
    orders = [*permutations(players)][1:] if graph.players <= FEW_PLAYERS else []
    return [*orders, *range(1, SEEDS + 1), *([] if tied is None else [tied])]


def _by_induction(graph: GameGraph, sign: int = 0, who: int = -1) -> Best:
    """Backward induction, ties broken as `maxn_values` says; of the game cut (`_cut`) if no policy comes of it else."""
    policy, change, _ = _policy(graph, sign, who)
    gains = np.zeros(1)
    if graph.circles:
        gains = _gains(graph, policy, graph.payoffs, graph.payoffs) if change <= graph.same else np.full(1, inf)
    spread = float(np.ptp(graph.payoffs[graph.over]))
    if gains[0] > CLOSE * graph.same or gains.max() > MOST_OFF * spread:
        return _of_cut(_cut(graph), sign, who)
    return Best(policy, "backward induction", _more_than(gains.max(), graph), graph, start=(sign, who))


def _policy(graph: GameGraph, sign: int, who: int) -> tuple[np.ndarray, float, np.ndarray]:
    """The policy of backward induction, how much values still change, and the values."""
    values, weights, change = _induced(graph, graph.chance, graph.mover, graph.payoffs, sign, who)
    policy, own = np.empty(graph.set_first[-1]), graph.slot >= 0
    policy[graph.slot[own]] = weights[own]
    return policy, change, values


def _more_than(gain: float, graph: GameGraph) -> float:
    """A gain, or 0 if it is none."""
    return float(gain) if gain > CLOSE * graph.same else 0.0


def _cut(graph: GameGraph) -> CutGraph:
    """The game cut after twice as many moves again and again, until `_of_cut` has settled; or as long as it is small.

    `NotFound` if it is too large for a first cut.
    """
    if graph.cut is None:
        moves = FEWEST_MOVES
        while moves <= MOST_MOVES and moves * len(graph.after) <= MOST_CUT:
            graph.cut = CutGraph(graph, moves)
            found, moves = _of_cut(graph.cut), 2 * moves
            if found.off == found.moved == 0:
                break
    if graph.cut is None:
        raise NotFound(f"play can go in circles, and values do not settle. {_NO_CIRCLES}")
    return graph.cut


def _of_cut(cut: CutGraph, sign: int = 0, who: int = -1) -> Best:
    """Best play of the game cut, which changes with the moves that are left, and what it is worth in the whole game.

    After the cut a player who leaves it gets the most that can still be come to, and one who stays the least: so `off`
    bounds what somebody gains in the whole game, whatever all do after the cut.
    """
    policy, _, values = _policy(cut, sign, who)
    off = _gains(cut, policy, *cut.least_and_most)[cut.begins].max()
    unfinished = course(cut, policy).values(cut.unfinished[:, None].astype(float))[cut.begins].max()
    moved = np.ptp(values[cut.begins], axis=0).max()
    each = _more_than(off, cut), cut, _more_than(moved, cut), float(unfinished)
    return Best(policy, "backward induction", *each, (sign, who))


def _induced(
    graph: GameGraph, chance: np.ndarray, mover: np.ndarray, ends: np.ndarray, sign: int = 0, who: int = -1
) -> tuple[np.ndarray, np.ndarray, float]:
    """Values by backward induction, the chances of the moves, and how much values still change."""
    values, weights = np.where(graph.over[:, None], ends, 0.0), np.zeros(len(graph.after))
    arrays = graph.order, graph.first, graph.after, chance, mover
    sweeps = min(MOST_SWEEPS, MOST_STEPS // max(1, len(graph.after)))
    return values, weights, maxn_values(*arrays, values, weights, graph.same, sweeps, sign, who)


def _gains(graph: GameGraph, policy: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """The most that somebody gains in each state by leaving the policy alone; infinite if unknown.

    Ends give `high` to who leaves it, and `low` to who does not.
    """
    play = course(graph, policy)
    values, most = play.values(low), np.zeros(len(graph.states))
    for player in range(graph.players):
        alone = np.where(graph.mover == player, player, CHANCE).astype(graph.mover.dtype)
        reply, _, change = _induced(graph, play.chance, alone, high)
        if change > graph.same:
            return np.full(len(graph.states), inf)
        most = np.maximum(most, np.where(graph.over, 0.0, reply[:, player] - values[:, player]))
    return most


def of_policy(graph: GameGraph, policy: Policy) -> np.ndarray:
    """A policy as a function of what is known and the moves, or as a profile, asked at each information set."""
    check_policy("policy", policy)
    chances = [chances_of(policy, *each) for each in zip(graph.sets, graph.moves, strict=True)]
    return np.array([chance for each in chances for chance in each])


def check_policy(name: str, policy: Policy) -> None:
    """Refuse what is neither a mapping nor a function of what is known and the moves."""
    if not isinstance(policy, Mapping):
        function(name, policy, "known, moves")


def chances_of(policy: Policy, known: Hashable, moves: tuple[Move, ...]) -> list[float]:
    """What a policy answers, as the chance of each move; refused if it is no move and no chances."""
    name = f"policy at {shown(known)}"
    if isinstance(policy, Mapping):
        if known not in policy:
            raise ValueError(f"{name}: it says nothing about it")
        answer = policy[known]
    else:
        answer = policy(known, moves)
    if not isinstance(answer, Mapping):
        try:
            answer = {answer: 1.0}
        except TypeError:
            raise ValueError(f"{name}: {shown(answer)} is none of its moves {shown(moves)}") from None
    for move in answer:
        if move not in moves:
            raise ValueError(f"{name}: {shown(move)} is none of its moves {shown(moves)}")
    check_probabilities(name, answer.values())
    return [float(answer.get(move, 0.0)) for move in moves]


def tree_of(graph: GameGraph) -> cfr.GameTree:
    """The tree of a game that hides something; `NotFound` if it has none that can be solved."""
    if graph in _TREES:
        return _TREES[graph]
    if graph.states[0] != graph.game.start():
        raise NotFound("something is hidden, and this is not the whole game")
    if graph.circles:
        raise NotFound(f"something is hidden, and play can go in circles. {_NO_CIRCLES}")
    too_large = NotFound(
        f"something is hidden, and there are more than {cfr.MOST_NODES:,} ways to come to a position. Fewer cards or "
        "rounds make it smaller, and so does one move of chance that deals all cards"
    )
    if nodes_of(graph) > cfr.MOST_NODES:
        raise too_large
    try:
        return _TREES.setdefault(graph, cfr.GameTree(graph.game))
    except cfr.Forgotten as error:
        if getattr(graph.game, "shows_all", False):
            raise NotFound(
                "players choose at once, and with what they must remember of that there are too many states. Fewer "
                "rounds make it smaller, and `information` that is all they need to know"
            ) from None
        known = shown(printed(graph.game, error.information))
        raise NotFound(
            f"seat {error.player + 1} forgets: where it knows no more than {known}, it may have seen or done different "
            "things before. Put what players saw and did before into `information`, such as earlier hands and their "
            "own moves, or let multiplayer.with_memory(game) remember it"
        ) from None
    except ValueError:
        raise too_large from None


def nodes_of(graph: GameGraph) -> float:
    """How many nodes the game has as a tree; infinite where play can go in circles."""
    if graph.circles:
        return inf
    paths, each = np.zeros(len(graph.states)), np.ones(len(graph.after))
    forward(graph.order, graph.first, graph.after, each, graph.over, paths, 0.0, 1)
    return float(paths.sum())


def _by_regret(graph: GameGraph, tree: cfr.GameTree, visits: int, begin: Any = None) -> Best:
    iterations = max(10, min(MOST_ITERATIONS, visits // (tree.nodes * graph.players)))
    start: dict[str, Any] = {"order": begin}
    if isinstance(begin, int):
        start = {"start": cfr.random_profile(tree, begin)}
    elif isinstance(begin, np.ndarray):
        first = dict(zip(graph.sets, graph.set_first.tolist(), strict=False))
        entries = [range(at := first[each.information], at + len(each.moves)) for each in tree.information_sets]
        start = {"tied": begin[np.concatenate(entries)]}
    found = cfr.solve(tree, iterations, "cfr+", **start)
    return Best(of_policy(graph, found.average_strategy), "counterfactual regret minimisation", found.nash_conv, graph)


def _of_the_most(graph: GameGraph, worth: np.ndarray) -> np.ndarray:
    """The chances of the moves: the same for all that are worth most to whom they belong."""
    counts = np.diff(graph.set_first)
    worth = worth[np.arange(len(worth)), np.repeat(graph.set_mover, counts)]
    most = np.repeat(np.maximum.reduceat(worth, graph.set_first[:-1]), counts)
    taken = worth >= most - graph.same
    return taken / np.repeat(np.add.reduceat(taken.astype(float), graph.set_first[:-1]), counts)


def worth_to_all(graph: GameGraph, visits: np.ndarray, values: np.ndarray) -> np.ndarray:
    """What everybody gets after each move, by the values of states, which count as they are visited, else alike."""
    edges = graph.slot >= 0
    slots, entries = graph.slot[edges], int(graph.set_first[-1])
    weight = visits[graph.source[edges]]
    weight = np.where(np.bincount(slots, weight, entries)[slots] > 0, weight, 1.0)
    total = [np.bincount(slots, weight * column[graph.after[edges]], entries) for column in values.T]
    return np.stack(total, axis=1) / np.bincount(slots, weight, entries)[:, None]
