"""One game of Mafia in plain Python, person by person: the words of the compiled town, used in the same order."""

from bisect import bisect
from collections.abc import Callable
from itertools import accumulate

from gamebalance.base.splitmix import GOLDEN, mix
from gamebalance.mafia.rules import Rules
from gamebalance.mafia.setups import ROLES, SIDES, Setup


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

    def happens(self, chance) -> bool:
        return self.next() >> 11 < round(chance * 2**53)


class PlainTown:
    """One game: `play` answers how many nights it took, and who won."""

    def __init__(self, setup: Setup, seed: int, game: int, rules: Rules):
        self.words, self.rules = Words(seed, game), rules
        seats = {role: getattr(setup, name) for name, role in ROLES.items()}
        self.roles = [role for role, count in seats.items() for _ in range(count)]
        self.living = list(range(len(self.roles)))
        self.cleared: set[int] = set()  # by the detectives
        self.checked: set[int] = set()  # by the sheriff
        self.seen: set[int] = set()  # by the don
        self.told = False
        self.potions, self.bullets = {"healing", "poison"}, rules.bullets

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
                    self._vote()
                phase = "evening"
        return nights, winner

    def _winner(self, phase: str) -> str | None:
        mafiosi = sum(map(self._bad, self.living))
        if mafiosi == 0:
            return "innocents"
        return "mafia" if self.rules.mafia_has_won(mafiosi, len(self.living) - mafiosi, phase) else None

    def _night(self) -> None:
        targets = self._targets()
        hit = self._vigilante()
        guarded = self._draw() if self._who("doctor") else None
        covered = self._draw(lambda person: self.roles[person] != "bodyguard") if self._who("bodyguard") else None

        def struck(targets: list[int]) -> list[int]:
            shots = [person for person in targets if person != guarded]
            return list(dict.fromkeys(self._who("bodyguard")[0] if shot == covered else shot for shot in shots))

        shown = struck(targets)
        arrested = self._interrogate() if self._who("detective") else []
        saved, poisoned = self._witch(shown) if self._who("witch") else ([], [])
        self._learns("sheriff", self.checked, lambda person: self.roles[person] != "sheriff")
        self._learns("don", self.seen, lambda person: not self._bad(person))
        shot = [person for person in [*shown, *struck(hit)] if person not in saved]
        self._bury(list(dict.fromkeys([*shot, *arrested, *poisoned])))
        self._speak()

    def _targets(self) -> list[int]:
        if self.rules.agreement < 1 and not self.words.happens(self.rules.agreement):
            return []
        targets: list[int] = []
        town = [person for person in self.living if not self._bad(person)]
        sheriff = [person for person in self._who("sheriff") if self.told or person in self.seen]
        for _ in range(self.rules.shots(len(self.living) - len(town))):
            left = {person for person in town if self.rules.aim == "apart" or person not in targets}
            if left & set(sheriff):
                targets += sheriff
            elif left:
                targets.append(self._draw(left.__contains__))
        return targets

    def _vigilante(self) -> list[int]:
        if not self._who("vigilante") or self.bullets == 0 or not self.words.happens(self.rules.shot):
            return []
        self.bullets -= 1
        return [self._accuse([person for person in self._suspects() if self.roles[person] != "vigilante"])]

    def _interrogate(self) -> list[int]:
        suspect = self._draw(lambda person: self.roles[person] != "detective" and person not in self.cleared)
        if self.rules.memory and not self._bad(suspect):
            self.cleared.add(suspect)
        return [suspect] if self._bad(suspect) else []

    def _witch(self, shown: list[int]) -> tuple[list[int], list[int]]:
        saved, poisoned = [], []
        if shown and self._uses("healing"):
            saved = shown if len(shown) == 1 else [self._draw(shown.__contains__)]
        if self._uses("poison"):
            poisoned = [self._draw(lambda person: self.roles[person] != "witch" and person not in shown)]
        return saved, poisoned

    def _uses(self, potion: str) -> bool:
        used = potion in self.potions and self.words.happens(self.rules.potion)
        self.potions -= {potion} if used else set()
        return used

    def _learns(self, role: str, known: set[int], may_be: Callable[[int], bool]) -> None:
        """The sheriff or the don learns of somebody of whom he does not know yet."""
        unknown = set(filter(may_be, self.living)) - known
        if self._who(role) and unknown:
            known.add(self._draw(unknown.__contains__))

    def _speak(self) -> None:
        """A sheriff who lives at dawn may tell what he has learned."""
        found = any(self._bad(person) and person in self.checked for person in self.living)
        if self._who("sheriff"):
            self.told |= self.rules.tells == "every morning" or (self.rules.tells == "at a find" and found)

    def _vote(self) -> None:
        candidates = self._suspects()
        sure = self.told and any(self._bad(person) and person in self.checked for person in candidates)
        fallen, leaving = [], 1
        if self.rules.ties != "lot" and not sure:
            most = self._most_voted(candidates)
            if len(most) > 1 and self.rules.ties.startswith("again"):
                most = self._most_voted(most)
            leaving = 0 if len(most) > 1 and self.rules.ties.endswith("nobody") else len(most)
        for _ in range(leaving):
            candidates = [person for person in self.living if person in candidates]
            fallen.append(self._accuse(candidates))
            self._remove(fallen[-1])
        self._bury(fallen)

    def _most_voted(self, candidates: list[int]) -> list[int]:
        """Those with most votes, when each of the living votes for one of the candidates, who is not himself."""
        if len(candidates) == 1:
            return candidates
        votes = dict.fromkeys(candidates, 0)
        for voter in self.living:
            choice = voter
            while choice == voter:
                choice = candidates[self.words.below(len(candidates))]
            votes[choice] += 1
        return [person for person in candidates if votes[person] == max(votes.values())]

    def _suspects(self) -> list[int]:
        if not self.told:
            return list(self.living)
        known = [person for person in self.living if self._bad(person) and person in self.checked]
        return known or [p for p in self.living if p not in self.checked and self.roles[p] != "sheriff"]

    def _accuse(self, suspects: list[int]) -> int:
        """One of the suspects, a mafioso so many times as likely as the odds are."""
        odds = float(self.rules.odds)
        if odds == 1:
            return self._draw(suspects.__contains__)
        *ends, total = accumulate(odds if self._bad(person) else 1.0 for person in suspects)
        return suspects[bisect(ends, (self.words.next() >> 11) / 2**53 * total)]

    def _bury(self, fallen: list[int]) -> None:
        """Bury the fallen and those whom hunters take along; a dead sheriff may leave what he has learned."""
        for person in fallen:
            self._remove(person)
        for person in fallen:  # the list grows while it is read: whom a hunter takes along may be a hunter too
            if self.roles[person] == "hunter" and self.living:
                fallen.append(self._draw())
                self._remove(fallen[-1])
        if self.rules.tells != "never" and self.rules.dead_roles == "shown":
            self.told |= any(self.roles[person] == "sheriff" for person in fallen)

    def _remove(self, person: int) -> None:
        """The last of the list moves to the place that becomes free, as in the compiled town."""
        if person in self.living:
            place, last = self.living.index(person), self.living.pop()
            if last != person:
                self.living[place] = last

    def _draw(self, may_be: Callable[[int], bool] = lambda _: True) -> int:
        """One of the living who may be chosen, all equally likely: drawn again until it is one of them."""
        while True:
            person = self.living[self.words.below(len(self.living))]
            if may_be(person):
                return person

    def _who(self, role: str) -> list[int]:
        return [person for person in self.living if self.roles[person] == role]

    def _bad(self, person: int) -> bool:
        return SIDES[self.roles[person]] == "mafia"
