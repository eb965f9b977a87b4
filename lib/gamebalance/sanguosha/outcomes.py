"""How games of one line-up end, exactly or by simulation, and what follows from that for each role."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from gamebalance.base.checks import instance, listed
from gamebalance.base.estimates import Estimate
from gamebalance.base.rounding import meant
from gamebalance.base.tabled import Tabled
from gamebalance.fairness.endings import Endings
from gamebalance.fairness.spreads import Results, balance, rationality
from gamebalance.sanguosha.lineup import Lineup, Role, Seating, in_words
from gamebalance.sanguosha.scoring import REPORT_SCORING, SIDES, WINNERS, Alive, Scoring, winner

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Outcomes(Tabled):
    """Distribution over the ways a game can end.

    Parameters
    ----------
    lineup : Lineup
    probability : dict of Alive to float
        Probability of each (lords, loyalists, rebels, renegades) alive at the end; sums to 1.
    seating : Seating or None
        The seating, or None for the mean over all seatings of the line-up.
    games : int or None
        Number of simulated games; None for an exact solution.
    error_bound : float
        On the error of all probabilities together, rounding apart: of an exact solution, or of the endgame tables of a
        simulation, beside its standard errors.
    turns, turns_error : float
        Mean number of turns in a game, and its standard error; 0 when exact.
    moments : ndarray or None
        Simulated with endgame tables: the mean product of the shares that a game gives to each two endings, in order.
    scoring : Scoring
        The points that scores are counted in unless others are asked for.
    """

    lineup: Lineup
    probability: dict[Alive, float]
    seating: Seating | None = None
    games: int | None = None
    error_bound: float = 0.0
    turns: float = float("nan")
    turns_error: float = 0.0
    moments: np.ndarray | None = field(default=None, repr=False, compare=False)
    scoring: Scoring = REPORT_SCORING

    @cached_property
    def results(self) -> Results:
        """The same distribution, to be asked for whatever an ending gives; `win_table` is one such table."""
        return Results(self.probability, self.games, self.moments)

    @property
    def counts(self) -> dict[Alive, int]:
        """Number of simulated games that ended each way; ValueError if the solution, or each endgame, is exact."""
        if self.games is None or self.moments is not None:
            raise ValueError("counts: exact solutions and exact endgames have none; use probability")
        return {alive: round(share * self.games) for alive, share in self.probability.items()}

    @cached_property
    def survival(self) -> np.ndarray:
        """Probability that a member of each role is alive at the end, shape (4,); nan for a role that nobody holds."""
        return self.results.mean(self._alive_shares)

    @cached_property
    def survival_error(self) -> np.ndarray:
        """Standard errors of `survival`, shape (4,); zeros when exact."""
        return self.results.standard_error(self._alive_shares)

    @property
    def winning(self) -> dict[str, float]:
        """Probability of each side to win: ``"lord"`` (with the loyalists), ``"rebels"`` and ``"renegade"``."""
        chances = dict.fromkeys(("lord", "rebels", "renegade"), 0.0)
        for alive, share in self.probability.items():
            chances[winner(alive)] += share
        return chances

    def expected_scores(self, scoring: Scoring | None = None) -> np.ndarray:
        """Expected score of a member of each role in points, shape (4,); nan for a role that nobody holds."""
        return self.results.mean(self._score_table(scoring))

    def expected_score_errors(self, scoring: Scoring | None = None) -> np.ndarray:
        """Standard errors of `expected_scores`, shape (4,); zeros when exact."""
        return self.results.standard_error(self._score_table(scoring))

    @property
    def score_error(self) -> np.ndarray:
        """Standard errors of the expected scores, shape (4,); zeros when exact."""
        return self.expected_score_errors()

    @property
    def balance(self) -> float:
        """Bal (equation 5.1). ValueError if a role is missing."""
        return balance(self.survival)

    @property
    def balance_error(self) -> float:
        """Standard error of Bal by the delta method; 0 when exact."""
        return self.results.spread(self._alive_shares).error

    def rationality(self, scoring: Scoring | None = None) -> float:
        """Rat (equation 5.2). ValueError if a role is missing."""
        return rationality(self.expected_scores(scoring))

    def rationality_error(self, scoring: Scoring | None = None) -> float:
        """Standard error of Rat by the delta method; 0 when exact."""
        return self.results.spread(self._score_table(scoring)).error

    @property
    def endings(self) -> Endings:
        """Wins, survival and points by role and side; of a fixed seating, wins by seat too.

        Games with exact endgames stand for as many games that are played to their end: the errors are too wide. By
        seat, survival and points are known only where a role is held once.
        """
        roles = list(self.seating.roles) if self.seating else [role for role in Role if self.lineup.counts[role]]
        labels = {"side": [SIDES[role] for role in roles], "role": [role.key for role in roles]}
        if self.seating:
            labels["seat"] = list(range(1, len(roles) + 1))
        members = [1] * len(roles) if self.seating else [self.lineup.counts[role] for role in roles]
        # Of the renegades one alone can win.
        won = self.win_table / [1, 1, 1, max(1, self.lineup.renegades)]
        tables = {"won": won, "alive": self._alive_shares, "points": self._score_table(None)}
        return Endings(
            labels,
            members,
            list(self.probability.values()),
            {name: table[:, roles] * members for name, table in tables.items()},
            self.games,
            Estimate(self.turns, self.turns_error),
        )

    @cached_property
    def _alive_shares(self) -> np.ndarray:
        """Share of each role alive, by ending: shape (endings, 4)."""
        members = np.array(self.lineup.counts, dtype=float)
        members[members == 0] = np.nan
        return np.array(list(self.probability)).reshape(-1, 4) / members

    def _score_table(self, scoring: Scoring | None) -> np.ndarray:
        scoring = self.scoring if scoring is None else scoring
        return np.array([scoring.scores(self.lineup, alive) for alive in self.probability])

    @cached_property
    def win_table(self) -> np.ndarray:
        """1 where a role has won, the renegades when one of them has, by ending: shape (endings, 4)."""
        return np.array([WINNERS[winner(alive)] for alive in self.probability], float)

    def to_frame(self) -> "pandas.DataFrame":
        """A row for each role that is held: members, chances to survive and to win, expected points; standard errors.

        The chance to win of the renegades is that of any of them. Errors are 0 when exact.

        Examples
        --------
        >>> from gamebalance.sanguosha import solve
        >>> solve("0123").to_frame()[["survival", "win", "points"]].round(3).loc["lord"].tolist()
        [0.474, 0.474, 8.561]
        """
        import pandas

        columns = {"members": np.array(self.lineup.counts)}
        columns |= {"survival": self.survival, "survival_error": self.survival_error}
        columns |= {"win": self.results.mean(self.win_table), "win_error": self.results.standard_error(self.win_table)}
        columns |= {"points": self.expected_scores(), "points_error": self.score_error}
        roles = pandas.Index([role.key for role in Role], name="role")
        return meant(pandas.DataFrame(columns, roles)[columns["members"] > 0], residue=1e-12)

    def _headings(self) -> dict[str, str]:
        return {
            "survival": "chance to survive",
            "win": "chance to win",
            "points": "expected points",
            **dict.fromkeys(("survival_error", "win_error", "points_error"), "± (s.e.)"),
        }

    def _about(self) -> str:
        where = in_words(self.seating) if self.seating else f"{in_words(self.lineup)}, all seatings"
        if self.games is None:
            how, turns = f"exact, error below {self.error_bound:.0e}", f"{self.turns:.2f}"
        else:
            how = f"{self.games:,} simulated games" + (" with exact endgames" if self.moments is not None else "")
            turns = str(Estimate(self.turns, self.turns_error))
        return f"Sanguosha, {where}: {how}; {turns} turns a game"


def mean_outcomes(lineup: Lineup, parts: list[Outcomes]) -> Outcomes:
    """The mean of exact solutions, one a seating."""
    for part in listed("parts", parts):
        instance("part", part, Outcomes)
    endings = sorted({alive for part in parts for alive in part.probability})
    return Outcomes(
        lineup,
        {alive: float(np.mean([part.probability.get(alive, 0.0) for part in parts])) for alive in endings},
        error_bound=float(np.mean([part.error_bound for part in parts])),
        turns=float(np.mean([part.turns for part in parts])),
    )
