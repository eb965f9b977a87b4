"""A made-up club, some of whose people are strong and like to be wolves; and the offline page that judges results."""

import numpy as np
import pandas as pd

from chapters.pages import document
from gamebalance.fairness.tables import words

#: Strength of each of the ten on the log scale of Luce's choice model; the stronger, the more they like to be wolves.
STRENGTHS = {"Ada": 1.6, "Ben": 1.1, "Cleo": 0.8, "Dan": 0.3, "Eve": 0.0, "Finn": 0.0, "Gus": -0.4, "Hana": -0.8}
STRENGTHS |= {"Iris": -1.1, "Jon": -1.5}
EVENINGS, GAMES_AN_EVENING, AT_TABLE = 40, 3, 8


def club_evenings(seed=7):
    """The club's page: a row for each player of each game.

    Eight of the ten come each evening and play three games, two of them wolves, one the seer, five villagers. The
    chance of the wolves is that of the mean strength of the wolves against the mean strength of the town.
    """
    random = np.random.default_rng(seed)
    names, strengths = np.array([*STRENGTHS]), np.array([*STRENGTHS.values()])
    rows = []
    for game in range(EVENINGS * GAMES_AN_EVENING):
        if game % GAMES_AN_EVENING == 0:
            table = np.argsort(random.random(len(names)))[:AT_TABLE]
        # The order of exponential times with these rates: drawn without replacement, the likelier the stronger.
        order = table[np.argsort(-np.log(random.random(AT_TABLE)) * np.exp(-strengths[table]))]
        ahead = strengths[order[:2]].mean() - strengths[order[2:]].mean()
        wolves_win = random.random() < 1 / (1 + np.exp(-ahead))
        seats = np.argsort(random.random(AT_TABLE)) + 1
        roles = ["wolf", "wolf", "seer", *["villager"] * (AT_TABLE - 3)]
        for person, seat, role in zip(order, seats, roles, strict=True):
            side = "wolves" if role == "wolf" else "town"
            rows.append((game + 1, names[person], seat, role, side, int((side == "wolves") == wolves_win)))
    return pd.DataFrame(rows, columns=["game", "player", "seat", "role", "side", "won"])


def page():
    """The page, below 200 kB: its numbers and its readings of files are those of `gamebalance.fairness`, made again."""
    return document("fair", words(), ascii_only=True)  # escaped, since none of these words is drawn
