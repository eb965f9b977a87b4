"""Avalon: the counts of recorded games, as in `data/observed`."""

from collections import Counter
from collections.abc import Iterator, Sequence

import pandas as pd

from chapters.real.avalon_logs import Game, rows_of_missions
from chapters.real.records import counted
from gamebalance.games.avalon.rules import SPECIAL

#: Until when games are of the first period: the source's own analysis is of these.
FIRST_PERIOD_ENDS, PERIODS = "2021-09", ("to August 2021", "later")
#: Groups of people are dealt into so many batches.
BATCHES = 10


def period(played: Game) -> str:
    """The period of a game."""
    return PERIODS[played.time >= FIRST_PERIOD_ENDS]


def special_roles(played: Game) -> str:
    """The special roles at a table."""
    return "+".join(role for role in SPECIAL if role in played.roles) or "none"


def groups(games: Sequence[Game]) -> list[int]:
    """The group of people that played each game, shape (games,): the same where persons are linked by games.

    Groups are numbered from 0 by their first game. No person is in two of them.
    """
    leader: dict[str, str] = {}

    def lead(person: str) -> str:
        while leader.setdefault(person, person) != person:
            leader[person] = person = leader[leader[person]]
        return person

    for played in games:
        for person in played.persons:
            leader[lead(person)] = lead(played.persons[0])
    numbers: dict[str, int] = {}
    return [numbers.setdefault(lead(played.persons[0]), len(numbers)) for played in games]


def batches(games: Sequence[Game]) -> list[int]:
    """The batch of each game, shape (games,): the number of its group modulo `BATCHES`."""
    return [group % BATCHES for group in groups(games)]


def counts(games: Sequence[Game]) -> dict[str, pd.DataFrame]:
    """The tables of counts, as in `data/observed`.

    Parameters
    ----------
    games : sequence of Game
        By time.

    Returns
    -------
    dict of DataFrame
        ``outcomes`` of games, ``shots`` at Merlin, ``teams`` that went, ``votes`` on teams, ``proposals`` of teams,
        ``cards`` that teams played, ``groups`` and ``sittings`` by the number of their games, and ``persons`` by that
        of theirs.
    """
    by_kind = ["period", "players", "special_roles", "evil_players"]
    teams = ["mission", "team_size", "evil_in_team", "result", "fails"]
    votes = ["players", "merlin", "mission", "evil_in_team", "voter", "voter_in_team", "approved", "batch"]
    proposals = ["players", "merlin", "mission", "attempt", "proposer", "evil_in_team", "accepted"]
    cards = ["players", "merlin", "mission", "succeeded", "failed", "evil_in_team", "fails"]
    return {
        "outcomes": counted(
            [(*_kind(one), one.winner, one.ending, batch) for one, batch in zip(games, batches(games), strict=True)],
            [*by_kind, "winner", "how", "batch"],
        ),
        "shots": counted(
            [(*_kind(one), len(one.played), one.roles[one.shot]) for one in games if one.shot is not None],
            [*by_kind, "missions_played", "shot"],
        ),
        "teams": counted([row for one in games for row in _teams(one)], [*by_kind, *teams], "teams"),
        "votes": counted(
            [row for one, batch in zip(games, batches(games), strict=True) for row in _votes(one, batch)],
            votes,
            "votes",
        ),
        "proposals": counted([row for one in games for row in _proposals(one)], proposals, "proposals"),
        "cards": counted([row for one in games for row in _cards(one)], cards, "teams"),
        "groups": _sizes(groups(games), "groups"),
        "sittings": _sizes([one.room for one in games], "rooms", "games_in_room"),
        "persons": _sizes([person for one in games for person in one.persons], "persons"),
    }


def _kind(played: Game) -> tuple[str, int, str, int]:
    """The period of a game, and who is at its table."""
    return period(played), played.players, special_roles(played), len(played.evil)


def _sizes(labels: Sequence, of: str, column: str = "games") -> pd.DataFrame:
    """How many of the labels stand there how often."""
    return counted([(number,) for number in Counter(labels).values()], [column], of)


def _teams(played: Game) -> Iterator[tuple]:
    """The teams that went, with the evil in them and the fails that these played."""
    for number, _, _, mission in rows_of_missions(played):
        if mission.failed_by is not None:
            result = "success" if mission.succeeded else "fail"
            yield *_kind(played), number, mission.size, len(played.evil & {*mission.team}), result, mission.fails


def _voter(played: Game, seat: int, kinds: Sequence[str] = ("merlin",)) -> str:
    """What a seat is: evil, of one of the kinds, or good."""
    return "evil" if seat in played.evil else played.roles[seat] if played.roles[seat] in kinds else "good"


def _votes(played: Game, batch: int) -> Iterator[tuple]:
    """The votes of all on every team, and whether it holds anybody evil."""
    voters = [_voter(played, seat) for seat in range(played.players)]
    first = played.players, int(played.merlin is not None)
    for number, _, _, mission in rows_of_missions(played):
        for proposal in mission.proposals:
            holds = int(not played.evil.isdisjoint(proposal.team))
            for seat, voter in enumerate(voters):
                yield *first, number, holds, voter, int(seat in proposal.team), int(seat in proposal.approving), batch


def _proposals(played: Game) -> Iterator[tuple]:
    """The teams that were proposed, by whom, and the evil in them."""
    first = played.players, int(played.merlin is not None)
    for number, _, _, mission in rows_of_missions(played):
        for attempt, proposal in enumerate(mission.proposals, 1):
            proposer = _voter(played, proposal.proposer, ("merlin", "percival"))
            evil = len(played.evil & {*proposal.team})
            yield *first, number, attempt, proposer, evil, int(proposal.approved)


def _cards(played: Game) -> Iterator[tuple]:
    """The teams that went, with the missions that succeeded and failed before, and the fails."""
    first = played.players, int(played.merlin is not None)
    for number, succeeded, failed, mission in rows_of_missions(played):
        if mission.failed_by is not None:
            yield *first, number, succeeded, failed, len(played.evil & {*mission.team}), mission.fails
