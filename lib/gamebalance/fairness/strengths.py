"""Persons and labels kept apart: the models that are compared.

Strengths of persons that are drawn from one normal distribution, whatever they like to play, would not keep them apart.
Part of the strength of those who play the wolf is then taken for the wolf's, and with many games the interval closes
about a wrong number: in simulated clubs whose strong members like a role, it held the truth in 35 to 85 of 100 cases
where 95 were promised. So the mean of the strengths may go with what people play (Mundlak 1978), by as much as results
ask for. What is left to speak about labels is how the same people fared with one and with the other.
"""

from functools import cached_property

import numpy as np
from scipy import optimize, sparse, stats

from gamebalance.base.sums import dot
from gamebalance.fairness.laplace import Choices, Fit, Model, best, fit
from gamebalance.fairness.lineups import Lineups, Told

#: How much stronger persons may be who play a label, in the effect of that label: a normal prior with this standard
#: deviation, which is as good as none (a person with an effect of 10 wins nearly always).
LIKING = 10.0


class Fits:
    """The models that are compared, all on the same games.

    Parameters
    ----------
    table : Lineups
    seen : Told
        What can be told apart in them.
    """

    def __init__(self, table: Lineups, seen: Told):
        self.table, self.seen, self.size = table, seen, len(table.labels)
        self.is_one_sided = one_sided(table.choices, seen.contrasts)
        self.choices = _with_draws(table.choices, self.size) if self.is_one_sided else table.choices

    def model(self, contrasts: np.ndarray, is_held: bool = False) -> Model:
        """Effects of labels in some directions, and persons whose mean strength may go with what they play.

        How far it does is integrated over, or taken where it is most likely if it `is_held`.
        """
        liking = LIKING * dot(self.seen.likings, self.seen.contrasts)
        low = np.zeros((self.size + len(liking), contrasts.shape[1] + liking.shape[1]))
        low[: self.size, : contrasts.shape[1]] = contrasts
        low[self.size :, contrasts.shape[1] :] = liking
        return Model(self.choices, low, contrasts.shape[1], len(liking), low.shape[1] if is_held else None)

    @cached_property
    def full(self) -> Fit:
        """All effects of labels that can be told from persons."""
        return best(self.model(self.seen.contrasts_without()))[0]

    @cached_property
    def labels(self) -> tuple[np.ndarray, np.ndarray]:
        """Effects of labels and their covariance."""
        directions = self.seen.contrasts_without()
        return self.full.effects[: self.size], dot(dot(directions, self.full.covariance), directions.T)

    def p_value(self, kind: str | None) -> float:
        """Of the likelihood ratio of the full model and one in which labels of a kind, or all, are even."""
        everything = self.seen.contrasts_without()
        rest = self.seen.contrasts_without(kind) if kind else everything[:, :0]
        freedom = everything.shape[1] - rest.shape[1]
        if not freedom:
            return float("nan")
        even = best(self.model(rest))[0]
        return float(stats.chi2.sf(max(2 * (self.full.log_likelihood - even.log_likelihood), 0.0), freedom))

    @cached_property
    def spread_p_value(self) -> float:
        """Of the likelihood ratio of persons and none.

        If persons are equal, both their spread and how far it goes with what they play are 0. The one cannot be less,
        and is found to be 0 in half of all cases (Self and Liang 1987); the other can go either way for each direction.
        """
        found, _ = best(self.model(self.seen.contrasts, is_held=True))
        low = found.model.low[:, : found.model.free]
        none = fit(Model(self.choices, low, low.shape[1], 0), 0.0)
        ratio = max(2 * (found.log_likelihood - none.log_likelihood), 0.0)
        freedom = self.seen.liked
        equal = stats.chi2.sf(ratio, freedom) if freedom else float(ratio == 0)
        return float(equal + stats.chi2.sf(ratio, freedom + 1)) / 2

    @cached_property
    def strengths(self) -> Fit:
        """Strengths of persons, the effects of labels being known."""
        persons = len(self.table.persons)
        known = self.choices.design[:, : self.size] @ self.labels[0]
        return best(Model(self.choices, np.zeros((self.size + persons, 0)), 0, persons, offset=known))[0]


def one_sided(choices: Choices, directions: np.ndarray) -> bool:
    """Whether some effect in these directions makes every winner at least as strong as everyone, and some stronger.

    The likelihood then grows for ever with that effect (Albert and Anderson 1984). A linear program finds it.
    """
    first, second = choices.pairs
    ahead = choices.result[first] > 0, choices.result[second] > 0
    along = choices.design[:, : len(directions)] @ directions
    apart = along[first] - along[second]
    if not apart.size:
        return False
    won = np.unique(np.vstack([apart[ahead[0]], -apart[ahead[1]]]).round(9), axis=0)
    found = optimize.linprog(-won.sum(axis=0), -won, np.zeros(len(won)), bounds=(-1, 1), method="highs")
    return bool(-found.fun > 1e-6)


def _with_draws(choices: Choices, size: int) -> Choices:
    """The games, and for each label one that it has drawn against a contestant without effects."""
    places = 2 * np.arange(size), np.arange(size)
    rows = sparse.csr_array((np.ones(size), places), shape=(2 * size, choices.design.shape[1]))
    game = np.repeat(np.arange(size), 2) + choices.game[-1] + 1
    return Choices(
        sparse.vstack([choices.design, rows], format="csr"),
        np.append(choices.result, np.full(2 * size, 0.5)),
        np.append(choices.game, game),
    )
