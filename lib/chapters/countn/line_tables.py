"""Lines of play, moves and cycles as tables."""

from collections.abc import Iterable, Sequence

import pandas as pd

from gamebalance.base.checks import shown
from gamebalance.countn.notation import hands_text, position_text
from gamebalance.countn.rules import Game, Hands, Move
from gamebalance.countn.solution import Option, Solution
from gamebalance.countn.states import State, after, mover_first


def played(state: State, moves: Iterable[Move]) -> list[State]:
    """The states that a line of moves passes, the first one included."""
    states = [state]
    for move in moves:
        states.append(after(states[-1], move))
    return states


def line_table(solution: Solution, state: State, moves: Iterable[Move] | None = None) -> pd.DataFrame:
    """A line of legal moves from a state, or of best play, a row for each state passed.

    ``position`` (hands of who is to move first), ``to move``, ``value`` for that side, ``plies`` to the end (missing in
    a draw) and ``move``, as `move_text` writes it, empty after the last one.
    """
    moves = solution.main_line(*mover_first(state)) if moves is None else list(moves)
    rows = []
    for passed, move in zip(played(state, moves), [*moves, None], strict=True):
        hands = mover_first(passed)
        side, value = "second" if passed[2] else "first", solution.value(*hands)
        text = "" if move is None else move_text(solution.game, move)
        rows.append((position_text(*hands), side, value, solution.distance(*hands), text))
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


def cycle_table(solution: Solution, cycle: Sequence[State]) -> pd.DataFrame:
    """The states of a cycle, each of which leads to the next: what going on round and what the best move is worth.

    ``position`` (hands of who is to move first), ``to move``, ``value`` for that side, ``move`` along the cycle and
    ``on the cycle``, what it is worth to that side, ``best move`` and ``best``, what that is worth.
    """
    rows = []
    for state, following in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
        hands = mover_first(state)
        options = solution.options(*hands)
        along, best = _option(options, state, following), options[0]
        moves = [cell for each in (along, best) for cell in (move_text(solution.game, each.move), each.value)]
        side = "second" if state[2] else "first"
        rows.append((position_text(*hands), side, solution.value(*hands), *moves))
    columns = ["position", "to move", "value", "move", "on the cycle", "best move", "best"]
    return pd.DataFrame(rows, columns=columns)


def _option(options: list[Option], state: State, following: State) -> Option:
    """The option that leads from a state to the next one."""
    for option in options:
        if after(state, option.move) == following:
            return option
    raise ValueError(f"cycle = {shown([state, following])}: a legal move must lead from each state to the next")
