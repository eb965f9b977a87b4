"""Count-N for three: rules, forcing sets by two engines and by their definition, counts over states."""

from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.sparse.linalg import spsolve

from chapters.countn import three_survey
from gamebalance.countn import rules, three
from gamebalance.countn.solution import number
from gamebalance.countn.three import plain
from gamebalance.multiplayer import search
from gamebalance.multiplayer.protocols import OVER, PassingGame

OUT = (None, None)
EVERYBODY = (0, 1, 2)
#: One pair of a coalition and its targets for each way they can sit, turned round the table.
KINDS = [(s, t) for s in ((), (0,), (0, 1), EVERYBODY) for t in three_survey.COALITIONS]


@cache
def solved(n, overflow="one", engine="compiled"):
    return three.solve(n, overflow, engine)


@cache
def states_of(n):
    return plain.all_states(three.ThreePlayerGame(n))


def running(n):
    return [state for state in states_of(n) if OUT not in state.hands]


@cache
def reached(n):
    """All states that play can reach from the start, by the rules alone."""
    game, found, pending = three.ThreePlayerGame(n), {three.START_STATE}, [three.START_STATE]
    while pending:
        state = pending.pop()
        after = {game.play(state, move) for move in game.moves(state)} - found
        found |= after
        pending += after
    return found


# --- rules -------------------------------------------------------------------------------------------------------


def test_moves_are_those_against_either_opponent():
    game = three.ThreePlayerGame(8)
    state = three.State(((1, 7), (2, 3), (5, None)), 0)
    results = [move.hands for move in game.moves(state)]
    # The next player's 2 and 3 come first, on the 1 and then on the 7 (which overflows to 1); then the 5.
    assert results == [(3, 7), (4, 7), (1, 1), (6, 7)]
    assert [(move.own, move.added) for move in game.moves(state)] == [(1, 2), (1, 3), (7, 2), (1, 5)]
    after = game.play(state, game.moves(state)[3])
    assert after == three.State(((6, 7), (2, 3), (5, None)), 1)
    assert after.position == ((2, 3), (5, None), (6, 7)) and str(after) == "2,3 v 5,- v 6,7"


@pytest.mark.parametrize("overflow", rules.OVERFLOWS)
def test_rules_for_two_and_three_are_the_same_rules(overflow):
    game, two = three.ThreePlayerGame(5, overflow), rules.Game(5, overflow)
    for state in running(5)[::7]:
        mover, following, previous = state.position
        both = {move.hands for other in (following, previous) for move in two.moves(mover, other)}
        results = [move.hands for move in game.moves(state)]
        assert set(results) == both and len(results) == len(both)


def test_who_is_out_first_wins_and_the_game_ends():
    game = three.ThreePlayerGame(4)
    assert isinstance(game, PassingGame)
    state = three.State(((3, None), (1, 1), (2, 3)), 0)
    won = next(child for child in (game.play(state, move) for move in game.moves(state)) if game.mover(child) == OVER)
    assert won.hands[0] == OUT and game.winner(won) == 0 and game.payoffs(won) == (1, 0, 0) and game.moves(won) == ()
    assert game.winner(state) is None and game.hand_to(state, 2) == (state.hands, 2)
    assert game.payoffs(state) == (0, 0, 0) and game.mover(three.State(((3, None), (1, None), (2, None)), 0)) != OVER
    assert three.ThreePlayerGame(4, leaves=lambda state: (1, 2, state.mover)).payoffs(state) == (1, 2, 0)


@pytest.mark.parametrize(
    ("state", "text"),
    [
        ((((1, 1), (1, 1)), 0), "the hands of 3 players"),
        ("1,1", "three pairs of hands"),
        (three.State(((1, 1), (1, 9), (1, 1))), "hands = "),
        (three.State(((1, 1), (1, 1), (1, 1)), 3), "mover = 3"),
        (three.State((OUT, (1, 1), OUT), 1), "only who moved last"),
    ],
)
def test_states_that_cannot_be_are_refused(state, text):
    with pytest.raises(ValueError, match=text):
        solved(4).can_force([0], [0], state)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: three.solve(8, engine="fast"), "engine = 'fast'"),
        (lambda: three.solve(29), "n = 29.* GiB"),
        (lambda: three.solve(12, engine="plain"), "n = 12.*plain.* GiB"),
        (lambda: three.random_play(30), "n = 30.* GiB"),
        (lambda: solved(4).can_force([3], [0]), r"coalition = \[3\]"),
        (lambda: solved(4).can_force([0], 1), "targets = 1"),
        (lambda: three_survey.largest_sum(-1), "ply = -1"),
        (lambda: solved(4).can_prevent([True], [0]), "coalition = "),
    ],
)
def test_bad_arguments_are_refused_in_one_line(call, text):
    with pytest.raises(ValueError, match=text) as caught:
        call()
    assert "\n" not in str(caught.value)


# --- forcing -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "overflow", "kinds"),
    [(2, "one", KINDS), (3, "one", KINDS), (3, "rollover", KINDS), (4, "one", KINDS), (4, "rollover", KINDS[7::3])],
)
def test_kernel_and_plain_python_agree(n, overflow, kinds):
    compiled, slow = solved(n, overflow), three.solve(n, overflow, "plain")
    for coalition, targets in kinds:
        for turn in range(3):
            turned = [[(player + turn) % 3 for player in players] for players in (coalition, targets)]
            assert np.array_equal(compiled.table(*turned), slow.table(*turned)), (coalition, targets, turn)


def test_forcing_by_its_definition_on_all_coalitions():
    """A search that knows nothing of attractors: within so many plies, can the coalition have its way?"""
    game = three.ThreePlayerGame(4)

    @cache
    def within(state, coalition, targets, plies):
        if game.mover(state) == OVER:
            return game.winner(state) in targets
        choose = any if state.mover in coalition else all
        children = (game.play(state, move) for move in game.moves(state))
        return plies > 0 and choose(within(child, coalition, targets, plies - 1) for child in children)

    for coalition, targets in product(((), *three_survey.COALITIONS), three_survey.COALITIONS):
        for state in states_of(4)[::97]:
            found = solved(4).plies(coalition, targets, state)
            for plies in (1, 3, 6, 8):
                expected = found is not None and found <= plies
                assert within(state, coalition, targets, plies) == expected


def test_what_a_player_forces_is_what_paranoid_search_finds():
    game = three.ThreePlayerGame(5)
    checked = 0
    for state in running(5)[::53]:
        for player in EVERYBODY:
            plies = solved(5).plies([player], [player], state)
            value = search.paranoid(game, state, 5, player=player).value
            assert value == (plies is not None and plies <= 5)
            checked += value
    assert checked > 20


def test_the_start_by_hand():
    # Count-2 is one line: each player withdraws a hand, then player 0 the other one.
    two = solved(2)
    assert [two.plies([], [0]), two.plies([], [1])] == [4, None]
    assert [two.plies([player], [player]) for player in EVERYBODY] == [4, None, None]
    # In Count-3, nobody can win alone, any two can, and each can see to it that the game ends.
    count3 = solved(3)
    assert not any(count3.can_force([player], [player]) for player in EVERYBODY)
    assert [count3.plies(pair, pair) for pair in ((0, 1), (0, 2), (1, 2))] == [5, 6, 5]
    assert [count3.plies([player], EVERYBODY) for player in EVERYBODY] == [10, 7, 9]


@settings(deadline=None, derandomize=True, max_examples=150)
@given(data=st.data())
def test_plies_follow_from_the_moves(data):
    n, overflow = data.draw(st.sampled_from([(6, "one"), (7, "one"), (6, "rollover")]))
    coalition, targets = (
        data.draw(st.sampled_from(three_survey.COALITIONS)),
        data.draw(st.sampled_from(three_survey.COALITIONS)),
    )
    pair = st.sampled_from([pair for pair in rules.Game(n).pairs if pair != OUT])
    state = three.State(tuple(data.draw(pair) for _ in EVERYBODY), data.draw(st.sampled_from(EVERYBODY)))
    exact = solved(n, overflow)
    children = [exact.game.play(state, move) for move in exact.game.moves(state)]
    after = [exact.plies(coalition, targets, child) for child in children]
    forced = [plies for plies in after if plies is not None]
    found = exact.plies(coalition, targets, state)
    if state.mover in coalition:
        assert found == (1 + min(forced) if forced else None)
    else:
        assert found == (1 + max(forced) if len(forced) == len(after) else None)


def test_more_players_and_more_targets_never_force_less():
    exact = solved(6)
    tables = {
        kind: exact.table(*kind) >= 0 for kind in product(((), *three_survey.COALITIONS), three_survey.COALITIONS)
    }
    for (s, t), less in tables.items():
        for (larger, wider), more in tables.items():
            if set(s) <= set(larger) and set(t) <= set(wider):
                assert (less <= more).all()
            if not set(s) & set(larger) and not set(t) & set(wider):
                assert not (less & more).any()


def test_prevention_is_what_the_others_cannot_force():
    exact = solved(4)
    state = three.START_STATE
    assert exact.can_prevent([0, 1], [2]) and not exact.can_prevent([2], [0, 1])
    assert not exact.can_prevent([0], EVERYBODY, state) and not solved(8).can_prevent([0], [0, 1])
    # In Count-8, unlike Count-4, no player alone can see to it that the game ends: the other two can prevent it.
    assert exact.can_force([0], EVERYBODY) and not solved(8).can_force([0], EVERYBODY)
    assert solved(8).can_prevent([1, 2], EVERYBODY)


# --- what can be reached, and random play ------------------------------------------------------------------------


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_reachable_states(n):
    exact, slow = solved(n), reached(n)
    assert np.count_nonzero(exact.reached) == len(slow)
    assert all(exact.reached[(state.mover, *map(number, state.position))] for state in slow)
    over = sum(OUT in state.hands for state in slow)
    assert np.count_nonzero(exact.running) == len(slow) - over and over > 0


def test_random_play_by_a_linear_system():
    n = 4
    game, found = three.ThreePlayerGame(n), three.random_play(n)
    unfinished = [state for state in running(n) if state.mover == 0]
    place = {state.position: i for i, state in enumerate(unfinished)}
    size = len(unfinished)
    # Unknowns: the chance of each seat, of each position; a move shifts the seats by one.
    matrix, right = sparse.lil_matrix((3 * size, 3 * size)), np.zeros(3 * size)
    for i, state in enumerate(unfinished):
        moves = game.moves(state)
        for seat in EVERYBODY:
            matrix[3 * i + seat, 3 * i + seat] += 1
            for move in moves:
                child = game.play(state, move)
                if game.mover(child) == OVER:
                    right[3 * i + seat] += (seat == 0) / len(moves)
                else:
                    matrix[3 * i + seat, 3 * place[child.position] + (seat + 2) % 3] -= 1 / len(moves)
    exact = spsolve(matrix.tocsr(), right).reshape(size, 3)
    assert 0 <= found.error <= 1e-9
    assert np.allclose(exact.sum(axis=1), 1)
    for i, state in enumerate(unfinished):
        assert np.allclose(found.chances(state), exact[i], atol=1e-8, rtol=0)


def test_random_play_knows_no_seats():
    found = three.random_play(5)
    hands = ((1, 2), (3, 4), (2, None))
    first = found.chances(three.State(hands, 0))
    second = found.chances(three.State(hands[2:] + hands[:2], 1))
    assert second == (first[2], first[0], first[1])
    assert three.ThreePlayerGame(5, leaves=found.chances).payoffs(three.State(hands, 0)) == first
    assert len(set(first)) == 3
    assert found.chances(three.State(((1, 1), (1, 1), OUT), 0)) == (0, 0, 1)


# --- coalitions --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", range(3, 10))
def test_any_two_decide_and_nobody_alone(n):
    game = solved(n).alpha_game()
    third = Fraction(1, 3)
    assert game.shapley() == dict.fromkeys(EVERYBODY, third)
    assert game.core_is_empty() and game.least_core().epsilon == third
    assert set(game.balanced_weights().values()) == {Fraction(1, 2)}
    dual = solved(n).dual_game()
    assert all(game.worth(c) == dual.worth(c) for c in three_survey.COALITIONS)


def test_sums_grow_no_faster_than_each_line_of_play_allows():
    """All lines of play from the start to eight plies, without an N that would stop a sum."""
    states, greatest = {((1, 1), (1, 1), (1, 1))}, [1]
    for _ in range(8):
        after = set()
        for mover, second, third in states:
            for place, added in product(range(2), {*second, *third}):
                hands = tuple(sorted((mover[place] + added, mover[1 - place])))
                after.add((second, third, hands))
        states = after
        greatest.append(max(hand for state in states for hands in state for hand in hands))
    assert [three_survey.largest_sum(ply) for ply in range(9)] == greatest
    assert (three_survey.largest_sum(11), three_survey.largest_sum(14)) == (88, 277)


def test_alpha_and_dual_differ_where_one_player_and_the_rest_draw():
    exact = solved(11, "rollover")  # the smallest with such states; the other rule has none up to 11
    drawn = three_survey.drawn_with_the_rest(exact) & exact.running[0]
    assert drawn.any()
    for state in three_survey.states_where(exact, drawn, 5):
        alpha, dual = exact.alpha_game(state), exact.dual_game(state)
        worths = [(alpha.worth(c), dual.worth(c)) for c in three_survey.COALITIONS]
        assert all(low <= high for low, high in worths) and any(low < high for low, high in worths)
        for one in EVERYBODY:
            rest = [other for other in EVERYBODY if other != one]
            assert dual.worth([one]) == exact.can_prevent([one], rest, state) == 1 - alpha.worth(rest)


def test_alpha_games_over_all_states():
    exact = solved(4)
    frame = three_survey.alpha_games(exact)
    assert frame["states"].sum() == np.count_nonzero(exact.running)
    pairs = "mover + next; mover + previous; next + previous"
    assert list(frame["winning"]) == ["mover", pairs, "next", "previous"] and frame["states"].is_monotonic_decreasing
    found = {}
    for state in reached(4):
        if OUT not in state.hands:
            values = exact.alpha_game(three.State(state.position)).shapley()
            key = tuple(values[seat] for seat in EVERYBODY)
            found[key] = found.get(key, 0) + 1
    listed = frame.groupby(list(three_survey.SEATS))["states"].sum()
    assert {tuple(key): count for key, count in listed.items()} == found
    assert not three_survey.drawn_with_the_rest(exact)[exact.running[0]].any() and frame["decisive"].all()


def test_kingmakers_by_their_definition():
    exact = solved(4)
    kinds = three_survey.kingmakers(exact)
    counts = dict.fromkeys(kinds, 0)
    for state in reached(4):
        if OUT in state.hands:
            continue
        me, following, previous = (state.mover + step for step in range(3))
        following, previous = following % 3, previous % 3
        children = [exact.game.play(state, move) for move in exact.game.moves(state)]
        sure = [[one for one in EVERYBODY if exact.can_force([one], [one], child)] for child in children]
        wins = exact.can_force([me], [me], state)
        move = not wins and [following] in sure and [previous] in sure
        bits = sum(bit for bit, who in ((1, [me]), (2, [following]), (4, [previous]), (8, [])) if who in sure)
        assert exact.prospects[tuple(map(number, state.position))] == bits
        expected = {
            "plan": not wins and all(exact.can_force([me, one], [one], state) for one in (following, previous)),
            "move": move,
            "must": move and [] not in sure,
        }
        for kind, positions in kinds.items():
            assert bool(positions[tuple(map(number, state.position))]) == expected[kind]
            counts[kind] += expected[kind]
    assert counts["plan"] > counts["move"] > counts["must"] > 0
    row, unfinished = three_survey.row(4), [state for state in reached(4) if OUT not in state.hands]
    assert {kind: row[kind] for kind in kinds} == counts
    seats = dict(zip(three_survey.SEATS, EVERYBODY, strict=True))
    for name, seat in seats.items():
        sure = [exact.can_force([one], [one], s) for s in unfinished for one in [(s.mover + seat) % 3]]
        assert row[name] == sum(sure) > 0
    assert row["states"] == len(unfinished) and row["core"] == "empty" and row["shapley"] == (Fraction(1, 3),) * 3
    assert row["drawn"] == 0 and row["alone"] == "" and row["enders"] == "0,1,2" and row["2 of 1,2"] == 6


def test_kingmakers_are_among_the_positions_of_the_game():
    for positions in three_survey.kingmakers(solved(5)).values():
        assert not positions[0].any() and not positions[:, 0].any() and not positions[:, :, 0].any()
    must = three_survey.states_where(solved(8), three_survey.kingmakers(solved(8))["must"], 3)
    assert len(must) == 3 == len(set(must))
    for state in must:
        assert solved(8).reached[(state.mover, *map(number, state.position))]
        assert solved(8).game.check_state(state) == state


def test_shares_of_forced_states():
    exact = solved(4)
    frame = three_survey.forced_shares(exact)
    states = [state for state in reached(4) if OUT not in state.hands]
    for coalition, targets in (((0,), (0,)), ((0, 2), (1,)), ((1, 2), (1, 2)), ((1,), EVERYBODY)):
        seated = [exact.can_force(coalition, targets, three.State(state.position)) for state in states]
        share = frame.loc[three_survey.seats_text(coalition), three_survey.seats_text(targets)]
        assert share == pytest.approx(np.mean(seated), abs=1e-12) and 0 < share <= 1


def test_a_kingmaker_by_hand():
    # 1,2 v 1,- v 1,- in Count-3: 1 + 1 leaves a 2 to the next player, who is out with it. 2 + 1 withdraws a hand; the
    # next player must show 2, and the previous one is out with that.
    exact, state = solved(3), three.State(((1, 2), (1, None), (1, None)), 0)
    crowned = three_survey.crowned_by(exact, state)
    moves = {name: [(move.own, move.added) for move in found] for name, found in crowned.items()}
    assert moves == {"mover": [], "next": [(1, 1)], "previous": [(2, 1)], "nobody": []}
    assert state in three_survey.states_where(exact, three_survey.kingmakers(exact)["must"])
    # Both ways of breaking the tie are equilibria, so MaxN has two values.
    assert search.maxn_values(exact.game, state).values == ((0, 0, 1), (0, 1, 0))
    # Seen from another seat, the same.
    turned = three.State(((1, None), (1, None), (1, 2)), 2)
    assert three_survey.crowned_by(exact, turned) == crowned
