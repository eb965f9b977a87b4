"""What play is like: all games of small games by the definitions in words, and one draft written in many ways."""

import sys
from functools import cache
from itertools import pairwise
from math import log10

import numpy as np
import pytest

from gamebalance.fairness.reports.exact import ExactPlay
from gamebalance.fairness.reports.shape import ExactShape
from gamebalance.fairness.reports.tables import Seats
from gamebalance.games import Nim, Tree, kuhn, tictactoe
from gamebalance.multiplayer.graph import GameGraph, course
from gamebalance.multiplayer.protocols import CHANCE, OVER
from tests.fairness.draft import WAYS
from tests.multiplayer.written_trees import known, random_game, ruin, waiting

#: What a definition says to depend on how rules are written.
ENCODED = {"size of the tree", "state space"}


def shape(game, level="random"):
    return {name: value for name, (value, _) in play_of(game).shape(level).items()}


@cache
def play_of(game):
    return ExactPlay(GameGraph(game), Seats.of(game), ways=("random", "greedy", "searching"))


def same_but_for(encoded, found, first):
    assert set(found) == set(first) >= {"lead changes", "drama", "kingmaking", "decided after", "length"}
    assert {name: value for name, value in found.items() if name not in encoded} == {
        name: pytest.approx(value, rel=1e-8) for name, value in first.items() if name not in encoded
    }


@pytest.mark.parametrize("level", ["random", "searching"])
@pytest.mark.parametrize("way", WAYS)
def test_measures_do_not_hang_on_how_rules_are_written(way, level):
    found = shape(WAYS[way], level)
    assert found["lead changes"] > 0.05 and 0.01 < found["kingmaking"] < 0.99 and found["drama"] > 0
    same_but_for(ENCODED, found, shape(next(iter(WAYS.values())), level))


class Either:
    """A game with two moves for each that is forced; they do the same."""

    def __init__(self, game):
        self.game, self.players = game, game.players

    def __getattr__(self, name):
        return getattr(self.game, name)

    def moves(self, state):
        moves = self.game.moves(state)
        return [(move, way) for move in moves for way in "ab"] if self.game.mover(state) >= 0 else moves

    def play(self, state, move):
        return self.game.play(state, move[0] if self.game.mover(state) >= 0 else move)


class Enumerated:
    """All games of a game, each with its chance; who wins, and measures by their definitions.

    `begins` says in which state the turn of a state began; of states of a turn that began elsewhere only.
    """

    def __init__(self, game, begins):
        self.game, self.begins = game, begins
        self.search, self.known = {}, {}
        for information, (total, _) in self._tried().items():
            most = max(total.values())
            best = [move for move, value in total.items() if value >= most - 1e-9]
            self.search[information] = {move: (move in best) / len(best) for move in total}

    def chances(self, state, way):
        moves = self.game.moves(state)
        if self.game.mover(state) == CHANCE:
            return moves
        return self.search[known(self.game, state)] if way == "searching" else dict.fromkeys(moves, 1 / len(moves))

    def games(self, state, way):
        """(chance, the states that are met from this one on)."""
        if self.game.mover(state) == OVER:
            return [(1.0, (state,))]
        return [
            (chance * more, (state, *path))
            for move, chance in self.chances(state, way).items()
            if chance > 0
            for more, path in self.games(self.game.play(state, move), way)
        ]

    def won(self, state):
        points = self.game.payoffs(state)
        first = [player for player, each in enumerate(points) if each > max(points) - 1e-9]
        return np.array([(player in first) * (len(first) < len(points)) / len(first) for player in range(len(points))])

    def prospects(self, state, way="random"):
        if (state, way) not in self.known:
            self.known[state, way] = sum(chance * self.won(path[-1]) for chance, path in self.games(state, way))
        return self.known[state, way]

    def _tried(self):
        """What the mover gets after each move of each information set on the average, if all is random."""
        found = {}
        for chance, path in self.games(self.game.start(), "random"):
            points = self.game.payoffs(path[-1])
            for state, after in pairwise(path):
                mover = self.game.mover(state)
                if mover == CHANCE:
                    continue
                total, often = found.setdefault(known(self.game, state), ({}, {}))
                for move in self.game.moves(state):
                    if self.game.play(state, move) == after:
                        total[move] = total.get(move, 0.0) + chance * points[mover]
                        often[move] = often.get(move, 0.0) + chance
        return {
            key: ({move: total[move] / often[move] for move in total}, often) for key, (total, often) in found.items()
        }

    def begin(self, state):
        return self.begins.get(state, state)

    def kingmakers(self):
        """Information sets at which somebody is one."""
        tables, weights, movers = {}, {}, {}

        def chosen(turn, state, weight):
            if self.game.mover(state) < 0 or self.begin(state) != turn:
                return
            key = known(self.game, state)
            weights[key], movers[key] = weights.get(key, 0.0) + weight, self.game.mover(state)
            for move, chance in self.search[key].items():
                after = self.game.play(state, move)
                row = tables.setdefault(key, {}).setdefault(move, np.zeros(self.game.players))
                row += weight * self.prospects(after, "searching")
                chosen(turn, after, weight * chance)

        turns = {}
        for chance, path in self.games(self.game.start(), "random"):
            for state in path:
                if self.game.mover(state) >= 0 and self.begin(state) == state:
                    turns[state] = turns.get(state, 0.0) + chance
        for turn, weight in turns.items():
            chosen(turn, turn, weight)
        found = set()
        for key, rows in tables.items():
            table = np.array(list(rows.values())) / weights[key]
            own, others = table[:, movers[key]], np.delete(table, movers[key], axis=1)
            pairs = [
                (others[one] - others[other] > 1e-9).any() and (others[other] - others[one] > 1e-9).any()
                for one in range(len(table))
                for other in range(one)
            ]
            if np.ptp(own) < 1e-9 and any(pairs):
                found.add(key)
        return found

    def measures(self, way):
        """Those that are looked at here, by name."""
        games = self.games(self.game.start(), way)
        kings = self.kingmakers()
        changes = kingmaking = behind = decided = is_open = turns = moves = apart = several = options = 0.0
        lengths = {}
        for chance, path in games:
            won, length = self.won(path[-1]), sum(self.game.mover(state) >= 0 for state in path)
            lengths[length] = lengths.get(length, 0.0) + chance
            choosing = [state for state in path if self.game.mover(state) >= 0]
            real = [state for state in choosing if len(self.game.moves(state)) > 1]
            begun = [state for state in real if self.begin(state) == state]
            leaders = []
            for state in (*(state for state in choosing if self.begin(state) == state), path[-1]):
                prospects = self.prospects(state).round(9)
                if (prospects == prospects.max()).sum() == 1:
                    leaders.append(int(prospects.argmax()))
            changes += chance * sum(one != other for one, other in pairwise(leaders))
            kingmaking += chance * any(known(self.game, state) in kings for state in choosing)
            for state in real:
                prospects = self.prospects(self.begin(state))
                behind += chance * float((won * (prospects.max() - prospects)).sum())
                decided += chance * won.sum()
            for state in choosing:
                count = len(self.game.moves(state))
                moves, options, several = moves + chance, options + chance * count, several + chance * (count > 1)
            for state in begun:
                ends = {tuple(self.won(end[-1])) for _, end in self.games(state, "random")}
                turns, is_open = turns + chance, is_open + chance * (len(ends) > 1)
            high, second = sorted(self.game.payoffs(path[-1]))[:-3:-1]
            apart += chance * (high - second)
        total = 0.0
        for median in sorted(lengths):
            total += lengths[median]
            if total >= 0.5 - 1e-9:
                break
        return {
            "lead changes": changes,
            "kingmaking": kingmaking,
            "drama": behind / decided if decided else 0.0,
            "decided after": is_open / turns,
            "difference of scores": apart,
            "median length": median,
            "length": moves,
            "branching factor": options / moves,
            "real choices": several / moves,
            "size of the tree": log10(len(self.games(self.game.start(), "random"))),
        }


GAMES = {
    "draft": WAYS["singly, in turn"],
    "draft at once": WAYS["at once, at once"],
    "Nim": Nim((1, 2, 2)),
    "Kuhn poker": kuhn.Kuhn(3),
} | {f"random {seed}": random_game(seed) for seed in range(8)}


def begun(state):
    """The state of the draft in which the first of a round chooses who has two different cards."""
    hands, kept, chosen = state
    forced = [len(set(hand)) < 2 for hand in hands]
    first = forced.index(False) if False in forced else 3
    return hands, kept, chosen[:first] if len(chosen) > first else chosen


@pytest.mark.parametrize("name", GAMES)
def test_all_games_by_the_definitions(name):
    game = GAMES[name]
    graph = GameGraph(game)
    starts = ExactShape(graph, Seats.of(game)).starts
    begins = {state: graph.states[start] for state, start in zip(graph.states, starts, strict=True)}
    if name == "draft":
        assert begins == {state: begun(state) for state in graph.states}
    plain = Enumerated(game, begins)
    for way in ("random", "searching"):
        found = shape(game, way)
        assert {name: found[name] for name in plain.measures(way)} == pytest.approx(plain.measures(way), abs=1e-8)


def test_kingmakers_were_met_among_them():
    assert sum(0 < shape(game)["kingmaking"] < 1 for game in GAMES.values()) >= 3


def test_the_games_of_tic_tac_toe():
    """255,168 different games are known to be possible, and 5,478 positions."""
    found = shape(tictactoe(2))
    assert found["size of the tree"] == pytest.approx(log10(255_168), rel=1e-8)
    assert found["state space"] == pytest.approx(log10(5_478), rel=1e-8) and found["repetition"] == 0


def test_play_that_comes_back():
    """Of three pieces of money one wins or loses a toss: half of the games end with each, and every second comes back.

    Two tosses on the average; both positions are met in half of the games. So 1/2 of 2 tosses is at a position again.
    A lottery drawn with chance p is bought 1 / p times, all but once again.
    """
    found = shape(Either(ruin(1, 2)))
    assert found["repetition"] == pytest.approx(0.25) and found["median length"] == 1 and found["length"] == 2
    assert "size of the tree" not in found
    found = shape(Either(waiting(0.3)))
    assert found["repetition"] == pytest.approx(0.7) and found["median length"] == 2
    assert not {"repetition", "decided after"} & set(shape(waiting(0.3)))  # forced moves are no turns


def test_too_many_positions_to_come_back_to(monkeypatch):
    monkeypatch.setattr(sys.modules[course.__module__], "MOST_IN_CIRCLES", 2)
    play = course(GameGraph(ruin(2, 2)), np.ones(3))
    assert play.returns(np.ones(len(play.stops), bool)) is None


def test_how_even_outcomes_are():
    """Of two who toss a coin; of three one of whom never wins; with a draw, and with a win that two share."""
    coin, never = [(1, 0), (0, 1)], [(1, 0, 0), (0, 1, 0)]
    for ends, value in {
        (*coin,): 1,
        (*never,): np.log(2) / np.log(3),
        (*coin, (0, 0)): 1,
        (*coin, (0, 0), (0, 0)): 1.5 * np.log(2) / np.log(3),
        (*never, (1, 1, 0), (0, 0, 0)): np.log(4) / np.log(5),
        ((1, 0), (2, 0)): 0,
    }.items():
        assert shape(Tree((0, list(ends))))["uniformity of outcomes"] == pytest.approx(value)
