"""The study's claims about Count-8: verdicts, the tables behind them, and the two arguments about missing ends."""

from itertools import pairwise, product
from math import gcd

import networkx as nx
import numpy as np
import pytest

from gamebalance import countn
from gamebalance.collection import published
from gamebalance.countn import folklore
from gamebalance.countn.folklore.statements import Facts
from gamebalance.countn.notation import hands_text, read_position
from gamebalance.countn.rules import WITHDRAWN, Game

# Decided by hand from the solved game and the wording: any change of a verdict must be looked at.
NUANCED = "true, with a nuance"
EITHER = "depends on the reading"
VERDICTS = {
    "asymmetric": NUANCED,
    "start": NUANCED,
    "potential": "cannot be decided",
    "reachable": "true",
    "trivial": "true",
    "ends": "true",
    "missing": EITHER,
    "big": NUANCED,
    "decided": "true",
    "connected": EITHER,
    "cycle": NUANCED,
    "no loss": NUANCED,
    "replies": NUANCED,
    "quarter": EITHER,
    "better": NUANCED,
    "even": "true",
    "narrow three": EITHER,
    "broad three": NUANCED,
    "impossible": "true",
    "1,3 v 7,7": NUANCED,
    "four": "true",
    "two": EITHER,
    "five to seven": EITHER,
    "one": NUANCED,
    "labels": "true",
    "no seven": "true",
    "first miss": "true",
    "second miss": NUANCED,
}


@pytest.fixture(scope="module")
def eight():
    return countn.solve(8)


@pytest.fixture(scope="module")
def facts():
    return Facts()


@pytest.fixture(scope="module")
def statements(facts):
    return {statement.key: statement for statement in folklore.statements(facts)}


# ---- Verdicts


@pytest.mark.parametrize(
    ("readings", "nuance", "verdict"),
    [
        ({"a": True}, "", "true"),
        ({"a": True, "b": True}, "but", NUANCED),
        ({"a": True, "b": False}, "", EITHER),
        ({"a": True, "b": False}, "but", EITHER),
        ({"a": False}, "but", "false"),
        ({}, "but", "cannot be decided"),
    ],
)
def test_a_verdict_follows_from_the_readings(readings, nuance, verdict):
    assert folklore.Statement("key", "claim", readings, {}, nuance).verdict == verdict
    assert verdict in folklore.VERDICTS


def test_the_verdicts(statements):
    assert {key: statement.verdict for key, statement in statements.items()} == VERDICTS


def test_counts_of_the_verdicts(statements):
    counts = folklore.verdict_counts(statements.values())
    assert list(counts.index) == list(folklore.VERDICTS)
    assert counts.to_dict() == {verdict: list(VERDICTS.values()).count(verdict) for verdict in folklore.VERDICTS}


def test_readings_are_decided_and_plain(statements):
    for statement in statements.values():
        assert all(type(holds) is bool for holds in statement.readings.values()), statement.key


def test_the_table_names_readings_only_where_they_disagree(statements):
    table = folklore.statement_table(statements.values())
    assert table.index.tolist() == list(range(1, len(VERDICTS) + 1))
    for statement, shown in zip(statements.values(), table["What was counted"], strict=True):
        for name in statement.readings:
            assert (f"{name}: yes" in shown or f"{name}: no" in shown) == (statement.verdict == EITHER)


def test_printed_numbers(statements):
    """What the claims say is what the study prints elsewhere too."""
    counts = published("count_n_state_counts").query("n == 8").set_index("label")["count"]
    undecided = counts[counts.index.isna()].item()
    assert statements["reachable"].numbers["states"] == counts.sum()
    assert statements["decided"].numbers == {"decided": counts.sum() - undecided, "not decided": undecided}
    assert statements["ends"].numbers["ends"] == len(published("count_8_terminal_states"))
    assert statements["big"].numbers["big and small wins, published labels"] == f"{counts[2]} and {counts[1]}"


@pytest.mark.parametrize(("key", "hands", "better"), [("two", (2, None), 0), ("five to seven", (5, None), -1)])
def test_a_rule_about_sevens_fails_with_one_live_hand(statements, eight, key, hands, better):
    """The rule promises no more than `better`, yet the hand alone wins; it can occur, so the reading is not empty."""
    assert statements[key].readings == {"with two live hands": True, "with one": False}
    assert folklore.can_occur(eight, hands, (7, 7)) and folklore.sign(eight.value(hands, (7, 7))) == 1 > better


def test_a_three_alone_cannot_be_kept(statements, eight):
    assert statements["narrow three"].readings == {"with two live hands": True, "with one": False}
    assert [option.move.hands for option in eight.options((3, None), (7, 7))] == [(1, None)]
    assert statements["four"].readings == {"with two live hands": True, "with one": True}


def test_how_many_claims_hold(statements):
    counts = folklore.verdict_counts(statements.values())
    assert counts.tolist() == [10, 11, 6, 0, 1]


# ---- What each claim rests on, from the rules


def test_a_quarter_of_the_second_moves_loses(eight, facts):
    """Every combination of an own and an added number, not only the different results."""
    assert list(facts.replies) == [(1, 2), (1, 3)]
    plies = []
    for reply in facts.replies:
        results = [
            hands_text(sorted((eight.game.total((1, 2)[own], added), (1, 2)[1 - own])))
            for own in (0, 1)
            for added in reply
        ]
        lost = [option for option in eight.options((1, 2), reply) if option.value < 0]
        assert len(results) == len(set(results)) == 4
        assert len(lost) == 1
        plies.append(lost[0].distance)
    assert plies == [24, 10]
    assert folklore.care(eight)["distance"].max() == 23


def test_the_start_recurs_under_no_rule():
    """A hand that shows 1 after adding a 1 would have shown N or more, or 0, before."""
    for n, overflow in product(range(2, 14), countn.OVERFLOWS):
        game = Game(n, overflow)
        assert not any(((1, 1), (1, 1)) in game.successors(mover, (1, 1)) for mover in game.pairs if mover != WITHDRAWN)


def test_only_two_states_have_no_mirror_image(facts):
    states = set(facts.graph)
    alone = {state for state in states if (state[1], state[0], not state[2]) not in states}
    assert alone == {((1, 1), (1, 1), False), ((1, 2), (1, 1), True)}


def test_drawn_states(facts, eight):
    assert len(facts.drawn) == eight.label_counts()[None] == 468
    assert {state for state in facts.graph if eight.value(*_position(state)) == 0} == set(facts.drawn)
    assert nx.is_weakly_connected(facts.drawn) and not nx.is_strongly_connected(facts.drawn)
    back_to_start = nx.ancestors(facts.drawn, ((1, 1), (1, 1), False))
    assert not back_to_start


def _position(state):
    first, second, turn = state
    return (second, first) if turn else (first, second)


def test_hands_against_sevens(eight):
    """The study's rules of thumb, spelt out pair by pair; the owner is to move."""
    table = folklore.against(eight)["owner to move"]
    sign = table["value"].map(folklore.sign)
    reached = table["reachable"]
    assert not reached["2,3"] and not reached["3,3"]
    assert [sign[f"1,{number}"] for number in range(1, 8)] == [1, 1, -1, -1, 1, -1, 1]
    assert (sign[["3,4", "3,5", "3,6", "3,7"]] == 1).all()
    assert (sign[["2,4", "4,4", "4,5", "4,6", "4,7"]] == 1).all()
    assert (sign[["2,5", "2,6"]] == 0).all()
    assert (sign[["5,5", "5,6", "5,7", "6,6", "6,7"]] == -1).all()
    # These are all pairs of two live hands that can occur.
    assert reached[:-7].sum() == 7 + 4 + 5 + 2 + 5


def test_against_has_both_sides_to_move(eight):
    table = folklore.against(eight, (2, 6))
    assert len(table) == 35
    assert table.loc["1,7", ("owner to move", "value")] == eight.value((1, 7), (2, 6)) == 1
    assert table.loc["1,7", ("other to move", "value")] == -eight.value((2, 6), (1, 7))
    assert table.loc["1,1", ("other to move", "plies")] != table.loc["1,1", ("other to move", "plies")]
    assert eight.value((2, 6), (1, 1)) == 0
    with pytest.raises(ValueError, match=r"opponent|mover"):
        folklore.against(eight, (2, 8))


def test_reachable_positions_are_not_ends(eight):
    found = folklore.reachable_positions(eight)
    assert len(found) == len(set(found)) == 945
    assert all(opponent != WITHDRAWN and eight.game.moves(mover, opponent) for mover, opponent in found)
    assert all(folklore.can_occur(eight, *position) for position in found)


def test_showing_counts_every_position_once(eight):
    table = folklore.showing(eight)
    for side in ("to move", "not to move"):
        shares = table[side][["% won", "% drawn", "% lost"]]
        assert np.allclose(shares.sum(axis=1), 100, rtol=0, atol=1e-9)
    won = table.loc["any", ("to move", "% won")]
    assert won == pytest.approx(table.loc["any", ("not to move", "% lost")])
    values = {position: eight.value(*position) for position in folklore.reachable_positions(eight)}
    threes = [value for (mover, _), value in values.items() if 3 in mover]
    assert table.loc[3, ("to move", "positions")] == len(threes)
    assert table.loc[3, ("to move", "% won")] == pytest.approx(100 * sum(value > 0 for value in threes) / len(threes))
    waiting = [value for (_, other), value in values.items() if 7 in other]
    assert table.loc[7, ("not to move", "% won")] == pytest.approx(
        100 * sum(value < 0 for value in waiting) / len(waiting)
    )


def test_value_chart(eight):
    chart = folklore.value_chart(eight)
    assert chart.shape == (35, 35) and chart.notna().to_numpy().sum() == 945
    assert chart.loc["1,7", "7,7"] == 2 and chart.loc["7,7", "6,6"] != chart.loc["7,7", "6,6"]
    for mover, opponent in product(["1,1", "2,5", "3,-", "6,6"], chart.columns):
        position = read_position(f"{mover} v {opponent}", eight.game)
        expected = eight.value(*position) if folklore.can_occur(eight, *position) else None
        assert (
            (chart.loc[mover, opponent] == expected) if expected is not None else np.isnan(chart.loc[mover, opponent])
        )


def test_care(eight):
    frame = folklore.care(eight).set_index("position")
    assert frame.loc["1,7 v 2,6"].tolist() == [1, 15, 3, 1]
    assert frame.loc["3,6 v 1,7", ["value", "moves", "keep"]].tolist() == [0, 4, 2]
    assert (frame["keep"] >= 1).all() and (frame["keep"] <= frame["moves"]).all()
    lost = frame[frame["value"] < 0]
    assert (lost["keep"] == lost["moves"]).all()
    summary = folklore.care_summary(eight)
    drawn = frame[(frame["value"] == 0) & (frame["moves"] > 1)]
    assert summary.loc["drawn", "choice"] == len(drawn)
    assert summary.loc["drawn", "only move"] == (drawn["keep"] == 1).sum() == 107
    assert summary.loc["drawn", "% of moves"] == pytest.approx(100 * np.mean(drawn["keep"] / drawn["moves"]))
    assert summary.loc["won", "positions"] == (frame["value"] > 0).sum()


# ---- Lines of play


def test_the_played_line(eight):
    line = folklore.replay(eight)
    labels = {"UNKNOWN": 0, "WIN": 1, "LOSE": -1}
    assert line["label"].isna().tolist() == [True] + 9 * [False]
    assert [labels[label] for label in line["label"][1:]] == [folklore.sign(value) for value in line["value"][1:]]
    assert folklore.thrown_away(line)[["left", "right", "best"]].values.tolist() == [
        ["1,7", "2,6", "3,7"],
        ["1,7", "4,6", "5,7"],
        ["1,1", "4,6", "4,7"],
    ]
    assert line["plies"][[0, 5]].tolist() == [15, 9]


def test_a_line_must_be_legal(eight):
    moments = list(folklore.PLAYED_LINE)
    with pytest.raises(ValueError, match="legal move"):
        folklore.replay(eight, [moments[0], moments[2]])
    with pytest.raises(ValueError, match="legal move"):
        folklore.replay(eight, [moments[0], ((1, 1), (2, 6), "left", None)])
    with pytest.raises(ValueError, match="legal move"):
        folklore.replay(eight, [moments[0], ((1, 1), (2, 5), "right", None)])
    assert len(folklore.replay(eight, moments[:1])) == 1


def test_the_line_is_one_of_moves():
    game = Game(8)
    for (left, right, turn, _), (new_left, new_right, new_turn, _) in pairwise(folklore.PLAYED_LINE):
        mover, opponent = (left, right) if turn == "left" else (right, left)
        kept, result = (new_right, new_left) if turn == "left" else (new_left, new_right)
        assert kept == opponent and turn != new_turn
        assert result in [move.hands for move in game.moves(mover, opponent)]


def test_trap_chance_by_hand(eight):
    """One move: the losing one of four. Two: three ways on, and the careful player's best answer to each."""
    assert folklore.trap_chance(eight, (1, 2), (1, 3), 0) == 0
    assert folklore.trap_chance(eight, (1, 2), (1, 3), 1) == 1 / 4

    def slips(mover, opponent):
        options = eight.options(mover, opponent)
        return sum(option.value < 0 for option in options) / len(options)

    two = 1 / 4
    for hands in ((2, 2), (2, 4), (1, 3)):
        answers = [option.move.hands for option in eight.options((1, 3), hands) if option.value == 0]
        two += max(slips(hands, answer) for answer in answers) / 4
    assert folklore.trap_chance(eight, (1, 2), (1, 3), 2) == pytest.approx(two) == 0.625


def test_trap_chance_needs_a_draw(eight):
    with pytest.raises(ValueError, match="drawn position"):
        folklore.trap_chance(eight, (1, 7), (2, 6), 2)


@pytest.mark.parametrize("moves", [-1, 1.5, "2", True])
def test_trap_chance_names_a_bad_number_of_moves(eight, moves):
    with pytest.raises(ValueError, match="moves = "):
        folklore.trap_chance(eight, (1, 2), (1, 3), moves)


def test_risks_of_the_replies(eight):
    risks = folklore.reply_risks(eight, 6)
    assert (risks.diff().iloc[1:] >= -1e-12).all().all()
    assert (risks >= 0).all().all() and (risks <= 100 + 1e-9).all().all()
    assert risks.loc[1, "first careless"].tolist() == [25, 25]
    # After 1,2 the second player may have to find one of two moves, after 1,3 three of four.
    assert risks.loc[1, "second careless"].tolist() == [50, 25]
    assert (risks["second careless", "1,3"] <= risks["second careless", "1,2"]).all()


def test_replies_need_a_drawn_start():
    with pytest.raises(ValueError, match="start is a draw"):
        folklore.reply_risks(countn.solve(7), 2)


def test_a_line_names_a_bad_side(eight):
    with pytest.raises(ValueError, match="to move = 'ycy'"):
        folklore.replay(eight, [((1, 7), (2, 6), "ycy", None)])


# ---- Missing ends


def test_missing_ends_of_eight(eight):
    missing = folklore.missing_ends(eight)
    rows = published("count_8_terminal_states").query("second_to_move == False")
    printed = {tuple(None if hand != hand else int(hand) for hand in pair) for pair in rows.iloc[:, :2].values}
    ours = {hands_text(pair) for pair in Game(8).pairs if pair != WITHDRAWN and pair not in printed}
    assert len(printed) == 23 and set(missing.index) == ours
    even = {hands for hands in ours if all(hand in "246-" for hand in hands.split(","))}
    assert set(missing.index[missing["divisor"] > 1]) == even and len(even) == 9
    small = {f"{low},{high}" for high in (2, 3, 4) for low in range(2, high + 1)}
    assert set(missing.index[missing["plies back"] == 1]) == small
    assert ours == even | small and missing["plies back"].max() == 7


@pytest.mark.parametrize("n", range(3, 13))
def test_the_two_arguments_hold(n):
    """No reachable state has a common divisor with n, and no end has two numbers from 2 to n/2: forwards, by search."""
    for overflow in countn.OVERFLOWS:
        solution = countn.solve(n, overflow)
        for first, second, _ in solution.reachable_states():
            numbers = [number for number in (*first, *second) if number is not None]
            assert gcd(n, *numbers) == folklore.common_divisor(n, (first, second)) == 1
            if overflow == "one":
                loser = second if first == WITHDRAWN else first if second == WITHDRAWN else (1, 1)
                assert None in loser or loser[0] == 1 or loser[1] > n / 2


def test_missing_ends_by_size():
    table = folklore.missing_ends_by_size(countn.solve(n) for n in (4, 7, 8, 12))
    ends, positions = table["ends"], table["positions"]
    assert (ends["reached"] + ends["missing"] == ends["all"]).all()
    assert ends["reached"].tolist() == [7, 23, 23, 42]
    # Two numbers from 2 to N/2: as many pairs as a triangular number.
    assert ends["one ply"].tolist() == [1, 3, 6, 15]
    assert ends["neither"].tolist() == [0, 1, 0, 1]
    assert positions["all"].tolist() == [(n * (n + 1) // 2 - 1) * (n * (n + 1) // 2) for n in (4, 7, 8, 12)]
    assert positions["plies"].notna().all() and (positions["plies"] >= ends["plies"]).all()


def test_endless_lines_back_are_told_apart(eight):
    """The start can follow nothing; a reachable position of the middle lies on a cycle."""
    backward = folklore.backward_graph(eight.game)
    assert folklore.longest_line_back(backward, ((1, 1), (1, 1))) == 0
    assert folklore.longest_line_back(backward, ((1, 1), (1, 2))) == 1
    assert folklore.longest_line_back(backward, ((1, 7), (2, 6))) is None
    rollover = folklore.missing_ends(countn.solve(8, "rollover"))
    assert rollover["plies back"].isna().any() and (rollover["divisor"] > 1).all()


def test_potential_states():
    assert folklore.potential_states(Game(8)) == 2592
    assert folklore.potential_states(Game(3)) == 72
