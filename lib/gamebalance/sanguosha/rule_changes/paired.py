"""The same games under several rule sets, and the effect of a change with its standard error.

Rule sets are compared on common random numbers: game i of a seed draws the same words under every rule set, so the
chance that two rule sets share cancels in their difference. The standard error comes from batches of games. Only the
opening of four cards spoils this: it draws a word for each player, which shifts all later words of the game.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gamebalance._checks import check_seed, check_workers, whole_number
from gamebalance.metrics import balance, rationality
from gamebalance.sanguosha.compare import z_score
from gamebalance.sanguosha.lineup import Lineup, Role
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.rule_changes.sets import check_names, check_rule_sets
from gamebalance.sanguosha.rules import Rules
from gamebalance.sanguosha.scoring import Alive
from gamebalance.sanguosha.simulate import simulate

#: What is measured under a rule set, in this order: survival (a share), Bal, expected scores in points, Rat.
MEASURES = (
    *(f"{role.english.lower()} alive" for role in Role),
    "Bal",
    *(f"{role.english.lower()} score" for role in Role),
    "Rat",
)

BAL, RAT = MEASURES.index("Bal"), MEASURES.index("Rat")

#: More batches tell no more of a standard error.
MOST_BATCHES = 100_000
#: Factors that turn shares into percent, by measure.
PERCENT = np.array([100.0] * (BAL + 1) + [1.0] * (RAT - BAL))


def measures(outcomes: Outcomes) -> np.ndarray:
    """Survival, Bal, expected scores and Rat under one rule set.

    Parameters
    ----------
    outcomes : Outcomes
        Of a line-up in which every role is held.

    Returns
    -------
    ndarray, shape (10,)
        In the order of `MEASURES`.

    Raises
    ------
    ValueError
        If nobody holds one of the roles: Bal and Rat compare all four.
    """
    survival, scores = outcomes.survival, outcomes.expected_scores()
    return np.array([*survival, balance(survival), *scores, rationality(scores)])


def measure_errors(outcomes: Outcomes) -> np.ndarray:
    """Standard errors of `measures` by the delta method, shape (10,); zeros when exact."""
    return np.array(
        [*outcomes.survival_error, outcomes.balance_error, *outcomes.score_error, outcomes.rationality_error()]
    )


@dataclass(frozen=True)
class Effect:
    """A contrast of rule sets with its standard error; arrays of shape (10,), in the order of `MEASURES`.

    Parameters
    ----------
    value : ndarray
        The contrast.
    error : ndarray
        Its standard error with the pairing, by the delete-one-batch jackknife; zeros when exact.
    unpaired_error : ndarray
        The standard error that as many independent games of each rule set would give; zeros when exact.
    games : int or None
        Games behind it under each rule set; None when exact.
    """

    value: np.ndarray
    error: np.ndarray
    unpaired_error: np.ndarray
    games: int | None = None

    @property
    def variance_ratio(self) -> np.ndarray:
        """Variance without the pairing over variance with it; infinite where every batch ends the same way."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.square(self.unpaired_error / self.error)

    def z(self, paired: bool = True) -> np.ndarray:
        """The contrast in standard errors, 0 where it is 0; `paired` False takes those of independent games.

        An exact contrast that is not 0 has no such number: nan.
        """
        return z_score(self.value, 0.0, self.error if paired else self.unpaired_error)


@dataclass(frozen=True)
class PairedGames:
    """The same games of one line-up, played under several rule sets.

    Parameters
    ----------
    lineup : Lineup
    endings : tuple of Alive
        Ways in which a game ended under any of the rule sets.
    counts : dict of str to ndarray of int, shape (batches, endings)
        Number of games by rule set. Batches are of equal size, and batch b draws the same words under every rule set.
    """

    lineup: Lineup
    endings: tuple[Alive, ...]
    counts: dict[str, np.ndarray]

    def outcomes(self, name: str) -> Outcomes:
        """All games of the rule set `name`."""
        return self._as_outcomes(self.counts[name].sum(axis=0))

    def contrast(self, weights: Mapping[str, float]) -> Effect:
        """A weighted sum of the measures of rule sets, such as `difference` or `interaction`.

        Parameters
        ----------
        weights : mapping of str to float
            By name of the rule set.

        Raises
        ------
        ValueError
            If a rule set was not played.
        """
        check_names(weights, self.counts)
        pooled = {name: self.outcomes(name) for name in weights}
        value = sum(weight * measures(pooled[name]) for name, weight in weights.items())
        left_out = sum(weight * self._left_out[name] for name, weight in weights.items())
        variance = sum(np.square(weight * measure_errors(pooled[name])) for name, weight in weights.items())
        return Effect(value, jackknife_error(left_out), np.sqrt(variance), next(iter(pooled.values())).games)

    @cached_property
    def _left_out(self) -> dict[str, np.ndarray]:
        """By rule set: the measures of all games but those of batch b, shape (batches, 10)."""
        return {
            name: np.array([measures(self._as_outcomes(counts.sum(axis=0) - batch)) for batch in counts])
            for name, counts in self.counts.items()
        }

    def _as_outcomes(self, counts: np.ndarray) -> Outcomes:
        games = int(counts.sum())
        return Outcomes(self.lineup, dict(zip(self.endings, counts / games, strict=True)), games=games)


def jackknife_error(left_out: np.ndarray) -> np.ndarray:
    """Standard errors by the jackknife.

    Parameters
    ----------
    left_out : ndarray, shape (batches, k)
        The estimates without each of the batches in turn.

    Returns
    -------
    ndarray, shape (k,)
        sqrt((b - 1) / b * sum of squared deviations from the mean) for b batches.
    """
    batches = len(left_out)
    return np.sqrt((batches - 1) / batches * np.square(left_out - left_out.mean(axis=0)).sum(axis=0))


def exact_contrast(solved: Mapping[str, Outcomes], weights: Mapping[str, float]) -> Effect:
    """The contrast of exact solutions, by name of the rule set; its standard errors are zero.

    Raises
    ------
    ValueError
        If a rule set was not solved.
    """
    check_names(weights, solved)
    nought = np.zeros(len(MEASURES))
    return Effect(sum((w * measures(solved[name]) for name, w in weights.items()), nought), nought, nought)


def play_rule_sets(
    lineup: Lineup | str,
    games: int,
    seed: int,
    batches: int = 100,
    rule_sets: Mapping[str, Rules] | None = None,
    workers: int = 1,
    seating: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> PairedGames:
    """Play the same games under each rule set, in batches.

    Parameters
    ----------
    lineup : Lineup or str
    games : int
        Under each rule set; a multiple of `batches`.
    seed : int
        Batch b is ``simulate(lineup, games // batches, seed + b, …)``; 0 to 2^63 - batches.
    batches : int
        2 to 100,000; the standard error of a standard error is about its 1 / sqrt(2 batches).
    rule_sets : mapping of str to Rules, optional
        `RULE_SETS` by default.
    workers : int
        Batches played side by side.
    seating : str, optional
        Play this seating only.
    progress : callable, optional
        Called with the number of games after each batch.

    Raises
    ------
    ValueError
        If an argument is not as described.
    """
    lineup, rule_sets = Lineup.parse(lineup), check_rule_sets(rule_sets)
    games, batches = whole_number("games", games, 1), whole_number("batches", batches, 2, MOST_BATCHES)
    if games % batches:
        raise ValueError(f"games = {games}: a multiple of batches = {batches} is needed")
    check_seed(seed)
    check_seed(seed + batches - 1)
    with ThreadPoolExecutor(check_workers(workers)) as pool:
        futures = {
            name: [
                pool.submit(simulate, lineup, games // batches, seed + batch, rules, seating=seating)
                for batch in range(batches)
            ]
            for name, rules in rule_sets.items()
        }
        report_progress(futures, progress, games // batches)
    found = {name: [future.result().counts for future in run] for name, run in futures.items()}
    endings = tuple(sorted({alive for run in found.values() for counts in run for alive in counts}))
    counts = {name: [[batch.get(alive, 0) for alive in endings] for batch in run] for name, run in found.items()}
    return PairedGames(lineup, endings, {name: np.array(rows) for name, rows in counts.items()})


def report_progress(
    futures: Mapping[object, Sequence[Future]], progress: Callable[[int], None] | None, size: int
) -> None:
    """Wait for all of `futures`; tell `progress` the `size` of each that is done."""
    for future in as_completed([future for run in futures.values() for future in run]):
        future.result()
        if progress:
            progress(size)
