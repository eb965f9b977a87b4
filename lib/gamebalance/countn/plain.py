"""Count-N solved in plain Python: short, to be read beside the rules, and what the compiled solver is tested against.

Retrograde analysis with counters: from each decided position back to its predecessors. A predecessor from which a lost
position can be reached is won; one whose moves all lead to won positions is lost. Decided positions are taken in order
of distance, so that winners find their fastest way and losers their slowest.
"""

from collections import defaultdict

from gamebalance.countn.rules import START, WITHDRAWN, Game, Hands, end_value

#: The hands of the mover and of the opponent.
Position = tuple[Hands, Hands]


def solve(game: Game, big_wins: bool = True) -> dict[Position, tuple[int, int]]:
    """Value and distance of every decided position; the others are draws.

    Parameters
    ----------
    game : Game
        The rules.
    big_wins : bool
        Whether a big win is worth more than a small one, however much longer it takes.

    Returns
    -------
    dict
        (mover's hands, opponent's hands) -> (value, distance): the value for the mover is 2 or 1 for a win, -2 or -1
        for a loss (1 and -1 only unless `big_wins`); the distance is the number of plies to the end.
    """
    parents, open_moves = _graph(game)
    ends = {position: end_value(position[0]) if big_wins else -1 for position, count in open_moves.items() if not count}
    solved: dict[Position, tuple[int, int]] = {}
    for size in (2, 1):
        lost = [position for position, value in ends.items() if value == -size]
        solved |= dict.fromkeys(lost, (-size, 0))
        distance = 0
        while lost:
            won = {parent for position in lost for parent in parents[position] if parent not in solved}
            solved |= dict.fromkeys(won, (size, distance + 1))
            lost = []
            for position in won:
                for parent in parents[position]:
                    open_moves[parent] -= 1
                    if not open_moves[parent] and parent not in solved:
                        lost.append(parent)
            distance += 2
            solved |= dict.fromkeys(lost, (-size, distance))
    return solved


def _graph(game: Game) -> tuple[dict[Position, list[Position]], dict[Position, int]]:
    """Predecessors of every position, and how many positions can follow it."""
    parents, open_moves = defaultdict(list), {}
    for mover in game.pairs:
        for opponent in game.pairs:
            if mover != WITHDRAWN:
                after = game.successors(mover, opponent)
                open_moves[mover, opponent] = len(after)
                for position in after:
                    parents[position].append((mover, opponent))
    return parents, open_moves


def reachable(game: Game) -> set[tuple[Hands, Hands, bool]]:
    """All states that play can reach, decided ones included.

    Returns
    -------
    set
        (first player's hands, second player's hands, whether the second player is to move).
    """
    start = (*START, False)
    found, pending = {start}, [start]
    while pending:
        first, second, turn = pending.pop()
        mover, opponent = (second, first) if turn else (first, second)
        for move in game.moves(mover, opponent):
            state = (first, move.hands, False) if turn else (move.hands, second, True)
            if state not in found:
                found.add(state)
                pending.append(state)
    return found
