"""Endings with one hand against one: a closed form, and for the cousin a count.

Theorem (overflow "one"). With one hand each, play is forced, and it is never a draw.

Let the mover show a and the opponent b. Put u_0 = a, u_1 = b and u_(k+1) = u_k + u_(k-1), which are the numbers that
plies 1, 2, … bring about, until for the first time, at ply j, the sum is N or more. (It is F_j a + F_(j+1) b, with the
Fibonacci numbers F.) If it is N, who moved has won. Otherwise the hand shows 1, and the next mover has x = u_j against
it. There are two cases. If j = 1, then x = b, and the same can be said once more of x against 1: as x + 1 <= N, either
x + 1 = N wins at once, or this time j > 1. If j > 1, then x > N / 2, being the greater of two numbers whose sum is more
than N. From there on, with q = N - x left: q = 1 wins at once; if q = 2, the mover shows N - 1 and the opponent wins;
otherwise the three plies to x + 1, to x + 2, and to (x + 1) + (x + 2) > N lead to x + 2 against 1 with the other player
to move. So the game ends, floor((3 q - 1) / 2) plies after x met 1, and who was to move then wins if q leaves 0 or 1
when divided by 4, else the other.
"""

from gamebalance.base.checks import whole_number
from gamebalance.countn.rules import Game


def one_hand(n: int, mover: int, opponent: int) -> tuple[int, int]:
    """Who wins with one hand each (1 the mover, -1 the opponent), and after how many plies (overflow "one").

    By the theorem of this module: of order log n additions, no search. The hands show 1 to n - 1; a game lasts at most
    3 n / 4 plies and a few.

    >>> one_hand(20, 1, 1)
    (-1, 16)
    """
    n = Game(n).n
    mover, opponent = whole_number("mover", mover, 1, n - 1), whole_number("opponent", opponent, 1, n - 1)
    plies = 0
    while True:
        count, last, total = _first_reach(n, mover, opponent)
        plies += count
        if total == n:
            return _winner(plies), plies
        if count > 1:
            break
        mover, opponent = last, 1
    left = n - last
    mover_wins = left % 4 in (0, 1)
    return (1 if mover_wins == (plies % 2 == 0) else -1), plies + (3 * left - 1) // 2


def _first_reach(n: int, mover: int, opponent: int) -> tuple[int, int, int]:
    """The first ply whose sum is n or more, what the next mover shows then, and the sum."""
    before, last, count = mover, opponent, 1
    while before + last < n:
        before, last, count = last, before + last, count + 1
    return count, last, before + last


def _winner(plies: int) -> int:
    """Who made the last ply: 1 for the mover of the position before the first."""
    return 1 if plies % 2 else -1


def free_fibonacci(n: int) -> int:
    """How many of the (n - 1)^2 pairs of hands, one each, are never decided under overflow "rollover".

    The numbers shown follow a Fibonacci sequence modulo n, and a hand is withdrawn when it meets 0. A step takes (a, b)
    to (b, a + b) and can be undone, so pairs of residues fall into cycles, and a game is endless exactly on the cycles
    without a 0 (Avila and Khovanova, Free Fibonacci sequences, Journal of Integer Sequences 17, 2014, 14.8.5). The n
    for which the number is 0 are OEIS A064414.
    """
    n = Game(n).n
    decided = set()
    for number in range(1, n):
        pair = number, 0
        while pair not in decided:
            decided.add(pair)
            pair = pair[1], sum(pair) % n
    return (n - 1) ** 2 - sum(a != 0 != b for a, b in decided)
