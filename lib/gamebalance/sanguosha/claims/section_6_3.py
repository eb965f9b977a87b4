"""The claims of §6.3: four players, by the transfer algorithm."""

from collections.abc import Mapping

from gamebalance.sanguosha.claims.estimates import above_mean, all_of, less, opposite
from gamebalance.sanguosha.claims.measures import Measures, rat
from gamebalance.sanguosha.claims.patterns import in_every_seating, largest
from gamebalance.sanguosha.claims.printed import PRINTED_UNIT
from gamebalance.sanguosha.claims.readings import Claim, Decision, Reading
from gamebalance.sanguosha.lineup import Role

MEAN_OR_EVERY_SEATING = "whether the mean over the seatings is meant, or every seating"


def _transfer_is_exact(methods: Mapping[str, Measures]) -> Decision:
    transfer, exact = methods["transfer"], methods["exact"]
    printed, true = transfer.survival + transfer.scores, exact.survival + exact.scores
    # Half a unit of the last digit, and a little for binary fractions.
    right = [abs(one.value - other.value) <= 0.5001 * PRINTED_UNIT for one, other in zip(printed, true, strict=True)]
    worst = max(Role, key=lambda role: abs(printed[role].value - true[role].value))
    return all(right), (
        f"{sum(right)} of {len(right)} are right; {worst.english.lower()} survives with {true[worst].value:.2f} %, "
        f"printed {printed[worst].value:.2f} %"
    )


def _furthest_from_mean(lineups: Mapping[str, Measures], role: Role, below: bool = False) -> Decision:
    """Whether the role's score with four players is further above (or below) the mean than any other score."""
    distances = {(name, other): above_mean(its.scores, other) for name, its in lineups.items() for other in Role}
    if below:
        distances = {key: opposite(distance) for key, distance in distances.items()}
    own = distances.pop(("1-1-1-1", role))
    name, rival = max(distances, key=lambda key: distances[key].value)
    return all_of(less(other, own) for other in distances.values()), (
        f"1-1-1-1: {own} points from the mean; next, {rival.english.lower()} in {name}: {distances[name, rival]}"
    )


CLAIMS = (
    Claim(
        "6.3",
        1,
        "For four players the expectation of every role has been found exactly.",
        (Reading("The values of the transfer algorithm are right to the last digit.", _transfer_is_exact, "methods"),),
    ),
    Claim(
        "6.3",
        2,
        "With four players the scoring is very unbalanced.",
        (
            Reading(
                "Rat is largest with four players, of the report's nine line-ups.",
                lambda lineups: largest(lineups, rat, "1-1-1-1"),
            ),
        ),
    ),
    Claim(
        "6.3",
        3,
        "With four players the scoring is very good for the renegade.",
        (
            Reading(
                "Averaged over the seatings, the renegade's score is further above the roles' mean than any other "
                "score in the nine line-ups.",
                lambda lineups: _furthest_from_mean(lineups, Role.RENEGADE),
            ),
            Reading(
                "In each of the six seatings the renegade expects the highest score.",
                lambda seatings: in_every_seating(seatings, "scores", Role.RENEGADE, Role),
                "seatings",
            ),
        ),
        MEAN_OR_EVERY_SEATING,
    ),
    Claim(
        "6.3",
        4,
        "With four players the scoring is very bad for the rebels.",
        (
            Reading(
                "Averaged over the seatings, the rebel's score is further below the roles' mean than any other score "
                "in the nine line-ups.",
                lambda lineups: _furthest_from_mean(lineups, Role.REBEL, below=True),
            ),
            Reading(
                "In each of the six seatings the rebel expects the lowest score.",
                lambda seatings: in_every_seating(seatings, "scores", Role.REBEL, Role, lowest=True),
                "seatings",
            ),
        ),
        MEAN_OR_EVERY_SEATING,
    ),
)
