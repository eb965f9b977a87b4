"""Recorded tables of Avalon by hand and by recounts; machines that vote as counted, and the posterior of them."""

from collections import defaultdict
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from math import comb, log, log2

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from chapters import what_avalon_shows as chapter
from chapters.ten_at_the_table_counts import share
from chapters.what_avalon_shows_machines import AsCounted, as_counted, calibration
from gamebalance import publish
from gamebalance.games.avalon import BOARDS, at_random, games
from gamebalance.games.avalon.posterior import KINDS, kind, learned
from gamebalance.games.avalon.rules import is_evil

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


def plain_worth(rows: pd.DataFrame, role: str, but: int | None = None) -> float:
    """Mantel and Haenszel's risk difference with dictionaries, without one batch."""
    strata = defaultdict(lambda: {True: [0, 0], False: [0, 0]})
    for row in rows[rows["batch"] != but].to_dict("records"):
        roles = row["special_roles"].split("+")
        cell = strata[row["players"], frozenset(roles) - {role, "none"}][role in roles]
        cell[0] += row["games"] * (row["winner"] == "good")
        cell[1] += row["games"]
    top = bottom = 0
    for (won, played), (won_other, played_other) in ((cell[True], cell[False]) for cell in strata.values()):
        if played and played_other:
            top += (won * played_other - won_other * played) / (played + played_other)
            bottom += played * played_other / (played + played_other)
    return top / bottom


@pytest.mark.parametrize("role", ["merlin", "oberon"])
def test_worth_of_recorded_games_by_a_recount(role):
    rows = publish.observed("avalon_outcomes")
    found = chapter.worth(rows, role)
    without = np.array([plain_worth(rows, role, but=batch) for batch in range(10)])
    assert found[:2] == pytest.approx((plain_worth(rows, role), np.sqrt(9 * without.var())))


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


# ---- Machines that vote as counted


VOTES_OF_TEAMS = ["mission", "evil_in_team", "voter", "voter_in_team", "approved", "votes"]
CARDS = ["succeeded", "failed", "evil_in_team", "fails", "teams"]


def machines() -> AsCounted:
    """Some chances, far from even, that keep games going."""
    rng = np.random.default_rng(4)
    votes = rng.uniform(0.25, 0.9, (3, 5, 3, 2))
    votes[KINDS.index("good")] = votes[KINDS.index("good"), :, :1]
    return AsCounted(votes=votes, cards=rng.uniform(0.2, 0.8, (3, 3)))


@lru_cache
def played(players: int, count: int = 240) -> list:
    return list(games(BOARDS[players], ("merlin", "percival", "morgana"), machines(), count, seed=players))


@pytest.mark.parametrize("players", [5, 7, 10])
def test_they_vote_and_fail_as_the_likelihoods_say(players):
    """What is learned from them is their likelihoods, within 5 standard errors where there are 50 votes or missions.

    It is not where evil and Merlin, or cards, change places.
    """
    by, evil, votes, cards = machines(), BOARDS[players].evil, np.zeros((3, 5, 3, 2)), np.zeros((5, 3, 3, 1))
    true, other = by.likelihoods(evil), AsCounted(votes=by.votes[[2, 1, 0]], cards=1 - by.cards).likelihoods(evil)
    found = learned([(game.public, game.roles) for game in played(players)], evil)
    for game in played(players):
        for at, (mission, score) in enumerate(zip(game.public.missions, game.public.scores, strict=True)):
            for _, team, _ in mission.proposals:
                members = min(sum(is_evil(game.roles[seat]) for seat in team), 2)
                for seat, role in enumerate(game.roles):
                    votes[KINDS.index(kind(role)), at, members, int(seat in team)] += 1
            cards[(sum(is_evil(game.roles[seat]) for seat in mission.team), *score)] += 1
    for one, is_, not_, count in zip(found, true, other, (votes, cards[: evil + 1]), strict=True):
        many = np.broadcast_to(count >= 50, is_.shape) & (is_ > 0.02) & (is_ < 0.98)
        errors = np.sqrt(is_ * (1 - is_) / np.maximum(count, 1))[many]
        assert many.sum() >= 8 and (np.abs(one - is_)[many] / errors).max() < 5
        assert (np.abs(one - not_)[many] / errors).max() > 8


def test_as_counted_by_hand():
    votes = [
        *((2, 0, "good", 1, 1, 6), (2, 1, "good", 1, 1, 1), (2, 1, "good", 1, 0, 4), (2, 0, "merlin", 0, 1, 9)),
        *((2, 1, "merlin", 0, 0, 3), (2, 1, "merlin", 1, 1, 2), (2, 1, "evil", 1, 1, 7), (2, 1, "evil", 1, 0, 2)),
        (5, 0, "evil", 0, 1, 1),
    ]
    cards = [(0, 0, 1, 1, 3), (0, 0, 1, 0, 5), (0, 0, 2, 2, 50), (0, 0, 0, 0, 90), (2, 1, 1, 1, 4)]
    found = as_counted(pd.DataFrame(votes, columns=VOTES_OF_TEAMS), pd.DataFrame(cards, columns=CARDS))
    wanted = np.full((3, 5, 3, 2), 0.5)
    evil, good, merlin = map(KINDS.index, ("evil", "good", "merlin"))
    wanted[good, 1, :, 1] = 7.5 / 12
    wanted[merlin, 1, 0, 0], wanted[merlin, 1, 1:, 0], wanted[merlin, 1, 1:, 1] = 9.5 / 10, 0.5 / 4, 2.5 / 3
    wanted[evil, 1, 1:, 1], wanted[evil, 4, 0, 0] = 7.5 / 10, 1.5 / 2
    assert found.votes == pytest.approx(wanted, abs=1e-9)
    by_score = np.full((3, 3), 0.5)
    by_score[0, 0], by_score[2, 1] = 3.5 / 9, 4.5 / 5
    assert found.cards == pytest.approx(by_score, abs=1e-9)


def scores(tables, by, evidence: str) -> np.ndarray:
    """For each bin, how many standard errors more seats are evil than was said, by sets of three independent games."""
    each = np.zeros((len(tables) // 3, 20))
    for number, row in enumerate(each):
        found = calibration(tables[3 * number : 3 * number + 3], by, evidence)
        row[found["bin"]] = found["evil"] - found["expected"]
    used = (each != 0).sum(0) >= 30
    assert used.sum() >= 12
    return each[:, used].sum(0) / np.sqrt(np.square(each[:, used]).sum(0))


@pytest.mark.thorough
@pytest.mark.parametrize(("players", "evidence"), [(5, "both"), (7, "missions and voters"), (7, "missions")])
def test_what_the_posterior_says_comes_true_of_them(players, evidence):
    """In each of at most 20 bins within 4.5 standard errors, which chance leaves once in 7,000 such tests.

    Taught that good people vote as evil ones and evil ones as good, or that evil plays fail where it plays success,
    it is plainly wrong.
    """
    tables, by = played(players), machines()
    assert np.abs(scores(tables, by, evidence)).max() < 4.5
    votes, cards = by.votes, by.cards
    if evidence == "missions":
        cards = 1 - cards
    else:
        votes = np.repeat(votes[[2, 0, 2]][:, :, :1], 3, axis=2)
    assert np.abs(scores(tables, AsCounted(votes=votes, cards=cards), evidence)).max() > 5
    found = calibration(tables[:40], by, evidence)
    missions, evil = sum(len(game.public.missions) for game in tables[:40]), BOARDS[players].evil
    assert found[["seats", "evil"]].sum().tolist() == [players * missions, evil * missions]
    assert found["expected"].sum() == pytest.approx(evil * missions, abs=0.02)
    mean = found["expected"] / found["seats"]
    assert ((mean >= found["bin"] / 20 - 0.001) & (mean <= (found["bin"] + 1) / 20 + 0.001)).all()
