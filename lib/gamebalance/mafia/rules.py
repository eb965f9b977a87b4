"""Mafia under random play: who sits in town, and every rule that one can choose.

A game alternates nights and days. Whenever somebody is to be chosen, everyone who may be chosen is equally likely.

- *Night.* All choices are made at once; who is killed acts in this night all the same.

  1. The mafia picks a victim among all others.
  2. The doctors, while one lives, guard one living player; a guarded victim does not die.
  3. The detectives, while one lives, interrogate together one player who is no detective (with memory: one whom they
     have not cleared). A mafioso is arrested at dawn and out of the game; of anyone else nothing is said.
  4. The witch is shown who is about to die. While she has her healing potion, she saves the victim with probability
     `Rules.potion`; while she has her poison, she kills with the same probability one living player, neither herself
     nor that victim. Each potion serves once. Guarding does not help against poison.

- *Day.* All the living vote one player out of the game.
- *Hunter.* Whenever hunters die, by night or by vote, each takes one of those still alive along, hunters included.
- *End.* The innocents have won when no mafioso is left, even if nobody is. The mafia has won when nobody else is
  left, or, as `Rules.half_rule` says, when it is at least half of the living.
"""

from dataclasses import dataclass, fields
from fractions import Fraction
from math import isqrt
from numbers import Rational

import numpy as np

from gamebalance.base.checks import flag, number, one_of, shown, whole_number

#: What one person is called, by the name of all of them in `Setup`.
ROLES = {
    "mafiosi": "mafioso",
    "innocents": "innocent",
    "detectives": "detective",
    "doctors": "doctor",
    "witches": "witch",
    "hunters": "hunter",
}
#: The side of each role.
SIDES = {role: "mafia" if role == "mafioso" else "town" for role in ROLES.values()}
#: When the mafia wins by being at least half of the living.
HALF_RULES = {
    "morning": "tested in the morning only, before the vote: what the published program does",
    "always": "tested after every night and every vote, and before the first night: what the published rules say",
    "never": "the game is played on until the mafia or everyone else is gone (Migdał's convention)",
}
#: On which days there is a vote.
VOTES = {
    "every day": "on all days of the game",
    "odd number": "only when an odd number of players is alive in the morning",
    "odd days": "only on the first, third, fifth … day of the game",
}
#: More than anyone seats, and as many as tables and times allow.
MOST_PLAYERS = 100_000
PHASES = {"evening": "the first night comes next", "morning": "the first vote comes next"}


@dataclass(frozen=True)
class Setup:
    """Who sits in town, 0 to 100 000 of each kind; at most one witch, whose two potions are part of the state."""

    mafiosi: int
    innocents: int
    detectives: int = 0
    doctors: int = 0
    witches: int = 0
    hunters: int = 0

    def __post_init__(self):
        for field in fields(self):
            most = 1 if field.name == "witches" else MOST_PLAYERS
            object.__setattr__(self, field.name, whole_number(field.name, getattr(self, field.name), 0, most))

    @property
    def players(self) -> int:
        """How many there are in all."""
        return self.mafiosi + self.town

    @property
    def town(self) -> int:
        """How many are not of the mafia."""
        return self.innocents + self.detectives + self.doctors + self.witches + self.hunters

    @property
    def has_roles(self) -> bool:
        """Whether there is a doctor, a witch or a hunter."""
        return self.doctors + self.witches + self.hunters > 0

    @classmethod
    def of_players(cls, players: int, mafiosi: int | None = None, detectives: int = 1, **roles: int) -> "Setup":
        """The set-up of a table of `players`; `roles` are doctors, witches, hunters, and all others innocents.

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

    def __str__(self) -> str:
        counts = {name: getattr(self, name) for name in ROLES}
        return ", ".join(f"{n} {ROLES[name] if n == 1 else name}" for name, n in counts.items() if n) or "nobody"


@dataclass(frozen=True)
class Rules:
    """The rules that one can choose.

    Attributes
    ----------
    half_rule : {"morning", "always", "never"}
        When the mafia wins by being at least half of the living: see `HALF_RULES`.
    votes : {"every day", "odd number", "odd days"}
        On which days there is a vote: see `VOTES`. The two ways to skip even days differ: one looks at the number of
        the living, the other at the calendar.
    memory : bool
        Whether the detectives remember whom they cleared and never interrogate the same player twice.
    potion : Fraction
        Probability with which the witch uses, in each night, a potion that she still has; 1 is at the first occasion.
    """

    half_rule: str = "morning"
    votes: str = "every day"
    memory: bool = False
    potion: Fraction = Fraction(1, 2)

    def __post_init__(self):
        one_of("half_rule", self.half_rule, HALF_RULES)
        one_of("votes", self.votes, VOTES)
        object.__setattr__(self, "memory", flag("memory", self.memory))
        number("potion", self.potion, 0, 1)
        exact = self.potion if isinstance(self.potion, Rational) else float(self.potion)
        object.__setattr__(self, "potion", Fraction(exact))

    def mafia_has_won(self, mafiosi: int, town: int, phase: str) -> bool:
        """Whether the mafia has won with so many left on either side, at least one of them a mafioso."""
        if town == 0:
            return True
        tested = self.half_rule == "always" or (self.half_rule == "morning" and phase == "morning")
        return tested and mafiosi >= town

    def coded(self) -> tuple[np.ndarray, np.ndarray]:
        """The rules as tables of bool for compiled code.

        Shape (2,), whether half of the living is enough, in the evening and the morning; and (2, 2), whether there is a
        vote, by the parities (even first) of the day and of the living.
        """
        half = [self.mafia_has_won(1, 1, phase) for phase in PHASES]
        votes = [[self.votes_on(day, living) for living in (2, 1)] for day in (2, 1)]
        return np.array(half), np.array(votes)

    def votes_on(self, day: int, living: int) -> bool:
        """Whether there is a vote on a day of the game (1 is the first) with so many alive."""
        return self.votes == "every day" or (living if self.votes == "odd number" else day) % 2 == 1


#: The rules of the published program.
AS_CODED = Rules()
#: The rules as the study's text has them.
AS_WRITTEN = Rules(half_rule="always")


def check_game(setup: Setup, rules: Rules, phase: str) -> None:
    """Refuse what is no set-up, no rules or no phase."""
    if not isinstance(setup, Setup):
        raise ValueError(f"setup = {shown(setup)}: a Setup is needed")
    check_rules(rules)
    one_of("phase", phase, PHASES)


def check_rules(rules: Rules, memory: bool = True) -> None:
    """Refuse what is no `Rules`, and detectives with a memory where they are not possible."""
    if not isinstance(rules, Rules):
        raise ValueError(f"rules = {shown(rules)}: a Rules object is needed")
    if rules.memory and not memory:
        raise ValueError("rules.memory = True: only detectives without memory are possible here")
