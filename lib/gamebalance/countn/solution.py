"""Count-N solved: value and distance of every position, best moves, and what can be reached."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gamebalance.base.checks import flag, in_memory, one_of, whole_number
from gamebalance.base.estimates import Estimate
from gamebalance.base.tabled import Tabled
from gamebalance.countn import plain
from gamebalance.countn.rules import START, Game, Hands, Move
from gamebalance.countn.tables import NO_DISTANCE, WORD, count_labels, no_states
from gamebalance.fairness.endings import Endings

if TYPE_CHECKING:
    import pandas

ENGINES = ("compiled", "plain")
#: Up to this n plain Python has the answer, in a tenth of a second, before anything could be compiled.
SMALL = 12
#: What the plain solver needs for a position, as measured for n = 20 to 30.
_PLAIN_BYTES = 1400
KINDS = ("principled", "published")
LABELS = (-2, -1, 1, 2, None)
#: The labels in words, the best first.
OUTCOMES = {2: "big win", 1: "small win", None: "draw", -1: "small loss", -2: "big loss"}


@dataclass(frozen=True)
class Option:
    """A legal move and what it leads to for the mover: `value` from -2 to 2, `distance` in plies, None in a draw."""

    move: Move
    value: int
    distance: int | None


class Solution(Tabled):
    """What best play leads to from every position of a game. Made by `solve`.

    A player prefers, in this order, a big win, a small win, a draw, a small loss and a big loss; among equals, the
    fastest win and the slowest loss. `values` (int8, 0 for a draw) and `distances` (int16, plies to the end, -1 for a
    draw) have the shape (pairs, pairs): [opponent's pair, mover's pair], numbered as by `number`, the value for the
    mover.
    """

    def __init__(self, game: Game, values: np.ndarray, distances: np.ndarray) -> None:
        self.game, self.values, self.distances = game, values, distances

    def __repr__(self) -> str:
        return f"Solution(n={self.game.n}, overflow={self.game.overflow!r}, start_value={self.start_value!r})"

    def value(self, mover: Hands, opponent: Hands) -> int:
        """What a position is worth to the mover: 2 for a big win, 1 for a small one, 0 for a draw, -1 and -2 if lost.

        Each hand is a number from 1 to n - 1 or None (withdrawn); ValueError if this is no position of the game.
        """
        return int(self.values[self._entry(mover, opponent)])

    def distance(self, mover: Hands, opponent: Hands) -> int | None:
        """Plies to the end under best play, None for a draw; hands as for `value`."""
        distance = int(self.distances[self._entry(mover, opponent)])
        return None if distance == NO_DISTANCE else distance

    def options(self, mover: Hands, opponent: Hands) -> list[Option]:
        """Every legal move with its outcome for the mover, best first; hands as for `value`."""
        mover, opponent = self.game.check_position(mover, opponent)
        return sorted((self._option(move, opponent) for move in self.game.moves(mover, opponent)), key=_rank)

    def best_moves(self, mover: Hands, opponent: Hands) -> list[Move]:
        """The moves that keep the value and, in a decided position, shorten the distance by one; none at the end."""
        options = self.options(mover, opponent)
        return [option.move for option in options if _rank(option) == _rank(options[0])]

    def main_line(self, mover: Hands, opponent: Hands, plies: int | None = None) -> list[Move]:
        """Best play by the first best moves: so many plies, or to the end or to a position that stood before."""
        most = None if plies is None else whole_number("plies", plies)
        line: list[Move] = []
        position, seen = self.game.check_position(mover, opponent), set()
        while position not in seen and len(line) != most and (best := self.best_moves(*position)):
            seen.add(position)
            line.append(best[0])
            position = position[1], best[0].hands
        return line

    @property
    def start_value(self) -> str:
        """Who wins from the start: "first", "second" or "draw"."""
        return ("draw", "first", "second")[int(np.sign(self.value(*START)))]

    @property
    def endings(self) -> Endings:
        """How the game ends when both play perfectly: in one way, won by a seat or drawn."""
        won = np.array({"first": [[1, 0]], "second": [[0, 1]], "draw": [[0, 0]]}[self.start_value])
        length = None if self.start_distance is None else Estimate(self.start_distance)
        return Endings({"seat": [1, 2]}, [1, 1], [1.0], {"won": won}, length=length, step="plies")

    @property
    def start_distance(self) -> int | None:
        """Plies from the start to the end, None for a draw."""
        return self.distance(*START)

    @property
    def reachable_count(self) -> int:
        """How many states (first player's hands, second player's hands, who is to move) play can reach."""
        return int(self._counts[:5].sum())

    @property
    def terminal_count(self) -> int:
        """How many of them are ends of the game."""
        return int(self._counts[5])

    @property
    def reach_depth(self) -> int:
        """Plies to the reachable state that is farthest from the start."""
        return self._reached[1]

    def is_reachable(self, first: Hands, second: Hands, second_to_move: bool) -> bool:
        """Whether play can lead to this state; ValueError if there is no such state."""
        i, j = number(self.game.check_hands("first", first)), number(self.game.check_hands("second", second))
        return self._is_reached(i, j, flag("second_to_move", second_to_move))

    def reachable_states(self) -> Iterator[tuple[Hands, Hands, bool]]:
        """All reachable states: first player's hands, second player's hands, whether the second is to move."""
        numbers = {pair: number(pair) for pair in self.game.pairs}
        for (first, i), (second, j), turn in product(numbers.items(), numbers.items(), (False, True)):
            if self._is_reached(i, j, turn):
                yield first, second, turn

    def label_counts(self, kind: str = "principled") -> dict[int | None, int]:
        """How many reachable states have each label: -2, -1, 1, 2 and None, for a draw.

        Labels are the values of this solution, or ("published") those of the study's procedure (`plain`), whose split
        between big and small depends on the order of its loop; these are refused above 2 GiB of memory (n above 51).
        """
        if one_of("kind", kind, KINDS) == "published":
            labels = Counter(plain.published_labels(self.game).values())
            return {label: labels[label] if label else self.reachable_count - labels.total() for label in LABELS}
        return {label: int(self._counts[(label or 0) + 2]) for label in LABELS}

    def _is_reached(self, first: int, second: int, turn: bool) -> bool:
        mover, opponent = (second, first) if turn else (first, second)
        return bool(int(self._reached[0][int(turn), mover // WORD, opponent]) >> mover % WORD & 1)

    @cached_property
    def _reached(self) -> tuple[np.ndarray, int]:
        if self.game.n > SMALL:
            from gamebalance.countn.kernels.two import reach

            return reach(self.game.n, self.game.overflow == "rollover")
        reached, plies = no_states(self.game.n), plain.plies(self.game)
        for first, second, turn in plies:
            mover, opponent = map(number, (second, first) if turn else (first, second))
            reached[int(turn), mover // WORD, opponent] |= np.uint64(1 << mover % WORD)
        return reached, max(plies.values())

    @cached_property
    def _counts(self) -> np.ndarray:
        return count_labels(self._reached[0], self.values)

    def _entry(self, mover: Hands, opponent: Hands) -> tuple[int, int]:
        mover, opponent = self.game.check_position(mover, opponent)
        return number(opponent), number(mover)

    def _option(self, move: Move, opponent: Hands) -> Option:
        after = number(move.hands), number(opponent)
        value, distance = -int(self.values[after]), int(self.distances[after])
        return Option(move, value, None if value == 0 else distance + 1)

    def to_frame(self) -> "pandas.DataFrame":
        """A row for each outcome, from a big win of who is to move to a big loss: reachable states that have it."""
        import pandas

        counts = self.label_counts()
        index = pandas.Index(OUTCOMES.values(), name="outcome")
        return pandas.DataFrame({"states": [counts[label] for label in OUTCOMES]}, index)

    def _headings(self) -> dict[str, str]:
        return {"outcome": "outcome for who is to move", "states": "states that can be reached"}

    def _about(self) -> str:
        start = {"draw": "a draw", "first": "won by the first player", "second": "won by the second player"}
        plies = "" if self.start_distance is None else f" in {self.start_distance} moves"
        rule = " with rollover" if self.game.overflow == "rollover" else ""
        return f"Count-{self.game.n}{rule}, solved exactly: {start[self.start_value]}{plies}"


def _rank(option: Option) -> tuple[int, int]:
    """Best first: by value, then the fastest win and the slowest loss."""
    return -option.value, (option.distance or 0) * (1 if option.value > 0 else -1)


def number(hands: Hands) -> int:
    """The number of a pair of hands in the tables of a `Solution`."""
    low, high = sorted(hand or 0 for hand in hands)
    return high * (high + 1) // 2 + low


def solve(n: int, overflow: str = "one", *, big_wins: bool = True, engine: str | None = None) -> Solution:
    """Solve Count-N by retrograde analysis.

    Parameters
    ----------
    n
        The number to count to, from 2 to 256: 100 takes a tenth of a second and 80 MB, 256 half a minute and 4 GB.
    overflow
        What a hand shows after a sum greater than `n`: 1 ("one"), the study's rule, or the sum less `n` ("rollover").
    big_wins
        Whether a big win (the loser still has both hands) is preferred to a small one. If not, values are 1, 0 and -1
        and the distance is that of the fastest win of any kind.
    engine
        "compiled", or "plain" for the solver in plain Python (n up to 49); by default plain for n up to 12.

    Examples
    --------
    >>> eight = solve(8)
    >>> eight.start_value, eight.value((1, 7), (2, 6)), eight.distance((1, 7), (2, 6))
    ('draw', 1, 15)
    >>> eight.best_moves((1, 7), (2, 6))
    [Move(own=1, added=2, hands=(3, 7))]
    """
    game = Game(n, overflow)
    big_wins = flag("big_wins", big_wins)
    if one_of("engine", engine or ENGINES[game.n <= SMALL], ENGINES) == "compiled":
        from gamebalance.countn.kernels.two import retrograde

        return Solution(game, *retrograde(game.n, overflow == "rollover", big_wins))
    pairs = len(game.pairs)
    in_memory(f"n = {game.n}, engine = 'plain'", _PLAIN_BYTES * pairs**2)
    values, distances = np.zeros((pairs, pairs), np.int8), np.full((pairs, pairs), NO_DISTANCE, np.int16)
    for (mover, opponent), (value, distance) in plain.solve(game, big_wins).items():
        entry = number(opponent), number(mover)
        values[entry], distances[entry] = value, distance
    return Solution(game, values, distances)


class Outcome(NamedTuple):
    """What best play leads to: who wins ("first", "second" or "draw"), whether big, and after how many plies."""

    winner: str
    big: bool
    plies: int | None


def what_if(n: int = 8, *, overflow: str = "one", mover: Hands = START[0], opponent: Hands = START[1]) -> Outcome:
    """Who wins a game of Count-N when its rules are changed; whatever is not named stays as it is.

    `n` and `overflow` are as for `solve`; `mover` and `opponent` the hands of the player who begins and of the other,
    None for a withdrawn one.

    >>> what_if(8)
    Outcome(winner='draw', big=False, plies=None)
    >>> what_if(8, opponent=(1, 7))
    Outcome(winner='second', big=False, plies=12)
    """
    solution = solve(n, overflow)
    value = solution.value(mover, opponent)
    winner = ("draw", "first", "second")[int(np.sign(value))]
    return Outcome(winner, abs(value) == 2, solution.distance(mover, opponent))
