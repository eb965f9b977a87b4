"""A game in extensive form as arrays: nodes in depth-first order, information sets, sequences; and its profiles."""

from array import array
from collections.abc import Hashable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from gamebalance.base.checks import check_seed, in_memory, shown, whole_number
from gamebalance.multiplayer.protocols import (
    CHANCE,
    OVER,
    ExtensiveGame,
    chances,
    check_game,
    check_payoffs,
    check_probabilities,
    check_same_set,
    distinct_moves,
    knowledge,
    mover_of,
)

#: For each information set, the probability of each move there.
Profile = Mapping[Hashable, Mapping[Hashable, float]]
#: The largest tree that is built unless a call allows more.
MOST_NODES = 2_000_000
#: Bytes that a node takes while the tree is built and solved, for three players; an upper estimate.
_BYTES_PER_NODE = 200
#: How many of several information sets a message names.
_NAMED = 3


class Forgotten(ValueError):
    """A player has forgotten a move or what it knew: the game is one of imperfect recall."""

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

    @property
    def sequences(self) -> slice:
        return slice(self.first, self.first + len(self.moves))


class GameTree:
    """The whole tree of a game, checked once and kept in arrays.

    A *sequence* is a move at an information set. Perfect recall makes what a player did and knew before a sequence
    unique, so a sequence stands for a whole path of the player's own moves (von Stengel 1996). Sequences are numbered
    set by set; the empty one is -1. ValueError if the game breaks its protocol, a player forgets, or there are more
    than `most_nodes`.

    Nodes, in depth-first order: `mover`, `parent`, `end` of the subtree (a child's next sibling stands there), the
    `sequence` played to come there and the `chance` of a chance move. Ends: `terminals`, `payoffs` and `last_sequence`
    of shape (terminals, players), and `chance_reach`. Information sets, as first met: `information_sets`, `set_player`,
    `set_parent` (that player's sequence before), and the sequences from ``first[i]`` up to ``first[i + 1]``.
    """

    def __init__(self, game: ExtensiveGame, most_nodes: int = MOST_NODES):
        self.game, self.players = check_game(game, ExtensiveGame), game.players
        in_memory(f"a tree of {most_nodes} nodes", whole_number("most_nodes", most_nodes, 1) * _BYTES_PER_NODE)
        grown = _Builder(game, most_nodes)
        self.information_sets = tuple(grown.sets)
        self.mover = np.array(grown.mover, dtype=np.int8)
        self.parent, self.sequence = np.array(grown.parent, dtype=np.int64), np.array(grown.sequence, dtype=np.int64)
        self.chance, self.chance_reach = np.array(grown.chance), np.array(grown.chance_reach)
        self.terminals = np.flatnonzero(self.mover == OVER)
        self.payoffs = np.array(grown.payoffs).reshape(len(self.terminals), self.players)
        if not np.isfinite(self.payoffs).all():
            raise ValueError(f"payoffs of {shown(game)}: a finite number for each player is needed at every end")
        self.last_sequence = np.array(grown.last, dtype=np.int64).reshape(len(self.terminals), self.players)
        self.nodes = len(self.mover)
        self.end = np.arange(1, self.nodes + 1)
        for node in range(self.nodes - 1, 0, -1):
            self.end[self.parent[node]] = max(self.end[self.parent[node]], self.end[node])
        self.first = np.array([each.first for each in grown.sets] + [grown.sequences], dtype=np.int64)
        self.set_player = np.array([each.player for each in grown.sets], dtype=np.int64)
        self.set_parent = np.array([each.parent for each in grown.sets], dtype=np.int64)
        self.sequences = grown.sequences

    def __repr__(self) -> str:
        return f"GameTree({self.game!r}: {self.nodes} nodes, {len(self.information_sets)} information sets)"

    @classmethod
    def of(cls, game: Any) -> "GameTree":
        """The tree of a game; a tree is its own."""
        return game if isinstance(game, cls) else cls(game)

    @property
    def even(self) -> np.ndarray:
        """One probability per sequence: all moves of an information set alike."""
        sizes = np.diff(self.first)
        return np.repeat(1 / sizes, sizes)


class _Builder:
    """Walks through the game once, depth first, without recursion."""

    def __init__(self, game: ExtensiveGame, most_nodes: int):
        self.game = game
        self.mover, self.parent, self.sequence = array("b"), array("q"), array("q")
        self.chance, self.payoffs, self.last, self.chance_reach = array("d"), array("d"), array("q"), array("d")
        self.sets: list[InformationSet] = []
        self.sequences = 0
        self._numbers: dict[Hashable, int] = {}
        # What waits: state, node before, sequence just played, probability of the chance move, the last sequence of
        # each player, and the product of the chance moves.
        waiting: list[tuple] = [(game.start(), -1, -1, 1.0, (-1,) * game.players, 1.0)]
        while waiting:
            state, parent, sequence, chance, last, reach = waiting.pop()
            node = len(self.mover)
            if node >= most_nodes:
                raise ValueError(f"most_nodes = {most_nodes}: the game tree of {shown(game)} has more nodes")
            self.parent.append(parent)
            self.sequence.append(sequence)
            self.chance.append(chance)
            waiting.extend(reversed(list(self._children(node, state, last, reach))))

    def _children(self, node: int, state: Any, last: tuple[int, ...], reach: float) -> Iterable[tuple]:
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
        for sequence, move in enumerate(moves, self.sets[number].first):
            after = (*last[:mover], sequence, *last[mover + 1 :])
            yield self.game.play(state, move), node, sequence, 1.0, after, reach

    def _set_number(self, state: Any, player: int, moves: tuple, parent: int) -> int:
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


def random_profile(game: Any, seed: int) -> dict[Hashable, dict[Hashable, float]]:
    """Each information set's mixture, drawn uniformly from all mixtures (a flat Dirichlet distribution)."""
    rng = np.random.default_rng(check_seed(seed))
    tree = GameTree.of(game)
    draws = rng.exponential(size=tree.sequences)
    return to_profile(tree, draws / np.repeat(np.add.reduceat(draws, tree.first[:-1]), np.diff(tree.first)))


def to_profile(tree: GameTree, strategy: np.ndarray) -> dict[Hashable, dict[Hashable, float]]:
    """A mapping of mappings from one probability per sequence."""
    return {
        each.information: dict(zip(each.moves, strategy[each.sequences].tolist(), strict=True))
        for each in tree.information_sets
    }


def to_strategy(tree: GameTree, profile: Profile, but: int | None = None) -> np.ndarray:
    """One probability per sequence; moves that are not named have 0, as have all of the player `but`."""
    if not isinstance(profile, Mapping):
        raise ValueError(f"profile = {shown(profile)}: a mapping of information sets to probabilities is needed")
    _refuse("unknown", profile.keys() - {each.information for each in tree.information_sets})
    needed = [each for each in tree.information_sets if each.player != but]
    _refuse("missing", [each.information for each in needed if each.information not in profile])
    strategy = np.zeros(tree.sequences)
    for each in needed:
        strategy[each.sequences] = set_chances(each, profile[each.information])
    return strategy


def set_chances(each: InformationSet, chances: Mapping[Hashable, Any]) -> list[float]:
    """The probability of each move of an information set; moves that are not named have 0."""
    if not isinstance(chances, Mapping):
        name = f"profile[{shown(each.information)}]"
        raise ValueError(f"{name} = {shown(chances)}: a mapping of moves to probabilities is needed")
    for move in chances:
        if move not in each.moves:
            name = f"profile[{shown(each.information)}]"
            raise ValueError(f"{name}: {shown(move)} is no move there; the moves are {shown(each.moves)}")
    check_probabilities("profile[{}]", chances.values(), each.information)
    return [chances.get(move, 0.0) for move in each.moves]


def _refuse(what: str, sets: Iterable[Hashable]) -> None:
    names = sorted(map(shown, sets))
    if names:
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        raise ValueError(f"profile: {len(names)} information sets are {what}: {', '.join(names[:_NAMED])}{more}")
