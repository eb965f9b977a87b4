"""Tables of Avalon played by machines that vote and fail about as often as people: is the posterior right there?

All chances hang on what a player knows from the deal, the mission and the team alone. Where neither Mordred nor Oberon
hides, the likelihoods of the posterior are true of them, and what it says has to come true as often as it says.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from scipy import stats

from gamebalance.base.rounding import meant
from gamebalance.games.avalon import posterior
from gamebalance.games.avalon.playing import Played, Public
from gamebalance.games.avalon.policies import AtRandom
from gamebalance.games.avalon.posterior import KINDS, MANY, Likelihoods
from gamebalance.games.avalon.rules import BOARDS, MERLIN, MISSIONS, TO_WIN, Team, View, is_evil

BINS = 20


@dataclass(frozen=True, eq=False)
class AsCounted(AtRandom):
    """Any team; votes by kind, mission and team; fails by the score; a shot at anybody not known to be evil.

    `votes` are as `Likelihoods.approve`, for good players the same whatever evil the team holds; `cards`, shape (3, 3),
    has the chance that an evil member plays fail, by missions that succeeded and failed.
    """

    votes: np.ndarray = field(kw_only=True)
    cards: np.ndarray = field(kw_only=True)

    def approves(self, view: View, public: Public, team: Team) -> float:
        members = min(len(view.seen & set(team)), MANY)  # what a good player sees makes no difference
        return self.votes[KINDS.index(posterior.kind(view.role)), len(public.missions), members, int(view.seat in team)]

    def fails(self, view: View, public: Public, team: Team) -> float:
        return self.cards[public.succeeded, public.failed]

    def likelihoods(self, evil: int) -> Likelihoods:
        """How likely these players, so many of them evil, make what all see."""
        members, fails = np.ogrid[: evil + 1, : evil + 1]
        chances = stats.binom.pmf(fails[:, None, None, :], members[:, None, None, :], self.cards[..., None])
        return Likelihoods(self.votes, chances)


def as_counted(votes: pd.DataFrame, cards: pd.DataFrame) -> AsCounted:
    """Players with the frequencies of recorded tables, a half added to each count; of cards, of one evil member."""
    chances = np.empty((len(KINDS), MISSIONS, MANY + 1, 2))
    for at in np.ndindex(chances.shape):
        voter, mission, members, goes = at
        alike = votes["voter"] == KINDS[voter]
        alike &= (votes["mission"] == mission + 1) & (votes["voter_in_team"] == goes)
        if KINDS[voter] != "good":
            alike &= votes["evil_in_team"] == min(members, 1)
        chances[at] = _frequency(votes.loc[alike, "votes"], votes["approved"] == 1)
    by_score = np.empty((TO_WIN, TO_WIN))
    for won, lost in np.ndindex(by_score.shape):
        alike = (cards["evil_in_team"] == 1) & (cards["succeeded"] == won) & (cards["failed"] == lost)
        by_score[won, lost] = _frequency(cards.loc[alike, "teams"], cards["fails"] == 1)
    return AsCounted(votes=chances, cards=by_score)


def _frequency(counts: pd.Series, hit: pd.Series) -> float:
    """The share of the counts that hit, with a half added to those and to the others."""
    return meant(float((counts[hit].sum() + 0.5) / (counts.sum() + 1)))


def calibration(games: Iterable[Played], by: AsCounted, evidence: str) -> pd.DataFrame:
    """Seats after each mission by how likely the posterior says that they are evil; without Mordred and Oberon.

    By `bin`, of `BINS` of the same width, `expected` (the sum of the probabilities), `seats`, and how many are `evil`.
    """
    known = {board.evil: by.likelihoods(board.evil) for board in BOARDS.values()}
    rows = []
    for game in games:
        public, has_merlin = game.public, MERLIN in game.roles
        logs = posterior.log_likelihoods(public, has_merlin, known[public.board.evil])
        of, chances = posterior.hypotheses(public.board, has_merlin), posterior.weights(logs, evidence)
        evil = np.array(meant(posterior.evil_chances(of, chances)))
        places = np.digitize(evil, [at / BINS for at in range(1, BINS)])
        are = np.broadcast_to([int(is_evil(role)) for role in game.roles], evil.shape)
        rows += zip(places.ravel(), evil.ravel(), np.ones(evil.size, int), are.ravel(), strict=True)
    frame = pd.DataFrame(rows, columns=["bin", "expected", "seats", "evil"])
    return frame.groupby("bin", as_index=False).sum().round(3)
