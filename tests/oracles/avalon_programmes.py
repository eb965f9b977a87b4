"""The game of teams and results by two linear programmes, seat by seat and set by set, without any symmetry.

One is evil's: it splits the weight of each set of evil seats between the results that the set can bring about, and pays
after each history for the best team. The other is the namer's: weights of teams after histories, and for each set of
evil seats the least that it can hold them to. Both know the board alone.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_matrix

History = tuple[tuple[tuple[int, ...], int], ...]  # teams, and what was shown: fails, or only whether it failed


@dataclass
class Missions:
    """A game of missions. With `cards` the number of fails is shown, and evil members play as many as they like.

    `only` are the teams that may be named for a mission, if not all; `needed` the fails that it takes.
    """

    players: int
    evil: int
    sizes: tuple[int, ...]
    needed: tuple[int, ...]
    cards: bool = False
    only: dict[int, list[tuple[int, ...]]] = field(default_factory=dict)

    def __post_init__(self):
        self.sets = list(combinations(range(self.players), self.evil))

    def teams(self, mission: int) -> list[tuple[int, ...]]:
        return self.only.get(mission) or list(combinations(range(self.players), self.sizes[mission]))

    def shown(self, history: History, team: tuple[int, ...], evil: tuple[int, ...]) -> list[int]:
        """What a set of evil seats can have shown; only that which wins at once, if there is such a thing."""
        most, needed = len(set(team) & set(evil)), self.needed[len(history)]
        can = list(range(most + 1)) if self.cards else [0, 1] if most >= needed else [0]
        return [mark for mark in can if self.good_won((*history, (team, mark))) is False][:1] or can

    def good_won(self, history: History) -> bool | None:
        """Whether good has won, None before the end."""
        bad = sum(mark >= (self.needed[mission] if self.cards else 1) for mission, (_, mark) in enumerate(history))
        if 2 * bad > len(self.sizes):
            return False
        return True if 2 * (len(history) - bad) > len(self.sizes) else None


@dataclass
class Rows:
    """A linear programme, row by row."""

    columns: int = 0
    at_most: list[dict[int, float]] = field(default_factory=list)
    equal: list[tuple[dict[int, float], float]] = field(default_factory=list)

    def new(self) -> int:
        self.columns += 1
        return self.columns - 1

    def least(self, goal: dict[int, float]) -> float:
        """The least value of a goal, over variables that are not negative."""
        at_most = self._matrix(self.at_most)
        equal = self._matrix([row for row, _ in self.equal])
        whole, costs = np.array([value for _, value in self.equal]), np.zeros(self.columns)
        costs[list(goal)] = list(goal.values())
        found = linprog(costs, at_most, np.zeros(len(self.at_most)), equal, whole, (0, None), method="highs-ipm")
        assert found.status == 0, found.message
        return found.fun

    def _matrix(self, rows: list[dict[int, float]]) -> csr_matrix:
        ends = np.cumsum([0, *map(len, rows)])
        columns = [column for row in rows for column in row]
        values = [value for row in rows for value in row.values()]
        return csr_matrix((values, columns, ends), shape=(len(rows), self.columns))


def evils(game: Missions) -> float:
    """The least share that evil can hold the namer to: its own programme."""
    rows = Rows()

    def worth(history: History, weights: dict[tuple[int, ...], int]) -> dict[int, int]:
        """The value after a history, as a row, by the variables that hold the weights of the sets of evil seats."""
        won = game.good_won(history)
        if won is not None or not weights:
            return dict.fromkeys(weights.values(), 1) if won else {}
        most = rows.new()
        for team in game.teams(len(history)):
            parts: dict[int, dict] = {}
            for evil, variable in weights.items():
                split = {mark: rows.new() for mark in game.shown(history, team, evil)}
                rows.equal.append(({variable: -1} | dict.fromkeys(split.values(), 1), 0))
                for mark, part in split.items():
                    parts.setdefault(mark, {})[evil] = part
            row = {most: -1}
            for mark, part in parts.items():
                row |= worth((*history, (team, mark)), part)
            rows.at_most.append(row)
        return {most: 1}

    start = {evil: rows.new() for evil in game.sets}
    rows.equal += [({variable: 1}, 1 / len(game.sets)) for variable in start.values()]
    return rows.least(worth((), start))


def namers(game: Missions) -> float:
    """The largest share that the namer of teams can be sure of: its own programme."""
    rows = Rows()

    def sure(history: History, weight: int, sets: list[tuple[int, ...]]) -> dict[tuple[int, ...], dict[int, float]]:
        """For each set of evil seats that the history leaves possible a row: what the namer is sure of against it."""
        won = game.good_won(history)
        if won is not None:
            return {evil: {weight: 1} if won else {} for evil in sets}
        named = {team: rows.new() for team in game.teams(len(history))}
        rows.equal.append((dict.fromkeys(named.values(), 1) | {weight: -1}, 0))
        totals: dict[tuple[int, ...], dict[int, float]] = {evil: {} for evil in sets}
        for team, variable in named.items():
            can = {evil: game.shown(history, team, evil) for evil in sets}
            later = {
                mark: sure((*history, (team, mark)), variable, [evil for evil in sets if mark in can[evil]])
                for mark in sorted({mark for marks in can.values() for mark in marks})
            }
            for evil, marks in can.items():
                least = rows.new()
                for mark in marks:
                    rows.at_most.append({least: 1} | {column: -value for column, value in later[mark][evil].items()})
                totals[evil][least] = 1
        return totals

    start = rows.new()
    rows.equal.append(({start: 1}, 1))
    totals = sure((), start, game.sets)
    return -rows.least({least: -1 / len(game.sets) for row in totals.values() for least in row})


def best_naming(game: Missions, fails: Callable, history: History = (), sets=None) -> int:
    """For how many sets of evil seats good wins by the best naming against a rule that it knows, by trying all."""
    sets = game.sets if sets is None else sets
    won = game.good_won(history)
    if won is not None or not sets:
        return len(sets) if won else 0
    row, most = tuple(bool(mark) for _, mark in history), 0
    for team in game.teams(len(history)):
        shown: dict[int, list] = {0: [], 1: []}
        for evil in sets:
            can = 1 in game.shown(history, team, evil)
            shown[int(can and fails(team, evil, row))].append(evil)
        most = max(most, sum(best_naming(game, fails, (*history, (team, mark)), shown[mark]) for mark in (0, 1)))
    return most
