"""What ``gamebalance new-game`` writes: a small game that runs, and its tests."""

GAME = '''"""{Title}: three players in turn take one, two or three stones from a heap; whoever takes the last one wins.

Change the rules into those of your own game. Then: gamebalance report {name}.py:{Title}
"""

from gamebalance.multiplayer import OVER  # and CHANCE, where dice are rolled or cards are drawn


class {Title}:
    """A game: states and moves are numbers, texts or tuples, and no method changes a state."""

    def __init__(self, players=3, stones=12):
        self.players, self.stones = players, stones

    def start(self):
        """The state in which the game begins: here how many stones are left, and whose turn it is."""
        return self.stones, 0

    def mover(self, state):
        """Who is to move: a player from 0 on, CHANCE, or OVER when the game has ended."""
        stones, player = state
        return player if stones else OVER

    def moves(self, state):
        """What can be done. Where chance moves, a dict: {1: 1/6, 2: 1/6, ...}."""
        stones, _ = state
        return [take for take in (1, 2, 3) if take <= stones]

    def play(self, state, move):
        """The state after a move."""
        stones, player = state
        return stones - move, (player + 1) % self.players

    def payoffs(self, state):
        """What each player gets at the end; before it, how each stands (or zeros)."""
        stones, player = state
        winner = (player - 1) % self.players
        return [1 if not stones and seat == winner else 0 for seat in range(self.players)]

    # A game may say more. Take the # away where it fits your rules:

    # roles = ("king", "rebel", "rebel")  # a name for each player, if they differ in what they can or want
    # sides = ("crown", "people", "people")  # who wins together
    # alike = [(1, 2)]  # players, counted from 0, whose seats are interchangeable: none of them comes first

    # def information(self, state):
    #     """All that the player to move knows, if not all is seen. What was known and done earlier counts, too: play
    #     with_memory({Title}()) of gamebalance.multiplayer, and every player remembers it from the own turns."""
    #     stones, player = state
    #     return player, stones

    # Where players choose at once, none seeing what the others choose, write movers instead of mover: it gives those
    # who choose, such as (0, 1, 2), or CHANCE or OVER. Then moves gives a dict, {0: [1, 2], 1: [1, 2], 2: [3]}; play
    # takes their choices as a tuple, (1, 2, 3); and information, if there is one, takes the player: (state, player).
'''

TEST = '''"""Tests of {Title}. Run them with: python -m pytest test_{name}.py"""

from {name} import {Title}

from gamebalance import fairness
from gamebalance.multiplayer import OVER


def test_the_last_stone_wins():
    game = {Title}(stones=2)
    state = game.play(game.start(), 2)
    assert game.mover(state) == OVER and list(game.payoffs(state)) == [1, 0, 0]


def test_a_report_can_be_made():
    report = fairness.report({Title}())
    shares = report.ends[report.ends["all play"] == "random"]["chance, %"]
    assert report.exact and abs(shares.sum() - 100) < 1e-6
'''
