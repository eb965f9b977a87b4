"""The essay's update of beliefs about claims in Werewolf (§4.2), as a vote and as a forecast, and counts beside it.

Nothing here needs a model of how people play; `gamebalance.games.werewolf.Observer` does, and is judged against it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np

from gamebalance.games.werewolf.playing import Game
from gamebalance.games.werewolf.rules import ROLES, SEER, VILLAGER, WOLF, Public, Setup, Speech, Votes, start

#: What the essay's player thinks of anybody who claims to be the seer for the first time.
FIRST_CLAIM = {SEER: 0.5, WOLF: 0.3, VILLAGER: 0.2}
STEP = 0.3


def essay_beliefs(public: Public) -> dict[int, dict[str, float]]:
    """Numbers that the essay's rule holds about each player who has claimed, defects and all; nobody else has any.

    A first claim sets them. Each further claim of the same player adds 0.3 to "wolf" if anybody's "seer", his own
    included, is above 0.5, else to "seer". Nothing is normalised, and what was claimed is not looked at.
    """
    beliefs: dict[int, dict[str, float]] = {}
    for event in public.events:
        if not isinstance(event, Speech) or event.statement is None:
            continue
        if event.player not in beliefs:
            beliefs[event.player] = dict(FIRST_CLAIM)
        else:
            known_seer = any(belief[SEER] > 0.5 for belief in beliefs.values())
            beliefs[event.player][WOLF if known_seer else SEER] += STEP
    return beliefs


def essay_vote(public: Public, among: list[int]) -> list[int]:
    """The first with the essay's greatest "wolf": a rule of the vote for `Strategies`."""
    beliefs = essay_beliefs(public)
    return [max(among, key=lambda seat: beliefs.get(seat, {}).get(WOLF, 0))]


def essay_wolf_vote(public: Public, among: list[int]) -> list[int]:
    """The first of the greatest threat, 10 if held to be the seer with more than 0.5, else 0: a `wolf_vote`.

    The essay gives a witch 8 points, but none of its beliefs ever names one.
    """
    beliefs = essay_beliefs(public)
    return [max(among, key=lambda seat: 10 * (beliefs.get(seat, {}).get(SEER, 0) > 0.5))]


def essay_forecast(setup: Setup, public: Public) -> np.ndarray:
    """The essay's numbers as probabilities, shape (players, 3): each sum made 1; base rates for who never claimed."""
    forecast = np.tile(base_rates(setup, public), (setup.players, 1))
    for player, belief in essay_beliefs(public).items():
        forecast[player] = np.array([belief[role] for role in ROLES]) / sum(belief.values())
    return forecast


def base_rates(setup: Setup, public: Public) -> np.ndarray:
    """Share of each role among the living, in the order of `ROLES`; that at the start where the dead show no role."""
    left = dict(setup.counts)
    for event in public.events:
        role = getattr(event, "role", None)
        if role:
            left[role] -= 1
    return np.array([left[role] for role in ROLES]) / sum(left.values())


def before_votes(setup: Setup, game: Game) -> Iterator[Public]:
    """What had been seen before each vote of a game."""
    public = start(setup)
    for event in game.public.events:
        if isinstance(event, Votes):
            yield public
        public = public.after(event)


def situation(public: Public, player: int) -> tuple[int, bool, int, bool, bool]:
    """A player's public situation, for counting.

    Number of living players, whether he claims to be the seer, how many others do, and whether a claimant other than he
    calls him a wolf, and no wolf.
    """
    said = [claim for other in public.living if other != player for claim in public.claims[other]]
    about = {claim.is_wolf for claim in said if claim.target == player}
    others = sum(bool(public.claims[other]) for other in public.living if other != player)
    return len(public.living), bool(public.claims[player]), others, True in about, False in about


class SituationCounts:
    """How often players in a situation held each role, in games whose end is known.

    `pseudo_count` is added once for each situation, in proportion to the roles' numbers.
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
