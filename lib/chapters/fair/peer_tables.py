"""A monitor beside savvi's e-values, the same games for both; and in blocks with rotated seats beside games one by one.

savvi 0.3.1 (Lindon and Malek, "Anytime-valid inference for multinomial count data", NeurIPS 2022), with its defaults:
a Dirichlet distribution whose parameters sum to 100 about equal chances. Its rule is written here again in two lines; a
test compares it with the package.
"""

from typing import Any

import numpy as np
from scipy import special

from chapters.fair.folklore import SEATS
from chapters.fair.monitor_tables import LEVEL, MARGIN, POWER, TRUTHS, UNFAIR
from gamebalance.base.checks import one_of, whole_number
from gamebalance.fairness import bets
from gamebalance.fairness.rotation import spread_of
from gamebalance.fairness.stopping import StoppingTimes, stopping_times

VERSION, CONCENTRATION = "savvi 0.3.1", 100.0
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


def row(truth: str, runs: int = 4000, seed: int = 20261127, most: int = 6000) -> dict[str, Any]:
    """Median and mean number of games until each finds the game unfair at the 5% level, with standard errors."""
    ours, savvi = first_passages(GAMES[one_of("truth", truth, GAMES)], runs, seed, most)
    found: dict[str, Any] = {"truth": truth, "runs": runs, "seed": seed, "peer": VERSION}
    for name, games in (("ours", ours), ("savvi", savvi)):
        ended = np.zeros((3, most + 1), np.int64)
        np.add.at(ended[1], games, 1)
        times = StoppingTimes(ended)
        found[name], found[f"{name} error"] = times.median()
        found[f"{name} mean"], found[f"{name} mean error"] = times.mean()
    return found


def first_passages(shares, runs: int, seed: int, most: int) -> tuple[np.ndarray, np.ndarray]:
    """After how many games of each run the evidence first reaches 1 / `LEVEL`, ours and savvi's; `most` at most."""
    random, groups = np.random.default_rng(seed), len(shares)
    games, bound = np.arange(1, whole_number("most", most, 1) + 1), np.log(1 / LEVEL) - 1e-9
    found = np.empty((2, runs), np.int64)
    for run in range(runs):
        winners = random.choice(groups, most, p=shares)
        wins = np.cumsum(winners[:, None] == np.arange(groups), axis=0)
        mine = [log_part(wins, games, own, True) + np.log(weight) for weight, own in bets.parts(groups)]
        for each, evidence in enumerate((np.logaddexp(*mine), log_part(wins, games, CONCENTRATION / groups))):
            reached = evidence >= bound
            found[each, run] = games[reached.argmax()] if reached.any() else most
    return found[0], found[1]


def log_part(wins: np.ndarray, games: np.ndarray, own: float, squared: bool = False) -> np.ndarray:
    """Logarithm of the evidence by a Dirichlet distribution, times the squared distance from even chances or not."""
    groups, total = wins.shape[1], own * wins.shape[1]
    rising = special.gammaln(own + wins).sum(axis=1) - groups * special.gammaln(own)
    found = rising - special.gammaln(total + games) + special.gammaln(total) + games * np.log(groups)
    if not squared:
        return found
    mean, even = (own + wins) / (total + games)[:, None], 1 / groups
    apart = (mean * (1 - mean)).sum(axis=1) / (total + games + 1) + np.square(mean - even).sum(axis=1)
    return found + np.log(apart) - np.log((1 - even) / (total + 1))


def block_row(
    players: int, stronger: float, truth: str, runs: int = 1_000_000, most: int = 10_000, seed: int = 20261127
) -> dict[str, Any]:
    """Games in blocks in which the same players sit in each seat once, the stronger of two winning so often.

    `unfair`, `fair`, `mean`, `median` as in `monitor_tables.row`, of the games of all blocks, with standard errors;
    `alone`: the mean number of games where each has new players, from as many runs as make a chunk.
    """
    shares = UNFAIR[players] if one_of("truth", truth, TRUTHS) == "unfair" else (1 / players,) * players
    watched = (None, LEVEL, POWER, MARGIN)
    found = stopping_times(shares, *watched, runs, seed, most, rotated=spread_of(stronger))
    alone = stopping_times(shares, *watched, min(runs, 100_000), seed, most)
    line: dict[str, Any] = {"players": players, "stronger": stronger, "truth": truth, "runs": runs, "most": most}
    numbers = {name: found.share(name) for name in ("unfair", "fair", "undecided")}
    numbers |= {"mean": found.mean(), "median": found.median(), "alone": alone.mean(), "alone median": alone.median()}
    for name, (value, error) in numbers.items():
        line |= {name: value, f"{name} error": error}
    return line
