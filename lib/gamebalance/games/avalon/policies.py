"""Two ways to play Avalon: at random, and with sense."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from gamebalance.base.checks import check_fields, number
from gamebalance.games.avalon import rules
from gamebalance.games.avalon.playing import Proposal, Public
from gamebalance.games.avalon.rules import MERLIN, MORDRED, MORGANA, PERCIVAL, Board, Team, View

Results = tuple[tuple[Team, int, bool], ...]
Votes = tuple[Proposal, ...]


@dataclass(frozen=True)
class AtRandom:
    """Any team, approved with a chance that looks at nothing; evil members fail with a chance; shots at others."""

    approve: float = 0.5
    fail: float = 1.0

    def __post_init__(self):
        number("approve", self.approve, 0, 1)
        number("fail", self.fail, 0, 1)

    def teams(self, view: View, public: Public) -> Sequence[Team]:
        return public.board.teams(len(public.missions))

    def approves(self, view: View, public: Public, team: Team) -> float:
        return self.approve

    def fails(self, view: View, public: Public, team: Team) -> float:
        return self.fail

    def shoots(self, view: View, public: Public) -> Sequence[int]:
        return [seat for seat in range(public.board.players) if seat not in view.seen]


@dataclass(frozen=True)
class Sensible:
    """Good players go by missions that failed and by votes; evil ones get on teams; the assassin reads votes.

    `hides` is the chance, known to good players, that evil lets the first mission succeed; later ones fail wherever
    evil can make them. `listens`, from 0 to below 1, is how much they read in votes: they believe that an evil player
    approves a team with an evil member with chance (1 + listens) / 2, another one with (1 - listens) / 2, and that good
    players toss coins. Who `blends`, of evil, proposes and votes as a loyal player would; if not, they get evil on
    teams. Merlin `shows`: proposes and votes by what he sees; if not, as a loyal player. The assassin `reads`: shoots
    at the good player whose votes told clean teams from others best; if not, at random.

    Each good player weighs the sets of evil seats that the deal leaves possible to him by how likely they make what he
    has seen. A good leader proposes a team that is the likeliest to be clean, with no evil member; an evil leader who
    does not blend in goes with those who look cleanest beside him to somebody who does not play, and takes no other
    evil player whom he knows. On the first proposal of a mission a good player approves what no other team is likelier
    to be clean than; with each rejection the demand falls in equal steps, to none on the last proposal. Evil players
    who do not blend in approve teams with an evil member, and reject all on the last proposal. Of several evil members
    who know each other, as many as are needed play fail, those in the lowest seats; Oberon plays for himself.
    """

    hides: float = 0.5
    listens: float = 0.0
    blends: bool = False
    shows: bool = True
    reads: bool = True

    def __post_init__(self):
        check_fields(self)
        number("hides", self.hides, 0, 1)
        number("listens", self.listens, 0, 0.99)

    def teams(self, view: View, public: Public) -> Sequence[Team]:
        board, mission = public.board, len(public.missions)
        if self._acts_good(view):
            return _best(board.teams(mission), self._clean(view, public))
        alone = [team for team in board.teams(mission) if view.seen & set(team) == {view.seat}]
        looks = self._looks(public, None)
        return _best(alone, [looks[team] for team in alone]) if alone else board.teams(mission)

    def approves(self, view: View, public: Public, team: Team) -> float:
        last = len(public.proposals) == public.board.proposals - 1
        if not self._acts_good(view):
            return float(bool(view.seen & set(team)) and not last)
        if last:
            return 1.0
        clean = self._clean(view, public)
        demand = 1 - len(public.proposals) / (public.board.proposals - 1)
        return float(clean[team] >= demand * max(clean.values()) - 1e-9)

    def _acts_good(self, view: View) -> bool:
        """Whether a player proposes and votes as good players do."""
        return self.blends or not view.is_evil

    def _clean(self, view: View, public: Public) -> dict[Team, float]:
        """How likely each team for the next mission is to be clean, to a good player, or to one who acts as a loyal."""
        if view.is_evil or (view.role == MERLIN and not self.shows):
            view = view._replace(role=rules.LOYAL, seen=frozenset())
        return self._looks(public, view)

    def _looks(self, public: Public, view: View | None) -> dict[Team, float]:
        """What `_clean` makes of what counts: votes only for those who listen, so that tables are alike."""
        votes = public.votes if self.listens else ()
        return _clean(public.board, public.results, votes, self.hides, self.listens, view)

    def fails(self, view: View, public: Public, team: Team) -> float:
        mission = len(public.missions)
        needed = public.board.fails_needed[mission]
        members = sorted(view.seen & set(team))
        if members.index(view.seat) >= needed or (len(members) < needed and view.role != rules.OBERON):
            return 0.0
        return 1.0 - self.hides if _may_hide(public.board, mission) else 1.0

    def shoots(self, view: View, public: Public) -> Sequence[int]:
        suspects = [seat for seat in range(public.board.players) if seat not in view.seen]
        if not self.reads:
            return suspects
        told = dict.fromkeys(suspects, 0)
        for mission in public.missions:
            for proposal in mission.proposals:
                clean = not view.seen & set(proposal.team)
                for seat in suspects:
                    told[seat] += (seat in proposal.approving) == clean
        return _best(suspects, told)


def _may_hide(board: Board, mission: int) -> bool:
    """Whether evil may let a mission succeed: the first one, if it does not decide."""
    return mission == 0 and board.to_win > 1


def _best(choices: Sequence, values) -> list:
    """The choices with the largest value, to nine decimals."""
    values = list(values.values() if isinstance(values, dict) else values)
    most = max(values) - 1e-9
    return [choice for choice, value in zip(choices, values, strict=True) if value >= most]


@lru_cache(maxsize=4096)
def _clean(
    board: Board, results: Results, votes: Votes, hides: float, listens: float, view: View | None
) -> dict[Team, float]:
    """How likely each team of the next mission has no evil member, to a player, or to somebody who does not play."""
    weights = _weights(board, results, votes, hides, listens)
    if view is not None:
        known = weights * _possible(board, view)
        weights = known if known.any() else _possible(board, view)  # somebody has played otherwise than is believed
    chances = (_clean_of(board, len(results)) @ (weights / weights.sum())).round(9)
    return dict(zip(board.teams(len(results)), chances.tolist(), strict=True))


@lru_cache(maxsize=1024)
def _weights(board: Board, results: Results, votes: Votes, hides: float, listens: float) -> np.ndarray:
    """How likely each set of evil seats makes the results of the missions, and the votes; the largest is 1."""
    held = _members(board)
    weights, told = np.ones(len(held)), np.zeros(len(held))
    for mission, (team, fails, failed) in enumerate(results):
        evil = held[:, list(team)].sum(axis=1)
        able = evil >= board.fails_needed[mission]
        passes = hides if _may_hide(board, mission) else 0.0
        weights *= (np.where(able, 1 - passes, 0) if failed else np.where(able, passes, 1)) * (evil >= fails)
    weights = weights if weights.any() else np.ones(len(held))
    if not listens:
        return weights
    for _, team, approving in votes:
        told += _told(board, team, approving)
    told = np.where(weights > 0, told, -np.inf)
    return weights * ((1 + listens) / (1 - listens)) ** ((told - told.max()) / 2)


@lru_cache(maxsize=4096)
def _told(board: Board, team: Team, approving: Team) -> np.ndarray:
    """By sets of evil seats: of these, how many voted as evil is believed to vote on a team, less the others."""
    held = _members(board)
    votes = np.full(board.players, -1)
    votes[list(approving)] = 1
    return np.where(held[:, list(team)].any(axis=1), 1, -1) * (held @ votes)


def _marked(sets: Sequence[Team], players: int) -> np.ndarray:
    """Which seats are in each set, shape (sets, players)."""
    return np.array([np.isin(range(players), seats) for seats in sets])


@lru_cache(maxsize=16)
def _members(board: Board) -> np.ndarray:
    """Which seats are in each set of evil seats; shape (sets, players)."""
    return _marked(board.evil_sets, board.players)


@lru_cache(maxsize=64)
def _clean_of(board: Board, mission: int) -> np.ndarray:
    """Whether each team of a mission has no member in each set; shape (teams, sets)."""
    teams = _marked(board.teams(mission), board.players).astype(int)
    return (teams @ _members(board).T == 0).astype(float)


@lru_cache(maxsize=1024)
def _possible(board: Board, view: View) -> np.ndarray:
    """Which sets of evil seats the deal leaves possible to a good player: 1 or 0 for each."""
    held = _members(board)
    possible = ~held[:, view.seat]
    if view.role == MERLIN:
        unseen = sum(role == MORDRED for role in view.cast)
        possible &= held[:, sorted(view.seen)].sum(axis=1) == board.evil - unseen
    elif view.role == PERCIVAL and view.seen:
        possible &= held[:, sorted(view.seen)].sum(axis=1) == (MORGANA in view.cast)
    return possible.astype(float)
