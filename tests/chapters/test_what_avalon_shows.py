"""What is counted of recorded tables of Avalon: by hand, by recounts, and known effects found again."""

from collections import defaultdict
from fractions import Fraction
from itertools import combinations, product
from math import comb, log, log2

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from chapters import what_avalon_shows as chapter
from chapters.ten_at_the_table_counts import share
from gamebalance import publish
from gamebalance.games.avalon import BOARDS, at_random

# --- the jackknife ---


def mean(rows: pd.DataFrame) -> float:
    return float(rows["won"].sum() / rows["games"].sum())


def frame(won, games, batch=None) -> pd.DataFrame:
    return pd.DataFrame({"batch": range(len(won)) if batch is None else batch, "won": won, "games": games})


def test_a_weighted_mean_by_hand():
    found = chapter.jackknife(frame([1, 3, 2], [2, 4, 6]), mean, against=0.4)
    without = [Fraction(5, 10), Fraction(3, 8), Fraction(4, 6)]
    error = float(Fraction(2, 3) * sum((one - sum(without) / 3) ** 2 for one in without)) ** 0.5
    reach = stats.t(2).ppf(0.975) * error
    assert found[:4] == pytest.approx((0.5, error, 0.5 - reach, 0.5 + reach), abs=1e-8)
    assert found.p_value == pytest.approx(2 * stats.t(2).cdf(-0.1 / error), abs=1e-9)
    split = frame([2, 1, 2, 1], [6, 2, 3, 1], batch=[70, 3, 41, 41])
    assert chapter.jackknife(split, mean, against=0.4) == pytest.approx(found, abs=1e-9)
    alike = chapter.jackknife(frame([1] * 10, [7] * 10), mean, against=0.9)
    assert alike.error == 0 and alike.low == alike.high == alike.estimate and np.isnan(alike.p_value)


# --- who wins, and what a role is worth ---

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
    return pd.DataFrame(rows, columns=["players", "special_roles", "winner", "how", "batch", "games"])


def test_the_larger_of_two_errors_is_taken():
    alike = table({(5, "none"): [(12, 30), (12, 30), (12, 30)]})
    assert chapter.good_wins(alike, 0.5) == share(36, 90, 0.5)
    assert chapter.good_wins(alike[alike["batch"] == 0], 0.5) == share(12, 30, 0.5)
    apart = table({(5, "none"): [(29, 30), (1, 30), (15, 30)]})
    found, binomial = chapter.good_wins(apart, 0.4), share(45, 90, 0.4)
    assert found.estimate == binomial.estimate == 0.5 and found.p_value > binomial.p_value
    assert found.error == pytest.approx(np.std([29 / 30, 1 / 30, 0.5], ddof=1) / 3**0.5)


def plain_worth(rows: pd.DataFrame, role: str, matched: bool = True, but: int | None = None) -> float:
    """Mantel and Haenszel's risk difference with dictionaries, without one batch."""
    strata = defaultdict(lambda: {True: [0, 0], False: [0, 0]})
    for row in rows[rows["batch"] != but].to_dict("records"):
        roles = row["special_roles"].split("+")
        cell = strata[(row["players"], frozenset(roles) - {role, "none"}) if matched else ()][role in roles]
        cell[0] += row["games"] * (row["winner"] == "good")
        cell[1] += row["games"]
    top = bottom = 0
    for (won, played), (won_other, played_other) in ((cell[True], cell[False]) for cell in strata.values()):
        if played and played_other:
            top += (won * played_other - won_other * played) / (played + played_other)
            bottom += played * played_other / (played + played_other)
    return top / bottom


def test_worth_by_hand():
    """Five players: 30 of 50 against 20 of 50, weight 25; six: 10 of 40 against 12 of 20, weight 40/3; seven: none."""
    found = chapter.worth(table(), "merlin")
    assert found.estimate == pytest.approx((25 * 0.2 - 40 / 3 * 0.35) / (25 + 40 / 3))
    crude = chapter.worth(table(), "merlin", matched=False)
    assert crude.estimate == pytest.approx((30 + 10 + 10) / 110 - (20 + 12) / 70)
    for one, matched in ((found, True), (crude, False)):
        ends = [plain_worth(table(), "merlin", matched, batch) for batch in (0, 1)]
        assert one.error == pytest.approx(abs(ends[0] - ends[1]) / 2)
    assert chapter.compared(table(), "merlin") == (90, 70)


@pytest.mark.parametrize("role", ["merlin", "oberon"])
def test_worth_of_recorded_games_by_a_recount(role):
    rows = publish.observed("avalon_outcomes")
    found = chapter.worth(rows, role)
    without = np.array([plain_worth(rows, role, but=batch) for batch in range(10)])
    assert found[:2] == pytest.approx((plain_worth(rows, role), np.sqrt(9 * without.var())))


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
    matched, crude = (chapter.worth(table(games), "oberon", matched) for matched in (True, False))
    assert abs(matched.estimate + 0.1) < 4 * matched.error < 0.1  # t with 9 degrees: once in 300
    assert crude.estimate < -0.2 and abs(crude.estimate + 0.1) > 8 * crude.error


# --- teams, cards and shots ---


def evil_in_teams(players: int, mission: int) -> list[int]:
    """How much evil is in each team of a mission from 0, if the first seats are evil."""
    board = BOARDS[players]
    return [sum(seat < board.evil for seat in team) for team in combinations(range(players), board.sizes[mission])]


def test_clean_teams_and_shots_beside_chance():
    kinds = [(players, mission) for players in BOARDS for mission in range(1, 6)]
    rows = [(*kind, evil, times) for kind in kinds for evil, times in ((0, 3), (1, 5))]
    teams = pd.DataFrame(rows, columns=["players", "mission", "evil_in_team", "teams"])
    found = chapter.clean_teams(teams, ["players", "mission"])
    for players, mission in kinds:
        every = evil_in_teams(players, mission - 1)
        assert found.at[(players, mission), "chance"] == pytest.approx(every.count(0) / len(every))
    assert found.loc[5, 1].tolist()[:5] == [8, *share(3, 8)[:4]]
    rows = [(5, 2, 3, "merlin", 4), (5, 2, 3, "loyal", 5), (5, 2, 5, "oberon", 1), (10, 4, 5, "merlin", 2)]
    columns = ["players", "evil_players", "missions_played", "shot", "games"]
    shots = pd.DataFrame([*rows, (10, 4, 5, "percival", 8)], columns=columns)
    found = chapter.shots_that_hit(shots, ["missions_played"])
    assert found.loc[3].tolist()[:5] == [9, *share(4, 9)[:4]]
    assert found["chance"].tolist() == pytest.approx([1 / 3, (1 / 3 + 10 / 6) / 11])
    everybody = chapter.shots_that_hit(shots, []).loc["all"]
    assert (everybody["shots"], everybody["estimate"]) == (20, 0.3)


def cards(rows, players: int) -> pd.DataFrame:
    columns = ["players", "succeeded", "failed", "evil_in_team", "fails", "teams"]
    return pd.DataFrame([(players, *row) for row in rows], columns=columns)


@pytest.mark.parametrize("players", BOARDS)
def test_chance_is_play_at_random_without_rejections(players):
    """Of records in which each evil member fails with a half, and the teams are the random ones."""
    rows = []
    for won, lost in product(range(3), repeat=2):
        members = evil_in_teams(players, won + lost)
        for evil in set(members):
            times = 16 * members.count(evil)
            rows += [(won, lost, evil, fails, times * comb(evil, fails) // 2**evil) for fails in range(evil + 1)]
    for teams, fails, fail in (("chance", "chance", 1), ("chance", "records", 0.5), ("records", "records", 0.5)):
        wanted = float(at_random(BOARDS[players], approve=1, fail=fail)["three successes"])
        assert chapter.three_by_score(cards(rows, players), teams, fails) == pytest.approx(wanted, abs=1e-9)


# --- votes ---

VOTES = ["players", "mission", "evil_in_team", "voter", "voter_in_team", "approved", "batch", "votes"]


def cells(counts, mission: int = 1) -> pd.DataFrame:
    """Counts by (evil in team, approved), the same in each of two batches."""
    rows = [
        (5, mission, evil, "good", 0, approved, batch, count)
        for (evil, approved), count in counts.items()
        for batch in (0, 1)
    ]
    return pd.DataFrame(rows, columns=VOTES)


def entropy(chance: float) -> float:
    return -chance * log2(chance) - (1 - chance) * log2(1 - chance)


def test_information_by_hand():
    """Of 100 votes: 40 and 10 on clean teams, 20 and 30 on others; and votes that tell all, or cannot."""
    rows = cells({(0, 1): 40, (0, 0): 10, (1, 1): 20, (1, 0): 30})
    by_hand = 1 - 0.6 * entropy(20 / 60) - 0.4 * entropy(10 / 40)
    assert chapter.information(rows).estimate == pytest.approx(by_hand - 1 / (2 * 200 * log(2)), abs=1e-9)
    all_told = cells({(0, 1): 250_000, (1, 0): 750_000})
    wanted = entropy(0.25) - 1 / (4 * 10**6 * log(2))
    assert chapter.information(all_told).estimate == pytest.approx(wanted, abs=1e-9)
    one_sided, other = cells({(1, 0): 30, (1, 1): 50}), cells({(0, 0): 500, (1, 1): 500}, mission=2)
    assert chapter.information(one_sided)[:2] == chapter.information(cells({(0, 1): 30, (1, 1): 50}))[:2] == (0, 0)
    found = chapter.information(pd.concat([one_sided, other]), given=["mission"]).estimate
    assert found == pytest.approx((2000 - 1 / (2 * log(2))) / 2160, abs=1e-9)  # weighed by votes
    apart = pd.concat([cells({(0, 1): 500, (1, 0): 500}), other])
    assert chapter.information(apart, given=[]).estimate == pytest.approx(-1 / (2 * 4000 * log(2)), abs=1e-9)


def test_votes_that_tell_nothing_have_no_bits_on_the_average():
    """60 made-up sets of counts with eight groups of 150 votes each; without the correction far off."""
    rng, count, found = np.random.default_rng(12), 150, []
    for _ in range(60):
        evil, approved = rng.random((2, 8, count)) < rng.uniform(0.3, 0.7, (2, 8))[..., None]
        columns = {"mission": np.repeat(range(8), count), "evil_in_team": evil.ravel(), "approved": approved.ravel()}
        rows = pd.DataFrame(columns).astype(int).assign(voter="good", votes=1, batch=np.arange(8 * count) % 2)
        found.append(chapter.information(rows, given=["mission"]).estimate)
    error = np.std(found, ddof=1) / np.sqrt(len(found))
    assert abs(np.mean(found)) < 4 * error < 1 / (2 * count * log(2)) / 2 and min(found) < 0
