"""The essay's update of beliefs about claims in Werewolf (§4.2), as a vote and as a forecast, and counts beside it."""

from collections import Counter

import numpy as np

from gamebalance.games.werewolf.rules import ROLES, SEER, VILLAGER, WOLF, Speech, Votes, start

#: What the essay's player thinks of anybody who claims to be the seer for the first time.
FIRST_CLAIM = {SEER: 0.5, WOLF: 0.3, VILLAGER: 0.2}
STEP = 0.3


def essay_beliefs(public):
    """Numbers that the essay's rule holds about each player who has claimed, defects and all; nobody else has any.

    A first claim sets them. Each further claim of the same player adds 0.3 to "wolf" if anybody's "seer", his own
    included, is above 0.5, else to "seer". Nothing is normalised, and what was claimed is not looked at.
    """
    beliefs = {}
    for event in public.events:
        if not isinstance(event, Speech) or event.statement is None:
            continue
        if event.player not in beliefs:
            beliefs[event.player] = dict(FIRST_CLAIM)
        else:
            known_seer = any(belief[SEER] > 0.5 for belief in beliefs.values())
            beliefs[event.player][WOLF if known_seer else SEER] += STEP
    return beliefs


def essay_vote(public, among):
    """The first with the essay's greatest "wolf": a rule of the vote for `Strategies`."""
    beliefs = essay_beliefs(public)
    return [max(among, key=lambda seat: beliefs.get(seat, {}).get(WOLF, 0))]


def essay_wolf_vote(public, among):
    """The first of the greatest threat, 10 if held to be the seer with more than 0.5, else 0: a `wolf_vote`.

    The essay gives a witch 8 points, but none of its beliefs ever names one.
    """
    beliefs = essay_beliefs(public)
    return [max(among, key=lambda seat: 10 * (beliefs.get(seat, {}).get(SEER, 0) > 0.5))]


def essay_forecast(setup, public):
    """The essay's numbers as probabilities, shape (players, 3): each sum made 1; base rates for who never claimed."""
    forecast = np.tile(base_rates(setup, public), (setup.players, 1))
    for player, belief in essay_beliefs(public).items():
        forecast[player] = np.array([belief[role] for role in ROLES]) / sum(belief.values())
    return forecast


def base_rates(setup, public):
    """Share of each role among the living, in the order of `ROLES`; that at the start where the dead show no role."""
    left = Counter(setup.counts)
    left.subtract(event.role for event in public.events if getattr(event, "role", None))
    return np.array([left[role] for role in ROLES]) / left.total()


def before_votes(setup, game):
    """What had been seen before each vote of a game."""
    public = start(setup)
    for event in game.public.events:
        if isinstance(event, Votes):
            yield public
        public = public.after(event)


def situation(public, player):
    """The living, whether one claims to be the seer, how many others do, and whether they call him wolf, or none."""
    claims = [claim for other in public.living if other != player for claim in public.claims[other]]
    about = {claim.is_wolf for claim in claims if claim.target == player}
    others = sum(bool(public.claims[other]) for other in public.living if other != player)
    return len(public.living), bool(public.claims[player]), others, True in about, False in about


def forecast_by_counts(setup, games, pseudo_count=3.0):
    """A forecast like the essay's, from how often players in a situation held each role in games whose end is known.

    `pseudo_count` is added once for each situation, in proportion to the roles' numbers; the dead have base rates.
    """
    counts = Counter(
        (situation(public, player), game.roles[player])
        for game in games
        for public in before_votes(setup, game)
        for player in public.living
    )

    def forecast(public):
        base = base_rates(setup, public)
        chances = np.tile(base, (setup.players, 1))
        for player in public.living:
            where = situation(public, player)
            seen = np.array([counts[where, role] for role in ROLES]) + pseudo_count * base
            chances[player] = seen / seen.sum()
        return chances

    return forecast
