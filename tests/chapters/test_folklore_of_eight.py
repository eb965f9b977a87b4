"""Chapter A.5: verdicts on the study's claims about Count-8, the tables behind them, and why ends are missing."""

from itertools import product

import numpy as np
import pytest

from chapters import folklore_of_eight as chapter
from chapters import folklore_of_eight_claims as claims
from gamebalance import countn
from gamebalance.countn.states import hands_text, read_position
from gamebalance.publish import published

NUANCED, EITHER = "true, with a nuance", "depends on the reading"


@pytest.fixture(scope="module")
def eight():
    return countn.solve(8)


@pytest.fixture(scope="module")
def statements(eight):
    return {statement["key"]: statement for statement in claims.statements(eight)}


def test_a_verdict_follows_from_the_readings(statements):
    assert len(statements) == 28 and {each["verdict"] for each in statements.values()} <= set(claims.VERDICTS)
    assert [claims.verdict([True], ""), claims.verdict([True, True], "but")] == ["true", NUANCED]
    assert [claims.verdict([True, False], nuance) for nuance in ("", "but")] == [EITHER, EITHER]
    assert [claims.verdict([False], "but"), claims.verdict([], "but")] == ["false", "cannot be decided"]


def test_the_start_recurs_under_no_rule():
    """A hand that shows 1 after adding a 1 would have shown N or more, or 0, before."""
    for n, overflow in product(range(2, 14), countn.OVERFLOWS):
        game = countn.Game(n, overflow)
        assert not any(countn.START in game.successors(mover, (1, 1)) for mover in game.pairs[:-1])


def test_hands_against_sevens(eight):
    """The study's rules of thumb, spelt out pair by pair; the owner is to move."""
    table = chapter.against_sevens(eight)
    sign, reached = table["owner to move", "value"].map(chapter.sign), table["owner to move", "reachable"]
    assert not reached["2,3"] and not reached["3,3"]
    assert [sign[f"1,{number}"] for number in range(1, 8)] == [1, 1, -1, -1, 1, -1, 1]
    assert (sign[["3,4", "3,5", "3,6", "3,7", "2,4", "4,4", "4,5", "4,6", "4,7"]] == 1).all()
    assert (sign[["2,5", "2,6"]] == 0).all() and (sign[["5,5", "5,6", "5,7", "6,6", "6,7"]] == -1).all()
    # These are all pairs of two live hands that can occur.
    assert reached[:-7].sum() == 7 + 4 + 5 + 2 + 5
    assert table.loc["1,3", ("other to move", "value")] == -eight.value((7, 7), (1, 3))


def test_trap_chance_by_hand(eight):
    """One move: the losing one of four. Two: three ways on, and the careful player's best answer to each."""
    trap = chapter.trap_chance(eight)
    assert trap((1, 2), (1, 3), 0) == 0 and trap((1, 2), (1, 3), 1) == 1 / 4
    two = 1 / 4
    for hands in ((2, 2), (2, 4), (1, 3)):
        answers = [option.move.hands for option in eight.options((1, 3), hands) if option.value == 0]
        slips = [np.mean([option.value < 0 for option in eight.options(hands, answer)]) for answer in answers]
        two += max(slips) / 4
    assert trap((1, 2), (1, 3), 2) == pytest.approx(two) == 0.625


def test_missing_ends_of_eight(eight):
    missing = chapter.missing_ends(eight)
    rows = published("count_8_terminal_states").query("second_to_move == False")
    printed = {tuple(None if hand != hand else int(hand) for hand in pair) for pair in rows.iloc[:, :2].values}
    ours = {hands_text(pair) for pair in countn.Game(8).pairs[:-1] if pair not in printed}
    assert len(printed) == 23 and set(missing.index) == ours
    even = {hands for hands in ours if all(hand in "246-" for hand in hands.split(","))}
    small = {f"{low},{high}" for high in (2, 3, 4) for low in range(2, high + 1)}
    assert set(missing.index[missing["divisor"] > 1]) == even and len(even) == 9
    assert set(missing.index[missing["plies back"] == 1]) == small
    assert ours == even | small and missing["plies back"].max() == 7


def test_endless_lines_back_are_told_apart(eight):
    """The start can follow nothing; a reachable position of the middle lies on a cycle."""
    backward = chapter.backward_graph(eight.game)
    assert chapter.longest_line_back(backward, countn.START) == 0
    assert chapter.longest_line_back(backward, ((1, 1), (1, 2))) == 1
    assert chapter.longest_line_back(backward, read_position("1,7 v 2,6", eight.game)) is None
