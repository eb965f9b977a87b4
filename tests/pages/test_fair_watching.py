"""The page in a browser, looking after every game: evidence, intervals and words are those of the library's monitor."""

import numpy as np
import pytest

from gamebalance.fairness import Monitor
from tests.pages.fair_rows import columns, given, random_games

pytestmark = pytest.mark.browser
PAGE = "fair"
WATCH = """all => all.map(([names, results, level, margin]) =>
    watching.watch({names, results}, {by: "number", level, margin}))"""


def random_courses(count: int) -> list[tuple]:
    """So many games of two to ten seats, some drawn and some with shared wins, with what is asked."""
    random, found = np.random.default_rng(20261124), []
    for _ in range(count):
        seats, games = int(random.integers(2, 11)), int(10 ** random.uniform(0.3, 3.2))
        chances = random.dirichlet(np.full(seats, random.choice([3, 60, 2_000])))
        parts = np.eye(seats)[random.choice(seats, games, p=chances)]
        shared, drawn = random.random((2, games)) < random.choice([0, 0.1], (2, 1))
        parts[shared] = (parts[shared] + parts[shared][:, ::-1]) / 2
        parts[drawn] = random.choice([0, 1 / seats])
        level, margin = float(random.choice([0.9, 0.95, 0.99])), float(random.choice([0.05, 0.2]))
        found.append(([*range(1, seats + 1)], parts, level, margin))
    return found


@pytest.mark.thorough
def test_sixty_courses_are_watched_alike(asked):
    courses = random_courses(60)
    found = asked.evaluate(WATCH, [[names, parts.tolist(), level, margin] for names, parts, level, margin in courses])
    verdicts = []
    for (names, parts, level, margin), ours in zip(courses, found, strict=True):
        monitor = Monitor(names, level=round(1 - level, 9), margin=margin)
        for row in parts:
            if np.ptp(row) == 0:
                monitor.add(None)
            else:
                monitor.add({name: part for name, part in zip(names, row, strict=True) if part})
        assert [ours[name] for name in ("verdict", "stoppedAt", "games", "draws")] == [
            monitor.verdict, monitor.stopped_at, monitor.games, monitor.draws,
        ]  # fmt: skip
        assert ours["evidence"] == pytest.approx(monitor.log_evidence, rel=6e-9, abs=1e-9)
        assert ours["sentence"] == monitor.sentence
        if monitor.games > monitor.draws:
            for name in ("shares", "low", "high"):
                assert ours[name] == pytest.approx([*getattr(monitor, name).values()], abs=1.1e-9)
        assert max(ours["course"]) >= ours["bound"] or ours["verdict"] != "unfair"
        verdicts.append(monitor.verdict)
    assert min(verdicts.count(verdict) for verdict in ("fair", "unfair", "undecided")) > 5, verdicts


def test_games_that_no_monitor_takes_are_not_watched(asked):
    """Labels that do not play in each game, or of which no one wins, are none for it."""
    script = "all => all.map(({rows, by}) => watching.winnersOf(contests.contestOf(rows, by)))"
    cases = random_games(25)
    found = asked.evaluate(script, [given(games, settings["by"]) for games, settings, _ in cases])
    kept = 0
    for (games, settings, expected), ours in zip(cases, found, strict=True):
        played = games.contest(settings["by"]).tally.played.toarray()
        if ours is None:
            continue
        kept += 1
        assert (played > 0).all() and len(ours["results"]) == games.count
        wins = np.sum(ours["results"], axis=0)
        shares = expected.shares.unique() * games.count
        assert sorted(set(wins.round(6))) == pytest.approx(sorted(set(shares.round(6))))
    assert 3 < kept < 22 and columns(cases[0][0])["game"][0] == 0
