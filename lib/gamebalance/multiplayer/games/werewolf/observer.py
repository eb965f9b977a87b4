"""What can be known from public history: an exact filter over roles and the seer's hidden checks."""

from collections.abc import Iterable
from fractions import Fraction
from numbers import Real
from typing import Any

import numpy as np

from gamebalance._checks import shown
from gamebalance.multiplayer.beliefs import Posterior, role_assignments
from gamebalance.multiplayer.games.werewolf import rules, strategies
from gamebalance.multiplayer.games.werewolf.rules import ROLES, VILLAGER, WOLF, Event, Night, Public, Setup, Speech
from gamebalance.multiplayer.games.werewolf.strategies import Strategies


class Observer:
    """Beliefs about who is who, given all that is public, if everybody plays as `plan` says.

    An object never changes; `see` answers a new one.

    Parameters
    ----------
    setup : Setup
    plan : Strategies
        What the observer believes about how people play. Beliefs are right as far as this is.
    exact : bool
        Whether to compute with fractions. The plan's probabilities must then be fractions or whole numbers.

    Attributes
    ----------
    public : Public
        What has been seen so far.

    Notes
    -----
    A hypothesis is an assignment of roles with the seer's checks so far. An action depends on a hypothesis only through
    what its player knows (his `view`), so its probability is computed once for each view, not for each hypothesis.
    """

    def __init__(self, setup: Setup, plan: Strategies, exact: bool = False):
        if exact and not plan.exact:
            raise ValueError(f"plan = {shown(plan)}: exact = True needs fractions or whole numbers in it")
        self.setup, self.plan = setup, plan if exact else plan.rounded()
        self.exact, self.public = exact, rules.start(setup)
        self._assignments = role_assignments(setup.counts)
        first = Fraction(1, len(self._assignments)) if exact else 1 / len(self._assignments)
        self._set([((roles, ()), first) for roles in self._assignments])

    def _set(self, weighted: list[tuple[tuple, Real]]) -> None:
        """Keep these hypotheses, ((roles, checks), weight), and list what each player knows under them."""
        kind = object if self.exact else float
        self._hypotheses = [hypothesis for hypothesis, _ in weighted]
        self._weights = np.array([weight for _, weight in weighted], dtype=kind)
        self._views = []
        for player in range(self.setup.players):
            place: dict = {}
            known = [rules.view(player, roles, checks) for roles, checks in self._hypotheses]
            index = np.array([place.setdefault(each, len(place)) for each in known])
            self._views.append((list(place), index))
        held = np.array([roles for roles, _ in self._hypotheses])
        self._holds = {role: (held == role).astype(kind) for role in ROLES}

    def _with(self, public: Public, weights: np.ndarray) -> "Observer":
        new = object.__new__(Observer)
        new.__dict__.update(self.__dict__)
        new.public, new._weights = public, weights
        return new

    def see(self, event: Event) -> "Observer":
        """The observer after one more event.

        Raises
        ------
        ValueError
            If the event cannot happen under any assignment that is still possible, or it is not its time.
        """
        if self.public.winner:
            raise ValueError(f"event = {shown(event)}: the game is over, the {self.public.winner} won")
        if self.public.is_night != isinstance(event, Night) or bool(self.public.speakers) != isinstance(event, Speech):
            raise ValueError(f"event = {shown(event)}: it is another's turn after {shown(self.public.events[-1:])}")
        if isinstance(event, Night):
            return self._see_night(event)
        weights = self._weights
        if isinstance(event, Speech):
            if event.player != self.public.speakers[0]:
                raise ValueError(f"event = {shown(event)}: player {self.public.speakers[0]} speaks first")
            weights = weights * self._likelihood(event.player, self._speech_table(event.player), event.statement)
        else:
            if tuple(voter for voter, _ in event.votes) != self.public.living:
                raise ValueError(f"votes = {shown(event.votes)}: one by each of the living is needed, in seat order")
            suspicion = self.suspicion() if self.plan.vote == "bayes" else None
            for voter, target in event.votes:
                weights = weights * self._likelihood(voter, self._vote_table(voter, suspicion), target)
            weights = weights * self._agrees(event)
        return self._with(self.public.after(event), self._normalised(weights, event))

    def follow(self, events: Iterable[Event]) -> "Observer":
        """The observer after several events."""
        observer = self
        for event in events:
            observer = observer.see(event)
        return observer

    def _see_night(self, event: Night) -> "Observer":
        public = self.public.after(event)
        weighted = []
        for (roles, checks), weight in zip(self._hypotheses, self._weights.tolist(), strict=True):
            if not weight or rules.night_event(self.setup, roles, self.public, event.victim) != event:
                continue
            weight = weight * strategies.kill(self.plan, roles, self.public).get(event.victim, 0)
            if weight:
                weighted += [((roles, after), weight * chance) for after, chance in checks_after(roles, checks, public)]
        total = sum(weight for _, weight in weighted)
        if not total:
            raise _contradiction(event)
        new = self._with(public, self._weights)
        new._set([(hypothesis, weight / total) for hypothesis, weight in weighted])
        return new

    def _likelihood(self, player: int, table: list[dict], action: Any) -> np.ndarray:
        """Probability of a player's action under each hypothesis."""
        values = np.array([actions.get(action, 0) for actions in table], dtype=self._weights.dtype)
        return values[self._views[player][1]]

    def _speech_table(self, player: int) -> list[dict]:
        return [strategies.speech(self.plan, player, known, self.public) for known in self._views[player][0]]

    def _vote_table(self, voter: int, suspicion: Any) -> list[dict]:
        return [strategies.vote(self.plan, voter, known, self.public, suspicion) for known in self._views[voter][0]]

    def _agrees(self, event: rules.Votes) -> np.ndarray:
        """1 for each hypothesis under which this vote ends as it did, else 0."""
        if event.hanged not in rules.hangings(self.setup, event.votes):
            raise ValueError(f"event = {shown(event)}: these votes do not hang {event.hanged}")
        known: dict = {}
        for roles, _ in self._hypotheses:
            if roles not in known:
                known[roles] = rules.vote_event(self.setup, roles, self.public, event.votes, event.hanged) == event
        return np.array([int(known[roles]) for roles, _ in self._hypotheses], dtype=self._weights.dtype)

    def _normalised(self, weights: np.ndarray, event: Event) -> np.ndarray:
        total = weights.sum()
        if not total:
            raise _contradiction(event)
        return weights / total

    def seen_by(self, player: int, known: tuple) -> "Observer":
        """The observer who also knows what `player` knows: his `view`, by `rules.view`.

        Raises
        ------
        ValueError
            If that contradicts what is public.
        """
        views, index = self._views[player]
        agrees = np.array([each == known for each in views], dtype=self._weights.dtype)[index]
        return self._with(self.public, self._normalised(self._weights * agrees, f"view {known} of player {player}"))

    def suspicion(self) -> np.ndarray:
        """Row i: probability that each player is a wolf, given that player i is a villager; zeros if he cannot be."""
        villager = self._holds[VILLAGER]
        joint = villager.T @ (self._weights[:, None] * self._holds[WOLF])
        own = self._weights @ villager
        return np.array([row / p if p else row for row, p in zip(joint, own, strict=True)], dtype=joint.dtype)

    def role_probabilities(self) -> np.ndarray:
        """Probability of each role, by player; shape (players, 3), in the order of `ROLES`."""
        return np.stack([self._weights @ self._holds[role] for role in ROLES], axis=1)

    def posterior(self) -> Posterior:
        """Over all assignments of roles, the seer's checks summed out."""
        totals = dict.fromkeys(self._assignments, 0)
        for (roles, _), weight in zip(self._hypotheses, self._weights.tolist(), strict=True):
            totals[roles] += weight
        return Posterior(totals, list(totals.values()))


def checks_after(roles: tuple, checks: tuple, public: Public) -> list[tuple[tuple, Real]]:
    """What the seer may have checked once this night is over, and how probable each is."""
    seer = roles.index(rules.SEER) if rules.SEER in roles else None
    if seer is None or not public.alive[seer] or public.winner:
        return [(checks, 1)]
    chances = strategies.check(seer, checks, public)
    return [((*checks, target), chance) for target, chance in chances.items()] or [(checks, 1)]


def _contradiction(event: Any) -> ValueError:
    return ValueError(f"{shown(event, 120)}: has probability 0 under every assignment that was still possible")
