"""Who stood against whom: the labels and persons of each contestant, and which labels can be told from persons.

A contestant's strength is the mean over its members of the effects of their labels and of the persons themselves. Being
many is then no advantage by itself; if it is one, the effects of the labels hold it, since roles and sides have their
sizes. And whoever makes everybody stronger by the same changes nothing: with a sum instead, persons who are all
stronger would help the larger side, and no result could tell the two apart.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import linalg, optimize, sparse, stats

from gamebalance.base.checks import in_memory, shown
from gamebalance.base.sums import dot
from gamebalance.fairness.checking import TOLERANCE
from gamebalance.fairness.games import MOST_LABELS, Games, coded, contestants
from gamebalance.fairness.laplace import Choices, Fit, Model, best, fit

#: More labels than this leave nothing to say about each.
MOST_EFFECTS = 100
#: Directions with less than this part of the information have none: they are what rounding leaves of 0.
NOTHING = 1e-9
SEVERAL = "games: some have several winners: a column side is needed, which says who won together"


@dataclass(frozen=True, eq=False)
class Lineups:
    """Contestants of all games, whether somebody won them or not."""

    kinds: tuple[str, ...]  # what players are told apart by: at least one of side, role, seat
    labels: list  # of pairs (kind, label), kind by kind; L of them
    persons: list  # q of them
    design: sparse.csr_array  # (contestants, L + q): the part of each label and person in a contestant's members
    plays: sparse.csr_array  # (contestants, L): how often each label counts: once for each member, and once for a side
    members: np.ndarray  # (contestants,): how many players each consists of
    result: np.ndarray  # (contestants,): what it won
    game: np.ndarray  # (contestants,): the number of its game

    def of(self, kind: str) -> np.ndarray:
        """The places of the labels of a kind."""
        return np.array([place for place, (name, _) in enumerate(self.labels) if name == kind])

    @cached_property
    def sizes(self) -> np.ndarray:
        """Contestants of each game."""
        return np.bincount(self.game)

    @cached_property
    def won(self) -> np.ndarray:
        """How much was won in each game: 1, or 0 where nobody won."""
        return np.bincount(self.game, self.result)

    @cached_property
    def decided(self) -> np.ndarray:
        """Whether each contestant's game tells anything: somebody won, and somebody else was there."""
        return ((self.won > 0) & (self.sizes > 1))[self.game]

    @cached_property
    def choices(self) -> Choices:
        """The games that tell anything."""
        kept = self.decided
        game = np.unique(self.game[kept], return_inverse=True)[1]
        return Choices(self.design[kept], (self.result / np.maximum(self.won[self.game], 1e-300))[kept], game)

    @cached_property
    def counts(self) -> np.ndarray:
        """How often each label was played, shape (L,)."""
        return self.plays.sum(axis=0)

    @cached_property
    def shares(self) -> np.ndarray:
        """The share of its games that each label won, shape (L,)."""
        return self.plays.T @ self.result / self.counts

    @cached_property
    def even(self) -> np.ndarray:
        """The share that each label would win in fair games against the same others, as `judge` has it, shape (L,)."""
        players = np.bincount(self.game, self.members * self.result) / np.bincount(self.game, self.members)
        parts = ((players if kind == "seat" else self.won / self.sizes)[self.game] for kind, _ in self.labels)
        return np.array([self.plays[:, [place]].T @ part for place, part in enumerate(parts)])[:, 0] / self.counts

    @cached_property
    def most(self) -> np.ndarray:
        """The share of its games that each label could have won: those that somebody won, shape (L,)."""
        return self.plays.T @ self.won[self.game] / self.counts

    def chances(self, effects: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Chances of labels on the average over line-ups, were all persons equal, and their derivatives by effects."""
        design = self.design[:, : len(effects)]
        whole = Choices(design, self.result, self.game)
        chance, _ = whole.chances(design @ effects)
        paid = sparse.csr_array(self.plays.T @ sparse.diags_array(chance * self.won[self.game]))
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
    columns = [coded(rows[kind]) for kind in kinds]
    labels = [(kind, label) for kind, (found, _) in zip(kinds, columns, strict=True) for label in found]
    persons, person = coded(rows["player"])
    _check_sizes(kinds, [found for found, _ in columns], persons)
    _check_winners(result, game)
    places = np.cumsum([0, *(len(found) for found, _ in columns)])
    members = [found + place for (_, found), place in zip(columns, places, strict=False)]
    shape = len(first), len(labels)
    in_memory("the persons' line-ups", 24.0 * len(rows) * (len(kinds) + 1) + 80.0 * (len(labels) + len(persons)) ** 2)
    plays = sum(_counted(contestant, codes, shape) for codes in members)
    who = _counted(contestant, person, (len(first), len(persons)))
    size = np.bincount(contestant)
    design = sparse.csr_array(sparse.diags_array(1 / size) @ sparse.hstack([plays, who], format="csr"))
    if "side" in kinds:
        apart = np.array([kind == "side" for kind, _ in labels])
        plays = sparse.csr_array((np.where(apart[plays.indices], 1.0, plays.data), plays.indices, plays.indptr), shape)
    return Lineups(kinds, labels, persons, design, sparse.csr_array(plays), size, result, game)


def _counted(row: np.ndarray, column: np.ndarray, shape: tuple[int, int]) -> sparse.csr_array:
    """How often each pair of a row and a column occurs."""
    found = sparse.csr_array((np.ones(len(row)), (row, column)), shape=shape)
    found.sum_duplicates()
    return found


def _check_sizes(kinds: tuple[str, ...], labels: list[list], persons: list) -> None:
    """Refuse what leaves nothing to compare, or too much."""
    for kind, found in zip(kinds, labels, strict=True):
        if len(found) < 2:
            raise ValueError(f"by = {kind!r}: {found[0]!r} is the only one, and two are needed to compare")
    if sum(map(len, labels)) > MOST_EFFECTS:
        raise ValueError(f"by = {shown(kinds)}: {sum(map(len, labels)):,} different labels, {MOST_EFFECTS} are allowed")
    if len(persons) < 2:
        raise ValueError(f"games: {persons[0]!r} is the only player, and two are needed to compare")
    if len(persons) > MOST_LABELS:
        raise ValueError(f"games: {len(persons):,} different players, {MOST_LABELS:,} are allowed")


def _check_winners(result: np.ndarray, game: np.ndarray) -> None:
    """Refuse games that no one contestant has won, and results in which nothing was decided."""
    size, total = np.bincount(game), np.bincount(game, result)
    most = np.zeros(len(size))
    np.maximum.at(most, game, result)
    equal = np.abs(total - most * size) <= TOLERANCE * size
    if np.any((total > 1 + TOLERANCE) & ~equal):
        raise ValueError(SEVERAL)
    if not np.any((total > 0) & (size > 1)):
        raise ValueError("games: nobody has won any of them")


@dataclass(frozen=True, eq=False)
class Told:
    """What the line-ups alone say about which effects can be told apart, were all chances even.

    `likings` are the strengths of persons that look most like an effect of a label: who plays it often has much of it.
    """

    lineups: Lineups
    alone: np.ndarray  # (L, L): information on the effects of labels, were all persons equal
    beside: np.ndarray  # (L, L): what is left of it when every person's strength may be anything
    likings: np.ndarray  # (q, L)

    @cached_property
    def contrasts(self) -> np.ndarray:
        """Orthonormal directions of effects that line-ups could show, were all persons equal, shape (L, ...)."""
        return self._directions(self.alone)

    def contrasts_without(self, kind: str | None = None) -> np.ndarray:
        """Orthonormal directions that can be told from persons, the effects of a kind taken as even, shape (L, ...)."""
        kept = np.array([name != kind for name, _ in self.lineups.labels])
        return self._directions(np.where(np.outer(kept, kept), self.beside, 0.0))

    def _directions(self, matrix: np.ndarray) -> np.ndarray:
        values, vectors = np.linalg.eigh(matrix)
        return vectors[:, values > NOTHING * max(np.diag(self.alone).max(), 1.0)]

    @cached_property
    def slopes(self) -> np.ndarray:
        """How the chance of each label grows with the effects where all are even, shape (L, L)."""
        return self.lineups.chances(np.zeros(len(self.lineups.labels)))[1]

    @cached_property
    def information(self) -> np.ndarray:
        """The part of the information on each label's chance that is left beside persons, shape (L,); 0 if none is."""
        alone, beside = (_variances(self.slopes, each, self._directions(each)) for each in (self.alone, self.beside))
        told = self.is_told(self.slopes)
        return np.where(told, np.divide(alone, beside, out=np.ones(len(told)), where=told & (beside > 0)), 0.0)

    @cached_property
    def liked(self) -> int:
        """In how many directions persons differ in what they play, but have not always played the same."""
        part, whole = (dot(dot(self.contrasts.T, matrix), self.contrasts) for matrix in (self.beside, self.alone))
        left = linalg.eigh(part, whole, eigvals_only=True)
        return int(((left > 1e-6) & (left < 1 - 1e-6)).sum())

    def own(self, slopes: np.ndarray) -> np.ndarray:
        """Of derivatives by label and effect, those by effects of the label's own kind."""
        kinds = np.array([kind for kind, _ in self.lineups.labels])
        return np.where(kinds[:, None] == kinds, slopes, 0.0)

    def is_told(self, slopes: np.ndarray) -> np.ndarray:
        """Whether what has these derivatives (one for each row) can be told from persons, shape (rows,)."""
        return _within(slopes, self.contrasts_without())

    def groups(self, kind: str) -> list[list]:
        """Labels of a kind, those in one list that can be told from each other beside persons and other kinds."""
        return self._grouped(kind, self.contrasts_without())

    def is_hidden_by_persons(self, kind: str) -> bool:
        """Whether labels of a kind could be told apart if all persons were equal, and cannot."""
        return len(self._grouped(kind, self.contrasts)) < len(self.groups(kind))

    def _grouped(self, kind: str, directions: np.ndarray) -> list[list]:
        places = self.lineups.of(kind)
        kept = np.zeros_like(self.alone)
        kept[np.ix_(places, places)] = self.alone[np.ix_(places, places)]
        seen = self._directions(kept)
        groups: list[list] = []
        for place in places:
            for group in groups:
                pair = np.zeros((1, len(self.alone)))
                pair[0, place], pair[0, group[0]] = 1.0, -1.0
                pair = dot(dot(pair, seen), seen.T)
                if np.abs(pair).max() < 1e-6 or _within(pair, directions)[0]:
                    group.append(place)
                    break
            else:
                groups.append([place])
        return [[self.lineups.labels[place][1] for place in group] for group in groups]


def told(lineups: Lineups) -> Told:
    """What can be told apart in these line-ups."""
    choices, size = lineups.choices, len(lineups.labels)
    sizes = np.bincount(choices.game)[choices.game]
    whole = choices.information(choices.meeting(1 / sizes))
    alone, cross, persons = whole[:size, :size], whole[size:, :size], whole[size:, size:]
    scale = 1 / np.sqrt(np.maximum(np.diag(persons), 1e-300))
    scale[np.diag(persons) == 0] = 0
    values, vectors = np.linalg.eigh(persons * np.outer(scale, scale))
    vectors = vectors[:, values > NOTHING * 1e-2] * scale[:, None]
    likings = dot(vectors / values[values > NOTHING * 1e-2], dot(vectors.T, cross))
    return Told(lineups, alone, alone - dot(cross.T, likings), likings)


def _variances(slopes: np.ndarray, information: np.ndarray, directions: np.ndarray) -> np.ndarray:
    """Variances of what has these derivatives, by directions that have information."""
    along = dot(slopes, directions)
    if not along.size:
        return np.zeros(len(slopes))
    middle = dot(dot(directions.T, information), directions)
    return (along * np.linalg.solve(middle, along.T).T).sum(axis=1)


def _within(rows: np.ndarray, directions: np.ndarray) -> np.ndarray:
    """Whether each row is a sum of the directions."""
    size = np.sqrt(np.square(rows).sum(axis=1))
    left = rows - dot(dot(rows, directions), directions.T)
    return np.sqrt(np.square(left).sum(axis=1)) <= 1e-6 * size


#: How much stronger persons may be who play a label, in the effect of that label: a normal prior with this standard
#: deviation, which is as good as none (a person with an effect of 10 wins nearly always).
LIKING = 10.0


class Fits:
    """The models that are compared, all on the same games."""

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
        return best(self.model(self.seen.contrasts_without()))

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
        even = best(self.model(rest))
        return float(stats.chi2.sf(max(2 * (self.full.log_likelihood - even.log_likelihood), 0.0), freedom))

    @cached_property
    def spread_p_value(self) -> float:
        """Of the likelihood ratio of persons and none.

        If persons are equal, both their spread and how far it goes with what they play are 0. The one cannot be less,
        and is found to be 0 in half of all cases (Self and Liang 1987); the other can go either way for each direction.
        """
        found = best(self.model(self.seen.contrasts, is_held=True))
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
        return best(Model(self.choices, np.zeros((self.size + persons, 0)), 0, persons, offset=known))


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
