"""The rules of Avalon in full, and the boards and roles that they speak of.

**People.** Five to ten people sit round a table: 2, 2, 3, 3, 3, 4 of them are evil at 5, 6, 7, 8, 9, 10, the others are
good. Roles are dealt at random and stay secret. A *loyal* player (good) and a *minion* (evil) have no power. Special
roles take the place of these:

- *Merlin* (good) sees who is evil, but not Mordred.
- *Percival* (good) sees Merlin and Morgana, and not which is which.
- *Morgana* (evil) looks like Merlin to Percival.
- *Mordred* (evil) is not seen by Merlin.
- *Oberon* (evil) does not know the other evil players, and they do not know him.

The evil players but Oberon know each other.

**Missions.** There are up to five, with teams of 2, 3, 2, 3, 3 people at five players; 2, 3, 4, 3, 4 at six; 2, 3, 3,
4, 4 at seven; 3, 4, 4, 5, 5 at eight to ten. The leader proposes a team, who may be any so many people; all vote openly
and at once; a majority of all players approves it, a tie rejects it. The leadership then passes to the left, whatever
came of the vote. A team that is approved goes: each of its members plays a card in secret, the good ones success, the
evil ones success or fail. The cards are shuffled and shown. One fail makes the mission fail; with seven or more players
the fourth mission takes two.

**End.** Evil wins at the third mission that fails, and when five teams in a row are rejected for one mission. When the
third mission succeeds, good wins; but if there is a Merlin, an evil player, the assassin, who may first talk with the
others, names one player, and evil wins if that is Merlin. The evil players may shoot whom they like; here they do not
shoot those whom they know to be evil.

The roles of The Resistance, the game that Avalon grew out of, are loyal players and spies alone: a table without
special roles. The Lady of the Lake and other additions are not part of these rules.

Source: D. Eskridge, *The Resistance: Avalon*, Indie Boards & Cards 2012, rule book.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations
from typing import NamedTuple

from gamebalance.base.checks import check_fields, shown, whole_number

LOYAL, MERLIN, PERCIVAL = GOOD_ROLES = ("loyal", "merlin", "percival")
MINION, MORGANA, MORDRED, OBERON = EVIL_ROLES = ("minion", "morgana", "mordred", "oberon")
SPECIAL = (MERLIN, PERCIVAL, MORGANA, MORDRED, OBERON)
#: How a game ends, and for whom.
MISSED, SUCCESSES, SHOT, FAILS, REJECTIONS = ENDINGS = (
    "merlin missed",
    "three successes",
    "merlin shot",
    "three fails",
    "five rejections",
)
GOOD, EVIL = SIDES = ("good", "evil")
WINNER = {MISSED: GOOD, SUCCESSES: GOOD, SHOT: EVIL, FAILS: EVIL, REJECTIONS: EVIL}
MOST_PLAYERS = 10
#: At the boards of the rule book: missions, how many decide, and teams that may be proposed for one.
MISSIONS, TO_WIN, PROPOSALS = 5, 3, 5

Team = tuple[int, ...]


@dataclass(frozen=True)
class Board:
    """How many play, how many are evil, and what the missions ask for.

    3 to 10 `players`, fewer than half of them `evil`; team `sizes` of 1, 3 or 5 missions, of which the majority
    decides, the fails at which each fails, and so many `proposals` that, rejected in a row, lose for good.
    """

    players: int
    evil: int
    sizes: tuple[int, ...]
    fails_needed: tuple[int, ...]
    proposals: int = PROPOSALS

    def __post_init__(self):
        check_fields(self)
        whole_number("players", self.players, 3, MOST_PLAYERS)
        whole_number("evil", self.evil, 1, (self.players - 1) // 2)
        whole_number("proposals", self.proposals, 1, 5)
        if len(self.sizes) not in (1, 3, 5) or len(self.fails_needed) != len(self.sizes):
            raise ValueError(
                f"sizes, fails_needed = {shown((self.sizes, self.fails_needed))}: 1, 3 or 5 of each are needed"
            )
        for size, fails in zip(self.sizes, self.fails_needed, strict=True):
            whole_number("sizes", size, 1, self.players)
            whole_number("fails_needed", fails, 1, size)

    @property
    def to_win(self) -> int:
        """Missions that decide the game."""
        return len(self.sizes) // 2 + 1

    @property
    def majority(self) -> int:
        """Votes that approve a team."""
        return self.players // 2 + 1

    @lru_cache(maxsize=64)  # noqa: B019 - boards are few
    def teams(self, mission: int) -> tuple[Team, ...]:
        """All teams that may be proposed for a mission, the first of which is 0."""
        return tuple(combinations(range(self.players), self.sizes[mission]))

    @cached_property
    def evil_sets(self) -> tuple[Team, ...]:
        """All sets of seats that may hold the evil players."""
        return tuple(combinations(range(self.players), self.evil))


def _board(players: int, evil: int, sizes: tuple[int, ...]) -> Board:
    return Board(players, evil, sizes, (1, 1, 1, 2 if players >= 7 else 1, 1))


#: The boards of the rule book, by the number of players.
BOARDS = {
    5: _board(5, 2, (2, 3, 2, 3, 3)),
    6: _board(6, 2, (2, 3, 4, 3, 4)),
    7: _board(7, 3, (2, 3, 3, 4, 4)),
    8: _board(8, 3, (3, 4, 4, 5, 5)),
    9: _board(9, 3, (3, 4, 4, 5, 5)),
    10: _board(10, 4, (3, 4, 4, 5, 5)),
}


def cast(board: Board, special: Sequence[str] = ()) -> tuple[str, ...]:
    """The roles at a table: the special ones, each at most once, and loyal players and minions in the other places."""
    for role, times in Counter(special).items():
        if role not in SPECIAL or times > 1:
            raise ValueError(f"special = {shown(tuple(special))}: each at most once of {', '.join(SPECIAL)} is needed")
    sides = {GOOD: board.players - board.evil, EVIL: board.evil}
    held = {side: [role for role in special if is_evil(role) == (side == EVIL)] for side in SIDES}
    for side, places in sides.items():
        if len(held[side]) > places:
            raise ValueError(f"special = {shown(tuple(special))}: at most {places} {side} roles have a place")
    good = [*held[GOOD], *[LOYAL] * (sides[GOOD] - len(held[GOOD]))]
    return (*good, *held[EVIL], *[MINION] * (sides[EVIL] - len(held[EVIL])))


def is_evil(role: str) -> bool:
    """Whether a role is an evil one."""
    return role in EVIL_ROLES


class View(NamedTuple):
    """What a player knows from the deal: seat, role, the seats that the role shows, and the roles at the table."""

    seat: int
    role: str
    seen: frozenset[int]
    cast: tuple[str, ...]

    @property
    def is_evil(self) -> bool:
        return is_evil(self.role)


def view(roles: Sequence[str], seat: int, cast: tuple[str, ...]) -> View:
    """What the player at a seat sees of the roles by seat."""
    role, shown_roles = roles[seat], ()
    if role == MERLIN:
        shown_roles = (MINION, MORGANA, OBERON)
    elif role == PERCIVAL:
        shown_roles = (MERLIN, MORGANA)
    elif is_evil(role) and role != OBERON:
        shown_roles = (MINION, MORGANA, MORDRED)
    seen = {other for other, held in enumerate(roles) if held in shown_roles}
    return View(seat, role, frozenset(seen | ({seat} if is_evil(role) else set())), cast)


def assassin(roles: Sequence[str]) -> int:
    """The seat that shoots: the first evil one that is not Oberon's, if there is one."""
    return min((role == OBERON, seat) for seat, role in enumerate(roles) if is_evil(role))[1]
