"""What an outsider can know of a table's roles: as a plain enumeration says."""

from dataclasses import replace
from itertools import combinations
from math import prod

import numpy as np
import pytest

from gamebalance.games.avalon import BOARDS, AtRandom, games
from gamebalance.games.avalon.posterior import (
    EVIDENCE,
    KINDS,
    Likelihoods,
    evil_chances,
    hypotheses,
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
@pytest.mark.parametrize("needed", [1, 2], ids=["", "two fails at first"])
def test_the_posterior_is_the_enumeration(players, special, evidence, needed):
    board = replace(BOARDS[players], fails_needed=(needed, *BOARDS[players].fails_needed[1:]))
    (game,) = games(board, special, AtRandom(fail=0.6), 1, seed=4)
    by = likelihoods(board.evil, seed=players)
    found = posterior(game.public, bool(special), by, evidence)
    assert len(found) >= 3
    assert np.allclose(found, plain(game.public, bool(special), by, evidence), rtol=0, atol=1e-12)
    assert np.allclose(found.sum(1), board.evil)
