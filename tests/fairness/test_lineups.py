"""Which labels can be told from persons: against exact ranks, against least squares, against named cases."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gamebalance.fairness import judge, read_games
from gamebalance.fairness.lineups import lineups, told
from tests.fairness.clubs import club, free_for_all


def games_of(*line_ups, winners=None):
    """Games from texts such as "wolf Ann, village Ben": the first of each game wins, or the one that is named."""
    rows = []
    for game, line_up in enumerate(line_ups):
        for place, member in enumerate(line_up.split(", ")):
            rows.append((game, *member.split(), int(place == (winners or {}).get(game, 0))))
    return read_games(pd.DataFrame(rows, columns=["game", "role", "player", "won"]))


def rank(rows):
    """The rank of a matrix of fractions, by elimination."""
    rows, found = [list(map(Fraction, row)) for row in rows], 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((place for place in range(found, len(rows)) if rows[place][column]), None)
        if pivot is None:
            continue
        rows[found], rows[pivot] = rows[pivot], rows[found]
        for place in range(found + 1, len(rows)):
            factor = rows[place][column] / rows[found][column]
            rows[place] = [one - factor * other for one, other in zip(rows[place], rows[found], strict=True)]
        found += 1
    return found


#: Games of two to four contestants: for each its role and its person.
DESIGNS = st.lists(
    st.integers(2, 4).flatmap(
        lambda size: st.tuples(
            st.lists(st.integers(0, 3), min_size=size, max_size=size), st.permutations(range(5)).map(lambda p: p[:size])
        )
    ),
    min_size=1,
    max_size=6,
)


def differences(design, roles, persons):
    """Each contestant of each game less the first, in whole numbers: roles and persons."""
    labelled, who = [], []
    for role, person in design:
        for place in range(1, len(role)):
            labelled.append([(role[place] == one) - (role[0] == one) for one in roles])
            who.append([(person[place] == one) - (person[0] == one) for one in persons])
    return labelled, who


@given(DESIGNS)
def test_what_can_be_told_is_what_ranks_say(design):
    rows = [
        (game, f"role {role}", f"person {person}", int(place == 0))
        for game, (roles, persons) in enumerate(design + design)
        for place, (role, person) in enumerate(zip(roles, persons, strict=True))
    ]
    frame = pd.DataFrame(rows, columns=["game", "role", "player", "won"])
    frame["side"] = frame["player"]  # players win alone
    assume(frame["role"].nunique() > 1)
    seen = told(lineups(read_games(frame), ("role",)))
    roles = [int(label.split()[1]) for _, label in seen.lineups.labels]
    labelled, who = differences(design, roles, range(5))
    joint = [one + other for one, other in zip(labelled, who, strict=True)]
    assert seen.contrasts.shape[1] == rank(labelled)
    assert seen.contrasts_without().shape[1] == rank(joint) - rank(who)
    groups = {label: number for number, group in enumerate(seen.groups("role")) for label in group}
    for one in range(len(roles)):
        for other in range(one):
            pair = [(place == one) - (place == other) for place in range(len(roles))]
            if rank([*labelled, pair]) == rank(labelled):  # else these two could not be compared anyway
                is_told = rank([*joint, pair + 5 * [0]]) == rank(joint)
                names = [f"role {roles[place]}" for place in (one, other)]
                assert (groups[names[0]] == groups[names[1]]) == is_told
    assert (len(seen.groups("role")) == 1) == (rank(joint) - rank(who) == rank(labelled))
    assert (seen.information > 0).all() == seen.is_told(seen.slopes).all()


def test_whoever_always_plays_the_same_hides_the_difference():
    same = games_of(*["wolf Ann, village Ben", "wolf Cid, village Ben", "wolf Ann, village Dan"] * 3)
    seen = told(lineups(same, ("role",)))
    assert seen.groups("role") == [["wolf"], ["village"]] and seen.is_hidden_by_persons("role")
    assert seen.information.tolist() == [0, 0]
    changed = games_of(*["wolf Ann, village Ben", "wolf Cid, village Ben", "wolf Ben, village Ann"] * 3)
    seen = told(lineups(changed, ("role",)))
    assert seen.groups("role") == [["wolf", "village"]] and not seen.is_hidden_by_persons("role")


@pytest.mark.parametrize(
    ("line_ups", "liked"),
    [
        (["wolf Ann, village Ben", "wolf Ben, village Ann"], 0),
        (["wolf Ann, village Ben", "wolf Cid, village Ben"], 0),
        (["wolf Ann, village Ben", "wolf Ben, village Ann", "wolf Ann, village Ben"], 1),
        (["wolf Ann, village Ben, fox Cid", "wolf Ben, village Ann, fox Cid", "wolf Ann, village Ben, fox Cid"], 1),
        (["wolf Ann, village Ben, fox Cid", "wolf Ann, village Ben, fox Cid", "wolf Ben, village Cid, fox Ann"], 2),
    ],
)
def test_how_many_ways_there_are_to_like_a_role_without_always_playing_it(line_ups, liked):
    assert told(lineups(games_of(*line_ups * 2), ("role",))).liked == liked


def test_groups_of_people_who_never_meet_hide_nothing_that_each_of_them_shows():
    both = ["wolf Ann, village Ben", "village Ann, wolf Ben", "wolf Cid, village Dan", "village Cid, wolf Dan"]
    assert told(lineups(games_of(*both), ("role",))).groups("role") == [["wolf", "village"]]
    apart = ["wolf Ann, village Ben", "village Ann, wolf Ben", "fox Cid, hen Dan", "hen Cid, fox Dan"]
    assert told(lineups(games_of(*apart), ("role",))).contrasts_without().shape[1] == 2
    fixed = ["wolf Ann, village Ben, fox Cid, hen Dan", "village Ann, wolf Ben, hen Cid, fox Dan"]
    seen = told(lineups(games_of(*fixed * 2), ("role",)))
    assert seen.groups("role") == [["wolf", "village"], ["fox", "hen"]] and not seen.information.any()


def test_a_role_that_always_sits_in_the_same_seat_cannot_be_told_from_it():
    frame, _ = club(1, games=40)
    frame["seat"] = np.where(frame["side"] == "wolves", 1, 2)
    seen = told(lineups(read_games(frame), ("side", "seat")))
    assert len(seen.groups("side")) == len(seen.groups("seat")) == 2
    assert not seen.is_hidden_by_persons("side")
    assert seen.is_told(seen.slopes).all() and not seen.is_told(seen.own(seen.slopes)).any()


@pytest.mark.parametrize("seed", range(3))
def test_information_is_the_part_of_the_variance_that_persons_do_not_explain(seed):
    """By least squares: a column for wolves, within games, and what columns for persons leave of it."""
    frame, _ = club(seed, people=7, games=60, wolves=2, players=5, liking=1.5)
    seen = told(lineups(read_games(frame), ("side",)))
    sides = frame.groupby(["game", "side"])["player"]
    names = sorted(frame["player"].unique())
    who = pd.DataFrame({key: group.value_counts(normalize=True) for key, group in sides}).T.reindex(columns=names)
    who = who.fillna(0.0)
    ahead = (who.xs("wolves", level=1) - who.xs("village", level=1)).to_numpy()
    column = np.ones(len(ahead))
    left = column - ahead @ np.linalg.lstsq(ahead, column, rcond=1e-10)[0]
    np.testing.assert_allclose(seen.information, np.square(left).sum() / len(ahead), rtol=1e-9)


@pytest.mark.parametrize("kinds", [("side",), ("seat", "side")])
def test_plays_shares_and_even_shares_are_those_of_the_verdict(kinds):
    frame, _ = club(4, games=60, wolves=2, players=5)
    frame.loc[frame["game"] % 7 == 0, "won"] = 0  # nobody won these
    games = read_games(frame, draws=True)
    table = lineups(games, kinds)
    for kind in kinds:
        verdict, places = judge(games, kind), table.of(kind)
        assert [table.labels[place] for place in places] == [(kind, label) for label in verdict.shares.index]
        for mine, theirs in (("counts", "plays"), ("shares", "shares"), ("even", "even")):
            np.testing.assert_allclose(getattr(table, mine)[places], getattr(verdict, theirs), atol=1e-9)


@pytest.mark.parametrize("case", ["sides", "players"])
def test_chances_of_labels_line_up_by_line_up(case):
    if case == "sides":
        frame, _ = club(5, games=30, wolves=2, players=5)
        frame["role"] = np.where(frame["side"] == "wolves", "wolf", np.where(frame["seat"] == 1, "seer", "villager"))
        kinds, side = ("role", "seat"), "side"
    else:
        frame = free_for_all(5, games=30, players=4)
        kinds, side = ("seat",), "player"
    frame.loc[frame["game"] % 7 == 0, "won"] = 0
    table = lineups(read_games(frame, draws=True), kinds)
    effects = np.random.default_rng(6).normal(size=len(table.labels))
    chance, slope = table.chances(effects)
    values = dict(zip(table.labels, effects, strict=True))
    frame["strength"] = sum(frame[kind].map({b: e for (a, b), e in values.items() if a == kind}) for kind in kinds)
    odds = np.exp(frame.groupby(["game", side])["strength"].transform("mean"))
    total = odds.groupby([frame["game"], frame[side]]).first().groupby(level=0).sum()
    frame["chance"] = odds / frame["game"].map(total) * (frame["game"] % 7 != 0)
    expected = [frame.loc[frame[kind] == label, "chance"].mean() for kind, label in table.labels]
    np.testing.assert_allclose(chance, expected, rtol=1e-12)
    for place in range(len(effects)):
        step = 1e-6 * (np.arange(len(effects)) == place)
        differences = (table.chances(effects + step)[0] - table.chances(effects - step)[0]) / 2e-6
        np.testing.assert_allclose(slope[:, place], differences, atol=1e-8)
