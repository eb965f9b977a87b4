"""A table of Avalon as all see it; how games end there, from a seed by any policies, or exactly at random."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import comb
from typing import NamedTuple, Protocol

import numpy as np

from gamebalance.base import checks
from gamebalance.base.checks import check_seed, shown, whole_number
from gamebalance.games.avalon import rules
from gamebalance.games.avalon.rules import FAILS, MERLIN, MISSED, REJECTIONS, SHOT, SUCCESSES, WINNER, Board, Team, View

Chances = dict[str, Fraction]
Number = int | float | Fraction


class Proposal(NamedTuple):
    """A team that was proposed, who proposed it, and the seats that approved."""

    leader: int
    team: Team
    approving: Team


class Mission(NamedTuple):
    """A mission that was played: all proposals for it, of which the last one went, the fails, and whether it failed."""

    proposals: tuple[Proposal, ...]
    fails: int
    failed: bool

    @property
    def team(self) -> Team:
        return self.proposals[-1].team


@dataclass(frozen=True)
class Public:
    """All that everybody has seen: the missions played, and the proposals for the next one."""

    board: Board
    missions: tuple[Mission, ...] = ()
    proposals: tuple[Proposal, ...] = ()

    @property
    def failed(self) -> int:
        """Missions that failed."""
        return sum(mission.failed for mission in self.missions)

    @property
    def succeeded(self) -> int:
        """Missions that succeeded."""
        return len(self.missions) - self.failed

    @property
    def scores(self) -> list[tuple[int, int]]:
        """How many missions had succeeded and failed before each mission that was played."""
        failed = accumulate((mission.failed for mission in self.missions[:-1]), initial=0)
        return [(at - lost, lost) for at, lost in zip(range(len(self.missions)), failed, strict=False)]

    @property
    def leader(self) -> int:
        """Who proposes next; seat 0 begins."""
        made = sum(len(mission.proposals) for mission in self.missions) + len(self.proposals)
        return made % self.board.players

    @property
    def size(self) -> int:
        """Members of the next team."""
        return self.board.sizes[len(self.missions)]

    @property
    def lost(self) -> str | None:
        """How good has lost at the missions, if it has: one of `rules.ENDINGS`."""
        if self.failed == self.board.to_win:
            return FAILS
        return REJECTIONS if len(self.proposals) == self.board.proposals and not self.team_goes else None

    @property
    def is_won(self) -> bool:
        """Whether enough missions have succeeded; a shot may follow."""
        return self.succeeded == self.board.to_win

    @property
    def is_over(self) -> bool:
        return self.is_won or self.lost is not None

    def voted(self, team: Team, approving: Team) -> "Public":
        """The table after a vote: the proposal stands with the others; a team that goes has still to be `played`."""
        return replace(self, proposals=(*self.proposals, Proposal(self.leader, team, approving)))

    @property
    def team_goes(self) -> bool:
        """Whether the team proposed last was approved, and its mission is still to be played."""
        return bool(self.proposals) and len(self.proposals[-1].approving) >= self.board.majority

    def played(self, fails: int) -> "Public":
        """The table after the team proposed last has gone and so many fails were shown."""
        failed = fails >= self.board.fails_needed[len(self.missions)]
        return Public(self.board, (*self.missions, Mission(self.proposals, fails, failed)))

    @cached_property
    def votes(self) -> tuple[Proposal, ...]:
        """All proposals, those for the next mission last."""
        return (*(each for mission in self.missions for each in mission.proposals), *self.proposals)

    @cached_property
    def results(self) -> tuple[tuple[Team, int, bool], ...]:
        """Team, fails and whether it failed, of each mission."""
        return tuple((mission.team, mission.fails, mission.failed) for mission in self.missions)


class Policy(Protocol):
    """How people play, by what they know from the deal and what all have seen."""

    def teams(self, view: View, public: Public) -> Sequence[Team]:
        """Teams of which a leader proposes one, each equally likely."""

    def approves(self, view: View, public: Public, team: Team) -> float:
        """The chance that somebody approves a team."""

    def fails(self, view: View, public: Public, team: Team) -> float:
        """The chance that an evil member of a team that goes plays fail; `public` has the vote as its last proposal."""

    def shoots(self, view: View, public: Public) -> Sequence[int]:
        """Seats of which the assassin shoots at one, each equally likely."""


@dataclass(frozen=True)
class Played:
    """A game that is over: the roles by seat, what everybody saw, who was shot at (a seat, or None), how it ended."""

    roles: tuple[str, ...]
    public: Public
    shot: int | None
    ending: str

    @property
    def winner(self) -> str:
        return WINNER[self.ending]


def play(board: Board, special: Sequence[str], policy: Policy, seed: int, number: int = 0) -> Played:
    """Game `number` of a seed, each with its own random numbers; `special` as for `rules.cast`."""
    rng = np.random.default_rng([check_seed(seed), whole_number("number", number)])
    cast = rules.cast(board, special)
    roles = tuple(cast[place] for place in rng.permutation(len(cast)))
    views = [rules.view(roles, seat, cast) for seat in range(board.players)]
    public = Public(board)
    while not public.is_over:
        team = _drawn(rng, policy.teams(views[public.leader], public))
        draws = zip(views, rng.random(board.players), strict=True)
        approving = tuple(view.seat for view, draw in draws if draw < policy.approves(view, public, team))
        public = public.voted(team, approving)
        if public.team_goes:
            draws = zip([views[seat] for seat in team], rng.random(len(team)), strict=True)
            cards = [view.is_evil and draw < policy.fails(view, public, team) for view, draw in draws]
            public = public.played(int(sum(cards)))
    if public.lost or MERLIN not in roles:
        return Played(roles, public, None, public.lost or SUCCESSES)
    shot = _drawn(rng, policy.shoots(views[rules.assassin(roles)], public))
    return Played(roles, public, shot, SHOT if roles[shot] == MERLIN else MISSED)


def _drawn(rng: np.random.Generator, choices: Sequence):
    """One of the choices, each equally likely."""
    return choices[int(rng.integers(len(choices)))] if len(choices) > 1 else choices[0]


def games(board: Board, special: Sequence[str], policy: Policy, count: int, seed: int) -> Iterator[Played]:
    """The first `count` games of a seed, one after the other."""
    for number in range(whole_number("count", count, 1)):
        yield play(board, special, policy, seed, number)


def simulate(board: Board, special: Sequence[str], policy: Policy, count: int, seed: int) -> dict[str, int]:
    """How many of the first `count` games of a seed end in each way, by `rules.ENDINGS`.

    >>> from gamebalance.games.avalon import BOARDS, AtRandom
    >>> simulate(BOARDS[5], (), AtRandom(), 100, seed=1)["three successes"]
    5
    """
    ended = Counter(game.ending for game in games(board, special, policy, count, seed))
    return {ending: ended[ending] for ending in rules.ENDINGS}


def good_wins(endings: dict[str, Number]) -> Number:
    """The sum over the endings in which good wins: chances, or counts of games."""
    if missing := set(endings) - set(WINNER):
        raise ValueError(f"endings = {shown(endings)}: {shown(sorted(missing)[0])} is no ending of a game")
    return sum(value for ending, value in endings.items() if WINNER[ending] == rules.GOOD)


def at_random(board: Board, special: Sequence[str] = (), approve: float = 0.5, fail: float = 1) -> Chances:
    """The chance of each ending if all play as `AtRandom` does, on boards of any size.

    Which team goes then depends on nothing, so missions are independent; of the `special` roles Merlin and Oberon
    matter.

    >>> five = at_random(rules.BOARDS[5])
    >>> {ending: round(float(chance), 4) for ending, chance in five.items() if chance}
    {'three successes': 0.0321, 'three fails': 0.8572, 'five rejections': 0.1107}
    """
    approve, fail = (
        Fraction(checks.number(name, value, 0, 1)) for name, value in (("approve", approve), ("fail", fail))
    )
    rejected = (1 - _at_least(board.players, approve, board.majority)) ** board.proposals
    reached: dict[tuple[int, int], Fraction] = defaultdict(Fraction, {(0, 0): Fraction(1)})
    ends: Chances = dict.fromkeys(rules.ENDINGS, Fraction(0))
    for mission, needed in enumerate(board.fails_needed):
        evil_chances = evil_in_team(board, mission).items()
        failing = sum((chance * _at_least(evil, fail, needed) for evil, chance in evil_chances), Fraction(0))
        for good, bad in [state for state in reached if sum(state) == mission and max(state) < board.to_win]:
            chance = reached.pop((good, bad))
            ends[REJECTIONS] += chance * rejected
            reached[good + 1, bad] += chance * (1 - rejected) * (1 - failing)
            reached[good, bad + 1] += chance * (1 - rejected) * failing
    for (good, bad), chance in reached.items():
        ends[SUCCESSES if good > bad else FAILS] += chance
    cast = rules.cast(board, special)
    if MERLIN in cast:
        known = sum(rules.is_evil(role) and role != rules.OBERON for role in cast)
        won, hit = ends[SUCCESSES], Fraction(1, len(cast) - max(known, 1))  # Oberon knows himself alone
        ends |= {SUCCESSES: Fraction(0), SHOT: won * hit, MISSED: won * (1 - hit)}
    return ends


def evil_in_team(board: Board, mission: int) -> dict[int, Fraction]:
    """How many evil members a random team of a mission (the first is 0) has, and the chance of each number."""
    size, good = board.sizes[mission], board.players - board.evil
    members = range(max(0, size - good), min(size, board.evil) + 1)
    teams = comb(board.players, size)
    return {evil: Fraction(comb(board.evil, evil) * comb(good, size - evil), teams) for evil in members}


def _at_least(trials: int, chance: Fraction, least: int) -> Fraction:
    """The chance of so many successes or more."""
    several = range(least, trials + 1)
    return sum((comb(trials, hits) * chance**hits * (1 - chance) ** (trials - hits) for hits in several), Fraction(0))
