"""Made-up clubs: people of different strength, of whom the strong ones like a role."""

import numpy as np
import pandas as pd
from scipy import special

from gamebalance.fairness import read_games


def club(seed, people=8, games=200, spread=0.8, liking=1.0, wolves=1, players=2, effect=0.0):
    """A row for each player of each game between wolves and a village.

    Parameters
    ----------
    spread : float
        Standard deviation of strengths.
    liking : float
        How much more those who are one `spread` stronger like to be wolves, in log odds.
    effect : float
        How much stronger wolves are for being wolves.

    Returns
    -------
    DataFrame, and the strengths by name
    """
    random = np.random.default_rng(seed)
    standard = random.normal(size=people)
    there = random.random((games, people)).argsort(axis=1)[:, :players]
    wish = liking * standard[there] + random.gumbel(size=there.shape)
    there = np.take_along_axis(there, (-wish).argsort(axis=1), axis=1)
    strength = spread * standard[there]
    ahead = effect + strength[:, :wolves].mean(axis=1) - strength[:, wolves:].mean(axis=1)
    howled = random.random(games) < special.expit(ahead)
    is_wolf = np.tile(np.arange(players) < wolves, games)
    frame = pd.DataFrame({"game": np.repeat(np.arange(games), players), "side": np.where(is_wolf, "wolves", "village")})
    frame["seat"] = (random.random((games, players)).argsort(axis=1) + 1).ravel()
    frame["player"] = [f"person {place}" for place in there.ravel()]
    frame["won"] = (np.repeat(howled, players) == is_wolf).astype(int)
    return frame, dict(zip((f"person {place}" for place in range(people)), spread * standard, strict=True))


def free_for_all(seed, people=6, games=60, players=3, spread=0.8, liking=1.0, effect=0.0):
    """A row for each player of each game of which one player wins; the strong ones like the first seat."""
    random = np.random.default_rng(seed)
    standard = random.normal(size=people)
    there = random.random((games, people)).argsort(axis=1)[:, :players]
    wish = liking * standard[there] + random.gumbel(size=there.shape)
    there = np.take_along_axis(there, (-wish).argsort(axis=1), axis=1)
    height = spread * standard[there] + effect * (np.arange(players) == 0) + random.gumbel(size=there.shape)
    won = height == height.max(axis=1, keepdims=True)
    game, seat = np.divmod(np.arange(games * players), players)
    names = [f"person {place}" for place in there.ravel()]
    return pd.DataFrame({"game": game, "seat": seat + 1, "player": names, "won": won.ravel().astype(int)})


def games_of(*line_ups, winners=None):
    """Games from texts such as "wolf Ann, village Ben": the first of each game wins, or the one that is named."""
    rows = []
    for game, line_up in enumerate(line_ups):
        for place, member in enumerate(line_up.split(", ")):
            rows.append((game, *member.split(), int(place == (winners or {}).get(game, 0))))
    return read_games(pd.DataFrame(rows, columns=["game", "role", "player", "won"]))
