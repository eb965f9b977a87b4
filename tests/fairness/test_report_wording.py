"""Reports in sentences: what they say of games whose results are known by hand."""

import pytest

from gamebalance import fairness
from gamebalance.base.checks import shown
from gamebalance.games import Tree
from tests.refusals import refused


def said(game, **counts) -> str:
    return "\n".join(fairness.report(game, ways=("random", "best"), **counts).sentences)


@pytest.mark.parametrize(
    ("payoffs", "sentence"),
    [
        ((1, 0), "is 100.0% for seat 1 and 0.0% for seat 2. Whoever begins wins 100.0 percentage points more than"),
        ((0, 1), "is 0.0% for seat 1 and 100.0% for seat 2. Whoever begins wins 100.0 percentage points less than"),
        ((1, 1), "Nobody ever wins here: all players always get the same."),
    ],
)
def test_who_wins_and_what_beginning_is_worth(payoffs, sentence):
    assert sentence in said(Tree((0, [payoffs, payoffs])))


def test_a_player_who_alone_plays_well_gets_more():
    """Player 1 can take a point or leave it, and so can player 2: half a point at random, a point by whoever looks."""
    game = Tree((0, [(1, [(1, 1), (1, 0)]), (1, [(0, 1), (0, 0)])]))
    assert "while the others play at random, gets 0.50 more a game and wins 100.0% of the games" in said(game)


def test_what_a_move_is_worth_is_told():
    """Player 1 can take the win or leave it to player 2; without the taking the second one wins."""
    whole, rest = Tree((0, [(1, 0), (0, 1)])), Tree((0, [(0, 1), (0, 1)]))
    told = "With taking rather than without, if all play {}, seat 1 wins {} percentage points more and seat 2 wins {} "
    sentences = said(whole, without={"taking": rest})
    for level, points in (("at random", 50.0), ("best", 100.0)):
        assert told.format(level, points, points) + "percentage points less." in sentences
    with refused("without = <", "a dict from what is taken out to the game without it is needed"):
        fairness.report(whole, without=rest)


def test_kingmakers_are_told_of_where_some_are_found():
    """Player 1 gets nothing and chooses which of the others wins; in the other game nobody chooses anything."""
    chooses, idle = Tree((0, [(0, 1, 0), (0, 0, 1)])), Tree((0, [(0, 1, 0), (0, 1, 0)]))
    played = {"states": 0, "games": 20, "contests": 2, "playouts": 1, "looks": 5}
    assert "In 100.0% of random games somebody with nothing of their own at stake" in said(chooses)
    assert "In at least 100.0% of random games" in said(chooses, **played)
    assert "at stake" not in said(idle, **played) and "more than 0 states" not in said(idle, **played)


def test_a_message_does_not_say_where_in_memory_a_game_is():
    assert shown(object()) == "<object object>"
