"""Sport Mafia up to the first dawn, in the exact model: what a sheriff, or a citizen, who is shot first costs the town.

How often the town wins after a first victim of each role is a second number beside its share of all tables. The odds
of votes are set by the share alone (`skill`), and so what the model says here is a prediction, which tells rules apart
that explain the share equally well.
"""

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

from chapters.real import skill
from chapters.real.counts import MAFIOSI, SEATS, ChiSquare, Measured, chi_square
from chapters.real.victims import NAMED, NOBODY
from gamebalance.base.checks import one_of
from gamebalance.base.rounding import meant
from gamebalance.mafia import Rules, Setup, phases
from gamebalance.mafia.kernels import values
from gamebalance.mafia.people import Town
from gamebalance.mafia.rules import check_game

if TYPE_CHECKING:
    import pandas

#: A table of sport Mafia.
TABLE = Setup.read("10: don, 2 mafiosi, sheriff, 6 citizens")
#: Who may be missing at the first dawn, as the counts name them.
VICTIMS = ("sheriff", "citizen", NOBODY)


def by_first_victim(rules: Rules, phase: str = "morning", setup: Setup = TABLE) -> "pandas.DataFrame":
    """The town's chance to win by who is shot in the first night.

    Parameters
    ----------
    rules : Rules
        With one shot a night, and a vote every day.
    phase : {"morning", "evening"}
        Whether there is a vote before the first night.
    setup : Setup
        Of don, mafiosi, sheriff and citizens.

    Returns
    -------
    DataFrame
        By `VICTIMS`, those that can be: `chance`, that this happens and the game has gone on so far, and `win`.

    Examples
    --------
    Two mafiosi against a sheriff and three citizens, night first: after the shot the vote must hit, and, if the next
    shot leaves one against two, the next vote, too.

    >>> found = by_first_victim(Rules("always"), "evening", Setup(2, 3, sheriffs=1))
    >>> print(round(found.at["citizen", "win"], 4), round(2 / 5 * 1 / 3, 4))
    0.1333 0.1333
    """
    import pandas as pd

    check_game(setup, rules, phase)
    one_of("rules.votes", rules.votes, ["every day"])
    if rules.kills != (1,) or setup.players > setup.mafia + setup.sheriffs + setup.innocents:
        raise ValueError(f"{setup}, kills = {rules.kills}: one shot a night, and no other roles, are needed")
    dawns = _dawns(setup, rules, phase)
    towns = list({town: None for town, _ in dawns})
    wins = dict(zip(towns, values.win_chances(towns, setup, rules, "morning"), strict=True))
    rows = [(victim, float(chance), float(chance) * wins[town]) for (town, victim), chance in dawns.items()]
    sums = pd.DataFrame(rows, columns=["victim", "chance", "win"]).groupby("victim").sum()
    sums = sums.reindex([victim for victim in VICTIMS if victim in sums.index])
    return meant(sums.assign(win=sums["win"] / sums["chance"]))


def _dawns(setup: Setup, rules: Rules, phase: str) -> dict[tuple[Town, str], Fraction]:
    """The towns at the first dawn with who was shot, and their chances."""
    town, found = Town.of(setup, rules), {}
    evenings = phases.day(town, rules) if phase == "morning" else {town: Fraction(1)}
    for evening, chance in evenings.items():
        if phases.winner(evening, "evening", rules):
            continue
        for dawn, share in phases.night(evening, rules).items():
            place = dawn, _victim(evening, dawn)
            found[place] = found.get(place, 0) + chance * share
    return found


def _victim(evening: Town, dawn: Town) -> str:
    """The role that is one fewer at dawn."""
    if dawn.count() == evening.count():
        return NOBODY
    return "sheriff" if dawn.count("sheriff") < evening.count("sheriff") else "citizen"


def explained(
    share: float, first: "pandas.DataFrame", rules: Rules, phase: str = "morning"
) -> "tuple[float, pandas.DataFrame, ChiSquare]":
    """The odds that explain the town's share, what they say of each first victim, and whether that is what was seen.

    Parameters
    ----------
    share : float
        Of all tables, those that the town won.
    first : DataFrame
        As `victims.town_by_victim` gives it: `games`, `won` and `estimate` by first victim.
    rules, phase
        The odds of the rules are not used.

    Returns
    -------
    odds : float
    predicted : DataFrame
        As `by_first_victim` has it.
    fit : ChiSquare
        Pearson's, of the seen shares against the predicted ones; one degree of freedom less than there are, since the
        odds are set by the share of all.
    """
    odds = skill.odds_at(share, TABLE, rules, phase)
    predicted = by_first_victim(replace(rules, odds=odds), phase)
    seen, win = first.loc[predicted.index], predicted["win"]
    apart = np.square(seen["won"] - seen["games"] * win) / (seen["games"] * win * (1 - win))
    return odds, predicted, chi_square(apart.sum(), len(predicted) - 1)


def named_after_a_check(odds: Measured) -> Measured:
    """How many mafiosi a sheriff names among three suspects who knows one other's side, and sees no better otherwise.

    Parameters
    ----------
    odds : Measured
        By which a citizen prefers a mafioso: `victims.odds_of_naming`.

    Notes
    -----
    The check is of one of nine at random. A mafioso who was found is named, with two others of the eight; whoever was
    cleared is not named.

    Examples
    --------
    >>> named_after_a_check(Measured(1.0, 0.0, 1.0, 1.0)).estimate  # 1/3 of 1 + 2 x 2/8, and 2/3 of 3 x 3/8
    1.25
    """
    others = SEATS - 2
    found = MAFIOSI / (SEATS - 1)

    def mean(value: float) -> float:
        one, none = ((others, MAFIOSI - 1, NAMED - 1), (others, MAFIOSI, NAMED))
        hits = [stats.nchypergeom_fisher.mean(*drawn, value) for drawn in (one, none)]
        return float(found * (1 + hits[0]) + (1 - found) * hits[1])

    return skill.carried(mean, odds)
