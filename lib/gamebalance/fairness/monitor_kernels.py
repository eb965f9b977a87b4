"""The compiled half of `stopping`: many runs of games, each watched by a `Monitor`'s rule until it stops.

Every run has a stream of splitmix64 of its own, so that run i of a seed is the same however the work is divided. A game
is decided by the upper 53 bits of one word.
"""

import math

import numpy as np

from gamebalance.base.jit import njit
from gamebalance.base.splitmix import GOLDEN, mix_word

#: Said before the first function of this module is compiled.
COMPILES = "the simulator of monitors, 3 to 9 s"
UNDECIDED, UNFAIR, FAIR = range(3)
#: The step from one state of the generator to the next, and what is cut off from a word.
STEP, CUT = np.uint64(GOLDEN), np.uint64(11)


@njit
def fewest_wins(most, weights, own, others, chance, bound):
    """For each number of games to `most`: the fewest wins after which a chance is refuted, as too small, by a label.

    `own` and `others` are the parameters of beta distributions over the chance of the label, `weights` theirs; where no
    number of wins is enough, the answer is one more than the games. With as many wins more there is more evidence, and
    a loss takes some away; so the answer never falls, and one walk along it is enough.
    """
    found = np.zeros(most + 1, np.int64)
    if chance <= 0:
        return found
    wins, logs = 0, np.log(weights)
    found[0] = 1
    for games in range(1, most + 1):
        for part in range(len(logs)):
            misses = others[part] + games - 1 - wins
            logs[part] += math.log(misses / (own[part] + others[part] + games - 1) / (1 - chance))
        while wins < games and not (wins > chance * games and _added(logs) >= bound):
            for part in range(len(logs)):
                hits, misses = own[part] + wins, others[part] + games - 1 - wins
                logs[part] += math.log(hits / misses * (1 - chance) / chance)
            wins += 1
        enough = wins > chance * games and _added(logs) >= bound
        found[games] = wins if enough else games + 1
    return found


@njit(inline="always")
def _added(logs):
    """Logarithm of the sum of numbers with these logarithms."""
    most, total = logs.max(), 0.0
    for each in logs:
        total += math.exp(each - most)
    return most + math.log(total)


@njit(inline="always")
def _winner(state, limits):
    """Who wins the game that this state of the generator decides."""
    word, winner = mix_word(state) >> CUT, 0
    for limit in limits:
        winner += word >= limit
    return winner


@njit(borrows=True)
def _wald(state, limits, gains, upper, lower, most):
    """One run against named chances: verdict and games played."""
    evidence = 0.0
    for game in range(1, most + 1):
        state += STEP
        evidence += gains[_winner(state, limits)]
        if evidence >= upper:
            return UNFAIR, game
        if evidence <= lower:
            return FAIR, game
    return UNDECIDED, most


@njit(borrows=True)
def _mixture(state, limits, weights, own, fewest, largest, enough, wins):
    """One run against all chances: verdict and games played.

    `weights` and `own`: of the parts of `bets.Mixture`; `enough`: the evidence that decides. `fewest[n]`, `largest[n]`:
    an interval is within the margin from so many to so many wins.
    """
    groups = len(wins)
    first, second = weights[0], weights[1]
    wins[:] = 0
    squares = 0
    for game in range(1, len(fewest)):
        state += STEP
        winner = _winner(state, limits)
        one, other = groups * own[0] + game, groups * own[1] + game
        first *= groups * (own[0] + wins[winner]) / (one - 1)
        second *= groups * (own[1] + wins[winner]) / (other - 1)
        squares += 2 * wins[winner] + 1
        wins[winner] += 1
        within = True
        for count in wins:
            within = within and fewest[game] <= count <= largest[game]
        if within:
            return FAIR, game
        apart = (groups * squares - game * game) / (groups - 1)
        evidence = first * (apart + one) * (groups * own[0] + 1) / (one * (one + 1))
        evidence += second * (apart + other) * (groups * own[1] + 1) / (other * (other + 1))
        if evidence >= enough:
            return UNFAIR, game
    return UNDECIDED, len(fewest) - 1


@njit(inline="always")
def _uniform(state):
    """A number between 0 and 1 from this state of the generator."""
    return (float(mix_word(state) >> CUT) + 0.5) * 2.0**-53


@njit(borrows=True)
def _block(state, skill, favour, strengths, result):
    """Play a block of games of rotating players; the state after it.

    `skill`: the standard deviation of strengths; `favour`: exp(effect) of each seat; `result` gets the parts of wins.
    """
    groups = len(result)
    for player in range(groups):
        state += STEP
        far = math.sqrt(-2 * math.log(_uniform(state)))
        state += STEP
        strengths[player] = math.exp(skill * far * math.cos(2 * math.pi * _uniform(state)))
    result[:] = 0
    for game in range(groups):
        total = 0.0
        for seat in range(groups):
            total += favour[seat] * strengths[(seat + game) % groups]
        state += STEP
        left, winner = total * _uniform(state), 0
        while winner < groups - 1 and left >= favour[winner] * strengths[(winner + game) % groups]:
            left -= favour[winner] * strengths[(winner + game) % groups]
            winner += 1
        result[winner] += 1 / groups
    return state


@njit(borrows=True)
def _watch_blocks(state, skill, favour, weights, own, numbers, most, space):
    """One run of blocks against all chances, as a `Monitor` watches them: verdict and games played.

    `numbers`: margin, `bound` of the intervals, the evidence that decides, what is left of a bet, and after how many
    blocks what was seen of the scatter weighs as much as what was expected. `space`: seven rows of a number for each
    label.
    """
    margin, bound, enough, kept, first = numbers
    strengths, result, counts, gains, near, far, rows = space
    groups, even = len(result), 1 / len(result)
    counts[:], near[:], far[:] = 0, 0, 0
    rows[0], rows[1] = weights[0], weights[1]
    total, scatter = 0.0, 0.0
    for block in range(1, most // groups + 1):
        state = _block(state, skill, favour, strengths, result)
        spread = (first / groups + scatter) / (first + block - 1)
        squares = 0.0
        for count in counts:
            squares += count * count
        evidence = 0.0
        for part in range(2):
            every = own[part] * groups + total
            apart = (groups * squares - total**2) / (groups - 1) + every
            factor, least = 0.0, 1.0
            for place in range(groups):
                after = (groups * (squares + 2 * counts[place] + 1) - (total + 1) ** 2) / (groups - 1) + every + 1
                gains[place] = groups * (own[part] + counts[place]) * after / ((every + 2) * apart)
                factor += gains[place] * result[place]
                least = min(least, gains[place])
            raised = 1 / spread
            if least < 1:
                raised = min(raised, (1 - kept) / (1 - least))
            rows[part] *= 1 + raised * (factor - 1)
            evidence += rows[part]
        variance = spread * even * (1 - even)
        bet = min(margin, math.sqrt(2 * variance * bound / block)) / variance
        within = True
        for place in range(groups):
            share = result[place]
            counts[place] += share / spread
            scatter += (share - even) ** 2 / (1 - even)
            if even > margin:
                near[place] += math.log(1 + min(bet, (1 - kept) / (even - margin)) * (share - even + margin))
                within = within and near[place] >= bound
            if even + margin < 1:
                far[place] += math.log(1 + min(bet, (1 - kept) / (1 - even - margin)) * (even + margin - share))
                within = within and far[place] >= bound
        total += 1 / spread
        if within:
            return FAIR, block * groups
        if evidence >= enough:
            return UNFAIR, block * groups
    return UNDECIDED, most


@njit
def wald_runs(first, last, key, limits, gains, upper, lower, most):
    """Verdicts and games played of the runs from `first` to `last` - 1."""
    verdicts, games = np.empty(last - first, np.int64), np.empty(last - first, np.int64)
    for run in range(first, last):
        state = mix_word(np.uint64(key) + STEP * np.uint64(run))
        verdicts[run - first], games[run - first] = _wald(state, limits, gains, upper, lower, most)
    return verdicts, games


@njit
def mixture_runs(first, last, key, limits, weights, own, fewest, largest, enough):
    """Verdicts and games played of the runs from `first` to `last` - 1."""
    verdicts, games = np.empty(last - first, np.int64), np.empty(last - first, np.int64)
    wins = np.zeros(len(limits) + 1, np.int64)
    for run in range(first, last):
        state = mix_word(np.uint64(key) + STEP * np.uint64(run))
        found = _mixture(state, limits, weights, own, fewest, largest, enough, wins)
        verdicts[run - first], games[run - first] = found
    return verdicts, games


@njit
def block_runs(first, last, key, skill, favour, weights, own, numbers, most):
    """Verdicts and games played of the runs from `first` to `last` - 1, of blocks."""
    verdicts, games = np.empty(last - first, np.int64), np.empty(last - first, np.int64)
    space = np.zeros((7, len(favour)))
    for run in range(first, last):
        state = mix_word(np.uint64(key) + STEP * np.uint64(run))
        found = _watch_blocks(state, skill, favour, weights, own, numbers, most, space)
        verdicts[run - first], games[run - first] = found
    return verdicts, games


@njit
def blocks_played(blocks, key, run, skill, favour):
    """The parts of wins in the first blocks of a run, a row for each."""
    found, strengths = np.empty((blocks, len(favour))), np.empty(len(favour))
    state = mix_word(np.uint64(key) + STEP * np.uint64(run))
    for block in range(blocks):
        state = _block(state, skill, favour, strengths, found[block])
    return found
