"""What alliances of roles are worth: a game in coalitions played over the card game.

v(S) is the most that the roles in S can score together when one mind makes all their choices and the other roles keep
to the report's rule. It is not what S can force against everybody: the others neither help nor resist more than their
rule says.
"""

from collections.abc import Iterable, Mapping
from itertools import combinations

from gamebalance.multiplayer.cooperative import TUGame
from gamebalance.sanguosha.exact import MAX_EXACT_PLAYERS
from gamebalance.sanguosha.lineup import Lineup, Role
from gamebalance.sanguosha.replies.best import check_roles, payoff, roles_of
from gamebalance.sanguosha.replies.values import Values
from gamebalance.sanguosha.rules import AS_CODED, Rules, check_rules
from gamebalance.sanguosha.scoring import REPORT_SCORING, Scoring


def alliance_worth(
    seating: str, roles: Iterable[Role], rules: Rules = AS_CODED, scoring: Scoring = REPORT_SCORING
) -> float:
    """v(S): the expected total of the roles in S under joint control, in points, for one seating.

    Raises
    ------
    ValueError
        If an argument is not as described for `best_reply`.
    """
    check_rules(rules)
    controlled = check_roles(seating, roles)
    return Values(roles_of(seating), payoff(seating, controlled, scoring), controlled, rules).start()


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


def check_lineup(lineup: Lineup | str) -> Lineup:
    """The line-up, if it can be solved exactly; else ValueError."""
    lineup = Lineup.parse(lineup)
    if lineup.players > MAX_EXACT_PLAYERS:
        raise ValueError(
            f"lineup = {lineup} has {lineup.players} players: at most {MAX_EXACT_PLAYERS} are solved exactly"
        )
    return lineup
