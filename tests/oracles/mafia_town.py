"""One game of Mafia in plain Python, person by person: the words of the compiled town, used in the same order."""

from collections.abc import Callable

from gamebalance.base.splitmix import GOLDEN, mix
from gamebalance.mafia.rules import ROLES, Rules, Setup


class Words:
    """The random words of one game: splitmix64."""

    def __init__(self, seed: int, game: int):
        self.state = mix(mix(seed) + GOLDEN * game)

    def next(self) -> int:
        self.state += GOLDEN
        return mix(self.state)

    def below(self, number: int) -> int:
        """A whole number from 0 to `number` - 1, all exactly equally likely: some products are drawn again."""
        product = (self.next() >> 32) * number
        while product % 2**32 < 2**32 % number:
            product = (self.next() >> 32) * number
        return product >> 32


class PlainTown:
    """One game: `play` answers how many nights it took, and who won."""

    def __init__(self, setup: Setup, seed: int, game: int, rules: Rules):
        self.words, self.rules = Words(seed, game), rules
        seats = {role: getattr(setup, name) for name, role in ROLES.items()}
        self.roles = [role for role, count in seats.items() for _ in range(count)]
        self.living = list(range(len(self.roles)))
        self.cleared: set[int] = set()
        self.potions = {"healing", "poison"}

    def play(self, phase: str) -> tuple[int, str]:
        nights = days = 0
        while not (winner := self._winner(phase)):
            if phase == "evening":
                nights += 1
                self._night()
                phase = "morning"
            else:
                days += 1
                if self.rules.votes_on(days, len(self.living)):
                    self._bury([self._draw()])
                phase = "evening"
        return nights, winner

    def _winner(self, phase: str) -> str | None:
        mafiosi = sum(self.roles[person] == "mafioso" for person in self.living)
        if mafiosi == 0:
            return "innocents"
        return "mafia" if self.rules.mafia_has_won(mafiosi, len(self.living) - mafiosi, phase) else None

    def _night(self) -> None:
        victim = self._draw(lambda person: self.roles[person] != "mafioso")
        guarded = self._draw() if self._lives("doctor") else None
        arrested = self._interrogate() if self._lives("detective") else None
        shown = None if guarded == victim else victim
        saved = poisoned = None
        if self._lives("witch"):
            saved = shown is not None and self._uses("healing")
            if self._uses("poison"):
                poisoned = self._draw(lambda person: self.roles[person] != "witch" and person != shown)
        fallen = [None if saved else shown, arrested, poisoned]
        self._bury([person for person in dict.fromkeys(fallen) if person is not None])

    def _interrogate(self) -> int | None:
        """The mafioso who is arrested, if it is one whom the detectives interrogate."""
        suspect = self._draw(lambda person: self.roles[person] != "detective" and person not in self.cleared)
        if self.roles[suspect] == "mafioso":
            return suspect
        if self.rules.memory:
            self.cleared.add(suspect)
        return None

    def _uses(self, potion: str) -> bool:
        used = potion in self.potions and self.words.next() >> 11 < round(self.rules.potion * 2**53)
        self.potions -= {potion} if used else set()
        return used

    def _bury(self, fallen: list[int]) -> None:
        """Bury the fallen and those whom hunters take along."""
        for person in fallen:
            self._remove(person)
        for person in fallen:  # the list grows while it is read: whom a hunter takes along may be a hunter too
            if self.roles[person] == "hunter" and self.living:
                fallen.append(self._draw())
                self._remove(fallen[-1])

    def _remove(self, person: int) -> None:
        """The last of the list moves to the place that becomes free, as in the compiled town."""
        place, last = self.living.index(person), self.living.pop()
        if last != person:
            self.living[place] = last

    def _draw(self, may_be: Callable[[int], bool] = lambda _: True) -> int:
        """One of the living who may be chosen, all equally likely: drawn again until it is one of them."""
        while True:
            person = self.living[self.words.below(len(self.living))]
            if may_be(person):
                return person

    def _lives(self, role: str) -> bool:
        return any(self.roles[person] == role for person in self.living)
