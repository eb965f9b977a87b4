"""The study's labels, small and big, as its own iterative procedure gives them: they depend on the order of its loop.

Again and again the procedure goes through all reachable states in one order. At each state with a label it looks at the
predecessors without one and labels those that can be: won big if some successor *now* has the label of a big loss, won
small if some successor has that of a small loss, and so on. A small win is therefore given, and kept, where a big one
would have been found later. Sign and draws do not depend on the order, and the split does from N = 4 on.
"""

from collections import defaultdict

from gamebalance.base.checks import in_memory
from gamebalance.countn.plain import reachable
from gamebalance.countn.rules import Game, end_value
from gamebalance.countn.states import State, mover_first, successors

#: Bytes for each of n^4, as measured for n = 16 to 30.
_LABEL_BYTES = 300


def states(game: Game) -> list[State]:
    """The reachable states in the order in which the study's program goes through them."""
    found = reachable(game)
    ordered = ((first, second, turn) for first in game.pairs for second in game.pairs for turn in (False, True))
    return [state for state in ordered if state in found]


def labels(game: Game, order: list[State] | None = None) -> dict[State, int]:
    """The label of every reachable state that gets one: -2 or -1 if who is to move loses, 1 or 2 if he wins.

    `order` has all reachable states in another order than the study's. Refused above 2 GiB of memory (n above 51).
    """
    in_memory(f"n = {game.n}, labels of the study's procedure", _LABEL_BYTES * game.n**4)
    order = states(game) if order is None else order
    after = {state: successors(game, state) for state in order}
    before = defaultdict(list)
    for state in order:
        for child in after[state]:
            before[child].append(state)
    found = {state: end_value(mover_first(state)[0]) for state in order if not after[state]}
    changed = True
    while changed:
        changed = False
        for state in order:
            for parent in before[state] if state in found else ():
                label = None if parent in found else _label([found.get(child) for child in after[parent]])
                if label is not None:
                    found[parent] = label
                    changed = True
    return found


def _label(children: list[int | None]) -> int | None:
    """What the labels of its successors say about a state, in the study's order of questions."""
    if all(label == 2 for label in children):
        return -2
    if all(label in (1, 2) for label in children):
        return -1
    if -2 in children:
        return 2
    return 1 if -1 in children else None
