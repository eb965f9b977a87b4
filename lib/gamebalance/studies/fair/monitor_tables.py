"""One row of numbers for each case of watching every game: how often a `Monitor` is right, and after how many games."""

from typing import Any

from gamebalance.base.checks import one_of, shown
from gamebalance.fairness.planning import games_needed
from gamebalance.fairness.stopping import stopping_times
from gamebalance.studies.fair.folklore import SEATS

#: By the number of seats: chances to win of which one seat has more than the others.
UNFAIR = {
    2: (0.55, 0.45),
    4: SEATS,
    8: (0.195, 0.115, 0.115, 0.115, 0.115, 0.115, 0.115, 0.115),
}
TESTS = ("Wald", "mixture")
TRUTHS = ("fair", "unfair")
#: What the tests promise, and how far from even a chance may be.
LEVEL, POWER, MARGIN = 0.05, 0.8, 0.05


def row(
    players: int, test: str, truth: str, runs: int = 1_000_000, most: int = 10_000, seed: int = 20261122
) -> dict[str, Any]:
    """Runs of games at a table of so many seats, each watched until it is clear.

    `test`: "Wald" for the one against the chances of `UNFAIR`, "mixture" for the one against all; `truth`: whether the
    games are fair or have these chances.

    `unfair`, `fair`, `undecided`: shares of the runs that end so, the last after `most` games; `mean` and `median` of
    the games that are played; with their standard errors, "... error". `fixed`: how many games, fixed beforehand, show
    these chances with the same level and power.
    """
    if players not in UNFAIR:
        raise ValueError(f"players = {shown(players)}: one of {', '.join(map(str, UNFAIR))} is needed")
    named = UNFAIR[players]
    shares = named if one_of("truth", truth, TRUTHS) == "unfair" else (1 / players,) * players
    alternative = named if one_of("test", test, TESTS) == "Wald" else None
    found = stopping_times(shares, alternative, LEVEL, POWER, MARGIN, runs, seed, most)
    line: dict[str, Any] = {"players": players, "test": test, "truth": truth}
    line |= {"shares": " ".join(f"{share:.10g}" for share in shares), "runs": runs, "most": most}
    numbers = {name: found.share(name) for name in ("unfair", "fair", "undecided")}
    numbers |= {"mean": found.mean(), "median": found.median()}
    for name, (value, error) in numbers.items():
        line |= {name: value, f"{name} error": error}
    return line | {"fixed": games_needed(named, POWER, LEVEL)}
