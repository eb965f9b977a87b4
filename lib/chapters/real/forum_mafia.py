"""Forum Mafia: games of fifteen people (three mafiosi, cop, medic, vigilante, nine without a role), night by night.

The records are those of the repository dhon/mafia-allstars, one file for each game. Whom somebody shot, saved, checked
or voted out stands in lists with an entry for each night or day, and a night comes before the day of its number.
Whoever is saved survives one shot of that night and not two. Of 2017 only the mafia's shots of the first night are
recorded, and the votes are not in the order of the days: those games count by winner and first victims alone.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

import pandas as pd

from chapters.real.records import counted, field, load
from gamebalance.base.checks import one_of, shown

#: What a record says for nobody, and how the id of a game begins; a record whose id has no date is a form to fill in.
NOBODY = "NONE"
DATE = re.compile(r"\d\d/\d\d/(20\d\d)")
WINNERS = ("Mafia", "Town")
#: The roles that one person has, and how many have the others.
SPECIAL = ("cop", "medic", "vigilante")
MAFIOSI, WITHOUT_A_ROLE = 3, 9
#: The first year whose games are recorded night by night.
FIRST_YEAR_BY_NIGHT = 2018


@dataclass(frozen=True)
class Game:
    """A game: the role of each person, the targets of each night, who was voted out each day, and who won.

    `shots` are those of the mafia, `bullets` those of the vigilante; None stands for nobody. Lists end when the one who
    acts has died, or with the game.
    """

    year: int
    winner: str
    roles: dict[str, str]
    shots: tuple[tuple[str, ...], ...]
    saves: tuple[str | None, ...]
    bullets: tuple[str | None, ...]
    checks: tuple[str | None, ...]
    voted_out: tuple[str | None, ...]

    def alive_as(self, role: str, alive: frozenset[str]) -> int:
        """How many of those alive have a role."""
        return sum(self.roles[person] == role for person in alive)


@dataclass(frozen=True)
class Night:
    """A night and the day after it: who was alive at nightfall and at the vote, what was done, and who was saved.

    `votes` says whether a vote is recorded, whose result is `voted_out`.
    """

    number: int
    alive: frozenset[str]
    shots: tuple[str, ...]
    saved: frozenset[str]
    bullet: str | None
    check: str | None
    by_day: frozenset[str]
    votes: bool
    voted_out: str | None


def read(path: str | PathLike) -> list[Game]:
    """The games in a copy of the repository.

    Parameters
    ----------
    path : path
        A checkout, a folder in it, or a zip or tar file of either.

    Returns
    -------
    list of Game
        By year, in the order of the files.

    Raises
    ------
    ValueError
        If there are no such files, or one is broken; the message names it.
    """
    records = load(path, "20[0-9][0-9]/[0-9]*.json")
    return [found for name, record in records if (found := game(record, name)) is not None]


def game(record: dict[str, Any], name: str = "the record") -> Game | None:
    """The game that a record tells; None if it is a form that nobody filled in.

    Parameters
    ----------
    record : dict
        With the fields id, mafia, cop, medic, vigilante, vanilla_town, kill, save, shot, check, lynched and winner.
    name : str
        What messages call the record.

    Raises
    ------
    ValueError
        If a field is missing, people are not fifteen, or somebody is named who does not play.
    """
    date = DATE.match(str(field(record, "id", name)))
    if date is None:
        return None
    several = [("mafioso", "mafia", MAFIOSI), ("no role", "vanilla_town", WITHOUT_A_ROLE)]
    people = [(role, [field(record, role, name)]) for role in SPECIAL]
    people += [(role, _texts(record, key, name, size)) for role, key, size in several]
    roles = {person: role for role, persons in people for person in persons}
    if len(roles) != sum(len(persons) for _, persons in people):
        raise ValueError(f"{name}: somebody has two roles")
    lists = [_texts(record, key, name) for key in ("save", "shot", "check", "lynched")]
    kills = [_texts({"kill": night}, "kill", name) for night in _list(record, "kill", name)]
    strangers = {person for entries in lists + kills for person in entries} - {*roles, NOBODY}
    if strangers:
        raise ValueError(f"{name}: {shown(min(strangers))} is named and does not play")
    shots = tuple(tuple(person for person in night if person != NOBODY) for night in kills)
    nights = [tuple(None if person == NOBODY else person for person in entries) for entries in lists]
    winner = one_of(f"{name}: winner", field(record, "winner", name), WINNERS)
    return Game(int(date[1]), winner, roles, shots, *nights)


def _list(record: dict[str, Any], key: str, name: str, size: int | None = None) -> list:
    """A list in a record."""
    value = field(record, key, name)
    if not isinstance(value, list) or (size is not None and len(value) != size):
        raise ValueError(f"{name}: {key} = {shown(value)}: a list{f' of {size}' if size else ''} is needed")
    return value


def _texts(record: dict[str, Any], key: str, name: str, size: int | None = None) -> list[str]:
    """A list of names in a record."""
    values = _list(record, key, name, size)
    for value in values:
        if not isinstance(value, str):
            raise ValueError(f"{name}: {key} has {shown(value)}: a name is needed")
    return values


def replay(played: Game) -> list[Night] | None:
    """The nights and days of a game as recorded; None if the record contradicts itself.

    It does if somebody is shot, saved, checked or voted out who is dead, if the mafia, cop, medic or vigilante acts who
    is dead, or if the winner is not who is left.
    """
    nights, alive = [], frozenset(played.roles)
    for at in range(max(len(played.shots), len(played.voted_out))):
        night = _night(played, at, alive)
        if not _possible(played, night, _entry(played.saves, at)):
            return None
        nights.append(night)
        alive = night.by_day - {night.voted_out}
    return nights if (played.alive_as("mafioso", alive) == 0) == (played.winner == "Town") else None


def _entry(entries: tuple, at: int) -> Any:
    """The entry of a night or day; None after the last."""
    return entries[at] if at < len(entries) else None


def _night(played: Game, at: int, alive: frozenset[str]) -> Night:
    """A night and the day after it, by those alive at nightfall."""
    shots, bullet, save = _entry(played.shots, at) or (), _entry(played.bullets, at), _entry(played.saves, at)
    hits = Counter([*shots, *([] if bullet is None else [bullet])])
    saved = frozenset(person for person, number in hits.items() if person == save and number == 1)
    return Night(
        number=at + 1,
        alive=alive,
        shots=shots,
        saved=saved,
        bullet=bullet,
        check=_entry(played.checks, at),
        by_day=alive - ({*hits} - saved),
        votes=at < len(played.voted_out),
        voted_out=_entry(played.voted_out, at),
    )


def _possible(played: Game, night: Night, save: str | None) -> bool:
    """Whether all who act in a night or day, and all to whom it is done, are alive."""
    acts = [("mafioso", target) for target in night.shots]
    acts += [("medic", save), ("vigilante", night.bullet), ("cop", night.check)]
    acted = all(
        target in night.alive and played.alive_as(role, night.alive) for role, target in acts if target is not None
    )
    return acted and (night.voted_out is None or night.voted_out in night.by_day)


def counts(games: Sequence[Game]) -> dict[str, pd.DataFrame]:
    """The tables of counts, as in `data/observed`.

    Parameters
    ----------
    games : sequence of Game

    Returns
    -------
    dict of DataFrame
        ``outcomes`` of all games, ``first_victims`` of the first night of all games, and of the games from 2018 on
        whose record does not contradict itself ``votes``, ``nights`` and ``checks``. Numbers of people in the first are
        those at the vote, in the others those at nightfall.
    """
    by_night = [(played, replay(played)) for played in games if played.year >= FIRST_YEAR_BY_NIGHT]
    whole = [(played, nights) for played, nights in by_night if nights is not None]
    pairs = [(played, night) for played, nights in whole for night in nights]
    first = [row for played in games for row in _first_victims(played)]
    nights = ["night", "alive", "mafiosi_alive", "shots", "targets", "medic_alive", "saved", "vigilante"]
    return {
        "outcomes": counted([(played.year, played.winner) for played in games], ["year", "winner"]),
        "votes": counted(
            [_vote(played, night) for played, night in pairs if night.votes],
            ["day", "alive", "mafiosi_alive", "voted_out"],
            "votes",
        ),
        "nights": counted([row for played, found in whole for row in _nights(played, found)], nights),
        "checks": counted(
            [
                (*_people(played, night), int(played.roles[night.check] == "mafioso"))
                for played, night in pairs
                if night.check is not None
            ],
            ["night", "alive", "mafiosi_alive", "mafioso_found"],
            "checks",
        ),
        "first_victims": counted(first, ["role", "saved"], "victims"),
    }


def _people(played: Game, night: Night) -> tuple[int, int, int]:
    """The number of a night, those alive at nightfall, and the mafiosi among them."""
    return night.number, len(night.alive), played.alive_as("mafioso", night.alive)


def _first_victims(played: Game) -> Iterator[tuple[str, int]]:
    """The role of each person that the mafia shot at in the first night, and whether the medic saved them."""
    for person, shots in Counter(_entry(played.shots, 0)).items():
        yield played.roles[person], int(person == _entry(played.saves, 0) and shots == 1)


def _vote(played: Game, night: Night) -> tuple[int, int, int, str]:
    """A day, those alive at its vote, the mafiosi among them, and who was voted out."""
    return night.number, len(night.by_day), played.alive_as("mafioso", night.by_day), _side(played, night.voted_out)


def _side(played: Game, person: str | None) -> str:
    """What a person is: a mafioso, a townsman, or nobody."""
    return "nobody" if person is None else "mafioso" if played.roles[person] == "mafioso" else "townsman"


def _nights(played: Game, nights: Sequence[Night]) -> Iterator[tuple]:
    """What was done in each night with recorded shots of the mafia."""
    loaded = True
    for night in nights:
        able = loaded and played.alive_as("vigilante", night.alive)
        vigilante = _side(played, night.bullet) if able else "unable"
        loaded = loaded and night.bullet is None
        if night.shots:
            shots = len(night.shots), len({*night.shots})
            yield *_people(played, night), *shots, played.alive_as("medic", night.alive), len(night.saved), vigilante
