"""Tables of Avalon from a seed: any policies, one game or many."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np

from gamebalance.base.checks import check_seed, shown, whole_number
from gamebalance.games.avalon import rules
from gamebalance.games.avalon.rules import MISSED, SHOT, SUCCESSES, WINNER, Board, Team, View
from gamebalance.games.avalon.table import Public

Number = int | float | Fraction


class Policy(Protocol):
    """How people play, by what they know from the deal and what all have seen."""

    def teams(self, view: View, public: Public) -> Sequence[Team]:
        """Teams of which a leader proposes one, each equally likely."""

    def approves(self, view: View, public: Public, team: Team) -> float:
        """The chance that somebody approves a team."""

    def fails(self, view: View, public: Public, team: Team) -> float:
        """The chance that an evil member of a team that goes plays fail; `public` has the vote as its last proposal."""

    def shoots(self, view: View, public: Public) -> Sequence[int]:
        """Seats of which the assassin shoots at one, each equally likely."""


@dataclass(frozen=True)
class Played:
    """A game that is over: the roles by seat, what everybody saw, who was shot at (a seat, or None), how it ended."""

    roles: tuple[str, ...]
    public: Public
    shot: int | None
    ending: str

    @property
    def winner(self) -> str:
        return WINNER[self.ending]


def play(board: Board, special: Sequence[str], policy: Policy, seed: int, number: int = 0) -> Played:
    """Game `number` of a seed, each with its own random numbers.

    Parameters
    ----------
    board : Board
    special : sequence of str
        The special roles in the game, as for `rules.cast`.
    policy : Policy
        How all play; what differs by role or seat it reads from the view.
    seed, number : int

    Returns
    -------
    Played
    """
    rng = np.random.default_rng([check_seed(seed), whole_number("number", number)])
    cast = rules.cast(board, special)
    roles = tuple(cast[place] for place in rng.permutation(len(cast)))
    views = [rules.view(roles, seat, cast) for seat in range(board.players)]
    public = Public(board)
    while not public.is_over:
        team = _drawn(rng, policy.teams(views[public.leader], public))
        draws = rng.random(board.players)
        approving = tuple(
            view.seat for view, draw in zip(views, draws, strict=True) if draw < policy.approves(view, public, team)
        )
        public = public.voted(team, approving)
        if public.team_goes:
            draws = rng.random(len(team))
            cards = [
                views[seat].is_evil and draw < policy.fails(views[seat], public, team)
                for seat, draw in zip(team, draws, strict=True)
            ]
            public = public.played(int(sum(cards)))
    return _ended(rng, roles, views, public, policy)


def _drawn(rng: np.random.Generator, choices: Sequence):
    """One of the choices, each equally likely."""
    return choices[int(rng.integers(len(choices)))] if len(choices) > 1 else choices[0]


def _ended(rng, roles: tuple[str, ...], views: list[View], public: Public, policy: Policy) -> Played:
    """The game with its ending, after the shot if there is one."""
    if public.lost:
        return Played(roles, public, None, public.lost)
    if rules.MERLIN not in roles:
        return Played(roles, public, None, SUCCESSES)
    shot = _drawn(rng, policy.shoots(views[rules.assassin(roles)], public))
    return Played(roles, public, shot, SHOT if roles[shot] == rules.MERLIN else MISSED)


def games(board: Board, special: Sequence[str], policy: Policy, count: int, seed: int) -> Iterator[Played]:
    """The first `count` games of a seed, one after the other."""
    for number in range(whole_number("count", count, 1)):
        yield play(board, special, policy, seed, number)


def simulate(board: Board, special: Sequence[str], policy: Policy, count: int, seed: int) -> dict[str, int]:
    """How many of the first `count` games of a seed end in each way, by `rules.ENDINGS`.

    Examples
    --------
    >>> from gamebalance.games.avalon import BOARDS, AtRandom
    >>> simulate(BOARDS[5], (), AtRandom(), 100, seed=1)["three successes"]
    5
    """
    found = Counter(game.ending for game in games(board, special, policy, count, seed))
    return {ending: found[ending] for ending in rules.ENDINGS}


def good_wins(endings: dict[str, Number]) -> Number:
    """The sum over the endings in which good wins: chances, or counts of games."""
    if missing := set(endings) - set(WINNER):
        raise ValueError(f"endings = {shown(endings)}: {shown(sorted(missing)[0])} is no ending of a game")
    return sum(value for ending, value in endings.items() if WINNER[ending] == rules.GOOD)
