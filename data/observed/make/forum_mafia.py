"""Forum Mafia: games of fifteen people (three mafiosi, cop, medic, vigilante, nine without a role), night by night.

The records are those of the repository dhon/mafia-allstars, one file for each game. Whom somebody shot, saved, checked
or voted out stands in lists with an entry for each night or day, and a night comes before the day of its number.
Whoever is saved survives one shot of that night and not two. Of 2017 only the mafia's shots of the first night are
recorded, and the votes are not in the order of the days: those games count by winner and first victims alone.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from os import PathLike
from typing import Any, NamedTuple

import pandas as pd

from gamebalance.base.checks import shown
from make.records import Entry, counted, load

#: What a record says for nobody, and how the id of a game begins; a record whose id has no date is a form to fill in.
NOBODY = "NONE"
DATE = re.compile(r"\d\d/\d\d/(20\d\d)")
#: Who has each role, and how many of them: one person, or a list.
ROLES = {"cop": 1, "medic": 1, "vigilante": 1, "mafia": 3, "vanilla_town": 9}
NAMES = {"mafia": "mafioso", "vanilla_town": "no role"}
#: The first year whose games are recorded night by night.
FIRST_YEAR_BY_NIGHT = 2018


class Game(NamedTuple):
    """A game: the role of each person, and by nights or days the mafia's shots and the targets of others, or None.

    Lists end when the one who acts has died, or with the game.
    """

    year: int
    winner: str
    roles: dict[str, str]
    shots: list[list[str]]
    saves: list[str | None]
    bullets: list[str | None]
    checks: list[str | None]
    voted_out: list[str | None]


def read(path: str | PathLike) -> list[Game]:
    """The games in a copy of the repository, by year, in the order of the files."""
    games = load(path, "20[0-9][0-9]/[0-9]*.json", game)
    return [one for one in games if one is not None]


def game(content: Any, name: str = "") -> Game | None:
    """The game that a record tells; None if it is a form that nobody filled in."""
    record = Entry(content)
    date = DATE.match(str(record["id"].value))
    if date is None:
        return None
    roles: dict[str, str] = {}
    for role, size in ROLES.items():
        dealt = record[role].entries(size) if size > 1 else [record[role]]
        roles |= {person.text(): NAMES.get(role, role) for person in dealt}
    if len(roles) < sum(ROLES.values()):
        raise ValueError("somebody has two roles")

    def people(entry: Entry) -> list[str | None]:
        names = [person.text() for person in entry.entries()]
        if strangers := {*names} - {*roles, NOBODY}:
            raise ValueError(f"{entry.place}: {shown(min(strangers))} is named and does not play")
        return [None if name == NOBODY else name for name in names]

    shots = [[person for person in people(night) if person] for night in record["kill"].entries()]
    targets = [people(record[key]) for key in ("save", "shot", "check", "lynched")]
    return Game(int(date[1]), record["winner"].among(("Mafia", "Town")), roles, shots, *targets)


def replay(game: Game) -> list[dict[str, Any]] | None:
    """What was done in each night and at the vote after it, of how many alive; None if the record contradicts itself.

    It does if somebody is shot, saved, checked or voted out who is dead, if the mafia, cop, medic or vigilante acts who
    is dead, or if the winner is not who is left.
    """
    rows, alive, loaded = [], {*game.roles}, True
    for at in range(max(len(game.shots), len(game.voted_out))):
        shots = game.shots[at] if at < len(game.shots) else []
        lists = (game.saves, game.bullets, game.checks, game.voted_out)
        save, bullet, check, out = (entries[at] if at < len(entries) else None for entries in lists)
        hits = Counter([*shots, *([bullet] if bullet else [])])
        saved = {person for person, number in hits.items() if person == save and number == 1}
        by_day = alive - ({*hits} - saved)
        left = Counter(game.roles[person] for person in alive)
        acts = [*(("mafioso", target) for target in shots), ("medic", save), ("vigilante", bullet), ("cop", check)]
        possible = all(target in alive and left[role] for role, target in acts if target)
        if not possible or (out and out not in by_day):
            return None
        row: dict[str, Any] = {
            **{"night": at + 1, "alive": len(alive), "mafiosi_alive": left["mafioso"], "medic_alive": left["medic"]},
            **{"shots": len(shots), "targets": len({*shots}), "saved": len(saved)},
            "vigilante": _side(game, bullet) if loaded and left["vigilante"] else "unable",
            "mafioso_found": _side(game, check) == "mafioso" if check else None,
        }
        if at < len(game.voted_out):
            mafiosi = sum(game.roles[person] == "mafioso" for person in by_day)
            row["vote"] = (at + 1, len(by_day), mafiosi, _side(game, out))
        rows.append(row)
        loaded, alive = loaded and bullet is None, by_day - {out}
    town_wins = "mafioso" not in {game.roles[person] for person in alive}
    return rows if town_wins == (game.winner == "Town") else None


def _side(game: Game, person: str | None) -> str:
    """What a person is: a mafioso, a townsman, or nobody."""
    return "nobody" if person is None else "mafioso" if game.roles[person] == "mafioso" else "townsman"


def _first_victims(game: Game) -> Iterator[tuple[str, int]]:
    """The role of each person that the mafia shot at in the first night, and whether the medic saved them."""
    save = game.saves[0] if game.saves else None
    for person, shots in Counter(game.shots[0] if game.shots else ()).items():
        yield game.roles[person], int(person == save and shots == 1)


def counts(games: Sequence[Game]) -> dict[str, pd.DataFrame]:
    """The tables of counts, as in `data/observed`."""
    nights = [row for game in games if game.year >= FIRST_YEAR_BY_NIGHT for row in replay(game) or ()]
    people, does = ["night", "alive", "mafiosi_alive"], ["shots", "targets", "medic_alive", "saved", "vigilante"]
    checks = [row | {"mafioso_found": int(row["mafioso_found"])} for row in nights if row["mafioso_found"] is not None]
    votes = [row["vote"] for row in nights if "vote" in row]
    return {
        "outcomes": counted([(game.year, game.winner) for game in games], ["year", "winner"]),
        "votes": counted(votes, ["day", "alive", "mafiosi_alive", "voted_out"], "votes"),
        "nights": counted([row for row in nights if row["shots"]], [*people, *does]),
        "checks": counted(checks, [*people, "mafioso_found"], "checks"),
        "first_victims": counted([row for one in games for row in _first_victims(one)], ["role", "saved"], "victims"),
    }
