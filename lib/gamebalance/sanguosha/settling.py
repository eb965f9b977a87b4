"""Where play settles: backward induction for a game that is cut after so many rounds, all roles and cards seen.

At each turn one player decides and chance does the rest: whoever knows what follows a turn knows what to do in it. So
one goes back from the cut, turn by turn, and each mover takes what gives it the most points. In the game that is cut
nobody gains by leaving such play. In the game that is not, the same pass says what each could gain at most.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd
import psutil

from gamebalance.base.announce import say
from gamebalance.base.checks import (
    all_different,
    check_progress,
    check_workers,
    instance,
    listed,
    one_of,
    shown,
    span,
    whole_number,
)
from gamebalance.base.rounding import at_most, meant
from gamebalance.base.sums import dot
from gamebalance.base.tabled import Tabled
from gamebalance.base.workers import for_each
from gamebalance.sanguosha.attacks import Seats, attacks_of, next_seat
from gamebalance.sanguosha.chain import living_sets, opening_mass
from gamebalance.sanguosha.kernels.choices import Options, options_of
from gamebalance.sanguosha.kernels.settling import VECTOR, Turn, look_ahead, results_of, turn_back
from gamebalance.sanguosha.lineup import Lineup, Role, Seating, in_words
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.policies import Policies, StatePolicy, check_policies
from gamebalance.sanguosha.replies.best import check_roles
from gamebalance.sanguosha.rules import AS_CODED, Rules, check_rules
from gamebalance.sanguosha.scoring import REPORT_SCORING, Alive, Scoring, numbers_alive, winner
from gamebalance.sanguosha.turn import CODES

#: Players whose states fit in memory and in patience.
MOST_PLAYERS = 5

#: Which of equally good choices is made: the first or last seat attacked, and passing after all attacks or before; or
#: each of them with the same chance.
TIES = ("first seat", "last seat", "pass, then first seat", "pass, then last seat", "mixed")

#: The last rounds, over which values that still move are said to range.
LAST = 10

#: The ends of a range, in words.
ENDS = {"low": "from", "high": "to"}

#: Blocks of 28 states that are worth a thread of their own, and nanoseconds for a state and option, about.
PART, PACE = 1 << 10, 130

#: Told of each turn before it is carried back: the living, the mover, its options, and what they lead to is worth to it
#: (laid out as for `choices.pick_options`).
Watch = Callable[[Seats, int, Options, np.ndarray], None]


class Induction:
    """Backward induction by rounds; what all states give stands in one array, the `book`.

    A row holds the chance of each of the `endings`, sets of the living with whom the game is over, and then what each
    of the `units`, players who choose together, gets at most if it leaves; `aims` are their points by ending. A set of
    the living in which the game is over has one row, one in which it goes on a row for each state and seat to move.
    That of all players has two arrays, in turn what holds after a turn and before it. If `tallied`, rows also say how
    often each of the `moves` is made from then on: the living, the mover, and the seat attacked, or `PASS`.
    """

    def __init__(
        self,
        seating: Seating,
        rules: Rules,
        scoring: Scoring,
        units: Sequence[Seats],
        policies: Policies,
        ties: str,
        tallied: bool = False,
    ):
        self.roles, self.rules, self.units, self._ties = seating.roles, rules, units, ties
        self._policies, self._everybody = policies, tuple(range(len(seating)))
        sets = _sets(self.roles)
        self.endings = [seats for seats in sets if not _goes_on(self.roles, seats)]
        self.open = [seats for seats in reversed(sets) if _goes_on(self.roles, seats)]
        self.aims = np.array([[_points(seating, seats, unit, scoring) for seats in self.endings] for unit in units])
        if self.aims.min() < 0:
            raise ValueError(
                f"scoring = {shown(scoring)}: {self.aims.min():g} points in an ending; none may be negative here"
            )
        self._tallied, self.moves = tallied, list[tuple[Seats, int, int]]()
        self._lay_out()
        self._turns = {(seats, actor): self._turn(seats, actor) for seats in self.open for actor in seats}
        self._ahead = np.empty(2 * max(_places(turn) for turn, *_ in self._turns.values()))

    def _lay_out(self) -> None:
        """Rows by set of the living and seat to move: before the cut nothing has happened, and all is hoped for."""
        keys = [(seats, actor) for seats in self.open for actor in (seats if seats != self._everybody else (0, 1))]
        ends = np.cumsum([len(self.endings), *(CODES ** len(seats) for seats, _ in keys)]).tolist()
        self._rows, count, known = dict(zip(keys, ends, strict=False)), len(self.endings), sum(self.aims.shape)
        for seats in self.open if self._tallied else ():
            targets = ((actor, options_of(actor, self.roles, seats, self.rules).seats.tolist()) for actor in seats)
            self.moves += [(seats, actor, target) for actor, those in targets for target in those]
        self.book = np.zeros((ends[-1], _columns(known + len(self.moves))))
        self.book[:count, :known] = np.hstack([np.eye(count), self.aims.T])
        for (seats, _), row in self._rows.items():
            within = [set(ending) <= set(seats) for ending in self.endings]
            self.book[row : row + CODES ** len(seats), count:known] = self.aims[:, within].max(axis=1)

    def _turn(self, seats: Seats, actor: int) -> tuple:
        """What `turn_back` needs: rows, results, the order of the options, shares of a fixed rule, and a lane."""
        options = options_of(actor, self.roles, seats, self.rules)
        fallen, stride = np.zeros(len(options.seats), np.int64), np.zeros(len(options.seats), np.int64)
        for option, target in enumerate(options.seats.tolist()[:-1]):
            left = tuple(seat for seat in seats if seat != target)
            if left in self.endings:
                fallen[option] = self.endings.index(left)
            else:
                fallen[option], stride[option] = self._rows[left, next_seat(seats, actor, target)], 1
        states = CODES ** len(seats)
        before, onward = self._rows.get((seats, actor), 0), self._rows.get((seats, next_seat(seats, actor)), 0)
        lane, known = CODES if seats[0] == actor else 1, sum(self.aims.shape)
        moves = [(seats, actor, target) for target in options.seats.tolist()]
        tally = np.array([known + self.moves.index(move) if self._tallied else -1 for move in moves])
        turn, shares = Turn(states, before, onward, fallen, stride), self._shares(seats, actor, options)
        return turn, options, results_of(options), self._order(options), shares, tally, lane

    def _order(self, options: Options) -> np.ndarray:
        """In which of equally good options the mover takes the first."""
        *attacks, passing = range(len(options.seats))
        attacks = attacks[::-1] if self._ties.endswith("last seat") else attacks
        return np.array([passing, *attacks] if self._ties.startswith("pass") else [*attacks, passing])

    def _shares(self, seats: Seats, actor: int, options: Options) -> np.ndarray:
        """How often a player who follows a rule takes each option, by state; empty for one who chooses."""
        policy = self._policies.get(self.roles[actor])
        if policy is None:
            return np.empty((0, 0))
        shares, order = np.zeros((len(options.seats), CODES ** len(seats))), options.seats.tolist()
        for attack in attacks_of(policy, actor, self.roles, seats, self.rules):
            place = len(order) - 1 if attack.target is None else order.index(attack.target)
            shares[place] = attack.shares[np.ix_(*attack.cells)].ravel()
        return shares

    def rounds(self, count: int, pool: ThreadPoolExecutor | None = None, watch: Watch | None = None) -> Iterator:
        """Go back so many rounds, one more for each item: what the start gives then, as a row of the `book`."""
        first = self.rules.first_seat(len(self.roles))
        order = [*self._everybody[first:], *self._everybody[:first]]
        ((_, mass),) = opening_mass(self.roles, self.rules).items()
        begins = np.flatnonzero(mass)
        for _ in range(count):
            for actor in reversed(order):
                for seats in self.open:
                    if actor in seats:
                        self._go_back(seats, actor, pool, watch)
            yield dot(mass.ravel()[begins], self.states(self._everybody, first)[begins])

    def states(self, seats: Seats, actor: int) -> np.ndarray:
        """The rows of a set of the living with this seat to move; of all players for the seat gone back to last."""
        row = self._rows[seats, 0 if seats == self._everybody else actor]
        return self.book[row : row + CODES ** len(seats), : sum(self.aims.shape) + len(self.moves)]

    def _go_back(self, seats: Seats, actor: int, pool: ThreadPoolExecutor | None, watch: Watch | None) -> None:
        turn, options, results, order, shares, tally, lane = self._turns[seats, actor]
        if seats == self._everybody:
            rows = self._rows
            rows[seats, 0], rows[seats, 1] = rows[seats, 1], rows[seats, 0]
            turn = turn._replace(before=rows[seats, 0], onward=rows[seats, 1])
        unit = next(place for place, own in enumerate(self.units) if actor in own)
        column = len(self.endings) + unit
        ahead = self._ahead[: 2 * _places(turn)].reshape(2, -1)
        _in_parts(pool, _places(turn), CODES, look_ahead, self.book, turn, self.aims[unit], column, ahead)
        if watch:
            watch(seats, actor, options, ahead[0])
        rest = results, ahead, order, self._ties == "mixed", shares, column, tally, lane
        _in_parts(pool, turn.states // CODES, 1, turn_back, self.book, turn, *rest)


def _in_parts(pool: ThreadPoolExecutor | None, count: int, each: int, work: Callable, *arguments) -> None:
    """Do `work` on items 0 to `count`, in parts side by side where that pays."""
    step = count if pool is None else PART * each
    parts = [(first, min(first + step, count)) for first in range(0, count, step)]
    if pool is None or len(parts) == 1:
        work(*arguments, 0, count)
    else:
        list(pool.map(lambda part: work(*arguments, *part), parts))


def _columns(numbers: int) -> int:
    """Columns of the book that hold so many: whole vectors."""
    return -(-numbers // VECTOR) * VECTOR


def _places(turn: Turn) -> int:
    return turn.states + (len(turn.fallen) - 1) * (turn.states // CODES)


def _goes_on(roles: Sequence[Role], seats: Seats) -> bool:
    return winner(numbers_alive(roles, seats)) is None


def _sets(roles: Sequence[Role]) -> list[Seats]:
    """The sets of the living that deaths can lead to, larger before smaller."""
    found = {tuple(range(len(roles)))}
    for seats in living_sets(len(roles)):
        if seats in found and _goes_on(roles, seats):
            found |= {tuple(other for other in seats if other != seat) for seat in seats}
    return [seats for seats in living_sets(len(roles)) if seats in found]


def _points(seating: Seating, alive: Seats, unit: Seats, scoring: Scoring) -> float:
    """What the players of a unit get together when the game ends with these seats alive."""
    table = scoring.of_members(seating.lineup, numbers_alive(seating.roles, alive))
    return float(sum(table[int(seat in alive), seating.roles[seat]] for seat in unit))


@dataclass(frozen=True)
class Settled(Tabled):
    """What play of one seating comes to when games are cut after so many `rounds`.

    By rule for ties: the `chances` of the `endings`, numbers alive, after each round that was gone back, shape (rounds,
    endings), and the `gains`, what each of the `units`, players who choose together, could get more at most in the game
    that is not cut. What is no range is by the first rule for ties, after all rounds. A game that is cut gives nobody
    anything.
    """

    seating: Seating
    scoring: Scoring
    endings: tuple[Alive, ...]
    units: tuple[Seats, ...]
    chances: dict[str, np.ndarray] = field(repr=False)
    gains: dict[str, np.ndarray] = field(repr=False)

    @property
    def rounds(self) -> int:
        return len(next(iter(self.chances.values())))

    @cached_property
    def outcomes(self) -> Outcomes:
        """How games end; those that are cut end in no way, and their chance is the error bound."""
        ends = dict(zip(self.endings, next(iter(self.chances.values()))[-1].tolist(), strict=True))
        cut = max(0.0, 1 - sum(ends.values()))
        return Outcomes(self.seating.lineup, ends, self.seating, error_bound=cut, scoring=self.scoring)

    @property
    def unfinished(self) -> float:
        """The chance that a game is cut."""
        return self.outcomes.error_bound

    @property
    def points(self) -> np.ndarray:
        """Expected points of a member of each role, shape (4,); nan for a role that nobody holds."""
        return self.outcomes.expected_scores()

    @property
    def wins(self) -> dict[str, float]:
        """The chance of each side to win: "lord", "rebels" and "renegade"."""
        return self.outcomes.winning

    @property
    def epsilon(self) -> np.ndarray:
        """What a member of each role, or those allied with it, could gain at most, in points, shape (4,).

        By any other play in the game that is not cut, if the others play as found for so many rounds, and then in any
        way. The largest over the rules for ties; nan for a role that nobody holds.
        """
        found, roles = np.full(len(Role), np.nan), self.seating.roles
        for unit, gain in zip(self.units, np.max(list(self.gains.values()), axis=0), strict=True):
            for seat in unit:
                found[roles[seat]] = np.fmax(found[roles[seat]], gain)
        return found

    def ranges(self, table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The least and the most of the means of a table by ending, over the last rounds and all rules for ties.

        Examples
        --------
        >>> settled = settle("03", 300, ties=("first seat", "mixed"))
        >>> [each.round(3).tolist() for each in settled.ranges(settled.outcomes.win_table[:, [0, 3]])]
        [[0.549, 0.451], [0.549, 0.451]]
        """
        means = [dot(chances[-LAST:], table) for chances in self.chances.values()]
        return np.min(means, axis=(0, 1)), np.max(means, axis=(0, 1))

    def to_frame(self) -> pd.DataFrame:
        """A row for each role that is held: points, the chance to win, their ranges, and what could be gained at most.

        The chance to win of the renegades is that of any of them.
        """
        columns: dict[str, np.ndarray] = {}
        held = [role for role in Role if self.seating.lineup.counts[role]]
        scores = np.array([self.scoring.scores(self.seating.lineup, alive) for alive in self.endings])
        for name, table in (("points", scores), ("win", self.outcomes.win_table)):
            columns[name] = self.outcomes.results.mean(table)
            columns[f"{name}_low"], columns[f"{name}_high"] = self.ranges(table)
        frame = pd.DataFrame(columns | {"gain": self.epsilon}, pd.Index([role.key for role in Role], name="role"))
        return meant(frame.iloc[held], residue=1e-12)

    def _headings(self) -> dict[str, str]:
        heads = {"points": "expected points", "win": "chance to win", "gain": "could gain, at most"}
        return heads | {f"{name}_{end}": word for name in ("points", "win") for end, word in ENDS.items()}

    def _about(self) -> str:
        ties = "; ".join(self.chances)
        return (
            f"Sanguosha, {in_words(self.seating)}: backward induction over {self.rounds} rounds, equally good choices "
            f"by {ties}; ranges over these and the last {LAST} rounds; unfinished {at_most(100 * self.unfinished, 2)}%"
        )


def settle(
    seating: Seating | str,
    rounds: int = 50,
    rules: Rules = AS_CODED,
    scoring: Scoring = REPORT_SCORING,
    ties: str | Iterable[str] = TIES[0],
    policies: Policies | None = None,
    allies: Iterable[Iterable[Role]] = (),
    workers: int = 1,
    progress: Callable[[float], None] | None = None,
) -> Settled:
    """What play comes to when each mover sees all and takes what gives it the most points: backward induction.

    Parameters
    ----------
    seating : Seating or str
        Two to five players. One of four takes about a minute, one of five most of an hour and 8 GiB of memory.
    rounds : int
        After so many turns of everybody a game is cut, and gives nobody anything.
    scoring : Scoring
        Each player wants its own points: two rebels, of whom one may die, want different things. None may be negative.
    ties : str or several
        Which of equally good choices is made, of `TIES`; of several each is tried, and ranges are over all.
    policies : mapping from Role to Policy, optional
        Roles that follow a rule, in place of choosing; none by default.
    allies : several collections of Role, optional
        Roles whose members choose together, so as to get the most points together.
    workers : int
        Threads that share the work; the result is the same bits.
    progress : callable, optional
        Called now and then with the part of the work done since the last call; all parts add up to 1.

    Returns
    -------
    Settled
        ValueError for what is not allowed; MemoryError, before anything is begun, if more is needed than is free.

    Notes
    -----
    In the game that is cut, nobody who chooses gains by leaving such play, alone or with those allied, but for choices
    within `TIE` of the best. Where everybody chooses alone it is a subgame-perfect equilibrium of that game, one of
    several where choices are equally good. In the game that is not cut, nobody could gain more than `Settled.epsilon`:
    by the best reply to the choices of these rounds, with the best ending for whatever follows; those who follow a rule
    may gain by leaving that rule.
    """
    seating, rules, rounds = Seating(seating, MOST_PLAYERS), check_rules(rules), whole_number("rounds", rounds, 1)
    kinds, units, followed = _kinds(ties), _units(seating, allies), _followed(seating, policies)
    check_progress(progress)
    instance("scoring", scoring, Scoring)
    _announce(seating, rounds * len(kinds), check_workers(workers))
    chances, gains = {}, {}
    with ThreadPoolExecutor(workers) if workers > 1 else nullcontext() as pool:
        for kind in kinds:
            induction, rows = Induction(seating, rules, scoring, units, followed, kind), []
            for row in induction.rounds(rounds, pool):
                rows.append(row)
                if progress:
                    progress(1 / rounds / len(kinds))
            ends, most = np.split(np.array(rows), [len(induction.endings)], axis=1)
            alive = [numbers_alive(seating.roles, seats) for seats in induction.endings]
            endings = tuple(sorted(set(alive)))
            chances[kind] = dot(ends, np.array([[each == other for other in endings] for each in alive], float))
            gains[kind] = np.maximum(most[-1] - dot(induction.aims, ends[-1]), 0.0)
    return Settled(seating, scoring, endings, units, chances, gains)


def settle_seatings(
    lineup: Lineup | str,
    rounds: int = 50,
    rules: Rules = AS_CODED,
    scoring: Scoring = REPORT_SCORING,
    ties: str | Iterable[str] = TIES[0],
    policies: Policies | None = None,
    allies: Iterable[Iterable[Role]] = (),
    workers: int = 1,
    executor: Executor | None = None,
    progress: Callable[[int], None] | None = None,
) -> dict[Seating, Settled]:
    """`settle` for every distinct seating of a line-up, `workers` of them side by side.

    `progress` is told 1 after each. `outcomes.mean_outcomes` of their `outcomes` is the mean.
    """
    arguments = rounds, rules, scoring, _kinds(ties), policies, _groups(allies)
    return for_each(Lineup.parse(lineup).seatings(), settle, check_workers(workers), executor, progress, arguments)


def _kinds(ties: str | Iterable[str]) -> tuple[str, ...]:
    """The rules for ties, different ones of `TIES`, one at least."""
    kinds = tuple(one_of("ties", each, TIES) for each in ([ties] if isinstance(ties, str) else listed("ties", ties)))
    if not kinds or not all_different(kinds):
        raise ValueError(
            f"ties = {shown(kinds)}: one or more different ones of {', '.join(map(repr, TIES))} are needed"
        )
    return kinds


def _groups(allies: Iterable[Iterable[Role]]) -> tuple[tuple[Role, ...], ...]:
    """The groups of roles, none of them twice."""
    groups = tuple(tuple(listed("allies", group)) for group in listed("allies", allies))
    roles = [role for group in groups for role in group]
    if not all(groups) or not all(isinstance(role, Role) for role in roles) or not all_different(roles):
        raise ValueError(
            f"allies = {shown(allies)}: groups of different roles are needed, such as [(Role.LORD, Role.REBEL)]"
        )
    return groups


def _units(seating: Seating, allies: Iterable[Iterable[Role]]) -> tuple[Seats, ...]:
    """The seats of those who choose together, everybody else alone."""
    groups = [check_roles(seating, group, "allies") for group in _groups(allies)]
    together = [tuple(seat for seat, role in enumerate(seating.roles) if role in group) for group in groups]
    return (*together, *((seat,) for seat in range(len(seating)) if not any(seat in unit for unit in together)))


def _followed(seating: Seating, policies: Policies | None) -> Policies:
    """The policies that are named; a `StatePolicy` is refused."""
    followed = {role: policy for role, policy in check_policies(policies, seating).items() if role in (policies or {})}
    for role, policy in followed.items():
        if isinstance(policy, StatePolicy):
            raise ValueError(
                f"policies[{role.name}] = {type(policy).__name__}: a rule that looks at no cards is needed"
            )
    return followed


def _announce(seating: Seating, rounds: int, workers: int) -> None:
    """MemoryError if more is needed than is free; of what takes long, how much and how long before it is begun."""
    players, sets = len(seating), _sets(seating.roles)
    ends = [seats for seats in sets if not _goes_on(seating.roles, seats)]
    small = sum(len(seats) * CODES ** len(seats) for seats in sets if seats not in ends and len(seats) < players)
    rows = small + 2 * CODES**players
    needed, free = 8 * (rows * _columns(len(ends) + players) + 4 * CODES**players), psutil.virtual_memory().available
    memory = f"{needed / 2**30:.1f} GiB of memory"
    if needed > free:
        raise MemoryError(f"seating = {str(seating)!r} needs {memory}, and {free / 2**30:.1f} GiB are free")
    seconds = 1e-9 * PACE * rounds * players**2 * CODES**players / workers
    if players == MOST_PLAYERS:
        say(f"settling seating {seating} takes {memory} and about {span(seconds)}")
