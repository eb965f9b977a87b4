"""What alliances of roles are worth: a game in coalitions played over the card game.

Two games, which answer two questions. *Against the report's play*, v(S) is the most that the roles in S can score
together when one mind makes all their choices and the other roles keep to the report's rule. *Against resistance*, it
is what S can be sure of when the others, also of one mind, do all they can to keep its points few; a game that never
ends is worth 0. Everybody knows all roles in both.
"""

from collections.abc import Iterable, Mapping
from itertools import combinations

from gamebalance.base.checks import one_of
from gamebalance.multiplayer.cooperative import TUGame
from gamebalance.sanguosha.lineup import Role, Seating
from gamebalance.sanguosha.policies import Policies
from gamebalance.sanguosha.replies.best import check_roles, payoff
from gamebalance.sanguosha.replies.values import MOST_PLAYERS, Values
from gamebalance.sanguosha.rules import AS_CODED, Rules, check_rules
from gamebalance.sanguosha.scoring import REPORT_SCORING, Scoring

#: What the roles outside an alliance do.
OTHERS = ("the report's rule", "resist")


def alliance_worth(
    seating: Seating | str,
    roles: Iterable[Role],
    others: str = "the report's rule",
    rules: Rules = AS_CODED,
    scoring: Scoring = REPORT_SCORING,
) -> float:
    """v(S): the expected total of the roles in S under joint control, in points, for one seating.

    Parameters
    ----------
    seating : Seating or str
        Two to four players.
    roles : iterable of Role
        The alliance.
    others : {"the report's rule", "resist"}
        What the other roles do.
    rules : Rules
    scoring : Scoring
        No points may be negative.
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
