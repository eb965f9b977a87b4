"""Small extensive games written down node by node, and the slow, plain ways to evaluate any game."""

from contextlib import suppress
from itertools import product
from math import prod

import numpy as np

from gamebalance.multiplayer.graph import GameGraph
from gamebalance.multiplayer.protocols import CHANCE, OVER


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

    def mover(self, state):
        node = self._node(state)
        return node[0] if isinstance(node[-1], dict) else OVER

    def moves(self, state):
        mover, *_, below = self._node(state)
        return {move: probability for move, (probability, _) in below.items()} if mover == CHANCE else tuple(below)

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
        assert game.mover(state) != OVER and move in game.moves(state)
        state = game.play(state, move)
    return state


def plain_value(game, profile, state=None):
    """What each player gets when all follow a profile, by recursion over the game."""
    state = game.start() if state is None else state
    if game.mover(state) == OVER:
        return np.array(game.payoffs(state), dtype=float)
    moves = game.moves(state)
    if game.mover(state) == CHANCE:
        chances = moves.values()
    else:
        chances = [profile[game.information(state)][move] for move in moves]
    return sum(
        chance * plain_value(game, profile, game.play(state, move)) for chance, move in zip(chances, moves, strict=True)
    )


def moves_of(game, player):
    """The moves at each information set of a player."""
    sets, states = {}, [game.start()]
    for state in states:
        if game.mover(state) != OVER:
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


def profile_of(graph, policy):
    """The chances of a policy by information set and move."""
    chances = np.split(policy, graph.set_first[1:-1])
    pairs = (zip(moves, own.tolist(), strict=True) for moves, own in zip(graph.moves, chances, strict=True))
    return dict(zip(graph.sets, map(dict, pairs), strict=True))


def uniform_profile(tree):
    """All moves of an information set equally likely, for all players."""
    return {each.information: dict.fromkeys(each.moves, 1 / len(each.moves)) for each in tree.information_sets}


class Places:
    """A game in which all is seen, from {state: (mover, {move: state after})}; of chance {move: (chance, state)}.

    A state that is not named is an end and has its payoffs, or else is its own; the first one named is the start.
    """

    def __init__(self, players, places, ends=None):
        self.players, self.places, self.ends = players, places, ends or {}

    def start(self):
        return next(iter(self.places))

    def mover(self, state):
        return self.places[state][0] if state in self.places else OVER

    def moves(self, state):
        mover, moves = self.places[state]
        return {move: chance for move, (chance, _) in moves.items()} if mover == CHANCE else tuple(moves)

    def play(self, state, move):
        mover, moves = self.places[state]
        return moves[move][1] if mover == CHANCE else moves[move]

    def payoffs(self, state):
        return self.ends.get(state, state)


def random_places(seed, players=3, inner=7, ends=4, opposed=False):
    """A game in which play can go in circles, with chance: from each place on to a few places or ends."""
    rng = np.random.default_rng(seed)
    names = [f"place {number}" for number in range(inner)] + [f"end {number}" for number in range(ends)]
    places, payoffs = {}, {}
    for name in names[:inner]:
        mover = int(rng.integers(-1, players))
        after = [names[number] for number in rng.choice(inner + ends, int(rng.integers(2, 4)), replace=False)]
        chances = rng.dirichlet(np.full(len(after), 5.0)).tolist()
        places[name] = mover, dict(enumerate(zip(chances, after, strict=True) if mover == CHANCE else after))
    for name in names[inner:]:
        own = rng.integers(-3, 4, players).tolist()
        payoffs[name] = (own[0], -own[0]) if opposed else tuple(own)
    return Places(players, places, payoffs)


def known(game, state):
    """What the mover knows."""
    return game.information(state) if hasattr(game, "information") else state


def without_end(game, policy):
    """The states from which play by a policy {known: {move: chance}} goes on for ever."""
    after, states = {}, [game.start()]
    for state in states:
        if state not in after:
            moves = game.moves(state) if game.mover(state) != OVER else ()
            after[state] = [game.play(state, move) for move in moves]
            states += after[state]
    ending, more = {state for state in after if game.mover(state) == OVER}, True
    while more:
        more = {
            state
            for state in after
            if state not in ending
            and any(c > 0 and game.play(state, m) in ending for m, c in _chances(game, policy, state).items())
        }
        ending |= more
    return set(after) - ending


def _chances(game, policy, state):
    return game.moves(state) if game.mover(state) == CHANCE else policy[known(game, state)]


class Followed:
    """What becomes of a game under a policy: masses are passed on step by step until nothing is under way.

    With each mass go the sums of the number of moves, of its square, and of how often the lead went over.
    """

    def __init__(self, game, policy, start=None, leader=lambda state: -1, marked=()):
        self.visits, self.ends = {}, {}
        endless = without_end(game, policy)
        self.endless = self.met = 0.0
        sums, first = np.zeros(3), game.start() if start is None else start
        here = {(first, leader(first), first in marked): np.array([1.0, 0, 0, 0])}
        while sum(each[0] for each in here.values()) > 1e-14:
            after = {}
            for (state, led, met), (mass, moves, square, changes) in here.items():
                self.visits[state] = self.visits.get(state, 0.0) + mass
                if game.mover(state) == OVER or state in endless:
                    self.ends[state] = self.ends.get(state, 0.0) + mass
                    self.endless += mass * (state in endless)
                    self.met += mass * met
                    sums += moves, square, changes
                    continue
                step = game.mover(state) != CHANCE
                for move, chance in _chances(game, policy, state).items():
                    if chance == 0:
                        continue
                    to = game.play(state, move)
                    now = leader(to) if leader(to) >= 0 else led
                    over = mass if led >= 0 and now != led else 0.0
                    key = to, now, met or to in marked
                    terms = np.array([mass, moves + step * mass, square + step * (2 * moves + mass), changes + over])
                    after[key] = after.get(key, np.zeros(4)) + chance * terms
            here = after
        self.moves, square, self.changes = sums
        self.spread = np.sqrt(max(square - self.moves**2, 0.0))


def ruin(rich, poor):
    """A fair coin moves one piece of money until somebody has all; player 0 begins with so many."""
    whole = rich + poor
    order = [rich, *(money for money in range(1, whole) if money != rich)]
    return Places(
        2,
        {("ask", m): (0, {"toss": m}) for m in order}
        | {m: (CHANCE, {step: (0.5, ("ask", m + step)) for step in (-1, 1)}) for m in order},
        {("ask", 0): (0, 1), ("ask", whole): (1, 0)},
    )


def waiting(chance):
    """A lottery that is drawn again until somebody wins."""
    return Places(
        2, {"buy": (0, {"a ticket": "draw"}), "draw": (CHANCE, {0: (1 - chance, "buy"), 1: (chance, (5, 1e9))})}
    )


class Hands:
    """Both show a hand at once; who begins wins if they are alike. Their moves have names."""

    players = 2

    def start(self):
        return "shown: "

    def movers(self, state):
        return OVER if isinstance(state, tuple) else (0, 1)

    def moves(self, state):
        return {0: (0, 1), 1: (0, 1)}

    def play(self, state, moves):
        return moves

    def payoffs(self, state):
        return (1, 0) if state[0] == state[1] else (0, 1)

    def name(self, state, move):
        return state + ("fist", "palm")[move]


def in_circles(count, **options):
    """Random games that can end from everywhere, and in which play can go in circles, as graphs."""
    found, seed = [], 0
    while len(found) < count:
        with suppress(ValueError):
            graph = GameGraph(random_places(seed, **options))
            found += [graph] if graph.circles else []
        seed += 1
    return found
