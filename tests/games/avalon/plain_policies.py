"""Policies of `tests.oracles.avalon_table` at the library's tables: everything they read is turned into plain data."""

from dataclasses import dataclass

from gamebalance.games.avalon import Board, Public
from gamebalance.games.avalon.rules import View
from tests.oracles.avalon_table import Plain, Rules, Seen


def plain_rules(board: Board) -> Rules:
    return Rules(board.players, board.sizes, board.fails_needed, board.proposals)


@dataclass(frozen=True)
class AtTable:
    """A plain policy as the library's tables ask it."""

    plain: Plain

    def teams(self, view: View, public: Public):
        return self.plain.teams(plain_rules(public.board), _seen(view, public), public.size)

    def approves(self, view: View, public: Public, team):
        return self.plain.approves(plain_rules(public.board), _seen(view, public), team)

    def fails(self, view: View, public: Public, team):
        *before, (leader, gone, approving) = public.proposals
        assert gone == team
        table = Public(public.board, public.missions, tuple(before))
        assert table.leader == leader and public.team_goes and public.proposals[-1].approving == approving
        return self.plain.fails(plain_rules(public.board), _seen(view, table), team)

    def shoots(self, view: View, public: Public):
        return self.plain.shoots(plain_rules(public.board), _seen(view, public))


def _seen(view: View, public: Public) -> Seen:
    events = []
    for mission in public.missions:
        *rejected, gone = mission.proposals
        events += [(*proposal, None) for proposal in rejected] + [(*gone, mission.fails)]
    return Seen(view.seat, view.role, view.seen, (*events, *((*proposal, None) for proposal in public.proposals)))
