"""Chapter A.5: the tables on which the claims of the study about Count-8 rest."""

from collections.abc import Callable
from functools import cache
from itertools import product
from math import gcd

import networkx as nx
import pandas as pd

from chapters.count_n_explorer import PLAYED_LINE
from chapters.who_wins_small import longest_way
from gamebalance.countn import START, WITHDRAWN, Game, Option, Solution
from gamebalance.countn.plain import Position
from gamebalance.countn.rules import Hands
from gamebalance.countn.states import hands_text, mover_first

#: The pair that the study's rules of thumb are about.
SEVENS = (7, 7)
#: Signs of a value, by what they mean for whose value it is.
OUTCOMES = {"won": 1, "drawn": 0, "lost": -1}


# ---- What positions are worth


def sign(value: float) -> int:
    """-1, 0 or 1."""
    return (value > 0) - (value < 0)


def live_pairs(game: Game) -> list[Hands]:
    """The pairs with a live hand, by the smaller number, those with a withdrawn hand last."""
    return sorted(game.pairs[:-1], key=lambda pair: (pair[1] is None, pair[0], pair[1] or 0))


def reachable_positions(solution: Solution) -> list[Position]:
    """The reachable positions that are not ends, each once, whoever of the players is to move."""
    positions = dict.fromkeys(mover_first(state) for state in solution.reachable_states())
    return [(mover, opponent) for mover, opponent in positions if opponent != WITHDRAWN]


def can_occur(solution: Solution, mover: Hands, opponent: Hands) -> bool:
    """Whether a position is reachable, with the first or the second player to move."""
    return solution.is_reachable(mover, opponent, False) or solution.is_reachable(opponent, mover, True)


def against_sevens(solution: Solution) -> pd.DataFrame:
    """What every pair of hands is worth to its owner against 7,7: who is to move, value, plies, and can it occur?"""
    rows = {}
    for pair in live_pairs(solution.game):
        rows[hands_text(pair)] = row = {}
        for side, place in (("owner to move", (pair, SEVENS)), ("other to move", (SEVENS, pair))):
            row[side, "value"] = solution.value(*place) * (1 if place[0] is pair else -1)
            row[side, "plies"] = solution.distance(*place)
            row[side, "reachable"] = can_occur(solution, *place)
    frame = pd.DataFrame.from_dict(rows, orient="index").rename_axis("hands")
    return frame.astype({(side, "plies"): float for side in ("owner to move", "other to move")})


def showing(solution: Solution) -> pd.DataFrame:
    """How reachable positions turn out for a side that shows a number (row; the last is "any"), to move and not."""
    every = [(position, sign(solution.value(*position))) for position in reachable_positions(solution)]
    rows = {}
    for number in (*range(1, solution.game.n), "any"):
        rows[number] = row = {}
        for place, side in enumerate(("to move", "not to move")):
            signs = [value for hands, value in every if number == "any" or number in hands[place]]
            row[side, "positions"] = len(signs)
            for name, outcome in OUTCOMES.items():
                row[side, f"% {name}"] = 100 * signs.count(outcome if place == 0 else -outcome) / len(signs)
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("number")


def care(solution: Solution) -> pd.DataFrame:
    """How many moves keep the sign of what a position is worth, for every reachable position that is not an end."""
    rows = []
    for position in reachable_positions(solution):
        options = solution.options(*position)
        keep = sum(sign(option.value) == sign(options[0].value) for option in options)
        rows.append((options[0].value, options[0].distance, len(options), keep))
    return pd.DataFrame(rows, columns=["value", "distance", "moves", "keep"]).astype({"distance": float})


# ---- Lines of play


def replay(solution: Solution) -> pd.DataFrame:
    """The study's line beside the solution: value and plies for who is to move, the move that was made, the best."""
    rows = []
    for (left, right, turn, label), following in zip(PLAYED_LINE, [*PLAYED_LINE[1:], None], strict=True):
        place = (left, right) if turn == "left" else (right, left)
        played = following and following[0 if turn == "left" else 1]
        values = {option.move.hands: option.value for option in solution.options(*place)}
        rows.append(
            {
                "left": hands_text(left),
                "right": hands_text(right),
                "to move": turn,
                "label": label,
                "value": solution.value(*place),
                "plies": solution.distance(*place),
                "played": played and hands_text(played),
                "value after": played and values[played],
                "best": " or ".join(hands_text(move.hands) for move in solution.best_moves(*place)),
            }
        )
    return pd.DataFrame(rows).astype({"plies": float, "value after": float})


def thrown_away(line: pd.DataFrame) -> pd.DataFrame:
    """The rows of a `replay` in which the move that was made let a win or a draw go."""
    made = line.dropna(subset="value after")
    return made[made["value after"].map(sign) < made["value"].map(sign)]


def trap_chance(solution: Solution) -> Callable[[Hands, Hands, int], float]:
    """How likely a careless player is to lose a draw to a careful one, by drawn position and number of his moves.

    One takes each different move with the same probability; the other, of those that keep the draw, the best trap.
    """

    @cache
    def careless(mover: Hands, opponent: Hands, moves: int) -> float:
        options = solution.options(mover, opponent)
        return sum(careful(opponent, option, moves) for option in options) / len(options) if moves else 0.0

    def careful(hands: Hands, option: Option, moves: int) -> float:
        if option.value < 0:
            return 1.0
        return max(careless(option.move.hands, answer, moves - 1) for answer in held(hands, option.move.hands))

    def held(mover: Hands, opponent: Hands) -> list[Hands]:
        return [option.move.hands for option in solution.options(mover, opponent) if option.value == 0]

    return careless


def reply_risks(solution: Solution, most_moves: int) -> pd.DataFrame:
    """How soon a careless player errs after each of the second player's first moves: `trap_chance`, in percent."""
    first = solution.best_moves(*START)[0].hands
    replies = [option.move.hands for option in solution.options(START[1], first) if option.value == 0]
    rows, trap = {}, trap_chance(solution)
    for moves in range(1, most_moves + 1):
        rows[moves] = {("first careless", hands_text(reply)): 100 * trap(first, reply, moves) for reply in replies}
        for reply in replies:
            held = [option.move.hands for option in solution.options(first, reply) if option.value == 0]
            rows[moves]["second careless", hands_text(reply)] = 100 * max(trap(reply, hands, moves) for hands in held)
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("moves")


# ---- Ends that play cannot reach


def common_divisor(n: int, position: Position) -> int:
    """The greatest common divisor of n and all numbers that show."""
    return gcd(n, *(number for hands in position for number in hands if number is not None))


def backward_graph(game: Game) -> nx.DiGraph:
    """All positions of a game, reachable or not, with an edge from each to those that it can follow."""
    graph = nx.DiGraph()
    for position in product(game.pairs[:-1], game.pairs):
        graph.add_node(position)
        graph.add_edges_from((after, position) for after in game.successors(*position))
    return graph


def longest_line_back(backward: nx.DiGraph, position: Position) -> int | None:
    """Plies of the longest line that leads to a position of a `backward_graph`, None if there are endless ones."""
    return longest_way(backward.subgraph(nx.descendants(backward, position) | {position}))


def missing_ends(solution: Solution) -> pd.DataFrame:
    """The ends that play cannot reach, by the pair that no loser is left with, and the chapter's two reasons."""
    backward, rows = backward_graph(solution.game), {}
    for pair in live_pairs(solution.game):
        end = (pair, WITHDRAWN)
        if not can_occur(solution, *end):
            rows[hands_text(pair)] = common_divisor(solution.game.n, end), longest_line_back(backward, end)
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=["divisor", "plies back"])
    return frame.rename_axis("loser's hands").astype({"divisor": int, "plies back": float})
