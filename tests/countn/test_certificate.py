"""Drawing certificates, their independent checker, the shortest one, and peace."""

import itertools
import subprocess
import sys

import pytest

from chapters.countn import peace, shortest, survey
from gamebalance import countn
from gamebalance.countn import certificate, checker

DRAWS = [("one", n) for n in (8, *range(10, 21))] + [("rollover", n) for n in range(5, 15)]


def lines(n, overflow="one"):
    return list(certificate.drawing_certificate(countn.solve(n, overflow)).lines())


@pytest.mark.parametrize(("overflow", "n"), DRAWS)
def test_certificates_pass_the_checker(overflow, n):
    proof = lines(n, overflow)
    assert checker.check(proof) == (n, overflow, len(proof) - 1)  # and nothing stands in it that play cannot meet


@pytest.mark.parametrize(("n", "overflow"), [(2, "one"), (7, "one"), (9, "one"), (4, "rollover")])
def test_a_won_game_has_no_certificate(n, overflow):
    with pytest.raises(ValueError, match=f"n = {n}: the (first|second) player wins"):
        certificate.drawing_certificate(countn.solve(n, overflow))
    with pytest.raises(ValueError, match=f"n = {n}: the (first|second) player wins"):
        shortest.shortest_certificate(countn.solve(n, overflow))


def test_a_losing_move_and_an_illegal_one_are_found():
    solution, proof, tried = countn.solve(8), lines(8), 0
    moves = certificate.drawing_certificate(solution).moves
    for k, (mover, opponent) in enumerate(moves, 1):
        for option in solution.options(mover, opponent):
            if option.value < 0:
                wrong = f"{proof[k].split(' > ')[0]} > {','.join(str(hand or '-') for hand in option.move.hands)}"
                with pytest.raises(ValueError, match=r"lost with|no legal move"):
                    checker.check([*proof[:k], wrong, *proof[k + 1 :]])
                tried += 1
    assert tried > 100
    for after in ("3,1", "1,1", "-,1"):
        with pytest.raises(ValueError, match="no legal move"):
            checker.check([proof[0], f"1,1 v 1,1 > {after}", *proof[2:]])


def test_the_checker_knows_the_rules():
    for n, overflow in itertools.product(range(2, 10), countn.OVERFLOWS):
        game = countn.Game(n, overflow)
        for mover, opponent in itertools.product(game.pairs, repeat=2):
            ours = {tuple(hand or 0 for hand in move.hands) for move in game.moves(mover, opponent)}
            own, other = (tuple(hand or 0 for hand in hands) for hands in (mover, opponent))
            theirs = set(checker.moves(n, overflow == "rollover", own, other))
            assert {tuple(sorted(hands)) for hands in ours} == {tuple(sorted(hands)) for hands in theirs}


def test_the_checker_stands_alone(tmp_path):
    good, bad = tmp_path / "good.txt", tmp_path / "bad.txt"
    good.write_text("\n".join(lines(8)))
    bad.write_text("\n".join(lines(8)[:-1]))
    command = [sys.executable, "-I", "-S", checker.__file__]
    done = subprocess.run([*command, str(good)], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("Count-8 (overflow: one) is a draw, 291 positions checked\n")
    done = subprocess.run([*command, str(bad)], capture_output=True, text=True)
    assert done.returncode == 1 and "no legal move is given" in done.stderr and "Traceback" not in done.stderr
    done = subprocess.run([*command, str(tmp_path / "none.txt")], capture_output=True, text=True)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr == "usage: python checker.py FILE…\n"


def test_too_large_a_certificate_is_refused_before_it_is_begun():
    class Huge:
        game, start_value = countn.Game(256), "draw"

    with pytest.raises(ValueError, match=r"a drawing certificate for n = 256: 13\.1 GiB of memory are needed, 2 GiB"):
        certificate.drawing_certificate(Huge)


@pytest.mark.parametrize(("n", "length"), [(5, 41), (6, 108)])
def test_shortest_certificate(n, length):
    solution = countn.solve(n, "rollover")
    assert shortest.shortest_certificate(solution) == (length, length)
    assert length <= len(certificate.drawing_certificate(solution).moves)


def peaceful(n, overflow):
    """The greatest fixed point in plain Python: (keeper's hands, other's hands) with the keeper to move, and not."""
    game = countn.Game(n, overflow)
    four = {pair for pair in itertools.product(game.pairs, repeat=2) if None not in pair[0] + pair[1]}
    moving, waiting = set(four), set(four)
    while True:
        still = {(k, o) for k, o in waiting if all((k, move.hands) in moving for move in game.moves(o, k))}
        hold = {(k, o) for k, o in moving if any((move.hands, o) in still for move in game.moves(k, o))}
        if (hold, still) == (moving, waiting):
            return hold, still
        moving, waiting = hold, still


@pytest.mark.parametrize(("n", "overflow"), [*((n, "one") for n in range(2, 10)), (12, "rollover"), (13, "rollover")])
def test_peace_is_the_greatest_fixed_point(n, overflow):
    moving, waiting = peaceful(n, overflow)
    found = peace.keep_peace(n, overflow)
    assert (found.moving, found.waiting) == (len(moving), len(waiting))
    assert found.start == (countn.START in moving and countn.START in waiting) == (n == 13)


def test_where_peace_can_be_kept_the_game_is_a_draw():
    for n in range(2, 25):
        assert peace.keep_peace(n).moving == 0
        assert peace.keep_peace(n, "rollover").start == (n >= 13)
        assert countn.solve(n, "rollover").start_value == "draw" or n < 13


def test_survey_row_is_what_the_solution_says():
    row, solution = survey.row(8), countn.solve(8)
    assert (row["winner"], row["plies"], row["reachable"], row["ends"]) == ("draw", None, 1934, 46)
    assert row["reachable_draws"] == 468 and row["longest"] == 26 and row["certificate"] == 291
    assert survey.row(8, "one", 7)["certificate"] is None
    pairs = solution.game.pairs[:-1]
    three = [(m, o) for m in pairs for o in pairs if (m + o).count(None) == 1]
    fewer = [solution.value(m, o) * (1 if None in m else -1) for m, o in three]
    assert row["fewer_hands_wins"] == pytest.approx(sum(v > 0 for v in fewer) / len(three), abs=1e-15)
    assert row["more_hands_wins"] == pytest.approx(sum(v < 0 for v in fewer) / len(three), abs=1e-15)
    assert row["three_hands_drawn"] == pytest.approx(sum(v == 0 for v in fewer) / len(three), abs=1e-15)
    four = [solution.value(m, o) for m in pairs for o in pairs if None not in m + o]
    assert row["four_hands_drawn"] == pytest.approx(four.count(0) / len(four), abs=1e-15)


def test_keeping_the_peace_with_large_numbers_is_refused():
    with pytest.raises(ValueError, match=r"^n = 256, keeping the peace: 2\.0 GiB of memory are needed"):
        peace.keep_peace(256)
