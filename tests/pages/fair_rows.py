"""Results row by row for the tests of the page: random games of many kinds, and the library's verdict on them."""

import numpy as np
import pandas as pd

from gamebalance.fairness import Games, judge, read_games
from gamebalance.fairness.checking import KINDS
from gamebalance.fairness.verdicts import Verdict

ROLES = {"mafia": ("mafia", 2), "sheriff": ("town", 1), "villager": ("town", 3)}
TRIAD = {"wolf": ("wolves", 2), "witch": ("alone", 1), "farmer": ("village", 3)}


def sided(random: np.random.Generator, games: int, roles: dict = ROLES) -> pd.DataFrame:
    """Games that a side of several roles wins, some without one of the roles; with or without the column of sides."""
    sides = sorted({side for side, _ in roles.values()})
    chances, draws, absent = random.dirichlet(np.full(len(sides), 15)), random.random() < 0.3, random.random() < 0.4
    rows = []
    for game in range(games):
        winner = "" if draws and random.random() < 0.1 else random.choice(sides, p=chances)
        left_out = random.choice([*roles]) if absent and random.random() < 0.3 else ""
        players = random.permutation(30)
        left_out = "" if len({side for role, (side, _) in roles.items() if role != left_out}) < 2 else left_out
        members = [(role, side) for role, (side, count) in roles.items() for _ in range(count) if role != left_out]
        rows += [
            {"game": game, "role": role, "side": side, "player": f"p{player}", "won": float(side == winner)}
            for (role, side), player in zip(members, players, strict=False)
        ]
    frame = pd.DataFrame(rows)
    return frame if random.random() < 0.5 else frame.drop(columns="side")


def alone(random: np.random.Generator, games: int) -> pd.DataFrame:
    """Games of three to six players who win alone, or share a win, or draw; their numbers vary or not."""
    most, vary, shared = int(random.integers(2, 7)), random.random() < 0.6, random.random() < 0.3
    draws, people = random.random() < 0.3, int(random.choice([8, 20, 100]))
    strength, seats, rows = np.exp(random.normal(0, 0.3, people)), np.exp(random.normal(0, 0.15, most)), []
    for game in range(games):
        count = int(random.integers(2, most + 1)) if vary else most
        players = random.permutation(people)[:count]
        chance = strength[players] * seats[:count]
        won = np.zeros(count)
        won[random.choice(count, p=chance / chance.sum())] = 1
        if shared and random.random() < 0.2:
            won[random.permutation(count)[:2]] = won.max()
            won = won / won.sum()
        if draws and random.random() < 0.1:
            won = np.full(count, random.choice([0, 1 / count]))
        rows += [
            {"game": game, "seat": seat + 1, "player": f"p{player}", "won": share}
            for seat, (player, share) in enumerate(zip(players, won, strict=True))
        ]
    return pd.DataFrame(rows)


def partners(random: np.random.Generator, games: int) -> pd.DataFrame:
    """Two pairs or teams at a table, who win together, with drawn games."""
    size, people, column = int(random.integers(1, 4)), 16, random.random() < 0.5
    rows = []
    for game in range(games):
        players, winner = (
            random.permutation(people)[: 2 * size],
            random.choice(["north", "east", ""], p=[0.6, 0.3, 0.1]),
        )
        rows += [
            {"game": game, "side": side, "seat": seat, "player": f"p{players[seat]}", "won": float(side == winner)}
            for seat in range(2 * size)
            for side in ("north" if seat % 2 else "east",)
        ]
    frame = pd.DataFrame(rows)
    return frame if column else frame.drop(columns="side")


def random_games(count: int) -> list[tuple[Games, dict, Verdict]]:
    """So many results of games that can be judged, how they are asked for, and the verdict."""
    random, found = np.random.default_rng(20261123), []
    while len(found) < count:
        games = int(10 ** random.uniform(0.5, 2.7 if random.random() < 0.15 else 1.9))
        make = [alone, partners, sided, lambda random, games: sided(random, games, TRIAD)][random.integers(4)]
        settings = {
            "margin": float(random.choice([0.05, 0.1, 0.2, 0.3])),
            "level": float(random.choice([0.9, 0.95, 0.99])),
        }
        try:
            rows = read_games(make(random, games), draws=True)
            settings["by"] = str(random.choice([*rows.kinds, rows.kinds[0]]))
            settings["looked_after"] = (rows.count // 2,) if random.random() < 0.3 else ()
            found.append((rows, settings, judge(rows, **settings)))
        except ValueError:
            continue
    return found


def given(games: Games, by: str, margin: float = 0.05, level: float = 0.95, looked_after: tuple[int, ...] = ()) -> dict:
    """What the page's `judge` takes."""
    settings = {"by": by, "margin": margin, "level": level, "looks": None, "lookedAfter": looked_after}
    return settings | {"rows": columns(games)}


def columns(games: Games) -> dict:
    """The rows as the page takes them."""
    rows = games.rows
    found = {"game": rows["game"].tolist(), "won": rows["won"].tolist()}
    for kind in KINDS:
        if kind in rows:
            codes, labels = pd.factorize(rows[kind])
            found[kind] = {"codes": codes.tolist(), "labels": labels.tolist()}
    return found
