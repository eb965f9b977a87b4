"""Drawing certificates, and that their independent checker finds every move that loses."""

import subprocess
import sys
from types import SimpleNamespace

import pytest

from gamebalance import countn
from gamebalance.countn import certificate, checker
from tests.refusals import refused


def lines(n, overflow="one"):
    return list(certificate.drawing_certificate(countn.solve(n, overflow)).lines())


@pytest.mark.parametrize(("overflow", "n"), [("one", n) for n in (8, 10, 13, 16)] + [("rollover", 5), ("rollover", 13)])
def test_certificates_pass_the_checker(overflow, n):
    proof = lines(n, overflow)
    assert checker.check(proof) == (n, overflow, len(proof) - 1)  # and nothing stands in it that play cannot meet


def test_what_has_no_certificate():
    for n, overflow in ((2, "one"), (7, "one"), (9, "one"), (4, "rollover")):
        with pytest.raises(ValueError, match=f"n = {n}: the (first|second) player wins"):
            certificate.drawing_certificate(countn.solve(n, overflow))
    with refused("a drawing certificate for n = 256: 13.1 GiB of memory are needed, 2 GiB"):
        certificate.drawing_certificate(SimpleNamespace(game=countn.Game(256), start_value="draw"))


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


def test_the_checker_stands_alone(tmp_path):
    good, bad = tmp_path / "good.txt", tmp_path / "bad.txt"
    good.write_text("\n".join(lines(8)))
    bad.write_text("\n".join(lines(8)[:-1]))
    command = [sys.executable, "-I", "-S", checker.__file__]
    done = subprocess.run([*command, str(good)], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("Count-8 (overflow: one) is a draw, 291 positions checked\n")
    for files, message in (([bad], "no legal move is given"), ([tmp_path / "none"], "No such file"), ([], "usage: ")):
        done = subprocess.run([*command, *map(str, files)], capture_output=True, text=True)
        assert done.returncode == 1 and message in done.stderr and "Traceback" not in done.stderr
