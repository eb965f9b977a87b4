"""Wolf, seer, villager: three seats, one round of claims, one vote. A hidden-role game small enough to solve.

The three roles are dealt to three seats at random. The seer looks at one other player during the night, and so knows
who is the wolf; the others know only their own role and seat. Then all speak at once: "villager", or "seer, and X is
the wolf" for one of the other two, true or false. Then all vote at once for one of the other two. Two votes expel a
player. The town (seer and villager) wins if the wolf is expelled, else the wolf wins. The players of the extensive game
are the roles, not the seats: the town is a team of two that cannot talk in secret.
"""

from collections.abc import Hashable, Mapping
from itertools import permutations, product
from typing import NamedTuple

from gamebalance.base.checks import flag, whole_number
from gamebalance.multiplayer.protocols import CHANCE, OVER

WOLF, SEER, VILLAGER = 0, 1, 2
ROLES = ("wolf", "seer", "villager")
TOWN = (SEER, VILLAGER)
SILENT = None
SEATS = (0, 1, 2)
MOST_PASSWORDS = 3

#: All that can be heard: each seat is silent or accuses one of the other two.
_HEARD = tuple(product(*[(SILENT, *(other for other in SEATS if other != seat)) for seat in SEATS]))


class ClaimState(NamedTuple):
    """The password, seat of each role, what each role claimed (a seat, or None for "villager"), whom it voted for."""

    password: int = 0
    seats: tuple[int, ...] = ()
    claims: tuple[int | None, ...] = ()
    votes: tuple[int, ...] = ()


class ClaimGame:
    """The game of wolf, seer and villager, players 0, 1, 2, as an extensive game.

    They move one after the other without seeing each other's claim or vote, which is the same as at once. A claim, if
    there are `claims`, is the accused seat, or None for "villager"; a vote is a seat. Payoffs are 1 for a win, so that
    values are winning probabilities. One of so many passwords, equally likely, is told to seer and villager before the
    game.
    """

    players = 3

    def __init__(self, claims: bool = True, passwords: int = 1):
        self.claims = flag("claims", claims)
        self.passwords = whole_number("passwords", passwords, 1, MOST_PASSWORDS)

    def __repr__(self) -> str:
        return f"ClaimGame(claims={self.claims}, passwords={self.passwords})"

    def start(self) -> ClaimState:
        return ClaimState()

    def mover(self, state: ClaimState) -> int:
        if not state.seats:
            return CHANCE
        if len(state.votes) == len(ROLES):
            return OVER
        return len(state.claims) if self._speaking(state) else len(state.votes)

    def moves(self, state: ClaimState) -> tuple | dict:
        if not state.seats:
            deals = list(product(range(self.passwords), permutations(SEATS)))
            return dict.fromkeys(deals, 1 / len(deals))
        others = tuple(seat for seat in SEATS if seat != state.seats[self.mover(state)])
        return (SILENT, *others) if self._speaking(state) else others

    def play(self, state: ClaimState, move) -> ClaimState:
        if not state.seats:
            return ClaimState(*move)
        if self._speaking(state):
            return state._replace(claims=(*state.claims, move))
        return state._replace(votes=(*state.votes, move))

    def payoffs(self, state: ClaimState) -> tuple[float, float, float]:
        """1 for a win, 0 for a loss."""
        town = float(state.votes.count(state.seats[WOLF]) >= 2)
        return 1 - town, town, town

    def information(self, state: ClaimState) -> tuple:
        """Role, own seat, the wolf's (to the seer), the password (to the town), what was said at each seat; or None."""
        role = self.mover(state)
        known = state.seats[WOLF] if role == SEER else None
        word = state.password if role in TOWN and self.passwords > 1 else None
        if self._speaking(state) or not self.claims:
            return ROLES[role], state.seats[role], known, word, None
        said = dict(zip(state.seats, state.claims, strict=True))
        return ROLES[role], state.seats[role], known, word, tuple(said[seat] for seat in SEATS)

    def _speaking(self, state: ClaimState) -> bool:
        return self.claims and len(state.claims) < len(ROLES)


def town_plan(game: ClaimGame) -> dict[Hashable, dict[Hashable, float]]:
    """A town that speaks by a code: what the seer says is fixed by the password, and the villager checks it.

    With password 0 (or without passwords) the seer accuses the wolf, with 1 it says "villager", with 2 it accuses the
    villager. The villager says "villager", and votes for the one player who, by the code, cannot be the seer; a coin
    decides between two. The seer votes for the wolf.
    """
    if not game.claims:
        raise ValueError(f"game = {game!r}: a game with claims is needed")
    words = range(game.passwords) if game.passwords > 1 else (None,)
    plan: dict[Hashable, dict[Hashable, float]] = {}
    for word, seer, wolf in product(words, SEATS, SEATS):
        if seer == wolf:
            continue
        plan["seer", seer, wolf, word, None] = {_by_code(word, wolf, _third(seer, wolf)): 1.0}
        for said in _HEARD:
            plan["seer", seer, wolf, word, said] = {wolf: 1.0}
    for word, villager in product(words, SEATS):
        plan["villager", villager, None, word, None] = {SILENT: 1.0}
        for said in _HEARD:
            others = [seat for seat in SEATS if seat != villager]
            suspects = [wolf for wolf in others if said[_third(villager, wolf)] == _by_code(word, wolf, villager)]
            suspects = suspects or others
            plan["villager", villager, None, word, said] = dict.fromkeys(suspects, 1 / len(suspects))
    return plan


def mimic(plan: Mapping[Hashable, Mapping[Hashable, float]]) -> dict[Hashable, dict[Hashable, float]]:
    """The wolf who speaks as a seer in its seat would, having seen one of the other two by a coin; votes are even.

    It holds every town that has no password and mixes on its own to 3/4 of the games: half the time it says just what a
    seer there would have said of the true seer, and the villager, who hears the same either way, is right half the
    time.
    """
    wolf: dict[Hashable, dict[Hashable, float]] = {}
    for seat in SEATS:
        others = [other for other in SEATS if other != seat]
        sets = [("seer", seat, other, None, None) for other in others]
        seers = [plan[each] for each in sets]
        wolf["wolf", seat, None, None, None] = {
            claim: sum(seer.get(claim, 0.0) for seer in seers) / 2 for claim in (SILENT, *others)
        }
        for said in _HEARD:
            wolf["wolf", seat, None, None, said] = dict.fromkeys(others, 1 / 2)
    return wolf


def _by_code(word: int | None, wolf: int, villager: int) -> int | None:
    return (wolf, SILENT, villager)[word or 0]


def _third(seat: int, other: int) -> int:
    return sum(SEATS) - seat - other
