"""One simulated game of Mafia, told: the same words, used in the same order, as in the compiled town."""

from collections.abc import Callable, Iterator

from gamebalance._checks import check_seed, whole_number
from gamebalance._splitmix import GOLDEN, mix
from gamebalance.mafia.rules import PUBLISHED, ROLES, Rules, Setup, check_game
from gamebalance.mafia.simulate import potion_limit

#: Players of a game that is told.
MOST_TOLD = 1000


def transcript(setup: Setup, seed: int, game: int = 0, rules: Rules = PUBLISHED, phase: str = "evening") -> str:
    """One of the games that `simulate` counts, told night by night.

    Parameters
    ----------
    setup : Setup
        Up to 1000 players.
    seed : int
        0 to 2^63 - 1.
    game : int
        Which of the seed's games, from 0.
    rules : Rules
    phase : {"evening", "morning"}
        What comes first: a night, or a vote.

    Returns
    -------
    str
        A line for the set-up, one or two for each night and day, and one for the result. Players are numbered from 1
        by role.

    Raises
    ------
    ValueError
        If an argument is not as described.
    """
    check_game(setup, rules, phase)
    whole_number("players", setup.players, 0, MOST_TOLD)
    story = _Story(setup, check_seed(seed), whole_number("game", game, 0, 2**63 - 1), rules)
    return "\n".join([f"Seed {seed}, game {game}: {setup}.", *story.tell(phase)])


class _Words:
    """The random words of one game: splitmix64 in plain Python."""

    def __init__(self, seed: int, game: int):
        self._state = mix(mix(seed) + GOLDEN * game)

    def next(self) -> int:
        self._state += GOLDEN
        return mix(self._state)

    def below(self, number: int) -> int:
        """A whole number from 0 to `number` - 1, all exactly equally likely: some products are drawn again."""
        product = (self.next() >> 32) * number
        while product % 2**32 < 2**32 % number:
            product = (self.next() >> 32) * number
        return product >> 32


class _Story:
    """One game in plain Python.

    Attributes
    ----------
    nights : int
        Number of nights played so far.
    winner : {"innocents", "mafia"} or None
        None while the game goes on.
    """

    def __init__(self, setup: Setup, seed: int, game: int, rules: Rules):
        self.words, self.rules = _Words(seed, game), rules
        seats = {role: getattr(setup, name) for name, role in ROLES.items()}
        self.roles = [role for role, count in seats.items() for _ in range(count)]
        self.living = list(range(len(self.roles)))
        self.cleared: set[int] = set()
        self.potions = {"healing", "poison"}
        self.nights, self.winner = 0, None

    def tell(self, phase: str) -> Iterator[str]:
        """Play the game; a line for each thing that happens."""
        day = 0
        while not self._is_over(phase):
            if phase == "evening":
                self.nights += 1
                yield from self._night()
                phase = "morning"
            else:
                day += 1
                yield from self._day(day)
                phase = "evening"
        yield self._result()

    def _is_over(self, phase: str) -> bool:
        mafiosi, town = self._sides()
        if mafiosi == 0:
            self.winner = "innocents"
        elif self.rules.mafia_has_won(mafiosi, town, phase):
            self.winner = "mafia"
        return self.winner is not None

    def _night(self) -> Iterator[str]:
        victim = self._draw(lambda person: self.roles[person] != "mafioso")
        told = [f"the mafia picks {self._name(victim)}"]
        guarded = self._guard(told)
        arrested = self._interrogate(told)
        shown = None if guarded == victim else victim
        saved, poisoned = self._potions(shown, told)
        yield f"Night {self.nights}: {'; '.join(told)}."
        fallen = [None if saved else shown, arrested, poisoned]
        out = self._deaths([person for person in dict.fromkeys(fallen) if person is not None])
        yield f"  {f'Out: {out}' if out else 'Nobody dies'}. {self._left()}"

    def _guard(self, told: list[str]) -> int | None:
        if not self._lives("doctor"):
            return None
        guarded = self._draw()
        told.append(f"the doctors guard {self._name(guarded)}")
        return guarded

    def _interrogate(self, told: list[str]) -> int | None:
        """The mafioso who is arrested, if it is one whom the detectives interrogate."""
        if not self._lives("detective"):
            return None
        suspect = self._draw(lambda person: self.roles[person] != "detective" and person not in self.cleared)
        arrest = self.roles[suspect] == "mafioso"
        told.append(f"the detectives interrogate {self._name(suspect)}" + (" and arrest them" if arrest else ""))
        if self.rules.memory and not arrest:
            self.cleared.add(suspect)
        return suspect if arrest else None

    def _potions(self, shown: int | None, told: list[str]) -> tuple[bool, int | None]:
        """Whether the witch saves the victim whom she is shown, and whom she poisons."""
        if not self._lives("witch"):
            return False, None
        saved = shown is not None and self._uses("healing")
        if saved:
            told.append(f"the witch saves {self._name(shown)}")
        if not self._uses("poison"):
            return saved, None
        poisoned = self._draw(lambda person: self.roles[person] != "witch" and person != shown)
        told.append(f"the witch poisons {self._name(poisoned)}")
        return saved, poisoned

    def _uses(self, potion: str) -> bool:
        used = potion in self.potions and self.words.next() >> 11 < potion_limit(self.rules)
        self.potions -= {potion} if used else set()
        return used

    def _day(self, day: int) -> Iterator[str]:
        if self.rules.votes_on(day, len(self.living)):
            yield f"Day {day}: the town votes out {self._deaths([self._draw()])}. {self._left()}"
        else:
            yield f"Day {day}: there is no vote."

    def _deaths(self, fallen: list[int]) -> str:
        """Bury the fallen and those whom hunters take along; who that was."""
        for person in fallen:
            self._bury(person)
        told = [self._name(person) for person in fallen]
        for person in fallen:  # the list grows while it is read: whom a hunter takes along may be a hunter too
            if self.roles[person] == "hunter" and self.living:
                fallen.append(self._draw())
                self._bury(fallen[-1])
                told.append(f"{self._name(fallen[-1])}, taken along by player {person + 1}")
        return "; ".join(told)

    def _bury(self, person: int) -> None:
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

    def _sides(self) -> tuple[int, int]:
        mafiosi = sum(self.roles[person] == "mafioso" for person in self.living)
        return mafiosi, len(self.living) - mafiosi

    def _left(self) -> str:
        return f"Alive: {len(self.living)}, mafiosi: {self._sides()[0]}."

    def _name(self, person: int) -> str:
        return f"player {person + 1} ({self.roles[person]})"

    def _result(self) -> str:
        nights = "1 night" if self.nights == 1 else f"{self.nights} nights"
        if self.winner == "innocents":
            return f"The innocents win after {nights}: no mafioso is left."
        why = "it is at least half of the living" if self._sides()[1] else "nobody else is left"
        return f"The mafia wins after {nights}: {why}."
