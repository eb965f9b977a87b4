"""Chapter 4.3: what coalitions can force in Count-N for three, counted over all states, and searches at one table.

The design of the contest is Sturtevant's (2003): all assignments of methods to seats, so that no method gains by
sitting where it sits. Every method answers the same question in the same position in the same way, whatever was played
before. So a state that comes again will come for ever: the game is a draw, and no limit of plies is needed.
"""

import random
import zlib
from functools import cache
from itertools import chain, combinations, combinations_with_replacement, product
from typing import Any

import numpy as np
import pandas as pd

from gamebalance.base.estimates import Estimate
from gamebalance.base.intervals import interval
from gamebalance.base.sums import standard_error
from gamebalance.countn import Move
from gamebalance.countn.tables import pair_hands
from gamebalance.countn.three import PLAYERS, START_STATE, Forcing, State, ThreePlayerGame, random_play, solve
from gamebalance.multiplayer import search
from gamebalance.multiplayer.protocols import OVER

#: The non-empty coalitions, by size, and players by where they sit, as counts over states name them.
COALITIONS = tuple(chain.from_iterable(combinations(range(PLAYERS), size) for size in range(1, PLAYERS + 1)))
SEATS = ("mover", "next", "previous")

METHODS = ("MaxN", "Paranoid", "BRS", "MCTS")
SEATINGS = tuple(product(range(len(METHODS)), repeat=PLAYERS))
#: How the winner is written in a row of results: a seat, or a draw.
WINNERS = "ABC-"
#: A playout of MCTS is cut off after so many plies from the root, and makes about so many nodes.
MCTS_PLIES, NODES_A_PLAYOUT = 8, 5
#: What is counted about the moves of each method.
COUNTS = ("moves", "nodes", "depth", "winnable", "kept", "open", "gave")


# ---- What can be forced


def largest_sum(ply: int) -> int:
    """The greatest sum that any line of play from the start has made by some ply, if no sum is too great."""
    # A mover does best to add the greatest number of the others, made a ply before, to the own of three plies before.
    sums = [1, 1, 1]
    for _ in range(ply):
        sums.append(sums[-1] + sums[-PLAYERS])
    return sums[-1]


def can_force(exact: Forcing, coalition: tuple[int, ...], targets: tuple[int, ...]) -> np.ndarray:
    """Where the coalition can force the targets, with players named by seats."""
    return exact.table(coalition, targets) >= 0


def kingmakers(exact: Forcing) -> dict[str, np.ndarray]:
    """The positions in which the mover cannot force its own win, but decides which of the other two wins.

    ``"plan"``: with either of the others it can force that this one wins; ``"move"``: after one of its moves the next
    player can force its win alone, after another the previous one; ``"must"``: every move makes one of the two sure.
    """
    sure, own = exact.prospects, can_force(exact, (0,), (0,))
    # Where nobody is to move, nobody can choose.
    plan = can_force(exact, (0, 1), (1,)) & can_force(exact, (0, 2), (2,)) & ~own & (sure > 0)
    move = (sure & 1 == 0) & (sure & 2 > 0) & (sure & 4 > 0)
    return {"plan": plan, "move": move, "must": move & (sure & 8 == 0)}


def drawn_with_the_rest(exact: Forcing) -> np.ndarray:
    """The positions in which some player can neither force its own win nor the other two that one of them wins."""
    sides = (((0,), (1, 2)), ((1,), (0, 2)), ((2,), (0, 1)))
    return np.logical_or.reduce([~can_force(exact, one, one) & ~can_force(exact, rest, rest) for one, rest in sides])


def states_where(exact: Forcing, positions: np.ndarray, most: int) -> list[State]:
    """Some reachable running states whose position is marked in `positions`, those with small numbers first."""
    hands = pair_hands(exact.game.n)
    marked = np.argwhere(exact.running & positions)
    order = np.lexsort((*marked.T[::-1], hands[marked[:, 1:]].sum(axis=(1, 2))))[:most]
    # The numbers of a pair stand larger first, 0 for a withdrawn hand.
    pairs = [(int(low) or int(high), int(high) if low else None) if high else (None, None) for high, low in hands]
    return [
        State(tuple(pairs[seats[player - mover]] for player in range(PLAYERS)), int(mover))
        for mover, *seats in marked[order]
    ]


def crowned_by(exact: Forcing, state: State) -> dict[str, list[Move]]:
    """The moves of a state by who can then force its own win: one of `SEATS` (the mover made it) or "nobody"."""
    crowned: dict[str, list[Move]] = {name: [] for name in (*SEATS, "nobody")}
    for move in exact.game.moves(state):
        after = exact.game.play(state, move)
        players = [(state.mover + seat) % PLAYERS for seat in range(PLAYERS)]
        sure = [SEATS[seat] for seat, player in enumerate(players) if exact.can_force([player], [player], after)]
        crowned[sure[0] if sure else "nobody"].append(move)
    return crowned


def alpha_games(exact: Forcing) -> list[dict[tuple[int, ...], int]]:
    """The alpha games that occur in reachable running states: what each coalition is worth, players named by seats."""
    worth = np.stack([can_force(exact, coalition, coalition) for coalition in COALITIONS])
    codes = np.tensordot(1 << np.arange(len(COALITIONS)), worth, axes=1)
    kinds = np.unique(np.broadcast_to(codes, exact.running.shape)[exact.running])
    return [{coalition: int(kind) >> place & 1 for place, coalition in enumerate(COALITIONS)} for kind in kinds]


def survey(n: int) -> dict[str, Any]:
    """What the start and the reachable running states of one N come to: plies, the alpha game, numbers of states."""
    exact = solve(n)
    everybody, game = range(PLAYERS), exact.alpha_game()
    marked = {name: can_force(exact, (seat,), (seat,)) for seat, name in enumerate(SEATS)}
    marked |= {"drawn": drawn_with_the_rest(exact)} | kingmakers(exact)
    return {
        "n": n,
        "states": int(np.count_nonzero(exact.running)),
        "alone": ",".join(str(one) for one in everybody if exact.can_force([one], [one])),
        "enders": ",".join(str(one) for one in everybody if exact.can_force([one], everybody)),
        **{f"{one} of {a},{b}": exact.plies((a, b), [one]) for a, b in combinations(everybody, 2) for one in (a, b)},
        "shapley": tuple(game.shapley().values()),
        "core": "empty" if game.core_is_empty() else "not empty",
        "epsilon": game.least_core().epsilon,
        **{name: int(np.count_nonzero(exact.running & where)) for name, where in marked.items()},
    }


# ---- The contest


def decide(
    game: ThreePlayerGame, state: State, method: str, nodes: int, seed: int = 0, hopeful: bool = False
) -> tuple[Move, int, int]:
    """The move of a method under a budget of nodes, the nodes of all its searches, and the depth of the last."""
    if method == "MCTS":
        # The same position gets the same random numbers, whoever is to move and however it came about.
        result = search.mcts(game, state, nodes // NODES_A_PLAYOUT, zlib.crc32(f"{seed} {state}".encode()), MCTS_PLIES)
        return result.move, result.nodes, len(result.principal_variation)
    look = {"MaxN": search.maxn, "Paranoid": search.paranoid, "BRS": search.best_reply}[method]
    depth, total, last, before = 1, 0, 1, None
    while True:
        result = look(game, state, depth)
        total += result.nodes
        ours = result.value[state.mover] if isinstance(result.value, tuple) else result.value
        if hopeful and ours == 0 and before is not None:
            return before, total, depth
        if ours == 1 or result.nodes == last or total + result.nodes * result.nodes / last > nodes:
            return result.move, total, depth
        depth, last, before = depth + 1, result.nodes, result.move


class Table:
    """One opening, and what the methods decide in the positions that come from it."""

    def __init__(self, exact: Forcing, game: ThreePlayerGame, nodes: int, seed: int, hopeful: bool = False):
        self.exact, self.game = exact, game
        # A position is turned so that player 0 moves: a method cannot know seats by their numbers.
        self.decision = cache(lambda method, place: decide(game, State(place), METHODS[method], nodes, seed, hopeful))

    def play(self, state: State, seating: tuple[int, ...], counts: np.ndarray) -> int | None:
        """The winner of a game, None for a draw; what the moves were like is added to `counts` [method, count]."""
        seen = set()
        while self.game.mover(state) != OVER and state not in seen:
            seen.add(state)
            method = seating[state.mover]
            move, nodes, depth = self.decision(method, state.position)
            after = self.game.play(state, move)
            counts[method] += (1, nodes, depth, *self.judged(state, after))
            state = after
        return self.game.winner(state)

    def judged(self, state: State, after: State) -> tuple[bool, bool, bool, bool]:
        """Could the mover win for certain, and still can it; else, could it give nobody a certain win, and did it?"""
        mover = [state.mover]
        won = self.exact.can_force(mover, mover, state)
        children = (self.game.play(state, move) for move in self.game.moves(state))
        avoidable = not won and any(not self._given(child, mover[0]) for child in children)
        kept = won and self.exact.can_force(mover, mover, after)
        return won, kept, avoidable, avoidable and self._given(after, mover[0])

    def _given(self, state: State, mover: int) -> bool:
        """Whether another than the player who just moved can now force its own win."""
        return any(self.exact.can_force([player], [player], state) for player in range(PLAYERS) if player != mover)


def opening_state(exact: Forcing, opening: int, plies: int, seed: int) -> State:
    """A random opening of so many plies after which nobody has won and nobody alone can be sure to."""
    drawn = random.Random(f"{seed} {opening}")
    while True:
        state = _random_play(exact, drawn, plies)
        if exact.game.mover(state) != OVER and not any(exact.can_force([one], [one], state) for one in range(PLAYERS)):
            return state


def tempting_states(exact: Forcing, count: int, seed: int) -> list[State]:
    """States of 9 to 17 random plies in which a wrong move gives the game to another, and a right one does not."""
    drawn, states = random.Random(seed), []
    while len(states) < count:
        state = _random_play(exact, drawn, drawn.choice(range(9, 18)))
        crowned = {name for name, moves in crowned_by(exact, state).items() if moves}
        if "nobody" in crowned and "mover" not in crowned and len(crowned) > 1:
            states.append(state)
    return states


def _random_play(exact: Forcing, drawn: random.Random, plies: int) -> State:
    """The state after so many random moves from the start, or at the end of the game."""
    state = START_STATE
    for _ in range(plies):
        moves = exact.game.moves(state)
        state = exact.game.play(state, drawn.choice(moves)) if moves else state
    return state


def contest_row(opening: int, n: int, nodes: int, plies: int, seed: int, hopeful: bool = False) -> dict[str, Any]:
    """All seatings of the methods from one opening: who wins each, and the `COUNTS` in games of different methods."""
    exact, game = _solved(n)
    start, counts = opening_state(exact, opening, plies, seed), np.zeros((len(METHODS), len(COUNTS)), np.int64)
    table, winners = Table(exact, game, nodes, seed, hopeful), ""
    for seating in SEATINGS:
        same = len(set(seating)) == 1
        winner = table.play(start, seating, np.zeros_like(counts) if same else counts)
        winners += WINNERS[-1 if winner is None else winner]
    names = [f"{method} {count}" for method in METHODS for count in COUNTS]
    named = dict(zip(names, counts.ravel().tolist(), strict=True))
    return {"opening": opening, "hands": str(start), "winners": winners, **named}


@cache
def _solved(n: int) -> tuple[Forcing, ThreePlayerGame]:
    """The solution and the game, made once in each process."""
    return solve(n), ThreePlayerGame(n, leaves=random_play(n).chances)


# ---- What the rows of a contest say; games from one opening are alike, so the unit of all errors is the opening


def by_opponents(rows: pd.DataFrame) -> pd.DataFrame:
    """How often each method wins against each pair of opponents: shares of games, and their standard errors."""
    winners, lines = _winners(rows), []
    for method, pair in product(range(len(METHODS)), combinations_with_replacement(range(len(METHODS)), 2)):
        wanted = sorted((method, *pair))
        games = [
            (k, seat)
            for k, s in enumerate(SEATINGS)
            if sorted(s) == wanted
            for seat in range(PLAYERS)
            if s[seat] == method
        ]
        places, seats = np.array(games).T
        line = {"method": METHODS[method], "first": METHODS[pair[0]], "second": METHODS[pair[1]]}
        line["games"] = len(set(places)) * len(winners)
        for name, share in (("wins", winners[:, places] == seats), ("draws", winners[:, places] == PLAYERS)):
            line[name], line[f"{name}_error"] = _mean(share.mean(axis=1))
        lines.append(line)
    return pd.DataFrame(lines)


def overall(rows: pd.DataFrame) -> pd.DataFrame:
    """Each method over all games of different methods: ratios of its `COUNTS`, with standard errors and bounds."""
    lines = []
    for name in METHODS:
        line = {"method": name}
        line["wins"], line["wins_error"] = _mean(_won(rows, name))
        for ratio, below in (("nodes", "moves"), ("depth", "moves"), ("kept", "winnable"), ("gave", "open")):
            line[ratio], line[f"{ratio}_error"] = _ratio(rows[f"{name} {ratio}"], rows[f"{name} {below}"])
        line["kept_low"], line["kept_high"] = _bounds(rows[f"{name} kept"], rows[f"{name} winnable"])
        lines.append(line)
    return pd.DataFrame(lines)


def difference(rows: pd.DataFrame, first: str, second: str) -> Estimate:
    """How much more often one method wins its places than another, over the same openings."""
    return _mean(_won(rows, first) - _won(rows, second))


def change(before: pd.DataFrame, after: pd.DataFrame, method: str) -> Estimate:
    """How much more often a method wins its places in one contest than in another, same openings."""
    return _mean(_won(after, method) - _won(before, method))


def _won(rows: pd.DataFrame, method: str) -> np.ndarray:
    """Share of a method's places in games of different methods that won, by opening."""
    place = METHODS.index(method)
    seats = np.array([[len(set(seating)) > 1 and seated == place for seated in seating] for seating in SEATINGS])
    won = _winners(rows)[:, :, None] == np.arange(PLAYERS)
    return (won & seats).sum(axis=(1, 2)) / seats.sum()


def _winners(rows: pd.DataFrame) -> np.ndarray:
    """The winning seat of every game, 3 for a draw: shape (openings, seatings)."""
    return np.array([[WINNERS.index(letter) for letter in text] for text in rows["winners"]])


def _mean(values: np.ndarray) -> Estimate:
    """Mean over openings and its standard error."""
    return Estimate(float(values.mean()), float(standard_error(values)))


def _bounds(above: pd.Series, below: pd.Series) -> tuple[float, float]:
    """A 95% interval of a ratio of two totals over openings: 1.96 standard errors, at 0 and 1 the exact one.

    If chance let a share p of the moves be right, an opening would have all of its moves right with no more than that
    chance; so the exact interval for the openings holds for the share.
    """
    ratio, error = _ratio(above, below)
    if ratio in (0, 1):
        met = int((below > 0).sum())
        low, high = interval(int(ratio) * met, met)
        return float(low), float(high)
    return max(ratio - 1.96 * error, 0.0), min(ratio + 1.96 * error, 1.0)


def _ratio(above: pd.Series, below: pd.Series) -> Estimate:
    """A ratio of two totals over openings and its standard error (the linearised estimator of survey sampling)."""
    ratio = above.sum() / below.sum() if below.sum() else np.nan
    residuals = (above - ratio * below).to_numpy(float)
    return Estimate(float(ratio), float(standard_error(residuals) / below.mean()) if below.sum() else np.nan)
