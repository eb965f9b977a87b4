"""Values, distances, reach: two solvers, a proof from the successors, games of best play; the study's labels."""

import random
from collections import Counter
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamebalance.countn import OVERFLOWS, START, WITHDRAWN, Game, TwoPlayerGame, plain, solve, what_if
from gamebalance.countn.kernels import two
from gamebalance.countn.solution import Outcome, number
from gamebalance.countn.states import hands_text, mover_first, position_text, read_position, successors
from gamebalance.multiplayer import search
from gamebalance.multiplayer.protocols import OVER

KNOWN = cache(solve)
#: Far more than any distance.
FAR = 100_000
#: The last one has sets of three words in a row.
GAMES = [*product(range(2, 10), OVERFLOWS), (16, "rollover")]


@pytest.mark.parametrize("big_wins", [True, False])
@pytest.mark.parametrize("overflow", OVERFLOWS)
def test_both_solvers_agree_everywhere(overflow, big_wins):
    for n in range(2, 13):
        compiled, slow = (solve(n, overflow, big_wins=big_wins, engine=name) for name in ("compiled", "plain"))
        np.testing.assert_array_equal(compiled.values, slow.values, f"values, n = {n}")
        np.testing.assert_array_equal(compiled.distances, slow.distances, f"distances, n = {n}")


def pair_table(n, overflow):
    """[number added, pair, which hand]: the number of the pair after the move, -1 where no such move is legal."""
    after = np.full((n, n * (n + 1) // 2, 2), -1)
    for first, second in product(range(n), repeat=2):
        if first >= second:
            pair = number((first, second))
            for added, (k, (own, kept)) in product(range(1, n), enumerate(((first, second), (second, first)))):
                if own:
                    total = own + added
                    shown = total if total < n else 0 if total == n else 1 if overflow == "one" else total - n
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
    none to a win. And a winner has the same wins, later at most, where big wins are not preferred.
    """
    for n in (*range(2, 26), 45):
        solution = KNOWN(n, overflow, big_wins=big_wins)
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
        any_win = KNOWN(n, overflow, big_wins=False)
        np.testing.assert_array_equal(np.sign(values), any_win.values)
        assert (distances >= any_win.distances)[values == 2].all()


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


def test_main_line_ends_with_the_game_or_where_it_was_before():
    nine, eight = KNOWN(9), KNOWN(8)
    assert len(nine.main_line(*START)) == 48 and nine.main_line(*START)[-1].hands == WITHDRAWN
    assert len(nine.main_line(*START, plies=5)) == 5 and nine.main_line(*START, plies=0) == []
    position, passed = START, [START]
    for move in eight.main_line(*START):
        position = position[1], move.hands
        passed.append(position)
    assert passed[-1] in passed[:-1] and len(set(passed)) == len(passed) - 1


@pytest.mark.parametrize(("n", "overflow"), GAMES)
def test_states_that_play_can_reach(n, overflow):
    """Ply by ply by the rules alone; labels are counts of values; whoever moved last has won."""
    fresh = {((1, 1), (1, 1), False)}
    game, solution, reached, depth = Game(n, overflow), KNOWN(n, overflow), set(fresh), -1
    while fresh:
        depth += 1
        fresh = {child for state in fresh for child in successors(game, state)} - reached
        reached |= fresh
    states = list(solution.reachable_states())
    assert states == plain.reachable(game) and set(states) == reached and len(states) == len(reached)
    assert (solution.reachable_count, solution.reach_depth) == (len(states), depth)
    ends = [state for state in states if WITHDRAWN in state[:2]]
    assert solution.terminal_count == len(ends)
    assert all(state[0 if turn else 1] == WITHDRAWN for *state, turn in ends)
    counts = Counter(solution.value(*mover_first(state)) for state in states)
    assert solution.label_counts() == {value or None: counts[value] for value in (-2, -1, 1, 2, 0)}
    alone = {(first, second, turn) for first, second, turn in states if (second, first, not turn) not in reached}
    bits, farthest = two.reach(n, overflow == "rollover")
    assert farthest == depth and np.array_equal(bits, solution._reached[0])
    assert n < 4 or alone == {((1, 1), (1, 1), False), ((1, 2), (1, 1), True)}, "all others have a mirror image"


@pytest.mark.parametrize(("n", "overflow"), [(2, "one"), (5, "one"), (8, "one"), (9, "rollover")])
def test_what_if_as_in_plain_python(n, overflow):
    slow = solve(n, overflow, engine="plain")
    for opponent in slow.game.pairs[:-1]:
        value = slow.value(START[0], opponent)
        winner = {0: "draw", 1: "first", 2: "first", -1: "second", -2: "second"}[value]
        outcome = Outcome(winner, value in (-2, 2), slow.distance(START[0], opponent))
        assert what_if(n, overflow=overflow, opponent=opponent) == outcome


@pytest.mark.parametrize(("n", "overflow"), list(product(range(2, 8), OVERFLOWS)))
def test_published_labels_in_any_order(n, overflow):
    """Winner and draws are ours; who is promised a big win or loss has one; the split differs from N = 4 on."""
    game, solution = Game(n, overflow), KNOWN(n, overflow)
    order = plain.reachable(game)
    known = {state: solution.value(*mover_first(state)) for state in order}
    study, others = plain.published_labels(game), []
    for seed in range(40 if overflow == "one" and n == 4 else 8):
        others.append(plain.published_labels(game, random.Random(seed).sample(order, len(order))))
    for labels in (study, *others):
        assert all(np.sign(labels.get(state, 0)) == np.sign(value) for state, value in known.items())
        assert all(known[state] == label for state, label in labels.items() if abs(label) == 2)
        assert labels.keys() <= known.keys()
    assert overflow == "rollover" or all(labels == study for labels in others) == (n <= 3)


@pytest.mark.parametrize("n", [2, 3])
def test_searches_to_the_end_find_the_values_of_the_solver(n):
    """Count-2 and Count-3 end whatever is played. With two players MaxN and Paranoid are minimax."""
    game, solution = TwoPlayerGame(n), solve(n)
    for state in solution.reachable_states():
        value, player = solution.value(*mover_first(state)), int(state[2])
        if game.mover(state) == OVER:
            assert game.payoffs(state)[player] == value
        else:
            assert search.maxn(game, state).value == ((-value, value) if player else (value, -value))
            assert search.paranoid(game, state).value == value


def test_positions_as_they_are_written():
    assert position_text((3, None), (7, 7)) == "3,- v 7,7" and hands_text(WITHDRAWN) == "-,-"
    for text in ("7,1 v 6,2", " 1 , 7v2 ,6 ", "1,7v2,6", "01,007 v 2,6"):
        assert read_position(text, Game(8)) == ((1, 7), (2, 6))
    for text in ("", "1,7 v 2,6,1", "-1,7 v 2,6", "1.5,7 v 2,6", "1,7777 v 2,6", "1,7 v 2,6x", None, b"1,7 v 2,6"):
        with pytest.raises(ValueError, match=r"^position = .*: such as '1,7 v 2,6' is needed"):
            read_position(text, Game(8))
    with pytest.raises(ValueError, match=r"^mover = \(9, 1\): "):
        read_position("9,1 v 1,1", Game(8))
