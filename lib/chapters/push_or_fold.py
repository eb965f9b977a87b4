"""All-in-or-fold Hold'em: charts read as printed ones, and equilibria for three and four players on sampled deals."""

from collections import namedtuple
from dataclasses import replace
from functools import lru_cache

import numpy as np

from gamebalance.base.sums import standard_error
from gamebalance.games.holdem.equilibrium import best_response, deal_values, solve
from gamebalance.games.holdem.game import PushFold, sampled, sampled_triples, three_handed

#: Names that the columns of a row begin with.
VALUE, ERROR, CHART = "value ", "error ", "chart "
#: A first solution on few deals saves most iterations on many.
FIRST_DEALS, FIRST_ITERATIONS = 150_000, 100
#: `low` is the mean gain of best responses found on other deals: its expectation is at most NashConv, for no response
#: gains more than the best one. `high` is that of responses found on the same deals: at least NashConv, for the mean of
#: a maximum is at least the maximum of means. The error of `low` leaves out that responses vary themselves.
Bracket = namedtuple("Bracket", "low low_error high high_error")
#: By hand: up to which stack it is played, 0 if at none, and whether it is folded at some smaller one.
Limits = namedtuple("Limits", "stacks gaps")


def bracket(game, push):
    """Bracket the NashConv of a strategy that was found on other deals than those, of equal weight, of the game.

    The two halves of the deals serve each other as the other deals.
    """
    half = len(game.deals.hands) // 2
    halves = [replace(game, deals=game.deals.part(part)) for part in (slice(0, half), slice(half, 2 * half))]
    low = [gain(there, push, responses(here, push)) for here, there in (halves, halves[::-1])]
    gains = np.concatenate(low), gain(game, push, responses(game, push))
    return Bracket(*(float(number) for each in gains for number in (each.mean(), standard_error(each))))


def responses(game, push):
    return [best_response(game, push, player) for player in range(game.players)]


def gain(game, push, responses):
    """Sum over the seats of what each one's response gains, deal by deal."""
    before = deal_values(game, push)
    return sum(deal_values(game, response)[:, player] - before[:, player] for player, response in enumerate(responses))


def values(game, push):
    """What each seat wins on average over sampled deals of equal weight, and the standard errors."""
    each = deal_values(game, push)
    return each.mean(axis=0), standard_error(each)


@lru_cache(maxsize=1)
def samples(players, learned, deals, boards, seed):
    """Deals to begin with, to learn from and to measure on."""
    first, measured = sampled(players, FIRST_DEALS, 3 * seed), sampled(players, deals, 3 * seed + 1, boards)
    if players == 3:
        return first, three_handed(sampled_triples(learned, 3 * seed + 2)), measured
    return first, sampled(players, learned, 3 * seed + 2, boards), measured


def row(stack, players, learned, deals, boards=4, iterations=30, seed=1):
    """An equilibrium for one depth of stacks, without ante, by CFR+ on so many boards (three players) or deals.

    All but `own`, the NashConv on the deals learned from, is measured with whole percentages on other `deals`.
    """
    first, source, measured = samples(players, learned, deals, boards, seed)
    begun = solve(PushFold(first, stack), FIRST_ITERATIONS)
    solved = solve(PushFold(source, stack), iterations, start=begun.push)
    percent = np.rint(100 * solved.push).astype(int)
    game = PushFold(measured, stack)
    worth, errors = values(game, percent / 100)
    line = {"stack": stack}
    line |= {VALUE + seat: float(value) for seat, value in zip(game.seats, worth, strict=True)}
    line |= {ERROR + seat: float(error) for seat, error in zip(game.seats, errors, strict=True)}
    line |= bracket(game, percent / 100)._asdict() | {"own": solved.evaluation.nash_conv}
    return line | {CHART + name: " ".join(map(str, percent[node])) for name, node in decisions(game).items()}


def decisions(game):
    """The decisions that are not void, by the actions before them ("first" for none), with their numbers."""
    last = game.node("f" * (game.players - 1))
    return {game.actions(node) or "first": node for node in range(game.nodes) if node != last}


def stored_push(game, line):
    """The strategy in a row of as many players as the game has, shape (nodes, hands); a void decision folds."""
    push = np.zeros((game.nodes, len(game.deals.names)))
    for name, node in decisions(game).items():
        push[node] = np.array(line[CHART + name].split(), float) / 100
    return push


def limits(stacks, charts):
    """Read charts, (stacks, hands), of ascending stacks as printed ones are made: played at least half the time."""
    played, stacks = np.asarray(charts) >= 0.5, np.asarray(stacks, float)[:, None]
    greatest = np.where(played, stacks, 0).max(axis=0)
    return Limits(greatest, (~played & (stacks < greatest)).any(axis=0))
