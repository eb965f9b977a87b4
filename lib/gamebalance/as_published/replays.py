"""The report's Monte Carlo program, run again with the random numbers that it had: Tables 6, 8, …, 22 to the last game.

Appendix B calls ``srand(0)`` and ``rand()`` and leaves both to the C library. Its tables say which library that was:
with the generator of 4.4BSD, FreeBSD and Mac OS X, all 95 printed counts come out exactly.
"""

from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

import numpy as np

from gamebalance.as_published import replay_kernel
from gamebalance.base.checks import check_workers, whole_number
from gamebalance.base.workers import for_each
from gamebalance.sanguosha.kernels.rule_tables import ENDINGS, endings_alive
from gamebalance.sanguosha.lineup import LINEUPS, Lineup
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.scoring import Alive

#: Games in each printed table, and the program's seed.
PRINTED_GAMES, SEED = 1_000_000, 0

#: The generator repeats itself after 2^31 - 2 numbers, and no game takes fewer than ten: three seats, and two cards
#: and a target in each of the four turns or more that it takes to kill somebody.
MOST_GAMES = (replay_kernel.MODULUS - 1) // 10

#: Games between two calls of `progress`.
CHUNK = 50_000


@dataclass(frozen=True)
class Replay:
    """What the program counts in one run: games by (lords, loyalists, rebels, renegades) alive, sorted.

    `last_seating` has the role digits by seat of the last game, such as ``"0312"``: the program's array of roles when
    it begins to score. `draws` is how many of the generator's 2^31 - 2 random numbers the games used up.
    """

    lineup: Lineup
    games: int
    counts: dict[Alive, int]
    last_seating: str
    draws: int

    @property
    def outcomes(self) -> Outcomes:
        """The counts as a simulation of so many games."""
        shares = {alive: count / self.games for alive, count in self.counts.items()}
        return Outcomes(self.lineup, shares, games=self.games)

    @property
    def divisor(self) -> int:
        """What the program divides the renegades' 15 points by: the role in seat 3 of the last game.

        The report's rule (§6.3) knows no such number. The program takes the element with index 3 of the array of roles
        by seat where that of the array of members by role was meant.
        """
        return int(self.last_seating[3])


def replay(lineup: Lineup | str, games: int = PRINTED_GAMES, progress: Callable[[int], None] | None = None) -> Replay:
    """Run the report's Monte Carlo program (Appendix B) for one line-up, with its random numbers in its order.

    Parameters
    ----------
    lineup : Lineup or str
        Four to ten players, at least one of them a renegade.
    games : int
        1 to `MOST_GAMES`; the tables have a million. ValueError if they need more than the 2^31 - 2 numbers that the
        generator has.
    progress : callable, optional
        Called with the number of games just played after each chunk of them.

    Notes
    -----
    All games draw from one stream of numbers r, so they can only be played one after the other. A game first seats its
    players: loyalists, then rebels, then renegades, each in seat r mod n, drawn again until that seat is free. A turn
    takes two cards, r mod 71 in a deck sorted as in `Card`; then, if somebody may be attacked, the target, r mod n,
    drawn again until that seat may be. Reach depends on the weapon held before the cards are drawn.

    How sure is it that the report's numbers arose like this? The order of draws and the seed stand in Appendix B; the
    generator does not, and was found by trying those of the C libraries of the time. With this one all 95 counts of the
    nine tables (6, 8, …, 22) agree with the printed ones to the last game, and the nine roles in seat 3 of the last
    game are the nine divisors that explain the printed scores. Another generator or another order of draws would miss
    the large counts by some hundred games each.

    The generator is the minimal standard of Park and Miller (1988): each number, 1 to 2^31 - 2, is 16807 times the one
    before, modulo 2^31 - 1; the state 0, which would stay 0, is replaced by 123459876. The C libraries computed it by
    Schrage's method (1979), which needs no more than 32 bits and gives the same numbers.

    The deck has 15 dodges, 8 peaches, 7 weapons, 5 snatches, 6 dismantles and 30 slashes, as in the text (§2.6).

    References
    ----------
    * Park, S. K., K. W. Miller, "Random number generators: good ones are hard to find", Communications of the ACM 31
      (1988), 1192-1201.
    * Schrage, L., "A more portable Fortran random number generator", ACM Transactions on Mathematical Software 5
      (1979), 132-138.

    Examples
    --------
    >>> replay("1-1-1-1", games=1000).last_seating
    '0321'
    """
    lineup, games = _check_lineup(lineup), whole_number("games", games, 1, MOST_GAMES)
    stream, tables = replay_kernel.open_stream(SEED), replay_kernel.rule_tables(lineup)
    order = np.repeat([1, 2, 3], lineup.counts[1:])
    roles, counts = np.zeros(lineup.players, np.int64), np.zeros(ENDINGS, np.int64)
    for first in range(0, games, CHUNK):
        chunk = min(CHUNK, games - first)
        replay_kernel.play_games(chunk, stream, tables, order, roles, counts)
        if replay_kernel.numbers_drawn(stream) >= replay_kernel.MODULUS:
            raise ValueError(f"games = {games}: the generator repeats itself before game {first + chunk}; play fewer")
        if progress:
            progress(chunk)
    draws, last_seating = replay_kernel.numbers_drawn(stream), "".join(map(str, roles))
    return Replay(lineup, games, endings_alive(counts, lineup), last_seating, draws)


def replay_lineups(workers: int = 1, progress: Callable[[int], None] | None = None) -> dict[str, Replay]:
    """`replay` for the report's nine line-ups, by name; each starts from the seed again, as there.

    `workers` of them run side by side, in threads; `progress` is called by one of them at a time.
    """
    report = _one_at_a_time(progress) if progress else None
    # The longest runs first, so that no thread is left alone with one at the end.
    runs = for_each(LINEUPS[::-1], replay, check_workers(workers), arguments=(PRINTED_GAMES, report))
    return {str(lineup): runs[lineup] for lineup in LINEUPS}


def _one_at_a_time(progress: Callable[[int], None]) -> Callable[[int], None]:
    lock = Lock()

    def report(games: int) -> None:
        with lock:
            progress(games)

    return report


def _check_lineup(lineup: Lineup | str) -> Lineup:
    lineup = Lineup.parse(lineup)
    if lineup.players < 4:
        raise ValueError(f"line-up {lineup} has {lineup.players} players: 4 to 10 are needed for a role in seat 3")
    if not lineup.renegades:
        raise ValueError(f"line-up {lineup} has no renegade: at least one is needed, whose 15 points are divided")
    return lineup
