"""How games of Mafia end for each role: who wins, who lives to see it, how often the lead goes over. Exact."""

from gamebalance.base.estimates import Estimate
from gamebalance.fairness import walks
from gamebalance.fairness.endings import Endings
from gamebalance.mafia import phases
from gamebalance.mafia.exact import Position, following, position_values
from gamebalance.mafia.idle import warn_of_idle
from gamebalance.mafia.people import Town
from gamebalance.mafia.rules import AS_CODED, Rules
from gamebalance.mafia.setups import ROLES, SIDES, Setup
from gamebalance.mafia.win import check_exact


def endings(setup: Setup, rules: Rules = AS_CODED, phase: str = "evening") -> Endings:
    """Wins and survival of each role when everyone plays at random.

    Parameters
    ----------
    setup : Setup
        As many players as `win_probability` solves as fractions.
    rules : Rules
    phase : {"evening", "morning"}
        What comes first.

    Returns
    -------
    Endings
        By side (mafia, town) and role; lengths in nights and days together. Who is more likely to win leads.

    Examples
    --------
    >>> endings(Setup(1, 2, 1)).tally("side").means.round(6).tolist()
    [0.296296, 0.703704]
    """
    check_exact(setup, rules, phase)
    warn_of_idle(setup, rules)
    values = position_values(setup, rules, phase)

    def after(position: Position) -> dict[Position, float]:
        return {then: float(chance) for then, chance in following(position, rules).items()}

    def leader(position: Position) -> str | None:
        value = 2 * values[position]
        return None if value == 1 else "town" if value > 1 else "mafia"

    walk = walks.follow(Position(Town.of(setup, rules), phase, 1), after, leader)
    roles = {name: role for name, role in ROLES.items() if getattr(setup, name)}
    sides = [SIDES[role] for role in roles.values()]
    members = [getattr(setup, name) for name in roles]
    won, alive = [], []
    for town, phase_of_end, _ in walk.ends:
        winner = "mafia" if phases.winner(town, phase_of_end, rules) == "mafia" else "town"
        won.append([count * (side == winner) for side, count in zip(sides, members, strict=True)])
        alive.append([town.count(role) for role in roles.values()])
    return Endings(
        {"side": sides, "role": list(roles.values())},
        members,
        list(walk.ends.values()),
        {"won": won, "alive": alive},
        length=Estimate(walk.length),
        lead_changes=Estimate(walk.lead_changes),
        step="nights and days",
    )
