"""The best reply of a role, or of several under joint control, to what the others do: a Markov decision problem.

Then best replies to best replies, role after role, until nobody changes or what happened before comes back; and what
alliances of roles are worth, in two games that answer two questions. *Against the report's play*, v(S) is the most
that the roles in S can score together when one mind makes all their choices and the other roles keep to the report's
rule. *Against resistance*, it is what S can be sure of when the others, also of one mind, do all they can to keep its
points few; a game that never ends is worth 0. Everybody knows all roles.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from gamebalance.base.checks import flag, one_of, shown, whole_number
from gamebalance.base.sums import dot
from gamebalance.base.tabled import Tabled
from gamebalance.multiplayer.cooperative import TUGame
from gamebalance.sanguosha.exact import solve
from gamebalance.sanguosha.lineup import Role, Seating
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.policies import Policies, Policy, StatePolicy, check_policies
from gamebalance.sanguosha.replies.values import MOST_PLAYERS, Values
from gamebalance.sanguosha.rules import AS_CODED, Rules, check_rules
from gamebalance.sanguosha.scoring import REPORT_SCORING, Alive, Scoring

#: Where value iteration stops, in points: a hundred times as much is what a role must gain to change a choice.
CHANGE = 1e-8
#: What the roles outside an alliance do.
OTHERS = ("the report's rule", "resist")


@dataclass(frozen=True)
class BestReply(Tabled):
    """What the controlled roles can score together, from above and from below, and how.

    `upper` are expected points of these roles' members together by value iteration, a bound from above if `certified`
    (see `Values`); `outcomes` how the game ends when they play `policies`, by the forward solver, which moves mass
    where value iteration carries points back.
    """

    seating: Seating
    roles: frozenset[Role]
    upper: float
    outcomes: Outcomes
    policies: dict[Role, StatePolicy]
    scoring: Scoring
    sweeps: int
    certified: bool

    @property
    def points(self) -> float:
        """What the policies score: a bound from below."""
        return total_points(self.outcomes, self.roles, self.scoring)

    @property
    def gap(self) -> float:
        """How far the two bounds are apart, in points."""
        return self.upper - self.points

    def to_frame(self) -> pd.DataFrame:
        """One row: what the roles score together with `policies`, and the bound from above, in points.

        Examples
        --------
        >>> best_reply("023", Role.REBEL).to_frame().columns.tolist()
        ['points', 'upper', 'gap']
        """
        row = {"points": self.points, "upper": self.upper, "gap": self.gap}
        roles = ", ".join(role.key for role in sorted(self.roles))
        return pd.DataFrame([row], pd.Index([roles], name="roles"))

    def _headings(self) -> dict[str, str]:
        return {"points": "expected points together, at least", "upper": "at most", "gap": "difference"}

    def _about(self) -> str:
        kind = "bounds" if self.certified else "values"
        return f"Sanguosha, seating {self.seating}: best reply to what the others do, computed {kind}"


def best_reply(
    seating: Seating | str,
    roles: Role | Iterable[Role],
    rules: Rules = AS_CODED,
    scoring: Scoring = REPORT_SCORING,
    policies: Policies | None = None,
    sees_cards: bool = True,
) -> BestReply:
    """The choices that score most when everybody knows all roles and the others keep to their policies.

    Parameters
    ----------
    seating : Seating or str
        Two to four players; a few seconds and under 0.5 GiB.
    roles : Role or several
        Who chooses, knowing the whole state, so as to make the expected points of all their members together as large
        as possible.
    scoring : Scoring
        No points may be negative.
    policies : mapping from Role to Policy, optional
        What the other roles do; the report's rule if not named. A `StatePolicy` for a controlled role is kept wherever
        it is as good as any other choice.
    sees_cards : bool
        Whether they choose after drawing the two cards, as in the report (§4.2), or before.
    """
    seating, rules = Seating(seating, MOST_PLAYERS), check_rules(rules)
    controlled, chosen = check_roles(seating, roles), check_policies(policies, seating)
    if not flag("sees_cards", sees_cards) and any(_looks_at_cards(chosen[role]) for role in controlled):
        raise ValueError("policies: a choice that looks at the cards cannot be kept where sees_cards = False")
    values, replies = choose(seating, controlled, rules, scoring, chosen, sees_cards)
    outcomes = solve(seating, rules, {**chosen, **replies})
    return BestReply(seating, controlled, values.start(), outcomes, replies, scoring, values.sweeps, values.certified)


def choose(
    seating: Seating,
    controlled: frozenset[Role],
    rules: Rules,
    scoring: Scoring,
    policies: Policies,
    sees_cards: bool = True,
    change: float = Values.change,
) -> tuple[Values, dict[Role, StatePolicy]]:
    """The values and the policies of `best_reply`, not yet played; `change` as for `Values`."""
    points = payoff(seating, controlled, scoring)
    values = Values(seating, points, controlled, rules, policies, sees_cards, change)
    kept = {role: policy for role, policy in policies.items() if isinstance(policy, StatePolicy)}
    return values, {role: values.choices(role, kept.get(role)) for role in sorted(controlled)}


def _looks_at_cards(policy: Policy) -> bool:
    return isinstance(policy, StatePolicy) and any(len(choice) > 1 for choice in policy.choices.values())


def payoff(
    seating: Seating | str, roles: Iterable[Role], scoring: Scoring = REPORT_SCORING
) -> Callable[[Alive], float]:
    """The points of all members of these roles together, by ending; asked for negative ones, a ValueError."""
    lineup = Seating(seating).lineup
    members = np.array([lineup.counts[role] if role in roles else 0 for role in Role])

    def points(alive: Alive) -> float:
        total = float(dot(np.nan_to_num(scoring.scores(lineup, alive)), members))
        if total < 0:
            raise ValueError(f"scoring = {shown(scoring)}: {total:g} points for {alive}; none may be negative here")
        return total

    return points


def total_points(outcomes: Outcomes, roles: Iterable[Role], scoring: Scoring = REPORT_SCORING) -> float:
    """Expected points of all members of these roles together."""
    scores = np.nan_to_num(outcomes.expected_scores(scoring))
    return float(sum(scores[role] * outcomes.lineup.counts[role] for role in roles))


def check_roles(seating: Seating, roles: Role | Iterable[Role], name: str = "roles") -> frozenset[Role]:
    """The roles as a set, if each is held in this seating and there is at least one; else ValueError."""
    given = tuple(roles) if isinstance(roles, Iterable) else (roles,)
    held = set(seating.roles)
    wrong = [role for role in given if not isinstance(role, Role) or role not in held]
    if wrong or not given:
        names = ", ".join(role.name for role in sorted(held))
        raise ValueError(f"{name} = {shown(wrong[0] if wrong else given)}: roles of the seating are needed: {names}")
    return frozenset(given)


@dataclass(frozen=True)
class Iteration(Tabled):
    """How play developed when one role after the other replied as well as it could.

    `outcomes` are how the game ends before the first round and after each, `policies` those after the last; `status` is
    "settled" (nobody changed anything in the last round: an equilibrium in pure policies, up to `CHANGE`), "cycle" (all
    policies of `period` rounds ago came back) or "stopped" (the rounds were used up, `period` is 0).
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
    """Let one role after the other, in this order, switch to its best reply, from `policies` (the report's) on.

    At most so many rounds, in each of which every role of the seating, of two to four players, replies once.

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


def alliance_worth(
    seating: Seating | str,
    roles: Iterable[Role],
    others: str = "the report's rule",
    rules: Rules = AS_CODED,
    scoring: Scoring = REPORT_SCORING,
) -> float:
    """v(S): the expected total of the roles in S under joint control, in points, for a seating of two to four players.

    The others keep to "the report's rule" or "resist". No points of `scoring` may be negative.
    """
    opposed = one_of("others", others, OTHERS) == "resist"
    return _values(seating, roles, rules, scoring, opposed=opposed).start()


def resisted_bounds(
    seating: Seating | str, roles: Iterable[Role], rules: Rules = AS_CODED, scoring: Scoring = REPORT_SCORING
) -> tuple[float, float]:
    """Bounds from below and above of what an alliance is worth against resistance; arguments as for `alliance_worth`.

    What value iteration has reached from below, and what the alliance gets at best against the choices that resist by
    those values, fixed for good. Where those choices let all wait for each other, the second number is itself
    approached from below (see `Values`): a bound up to the accuracy of that iteration.
    """
    resisted = _values(seating, roles, rules, scoring, opposed=True)
    against: Policies = {role: resisted.choices(role) for role in set(resisted.roles) - resisted.controlled}
    return resisted.start(), _values(resisted.seating, resisted.controlled, rules, scoring, policies=against).start()


def _values(seating: Seating | str, roles: Iterable[Role], rules: Rules, scoring: Scoring, **options) -> Values:
    seating, rules = Seating(seating, MOST_PLAYERS), check_rules(rules)
    controlled = check_roles(seating, roles)
    return Values(seating, payoff(seating, controlled, scoring), controlled, rules, change=1e-8, **options)


def coalitions(roles: Iterable[Role] = tuple(Role)) -> tuple[frozenset[Role], ...]:
    """All coalitions but the empty one, smaller before larger."""
    members = sorted(roles)
    return tuple(frozenset(some) for size in range(1, len(members) + 1) for some in combinations(members, size))


def alliances(worths: Mapping[frozenset[Role], float]) -> TUGame:
    """The game in coalitions with these worths, one for each coalition of the roles that occur."""
    players = sorted(frozenset().union(*worths))
    return TUGame([role.english for role in players], {_names(some): worth for some, worth in worths.items()})


def _names(roles: Iterable[Role]) -> frozenset[str]:
    return frozenset(role.english for role in roles)
