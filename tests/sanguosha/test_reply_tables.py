"""Tables on better play, from made-up rows whose means are known."""

import numpy as np
import pandas as pd
import pytest

from chapters.sanguosha import alliance_tables, reply_tables
from chapters.sanguosha.reply_rows import SEATINGS, threat_row
from gamebalance.fairness.spreads import balance, rationality
from gamebalance.publish import heavy, manifest, paths
from gamebalance.sanguosha.lineup import ROLE_KEYS, Role
from gamebalance.sanguosha.replies import coalitions


def made_up(status, period, count):
    """Round k gives the lord k points and everybody survival k / 10."""
    texts = {what: ";".join(" ".join(map(str, each(k))) for k in range(count + 1)) for what, each in MADE.items()}
    return pd.DataFrame([{"seating": "0123", "status": status, "period": period, "rounds": count, **texts}])


MADE = {"scores": lambda k: (k, 1, 2, 3), "survival": lambda k: (k / 10, 0.5, 0.25, 0)}


@pytest.mark.parametrize(
    ("status", "period", "lord"), [("settled", 1, 8), ("cycle", 3, 7), ("stopped", 0, (5 + 6 + 7 + 8) / 4)]
)
def test_last_rounds(status, period, lord):
    rows = made_up(status, period, 8)
    last = reply_tables.last_rounds(rows, "scores")
    assert list(last.columns) == ["lord", "loyalist", "rebel", "renegade"]
    np.testing.assert_allclose(last.loc["0123"], [lord, 1, 2, 3])


def threat_rows():
    """Two seatings: 2 points in one, 4 in the other, more if all is known; nobody lives where friends are spared."""
    found = []
    for seating, points in (("0123", 2.0), ("0132", 4.0)):
        for players in ("lord", "loyalist", "rebel", "renegade", "all"):
            for knows in ("everything", "own sight"):
                for spares in (False, True):
                    scored = points + (10 if knows == "everything" else 0) + (100 if spares else 0)
                    scores = {f"score_{name}": scored for name in ROLE_KEYS}
                    alive = {f"survival_{name}": 0 if spares else points / 4 for name in ROLE_KEYS}
                    told = {"seating": seating, "players": players, "knows": knows, "spares_friends": spares}
                    found.append(told | scores | alive)
    return pd.DataFrame(found)


def test_threat_table():
    replies = pd.DataFrame([{"role": name, "report": 1.0, "played": 20.0} for name in ROLE_KEYS])
    table = reply_tables.threat_table(threat_rows(), replies)
    assert list(table["role"]) == [str(role) for role in Role]
    means = {"report": 1, "threat points, roles known": 13, "threat points, roles hidden": 3}
    means["roles hidden, sparing friends"] = 103
    assert (table[list(means)] == list(means.values())).all(axis=None)


def test_knowledge_table():
    """Threat points with own sight, friends not spared, between the report's rule and the rules found."""
    told = {"report": 1.0, "first": 4.0, "best": 5.0, "upper": 6.0}
    blind = pd.DataFrame([{"role": number, **told} for number in (3, 1, 0, 2)])
    table = reply_tables.knowledge_table(blind, threat_rows())
    assert list(table["role"]) == [str(role) for role in Role]
    np.testing.assert_allclose(table.iloc[:, 1:].astype(float), [[1, 3, 4, 5, 6]] * 4)


def test_fairness_table():
    """Bal and Rat of means, not means of Bal and Rat."""
    table = reply_tables.fairness_table(made_up("settled", 1, 4), threat_rows()).set_index(("", "play"))
    assert list(table.index) == [
        "fixed rule",
        "threat points, roles hidden",
        "threat points, roles known",
        "each in turn the best reply",
    ]
    assert table.loc["fixed rule", ("", "Bal, %")] == pytest.approx(100 * balance([0, 0.5, 0.25, 0]))
    assert table.loc["each in turn the best reply", ("", "Rat")] == pytest.approx(rationality([4, 1, 2, 3]))
    assert table.loc["threat points, roles hidden", ("survival, %", "Rebel")] == pytest.approx(75)
    assert table.loc["threat points, roles hidden", ("", "Rat")] == pytest.approx(0)


def alliance_rows(worth):
    """The same in every seating: `worth` by number of members, 10 more where the lord is one."""
    found = []
    for roles in coalitions():
        value = worth[len(roles)] + 10 * (Role.LORD in roles)
        each = {f"{of}_{seating}": value for seating in SEATINGS for of in ("v", "report")}
        found.append({"roles": "".join(str(int(role)) for role in sorted(roles)), **each})
    return pd.DataFrame(found)


def test_alliance_tables():
    rows = alliance_rows({1: 1, 2: 4, 3: 9, 4: 16})
    worth = alliance_tables.worth_table(rows, rows).set_index("alliance")
    assert worth.loc["Lord + Rebel", "others resist"] == 14 and (worth["gain"] == 0).all()
    extra = alliance_tables.extra_table(alliance_tables.worths(rows))
    assert extra.loc["Lord", "Rebel"] == extra.loc["Rebel", "Renegade"] == 2
    assert np.isnan(extra.loc["Lord", "Lord"])
    shares = alliance_tables.share_table(rows)
    assert list(shares.index) == [*SEATINGS, "mean"] and (shares["", "core"] == "not empty").all()
    np.testing.assert_allclose(shares["Shapley value"].astype(float), [[14, 4, 4, 4]] * 7)


def test_an_empty_core_is_said():
    shares = alliance_tables.share_table(alliance_rows({1: 0, 2: 9, 3: 12, 4: 13}))
    assert (shares["", "core"] == "empty").all()
    assert shares["prenucleolus"].astype(float).sum(axis=1).to_numpy() == pytest.approx([23] * 7)


# ---- Rows of long runs.


def test_stored_rows_are_those_of_their_cases():
    """Each row of a stored table says in its columns what its function is called with."""
    tables = [table for table in manifest.load(paths.project()).heavy if "reply_rows" in table.function]
    assert len(tables) == 6
    for table in tables:
        text = [name for name in ("seating", "roles") if name in table.over]
        stored = heavy.results(table.id, text=text).set_index(table.key, drop=False)
        assert list(stored.index) == list(table.rows())
        for key, arguments in table.rows().items():
            told = {name: stored.loc[key, name] for name in arguments if name in stored and name != "rounds"}
            assert told and told.items() <= arguments.items(), (table.id, key)


def test_a_stored_row_comes_out_again():
    row = threat_row(seating="0231", players="rebel", knows="own sight", spares_friends=True)
    stored = heavy.results("sanguosha-threat", text=["seating"]).query(
        "seating == '0231' and players == 'rebel' and knows == 'own sight' and spares_friends"
    )
    (told,) = stored.drop(columns="case").to_dict("records")
    assert list(told) == list(row)
    numbers = [name for name, value in row.items() if isinstance(value, float)]
    assert len(numbers) == 9 and [told[name] for name in numbers] == pytest.approx([row[name] for name in numbers])
