"""Made-up records in the form of the public ones; nobody in them ever played."""

import json
from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path

#: Ten seats: who has which role, in the words of the sheets of either layout.
ROLES = "citizen mafioso citizen sheriff don citizen citizen mafioso citizen citizen".split()
RUSSIAN = {"citizen": "Мирный", "mafioso": "Мафия", "don": "Дон", "sheriff": "Шериф"}
UKRAINIAN = {"citizen": "Мирний", "mafioso": "Мафія", "don": "Дон", "sheriff": "Шериф"}
PEOPLE = tuple("abcdefghij")


def early_sheet(
    winner: str = "Город", first: object = 4, named: Sequence = (2, 5, 8), people: Sequence[object] = PEOPLE
) -> list[dict]:
    """A table as in the seasons up to 16: an empty row, and ten with the result beside the seats."""
    seats = enumerate(zip(people, ROLES, strict=True), 1)
    rows = [{"A": seat, **dict.fromkeys("BCDE", ""), "G": who, "H": RUSSIAN[role]} for seat, (who, role) in seats]
    rows[0] |= {"B": "Победа", "C": winner}
    rows[1] |= {"B": "ПУ", "C": first}
    rows[2] |= {"B": "J", **dict(zip("CDE", named, strict=True))}
    return [dict.fromkeys("ABCDEGH", ""), *rows]


def late_sheet(
    winner: str = "Мафія", first: object = 1, named: Sequence = (2, 3, 4), people: Sequence[object] = PEOPLE
) -> list[dict]:
    """A table as in the seasons from 17 on: two rows of names, ten seats, the first victim, the winner."""
    empty = dict.fromkeys("ABCDEFJ", "")
    seats = enumerate(zip(people, ROLES, strict=True), 1)
    return [
        empty | {"A": "Дата", "J": winner},
        empty | {"A": "№", "B": "Гравець", "C": "Роль"},
        *(empty | {"A": seat, "B": who, "C": UKRAINIAN[role]} for seat, (who, role) in seats),
        empty | {"A": "ПУ", "B": first, **dict(zip("DEF", named, strict=True))},
        empty | {"A": "Перемога:", "C": winner},
    ]


def forum_game(**changes: object) -> dict:
    """A game of three nights: one victim is saved, one dies in spite of it, the vigilante hits a mafioso."""
    return {
        "id": "02/30/2018 G1",
        "mafia": ["m1", "m2", "m3"],
        "cop": "cop",
        "medic": "medic",
        "vigilante": "vigilante",
        "vanilla_town": [f"t{number}" for number in range(1, 10)],
        "kill": [["t1", "cop"], ["t2", "t2"], ["medic"]],
        "save": ["cop", "t2", "t5"],
        "shot": ["NONE", "m2"],
        "check": ["m1", "t3", "m3"],
        "lynched": ["NONE", "m1", "m3"],
        "f3_win": [],
        "f3_loss": [],
        "winner": "Town",
    } | changes


# --- Avalon ---

NAME = "2020-01-02T03:04:05.678Z_ABC"
SIZES = {5: (2, 3, 2, 3, 3), 7: (2, 3, 3, 4, 4)}
FIVE = ("MERLIN", "PERCIVAL", "LOYAL FOLLOWER", "MORGANA", "EVIL MINION")
#: Teams with who approved them, the last one that goes, and who played a fail: good passes missions 1, 3 and 4.
PASSED = (
    ([("ab", "abc")], ""),
    ([("bcd", "bd"), ("cde", "cde")], "d"),
    ([("ac", "abcd")], ""),
    ([("abc", "abcde")], ""),
)
FAILED = (([("de", "abcde")], "de"), ([("abd", "abd")], "d"), ([("ae", "ace")], "e"))
REJECTED = (([("ab", "abcde")], ""), ([("abc", "ab")] * 5, None))
VOTED = ("REJECTED", "APPROVED")


def avalon_game(
    missions: Sequence = PASSED, roles: Sequence[str] = FIVE, shot: str | None = "b", persons: str = ""
) -> dict:
    """A record: players a, b, c, … propose in turn from a on, and the last of them is the assassin."""
    people = "abcdefghij"[: len(roles)]
    proposers = iter(people * 9)
    entries, cards, failed = [], [], 0
    for at, size in enumerate(SIZES[len(people)]):
        proposals, fails = missions[at] if at < len(missions) else ([], None)
        required = 2 if at == 3 and len(people) >= 7 else 1
        proposed = [
            {
                "proposer": next(proposers),
                "team": [*team],
                "votes": [*votes],
                "state": VOTED[2 * len(votes) > len(people)],
            }
            for team, votes in proposals
        ]
        entry = {"teamSize": size, "failsRequired": required, "team": [], "proposals": proposed, "state": "PENDING"}
        if fails is not None:
            lost = len(fails) >= required
            failed += lost
            team = proposals[-1][0]
            entry |= {"team": [*team][::-1], "numFails": len(fails), "state": "FAIL" if lost else "SUCCESS"}
            cards.append({who: who not in fails for who in team})
        entries.append(entry)
    rejected, hit = missions[-1][1] is None, shot is not None and roles[people.index(shot)] == "MERLIN"
    good = not rejected and failed < 3
    message = "Five team proposals in a row rejected" if rejected else "Three failed missions"
    if good:
        message = "Merlin assassinated" if hit else "Three successful missions" if shot else "Three missions succeeded"
    dealt = zip(people, roles, strict=True)
    return {
        "players": [{"name": who, "uid": uid} for who, uid in zip(people, persons or people, strict=True)],
        "missions": entries,
        "outcome": {
            "message": message,
            "state": "GOOD_WIN" if good and not hit else "EVIL_WIN",
            "votes": cards,
            "roles": [{"name": who, "role": role, "assassin": who == people[-1]} for who, role in dealt][::-1],
            "assassinated": shot if good else None,
        },
    }


def write(folder: Path, records: dict[str, object]) -> None:
    """Put records into files of a folder."""
    for name, record in records.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(json.dumps(record), encoding="utf-8")


def put(record, path, value):
    """A copy of the record with something else in a place."""
    if not path:
        return value
    record = at = deepcopy(record)
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return record
