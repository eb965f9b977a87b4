"""A game as a Markov chain, followed from its start to its ends: who ends it how, how long it takes, who leads."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import cache

from gamebalance.base.checks import shown

#: A game is followed until less than this of it still goes on, or for so many steps.
LEFT, MOST_STEPS = 1e-12, 100_000
#: More states at one time would not fit into memory.
MOST_STATES = 2_000_000


@dataclass(frozen=True)
class Walk:
    """What becomes of a game."""

    ends: dict[Hashable, float]  # the chance of each state in which the game ends; they sum to 1
    length: float  # the mean number of steps
    lead_changes: float  # the mean number of times that the lead goes over; nan if nobody was said to lead
    left: float  # how much of the game was still going on when it was given up, and is left out


def follow(
    start: Hashable,
    following: Callable[[Hashable], Mapping[Hashable, float]],
    leader: Callable[[Hashable], Hashable | None] | None = None,
) -> Walk:
    """Follow a game through all that can happen, from its start.

    `following` tells the chance of each state that comes next, nothing where the game is over; `leader` who leads in a
    state, None where nobody does, which changes nothing. A ValueError says where a part of the game never ends, or
    chances do not sum to 1.
    """
    leads = cache(leader) if leader else lambda state: None
    now = {(start, leads(start)): 1.0}
    ends: dict[Hashable, float] = defaultdict(float)
    length = changes = 0.0
    for _ in range(MOST_STEPS):
        after: dict[tuple, float] = defaultdict(float)
        for (state, led), chance in now.items():
            options = following(state)
            if not options:
                ends[state] += chance
                continue
            if abs(sum(options.values()) - 1) > 1e-9:
                raise ValueError(f"following({shown(state)}): the chances sum to {sum(options.values()):.9g}, not to 1")
            length += chance
            for then, part in options.items():
                ahead = leads(then)
                ahead = led if ahead is None else ahead
                changes += chance * part * (led is not None and ahead != led)
                after[then, ahead] += chance * part
        now = after
        left = sum(now.values())
        if len(now) > MOST_STATES:
            raise ValueError(f"start = {shown(start)}: more than {MOST_STATES:,} states at one time")
        if left <= LEFT:
            total = sum(ends.values())
            shares = {end: chance / total for end, chance in ends.items()}
            return Walk(shares, length, changes if leader else float("nan"), left)
    raise ValueError(f"start = {shown(start)}: after {MOST_STEPS:,} steps {left:.2g} of the game still goes on")
