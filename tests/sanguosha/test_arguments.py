"""Bad input: a ValueError of one line that names the argument and the value, and says what is allowed."""

import re

import numpy as np
import pytest

import gamebalance
from gamebalance import sanguosha
from gamebalance.sanguosha import Lineup, Rules, Scoring

ONE = "1-1-1-1"

CASES = {
    # line-ups
    "no lord": (lambda: Lineup.parse("0-1-1-1"), "0-1-1-1", "exactly one"),
    "two lords": (lambda: Lineup.parse("2-1-1-1"), "2-1-1-1", "exactly one"),
    "eleven players": (lambda: Lineup.parse("1-4-4-2"), "11 players", "2 to 10"),
    "eleven players, counted": (lambda: Lineup(4, 4, 2), "11 players", "2 to 10"),
    "a lord alone": (lambda: Lineup(0, 0, 0), "1 players", "2 to 10"),
    "nobody against the lord": (lambda: Lineup(3, 0, 0), "1-3-0-0", "at least one rebel or renegade"),
    "minus one": (lambda: Lineup(-1, 2, 1), "loyalists = -1", "0 or more"),
    "half a rebel": (lambda: Lineup(1, 0.5, 1), "rebels = 0.5", "whole number"),
    "True renegades": (lambda: Lineup(1, 1, True), "renegades = True", "whole number"),
    "three numbers": (lambda: Lineup.parse("1-1-1"), "'1-1-1'", "1-1-2-1"),
    "five numbers": (lambda: Lineup.parse("1-1-1-1-1"), "'1-1-1-1-1'", "1-1-2-1"),
    "words": (lambda: Lineup.parse("one-1-1-1"), "'one-1-1-1'", "1-1-2-1"),
    "two lines": (lambda: Lineup.parse("1-1\n-1-1"), r"1-1\n-1-1", "1-1-2-1"),
    "nothing": (lambda: Lineup.parse(""), "''", "1-1-2-1"),
    # seatings
    "seating without lord": (lambda: sanguosha.solve("123"), "'123' has 0 lords", "exactly one"),
    "seating with two lords": (lambda: sanguosha.solve("0012"), "'0012' has 2 lords", "exactly one"),
    "role digit 7": (lambda: sanguosha.solve("0127"), "'0127'", "0 lord, 1 loyalist, 2 rebel, 3 renegade"),
    "lord not first": (lambda: sanguosha.solve("1023"), "'1023'", "the 0 stands in front"),
    "eleven seats": (lambda: Lineup.of_seating("01112222333"), "11 players", "2 to 10"),
    "five seats for the solver": (lambda: sanguosha.solve("01223"), "5 players", "2 to 4"),
    "empty seating": (lambda: sanguosha.solve(""), "''", "role digits"),
    "seating as a number": (lambda: sanguosha.solve(123), "seating = 123", "role digits"),
    "lord alone": (lambda: sanguosha.solve("0"), "seating = '0' has 1 players", "2 to 4"),
    "only friends": (lambda: sanguosha.solve("011"), "seating = '011'", "at least one rebel"),
    "states of five": (lambda: sanguosha.reachable_states("01223"), "5 players", "2 to 4"),
    "seating of another line-up": (lambda: sanguosha.simulate(ONE, 9, 1, seating="0122"), "'0122'", ONE),
    "seating of another line-up, play": (lambda: sanguosha.play(ONE, 1, seating="0122"), "'0122'", ONE),
    "seating not a seating, simulate": (lambda: sanguosha.simulate(ONE, 9, 1, seating="0177"), "'0177'", "role digits"),
    "five players to the solver": (lambda: sanguosha.solve_lineup("1-1-2-1"), "5 players", "at most 4"),
    "a seating without end": (lambda: sanguosha.solve("0" * 9000), "seating = '000", "exactly one"),
    "numbers without end": (lambda: Lineup.parse("1-" + "9" * 9000), "line-up '1-999", "1-1-2-1"),
    # other objects
    "no rules, solve": (lambda: sanguosha.solve("02", rules=None), "rules = None", "Rules object"),
    "no rules, simulate": (lambda: sanguosha.simulate(ONE, 9, 1, rules="coded"), "rules = 'coded'", "Rules object"),
    "no rules, play": (lambda: sanguosha.play(ONE, 1, rules=3), "rules = 3", "Rules object"),
    "a deck that is no deck": (lambda: Rules(deck=5), "deck = 5", "six whole numbers"),
    "half a card": (lambda: Rules(deck=(15, 8, 7, 5, 6.5, 30)), "6.5", "six whole numbers"),
    "points in words": (lambda: Scoring(lord_win="x"), "lord_win = 'x'", "finite number"),
    "maybe shared": (lambda: Scoring(share_consolation="no"), "share_consolation = 'no'", "True or False"),
    "nine dodges": (lambda: sanguosha.open_table("0123", [2, 9, 2, 2]), "dodges = 9", "0 to 4"),
    "too few hands": (lambda: sanguosha.open_table("0123", [2, 2]), "dodges = [2, 2]", "4 seats"),
    "survival in letters": (lambda: gamebalance.balance("abcd"), "survival = 'abcd'", "four finite numbers"),
    "ragged scores": (lambda: gamebalance.rationality([[1], 2, 3, 4]), "scores = [[1]", "four finite numbers"),
    "a table of scores": (lambda: gamebalance.rationality(np.eye(4)), "scores = array", "four finite numbers"),
    # numbers
    "games 0": (lambda: sanguosha.simulate(ONE, 0, 1), "games = 0", "from 1 to 2^63 - 1"),
    "games -3": (lambda: sanguosha.simulate(ONE, -3, 1), "games = -3", "from 1 to 2^63 - 1"),
    "games 1.5": (lambda: sanguosha.simulate(ONE, 1.5, 1), "games = 1.5", "whole number"),
    "games True": (lambda: sanguosha.simulate(ONE, True, 1), "games = True", "whole number"),
    "games text": (lambda: sanguosha.simulate(ONE, "9", 1), "games = '9'", "whole number"),
    "workers 0": (lambda: sanguosha.simulate(ONE, 9, 1, workers=0), "workers = 0", "from 1 to 1024"),
    "workers 0, solver": (lambda: sanguosha.solve_lineup(ONE, workers=0), "workers = 0", "from 1 to 1024"),
    "seed x": (lambda: sanguosha.simulate(ONE, 9, "x"), "seed = 'x'", "0 to 2^63 - 1"),
    "seed -1": (lambda: sanguosha.simulate(ONE, 9, -1), "seed = -1", "0 to 2^63 - 1"),
    "seed 2^63": (lambda: sanguosha.simulate(ONE, 9, 2**63), f"seed = {2**63}", "0 to 2^63 - 1"),
    "seed 1.0": (lambda: sanguosha.simulate(ONE, 9, 1.0), "seed = 1.0", "whole number"),
    "seed True": (lambda: sanguosha.play(ONE, True), "seed = True", "whole number"),
    "seed None": (lambda: sanguosha.play(ONE, None), "seed = None", "whole number"),
    "game -1": (lambda: sanguosha.play(ONE, 1, -1), "number = -1", "0 to 2^63 - 1"),
    "game 2^63": (lambda: sanguosha.play(ONE, 1, 2**63), f"number = {2**63}", "0 to 2^63 - 1"),
    "the game that would be number 5": (lambda: sanguosha.play(ONE, 1, 5 + 2**64), f"number = {5 + 2**64}", "2^63 - 1"),
    "games 2^63": (lambda: sanguosha.simulate(ONE, 2**63, 1), f"games = {2**63}", "from 1 to 2^63 - 1"),
    "workers 99999999999": (lambda: sanguosha.simulate(ONE, 9, 1, workers=99999999999), "99999999999", "1 to 1024"),
    "many workers, solver": (lambda: sanguosha.solve_lineup(ONE, workers=1025), "workers = 1025", "from 1 to 1024"),
    # rules and points
    "opening": (lambda: Rules(opening="three cards"), "opening = 'three cards'", "'two dodges', 'four cards'"),
    "range as a number": (lambda: Rules(snatch_any_distance=1), "snatch_any_distance = 1", "True or False"),
    "five cards": (lambda: Rules(deck=(1, 1, 1, 1, 1)), "deck = (1, 1, 1, 1, 1)", "six whole numbers"),
    "no slash": (lambda: Rules(deck=(1, 1, 1, 1, 1, 0)), "deck = (1, 1, 1, 1, 1, 0)", "at least one slash"),
    "minus one peach": (lambda: Rules(deck=(1, -1, 1, 1, 1, 1)), "deck = (1, -1, 1, 1, 1, 1)", "0 or more"),
    "half a peach": (lambda: Rules(deck=(1, 0.5, 1, 1, 1, 1)), "deck = (1, 0.5, 1, 1, 1, 1)", "whole numbers"),
    "endless points": (lambda: Scoring(consolation=float("inf")), "consolation = inf", "finite"),
    "game not over": (lambda: Scoring().scores(Lineup(1, 1, 1), (1, 0, 1, 0)), "alive = (1, 0, 1, 0)", "not over"),
    "counts of an exact solution": (lambda: sanguosha.solve("02").counts, "counts", "exact"),
}


@pytest.mark.parametrize(("call", "value", "allowed"), CASES.values(), ids=CASES)
def test_refused_by_name(call, value, allowed):
    with pytest.raises(ValueError) as caught:
        call()
    message = str(caught.value)
    assert value in message and allowed in message
    assert "\n" not in message and len(message) < 200


def test_what_is_just_allowed():
    assert sanguosha.simulate("1-0-0-1", 1, 0).games == 1
    assert sanguosha.simulate("1-3-4-2", np.int64(2), 2**63 - 1).games == 2
    assert len(sanguosha.play("1-0-9-0", 2**63 - 1).opening.players) == 10


def test_nothing_is_played_before_arguments_are_checked():
    """Bad values are found in the order of the arguments, however large the job: this returns at once."""
    with pytest.raises(ValueError, match=re.escape("seating = '0122' is not a seating of line-up 1-1-1-1")):
        sanguosha.simulate(ONE, 10**15, 1, seating="0122")
