"""A table of Avalon as all see it: teams, votes and fails, and what comes next."""

from dataclasses import dataclass, replace
from itertools import accumulate
from typing import NamedTuple

from gamebalance.games.avalon.rules import FAILS, REJECTIONS, Board, Team


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

    @property
    def results(self) -> tuple[tuple[Team, int, bool], ...]:
        """Team, fails and whether it failed, of each mission."""
        return tuple((mission.team, mission.fails, mission.failed) for mission in self.missions)
