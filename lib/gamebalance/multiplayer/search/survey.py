"""All positions of a small game at once: what each player can expect and what it can secure."""

from collections.abc import Sequence
from dataclasses import dataclass

from gamebalance._checks import shown, whole_number
from gamebalance.multiplayer.protocols import Game, State, check_game
from gamebalance.multiplayer.search.maxn import least_accepted
from gamebalance.multiplayer.search.walk import Walk

MOST_STATES = 2_000_000


@dataclass(frozen=True)
class Outlook:
    """What play from one state can come to.

    Attributes
    ----------
    values : frozenset of tuple
        Its MaxN values, under all ways of breaking ties, as `maxn_values` finds them.
    secured : tuple
        For each player, what it can secure against all others together: its Paranoid value.
    """

    values: frozenset
    secured: tuple


def layers(game: Game, state: State, most_states: int = 100_000) -> list[list[State]]:
    """The states that play can reach, by the number of plies that leads to them.

    Parameters
    ----------
    game : Game
        In which no state can be reached on ways of different lengths.
    state : State
        Where play begins.
    most_states : int
        The most states to keep, up to `MOST_STATES`.

    Returns
    -------
    list of list of State
        Each state once, in the order in which it is met.

    Raises
    ------
    ValueError
        If there are more states, or a state is met after different numbers of plies.
    """
    walk = Walk(check_game(game), None)
    most_states = whole_number("most_states", most_states, 1, MOST_STATES)
    found, seen = [[state]], {state}
    while found[-1]:
        running = [state for state in found[-1] if not game.is_over(state)]
        after = list(dict.fromkeys(child for state in running for _, child in walk.moves(state)))
        repeated = seen.intersection(after)
        if repeated:
            raise ValueError(f"state = {shown(repeated.pop())}: it is reached after different numbers of plies")
        seen.update(after)
        if len(seen) > most_states:
            raise ValueError(f"most_states = {most_states}: the game has more states")
        found.append(after)
    return found[:-1]


def outlooks(game: Game, found: Sequence[Sequence[State]]) -> dict[State, Outlook]:
    """The outlook of every state of `layers`, by backward induction."""
    walk, known = Walk(game, None), {}
    for layer in reversed(found):
        for state in layer:
            payoffs = walk.arrive(state, walk.depth)
            known[state] = (
                Outlook(frozenset([payoffs]), payoffs) if payoffs is not None else _outlook(walk, state, known)
            )
    return known


def _outlook(walk: Walk, state: State, known: dict) -> Outlook:
    mover = walk.mover(state)
    after = [known[child] for _, child in walk.moves(state)]
    least = least_accepted((outlook.values for outlook in after), mover)
    values = frozenset(value for outlook in after for value in outlook.values if value[mover] >= least)
    columns = zip(*(outlook.secured for outlook in after), strict=True)
    return Outlook(values, tuple((max if i == mover else min)(column) for i, column in enumerate(columns)))
