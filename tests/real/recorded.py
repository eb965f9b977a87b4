"""The smaller of the recorded tables of sport and forum Mafia, as they were counted."""

import pandas as pd

#: Of the tables that a side won, in how many each seat (1 to 10) held the role.
SEATS = {
    ("town", "citizen"): (672, 718, 668, 696, 688, 683, 665, 700, 692, 688),
    ("town", "sheriff"): (125, 109, 118, 124, 107, 121, 118, 108, 111, 104),
    ("town", "mafioso"): (231, 207, 249, 219, 223, 231, 242, 233, 224, 231),
    ("town", "don"): (117, 111, 110, 106, 127, 110, 120, 104, 118, 122),
    ("mafia", "citizen"): (831, 818, 841, 812, 854, 792, 808, 837, 849, 838),
    ("mafia", "sheriff"): (132, 149, 135, 133, 120, 169, 151, 135, 133, 123),
    ("mafia", "mafioso"): (281, 280, 251, 288, 263, 279, 282, 288, 278, 270),
    ("mafia", "don"): (136, 133, 153, 147, 143, 140, 139, 120, 120, 149),
}
#: By season: tables that the town won, and the mafia.
SEASONS = {
    2: (67, 95),
    3: (43, 63),
    4: (57, 73),
    5: (109, 110),
    6: (129, 144),
    7: (89, 100),
    8: (76, 79),
    9: (56, 75),
    10: (57, 76),
    11: (56, 59),
    12: (73, 97),
    13: (63, 77),
    14: (101, 118),
    15: (91, 93),
    16: (78, 121),
}
#: By role of the first victim: tables that the town won, and the mafia.
FIRST_KILLED = {"citizen": (863, 967), "sheriff": (85, 248), "mafioso": (3, 5), "don": (3, 5)}
#: By role of the first victim and mafiosi among the three named: tables that the town won, and the mafia.
NAMED = {
    "citizen": {0: (159, 202), 1: (420, 487), 2: (232, 239), 3: (27, 12)},
    "sheriff": {0: (4, 27), 1: (32, 111), 2: (38, 79), 3: (4, 12)},
    "mafioso": {0: (2, 3), 1: (0, 1)},
    "don": {0: (1, 4), 1: (1, 0)},
}
#: By year: games of forum Mafia that the town won, and the mafia.
YEARS = {2017: (45, 55), 2018: (44, 48), 2019: (48, 42)}


def seats() -> pd.DataFrame:
    rows = [(seat, role, side, games) for (side, role), row in SEATS.items() for seat, games in enumerate(row, 1)]
    return pd.DataFrame(rows, columns=["seat", "role", "winner", "games"])


def seasons() -> pd.DataFrame:
    return _by_winner(SEASONS, "season")


def first_killed() -> pd.DataFrame:
    return _by_winner(FIRST_KILLED, "role")


def named() -> pd.DataFrame:
    frames = [_by_winner(rows, "mafiosi_named").assign(named_by=role) for role, rows in NAMED.items()]
    return pd.concat(frames, ignore_index=True)


def years() -> pd.DataFrame:
    """With the one game of 2019 whose winner is called Team."""
    rows = _by_winner(YEARS, "year").assign(winner=lambda frame: frame["winner"].str.capitalize())
    return pd.concat([rows, pd.DataFrame({"year": [2019], "winner": ["Team"], "games": [1]})], ignore_index=True)


def _by_winner(counts: dict, name: str) -> pd.DataFrame:
    rows = [
        (key, side, games) for key, pair in counts.items() for side, games in zip(("town", "mafia"), pair, strict=True)
    ]
    return pd.DataFrame(rows, columns=[name, "winner", "games"])
