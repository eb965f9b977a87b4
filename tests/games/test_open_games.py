"""Nim, Pig and Can't Stop: as published, and by solvers that share nothing with the games."""

from functools import cache, reduce
from itertools import combinations_with_replacement, product
from operator import xor

import numba
import numpy as np
import pytest

from gamebalance.games import CantStop, Nim, Pig
from gamebalance.games.cant_stop import CantStopState
from gamebalance.games.nim import NimState
from gamebalance.games.pig import PigState
from gamebalance.multiplayer import search
from gamebalance.multiplayer.protocols import CHANCE, OVER


def states_of(game, start=None):
    """All states that can be reached, in the order in which they are found."""
    found = dict.fromkeys([game.start() if start is None else start])
    waiting = list(found)
    while waiting:
        state = waiting.pop()
        if game.mover(state) != OVER:
            after = [game.play(state, move) for move in game.moves(state)]
            waiting += [then for then in dict.fromkeys(after) if then not in found]
            found |= dict.fromkeys(after)
    return list(found)


def values(game, start=None, tolerance=1e-13):
    """What each player gets from every state when each takes the move that is best for itself."""
    states = states_of(game, start)
    place = {state: number for number, state in enumerate(states)}
    movers = np.array([game.mover(state) for state in states])
    after = [
        [place[game.play(s, m)] for m in game.moves(s)] if game.mover(s) != OVER else [n] for s, n in place.items()
    ]
    width = max(map(len, after))
    table = np.array([row + [row[0]] * (width - len(row)) for row in after])
    weights = np.zeros(table.shape)
    for state, number in place.items():
        if movers[number] == CHANCE:
            weights[number, : len(after[number])] = list(game.moves(state).values())
    over, chance, rows = movers == OVER, movers == CHANCE, np.arange(len(states))
    value = np.where(over[:, None], [game.payoffs(state) for state in states], 0.0)
    for _ in range(10_000):
        options = value[table]
        own = options[rows, :, np.maximum(movers, 0)]
        chosen = options[rows, own.argmax(axis=1)]
        then = np.where(chance[:, None], (options * weights[:, :, None]).sum(axis=1), chosen)
        if np.abs(then - value).max() < tolerance:
            return dict(zip(states, then.tolist(), strict=True))
        value = then
    raise AssertionError("it has not settled")


HEAPS = [heaps for number in (1, 2, 3) for heaps in combinations_with_replacement(range(1, 6), number)]


class Li(Nim):
    """With the preferences of Li (1978): who cannot take the last stone wants the next player to, or the one after."""

    def payoffs(self, state):
        last = super().payoffs(state).index(1)
        return tuple(self.players - (last - player) % self.players for player in range(self.players))


def li_winner(heaps, players, most=None):
    game = Li(heaps, players, most)
    return search.maxn(game, game.start(), table=True).value.index(players)


@pytest.mark.parametrize("most", [None, 1, 2, 3])
def test_nim_of_two_as_bouton_says(most):
    # Bouton (1901) without a limit; with one, a heap is worth what is left of it modulo most + 1.
    for heaps in HEAPS:
        game = Nim(heaps, 2, most)
        balanced = reduce(xor, (size if most is None else size % (most + 1) for size in heaps)) == 0
        assert search.maxn(game, game.start(), table=True).value == ((0, 1) if balanced else (1, 0))


def test_nim_of_two_in_misere_play_as_bouton_says():
    # The same as in normal play as soon as one heap has two stones or more; else the other way round.
    for heaps in HEAPS:
        game = Nim(heaps, 2, misere=True)
        wins = reduce(xor, heaps) != 0 if max(heaps) > 1 else len(heaps) % 2 == 0
        assert search.maxn(game, game.start(), table=True).value == ((1, 0) if wins else (0, 1))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_when_the_last_player_wins_nim_as_li_says(players):
    # Li (1978): with these preferences the player before the one to move wins where, in each binary place, the number
    # of heaps that have a 1 there is a multiple of the number of players.
    for heaps in [*HEAPS, (1, 1, 1, 1), (1, 2, 2, 3), (2, 2, 2, 2), (1, 1, 2, 3)]:
        multiples = all(sum(size >> place & 1 for size in heaps) % players == 0 for place in range(3))
        assert (li_winner(heaps, players) == players - 1) == multiples, heaps


@pytest.mark.parametrize("most", [None, 2])
def test_nim_of_three_as_propp_classes_them(most):
    # Propp (2000): the next player can win against both others if some move leads to a class P; the one after if all
    # lead to N; the previous one if all lead to O, or none is left; else nobody can.
    @cache
    def kind(heaps):
        game = Nim(heaps or (1,), 3, most)
        after = {kind(game.play(NimState(heaps), move).heaps) for move in game.moves(NimState(heaps))}
        return "N" if "P" in after else "O" if after == {"N"} else "P" if after <= {"O"} else "-"

    small = [heaps for heaps in HEAPS if sum(heaps) <= 8]
    for heaps in small:
        game = Nim(heaps, 3, most)
        forced = [search.paranoid(game, game.start(), player=player).value for player in range(3)]
        assert forced == [kind(heaps) == letter for letter in "NOP"], heaps
    assert {kind(heaps) for heaps in small} == set("NOP-")


#: From which turn total on the best player of Piglet holds, by the own score (row) and the opponent's (column):
#: T. W. Neller, CS 391 Machine Learning, Gettysburg College 2003, "Piglet", optimal solutions for 3, 6 and 9 points.
PIGLET = {
    3: "133 222 111",
    6: "222226 122225 112224 111133 111222 111111",
    9: "222222339 122222238 112222237 111222226 111122225 111112224 111111133 111111222 111111111",
}


@numba.njit
def chances_to_win(goal, lost, points):
    """The chance to win by own score, the other's and turn total, from the equations of Neller and Presser (2004).

    Of a throw, the share `lost` ends the turn, and each of the points is as likely. The scores are gone through from
    the highest sum down; only the two states of a pair of scores depend on each other, and are iterated.
    """
    win = np.zeros((goal, goal, goal))
    each = (1 - lost) / len(points)
    for most in range(2 * goal - 2, -1, -1):
        for first in range(max(0, most - goal + 1), min(goal, most + 1)):
            change = 1.0
            while change > 1e-14:
                change = 0.0
                for own, other in ((first, most - first), (most - first, first)):
                    for total in range(goal - own - 1, -1, -1):
                        roll = lost * (1 - win[other, own, 0])
                        for more in points:
                            won = own + total + more >= goal
                            roll += each * (1.0 if won else win[own, other, total + more])
                        hold = 1 - win[other, own + total, 0] if total else 0.0
                        change = max(change, abs(max(roll, hold) - win[own, other, total]))
                        win[own, other, total] = max(roll, hold)
    return win


def chances(goal, sides=6):
    return chances_to_win(goal, 1 / sides, np.arange(2, sides + 1) if sides > 2 else np.array([1]))


@pytest.mark.parametrize(("goal", "sides"), [(1, 2), (2, 2), (7, 2), (10, 3), (13, 6)])
def test_best_play_of_pig_by_two_codes(goal, sides):
    best, win = values(Pig(2, goal, sides)), chances(goal, sides)
    for state, value in best.items():
        if max(state.scores) < goal and not (state.thrown and state.total):
            own, other = state.scores[state.mover], state.scores[1 - state.mover]
            assert value[state.mover] == pytest.approx(win[own, other, state.total], abs=1e-10)
            assert sum(value) == pytest.approx(1)


def test_pig_to_a_hundred_points_as_published():
    # Neller and Presser, "Optimal play of the dice game Pig", UMAP Journal 25 (2004): 53.06%.
    assert round(chances(100)[0, 0, 0], 4) == 0.5306


@pytest.mark.parametrize("goal", PIGLET)
def test_piglet_as_published(goal):
    game = Pig(2, goal, sides=2)
    best, rows = values(game), []
    for own in range(goal):
        rows.append("")
        for other in range(goal):
            for total in range(1, goal - own + 1):
                state = PigState((own, other), 0, total, thrown=False)
                if own + total == goal or best[game.play(state, "hold")][0] >= best[game.play(state, "roll")][0] - 1e-9:
                    rows[-1] += str(total)
                    break
    assert " ".join(rows) == PIGLET[goal]


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
def test_cant_stop_alone_needs_as_many_turns_as_published(shortest, turns):
    # Two-sided dice: Glenn, Fang and Kruskal (2006), the smallest of their simplified games.
    game = CantStop(players=1, sides=2, shortest=shortest)
    found = fewest_turns_in_the_game(game, game.start())
    assert found == pytest.approx(fewest_turns(2, shortest), abs=1e-9)
    assert round(found, 3) == turns


@pytest.mark.parametrize("steps", [(0, 0, 5, 1, 0), (1, 1, 0, 3, 0), (0, 2, 4, 2, 0)])
def test_cant_stop_alone_with_three_sided_dice(steps):
    # There are more columns than runners here; the full game of 165,066 states needs 1.480 turns (the same paper).
    own = tuple((column + 2, height) for column, height in enumerate(steps) if height)
    found = fewest_turns_in_the_game(CantStop(1, 3), CantStopState((steps,), 0, steps))
    assert found == pytest.approx(fewest_turns(3, 1, own), abs=1e-9)


def test_a_column_that_is_won_is_closed_to_the_others():
    """Two-sided dice, columns of one, three and one steps: the second player wins the middle one, then another."""
    game = CantStop()
    state = CantStopState(((0, 2, 0), (0, 2, 0)), 1, (0, 3, 0), None)
    state = game.play(state, "stop")
    assert state.markers == ((0, 0, 0), (0, 3, 0)) and game.payoffs(state) == (0, 0.5) and game.mover(state) == CHANCE
    assert [game.moves(game.play(state, dice)) for dice in ((1, 1, 2, 2), (1, 1, 1, 2))] == [((2, 4),), ((2,),)]
    won = game.play(CantStopState(((0, 0, 0), (0, 3, 0)), 1, (1, 3, 0), None), "stop")
    assert game.mover(won) == OVER and game.payoffs(won) == (0, 1)
