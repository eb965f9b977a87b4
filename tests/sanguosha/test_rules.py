"""The cards, the two readings of the rules, what they imply for the first hand and a draw, and what is refused."""

from dataclasses import asdict, replace
from fractions import Fraction
from itertools import product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamebalance.sanguosha import AS_CODED, AS_WRITTEN, RULES, Card, Rules
from gamebalance.sanguosha.rules import (
    CARD_PAIRS,
    FIRST_TURNS,
    MAX_HEALTH,
    OPENING_DODGES,
    OPENINGS,
    REPORT_DECK,
)
from tests.refusals import refused

decks = st.tuples(*[st.integers(0, 40)] * 5, st.integers(1, 40))


def test_the_two_readings():
    assert RULES == {"as-coded": AS_CODED, "as-written": AS_WRITTEN}
    assert (MAX_HEALTH, OPENING_DODGES, OPENINGS) == (4, 2, ("two dodges", "four cards"))
    assert FIRST_TURNS == ("lord", "after the lord")
    assert asdict(AS_CODED) == {
        "snatch_any_distance": True,
        "stolen_weapon_equipped": True,
        "rebels_attack_renegades": False,
        "opening": "two dodges",
        "deck": (15, 8, 7, 5, 6, 30),
        "health": (4, 4, 4, 4),
        "draws": 2,
        "reach": (1, 3),
        "first": "lord",
    }
    assert asdict(AS_WRITTEN) == asdict(AS_CODED) | {
        "snatch_any_distance": False,
        "stolen_weapon_equipped": False,
        "rebels_attack_renegades": True,
    }


def test_example_6_1_draws_a_slash_and_a_peach():
    """The report's Example 6.1 counts one order, 30/71 x 8/71; a pair here stands for both orders."""
    pair = CARD_PAIRS.index((Card.PEACH, Card.SLASH))
    assert AS_CODED.hand_probability[pair] == 2 * Fraction(30, 71) * Fraction(8, 71)


def test_draws_and_hands_from_a_small_deck():
    """A dodge, two peaches, a slash: two of four cards in a row, put back; four cards hold 0 to 4 dodges."""
    rules = Rules(deck=(1, 2, 0, 0, 0, 1), opening="four cards")
    chances = {tuple(map(int, pair)): chance for pair, chance in zip(CARD_PAIRS, rules.hand_probability, strict=True)}
    found = {pair: 16 * chance for pair, chance in chances.items() if chance}
    assert found == {(0, 0): 1, (0, 1): 4, (0, 5): 2, (1, 1): 4, (1, 5): 4, (5, 5): 1}
    assert rules.opening_probability(0) == tuple(Fraction(ways, 256) for ways in (81, 108, 54, 12, 1))
    assert Rules().opening_probability(1) == (0, 0, 1, 0, 0) and REPORT_DECK == Rules().deck


@given(decks)
def test_pairs_are_two_independent_draws(deck):
    chances = dict.fromkeys(CARD_PAIRS, Fraction(0))
    for first, second in product(Card, repeat=2):
        chances[min(first, second), max(first, second)] += Fraction(deck[first] * deck[second], sum(deck) ** 2)
    assert Rules(deck=deck).hand_probability == tuple(chances.values())
    assert sum(chances.values()) == 1


@given(decks)
def test_first_hand_of_four_cards_is_binomial(deck):
    p = Fraction(deck[Card.DODGE], sum(deck))
    expected = tuple(comb(4, k) * p**k * (1 - p) ** (4 - k) for k in range(5))
    assert Rules(deck=deck, opening="four cards").opening_probability(2) == expected
    assert sum(expected) == 1
    assert Rules(deck=deck).opening_probability(3) == (0, 0, 1, 0, 0)


def test_opening_hands_by_role():
    """Whoever is dealt more dodges than hearts lays the rest aside."""

    def dodges(**rules):
        return [Rules(**rules).opening_probability(role) for role in range(4)]

    def surely(*numbers):
        return [tuple(int(n == number) for n in range(5)) for number in numbers]

    assert dodges(opening=[0, 3, 4, 1]) == surely(0, 3, 4, 1)
    assert dodges(opening=(4, 3, 4, 0), health=(4, 3, 2, 1)) == surely(4, 3, 2, 0)
    assert dodges(health=(4, 2, 1, 3)) == surely(2, 2, 1, 2)
    few = dodges(deck=(1, 2, 0, 0, 0, 1), opening="four cards", health=(4, 3, 2, 1))
    assert [[int(256 * chance) for chance in chances] for chances in few] == [
        [81, 108, 54, 12, 1],
        [81, 108, 54, 13, 0],
        [81, 108, 67, 0, 0],
        [81, 175, 0, 0, 0],
    ]


def test_who_begins():
    assert [AS_CODED.first_seat(players) for players in (1, 2, 10)] == [0, 0, 0]
    assert [Rules(first="after the lord").first_seat(players) for players in (1, 2, 10)] == [0, 1, 1]


def test_rules_are_keys():
    """Caches hang on it: equal rules are one key, however the deck was given."""
    assert replace(AS_CODED, deck=list(REPORT_DECK)) == AS_CODED
    assert len({AS_CODED, AS_WRITTEN, Rules(deck=[1] * 6), Rules(deck=(1,) * 6)}) == 3


REFUSED = {
    "deck": [5, (1, 1, 1, 1, 1, 0), (1,) * 5, (1,) * 7, (1, 1, -1, 1, 1, 1)],
    "opening": ["dodges", 7, (2, 2, 2), (2, 2, 2, 2.0), (-1, 2, 2, 2), (0, 1, 2, 5)],
    "health": [7, (2, 2, 2), (2, 2, 2, 2.0), (4, 4, 4, 0), (5, 4, 4, 4)],
    "reach": [1, (0, 3)],
    "draws": [0, 5, 2**63],
    "first": ["rebel"],
    "stolen_weapon_equipped": [1],
}


@pytest.mark.parametrize(("name", "given"), [(name, given) for name, all_of in REFUSED.items() for given in all_of])
def test_what_is_refused(name, given):
    with refused(f"{name} = {given!r}: "):
        Rules(**{name: given})


def test_what_is_just_allowed():
    assert Rules(deck=(0, 0, 0, 0, 0, 1)).hand_probability[-1] == 1 and Rules(opening=[4, 0, 4, 0]).opening == (
        4,
        0,
        4,
        0,
    )
    assert Rules(health=[1, 4, 1, 4], reach=[1, 99]).reach == (1, 99)
    assert [len(Rules(draws=draws).hands) for draws in (1, 4)] == [6, 126]
