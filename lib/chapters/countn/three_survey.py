"""Counts over all states: who can force what, who can only choose among the others, and which alpha games occur."""

from itertools import chain, combinations
from typing import Any

import numpy as np
import pandas as pd

from gamebalance.base.checks import whole_number
from gamebalance.countn.kernels.retrograde import pair_hands
from gamebalance.countn.rules import Move
from gamebalance.countn.three.forcing import Forcing, solve
from gamebalance.countn.three.rules import PLAYERS, State
from gamebalance.multiplayer.cooperative import TUGame

#: The non-empty coalitions, by size.
COALITIONS = tuple(chain.from_iterable(combinations(range(PLAYERS), size) for size in range(1, PLAYERS + 1)))
#: Players by where they sit, as counts over states name them.
SEATS = ("mover", "next", "previous")
_SIDES = tuple((one, tuple(other for other in range(PLAYERS) if other != one)) for one in range(PLAYERS))


def seats_text(coalition: tuple[int, ...]) -> str:
    """A coalition named by seats: ``mover + next``, or ``all``."""
    return "all" if len(coalition) == PLAYERS else " + ".join(SEATS[seat] for seat in coalition)


def largest_sum(ply: int) -> int:
    """The greatest sum that any line of play from the start has made by some ply, if no sum is too great.

    A mover does best to add the greatest number of the others to the own greatest one, as greater numbers never make
    later sums smaller. The greatest number of the others is then the one made a ply before, the own greatest that of
    three plies before: s(k) = s(k - 1) + s(k - 3), with s = 1 at the start. For a greater N no hand is withdrawn by
    that ply.
    """
    sums = [1, 1, 1]
    for _ in range(whole_number("ply", ply)):
        sums.append(sums[-1] + sums[-PLAYERS])
    return sums[-1]


def kingmakers(exact: Forcing) -> dict[str, np.ndarray]:
    """The positions in which the mover cannot force its own win, but decides which of the other two wins.

    Three readings, each bool of shape (pairs, pairs, pairs) and narrower than the one before. ``"plan"``: the mover
    together with the next player can force that the next one wins, and likewise with the previous player. ``"move"``:
    after some move the next player can force its win alone, and after another the previous player can. ``"must"``:
    moreover every move makes one of the two sure of its win.
    """
    found = exact.prospects
    together = [exact.table([0, other], [other]) >= 0 for other in (1, 2)]
    own = exact.table([0], [0]) >= 0
    # Where nobody is to move, nobody can choose.
    plan = together[0] & together[1] & ~own & (found > 0)
    move = (found & 1 == 0) & (found & 2 > 0) & (found & 4 > 0)
    return {"plan": plan, "move": move, "must": move & (found & 8 == 0)}


def drawn_with_the_rest(exact: Forcing) -> np.ndarray:
    """The positions in which some player can neither force its own win nor the other two that one of them wins.

    Everywhere else the alpha game is a dictator's or the majority's: who is no dictator loses to the other two.
    """
    undecided = [(exact.table([one], [one]) < 0) & (exact.table(rest, rest) < 0) for one, rest in _SIDES]
    return np.logical_or.reduce(undecided)


def states_where(exact: Forcing, positions: np.ndarray, most: int = 10) -> list[State]:
    """Some reachable running states whose position is marked in `positions`, those with small numbers first."""
    hands = pair_hands(exact.game.n)
    marked = np.argwhere(exact.running & positions)
    shown = hands[marked[:, 1:]].sum(axis=(1, 2))
    order = np.lexsort((*marked.T[::-1], shown))[: whole_number("most", most)]
    return [_state(hands, *marked[place]) for place in order]


def _state(hands: np.ndarray, mover: int, *pairs: int) -> State:
    numbers = [
        tuple(int(number) or None for number in sorted(hands[pair], key=lambda x: (x == 0, x))) for pair in pairs
    ]
    return State(tuple(numbers[(player - mover) % PLAYERS] for player in range(PLAYERS)), int(mover))


def crowned_by(exact: Forcing, state: State) -> dict[str, list[Move]]:
    """The moves of a state by who can then force its own win: one of `SEATS` (the mover made it) or "nobody"."""
    found: dict[str, list[Move]] = {name: [] for name in (*SEATS, "nobody")}
    for move in exact.game.moves(state):
        after = exact.game.play(state, move)
        sure = [
            seat for seat in range(PLAYERS) if exact.can_force([_seated(state, seat)], [_seated(state, seat)], after)
        ]
        found[SEATS[sure[0]] if sure else "nobody"].append(move)
    return found


def _seated(state: State, seat: int) -> int:
    return (state.mover + seat) % PLAYERS


def forced_shares(exact: Forcing) -> pd.DataFrame:
    """Share of the reachable running states in which each coalition (row) can force each set of targets (column)."""
    names = [seats_text(coalition) for coalition in COALITIONS]
    total = np.count_nonzero(exact.running)
    shares = [
        [np.count_nonzero(exact.running & (exact.table(coalition, targets) >= 0)) / total for targets in COALITIONS]
        for coalition in COALITIONS
    ]
    return pd.DataFrame(shares, index=pd.Index(names, name="coalition"), columns=names)


def alpha_games(exact: Forcing) -> pd.DataFrame:
    """The alpha games that occur, with players named by seats, the most frequent first.

    `winning`, its minimal winning coalitions; `states`, in how many reachable running states; `share`; the Shapley
    values `mover`, `next`, `previous`; `core`; `epsilon` of the least core; `decisive`, whether it equals its dual.
    """
    worth = np.stack([exact.table(coalition, coalition) >= 0 for coalition in COALITIONS])
    codes = np.tensordot(1 << np.arange(len(COALITIONS)), worth, axes=1)
    everywhere = np.broadcast_to(codes, exact.running.shape)[exact.running]
    kinds, counts = np.unique(everywhere, return_counts=True)
    order = np.argsort(-counts, kind="stable")
    return pd.DataFrame([_alpha_line(int(kinds[i]), int(counts[i]), len(everywhere)) for i in order])


def _alpha_line(code: int, states: int, total: int) -> dict[str, Any]:
    values = {coalition: code >> place & 1 for place, coalition in enumerate(COALITIONS)}
    game = TUGame(range(PLAYERS), values)
    minimal = [c for c in COALITIONS if values[c] and not any(values[d] for d in COALITIONS if set(d) < set(c))]
    dual = {c: 1 - values.get(tuple(p for p in range(PLAYERS) if p not in c), 0) for c in COALITIONS}
    return {
        "winning": "; ".join(map(seats_text, minimal)) or "none",
        "states": states,
        "share": states / total,
        **dict(zip(SEATS, game.shapley().values(), strict=True)),
        "core": "empty" if game.core_is_empty() else "not empty",
        "epsilon": game.least_core().epsilon,
        "decisive": values == dual,
    }


def row(n: int, overflow: str = "one") -> dict[str, Any]:
    """What the start and the reachable running states of one N come to.

    From the start: `alone`, the players who can force their own win; `enders`, those who alone can force that the game
    ends; for each pair of players, such as "1 of 0,1", the plies in which the pair can force that this member wins,
    None if it cannot; `shapley`, the values of players 0, 1, 2 in the alpha game; `core`; `epsilon` of the least core.
    How many of the states: `mover`, `next`, `previous`, the player in that seat can force its own win; `drawn`, as
    `drawn_with_the_rest`; `plan`, `move`, `must`, as `kingmakers`.
    """
    exact = solve(n, overflow)
    everybody, game = range(PLAYERS), exact.alpha_game()
    pairs = {
        f"{member} of {pair[0]},{pair[1]}": exact.plies(pair, [member])
        for pair in combinations(everybody, 2)
        for member in pair
    }
    return {
        "n": exact.game.n,
        "states": int(np.count_nonzero(exact.running)),
        "alone": ",".join(str(one) for one in everybody if exact.can_force([one], [one])),
        "enders": ",".join(str(one) for one in everybody if exact.can_force([one], everybody)),
        **pairs,
        "shapley": tuple(game.shapley().values()),
        "core": "empty" if game.core_is_empty() else "not empty",
        "epsilon": game.least_core().epsilon,
        **{
            name: int(np.count_nonzero(exact.running & (exact.table([seat], [seat]) >= 0)))
            for seat, name in enumerate(SEATS)
        },
        "drawn": int(np.count_nonzero(exact.running & drawn_with_the_rest(exact))),
        **{kind: int(np.count_nonzero(exact.running & where)) for kind, where in kingmakers(exact).items()},
    }
