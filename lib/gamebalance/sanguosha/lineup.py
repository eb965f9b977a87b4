"""Roles, line-ups and seatings."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import combinations
from math import factorial

from gamebalance._checks import shown, whole_number

MAX_PLAYERS = 10


class Role(IntEnum):
    """The four roles, numbered as in the report's Table 1."""

    LORD = 0
    LOYALIST = 1
    REBEL = 2
    RENEGADE = 3

    @property
    def english(self) -> str:
        return self.name.capitalize()

    @property
    def chinese(self) -> str:
        return ("主公", "忠臣", "反贼", "内奸")[self]

    def __str__(self) -> str:
        return f"{self.english} {self.chinese}"


@dataclass(frozen=True)
class Lineup:
    """How many players hold each role; the one lord is implied.

    Parameters
    ----------
    loyalists, rebels, renegades : int
        Numbers of each, 0 or more; with the lord 2 to 10 players, at least one of them a rebel or a renegade.

    Raises
    ------
    ValueError
        If a number is not a whole number, or the line-up is not one of these.

    Examples
    --------
    >>> str(Lineup(loyalists=1, rebels=2, renegades=1))
    '1-1-2-1'
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

    @classmethod
    def of_seating(cls, seating: str) -> "Lineup":
        """The line-up of a seating such as ``"0123"``; refuses what is not a seating."""
        check_seating(seating)
        return cls(*(seating.count(digit) for digit in "123"))

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

    def seatings(self) -> tuple[str, ...]:
        """All distinct seatings in lexicographic order: role digits by seat, the lord in the first."""
        seats = range(1, self.players)
        found = []
        for loyal in combinations(seats, self.loyalists):
            others = [seat for seat in seats if seat not in loyal]
            for rebel in combinations(others, self.rebels):
                digits = ("1" if seat in loyal else "2" if seat in rebel else "3" for seat in seats)
                found.append("0" + "".join(digits))
        return tuple(sorted(found))

    def __str__(self) -> str:
        return "-".join(map(str, self.counts))


def check_seating(seating: str, most: int = MAX_PLAYERS) -> str:
    """`seating` itself, if it is one: digits 0 to 3 by seat, a single lord, in the first seat; else ValueError."""
    name = f"seating = {shown(seating)}"
    if not isinstance(seating, str) or not seating or not set(seating) <= set("0123"):
        raise ValueError(
            f"{name}: role digits by seat are needed, 0 lord, 1 loyalist, 2 rebel, 3 renegade, such as '0123'"
        )
    if seating.count("0") != 1:
        raise ValueError(f"{name} has {seating.count('0')} lords: exactly one 0 is needed")
    if seating[0] != "0":
        raise ValueError(f"{name}: the lord moves first, so the 0 stands in front")
    if not 2 <= len(seating) <= most:
        raise ValueError(f"{name} has {len(seating)} players: 2 to {most} are allowed here")
    if not set(seating) & set("23"):
        raise ValueError(f"{name} has nobody against the lord: at least one rebel (2) or renegade (3) is needed")
    return seating


def roles_of(seating: str) -> tuple[Role, ...]:
    """Roles by seat."""
    return tuple(Role(int(digit)) for digit in seating)


def seating_of(roles: Sequence[Role]) -> str:
    """The digits of these roles: a seating, where they stand by seat."""
    return "".join(str(int(role)) for role in roles)


#: The report's nine line-ups, in the order of its Table 4.
LINEUPS = tuple(
    Lineup(*counts)
    for counts in ((1, 1, 1), (1, 2, 1), (1, 3, 1), (1, 2, 2), (2, 3, 1), (2, 4, 1), (2, 3, 2), (3, 4, 1), (3, 4, 2))
)
