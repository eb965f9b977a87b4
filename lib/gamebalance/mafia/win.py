"""The chance that the innocents win, for one set-up: fast in floating point, or as a fraction."""

import typing
from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from gamebalance.base.checks import flag, in_memory, in_time
from gamebalance.mafia.exact import solve_exactly
from gamebalance.mafia.idle import warn_of_idle
from gamebalance.mafia.kernels import layers, values
from gamebalance.mafia.kernels.compiled import Start
from gamebalance.mafia.kernels.towns import FLAGS, cast
from gamebalance.mafia.people import Town
from gamebalance.mafia.rules import AS_CODED, Rules, check_game
from gamebalance.mafia.setups import ROLES, Setup

if TYPE_CHECKING:
    import pandas as pd

# Measured on one core of a slow machine, to within a factor of three: seconds for one town with roles, and for each
# pair of kinds of people in it; how much longer it takes to follow all games night by night, for each player; and
# bytes of a town, values and books together.
TOWN, TOWN_KINDS, NIGHT, TOWN_BYTES = 3e-6, 1e-7, 0.1, 170
#: How many times as long the interpreter takes, and what of its work comes before anything is compiled.
INTERPRETED, _start = 20, Start(3.0)
#: Seconds for the fraction of one town without other roles and memory; with them, doubled by each role that acts; and
#: bytes of a town in fractions, whose followers are kept.
PLAIN_TOWN, EXACT_TOWN, EXACT_TOWN_BYTES = 6e-4, 5e-4, 6000
#: Players of a game that is solved in fractions: with roles or memory, and without.
MOST_EXACT = {False: 20, True: 1000}


def win_probability(
    mafiosi: int,
    innocents: int,
    detectives: int = 0,
    phase: str = "evening",
    half_rule: str = "morning",
    exact: bool = False,
    *,
    votes: str = "every day",
    memory: bool = False,
    doctors: int = 0,
    witches: int = 0,
    hunters: int = 0,
    potion: Fraction | float = Fraction(1, 2),
) -> float | Fraction:
    """The probability that the innocents (and all who are on their side) win when everyone plays at random.

    Parameters
    ----------
    mafiosi, innocents, detectives, doctors, witches, hunters
        How many of each are alive; at most one witch.
    phase
        Whether the game begins with a night ("evening") or with a day ("morning"): ``proba_soir`` and ``proba_matin``
        of the study *Probabilités de victoire au jeu mafia* under the default rules.
    half_rule, votes, memory, potion
        As in `Rules`.
    exact
        Return a Fraction: of up to 1000 players (300 with two detectives take a few seconds), or up to 20 with other
        roles or memory (a dozen take seconds, with memory a minute or two). Floats are within 1e-14 of it for up to
        10,000 players without other roles. What needs more than 2 GiB, or more time than anyone waits, is refused.

    Examples
    --------
    >>> win_probability(1, 2, detectives=1, exact=True)
    Fraction(19, 27)
    """
    setup = Setup(mafiosi, innocents, detectives, doctors, witches, hunters)
    rules = Rules(half_rule, votes, memory, typing.cast(Fraction, potion))  # it makes one of a float
    warn_of_idle(setup, rules)
    return solve(setup, rules, phase, exact)


def solve(setup: Setup, rules: Rules = AS_CODED, phase: str = "evening", exact: bool = False) -> float | Fraction:
    """The probability that the innocents win a set-up under given rules: `win_probability` for ready-made arguments.

    As everywhere in this package, a role that can do nothing under the rules given is named in a warning: `idle`.
    """
    if flag("exact", exact):
        check_exact(setup, rules, phase)
        warn_of_idle(setup, rules)
        return solve_exactly(setup, rules, phase)
    check_game(setup, rules, phase)
    warn_of_idle(setup, rules)
    if needs_no_states(setup, rules):
        table = layers.last_layer(setup.players, setup.mafiosi, setup.detectives, rules, phase)
        return float(table[setup.detectives, setup.mafiosi])
    return float(chances_of([setup], setup, rules, phase)[0])


def check_exact(setup: Setup, rules: Rules, phase: str) -> None:
    """Refuse what is no game, and fractions that need too much."""
    check_game(setup, rules, phase)
    plain = needs_no_states(setup, rules)
    if setup.players > MOST_EXACT[plain]:
        what = "" if plain else " with other roles or memory"
        raise ValueError(
            f"exact = True, players = {setup.players}: at most {MOST_EXACT[plain]}{what} are solved as fractions"
        )
    many = towns(setup, rules)
    acting = sum(getattr(setup, name) > 0 for name in ROLES if name not in ("mafiosi", "innocents"))
    in_memory(f"exact = True, {setup}", EXACT_TOWN_BYTES * many)
    in_time(f"exact = True, {setup}", (PLAIN_TOWN if plain else EXACT_TOWN * 2**acting) * many)


def needs_no_states(setup: Setup, rules: Rules) -> bool:
    """Whether mafiosi, innocents and detectives say everything about a town, of whom one goes after the other."""
    return not setup.has_roles and not (rules.memory and setup.detectives) and rules.one_by_one


def chances_of(setups: list[Setup], bounds: Setup, rules: Rules, phase: str) -> np.ndarray:
    """The probability that the innocents win each of several set-ups, each within the people of `bounds`."""
    return measures_of(setups, bounds, rules, phase)[0]


def measures_of(setups: list[Setup], bounds: Setup, rules: Rules, phase: str) -> np.ndarray:
    """`chances_of`, and the mean numbers of nights when the games end."""
    players = max(setup.players for setup in setups)
    check_towns(bounds, rules, players)
    plain = _start.takes(INTERPRETED * towns_seconds(bounds, rules, players))
    return values.measures([Town.of(setup, rules) for setup in setups], bounds, rules, phase, plain)


def length_distribution(setup: Setup, rules: Rules = AS_CODED, phase: str = "evening") -> "pd.DataFrame":
    """How long a game lasts, and who wins it then.

    Index ``nights``: number of nights played when the game ends, at dawn or by the vote of the day that follows.
    Columns ``innocents`` and ``mafia``: probability that this side wins after so many nights. All sum to 1; a game that
    can go on for ever (a guarded victim before a day without a vote) is followed until less than 1e-16 of it is left.
    """
    import pandas as pd

    check_game(setup, rules, phase)
    warn_of_idle(setup, rules)
    check_towns(setup, rules)
    in_time(f"the lengths of games of {setup}", lengths_seconds(setup, rules))
    found = values.lengths(setup, rules, phase, _start.takes(INTERPRETED * lengths_seconds(setup, rules)))
    index = pd.RangeIndex(len(found), name="nights")
    return pd.DataFrame(found, index=index, columns=["innocents", "mafia"])


def towns(bounds: Setup, rules: Rules, players: int | None = None) -> float:
    """About how many towns come about within the people of `bounds`, with at most so many `players`.

    Counted are the ways to have so many of each kind; what witch, vigilante and don have left to do multiplies them.
    """
    people = cast(bounds, rules)
    kinds = np.bincount(people["role"][:-FLAGS], minlength=len(ROLES))
    counts = [(getattr(bounds, name), many) for name, many in zip(ROLES, kinds.tolist(), strict=True)]
    if players is None or players >= bounds.players:
        ways = float(np.prod([float(comb(count + many, many)) for count, many in counts]))
    else:
        by_living = np.ones(1)
        for count, many in counts:
            of_role = [float(comb(there + many - 1, many - 1)) for there in range(count + 1)] if count else [1.0]
            by_living = np.convolve(by_living, of_role)[: players + 1]
        ways = float(by_living.sum())
    left = (1 + bounds.witches) * (1 + bounds.vigilantes * rules.bullets / 2) * (1 + bounds.dons * bounds.sheriffs / 2)
    return ways * left


def towns_seconds(bounds: Setup, rules: Rules, players: int | None = None) -> float:
    """For all these towns; one takes the longer, the more kinds of people there are, and with a witch twice as long."""
    kinds = len(cast(bounds, rules)) - FLAGS
    return (1 + bounds.witches) * (TOWN + TOWN_KINDS * kinds**2) * towns(bounds, rules, players)


def check_towns(bounds: Setup, rules: Rules, players: int | None = None) -> None:
    """Refuse to solve all towns within the people of a set-up if they take too much memory or time."""
    what = f"up to {bounds}{', with memory' if rules.memory else ''}"
    in_memory(what, TOWN_BYTES * towns(bounds, rules, players))
    in_time(what, towns_seconds(bounds, rules, players))


def lengths_seconds(setup: Setup, rules: Rules) -> float:
    """For the distribution of the length of a game."""
    return NIGHT * setup.players * towns_seconds(setup, rules)
