"""Whatever stands in a record: it is read, or refused in one line."""

from copy import deepcopy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from make import avalon, avalon_logs, forum_mafia, sport_mafia
from tests.observed.made_up import FAILED, NAME, REJECTED, avalon_game, early_sheet, forum_game, late_sheet

JUNK = st.one_of(
    st.sampled_from(
        ["", "a", "b", "NONE", 0, 1, 2, -1, 4, 1.5, None, True, False, [], ["a"], [["a"]], {}, {"a": True}]
    ),
    st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=3), st.lists, max_leaves=3),
)


def places(record, path=()):
    """The paths to all values in a record."""
    inner = record.items() if isinstance(record, dict) else enumerate(record) if isinstance(record, list) else ()
    return [path, *(place for key, value in inner for place in places(value, (*path, key)))]


def put(record, path, value):
    """A copy of the record with another value in a place."""
    if not path:
        return value
    record = at = deepcopy(record)
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return record


READERS = {
    "avalon": ([avalon_game(), avalon_game(FAILED), avalon_game(REJECTED)], lambda one: [avalon_logs.game(one, NAME)]),
    "forum": ([forum_game()], lambda one: [game for game in [forum_mafia.game(one)] if game]),
    "sport": ([early_sheet(), late_sheet()], lambda sheet: sport_mafia.tables(sheet, 3)),
}
COUNTS = {"avalon": avalon.counts, "forum": forum_mafia.counts, "sport": sport_mafia.counts}


@pytest.mark.thorough
@pytest.mark.parametrize("name", READERS)
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_one_value_is_anything(name, data):
    records, read = READERS[name]
    record = data.draw(st.sampled_from(records))
    changed = put(record, data.draw(st.sampled_from(places(record))), data.draw(JUNK))
    try:
        games = read(changed)
    except ValueError as error:
        assert "\n" not in str(error) and len(str(error)) < 400
    else:
        COUNTS[name](games)
