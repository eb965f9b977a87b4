"""How many leave after a vote, against every ballot that can be cast."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from gamebalance.mafia.rules import TIES
from gamebalance.mafia.ties import leaving, tied
from tests.refusals import refused


def by_hand(voters, candidates):
    """Count all ballots: the first voters are the candidates, who do not vote for themselves."""
    own = [[k for k in range(candidates) if k != voter] for voter in range(candidates)]
    counts = Counter()
    for ballot in product(*own, *[range(candidates)] * (voters - candidates)):
        votes = Counter(ballot).values()
        counts[sum(vote == max(votes) for vote in votes)] += 1
    return tuple(Fraction(counts[many], counts.total()) for many in range(candidates + 1))


@pytest.mark.parametrize("voters", range(2, 7))
def test_all_ballots(voters):
    for candidates in range(2, voters + 1):
        assert tied(voters, candidates) == by_hand(voters, candidates)


def test_one_candidate_needs_no_vote():
    assert tied(1, 1) == tied(9, 1) == (0, 1)
    assert all(leaving(9, 1, ties) == (0, 1) for ties in TIES)


@pytest.mark.parametrize("voters", range(2, 7))
def test_one_vote_and_a_second_among_those_in_the_tie(voters):
    """From the ballots themselves, the second cast by all who live for those in the tie."""
    for candidates in range(2, voters + 1):
        chances = by_hand(voters, candidates)
        assert leaving(voters, candidates, "lot") == (0, 1) and leaving(voters, candidates, "all") == chances
        assert leaving(voters, candidates, "nobody") == (1 - chances[1], chances[1])
    first = by_hand(voters, voters)
    again = {many: by_hand(voters, many) for many in range(2, voters + 1)}
    everyone = [Fraction(0)] * (voters + 1)
    everyone[1] = first[1]
    for many, chances in again.items():
        for left, chance in enumerate(chances):
            everyone[left] += first[many] * chance
    assert leaving(voters, voters, "again, then all") == tuple(everyone)
    assert leaving(voters, voters, "again, then nobody") == (1 - everyone[1], everyone[1])


def test_large_towns_are_distributions():
    for voters, candidates in ((20, 20), (40, 7)):
        chances = tied(voters, candidates)
        assert sum(chances) == 1 and min(chances) >= 0 and len(chances) == candidates + 1


def test_what_is_refused():
    with refused("voters = 41", "from 1 to 40"):
        tied(41, 3)
    with refused("candidates = 4", "from 1 to 3"):
        tied(3, 4)
    with refused("ties = 'coin'", "'lot'"):
        leaving(3, 3, "coin")
