"""Values and distances: two solvers, a proof from the successors, and random games of best play."""

import random
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamebalance.countn import OVERFLOWS, START, WITHDRAWN, Game, solve
from gamebalance.countn.solution import number

KNOWN = cache(solve)
#: Far more than any distance.
FAR = 100_000


@pytest.mark.parametrize("big_wins", [True, False])
@pytest.mark.parametrize("overflow", OVERFLOWS)
def test_both_solvers_agree_everywhere(overflow, big_wins):
    for n in range(2, 15):
        compiled, plain = (solve(n, overflow, big_wins=big_wins, engine=name) for name in ("compiled", "plain"))
        np.testing.assert_array_equal(compiled.values, plain.values, f"values, n = {n}")
        np.testing.assert_array_equal(compiled.distances, plain.distances, f"distances, n = {n}")


def pair_table(n, overflow):
    """[number added, pair, which hand]: the number of the pair after the move, -1 where no such move is legal."""
    after = np.full((n, n * (n + 1) // 2, 2), -1)
    for first, second in product(range(n), repeat=2):
        if first >= second:
            pair = number((first, second))
            for added, (k, (own, kept)) in product(range(1, n), enumerate(((first, second), (second, first)))):
                if own:
                    plain = own + added
                    shown = plain if plain < n else 0 if plain == n else 1 if overflow == "one" else plain - n
                    after[added, pair, k] = number((shown, kept))
    return after


def ranks(values, distances):
    """One number for value and distance, the better for the mover the greater."""
    values, distances = values.astype(int), distances.astype(int)
    return FAR * values - np.sign(values) * distances


@pytest.mark.parametrize("big_wins", [True, False])
@pytest.mark.parametrize("overflow", OVERFLOWS)
def test_every_position_follows_from_its_successors(overflow, big_wins):
    """A proof for each n: as distances are finite and fall along best play, no other solution fits.

    Ends have the value of the rules. Every other position is worth its best successor, negated, with a distance one
    longer. So a win comes nearer ply by ply, a loss can be put off but not avoided, and a draw has a move to a draw and
    none to a win.
    """
    for n in (*range(2, 31), 45):
        solution = solve(n, overflow, big_wins=big_wins)
        values, distances = solution.values, solution.distances
        hands = np.array([(high, low) for high in range(n) for low in range(high + 1)])
        one_hand = hands[:, 1] == 0
        np.testing.assert_array_equal(values[0, 1:], np.where(one_hand[1:] | (not big_wins), -1, -2))
        assert not distances[0, 1:].any() and not values[:, 0].any() and (distances[:, 0] == -1).all()

        assert ((distances == -1) == (values == 0)).all()
        decided = values != 0
        assert ((distances % 2 == 1) == (values > 0))[decided].all(), "wins take odd numbers of plies, losses even ones"

        after = pair_table(n, overflow)
        best = np.full(values.shape, -(10**9))
        mover, opponent = np.arange(len(hands))[None, :], np.arange(len(hands))[:, None]
        for k, j in product(range(2), repeat=2):
            result = after[hands[:, j][:, None], mover, k]
            # After the move the other one is to move.
            value, distance = -values[result, opponent].astype(int), distances[result, opponent] + 1
            best = np.maximum(best, np.where(result >= 0, ranks(value, distance), best))
        np.testing.assert_array_equal(ranks(values, distances)[1:, 1:], best[1:, 1:], f"n = {n}")


@pytest.mark.parametrize("overflow", OVERFLOWS)
def test_big_wins_change_neither_winner_nor_draws(overflow):
    for n in range(2, 31):
        both = [solve(n, overflow, big_wins=big_wins) for big_wins in (True, False)]
        np.testing.assert_array_equal(np.sign(both[0].values), both[1].values)
        decided = both[1].values > 0
        assert (both[0].distances >= both[1].distances)[decided & (both[0].values == 2)].all()


def test_the_smallest_game_by_hand():
    """Count-2: 1 + 1 withdraws a hand, then the other side does, then the first player withdraws the second hand."""
    solution = solve(2)
    assert (solution.start_value, solution.start_distance) == ("first", 3)
    line = solution.main_line(*START)
    assert [move.hands for move in line] == [(1, None), (1, None), WITHDRAWN]
    assert solution.value(*START) == 1, "small, for the loser has one hand"
    assert solution.value((1, 1), WITHDRAWN) == -2 and solution.distance((1, 1), WITHDRAWN) == 0
    assert solution.value((1, None), (1, 1)) == 2 and solution.distance((1, None), (1, 1)) == 1


def test_one_n_above_eight_has_a_winner():
    """Count-9: the second player wins, in 48 plies. Both solvers say so, and no other n up to 60 is decided."""
    for engine in ("compiled", "plain"):
        nine = solve(9, engine=engine)
        assert (nine.start_value, nine.start_distance, nine.value(*START)) == ("second", 48, -1)
    assert solve(8).start_distance is None
    assert nine.main_line(*START)[-1].hands == WITHDRAWN
    assert [n for n in range(8, 61) if KNOWN(n).start_value != "draw"] == [9]


def test_what_is_refused():
    with pytest.raises(ValueError, match=r"^engine = 'fast': one of 'compiled', 'plain' is needed$"):
        solve(8, engine="fast")
    with pytest.raises(ValueError, match=r"^big_wins = 1: True or False is needed$"):
        solve(8, big_wins=1)
    with pytest.raises(ValueError, match=r"^n = 50, engine = 'plain': 2\.1 GiB"):
        solve(50, engine="plain")


def test_options_of_every_position():
    """All legal moves, best first, each with the outcome of the position after it."""
    for n, overflow in product((2, 5, 8), OVERFLOWS):
        game, solution = Game(n, overflow), KNOWN(n, overflow)
        for mover, opponent in product(game.pairs[:-1], game.pairs):
            options = solution.options(mover, opponent)
            assert {option.move for option in options} == set(game.moves(mover, opponent))
            for option in options:
                after = opponent, option.move.hands
                assert option.value == -solution.value(*after)
                assert option.distance == (solution.distance(*after) + 1 if option.value else None)
            order = [(-option.value, np.sign(option.value) * (option.distance or 0)) for option in options]
            assert order == sorted(order)
            best = solution.best_moves(mover, opponent)
            assert best == [option.move for option, rank in zip(options, order, strict=True) if rank == order[0]]
            if options:
                outcome = solution.value(mover, opponent), solution.distance(mover, opponent)
                assert (options[0].value, options[0].distance) == outcome


@st.composite
def positions(draw):
    """A solution, and a position that random play from the start leads to."""
    n, overflow = draw(st.integers(2, 40)), draw(st.sampled_from(OVERFLOWS))
    chance = random.Random(draw(st.integers(0, 2**32)))
    mover, opponent = START
    game = Game(n, overflow)
    for _ in range(draw(st.integers(0, 60))):
        moves = game.moves(mover, opponent)
        if not moves:
            break
        mover, opponent = opponent, chance.choice(moves).hands
    return KNOWN(n, overflow, big_wins=draw(st.booleans())), mover, opponent, chance


@given(positions())
def test_best_play_keeps_the_value_and_ends_in_time(drawn):
    solution, mover, opponent, chance = drawn
    value, distance = solution.value(mover, opponent), solution.distance(mover, opponent)
    for _ in range(100 if distance is None else distance):
        move = chance.choice(solution.best_moves(mover, opponent))
        mover, opponent = opponent, move.hands
        value, distance = -value, None if distance is None else distance - 1
        assert (solution.value(mover, opponent), solution.distance(mover, opponent)) == (value, distance)
    assert (distance == 0) == (opponent == WITHDRAWN)


@given(positions())
def test_no_reply_helps_against_best_play(drawn):
    """The better side plays best, the other at random: a win comes nearer, and only a bigger one may take longer."""
    solution, mover, opponent, chance = drawn
    value = solution.value(mover, opponent)
    if value < 0:
        moves = solution.game.moves(mover, opponent)
        if not moves:
            return
        mover, opponent = opponent, chance.choice(moves).hands
    value, distance = solution.value(mover, opponent), solution.distance(mover, opponent)
    for _ in range(200):
        mover, opponent = opponent, chance.choice(solution.best_moves(mover, opponent)).hands
        if opponent == WITHDRAWN:
            assert value > 0
            return
        mover, opponent = opponent, chance.choice(solution.game.moves(mover, opponent)).hands
        assert opponent != WITHDRAWN, "the other side has won"
        after = solution.value(mover, opponent), solution.distance(mover, opponent)
        assert after[0] >= value
        if after[0] == value > 0:
            assert after[1] <= distance - 2
        value, distance = after
    assert value == 0, "a win lasted longer than 400 plies"


def test_main_line_ends_with_the_game_or_where_it_was_before():
    nine, eight = solve(9), solve(8)
    assert len(nine.main_line(*START)) == 48
    assert len(nine.main_line(*START, plies=5)) == 5 and nine.main_line(*START, plies=0) == []
    assert eight.main_line((1, 7), WITHDRAWN) == []
    position, passed = START, [START]
    for move in eight.main_line(*START):
        position = position[1], move.hands
        passed.append(position)
    assert passed[-1] in passed[:-1] and len(set(passed)) == len(passed) - 1
    with pytest.raises(ValueError, match=r"plies = 2\.5"):
        eight.main_line(*START, plies=2.5)
