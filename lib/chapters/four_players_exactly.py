"""Our numbers beside the Sanguosha report's, in standard errors, and the rule sets of its text and its programs.

Its Monte Carlo numbers come from a million games each; its "exact" numbers are measured by the same errors, the scale
on which the report compares its two methods.
"""

from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
from scipy import stats

from gamebalance.base.workers import for_each
from gamebalance.sanguosha.exact import solve
from gamebalance.sanguosha.lineup import Role, Seating
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.rules import AS_CODED, AS_WRITTEN, MAX_HEALTH
from gamebalance.sanguosha.scoring import winner
from gamebalance.sanguosha.targets import candidates

#: Games behind each of the report's Monte Carlo numbers.
REPORT_GAMES = 1_000_000

#: Columns of the transcribed tables that say how many of each role are alive.
ALIVE = ["lords_alive", "loyalists_alive", "rebels_alive", "renegades_alive"]

#: The programs' rules with one point changed to what the text says: snatch reaches neighbours only (§2.6.2); a
#: snatched weapon goes to the hand and is lost (§4.2.2); a revealed rebel who cannot reach the lord attacks a renegade
#: in reach (§4.2.1); four random cards instead of two dodges (§3, equation 3.2).
SINGLE_CHANGES = {
    "short snatch": replace(AS_CODED, snatch_any_distance=False),
    "weapon lost": replace(AS_CODED, stolen_weapon_equipped=False),
    "renegade attacked": replace(AS_CODED, rebels_attack_renegades=True),
    "four cards": replace(AS_CODED, opening="four cards"),
}

#: Every rule set that is compared, the programs' own first. The text overrides its four cards in §4.1, so that they
#: are not part of "as written".
RULE_SETS = {
    "as coded": AS_CODED,
    **SINGLE_CHANGES,
    "as written": AS_WRITTEN,
    "as written, four cards": replace(AS_WRITTEN, opening="four cards"),
}


def z_score(ours, printed, error, printed_error=0.0, unit=0.0):
    """Difference of numbers, or arrays of them, from printed ones in standard errors.

    It is nan where there is no error to measure by and the numbers differ, and 0 where they are equal. Rounding counts
    as a uniform error as wide as `unit`, that of the last printed digit.
    """
    difference = np.asarray(ours, dtype=float) - printed
    spread = np.sqrt(np.square(error) + np.square(printed_error) + unit**2 / 12)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(difference == 0, 0.0, np.where(spread > 0, difference / spread, np.nan))


def grouped(rows):
    """Rows whose keys are pairs as a frame with two rows of headings."""
    frame = pd.DataFrame(rows)
    return frame.set_axis(pd.MultiIndex.from_tuples(frame.columns), axis=1)


def as_simulated(outcomes):
    """The same distribution as if it came from a million games: the source of standard errors for printed numbers."""
    return Outcomes(outcomes.lineup, outcomes.probability, outcomes.seating, REPORT_GAMES, turns=outcomes.turns)


def rows_of(table, lineup):
    """The rows of one line-up, of a table with a column for the number of each role."""
    return table[(table[["loyalists", "rebels", "renegades"]] == list(lineup.counts[1:])).all(axis=1)]


def printed_outcomes(lineup, printed):
    """The games of one of the Tables 6, 8, …, 22 (columns `ALIVE` and "count") as a simulation of ours would be."""
    counts = {tuple(map(int, row[:4])): int(row[4]) for row in printed[[*ALIVE, "count"]].itertuples(index=False)}
    games = sum(counts.values())
    return Outcomes(lineup, {alive: count / games for alive, count in sorted(counts.items())}, games=games)


def compare_endings(outcomes, printed):
    """Endings per million games, simulated or exact, beside printed counts: a row for each that either saw."""
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
    z = z_score(share, theirs / REPORT_GAMES, error, spread / np.sqrt(REPORT_GAMES))
    numbers = {"printed": theirs, "ours": share * REPORT_GAMES, "s.e.": error * REPORT_GAMES, "difference in s.e.": z}
    return frame.assign(**numbers)


def same_distribution(endings, games):
    """The p-value of a chi-square test that rows of `compare_endings`, `games` of them ours, have one distribution."""
    if games is None:
        share = endings["ours"] / endings["ours"].sum()
        return float(stats.chisquare(endings["printed"], share * endings["printed"].sum()).pvalue)
    ours = np.round(endings["ours"] * games / REPORT_GAMES)
    return float(stats.chi2_contingency([ours, endings["printed"]]).pvalue)


def _beside(title, printed, ours, error, printed_error):
    """Printed values with two decimals beside ours, under one heading."""
    z = z_score(ours, printed, error, printed_error, 0.01)
    columns = {"printed": printed, "ours": ours, "s.e.": error, "difference in s.e.": z}
    return {(title, name): column for name, column in columns.items()}


def compare_roles(outcomes, printed):
    """Survival in percent and expected score of each role, ours beside the four printed rows."""
    report = as_simulated(outcomes)
    survival = 100 * outcomes.survival, 100 * outcomes.survival_error, 100 * report.survival_error
    scores = outcomes.expected_scores(), outcomes.score_error, report.score_error
    columns = {("", "role"): [str(role) for role in Role]}
    columns |= _beside("survival in %", printed["survival_percent"].to_numpy(float), *survival)
    return pd.DataFrame(columns | _beside("expected score", printed["expected_score"].to_numpy(float), *scores))


def compare_measures(results, printed, shared):
    """Bal and Rat of line-ups, ours beside the printed rows, in the same order; Rat under the scoring `shared` too."""
    ours = list(results.values())
    million = list(map(as_simulated, ours))
    bal = np.array([100 * its.balance for its in ours])
    bal_errors = (np.array([100 * its.balance_error for its in games]) for games in (ours, million))
    rat = np.array([its.rationality() for its in ours])
    rat_errors = (np.array([its.rationality_error() for its in games]) for games in (ours, million))
    columns = {("", "players"): [its.lineup.players for its in ours], ("", "line-up"): list(results)}
    columns |= _beside("Bal in %", printed["bal_percent"].to_numpy(), bal, *bal_errors)
    columns |= _beside("Rat", printed["rat"].to_numpy(), rat, *rat_errors)
    return pd.DataFrame(columns | {("Rat", "if shared"): [its.rationality(shared) for its in ours]})


def compare_seatings(printed, exact, error, name):
    """Matrices with a column for each seating: four rows for each of theirs, the index in a first column `name`."""
    z = pd.DataFrame(z_score(exact, printed, error, unit=0.01), index=printed.index, columns=printed.columns)
    blocks = {"printed": printed, "exact": exact, "difference": exact - printed, "difference in s.e.": z}
    stacked = pd.concat(blocks, names=["value", name]).reorder_levels([name, "value"])
    return stacked.loc[[(row, value) for row in printed.index for value in blocks]].reset_index()


def differing_choices(seating, rules, other):
    """Situations (seat to move, health by seat, whether it is armed) in which two rule sets allow other targets."""
    roles = Seating(seating).roles
    differing = []
    for health in product(range(MAX_HEALTH + 1), repeat=len(roles)):
        alive = [role for role, points in zip(roles, health, strict=True) if points]
        if winner(tuple(alive.count(role) for role in Role)):
            continue
        for seat, weapon in product(np.flatnonzero(health).tolist(), (False, True)):
            if candidates(seat, roles, health, weapon, rules) != candidates(seat, roles, health, weapon, other):
                differing.append((seat, health, weapon))
    return differing


def solve_rule_sets(seatings, workers=1, progress=None):
    """Solve seatings exactly under each of `RULE_SETS`: outcomes by rule set, then by seating."""
    chains, model = {}, {}
    for seating in map(Seating, seatings):
        for name, rules in RULE_SETS.items():
            calm = replace(rules, rebels_attack_renegades=False)
            chain = seating, rules if differing_choices(seating, rules, calm) else calm
            model[name, seating] = chain
            chains.setdefault(chain, rules)
    solved = for_each(chains, lambda chain: solve(chain[0], chains[chain]), workers, progress=progress)
    return {name: {seating: solved[model[name, seating]] for seating in map(Seating, seatings)} for name in RULE_SETS}
