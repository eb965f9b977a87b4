"""One row of numbers for each case of watching every game: how often a `Monitor` is right, and after how many games."""

from functools import lru_cache
from typing import Any

import numpy as np
from scipy import special

from chapters.fair.folklore import SEATS
from gamebalance.base.checks import in_memory, one_of, shown
from gamebalance.base.rounding import meant
from gamebalance.fairness.planning import chances_to_win, games_needed
from gamebalance.fairness.powers import first_enough
from gamebalance.fairness.stopping import stopping_times

#: By the number of seats: chances to win of which one seat has more than the others.
UNFAIR = {
    2: (0.55, 0.45),
    4: SEATS,
    8: (0.195, 0.115, 0.115, 0.115, 0.115, 0.115, 0.115, 0.115),
}
TESTS = ("Wald", "mixture")
TRUTHS = ("fair", "unfair")
#: What the tests promise, and how far from even a chance may be.
LEVEL, POWER, MARGIN = 0.05, 0.8, 0.05


def row(
    players: int, test: str, truth: str, runs: int = 1_000_000, most: int = 10_000, seed: int = 20261122
) -> dict[str, Any]:
    """Runs of games at a table of so many seats, each watched until it is clear.

    `test`: "Wald" for the one against the chances of `UNFAIR`, "mixture" for the one against all; `truth`: whether the
    games are fair or have these chances.

    `unfair`, `fair`, `undecided`: shares of the runs that end so, the last after `most` games; `mean` and `median` of
    the games that are played; with their standard errors, "... error". `fixed`: how many games, fixed beforehand, show
    these chances with the same level and power.
    """
    if players not in UNFAIR:
        raise ValueError(f"players = {shown(players)}: one of {', '.join(map(str, UNFAIR))} is needed")
    named = UNFAIR[players]
    shares = named if one_of("truth", truth, TRUTHS) == "unfair" else (1 / players,) * players
    alternative = named if one_of("test", test, TESTS) == "Wald" else None
    found = stopping_times(shares, alternative, LEVEL, POWER, MARGIN, runs, seed, most)
    line: dict[str, Any] = {"players": players, "test": test, "truth": truth}
    line |= {"shares": " ".join(f"{share:.10g}" for share in shares), "runs": runs, "most": most}
    numbers = {name: found.share(name) for name in ("unfair", "fair", "undecided")}
    numbers |= {"mean": found.mean(), "median": found.median()}
    for name, (value, error) in numbers.items():
        line |= {name: value, f"{name} error": error}
    return line | {"fixed": (games_needed if alternative is None else games_needed_named)(named, POWER, LEVEL)}


@lru_cache(maxsize=16)
def games_needed_named(shares: tuple[float, ...], power: float, level: float) -> int:
    """The smallest fixed number of games at which the most powerful test has this power; exact.

    That is the likelihood ratio of these chances, each with its seat named, against equal ones (Neyman and Pearson
    1933). With lots drawn where it is in doubt, more games never make it worse: so the search starts where that would
    do.
    """
    chances, counts = np.unique(meant(chances_to_win(shares)), return_counts=True)
    fair, gains = counts / counts.sum(), np.log(chances * counts.sum())
    mean, spread = (gains * fair).sum(), np.sqrt((gains**2 * fair).sum() - (gains * fair).sum() ** 2)
    true = chances * counts
    true_mean, true_spread = (gains * true).sum(), np.sqrt((gains**2 * true).sum() - (gains * true).sum() ** 2)
    about = ((special.ndtri(1 - level) * spread + special.ndtri(power) * true_spread) / (true_mean - mean)) ** 2
    in_memory(f"all results of about {about:,.0f} games", 64.0 * about ** (len(fair) - 1))
    games = first_enough(lambda count: _named_power(fair, gains, count, level)[1] >= power, int(about))
    while meant(_named_power(fair, gains, games, level)[0]) < power:
        games += 1
    return games


def _named_power(fair: np.ndarray, gains: np.ndarray, games: int, level: float) -> tuple[float, float]:
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
    found = np.append(0.0, np.cumsum(chance * np.exp(evidence))[last])
    kept = int(np.searchsorted(under, level + 1e-12, side="right")) - 1
    lots = (level - under[kept]) / (under[kept + 1] - under[kept])
    return float(found[kept]), float(found[kept] + lots * (found[kept + 1] - found[kept]))
