"""Where play settles: backward induction for a game that is cut after so many rounds, all roles and cards seen.

At each turn one player decides and chance does the rest: whoever knows what follows a turn knows what to do in it. So
one goes back from the cut, turn by turn, and each mover takes what gives it the most points. In the game that is cut
nobody gains by leaving such play. In the game that is not, the same pass says what each could gain at most.
"""

from collections.abc import Callable, Iterable
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
    number,
    one_of,
    shown,
    span,
    whole_number,
)
from gamebalance.base.rounding import at_most, meant
from gamebalance.base.sums import dot
from gamebalance.base.tabled import Tabled
from gamebalance.base.workers import for_each
from gamebalance.sanguosha.attacks import Seats
from gamebalance.sanguosha.induction import TIES, Induction, columns, goes_on, reachable_sets
from gamebalance.sanguosha.lineup import Lineup, Role, Seating, in_words
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.policies import Policies, StatePolicy, check_policies
from gamebalance.sanguosha.replies.best import check_roles
from gamebalance.sanguosha.rules import AS_CODED, Rules, check_rules
from gamebalance.sanguosha.scoring import REPORT_SCORING, Alive, Scoring, numbers_alive
from gamebalance.sanguosha.turn import CODES

#: Players whose states fit in memory and in patience.
MOST_PLAYERS = 5

#: The last rounds, over which values that still move are said to range.
LAST = 10

#: The ends of a range, in words.
ENDS = {"low": "from", "high": "to"}

#: Nanoseconds for a state and option, about.
PACE = 130


@dataclass(frozen=True)
class Settled(Tabled):
    """What play of one seating comes to when games are cut after so many `rounds`.

    By rule for ties: the `chances` of the `endings`, numbers alive, after each round that was gone back, shape (rounds,
    endings), and the `gains`, what each of the `units`, players who choose together, could get more at most in the game
    that is not cut. What is no range is by the first rule for ties, after all rounds. A game that is cut gives nobody
    anything; one in which nobody has died is cut after the rounds of `first_death`.
    """

    seating: Seating
    scoring: Scoring
    first_death: int
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
        """What a member of each role could gain at most, in points, shape (4,); those who are allied: all of them.

        By any other play in the game that is not cut, if the others play as found for so many rounds, and then in any
        way. The largest over the rules for ties; nan for a role that nobody holds. What one of those allied could gain
        by leaving the others is not looked at.
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
        early = f" ({self.first_death} in which nobody has died)" if self.first_death < self.rounds else ""
        return (
            f"Sanguosha, {in_words(self.seating)}: backward induction over {self.rounds} rounds{early}, equally good "
            f"choices by {ties}; ranges over these and the last {LAST} rounds; unfinished "
            f"{at_most(100 * self.unfinished, 2)}%"
        )


def settle(
    seating: Seating | str,
    rounds: int = 50,
    rules: Rules = AS_CODED,
    scoring: Scoring = REPORT_SCORING,
    ties: str | Iterable[str] = TIES[0],
    policies: Policies | None = None,
    allies: Iterable[Iterable[Role]] = (),
    tail: float = 0.0,
    first_death: int | None = None,
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
    tail : float
        No further round is gone back once no larger part of the games is cut, by the first rule for ties; 0: never.
    first_death : int, optional
        After so many rounds a game is cut in which nobody has died; after `rounds` if not given. Rounds that all play
        are most of the work.
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
    In the game that is cut, nobody who chooses alone gains by leaving such play, nor do those allied all together,
    but for choices within `TIE` of the best; one of those allied may gain by leaving the others. Where everybody
    chooses alone it is a subgame-perfect equilibrium of that game, one of several where choices are equally good.
    In the game that is not cut, nobody could gain more than `Settled.epsilon`: by the best reply to the choices of
    these rounds, with the best ending for whatever follows; those who follow a rule may gain by leaving that rule.
    """
    seating, rules, rounds = Seating(seating, MOST_PLAYERS), check_rules(rules), whole_number("rounds", rounds, 1)
    kinds, units, followed = _kinds(ties), _units(seating, allies), _followed(seating, policies)
    check_progress(progress)
    instance("scoring", scoring, Scoring)
    number("tail", tail, 0, 1)
    before = 0 if first_death is None else rounds - whole_number("first_death", first_death, 1, rounds)
    _announce(seating, before * len(kinds), (rounds - before) * len(kinds), check_workers(workers))
    chances, gains = dict[str, np.ndarray](), dict[str, np.ndarray]()
    with ThreadPoolExecutor(workers) if workers > 1 else nullcontext() as pool:
        for kind in kinds:
            induction, rows = Induction(seating, rules, scoring, units, followed, kind), []
            for row in induction.rounds(rounds, pool, before=before):
                rows.append(row)
                cut = 1 - row[: len(induction.endings)].sum()
                last = len(rows) > before and tail > 0 and not chances and cut <= tail
                if progress:
                    progress((1 + last * (rounds - len(rows))) / rounds / len(kinds))
                if last:
                    break
            rounds = len(rows)
            ends, most = np.split(np.array(rows), [len(induction.endings)], axis=1)
            alive = [numbers_alive(seating.roles, seats) for seats in induction.endings]
            endings = tuple(sorted(set(alive)))
            chances[kind] = dot(ends, np.array([[each == other for other in endings] for each in alive], float))
            gains[kind] = np.maximum(most[-1] - dot(induction.aims, ends[-1]), 0.0)
    return Settled(seating, scoring, rounds - before, endings, units, chances, gains)


def settle_seatings(
    lineup: Lineup | str,
    rounds: int = 50,
    rules: Rules = AS_CODED,
    scoring: Scoring = REPORT_SCORING,
    ties: str | Iterable[str] = TIES[0],
    policies: Policies | None = None,
    allies: Iterable[Iterable[Role]] = (),
    tail: float = 0.0,
    first_death: int | None = None,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Callable[[int], None] | None = None,
) -> dict[Seating, Settled]:
    """`settle` for every distinct seating of a line-up, `workers` of them side by side.

    `progress` is told 1 after each. `outcomes.mean_outcomes` of their `outcomes` is the mean.
    """
    arguments = rounds, rules, scoring, _kinds(ties), policies, _groups(allies), tail, first_death
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


def _announce(seating: Seating, before: int, rounds: int, workers: int) -> None:
    """MemoryError if more is needed than is free; of what takes long, how much and how long before it is begun."""
    players, sets = len(seating), reachable_sets(seating.roles)
    ends = [seats for seats in sets if not goes_on(seating.roles, seats)]
    small = sum(len(seats) * CODES ** len(seats) for seats in sets if seats not in ends and len(seats) < players)
    rows = small + 2 * CODES**players
    needed, free = 8 * (rows * columns(len(ends) + players) + 4 * CODES**players), psutil.virtual_memory().available
    memory = f"{needed / 2**30:.1f} GiB of memory"
    if needed > free:
        raise MemoryError(f"seating = {str(seating)!r} needs {memory}, and {free / 2**30:.1f} GiB are free")
    seconds = 1e-9 * PACE * players * (before * small + rounds * players * CODES**players) / workers
    if players == MOST_PLAYERS:
        say(f"settling seating {seating} takes {memory} and up to about {span(seconds)}")
