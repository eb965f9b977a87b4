"""The grid of changed rules that is searched, and how games of four end under each of them, exactly: a row for each."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache, reduce
from itertools import combinations, product
from math import inf

from gamebalance.base.rounding import bound
from gamebalance.sanguosha.exact import solve_seatings
from gamebalance.sanguosha.lineup import LINEUPS, ROLE_KEYS, Role, Seating
from gamebalance.sanguosha.outcomes import Outcomes, mean_outcomes
from gamebalance.sanguosha.policies import REPORT_POLICY, ThreatPolicy
from gamebalance.sanguosha.rules import AS_CODED, MAX_HEALTH, OPENING_DODGES, REPORT_DECK, Card, Rules
from gamebalance.sanguosha.scoring import winner
from gamebalance.sanguosha.what_if import changed

#: Rules that are changed together, at most, and how many times as many cards of a kind there are, with the steps.
MOST_CHANGES, MULTIPLES = 2, {0: 2, 0.5: 1, 2: 1, 3: 2}


@dataclass(frozen=True)
class Change:
    """One rule, changed, with the new one in a sentence.

    `steps`: how far it is from the old one, in hearts, dodges, cards drawn, places of reach; a doubled kind of card is
    one. `news`: as `sanguosha.changed` takes it, or a field of `Rules`.
    """

    rule: str
    said: str
    steps: float
    news: dict = field(compare=False)

    def applied(self, rules: Rules) -> Rules:
        """The rules with this one changed."""
        flags = any(isinstance(value, bool) for value in self.news.values())
        return replace(rules, **self.news) if flags else changed(rules, **self.news)


def changes() -> Iterator[Change]:
    """All changes of one rule, those of everybody before those of a role."""
    whose = {"everybody": ("Everybody", ROLE_KEYS)}
    whose |= {key: (f"{'The' if key == Role.LORD.key else 'Each'} {key}", (key,)) for key in ROLE_KEYS}
    for (name, (who, keys)), hearts in product(whose.items(), range(1, MAX_HEALTH)):
        news = {"health": dict.fromkeys(keys, hearts)}
        yield Change(f"hearts: {name}", f"{who} has {_many(hearts, 'heart')}.", MAX_HEALTH - hearts, news)
    for (name, (who, keys)), dodges in product(whose.items(), range(MAX_HEALTH + 1)):
        if steps := abs(dodges - OPENING_DODGES):
            news = {"opening": dict.fromkeys(keys, dodges)}
            yield Change(f"dodges: {name}", f"{who} begins with {_many(dodges, 'dodge')}.", steps, news)
    yield Change("dodges: everybody", "Everybody begins with four cards.", 1, {"opening": "four cards"})
    for card, (times, steps) in product(Card, MULTIPLES.items()):
        kind, count = card.name.lower(), round(REPORT_DECK[card] * times)
        if count or card != Card.SLASH:
            said = f"There are {_many(count, card.english)} instead of {REPORT_DECK[card]}."
            yield Change(f"cards: {kind}", said, steps, {"deck": {kind: count}})
    for draws in (1, 3, 4):
        said = f"{_many(draws, 'card')} {'is' if draws == 1 else 'are'} drawn in a turn."
        yield Change("cards drawn", said, abs(draws - 2), {"draws": draws})
    yield Change("reach", "A weapon does not help to reach farther.", 1, {"reach": (1, 1)})
    yield Change("reach", "Everybody reaches two places far without a weapon.", 1, {"reach": (2, 3)})
    yield Change("first turn", "The player after the lord begins.", 1, {"first": "after the lord"})
    yield Change("reach of snatch", "Snatch reaches neighbours only.", 1, {"snatch_any_distance": False})
    yield Change("stolen weapon", "A snatched weapon is laid aside.", 1, {"stolen_weapon_equipped": False})
    said = "Rebels who cannot reach the lord attack renegades."
    yield Change("rebels' targets", said, 1, {"rebels_attack_renegades": True})


def _many(count, what):
    return f"{count} {what}{'' if count == 1 else 'es' if what.endswith(('sh', 'ch')) else 's'}"


@cache
def settings() -> tuple[tuple[Change, ...], ...]:
    """All settings of the grid: no change, each change, and each two of different rules; none twice in other words."""
    single = tuple(changes())
    pairs = (pair for pair in combinations(single, MOST_CHANGES) if pair[0].rule != pair[1].rule)
    by_rules = {}
    for setting in ((), *((change,) for change in single), *pairs):
        by_rules.setdefault(rules_of(setting), setting)
    return tuple(by_rules.values())


def sentence_of(setting):
    """The new rules of a setting, in sentences; "" if there are none."""
    return " ".join(change.said for change in setting)


def rules_of(setting) -> Rules:
    """The rules of a setting; what changes everybody comes first, so that a role can differ."""
    return reduce(lambda rules, change: change.applied(rules), setting, AS_CODED)


def with_cards(card, more):
    """The report's rules with so many more cards of a kind, or fewer."""
    return changed(deck={card: REPORT_DECK[Card[card.upper()]] + more})


def endings_of(lineup):
    """All numbers alive with which a game of the line-up can end, however people play."""
    numbers = product(*(range(count + 1) for count in lineup.counts))
    return tuple(alive for alive in numbers if any(alive) and winner(alive))


#: Four players, their seatings, and the ways in which their games can end.
FOUR = LINEUPS[0]
SEATINGS, ENDINGS = FOUR.seatings(), endings_of(FOUR)
#: The ways in which a role chooses its targets, by the name that columns have; and all four roles in the same way.
WAYS = {"report": REPORT_POLICY, "threat": ThreatPolicy("own sight"), "known": ThreatPolicy("everything")}
PLAYS = {way: dict.fromkeys(Role, policy) for way, policy in WAYS.items()}
PLAY_NAMES = {"report": "fixed rule", "threat": "threat, roles hidden", "known": "threat, roles known"}
#: The order in which two changes together are tried, and the Bal from which on the next play is left out. With one
#: heart each and the rebel opposite the lord Bal is below it by all three plays: two changes that have so much by one
#: play cannot be the fairest by the worst of the three.
TRIED, TRIED_BELOW = ("report", "known", "threat"), 0.125


def row(number):
    """How four players end under a setting of the grid, by its number, in each play that was tried."""
    setting = settings()[number]
    played = _played(rules_of(setting), TRIED_BELOW if len(setting) > 1 else inf)
    return {"number": number, "setting": sentence_of(setting), **played}


def sweep_row(card, more):
    """The same when so many cards of a kind, such as "slash", are put into the deck, or taken out if it is below 0."""
    return {"card": card, "more": more, **_played(with_cards(card, more), inf)}


def _played(rules, tried_below):
    """The endings by each play, by no further one once Bal is so much; `turns` by the report's."""
    worst, turns, texts = 0.0, 0.0, dict.fromkeys(PLAYS, "")
    for play in TRIED:
        solved = list(solve_seatings(FOUR, rules, policies=PLAYS[play]).values())
        worst, texts[play] = max(worst, *(outcomes.error_bound for outcomes in solved)), endings_text(solved)
        mean = mean_outcomes(FOUR, solved)
        turns = turns or mean.turns
        if mean.balance >= tried_below:
            break
    return {"error_bound": bound(worst), "turns": turns, **texts}


def endings_text(solved):
    """The probability of each of `ENDINGS` between blanks, seatings apart by ";"."""
    return ";".join(" ".join(f"{each.probability.get(ending, 0.0):.10g}" for ending in ENDINGS) for each in solved)


def outcomes_of(row, play="report"):
    """What a row says of each seating, as `sanguosha.solve_seatings` returns it, to the digits that it holds."""
    every = {}
    for seating, text in zip(SEATINGS, row[play].split(";"), strict=True):
        shares = {ending: float(share) for ending, share in zip(ENDINGS, text.split(), strict=True) if float(share)}
        probability = {ending: share / sum(shares.values()) for ending, share in shares.items()}
        every[seating] = Outcomes(FOUR, probability, Seating(seating), error_bound=float(row["error_bound"]))
    return every


def mean_of(row, play="report"):
    """The mean over the six seatings of what a row says."""
    return mean_outcomes(FOUR, list(outcomes_of(row, play).values()))


def won_by_member(outcomes):
    """How often a member of each role has won, by ending, shape (endings, 4): of several renegades at most one has."""
    return outcomes.win_table / [1, 1, 1, max(1, outcomes.lineup.renegades)]


SURVIVAL, SCORES = ([f"{what}_{key}" for key in ROLE_KEYS] for what in ("survival", "score"))
WINS = ["win_lord", "win_rebels", "win_renegade"]
#: What is measured of a game, in the order of tables: chances, points, and how far the four are apart.
MEASURES = [*SURVIVAL, *WINS, *SCORES, "bal", "rat"]


def measures(outcomes):
    """The `MEASURES` of games that end so: chances from 0 to 1, expected points, Bal from 0 to 1, and Rat."""
    values = *outcomes.survival, *outcomes.winning.values(), *outcomes.expected_scores()
    return dict(zip(MEASURES, map(float, (*values, outcomes.balance, outcomes.rationality())), strict=True))
