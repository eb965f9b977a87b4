"""Game trees: written out, or made from a seed."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gamebalance.base.checks import check_seed, one_of, shown, whole_number
from gamebalance.base.kinds import Integral, Real
from gamebalance.base.splitmix import GOLDEN, mix
from gamebalance.multiplayer.protocols import OVER


class Tree:
    """A game tree given as nested data; a state is the tuple of moves that leads to it, ``()`` the root.

    A leaf is a tuple of payoffs. Any other node is ``(mover, children)`` or ``(mover, children, payoffs)``, where
    children are a list or a dict from moves to nodes, and payoffs are what a search gets at its depth limit.

    >>> tree = Tree((0, {"left": (3, 0), "right": (1, [(0, 2), (2, 1)])}))
    >>> tree.moves(()), tree.mover(("right",)), tree.payoffs(("right", 0))
    (('left', 'right'), 1, (0, 2))
    """

    def __init__(self, root: Any):
        self._movers: dict[tuple, int] = {}
        self._moves: dict[tuple, tuple] = {}
        self._payoffs: dict[tuple, tuple] = {}
        try:
            self._read((), root)
        except RecursionError:
            raise ValueError("root: the tree is too deep to be read, or contains itself") from None
        self.players = len(next(self._payoffs[state] for state in self._payoffs if state not in self._movers))
        self._check()
        self.most_sum = max(map(sum, self._payoffs.values()))
        self.least = tuple(map(min, zip(*self._payoffs.values(), strict=True)))

    def _read(self, state: tuple, node: Any) -> None:
        """Take in a node and all below it."""
        sequence = isinstance(node, Sequence) and not isinstance(node, str)
        if sequence and len(node) in (2, 3) and isinstance(node[1], list | Mapping):
            mover, children, *estimate = node
            children = dict(children if isinstance(children, Mapping) else enumerate(children))
            if not children:
                raise ValueError(f"root: at {state} player {shown(mover)} is to move and has no moves")
            self._movers[state], self._moves[state] = mover, tuple(children)
            for payoffs in estimate:
                self._add(state, payoffs)
            for move, child in children.items():
                self._read((*state, move), child)
        else:
            self._add(state, node)

    def _add(self, state: tuple, payoffs: Any) -> None:
        numbers = isinstance(payoffs, Sequence) and all(isinstance(x, Real) and x == x for x in payoffs)
        if not numbers or not payoffs:
            raise ValueError(f"root: at {state}, {shown(payoffs)} is neither a tuple of payoffs nor (mover, children)")
        self._payoffs[state] = tuple(payoffs)

    def _check(self) -> None:
        for state, payoffs in self._payoffs.items():
            if len(payoffs) != self.players:
                raise ValueError(f"root: at {state} there are {len(payoffs)} payoffs, elsewhere {self.players}")
        for state, mover in self._movers.items():
            if not isinstance(mover, Integral) or not 0 <= mover < self.players:
                raise ValueError(f"root: at {state} player {shown(mover)} is to move, of {self.players} from 0")

    def start(self) -> tuple:
        """The root."""
        return ()

    def mover(self, state: tuple) -> int:
        return self._movers.get(state, OVER)

    def moves(self, state: tuple) -> tuple:
        return self._moves[state]

    def play(self, state: tuple, move: Any) -> tuple:
        return (*state, move)

    def payoffs(self, state: tuple) -> tuple:
        """Payoffs of a leaf, or those given for the depth limit; ValueError where there are none."""
        if state not in self._payoffs:
            raise ValueError(f"state = {shown(state)}: the tree gives this node no payoffs for a search to stop at")
        return self._payoffs[state]

    def states(self) -> tuple:
        """All nodes, each before its successors."""
        return tuple(dict.fromkeys([*self._movers, *self._payoffs]))


def deep_pruning_example() -> Tree:
    """Three players, payoffs that sum to 10, and a node at which deep pruning changes the value of the root.

    Player 0 holds 5 from its left move. On the right, player 2 finds a move worth 6 to itself, which leaves player 0 at
    most 4; but its other move decides what player 1 does above, and so whether player 0 gets 0 or 7 (Korf, 1991).
    """
    choice_of_2 = (2, {"e": (0, 4, 6), "f": (2, 1, 7)})
    choice_of_1 = (1, {"c": choice_of_2, "d": (7, 3, 0)})
    return Tree((0, {"a": (5, 3, 2), "b": choice_of_1}))


class Place(NamedTuple):
    """A node of a `RandomTree`: plies played, who is to move, and a number that stands for the moves so far."""

    ply: int
    mover: int
    key: int


#: Odd factors keep the sums of moves and those of draws apart.
_PLAYED, _DRAWN = 0xD1B54A32D192ED03, 0x632BE59BD9B4E019


class RandomTree:
    """A tree of equal branching and depth with random whole-number payoffs, made as it is searched.

    Players move in turn; the turn can be handed on. Each player's payoff is uniform on 0 to `most`; or `most` points
    are divided ("constant-sum"), each division as likely; or one player ("winner") gets them all.
    """

    def __init__(
        self, players: int, branching: int, depth: int, seed: int, payoffs: str = "independent", most: int = 100
    ):
        self.players = whole_number("players", players, 1)
        self.branching = whole_number("branching", branching, 1)
        self.depth = whole_number("depth", depth, 1)
        self.most = whole_number("most", most, 1, 2**31)
        self.seed = check_seed(seed)
        self.kind = one_of("payoffs", payoffs, ("independent", "constant-sum", "winner"))
        self.least = 0
        self.most_sum = self.most * (self.players if self.kind == "independent" else 1)

    def start(self) -> Place:
        """The root, with player 0 to move."""
        return Place(0, 0, mix(self.seed + GOLDEN))

    def mover(self, state: Place) -> int:
        return OVER if state.ply == self.depth else state.mover

    def moves(self, state: Place) -> range:
        return range(self.branching)

    def play(self, state: Place, move: int) -> Place:
        ply, mover, key = state
        key = mix(key + _PLAYED * (1 + mover * self.branching + move) + GOLDEN)
        return Place(ply + 1, (mover + 1) % self.players, key)

    def hand_to(self, state: Place, player: int) -> Place:
        return state._replace(mover=whole_number("player", player, 0, self.players - 1))

    def payoffs(self, state: Place) -> tuple:
        if self.kind == "independent":
            return tuple(self._draw(state, i, self.most + 1) for i in range(self.players))
        if self.kind == "winner":
            winner = self._draw(state, 0, self.players)
            return tuple(self.most if i == winner else 0 for i in range(self.players))
        return self._division(state)

    def _draw(self, state: Place, index: int, below: int) -> int:
        """A number from 0 to `below` - 1; uniform up to a share of 2^-32."""
        return mix(state.key + _DRAWN * (index + 1) + GOLDEN) * below >> 64

    def _division(self, state: Place) -> tuple:
        """`most` points in a row and players - 1 bars among them, all places alike (stars and bars)."""
        bars: list[int] = []
        places, word = self.most + self.players - 1, state.key + GOLDEN
        while len(bars) < self.players - 1:
            word += _DRAWN
            bar = mix(word) * places >> 64
            if bar not in bars:
                bars.append(bar)
        parts, last = [], -1
        for bar in sorted(bars):
            parts.append(bar - last - 1)
            last = bar
        return (*parts, places - last - 1)
