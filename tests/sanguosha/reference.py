"""The game a second time, for the tests: written from the report's two C programs, sharing no code with the library.

Roles, health H, dodges V, weapons W, possible targets Ob, card counters C and the names N (who moves) and M (the
target) are those of the programs. `written` switches to the report's text where text and programs differ.
"""

from collections import Counter
from itertools import product

import numpy as np
from scipy import sparse, stats

#: Dodge, peach, weapon, snatch, dismantle, slash among 71 cards: cpc of Appendix A.
CPC = (15, 8, 7, 5, 6, 30)


def c_turn(actor, target, cards, near=True, written=False, most=4):
    """Appendix B, one turn: (health, dodges, weapon) of actor and target afterwards; target None when nOb is 0."""
    N, M = 0, 1
    H, V, W = map(list, zip(actor, target or (0, 0, 0), strict=True))
    C = [0] * 6
    for card in cards:
        C[card] += 1
    if target:
        if written and not near:
            C[3] = 0
        while C[3]:
            if W[M]:
                W[M] = 0
                if not written:
                    W[N] = 1
            elif V[M]:
                V[M] -= 1
                V[N] += 1
            C[3] -= 1
        while C[4]:
            if W[M]:
                W[M] = 0
            elif V[M]:
                V[M] -= 1
            C[4] -= 1
        if C[5]:
            if V[M]:
                V[M] -= 1
            else:
                H[M] -= 1
    H[N] = min(H[N] + C[1], most)
    V[N] = min(V[N] + C[0], H[N])
    W[N] = min(W[N] + C[2], 1)
    if not H[M]:  # the program leaves the dead their weapon and never looks at it again; the text takes it away
        W[M] = 0
    return tuple((H[i], V[i], bool(W[i])) if i == N or target else None for i in (N, M))


def around(N, H, steps):
    """The seats that `steps` living players reach on either side of N."""
    found = set()
    for step in (1, len(H) - 1):
        left, o = steps, N
        while left > 0:
            o = (o + step) % len(H)
            if o == N:
                break
            if H[o]:
                left -= 1
                found.add(o)
    return found


def c_targets(N, role, H, armed, written=False, reach=(1, 3)):
    """Both programs: the possible targets Ob of the player at seat N."""
    R = Counter(role[i] for i in range(len(role)) if H[i])
    in_range = Ob = around(N, H, reach[armed])
    if role[N] == 0 and not R[1]:
        Ob = {o for o in Ob if role[o] == 2}
    if role[N] == 1:
        Ob = Ob - {0}
    if role[N] == 2:
        Ob = Ob - {0} if R[1] else Ob & {0}
        if written and not R[1] and not Ob:
            Ob = {o for o in in_range if role[o] == 3}
    if role[N] == 3 and (R[1] + R[2] or R[3] > 1):
        Ob = Ob - {0}
        Ob = {o for o in Ob if H[o] == max(H[o] for o in Ob)}
    return sorted(Ob)


def count_alive(role, H):
    living = Counter(role[i] for i in range(len(role)) if H[i])
    return tuple(living[r] for r in range(4))


def over(alive):
    """Appendix B's end of the game."""
    R = alive
    return R[2] + R[3] == 0 or R[0] == 0 or (R[0] + R[1] + R[2] == 0 and R[3] == 1)


def seat_after(N, H):
    M = (N + 1) % len(H)
    while M != N and not H[M]:
        M = (M + 1) % len(H)
    return M


class Chain:
    """The Markov chain of one seating: every state that play can reach, found breadth first, and the matrix.

    A state is (N, H, V, W), the last three by seat; `hearts` and `dodges` are by role, `begins` is a seat.
    """

    def __init__(
        self, seating, written=False, deck=CPC, hearts=(4,) * 4, dodges=(2,) * 4, draws=2, reach=(1, 3), begins=0
    ):
        self.role, self.written, self.deck, self.cache = tuple(map(int, seating)), written, deck, {}
        self.hearts, self.draws, self.reach, n = hearts, draws, reach, len(seating)
        H, V = (tuple(each[role] for role in self.role) for each in (hearts, dodges))
        self.number, entries = {(begins, H, V, (False,) * n): 0}, []
        states = list(self.number)
        for place, state in enumerate(states):  # grows while it runs
            if over(count_alive(self.role, state[1])):
                continue
            for after, share in self.step(*state):
                if after not in self.number:
                    self.number[after] = len(states)
                    states.append(after)
                entries.append((place, self.number[after], share))
        source, sink, share = map(np.array, zip(*entries, strict=True))
        self.states, size = states, len(states)
        self.transient = np.isin(np.arange(size), source)
        self.matrix = sparse.csr_array((share, (sink, source)), shape=(size, size))

    def step(self, N, H, V, W):
        Ob = c_targets(N, self.role, H, W[N], self.written, self.reach)
        neighbours = around(N, H, 1)
        for M in Ob or [None]:
            target, most = None if M is None else (H[M], V[M], W[M]), self.hearts[self.role[N]]
            for (actor, other), share in self.turn_results((H[N], V[N], W[N]), target, M in neighbours, most):
                players = list(zip(H, V, W, strict=True))
                players[N] = actor
                if M is not None:
                    players[M] = other
                h, v, w = zip(*players, strict=True)
                yield (seat_after(N, h), h, v, w), share / max(len(Ob), 1)

    def turn_results(self, actor, target, near, most=4):
        key = actor, target, near, most
        if key not in self.cache:
            results = Counter()
            kinds, total = [card for card in range(6) if self.deck[card]], sum(self.deck)
            for cards in product(kinds, repeat=self.draws):
                share = np.prod([self.deck[card] / total for card in cards])
                results[c_turn(actor, target, cards, near, self.written, most)] += share
            self.cache[key] = list(results.items())
        return self.cache[key]

    def solve(self):
        """Probability of each ending, and the mean number of turns, by pushing the distribution until all is over."""
        mass, ended, turns = np.zeros(len(self.states)), np.zeros(len(self.states)), 0.0
        mass[0] = 1
        while (going := mass.sum()) > 1e-16:
            turns += going
            mass = self.matrix @ mass
            ended += mass * ~self.transient
            mass = mass * self.transient
        endings = Counter()
        for place in np.flatnonzero(ended):
            endings[count_alive(self.role, self.states[place][1])] += ended[place]
        return endings, turns


def _rotate(word, places):
    return (word * 2**places + word // 2 ** (32 - places)) % 2**32


def xoshiro128pp(state, count):
    """The first outputs of Blackman and Vigna's xoshiro128++ 1.0, after their C source."""
    s, outputs = list(state), []
    for _ in range(count):
        outputs.append((_rotate((s[0] + s[3]) % 2**32, 7) + s[0]) % 2**32)
        t = (s[1] * 2**9) % 2**32
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = _rotate(s[3], 11)
    return outputs


def fit(counts, probability):
    """p-value of the chi-square test that counts follow a distribution; cells that expect fewer than 5 are pooled."""
    assert set(counts) <= set(probability), "something happened that has probability 0"
    games = sum(counts.values())
    cells = _pool({key: (counts.get(key, 0), games * share) for key, share in probability.items()}, 1)
    observed, expected = np.array(cells).T
    return stats.chi2.sf((np.square(observed - expected) / expected).sum(), len(cells) - 1)


def same(first, second):
    """p-value of the chi-square test that two samples come from one distribution; rare cells are pooled."""
    cells = _pool({key: (first.get(key, 0), second.get(key, 0)) for key in {*first, *second}})
    return stats.chi2_contingency(np.array(cells).T, correction=False).pvalue


def _pool(cells, column=None):
    """Pairs of numbers, with those whose `column` (or total) is below 5 (10) added up into one."""

    def rare(pair):
        return sum(pair) < 10 if column is None else pair[column] < 5

    kept = [pair for pair in cells.values() if not rare(pair)]
    pooled = np.sum([pair for pair in cells.values() if rare(pair)], axis=0)
    if np.ndim(pooled) and rare(pooled) and kept:  # still too few: with the smallest of the others
        kept.sort(key=sum)
        kept[0] = tuple(np.add(kept[0], pooled))
    elif np.ndim(pooled):
        kept.append(tuple(pooled))
    return kept


def shares_by_code(attack):
    """An attack's shares by state: 28 entries along each axis, the living seats in descending order."""
    return attack.shares[np.ix_(*attack.cells)]
