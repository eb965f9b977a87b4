"""Random words, and how they become cards, targets, seatings and first hands: by exact counting, not by sampling."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamebalance.base.splitmix import GOLDEN, mix
from gamebalance.sanguosha import AS_CODED, LINEUPS, Rules, Seating
from gamebalance.sanguosha.rules import CARD_PAIRS
from gamebalance.sanguosha.stream import Stream, alias_table, opening_limits
from tests.sanguosha.reference import xoshiro128pp

seeds, games = st.integers(0, 2**63 - 1), st.integers(0, 2**40)
decks = st.tuples(*[st.integers(0, 60)] * 5, st.integers(1, 60))


class Fixed(Stream):
    """A stream whose words are given."""

    def __init__(self, *words):
        self._words = list(words)

    def word(self):
        return self._words.pop(0)


def ceil(numerator, denominator):
    return -(-numerator // denominator)


def state_of(stream):
    return list(stream._state)


def test_known_answers_of_the_generator():
    """xoshiro128++ from the state 1, 2, 3, 4: the values published with its implementations."""
    published = [641, 1573767, 3222811527, 3517856514, 836907274, 4247214768, 3867114732, 1355841295]
    assert xoshiro128pp([1, 2, 3, 4], 8) == published
    stream = Stream(0)
    stream._state = [1, 2, 3, 4]
    assert [stream.word() for _ in published] == published


def test_known_answers_of_the_seeding():
    """splitmix64 from the seed 1234567."""
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    assert [mix(1234567 + GOLDEN * place) for place in range(1, 5)] == published


@given(seeds, games)
def test_the_python_stream_is_the_generator(seed, game):
    stream = Stream(seed, game)
    expected = xoshiro128pp(state_of(stream), 20)
    assert [stream.word() for _ in range(20)] == expected
    assert len(set(expected)) > 15


def implied(rules):
    """Probability of each card pair that the alias table gives, exactly."""
    chances = [Fraction(0)] * 32
    for column, entry in enumerate(alias_table(rules.hand_probability).tolist()):
        keep = Fraction(entry >> 5, 2**27)
        chances[column] += keep / 32
        chances[entry & 31] += (1 - keep) / 32
    assert not any(chances[len(CARD_PAIRS) :])
    return chances[: len(CARD_PAIRS)]


@given(decks)
def test_cards_have_their_probability(deck):
    """Each within 2^-30, as `alias_table` promises; a pair that cannot be drawn never is."""
    rules = Rules(deck=deck)
    for exact, given_chance in zip(rules.hand_probability, implied(rules), strict=True):
        assert abs(exact - given_chance) < Fraction(1, 2**30)
        assert exact or not given_chance


def uniformity_error(choices, bits):
    """Total variation between uniform and `word * choices >> bits` for a uniform word of so many bits."""
    edges = [ceil(place << bits, choices) for place in range(choices + 1)]
    shares = [Fraction(last - first, 2**bits) for first, last in pairwise(edges)]
    assert sum(shares) == 1
    assert all(abs(share - Fraction(1, choices)) < Fraction(1, 2**bits) for share in shares)
    return sum(abs(share - Fraction(1, choices)) for share in shares) / 2


def test_one_turn_is_within_2e_8_of_its_distribution():
    """The claim of `simulate`: cards and target together, at most six candidates, in total variation."""
    cards = sum(abs(a - b) for a, b in zip(AS_CODED.hand_probability, implied(AS_CODED), strict=True)) / 2
    target = max(uniformity_error(choices, 28) for choices in range(1, 7))
    assert cards + target < 2e-8
    assert cards > 0  # it is a bound, not a coincidence: 71^2 is no power of two


@pytest.mark.parametrize("choices", range(1, 10))
def test_targets_are_uniform(choices):
    """The words that select each candidate are one stretch of equal length, up to one in 2^28."""
    uniformity_error(choices, 28)
    seats = list(range(10, 10 + choices))
    for place in range(choices):
        first, last = (ceil(edge << 28, choices) for edge in (place, place + 1))
        assert Fixed(first << 4).choose(seats) == Fixed((last << 4) - 1).choose(seats) == seats[place]


@pytest.mark.parametrize("lineup", LINEUPS, ids=str)
def test_seatings_are_uniform(lineup):
    seatings = lineup.seatings()
    assert 2 * uniformity_error(len(seatings), 32) < Fraction(1680, 2**32)
    for place in {0, 1, len(seatings) // 2, len(seatings) - 1}:
        first, last = (ceil(edge << 32, len(seatings)) for edge in (place, place + 1))
        assert Fixed(first).seating(lineup) == Fixed(last - 1).seating(lineup) == seatings[place]


@given(decks)
def test_first_hands_have_their_probability(deck):
    rules = Rules(deck=deck, opening="four cards")
    limits = [0, *opening_limits(rules)[0], 2**32]
    for dodges, (first, last) in enumerate(pairwise(limits)):
        assert abs(Fraction(last - first, 2**32) - rules.opening_probability(0)[dodges]) <= Fraction(1, 2**32)
        if first < last:
            assert Fixed(first, last - 1).opening(Seating("02"), rules) == [dodges, dodges]
