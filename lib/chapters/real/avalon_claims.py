"""The numbers that the source of Avalon's records prints of its games, counted again.

Its README (September 2021) says what follows of the games up to August 2021; each claim is a number, or two between
which one lies, as printed. What is said to be *about* so much is taken as within 2.5 of it.
"""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from chapters.real import avalon_outcomes
from chapters.real.avalon_outcomes import has
from chapters.real.counts import table
from gamebalance.base.checks import one_of
from gamebalance.base.rounding import meant
from gamebalance.games.avalon.rules import BOARDS, ENDINGS, EVIL_ROLES, GOOD_ROLES, SIDES

if TYPE_CHECKING:
    import pandas

#: The games of which the README speaks.
PERIOD = "to August 2021"
ROLES = GOOD_ROLES + EVIL_ROLES
#: How far from it a number may be that is *about* something.
ABOUT = 2.5


class Claim(NamedTuple):
    """What is claimed, as it is printed, and how it is counted."""

    what: str
    printed: str
    count: Callable[["pandas.DataFrame", "pandas.DataFrame"], float]

    @property
    def ends(self) -> tuple[float, float]:
        """The lowest and the highest number of which this may be said.

        >>> [Claim("", text, None).ends for text in ("6,835", "41", "30 to 35", "about 50", "almost 50")]
        [(6835.0, 6835.0), (40.5, 41.5), (29.5, 35.5), (47.5, 52.5), (44.5, 50.0)]
        """
        numbers = [float(part.replace(",", "")) for part in re.findall(r"-?\d[\d,]*", self.printed)] or [100 / 3]
        if self.printed.startswith("almost"):
            return numbers[0] - 5.5, numbers[0]
        reach = ABOUT if self.printed.startswith("about") else 0.0 if "," in self.printed else 0.5
        return min(numbers) - reach, max(numbers) + reach


def _ended(games: "pandas.DataFrame", *hows: str) -> int:
    """Games that ended so."""
    return int(games.loc[games["how"].isin(hows), "games"].sum())


def _won(games: "pandas.DataFrame") -> int:
    """Games that evil won."""
    return int(games.loc[games["winner"] == "evil", "games"].sum())


def _percent(part: float, whole: float) -> float:
    return 100 * part / whole


def _evil_share(games: "pandas.DataFrame") -> float:
    return _percent(_won(games), games["games"].sum())


def _hits(shots: "pandas.DataFrame") -> float:
    """The percentage of shots that hit Merlin."""
    return _percent(shots.loc[shots["shot"] == "merlin", "games"].sum(), shots["games"].sum())


def _of_merlin(games: "pandas.DataFrame") -> "pandas.DataFrame":
    return games[has(games, "merlin")]


def shot_at(shots: "pandas.DataFrame", role: str) -> float:
    """The percentage of shots at the player with a role, or at one of the loyal, in games with Merlin and Percival.

    The loyal players of a table share the shots at them: of shots at random as many are at one of them as at Percival.
    """
    one_of("role", role, ROLES)
    rows = shots[has(shots, "percival") & has(shots, "merlin")]
    held = rows["players"] - rows["evil_players"] - 2 if role == "loyal" else 1
    return _percent((rows["games"] / held)[rows["shot"] == role].sum(), rows["games"].sum())


CLAIMS = (
    Claim("games", "12,228", lambda games, shots: games["games"].sum()),
    Claim("wins of evil", "6,835", lambda games, shots: _won(games)),
    Claim("evil's share of wins, %", "about 55", lambda games, shots: _evil_share(games)),
    Claim("hits of Merlin", "2,801", lambda games, shots: _ended(games, "merlin shot")),
    Claim("shots at Merlin", "8,194", lambda games, shots: shots["games"].sum()),
    Claim("shots that hit, %", "about a third", lambda games, shots: _hits(shots)),
    Claim(
        "evil's wins by the shot, %",
        "41",
        lambda games, shots: _percent(_ended(games, "merlin shot"), _won(games)),
    ),
    Claim(
        "games with Merlin, %",
        "92",
        lambda games, shots: _percent(_of_merlin(games)["games"].sum(), games["games"].sum()),
    ),
    Claim(
        "evil's share without Merlin, %",
        "about 50",
        lambda games, shots: _evil_share(games[~has(games, "merlin")]),
    ),
    Claim("evil's share with Merlin, %", "57", lambda games, shots: _evil_share(_of_merlin(games))),
    Claim(
        "three successes with Merlin, %",
        "68",
        lambda games, shots: _percent(shots["games"].sum(), _of_merlin(games)["games"].sum()),
    ),
    Claim(
        "evil's wins with Merlin by the shot, %",
        "about 44",
        lambda games, shots: _percent(_ended(games, "merlin shot"), _won(_of_merlin(games))),
    ),
    Claim("hits with five players, %", "40", lambda games, shots: _hits(shots[shots["players"] == 5])),
    *(
        Claim(
            f"hits with {name} players, %",
            "30 to 35",
            lambda games, shots, players=players: _hits(shots[shots["players"] == players]),
        )
        for players, name in ((6, "six"), (7, "seven"), (8, "eight"))
    ),
    Claim("hits with nine players, %", "29", lambda games, shots: _hits(shots[shots["players"] == 9])),
    Claim(
        "hits after three missions, %",
        "about a third",
        lambda games, shots: _hits(shots[shots["missions_played"] == 3]),
    ),
    Claim(
        "hits after five missions, %",
        "almost 50",
        lambda games, shots: _hits(shots[shots["missions_played"] == 5]),
    ),
    Claim(
        "shots at Percival less those at one plain good player, points",
        "about 0",
        lambda games, shots: shot_at(shots, "percival") - shot_at(shots, "loyal"),
    ),
    *(
        Claim(
            f"good's gain with {role.title()}, points",
            printed,
            lambda games, shots, role=role: 100 * avalon_outcomes.worth(games, role).estimate,
        )
        for role, printed in (
            ("percival", "about 5"),
            ("oberon", "3 to 4"),
            ("mordred", "-3 to -4"),
            ("morgana", "-3 to -4"),
        )
    ),
)


def audited(outcomes: "pandas.DataFrame", shots: "pandas.DataFrame") -> "pandas.DataFrame":
    """What the source prints beside what its games say.

    Parameters
    ----------
    outcomes, shots : DataFrame
        The counts ``avalon_outcomes`` and ``avalon_shots``; of these the games of `PERIOD` are used.

    Returns
    -------
    DataFrame
        Columns `claim`, `printed` (a text), `counted`, and `holds`, whether the number is what is printed, to as many
        digits, or as near as its words say.

    Notes
    -----
    A role's worth is that of `avalon_outcomes.worth`, at tables with as many players and the same other roles; the
    source compares all tables with the role and all without.
    """
    import pandas as pd

    columns = {"period": None, "players": BOARDS, "special_roles": None}
    games = table("outcomes", outcomes, "games", columns | {"winner": SIDES, "how": ENDINGS, "batch": None})
    more = {"evil_players": range(2, 5), "missions_played": range(3, 6), "shot": ROLES}
    fired = table("shots", shots, "games", columns | more)
    games, fired = games[games["period"] == PERIOD], fired[fired["period"] == PERIOD]
    rows = []
    for claim in CLAIMS:
        counted = meant(float(claim.count(games, fired)))
        low, high = claim.ends
        rows.append((claim.what, claim.printed, counted, low <= counted <= high))
    return pd.DataFrame(rows, columns=["claim", "printed", "counted", "holds"])
