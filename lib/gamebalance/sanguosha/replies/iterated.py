"""Best replies to best replies, role after role, until nobody changes or what happened before comes back."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

import pandas as pd

from gamebalance.base.checks import shown, whole_number
from gamebalance.base.tabled import Tabled
from gamebalance.sanguosha.exact import solve
from gamebalance.sanguosha.lineup import Role, Seating
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.policies import Policies, StatePolicy, check_policies
from gamebalance.sanguosha.replies.best import choose
from gamebalance.sanguosha.replies.values import MOST_PLAYERS
from gamebalance.sanguosha.rules import AS_CODED, Rules
from gamebalance.sanguosha.scoring import REPORT_SCORING, Scoring

#: Where value iteration stops, in points: a hundred times as much is what a role must gain to change a choice.
CHANGE = 1e-8


@dataclass(frozen=True)
class Iteration(Tabled):
    """How play developed when one role after the other replied as well as it could.

    Parameters
    ----------
    seating : Seating
    outcomes : tuple of Outcomes
        How the game ends before the first round and after each.
    status : {"settled", "cycle", "stopped"}
        Nobody changed anything in the last round: an equilibrium in pure policies, up to `CHANGE`; or all policies
        of an earlier round came back; or the rounds were used up.
    period : int
        Rounds after which the policies come back: 1 if settled, 0 if stopped.
    policies : dict of Role to Policy
        After the last round.
    """

    seating: Seating
    outcomes: tuple[Outcomes, ...]
    status: str
    period: int
    policies: dict

    @property
    def rounds(self) -> int:
        return len(self.outcomes) - 1

    def to_frame(self) -> pd.DataFrame:
        """A row for each round, from 0 on: the chance of a member of each role to survive.

        Examples
        --------
        >>> iterate_best_replies("023", rounds=1).to_frame().columns.tolist()
        ['lord', 'rebel', 'renegade']
        """
        chances = [outcomes.survival for outcomes in self.outcomes]
        frame = pd.DataFrame(chances, pd.RangeIndex(len(chances), name="round"), [role.key for role in Role])
        return frame.dropna(axis="columns")

    def _about(self) -> str:
        ends = {"settled": "nobody changes any more", "stopped": "the rounds were used up"}
        end = ends.get(self.status, f"what was played comes back after {self.period} rounds")
        return f"Sanguosha, seating {self.seating}: chances to survive, role after role replying best; {end}"


def iterate_best_replies(
    seating: Seating | str,
    rounds: int = 20,
    rules: Rules = AS_CODED,
    scoring: Scoring = REPORT_SCORING,
    order: tuple[Role, ...] = tuple(Role),
    policies: Policies | None = None,
) -> Iteration:
    """Let one role after the other switch to its best reply, from the report's policies on.

    Parameters
    ----------
    seating : Seating or str
        Two to four players.
    rounds : int
        At most so many rounds, in each of which every role replies once.
    rules : Rules
    scoring : Scoring
    order : tuple of Role
        In which order they reply: every role of the seating, once.
    policies : mapping from Role to Policy, optional
        Where the iteration starts; the report's rule if not named.

    Notes
    -----
    A role keeps its choice in every state where that is as good as the best, so that indifference alone never keeps
    the iteration going. Settled policies are an equilibrium of the game in which all roles are known and the members
    of a role act as one: in no state does another choice gain more than a hundred times `CHANGE`.
    """
    whole_number("rounds", rounds, 1)
    seating = Seating(seating, MOST_PLAYERS)
    replying = _in_order(seating, order)
    current = check_policies(policies, seating)
    outcomes = [solve(seating, rules, current)]
    earlier = [fingerprint(current)]
    for _ in range(rounds):
        for role in replying:
            current |= choose(seating, frozenset({role}), rules, scoring, current, change=CHANGE)[1]
        outcomes.append(solve(seating, rules, current))
        now = fingerprint(current)
        if now in earlier:
            period = len(earlier) - earlier.index(now)
            return Iteration(seating, tuple(outcomes), "settled" if period == 1 else "cycle", period, current)
        earlier.append(now)
    return Iteration(seating, tuple(outcomes), "stopped", 0, current)


def _in_order(seating: Seating, order: tuple[Role, ...]) -> list[Role]:
    """The roles of the seating in this order, each of which must be named once."""
    given = list(order) if isinstance(order, Iterable) else [order]
    replying = [role for role in given if role in seating.roles]
    if not all(isinstance(role, Role) for role in given) or sorted(replying) != sorted(set(seating.roles)):
        raise ValueError(f"order = {shown(order)}: every role of the seating once is needed")
    return replying


def fingerprint(policies: Policies) -> str:
    """A hash of all choices of the policies by state; others count by their name."""
    digest = hashlib.sha256()
    for role, policy in sorted(policies.items()):
        digest.update(repr(role).encode())
        if not isinstance(policy, StatePolicy):
            digest.update(repr(policy).encode())
            continue
        for key, choice in sorted(policy.choices.items()):
            digest.update(repr(key).encode() + choice.tobytes())
    return digest.hexdigest()
