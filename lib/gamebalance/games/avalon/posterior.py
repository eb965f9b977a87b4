"""What somebody who does not play can know of the roles at a table of Avalon, exactly: by Bayes' rule.

A hypothesis is a set of evil seats and, where there is one, Merlin's seat; before the first mission all are as likely.
Each vote, and each number of fails, is as likely under a hypothesis as `Likelihoods` say. Some groups approve nearly
all teams and some few, whoever they are; so one may look at the voters alone: who approved, given how many did.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from gamebalance.games.avalon.playing import Public
from gamebalance.games.avalon.rules import MERLIN, MISSIONS, TO_WIN, Board, is_evil

#: The kinds of people whose votes differ.
KINDS = ("evil", "good", "merlin")
#: What may be looked at, and of what it consists: fails, all votes, or who approved, given how many did.
EVIDENCE = {
    **{"missions": ("missions",), "votes": ("votes",), "both": ("votes", "missions")},
    **{"voters": ("voters",), "missions and voters": ("voters", "missions")},
}
#: Votes on teams with so many evil members, or more, are alike.
MANY = 2
#: What is added to each count of approvals, of rejections, and of each number of fails.
SMOOTHING = 0.5


class Likelihoods(NamedTuple):
    """How likely people are to do what all see.

    `approve`, shape (3, 5, 3, 2), is the chance of an approval by kind of voter (`KINDS`), mission from 0, evil members
    of the team (0, 1, 2 or more), and whether the voter is in the team. `fails`, shape (evil + 1, 3, 3, evil + 1), is
    the chance of each number of fails (last), by evil members of the team and missions that succeeded and failed
    before.
    """

    approve: np.ndarray
    fails: np.ndarray


class Hypotheses(NamedTuple):
    """All that can be: shape (h, players) whether each seat is evil; (h,) Merlin's seat, or -1; (h, players) kinds."""

    evil: np.ndarray
    merlin: np.ndarray
    kinds: np.ndarray


def kind(role: str) -> str:
    """The one of `KINDS` that a role is."""
    return "evil" if is_evil(role) else "merlin" if role == MERLIN else "good"


@lru_cache(maxsize=64)
def hypotheses(board: Board, has_merlin: bool) -> Hypotheses:
    """All hypotheses of a table, sets of evil seats in lexicographic order and Merlins by seat."""
    seats = range(board.players)
    pairs = [
        (evil, merlin) for evil in board.evil_sets for merlin in (sorted({*seats} - {*evil}) if has_merlin else [-1])
    ]
    evil = np.array([[seat in seats_of_evil for seat in seats] for seats_of_evil, _ in pairs])
    merlin = np.array([seat for _, seat in pairs])
    return Hypotheses(evil, merlin, np.where(evil, 0, np.where(merlin[:, None] == np.array(seats), 2, 1)))


def learned(tables: Iterable[tuple[Public, Sequence[str]]], evil: int) -> Likelihoods:
    """The frequencies at tables with known roles by seat, so many of them evil; a half is added to each count."""
    votes = np.full((2, len(KINDS), MISSIONS, MANY + 1, 2), SMOOTHING)
    fails = np.zeros((evil + 1, TO_WIN, TO_WIN, evil + 1))
    for members in range(evil + 1):
        fails[members, ..., : members + 1] = SMOOTHING if members else 1.0
    for public, roles in tables:
        kinds = [KINDS.index(kind(role)) for role in roles]
        seats = {seat for seat, role in enumerate(roles) if is_evil(role)}
        proposed = [mission.proposals for mission in public.missions] + [public.proposals]
        for at, proposals in enumerate(proposed):
            for _, team, approving in proposals:
                members = min(len(seats.intersection(team)), MANY)
                for seat, of in enumerate(kinds):
                    votes[int(seat in approving), of, at, members, int(seat in team)] += 1
        for mission, score in zip(public.missions, public.scores, strict=True):
            fails[(len(seats.intersection(mission.team)), *score, mission.fails)] += 1
    return Likelihoods(votes[1] / votes.sum(0), fails / fails.sum(-1, keepdims=True))


def log_likelihoods(public: Public, has_merlin: bool, likelihoods: Likelihoods) -> dict[str, np.ndarray]:
    """The natural logarithm of how likely all is that was seen up to each mission that was played.

    Shape (missions played, hypotheses), of all "votes"; of the "voters", who approved each team, given how many did;
    and of the fails in "missions". Votes for a mission on which nobody went are not used.
    """
    of = hypotheses(public.board, has_merlin)
    with np.errstate(divide="ignore"):
        log_fails = np.log(likelihoods.fails)
    logs = {name: np.zeros((len(public.missions), len(of.evil))) for name in ("votes", "voters", "missions")}
    for at, (mission, score) in enumerate(zip(public.missions, public.scores, strict=True)):
        for _, team, approving in mission.proposals:
            members = np.minimum(of.evil[:, list(team)].sum(1), MANY)[:, None]
            voted, goes = np.zeros((2, public.board.players), bool)
            voted[list(approving)] = goes[list(team)] = True
            approve = likelihoods.approve[of.kinds, at, members, goes.astype(int)]
            votes = np.log(np.where(voted, approve, 1 - approve)).sum(1)
            logs["votes"][at] += votes
            logs["voters"][at] += votes - np.log(approvals(approve)[:, voted.sum()])
        logs["missions"][at] = log_fails[(of.evil[:, list(mission.team)].sum(1), *score, mission.fails)]
    return {name: values.cumsum(0) for name, values in logs.items()}


def approvals(approve: np.ndarray) -> np.ndarray:
    """The chance that so many approve, 0 to all, shape (h, n + 1); each does with a chance of `approve` (h, n)."""
    chances = np.zeros((len(approve), approve.shape[1] + 1))
    chances[:, 0] = 1
    for chance in approve.T[:, :, None]:
        more = chances[:, :-1] * chance
        chances *= 1 - chance
        chances[:, 1:] += more
    return chances


def weights(logs: dict[str, np.ndarray], evidence: str) -> np.ndarray:
    """The posterior probability of each hypothesis from `log_likelihoods`, by one of `EVIDENCE`."""
    return normed(np.sum([logs[part] for part in EVIDENCE[evidence]], axis=0))


def normed(logs: np.ndarray) -> np.ndarray:
    """Probabilities in proportion to likelihoods whose logarithms are given, along the last axis."""
    parts = np.exp(logs - logs.max(-1, keepdims=True))
    return parts / parts.sum(-1, keepdims=True)


def evil_chances(of: Hypotheses, chances: np.ndarray) -> np.ndarray:
    """From probabilities of hypotheses, shape (k, h): those that each seat is evil, shape (k, players)."""
    return np.stack([chances[:, evil].sum(1) for evil in of.evil.T], axis=1)
