"""What the tests of the page ask of it and of the library: random tables of wins, their verdicts, and refusals."""

import re

import numpy as np

from gamebalance.fairness import Games, games_needed, judge, power
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
