"""The compiled core for choices by state: every state picks a target of its own, for each hand or for all.

A turn with known cards and target is deterministic, so a state has at most one successor for each hand and
each target. Its place is computed from the table of turns; nothing is stored for it. Choices that are followed for
long become a sparse matrix (`transitions`).
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import scipy

from gamebalance.base.jit import njit
from gamebalance.sanguosha.attacks import Seats, neighbours
from gamebalance.sanguosha.lineup import Role
from gamebalance.sanguosha.rules import Rules
from gamebalance.sanguosha.targets import in_reach
from gamebalance.sanguosha.turn import CODES, DEAD, LIVING_PLAYERS, turn_codes

#: What an option that is not allowed counts as: less than any points, and harmless when multiplied by 0.
OUT_OF_REACH = -1e9

#: Axes of an array of states, at most.
MOST_AXES = 4

#: The seat that stands for "pass".
PASS = -1


class Options(NamedTuple):
    """What the player to move can do in one living set; the last option is to pass.

    `moves` says how far the state moves in the flat array of the living set, or of the smaller set if the target dies.
    """

    seats: np.ndarray  # the targets', ascending, then `PASS`: int8, (options,)
    allowed: np.ndarray  # whether the actor reaches the target, by the actor's code: (options, 28)
    steps: np.ndarray  # of the target's axis in a flat array; 0 for the pass: (options,)
    step: int  # of the actor's axis
    moves: np.ndarray  # by codes of actor and target (0 for the pass), and hand: int32, (options, 28, 28, hands)
    kills: np.ndarray  # whether the target dies: of the same shape
    chances: np.ndarray  # of the hands


@lru_cache(maxsize=128)
def options_of(actor: int, roles: tuple[Role, ...], seats: Seats, rules: Rules) -> Options:
    """The options of the player at `actor` among the living `seats` of a table with these roles."""
    alive = [seat in seats for seat in range(len(roles))]
    targets = in_reach(actor, alive, True, rules.reach)
    armed = np.array([player.weapon for player in LIVING_PLAYERS])
    unarmed = in_reach(actor, alive, False, rules.reach)
    steps = {seat: CODES**place for place, seat in enumerate(seats)}
    near, codes = neighbours(actor, len(roles), seats), turn_codes(rules, rules.health[roles[actor]])
    moved = [_moves(codes[int(target in near)], steps[actor], steps[target]) for target in targets]
    moved.append(_moves(codes[0], steps[actor], 0))
    return Options(
        np.array([*targets, PASS], np.int8),
        np.array([*(armed | (target in unarmed) for target in targets), armed | True]),
        np.array([*(steps[target] for target in targets), 0]),
        steps[actor],
        np.array([moves for moves, _ in moved]),
        np.array([kills for _, kills in moved]),
        np.array([float(chance) for chance in rules.hand_probability]),
    )


def _moves(codes: np.ndarray, step: int, target_step: int) -> tuple[np.ndarray, np.ndarray]:
    """`Options.moves` and `Options.kills` of one option; a target step of 0 stands for the pass."""
    codes = codes.astype(np.int64).transpose(1, 2, 0, 3)
    actor = np.arange(CODES)[:, None, None]
    if target_step == 0:
        moves = (codes[:, DEAD:, :, 0] - actor) * step
        shape = CODES, CODES, codes.shape[2]
        return np.broadcast_to(moves, shape).astype(np.int32), np.zeros(shape, bool)
    actor_after, target_after = codes[:, :DEAD, :, 0], codes[:, :DEAD, :, 1]
    kills = target_after == DEAD
    left = step if step < target_step else step // CODES
    stays = (actor_after - actor) * step + (target_after - np.arange(CODES)[:, None]) * target_step
    return np.where(kills, (actor_after - actor) * left, stays).astype(np.int32), kills


@njit(inline="always")
def reduced(state, step):
    """The place of a state in the array without the axis of this step; 0 for the pass."""
    return state // (step * CODES) * step + state % step if step else 0


@njit
def best_turn(after, options, seen, before):
    """What states are worth `before` a turn whose target is chosen as well as possible, the cards `seen` or not.

    `after` is what they are worth after it: where the target lives, then by option where it has died. The states that
    differ in the fastest axis alone are done side by side. If it is not the actor's or the target's, they stay so.
    """
    _, allowed, steps, step, moves, kills, chances = options
    states, hands, first = before.size, chances.size, step == 1
    best, total, most = np.empty((hands, CODES)), np.empty(CODES), np.empty(CODES)
    above, axes, own = np.empty(MOST_AXES + 1, np.int64), _axes(steps), _axes(np.array([step]))[0]
    moved, dies = moves.reshape(-1), kills.reshape(-1)  # places without a sign: none counts from the end
    for state in range(0, states, CODES):
        above[0] = state  # without the codes of as many axes: a division by a constant, which is no division
        for axis in range(MOST_AXES):
            above[axis + 1] = above[axis] // CODES
        actor = above[own] - CODES * above[own + 1]
        best[:], most[:] = -np.inf, -np.inf
        for option in range(steps.size):
            if not (first or allowed[option, actor]):
                continue
            target, left, fastest = 0, states + option * (states // CODES), steps[option] == 1
            if steps[option]:
                axis = axes[option]
                target = above[axis] - CODES * above[axis + 1]
                left += state + (above[axis + 1] - above[axis]) * steps[option]
            row = np.uint64(((option * CODES + actor) * CODES + target) * hands)
            total[:] = 0.0
            apart = np.uint64(CODES * hands if first else hands)
            for hand in range(np.uint64(hands)):
                here = best[hand]
                if first or fastest:
                    for code in range(np.uint64(CODES)):
                        if first and not allowed[option, code]:
                            continue
                        each, fallen = row + code * apart + hand, left + code * first
                        worth = after[np.uint64((fallen if dies[each] else state + code) + moved[each])]
                        if seen:
                            here[code] = max(here[code], worth)
                        else:
                            total[code] += chances[hand] * worth
                else:
                    place = np.uint64((left if dies[row + hand] else state) + moved[row + hand])
                    for code in range(np.uint64(CODES)):
                        worth = after[place + code]
                        if seen:
                            here[code] = max(here[code], worth)
                        else:
                            total[code] += chances[hand] * worth
            for code in range(CODES):
                if not seen and (not first or allowed[option, code]):
                    most[code] = max(most[code], total[code])
        if seen:
            most[:] = 0.0
            for hand in range(hands):
                most += chances[hand] * best[hand]
        before[state : state + CODES] = most


@njit
def _axes(steps):
    """The axis with each of these steps."""
    axes = np.zeros(steps.size, np.int64)
    for place in range(steps.size):
        while steps[place] > CODES ** axes[place]:
            axes[place] += 1
    return axes


@njit(borrows=True)
def _state_worths(state, states, after, options, worths):
    """What each option is worth in one state: `worths` of shape (options, hands or 1); else `OUT_OF_REACH`.

    The loop over hands is that of `best_turn`, once more: in a function of its own it costs a fifth of the time.
    """
    _, allowed, steps, step, moves, kills, chances = options
    actor, rows = state // step % CODES, worths.shape[1]
    worths[:] = OUT_OF_REACH
    for option in range(steps.size):
        if not allowed[option, actor]:
            continue
        target = state // steps[option] % CODES if steps[option] else 0
        left = states + option * (states // CODES) + reduced(state, steps[option])
        total = 0.0
        for hand in range(chances.size):
            place = left if kills[option, actor, target, hand] else state
            worth = after[place + moves[option, actor, target, hand]]
            total += chances[hand] * worth
            if rows > 1:
                worths[option, hand] = worth
        if rows == 1:
            worths[option, 0] = total


@njit
def option_worths(after, options, worths):
    """What each option is worth: `worths` of shape (hands or 1, options, 28**axes); else `OUT_OF_REACH`."""
    here = np.empty((worths.shape[1], worths.shape[0]))
    for state in range(worths.shape[2]):
        _state_worths(state, worths.shape[2], after, options, here)
        for row in range(worths.shape[0]):
            for option in range(worths.shape[1]):
                worths[row, option, state] = here[option, row]


@njit
def pick_options(after, options, tie, kept, choice):
    """The seat of the best option, into `choice` of shape (hands or 1, 28**axes).

    What `kept`, of the same shape or (1, 0), names stands if it falls short of the best by less than `tie`; else the
    first option that does, in the order of `Options`.
    """
    seats, steps = options.seats, options.steps
    states, rows, by_seat = choice.shape[1], choice.shape[0], options_by_seat(seats)
    worths = np.empty((steps.size, rows))
    for state in range(states):
        _state_worths(state, states, after, options, worths)
        for row in range(rows):
            least = worths[:, row].max() - tie
            found = steps.size - 1
            for option in range(steps.size):
                if worths[option, row] > least:
                    found = option
                    break
            if kept.shape[1]:
                old = by_seat[kept[row, state]]
                if worths[old, row] > least:
                    found = old
            choice[row, state] = seats[found]


@njit
def options_by_seat(seats):
    """The option of each seat 0 to 9; in the last place, which is also place -1, that of `PASS`."""
    found = np.zeros(11, np.int64)
    for option in range(seats.size):
        found[seats[option]] = option
    return found


def best_choice(options: Options, worths: np.ndarray, tie: float) -> np.ndarray:
    """The seat of the first of the best options, by hand and state; arguments as `Values.worths` returns."""
    best = worths.max(axis=1)
    choice = np.full(best.shape, PASS, np.int8)
    for place in reversed(range(len(options.seats))):
        choice[worths[:, place] > best - tie] = options.seats[place]
    return choice


def transitions(options: Options, choice: np.ndarray) -> "scipy.sparse.csr_array":
    """The chances of what follows a turn, by state before it and place after it, laid out as for `best_turn`.

    Multiplied with values after the turn the matrix gives values before; its transpose moves mass. ValueError if
    somewhere the choice, by hand or whatever the cards, is neither a living player in reach nor to pass.
    """
    flat = choice.reshape(len(choice), -1)
    states = flat.shape[1]
    wrong, *rows = _rows(options, flat)
    if wrong >= 0:
        hand, state = divmod(wrong, states)
        codes = tuple(int(code) for code in np.unravel_index(state, choice.shape[1:]))
        allowed = ", ".join(str(seat) for seat in options.seats[options.allowed[:, state // options.step % CODES]])
        raise ValueError(
            f"choices[{hand}] at {codes} = {flat[hand, state]}: one of {allowed} is needed (-1 is to pass)"
        )
    return scipy.sparse.csr_array(tuple(rows), shape=(states, states + len(options.seats) * (states // CODES)))


@njit
def _rows(options, choice):
    """Chances, places and row starts of the matrix; what several hands lead to is stored once.

    Before them the place in `choice` of one that is not allowed, or -1.
    """
    seats, allowed, steps, step, moves, kills, chances = options
    by_seat, seen, states = options_by_seat(seats), choice.shape[0] > 1, choice.shape[1]
    found, places = np.empty(states * chances.size), np.empty(states * chances.size, np.int32)
    starts = np.zeros(states + 1, np.int32)
    end = 0
    for state in range(states):
        actor = state // step % CODES
        for hand in range(chances.size):
            chosen = choice[hand if seen else 0, state]
            option = by_seat[chosen] if -1 <= chosen < 10 else 0
            if seats[option] != chosen or not allowed[option, actor]:
                return (hand if seen else 0) * states + state, found[:0], places[:0], starts
            target = state // steps[option] % CODES if steps[option] else 0
            place = state
            if kills[option, actor, target, hand]:
                place = states + option * (states // CODES) + reduced(state, steps[option])
            place += moves[option, actor, target, hand]
            at = starts[state]
            while at < end and places[at] != place:
                at += 1
            if at == end:
                places[at], found[at] = place, 0.0
                end += 1
            found[at] += chances[hand]
        starts[state + 1] = end
    return -1, found[:end].copy(), places[:end].copy(), starts
