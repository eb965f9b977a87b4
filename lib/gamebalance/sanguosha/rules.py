"""The cards and the points on which the report's text and its programs disagree."""

from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from functools import cached_property

from gamebalance.base.checks import check_fields, shown, whole_number

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

#: The 21 unordered pairs of cards that a turn can start with.
CARD_PAIRS = tuple((first, second) for first in Card for second in Card if first <= second)


@dataclass(frozen=True)
class Rules:
    """One reading of the simplified game; every difference between the report's text and its programs is a field.

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
    opening : {"two dodges", "four cards"}
        The hands before the first turn: two dodges each (§4.1 and the programs), or the dodges among four random
        cards (equation 3.2; the other cards have no place in the state and are laid aside).
    deck : tuple of six int
        Number of cards of each kind, in the order of `Card`; drawing is with replacement.

    Raises
    ------
    ValueError
        If a field has a value that is not allowed. Every field is checked against the type that it is declared with
        (bool, int, float, str), a new one too.
    """

    snatch_any_distance: bool = True
    stolen_weapon_equipped: bool = True
    rebels_attack_renegades: bool = False
    opening: str = "two dodges"
    deck: tuple[int, ...] = REPORT_DECK

    def __post_init__(self):
        if self.opening not in OPENINGS:
            raise ValueError(f"opening = {shown(self.opening)}: one of {', '.join(map(repr, OPENINGS))} is needed")
        check_fields(self, but=["deck"])
        try:
            object.__setattr__(self, "deck", tuple(whole_number("deck", count) for count in self.deck))
        except (TypeError, ValueError):
            self._refuse_deck()
        if len(self.deck) != len(Card) or self.deck[Card.SLASH] == 0:
            self._refuse_deck()

    def _refuse_deck(self) -> None:
        names = ", ".join(card.name.lower() for card in Card)
        raise ValueError(
            f"deck = {shown(self.deck)}: six whole numbers, 0 or more, in the order {names}, at least one slash"
        ) from None

    @cached_property
    def pair_probability(self) -> tuple[Fraction, ...]:
        """Probability of each of `CARD_PAIRS` when two cards are drawn, as exact fractions that sum to 1."""
        total = sum(self.deck)
        return tuple(
            Fraction(self.deck[first] * self.deck[second] * (1 if first == second else 2), total * total)
            for first, second in CARD_PAIRS
        )

    @cached_property
    def opening_probability(self) -> tuple[Fraction, ...]:
        """Probability of 0, 1, … `MAX_HEALTH` dodges before the first turn, as exact fractions."""
        if self.opening == "two dodges":
            return tuple(Fraction(int(dodges == OPENING_DODGES)) for dodges in range(MAX_HEALTH + 1))
        share, spread = Fraction(self.deck[Card.DODGE], sum(self.deck)), (1, 4, 6, 4, 1)
        return tuple(ways * share**dodges * (1 - share) ** (4 - dodges) for dodges, ways in enumerate(spread))


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
