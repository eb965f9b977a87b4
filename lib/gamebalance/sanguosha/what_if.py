"""The game with other rules, said as a designer would say it: "two slashes fewer", "three hearts for the renegade"."""

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import fields, replace
from typing import Any

from gamebalance.base.checks import shown
from gamebalance.sanguosha.exact import MAX_EXACT_PLAYERS, solve, solve_lineup
from gamebalance.sanguosha.lineup import ROLE_KEYS, Lineup, Seating
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.policies import Policies
from gamebalance.sanguosha.rules import AS_CODED, OPENING_DODGES, Card, Rules, check_rules
from gamebalance.sanguosha.scoring import REPORT_SCORING, Scoring
from gamebalance.sanguosha.simulation import simulate

#: Players of whom all seatings are solved in a minute or less.
FEW_PLAYERS = 5

CARDS = tuple(card.name.lower() for card in Card)
POINTS = tuple(each.name for each in fields(Scoring))


def what_if(
    lineup: Lineup | str = "1-1-1-1",
    *,
    seating: Seating | str | None = None,
    health: int | Mapping[str, int] | None = None,
    deck: Mapping[str, int] | None = None,
    opening: int | str | Mapping[str, int] | None = None,
    draws: int | None = None,
    reach: tuple[int, int] | None = None,
    first: str | None = None,
    points: Mapping[str, float] | None = None,
    policies: Policies | None = None,
    rules: Rules = AS_CODED,
    games: int | None = None,
    seed: int = 0,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Callable[[int], None] | None = None,
) -> Outcomes:
    """How games end when the rules are changed; whatever is not named stays as it is.

    Parameters
    ----------
    seating : Seating or str, optional
        One seating of the line-up; all of them, equally likely, by default.
    health, deck, opening, draws, reach, first, rules
        As `changed` takes them.
    points : mapping from str to float, optional
        Points of `Scoring` by name, such as ``{"rebel_alive": 20}``; the scores are then those.
    policies : mapping from Role to Policy, optional
        How the roles choose their targets, in an exact solution.
    games : int, optional
        Play so many games, with this seed, instead of solving exactly. An exact solution is for all seatings of up to
        five players, or one seating of six.
    seed, workers, executor, progress
        As for `simulate` or `solve_lineup`.

    Examples
    --------
    >>> what_if("1-0-1-0", health={"rebel": 3}).survival.round(3)  # 0.549 and 0.451 with four hearts each
    array([0.775,   nan, 0.225,   nan])
    """
    lineup, scoring = Lineup.parse(lineup), changed_points(points)
    rules = changed(rules, health=health, deck=deck, opening=opening, draws=draws, reach=reach, first=first)
    if games is not None:
        if policies is not None:
            raise ValueError(f"games = {shown(games)}: other policies are followed by exact solutions only")
        found = simulate(lineup, games, seed, rules, workers, seating, executor, progress)
    elif seating is not None and lineup.players <= MAX_EXACT_PLAYERS:
        found = solve(lineup.seating(seating), rules, policies, workers)
    elif seating is None and lineup.players <= FEW_PLAYERS:
        found = solve_lineup(lineup, rules, workers, executor, progress, policies)
    else:
        raise ValueError(f"lineup = {lineup}: too many players for an exact solution; say how many games to play")
    return replace(found, scoring=scoring)


def changed(
    rules: Rules = AS_CODED,
    *,
    health: int | Mapping[str, int] | None = None,
    deck: Mapping[str, int] | None = None,
    opening: int | str | Mapping[str, int] | None = None,
    draws: int | None = None,
    reach: tuple[int, int] | None = None,
    first: str | None = None,
) -> Rules:
    """Rules with some of their numbers changed; ValueError if a name is none of these, or a number is not allowed.

    Parameters
    ----------
    health : int or mapping from str to int, optional
        Hearts of everybody, or of the roles named ("lord", "loyalist", "rebel", "renegade"), 1 to 4.
    deck : mapping from str to int, optional
        How many cards of the kinds named there are: "dodge", "peach", "weapon", "snatch", "dismantle", "slash".
    opening : int, str or mapping from str to int, optional
        Dodges held before the first turn by everybody, or by the roles named; or "four cards" or "two dodges".
    draws : int, optional
        Cards drawn in a turn.
    reach : tuple of two int, optional
        The largest distance of a target without and with a weapon.
    first : {"lord", "after the lord"}, optional
        Who has the first turn.
    """
    check_rules(rules)
    news: dict[str, Any] = {"draws": draws, "reach": reach, "first": first}
    if health is not None:
        news["health"] = _by_name("health", health, ROLE_KEYS, rules.health)
    if deck is not None:
        _check_names("deck", deck, CARDS)
        news["deck"] = _by_name("deck", deck, CARDS, rules.deck)
    if isinstance(opening, str):
        news["opening"] = opening
    elif opening is not None:
        before = (OPENING_DODGES,) * len(ROLE_KEYS) if isinstance(rules.opening, str) else rules.opening
        news["opening"] = _by_name("opening", opening, ROLE_KEYS, before)
    return replace(rules, **{name: value for name, value in news.items() if value is not None})


def changed_points(points: Mapping[str, Any] | None = None) -> Scoring:
    """The report's scoring rule with the points named changed; ValueError if there is no such name."""
    if points is None:
        return REPORT_SCORING
    _check_names("points", points, POINTS)
    return replace(REPORT_SCORING, **points)


def _by_name(what: str, given: Any, names: tuple[str, ...], before: tuple[int, ...]) -> tuple[int, ...]:
    """A tuple in the order of the names: one number for all, or those named and what was there before."""
    if not isinstance(given, Mapping):
        return (given,) * len(names)
    _check_names(what, given, names)
    return tuple(given.get(name, old) for name, old in zip(names, before, strict=True))


def _check_names(what: str, given: Any, names: tuple[str, ...]) -> None:
    if not isinstance(given, Mapping) or not all(name in names for name in given):
        raise ValueError(f"{what} = {shown(given)}: numbers by name are needed; the names are {', '.join(names)}")
