"""Avalon: games of five to ten people who met by voice or at one table and let a site deal the roles and count votes.

The records are those of the repository WhoaWhoa/avalonlogs, one file for each game, whose name is the time and the code
of a room. Seats are numbered round the table: a record lists the players in the order in which they propose teams. It
tells every role, every team that was proposed, who approved it, the card that each member of a team played, and whom
the assassin shot. What people said is not in it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

from chapters.real.records import field, load
from gamebalance.base.checks import flag, one_of, shown, whole_number
from gamebalance.games.avalon.rules import (
    BOARDS,
    EVIL_ROLES,
    FAILS,
    LOYAL,
    MERLIN,
    MINION,
    MISSED,
    MISSIONS,
    PROPOSALS,
    REJECTIONS,
    SHOT,
    SUCCESSES,
    TO_WIN,
    WINNER,
)

#: How files are called.
PATTERN = "[0-9]*Z_[A-Z][A-Z][A-Z]"
NAME = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_([A-Z]{3})")
#: The roles, in the words of the records and in ours, and those of evil: some records have an assassin among these.
ROLES = {
    **{"LOYAL FOLLOWER": "loyal", "MERLIN": "merlin", "PERCIVAL": "percival", "EVIL MINION": "minion"},
    **{"ASSASSIN": "assassin", "MORGANA": "morgana", "MORDRED": "mordred", "OBERON": "oberon"},
}
EVIL = (*EVIL_ROLES, "assassin")
#: How a game ends, in the words of the records and in ours.
ENDINGS = {
    "Three missions succeeded": SUCCESSES,
    "Three successful missions": MISSED,
    "Merlin assassinated": SHOT,
    "Three failed missions": FAILS,
    "Five team proposals in a row rejected": REJECTIONS,
}


@dataclass(frozen=True)
class Proposal:
    """A team that somebody proposed: seats, and those who approved it; it goes if they are more than half."""

    proposer: int
    team: tuple[int, ...]
    approving: tuple[int, ...]
    approved: bool


@dataclass(frozen=True)
class Mission:
    """A mission: the teams proposed for it, and the seats of the last one that played a fail.

    `failed_by` is None if five teams were rejected and nobody went.
    """

    size: int
    fails_required: int
    proposals: tuple[Proposal, ...]
    failed_by: tuple[int, ...] | None

    @property
    def team(self) -> tuple[int, ...]:
        """The seats that went."""
        return self.proposals[-1].team if self.failed_by is not None else ()

    @property
    def fails(self) -> int:
        """The fails that were played."""
        return len(self.failed_by or ())

    @property
    def succeeded(self) -> bool:
        """Whether a team went and too few fails were played."""
        return self.failed_by is not None and self.fails < self.fails_required


@dataclass(frozen=True)
class Game:
    """A game: when and in which room, and by seats from 0 who sat there, with which role, and what was done.

    `persons` are the site's numbers of people, `assassins` the seats marked as such, `missions` those for which a team
    was proposed, `ending` a text of `ENDINGS`, and `shot` the seat that the assassin named as Merlin, or None.
    """

    time: str
    room: str
    persons: tuple[str, ...]
    roles: tuple[str, ...]
    assassins: tuple[int, ...]
    missions: tuple[Mission, ...]
    ending: str
    winner: str
    shot: int | None

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.roles)

    @property
    def evil(self) -> frozenset[int]:
        """The seats of evil."""
        return frozenset(seat for seat, role in enumerate(self.roles) if role in EVIL)

    @property
    def merlin(self) -> int | None:
        """Merlin's seat; None in a game without."""
        return self.roles.index("merlin") if "merlin" in self.roles else None

    @property
    def played(self) -> tuple[Mission, ...]:
        """The missions on which a team went."""
        return tuple(mission for mission in self.missions if mission.failed_by is not None)


def read(path: str | PathLike) -> list[Game]:
    """The games in a copy of the repository.

    Parameters
    ----------
    path : path
        A checkout, a folder in it, or a zip or tar file of either.

    Returns
    -------
    list of Game
        By time.

    Raises
    ------
    ValueError
        If there are no such files, or one is broken; the message names it.
    """
    return [game(record, name) for name, record in load(path, PATTERN)]


def game(record: dict[str, Any], name: str) -> Game:
    """The game that a record tells.

    Parameters
    ----------
    record : dict
        With the fields players, missions and outcome.
    name : str
        The name of its file.

    Raises
    ------
    ValueError
        If a field is missing or not of its kind, somebody is named who does not play, or the record contradicts itself
        or the rules: proposals not round the table, a majority, a number of fails or an end that does not fit.
    """
    stamp = NAME.fullmatch(name)
    if stamp is None:
        raise ValueError(f"name = {shown(name)}: a time and a room, as in '2020-01-02T03:04:05.678Z_ABC', are needed")
    table = _Table.of(record, name)
    outcome = field(record, "outcome", name)
    roles, assassins = _roles(table, field(outcome, "roles", f"{name}: outcome"))
    missions = _missions(table, field(record, "missions", name), field(outcome, "votes", f"{name}: outcome"))
    _only_evil_fails(name, roles, missions)
    shot = field(outcome, "assassinated", f"{name}: outcome")
    shot = None if shot is None else table.seat("outcome.assassinated", shot)
    message = one_of(f"{name}: outcome.message", field(outcome, "message", f"{name}: outcome"), ENDINGS)
    ending = ENDINGS[message]
    winner = WINNER[ending]
    told = _ending(roles, missions, shot)
    if told != ending:
        raise ValueError(f"{name}: outcome.message = {shown(message)}: the record tells of the end {told!r}")
    state = field(outcome, "state", f"{name}: outcome")
    one_of(f"{name}: outcome.state", state, [f"{winner.upper()}_WIN"])
    return Game(*stamp.groups(), table.persons, roles, assassins, missions, ending, winner, shot)


@dataclass(frozen=True)
class _Table:
    """Who sits where in the record of a name."""

    name: str
    seats: dict[str, int]
    persons: tuple[str, ...]

    @classmethod
    def of(cls, record: dict[str, Any], name: str) -> "_Table":
        """The table of a record."""
        people = _list(name, "players", field(record, "players", name))
        names = [_text(name, f"players[{at}].name", _entry(name, "players", at, who, "name"))
                 for at, who in enumerate(people)]  # fmt: skip
        persons = [_text(name, f"players[{at}].uid", _entry(name, "players", at, who, "uid"))
                   for at, who in enumerate(people)]  # fmt: skip
        whole_number(f"{name}: number of players", len(names), min(BOARDS), max(BOARDS))
        for what, values in (("name", names), ("uid", persons)):
            if len(set(values)) < len(values):
                raise ValueError(f"{name}: players: two have the same {what}")
        return cls(name, {who: seat for seat, who in enumerate(names)}, tuple(persons))

    def seat(self, what: str, who: Any) -> int:
        """The seat of somebody."""
        if not isinstance(who, str) or who not in self.seats:
            raise ValueError(f"{self.name}: {what} has {shown(who)}, who does not play")
        return self.seats[who]

    def some(self, what: str, people: Any, size: int | None = None) -> tuple[int, ...]:
        """The different seats of some people, in order."""
        found = {self.seat(what, who) for who in _list(self.name, what, people)}
        if len(found) != (len(people) if size is None else size) or len(found) != len(people):
            wanted = "different people" if size is None else f"{size} different people"
            raise ValueError(f"{self.name}: {what} = {shown(people)}: {wanted} are needed")
        return tuple(sorted(found))


def _list(name: str, what: str, value: Any, size: int | None = None) -> list:
    """A list in a record."""
    if not isinstance(value, list) or (size is not None and len(value) != size):
        raise ValueError(
            f"{name}: {what} = {shown(value)}: a list{f' of {size}' if size is not None else ''} is needed"
        )
    return value


def _text(name: str, what: str, value: Any) -> str:
    """A text in a record."""
    if not isinstance(value, str) or not value:
        raise ValueError(f"{name}: {what} = {shown(value)}: a text is needed")
    return value


def _entry(name: str, what: str, at: int, entry: Any, key: str) -> Any:
    """A field of an entry of a list."""
    return field(entry, key, f"{name}: {what}[{at}]")


def _roles(table: _Table, entries: Any) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The role of each seat, and the seats marked as assassins."""
    name, what = table.name, "outcome.roles"
    found, assassins = {}, []
    for at, entry in enumerate(_list(name, what, entries, len(table.seats))):
        seat = table.seat(f"{what}[{at}].name", _entry(name, what, at, entry, "name"))
        found[seat] = ROLES[one_of(f"{name}: {what}[{at}].role", _entry(name, what, at, entry, "role"), ROLES)]
        if flag(f"{name}: {what}[{at}].assassin", _entry(name, what, at, entry, "assassin")):
            assassins.append(seat)
    if len(found) < len(table.seats):
        raise ValueError(f"{name}: {what}: somebody has two roles")
    roles = tuple(found[seat] for seat in range(len(found)))
    evil, wanted = sum(role in EVIL for role in roles), BOARDS[len(roles)].evil
    if evil != wanted:
        raise ValueError(f"{name}: {what}: {evil} of {len(roles)} are evil; {wanted} are needed")
    for role in ROLES.values():
        if role not in (LOYAL, MINION) and roles.count(role) > 1:
            raise ValueError(f"{name}: {what}: {roles.count(role)} people are {role}; one at most is possible")
    return roles, tuple(sorted(assassins))


def _missions(table: _Table, entries: Any, cards: Any) -> tuple[Mission, ...]:
    """The missions for which teams were proposed, until the game was over."""
    name, found, over = table.name, [], False
    played = sum(field(entry, "state", f"{name}: missions[{at}]") != "PENDING"
                 for at, entry in enumerate(_list(name, "missions", entries, MISSIONS)))  # fmt: skip
    cards = _list(name, "outcome.votes", cards, played)
    for at, entry in enumerate(entries):
        what = f"missions[{at}]"
        goes, proposals = entry["state"] != "PENDING", _proposals(table, what, entry)
        if over and (goes or proposals):
            raise ValueError(f"{name}: {what}: the game was over before")
        if over:
            continue
        if goes != (bool(proposals) and proposals[-1].approved):
            raise ValueError(f"{name}: {what}.state = {shown(entry['state'])}: it does not fit the last proposal")
        if not goes and len(proposals) < PROPOSALS:
            raise ValueError(f"{name}: {what}.proposals: the game stops after {len(proposals)}")
        found.append(_mission(table, what, entry, proposals, cards[at] if goes else None))
        won, went = sum(mission.succeeded for mission in found), sum(m.failed_by is not None for m in found)
        over = not goes or TO_WIN in (won, went - won)
    _round_the_table(table, found)
    return tuple(found)


def _proposals(table: _Table, what: str, entry: Any) -> tuple[Proposal, ...]:
    """The teams that were proposed for a mission."""
    name, found = table.name, []
    size = whole_number(f"{name}: {what}.teamSize", field(entry, "teamSize", f"{name}: {what}"), 1, len(table.seats))
    entries = _list(name, f"{what}.proposals", field(entry, "proposals", f"{name}: {what}"))
    whole_number(f"{name}: {what}: number of proposals", len(entries), 0, PROPOSALS)
    for at, one in enumerate(entries):
        where = f"{what}.proposals[{at}]"
        proposer, team, votes, state = (field(one, key, f"{name}: {where}")
                                        for key in ("proposer", "team", "votes", "state"))  # fmt: skip
        approving = table.some(f"{where}.votes", votes)
        approved = len(approving) >= BOARDS[len(table.seats)].majority
        one_of(f"{name}: {where}.state", state, ["APPROVED" if approved else "REJECTED"])
        if approved and at + 1 < len(entries):
            raise ValueError(f"{name}: {where}: the team was approved, and another is proposed")
        seat = table.seat(f"{where}.proposer", proposer)
        found.append(Proposal(seat, table.some(f"{where}.team", team, size), approving, approved))
    return tuple(found)


def _mission(table: _Table, what: str, entry: dict, proposals: tuple[Proposal, ...], cards: Any) -> Mission:
    """A mission, with the cards of those who went, if they did: a success is true, a fail is false."""
    name, size = table.name, entry["teamSize"]
    required = whole_number(f"{name}: {what}.failsRequired", field(entry, "failsRequired", f"{name}: {what}"), 1, size)
    if cards is None:
        return Mission(size, required, proposals, None)
    played = f"outcome.votes of {what}"
    if not isinstance(cards, dict) or not all(isinstance(card, bool) for card in cards.values()):
        raise ValueError(f"{name}: {played} = {shown(cards)}: true or false for each person is needed")
    teams = [table.some(f"{what}.team", field(entry, "team", f"{name}: {what}"), size), table.some(played, [*cards])]
    if any(team != proposals[-1].team for team in teams):
        raise ValueError(f"{name}: {what}: the team that was approved, that went and that played cards are not one")
    mission = Mission(size, required, proposals, tuple(sorted(table.seats[who] for who in cards if not cards[who])))
    told = field(entry, "numFails", f"{name}: {what}")
    if told != mission.fails or isinstance(told, bool):
        raise ValueError(f"{name}: {what}.numFails = {shown(told)}: the cards have {mission.fails}")
    one_of(f"{name}: {what}.state", entry["state"], ["SUCCESS" if mission.succeeded else "FAIL"])
    return mission


def _round_the_table(table: _Table, missions: Sequence[Mission]) -> None:
    """Refuse a record in which it is not always the next seat's turn to propose."""
    proposers = [proposal.proposer for mission in missions for proposal in mission.proposals]
    for at, seat in enumerate(proposers):
        turn = (proposers[0] + at) % len(table.seats)
        if seat != turn:
            raise ValueError(f"{table.name}: proposal {at + 1} is of player {seat + 1}; it was the turn of {turn + 1}")


def _only_evil_fails(name: str, roles: Sequence[str], missions: Sequence[Mission]) -> None:
    """Refuse a record in which somebody good played a fail."""
    for at, mission in enumerate(missions):
        for seat in mission.failed_by or ():
            if roles[seat] not in EVIL:
                raise ValueError(
                    f"{name}: outcome.votes of missions[{at}]: player {seat + 1} is good and played a fail"
                )


def _ending(roles: Sequence[str], missions: Sequence[Mission], shot: int | None) -> str:
    """How the game ended, by what was played; `contradictory` if a shot is missing or one too many."""
    won, lost = sum(mission.succeeded for mission in missions), missions[-1].failed_by is None
    shoots = won == TO_WIN and MERLIN in roles
    if (shot is not None) != shoots:
        return "contradictory"
    if lost:
        return REJECTIONS
    if won < TO_WIN:
        return FAILS
    return (SHOT if roles[shot] == MERLIN else MISSED) if shoots else SUCCESSES


def rows_of_missions(played: Game) -> Iterator[tuple[int, int, int, Mission]]:
    """The number of each mission from 1, how many succeeded and failed before, and the mission."""
    succeeded = 0
    for at, mission in enumerate(played.missions):
        yield at + 1, succeeded, at - succeeded, mission
        succeeded += mission.succeeded
