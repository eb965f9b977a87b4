"""Where players choose at the same point: at once, or one after another while nothing is revealed to anybody."""

import numpy as np

from gamebalance.multiplayer.graph.states import GameGraph


def block_starts(graph: GameGraph) -> np.ndarray:
    """The state at which the choices begin that a state belongs to; int64, shape (states,).

    From there on different players move, and each of them knows the same whatever was chosen since. A state of chance,
    an end, and a choice that stands alone begin where they are. After F. B. Thompson, "Equivalence of games in
    extensive form", RAND 1952: interchange of moves.
    """
    starts = np.arange(len(graph.states))
    if not graph.hides:
        return starts
    into = np.bincount(graph.after, minlength=len(starts)).tolist()
    first, after, numbers = graph.first.tolist(), graph.after.tolist(), graph.set_number.tolist()
    for state in graph.order.tolist():
        if numbers[state] < 0 or starts[state] != state:
            continue
        movers, layer = {int(graph.mover[state])}, [state]
        while True:
            edges = [follower for one in layer for follower in after[first[one] : first[one + 1]]]
            layer = list(dict.fromkeys(edges))
            player, number = int(graph.mover[layer[0]]), numbers[layer[0]]
            alike = player not in movers and all(number == numbers[one] >= 0 for one in layer)
            if not alike or sum(into[one] for one in layer) != len(edges) or 0 in layer:
                break
            movers.add(player)
            starts[layer] = state
    return starts
