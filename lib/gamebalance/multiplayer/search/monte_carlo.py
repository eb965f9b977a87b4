"""MCTS-MaxN: Monte Carlo tree search in which every player maximises its own mean payoff (Sturtevant, 2008)."""

import math
import random

from gamebalance.base.checks import check_seed, shown, whole_number
from gamebalance.multiplayer.protocols import (
    CHANCE,
    OVER,
    Game,
    State,
    chances,
    drawn,
    legal_moves,
    mover_of,
    random_move,
)
from gamebalance.multiplayer.search.look_ahead import SearchResult, Walk

#: The most playouts of one search; their tree lies in memory.
MOST_PLAYOUTS = 10**6

#: After so many plies a playout is taken to be endless.
MOST_PLIES = 10**5

#: Bounds that differ by no more than this part of the range of payoffs are equal: ln differs between processors.
SAME = 1e-9


class _Node:
    """A state of the tree: its payoffs or mover, and the sums of what its playouts brought."""

    __slots__ = ("children", "mover", "moves", "payoffs", "state", "totals", "visits")

    def __init__(self, walk: Walk, state: State, depth: float):
        self.state, self.visits, self.totals = state, 0, [0.0] * walk.game.players
        self.payoffs = walk.arrive(state, depth)
        self.children: dict = {}
        self.mover = OVER if self.payoffs is not None else mover_of(walk.game, state)
        self.moves = legal_moves(walk.game, state) if self.mover >= 0 else ()


def mcts(game: Game, state: State, playouts: int, seed: int, depth: int | None = None) -> SearchResult:
    """MCTS-MaxN: UCT (Kocsis and Szepesvári, 2006) with payoff vectors, as Sturtevant (2008) analyses it.

    Each playout goes down the tree, where the mover `p` takes the move that maximises

        (mean payoff of p after the move) + span * sqrt(2 ln(visits of the state) / visits of the move),

    then adds one state to the tree, plays on at random (for `depth` plies in all, if given) and adds the payoffs to all
    states on its way. `span` is the range of all payoffs seen so far. Moves that have not been tried come first, in the
    game's order; of equal bounds the first is taken; moves of chance are drawn. A state with moves of certain payoffs
    is UCB1 (Auer, Cesa-Bianchi and Fischer, 2002).

    `value` is the mean payoff of each player over all playouts, so it is biased towards random play, the less so the
    more playouts; `move` is the move with most playouts. `nodes` counts the states in the tree and in the playouts.
    """
    walk = Walk(game, state, depth)
    whole_number("playouts", playouts, 1, MOST_PLAYOUTS)
    random_number = random.Random(check_seed(seed)).random
    root, least, most = _Node(walk, state, walk.depth), math.inf, -math.inf
    first: tuple = ()
    squares = [0.0] * game.players
    for _ in range(playouts):
        path = _descend(walk, root, max(most - least, 0.0) or 1.0, random_number)
        payoffs = _play_out(walk, path[-1], walk.depth - len(path) + 1, random_number)
        if not all(map(math.isfinite, payoffs)):
            raise ValueError(f"payoffs = {shown(payoffs)}: mcts needs finite numbers")
        first, least, most = first or payoffs, min(least, *payoffs), max(most, *payoffs)
        # Squares about the first payoffs: about 0 they would cancel where payoffs are large and alike.
        squares = [total + (own - begun) ** 2 for total, own, begun in zip(squares, payoffs, first, strict=True)]
        for node in path:
            node.visits += 1
            node.totals = [total + value for total, value in zip(node.totals, payoffs, strict=True)]
    means = tuple(total / playouts for total in root.totals)
    terms = zip(squares, means, first, strict=True)
    spread = [max(square / playouts - (mean - begun) ** 2, 0.0) for square, mean, begun in terms]
    errors = tuple(math.sqrt(value / (playouts - 1)) if playouts > 1 else math.nan for value in spread)
    moves, movers, node = [], [], root
    while node.children and node.mover != CHANCE:
        visits = [child.visits for child in node.children.values()]
        moves.append([*node.children][visits.index(max(visits))])
        movers.append(node.mover)
        node = node.children[moves[-1]]
    tried = {move: child.visits for move, child in root.children.items()}
    line = moves[0] if moves else None, walk.nodes, walk.leaves, tuple(moves), tuple(movers)
    return SearchResult(means, *line, visits=tried, standard_error=errors)


def _descend(walk: Walk, root: _Node, span: float, random_number) -> list[_Node]:
    """The path from the root to a state that is new in the tree, or has ended."""
    path, left = [root], walk.depth
    while path[-1].payoffs is None:
        node, left = path[-1], left - 1
        if node.mover == CHANCE:
            move = drawn(chances(walk.game, node.state), random_number())
        elif len(node.children) < len(node.moves):
            move = node.moves[len(node.children)]
        else:
            path.append(_most_promising(node, math.sqrt(2) * span, SAME * span))
            continue
        if move not in node.children:
            node.children[move] = _Node(walk, walk.game.play(node.state, move), left)
            return [*path, node.children[move]]
        path.append(node.children[move])
    return path


def _most_promising(node: _Node, weight: float, same: float) -> _Node:
    """The successor with the largest upper confidence bound for the mover; the first of those that are the same."""
    player, log, children = node.mover, math.log(node.visits), node.children.values()
    bounds = [child.totals[player] / child.visits + weight * math.sqrt(log / child.visits) for child in children]
    least = max(bounds) - same
    return next(child for child, bound in zip(children, bounds, strict=True) if bound >= least)


def _play_out(walk: Walk, node: _Node, left: float, random_number) -> tuple:
    """The payoffs of random play from a state."""
    payoffs, state, plies = node.payoffs, node.state, 0
    while payoffs is None:
        if plies == MOST_PLIES:
            raise ValueError(f"depth: a playout had not ended after {MOST_PLIES} plies; fewer plies are needed")
        plies += 1
        state, left = walk.game.play(state, random_move(walk.game, state, random_number)), left - 1
        payoffs = walk.arrive(state, left)
    return payoffs
