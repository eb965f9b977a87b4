"""Cooperative games with known answers: gloves, votes, runways, estates, deposits, and games drawn by chance."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np

from gamebalance.base.checks import check_seed, one_of, shown, whole_number
from gamebalance.base.kinds import Real
from gamebalance.multiplayer.cooperative import TUGame
from gamebalance.multiplayer.cooperative.worths import MOST_PLAYERS, read_number

#: Claims of the three creditors in the Mishnah (Ketubot 93a), and the estates whose division it states.
TALMUD_CLAIMS = (100, 200, 300)
TALMUD_ESTATES = (100, 200, 300)

#: Random games: independent worths; or every pair of players likes or hurts each other.
RANDOM_KINDS = ("independent", "pairs")


def glove_market(left: int, right: int) -> TUGame:
    """Owners of one left and of one right glove each; a pair is worth 1 (Shapley and Shubik 1969)."""
    whole_number("left", left, 0, MOST_PLAYERS)
    whole_number("right", right, 0, MOST_PLAYERS - left)
    players = [f"L{number + 1}" for number in range(left)] + [f"R{number + 1}" for number in range(right)]

    def pairs(coalition: frozenset) -> int:
        lefts = sum(player.startswith("L") for player in coalition)
        return min(lefts, len(coalition) - lefts)

    return TUGame(players, pairs)


def majority(players: int = 3) -> TUGame:
    """More than half of the players, numbered from 1, win 1."""
    whole_number("players", players, 1, MOST_PLAYERS)
    return TUGame(range(1, players + 1), lambda coalition: int(2 * len(coalition) > players))


def weighted_voting(quota: Real, weights: Sequence[Real]) -> TUGame:
    """Coalitions whose weights (0 or more) reach the quota (above 0) win 1; players are numbered from 1."""
    named = _amounts("weights", weights)
    needed, _ = read_number("quota", quota)
    if needed <= 0:
        raise ValueError(f"quota = {shown(quota)}: a number above 0 is needed")
    return TUGame(named, lambda coalition: int(sum(named[player] for player in coalition) >= needed))


def apex(players: int = 5) -> TUGame:
    """The first player wins 1 with anybody else; without the first, all the others together do."""
    whole_number("players", players, 3, MOST_PLAYERS)
    return weighted_voting(players - 1, [players - 2] + [1] * (players - 1))


def airport(costs: Sequence[Real]) -> TUGame:
    """Airlines that share a runway as long as the most demanding of them needs (Littlechild and Owen 1973).

    A coalition is worth minus its greatest cost; payoffs are minus the shares of the cost. Players are numbered from 1.
    """
    named = _amounts("costs", costs)
    return TUGame(named, lambda coalition: -max(named[player] for player in coalition))


def bankruptcy(estate: Real, claims: Sequence[Real]) -> TUGame:
    """What is left of an estate when all others have been paid their claims, if anything (O'Neill 1982)."""
    named = _amounts("claims", claims)
    amount, _ = read_number("estate", estate)
    if not 0 <= amount <= sum(named.values()):
        raise ValueError(f"estate = {shown(estate)}: from 0 to the sum of the claims is allowed")

    def left_over(coalition: frozenset) -> Fraction:
        return max(Fraction(0), amount - sum(claim for player, claim in named.items() if player not in coalition))

    return TUGame(named, left_over)


def deposits() -> TUGame:
    """Three investors who get a better rate of interest on a larger deposit (Lemaire 1991).

    They have 1,800,000, 900,000 and 300,000 for three months. The yearly rate is 7.75% below one million, 10.25% from
    one million on and 12% from three millions on.
    """
    capital = {1: 1_800_000, 2: 900_000, 3: 300_000}

    def interest(coalition: frozenset) -> Fraction:
        total = sum(capital[player] for player in coalition)
        basis_points = 775 if total < 1_000_000 else 1025 if total < 3_000_000 else 1200
        return Fraction(total * basis_points, 4 * 10_000)

    return TUGame(capital, interest)


def random_game(players: int, kind: str, seed: int) -> TUGame:
    """A game of 2 to 16 players, numbered from 1, drawn by chance; worths are whole numbers, so that all is exact.

    Kinds are "independent": a coalition of k players is worth something uniform from 0 to 1000 k (Larson and Sandholm
    2000); and "pairs": each pair of players is worth a normal amount, mean 0 and standard deviation 1000, to every
    coalition that has both (a graph game, Deng and Papadimitriou 1994).
    """
    whole_number("players", players, 2, MOST_PLAYERS)
    one_of("kind", kind, RANDOM_KINDS)
    generator = np.random.default_rng(check_seed(seed))
    if kind == "independent":
        return TUGame(range(1, players + 1), lambda coalition: int(generator.integers(0, 1000 * len(coalition) + 1)))
    worth = np.rint(generator.normal(0, 1000, (players, players))).astype(int)
    return TUGame(
        range(1, players + 1),
        lambda coalition: sum(int(worth[i - 1, j - 1]) for i, j in combinations(sorted(coalition), 2)),
    )


def _amounts(name: str, amounts: Sequence[Real]) -> dict[int, Fraction]:
    """Amounts of 0 or more by player, numbered from 1."""
    if isinstance(amounts, str) or not isinstance(amounts, Sequence) or not 1 <= len(amounts) <= MOST_PLAYERS:
        raise ValueError(f"{name} = {shown(amounts)}: a sequence of 1 to {MOST_PLAYERS} numbers is needed")
    read = [read_number(name, amount)[0] for amount in amounts]
    if min(read) < 0:
        raise ValueError(f"{name} = {shown(amounts)}: numbers of 0 or more are needed")
    return dict(enumerate(read, start=1))
