"""The same games under several rule sets, and the effect of a change with its standard error.

Rule sets are compared on common random numbers: game i of a seed draws the same words under every rule set, so the
chance that two rule sets share cancels in their difference. The standard error comes from batches of games. Only other
numbers of cards spoil this: an opening of four cards, or more cards in a turn, draw more words, which shifts all later
words of the game.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from chapters.sanguosha.printed_tables import z_score
from chapters.sanguosha.rule_changes.rule_sets import RULE_SETS, check_names
from gamebalance.base.checks import check_seed, check_workers, whole_number
from gamebalance.base.workers import for_each
from gamebalance.fairness.spreads import balance, rationality
from gamebalance.sanguosha.lineup import Lineup, Role
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.rules import Rules
from gamebalance.sanguosha.scoring import Alive
from gamebalance.sanguosha.simulation import simulate

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
    """Survival, Bal, expected scores and Rat under one rule set, shape (10,), in the order of `MEASURES`."""
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

    `error` is that with the pairing, by the delete-one-batch jackknife; `unpaired_error` what as many independent games
    of each rule set would give. Both are zeros, and `games` (under each rule set) None, when exact.
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

    `counts` are numbers of games by rule set, shape (batches, endings), with all `endings` seen under any of them.
    Batches are of equal size, and batch b draws the same words under every rule set.
    """

    lineup: Lineup
    endings: tuple[Alive, ...]
    counts: dict[str, np.ndarray]

    def outcomes(self, name: str) -> Outcomes:
        """All games of the rule set `name`."""
        return self._as_outcomes(self.counts[name].sum(axis=0))

    def contrast(self, weights: Mapping[str, float]) -> Effect:
        """A weighted sum of the measures of rule sets, such as `difference` or `interaction`."""
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
    """Standard errors by the jackknife, shape (k,), from the estimates without each batch in turn, (batches, k).

    For b batches, sqrt((b - 1) / b * sum of squared deviations from the mean).
    """
    batches = len(left_out)
    return np.sqrt((batches - 1) / batches * np.square(left_out - left_out.mean(axis=0)).sum(axis=0))


def exact_contrast(solved: Mapping[str, Outcomes], weights: Mapping[str, float]) -> Effect:
    """The contrast of exact solutions, by name of the rule set; its standard errors are zero."""
    check_names(weights, solved)
    nought = np.zeros(len(MEASURES))
    return Effect(sum((w * measures(solved[name]) for name, w in weights.items()), nought), nought, nought)


def play_rule_sets(
    lineup: Lineup | str,
    games: int,
    seed: int,
    batches: int = 100,
    workers: int = 1,
    seating: str | None = None,
    progress: Callable[[int], None] | None = None,
    rule_sets: Mapping[str, Rules] = RULE_SETS,
) -> PairedGames:
    """Play the same games under each of the rule sets, in batches; those of one seating only if it is given.

    Parameters
    ----------
    games : int
        Under each rule set; a multiple of `batches`.
    seed : int
        Batch b is ``simulate(lineup, games // batches, seed + b, …)``; 0 to 2^63 - batches.
    batches : int
        2 to 100,000; the standard error of a standard error is about its 1 / sqrt(2 batches).
    progress : callable, optional
        Called with the number of games after each batch.
    rule_sets : mapping from str to Rules
    """
    lineup = Lineup.parse(lineup)
    games, batches = whole_number("games", games, 1), whole_number("batches", batches, 2, MOST_BATCHES)
    if games % batches:
        raise ValueError(f"games = {games}: a multiple of batches = {batches} is needed")
    check_seed(seed)
    check_seed(seed + batches - 1)
    size = games // batches
    found = for_each(
        product(rule_sets, range(batches)),
        lambda run: simulate(lineup, size, seed + run[1], rule_sets[run[0]], seating=seating).counts,
        check_workers(workers),
        progress=progress and (lambda _: progress(size)),
    )
    endings = tuple(sorted(set().union(*found.values())))
    counts = {
        name: np.array([[found[name, batch].get(alive, 0) for alive in endings] for batch in range(batches)])
        for name in rule_sets
    }
    return PairedGames(lineup, endings, counts)
