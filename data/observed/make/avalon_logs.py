"""Avalon: games of five to ten people who met by voice or at one table and let a site deal the roles and count votes.

The records are those of the repository WhoaWhoa/avalonlogs, one file for each game, whose name is the time and the code
of a room. Seats are numbered round the table: a record lists the players in the order in which they propose teams. It
tells every role, every team that was proposed, who approved it, the card that each member of a team played, and whom
the assassin shot. What people said is not in it.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from os import PathLike
from typing import Any, NamedTuple

from gamebalance.base.checks import flag, shown, whole_number
from gamebalance.games.avalon import rules
from gamebalance.games.avalon.playing import Proposal, Public
from gamebalance.games.avalon.rules import BOARDS, MERLIN, is_evil
from make.records import Entry, load

NAME = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_([A-Z]{3})")
#: The roles, in the words of the records and in ours; an assassin who is nothing else is a minion.
ROLES = {
    **{"LOYAL FOLLOWER": "loyal", "MERLIN": "merlin", "PERCIVAL": "percival", "EVIL MINION": "minion"},
    **{"ASSASSIN": "minion", "MORGANA": "morgana", "MORDRED": "mordred", "OBERON": "oberon"},
}
ENDINGS = {
    **{"Three missions succeeded": rules.SUCCESSES, "Three successful missions": rules.MISSED},
    **{"Merlin assassinated": rules.SHOT, "Three failed missions": rules.FAILS},
    "Five team proposals in a row rejected": rules.REJECTIONS,
}


class Game(NamedTuple):
    """A game: when and in which room; by seats from 0 who sat there (numbers of the site) and with which role.

    `public` is what all saw, and `shot` the seat that the assassin named as Merlin, or None.
    """

    time: str
    room: str
    persons: tuple[str, ...]
    roles: tuple[str, ...]
    public: Public
    shot: int | None
    ending: str

    @property
    def evil(self) -> frozenset[int]:
        """The seats of evil."""
        return frozenset(seat for seat, role in enumerate(self.roles) if is_evil(role))

    @property
    def has_merlin(self) -> bool:
        return MERLIN in self.roles


def read(path: str | PathLike) -> list[Game]:
    """The games in a copy of the repository, by time."""
    return list(load(path, "[0-9]*Z_[A-Z][A-Z][A-Z]", game))


def game(content: Any, name: str) -> Game:
    """The game that a record tells, of which all that follows from the rest is compared with it."""
    stamp = NAME.fullmatch(name)
    if stamp is None:
        raise ValueError(f"name = {shown(name)}: a time and a room, as in '2020-01-02T03:04:05.678Z_ABC', are needed")
    record = Entry(content)
    people = record["players"].entries()
    whole_number("number of players", len(people), min(BOARDS), max(BOARDS))
    seats, persons = ([person[key].text() for person in people] for key in ("name", "uid"))
    for names in (seats, persons):
        if len({*names}) < len(names):
            raise record["players"].refusal("different names and uids")
    outcome = record["outcome"]
    roles = _roles(outcome["roles"], seats)
    public = _public(record["missions"].entries(rules.MISSIONS), outcome["votes"].entries(), seats, roles)
    shot = None if public.lost or MERLIN not in roles else _seat(outcome["assassinated"], seats)
    if shot is None:
        outcome["assassinated"].is_(None)
    ending = public.lost or (rules.SUCCESSES if shot is None else rules.SHOT if roles[shot] == MERLIN else rules.MISSED)
    if ENDINGS[outcome["message"].among(ENDINGS)] != ending:
        raise outcome["message"].refusal(f"what the record tells, {ending!r},")
    outcome["state"].is_(f"{rules.WINNER[ending].upper()}_WIN")
    return Game(stamp[1], stamp[2], tuple(persons), roles, public, shot, ending)


def _seat(entry: Entry, seats: Sequence[str]) -> int:
    """The seat of somebody."""
    return seats.index(entry.among(seats))


def _roles(dealt: Entry, seats: Sequence[str]) -> tuple[str, ...]:
    """The role of each seat."""
    roles = {}
    for entry in dealt.entries(len(seats)):
        roles[_seat(entry["name"], seats)] = ROLES[entry["role"].among(ROLES)]
        flag(entry["assassin"].place, entry["assassin"].value)
    if len(roles) < len(seats):
        raise dealt.refusal("a role for each of the players")
    by_seat = tuple(roles[seat] for seat in range(len(seats)))
    wanted = rules.cast(BOARDS[len(seats)], [role for role in by_seat if role in rules.SPECIAL])
    if sorted(by_seat) != sorted(wanted):
        raise dealt.refusal(f"{BOARDS[len(seats)].evil} evil of {len(seats)}")
    return by_seat


def _public(missions: Sequence[Entry], cards: Sequence[Entry], seats: Sequence[str], roles: Sequence[str]) -> Public:
    """The game as all saw it, replayed; a board has what the record says that missions ask for."""
    sizes, needed = (
        tuple(whole_number(mission[key].place, mission[key].value, 1, len(seats)) for mission in missions)
        for key in ("teamSize", "failsRequired")
    )
    public = Public(replace(BOARDS[len(seats)], sizes=sizes, fails_needed=needed))
    leader = None
    for at, mission in enumerate(missions):
        for proposal in mission["proposals"].entries():
            if public.is_over or public.team_goes or at > len(public.missions):
                raise ValueError(f"{proposal.place}: no team is to be proposed any more")
            leader = _seat(proposal["proposer"], seats) if leader is None else (leader + 1) % len(seats)
            proposal["proposer"].is_(seats[leader])
            team = _people(proposal["team"], seats, public.size)
            proposals = (*public.proposals, Proposal(leader, team, _people(proposal["votes"], seats)))
            public = replace(public, proposals=proposals)
            proposal["state"].is_("APPROVED" if public.team_goes else "REJECTED")
        if not public.team_goes:
            mission["state"].is_("PENDING")
        elif at >= len(cards):
            raise ValueError(f"outcome.votes: the cards of {mission.place} are missing")
        else:
            public = public.played(_fails(mission, cards[at], public.proposals[-1].team, seats, roles))
            mission["state"].is_("FAIL" if public.missions[-1].failed else "SUCCESS")
    if not public.is_over or len(cards) > len(public.missions):
        raise ValueError(f"missions: the game stops after {len(public.missions)}; there are cards of {len(cards)}")
    return public


def _people(entry: Entry, seats: Sequence[str], size: int | None = None) -> tuple[int, ...]:
    """The seats of different people, in order."""
    people = [_seat(one, seats) for one in entry.entries(size)]
    if len({*people}) < len(people):
        raise entry.refusal("different people")
    return tuple(sorted(people))


def _fails(mission: Entry, cards: Entry, team: tuple[int, ...], seats: Sequence[str], roles: Sequence[str]) -> int:
    """The fails that a team played, by its cards: a success is true, a fail is false."""
    if _people(mission["team"], seats) != team:
        raise mission["team"].refusal("the team that was approved")
    if not isinstance(cards.value, dict) or {*cards.value} != {seats[seat] for seat in team}:
        raise cards.refusal(f"a card of each in the team of {mission.place}")
    failed = [seat for seat in team if not flag(cards.place, cards.value[seats[seat]])]
    for seat in failed:
        if not is_evil(roles[seat]):
            raise ValueError(f"{cards.place}: {seats[seat]} is good and played a fail")
    mission["numFails"].is_(len(failed))
    return len(failed)
