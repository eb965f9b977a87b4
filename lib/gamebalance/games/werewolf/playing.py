"""Games from a seed, and the whole tree of a small game: how often the town wins.

The tree shares the rules and strategies with `observer`, and none of its inference: beliefs in it are ratios of sums
over histories.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import numpy as np

from gamebalance.base.checks import check_seed, whole_number
from gamebalance.base.estimates import Estimate
from gamebalance.games.werewolf import rules, strategies
from gamebalance.games.werewolf.observer import Observer, PlanObserver, checks_after, opening
from gamebalance.games.werewolf.rules import VILLAGER, WOLF, Event, Public, Setup, Speech
from gamebalance.games.werewolf.strategies import Chance, Strategies
from gamebalance.multiplayer.beliefs import role_assignments
from gamebalance.multiplayer.beliefs.calibration import clustered_mean
from gamebalance.multiplayer.protocols import drawn

#: What voters may believe about how people play.
Belief = Strategies | Mapping[str, Strategies]
#: More than this, and the tree is too large.
MOST_PLAYERS = 5

#: Hidden state (roles, checks) -> its probability jointly with a public history.
Joint = dict[tuple, Chance]


@dataclass(frozen=True)
class Game:
    """A finished game: the truth, and what everybody saw."""

    roles: tuple[str, ...]
    checks: tuple[int, ...]
    public: Public

    @property
    def winner(self) -> str | None:
        return self.public.winner


def play(setup: Setup, plan: Strategies, seed: int, number: int = 0, believed: Belief | None = None) -> Game:
    """Game `number` of a seed, each with its own random numbers, in which everybody plays as `plan` says.

    `believed` is what the voters of the rule "bayes" believe about how everybody plays, apart from the vote; of several
    plans, each as likely. The truth by default. ValueError if they see what they believe to be impossible.
    """
    rng = np.random.default_rng([check_seed(seed), whole_number("number", number)])
    deck = [role for role, count in setup.counts.items() for _ in range(count)]
    roles, checks, public = tuple(deck[place] for place in rng.permutation(len(deck))), (), rules.start(setup)
    observer = _voters(setup, plan, plan if believed is None else believed) if plan.vote == "bayes" else None
    plan = plan.rounded()
    while not public.winner:
        if public.is_night:
            victim = drawn(strategies.kill(plan, roles, public), rng.random())
            event = rules.night_event(setup, roles, public, victim)
            later = checks_after(roles, checks, public.after(event))
            checks = later[int(rng.integers(len(later)))]
        elif public.speakers:
            player = public.speakers[0]
            known = rules.view(player, roles, checks)
            event = Speech(player, drawn(strategies.speech(plan, player, known, public), rng.random()))
        else:
            suspicion = observer.suspicion() if observer else None
            event = _poll(rng, setup, plan, roles, checks, public, suspicion)
        public = public.after(event)
        if observer and not public.winner:
            observer = observer.see(event)
    return Game(roles, checks, public)


def _voters(setup: Setup, plan: Strategies, believed: Belief) -> Observer | PlanObserver:
    """What voters of the rule "bayes" go by, before the first night."""
    known = {"vote": plan.vote, "tremble": plan.tremble}
    if isinstance(believed, Strategies):
        return opening(setup, replace(believed, **known))
    return PlanObserver(setup, {name: replace(each, **known) for name, each in believed.items()})


def _poll(rng, setup: Setup, plan: Strategies, roles: tuple, checks: tuple, public: Public, suspicion: Any):
    """The votes of a day, drawn."""
    votes = []
    for player in public.living:
        known = rules.view(player, roles, checks)
        votes.append((player, drawn(strategies.vote(plan, player, known, public, suspicion), rng.random())))
    hanged = rules.hangings(setup, votes)
    lot = drawn(dict.fromkeys(hanged, 1 / len(hanged)), rng.random())
    return rules.vote_event(setup, roles, public, tuple(votes), lot)


def town_win_rate(setup: Setup, plan: Strategies, games: int, seed: int, believed: Belief | None = None) -> Estimate:
    """Share of games that the town wins, with its standard error; arguments as for `play`."""
    numbers = range(whole_number("games", games, 2))
    return clustered_mean([play(setup, plan, seed, number, believed).winner == "town" for number in numbers])


def all_histories(setup: Setup, plan: Strategies) -> dict[Public, Joint]:
    """Every public history, finished or not, with its probability jointly with roles and checks."""
    whole_number("players (wolves + seer + villagers)", setup.players, 3, MOST_PLAYERS)
    assignments = role_assignments(setup.counts)
    each = Fraction(1, len(assignments))
    level: dict[Public, Joint] = {rules.start(setup): {(roles, ()): each for roles in assignments}}
    found = dict(level)
    while level:
        following: dict[Public, Joint] = {}
        for public, joint in level.items():
            suspicion = _suspicion(joint, setup.players) if plan.vote == "bayes" else None
            for (roles, checks), weight in joint.items():
                for event, hidden, chance in _next(setup, plan, roles, checks, public, suspicion):
                    into = following.setdefault(public.after(event), {})
                    into[roles, hidden] = into.get((roles, hidden), 0) + weight * chance
        found |= following
        level = {public: joint for public, joint in following.items() if not public.winner}
    return found


def exact_town_win_rate(setup: Setup, plan: Strategies) -> Chance:
    """Probability that the town wins."""
    finished = all_histories(setup, plan).items()
    return sum(sum(joint.values()) for public, joint in finished if public.winner == "town")


def _next(setup, plan, roles, checks, public, suspicion) -> Iterator[tuple[Event, tuple, Chance]]:
    """What can happen next: the event, the seer's checks after it, and its probability."""
    if public.is_night:
        for victim, chance in strategies.kill(plan, roles, public).items():
            event = rules.night_event(setup, roles, public, victim)
            later = checks_after(roles, checks, public.after(event))
            for hidden in later:
                yield event, hidden, chance / len(later)
    elif public.speakers:
        player = public.speakers[0]
        chances = strategies.speech(plan, player, rules.view(player, roles, checks), public)
        for statement, chance in chances.items():
            yield Speech(player, statement), checks, chance
    else:
        ballots = [
            strategies.vote(plan, player, rules.view(player, roles, checks), public, suspicion).items()
            for player in public.living
        ]
        for ballot in product(*ballots):
            votes = tuple((voter, target) for voter, (target, _) in zip(public.living, ballot, strict=True))
            chance = prod(value for _, value in ballot)
            hanged = rules.hangings(setup, votes)
            for player in hanged:
                yield rules.vote_event(setup, roles, public, votes, player), checks, chance / len(hanged)


def _suspicion(joint: Joint, players: int) -> list[list[Chance]]:
    """Row i: probability that each player is a wolf, given that i is a villager."""
    rows = []
    for own in range(players):
        his = [(roles, weight) for (roles, _), weight in joint.items() if roles[own] == VILLAGER]
        total = sum(weight for _, weight in his) or 1
        rows.append([sum(weight for roles, weight in his if roles[j] == WOLF) / total for j in range(players)])
    return rows
