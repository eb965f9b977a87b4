"""Tables of Avalon played by machines that vote and fail about as often as people: is the posterior right there?

Everybody votes, and plays fail, with known chances that hang on nothing but what the player knows from the deal, the
mission, and the team; a good player's on the mission and on whether he or she goes. Where neither Mordred nor Oberon
hides from those who vote by the evil in a team, the likelihoods of `avalon_posterior` are true of these tables, and
what it says has to come true as often as it says.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

from chapters.real.avalon_held_out import bin_of, summed
from chapters.real.avalon_posterior import (
    EVIDENCE,
    KINDS,
    MANY,
    Likelihoods,
    PublicMission,
    PublicRecord,
    posterior,
)
from chapters.real.counts import table
from gamebalance.base.checks import one_of
from gamebalance.base.rounding import meant
from gamebalance.games.avalon.playing import Played
from gamebalance.games.avalon.policies import AtRandom
from gamebalance.games.avalon.rules import BOARDS, MERLIN, MISSIONS, MORDRED, OBERON, TO_WIN, Team, View, is_evil
from gamebalance.games.avalon.table import Proposal, Public

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class AsCounted(AtRandom):
    """Any team; votes by kind, mission and team; fails by the score; a shot at anybody not known to be evil.

    Parameters
    ----------
    votes : array, shape (3, 5, 3, 2)
        The chance of an approval, as `avalon_posterior.Likelihoods.approve`, for good players the same whatever evil
        the team holds.
    cards : array, shape (3, 3)
        The chance that an evil member plays fail, by missions that succeeded and failed; independent of other members.

    Raises
    ------
    ValueError
        If shapes or chances are others.

    Notes
    -----
    Of `AtRandom` there are the teams and the shots; `approve` and `fail` are not used.
    """

    votes: np.ndarray = field(kw_only=True)
    cards: np.ndarray = field(kw_only=True)

    def __post_init__(self):
        super().__post_init__()
        for name, wanted in (("votes", (len(KINDS), MISSIONS, MANY + 1, 2)), ("cards", (TO_WIN, TO_WIN))):
            chances = np.asarray(getattr(self, name), float)
            if chances.shape != wanted or not ((chances > 0) & (chances < 1)).all():
                raise ValueError(f"{name}, of shape {chances.shape}: {wanted}, all between 0 and 1, is needed")
            object.__setattr__(self, name, chances)
        good = self.votes[KINDS.index("good")]
        if (good != good[:, :1]).any():
            raise ValueError("votes of good players: the same whatever evil the team holds are needed")

    def approves(self, view: View, public: Public, team: Team) -> float:
        kind = "evil" if view.is_evil else "merlin" if view.role == MERLIN else "good"
        members = min(len(view.seen & set(team)), MANY)  # what a good player sees makes no difference
        return self.votes[KINDS.index(kind), len(public.missions), members, int(view.seat in team)]

    def fails(self, view: View, public: Public, team: Team) -> float:
        return self.cards[public.succeeded, public.failed]

    def likelihoods(self, evil: int) -> Likelihoods:
        """How likely these players, so many of them evil, make what all see."""
        members, fails = np.ogrid[: evil + 1, : evil + 1]
        chances = stats.binom.pmf(fails[:, None, None, :], members[:, None, None, :], self.cards[..., None])
        return Likelihoods(self.votes, chances)


def as_counted(votes: "pandas.DataFrame", cards: "pandas.DataFrame") -> AsCounted:
    """Players with the frequencies of recorded tables.

    Parameters
    ----------
    votes : DataFrame
        Columns `mission`, `evil_in_team` (1 or 0), `voter`, `voter_in_team`, `approved` and `votes`.
    cards : DataFrame
        Columns `succeeded`, `failed`, `evil_in_team`, `fails` and `teams`; those with one evil member are used.

    Returns
    -------
    AsCounted
        With a half added to each count.
    """
    either = dict.fromkeys(("evil_in_team", "voter_in_team", "approved"), (0, 1))
    table("votes", votes, "votes", {"mission": range(1, 6), "voter": KINDS} | either)
    table("cards", cards, "teams", {"succeeded": range(3), "failed": range(3), "evil_in_team": None, "fails": None})
    chances = np.empty((len(KINDS), MISSIONS, MANY + 1, 2))
    for at in np.ndindex(chances.shape):
        kind, mission, members, goes = at
        rows = votes[(votes["voter"] == KINDS[kind]) & (votes["mission"] == mission + 1)]
        rows = rows[rows["voter_in_team"] == goes]
        if KINDS[kind] != "good":
            rows = rows[rows["evil_in_team"] == min(members, 1)]
        chances[at] = _frequency(rows["votes"], rows["approved"] == 1)
    alone = cards[cards["evil_in_team"] == 1]
    by_score = np.empty((TO_WIN, TO_WIN))
    for won, lost in np.ndindex(by_score.shape):
        rows = alone[(alone["succeeded"] == won) & (alone["failed"] == lost)]
        by_score[won, lost] = _frequency(rows["teams"], rows["fails"] == 1)
    return AsCounted(votes=chances, cards=by_score)


def _frequency(counted, hit) -> float:
    """The share of the counts that hit, with a half added to those and to the others."""
    return meant(float((counted[hit].sum() + 0.5) / (counted.sum() + 1)))


def public_record(played: Played) -> PublicRecord:
    """What all see of a simulated game, as the posterior takes it."""
    public = played.public

    def pairs(proposals: Iterable[Proposal]) -> tuple:
        return tuple((proposal.team, proposal.approving) for proposal in proposals)

    needed = public.board.fails_needed
    missions = [
        PublicMission(pairs(mission.proposals), mission.fails, needed[at]) for at, mission in enumerate(public.missions)
    ]
    if public.proposals:
        missions.append(PublicMission(pairs(public.proposals), None, needed[len(public.missions)]))
    return PublicRecord(public.board.players, public.board.evil, MERLIN in played.roles, tuple(missions))


def calibration(games: Iterable[Played], by: AsCounted, evidence: str) -> "pandas.DataFrame":
    """Seats after each mission by how likely the posterior says that they are evil.

    Parameters
    ----------
    games : iterable of Played
        Played by these players, without Mordred and Oberon.
    by : AsCounted
    evidence : str
        One of `avalon_posterior.EVIDENCE`.

    Returns
    -------
    DataFrame
        Columns `bin` (of `avalon_held_out.BINS`), `expected` (the sum of the probabilities), `seats` and `evil`.

    Raises
    ------
    ValueError
        If `evidence` is another word, or there is a Mordred or Oberon.
    """
    one_of("evidence", evidence, EVIDENCE)
    known = {board.evil: by.likelihoods(board.evil) for board in BOARDS.values()}
    rows = []
    for played in games:
        if hidden := {MORDRED, OBERON}.intersection(played.roles):
            raise ValueError(f"games, with {', '.join(sorted(hidden))}: tables without mordred and oberon are needed")
        evil, _ = posterior(public_record(played), known[played.public.board.evil], evidence)
        for chances in meant(evil).tolist():
            rows += [
                (bin_of(chance), chance, 1, int(is_evil(role)))
                for chance, role in zip(chances, played.roles, strict=True)
            ]
    return summed(rows, ["bin"], ["expected", "seats", "evil"])
