"""How small games end and what play is like: known values, all games by the definitions in words, made-up games."""

from functools import cache
from itertools import pairwise
from math import log10

import numpy as np
import pytest

from gamebalance import fairness
from gamebalance.fairness.reports.exact import ExactPlay, ExactShape, endings
from gamebalance.fairness.reports.tables import Seats, wins
from gamebalance.games import Nim, Tree, kuhn, tictactoe
from gamebalance.multiplayer import in_turn
from gamebalance.multiplayer.graph import GameGraph, course, policies
from gamebalance.multiplayer.protocols import CHANCE, OVER
from tests.multiplayer.alike_games import AtOnce, Hidden
from tests.multiplayer.written_trees import Places, known, random_game, random_places, ruin, waiting
from tests.refusals import refuses


def choices(kind, seed, first=None, forced=1):
    """Two rounds of choices that nobody sees before the round is over; one of the three has none.

    They are asked at once, in an order, or in the opposite one; they may have cards of their own.
    """
    game = kind(seed, moves=3 - seed % 2, rounds=2, drawn=seed % 2 == 0)
    plain = getattr(game, "game", game)
    plain.names[forced] = plain.names[forced][:1]
    plain.order = plain.order[::first]
    return in_turn(game) if kind is AtOnce else game


@cache
def play_of(game):
    """The game under every way to play that needs no solver."""
    return ExactPlay(GameGraph(game), Seats.of(game), ways=("random", "greedy", "searching"))


def shape(game, level="random"):
    return {name: value for name, (value, _) in play_of(game).shape(level).items()}


def test_games_at_random():
    """Of two at tic-tac-toe the first wins 737 of 1260 games, the second 121 of 420; 8 of 63 are drawn."""
    tally = endings(tictactoe(2)).tally("seat")
    assert tally.means == pytest.approx([737 / 1260, 121 / 420])
    assert fairness.drawishness(tally).value == pytest.approx(8 / 63)
    found = shape(tictactoe(2))  # 255,168 different games are known to be possible, and 5,478 positions
    assert found["size of the tree"] == pytest.approx(log10(255_168), rel=1e-8)
    assert found["state space"] == pytest.approx(log10(5_478), rel=1e-8) and found["repetition"] == 0


def test_kingmakers_are_those_of_the_measure():
    """`fairness.is_kingmaker` says it of one state, from the chances to win after each move; this of all states."""
    found = set()
    for seed in range(40):
        game = random_places(seed, ends=7)
        graph = GameGraph(game)
        won = np.zeros((len(graph.states), 3))
        won[graph.over] = wins(graph.payoffs[graph.over])
        chances = course(graph, policies.looking_ahead(graph)).values(won)
        marked = ExactShape(graph, Seats.of(game)).kingmakers.tolist()
        for state in np.flatnonzero(graph.mover >= 0):
            after = graph.after[graph.first[state] : graph.first[state + 1]]
            assert marked[state] == fairness.is_kingmaker(chances[after], graph.mover[state])
            found.add(marked[state])
        assert not np.array(marked)[graph.mover < 0].any()
    assert found == {True, False}


def test_endless_play():
    """Where all always go on, nobody wins anything."""
    circle = Places(2, {"a": (0, {"on": "b", "stop": (1, 0)}), "b": (1, {"on": "a", "stop": (3, -1)})})
    assert endings(circle).tally("seat", "points").means == pytest.approx([1 * 2 / 3 + 3 / 3, -1 / 3])
    always = endings(circle, lambda state, moves: "on")
    assert always.tally("seat").means.tolist() == [0, 0] and always.length.value == 0


test_refusals = refuses(
    (lambda: endings(tictactoe(2), lambda board, cells: 9), "policy at Board.*9 is none of its moves"),
    (lambda: endings(tictactoe(2), lambda board, cells: {cells[0]: 0.5}), "the probabilities sum to 0.5, not to 1"),
    (lambda: endings(kuhn.Kuhn(2), {}), "policy at '0': it says nothing about it"),
    (lambda: endings("chess"), "game = 'chess': it lacks"),
    (lambda: fairness.of("chess"), "outcomes = 'chess': Games, or outcomes of a game that have endings, are needed"),
)


@pytest.mark.parametrize("seed", [2, 9, 10])
def test_measures_do_not_hang_on_how_rules_are_written(seed):
    """But for the state space, which is one of states as they are written."""
    ways = choices(Hidden, seed), choices(Hidden, seed, -1), choices(AtOnce, seed)
    for level in ("random", "searching"):
        one, *others = ({**shape(game, level), "state space": 0} for game in ways)
        assert one["drama"] > 0
        for other in others:
            assert other == pytest.approx(one, rel=1e-8)


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
    "choices": choices(Hidden, 2),
    "choices at once": choices(AtOnce, 9),
    "Nim": Nim((1, 2, 2)),
    "Kuhn poker": kuhn.Kuhn(3),
} | {f"random {seed}": random_game(seed) for seed in range(8)}


@pytest.mark.parametrize("name", GAMES)
def test_all_games_by_the_definitions(name):
    game = GAMES[name]
    graph = GameGraph(game)
    starts = ExactShape(graph, Seats.of(game)).starts
    begins = {state: graph.states[start] for state, start in zip(graph.states, starts, strict=True)}
    if name == "choices":  # a turn begins with the first of a round who has a choice
        first = int(game.order[0] == 1)
        assert begins == {(cards, done, now): (cards, done, now[:first]) for cards, done, now in graph.states}
    plain = Enumerated(game, begins)
    for way in ("random", "searching"):
        found, wanted = shape(game, way), plain.measures(way)
        assert {name: found[name] for name in wanted} == pytest.approx(wanted, abs=1e-8)


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


@pytest.mark.parametrize(("seed", "sooner"), [(317, 10), (327, 0)])
def test_equilibria_come_before_games_cut_sooner(seed, sooner):
    """What differs in digits that no report shows is no other play."""
    game = random_places(seed)
    play = ExactPlay(GameGraph(game), Seats.of(game), ways=("best",))
    found, every = play.equilibria.found, play.variants("best")
    assert any(each.cut for each in found) and len(every) == len(found) + sooner
    for each, ends in zip(found, every, strict=False):
        gets = course(each.graph, each.policy).values(each.graph.payoffs)[0]
        assert ends.tally("seat", "points").means == pytest.approx(gets, abs=1e-6)
