"""Chi-square tests of simulations against exact solutions, and what differences between them games exclude."""

import numpy as np
import pandas as pd
from scipy import stats

from chapters.four_players_exactly import as_simulated, z_score
from gamebalance.base.intervals import interval
from gamebalance.sanguosha.lineup import Role

#: Fewest games expected of each ending, or group of endings, in a chi-square test.
LEAST_EXPECTED = 5

#: Confidence with which all bounds of `excluded_differences` hold together.
LEVEL = 0.95


def pooled_counts(exact, simulated):
    """Expected and observed numbers of each ending; ValueError if an impossible one was seen."""
    if impossible := set(simulated.probability) - set(exact.probability):
        raise ValueError(f"simulated endings {sorted(impossible)} are impossible by the exact solution")
    counts = simulated.counts
    cells = sorted((share * simulated.games, counts.get(alive, 0)) for alive, share in exact.probability.items())
    while len(cells) > 1 and cells[0][0] < LEAST_EXPECTED:
        (first, one), (second, two), *rest = cells
        cells = sorted([(first + second, one + two), *rest])
    return tuple(map(np.array, zip(*cells, strict=True)))


def chi_square_tests(exact, simulated):
    """Pearson's test of each simulation against the exact solution, and of all together, by seating and then "all"."""
    rows = []
    for seating, outcomes in simulated.items():
        expected, observed = pooled_counts(exact[seating], outcomes)
        result = stats.chisquare(observed, expected * observed.sum() / expected.sum())
        rows.append((seating, outcomes.games, len(observed), len(observed) - 1, result.statistic, result.pvalue))
    tests = pd.DataFrame(rows, columns=["seating", "games", "endings", "degrees of freedom", "chi-square", "p-value"])
    total = tests.sum(numeric_only=True)
    total["p-value"] = stats.chi2.sf(total["chi-square"], total["degrees of freedom"])
    return pd.concat([tests, total.to_frame().T.assign(seating="all")], ignore_index=True).astype(
        dict.fromkeys(["games", "endings", "degrees of freedom"], int)
    )


def compare_methods(transfer, monte_carlo, exact, simulated):
    """The report's Table 5, the rows of either method, beside ours: a row for each quantity."""
    transfer, monte_carlo = (
        np.concatenate([rows["survival_percent"], rows["expected_score"], rows[["bal_percent", "rat"]].iloc[0]])
        for rows in (transfer, monte_carlo)
    )
    ours, played = (
        _quantities(its.survival, its.expected_scores(), its.balance, its.rationality()) for its in (exact, simulated)
    )
    error, million = (
        _quantities(its.survival_error, its.score_error, its.balance_error, its.rationality_error())
        for its in (simulated, as_simulated(exact))
    )
    names = [f"{role.english.lower()} {what}" for what in ("alive in %", "score") for role in Role]
    columns = {
        ("", "quantity"): [*names, "Bal in %", "Rat"],
        ("Sanguosha report", "exact"): transfer,
        ("Sanguosha report", "simulated"): monte_carlo,
        ("Sanguosha report", "difference in s.e."): z_score(transfer, monte_carlo, million, unit=0.01),
        ("ours", "exact"): ours,
        ("ours", "simulated"): played,
        ("ours", "s.e."): error,
        ("ours", "difference in s.e."): z_score(played, ours, error),
        ("Sanguosha report from ours, in s.e.", "exact"): z_score(transfer, ours, million, unit=0.01),
        ("Sanguosha report from ours, in s.e.", "simulated"): z_score(monte_carlo, ours, million, unit=0.01),
    }
    return pd.DataFrame(columns)


def _quantities(survival, scores, bal, rat):
    return np.concatenate([100 * survival, scores, [100 * bal, rat]])


def excluded_differences(exact, simulated):
    """By seating, the largest difference of an ending's probability, in percentage points, that games do not exclude.

    A test that finds no difference does not say how large one could be. So each ending gets a Clopper-Pearson interval
    for its probability in the simulator, wide enough (Bonferroni) that all of them hold together with confidence
    `LEVEL`; the bound is the farthest end of it from the exact probability. An ending that only the simulation has seen
    has the exact probability 0. The second value is how many endings there are.
    """
    endings = {seating: sorted({*exact[seating].probability, *simulated[seating].probability}) for seating in exact}
    total = sum(map(len, endings.values()))
    points = {}
    for seating, alive in endings.items():
        counts, games = simulated[seating].counts, simulated[seating].games
        truth = np.array([exact[seating].probability.get(ending, 0.0) for ending in alive])
        low, high = interval([counts.get(ending, 0) for ending in alive], games, 1 - (1 - LEVEL) / total)
        points[seating] = 100 * float(np.maximum(high - truth, truth - low).max())
    return points, total
