"""What a vote tells: bits by hand, none where there are none, and recorded ones counted again."""

from collections import Counter, defaultdict
from math import log, log2
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from chapters.real import avalon_votes as votes
from gamebalance import publish
from tests.refusals import refuses

COLUMNS = [*votes.COLUMNS, "votes"]


def table(rows, **columns) -> pd.DataFrame:
    """Rows of what is not as in these columns: five players, first mission, a good voter who does not go."""
    usual = dict(players=5, mission=1, evil_in_team=0, voter="good", voter_in_team=0, approved=0, batch=0, votes=1)
    return pd.DataFrame([usual | columns | row for row in rows], columns=COLUMNS)


def cells(counts, batches: int = 2, **columns) -> pd.DataFrame:
    """Counts by (evil in team, approved), the same in each batch."""
    return table(
        [
            dict(evil_in_team=evil, approved=approved, votes=count, batch=batch)
            for (evil, approved), count in counts.items()
            for batch in range(batches)
        ],
        **columns,
    )


def plain_bits(rows, of: str, given) -> float:
    """The information with dictionaries: entropy of what is told less that given the vote, less the mean excess."""
    groups, total = defaultdict(Counter), 0
    for row in rows.to_dict("records"):
        told = row["evil_in_team"] if of == "evil_in_team" else row["voter"] == "evil"
        groups[tuple(row[name] for name in given)][told, row["approved"]] += row["votes"]
        total += row["votes"]
    found = 0.0
    for group in groups.values():
        count = sum(group.values())
        told, vote = (Counter(), Counter())
        for (one, other), times in group.items():
            told[one] += times
            vote[other] += times
        entropy = sum(-times / count * log2(times / count) for times in told.values() if times)
        left = sum(-times / count * log2(times / vote[pair[1]]) for pair, times in group.items() if times)
        varies = sum(times > 0 for times in told.values()) == sum(times > 0 for times in vote.values()) == 2
        found += count / total * (entropy - left - varies / (2 * count * log(2)))
    return found


def entropy(chance: float) -> float:
    return -chance * log2(chance) - (1 - chance) * log2(1 - chance)


def test_a_table_by_hand():
    """Of 100 votes: 40 and 10 on clean teams, 20 and 30 on others."""
    rows = cells({(0, 1): 40, (0, 0): 10, (1, 1): 20, (1, 0): 30})
    by_hand = 1 - 0.6 * entropy(20 / 60) - 0.4 * entropy(10 / 40)
    assert votes.bits(rows).estimate == pytest.approx(by_hand - 1 / (2 * 200 * log(2)), abs=1e-9)
    assert votes.approves(rows).estimate == pytest.approx(0.6) and votes.approves(rows).error == 0


@pytest.mark.parametrize("clean", [0.5, 0.25, 0.01])
def test_votes_that_tell_all_are_worth_the_entropy(clean):
    count = 10**6
    rows = cells({(0, 1): int(clean * count), (1, 0): int((1 - clean) * count)})
    assert votes.bits(rows).estimate == pytest.approx(entropy(clean) - 1 / (4 * count * log(2)), abs=1e-9)


def test_votes_that_tell_nothing_have_no_bits_on_the_average():
    """150 made-up sets of counts with eight groups of 150 votes each.

    Without the correction the mean would be 1 / (300 ln 2), some 30 standard errors; with it the mean is 0 but for
    terms of the next order, 25 times less. Five standard errors are left once in a million.
    """
    rng, count = np.random.default_rng(12), 150
    keys = [(mission, goes) for mission in (1, 2, 3, 4) for goes in (0, 1)]
    found = []
    for _ in range(150):
        chances = rng.uniform(0.3, 0.7, (2, len(keys)))
        evil, approved = rng.random((2, len(keys), count)) < chances[..., None]
        times = np.zeros((len(keys), 2, 2, 2), int)
        where = np.repeat(np.arange(len(keys)), count), evil.ravel().astype(int), approved.ravel().astype(int)
        np.add.at(times, (*where, np.tile(np.arange(count) % 2, len(keys))), 1)
        rows = [
            (5, keys[at][0], team, "good", keys[at][1], vote, batch, times[at, team, vote, batch])
            for at, team, vote, batch in np.ndindex(times.shape)
        ]
        found.append(votes.bits(pd.DataFrame(rows, columns=COLUMNS), given=["mission", "voter_in_team"]).estimate)
    error = np.std(found, ddof=1) / np.sqrt(len(found))
    assert abs(np.mean(found)) < 5 * error < 1 / (2 * count * log(2)) / 4 and min(found) < 0


def test_what_is_known_besides_counts():
    """On one mission they approve clean teams, on the other the others: together nothing, each for itself all."""
    rows = pd.concat(
        [
            cells({(0, 1): 500, (1, 0): 500}, mission=1),
            cells({(0, 0): 500, (1, 1): 500}, mission=2),
        ]
    )
    together = votes.bits(rows, given=[])
    assert together.estimate == pytest.approx(-1 / (2 * 4000 * log(2)), abs=1e-9)
    assert votes.bits(rows).estimate == together.estimate  # there are five players throughout
    assert votes.bits(rows, given=["mission"]).estimate == pytest.approx(1 - 2 / (2 * 4000 * log(2)), abs=1e-9)
    # The mean is weighed by votes: of 4,000, 3,000 tell one bit and 1,000 nothing.
    rows = pd.concat(
        [
            cells({(0, 1): 750, (1, 0): 750}, mission=1),
            cells(dict.fromkeys([(0, 0), (0, 1), (1, 0), (1, 1)], 125), mission=2),
        ]
    )
    found = votes.bits(rows, given=("mission",)).estimate
    assert found == pytest.approx(0.75 - 2 / (2 * 4000 * log(2)), abs=1e-9)


def test_nothing_is_taken_off_where_nothing_can_vary():
    one_sided = cells({(1, 0): 30, (1, 1): 50}, mission=1)
    assert votes.bits(one_sided).estimate == 0 and votes.bits(one_sided).error == 0
    all_approve = cells({(0, 1): 30, (1, 1): 50}, mission=3)
    assert votes.bits(pd.concat([one_sided, all_approve]), given=["mission"]).estimate == 0
    telling = cells({(0, 1): 500, (1, 0): 500}, mission=2)
    found = votes.bits(pd.concat([one_sided, all_approve, telling]), given=["mission"]).estimate
    assert found == pytest.approx((2000 - 1 / (2 * log(2))) / 2320, abs=1e-9)


def test_of_the_voter():
    """Evil ones approve 9 of 10, the good and Merlin one in ten; half of the voters are evil."""
    counts = {("evil", 1): 180, ("evil", 0): 20, ("good", 1): 15, ("good", 0): 135, ("merlin", 1): 5, ("merlin", 0): 45}
    rows = table(
        dict(voter=voter, approved=vote, votes=count, batch=batch)
        for (voter, vote), count in counts.items()
        for batch in (0, 1)
    )
    found = votes.bits(rows, "evil_voter").estimate
    assert found == pytest.approx(1 - entropy(0.1) - 1 / (2 * 800 * log(2)), abs=1e-9)
    assert votes.bits(rows).estimate == 0  # the team is always clean
    # Given who is evil there is nothing left to tell of the team.
    assert votes.bits(rows, given=["evil_voter"]).estimate == 0


def made_up(seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    rows = [
        (players, mission, evil, voter, goes, approved, batch, int(rng.integers(1, 30)))
        for players in (5, 6)
        for mission in (1, 4)
        for evil in (0, 1)
        for voter in votes.KINDS
        for goes in (0, 1)
        for approved in (0, 1)
        for batch in (0, 3, 7)
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def test_names_and_order_make_no_difference():
    rows = made_up(1)
    found = votes.bits(rows, given=["players", "mission"])
    for other in (
        rows.assign(approved=1 - rows["approved"]),
        rows.assign(evil_in_team=1 - rows["evil_in_team"]),
        rows.assign(players=11 - rows["players"]),
        rows.sample(frac=1, random_state=2),
        pd.concat([rows.assign(votes=rows["votes"] // 3), rows.assign(votes=rows["votes"] - rows["votes"] // 3)]),
        pd.concat([rows, rows.assign(players=9, votes=0)]),
    ):
        assert votes.bits(other, given=["mission", "players"]) == pytest.approx(found, abs=1e-9, nan_ok=True)
    # More groups never lower what is told before the correction, and this hangs on the number of votes alone.
    excess = 1 / (2 * rows["votes"].sum() * log(2))
    coarse, fine = (votes.bits(rows, given=given).estimate for given in ([], ["voter"]))
    tenfold = votes.bits(rows.assign(votes=10 * rows["votes"]), given=[]).estimate
    assert tenfold == pytest.approx(coarse + 0.9 * excess, abs=1e-9)
    assert fine + 3 * excess > 0 and coarse + excess > 0


@pytest.mark.parametrize("of", ["evil_in_team", "evil_voter"])
@pytest.mark.parametrize("given", [["players"], ["players", "voter_in_team", "mission"]])
def test_made_up_votes_by_a_recount(of, given):
    rows = made_up(3)
    found = votes.bits(rows, of, given)
    assert found.estimate == pytest.approx(plain_bits(rows, of, given), abs=1e-8)
    without = np.array([plain_bits(rows[rows["batch"] != batch], of, given) for batch in (0, 3, 7)])
    assert found.error == pytest.approx(np.sqrt(2 * without.var()), abs=1e-8)


@pytest.mark.parametrize(("voter", "goes"), [("good", 0), ("good", 1), ("merlin", 0), ("merlin", 1), ("evil", 0)])
def test_recorded_votes_by_a_recount(voter, goes, monkeypatch):
    monkeypatch.setenv("GAMEBALANCE_ROOT", str(Path(__file__).resolve().parents[2]))
    rows = publish.observed("avalon_votes")
    rows = rows[(rows["merlin"] == 1) & (rows["voter"] == voter) & (rows["voter_in_team"] == goes)]
    given = ["players", "mission"]
    found = votes.bits(rows, given=given)
    assert found.estimate == pytest.approx(plain_bits(rows, "evil_in_team", given), abs=1e-9)
    # Ten batches, not two or five: the others are left out one at a time.
    without = np.array([plain_bits(rows[rows["batch"] != batch], "evil_in_team", given) for batch in range(10)])
    assert found.error == pytest.approx(np.sqrt(9 * without.var()), abs=1e-9)
    said = votes.approves(rows)
    assert said.estimate == pytest.approx(rows.loc[rows["approved"] == 1, "votes"].sum() / rows["votes"].sum())


ROWS = made_up(4)

test_refused = refuses(
    (lambda: votes.bits(ROWS, "merlin"), "of = 'merlin': one of 'evil_in_team', 'evil_voter' is needed"),
    (lambda: votes.bits(ROWS, given=["seat"]), "votes = DataFrame: a table with a column seat is needed"),
    (lambda: votes.bits(ROWS, given=5), "given = 5: a list is needed"),
    (lambda: votes.bits(ROWS, given=["evil_in_team"]), r"given = \['evil_in_team'\]: columns other than evil_in_team"),
    (lambda: votes.bits(ROWS, "evil_voter", ["approved"]), r"given = \['approved'\]: columns other than evil_voter"),
    (lambda: votes.bits(ROWS.assign(evil_in_team=2)), r"votes.evil_in_team = 2: one of \[0, 1\] is needed"),
    (lambda: votes.bits(ROWS.replace("good", "loyal")), r"votes.voter = 'loyal': one of \['good', 'merlin', 'evil'\]"),
    (lambda: votes.bits(ROWS.drop(columns="votes")), "votes = DataFrame: a table with a column votes is needed"),
    (lambda: votes.bits(ROWS[ROWS["batch"] == 3]), "rows.batch has 1 batches: 2 or more are needed"),
    (lambda: votes.approves(ROWS.assign(approved=-1)), r"votes.approved = -1: one of \[0, 1\] is needed"),
    (lambda: votes.approves(ROWS.assign(mission=6)), r"votes.mission = 6: one of \[1, 2, 3, 4, 5\] is needed"),
)
