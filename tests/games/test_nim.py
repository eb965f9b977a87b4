"""Nim: who wins with two players, and with more, as published; and single moves by hand."""

from functools import cache, reduce
from itertools import combinations_with_replacement
from operator import xor

import pytest

from gamebalance.games import Nim
from gamebalance.games.nim import NimMove, NimState
from gamebalance.multiplayer import search
from gamebalance.multiplayer.protocols import OVER, Game, check_game

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
def test_two_players_as_bouton_says(most):
    # Bouton (1901) without a limit; with one, a heap is worth what is left of it modulo most + 1.
    for heaps in HEAPS:
        game = Nim(heaps, 2, most)
        balanced = reduce(xor, (size if most is None else size % (most + 1) for size in heaps)) == 0
        assert search.maxn(game, game.start(), table=True).value == ((0, 1) if balanced else (1, 0))


def test_two_players_in_misere_play_as_bouton_says():
    # The same as in normal play as soon as one heap has two stones or more; else the other way round.
    for heaps in HEAPS:
        game = Nim(heaps, 2, misere=True)
        wins = reduce(xor, heaps) != 0 if max(heaps) > 1 else len(heaps) % 2 == 0
        assert search.maxn(game, game.start(), table=True).value == ((1, 0) if wins else (0, 1))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_when_the_last_player_wins_as_li_says(players):
    # Li (1978): with these preferences the player before the one to move wins where, in each binary place, the number
    # of heaps that have a 1 there is a multiple of the number of players.
    for heaps in [*HEAPS, (1, 1, 1, 1), (1, 2, 2, 3), (2, 2, 2, 2), (1, 1, 2, 3)]:
        multiples = all(sum(size >> place & 1 for size in heaps) % players == 0 for place in range(3))
        assert (li_winner(heaps, players) == players - 1) == multiples, heaps


@pytest.mark.parametrize("most", [None, 2])
def test_three_players_as_propp_classes_them(most):
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


def test_moves_by_hand():
    game = Nim((5, 2, 2), players=3, most=3)
    assert check_game(game, Game) is game and repr(game) == "Nim((2, 2, 5), players=3, most=3, misere=False)"
    assert game.moves(game.start()) == [(2, 1), (2, 2), (5, 1), (5, 2), (5, 3)], "heaps of one size are one choice"
    state = game.play(game.start(), NimMove(5, 3))
    assert state == ((2, 2, 2), 1) and game.mover(state) == 1 and game.payoffs(state) == (0, 0, 0)
    over = NimState((), 1)
    assert game.mover(over) == OVER and game.payoffs(over) == (1, 0, 0)
    assert Nim((2,), 3, misere=True).payoffs(over) == (0, 0.5, 0.5)
