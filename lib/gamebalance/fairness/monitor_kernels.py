"""The compiled half of `stopping`: many runs of games, each watched by a `Monitor`'s rule until it stops.

Every run has a stream of splitmix64 of its own, so that run i of a seed is the same however the work is divided. A game
is decided by the upper 53 bits of one word.
"""

import math

import numpy as np

from gamebalance.base.jit import njit
from gamebalance.base.splitmix import GOLDEN, mix_word

#: Said before the first function of this module is compiled.
COMPILES = "the simulator of monitors, 2 to 6 s"
UNDECIDED, UNFAIR, FAIR = range(3)
#: The step from one state of the generator to the next, and what is cut off from a word.
STEP, CUT = np.uint64(GOLDEN), np.uint64(11)


@njit(nogil=True)
def fewest_wins(most, own, others, chance, bound):
    """For each number of games to `most`: the fewest wins after which a chance is refuted, as too small, by a label.

    `own` and `others` are the parameters of the beta distribution over the chance of the label; where no number of wins
    is enough, the answer is one more than the games. With as many wins more there is more evidence, and a loss takes
    some away; so the answer never falls, and one walk along it is enough.
    """
    found = np.zeros(most + 1, np.int64)
    if chance <= 0:
        return found
    wins, evidence = 0, 0.0
    found[0] = 1
    for games in range(1, most + 1):
        evidence += math.log((others + games - 1 - wins) / (own + others + games - 1) / (1 - chance))
        while wins < games and not (wins > chance * games and evidence >= bound):
            evidence += math.log((own + wins) / (others + games - 1 - wins) * (1 - chance) / chance)
            wins += 1
        enough = wins > chance * games and evidence >= bound
        found[games] = wins if enough else games + 1
    return found


@njit(nogil=True, inline="always")
def _winner(state, limits):
    """Who wins the game that this state of the generator decides."""
    word, winner = mix_word(state) >> CUT, 0
    for limit in limits:
        winner += word >= limit
    return winner


@njit(nogil=True, borrows=True)
def _wald(state, limits, gains, upper, lower, most):
    """One run against named chances: verdict and games played."""
    evidence = 0.0
    for game in range(1, most + 1):
        state += STEP
        evidence += gains[_winner(state, limits)]
        if evidence >= upper:
            return UNFAIR, game
        if evidence <= lower:
            return FAIR, game
    return UNDECIDED, most


@njit(nogil=True, borrows=True)
def _mixture(state, limits, won, played, fewest, largest, upper, wins):
    """One run against all chances: verdict and games played.

    `won[w]` and `played[n]` are logarithms: a win multiplies the evidence by their quotient for the w wins before it
    and the n games before it. `fewest[n]`, `largest[n]`: an interval is within the margin from so many to so many wins.
    """
    evidence = 0.0
    wins[:] = 0
    for game in range(1, len(played) + 1):
        state += STEP
        winner = _winner(state, limits)
        evidence += won[wins[winner]] - played[game - 1]
        wins[winner] += 1
        within = True
        for count in wins:
            within = within and fewest[game] <= count <= largest[game]
        if within:
            return FAIR, game
        if evidence >= upper:
            return UNFAIR, game
    return UNDECIDED, len(played)


@njit(nogil=True)
def wald_runs(first, last, key, limits, gains, upper, lower, most):
    """Verdicts and games played of the runs from `first` to `last` - 1."""
    verdicts, games = np.empty(last - first, np.int64), np.empty(last - first, np.int64)
    for run in range(first, last):
        state = mix_word(np.uint64(key) + STEP * np.uint64(run))
        verdicts[run - first], games[run - first] = _wald(state, limits, gains, upper, lower, most)
    return verdicts, games


@njit(nogil=True)
def mixture_runs(first, last, key, limits, won, played, fewest, largest, upper):
    """Verdicts and games played of the runs from `first` to `last` - 1."""
    verdicts, games = np.empty(last - first, np.int64), np.empty(last - first, np.int64)
    wins = np.zeros(len(limits) + 1, np.int64)
    for run in range(first, last):
        state = mix_word(np.uint64(key) + STEP * np.uint64(run))
        found = _mixture(state, limits, won, played, fewest, largest, upper, wins)
        verdicts[run - first], games[run - first] = found
    return verdicts, games
