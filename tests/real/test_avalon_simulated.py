"""Machines that vote as counted: they do, all see what they did, and the posterior comes true of them alone."""

from collections import Counter
from functools import lru_cache
from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from chapters.real import avalon_simulated as simulated
from chapters.real.avalon_posterior import Likelihoods, PublicMission
from gamebalance.games.avalon import BOARDS, games
from gamebalance.games.avalon.rules import is_evil
from tests.refusals import refuses

KINDS = simulated.KINDS


def machines(seed: int = 4) -> simulated.AsCounted:
    """Some chances, far from even, that keep games going."""
    rng = np.random.default_rng(seed)
    votes = rng.uniform(0.25, 0.9, (3, 5, 3, 2))
    votes[KINDS.index("good")] = votes[KINDS.index("good"), :, :1]
    return simulated.AsCounted(votes=votes, cards=rng.uniform(0.2, 0.8, (3, 3)))


@lru_cache
def played(players: int, count: int = 300, special: tuple = ("merlin", "percival", "morgana")) -> list:
    return list(games(BOARDS[players], special, machines(), count, seed=players))


def kind(role: str) -> str:
    return "evil" if is_evil(role) else "merlin" if role == "merlin" else "good"


def counted(tables) -> tuple[Counter, Counter]:
    """Votes by kind, mission, evil members, goes, and approved; cards by evil members, score, and fails."""
    votes, cards = Counter(), Counter()
    for one in tables:
        won = lost = 0
        missions = [(mission.proposals, mission) for mission in one.public.missions] + [(one.public.proposals, None)]
        for at, (proposals, mission) in enumerate(missions):
            for proposal in proposals:
                evil = sum(is_evil(one.roles[seat]) for seat in proposal.team)
                for seat, role in enumerate(one.roles):
                    key = KINDS.index(kind(role)), at, min(evil, 2), int(seat in proposal.team)
                    votes[*key, int(seat in proposal.approving)] += 1
            if mission:
                cards[evil, won, lost, int(mission.fails)] += 1
                won, lost = won + (not mission.failed), lost + bool(mission.failed)
    return votes, cards


def chi_square(times: Counter, chances: np.ndarray, least: float = 4) -> float:
    """The p-value of counts whose last index is the outcome, against chances; outcomes expected less often left out."""
    total, freedom = 0.0, 0
    for key in {key[:-1] for key in times}:
        count, expected = sum(times[*key, at] for at in range(chances.shape[-1])), chances[key]
        parts = [(times[*key, at] - count * part) ** 2 / (count * part) for at, part in enumerate(expected) if part]
        if count * min(part for part in expected if part) >= least and len(parts) > 1:
            total, freedom = total + sum(parts), freedom + len(parts) - 1
    assert freedom >= 8
    return stats.chi2(freedom).sf(total)


@pytest.mark.parametrize("players", [5, 7, 10])
def test_they_vote_and_fail_as_the_likelihoods_say(players):
    """Pearson's chi-square, below 0.0001 once in 10,000; far below where evil and Merlin, or cards, change places."""
    by, (votes, cards) = machines(), counted(played(players))
    likelihoods = by.likelihoods(BOARDS[players].evil)
    evil = BOARDS[players].evil
    assert isinstance(likelihoods, Likelihoods) and likelihoods.fails.shape == (evil + 1, 3, 3, evil + 1)
    both = np.stack([1 - likelihoods.approve, likelihoods.approve], -1)
    assert chi_square(votes, both) > 1e-4 and chi_square(votes, both[[2, 1, 0]]) < 1e-12
    assert chi_square(cards, likelihoods.fails) > 1e-4
    other = simulated.AsCounted(votes=by.votes, cards=1 - by.cards).likelihoods(evil)
    assert chi_square(cards, other.fails) < 1e-12


def test_fails_are_binomial():
    by = machines()
    for members, fails in product(range(5), repeat=2):
        for won, lost in product(range(3), repeat=2):
            wanted = stats.binom(members, by.cards[won, lost]).pmf(fails)
            assert by.likelihoods(4).fails[members, won, lost, fails] == pytest.approx(wanted)


VOTES = ["mission", "evil_in_team", "voter", "voter_in_team", "approved", "votes"]
CARDS = ["succeeded", "failed", "evil_in_team", "fails", "teams"]


def test_as_counted_by_hand():
    votes = [
        (2, 0, "good", 1, 1, 6),
        (2, 1, "good", 1, 1, 1),
        (2, 1, "good", 1, 0, 4),
        (2, 0, "merlin", 0, 1, 9),
        (2, 1, "merlin", 0, 0, 3),
        (2, 1, "merlin", 1, 1, 2),
        (2, 1, "evil", 1, 1, 7),
        (2, 1, "evil", 1, 0, 2),
        (5, 0, "evil", 0, 1, 1),
    ]
    cards = [(0, 0, 1, 1, 3), (0, 0, 1, 0, 5), (0, 0, 2, 2, 50), (0, 0, 0, 0, 90), (2, 1, 1, 1, 4)]
    found = simulated.as_counted(pd.DataFrame(votes, columns=VOTES), pd.DataFrame(cards, columns=CARDS))
    wanted = np.full((3, 5, 3, 2), 0.5)
    evil, good, merlin = map(KINDS.index, ("evil", "good", "merlin"))
    wanted[good, 1, :, 1] = 7.5 / 12
    wanted[merlin, 1, 0, 0] = 9.5 / 10
    wanted[merlin, 1, 1:, 0] = 0.5 / 4
    wanted[merlin, 1, 1:, 1] = 2.5 / 3
    wanted[evil, 1, 1:, 1] = 7.5 / 10
    wanted[evil, 4, 0, 0] = 1.5 / 2
    assert found.votes == pytest.approx(wanted, abs=1e-9)
    by_score = np.full((3, 3), 0.5)
    by_score[0, 0], by_score[2, 1] = 3.5 / 9, 4.5 / 5
    assert found.cards == pytest.approx(by_score, abs=1e-9)


def frames(tables) -> tuple[pd.DataFrame, pd.DataFrame]:
    """What was counted, as the published tables have it."""
    votes, cards = counted(tables)
    rows = [(at + 1, min(evil, 1), KINDS[of], goes, vote, times) for (of, at, evil, goes, vote), times in votes.items()]
    went = [(won, lost, evil, fails, times) for (evil, won, lost, fails), times in cards.items()]
    return pd.DataFrame(rows, columns=VOTES), pd.DataFrame(went, columns=CARDS)


def test_machines_are_counted_as_they_are():
    """Games of machines whose votes do not tell one evil member from two give back these machines."""
    by = machines()
    by = simulated.AsCounted(votes=by.votes[:, :, [0, 1, 1]], cards=by.cards)
    tables = list(games(BOARDS[7], ("merlin",), by, 400, seed=2))
    votes, cards = frames(tables)
    found = simulated.as_counted(votes, cards)
    far = []
    for of, mission, members, goes in np.ndindex(by.votes.shape):
        same = (votes["mission"] == mission + 1) & (votes["voter_in_team"] == goes) & (votes["voter"] == KINDS[of])
        if KINDS[of] != "good":
            same &= votes["evil_in_team"] == min(members, 1)
        if (count := votes.loc[same, "votes"].sum()) > 50:
            chance = by.votes[of, mission, members, goes]
            far.append((found.votes[of, mission, members, goes] - chance) / np.sqrt(chance * (1 - chance) / count))
    assert len(far) > 60 and np.abs(far).max() < 4.5  # once in 1,000 for so many
    assert np.abs(found.cards - by.cards).max() < 0.25


@pytest.mark.parametrize("players", [5, 7])
def test_all_see_what_was_played(players):
    """The record replays: proposals, fails, the score and, after five rejections, the mission nobody went on."""
    endings = Counter()
    for one in [*played(players, 60), *games(BOARDS[players], (), reluctant(), 30, seed=1)]:
        record, public = simulated.public_record(one), one.public
        endings[one.ending] += 1
        assert (record.players, record.evil) == (players, sum(map(is_evil, one.roles)))
        assert record.has_merlin is ("merlin" in one.roles)
        assert len(record.played) == len(public.missions)
        assert record.score(len(record.played)) == (public.succeeded, public.failed)
        for at, (mine, theirs) in enumerate(zip(record.missions, public.missions, strict=False)):
            assert mine.proposals == tuple((one.team, one.approving) for one in theirs.proposals)
            assert mine.fails == theirs.fails and (mine.fails >= mine.fails_required) == theirs.failed
            assert mine.fails_required == (2 if players == 7 and at == 3 else 1)
        if one.ending == "five rejections":
            assert record.missions[-1].fails is None and len(record.missions[-1].proposals) == 5
            assert len(record.missions) == len(public.missions) + 1
        else:
            assert isinstance(record.missions[-1], PublicMission) and record.missions[-1].fails is not None
    assert set(endings) >= {"three fails", "merlin shot", "merlin missed", "five rejections"}


def reluctant() -> simulated.AsCounted:
    return simulated.AsCounted(votes=np.full((3, 5, 3, 2), 0.35), cards=np.full((3, 3), 0.5))


def scores(tables, by, evidence: str) -> np.ndarray:
    """For each bin, how many standard errors more seats are evil than was said.

    Games are what is independent, and so are sets of three of them, which are judged together: that takes less time.
    """
    each = np.zeros((len(tables) // 3, 20))
    for number, row in enumerate(each):
        found = simulated.calibration(tables[3 * number : 3 * number + 3], by, evidence)
        row[found["bin"]] = found["evil"] - found["expected"]
    used = (each != 0).sum(0) >= 40
    assert used.sum() >= 12
    return each[:, used].sum(0) / np.sqrt(np.square(each[:, used]).sum(0))


@pytest.mark.parametrize(("players", "evidence"), [(5, "both"), (7, "missions and voters"), (7, "missions")])
def test_what_the_posterior_says_comes_true_of_them(players, evidence):
    """In each of at most 20 bins within 4.5 standard errors, which chance leaves once in 7,000 such tests.

    Taught that good people vote as evil ones and evil ones as good, or that evil plays fail where it plays success,
    it is plainly wrong.
    """
    tables, by = played(players, 300), machines()
    assert np.abs(scores(tables, by, evidence)).max() < 4.5
    votes, cards = by.votes, by.cards
    if evidence == "missions":
        cards = 1 - cards
    else:
        votes = np.repeat(votes[[2, 0, 2]][:, :, :1], 3, axis=2)
    assert np.abs(scores(tables, simulated.AsCounted(votes=votes, cards=cards), evidence)).max() > 6


def test_bins_hold_every_seat_after_every_mission():
    tables, by = played(5)[:40], machines()
    found = simulated.calibration(iter(tables), by, "both")
    missions = sum(len(one.public.missions) for one in tables)
    assert found.columns.tolist() == ["bin", "expected", "seats", "evil"] and found["bin"].is_monotonic_increasing
    assert found[["seats", "evil"]].sum().tolist() == [5 * missions, 2 * missions]
    assert found["expected"].sum() == pytest.approx(2 * missions, abs=0.02)
    mean = found["expected"] / found["seats"]
    assert ((mean >= found["bin"] / 20 - 0.001) & (mean <= (found["bin"] + 1) / 20 + 0.001)).all()
    alone = pd.concat([simulated.calibration([one], by, "both") for one in tables]).groupby("bin").sum()
    assert alone["seats"].tolist() == found["seats"].tolist() and alone["evil"].tolist() == found["evil"].tolist()
    assert alone["expected"].tolist() == pytest.approx(found["expected"].tolist(), abs=0.05)


BY, RNG = machines(), np.random.default_rng(1)
ONE = games(BOARDS[7], ("merlin", "mordred"), BY, 1, seed=1)
COUNTS = frames(played(5)[:5])
SHAPES = r"votes, of shape \(3, 5, 3\): \(3, 5, 3, 2\), all between 0 and 1, is needed"

test_refused = refuses(
    (lambda: simulated.AsCounted(votes=BY.votes[..., 0], cards=BY.cards), SHAPES),
    (lambda: simulated.AsCounted(votes=BY.votes, cards=np.ones((3, 3))), r"cards, of shape \(3, 3\): .* 0 and 1, is"),
    (lambda: simulated.AsCounted(votes=RNG.random((3, 5, 3, 2)), cards=BY.cards), "votes of good players: the same "),
    (lambda: simulated.calibration([], BY, "talk"), "evidence = 'talk': one of 'missions', 'votes', .* is needed"),
    (lambda: simulated.calibration(ONE, BY, "both"), "games, with mordred: tables without mordred and oberon are"),
    (lambda: simulated.as_counted(COUNTS[0].assign(voter="x"), COUNTS[1]), r"votes.voter = 'x': one of \['evil', "),
    (lambda: simulated.as_counted(COUNTS[0].drop(columns="voter_in_team"), COUNTS[1]), "votes = .* voter_in_team is"),
    (lambda: simulated.as_counted(COUNTS[0], COUNTS[1].assign(failed=4)), r"cards.failed = 4: one of \[0, 1, 2\]"),
    (lambda: simulated.as_counted(COUNTS[0], COUNTS[1].drop(columns="fails")), "cards = .* a column fails is needed"),
)
