"""Declared strategies: the probability of every action, given what the player who takes it knows.

All functions answer a mapping of action to probability. They take fractions as well as floats, and fractions stay.
Every distribution here is a mixture of uniform ones.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any

from gamebalance.base.checks import one_of, shown
from gamebalance.base.kinds import Rational, Real
from gamebalance.games.werewolf.rules import SEER, WOLF, Public, Statement

#: How villagers choose whom to vote out, where a strategy gives the rule by its name.
VOTES = ("random", "accused", "bayes")
#: A probability: a float, or a fraction where all is exact.
Chance = Any
#: Another rule of the vote: of what is public and those whom a player may vote for, the ones among whom he picks.
VoteRule = Callable[[Public, list[int]], list[int]]
#: Scores that differ by less are equal.
SAME = 1e-9
RULES = ("vote", "wolf_vote")


@dataclass(frozen=True)
class Strategies:
    """How everybody plays. All but `vote` and `wolf_vote` are probabilities, as floats or fractions.

    A seer who has not yet claimed does so on a day with `come_out`, or if he has found a living wolf `come_out_found`.
    He tells the truth, a living wolf that he has not named yet, else his latest result; and he goes on every day.
    A wolf who speaks claims to be the seer with `fake_first` while nobody has claimed yet, and `fake_counter` when
    somebody else has; one wolf at most does so in a game, and he goes on every day. A made-up result with `accuse` says
    "wolf" of a random living player who is none, rather than "no wolf" of any living one. A villager claims with `lie`
    in the same manner; without knowing the wolves. The wolves `hunt`: they kill one of those who have claimed (and are
    no wolves), if there is one, rather than anybody.

    `vote` says how a villager votes: "random", for anybody; "accused", for who is accused by most living claimants;
    "bayes", for who is most probably a wolf, given all that is public and that the voter is a villager; or by a rule of
    your own. With `tremble` a villager or seer votes for anybody instead; the seer's rule is to vote for the first
    living wolf he has found, else for anybody he has not checked. With `blend` a wolf votes as a villager would among
    those who are no wolves, rather than for a random one of them, if no `wolf_vote` is given.
    """

    come_out: Chance = Fraction(1, 4)
    come_out_found: Chance = Fraction(3, 4)
    fake_first: Chance = 0
    fake_counter: Chance = 0
    accuse: Chance = Fraction(1, 2)
    lie: Chance = 0
    hunt: Chance = Fraction(1, 2)
    blend: Chance = 0
    vote: str | VoteRule = "random"
    tremble: Chance = 0
    wolf_vote: VoteRule | None = None

    def __post_init__(self):
        if not callable(self.vote):
            one_of("vote", self.vote, VOTES)
        for entry in fields(self):
            value = getattr(self, entry.name)
            if entry.name not in RULES and (not isinstance(value, Real) or not 0 <= value <= 1):
                raise ValueError(f"{entry.name} = {shown(value)}: a probability from 0 to 1 is needed")

    @property
    def exact(self) -> bool:
        """Whether all probabilities are fractions or whole numbers."""
        return all(isinstance(value, Rational) for name, value in vars(self).items() if name not in RULES)

    def rounded(self) -> "Strategies":
        """The same with floats, which are faster to compute with."""
        floats: dict[str, Any] = {name: float(value) for name, value in vars(self).items() if name not in RULES}
        return replace(self, **floats)


def kill(plan: Strategies, roles: Sequence[str], public: Public) -> dict[int, Chance]:
    """Whom the wolves kill."""
    town = [player for player in public.living if roles[player] != WOLF]
    claimants = [player for player in town if public.claims[player]]
    return _mix((plan.hunt, claimants or town), (1 - plan.hunt, town))


def checks(seer: int, checked: Sequence[int], public: Public) -> list[int]:
    """Whom the seer may check, each equally likely: the living whom he has not checked."""
    return [player for player in public.living if player != seer and player not in checked]


def speech(plan: Strategies, player: int, known: tuple, public: Public) -> dict[Statement | None, Chance]:
    """What a player says when it is his turn; `known` is his `view`."""
    role, knowledge = known
    claimed = public.claims[player]
    if role == SEER:
        if not knowledge:
            return {None: 1}
        statement = _truth(knowledge, claimed, public)
        found = any(is_wolf and public.alive[target] for target, is_wolf in knowledge)
        chance = 1 if claimed else plan.come_out_found if found else plan.come_out
        return _mix((chance, [statement]), (1 - chance, [None]))
    others = [seat for seat in public.living if seat != player]
    if role == WOLF:
        told = any(public.claims[wolf] for wolf in knowledge)
        anybody = any(public.claims)
        chance = int(bool(claimed)) if told else plan.fake_counter if anybody else plan.fake_first
        prey = [seat for seat in others if seat not in knowledge]
    else:
        chance, prey = 1 if claimed else plan.lie, others
    if not chance:
        return {None: 1}
    accusations = [Statement(seat, True) for seat in prey]
    clearances = [Statement(seat, False) for seat in others]
    accuse = chance * plan.accuse
    return _mix((accuse, accusations), (chance - accuse, clearances), (1 - chance, [None]))


def _truth(knowledge: tuple, claimed: tuple, public: Public) -> Statement:
    named = {statement.target for statement in claimed}
    news = [result for result in knowledge if result.is_wolf and public.alive[result.target]]
    return next((result for result in news if result.target not in named), knowledge[-1])


def vote(plan: Strategies, player: int, known: tuple, public: Public, suspicion: Any = None) -> dict[int, Chance]:
    """The probability of each vote of a player.

    `suspicion`, for the rule "bayes" only, has in row i the probability that each player is a wolf, given all that is
    public and that player i is a villager.
    """
    role, knowledge = known
    others = [seat for seat in public.living if seat != player]
    if role == WOLF:
        prey = [seat for seat in others if seat not in knowledge]
        if plan.wolf_vote:
            return _mix((1, plan.wolf_vote(public, prey)))
        suspects = _suspects(plan, player, prey, public, suspicion) if plan.blend else prey
        return _mix((plan.blend, suspects), (1 - plan.blend, prey))
    if role == SEER:
        found = [target for target, is_wolf in knowledge if is_wolf and public.alive[target]]
        checked = {target for target, _ in knowledge}
        suspects = found[:1] or [seat for seat in others if seat not in checked] or others
    else:
        suspects = _suspects(plan, player, others, public, suspicion)
    return _mix((1 - plan.tremble, suspects), (plan.tremble, others))


def _suspects(plan: Strategies, player: int, among: list[int], public: Public, suspicion: Any) -> list[int]:
    """Those among whom a villager who keeps to the rule picks, each equally likely."""
    if plan.vote == "random":
        return among
    if callable(plan.vote):
        return plan.vote(public, among)
    if plan.vote == "accused":
        scores = dict.fromkeys(public.living, 0)
        for claimant in public.living:
            for target in {target for target, is_wolf in public.claims[claimant] if is_wolf and claimant != player}:
                scores[target] = scores.get(target, 0) + 1
    else:
        scores = suspicion[player]
    most = max(scores[seat] for seat in among)
    return [seat for seat in among if scores[seat] >= most - SAME]


def _mix(*parts: tuple[Chance, Sequence]) -> dict:
    """With each part's weight, one of its actions, all equally likely; without actions of probability 0."""
    answer: dict = {}
    for weight, actions in parts:
        if weight:
            each = Fraction(weight, len(actions)) if isinstance(weight, int) else weight / len(actions)
            for action in actions:
                answer[action] = answer.get(action, 0) + each
    return answer
