"""Avalon: the counts of recorded games, as in `data/observed`, and how right the posterior is at tables of strangers.

The batches with even numbers teach it how often people approve and fail, those with odd numbers try it; no person is in
two batches.
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from math import comb, log2

import networkx as nx
import numpy as np
import pandas as pd

from gamebalance.base.rounding import meant
from gamebalance.games.avalon import posterior
from gamebalance.games.avalon.posterior import hypotheses, kind
from gamebalance.games.avalon.rules import BOARDS, MERLIN, PERCIVAL, SPECIAL, WINNER
from make.avalon_logs import Game, read
from make.records import counted

__all__ = ["counts", "read"]

#: Until when games are of the first period: the source's own analysis is of these.
FIRST_PERIOD_ENDS, PERIODS = "2021-09", ("to August 2021", "later")
#: Groups of people are dealt into so many batches.
BATCHES = 10
#: Probabilities are put into so many bins of the same width, and sums are written with so many decimals.
BINS, DECIMALS = 20, 3


def counts(games: Sequence[Game]) -> dict[str, pd.DataFrame]:
    """The tables of counts, as in `data/observed`, of games by time."""
    by_group = groups(games)
    numbered = [(game, group % BATCHES) for game, group in zip(games, by_group, strict=True)]
    played = pd.DataFrame([_of_game(game) | {"batch": batch} for game, batch in numbered])
    teams = pd.DataFrame([_of_game(game) | row for game in games for row in _teams(game)])
    proposals = [(*_table(game), *row) for game in games for row in _proposals(game)]
    votes = [(*_table(game), *row, batch) for game, batch in numbered for row in _votes(game)]
    kinds, table = ["period", "players", "special_roles", "evil_players"], ["players", "merlin", "mission"]
    of_votes = [*table, "evil_in_team", "voter", "voter_in_team", "approved", "batch"]
    return {
        "outcomes": counted(played, [*kinds, "winner", "how", "batch"]),
        "shots": counted(played.dropna(subset="shot"), [*kinds, "missions_played", "shot"]),
        "teams": counted(teams, [*kinds, "mission", "team_size", "evil_in_team", "result", "fails"], "teams"),
        "cards": counted(teams, [*table, "succeeded", "failed", "evil_in_team", "fails"], "teams"),
        "votes": counted(votes, of_votes, "votes"),
        "proposals": counted(proposals, [*table, "attempt", "proposer", "evil_in_team", "accepted"], "proposals"),
        "groups": _sizes(by_group, "games", "groups"),
        "sittings": _sizes([game.room for game in games], "games_in_room", "rooms"),
        "persons": _sizes([person for game in games for person in game.persons], "games", "persons"),
        **held_out(numbered),
    }


def groups(games: Sequence[Game]) -> list[int]:
    """The group of people that played each game, by its first game: the same where persons are linked by games."""
    links = nx.Graph((game.persons[0], person) for game in games for person in game.persons)
    of_person = {person: at for at, group in enumerate(nx.connected_components(links)) for person in group}
    return [of_person[game.persons[0]] for game in games]


def _of_game(game: Game) -> dict:
    """When a game was, who was at its table, and how it ended."""
    return {
        "period": PERIODS[game.time >= FIRST_PERIOD_ENDS],
        "special_roles": "+".join(role for role in SPECIAL if role in game.roles) or "none",
        "evil_players": len(game.evil),
        "winner": WINNER[game.ending],
        "how": game.ending,
        "missions_played": len(game.public.missions),
        "shot": None if game.shot is None else game.roles[game.shot],
        **dict(zip(("players", "merlin"), _table(game), strict=True)),
    }


def _table(game: Game) -> tuple[int, int]:
    """How many play, and whether there is a Merlin."""
    return len(game.roles), int(game.has_merlin)


def _sizes(labels: Sequence, column: str, of: str) -> pd.DataFrame:
    """How many of the labels stand there how often."""
    return counted([(number,) for number in Counter(labels).values()], [column], of)


def _teams(game: Game) -> Iterator[dict]:
    """The teams that went, the missions that succeeded and failed before, the evil in them, and the fails."""
    missions = zip(game.public.missions, game.public.scores, strict=True)
    for number, (mission, (succeeded, failed)) in enumerate(missions, 1):
        yield {
            **{"mission": number, "succeeded": succeeded, "failed": failed, "team_size": len(mission.team)},
            **{"evil_in_team": len(game.evil & {*mission.team}), "fails": mission.fails},
            "result": "fail" if mission.failed else "success",
        }


def _proposed(game: Game) -> Iterator[tuple]:
    """The number of each mission and of each proposal for it, and the proposal."""
    missions = [mission.proposals for mission in game.public.missions] + [game.public.proposals]
    for number, proposals in enumerate(missions, 1):
        for attempt, proposal in enumerate(proposals, 1):
            yield number, attempt, proposal


def _votes(game: Game) -> Iterator[tuple]:
    """The votes of all on every team, and whether it holds anybody evil."""
    voters = [kind(role) for role in game.roles]
    for number, _, (_, team, approving) in _proposed(game):
        holds = int(not game.evil.isdisjoint(team))
        for seat, voter in enumerate(voters):
            yield number, holds, voter, int(seat in team), int(seat in approving)


def _proposals(game: Game) -> Iterator[tuple]:
    """The teams that were proposed, by whom, and the evil in them."""
    for number, attempt, (leader, team, approving) in _proposed(game):
        proposer = PERCIVAL if game.roles[leader] == PERCIVAL else kind(game.roles[leader])
        accepted = int(len(approving) >= game.public.board.majority)
        yield number, attempt, proposer, len(game.evil & {*team}), accepted


# --- the posterior, tried ---


def held_out(numbered: Sequence[tuple[Game, int]]) -> dict[str, pd.DataFrame]:
    """Seats by the probability that they are evil, bits of the true evil seats, and shots: of games of odd batches."""
    likelihoods = taught([game for game, batch in numbered if batch % 2 == 0])
    seats, surprise, shooter = [], [], []
    for game, batch in numbered:
        if batch % 2:
            table = _table(game)
            logs = posterior.log_likelihoods(game.public, game.has_merlin, likelihoods[table])
            for evidence in posterior.EVIDENCE:
                chances = posterior.weights(logs, evidence)
                seats += [(*table, after, evidence, *row) for after, row in _seats(game, chances)]
                surprise += [(*table, after, evidence, batch, 1, *row) for after, row in _surprise(game, chances)]
            if game.shot is not None:
                played, hit = (len(game.roles), len(game.public.missions)), int(game.roles[game.shot] == MERLIN)
                chance = 1 / (len(game.roles) - len(game.evil))
                for evidence in ("votes", "voters"):
                    shooter.append((*played, evidence, batch, 1, hit, best_shot(game, logs[evidence][-1]), chance))
    first = ["players", "merlin", "after_mission", "evidence"]
    hits = ["games", "hits_people", "hits_posterior", "chance_hits"]
    return {
        "posterior": _summed(seats, [*first, "bin"], ["expected", "seats", "evil"]),
        "surprise": _summed(surprise, [*first, "batch"], ["games", "bits", "prior_bits"]),
        "shooter": _summed(shooter, ["players", "missions_played", "evidence", "batch"], hits),
    }


def taught(games: Sequence[Game]) -> dict[tuple[int, int], posterior.Likelihoods]:
    """The frequencies in some games, by players and whether there is a Merlin."""
    tables = defaultdict(list)
    for game in games:
        tables[_table(game)].append((game.public, game.roles))
    return {
        (n, merlin): posterior.learned(tables[n, merlin], board.evil)
        for n, board in BOARDS.items()
        for merlin in (0, 1)
    }


def _summed(rows: Sequence[tuple], by: list[str], sums: list[str]) -> pd.DataFrame:
    """The rows with the same first columns added up, and what is no whole number written with `DECIMALS`."""
    return pd.DataFrame(rows, columns=[*by, *sums]).groupby(by, as_index=False)[sums].sum().round(DECIMALS)


def _seats(game: Game, chances: np.ndarray) -> Iterator[tuple]:
    """Each seat after each mission: the bin of its probability to be evil, this, and whether it is."""
    edges = [at / BINS for at in range(1, BINS)]
    evil = posterior.evil_chances(hypotheses(game.public.board, game.has_merlin), chances)
    for after, row in enumerate(meant(evil).tolist(), 1):
        for seat, chance in enumerate(row):
            yield after, (bisect_right(edges, chance), chance, 1, int(seat in game.evil))


def _true(game: Game) -> np.ndarray:
    """Which hypotheses have the evil seats of the game."""
    of = hypotheses(game.public.board, game.has_merlin)
    return (of.evil == np.isin(np.arange(len(game.roles)), list(game.evil))).all(1)


def _surprise(game: Game, chances: np.ndarray) -> Iterator[tuple]:
    """How many bits the evil seats still were worth after each mission, and before the first."""
    before = meant(log2(comb(len(game.roles), len(game.evil))))
    for after, chance in enumerate(chances[:, _true(game)].sum(1).tolist(), 1):
        yield after, (meant(-log2(chance)), before)


def best_shot(game: Game, votes: np.ndarray) -> float:
    """The chance to hit of who knows the evil seats and shoots at the likeliest Merlin by the likelihoods of votes.

    0 or 1, or a part of 1 where several seats are as likely.
    """
    chances = meant(posterior.normed(votes[_true(game)]))
    best = hypotheses(game.public.board, True).merlin[_true(game)][chances == chances.max()]
    return float(game.roles.index(MERLIN) in best) / len(best)
