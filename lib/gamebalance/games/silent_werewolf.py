"""Werewolf without a word: one werewolf, a silent village, and votes that all see. A small game of hidden roles.

Three to five players sit in seats by lot. One is the werewolf, one may be a seer, all others are villagers, and each
knows only the own role and seat. Nights and days alternate. At night the werewolf kills another player; then the seer,
if still alive, looks at one of those who went to bed, and learns whether that is the werewolf. At dawn all see who is
dead. By day all the living vote at once, each for another one. Whoever has most votes is out, and all see who voted for
whom; in a tie nobody is out, or one of the tied by lot. Nothing is shown of the roles of those who are out. The village
has won when the werewolf is out, the werewolf when no more than two players are left.

Mafia is by Dimitry Davidoff (1986), its werewolves by Andrew Plotkin (1997); villages that vote by lot are studied by
M. Braverman, O. Etesami and E. Mossel, "Mafia: a theoretical study …", Annals of Applied Probability 18 (2008).
"""

from itertools import permutations
from statistics import multimode
from typing import NamedTuple

from gamebalance.base.checks import flag, one_of, whole_number
from gamebalance.multiplayer.protocols import CHANCE, OVER

WEREWOLF, SEER = 0, 1


class SilentState(NamedTuple):
    """Seats by player; who went out (or None) by night and day; votes by day and seat; looks; what nobody knows yet."""

    seats: tuple[int, ...] = ()
    out: tuple[int | None, ...] = ()
    votes: tuple[tuple[int | None, ...], ...] = ()
    looks: tuple[int, ...] = ()
    secret: tuple[int, ...] = ()


class SilentWerewolf:
    """Werewolf without a word, as an extensive game: player 0 is the werewolf, player 1 the seer if there is one.

    A move is a seat; chance deals the seats to the players, and draws the lot if `ties` is not "nobody" but "lot".
    `phase` is what comes first: the night ("evening") or the vote ("morning"). All of the side that wins get 1.
    """

    def __init__(self, players: int = 4, seer: bool = False, ties: str = "nobody", phase: str = "morning"):
        self.players, self.seer = whole_number("players", players, 3, 5), flag("seer", seer)
        self.ties, self.phase = one_of("ties", ties, ("nobody", "lot")), one_of("phase", phase, ("evening", "morning"))
        self.roles = ("werewolf", "seer" if seer else "villager", *["villager"] * (players - 2))
        self.sides = ("werewolf", *["village"] * (players - 1))

    def __repr__(self) -> str:
        return f"SilentWerewolf({self.players}, seer={self.seer}, ties={self.ties!r}, phase={self.phase!r})"

    def start(self) -> SilentState:
        return SilentState(out=(None,) if self.phase == "morning" else ())

    def living(self, state: SilentState) -> list[int]:
        return [player for player, seat in enumerate(state.seats) if seat not in state.out]

    def mover(self, state: SilentState) -> int:
        living, voted = self.living(state), len(state.secret)
        if not state.seats:
            return CHANCE
        if WEREWOLF not in living or len(living) <= 2:
            return OVER
        if len(state.out) % 2 == 0:
            return SEER if state.secret else WEREWOLF
        return living[voted] if voted < len(living) else CHANCE

    def moves(self, state: SilentState) -> list[int] | dict:
        mover = self.mover(state)
        if mover == CHANCE:
            drawn = multimode(state.secret) if state.seats else list(permutations(range(self.players)))
            return dict.fromkeys(drawn, 1 / len(drawn))
        return sorted(state.seats[player] for player in self.living(state) if player != mover)

    def play(self, state: SilentState, move) -> SilentState:
        if not state.seats:
            return state._replace(seats=move)
        living, secret = self.living(state), (*state.secret, move)
        if len(state.out) % 2 == 0:  # night: the seer looks, unless dead, or killed this very night
            if self.seer and len(secret) == 1 and SEER in living and state.seats[SEER] != move:
                return state._replace(secret=secret)
            return state._replace(out=(*state.out, secret[0]), looks=state.looks + secret[1:], secret=())
        most = multimode(secret)
        if len(secret) < len(living) or (len(most) > 1 and self.ties == "lot"):  # the lot is one more vote
            return state._replace(secret=secret)
        voted = {state.seats[player]: seat for player, seat in zip(living, secret, strict=False)}
        ballot = tuple(voted.get(seat) for seat in range(self.players))
        out = most[0] if len(most) == 1 else None
        return state._replace(out=(*state.out, out), votes=(*state.votes, ballot), secret=())

    def payoffs(self, state: SilentState) -> tuple[float, ...]:
        """1 for all of the side that has won and 0 for the other; before the end 0 for everybody."""
        if self.mover(state) != OVER:
            return (0.0,) * self.players
        village = float(WEREWOLF not in self.living(state))
        return (1 - village, *[village] * (self.players - 1))

    def information(self, state: SilentState) -> tuple:
        """Player, own seat, who went out, all votes, and for the seer whether each look met the werewolf."""
        mover, wolf = self.mover(state), state.seats[WEREWOLF]
        seen = tuple((seat, seat == wolf) for seat in state.looks) if self.seer and mover == SEER else ()
        return mover, state.seats[mover], state.out, state.votes, seen
