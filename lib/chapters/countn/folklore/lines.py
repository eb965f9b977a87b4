"""Lines of play: the one that the study gives, and how soon a careless player leaves the draw."""

from collections.abc import Callable, Iterable
from functools import cache

import pandas as pd

from chapters.countn.folklore.positions import sign
from gamebalance.base.checks import one_of, shown
from gamebalance.countn.notation import hands_text
from gamebalance.countn.rules import START, Hands
from gamebalance.countn.solution import Option, Solution

#: A moment of a played line: hands on the left and on the right, "left" or "right" to move, the label given or None.
Moment = tuple[Hands, Hands, str, str | None]

#: From a game that the study's author lost. On the left plays ycy, on the right the author.
PLAYED_LINE: tuple[Moment, ...] = (
    ((1, 7), (2, 6), "left", None),
    ((1, 1), (2, 6), "right", "UNKNOWN"),
    ((1, 1), (3, 6), "left", "UNKNOWN"),
    ((1, 7), (3, 6), "right", "UNKNOWN"),
    ((1, 7), (4, 6), "left", "UNKNOWN"),
    ((1, 1), (4, 6), "right", "WIN"),
    ((1, 1), (5, 6), "left", "WIN"),
    ((1, 7), (5, 6), "right", "LOSE"),
    ((1, 7), (6, 6), "left", "WIN"),
    ((1, 1), (6, 6), "right", "LOSE"),
)


def replay(solution: Solution, line: Iterable[Moment] = PLAYED_LINE) -> pd.DataFrame:
    """A played line beside the solution, a row for each moment; a legal move must lead from each to the next.

    `left`, `right`, `to move` and `label` as given; `value` and `plies` (NaN in a draw) for who is to move; `played`,
    the hands after the move that was made, and `value after` it for who made it (None and NaN at the end); `best`, the
    hands after each best move.
    """
    line, rows = list(line), []
    for here, following in zip(line, [*line[1:], None], strict=True):
        left, right, turn, label = here
        mover, opponent = (left, right) if one_of("to move", turn, ("left", "right")) == "left" else (right, left)
        made = _made(solution.options(mover, opponent), here, following) if following else None
        rows.append(
            {
                "left": hands_text(left),
                "right": hands_text(right),
                "to move": turn,
                "label": label,
                "value": solution.value(mover, opponent),
                "plies": solution.distance(mover, opponent),
                "played": made and hands_text(made.move.hands),
                "value after": made and made.value,
                "best": " or ".join(hands_text(move.hands) for move in solution.best_moves(mover, opponent)),
            }
        )
    return pd.DataFrame(rows).astype({"plies": float, "value after": float})


def thrown_away(line: pd.DataFrame) -> pd.DataFrame:
    """The rows of a `replay` in which the move that was made let a win or a draw go."""
    made = line.dropna(subset="value after")
    return made[made["value after"].map(sign) < made["value"].map(sign)]


def _made(options: list[Option], here: Moment, following: Moment) -> Option:
    """The option that leads from one moment to the next."""
    moved, kept = (0, 1) if here[2] == "left" else (1, 0)
    if here[kept] == following[kept] and here[2] != following[2]:
        for option in options:
            if option.move.hands == following[moved]:
                return option
    raise ValueError(f"line = … {here[:3]}, {following[:3]} …: a legal move must lead from each moment to the next")


def trap_chance(solution: Solution) -> Callable[[Hands, Hands, int], float]:
    """How likely a careless player is to lose a draw to a careful one, by drawn position and number of his moves.

    The mover takes each of his moves (those with different results) with the same probability. The opponent never
    leaves the draw while it lasts; among the moves that keep it, he chooses what makes an error of the mover most
    likely.
    """

    @cache
    def careless(mover: Hands, opponent: Hands, moves: int) -> float:
        if not moves:
            return 0.0
        options = solution.options(mover, opponent)
        return sum(careful(opponent, option, moves) for option in options) / len(options)

    def careful(hands: Hands, option: Option, moves: int) -> float:
        if option.value < 0:
            return 1.0
        answers = [answer.move.hands for answer in solution.options(hands, option.move.hands) if answer.value == 0]
        return max(careless(option.move.hands, answer, moves - 1) for answer in answers)

    return careless


def reply_risks(solution: Solution, most_moves: int) -> pd.DataFrame:
    """How soon a careless player errs after each of the second player's first moves.

    Rows: the number of the careless player's moves, to `most_moves`. Columns: "first careless" and "second careless",
    and under each the second player's hands after each reply that draws: `trap_chance`, in percent. Where the second
    player is careless, the first chooses his next move so as to make an error most likely.
    """
    if solution.start_value != "draw":
        raise ValueError(f"solution = {shown(solution)}: a game is needed whose start is a draw")
    first = solution.best_moves(*START)[0].hands
    replies = [option.move.hands for option in solution.options(START[1], first) if option.value == 0]
    rows, trap = {}, trap_chance(solution)
    for moves in range(1, most_moves + 1):
        rows[moves] = row = {}
        for reply in replies:
            row["first careless", hands_text(reply)] = 100 * trap(first, reply, moves)
        for reply in replies:
            held = [option.move.hands for option in solution.options(first, reply) if option.value == 0]
            most = max(trap(reply, hands, moves) for hands in held)
            row["second careless", hands_text(reply)] = 100 * most
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("moves")
