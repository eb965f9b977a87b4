"""Who stood against whom: contestants of all games, their labels and persons, and the choices that results are."""

import re
from collections.abc import Hashable
from functools import cached_property

import numpy as np
import pandas as pd
from scipy import linalg, sparse

from gamebalance.base.checks import shown, whole_number
from gamebalance.base.kinds import Integral, Real
from gamebalance.base.sums import dot
from gamebalance.fairness.checking import TOLERANCE
from gamebalance.fairness.games import Games, coded, contestants
from gamebalance.fairness.ratings.choices import Choices

#: What is added to the information on persons when it is asked what they like, so that those who played once say
#: little; hardly anything, when it is asked what can be told beside them; and on their mean, which is kept at 0.
RIDGE, HARDLY, MEAN = 0.1, 1e-6, 1e6
#: More labels than this leave nothing to say about each.
MOST_EFFECTS = 100
SEVERAL = "games: some have several winners: a column side is needed, which says who won together"


class Lineups:
    """Contestants of all games, sides or single players: what they consist of, and what they won.

    There are L `labels` (kind, label), kind by kind, and q `persons`. By contestant: its `game`, `size` and result
    `won`; `labelled`, shape (contestants, L), the part of its members that has each label; `plays`, the same shape, how
    often each label counts: once for each member, and once for a side. By member: the `contestant`, and the `person`,
    -1 where none is written. By game: whether it was `drawn`, and the `period`, a place in `periods`.
    """

    def __init__(self, games: Games, kinds: tuple[str, ...], over: str | int | None = None):
        rows, self.kinds, self.reading = games.rows, kinds, games.reading.replace(" not used", " no results or labels")
        self.lead, self.contestant, first = contestants_of(games, kinds)
        self.game, self.size = rows["game"].to_numpy()[first], np.bincount(self.contestant)
        self.won = rows["won"].to_numpy(float)[first]
        #: A side's place is that of its best member.
        self.placing = rows["placing"].groupby(self.contestant).min().to_numpy() if "placing" in rows else None
        self.persons, self.person = coded(rows["player"])
        columns = {kind: coded(rows[kind]) for kind in kinds}
        #: Whether sides win; and of each role that wins with others, the first of these.
        self.grouped, self.camps = bool(self.size.max() > 1), dict[Hashable, Hashable]()
        if self.grouped and self.lead == "role":
            names, codes = coded(rows["role"])
            beside = self._counted(codes, len(names))
            first_beside = ((beside.T @ beside).toarray() > 0).argmax(axis=1)
            self.camps = {name: names[place] for name, place in zip(names, first_beside.tolist(), strict=True)}
        self.labels = [(kind, label) for kind, (names, _) in columns.items() for label in names]
        self._check(columns)
        counted = [self._counted(codes, len(names)) for names, codes in columns.values()]
        before = np.cumsum([0, *(len(names) for names, _ in columns.values())])
        #: The place of each member's label, by kind.
        self.codes = {kind: codes + shift for (kind, (_, codes)), shift in zip(columns.items(), before, strict=False)}
        nothing = sparse.csr_array((len(self.size), 0))  # where persons are all there is
        self.labelled = sparse.csr_array(sparse.diags_array(1 / self.size) @ sparse.hstack([nothing, *counted]))
        for kind, counts in zip(kinds, counted, strict=True):
            if kind == "side":
                counts.data[:] = 1.0
        self.plays = sparse.csr_array(sparse.hstack([nothing, *counted]))
        self.counts = self.plays.sum(axis=0)
        self.shares = self.plays.T @ self.won / self.counts
        #: Where the contestants of each game begin, how many there are, what they won together.
        self.starts = np.flatnonzero(np.diff(self.game, prepend=-1))
        self.contestants, self.total = np.bincount(self.game), np.bincount(self.game, self.won)
        self.drawn = np.maximum.reduceat(self.won, self.starts) - np.minimum.reduceat(self.won, self.starts) < TOLERANCE
        self._check_winners()
        self.periods, self.period = _periods(rows, over, len(self.starts))

    def _check(self, columns: dict[str, tuple[list, np.ndarray]]) -> None:
        """Refuse what leaves nothing to compare, or too much."""
        for kind, (names, _) in columns.items():
            if len(names) < 2:
                raise ValueError(f"by = {kind!r}: {names[0]!r} is the only one, and two are needed to compare")
        if len(self.labels) > MOST_EFFECTS:
            many = f"{len(self.labels):,} different labels, {MOST_EFFECTS} are allowed"
            raise ValueError(f"by = {shown((*columns,))}: {many}")
        if len(self.persons) < 2:
            who = f"{self.persons[0]!r} is the only player" if self.persons else "no player has a name"
            raise ValueError(f"games: {who}, and two are needed to compare")

    def _check_winners(self) -> None:
        if (~self.drawn & (self.total > 1 + TOLERANCE)).any():
            raise ValueError(SEVERAL)
        if self.drawn.all():
            raise ValueError("games: nobody has won any of them")

    def _counted(self, codes: np.ndarray, size: int) -> sparse.csr_array:
        """How many members of each contestant have each code."""
        there = codes >= 0
        places = self.contestant[there], codes[there]
        return sparse.csr_array((np.ones(there.sum()), places), shape=(len(self.size), size))

    def peopled(self, power: float, moving: bool = False) -> sparse.csr_array:
        """How much of each strength is in each contestant's: the sum of its members' over a power of its size."""
        who, size = (self.states[2], len(self.states[0])) if moving else (self.person, len(self.persons))
        return sparse.csr_array(sparse.diags_array(self.size**-power) @ self._counted(who, size))

    @cached_property
    def states(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Persons in the periods in which they play: person and period of each, and the place of each member's."""
        there, place = self.person >= 0, np.full(len(self.person), -1)
        here = self.person * len(self.periods) + self.period[self.game[self.contestant]]
        found, place[there] = np.unique(here[there], return_inverse=True)
        return found // len(self.periods), found % len(self.periods), place

    @cached_property
    def group(self) -> np.ndarray:
        """The group of each person: those of two groups never met, not even by way of others."""
        there, size = self.person >= 0, len(self.persons) + len(self.starts)
        met = self.person[there], len(self.persons) + self.game[self.contestant[there]]
        graph = sparse.csr_array((np.ones(there.sum()), met), shape=(size, size))
        return sparse.csgraph.connected_components(graph, directed=False)[1][: len(self.persons)]

    def often(self, moving: bool = False) -> np.ndarray:
        """The part of all seats that each person, or person in a period, has had."""
        who, size = (self.states[2], len(self.states[0])) if moving else (self.person, len(self.persons))
        seats = np.bincount(who[who >= 0], minlength=size)
        return seats / seats.sum()

    def template(self, size: int) -> np.ndarray:
        """The rows of the first game of so many players whose labels, by who wins together, are the most common."""
        game = self.game[self.contestant]
        rows = np.flatnonzero((np.bincount(game) == size)[game])
        place = np.vstack(
            [self.contestant[rows] - self.starts[game[rows]], *(codes[rows] for codes in self.codes.values())]
        )
        order = np.lexsort((*place, game[rows]))
        kind = np.unique(
            place[:, order].T.reshape(len(rows) // size, -1), axis=0, return_index=True, return_counts=True
        )
        first = int(kind[1][kind[2].argmax()])
        return rows[order][first * size : (first + 1) * size]

    def of(self, kind: str) -> np.ndarray:
        """The places of the labels of a kind."""
        return np.array([place for place, (name, _) in enumerate(self.labels) if name == kind], int)

    def design(self, peopled: sparse.csr_array | None = None) -> sparse.csr_array:
        """Effects in each contestant's strength: of labels; of a draw, if there are any; of what it is peopled by."""
        parts = [self.labelled, sparse.csr_array((len(self.game), int(self.drawn.any()))), peopled]
        return sparse.csr_array(sparse.hstack([part for part in parts if part is not None], format="csr"))

    def winners(self, design: sparse.csr_array) -> Choices:
        """Each game as a choice of its winner among contestants of this design; or of a draw, if there are any.

        A draw has the mean strength of all who could win, and an effect of its own (Davidson 1970). It stands after
        them, and all games have one, or none has.
        """
        result = np.where(self.drawn[self.game], 0.0, self.won)
        if not self.drawn.any():
            return Choices(design, result, self.game)
        games = np.arange(len(self.starts))
        mean = sparse.csr_array((1 / self.contestants[self.game], (self.game, np.arange(len(self.game)))))
        effect = sparse.csr_array((np.ones(len(games)), (games, np.full(len(games), len(self.labels)))), design.shape)
        rows = sparse.vstack([design, mean @ design + effect[: len(games)]], format="csr")
        game = np.append(self.game, games)
        order = np.argsort(game, kind="stable")
        return Choices(rows[order], np.append(result, self.drawn)[order], game[order])

    def choices(self, peopled: sparse.csr_array) -> Choices:
        """All results, with effects as in `design`.

        Where places are known, whoever comes next is chosen among those who are left (Plackett 1975); equal ones share
        a choice. Each label has drawn one game more, against a contestant without effects, so that no effect is
        infinite (Greenland and Mansournia 2015).
        """
        design, labels = self.design(peopled), len(self.labels)
        parts = [self.winners(design)]
        if self.placing is not None:
            place = pd.Series(self.placing).groupby(self.game).rank("dense").to_numpy()
            last = np.maximum.reduceat(place, self.starts)[self.game]
            for step in range(2, int(last.max())):
                left = np.flatnonzero((place >= step) & (last > step))
                game = np.unique(self.game[left], return_inverse=True)[1]
                chosen = (place[left] == step).astype(float)
                parts.append(Choices(design[left], chosen / np.bincount(game, chosen)[game], game))
        units = np.ones(labels), (2 * np.arange(labels), np.arange(labels))
        drawn = sparse.csr_array(units, shape=(2 * labels, design.shape[1]))
        parts += [Choices(drawn, np.full(2 * labels, 0.5), np.repeat(np.arange(labels), 2))] * (labels > 0)
        before = np.cumsum([0, *(part.game[-1] + 1 for part in parts)])
        return Choices(
            sparse.vstack([part.design for part in parts], format="csr"),
            np.concatenate([part.result for part in parts]),
            np.concatenate([part.game + shift for part, shift in zip(parts, before, strict=False)]),
        )

    def likings(self, peopled: sparse.csr_array, ridge: float = RIDGE) -> tuple[np.ndarray, np.ndarray]:
        """Strengths of persons that look most like an effect of each label, and what is told beside any strengths.

        The first, shape (q, L), are what persons like to play; their mean over all who sat somewhere is 0, so that they
        make nobody stronger in general. The second are information on the effects of labels at even chances, shape
        (2, L, L): if strengths were known, and what is left of it where they may be anything, but for the `ridge`.
        """
        design = sparse.csr_array(sparse.hstack([self.labelled, peopled], format="csr"))
        even = 1 / self.contestants[self.game]
        whole, labels = Choices(design, self.won, self.game).information(even), len(self.labels)
        often = self.often()
        persons = whole[labels:, labels:] + ridge * np.eye(len(often)) + MEAN * np.outer(often, often)
        found = linalg.solve(persons, whole[labels:, :labels], assume_a="pos")
        alone = whole[:labels, :labels]
        return found, np.array([alone, alone - dot(whole[:labels, labels:], found)])

    def chances(self, effects: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What labels would win on the average over line-ups, were all persons equal, and derivatives by the effects.

        Draws count as they do in the results: for nothing, or as equal shares of a win.
        """
        games = self.winners(self.design())
        chance, _ = games.chances(games.design @ effects)
        paid = self.plays.T
        if self.drawn.any():
            worth = self.total[self.drawn].mean() / self.contestants[self.game]
            part = sparse.csr_array((worth, (np.arange(len(self.game)), self.game)))
            order = np.argsort(np.append(self.game, np.arange(len(self.starts))), kind="stable")
            paid = sparse.csr_array(sparse.hstack([paid, paid @ part], format="csc")[:, order])
        paid = paid @ sparse.diags_array(chance)
        mean = games.by_game @ sparse.diags_array(chance) @ games.design
        slope = (paid @ games.design - (paid @ games.by_game.T) @ mean).toarray()
        return paid.sum(axis=1) / self.counts, slope / self.counts[:, None]

    def added(self, effects: np.ndarray, side: np.ndarray, more: np.ndarray) -> np.ndarray:
        """What some contestants would win more, were each so much stronger among others of equal persons."""
        games = self.winners(self.design())
        chance, _ = games.chances(games.design @ effects)
        drawn, worth = np.zeros(len(self.starts)), 0.0
        if self.drawn.any():
            last = np.append(games.starts[1:], len(chance)) - 1
            drawn, worth, chance = chance[last], self.total[self.drawn].mean(), np.delete(chance, last)
        chance, drawn, sides = chance[side], drawn[self.game[side]], self.contestants[self.game[side]]
        won, even = chance * np.exp(more), drawn * np.exp(more / sides)  # a draw has the mean strength
        return (won + even * worth / sides) / (won + even + 1 - chance - drawn) - chance - drawn * worth / sides


def contestants_of(games: Games, kinds: tuple[str, ...]) -> tuple[str, np.ndarray, np.ndarray]:
    """What says who wins together, the number of each row's contestant, and the first row of each."""
    rows = games.rows
    if rows is None or "player" not in rows:
        columns = "only numbers" if rows is None else ", ".join(games.kinds)
        raise ValueError(f"games: a column player is needed, which says who played; they have {columns}")
    lead = next((kind for kind in ("side", "role") if kind in games.kinds), "player")
    names, codes = coded(rows[lead])
    contestant, first = contestants(rows, lead, codes, len(names))
    if len(first) < len(rows) and lead == "player":
        if np.bincount(rows["game"], rows["won"] > 0).max() > 1:
            raise ValueError(SEVERAL)
        contestant = first = np.arange(len(rows))  # all of a drawn game look like one side that has lost
    if len(first) < len(rows) and kinds and not {"side", "role"} & {*kinds}:
        raise ValueError(
            f"by = {shown(kinds[0])}: sides win these games, so that {lead} is needed too: by = {(lead, *kinds)!r}"
        )
    return lead, contestant, first


def _periods(rows: pd.DataFrame, over: str | int | None, games: int) -> tuple[list, np.ndarray]:
    """The periods there are, and that of each game: by a column, or so many games each."""
    if over is None:
        return [None], np.zeros(games, int)
    if isinstance(over, Integral) and not isinstance(over, bool):
        codes = np.arange(games) // min(whole_number("over", over, 1), games)
        return [*range(1, codes[-1] + 2)], codes
    if not isinstance(over, str) or over not in rows:
        raise ValueError(f"over = {shown(over)}: a number of games, or a column of these results, is needed")
    names, codes = _in_time(*coded(rows[over]))
    starts = np.flatnonzero(np.diff(rows["game"], prepend=-1))
    if (codes < 0).any() or (codes != codes[starts][rows["game"]]).any():
        raise ValueError(f"over = {shown(over)}: each game needs one, the same in all of its rows")
    return names, codes[starts]


def _in_time(names: list, codes: np.ndarray) -> tuple[list, np.ndarray]:
    """Periods in order, and the place of each row's: dates, and texts that differ in one number, by that.

    Where the year stands last, points follow day and month, and a number beyond 12 is no month.
    """
    keys = names
    if isinstance(names[0], Real) or len({*map(type, names)}) > 1:
        return names, codes
    if isinstance(names[0], str):
        if len({re.sub(r"\d+", "0", name) for name in names}) > 1:
            return names, codes
        numbers = np.array([[int(digits) for digits in re.findall(r"\d+", name)] for name in names])
        if numbers.shape[1] == 3 and numbers[:, 2].min() > 999 and ("." in names[0] or numbers[:, :2].max() > 12):
            month = int(numbers[:, 1].max() <= 12)
            numbers = numbers[:, [2, month, 1 - month]]
        elif (numbers[:, :1] < 1000).any() and np.count_nonzero(np.ptp(numbers, axis=0)) != 1:
            return names, codes
        keys = numbers.tolist()
    order = sorted(range(len(names)), key=keys.__getitem__)
    return [names[place] for place in order], np.append(np.argsort(order), -1)[codes]
