"""The numbers that the source of Avalon's records prints of its games, counted again.

Its README (September 2021) says what follows of the games up to August 2021; each claim is a number, or two between
which one lies, as printed. What is said to be *about* so much is taken as within 2.5 of it.
"""

import re

import pandas as pd

from chapters.what_avalon_shows import has, worth
from gamebalance.base.rounding import meant

#: The games of which the README speaks.
PERIOD = "to August 2021"
#: How far from it a number may be that is *about* something.
ABOUT = 2.5
#: How often shots hit Merlin, by the number of players, as printed.
HITS = (
    *((5, "five", "40"), (6, "six", "30 to 35"), (7, "seven", "30 to 35")),
    *((8, "eight", "30 to 35"), (9, "nine", "29")),
)


def ends(printed: str) -> tuple[float, float]:
    """The lowest and the highest number of which this may be said.

    >>> [ends(text) for text in ("6,835", "41", "-3 to -4", "about 0", "almost 50")]
    [(6835.0, 6835.0), (40.5, 41.5), (-4.5, -2.5), (-2.5, 2.5), (44.5, 50.0)]
    >>> ends("about a third")[1]
    35.833333333333336
    """
    numbers = [float(part.replace(",", "")) for part in re.findall(r"-?\d[\d,]*", printed)] or [100 / 3]
    if printed.startswith("almost"):
        return numbers[0] - 5.5, numbers[0]
    reach = ABOUT if printed.startswith("about") else 0.0 if "," in printed else 0.5
    return min(numbers) - reach, max(numbers) + reach


def shot_at(shots: pd.DataFrame, role: str) -> float:
    """The percentage of shots at the player with a role, or at one of the loyal, in games with Merlin and Percival.

    The loyal players of a table share the shots at them: of shots at random as many are at one of them as at Percival.
    """
    rows = shots[has(shots, "percival") & has(shots, "merlin")]
    held = rows["players"] - rows["evil_players"] - 2 if role == "loyal" else 1
    return 100 * (rows["games"] / held)[rows["shot"] == role].sum() / rows["games"].sum()


def audited(outcomes: pd.DataFrame, shots: pd.DataFrame) -> pd.DataFrame:
    """What the source prints beside what its games say; `holds`: to as many digits, or as near as its words say."""
    outcomes, shots = (frame[frame["period"] == PERIOD] for frame in (outcomes, shots))
    games, after = outcomes["games"], shots["missions_played"]
    evil, merlin, shot = outcomes["winner"] == "evil", has(outcomes, "merlin"), outcomes["how"] == "merlin shot"
    every = games >= 0

    def percent(part: pd.Series, of: pd.Series = every) -> float:
        return 100 * games[part & of].sum() / games[of].sum()

    def hits(fired: pd.DataFrame = shots) -> float:
        return 100 * fired.loc[fired["shot"] == "merlin", "games"].sum() / fired["games"].sum()

    def gain(role: str) -> float:
        return 100 * worth(outcomes, role).estimate

    at_percival = "shots at Percival less those at one plain good player, points"
    claims = [
        ("games", "12,228", games.sum()),
        ("wins of evil", "6,835", games[evil].sum()),
        ("evil's share of wins, %", "about 55", percent(evil)),
        ("hits of Merlin", "2,801", games[shot].sum()),
        ("shots at Merlin", "8,194", shots["games"].sum()),
        ("shots that hit, %", "about a third", hits()),
        ("evil's wins by the shot, %", "41", percent(shot, evil)),
        ("games with Merlin, %", "92", percent(merlin)),
        ("evil's share without Merlin, %", "about 50", percent(evil, ~merlin)),
        ("evil's share with Merlin, %", "57", percent(evil, merlin)),
        ("three successes with Merlin, %", "68", 100 * shots["games"].sum() / games[merlin].sum()),
        ("evil's wins with Merlin by the shot, %", "about 44", percent(shot, evil & merlin)),
        *(
            (f"hits with {name} players, %", printed, hits(shots[shots["players"] == players]))
            for players, name, printed in HITS
        ),
        ("hits after three missions, %", "about a third", hits(shots[after == 3])),
        ("hits after five missions, %", "almost 50", hits(shots[after == 5])),
        (at_percival, "about 0", shot_at(shots, "percival") - shot_at(shots, "loyal")),
        ("good's gain with Percival, points", "about 5", gain("percival")),
        ("good's gain with Oberon, points", "3 to 4", gain("oberon")),
        ("good's gain with Mordred, points", "-3 to -4", gain("mordred")),
        ("good's gain with Morgana, points", "-3 to -4", gain("morgana")),
    ]
    table = pd.DataFrame(claims, columns=["claim", "printed", "counted"])
    table["counted"] = [meant(float(number)) for number in table["counted"]]
    low, high = zip(*map(ends, table["printed"]), strict=True)
    return table.assign(holds=table["counted"].between(pd.Series(low), pd.Series(high)))
