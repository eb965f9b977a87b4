"""Missions and shots at recorded tables of Avalon, beside chance; and what teams and cards each do for good."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from chapters.real.counts import share, table
from gamebalance.base.checks import listed, one_of
from gamebalance.base.rounding import meant
from gamebalance.games.avalon.exact import evil_in_team
from gamebalance.games.avalon.rules import BOARDS, MERLIN, Board

if TYPE_CHECKING:
    import pandas

#: Where the chain of missions takes something from: chance, or the records.
FROM = ("chance", "records")


def clean_teams(teams: "pandas.DataFrame", by: Collection[str] = ("players", "mission"), level: float = 0.95):
    """How often the team that goes holds nobody evil, and how often a random one would.

    Parameters
    ----------
    teams : DataFrame
        Columns `players`, `mission`, `evil_in_team` and `teams`.
    by : collection of str
        Groups; one of all for an empty one.
    level : float

    Returns
    -------
    DataFrame
        `teams`, the columns of `Measured` but the p-value (binomial errors), and `chance`, the mean over the teams.
    """
    columns = {"players": BOARDS, "mission": range(1, 6), "evil_in_team": range(5)}
    rows = table("teams", teams, "teams", dict.fromkeys(listed("by", by)) | columns)
    chance = [
        float(evil_in_team(BOARDS[players], mission - 1).get(0, 0))
        for players, mission in zip(rows["players"], rows["mission"], strict=True)
    ]
    hit = rows["teams"].where(rows["evil_in_team"] == 0, 0)
    return _beside_chance(rows.assign(hit=hit, chance=chance), "teams", by, level)


def _beside_chance(rows: "pandas.DataFrame", of: str, by: Collection[str], level: float) -> "pandas.DataFrame":
    """The share of the counts in column `of` that `hit`, by groups, and the mean `chance` that they would."""
    import pandas as pd

    rows = rows.assign(expected=rows[of] * rows["chance"])
    sums = rows.groupby(list(by) or (lambda _: "all"))[[of, "hit", "expected"]].sum()
    shares = [share(*pair, level=level)._asdict() for pair in zip(sums["hit"], sums[of], strict=True)]
    found = pd.concat([sums[of], pd.DataFrame(shares, sums.index).drop(columns="p_value")], axis=1)
    return found.assign(chance=meant((sums["expected"] / sums[of]).tolist()))


def three_successes(cards: "pandas.DataFrame", teams: str = "records", fails: str = "records") -> float:
    """How often three missions succeed if what teams go and what evil plays on them hangs on the score alone.

    Parameters
    ----------
    cards : DataFrame
        Rows of one number of players: columns `players`, `succeeded`, `failed`, `evil_in_team`, `fails`, `teams`.
    teams : {"records", "chance"}
        How much evil is in a team: as often as recorded at this score, or as in a random team, which is also taken at
        a score that was never recorded.
    fails : {"records", "chance"}
        Whether a mission with so much evil fails: as often as recorded at this score, or wherever evil can ("chance":
        the evil players of random play always fail). What was never recorded fails where evil can.

    Returns
    -------
    float
        The chance, without the games that end by five rejections.

    Raises
    ------
    ValueError
        If the rows are of several numbers of players, or have more evil members or fails than there can be.
    """
    one_of("teams", teams, FROM)
    one_of("fails", fails, FROM)
    columns = {"succeeded": range(3), "failed": range(3), "evil_in_team": range(5), "fails": range(5)}
    rows = table("cards", cards, "teams", {"players": BOARDS} | columns)
    rows = rows[rows["teams"] > 0]
    if rows["players"].nunique() != 1:
        raise ValueError(f"cards.players = {sorted(set(rows['players']))}: one number of players is needed")
    board = BOARDS[int(rows["players"].iloc[0])]
    for column, most in (("evil_in_team", board.evil), ("fails", rows["evil_in_team"])):
        wrong = rows.loc[rows[column] > most, column]
        if len(wrong):
            raise ValueError(f"cards.{column} = {wrong.iloc[0]}: no more evil than there is can be in a team, or fail")
    failed = rows["fails"] >= rows["succeeded"].add(rows["failed"]).map(dict(enumerate(board.fails_needed)))
    rows = rows.assign(lost=rows["teams"].where(failed, 0))
    by_score = {score: group for score, group in rows.groupby(["succeeded", "failed"])}

    def chance(won: int, lost: int) -> float:
        if 3 in (won, lost):
            return float(won == 3)
        failing = _fails(board, (won, lost), by_score.get((won, lost)), teams, fails)
        return failing * chance(won, lost + 1) + (1 - failing) * chance(won + 1, lost)

    return meant(chance(0, 0))


def _fails(board: Board, score: tuple[int, int], rows, teams: str, fails: str) -> float:
    """The chance that a mission fails."""
    mission = sum(score)
    needed, total = board.fails_needed[mission], 0.0
    seen = None if rows is None else rows.groupby("evil_in_team")[["teams", "lost"]].sum()
    for evil, chance in evil_in_team(board, mission).items():
        met = 0 if seen is None or evil not in seen.index else int(seen.at[evil, "teams"])
        by_records = teams == "records" and seen is not None
        part = met / seen["teams"].sum() if by_records else float(chance)
        lost = float(evil >= needed)
        if fails == "records" and met:
            lost = seen.at[evil, "lost"] / met
        total += part * lost
    return float(total)


def shots(shot: "pandas.DataFrame", by: Collection[str], level: float = 0.95) -> "pandas.DataFrame":
    """How often the assassin hits Merlin, and how often a shot at any good player would.

    Parameters
    ----------
    shot : DataFrame
        Columns `players`, `evil_players`, `missions_played`, `shot` (the role of the victim) and `games`.
    by : collection of str
        Groups; one of all for an empty one.
    level : float

    Returns
    -------
    DataFrame
        `shots`, the columns of `Measured` but the p-value (binomial errors), and `chance`.
    """
    columns = {"players": BOARDS, "evil_players": range(2, 5), "missions_played": range(3, 6), "shot": None}
    rows = table("shot", shot, "games", dict.fromkeys(listed("by", by)) | columns)
    hit, chance = rows["games"].where(rows["shot"] == MERLIN, 0), 1 / (rows["players"] - rows["evil_players"])
    return _beside_chance(rows.assign(hit=hit, chance=chance), "games", by, level).rename(columns={"games": "shots"})
