"""Core, least core and nucleolus: known answers, definitions by brute force, Kohlberg's criterion, and a peer."""

import warnings
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from chapters.multiplayer import essay_coalitions
from gamebalance.games import coalitions as known
from gamebalance.multiplayer.cooperative import TUGame, nucleolus, simplex
from tests.multiplayer.tu_games import games, masks_game, minimal_balanced_collections, subsets

quick = settings(max_examples=25)
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


# --- known answers -------------------------------------------------------------------------------------------


def test_nucleolus_divides_as_the_mishnah_does():
    divided = {estate: shares(known.bankruptcy(estate, known.TALMUD_CLAIMS)) for estate in known.TALMUD_ESTATES}
    third = Fraction(100, 3)
    assert divided == {100: [third] * 3, 200: [50, 75, 75], 300: [50, 100, 150]}


def test_known_solutions():
    assert shares(known.glove_market(1, 2)) == [1, 0, 0]
    assert shares(known.glove_market(2, 2)) == [Fraction(1, 2)] * 4
    assert shares(known.majority(3)) == [Fraction(1, 3)] * 3
    assert shares(known.apex(5)) == [Fraction(3, 7)] + [Fraction(1, 7)] * 4
    assert shares(essay_coalitions.essay_three()) == [20, 20, 20]
    assert shares(known.deposits()) == [Fraction(105375, 2), Fraction(97875, 4), Fraction(51375, 4)]
    # Littlechild (1974): the next airline pays the least of (cost k - paid) / (airlines to k + 1), in turn.
    assert shares(known.airport([1, 2, 3, 4])) == [Fraction(-1, 2), Fraction(-3, 4), Fraction(-7, 8), Fraction(-15, 8)]


def test_nucleolus_and_prenucleolus_differ():
    game = masks_game([0, 0, 0, 10, 0, 0, 0, 2])
    assert shares(game) == [1, 1, 0] and list(game.prenucleolus().values()) == [3, 3, -4]
    assert game.is_nucleolus([1, 1, 0]) and not game.is_prenucleolus([1, 1, 0])
    assert game.is_prenucleolus([3, 3, -4]) and not game.is_nucleolus([3, 3, -4])
    # Here player 2 misses the own worth by half a unit.
    near, half = masks_game([0, 0, 0, 10, 0, 0, 0, 9]), [Fraction(19, 4), Fraction(19, 4), Fraction(-1, 2)]
    assert near.is_prenucleolus(half) and not near.is_nucleolus(half)
    assert shares(near) == [Fraction(9, 2), Fraction(9, 2), 0]


def test_without_imputations_the_nucleolus_is_refused():
    game = masks_game([0, 2, 2, 3])
    with pytest.raises(ValueError, match="no imputation: its players are worth 4 alone and 3 together"):
        game.nucleolus()
    assert list(game.prenucleolus().values()) == [Fraction(3, 2)] * 2
    # A float game that misses only by rounding is not refused.
    almost = masks_game([0, 0.1, 0.2, 0.3, 0.3, 0.4, 0.5, 0.1 + 0.2 + 0.3 - 2e-16])
    assert almost.nucleolus() == pytest.approx({0: 0.1, 1: 0.2, 2: 0.3}, abs=1e-14)


def test_least_core_of_the_majority_game():
    answer = known.majority(3).least_core()
    assert answer.epsilon == Fraction(1, 3) and answer.tight == [{1, 2}, {1, 3}, {2, 3}]
    assert known.majority(3).balanced_weights() == dict.fromkeys(answer.tight, Fraction(1, 2))
    assert known.majority(3).core_allocation() is None and known.majority(3).core_corners() == []


def test_one_and_two_players():
    alone = TUGame("A", {"A": Fraction(5, 3)})
    assert alone.nucleolus() == alone.prenucleolus() == alone.shapley() == {"A": Fraction(5, 3)}
    assert not alone.core_is_empty() and alone.is_nucleolus([Fraction(5, 3)]) and not alone.is_nucleolus([1])
    # More than there is to share, though evenly.
    assert not known.majority(3).is_nucleolus([1, 1, 1]) and not known.majority(3).is_prenucleolus([1, 1, 1])
    # And less than there is.
    quarters = [Fraction(1, 4)] * 3
    assert not known.majority(3).is_nucleolus(quarters) and not known.majority(3).is_prenucleolus(quarters)
    pair = masks_game([0, 1, 3, 10])
    assert shares(pair) == [4, 6] and pair.least_core().epsilon == -3


def test_answers_are_fractions():
    game = masks_game([0, 0, 0, 1, 0, 1, 1, 2])
    numbers = [game.least_core().epsilon, *game.nucleolus().values(), *game.core_allocation().values()]
    assert all(type(number) is Fraction for number in numbers)
    assert all(type(weight) is Fraction for weight in known.majority(3).balanced_weights().values())


# --- definitions ---------------------------------------------------------------------------------------------


def test_minimal_balanced_collections_are_all_found():
    # Counted with the grand coalition alone: 6 and 42 (Shapley 1967; OEIS A355042).
    assert [len(COLLECTIONS[players]) for players in (3, 4)] == [5, 41]


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


def test_corners_of_the_core():
    corners = essay_coalitions.essay_three().core_corners()
    points = {tuple(map(int, corner.values())) for corner in corners}
    assert points == {(35, 10, 15), (35, 15, 10), (10, 35, 15), (15, 35, 10), (20, 10, 30), (10, 20, 30)}
    # A convex game has its marginal vectors as corners (Shapley 1971).
    estate = {tuple(map(int, corner.values())) for corner in known.bankruptcy(300, known.TALMUD_CLAIMS).core_corners()}
    assert estate == {(0, 0, 300), (0, 200, 100), (100, 0, 200), (100, 200, 0)}


# --- exactness and scale -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["ties", "squares", "floats"])
def test_kohlberg_on_larger_games(kind):
    for players, seed in ((6, 0), (6, 1), (8, 0), (8, 1), (10, 1)):
        if players < 10 or kind == "ties":
            game = random_game(players, seed, kind)
            assert game.is_prenucleolus(game.prenucleolus()) and game.is_nucleolus(game.nucleolus())


def test_the_unit_does_not_matter():
    plain = random_game(6, 2, "floats")
    for unit in (1e-6, 1e6):
        scaled = TUGame(plain.players, lambda coalition, unit=unit: plain.worth(coalition) * unit)
        assert np.allclose(shares(scaled), np.array(shares(plain)) * unit, rtol=1e-12, atol=0)
        assert scaled.core_is_empty() == plain.core_is_empty()
        assert len(scaled.least_core().tight) == len(plain.least_core().tight)
    tied = random_game(6, 2, "ties")
    huge = TUGame(tied.players, lambda coalition: tied.worth(coalition) * 10**40)
    assert huge.nucleolus() == {player: share * 10**40 for player, share in tied.nucleolus().items()}


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

    monkeypatch.setattr(simplex, "linprog", lying)
    for game, found, empty in expected:
        again = TUGame(game.players, game.worth)
        assert again.prenucleolus() == found and again.core_is_empty() == empty


def test_a_corner_that_is_not_best_is_not_taken_for_the_optimum(monkeypatch):
    # Each pair needs 2. The corner (0, 2, 2) holds every row; (1, 1, 1) is cheaper.
    program = simplex.Program(3, np.arange(1, 7), np.zeros(6, dtype=int), [0, 0, 2, 0, 2, 2], start=[0, 1, 3])
    monkeypatch.setattr(simplex, "_proposed", lambda program: [0, 2, 4])
    assert simplex.solve(program).value == 3 and simplex.solve(program).point == [1, 1, 1]
    program.start = [0, 2, 4]
    with pytest.raises(ArithmeticError, match="prove no bound"):
        simplex.solve(program)


def test_pivots_alone_find_the_same_optimum_with_many_rows(monkeypatch):
    game = random_game(8, 5, "floats")
    found = game.prenucleolus()
    monkeypatch.setattr(simplex, "PROPOSAL_ROWS", 20)
    assert TUGame(game.players, game.worth).prenucleolus() == found
    monkeypatch.setattr(simplex, "PATIENCE", 0)
    monkeypatch.setattr(simplex, "_proposed", lambda program: program.start)
    assert TUGame(game.players, game.worth).prenucleolus() == found


def test_programs_begin_with_a_coalition_and_its_complement():
    span = simplex.Basis(3)
    span.insert(np.array([1, 1, 1]), 7)
    span.insert(np.array([1, 0, 0]), 1)
    program, _ = nucleolus._program([0] * 8, 3, None, span, {7: Fraction(0), 1: Fraction(0)})
    assert program.masks.tolist() == [2, 3, 4, 5] and program.masks[program.start].tolist() == [2, 5, 2, 4]


def test_an_impossible_program_says_so():
    # x_0 >= 1, x_1 >= 1 and x_0 + x_1 = 1.
    program = simplex.Program(2, np.array([1, 2]), np.zeros(2, dtype=int), [1, 1], [(3, 1)], start=[0])
    with pytest.raises(ArithmeticError, match="no solution"):
        simplex.solve(program)


def test_basis_is_an_exact_inverse():
    rows = np.array([[1, 1, 1, 1], [1, 1, 0, 0], [0, 1, 1, 0], [1, 0, 1, 0]])
    basis = simplex.Basis(4)
    assert all(basis.insert(row, name) for name, row in enumerate(rows))
    assert not basis.insert(np.array([0, 0, 0, 1]), 9) and basis.rank() == 4
    held = rows[basis.names]
    assert np.array_equal(held @ basis.inverse, basis.determinant * np.eye(4)) and abs(basis.determinant) == 2
    partly = simplex.Basis(3)
    partly.insert(np.array([1, 1, 0]), 3)
    partly.insert(np.array([1, 1, 1]), 7)
    assert np.flatnonzero(partly.spanned()).tolist() == [0, 3, 4, 7]
    assert nucleolus.intersection(2, {1: Fraction(1), 2: Fraction(2), 3: Fraction(3)}) is None


def test_kohlberg_by_hand():
    pairs, singles = [0b011, 0b101, 0b110], [0b001, 0b010, 0b100]
    assert nucleolus.satisfies_kohlberg([pairs, singles], 3)
    assert not nucleolus.satisfies_kohlberg([[0b011], [0b101, 0b110]], 3)
    # {0, 1} alone is balanced only together with player 2 at the floor.
    assert nucleolus.satisfies_kohlberg([[0b011], [0b101, 0b110], singles], 3, at_floor=[2])
    assert not nucleolus.satisfies_kohlberg([[0b011], [0b101, 0b110], singles], 3, at_floor=[1])


# --- a peer --------------------------------------------------------------------------------------------------


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
