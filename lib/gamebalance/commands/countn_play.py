"""A game of Count-N in the terminal, against perfect play or between two people, and the words for it."""

import random
import re
import sys

import click

from gamebalance.commands import forms
from gamebalance.countn.notation import hands_text
from gamebalance.countn.rules import START, WITHDRAWN, Game, Hands, Move
from gamebalance.countn.solution import Solution

SIDES = ("first", "second")


class Session:
    """A game in the terminal."""

    def __init__(self, solution: Solution, side: str, chance: random.Random) -> None:
        self.solution, self.chance = solution, chance
        self.people = SIDES if side == "both" else (side,)
        self.positions = [START]

    @property
    def side(self) -> str:
        """Whose turn it is."""
        return SIDES[(len(self.positions) - 1) % 2]

    def run(self) -> None:
        """Play until the end, or until the input ends or says so."""
        forms.take_any_bytes()
        click.echo(heading(self.solution.game) + ". Enter a move's number, u to undo, h for a hint, q to quit.")
        while True:
            self._show()
            mover, opponent = self.positions[-1]
            if opponent == WITHDRAWN:
                return
            move = self._ask() if self.side in self.people else self._reply(mover, opponent)
            if move is None:
                click.echo("The game is left unfinished.")
                return
            if move != "undo":
                self.positions.append((opponent, move.hands))

    def _show(self) -> None:
        (mover, opponent), plies = self.positions[-1], len(self.positions) - 1
        first, second = (mover, opponent) if self.side == SIDES[0] else (opponent, mover)
        click.echo(f"\nAfter {plies_words(plies)}: first {hands_text(first)}, second {hands_text(second)}.", nl=False)
        before = [ply for ply in range(plies) if self.positions[ply] == self.positions[-1]]
        if before:
            exchanged = ", with the players exchanged" if (plies - before[-1]) % 2 else ""
            click.echo(f" This position was here {plies_words(plies - before[-1])} ago{exchanged}.", nl=False)
        if opponent == WITHDRAWN:
            winner = SIDES[plies % 2 - 1]
            click.echo(f" {winner.capitalize()} has withdrawn both hands: a {win_size(mover)} win for {winner}.")
        else:
            click.echo(f" {self.side.capitalize()} is to move.")

    def _ask(self) -> Move | str | None:
        """The move that is entered; "undo" after one or more were taken back, None at the end of the input."""
        mover, opponent = self.positions[-1]
        moves = self.solution.game.moves(mover, opponent)
        for number, move in enumerate(moves, 1):
            click.echo(f"  {number}) {move_words(move, self.solution.game)}")
        while True:
            entered = self._entered()
            if entered == "q":
                return None
            if entered == "h":
                for option in self.solution.options(mover, opponent):
                    click.echo(f"  {moves.index(option.move) + 1}) {outcome_words(option.value, option.distance)}")
            elif entered == "u" and self._undo():
                return "undo"
            elif entered == "u":
                click.echo("There is nothing to undo.")
            elif re.fullmatch(r"[0-9]{1,3}", entered) and 1 <= int(entered) <= len(moves):
                return moves[int(entered) - 1]
            else:
                click.echo(f"{entered[:40]!r} is not a number from 1 to {len(moves)}, nor u, h or q.")

    def _entered(self) -> str:
        """A line of input; "q" where it ends."""
        try:
            entered = input(f"{self.side}> ").strip().lower()
        except EOFError:
            entered = "q"
        if not sys.stdin.isatty():  # so that what was piped in stands in what comes out
            click.echo(entered.encode(errors="replace").decode())
        return entered

    def _undo(self) -> bool:
        """Go back to the last position in which a person chose; whether there was one."""
        back = 3 - len(self.people)
        if len(self.positions) <= back:
            return False
        del self.positions[-back:]
        return True

    def _reply(self, mover: Hands, opponent: Hands) -> Move:
        """A best move; in a draw, one after which the most replies lose."""
        best = self.solution.best_moves(mover, opponent)
        if self.solution.value(mover, opponent) == 0:
            replies = [self.solution.options(opponent, move.hands) for move in best]
            traps = [sum(reply.value < 0 for reply in after) for after in replies]
            best = [move for move, count in zip(best, traps, strict=True) if count == max(traps)]
        move = self.chance.choice(best)
        click.echo(f"  {self.side} plays {move_words(move, self.solution.game)}")
        return move


def heading(game: Game) -> str:
    """The game and its rule: ``Count-8 (over 8 becomes 1)``."""
    over = "1" if game.overflow == "one" else f"the sum less {game.n}"
    return f"Count-{game.n} (over {game.n} becomes {over})"


def move_words(move: Move, game: Game) -> str:
    """A move in words: ``1 + 6 = 7``, ``2 + 6 = 8, withdrawn`` or ``7 + 6 = 13, becomes 1``."""
    after = game.total(move.own, move.added)
    text = f"{move.own} + {move.added} = {move.own + move.added}"
    if after is None:
        return f"{text}, withdrawn"
    return text if after == move.own + move.added else f"{text}, becomes {after}"


def outcome_words(value: int, distance: int | None) -> str:
    """A value and a distance in words."""
    if value == 0 or distance is None:
        return "draw"
    return f"{'big' if abs(value) == 2 else 'small'} {'win' if value > 0 else 'loss'} in {plies_words(distance)}"


def win_size(loser: Hands) -> str:
    """Whether a win is big or small, by the hands of the loser."""
    return "small" if None in loser else "big"


def plies_words(count: int) -> str:
    """A number of plies: ``1 ply``, ``7 plies``."""
    return f"{count} {'ply' if count == 1 else 'plies'}"
