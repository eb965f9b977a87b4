"""Made-up records in the form of the public ones; nobody in them ever played."""

from collections.abc import Sequence

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
