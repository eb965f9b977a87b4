"""Kuhn poker for two by its rules alone: every pure strategy against a mixed one, without trees."""

from itertools import permutations, product

import numpy as np

#: A bet or not by card, where nothing was bet and where it was; for each player the same 64.
PURE = tuple(product((0, 1), repeat=6))


def won(cards, bets):
    """What the first player wins, from the cards and the chances of both to bet: (first, after a bet) by card."""
    (mine, theirs), (first, second) = cards, bets
    sign = 1 if mine > theirs else -1
    bet, answer = first[mine], second[3 + theirs]  # a bet, and what the second answers
    later, call = second[theirs], first[3 + mine]  # a bet of the second after a pass, and what the first answers
    after_pass = later * (call * 2 * sign - (1 - call)) + (1 - later) * sign
    return bet * (answer * 2 * sign + (1 - answer)) + (1 - bet) * after_pass


def chances(player, profile):
    """A profile's chances to bet of one player, as `won` wants them."""
    asked = ("", "pb") if player == 0 else ("p", "b")
    return [profile[f"{card}{seen}"].get("b", 0.0) for seen in asked for card in range(3)]


def payoffs(player, profile):
    """What each pure strategy of a player wins against the profile's other player, shape (64,)."""
    other = chances(1 - player, profile)
    return np.array([value(player, own, other) for own in PURE])


def value(player, own, other):
    """What a player wins with some chances to bet against the other's."""
    both = (own, other) if player == 0 else (other, own)
    total = sum(won(cards, both) for cards in permutations(range(3), 2)) / 6
    return total if player == 0 else -total
