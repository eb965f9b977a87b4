"""The cards, the two readings of the rules, and what they imply for the first hand and a draw."""

import re
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from itertools import product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamebalance.sanguosha import AS_CODED, AS_WRITTEN, Card, Rules
from gamebalance.sanguosha.rules import CARD_PAIRS, REPORT_DECK

decks = st.tuples(*[st.integers(0, 40)] * 5, st.integers(1, 40))


def test_the_deck_of_the_report():
    shares = {"dodge": 15, "peach": 8, "weapon": 7, "snatch": 5, "dismantle": 6, "slash": 30}
    assert {card.name.lower(): REPORT_DECK[card] for card in Card} == shares
    assert sum(REPORT_DECK) == 71
    assert [str(card) for card in Card] == [
        "Dodge 闪", "Peach 桃", "Weapon 武器", "Snatch 顺手牵羊", "Dismantle 过河拆桥", "Slash 杀"
    ]  # fmt: skip


def test_every_difference_of_text_and_programs_is_a_field():
    differences = {
        field.name for field in fields(Rules) if getattr(AS_CODED, field.name) != getattr(AS_WRITTEN, field.name)
    }
    assert differences == {"snatch_any_distance", "stolen_weapon_equipped", "rebels_attack_renegades"}
    assert AS_CODED == Rules() and AS_CODED.snatch_any_distance and AS_CODED.stolen_weapon_equipped
    assert AS_CODED.opening == AS_WRITTEN.opening == "two dodges"  # both: §3 says four cards, §4.1 overrides it


def test_example_6_1_draws_a_slash_and_a_peach():
    """The report's Example 6.1 counts one order, 30/71 x 8/71; a pair here stands for both orders."""
    pair = CARD_PAIRS.index((Card.PEACH, Card.SLASH))
    assert AS_CODED.pair_probability[pair] == 2 * Fraction(30, 71) * Fraction(8, 71)


@given(decks)
def test_pairs_are_two_independent_draws(deck):
    chances = dict.fromkeys(CARD_PAIRS, Fraction(0))
    for first, second in product(Card, repeat=2):
        chances[min(first, second), max(first, second)] += Fraction(deck[first] * deck[second], sum(deck) ** 2)
    assert Rules(deck=deck).pair_probability == tuple(chances.values())
    assert sum(chances.values()) == 1


@given(decks)
def test_first_hand_of_four_cards_is_binomial(deck):
    p = Fraction(deck[Card.DODGE], sum(deck))
    expected = tuple(comb(4, k) * p**k * (1 - p) ** (4 - k) for k in range(5))
    assert Rules(deck=deck, opening="four cards").opening_probability == expected
    assert sum(expected) == 1
    assert Rules(deck=deck).opening_probability == (0, 0, 1, 0, 0)


def test_rules_are_keys():
    """Caches hang on it: equal rules are one key, however the deck was given."""
    assert replace(AS_CODED, deck=list(REPORT_DECK)) == AS_CODED
    assert len({AS_CODED, AS_WRITTEN, Rules(deck=[1] * 6), Rules(deck=(1,) * 6)}) == 3


@pytest.mark.parametrize("field", ["snatch_any_distance", "stolen_weapon_equipped", "rebels_attack_renegades"])
@pytest.mark.parametrize("value", [None, 0, "yes"])
def test_switches_are_true_or_false(field, value):
    with pytest.raises(ValueError, match=f"^{field} = {value!r}: True or False"):
        Rules(**{field: value})


@dataclass(frozen=True)
class MoreRules(Rules):
    """New fields of every kind, as a reader would add them."""

    lucky: bool = False
    rounds: int = 3
    share: float = 0.5
    name: str = "mine"
    seats: tuple = ()


@pytest.mark.parametrize(
    ("field", "value", "needed"),
    [
        ("lucky", "yes", "True or False"),
        ("lucky", 1, "True or False"),
        ("rounds", True, "a whole number"),
        ("rounds", 2.5, "a whole number"),
        ("share", "half", "a finite number"),
        ("share", float("nan"), "a finite number"),
        ("share", True, "a finite number"),
        ("name", 7, "text"),
        ("seats", [1, 2], "a value that cannot change"),
    ],
)
def test_new_fields_are_checked_by_their_type(field, value, needed):
    with pytest.raises(ValueError, match=re.escape(f"{field} = {value!r}: {needed}")) as refusal:
        MoreRules(**{field: value})
    assert "\n" not in str(refusal.value)


def test_new_fields_hold_what_they_are_declared_to_hold():
    rules = MoreRules(lucky=True, rounds=-2, share=1, name="", seats=(1, 2))
    assert (rules.lucky, rules.rounds, rules.share, rules.name, rules.seats) == (True, -2, 1, "", (1, 2))
    assert hash(rules) == hash(MoreRules(True, seats=(1, 2), lucky=True, rounds=-2, share=1, name=""))
