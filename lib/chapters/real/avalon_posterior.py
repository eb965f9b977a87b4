"""Avalon: what somebody who does not play can know of a table's roles from teams, votes and fails, exactly.

A hypothesis is a set of evil seats and, where there is one, Merlin's seat among the others; before the first mission
all are as likely. Each vote, and each number of fails, is as likely under a hypothesis as `Likelihoods` say, and apart
from what they are told of (the mission, the evil in the team, who goes) votes do not depend on each other. Bayes' rule
does the rest, with numbers kept as logarithms. Other roles are evil or good, and no more is asked of them.

Some groups approve nearly all teams and some few, whoever they are. Who takes the votes of a table for those of people
in general mistakes this for roles. Therefore one may look at the voters alone: who approved, given how many did.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations

import numpy as np

from gamebalance.base.checks import flag, number, one_of, shown, whole_number
from gamebalance.games.avalon.rules import MISSIONS, MOST_PLAYERS, TO_WIN

#: The kinds of people whose votes differ.
KINDS = ("evil", "good", "merlin")
#: What may be looked at, and of what it consists: fails, all votes, or who approved, given how many did.
PARTS = {
    "missions": ("missions",),
    "votes": ("votes",),
    "both": ("votes", "missions"),
    "voters": ("voters",),
    "missions and voters": ("voters", "missions"),
}
EVIDENCE = tuple(PARTS)
#: Votes on teams with so many evil members, or more, are alike.
MANY = 2


@dataclass(frozen=True)
class PublicMission:
    """A mission as all see it: the proposed teams, with who approved them; the fails of the last; how many fail it.

    `proposals` are pairs of seats that would go and seats that approved; `fails` is None if nobody went.
    """

    proposals: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    fails: int | None
    fails_required: int = 1


@dataclass(frozen=True)
class PublicRecord:
    """A table as all see it: players, how many of them are evil, whether there is a Merlin, and the missions.

    Raises
    ------
    ValueError
        If a number is out of range, a seat is none, or a mission follows after one side had its third.
    """

    players: int
    evil: int
    has_merlin: bool
    missions: tuple[PublicMission, ...]

    def __post_init__(self):
        whole_number("players", self.players, 2, MOST_PLAYERS)
        whole_number("evil", self.evil, 1, self.players - 1)
        flag("has_merlin", self.has_merlin)
        whole_number("number of missions", len(self.missions), 0, MISSIONS)
        for at, mission in enumerate(self.missions):
            what = f"missions[{at}]"
            for seat in (seat for pair in mission.proposals for seats in pair for seat in seats):
                whole_number(f"seat in {what}", seat, 0, self.players - 1)
            if mission.fails is not None:
                if not mission.proposals:
                    raise ValueError(f"{what}.proposals = (): the team that went is needed")
                most = min(self.evil, len(mission.proposals[-1][0]))
                whole_number(f"{what}.fails", mission.fails, 0, most)
            elif at + 1 < len(self.missions):
                raise ValueError(f"{what}.fails = None: a whole number is needed before the last mission")
            whole_number(f"{what}.fails_required", mission.fails_required, 1, self.players)
            if TO_WIN in self.score(at):
                raise ValueError(f"{what}: the game was over before")

    def score(self, before: int) -> tuple[int, int]:
        """How many of the missions before one (from 0) succeeded and failed."""
        failed = sum(mission.fails >= mission.fails_required for mission in self.missions[:before])
        return before - failed, failed

    @property
    def played(self) -> tuple[PublicMission, ...]:
        """The missions on which a team went."""
        return tuple(mission for mission in self.missions if mission.fails is not None)


@dataclass(frozen=True)
class Likelihoods:
    """How likely people are to do what all see.

    Parameters
    ----------
    approve : array_like, shape (3, 5, 3, 2)
        The chance of an approval, by kind of voter (`KINDS`), mission from 0, evil members of the team (0, 1, 2 or
        more), and whether the voter is in the team. Probabilities between 0 and 1, neither of them.
    fails : array_like, shape (evil + 1, 3, 3, evil + 1)
        The chance of each number of fails (last), by evil members of the team and missions that succeeded and failed
        before. Of no evil member there is no fail, of e no more than e.

    Raises
    ------
    ValueError
        If shapes or probabilities are others.
    """

    approve: np.ndarray
    fails: np.ndarray

    def __post_init__(self):
        for name in ("approve", "fails"):
            object.__setattr__(self, name, np.asarray(getattr(self, name), float))
        wanted = (len(KINDS), MISSIONS, MANY + 1, 2)
        if self.approve.shape != wanted or not ((self.approve > 0) & (self.approve < 1)).all():
            raise ValueError(f"approve, of shape {self.approve.shape}: {wanted}, all between 0 and 1, is needed")
        shape = self.fails.shape
        if len(shape) != 4 or shape != (shape[0], TO_WIN, TO_WIN, shape[0]) or shape[0] < 2:
            raise ValueError(f"fails, of shape {shape}: (evil + 1, 3, 3, evil + 1) is needed")
        if not ((self.fails >= 0).all() and np.allclose(self.fails.sum(-1), 1, rtol=0, atol=1e-9)):
            raise ValueError("fails: probabilities that add up to 1 are needed")
        if any(self.fails[members, ..., members + 1 :].any() for members in range(shape[0])):
            raise ValueError("fails: as many fails as evil members at most are needed")


@dataclass(frozen=True)
class Hypotheses:
    """All that can be: `evil`, shape (h, players), whether each seat is; `merlin`, shape (h,), a seat, or -1."""

    evil: np.ndarray
    merlin: np.ndarray

    @cached_property
    def kinds(self) -> np.ndarray:
        """The kind of each seat, an index into `KINDS`; shape (h, players)."""
        kinds = np.where(self.evil, 0, 1)
        have = np.flatnonzero(self.merlin >= 0)
        kinds[have, self.merlin[have]] = 2
        return kinds


@lru_cache(maxsize=64)
def hypotheses(players: int, evil: int, has_merlin: bool) -> Hypotheses:
    """All hypotheses of a table, sets of evil seats in lexicographic order and Merlins by seat.

    Examples
    --------
    >>> hypotheses(5, 2, True).evil.shape
    (30, 5)
    """
    sets = [
        (seats, merlin)
        for seats in combinations(range(players), evil)
        for merlin in (sorted({*range(players)} - {*seats}) if has_merlin else [-1])
    ]
    are = np.zeros((len(sets), players), bool)
    for at, (seats, _) in enumerate(sets):
        are[at, list(seats)] = True
    return Hypotheses(are, np.array([merlin for _, merlin in sets]))


def learned(
    tables: Iterable[tuple[PublicRecord, Iterable[int], int | None]], evil: int, smoothing: float = 0.5
) -> Likelihoods:
    """The frequencies in tables whose roles are known, with something added to each count.

    Parameters
    ----------
    tables : iterable of (PublicRecord, evil seats, Merlin's seat or None)
        With as many evil seats as `evil` says.
    evil : int
    smoothing : float
        What is added to the number of approvals and of rejections, and to that of each number of fails; above 0.

    Returns
    -------
    Likelihoods

    Raises
    ------
    ValueError
        If `smoothing` is not above 0, or a table has another number of evil seats.
    """
    number("smoothing", smoothing, 0, inside=True)
    whole_number("evil", evil, 1, MOST_PLAYERS - 1)
    votes = np.full((2, len(KINDS), MISSIONS, MANY + 1, 2), float(smoothing))
    fails = np.zeros((evil + 1, TO_WIN, TO_WIN, evil + 1))
    for members in range(evil + 1):
        fails[members, ..., : members + 1] = smoothing if members else 1.0
    for record, seats, merlin in tables:
        seats = {*seats}
        if len(seats) != evil or record.evil != evil:
            raise ValueError(f"evil seats {shown(sorted(seats))}: {evil} are needed")
        kinds = [0 if seat in seats else 2 if seat == merlin else 1 for seat in range(record.players)]
        for at, mission in enumerate(record.missions):
            for team, approving in mission.proposals:
                members = min(len(seats.intersection(team)), MANY)
                for seat, kind in enumerate(kinds):
                    votes[int(seat in approving), kind, at, members, int(seat in team)] += 1
            if mission.fails is not None:
                members = len(seats.intersection(mission.proposals[-1][0]))
                fails[(members, *record.score(at), mission.fails)] += members > 0
    return Likelihoods(votes[1] / votes.sum(0), fails / fails.sum(-1, keepdims=True))


def log_likelihoods(record: PublicRecord, likelihoods: Likelihoods) -> dict[str, np.ndarray]:
    """The natural logarithm of how likely all is that was seen up to each mission that was played.

    Parameters
    ----------
    record : PublicRecord
    likelihoods : Likelihoods

    Returns
    -------
    dict of array, shape (missions played, hypotheses)
        ``votes``: of all votes; ``voters``: of who approved each team, given how many did; ``missions``: of the fails,
        minus infinity where they are impossible.

    Raises
    ------
    ValueError
        If `likelihoods` are for another number of evil seats, or no hypothesis has so many fails.
    """
    if len(likelihoods.fails) != record.evil + 1:
        raise ValueError(f"likelihoods.fails is for {len(likelihoods.fails) - 1} evil seats: {record.evil} are needed")
    of = hypotheses(record.players, record.evil, bool(record.has_merlin))
    with np.errstate(divide="ignore"):
        log_fails = np.log(likelihoods.fails)
    logs = {name: np.zeros((len(record.played), len(of.evil))) for name in ("votes", "voters", "missions")}
    for at, mission in enumerate(record.played):
        for team, approving in mission.proposals:
            members = np.minimum(of.evil[:, list(team)].sum(1), MANY)[:, None]
            voted, goes = (np.isin(np.arange(record.players), seats) for seats in (approving, team))
            approve = likelihoods.approve[of.kinds, at, members, goes.astype(int)]
            votes = np.log(np.where(voted, approve, 1 - approve)).sum(1)
            logs["votes"][at] += votes
            logs["voters"][at] += votes - np.log(approvals(approve)[:, voted.sum()])
        members = of.evil[:, list(mission.proposals[-1][0])].sum(1)
        logs["missions"][at] = log_fails[(members, *record.score(at), mission.fails)]
    found = {name: values.cumsum(0) for name, values in logs.items()}
    if len(record.played) and not np.isfinite(found["missions"][-1]).any():
        raise ValueError("record.missions: no set of evil seats can have played these fails")
    return found


def approvals(approve: np.ndarray) -> np.ndarray:
    """The chance that so many approve, 0 to all of them, shape (h, n + 1); each does with a chance of `approve` (h, n).

    >>> approvals(np.array([[0.5, 0.5]])).tolist()
    [[0.25, 0.5, 0.25]]
    """
    found = np.zeros((len(approve), approve.shape[1] + 1))
    found[:, 0] = 1
    for chance in approve.T[:, :, None]:
        more = found[:, :-1] * chance
        found *= 1 - chance
        found[:, 1:] += more
    return found


def weights(record: PublicRecord, likelihoods: Likelihoods, evidence: str = "both") -> np.ndarray:
    """The posterior probability of each hypothesis after each mission; shape (missions played, hypotheses)."""
    one_of("evidence", evidence, EVIDENCE)
    return chosen(log_likelihoods(record, likelihoods), evidence)


def chosen(logs: dict[str, np.ndarray], evidence: str) -> np.ndarray:
    """The posterior probability of each hypothesis from `log_likelihoods`."""
    return normed(sum(logs[part] for part in PARTS[evidence]))


def normed(logs: np.ndarray) -> np.ndarray:
    """Probabilities in proportion to likelihoods whose logarithms are given, along the last axis."""
    parts = np.exp(logs - logs.max(-1, keepdims=True))
    return parts / parts.sum(-1, keepdims=True)


def posterior(record: PublicRecord, likelihoods: Likelihoods, evidence: str = "both") -> tuple[np.ndarray, np.ndarray]:
    """How likely each seat is evil, and how likely Merlin's, after each mission.

    Parameters
    ----------
    record : PublicRecord
        What all see. Votes on teams of a mission on which nobody went are not used.
    likelihoods : Likelihoods
    evidence : {"missions", "votes", "both", "voters", "missions and voters"}
        The fails of the teams that went, the votes on all teams, or both; or who approved each team, given how many
        did, alone or with the fails.

    Returns
    -------
    evil, merlin : array, shape (missions played, players)
        Probabilities; those of a row add up to the number of evil seats, and to 1, or 0 where there is no Merlin.

    Raises
    ------
    ValueError
        If `evidence` is another word, `likelihoods` are for another number of evil seats, or the fails are impossible.

    Examples
    --------
    Two of five are evil. Two seats went, all approved, and one fail was played: each of the two is evil with a half
    if both were to fail with certainty, and the others with a third.

    >>> fails = np.zeros((3, 3, 3, 3)); fails[[0, 1, 2], :, :, [0, 1, 2]] = 1
    >>> record = PublicRecord(5, 2, False, (PublicMission((((0, 1), (0, 1, 2, 3, 4)),), 1),))
    >>> evil, _ = posterior(record, Likelihoods(np.full((3, 5, 3, 2), 0.5), fails))
    >>> evil.round(4).tolist()
    [[0.5, 0.5, 0.3333, 0.3333, 0.3333]]
    """
    found = weights(record, likelihoods, evidence)
    return marginals(hypotheses(record.players, record.evil, bool(record.has_merlin)), found)


def marginals(of: Hypotheses, found: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """From probabilities of hypotheses, shape (k, h): those that each seat is evil, and Merlin; shape (k, players)."""
    evil, merlin = (np.zeros((len(found), of.evil.shape[1])) for _ in range(2))
    for seat in range(of.evil.shape[1]):
        evil[:, seat] = found[:, of.evil[:, seat]].sum(1)
        merlin[:, seat] = found[:, of.merlin == seat].sum(1)
    return evil, merlin


def true_hypotheses(of: Hypotheses, evil: Sequence[int]) -> np.ndarray:
    """Which hypotheses have these evil seats; shape (h,)."""
    are = np.isin(np.arange(of.evil.shape[1]), list(evil))
    return (of.evil == are).all(1)
