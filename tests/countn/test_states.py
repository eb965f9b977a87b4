"""States of the game for two, positions as text, and the game as the searches of `multiplayer` play it."""

import pytest

from gamebalance.countn import OVERFLOWS, START_STATE, WITHDRAWN, Game, TwoPlayerGame, solve
from gamebalance.countn.states import hands_text, mover_first, position_text, read_position, successors
from gamebalance.multiplayer import protocols, search
from gamebalance.multiplayer.protocols import OVER


@pytest.mark.parametrize("overflow", OVERFLOWS)
def test_states_follow_the_rules(overflow):
    game, solution = TwoPlayerGame(6, overflow), solve(6, overflow)
    assert isinstance(game, protocols.Game) and game.start() == START_STATE
    for state in solution.reachable_states():
        (mover, opponent), player = mover_first(state), int(state[2])
        assert state[player] == mover and state[1 - player] == opponent
        pairs = game.rules.successors(mover, opponent)
        after = [game.play(state, move) for move in game.moves(state)]
        assert after == successors(game.rules, state) and [mover_first(child) for child in after] == pairs
        assert game.mover(state) == (player if pairs else OVER) and all(int(child[2]) != player for child in after)


@pytest.mark.parametrize("n", [2, 3])
def test_searches_to_the_end_find_the_values_of_the_solver(n):
    """Count-2 and Count-3 end whatever is played. With two players MaxN and Paranoid are minimax."""
    game, solution = TwoPlayerGame(n), solve(n)
    for state in solution.reachable_states():
        value, player = solution.value(*mover_first(state)), int(state[2])
        if game.mover(state) == OVER:
            assert game.payoffs(state)[player] == value
        else:
            assert search.maxn(game, state).value == ((-value, value) if player else (value, -value))
            assert search.paranoid(game, state).value == value


def test_positions_as_they_are_written():
    assert position_text((3, None), (7, 7)) == "3,- v 7,7" and hands_text(WITHDRAWN) == "-,-"
    for text in ("7,1 v 6,2", " 1 , 7v2 ,6 ", "1,7v2,6", "01,007 v 2,6"):
        assert read_position(text, Game(8)) == ((1, 7), (2, 6))
    for text in ("", "1,7 v 2,6,1", "-1,7 v 2,6", "1.5,7 v 2,6", "1,7777 v 2,6", "1,7 v 2,6x", None, b"1,7 v 2,6"):
        with pytest.raises(ValueError, match=r"^position = .*: such as '1,7 v 2,6' is needed"):
            read_position(text, Game(8))
    with pytest.raises(ValueError, match=r"^mover = \(9, 1\): "):
        read_position("9,1 v 1,1", Game(8))
