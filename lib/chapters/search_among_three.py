"""Methods of search side by side, as tables and as drawings of small game trees."""

import math
from collections import namedtuple
from functools import cache, partial
from itertools import product

import numpy as np
import pandas as pd

from gamebalance.base.intervals import interval
from gamebalance.base.sums import standard_error
from gamebalance.multiplayer.protocols import OVER
from gamebalance.multiplayer.search import best_reply, maxn, maxn_shallow, maxn_values, mcts, paranoid
from gamebalance.multiplayer.search.look_ahead import least_accepted
from gamebalance.publish.style import COLOURS, INK

#: What play from a state can come to: its MaxN values, and what each player can secure against all others.
Outlook = namedtuple("Outlook", "values secured")
#: A shape for each player in a drawing, so that movers are told apart without colour.
SHAPES, PALE = "so^D", "#9a9a9a"


def shallow_leaves(branching, depth):
    """Leaves of MaxN with shallow pruning, at best (Korf, 1991): F(d) = F(d - 1) + (b - 1) F(d - 2).

    The first move is searched in full; after every other one the next player needs a single move to show that it is
    not wanted, and below that move no bound is left. Immediate pruning, which can save more, is left out.
    """
    before, leaves = 1, branching if depth else 1
    for _ in range(1, depth):
        before, leaves = leaves, leaves + (branching - 1) * before
    return leaves


def paranoid_leaves(branching, depth, players):
    """Leaves of Paranoid search with alpha-beta, at best: of the order b^(d (n - 1) / n); players move in turn."""
    return two_sided_leaves([(branching, ply % players == 0) for ply in range(depth)])


def best_reply_leaves(branching, depth, players):
    """Leaves of Best-Reply Search with alpha-beta, at best; every second one of the plies is the opponents'."""
    return two_sided_leaves([(branching * (1 if ply % 2 == 0 else players - 1), ply % 2 == 0) for ply in range(depth)])


def two_sided_leaves(plies):
    """Leaves of the minimal alpha-beta tree (Knuth and Moore, 1975), from pairs (moves, whether ours) of each ply.

    To show that our side gets at least so much takes one of our moves and all of theirs, and the other way round.
    """
    exact = at_least = at_most = 1
    for moves, ours in reversed(plies):
        # After the first move, siblings have to be shown to be no better for the side that moves.
        exact += (moves - 1) * (at_most if ours else at_least)
        at_most, at_least = (at_most * moves, at_least) if ours else (at_most, at_least * moves)
    return exact


#: By method: leaves of a search of a game for three to the end, and in the best case for b moves and d plies. A round
#: of Best-Reply Search is two plies and stands for three; where d is no whole number of rounds there is none.
LEAVES = {
    "shallow pruning": (lambda game, d: maxn_shallow(game, game.start()).leaves, shallow_leaves),
    "Paranoid": (lambda game, d: paranoid(game, game.start()).leaves, lambda b, d: paranoid_leaves(b, d, 3)),
    "Best-Reply Search": (
        lambda game, d: best_reply(game, game.start(), 2 * d // 3).leaves if d % 3 == 0 else math.nan,
        lambda b, d: best_reply_leaves(b, 2 * d // 3, 3) if d % 3 == 0 else math.nan,
    ),
}


def methods(playouts, seed):
    """All methods, searching to the end, by name; as functions (game, state)."""
    return {
        "MaxN": maxn,
        "MaxN, shallow pruning": maxn_shallow,
        "Paranoid": paranoid,
        "Best-Reply Search": best_reply,
        "MCTS-MaxN": lambda game, state: mcts(game, state, playouts, seed),
    }


def play_game(game, state, policies):
    """The payoffs of the game in which player i moves as ``policies[i](game, state)`` says."""
    while (player := game.mover(state)) != OVER:
        state = game.play(state, policies[player](game, state))
    return game.payoffs(state)


def alone_among(game, policies):
    """Mean payoff of one player of a policy (row) when all others use another (column), over the seats."""
    policies = [cache(partial(policy, game)) for policy in policies]
    ways = [lambda _, state, policy=policy: policy(state) for policy in policies]
    everybody, result = range(game.players), np.zeros((len(ways), len(ways)))
    for (i, own), (j, other) in product(enumerate(ways), repeat=2):
        seatings = [[own if seat == alone else other for seat in everybody] for alone in everybody]
        result[i, j] = np.mean([play_game(game, game.start(), each)[seat] for seat, each in enumerate(seatings)])
    return result


def views(game, state, methods):
    """What each method expects for the mover of a state (and its standard error), its move, and the nodes it took."""
    player, rows = game.mover(state), {}
    for name, method in methods.items():
        result = method(game, state)
        own = result.value[player] if isinstance(result.value, tuple) else result.value
        error = result.standard_error[player] if result.standard_error else math.nan
        rows[name] = {"expects": own, "error": error, "move": result.move, "nodes": result.nodes}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("method")


def pruning_table(results, true):
    """Mean nodes of several searches of the same trees, and how often their values are wrong, both with errors."""
    rows = []
    for name, pairs in results.items():
        wrong = [value != right for (value, _), (right, _) in zip(pairs, results[true], strict=True)]
        mean, error = mean_and_error(np.array([nodes for _, nodes in pairs], dtype=float))
        rows.append({"method": name, "nodes": mean, "error of nodes": error} | share_and_bounds("% wrong", wrong))
    return pd.DataFrame(rows)


def mean_and_error(values):
    """The means over the first axis, and their standard errors."""
    return values.mean(axis=0), standard_error(values)


def share_and_bounds(head, cases, blank=""):
    """The percentage of independent cases, and its 95% confidence interval by Clopper and Pearson."""
    low, high = interval(int(np.sum(cases)), len(cases))
    return {head: 100 * float(np.mean(cases)), f"from{blank}": 100 * float(low), f"to{blank}": 100 * float(high)}


def by_ply(game, state, names):
    """All positions of a small winner-takes-all game, by plies: how many there are, how many ended, and who wins."""
    positions, rows = layers(game, state), []
    known = outlooks(game, positions)
    for layer in positions:
        running = [state for state in layer if game.mover(state) != OVER]
        single = [next(iter(known[state].values)) for state in layer if len(known[state].values) == 1]
        winners = [value.index(max(value)) for value in single if min(value) < max(value)]
        row = {"positions": len(layer), "ended": len(layer) - len(running)}
        row |= {f"{name} wins": winners.count(player) for player, name in enumerate(names)}
        row |= {"drawn": len(single) - len(winners), "several values": len(layer) - len(single)}
        movers = [(game.mover(state), known[state]) for state in running]
        trusting = sum(min(value[own] for value in each.values) > each.secured[own] for own, each in movers)
        rows.append(row | {"trusting": trusting})
    return pd.DataFrame(rows).rename_axis("plies").reset_index()


def layers(game, state):
    """The states that play can reach, each once, by the number of plies, which no state has two of."""
    reached = [[state]]
    while reached[-1]:
        running = [state for state in reached[-1] if game.mover(state) != OVER]
        reached.append(list(dict.fromkeys(game.play(state, move) for state in running for move in game.moves(state))))
    return reached[:-1]


def outlooks(game, positions):
    """The outlook of every state of `layers`, by backward induction."""
    known = {}
    for state in (state for layer in reversed(positions) for state in layer):
        if (mover := game.mover(state)) == OVER:
            known[state] = Outlook(frozenset([game.payoffs(state)]), game.payoffs(state))
            continue
        after = [known[game.play(state, move)] for move in game.moves(state)]
        least = least_accepted((outlook.values for outlook in after), mover)
        values = frozenset(value for outlook in after for value in outlook.values if value[mover] >= least)
        columns = zip(*(outlook.secured for outlook in after), strict=True)
        known[state] = Outlook(values, tuple((max if i == mover else min)(column) for i, column in enumerate(columns)))
    return known


def several_values(cases):
    """How many of the states have more than one MaxN value, and three or more, in percent, with 95% intervals."""
    counts = np.array([len(maxn_values(game, state)) for game, state in cases])
    return share_and_bounds("% several", counts > 1) | share_and_bounds("% three or more", counts > 2, " ")


def random_position(game, state, plies, rng):
    """A state that is not over, after so many random moves; play that ends before is begun again."""
    while True:
        after, left = state, plies
        while left and game.mover(after) != OVER:
            moves = game.moves(after)
            after, left = game.play(after, moves[int(rng.integers(len(moves)))]), left - 1
        if game.mover(after) != OVER:
            return after


def places(tree):
    """Where the nodes of a `Tree` lie: leaves side by side, others amid their successors, the root at y = 0."""
    where, leaves = {}, []

    def place(state):
        if tree.mover(state) == OVER:
            x = float(len(leaves))
            leaves.append(state)
        else:
            below = [place(tree.play(state, move)) for move in tree.moves(state)]
            x = (below[0] + below[-1]) / 2
        where[state] = x, -float(len(state))
        return x

    place(tree.start())
    return where


def draw_tree(axes, tree, values, line=(), cut=()):
    """Draw a game tree on axes, with payoffs beside the inner nodes that have `values`."""
    where = places(tree)
    for state, (x, y) in where.items():
        if state:
            draw_branch(
                axes, where[state[:-1]], (x, y), str(state[-1]), state == tuple(line)[: len(state)], state in cut
            )
        payoffs = tree.payoffs(state) if tree.mover(state) == OVER else values.get(state)
        text = "" if payoffs is None else "(" + ", ".join(f"{value:g}" for value in payoffs) + ")"
        if tree.mover(state) == OVER:
            axes.text(x, y - 0.08, text, ha="center", va="top", fontsize=9, color=PALE if state in cut else INK)
            continue
        mover = tree.mover(state)
        axes.plot(x, y, SHAPES[mover], markersize=17, color=COLOURS[mover], markeredgecolor=INK, zorder=3)
        axes.text(x, y - 0.015, str(mover), ha="center", va="center", color="white", fontweight="bold", zorder=4)
        axes.text(x + 0.16, y + 0.07, text, ha="left", va="bottom", fontsize=9)
    right, bottom = max(x for x, _ in where.values()), min(y for _, y in where.values())
    axes.set(xlim=(-0.55, right + 0.55), ylim=(bottom - 0.3, 0.35))
    axes.set_axis_off()


def draw_branch(axes, top, end, move, chosen, cut):
    """Draw a move from one node down to another."""
    style = {"linestyle": (0, (3, 2)), "color": PALE} if cut else {"linestyle": "-", "color": INK}
    axes.plot(*zip(top, end, strict=True), linewidth=3 if chosen else 1, zorder=1, **style)
    x, y = (top[0] + end[0]) / 2, (top[1] + end[1]) / 2
    aside = 0.1 if end[0] >= top[0] else -0.1
    axes.text(x + aside, y + 0.05, move, ha="center", style="italic", color=style["color"])
    if cut:
        axes.plot([x - 0.12, x + 0.12], [y - 0.06, y - 0.06], color=INK, linewidth=2)
