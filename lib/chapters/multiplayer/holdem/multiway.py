"""Equilibria for three and four players on sampled deals, and how far they are from equilibrium of the real game.

A strategy found on some deals fits their accidents, so it is measured on others. A best response found on the very
deals it is measured on gains too much on average, one found elsewhere too little: the two bracket NashConv.
"""

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from gamebalance.base.checks import check_seed, whole_number
from gamebalance.base.sums import standard_error
from gamebalance.games.holdem.deals import MOST_BOARDS, Deals, sampled
from gamebalance.games.holdem.equilibrium import MOST_ITERATIONS, best_response, check_push, deal_values, solve
from gamebalance.games.holdem.game import PushFold
from gamebalance.games.holdem.triples import sampled_triples, three_handed

#: Names that the columns of a row begin with.
VALUE, ERROR, CHART = "value ", "error ", "chart "


class Bracket(NamedTuple):
    """NashConv of a strategy, from below and from above, each with its standard error.

    `low` is the mean gain of best responses found on other deals: no response gains more than the best one, so its
    expectation is at most NashConv. Its error is that of the mean once the responses are found; on a few hundred deals
    they vary themselves, by a third as much again. `high` is the gain of best responses found on the same deals: the
    mean of a maximum is at least the maximum of means, so its expectation is at least NashConv.
    """

    low: float
    low_error: float
    high: float
    high_error: float


def bracket(game: PushFold, push: np.ndarray) -> Bracket:
    """Bracket the NashConv of a strategy that was found on other deals than those of the game.

    The game is on four or more sampled deals of equal weight; their two halves serve each other as the other deals.
    """
    push = check_push(game, push)
    if np.ptp(game.deals.weights) > 0:
        raise ValueError("game.deals.weights: deals of equal weight are needed for a bracket")
    half = len(game.deals.hands) // 2
    if half < 2:
        raise ValueError(f"deals = {len(game.deals.hands)}: at least four are needed for a bracket")
    halves = [replace(game, deals=game.deals.part(part)) for part in (slice(0, half), slice(half, 2 * half))]
    low = [_gain(there, push, _responses(here, push)) for here, there in (halves, halves[::-1])]
    gains = np.concatenate(low), _gain(game, push, _responses(game, push))
    return Bracket(*(float(number) for gain in gains for number in (gain.mean(), standard_error(gain))))


def values(game: PushFold, push: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What each seat wins on average over sampled deals of equal weight, and the standard errors."""
    found = deal_values(game, push)
    return found.mean(axis=0), standard_error(found)


def _responses(game: PushFold, push: np.ndarray) -> list[np.ndarray]:
    return [best_response(game, push, player) for player in range(game.players)]


def _gain(game: PushFold, push: np.ndarray, responses: list[np.ndarray]) -> np.ndarray:
    """Sum over the seats of what each one's response gains, deal by deal."""
    before = deal_values(game, push)
    return sum(deal_values(game, response)[:, player] - before[:, player] for player, response in enumerate(responses))


# A first solution on few deals saves most iterations on many.
_FIRST_DEALS, _FIRST_ITERATIONS = 150_000, 100


@lru_cache(maxsize=1)
def _samples(players: int, learned: int, deals: int, boards: int, seed: int) -> tuple[Deals, Deals, Deals]:
    """Deals to begin with, to learn from and to measure on."""
    first, measured = sampled(players, _FIRST_DEALS, 3 * seed), sampled(players, deals, 3 * seed + 1, boards)
    if players == 3:
        return first, three_handed(sampled_triples(learned, 3 * seed + 2)), measured
    return first, sampled(players, learned, 3 * seed + 2, boards), measured


def row(
    stack: int, players: int, learned: int, deals: int, boards: int = 4, iterations: int = 30, seed: int = 1
) -> dict[str, int | float | str]:
    """An equilibrium for one depth of stacks, in big blinds without ante: a row of the stored tables.

    The strategy is `learned` from so many boards, on each of which all triples of hands are dealt, for three players;
    from so many deals for four. It is found by CFR+, after iterations on a small sample to begin with, and measured on
    other `deals`, with `boards` for each.

    Returns
    -------
    dict
        `stack`; for each seat "value …" and "error …" in big blinds; `low`, `low_error`, `high` and `high_error` of
        `Bracket`; `own`: NashConv on the deals learned from; for each decision "chart …", with the actions before it as
        in "chart fp" and "chart first" for none, the percentages of going all-in of the 169 hands. Everything but `own`
        is measured with these whole percentages.
    """
    players = whole_number("players", players, 3, 4)
    stack, seed = whole_number("stack", stack, 1), whole_number("seed", check_seed(seed), 0, 2**60)
    learned = whole_number("learned", learned, 1, 10_000_000)
    deals, boards = whole_number("deals", deals, 4), whole_number("boards", boards, 1, MOST_BOARDS)
    iterations = whole_number("iterations", iterations, 1, MOST_ITERATIONS)
    first, source, measured = _samples(players, learned, deals, boards, seed)
    begun = solve(PushFold(first, stack), _FIRST_ITERATIONS)
    found = solve(PushFold(source, stack), iterations, start=begun.push)
    percent = np.rint(100 * found.push).astype(int)
    game = PushFold(measured, stack)
    worth, errors = values(game, percent / 100)
    line = {"stack": stack}
    line |= {VALUE + seat: float(value) for seat, value in zip(game.seats, worth, strict=True)}
    line |= {ERROR + seat: float(error) for seat, error in zip(game.seats, errors, strict=True)}
    line |= bracket(game, percent / 100)._asdict() | {"own": found.evaluation.nash_conv}
    return line | {CHART + name: " ".join(map(str, percent[node])) for name, node in decisions(game).items()}


def decisions(game: PushFold) -> dict[str, int]:
    """The decisions that are not void, by the actions before them ("first" for none), with their numbers."""
    last = game.node("f" * (game.players - 1))
    return {game.actions(node) or "first": node for node in range(game.nodes) if node != last}


def stored_push(game: PushFold, line) -> np.ndarray:
    """The strategy in a row of as many players as the game has, shape (nodes, hands); a void decision folds."""
    push = np.zeros((game.nodes, len(game.deals.names)))
    for name, node in decisions(game).items():
        push[node] = np.array(line[CHART + name].split(), float) / 100
    return check_push(game, push)
