"""The compiled core of backward induction: one turn, back from what everybody gets after it to what they get before.

What a state gives stands in one row: the chance of each ending, then what each player would get at most by leaving.
Different hands often lead to the same state; each of these results is looked up once.
"""

from typing import NamedTuple

import numpy as np

from gamebalance.base.jit import njit
from gamebalance.sanguosha.kernels.choices import Options, reduced
from gamebalance.sanguosha.turn import CODES

COMPILES = "backward induction, about 10 s"

#: Options whose worth differs by less, in points, are equally good.
TIE = 1e-9


#: Columns that are added up side by side, and room for the 28 codes of a lane.
VECTOR, WIDTH = 4, 32


class Results(NamedTuple):
    """What the options of a player to move lead to: `Options` with each of the different results of the hands once.

    Hands that lead to the same whatever an actor with this code does, to whomever, count as one kind of hand.
    """

    allowed: np.ndarray  # of `Options`, like the two that follow
    steps: np.ndarray
    step: int
    kinds: np.ndarray  # how many kinds of hands there are, by the actor's code: (28,)
    chances: np.ndarray  # of each kind: (28, kinds)
    number: np.ndarray  # which result it leads to, by option, codes of actor and target, kind: (options, 28, 28, kinds)
    sizes: np.ndarray  # how many results there are: (options, 28, 28)
    moves: np.ndarray  # as in `Options`, by result in place of the hand
    dies: np.ndarray  # whether the target does


class Turn(NamedTuple):
    """Where the rows of a turn stand in the book.

    A place counts the states with all alive, then by option those in which its target has died.
    """

    states: int
    before: int  # the row of the first state before the turn
    onward: int  # after it
    fallen: np.ndarray  # after it where the target has died: (options,)
    stride: np.ndarray  # 0 where the game has ended then: one row stands for all states


def results_of(options: Options) -> Results:
    """The different results of the hands."""
    number, count, moves, dies = _different(options.moves, options.kills)
    kinds, most = np.empty(CODES, np.int64), int(count.max())
    chances, by_kind = np.zeros((CODES, number.shape[3])), np.zeros_like(number)
    for actor in range(CODES):
        columns = number[:, actor].reshape(-1, number.shape[3])
        _, first, kind = np.unique(columns, axis=1, return_index=True, return_inverse=True)
        kinds[actor] = len(first)
        chances[actor, : len(first)] = np.bincount(kind.ravel(), options.chances)
        by_kind[:, actor, :, : len(first)] = number[:, actor][..., first]
    steps, shorter = options.steps.astype(np.int64), (np.ascontiguousarray(each[..., :most]) for each in (moves, dies))
    return Results(options.allowed, steps, options.step, kinds, chances, by_kind, count, *shorter)


@njit
def _different(moves, kills):
    options, _, _, hands = moves.shape
    number, count = np.zeros(moves.shape, np.int16), np.zeros((options, CODES, CODES), np.int16)
    found, dies = np.zeros_like(moves), np.zeros(moves.shape, np.bool_)
    for option in range(options):
        for actor in range(CODES):
            for target in range(CODES):
                move, dead = found[option, actor, target], dies[option, actor, target]
                end = 0
                for hand in range(hands):
                    each, kill = moves[option, actor, target, hand], kills[option, actor, target, hand]
                    at = 0
                    while at < end and (move[at] != each or dead[at] != kill):
                        at += 1
                    if at == end:
                        move[at], dead[at] = each, kill
                        end += 1
                    number[option, actor, target, hand] = at
                count[option, actor, target] = end
    return number, count, found, dies


@njit
def look_ahead(book, turn, aim, column, ahead, first, last):
    """What places from `first` to `last` are worth to the mover: by what it aims at, and if it leaves, from `column`.

    `ahead` has shape (2, places).
    """
    smaller = turn.states // CODES
    for place in range(first, last):
        row = turn.onward + place
        if place >= turn.states:
            option, rest = divmod(place - turn.states, smaller)
            row = turn.fallen[option] + turn.stride[option] * rest
        worth = 0.0
        for ending in range(aim.size):
            worth += aim[ending] * book[row, ending]
        ahead[0, place], ahead[1, place] = worth, book[row, column]


@njit
def turn_back(book, turn, results, ahead, order, mixed, shares, column, tally, lane, blocks, first, last):
    """Write the rows of states before a turn; `ahead` is what `look_ahead` says.

    Of equally good options the mover takes the first in `order`, or if `mixed` each with the same chance; if `shares`,
    of shape (options, states), are not empty it takes each option as often as they say. What stands in `column` is what
    the mover gets if it leaves: the most at each turn. In the columns of `tally`, by option, the times are counted that
    it is taken from now on; -1 counts nothing.

    States that differ in the axis of step `lane`, which is not the mover's, are done side by side, from the `first` to
    the `last` of the `blocks` of them. What an option leads to is told by result, of the target in the lane by hand.
    """
    options, hands, follows = results.steps.size, results.chances.shape[1], shares.shape[1] > 0
    worth, alone = np.zeros((options, hands, WIDTH)), np.zeros((options, hands, WIDTH))
    weight, share, lines = np.empty((options, hands, WIDTH)), np.zeros((options, WIDTH)), np.empty((4, WIDTH))
    usable, targets = np.empty(options, np.int64), np.zeros(options, np.int64)
    rows, chances = np.empty(options * hands, np.uint64), np.empty(options * hands)
    left, apart = np.empty(options, np.int64), np.empty(options, np.int64)
    for block in blocks[first:last]:
        base = block // lane * (lane * CODES) + block % lane
        actor, many = base // results.step % CODES, 0
        for option in order:
            if results.allowed[option, actor]:
                usable[many] = option
                many += 1
                step = results.steps[option]
                targets[option] = base // step % CODES if step else 0
                left[option] = turn.states + option * (turn.states // CODES) + reduced(base, step)
                apart[option] = 0 if step == lane else lane // CODES if step < lane else lane
                for code in range(CODES if follows else 0):
                    share[option, code] = shares[option, base + code * lane]
        where = actor, targets, base, lane, left, apart
        _look_up(usable[:many], where, results, ahead, worth, alone)
        weight[:] = 0.0
        _choose(usable[:many], actor, targets, lane, results, (mixed, follows, share), worth, alone, weight, lines)
        _write(book, turn, results, usable[:many], where, weight, tally, rows, chances)
        for code in range(CODES):
            book[turn.before + base + code * lane, column] = lines[0, code]


@njit(inline="always")
def _place(option, target, result, code, where, results):
    """The place of a result in a state of the lane."""
    actor, _, base, lane, left, apart = where
    move = results.moves[option, actor, target, result]
    if results.dies[option, actor, target, result]:
        return left[option] + code * apart[option] + move
    return base + code * lane + move


@njit(borrows=True)
def _look_up(usable, where, results, ahead, worth, alone):
    """What options lead to is worth."""
    actor, targets, _, lane, _, _ = where
    for option in usable:
        if results.steps[option] == lane:
            for hand in range(results.kinds[actor]):
                for code in range(CODES):
                    at = _place(option, code, results.number[option, actor, code, hand], code, where, results)
                    worth[option, hand, code], alone[option, hand, code] = ahead[0, at], ahead[1, at]
            continue
        for result in range(results.sizes[option, actor, targets[option]]):
            start = _place(option, targets[option], result, 0, where, results)
            step = _place(option, targets[option], result, 1, where, results) - start
            for code in range(CODES):
                at = start + code * step
                worth[option, result, code], alone[option, result, code] = ahead[0, at], ahead[1, at]


@njit(borrows=True)
def _choose(usable, actor, targets, lane, results, choice, worth, alone, weight, lines):
    """Add up in `weight` how often what an option leads to comes; `lines` begin with what leaving gives."""
    mixed, follows, share = choice
    leaving, best, apart, taken = lines[0], lines[1], lines[2], lines[3]
    codes = np.uint64(leaving.size)  # places without a sign: none counts from the end
    leaving[:] = 0.0
    for hand in range(results.kinds[actor]):
        chance = results.chances[actor, hand]
        best[:], apart[:] = -np.inf, -np.inf
        for option in usable:
            row = _row(option, actor, targets, hand, lane, results)
            for code in range(codes):
                own, left, most, high = worth[option, row, code], alone[option, row, code], best[code], apart[code]
                best[code] = own if own > most else most
                apart[code] = left if left > high else high
        for code in range(codes):
            leaving[code] += chance * apart[code]
            best[code] -= TIE
            taken[code] = chance
        if mixed and not follows:
            apart[:] = 0.0
            for option in usable:
                row = _row(option, actor, targets, hand, lane, results)
                for code in range(codes):
                    apart[code] += 1.0 if worth[option, row, code] > best[code] else 0.0
            for code in range(codes):
                taken[code] = chance / apart[code]
        for option in usable:
            row = _row(option, actor, targets, hand, lane, results)
            for code in range(codes):
                if follows:
                    weight[option, row, code] += chance * share[option, code]
                else:
                    pick = taken[code] if worth[option, row, code] > best[code] else 0.0
                    weight[option, row, code] += pick
                    taken[code] -= 0.0 if mixed else pick


@njit(inline="always")
def _row(option, actor, targets, hand, lane, results):
    """Where what an option and hand lead to stands."""
    return np.uint64(hand if results.steps[option] == lane else results.number[option, actor, targets[option], hand])


@njit(borrows=True)
def _write(book, turn, results, usable, where, weight, tally, rows, shares):
    """The mean of what follows, into the rows before the turn."""
    actor, targets, base, lane, _, _ = where
    for code in range(CODES):
        before, many = np.uint64(turn.before + base + code * lane), 0
        for option in usable:
            across = results.steps[option] == lane
            target = code if across else targets[option]
            for row in range(results.kinds[actor] if across else results.sizes[option, actor, target]):
                if weight[option, row, code] > 0:
                    result = results.number[option, actor, code, row] if across else row
                    after = _place(option, target, result, code, where, results)
                    if results.dies[option, actor, target, result]:
                        after -= turn.states + option * (turn.states // CODES)
                        after = turn.fallen[option] + turn.stride[option] * after
                    else:
                        after += turn.onward
                    rows[many], shares[many] = after, weight[option, row, code]
                    many += 1
        for each in range(np.uint64(0), np.uint64(book.shape[1]), np.uint64(VECTOR)):  # without a sign, as in `_choose`
            a = b = c = d = 0.0
            for place in range(np.uint64(many)):
                row, share = rows[place], shares[place]
                a += share * book[row, each]
                b += share * book[row, each + np.uint64(1)]
                c += share * book[row, each + np.uint64(2)]
                d += share * book[row, each + np.uint64(3)]
            book[before, each], book[before, each + np.uint64(1)] = a, b
            book[before, each + np.uint64(2)], book[before, each + np.uint64(3)] = c, d
        for option in usable:
            if tally[option] >= 0:
                book[before, tally[option]] += weight[option, :, code].sum()
