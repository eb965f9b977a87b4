"""The claims of §9: the transfer algorithm and the Monte Carlo method compared, by Table 5."""

from collections.abc import Mapping
from itertools import product
from math import hypot

from gamebalance.sanguosha.claims.estimates import Estimate, agree, all_of, less
from gamebalance.sanguosha.claims.measures import Measures
from gamebalance.sanguosha.claims.readings import Claim, Decision, Reading
from gamebalance.sanguosha.lineup import Role


def _same_order(methods: Mapping[str, Measures]) -> Decision:
    """Whether the Monte Carlo values put the roles in the order of the transfer algorithm's."""
    answers, swapped = [], []
    for what, one, other in product(("survival", "scores"), Role, Role):
        before, after = getattr(methods["transfer"], what), getattr(methods["monte carlo"], what)
        if before[one].value < before[other].value:
            answers.append(less(after[one], after[other], together=True))
            if answers[-1] is False:
                swapped.append(
                    f"{what}: {other.english.lower()} {before[other].value:.2f}, {one.english.lower()} "
                    f"{before[one].value:.2f} against {after[other]}, {after[one]}"
                )
    return all_of(answers), "; ".join(swapped) or f"all {len(answers)} pairs in the same order"


def _within_noise(methods: Mapping[str, Measures], left: str, right: str, *quantities: str) -> Decision:
    """Whether two methods agree for all roles, and where they differ most in standard errors."""
    answers, texts = [], []
    for what in quantities:
        columns = [getattr(methods[name], what) for name in (left, right)]
        rows = list(zip(*columns, strict=True))
        answers += [agree(*row) for row in rows]
        z = [abs(one.value - other.value) / hypot(one.error, other.error) for one, other in rows]
        worst = max(Role, key=lambda role: z[role])
        texts.append(
            f"{what} of the {worst.english.lower()}: {columns[0][worst].value:.2f} against "
            f"{columns[1][worst].value:.2f}{' %' if what == 'survival' else ''}, {z[worst]:.1f} s.e. apart"
        )
    return all(answers), "; ".join(texts)


def _similar_accuracy(methods: Mapping[str, Measures], what: str) -> Decision:
    """Whether both methods' distances from the exact values differ by no more than chance allows."""
    transfer, played, exact = (getattr(methods[name], what) for name in ("transfer", "monte carlo", "exact"))
    distances = [
        [Estimate(abs(its[role].value - exact[role].value), its[role].error) for role in Role]
        for its in (transfer, played)
    ]
    worst = [max(column).value for column in distances]
    unit = "%" if what == "survival" else "points"
    return all(map(agree, *distances)), (
        f"largest error of {what}: transfer {worst[0]:.3f} {unit}, Monte Carlo {worst[1]:.3f} {unit}"
    )


CLAIMS = (
    Claim(
        "9",
        1,
        "The two methods give similar results.",
        (
            Reading("Both put the roles in the same order, by survival and by score.", _same_order, "methods"),
            Reading(
                "They differ by no more than four standard errors of a million games.",
                lambda methods: _within_noise(methods, "transfer", "monte carlo", "survival", "scores"),
                "methods",
            ),
        ),
        "whether the order or the size of the numbers is meant",
    ),
    Claim(
        "9",
        2,
        "This confirms that the Monte Carlo method is valid.",
        (
            Reading(
                "Its survival rates are within four standard errors of the exact ones.",
                lambda methods: _within_noise(methods, "monte carlo", "exact", "survival"),
                "methods",
            ),
            Reading(
                "Its expected scores are within four standard errors of the exact ones.",
                lambda methods: _within_noise(methods, "monte carlo", "exact", "scores"),
                "methods",
            ),
        ),
        "whether survival or scores are meant; the program has slips in the scores only",
    ),
    Claim(
        "9",
        3,
        "The accuracy of the Monte Carlo method is similar to that of the transfer algorithm.",
        (
            Reading(
                "The errors of both methods' survival rates differ by no more than four standard errors.",
                lambda methods: _similar_accuracy(methods, "survival"),
                "methods",
            ),
            Reading(
                "The errors of both methods' expected scores differ by no more than four standard errors.",
                lambda methods: _similar_accuracy(methods, "scores"),
                "methods",
            ),
        ),
        "whether survival or scores are meant",
    ),
)
