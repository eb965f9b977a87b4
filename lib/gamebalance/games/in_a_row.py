"""Tic-tac-toe and its kin: k marks in a row on an m x n board, for any number of players."""

from functools import cached_property
from itertools import product
from typing import NamedTuple

from gamebalance.base.checks import shown, whole_number
from gamebalance.multiplayer.protocols import OVER

SIGNS, MOST_CELLS = "XO#+*@", 64  #: How marks are written, one sign for each player; the most cells of a board.
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))  # down, right


class Board(NamedTuple):
    """A position: for each player a bit mask of its cells, who is to move, and who has won (-1: nobody)."""

    marks: tuple[int, ...]
    mover: int
    winner: int = -1


class InARow:
    """Players in turn mark a free cell; whoever first has `length` marks in a row, column or diagonal wins.

    Every player puts a point into a pot. The winner takes it; when the board is full and nobody has won, each takes its
    point back. Cells are numbered row by row. `most_sum` and `least` are bounds of all payoffs, for pruning.
    """

    def __init__(self, rows: int, columns: int, length: int, players: int):
        self.rows, self.columns = whole_number("rows", rows, 1), whole_number("columns", columns, 1)
        self.cells = self.rows * self.columns
        if self.cells > MOST_CELLS:
            raise ValueError(f"rows = {rows}, columns = {columns}: at most {MOST_CELLS} cells are allowed")
        self.length = whole_number("length", length, 1, max(self.rows, self.columns))
        self.players = whole_number("players", players, 1, len(SIGNS))
        self.most_sum, self.least = self.players, 0

    def __repr__(self) -> str:
        return f"InARow({self.rows}, {self.columns}, {self.length}, {self.players})"

    @cached_property
    def lines(self) -> tuple[int, ...]:
        """The winning lines, as bit masks."""
        found = []
        for row, column, (down, right) in product(range(self.rows), range(self.columns), DIRECTIONS):
            cells = [(row + down * step, column + right * step) for step in range(self.length)]
            if cells[-1][0] < self.rows and 0 <= cells[-1][1] < self.columns:
                found.append(sum(1 << row * self.columns + column for row, column in cells))
        return tuple(dict.fromkeys(found))

    @cached_property
    def _lines_through(self) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(line for line in self.lines if line >> cell & 1) for cell in range(self.cells))

    def start(self) -> Board:
        return Board((0,) * self.players, 0)

    def mover(self, state: Board) -> int:
        return OVER if state.winner >= 0 or sum(state.marks) == (1 << self.cells) - 1 else state.mover

    def moves(self, state: Board) -> list[int]:
        taken = sum(state.marks)
        return [cell for cell in range(self.cells) if not taken >> cell & 1]

    def play(self, state: Board, move: int) -> Board:
        marks, mover, _ = state
        mine = marks[mover] | 1 << move
        won = any(mine & line == line for line in self._lines_through[move])
        return Board((*marks[:mover], mine, *marks[mover + 1 :]), (mover + 1) % self.players, mover if won else -1)

    def hand_to(self, state: Board, player: int) -> Board:
        return state._replace(mover=whole_number("player", player, 0, self.players - 1))

    def payoffs(self, state: Board) -> tuple[int, ...]:
        """The pot for the winner; a point for each where nobody has won, also before the end."""
        winner = state.winner
        return tuple(1 if winner < 0 else self.players * (player == winner) for player in range(self.players))

    def position(self, text: str, mover: int) -> Board:
        """The position drawn in `text`: `SIGNS` for marks, "." for free cells, rows separated by spaces or "/"."""
        signs = "".join(text.replace("/", " ").split()) if isinstance(text, str) else ""
        allowed = "." + SIGNS[: self.players]
        if len(signs) != self.cells or not set(signs) <= set(allowed):
            raise ValueError(f"text = {shown(text)}: {self.cells} signs out of {allowed!r} are needed")
        marks = [sum(1 << cell for cell, sign in enumerate(signs) if sign == own) for own in allowed[1:]]
        won = [p for p, mine in enumerate(marks) if any(mine & line == line for line in self.lines)]
        if len(won) > 1:
            raise ValueError(f"text = {shown(text)}: players {won} both have a row")
        return Board(tuple(marks), whole_number("mover", mover, 0, self.players - 1), won[0] if won else -1)

    def drawing(self, state: Board) -> str:
        """The board as text, one line for each row; `position` reads it back."""
        owners = [[mine >> cell & 1 for mine in state.marks] for cell in range(self.cells)]
        signs = "".join(SIGNS[marked.index(1)] if any(marked) else "." for marked in owners)
        return "\n".join(signs[first : first + self.columns] for first in range(0, self.cells, self.columns))


def tictactoe(players: int = 3) -> InARow:
    """Three in a row on a 3 x 3 board."""
    return InARow(3, 3, 3, players)
