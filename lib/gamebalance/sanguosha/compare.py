"""Our numbers beside printed ones: difference, and difference in standard errors.

The report's Monte Carlo numbers come from a million games each, so they have standard errors of their own, which follow
from our probabilities. Its "exact" numbers have none; there the unit is the standard error that a simulation of a
million games would have, the scale on which the report compares its two methods.
"""

import numpy as np
import pandas as pd
from scipy import stats

from gamebalance.sanguosha.lineup import Lineup, Role
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.scoring import REPORT_SCORING, Scoring

#: Games behind each of the report's Monte Carlo numbers.
REPORT_GAMES = 1_000_000

#: Columns of the transcribed tables that say how many of each role are alive.
ALIVE = ["lords_alive", "loyalists_alive", "rebels_alive", "renegades_alive"]


def z_score(ours, printed, error, printed_error=0.0, unit=0.0):
    """Difference from a printed number in standard errors.

    Parameters
    ----------
    ours, printed, error, printed_error : array_like
        Both numbers and their standard errors.
    unit : float
        The last printed digit's unit; rounding counts as a uniform error of that width.

    Returns
    -------
    ndarray
        nan where there is no error to measure by and the numbers differ; 0 where they are equal.
    """
    difference = np.asarray(ours, dtype=float) - printed
    spread = np.sqrt(np.square(error) + np.square(printed_error) + unit**2 / 12)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(difference == 0, 0.0, np.where(spread > 0, difference / spread, np.nan))


def as_simulated(outcomes: Outcomes, games: int = REPORT_GAMES) -> Outcomes:
    """The same distribution as if it came from `games` games: the source of standard errors for printed numbers."""
    return Outcomes(outcomes.lineup, outcomes.probability, outcomes.seating, games, turns=outcomes.turns)


def printed_outcomes(lineup: Lineup, printed: pd.DataFrame) -> Outcomes:
    """The report's games of a line-up as a simulation of ours would be.

    Parameters
    ----------
    lineup : Lineup
    printed : DataFrame
        Columns ``lords_alive``, ``loyalists_alive``, ``rebels_alive``, ``renegades_alive``, ``count``: one of the
        Tables 6, 8, …, 22.
    """
    counts = {tuple(map(int, row[:4])): int(row[4]) for row in printed[[*ALIVE, "count"]].itertuples(index=False)}
    games = sum(counts.values())
    return Outcomes(lineup, {alive: count / games for alive, count in sorted(counts.items())}, games=games)


def compare_endings(outcomes: Outcomes, printed: pd.DataFrame) -> pd.DataFrame:
    """Endings per million games, ours beside the printed counts.

    Parameters
    ----------
    outcomes : Outcomes
        Simulated or exact.
    printed : DataFrame
        Columns ``lords_alive``, ``loyalists_alive``, ``rebels_alive``, ``renegades_alive``, ``count``.

    Returns
    -------
    DataFrame
        A row for each ending that either side has seen; columns lord, loyalists, rebels, renegades (numbers alive),
        printed, ours, s.e. (of ours) and difference in s.e. (of the difference).
    """
    counts = printed_outcomes(outcomes.lineup, printed).counts
    endings = sorted(set(counts) | set(outcomes.probability))
    share = np.array([outcomes.probability.get(alive, 0.0) for alive in endings])
    theirs = np.array([counts.get(alive, 0) for alive in endings])
    # An ending that only the report has seen gets its standard error from the printed count.
    base = np.where(share > 0, share, theirs / REPORT_GAMES)
    spread = np.sqrt(base * (1 - base))
    error = spread / np.sqrt(outcomes.games) if outcomes.games else np.zeros_like(spread)
    frame = pd.DataFrame(endings, columns=["lord", "loyalists", "rebels", "renegades"])
    frame["printed"] = theirs
    frame["ours"] = share * REPORT_GAMES
    frame["s.e."] = error * REPORT_GAMES
    frame["difference in s.e."] = z_score(share, theirs / REPORT_GAMES, error, spread / np.sqrt(REPORT_GAMES))
    return frame


def same_distribution(endings: pd.DataFrame, games: int) -> float:
    """Chi-square test that our endings and the printed ones have one distribution.

    Parameters
    ----------
    endings : DataFrame
        From `compare_endings` of a simulation.
    games : int
        Games of that simulation.

    Returns
    -------
    float
        The p-value of the test of homogeneity.
    """
    ours = np.round(endings["ours"] * games / REPORT_GAMES)
    return float(stats.chi2_contingency([ours, endings["printed"]]).pvalue)


def compare_roles(outcomes: Outcomes, printed: pd.DataFrame, scoring: Scoring = REPORT_SCORING) -> pd.DataFrame:
    """Survival in percent and expected score of each role, ours beside the printed values.

    Parameters
    ----------
    outcomes : Outcomes
    printed : DataFrame
        Four rows in the order of `Role`; columns ``survival_percent``, ``expected_score``.
    scoring : Scoring

    Returns
    -------
    DataFrame
        Two levels of columns: role; survival in % and expected score, each with printed, ours, s.e. and difference in
        s.e.
    """
    report = as_simulated(outcomes)
    survival = (100 * outcomes.survival, 100 * outcomes.survival_error, 100 * report.survival_error)
    score = (
        outcomes.expected_scores(scoring),
        outcomes.expected_score_errors(scoring),
        report.expected_score_errors(scoring),
    )
    columns = {("", "role"): [str(role) for role in Role]}
    for title, column, (ours, error, printed_error) in (
        ("survival in %", "survival_percent", survival),
        ("expected score", "expected_score", score),
    ):
        theirs = printed[column].to_numpy(float)
        columns |= {
            (title, "printed"): theirs,
            (title, "ours"): ours,
            (title, "s.e."): error,
            (title, "difference in s.e."): z_score(ours, theirs, error, printed_error, 0.01),
        }
    frame = pd.DataFrame(columns)
    frame.columns = pd.MultiIndex.from_tuples(frame.columns)
    return frame


def compare_measures(results: dict[str, Outcomes], printed: pd.DataFrame, shared: Scoring) -> pd.DataFrame:
    """Bal and Rat of several line-ups, ours beside the printed values.

    Parameters
    ----------
    results : dict of str to Outcomes
        By line-up, in the order of the printed rows.
    printed : DataFrame
        Columns ``bal_percent``, ``rat``.
    shared : Scoring
        A second scoring whose Rat is shown beside that of the report's.
    """
    rows = []
    for (name, outcomes), (bal, rat) in zip(
        results.items(), printed[["bal_percent", "rat"]].itertuples(index=False), strict=True
    ):
        report = as_simulated(outcomes)
        balance, balance_error = 100 * outcomes.balance, 100 * outcomes.balance_error
        reasonable, error = outcomes.rationality(), outcomes.rationality_error()
        rows.append(
            {
                ("", "players"): outcomes.lineup.players,
                ("", "line-up"): name,
                ("Bal in %", "printed"): bal,
                ("Bal in %", "ours"): balance,
                ("Bal in %", "s.e."): balance_error,
                ("Bal in %", "difference in s.e."): float(
                    z_score(balance, bal, balance_error, 100 * report.balance_error, 0.01)
                ),
                ("Rat", "printed"): rat,
                ("Rat", "ours"): reasonable,
                ("Rat", "s.e."): error,
                ("Rat", "difference in s.e."): float(z_score(reasonable, rat, error, report.rationality_error(), 0.01)),
                ("Rat", "if shared"): outcomes.rationality(shared),
            }
        )
    frame = pd.DataFrame(rows)
    frame.columns = pd.MultiIndex.from_tuples(frame.columns)
    return frame


def compare_seatings(printed: pd.DataFrame, exact: pd.DataFrame, error: pd.DataFrame, name: str) -> pd.DataFrame:
    """Matrices with a column for each seating: four rows for each of theirs.

    Parameters
    ----------
    printed, exact : DataFrame
        Same index and columns.
    error : DataFrame
        Standard errors that a million games would give; zero where nothing can vary. The printed values' two decimals
        count as a further error.
    name : str
        Title of the first column, which holds the index.

    Returns
    -------
    DataFrame
        Column `name`, column "value" (printed, exact, difference, in s.e.), then the columns of `printed`.
    """
    blocks = {"printed": printed, "exact": exact, "difference": exact - printed}
    blocks["difference in s.e."] = pd.DataFrame(
        z_score(exact, printed, error, unit=0.01), index=printed.index, columns=printed.columns
    )
    stacked = pd.concat(blocks, names=["value", name]).reorder_levels([name, "value"])
    order = [(row, value) for row in printed.index for value in blocks]
    return stacked.loc[order].reset_index()


def pooled_counts(exact: Outcomes, simulated: Outcomes, least: float = 5.0) -> tuple[np.ndarray, np.ndarray]:
    """Expected and observed numbers of each ending, for a chi-square test.

    Parameters
    ----------
    exact, simulated : Outcomes
    least : float
        Endings expected less often are pooled into one, which joins the rarest other if it is still below.

    Returns
    -------
    expected, observed : ndarray, shape (cells,)

    Raises
    ------
    ValueError
        If the simulation has seen an ending that is impossible.
    """
    impossible = set(simulated.probability) - set(exact.probability)
    if impossible:
        raise ValueError(f"simulated endings {sorted(impossible)} are impossible by the exact solution")
    counts = simulated.counts
    cells = sorted((share * simulated.games, counts.get(alive, 0)) for alive, share in exact.probability.items())
    while len(cells) > 1 and cells[0][0] < least:
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
    """The report's Table 5 beside ours.

    Parameters
    ----------
    printed : dict of str to DataFrame
        ``probability_transfer`` and ``monte_carlo``: four rows each in the order of `Role`, with columns
        ``survival_percent``, ``expected_score``, ``bal_percent``, ``rat``.
    exact, simulated : Outcomes

    Returns
    -------
    DataFrame
        A row for each quantity; two levels of columns: the report's two methods and their difference in s.e., ours with
        standard error and difference, and the report's distances from our exact solution.
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
        ("report", "exact"): transfer,
        ("report", "simulated"): monte_carlo,
        ("report", "difference in s.e."): z_score(transfer, monte_carlo, million, unit=0.01),
        ("ours", "exact"): ours,
        ("ours", "simulated"): played,
        ("ours", "s.e."): error,
        ("ours", "difference in s.e."): z_score(played, ours, error),
        ("report from ours, in s.e.", "exact"): z_score(transfer, ours, million, unit=0.01),
        ("report from ours, in s.e.", "simulated"): z_score(monte_carlo, ours, million, unit=0.01),
    }
    frame = pd.DataFrame(columns)
    frame.columns = pd.MultiIndex.from_tuples(frame.columns)
    return frame


def _quantities(outcomes: Outcomes) -> np.ndarray:
    """Survival in percent, scores, Bal in percent and Rat, shape (10,)."""
    measures = [100 * outcomes.balance, outcomes.rationality()]
    return np.concatenate([100 * outcomes.survival, outcomes.expected_scores(), measures])


def _quantity_errors(outcomes: Outcomes) -> np.ndarray:
    """Standard errors of `_quantities`."""
    measures = [100 * outcomes.balance_error, outcomes.rationality_error()]
    return np.concatenate([100 * outcomes.survival_error, outcomes.score_error, measures])


def chi_square_tests(exact: dict[str, Outcomes], simulated: dict[str, Outcomes]) -> pd.DataFrame:
    """Pearson's test of each simulation against the exact solution, and of all of them together.

    Parameters
    ----------
    exact, simulated : dict of str to Outcomes
        By seating, with the same keys.

    Returns
    -------
    DataFrame
        A row for each seating and one for "all": games, endings (after pooling), degrees of freedom, chi-square and
        p-value.
    """
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
    """The report's Table 1 minus the exact probability, in the standard errors of a million games.

    Parameters
    ----------
    exact : dict of str to Outcomes
        By seating.
    printed : DataFrame
        Columns ``seating``, ``alive_pattern``, ``probability_percent``.

    Returns
    -------
    DataFrame
        Columns "alive", "in s.e." and "seating", as `ending_deviations` with a seating.
    """
    places = zip(printed["seating"], printed["alive_pattern"], strict=True)
    share = np.array([exact[seating].probability.get(tuple(map(int, alive)), 0.0) for seating, alive in places])
    error = np.sqrt(share * (1 - share) / REPORT_GAMES)
    deviation = z_score(printed["probability_percent"] / 100, share, 0, error, unit=1e-4)
    return pd.DataFrame({"alive": printed["alive_pattern"], "in s.e.": deviation, "seating": printed["seating"]})
