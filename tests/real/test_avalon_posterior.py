"""What an outsider can know of a table's roles: as a plain enumeration says, and true of tables with known chances."""

from itertools import combinations
from math import comb, isclose, log, log2, prod

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from chapters.real import avalon_held_out as held_out
from chapters.real.avalon_logs import game
from chapters.real.avalon_posterior import (
    Likelihoods,
    PublicMission,
    PublicRecord,
    hypotheses,
    learned,
    log_likelihoods,
    posterior,
    weights,
)
from tests.real.made_up_avalon import FAILED, NAME, avalon_game, likelihoods, simulated
from tests.refusals import refuses


def plain(record, by, evidence):
    """The posterior by Bayes' rule, one hypothesis after the other, without logarithms."""
    everybody = range(record.players)
    chances = []
    for after in range(1, len(record.played) + 1):
        weight = {}
        for evil in combinations(everybody, record.evil):
            for merlin in [seat for seat in everybody if seat not in evil] if record.has_merlin else [None]:
                kind = ["evil" if seat in evil else "merlin" if seat == merlin else "good" for seat in everybody]
                weight[evil, merlin] = prod(
                    chance
                    for at, mission in enumerate(record.missions[:after])
                    for chance in _chances(record, by, evidence, kind, at, mission)
                )
        total = sum(weight.values())
        is_evil = [sum(one for (evil, _), one in weight.items() if seat in evil) / total for seat in everybody]
        is_merlin = [sum(one for (_, merlin), one in weight.items() if seat == merlin) / total for seat in everybody]
        chances.append((is_evil, is_merlin))
    return np.array(chances).transpose(1, 0, 2)


def _chances(record, by, evidence, kind, at, mission):
    """How likely each vote and the fails of a mission are, if these are the kinds of people."""
    failed = sum(one.fails >= one.fails_required for one in record.missions[:at])
    if evidence != "missions":
        for team, approving in mission.proposals:
            members = min(sum(kind[seat] == "evil" for seat in team), 2)
            kinds = ["evil good merlin".split().index(word) for word in kind]
            approve = [by.approve[of, at, members, int(seat in team)] for seat, of in enumerate(kinds)]
            yield _votes(approve, approving)
            if "voters" in evidence:
                yield 1 / sum(_votes(approve, who) for who in combinations(range(record.players), len(approving)))
    if evidence not in ("votes", "voters"):
        members = sum(kind[seat] == "evil" for seat in mission.proposals[-1][0])
        yield by.fails[members, at - failed, failed, mission.fails]


def _votes(approve, approving):
    """How likely just these approve."""
    return prod(yes if seat in approving else 1 - yes for seat, yes in enumerate(approve))


@pytest.mark.parametrize("evidence", ["missions", "votes", "both", "voters", "missions and voters"])
@pytest.mark.parametrize(("players", "evil", "merlin"), [(5, 2, True), (5, 2, False), (6, 2, True), (7, 3, True)])
def test_the_posterior_is_the_enumeration(players, evil, merlin, evidence):
    by = likelihoods(evil, seed=players)
    record, _, _ = simulated(np.random.default_rng(players), players, evil, merlin, by)
    found = np.array(posterior(record, by, evidence))
    assert np.allclose(found, plain(record, by, evidence), rtol=0, atol=1e-12)
    assert np.allclose(found[0].sum(1), evil) and np.allclose(found[1].sum(1), merlin)


def test_a_recorded_game_is_read_in_the_same_way():
    by = likelihoods(2, seed=1)
    record = held_out.public(game(avalon_game(FAILED), NAME))
    assert np.allclose(posterior(record, by), plain(record, by, "both"), rtol=0, atol=1e-12)


def test_two_fails_of_two_tell_all():
    record = PublicRecord(5, 2, True, (PublicMission((((1, 3), (0, 1, 2)),), 2),))
    evil, merlin = posterior(record, likelihoods(2, 3), "missions")
    assert evil.tolist() == [[0, 1, 0, 1, 0]] and np.allclose(merlin, [[1 / 3, 0, 1 / 3, 0, 1 / 3]])


def test_what_nobody_went_on_is_not_used():
    went = PublicMission((((0, 1), (0, 1, 2)),), 0)
    rejected = PublicMission((((0, 1, 2), (0,)),) * 5, None)
    by = likelihoods(2, 3)
    one, other = PublicRecord(5, 2, True, (went,)), PublicRecord(5, 2, True, (went, rejected))
    assert np.array_equal(posterior(one, by), posterior(other, by))
    assert posterior(PublicRecord(5, 2, True, (rejected,)), by)[0].shape == (0, 5)


def test_a_mission_that_bears_a_fail_succeeds():
    """What is likely on the second mission then goes by one success and not by one failure."""
    fails = np.zeros((3, 3, 3, 3))
    fails[0, ..., 0] = fails[1, ..., 1] = fails[2, ..., 2] = 1
    fails[1, 1, 0] = [0.75, 0.25, 0]
    by = Likelihoods(np.full((3, 5, 3, 2), 0.5), fails)
    teams = [PublicMission((((0, 1), (0, 1, 2)),), 1, 2), PublicMission((((0, 2), (0, 1, 2)),), 1)]
    evil, _ = posterior(PublicRecord(5, 2, False, tuple(teams)), by)
    # One of seats 0 and 1, and one of 0 and 2: {0, 3} and {0, 4}, or {1, 2}; each plays its one fail with 1/4.
    assert np.allclose(evil[1], [2 / 3, 1 / 3, 1 / 3, 1 / 3, 1 / 3])


def test_frequencies_are_learned_with_a_half_added():
    missions = (PublicMission((((0, 1), (0,)), ((0, 3), (0, 1, 3))), 1), PublicMission((((1, 2), (1, 2, 4)),), 0))
    by = learned([(PublicRecord(5, 2, True, missions), {3, 4}, 0)], 2)
    approve = np.full((3, 5, 3, 2), 0.5)
    approve[0, 0, 0, 0] = 0.5 / 3  # both evil seats rejected the first team, which had neither
    approve[1, 0, 0] = [0.25, 0.25]  # seat 2 outside, seat 1 inside it
    approve[2, 0, 0, 1] = approve[2, 0, 1, 1] = approve[0, 0, 1, 1] = 0.75
    approve[0, 0, 1, 0] = 0.25
    approve[1, 0, 1, 0] = 0.5  # seat 1 approved the second team, seat 2 did not
    approve[0, 1, 0, 0] = 0.5  # seat 4 approved the third team, seat 3 did not
    approve[1, 1, 0, 1] = 2.5 / 3
    approve[2, 1, 0, 0] = 0.25
    assert np.allclose(by.approve, approve)
    assert by.fails[1, 0, 0].tolist() == [0.25, 0.75, 0] and by.fails[1, 0, 1].tolist() == [0.5, 0.5, 0]
    assert by.fails[0, 0, 1].tolist() == [1, 0, 0] and np.allclose(by.fails[2, 1, 1], 1 / 3)


def test_true_likelihoods_are_calibrated():
    """1,500 tables of seven, chances known: in each bin as many are evil as the posterior says, and so is Merlin.

    Seats of one table depend on each other, which sums over tables allow for. If all is right, the test fails for one
    seed in a thousand: at the normal error of any of the bins with at least 100 tables.
    """
    rng, by = np.random.default_rng(5), likelihoods(3, seed=8)
    rows = []
    for table in range(1500):
        record, seats, merlin = simulated(rng, 7, 3, True, by)
        for evidence in ("missions", "both", "voters"):
            evil, is_merlin = (chances[-1] for chances in posterior(record, by, evidence))
            for seat in range(7):
                rows.append((table, evidence, "evil", evil[seat], seat in seats))
                rows.append((table, evidence, "merlin", is_merlin[seat], seat == merlin))
    frame = pd.DataFrame(rows, columns=["table", "evidence", "what", "chance", "is"])
    frame["bin"], frame["off"] = (frame["chance"] * 10).clip(upper=9.999).astype(int), frame["is"] - frame["chance"]
    by_table = frame.groupby(["evidence", "what", "bin", "table"])["off"].sum()
    bins = by_table.groupby(level=["evidence", "what", "bin"]).agg(["sum", "size", lambda off: (off**2).sum() ** 0.5])
    assert len(bins) > 45
    large = bins[bins["size"] >= 100]
    assert len(large) >= 35
    scores = large["sum"].abs() / large.iloc[:, 2]
    assert scores.max() < stats.norm.isf(0.0005 / len(large)), scores


def test_learning_finds_what_people_do():
    """From 400 simulated tables each chance is found within 5 of its standard errors where there are 50 votes."""
    rng, by = np.random.default_rng(2), likelihoods(2, seed=4)
    tables = [simulated(rng, 5, 2, True, by) for _ in range(400)]
    found, none = learned(tables, 2), learned([], 2)
    assert (none.approve == 0.5).all() and np.allclose(none.fails[2, 0, 0], 1 / 3)
    votes = np.zeros((3, 5, 3, 2))
    for record, seats, merlin in tables:
        for at, mission in enumerate(record.missions):
            for team, _ in mission.proposals:
                members = min(len({*team} & {*seats}), 2)
                for seat in range(5):
                    votes[0 if seat in seats else 2 if seat == merlin else 1, at, members, int(seat in team)] += 1
    many = votes >= 50
    errors = np.sqrt(by.approve * (1 - by.approve) / np.maximum(votes, 1))
    off = np.abs(found.approve - by.approve)[many] / errors[many]
    assert many.sum() > 30 and off.max() < 5


def test_held_out_counts():
    """Batch 0 teaches, batch 1 is tried: by hand from the fails of the first mission."""
    strangers = [
        game(avalon_game(FAILED, persons="abcde"), NAME),
        game(avalon_game(shot="a", persons="fghij"), NAME),
        game(avalon_game(persons="fghij"), NAME),
    ]
    found = held_out.counts(strangers)
    surprise = found["surprise"].set_index(["after_mission", "evidence"])
    # A team of two without a fail. Of one evil member nothing was learned: a half. Two of two once played two fails.
    fails = {0: 1, 1: 1 / 2, 2: 0.5 / 2.5}
    total = 3 * fails[0] + 6 * fails[1] + fails[2]
    assert surprise.loc[(1, "missions"), "bits"] == pytest.approx(2 * -log2(1 / total), abs=1e-3)
    assert (surprise["prior_bits"] == round(2 * log2(comb(5, 2)), 3)).all() and (surprise["batch"] == 1).all()
    seats = found["posterior"].query("after_mission == 1 and evidence == 'missions'")
    # Two seats in the team, three outside; the evil ones, seats 3 and 4, are outside.
    inside = (3 * fails[1] + fails[2]) / total
    outside = (2 - 2 * inside) / 3
    assert seats[["bin", "seats", "evil"]].values.tolist() == [[int(20 * inside), 4, 0], [int(20 * outside), 6, 4]]
    assert seats["expected"].tolist() == pytest.approx([4 * inside, 6 * outside], abs=1e-3)
    shooter, by_votes = found["shooter"].to_dict("records")
    assert (shooter["evidence"], by_votes["evidence"]) == ("voters", "votes")
    assert [shooter[key] for key in ("players", "missions_played", "batch", "games", "hits_people")] == [5, 4, 1, 2, 1]
    assert shooter["chance_hits"] == 0.667


def test_the_best_shot():
    """Merlin is who votes as Merlin does; where nothing tells, each seat has its part."""
    played = game(avalon_game(shot="a"), NAME)
    of = hypotheses(5, 2, True)
    even = np.zeros(len(of.merlin))
    assert isclose(held_out.best_shot(played, even), 1 / 3)
    assert held_out.best_shot(played, even + (of.merlin == 0)) == 1
    assert held_out.best_shot(played, even + (of.merlin == 2)) == 0
    assert held_out.best_shot(played, even - (of.merlin == 2) * log(3)) == 0.5


WENT = PublicMission((((0, 1), (0, 1, 2)),), 0)
SURE = likelihoods(2, 1)


def broken(**changes):
    """A record with other fields."""
    return lambda: PublicRecord(**{"players": 5, "evil": 2, "has_merlin": True, "missions": (WENT,)} | changes)


def other(**changes):
    """Likelihoods with other fields."""
    return lambda: Likelihoods(**{"approve": SURE.approve, "fails": SURE.fails} | changes)


LOOSE = SURE.fails.copy()
LOOSE[0, 0, 0] = [0.5, 0.5, 0]

test_bad_input_is_refused = refuses(
    (broken(players=11), "players = 11: a whole number from 2 to 10 is needed"),
    (broken(evil=5), "evil = 5: a whole number from 1 to 4 is needed"),
    (broken(has_merlin=1), "has_merlin = 1: True or False is needed"),
    (broken(missions=(WENT,) * 6), "number of missions = 6: a whole number from 0 to 5 is needed"),
    (broken(missions=(WENT,) * 4), r"missions\[3\]: the game was over before"),
    (broken(missions=(PublicMission((((0, 5), ()),), 0),)), r"seat in missions\[0\] = 5: a whole number from 0 to 4"),
    (broken(missions=(PublicMission((), 0),)), r"missions\[0\].proposals = \(\): the team that went is needed"),
    (broken(missions=(PublicMission(WENT.proposals, 3),)), r"missions\[0\].fails = 3: a whole number from 0 to 2"),
    (broken(missions=(PublicMission(WENT.proposals, 0, 0),)), r"missions\[0\].fails_required = 0: a whole number"),
    (broken(missions=(PublicMission((), None), WENT)), r"missions\[0\].fails = None: a whole number is needed before"),
    (other(approve=np.ones((3, 5, 3, 2))), r"approve, of shape \(3, 5, 3, 2\): .* all between 0 and 1, is needed"),
    (other(approve=[0.5]), r"approve, of shape \(1,\)"),
    (other(fails=[0.5]), r"fails, of shape \(1,\): \(evil \+ 1, 3, 3, evil \+ 1\) is needed"),
    (other(fails=SURE.fails * 0.9), "fails: probabilities that add up to 1 are needed"),
    (other(fails=LOOSE), "fails: as many fails as evil members at most are needed"),
    (lambda: learned([], 0), "evil = 0: a whole number from 1 to 9 is needed"),
    (lambda: learned([], 2, 0), "smoothing = 0: a finite number above 0 is needed"),
    (lambda: learned([(broken()(), {1}, 0)], 2), r"evil seats \[1\]: 2 are needed"),
    (
        lambda: weights(broken()(), SURE, "talk"),
        "evidence = 'talk': one of 'missions', 'votes', 'both', 'voters', 'mis",
    ),
    (lambda: log_likelihoods(broken(evil=3)(), SURE), "likelihoods.fails is for 2 evil seats: 3 are needed"),
    (
        lambda: posterior(
            broken(missions=tuple(PublicMission(((team, (0,)),), 2) for team in ((0, 1), (2, 3))))(), SURE
        ),
        "record.missions: no set of evil seats can have played these fails",
    ),
)
