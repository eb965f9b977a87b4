"""The rules: who is at the table, what everybody has seen, when the game is over.

This is Mafia with a seer who learns and arrests nobody, with speech, and with votes that players cast. A round is a
night and a day. At night the wolves kill a player who is no wolf; then a living seer checks a living player. By day the
living speak in seat order: each says nothing, or "I am the seer, and player j is (or is not) a wolf". Then all living
vote at once, each for another living player; the plurality dies. The game ends as Mafia does by the rule "always": the
town has won when no wolf lives, the wolves when they are at least half of the living.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import multimode
from typing import NamedTuple

from gamebalance import mafia
from gamebalance.base.checks import check_fields, one_of, whole_number

#: The roles, by the names that games and beliefs give them.
WOLF, SEER, VILLAGER = ROLES = ("wolf", "seer", "villager")
TIES = ("random", "nobody")
MOST_PLAYERS = 9


@dataclass(frozen=True)
class Setup:
    """How many hold each role, 3 to 9 players with the seer, and two rules that differ from table to table.

    There are fewer wolves than others. `reveal`: whether the role of a dead player is shown; `tie`: whether one of
    those with most votes dies, each equally likely ("random"), or "nobody".
    """

    wolves: int = 2
    villagers: int = 4
    seer: bool = True
    reveal: bool = True
    tie: str = "random"

    def __post_init__(self):
        check_fields(self)
        whole_number("wolves", self.wolves, 1, MOST_PLAYERS)
        whole_number("villagers", self.villagers, 0, MOST_PLAYERS)
        one_of("tie", self.tie, TIES)
        whole_number("players (wolves + seer + villagers)", self.players, 3, MOST_PLAYERS)
        if _wolves_have_won(self.wolves, self.people.town):
            raise ValueError(f"wolves = {self.wolves}: fewer than half of {self.players} players are needed")

    @cached_property
    def people(self) -> mafia.Setup:
        """The same people as a set-up of Mafia, the seer as its detective."""
        return mafia.Setup(self.wolves, self.villagers, detectives=int(self.seer))

    @property
    def players(self) -> int:
        return self.people.players

    @property
    def counts(self) -> dict[Hashable, int]:
        """Number of players with each role."""
        return {WOLF: self.people.mafiosi, SEER: self.people.detectives, VILLAGER: self.people.innocents}


class Statement(NamedTuple):
    """A claimed result of the seer's check."""

    target: int
    is_wolf: bool


class Night(NamedTuple):
    """A night as the table sees it: who was found dead, the role if shown, and the winner if that ends the game."""

    victim: int
    role: str | None
    winner: str | None


class Speech(NamedTuple):
    """One player's turn to speak; no statement is no claim."""

    player: int
    statement: Statement | None


class Votes(NamedTuple):
    """All votes as (voter, target), who died of them, the role if shown, and the winner if that ends the game."""

    votes: tuple[tuple[int, int], ...]
    hanged: int | None
    role: str | None
    winner: str | None


Event = Night | Speech | Votes


@dataclass(frozen=True)
class Public:
    """All that everybody has seen. Two of these are equal if the events are."""

    events: tuple[Event, ...]
    alive: tuple[bool, ...] = field(compare=False)
    claims: tuple[tuple[Statement, ...], ...] = field(compare=False)

    @cached_property
    def living(self) -> tuple[int, ...]:
        return tuple(player for player, lives in enumerate(self.alive) if lives)

    @property
    def winner(self) -> str | None:
        """ "town" or "wolves" once the game is over, else None."""
        return getattr(self.events[-1], "winner", None) if self.events else None

    @property
    def speakers(self) -> tuple[int, ...]:
        """Who has still to speak today, in order; empty before the votes and at night."""
        if not self.events or isinstance(self.events[-1], Votes):
            return ()
        last = self.events[-1].player if isinstance(self.events[-1], Speech) else -1
        return tuple(player for player in self.living if player > last)

    @property
    def is_night(self) -> bool:
        return not self.events or isinstance(self.events[-1], Votes)

    def after(self, event: Event) -> "Public":
        """What everybody has seen after one more event."""
        alive, claims = list(self.alive), list(self.claims)
        if isinstance(event, Speech):
            claims[event.player] += (event.statement,) if event.statement is not None else ()
        else:
            dead = event.victim if isinstance(event, Night) else event.hanged
            alive = [lives and player != dead for player, lives in enumerate(alive)]
        return replace(self, events=(*self.events, event), alive=tuple(alive), claims=tuple(claims))


def start(setup: Setup) -> Public:
    """Before the first night."""
    return Public((), (True,) * setup.players, ((),) * setup.players)


def winner(roles: Sequence[str], living: Sequence[int]) -> str | None:
    """Who has won among these living players; None while the game goes on."""
    wolves = sum(roles[player] == WOLF for player in living)
    if wolves == 0:
        return "town"
    return "wolves" if _wolves_have_won(wolves, len(living) - wolves) else None


def _wolves_have_won(wolves: int, others: int) -> bool:
    """Whether so many wolves, one at least, are enough, at whatever time of the day."""
    return mafia.AS_WRITTEN.mafia_has_won(wolves, others, "morning")


def night_event(setup: Setup, roles: Sequence[str], public: Public, victim: int) -> Night:
    """The night in which `victim` dies, as the table sees it."""
    living = [player for player in public.living if player != victim]
    return Night(victim, roles[victim] if setup.reveal else None, winner(roles, living))


def vote_event(setup: Setup, roles: Sequence[str], public: Public, votes: tuple, hanged: int | None) -> Votes:
    """The vote that hangs `hanged`, as the table sees it."""
    living = [player for player in public.living if player != hanged]
    shown_role = roles[hanged] if setup.reveal and hanged is not None else None
    return Votes(votes, hanged, shown_role, winner(roles, living))


def hangings(setup: Setup, votes: Sequence[tuple[int, int]]) -> tuple[int | None, ...]:
    """Who may die of these votes, each equally likely; (None,) if nobody does."""
    most = tuple(sorted(multimode(target for _, target in votes)))
    return (None,) if len(most) > 1 and setup.tie == "nobody" else most


def view(player: int, roles: Sequence[str], checks: Sequence[int]) -> tuple:
    """All that a player knows beyond what everybody has seen: his role, and what comes with it.

    The seer has his results, (target, is wolf) by night; a wolf the seats of all wolves.
    """
    if roles[player] == SEER:
        return SEER, tuple(Statement(target, roles[target] == WOLF) for target in checks)
    if roles[player] == WOLF:
        return WOLF, tuple(seat for seat, role in enumerate(roles) if role == WOLF)
    return VILLAGER, ()
