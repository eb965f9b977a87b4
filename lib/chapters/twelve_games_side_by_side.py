"""Twelve games side by side: who wins them, how much is luck, what their play is like; and values known before."""

from collections import namedtuple
from functools import cache

import numpy as np

from gamebalance import games
from gamebalance.base.rounding import meant
from gamebalance.countn.three import ThreePlayerGame
from gamebalance.fairness.reports import skill
from gamebalance.fairness.reports.report import report
from gamebalance.games.bang import OUTLAW, RENEGADE, SHERIFF
from gamebalance.games.kuhn import szafron_profile
from gamebalance.multiplayer import cfr
from gamebalance.multiplayer.graph import GameGraph, course, policies
from gamebalance.multiplayer.protocols import CHANCE, OVER
from gamebalance.sanguosha import Role, SeatedGame, report_policy
from gamebalance.sanguosha.policies import ThreatPolicy

#: The seating of Sanguosha: lord, loyalist, rebel and renegade in this order.
SEATING = "0123"
#: So many states of a game are followed; all but Sanguosha have fewer.
STATES = 100_000
#: Each game in the size that is shown, and a smaller one for a run of seconds.
GAMES = {
    "tic-tac-toe": (games.tictactoe(3), games.InARow(2, 3, 2, 3)),
    "Nim": (games.Nim((3, 4, 5)), games.Nim((1, 2, 3))),
    "Count-5": (ThreePlayerGame(5), ThreePlayerGame(3)),
    "Kuhn poker": (games.Kuhn(3), games.Kuhn(3)),
    "liar's dice": (games.LiarsDice(3, sides=3), games.LiarsDice(3, sides=2)),
    "Pig": (games.Pig(3, goal=10), games.Pig(3, goal=4)),
    "auction": (games.FirstPriceAuction(), games.FirstPriceAuction(values=(0, 1, 2), bids=(0, 1))),
    "Skull": (games.Skull(3), games.Skull(2)),
    "Bang": (games.Bang((SHERIFF, OUTLAW, RENEGADE), rounds=3), games.Bang((SHERIFF, OUTLAW, RENEGADE), rounds=2)),
    "Can't Stop": (games.CantStop(3), games.CantStop(3)),
    "Werewolf": (games.SilentWerewolf(4), games.SilentWerewolf(3)),
    "Sanguosha": (SeatedGame(SEATING), SeatedGame(SEATING)),
}
#: A game's report; the contest of the way to play that wins most alone among players at random, best play left out
#: (what it wins hangs on which equilibrium is taken); and how all play in the columns of good play.
Shown = namedtuple("Shown", "report strongest top")
#: The seat or side farthest from an even share, in percentage points: from `least` to `most` in the equilibria found.
Off = namedtuple("Off", "label least most error")


def reports(full, at_random, contests, seed):
    """The twelve, all but Sanguosha exactly, which is played: games at random, and contests at each other table."""
    shown = {}
    for name, sizes in GAMES.items():
        game, own, states = sizes[not full], {}, STATES
        if name == "Sanguosha":
            own, states = ways_of_sanguosha(game), 0
        counts = {"states": states, "games": at_random, "contests": contests, "playouts": 1, "looks": 0}
        ways = ("random",) if own else ("random", "searching", "best")
        made = report(game, policies=own, ways=ways, seed=seed, name=name, **counts)
        alone = [skill.contest(made.play, level, "random") for level in made.levels if level not in ("random", "best")]
        strongest = max(alone, key=lambda each: meant(each.share.value))
        shown[name] = Shown(made, strongest, "best" if "best" in made.levels else strongest.better)
    return shown


def ways_of_sanguosha(game):
    """The report's rule of whom to attack, and the essay's threat points."""
    threat = report_policy(game, dict.fromkeys(Role, ThreatPolicy()))
    return {"fixed rule": report_policy(game), "threat points": threat}


def farthest(made, level):
    """Who is farthest from even, and how far.

    The error of a sample is at least that of one game, since a side that has won none of few games may win some.
    """
    answer = made.answers[level][0]
    if made.exact and answer.differs is False:
        return Off("none", 0.0, 0.0, 0.0)
    least, most = (100 * (share - answer.even) for share in (answer.low, answer.high))
    error = 0.0 if made.exact else 100 * max(answer.error, 1 / made.outlook.contests)
    return Off(f"seat {answer.label}" if answer.by == "seat" else str(answer.label), least, most, error)


def number_of_games(game):
    """In how many ways a game can go."""

    @cache
    def count(state):
        return 1 if game.mover(state) == OVER else sum(count(game.play(state, move)) for move in game.moves(state))

    return count(game.start())


def played_out(game, policy=None):
    """The states of a game, and everybody's values there if all play by a policy, or as well as can be."""
    graph = GameGraph(game)
    if policy is None:
        best = policies.find_best(graph)
        graph, all_play = best.graph, best.policy  # where play in circles does not settle, of the game cut
    else:
        all_play = policies.of_policy(graph, policy)
    return graph, course(graph, all_play).values(graph.payoffs)


def lost_heaps(most):
    """How many sets of three heaps of at most so many stones are lost for the one of two players who is to move."""
    graph, values = played_out(games.Nim((most,) * 3, players=2))
    full = [number for number, state in enumerate(graph.states) if len(state.heaps) == 3 and min(state.heaps) > 0]
    return len({graph.states[number].heaps for number in full if values[number, graph.mover[number]] < 0.5})


def fewest_turns(game):
    """The mean number of turns of a single player of Can't Stop who makes it as small as can be, by sweeps."""
    graph = GameGraph(game)
    begins = np.array([state.dice == () and state.runners == state.markers[0] for state in graph.states])
    goes_on = np.flatnonzero(~graph.over)
    turns, first, drawn = np.zeros(len(graph.states)), graph.first[goes_on], graph.mover[goes_on] == CHANCE
    change = 1.0
    while change >= 1e-12:
        after = turns[graph.after]
        mean, least = np.add.reduceat(graph.chance * after, first), np.minimum.reduceat(after, first)
        better = np.where(drawn, mean, least) + begins[goes_on]
        change = np.abs(better - turns[goes_on]).max()
        turns[goes_on] = better
    return float(turns[graph.states.index(game.start())])


def to_the_first(game):
    """What the first of two players gets in equilibrium, within 1e-4."""
    return float(cfr.solve(cfr.GameTree(game), 1_000, "cfr+").value[0])


#: Each quantity of `known_game_values.csv`.
KNOWN = {
    ("tic-tac-toe", "positions"): lambda: len(GameGraph(games.tictactoe(2)).states),
    ("tic-tac-toe", "games"): lambda: number_of_games(games.tictactoe(2)),
    ("Nim", "lost sets of three heaps below 16"): lambda: lost_heaps(15),
    ("Kuhn poker", "two players, to the first"): lambda: to_the_first(games.Kuhn(2)),
    ("Kuhn poker", "three players, to the second"): lambda: played_out(games.Kuhn(3), szafron_profile(0, 0))[1][0, 1],
    ("liar's dice", "one die of 3 sides each, none wild"): lambda: to_the_first(games.LiarsDice(sides=3, wild=False)),
    ("liar's dice", "one die of 4 sides each, none wild"): lambda: to_the_first(games.LiarsDice(sides=4, wild=False)),
    ("Pig", "a coin, 2 points, first of two wins"): lambda: played_out(games.Pig(2, goal=2, sides=2))[1][0, 0],
    ("Can't Stop", "alone, two sides, shortest 1, turns"): lambda: fewest_turns(games.CantStop(1)),
    ("Can't Stop", "alone, two sides, shortest 2, turns"): lambda: fewest_turns(games.CantStop(1, shortest=2)),
    ("Can't Stop", "alone, two sides, shortest 3, turns"): lambda: fewest_turns(games.CantStop(1, shortest=3)),
}
