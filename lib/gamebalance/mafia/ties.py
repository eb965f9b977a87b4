"""How many leave when everybody votes for somebody: exact chances of ties when all votes are cast at random."""

from fractions import Fraction
from functools import cache
from math import comb

from gamebalance.base.checks import one_of, whole_number
from gamebalance.mafia.rules import TIES

#: Ballots of more people than this take too long to count.
MOST_VOTERS = 40


@cache
def tied(voters: int, candidates: int) -> tuple[Fraction, ...]:
    """The chances that 0, 1, 2, … of the candidates have most votes.

    Each voter votes for one candidate, all equally likely. The candidates vote, too, but not for themselves; a sole
    candidate does not vote, and has most votes without any.

    Parameters
    ----------
    voters : int
        1 to 40, the candidates among them.
    candidates : int
        1 to `voters`.

    Notes
    -----
    Ballots are counted by exponential generating functions: x^k / k! for a candidate with k votes, with inclusion and
    exclusion of those who vote for themselves.

    Examples
    --------
    >>> tied(3, 3)
    (Fraction(0, 1), Fraction(3, 4), Fraction(0, 1), Fraction(1, 4))
    """
    whole_number("voters", voters, 1, MOST_VOTERS)
    whole_number("candidates", candidates, 1, voters)
    if candidates == 1:
        return Fraction(0), Fraction(1)
    ballots = (candidates - 1) ** candidates * candidates ** (voters - candidates)
    counts = [0] * (candidates + 1)
    for most in range(-(-voters // candidates), voters + 1):
        for first in range(1, min(candidates, voters // most) + 1):
            counts[first] += comb(candidates, first) * _ballots(voters, candidates, first, most)
    return tuple(Fraction(count, ballots) for count in counts)


def _ballots(voters: int, candidates: int, first: int, most: int) -> int:
    """Number of ballots in which certain candidates, so many of them `first`, get `most` votes, all others fewer."""
    others, total = candidates - first, 0
    for own_first in range(first + 1):  # of these, so many are made to vote for themselves
        for own in range(others + 1):
            free = voters - own_first - own
            given = [most - 1] * own_first + [most] * (first - own_first)
            left = free - sum(given)
            if free < 0 or left < 0:
                continue
            ways = _fewer(most, own, others - own, voters)[left]
            for votes in given:
                left += votes
                ways *= comb(left, votes)
            total += (-1) ** (own_first + own) * comb(first, own_first) * comb(others, own) * ways
    return total


@cache
def _fewer(most: int, own: int, others: int, voters: int) -> tuple[int, ...]:
    """In how many ways 0 to `voters` people vote for candidates who all stay below `most` votes, `own` with their own.

    Those with their own vote get at most `most` - 2 from others.
    """
    if own + others == 0:
        return (1, *[0] * voters)
    before = _fewer(most, own - 1, others, voters) if own else _fewer(most, own, others - 1, voters)
    limit = most - 2 if own else most - 1
    return tuple(
        sum(comb(count, votes) * before[count - votes] for votes in range(min(limit, count) + 1))
        for count in range(voters + 1)
    )


@cache
def leaving(voters: int, candidates: int, ties: str) -> tuple[Fraction, ...]:
    """The chances that 0, 1, 2, … candidates leave after a vote, under a rule of `mafia.rules.TIES`.

    >>> leaving(3, 3, "nobody")
    (Fraction(1, 4), Fraction(3, 4))
    """
    if one_of("ties", ties, TIES) == "lot":
        return Fraction(0), Fraction(1)
    chances = tied(voters, candidates)
    if ties == "nobody":
        return 1 - chances[1], chances[1]
    if ties == "all":
        return chances
    leave = [Fraction(0)] * (candidates + 1)
    leave[1] = chances[1]
    for first, chance in enumerate(chances):
        if first > 1 and chance:
            for again, part in enumerate(tied(voters, first)):
                leave[again if again == 1 or ties == "again, then all" else 0] += chance * part
    return tuple(leave if ties == "again, then all" else leave[:2])
