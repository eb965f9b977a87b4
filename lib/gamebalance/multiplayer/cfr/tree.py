"""A game in extensive form as arrays: nodes in depth-first order, information sets, sequences, payoffs."""

from array import array
from collections.abc import Hashable, Iterable
from typing import Any, NamedTuple

import numpy as np

from gamebalance.base.checks import in_memory, shown, whole_number
from gamebalance.multiplayer.protocols import (
    CHANCE,
    OVER,
    ExtensiveGame,
    chances,
    check_game,
    check_payoffs,
    check_same_set,
    distinct_moves,
    knowledge,
    mover_of,
)

#: The largest tree that is built unless a call allows more.
MOST_NODES = 2_000_000

#: Bytes that a node takes while the tree is built and solved, for three players; an upper estimate.
_BYTES_PER_NODE = 200


class Forgotten(ValueError):
    """A player has forgotten a move or what it knew: the game is one of imperfect recall.

    Attributes
    ----------
    information : hashable
        What the player knows then.
    player : int
    """

    def __init__(self, information: Hashable, player: int):
        self.information, self.player = information, player
        super().__init__(
            f"information = {shown(information)}: player {player} has forgotten a move or what it knew; perfect recall "
            "is needed"
        )


class InformationSet(NamedTuple):
    """One information set: its key, who moves, the moves, and the sequence (a row of `GameTree`) that leads to it."""

    information: Hashable
    player: int
    moves: tuple[Hashable, ...]
    first: int
    parent: int


class GameTree:
    """The whole tree of a game, checked once and kept in arrays.

    A *sequence* is a move at an information set. Perfect recall makes what a player did and knew before a sequence
    unique, so a sequence stands for a whole path of the player's own moves (von Stengel 1996). Sequences are numbered
    through all players, information set by information set; the empty sequence is -1. ValueError if the game breaks its
    protocol, a player forgets (imperfect recall), or there are more than `most_nodes` nodes.

    Attributes
    ----------
    information_sets : tuple of InformationSet
        In the order in which depth-first search first meets them.
    mover, parent : arrays, shape (nodes,)
        Who moves (a player, `protocols.CHANCE` or `OVER`), and the node before, -1 at the start. Nodes are in
        depth-first order, children in the order of the game's moves.
    end : int64 array, shape (nodes,)
        One past the last node of the subtree: the first child of a node is the next one, and a child's next sibling
        stands at its `end`.
    sequence, chance : arrays, shape (nodes,)
        The sequence played to come here, -1 if it was none, and the probability of the chance move, 1 if it was none.
    terminals : int64 array
        The nodes at which the game is over.
    payoffs, last_sequence : arrays, shape (terminals, players)
        What each player gets there, and each player's last sequence, -1 for none.
    chance_reach : float array, shape (terminals,)
        Product of the chance probabilities on the way.
    first : int64 array, shape (information sets + 1,)
        The sequences of set i are those from ``first[i]`` up to ``first[i + 1]``.
    set_player, set_parent : int arrays, shape (information sets,)
        Who moves there, and that player's sequence before.
    """

    def __init__(self, game: ExtensiveGame, most_nodes: int = MOST_NODES):
        self.game = check_game(game, ExtensiveGame)
        self.players = game.players
        most_nodes = whole_number("most_nodes", most_nodes, 1)
        in_memory(f"a tree of {most_nodes} nodes", most_nodes * _BYTES_PER_NODE)
        builder = _Builder(game, most_nodes)
        builder.grow()
        self.information_sets = tuple(builder.sets)
        self.mover = np.array(builder.mover, dtype=np.int8)
        self.parent = np.array(builder.parent, dtype=np.int64)
        self.sequence = np.array(builder.sequence, dtype=np.int64)
        self.chance = np.array(builder.chance)
        self.terminals = np.flatnonzero(self.mover == OVER)
        self.payoffs = np.array(builder.payoffs).reshape(len(self.terminals), self.players)
        if not np.isfinite(self.payoffs).all():
            raise ValueError(f"payoffs of {shown(game)}: a finite number for each player is needed at every end")
        self.last_sequence = np.array(builder.last, dtype=np.int64).reshape(len(self.terminals), self.players)
        self.chance_reach = np.array(builder.chance_reach)
        self.nodes = len(self.mover)
        self.end = _subtree_ends(self.parent)
        self.first = np.array([each.first for each in self.information_sets] + [builder.sequences], dtype=np.int64)
        self.set_player = np.array([each.player for each in self.information_sets], dtype=np.int64)
        self.set_parent = np.array([each.parent for each in self.information_sets], dtype=np.int64)

    def __repr__(self) -> str:
        return f"GameTree({self.game!r}: {self.nodes} nodes, {len(self.information_sets)} information sets)"

    @property
    def sequences(self) -> int:
        """Number of sequences of all players together, the empty ones not counted."""
        return int(self.first[-1])

    @classmethod
    def of(cls, game: Any) -> "GameTree":
        """The tree of a game; a tree is its own."""
        return game if isinstance(game, cls) else cls(game)


class _Builder:
    """Walks through the game once, depth first, without recursion."""

    def __init__(self, game: ExtensiveGame, most_nodes: int):
        self.game, self.most_nodes = game, most_nodes
        self.mover, self.parent, self.sequence = array("b"), array("q"), array("q")
        self.chance, self.payoffs, self.last, self.chance_reach = array("d"), array("d"), array("q"), array("d")
        self.sets: list[InformationSet] = []
        self.sequences = 0
        self._numbers: dict[Hashable, int] = {}

    def grow(self) -> None:
        # What waits: state, node before, sequence just played, probability of the chance move, the last sequence of
        # each player, and the product of the chance moves.
        waiting = [(self.game.start(), -1, -1, 1.0, (-1,) * self.game.players, 1.0)]
        while waiting:
            state, parent, sequence, chance, last, reach = waiting.pop()
            node = len(self.mover)
            if node >= self.most_nodes:
                raise ValueError(f"most_nodes = {self.most_nodes}: the game tree of {shown(self.game)} has more nodes")
            self.parent.append(parent)
            self.sequence.append(sequence)
            self.chance.append(chance)
            waiting.extend(reversed(list(self._children(node, state, last, reach))))

    def _children(self, node: int, state, last: tuple[int, ...], reach: float) -> Iterable[tuple]:
        """Record what kind of node this is, and give what follows it."""
        mover = mover_of(self.game, state)
        if mover == OVER:
            self.mover.append(OVER)
            self.payoffs.extend(check_payoffs(self.game, self.game.payoffs(state), state))
            self.last.extend(last)
            self.chance_reach.append(reach)
            return
        if mover == CHANCE:
            self.mover.append(CHANCE)
            for move, chance in chances(self.game, state).items():
                yield self.game.play(state, move), node, -1, float(chance), last, reach * chance
            return
        moves = distinct_moves(self.game, state)
        number = self._set_number(state, mover, moves, last[mover])
        self.mover.append(mover)
        for place, move in enumerate(moves):
            sequence = self.sets[number].first + place
            after = (*last[:mover], sequence, *last[mover + 1 :])
            yield self.game.play(state, move), node, sequence, 1.0, after, reach

    def _set_number(self, state, player: int, moves: tuple, parent: int) -> int:
        """The number of the information set at a state; the set must be the same wherever it is met."""
        information = knowledge(self.game, state)
        number = self._numbers.setdefault(information, len(self.sets))
        if number == len(self.sets):
            self.sets.append(InformationSet(information, player, moves, self.sequences, parent))
            self.sequences += len(moves)
            return number
        known = self.sets[number]
        check_same_set(information, state, (player, moves), (known.player, known.moves))
        if known.parent != parent:
            raise Forgotten(information, player)
        return number


def _subtree_ends(parent: np.ndarray) -> np.ndarray:
    """One past the last node of each node's subtree, for nodes in depth-first order."""
    ends = np.arange(1, len(parent) + 1)
    for node in range(len(parent) - 1, 0, -1):
        ends[parent[node]] = max(ends[parent[node]], ends[node])
    return ends
