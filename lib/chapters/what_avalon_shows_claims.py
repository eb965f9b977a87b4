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
PLAYERS = {5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine"}
#: What is claimed, as it is printed.
PRINTED = {
    "games": "12,228",
    "wins of evil": "6,835",
    "evil's share of wins, %": "about 55",
    "hits of Merlin": "2,801",
    "shots at Merlin": "8,194",
    "shots that hit, %": "about a third",
    "evil's wins by the shot, %": "41",
    "games with Merlin, %": "92",
    "evil's share without Merlin, %": "about 50",
    "evil's share with Merlin, %": "57",
    "three successes with Merlin, %": "68",
    "evil's wins with Merlin by the shot, %": "about 44",
    "hits with five players, %": "40",
    "hits with six players, %": "30 to 35",
    "hits with seven players, %": "30 to 35",
    "hits with eight players, %": "30 to 35",
    "hits with nine players, %": "29",
    "hits after three missions, %": "about a third",
    "hits after five missions, %": "almost 50",
    "shots at Percival less those at one plain good player, points": "about 0",
    "good's gain with Percival, points": "about 5",
    "good's gain with Oberon, points": "3 to 4",
    "good's gain with Mordred, points": "-3 to -4",
    "good's gain with Morgana, points": "-3 to -4",
}


def ends(printed: str) -> tuple[float, float]:
    """The lowest and the highest number of which this may be said.

    >>> [ends(text) for text in ("6,835", "41", "30 to 35", "about 50", "almost 50")]
    [(6835.0, 6835.0), (40.5, 41.5), (29.5, 35.5), (47.5, 52.5), (44.5, 50.0)]
    """
    numbers = [float(part.replace(",", "")) for part in re.findall(r"-?\d[\d,]*", printed)] or [100 / 3]
    if printed.startswith("almost"):
        return numbers[0] - 5.5, numbers[0]
    reach = ABOUT if printed.startswith("about") else 0.0 if "," in printed else 0.5
    return min(numbers) - reach, max(numbers) + reach


def counted(outcomes: pd.DataFrame, shots: pd.DataFrame) -> dict[str, float]:
    """Each number of `PRINTED`, counted; a role's worth at tables with as many players and the same other roles.

    (The source compares all tables with the role and all without.)
    """
    evil, merlin, shot = outcomes["winner"] == "evil", has(outcomes, "merlin"), outcomes["how"] == "merlin shot"
    games = outcomes["games"]

    def percent(part: pd.Series, of: pd.Series | slice = slice(None)) -> float:
        return 100 * games[part & of if isinstance(of, pd.Series) else part].sum() / games[of].sum()

    def hits(of: pd.Series | slice = slice(None)) -> float:
        fired = shots.loc[of]
        return 100 * fired.loc[fired["shot"] == "merlin", "games"].sum() / fired["games"].sum()

    return {
        "games": games.sum(),
        "wins of evil": games[evil].sum(),
        "evil's share of wins, %": percent(evil),
        "hits of Merlin": games[shot].sum(),
        "shots at Merlin": shots["games"].sum(),
        "shots that hit, %": hits(),
        "evil's wins by the shot, %": percent(shot, evil),
        "games with Merlin, %": percent(merlin),
        "evil's share without Merlin, %": percent(evil, ~merlin),
        "evil's share with Merlin, %": percent(evil, merlin),
        "three successes with Merlin, %": 100 * shots["games"].sum() / games[merlin].sum(),
        "evil's wins with Merlin by the shot, %": percent(shot, evil & merlin),
        **{f"hits with {name} players, %": hits(shots["players"] == number) for number, name in PLAYERS.items()},
        "hits after three missions, %": hits(shots["missions_played"] == 3),
        "hits after five missions, %": hits(shots["missions_played"] == 5),
        "shots at Percival less those at one plain good player, points": shot_at(shots, "percival")
        - shot_at(shots, "loyal"),
        **{
            f"good's gain with {role.title()}, points": 100 * worth(outcomes, role).estimate
            for role in ("percival", "oberon", "mordred", "morgana")
        },
    }


def shot_at(shots: pd.DataFrame, role: str) -> float:
    """The percentage of shots at the player with a role, or at one of the loyal, in games with Merlin and Percival.

    The loyal players of a table share the shots at them: of shots at random as many are at one of them as at Percival.
    """
    rows = shots[has(shots, "percival") & has(shots, "merlin")]
    held = rows["players"] - rows["evil_players"] - 2 if role == "loyal" else 1
    return 100 * (rows["games"] / held)[rows["shot"] == role].sum() / rows["games"].sum()


def audited(outcomes: pd.DataFrame, shots: pd.DataFrame) -> pd.DataFrame:
    """What the source prints beside what its games say; `holds`: to as many digits, or as near as its words say."""
    numbers = counted(outcomes[outcomes["period"] == PERIOD], shots[shots["period"] == PERIOD])
    table = pd.DataFrame({"claim": PRINTED.keys(), "printed": PRINTED.values()})
    table["counted"] = [meant(float(numbers[claim])) for claim in PRINTED]
    low_high = [ends(printed) for printed in table["printed"]]
    return table.assign(holds=[low <= one <= high for one, (low, high) in zip(table["counted"], low_high, strict=True)])
