"""Who stood against whom: the labels and persons of each contestant, and which labels can be told from persons.

A contestant's strength is the mean over its members of the effects of their labels and of the persons themselves. Being
many is then no advantage by itself; if it is one, the effects of the labels hold it, since roles and sides have their
sizes. And whoever makes everybody stronger by the same changes nothing: with a sum instead, persons who are all
stronger would help the larger side, and no result could tell the two apart.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from scipy import optimize, sparse, stats

from gamebalance.base.checks import in_memory, shown
from gamebalance.base.sums import dot
from gamebalance.fairness.checking import TOLERANCE
from gamebalance.fairness.games import MOST_LABELS, Games, coded, contestants
from gamebalance.fairness.laplace import Choices, Fit, Model, best

#: More labels than this leave nothing to say about each.
MOST_EFFECTS = 100
#: Directions with less than this part of the information have none: they are what rounding leaves of 0.
NOTHING = 1e-9
#: How much stronger persons may be who play a label, in the effect of that label: a normal prior with this standard
#: deviation, which is as good as none (a person with an effect of 10 wins nearly always).
LIKING = 10.0
SEVERAL = "games: some have several winners: a column side is needed, which says who won together"


@dataclass(frozen=True, eq=False)
class Lineups:
    """Contestants of all games, whether somebody won them or not."""

    kinds: tuple[str, ...]  # what players are told apart by: at least one of side, role, seat
    labels: list  # of pairs (kind, label), kind by kind; L of them
    persons: list  # q of them
    design: sparse.csr_array  # (contestants, L + q): the part of each label and person in a contestant's members
    plays: sparse.csr_array  # (contestants, L): how often each label counts: once for each member, and once for a side
    result: np.ndarray  # (contestants,): what it won
    game: np.ndarray  # (contestants,): the number of its game
    even: np.ndarray  # (L,): the share that each label would win in fair games against the same others

    def of(self, kind: str) -> np.ndarray:
        """The places of the labels of a kind."""
        return np.array([place for place, (name, _) in enumerate(self.labels) if name == kind])

    @cached_property
    def won(self) -> np.ndarray:
        """How much was won in the game of each contestant: 1, or 0 where nobody won."""
        return np.bincount(self.game, self.result)[self.game]

    @cached_property
    def decided(self) -> np.ndarray:
        """Whether each contestant's game tells anything: somebody won, and somebody else was there."""
        return (self.won > 0) & (np.bincount(self.game) > 1)[self.game]

    @cached_property
    def choices(self) -> Choices:
        """The games that tell anything."""
        game = np.unique(self.game[self.decided], return_inverse=True)[1]
        return Choices(self.design[self.decided], self.result[self.decided] / self.won[self.decided], game)

    @cached_property
    def counts(self) -> np.ndarray:
        """How often each label was played, shape (L,)."""
        return self.plays.sum(axis=0)

    @cached_property
    def shares(self) -> np.ndarray:
        """The share of its games that each label won, shape (L,)."""
        return self.plays.T @ self.result / self.counts

    @cached_property
    def most(self) -> np.ndarray:
        """The share of its games that each label could have won: those that somebody won, shape (L,)."""
        return self.plays.T @ self.won / self.counts

    def chances(self, effects: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Chances of labels on the average over line-ups, were all persons equal, and their derivatives by effects."""
        design = self.design[:, : len(effects)]
        chance, _ = Choices(design, self.result, self.game).chances(design @ effects)
        paid = sparse.csr_array(self.plays.T @ sparse.diags_array(chance * self.won))
        games = sparse.csr_array((np.ones(len(self.game)), (np.arange(len(self.game)), self.game)))
        mean = games.T @ (sparse.diags_array(chance) @ design)
        slope = (paid @ design - (paid @ games) @ mean).toarray()
        return paid.sum(axis=1) / self.counts, slope / self.counts[:, None]


def lineups(games: Games, kinds: tuple[str, ...]) -> Lineups:
    """The line-ups of games, labels of these kinds, and persons; refused where there is nothing to compare."""
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
    result, game = rows["won"].to_numpy(float)[first], rows["game"].to_numpy()[first]
    (persons, person), columns = coded(rows["player"]), {kind: coded(rows[kind]) for kind in kinds}
    labels = [(kind, label) for kind, (names, _) in columns.items() for label in names]
    _check_sizes({kind: names for kind, (names, _) in columns.items()}, persons)
    _check_winners(result, game)
    in_memory("the persons' line-ups", 24.0 * len(rows) * (len(kinds) + 1) + 80.0 * (len(labels) + len(persons)) ** 2)
    counted = [_counted(contestant, codes, len(names)) for names, codes in (*columns.values(), (persons, person))]
    size = np.bincount(contestant)
    design = sparse.csr_array(sparse.diags_array(1 / size) @ sparse.hstack(counted, format="csr"))
    for place, kind in enumerate(kinds):
        if kind == "side":
            counted[place].data[:] = 1.0
    plays = sparse.csr_array(sparse.hstack(counted[:-1], format="csr"))
    even = np.concatenate([games.contest(kind).even for kind in kinds])  # type: ignore[union-attr]
    return Lineups(kinds, labels, persons, design, plays, result, game, even)


def _counted(row: np.ndarray, column: np.ndarray, size: int) -> sparse.csr_array:
    """How often each pair of a row and a column occurs."""
    counts = sparse.csr_array((np.ones(len(row)), (row, column)), shape=(int(row.max()) + 1, size))
    counts.sum_duplicates()
    return counts


def _check_sizes(labels: dict[str, list], persons: list) -> None:
    """Refuse what leaves nothing to compare, or too much."""
    for kind, names in labels.items():
        if len(names) < 2:
            raise ValueError(f"by = {kind!r}: {names[0]!r} is the only one, and two are needed to compare")
    if (size := sum(map(len, labels.values()))) > MOST_EFFECTS:
        raise ValueError(f"by = {shown((*labels,))}: {size:,} different labels, {MOST_EFFECTS} are allowed")
    if len(persons) < 2:
        raise ValueError(f"games: {persons[0]!r} is the only player, and two are needed to compare")
    if len(persons) > MOST_LABELS:
        raise ValueError(f"games: {len(persons):,} different players, {MOST_LABELS:,} are allowed")


def _check_winners(result: np.ndarray, game: np.ndarray) -> None:
    """Refuse games that no one contestant has won, and results in which nothing was decided."""
    won = pd.Series(result).groupby(game).agg(["size", "sum", "max"])
    equal = (won["sum"] - won["max"] * won["size"]).abs() <= TOLERANCE * won["size"]
    if ((won["sum"] > 1 + TOLERANCE) & ~equal).any():
        raise ValueError(SEVERAL)
    if not ((won["sum"] > 0) & (won["size"] > 1)).any():
        raise ValueError("games: nobody has won any of them")


class Comparison:
    """What line-ups can tell about labels beside persons, and what results say of both.

    Attributes
    ----------
    alone, beside : ndarray, shape (L, L)
        Information on the effects of labels, were all chances even: if all persons were equal, and what is left of it
        where every person's strength may be anything.
    likings : ndarray, shape (q, L)
        The strengths of persons that look most like an effect of a label: who plays it often has much of it.
    """

    def __init__(self, table: Lineups):
        self.table, self.size, self.choices = table, len(table.labels), table.choices
        sizes = np.bincount(self.choices.game)[self.choices.game]
        whole = self.choices.information(1 / sizes)
        self.alone, cross, persons = (
            whole[: self.size, : self.size],
            whole[self.size :, : self.size],
            whole[self.size :, self.size :],
        )
        own = np.diag(persons)
        scale = np.where(own > 1e-12, 1 / np.sqrt(np.maximum(own, 1e-12)), 0.0)
        values, vectors = np.linalg.eigh(persons * np.outer(scale, scale))
        there = values > NOTHING * 1e-2
        vectors = vectors[:, there] * scale[:, None]
        self.likings = dot(vectors / values[there], dot(vectors.T, cross))
        self.beside = self.alone - dot(cross.T, self.likings)
        self.is_one_sided = one_sided(self.choices, self.contrasts)
        if self.is_one_sided:
            self.choices = _with_draws(self.choices, self.size)

    @cached_property
    def contrasts(self) -> np.ndarray:
        """Orthonormal directions of effects that line-ups could show, were all persons equal, shape (L, ...)."""
        return self._directions(self.alone)

    def contrasts_without(self, kind: str | None = None) -> np.ndarray:
        """Orthonormal directions that can be told from persons, the effects of a kind taken as even, shape (L, ...)."""
        kept = np.array([name != kind for name, _ in self.table.labels])
        return self._directions(np.where(np.outer(kept, kept), self.beside, 0.0))

    def _directions(self, matrix: np.ndarray) -> np.ndarray:
        values, vectors = np.linalg.eigh(matrix)
        return vectors[:, values > NOTHING * max(np.diag(self.alone).max(), 1.0)]

    @cached_property
    def slopes(self) -> np.ndarray:
        """How the chance of each label grows with the effects where all are even, shape (L, L)."""
        return self.table.chances(np.zeros(self.size))[1]

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

    def own(self, slopes: np.ndarray) -> np.ndarray:
        """Of derivatives by label and effect, those by effects of the label's own kind."""
        kinds = np.array([kind for kind, _ in self.table.labels])
        return np.where(kinds[:, None] == kinds, slopes, 0.0)

    def is_told(self, slopes: np.ndarray) -> np.ndarray:
        """Whether what has these derivatives (one for each row) can be told from persons, shape (rows,)."""
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

    def model(self, contrasts: np.ndarray) -> Model:
        """Effects of labels in some directions, and persons whose mean strength may go with what they play."""
        liking = LIKING * dot(self.likings, self.contrasts)
        low = np.zeros((self.size + len(liking), contrasts.shape[1] + liking.shape[1]))
        low[: self.size, : contrasts.shape[1]] = contrasts
        low[self.size :, contrasts.shape[1] :] = liking
        return Model(self.choices, low, contrasts.shape[1], len(liking))

    @cached_property
    def full(self) -> Fit:
        """All effects of labels that can be told from persons."""
        return best(self.model(self.contrasts_without()))

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
        even = best(self.model(rest))
        return float(stats.chi2.sf(max(2 * (self.full.log_likelihood - even.log_likelihood), 0.0), freedom))

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
    """Whether some effect in these directions makes every winner at least as strong as everyone, and some stronger.

    The likelihood then grows for ever with that effect (Albert and Anderson 1984). A linear program finds it.
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
