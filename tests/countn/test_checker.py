"""Drawing certificates and their stand-alone checker: rules by hand, files line by line, moves that lose."""

import subprocess
import sys
from types import SimpleNamespace

import pytest

from gamebalance import countn
from gamebalance.countn import certificate, checker
from gamebalance.countn.checker import check, moves, read
from tests.refusals import refused, refuses


@pytest.mark.parametrize(
    ("n", "rollover", "own", "other", "after"),
    [
        # 7 + 6 and 7 + 2 are too much; 1 + 6 and 1 + 2 are not.
        (8, False, (7, 1), (6, 2), [(1, 1), (1, 1), (7, 7), (7, 3)]),
        (8, True, (7, 1), (6, 2), [(5, 1), (1, 1), (7, 7), (7, 3)]),
        # Exactly 8 is withdrawn; a withdrawn hand neither adds nor is added.
        (8, False, (2, 0), (6, 0), [(0, 0)]),
        (8, True, (6, 2), (2, 0), [(2, 0), (6, 4)]),
        (8, False, (3, 3), (0, 0), []),
        (8, False, (0, 0), (3, 3), []),
    ],
)
def test_moves_by_hand(n, rollover, own, other, after):
    assert list(moves(n, rollover, own, other)) == after


def test_a_file_is_read_line_by_line():
    text = ["count-n 12 rollover \n", " 1,1 v 11,- > 2,1", "-,- v 3,10 > -,4\n"]
    positions = {((1, 1), (11, 0)): (2, 1), ((0, 0), (10, 3)): (4, 0)}
    assert read(text) == (12, "rollover", positions)
    assert read(["count-n 2 one"]) == (2, "one", {})


HEAD, LINE = "^line 1: count-n, a number from 2 on and one or rollover are needed$", "a position and hands are needed"

test_what_is_no_certificate = refuses(
    (lambda: read([]), HEAD),
    (lambda: read(["count-n 1 one"]), HEAD),
    (lambda: read(["count-n 8 one more"]), HEAD),
    (lambda: read(["the count-n 8 one"]), HEAD),
    (lambda: read(["count-n 8 one", "1,1 v 1,1 > 1,2", "1,1 v 1,2"]), f"^line 3: {LINE}, such as 1,7 v 2,6 > 1,1$"),
    (lambda: read(["count-n 8 one", "1,1 v 1,1 > 1,2,3"]), f"^line 2: {LINE}"),
    (lambda: read(["count-n 8 one", "0,1 v 1,1 > 1,2"]), f"^line 2: {LINE}"),
    (lambda: read(["count-n 8 one", "2,1 v 1,1 > 1,2", "1,2 v 1,1 > 1,3"]), "^line 3: this position stands .* twice$"),
)


def lines(n, overflow="one"):
    return list(certificate.drawing_certificate(countn.solve(n, overflow)).lines())


def test_a_proof_without_one_line_is_none():
    proof = lines(5, "rollover")  # the smallest drawn game
    assert check(proof) == (5, "rollover", len(proof) - 1)
    for k in range(1, len(proof)):
        position = proof[k].split(" > ")[0].replace("-", "0").split(" v ")
        mine, other = (tuple(sorted(map(int, text.split(",")), reverse=True)) for text in position)
        with pytest.raises(ValueError) as refused:
            check(proof[:k] + proof[k + 1 :])
        assert str(refused.value) == f"{mine} v {other}: no legal move is given"


def test_a_strategy_that_loses_is_found():
    """Count-2: every move withdraws a hand, and who begins has done so twice first."""
    lost = ["count-n 2 one", "1,1 v 1,1 > 1,-", "1,- v 1,- > -,-", "1,1 v 1,- > 1,-", "1,- v -,- > -,-"]
    with pytest.raises(ValueError, match=r"the strategy has lost with \(1, 0\) v \(0, 0\)"):
        check(lost)


# ---- Certificates of larger games.


@pytest.mark.parametrize(("overflow", "n"), [("one", n) for n in (8, 10, 13, 16)] + [("rollover", 13)])
def test_certificates_pass_the_checker(overflow, n):
    proof = lines(n, overflow)
    assert check(proof) == (n, overflow, len(proof) - 1)  # and nothing stands in it that play cannot meet


def test_games_without_certificates():
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
                    check([*proof[:k], wrong, *proof[k + 1 :]])
                tried += 1
    assert tried > 100
    for after in ("3,1", "1,1", "-,1"):
        with pytest.raises(ValueError, match="no legal move"):
            check([proof[0], f"1,1 v 1,1 > {after}", *proof[2:]])


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
