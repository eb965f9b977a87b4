"""Machines that vote as counted: they do, and the posterior comes true of them alone."""

from functools import lru_cache

import numpy as np
import pandas as pd
import pytest

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
