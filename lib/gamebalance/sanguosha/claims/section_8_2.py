"""The six claims of §8.2: what the report reads off Tables 4 to 23."""

from collections.abc import Mapping

from gamebalance.sanguosha.claims.estimates import Answer, Estimate, all_of, lead, less
from gamebalance.sanguosha.claims.measures import Measures, bal, rat, ratio, survival
from gamebalance.sanguosha.claims.patterns import (
    in_every_seating,
    larger,
    largest,
    monotone,
    positive,
    sized,
    smaller,
    smallest,
    split,
    trend,
)
from gamebalance.sanguosha.claims.readings import Claim, Decision, Reading
from gamebalance.sanguosha.lineup import Role


def _lord_lead(measures: Measures) -> Estimate:
    return lead(measures.survival, Role.LORD)


def _renegade_lead(measures: Measures) -> Estimate:
    """Survival of the renegade less that of loyalist or rebel, whichever is higher."""
    return lead(measures.survival, Role.RENEGADE, (Role.LOYALIST, Role.REBEL))


def _rebels_win(measures: Measures) -> Estimate:
    return measures.winning[Role.REBEL]


def _rebels_lose_at_four(lineups: Mapping[str, Measures]) -> Decision:
    fewest, text = smallest(lineups, _rebels_win, "1-1-1-1", " %")
    own = lineups["1-1-1-1"].winning
    last = [less(own[Role.REBEL], own[side], together=True) for side in (Role.LORD, Role.RENEGADE)]
    return all_of([fewest, *last]), f"{text}; lord's side {own[Role.LORD]} %, renegade {own[Role.RENEGADE]} %"


def _lord_far_ahead(lineups: Mapping[str, Measures]) -> Decision:
    large, small = split(lineups, 9, 10)
    first, _ = positive(large, _lord_lead)
    more, text = larger(large, small, _lord_lead)
    return all_of([first, more]), f"lead in points, {text}"


def _rat_below_most(lineups: Mapping[str, Measures]) -> Decision:
    large, small = split(lineups, 9, 10)
    rows = {name: [less(its.rat, other.rat) for other in small.values()] for name, its in large.items()}
    texts = [f"{name} ({large[name].rat}): in {row.count(True)} of {len(row)}" for name, row in rows.items()]
    return all_of(map(_most, rows.values())), "; ".join(texts)


def _most(answers: list[Answer]) -> Answer:
    """Whether more than half of the answers are True, if the undecided ones leave that beyond doubt."""
    sure, possible = answers.count(True), len(answers) - answers.count(False)
    return True if 2 * sure > len(answers) else False if 2 * possible <= len(answers) else None


CLAIMS = (
    Claim(
        "8.2",
        1,
        "The game is most balanced with six players, 1-1-2-2: the roles' chances to win differ least.",
        (
            Reading(
                "Bal is smallest there, of the report's nine line-ups.",
                lambda lineups: smallest(lineups, bal, "1-1-2-2", " %"),
            ),
            Reading(
                "The spread of the roles' chances to win is smallest there; a role wins if one of its members does.",
                lambda lineups: smallest(lineups, lambda its: its.win_spread, "1-1-2-2", " %"),
            ),
            Reading(
                "The spread of a member's chances to win is smallest there; a renegade must win himself.",
                lambda lineups: smallest(lineups, lambda its: its.win_spread_each, "1-1-2-2", " %"),
            ),
            Reading(
                "Bal is smallest there, of all line-ups of six players.",
                lambda every: smallest(sized(every, 6, 6), bal, "1-1-2-2", " %"),
                "every",
            ),
            Reading(
                "Bal is smallest there, of all line-ups of four to ten players.",
                lambda every: smallest(every, bal, "1-1-2-2", " %"),
                "every",
            ),
        ),
        "whether balance is of survival, of a role's chance to win or of one player's; which line-ups compete",
    ),
    Claim(
        "8.2",
        2,
        "The game is least fair with four players: the rebels are very likely to lose, and the game is left to the "
        "other three.",
        (
            Reading(
                "Bal is largest with four players, of the nine line-ups.",
                lambda lineups: largest(lineups, bal, "1-1-1-1", " %"),
            ),
            Reading(
                "The rebels' chance to win is smallest with four players, and below that of both other sides.",
                _rebels_lose_at_four,
            ),
            Reading(
                "In each of the six seatings the rebels win less often than both other sides.",
                lambda seatings: in_every_seating(
                    seatings, "winning", Role.REBEL, (Role.LORD, Role.RENEGADE), lowest=True
                ),
                "seatings",
            ),
        ),
        "whether the mean over the seatings is meant, or every seating",
    ),
    Claim(
        "8.2",
        3,
        "With nine players, 1-3-4-1, balance is poor and the lord too far ahead; with ten likewise.",
        (
            Reading(
                "In both, Bal is larger than in every line-up of five to eight players.",
                lambda lineups: larger(sized(lineups, 9, 10), sized(lineups, 5, 8), bal, " %"),
            ),
            Reading(
                "In both, the lord survives more often than any other role, with a larger lead than in every other "
                "line-up.",
                _lord_far_ahead,
            ),
        ),
        "whether balance or the lord's lead is meant",
    ),
    Claim(
        "8.2",
        4,
        "With many players the expected scores nevertheless differ little.",
        (
            Reading(
                "With nine and ten players Rat is smaller than in every smaller line-up.",
                lambda lineups: smaller(*split(lineups, 9, 10), rat),
            ),
            Reading(
                "With nine and ten players Rat is smaller than in more than half of the smaller line-ups.",
                _rat_below_most,
            ),
            Reading(
                "With nine and ten players the ratio of largest to smallest score is smaller than in every smaller "
                "line-up.",
                lambda lineups: smaller(*split(lineups, 9, 10), ratio),
            ),
        ),
        "what 'little' is measured against: every smaller line-up, or most of them",
    ),
    Claim(
        "8.2",
        5,
        "The lord survives more often the more players there are; the renegade always more often than loyalists and "
        "rebels.",
        (
            Reading(
                "The lord's survival rises from every line-up to every one with more players.",
                lambda lineups: monotone(lineups, survival(Role.LORD), True, " %"),
            ),
            Reading(
                "The lord's survival rises on the whole: its least-squares line over the number of players does.",
                lambda lineups: trend(lineups, survival(Role.LORD), True, " points"),
            ),
            Reading(
                "The renegade survives more often than loyalists and rebels in all nine line-ups.",
                lambda lineups: positive(lineups, _renegade_lead),
            ),
            Reading(
                "The renegade does so in each of the six seatings of four players.",
                lambda seatings: in_every_seating(seatings, "survival", Role.RENEGADE, (Role.LOYALIST, Role.REBEL)),
                "seatings",
            ),
            Reading(
                "The renegade does so in all line-ups of four to ten players.",
                lambda every: positive(every, _renegade_lead),
                "every",
            ),
        ),
        "whether it rises at every step or on the whole; whether 'always' reaches single seatings, or line-ups that "
        "the report did not play",
    ),
    Claim(
        "8.2",
        6,
        "With more players the expected scores come closer together.",
        (
            Reading(
                "Rat falls from every line-up to every one with more players.",
                lambda lineups: monotone(lineups, rat, False),
            ),
            Reading(
                "Rat falls on the whole: its least-squares line over the number of players does.",
                lambda lineups: trend(lineups, rat, False),
            ),
            Reading(
                "The ratio of largest to smallest score falls from every line-up to every one with more players.",
                lambda lineups: monotone(lineups, ratio, False),
            ),
        ),
        "whether they do so at every step, or on the whole",
    ),
)
