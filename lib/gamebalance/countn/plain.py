"""Count-N in plain Python, to be read beside the rules: a solver, what play can reach, and the study's own procedure.

The smallest games are solved so; the compiled solver, for the others, is tested against this one.
"""

from collections import defaultdict

from gamebalance.base.checks import in_memory
from gamebalance.countn.rules import WITHDRAWN, Game, Hands, end_value
from gamebalance.countn.states import START_STATE, State, mover_first, successors

#: The hands of the mover and of the opponent.
Position = tuple[Hands, Hands]
#: Bytes that `published_labels` needs for each of n^4, as measured for n = 16 to 30.
_LABEL_BYTES = 300


def solve(game: Game, big_wins: bool = True) -> dict[Position, tuple[int, int]]:
    """Value and distance of every decided position, mover's hands first, as of `countn.solve`; the others are draws.

    Retrograde analysis with counters: from each decided position back to its predecessors. A predecessor from which a
    lost position can be reached is won; one whose moves all lead to won positions is lost. Decided positions are taken
    in order of distance, so that winners find their fastest way and losers their slowest.
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


def plies(game: Game) -> dict[State, int]:
    """All states that play can reach, and in how many plies at least."""
    found, fresh = {START_STATE: 0}, [START_STATE]
    for state in fresh:
        for child in successors(game, state):
            if child not in found:
                found[child] = found[state] + 1
                fresh.append(child)
    return found


def reachable(game: Game) -> list[State]:
    """The same in the order in which the study's program goes through them."""
    found = plies(game)
    ordered = ((first, second, turn) for first in game.pairs for second in game.pairs for turn in (False, True))
    return [state for state in ordered if state in found]


def published_labels(game: Game, order: list[State] | None = None) -> dict[State, int]:
    """The study's label of every reachable state that gets one: -2 or -1 if who is to move loses, 1 or 2 if he wins.

    Again and again the procedure goes through all states in one order, its own or another that is given. At each state
    with a label it looks at the predecessors without one and labels those that can be: won big if some successor *now*
    has the label of a big loss, won small if some successor has that of a small loss, and so on. A small win is
    therefore given, and kept, where a big one would have been found later: sign and draws do not depend on the order,
    and the split does from N = 4 on. Refused above 2 GiB of memory (n above 51).
    """
    in_memory(f"n = {game.n}, labels of the study's procedure", _LABEL_BYTES * game.n**4)
    order = reachable(game) if order is None else order
    after = {state: successors(game, state) for state in order}
    before = defaultdict(list)
    for state in order:
        for child in after[state]:
            before[child].append(state)
    labels = {state: end_value(mover_first(state)[0]) for state in order if not after[state]}
    changed = True
    while changed:
        changed = False
        for state in order:
            for parent in before[state] if state in labels else ():
                label = None if parent in labels else _label([labels.get(child) for child in after[parent]])
                if label is not None:
                    labels[parent] = label
                    changed = True
    return labels


def _label(children: list[int | None]) -> int | None:
    """What the labels of its successors say about a state, in the study's order of questions."""
    if all(label == 2 for label in children):
        return -2
    if all(label in (1, 2) for label in children):
        return -1
    if -2 in children:
        return 2
    return 1 if -1 in children else None
