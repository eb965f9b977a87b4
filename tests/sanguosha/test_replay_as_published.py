"""The report's Monte Carlo tables to the last game; the replay against a slow program that shares no code with it."""

from collections import Counter

import pytest

from gamebalance.as_published import replay
from gamebalance.as_published.replays import PRINTED_GAMES
from gamebalance.sanguosha import LINEUPS, Lineup
from tests.refusals import refuses
from tests.sanguosha.known import DIVISORS, printed_counts
from tests.sanguosha.reference import CPC, c_targets, c_turn, count_alive, over, seat_after

#: The 71 cards in the order of Appendix B.
DECK = [card for card in range(6) for _ in range(CPC[card])]


class Rand:
    """rand() of 4.4BSD and what came from it, by Schrage's method, and how often it was called."""

    def __init__(self, seed):
        self.x, self.calls = seed, 0

    def __call__(self):
        x = self.x or 123459876
        x = 16807 * (x % 127773) - 2836 * (x // 127773)
        self.x = x + 2147483647 if x < 0 else x
        self.calls += 1
        return self.x


def c_seats(rand, idm):
    """The program's seating: everybody in turn, the lord apart, draws until the seat is free."""
    n = sum(idm)
    idn = [role for role in range(4) for _ in range(idm[role])]
    role, i = [0] * n, 1
    while i < n:
        j = rand() % n
        if j and not role[j]:
            role[j] = idn[i]
            i += 1
    return role


def c_game(rand, role):
    """The program's game: numbers alive at its end."""
    n = len(role)
    state, N = [(4, 2, False)] * n, 0
    while not over(count_alive(role, [player[0] for player in state])):
        Ob = c_targets(N, role, [player[0] for player in state], state[N][2])
        cards, M = (DECK[rand() % 71], DECK[rand() % 71]), None
        while Ob and M not in Ob:
            M = rand() % n
        state[N], other = c_turn(state[N], None if M is None else state[M], cards)
        if M is not None:
            state[M] = other
        N = seat_after(N, [player[0] for player in state])
    return count_alive(role, [player[0] for player in state])


def c_program(lineup, games):
    """Appendix B: counts, roles by seat of the last game, numbers drawn."""
    rand, counts, role = Rand(0), Counter(), None
    for _ in range(games):
        role = c_seats(rand, lineup.counts)
        counts[c_game(rand, role)] += 1
    return dict(counts), "".join(map(str, role)), rand.calls


def test_the_generator_passes_park_and_millers_check():
    """Communications of the ACM 31, page 1195: from 1, the 10 000th number is 1043618065."""
    rand = Rand(1)
    assert [rand() for _ in range(10_000)][-1] == 1043618065


#: Line-ups beyond the report's.
OTHERS = ["1-0-1-2", "1-0-0-3", "1-1-0-2", "1-2-5-2", "1-0-0-9", "1-7-1-1"]


@pytest.mark.parametrize("lineup", [*map(str, LINEUPS), *OTHERS])
def test_small_runs_equal_the_slow_program(lineup):
    """Endings, last seating and number of draws: one draw more or less anywhere would shift all that follow."""
    games = 30 if lineup in OTHERS else 150
    run = replay(lineup, games)
    assert (run.counts, run.last_seating, run.draws) == c_program(Lineup.parse(lineup), games)


def test_a_printed_table_to_the_last_game():
    """A million games, and the divisor that the printed scores show.

    Chapter A.1, which runs with these tests, plays the games of all nine tables and asserts each of their 95 counts.
    """
    run = replay(LINEUPS[0])
    assert run.games == PRINTED_GAMES and run.counts == printed_counts(LINEUPS[0])
    assert run.divisor == DIVISORS[str(LINEUPS[0])]


test_refused_by_name = refuses(
    (lambda: replay("1-0-1-1", 9), "lineup = 1-0-1-1: four to ten players are needed, at least one of them a renegade"),
    (lambda: replay("1-2-2-0", 9), "lineup = 1-2-2-0: four to ten players"),
    (lambda: replay("1-1-1-1", 0), "games = 0: a whole number, 1 or more"),
)
