"""Random results, by row and as counts, with the library's verdicts on them, and what stands in the page's fields."""

import re

import numpy as np
import pandas as pd

from gamebalance.fairness import Games, games_needed, judge, power, read_games
from gamebalance.fairness.verdicts import Verdict

KINDS = ("role", "seat", "side", "player")
USUAL = {"by": "role", "draws": "", "margin": "5", "level": "95", "looks": "", "after": ""}


def typed(rows, **settings) -> dict:
    """What stands in the fields of the page, as texts; rows of (label, wins) or (label, wins, games)."""
    names = ("label", "wins", "games")
    cells = [dict(zip(names, [*map(str, row), ""], strict=False)) for row in rows]
    return USUAL | {"rows": cells} | {name: str(value) for name, value in settings.items()}


def read(text: str) -> int | float | str:
    """A number that was typed, or the text."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def library(state: dict) -> Verdict:
    """The library's verdict on what was typed."""
    draws = read(state["draws"] or "0")
    rows = [(row["label"], read(row["wins"]), row["games"]) for row in state["rows"]]
    total = None if any(games for *_, games in rows) else sum(won for _, won, _ in rows) + draws
    counts = {
        int(label) if label.isdecimal() else label: (won, read(games) if total is None else total)
        for label, won, games in rows
    }
    margin, level = float(state["margin"]) / 100, int(state["level"]) / 100
    looks, after = read(state["looks"]) or None, tuple(map(int, state["after"].split(",") if state["after"] else ()))
    return judge(Games.from_counts(counts, draws), state["by"], margin, level, looks, after)


def sentence(verdict: Verdict) -> str:
    """The verdict in the words of the page."""
    return verdict.said(lambda after: f"{', '.join(map(str, after))} under Looked after")


def random_state(random: np.random.Generator) -> dict:
    """A table of 2 to 10 rows, of one winner in each game or counted apart; some are as uneven as can be."""
    size, by = 2 if random.random() < 0.2 else int(random.integers(2, 11)), KINDS[random.integers(4)]
    labels = [str(k + 1) if by == "seat" else f"{by} {'abcdefghij'[k]}" for k in range(size)]
    settings = {
        "by": by,
        "margin": random.choice(["1", "2.5", "5", "10", "20"]),
        "level": random.choice(["90", "95", "99"]),
        "looks": random.choice(["", "", "1", "1", "3", "20"]),
    }
    games = int(10 ** random.uniform(0.5, 4))
    if random.random() < 0.3 and settings["looks"] != "1" and games > 9:
        settings["after"] = random.choice([f"{games // 3}", f"{games // 4}, {games // 2}"])
    if random.random() < 0.6:
        wins = random.multinomial(games, random.dirichlet(np.full(size, 10 ** random.uniform(-0.5, 3.5))))
        wins *= random.random() > 0.05  # else all of them were drawn
        draws = int(random.integers(1, games)) if random.random() < 0.3 or not wins.any() else 0
        played = [wins.sum() + draws] * size if random.random() < 0.3 else [""] * size
        return typed(zip(labels, wins, played, strict=True), draws=draws or "", **settings)
    played = random.integers(1, 9 if random.random() < 0.5 else games + 2, size)
    if random.random() < 0.2:
        played = (10 ** random.uniform(0, 5, size)).astype(int)
    chance = np.clip(random.random() + random.normal(0, random.choice([0, 0.02, 0.2]), size), 0, 1)
    wins = random.binomial(played, chance)
    if random.random() < 0.2:
        wins = played * np.sort(random.integers(0, 2, size) > random.integers(0, 2))
    elif random.random() < 0.15:
        wins = np.maximum(wins - 0.5, 0)
    return typed(zip(labels, wins, played, strict=True), **settings)


def random_states(count: int) -> list[tuple[dict, Verdict]]:
    """So many tables that have a verdict, with it."""
    random, found = np.random.default_rng(20261122), []
    while len(found) < count:
        state = random_state(random)
        try:
            found.append((state, library(state)))
        except ValueError as error:
            assert re.match(
                "games: two or more|looked_after = |margin = .* or every chance is within it", str(error)
            ), error
    return found


def outlook(verdict: Verdict, games: int) -> tuple[float | None, int | None]:
    """The formula's power with so many games, and its games for power 80%; None where no game has one winner."""
    if "table" in verdict.method or verdict.method.startswith("no test"):
        return None, None
    wins, risk = verdict.wins.to_numpy(), verdict.limit
    shares = wins / wins.sum()
    needed = None if np.ptp(shares) < 1e-9 else games_needed(shares, 0.8, risk, "formula")
    return power(shares, games, risk, "formula").value, needed


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


def random_games(count: int) -> list[tuple[Games, dict, Verdict]]:
    """So many results of games that can be judged, how they are asked for, and the verdict."""
    random, found = np.random.default_rng(20261123), []
    while len(found) < count:
        games = int(10 ** random.uniform(0.5, 2.7 if random.random() < 0.15 else 1.9))
        make = [alone, sided, lambda random, games: sided(random, games, TRIAD)][random.integers(3)]
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
    rows = {"game": games.rows["game"].tolist(), "won": games.rows["won"].tolist()}
    for kind in (kind for kind in KINDS if kind in games.rows):
        codes, labels = pd.factorize(games.rows[kind])
        rows[kind] = {"codes": codes.tolist(), "labels": labels.tolist()}
    return {"by": by, "margin": margin, "level": level, "looks": None, "lookedAfter": looked_after, "rows": rows}


#: The example that the page begins with.
SEATS = [("1", "204"), ("2", "157"), ("3", "156"), ("4", "131")]


def cell(page, row: int, column: int):
    """A field of the page's table: row and column from 0."""
    return page.locator("#rows tr.row").nth(row).locator("input").nth(column)


def verdict(page) -> str:
    return page.text_content("#verdict")


def rows(page) -> list[tuple[str, ...]]:
    typed = "rows => rows.map((row) => [...row.querySelectorAll('input')].map((field) => field.value))"
    return [tuple(row) for row in page.locator("#rows tr.row").evaluate_all(typed)]
