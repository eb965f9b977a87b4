"""The tournament of searches at Count-N for three."""

from functools import cache

import numpy as np
import pandas as pd
import pytest

from chapters.countn import three_contest, three_scores, three_survey
from gamebalance.countn import three
from gamebalance.multiplayer import search
from gamebalance.multiplayer.protocols import OVER

SMALL = {"n": 6, "nodes": 60, "plies": 6, "seed": 3}


@pytest.fixture(scope="module")
def rows():
    return pd.DataFrame([three_contest.row(opening, **SMALL) for opening in (1, 2, 3)])


@pytest.fixture(scope="module")
def exact():
    return three.solve(6)


@cache
def game(n=6):
    """With the leaves that the contest has."""
    return three.ThreePlayerGame(n, leaves=three.random_play(n).chances)


def test_winners_are_those_of_the_general_tournament(rows, exact):
    """Another loop, another memory and no stop at repetitions: the games end, so both must agree."""

    def policy(method):
        return lambda game, state: three_contest.decide(game, state, method, SMALL["nodes"], SMALL["seed"]).move

    policies = {method: policy(method) for method in three_contest.METHODS}
    state = three_contest.opening_state(exact, 2, SMALL["plies"], SMALL["seed"])
    assert str(state) == rows["hands"][1] and "-" not in rows["winners"][1]
    result = search.round_robin(game(), [state], policies)
    assert result.seatings == three_contest.SEATINGS
    assert "".join("ABC"[seat] for seat in result.payoffs.argmax(axis=1)) == rows["winners"][1]
    wins = three_scores.overall(rows.iloc[[1, 1]])["wins"]
    assert np.allclose(wins, result.means())


def test_moves_are_counted_in_games_of_different_methods(rows, exact):
    table = three_contest.Table(exact, game(), SMALL["nodes"], SMALL["seed"])
    state, counts = three_contest.opening_state(exact, 2, SMALL["plies"], SMALL["seed"]), np.zeros((4, 7), int)
    for seating in three_contest.SEATINGS:
        if len(set(seating)) > 1:
            table.play(state, seating, counts)
    for method, counted in zip(three_contest.METHODS, counts, strict=True):
        assert [rows[f"{method} {name}"][1] for name in three_contest.COUNTS] == counted.tolist()


def test_every_position_has_its_own_random_numbers(monkeypatch):
    seeds = []
    result = search.mcts(game(), three.START_STATE, 4, 1, 2)
    monkeypatch.setattr(search, "mcts", lambda game, state, playouts, seed, depth: seeds.append(seed) or result)
    hands = ((1, 2), (1, 4), (2, 3))
    for state in (three.State(hands, 0), three.State(hands[2:] + hands[:2], 1), three.State(hands, 1)):
        three_contest.decide(game(), state, "MCTS", 100, 7)
    assert seeds[0] == seeds[1] != seeds[2]


def test_openings_leave_the_game_open(exact):
    openings = [three_contest.opening_state(exact, opening, 6, 1) for opening in range(40)]
    assert len(set(openings)) > 20 and all(state.mover == 0 for state in openings)
    assert openings[3] == three_contest.opening_state(exact, 3, 6, 1) != three_contest.opening_state(exact, 3, 6, 2)
    for state in openings:
        assert exact.game.mover(state) != OVER
        assert not any(exact.can_force([player], [player], state) for player in range(3))
    with pytest.raises(ValueError, match="plies = 1: no opening"):
        three_contest.opening_state(three.solve(2), 1, 1, 1)


def test_tempting_states_hold_a_right_and_a_wrong_move(exact):
    states = three_contest.tempting_states(exact, 25, 4)
    assert states == three_contest.tempting_states(exact, 25, 4) != three_contest.tempting_states(exact, 25, 5)
    for state in states:
        assert not exact.can_force([state.mover], [state.mover], state)
        children = [exact.game.play(state, move) for move in exact.game.moves(state)]
        given = [any(exact.can_force([one], [one], child) for one in range(3)) for child in children]
        assert any(given) and not all(given)
    with pytest.raises(ValueError, match="count = 1: only 0 such states"):
        three_contest.tempting_states(three.solve(2), 1, 1)


def test_methods_take_a_win_and_know_no_seats(exact):
    hands = ((5, None), (1, 4), (2, 3))
    for method in three_contest.METHODS:
        here = three_contest.decide(game(), three.State(hands, 0), method, 100)
        there = three_contest.decide(game(), three.State(hands[2:] + hands[:2], 1), method, 100)
        assert here == there and here.move.hands == (None, None)
        if method != "MCTS":
            assert here.depth == 1 and here.nodes <= 6


def test_budgets_are_kept_by_the_last_ply_predicted():
    eight, state = game(8), three_contest.opening_state(three.solve(8), 1, 6, 3)
    for name, method in (("MaxN", search.maxn), ("Paranoid", search.paranoid), ("BRS", search.best_reply)):
        shallow, deep = (three_contest.decide(eight, state, name, nodes) for nodes in (50, 800))
        assert deep.depth > shallow.depth
        assert deep.nodes == sum(method(eight, state, depth).nodes for depth in range(1, deep.depth + 1))
        assert deep.move == method(eight, state, deep.depth).move
        sizes = np.array([1] + [method(eight, state, depth).nodes for depth in range(1, deep.depth + 1)])
        predicted = sizes[1:].cumsum() + sizes[1:] ** 2 / sizes[:-1]
        # With 1.01 times what it then needs, a search goes on; with 0.99 times, not.
        for share, further in ((1.01, True), (0.99, False)):
            found = three_contest.decide(eight, state, name, int(share * predicted[-1]))
            assert (found.depth > deep.depth) == further
        assert (predicted[:-1] <= 800).all() and predicted[-1] > 800
    playouts = three_contest.decide(eight, state, "MCTS", 800, 5)
    assert 300 < playouts.nodes < 1300 and playouts != three_contest.decide(eight, state, "MCTS", 800, 6)


def test_search_stops_when_every_line_has_ended():
    two = three.ThreePlayerGame(2)
    found = three_contest.decide(two, three.State(hands=((1, 1), (1, None), (1, None))), "MaxN", 10**6)
    # Player 1 is out on the second ply; a third would find no new node.
    assert (found.depth, found.nodes) == (3, 2 + 3 + 3)


def test_a_hopeful_search_keeps_the_move_before_it_saw_defeat(exact):
    changed = 0
    for state in three_contest.tempting_states(exact, 40, 1):
        for name, method in (("MaxN", search.maxn), ("Paranoid", search.paranoid), ("BRS", search.best_reply)):
            plain, hopeful = (three_contest.decide(game(), state, name, 400, hopeful=hope) for hope in (False, True))
            results = [method(game(), state, depth) for depth in range(1, plain.depth + 1)]
            ours = [r.value[state.mover] if isinstance(r.value, tuple) else r.value for r in results]
            assert plain.move == results[-1].move
            lost = ours.index(0) if 0 in ours else None
            expected = results[-1] if lost is None else results[max(lost - 1, 0)]
            if lost != 0:
                assert hopeful.move == expected.move
                assert hopeful.depth == (plain.depth if lost is None else lost + 1)
            changed += hopeful.move != plain.move
    assert changed > 5


def test_a_state_that_comes_again_is_a_draw(exact):
    class Circle(three.ThreePlayerGame):
        def moves(self, state):
            return (three.rules.Move(1, 1, state.position[0]),)

    table, counts = three_contest.Table(exact, Circle(6), 60, 1), np.zeros((4, 7), int)
    table._judged = lambda state, after: (False,) * 4
    assert table.play(three.START_STATE, (0, 1, 2), counts) is None
    assert counts[:, 0].tolist() == [1, 1, 1, 0]


def test_counts_judge_moves_by_the_exact_solution(exact):
    table = three_contest.Table(exact, exact.game, 60, 1)
    seen = set()
    for state in three_survey.states_where(exact, exact.prospects > 0, 10**6):
        for child in table._children(state)[:2]:
            mine, others = [state.mover], [player for player in range(3) if player != state.mover]
            given = any(exact.can_force([player], [player], child) for player in others)
            won, kept, open_, gave = table._judged(state, child)
            assert won == exact.can_force(mine, mine, state) and kept == exact.can_force(mine, mine, child)
            assert gave == (open_ and given) and not (won and open_)
            seen.add((won, kept, open_, gave))
        if len(seen) == 5:
            break
    # Won and kept, won and thrown away, kept open, given away, and lost whatever is played.
    assert len(seen) == 5


def test_standings_add_up(rows):
    frame = three_scores.by_opponents(rows)
    assert len(frame) == 40 and set(frame["games"]) == {3, 9, 18}
    wins = {(line.method, line.first, line.second): line.wins for line in frame.itertuples()}
    draws = {(line.method, line.first, line.second): line.draws for line in frame.itertuples()}
    # One game of three different methods has one winner or none.
    for trio in (("MaxN", "Paranoid", "BRS"), ("Paranoid", "BRS", "MCTS")):
        parts = [(one, *(other for other in trio if other != one)) for one in trio]
        assert sum(wins[part] for part in parts) + draws[parts[0]] == pytest.approx(1)
    # One of A against two of B.
    two = 2 * wins["BRS", "MaxN", "BRS"]
    assert wins["MaxN", "BRS", "BRS"] + two + draws["MaxN", "BRS", "BRS"] == pytest.approx(1)
    by_hand = [text[three_contest.SEATINGS.index((0, 1, 2))] == "A" for text in rows["winners"]]
    seatings = [(0, 1, 2), (0, 2, 1), (1, 0, 2), (2, 0, 1), (1, 2, 0), (2, 1, 0)]
    shares = [
        [text[three_contest.SEATINGS.index(s)] == "ABC"[s.index(0)] for s in seatings] for text in rows["winners"]
    ]
    assert [share[0] for share in shares] == by_hand
    means = np.mean(shares, axis=1)
    line = frame[(frame["method"] == "MaxN") & (frame["first"] == "Paranoid") & (frame["second"] == "BRS")].iloc[0]
    assert line["wins"] == pytest.approx(means.mean()) and line["wins_error"] == pytest.approx(
        means.std(ddof=1) / 3**0.5
    )


def test_overall(rows):
    frame = three_scores.overall(rows).set_index("method")
    drawn = np.mean(
        [
            letter == "-"
            for text in rows["winners"]
            for s, letter in zip(three_contest.SEATINGS, text, strict=True)
            if len(set(s)) > 1
        ]
    )
    # Each method has a quarter of the places, and one place in three wins unless the game is a draw.
    assert frame["wins"].mean() == pytest.approx((1 - drawn) / 3)
    moves, nodes = rows["BRS moves"].to_numpy(float), rows["BRS nodes"].to_numpy(float)
    assert frame.loc["BRS", "nodes"] == pytest.approx(nodes.sum() / moves.sum())
    # The error of a ratio, by leaving out one opening at a time; near, as both are approximations.
    left = [np.delete(nodes, i).sum() / np.delete(moves, i).sum() for i in range(3)]
    jackknife = np.sqrt(2 / 3 * ((left - np.mean(left)) ** 2).sum())
    assert frame.loc["BRS", "nodes_error"] == pytest.approx(jackknife, rel=0.5)
    for name in three_contest.METHODS:
        assert (rows[f"{name} kept"] <= rows[f"{name} winnable"]).all() and (
            rows[f"{name} gave"] <= rows[f"{name} open"]
        ).all()


def test_all_wins_kept_is_no_certainty(rows):
    """Three openings, all certain wins kept: a share below 1 remains possible, and 1% less than all has an error."""
    found = three_scores.overall(rows).set_index("method")
    all_kept = found[found["kept"] == 1]
    assert len(all_kept) and (all_kept["kept_high"] == 1).all()
    method = all_kept.index[0]
    met = (rows[f"{method} winnable"] > 0).sum()
    assert all_kept.loc[method, "kept_low"] == pytest.approx(0.025 ** (1 / met))
    lost = rows.copy()
    lost.loc[0, f"{method} kept"] -= 1
    changed = three_scores.overall(lost).set_index("method").loc[method]
    assert changed["kept"] < 1 and changed["kept_low"] < changed["kept"] < changed["kept_high"] <= 1
    never = three_scores.overall(rows.assign(**{f"{method} kept": 0})).set_index("method").loc[method]
    assert never["kept_low"] == 0 < never["kept_high"]


def test_difference_is_paired(rows):
    frame = three_scores.overall(rows).set_index("method")
    mean, error = three_scores.difference(rows, "MaxN", "BRS")
    assert mean == pytest.approx(frame.loc["MaxN", "wins"] - frame.loc["BRS", "wins"])
    each = [three_scores.overall(rows.iloc[[i, i]]).set_index("method")["wins"] for i in range(3)]
    gaps = np.array([wins["MaxN"] - wins["BRS"] for wins in each])
    assert error == pytest.approx(gaps.std(ddof=1) / 3**0.5) and error > 0
    assert three_scores.difference(rows, "BRS", "BRS") == (0, 0)


def test_change_is_paired_by_opening(rows):
    turned = rows.assign(winners=[text[::-1] for text in rows["winners"]])
    wins = [three_scores.overall(frame).set_index("method").loc["MCTS", "wins"] for frame in (rows, turned)]
    mean, error = three_scores.change(rows, turned, "MCTS")
    assert mean == pytest.approx(wins[1] - wins[0]) and error > 0
    assert three_scores.change(rows, rows, "MCTS") == (0, 0)
    with pytest.raises(ValueError, match="before, after"):
        three_scores.change(rows, rows.iloc[::-1], "MCTS")


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: three_contest.row(-1), "opening = -1"),
        (lambda: three_contest.row(1, nodes=5), "nodes = 5"),
        (lambda: three_contest.row(1, n=3, plies=61), "plies = 61"),
        (lambda: three_contest.decide(three.ThreePlayerGame(3), three.START_STATE, "UCT", 50), "method = 'UCT'"),
        (lambda: three_scores.by_opponents(pd.DataFrame([{"winners": "A" * 64}])), "rows: 1 of them"),
    ],
)
def test_bad_arguments_are_refused(call, text):
    with pytest.raises(ValueError, match=text):
        call()
