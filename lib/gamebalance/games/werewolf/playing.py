"""Games from a seed, and how often the town wins."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gamebalance.base.checks import check_seed, whole_number
from gamebalance.base.estimates import Estimate
from gamebalance.games.werewolf import rules, strategies
from gamebalance.games.werewolf.observer import Observer, PlanObserver, checks_after, opening
from gamebalance.games.werewolf.rules import Public, Setup, Speech
from gamebalance.games.werewolf.strategies import Strategies
from gamebalance.multiplayer.beliefs.calibration import clustered_mean

#: What voters may believe about how people play.
Belief = Strategies | Mapping[str, Strategies]


@dataclass(frozen=True)
class Game:
    """A finished game: the truth, and what everybody saw."""

    roles: tuple[str, ...]
    checks: tuple[int, ...]
    public: Public

    @property
    def winner(self) -> str:
        return self.public.winner


def play(setup: Setup, plan: Strategies, seed: int, number: int = 0, believed: Belief | None = None) -> Game:
    """Game `number` of a seed, each with its own random numbers, in which everybody plays as `plan` says.

    `believed` is what the voters of the rule "bayes" believe about how everybody plays, apart from the vote, which they
    know; of several plans, each as likely as the others. The truth by default. ValueError if they see what they believe
    to be impossible.
    """
    rng = np.random.default_rng([check_seed(seed), whole_number("number", number)])
    deck = [role for role, count in setup.counts.items() for _ in range(count)]
    roles, checks, public = tuple(deck[place] for place in rng.permutation(len(deck))), (), rules.start(setup)
    observer = _voters(setup, plan, plan if believed is None else believed) if plan.vote == "bayes" else None
    plan = plan.rounded()
    while not public.winner:
        if public.is_night:
            victim = _draw(rng, strategies.kill(plan, roles, public))
            event = rules.night_event(setup, roles, public, victim)
            later = checks_after(roles, checks, public.after(event))
            checks = later[int(rng.integers(len(later)))]
        elif public.speakers:
            player = public.speakers[0]
            known = rules.view(player, roles, checks)
            event = Speech(player, _draw(rng, strategies.speech(plan, player, known, public)))
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
        votes.append((player, _draw(rng, strategies.vote(plan, player, known, public, suspicion))))
    hanged = rules.hangings(setup, votes)
    return rules.vote_event(setup, roles, public, tuple(votes), _draw(rng, dict.fromkeys(hanged, 1 / len(hanged))))


def _draw(rng: np.random.Generator, chances: Mapping) -> Any:
    """One of the keys, with the probabilities that are the values."""
    left = rng.random()
    for action, chance in chances.items():
        left -= chance
        if left < 0:
            return action
    return action  # rounding left a sum a little below 1


def town_win_rate(setup: Setup, plan: Strategies, games: int, seed: int, believed: Belief | None = None) -> Estimate:
    """Share of games that the town wins, with its standard error; arguments as for `play`."""
    numbers = range(whole_number("games", games, 2))
    return clustered_mean([play(setup, plan, seed, number, believed).winner == "town" for number in numbers])
