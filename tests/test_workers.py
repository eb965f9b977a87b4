"""Work side by side: in order, lazily, and with an end when something fails."""

from concurrent.futures import ThreadPoolExecutor
from itertools import count, islice

import pytest

from gamebalance.base.checks import MOST_WORKERS, check_workers
from gamebalance.base.workers import AHEAD, for_each, in_turn


def test_results_come_in_the_order_of_the_keys():
    assert list(in_turn("cab", str.upper, 3)) == [("c", "C"), ("a", "A"), ("b", "B")]
    told = []
    assert for_each([3, 1, 2], pow, 2, progress=told.append, arguments=(2,)) == {3: 9, 1: 1, 2: 4}
    assert told == [1, 1, 1]
    assert list(in_turn([], str, 1)) == []


def test_endless_keys_are_asked_for_only_as_their_work_begins():
    asked = []

    def keys():
        for key in count():
            asked.append(key)
            yield key

    assert list(islice(in_turn(keys(), abs, 2), 5)) == [(key, key) for key in range(5)]
    assert len(asked) <= 5 + 2 * AHEAD


def test_an_executor_of_the_callers_is_used_and_stays_open():
    with ThreadPoolExecutor(1) as pool:
        assert for_each(range(3), abs, 99, pool) == {0: 0, 1: 1, 2: 2}
        assert pool.submit(abs, -1).result() == 1


def test_what_has_not_begun_is_dropped_when_some_work_fails():
    begun = []

    def work(key):
        begun.append(key)
        if key == 0:
            raise ZeroDivisionError
        return key

    with pytest.raises(ZeroDivisionError):
        list(in_turn(range(10**12), work, 1))
    assert len(begun) <= AHEAD


@pytest.mark.parametrize("workers", [0, -1, MOST_WORKERS + 1, 99999999999, 1.0, True, None, "2"])
def test_workers_are_a_number_of_threads_that_a_machine_can_have(workers):
    with pytest.raises(ValueError, match=r"^workers = .*: a whole number from 1 to 1024 is needed$"):
        check_workers(workers)
