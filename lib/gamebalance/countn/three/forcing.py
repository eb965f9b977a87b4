"""What coalitions of the three players can force, from every state."""

from collections.abc import Collection
from functools import cached_property

import numpy as np

from gamebalance.base.checks import in_memory, one_of, shown
from gamebalance.countn.solution import ENGINES, number
from gamebalance.countn.three import plain
from gamebalance.countn.three.kernels import NOT_FORCED, forcing, prospects, reach
from gamebalance.countn.three.rules import PLAYERS, START_STATE, State, ThreePlayerGame
from gamebalance.multiplayer.cooperative import TUGame

EVERYBODY = (1 << PLAYERS) - 1
#: For each entry, two bytes of the table and two lists of what was decided last.
_BYTES = 10
#: For the plain engine, as measured for n = 5.
_PLAIN_BYTES = 2500


class Forcing:
    """What each coalition can force about who is first out, whatever the other players do. Made by `solve`.

    A coalition *forces* a set of targets if it can play so that a target is first out. It *prevents* them if it can
    play so that this never happens: another is first out, or nobody ever. In a game of perfect information with one
    such goal one side or the other has its way (Zermelo 1913; for endless play Gale and Stewart 1953), so S prevents
    what the players outside S cannot force. Coalitions are taken to act as one.
    """

    def __init__(self, game: ThreePlayerGame, engine: str) -> None:
        self.game, self._engine = game, engine
        self._tables: dict[tuple[int, int], np.ndarray] = {}

    def __repr__(self) -> str:
        return f"Forcing(n={self.game.n}, overflow={self.game.overflow!r})"

    def plies(self, coalition: Collection[int], targets: Collection[int], state: State = START_STATE) -> int | None:
        """Plies until a target is out, if the coalition hurries and the others delay; None if it cannot force it.

        Players are 0, 1, 2; nobody, or everybody, may be in either collection.
        """
        state = self.game.check_state(state)
        masks = _mask("coalition", coalition), _mask("targets", targets)
        table = self._seen_by_mover(*(_turned(mask, -state.mover) for mask in masks))
        plies = int(table[tuple(map(number, state.position))])
        return None if plies == NOT_FORCED else plies

    def can_force(self, coalition: Collection[int], targets: Collection[int], state: State = START_STATE) -> bool:
        """Whether the coalition can make sure that a target is first out; parameters as of `plies`."""
        return self.plies(coalition, targets, state) is not None

    def can_prevent(self, coalition: Collection[int], targets: Collection[int], state: State = START_STATE) -> bool:
        """Whether the coalition can make sure that no target is ever first out; parameters as of `plies`."""
        others = set(range(PLAYERS)) - set(_players("coalition", coalition))
        return not self.can_force(others, targets, state)

    def table(self, coalition: Collection[int], targets: Collection[int]) -> np.ndarray:
        """Plies for every position, with players named by their seats: 0 the mover, 1 the next, 2 the previous.

        int16, shape (pairs, pairs, pairs): [mover's pair, next player's, previous player's], numbered by
        `solution.number`; -1 where the coalition cannot force it, and where there is no position.
        """
        return self._seen_by_mover(_mask("coalition", coalition), _mask("targets", targets))

    def alpha_game(self, state: State = START_STATE) -> TUGame:
        """The game with v(S) = 1 if S can force that one of its members is first out, else 0.

        This is the characteristic function of von Neumann and Morgenstern (1944), later called the alpha form (Aumann
        and Peleg, 1960): what S gets for certain. Its dual, 1 - v(everybody else), is 1 if S can prevent that one of
        the others is first out. The two differ where neither side can force anything, a draw between S and the rest.
        """
        return TUGame(range(PLAYERS), lambda members: int(self.can_force(members, members, state)))

    def dual_game(self, state: State = START_STATE) -> TUGame:
        """The dual of `alpha_game`: v(S) = 1 if S can prevent that one of the others is first out, and 0 for nobody."""
        others = frozenset(range(PLAYERS))
        return TUGame(
            range(PLAYERS), lambda members: int(bool(members) and self.can_prevent(members, others - members, state))
        )

    @cached_property
    def reached(self) -> np.ndarray:
        """Which states play can reach from the start, ends included: bool, shape (3, pairs, pairs, pairs)."""
        return reach(self.game.n, self._rollover)

    @cached_property
    def running(self) -> np.ndarray:
        """Those of `reached` in which the game is not over."""
        running = self.reached.copy()
        running[..., 0] = False
        return running

    @cached_property
    def prospects(self) -> np.ndarray:
        """Who can be sure to win after some move of each position: the bits of `kernels.prospects`."""
        own = np.stack([self.table([seat], [seat]) for seat in (0, 2, 1)])
        return prospects(self.game.n, self._rollover, own)

    @property
    def _rollover(self) -> bool:
        return self.game.overflow == "rollover"

    def _seen_by_mover(self, coalition: int, targets: int) -> np.ndarray:
        """The table of two masks in which bit 0 is the mover; three pairs of masks, turned, share one."""
        turned = [(_turned(coalition, mover), _turned(targets, mover)) for mover in range(PLAYERS)]
        masks = min(turned)
        if masks not in self._tables:
            self._tables[masks] = self._compute(*masks)
        return self._tables[masks][turned.index(masks)]

    def _compute(self, coalition: int, targets: int) -> np.ndarray:
        if self._engine == "compiled":
            return forcing(self.game.n, self._rollover, coalition, targets)
        pairs = len(self.game.rules.pairs)
        found = np.full((PLAYERS, pairs, pairs, pairs), NOT_FORCED, np.int16)
        members = [[player for player in range(PLAYERS) if mask >> player & 1] for mask in (coalition, targets)]
        for state, plies in plain.forcing(self.game, *members).items():
            found[(state.mover, *map(number, state.position))] = plies
        return found


def solve(n: int, overflow: str = "one", engine: str = "compiled") -> Forcing:
    """What every coalition can force in Count-N for three players; arguments as of `countn.solve`.

    Each kind of question is computed when it is first asked: for n = 8 in about a hundredth of a second. Refused if a
    table would need more than 2 GiB of memory (n above 28). Nobody wins Count-3 alone, and any two can:

    >>> three = solve(3)
    >>> three.can_force([0], [0]), three.plies([0, 1], [0, 1])
    (False, 5)
    """
    game = ThreePlayerGame(n, overflow)
    needed = _BYTES if one_of("engine", engine, ENGINES) == "compiled" else _PLAIN_BYTES
    in_memory(f"n = {game.n}, engine = {engine!r}", needed * PLAYERS * len(game.rules.pairs) ** 3)
    return Forcing(game, engine)


def _players(name: str, players: Collection[int]) -> list[int]:
    """The players named, if they sit at the table."""
    try:
        named = sorted(set(players))
    except TypeError:
        named = [None]
    if not all(isinstance(player, int | np.integer) and not isinstance(player, bool) for player in named) or not set(
        named
    ) <= set(range(PLAYERS)):
        raise ValueError(f"{name} = {shown(players)}: some of the players 0, 1, 2 are needed")
    return named


def _mask(name: str, players: Collection[int]) -> int:
    return sum(1 << int(player) for player in _players(name, players))


def _turned(mask: int, seats: int) -> int:
    """The mask of the players who sit so many seats after those of a mask."""
    seats %= PLAYERS
    return (mask << seats | mask >> (PLAYERS - seats)) & EVERYBODY
