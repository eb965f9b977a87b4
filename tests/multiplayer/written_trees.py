"""Small extensive games written down node by node, and the slow, plain ways to evaluate any game."""

from itertools import product
from math import prod

import numpy as np

from gamebalance.multiplayer.protocols import CHANCE


class Written:
    """A game given as nested tuples.

    A node is a tuple of payoffs; or (CHANCE, {move: (probability, node)}); or (player, information, {move: node}).
    """

    def __init__(self, players, root):
        self.players, self.root = players, root

    def start(self):
        return ()

    def _node(self, state):
        node = self.root
        for move in state:
            below = node[-1][move]
            node = below[1] if node[0] == CHANCE and len(node) == 2 else below
        return node

    def is_over(self, state):
        return not isinstance(self._node(state)[-1], dict)

    def mover(self, state):
        return self._node(state)[0]

    def moves(self, state):
        return tuple(self._node(state)[-1])

    def chances(self, state):
        return tuple(probability for probability, _ in self._node(state)[-1].values())

    def play(self, state, move):
        return (*state, move)

    def payoffs(self, state):
        return self._node(state)

    def information(self, state):
        return self._node(state)[1]


#: Chance deals (3/4, 1/4); player 0, who does not see it, goes left or right; after right player 1 sees all.
SMALL = Written(
    2,
    (CHANCE, {
        "x": (0.75, (0, "?", {"l": (1, -1), "r": (1, "x", {"u": (2, -2), "d": (0, 0)})})),
        "y": (0.25, (0, "?", {"l": (3, -3), "r": (1, "y", {"u": (4, -4), "d": (5, -5)})})),
    }),
)  # fmt: skip


def random_game(seed, players=3, depth=4):
    """A game with chance, hidden moves and perfect recall: an information set shows its player's own past."""
    rng = np.random.default_rng(seed)
    sizes = {}

    def node(left, own):
        if left == 0 or (left < depth and rng.random() < 0.15):
            return tuple(rng.integers(-5, 6, players).tolist())
        mover = int(rng.integers(-1, players))
        if mover == CHANCE:
            chances = rng.dirichlet(np.ones(2)).tolist()
            return CHANCE, {move: (chances[move], node(left - 1, own)) for move in range(2)}
        information = mover, own[mover], int(rng.integers(0, 2))
        moves = sizes.setdefault(information, int(rng.integers(2, 4)))
        past = [(*own[:mover], (*own[mover], (information[2], move)), *own[mover + 1 :]) for move in range(moves)]
        return mover, information, {move: node(left - 1, past[move]) for move in range(moves)}

    return Written(players, node(depth, ((),) * players))


def play(game, *moves):
    """The state after these moves, each of which must be possible."""
    state = game.start()
    for move in moves:
        assert not game.is_over(state) and move in game.moves(state)
        state = game.play(state, move)
    return state


def plain_value(game, profile, state=None):
    """What each player gets when all follow a profile, by recursion over the game."""
    state = game.start() if state is None else state
    if game.is_over(state):
        return np.array(game.payoffs(state), dtype=float)
    moves = game.moves(state)
    if game.mover(state) == CHANCE:
        chances = game.chances(state)
    else:
        chances = [profile[game.information(state)][move] for move in moves]
    return sum(
        chance * plain_value(game, profile, game.play(state, move)) for chance, move in zip(chances, moves, strict=True)
    )


def moves_of(game, player):
    """The moves at each information set of a player."""
    sets, states = {}, [game.start()]
    for state in states:
        if not game.is_over(state):
            if game.mover(state) == player:
                sets[game.information(state)] = game.moves(state)
            states += [game.play(state, move) for move in game.moves(state)]
    return sets


def plain_best(game, profile, player):
    """The best that a player can do against a profile: all its pure strategies are tried."""
    sets, best = moves_of(game, player), -np.inf
    for choice in product(*sets.values()):
        pure = {
            each: {move: float(move == chosen) for move in moves}
            for (each, moves), chosen in zip(sets.items(), choice, strict=True)
        }
        best = max(best, plain_value(game, {**profile, **pure})[player])
    return best


def pure_strategies(game, player):
    """How many pure strategies a player has."""
    return prod(map(len, moves_of(game, player).values()))


def kuhn_profile(alpha):
    """Kuhn's equilibria (1950) of the game for two: the first player bluffs with the lowest card with alpha <= 1/3."""
    bets = {"0": alpha, "1": 0.0, "2": 3 * alpha, "0pb": 0.0, "1pb": alpha + 1 / 3, "2pb": 1.0}
    bets |= {"0p": 1 / 3, "1p": 0.0, "2p": 1.0, "0b": 0.0, "1b": 1 / 3, "2b": 1.0}
    return {information: {"p": 1 - bet, "b": bet} for information, bet in bets.items()}


def uniform_profile(tree):
    """All moves of an information set equally likely, for all players."""
    return {each.information: dict.fromkeys(each.moves, 1 / len(each.moves)) for each in tree.information_sets}
