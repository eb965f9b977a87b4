"""The stand-alone checker of certificates: its rules by hand, its files line by line, and one small proof."""

import pytest

from gamebalance import countn
from gamebalance.countn import certificate
from gamebalance.countn.checker import check, moves, read
from tests.refusals import refuses


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


@pytest.fixture(scope="module")
def proof():
    """The smallest drawn game: Count-5 with rollover."""
    return list(certificate.drawing_certificate(countn.solve(5, "rollover")).lines())


def test_a_proof_is_accepted_with_the_number_of_its_positions(proof):
    assert check(proof) == (5, "rollover", len(proof) - 1)


def test_a_proof_without_one_line_is_none(proof):
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
