"""Five and six players exactly: against a plain chain, against games, and against a solver that saves nothing."""

from collections import namedtuple
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from chapters.sanguosha import exact_rows, lineup_rows
from gamebalance.publish import heavy
from gamebalance.sanguosha import AS_CODED, AS_WRITTEN, LINEUPS, Seating, exact, simulate, solve
from gamebalance.sanguosha.chain import Chain
from gamebalance.sanguosha.turn import CODE_OF, Player
from tests.refusals import refused
from tests.sanguosha.reference import CPC
from tests.sanguosha.reference import Chain as PlainChain

#: Nothing that gives anybody anything: few enough states for a plain chain of many players.
LOSSES = (0, 0, 0, 0, 1, 2)


def _rules(written, deck):
    return replace(AS_WRITTEN if written else AS_CODED, deck=deck)


@pytest.mark.parametrize(
    ("seating", "written", "deck"),
    [
        ("01223", False, LOSSES),
        ("03212", True, LOSSES),
        ("02323", False, LOSSES),
        ("012231", False, LOSSES),
        ("0123", False, (0, 0, 1, 0, 0, 4)),
        ("0231", False, (1, 0, 0, 0, 0, 3)),
        ("0312", True, (0, 0, 0, 2, 0, 3)),
    ],
)
def test_a_small_deck_by_pushing_the_distribution(seating, written, deck):
    """Four to six players; nothing is shared with the solver."""
    plain = PlainChain(seating, written, deck)
    assert len(plain.states) > 1000
    endings, turns = plain.solve()
    found = solve(seating, _rules(written, deck))
    assert found.probability == pytest.approx(dict(endings), abs=1e-12)
    assert found.turns == pytest.approx(turns, abs=1e-9)
    assert found.error_bound < 1e-12


@pytest.mark.parametrize(
    ("seating", "written", "deck"), [("012", False, CPC), ("031", True, CPC), ("0123", False, (0, 0, 1, 0, 1, 3))]
)
def test_codes_that_occur_are_those_that_play_reaches(seating, written, deck):
    """By player, in every set of the living in which the game goes on."""
    chain, plain = Chain(Seating(seating).roles, _rules(written, deck)), PlainChain(seating, written, deck)
    reached = {seats: {seat: set() for seat in seats} for seats in chain.open_sets()}
    for place, (_, *planes) in enumerate(plain.states):
        if plain.transient[place]:
            players = [Player(*player) for player in zip(*planes, strict=True)]
            seats = tuple(seat for seat, player in enumerate(players) if player.alive)
            for seat in seats:
                reached[seats][seat].add(CODE_OF[players[seat]])
    assert len(reached) > 1
    for seats, by_seat in reached.items():
        assert [set(codes.tolist()) for codes in chain.codes(seats)] == [by_seat[seat] for seat in reversed(seats)]


def test_all_codes_give_the_same_outcome(monkeypatch):
    few = solve("0123")
    monkeypatch.setattr(exact, "Chain", lambda *arguments: Chain(*arguments, every_code=True))
    every = solve("0123")
    assert every.probability == pytest.approx(few.probability, abs=1e-13)
    assert every.turns == pytest.approx(few.turns, abs=1e-10)


def test_threads_change_no_bit(monkeypatch):
    alone = solve("0213")
    monkeypatch.setattr("gamebalance.sanguosha.chain.LARGE", 8)
    done = []
    assert solve("0213", workers=3, progress=done.append) == alone
    assert sum(done) == pytest.approx(1) and min(done) >= 0


def test_a_machine_that_is_too_small_is_told_how_much_is_needed(monkeypatch):
    monkeypatch.setattr(exact.psutil, "virtual_memory", lambda: namedtuple("Memory", "available")(2**31))
    monkeypatch.setattr(exact, "_solve_set", None)
    needed = exact.memory_needed("012223") / 2**30
    assert 5 < needed < 16
    with pytest.raises(
        MemoryError, match=rf"^seating = '012223' needs {needed:.1f} GiB of memory, and 2.0 GiB are free$"
    ):
        solve("012223")


@pytest.fixture(scope="module")
def stored():
    return [exact_rows.outcomes(row) for row in heavy.results("sanguosha-exact-five", ["seating"]).to_dict("records")]


def test_all_seatings_of_five_are_stored(stored):
    assert [found.seating for found in stored] == list(LINEUPS[1].seatings())
    for found in stored:
        assert sum(found.probability.values()) == pytest.approx(1, abs=1e-12) and found.error_bound <= 1e-11


@pytest.fixture(scope="module")
def stored_six():
    return [exact_rows.outcomes(row) for row in heavy.results("sanguosha-exact-six", ["seating"]).to_dict("records")]


def test_all_seatings_of_six_are_stored(stored_six):
    assert sorted(found.seating for found in stored_six) == sorted([*LINEUPS[2].seatings(), *LINEUPS[3].seatings()])
    for found in stored_six:
        assert sum(found.probability.values()) == pytest.approx(1, abs=1e-12) and found.error_bound <= 1e-11


def test_games_of_six_end_as_stored(stored_six):
    """A thousand million games of each line-up: eight differences, beyond 4.5 s.e. once in 18,000 such tables."""
    rows = heavy.results("sanguosha-line-ups", text=["shares", "moments"])
    rows = rows[rows["lineup"].isin(["1-1-3-1", "1-1-2-2"])].to_dict("records")
    shown = exact_rows.six_players(stored_six, {row["lineup"]: lineup_rows.outcomes(row) for row in rows})
    assert len(shown) == 8 and (shown["s.e."] < 0.003).all() and shown["difference in s.e."].abs().max() < 4.5
    lords = [found.survival[0] for found in stored_six if found.lineup == LINEUPS[2]]
    assert shown.loc[0, ["least", "exact", "most"]].tolist() == pytest.approx(
        [100 * min(lords), 100 * sum(lords) / 20, 100 * max(lords)]
    )


def test_games_of_five_end_as_stored(stored):
    """Pearson's test over all seatings together, 300,000 games each: fails by chance once in ten thousand seeds."""
    games, statistic, freedom = 300_000, 0.0, 0
    for place, found in enumerate(stored):
        counts = simulate(found.lineup, games, 50 + place, seating=found.seating).counts
        expected = {ending: games * share for ending, share in found.probability.items()}
        rare = [ending for ending, count in expected.items() if count < 5]
        assert not rare or sum(expected[ending] for ending in rare) < 5
        common = [ending for ending in expected if ending not in rare]
        statistic += sum((counts.get(ending, 0) - expected[ending]) ** 2 / expected[ending] for ending in common)
        freedom += len(common) - 1
    assert freedom > 60 and stats.chi2.sf(statistic, freedom) > 1e-4


def test_a_mean_needs_all_seatings(stored):
    mean = exact_rows.mean_of(stored, LINEUPS[1])
    assert mean.survival[0] == pytest.approx(np.mean([found.survival[0] for found in stored]))
    with refused("rows: 11 of 12 seatings of 1-1-2-1; all are needed, once each"):
        exact_rows.mean_of(stored[1:], LINEUPS[1])


def test_rows_are_of_the_reports_line_ups():
    with refused("seating = '0123': one of 1-1-2-1, 1-1-3-1, 1-1-2-2 is needed"):
        exact_rows.row("0123")
