"""Machines that vote as counted: they do, and the posterior comes true of them alone."""

from collections import Counter
from functools import lru_cache

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from chapters.what_avalon_shows_machines import AsCounted, as_counted, calibration
from gamebalance.games.avalon import BOARDS, games
from gamebalance.games.avalon.posterior import KINDS, kind, learned
from gamebalance.games.avalon.rules import is_evil

VOTES = ["mission", "evil_in_team", "voter", "voter_in_team", "approved", "votes"]
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


def chi_square(times: Counter, chances: np.ndarray) -> float:
    """The p-value of counts whose last index is the outcome, against chances; those expected less than 4 times out."""
    total, freedom = 0.0, 0
    for key in {key[:-1] for key in times}:
        count, expected = sum(times[*key, at] for at in range(chances.shape[-1])), chances[key]
        parts = [(times[*key, at] - count * part) ** 2 / (count * part) for at, part in enumerate(expected) if part]
        if count * min(part for part in expected if part) >= 4 and len(parts) > 1:
            total, freedom = total + sum(parts), freedom + len(parts) - 1
    assert freedom >= 8
    return stats.chi2(freedom).sf(total)


@pytest.mark.parametrize("players", [5, 7, 10])
def test_they_vote_and_fail_as_the_likelihoods_say(players):
    """Pearson's chi-square, below 0.0001 once in 10,000; far below where evil and Merlin, or cards, change places.

    What is learned from them is these likelihoods, within 5 standard errors where there are 50 votes.
    """
    by, votes, cards = machines(), Counter(), Counter()
    likelihoods = by.likelihoods(BOARDS[players].evil)
    for game in played(players):
        for at, (mission, score) in enumerate(zip(game.public.missions, game.public.scores, strict=True)):
            for _, team, approving in mission.proposals:
                evil = sum(is_evil(game.roles[seat]) for seat in team)
                for seat, role in enumerate(game.roles):
                    votes[KINDS.index(kind(role)), at, min(evil, 2), int(seat in team), int(seat in approving)] += 1
            cards[sum(is_evil(game.roles[seat]) for seat in mission.team), *score, mission.fails] += 1
    both = np.stack([1 - likelihoods.approve, likelihoods.approve], -1)
    assert chi_square(votes, both) > 1e-4 and chi_square(votes, both[[2, 1, 0]]) < 1e-12
    other = AsCounted(votes=by.votes, cards=1 - by.cards).likelihoods(BOARDS[players].evil)
    assert chi_square(cards, likelihoods.fails) > 1e-4 and chi_square(cards, other.fails) < 1e-12
    found = learned([(game.public, game.roles) for game in played(players)], BOARDS[players].evil)
    count = np.array([votes[*at, 0] + votes[*at, 1] for at in np.ndindex(3, 5, 3, 2)]).reshape(3, 5, 3, 2)
    errors = np.sqrt(likelihoods.approve * (1 - likelihoods.approve) / np.maximum(count, 1))
    off = np.abs(found.approve - likelihoods.approve) / errors
    assert (count >= 50).sum() > 30 and off[count >= 50].max() < 5


def test_as_counted_by_hand():
    votes = [
        *((2, 0, "good", 1, 1, 6), (2, 1, "good", 1, 1, 1), (2, 1, "good", 1, 0, 4), (2, 0, "merlin", 0, 1, 9)),
        *((2, 1, "merlin", 0, 0, 3), (2, 1, "merlin", 1, 1, 2), (2, 1, "evil", 1, 1, 7), (2, 1, "evil", 1, 0, 2)),
        (5, 0, "evil", 0, 1, 1),
    ]
    cards = [(0, 0, 1, 1, 3), (0, 0, 1, 0, 5), (0, 0, 2, 2, 50), (0, 0, 0, 0, 90), (2, 1, 1, 1, 4)]
    found = as_counted(pd.DataFrame(votes, columns=VOTES), pd.DataFrame(cards, columns=CARDS))
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
