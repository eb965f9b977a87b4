"""Wolf, seer, villager: three seats, one round of claims, one vote. A hidden-role game small enough to solve.

The three roles are dealt to three seats at random. The seer looks at one other player during the night; with three
seats either answer settles all roles, so the seer simply knows who is the wolf. The wolf and the villager know only
their own role and seat. Then all speak at once: "villager", or "seer, and X is the wolf" for one of the other two,
true or false. Then all vote at once for one of the other two. Two votes expel a player; if the votes fall on three
players, `tie` decides. The town (seer and villager) wins if the wolf is expelled, else the wolf wins.

The players of the extensive game are the roles, not the seats: the town is a team of two that cannot talk in secret.
"""

from itertools import permutations
from typing import NamedTuple

from gamebalance._checks import one_of, shown
from gamebalance.multiplayer.protocols import CHANCE

WOLF, SEER, VILLAGER = 0, 1, 2
ROLES = ("wolf", "seer", "villager")
TOWN = (SEER, VILLAGER)
SILENT = None
SEATS = (0, 1, 2)
TIES = ("nobody", "random")


class ClaimState(NamedTuple):
    """Seat of each role, then what each role claimed (a seat, or None for "villager") and for whom it voted."""

    seats: tuple[int, ...] = ()
    claims: tuple[int | None, ...] = ()
    votes: tuple[int, ...] = ()


class ClaimGame:
    """The game of wolf, seer and villager as an extensive game.

    Players 0, 1, 2 are wolf, seer and villager. They move one after the other without seeing each other's claim or
    vote, which is the same as at once. A claim is the accused seat, or None for "villager"; a vote is a seat. Winners
    get 1, losers 0, so that values are winning probabilities.

    Parameters
    ----------
    claims : bool
        Whether players may speak before the vote.
    tie : {"nobody", "random"}
        What three different votes lead to: nobody is expelled (the wolf wins), or one of the three, drawn at random
        (the town wins with probability 1/3, which is paid as that share).

    Raises
    ------
    ValueError
        If an argument is not one of those.
    """

    players = 3

    def __init__(self, claims: bool = True, tie: str = "nobody"):
        if not isinstance(claims, bool):
            raise ValueError(f"claims = {shown(claims)}: True or False is needed")
        self.claims, self.tie = claims, one_of("tie", tie, TIES)

    def __repr__(self) -> str:
        return f"ClaimGame(claims={self.claims}, tie={self.tie!r})"

    def start(self) -> ClaimState:
        return ClaimState()

    def is_over(self, state: ClaimState) -> bool:
        return len(state.votes) == len(ROLES)

    def mover(self, state: ClaimState) -> int:
        if not state.seats:
            return CHANCE
        return len(state.claims) if self._speaking(state) else len(state.votes)

    def moves(self, state: ClaimState) -> tuple:
        if not state.seats:
            return tuple(permutations(SEATS))
        others = tuple(seat for seat in SEATS if seat != state.seats[self.mover(state)])
        return (SILENT, *others) if self._speaking(state) else others

    def chances(self, state: ClaimState) -> tuple[float, ...]:
        return (1 / 6,) * 6

    def play(self, state: ClaimState, move) -> ClaimState:
        if not state.seats:
            return ClaimState(move)
        if self._speaking(state):
            return state._replace(claims=(*state.claims, move))
        return state._replace(votes=(*state.votes, move))

    def payoffs(self, state: ClaimState) -> tuple[float, float, float]:
        """The share of games won: 1 for a win, 0 for a loss."""
        wolf = state.seats[WOLF]
        tied = len(set(state.votes)) == len(ROLES)
        town = (1 / 3 if self.tie == "random" else 0.0) if tied else float(state.votes.count(wolf) >= 2)
        return 1 - town, town, town

    def information(self, state: ClaimState) -> tuple:
        """Role, own seat, the wolf's seat (to the seer; else None), and after the claims what was said at each seat."""
        role = self.mover(state)
        known = state.seats[WOLF] if role == SEER else None
        if self._speaking(state) or not self.claims:
            return ROLES[role], state.seats[role], known
        said = dict(zip(state.seats, state.claims, strict=True))
        return ROLES[role], state.seats[role], known, tuple(said[seat] for seat in SEATS)

    def _speaking(self, state: ClaimState) -> bool:
        return self.claims and len(state.claims) < len(ROLES)
