"""Textbook games with known answers: examples for the algorithms, and what tests check them against."""

from gamebalance.games.in_a_row import Board, InARow, tictactoe
from gamebalance.games.trees import RandomTree, Tree, deep_pruning_example

__all__ = ["Board", "InARow", "RandomTree", "Tree", "deep_pruning_example", "tictactoe"]
