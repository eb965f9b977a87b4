"""Mafia under random play: every rule that one can choose.

A game alternates nights and days. Whenever somebody is to be chosen, everyone who may be chosen is equally likely,
except that the town may prefer mafiosi when it votes and when the vigilante shoots: by the *odds*, which say how many
times as likely as anybody else a mafioso is to be chosen. Odds of 1 are play at random.

- *Night.* All choices are made at once; who is killed acts in this night all the same.

  1. The mafia shoots, once a night if nothing else is agreed, at people who are not of the mafia; first of all at the
     sheriff, if it knows him. Either it aims together, at different people; then it may in some nights fail to agree,
     with a given chance, and hits nobody. Or each shot is aimed apart, and two may be at the same person.
  2. The vigilante, while he has a bullet, shoots in each night with a given chance one of the others: a mafioso of whom
     everybody knows, if there is one, and nobody of whom everybody knows that he is innocent.
  3. The doctors, while one lives, guard one living player; a guarded player is not hit.
  4. The bodyguard stands before one other player; if that player would be hit, the bodyguard dies instead of him.
  5. The witch is shown who is about to die by the mafia. While she has her healing potion, she saves one of these with
     a given chance; while she has her poison, she kills with the same chance one living player, neither herself nor any
     of these. Each potion serves once. Nothing helps against poison.
  6. The detectives, while one lives, interrogate together one player who is no detective; if they remember whom they
     have cleared, none of these. A mafioso is arrested at dawn and out of the game; of anyone else nothing is said.
  7. The sheriff learns the side of one other player, of no one twice. He keeps this to himself, or it becomes known
     when he dies; he may also tell it before, at every dawn, or from the dawn on at which he knows a living mafioso.
     Everybody believes him; when he is dead, only if the roles of the dead are shown or he has told before.
  8. The don learns of one player who is not of the mafia, of no one twice, whether he is the sheriff.

- *Day.* The living vote one player out of the game. There may be days without a vote. If several have most votes, one
  of them leaves by lot; or nobody, or all of them, at once or after a second vote. Of a mafioso of whom everybody knows
  they are all sure; for those of whom everybody knows that they are innocent nobody votes, and not for a sheriff who
  has spoken. In all other votes each of the living votes for one of the others, which decides how many have most votes;
  who they are is drawn one after the other, mafiosi by the odds.
- *Hunter.* Whenever hunters die, by night or by vote, each takes one of those still alive along, hunters included.
- *End.* The innocents have won when no mafioso is left, even if nobody is. The mafia has won when nobody else is left,
  or, by the *half rule*, when it is at least half of the living: in the morning, before the vote; or after every night
  and every vote; or this does not count.
"""

from dataclasses import dataclass
from fractions import Fraction

from gamebalance.base.checks import flag, number, one_of, shown, whole_number
from gamebalance.base.kinds import Integral, Rational
from gamebalance.mafia.setups import Setup

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
#: Who leaves when several have most votes.
TIES = {
    "lot": "one of them, by lot",
    "nobody": "none of them",
    "all": "all of them",
    "again, then nobody": "they are voted on once more; if that is a tie again, none of them",
    "again, then all": "they are voted on once more; if that is a tie again, all who are in it",
}
#: When the sheriff tells everybody what he has learned.
TELLS = {
    "never": "he keeps it to himself",
    "at death": "when he dies, if the roles of the dead are shown",
    "at a find": "at dawn, as soon as he knows a living mafioso, and every dawn from then on; or else at his death",
    "every morning": "at every dawn; or else at his death",
}
#: Whether the role of a dead player is shown. If not, nobody believes what a dead sheriff is said to have learned, but
#: of one who has told before.
DEAD_ROLES = ("shown", "hidden")
#: How the mafia aims several shots of one night.
AIMS = {
    "together": "at different people, all mafiosi agreeing on each",
    "apart": "each shot by itself, so that two may be at the same person",
}
#: What comes next at each time of the day.
PHASES = {"evening": "the first night comes next", "morning": "the first vote comes next"}
#: More shots and bullets than any table gives.
MOST_KILLS, MOST_BULLETS = 5, 9


@dataclass(frozen=True)
class Rules:
    """The rules that one can choose.

    Attributes
    ----------
    half_rule, votes, ties, aim, tells, dead_roles
        A choice of `HALF_RULES`, `VOTES`, `TIES`, `AIMS`, `TELLS` and `DEAD_ROLES`. The two ways to skip even days
        differ: one looks at the number of the living, the other at the calendar.
    memory
        Whether the detectives remember whom they cleared and never interrogate the same player twice.
    potion, shot
        Probability with which the witch uses, and the vigilante shoots, in each night, what is still there.
    odds
        How many times as likely as anybody else a mafioso is to be voted out, and to be shot by the vigilante: 1 is
        play at random. Above 0.
    kills
        How often the mafia shoots in one night, 1 to 5, with one, two, three … of its members alive; the last number
        holds for all more. A single number is allowed.
    agreement
        Probability that a mafia that aims together agrees, in each night; otherwise nobody is shot. Above 0.
    bullets
        How many the vigilante has, 0 to 9.
    """

    half_rule: str = "morning"
    votes: str = "every day"
    memory: bool = False
    potion: Fraction = Fraction(1, 2)
    ties: str = "lot"
    odds: Fraction = Fraction(1)
    kills: tuple[int, ...] = (1,)
    aim: str = "together"
    agreement: Fraction = Fraction(1)
    tells: str = "never"
    dead_roles: str = "shown"
    bullets: int = 1
    shot: Fraction = Fraction(1, 2)

    def __post_init__(self):
        for name, allowed in _CHOICES.items():
            one_of(name, getattr(self, name), allowed)
        object.__setattr__(self, "memory", flag("memory", self.memory))
        object.__setattr__(self, "kills", _kills(self.kills))
        object.__setattr__(self, "bullets", whole_number("bullets", self.bullets, 0, MOST_BULLETS))
        for name, most in (("potion", 1), ("shot", 1), ("agreement", 1), ("odds", 10**6)):
            given = number(name, getattr(self, name), 0, most)
            object.__setattr__(self, name, Fraction(given if isinstance(given, Rational) else float(given)))
        for name in ("agreement", "odds"):
            if getattr(self, name) < Fraction(1, 10**6):
                raise ValueError(f"{name} = {shown(float(getattr(self, name)))}: 0.000001 or more is needed")
        if self.aim == "apart" and self.agreement != 1:
            raise ValueError(
                f"aim = 'apart', agreement = {float(self.agreement)}: 1 is needed, who aims apart need not agree"
            )

    @property
    def one_by_one(self) -> bool:
        """Whether each night without helpers kills one, and each vote one of all the living, by lot."""
        return self.ties == "lot" and self.odds == 1 and self.kills == (1,) and self.agreement == 1

    @property
    def may_tell(self) -> bool:
        """Whether a sheriff can come to tell what he has learned."""
        return self.tells in ("at a find", "every morning") or (self.tells == "at death" and self.tells_at_death)

    @property
    def tells_at_death(self) -> bool:
        """Whether what a dying sheriff has learned becomes known."""
        return self.tells != "never" and self.dead_roles == "shown"

    def shots(self, mafia: int) -> int:
        """How often a mafia of so many living members shoots in a night."""
        return self.kills[min(mafia, len(self.kills)) - 1]

    def mafia_has_won(self, mafiosi: int, town: int, phase: str) -> bool:
        """Whether the mafia has won with so many left on either side, at least one of them a mafioso."""
        if town == 0:
            return True
        tested = self.half_rule == "always" or (self.half_rule == "morning" and phase == "morning")
        return tested and mafiosi >= town

    def votes_on(self, day: int, living: int) -> bool:
        """Whether there is a vote on a day of the game (1 is the first) with so many alive."""
        return self.votes == "every day" or (living if self.votes == "odd number" else day) % 2 == 1


_CHOICES = {
    "half_rule": HALF_RULES,
    "votes": VOTES,
    "ties": TIES,
    "aim": AIMS,
    "tells": TELLS,
    "dead_roles": DEAD_ROLES,
}


def _kills(kills) -> tuple[int, ...]:
    """The shots of a night by living mafiosi, the last number not repeated; ValueError for anything else."""
    given = [kills] if isinstance(kills, Integral) else list(kills) if isinstance(kills, tuple | list) else []
    if not 1 <= len(given) <= 9:
        raise ValueError(f"kills = {shown(kills)}: a number, or one to nine numbers by living mafiosi, are needed")
    shots = [whole_number("kills", each, 1, MOST_KILLS) for each in given]
    while len(shots) > 1 and shots[-1] == shots[-2]:
        shots.pop()
    return tuple(shots)


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
