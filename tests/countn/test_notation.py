"""Positions as text: there and back, and what is no position."""

import pytest

from gamebalance.countn import WITHDRAWN, Game
from gamebalance.countn.notation import hands_text, position_text, read_position


@pytest.mark.parametrize("n", [2, 8, 12])
def test_there_and_back(n):
    game = Game(n)
    texts = set()
    for mover in game.pairs[:-1]:
        for opponent in game.pairs:
            text = position_text(mover, opponent)
            texts.add(text)
            assert read_position(text, game) == (mover, opponent)
    assert len(texts) == (len(game.pairs) - 1) * len(game.pairs)


def test_as_it_is_written():
    assert position_text((1, 7), (2, 6)) == "1,7 v 2,6"
    assert position_text((3, None), (7, 7)) == "3,- v 7,7"
    assert hands_text(WITHDRAWN) == "-,-"


@pytest.mark.parametrize("text", ["7,1 v 6,2", " 1 , 7v2 ,6 ", "1,7v2,6", "01,007 v 2,6"])
def test_spaces_and_order_do_not_matter(text):
    assert read_position(text, Game(8)) == ((1, 7), (2, 6))
    assert read_position("-,3 v -,-", Game(8)) == ((3, None), WITHDRAWN)


@pytest.mark.parametrize(
    "text",
    ["", "1,7 v 2,6,1", "-1,7 v 2,6", "1.5,7 v 2,6", "1,7777 v 2,6", "1,7 v 2,6x", None, b"1,7 v 2,6"],
)
def test_what_is_no_position(text):
    with pytest.raises(ValueError) as error:
        read_position(text, Game(8))
    message = str(error.value)
    assert message.startswith(f"position = {text!r}: ") and "'1,7 v 2,6' is needed" in message and "\n" not in message


def test_a_position_of_another_game():
    with pytest.raises(ValueError, match=r"^mover = \(9, 1\): "):
        read_position("9,1 v 1,1", Game(8))
    assert read_position("9,1 v 1,1", Game(10)) == ((1, 9), (1, 1))
