"""Best play in a game of the protocol whose states can come again, by value iteration over all of its states."""

import numpy as np

from gamebalance.multiplayer.protocols import CHANCE, OVER


def states_of(game, start=None):
    """All states that can be reached, in the order in which they are found."""
    found = dict.fromkeys([game.start() if start is None else start])
    waiting = list(found)
    while waiting:
        state = waiting.pop()
        if game.mover(state) != OVER:
            after = [game.play(state, move) for move in game.moves(state)]
            waiting += [then for then in dict.fromkeys(after) if then not in found]
            found |= dict.fromkeys(after)
    return list(found)


def values(game, start=None, tolerance=1e-13):
    """What each player gets from every state when each takes the move that is best for itself."""
    states = states_of(game, start)
    place = {state: number for number, state in enumerate(states)}
    movers = np.array([game.mover(state) for state in states])
    after = [
        [place[game.play(s, m)] for m in game.moves(s)] if game.mover(s) != OVER else [n] for s, n in place.items()
    ]
    width = max(map(len, after))
    table = np.array([row + [row[0]] * (width - len(row)) for row in after])
    weights = np.zeros(table.shape)
    for state, number in place.items():
        if movers[number] == CHANCE:
            weights[number, : len(after[number])] = list(game.moves(state).values())
    over, chance, rows = movers == OVER, movers == CHANCE, np.arange(len(states))
    value = np.where(over[:, None], [game.payoffs(state) for state in states], 0.0)
    for _ in range(10_000):
        options = value[table]
        own = options[rows, :, np.maximum(movers, 0)]
        chosen = options[rows, own.argmax(axis=1)]
        then = np.where(chance[:, None], (options * weights[:, :, None]).sum(axis=1), chosen)
        if np.abs(then - value).max() < tolerance:
            return dict(zip(states, then.tolist(), strict=True))
        value = then
    raise AssertionError("it has not settled")
