"""Roles, line-ups and seatings."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property, lru_cache
from itertools import combinations
from math import factorial

from gamebalance.base.checks import instance, shown, whole_number

MAX_PLAYERS = 10


class Role(IntEnum):
    """The four roles, numbered as in the report's Table 1."""

    LORD = 0
    LOYALIST = 1
    REBEL = 2
    RENEGADE = 3

    @property
    def key(self) -> str:
        """The name in rows and on the command line, such as "lord"."""
        return self.name.lower()

    @property
    def english(self) -> str:
        return self.name.capitalize()

    @property
    def chinese(self) -> str:
        return ("主公", "忠臣", "反贼", "内奸")[self]

    def __str__(self) -> str:
        return f"{self.english} {self.chinese}"


#: The roles' keys, in their order.
ROLE_KEYS = tuple(role.key for role in Role)
#: The numbers of players in words.
COUNTED = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True)
class Lineup:
    """How many players hold each role; the one lord is implied.

    Parameters
    ----------
    loyalists, rebels, renegades : int
        Numbers of each, 0 or more; with the lord 2 to 10 players, at least one of them a rebel or a renegade.

    Examples
    --------
    >>> str(Lineup(loyalists=1, rebels=2, renegades=1))
    '1-1-2-1'
    >>> Lineup.parse("1-0-1-1").seatings()
    ('023', '032')
    """

    loyalists: int = 1
    rebels: int = 2
    renegades: int = 1

    def __post_init__(self):
        for name in ("loyalists", "rebels", "renegades"):
            object.__setattr__(self, name, whole_number(name, getattr(self, name)))
        if not 2 <= self.players <= MAX_PLAYERS:
            raise ValueError(
                f"line-up {self} has {self.players} players: 2 to {MAX_PLAYERS} are allowed, lord included"
            )
        if self.rebels + self.renegades == 0:
            raise ValueError(f"line-up {self} has nobody against the lord: at least one rebel or renegade is needed")

    @classmethod
    def parse(cls, text: "str | Lineup") -> "Lineup":
        """The line-up written as lords-loyalists-rebels-renegades, ``"1-1-2-1"``."""
        if isinstance(text, Lineup):
            return text
        parts = str(text).split("-")
        if len(parts) != 4 or not all(part.isdecimal() and len(part) < 10 for part in parts):
            raise ValueError(f"line-up {shown(text)}: lords-loyalists-rebels-renegades is needed, such as 1-1-2-1")
        if int(parts[0]) != 1:
            raise ValueError(f"line-up {text!r} has {int(parts[0])} lords: exactly one is allowed")
        return cls(*map(int, parts[1:]))

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """Numbers of lords, loyalists, rebels and renegades."""
        return 1, self.loyalists, self.rebels, self.renegades

    @property
    def players(self) -> int:
        return sum(self.counts)

    @property
    def seating_count(self) -> int:
        """Number of distinct seatings: a multinomial coefficient."""
        count = factorial(self.players - 1)
        for number in self.counts[1:]:
            count //= factorial(number)
        return count

    def seatings(self) -> "tuple[Seating, ...]":
        """All distinct seatings, in lexicographic order."""
        return _seatings(self)

    def seating(self, seating: "Seating | str") -> "Seating":
        """This seating, if it is one of the line-up; else ValueError."""
        found = Seating(seating)
        if found.lineup != self:
            raise ValueError(f"seating = {str(found)!r} is not a seating of line-up {self}")
        return found

    def __str__(self) -> str:
        return "-".join(map(str, self.counts))


class Seating(str):
    """Who sits where: role digits by seat, 0 lord, 1 loyalist, 2 rebel, 3 renegade; the lord, who begins, in front.

    A text that is checked once, when it is made into a seating of at most so many players; everywhere else a str.

    Examples
    --------
    >>> Seating("0123").roles[3].english
    'Renegade'
    """

    def __new__(cls, text: str, most: int = MAX_PLAYERS) -> "Seating":
        if isinstance(text, Seating) and len(text) <= most:
            return text
        return super().__new__(cls, _checked(text, most))

    @classmethod
    def of(cls, roles: Iterable[Role]) -> "Seating":
        """The seating of these roles, by seat."""
        return cls("".join(str(int(role)) for role in roles))

    @cached_property
    def roles(self) -> tuple[Role, ...]:
        """By seat."""
        return tuple(Role(int(digit)) for digit in self)

    @cached_property
    def lineup(self) -> Lineup:
        return Lineup(*(self.count(digit) for digit in "123"))

    @property
    def players(self) -> int:
        return len(self)


def in_words(code: "str | Lineup") -> str:
    """Who sits where, or how many hold each role, in words; the code behind.

    Examples
    --------
    >>> in_words("0312")
    'lord, renegade, loyalist, rebel (0312)'
    >>> in_words("1-2-4-1")
    'one lord, two loyalists, four rebels, one renegade (1-2-4-1)'
    """
    if "-" in str(instance("code", code, (str, Lineup))):
        lineup = Lineup.parse(code)
        pairs = [(number, role.key) for number, role in zip(lineup.counts, Role, strict=True) if number]
        words = [f"{COUNTED[number - 1]} {name}{'s' * (number > 1)}" for number, name in pairs]
    else:
        words = [role.key for role in Seating(str(code)).roles]
    return f"{', '.join(words)} ({code})"


def _checked(text: str, most: int) -> str:
    """`text` itself, if it is a seating of at most so many players; else ValueError."""
    name = f"seating = {shown(text)}"
    if not isinstance(text, str) or not text or not set(text) <= set("0123"):
        raise ValueError(
            f"{name}: role digits by seat are needed, 0 lord, 1 loyalist, 2 rebel, 3 renegade, such as '0123'"
        )
    if text.count("0") != 1:
        raise ValueError(f"{name} has {text.count('0')} lords: exactly one 0 is needed")
    if text[0] != "0":
        raise ValueError(f"{name}: the lord moves first, so the 0 stands in front")
    if not 2 <= len(text) <= most:
        raise ValueError(f"{name} has {len(text)} players: 2 to {most} are allowed here")
    if not set(text) & set("23"):
        raise ValueError(f"{name} has nobody against the lord: at least one rebel (2) or renegade (3) is needed")
    return text


@lru_cache(maxsize=32)
def _seatings(lineup: Lineup) -> tuple[Seating, ...]:
    seats = range(1, lineup.players)
    found = []
    for loyal in combinations(seats, lineup.loyalists):
        others = [seat for seat in seats if seat not in loyal]
        for rebel in combinations(others, lineup.rebels):
            digits = ("1" if seat in loyal else "2" if seat in rebel else "3" for seat in seats)
            found.append(Seating("0" + "".join(digits)))
    return tuple(sorted(found))


#: The report's nine line-ups, in the order of its Table 4.
LINEUPS = tuple(
    Lineup(*counts)
    for counts in ((1, 1, 1), (1, 2, 1), (1, 3, 1), (1, 2, 2), (2, 3, 1), (2, 4, 1), (2, 3, 2), (3, 4, 1), (3, 4, 2))
)
