"""The forcing sets in plain Python: short, to be read beside the rules; the compiled kernel is tested against them."""

from collections.abc import Collection
from itertools import product

from gamebalance.countn.rules import WITHDRAWN
from gamebalance.countn.three.rules import PLAYERS, State, ThreePlayerGame
from gamebalance.multiplayer.protocols import OVER


def all_states(game: ThreePlayerGame) -> list[State]:
    """Every state in which nobody is out, or only who moved last."""
    pairs = game.rules.pairs
    live = [pair for pair in pairs if pair != WITHDRAWN]
    found = []
    for mover in range(PLAYERS):
        for position in product(live, live, pairs):
            # Player i sits (i - mover) seats after the mover.
            found.append(State(tuple(position[(player - mover) % PLAYERS] for player in range(PLAYERS)), mover))
    return found


def forcing(game: ThreePlayerGame, coalition: Collection[int], targets: Collection[int]) -> dict[State, int]:
    """The states in which a coalition can force that the first out is one of the targets, and the plies it needs.

    Round by round: where a member of the coalition moves, one good move is enough; where another moves, all moves have
    to be good. A move is good if the state after it was found in an earlier round.
    """
    states = all_states(game)
    after = {state: [game.play(state, move) for move in game.moves(state)] for state in states}
    forced = {state: 0 for state in states if game.winner(state) in targets}
    pending = [state for state in states if game.mover(state) != OVER]
    plies, grown = 1, True
    while grown:
        enough = [
            (any if state.mover in coalition else all)(child in forced for child in after[state]) for state in pending
        ]
        new = [state for state, good in zip(pending, enough, strict=True) if good]
        pending = [state for state, good in zip(pending, enough, strict=True) if not good]
        forced |= dict.fromkeys(new, plies)
        plies, grown = plies + 1, bool(new)
    return forced
