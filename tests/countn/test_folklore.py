"""The study's claims about Count-8: verdicts, the tables behind them, and the two arguments about missing ends."""

from itertools import product
from math import gcd
from string import Formatter

import networkx as nx
import numpy as np
import pytest

from chapters.countn import folklore
from chapters.countn.folklore import claims, deciders, ends, lines, positions
from gamebalance import countn
from gamebalance.countn.notation import hands_text, read_position
from gamebalance.countn.rules import WITHDRAWN, Game
from gamebalance.publish import published

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
    return deciders.Facts()


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
    assert claims.Statement("key", "claim", readings, {}, nuance).verdict == verdict
    assert verdict in claims.VERDICTS


def test_the_verdicts(statements):
    assert {key: statement.verdict for key, statement in statements.items()} == VERDICTS
    counts = folklore.verdict_counts(statements.values())
    assert list(counts.index) == list(claims.VERDICTS) and counts.tolist() == [10, 11, 6, 0, 1]


def named(texts):
    """What stands in the braces of some texts."""
    return {field for text in texts for _, field, _, _ in Formatter().parse(text) if field}


def test_claims_use_what_their_functions_find(facts):
    """All of it, and nothing else; and what decides a reading is a plain truth."""
    used, found = {}, {}
    for entry in claims.entries():
        name, given = entry["function"], entry.get("given", {})
        facts_of = given | deciders.DECIDERS[name](facts, **given)
        texts = [*entry["readings"], *entry["numbers"], *entry["numbers"].values(), entry.get("nuance", "")]
        truths = {*entry["readings"].values(), *([entry["nuance if"]] if "nuance if" in entry else [])}
        assert all(type(facts_of[truth]) is bool for truth in truths), entry["key"]
        used[name] = used.get(name, set()) | named(texts) | truths
        found[name] = found.get(name, set()) | set(facts_of)
    for name, facts_of in found.items():
        # What a function is given need not be said, and one answer may be for another reply.
        assert used[name] <= facts_of and facts_of - used[name] <= {"numbers", "but", "outcome", "side", "followed",
                                                                    "slowest_13"}, name  # fmt: skip


def test_a_claim_without_a_function_is_refused(monkeypatch):
    monkeypatch.delitem(deciders.DECIDERS, "even_cycles")
    with pytest.raises(ValueError, match=r"claims\.yaml: even_cycles: "):
        claims.entries.__wrapped__()


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
    assert statements["reachable"].numbers["states"] == str(counts.sum())
    decided = {"decided": counts.sum() - undecided, "not decided": undecided}
    assert statements["decided"].numbers == {name: str(count) for name, count in decided.items()}
    assert statements["ends"].numbers["ends"] == str(len(published("count_8_terminal_states")))
    assert statements["big"].numbers["big and small wins, published labels"] == f"{counts[2]} and {counts[1]}"


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
    assert positions.care(eight)["distance"].max() == 23


def test_the_start_recurs_under_no_rule():
    """A hand that shows 1 after adding a 1 would have shown N or more, or 0, before."""
    for n, overflow in product(range(2, 14), countn.OVERFLOWS):
        game = Game(n, overflow)
        assert not any(((1, 1), (1, 1)) in game.successors(mover, (1, 1)) for mover in game.pairs if mover != WITHDRAWN)


def test_drawn_states(facts, eight):
    assert len(facts.drawn) == eight.label_counts()[None] == 468
    assert nx.is_weakly_connected(facts.drawn) and not nx.is_strongly_connected(facts.drawn)
    back_to_start = nx.ancestors(facts.drawn, ((1, 1), (1, 1), False))
    assert not back_to_start


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
    assert np.isnan(table.loc["1,1", ("other to move", "plies")])
    assert eight.value((2, 6), (1, 1)) == 0
    with pytest.raises(ValueError, match=r"opponent|mover"):
        folklore.against(eight, (2, 8))


def test_reachable_positions_are_not_ends(eight):
    found = positions.reachable_positions(eight)
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
    values = {position: eight.value(*position) for position in positions.reachable_positions(eight)}
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
    assert chart.loc["1,7", "7,7"] == 2
    for mover, opponent in product(["1,1", "2,5", "3,-", "6,6"], chart.columns):
        position = read_position(f"{mover} v {opponent}", eight.game)
        expected = eight.value(*position) if folklore.can_occur(eight, *position) else None
        assert (
            (chart.loc[mover, opponent] == expected) if expected is not None else np.isnan(chart.loc[mover, opponent])
        )


def test_care(eight):
    frame = positions.care(eight).set_index("position")
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
    for wrong in (((1, 1), (2, 6), "left", None), ((1, 1), (2, 5), "right", None)):
        with pytest.raises(ValueError, match="legal move"):
            folklore.replay(eight, [moments[0], wrong])
    with pytest.raises(ValueError, match="to move = 'ycy'"):
        folklore.replay(eight, [((1, 7), (2, 6), "ycy", None)])
    assert len(folklore.replay(eight, moments[:1])) == 1


def test_trap_chance_by_hand(eight):
    """One move: the losing one of four. Two: three ways on, and the careful player's best answer to each."""
    trap = lines.trap_chance(eight)
    assert trap((1, 2), (1, 3), 0) == 0 and trap((1, 2), (1, 3), 1) == 1 / 4

    def slips(mover, opponent):
        options = eight.options(mover, opponent)
        return sum(option.value < 0 for option in options) / len(options)

    two = 1 / 4
    for hands in ((2, 2), (2, 4), (1, 3)):
        answers = [option.move.hands for option in eight.options((1, 3), hands) if option.value == 0]
        two += max(slips(hands, answer) for answer in answers) / 4
    assert trap((1, 2), (1, 3), 2) == pytest.approx(two) == 0.625


def test_replies_need_a_drawn_start():
    with pytest.raises(ValueError, match="start is a draw"):
        folklore.reply_risks(countn.solve(7), 2)


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


def test_endless_lines_back_are_told_apart(eight):
    """The start can follow nothing; a reachable position of the middle lies on a cycle."""
    backward = ends.backward_graph(eight.game)
    assert ends.longest_line_back(backward, ((1, 1), (1, 1))) == 0
    assert ends.longest_line_back(backward, ((1, 1), (1, 2))) == 1
    assert ends.longest_line_back(backward, ((1, 7), (2, 6))) is None
    rollover = folklore.missing_ends(countn.solve(8, "rollover"))
    assert rollover["plies back"].isna().any() and (rollover["divisor"] > 1).all()
