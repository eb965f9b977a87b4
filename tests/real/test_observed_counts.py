"""The frozen counts of recorded games agree with each other and with what their README says of them."""

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from gamebalance import publish

README = Path(__file__).resolve().parents[2] / "data/observed/README.md"
#: Tables, seats without a person, and tables with a first victim who did not name three different seats.
SPORT = pytest.mark.parametrize(
    ("name", "games", "unknown", "not_three"),
    [("sport_mafia", 2520, 22, 83), ("sport_mafia_later", 2385, 88, 32)],
    ids=["earlier", "later"],
)
ROLES = {"citizen": 6, "don": 1, "mafioso": 2, "sheriff": 1}


@pytest.fixture(autouse=True)
def _real(monkeypatch):
    monkeypatch.setenv("GAMEBALANCE_ROOT", str(README.parents[2]))


def winners(name: str) -> pd.Series:
    """How many of the games in a table each side won."""
    return publish.observed(name).groupby("winner")["games"].sum()


@SPORT
def test_every_seat_is_taken_at_every_table(name, games, unknown, not_three):
    seasons, seats = winners(f"{name}_seasons"), publish.observed(f"{name}_seats")
    assert seasons.sum() == games
    at_seat = seats.pivot_table(index="seat", columns="winner", values="games", aggfunc="sum")
    assert at_seat.index.tolist() == list(range(1, 11)) and (at_seat == seasons).all(axis=None)
    of_role = seats.pivot_table(index="role", columns="winner", values="games", aggfunc="sum")
    for role, number in ROLES.items():
        assert of_role.loc[role].tolist() == (number * seasons).tolist()


@SPORT
def test_first_victims_add_up(name, games, unknown, not_three):
    killed, named = publish.observed(f"{name}_first_killed"), publish.observed(f"{name}_three_named")
    assert (winners(f"{name}_first_killed") + winners(f"{name}_no_first_killed")).eq(winners(f"{name}_seasons")).all()
    left = killed.set_index(["role", "winner"])["games"].sub(
        named.groupby(["named_by", "winner"])["games"].sum().rename_axis(["role", "winner"]), fill_value=0
    )
    assert (left >= 0).all() and left.sum() == not_three
    of_the_mafia = killed["role"].isin(["don", "mafioso"])
    assert killed.loc[of_the_mafia, "games"].sum() == {"sport_mafia": 16, "sport_mafia_later": 7}[name]


@SPORT
def test_persons_are_short_by_who_is_not_recorded(name, games, unknown, not_three):
    persons, seasons = publish.observed(f"{name}_persons"), winners(f"{name}_seasons")
    total = persons["games_town"] + persons["games_mafia"]
    assert total.sum() == 10 * games - unknown and total.is_monotonic_decreasing and total.max() <= games
    assert persons["person"].tolist() == list(range(1, len(persons) + 1))
    for side, players in (("town", 7), ("mafia", 3)):
        assert (persons[f"won_{side}"] <= persons[f"games_{side}"]).all()
        assert 0 <= players * games - persons[f"games_{side}"].sum() <= unknown
        assert 0 <= players * seasons[side] - persons[f"won_{side}"].sum() <= unknown


def test_seasons_do_not_overlap():
    assert publish.observed("sport_mafia_seasons")["season"].unique().tolist() == list(range(2, 17))
    assert publish.observed("sport_mafia_later_seasons")["season"].unique().tolist() == list(range(17, 28))


def test_forum_games_add_up():
    outcomes, votes, nights, checks, victims = (
        publish.observed(f"forum_mafia_{name}") for name in ("outcomes", "votes", "nights", "checks", "first_victims")
    )
    assert outcomes["games"].sum() == 282 and set(outcomes["winner"]) == {"Mafia", "Town"}
    first_night, first_day = nights[nights["night"] == 1], votes[votes["day"] == 1]
    assert first_night["games"].sum() == first_day["votes"].sum() == 182 - 12
    assert set(first_night["alive"]) == {15} and set(first_night["mafiosi_alive"]) == {3}
    assert checks.loc[checks["night"] == 1, "checks"].sum() <= 170
    assert victims["victims"].sum() <= 2 * 282 and victims.groupby("role")["victims"].sum()["medic"] == 53
    # Who is alive at the first vote: fifteen without those shot and not saved.
    deaths = first_night.assign(alive=15 - first_night["targets"] + first_night["saved"])
    by_day = first_day.groupby("alive")["votes"].sum()
    assert deaths.groupby("alive")["games"].sum().to_dict() == by_day.to_dict()


@pytest.mark.parametrize(
    ("holds", "exceptions"),
    [
        (lambda row: row["shots"] == (2 if row["mafiosi_alive"] == 3 else 1), 2),
        (lambda row: row["targets"] <= row["shots"] and row["saved"] <= row["medic_alive"], 0),
        (lambda row: row["saved"] < row["shots"] or row["targets"] == row["shots"], 0),
        (lambda row: row["vigilante"] not in ("mafioso", "townsman") or 2 <= row["night"] <= 4, 0),
        (lambda row: row["mafiosi_alive"] >= 1 and row["alive"] <= 15, 0),
    ],
    ids=["two shots of three", "one save", "two shots kill", "nights of the bullet", "somebody shoots"],
)
def test_nights_are_as_the_rules_say(holds: Callable, exceptions):
    nights = publish.observed("forum_mafia_nights")
    assert nights.loc[~nights.apply(holds, axis=1).astype(bool), "games"].sum() == exceptions


def test_nobody_votes_without_the_mafia():
    votes = publish.observed("forum_mafia_votes")
    assert (votes["mafiosi_alive"] >= 1).all() and (votes["mafiosi_alive"] < votes["alive"]).all()


def test_each_table_is_described():
    text = README.read_text(encoding="utf-8")
    files = {file.name.replace("_later", "") for file in README.parent.glob("*.csv")}
    assert {name for name in files if f"| `{name}` |" in text} == files
