"""Packages from PyPI beside ours: ratings, watched results, tests, coalitions, matrices, alpha-rank, random play."""

import random
import warnings
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats

from bench.timing import Comparison, checked, left_out
from gamebalance import fairness
from gamebalance.games import tictactoe
from gamebalance.multiplayer import OVER
from gamebalance.multiplayer.cooperative import TUGame
from gamebalance.multiplayer.normal_form import EmpiricalGame, empirical, zero_sum

PERSONS, RATED, WATCHED, PLAYED = 40, 4000, 2000, 200
COUNTS = {"first": (340, 1000), "second": (310, 1000), "third": (350, 1000)}


def comparisons(_peers: Path, rounds: int) -> Iterator[Comparison]:
    """All comparisons that this machine can make; says why one cannot be made."""
    for needs, part in (
        (("choix", "openskill.models"), _ratings),
        (("savvi.multinomial",), _watched),
        ((), _exact_test),
        (("coopgame",), _coalitions),
        (("nashpy",), _zero_sum),
        (("open_spiel.python.egt.alpharank",), _alpha_rank),
        (("pettingzoo.classic.tictactoe_v3",), _random_play),
    ):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                modules = [import_module(name) for name in needs]
        except ImportError as error:
            left_out(needs[0].split(".")[0], str(error))
            continue
        yield from part(rounds, *modules)


def _ratings(rounds: int, choix, openskill) -> Iterator[Comparison]:
    """Games of two: strengths of persons; ours with errors and their spread besides."""
    rng = np.random.default_rng(1)
    strength, pairs = rng.normal(size=PERSONS), np.array([rng.choice(PERSONS, 2, replace=False) for _ in range(RATED)])
    first = rng.random(RATED) < 1 / (1 + np.exp(-np.diff(strength[pairs[:, ::-1]], axis=1).ravel()))
    ordered = np.where(first[:, None], pairs, pairs[:, ::-1]).tolist()
    table = {"game": np.repeat(np.arange(RATED), 2), "player": pairs.ravel()}
    games = fairness.read_games(pd.DataFrame({**table, "won": np.column_stack([first, ~first]).ravel().astype(int)}))
    penalty = 1 / (2 * fairness.rate(games).spread ** 2)

    def rated() -> list[float]:
        model = openskill.PlackettLuce()
        found = [model.rating() for _ in range(PERSONS)]
        for one, other in ordered:
            (found[one],), (found[other],) = model.rate([[found[one]], [found[other]]])
        return [each.mu for each in found]

    def alike(theirs, ours) -> bool:
        return stats.spearmanr(theirs, ours.persons["strength"].sort_index())[0] > 0.95

    def equal(theirs, ours) -> bool:
        return np.allclose(np.ptp(ours.persons["strength"]), np.ptp(theirs), rtol=1e-4) and alike(theirs, ours)

    what = f"{RATED:,} games of {PERSONS} persons"
    solved = lambda: fairness.rate(games)  # noqa: E731
    penalised = lambda: choix.opt_pairwise(PERSONS, ordered, alpha=penalty)  # noqa: E731
    yield checked(f"{what}, choix: strengths alone", penalised, solved, rounds, equal)
    yield checked(f"{what}, openskill: strengths alone", rated, solved, rounds, alike)


def _watched(rounds: int, savvi) -> Iterator[Comparison]:
    """Results of four seats that come one by one, with the evidence after each."""
    winners = np.random.default_rng(2).integers(0, 4, WATCHED)

    def theirs() -> np.ndarray:
        peer = savvi.Multinomial(0.05, np.full(4, 0.25))
        for winner in winners:
            peer.update(np.eye(4, dtype=int)[winner])
        return peer.counts

    def ours() -> list[float]:
        monitor = fairness.Monitor(4)
        for winner in winners.tolist():
            monitor.add(winner + 1)
        return list(monitor.wins.values())

    yield checked("watch four seats, savvi", theirs, ours, rounds, np.array_equal, "game", (WATCHED, WATCHED))


def _exact_test(rounds: int) -> Iterator[Comparison]:
    """Whether three seats win alike: the test alone, and a verdict with intervals."""
    wins = [won for won, _ in COUNTS.values()]
    yield checked(
        "judge counts of three seats, scipy: a test alone", lambda: stats.chisquare(wins).pvalue,
        lambda: fairness.judge(fairness.Games.from_counts(COUNTS)).p_value, rounds,
        lambda theirs, ours: abs(theirs - ours) < 0.01,
    )  # fmt: skip


def _coalitions(rounds: int, coopgame) -> Iterator[Comparison]:
    """Eight players with whole worths: ours in fractions."""
    rng, players = np.random.default_rng(3), 8
    worths = [0, *(int(rng.integers(0, 100)) for _ in range(1, 1 << players))]

    def game() -> TUGame:
        return TUGame(range(players), lambda coalition: worths[sum(1 << player for player in coalition)])

    def other():
        return coopgame.Game([float(worth) for worth in worths[1:]])

    def agree(theirs, ours) -> bool:
        return np.allclose(theirs["allocation"] if isinstance(theirs, dict) else theirs, [*map(float, ours.values())])

    for value in ("shapley", "prenucleolus"):
        theirs = lambda value=value: getattr(coopgame, value)(other())  # noqa: E731
        ours = lambda value=value: getattr(game(), value)()  # noqa: E731
        yield checked(f"{value} of {players} players, coopgame: in floats", theirs, ours, rounds, agree)


def _zero_sum(rounds: int, nashpy) -> Iterator[Comparison]:
    """Best mixes of 60 by 60 moves: ours with both sides, the value, and whether they are the only ones."""
    matrix = np.random.default_rng(6).normal(size=(60, 60))
    yield checked("zero-sum game of 60 by 60 moves, nashpy", lambda: nashpy.Game(matrix).linear_program()[0],
                  lambda: zero_sum(matrix).row, rounds, np.allclose)  # fmt: skip


def _alpha_rank(rounds: int, alpharank) -> Iterator[Comparison]:
    """Three players with five policies beside OpenSpiel, and four with six beside a dense system."""
    alpha = 0.5
    game = _game(5, 3)
    theirs = lambda: alpharank.compute([*game.means], m=empirical.POPULATION, alpha=alpha)[2]  # noqa: E731
    yield checked("alpha-rank of 125 profiles, OpenSpiel", theirs, lambda: _ranked(game, alpha), rounds, np.allclose)
    large = _game(6, 4)
    yield checked("alpha-rank of 1,296 profiles, numpy: dense, no error", lambda: _dense(large, alpha),
                  lambda: _ranked(large, alpha), rounds, np.allclose)  # fmt: skip


def _game(policies: int, players: int) -> EmpiricalGame:
    shape = (policies,) * players
    means = np.random.default_rng(4).normal(size=(players, *shape))
    return EmpiricalGame(range(policies), np.full(shape, np.inf), means, np.zeros((players, players, *shape)))


def _ranked(game: EmpiricalGame, alpha: float) -> np.ndarray:
    return empirical.long_runs(game._source, game._target, game._gains(game.means[None]), game.games.size, alpha)[0][0]


def _dense(game: EmpiricalGame, alpha: float) -> np.ndarray:
    size = game.games.size
    table = np.zeros((size, size))
    table[game._target, game._source] = empirical._chances(game._gains(game.means[None]), alpha)[0][0]
    table -= np.diag(table.sum(axis=0))
    table[-1] = 1.0
    return np.linalg.solve(table, np.eye(size)[-1])


def _random_play(rounds: int, zoo) -> Iterator[Comparison]:
    """Games of tic-tac-toe, all moves at random."""
    environment, game = zoo.env(), tictactoe(2)

    def theirs() -> int:
        rng, moves = random.Random(5), 0
        for _ in range(PLAYED):
            environment.reset()
            for _agent in environment.agent_iter():
                seen, _, ended, cut, _ = environment.last()
                legal = None if ended or cut else np.flatnonzero(seen["action_mask"]).tolist()
                environment.step(None if legal is None else rng.choice(legal))
                moves += legal is not None
        return moves

    def ours() -> int:
        rng, moves = random.Random(5), 0
        for _ in range(PLAYED):
            state = game.start()
            while game.mover(state) != OVER:
                state = game.play(state, rng.choice(list(game.moves(state))))
                moves += 1
        return moves

    yield checked("tic-tac-toe at random, PettingZoo", theirs, ours, rounds, _near, "game", (PLAYED, PLAYED))


def _near(one: int, other: int) -> bool:
    """Games of the same length in the mean."""
    return abs(one - other) < 0.05 * one
