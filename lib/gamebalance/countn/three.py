"""Count-N for three players: the rules, what coalitions can force, and what to expect when all move at random.

Three players sit in a circle, each with two hands, and all six hands show 1. They move in turn. The mover picks one of
the two own hands and one hand of *either* opponent and adds the opponent's number to the own one. What the hand then
shows, and when it is withdrawn, is as in the game for two (`countn.rules`). Nobody may pass or add an own number.
Whoever first withdraws both hands wins and ends the game, for the other two alike. If it never ends, nobody wins.
"""

from collections.abc import Callable, Collection
from functools import cache, cached_property
from itertools import product
from typing import NamedTuple

import numpy as np

from gamebalance.base.checks import function, in_memory, one_of, shown, whole_number
from gamebalance.countn.kernels import three as kernels
from gamebalance.countn.rules import WITHDRAWN, Game, Hands, Move
from gamebalance.countn.solution import ENGINES, number
from gamebalance.countn.states import hands_text
from gamebalance.countn.tables import pair_hands
from gamebalance.multiplayer.cooperative import TUGame
from gamebalance.multiplayer.protocols import OVER

#: How many sit at the table.
PLAYERS = 3
#: Bytes for each entry of the table: two for itself, and two lists of what was decided last; in plain Python as
#: measured for n = 5.
_BYTES, _PLAIN_BYTES = 10, 2500
#: Chances are computed until they sum to 1 within this, in every position.
_TOLERANCE, _MOST_SWEEPS = 1e-9, 100_000


class State(NamedTuple):
    """The hands of players 0, 1 and 2, and who is to move; as text, with the mover first: ``1,1 v 1,2 v 2,-``."""

    hands: tuple[Hands, ...] = ((1, 1),) * PLAYERS
    mover: int = 0

    @property
    def position(self) -> tuple[Hands, ...]:
        """The hands of the mover, of the next player and of the previous one."""
        return self.hands[self.mover :] + self.hands[: self.mover]

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of these pairs in a table."""
        return tuple(map(number, self.position))

    def __str__(self) -> str:
        return " v ".join(map(hands_text, self.position))


#: Where play begins.
START_STATE = State()


class ThreePlayerGame:
    """Count-N for three players, a `PassingGame`: the winner gets 1, the others 0; a draw is no better than a loss.

    `leaves` says what `payoffs` answers while the game is not over, for a search at its depth limit: by default 0 for
    everybody; with the chances of `random_play` no method gets a better leaf than Monte Carlo search by its playouts.
    """

    players = PLAYERS

    def __init__(self, n: int, overflow: str = "one", leaves: Callable[[State], tuple[float, ...]] | None = None):
        self.rules = Game(n, overflow)
        self.n, self.overflow = self.rules.n, overflow
        self._leaves = leaves and cache(function("leaves", leaves, "state"))
        self._moves: dict[tuple[Hands, ...], tuple[Move, ...]] = {}

    def start(self) -> State:
        return START_STATE

    def mover(self, state: State) -> int:
        return OVER if WITHDRAWN in state.hands else state.mover

    def moves(self, state: State) -> tuple[Move, ...]:
        """The legal moves, one for each result, first those that add a hand of the next player; none at the end."""
        own, after, before = position = state.position
        if position not in self._moves:
            results: dict[Hands, Move] = {}
            for move in self.rules.moves(own, after) + self.rules.moves(own, before):
                results.setdefault(move.hands, move)
            self._moves[position] = () if WITHDRAWN in state.hands else tuple(results.values())
        return self._moves[position]

    def play(self, state: State, move: Move) -> State:
        hands, mover = state
        return State((*hands[:mover], move.hands, *hands[mover + 1 :]), (mover + 1) % PLAYERS)

    def hand_to(self, state: State, player: int) -> State:
        return State(state.hands, whole_number("player", player, 0, PLAYERS - 1))

    def winner(self, state: State) -> int | None:
        """The player who is out, None if the game is not over."""
        return state.hands.index(WITHDRAWN) if WITHDRAWN in state.hands else None

    def payoffs(self, state: State) -> tuple[float, ...]:
        """1 for the winner and 0 for the others; before the end, as `leaves` says."""
        if self._leaves and WITHDRAWN not in state.hands:
            return self._leaves(state)
        return tuple([float(hands == WITHDRAWN) for hands in state.hands])

    def check_state(self, state: State) -> State:
        """`state` with hands in order, if it can stand on the table: who is out has moved last."""
        pairs = state[0] if isinstance(state, tuple) and len(state) == 2 and isinstance(state[0], tuple | list) else ()
        if len(pairs) != PLAYERS:
            raise ValueError(f"state = {shown(state)}: the hands of three players and who is to move are needed")
        hands = tuple(self.rules.check_hands("hands", pair) for pair in pairs)
        checked = State(hands, whole_number("mover", state[1], 0, PLAYERS - 1))
        if WITHDRAWN in checked.position[:2]:
            raise ValueError(f"state = {shown(state)}: only who moved last can be out, else the game was over before")
        return checked


def all_states(game: ThreePlayerGame) -> list[State]:
    """Every state in which nobody is out, or only who moved last."""
    pairs = game.rules.pairs
    live = [pair for pair in pairs if pair != WITHDRAWN]
    positions = list(product(live, live, pairs))
    # Player i sits (i - mover) seats after the mover, and Python counts seats before the first from the last.
    return [
        State(tuple(position[player - mover] for player in range(PLAYERS)), mover)
        for mover in range(PLAYERS)
        for position in positions
    ]


def plain_forcing(game: ThreePlayerGame, coalition: Collection[int], targets: Collection[int]) -> dict[State, int]:
    """The states in which a coalition can force that the first out is one of the targets, and the plies it needs.

    Round by round: where a member of the coalition moves, one move to a state of an earlier round is enough; where
    another moves, all moves have to lead there. The compiled kernel is tested against this.
    """
    states = all_states(game)
    after = {state: [game.play(state, move) for move in game.moves(state)] for state in states}
    forced = {state: 0 for state in states if game.winner(state) in targets}
    pending = [state for state in states if game.mover(state) != OVER]
    plies, grown = 1, True
    while grown:
        enough = [
            (any if state.mover in coalition else all)(child in forced for child in after[state]) for state in pending
        ]
        new = [state for state, good in zip(pending, enough, strict=True) if good]
        pending = [state for state, good in zip(pending, enough, strict=True) if not good]
        forced |= dict.fromkeys(new, plies)
        plies, grown = plies + 1, bool(new)
    return forced


class Forcing:
    """What each coalition can force about who is first out, whatever the other players do. Made by `solve`.

    A coalition, taken to act as one, *forces* a set of targets if it can play so that a target is first out. It
    *prevents* them if it can play so that this never happens. One side or the other has its way (Zermelo 1913; for
    endless play Gale and Stewart 1953), so S prevents what the players outside S cannot force.
    """

    def __init__(self, game: ThreePlayerGame, engine: str) -> None:
        self.game, self._engine = game, engine
        self._rules = game.n, game.overflow == "rollover", pair_hands(game.n)
        self._tables: dict[tuple[int, int], np.ndarray] = {}

    def plies(self, coalition: Collection[int], targets: Collection[int], state: State = START_STATE) -> int | None:
        """Plies until one of the targets (0, 1, 2) is out, if the coalition hurries and others delay; None if never."""
        state = self.game.check_state(state)
        masks = _mask("coalition", coalition), _mask("targets", targets)
        table = self._seen_by_mover(*(_turned(mask, -state.mover) for mask in masks))
        plies = int(table[state.numbers])
        return None if plies == kernels.NOT_FORCED else plies

    def can_force(self, coalition: Collection[int], targets: Collection[int], state: State = START_STATE) -> bool:
        """Whether the coalition can make sure that a target is first out; parameters as of `plies`."""
        return self.plies(coalition, targets, state) is not None

    def can_prevent(self, coalition: Collection[int], targets: Collection[int], state: State = START_STATE) -> bool:
        """Whether the coalition can make sure that no target is ever first out; parameters as of `plies`."""
        others = set(range(PLAYERS)) - _players("coalition", coalition)
        return not self.can_force(others, targets, state)

    def table(self, coalition: Collection[int], targets: Collection[int]) -> np.ndarray:
        """Plies for every position, with players named by their seats: 0 the mover, 1 the next, 2 the previous.

        int16, shape (pairs, pairs, pairs): [mover's pair, next player's, previous player's], numbered by
        `solution.number`; -1 where the coalition cannot force it, and where there is no position.
        """
        return self._seen_by_mover(_mask("coalition", coalition), _mask("targets", targets))

    def alpha_game(self, state: State = START_STATE) -> TUGame:
        """The game with v(S) = 1 if S can force that one of its members is first out, else 0: what S gets for certain.

        This is the characteristic function of von Neumann and Morgenstern (1944), or alpha form (Aumann and Peleg
        1960). It differs from its dual where neither side can force anything, a draw between S and the rest.
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
        return kernels.reach(*self._rules)

    @cached_property
    def running(self) -> np.ndarray:
        """Those of `reached` in which the game is not over."""
        running = self.reached.copy()
        running[..., 0] = False
        return running

    @cached_property
    def prospects(self) -> np.ndarray:
        """Who can be sure to win after some move of each position: the bits of `kernels.three.prospects`."""
        own = np.stack([self.table([seat], [seat]) for seat in (0, 2, 1)])
        return kernels.prospects(*self._rules, own)

    def _seen_by_mover(self, coalition: int, targets: int) -> np.ndarray:
        """The table of two masks in which bit 0 is the mover; three pairs of masks, turned, share one."""
        turned = [(_turned(coalition, mover), _turned(targets, mover)) for mover in range(PLAYERS)]
        masks = min(turned)
        if masks not in self._tables:
            self._tables[masks] = self._compute(*masks)
        return self._tables[masks][turned.index(masks)]

    def _compute(self, coalition: int, targets: int) -> np.ndarray:
        if self._engine == "compiled":
            return kernels.forcing(*self._rules, coalition, targets)
        table = np.full((PLAYERS, *[len(self.game.rules.pairs)] * PLAYERS), kernels.NOT_FORCED, np.int16)
        members = [[player for player in range(PLAYERS) if mask >> player & 1] for mask in (coalition, targets)]
        for state, plies in plain_forcing(self.game, *members).items():
            table[(state.mover, *state.numbers)] = plies
        return table


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


def _players(name: str, players: Collection[int]) -> set[int]:
    """The players named, if they sit at the table."""
    try:
        return {whole_number(name, player, 0, PLAYERS - 1) for player in players}
    except (TypeError, ValueError):
        raise ValueError(f"{name} = {shown(players)}: some of the players 0, 1, 2 are needed") from None


def _mask(name: str, players: Collection[int]) -> int:
    return sum(1 << player for player in _players(name, players))


def _turned(mask: int, seats: int) -> int:
    """The mask of the players who sit so many seats after those of a mask."""
    seats %= PLAYERS
    return (mask << seats | mask >> (PLAYERS - seats)) & (1 << PLAYERS) - 1


class RandomPlay(NamedTuple):
    """Chances of being first out under random play: each lies between the one in `table` and `error` more.

    `table` has the shape (pairs, pairs, pairs, 3): [mover's pair, next player's, previous player's; mover, next or
    previous player].
    """

    table: np.ndarray
    error: float

    def chances(self, state: State) -> tuple[float, ...]:
        """The chances of players 0, 1 and 2 in a state."""
        seen = self.table[state.numbers].tolist()
        return tuple(seen[player - state.mover] for player in range(PLAYERS))


def random_play(n: int, overflow: str = "one") -> RandomPlay:
    """Chances of every position when each move is drawn at random among the different results.

    Refused if the table would need more than 2 GiB (n above 29).
    """
    game = Game(n, overflow)
    in_memory(f"n = {game.n}", 8 * PLAYERS * len(game.pairs) ** 3)
    rules = game.n, overflow == "rollover", pair_hands(game.n)
    table, missing = kernels.random_chances(*rules, _TOLERANCE, _MOST_SWEEPS)
    if missing > _TOLERANCE:
        raise ValueError(f"n = {n}: after {_MOST_SWEEPS} sweeps the chances still miss {missing:.2g}")
    return RandomPlay(table, missing)
