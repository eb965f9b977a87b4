"""What can be known from public history: an exact filter over roles and the seer's hidden checks."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from fractions import Fraction
from functools import cache, lru_cache, reduce
from typing import Any

import numpy as np

from gamebalance.base.checks import shown, whole_number
from gamebalance.base.sums import dot
from gamebalance.games.werewolf import rules, strategies
from gamebalance.games.werewolf.rules import ROLES, SEER, VILLAGER, WOLF, Event, Night, Public, Setup, Speech, Votes
from gamebalance.games.werewolf.strategies import Chance, Strategies
from gamebalance.multiplayer.beliefs import Posterior, role_assignments


class Impossible(ValueError):
    """An event that contradicts what was seen before, or the plan."""


class Observer:
    """Beliefs about who is who, given all that is public, if everybody plays as `plan` says. It never changes.

    If `exact`, they are fractions, as the plan's probabilities must be. `evidence` is the probability of what was seen
    under the plan, apart from ties, which are broken without regard to roles. A hypothesis is an assignment of roles
    with the seer's checks so far; an action depends on it only through what its player knows (his `view`).
    """

    def __init__(self, setup: Setup, plan: Strategies, exact: bool = False):
        if exact and not plan.exact:
            raise ValueError(f"plan = {shown(plan)}: exact = True needs fractions or whole numbers in it")
        self.setup, self.plan = setup, plan if exact else plan.rounded()
        self.exact, self.public, self.evidence = exact, rules.start(setup), Fraction(1) if exact else 1.0
        self._assignments = role_assignments(setup.counts)
        first = Fraction(1, len(self._assignments)) if exact else 1 / len(self._assignments)
        self._set([((roles, ()), first) for roles in self._assignments])

    def _set(self, weighted: list[tuple[tuple, Chance]]) -> None:
        """Keep these hypotheses, ((roles, checks), weight), and list what each player knows under them."""
        kind = object if self.exact else float
        self._hypotheses = [hypothesis for hypothesis, _ in weighted]
        self._weights = np.array([weight for _, weight in weighted], dtype=kind)
        self._views = self._list_views()
        held = np.array([roles for roles, _ in self._hypotheses])
        self._holds = {role: (held == role).astype(kind) for role in ROLES}

    def _list_views(self) -> list[tuple[list, np.ndarray]]:
        """By player: the different things he may know, and which of them each hypothesis means."""
        players = range(self.setup.players)
        places: list[dict] = [{} for _ in players]
        index = np.empty((len(self._hypotheses), len(players)), dtype=int)
        for row, (roles, checks) in enumerate(self._hypotheses):
            for player, role in enumerate(roles):
                known = _view(player, roles, checks if role == SEER else ())
                index[row, player] = places[player].setdefault(known, len(places[player]))
        return [(list(place), index[:, player]) for player, place in enumerate(places)]

    def _with(self, public: Public, weights: np.ndarray, event: Any) -> "Observer":
        """The observer after `event`, with weights that do not sum to 1 yet."""
        total = weights.sum()
        if not total:
            raise Impossible(f"{shown(event, 120)}: has probability 0 under every assignment that was still possible")
        new = copy(self)
        new.public, new._weights, new.evidence = public, weights / total, self.evidence * total
        return new

    def see(self, event: Event, suspicion: Any = None) -> "Observer":
        """The observer after one more event; `Impossible`, if no assignment that is still possible explains it.

        `suspicion` is what the voters of the rule "bayes" think; by default what this observer thinks.
        """
        if self.public.winner:
            raise ValueError(f"event = {shown(event)}: the game is over, the {self.public.winner} won")
        if self.public.is_night != isinstance(event, Night) or bool(self.public.speakers) != isinstance(event, Speech):
            raise ValueError(f"event = {shown(event)}: it is another's turn after {shown(self.public.events[-1:])}")
        if isinstance(event, Night):
            first = not self.public.events
            return _first_night(self.setup, self.plan, self.exact, event) if first else self._see_night(event)
        weights = self._weights
        if isinstance(event, Speech):
            if event.player != self.public.speakers[0]:
                raise ValueError(f"event = {shown(event)}: player {self.public.speakers[0]} speaks first")
            weights = weights * self._likelihood(event.player, event.statement, strategies.speech)
        else:
            if tuple(voter for voter, _ in event.votes) != self.public.living:
                raise ValueError(f"votes = {shown(event.votes)}: one by each of the living is needed, in seat order")
            if self.plan.vote == "bayes" and suspicion is None:
                suspicion = self.suspicion()
            for voter, target in event.votes:
                weights = weights * self._likelihood(voter, target, strategies.vote, suspicion)
            weights = weights * self._agrees(event)
        return self._with(self.public.after(event), weights, event)

    def follow(self, events: Iterable[Event]) -> "Observer":
        """The observer after several events."""
        return reduce(Observer.see, events, self)

    def _see_night(self, event: Night) -> "Observer":
        public = self.public.after(event)
        weighted = []
        for (roles, checks), weight in zip(self._hypotheses, self._weights.tolist(), strict=True):
            if not weight or rules.night_event(self.setup, roles, self.public, event.victim) != event:
                continue
            weight = weight * strategies.kill(self.plan, roles, self.public).get(event.victim, 0)
            if weight:
                later = checks_after(roles, checks, public)
                weighted += [((roles, each), weight / len(later)) for each in later]
        if not weighted:
            return self._with(public, self._weights * 0, event)
        new = copy(self)
        new._set(weighted)
        return new._with(public, new._weights, event)

    def _likelihood(self, player: int, action: Any, strategy: Callable, *more: Any) -> np.ndarray:
        """Probability of a player's action, by a function of `strategies`, under each hypothesis."""
        views, index = self._views[player]
        values = [strategy(self.plan, player, known, self.public, *more).get(action, 0) for known in views]
        return np.array(values, dtype=self._weights.dtype)[index]

    def _agrees(self, event: Votes) -> np.ndarray:
        """1 for each hypothesis under which this vote ends as it did, else 0."""
        if event.hanged not in rules.hangings(self.setup, event.votes):
            raise ValueError(f"event = {shown(event)}: these votes do not hang {event.hanged}")
        told = cache(lambda roles: rules.vote_event(self.setup, roles, self.public, event.votes, event.hanged) == event)
        return np.array([int(told(roles)) for roles, _ in self._hypotheses], dtype=self._weights.dtype)

    def seen_by(self, player: int, known: tuple) -> "Observer":
        """The observer who also knows what `player` knows (`rules.view`); `Impossible` if what is public denies it."""
        views, index = self._views[whole_number("player", player, 0, self.setup.players - 1)]
        agrees = np.array([each == known for each in views], dtype=self._weights.dtype)[index]
        return self._with(self.public, self._weights * agrees, f"view {known} of player {player}")

    def suspicion(self) -> np.ndarray:
        """Row i: probability that each player is a wolf, given that player i is a villager; zeros if he cannot be."""
        return _given(*self.joint_suspicion())

    def joint_suspicion(self) -> tuple[np.ndarray, np.ndarray]:
        """Probability that i is a villager and j a wolf, shape (players, players); and that i is a villager."""
        villager = self._holds[VILLAGER]
        return dot(villager.T, self._weights[:, None] * self._holds[WOLF]), dot(self._weights, villager)

    def role_probabilities(self) -> np.ndarray:
        """Probability of each role, by player; shape (players, 3), in the order of `ROLES`."""
        return np.stack([dot(self._weights, self._holds[role]) for role in ROLES], axis=1)

    def posterior(self) -> Posterior:
        """Over all assignments of roles, the seer's checks summed out."""
        totals = dict.fromkeys(self._assignments, 0)
        for (roles, _), weight in zip(self._hypotheses, self._weights.tolist(), strict=True):
            totals[roles] += weight
        return Posterior(totals, list(totals.values()))


class PlanObserver:
    """Beliefs about who is who and about how people play: an `Observer` for each plan, and a posterior over plans.

    The plans, equally likely without a prior, may differ in everything but the rule of the vote.
    """

    def __init__(self, setup: Setup, plans: Mapping[str, Strategies], prior: Sequence[Chance] | None = None):
        if len({plan.vote for plan in plans.values()}) > 1:
            raise ValueError(f"plans = {shown(list(plans))}: one rule of the vote for all is needed")
        self.plans = Posterior(plans, prior)
        self._observers = {name: opening(setup, plan) for name, plan in plans.items()}

    def see(self, event: Event) -> "PlanObserver":
        """The observer after one more event; ValueError if it has probability 0 under every plan."""
        suspicion = self.suspicion() if isinstance(event, Votes) else None
        later: dict[str, Observer] = {}
        for name, observer in self._observers.items():
            try:
                later[name] = observer.see(event, suspicion)
            except Impossible:
                continue
        growth = {name: each.evidence / self._observers[name].evidence for name, each in later.items()}
        new = copy(self)
        new.plans = self.plans.observe(lambda name: growth.get(name, 0.0), shown(event, 120))
        new._observers = later
        return new

    def suspicion(self) -> np.ndarray:
        """As `Observer.suspicion`, over all plans."""
        parts = [(float(self.plans[name]), each.joint_suspicion()) for name, each in self._observers.items()]
        joint = sum((p * joint for p, (joint, _) in parts), np.zeros(()))
        return _given(joint, sum((p * own for p, (_, own) in parts), np.zeros(())))

    def role_probabilities(self) -> np.ndarray:
        """As `Observer.role_probabilities`, over all plans."""
        parts = self._observers.items()
        return sum((float(self.plans[name]) * each.role_probabilities() for name, each in parts), np.zeros(()))


def checks_after(roles: tuple, checks: tuple, public: Public) -> list[tuple]:
    """What the seer may have checked once this night is over, each equally likely."""
    seer = roles.index(SEER) if SEER in roles else None
    if seer is None or not public.alive[seer] or public.winner:
        return [checks]
    return [(*checks, target) for target in strategies.checks(seer, checks, public)] or [checks]


def _given(joint: np.ndarray, own: np.ndarray) -> np.ndarray:
    return np.array([row / p if p else row for row, p in zip(joint, own, strict=True)], dtype=joint.dtype)


#: What a player knows, worked out once.
_view = lru_cache(maxsize=2**14)(rules.view)


@lru_cache(maxsize=64)
def opening(setup: Setup, plan: Strategies) -> Observer:
    """The observer before the first night, made once."""
    return Observer(setup, plan)


@lru_cache(maxsize=256)
def _first_night(setup: Setup, plan: Strategies, exact: bool, event: Night) -> Observer:
    """After the first night, which has few possible outcomes: the largest step of all, made once for each."""
    return Observer(setup, plan, exact)._see_night(event)
