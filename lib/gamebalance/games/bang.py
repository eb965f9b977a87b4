"""Bang, in small: a sheriff known to all, hidden outlaws, and a renegade who wants to be the last one alive.

The players sit around a table. The sheriff sits at seat 0 and begins; the other roles are dealt to the other seats at
random, and everybody sees only the own one. On a turn a coin decides, and all see, whether the player has a bullet. Who
has one shoots a neighbour, the next living player on either side, or holds fire; then it is the next one's turn. A shot
costs a life; the sheriff has one life more than the others. Whoever has none left shows the role and is passed over.

When all outlaws and the renegade are dead, sheriff and deputies win. When the sheriff is dead, the renegade wins if
nobody else is alive, else the outlaws do, dead or alive. If neither happens until the last round is over, the law has
held: sheriff and deputies win. Roles, and who wins, are those of E. Sciarra, "Bang!" (2002), a game of cards.
"""

from collections.abc import Iterable
from itertools import permutations
from typing import NamedTuple

from gamebalance.base.checks import listed, one_of, shown, whole_number
from gamebalance.multiplayer.protocols import CHANCE, OVER

SHERIFF, DEPUTY, OUTLAW, RENEGADE = "sheriff", "deputy", "outlaw", "renegade"
LAW, OUTLAWS = "law", "outlaws"
SIDES = {SHERIFF: LAW, DEPUTY: LAW, OUTLAW: OUTLAWS, RENEGADE: RENEGADE}
MOST_PLAYERS, MOST_LIVES, MOST_ROUNDS = 7, 5, 20
EMPTY, HOLD, DEAD = "empty", "hold", "dead"


class BangState(NamedTuple):
    """The seat of each player, the lives at each seat, what each turn brought, and whether who is next has a bullet."""

    seats: tuple[int, ...]
    lives: tuple[int, ...]
    turns: tuple[int | str, ...] = ()  # the seat shot; "hold"; "empty" without a bullet; "dead" if passed over
    loaded: bool = False


class Bang:
    """The game for 3 to 7 players, one for each of `roles`: the sheriff, then outlaws, deputies and a renegade or none.

    The players of the extensive game are the roles, not the seats. Moves are "hold" and the seats to shoot at; those of
    chance are the seats of all players, and whether there is a bullet. Winners get 1, losers 0. Information is the
    player's number, the roles that this player knows, by seat (None: unknown), and what each turn brought.
    """

    def __init__(self, roles: Iterable[str] = (SHERIFF, OUTLAW, RENEGADE), lives: int = 1, rounds: int = 3):
        self.roles = tuple(one_of(f"roles[{place}]", role, SIDES) for place, role in enumerate(listed("roles", roles)))
        self.players, many = len(self.roles), self.roles.count
        first = self.roles[:1] == (SHERIFF,) and many(SHERIFF) == 1 and many(OUTLAW) and many(RENEGADE) <= 1
        if not first or not 3 <= self.players <= MOST_PLAYERS:
            allowed = f"3 to {MOST_PLAYERS}: the sheriff first, then one outlaw or more and at most one renegade"
            raise ValueError(f"roles = {shown(self.roles)}: {allowed}, are needed")
        self.sides = tuple(SIDES[role] for role in self.roles)
        self.lives = whole_number("lives", lives, 1, MOST_LIVES)
        self.rounds = whole_number("rounds", rounds, 1, MOST_ROUNDS)

    def __repr__(self) -> str:
        return f"Bang(roles={self.roles}, lives={self.lives}, rounds={self.rounds})"

    def start(self) -> BangState:
        return BangState((), (self.lives + 1, *[self.lives] * (self.players - 1)))

    def mover(self, state: BangState) -> int:
        late = len(state.turns) >= self.rounds * self.players
        if state.seats and (late or not state.lives[0] or self._living(state) == {LAW}):
            return OVER
        return state.seats.index(len(state.turns) % self.players) if state.loaded else CHANCE

    def moves(self, state: BangState) -> tuple | dict:
        if not state.seats:
            deals = [(0, *others) for others in permutations(range(1, self.players))]
            return dict.fromkeys(deals, 1 / len(deals))
        if not state.loaded:
            return {True: 1 / 2, False: 1 / 2}
        living = [seat for seat, lives in enumerate(state.lives) if lives]
        place = living.index(len(state.turns) % self.players)
        return HOLD, *dict.fromkeys((living[place - 1], living[(place + 1) % len(living)]))

    def play(self, state: BangState, move) -> BangState:
        if not state.seats:
            return state._replace(seats=move)
        if not state.loaded and move:
            return state._replace(loaded=True)
        lives = tuple(left - (state.loaded and seat == move) for seat, left in enumerate(state.lives))
        turns = (*state.turns, move if state.loaded else EMPTY)
        while lives[0] and not lives[len(turns) % self.players]:
            turns = (*turns, DEAD)
        return BangState(state.seats, lives, turns)

    def payoffs(self, state: BangState) -> tuple[float, ...]:
        """1 for a win, 0 for a loss; before the end as if the last round were over."""
        winner = LAW if state.lives[0] else RENEGADE if self._living(state) == {RENEGADE} else OUTLAWS
        return tuple(float(side == winner) for side in self.sides)

    def information(self, state: BangState) -> tuple:
        own = len(state.turns) % self.players
        roles = [self.roles[state.seats.index(seat)] for seat in range(self.players)]
        known = [role if seat in (0, own) or not state.lives[seat] else None for seat, role in enumerate(roles)]
        return state.seats.index(own), tuple(known), state.turns

    def _living(self, state: BangState) -> set[str]:
        return {side for side, seat in zip(self.sides, state.seats, strict=False) if state.lives[seat]}
