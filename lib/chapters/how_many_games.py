"""How many games show that a game is unfair: fixed beforehand, by looking again and again, and by a monitor."""

from functools import cache

import numpy as np
from scipy import special

from gamebalance.base.checks import in_memory
from gamebalance.base.rounding import meant
from gamebalance.fairness import bets
from gamebalance.fairness.planning import chances_to_win, first_enough, games_needed
from gamebalance.fairness.rotation import spread_of
from gamebalance.fairness.stopping import StoppingTimes, stopping_times

#: Shares of wins of the four seats of the published table.
SEATS = (0.315, 0.242, 0.241, 0.202)
#: By the number of seats: chances to win of which one seat has more than the others.
UNFAIR = {2: (0.55, 0.45), 4: SEATS, 8: (0.195,) + (0.115,) * 7}
TESTS = ("Wald", "mixture")
#: What the tests promise, and how far from even a chance may be.
LEVEL, POWER, MARGIN = 0.05, 0.8, 0.05
#: Games of which the monitor is compared with savvi 0.3.1 (Lindon and Malek, "Anytime-valid inference for multinomial
#: count data", NeurIPS 2022) with its defaults: a Dirichlet distribution about equal chances, parameters adding to 100.
PEER, CONCENTRATION = "savvi 0.3.1", 100.0
GAMES = {
    "55 : 45": (0.55, 0.45),
    "60 : 40": (0.6, 0.4),
    "70 : 30": (0.7, 0.3),
    "90 : 10": (0.9, 0.1),
    "three, one 40": (0.4, 0.3, 0.3),
    "four seats": SEATS,
    "four, one 40": (0.4, 0.2, 0.2, 0.2),
    "eight, one 19.5": UNFAIR[8],
    "eight, one 30": (0.3,) + (0.1,) * 7,
}


def one_ahead(groups, ahead):
    """Chances to win when one of so many is ahead of even, and the others share the rest evenly."""
    first = 1 / groups + ahead
    return [first] + [(1 - first) / (groups - 1)] * (groups - 1)


def monitor_row(players, test, truth, runs=1_000_000, most=10_000, seed=20261122):
    """Runs of games at a table, each watched until clear: how they end, and when; `fixed`: games set beforehand."""
    named = UNFAIR[players]
    shares = named if truth == "unfair" else (1 / players,) * players
    times = stopping_times(shares, named if test == "Wald" else None, LEVEL, POWER, MARGIN, runs, seed, most)
    line = {"players": players, "test": test, "truth": truth}
    line |= {"shares": " ".join(f"{share:.10g}" for share in shares), "runs": runs, "most": most}
    line |= with_errors({**ends(times), "mean": times.mean(), "median": times.median()})
    return line | {"fixed": (games_needed_named if test == "Wald" else games_needed)(named, POWER, LEVEL)}


def ends(times):
    """The shares of runs that end each way."""
    return {name: times.share(name) for name in ("unfair", "fair", "undecided")}


def with_errors(numbers):
    """Estimates as pairs of a row, the standard error after each."""
    return {
        key: part for name, (value, error) in numbers.items() for key, part in ((name, value), (f"{name} error", error))
    }


@cache
def games_needed_named(shares, power, level):
    """The smallest fixed number of games at which the most powerful test has this power; exact.

    That is the likelihood ratio of these chances, each with its seat named, against equal ones (Neyman and Pearson
    1933). With lots drawn where it is in doubt, more games never make it worse: the search starts where that would do.
    """
    chances, counts = np.unique(meant(chances_to_win(shares)), return_counts=True)
    fair, gains = counts / counts.sum(), np.log(chances * counts.sum())
    mean, spread = (gains * fair).sum(), np.sqrt((gains**2 * fair).sum() - (gains * fair).sum() ** 2)
    true = chances * counts
    true_mean, true_spread = (gains * true).sum(), np.sqrt((gains**2 * true).sum() - (gains * true).sum() ** 2)
    about = ((special.ndtri(1 - level) * spread + special.ndtri(power) * true_spread) / (true_mean - mean)) ** 2
    in_memory(f"all results of about {about:,.0f} games", 64.0 * about ** (len(fair) - 1))
    games = first_enough(lambda count: named_power(fair, gains, count, level)[1] >= power, int(about))
    while meant(named_power(fair, gains, games, level)[0]) < power:
        games += 1
    return games


def named_power(fair, gains, games, level):
    """Power of the likelihood ratio test, over all numbers of wins: as it is, and with lots drawn where in doubt."""
    wins, ways = np.arange(games + 1), special.gammaln(np.arange(games + 1) + 1.0)
    left, evidence, chance = np.array([games]), np.zeros(1), np.array([ways[games]])
    for share, gain in zip(fair[:-1], gains, strict=False):
        row, won = np.nonzero(left[:, None] >= wins)
        left, evidence = left[row] - won, evidence[row] + won * gain
        chance = chance[row] - ways[won] + won * np.log(share)
    evidence, chance = evidence + left * gains[-1], np.exp(chance - ways[left] + left * np.log(fair[-1]))
    order = np.argsort(-evidence)
    evidence, chance = evidence[order], chance[order]
    # Results of the same evidence are rejected together or not at all.
    last = np.append(np.diff(evidence) < -1e-9, True)
    under = np.append(0.0, np.cumsum(chance)[last])
    true = np.append(0.0, np.cumsum(chance * np.exp(evidence))[last])
    place = int(np.searchsorted(under, level + 1e-12, side="right")) - 1
    lots = (level - under[place]) / (under[place + 1] - under[place])
    return float(true[place]), float(true[place] + lots * (true[place + 1] - true[place]))


def peer_row(truth, runs=4000, seed=20261127, most=6000):
    """Median and mean number of games until ours and savvi find the game unfair, with standard errors."""
    row = {"truth": truth, "runs": runs, "seed": seed, "peer": PEER}
    for name, games in zip(("ours", "savvi"), first_passages(GAMES[truth], runs, seed, most), strict=True):
        ended = np.zeros((3, most + 1), np.int64)
        np.add.at(ended[1], games, 1)
        times = StoppingTimes(ended)
        row |= with_errors({name: times.median(), f"{name} mean": times.mean()})
    return row


def first_passages(shares, runs, seed, most):
    """After how many games of each run the evidence first reaches 1 / `LEVEL`, ours and savvi's; `most` at most."""
    random, groups = np.random.default_rng(seed), len(shares)
    games, bound = np.arange(1, most + 1), np.log(1 / LEVEL) - 1e-9
    passages = np.empty((2, runs), np.int64)
    for run in range(runs):
        winners = random.choice(groups, most, p=shares)
        wins = np.cumsum(winners[:, None] == np.arange(groups), axis=0)
        for each, evidence in enumerate((our_evidence(wins, games), log_part(wins, games, CONCENTRATION / groups))):
            reached = evidence >= bound
            passages[each, run] = games[reached.argmax()] if reached.any() else most
    return passages


def our_evidence(wins, games):
    """Logarithm of the evidence of `fairness.Monitor` against equal chances."""
    return np.logaddexp(
        *(log_part(wins, games, own, True) + np.log(weight) for weight, own in bets.parts(wins.shape[1]))
    )


def log_part(wins, games, own, squared=False):
    """Logarithm of the evidence by a Dirichlet distribution, times the squared distance from even chances or not."""
    groups, total = wins.shape[1], own * wins.shape[1]
    rising = special.gammaln(own + wins).sum(axis=1) - groups * special.gammaln(own)
    evidence = rising - special.gammaln(total + games) + special.gammaln(total) + games * np.log(groups)
    if not squared:
        return evidence
    mean, even = (own + wins) / (total + games)[:, None], 1 / groups
    apart = (mean * (1 - mean)).sum(axis=1) / (total + games + 1) + np.square(mean - even).sum(axis=1)
    return evidence + np.log(apart) - np.log((1 - even) / (total + 1))


def block_row(players, stronger, truth, runs=1_000_000, most=10_000, seed=20261127):
    """Games in blocks in which the same players sit in each seat once, the stronger of two winning so often."""
    shares = UNFAIR[players] if truth == "unfair" else (1 / players,) * players
    watched = (None, LEVEL, POWER, MARGIN)
    times = stopping_times(shares, *watched, runs, seed, most, rotated=spread_of(stronger))
    alone = stopping_times(shares, *watched, min(runs, 100_000), seed, most)
    line = {"players": players, "stronger": stronger, "truth": truth, "runs": runs, "most": most}
    means = {"mean": times.mean(), "median": times.median(), "alone": alone.mean(), "alone median": alone.median()}
    return line | with_errors(ends(times) | means)
