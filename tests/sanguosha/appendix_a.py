"""One pass of appendix A's loop, and appendix B's summary, a second time: from the programs, without the library.

States are dictionaries from (seat to move, (health, dodges, weapon) by seat) to mass; masses are Python integers, or
exact fractions where the cutting off is switched off. Names in capitals are those of the programs.
"""

from collections import Counter
from fractions import Fraction

from tests.sanguosha.reference import CPC, c_targets, count_alive, seat_after

#: Largest C int: the program's probability of 1.
MINT = 2**31 - 1


def multiply(a, b, c):
    """The program's function of this name; Python's integers do not overflow, so that C's must not is asserted."""
    if MINT // b > a:
        assert a * b <= MINT
        return a * b // c
    return a // c * b


def finished(R):
    """The condition of appendix A, on the numbers alive by role."""
    return R[2] + R[3] == 0 or R[0] == 0 or R[0] + R[1] + R[2] == 0


def living_mask(players):
    """Bit s: the player in seat s lives."""
    return sum(1 << seat for seat, (health, _, _) in enumerate(players) if health)


def one_pass(role, states, spend, ghost, integer, least=0):
    """The body of the program's do loop.

    `spend`: the card counters are shared by the possible targets, as printed. `ghost`: the next player is looked for
    among those alive before the turn, as printed. `integer`: whole numbers, as printed. States below `least` are
    dropped.

    Returns the states afterwards, the final mass by living mask, the largest running mass (`flag`) and their sum.
    """
    onward, ended, flag, total = Counter(), Counter(), 0, 0
    for (N, players), mass in states.items():
        H = [health for health, _, _ in players]
        if finished(count_alive(role, H)):
            ended[living_mask(players)] += mass
            continue
        flag, total = max(flag, mass), total + mass
        if mass < least:
            continue
        Ob = c_targets(N, role, H, players[N][2])
        for l in range(36):  # noqa: E741
            dp = _share(mass, CPC[l % 6], CPC[l // 6], len(Ob) or 1, integer)
            C = Counter([l % 6, l // 6])
            for M in Ob or [None]:
                after = _play(players, N, M, C if spend else Counter(C))
                to = seat_after(N, H if ghost else [health for health, _, _ in after])
                if dp:
                    onward[to, after] += dp
    return onward, ended, flag, total


def _share(mass, first, second, nOb, integer):
    if integer:
        return multiply(multiply(mass, first, 71), second, 71) // nOb
    return Fraction(mass) * first * second / (71 * 71 * nOb)


def _play(players, N, M, C):
    """Everybody after the turn; C is counted down where the program counts it down. The dead keep their weapon."""
    H, V, W = map(list, zip(*players, strict=True))
    if M is not None:
        for card in (3, 4):
            while C[card]:
                C[card] -= 1
                if W[M]:
                    W[M] = 0
                    W[N] = 1 if card == 3 else W[N]
                elif V[M]:
                    V[M] -= 1
                    V[N] += card == 3
        if C[5]:
            if V[M]:
                V[M] -= 1
            else:
                H[M] -= 1
    H[N] = min(H[N] + C[1], 4)
    V[N] = min(V[N] + C[0], H[N])
    W[N] = min(W[N] + C[2], 1)
    return tuple(zip(H, V, W, strict=True))


def summary(counts, idm, divisor, points=None):
    """The end of appendix B: percent alive and mean points, a list of four each, as exact fractions.

    `idm` holds the numbers of each role. `divisor` takes the place of ``id[3]``, `points` that of ``35 / idm[3]``, by
    default a division of whole numbers as in C.
    """
    games, vr, vs = sum(counts.values()), [Fraction(0)] * 4, [Fraction(0)] * 4
    points = 35 // idm[3] if points is None else points
    for (i, j, k, l), p in counts.items():  # noqa: E741
        for role, alive in enumerate((i, j, k, l)):
            vr[role] += alive * p
        if i + j + k == 0 and l == 1:
            vs[0] += 3 * p
            vs[3] += points * p
        elif k + l == 0:
            vs[0] += (10 + 5 * j) * p
            vs[1] += (7 + Fraction(3 * j, idm[1])) * p
            if j + k + l == 0:
                vs[3] += Fraction(15, divisor) * p
        elif i == 0:
            vs[2] += (9 + Fraction(3 * k, idm[2])) * p
            vs[3] += Fraction((5 - k) * l, idm[3]) * p
    return [100 * alive / (games * members) for alive, members in zip(vr, idm, strict=True)], [s / games for s in vs]
