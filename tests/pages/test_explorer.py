"""The page on which Count-N is played: its text, its data and its presets."""

import base64
from itertools import pairwise, product

import pytest

from chapters import count_n_explorer as explorer
from gamebalance import countn
from gamebalance.countn.rules import OVERFLOWS
from gamebalance.countn.solution import number
from gamebalance.countn.states import read_position

SIZES = range(3, 13)


@pytest.fixture(scope="module")
def text() -> str:
    return explorer.page(SIZES)


def test_the_text_is_whole_small_and_the_same_again(text):
    assert text.startswith("<!doctype html>") and text.rstrip().endswith("</html>")
    assert "{{" not in text and len(text.encode()) < 250_000
    assert explorer.page(reversed(SIZES)) == text and explorer.page([8]) != text


@pytest.mark.parametrize("overflow", OVERFLOWS)
@pytest.mark.parametrize("n", [2, 3, 8, 12])
def test_what_is_packed_can_be_read(n, overflow):
    """By the description in `packed`, with the other definition of who wins."""
    solution = countn.solve(n, overflow)
    codes = base64.b64decode(explorer.packed(solution))
    pairs = len(solution.game.pairs)
    assert len(codes) == pairs * pairs
    for mover, opponent in product(solution.game.pairs[:-1], solution.game.pairs):
        code = codes[number(opponent) * pairs + number(mover)]
        value, distance = solution.value(mover, opponent), solution.distance(mover, opponent)
        assert code == (0 if value == 0 else 2 * distance + abs(value))
        assert value == 0 or (value > 0) == (distance % 2 == 1)


def test_the_largest_page_fits_into_bytes():
    for overflow in OVERFLOWS:
        assert 2 + 2 * countn.solve(explorer.LARGEST_SIZE, overflow).distances.max() < 256


def test_sizes_that_are_refused():
    with pytest.raises(ValueError, match=r"sizes = 17: .*from 2 to 16"):
        explorer.page([8, 17])


def test_presets_are_what_their_names_say():
    values = {}
    for preset in explorer.PRESETS:
        solution = countn.solve(preset.n, preset.overflow)
        line = [read_position(place, solution.game) for place in (preset.position, *preset.line)]
        assert all(there in solution.game.successors(*here) for here, there in pairwise(line))
        values[preset.name] = solution.value(*line[0])
    assert values["The start of Count-8"] == 0
    assert values["The first win missed in it"] > 0 and values["The second win missed in it"] > 0
    assert values["A 3 against two 7s, which wins"] > 0 > values["A 3 against two 7s, which loses"]
    assert countn.solve(7).start_value == "first" and countn.solve(9).start_value == "second"
