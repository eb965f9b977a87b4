"""What either side of Avalon can be sure of at a table without special roles, and what Merlin can add at most.

**The game of names.** Teams are named one after the other; evil, who knows all, lets each mission pass or fail; who
names the teams sees the results. Let V be its value: the largest share of games that a way to name teams, with lots, is
sure to win.

*Good can be sure of V* if the people can toss coins that all see, anew before each mission (evil would know the teams
to come from coins tossed once): the coins and the plan name a team, seats included, good players propose it and approve
nothing else. They have the majority, and evil leaders can waste at most as many proposals in a row as there are evil
players, so there must be more proposals than these.

*Whatever way good has agreed to play, evil can answer so that good wins at most V.* Evil players, who have to know that
way, say, propose and vote what good players would in their seats, who know no more than that they are good. Then what
is said and voted is as likely for any set of evil seats, given the results of the missions, and so it names teams as
somebody could who sees these alone; rejected teams can only cost good games. The cards follow evil's best answer in the
game of names. For the boards of the rule book the rule `HIDES` is such an answer to all ways to name teams at once; it
draws no lots, and two evil members who know each other carry it out without talk: as many as are needed play fail,
those in the lowest seats.

*More fails than needed only tell, and so do fails that change nothing.* Let each set of evil seats have a weight, how
likely the results so far have made it. What good then wins at best is a function of the weights: at the end linear; at
a mission the largest, over the teams, of the least value over all ways to split each weight among what may be shown.
This is convex, and multiplied with the weights, so two parts are worth as much as their sum or more. So evil loses
nothing by showing the same wherever it can: no fail on a mission that succeeds, and one number of fails on one that
does not, which a set that could show more can show as well.

*Symmetry.* Weights averaged over all exchanges of seats that have always gone together, or never, are worth no more. So
seats are told apart by their *block*, those that have been in the same teams so far. A team takes so many seats of each
block; a *spread* says how many evil players each block holds.

*With Merlin* and no Oberon evil knows its own, and may shoot at any other player: good wins at most 1 - 1 / (good
players). It can be sure of V times this, if Merlin plays as all others do.
"""

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, prod

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_matrix

from gamebalance.base.checks import whole_number
from gamebalance.games.avalon.rules import BOARDS, Board

#: Missions that evil lets pass in the rule that is best for it, by players; it makes all others fail where it can.
HIDES = {5: (0, 2), **dict.fromkeys(range(6, 11), (0,))}

Counts = tuple[int, ...]  # so many of each block
History = tuple[tuple[Counts, bool], ...]  # teams, and whether the mission failed


@cache
def teams(blocks: Counts, size: int) -> tuple[Counts, ...]:
    """The teams of a size: how many seats they take of each block.

    >>> teams((2, 3), 2)
    ((0, 2), (1, 1), (2, 0))
    """
    taken = product(*[range(min(block, size) + 1) for block in blocks])
    return tuple(team for team in taken if sum(team) == size)


@cache
def after(blocks: Counts, team: Counts) -> Counts:
    """The blocks when a team has gone: those of its members, and those of the others."""
    return tuple(part for block, taken in zip(blocks, team, strict=True) for part in (taken, block - taken) if part)


@cache
def spreads(blocks: Counts, team: Counts, spread: Counts) -> tuple[tuple[Counts, int], ...]:
    """The spreads over the blocks after a team that belong to a spread over those before, and the evil in the team.

    >>> spreads((5,), (2,), (2,))
    (((0, 2), 0), ((1, 1), 1), ((2, 0), 2))
    """
    inside = [
        range(max(0, evil - block + taken), min(taken, evil) + 1)
        for block, taken, evil in zip(blocks, team, spread, strict=True)
    ]
    found = []
    for members in product(*inside):
        parts = zip(blocks, team, spread, members, strict=True)
        pairs = [((evil, taken), (all_ - evil, block - taken)) for block, taken, all_, evil in parts]
        found.append((tuple(evil for pair in pairs for evil, seats in pair if seats), sum(members)))
    return tuple(found)


def sets(blocks: Counts, spread: Counts) -> int:
    """How many sets of evil seats a spread holds."""
    return prod(map(comb, blocks, spread))


def held_to(board: Board, hides: Collection[int]) -> Fraction:
    """The most that good can win if evil lets these missions pass, and makes all others fail where it can: exactly.

    A mission that evil lets pass is none that would lose the game, and one that would win it always fails. This number
    is no less than the value. ValueError if evil players could use up all proposals.

    >>> str(held_to(BOARDS[5], (0, 2))), str(held_to(BOARDS[5], ()))
    ('3/10', '1/2')
    """
    last = _checked(board).to_win - 1

    def best(blocks: Counts, open_: tuple[Counts, ...], won: int, lost: int) -> int:
        if won > last:
            return sum(sets(blocks, spread) for spread in open_)
        if lost > last or not open_:
            return 0
        mission = won + lost
        waits = mission in hides and won < last and lost < last
        most = 0
        for team in teams(blocks, board.sizes[mission]):
            passes: list = []
            fails: list = []
            for spread in open_:
                for finer, evil in spreads(blocks, team, spread):
                    (fails if evil >= board.fails_needed[mission] and not waits else passes).append(finer)
            finer_blocks = after(blocks, team)
            wins = best(finer_blocks, tuple(passes), won + 1, lost) + best(finer_blocks, tuple(fails), won, lost + 1)
            most = max(most, wins)
        return most

    start = (board.players,), (board.evil,)
    return Fraction(best(start[0], (start[1],), 0, 0), sets(*start))


def _checked(board: Board) -> Board:
    """The board, if evil leaders cannot use up all proposals."""
    if board.proposals <= board.evil:
        raise ValueError(f"board.proposals = {board.proposals}: more than the {board.evil} evil players are needed")
    return board


@dataclass(frozen=True)
class Plan:
    """A way to name teams: by the history, the chance of each team; where `chances` lack it, any first team."""

    board: Board
    chances: dict[History, dict[Counts, Fraction]]

    def at(self, history: History, blocks: Counts) -> dict[Counts, Fraction]:
        """The chances of the teams after a history."""
        return self.chances.get(history) or {teams(blocks, self.board.sizes[len(history)])[0]: Fraction(1)}

    def guarantees(self) -> Fraction:
        """The least share of games that good wins with this plan, whatever evil does: exactly, in fractions."""
        return self._least((), (self.board.players,), (self.board.evil,))

    def _least(self, history: History, blocks: Counts, spread: Counts) -> Fraction:
        """The same by the spread of evil, after a history."""
        won, lost = _score(history)
        if max(won, lost) == self.board.to_win:
            return Fraction(won > lost)
        total = Fraction(0)
        for team, chance in self.at(history, blocks).items():
            finer_blocks = after(blocks, team)
            for finer, evil in spreads(blocks, team, spread):
                able = evil >= self.board.fails_needed[len(history)]
                results = [((*history, (team, failed)), finer_blocks, finer) for failed in (False, True)[: 1 + able]]
                part = Fraction(sets(finer_blocks, finer), sets(blocks, spread))
                total += chance * part * min(self._least(*result) for result in results)
        return total


def best_plan(board: Board, digits: int = 5) -> Plan:
    """The way to name teams by which good can be sure of most, found by a linear programme and made of fractions.

    Boards of up to seven players take two seconds or less, the others 10 seconds to ten minutes, and up to 3 GiB. What
    the plan is worth is a matter of `Plan.guarantees` alone, which does not know of the programme.
    """
    whole_number("digits", digits, 1, 9)
    programme = _Programme(_checked(board))
    programme.node((), (board.players,), ((board.evil,),), None)
    found, plan = programme.solved(), {}
    for history, named in programme.weights.items():
        total = sum(found[variable] for variable in named.values())
        if total > 1e-9:  # else the plan does not lead there
            parts = {team: Fraction(found[each] / total).limit_denominator(10**digits) for team, each in named.items()}
            plan[history] = {team: part / sum(parts.values()) for team, part in parts.items() if part}
    return Plan(board, plan)


class _Programme:
    """Good's linear programme: the largest guarantee, over the weights of all teams after all histories.

    Variables are the weight of each team after each history, and what each spread is sure to win there.
    """

    def __init__(self, board: Board):
        self.board, self.size = board, 0
        self.upper: list[dict] = []
        self.equal: list[dict] = []
        self.weights: dict[History, dict[Counts, int]] = {}

    def variable(self) -> int:
        self.size += 1
        return self.size - 1

    def node(self, history: History, blocks: Counts, open_: tuple[Counts, ...], weight: int | None) -> dict:
        """The variables for what each spread is sure to win after a history that has this weight (None: 1)."""
        named = {team: self.variable() for team in teams(blocks, self.board.sizes[len(history)])}
        self.weights[history] = named
        self.equal.append(dict.fromkeys(named.values(), 1) | ({} if weight is None else {weight: -1}))
        sure = {spread: self.variable() for spread in open_}
        rows = {spread: {variable: sets(blocks, spread)} for spread, variable in sure.items()}
        for team, variable in named.items():
            finer_blocks = after(blocks, team)
            finer = {spread: spreads(blocks, team, spread) for spread in open_}
            evil = dict(pair for pairs in finer.values() for pair in pairs)
            worth = self._team(history, team, finer_blocks, evil, variable)
            for spread, pairs in finer.items():
                for each, _ in pairs:
                    if worth[each] is not None:
                        row = rows[spread]
                        row[worth[each]] = row.get(worth[each], 0) - sets(finer_blocks, each)
        self.upper.extend(rows.values())
        return sure

    def _team(self, history: History, team: Counts, blocks: Counts, evil: dict[Counts, int], weight: int) -> dict:
        """For each spread after a team the variable of what it is sure to win; None where that is nothing."""
        (won, lost), last = _score(history), self.board.to_win - 1
        able = [spread for spread, members in evil.items() if members >= self.board.fails_needed[len(history)]]
        may_pass = tuple(spread for spread in evil if spread not in able or (won < last and lost < last))
        passed, failed = dict.fromkeys(may_pass, weight), dict.fromkeys(able)
        if won < last:
            passed = self.node((*history, (team, False)), blocks, may_pass, weight) if may_pass else {}
        if lost < last and able:
            failed = self.node((*history, (team, True)), blocks, tuple(able), weight)
        return {spread: self._least(spread, passed, failed) for spread in evil}

    def _least(self, spread: Counts, passed: dict, failed: dict) -> int | None:
        """A variable that is at most both of these, where both may come."""
        if spread not in failed or spread not in passed:
            return (failed if spread in failed else passed)[spread]
        least = self.variable()
        self.upper += [{least: 1, passed[spread]: -1}, {least: 1, failed[spread]: -1}]
        return least

    def solved(self) -> np.ndarray:
        """The variables that solve the programme."""
        whole, goal = np.zeros(len(self.equal)), np.zeros(self.size)
        whole[0] = 1  # the histories begin with the empty one; its row was the first
        goal[len(self.weights[()])] = -1  # what the only spread is sure to win before the first mission
        upper, equal = self._matrix(self.upper), self._matrix(self.equal)
        found = linprog(goal, upper, np.zeros(len(self.upper)), equal, whole, (0, None), method="highs-ipm")
        if found.status:
            raise ValueError(f"board = {self.board}: the linear programme was not solved: {found.message}")
        return found.x

    def _matrix(self, rows: list[dict[int, int]]):
        """A sparse matrix of rows given by their entries."""
        places = [(at, column, value) for at, row in enumerate(rows) for column, value in row.items()]
        at, column, value = zip(*places, strict=True)
        return coo_matrix((value, (at, column)), shape=(len(rows), self.size)).tocsr()


def _score(history: History) -> tuple[int, int]:
    """How many missions have succeeded, and failed."""
    lost = sum(failed for _, failed in history)
    return len(history) - lost, lost


def merlin_at_most(board: Board) -> Fraction:
    """The most that good can win with Merlin and no Oberon: if all else is won, a shot at random still hits him."""
    return 1 - Fraction(1, board.players - board.evil)


def row(players: int) -> dict[str, int | str]:
    """What either side is sure of at the board of the rule book, in sets of evil seats: a row of the stored table."""
    board = BOARDS[whole_number("players", players, min(BOARDS), max(BOARDS))]
    number_of_sets = comb(board.players, board.evil)
    held, sure = held_to(board, HIDES[players]), best_plan(board).guarantees()
    counts = {"held_to": str(held * number_of_sets), "sure_of": str(sure * number_of_sets)}
    return {"players": players, "sets": number_of_sets} | counts
