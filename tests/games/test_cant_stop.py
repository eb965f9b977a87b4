"""Can't Stop in small: a turn by hand, published solitaire values, a solver that shares nothing with the game."""

from functools import cache
from itertools import product

import pytest

from gamebalance.games import CantStop
from gamebalance.games.cant_stop import CantStopState
from gamebalance.multiplayer.protocols import CHANCE, OVER, Game, check_game
from tests.games.best_play import states_of


class Board:
    """The rules once more: columns by their sums, runners as a dictionary, every throw of four dice one by one."""

    def __init__(self, sides, shortest):
        middle = sides + 1
        self.length = {total: shortest + 2 * (sides - 1 - abs(total - middle)) for total in range(2, 2 * sides + 1)}
        self.throws = list(product(range(1, sides + 1), repeat=4))
        self.after = cache(self._after)

    def _after(self, own, closed, runners):
        """How many throws lead to each choice of runners that there is after them."""
        found = {}
        for a, b, c, d in self.throws:
            choices = set()
            for two in ((a + b, c + d), (a + c, b + d), (a + d, b + c)):
                both = self.climbed(own, closed, runners, two)
                single = [self.climbed(own, closed, runners, (total,)) for total in two]
                choices.update([both] if both else filter(None, single))
            key = frozenset(choices)
            found[key] = found.get(key, 0) + 1
        return found

    def climbed(self, own, closed, runners, totals):
        """The runners one step further in each of these columns, or None if one of the steps cannot be made."""
        now = dict(runners)
        for total in totals:
            now[total] = now.get(total, dict(own).get(total, 0)) + 1
            if total in closed or now[total] > self.length[total]:
                return None
        return tuple(sorted(now.items())) if len(now) <= 3 else None

    def turn(self, own, closed, stopped, bust, best):
        """The value of a turn from its first throw, if stopping and losing all are worth this."""

        @cache
        def throw(runners):
            total = 0
            for choices, count in self.after(own, closed, runners).items():
                total += count * (best(map(chosen, choices)) if choices else bust)
            return total / len(self.throws)

        @cache
        def chosen(runners):
            return best((throw(runners), stopped(dict(own) | dict(runners))))

        return throw(())


def fewest_turns(sides, shortest, own=()):
    """The mean number of turns of a single player who makes it as small as can be, by Newton's method."""
    board = Board(sides, shortest)

    @cache
    def turns(own):
        won = frozenset(total for total, steps in own if steps == board.length[total])
        if len(won) >= 3:
            return 0.0

        def one_turn(bust):
            return 1 + board.turn(own, won, lambda now: turns(tuple(sorted(now.items()))), bust, min)

        guess = 1.0
        for _ in range(50):
            value = one_turn(guess)
            if abs(value - guess) < 1e-11:
                return value
            guess += (value - guess) / (1 - (one_turn(guess + 1e-6) - value) / 1e-6)
        raise AssertionError("it has not settled")

    return turns(own)


def fewest_turns_in_the_game(game, start):
    """The mean number of turns from the rules of the game itself: they are counted where a state begins one."""
    states = states_of(game, start)[::-1]
    value = dict.fromkeys(states, 0.0)
    after = {s: [game.play(s, m) for m in game.moves(s)] for s in states if game.mover(s) != OVER}
    weight = {s: list(game.moves(s).values()) for s in after if game.mover(s) == CHANCE}
    for _ in range(400):
        change = 0.0
        for state, options in after.items():
            worth = [value[then] for then in options]
            new = sum(map(float.__mul__, weight[state], worth)) if state in weight else min(worth)
            new += state.dice == () and state.runners == state.markers[0]
            change, value[state] = max(change, abs(new - value[state])), new
        if change < 1e-12:
            return value[start]
    raise AssertionError("it has not settled")


@pytest.mark.parametrize(("shortest", "turns"), [(1, 1.298), (2, 1.347), (3, 1.400)])
def test_a_single_player_needs_as_many_turns_as_published(shortest, turns):
    # Two-sided dice: Glenn, Fang and Kruskal (2006), the smallest of their simplified games.
    game = CantStop(players=1, sides=2, shortest=shortest)
    found = fewest_turns_in_the_game(game, game.start())
    assert found == pytest.approx(fewest_turns(2, shortest), abs=1e-9)
    assert round(found, 3) == turns


@pytest.mark.parametrize("steps", [(0, 0, 5, 1, 0), (1, 1, 0, 3, 0), (0, 2, 4, 2, 0)])
def test_a_single_player_with_three_sided_dice(steps):
    # There are more columns than runners here; the full game of 165,066 states needs 1.480 turns (the same paper).
    own = tuple((column + 2, height) for column, height in enumerate(steps) if height)
    found = fewest_turns_in_the_game(CantStop(1, 3), CantStopState((steps,), 0, steps))
    assert found == pytest.approx(fewest_turns(3, 1, own), abs=1e-9)


def test_a_turn_by_hand():
    game = CantStop(players=2, sides=6, shortest=3)
    assert check_game(game, Game) is game and game.goal == 3
    assert [repr(game), repr(CantStop())] == [
        f"CantStop(players=2, sides={n}, shortest={k})" for n, k in ((6, 3), (2, 1))
    ]
    assert game.lengths == (3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3)
    state = game.start()
    assert game.mover(state) == CHANCE and state.dice == ()
    state = game.play(state, (1, 2, 5, 6))
    assert game.mover(state) == 0 and game.moves(state) == ((3, 11), (6, 8), (7, 7))
    state = game.play(state, (6, 8))
    assert game.mover(state) == 0 and game.moves(state) == ("roll", "stop")
    state = game.play(game.play(state, "roll"), (1, 1, 2, 3))
    # 2 and 5, or 3 and 4: one runner is left, so only one of the two can be used.
    assert game.moves(state) == ((2,), (3,), (4,), (5,))
    state = game.play(game.play(state, (3,)), "roll")
    lost = game.play(state, (1, 1, 1, 1))
    assert lost == (game.start().markers, 1, (0,) * 11, ())
    state = game.play(state, (3, 3, 3, 5))
    assert game.moves(state) == ((6, 8),)
    state = game.play(game.play(state, (6, 8)), "stop")
    assert state.markers == ((0, 1, 0, 0, 2, 0, 2, 0, 0, 0, 0), (0,) * 11)
    assert (state.mover, state.runners, game.payoffs(state)) == (1, (0,) * 11, (0, 0))


def test_a_column_that_is_won_is_closed_to_the_others():
    """Two-sided dice, columns of one, three and one steps: the second player wins the middle one, then another."""
    game = CantStop()
    state = CantStopState(((0, 2, 0), (0, 2, 0)), 1, (0, 3, 0), None)
    state = game.play(state, "stop")
    assert state.markers == ((0, 0, 0), (0, 3, 0)) and game.payoffs(state) == (0, 0.5) and game.mover(state) == CHANCE
    assert [game.moves(game.play(state, dice)) for dice in ((1, 1, 2, 2), (1, 1, 1, 2))] == [((2, 4),), ((2,),)]
    won = game.play(CantStopState(((0, 0, 0), (0, 3, 0)), 1, (1, 3, 0), None), "stop")
    assert game.mover(won) == OVER and game.payoffs(won) == (0, 1)
