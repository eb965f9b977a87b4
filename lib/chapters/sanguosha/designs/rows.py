"""How games of four end under each setting of the grid, and with more or fewer cards, exactly: one row for each."""

from collections.abc import Iterable, Mapping
from itertools import product
from math import inf
from typing import Any

import numpy as np

from chapters.sanguosha.designs.grid import rules_of, sentence_of, settings
from gamebalance.base.checks import one_of, whole_number
from gamebalance.base.rounding import bound
from gamebalance.sanguosha.exact import solve_seatings
from gamebalance.sanguosha.lineup import LINEUPS, ROLE_KEYS, Lineup, Role, Seating
from gamebalance.sanguosha.outcomes import Outcomes, mean_outcomes
from gamebalance.sanguosha.policies import REPORT_POLICY, Policies, Policy, ThreatPolicy
from gamebalance.sanguosha.rules import REPORT_DECK, Card, Rules
from gamebalance.sanguosha.scoring import Alive, winner
from gamebalance.sanguosha.what_if import CARDS, changed


def endings_of(lineup: Lineup) -> tuple[Alive, ...]:
    """All numbers alive with which a game of the line-up can end, however people play."""
    numbers = product(*(range(count + 1) for count in lineup.counts))
    return tuple(alive for alive in numbers if any(alive) and winner(alive))


#: Four players, their seatings, and the ways in which their games can end.
FOUR = LINEUPS[0]
SEATINGS = FOUR.seatings()
ENDINGS = endings_of(FOUR)

#: The ways in which a role chooses its targets, by the name that columns have.
WAYS: dict[str, Policy] = {
    "report": REPORT_POLICY,
    "threat": ThreatPolicy("own sight"),
    "known": ThreatPolicy("everything"),
}

#: How all four choose their targets, by the same names, and what that is called in tables and figures.
PLAYS: dict[str, Policies] = {way: dict.fromkeys(Role, policy) for way, policy in WAYS.items()}
PLAY_NAMES = {"report": "fixed rule", "threat": "threat, roles hidden", "known": "threat, roles known"}

#: The order in which two changes together are tried, and the Bal from which on the next play is left out. With one
#: heart each and the rebel opposite the lord Bal is below it by all three plays: two changes that have so much by one
#: play cannot be the fairest by the worst of the three.
TRIED, TRIED_BELOW = ("report", "known", "threat"), 0.125

SURVIVAL = [f"survival_{key}" for key in ROLE_KEYS]
SCORES = [f"score_{key}" for key in ROLE_KEYS]
WINS = ["win_lord", "win_rebels", "win_renegade"]

#: What is measured of a game, in the order of tables: chances, points, and how far the four are apart.
MEASURES = [*SURVIVAL, *WINS, *SCORES, "bal", "rat"]


def won_by_member(outcomes: Outcomes) -> np.ndarray:
    """How often a member of each role has won, by ending, shape (endings, 4): of several renegades at most one has."""
    return outcomes.win_table / [1, 1, 1, max(1, outcomes.lineup.renegades)]


def measures(outcomes: Outcomes) -> dict[str, float]:
    """The `MEASURES` of games that end so: chances from 0 to 1, expected points, Bal from 0 to 1, and Rat."""
    chances = [*outcomes.survival, *outcomes.winning.values()]
    scores = outcomes.expected_scores()
    spreads = outcomes.balance, outcomes.rationality()
    return dict(zip(MEASURES, map(float, (*chances, *scores, *spreads)), strict=True))


def row(number: int) -> dict[str, Any]:
    """What a setting of the grid, by its number, does to four players.

    `setting`: the new rules, in sentences; `error_bound`: on the error of all probabilities of a seating together;
    `turns`: how many a game takes by the report's play, on average. Then for each play the probability of each ending,
    numbers between blanks in the order of `ENDINGS`, the seatings apart by ";" in the order of `SEATINGS`; nothing
    where the setting was not tried.
    """
    setting = settings()[whole_number("number", number, 0, len(settings()) - 1)]
    said = sentence_of(setting)
    return {"number": number, "setting": said, **_played(rules_of(setting), TRIED_BELOW if len(setting) > 1 else inf)}


def sweep_row(card: str, more: int) -> dict[str, Any]:
    """The same when so many cards of a kind, such as "slash", are put into the deck, or taken out if it is below 0."""
    return {"card": card, "more": more, **_played(with_cards(card, more), inf)}


def with_cards(card: str, more: int) -> Rules:
    """The report's rules with so many more cards of a kind, or fewer."""
    kind = Card[one_of("card", card, CARDS).upper()]
    return changed(deck={card: REPORT_DECK[kind] + whole_number("more", more, -REPORT_DECK[kind])})


def _played(rules: Rules, tried_below: float) -> dict[str, Any]:
    """How four players end by each play; by no further one once Bal is so much."""
    worst, turns, texts = 0.0, 0.0, dict.fromkeys(PLAYS, "")
    for play in TRIED:
        found = list(solve_seatings(FOUR, rules, policies=PLAYS[play]).values())
        worst = max(worst, *(outcomes.error_bound for outcomes in found))
        texts[play] = endings_text(found)
        turns = turns or mean_outcomes(FOUR, found).turns
        if mean_outcomes(FOUR, found).balance >= tried_below:
            break
    return {"error_bound": bound(worst), "turns": turns, **texts}


def endings_text(found: Iterable[Outcomes]) -> str:
    """The probability of each of `ENDINGS` in each seating, as `outcomes_of` reads it back."""
    return ";".join(" ".join(f"{each.probability.get(ending, 0.0):.10g}" for ending in ENDINGS) for each in found)


def outcomes_of(found: Mapping[str, Any], play: str = "report") -> dict[str, Outcomes]:
    """What a row says of each seating, as `sanguosha.solve_seatings` returns it, to the digits that it holds."""
    every = {}
    for seating, text in zip(SEATINGS, found[play].split(";"), strict=True):
        shares = {ending: float(share) for ending, share in zip(ENDINGS, text.split(), strict=True) if float(share)}
        total = sum(shares.values())
        probability = {ending: share / total for ending, share in shares.items()}
        every[seating] = Outcomes(FOUR, probability, Seating(seating), error_bound=float(found["error_bound"]))
    return every
