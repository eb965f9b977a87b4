"""Games that are yet to come: chances given what is known of strengths, a match as even as can be found, luck."""

from collections.abc import Iterable

import numpy as np
import pandas as pd
from scipy import sparse, special, stats

from gamebalance.base.checks import all_different, instance, listed, shown
from gamebalance.base.rounding import meant
from gamebalance.base.sums import dot
from gamebalance.fairness.ratings.choices import Fit
from gamebalance.fairness.ratings.lineups import Lineups

#: Points of a scrambled Sobol' sequence over which chances are averaged, and its seed.
POINTS, SEED = 2**9, 20261129
#: Games whose line-ups stand for all in what luck is.
MOST_GAMES = 400
#: Starts of the search for an even match; digits of what is averaged.
STARTS, DIGITS = 20, 4


def normals(size: int) -> np.ndarray:
    """Points that are spread as independent standard normals, shape (POINTS, size)."""
    return special.ndtri(stats.qmc.Sobol(size, rng=np.random.default_rng(SEED)).random(POINTS))


def chances(strength: np.ndarray, covariance: np.ndarray) -> np.ndarray:
    """Chances of contestants to win, a draw left aside, averaged over what is not known of their strengths."""
    values, vectors = np.linalg.eigh(covariance)
    spread = vectors * np.sqrt(np.maximum(values, 0.0))
    return special.softmax(strength + dot(normals(len(strength)), spread.T), axis=1).mean(axis=0)


def bits(table: Lineups, effects: np.ndarray, spread: float, power: float) -> tuple[float, float]:
    """What strengths tell of a game's result between strangers, and what there is to tell, in bits.

    The mutual information of strengths and result, and the entropy of the result, averaged over recorded line-ups.
    """
    games = table.winners(table.design())
    strength = games.design @ effects
    sizes = np.diff(np.append(games.starts, len(games.game)))
    chosen = np.unique(np.linspace(0, len(sizes) - 1, min(MOST_GAMES, len(sizes))).astype(int))
    told = np.zeros((len(chosen), 2))
    for row, game in enumerate(chosen):
        here = strength[games.starts[game] :][: sizes[game]]
        size = table.size[table.starts[game] :][: table.contestants[game]]
        drawn = normals(len(size)) * spread * size ** (0.5 - power)
        if len(here) > len(size):  # a draw has the mean strength
            drawn = np.column_stack([drawn, drawn.mean(axis=1)])
        each = special.softmax(here + drawn, axis=1)
        whole = special.entr(each.mean(axis=0)).sum()
        told[row] = whole - special.entr(each).sum(axis=1).mean(), whole
    told = told.mean(axis=0) / np.log(2)
    return float(told[0]), float(told[1])


class Seated:
    """Games to come of rated persons: what their strengths make of chances, and which game would be even.

    `states`, shape (q, coordinates), makes the strength of each person at last of what is not free in the fit, `since`
    is the variance of the steps from then on, and `stranger` that of somebody who has not played.
    """

    def __init__(
        self, table: Lineups, fit: Fit, states: sparse.csr_array, since: np.ndarray, stranger: float, power: float
    ):
        self.table, self.fit, self.states, self.since = table, fit, states, since
        self.stranger, self.power = stranger, power
        self.places = {person: place for place, person in enumerate(table.persons)}
        self.codes = {label: place for place, label in enumerate(table.labels)}

    def forecast(self, frame: pd.DataFrame) -> pd.DataFrame:
        """By row the `chance`, what it would win, and how often its game would be `drawn`, averaged as `chances`."""
        table = self.table
        instance("table", frame, pd.DataFrame)
        kinds = [*table.kinds, *([table.lead] if table.grouped and table.lead not in table.kinds else [])]
        missing = [name for name in ("player", *kinds) if name not in frame]
        if missing:
            raise ValueError(f"table: a column {missing[0]} is needed; it has {', '.join(map(str, frame.columns))}")
        game = pd.factorize(frame["game"])[0] if "game" in frame else np.zeros(len(frame), int)
        if not len(frame) or game.min() < 0:
            raise ValueError("table: rows with players are needed, and a game of each")
        if (twice := frame[["player"]].assign(game=game).duplicated() & frame["player"].notna()).any():
            raise ValueError(f"table: {shown(frame['player'][twice].iloc[0])} stands twice in a game")
        found = np.empty((len(frame), 2))
        labels = [self._labels(kind, frame[kind]) for kind in table.kinds]
        for number in range(game.max() + 1):
            rows = np.flatnonzero(game == number)
            camp = pd.factorize(self._camps(frame.iloc[rows]))[0]
            if camp.max() < 1:
                raise ValueError("table: one side alone stands there, and a game has two or more")
            who = frame["player"].to_numpy()[rows]
            found[rows] = self._won(camp, [each[rows] for each in labels], who)[camp]
        return pd.DataFrame(meant(found, DIGITS), frame.index, ["chance", "drawn"])

    def _labels(self, kind: str, column: pd.Series) -> np.ndarray:
        codes = np.array([self.codes.get((kind, label), -1) for label in column])
        if (codes < 0).any():
            known = ", ".join(str(label) for name, label in self.codes if name == kind)
            raise ValueError(
                f"table: {kind} {shown(column.tolist()[int((codes < 0).argmax())])}: one of {known} is needed"
            )
        return codes

    def _camps(self, frame: pd.DataFrame) -> np.ndarray:
        """Who wins together: by side, or by roles that did; else each alone."""
        if not self.table.grouped:
            return np.arange(len(frame))
        return np.array([self.table.camps.get(label, label) for label in frame[self.table.lead]], object)

    def _won(self, camp: np.ndarray, labels: list[np.ndarray], who: np.ndarray) -> np.ndarray:
        """What each contestant of a game would win, and how often it would be drawn, shape (contestants, 2)."""
        model, sides = self.fit.model, camp.max() + 1
        size = np.bincount(camp)
        free = np.zeros((sides, model.free))
        for codes in labels:
            np.add.at(free, (camp, codes), 1 / size[camp])
        place = np.array([self.places.get(person, -1) for person in who])
        weight = (size**-self.power)[camp]
        known = place >= 0
        there = sparse.csr_array((weight[known], (camp[known], place[known])), shape=(sides, len(self.places)))
        rows = sparse.hstack([free, there @ self.states], format="csr")
        own = np.bincount(camp, weight**2 * np.where(known, self.since[place], self.stranger), sides)
        strength, covariance = rows @ self.fit.place, rows @ (rows @ self.fit.covariance).T + np.diag(own)
        if not self.table.drawn.any():
            return np.column_stack([chances(strength, covariance), np.zeros(sides)])
        mean = np.vstack([np.eye(sides), np.full(sides, 1 / sides)])  # a draw has the mean strength
        effect = self.fit.place[model.free - 1] * (np.arange(sides + 1) == sides)
        found = chances(mean @ strength + effect, mean @ covariance @ mean.T)
        won = found[:-1] + found[-1] * self.table.total[self.table.drawn].mean() / sides
        return np.column_stack([won, np.full(sides, found[-1])])

    def even_match(self, players: Iterable) -> pd.DataFrame:
        """A game of these players that is as even as a search finds."""
        players = listed("players", players)
        table, size = self.table, len(players)
        if not all_different(players):
            raise ValueError(f"players = {shown(players)}: different ones are needed")
        seated = np.bincount(table.game[table.contestant])
        if size not in seated:
            raise ValueError(
                f"players: {size} are named, and games of {shown(sorted({*seated.tolist()}))} are recorded"
            )
        rows = table.template(size)
        camp = pd.factorize(table.contestant[rows])[0]
        frame = pd.DataFrame(
            {kind: [table.labels[code][1] for code in table.codes[kind][rows]] for kind in table.kinds}
        )
        strengths = self.states @ self.fit.place[self.fit.model.free :]
        strength = np.array([strengths[self.places[person]] if person in self.places else 0.0 for person in players])
        base = self.table.labelled[np.unique(table.contestant[rows])] @ self.fit.place[: len(table.labels)]
        order = most_even(strength, camp, base, np.bincount(camp) ** -self.power)
        frame.insert(0, "player", pd.Series([players[place] for place in order], dtype=object))
        return frame.assign(chance=self.forecast(frame)["chance"])


def most_even(strength: np.ndarray, camp: np.ndarray, base: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Which person takes which place, so that contestants have chances as equal as a search finds.

    `strength` is that of each person, `camp` the contestant of each place, `base` the strength of contestants without
    persons, `weight` what a member's counts in each. Two persons change places while that makes the largest chance less
    the smallest smaller, from the given order and from others at random.
    """
    random, size = np.random.default_rng(SEED), len(strength)
    pairs = [(one, other) for one in range(size) for other in range(one) if camp[one] != camp[other]]

    def apart(order: np.ndarray) -> float:
        sides = base + weight * np.bincount(camp, strength[order], len(base))
        return float(meant(np.ptp(special.softmax(sides)), DIGITS, residue=1e-9))

    best = np.arange(size)
    for start in range(STARTS):
        order = random.permutation(size) if start else np.arange(size)
        here, last = apart(order), np.inf
        while here < last:
            last = here
            for one, other in pairs:
                order[[one, other]] = order[[other, one]]
                if (there := apart(order)) < here:
                    here = there
                else:
                    order[[one, other]] = order[[other, one]]
        if here < apart(best):
            best = order
    return best
