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
    check_rules,
)

decks = st.tuples(*[st.integers(0, 40)] * 5, st.integers(1, 40))


def test_the_six_cards():
    assert [(card.name, int(card), card.english, card.chinese) for card in Card] == [
        ("DODGE", 0, "Dodge", "闪"),
        ("PEACH", 1, "Peach", "桃"),
        ("WEAPON", 2, "Weapon", "武器"),
        ("SNATCH", 3, "Snatch", "顺手牵羊"),
        ("DISMANTLE", 4, "Dismantle", "过河拆桥"),
        ("SLASH", 5, "Slash", "杀"),
    ]
    assert str(Card.PEACH) == "Peach 桃"
    assert [tuple(map(int, pair)) for pair in CARD_PAIRS] == [(i, j) for i in range(6) for j in range(i, 6)]


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


#: Neither four hearts nor four dodges.
WRONG = (7, (2, 2, 2), (2,) * 5, (2, 2, 2, 2.0), (-1, 2, 2, 2))
HEALTH = "4 whole numbers, 1 to 4, are needed"
OPENING = "'two dodges', 'four cards', or 4 whole numbers, 0 to 4, are needed"
DECK = "six whole numbers, 0 or more, in the order dodge, peach, weapon, snatch, dismantle, slash, at least one slash"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Rules(deck=5), f"deck = 5: {DECK}"),
        (lambda: Rules(deck=(1, 1, 1, 1, 1, 0)), f"deck = (1, 1, 1, 1, 1, 0): {DECK}"),
        (lambda: Rules(deck=(1, 1, 1, 1, 1)), f"deck = (1, 1, 1, 1, 1): {DECK}"),
        (lambda: Rules(deck=(1, 1, 1, 1, 1, 1, 1)), f"deck = (1, 1, 1, 1, 1, 1, 1): {DECK}"),
        (lambda: Rules(deck=(1, 1, -1, 1, 1, 1)), f"deck = (1, 1, -1, 1, 1, 1): {DECK}"),
        (lambda: Rules(opening="dodges"), "opening = 'dodges': one of 'two dodges', 'four cards' is needed"),
        (lambda: Rules(stolen_weapon_equipped=1), "stolen_weapon_equipped = 1: True or False is needed"),
        *[(lambda given=given: Rules(opening=given), f"opening = {given}: {OPENING}") for given in WRONG],
        (lambda: Rules(opening=(0, 1, 2, 5)), f"opening = (0, 1, 2, 5): {OPENING}"),
        *[(lambda given=given: Rules(health=given), f"health = {given}: {HEALTH}") for given in WRONG],
        (lambda: Rules(health=(4, 4, 4, 0)), f"health = (4, 4, 4, 0): {HEALTH}"),
        (lambda: Rules(health=[5, 4, 4, 4]), f"health = [5, 4, 4, 4]: {HEALTH}"),
        (lambda: Rules(reach=1), "reach = 1: 2 whole numbers, 1 or more, are needed"),
        (lambda: Rules(reach=(0, 3)), "reach = (0, 3): 2 whole numbers, 1 or more, are needed"),
        (lambda: Rules(draws=0), "draws = 0: a whole number from 1 to 4 is needed"),
        (lambda: Rules(draws=5), "draws = 5: a whole number from 1 to 4 is needed"),
        (lambda: Rules(draws=2**63), f"draws = {2**63}: a whole number from 1 to 4 is needed"),
        (lambda: Rules(first="rebel"), "first = 'rebel': one of 'lord', 'after the lord' is needed"),
        (lambda: check_rules("coded"), "rules = 'coded': a Rules object is needed, such as AS_CODED or AS_WRITTEN"),
    ],
)
def test_what_is_refused(call, message):
    with pytest.raises(ValueError) as refused:
        call()
    assert str(refused.value) == message and refused.value.__cause__ is None
    assert refused.value.__suppress_context__ == message.startswith("deck")


def test_what_is_just_allowed():
    assert check_rules(AS_WRITTEN) is AS_WRITTEN
    assert Rules(deck=(0, 0, 0, 0, 0, 1)).hand_probability[-1] == 1
    assert Rules(deck=[1] * 6, opening="four cards").deck == (1,) * 6
    assert Rules(opening=[4, 0, 4, 0]).opening == (4, 0, 4, 0) and Rules(health=[1, 4, 1, 4]).health == (1, 4, 1, 4)
    assert Rules(reach=[1, 99]).reach == (1, 99) and [len(Rules(draws=draws).hands) for draws in (1, 4)] == [6, 126]
