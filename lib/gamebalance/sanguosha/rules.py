"""What can be changed about the simplified game: hearts, cards, reach, and where the report disagrees with itself."""

from collections import Counter
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod

from gamebalance.base.checks import check_fields, listed, one_of, shown, whole_number

#: Hearts of every player in the report, and the most that a state can hold.
MAX_HEALTH = 4


class Card(IntEnum):
    """The six kinds of card of the simplified game (report §2.6)."""

    DODGE = 0
    PEACH = 1
    WEAPON = 2
    SNATCH = 3
    DISMANTLE = 4
    SLASH = 5

    @property
    def english(self) -> str:
        return self.name.capitalize()

    @property
    def chinese(self) -> str:
        return ("闪", "桃", "武器", "顺手牵羊", "过河拆桥", "杀")[self]

    def __str__(self) -> str:
        return f"{self.english} {self.chinese}"


#: Cards of each kind among 71 (report §2.6), in the order of `Card`.
REPORT_DECK = (15, 8, 7, 5, 6, 30)

#: Dodges of each player before the first turn (report §4.1 and equation 4.1).
OPENING_DODGES = 2

#: What each player holds before the first turn: the report's §4.1, and its §3 cut down to what the state can hold.
OPENINGS = ("two dodges", "four cards")

#: How far a player reaches without and with a weapon (report §2.6).
REPORT_REACH = (1, 3)

#: Who has the first turn: the lord (report §2.4), or the player after him, so that the lord is the last.
FIRST_TURNS = ("lord", "after the lord")

#: Cards that may be drawn in a turn, at most.
MOST_DRAWS = 4


@lru_cache
def hands_of(draws: int) -> tuple[tuple[Card, ...], ...]:
    """What a turn can start with when so many cards are drawn: without their order, the cards ascending."""
    return tuple(combinations_with_replacement(Card, draws))


#: The 21 unordered pairs of cards that a turn of the report can start with.
CARD_PAIRS = hands_of(2)


@dataclass(frozen=True)
class Rules:
    """One reading of the simplified game; each difference between the report's text and its programs is a field.

    Parameters
    ----------
    snatch_any_distance : bool
        Snatch reaches whatever target was chosen (the programs) instead of neighbours only (the text, §2.6.2).
    stolen_weapon_equipped : bool
        A snatched weapon is put on at once (the programs) instead of going to the hand, where it is discarded at the
        end of the turn because equipping came first (the text, §4.2.2).
    rebels_attack_renegades : bool
        Once revealed, a rebel who cannot reach the lord attacks a renegade in reach at random (the text, §4.2.1)
        instead of passing (the programs).
    opening : {"two dodges", "four cards"} or tuple of four int
        The hands before the first turn: two dodges each (§4.1 and the programs), or the dodges among four random
        cards (equation 3.2; the other cards have no place in the state and are laid aside), or the number of dodges of
        lord, loyalists, rebels and renegades. Nobody holds more than hearts.
    deck : tuple of six int
        Number of cards of each kind, in the order of `Card`; drawing is with replacement.
    health : tuple of four int
        Hearts of lord, loyalists, rebels and renegades before the first turn, 1 to 4; no peach gives more.
    draws : int
        Cards drawn in a turn, 1 to 4; at most one slash is played all the same.
    reach : tuple of two int
        The largest distance of a target without and with a weapon.
    first : {"lord", "after the lord"}
        Who has the first turn.
    """

    snatch_any_distance: bool = True
    stolen_weapon_equipped: bool = True
    rebels_attack_renegades: bool = False
    opening: str | tuple[int, ...] = "two dodges"
    deck: tuple[int, ...] = REPORT_DECK
    health: tuple[int, ...] = (MAX_HEALTH,) * 4
    draws: int = 2
    reach: tuple[int, ...] = REPORT_REACH
    first: str = "lord"

    def __post_init__(self):
        check_fields(self, but=["deck", "opening", "health", "draws", "reach"])
        if isinstance(self.opening, str):
            one_of("opening", self.opening, OPENINGS)
        else:
            self._keep_numbers("opening", 4, 0, MAX_HEALTH, f"{', '.join(map(repr, OPENINGS))}, or ")
        self._keep_numbers("health", 4, 1, MAX_HEALTH)
        self._keep_numbers("reach", 2, 1, None)
        whole_number("draws", self.draws, 1, MOST_DRAWS)
        one_of("first", self.first, FIRST_TURNS)
        try:
            object.__setattr__(self, "deck", tuple(whole_number("deck", count) for count in self.deck))
        except (TypeError, ValueError):
            self._refuse_deck()
        if len(self.deck) != len(Card) or self.deck[Card.SLASH] == 0:
            self._refuse_deck()

    def _keep_numbers(self, name: str, count: int, least: int, most: int | None, instead: str = "") -> None:
        """Keep a field as a tuple of whole numbers, if it holds so many between these."""
        given = getattr(self, name)
        try:
            numbers = tuple(whole_number(name, value, least, most) for value in listed(name, given))
        except ValueError:
            numbers = ()
        if len(numbers) != count:
            between = f"{least} or more" if most is None else f"{least} to {most}"
            raise ValueError(f"{name} = {shown(given)}: {instead}{count} whole numbers, {between}, are needed")
        object.__setattr__(self, name, numbers)

    def _refuse_deck(self) -> None:
        names = ", ".join(card.name.lower() for card in Card)
        raise ValueError(
            f"deck = {shown(self.deck)}: six whole numbers, 0 or more, in the order {names}, at least one slash"
        ) from None

    @property
    def hands(self) -> tuple[tuple[Card, ...], ...]:
        """What a turn can start with: `CARD_PAIRS`, where two cards are drawn."""
        return hands_of(self.draws)

    @cached_property
    def hand_probability(self) -> tuple[Fraction, ...]:
        """Probability of each of `hands`, as exact fractions that sum to 1."""
        total = sum(self.deck) ** self.draws
        return tuple(
            Fraction(_orders(hand) * prod(self.deck[card] for card in hand), total) for hand in hands_of(self.draws)
        )

    def opening_probability(self, role: int) -> tuple[Fraction, ...]:
        """Probability that a player of this role has 0, 1, … `MAX_HEALTH` dodges before the first turn, as fractions.

        Whoever is dealt more dodges than hearts lays the rest aside.
        """
        chances = [Fraction(0)] * (MAX_HEALTH + 1)
        for dodges, chance in self._dealt(role).items():
            chances[min(dodges, self.health[role])] += chance
        return tuple(chances)

    def _dealt(self, role: int) -> dict[int, Fraction]:
        if self.opening == "four cards":
            share = Fraction(self.deck[Card.DODGE], sum(self.deck))
            return {n: ways * share**n * (1 - share) ** (4 - n) for n, ways in enumerate((1, 4, 6, 4, 1))}
        return {OPENING_DODGES if isinstance(self.opening, str) else self.opening[role]: Fraction(1)}

    def first_seat(self, players: int) -> int:
        """The seat that has the first turn; the lord's is 0."""
        return FIRST_TURNS.index(self.first) % players


def _orders(hand: tuple[Card, ...]) -> int:
    """In how many orders a hand can be drawn."""
    return factorial(len(hand)) // prod(map(factorial, Counter(hand).values()))


def check_rules(rules: Rules) -> Rules:
    """`rules` itself, if it is a `Rules`; else ValueError."""
    if not isinstance(rules, Rules):
        raise ValueError(f"rules = {shown(rules)}: a Rules object is needed, such as AS_CODED or AS_WRITTEN")
    return rules


#: The rules that the report's Monte Carlo program plays, and so the rules of its tables.
AS_CODED = Rules()

#: The rules that the report's §2 to §4 describe.
AS_WRITTEN = Rules(snatch_any_distance=False, stolen_weapon_equipped=False, rebels_attack_renegades=True)

#: Both, by the name that notebooks and commands take.
RULES = {"as-coded": AS_CODED, "as-written": AS_WRITTEN}
