"""Forecasts of roles that need no model of play: the essay's rule made comparable, and counts from earlier games."""

from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np

from gamebalance.multiplayer.games.werewolf.essay import essay_beliefs
from gamebalance.multiplayer.games.werewolf.play import Game
from gamebalance.multiplayer.games.werewolf.rules import ROLES, Public, Setup, Votes, start


def before_votes(setup: Setup, game: Game) -> Iterator[Public]:
    """What had been seen before each vote of a game."""
    public = start(setup)
    for event in game.public.events:
        if isinstance(event, Votes):
            yield public
        public = public.after(event)


def base_rates(setup: Setup, public: Public) -> np.ndarray:
    """Share of each role among the living, from the numbers at the start and the roles shown; in the order of `ROLES`.

    Where the dead show no role it is the share at the start.
    """
    left = dict(setup.counts)
    for event in public.events:
        role = getattr(event, "role", None)
        if role:
            left[role] -= 1
    return np.array([left[role] for role in ROLES]) / sum(left.values())


def essay_forecast(setup: Setup, public: Public) -> np.ndarray:
    """The essay's numbers as probabilities, shape (players, 3): divided by their sum; base rates for who never claimed.

    The essay does neither; without it there would be nothing to compare.
    """
    forecast = np.tile(base_rates(setup, public), (setup.players, 1))
    for player, belief in essay_beliefs(public).items():
        forecast[player] = np.array([belief[role] for role in ROLES]) / sum(belief.values())
    return forecast


def situation(public: Public, player: int) -> tuple[int, bool, int, bool, bool]:
    """A player's public situation in a few words, for counting.

    Number of living players, whether he claims to be the seer, how many others do, and whether a claimant other than he
    calls him a wolf, and no wolf.
    """
    said = [claim for other in public.living if other != player for claim in public.claims[other]]
    about = {claim.is_wolf for claim in said if claim.target == player}
    others = sum(bool(public.claims[other]) for other in public.living if other != player)
    return len(public.living), bool(public.claims[player]), others, True in about, False in about


class SituationCounts:
    """How often players in a situation held each role, in games whose end is known.

    Parameters
    ----------
    setup : Setup
    games : iterable of Game
        To learn from.
    pseudo_count : float
        Added in proportion to the roles' numbers, once for each situation.
    """

    def __init__(self, setup: Setup, games: Iterable[Game], pseudo_count: float = 3.0):
        self._setup, self._pseudo_count = setup, pseudo_count
        self._counts: Counter = Counter()
        for game in games:
            for public in before_votes(setup, game):
                self._counts.update((situation(public, player), game.roles[player]) for player in public.living)

    def forecast(self, public: Public) -> np.ndarray:
        """Probability of each role by player, shape (players, 3); base rates for the dead."""
        base = base_rates(self._setup, public)
        forecast = np.tile(base, (self._setup.players, 1))
        for player in public.living:
            where = situation(public, player)
            seen = np.array([self._counts[where, role] for role in ROLES]) + self._pseudo_count * base
            forecast[player] = seen / seen.sum()
        return forecast
