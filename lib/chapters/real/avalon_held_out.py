"""Avalon: how right the posterior of `avalon_posterior` is at tables of people from whom it did not learn.

The batches with even numbers teach it how often people approve and fail, those with odd numbers try it; no person is in
two batches.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import comb, log2

import numpy as np
import pandas as pd

from chapters.real.avalon_counts import batches
from chapters.real.avalon_logs import Game
from chapters.real.avalon_posterior import (
    EVIDENCE,
    Hypotheses,
    Likelihoods,
    PublicMission,
    PublicRecord,
    chosen,
    hypotheses,
    learned,
    log_likelihoods,
    marginals,
    normed,
    true_hypotheses,
)
from gamebalance.base.rounding import meant
from gamebalance.games.avalon.rules import BOARDS

#: Probabilities are put into so many bins of the same width, and sums are written with so many decimals.
BINS, DECIMALS = 20, 3


def public(played: Game) -> PublicRecord:
    """What all see of a game."""
    missions = tuple(
        PublicMission(
            tuple((proposal.team, proposal.approving) for proposal in mission.proposals),
            None if mission.failed_by is None else mission.fails,
            mission.fails_required,
        )
        for mission in played.missions
    )
    return PublicRecord(played.players, len(played.evil), played.merlin is not None, missions)


def taught(games: Sequence[Game]) -> dict[tuple[int, bool], Likelihoods]:
    """The frequencies in some games, by players and whether there is a Merlin."""
    tables = defaultdict(list)
    for played in games:
        tables[played.players, played.merlin is not None].append((public(played), played.evil, played.merlin))
    return {
        (players, merlin): learned(tables[players, merlin], board.evil)
        for players, board in BOARDS.items()
        for merlin in (False, True)
    }


def counts(games: Sequence[Game]) -> dict[str, pd.DataFrame]:
    """The tables of counts, as in `data/observed`.

    Parameters
    ----------
    games : sequence of Game
        By time.

    Returns
    -------
    dict of DataFrame
        ``posterior``, seats by the probability that they are evil; ``surprise``, bits of the true evil seats; and
        ``shooter``, games with a shot at Merlin and how many shots hit. All of odd batches.
    """
    numbered = list(zip(batches(games), games, strict=True))
    likelihoods = taught([played for batch, played in numbered if batch % 2 == 0])
    seats, surprise, shooter = [], [], []
    for batch, played in numbered:
        if batch % 2:
            what = likelihoods[played.players, played.merlin is not None]
            logs = log_likelihoods(public(played), what)
            for evidence in EVIDENCE:
                found = chosen(logs, evidence)
                seats += _seats(played, evidence, found)
                surprise += _surprise(played, evidence, batch, found)
            if played.shot is not None:
                kind, hit = (played.players, len(played.played)), int(played.shot == played.merlin)
                for evidence in ("votes", "voters"):
                    best = best_shot(played, logs[evidence][-1])
                    shooter.append((*kind, evidence, batch, 1, hit, best, _chance(played)))
    first = ["players", "merlin", "after_mission", "evidence"]
    return {
        "posterior": summed(seats, [*first, "bin"], ["expected", "seats", "evil"]),
        "surprise": summed(surprise, [*first, "batch"], ["games", "bits", "prior_bits"]),
        "shooter": summed(
            shooter,
            ["players", "missions_played", "evidence", "batch"],
            ["games", "hits_people", "hits_posterior", "chance_hits"],
        ),
    }


def summed(rows: Sequence[tuple], by: Sequence[str], sums: Sequence[str]) -> pd.DataFrame:
    """The rows with the same first columns added up, and what is no whole number written with `DECIMALS`.

    >>> summed([("a", 0.5, 1), ("a", 0.25, 1)], ["what"], ["chance", "games"])
      what  chance  games
    0    a    0.75      2
    """
    return pd.DataFrame(rows, columns=[*by, *sums]).groupby([*by], as_index=False)[[*sums]].sum().round(DECIMALS)


def _seats(played: Game, evidence: str, found: np.ndarray) -> Iterator[tuple]:
    """Each seat after each mission: the bin of its probability to be evil, this, and whether it is."""
    evil, _ = marginals(_hypotheses(played), found)
    for after, chances in enumerate(meant(evil).tolist(), 1):
        for seat, chance in enumerate(chances):
            kind = played.players, int(played.merlin is not None), after, evidence
            yield *kind, bin_of(chance), chance, 1, int(seat in played.evil)


def bin_of(chance: float) -> int:
    """The bin of a probability, from 0; 1 is in the last.

    >>> bin_of(0.0499), bin_of(0.05), bin_of(1.0)
    (0, 1, 19)
    """
    edges = [at / BINS for at in range(1, BINS)]
    return bisect_right(edges, chance)


def _surprise(played: Game, evidence: str, batch: int, found: np.ndarray) -> Iterator[tuple]:
    """How many bits the evil seats still were worth after each mission, and before the first."""
    true = found[:, true_hypotheses(_hypotheses(played), played.evil)].sum(1)
    before = meant(log2(comb(played.players, len(played.evil))))
    for after, chance in enumerate(true.tolist(), 1):
        yield played.players, int(played.merlin is not None), after, evidence, batch, 1, meant(-log2(chance)), before


def best_shot(played: Game, votes: np.ndarray) -> float:
    """The chance to hit of who knows the evil seats and shoots at the seat that is Merlin's by the votes.

    Parameters
    ----------
    played : Game
        With a Merlin.
    votes : array, shape (hypotheses,)
        Logarithms of the likelihood of all votes.

    Returns
    -------
    float
        0 or 1, or a part of 1 where several seats are as likely.
    """
    of = _hypotheses(played)
    open_still = true_hypotheses(of, played.evil)
    chances = meant(normed(votes[open_still]))
    best = of.merlin[open_still][chances == chances.max()]
    return float(played.merlin in best) / len(best)


def _chance(played: Game) -> float:
    """The chance to hit of who knows the evil seats and shoots at any of the others."""
    return 1 / (played.players - len(played.evil))


def _hypotheses(played: Game) -> Hypotheses:
    """The hypotheses of a game."""
    return hypotheses(played.players, len(played.evil), played.merlin is not None)
