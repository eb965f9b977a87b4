"""What an outsider can know of a table's roles: as a plain enumeration says."""

from dataclasses import replace
from itertools import combinations
from math import prod

import numpy as np
import pytest

from gamebalance.games.avalon import BOARDS, AtRandom, Public, games
from gamebalance.games.avalon.posterior import (
    EVIDENCE,
    KINDS,
    Likelihoods,
    evil_chances,
    hypotheses,
    learned,
    log_likelihoods,
    weights,
)


def likelihoods(evil: int, seed: int) -> Likelihoods:
    """Some likelihoods, far from even, of a table with so many evil seats."""
    rng = np.random.default_rng(seed)
    fails = np.zeros((evil + 1, 3, 3, evil + 1))
    for members in range(evil + 1):
        fails[members, ..., : members + 1] = rng.dirichlet(np.ones(members + 1), (3, 3))
    return Likelihoods(rng.uniform(0.1, 0.9, (3, 5, 3, 2)), fails)


def posterior(public, has_merlin, by, evidence):
    """How likely each seat is evil after each mission."""
    chances = weights(log_likelihoods(public, has_merlin, by), evidence)
    return evil_chances(hypotheses(public.board, has_merlin), chances)


def plain(public, has_merlin, by, evidence):
    """The same by Bayes' rule, one hypothesis after the other, without logarithms."""
    everybody = range(public.board.players)
    chances = []
    for after in range(1, len(public.missions) + 1):
        weight = {}
        for evil in combinations(everybody, public.board.evil):
            for merlin in [seat for seat in everybody if seat not in evil] if has_merlin else [None]:
                kinds = ["evil" if seat in evil else "merlin" if seat == merlin else "good" for seat in everybody]
                weight[evil, merlin] = prod(
                    chance for at in range(after) for chance in _chances(public, by, evidence, kinds, at)
                )
        total = sum(weight.values())
        chances.append([sum(one for (evil, _), one in weight.items() if seat in evil) / total for seat in everybody])
    return np.array(chances)


def _chances(public, by, evidence, kinds, at):
    """How likely each vote and the fails of a mission are, if these are the kinds of people."""
    mission, needed = public.missions[at], public.board.fails_needed
    failed = sum(one.fails >= least for one, least in zip(public.missions[:at], needed, strict=False))
    if evidence != "missions":
        for _, team, approving in mission.proposals:
            members = min(sum(kinds[seat] == "evil" for seat in team), 2)
            approve = [by.approve[KINDS.index(of), at, members, int(seat in team)] for seat, of in enumerate(kinds)]
            yield _votes(approve, approving)
            if "voters" in evidence:
                sets = combinations(range(len(kinds)), len(approving))
                yield 1 / sum(_votes(approve, who) for who in sets)
    if evidence not in ("votes", "voters"):
        members = sum(kinds[seat] == "evil" for seat in mission.team)
        yield by.fails[members, at - failed, failed, mission.fails]


def _votes(approve, approving):
    """How likely just these approve."""
    return prod(yes if seat in approving else 1 - yes for seat, yes in enumerate(approve))


@pytest.mark.parametrize("evidence", EVIDENCE)
@pytest.mark.parametrize(("players", "special"), [(5, ["merlin"]), (5, []), (6, ["merlin"]), (7, ["merlin"])])
def test_the_posterior_is_the_enumeration(players, special, evidence):
    board = BOARDS[players]
    (game,) = games(board, special, AtRandom(fail=0.6), 1, seed=4)
    by = likelihoods(board.evil, seed=players)
    found = posterior(game.public, bool(special), by, evidence)
    assert len(found) >= 3
    assert np.allclose(found, plain(game.public, bool(special), by, evidence), rtol=0, atol=1e-12)
    assert np.allclose(found.sum(1), board.evil)


def table(*missions, board=BOARDS[5]):
    """A table at which all of seats 0, 1 and 2 approve teams that play so many fails, seat 0 alone what is rejected."""
    public = Public(board)
    for team, fails in missions:
        public = public.voted(team, (0,) if fails is None else (0, 1, 2))
        public = public if fails is None else public.played(fails)
    return public


def test_what_nobody_went_on_is_not_used():
    by = likelihoods(2, 3)
    rejected = [((0, 1, 2), None)] * 5
    one, other = (posterior(table(((0, 1), 0), *more), True, by, "both") for more in ((), rejected))
    assert np.array_equal(one, other) and table(((0, 1), 0), *rejected).lost


def test_a_mission_that_bears_a_fail_succeeds():
    """What is likely on the second mission then goes by one success and not by one failure.

    One of seats 0 and 1, and one of 0 and 2: {0, 3} and {0, 4}, or {1, 2}; each plays its one fail with 1/4.
    """
    fails = np.zeros((3, 3, 3, 3))
    fails[0, ..., 0] = fails[1, ..., 1] = fails[2, ..., 2] = 1
    fails[1, 1, 0] = [0.75, 0.25, 0]
    board = replace(BOARDS[5], sizes=(2, 2, 2, 3, 3), fails_needed=(2, 1, 1, 1, 1))
    public = table(((0, 1), 1), ((0, 2), 1), board=board)
    assert public.scores == [(0, 0), (1, 0)]
    evil = posterior(public, False, Likelihoods(np.full((3, 5, 3, 2), 0.5), fails), "missions")
    assert np.allclose(evil[1], [2 / 3, 1 / 3, 1 / 3, 1 / 3, 1 / 3])


def test_frequencies_are_learned_with_a_half_added():
    public = Public(BOARDS[5]).voted((0, 1), (0,)).voted((0, 3), (0, 1, 3)).played(1).voted((1, 2, 0), (1, 2))
    by = learned([(public, ["merlin", "percival", "loyal", "morgana", "minion"])], 2)
    approve = np.full((3, 5, 3, 2), 0.5)
    approve[0, 0, 0, 0] = 0.5 / 3  # both evil seats rejected the first team, which had neither
    approve[1, 0, 0] = [0.25, 0.25]  # seat 2 outside, seat 1 inside it
    approve[2, 0, 0, 1] = approve[2, 0, 1, 1] = approve[0, 0, 1, 1] = 0.75
    approve[0, 0, 1, 0] = 0.25
    approve[1, 0, 1, 0] = 0.5  # seat 1 approved the second team, seat 2 did not
    approve[0, 1, 0, 0] = 0.5 / 3  # the third team, rejected: nobody evil approved it, and not seat 0
    approve[1, 1, 0, 1] = 2.5 / 3
    approve[2, 1, 0, 1] = 0.25
    assert np.allclose(by.approve, approve)
    assert by.fails[1, 0, 0].tolist() == [0.25, 0.75, 0] and by.fails[1, 0, 1].tolist() == [0.5, 0.5, 0]
    assert by.fails[0, 0, 1].tolist() == [1, 0, 0] and np.allclose(by.fails[2, 1, 1], 1 / 3)
