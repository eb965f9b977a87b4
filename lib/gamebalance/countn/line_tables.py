"""Lines of play, moves and cycles as tables."""

from collections.abc import Iterable, Sequence

import pandas as pd

from gamebalance._checks import shown

from . import as_published
from .graph import mover_first, played
from .notation import hands_text, position_text
from .rules import Game, Hands, Move
from .solve import Option, Solution


def line_table(solution: Solution, state: as_published.State, moves: Iterable[Move] | None = None) -> pd.DataFrame:
    """A line of play, move by move.

    Parameters
    ----------
    solution : Solution
        Whose values are shown.
    state : tuple
        First player's hands, second player's hands, whether the second is to move.
    moves : iterable of Move, optional
        Legal moves from there; best play by default.

    Returns
    -------
    DataFrame
        A row for each state passed: ``position`` (hands of who is to move first), ``to move``, ``value`` for that side,
        ``plies`` to the end (missing in a draw) and ``move``, as `move_text` writes it, empty after the last one.
    """
    moves = solution.main_line(*mover_first(state)) if moves is None else list(moves)
    rows = []
    for passed, move in zip(played(state, moves), [*moves, None], strict=True):
        position = mover_first(passed)
        side, value = "second" if passed[2] else "first", solution.value(*position)
        text = "" if move is None else move_text(solution.game, move)
        rows.append((position_text(*position), side, value, solution.distance(*position), text))
    return pd.DataFrame(rows, columns=["position", "to move", "value", "plies", "move"])


def signed(value: int) -> str:
    """A value as it is written everywhere: "+2", "0", "−1"."""
    return f"{value:+.0f}".replace("-", "−") if value else "0"


def move_text(game: Game, move: Move) -> str:
    """A move as a sum, such as "2+1 → 3", "2+1 → -" (withdrawn) or "2+2 → 1" (overflow)."""
    return f"{move.own}+{move.added} → {hands_text((game.total(move.own, move.added), None))[:-2]}"


def option_table(solution: Solution, mover: Hands, opponent: Hands) -> pd.DataFrame:
    """Every move, best first: ``move``, ``hands`` after it, and ``value`` and ``plies`` of the game for the mover."""
    rows = [
        (move_text(solution.game, option.move), hands_text(option.move.hands), option.value, option.distance)
        for option in solution.options(mover, opponent)
    ]
    return pd.DataFrame(rows, columns=["move", "hands", "value", "plies"])


def cycle_table(solution: Solution, cycle: Sequence[as_published.State]) -> pd.DataFrame:
    """The states of a cycle: what going on round and what the best move is worth.

    Parameters
    ----------
    solution : Solution
        Whose values are shown.
    cycle : sequence of states
        Each leads to the next, and the last to the first.

    Returns
    -------
    DataFrame
        ``position`` (hands of who is to move first), ``to move``, ``value`` for that side, ``move`` along the cycle and
        ``on the cycle``, what it is worth to that side, ``best move`` and ``best``, what that is worth.

    Raises
    ------
    ValueError
        If some state does not lead to the next.
    """
    rows = []
    for state, after in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
        position = mover_first(state)
        options = solution.options(*position)
        along = _option(options, state, after)
        moves = (cell for option in (along, options[0]) for cell in (_text(solution, option), option.value))
        side = "second" if state[2] else "first"
        rows.append((position_text(*position), side, solution.value(*position), *moves))
    columns = ["position", "to move", "value", "move", "on the cycle", "best move", "best"]
    return pd.DataFrame(rows, columns=columns)


def _option(options: list[Option], state: as_published.State, after: as_published.State) -> Option:
    """The option that leads from a state to the next one."""
    for option in options:
        if played(state, [option.move])[-1] == after:
            return option
    raise ValueError(f"cycle = {shown([state, after])}: a legal move must lead from each state to the next")


def _text(solution: Solution, option: Option) -> str:
    return move_text(solution.game, option.move)
