"""The shortest drawing certificate, by integer programming: for the smallest games only."""

import numpy as np

from gamebalance.base.checks import number
from gamebalance.countn.rules import START, WITHDRAWN, Hands
from gamebalance.countn.solution import Solution

#: A position with the keeper of the draw to move, or waiting; the mover's hands first in both.
_Node = tuple[bool, Hands, Hands]


def shortest_certificate(solution: Solution, seconds: float = 600) -> tuple[int, int]:
    """The length of the shortest drawing certificate found in so many seconds, and a lower bound.

    They are equal if the search came to its end.

    A binary variable for each position: x = 1 if the keeper of the draw may meet it. The start is met in both roles; a
    position with the keeper to move needs one of its successors, one with the other to move all of them; the sum over
    the former is least. Solved by HiGHS. A minute for n = 8.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import coo_array

    number("seconds", seconds, 0, inside=True)
    if solution.start_value != "draw":
        raise ValueError(f"n = {solution.game.n}: the {solution.start_value} player wins, there is no certificate")
    follow = _graph(solution)
    numbers = {node: k for k, node in enumerate(follow)}
    entries = []
    rows = 0
    for node, children in follow.items():
        for group in [children] if node[0] else [[child] for child in children]:
            entries += [(rows, numbers[node], -1), *((rows, numbers[child], 1) for child in group)]
            rows += 1
    row, column, sign = np.array(entries).T
    matrix = coo_array((sign, (row, column)), shape=(rows, len(numbers))).tocsr()
    least = np.zeros(len(numbers))
    least[[numbers[True, *START], numbers[False, *START]]] = 1
    answer = milp(
        [float(node[0]) for node in follow],
        constraints=LinearConstraint(matrix, 0, np.inf),
        bounds=Bounds(least, 1),
        integrality=np.ones(len(numbers)),
        options={"time_limit": seconds},
    )
    if answer.x is None:
        raise ValueError(f"seconds = {seconds}: no certificate was found in time")
    return round(answer.fun), int(np.ceil(answer.mip_dual_bound - 1e-6))


def _graph(solution: Solution) -> dict[_Node, list[_Node]]:
    """All positions that a keeper who never errs may meet, and what may follow them; nothing follows a win."""
    game, follow = solution.game, {}
    pending: list[_Node] = [(True, *START), (False, *START)]
    while pending:
        node = pending.pop()
        if node in follow:
            continue
        keeping, mover, opponent = node
        after = [] if opponent == WITHDRAWN else [(opponent, move.hands) for move in game.moves(mover, opponent)]
        if keeping:
            after = [pair for pair in after if solution.value(*pair) <= 0]
        follow[node] = [(not keeping, *pair) for pair in after]
        pending += follow[node]
    return follow
