"""Which players are alike: who can be renamed into whom so that the game stays what it is.

A renaming is told by colours first, as graphs are told apart (B. Weisfeiler and A. Leman, 1968): what has another
colour is unlike. Where all colours agree, a map from the game to the renamed one is built and checked, step by step.
Choices at the same point have no order, and neither have moves of chance that follow each other (`blocks`).
"""

from collections.abc import Iterator, Sequence
from copy import copy
from itertools import permutations, product
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from gamebalance.base.rounding import meant
from gamebalance.multiplayer.graph.blocks import Frame
from gamebalance.multiplayer.graph.states import GameGraph

#: All renamings of so many players are tried; of more, swaps and rotations.
FEW_PLAYERS = 4
#: How often one of several images is chosen with care, by marking it and colouring anew.
TRIES = 300
#: A choice that gives no more new colours than this matters nowhere else.
FEW_NEW = 2


class Alike(NamedTuple):
    """Players whose seats are interchangeable, in `groups` of two and more: the author `said` so, or it is proved.

    The game stays the same under the `renamings`, which take every player of a group to every other; player p becomes
    player ``renaming[p]``. Entries of a policy with the same number in `tied` are moves that renaming takes to each
    other; None if nobody is alike, or the author says so.
    """

    groups: tuple[tuple[int, ...], ...]
    renamings: tuple[tuple[int, ...], ...]
    said: bool = False
    tied: np.ndarray | None = None


def generated(players: int, renamings: Sequence[tuple[int, ...]]) -> Alike:
    """All renamings that follow from some, and who becomes whom by them."""
    found = dict.fromkeys([tuple(range(players))])
    waiting = [*found]
    while waiting:
        one = waiting.pop()
        new = {tuple(each[player] for player in one) for each in renamings} - found.keys()
        found |= dict.fromkeys(new)
        waiting += new
    return Alike(_orbits(players, renamings), tuple(sorted(found)))


def _orbits(players: int, renamings: Sequence[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
    """Who becomes whom by renamings and what follows from them; only groups of two and more."""
    group = list(range(players))
    for one, other in [pair for renaming in renamings for pair in enumerate(renaming)]:
        group = [group[one] if each == group[other] else each for each in group]
    found = (tuple(player for player in range(players) if group[player] == each) for each in dict.fromkeys(group))
    return tuple(orbit for orbit in found if len(orbit) > 1)


def _turned(players: int, renamings: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Renamings with the same groups and fewer that follow from them: those whom exchanges join turn in a circle."""
    swaps = [each for each in renamings if sum(player != to for player, to in enumerate(each)) == 2]
    turns = [_turn(players, group) for group in _orbits(players, swaps)]
    return [each for each in renamings if each not in swaps] + turns


def _turn(players: int, group: Sequence[int]) -> tuple[int, ...]:
    """Each of a group becomes the next one of it."""
    following = dict(zip(group, [*group[1:], group[0]], strict=True))
    return tuple(following.get(player, player) for player in range(players))


def declared(players: int, groups: Sequence[Sequence[int]]) -> Alike:
    """The players that are said to be alike: each group is rotated by itself."""
    return generated(players, [_turn(players, group) for group in groups])._replace(said=True)


def alike(graph: GameGraph, sides: Sequence[str] | None = None) -> Alike | None:
    """Which players of a game are alike; None if the game is too large to be compared with itself.

    Those who are on one of the `sides` stay together.

    >>> from gamebalance.games import FirstPriceAuction, tictactoe
    >>> alike(GameGraph(FirstPriceAuction())).groups, alike(GameGraph(tictactoe(2))).groups
    (((0, 1, 2),), ())
    """
    frame = Frame.of(graph)
    if frame is None:
        return None
    found: dict[tuple[int, ...], np.ndarray] = {}
    for renaming in _candidates(graph.players):
        so_far = _orbits(graph.players, [*found])
        moved = [(player, to) for player, to in enumerate(renaming) if player != to]
        known = all(any(player in group and to in group for group in so_far) for player, to in moved)
        if sides and len({(side, sides[to]) for side, to in zip(sides, renaming, strict=True)}) > len(set(sides)):
            continue
        same = None if known else _same(frame, renaming)
        if same is not None:
            found[renaming] = same.image
    return generated(graph.players, _turned(graph.players, [*found]))._replace(tied=_tied([*found.values()]))


def _candidates(players: int) -> Iterator[tuple[int, ...]]:
    everybody = range(players)
    yield tuple((player + 1) % players for player in everybody)
    if players <= FEW_PLAYERS:
        yield from permutations(everybody)
        return
    yield from (tuple((player + step) % players for player in everybody) for step in range(2, players))
    yield tuple(reversed(everybody))
    for one, other in product(everybody, repeat=2):
        if one < other:
            yield tuple({one: other, other: one}.get(player, player) for player in everybody)


def _same(frame: Frame, renaming: tuple[int, ...]) -> "_Map | None":
    """A map from the game to the one in which player p is called ``renaming[p]``, if that stays the same."""
    for tries in (0, TRIES):  # states that were merged may look unlike from above: that comes second
        own = _Colours(frame, np.arange(len(renaming)), tries > 0)
        others = _Colours(frame, np.argsort(renaming), tries > 0)
        if not _settled(own, others):
            return None
        found = _Map(frame, renaming, own, others, tries)
        if found.holds():
            return found
    return None


def _tied(images: list[np.ndarray]) -> np.ndarray | None:
    """Numbers of classes of moves that some maps take to each other; None if there are no maps or no moves."""
    if not images or not len(images[0]):
        return None
    pairs = np.tile(np.arange(len(images[0])), len(images)), np.concatenate(images)
    return connected_components(csr_array((np.ones(len(pairs[0])), pairs)), directed=False)[1]


def _mixed(numbers: np.ndarray) -> np.ndarray:
    """Numbers that look like chance, the same for the same ones (the finalizer of splitmix64)."""
    found = numbers + np.uint64(0x9E3779B97F4A7C15)
    found = (found ^ (found >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    found = (found ^ (found >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return found ^ (found >> np.uint64(31))


def _summed(places: np.ndarray, numbers: np.ndarray, size: int) -> np.ndarray:
    found = np.zeros(size, np.uint64)
    np.add.at(found, places, numbers)
    return found


class _Colours:
    """Colours of nodes and moves; equal ones look the same as far as it has been looked, under names of players."""

    def __init__(self, frame: Frame, names: np.ndarray, down: bool):
        self.frame, self.down, graph = frame, down, frame.graph
        named = names.astype(np.uint64)
        self.node = np.zeros(frame.size, np.uint64)
        self.node[frame.ends] = _mixed(_mixed(frame.pay * np.uint64(64) + named[None, :]).sum(axis=1, dtype=np.uint64))
        self.move = np.zeros(int(graph.set_first[-1]), np.uint64)
        self._name = _mixed(named[frame.entry_player] + np.uint64(1 << 32))
        self._blocks = np.array(list(frame.blocks), np.int64)

    def marked(self, kind: str, place: int) -> "_Colours":
        """The same with a colour of its own for one node or move."""
        found = copy(self)
        found.node, found.move = self.node.copy(), self.move.copy()
        getattr(found, kind)[place] = _mixed(getattr(found, kind)[place : place + 1] + np.uint64(1))[0]
        return found

    @property
    def classes(self) -> int:
        """How many colours there are."""
        return len(np.unique(self.node)) + len(np.unique(self.move))

    def refine(self) -> None:
        frame = self.frame
        lotteries = _summed(frame.lottery, _mixed(_mixed(self.node[frame.node]) + frame.weight), len(frame.lotteries))
        # A joint choice: what follows, and the moves that were chosen.
        row = _mixed(lotteries)[frame.row_lottery]
        row = _mixed(row + _summed(frame.entry_row, _mixed(self.move[frame.entry] ^ self._name), len(row)))
        start = _summed(frame.row_start, _mixed(row), len(self.node))
        start = _mixed(start + _mixed(self.node))
        # A move: all that can follow it wherever its player knows as much.
        seen = _mixed(row[frame.entry_row] ^ start[frame.row_start[frame.entry_row]])
        self.move = _mixed(_summed(frame.entry, _mixed(seen ^ self._name), len(self.move)) + _mixed(self.move))
        known = _summed(frame.entry_set, _mixed(self.move[frame.entry] ^ self._name), len(frame.graph.sets))
        told = _summed(frame.entry_row, _mixed(known[frame.entry_set] ^ self._name), len(row))
        start = _mixed(start + _summed(frame.row_start, _mixed(told), len(self.node)))
        if self.down:  # what has led to a node
            led = _summed(frame.row_lottery, _mixed(row + start[frame.row_start]), len(frame.lotteries))
            start = start + _summed(frame.node, _mixed(_mixed(led)[frame.lottery] + frame.weight), len(start))
        self.node[self._blocks] = start[self._blocks]


def _settled(own: _Colours, others: _Colours) -> bool:
    """Refine both until there are no more colours; whether they still have the same ones."""
    classes = 0
    while own.classes > classes:
        classes = own.classes
        own.refine()
        others.refine()
        pairs = (own.node, others.node), (own.move, others.move)
        if not all(np.array_equal(np.sort(one), np.sort(other)) for one, other in pairs):
            return False
    return True


class _Map:
    """A map from the game to the renamed one, built from the start on along equal colours."""

    def __init__(self, frame: Frame, renaming: tuple[int, ...], own: _Colours, others: _Colours, tries: int):
        self.frame, self.renaming, self.own, self.others, self.tries = frame, renaming, own, others, tries
        self.moves: dict[int, tuple[int, tuple[int, ...]]] = {}  # of each set: its image, and those of its moves
        self.taken: dict[int, int] = {}
        self.pairs: set[tuple[int, int]] = set()

    def holds(self) -> bool:
        """Whether it could be built: every player's sets and moves go to those of the player who takes the name."""
        waiting: list[tuple[int, int]] = []
        if not self._match(0, 0, waiting):
            return False
        while waiting:
            pair = waiting.pop()
            if pair in self.pairs:
                continue
            self.pairs.add(pair)
            if not self._follow(*pair, waiting):
                return False
        return True

    @property
    def image(self) -> np.ndarray:
        """To which entry of a policy each goes; int64, shape (entries,)."""
        first = self.frame.graph.set_first
        found = np.arange(first[-1])
        for number, (image, moves) in self.moves.items():
            found[first[number] : first[number + 1]] = first[image] + np.array(moves)
        return found

    def _follow(self, one: int, other: int, waiting: list) -> bool:
        frame, graph = self.frame, self.frame.graph
        if one not in frame.blocks:
            return other not in frame.blocks and all(
                meant(graph.payoffs[one, player] - graph.payoffs[other, to], residue=graph.same) == 0
                for player, to in enumerate(self.renaming)
            )
        if other not in frame.blocks:
            return False
        block, image = frame.blocks[one], frame.blocks[other]
        if len(image.sets) != len(block.sets) or not self._assigned(block.sets, image.sets):
            return False
        # Of each who chooses in `one`: which place that has in `other`.
        places = [image.sets.index(self.moves[number][0]) for number in block.sets]
        for moves, lottery in block.outcomes.items():
            joint = [0] * len(moves)
            for number, move, place in zip(block.sets, moves, places, strict=True):
                joint[place] = self.moves[number][1][move]
            if not self._match(lottery, image.outcomes[tuple(joint)], waiting):
                return False
        return True

    def _image(self, number: int, sets: Sequence[int]) -> int | None:
        """Which of the sets is that of the player who takes the name."""
        mover = self.frame.graph.set_mover
        return next((each for each in sets if mover[each] == self.renaming[mover[number]]), None)

    def _assigned(self, sets: Sequence[int], images: Sequence[int]) -> bool:
        """Whether each of the sets can be mapped to the one whose player takes the name."""
        pairs = ((number, self._image(number, images)) for number in sets)
        return all(image is not None and self._assign(number, image) for number, image in pairs)

    def _assign(self, number: int, image: int) -> bool:
        """Let a set be mapped to another, moves of equal colours to each other, those of the same name if possible."""
        if number in self.moves or image in self.taken:
            return self.taken.get(image) == number
        first, other = (int(self.frame.graph.set_first[each]) for each in (number, image))
        names, own_names = self.frame.graph.moves[image], self.frame.graph.moves[number]
        left, found = list(range(len(names))), []
        if len(own_names) != len(names):
            return False
        for place, name in enumerate(own_names):
            fits = [each for each in left if self.others.move[other + each] == self.own.move[first + place]]
            fits.sort(key=lambda each: names[each] != name)
            chosen = self._chosen("move", first + place, [other + each for each in fits])
            if chosen is None:
                return False
            found.append(chosen - other)
            left.remove(found[-1])
        self.moves[number], self.taken[image] = (image, tuple(found)), number
        return True

    def _match(self, one: int, other: int, waiting: list) -> bool:
        """Pair what chance may bring with what it may bring in the renamed game, colour by colour."""
        left: dict[tuple, list[int]] = {}
        for node, weight in self._entries(other):
            left.setdefault((int(self.others.node[node]), weight), []).append(node)
        keys = [(node, left.get((int(self.own.node[node]), weight), [])) for node, weight in self._entries(one)]
        for node, group in keys:
            fits = [each for each in group if self.others.node[each] == self.own.node[node] and self._fits(node, each)]
            fits.sort(key=lambda each: (node, each) not in self.pairs)
            image = self._chosen("node", node, fits)
            if image is None:
                return False
            group.remove(image)
            blocks = self.frame.blocks  # what was fixed now guides what is paired next
            if node in blocks and not self._assigned(blocks[node].sets, blocks[image].sets):
                return False
            waiting.append((node, image))
        return not any(left.values())

    def _entries(self, lottery: int) -> Iterator[tuple[int, int]]:
        first = int(np.searchsorted(self.frame.lottery, lottery))
        for place, node in enumerate(self.frame.lotteries[lottery], first):
            yield node, int(self.frame.weight[place])

    def _chosen(self, kind: str, one: int, fits: list[int]) -> int | None:
        """One of the images that fit; if several do, the first whose choice leaves the colours alike."""
        if len(fits) < 2 or not self.tries or (kind == "node" and one not in self.frame.blocks):
            return fits[0] if fits else None
        self.tries -= 1
        for image in fits:
            own, others = self.own.marked(kind, one), self.others.marked(kind, image)
            if _settled(own, others):
                if own.classes <= self.own.classes + FEW_NEW:
                    self.tries //= 2  # such choices hang on nothing else
                self.own, self.others = own, others
                return image
        return None

    def _fits(self, node: int, image: int) -> bool:
        """Whether nothing that is mapped already speaks against this pair."""
        if node not in self.frame.blocks or image not in self.frame.blocks:
            return node not in self.frame.blocks and image not in self.frame.blocks
        for number in self.frame.blocks[node].sets:
            to = self._image(number, self.frame.blocks[image].sets)
            if to is None or self.taken.get(to, number) != number or self.moves.get(number, (to,))[0] != to:
                return False
        return True
