"""The seven claims of §10, the report's summary."""

from collections.abc import Mapping
from math import hypot

from gamebalance.sanguosha.claims.estimates import Estimate, above_mean, all_of, best_of, lead, less, mean_of, opposite
from gamebalance.sanguosha.claims.measures import Measures, Quantity, bal, gap, rat, ratio, survival
from gamebalance.sanguosha.claims.patterns import (
    largest,
    listed,
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

#: Groups of line-ups outside six to eight players, by name: fewest and most players.
FEWER_AND_MORE = {"fewer": (4, 5), "more": (9, 10)}
ALL_OTHERS = {"all others": (4, 10)}


def _loyalist_steadiest(lineups: Mapping[str, Measures]) -> Decision:
    ranges = {}
    for role in Role:
        low, *_, high = sorted(its.survival[role] for its in lineups.values())
        ranges[role] = Estimate(high.value - low.value, hypot(high.error, low.error))
    # Ranges of different roles come from the same games.
    answers = [less(ranges[Role.LOYALIST], ranges[role], together=True) for role in Role if role != Role.LOYALIST]
    return all_of(answers), "range in points, " + listed((role.english.lower(), ranges[role]) for role in Role)


def _renegade_first_in_survival(measures: Measures) -> Estimate:
    return lead(measures.survival, Role.RENEGADE)


def _renegade_first_in_scores(measures: Measures) -> Estimate:
    return lead(measures.scores, Role.RENEGADE)


def _middle_better(lineups: Mapping[str, Measures], of: Quantity, unit: str = "") -> Decision:
    """Whether a quantity is smaller in each line-up of six to eight players than in every other."""
    middle, others = split(lineups, 6, 8)
    worst = max(middle, key=lambda name: of(middle[name]).value)
    # All that matters, and all that is shown, is the worst of them.
    answer, text = smaller({worst: middle[worst]}, others, of, unit)
    return answer, f"worst of them, {text}"


def _middle_mean(
    lineups: Mapping[str, Measures], of: Quantity, groups: Mapping[str, tuple[int, int]], unit: str = ""
) -> Decision:
    """Whether the mean over six to eight players is below the mean of each group of other line-ups."""
    middle, others = split(lineups, 6, 8)
    mean = mean_of(map(of, middle.values()))
    means = {name: mean_of(map(of, sized(others, *sizes).values())) for name, sizes in groups.items()}
    answer = all_of(less(mean, other) for other in means.values())
    return answer, f"six to eight: {mean}{unit}; {listed(means.items(), unit)}"


def _middle_has_smallest_rat(lineups: Mapping[str, Measures]) -> Decision:
    middle, others = split(lineups, 6, 8)
    best = min(middle, key=lambda name: middle[name].rat.value)
    return smaller({best: middle[best]}, others, rat)


def _rebels_last(lineups: Mapping[str, Measures]) -> Decision:
    answers, texts = [], []
    for name, its in sized(lineups, 4, 5).items():
        for values, unit in ((its.survival, " %"), (its.scores, " points")):
            others = [role for role in Role if role != Role.REBEL]
            answers += [less(values[Role.REBEL], values[role], together=True) for role in others]
            rival = best_of(values, others, lowest=True)
            texts.append(f"{name}: {values[Role.REBEL]}{unit}, next {rival.english.lower()} {values[rival]}")
    return all_of(answers), "; ".join(texts)


def _rebel_shortfall(measures: Measures) -> Estimate:
    return opposite(above_mean(measures.survival, Role.REBEL))


def _scores_closer_than_survival(lineups: Mapping[str, Measures]) -> Decision:
    ratios = {name: (ratio(its), ratio(its, "survival")) for name, its in sized(lineups, 9, 10).items()}
    answer = all_of(less(*both, together=True) for both in ratios.values())
    return answer, "; ".join(f"{name}: {score} against {alive}" for name, (score, alive) in ratios.items())


def _lord_overtaken(lineups: Mapping[str, Measures]) -> Decision:
    answers, texts = [], []
    for name, its in sized(lineups, 9, 10).items():
        rival = best_of(its.scores, (Role.LOYALIST, Role.REBEL, Role.RENEGADE))
        answers.append(less(its.scores[Role.LORD], its.scores[rival], together=True))
        texts.append(f"{name}: lord {its.scores[Role.LORD]}, {rival.english.lower()} {its.scores[rival]}")
    return all_of(answers), "; ".join(texts)


CLAIMS = (
    Claim(
        "10",
        1,
        "The lord's survival is [lowest: the word is missing] with 1-1-2-2, where the game is most balanced.",
        (
            Reading(
                "The lord's survival is lowest there, of the nine line-ups, as Figure 4 suggests.",
                lambda lineups: smallest(lineups, survival(Role.LORD), "1-1-2-2", " %"),
            ),
            Reading(
                "Bal is smallest there, of the nine line-ups.",
                lambda lineups: smallest(lineups, bal, "1-1-2-2", " %"),
            ),
        ),
        "whether the lord's survival or Bal is meant",
    ),
    Claim(
        "10",
        2,
        "The loyalists' survival is fairly steady and falls slowly with more players.",
        (
            Reading(
                "Over the nine line-ups the loyalists' survival varies least of the four roles'.", _loyalist_steadiest
            ),
            Reading(
                "It falls from every line-up to every one with more players.",
                lambda lineups: monotone(lineups, survival(Role.LOYALIST), False, " %"),
            ),
            Reading(
                "It falls on the whole: its least-squares line over the number of players does.",
                lambda lineups: trend(lineups, survival(Role.LOYALIST), False, " points"),
            ),
        ),
        "whether it falls at every step, or on the whole",
    ),
    Claim(
        "10",
        3,
        "With many players the rebels' survival approaches the loyalists'; it is highest with 1-1-3-1.",
        (
            Reading(
                "With nine and ten players the two are closer than in every smaller line-up.",
                lambda lineups: smaller(*split(lineups, 9, 10), gap, " points"),
            ),
            Reading(
                "They come closer on the whole: the least-squares line of their distance over the number of players "
                "falls.",
                lambda lineups: trend(lineups, gap, False, " points"),
            ),
            Reading(
                "The rebels' survival is highest with 1-1-3-1, of the nine line-ups.",
                lambda lineups: largest(lineups, survival(Role.REBEL), "1-1-3-1", " %"),
            ),
        ),
        "whether every smaller line-up counts, or the trend",
    ),
    Claim(
        "10",
        4,
        "The renegade survives less and less with many players, but has some advantage with 7人以下 (below seven, or "
        "up to seven).",
        (
            Reading(
                "The renegade's survival falls from every line-up to every one with more players.",
                lambda lineups: monotone(lineups, survival(Role.RENEGADE), False, " %"),
            ),
            Reading(
                "It does so among the line-ups of seven to ten players.",
                lambda lineups: monotone(sized(lineups, 7, 10), survival(Role.RENEGADE), False, " %"),
            ),
            Reading(
                "With fewer than seven players the renegade survives most often of all roles.",
                lambda lineups: positive(sized(lineups, 4, 6), _renegade_first_in_survival),
            ),
            Reading(
                "With up to seven players the renegade survives most often of all roles.",
                lambda lineups: positive(sized(lineups, 4, 7), _renegade_first_in_survival),
            ),
            Reading(
                "With up to seven players the renegade expects the highest score.",
                lambda lineups: positive(sized(lineups, 4, 7), _renegade_first_in_scores),
            ),
        ),
        "from how many players on it falls, what 7人以下 includes, whether the advantage is in survival or in points",
    ),
    Claim(
        "10",
        5,
        "With six to eight players the balance is good and the scoring reasonable.",
        (
            Reading(
                "Every line-up of six to eight players has a smaller Bal than every other.",
                lambda lineups: _middle_better(lineups, bal, " %"),
            ),
            Reading(
                "Their mean Bal is below the mean with fewer players and the mean with more.",
                lambda lineups: _middle_mean(lineups, bal, FEWER_AND_MORE, " %"),
            ),
            Reading(
                "Every line-up of six to eight players has a smaller Rat than every other.",
                lambda lineups: _middle_better(lineups, rat),
            ),
            Reading(
                "Their mean Rat is below the mean with fewer players and the mean with more.",
                lambda lineups: _middle_mean(lineups, rat, FEWER_AND_MORE),
            ),
            Reading(
                "Their mean Rat is below the mean of all others together.",
                lambda lineups: _middle_mean(lineups, rat, ALL_OTHERS),
            ),
            Reading("The smallest Rat of the nine line-ups is one of theirs.", _middle_has_smallest_rat),
        ),
        "whether every line-up counts or the mean, and against which others; for Rat, also whether renegades share "
        "their consolation",
    ),
    Claim(
        "10",
        6,
        "With few players, four above all, the rebels' disadvantage is too obvious.",
        (
            Reading(
                "With four and five players the rebels survive least often and expect the lowest score of all roles.",
                _rebels_last,
            ),
            Reading(
                "Of the nine line-ups, their survival is furthest below the mean of the roles with four players.",
                lambda lineups: largest(lineups, _rebel_shortfall, "1-1-1-1", " points"),
            ),
        ),
        "whether the order of the roles is meant, or the distance from their mean",
    ),
    Claim(
        "10",
        7,
        "With many players the lord is too far ahead, but the scoring makes up for it.",
        (
            Reading(
                "With nine and ten players the ratio of largest to smallest is smaller for scores than for survival.",
                _scores_closer_than_survival,
            ),
            Reading("With nine and ten players another role expects a higher score than the lord.", _lord_overtaken),
        ),
        "what is to be made up for: the distance between the roles, or the lord's first place",
    ),
)
