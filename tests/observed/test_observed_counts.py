"""The frozen counts of recorded games agree with each other and with what their README says of them."""

from pathlib import Path

import pandas as pd
import pytest

from gamebalance import publish
from gamebalance.games.avalon import BOARDS

FOLDER = Path(__file__).resolve().parents[2] / "data/observed"
#: Tables, seats without a person, and tables with a first victim who did not name three different seats.
SPORT = pytest.mark.parametrize(
    ("name", "games", "unknown", "not_three"),
    [("sport_mafia", 2520, 22, 83), ("sport_mafia_later", 2385, 88, 32)],
)
ROLES = {"citizen": 6, "don": 1, "mafioso": 2, "sheriff": 1}


@pytest.fixture(autouse=True)
def _real(monkeypatch):
    monkeypatch.setenv("GAMEBALANCE_ROOT", str(FOLDER.parents[1]))


def winners(name: str) -> pd.Series:
    """How many of the games in a table each side won."""
    return publish.observed(name).groupby("winner")["games"].sum()


def test_each_table_is_described():
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    files = {file.name.replace("_later", "") for file in FOLDER.glob("*.csv")}
    assert {name for name in files if f"| `{name}` |" in text} == files


@SPORT
def test_tables_of_sport_mafia_add_up(name, games, unknown, not_three):
    seasons, seats = winners(f"{name}_seasons"), publish.observed(f"{name}_seats")
    assert seasons.sum() == games
    at_seat = seats.pivot_table(index="seat", columns="winner", values="games", aggfunc="sum")
    assert at_seat.index.tolist() == list(range(1, 11)) and (at_seat == seasons).all(axis=None)
    of_role = seats.pivot_table(index="role", columns="winner", values="games", aggfunc="sum")
    for role, number in ROLES.items():
        assert of_role.loc[role].tolist() == (number * seasons).tolist()
    killed, named = publish.observed(f"{name}_first_killed"), publish.observed(f"{name}_three_named")
    assert (winners(f"{name}_first_killed") + winners(f"{name}_no_first_killed")).eq(seasons).all()
    who_named = named.groupby(["named_by", "winner"])["games"].sum().rename_axis(["role", "winner"])
    left = killed.set_index(["role", "winner"])["games"].sub(who_named, fill_value=0)
    assert (left >= 0).all() and left.sum() == not_three
    persons = publish.observed(f"{name}_persons")
    total = persons["games_town"] + persons["games_mafia"]
    assert total.sum() == 10 * games - unknown and total.is_monotonic_decreasing and total.max() <= games
    for side, players in (("town", 7), ("mafia", 3)):
        assert (persons[f"won_{side}"] <= persons[f"games_{side}"]).all()
        assert 0 <= players * seasons[side] - persons[f"won_{side}"].sum() <= unknown


def test_games_of_forum_mafia_add_up():
    outcomes, votes, nights = (publish.observed(f"forum_mafia_{name}") for name in ("outcomes", "votes", "nights"))
    first_night, first_day = nights[nights["night"] == 1], votes[votes["day"] == 1]
    assert outcomes["games"].sum() == 282
    assert first_night["games"].sum() == first_day["votes"].sum() == 182 - 12
    # Who is alive at the first vote: fifteen without those shot and not saved.
    deaths = first_night.assign(alive=15 - first_night["targets"] + first_night["saved"]).groupby("alive")["games"]
    assert deaths.sum().to_dict() == first_day.groupby("alive")["votes"].sum().to_dict()
    odd = nights["shots"] != 1 + (nights["mafiosi_alive"] == 3)
    assert nights.loc[odd, "games"].sum() == 2
    assert (~nights["vigilante"].isin(["mafioso", "townsman"]) | nights["night"].between(2, 4)).all()


def avalon(name: str) -> pd.DataFrame:
    return publish.observed(f"avalon_{name}")


def test_games_of_avalon_add_up():
    outcomes, shots, votes, proposals = (avalon(name) for name in ("outcomes", "shots", "votes", "proposals"))
    games, seats = outcomes["games"].sum(), (outcomes["games"] * outcomes["players"]).sum()
    assert games == 12_882 and outcomes.query("period == 'to August 2021'")["games"].sum() == 12_227
    totals = {"sittings": ("games_in_room", "rooms"), "groups": ("games", "groups"), "persons": ("games", "persons")}
    assert [avalon(name)[list(pair)].prod(axis=1).sum() for name, pair in totals.items()] == [games, games, seats]
    assert outcomes.loc[outcomes["how"].str.startswith("merlin"), "games"].sum() == shots["games"].sum()
    assert (proposals["players"] * proposals["proposals"]).sum() == votes["votes"].sum()
    by_players = proposals.groupby(["players", "merlin", "mission"])["proposals"].sum()
    evil = votes[votes["voter"] == "evil"].groupby(by_players.index.names)["votes"].sum()
    assert (evil == by_players * by_players.index.get_level_values("players").map(lambda n: BOARDS[n].evil)).all()
