"""Games in coalitions: definitions by brute force, known answers, Kohlberg's criterion, and what is refused."""

import warnings
from fractions import Fraction
from itertools import chain, combinations, permutations
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from gamebalance.games import coalitions as known
from gamebalance.multiplayer.cooperative import TUGame, nucleolus
from tests.oracles.extreme_equilibria import solved
from tests.refusals import refuses

quick = settings(max_examples=60)
FULL = {"A": 1, "B": 2, "AB": 4}


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


def of(values: dict, players="AB") -> TUGame:
    return TUGame(players, {tuple(key): value for key, value in values.items()})


def test_floats_are_read_as_typed():
    game = TUGame(range(3), lambda coalition: [0, 0.1, 0.2, 0.3][len(coalition)])
    assert game.is_superadditive() and game.is_convex() and not game.core_is_empty()
    # The same sums with binary rounding: 0.1 + 0.1 + 0.1 is a hair more than 0.3, and still no violation.
    rounded = masks_game([0, 0.1, 0.1, 0.2, 0.1, 0.2, 0.1 + 0.1, 0.3 - 5e-17])
    assert rounded.is_superadditive() and not rounded.core_is_empty()
    assert rounded.nucleolus() == pytest.approx(dict.fromkeys(range(3), 0.1), abs=1e-15)


@given(games(2, 4, 0, 9))
@quick
def test_superadditive_and_convex_by_all_pairs(game):
    pairs = [(a, b) for a in subsets(game.players) for b in subsets(game.players)]
    worth = {coalition: game.worth(coalition) for coalition in subsets(game.players)} | {frozenset(): 0}
    loss = {(a, b): worth[a] + worth[b] - worth[a | b] - worth[a & b] for a, b in pairs}
    disjoint = max(loss[pair] for pair in pairs if not pair[0] & pair[1])
    assert game.is_superadditive() == (disjoint <= 0)
    assert game.is_convex() == (max(loss.values()) <= 0)


@given(games(1, 5, -5, 9))
@quick
def test_best_structure_by_all_partitions(game):
    best = game.best_structure()
    assert best.worth == max(sum(map(game.worth, parts)) for parts in partitions(list(game.players)))
    assert best.worth == sum(map(game.worth, best.coalitions)) and best.merges == []
    assert sorted(player for part in best.coalitions for player in part) == list(game.players)
    for stable in (True, False):
        merged = game.greedy_structure(stable)
        assert merged.worth <= best.worth and merged.worth == sum(map(game.worth, merged.coalitions))
        assert sorted(player for part in merged.coalitions for player in part) == list(game.players)
        assert len(merged.merges) == len(game.players) - len(merged.coalitions)
        assert all(game.worth(a | b) > game.worth(a) + game.worth(b) for a, b in merged.merges)
        assert not stable or not any(game.subgame(a | b).core_is_empty() for a, b in merged.merges)


@given(games(1, 5))
@quick
def test_shapley_is_the_mean_over_orders(game):
    shapley = game.shapley()
    assert shapley == shapley_by_orders(game)
    assert all(isinstance(share, Fraction) for share in shapley.values())
    assert sum(shapley.values()) == game.worth(game.players)


@given(games(1, 4))
@quick
def test_banzhaf_is_the_mean_over_coalitions(game):
    for player, value in game.banzhaf().items():
        others = [frozenset(), *subsets([other for other in game.players if other != player])]
        assert value == Fraction(sum(game.worth(s | {player}) - game.worth(s) for s in others), len(others))


@pytest.mark.parametrize("antithetic", [True, False])
def test_sampled_shapley_finds_the_exact_value(antithetic):
    game = known.weighted_voting(51, [40, 30, 20, 10, 1])
    exact = np.array([float(share) for share in game.shapley().values()])
    deviations = []
    for seed in range(60):
        estimate = game.shapley_sampled(400, seed, antithetic)
        assert sum(estimate.value.values()) == pytest.approx(1, abs=1e-12) and estimate.permutations == 400
        found, error = (np.array(list(part.values())) for part in (estimate.value, estimate.error))
        deviations.append((found - exact)[error > 0] / error[error > 0])
    deviations = np.concatenate(deviations)
    # Standardised deviations have variance 1 if the errors are honest; 300 of them know it to about 0.1.
    assert 0.75 < np.mean(deviations**2) < 1.3 and abs(np.mean(deviations)) < 0.2


COLLECTIONS = {players: minimal_balanced_collections(players) for players in (3, 4)}


def shares(game: TUGame) -> list[Fraction]:
    return list(game.nucleolus().values())


def sorted_excesses(game: TUGame, allocation) -> list:
    excess = game.excess(allocation)
    del excess[frozenset(game.players)]
    return sorted(excess.values(), reverse=True)


def has_imputations(game: TUGame) -> bool:
    return sum(game.worth(player) for player in game.players) <= game.worth(game.players)


def random_game(players: int, seed: int, kind: str) -> TUGame:
    generator = np.random.default_rng(seed)
    size = np.array([mask.bit_count() for mask in range(1 << players)])
    ties = generator.integers(0, 3, 1 << players) + 2 * size
    worths = {
        "ties": ties,
        "squares": size**2 * generator.integers(8, 13, 1 << players),
        "floats": size**1.5 * generator.random(1 << players) + size,
    }[kind]
    worths[0] = 0
    worths[1 << np.arange(players)] = 1  # so that there are imputations
    return masks_game(worths.tolist())


def test_known_solutions():
    third = Fraction(100, 3)
    divided = [shares(known.bankruptcy(estate, known.TALMUD_CLAIMS)) for estate in known.TALMUD_ESTATES]
    assert divided == [[third] * 3, [50, 75, 75], [50, 100, 150]]
    assert shares(known.glove_market(1, 2)) == [1, 0, 0]
    assert shares(known.apex(5)) == [Fraction(3, 7)] + [Fraction(1, 7)] * 4
    assert shares(known.deposits()) == [Fraction(105375, 2), Fraction(97875, 4), Fraction(51375, 4)]
    # Littlechild (1974): the next airline pays the least of (cost k - paid) / (airlines to k + 1), in turn.
    assert shares(known.airport([1, 2, 3, 4])) == [Fraction(-1, 2), Fraction(-3, 4), Fraction(-7, 8), Fraction(-15, 8)]


@given(games(3, 4, -3, 12))
@quick
def test_core_emptiness_by_all_minimal_balanced_collections(game):
    def weight(weights):
        return sum(share * game.worth(part) for part, share in weights.items())

    collections = COLLECTIONS[len(game.players)]
    heaviest = max(map(weight, collections))
    assert game.core_is_empty() == (heaviest > game.worth(game.players))
    certificate, allocation = game.balanced_weights(), game.core_allocation()
    if certificate is None:
        assert max(game.excess(allocation).values()) == 0 and game.least_core().epsilon <= 0 and game.core_corners()
    else:
        assert certificate in collections and weight(certificate) == heaviest
        assert allocation is None and game.least_core().epsilon > 0 and not game.core_corners()


@given(games(2, 4))
@quick
def test_least_core_against_a_plain_program(game):
    proper = subsets(game.players)[:-1]
    rows = [[-float(player in part) for player in game.players] + [-1.0] for part in proper]
    plain = linprog(
        [0.0] * len(game.players) + [1.0],
        A_ub=rows,
        b_ub=[-float(game.worth(part)) for part in proper],
        A_eq=[[1.0] * len(game.players) + [0.0]],
        b_eq=[float(game.worth(game.players))],
        bounds=(None, None),
    )
    answer = game.least_core()
    excess = game.excess(answer.allocation)
    assert float(answer.epsilon) == pytest.approx(plain.fun, abs=1e-9)
    assert sum(answer.allocation.values()) == game.worth(game.players)
    assert max(excess[part] for part in proper) == answer.epsilon
    # Tight at every corner of the least core, and nothing else is.
    corners = game.core_corners(answer.epsilon)
    always = [part for part in proper if all(game.excess(corner)[part] == answer.epsilon for corner in corners)]
    assert set(answer.tight) == set(always)


@given(games(2, 4), st.lists(st.integers(0, 6), min_size=4, max_size=4))
@quick
def test_nucleolus_is_lexicographically_least(game, parts):
    assume(has_imputations(game) and sum(parts[: len(game.players)]))
    weights = parts[: len(game.players)]
    surplus = game.worth(game.players) - sum(game.worth(player) for player in game.players)
    other = {p: game.worth(p) + surplus * Fraction(w, sum(weights)) for p, w in zip(game.players, weights, strict=True)}
    least = game.nucleolus()
    assert all(least[player] >= game.worth(player) for player in game.players)
    assert sorted_excesses(game, least) <= sorted_excesses(game, other)
    assert sorted_excesses(game, game.prenucleolus()) <= sorted_excesses(game, least)
    assert game.is_nucleolus(other) == (other == least)
    assert game.is_prenucleolus(other) == (other == game.prenucleolus())


@given(games(2, 5))
@quick
def test_kohlberg_accepts_the_solutions_and_nothing_near(game):
    found = game.prenucleolus()
    assert game.is_prenucleolus(found)
    moved = {**found, 0: found[0] + Fraction(1, 1000), 1: found[1] - Fraction(1, 1000)}
    assert not game.is_prenucleolus(moved) and not game.is_prenucleolus({**found, 0: found[0] + 1})
    if has_imputations(game):
        assert game.is_nucleolus(game.nucleolus())
        if not game.core_is_empty():
            assert game.nucleolus() == found and max(game.excess(found).values()) == 0


@pytest.mark.parametrize("kind", ["ties", "squares", "floats"])
def test_kohlberg_on_larger_games(kind):
    for players, seed in ((6, 0), (6, 1), (8, 0), (8, 1), (10, 1)):
        if players < 10 or kind == "ties":
            game = random_game(players, seed, kind)
            assert game.is_prenucleolus(game.prenucleolus()) and game.is_nucleolus(game.nucleolus())


@pytest.mark.parametrize("lie", ["failed", "shuffled", "no prices"])
def test_a_wrong_proposal_of_highs_is_mended(monkeypatch, lie):
    tied = [random_game(6, seed, "ties") for seed in (1, 2)]
    expected = [(game, game.prenucleolus(), game.core_is_empty()) for game in tied]
    generator = np.random.default_rng(0)

    def lying(*arguments, **options):
        truth = linprog(*arguments, **options)
        order = generator.permutation(len(truth.slack))
        prices = {"shuffled": truth.ineqlin.marginals[order], "no prices": np.zeros(len(order))}.get(lie)
        status = 4 if lie == "failed" else 0
        return SimpleNamespace(status=status, slack=truth.slack[order], ineqlin=SimpleNamespace(marginals=prices))

    monkeypatch.setattr(nucleolus, "linprog", lying)
    for game, found, empty in expected:
        again = TUGame(game.players, game.worth)
        assert again.prenucleolus() == found and again.core_is_empty() == empty


def test_coopgame_agrees():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peer = pytest.importorskip("coopgame", reason="the peer coopgame-py is not installed")
    for players in (3, 4, 5, 7):
        for kind in ("ties", "squares", "floats"):
            game = random_game(players, players, kind)
            parts = [[p for p in range(players) if mask >> p & 1] for mask in range(1, 1 << players)]
            other = peer.Game([float(game.worth(part)) for part in parts])
            for solution in ("nucleolus", "prenucleolus", "shapley", "banzhaf"):
                theirs = getattr(peer, solution)(other)
                theirs = theirs["allocation"] if isinstance(theirs, dict) else theirs
                ours = [float(value) for value in getattr(game, solution)().values()]
                assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-9)
            epsilon = peer.least_core(other, "preimputation")
            epsilon = epsilon["epsilon"] if isinstance(epsilon, dict) else epsilon[0]
            assert float(game.least_core().epsilon) == pytest.approx(epsilon, rel=1e-9, abs=1e-9)
            assert game.is_convex() == other.is_convex() and game.is_superadditive() == other.is_superadditive()
            assert game.core_is_empty() == (not other.has_nonempty_core())


test_what_is_refused = refuses(
    (
        lambda: of(dict.fromkeys(["A", "B", "C", "D", "AB", "CD", "ABC", "ABD", "ABCD"], 1), "ABCD"),
        r"6 of 15 coalitions are missing: {A, C}, {A, D}, {B, C}, {B, D}, {A, C, D}, {B, C, D}$",
    ),
    (lambda: TUGame([], len), "players = .*: 1 to 16 different"),
    (lambda: of({**FULL, "BA": 4}), r"\{A, B\} is given twice"),
    (lambda: of({"A": 10**400, "B": 0.5, "AB": 4}), r"worth of \{A\} is too large beside .* floats: at most 6e\+306"),
    (lambda: of(FULL).excess([1]), "each of 2 players"),
    (lambda: TUGame(range(5), len).core_corners(), "listed for 4, not 5"),
    (lambda: TUGame("A", {"A": 1}).least_core(), "at least two"),
    (
        lambda: TUGame("AB", lambda coalition: 10**400).shapley_sampled(10, 1),
        r"^values: worths that floats can hold are needed here",
    ),
    (lambda: known.majority().shapley_sampled(5, 1, True), "even number"),
)
