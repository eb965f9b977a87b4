"""The audit of what the source of Avalon's records prints: each number by a recount, and what is taken to hold."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from chapters.real import avalon_claims as claims
from gamebalance import publish
from gamebalance.games.avalon import BOARDS
from tests.real.test_avalon_outcomes import plain_worth
from tests.refusals import refuses

EARLY = claims.PERIOD
GAMES = ["period", "players", "special_roles", "winner", "how", "batch", "games"]
SHOTS = ["period", "players", "special_roles", "evil_players", "missions_played", "shot", "games"]
ROLES = ("none", "merlin", "merlin+percival", "merlin+percival+morgana", "merlin+percival+mordred", "merlin+oberon")
WINNER = {"merlin missed": "good", "three successes": "good", "merlin shot": "evil", "three fails": "evil"}


def made_up(seed: int = 6) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Counts with every number of players and of missions, and every role."""
    rng = np.random.default_rng(seed)
    games = [
        (period, players, roles, winner, how, batch, int(rng.integers(1, 20)))
        for period in (EARLY, "later")
        for players in BOARDS
        for roles in (*ROLES, "oberon", "mordred")
        for how, winner in WINNER.items()
        for batch in (0, 1, 2)
        if ("merlin" in roles) == how.startswith("merlin") or how == "three fails"
    ]
    shots = [
        (period, players, roles, BOARDS[players].evil, missions, shot, int(rng.integers(1, 20)))
        for period in (EARLY, "later")
        for players in BOARDS
        for roles in ROLES[1:]
        for missions in (3, 4, 5)
        for shot in ("merlin", "loyal", "percival", "minion")
        if shot != "percival" or "percival" in roles
    ]
    return pd.DataFrame(games, columns=GAMES), pd.DataFrame(shots, columns=SHOTS)


def recount(outcomes: pd.DataFrame, shots: pd.DataFrame) -> dict[str, float]:
    """Every claim's number from lists of rows."""
    games = [row for row in outcomes.to_dict("records") if row["period"] == EARLY]
    fired = [row for row in shots.to_dict("records") if row["period"] == EARLY]

    def number(rows, **what) -> int:
        return sum(row["games"] for row in rows if all(row[key] == value for key, value in what.items()))

    def percent(rows, **what) -> float:
        return 100 * number(rows, **what) / number(rows)

    with_him, without = ([row for row in games if ("merlin" in row["special_roles"]) == has] for has in (True, False))
    evil, hits = number(games, winner="evil"), number(games, how="merlin shot")
    by_players = {players: [row for row in fired if row["players"] == players] for players in BOARDS}
    by_missions = {after: [row for row in fired if row["missions_played"] == after] for after in (3, 5)}
    at = {"percival": 0.0, "loyal": 0.0}
    two = [row for row in fired if {"merlin", "percival"} <= set(row["special_roles"].split("+"))]
    for row in two:
        others = row["players"] - row["evil_players"] - 2
        at["percival"] += row["games"] * (row["shot"] == "percival")
        at["loyal"] += row["games"] * (row["shot"] == "loyal") / others
    listed = [tuple(row[key] for key in ("players", "special_roles", "winner", "games")) for row in games]
    words = {5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine"}
    return {
        "games": number(games),
        "wins of evil": evil,
        "evil's share of wins, %": percent(games, winner="evil"),
        "hits of Merlin": hits,
        "shots at Merlin": number(fired),
        "shots that hit, %": percent(fired, shot="merlin"),
        "evil's wins by the shot, %": 100 * hits / evil,
        "games with Merlin, %": 100 * number(with_him) / number(games),
        "evil's share without Merlin, %": percent(without, winner="evil"),
        "evil's share with Merlin, %": percent(with_him, winner="evil"),
        "three successes with Merlin, %": 100 * number(fired) / number(with_him),
        "evil's wins with Merlin by the shot, %": 100 * hits / number(with_him, winner="evil"),
        **{f"hits with {word} players, %": percent(by_players[n], shot="merlin") for n, word in words.items()},
        **{f"hits after {word} missions, %": percent(by_missions[n], shot="merlin") for n, word in THREE_OR_FIVE},
        "shots at Percival less those at one plain good player, points": 100
        * (at["percival"] - at["loyal"])
        / number(two),
        **{
            f"good's gain with {role.title()}, points": 100 * plain_worth(listed, role)
            for role in ("percival", "oberon", "mordred", "morgana")
        },
    }


THREE_OR_FIVE = ((3, "three"), (5, "five"))


@pytest.fixture
def recorded(monkeypatch):
    monkeypatch.setenv("GAMEBALANCE_ROOT", str(Path(__file__).resolve().parents[2]))
    return publish.observed("avalon_outcomes"), publish.observed("avalon_shots")


@pytest.mark.parametrize("seed", [6, 7])
def test_each_number_by_a_recount(seed):
    found = claims.audited(*made_up(seed)).set_index("claim")
    wanted = recount(*made_up(seed))
    assert found["counted"].to_dict() == pytest.approx(wanted) and found.columns.tolist() == [
        "printed",
        "counted",
        "holds",
    ]


def test_the_recorded_numbers(recorded):
    found = claims.audited(*recorded).set_index("claim")
    counted, holds = found["counted"], found["holds"]
    assert counted.to_dict() == pytest.approx(recount(*recorded))
    numbers = counted[["games", "wins of evil", "hits of Merlin", "shots at Merlin"]]
    assert numbers.tolist() == [12_227, 6_835, 2_801, 7_657]
    assert counted["shots that hit, %"] == pytest.approx(36.58, abs=0.005)
    assert counted["evil's share without Merlin, %"] == pytest.approx(48.4, abs=0.05)
    assert counted[[f"hits with {word} players, %" for word in ("five", "nine")]].round(1).tolist() == [40.2, 29.0]
    assert sorted(holds.index[~holds]) == [
        "games",
        "good's gain with Morgana, points",
        "good's gain with Oberon, points",
        "good's gain with Percival, points",
        "hits with seven players, %",
        "shots at Merlin",
        "shots at Percival less those at one plain good player, points",
        "shots that hit, %",
    ]


def test_what_is_counted_follows_the_games():
    outcomes, shots = made_up()
    before = claims.audited(outcomes, shots).set_index("claim")["counted"]
    # What is later makes no difference, and twice as many of all games only one to numbers.
    late = [frame.assign(games=frame["games"].where(frame["period"] == EARLY, 1)) for frame in (outcomes, shots)]
    assert claims.audited(*late).set_index("claim")["counted"].equals(before)
    twice = claims.audited(outcomes.assign(games=2 * outcomes["games"]), shots.assign(games=2 * shots["games"]))
    ratio = (twice.set_index("claim")["counted"] / before).round(6)
    assert ratio[ratio == 2].index.tolist() == ["games", "wins of evil", "hits of Merlin", "shots at Merlin"]
    assert (ratio.drop(ratio[ratio == 2].index) == 1).all()
    # More shots that hit at five players after three missions.
    here = (shots["players"] == 5) & (shots["missions_played"] == 3) & (shots["shot"] == "merlin")
    more = claims.audited(outcomes, shots.assign(games=shots["games"] + 50 * here)).set_index("claim")["counted"]
    risen = [name for name in before.index if more[name] > before[name]]
    assert risen == [
        "shots at Merlin",
        "shots that hit, %",
        "three successes with Merlin, %",
        "hits with five players, %",
        "hits after three missions, %",
    ]


@pytest.mark.parametrize(
    ("printed", "low", "high"),
    [
        *(("12,228", 12_228, 12_228), ("92", 91.5, 92.5), ("30 to 35", 29.5, 35.5), ("-3 to -4", -4.5, -2.5)),
        *(("about 5", 2.5, 7.5), ("about 0", -2.5, 2.5), ("about a third", 100 / 3 - 2.5, 100 / 3 + 2.5)),
        ("almost 50", 44.5, 50),
    ],
)
def test_what_may_be_said_of_which_numbers(printed, low, high):
    assert claims.Claim("", printed, None).ends == pytest.approx((low, high))


def test_holds_is_whether_it_may_be_said():
    assert len({claim.what for claim in claims.CLAIMS}) == len(claims.CLAIMS) == 24
    for table in (claims.audited(*made_up()), claims.audited(*made_up(1))):
        for claim, counted, holds in zip(claims.CLAIMS, table["counted"], table["holds"], strict=True):
            assert holds == (not (counted < claim.ends[0] or counted > claim.ends[1]))


def test_shots_at_anybody_are_at_percival_as_often_as_at_each_loyal_player():
    """With tables of different sizes, however many of each there are."""
    rows = []
    for players, times in ((5, 7), (7, 3), (10, 11)):
        evil = BOARDS[players].evil
        kind = EARLY, players, "merlin+percival", evil, 4
        rows += [(*kind, "merlin", times), (*kind, "percival", times), (*kind, "loyal", (players - evil - 2) * times)]
    shots = pd.DataFrame(rows, columns=SHOTS)
    each = 100 * 21 / (7 * 3 + 3 * 4 + 11 * 6)
    assert claims.shot_at(shots, "percival") == claims.shot_at(shots, "merlin") == pytest.approx(each)
    assert claims.shot_at(shots, "loyal") == pytest.approx(each) and claims.shot_at(shots, "oberon") == 0
    others = [shots.assign(special_roles=roles, games=99) for roles in ("merlin", "percival", "merlin+morgana")]
    assert claims.shot_at(pd.concat([shots, *others]), "loyal") == claims.shot_at(shots, "loyal")


def test_shots_at_one_of_the_loyal_by_hand():
    kinds = [(5, 2, "loyal", 6), (5, 2, "percival", 4), (9, 3, "loyal", 8), (9, 3, "merlin", 2)]
    rows = [(EARLY, players, "merlin+percival", evil, 3, shot, times) for players, evil, shot, times in kinds]
    # Six of ten at the one loyal player of five; eight of ten at four of nine, two at each.
    assert claims.shot_at(pd.DataFrame(rows, columns=SHOTS), "loyal") == pytest.approx(100 * (6 + 2) / 20)


GOOD, SHOT = made_up()

test_refused = refuses(
    (lambda: claims.audited(7, SHOT), "outcomes = int: a table with a column period is needed"),
    (lambda: claims.audited(GOOD.drop(columns="batch"), SHOT), "outcomes = DataFrame: a table with a column batch is"),
    (lambda: claims.audited(GOOD, SHOT.drop(columns="players")), "shots = DataFrame: .* a column players is needed"),
    (lambda: claims.audited(GOOD, SHOT.replace("minion", "spy")), "shots.shot = 'spy': one of .* is needed"),
    (lambda: claims.audited(GOOD.replace("three fails", "x"), SHOT), "outcomes.how = 'x': one of .* is needed"),
    (lambda: claims.audited(GOOD.assign(games=0.5), SHOT), "outcomes.games = .*: whole numbers from 0 are needed"),
    (lambda: claims.shot_at(SHOT, "assassin"), "role = 'assassin': one of 'loyal', 'merlin', .* is needed"),
)
