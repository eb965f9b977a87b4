"""Who sits in town: how many people of each role, counted, or written as people write them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from math import isqrt

from gamebalance.base.checks import shown, whole_number

#: What one person is called, by the name of all of them in `Setup`.
ROLES = {
    "mafiosi": "mafioso",
    "innocents": "innocent",
    "detectives": "detective",
    "doctors": "doctor",
    "witches": "witch",
    "hunters": "hunter",
    "dons": "don",
    "sheriffs": "sheriff",
    "vigilantes": "vigilante",
    "bodyguards": "bodyguard",
}
#: Roles of which a town has at most one.
SINGLE = ("witches", "dons", "sheriffs", "vigilantes", "bodyguards")
#: The side of each role.
SIDES = {role: "mafia" if role in ("mafioso", "don") else "town" for role in ROLES.values()}
#: More than anyone seats, and as many as tables and times allow.
MOST_PLAYERS = 100_000
#: The order in which `Setup.written` names roles, and what it calls one and several of them.
WRITTEN = {
    "dons": ("don", "dons"),
    "mafiosi": ("mafioso", "mafiosi"),
    "sheriffs": ("sheriff", "sheriffs"),
    "detectives": ("detective", "detectives"),
    "doctors": ("doctor", "doctors"),
    "bodyguards": ("bodyguard", "bodyguards"),
    "vigilantes": ("vigilante", "vigilantes"),
    "witches": ("witch", "witches"),
    "hunters": ("hunter", "hunters"),
    "innocents": ("citizen", "citizens"),
}
#: Other words that people write, by the role that they mean.
SYNONYMS = {
    "dons": "godfather godfathers",
    "mafiosi": "mafia werewolf werewolves wolf wolves",
    "sheriffs": "cop cops seer seers",
    "doctors": "medic medics",
    "innocents": "innocent innocents villager villagers townsperson townspeople townie townies",
}
_NAMES = {word: name for name, words in SYNONYMS.items() for word in words.split()}
_NAMES |= {word: name for name, words in WRITTEN.items() for word in words}


@dataclass(frozen=True)
class Setup:
    """Who sits in town, 0 to 100 000 of each kind.

    There is at most one witch, whose two potions are part of the state, and at most one don, sheriff, vigilante and
    bodyguard. The don is a mafioso: `mafiosi` are the others.
    """

    mafiosi: int
    innocents: int
    detectives: int = 0
    doctors: int = 0
    witches: int = 0
    hunters: int = 0
    dons: int = 0
    sheriffs: int = 0
    vigilantes: int = 0
    bodyguards: int = 0

    def __post_init__(self):
        for field in fields(self):
            most = 1 if field.name in SINGLE else MOST_PLAYERS
            object.__setattr__(self, field.name, whole_number(field.name, getattr(self, field.name), 0, most))

    @property
    def players(self) -> int:
        """How many there are in all."""
        return self.mafia + self.town

    @property
    def mafia(self) -> int:
        """How many are of the mafia, the don included."""
        return self.mafiosi + self.dons

    @property
    def town(self) -> int:
        """How many are not of the mafia."""
        return sum(getattr(self, name) for name, role in ROLES.items() if SIDES[role] == "town")

    @property
    def has_roles(self) -> bool:
        """Whether there is anybody but mafiosi, innocents and detectives."""
        return self.players > self.mafiosi + self.innocents + self.detectives

    @classmethod
    def of_players(cls, players: int, mafiosi: int | None = None, detectives: int = 1, **roles: int) -> "Setup":
        """The set-up of a table of `players`; `roles` are other fields of a set-up, and all others innocents.

        The mafiosi are by default the square root of `players`, rounded down, as in the published program.

        >>> print(Setup.of_players(20))
        4 mafiosi, 15 innocents, 1 detective
        """
        players = whole_number("players", players, 1, MOST_PLAYERS)
        mafiosi = isqrt(players) if mafiosi is None else whole_number("mafiosi", mafiosi)
        others = {"detectives": detectives, **roles}
        others = {name: whole_number(name, count) for name, count in others.items()}
        roles_given = mafiosi + sum(others.values())
        if roles_given > players:
            given = ", ".join(f"{name} = {count}" for name, count in {"mafiosi": mafiosi, **others}.items() if count)
            raise ValueError(f"{given}: together {roles_given}, at most players = {players} is allowed")
        return cls(mafiosi, players - roles_given, **others)

    @classmethod
    def read(cls, text: str) -> "Setup":
        """The set-up that somebody has written down: how many of which role, each by comma, with or without the sum.

        Citizens may be left out where the sum is given. A cop or a seer is a sheriff, who only learns; a detective is
        one of the study's, who arrests. A medic is a doctor, a werewolf a mafioso.

        >>> Setup.read("10: don, 2 mafiosi, sheriff, 6 citizens") == Setup.read("10: don, 2 wolves, seer")
        True
        """
        if not isinstance(text, str) or not text.strip():
            raise ValueError(
                f"setup = {shown(text)}: a text such as '10: don, 2 mafiosi, sheriff, 6 citizens' is needed"
            )
        found = re.fullmatch(r"(?:\s*(\d{1,6})\s*:)?(.*)", text, re.DOTALL)
        assert found is not None  # it fits any text
        total, people = found.groups()
        counts: dict[str, int] = {}
        for part in people.split(","):
            name, count = _read_part(part, text)
            if name in counts:
                raise ValueError(f"setup = {text!r}: {WRITTEN[name][1]} are named twice, once is allowed")
            counts[name] = count
        if total and "innocents" not in counts:
            counts["innocents"] = max(0, int(total) - sum(counts.values()))
        setup = cls(**({"mafiosi": 0, "innocents": 0} | counts))
        if total and setup.players != int(total):
            raise ValueError(f"setup = {text!r}: {setup.players} people are named, {total} are needed")
        return setup

    @property
    def written(self) -> str:
        """The set-up as people write it; `read` reads it.

        >>> Setup(2, 6, dons=1, sheriffs=1).written
        '10: don, 2 mafiosi, sheriff, 6 citizens'
        """
        counts = {names: getattr(self, name) for name, names in WRITTEN.items()}
        named = [one if count == 1 else f"{count} {several}" for (one, several), count in counts.items() if count]
        return f"{self.players}: {', '.join(named) or '0 citizens'}"

    def __str__(self) -> str:
        counts = {name: getattr(self, name) for name in ROLES}
        return ", ".join(f"{n} {ROLES[name] if n == 1 else name}" for name, n in counts.items() if n) or "nobody"


def bounds_of(setups: Sequence[Setup]) -> Setup:
    """As many of each role as any of the set-ups has."""
    return Setup(**{name: max(getattr(setup, name) for setup in setups) for name in ROLES})


def _read_part(part: str, text: str) -> tuple[str, int]:
    """Name and number of one role of a written set-up."""
    match = re.fullmatch(r"\s*(?:(\d{1,6})\s*)?([A-Za-z]+)\s*", part)
    if not match or match[2].lower() not in _NAMES:
        known = ", ".join(one for one, _ in WRITTEN.values())
        raise ValueError(f"setup = {text!r}: {part.strip()!r} is no number and role; roles are {known}")
    return _NAMES[match[2].lower()], int(match[1] or 1)
