"""How games of a table end, as `Endings`: who sits there, and who has won with which payoffs."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gamebalance.base.checks import shown
from gamebalance.base.estimates import Estimate
from gamebalance.base.rounding import meant
from gamebalance.fairness.endings import Endings
from gamebalance.multiplayer.graph.symmetry import Alike

#: Ends of a range of percentages that are no further apart are told as one number.
ONE_NUMBER = 0.05


class Seats(NamedTuple):
    """Who sits at the table: a role and a side for each player, in the order of the seats; None where all are alike."""

    players: int
    roles: tuple[str, ...] | None = None
    sides: tuple[str, ...] | None = None

    @classmethod
    def of(cls, game: Any, players: int | None = None) -> "Seats":
        """The seats of a game; of a function, which does not say how many play, so many."""
        players = game.players if players is None else players
        return cls(players, *(_names(game, kind, players) for kind in ("roles", "sides")))

    @property
    def labels(self) -> dict[str, list]:
        """The labels of the players, as `Endings` take them."""
        found: dict[str, list] = {"seat": list(range(1, self.players + 1))}
        named = {"role": self.roles, "side": self.sides}
        return found | {kind: list(names) for kind, names in named.items() if names}

    @property
    def kind(self) -> str:
        """What players are told apart by: sides if there are any, else roles, else seats."""
        return "side" if self.sides else "role" if self.roles else "seat"


def is_game(game: Any) -> bool:
    """Whether this is a game of the protocol, or meant to be one; else it is a function that plays a game by itself."""
    return hasattr(game, "mover") or hasattr(game, "movers") or not callable(game)


def _names(game: Any, kind: str, players: int) -> tuple[str, ...] | None:
    names = getattr(game, kind, None)
    if not isinstance(names, Sequence) or isinstance(names, str):
        return None  # a die has sides, too
    if len(names) != players or not all(isinstance(name, str) and name for name in names):
        raise ValueError(f"{kind} = {shown(names)}: a name for each of {players} players is needed")
    return tuple(names)


def endings_of(
    seats: Seats,
    points: np.ndarray,
    weight: Any,
    games: int | None = None,
    length: Estimate | None = None,
    runs: Any = None,
    alike: Alike | None = None,
) -> Endings:
    """Endings from payoffs, shape (rows, players), and how often each row was met, as shares of all games.

    With `alike` as the mean over its renamings. Rows may be of several `runs`, shape (rows,), as of `Tally`.
    """
    renamings = alike.renamings if alike else [tuple(range(seats.players))]
    many, numbers = len(renamings), np.zeros(len(points), int) if runs is None else runs
    rows = np.concatenate([points[:, np.argsort(renaming)] for renaming in renamings])
    table = np.column_stack([np.tile(numbers, many), rows])
    found, where = np.unique(table, axis=0, return_inverse=True)
    weight, points = np.bincount(where.ravel(), np.tile(weight, many) / many, len(found)), found[:, 1:]
    runs = None if runs is None else found[:, 0].astype(int)
    values = {"won": wins(points, seats.sides), "points": points}
    return Endings(seats.labels, [1] * seats.players, weight, values, games, length, step="moves", runs=runs)


def wins(points: ArrayLike, sides: Sequence[str] | None = None) -> np.ndarray:
    """Who has won with these payoffs, shape (rows, players).

    Whoever has the most has won; those who share it have in equal parts, unless all do: then nobody has. Of sides, the
    one whose members have the most on the average, and all its members have won.
    """
    points = meant(np.asarray(points, float))
    if sides is None:
        return _shared(points)
    names = list(dict.fromkeys(sides))
    member = np.array([[float(side == name) for name in names] for side in sides])
    by_side = _shared(meant(np.einsum("rp,ps->rs", points, member) / member.sum(axis=0)))
    return by_side[:, [names.index(side) for side in sides]]


def _shared(points: np.ndarray) -> np.ndarray:
    most = points == points.max(axis=1, keepdims=True)
    return np.where(most.all(axis=1, keepdims=True), 0.0, most / most.sum(axis=1, keepdims=True))
