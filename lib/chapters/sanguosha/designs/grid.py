"""The grid of changes that is searched: every rule that has a number, and the numbers that it is tried with."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache, reduce
from itertools import combinations, product

from gamebalance.sanguosha.lineup import Role
from gamebalance.sanguosha.rules import AS_CODED, MAX_HEALTH, OPENING_DODGES, REPORT_DECK, Card, Rules
from gamebalance.sanguosha.what_if import changed

#: Rules that are changed together, at most.
MOST_CHANGES = 2

#: How many times as many cards of a kind there are.
MULTIPLES = (0, 0.5, 2, 3)


@dataclass(frozen=True)
class Change:
    """One rule, changed.

    Parameters
    ----------
    rule : str
        What is changed, such as "hearts of the lord"; a setting changes a rule once.
    said : str
        The new rule, in one sentence.
    steps : float
        How far it is from the old one: hearts, dodges, cards drawn, places of reach; a doubled kind of card is one.
    news : dict
        As `sanguosha.changed` takes it, or a field of `Rules`.
    """

    rule: str
    said: str
    steps: float
    news: dict = field(compare=False)

    def applied(self, rules: Rules) -> Rules:
        """The rules with this one changed."""
        if any(isinstance(value, bool) for value in self.news.values()):
            return replace(rules, **self.news)
        return changed(rules, **self.news)


def changes() -> Iterator[Change]:
    """All changes of one rule, those of everybody before those of a role."""
    every = {"everybody": ("Everybody", [role.key for role in Role])}
    every |= {role.key: (f"{'The' if role == Role.LORD else 'Each'} {role.key}", [role.key]) for role in Role}
    for name, (who, those) in every.items():
        for hearts in range(1, MAX_HEALTH):
            news = {"health": dict.fromkeys(those, hearts)}
            yield Change(f"hearts: {name}", f"{who} has {_many(hearts, 'heart')}.", MAX_HEALTH - hearts, news)
    for name, (who, those) in every.items():
        for dodges in range(MAX_HEALTH + 1):
            if dodges != OPENING_DODGES:
                news = {"opening": dict.fromkeys(those, dodges)}
                said = f"{who} begins with {_many(dodges, 'dodge')}."
                yield Change(f"dodges: {name}", said, abs(dodges - OPENING_DODGES), news)
    yield Change("dodges: everybody", "Everybody begins with four cards.", 1, {"opening": "four cards"})
    yield from _of_the_deck()
    yield from _of_the_turn()


def _of_the_deck() -> Iterator[Change]:
    for card, times in product(Card, MULTIPLES):
        count = round(REPORT_DECK[card] * times)
        if count or card != Card.SLASH:
            said = f"There are {_many(count, card.english)} instead of {REPORT_DECK[card]}."
            yield Change(
                f"cards: {card.name.lower()}", said, {0.5: 1, 2: 1}.get(times, 2), {"deck": {card.name.lower(): count}}
            )


def _of_the_turn() -> Iterator[Change]:
    for draws in (1, 3, 4):
        yield Change(
            "cards drawn", f"{_many(draws, 'card')} {_are(draws)} drawn in a turn.", abs(draws - 2), {"draws": draws}
        )
    yield Change("reach", "A weapon does not help to reach farther.", 1, {"reach": (1, 1)})
    yield Change("reach", "Everybody reaches two places far without a weapon.", 1, {"reach": (2, 3)})
    yield Change("first turn", "The player after the lord begins.", 1, {"first": "after the lord"})
    yield Change("reach of snatch", "Snatch reaches neighbours only.", 1, {"snatch_any_distance": False})
    yield Change("stolen weapon", "A snatched weapon is laid aside.", 1, {"stolen_weapon_equipped": False})
    yield Change(
        "rebels' targets", "Rebels who cannot reach the lord attack renegades.", 1, {"rebels_attack_renegades": True}
    )


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 'es' if what.endswith(('sh', 'ch')) else 's'}"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


@cache
def settings() -> tuple[tuple[Change, ...], ...]:
    """All settings of the grid: no change, each change, and each two of different rules; none twice in other words."""
    single = tuple(changes())
    pairs = (pair for pair in combinations(single, MOST_CHANGES) if pair[0].rule != pair[1].rule)
    found: dict[Rules, tuple[Change, ...]] = {}
    for setting in ((), *((change,) for change in single), *pairs):
        found.setdefault(rules_of(setting), setting)
    return tuple(found.values())


def sentence_of(setting: tuple[Change, ...]) -> str:
    """The new rules of a setting, in sentences; "" if there are none."""
    return " ".join(change.said for change in setting)


def rules_of(setting: tuple[Change, ...]) -> Rules:
    """The rules of a setting; what changes everybody comes first, so that a role can differ."""
    return reduce(lambda rules, change: change.applied(rules), setting, AS_CODED)
