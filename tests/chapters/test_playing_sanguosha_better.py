"""Rows of better play and of alliances, and tables of them, from made-up rows whose means are known."""

import numpy as np
import pandas as pd
import pytest

from chapters import playing_sanguosha_better as chapter
from chapters import which_alliances_pay as alliances
from gamebalance.publish import heavy, manifest, paths
from gamebalance.sanguosha.lineup import ROLE_KEYS


def made_up(status, period, count):
    """Round k gives the lord k points and everybody survival k / 10."""
    made = {"scores": lambda k: (k, 1, 2, 3), "survival": lambda k: (k / 10, 0.5, 0.25, 0)}
    texts = {what: chapter.as_text(each(k) for k in range(count + 1)) for what, each in made.items()}
    return pd.DataFrame([{"seating": "0123", "status": status, "period": period, "rounds": count, **texts}])


@pytest.mark.parametrize(
    ("status", "period", "lord"), [("settled", 1, 8), ("cycle", 3, 7), ("stopped", 0, (5 + 6 + 7 + 8) / 4)]
)
def test_last_rounds(status, period, lord):
    last = chapter.last_rounds(made_up(status, period, 8), "scores")
    assert list(last.columns) == list(ROLE_KEYS)
    np.testing.assert_allclose(last.loc["0123"], [lord, 1, 2, 3])


def test_stored_rows_are_those_of_their_cases():
    """Each row of a stored table says in its columns what its function is called with."""
    modules = (chapter.__name__, alliances.__name__)
    tables = [table for table in manifest.load(paths.project()).heavy if table.function.startswith(modules)]
    assert len(tables) == 6
    for table in tables:
        text = [name for name in ("seating", "roles") if name in table.over]
        stored = heavy.results(table.id, text=text).set_index(table.key, drop=False)
        assert list(stored.index) == list(table.rows())
        for key, arguments in table.rows().items():
            told = {name: stored.loc[key, name] for name in arguments if name in stored and name != "rounds"}
            assert told and told.items() <= arguments.items(), (table.id, key)


@pytest.mark.thorough
def test_a_stored_row_comes_out_again():
    row = chapter.threat_row(seating="0231", players="rebel", knows="own sight", spares_friends=True)
    stored = heavy.results("sanguosha-threat", text=["seating"])
    case = [row["seating"], row["players"], row["knows"], row["spares_friends"]]
    (told,) = stored[(stored[list(row)[:4]] == case).all(axis=1)].drop(columns="case").to_dict("records")
    assert list(told) == list(row) and list(told.values())[4:] == pytest.approx(list(row.values())[4:])
