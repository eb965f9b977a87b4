"""Our numbers beside printed ones: difference, and difference in standard errors.

The report's Monte Carlo numbers come from a million games each, so they have standard errors of their own, which follow
from our probabilities. Its "exact" numbers have none; there the unit is the standard error that a simulation of a
million games would have, the scale on which the report compares its two methods.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from gamebalance.base.intervals import interval
from gamebalance.sanguosha.lineup import Lineup, Role
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.scoring import Scoring

#: Games behind each of the report's Monte Carlo numbers.
REPORT_GAMES = 1_000_000

#: Fewest games expected of each ending, or group of endings, in a chi-square test.
LEAST_EXPECTED = 5

#: Confidence with which all bounds of `excluded_differences` hold together.
LEVEL = 0.95

#: Columns of the transcribed tables that say how many of each role are alive.
ALIVE = ["lords_alive", "loyalists_alive", "rebels_alive", "renegades_alive"]


def z_score(ours, printed, error, printed_error=0.0, unit=0.0):
    """Difference of numbers, or arrays of them, from printed ones in standard errors.

    It is nan where there is no error to measure by and the numbers differ, and 0 where they are equal. Rounding counts
    as a uniform error as wide as `unit`, that of the last printed digit.
    """
    difference = np.asarray(ours, dtype=float) - printed
    spread = np.sqrt(np.square(error) + np.square(printed_error) + unit**2 / 12)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(difference == 0, 0.0, np.where(spread > 0, difference / spread, np.nan))


def grouped(rows: Iterable[Mapping[tuple[str, str], Any]]) -> pd.DataFrame:
    """Rows whose keys are pairs as a frame with two rows of headings."""
    frame = pd.DataFrame(rows)
    return frame.set_axis(pd.MultiIndex.from_tuples(frame.columns), axis=1)


def as_simulated(outcomes: Outcomes) -> Outcomes:
    """The same distribution as if it came from a million games: the source of standard errors for printed numbers."""
    return Outcomes(outcomes.lineup, outcomes.probability, outcomes.seating, REPORT_GAMES, turns=outcomes.turns)


def rows_of(table: pd.DataFrame, lineup: Lineup) -> pd.DataFrame:
    """The rows of one line-up, of a table with a column for the number of each role."""
    return table[(table[["loyalists", "rebels", "renegades"]] == list(lineup.counts[1:])).all(axis=1)]


def printed_outcomes(lineup: Lineup, printed: pd.DataFrame) -> Outcomes:
    """The games of one of the Tables 6, 8, …, 22 (columns `ALIVE` and "count") as a simulation of ours would be."""
    counts = {tuple(map(int, row[:4])): int(row[4]) for row in printed[[*ALIVE, "count"]].itertuples(index=False)}
    games = sum(counts.values())
    return Outcomes(lineup, {alive: count / games for alive, count in sorted(counts.items())}, games=games)


def compare_endings(outcomes: Outcomes, printed: pd.DataFrame) -> pd.DataFrame:
    """Endings per million games, simulated or exact, beside the printed counts (columns `ALIVE` and "count").

    A row for each ending that either side has seen; "s.e." is that of ours, "difference in s.e." has that of both.
    """
    counts = printed_outcomes(outcomes.lineup, printed).counts
    endings = sorted(set(counts) | set(outcomes.probability))
    share = np.array([outcomes.probability.get(alive, 0.0) for alive in endings])
    theirs = np.array([counts.get(alive, 0) for alive in endings])
    # An ending that only the report has seen gets its standard error from the printed count.
    base = np.where(share > 0, share, theirs / REPORT_GAMES)
    spread = np.sqrt(base * (1 - base))
    error = spread / np.sqrt(outcomes.games) if outcomes.games else np.zeros_like(spread)
    error[share > 0] = outcomes.results.standard_error(np.eye(len(outcomes.probability)))
    frame = pd.DataFrame(endings, columns=["lord", "loyalists", "rebels", "renegades"])
    frame["printed"] = theirs
    frame["ours"] = share * REPORT_GAMES
    frame["s.e."] = error * REPORT_GAMES
    frame["difference in s.e."] = z_score(share, theirs / REPORT_GAMES, error, spread / np.sqrt(REPORT_GAMES))
    return frame


def same_distribution(endings: pd.DataFrame, games: int | None) -> float:
    """The p-value of a chi-square test that rows of `compare_endings`, `games` of them ours, have one distribution.

    None: ours is exact. Games with exact endgames count as so many that are played to their end, and more.
    """
    if games is None:
        share = endings["ours"] / endings["ours"].sum()
        return float(stats.chisquare(endings["printed"], share * endings["printed"].sum()).pvalue)
    ours = np.round(endings["ours"] * games / REPORT_GAMES)
    return float(stats.chi2_contingency([ours, endings["printed"]]).pvalue)


def _beside(title: str, printed, ours, error, printed_error) -> dict[tuple[str, str], np.ndarray]:
    """Printed values with two decimals beside ours, under one heading."""
    return {
        (title, "printed"): printed,
        (title, "ours"): ours,
        (title, "s.e."): error,
        (title, "difference in s.e."): z_score(ours, printed, error, printed_error, 0.01),
    }


def compare_roles(outcomes: Outcomes, printed: pd.DataFrame) -> pd.DataFrame:
    """Survival in percent and expected score of each role, ours beside the printed values.

    `printed` has four rows in the order of `Role` and columns ``survival_percent``, ``expected_score``.
    """
    report = as_simulated(outcomes)
    survival = 100 * outcomes.survival, 100 * outcomes.survival_error, 100 * report.survival_error
    scores = outcomes.expected_scores(), outcomes.score_error, report.score_error
    return pd.DataFrame(
        {
            ("", "role"): [str(role) for role in Role],
            **_beside("survival in %", printed["survival_percent"].to_numpy(float), *survival),
            **_beside("expected score", printed["expected_score"].to_numpy(float), *scores),
        }
    )


def compare_measures(results: dict[str, Outcomes], printed: pd.DataFrame, shared: Scoring) -> pd.DataFrame:
    """Bal and Rat of several line-ups, ours beside the printed values.

    `results` are by line-up, in the order of the printed rows, which have columns ``bal_percent``, ``rat``; `shared` is
    a second scoring whose Rat is shown beside that of the report's.
    """
    ours = list(results.values())
    million = list(map(as_simulated, ours))
    bal = np.array([100 * its.balance for its in ours])
    bal_errors = (np.array([100 * its.balance_error for its in games]) for games in (ours, million))
    rat = np.array([its.rationality() for its in ours])
    rat_errors = (np.array([its.rationality_error() for its in games]) for games in (ours, million))
    return pd.DataFrame(
        {
            ("", "players"): [its.lineup.players for its in ours],
            ("", "line-up"): list(results),
            **_beside("Bal in %", printed["bal_percent"].to_numpy(), bal, *bal_errors),
            **_beside("Rat", printed["rat"].to_numpy(), rat, *rat_errors),
            ("Rat", "if shared"): [its.rationality(shared) for its in ours],
        }
    )


def compare_seatings(printed: pd.DataFrame, exact: pd.DataFrame, error: pd.DataFrame, name: str) -> pd.DataFrame:
    """Matrices with a column for each seating: four rows for each of theirs, the index in a first column `name`.

    `error` has the standard errors that a million games would give, zero where nothing can vary. The printed values'
    two decimals count as a further error.
    """
    blocks = {"printed": printed, "exact": exact, "difference": exact - printed}
    blocks["difference in s.e."] = pd.DataFrame(
        z_score(exact, printed, error, unit=0.01), index=printed.index, columns=printed.columns
    )
    stacked = pd.concat(blocks, names=["value", name]).reorder_levels([name, "value"])
    order = [(row, value) for row in printed.index for value in blocks]
    return stacked.loc[order].reset_index()


def pooled_counts(exact: Outcomes, simulated: Outcomes) -> tuple[np.ndarray, np.ndarray]:
    """Expected and observed numbers of each ending, for a chi-square test; ValueError if an impossible one was seen.

    Endings expected less often than `LEAST_EXPECTED` are pooled into one, which joins the rarest other
    if it is still below.
    """
    impossible = set(simulated.probability) - set(exact.probability)
    if impossible:
        raise ValueError(f"simulated endings {sorted(impossible)} are impossible by the exact solution")
    counts = simulated.counts
    cells = sorted((share * simulated.games, counts.get(alive, 0)) for alive, share in exact.probability.items())
    while len(cells) > 1 and cells[0][0] < LEAST_EXPECTED:
        (first, one), (second, two), *rest = cells
        cells = sorted([(first + second, one + two), *rest])
    expected, observed = zip(*cells, strict=True)
    return np.array(expected), np.array(observed)


def ending_deviations(exact: Outcomes, simulated: Outcomes) -> pd.DataFrame:
    """Simulated minus exact probability of each ending in standard errors; columns "alive" and "in s.e."."""
    share = np.array(list(exact.probability.values()))
    seen = np.array([simulated.probability.get(alive, 0.0) for alive in exact.probability])
    error = np.sqrt(share * (1 - share) / simulated.games)
    alive = ["".join(map(str, ending)) for ending in exact.probability]
    return pd.DataFrame({"alive": alive, "in s.e.": z_score(seen, share, error)})


def compare_methods(printed: dict[str, pd.DataFrame], exact: Outcomes, simulated: Outcomes) -> pd.DataFrame:
    """The report's Table 5 beside ours: a row for each quantity.

    `printed` has ``probability_transfer`` and ``monte_carlo``, each with four rows in the order of `Role` and columns
    ``survival_percent``, ``expected_score``, ``bal_percent``, ``rat``.
    """
    transfer, monte_carlo = (
        np.concatenate([frame["survival_percent"], frame["expected_score"], frame[["bal_percent", "rat"]].iloc[0]])
        for frame in (printed["probability_transfer"], printed["monte_carlo"])
    )
    ours, played = _quantities(exact), _quantities(simulated)
    error, million = _quantity_errors(simulated), _quantity_errors(as_simulated(exact))
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


def _quantities(outcomes: Outcomes) -> np.ndarray:
    """Survival in percent, scores, Bal in percent and Rat, shape (10,)."""
    measures = [100 * outcomes.balance, outcomes.rationality()]
    return np.concatenate([100 * outcomes.survival, outcomes.expected_scores(), measures])


def _quantity_errors(outcomes: Outcomes) -> np.ndarray:
    """Standard errors of `_quantities`."""
    measures = [100 * outcomes.balance_error, outcomes.rationality_error()]
    return np.concatenate([100 * outcomes.survival_error, outcomes.score_error, measures])


def chi_square_tests(exact: dict[str, Outcomes], simulated: dict[str, Outcomes]) -> pd.DataFrame:
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


def printed_deviations(exact: dict[str, Outcomes], printed: pd.DataFrame) -> pd.DataFrame:
    """The report's Table 1 minus the exact probability by seating, in the standard errors of a million games.

    `printed` has columns ``seating``, ``alive_pattern``, ``probability_percent``; the result is as `ending_deviations`,
    and the seating.
    """
    places = zip(printed["seating"], printed["alive_pattern"], strict=True)
    share = np.array([exact[seating].probability.get(tuple(map(int, alive)), 0.0) for seating, alive in places])
    error = np.sqrt(share * (1 - share) / REPORT_GAMES)
    deviation = z_score(printed["probability_percent"] / 100, share, 0, error, unit=1e-4)
    return pd.DataFrame({"alive": printed["alive_pattern"], "in s.e.": deviation, "seating": printed["seating"]})


class Excluded(NamedTuple):
    """What games exclude about the difference between a simulator and an exact solution.

    `points`, by seating, is the largest difference of an ending's probability, in percentage points, that is not
    excluded; the confidence holds for all `endings` of all seatings together. `standard_errors` says how far apart one
    ending must be for that; the intervals themselves are exact.
    """

    points: dict[str, float]
    endings: int
    standard_errors: float


def excluded_differences(exact: Mapping[str, Outcomes], simulated: Mapping[str, Outcomes]) -> Excluded:
    """The differences between exact and simulated probabilities, by seating, that the games exclude.

    A test that finds no difference does not say how large one could be. So each ending gets a Clopper-Pearson interval
    for its probability in the simulator, wide enough (Bonferroni) that all of them hold together with confidence
    `LEVEL`; the bound is the farthest end of it from the exact probability. An ending that only the simulation has seen
    has the exact probability 0.
    """
    if set(exact) != set(simulated):
        raise ValueError(f"simulated = {', '.join(simulated)}: the seatings of exact, {', '.join(exact)}, are needed")
    endings = {seating: sorted({*exact[seating].probability, *simulated[seating].probability}) for seating in exact}
    total = sum(map(len, endings.values()))
    points = {}
    for seating, alive in endings.items():
        counts, games = simulated[seating].counts, simulated[seating].games
        truth = np.array([exact[seating].probability.get(ending, 0.0) for ending in alive])
        low, high = interval([counts.get(ending, 0) for ending in alive], games, 1 - (1 - LEVEL) / total)
        points[seating] = 100 * float(np.maximum(high - truth, truth - low).max())
    return Excluded(points, total, float(stats.norm.isf((1 - LEVEL) / 2 / total)))
