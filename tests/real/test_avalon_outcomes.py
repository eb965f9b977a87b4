"""Good's share at recorded tables of Avalon and the worth of roles: by hand, and known effects found again."""

from collections import defaultdict
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from chapters.real import avalon_outcomes as outcomes
from chapters.real.avalon_batches import jackknife
from chapters.real.counts import share
from gamebalance import publish
from gamebalance.fairness import judge
from tests.refusals import refuses

COLUMNS = ["players", "special_roles", "winner", "how", "batch", "games"]
#: (players, special roles) -> by batch: games that good won, and all.
TABLES = {
    (5, "none"): [(12, 30), (8, 20)],
    (5, "merlin"): [(20, 30), (10, 20)],
    (6, "percival"): [(6, 12), (6, 8)],
    (6, "merlin+percival"): [(4, 25), (6, 15)],
    (7, "merlin"): [(9, 10), (1, 10)],
}


def table(games=TABLES) -> pd.DataFrame:
    rows = []
    for (players, roles), pairs in games.items():
        for batch, (won, played) in enumerate(pairs):
            how = "merlin missed" if "merlin" in roles else "three successes"
            rows.append((players, roles, "good", how, batch, won))
            rows.append((players, roles, "evil", "three fails", batch, played - won))
    return pd.DataFrame(rows, columns=COLUMNS)


def test_has():
    rows = pd.DataFrame({"special_roles": ["none", "merlin", "percival+merlin", "merlin+oberon"]})
    assert outcomes.has(rows, "merlin").tolist() == [False, True, True, True]
    assert outcomes.has(rows, "oberon").tolist() == [False, False, False, True]


def test_one_batch_has_the_binomial_error():
    rows = table({(5, "none"): [(12, 30)], (6, "merlin"): [(5, 10)]})
    assert outcomes.good_wins(rows, even=0.3, level=0.9) == share(17, 40, 0.3, 0.9)


def test_the_larger_of_two_errors_is_taken():
    alike = table({(5, "none"): [(12, 30), (12, 30), (12, 30)]})
    assert outcomes.good_wins(alike, 0.5, 0.9) == share(36, 90, 0.5, 0.9)
    apart = table({(5, "none"): [(29, 30), (1, 30), (15, 30)]})
    found, mean = outcomes.good_wins(apart, 0.4, 0.9), share(45, 90, 0.4, 0.9)
    assert found.estimate == mean.estimate == 0.5 and found.error > 3 * mean.error
    assert found.error == pytest.approx(np.std([29 / 30, 1 / 30, 0.5], ddof=1) / 3**0.5)
    good = jackknife(apart, lambda part: part["games"][part["winner"] == "good"].sum() / part["games"].sum(), 0.4, 0.9)
    assert found == good and found.p_value > mean.p_value


def test_by_players_and_by_side():
    found = outcomes.by_players(table(), level=0.9)
    assert found.columns.tolist() == ["games", "estimate", "error", "low", "high"] and found.index.name == "players"
    assert found["games"].to_dict() == {5: 100, 6: 60, 7: 20}
    assert found["estimate"].tolist() == pytest.approx([50 / 100, 22 / 60, 10 / 20])
    seven = table()[lambda rows: rows["players"] == 7]
    assert found.loc[7].tolist()[1:] == list(outcomes.good_wins(seven, level=0.9)[:4])
    assert found.loc[7, "error"] > share(10, 20).error  # 9 of 10 and 1 of 10
    games = outcomes.as_games(table())
    assert games.count == 180 and (180 * games.tally("side").means).tolist() == pytest.approx([82, 98])
    assert judge(games, by="side").p_value == pytest.approx(share(82, 180, 0.5).p_value)


def test_three_successes_count_before_the_shot():
    rows = pd.DataFrame(
        [
            (5, "merlin", "good", "merlin missed", 0, 4),
            (5, "merlin", "evil", "merlin shot", 0, 3),
            (5, "none", "good", "three successes", 1, 2),
            (5, "none", "evil", "three fails", 1, 5),
            (5, "none", "evil", "five rejections", 0, 1),
        ],
        columns=COLUMNS,
    )
    found = outcomes.three_successes(rows)
    assert found.estimate == pytest.approx(9 / 15)
    # With two batches the error is half the distance of the two shares that are left.
    assert found.error == pytest.approx((7 / 8 - 2 / 7) / 2)
    one = outcomes.three_successes(rows[rows["batch"] == 0])  # one batch: the binomial error
    assert one.estimate == 7 / 8 and one.error == pytest.approx((7 / 8 / 8 / 8) ** 0.5)


def plain_worth(rows, role: str, matched: bool = True) -> float:
    """Mantel and Haenszel's risk difference with dictionaries, from rows of (players, roles, winner, games)."""
    strata = defaultdict(lambda: {True: [0, 0], False: [0, 0]})
    for players, roles, winner, games in rows:
        others = frozenset(roles.split("+")) - {role, "none"}
        cell = strata[(players, others) if matched else ()][role in roles.split("+")]
        cell[0] += games * (winner == "good")
        cell[1] += games
    top = bottom = 0
    for (won, played), (won_other, played_other) in ((cell[True], cell[False]) for cell in strata.values()):
        if played and played_other:
            top += (won * played_other - won_other * played) / (played + played_other)
            bottom += played * played_other / (played + played_other)
    return top / bottom


def plain_rows(rows: pd.DataFrame, but: int | None = None) -> list[tuple]:
    return list(rows[rows["batch"] != but][["players", "special_roles", "winner", "games"]].itertuples(index=False))


def test_worth_by_hand():
    """Five players: 30 of 50 against 20 of 50, weight 25; six: 10 of 40 against 12 of 20, weight 40/3; seven: none."""
    found = outcomes.worth(table(), "merlin")
    assert found.estimate == pytest.approx((25 * 0.2 - 40 / 3 * 0.35) / (25 + 40 / 3))
    crude = outcomes.worth(table(), "merlin", matched=False)
    assert crude.estimate == pytest.approx((30 + 10 + 10) / 110 - (20 + 12) / 70)
    for one, matched in ((found, True), (crude, False)):
        ends = [plain_worth(plain_rows(table(), batch), "merlin", matched) for batch in (0, 1)]
        assert one.error == pytest.approx(abs(ends[0] - ends[1]) / 2)
    assert outcomes.compared(table(), "merlin") == (90, 70)
    with_empty = pd.concat([table(), table().assign(players=10, games=0, special_roles="oberon")])
    assert outcomes.worth(with_empty, "merlin") == found


@pytest.mark.parametrize("role", ["merlin", "percival", "morgana", "mordred", "oberon"])
def test_worth_of_recorded_games_by_a_recount(role, monkeypatch):
    monkeypatch.setenv("GAMEBALANCE_ROOT", str(Path(__file__).resolve().parents[2]))
    rows = publish.observed("avalon_outcomes")
    found = outcomes.worth(rows, role)
    assert found.estimate == pytest.approx(plain_worth(plain_rows(rows), role))
    without = np.array([plain_worth(plain_rows(rows, batch), role) for batch in range(10)])
    assert found.error == pytest.approx(np.sqrt(9 * without.var()))


def test_a_known_effect_is_found_among_people_who_choose_their_roles():
    """Oberon takes ten points from good; large tables, where good wins less, like him more, and with Percival less."""
    rng, chances = np.random.default_rng(3), {}
    for players, good, likes in ((5, 0.7, 0.1), (7, 0.5, 0.5), (9, 0.3, 0.9)):
        for roles, more, chosen in (("none", 0.0, likes), ("percival", 0.15, likes / 2)):
            oberon = "oberon" if roles == "none" else f"{roles}+oberon"
            chances[players, oberon] = (good + more - 0.1, chosen)
            chances[players, roles] = (good + more, 1 - chosen)
    games = {
        key: [(rng.binomial(count, chance), count) for count in rng.poisson(400 * part, 10)]
        for key, (chance, part) in chances.items()
    }
    matched, crude = (outcomes.worth(table(games), "oberon", matched) for matched in (True, False))
    assert abs(matched.estimate + 0.1) < 4 * matched.error < 0.1  # t with 9 degrees: once in 300
    assert crude.estimate < -0.2 and abs(crude.estimate + 0.1) > 8 * crude.error


def test_roles_in_another_order_and_split_rows_are_the_same_games():
    found = outcomes.worth(table(), "percival", matched=False)
    rows = table().replace("merlin+percival", "percival+merlin")
    halves = pd.concat([rows.assign(games=rows["games"] // 2), rows.assign(games=(rows["games"] + 1) // 2)])
    assert outcomes.worth(halves.sample(frac=1, random_state=1), "percival", matched=False) == found


LIKE = "outcomes, role = '{}': tables with the role are needed, and like ones without it"

test_refused = refuses(
    (lambda: outcomes.worth(table(), "loyal"), "role = 'loyal': one of 'merlin', 'percival', .* is needed"),
    (lambda: outcomes.has(table()[:0], "assassin"), "role = 'assassin': one of 'merlin', .* is needed"),
    (lambda: outcomes.worth(table(), "merlin", "yes"), "matched = 'yes': True or False is needed"),
    (lambda: outcomes.worth(table(), "oberon", matched=False), LIKE.format("oberon")),
    (lambda: outcomes.worth(table()[table()["special_roles"] == "merlin"], "merlin"), LIKE.format("merlin")),
    (lambda: outcomes.worth(table()[table()["players"] == 7], "merlin", matched=False), LIKE.format("merlin")),
    (lambda: outcomes.worth(table({**TABLES, (5, "none"): [(1, 2)]})[:7], "merlin"), LIKE.format("merlin")),
    (lambda: outcomes.good_wins(table().replace("evil", "bad")), r"outcomes.winner = 'bad': one of \['good', 'evil'\]"),
    (lambda: outcomes.good_wins(table().replace("three fails", "a draw")), "outcomes.how = 'a draw': one of "),
    (
        lambda: outcomes.by_players(table().replace(7, 4)),
        r"outcomes.players = 4: one of \[5, 6, 7, 8, 9, 10\] is needed",
    ),
    (lambda: outcomes.by_players(table().drop(columns="players")), "outcomes = DataFrame: .* column players is needed"),
    (lambda: outcomes.as_games(7), "outcomes = int: a table with a column winner is needed"),
    (lambda: outcomes.good_wins(table().assign(games=-1)), "outcomes.games = .*: whole numbers from 0 are needed"),
    (lambda: outcomes.good_wins(table(), level=2), "level = 2: a number between 0 and 1 is needed"),
)
