"""The best reply of a role, or of several under joint control, to what the others do: a Markov decision problem."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from gamebalance.base.checks import flag, shown
from gamebalance.base.sums import dot
from gamebalance.base.tabled import Tabled
from gamebalance.sanguosha.exact import solve
from gamebalance.sanguosha.lineup import Role, Seating
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.policies import Policies, Policy, StatePolicy, check_policies
from gamebalance.sanguosha.replies.values import MOST_PLAYERS, Values
from gamebalance.sanguosha.rules import AS_CODED, Rules, check_rules
from gamebalance.sanguosha.scoring import REPORT_SCORING, Alive, Scoring


@dataclass(frozen=True)
class BestReply(Tabled):
    """What the controlled roles can score together, from above and from below, and how.

    Parameters
    ----------
    seating : Seating
    roles : frozenset of Role
        Whose choices were made.
    upper : float
        Expected points of these roles' members together, by value iteration; a bound from above if `certified`.
    outcomes : Outcomes
        How the game ends when they play `policies`: by the forward solver, which moves mass where value iteration
        carries points back; both read who is in reach and what a turn does from the same tables.
    policies : dict of Role to StatePolicy
    scoring : Scoring
    sweeps : int
        Sweeps of value iteration, over all living sets.
    certified : bool
        Whether `upper` is a bound; see `Values`.
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
        Two to four players.
    roles : Role or several
        Who chooses, so as to make the expected points of all their members together as large as possible. Before each
        choice they know the whole state.
    rules : Rules
    scoring : Scoring
        No points may be negative.
    policies : mapping from Role to Policy, optional
        What the other roles do; the report's rule if not named. A `StatePolicy` for a controlled role is kept wherever
        it is as good as any other choice.
    sees_cards : bool
        Whether they choose after drawing the two cards, as in the report (§4.2), or before.

    Notes
    -----
    A few seconds for each call with four players, and under 0.5 GiB.
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
    kept = {role: policies[role] if isinstance(policies[role], StatePolicy) else None for role in controlled}
    return values, {role: values.choices(role, kept[role]) for role in sorted(controlled)}


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


def check_roles(seating: Seating, roles: Role | Iterable[Role]) -> frozenset[Role]:
    """The roles as a set, if each is held in this seating and there is at least one; else ValueError."""
    given = tuple(roles) if isinstance(roles, Iterable) else (roles,)
    held = set(seating.roles)
    wrong = [role for role in given if not isinstance(role, Role) or role not in held]
    if wrong or not given:
        names = ", ".join(role.name for role in sorted(held))
        raise ValueError(f"roles = {shown(wrong[0] if wrong else given)}: roles of the seating are needed: {names}")
    return frozenset(given)
