"""The grid of changed rules, and rows of what they do, which take hours: to four and five exactly, to more by games."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache, reduce
from itertools import combinations, product
from math import inf

import numpy as np

from chapters.five_and_six_players_exactly import columns_for, columns_of
from chapters.five_to_ten_players import mean_of as mean_over_seatings
from chapters.five_to_ten_players import solved_seatings
from chapters.playing_sanguosha_better import as_text
from chapters.rules_as_written import BAL, RAT, play_rule_sets
from chapters.where_you_sit import RULES
from gamebalance.base.rounding import bound
from gamebalance.sanguosha.design import fair_points
from gamebalance.sanguosha.exact import solve, solve_lineup, solve_seatings
from gamebalance.sanguosha.lineup import LINEUPS, ROLE_KEYS, Role, Seating
from gamebalance.sanguosha.outcomes import Outcomes, mean_outcomes
from gamebalance.sanguosha.policies import REPORT_POLICY, ThreatPolicy
from gamebalance.sanguosha.replies.best import iterate_best_replies
from gamebalance.sanguosha.rules import AS_CODED, MAX_HEALTH, OPENING_DODGES, REPORT_DECK, Card, Rules
from gamebalance.sanguosha.scoring import REPORT_SCORING, WINNERS, winner
from gamebalance.sanguosha.turn import EndlessGame
from gamebalance.sanguosha.what_if import changed

#: Rules that are changed together, at most, and how many times as many cards of a kind there are, with the steps.
MOST_CHANGES, MULTIPLES = 2, {0: 2, 0.5: 1, 2: 1, 3: 2}


@dataclass(frozen=True)
class Change:
    """One rule, changed, with the new one in a sentence."""

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


# ---- More players, and four who reply.

#: Batches of games, from which the standard errors come.
BATCHES = 100
#: Line-ups of more than four players; their place is the seed of their games, too.
LARGER = {str(lineup): place for place, lineup in enumerate(LINEUPS) if lineup.players > 4}
#: Five players, their seatings, and a column for each way in which a game could end: a lord may die before a loyalist.
FIVE = LINEUPS[1]
FIVE_SEATINGS, FIVE_COLUMNS = FIVE.seatings(), columns_for(endings_of(FIVE))
#: The remainder at which the rounds of five players are broken off: what is shown has far fewer digits.
TAIL = 1e-8


def five_row(number, seating):
    """How a seating of five players ends with no change, 0, or with a single change of the grid, from 1 on, exactly."""
    setting = settings()[number]
    solved = solve(seating, rules_of(setting), tail=TAIL)
    return {"number": number, "setting": sentence_of(setting), **columns_of(solved)}


def five_card_row(card, more, seating):
    """The same when so many cards of a kind are put into the deck, or taken out if it is below 0."""
    return {"card": card, "more": more, **columns_of(solve(seating, with_cards(card, more), tail=TAIL))}


def five_play_row(number, play, seating):
    """As `five_row`, all five choosing their targets by one of `PLAYS`."""
    setting = settings()[number]
    solved = solve(seating, rules_of(setting), PLAYS[play], tail=TAIL)
    return {"number": number, "setting": sentence_of(setting), "play": play, **columns_of(solved, FIVE_COLUMNS)}


def reply_row(number, points, seating, rounds):
    """Best replies to best replies in one seating of four, the lord first, with the report's points or fair ones."""
    scoring = REPORT_SCORING if points == "report" else fair_points(solve_lineup(FOUR), points).scoring
    setting = settings()[number]
    rules = rules_of(setting)
    rounds = iterate_best_replies(seating, rounds, rules, scoring).outcomes
    return {
        "number": number,
        "points": points,
        "seating": seating,
        "setting": sentence_of(setting),
        **{play: endings_text([solve(seating, rules, policies)]) for play, policies in PLAYS.items()},
        "scores": as_text(outcomes.expected_scores(scoring) for outcomes in rounds),
        "survival": as_text(outcomes.survival for outcomes in rounds),
        "wins": as_text(outcomes.winning.values() for outcomes in rounds),
    }


def lineup_row(lineup, number, games):
    """What a single change of the grid, from 1 on, does to a line-up of five to ten players."""
    change = settings()[number][0]
    columns = {"lineup": lineup, "number": number, "setting": change.said, "games": games}
    rule_sets = {"old": AS_CODED, "new": change.applied(AS_CODED)}
    try:
        played = play_rule_sets(lineup, games, LARGER[lineup] * BATCHES, BATCHES, rule_sets=rule_sets)
    except EndlessGame:
        return columns | {"games": 0}
    for name, (value, more, error) in _differences(played).items():
        columns |= {name: value, f"{name}_more": more, f"{name}_error": error}
    return columns


def _differences(played):
    """By name: a measure of the new rules, how much more it is than of the old, and the standard error of that."""
    effect, values = played.contrast({"new": 1.0, "old": -1.0}), measures(played.outcomes("new"))
    places = {"bal": BAL, "rat": RAT}
    for role, key in enumerate(ROLE_KEYS):
        places |= {f"survival_{key}": role, f"score_{key}": BAL + 1 + role}
    named = {name: (values[name], effect.value[place], effect.error[place]) for name, place in places.items()}
    won = np.array([[winner(alive) == side for side in WINNERS] for alive in played.endings], float)
    shares = {name: counts @ won / counts.sum(axis=1, keepdims=True) for name, counts in played.counts.items()}
    more = shares["new"] - shares["old"]
    errors = more.std(axis=0, ddof=1) / np.sqrt(BATCHES)
    wins = zip(WINNERS, shares["new"].mean(axis=0), more.mean(axis=0), errors, strict=True)
    return named | {f"win_{side}": numbers for side, *numbers in wins}


@cache
def seating_rules(seatings=SEATINGS):
    """Rules for seating that leave some of the seatings and not all, by their sentence: the numbers of those left."""
    sentences = {}
    for said, obeyed in RULES.items():
        left = tuple(place for place, seating in enumerate(seatings) if obeyed(seating))
        if 0 < len(left) < len(seatings):
            sentences.setdefault(left, f"{said}.")
    return {said: left for left, said in sentences.items()}


def fives_of(rows):
    """How games of five end under each new rule, by its sentence, "" for none; without and with a rule for seating."""
    every = {}
    for said, own in rows.fillna({"setting": ""}).groupby("setting", sort=False):
        solved = solved_seatings(own)
        every[said] = mean_over_seatings(solved, FIVE)
        by_seating = {outcomes.seating: outcomes for outcomes in solved}
        for rule, left in seating_rules(FIVE_SEATINGS).items():
            some = [by_seating[FIVE_SEATINGS[place]] for place in left]
            every[f"{said} {rule}".lstrip()] = mean_outcomes(FIVE, some)
    return every
