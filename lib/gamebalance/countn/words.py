"""Moves, outcomes and games in words."""

from .rules import Game, Hands, Move


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
