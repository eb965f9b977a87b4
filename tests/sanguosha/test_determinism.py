"""One seed, one result: however the work is divided, and whoever does it."""

import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor

import pytest

from gamebalance.sanguosha import AS_WRITTEN, Lineup, Seating, simulate, simulation, solve_lineup
from gamebalance.sanguosha.kernels.fit import Misfit

GAMES = 20_000
LINEUP = "1-2-3-1"


@pytest.fixture(scope="module")
def expected():
    return simulate(LINEUP, GAMES, 71)


@pytest.mark.parametrize(
    ("workers", "chunk"), [(1, 1), (3, 1), (1, 63), (2, 64), (3, 1000), (2, GAMES - 1), (1, GAMES), (3, 10**9)]
)
def test_workers_and_chunks(monkeypatch, workers, chunk):
    games = 500 if chunk == 1 else GAMES
    expected = simulate(LINEUP, games, 71)
    monkeypatch.setattr(simulation, "CHUNK", chunk)
    assert simulate(LINEUP, games, 71, workers=workers) == expected


def test_an_executor_of_other_processes(monkeypatch, expected):
    monkeypatch.setattr(simulation, "CHUNK", 7000)
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert simulate(LINEUP, GAMES, 71, executor=pool) == expected
        assert solve_lineup("1-0-1-1", executor=pool) == solve_lineup("1-0-1-1")
        assert pool.submit(int, "3").result() == 3  # still open


@pytest.mark.parametrize("thing", [Lineup(2, 3, 1), Seating("0123"), AS_WRITTEN, Misfit("a turn", "")], ids=repr)
def test_what_travels_to_other_processes(thing):
    assert getattr(thing, "roles", 0) != getattr(thing, "hand_probability", 1)  # what is kept beside travels too
    copy = pickle.loads(pickle.dumps(thing))
    assert copy == thing and type(copy) is type(thing)
