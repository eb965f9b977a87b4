"""Judging results and counting games, beside statsmodels and pandas doing the part that they have."""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import statsmodels.api as sm
from statsmodels.stats.power import GofChisquarePower

from bench.timing import Comparison, call_seconds, in_turn
from gamebalance import fairness

#: Games of five players, two wolves and three of a village: a million rows.
GAMES, ROLES = 200_000, ("wolf", "wolf", "seer", "villager", "villager")
SEATS = (0.315, 0.242, 0.241, 0.202)


def comparisons(_peers: Path, rounds: int) -> Iterator[Comparison]:
    """All comparisons; none needs anything from elsewhere."""
    rows = _rows()
    games = fairness.read_games(rows)
    with tempfile.TemporaryDirectory() as folder:
        for form, frame in _forms(rows).items():
            file = Path(folder) / "results.csv"
            frame.to_csv(file, index=False)
            yield _against(
                f"read 10^6 rows, {form}, pandas: no checks",
                lambda file=file: pd.read_csv(file, low_memory=False),
                lambda file=file: fairness.read_games(file),
                rounds,
            )
    for by in ("role", "seat"):
        dummies = pd.get_dummies(rows[by]).to_numpy(float)
        model = sm.OLS(rows["won"].to_numpy(float), dummies)
        clusters = {"groups": rows["game"].to_numpy()}
        yield _against(
            f"judge 10^6 rows by {by}, statsmodels: means and errors alone",
            lambda model=model, clusters=clusters: model.fit(cov_type="cluster", cov_kwds=clusters).bse,
            lambda by=by: fairness.judge(fairness.Games(games.rows), by),
            rounds,
        )
    effect = float(np.sqrt(np.square(np.array(SEATS) * 4 - 1).mean()))
    formula = GofChisquarePower()
    yield _against(
        "games needed, four seats, statsmodels: the formula alone",
        lambda: formula.solve_power(effect, power=0.8, alpha=0.05, n_bins=4),
        lambda: fairness.games_needed(SEATS),
        rounds,
    )


def _against(what: str, theirs: Callable, ours: Callable, rounds: int) -> Comparison:
    """Both once before they are timed."""
    theirs(), ours()
    return in_turn(what, "call", (lambda: call_seconds(theirs), 1), (lambda: call_seconds(ours), 1), min(rounds, 3))


def _forms(rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """A million rows in each of several forms."""
    seats = np.array([f"P{person}" for person in range(40)]).reshape(4, 10)
    sitting = [np.random.default_rng(seat).choice(seats[seat], 10**6) for seat in range(4)]
    winner = np.random.default_rng(4).integers(0, 4, 10**6)
    by_name = pd.DataFrame({f"player{seat + 1}": names for seat, names in enumerate(sitting)})
    by_name["winner"] = np.choose(winner, sitting)
    return {
        "a row for each player": rows,
        "results in words": rows.assign(won=np.where(rows["won"], "win", "loss")),
        "scores": rows.assign(won=10 * rows["won"] + rows["seat"]).rename(columns={"won": "score"}),
        "winner by name": by_name,
        "the winner alone": by_name[["winner"]],
    }


def _rows() -> pd.DataFrame:
    random, size = np.random.default_rng(1), len(ROLES)
    rows = pd.DataFrame({"game": np.repeat(np.arange(GAMES), size), "role": np.tile(ROLES, GAMES)})
    rows["seat"] = random.permuted(np.tile(np.arange(1, size + 1), (GAMES, 1)), axis=1).ravel()
    rows["won"] = ((rows["role"] == "wolf") == np.repeat(random.random(GAMES) < 0.52, size)).astype(int)
    return rows
