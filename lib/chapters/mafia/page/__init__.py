"""A page that weighs a set-up of Werewolf (Mafia) while it is put together: one HTML text that needs no network.

Its numbers are those of `gamebalance.mafia`, computed again from the rules: people as numbers (``town.js``), ties and
marks by counting (``ties.js``), a night and a vote (``night.js``), what lasts of it (``memory.js``), and who wins
(``solver.js``). ``fit.js`` finds the votes that explain results, ``search.js`` compares set-ups, ``reading.js`` reads
what is typed or linked, ``words.js`` says what was found, ``fields.js`` holds the fields, and ``script.js`` draws.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from chapters.offline import document
from chapters.ten_at_the_table_counts import by_side
from gamebalance.mafia import Setup

if TYPE_CHECKING:
    import pandas

FOLDER = Path(__file__).parent
SCRIPTS = (
    "ties",
    "town",
    "night",
    "memory",
    "solver",
    "fit",
    "search",
    "reading",
    "words",
    "fields",
    "script",
)
#: The odds of a vote at recorded tables, from the lowest to the highest that Table ``real-odds`` has for the rules that
#: it assumes in turn, rounded away from each other; and the one that it has if all who are tied leave, which is apart.
RECORDED_ODDS, TIED_ODDS = (1.4, 3.0), 1.1
#: The tables that were recorded, under the rules that chapters on them assume.
CLUB = Setup.read("10: don, 2 mafiosi, sheriff, 6 citizens")
CLUB_RULES = "half_rule=always&ties=again, then nobody&tells=every morning&dead_roles=hidden&phase=morning"
FORUM = Setup.read("15: 3 mafiosi, cop, medic, vigilante, 9 citizens")
FORUM_RULES = "half_rule=always&kills=1,1,2"
MAY = "may=dons,sheriffs,doctors,vigilantes,hunters"


def page(seasons: "pandas.DataFrame", agreement: float, outcomes: "pandas.DataFrame") -> str:
    """The page as one HTML text, the same for the same records; its scripts without comments and indents.

    Parameters
    ----------
    seasons : DataFrame
        Counts of the games of a club, as ``sport_mafia_seasons`` has them.
    agreement : float
        How often the club's mafia agrees on a victim, as `chapters.ten_at_the_table_rules.agreement` counts it.
    outcomes : DataFrame
        Counts of the games of a forum, as ``forum_mafia_outcomes`` has them.
    """
    records = [
        _record("club", CLUB, f"{CLUB_RULES}&agreement={agreement:.4f}", seasons),
        _record("forum", FORUM, FORUM_RULES, outcomes),
    ]
    return document(FOLDER, SCRIPTS, {"odds": RECORDED_ODDS, "tied": TIED_ODDS, "records": records})


def _record(who: str, setup: Setup, rules: str, games: "pandas.DataFrame") -> dict[str, object]:
    """What the page knows of recorded games: the set-up, a link to the page with its rules, and who won."""
    sides = by_side(games)
    link = f"#setup={setup.written}&{rules}&{MAY}"
    return {"who": who, "setup": setup.written, "link": link, "won": sides["town"], "games": sum(sides.values())}
