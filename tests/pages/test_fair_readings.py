"""The page in a browser, given files: each is read as the library reads it, and as its owner does."""

import base64
import re

import pytest

from tests.fairness.readings import CASES

pytestmark = pytest.mark.browser
PAGE = "fair"
READ = """files => files.map(([content, options, by]) => {
    const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
    const found = {};
    try {
        const games = results.read(tables.read(bytes, "file.csv"), options);
        found.reading = games.reading;
        found.kinds = results.kinds(games);
        const own = by ?? [...found.kinds, ...Object.keys(games.faults)][0];
        const settings = {by: own, margin: 0.05, level: 0.95, looks: null, lookedAfter: []};
        const {rows, counts, faults} = games;
        if (rows && rows[settings.by]) {
            const contest = contests.contestOf(rows, settings.by);
            found.labels = contest.labels.map((label, k) => [label, contest.wins[k], contest.plays[k]]);
        } else if (counts) found.labels = counts.labels.map((label, k) => [label, counts.wins[k], counts.played[k]]);
        found.verdict = fairness.judge({...settings, ...(counts ?? {rows, faults})}).verdict;
    } catch (error) {
        if (!error.field) throw error;
        found.refused = error.message;
    }
    return found;
})"""


#: Where the page has words of its own, in the language chosen.
OWN = {
    "long, nobody won": ("game 7: nobody won it; tick Draws under How was it read?",),
    "an empty winner": ("game 2: nobody won it; tick Draws under How was it read?",),
    "a row that is too long": ("row 2 has 4 fields, more than the 3 of the rows above it",),
    "a column that is not there": ("Winner: no column is called “first”; the columns are game, seat, won",),
}


@pytest.fixture(scope="module")
def found(asked) -> dict[str, dict]:
    """What the page says of each file."""
    files = [[base64.b64encode(case.content).decode(), listed(case.options), case.by] for case in CASES.values()]
    return dict(zip(CASES, asked.evaluate(READ, files), strict=True))


def listed(options: dict) -> dict:
    """Options as the page has them: heads in lists."""
    return {name: [value] if isinstance(value, str) else value for name, value in options.items()}


@pytest.mark.parametrize("name", CASES)
def test_a_file_is_read_as_the_library_reads_it(found, name):
    case, ours = CASES[name], found[name]
    if case.refused:
        said = [re.sub(r"^by = '\w+'(: )?", "", part) for part in OWN.get(name, case.refused)]  # a field
        assert all(part in ours.get("refused", "") for part in said), ours
        assert "\n" not in ours["refused"]
        return
    assert ours.get("reading") == case.reading, ours
    assert {label: pytest.approx([won, played]) for label, won, played in ours["labels"]} == case.labels
    if case.verdict == "refused":
        assert ours["refused"] == "Two games or more are needed"
    else:
        assert ours["verdict"] == case.verdict, ours
