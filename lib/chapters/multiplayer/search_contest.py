"""Methods side by side, as tables: what they make of a state, the leaves they need, how they do at one table."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from gamebalance.base.checks import shown, whole_number
from gamebalance.base.intervals import interval
from gamebalance.base.sums import standard_error
from gamebalance.multiplayer.protocols import OVER, Game, State
from gamebalance.multiplayer.search import best_case
from gamebalance.multiplayer.search.max_n import least_accepted, maxn, maxn_shallow, maxn_values
from gamebalance.multiplayer.search.monte_carlo import mcts
from gamebalance.multiplayer.search.two_sides import best_reply, paranoid
from gamebalance.multiplayer.search.walk import RoundRobin, SearchResult, Walk

Method = Callable[[Game, State], SearchResult]

#: Random plays of which one has to be long enough.
MOST_PLAYS = 10_000

#: The most states that `layers` keeps.
MOST_STATES = 100_000


def methods(playouts: int, seed: int) -> dict[str, Method]:
    """All methods, searching to the end, by name; as functions (game, state)."""
    return {
        "MaxN": maxn,
        "MaxN, shallow pruning": maxn_shallow,
        "Paranoid": paranoid,
        "Best-Reply Search": best_reply,
        "MCTS-MaxN": lambda game, state: mcts(game, state, playouts, seed),
    }


def views(game: Game, state: State, methods: Mapping[str, Method]) -> pd.DataFrame:
    """What each method expects for the mover of a state (and its standard error), its move, and the nodes it took."""
    player, rows = game.mover(state), {}
    for name, method in methods.items():
        found = method(game, state)
        own = found.value[player] if isinstance(found.value, tuple) else found.value
        error = found.standard_error[player] if found.standard_error else math.nan
        rows[name] = {"expects": own, "error": error, "move": found.move, "nodes": found.nodes}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("method")


def pruning_table(results: Mapping[str, Sequence[tuple]], true: str) -> pd.DataFrame:
    """Mean nodes of several searches of the same trees, and how often their values are wrong, both with errors.

    `results` has one pair (value, nodes) for each tree, in the same order for all searches; the values of the search
    `true` are right.
    """
    rows = []
    for name, pairs in results.items():
        nodes = np.array([nodes for _, nodes in pairs], dtype=float)
        wrong = [value != right for (value, _), (right, _) in zip(pairs, results[true], strict=True)]
        mean, error = mean_and_error(nodes)
        row = {"method": name, "nodes": mean, "error of nodes": error}
        rows.append(row | dict(zip(("% wrong", "from", "to"), share_and_bounds(wrong), strict=True)))
    return pd.DataFrame(rows)


def mean_and_error(values: np.ndarray) -> tuple:
    """The means over the first axis, and their standard errors; ValueError for fewer than two values."""
    whole_number("number of cases", len(values), 2)
    return values.mean(axis=0), standard_error(values)


def share_and_bounds(cases: Sequence[bool]) -> tuple[float, float, float]:
    """The percentage of independent cases, and its 95% confidence interval by Clopper and Pearson."""
    count = whole_number("number of cases", len(cases), 1)
    low, high = interval(int(np.sum(cases)), count)
    return 100 * float(np.mean(cases)), 100 * float(low), 100 * float(high)


#: By method: leaves of a search of a game for three to the end, and in the best case for b moves and d plies. A round
#: of Best-Reply Search is two plies and stands for three; where d is no whole number of rounds there is none.
LEAVES: dict[str, tuple[Callable, Callable]] = {
    "shallow pruning": (lambda game, d: maxn_shallow(game, game.start()).leaves, best_case.shallow_leaves),
    "Paranoid": (
        lambda game, d: paranoid(game, game.start()).leaves,
        lambda b, d: best_case.paranoid_leaves(b, d, 3),
    ),
    "Best-Reply Search": (
        lambda game, d: best_reply(game, game.start(), 2 * d // 3).leaves if d % 3 == 0 else math.nan,
        lambda b, d: best_case.best_reply_leaves(b, 2 * d // 3, 3) if d % 3 == 0 else math.nan,
    ),
}


def leaf_counts(trees: Sequence[Game], branching: int, plies: int) -> list[dict]:
    """Mean leaves, standard error and best case of each method of `LEAVES`, on trees for three of one size."""
    rows = []
    for name, (leaves, best) in LEAVES.items():
        counts = np.array([leaves(tree, plies) for tree in trees], dtype=float)
        row = {"branching": branching, "plies": plies, "method": name, "unpruned": branching**plies}
        mean, error = mean_and_error(counts)
        rows.append(row | {"mean": mean, "error": error, "best": best(branching, plies)})
    return rows


def by_ply(game: Game, state: State, names: Sequence[str]) -> pd.DataFrame:
    """All positions of a small winner-takes-all game, by plies: how many there are, how many ended, and who wins.

    A player wins if all MaxN values let it win; a position is ``drawn`` if all get the same. Of those still running,
    ``trusting`` are those in which the mover's least MaxN payoff is more than it can secure.
    """
    found = layers(game, state)
    known, rows = outlooks(game, found), []
    for layer in found:
        running = [state for state in layer if game.mover(state) != OVER]
        single = [next(iter(known[state].values)) for state in layer if len(known[state].values) == 1]
        winners = [value.index(max(value)) for value in single if min(value) < max(value)]
        row = {"positions": len(layer), "ended": len(layer) - len(running)}
        row |= {f"{name} wins": winners.count(player) for player, name in enumerate(names)}
        row |= {"drawn": len(single) - len(winners), "several values": len(layer) - len(single)}
        rows.append(row | {"trusting": sum(_trusts(game, state, known[state]) for state in running)})
    return pd.DataFrame(rows).rename_axis("plies").reset_index()


def _trusts(game: Game, state: State, outlook) -> bool:
    player = game.mover(state)
    return min(value[player] for value in outlook.values) > outlook.secured[player]


@dataclass(frozen=True)
class Outlook:
    """What play from one state can come to: its MaxN values, and what each player can secure against all others."""

    values: frozenset
    secured: tuple


def layers(game: Game, state: State) -> list[list[State]]:
    """The states that play can reach, each once, by the number of plies; one of several numbers is refused.

    So is a game with more states than `MOST_STATES`.
    """
    walk = Walk(game, state, None)
    found, seen = [[state]], {state}
    while found[-1]:
        running = [state for state in found[-1] if game.mover(state) != OVER]
        after = list(dict.fromkeys(child for state in running for _, child in walk.moves(state)))
        repeated = seen.intersection(after)
        if repeated:
            raise ValueError(f"state = {shown(repeated.pop())}: it is reached after different numbers of plies")
        seen.update(after)
        if len(seen) > MOST_STATES:
            raise ValueError(
                f"state = {shown(state)}: the game has more than {MOST_STATES:,} states, which are allowed"
            )
        found.append(after)
    return found[:-1]


def outlooks(game: Game, found: Sequence[Sequence[State]]) -> dict[State, Outlook]:
    """The outlook of every state of `layers`, by backward induction."""
    walk, known = Walk(game, found[0][0], None), {}
    for layer in reversed(found):
        for state in layer:
            payoffs = walk.arrive(state, walk.depth)
            known[state] = (
                Outlook(frozenset([payoffs]), payoffs) if payoffs is not None else _outlook(walk, state, known)
            )
    return known


def _outlook(walk: Walk, state: State, known: dict) -> Outlook:
    mover = walk.player(state)
    after = [known[child] for _, child in walk.moves(state)]
    least = least_accepted((outlook.values for outlook in after), mover)
    values = frozenset(value for outlook in after for value in outlook.values if value[mover] >= least)
    columns = zip(*(outlook.secured for outlook in after), strict=True)
    return Outlook(values, tuple((max if i == mover else min)(column) for i, column in enumerate(columns)))


def several_values(cases: Sequence[tuple[Game, State]]) -> dict[str, float]:
    """How many of the states have more than one MaxN value, and three or more, in percent, with 95% intervals."""
    counts = np.array([len(maxn_values(game, state).values) for game, state in cases])
    several = dict(zip(("% several", "from", "to"), share_and_bounds(counts > 1), strict=True))
    return several | dict(zip(("% three or more", "from ", "to "), share_and_bounds(counts > 2), strict=True))


def random_position(game: Game, state: State, plies: int, rng: np.random.Generator) -> State:
    """A state that is not over, after so many random moves; play that ends before is begun again."""
    plies = whole_number("plies", plies)
    for _ in range(MOST_PLAYS):
        after, left = state, plies
        while left and game.mover(after) != OVER:
            moves = game.moves(after)
            after, left = game.play(after, moves[int(rng.integers(len(moves)))]), left - 1
        if game.mover(after) != OVER:
            return after
    raise ValueError(f"plies = {plies}: play from {shown(state)} had ended by then in all of {MOST_PLAYS} tries")


def contest(rounds: Sequence[RoundRobin]) -> pd.DataFrame:
    """One player of a method (row) when all others use another (column): mean points and their errors over rounds.

    The rounds, two or more, are of the same methods in different games.
    """
    mean, error = mean_and_error(np.array([played.alone() for played in rounds]))
    names = list(rounds[0].names)
    columns = pd.MultiIndex.from_product([[f"others: {name}" for name in names], ["points", "error"]])
    cells = np.stack([mean, error], axis=2).reshape(len(names), -1)
    return pd.DataFrame(cells, index=pd.Index(names, name="one player"), columns=columns)


def leads(rounds: Sequence[RoundRobin]) -> pd.DataFrame:
    """By how much the best single player of `contest` leads the next best, between two others of each method (row).

    The standard error is that of the differences in each round.
    """
    shares, names = np.array([played.alone() for played in rounds]), rounds[0].names
    rows = {}
    for place, others in enumerate(names):
        best, following = np.argsort(-shares[:, :, place].mean(axis=0), kind="stable")[:2]
        lead, error = mean_and_error(shares[:, best, place] - shares[:, following, place])
        rows[others] = {"best": names[best], "next": names[following], "lead": lead, "error": error}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("others")
