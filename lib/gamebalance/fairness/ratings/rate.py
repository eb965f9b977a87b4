"""`rate`: how strong each person is, and what roles, sides and seats are worth, told apart."""

from collections.abc import Iterable

import numpy as np

from gamebalance.base.checks import all_different, confidence, instance, one_of, shown
from gamebalance.fairness.games import Games, coded
from gamebalance.fairness.ratings.choices import LEAST, MOST, Model, check_size, fit
from gamebalance.fairness.ratings.lineups import MOST_EFFECTS, Lineups, contestants_of
from gamebalance.fairness.ratings.rating import Rating

KINDS = ("side", "role", "seat")
#: A side's strength is the sum of its members' over its size to a power: their mean, or what is 20 times as likely.
POWERS, SURE = (1.0, 0.5, 0.0), np.log(20)


def rate(
    games: Games, by: str | Iterable[str] | None = None, over: str | int | None = None, level: float = 0.95
) -> Rating:
    """How strong each person is, beside what sides, roles and seats are worth.

    Parameters
    ----------
    games : Games
        With the column player; where it is empty, somebody played of whom nothing is known.
    by : {"side", "role", "seat"} or several of them, optional
        What effects besides persons there are; by default all that the results have and that can be compared.
    over : str or int, optional
        A column of periods, such as seasons, or how many games one is, as they follow each other: persons change from
        each to the next by steps whose size is fitted. By default nobody changes. Numbers, dates, and texts that differ
        in one number come by size, other texts as they first appear.
    level : float
        Confidence of each interval by itself.

    Raises
    ------
    ValueError
        If results have no players or no such labels, too many of them, or none that meet, several contestants have won
        a game, or nobody has won any; or where strengths need more than 2 GiB of memory, from some 6,600 persons on.

    Notes
    -----
    Contestants, as in `judge`, win with chances proportional to the exponential of their strength: the mean over their
    members of the effects of labels, and the mean of their members' strengths; or these strengths' sum, or their sum
    over the root of their number, where that makes the results 20 times as likely. Draws have an effect (Davidson
    1970). Where places are known, they are used (Plackett 1975).

    Strengths are normal with a standard deviation s that maximises Laplace's approximation of the likelihood, times s /
    (1 + s²), so that it is neither 0 (Chung et al. 2013) nor without bound where games are few (Gelman 2006), about a
    mean that may go with what a person likes to play (Mundlak 1978); so are their steps from period to period. Effects
    of labels are free, but for one game that each has drawn (Greenland and Mansournia 2015). Errors take the standard
    deviations as known; those of chances are of the delta method, on the scale of log odds. P-values are those of
    Wald's test of the effects that the games tell more of than that one game; kinds of labels that say each other, as
    roles say sides, are tested together.

    Examples
    --------
    Ann wins two games of three, whoever begins:

    >>> import pandas as pd
    >>> rows = [(game, seat, player, player == ("Ben" if game % 3 == 0 else "Ann"))
    ...         for game in range(60) for seat, player in enumerate(["Ann", "Ben"] if game % 2 else ["Ben", "Ann"], 1)]
    >>> from gamebalance.fairness import read_games
    >>> table = pd.DataFrame(rows, columns=["game", "seat", "player", "won"])
    >>> rating = rate(read_games(table))
    >>> rating.seats["chance"].tolist(), rating.persons["share"].round(2).tolist()
    ([0.5, 0.5], [0.67, 0.33])
    """
    (kinds, notes), level = _kinds(games, by), confidence(level)
    table = Lineups(games, kinds, over)
    check_size(len(table.states[0]))
    power, fitted = POWERS[0], None
    if np.ptp(table.size):
        fitted = mean = _model(table, POWERS[0]).best(rough=True)
        for other in POWERS[1:]:  # with strengths that make as much of a difference to sides
            scale = np.sqrt((table.size ** (1 - 2 * POWERS[0])).sum() / (table.size ** (1 - 2 * other)).sum())
            found = fit(_model(table, other), (float(mean.spreads[0] * scale), LEAST))
            if found.log_likelihood > fitted.log_likelihood + SURE * (power == POWERS[0]):
                power, fitted = other, found
    fitted = still = _model(table, power).best(fitted)
    if len(table.periods) > 1:
        fitted = _model(table, power, moving=True).best(still)
    nobody = np.arange(0)
    without = fit(Model(table.choices(table.peopled(power)[:, :0]), np.zeros((0, 0)), nobody, nobody), (MOST, MOST))
    gains = fitted.log_likelihood - without.log_likelihood, fitted.log_likelihood - still.log_likelihood
    return Rating(table, fitted, power, level, gains, notes)


def _model(table: Lineups, power: float, moving: bool = False) -> Model:
    """The model of persons, or of persons in the periods in which they play."""
    many = len(table.persons)
    person, period = table.states[:2] if moving else (np.arange(many), np.zeros(many))
    liked = table.of(table.kinds[0]) if table.kinds else np.arange(0)
    likings = table.likings(table.peopled(power))[0][person][:, liked]
    return Model(table.choices(table.peopled(power, moving)), likings, person, period)


def _kinds(games: Games, by) -> tuple[tuple[str, ...], list[str]]:
    """The kinds of labels that were asked for, or all that can be compared; and what is left out, in words."""
    instance("games", games, Games)
    there = tuple(kind for kind in KINDS if kind in games.kinds)
    if by is None:
        return _comparable(games, there) if games.rows is not None and "player" in games.kinds else (there, [])
    kinds = (by,) if isinstance(by, str) else tuple(by) if isinstance(by, Iterable) else ()
    if not kinds or not all_different(kinds):
        raise ValueError(f"by = {shown(by)}: one of {', '.join(KINDS)}, or several different ones, are needed")
    for kind in kinds:
        one_of("by", kind, KINDS)
        if games.rows is not None and kind not in there:
            raise ValueError(f"by = {kind!r}: these results have no column of that name, only {', '.join(games.kinds)}")
    return kinds, []


def _comparable(games: Games, there: tuple[str, ...]) -> tuple[tuple[str, ...], list[str]]:
    """The kinds whose labels differ within games and are few enough; and what is left out, in words."""
    rows, left, many = games.rows, {}, {}
    starts = np.flatnonzero(np.diff(rows["game"], prepend=-1))
    for kind in there:
        names, codes = coded(rows[kind])
        many[kind] = len(names)
        if (codes == codes[starts][rows["game"]]).all():
            left[kind] = "it never differs within a game"
    while sum(count for kind, count in many.items() if kind not in left) > MOST_EFFECTS:
        most = max(many.keys() - left.keys(), key=lambda kind: many[kind])
        left[most] = f"it has {many[most]:,} labels"
    kinds = tuple(kind for kind in there if kind not in left)
    if kinds == ("seat",):
        lead, _, first = contestants_of(games, ())
        if len(first) < len(rows):
            kinds, left["seat"] = (), f"{lead} says who wins together"
    return kinds, [f"Column {kind} is left out: {why}." for kind, why in left.items()]
