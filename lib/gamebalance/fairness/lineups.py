"""Who stood against whom, how likely the results are, and which labels can be told from the persons who have them.

Contestants win with chances proportional to the exponentials of their strengths (Luce 1959). A strength is the mean
over members of the effects of their labels and of the persons themselves: being many is then no advantage by itself (if
it is one, the effects of labels hold it), and whoever makes everybody stronger by the same changes nothing. Some
effects are free, others drawn from a normal distribution, so that the likelihood is an integral; Laplace's
approximation takes the logarithm of what is integrated as the parabola at its top (Tierney and Kadane 1986; Breslow and
Clayton 1993).
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from scipy import linalg, optimize, sparse, stats

from gamebalance.base.checks import in_memory, shown
from gamebalance.base.sums import dot
from gamebalance.fairness.checking import TOLERANCE
from gamebalance.fairness.games import MOST_LABELS, Games, coded, contestants

#: Standard deviations of the persons' effects from which the search starts. What is below the first is 0; the last is
#: the largest that is allowed: whoever is one such above a person in the middle wins 98 of 100 games against that one.
GRID = (1e-3, 0.25, 1.0, 4.0)
#: The top is reached when Newton's step would gain no more than this in the logarithm of the likelihood.
GAIN, MOST_STEPS = 1e-22, 100
#: More labels than this leave nothing to say about each.
MOST_EFFECTS = 100
#: Directions with less than this part of the information have none: they are what rounding leaves of 0.
NOTHING = 1e-9
#: How much stronger persons may be who play a label, in the effect of that label: a normal prior with this standard
#: deviation, which is as good as none (a person with an effect of 10 wins nearly always).
LIKING = 10.0
SEVERAL = "games: some have several winners: a column side is needed, which says who won together"


@dataclass(frozen=True, eq=False)
class Choices:
    """Contestants of games: what they consist of, and who won; a share of a win counts as that part of one."""

    design: sparse.csr_array  # (contestants, k): how much of each effect is in the strength of each contestant
    result: np.ndarray  # (contestants,): shares of the win of each game, which sum to 1
    game: np.ndarray  # (contestants,): the number of the game of each, from 0, in order

    @cached_property
    def starts(self) -> np.ndarray:
        """The place of the first contestant of each game."""
        return np.searchsorted(self.game, np.arange(self.game[-1] + 1))

    def chances(self, strength: np.ndarray) -> tuple[np.ndarray, float]:
        """Chances to win, shape (contestants,), and the logarithm of the likelihood."""
        above = strength - np.maximum.reduceat(strength, self.starts)[self.game]
        weight = np.exp(above)
        total = np.add.reduceat(weight, self.starts)
        return weight / total[self.game], float((self.result * (above - np.log(total)[self.game])).sum())

    @cached_property
    def pairs(self) -> tuple[np.ndarray, np.ndarray, sparse.csr_array]:
        """The places of both contestants of each pair that meets in a game, and how they differ, shape (pairs, k)."""
        places = np.arange(len(self.game))
        later = np.append(self.starts[1:], len(places))[self.game] - places - 1
        first = np.repeat(places, later)
        second = first + 1 + np.arange(len(first)) - np.repeat(np.cumsum(later) - later, later)
        return first, second, sparse.csr_array(self.design[first] - self.design[second])

    def information(self, chance: np.ndarray, change: np.ndarray | None = None) -> np.ndarray:
        """Covariance of the winner's effects, summed over games, shape (k, k); or how it grows along a `change`."""
        first, second, apart = self.pairs
        weight = chance[first] * chance[second]
        if change is not None:
            change = change - np.add.reduceat(chance * change, self.starts)[self.game]
            weight = weight * (change[first] + change[second])
        return (apart.T @ sparse.diags_array(weight) @ apart).toarray()


class Model:
    """Effects by coordinates, of which the first are `free` and the others standard normal, and integrated over.

    A unit of each coordinate brings the effects of a column of `low`, shape (k, m). The last effects, of `persons`,
    have a coordinate each besides. `offset`, shape (contestants,), is what is known of the strengths.
    """

    def __init__(self, choices: Choices, low: np.ndarray, free: int, persons: int, offset: np.ndarray | float = 0.0):
        self.choices, self.low, self.free, self.persons, self.offset = choices, low, free, persons, offset
        self.size = low.shape[1] + persons
        self.prior = (np.arange(self.size) >= free).astype(float)

    def effects(self, place: np.ndarray, spread: float) -> np.ndarray:
        """The effects at a place, shape (k,)."""
        effects = dot(self.low, place[: self.size - self.persons])
        effects[len(effects) - self.persons :] += spread * place[self.size - self.persons :]
        return effects

    def pulled(self, values: np.ndarray, spread: float) -> np.ndarray:
        """Derivatives with respect to effects, shape (k, ...), as those with respect to coordinates."""
        return np.concatenate([dot(self.low.T, values), spread * values[len(values) - self.persons :]])

    def curvature(self, information: np.ndarray, spread: float) -> np.ndarray:
        """The same of second derivatives."""
        return self.pulled(self.pulled(information, spread).T, spread)


class Fit:
    """The likelihood and its derivatives at a place; of `fit` and `best`, at the top for this `spread` of persons."""

    def __init__(self, model: Model, spread: float, place: np.ndarray):
        self.model, self.spread, self.place = model, spread, place
        self.effects = model.effects(place, spread)
        self.chance, height = model.choices.chances(model.choices.design @ self.effects + model.offset)
        self.height = height - float((model.prior * place * place).sum()) / 2

    @cached_property
    def information(self) -> np.ndarray:
        """That of the effects in the games, shape (k, k)."""
        return self.model.choices.information(self.chance)

    @cached_property
    def hessian(self) -> np.ndarray:
        """That of the coordinates, prior included, with its sign changed."""
        return self.model.curvature(self.information, self.spread) + np.diag(self.model.prior)

    @cached_property
    def _solver(self) -> tuple[np.ndarray, bool]:
        return linalg.cho_factor(self.hessian)

    def step(self) -> tuple[np.ndarray, float]:
        """Newton's step to the top, and what it would gain."""
        choices = self.model.choices
        score = choices.design.T @ (choices.result - self.chance)
        gradient = self.model.pulled(score, self.spread) - self.model.prior * self.place
        step = linalg.cho_solve(self._solver, gradient) if len(self.place) else gradient
        return step, float((gradient * step).sum())

    @cached_property
    def log_likelihood(self) -> float:
        """Laplace's approximation of the logarithm of the likelihood, at its largest over what is free."""
        free = self.model.free
        if free == self.model.size:
            return self.height
        return self.height - float(np.log(np.diag(linalg.cholesky(self.hessian[free:, free:]))).sum())

    @cached_property
    def covariance(self) -> np.ndarray:
        """That of the free coordinates, shape (free, free), the standard deviation taken as known."""
        free = self.model.free
        return linalg.cho_solve(self._solver, np.eye(len(self.hessian))[:, :free])[:free]

    @cached_property
    def slope(self) -> float:
        """Derivative of `log_likelihood` with respect to the standard deviation."""
        model, spread, choices = self.model, self.spread, self.model.choices
        own, last = slice(model.size - model.persons, None), slice(model.low.shape[0] - model.persons, None)
        unit = self.place[own]
        score = (choices.design.T @ (choices.result - self.chance))[last]
        moved = -model.pulled(dot(self.information[:, last], unit), spread)
        moved[own] += score
        effects = model.effects(linalg.cho_solve(self._solver, moved), spread)
        effects[last] += unit
        hessian = model.curvature(choices.information(self.chance, choices.design @ effects), spread)
        hessian[own] += model.pulled(self.information[last].T, spread).T
        hessian[:, own] += model.pulled(self.information[:, last], spread)
        part = slice(model.free, model.size)
        inverse = linalg.cho_solve(linalg.cho_factor(self.hessian[part, part]), np.eye(part.stop - part.start))
        return float((unit * score).sum() - (inverse * hessian[part, part]).sum() / 2)


def fit(model: Model, spread: float, start: np.ndarray | None = None) -> Fit:
    """The top of the likelihood, by Newton's method; free coordinates have a finite best place."""
    here, last = Fit(model, spread, np.zeros(model.size) if start is None else start), np.inf
    for _ in range(MOST_STEPS):
        step, gain = here.step()
        if gain <= GAIN or (gain < 1e-9 and gain >= last):
            return here
        for _ in range(30):  # never downhill
            there = Fit(model, spread, here.place + step)
            if there.height >= here.height - 1e-12 * (1 + abs(here.height)):
                break
            step = step / 2
        here, last = there, gain
    raise ArithmeticError(f"no top of the likelihood was found in {MOST_STEPS} steps")


def best(model: Model) -> Fit:
    """The fit at the most likely `spread`: where the slope is 0, beside the most likely one of the `GRID`; or 0."""
    none = fit(model, 0.0)
    fits = [none]
    for spread in GRID:
        fits.append(fit(model, spread, fits[-1].place))
    top = 1 + int(np.argmax([each.log_likelihood for each in fits[1:]]))
    if fits[top].slope < 0:
        highest = _between(fits[top - 1], fits[top]) if top > 1 else none
    else:
        highest = _between(fits[top], fits[top + 1]) if top < len(GRID) else fits[top]
    return highest if highest.log_likelihood > none.log_likelihood else none


def _between(low: Fit, high: Fit) -> Fit:
    """The fit where the slope is 0."""
    if not low.slope > 0 > high.slope:
        return max(low, high, key=lambda each: each.log_likelihood)
    near = [low]

    def slope(spread: float) -> float:
        near.append(fit(low.model, spread, near[-1].place))
        return near[-1].slope

    spread = optimize.brentq(slope, low.spread, high.spread, xtol=1e-11, rtol=1e-12)
    return fit(low.model, spread, near[-1].place)


class Lineups:
    """Contestants of all games, whether somebody won them or not; L labels (kind, label), kind by kind, q persons.

    `design`, shape (contestants, L + q), is the part of each label and person in a contestant's members, `plays`, shape
    (contestants, L), how often each label counts: once for each member, and once for a side. By contestant: the
    `result`, the number of its `game`, how much was `won` there, and whether the game was `decided` and tells anything.
    By label, shape (L,): `counts` of plays, `shares` won, the `most` that could have been won, and the `even` share.
    """

    def __init__(self, games: Games, kinds: tuple[str, ...]):
        rows = games.rows
        contestant, first = _contestants(games, kinds)
        self.kinds, self.result, self.game = kinds, rows["won"].to_numpy(float)[first], rows["game"].to_numpy()[first]
        (self.persons, person), columns = coded(rows["player"]), {kind: coded(rows[kind]) for kind in kinds}
        self.labels = [(kind, label) for kind, (names, _) in columns.items() for label in names]
        self._check({kind: names for kind, (names, _) in columns.items()})
        many = len(self.labels) + len(self.persons)
        in_memory("the persons' line-ups", 24.0 * len(rows) * (len(kinds) + 1) + 80.0 * many**2)
        counted = [
            sparse.csr_array((np.ones(len(rows)), (contestant, codes)), shape=(len(first), len(names)))
            for names, codes in (*columns.values(), (self.persons, person))
        ]
        parts = sparse.hstack(counted, format="csr")
        self.design = sparse.csr_array(sparse.diags_array(1 / np.bincount(contestant)) @ parts)
        for place, kind in enumerate(kinds):
            if kind == "side":
                counted[place].data[:] = 1.0
        self.plays = sparse.csr_array(sparse.hstack(counted[:-1], format="csr"))
        self.even = np.concatenate([games.contest(kind).even for kind in kinds])  # type: ignore[union-attr]
        self.won = np.bincount(self.game, self.result)[self.game]
        self.decided = (self.won > 0) & (np.bincount(self.game) > 1)[self.game]
        self.counts = self.plays.sum(axis=0)
        self.shares, self.most = (self.plays.T @ each / self.counts for each in (self.result, self.won))
        game = np.unique(self.game[self.decided], return_inverse=True)[1]
        self.choices = Choices(self.design[self.decided], self.result[self.decided] / self.won[self.decided], game)

    def _check(self, labels: dict[str, list]) -> None:
        """Refuse what leaves nothing to compare, or too much; and games that no one contestant has won."""
        for kind, names in labels.items():
            if len(names) < 2:
                raise ValueError(f"by = {kind!r}: {names[0]!r} is the only one, and two are needed to compare")
        if len(self.labels) > MOST_EFFECTS:
            raise ValueError(
                f"by = {shown((*labels,))}: {len(self.labels):,} different labels, {MOST_EFFECTS} are allowed"
            )
        if len(self.persons) < 2:
            raise ValueError(f"games: {self.persons[0]!r} is the only player, and two are needed to compare")
        if len(self.persons) > MOST_LABELS:
            raise ValueError(f"games: {len(self.persons):,} different players, {MOST_LABELS:,} are allowed")
        won = pd.Series(self.result).groupby(self.game).agg(["size", "sum", "max"])
        equal = (won["sum"] - won["max"] * won["size"]).abs() <= TOLERANCE * won["size"]
        if ((won["sum"] > 1 + TOLERANCE) & ~equal).any():
            raise ValueError(SEVERAL)
        if not ((won["sum"] > 0) & (won["size"] > 1)).any():
            raise ValueError("games: nobody has won any of them")

    def of(self, kind: str) -> np.ndarray:
        """The places of the labels of a kind."""
        return np.array([place for place, (name, _) in enumerate(self.labels) if name == kind])

    def chances(self, effects: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Chances of labels on the average over line-ups, were all persons equal, and their derivatives by effects."""
        design = self.design[:, : len(effects)]
        chance, _ = Choices(design, self.result, self.game).chances(design @ effects)
        paid = sparse.csr_array(self.plays.T @ sparse.diags_array(chance * self.won))
        games = sparse.csr_array((np.ones(len(self.game)), (np.arange(len(self.game)), self.game)))
        mean = games.T @ (sparse.diags_array(chance) @ design)
        slope = (paid @ design - (paid @ games) @ mean).toarray()
        return paid.sum(axis=1) / self.counts, slope / self.counts[:, None]


def _contestants(games: Games, kinds: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    """The number of each row's contestant, and the first row of each; refused where it cannot be said who they are."""
    rows = games.rows
    if rows is None or "player" not in rows:
        columns = "only numbers" if rows is None else ", ".join(games.kinds)
        raise ValueError(f"games: a column player is needed, which says who played; they have {columns}")
    lead = next((kind for kind in ("side", "role") if kind in rows), kinds[0])
    names, codes = coded(rows[lead])
    contestant, first = contestants(rows, lead, codes, len(names))
    if len(first) < len(rows) and lead == "seat":
        if np.bincount(rows["game"], rows["won"] > 0).max() > 1:
            raise ValueError(SEVERAL)
        contestant = first = np.arange(len(rows))  # all of a drawn game look like one side that has lost
    if len(first) < len(rows) and not {"side", "role"} & {*kinds}:
        raise ValueError(
            f"by = {shown(kinds[0])}: sides win these games, so that {lead} is needed too: by = {(lead, *kinds)!r}"
        )
    return contestant, first


class Comparison:
    """What line-ups can tell about labels beside persons, and what results say of both.

    `alone` and `beside`, shape (L, L), are information on the effects of labels, were all chances even: if all persons
    were equal, and what is left of it where every person's strength may be anything. `likings`, shape (q, L), are the
    strengths of persons that look most like an effect of a label: who plays it often has much of it.
    """

    def __init__(self, table: Lineups):
        self.table, self.size, self.choices = table, len(table.labels), table.choices
        whole = self.choices.information(1 / np.bincount(self.choices.game)[self.choices.game])
        self.alone, cross = whole[: self.size, : self.size], whole[self.size :, : self.size]
        persons = whole[self.size :, self.size :]
        own = np.diag(persons)
        scale = np.where(own > 1e-12, 1 / np.sqrt(np.maximum(own, 1e-12)), 0.0)
        values, vectors = np.linalg.eigh(persons * np.outer(scale, scale))
        there = values > NOTHING * 1e-2
        vectors = vectors[:, there] * scale[:, None]
        self.likings = dot(vectors / values[there], dot(vectors.T, cross))
        self.beside = self.alone - dot(cross.T, self.likings)
        #: Directions of effects that line-ups could show, were all persons equal, shape (L, ...); all are orthonormal.
        self.contrasts = self._directions(self.alone)
        #: How the chance of each label grows with the effects where all are even, shape (L, L).
        self.slopes = table.chances(np.zeros(self.size))[1]
        self.is_one_sided = one_sided(self.choices, self.contrasts)
        if self.is_one_sided:
            self.choices = _with_draws(self.choices, self.size)

    def contrasts_without(self, kind: str | None = None) -> np.ndarray:
        """Directions that can be told from persons, the effects of a kind taken as even, shape (L, ...)."""
        kept = np.array([name != kind for name, _ in self.table.labels])
        return self._directions(np.where(np.outer(kept, kept), self.beside, 0.0))

    def _directions(self, matrix: np.ndarray) -> np.ndarray:
        values, vectors = np.linalg.eigh(matrix)
        return vectors[:, values > NOTHING * max(np.diag(self.alone).max(), 1.0)]

    @cached_property
    def information(self) -> np.ndarray:
        """The part of the information on each label's chance that is left beside persons, shape (L,); 0 if none is."""
        alone, beside = (self._variances(each) for each in (self.alone, self.beside))
        told = self.is_told(self.slopes)
        return np.where(told, np.divide(alone, beside, out=np.ones(len(told)), where=told & (beside > 0)), 0.0)

    def _variances(self, information: np.ndarray) -> np.ndarray:
        """Variances of the labels' chances, by directions that have information."""
        directions = self._directions(information)
        along = dot(self.slopes, directions)
        middle = dot(dot(directions.T, information), directions)
        return (along * np.linalg.solve(middle, along.T).T).sum(axis=1)

    def is_told(self, slopes: np.ndarray, own: bool = False) -> np.ndarray:
        """Whether what has these derivatives can be told from persons; or those by the `own` kind of each label."""
        if own:
            kinds = np.array([kind for kind, _ in self.table.labels])
            slopes = np.where(kinds[:, None] == kinds, slopes, 0.0)
        return _within(slopes, self.contrasts_without())

    def groups(self, kind: str, equal_persons: bool = False) -> list[list]:
        """Labels of a kind, those together that cannot be told apart beside other kinds, and persons if not equal."""
        directions = self.contrasts if equal_persons else self.contrasts_without()
        places, own = self.table.of(kind), np.zeros_like(self.alone)
        own[np.ix_(places, places)] = self.alone[np.ix_(places, places)]
        seen = self._directions(own)
        groups: list[list] = []
        for place in places:
            for group in groups:
                pair = np.zeros((1, self.size))
                pair[0, place], pair[0, group[0]] = 1.0, -1.0
                pair = dot(dot(pair, seen), seen.T)
                if np.abs(pair).max() < 1e-6 or _within(pair, directions)[0]:
                    group.append(place)
                    break
            else:
                groups.append([place])
        return [[self.table.labels[place][1] for place in group] for group in groups]

    def _best(self, contrasts: np.ndarray) -> Fit:
        """Effects of labels in some directions, and persons whose mean strength may go with what they play."""
        liking = LIKING * dot(self.likings, self.contrasts)
        low = linalg.block_diag(contrasts, liking)
        return best(Model(self.choices, low, contrasts.shape[1], len(liking)))

    @cached_property
    def full(self) -> Fit:
        """All effects of labels that can be told from persons."""
        return self._best(self.contrasts_without())

    @cached_property
    def effects(self) -> tuple[np.ndarray, np.ndarray]:
        """Effects of labels and their covariance."""
        directions = self.contrasts_without()
        return self.full.effects[: self.size], dot(dot(directions, self.full.covariance), directions.T)

    def p_value(self, kind: str | None = None) -> float:
        """Of the likelihood ratio of the full model and one in which labels of a kind, or all, are even."""
        everything = self.contrasts_without()
        rest = self.contrasts_without(kind) if kind else everything[:, :0]
        freedom = everything.shape[1] - rest.shape[1]
        if not freedom:
            return float("nan")
        gain = self.full.log_likelihood - self._best(rest).log_likelihood
        return float(stats.chi2.sf(max(2 * gain, 0.0), freedom))

    @cached_property
    def strengths(self) -> Fit:
        """Strengths of persons, the effects of labels being known."""
        persons = len(self.table.persons)
        known = self.choices.design[:, : self.size] @ self.effects[0]
        return best(Model(self.choices, np.zeros((self.size + persons, 0)), 0, persons, known))


def _within(rows: np.ndarray, directions: np.ndarray) -> np.ndarray:
    """Whether each row is a sum of the directions."""
    left = rows - dot(dot(rows, directions), directions.T)
    return np.linalg.norm(left, axis=1) <= 1e-6 * np.linalg.norm(rows, axis=1)


def one_sided(choices: Choices, directions: np.ndarray) -> bool:
    """Whether some effect makes every winner at least as strong as everyone, and some stronger (a linear program).

    The likelihood then grows for ever with that effect (Albert and Anderson 1984).
    """
    first, second, _ = choices.pairs
    along = choices.design[:, : len(directions)] @ directions
    apart = along[first] - along[second]
    won = choices.result[first] > 0, choices.result[second] > 0
    apart = np.unique(np.vstack([apart[won[0]], -apart[won[1]]]).round(9), axis=0)
    if not apart.size:
        return False
    ahead = optimize.linprog(-apart.sum(axis=0), -apart, np.zeros(len(apart)), bounds=(-1, 1), method="highs")
    return bool(-ahead.fun > 1e-6)


def _with_draws(choices: Choices, size: int) -> Choices:
    """The games, and for each label one that it has drawn against a contestant without effects."""
    places = 2 * np.arange(size), np.arange(size)
    rows = sparse.csr_array((np.ones(size), places), shape=(2 * size, choices.design.shape[1]))
    game = np.repeat(np.arange(size), 2) + choices.game[-1] + 1
    result = np.append(choices.result, np.full(2 * size, 0.5))
    return Choices(sparse.vstack([choices.design, rows], format="csr"), result, np.append(choices.game, game))
