"""What people do at recorded tables of Avalon: who wins, what a role is worth, teams, shots, and what a vote tells.

`outcomes`, `teams`, `cards`, `shots` and `votes` are the tables ``data/observed/avalon_*.csv``, or rows of them.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from scipy import stats

from chapters.ten_at_the_table_counts import Measured, measured, share
from gamebalance.base.rounding import meant
from gamebalance.fairness.games import Games
from gamebalance.games.avalon.playing import evil_in_team
from gamebalance.games.avalon.rules import BOARDS, MERLIN, MISSED, SHOT, SIDES, SUCCESSES, TO_WIN, Board


def jackknife(rows: pd.DataFrame, statistic: Callable[[pd.DataFrame], float], against: float | None = None) -> Measured:
    """A number counted from games, with the error that the differences between batches of people make.

    No person is in two batches; one at a time is left out. Interval and p-value are those of Student's t with one
    degree of freedom less than batches; ten batches tell an error within a quarter of itself or so.
    """
    batches, estimate = sorted(rows["batch"].unique()), statistic(rows)
    without = np.array([statistic(rows[rows["batch"] != batch]) for batch in batches])
    freedom = len(batches) - 1
    error = float(np.sqrt(freedom / len(batches) * np.square(without - without.mean()).sum()))
    error = error if error > 1e-15 else 0.0  # what rounding leaves of no difference
    reach = stats.t.ppf(0.975, freedom) * error
    p_value = np.nan if against is None or not error else 2 * stats.t.sf(abs(estimate - against) / error, freedom)
    return measured(estimate, error, estimate - reach, estimate + reach, p_value)


# --- who wins ---


def has(rows: pd.DataFrame, role: str) -> pd.Series:
    """Whether each row is of tables with a special role."""
    return rows["special_roles"].str.contains(role, regex=False)


def good_wins(outcomes: pd.DataFrame, even: float | None = None) -> Measured:
    """Good's share of wins, tested against `even`."""
    return _share(outcomes, outcomes["winner"] == "good", even)


def three_successes(outcomes: pd.DataFrame) -> Measured:
    """The share of games in which good has three missions succeed, before a shot."""
    return _share(outcomes, outcomes["how"].isin((SUCCESSES, MISSED, SHOT)))


def _share(outcomes: pd.DataFrame, hit: pd.Series, even: float | None = None) -> Measured:
    """The share of games that hit, with the binomial error or, where it is larger, that of the jackknife."""
    rows = outcomes.assign(hit=outcomes["games"].where(hit, 0))
    errors = [share(int(rows["hit"].sum()), int(rows["games"].sum()), even)]
    if rows["batch"].nunique() > 1:
        errors.append(jackknife(rows, lambda part: float(part["hit"].sum() / part["games"].sum()), even))
    return max(errors, key=lambda one: one.error)


def by_players(outcomes: pd.DataFrame) -> pd.DataFrame:
    """Good's share by the number of players: `games`, and the columns of `Measured` but the p-value."""
    rows = {
        players: {"games": int(group["games"].sum())} | good_wins(group)._asdict()
        for players, group in outcomes.groupby("players")
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("players").drop(columns="p_value")


def as_games(outcomes: pd.DataFrame) -> Games:
    """The games by side, as `fairness.judge` takes them."""
    won = outcomes.groupby("winner")["games"].sum()
    return Games.from_counts({side: (int(won.get(side, 0)), int(won.sum())) for side in SIDES})


# --- what a role is worth ---


def worth(outcomes: pd.DataFrame, role: str, matched: bool = True) -> Measured:
    """How much more often good wins with a role at the table than without.

    `matched` compares tables of as many players with the same other roles, and weighs these comparisons by n1 n0 / (n1
    + n0), n1 games with the role and n0 without (Mantel and Haenszel's risk difference); or else all tables with the
    role are compared with all without. People chose the roles: what differs between those who play with it and those
    who do not is in this number, too.
    """
    return jackknife(_strata(outcomes, role, matched), _difference, 0)


def compared(outcomes: pd.DataFrame, role: str) -> tuple[int, int]:
    """Games with a role, and without it, that have their like on the other side: those that `worth` matches."""
    games = _played(_strata(outcomes, role, matched=True))["games"]
    return int(games[True].sum()), int(games[False].sum())


def _strata(outcomes: pd.DataFrame, role: str, matched: bool) -> pd.DataFrame:
    """The rows with whether they have the role, games that good won, and what has to be alike."""
    good = outcomes["games"].where(outcomes["winner"] == "good", 0)
    rows = outcomes.assign(with_role=has(outcomes, role), good=good, others="", size=0)
    if not matched:
        return rows
    others = rows["special_roles"].str.split("+").map(lambda roles: "+".join(one for one in roles if one != role))
    return rows.assign(others=others.replace("", "none"), size=rows["players"])


def _played(rows: pd.DataFrame) -> pd.DataFrame:
    """Games, and those that good won, with the role and without, of the strata that have both."""
    sums = rows[rows["games"] > 0].groupby(["size", "others", "with_role"])[["good", "games"]].sum()
    sums = sums.unstack(fill_value=0)
    return sums[(sums["games"] > 0).all(axis=1)]


def _difference(rows: pd.DataFrame) -> float:
    """Mantel and Haenszel's risk difference over the strata."""
    sums = _played(rows)
    played, good = sums["games"], sums["good"]
    weights = played[True] * played[False] / (played[True] + played[False])
    return float((weights * (good[True] / played[True] - good[False] / played[False])).sum() / weights.sum())


# --- teams, cards and shots ---


def clean_teams(teams: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """How often the team that goes holds nobody evil, and how often a random one would, by groups."""
    chance = [
        float(evil_in_team(BOARDS[players], mission - 1).get(0, 0))
        for players, mission in zip(teams["players"], teams["mission"], strict=True)
    ]
    return _beside_chance(teams.assign(hit=teams["evil_in_team"] == 0, chance=chance), "teams", by)


def shots_that_hit(shots: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """How often the assassin hits Merlin, and how often a shot at any good player would, by groups."""
    chance = 1 / (shots["players"] - shots["evil_players"])
    rows = shots.assign(hit=shots["shot"] == MERLIN, chance=chance, shots=shots["games"])
    return _beside_chance(rows, "shots", by)


def _beside_chance(rows: pd.DataFrame, of: str, by: Sequence[str]) -> pd.DataFrame:
    """The share of the counts in column `of` that `hit`, by groups (`all` of none), and the mean `chance` of it."""
    rows = rows.assign(hit=rows[of].where(rows["hit"], 0), expected=rows[of] * rows["chance"])
    sums = rows.groupby(list(by) or (lambda _: "all"))[[of, "hit", "expected"]].sum()
    shares = [share(*pair)._asdict() for pair in zip(sums["hit"], sums[of], strict=True)]
    table = pd.concat([sums[of], pd.DataFrame(shares, sums.index).drop(columns="p_value")], axis=1)
    return table.assign(chance=meant((sums["expected"] / sums[of]).tolist()))


def three_by_score(cards: pd.DataFrame, teams: str = "records", fails: str = "records") -> float:
    """How often three missions succeed if what teams go and what evil plays on them hangs on the score alone.

    Of one number of players, without the games that end by five rejections. How much evil is in a team is as recorded
    at this score, or as in a random team, which is also taken at a score that was never recorded; a mission with so
    much evil fails as often as recorded at this score, or wherever evil can, which is also taken where nothing was.
    """
    board = BOARDS[int(cards["players"].iloc[0])]
    needed = (cards["succeeded"] + cards["failed"]).map(dict(enumerate(board.fails_needed)))
    rows = cards.assign(lost=cards["teams"].where(cards["fails"] >= needed, 0))
    sums = rows.groupby(["succeeded", "failed", "evil_in_team"])[["teams", "lost"]].sum()
    seen: dict[tuple[int, int], dict[int, list[int]]] = defaultdict(dict)
    for (won, lost, evil), counts in zip(sums.index, sums.values.tolist(), strict=True):
        seen[won, lost][evil] = counts

    def chance(won: int, lost: int) -> float:
        if TO_WIN in (won, lost):
            return float(won == TO_WIN)
        failing = _fails(board, won + lost, seen[won, lost], teams, fails)
        return failing * chance(won, lost + 1) + (1 - failing) * chance(won + 1, lost)

    return meant(chance(0, 0))


def _fails(board: Board, mission: int, seen: dict[int, list[int]], teams: str, fails: str) -> float:
    """The chance that a mission fails, by teams that were seen and those of them that lost, by the evil in them."""
    total, of_all = 0.0, sum(met for met, _ in seen.values())
    for evil, chance in evil_in_team(board, mission).items():
        met, lost = seen.get(evil, (0, 0))
        part = met / of_all if teams == "records" and of_all else float(chance)
        total += part * (lost / met if fails == "records" and met else float(evil >= board.fails_needed[mission]))
    return total


# --- votes ---


def information(votes: pd.DataFrame, of: str = "evil_in_team", given: Sequence[str] = ("players",)) -> Measured:
    """The mutual information of a vote and what it may tell, in bits: `evil_in_team`, or `evil_voter`.

    The mean over groups of what is known besides, weighed by their votes. Counts show a little information where there
    is none: 1 / (2 N ln 2) bits for each group on average, with N votes in all. This is taken off (Miller 1955) for
    each group in which both what the vote tells of and the vote vary, so that an estimate may be below 0. It is so for
    independent votes; those of one table go together, and leave a little more.
    """
    rows = votes.assign(evil_voter=(votes["voter"] == "evil").astype(int), everywhere=0)
    return jackknife(rows, lambda part: _information(part, of, ["everywhere", *given]))


def _information(rows: pd.DataFrame, of: str, given: list[str]) -> float:
    """The mean mutual information of `approved` and a column, less what chance makes."""
    sums = rows.groupby([*given, of, "approved"])["votes"].sum().unstack([of, "approved"], fill_value=0)
    cells = np.array([[sums.get((what, vote), 0 * sums.iloc[:, 0]) for vote in (0, 1)] for what in (0, 1)], float)
    total, both = cells.sum(), cells.sum((0, 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        expected = cells.sum(0, keepdims=True) * cells.sum(1, keepdims=True) / both
        parts = np.where(cells > 0, cells * np.log2(cells / expected), 0)
    varies = (cells.sum(0).min(0) > 0) & (cells.sum(1).min(0) > 0)
    return float(parts.sum() / total - varies.sum() / (2 * total * np.log(2)))
