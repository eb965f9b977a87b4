"""Games for the tests of cooperative games, and slow definitions to compare with."""

from fractions import Fraction
from itertools import chain, combinations, permutations

from hypothesis import strategies as st

from gamebalance.multiplayer.cooperative import TUGame
from tests.oracles.extreme_equilibria import solved


def masks_game(worths: list) -> TUGame:
    """A game of players 0, 1, … from worths by bit mask, the empty coalition's first."""
    players = len(worths).bit_length() - 1
    return TUGame(range(players), lambda coalition: worths[sum(1 << player for player in coalition)])


def games(least: int = 2, most: int = 4, lowest: int = -6, highest: int = 12):
    """Games of whole numbers, small enough for many ties."""
    numbers = st.integers(lowest, highest)
    sizes = st.integers(least, most)
    return sizes.flatmap(lambda n: st.lists(numbers, min_size=2**n - 1, max_size=2**n - 1)).map(
        lambda worths: masks_game([0, *worths])
    )


def convex_games(least: int = 2, most: int = 5):
    """Sums of games in which a coalition pays if all its members are present: dividends of 0 or more are convex."""

    def summed(dividends):
        full = len(dividends)
        return masks_game([sum(dividends[part] for part in range(full) if part & mask == part) for mask in range(full)])

    sizes = st.integers(least, most)
    return sizes.flatmap(
        lambda n: st.lists(st.integers(0, 5), min_size=2**n - 1, max_size=2**n - 1).map(lambda d: summed([0, *d]))
    )


def subsets(players) -> list[frozenset]:
    """All coalitions but the empty one."""
    listed = list(players)
    return [frozenset(part) for size in range(1, len(listed) + 1) for part in combinations(listed, size)]


def shapley_by_orders(game: TUGame) -> dict:
    """The definition: the mean over all orders of arrival."""
    total, orders = dict.fromkeys(game.players, Fraction(0)), 0
    for order in permutations(game.players):
        orders += 1
        before = Fraction(0)
        for place, player in enumerate(order, start=1):
            after = game.worth(order[:place])
            total[player] += after - before
            before = after
    return {player: added / orders for player, added in total.items()}


def partitions(players: list):
    """All partitions of the players, as lists of coalitions."""
    if not players:
        yield []
        return
    first, rest = players[0], players[1:]
    for smaller in partitions(rest):
        yield [frozenset([first]), *smaller]
        for place, part in enumerate(smaller):
            yield [*smaller[:place], part | {first}, *smaller[place + 1 :]]


def minimal_balanced_collections(players: int) -> list[dict[frozenset, Fraction]]:
    """All minimal balanced collections without the grand coalition, with their weights, by elimination."""
    proper, found = subsets(range(players))[:-1], []
    for collection in chain.from_iterable(combinations(proper, size) for size in range(2, players + 1)):
        # The weights by least squares, which is exact where the coalitions are independent.
        squares = [[Fraction(len(one & other)) for other in collection] + [Fraction(len(one))] for one in collection]
        weights = dict(zip(collection, solved(squares) or (), strict=False))
        covered = [sum(weight for part, weight in weights.items() if player in part) for player in range(players)]
        if weights and min(weights.values()) > 0 and set(covered) == {1}:
            found.append(weights)
    return found
